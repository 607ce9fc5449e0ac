/* roberval demo: the built-in TX40, its parameters, and a torque that two roads agree on. */
#include <math.h>
#include <roberval/baseparam.h>
#include <roberval/dynamics.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"

#define STATES 1000

/* what was found on random states */
typedef struct {
  double largest;       // torque
  double torque;        // largest difference of two roads to it
  double acceleration;  // largest difference of what comes back
  bool regular;
} findings;

/* inverse dynamics against regressor times parameters, and forward dynamics back again */
static void compare(findings *f, const rbv_model *m, rbv_dynamics *d, double *x, double *W,
                    uint64_t seed) {
  const int n = rbv_model_joint_count(m), nc = rbv_model_column_count(m);
  const double *chi = rbv_model_parameters(m);
  double *q = x, *dq = x + n, *ddq = x + 2 * n, *tau = x + 3 * n, *back = x + 4 * n;
  f->regular = true;
  for (int k = 0; k < STATES; k++) {
    for (int i = 0; i < 3 * n; i++)
      x[i] = 6 * rbv_random_uniform(seed, (uint64_t)i, (uint64_t)k) - 3;
    rbv_dynamics_inverse(tau, d, q, dq, ddq);
    rbv_regressor_eval(W, d, q, dq, ddq, false);
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int c = 0; c < nc; c++) sum += W[i + c * n] * chi[c];
      f->torque = fmax(f->torque, fabs(sum - tau[i]));
      f->largest = fmax(f->largest, fabs(tau[i]));
    }
    bool ok;
    rbv_dynamics_forward(back, &ok, d, q, dq, tau);
    f->regular = f->regular && ok;
    for (int i = 0; i < n && ok; i++)
      f->acceleration = fmax(f->acceleration, fabs(back[i] - ddq[i]));
  }
}

static int verify(findings *f, const rbv_model *m, uint64_t seed) {
  const int n = rbv_model_joint_count(m), nc = rbv_model_column_count(m);
  rbv_dynamics *d = NULL;
  double *x = malloc((size_t)(5 * n) * sizeof *x), *W = malloc((size_t)(n * nc) * sizeof *W);
  rbv_status status = x && W ? rbv_dynamics_new(&d, m) : RBV_EMEM;
  if (status == RBV_OK) status = rbv_dynamics_set(d, rbv_model_parameters(m), false);
  if (status == RBV_OK) compare(f, m, d, x, W, seed);
  free(x);
  free(W);
  rbv_dynamics_free(d);
  return status == RBV_OK ? -1 : cli_fail(status);
}

/* 86 terms of some hundred N m each */
static bool passed(const findings *f) { return f->torque < 1e-10 * f->largest && f->regular; }

static void print_words(const findings *f) {
  printf("\n%d random states, torques up to %.0f N m:\n", STATES, f->largest);
  printf("  regressor x parameters against inverse dynamics: largest difference %.1e N m\n",
         f->torque);
  if (f->regular)
    printf("  forward dynamics of those torques gives the acceleration back to %.1e rad/s^2\n",
           f->acceleration);
}

static int print_json(const rbv_model *m, const findings *f) {
  rbv_json *json;
  const rbv_status status = rbv_json_new(&json);
  if (status != RBV_OK) return cli_fail(status);
  rbv_json_map(json);
  rbv_json_put_string(json, "schema", "roberval.demo/1");
  rbv_json_put_string(json, "version", rbv_version());
  rbv_json_put_string(json, "robot", rbv_model_name(m));
  rbv_json_put_int(json, "states", STATES);
  rbv_json_put_real(json, "largest_torque_Nm", f->largest);
  rbv_json_put_real(json, "torque_difference_Nm", f->torque);
  rbv_json_put_real(json, "acceleration_difference_rad_per_s2", f->acceleration);
  rbv_json_put_bool(json, "passed", passed(f));
  rbv_json_end(json);
  return cli_write_json(NULL, json);
}

int cli_run_demo(int argc, char **argv) {
  cli_common common = CLI_COMMON_DEFAULTS;
  const cli_opt table[] = {CLI_COMMON(common), {0}};
  int count;
  int code = cli_parse(&count, argc, argv, "demo", table);
  if (code >= 0) return code;
  char program[] = "model", robot[] = "tx40", base[] = "--base";
  char *show[] = {program, robot, base, NULL};
  code = common.json ? EXIT_DONE : cli_run_model(3, show);
  if (code != EXIT_DONE) return code;
  rbv_model *m;
  const rbv_status status = rbv_model_load(&m, robot, NULL);
  if (status != RBV_OK) return cli_fail(status);
  findings f = {0};
  code = verify(&f, m, common.seed);
  if (code < 0) {
    code = EXIT_DONE;
    if (common.json)
      code = print_json(m, &f);
    else
      print_words(&f);
    if (code == EXIT_DONE && !passed(&f)) code = EXIT_NO;
  }
  rbv_model_free(m);
  return code;
}
