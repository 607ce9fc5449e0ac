/*
 * One plant in its closed loop, tick by tick, for C and for CUDA: as src/sim/sim.c and
 * src/control/control_state.c do it for lanes.
 */
#ifndef DEVICE_POINT_LOOP_H
#define DEVICE_POINT_LOOP_H

#include "device/point_plant.h"

/* Memory of a population on the device; values of rings of plant p at [v * plants + p]. */
typedef struct {
  const double *parameters;
  const uint64_t *seed;
  const double *qr, *ahead, *model, *recorded, *q0, *dq0;
  double *values;     /* DEVICE_PARAMETERS of each plant, in groups: see point_plant.h */
  double *state;      /* LOOP_STATE of each plant, in groups */
  double *ring_late;  /* late x njoint: torques of the last ticks */
  double *ring_delay; /* longest delay of the controller x njoint */
  double *ring_read;  /* loop_delay x njoint */
  double *sums;
  device_outcome *outcome;
  double *trace[DEVICE_TRACES]; /* of plant p from [p * njoint * samples] on, or NULL */
  int64_t samples;              /* of a trace */
} loop_memory;

/* places in the state; each DEVICE_JOINTS values */
enum {
  STATE_Q,
  STATE_DQ,
  STATE_INTEGRAL,
  STATE_SLOPE,
  STATE_LAST,
  STATE_COLOUR,
  STATE_SUMS,
  STATE_PARTS = STATE_SUMS + DEVICE_SUMS
};
#define LOOP_STATE (STATE_PARTS * DEVICE_JOINTS)

/* value `part` of joint j of the state of a plant */
#define STATE_AT(state, part, j) SLOT(state, (part)*DEVICE_JOINTS + (j))

/* plants in whole groups */
POINT int64_t whole_groups(int64_t plants) {
  return (plants + POINT_GROUP - 1) / POINT_GROUP * POINT_GROUP;
}
/* value 0 of plant p in an array of `size` values of each plant */
POINT double *plant_at(double *array, int size, int64_t p) {
  return array + p / POINT_GROUP * POINT_GROUP * size + p % POINT_GROUP;
}

POINT int chain_kind(const device_chain *chain) {
  int slides = 0;
  for (int j = 0; j < chain->njoint; j++) slides = slides || chain->joint[j].slides;
  return chain->quarter ? PATTERN_CHAIN + pattern_of(chain) : slides ? ANY_CHAIN : TURNING_CHAIN;
}

/* the parameters in groups, the state before the first tick, and sums of zero */
POINT void begin_plant(const device_loop *l, const loop_memory *m, int64_t p) {
  double *values = plant_at(m->values, DEVICE_PARAMETERS, p);
  double *state = plant_at(m->state, LOOP_STATE, p);
  for (int k = 0; k < DEVICE_PARAMETERS; k++) SLOT(values, k) = m->parameters[k * l->plants + p];
  regroup_links(values, &l->chain);
  for (int k = 0; k < LOOP_STATE; k++) SLOT(state, k) = 0;
  for (int j = 0; j < l->chain.njoint; j++) {
    STATE_AT(state, STATE_Q, j) =
        m->q0 ? m->q0[j]
              : m->qr[j] + value_of(values, DEVICE_SHIFT + j) - value_of(values, DEVICE_BIAS + j);
    STATE_AT(state, STATE_DQ, j) = m->dq0 ? m->dq0[j] : 0;
    STATE_AT(state, STATE_INTEGRAL, j) = value_of(values, DEVICE_INTEGRAL + j);
  }
  device_outcome o;
  o.verdict = DEVICE_DONE;
  o.joint = -1;
  o.ticks = l->ticks;
  o.value = 0;
  m->outcome[p] = o;
}

/* ---- sensors ---- */

POINT double to_step(double x, double step) { return step > 0 ? step * rint(x / step) : x; }

/* exchange x with the value of `length` ticks ago; at tick 0 the ring is filled with `first` */
POINT double pass_ring(double x, double first, double *ring, int length, int64_t k,
                       int64_t stride) {
  if (k == 0)
    for (int i = 0; i < length; i++) ring[i * stride] = first;
  double *slot = ring + k % length * stride;
  const double old = *slot;
  *slot = x;
  return old;
}

