#include <math.h>
#include <roberval/sys/check.h>
#include <roberval/sys/dynamics.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "check/check_internal.h"
#include "check/judge.h"
#include "prepare/prepare.h"

/* ---- the detectors ---- */

/* A detector examines one recording. It is skipped if the recording lacks what it needs. */
typedef enum {
  NEEDS_FILE,     // the columns
  NEEDS_SIGNALS,  // positions and torques on a grid
  NEEDS_TRUST,    // the same, and no finding so far that makes them meaningless
  NEEDS_MODEL,    // the same, compared with torques of the robot without forces from outside
} needs;

typedef struct {
  needs needs;
  bool quick;  // it can change the verdict, so that an identification asks it too
  rbv_status (*run)(examination *x, view *v);
} detector;

/* In order of execution: units come before detectors that depend on them. */
static const detector table[] = {
    {NEEDS_FILE, true, rbv_detect_stamps},
    {NEEDS_FILE, true, rbv_detect_missing},
    {NEEDS_FILE, true, rbv_detect_saturation},
    {NEEDS_FILE, true, rbv_detect_constant},
    {NEEDS_SIGNALS, true, rbv_detect_standstill},
    {NEEDS_SIGNALS, true, rbv_detect_limits},
    {NEEDS_TRUST, true, rbv_detect_aliasing},
    {NEEDS_MODEL, true, rbv_detect_prior_conflicts},
    {NEEDS_MODEL, true, rbv_detect_gravity},
    {NEEDS_MODEL, true, rbv_detect_signs},
    {NEEDS_SIGNALS, true, rbv_detect_velocity},
    {NEEDS_MODEL, true, rbv_detect_delay},
    {NEEDS_TRUST, false, rbv_detect_rest},
    {NEEDS_TRUST, false, rbv_detect_slow},
    {NEEDS_SIGNALS, false, rbv_detect_waveform},
    {NEEDS_MODEL, false, rbv_detect_load_friction},
    {NEEDS_MODEL, false, rbv_detect_friction_drift},
};

/* A numerical failure is a property of the recording: report it and leave out the other tests. */
static rbv_status report_failure(examination *x, view *v, rbv_status status) {
  if (status != RBV_ENUM) return status;
  v->usable = false;
  rbv_add_finding(x, finding_of(RBV_FINDING_MISSING, RBV_SEVERITY_ERROR, v, -1, NAN),
                  "%s: the values are too large, too small or too irregular to compute with, so "
                  "some tests were left out. Plot the columns, and remove what is not physical",
                  rbv_log_name(v->log));
  return RBV_OK;
}

static bool has_formula(const rbv_model *m) {
  for (int c = 0; c < rbv_model_column_count(m); c++)
    if (rbv_model_column(m, c)->basis == RBV_BASIS_EXPRESSION) return true;
  return false;
}

/* Only a formula of the robot file can be undefined where the motion is finite. */
static rbv_status check_formulas(const rbv_model *m, const view *v, const rbv_log *log) {
  if (!v->usable || !has_formula(m)) return RBV_OK;
  const ptrdiff_t n = v->nknot;
  rbv_dynamics *d = NULL;
  double *W = rbv_alloc((size_t)n * (size_t)rbv_model_entry_count(m) * sizeof *W);
  rbv_status status = W ? rbv_dynamics_new(&d, m) : RBV_EMEM;
  if (status == RBV_OK) {
    const rbv_states states = {
        .count = n, .ld = n, .q = v->knot_q, .dq = v->knot_dq, .ddq = v->knot_ddq};
    rbv_regressor_batch(W, n, d, &states, v->loaded);
  }
  for (int r = 0; r < rbv_model_row_count(m) && status == RBV_OK; r++) {
    const rbv_row *row = rbv_model_row(m, r);
    for (ptrdiff_t k = 0; k < n * row->count && status == RBV_OK; k++)
      if (!isfinite(W[k + row->first * n]))
        status = rbv_fail(RBV_EINPUT, "%s: column '%s' has no finite value at sample %td",
                          rbv_log_name(log), rbv_model_column(m, row->columns[k / n])->name,
                          v->knot[k % n]);
  }
  rbv_dynamics_free(d);
  rbv_free(W);
  return status;
}

