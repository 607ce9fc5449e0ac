/* Many plants under one controller: lanes of the CPU, or a device, behind one call. */
#include <roberval/sys/population.h>

#include <math.h>

#include "control/control.h"
#include "device/device_internal.h"
#include "sim/flat_loop.h"
#include "sim/sim_internal.h"

#define CPU_LANES 16  // most plants of one call of rbv_sim_run: a multiple of every vector width

struct rbv_population {
  const rbv_model *model;
  const rbv_control *control;
  rbv_sim_options options;
  rbv_device *device;
  rbv_sim *sim;  // lanes; a device: its sensors
  int lanes;
  double *memory;  // of the traces of the lanes, or of the arrays of a device
  size_t size;     // of it
};

static rbv_status check_device(const rbv_population *p) {
  flat_loop flat;
  return rbv_flat_loop(&flat, p->model, p->control, &p->options);
}

rbv_status rbv_population_new(rbv_population **out, const rbv_model *model,
                              const rbv_control *control, const rbv_sim_options *options, int lanes,
                              rbv_device *device) {
  *out = NULL;
  RBV_NEW(rbv_population, p, 1);
  *p = (rbv_population){.model = model,
                        .control = control,
                        .options = options ? *options : rbv_sim_defaults(),
                        .lanes = lanes > 0 && lanes < CPU_LANES ? lanes : CPU_LANES,
                        .device = device};
  // the CPU refuses what cannot be simulated at all
  rbv_status status = rbv_sim_new(&p->sim, model, control, &p->options, p->lanes);
  if (status == RBV_OK && device) status = check_device(p);
  RBV_GIVE(out, p, status, rbv_population_free(p));
}

rbv_status rbv_population_check(const rbv_population *p, const rbv_sim_lane *own) {
  flat_loop flat;
  double values[DEVICE_PARAMETERS];
  if (!p->device) return rbv_sim_set(p->sim, 0, own);
  RBV_TRY(rbv_flat_loop(&flat, p->model, p->control, &p->options));
  return rbv_flat_plant(values, 1, &flat, own);
}

void rbv_population_free(rbv_population *p) {
  if (!p) return;
  rbv_sim_free(p->sim);
  rbv_free(p->memory);
  rbv_free(p);
}

/* memory for this many numbers, kept between calls */
static rbv_status reserve(rbv_population *p, size_t size) {
  if (size <= p->size) return RBV_OK;
  rbv_free(p->memory);
  p->size = 0;
  p->memory = rbv_alloc(size * sizeof *p->memory);
  if (!p->memory) return RBV_EMEM;
  p->size = size;
  return RBV_OK;
}

static ptrdiff_t trace_samples(const rbv_population_run_plan *plan) {
  return plan->every > 0 ? (plan->reference.count - 1) / plan->every + 1 : 0;
}

/* parameters of the controller's model, where a plant has none of its own */
static const double *known_of(const rbv_population *p, const rbv_population_run_plan *plan) {
  return plan->known ? plan->known : rbv_model_parameters(p->model);
}

/* ---- number of samples that are compared ---- */

/* numbers that count_compared writes */
static size_t compared_size(const rbv_population *p, const rbv_population_run_plan *plan) {
  return plan->recorded ? (size_t)rbv_model_joint_count(p->model) * (size_t)plan->reference.count
                        : 0;
}

/* compared: of joint j up to and with sample k, at [k + j * count] */
static void count_compared(double *compared, const rbv_population_run_plan *plan, int n) {
  const ptrdiff_t count = plan->reference.count;
  for (int j = 0; j < n && plan->recorded; j++)
    for (ptrdiff_t k = 0; k < count; k++)
      compared[k + j * count] = (k > 0 ? compared[k - 1 + j * count] : 0) +
                                !isnan(plan->recorded[k + j * plan->reference.ld]);
}

