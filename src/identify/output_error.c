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
 *
 * Order of the unknowns in all triangles: those of the loop first, then the base parameters. The
 * last rows of a triangle are then the equations of the base parameters with the others eliminated.
 */
#include <math.h>
#include <roberval/sys/linalg.h>
#include <roberval/sys/stats.h>
#include <stdio.h>
#include <string.h>

#include "identify/block_deletion.h"
#include "identify/closed_loop.h"
#include "identify/identify_internal.h"

#define DAMPING_FIRST 1e-3  // relative to the length of each column
#define DAMPING_LEAST 1e-9
#define DAMPING_MOST 1e6
#define DAMPING_FACTOR 10.0
#define STEP_REST 0.1    // sigmas that a full step may still move a parameter at the end
#define STEP_STUCK 1.0   // the same, if no step decreases the cost
#define COST_REST 0.1    // decrease of the cost, -2 log(likelihood), that is not significant
#define FLOOR 1e-4       // least sigma of a signal, relative to its variation
#define ROW_HZ 200.0     // means of samples are taken down to this rate
#define BIAS_RANGE 0.03  // rad or m: with a larger sigma of white noise it is not determined
#define GAIN_RANGE 1.0   // the same for a factor on a gain
#define LONGEST_DELAY_S 0.05
#define PULL 1e-7          // of the length of a column: rows that keep every solution regular
#define UNDETERMINED 1e-2  // of these, when sigma of unknowns of the loop is judged
#define INFORMATION 10.0   // see block_deletion.c
#define ROWS 240           // that are collected before they are added to a triangle

typedef struct {
  identify_run *r;
  rbv_estimate *e;
  const rbv_closed_loop *loop;
  int joints, signals;  // signals: joints, or with torques twice as many
  int wanted;           // unknowns of the loop that are reported
  int extra, p;         // with the integrals at the start of each motion; all unknowns
  int decimate;
  double longest_delay_s;
  rbv_unknown *unknown;  // p
  int *motion_of;        // p: motion that an unknown belongs to, -1: all
  double *x, *trial;     // p
  double *chi;           // parameters of all columns
  double *delay, *bias;  // joints
  double *integral;      // joints: of the present motion
  rbv_control_joint *law;
  double **q, **torque;  // per motion: as recorded
  bool **valid;
  double **q0, **dq0;     // per motion: state at the start
  rbv_control **control;  // per motion: own controllers with the present gains; NULL: as given
  rbv_sim_trace *trace;   // per motion
  double *sigma, *rss;    // signals; of the present run
  double *held_rss;       // signals
  ptrdiff_t *rows, *held_rows;
  double *tracking;     // joints: sum of squares of position minus reference
  double *scale;        // signals: the same, and of the torque
  double *square_step;  // joints: of successive differences of the residual
  double *mean;         // signals: residual of the present window
  double *last;         // joints
  double cost;
  // sensitivities
  double *dq, *dtau, *sum;  // joints x lanes; sum: signals x lanes
  double *buffer;           // ROWS x (p + 1)
  rbv_qr *qr;
  double *part;         // nblock triangles
  double *R, *damped;   // (p + 1) square
  double *common;       // (p + 1) square
  solution solution;    // of p unknowns
  selection selection;  // of p unknowns
  double *length;       // p: of the columns
  double *zero;         // p
  double *deviation;    // (nblock + nrecording) x p
} output_run;

static size_t square(const output_run *o) { return (size_t)(o->p + 1) * (size_t)(o->p + 1); }

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
  o->buffer = RBV_TAKE(a, ROWS * lanes, double);
  o->part = RBV_TAKE(a, (size_t)r->nblock * square(o), double);
  double **const triangles[] = {&o->R, &o->damped, &o->common};
  for (int i = 0; i < RBV_COUNT(triangles); i++) *triangles[i] = RBV_TAKE(a, square(o), double);
  o->solution.cov = RBV_TAKE(a, p * p, double);
  o->selection.active = RBV_TAKE(a, p, int);
  o->deviation = RBV_TAKE(a, parts * p, double);
}

/* ---- the unknowns ---- */

static const rbv_control *given_control(const output_run *o, int motion) {
  return o->loop->controls ? o->loop->controls[motion] : o->loop->control;
}

static void name_unknown(rbv_loop_value *to, const rbv_unknown *u, const rbv_model *m) {
  const bool gain = u->kind == RBV_UNKNOWN_GAIN;
  const char *name = gain ? rbv_gain_name((int)u->gain) : rbv_unknown_name((int)u->kind);
  // the estimate has LOOP_NAME bytes for it
  char *text = (char *)(uintptr_t)to->name;
  if (u->joint < 0)
    snprintf(text, LOOP_NAME, "%s", name);
  else
    snprintf(text, LOOP_NAME, "%s%d", name, u->joint + 1);
  const bool slides = u->joint >= 0 && rbv_model_joint(m, u->joint)->type == RBV_JOINT_PRISMATIC;
  to->unit = gain ? "1" : u->kind == RBV_UNKNOWN_DELAY ? "s" : slides ? "m" : "rad";
}

