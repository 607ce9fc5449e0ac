/* Monte Carlo study: description and jobs of a plan, and the summary of their results. */
#include <math.h>
#include <roberval/sys/identify.h>
#include <string.h>

#include "document/document.h"
#include "equations/equations.h"
#include "montecarlo/montecarlo_internal.h"
#include "prepare/prepare.h"
#include "storage/storage.h"

/* ---- description: everything that the results depend on, as JSON ---- */

/* a list of numbers; null: none */
static void put_reals(rbv_json *json, const char *key, const double *x, int n) {
  rbv_json_key(json, key);
  if (!x) {
    rbv_json_null(json);
    return;
  }
  rbv_json_flat_list(json);
  for (int i = 0; i < n; i++) rbv_json_real(json, x[i]);
  rbv_json_end(json);
}

/* hash of a reference */
static rbv_status put_reference(rbv_json *json, const char *key, const rbv_sim_reference *r,
                                int njoint) {
  const double *const parts[] = {r->q, r->dq, r->ddq};
  rbv_text text = {0};
  char hash[65];
  for (int i = 0; i < RBV_COUNT(parts); i++)
    for (int j = 0; j < njoint && parts[i]; j++)
      rbv_text_add(&text, (const char *)(parts[i] + j * r->ld), (size_t)r->count * sizeof(double));
  const bool failed = text.failed;
  if (!failed && r->q) rbv_hash_bytes(hash, text.data, text.size);
  rbv_text_free(&text);
  rbv_json_put_string(json, key, !failed && r->q ? hash : NULL);
  return failed ? RBV_EMEM : RBV_OK;
}

static rbv_status put_control(rbv_json *json, const rbv_control *control) {
  char *text;
  size_t size;
  RBV_TRY(rbv_control_format(&text, &size, control));
  rbv_json_put_string(json, "controller", text);
  rbv_file_free(text);
  return RBV_OK;
}

static void put_defects(rbv_json *json, const rbv_sim_defects *d, int n) {
  rbv_json_put_map(json, "defects");
  rbv_json_put_real(json, "loop_counts", d->loop_counts);
  rbv_json_put_real(json, "loop_noise_rad", d->loop_noise);
  rbv_json_put_int(json, "loop_delay_samples", d->loop_delay);
  rbv_json_put_real(json, "record_counts", d->record_counts);
  put_reals(json, "disturbance_Nm", d->disturbance, n);
  rbv_json_put_real(json, "disturbance_hz", d->disturbance_hz);
  put_reals(json, "torque_noise_Nm", d->torque_noise, n);
  rbv_json_put_real(json, "torque_noise_hz", d->torque_noise_hz);
  put_reals(json, "torque_offset_Nm", d->torque_offset, n);
  put_reals(json, "ripple_Nm", d->ripple, n);
  rbv_json_put_real(json, "ripple_periods", d->ripple_periods);
  rbv_json_put_int(json, "torque_delay_samples", d->torque_delay);
  rbv_json_put_real(json, "jitter_s", d->jitter_s);
  rbv_json_put_real(json, "drop", d->drop);
  rbv_json_put_real(json, "drift", d->drift);
  rbv_json_put_real(json, "drift_s", d->drift_s);
  rbv_json_end(json);
}

static void put_identification(rbv_json *json, const rbv_montecarlo_plan *p) {
  const rbv_differentiate_options *d = &p->differentiate;
  rbv_json_put_string(json, "differentiate", rbv_differentiation_name(d->method));
  rbv_json_put_real(json, "cutoff_hz", d->cutoff_hz);
  rbv_json_put_real(json, "period_s", d->period_s);
  rbv_json_put_int(json, "harmonics", d->harmonics);
  rbv_json_put_real(json, "torque_delay_s", d->torque_delay_s);
  rbv_json_put_int(json, "decimate", p->filter.decimate);
  rbv_json_put_real(json, "decimate_band", rbv_row_filter_decimation(&p->filter).cutoff_ratio);
  rbv_json_put_real(json, "mask_rad_per_s", p->filter.mask);
  put_reals(json, "fade_rad_per_s", p->filter.fade, rbv_model_joint_count(p->model));
  rbv_json_put_int(json, "trim_samples", p->filter.trim);
  rbv_json_put_int(json, "skip_samples", p->skip);
  rbv_json_put_real(json, "gain_error", p->gain_error);
  rbv_json_put_bool(json, "nonzero", p->nonzero);
  rbv_json_put_flat_list(json, "methods");
  for (int i = 0; i < p->nmethod; i++) rbv_json_string(json, p->method[i]);
  rbv_json_end(json);
}

