/*
 * A filter scan: the estimate again, by several methods and with several filters, to see which
 * answers do not depend on them (the claim of Brunot 2018 sections 1 and 5.2).
 */
#include <math.h>
#include <string.h>

#include "equations/equations.h"
#include "job/filter_scan.h"
#include "motion/motion.h"
#include "prepare/prepare.h"

#define METHODS_MOST 16
#define KNOWN_SIGMA 0.5  // of the value: a larger sigma makes a relative change meaningless
#define BELOW_RATE 0.45  // cut-offs below this share of the sample rate are tried

static const double factors[] = {0.3, 0.5, 1, 2, 3};  // of the cut-off of the run
#define DECIMATIONS 2                                 // as in the run, and none

struct filter_scan_store {
  rbv_filter_scan scan;
  text_pool texts;
  double *numbers;
};

void rbv_filter_scan_free(filter_scan_store *store) {
  if (!store) return;
  RBV_FREE_ALL(store->scan.run, store->scan.method, store->scan.parameter, store->numbers);
  rbv_pool_free(&store->texts);
  rbv_free(store);
}

/* ---- the methods ---- */

typedef struct {
  int count;
  const char *name[METHODS_MOST];
  bool loop;  // one of them simulates it
} method_list;

/* can a scan have this method? A loop without controller is not there; a choice is no method */
static bool fits(const rbv_method *method, bool loop) {
  return !method->chooses && method->loop != RBV_LOOP_OUTPUT &&
         (loop || method->loop == RBV_LOOP_OPEN);
}

static void all_methods(method_list *out, bool loop) {
  // robust and total least squares have no simulated motion, and matter where there is none
  for (int i = 0; rbv_identify_method(i) && out->count < METHODS_MOST; i++) {
    const rbv_method *m = rbv_method_find(rbv_identify_method(i));
    if (fits(m, loop) && !(loop && (m->robust || m->total))) out->name[out->count++] = m->name;
  }
}

static rbv_status add_method(method_list *out, const char *word, bool loop) {
  const rbv_method *m = rbv_method_find(word);
  if (!m->name) return rbv_fail(RBV_EOPTION, "filter-scan: there is no method '%s'", word);
  if (!fits(m, true))
    return rbv_fail(RBV_EOPTION, "filter-scan cannot try the method %s: it %s", word,
                    m->chooses ? "is a choice among others" : "does not filter torques");
  if (!fits(m, loop))
    return rbv_fail_option(RBV_EOPTION, "controller",
                           "filter-scan: the method %s simulates the closed loop: give its "
                           "controller",
                           word);
  for (int i = 0; i < out->count; i++)
    if (strcmp(out->name[i], m->name) == 0) return RBV_OK;
  if (out->count == METHODS_MOST) return rbv_fail(RBV_EOPTION, "filter-scan: too many methods");
  out->name[out->count++] = m->name;
  return RBV_OK;
}

static rbv_status parse_methods(method_list *out, const rbv_identification_options *o,
                                const char *text) {
  const bool loop = rbv_identification_has_loop(o);
  *out = (method_list){0};
  if (strcmp(text, "all") == 0) all_methods(out, loop);
  char *list = rbv_strdup(text), *rest = list;
  rbv_status status = list ? RBV_OK : RBV_EMEM;
  for (const char *word; out->count == 0 || strcmp(text, "all") != 0;) {
    if (status != RBV_OK || !(word = strtok_r(rest, ", ", &rest))) break;
    status = add_method(out, word, loop);
  }
  rbv_free(list);
  if (status == RBV_OK && out->count == 0)
    status = rbv_fail(RBV_EOPTION, "filter-scan needs methods with commas between them, or all");
  for (int i = 0; i < out->count; i++)
    out->loop = out->loop || rbv_method_find(out->name[i])->loop != RBV_LOOP_OPEN;
  return status;
}