/* has the law of a joint an integral? */
static bool integrates(const rbv_control *control, int joint) {
  const rbv_control_joint *law = rbv_control_get_joint(control, joint);
  return law->kind != RBV_CONTROL_TRANSFER && law->k_i != 0;
}

/*
 * Integrals at the start of each motion: a robot that holds its position has them, and they are not
 * recorded. With them a constant torque is not visible, as the loop removes it.
 */
static int add_integrals(output_run *o, int at) {
  for (int i = 0; i < o->r->nmotion; i++)
    for (int j = 0; j < o->joints; j++) {
      if (!integrates(given_control(o, i), j)) continue;
      if (o->unknown) {
        o->unknown[at] = (rbv_unknown){.kind = RBV_UNKNOWN_INTEGRAL, .joint = j};
        o->motion_of[at] = i;
      }
      at++;
    }
  return at;
}

static void start_unknowns(output_run *o, const double *chi) {
  rbv_estimate *e = o->e;
  for (int i = 0; i < o->p; i++) o->motion_of[i] = -1;
  for (int i = 0; i < o->wanted; i++) {
    o->unknown[i] = o->loop->unknown[i];
    const rbv_unknown_kind kind = o->unknown[i].kind;
    o->x[i] = kind == RBV_UNKNOWN_DELAY ? o->loop->start_delay_s : kind == RBV_UNKNOWN_GAIN;
    e->loop.unknown[i].start = o->x[i];
    name_unknown(&e->loop.unknown[i], &o->unknown[i], o->r->model);
  }
  add_integrals(o, o->wanted);
  for (int k = 0; k < o->r->n; k++)
    o->unknown[o->extra + k] =
        (rbv_unknown){.kind = RBV_UNKNOWN_COLUMN, .column = e->base->kept[k]};
  rbv_base_values(o->x + o->extra, e->base, chi);
}

/* factor on a gain of a joint */
static double factor_of(const output_run *o, const double *x, int joint, rbv_gain gain) {
  double factor = 1;
  for (int i = 0; i < o->extra; i++) {
    const rbv_unknown *u = &o->unknown[i];
    if (u->kind == RBV_UNKNOWN_GAIN && u->gain == gain && (u->joint < 0 || u->joint == joint))
      factor *= x[i];
  }
  return factor;
}

/* controllers with the gains of x; without unknown gains those that are given */
static rbv_status set_gains(output_run *o, const double *x) {
  bool any = false;
  for (int i = 0; i < o->extra; i++) any = any || o->unknown[i].kind == RBV_UNKNOWN_GAIN;
  for (int i = 0; i < o->r->nmotion && any; i++) {
    const rbv_control *given = given_control(o, i);
    for (int j = 0; j < o->joints; j++) {
      o->law[j] = *rbv_control_get_joint(given, j);
      for (int g = 0; g < RBV_GAIN_COUNT; g++) {
        double *gain = rbv_gain_of(&o->law[j], (rbv_gain)g);
        if (gain) *gain *= factor_of(o, x, j, (rbv_gain)g);
      }
    }
    rbv_control_free(o->control[i]);
    o->control[i] = NULL;
    RBV_TRY(rbv_control_new(&o->control[i], rbv_control_name(given), rbv_control_rate_hz(given),
                            rbv_control_get_feedforward(given), o->law, o->joints));
  }
  return RBV_OK;
}

static const rbv_control *control_of(const output_run *o, int motion) {
  return o->control[motion] ? o->control[motion] : given_control(o, motion);
}

/* parameters, delays and biases of x */
static rbv_status set_unknowns(output_run *o, const double *x) {
  for (int j = 0; j < o->joints; j++) {
    o->delay[j] = o->loop->start_delay_s;
    o->bias[j] = 0;
  }
  for (int i = 0; i < o->extra; i++)
    for (int j = 0; j < o->joints; j++) {
      const rbv_unknown *u = &o->unknown[i];
      if (u->joint >= 0 && u->joint != j) continue;
      if (u->kind == RBV_UNKNOWN_DELAY) o->delay[j] = x[i];
      if (u->kind == RBV_UNKNOWN_BIAS) o->bias[j] = x[i];
    }
  rbv_base_expand(o->chi, o->e->base, x + o->extra);
  return set_gains(o, x);
}

/* keep delays and gains where the loop can be simulated */
static void limit_unknowns(const output_run *o, double *x) {
  for (int i = 0; i < o->wanted; i++) {
    if (o->unknown[i].kind == RBV_UNKNOWN_DELAY) x[i] = fmin(fmax(x[i], 0), o->longest_delay_s);
    if (o->unknown[i].kind == RBV_UNKNOWN_GAIN)
      x[i] = fmax(x[i], 0.01 * o->e->loop.unknown[i].start);
  }
}

/* ---- simulation and residual ---- */

static rbv_sim_options sim_options(const output_run *o, int motion) {
  rbv_sim_options options = o->loop->sim ? *o->loop->sim : rbv_sim_defaults();
  options.loaded = rbv_motion_get_info(o->r->motions[motion])->loaded;
  options.longest_delay_s = o->longest_delay_s;
  return options;
}

