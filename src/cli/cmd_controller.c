/* roberval controller: the control law of every joint, from recordings. */
#include <math.h>
#include <roberval/sys/control.h>
#include <stdio.h>

#include "task_command.h"

static void print_joint(FILE *to, const rbv_control_found *f, const char *name) {
  fprintf(to, "%s: %s, order %d, delay %d\n", name, f->structure, f->order, f->law.delay);
  for (int i = 0; i < f->ngain; i++)
    fprintf(to, "  %-18s %12.7g +- %.2g\n", f->gain[i].name, f->gain[i].value, f->gain[i].sigma);
  fprintf(to,
          "  fit                %.3f %% of the %s, residual %.3g rms, information criterion %.6g\n",
          100 * f->fit, f->backwards ? "tracking error" : "torque", f->residual, f->criterion);
  fprintf(to, "  method             %s: %s\n", rbv_control_id_method_name(f->method), f->reason);
  if (f->integrates && isfinite(f->integrator_gain))
    fprintf(
        to,
        "  integral           pole at exactly 1; with a free pole the criterion is %s by %.3g\n",
        f->integrator_gain >= 0 ? "worse" : "better", fabs(f->integrator_gain));
  else if (f->integrates)
    fprintf(to, "  integral           pole at exactly 1; with a free pole the law is unstable\n");
  if (f->backwards && f->residual < 2 * f->resolution)
    fprintf(to, "  residual           within the resolution of the recorded position: %.3g rms\n",
            f->resolution);
  if (f->saturated > 0)
    fprintf(to, "  limit              %td samples at a torque limit not used, %td used\n",
            f->saturated, f->used);
  if (!(f->zero < 1))
    fprintf(to, "  warning            zero of modulus %.6g: piv cannot invert this law; use iv\n",
            f->zero);
}

/* print a message for each joint without a linear law */
static void report_unexplained(const rbv_controller_task *t) {
  char sentence[512];
  for (int i = 0;
       (i = rbv_controller_unexplained(sentence, sizeof sentence, t->found, t->model, i)) >= 0; i++)
    cli_error("%s", sentence);
}

/* the law on stdout, if nothing else is written there */
static int show(const rbv_task *task, const cli_common *common, const void *self) {
  (void)self;
  const rbv_controller_task *t = rbv_task_data(task);
  const bool found = rbv_task_answer(task);
  int code = EXIT_DONE;
  FILE *to = t->output ? stdout : stderr;
  for (int i = 0; i < rbv_model_joint_count(t->model); i++)
    if (!common->json && !(to == stderr && common->quiet))
      print_joint(to, &t->found[i], rbv_model_joint(t->model, i)->name);
  if (common->json) code = cli_write_text(rbv_task_text(task));
  if (!found) report_unexplained(t);
  if (!found || t->output || common->json) return code;
  char *text;
  size_t size;
  const rbv_status status = rbv_control_format(&text, &size, t->control);
  if (status != RBV_OK) return cli_fail(status);
  code = cli_write(NULL, text, size);
  rbv_file_free(text);
  return code;
}

int cli_run_controller(int argc, char **argv) {
  return cli_run_task(argc, argv, &(cli_task){.command = "controller", .show = show});
}