rbv_status rbv_filter_scan_check(const rbv_identification_options *o) {
  method_list list;
  rbv_differentiation how;
  RBV_TRY(parse_methods(&list, o, o->filter_scan));
  const char *name = o->recording.method;
  if (name && rbv_differentiation_parse(&how, name) && how != RBV_DIFFERENTIATION_BANDPASS &&
      how != RBV_DIFFERENTIATION_SPLINE)
    return rbv_fail_option(RBV_EOPTION, "differentiate",
                           "filter-scan changes the cut-off, which differentiate %s does not have",
                           name);
  if (o->recording.spline_variance > 0)
    return rbv_fail(RBV_EOPTION, "filter-scan and spline-variance cannot be combined");
  return RBV_OK;
}

/* ---- a job for one cut-off ---- */

typedef struct {
  rbv_identification *job;
  const method_list *methods;
  filter_scan_store *store;
  const char *only;  // names of the parameters, if the F-test has chosen them; NULL
  rbv_control *law;  // found for the recordings; NULL: not yet
  double *next;      // numbers that are not used yet
  int run;           // of the scan, the next one
} scanner;

/* recordings of a job for another one */
static rbv_status copy_inputs(rbv_log_input **out, int *count, const rbv_log_input *in, int n) {
  RBV_NEW(rbv_log_input, list, n + 1);
  for (int i = 0; i < n; i++) list[i] = (rbv_log_input){.path = in[i].path, .log = in[i].log};
  *out = list;
  *count = n;
  return RBV_OK;
}

/* a job with the friction, the columns and the recordings of the first one, and this cut-off */
static rbv_status open_job(rbv_identification **out, const scanner *s, const char *cutoff) {
  const rbv_identification *from = s->job;
  rbv_identification *job;
  RBV_TRY(rbv_identification_new(&job, from->robot));
  *out = job;
  rbv_identification_options *o = &job->options;
  *o = from->options;
  if (from->given) job->given = rbv_model_retain(from->given);
  const char *friction = rbv_identification_friction_list(from);
  o->friction = friction ? friction : "plain";
  o->recording.cutoff = cutoff;
  if (!o->recording.method)
    o->recording.method = rbv_differentiation_name(RBV_DIFFERENTIATION_BANDPASS);
  o->validate.count = 0;
  o->bootstrap = 0;
  o->consistent = o->essential = false;
  o->total_mass = 0;
  o->bounds = NULL;
  o->filter_scan = o->scan_against = o->decimate_by = NULL;
  if (s->only) o->only = s->only;
  // the recordings are read for a method that simulates the loop, if there is one
  for (int i = 0; i < s->methods->count; i++)
    if (i == 0 || rbv_method_find(s->methods->name[i])->loop != RBV_LOOP_OPEN)
      o->method = s->methods->name[i];
  if (rbv_method_find(o->method)->loop != RBV_LOOP_OPEN) o->prior = NULL;
  job->law = s->law;
  RBV_TRY(copy_inputs(&job->log, &job->nlog, from->log, from->nlog));
  return copy_inputs(&job->loaded.item, &job->loaded.count, from->loaded.item, from->loaded.count);
}

/* ---- one estimate ---- */

static void take_estimate(const scanner *s, rbv_scan_run *run, const rbv_estimate *e, double *value,
                          double *sigma) {
  const rbv_filter_scan *scan = &s->store->scan;
  run->used = e->method;
  run->converged = e->converged;
  run->iterations = e->iterations;
  run->error = e->fit.relative_error;
  run->durbin_watson[0] = INFINITY;
  run->durbin_watson[1] = -INFINITY;
  for (int r = 0; r < e->fit.nrow; r++) {
    run->durbin_watson[0] = fmin(run->durbin_watson[0], e->fit.row[r].durbin_watson);
    run->durbin_watson[1] = fmax(run->durbin_watson[1], e->fit.row[r].durbin_watson);
  }
  run->value = value;
  run->sigma = sigma;
  for (int p = 0; p < scan->nparameter; p++) {
    value[p] = sigma[p] = NAN;
    for (int k = 0; k < e->base->count; k++) {
      const double spread = sqrt(e->covariance[k + (ptrdiff_t)k * e->base->count]);
      if (strcmp(e->base->name[k], scan->parameter[p].name) != 0 || !isfinite(spread)) continue;
      value[p] = e->value[k];
      sigma[p] = spread;
    }
  }
}