static rbv_status examine(examination *x, const rbv_log *const *logs) {
  for (int i = 0; i < x->nlog; i++) {
    view *v = &x->view[i];
    rbv_log *own;
    RBV_TRY(rbv_check_rows(&own, x, logs[i], i));
    const rbv_status built = rbv_view_build(v, x, own ? own : logs[i], i);
    v->own = own;
    RBV_TRY(report_failure(x, v, built));
    RBV_TRY(check_formulas(x->model, v, v->log ? v->log : logs[i]));
    // signals of a sensor on the base are no positions
    rbv_base_sensor sensor;
    const bool sensed = rbv_base_sensor_find(&sensor, x->model, logs[i]);
    for (int k = 0; k < RBV_COUNT(table); k++) {
      if (x->options.quick && !table[k].quick) continue;
      if (table[k].needs >= NEEDS_SIGNALS && (!v->usable || sensed)) continue;
      if (table[k].needs >= NEEDS_TRUST && v->unreliable) continue;
      if (table[k].needs >= NEEDS_MODEL && rbv_model_contact_count(x->model) > 0) continue;
      RBV_TRY(report_failure(x, v, table[k].run(x, v)));
    }
  }
  if (x->options.quick) return RBV_OK;
  RBV_TRY(rbv_detect_repeated(x));
  return rbv_model_contact_count(x->model) > 0 ? RBV_OK : rbv_detect_coupling(x);
}

/* ---- names ---- */

/* one row per code */
static const struct {
  const char *name, *unit, *text;
} codes[] = {
#define X(enumerator, name, unit, text) [enumerator] = {name, unit, text},
    RBV_FINDING_LIST(X)
#undef X
};

static bool is_code(rbv_finding_code code) {
  return (int)code >= 0 && (int)code < RBV_COUNT(codes);
}

const char *rbv_finding_name(rbv_finding_code code) {
  return is_code(code) ? codes[code].name : "?";
}

const char *rbv_finding_unit(rbv_finding_code code) {
  return is_code(code) ? codes[code].unit : "?";
}

const char *rbv_finding_text(rbv_finding_code code) {
  return is_code(code) ? codes[code].text : "?";
}

const char *rbv_severity_name(rbv_severity severity) {
  switch (severity) {
    case RBV_SEVERITY_NOTE: return "note";
    case RBV_SEVERITY_WARNING: return "warning";
    case RBV_SEVERITY_ERROR: return "error";
  }
  return "?";
}

/* ---- findings ---- */

