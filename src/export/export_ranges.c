/*
 * What an identification hands over to simulators in which parameters are drawn at random, or which
 * have actuators of their own: ranges from sigma, and Isaac Lab's actuators. Both are lists of the
 * same quantities of each joint.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "control/control.h"

#include "export/export_internal.h"

#define NORMAL_95 1.959964  // standard deviations of a 95 % interval

/* A quantity of a joint. */
typedef struct {
  double value, sigma;  // NaN sigma: not known
  bool positive;        // it cannot be negative
} quantity;

/* ---- values and sigma ---- */

/* sigma of the parameter with this name; NaN: not estimated */
static double sigma_of(const rbv_result *r, const char *name) {
  for (int i = 0; r && i < r->loop.nunknown; i++)
    if (strcmp(r->loop.unknown[i].name, name) == 0) return r->loop.unknown[i].sigma;
  for (int i = 0; r && i < r->standard.count; i++)
    if (strcmp(r->standard.name[i], name) == 0) return r->standard.sigma[i];
  for (int i = 0; r && i < r->estimate.count; i++)
    if (strcmp(r->estimate.item[i].name, name) == 0) return r->estimate.item[i].sigma;
  return NAN;
}

/* the column of a joint with this law: its value and sigma */
static quantity drive_of(const export_job *e, int joint, const char *law) {
  quantity out = {.value = NAN, .sigma = NAN, .positive = true};
  for (int c = 0; c < e->model->ncolumn; c++) {
    const rbv_column *column = &e->model->column[c];
    if (column->joint != joint || !rbv_column_has_law(column, law)) continue;
    out.value = e->chi[c];
    out.sigma = sigma_of(e->options->result, column->name);
    return out;
  }
  return out;
}

/* an unknown of the loop: of a joint, or of all */
static quantity loop_value(const export_job *e, const char *name, int joint) {
  const rbv_result *r = e->options->result;
  quantity out = {.value = NAN, .sigma = NAN};
  for (int i = 0; r && i < r->loop.nunknown; i++) {
    char own[64];
    snprintf(own, sizeof own, "%s%d", name, joint + 1);
    const rbv_loop_value *u = &r->loop.unknown[i];
    if (strcmp(u->name, own) != 0 && strcmp(u->name, name) != 0) continue;
    out.value = u->value;
    out.sigma = u->sigma;
  }
  return out;
}

static quantity delay_of(const export_job *e, int joint) {
  quantity d = loop_value(e, "delay", joint);
  d.positive = true;
  if (isnan(d.value) && e->options->delay_s > 0) d.value = e->options->delay_s;
  return d;
}

static void interval(double range[2], const quantity *x) {
  const double half = isfinite(x->sigma) ? NORMAL_95 * x->sigma : 0;
  range[0] = x->value - half;
  range[1] = x->value + half;
  if (x->positive && range[0] < 0) range[0] = 0;
}

/* ---- ranges ---- */

static void put_range(rbv_text *t, const char *key, const quantity *x) {
  double range[2];
  if (!isfinite(x->value)) return;
  interval(range, x);
  rbv_text_print(t, "    %s: {value: ", key);
  rbv_put_numbers(t, &x->value, 1);
  if (isfinite(x->sigma)) {
    rbv_text_put(t, ", sigma: ");
    rbv_put_numbers(t, &x->sigma, 1);
  }
  rbv_text_put(t, ", range: [");
  rbv_put_numbers(t, &range[0], 1);
  rbv_text_put(t, ", ");
  rbv_put_numbers(t, &range[1], 1);
  rbv_text_put(t, "]}\n");
}

/*
 * Deviations of parameter k without each block, about their mean, with the length sigma: the sum of
 * their products with independent normal numbers has the sigma and the correlations of the
 * estimate. False: there are none.
 */
static bool correlated_row(double *row, const rbv_result *r, int k) {
  const rbv_jackknife *j = &r->jackknife;
  const int n = r->estimate.count;
  const double sigma = r->estimate.item[k].sigma;
  double mean = 0, length = 0;
  for (int b = 0; b < j->nblock; b++) mean += j->deviation[k + (ptrdiff_t)b * n] / j->nblock;
  for (int b = 0; b < j->nblock; b++) {
    row[b] = j->deviation[k + (ptrdiff_t)b * n] - mean;
    length = hypot(length, row[b]);
  }
  for (int b = 0; b < j->nblock; b++) row[b] *= sigma / length;
  return isfinite(sigma) && sigma > 0 && length > 0;
}