/* filter, weights and loop of a method, as a job of its own would choose them; then its estimate */
static rbv_status estimate(rbv_estimate **out, scanner *s, rbv_identification *job,
                           const char *method, int decimate) {
  job->options.method = job->how.method = method;
  job->options.filter.decimate = decimate;
  rbv_identification_free_loop(&job->loop);
  job->how.loop = NULL;
  RBV_TRY(rbv_identification_choose_rows(job));
  RBV_TRY(rbv_identification_read_weights(job));
  if (rbv_identification_simulates(&job->options)) {
    RBV_TRY(rbv_identification_prepare_loop(job));
    if (rbv_identification_finds_controller(&job->options) && !s->law) {
      // one law for all: it does not depend on the filter
      s->law = job->law = job->loop.control;
      job->loop.borrowed = true;
    }
  }
  return rbv_identify(out, job->model, job->fit.motion, job->fit.count, &job->how);
}

/* one run; a failure is its outcome, unless nothing can go on */
static rbv_status add_run(scanner *s, rbv_identification *job, const char *method, double cutoff_hz,
                          int decimate) {
  rbv_filter_scan *scan = &s->store->scan;
  rbv_scan_run *run = &scan->run[s->run++];
  *run = (rbv_scan_run){.method = method,
                        .cutoff_hz = cutoff_hz,
                        .from_data = decimate != 1,
                        .error = NAN,
                        .durbin_watson = {NAN, NAN},
                        .change = NAN};
  rbv_estimate *e;
  const rbv_status status = estimate(&e, s, job, method, decimate);
  run->decimate = job->how.filter.decimate;
  if (status == RBV_EMEM || status == RBV_ECANCELLED) return status;
  if (status != RBV_OK) {
    run->reason = rbv_pool_keep(&s->store->texts, rbv_message());
    return run->reason ? RBV_OK : RBV_EMEM;
  }
  take_estimate(s, run, e, s->next, s->next + scan->nparameter);
  s->next += 2 * scan->nparameter;
  rbv_estimate_free(e);
  return RBV_OK;
}

/* ---- all of them ---- */

static rbv_status scan_cutoff(scanner *s, double cutoff_hz, int runs) {
  char text[32];
  rbv_format_double(text, cutoff_hz);
  rbv_identification *job = NULL;
  rbv_status status = open_job(&job, s, text);
  if (status == RBV_OK) rbv_identification_take_options(job);
  if (status == RBV_OK) status = rbv_identification_load_inputs(job);
  const int given = s->job->options.filter.decimate;
  for (int d = given == 1; d < DECIMATIONS && status == RBV_OK; d++)
    for (int i = 0; i < s->methods->count && status == RBV_OK; i++) {
      status = rbv_go_on("filter scan", (double)s->run / runs);
      if (status == RBV_OK)
        status = add_run(s, job, s->methods->name[i], cutoff_hz, d == 0 ? given : 1);
    }
  rbv_identification_free(job);
  return status;
}

/* cut-offs around that of the run; returns their number */
static int choose_cutoffs(double out[RBV_COUNT(factors)], const rbv_identification *job) {
  double centre, rate_hz = INFINITY;
  int n = 0;
  if (!rbv_real_parse(&centre, job->options.recording.cutoff) || !(centre > 0)) {
    const rbv_motion_origin *o = rbv_motion_get_origin(rbv_motion_standard(job->fit.motion[0]));
    centre = o->cutoff_hz > 0 ? o->cutoff_hz : o->suggested_hz;
  }
  for (int i = 0; i < job->fit.count; i++) rate_hz = fmin(rate_hz, job->fit.input[i].rate_hz);
  for (int i = 0; i < RBV_COUNT(factors); i++)
    if (factors[i] * centre < BELOW_RATE * rate_hz) out[n++] = factors[i] * centre;
  return n;
}

