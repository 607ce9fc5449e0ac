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

#include "control/control.h"
#include "identify/block_deletion.h"
#include "identify/closed_loop.h"

#define ROW_HZ 200.0  // means of samples are taken down to this rate
#define LONGEST_DELAY_S 0.05
#define GUIDE_S 0.05    // memory of a controller
#define COMMAND_S 0.05  // longest delay of a command

/* ---- memory ---- */

static int law_ticks(const output_run *o, int motion) {
  return rbv_control_ticks(rbv_output_given_control(o, motion));
}

/* room for a law of FAST_HZ, which rbv_output_find_influence tries */
static int most_ticks(const output_run *o, int motion) {
  const int ticks = law_ticks(o, motion);
  const double rate = rbv_control_rate_hz(rbv_output_given_control(o, motion));
  return rate < OUTPUT_FAST_HZ ? ticks * (int)ceil(OUTPUT_FAST_HZ / rate) : ticks;
}

static void layout_segments(output_run *o, rbv_arena *a) {
  o->segment = RBV_TAKE(a, o->nsegment, output_segment);
  for (int i = 0; i < o->nsegment; i++) {
    double *q0 = RBV_TAKE(a, o->joints, double), *dq0 = RBV_TAKE(a, o->joints, double);
    if (a->base) o->segment[i] = (output_segment){.q0 = q0, .dq0 = dq0};
  }
}

static void layout(output_run *o, rbv_arena *a) {
  const identify_run *r = o->r;
  const size_t p = (size_t)o->p, n = (size_t)o->joints, s = (size_t)o->signals;
  const size_t motions = (size_t)r->nmotion;
  const size_t parts = (size_t)(r->nblock + rbv_blocks_recordings(r->nmotion));
  o->unknown = RBV_TAKE(a, p, rbv_unknown);
  o->segment_of = RBV_TAKE(a, p, int);
  o->step_of = RBV_TAKE(a, p, output_step);
  double **const of_unknowns[] = {&o->x,    &o->good,    &o->trial,      &o->known,     &o->length,
                                  &o->low,  &o->zero,    &o->solution.x, &o->step_unit, &o->high,
                                  &o->near, &o->near_to, &o->first};
  for (int i = 0; i < RBV_COUNT(of_unknowns); i++) *of_unknowns[i] = RBV_TAKE(a, p, double);
  o->chi = RBV_TAKE(a, rbv_model_column_count(r->model), double);
  o->drive = RBV_TAKE(a, r->n, int);
  o->share = RBV_TAKE(a, r->n, double);
  double **const of_joints[] = {&o->delay,       &o->bias, &o->integral,  &o->tracking, &o->command,
                                &o->square_step, &o->last, &o->stiffness, &o->damping};
  for (int i = 0; i < RBV_COUNT(of_joints); i++) *of_joints[i] = RBV_TAKE(a, n, double);
  o->law = RBV_TAKE(a, n, rbv_control_joint);
  double **const of_signals[] = {&o->sigma, &o->rss, &o->held_rss, &o->mean, &o->scale};
  for (int i = 0; i < RBV_COUNT(of_signals); i++) *of_signals[i] = RBV_TAKE(a, s, double);
  o->rows = RBV_TAKE(a, s, ptrdiff_t);
  o->held_rows = RBV_TAKE(a, s, ptrdiff_t);
  double ***const of_motions[] = {&o->q, &o->torque, &o->velocity, &o->held, &o->later};
  for (int i = 0; i < RBV_COUNT(of_motions); i++) *of_motions[i] = RBV_TAKE(a, motions, double *);
  o->valid = RBV_TAKE(a, motions, bool *);
  o->control = RBV_TAKE(a, motions, rbv_control *);
  o->trace = RBV_TAKE(a, motions, rbv_sim_trace);
  o->substeps = RBV_TAKE(a, motions, int);
  o->ticks = RBV_TAKE(a, motions, int);
  o->most_ticks = RBV_TAKE(a, motions, int);
  for (int i = 0; i < r->nmotion; i++) {
    const ptrdiff_t count = rbv_motion_get_info(r->motions[i])->count;
    double *q = RBV_TAKE(a, count * o->joints, double);
    double *torque = RBV_TAKE(a, o->loop->torques ? count * o->joints : 0, double);
    double *velocity = RBV_TAKE(a, count * o->joints, double);
    bool *valid = RBV_TAKE(a, count, bool);
    const int ticks = law_ticks(o, i), most = most_ticks(o, i);
    double *held = RBV_TAKE(a, count * most * o->joints, double);
    double *later = RBV_TAKE(a, count * most * o->joints, double);
    rbv_sim_trace t = {.ld = count * ticks};
    double **const wanted[] = {&t.q, &t.dq, &t.tau, &t.applied, &t.seen, &t.link_q, &t.link_dq};
    const int arrays = RBV_COUNT(wanted) - (o->elastic ? 0 : 2);
    for (int k = 0; k < arrays; k++) *wanted[k] = RBV_TAKE(a, count * most * o->joints, double);
    if (!a->base) continue;
    o->q[i] = q;
    o->torque[i] = torque;
    o->velocity[i] = velocity;
    o->valid[i] = valid;
    o->trace[i] = t;
    o->held[i] = held;
    o->later[i] = later;
    o->ticks[i] = ticks;
    o->most_ticks[i] = most;
  }
  layout_segments(o, a);
  const size_t lanes = p + 1 + OUTPUT_INFLUENCES;
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

static rbv_status check_elastic(const identify_run *r, const rbv_closed_loop *loop) {
  if (!loop->known_links)
    return rbv_fail_option(RBV_EINPUT, "known-links",
                           "elastic joints divide a base parameter into link and rotor: the links "
                           "must be known");
  if (loop->segment_s > 0)
    return rbv_fail_option(RBV_EINPUT, "segment",
                           "elastic joints start at rest: recordings cannot be divided");
  if (loop->global)
    return rbv_fail_option(RBV_EUNSUPPORTED, "search",
                           "a global search does not simulate elastic joints");
  for (int j = 0; j < rbv_model_joint_count(r->model); j++)
    if (!(loop->stiffness[j] > 0) || (loop->damping && !(loop->damping[j] >= 0)))
      return rbv_fail_option(RBV_EINPUT, "joint-stiffness",
                             "the stiffness of joint %d must be above zero, and its damping not "
                             "below: all joints are elastic, or none",
                             j + 1);
  return RBV_OK;
}

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
    const rbv_control *law = loop->controls ? loop->controls[i] : loop->control;
    const double rate = rbv_control_rate_hz(law) / rbv_control_ticks(law);
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
  if (loop->stiffness) RBV_TRY(check_elastic(r, loop));
  for (int i = 0; i < loop->nunknown; i++) {
    const rbv_unknown *u = &loop->unknown[i];
    const bool spring = u->kind == RBV_UNKNOWN_STIFFNESS || u->kind == RBV_UNKNOWN_DAMPING;
    if (spring && !loop->stiffness)
      return rbv_fail_option(RBV_EINPUT, "joint-stiffness",
                             "an unknown %s of the joints needs start values of their stiffness",
                             rbv_unknown_name((int)u->kind));
    if (u->kind == RBV_UNKNOWN_DAMPING && !(loop->damping && loop->damping[u->joint] > 0))
      return rbv_fail_option(RBV_EINPUT, "joint-damping",
                             "an unknown damping of joint %d needs a start value above zero",
                             u->joint + 1);
    if (u->kind != RBV_UNKNOWN_SHAPE) continue;
    if (!u->shape || !rbv_model_law_of_shape(r->model, u->joint, u->shape))
      return rbv_fail(RBV_EINPUT, "no friction of joint %d has the shape parameter %s",
                      u->joint + 1, u->shape ? u->shape : "(none)");
    for (int k = 0; k < r->nmotion; k++)
      if (rbv_control_get_feedforward(loop->controls ? loop->controls[k] : loop->control) ==
          RBV_FEEDFORWARD_MODEL)
        return rbv_fail_option(RBV_EUNSUPPORTED, "unknown",
                               "the controller feeds the torque of a model forward, whose friction "
                               "has fixed shape parameters: %s cannot be unknown",
                               u->shape);
  }
  if (loop->known_links && !loop->known)
    return rbv_fail_option(RBV_EINPUT, "known-links",
                           "the links cannot be known: the robot file has no parameter values");
  return RBV_OK;
}

