/* roberval demo: the built-in TX40, its parameters, and a torque that two roads agree on. */
#include <math.h>
#include <roberval/baseparam.h>
#include <roberval/dynamics.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"

#define STATES 1000

/* inverse dynamics against regressor times parameters, and forward dynamics back again */
static int verify(const rbv_model *m, uint64_t seed) {
  const int n = rbv_model_joint_count(m), nc = rbv_model_column_count(m);
  const double *chi = rbv_model_parameters(m);
  rbv_dynamics *d;
  rbv_status status = rbv_dynamics_new(&d, m);
  if (status == RBV_OK) status = rbv_dynamics_set(d, chi, false);
  if (status != RBV_OK) {
    rbv_dynamics_free(d);
    return cli_fail(status);
  }
  double *x = malloc((size_t)(6 * n) * sizeof *x), *W = malloc((size_t)(n * nc) * sizeof *W);
  if (!x || !W) {
    free(x);
    free(W);
    rbv_dynamics_free(d);
    fprintf(stderr, "roberval: out of memory\n");
    return EXIT_FAILED;
  }
  double *q = x, *dq = x + n, *ddq = x + 2 * n, *tau = x + 3 * n, *back = x + 4 * n;
  double worst_torque = 0, worst_back = 0, largest = 0;
  bool regular = true;
  for (int k = 0; k < STATES; k++) {
    for (int i = 0; i < 3 * n; i++)
      x[i] = 6 * rbv_random_uniform(seed, (uint64_t)i, (uint64_t)k) - 3;
    rbv_dynamics_inverse(tau, d, q, dq, ddq);
    rbv_regressor_eval(W, d, q, dq, ddq, false);
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int c = 0; c < nc; c++) sum += W[i + c * n] * chi[c];
      worst_torque = fmax(worst_torque, fabs(sum - tau[i]));
      largest = fmax(largest, fabs(tau[i]));
    }
    bool ok;
    rbv_dynamics_forward(back, &ok, d, q, dq, tau);
    regular = regular && ok;
    for (int i = 0; i < n && ok; i++) worst_back = fmax(worst_back, fabs(back[i] - ddq[i]));
  }
  printf("\n%d random states, torques up to %.0f N m:\n", STATES, largest);
  printf("  regressor x parameters against inverse dynamics: largest difference %.1e N m\n",
         worst_torque);
  if (regular)
    printf("  forward dynamics of those torques gives the acceleration back to %.1e rad/s^2\n",
           worst_back);
  free(x);
  free(W);
  rbv_dynamics_free(d);
  // 86 terms of some hundred N m each
  return worst_torque < 1e-10 * largest && regular ? EXIT_DONE : EXIT_NO;
}

int cli_run_demo(int argc, char **argv) {
  cli_common common = CLI_COMMON_DEFAULTS;
  const cli_opt table[] = {CLI_COMMON(common), {0}};
  int count;
  int code = cli_parse(&count, argc, argv, "demo", table);
  if (code >= 0) return code;
  char program[] = "model", robot[] = "tx40", base[] = "--base";
  char *show[] = {program, robot, base, NULL};
  code = cli_run_model(3, show);
  if (code != EXIT_DONE) return code;
  rbv_model *m;
  const rbv_status status = rbv_model_load(&m, "tx40", NULL);
  if (status != RBV_OK) return cli_fail(status);
  code = verify(m, common.seed);
  rbv_model_free(m);
  return code;
}
