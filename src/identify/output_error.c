/*
 * Closed-loop output error (cloe): the parameters with which the simulated loop moves as the
 * recorded one did. Levenberg-Marquardt on the positions, and on the torques if that is asked for:
 *
 *   minimise sum_g rows_g log(rss_g),  g: the signals (one per joint; with torques two)
 *
 * which is the likelihood of normal residuals whose variance of each signal is unknown. A step
 * solves the linear problem with the sensitivities of module sim, each signal divided by the sigma
 * of its present residual. It is accepted if the sum decreases. The iteration stops when a full
 * step would move no parameter by more than a fraction of its sigma.
 */
#include "identify/output_error.h"

#include <math.h>
#include <string.h>

#include "identify/block_deletion.h"
#include "identify/closed_loop.h"

#define DAMPING_FIRST 1e-3  // relative to the length of each column
#define DAMPING_LEAST 1e-9
#define DAMPING_MOST 1e6
#define DAMPING_FACTOR 10.0
#define STEP_REST 0.1   // sigmas that a full step may still move a parameter at the end
#define STEP_STUCK 1.0  // the same, if no step decreases the cost
#define COST_REST 0.1   // decrease of the cost, -2 log(likelihood), that is not significant
#define ROW_HZ 200.0    // means of samples are taken down to this rate
#define LONGEST_DELAY_S 0.05

/* ---- memory ---- */

static void layout(output_run *o, rbv_arena *a) {
  const identify_run *r = o->r;
  const size_t p = (size_t)o->p, n = (size_t)o->joints, s = (size_t)o->signals;
  const size_t motions = (size_t)r->nmotion;
  const size_t parts = (size_t)(r->nblock + rbv_blocks_recordings(r->nmotion));
  o->unknown = RBV_TAKE(a, p, rbv_unknown);
  o->motion_of = RBV_TAKE(a, p, int);
  double **const of_unknowns[] = {&o->x, &o->trial, &o->length, &o->zero, &o->solution.x};
  for (int i = 0; i < RBV_COUNT(of_unknowns); i++) *of_unknowns[i] = RBV_TAKE(a, p, double);
  o->chi = RBV_TAKE(a, rbv_model_column_count(r->model), double);
  double **const of_joints[] = {&o->delay,    &o->bias,        &o->integral,
                                &o->tracking, &o->square_step, &o->last};
  for (int i = 0; i < RBV_COUNT(of_joints); i++) *of_joints[i] = RBV_TAKE(a, n, double);
  o->law = RBV_TAKE(a, n, rbv_control_joint);
  double **const of_signals[] = {&o->sigma, &o->rss, &o->held_rss, &o->mean, &o->scale};
  for (int i = 0; i < RBV_COUNT(of_signals); i++) *of_signals[i] = RBV_TAKE(a, s, double);
  o->rows = RBV_TAKE(a, s, ptrdiff_t);
  o->held_rows = RBV_TAKE(a, s, ptrdiff_t);
  double ***const of_motions[] = {&o->q, &o->torque, &o->q0, &o->dq0};
  for (int i = 0; i < RBV_COUNT(of_motions); i++) *of_motions[i] = RBV_TAKE(a, motions, double *);
  o->valid = RBV_TAKE(a, motions, bool *);
  o->control = RBV_TAKE(a, motions, rbv_control *);
  o->trace = RBV_TAKE(a, motions, rbv_sim_trace);
  for (int i = 0; i < r->nmotion; i++) {
    const ptrdiff_t count = rbv_motion_get_info(r->motions[i])->count;
    double *q = RBV_TAKE(a, count * o->joints, double);
    double *torque = RBV_TAKE(a, o->loop->torques ? count * o->joints : 0, double);
    bool *valid = RBV_TAKE(a, count, bool);
    double *q0 = RBV_TAKE(a, n, double), *dq0 = RBV_TAKE(a, n, double);
    rbv_sim_trace t = {.ld = count};
    double **const wanted[] = {&t.q, &t.dq, &t.tau, &t.applied, &t.seen};
    for (int k = 0; k < RBV_COUNT(wanted); k++) *wanted[k] = RBV_TAKE(a, count * o->joints, double);
    if (!a->base) continue;
    o->q[i] = q;
    o->torque[i] = torque;
    o->valid[i] = valid;
    o->q0[i] = q0;
    o->dq0[i] = dq0;
    o->trace[i] = t;
  }
  const size_t lanes = p + 1 + RBV_GAIN_COUNT;
  o->dq = RBV_TAKE(a, n * lanes, double);
  o->dtau = RBV_TAKE(a, n * lanes, double);
  o->sum = RBV_TAKE(a, s * lanes, double);
  o->buffer = RBV_TAKE(a, OUTPUT_ROWS * lanes, double);
  o->part = RBV_TAKE(a, (size_t)r->nblock * rbv_output_square(o), double);
  double **const triangles[] = {&o->R, &o->damped, &o->common};
  for (int i = 0; i < RBV_COUNT(triangles); i++)
    *triangles[i] = RBV_TAKE(a, rbv_output_square(o), double);
  o->solution.cov = RBV_TAKE(a, p * p, double);
  o->selection.active = RBV_TAKE(a, p, int);
  o->deviation = RBV_TAKE(a, parts * p, double);
}

