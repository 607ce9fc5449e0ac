#include "export/export_internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* one row is one format */
static const struct {
  const char *name;
  const char *text;  // one line for pages
  bool header;       // it has a header beside its text, and both need a file name
  rbv_status (*write)(export_job *e);
  bool result;  // it needs a result
  bool motion;  // and a motion
} formats[] = {
    [RBV_EXPORT_URDF] = {"urdf", "URDF, the robot's own document where it has one", false,
                         rbv_export_urdf},
    [RBV_EXPORT_MJCF] = {"mjcf", "MuJoCo's XML, version 2.2 and later", false, rbv_export_mjcf},
    [RBV_EXPORT_YAML] = {"yaml", "robot file with parameters", false, rbv_export_yaml},
    [RBV_EXPORT_C] = {"c", "C99 functions, a source and its header", true, rbv_export_code},
    [RBV_EXPORT_BANDS] = {"bands", "CSV: torques along a motion with their sigma", false,
                          rbv_export_bands, true, true},
    [RBV_EXPORT_RANGES] = {"ranges", "ranges of the parameters from sigma, as YAML", false,
                           rbv_export_ranges, true},
    [RBV_EXPORT_ISAACLAB] = {"isaaclab", "actuators of Isaac Lab, as a Python dict", false,
                             rbv_export_isaaclab},
    [RBV_EXPORT_ISAACLAB_YAML] = {"isaaclab-yaml", "actuators of Isaac Lab, as YAML", false,
                                  rbv_export_isaaclab_yaml},
};

const char *rbv_export_format_at(int i) {
  return i >= 0 && i < RBV_COUNT(formats) ? formats[i].name : NULL;
}

const char *rbv_export_format_name(rbv_export_format format) {
  return rbv_export_format_at((int)format);
}

const char *rbv_export_format_text(rbv_export_format format) {
  return rbv_export_format_at((int)format) ? formats[format].text : NULL;
}

bool rbv_export_format_has_header(rbv_export_format format) {
  return rbv_export_format_at((int)format) && formats[format].header;
}

bool rbv_export_format_of_result(rbv_export_format format) {
  return rbv_export_format_at((int)format) && formats[format].result;
}

bool rbv_export_format_needs_motion(rbv_export_format format) {
  return rbv_export_format_at((int)format) && formats[format].motion;
}

bool rbv_export_format_parse(rbv_export_format *out, const char *name) {
  const int i = RBV_FIND(formats, RBV_COUNT(formats), name, name);
  if (i >= 0) *out = (rbv_export_format)i;
  return i >= 0;
}

rbv_export_options rbv_export_defaults(void) {
  return (rbv_export_options){.format = RBV_EXPORT_URDF, .loaded = rbv_model_defaults(), .seed = 1};
}

/* ---- notes and refusals ---- */

static char *sentence(const char *format, va_list args) {
  char text[512];
  vsnprintf(text, sizeof text, format, args);
  return rbv_strdup(text);
}

rbv_status rbv_export_note(export_job *e, const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *text = sentence(format, args);
  va_end(args);
  char **longer = text ? rbv_realloc(e->note, (size_t)e->nnote * sizeof *longer,
                                     (size_t)(e->nnote + 1) * sizeof *longer)
                       : NULL;
  if (!longer) {
    rbv_free(text);
    return RBV_EMEM;
  }
  e->note = longer;
  e->note[e->nnote++] = text;
  return RBV_OK;
}

rbv_status rbv_export_refuse(export_job *e, const char *format, ...) {
  va_list args;
  va_start(args, format);
  e->reason = sentence(format, args);
  va_end(args);
  return e->reason ? RBV_OK : RBV_EMEM;
}

/* ---- comparing ---- */

void rbv_export_state(double *q, double *dq, double *ddq, const export_job *e, int k) {
  const int n = e->model->njoint;
  for (int j = 0; j < n; j++) {
    const rbv_limits *l = &e->model->joint[j].limits;
    const bool bounded = isfinite(l->lower) && isfinite(l->upper);
    const double low = bounded ? l->lower : -3, high = bounded ? l->upper : 3;
    const uint64_t at = (uint64_t)k * (uint64_t)n + (uint64_t)j, seed = e->options->seed;
    q[j] = low + (high - low) * rbv_random_uniform(seed, 0, at);
    dq[j] = 4 * rbv_random_uniform(seed, 1, at) - 2;
    ddq[j] = 10 * rbv_random_uniform(seed, 2, at) - 5;
  }
}

void rbv_eval_inverse(double *tau, void *d, const double *q, const double *dq, const double *ddq) {
  rbv_dynamics_inverse(tau, d, q, dq, ddq);
}

void rbv_eval_rows(double *tau, void *d, const double *q, const double *dq, const double *ddq) {
  rbv_dynamics_rows(tau, d, q, dq, ddq);
}

void rbv_eval_simulator(double *tau, void *t, const double *q, const double *dq,
                        const double *ddq) {
  rbv_simulator_torque_eval(tau, t, q, dq, ddq);
}

static bool all_finite(const double *x, int n) {
  for (int i = 0; i < n; i++)
    if (!isfinite(x[i])) return false;
  return true;
}

