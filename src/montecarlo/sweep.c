/* Sweeps: draw plants from the covariance of a result, simulate them, summarise their runs. */
#include "montecarlo/montecarlo.h"

#include <math.h>
#include <roberval/sys/document.h>
#include <roberval/sys/stats.h>
#include <stdlib.h>
#include <string.h>
#include "storage/storage.h"

#include "base/support.h"

#define CPU_PLANTS 64       // of one job
#define DEVICE_PLANTS 8192  // of one job: less than a second on a device

/* streams of random numbers: of the blocks of the jackknife, of single parameters, seeds of runs */
enum { STREAM_BLOCK = 1000, STREAM_OWN = 100000, STREAM_SEED = 1 };

static const double levels[RBV_SWEEP_LEVELS] = {0.05, 0.5, 0.95, 0.99, 1};

double rbv_sweep_level(int i) { return i >= 0 && i < RBV_SWEEP_LEVELS ? levels[i] : NAN; }

static const char *const quantities[] = {"tracking_rms", "tracking_most", "torque_rms",
                                         "torque_most"};

const char *rbv_sweep_quantity_name(int i) {
  return i >= 0 && i < RBV_COUNT(quantities) ? quantities[i] : NULL;
}

/* result of a plant, followed by its rbv_run_sums */
typedef struct {
  int32_t verdict, joint;
  int64_t samples;
  double time_s, value;
} plant_head;

struct rbv_sweep {
  rbv_sweep_plan plan;
  int n, ncolumn, count;  // joints, columns, parameters of the result
  int *column;            // count: of each parameter
  double *chi;            // ncolumn: estimated
  double *direction;      // nblock x count: rows that random numbers multiply; see find_directions
  int nblock;
  int drawn;
  rbv_run_sums *own;  // n
  char *description;
  int per_job;
  size_t bytes;  // of a plant
  char *result;  // bytes x plants
  bool *known;   // plants: has a result
  rbv_jobs jobs;
  // summary
  rbv_sweep_summary summary;
  double *quantile, *value, *worst_value;
  rbv_sweep_case *worst;
};

/* ---- drawing ---- */

/*
 * Estimates without a block of data differ as independent data would make them differ: sums of
 * their deviations, with normal random factors, have the covariance of the jackknife. Each column
 * is scaled to the sigma of the result, so that only the correlation comes from the blocks.
 */
static rbv_status find_directions(rbv_sweep *s) {
  const rbv_result *r = s->plan.result;
  const rbv_jackknife *j = &r->jackknife;
  const int n = s->count;
  s->nblock = j->nblock >= 2 && j->deviation ? j->nblock : 0;
  s->direction = rbv_alloc(((size_t)s->nblock + 1) * (size_t)n * sizeof *s->direction);
  if (!s->direction) return RBV_EMEM;
  double *own = s->direction + (ptrdiff_t)s->nblock * n;  // factor of a number of its own
  for (int k = 0; k < n; k++) {
    const double sigma = r->estimate.item[k].sigma * s->plan.spread;
    const bool varies = isfinite(sigma) && sigma > 0;
    s->drawn += varies;
    double mean = 0, sum = 0;
    for (int b = 0; b < s->nblock; b++) mean += j->deviation[k + (ptrdiff_t)b * n] / s->nblock;
    for (int b = 0; b < s->nblock; b++) {
      double *at = &s->direction[k + (ptrdiff_t)b * n];
      *at = j->deviation[k + (ptrdiff_t)b * n] - mean;
      sum += *at * *at;
    }
    const double factor = varies && sum > 0 ? sigma / sqrt(sum) : 0;
    for (int b = 0; b < s->nblock; b++) s->direction[k + (ptrdiff_t)b * n] *= factor;
    own[k] = varies && !(sum > 0) ? sigma : 0;
  }
  if (s->drawn == 0)
    return rbv_fail(RBV_EINPUT,
                    "the result has no sigma: identify again with a method that estimates it");
  return RBV_OK;
}