/* largest step of an unknown in its sigma; the rows are divided by their sigma already */
static double step_size(const output_run *o) {
  double largest = 0;
  for (int i = 0; i < o->selection.count; i++) {
    const int k = o->selection.active[i];
    const double sigma = sqrt(o->solution.cov[k + (ptrdiff_t)k * o->p] / o->solution.sigma2);
    if (sigma > 0) largest = fmax(largest, fabs(o->solution.x[k]) / sigma);
  }
  return largest;
}

/* position error over tracking error */
static double relative_error(const output_run *o) {
  double rss = 0, all = 0;
  for (int j = 0; j < o->joints; j++) {
    rss += o->rss[j];
    all += o->tracking[j];
  }
  return sqrt(rss / all);
}

/* try steps with growing damping until one decreases the cost; x and the run are those of the best
 */
static rbv_status descend(output_run *o, double *damping, bool *moved) {
  const double before = o->cost;
  char sentence[256];
  bool raised = false;
  *moved = false;
  double *next = rbv_alloc((size_t)o->p * sizeof *next);
  if (!next) return RBV_EMEM;
  rbv_status status = RBV_OK;
  while (status == RBV_OK && !*moved && *damping <= DAMPING_MOST) {
    bool done = false;
    status = rbv_go_on("iterations", NAN);
    if (status == RBV_OK) status = rbv_output_solve(o, *damping);
    for (int k = 0; k < o->p && status == RBV_OK; k++) next[k] = o->x[k] + o->solution.x[k];
    rbv_output_limit(o, next);
    if (status == RBV_OK) status = rbv_output_simulate(o, next, &done, sentence, sizeof sentence);
    *moved = status == RBV_OK && done && o->cost < before;
    if (*moved) break;
    raised = true;
    *damping *= DAMPING_FACTOR;
  }
  if (*moved) {
    memcpy(o->x, next, (size_t)o->p * sizeof *next);
    if (!raised) *damping = fmax(*damping / DAMPING_FACTOR, DAMPING_LEAST);
  } else if (status == RBV_OK) {
    bool done;
    status = rbv_output_simulate(o, o->x, &done, sentence, sizeof sentence);
  }
  rbv_free(next);
  return status;
}

static rbv_status first_simulation(output_run *o) {
  char sentence[256];
  bool done;
  RBV_TRY(rbv_output_simulate(o, o->x, &done, sentence, sizeof sentence));
  if (done) return RBV_OK;
  return rbv_fail_option(RBV_EINPUT, "start",
                         "the loop with the start values does not follow its reference: %s; check "
                         "that the controller is that of the recording, or try other start values",
                         sentence);
}

static rbv_status iterate(output_run *o) {
  rbv_estimate *e = o->e;
  const double rest = o->loop->stop_step > 0 ? o->loop->stop_step : STEP_REST;
  const int most = o->loop->most > 0 ? o->loop->most : LOOP_MOST;
  double damping = DAMPING_FIRST;
  RBV_TRY(first_simulation(o));
  bool moved = true, stuck = false;
  while (e->iterations < most && !e->converged) {
    RBV_TRY(rbv_output_linearise(o));
    RBV_TRY(rbv_output_select(o));
    RBV_TRY(rbv_output_solve(o, 0));
    rbv_iteration *now = &e->iteration[e->iterations];
    now->residual = relative_error(o);
    now->change = step_size(o);
    e->iterations++;
    if (o->r->options->progress)
      o->r->options->progress(o->r->options->progress_self, e->iterations, now);
    e->converged = now->change <= rest || (stuck && now->change <= STEP_STUCK);
    if (e->converged || e->iterations == most || !moved) break;
    const double before = o->cost;
    RBV_TRY(descend(o, &damping, &moved));
    stuck = !moved || before - o->cost <= COST_REST;
  }
  return RBV_OK;
}

/* ---- the run ---- */

