/* roberval play: send a designed motion to a robot, watch it, and stop it. */
#include <stdio.h>

#include "end_signals.h"
#include "task_command.h"

static int run(int *outcome, rbv_task *task, const cli_common *common, const void *self) {
  (void)common, (void)self;
  cli_catch_ends();
  rbv_live_task_stop(task, cli_end_flag());
  const rbv_status status = rbv_task_compute(task);
  if (status != RBV_OK) return cli_fail_in("play", status);
  cli_end_code(outcome);
  return -1;
}

static void print(const rbv_task *task, const cli_common *common, const void *self) {
  const rbv_play_task *t = rbv_task_data(task);
  (void)common, (void)self;
  if (!t->yes_move) {
    printf("nothing was sent: the motion of %.1f s keeps its limits\n",
           rbv_trajectory_duration(t->motion));
    return;
  }
  if (t->complete)
    printf("complete: %d motions, %lld joint states\n", t->passes, t->rows);
  else
    printf("stopped (%s): %s\n", t->stopped, t->reason);
  printf("largest distance from the motion:");
  for (int j = 0; j < rbv_model_joint_count(t->model); j++)
    printf(" %s %.3g", rbv_model_joint(t->model, j)->name, t->largest[j]);
  printf("\n");
}

int cli_run_play(int argc, char **argv) {
  return cli_run_task(argc, argv, &(cli_task){.command = "play", .run = run, .print = print});
}
