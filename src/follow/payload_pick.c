/*
 * The time of a change of the payload. Equations pass filters, which mix what was carried before
 * with what is carried now. If the time is known, nothing has to be waited for: the columns of the
 * new payload pass the filters from that time on, those of the old one until then. The time is the
 * one with the largest likelihood of the last equations.
 *
 * What the filters still have of the old payload follows from its columns, which are linear between
 * two kept instants, and from the responses of the filters to a step and to a ramp. The columns are
 * taken behind the first filters, which remove the noise of accelerations, and shifted by the
 * delay.
 */
#include <math.h>
#include <string.h>

#include "follow/follow_internal.h"

#define KERNEL_S 1e-3                             // between two values of a response [s]
#define KERNEL (int)(HISTORY * ROW_S / KERNEL_S)  // values of a response
#define REFINE 12                                 // bisections of the time around the best one
#define SEEN 15.1  // gain of misfit of a change: 1e-4 of chi-square with one degree of freedom
#define GOLDEN 0.381966  // of an interval

/* a kept instant: its time, then of every joint: */
typedef enum {
  KEPT_Y,                            // what the arm and its friction do not explain
  KEPT_LOOSE,                        // friction that is not known
  KEPT_X,                            // columns of the payload behind the filters
  KEPT_RAW = KEPT_X + RBV_INERTIAL,  // columns behind the filter of the residual
  KEPT_PART = KEPT_RAW + RBV_INERTIAL
} kept_number;

static int joint_size(const rbv_follow *f) { return KEPT_PART + f->npart; }
int rbv_pick_slot_size(const rbv_follow *f) { return 1 + f->n * joint_size(f); }

int rbv_pick_kernel_size(const rbv_follow *f) {
  (void)f;
  return 2 * KERNEL;
}

/* ---- responses ---- */

void rbv_pick_prepare(rbv_follow *f) {
  enum { FILTERS = 3 };
  double memory[FILTERS][2 * (POLES + 1)] = {{0}};
  const double pole[FILTERS] = {f->samples.pole, f->fast.pole, f->slow.pole};
  pole_chain c[FILTERS];
  for (int i = 0; i < FILTERS; i++) c[i] = rbv_chain_at(memory[i], 2, pole[i] / (2 * RBV_PI));
  c[0].last[0] = 1;  // a step and a ramp
  for (int k = 0; k < KERNEL; k++) {
    for (int i = 0; i < 2; i++) f->kernel[i * KERNEL + k] = rbv_chain_value(&c[FILTERS - 1], i);
    const double input[2] = {1, (k + 1) * KERNEL_S};
    rbv_chain_push(&c[0], input, KERNEL_S);
    for (int i = 1; i < FILTERS; i++)
      rbv_chain_push(&c[i], c[i - 1].stage + (POLES - 1) * 2, KERNEL_S);
  }
}

/* response to a step (0) or a ramp (1) that began a time ago */
static double response(const rbv_follow *f, int kind, double time) {
  const double *of = f->kernel + kind * KERNEL, at = time / KERNEL_S;
  if (!(at > 0)) return 0;
  // the filters have forgotten the beginning
  if (at >= KERNEL - 1) return of[KERNEL - 1] + (kind == 1 ? time - (KERNEL - 1) * KERNEL_S : 0);
  const int k = (int)at;
  return of[k] + (at - k) * (of[k + 1] - of[k]);
}

/* ---- kept instants ---- */

/* i-th of the kept instants, the oldest one first */
static double *slot(const rbv_follow *f, int i) {
  const int first = (int)f->at[AT_NEXT] - (int)f->at[AT_KEPT] + HISTORY;
  return f->history + (first + i) % HISTORY * rbv_pick_slot_size(f);
}

void rbv_pick_keep(rbv_follow *f) {
  const int row = f->fast.count / f->n;
  double *to = f->history + (int)f->at[AT_NEXT] * rbv_pick_slot_size(f);
  *to++ = f->at[AT_TIME];
  for (int j = 0; j < f->n; j++, to += joint_size(f)) {
    const slow_row *s = &f->slow_rows[j];
    to[KEPT_Y] = s->y - rbv_drift_torque(f, j, s->f);
    to[KEPT_LOOSE] = s->loose;
    memcpy(to + KEPT_X, s->x, sizeof s->x);
    memcpy(to + KEPT_RAW, f->fast.stage + (POLES - 1) * f->fast.count + j * row + 1, sizeof s->x);
    if (f->npart > 0) memcpy(to + KEPT_PART, s->part, (size_t)f->npart * sizeof *to);
  }
  f->at[AT_NEXT] = ((int)f->at[AT_NEXT] + 1) % HISTORY;
  f->at[AT_KEPT] = fmin(f->at[AT_KEPT] + 1, HISTORY);
}

/* time of the columns that were kept with an instant */
static double column_time(const rbv_follow *f, int i) {
  return slot(f, i)[0] - POLES / f->samples.pole - POLES / f->fast.pole;
}

/* Weights of the kept columns, whose sum is what the filters give at a time t if the columns end at
 * another time. Before the first instant they are constant. */