/* parameters that are drawn together */
static rbv_status put_correlated(export_job *e) {
  const rbv_result *r = e->options->result;
  rbv_text *t = &e->text;
  const int blocks = r->jackknife.nblock;
  if (blocks < 2 || !r->jackknife.deviation) return RBV_OK;
  RBV_NEW(double, row, blocks);
  rbv_text_print(t,
                 "# Parameters of one draw belong together: value + sum of factor[i] z[i] with %d "
                 "independent\n# standard normal numbers z, the same for all parameters. Bias and "
                 "delay are drawn on their own.\ncorrelated:\n",
                 blocks);
  for (int k = 0; k < r->estimate.count; k++) {
    if (!correlated_row(row, r, k)) continue;
    rbv_text_print(t, "  %s: {value: ", r->estimate.item[k].name);
    rbv_put_numbers(t, &r->estimate.item[k].value, 1);
    rbv_text_put(t, ", factor: [");
    for (int b = 0; b < blocks; b++) {
      if (b > 0) rbv_text_put(t, ", ");
      rbv_put_numbers(t, &row[b], 1);
    }
    rbv_text_put(t, "]}\n");
  }
  rbv_free(row);
  return RBV_OK;
}

rbv_status rbv_export_ranges(export_job *e) {
  rbv_text *t = &e->text;
  const rbv_model *m = e->model;
  const rbv_result *r = e->options->result;
  if (!r) return rbv_export_refuse(e, "ranges follow from sigma: they need a result of identify");
  rbv_text_print(t,
                 "# Ranges of the parameters, value +- 1.96 sigma, for the randomisation of a "
                 "simulation.\n# A value without sigma was not estimated. Units: SI.\n"
                 "robot: \"%s\"\nlevel: 0.95\njoints:\n",
                 m->name);
  int open = 0;
  for (int j = 0; j < m->njoint; j++) {
    const struct {
      const char *key;
      quantity x;
    } list[] = {{"armature", drive_of(e, j, "Ia")},
                {"damping", drive_of(e, j, "Fv")},
                {"frictionloss", drive_of(e, j, "Fc")},
                {"bias", loop_value(e, "bias", j)},
                {"delay_s", delay_of(e, j)}};
    rbv_text_print(t, "  - name: \"%s\"\n", m->joint[j].name);
    for (int i = 0; i < RBV_COUNT(list); i++) {
      // what the data do not determine has no range
      if (isinf(list[i].x.sigma))
        open++;
      else
        put_range(t, list[i].key, &list[i].x);
    }
  }
  rbv_text_put(t, "parameters:\n");
  for (int i = 0; i < r->estimate.count; i++) {
    const rbv_parameter *p = &r->estimate.item[i];
    const quantity x = {.value = p->value, .sigma = p->sigma};
    if (!isfinite(p->sigma)) {
      open++;
      continue;
    }
    put_range(t, p->name, &x);
  }
  RBV_TRY(put_correlated(e));
  if (open > 0)
    RBV_TRY(rbv_export_note(e, "%d parameters are not determined: they have no range", open));
  return RBV_OK;
}

/* ---- actuators of Isaac Lab ---- */

/* a gain of the law, times the factor that was found */
static double gain_of(const export_job *e, int joint, rbv_gain gain) {
  rbv_control_joint law = *rbv_control_get_joint(e->options->control, joint);
  const double *value = rbv_gain_of(&law, gain);
  const quantity factor = loop_value(e, rbv_gain_name((int)gain), joint);
  return value ? *value * (isfinite(factor.value) ? factor.value : 1) : 0;
}

bool rbv_export_gains(double *k_p, double *k_d, const export_job *e, int joint) {
  const rbv_control *c = e->options->control;
  *k_p = *k_d = NAN;
  if (!c || rbv_control_get_joint(c, joint)->kind != RBV_CONTROL_PID) return false;
  *k_p = gain_of(e, joint, RBV_GAIN_KP);
  *k_d = gain_of(e, joint, RBV_GAIN_KD);
  return true;
}

double rbv_export_delay(const export_job *e, int joint) { return delay_of(e, joint).value; }

static void put_entry(rbv_text *t, bool python, const char *key, double value) {
  if (!isfinite(value)) return;
  rbv_text_print(t, python ? "        \"%s\": " : "  %s: ", key);
  rbv_put_numbers(t, &value, 1);
  rbv_text_put(t, python ? ",\n" : "\n");
}