static rbv_sim_lane lane_of(const output_run *o, const double *x, int motion) {
  for (int j = 0; j < o->joints; j++) o->integral[j] = 0;
  for (int i = o->wanted; i < o->extra; i++)
    if (o->motion_of[i] == motion) o->integral[o->unknown[i].joint] = x[i];
  return (rbv_sim_lane){.chi = o->chi,
                        .known = o->loop->known,
                        .delay = o->delay,
                        .bias = o->bias,
                        .integral = o->integral};
}

/* the reference, with the measured state at the start; start: joints */
static rbv_sim_reference reference_of(const output_run *o, int motion, double *start) {
  rbv_sim_reference r = o->loop->reference[motion];
  for (int j = 0; j < o->joints; j++) start[j] = o->q0[motion][j] - o->bias[j];
  r.q0 = start;
  r.dq0 = o->dq0[motion];
  return r;
}

static rbv_status simulate_motion(rbv_sim_outcome *outcome, output_run *o, const double *x, int i,
                                  char *sentence, size_t size) {
  const rbv_sim_options options = sim_options(o, i);
  rbv_sim *sim;
  RBV_TRY(rbv_sim_new(&sim, o->r->model, control_of(o, i), &options, 1));
  const rbv_sim_lane lane = lane_of(o, x, i);
  const rbv_sim_reference reference = reference_of(o, i, o->last);
  rbv_status status = rbv_sim_set(sim, 0, &lane);
  if (status == RBV_OK) status = rbv_sim_run(outcome, sim, &reference, &o->trace[i]);
  if (status == RBV_OK && outcome->verdict != RBV_SIM_DONE)
    rbv_sim_describe(sentence, size, sim, outcome);
  rbv_sim_free(sim);
  return status;
}

/* the block of a sample: -1 if it is held out */
static int block_of(const output_run *o, int motion, ptrdiff_t k) {
  const motion_blocks *b = &o->r->blocks[motion];
  const ptrdiff_t count = o->trace[motion].ld;
  const int fold = (int)(k * b->folds / count);
  return fold < b->used ? b->first + fold / b->span : -1;
}

/* is the window of samples from k on used? */
static bool window_counts(const output_run *o, int motion, ptrdiff_t k) {
  if (k < o->loop->skip || k + o->decimate > o->trace[motion].ld) return false;
  for (ptrdiff_t i = k; i < k + o->decimate; i++)
    if (!o->valid[motion][i]) return false;
  return true;
}

/* mean residual of every signal over the window from k on: o->mean */
static void window_residual(output_run *o, int motion, ptrdiff_t k) {
  const rbv_sim_trace *t = &o->trace[motion];
  for (int s = 0; s < o->signals; s++) {
    const int j = s % o->joints;
    double sum = 0;
    for (ptrdiff_t i = k + j * t->ld; i < k + j * t->ld + o->decimate; i++)
      sum += s < o->joints ? o->q[motion][i] - (t->q[i] + o->bias[j])
                           : o->torque[motion][i] - t->tau[i];
    o->mean[s] = sum / o->decimate;
  }
}

static void add_window(output_run *o, int motion, ptrdiff_t k, bool first) {
  const rbv_sim_reference *r = &o->loop->reference[motion];
  const bool held = block_of(o, motion, k) < 0;
  window_residual(o, motion, k);
  for (int s = 0; s < o->signals; s++) {
    (held ? o->held_rss : o->rss)[s] += o->mean[s] * o->mean[s];
    (held ? o->held_rows : o->rows)[s]++;
    if (s >= o->joints && !held) {
      const double tau = o->torque[motion][k + (s - o->joints) * o->trace[motion].ld];
      o->scale[s] += tau * tau;
    }
  }
  for (int j = 0; j < o->joints && !held; j++) {
    double e = 0;
    for (int i = 0; i < o->decimate; i++)
      e += o->q[motion][k + i + j * o->trace[motion].ld] - r->q[k + i + j * r->ld];
    o->tracking[j] += e * e / ((double)o->decimate * o->decimate);
    o->scale[j] = o->tracking[j];
    if (!first) o->square_step[j] += (o->mean[j] - o->last[j]) * (o->mean[j] - o->last[j]);
    o->last[j] = o->mean[j];
  }
}

/* residuals of all signals; o->cost */
static void sum_residuals(output_run *o) {
  for (int s = 0; s < o->signals; s++) {
    o->rss[s] = o->held_rss[s] = o->scale[s] = 0;
    o->rows[s] = o->held_rows[s] = 0;
  }
  for (int j = 0; j < o->joints; j++) o->tracking[j] = o->square_step[j] = 0;
  for (int i = 0; i < o->r->nmotion; i++) {
    bool first = true;
    for (ptrdiff_t k = 0; k + o->decimate <= o->trace[i].ld; k += o->decimate) {
      if (!window_counts(o, i, k)) continue;
      add_window(o, i, k, first);
      first = false;
    }
  }
  o->cost = 0;
  for (int s = 0; s < o->signals; s++)
    o->cost += (double)o->rows[s] * log(o->rss[s] + FLOOR * FLOOR * o->scale[s]);
}