/* ---- controller ---- */

typedef struct {
  double scale, ahead, model;
  double k_p, k_i, k_d, k_x; /* factors on the gains */
} torque_terms;

POINT double limited(double x, double lower, double upper) {
  return x < lower ? lower : x > upper ? upper : x;
}

POINT double torque_of(const device_law_of_control *g, torque_terms t, double rest,
                       double *integral, double step) {
  const double before = *integral;
  *integral += step;
  const double wanted = t.scale * (rest + *integral + t.ahead) + t.model;
  const double given = limited(wanted, g->lower, g->upper);
  if (given == wanted || g->antiwindup == 0) return given;
  if (g->antiwindup == 2) {
    if (t.scale != 0) *integral += g->pull * (given - wanted) / t.scale;
  } else if (t.scale * step * (wanted - given) > 0) {
    *integral = before;
    return limited(t.scale * (rest + before + t.ahead) + t.model, g->lower, g->upper);
  }
  return given;
}

/* the state of the controller of one joint */
typedef struct {
  double integral, slope, last;
} control_memory;

POINT double control_torque(const device_law_of_control *g, torque_terms t, control_memory *s,
                            double qr, double qm, int64_t k) {
  const double e = qr - qm, x = g->reference_velocity * qr - qm;
  if (k == 0) s->last = (g->reference_velocity - 1) * qm;
  s->slope = g->pole * s->slope + g->difference * (x - s->last);
  s->last = x;
  const double v = g->cascade ? g->k_x * t.k_x * e + s->slope : e;
  const double rest =
      g->cascade ? g->k_p * t.k_p * v : g->k_p * t.k_p * e + g->k_d * t.k_d * s->slope;
  return torque_of(g, t, rest, &s->integral, g->step * t.k_i * v);
}

/* store the torque of tick k for late_torque */
POINT void store_torque(double tau, double *ring, int length, int64_t k, int64_t stride) {
  if (k == 0)
    for (int i = 0; i < length; i++) ring[i * stride] = tau;
  ring[k % length * stride] = tau;
}

/* the torque of `delay` samples ago in step `step` of a tick: in a part of the tick that of the
 * sample before still acts */
POINT double late_torque(double delay, const double *ring, int length, int64_t k, int64_t stride,
                         int step, int steps) {
  const double whole = floor(delay);
  const double part = limited((delay - whole) * steps - step, 0, 1);
  const int64_t at = (k + 2 * (int64_t)length - (int64_t)whole) % length;
  const int64_t before = (at + length - 1) % length;
  return (1 - part) * ring[at * stride] + part * ring[before * stride];
}

/* ---- a tick ---- */

/* random numbers of a tick, joint by joint, into the room */
POINT void draw_noise(plant_room room, const device_loop *l, uint64_t seed, int64_t k,
                      const int n) {
  ROLLED
  for (int j = 0; j < n; j++) {
    if (l->sensors.position_noise > 0)
      SLOT(room, ROOM_VALUE(n, j)) =
          l->sensors.position_noise *
          normal_number(seed, (uint64_t)1 << 16 | (uint64_t)j, (uint64_t)k);
    if (l->sensors.disturbed >> j & 1)
      SLOT(room, ROOM_SLOPE(n, j)) = normal_number(seed, 10 + (uint64_t)j, (uint64_t)k);
  }
}

