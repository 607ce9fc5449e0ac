/* roberval simulate: the closed loop along a trajectory, as its sensors record it. */
#include <stdio.h>
#include <string.h>

#include "task_command.h"

static void print_summary(const rbv_simulate_task *j, const cli_common *common) {
  const rbv_plant *p = j->p;
  const int steps = rbv_sim_substeps(p->last);
  int worst = 0;
  for (int i = 1; i < p->njoint; i++)
    if (!(j->tracking[i] <= j->tracking[worst])) worst = i;
  cli_message(
      common,
      "%td samples at %g Hz, %s, %d step%s per tick; largest tracking error %.3g rms, joint "
      "%d\n",
      p->outcome.samples, rbv_control_rate_hz(p->control), rbv_integrator_name(p->sim.integrator),
      steps, steps > 1 ? "s" : "", j->tracking[worst], worst + 1);
}

static int run(int *outcome, rbv_task *task, const cli_common *common, const void *self) {
  const rbv_simulate_task *j = rbv_task_data(task);
  (void)outcome, (void)self;
  rbv_status status = rbv_task_compute(task);
  if (status != RBV_OK) return cli_fail(status);
  // a tuned controller ignores the coupling between joints
  const bool tuned = strcmp(j->plant.controller, "auto") == 0;
  if (!rbv_task_answer(task))
    cli_error(
        "%s%s", j->sentence,
        tuned ? " (--bandwidth, --rate; wrists without rotor inertia are hard to control)" : "");
  else
    print_summary(j, common);
  if (j->output || common->json || j->p->outcome.samples == 0) return -1;
  const rbv_sim_columns columns = {true, j->derivatives, j->derivatives};
  status = rbv_plant_write_log(j->p, NULL, stdout, &columns);
  return status == RBV_OK ? -1 : cli_fail(status);
}

/* the recording is all */
static void print(const rbv_task *task, const cli_common *common, const void *self) {
  (void)task, (void)common, (void)self;
}

int cli_run_simulate(int argc, char **argv) {
  return cli_run_task(argc, argv, &(cli_task){.command = "simulate", .print = print, .run = run});
}