/* samples that fill the memory of the controller and of the delay before a segment is free */
static ptrdiff_t guide_samples(const output_run *o, int motion) {
  const double rate = rbv_motion_get_info(o->r->motions[motion])->rate_hz;
  const ptrdiff_t most = o->loop->skip > 1 ? o->loop->skip : 1;
  const ptrdiff_t wanted = (ptrdiff_t)ceil((o->longest_delay_s + GUIDE_S) * rate);
  return wanted < most ? wanted : most;
}

/* recorded positions, and the state at the start of every segment */
static rbv_status read_motions(output_run *o) {
  const identify_run *r = o->r;
  int at = 0;
  for (int i = 0; i < r->nmotion; i++) {
    const ptrdiff_t count = rbv_output_count(o, i);
    double *dq = o->velocity[i];
    const rbv_samples to = {.ld = count,
                            .q = o->q[i],
                            .dq = dq,
                            .torque = o->loop->torques ? o->torque[i] : NULL,
                            .valid = o->valid[i]};
    RBV_TRY(rbv_motion_read(r->motions[i], &to, 0, count));
    const double *measured = o->loop->measured ? o->loop->measured[i] : NULL;
    if (measured) memcpy(o->q[i], measured, (size_t)(count * o->joints) * sizeof *measured);
    const int parts = rbv_output_segments(o, i);
    for (int k = 0; k < parts; k++) {
      output_segment *g = &o->segment[at++];
      g->motion = i;
      g->first = k * count / parts;
      g->count = (k + 1) * count / parts - g->first;
      // the first segment begins with a robot at rest
      g->guided = k > 0 ? guide_samples(o, i) : 0;
      for (int j = 0; j < o->joints; j++) {
        g->q0[j] = o->q[i][g->first + j * count];
        g->dq0[j] = dq[g->first + j * count];
      }
    }
  }
  return RBV_OK;
}

