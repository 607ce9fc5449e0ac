/* Monte Carlo runs: simulate several together, then apply every method to each. */
#include "montecarlo/montecarlo_internal.h"

#include <math.h>
#include <roberval/sys/identify.h>
#include <stdio.h>
#include <string.h>

#include "control/control.h"
#include "equations/equations.h"
#include "montecarlo/lane_workers.h"

#define START_LOW 0.8  // range of the start inertias, relative to the true ones
#define START_HIGH 1.25

/* streams of random numbers; STREAM_START + column is the last */
enum { STREAM_SEED = 1, STREAM_SHIFT = 1000, STREAM_START = 100000 };

/* the first simulation of a run for its methods: all that simulate start from the same values */
typedef struct {
  bool known;
  double *chi, *scale;  // ncolumn, njoint: what was simulated
  rbv_sim_trace trace;  // q, dq, ddq
  rbv_sim_outcome outcome;
} first_simulation;

/* a run, in one lane */
typedef struct {
  struct worker *worker;
  int number;
  uint64_t run;
  rbv_sim_trace trace;      // the simulated recording
  void *memory;             // of the traces
  rbv_sim_outcome outcome;  // of the recording
  double *start;            // ncolumn
  double *shift;            // njoint
  first_simulation first;
  char *bytes;  // its result
  // the simulation that it waits for
  const rbv_sim_lane *wanted;
  const rbv_sim_trace *target;
  rbv_sim_outcome simulated;
} lane;

typedef struct worker {
  const rbv_montecarlo *study;
  rbv_population *recordings, *fits;  // of its own; NULL: those of a device
  rbv_sim *robot;                     // makes logs and sentences
  rbv_lane_workers *threads;
  rbv_motion *second;  // NULL: none, or the study has its equations
  lane lane[LANES];
} worker;

/* ---- workers ---- */

void rbv_runs_close(void *mine, void *self) {
  (void)self;
  worker *w = mine;
  if (!w) return;
  rbv_lane_workers_free(w->threads);
  for (int k = 0; k < LANES; k++) {
    RBV_FREE_ALL(w->lane[k].memory, w->lane[k].start, w->lane[k].shift, w->lane[k].bytes);
  }
  rbv_motion_free(w->second);
  rbv_population_free(w->recordings);
  rbv_population_free(w->fits);
  rbv_sim_free(w->robot);
  rbv_free(w);
}

/* does more than one method simulate? */
static bool shares_simulation(const rbv_montecarlo *s) {
  int count = 0;
  for (int i = 0; i < s->nmethod; i++)
    count += rbv_method_find(s->base_method[i])->loop != RBV_LOOP_OPEN;
  return count > 1;
}

static void layout_first(first_simulation *f, const rbv_montecarlo *s, rbv_arena *a) {
  const int n = rbv_model_joint_count(s->plan->model);
  const ptrdiff_t ld = shares_simulation(s) ? s->plan->reference.count : 0;
  f->chi = RBV_TAKE(a, rbv_model_column_count(s->plan->model), double);
  f->scale = RBV_TAKE(a, n, double);
  f->trace.ld = ld;
  RBV_TAKE_ALL(a, n * ld, double, &f->trace.q, &f->trace.dq, &f->trace.ddq);
}

/* what a log is made from; the motion itself only for torque sensors */
static void layout_trace(rbv_sim_trace *t, const rbv_montecarlo_plan *p, rbv_arena *a) {
  const int n = rbv_model_joint_count(p->model);
  const bool sensor = rbv_model_sensing(p->plant) != RBV_SENSING_MOTOR;
  double **const all[] = {&t->q,  &t->tau, &t->qr, &t->recorded_q, &t->recorded_tau,
                          &t->dq, &t->ddq};
  t->ld = p->reference.count;
  for (int i = 0; i < (sensor ? 7 : 5); i++) *all[i] = RBV_TAKE(a, n * t->ld, double);
  t->recorded_t = RBV_TAKE(a, t->ld, double);
  t->kept = RBV_TAKE(a, t->ld, bool);
}