void rbv_sweep_draw(double *value, const rbv_sweep *s, int plant) {
  const int n = s->count;
  const double *own = s->direction + (ptrdiff_t)s->nblock * n;
  for (int k = 0; k < n; k++) {
    value[k] = s->plan.result->estimate.item[k].value;
    if (own[k] > 0)
      value[k] +=
          own[k] * rbv_random_normal(s->plan.seed, STREAM_OWN + (uint64_t)k, (uint64_t)plant);
  }
  for (int b = 0; b < s->nblock; b++) {
    const double z = rbv_random_normal(s->plan.seed, STREAM_BLOCK + (uint64_t)b, (uint64_t)plant);
    for (int k = 0; k < n; k++) value[k] += z * s->direction[k + (ptrdiff_t)b * n];
  }
}

/* ---- jobs ---- */

typedef struct {
  rbv_population *population;
  double *chi;    // ncolumn x per_job
  double *value;  // count
  rbv_sim_lane *lane;
  rbv_run_sums *sums;
  rbv_sim_outcome *outcome;
} worker;

static void close_worker(void *mine, void *self) {
  (void)self;
  worker *w = mine;
  if (!w) return;
  rbv_population_free(w->population);
  RBV_FREE_ALL(w->chi, w->value, w->lane, w->sums, w->outcome, w);
}

static rbv_status fill_worker(worker *w, const rbv_sweep *s) {
  const size_t p = (size_t)s->per_job;
  w->chi = rbv_alloc(p * (size_t)s->ncolumn * sizeof *w->chi);
  w->value = rbv_alloc((size_t)s->count * sizeof *w->value);
  w->lane = rbv_alloc(p * sizeof *w->lane);
  w->sums = rbv_alloc(p * (size_t)s->n * sizeof *w->sums);
  w->outcome = rbv_alloc(p * sizeof *w->outcome);
  if (!w->chi || !w->value || !w->lane || !w->sums || !w->outcome) return RBV_EMEM;
  return rbv_population_new(&w->population, s->plan.model, s->plan.control, &s->plan.sim, 0,
                            s->plan.device);
}

static rbv_status open_worker(void **mine, void *self, int thread) {
  (void)thread;
  RBV_NEW(worker, w, 1);
  RBV_GIVE(mine, w, fill_worker(w, self), close_worker(w, self));
}

static rbv_status simulate(worker *w, const rbv_sweep *s, int count) {
  const rbv_population_run_plan plan = {.reference = s->plan.reference, .known = s->chi};
  bool stopped;
  return rbv_population_run(w->sums, w->outcome, &stopped, w->population, &plan, w->lane, count);
}

static rbv_status run_job(rbv_bytes *out, void *mine, void *self, ptrdiff_t index) {
  const rbv_sweep *s = self;
  worker *w = mine;
  const int first = (int)index * s->per_job;
  const int count = s->plan.plants - first < s->per_job ? s->plan.plants - first : s->per_job;
  for (int i = 0; i < count; i++) {
    double *chi = w->chi + (ptrdiff_t)i * s->ncolumn;
    memcpy(chi, s->chi, (size_t)s->ncolumn * sizeof *chi);
    rbv_sweep_draw(w->value, s, first + i);
    for (int k = 0; k < s->count; k++) chi[s->column[k]] = w->value[k];
    w->lane[i] = (rbv_sim_lane){
        .chi = chi, .seed = rbv_random_bits(s->plan.seed, STREAM_SEED, (uint64_t)(first + i))};
  }
  RBV_TRY(simulate(w, s, count));
  for (int i = 0; i < count; i++) {
    const rbv_sim_outcome *o = &w->outcome[i];
    const plant_head head = {.verdict = (int32_t)o->verdict,
                             .joint = o->joint,
                             .samples = o->samples,
                             .time_s = o->time_s,
                             .value = o->value};
    rbv_bytes_add(out, &head, sizeof head);
    rbv_bytes_add(out, w->sums + (ptrdiff_t)i * s->n, (size_t)s->n * sizeof *w->sums);
  }
  return RBV_OK;
}