/* sigma to expect: the recordings are simulations with noise, and o->x is their optimum */
static rbv_status expect(output_run *o) {
  char sentence[256];
  bool done;
  RBV_TRY(rbv_output_simulate(o, o->x, &done, sentence, sizeof sentence));
  if (!done)
    return rbv_fail_option(RBV_EINPUT, "controller", "the loop does not follow the motion: %s",
                           sentence);
  for (int i = 0; i < o->r->nmotion; i++) {
    const rbv_sim_trace *t = &o->trace[i];
    const ptrdiff_t count = rbv_output_count(o, i);
    for (int j = 0; j < o->joints; j++)
      for (ptrdiff_t k = j * count; k < (j + 1) * count; k++)
        o->q[i][k] =
            t->q[k * o->ticks[i]] + o->bias[j] +
            o->loop->noise[j] * rbv_random_normal(o->r->options->seed, (uint64_t)i, (uint64_t)k);
  }
  rbv_output_sum(o);
  RBV_TRY(rbv_output_linearise(o));
  RBV_TRY(rbv_output_select(o));
  RBV_TRY(rbv_output_solve(o, 0));
  o->e->converged = true;
  return RBV_OK;
}

/* error with the values of the robot file, of the same loop: what the estimate is compared with */
static rbv_status try_robot_file(output_run *o) {
  char sentence[256];
  bool done;
  for (int j = 0; j < o->joints; j++) o->e->loop.output[j].before = NAN;
  memcpy(o->trial, o->x, (size_t)o->p * sizeof *o->trial);
  if (!o->loop->known || o->elastic) {
    // for the time that it takes
    RBV_TRY(rbv_output_simulate(o, o->trial, &done, sentence, sizeof sentence));
    o->e->loop.simulations = 0;
    return RBV_OK;
  }
  rbv_base_values(o->trial + o->extra, o->e->base, o->loop->known);
  RBV_TRY(rbv_output_simulate(o, o->trial, &done, sentence, sizeof sentence));
  o->e->loop.simulations = 0;  // of the search
  for (int j = 0; j < o->joints; j++)
    o->e->loop.output[j].before = done ? sqrt(o->rss[j] / (double)o->rows[j]) : INFINITY;
  return RBV_OK;
}

static rbv_status run(output_run *o) {
  RBV_TRY(rbv_qr_new(&o->qr, o->p + 1));
  RBV_TRY(read_motions(o));
  identify_loop *start;
  RBV_TRY(rbv_loop_new(&start, o->r));
  rbv_loop_start(o->chi, start, o->r);
  rbv_loop_free(start, o->r);
  RBV_TRY(rbv_output_check_drive(o));
  RBV_TRY(rbv_output_start(o, o->chi));
  if (o->elastic) RBV_TRY(rbv_output_resolve_springs(o));
  if (!o->loop->noise) RBV_TRY(try_robot_file(o));
  RBV_TRY(o->loop->noise ? expect(o) : rbv_output_search(o));
  return rbv_output_finish(o);
}

rbv_status rbv_output_error(identify_run *r, rbv_estimate *e) {
  RBV_TRY(check(r));
  const rbv_closed_loop *loop = r->options->loop;
  output_run sizes = {.r = r,
                      .e = e,
                      .loop = loop,
                      .joints = rbv_model_joint_count(r->model),
                      .refine = 1,
                      .elastic = loop->stiffness != NULL,
                      .wanted = loop->nunknown};
  for (int i = 0; i < r->nmotion; i++)
    sizes.longest_command_s =
        fmax(sizes.longest_command_s,
             fmax(COMMAND_S, 2 * rbv_control_command_delay(rbv_output_given_control(&sizes, i))));
  for (int i = 0; i < r->nmotion; i++) sizes.nsegment += rbv_output_segments(&sizes, i);
  sizes.extra = rbv_output_add_integrals(&sizes, sizes.wanted);
  sizes.p = sizes.extra + r->n;
  const double rate = rbv_motion_get_info(r->motions[0])->rate_hz;
  sizes.decimate = (int)fmax(1, fmin(r->filter.decimate, floor(rate / ROW_HZ)));
  sizes.signals = sizes.joints * (loop->torques ? 2 : 1);
  sizes.longest_delay_s = fmax(loop->longest_delay_s > 0 ? loop->longest_delay_s : LONGEST_DELAY_S,
                               2 * loop->start_delay_s);
  output_run *o;
  RBV_CARVE_OBJECT(o, a, layout(&sizes, a));
  if (!o) return RBV_EMEM;
  *o = sizes;
  const rbv_status status = run(o);
  for (int i = 0; i < r->nmotion; i++) rbv_control_free(o->control[i]);
  rbv_qr_free(o->qr);
  rbv_free(o);
  return status;
}