/* of the first `good` samples; at least 1 */
static double compared_until(const double *compared, const rbv_population_run_plan *plan, int joint,
                             ptrdiff_t good) {
  if (!plan->recorded || good < 1) return 1;
  return fmax(1, compared[good - 1 + joint * plan->reference.count]);
}

/* ---- lanes of the CPU ---- */

/* the traces that sums need: q, tau, qr and, for the difference, recorded_q */
enum { TRACES = 4 };

/* the trace of a lane; that of a plant only if it has one */
static rbv_sim_trace lane_trace(const rbv_population *p, const rbv_population_run_plan *plan,
                                int lane, int number, int count) {
  const ptrdiff_t ticks = plan->reference.count, size = ticks * rbv_model_joint_count(p->model);
  if (plan->trace) return number < count ? plan->trace[number] : (rbv_sim_trace){.ld = ticks};
  double *at = p->memory + lane * TRACES * size;
  return (rbv_sim_trace){
      .ld = ticks, .q = at, .tau = at + size, .qr = at + 2 * size, .recorded_q = at + 3 * size};
}

static void sum_up(rbv_run_sums *sums, const rbv_population_run_plan *plan, const rbv_sim_trace *t,
                   ptrdiff_t good, const double *compared, int n) {
  for (int j = 0; j < n; j++) {
    double tracking = 0, torque = 0, difference = 0;
    rbv_run_sums *s = &sums[j];
    *s = (rbv_run_sums){0};
    for (ptrdiff_t k = 0; k < good; k++) {
      const ptrdiff_t at = k + j * t->ld;
      const double away = t->q[at] - t->qr[at], tau = t->tau[at];
      tracking += away * away;
      torque += tau * tau;
      s->tracking_most = fmax(s->tracking_most, fabs(away));
      s->torque_most = fmax(s->torque_most, fabs(tau));
      if (!plan->recorded) continue;
      const double error = t->recorded_q[at] - plan->recorded[k + j * plan->reference.ld];
      if (!isnan(error)) difference += error * error;
    }
    const double count = (double)(good > 0 ? good : 1);
    s->tracking_rms = sqrt(tracking / count);
    s->torque_rms = sqrt(torque / count);
    s->difference_rms = sqrt(difference / compared_until(compared, plan, j, good));
  }
}

static void thin_out(const rbv_population_run_plan *plan, const rbv_sim_trace *t, int number,
                     int n) {
  const ptrdiff_t samples = trace_samples(plan);
  for (int j = 0; j < n; j++)
    for (ptrdiff_t s = 0; s < samples; s++) {
      const ptrdiff_t to = ((ptrdiff_t)number * n + j) * samples + s;
      const ptrdiff_t from = s * plan->every + j * t->ld;
      if (plan->q) plan->q[to] = t->q[from];
      if (plan->tau) plan->tau[to] = t->tau[from];
    }
}

static rbv_status run_lanes(rbv_run_sums *sums, rbv_sim_outcome *outcome, bool *stopped,
                            rbv_population *p, const rbv_population_run_plan *plan,
                            const rbv_sim_lane *plants, int count) {
  const int n = rbv_model_joint_count(p->model);
  const ptrdiff_t ticks = plan->reference.count;
  const size_t traces = plan->trace ? 0 : (size_t)(p->lanes * TRACES) * (size_t)ticks * (size_t)n;
  RBV_TRY(reserve(p, traces + compared_size(p, plan)));
  double *compared = p->memory + traces;
  count_compared(compared, plan, n);
  for (int first = 0; first < count && !*stopped; first += p->lanes) {
    rbv_sim_outcome all[CPU_LANES];
    rbv_sim_trace trace[CPU_LANES];
    // lanes without a plant repeat the last one, so that a result does not depend on the others
    for (int k = 0; k < p->lanes; k++) {
      rbv_sim_lane own = plants[first + k < count ? first + k : count - 1];
      if (!own.known) own.known = known_of(p, plan);
      RBV_TRY(rbv_sim_set(p->sim, k, &own));
      trace[k] = lane_trace(p, plan, k, first + k, count);
    }
    RBV_TRY(rbv_sim_run(all, p->sim, &plan->reference, trace));
    for (int k = 0; k < p->lanes && first + k < count; k++) {
      outcome[first + k] = all[k];
      if (plan->trace) continue;
      sum_up(sums + (ptrdiff_t)(first + k) * n, plan, &trace[k], all[k].samples, compared, n);
      thin_out(plan, &trace[k], first + k, n);
    }
    *stopped = rbv_cancelled(plan->cancel);
  }
  return RBV_OK;
}

