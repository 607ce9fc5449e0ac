/* A program that uses the installed library: torque of a built-in robot at rest. */
#include <roberval/sys/base.h>
#include <roberval/sys/baseparam.h>
#include <roberval/sys/document.h>
#include <roberval/sys/dynamics.h>
#include <roberval/sys/equations.h>
#include <roberval/sys/identify.h>
#include <roberval/sys/linalg.h>
#include <roberval/sys/log.h>
#include <roberval/sys/model.h>
#include <roberval/sys/motion.h>
#include <roberval/sys/prepare.h>
#include <roberval/sys/result.h>
#include <roberval/sys/signal.h>
#include <roberval/sys/stats.h>
#include <stdio.h>

int main(void) {
  const double zero[6] = {0};
  double tau[6] = {0};
  rbv_model *m = NULL;
  rbv_base *b = NULL;
  rbv_dynamics *d = NULL;
  rbv_status status = rbv_model_load(&m, "tx40", NULL);
  if (status == RBV_OK) status = rbv_base_new(&b, m, NULL);
  if (status == RBV_OK) status = rbv_dynamics_new(&d, m);
  if (status == RBV_OK) status = rbv_dynamics_set(d, rbv_model_parameters(m), false);
  if (status != RBV_OK) {
    fprintf(stderr, "%s: %s\n", rbv_status_name(status), rbv_message());
    return 1;
  }
  rbv_dynamics_inverse(tau, d, zero, zero, zero);
  printf("roberval %s: %s has %d base parameters and needs %.2f N m to hold joint 2\n",
         rbv_version(), rbv_model_name(m), b->count, tau[1]);
  const int ok = b->count == 60;
  rbv_dynamics_free(d);
  rbv_base_free(b);
  rbv_model_free(m);
  return ok ? 0 : 1;
}
