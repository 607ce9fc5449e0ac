/*
 * EMPS: one prismatic axis, the public benchmark of the authors of DIDIM and IV (Janot, Gautier,
 * Brunot 2019). The published reference values come from least squares.
 */
#include <math.h>
#include <stdio.h>

#include "papers/papers_internal.h"
#include "report/plots.h"

#define FILE_NAME "emps/emps.csv"
#define RATE 1000
#define SHARE 0.04  // tolerance of a value

static const char robot[] =
    "name: emps\n"
    "joints:\n"
    "  - name: carriage\n"
    "    type: prismatic\n"
    "    axis: [1, 0, 0]\n"
    "    drive: [Fv, Fc, off]\n"
    "    limits: {lower: -1, upper: 1, velocity: 1}\n"
    "friction: {gamma: 100000}\n";  // top speed 0.13 m/s
static const char map_text[] =
    "time: t\n"
    "joints:\n"
    "  - name: carriage\n"
    "    q: {column: qm, unit: m}\n"
    "    qr: {column: qg, unit: m}\n"
    "    tau: {column: vir, unit: V, gain: 35.15065188248547}\n";

/* published with the data: cascade without integral action [1/s, V s/m times N/V] */
#define POSITION_GAIN 160.18
#define VELOCITY_GAIN (243.45 * 35.15065188248547)

static const struct {
  const char *name, *unit;
  double value;
} reference[] = {{"M1", "kg", 95.1089},
                 {"Fv1", "N s/m", 203.5034},
                 {"Fc1", "N", 20.3935},
                 {"off1", "N", -3.1648}};

typedef struct {
  const char *method;
  bool found;  // with the identified controller
  const char *text;
} run;

static const run runs[] = {
    {"ols", false, "OLS"},
    {"wls", false, "WLS"},
    {"didim", false, "DIDIM"},
    {"iv", false, "IV"},
    // the residual is not noise: piv says so and returns the estimate of iv
    {"piv", false, "PIV (falls back to IV)"},
    {"didim", true, "DIDIM, controller found"},
    {"iv", true, "IV, controller found"},
    {"piv", true, "PIV (falls back to IV), controller found"},
};

typedef struct {
  rbv_model *model;
  rbv_log *log;
  rbv_motion *motion;
  rbv_row_filter filter;
  rbv_control *known, *found;
} experiment;

static rbv_status load(experiment *x, const char *path) {
  rbv_log_map *map;
  RBV_TRY(rbv_model_parse(&x->model, "emps", robot, sizeof robot - 1, NULL));
  RBV_TRY(rbv_log_map_parse(&map, "emps", map_text, sizeof map_text - 1));
  rbv_status status = rbv_log_load(&x->log, path, map);
  rbv_log_map_free(map);
  if (status == RBV_OK) status = rbv_motion_from_log(&x->motion, x->model, x->log, NULL);
  if (status == RBV_OK) status = rbv_row_filter_suggest(&x->filter, x->model, &x->motion, 1, 1);
  rbv_control_joint joint = rbv_control_joint_defaults();
  joint.kind = RBV_CONTROL_CASCADE;
  joint.k_x = POSITION_GAIN;
  joint.k_p = VELOCITY_GAIN;
  joint.reference_velocity = 0;
  if (status == RBV_OK)
    status = rbv_control_new(&x->known, "emps", RATE, RBV_FEEDFORWARD_NONE, &joint, 1);
  return status;
}

static rbv_status find_controller(experiment *x, rbv_reproduction *r) {
  const rbv_control_record record = {
      .name = "emps",
      .count = rbv_log_samples(x->log),
      .ld = rbv_log_samples(x->log),
      .qr = rbv_log_channel(x->log, RBV_CHANNEL_REFERENCE_POSITION, 0),
      .qm = rbv_log_channel(x->log, RBV_CHANNEL_POSITION, 0),
      .tau = rbv_log_channel(x->log, RBV_CHANNEL_TORQUE, 0)};
  rbv_control_id_options o = rbv_control_id_defaults();
  o.rate_hz = RATE;
  rbv_control_found found;
  RBV_TRY(rbv_control_identify(&x->found, &found, 1, &record, 1, &o));
  if (!x->found) return rbv_fail(RBV_ENUM, "the controller of the EMPS was not found");
  rbv_transfer known, own;
  RBV_TRY(rbv_control_transfer(&known, x->known, 0));
  RBV_TRY(rbv_control_transfer(&own, x->found, 0));
  const rbv_reproduced row = {.where = "data set",
                              .unit = "N/m",
                              .paper = rbv_transfer_constant(&known),
                              .ours = rbv_transfer_constant(&own),
                              .tolerance = SHARE * rbv_transfer_constant(&known),
                              .basis = "4 %"};
  RBV_TRY(rbv_reproduction_add(r, &row, "stiffness of the identified controller"));
  const plot_transfer laws[] = {{"c1", "published", &known}, {"c2 dashed", "identified", &own}};
  const paper_plot plot = {.where = "", .printed = ""};
  return rbv_paper_controllers(r, laws, RATE, "EMPS", "N/m", &plot);
}