/* simulate with x; false in *done: the loop diverges, o->cost is infinite */
static rbv_status simulate(output_run *o, const double *x, bool *done, char *sentence,
                           size_t size) {
  rbv_sim_outcome outcome = {.verdict = RBV_SIM_DONE};
  RBV_TRY(set_unknowns(o, x));
  for (int i = 0; i < o->r->nmotion && outcome.verdict == RBV_SIM_DONE; i++) {
    RBV_TRY(simulate_motion(&outcome, o, x, i, sentence, size));
    o->e->loop.simulations++;
  }
  o->cost = INFINITY;
  *done = outcome.verdict == RBV_SIM_DONE;
  if (*done) sum_residuals(o);
  if (!isfinite(o->cost) && !(o->cost == -INFINITY)) *done = false;
  return RBV_OK;
}

/* ---- sensitivities ---- */

typedef struct {
  output_run *o;
  int lanes;   // unknowns, and directions that follow them
  bool whole;  // one triangle of all rows
  int filled;  // rows of the buffer
  int block;   // of the triangle, -1: none yet
} collector;

static rbv_status flush(collector *c) {
  RBV_TRY(rbv_qr_add(c->o->qr, c->o->buffer, c->filled, ROWS));
  c->filled = 0;
  return RBV_OK;
}

/* store the triangle of the present block and begin another one */
static rbv_status change_block(collector *c, int block) {
  RBV_TRY(flush(c));
  if (c->block >= 0)
    rbv_qr_get(c->o->part + (ptrdiff_t)c->block * (ptrdiff_t)square(c->o), c->o->qr);
  rbv_qr_reset(c->o->qr);
  c->block = block;
  return RBV_OK;
}

/* rows of a window: the sums of the sensitivities, and the residual */
static rbv_status add_rows(collector *c, int motion, ptrdiff_t k) {
  output_run *o = c->o;
  window_residual(o, motion, k);
  for (int s = 0; s < o->signals; s++) {
    if (c->filled == ROWS) RBV_TRY(flush(c));
    const double scale = 1 / (o->decimate * o->sigma[s]);
    double *row = o->buffer + c->filled++;
    for (int u = 0; u < c->lanes; u++) row[(ptrdiff_t)u * ROWS] = scale * o->sum[s * c->lanes + u];
    row[(ptrdiff_t)c->lanes * ROWS] = o->mean[s] / o->sigma[s];
  }
  return RBV_OK;
}

/* factor on the derivative by an unknown: a gain is a factor on the one that is given, and an
 * integral belongs to one motion */
static double lane_scale(const output_run *o, int motion, int lane, const rbv_unknown *u) {
  if (lane < o->extra && o->motion_of[lane] >= 0) return o->motion_of[lane] == motion;
  if (u->kind != RBV_UNKNOWN_GAIN) return 1;
  if (u->joint < 0) return 1 / factor_of(o, o->x, 0, u->gain);
  rbv_control_joint law = *rbv_control_get_joint(given_control(o, motion), u->joint);
  const double *gain = rbv_gain_of(&law, u->gain);
  return gain ? *gain : 0;
}

static void scale_lanes(output_run *o, int motion, const rbv_unknown *unknown, int lanes) {
  for (int u = 0; u < lanes; u++) {
    const double scale = lane_scale(o, motion, u, &unknown[u]);
    for (int j = 0; j < o->joints && scale != 1; j++) {
      o->dq[j * lanes + u] *= scale;
      o->dtau[j * lanes + u] *= scale;
    }
  }
}

/* rows of one motion, in order */
static rbv_status collect_motion(collector *c, rbv_sensitivities *s, const rbv_unknown *unknown,
                                 int i) {
  output_run *o = c->o;
  const int lanes = c->lanes, n = o->joints;
  bool scaled = false;
  for (int u = 0; u < lanes; u++) scaled = scaled || lane_scale(o, i, u, &unknown[u]) != 1;
  for (ptrdiff_t k = 0; k < o->trace[i].ld; k++) {
    const ptrdiff_t at = k % o->decimate, window = k - at;
    const int block = block_of(o, i, window);
    if (block < 0) break;  // held out
    if (k % 1000 == 0) RBV_TRY(rbv_go_on("sensitivities", (double)k / (double)o->trace[i].ld));
    rbv_sensitivities_next(o->dq, o->loop->torques ? o->dtau : NULL, s);
    if (window < o->loop->skip) continue;
    if (scaled) scale_lanes(o, i, unknown, lanes);
    for (int l = 0; l < n * lanes; l++) o->sum[l] = (at ? o->sum[l] : 0) + o->dq[l];
    for (int l = 0; l < n * lanes && o->loop->torques; l++)
      o->sum[n * lanes + l] = (at ? o->sum[n * lanes + l] : 0) + o->dtau[l];
    if (at != o->decimate - 1 || !window_counts(o, i, window)) continue;
    if (block != c->block && !c->whole) RBV_TRY(change_block(c, block));
    RBV_TRY(add_rows(c, i, window));
  }
  return RBV_OK;
}