static rbv_status fill_lane(lane *at, worker *w, int number) {
  const rbv_montecarlo_plan *p = w->study->plan;
  const int n = rbv_model_joint_count(p->model);
  at->worker = w;
  at->number = number;
  at->start = rbv_alloc((size_t)rbv_model_column_count(p->model) * sizeof *at->start);
  at->shift = rbv_alloc((size_t)n * sizeof *at->shift);
  at->bytes = rbv_alloc(w->study->run_bytes);
  rbv_arena a = {0};
  RBV_CARVE(&a, {
    layout_trace(&at->trace, p, &a);
    layout_first(&at->first, w->study, &a);
  });
  at->memory = a.base;
  return at->start && at->shift && at->bytes && at->memory ? RBV_OK : RBV_EMEM;
}

static rbv_status fill(worker *w, const rbv_montecarlo *s) {
  const rbv_montecarlo_plan *p = s->plan;
  const rbv_sim_lane own = {.chi = p->plant_chi};
  w->study = s;
  for (int k = 0; k < LANES; k++) RBV_TRY(fill_lane(&w->lane[k], w, k));
  if (!s->queue) {
    RBV_TRY(rbv_population_new(&w->recordings, p->plant, p->control, &p->sim, LANES, NULL));
    RBV_TRY(rbv_population_new(&w->fits, p->model, s->assumed, &s->assumed_sim, LANES, NULL));
  }
  RBV_TRY(rbv_sim_new(&w->robot, p->plant, p->control, &p->sim, 1));
  RBV_TRY(rbv_sim_set(w->robot, 0, &own));
  RBV_TRY(rbv_lane_workers_new(&w->threads, LANES, LANES));
  return s->second_sim && !s->second
             ? rbv_sim_motion(&w->second, s->second_sim, 0, &s->second_trace, &s->second_outcome)
             : RBV_OK;
}

rbv_status rbv_runs_open(void **mine, void *self, int thread) {
  (void)thread;
  RBV_NEW(worker, w, 1);
  RBV_GIVE(mine, w, fill(w, self), rbv_runs_close(w, self));
}

/* ---- random inputs of a run ---- */

/* up to half an encoder count in both directions */
static void draw_shift(double *shift, const rbv_montecarlo_plan *p, uint64_t run) {
  const double counts = fmax(p->sim.defects.loop_counts, p->sim.defects.record_counts);
  for (int j = 0; j < rbv_model_joint_count(p->model); j++) {
    const bool turns = rbv_model_joint(p->model, j)->type == RBV_JOINT_REVOLUTE;
    const double step = p->shift && counts > 0 ? (turns ? 2 * RBV_PI : 1) / counts : 0;
    shift[j] = step * (rbv_random_uniform(p->seed, STREAM_SHIFT + (uint64_t)j, run) - 0.5);
  }
}

/* inertias with random errors, and no friction */
static void draw_start(double *start, const rbv_montecarlo_plan *p, uint64_t run) {
  for (int c = 0; c < rbv_model_column_count(p->model); c++) {
    const rbv_column *column = rbv_model_column(p->model, c);
    const bool inertia = column->basis == RBV_BASIS_INERTIAL || rbv_column_has_law(column, "Ia");
    const double u = rbv_random_uniform(p->seed, STREAM_START + (uint64_t)c, run);
    start[c] = inertia ? p->chi[c] * (START_LOW + (START_HIGH - START_LOW) * u) : 0;
  }
}

/* ---- simulations for the methods ---- */

/* plants in the lanes of this worker, or together with those of others on a device */
static rbv_status simulate(rbv_sim_outcome *outcome, const worker *w, bool recording,
                           const rbv_sim_reference *reference, const rbv_sim_lane *plants,
                           const rbv_sim_trace *trace, int count) {
  const rbv_montecarlo *s = w->study;
  if (s->queue)
    return rbv_device_queue_run(outcome, s->queue, recording ? s->recordings : s->fits, reference,
                                plants, trace, count);
  const rbv_population_run_plan plan = {.reference = *reference, .trace = trace};
  bool stopped;
  return rbv_population_run(NULL, outcome, &stopped, recording ? w->recordings : w->fits, &plan,
                            plants, count);
}

