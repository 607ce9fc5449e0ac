/*
 * One plant in its closed loop, tick by tick, for C and for CUDA: as src/sim/sim.c and
 * src/control/control_state.c do it for lanes.
 */
#ifndef DEVICE_POINT_LOOP_H
#define DEVICE_POINT_LOOP_H

#include "device/point_plant.h"

/* Memory of a population on the device; value v of plant p at [v * plants + p]. */
typedef struct {
  const double *parameters;
  const uint64_t *seed;
  const double *qr, *ahead, *model, *recorded, *q0, *dq0;
  double *state;      /* LOOP_STATE: between two slices */
  double *ring_late;  /* late x njoint: torques of the last ticks */
  double *ring_delay; /* longest delay of the controller x njoint */
  double *ring_read;  /* loop_delay x njoint */
  double *sums;
  device_outcome *outcome;
  double *trace_q, *trace_tau;
} loop_memory;

/* places in the state; each DEVICE_JOINTS values */
enum { STATE_Q, STATE_DQ, STATE_INTEGRAL, STATE_SLOPE, STATE_LAST, STATE_COLOUR, STATE_PARTS };
#define LOOP_STATE (STATE_PARTS * DEVICE_JOINTS)

typedef struct {
  double q[DEVICE_JOINTS], dq[DEVICE_JOINTS];
  double integral[DEVICE_JOINTS], slope[DEVICE_JOINTS], last[DEVICE_JOINTS];
  double colour[DEVICE_JOINTS];
} point_state;

POINT void load_state(point_state *s, const device_loop *l, const loop_memory *m, int64_t p,
                      const int n) {
  UNROLL
  for (int j = 0; j < n; j++) {
    const double *at = m->state + p + j * l->plants;
    const int64_t part = DEVICE_JOINTS * l->plants;
    s->q[j] = at[STATE_Q * part];
    s->dq[j] = at[STATE_DQ * part];
    s->integral[j] = at[STATE_INTEGRAL * part];
    s->slope[j] = at[STATE_SLOPE * part];
    s->last[j] = at[STATE_LAST * part];
    s->colour[j] = at[STATE_COLOUR * part];
  }
}

POINT void store_state(const point_state *s, const device_loop *l, const loop_memory *m, int64_t p,
                       const int n) {
  UNROLL
  for (int j = 0; j < n; j++) {
    double *at = m->state + p + j * l->plants;
    const int64_t part = DEVICE_JOINTS * l->plants;
    at[STATE_Q * part] = s->q[j];
    at[STATE_DQ * part] = s->dq[j];
    at[STATE_INTEGRAL * part] = s->integral[j];
    at[STATE_SLOPE * part] = s->slope[j];
    at[STATE_LAST * part] = s->last[j];
    at[STATE_COLOUR * part] = s->colour[j];
  }
}

