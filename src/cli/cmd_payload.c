/*
 * roberval payload: identify a payload from a recording without it and a recording with it, against
 * an identified robot, from static poses, or from a force/torque sensor.
 */
#include <math.h>
#include <stdio.h>

#include "identify_output.h"
#include "task_command.h"

static const char *const inertia_name[6] = {"xx", "xy", "xz", "yy", "yz", "zz"};
static const char *const wrench_name[6] = {"force x",  "force y",  "force z",
                                           "torque x", "torque y", "torque z"};

/* ---- text ---- */

static void print_value(const char *name, double value, double sigma, const char *unit) {
  if (isfinite(sigma))
    printf("%-10s %12.5g +- %-9.3g %s\n", name, value, sigma, unit);
  else
    printf("%-10s not identifiable from these %s\n", name, unit);
}

static void print_line(const char *name, double value, double sigma, const char *unit,
                       const char *data) {
  print_value(name, value, sigma, isfinite(sigma) ? unit : data);
}

static void print_wrist(const rbv_wrist_estimate *w) {
  for (int i = 0; i < 6; i++) {
    char name[24];
    snprintf(name, sizeof name, "bias %s", wrench_name[i]);
    printf("%-14s %8.4g +- %-9.3g %s\n", name, w->bias[i], w->bias_sigma[i], i < 3 ? "N" : "N m");
  }
  if (w->tilt > 0 && isfinite(w->tilt_sigma))
    printf("base tilted    %8.3g +- %-9.2g deg; gravity (%.4f, %.4f, %.4f) m/s^2 in its frame\n",
           w->tilt * 57.29577951308232, w->tilt_sigma * 57.29577951308232, w->gravity[0],
           w->gravity[1], w->gravity[2]);
}

static void print_text(const rbv_payload_task *all) {
  static const char *const axis[3] = {"centre x", "centre y", "centre z"};
  const rbv_payload *p = &all->payload;
  const char *data = all->poses ? "poses" : "motions";
  print_line("mass", p->mass, p->mass_sigma, "kg", data);
  for (int i = 0; i < 3; i++) print_line(axis[i], p->centre[i], p->centre_sigma[i], "m", data);
  if (all->poses) {
    // poses say nothing about inertia
  } else if (isfinite(p->mass_sigma) && !p->inertia_possible) {
    printf("%-10s unknown: no body has the estimated values. Move the last joints faster.\n",
           "inertia");
  } else {
    for (int i = 0; i < 6; i++) {
      char name[16];
      snprintf(name, sizeof name, "inertia %s", inertia_name[i]);
      print_line(name, p->inertia[i], p->inertia_sigma[i], "kg m^2 about the centre", data);
    }
  }
  if (all->of_wrist) print_wrist(all->of_wrist);
}

static void print_commands(const rbv_payload_task *all, const cli_common *common) {
  char line[512];
  bool any = false;
  for (int i = 0; rbv_controller_line_at(i); i++)
    if (rbv_controller_line_write(line, sizeof line, i, &all->payload)) {
      cli_message(common, "%s: %s\n", rbv_controller_line_at(i)->title, line);
      any = true;
    }
  if (any && !all->of_frame)
    cli_message(common, "controllers expect the frame of the flange: see --frame\n");
}

static void print_gains(const rbv_payload_task *j) {
  printf("%-14s %12s %12s\n", "drive", "gain", "sigma");
  for (int i = 0; i < rbv_model_joint_count(j->model); i++)
    printf("%-14s %12.5g %12.3g\n", rbv_model_joint(j->model, i)->name, j->gain[i],
           j->gain_sigma[i]);
}

/* ---- the command ---- */

static int run(int *outcome, rbv_task *task, const cli_common *common, const void *self) {
  const rbv_payload_task *j = rbv_task_data(task);
  (void)outcome, (void)self;
  const rbv_status status = rbv_task_compute(task);
  if (status != RBV_OK) return cli_fail_in("payload", status);
  if (j->estimate) {
    cli_message(common, "%s: error %.2f %% of the torque norm\n", j->method,
                100 * j->estimate->fit.relative_error);
    cli_describe_sigma(j->estimate, j->model, common);
  }
  if (!j->gain && common->json) print_commands(j, common);
  return -1;
}

static void print(const rbv_task *task, const cli_common *common, const void *self) {
  const rbv_payload_task *j = rbv_task_data(task);
  (void)self;
  if (j->gain) {
    print_gains(j);
    return;
  }
  print_text(j);
  print_commands(j, common);
}

int cli_run_payload(int argc, char **argv) {
  return cli_run_task(argc, argv, &(cli_task){.command = "payload", .print = print, .run = run});
}
