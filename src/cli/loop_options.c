#include "loop_options.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "controller_identify.h"

void cli_loop_free(cli_loop *l) {
  rbv_control_free(l->control);
  free(l->start);
  free(l->inertia);
  *l = (cli_loop){0};
}

/* first parameters: a file's, the robot's own, none, or those of least squares on the same rows */
static int choose_start(cli_loop *l, const char *command, const cli_loop_options *o,
                        const rbv_model *model, const cli_motions *motions,
                        const rbv_identify_options *how) {
  const size_t n = (size_t)rbv_model_column_count(model);
  if (o->start && strcmp(o->start, "regular") == 0) return -1;
  l->start = calloc(n, sizeof *l->start);
  if (!l->start) return cli_out_of_memory();
  rbv_status status = RBV_OK;
  if (!o->start) {
    rbv_identify_options first = *how;
    first.method = "wls";
    first.bootstrap = 0;
    rbv_estimate *e;
    status = rbv_identify(&e, model, motions->motion, motions->count, &first);
    if (status == RBV_OK) memcpy(l->start, e->chi, n * sizeof *l->start);
    rbv_estimate_free(status == RBV_OK ? e : NULL);
  } else if (strcmp(o->start, "robot") == 0) {
    if (!rbv_model_parameters(model))
      return cli_usage(command, "--start robot: the robot file gives no values");
    memcpy(l->start, rbv_model_parameters(model), n * sizeof *l->start);
  } else {
    rbv_parameters *set;
    status = rbv_parameters_load(&set, o->start);
    if (status == RBV_OK) {
      status = rbv_parameters_apply(l->start, NULL, set, model);
      rbv_parameters_free(set);
    }
  }
  if (status != RBV_OK) return cli_fail(status);
  l->loop.start = l->start;
  return -1;
}

/* from nothing the gains must follow the model's inertia; the robot's own tells which they fit */
static int choose_inertia(cli_loop *l, const rbv_model *model, const cli_motions *motions) {
  const double *own = rbv_model_parameters(model);
  if (l->loop.start || !own) return -1;
  l->inertia = calloc((size_t)rbv_model_joint_count(model), sizeof *l->inertia);
  if (!l->inertia) return cli_out_of_memory();
  const rbv_status status =
      rbv_sim_inertia(l->inertia, model, own, false, &motions->reference[0], 50);
  if (status != RBV_OK) return cli_fail(status);
  l->loop.inertia = l->inertia;
  return -1;
}

static int choose_rules(rbv_closed_loop *loop, const char *command, const cli_loop_options *o) {
  loop->stop_printed = o->stop && strcmp(o->stop, "printed") == 0;
  if (o->stop && !loop->stop_printed && strcmp(o->stop, "rest") != 0)
    return cli_usage(command, "--stop is rest or printed, not '%s'", o->stop);
  const bool always = o->scaling && strcmp(o->scaling, "always") == 0;
  if (o->scaling && !always && strcmp(o->scaling, "start") != 0)
    return cli_usage(command, "--scaling is start or always, not '%s'", o->scaling);
  if (always) loop->scaled_steps = -1;
  return -1;
}

/* the law that the recordings themselves show */
static int find_controller(rbv_control **out, const char *command, const rbv_model *model,
                           const cli_motions *motions, const cli_recording *recording,
                           const cli_common *common) {
  const char **paths = malloc((size_t)motions->count * sizeof *paths);
  if (!paths) return cli_out_of_memory();
  for (int i = 0; i < motions->count; i++) paths[i] = motions->input[i].path;
  rbv_control_id_options id = rbv_control_id_defaults();
  id.rate_hz = motions->input[0].rate_hz;
  rbv_control_found *found;
  int code =
      cli_find_controller(out, &found, command, model, recording, paths, motions->count, &id);
  free(paths);
  if (code < 0) cli_say_controller(found, model, common);
  if (code < 0 && cli_count_unexplained(found, model) > 0) code = EXIT_NO;
  free(found);
  return code;
}

static int load_controller(rbv_control **out, const char *path, const rbv_model *model,
                           double rate_hz) {
  const rbv_control_options wanted = {.njoint = rbv_model_joint_count(model), .rate_hz = rate_hz};
  const rbv_status status = rbv_control_load(out, path, &wanted);
  return status == RBV_OK ? -1 : cli_fail(status);
}

int cli_loop_load(cli_loop *out, const char *command, const cli_loop_options *o,
                  const rbv_model *model, const cli_motions *motions,
                  const cli_recording *recording, const rbv_identify_options *how,
                  const cli_common *common) {
  *out = (cli_loop){.loop = rbv_closed_loop_defaults()};
  if (!o->controller)
    return cli_usage(command, "--method %s simulates the loop: give its --controller", how->method);
  for (int i = 0; i < motions->count; i++)
    if (!motions->reference[i].q) {
      cli_complain(
          "%s: the loop cannot be simulated without its reference: record it as qr1, "
          "qr2, ..., at regular stamps",
          motions->input[i].path);
      return EXIT_INPUT;
    }
  int code = strcmp(o->controller, "auto") == 0
                 ? find_controller(&out->control, command, model, motions, recording, common)
                 : load_controller(&out->control, o->controller, model, motions->input[0].rate_hz);
  if (code >= 0) return code;
  out->loop.control = out->control;
  out->loop.reference = motions->reference;
  out->loop.skip = (ptrdiff_t)(o->skip_s * motions->input[0].rate_hz);
  code = choose_rules(&out->loop, command, o);
  if (code < 0) code = choose_start(out, command, o, model, motions, how);
  return code < 0 ? choose_inertia(out, model, motions) : code;
}