static rbv_status take_job(void *self, ptrdiff_t index, const void *data, size_t size) {
  rbv_sweep *s = self;
  const int first = (int)index * s->per_job;
  const int count = s->plan.plants - first < s->per_job ? s->plan.plants - first : s->per_job;
  if (count < 1 || size != (size_t)count * s->bytes)
    return rbv_fail(RBV_EINPUT, "the results of job %td belong to another sweep", index);
  memcpy(s->result + (size_t)first * s->bytes, data, size);
  for (int i = 0; i < count; i++) s->known[first + i] = true;
  return RBV_OK;
}

/* ---- description ---- */

static void put_hash(rbv_json *json, const char *key, const void *data, size_t size) {
  char hash[65];
  rbv_hash_bytes(hash, data, size);
  rbv_json_put_string(json, key, hash);
}

static rbv_status describe(rbv_json *json, const rbv_sweep *s) {
  const rbv_sweep_plan *p = &s->plan;
  const rbv_sim_reference *r = &p->reference;
  const rbv_sim_defects *d = &p->sim.defects;
  char *control;
  size_t size;
  RBV_TRY(rbv_control_format(&control, &size, p->control));
  rbv_json_map(json);
  rbv_json_put_string(json, "version", rbv_version());
  rbv_json_put_string(json, "device", rbv_device_name(p->device));
  rbv_json_put_string(json, "robot_sha256", p->robot);
  rbv_json_put_int(json, "plants", p->plants);
  rbv_json_put_int(json, "plants_per_job", s->per_job);
  rbv_json_put_int(json, "seed", (long long)p->seed);
  rbv_json_put_string(json, "controller", control);
  rbv_json_put_int(json, "samples", r->count);
  for (int j = 0; j < s->n; j++)
    put_hash(json, "reference_sha256", r->q + j * r->ld, (size_t)r->count * sizeof *r->q);
  put_hash(json, "parameters_sha256", s->chi, (size_t)s->ncolumn * sizeof *s->chi);
  put_hash(json, "directions_sha256", s->direction,
           ((size_t)s->nblock + 1) * (size_t)s->count * sizeof *s->direction);
  rbv_json_put_string(json, "integrator", rbv_integrator_name(p->sim.integrator));
  rbv_json_put_int(json, "substeps", p->sim.substeps);
  rbv_json_put_real(json, "gamma", p->sim.gamma);
  rbv_json_put_bool(json, "loaded", p->sim.loaded);
  rbv_json_put_real(json, "loop_counts", d->loop_counts);
  rbv_json_put_real(json, "loop_noise_rad", d->loop_noise);
  rbv_json_put_int(json, "loop_delay_samples", d->loop_delay);
  rbv_json_put_real(json, "actuator_delay_s", d->actuator_delay_s);
  rbv_json_put_real(json, "disturbance_hz", d->disturbance_hz);
  for (int j = 0; j < s->n && d->disturbance; j++)
    rbv_json_put_real(json, "disturbance_Nm", d->disturbance[j]);
  for (int j = 0; j < s->n; j++)
    rbv_json_put_real(json, "smooth", rbv_model_smoothing(p->model, j).speed);
  rbv_json_end(json);
  rbv_file_free(control);
  return RBV_OK;
}

static rbv_status write_description(rbv_sweep *s) {
  rbv_json *json;
  const char *text;
  size_t size;
  RBV_TRY(rbv_json_new(&json));
  rbv_status status = describe(json, s);
  if (status == RBV_OK) status = rbv_json_finish(&text, &size, json);
  if (status == RBV_OK && !(s->description = rbv_strndup(text, size))) status = RBV_EMEM;
  rbv_json_free(json);
  return status;
}

/* ---- making one ---- */

/* the run with the estimated parameters, as one plant */
static rbv_status run_own(rbv_sweep *s) {
  void *mine = NULL;
  RBV_TRY(open_worker(&mine, s, 0));
  worker *w = mine;
  w->lane[0] = (rbv_sim_lane){.chi = s->chi, .seed = s->plan.seed};
  rbv_status status = simulate(w, s, 1);
  if (status == RBV_OK) memcpy(s->own, w->sums, (size_t)s->n * sizeof *s->own);
  if (status == RBV_OK && w->outcome[0].verdict != RBV_SIM_DONE)
    status =
        rbv_fail(RBV_EINPUT,
                 "the loop diverges with the estimated parameters at t = %.4g s: a sweep needs "
                 "a controller that works with them",
                 w->outcome[0].time_s);
  close_worker(w, s);
  return status;
}

