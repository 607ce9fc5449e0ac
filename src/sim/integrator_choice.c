/* The faster integrator where its error is small: measured on parts of the reference. */
#include <math.h>
#include <string.h>

#include "sim/sim_internal.h"

#define PARTS 4         // of the reference, with one window each
#define SHARE 0.02      // of the reference that the windows cover together
#define LEAST 50        // ticks of a window: several time constants of a fast loop
#define FINER 2         // steps of the solution that counts as exact, relative to the default
#define SAFETY 4.0      // the error outside of the windows may be larger
#define OF_A_STEP 0.1   // of an encoder that the error may be

/* sum over the joints of the acceleration of the reference, relative to its largest value */
static double harshness(const rbv_sim_reference *r, const double *largest, int n, ptrdiff_t k) {
  double sum = 0;
  for (int j = 0; j < n; j++) {
    const double *q = r->q + k + j * r->ld;
    if (largest[j] > 0) sum += fabs(q[1] - 2 * q[0] + q[-1]) / largest[j];
  }
  return sum;
}

/* first tick of the window of a part: it begins a quarter of its length before the tick with the
 * largest accelerations, where friction changes its sign too */
static ptrdiff_t place_window(const rbv_sim_reference *r, const double *largest, int n, int part,
                              ptrdiff_t length) {
  const ptrdiff_t begin = 1 + part * (r->count - 2) / PARTS,
                  end = 1 + (part + 1) * (r->count - 2) / PARTS;
  ptrdiff_t best = begin;
  double most = -1;
  for (ptrdiff_t k = begin; k < end; k++) {
    const double x = harshness(r, largest, n, k);
    if (x > most) most = x, best = k;
  }
  ptrdiff_t first = best - length / 4;
  if (first > r->count - length) first = r->count - length;
  return first > 0 ? first : 0;
}

typedef struct {
  rbv_sim *sim[2];
  rbv_sim_trace trace[2];
  double *largest, *start, *speed;  // njoint
} pilot;

static void free_pilot(pilot *p) {
  for (int i = 0; i < 2; i++) {
    rbv_sim_free(p->sim[i]);
    rbv_sim_trace_free(&p->trace[i]);
  }
  rbv_free(p->largest);
}

static rbv_status new_pilot(pilot *p, const rbv_model *m, const rbv_control *c,
                            const rbv_sim_options *o, const rbv_sim_lane *lane, ptrdiff_t length) {
  const int n = rbv_model_joint_count(m);
  p->largest = rbv_alloc(3 * (size_t)n * sizeof *p->largest);
  if (!p->largest) return RBV_EMEM;
  p->start = p->largest + n;
  p->speed = p->largest + 2 * n;
  for (int i = 0; i < 2; i++) {
    rbv_sim_options how = *o;
    // random defects and counts would hide the difference
    how.defects = (rbv_sim_defects){.loop_delay = o->defects.loop_delay,
                                    .actuator_delay_s = o->defects.actuator_delay_s};
    how.integrator = i ? RBV_INTEGRATOR_ROSENBROCK : RBV_INTEGRATOR_ROS2;
    if (i) how.substeps = FINER * rbv_sim_choose_substeps(&how, rbv_control_rate_hz(c));
    RBV_TRY(rbv_sim_new(&p->sim[i], m, c, &how, 1));
    RBV_TRY(rbv_sim_set(p->sim[i], 0, lane));
    RBV_TRY(rbv_sim_trace_new(&p->trace[i], n, length));
  }
  return RBV_OK;
}

/* largest difference of the positions in a window; infinite if the loop is lost */
static rbv_status compare(double *error, pilot *p, const rbv_sim_reference *r, int n,
                          ptrdiff_t first, ptrdiff_t length, double rate_hz) {
  rbv_sim_reference part = *r;
  rbv_sim_outcome outcome[2];
  part.count = length;
  part.q = r->q + first;
  part.dq = r->dq ? r->dq + first : NULL;
  part.ddq = r->ddq ? r->ddq + first : NULL;
  for (int j = 0; j < n; j++) {
    double acceleration;
    p->start[j] = r->q[first + j * r->ld];
    rbv_reference_rates(&p->speed[j], &acceleration, r, j, first, rate_hz);
  }
  part.q0 = first > 0 || !r->q0 ? p->start : r->q0;
  part.dq0 = first > 0 || !r->dq0 ? p->speed : r->dq0;
  for (int i = 0; i < 2; i++) {
    RBV_TRY(rbv_sim_run(&outcome[i], p->sim[i], &part, &p->trace[i]));
    if (outcome[i].verdict != RBV_SIM_DONE) *error = INFINITY;
  }
  for (ptrdiff_t i = 0; i < n * length; i++)
    *error = fmax(*error, fabs(p->trace[0].q[i] - p->trace[1].q[i]));
  return RBV_OK;
}

rbv_status rbv_sim_choose_integrator(rbv_integrator *out, double *error, const rbv_model *m,
                                     const rbv_control *c, const rbv_sim_options *o,
                                     const rbv_sim_lane *lane, const rbv_sim_reference *r,
                                     double step) {
  *out = RBV_INTEGRATOR_ROSENBROCK;
  if (error) *error = NAN;
  const int n = rbv_model_joint_count(m);
  ptrdiff_t length = (ptrdiff_t)(SHARE * (double)r->count) / PARTS;
  if (length < LEAST) length = LEAST;
  if (!(step > 0) || r->count < PARTS * length) return RBV_OK;
  pilot p = {0};
  double worst = 0;
  rbv_status status = new_pilot(&p, m, c, o, lane, length);
  for (int j = 0; j < n && status == RBV_OK; j++)
    for (ptrdiff_t k = 1; k < r->count - 1; k++) {
      const double *q = r->q + k + j * r->ld;
      p.largest[j] = fmax(p.largest[j], fabs(q[1] - 2 * q[0] + q[-1]));
    }
  for (int i = 0; i < PARTS && status == RBV_OK && isfinite(worst); i++)
    status = compare(&worst, &p, r, n, place_window(r, p.largest, n, i, length), length,
                     rbv_control_rate_hz(c));
  free_pilot(&p);
  if (status != RBV_OK) return status;
  if (error) *error = worst;
  if (SAFETY * worst <= OF_A_STEP * step) *out = RBV_INTEGRATOR_ROS2;
  return RBV_OK;
}