/* the parameters that the run has estimated; returns their number */
static int list_parameters(rbv_scan_parameter *out, const rbv_estimate *e) {
  int n = 0;
  for (int k = 0; k < e->base->count; k++) {
    const double sigma = sqrt(e->covariance[k + (ptrdiff_t)k * e->base->count]);
    if (!isfinite(sigma)) continue;
    if (out)
      out[n] = (rbv_scan_parameter){e->base->name[k], sigma < KNOWN_SIGMA * fabs(e->value[k])};
    n++;
  }
  return n;
}

static rbv_status new_store(filter_scan_store **out, const rbv_identification *job, int runs,
                            const method_list *methods) {
  filter_scan_store *store = *out = rbv_alloc(sizeof *store);
  if (!store) return RBV_EMEM;
  rbv_filter_scan *scan = &store->scan;
  const size_t n = (size_t)list_parameters(NULL, job->estimate);
  scan->parameter = rbv_alloc((n + 1) * sizeof *scan->parameter);
  scan->run = rbv_alloc((size_t)runs * sizeof *scan->run);
  scan->method = rbv_alloc((size_t)methods->count * sizeof *scan->method);
  store->numbers =
      rbv_alloc((2 * (size_t)runs + (size_t)methods->count) * (n + 1) * sizeof *store->numbers);
  if (!scan->parameter || !scan->run || !scan->method || !store->numbers) return RBV_EMEM;
  scan->nparameter = list_parameters(scan->parameter, job->estimate);
  scan->nmethod = methods->count;
  for (int i = 0; i < methods->count; i++) {
    scan->method[i] =
        (rbv_scan_method){.method = methods->name[i],
                          .reference = store->numbers + (2 * (size_t)runs + (size_t)i) * (n + 1)};
  }
  return RBV_OK;
}

/* names of the parameters with commas between them */
static rbv_status list_names(rbv_text *out, const rbv_filter_scan *scan) {
  for (int p = 0; p < scan->nparameter; p++)
    rbv_text_print(out, "%s%s", p > 0 ? "," : "", scan->parameter[p].name);
  return out->failed ? RBV_EMEM : RBV_OK;
}

static rbv_status scan_all(scanner *s, const double *cutoff, int ncutoff, const char *against) {
  rbv_filter_scan *scan = &s->store->scan;
  rbv_text names = {0};
  rbv_status status = RBV_OK;
  s->next = s->store->numbers;
  if (s->job->options.essential) {
    status = list_names(&names, scan);
    s->only = names.data;
  }
  const int each = s->job->options.filter.decimate == 1 ? 1 : DECIMATIONS;
  for (int i = 0; i < ncutoff && status == RBV_OK; i++)
    status = scan_cutoff(s, cutoff[i], ncutoff * each * s->methods->count);
  scan->nrun = s->run;
  rbv_control_free(s->law);
  rbv_text_free(&names);
  return status == RBV_OK ? rbv_filter_scan_summarise(scan, s->job->model, against) : status;
}

rbv_status rbv_filter_scan_run(rbv_identification *job) {
  method_list list;
  RBV_TRY(parse_methods(&list, &job->options, job->options.filter_scan));
  double cutoff[RBV_COUNT(factors)];
  const int ncutoff = choose_cutoffs(cutoff, job);
  if (ncutoff == 0)
    return rbv_fail(RBV_EINPUT, "filter-scan: no cut-off is below half the sample rate");
  scanner s = {.job = job, .methods = &list};
  rbv_status status = new_store(&s.store, job, ncutoff * DECIMATIONS * list.count, &list);
  if (status == RBV_OK) status = scan_all(&s, cutoff, ncutoff, job->options.scan_against);
  if (status != RBV_OK) {
    rbv_filter_scan_free(s.store);
    return status;
  }
  job->scan = s.store;
  job->result.filter_scan = s.store->scan;
  return RBV_OK;
}