static rbv_status fill(rbv_sweep *s) {
  const rbv_sweep_plan *p = &s->plan;
  const rbv_parameters *set = &p->result->estimate;
  s->column = rbv_alloc((size_t)s->count * sizeof *s->column);
  s->chi = rbv_alloc((size_t)s->ncolumn * sizeof *s->chi);
  s->own = rbv_alloc((size_t)s->n * sizeof *s->own);
  s->result = rbv_alloc((size_t)p->plants * s->bytes);
  s->known = rbv_alloc((size_t)p->plants * sizeof *s->known);
  if (!s->column || !s->chi || !s->own || !s->result || !s->known) return RBV_EMEM;
  RBV_TRY(rbv_parameters_apply(s->chi, NULL, set, p->model));
  for (int k = 0; k < s->count; k++) s->column[k] = rbv_model_find(p->model, set->item[k].name);
  RBV_TRY(find_directions(s));
  RBV_TRY(write_description(s));
  s->jobs = (rbv_jobs){.name = "sweep",
                       .description = s->description,
                       .count = (p->plants + s->per_job - 1) / s->per_job,
                       .self = s,
                       .open = open_worker,
                       .close = close_worker,
                       .run = run_job,
                       .take = take_job};
  return run_own(s);
}

rbv_status rbv_sweep_new(rbv_sweep **out, const rbv_sweep_plan *plan) {
  *out = NULL;
  if (plan->plants < 1 || plan->worst < 0 || !(plan->spread > 0))
    return rbv_fail(RBV_EARG, "a sweep needs plants and a positive spread");
  RBV_NEW(rbv_sweep, s, 1);
  *s = (rbv_sweep){.plan = *plan,
                   .n = rbv_model_joint_count(plan->model),
                   .ncolumn = rbv_model_column_count(plan->model),
                   .count = plan->result->estimate.count,
                   .per_job = plan->device ? DEVICE_PLANTS : CPU_PLANTS};
  s->bytes = sizeof(plant_head) + (size_t)s->n * sizeof(rbv_run_sums);
  RBV_GIVE(out, s, fill(s), rbv_sweep_free(s));
}

void rbv_sweep_free(rbv_sweep *s) {
  if (!s) return;
  RBV_FREE_ALL(s->column, s->chi, s->direction, s->own, s->description, s->result, s->known,
               s->quantile, s->value, s->worst_value, s->worst, s);
}

const rbv_jobs *rbv_sweep_jobs(const rbv_sweep *s) { return &s->jobs; }

/* ---- summary ---- */

static plant_head head_of(const rbv_sweep *s, int plant) {
  plant_head head;
  memcpy(&head, s->result + (size_t)plant * s->bytes, sizeof head);
  return head;
}

static rbv_run_sums sums_of(const rbv_sweep *s, int plant, int joint) {
  rbv_run_sums sums;
  memcpy(&sums,
         s->result + (size_t)plant * s->bytes + sizeof(plant_head) + (size_t)joint * sizeof sums,
         sizeof sums);
  return sums;
}

static double quantity_of(const rbv_run_sums *s, int quantity) {
  switch (quantity) {
    case RBV_SWEEP_TRACKING_RMS: return s->tracking_rms;
    case RBV_SWEEP_TRACKING_MOST: return s->tracking_most;
    case RBV_SWEEP_TORQUE_RMS: return s->torque_rms;
    default: return s->torque_most;
  }
}

static rbv_sweep_case judge(const rbv_sweep *s, int plant) {
  const plant_head h = head_of(s, plant);
  rbv_sweep_case c = {.plant = plant, .joint = h.joint, .ratio = INFINITY};
  c.outcome = (rbv_sim_outcome){.verdict = (rbv_sim_verdict)h.verdict,
                                .samples = (ptrdiff_t)h.samples,
                                .joint = h.joint,
                                .time_s = h.time_s,
                                .value = h.value};
  if (c.outcome.verdict != RBV_SIM_DONE) return c;
  c.ratio = 0;
  for (int j = 0; j < s->n; j++) {
    const double ratio = sums_of(s, plant, j).tracking_rms / s->own[j].tracking_rms;
    if (!(ratio > c.ratio)) continue;
    c.ratio = ratio;
    c.joint = j;
  }
  return c;
}