static rbv_status collect(collector *c, const rbv_unknown *unknown) {
  output_run *o = c->o;
  for (int i = 0; i < o->r->nmotion; i++) {
    const rbv_sim_options options = sim_options(o, i);
    const rbv_sim_lane lane = lane_of(o, o->x, i);
    const rbv_sim_reference reference = reference_of(o, i, o->last);
    rbv_sensitivities *s;
    RBV_TRY(rbv_sensitivities_new(&s, o->r->model, control_of(o, i), &options, unknown, c->lanes));
    rbv_status status = rbv_sensitivities_start(s, &lane, &reference, &o->trace[i]);
    if (status == RBV_OK) status = collect_motion(c, s, unknown, i);
    rbv_sensitivities_free(s);
    if (status != RBV_OK) return status;
  }
  return flush(c);
}

/* triangles of all blocks, and of all rows together: o->part, o->R */
static rbv_status linearise(output_run *o) {
  for (int s = 0; s < o->signals; s++)
    o->sigma[s] = sqrt((o->rss[s] + FLOOR * FLOOR * o->scale[s]) / (double)o->rows[s]);
  for (int s = 0; s < o->signals; s++)
    if (!(o->sigma[s] > 0))
      return rbv_fail(RBV_EINPUT,
                      "the position of joint %d equals its reference: it was not recorded, or the "
                      "part that is used has no samples",
                      s % o->joints + 1);
  memset(o->part, 0, (size_t)o->r->nblock * square(o) * sizeof *o->part);
  collector c = {.o = o, .lanes = o->p, .block = -1};
  rbv_qr_reset(o->qr);
  RBV_TRY(collect(&c, o->unknown));
  RBV_TRY(change_block(&c, -1));
  for (int b = 0; b < o->r->nblock; b++)
    RBV_TRY(rbv_qr_add(o->qr, o->part + (ptrdiff_t)b * (ptrdiff_t)square(o), o->p + 1, o->p + 1));
  rbv_qr_get(o->R, o->qr);
  for (int k = 0; k < o->p; k++) {
    o->length[k] = 0;
    for (int i = 0; i <= k; i++)
      o->length[k] = hypot(o->length[k], o->R[i + (ptrdiff_t)k * (o->p + 1)]);
  }
  return RBV_OK;
}

/* ---- steps ---- */

static ptrdiff_t all_rows(const output_run *o) {
  ptrdiff_t rows = 0;
  for (int s = 0; s < o->signals; s++) rows += o->rows[s];
  return rows;
}

/* the largest sigma with which an unknown of the loop counts as determined */
static double range_of(const output_run *o, int i) {
  switch (o->unknown[i].kind) {
    case RBV_UNKNOWN_DELAY: return o->longest_delay_s;
    case RBV_UNKNOWN_BIAS: return BIAS_RANGE;
    case RBV_UNKNOWN_GAIN: return GAIN_RANGE;
    case RBV_UNKNOWN_COLUMN:
    case RBV_UNKNOWN_INTEGRAL:
    case RBV_UNKNOWN_KINDS: break;
  }
  return INFINITY;
}

/* the triangle of the chosen unknowns and the residual, from that of all: (count + 1) square;
 * ridge: rows that keep it regular, relative to the lengths of the columns */
static rbv_status choose_columns(double *out, const output_run *o, const int *chosen, int count,
                                 double ridge) {
  const int wide = o->p + 1;
  double *column = rbv_alloc((size_t)wide * (size_t)(count + 1) * sizeof *column);
  rbv_qr *qr = NULL;
  rbv_status status = column ? rbv_qr_new(&qr, count + 1) : RBV_EMEM;
  for (int i = 0; i <= count && status == RBV_OK; i++)
    memcpy(column + (ptrdiff_t)i * wide, o->R + (ptrdiff_t)(i < count ? chosen[i] : o->p) * wide,
           (size_t)wide * sizeof *column);
  if (status == RBV_OK) status = rbv_qr_add(qr, column, wide, wide);
  for (int i = 0; i < count && status == RBV_OK && ridge > 0; i++) {
    memset(column, 0, (size_t)(count + 1) * sizeof *column);
    column[i] = ridge * o->length[chosen[i]];
    status = rbv_qr_add(qr, column, 1, 1);
  }
  if (status == RBV_OK) rbv_qr_get(out, qr);
  rbv_qr_free(qr);
  rbv_free(column);
  return status;
}

