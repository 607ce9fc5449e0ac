/* roberval fleet: results of many robots over periods of time: which robots have changed. */
#include <math.h>
#include <stdio.h>

#include "task_command.h"

static void print(const rbv_task *task, const cli_common *common, const void *self) {
  const rbv_fleet_task *f = rbv_task_data(task);
  (void)common, (void)self;
  const rbv_history *h = f->history;
  char shown[CLI_PLAIN_MAX], period[CLI_PLAIN_MAX], unit[CLI_PLAIN_MAX];
  printf("%d robots, %d periods, %d parameters: ", h->nrobot, h->nperiod, h->nparameter);
  if (h->changed == 0)
    printf("no robot needs attention\n");
  else
    printf("%d need%s attention\n", h->changed, h->changed == 1 ? "s" : "");
  if (h->count > 0)
    printf("%-16s %-10s %-12s %12s %12s %9s %8s %7s  %s\n", "robot", "parameter", "marked from",
           "before", "since", "change", "sigma", "limit", "unit");
  for (int i = 0; i < h->count; i++) {
    const rbv_change *c = &h->change[i];
    const bool same = i > 0 && h->change[i - 1].robot == c->robot;
    printf("%-16s %-10s %-12s %12.5g %12.5g %+7.1f %% %+8.1f %7.1f  %s\n",
           same ? "" : cli_plain(shown, f->robot[c->robot]), h->name[c->parameter],
           cli_plain(period, f->period[c->found]), c->before, c->after,
           100 * (c->after - c->before) / fabs(c->before), c->z, h->limit[c->parameter],
           cli_plain(unit, h->unit[c->parameter]));
  }
}

int cli_run_fleet_history(int argc, char **argv) {
  return cli_run_task(argc, argv, &(cli_task){.command = "fleet", .print = print});
}