static rbv_status check(const identify_run *r) {
  const rbv_closed_loop *loop = r->options->loop;
  const int n = rbv_model_joint_count(r->model);
  if (!loop || !(loop->control || loop->controls) || !loop->reference)
    return rbv_fail_option(RBV_EINPUT, "controller",
                           "this method simulates the closed loop: it needs the controller and the "
                           "reference (columns qr1...) of the recording");
  if (r->nrow != n || rbv_model_row(r->model, 0)->torque != RBV_TORQUE_MOTOR)
    return rbv_fail_option(RBV_EINPUT, "sensing",
                           "method %s simulates the torques of the motors: it needs sensing motor",
                           r->method->name);
  for (int i = 0; i < r->nmotion; i++) {
    const rbv_motion_info *info = rbv_motion_get_info(r->motions[i]);
    const double rate = rbv_control_rate_hz(loop->controls ? loop->controls[i] : loop->control);
    if (!(fabs(info->rate_hz - rate) <= 1e-3 * rate))
      return rbv_fail(RBV_EINPUT, "'%s' is sampled at %g Hz, but its controller runs at %g Hz",
                      info->name, info->rate_hz, rate);
    if (loop->reference[i].count != info->count)
      return rbv_fail(RBV_EDIM, "'%s' has %td samples, but its reference has %td", info->name,
                      info->count, loop->reference[i].count);
    const rbv_control *control = loop->controls ? loop->controls[i] : loop->control;
    if (rbv_control_get_feedforward(control) != RBV_FEEDFORWARD_NONE && !loop->known)
      return rbv_fail(RBV_EINPUT,
                      "the controller feeds the torque of a model forward: the robot file must "
                      "have the values of this model");
  }
  return RBV_OK;
}

static rbv_status read_motions(output_run *o) {
  const identify_run *r = o->r;
  for (int i = 0; i < r->nmotion; i++) {
    const ptrdiff_t count = o->trace[i].ld;
    double *dq = o->trace[i].dq;  // scratch memory
    const rbv_samples to = {.ld = count,
                            .q = o->q[i],
                            .dq = dq,
                            .torque = o->loop->torques ? o->torque[i] : NULL,
                            .valid = o->valid[i]};
    RBV_TRY(rbv_motion_read(r->motions[i], &to, 0, count));
    for (int j = 0; j < o->joints; j++) o->dq0[i][j] = dq[j * count];
    const double *measured = o->loop->measured ? o->loop->measured[i] : NULL;
    if (measured) memcpy(o->q[i], measured, (size_t)(count * o->joints) * sizeof *measured);
    for (int j = 0; j < o->joints; j++) o->q0[i][j] = o->q[i][j * count];
  }
  return RBV_OK;
}

static rbv_status run(output_run *o) {
  RBV_TRY(rbv_qr_new(&o->qr, o->p + 1));
  RBV_TRY(read_motions(o));
  identify_loop *start;
  RBV_TRY(rbv_loop_new(&start, o->r));
  rbv_loop_start(o->chi, start, o->r);
  rbv_loop_free(start, o->r);
  rbv_output_start(o, o->chi);
  RBV_TRY(iterate(o));
  return rbv_output_finish(o);
}

rbv_status rbv_output_error(identify_run *r, rbv_estimate *e) {
  RBV_TRY(check(r));
  const rbv_closed_loop *loop = r->options->loop;
  output_run sizes = {.r = r,
                      .e = e,
                      .loop = loop,
                      .joints = rbv_model_joint_count(r->model),
                      .wanted = loop->nunknown};
  sizes.extra = rbv_output_add_integrals(&sizes, sizes.wanted);
  sizes.p = sizes.extra + r->n;
  const double rate = rbv_motion_get_info(r->motions[0])->rate_hz;
  sizes.decimate = (int)fmax(1, fmin(r->filter.decimate, floor(rate / ROW_HZ)));
  sizes.signals = sizes.joints * (loop->torques ? 2 : 1);
  sizes.longest_delay_s = fmax(loop->longest_delay_s > 0 ? loop->longest_delay_s : LONGEST_DELAY_S,
                               2 * loop->start_delay_s);
  rbv_arena measure = {0};
  (void)RBV_TAKE(&measure, 1, output_run);
  layout(&sizes, &measure);
  char *memory = rbv_alloc(measure.used);
  if (!memory) return RBV_EMEM;
  rbv_arena carve = {.base = memory};
  output_run *o = RBV_TAKE(&carve, 1, output_run);
  *o = sizes;
  layout(o, &carve);
  const rbv_status status = run(o);
  for (int i = 0; i < r->nmotion; i++) rbv_control_free(o->control[i]);
  rbv_qr_free(o->qr);
  rbv_free(memory);
  return status;
}