/* simulate for all lanes that wait */
static rbv_status simulate_waiting(void *self, const bool *waiting) {
  worker *w = self;
  const rbv_sim_reference *r = &w->study->plan->reference;
  // methods know the reference positions only
  const rbv_sim_reference reference = {.count = r->count, .ld = r->ld, .q = r->q};
  rbv_sim_lane plants[LANES];
  rbv_sim_trace trace[LANES];
  rbv_sim_outcome outcome[LANES];
  int count = 0;
  for (int k = 0; k < LANES; k++) {
    if (!waiting[k]) continue;
    plants[count] = *w->lane[k].wanted;
    trace[count++] = *w->lane[k].target;
  }
  RBV_TRY(simulate(outcome, w, false, &reference, plants, trace, count));
  for (int k = LANES - 1; k >= 0; k--)
    if (waiting[k]) w->lane[k].simulated = outcome[--count];
  return RBV_OK;
}

static void copy_motion(const rbv_sim_trace *to, const rbv_sim_trace *from, int n) {
  const double *const source[] = {from->q, from->dq, from->ddq};
  double *const target[] = {to->q, to->dq, to->ddq};
  for (int i = 0; i < RBV_COUNT(source); i++)
    for (int j = 0; j < n; j++)
      memcpy(target[i] + j * to->ld, source[i] + j * from->ld,
             (size_t)(to->ld < from->ld ? to->ld : from->ld) * sizeof *target[i]);
}

