/* roberval sweep: a closed loop over many plants that the uncertainty of a result allows. */
#include <math.h>
#include <stdio.h>

#include "task_command.h"

static void print_quantity(const rbv_sweep_task *j, int u) {
  static const char *const title[] = {"tracking error, rms", "tracking error, largest",
                                      "torque, rms", "torque, largest"};
  const rbv_sweep_summary *s = j->summary;
  const int width = cli_name_width(j->fitted.model);
  printf("%s\n  %-*s %11s", title[u], width, "joint", "estimated");
  for (int l = 0; l < RBV_SWEEP_LEVELS; l++) {
    char head[16];
    snprintf(head, sizeof head, "%g %%", 100 * rbv_sweep_level(l));
    printf(" %11s", l == RBV_SWEEP_LEVELS - 1 ? "largest" : head);
  }
  printf("\n");
  for (int i = 0; i < s->njoint; i++) {
    printf("  %-*s %11.4g", width, rbv_model_joint(j->fitted.model, i)->name,
           rbv_sweep_own(&s->own[i], u));
    for (int l = 0; l < RBV_SWEEP_LEVELS; l++)
      printf(" %11.4g", s->quantile[(u * s->njoint + i) * RBV_SWEEP_LEVELS + l]);
    printf(" %s\n", rbv_sweep_unit(j, i, u >= RBV_SWEEP_TORQUE_RMS));
  }
}

static void print_case(const rbv_sweep_task *j, const rbv_sweep_case *c) {
  const rbv_parameters *set = &j->fitted.result->estimate;
  if (isfinite(c->ratio))
    printf("  plant %d: tracking error of %s %.4g times that of the estimated plant;", c->plant,
           rbv_model_joint(j->fitted.model, c->joint)->name, c->ratio);
  else
    printf("  plant %d: diverges at t = %.4g s;", c->plant, c->outcome.time_s);
  // the parameter that is furthest from its estimate
  int far = -1;
  double most = 0;
  for (int k = 0; k < set->count; k++) {
    const double away = fabs(c->value[k] - set->item[k].value) / set->item[k].sigma;
    if (!(away > most) || !isfinite(away)) continue;
    most = away;
    far = k;
  }
  if (far >= 0)
    printf(" %s = %.4g, %.2g sigma from %.4g", set->item[far].name, c->value[far], most,
           set->item[far].value);
  printf("\n");
}

static void print(const rbv_task *task, const cli_common *common, const void *self) {
  const rbv_sweep_task *j = rbv_task_data(task);
  (void)common, (void)self;
  const rbv_sweep_summary *s = j->summary;
  printf("%d plants, %d parameters drawn%s, on %s\n", s->plants, s->parameters,
         s->correlated ? " with their correlation" : " independently", rbv_device_name(j->opened));
  for (int u = 0; u < RBV_SWEEP_QUANTITIES; u++) print_quantity(j, u);
  printf("%d reached the end, %d diverged, %d rejected (mass matrix not positive definite)\n",
         s->done, s->diverged, s->rejected);
  if (s->nworst > 0) printf("worst plants\n");
  for (int i = 0; i < s->nworst; i++) print_case(j, &s->worst[i]);
}

int cli_run_sweep(int argc, char **argv) {
  return cli_run_task(argc, argv, &(cli_task){.command = "sweep", .print = print});
}