/* ---- a device ---- */

/* arrays of a device, in one block */
typedef struct {
  double *parameters, *qr, *ahead, *model, *recorded, *compared, *sums;
  size_t used;
} room;

static double *take(room *r, double *base, size_t size) {
  double *at = base ? base + r->used : NULL;
  r->used += size;
  return at;
}

static room lay_out(double *base, const rbv_population *p, const rbv_population_run_plan *plan,
                    int count) {
  const size_t n = (size_t)rbv_model_joint_count(p->model), plants = (size_t)count;
  const size_t motion = n * (size_t)plan->reference.count;
  room r = {0};
  r.parameters = take(&r, base, DEVICE_PARAMETERS * plants);
  r.sums = take(&r, base, DEVICE_SUMS * n * plants);
  r.qr = take(&r, base, motion);
  r.ahead = take(&r, base, motion);
  r.model = take(&r, base, motion);
  r.recorded = take(&r, base, plan->recorded ? motion : 0);
  r.compared = take(&r, base, compared_size(p, plan));
  return r;
}

/* the reference and what the controller adds to its feedback, tick by tick */
static rbv_status put_motion(room *r, const rbv_population *p,
                             const rbv_population_run_plan *plan) {
  const rbv_sim_reference *from = &plan->reference;
  const int n = rbv_model_joint_count(p->model);
  const double rate_hz = rbv_control_rate_hz(p->control);
  const rbv_feedforward kind = rbv_control_get_feedforward(p->control);
  rbv_dynamics *dynamics = NULL;
  if (kind == RBV_FEEDFORWARD_NONE) r->model = NULL;
  if (r->model) {
    RBV_TRY(rbv_dynamics_new(&dynamics, p->model));
    const double *chi = known_of(p, plan);
    RBV_TRY_OR(rbv_dynamics_set(dynamics, chi, p->options.loaded), rbv_dynamics_free(dynamics));
  }
  const bool wanted =
      rbv_control_needs_velocity(p->control) || rbv_control_needs_acceleration(p->control);
  for (ptrdiff_t k = 0; k < from->count; k++) {
    double q[DEVICE_JOINTS], dq[DEVICE_JOINTS] = {0}, ddq[DEVICE_JOINTS] = {0};
    for (int j = 0; j < n; j++) {
      const rbv_control_joint *g = rbv_control_get_joint(p->control, j);
      q[j] = from->q[k + j * from->ld];
      if (wanted) rbv_reference_rates(&dq[j], &ddq[j], from, j, k, rate_hz);
      r->qr[k * n + j] = q[j];
      r->ahead[k * n + j] = g->velocity_gain * dq[j] + g->acceleration_gain * ddq[j];
      if (plan->recorded) r->recorded[k * n + j] = plan->recorded[k + j * from->ld];
    }
    const double none[DEVICE_JOINTS] = {0};
    const bool whole = kind == RBV_FEEDFORWARD_MODEL;
    if (dynamics)
      rbv_dynamics_inverse(r->model + k * n, dynamics, q, whole ? dq : none, whole ? ddq : none);
  }
  rbv_dynamics_free(dynamics);
  return RBV_OK;
}

