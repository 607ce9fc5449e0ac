/* roberval compare: parameters of several results that disagree, outliers, and the best run. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "task_command.h"

/* a value with its sigma in per cent, as papers print it */
static void print_value(const rbv_result *r, const char *name) {
  for (int k = 0; k < r->estimate.count; k++) {
    const rbv_parameter *p = &r->estimate.item[k];
    if (strcmp(p->name, name) != 0 || !isfinite(p->sigma)) continue;
    const double percent = 100 * p->sigma / fabs(p->value);
    if (percent < 1000)
      printf(" %11.4g %5.1f%%", p->value, percent);
    else
      printf(" %11.4g %6s", p->value, "-");
    return;
  }
  printf(" %11s %6s", "-", "");
}

/* all results side by side, with the mean of repeated runs and their scatter */
static void print_table(const rbv_compare_task *j, const char *const *paths) {
  const rbv_comparison *c = j->comparison;
  char shown[CLI_PLAIN_MAX];
  printf("%-8s", "name");
  for (int i = 0; i < j->count; i++) printf(" %18.18s", cli_plain(shown, paths[i]));
  printf(" %11s %9s  unit\n", "mean", "scatter");
  bool any = false;
  for (int k = 0; k < c->nparameter; k++) {
    const rbv_agreement *p = &c->parameter[k];
    printf("%-8s", p->name);
    for (int i = 0; i < j->count; i++) print_value(j->run[i].result, p->name);
    char text[2][CLI_NUMBER_MAX];
    if (p->count > 1 && !p->mixed)
      printf(" %11s %9s", cli_number(text[0], 'g', 4, p->mean),
             cli_number(text[1], 'g', 2, p->scatter));
    else
      printf(" %11s %9s", p->mixed ? "*" : "-", "-");
    printf("  %s\n", cli_plain(shown, p->unit));
    any = any || p->mixed;
  }
  if (any)
    printf(
        "* combined with other parameters in some of the results: the torques are those of "
        "another side\n");
}

/* two results: every parameter before and after */
static void print_change_table(const rbv_compare_task *j) {
  const rbv_comparison *c = j->comparison;
  printf("%-8s %12s %12s %10s %9s  %s\n", "name", "before", "after", "change", "sigma", "unit");
  for (int k = 0; k < c->nparameter; k++) {
    const rbv_agreement *p = &c->parameter[k];
    char text[2][CLI_NUMBER_MAX];
    printf("%-8s %12s %12s ", p->name, cli_number(text[0], 'g', 5, p->value[0]),
           cli_number(text[1], 'g', 5, p->value[1]));
    const double percent = 100 * (p->value[1] - p->value[0]) / fabs(p->value[0]);
    if (isfinite(percent))
      printf("%+8.1f %% %+9.1f", percent, p->change[1]);
    else
      printf("%10s %9s", "-", "-");
    const bool beyond = rbv_compare_has_limit(j) && rbv_comparison_exceeds(c, k, 1, j->limit);
    printf("  %s%s\n", p->unit, beyond ? "  beyond the limit" : "");
  }
}

/* more results: only what changed beyond the limit since the first one */
static void print_changes(const rbv_compare_task *j, const char *const *paths) {
  const rbv_comparison *c = j->comparison;
  char shown[CLI_PLAIN_MAX], unit[CLI_PLAIN_MAX];
  for (int k = 0; k < c->nparameter; k++)
    for (int i = 1; i < c->nresult; i++) {
      const rbv_agreement *p = &c->parameter[k];
      if (!rbv_comparison_exceeds(c, k, i, j->limit)) continue;
      printf("  %-8s %.5g -> %.5g %s in %s (%+.1f %%, %+.1f sigma)\n", p->name, p->value[0],
             p->value[i], cli_plain(unit, p->unit), cli_plain(shown, paths[i]),
             100 * (p->value[i] - p->value[0]) / fabs(p->value[0]), p->change[i]);
    }
}

static void print_limit(const rbv_compare_task *j, const char *const *paths) {
  const int count = rbv_compare_changes(j);
  char shown[CLI_PLAIN_MAX];
  printf("%d of %d parameters changed by more than %s", count, j->comparison->nparameter,
         j->max_change);
  printf(j->limit.sigma > 0 ? " sigma since %s\n" : " since %s\n", cli_plain(shown, paths[0]));
  if (j->count > 2) print_changes(j, paths);
}

static void print_text(const rbv_compare_task *j, const char *const *paths, bool side_by_side) {
  const rbv_comparison *c = j->comparison;
  char shown[CLI_PLAIN_MAX];
  if (side_by_side)
    print_table(j, paths);
  else if (j->count == 2)
    print_change_table(j);
  printf("%d of %d parameters disagree beyond their sigma\n", c->disagreeing, c->nparameter);
  for (int k = 0; k < c->nparameter; k++) {
    const rbv_agreement *p = &c->parameter[k];
    if (!(p->agreement_p < 0.01 / c->nparameter)) continue;
    printf("  %-8s mean %.5g, scatter %.2g %s:", p->name, p->mean, p->scatter, p->unit);
    for (int i = 0; i < c->nresult; i++) printf(" %.5g (%+.1f sigma)", p->value[i], p->z[i]);
    printf("\n");
  }
  printf("%-30s %10s %10s  %s\n", "run", "distance", "fit error",
         "error on others' logs (up to 5 Hz, every row)");
  for (int i = 0; i < j->count; i++) {
    char text[2][CLI_NUMBER_MAX];
    printf("%-30s %10s %8s %%", cli_plain(shown, paths[i]),
           cli_number(text[0], 'f', 2, c->distance[i]),
           cli_number(text[1], 'f', 2, 100 * c->error[i]));
    if (isfinite(j->others[i])) printf(" %20.2f %%", 100 * j->others[i]);
    printf("\n");
  }
  if (c->outlier >= 0)
    printf("%s is an outlier: %s\n", cli_plain(shown, paths[c->outlier]),
           c->outlier_residual
               ? "its fit leaves a much larger residual than those of the others, so check its data"
               : "its parameters differ from those of the others far beyond their sigma");
  if (rbv_compare_has_limit(j)) print_limit(j, paths);
  const int best = rbv_compare_best(j);
  if (best >= 0) printf("%s predicts the others' recordings best\n", cli_plain(shown, paths[best]));
}

static void print(const rbv_task *task, const cli_common *common, const void *self) {
  const rbv_compare_task *j = rbv_task_data(task);
  const bool *table = self;
  (void)common;
  print_text(j, j->common.input, *table);
}

int cli_run_compare(int argc, char **argv) {
  bool table = false;
  const cli_opt own[] = {
      {"table", 0, OPT_FLAG, &table, NULL, "print all parameters of all results side by side"},
      {0}};
  return cli_run_task(
      argc, argv, &(cli_task){.command = "compare", .own = own, .print = print, .self = &table});
}
