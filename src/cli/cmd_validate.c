/* roberval validate: how well a result, or a robot file, predicts the torques of recordings. */
#include <math.h>
#include <stdio.h>

#include "task_command.h"

static void print_text(const rbv_validate_task *j) {
  char shown[CLI_PLAIN_MAX];
  const rbv_fit *fit = &j->all->fit;
  const int width = cli_name_width(j->fitted.model);
  printf("%-*s %-10s %8s %8s %12s", width, "joint", "torque", "rows", "error %", "rms");
  if (j->motions.count > 1) printf("   over the recordings: min, quartiles, max %%");
  printf("\n");
  for (int r = 0; r < fit->nrow; r++) {
    const rbv_row_fit *f = &fit->row[r];
    double five[5];
    printf("%-*s %-10s %8td %8.2f %12.4g", width, rbv_model_joint(j->fitted.model, f->joint)->name,
           rbv_torque_name(f->torque), f->rows, 100 * f->relative_error, f->rms);
    if (j->motions.count > 1 && rbv_validate_spread(five, j, r))
      for (int k = 0; k < 5; k++) printf(" %7.2f", 100 * five[k]);
    printf("\n");
  }
  for (int i = 0; i < j->motions.count && j->motions.count > 1; i++)
    printf("%s: %.2f %%, comparable %.2f %%\n", cli_plain(shown, j->motions.input[i].path),
           100 * j->one[i]->fit.relative_error, 100 * j->one[i]->fit.comparable);
  printf("error %.2f %% of the torque norm in %s\n", 100 * fit->relative_error,
         j->fitted.result ? "the rows of this result's filter" : "all samples");
  printf("comparable error %.2f %% (up to %d Hz, every row: the same for all results)",
         100 * fit->comparable, RBV_COMPARABLE_HZ);
  if (isfinite(j->limit))
    printf(": %s the limit of %g %%", fit->comparable <= j->limit ? "within" : "above",
           100 * j->limit);
  printf("\n");
  if (isfinite(fit->baseline) && j->fitted.result)
    printf("the parameters of the robot file: comparable error %.3g %%\n", 100 * fit->baseline);
}

static double overall(const double *rms, int n) {
  double sum = 0;
  for (int k = 0; k < n; k++) sum += rms[k] * rms[k];
  return 1000 * sqrt(sum / n);
}

static void print_free_run(const rbv_validate_task *j) {
  const rbv_model *m = j->fitted.model;
  const int n = rbv_model_joint_count(m);
  const double *rms = j->free_error;
  if (!rms) return;
  printf("Simulated freely under the controller, the %s is off by %.3g mrad",
         j->fitted.result ? "identified model" : "robot file", overall(rms, n));
  if (isfinite(rms[n]) || isinf(rms[n]))
    printf(", the robot file by %.3g mrad", overall(rms + n, n));
  printf(".\n ");
  for (int k = 0; k < n; k++) printf(" %s %.3g", rbv_model_joint(m, k)->name, 1000 * rms[k]);
  printf(" mrad rms\n");
}

static void print_horizons(const rbv_validate_task *j) {
  const rbv_horizons *h = j->horizons;
  if (!h) return;
  const rbv_model *m = j->fitted.model;
  const int n = rbv_model_joint_count(m);
  printf("predicted motion %s: rms error of the position (in brackets: constant velocity)\n",
         h->closed ? "under the controller" : "with the recorded torques");
  for (int i = 0; i < h->count; i++) {
    const rbv_horizon *one = &h->horizon[i];
    printf("after %4.2f s (%d starts", one->horizon_s, one->starts);
    if (one->lost > 0) printf(", %d diverged", one->lost);
    printf("): tool %.3g m (%.3g)\n ", one->tool, one->tool_naive);
    for (int k = 0; k < n; k++)
      printf(" %s %.3g (%.3g)", rbv_model_joint(m, k)->name, one->joint[k], one->naive[k]);
    printf("\n");
  }
}

static void print(const rbv_task *task, const cli_common *common, const void *self) {
  (void)common, (void)self;
  const rbv_validate_task *j = rbv_task_data(task);
  print_text(j);
  print_free_run(j);
  print_horizons(j);
}

int cli_run_validate(int argc, char **argv) {
  return cli_run_task(argc, argv, &(cli_task){.command = "validate", .print = print});
}