/* the state before the first tick, and sums of zero */
POINT void begin_plant(const device_loop *l, const loop_memory *m, int64_t p, const int n) {
  const plant_values v = {m->parameters + p, l->plants};
  point_state s;
  UNROLL
  for (int j = 0; j < n; j++) {
    s.q[j] =
        m->q0 ? m->q0[j] : m->qr[j] + value_of(v, DEVICE_SHIFT + j) - value_of(v, DEVICE_BIAS + j);
    s.dq[j] = m->dq0 ? m->dq0[j] : 0;
    s.integral[j] = value_of(v, DEVICE_INTEGRAL + j);
    s.slope[j] = s.last[j] = s.colour[j] = 0;
  }
  store_state(&s, l, m, p, n);
  for (int i = 0; i < DEVICE_SUMS * n; i++) m->sums[i * l->plants + p] = 0;
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

POINT double control_torque(const device_law_of_control *g, torque_terms t, point_state *s, int j,
                            double qr, double qm, int64_t k) {
  const double e = qr - qm;
  if (!g->cascade) {
    s->slope[j] = g->pole * s->slope[j] + g->difference * (e - s->last[j]);
    s->last[j] = e;
    return torque_of(g, t, g->k_p * e + g->k_d * s->slope[j], &s->integral[j], g->step * e);
  }
  const double x = g->reference_velocity * qr - qm;
  if (k == 0) s->last[j] = (g->reference_velocity - 1) * qm;
  s->slope[j] = g->pole * s->slope[j] + g->difference * (x - s->last[j]);
  s->last[j] = x;
  const double v = g->k_x * e + s->slope[j];
  return torque_of(g, t, g->k_p * v, &s->integral[j], g->step * v);
}

/* the torque of `delay` samples ago, interpolated */
POINT double late_torque(double tau, double delay, double *ring, int length, int64_t k,
                         int64_t stride) {
  if (k == 0)
    for (int i = 0; i < length; i++) ring[i * stride] = tau;
  ring[k % length * stride] = tau;
  const double whole = floor(delay), part = delay - whole;
  const int64_t at = (k + 2 * (int64_t)length - (int64_t)whole) % length;
  const int64_t before = (at + length - 1) % length;
  return (1 - part) * ring[at * stride] + part * ring[before * stride];
}

/* ---- a tick ---- */

/* One tick. Returns 0 if the plant has stopped. */
POINT int loop_tick(point_state *s, const device_loop *l, const loop_memory *m, int64_t p,
                    int64_t k, const int n, const int quarter) {
  const int64_t P = l->plants;
  const plant_values v = {m->parameters + p, P};
  double applied[DEVICE_JOINTS];
  UNROLL
  for (int j = 0; j < n; j++) {
    const device_law_of_control *g = &l->control[j];
    const double qr = m->qr[k * n + j] + value_of(v, DEVICE_SHIFT + j);
    double seen = s->q[j] + value_of(v, DEVICE_BIAS + j);
    if (l->sensors.position_noise > 0)
      seen += l->sensors.position_noise *
              normal_number(m->seed[p], (uint64_t)1 << 16 | (uint64_t)j, (uint64_t)k);
    seen = to_step(seen, l->sensors.step[j]);
    double read = seen;
    if (l->loop_delay > 0)
      read = pass_ring(read, read, m->ring_read + j * P + p, l->loop_delay, k, n * P);
    torque_terms t;
    t.scale = value_of(v, DEVICE_SCALE + j);
    t.ahead = m->ahead ? m->ahead[k * n + j] : 0;
    t.model = m->model ? m->model[k * n + j] : 0;
    double tau = control_torque(g, t, s, j, qr, read, k);
    if (g->delay > 0) tau = pass_ring(tau, 0, m->ring_delay + j * P + p, g->delay, k, n * P);
    applied[j] = tau;
    if (l->late > 0)
      applied[j] = late_torque(tau, value_of(v, DEVICE_DELAY + j), m->ring_late + j * P + p,
                               l->late, k, n * P);
    if (l->sensors.disturbed >> j & 1) {
      const double pole = l->sensors.disturbance_pole;
      const double white = normal_number(m->seed[p], 10 + (uint64_t)j, (uint64_t)k);
      s->colour[j] = k == 0 ? white : pole * s->colour[j] + sqrt(1 - pole * pole) * white;
      applied[j] += l->sensors.disturbance[j] * s->colour[j];
    }
    // sums and traces
    double *sum = m->sums + j * P + p;
    const int64_t part = n * P;
    const double away = s->q[j] - qr;
    sum[DEVICE_SUM_TRACKING * part] += away * away;
    sum[DEVICE_SUM_TORQUE * part] += tau * tau;
    sum[DEVICE_MAX_TRACKING * part] = fmax(sum[DEVICE_MAX_TRACKING * part], fabs(away));
    sum[DEVICE_MAX_TORQUE * part] = fmax(sum[DEVICE_MAX_TORQUE * part], fabs(tau));
    if (m->recorded) {
      const double error = to_step(seen, l->sensors.record_step[j]) - m->recorded[k * n + j];
      sum[DEVICE_SUM_DIFFERENCE * part] += error * error;
    }
    if (l->every > 0 && k % l->every == 0) {
      const int64_t at = (k / l->every * n + j) * P + p;
      if (m->trace_q) m->trace_q[at] = s->q[j];
      if (m->trace_tau) m->trace_tau[at] = tau;
    }
  }
  const double h = 1 / (l->rate_hz * l->substeps);
  int positive = 1;
#ifdef __CUDA_ARCH__
#pragma unroll 1
#endif
  for (int i = 0; i < l->substeps; i++)
    positive = plant_step(s->q, s->dq, l, v, applied, h, n, quarter) && positive;
  // the state after the tick
  int verdict = DEVICE_DONE, joint = -1;
  double value = 0;
  UNROLL
  for (int j = 0; j < n; j++) {
    const double speed = fabs(s->dq[j]);
    const double away = fabs(s->q[j] - m->qr[k * n + j] - value_of(v, DEVICE_SHIFT + j));
    if (verdict != DEVICE_DONE) continue;
    if (!positive) {
      verdict = DEVICE_SINGULAR;
    } else if (!(speed <= l->fastest[j])) {
      verdict = speed > l->fastest[j] && !isinf(speed) ? DEVICE_FAST : DEVICE_NOT_FINITE;
      joint = j;
      value = speed;
    } else if (!(away <= l->escape)) {
      verdict = away > l->escape && !isinf(away) ? DEVICE_AWAY : DEVICE_NOT_FINITE;
      joint = j;
      value = away;
    }
  }
  if (verdict == DEVICE_DONE) return 1;
  device_outcome o;
  o.verdict = verdict;
  o.joint = joint;
  o.ticks = verdict == DEVICE_SINGULAR ? k : k + 1;
  o.value = verdict == DEVICE_NOT_FINITE ? 0 : value;
  m->outcome[p] = o;
  return 0;
}

/* Ticks first ... last - 1 of a plant. */
POINT void loop_slice(const device_loop *l, const loop_memory *m, int64_t p, int64_t first,
                      int64_t last, const int n, const int quarter) {
  if (first == 0) begin_plant(l, m, p, n);
  if (m->outcome[p].verdict != DEVICE_DONE) return;
  point_state s;
  load_state(&s, l, m, p, n);
#ifdef __CUDA_ARCH__
#pragma unroll 1
#endif
  for (int64_t k = first; k < last; k++)
    if (!loop_tick(&s, l, m, p, k, n, quarter)) break;
  store_state(&s, l, m, p, n);
}

#endif
