/* roberval export: a result or a robot as a file for other programs. */
#include <stdio.h>

#include "task_command.h"

static void print_messages(const rbv_export_task *t, const cli_common *common) {
  const rbv_export *x = t->made;
  for (int i = 0; i < x->nnote; i++) cli_message(common, "note: %s\n", x->note[i]);
  for (int i = 0; i < x->ncost; i++) {
    const rbv_export_cost *c = &x->cost[i];
    cli_message(common,
                "%s: %d multiplications, %d additions, %d calls (for any robot: %d and %d)\n",
                c->function, c->multiplications, c->additions, c->calls, c->generic_multiplications,
                c->generic_additions);
  }
  if (x->states > 0)
    cli_message(common, "read back and compared at %d states: largest difference %.2g N m\n",
                x->states, x->difference);
  if (t->output)
    cli_message(common, "written: %s%s%s\n", t->output, x->header ? ", " : "",
                x->header ? t->header : "");
}

static int run(int *outcome, rbv_task *task, const cli_common *common, const void *self) {
  (void)outcome, (void)self;
  const rbv_export_task *t = rbv_task_data(task);
  if (common->json && !t->output) return cli_usage("export", "--json needs -o FILE");
  const rbv_status status = rbv_task_compute(task);
  if (status != RBV_OK) return cli_fail_in("export", status);
  if (t->made->refused) {
    fprintf(stderr, "roberval: not written: %s\n", t->made->reason);
    return -1;
  }
  const int code = t->output ? -1 : cli_write(NULL, t->made->text, t->made->size);
  print_messages(t, common);
  return code;
}

/* the file is the output */
static void print(const rbv_task *task, const cli_common *common, const void *self) {
  (void)task, (void)common, (void)self;
}

int cli_run_export(int argc, char **argv) {
  return cli_run_task(argc, argv, &(cli_task){.command = "export", .print = print, .run = run});
}