/* the outcome of a plant that has left its range */
POINT void note_outcome(plant_room room, const device_loop *l, const loop_memory *m, plant_values v,
                        int64_t p, int64_t k, int positive, const int n) {
  device_outcome o;
  o.verdict = positive ? DEVICE_DONE : DEVICE_SINGULAR;
  o.joint = -1;
  o.value = 0;
  ROLLED
  for (int j = 0; j < n && o.verdict == DEVICE_DONE; j++) {
    const double speed = fabs(SLOT(room, ROOM_DQ(n, j)));
    const double away =
        fabs(SLOT(room, ROOM_Q(n, j)) - m->qr[k * n + j] - value_of(v, DEVICE_SHIFT + j));
    const int fast = !(speed <= l->fastest[j]);
    const double value = fast ? speed : away, limit = fast ? l->fastest[j] : l->escape;
    if (value <= limit) continue;
    const int finite = value > limit && !isinf(value);
    o.verdict = !finite ? DEVICE_NOT_FINITE : fast ? DEVICE_FAST : DEVICE_AWAY;
    o.joint = j;
    o.value = finite ? value : 0;
  }
  o.ticks = o.verdict == DEVICE_SINGULAR ? k : k + 1;
  m->outcome[p] = o;
}

/* the torques of a later step of a tick */
POINT void apply_late(plant_room room, const double *state, plant_values v, const device_loop *l,
                      const loop_memory *m, int64_t p, int64_t k, int step, const int n) {
  ROLLED
  for (int j = 0; j < n; j++) {
    const double disturbance = l->sensors.disturbed >> j & 1
                                   ? l->sensors.disturbance[j] * STATE_AT(state, STATE_COLOUR, j)
                                   : 0;
    SLOT(room, ROOM_APPLIED(n, j)) =
        late_torque(value_of(v, DEVICE_DELAY + j), m->ring_late + j * l->plants + p, l->late, k,
                    n * l->plants, step, l->substeps) +
        disturbance;
  }
}

/* What a loop has. Each has kernels of its own: less needs fewer registers and instructions. */
enum {
  LOOP_PLAIN, /* no delays, noise, encoder steps, feed-forward, gains of a plant, recorded positions
                 and traces */
  LOOP_FULL,  /* no traces */
  LOOP_TRACED
};

POINT int loop_extent(const device_loop *l, const loop_memory *m) {
  int full = l->own_gains || l->own_whole || l->late > 0 || l->loop_delay > 0 ||
             l->sensors.position_noise > 0 || l->sensors.disturbed || m->recorded || m->ahead ||
             m->model;
  for (int j = 0; j < l->chain.njoint; j++)
    full = full || l->control[j].delay > 0 || l->sensors.step[j] > 0;
  return l->every > 0 ? LOOP_TRACED : full ? LOOP_FULL : LOOP_PLAIN;
}

/* sample s of joint 0 of a plant in a trace; NULL: not wanted */
POINT double *trace_at(double *trace, const loop_memory *m, int64_t p, int64_t s, const int n) {
  return trace ? trace + p * n * m->samples + s : (double *)0;
}

POINT void put_trace(double *to, int64_t samples, const double *x, const int n) {
  if (!to) return;
  UNROLL
  for (int j = 0; j < n; j++) to[j * samples] = x[j];
}

/*
 * Controller and drive of joint j in tick k. seen: the true position with its bias, which becomes
 * what the encoder reads. tau: the torque that is recorded. Returns the torque that acts.
 */
POINT double joint_torque(double *tau, double *seen, control_memory *memory, plant_room room,
                          double *state, plant_values v, const device_loop *l, const loop_memory *m,
                          double qr, int64_t p, int64_t k, int j, const int n, const int full) {
  const int64_t P = l->plants;
  const device_law_of_control *g = &l->control[j];
  if (full && l->sensors.position_noise > 0) *seen += SLOT(room, ROOM_VALUE(n, j));
  if (full) *seen = to_step(*seen, l->sensors.step[j]);
  double read = *seen;
  if (full && l->loop_delay > 0)
    read = pass_ring(read, read, m->ring_read + j * P + p, l->loop_delay, k, n * P);
  torque_terms t;
  t.scale = value_of(v, DEVICE_SCALE + j);
  t.ahead = full && m->ahead ? m->ahead[k * n + j] : 0;
  t.model = full && m->model ? m->model[k * n + j] : 0;
  const int own = full && l->own_gains;
  t.k_p = own ? value_of(v, DEVICE_GAIN + j) : 1;
  t.k_i = own ? value_of(v, DEVICE_GAIN + DEVICE_JOINTS + j) : 1;
  t.k_d = own ? value_of(v, DEVICE_GAIN + 2 * DEVICE_JOINTS + j) : 1;
  t.k_x = own ? value_of(v, DEVICE_GAIN + 3 * DEVICE_JOINTS + j) : 1;
  *tau = control_torque(g, t, memory, qr, read, k);
  if (full && g->delay > 0)
    *tau = pass_ring(*tau, 0, m->ring_delay + j * P + p, g->delay, k, n * P);
  double applied = *tau;
  if (full && l->late > 0) {
    double *ring = m->ring_late + j * P + p;
    store_torque(*tau, ring, l->late, k, n * P);
    applied = late_torque(value_of(v, DEVICE_DELAY + j), ring, l->late, k, n * P, 0, l->substeps);
  }
  if (full && l->sensors.disturbed >> j & 1) {
    const double pole = l->sensors.disturbance_pole, white = SLOT(room, ROOM_SLOPE(n, j));
    const double old = STATE_AT(state, STATE_COLOUR, j);
    const double colour = k == 0 ? white : pole * old + sqrt(1 - pole * pole) * white;
    STATE_AT(state, STATE_COLOUR, j) = colour;
    applied += l->sensors.disturbance[j] * colour;
  }
  return applied;
}

