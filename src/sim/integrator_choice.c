/* The faster integrator where its error is small: measured on parts of the reference. */
#include <math.h>

#include "sim/sim_internal.h"

#define PARTS 4            // parts of the reference, with one window each
#define SHARE 0.02         // share of the reference that the windows cover together
#define LEAST 50           // shortest window in ticks: several time constants of a fast loop
#define FINER 2            // the solution that counts as exact has so many times the default steps
#define SAFETY 4.0         // factor of the error: it may be larger outside of the windows
#define ENCODER_SHARE 0.1  // largest error, as a share of one encoder step

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

#define CANDIDATES 3

typedef struct {
  const rbv_model *model;
  const rbv_control *control;
  const rbv_sim_options *options;
  const rbv_sim_lane *lane;
  const rbv_sim_reference *reference;
  int njoint;
  ptrdiff_t length;  // ticks of a window
  rbv_sim_trace trace, exact[PARTS];
  double *largest, *start, *speed;  // njoint
} pilot;

static void free_pilot(pilot *p) {
  rbv_sim_trace_free(&p->trace);
  for (int i = 0; i < PARTS; i++) rbv_sim_trace_free(&p->exact[i]);
  rbv_free(p->largest);
}

static rbv_status fill_pilot(pilot *p) {
  const rbv_sim_reference *r = p->reference;
  const int n = p->njoint;
  p->largest = rbv_alloc(3 * (size_t)n * sizeof *p->largest);
  if (!p->largest) return RBV_EMEM;
  p->start = p->largest + n;
  p->speed = p->largest + 2 * n;
  for (int j = 0; j < n; j++)
    for (ptrdiff_t k = 1; k < r->count - 1; k++) {
      const double *q = r->q + k + j * r->ld;
      p->largest[j] = fmax(p->largest[j], fabs(q[1] - 2 * q[0] + q[-1]));
    }
  for (int i = 0; i < PARTS; i++) RBV_TRY(rbv_sim_trace_new(&p->exact[i], n, p->length));
  return rbv_sim_trace_new(&p->trace, n, p->length);
}

/* the reference in the window of a part, from rest relative to it */
static rbv_sim_reference window(pilot *p, int part) {
  const rbv_sim_reference *r = p->reference;
  const ptrdiff_t first = place_window(r, p->largest, p->njoint, part, p->length);
  rbv_sim_reference w = *r;
  w.count = p->length;
  w.q = r->q + first;
  w.dq = r->dq ? r->dq + first : NULL;
  w.ddq = r->ddq ? r->ddq + first : NULL;
  for (int j = 0; j < p->njoint; j++) {
    double acceleration;
    p->start[j] = r->q[first + j * r->ld];
    rbv_reference_rates(&p->speed[j], &acceleration, r, j, first, rbv_control_rate_hz(p->control));
  }
  w.q0 = p->start;
  w.dq0 = p->speed;
  return w;
}

/* run all windows; exact: keep the motions, otherwise compare with them. error: infinite if a loop
 * is lost */
static rbv_status run_windows(double *error, pilot *p, rbv_integrator integrator, int substeps,
                              bool exact) {
  rbv_sim_options o = *p->options;
  // random defects and counts would hide the difference
  o.defects = (rbv_sim_defects){.loop_delay = p->options->defects.loop_delay,
                                .actuator_delay_s = p->options->defects.actuator_delay_s};
  o.integrator = integrator;
  o.substeps = substeps;
  rbv_sim *sim;
  *error = 0;
  RBV_TRY(rbv_sim_new(&sim, p->model, p->control, &o, 1));
  rbv_status status = rbv_sim_set(sim, 0, p->lane);
  for (int i = 0; i < PARTS && status == RBV_OK && isfinite(*error); i++) {
    const rbv_sim_reference w = window(p, i);
    const rbv_sim_trace *t = exact ? &p->exact[i] : &p->trace;
    rbv_sim_outcome outcome;
    status = rbv_sim_run(&outcome, sim, &w, t);
    if (status == RBV_OK && outcome.verdict != RBV_SIM_DONE) *error = INFINITY;
    for (ptrdiff_t k = 0; k < p->njoint * p->length && status == RBV_OK && !exact; k++)
      *error = fmax(*error, fabs(t->q[k] - p->exact[i].q[k]));
  }
  rbv_sim_free(sim);
  return status;
}

/* the fewest steps per tick with a small error */
static rbv_status find_steps(rbv_sim_options *o, double *error, pilot *p, double most) {
  rbv_sim_options how = *p->options;
  const double rate_hz = rbv_control_rate_hz(p->control);
  how.integrator = RBV_INTEGRATOR_ROS2;
  const int usual = rbv_sim_choose_substeps(&how, rate_hz), given = p->options->substeps;
  int last = 0;
  RBV_TRY(run_windows(error, p, RBV_INTEGRATOR_ROSENBROCK, FINER * usual, true));
  if (!isfinite(*error)) return RBV_OK;
  for (int i = given > 0 ? CANDIDATES - 1 : 0; i < CANDIDATES; i++) {
    const int shorter = 1 << (CANDIDATES - 1 - i), steps = (usual + shorter - 1) / shorter;
    if (steps == last) continue;
    last = steps;
    RBV_TRY(run_windows(error, p, RBV_INTEGRATOR_ROS2, steps, false));
    if (!(SAFETY * *error <= most)) continue;
    o->integrator = RBV_INTEGRATOR_ROS2;
    o->substeps = steps;
    return RBV_OK;
  }
  return RBV_OK;
}

rbv_status rbv_sim_choose_integrator(rbv_sim_options *o, double *error, const rbv_model *m,
                                     const rbv_control *c, const rbv_sim_lane *lane,
                                     const rbv_sim_reference *r, double step) {
  const rbv_sim_options given = *o;
  double unused;
  if (!error) error = &unused;
  o->integrator = RBV_INTEGRATOR_ROSENBROCK;
  *error = NAN;
  if (rbv_model_has_springs(m)) return RBV_OK;  // the integrator of elastic joints is fixed
  ptrdiff_t length = (ptrdiff_t)(SHARE * (double)r->count) / PARTS;
  if (length < LEAST) length = LEAST;
  if (!(step > 0) || r->count < PARTS * length) return RBV_OK;
  pilot p = {.model = m,
             .control = c,
             .options = &given,
             .lane = lane,
             .reference = r,
             .njoint = rbv_model_joint_count(m),
             .length = length};
  rbv_status status = fill_pilot(&p);
  if (status == RBV_OK) status = find_steps(o, error, &p, ENCODER_SHARE * step);
  free_pilot(&p);
  return status;
}