/* true values of the base parameters */
static rbv_status put_parameters(rbv_json *json, const rbv_montecarlo_plan *p) {
  rbv_base *base;
  RBV_TRY(rbv_base_new(&base, p->model, NULL));
  double *truth = rbv_alloc((size_t)base->count * sizeof *truth);
  if (truth) rbv_base_values(truth, base, p->chi);
  rbv_json_put_list(json, "parameters");
  for (int k = 0; k < base->count && truth; k++) {
    rbv_json_map(json);
    rbv_json_put_string(json, "name", base->name[k]);
    rbv_json_put_string(json, "unit", rbv_model_column(p->model, base->kept[k])->unit);
    rbv_json_put_real(json, "truth", truth[k]);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_base_free(base);
  RBV_FINISH(truth ? RBV_OK : RBV_EMEM, rbv_free(truth));
}

static rbv_status describe(rbv_json *json, const rbv_montecarlo_plan *p) {
  const int n = rbv_model_joint_count(p->model);
  rbv_json_map(json);
  rbv_json_put_string(json, "version", rbv_version());
  if (p->device) rbv_json_put_string(json, "device", rbv_device_name(p->device));
  rbv_json_put_string(json, "robot", rbv_model_name(p->model));
  rbv_json_put_string(json, "robot_sha256", p->robot);
  rbv_json_put_string(json, "sensing", rbv_sensing_name(rbv_model_sensing(p->model)));
  rbv_json_put_real(json, "gamma", rbv_model_gamma(p->model));
  rbv_json_put_real(json, "gamma_plant", p->sim.gamma);
  rbv_json_put_flat_list(json, "smooth");
  for (int j = 0; j < rbv_model_joint_count(p->plant); j++)
    rbv_json_real(json, rbv_model_smoothing(p->plant, j).speed);
  rbv_json_end(json);
  rbv_json_put_real(json, "stribeck_rad_per_s", rbv_model_stribeck(p->model));
  rbv_json_put_real(json, "stribeck_plant_rad_per_s", rbv_model_stribeck(p->plant));
  rbv_json_put_bool(json, "loaded", p->sim.loaded);
  rbv_json_put_int(json, "runs", p->runs);
  rbv_json_put_int(json, "seed", (long long)p->seed);
  rbv_json_put_int(json, "lanes", LANES);
  RBV_TRY(put_control(json, p->control));
  rbv_json_put_int(json, "samples", p->reference.count);
  RBV_TRY(put_reference(json, "reference_sha256", &p->reference, n));
  RBV_TRY(put_reference(json, "second_sha256", &p->second, n));
  rbv_json_put_bool(json, "shift", p->shift);
  rbv_json_put_string(json, "integrator", rbv_integrator_name(p->sim.integrator));
  rbv_json_put_int(json, "substeps", p->sim.substeps);
  put_defects(json, &p->sim.defects, n);
  put_identification(json, p);
  RBV_TRY(put_parameters(json, p));
  put_reals(json, "truth_all_columns", p->chi, rbv_model_column_count(p->model));
  put_reals(json, "plant_all_columns", p->plant_chi, rbv_model_column_count(p->plant));
  rbv_json_end(json);
  return RBV_OK;
}

static rbv_status write_description(char **out, const rbv_montecarlo_plan *p) {
  rbv_json *json;
  const char *text;
  size_t size;
  RBV_TRY(rbv_json_new(&json));
  rbv_status status = describe(json, p);
  if (status == RBV_OK) status = rbv_json_finish(&text, &size, json);
  if (status == RBV_OK && !(*out = rbv_strndup(text, size))) status = RBV_EMEM;
  rbv_json_free(json);
  return status;
}

/* ---- study from a description ---- */

static rbv_status find(const rbv_node **out, const rbv_node *map, const char *key) {
  *out = rbv_node_find(map, key);
  return *out ? RBV_OK : rbv_fail(RBV_EINPUT, "the description of the study has no '%s'", key);
}

static rbv_status read_methods(rbv_montecarlo *s, const rbv_node *list) {
  s->nmethod = rbv_node_count(list);
  if (s->nmethod < 1 || s->nmethod > RBV_MONTECARLO_METHODS)
    return rbv_fail(RBV_EINPUT, "a study needs 1 to %d methods", RBV_MONTECARLO_METHODS);
  for (int i = 0; i < s->nmethod; i++)
    RBV_TRY(rbv_node_string(&s->method[i], rbv_node_at(list, i)));
  return RBV_OK;
}

static rbv_status read_parameters(rbv_montecarlo *s, const rbv_node *list) {
  const size_t n = (size_t)rbv_node_count(list);
  s->nparameter = (int)n;
  s->name = rbv_alloc(n * sizeof *s->name);
  s->unit = rbv_alloc(n * sizeof *s->unit);
  s->truth = rbv_alloc(n * sizeof *s->truth);
  if (!s->name || !s->unit || !s->truth) return RBV_EMEM;
  for (int k = 0; k < s->nparameter; k++) {
    const rbv_node *item = rbv_node_at(list, k), *name, *unit, *truth;
    RBV_TRY(find(&name, item, "name"));
    RBV_TRY(find(&unit, item, "unit"));
    RBV_TRY(find(&truth, item, "truth"));
    RBV_TRY(rbv_node_string(&s->name[k], name));
    RBV_TRY(rbv_node_string(&s->unit[k], unit));
    RBV_TRY(rbv_node_real(&s->truth[k], truth));
  }
  return RBV_OK;
}

/* the sentences of a run, which a file can contain in any form, become strings that can be shown */
static void close_sentences(const rbv_montecarlo *s, int run) {
  char *at = s->result + (size_t)run * s->run_bytes;
  run_head *head = (run_head *)(void *)at;
  head->reason[REASON - 1] = 0;
  rbv_clean(head->reason);
  for (int i = 0; i < s->nmethod; i++) {
    method_head *method = (method_head *)(void *)(at + method_at(s, i));
    method->reason[REASON - 1] = 0;
    rbv_clean(method->reason);
  }
}

static rbv_status take_results(void *self, ptrdiff_t index, const void *data, size_t size) {
  rbv_montecarlo *s = self;
  const int first = (int)index * LANES;
  const int count = s->runs - first < LANES ? s->runs - first : LANES;
  if (count < 1 || size != (size_t)count * s->run_bytes)
    return rbv_fail(RBV_EINPUT, "the results of job %td belong to another study", index);
  memcpy(s->result + (size_t)first * s->run_bytes, data, size);
  for (int k = 0; k < count; k++) {
    close_sentences(s, first + k);
    s->has_result[first + k] = true;
  }
  return RBV_OK;
}

/* njob: number of jobs that a journal has; negative: not known */
static rbv_status read_description(rbv_montecarlo *s, ptrdiff_t njob) {
  const rbv_node *runs, *methods, *parameters;
  RBV_TRY(rbv_document_parse(&s->doc, "study", s->description, strlen(s->description)));
  const rbv_node *root = rbv_document_root(s->doc);
  RBV_TRY(find(&runs, root, "runs"));
  RBV_TRY(find(&methods, root, "methods"));
  RBV_TRY(find(&parameters, root, "parameters"));
  RBV_TRY(rbv_node_int(&s->runs, runs));
  if (s->runs < 1 || s->runs > RUNS_MAX)
    return rbv_fail(RBV_EINPUT, "a study needs 1 to %d runs, not %d", RUNS_MAX, s->runs);
  const ptrdiff_t need = (s->runs + LANES - 1) / LANES;
  if (njob >= 0 && njob != need)
    return rbv_fail(RBV_EINPUT, "a study of %d runs has %td jobs, but the journal has %td", s->runs,
                    need, njob);
  RBV_TRY(read_methods(s, methods));
  RBV_TRY(read_parameters(s, parameters));
  s->method_bytes = sizeof(method_head) + 3 * (size_t)s->nparameter * sizeof(double);
  s->run_bytes = method_at(s, s->nmethod);
  s->result = rbv_alloc((size_t)s->runs * s->run_bytes);
  s->has_result = rbv_alloc((size_t)s->runs * sizeof *s->has_result);
  if (!s->result || !s->has_result) return RBV_EMEM;
  s->jobs = (rbv_jobs){.name = RBV_MONTECARLO_KIND,
                       .description = s->description,
                       .count = need,
                       .self = s,
                       .take = take_results};
  return RBV_OK;
}

void rbv_montecarlo_free(rbv_montecarlo *s) {
  if (!s) return;
  rbv_population_free(s->recordings);
  rbv_population_free(s->fits);
  rbv_device_queue_free(s->queue);
  rbv_control_free(s->assumed);
  rbv_equations_free(s->second);
  rbv_sim_free(s->second_sim);
  rbv_sim_trace_free(&s->second_trace);
  RBV_FREE_ALL(s->columns, s->parameter, s->result, s->has_result, s->name, s->unit, s->truth);
  rbv_document_free(s->doc);
  rbv_free(s->description);
  rbv_free(s);
}

rbv_status rbv_montecarlo_recall(rbv_montecarlo **out, const char *description, ptrdiff_t njob) {
  *out = NULL;
  if (!description) return rbv_fail(RBV_EARG, "a study needs a description");
  RBV_NEW(rbv_montecarlo, s, 1);
  s->description = rbv_strdup(description);
  const rbv_status status = s->description ? read_description(s, njob) : RBV_EMEM;
  RBV_GIVE(out, s, status, rbv_montecarlo_free(s));
}

/* ---- study from a plan ---- */

static rbv_status check(const rbv_montecarlo_plan *p) {
  if (!p->model || !p->chi || !p->plant_chi || !p->control || !p->reference.q || !p->robot)
    return rbv_fail(RBV_EARG,
                    "a study needs a robot, its true parameters, a controller and a reference");
  if (rbv_model_joint_count(p->plant) != rbv_model_joint_count(p->model))
    return rbv_fail(RBV_EDIM, "the simulated robot has %d joints, the model %d",
                    rbv_model_joint_count(p->plant), rbv_model_joint_count(p->model));
  if (p->runs < 1) return rbv_fail(RBV_EARG, "a study needs at least one run");
  if (!(fabs(p->gain_error) < 1))
    return rbv_fail(RBV_EARG, "the relative gain error is %g, it must be between -1 and 1",
                    p->gain_error);
  for (int i = 0; i < p->nmethod; i++) {
    const char *base_method;
    bool stribeck;
    RBV_TRY(rbv_runs_method(&base_method, &stribeck, p->method[i]));
    if (stribeck && !(rbv_model_stribeck(p->model) > 0))
      return rbv_fail_option(RBV_EARG, "stribeck",
                             "'%s' needs Stribeck friction, and the model has no columns for it",
                             p->method[i]);
  }
  return RBV_OK;
}

static rbv_status prepare_runs(rbv_montecarlo *s, const rbv_montecarlo_plan *plan) {
  s->own = *plan;
  s->plan = &s->own;
  s->jobs.open = rbv_runs_open;
  s->jobs.close = rbv_runs_close;
  s->jobs.run = rbv_runs_run;
  RBV_TRY(rbv_runs_unknowns(s));
  RBV_TRY(rbv_runs_assumed_control(&s->assumed, plan->control, plan->gain_error));
  s->assumed_sim = rbv_sim_defaults();
  s->assumed_sim.loaded = plan->differentiate.loaded;
  // the error of ros2 is known for the true parameters only: with those of the first iterations
  // didim does not converge
  if (plan->sim.integrator != RBV_INTEGRATOR_ROS2) s->assumed_sim.integrator = plan->sim.integrator;
  if (plan->device) RBV_TRY(rbv_runs_device(s));
  return plan->second.q ? rbv_runs_second(s) : RBV_OK;
}

rbv_status rbv_montecarlo_new(rbv_montecarlo **out, const rbv_montecarlo_plan *given) {
  *out = NULL;
  if (!given) return rbv_fail(RBV_EARG, "a study needs a plan");
  rbv_montecarlo_plan plan = *given;
  given = NULL;
  if (!plan.plant) {
    plan.plant = plan.model;
    plan.plant_chi = plan.chi;
  }
  RBV_TRY(check(&plan));
  char *description = NULL;
  rbv_montecarlo *s = NULL;
  rbv_status status = write_description(&description, &plan);
  if (status == RBV_OK) status = rbv_montecarlo_recall(&s, description, -1);
  rbv_free(description);
  if (status == RBV_OK) status = prepare_runs(s, &plan);
  RBV_GIVE(out, s, status, rbv_montecarlo_free(s));
}

int rbv_montecarlo_workers(const rbv_montecarlo *s, int threads) {
  return s->queue ? DEVICE_WORKERS : threads;
}

const rbv_jobs *rbv_montecarlo_jobs(const rbv_montecarlo *s) { return &s->jobs; }

/* ---- summary ---- */

/* statistics of one method; work: 3 runs + nparameter */
static rbv_status summarise_method(rbv_montecarlo_method *m, const rbv_montecarlo *s, int method,
                                   double *work) {
  double *value = work, *sigma = value + s->runs, *bound = sigma + s->runs;
  m->method = s->method[method];
  m->iterations = m->fit_error = m->second_error = 0;
  for (int run = 0; run < s->runs; run++) {
    if (!s->has_result[run] || run_of(s, run)->diverged != 0) continue;
    const method_head *h = method_of(s, run, method);
    if (h->outcome == OUTCOME_FAILED && m->failed++ == 0) memcpy(m->reason, h->reason, REASON);
    m->not_converged += h->outcome == OUTCOME_NOT_CONVERGED;
    if (h->outcome != OUTCOME_CONVERGED) continue;
    m->converged++;
    m->iterations += h->iterations;
    m->fit_error += h->fit_error;
    m->second_error += h->second_error;
  }
  m->iterations /= m->converged;
  m->fit_error /= m->converged;
  m->second_error /= m->converged;
  for (int k = 0; k < s->nparameter; k++) {
    int n = 0;
    for (int run = 0; run < s->runs; run++) {
      if (!s->has_result[run] || run_of(s, run)->diverged != 0) continue;
      const method_head *h = method_of(s, run, method);
      if (h->outcome != OUTCOME_CONVERGED) continue;
      value[n] = values_of(h)[k];
      sigma[n] = values_of(h)[s->nparameter + k];
      bound[n++] = values_of(h)[2 * s->nparameter + k];
    }
    m->parameter[k] = rbv_summarise_parameter(value, sigma, bound, n, s->truth[k]);
  }
  return rbv_summarise_method(m, s->truth, s->nparameter, bound + s->runs);
}

static void layout(rbv_montecarlo_summary *r, const rbv_montecarlo *s, rbv_arena *a) {
  r->method = RBV_TAKE(a, s->nmethod, rbv_montecarlo_method);
  for (int i = 0; i < s->nmethod; i++) {
    rbv_montecarlo_parameter *p = RBV_TAKE(a, s->nparameter, rbv_montecarlo_parameter);
    if (a->base) r->method[i].parameter = p;
  }
}

static rbv_status summarise(rbv_montecarlo_summary *r, const rbv_montecarlo *s) {
  r->runs = s->runs;
  r->nparameter = s->nparameter;
  r->name = s->name;
  r->unit = s->unit;
  r->truth = s->truth;
  r->nmethod = s->nmethod;
  r->description = s->description;
  for (int run = 0; run < s->runs; run++) {
    if (!s->has_result[run]) continue;
    r->done++;
    const run_head *h = run_of(s, run);
    if (h->diverged != 0 && r->diverged++ == 0) memcpy(r->reason, h->reason, REASON);
  }
  const size_t size = 3 * (size_t)s->runs + (size_t)s->nparameter;
  double *work = rbv_alloc(size * sizeof *work);
  rbv_status status = work ? RBV_OK : RBV_EMEM;
  for (int i = 0; i < s->nmethod && status == RBV_OK; i++)
    status = summarise_method(&r->method[i], s, i, work);
  rbv_free(work);
  return status;
}

rbv_status rbv_montecarlo_summarise(rbv_montecarlo_summary **out, const rbv_montecarlo *s) {
  *out = NULL;
  if (!s) return rbv_fail(RBV_EARG, "a summary needs a study");
  rbv_montecarlo_summary sizes = {0}, *r;
  RBV_CARVE_OBJECT(r, a, layout(&sizes, s, a));
  if (!r) return RBV_EMEM;
  *r = sizes;
  RBV_GIVE(out, r, summarise(r, s), rbv_free(r));
}

void rbv_montecarlo_summary_free(rbv_montecarlo_summary *r) { rbv_free(r); }