/* place in the list of the unknown of the loop that is determined worst; -1: all are determined */
static rbv_status find_undetermined(int *worst, output_run *o, const int *chosen, int count) {
  double *R = rbv_alloc((size_t)(count + 1) * (size_t)(count + 1) * sizeof *R);
  int *all = rbv_alloc((size_t)count * sizeof *all);
  rbv_status status =
      R && all ? choose_columns(R, o, chosen, count, UNDETERMINED * PULL) : RBV_EMEM;
  selection s = {.n = count, .active = all};
  for (int i = 0; i < count && status == RBV_OK; i++)
    if (o->length[chosen[i]] > 0) all[s.count++] = i;
  if (status == RBV_OK) status = rbv_linear_solve(&o->solution, R, all_rows(o), &s);
  double largest = 1;
  *worst = -1;
  for (int i = 0; i < count && status == RBV_OK && chosen[i] < o->wanted; i++) {
    const double sigma = sqrt(o->solution.cov[i + (ptrdiff_t)i * count] / o->solution.sigma2);
    const double share = o->length[chosen[i]] > 0 ? sigma / range_of(o, chosen[i]) : INFINITY;
    if (share <= largest) continue;
    largest = share;
    *worst = i;
  }
  rbv_free(all);
  rbv_free(R);
  return status;
}

/*
 * Select what the motions determine. An unknown of the loop that they do not determine keeps its
 * value. A base parameter that is left out becomes zero, and those into which it is regrouped
 * change, so that the simulated motion stays the same.
 */
static rbv_status select_unknowns(output_run *o) {
  identify_run *r = o->r;
  const int n = r->n, nc = rbv_model_column_count(r->model);
  int *chosen = o->selection.active, count = o->p, worst = 0;
  for (int i = 0; i < count; i++) chosen[i] = i;
  for (;;) {
    RBV_TRY(find_undetermined(&worst, o, chosen, count));
    if (worst < 0) break;
    count--;
    for (int i = worst; i < count; i++) chosen[i] = chosen[i + 1];
  }
  // the equations of the base parameters, with the unknowns of the loop eliminated
  const int loop = count - n;
  RBV_TRY(choose_columns(o->damped, o, chosen, count, 0));
  for (int k = 0; k <= n; k++)
    for (int i = 0; i <= n; i++)
      r->R[i + (ptrdiff_t)k * (n + 1)] =
          o->damped[(loop + i) + (ptrdiff_t)(loop + k) * (count + 1)];
  memcpy(r->with_prior, r->R, (size_t)(n + 1) * (size_t)(n + 1) * sizeof *r->R);
  RBV_TRY(rbv_run_select(r, o->e));
  if (r->selection.count == 0) return rbv_fail(RBV_EINPUT, "these motions excite no parameter");
  rbv_base_expand(o->chi, o->e->base, o->x + o->extra);
  for (int k = 0; k < n; k++) {
    double value = 0;
    for (int c = 0; c < nc; c++) value += o->e->relation[k + (ptrdiff_t)c * n] * o->chi[c];
    o->x[o->extra + k] = value;
  }
  o->selection.n = o->p;
  o->selection.count = loop;
  for (int i = 0; i < r->selection.count; i++)
    chosen[o->selection.count++] = o->extra + r->selection.active[i];
  return RBV_OK;
}

/* the step with a damping relative to the length of the columns: o->solution */
static rbv_status solve(output_run *o, double damping) {
  if (!(damping > 0)) return rbv_linear_solve(&o->solution, o->R, all_rows(o), &o->selection);
  for (int k = 0; k < o->p; k++) o->trial[k] = sqrt(damping) * o->length[k];
  RBV_TRY(rbv_linear_add_prior(o->damped, o->R, o->p, o->zero, o->trial));
  return rbv_linear_solve(&o->solution, o->damped, all_rows(o), &o->selection);
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
    if (status == RBV_OK) status = solve(o, *damping);
    for (int k = 0; k < o->p && status == RBV_OK; k++) next[k] = o->x[k] + o->solution.x[k];
    limit_unknowns(o, next);
    if (status == RBV_OK) status = simulate(o, next, &done, sentence, sizeof sentence);
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
    status = simulate(o, o->x, &done, sentence, sizeof sentence);
  }
  rbv_free(next);
  return status;
}