static bool same(const double *a, const double *b, int n) {
  return memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

/* is this the first simulation of the run again? */
static bool recall_first(rbv_sim_outcome *outcome, const first_simulation *f, const rbv_model *m,
                         const rbv_sim_lane *given, const rbv_sim_trace *trace) {
  const int n = rbv_model_joint_count(m);
  if (!f->known || !same(given->chi, f->chi, rbv_model_column_count(m)) ||
      !same(given->scale, f->scale, n))
    return false;
  copy_motion(trace, &f->trace, n);
  *outcome = f->outcome;
  return true;
}

static void keep_first(first_simulation *f, const rbv_model *m, const rbv_sim_lane *given,
                       const rbv_sim_trace *trace, const rbv_sim_outcome *outcome) {
  const int n = rbv_model_joint_count(m);
  if (f->known || f->trace.ld == 0) return;
  f->known = true;
  memcpy(f->chi, given->chi, (size_t)rbv_model_column_count(m) * sizeof *f->chi);
  memcpy(f->scale, given->scale, (size_t)n * sizeof *f->scale);
  copy_motion(&f->trace, trace, n);
  f->outcome = *outcome;
}

/* rbv_simulator of a run, which has one motion */
static rbv_status simulate_assumed(rbv_sim_outcome *outcome, void *self, int motion,
                                   const rbv_sim_lane *given, const rbv_sim_trace *trace) {
  (void)motion;
  lane *at = self;
  const rbv_model *m = at->worker->study->plan->model;
  rbv_sim_lane own = *given;
  if (recall_first(outcome, &at->first, m, given, trace)) return RBV_OK;
  own.shift = at->shift;
  // the controller feeds forward the torque of the estimated model
  if (rbv_control_get_feedforward(at->worker->study->assumed) != RBV_FEEDFORWARD_NONE)
    own.known = own.chi;
  at->wanted = &own;
  at->target = trace;
  RBV_TRY(rbv_lane_workers_wait(at->worker->threads, at->number));
  *outcome = at->simulated;
  keep_first(&at->first, m, given, trace, outcome);
  return RBV_OK;
}

/* ---- one run ---- */

/* copy a sentence, cut to the size of the field */
static void copy_reason(char to[REASON], const char *sentence) {
  snprintf(to, REASON, "%.*s", REASON - 1, sentence);
}

/* relative error of the torques on the second motion */
static rbv_status predict_second(double *error, const worker *w, const double *chi) {
  const rbv_montecarlo *s = w->study;
  if (w->second)
    return rbv_predict_error(error, s->plan->model, &w->second, 1, chi, &s->plan->filter);
  double rss = 0, yy = 0;
  for (int g = 0; s->second && g < rbv_equations_group_count(s->second); g++) {
    double a, b;
    rbv_equations_residual(&a, &b, s->second, g, chi);
    rss += a;
    yy += b;
  }
  *error = s->second ? sqrt(rss / yy) : NAN;
  return RBV_OK;
}

static rbv_status put_estimate(method_head *to, const worker *w, const rbv_estimate *e) {
  const rbv_montecarlo *s = w->study;
  double *value = (double *)(to + 1), *sigma = value + s->nparameter;
  double *bound = sigma + s->nparameter;
  const bool bounded = rbv_method_find(e->method)->bounded;
  for (int k = 0; k < s->nparameter; k++) value[k] = sigma[k] = bound[k] = NAN;
  for (int i = 0; i < e->base->count; i++) {
    const int k = s->parameter[e->base->kept[i]];
    value[k] = e->value[i];
    sigma[k] = sqrt(e->covariance[i + (ptrdiff_t)i * e->base->count]);
    if (bounded) bound[k] = e->sigma_white[i];
  }
  to->outcome = e->converged ? OUTCOME_CONVERGED : OUTCOME_NOT_CONVERGED;
  to->iterations = e->iterations;
  to->fit_error = e->fit.relative_error;
  return predict_second(&to->second_error, w, e->chi);
}

/* a method that fails is a result; out of memory is an error */
static rbv_status try_method(const lane *at, int method, rbv_motion *motion,
                             const rbv_closed_loop *loop) {
  const rbv_montecarlo *s = at->worker->study;
  method_head *to = (method_head *)(void *)(at->bytes + method_at(s, method));
  rbv_identify_options how = rbv_identify_defaults();
  how.method = s->base_method[method];
  how.columns = s->columns + (s->stribeck[method] ? rbv_model_column_count(s->plan->model) : 0);
  how.filter = s->plan->filter;
  how.loop = loop;
  how.seed = s->plan->seed;
  how.brief = true;
  rbv_estimate *e;
  const rbv_status status = rbv_identify(&e, s->plan->model, &motion, 1, &how);
  if (status == RBV_EMEM) return status;
  if (status != RBV_OK) {
    to->outcome = OUTCOME_FAILED;
    copy_reason(to->reason, rbv_message());
    return RBV_OK;
  }
  const rbv_status put = put_estimate(to, at->worker, e);
  rbv_estimate_free(e);
  return put;
}

/* apply all methods to the recording of a run, which is differentiated once */
static rbv_status try_methods(lane *at) {
  const rbv_montecarlo *s = at->worker->study;
  const rbv_montecarlo_plan *p = s->plan;
  const rbv_sim_reference reference = {
      .count = p->reference.count, .ld = at->trace.ld, .q = at->trace.qr};
  rbv_closed_loop loop = rbv_closed_loop_defaults();
  loop.control = s->assumed;
  loop.reference = &reference;
  loop.start = at->start;
  loop.skip = p->skip;
  loop.simulator = simulate_assumed;
  loop.simulator_self = at;
  const rbv_sim_columns columns = {.reference = true};
  rbv_log *log;
  rbv_motion *motion = NULL;
  draw_start(at->start, p, at->run);
  RBV_TRY(rbv_sim_log(&log, at->worker->robot, 0, &at->trace, &at->outcome, &columns));
  rbv_status status = rbv_motion_from_log(&motion, p->model, log, &p->differentiate);
  // after resampling there is no reference for the samples
  if (status == RBV_OK && rbv_motion_get_origin(motion)->resampled) loop.reference = NULL;
  for (int i = 0; i < s->nmethod && status == RBV_OK; i++)
    status = try_method(at, i, motion, &loop);
  rbv_motion_free(motion);
  rbv_log_free(log);
  return status;
}

static rbv_status work(void *self, int number) {
  worker *w = self;
  lane *at = &w->lane[number];
  memset(at->bytes, 0, w->study->run_bytes);
  if (at->outcome.verdict == RBV_SIM_DONE) return try_methods(at);
  run_head *head = (run_head *)(void *)at->bytes;
  char sentence[512];
  rbv_sim_describe(sentence, sizeof sentence, w->robot, &at->outcome);
  head->diverged = 1;
  copy_reason(head->reason, sentence);
  return RBV_OK;
}

/* ---- the runs of a job ---- */

static rbv_status record(worker *w, int first) {
  const rbv_montecarlo_plan *p = w->study->plan;
  const bool feeds = rbv_control_get_feedforward(p->control) != RBV_FEEDFORWARD_NONE;
  rbv_sim_lane plants[LANES];
  rbv_sim_trace trace[LANES];
  rbv_sim_outcome outcome[LANES];
  for (int k = 0; k < LANES; k++) {
    lane *at = &w->lane[k];
    at->run = (uint64_t)(first + k);
    at->first.known = false;
    draw_shift(at->shift, p, at->run);
    plants[k] = (rbv_sim_lane){.chi = p->plant_chi,
                               .known = feeds ? p->plant_chi : NULL,
                               .shift = at->shift,
                               .seed = rbv_random_bits(p->seed, STREAM_SEED, at->run)};
    trace[k] = at->trace;
  }
  RBV_TRY(simulate(outcome, w, true, &p->reference, plants, trace, LANES));
  for (int k = 0; k < LANES; k++) w->lane[k].outcome = outcome[k];
  return RBV_OK;
}

/* all lanes are simulated, also those without a run: results do not depend on the number of runs */
static rbv_status run_job(worker *w, int first, int count) {
  const rbv_lane_task task = {work, simulate_waiting, w};
  RBV_TRY(record(w, first));
  return rbv_lane_workers_run(w->threads, count, &task);
}

rbv_status rbv_runs_run(rbv_bytes *out, void *mine, void *self, ptrdiff_t index) {
  const rbv_montecarlo *s = self;
  worker *w = mine;
  const int first = (int)index * LANES;
  const int count = s->runs - first < LANES ? s->runs - first : LANES;
  rbv_device_queue_enter(s->queue);
  const rbv_status status = run_job(w, first, count);
  rbv_device_queue_leave(s->queue);
  RBV_TRY(status);
  for (int k = 0; k < count; k++) rbv_bytes_add(out, w->lane[k].bytes, s->run_bytes);
  return RBV_OK;
}

/* ---- preparation ---- */

/* parameters of a fit can all differ from zero */
static rbv_status check_fits(rbv_montecarlo *s) {
  const int count = rbv_model_column_count(s->plan->model);
  RBV_NEW(double, chi, count);
  for (int c = 0; c < count; c++) chi[c] = 1;
  RBV_FINISH(rbv_population_check(s->fits, &(rbv_sim_lane){.chi = chi}), rbv_free(chi));
}

rbv_status rbv_runs_device(rbv_montecarlo *s) {
  const rbv_montecarlo_plan *p = s->plan;
  if (rbv_control_get_feedforward(p->control) != RBV_FEEDFORWARD_NONE)
    return rbv_fail(RBV_EUNSUPPORTED,
                    "a device cannot feed forward the torque of a model that differs by run");
  RBV_TRY(rbv_population_new(&s->recordings, p->plant, p->control, &p->sim, LANES, p->device));
  RBV_TRY(rbv_population_new(&s->fits, p->model, s->assumed, &s->assumed_sim, LANES, p->device));
  RBV_TRY(rbv_population_check(s->recordings, &(rbv_sim_lane){.chi = p->plant_chi}));
  RBV_TRY(check_fits(s));
  return rbv_device_queue_new(&s->queue, p->threads, DEVICE_WORKERS);
}

/* The equations of the second motion, once for all estimates. Friction that depends on the load of
 * the gears has other columns for each. */
static rbv_status prepare_second(rbv_montecarlo *s) {
  const rbv_montecarlo_plan *p = s->plan;
  const int count = rbv_model_column_count(p->model);
  for (int c = 0; c < count; c++) {
    const rbv_law *law = rbv_model_column(p->model, c)->law;
    if (law && rbv_law_uses_torque(law)) return RBV_OK;
  }
  int *all = rbv_alloc((size_t)count * sizeof *all);
  rbv_motion *motion = NULL;
  for (int c = 0; c < count && all; c++) all[c] = c;
  rbv_status status =
      all ? rbv_equations_new(&s->second, p->model, all, count, &p->filter) : RBV_EMEM;
  if (status == RBV_OK)
    status = rbv_sim_motion(&motion, s->second_sim, 0, &s->second_trace, &s->second_outcome);
  if (status == RBV_OK) status = rbv_equations_add(s->second, motion);
  rbv_motion_free(motion);
  rbv_free(all);
  return status;
}

rbv_status rbv_runs_second(rbv_montecarlo *s) {
  const rbv_montecarlo_plan *p = s->plan;
  rbv_sim_options o = p->sim;
  // keep the plant, without sensor errors and random disturbances
  o.defects = (rbv_sim_defects){.loop_delay = p->sim.defects.loop_delay};
  const rbv_sim_lane own = {.chi = p->plant_chi, .seed = p->seed};
  RBV_TRY(rbv_sim_new(&s->second_sim, p->plant, p->control, &o, 1));
  RBV_TRY(rbv_sim_set(s->second_sim, 0, &own));
  RBV_TRY(rbv_sim_trace_new(&s->second_trace, rbv_model_joint_count(p->model), p->second.count));
  RBV_TRY(rbv_sim_run(&s->second_outcome, s->second_sim, &p->second, &s->second_trace));
  if (s->second_outcome.verdict == RBV_SIM_DONE) return prepare_second(s);
  char sentence[512];
  rbv_sim_describe(sentence, sizeof sentence, s->second_sim, &s->second_outcome);
  return rbv_fail(RBV_EINPUT, "the motion for the validation: %s", sentence);
}

rbv_status rbv_runs_method(const char **base_method, bool *stribeck, const char *method) {
  for (int i = 0; rbv_identify_method(i); i++) {
    const char *name = rbv_identify_method(i);
    const size_t length = strlen(name);
    if (strncmp(method, name, length) != 0) continue;
    *base_method = name;
    *stribeck = strcmp(method + length, RBV_MONTECARLO_STRIBECK) == 0;
    if (*stribeck || method[length] == 0) return RBV_OK;
  }
  return rbv_fail(RBV_EARG, "the method '%s' is not known", method);
}

rbv_status rbv_runs_unknowns(rbv_montecarlo *s) {
  const rbv_model *m = s->plan->model;
  const size_t count = (size_t)rbv_model_column_count(m);
  rbv_base *base;
  RBV_TRY(rbv_base_new(&base, m, NULL));
  s->columns = rbv_alloc(2 * count * sizeof *s->columns);
  s->parameter = rbv_alloc(count * sizeof *s->parameter);
  const rbv_status status = s->columns && s->parameter ? RBV_OK : RBV_EMEM;
  for (size_t c = 0; c < count && status == RBV_OK; c++) s->parameter[c] = -1;
  for (int k = 0; k < base->count && status == RBV_OK; k++) {
    const int c = base->kept[k];
    const bool stribeck = rbv_column_has_law(rbv_model_column(m, c), "Fs");
    s->parameter[c] = k;
    s->columns[c] = !stribeck && !(s->plan->nonzero && s->truth[k] == 0);
    s->columns[(size_t)c + count] = stribeck || s->columns[c];
  }
  rbv_base_free(base);
  for (int i = 0; i < s->nmethod && status == RBV_OK; i++)
    RBV_TRY(rbv_runs_method(&s->base_method[i], &s->stribeck[i], s->method[i]));
  return status;
}

rbv_status rbv_runs_assumed_control(rbv_control **out, const rbv_control *c, double error) {
  const int n = rbv_control_joint_count(c);
  RBV_NEW(rbv_control_joint, joint, n);
  double factor = 1 + error;
  for (int j = 0; j < n; j++) {
    joint[j] = *rbv_control_get_joint(c, j);
    double *const gain[] = {&joint[j].k_x, &joint[j].k_p, &joint[j].k_i, &joint[j].k_d};
    for (int i = 0; i < RBV_COUNT(gain); i++)
      if (*gain[i] != 0) {
        *gain[i] *= factor;
        factor = 2 - factor;
      }
    if (joint[j].kind != RBV_CONTROL_TRANSFER) continue;
    for (int i = 0; i < joint[j].transfer.nnum; i++) joint[j].transfer.num[i] *= factor;
    factor = 2 - factor;
  }
  RBV_FINISH(rbv_control_new(out, rbv_control_name(c), rbv_control_rate_hz(c),
                             rbv_control_get_feedforward(c), joint, n),
             rbv_free(joint));
}
