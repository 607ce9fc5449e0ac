/* hold ROBOT Q1 Q2 ...: prints the torques that hold a robot at rest in a pose (gravity
 * compensation). */
#include <roberval/sys/dynamics.h>
#include <roberval/sys/model.h>
#include <stdio.h>
#include <stdlib.h>

#define JOINTS_MAX 100

int main(int argc, char **argv) {
  rbv_model *model = NULL;
  rbv_dynamics *dynamics = NULL;
  double q[JOINTS_MAX] = {0}, tau[JOINTS_MAX];
  const double rest[JOINTS_MAX] = {0};
  if (argc < 2) {
    fprintf(stderr, "usage: hold ROBOT Q1 Q2 ...\n");
    return 2;
  }
  rbv_status status = rbv_model_load(&model, argv[1], NULL);
  if (status == RBV_OK) status = rbv_dynamics_new(&dynamics, model);
  if (status == RBV_OK && !rbv_model_parameters(model)) {
    fprintf(stderr, "hold: %s has no parameters: identify them first\n", argv[1]);
    status = RBV_EINPUT;
  } else if (status == RBV_OK) {
    status = rbv_dynamics_set(dynamics, rbv_model_parameters(model), false);
  }
  if (status == RBV_OK) {
    const int n = rbv_model_joint_count(model);
    for (int j = 0; j < n && j + 2 < argc; j++) q[j] = strtod(argv[j + 2], NULL);
    // one call takes microseconds and allocates nothing: it can be used in a control loop
    rbv_dynamics_inverse(tau, dynamics, q, rest, rest);
    for (int j = 0; j < n; j++) printf("%-10s %10.4f\n", rbv_model_joint(model, j)->name, tau[j]);
  } else {
    fprintf(stderr, "hold: %s\n", rbv_message());
  }
  rbv_dynamics_free(dynamics);
  rbv_model_free(model);
  return status == RBV_OK ? 0 : 3;
}