rbv_status rbv_export_compare(export_job *e, int count, torque_eval want, void *a, torque_eval got,
                              void *b, const char *what) {
  const int n = e->model->njoint;
  RBV_NEW(double, block, 3 * n + 2 * count);
  double *q = block, *dq = q + n, *ddq = dq + n, *x = ddq + n, *y = x + count;
  double size = 0, difference = 0;
  bool defined = true;
  int states = 0;
  for (int k = 0; k < EXPORT_STATES; k++) {
    rbv_export_state(q, dq, ddq, e, k);
    want(x, a, q, dq, ddq);
    if (!all_finite(x, count)) continue;
    got(y, b, q, dq, ddq);
    states++;
    for (int i = 0; i < count; i++) {
      size = fmax(size, fabs(x[i]));
      difference = fmax(difference, fabs(x[i] - y[i]));
      defined = defined && isfinite(y[i]);
    }
  }
  rbv_free(block);
  if (states == 0)
    return rbv_fail(RBV_EINPUT, "%s: the torque is finite at none of %d states", what,
                    EXPORT_STATES);
  if (!defined || !(difference <= EXPORT_TOLERANCE * size))
    return rbv_fail(RBV_ENUM,
                    "%s: read back, the torques differ by %.3g of %.3g: nothing is written", what,
                    defined ? difference : NAN, size);
  if (states < EXPORT_STATES && states != e->shown.states)
    RBV_TRY(rbv_export_note(
        e, "the torque has no finite value at %d of %d states, which were not compared",
        EXPORT_STATES - states, EXPORT_STATES));
  e->shown.states = states;
  e->shown.difference = fmax(e->shown.difference, difference);
  return RBV_OK;
}

rbv_model_options rbv_export_reading(const export_job *e, bool own, const char *root) {
  rbv_model_options options = rbv_model_defaults();
  // angles of a new document are exact; those of the user's document are read as before
  options.snap = own && e->options->loaded.snap;
  options.tip = own ? e->options->loaded.tip : NULL;
  options.free_base = own && e->options->loaded.free_base;
  options.root = own ? e->options->loaded.root : is_chain(e->model) ? NULL : root;
  return options;
}

/* ---- the export ---- */

void rbv_export_free(rbv_export *shown) {
  if (!shown) return;
  export_job *e = (export_job *)shown;
  for (int i = 0; i < e->nnote; i++) rbv_free(e->note[i]);
  RBV_FREE_ALL(e->note, e->name, e->reason);
  rbv_text_free(&e->text);
  rbv_text_free(&e->header);
  rbv_free(e);
}

static rbv_status check(const rbv_model *m, const double *chi, const rbv_export_options *o) {
  if (!m || !chi) return rbv_fail(RBV_EARG, "rbv_export_new: no model or no parameters");
  if ((int)o->format < 0 || (int)o->format >= RBV_COUNT(formats))
    return rbv_fail(RBV_EARG, "rbv_export_new: there is no format %d", (int)o->format);
  for (int c = 0; c < m->ncolumn; c++)
    if (!isfinite(chi[c]))
      return rbv_fail(RBV_EARG, "parameter %s is not a finite number", m->column[c].name);
  return RBV_OK;
}

/* a base that moves is a part of the robot's own document, of code and of torques */
static rbv_status check_base(const rbv_model *m, rbv_export_format format) {
  const bool own = format == RBV_EXPORT_URDF || format == RBV_EXPORT_MJCF;
  const bool writes = formats[format].header || formats[format].result;
  if (own && m->document && strcmp(rbv_model_format(m), formats[format].name) == 0) return RBV_OK;
  return writes ? RBV_OK : rbv_model_need_held(m, "A new document");
}

/* the public part of the result */
static void show(export_job *e) {
  rbv_export *s = &e->shown;
  s->refused = e->reason != NULL;
  s->reason = e->reason;
  s->name = e->name;
  s->nnote = e->nnote;
  s->note = (const char *const *)e->note;
  s->cost = e->cost;
  if (s->refused) return;
  s->text = e->text.data;
  s->size = e->text.size;
  s->header = e->header.data;
  s->header_size = e->header.size;
}

rbv_status rbv_export_new(rbv_export **out, const rbv_model *model, const double *chi,
                          const rbv_export_options *options) {
  *out = NULL;
  const rbv_export_options defaults = rbv_export_defaults();
  if (!options) options = &defaults;
  RBV_TRY(check(model, chi, options));
  RBV_TRY(check_base(model, options->format));
  RBV_NEW(export_job, e, 1);
  e->model = model;
  e->chi = chi;
  e->options = options;
  rbv_status status = formats[options->format].write(e);
  const bool bodies = !formats[options->format].result;
  if (status == RBV_OK && !e->reason && bodies) status = rbv_export_note_known(e);
  if (status == RBV_OK && (e->text.failed || e->header.failed)) status = RBV_EMEM;
  if (status != RBV_OK) {
    rbv_export_free(&e->shown);
    return status;
  }
  // inputs were borrowed for the call
  e->model = NULL;
  e->chi = NULL;
  e->options = NULL;
  show(e);
  *out = &e->shown;
  return RBV_OK;
}