/* the larger ratio first, then the smaller number */
static int by_ratio(const void *a, const void *b) {
  const rbv_sweep_case *x = a, *y = b;
  if (x->ratio != y->ratio) return x->ratio < y->ratio ? 1 : -1;
  return (x->plant > y->plant) - (x->plant < y->plant);
}

static rbv_status find_quantiles(rbv_sweep *s) {
  rbv_sweep_summary *to = &s->summary;
  const size_t rows = (size_t)(RBV_SWEEP_QUANTITIES * s->n);
  s->quantile = rbv_alloc(rows * RBV_SWEEP_LEVELS * sizeof *s->quantile);
  s->value = rbv_alloc((rows * (size_t)to->done + 1) * sizeof *s->value);
  if (!s->quantile || !s->value) return RBV_EMEM;
  for (int u = 0; u < RBV_SWEEP_QUANTITIES; u++)
    for (int j = 0; j < s->n; j++) {
      double *q = s->quantile + (u * s->n + j) * RBV_SWEEP_LEVELS;
      double *x = s->value + (ptrdiff_t)(u * s->n + j) * to->done;
      int count = 0;
      for (int p = 0; p < s->plan.plants; p++) {
        if (!s->known[p] || head_of(s, p).verdict != RBV_SIM_DONE) continue;
        const rbv_run_sums sums = sums_of(s, p, j);
        x[count++] = quantity_of(&sums, u);
      }
      for (int l = 0; l < RBV_SWEEP_LEVELS; l++) q[l] = NAN;
      if (count > 0) RBV_TRY(rbv_stats_quantiles(q, x, x, count, levels, RBV_SWEEP_LEVELS));
    }
  to->quantile = s->quantile;
  to->value = s->value;
  return RBV_OK;
}

static rbv_status find_worst(rbv_sweep *s) {
  rbv_sweep_summary *to = &s->summary;
  s->worst = rbv_alloc(((size_t)to->plants + 1) * sizeof *s->worst);
  if (!s->worst) return RBV_EMEM;
  int count = 0;
  for (int p = 0; p < s->plan.plants; p++)
    if (s->known[p] && head_of(s, p).verdict != RBV_SIM_SINGULAR) s->worst[count++] = judge(s, p);
  qsort(s->worst, (size_t)count, sizeof *s->worst, by_ratio);
  to->nworst = count < s->plan.worst ? count : s->plan.worst;
  s->worst_value = rbv_alloc(((size_t)to->nworst * (size_t)s->count + 1) * sizeof *s->worst_value);
  if (!s->worst_value) return RBV_EMEM;
  for (int i = 0; i < to->nworst; i++) {
    double *value = s->worst_value + (ptrdiff_t)i * s->count;
    rbv_sweep_draw(value, s, s->worst[i].plant);
    s->worst[i].value = value;
  }
  to->worst = s->worst;
  return RBV_OK;
}

rbv_status rbv_sweep_summarise(const rbv_sweep_summary **out, rbv_sweep *s) {
  rbv_sweep_summary *to = &s->summary;
  *to = (rbv_sweep_summary){
      .njoint = s->n, .parameters = s->drawn, .correlated = s->nblock > 0, .own = s->own};
  for (int p = 0; p < s->plan.plants; p++) {
    if (!s->known[p]) continue;
    const int32_t verdict = head_of(s, p).verdict;
    to->plants++;
    to->done += verdict == RBV_SIM_DONE;
    to->rejected += verdict == RBV_SIM_SINGULAR;
  }
  to->diverged = to->plants - to->done - to->rejected;
  RBV_TRY(find_quantiles(s));
  RBV_TRY(find_worst(s));
  *out = to;
  return RBV_OK;
}