/* the samples of a traced run; returns where the acceleration of this tick belongs, 0: nowhere */
POINT double *trace_tick(plant_room room, const device_loop *l, const loop_memory *m,
                         const double *q, const double *tau, const double *seen, int64_t p,
                         int64_t k, const int n) {
  if (k % l->every != 0) return (double *)0;
  const int64_t s = k / l->every, samples = m->samples;
  double *dq = trace_at(m->trace[DEVICE_TRACE_DQ], m, p, s, n);
  put_trace(trace_at(m->trace[DEVICE_TRACE_Q], m, p, s, n), samples, q, n);
  put_trace(trace_at(m->trace[DEVICE_TRACE_TAU], m, p, s, n), samples, tau, n);
  put_trace(trace_at(m->trace[DEVICE_TRACE_MEASURED], m, p, s, n), samples, seen, n);
  UNROLL
  for (int j = 0; j < n && dq; j++) dq[j * samples] = SLOT(room, ROOM_DQ(n, j));
  return trace_at(m->trace[DEVICE_TRACE_DDQ], m, p, s, n);
}

/* One tick; extent: loop_extent. Returns 0 if the plant has stopped. */
POINT int loop_tick(plant_room room, double *state, plant_values v, const device_loop *l,
                    const loop_memory *m, int64_t p, int64_t k, const int n, const int kind,
                    const int extent) {
  const int full = extent != LOOP_PLAIN;
  const int noisy = full && l->sensors.position_noise > 0;
  const int sums = full ? DEVICE_SUMS : DEVICE_SUM_DIFFERENCE;  // the last one is not needed
  if (noisy || (full && l->sensors.disturbed)) draw_noise(room, l, m->seed[p], k, n);
  // all loads come first, so that they wait together
  control_memory memory[DEVICE_JOINTS];
  double sum[DEVICE_SUMS][DEVICE_JOINTS], recorded[DEVICE_JOINTS];
  double q[DEVICE_JOINTS], qr[DEVICE_JOINTS], seen[DEVICE_JOINTS], tau[DEVICE_JOINTS];
  UNROLL
  for (int j = 0; j < n; j++) {
    q[j] = SLOT(room, ROOM_Q(n, j));
    qr[j] = m->qr[k * n + j] + value_of(v, DEVICE_SHIFT + j);
    seen[j] = q[j] + value_of(v, DEVICE_BIAS + j);
    memory[j].integral = STATE_AT(state, STATE_INTEGRAL, j);
    memory[j].slope = STATE_AT(state, STATE_SLOPE, j);
    memory[j].last = STATE_AT(state, STATE_LAST, j);
    recorded[j] = full && m->recorded ? m->recorded[k * n + j] : 0;
    UNROLL
    for (int i = 0; i < sums; i++) sum[i][j] = STATE_AT(state, STATE_SUMS + i, j);
  }
  UNROLL
  for (int j = 0; j < n; j++) {
    const double applied =
        joint_torque(&tau[j], &seen[j], &memory[j], room, state, v, l, m, qr[j], p, k, j, n, full);
    SLOT(room, ROOM_APPLIED(n, j)) = applied;
  }
  UNROLL
  for (int j = 0; j < n; j++) {
    STATE_AT(state, STATE_INTEGRAL, j) = memory[j].integral;
    STATE_AT(state, STATE_SLOPE, j) = memory[j].slope;
    STATE_AT(state, STATE_LAST, j) = memory[j].last;
  }
  UNROLL
  for (int j = 0; j < n; j++) {
    const double away = q[j] - qr[j];
    sum[DEVICE_SUM_TRACKING][j] += away * away;
    sum[DEVICE_SUM_TORQUE][j] += tau[j] * tau[j];
    sum[DEVICE_MAX_TRACKING][j] = fmax(sum[DEVICE_MAX_TRACKING][j], fabs(away));
    sum[DEVICE_MAX_TORQUE][j] = fmax(sum[DEVICE_MAX_TORQUE][j], fabs(tau[j]));
    if (full && m->recorded) {
      const double error = to_step(seen[j], l->sensors.record_step[j]) - recorded[j];
      sum[DEVICE_SUM_DIFFERENCE][j] += error == error ? error * error : 0;
    }
    UNROLL
    for (int i = 0; i < sums; i++) STATE_AT(state, STATE_SUMS + i, j) = sum[i][j];
  }
  const int traced = extent == LOOP_TRACED;
  double *ddq = traced ? trace_tick(room, l, m, q, tau, seen, p, k, n) : (double *)0;
  const int64_t samples = traced ? m->samples : 0;
  const double h = reciprocal(l->rate_hz * l->substeps);
  int positive = 1;
  ROLLED
  for (int i = 0; i < l->substeps; i++) {
    if (full && i > 0 && l->late > 0) apply_late(room, state, v, l, m, p, k, i, n);
    positive = plant_step(room, i == 0 ? ddq : (double *)0, samples, l, v, h, n, kind,
                          full && l->own_whole) &&
               positive;
  }
  int good = positive;
  UNROLL
  for (int j = 0; j < n; j++) {
    const double away = SLOT(room, ROOM_Q(n, j)) - m->qr[k * n + j] - value_of(v, DEVICE_SHIFT + j);
    good = good && fabs(SLOT(room, ROOM_DQ(n, j))) <= l->fastest[j] && fabs(away) <= l->escape;
  }
  if (!good) note_outcome(room, l, m, v, p, k, positive, n);
  return good;
}