static rbv_status first_simulation(output_run *o) {
  char sentence[256];
  bool done;
  RBV_TRY(simulate(o, o->x, &done, sentence, sizeof sentence));
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
    RBV_TRY(linearise(o));
    RBV_TRY(select_unknowns(o));
    RBV_TRY(solve(o, 0));
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

/* ---- statistics ---- */

/* rows w (x - solution) = 0 of negligible weight, which keep every solution regular */
static rbv_status regular_rows(output_run *o) {
  const int wide = o->p + 1;
  memset(o->common, 0, square(o) * sizeof *o->common);
  for (int k = 0; k < o->p; k++) {
    o->common[k + (ptrdiff_t)k * wide] = PULL * o->length[k];
    o->common[k + (ptrdiff_t)o->p * wide] = PULL * o->length[k] * o->solution.x[k];
  }
  return RBV_OK;
}

/* deviations of the estimate without one part, from its triangle; o->solution is that of all */
static rbv_status repeat(double *deviation, output_run *o, const double *without) {
  solution again = {.x = o->trial, .cov = rbv_alloc((size_t)o->p * (size_t)o->p * sizeof(double))};
  if (!again.cov) return RBV_EMEM;
  const rbv_status status = rbv_linear_solve(&again, without, all_rows(o), &o->selection);
  memset(deviation, 0, (size_t)o->p * sizeof *deviation);
  for (int i = 0; i < o->selection.count && status == RBV_OK; i++) {
    const int k = o->selection.active[i];
    const ptrdiff_t kk = k + (ptrdiff_t)k * o->p;
    const double all = o->solution.cov[kk] / o->solution.sigma2;
    const double rest = again.cov[kk] / again.sigma2;
    const bool alone = rest > INFORMATION * all;
    if (k >= o->extra && alone) o->r->alone[k - o->extra] = true;
    deviation[k] = (again.x[k] - o->solution.x[k]) * (alone ? sqrt(INFORMATION * all / rest) : 1);
  }
  rbv_free(again.cov);
  return status == RBV_ENUM ? RBV_OK : status;
}

/* without each block; without each recording if there are enough of them */
static rbv_status delete_parts(output_run *o) {
  const identify_run *r = o->r;
  const int wide = o->p + 1, nrecording = rbv_blocks_recordings(r->nmotion);
  double *without = rbv_alloc((size_t)r->nblock * square(o) * sizeof *without);
  if (!without) return RBV_EMEM;
  rbv_status status = rbv_qr_without_blocks(without, o->part, r->nblock, wide, o->common);
  for (int b = 0; b < r->nblock && status == RBV_OK; b++)
    status = repeat(o->deviation + (ptrdiff_t)b * o->p, o,
                    without + (ptrdiff_t)b * (ptrdiff_t)square(o));
  for (int m = 0; m < nrecording && status == RBV_OK; m++) {
    const int end = m + 1 < r->nmotion ? r->blocks[m + 1].first : r->nblock;
    rbv_qr_reset(o->qr);
    status = rbv_qr_add(o->qr, o->common, wide, wide);
    for (int b = 0; b < r->nblock && status == RBV_OK; b++)
      if (b < r->blocks[m].first || b >= end)
        status = rbv_qr_add(o->qr, o->part + (ptrdiff_t)b * (ptrdiff_t)square(o), wide, wide);
    rbv_qr_get(o->damped, o->qr);
    if (status == RBV_OK)
      status = repeat(o->deviation + (ptrdiff_t)(r->nblock + m) * o->p, o, o->damped);
  }
  rbv_free(without);
  return status;
}

static rbv_status deviate(output_run *o) {
  identify_run *r = o->r;
  rbv_jackknife *out = &o->e->jackknife;
  double t, normal;
  RBV_TRY(rbv_stats_student_quantile(&t, 0.025, RBV_TAIL_UPPER, out->nblock - 1));
  RBV_TRY(rbv_stats_normal_quantile(&normal, 0.025, RBV_TAIL_UPPER));
  out->student = t / normal;
  memset(r->alone, 0, (size_t)r->n * sizeof *r->alone);
  RBV_TRY(regular_rows(o));
  RBV_TRY(delete_parts(o));
  for (int b = 0; b < out->nblock + out->nrecording; b++)
    memcpy(out->deviation + (ptrdiff_t)b * r->n, o->deviation + (ptrdiff_t)b * o->p + o->extra,
           (size_t)r->n * sizeof *out->deviation);
  return RBV_OK;
}

/* unknowns of the loop with their sigma: as for the base parameters, the larger of both */
static void report_loop(output_run *o) {
  rbv_estimate *e = o->e;
  const rbv_jackknife all = {.nblock = e->jackknife.nblock,
                             .nrecording = e->jackknife.nrecording,
                             .student = e->jackknife.student,
                             .deviation = o->deviation};
  for (int i = 0; i < o->wanted; i++) {
    const double white = sqrt(o->solution.cov[i + (ptrdiff_t)i * o->p]);
    e->loop.unknown[i].value = o->x[i];
    e->loop.unknown[i].sigma =
        white > 0 ? fmax(white, rbv_jackknife_sigma(&all, o->p, i)) : INFINITY;
  }
}

static void report_output(output_run *o) {
  for (int j = 0; j < o->joints; j++) {
    const double rows = (double)o->rows[j];
    o->e->loop.output[j] = (rbv_output_fit){
        .joint = j,
        .rows = o->rows[j],
        .rms = sqrt(o->rss[j] / rows),
        .tracking = sqrt(o->tracking[j] / rows),
        .held_out = o->held_rows[j] > 0 ? sqrt(o->held_rss[j] / (double)o->held_rows[j]) : NAN,
        .durbin_watson = o->rss[j] > 0 ? o->square_step[j] / o->rss[j] : NAN};
  }
}

/* is a gain of all joints given, and not estimated? */
static bool gain_is_given(const output_run *o, rbv_gain gain) {
  for (int i = 0; i < o->extra; i++)
    if (o->unknown[i].kind == RBV_UNKNOWN_GAIN && o->unknown[i].gain == gain) return false;
  for (int j = 0; j < o->joints; j++) {
    rbv_control_joint law = *rbv_control_get_joint(given_control(o, 0), j);
    const double *value = rbv_gain_of(&law, gain);
    if (value && *value != 0) return true;
  }
  return false;
}

/*
 * Change of the estimate if given gains are wrong: the motion stays the same if the parameters
 * move by -inv(S'S) S' S_gain. Positions alone cannot show such an error.
 */
static rbv_status find_influence(output_run *o) {
  rbv_estimate *e = o->e;
  rbv_gain list[RBV_GAIN_COUNT];
  int count = 0;
  for (int g = 0; g < RBV_GAIN_COUNT; g++)
    if (gain_is_given(o, (rbv_gain)g)) list[count++] = (rbv_gain)g;
  e->loop.ninfluence = 0;
  if (count == 0) return RBV_OK;
  const int lanes = o->p + count, wide = lanes + 1;
  rbv_unknown *unknown = rbv_alloc((size_t)lanes * sizeof *unknown);
  double *R = rbv_alloc((size_t)wide * (size_t)wide * sizeof *R);
  double *small = rbv_alloc(square(o) * sizeof *small);
  rbv_qr *qr = o->qr;
  o->qr = NULL;
  rbv_status status = unknown && R && small ? rbv_qr_new(&o->qr, wide) : RBV_EMEM;
  if (status == RBV_OK) {
    memcpy(unknown, o->unknown, (size_t)o->p * sizeof *unknown);
    for (int i = 0; i < count; i++)
      unknown[o->p + i] = (rbv_unknown){.kind = RBV_UNKNOWN_GAIN, .joint = -1, .gain = list[i]};
    collector c = {.o = o, .lanes = lanes, .whole = true, .block = -1};
    status = collect(&c, unknown);
    if (status == RBV_OK) rbv_qr_get(R, o->qr);
  }
  for (int g = 0; g <= count && status == RBV_OK; g++) {
    // the right-hand side: the direction of one gain, or of all together
    for (int k = 0; k <= o->p; k++)
      for (int i = 0; i <= o->p; i++) {
        double value = i < o->p && k < o->p ? R[i + (ptrdiff_t)k * wide] : 0;
        for (int h = 0; h < count && k == o->p && i < o->p; h++)
          if (g == 0 || g == h + 1) value -= R[i + (ptrdiff_t)(o->p + h) * wide];
        small[i + (ptrdiff_t)k * (o->p + 1)] = value;
      }
    status = rbv_linear_solve(&o->solution, small, all_rows(o), &o->selection);
    if (status != RBV_OK) break;
    rbv_gain_influence *to = &e->loop.influence[e->loop.ninfluence++];
    to->gains = g == 0 ? "all" : rbv_gain_name((int)list[g - 1]);
    for (int k = 0; k < o->r->n; k++)
      to->shift[k] = RBV_INFLUENCE_STEP * o->solution.x[o->extra + k];
  }
  rbv_qr_free(o->qr);
  o->qr = qr;
  rbv_free(small);
  rbv_free(R);
  rbv_free(unknown);
  return status;
}

static rbv_status finish(output_run *o) {
  identify_run *r = o->r;
  rbv_estimate *e = o->e;
  memcpy(e->value, o->x + o->extra, (size_t)r->n * sizeof *e->value);
  rbv_base_expand(e->chi, e->base, e->value);
  RBV_TRY(deviate(o));
  report_loop(o);
  report_output(o);
  // the base parameters as a solution of their own
  r->rows = all_rows(o);
  r->solution.rss = o->solution.rss;
  r->solution.sigma2 = o->solution.sigma2;
  r->solution.dof = o->solution.dof;
  memcpy(r->solution.x, e->value, (size_t)r->n * sizeof *e->value);
  for (int j = 0; j < r->n; j++)
    for (int i = 0; i < r->n; i++)
      r->solution.cov[i + (ptrdiff_t)j * r->n] =
          o->solution.cov[(o->extra + i) + (ptrdiff_t)(o->extra + j) * o->p];
  RBV_TRY(find_influence(o));
  return rbv_run_finish_output(r, e);
}

/* ---- the run ---- */

rbv_status rbv_output_restrict(rbv_base *base, const rbv_model *m, const rbv_closed_loop *loop,
                               int nmotion) {
  if (!loop || !(loop->control || loop->controls)) return RBV_OK;
  bool *kept = rbv_alloc((size_t)rbv_model_column_count(m) * sizeof *kept);
  if (!kept) return RBV_EMEM;
  for (int c = 0; c < rbv_model_column_count(m); c++) {
    const rbv_column *column = rbv_model_column(m, c);
    kept[c] = !rbv_column_has_law(column, "off");
    for (int i = 0; i < nmotion && !kept[c]; i++)
      kept[c] = !integrates(loop->controls ? loop->controls[i] : loop->control, column->joint);
  }
  rbv_base_restrict(base, kept);
  rbv_free(kept);
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
  start_unknowns(o, o->chi);
  RBV_TRY(iterate(o));
  return finish(o);
}

rbv_status rbv_output_error(identify_run *r, rbv_estimate *e) {
  RBV_TRY(check(r));
  const rbv_closed_loop *loop = r->options->loop;
  output_run sizes = {.r = r,
                      .e = e,
                      .loop = loop,
                      .joints = rbv_model_joint_count(r->model),
                      .wanted = loop->nunknown};
  sizes.extra = add_integrals(&sizes, sizes.wanted);
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