static rbv_sim_outcome outcome_of(const device_outcome *o, double rate_hz) {
  static const rbv_sim_verdict verdict[] = {[DEVICE_DONE] = RBV_SIM_DONE,
                                            [DEVICE_AWAY] = RBV_SIM_AWAY,
                                            [DEVICE_FAST] = RBV_SIM_FAST,
                                            [DEVICE_NOT_FINITE] = RBV_SIM_NOT_FINITE,
                                            [DEVICE_SINGULAR] = RBV_SIM_SINGULAR};
  return (rbv_sim_outcome){.verdict = verdict[o->verdict],
                           .samples = (ptrdiff_t)o->ticks,
                           .joint = o->joint,
                           .time_s = (double)(o->ticks + (o->verdict == DEVICE_SINGULAR)) / rate_hz,
                           .value = o->value};
}

static void read_sums(rbv_run_sums *to, const double *sums, ptrdiff_t part, double good,
                      double compared) {
  const double count = good > 0 ? good : 1;
  *to = (rbv_run_sums){.tracking_rms = sqrt(sums[DEVICE_SUM_TRACKING * part] / count),
                       .tracking_most = sums[DEVICE_MAX_TRACKING * part],
                       .torque_rms = sqrt(sums[DEVICE_SUM_TORQUE * part] / count),
                       .torque_most = sums[DEVICE_MAX_TORQUE * part],
                       .difference_rms = sqrt(sums[DEVICE_SUM_DIFFERENCE * part] / compared)};
}

/* arrays with types of their own */
typedef struct {
  uint64_t *seed;
  device_outcome *outcome;
  device_trace *trace;
} own_types;

/* where the traces of a device go; returns the number of ticks between two samples, 0: no traces */
static int64_t place_traces(device_trace *to, const rbv_population *p,
                            const rbv_population_run_plan *plan, int count) {
  const ptrdiff_t size = trace_samples(plan) * rbv_model_joint_count(p->model);
  for (int i = 0; i < count; i++) {
    to[i] = (device_trace){{0}};
    if (plan->trace) {
      const rbv_sim_trace *t = &plan->trace[i];
      to[i].of[DEVICE_TRACE_Q] = t->q;
      to[i].of[DEVICE_TRACE_DQ] = t->dq;
      to[i].of[DEVICE_TRACE_DDQ] = t->ddq;
      to[i].of[DEVICE_TRACE_TAU] = t->tau;
      to[i].of[DEVICE_TRACE_MEASURED] = t->recorded_q;
      continue;
    }
    if (plan->q) to[i].of[DEVICE_TRACE_Q] = plan->q + i * size;
    if (plan->tau) to[i].of[DEVICE_TRACE_TAU] = plan->tau + i * size;
  }
  return plan->trace ? 1 : plan->q || plan->tau ? plan->every : 0;
}

/* whole traces of a device are dense, and lack what it does not compute */
static rbv_status check_traces(const rbv_population_run_plan *plan, int count) {
  for (int i = 0; i < count && plan->trace; i++) {
    const rbv_sim_trace *t = &plan->trace[i];
    if (t->ld != plan->reference.count || t->applied || t->seen ||
        (t->recorded_tau && (!t->q || !t->tau)))
      return rbv_fail(RBV_EUNSUPPORTED,
                      "a device gives no trace of the applied torque or of the position that the "
                      "controller saw, and torques are recorded from q and tau");
  }
  return RBV_OK;
}