/* steps of the delay at the rate of the controller: of the lower and upper end of its range */
static void put_delay(rbv_text *t, const export_job *e, bool python, int joint) {
  const quantity d = delay_of(e, joint);
  if (!isfinite(d.value) || !e->options->control) return;
  double range[2];
  interval(range, &d);
  const double rate = rbv_control_rate_hz(e->options->control);
  put_entry(t, python, "min_delay", floor(range[0] * rate + 0.5));
  put_entry(t, python, "max_delay", floor(range[1] * rate + 0.5));
}

static rbv_status write_actuators(export_job *e, bool python) {
  rbv_text *t = &e->text;
  const rbv_model *m = e->model;
  simulator_model *p;
  bool known = true;
  RBV_TRY(rbv_simulator_new(&p, e, true, false));
  rbv_text_put(
      t,
      "# Actuators for Isaac Lab: keyword arguments of DelayedPDActuatorCfg for each joint.\n"
      "# min_delay and max_delay count physics steps: they hold if a step of the simulation\n"
      "# is a tick of the controller. friction and dynamic_friction are torques [N m],\n"
      "# viscous_friction is in N m s/rad (Isaac Lab 2.2 and later).\n");
  if (python) rbv_text_put(t, "ACTUATORS = {\n");
  for (int j = 0; j < m->njoint; j++) {
    const char *name = m->joint[j].name;
    double k_p, k_d;
    known = rbv_export_gains(&k_p, &k_d, e, j) && known;
    if (python)
      rbv_text_print(t, "    \"%s\": {\n        \"joint_names_expr\": [\"%s\"],\n", name, name);
    else
      rbv_text_print(t, "\"%s\":\n  joint_names_expr: [\"%s\"]\n", name, name);
    put_entry(t, python, "effort_limit", m->joint[j].limits.effort);
    put_entry(t, python, "velocity_limit", m->joint[j].limits.velocity);
    put_entry(t, python, "stiffness", k_p);
    put_entry(t, python, "damping", k_d);
    put_entry(t, python, "armature", p->armature[j]);
    put_entry(t, python, "friction", p->friction[j]);
    put_entry(t, python, "dynamic_friction", p->friction[j]);
    put_entry(t, python, "viscous_friction", p->damping[j]);
    put_delay(t, e, python, j);
    if (python) rbv_text_put(t, "    },\n");
  }
  if (python) rbv_text_put(t, "}\n");
  rbv_simulator_free(p);
  return known ? RBV_OK
               : rbv_export_note(e,
                                 "no PD law is known: stiffness and damping of the actuators are "
                                 "missing");
}

rbv_status rbv_export_isaaclab(export_job *e) { return write_actuators(e, true); }
rbv_status rbv_export_isaaclab_yaml(export_job *e) { return write_actuators(e, false); }

/* ---- friction of each joint, to paste ---- */

/* with the digits that show two of sigma; zero: the joint has no such term */
static void put_rounded(rbv_text *t, const char *key, double value, double sigma) {
  if (value == 0 || !isfinite(value)) return;
  const int digits = sigma > 0 ? (int)fmin(9, fmax(0, 1 - floor(log10(sigma)))) : 6;
  rbv_text_print(t, "    %s: %.*f", key, digits, value);
  if (sigma > 0) rbv_text_print(t, "  # sigma %.2g", sigma);
  rbv_text_put(t, "\n");
}

rbv_status rbv_export_friction(export_job *e) {
  rbv_text *t = &e->text;
  const rbv_model *m = e->model;
  rbv_text_print(
      t,
      "# Friction of the joints of '%s' along their own motion [N m, N m s/rad; N, N s/m]:\n"
      "#   (fc + load |torque of the gear| + (breakaway - fc) exp(-(v/stribeck)^2)) sign v\n"
      "#   + fv v\n"
      "# Terms of other laws, and of motors that move several joints, are not in it.\n"
      "joints:\n",
      m->name);
  for (int j = 0; j < m->njoint; j++) {
    const dry_friction f = rbv_dry_friction(m, e->chi, j);
    const quantity fc = drive_of(e, j, "Fc"), fs = drive_of(e, j, "Fs");
    rbv_text_print(t, "  - name: \"%s\"\n", m->joint[j].name);
    put_rounded(t, "fc", f.coulomb, fc.sigma);
    put_rounded(t, "fv", f.viscous, drive_of(e, j, "Fv").sigma);
    put_rounded(t, "load", f.load, drive_of(e, j, "Fl").sigma);
    put_rounded(t, "breakaway", f.coulomb + f.excess,
                f.excess != 0 ? hypot(fc.sigma, fs.sigma) : fc.sigma);
    if (f.fall > 0) put_rounded(t, "stribeck", 1 / f.fall, NAN);
  }
  return RBV_OK;
}