/* Ticks first ... last - 1 of a plant; room: ROOM_SIZE(n) values in a group. */
POINT void loop_slice(plant_room room, const device_loop *l, const loop_memory *m, int64_t p,
                      int64_t first, int64_t last, const int n, const int kind, const int extent) {
  if (m->outcome[p].verdict != DEVICE_DONE) return;
  const plant_values v = plant_at(m->values, DEVICE_PARAMETERS, p);
  double *state = plant_at(m->state, LOOP_STATE, p);
  UNROLL
  for (int j = 0; j < n; j++) {
    SLOT(room, ROOM_Q(n, j)) = STATE_AT(state, STATE_Q, j);
    SLOT(room, ROOM_DQ(n, j)) = STATE_AT(state, STATE_DQ, j);
  }
  ROLLED
  for (int64_t k = first; k < last; k++)
    if (!loop_tick(room, state, v, l, m, p, k, n, kind, extent)) break;
  UNROLL
  for (int j = 0; j < n; j++) {
    STATE_AT(state, STATE_Q, j) = SLOT(room, ROOM_Q(n, j));
    STATE_AT(state, STATE_DQ, j) = SLOT(room, ROOM_DQ(n, j));
  }
  ROLLED
  for (int i = 0; i < DEVICE_SUMS; i++) {
    UNROLL
    for (int j = 0; j < n; j++)
      m->sums[(i * n + j) * l->plants + p] = STATE_AT(state, STATE_SUMS + i, j);
  }
}

#endif