static rbv_status run_device(rbv_run_sums *sums, rbv_sim_outcome *outcome, bool *stopped,
                             rbv_population *p, const rbv_population_run_plan *plan,
                             const rbv_sim_lane *plants, int count, const own_types *own) {
  const int n = rbv_model_joint_count(p->model);
  if (plan->reference.nguide > 0)
    return rbv_fail(RBV_EUNSUPPORTED,
                    "a device cannot guide a plant along the recording before it is free");
  RBV_TRY(check_traces(plan, count));
  const bool feeds = rbv_control_get_feedforward(p->control) != RBV_FEEDFORWARD_NONE;
  RBV_TRY(reserve(p, lay_out(NULL, p, plan, count).used));
  room r = lay_out(p->memory, p, plan, count);
  flat_loop flat;
  RBV_TRY(rbv_flat_loop(&flat, p->model, p->control, &p->options));
  for (int i = 0; i < count; i++) {
    if (feeds && plants[i].known)
      return rbv_fail(RBV_EUNSUPPORTED,
                      "a device cannot feed forward the torque of a model that differs by plant");
    for (int j = 0; j < n && feeds && plants[i].shift; j++)
      if (plants[i].shift[j] != 0)
        return rbv_fail(RBV_EUNSUPPORTED,
                        "a device cannot shift the reference of a controller that feeds the torque "
                        "of its model forward");
    RBV_TRY(rbv_flat_plant(r.parameters + i, count, &flat, &plants[i]));
    own->seed[i] = plants[i].seed;
  }
  RBV_TRY(put_motion(&r, p, plan));
  count_compared(r.compared, plan, n);
  flat.loop.ticks = plan->reference.count;
  flat.loop.plants = count;
  flat.loop.every = place_traces(own->trace, p, plan, count);
  const device_loop_arrays arrays = {.parameters = r.parameters,
                                     .seed = own->seed,
                                     .qr = r.qr,
                                     .ahead = r.ahead,
                                     .model = r.model,
                                     .recorded = plan->recorded ? r.recorded : NULL,
                                     .q0 = plan->reference.q0,
                                     .dq0 = plan->reference.dq0,
                                     .sums = r.sums,
                                     .outcome = own->outcome,
                                     .trace = flat.loop.every > 0 ? own->trace : NULL};
  RBV_TRY(rbv_device_loop(stopped, p->device, &flat.loop, &arrays, plan->cancel));
  if (*stopped) return RBV_OK;
  for (int i = 0; i < count; i++) {
    outcome[i] = outcome_of(&own->outcome[i], flat.loop.rate_hz);
    if (plan->trace)
      rbv_sim_record(p->sim, &plants[i], &plan->reference, &plan->trace[i], outcome[i].samples);
    for (int j = 0; j < n && !plan->trace; j++)
      read_sums(&sums[(ptrdiff_t)i * n + j], r.sums + (ptrdiff_t)j * count + i,
                (ptrdiff_t)n * count, (double)outcome[i].samples,
                compared_until(r.compared, plan, j, outcome[i].samples));
  }
  return RBV_OK;
}

rbv_status rbv_population_run(rbv_run_sums *sums, rbv_sim_outcome *outcome, bool *stopped,
                              rbv_population *p, const rbv_population_run_plan *plan,
                              const rbv_sim_lane *plants, int count) {
  *stopped = false;
  if (count < 1 || plan->reference.count < 1)
    return rbv_fail(RBV_EARG, "a population needs plants and a reference");
  if ((plan->q || plan->tau) && plan->every < 1)
    return rbv_fail(RBV_EARG, "traces need a number of ticks between two samples");
  if (plan->trace && (plan->q || plan->tau || plan->recorded))
    return rbv_fail(RBV_EARG, "whole traces come without sums and without other traces");
  if (!p->device) return run_lanes(sums, outcome, stopped, p, plan, plants, count);
  own_types own = {.seed = rbv_alloc((size_t)count * sizeof *own.seed),
                   .outcome = rbv_alloc((size_t)count * sizeof *own.outcome),
                   .trace = rbv_alloc((size_t)count * sizeof *own.trace)};
  const rbv_status status = own.seed && own.outcome && own.trace
                                ? run_device(sums, outcome, stopped, p, plan, plants, count, &own)
                                : RBV_EMEM;
  RBV_FREE_ALL(own.seed, own.outcome, own.trace);
  return status;
}