void rbv_add_finding(examination *x, rbv_finding finding, const char *format, ...) {
  if (x->status != RBV_OK) return;
  // the judged log may be a copy with fewer rows
  const rbv_log *judged = finding.log >= 0 ? x->view[finding.log].log : NULL;
  if (judged && finding.sample >= 0) {
    finding.line = rbv_log_line(judged, finding.sample);
    finding.sample = rbv_log_origin(judged, finding.sample);
  }
  char sentence[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(sentence, sizeof sentence, format, args);
  va_end(args);
  rbv_finding *list = rbv_grow(x->finding, x->nfinding, &x->capacity, sizeof *list);
  if (list) x->finding = list;
  finding.sentence = list ? rbv_strdup(sentence) : NULL;
  if (finding.sentence)
    list[x->nfinding++] = finding;
  else
    x->status = RBV_EMEM;
}

void rbv_joint_label(char out[JOINT_LABEL], const examination *x, int joint) {
  snprintf(out, JOINT_LABEL, "joint %d (%.40s)", joint + 1, rbv_model_joint(x->model, joint)->name);
}

void rbv_findings_free(rbv_finding *finding, int count) {
  union {
    const char *in;
    char *out;
  } text;
  for (int i = 0; i < count; i++) {
    text.in = finding[i].sentence;
    rbv_free(text.out);
  }
  rbv_free(finding);
}

/* errors first; stable otherwise */
static void sort_findings(rbv_finding *f, int count) {
  for (int i = 1; i < count; i++)
    for (int k = i; k > 0 && f[k].severity > f[k - 1].severity; k--) {
      const rbv_finding swap = f[k];
      f[k] = f[k - 1];
      f[k - 1] = swap;
    }
}

/* the verdict of the findings alone */
static rbv_status judge(rbv_judgement *out, const examination *x) {
  const rbv_finding **list = rbv_alloc((size_t)(x->nfinding + 1) * sizeof *list);
  if (!list) return RBV_EMEM;
  for (int i = 0; i < x->nfinding; i++) list[i] = &x->finding[i];
  const rbv_status status =
      rbv_judge(out, &(rbv_evidence){.model = x->model, .nfinding = x->nfinding, .finding = list});
  rbv_free(list);
  return status;
}

/* ---- check ---- */

rbv_check_options rbv_check_defaults(void) { return (rbv_check_options){.tolerance = 1e-3}; }

/* parameters of the robot file, if they contain masses or inertias */
const double *rbv_check_prior(const rbv_model *m) {
  const double *chi = rbv_model_parameters(m);
  for (int c = 0; chi && c < rbv_model_column_count(m); c++)
    if (rbv_model_column(m, c)->basis == RBV_BASIS_INERTIAL && chi[c] != 0) return chi;
  return NULL;
}

rbv_status rbv_check(rbv_check_result **out, const rbv_model *model, const rbv_log *const *logs,
                     int nlog, const rbv_check_options *options) {
  if (!out) return rbv_fail(RBV_EARG, "no place for the result");
  *out = NULL;
  if (!model || !logs || nlog < 1) return rbv_fail(RBV_EARG, "a robot and recordings are needed");
  for (int i = 0; i < nlog; i++)
    if (!logs[i]) return rbv_fail(RBV_EARG, "recording %d of %d is NULL", i + 1, nlog);
  examination x = {.model = model,
                   .options = options ? *options : rbv_check_defaults(),
                   .nlog = nlog,
                   .prior = rbv_check_prior(model)};
  if (!(x.options.tolerance > 0 && x.options.tolerance < 1))
    return rbv_fail(RBV_EARG, "tolerance %g is not between 0 and 1", x.options.tolerance);
  rbv_check_result *result = rbv_alloc(sizeof *result);
  x.view = rbv_alloc((size_t)nlog * sizeof *x.view);
  rbv_status status = result && x.view ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK) status = examine(&x, logs);
  if (status == RBV_OK && !x.options.quick)
    status = rbv_find_identifiability(&result->identifiability, &x);
  if (status == RBV_OK) status = x.status;
  if (status == RBV_OK) {
    sort_findings(x.finding, x.nfinding);
    status = judge(&result->verdict, &x);
  }
  for (int i = 0; i < nlog && x.view; i++) rbv_view_free(&x.view[i]);
  rbv_free(x.view);
  if (status != RBV_OK) {
    if (result) rbv_identifiability_free(&result->identifiability);
    rbv_free(result);
    rbv_findings_free(x.finding, x.nfinding);
    rbv_free(x.bad);
    return status;
  }
  result->finding = x.finding;
  result->nfinding = x.nfinding;
  result->bad = x.bad;
  result->nbad = x.nbad;
  result->has_errors = x.nfinding > 0 && x.finding[0].severity == RBV_SEVERITY_ERROR;
  *out = result;
  return RBV_OK;
}

void rbv_check_free(rbv_check_result *result) {
  if (!result) return;
  rbv_judgement_free(&result->verdict);
  rbv_findings_free(result->finding, result->nfinding);
  rbv_free(result->bad);
  rbv_identifiability_free(&result->identifiability);
  rbv_free(result);
}