static rbv_status estimate(rbv_estimate **out, const experiment *x, const run *how) {
  const rbv_sim_reference path = {.count = rbv_log_samples(x->log),
                                  .ld = rbv_log_samples(x->log),
                                  .q = rbv_log_channel(x->log, RBV_CHANNEL_REFERENCE_POSITION, 0)};
  rbv_estimate *start = NULL;
  rbv_identify_options o = rbv_identify_defaults();
  rbv_closed_loop loop = rbv_closed_loop_defaults();
  o.filter = x->filter;
  RBV_TRY(rbv_identify(&start, x->model, &x->motion, 1, &o));
  o.method = how->method;
  loop.control = how->found ? x->found : x->known;
  loop.reference = &path;
  loop.start = start->chi;
  o.loop = &loop;
  rbv_motion *motion = x->motion;
  RBV_FINISH(rbv_identify(out, x->model, &motion, 1, &o), rbv_estimate_free(start));
}

static rbv_status compare(rbv_reproduction *r, const experiment *x, const rbv_estimate *e,
                          const run *how) {
  for (int i = 0; i < RBV_COUNT(reference); i++) {
    double value, sigma;
    if (!rbv_reproduced_value(&value, &sigma, e, x->model, reference[i].name)) value = NAN;
    const rbv_reproduced row = {.where = "data set",
                                .unit = reference[i].unit,
                                .paper = reference[i].value,
                                .ours = value,
                                .tolerance = SHARE * fabs(reference[i].value),
                                .basis = "4 %"};
    RBV_TRY(rbv_reproduction_add(r, &row, "%s, %s", reference[i].name, how->text));
  }
  return RBV_OK;
}

static rbv_status draw(rbv_reproduction *r, const experiment *x, const rbv_estimate *e,
                       const run *how) {
  char name[32], title[64];
  snprintf(name, sizeof name, "force-%s", how->method);
  snprintf(title, sizeof title, "EMPS, %s", how->text);
  const paper_plot plot = {"", "", name, title, 0, 1};
  paper_rows rows;
  RBV_TRY(rbv_paper_rows_new(&rows, x->model, x->motion, e->chi, &x->filter));
  RBV_FINISH(rbv_paper_torques(r, &rows, 0, &plot), rbv_paper_rows_free(&rows));
}

static rbv_status run_all(rbv_reproduction *r, experiment *x, const char *path) {
  RBV_TRY(load(x, path));
  RBV_TRY(find_controller(x, r));
  for (int i = 0; i < RBV_COUNT(runs); i++) {
    rbv_estimate *e = NULL;
    rbv_status status = estimate(&e, x, &runs[i]);
    if (status == RBV_OK) status = compare(r, x, e, &runs[i]);
    // with the identified controller the figures look the same
    if (status == RBV_OK && !runs[i].found) status = draw(r, x, e, &runs[i]);
    rbv_estimate_free(e);
    if (status != RBV_OK) return status;
  }
  return RBV_OK;
}

rbv_status rbv_reproduce_emps(rbv_reproduction *r, const rbv_reproduce_options *o) {
  static const char not_here[] =
      "the recording is not there (docs/cli/reproduce.md says where it comes from)";
  char path[1024];
  if (!rbv_paper_recording(path, sizeof path, o, FILE_NAME))
    return rbv_reproduction_cannot(r, FILE_NAME, NAN, NAN, "", not_here, "EMPS");
  experiment x = {.model = NULL};
  const rbv_status status = run_all(r, &x, path);
  rbv_control_free(x.known);
  rbv_control_free(x.found);
  rbv_motion_free(x.motion);
  rbv_log_free(x.log);
  rbv_model_free(x.model);
  return status;
}