static void weights(double weight[HISTORY], const rbv_follow *f, double end, double t) {
  memset(weight, 0, HISTORY * sizeof *weight);
  weight[0] = 1 - response(f, 0, t - fmin(end, column_time(f, 0)));
  for (int i = 0; i + 1 < (int)f->at[AT_KEPT]; i++) {
    const double a = column_time(f, i), b = column_time(f, i + 1);
    if (a >= end) break;
    const double to = fmin(b, end), share = (to - a) / (b - a);
    const double ramp = (response(f, 1, t - a) - response(f, 1, t - to)) / (to - a);
    const double first = response(f, 0, t - a) - ramp, second = ramp - response(f, 0, t - to);
    weight[i] += first + (1 - share) * second;
    weight[i + 1] += share * second;
  }
}

/* the equations of a kept instant, of a payload that changed at a time */
static void recall(rbv_follow *f, int row, double begin) {
  double weight[HISTORY];
  const double *from = slot(f, row) + 1;
  weights(weight, f, begin, slot(f, row)[0]);
  for (int j = 0; j < f->n; j++, from += joint_size(f)) {
    slow_row *to = &f->slow_rows[j];
    *to = (slow_row){.y = from[KEPT_Y], .loose = from[KEPT_LOOSE], .part = from + KEPT_PART};
    double old[RBV_INERTIAL] = {0};
    for (int k = 0; k < (int)f->at[AT_KEPT]; k++) {
      const double *raw = slot(f, k) + 1 + j * joint_size(f) + KEPT_RAW;
      for (int i = 0; weight[k] != 0 && i < RBV_INERTIAL; i++) old[i] += weight[k] * raw[i];
    }
    for (int i = 0; i < RBV_INERTIAL; i++) {
      to->x[i] = from[KEPT_X + i] - old[i];
      to->y -= old[i] * f->before[i];
    }
    f->variance[j] = rbv_part_variance(f, to->part);
  }
}

/* ---- likelihood ---- */

/* Misfit of all kept equations if the payload changed at this time: those before it by the old
 * payload, those behind it by the new one that fits best. */
static double misfit(rbv_follow *f, double begin) {
  double sum = 0;
  rbv_payload_prior(&f->trial);
  for (int k = 0; k < (int)f->at[AT_KEPT]; k++) {
    recall(f, k, begin);
    if (slot(f, k)[0] > begin) {
      (void)rbv_payload_add(f, &f->trial);
      continue;
    }
    for (int j = 0; j < f->n; j++) {
      const slow_row *s = &f->slow_rows[j];
      const double variance = rbv_payload_noise(f, j) + s->loose * s->loose;
      sum += s->y * s->y / (variance * f->colour[j] * f->colour[j]);
    }
  }
  return sum + f->trial.rss[0];
}

bool rbv_pick_seen(rbv_follow *f) {
  bool seen = false;
  memcpy(f->before, f->payload, RBV_INERTIAL * sizeof *f->before);
  // a payload that was there before all of them
  const double always = misfit(f, -INFINITY);
  for (int k = (int)f->at[AT_KEPT] - 1; k > 0 && !seen; k -= 2)
    seen = always - misfit(f, slot(f, k)[0]) > SEEN;
  rbv_follow_equations(f);
  return seen;
}

/* the best instant, then between its neighbours; false: there is none */
static bool find_time(double *begin, rbv_follow *f) {
  const int count = (int)f->at[AT_KEPT];
  int best = -1;
  double least = INFINITY;
  for (int k = 0; k < count && slot(f, k)[0] <= f->at[AT_CHANGED]; k++) {
    const double value = misfit(f, slot(f, k)[0]);
    if (!(value < least)) continue;
    least = value;
    best = k;
  }
  if (best < 1 || best + 1 >= count) return false;  // it was before all of them
  double low = slot(f, best - 1)[0], high = slot(f, best + 1)[0];
  double a = low + GOLDEN * (high - low), b = high - GOLDEN * (high - low);
  double at_a = misfit(f, a), at_b = misfit(f, b);
  for (int i = 0; i < REFINE; i++) {
    if (at_a < at_b) {
      high = b;
      b = a;
      at_b = at_a;
      at_a = misfit(f, a = low + GOLDEN * (high - low));
    } else {
      low = a;
      a = b;
      at_a = at_b;
      at_b = misfit(f, b = high - GOLDEN * (high - low));
    }
  }
  *begin = 0.5 * (low + high);
  return true;
}

bool rbv_pick_start(rbv_follow *f) {
  double begin, weight = 0;
  const int count = (int)f->at[AT_KEPT];
  bool found = f->at[AT_LOAD] == RBV_LOAD_UNKNOWN && find_time(&begin, f);
  if (found) {
    rbv_payload_prior(&f->load);
    for (int k = 0; k < count; k++) {
      if (slot(f, k)[0] <= begin) continue;
      recall(f, k, begin);
      weight += rbv_payload_add(f, &f->load);
    }
    // a change that takes long, or something else than a payload: wait until the filters forget it
    found = rbv_payload_fits(f->load.rss[0], weight);
    if (found)
      f->at[AT_WEIGHT] = weight;
    else
      rbv_payload_prior(&f->load);
  }
  f->at[AT_KEPT] = 0;
  rbv_follow_equations(f);
  return found;
}
