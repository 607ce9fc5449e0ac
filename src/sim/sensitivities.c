/*
 * Derivatives of a closed-loop run by its unknowns, propagated beside the run. The torque of the
 * plant is ID(q, dq, ddq) = u, so that along a direction
 *
 *   M da = du - K dq - D dv - W dchi - G dp,   K = dID/dq, D = dID/d(dq), G = dID/dp,
 *
 * with the shape parameters p of friction laws. Elastic joints: motors and links have such
 * equations of their own, with the torque s of the spring between them; the directions of the links
 * follow those of the motors. M, K, D, W and G are evaluated at the middle of
 * each step, on the cubic through the states of two ticks, for many steps at once. The linear
 * equation of a step is solved by the diagonally implicit Runge-Kutta method of Alexander (1977),
 * order 2, which is stable for stiff friction and damps it: with g = 1 - 1/sqrt(2), from (q, v),
 * and from (q, v) + h (1 - g) (slope of the first stage),
 *
 *   (M + h g D + (h g)^2 K) a = du - W dchi - G dp - K (q + h g v) - D v,  v += h g a, q += h g v.
 *
 * The kernels of step_kernel.inc do that: directions are lanes, their number is padded.
 */
#include <math.h>
#include <string.h>

#include "control/control.h"
#include "sim/sim_internal.h"
#include "sim/step_kernel.h"

#define BLOCK 64  // ticks that are evaluated at once

static const char *const kinds[RBV_UNKNOWN_KINDS] = {"parameter", "delay",    "bias",
                                                     "gain",      "integral", "shape",
                                                     "stiffness", "damping",  "command_delay"};

const char *rbv_unknown_name(int kind) {
  return kind >= 0 && kind < RBV_UNKNOWN_KINDS ? kinds[kind] : NULL;
}

/* An entry of the regressor, and the direction of the torque that it acts on. */
typedef struct {
  int entry;
  int at;     // row * lanes + unknown
  bool link;  // of the links of elastic joints
} entry_use;

struct rbv_sensitivities {
  const rbv_model *model;
  const rbv_control *control;
  bool loaded;
  int n, count, substeps, nlate;
  int lanes;  // directions: the unknowns, then zeros
  bool elastic;
  int rows;    // n; with elastic joints 2 n: motors, then links
  int nshape;  // unknown shape parameters
  double rate_hz;
  rbv_unknown *unknown;                      // count
  bool with_bias, with_delay, with_command;  // kinds of unknown that are there
  int motor_row;                             // first row of the motor torques
  entry_use *use;                            // entries of the regressor that belong to unknowns
  int nuse;
  const step_kernel *kernel;
  rbv_dynamics *plant, *feedforward;
  rbv_dynamics *link;  // of elastic joints; NULL: rigid
  rbv_control_tangent *tangent;

  // of the run
  const rbv_sim_reference *reference;
  const rbv_sim_trace *trace;
  const rbv_sim_lane *lane;
  ptrdiff_t tick, block;  // next tick; first tick of the evaluated block, -1: none

  // steps of a block: joint j of step i at [i + j * nstep]
  ptrdiff_t nstep;
  double *q, *dq, *ddq, *tau;  // nstep x rows
  double *K, *D, *M;           // nstep x rows^2
  double *part[3];             // nstep x njoint^2: of motors or links, before they are put together
  double *link_W;              // nstep x entries
  double *W;                   // nstep x entries
  double *G;                   // nstep x njoint x nshape
  bool *regular;               // nstep
  double *step;                // nstep x 3 rows^2: matrices of the kernel
  double *step_scratch;

  // directions: unknown u of joint j at [j * lanes + u]
  double *xq, *xv;       // of the state
  double *measured;      // of the measured position
  double *command;       // of the reference
  double *torque, *u;    // of the controller, of the plant
  double *drive;         // torque that does not depend on the state
  double *late;          // nlate x njoint x lanes: of the last torques of the loop
  double *late_nominal;  // nlate x njoint: these torques
  double *matrix;        // rows^2
  double *split;         // parameters of motors, of links; 4 njoint
  double *in;            // 5 njoint: qr, dqr, ddqr, qm, model torque
  double *nominal;       // njoint: torque of the loop
};

static void layout(rbv_sensitivities *s, const rbv_model *m, rbv_arena *a) {
  const ptrdiff_t n = s->n, rows = s->rows, lanes = rows * s->lanes, steps = s->nstep;
  const ptrdiff_t entries = rbv_model_entry_count(m);
  s->unknown = RBV_TAKE(a, s->count, rbv_unknown);
  s->use = RBV_TAKE(a, entries, entry_use);
  double **const states[] = {&s->q, &s->dq, &s->ddq, &s->tau};
  for (int i = 0; i < RBV_COUNT(states); i++) *states[i] = RBV_TAKE(a, steps * rows, double);
  double **const matrices[] = {&s->K, &s->D, &s->M};
  for (int i = 0; i < RBV_COUNT(matrices); i++) {
    *matrices[i] = RBV_TAKE(a, steps * rows * rows, double);
    s->part[i] = RBV_TAKE(a, s->elastic ? steps * n * n : 0, double);
  }
  s->W = RBV_TAKE(a, steps * entries, double);
  s->link_W = RBV_TAKE(a, s->elastic ? steps * entries : 0, double);
  s->split = RBV_TAKE(a, s->elastic ? 2 * rbv_model_column_count(m) + 4 * n : 0, double);
  s->G = RBV_TAKE(a, steps * n * s->nshape, double);
  s->regular = RBV_TAKE(a, steps, bool);
  s->step = RBV_TAKE(a, steps * 3 * rows * rows, double);
  // of the matrices or of a step
  const ptrdiff_t inverse = STEP_LANES * rows * rows;
  s->step_scratch = RBV_TAKE(a, inverse > 2 * lanes ? inverse : 2 * lanes, double);
  double **const directions[] = {&s->xq,     &s->xv, &s->measured, &s->command,
                                 &s->torque, &s->u,  &s->drive};
  for (int i = 0; i < RBV_COUNT(directions); i++) *directions[i] = RBV_TAKE(a, lanes, double);
  s->late = RBV_TAKE(a, s->nlate * n * s->lanes, double);
  s->late_nominal = RBV_TAKE(a, s->nlate * n, double);
  s->matrix = RBV_TAKE(a, rows * rows, double);
  s->in = RBV_TAKE(a, 5 * n, double);
  s->nominal = RBV_TAKE(a, n, double);
}

/* ---- creation ---- */

static rbv_status check_unknown(const rbv_unknown *u, const rbv_model *m, bool elastic) {
  const int n = rbv_model_joint_count(m);
  if (u->kind == RBV_UNKNOWN_COLUMN && (u->column < 0 || u->column >= rbv_model_column_count(m)))
    return rbv_fail(RBV_EARG, "the model has no column %d", u->column);
  if (u->kind != RBV_UNKNOWN_COLUMN && (u->joint < -1 || u->joint >= n))
    return rbv_fail(RBV_EARG, "there is no joint %d", u->joint + 1);
  const bool spring = u->kind == RBV_UNKNOWN_STIFFNESS || u->kind == RBV_UNKNOWN_DAMPING;
  if (spring && !elastic) return rbv_fail(RBV_EARG, "the joints of the run are not elastic");
  if (u->kind == RBV_UNKNOWN_SHAPE && !(u->shape && rbv_model_law_of_shape(m, u->joint, u->shape)))
    return rbv_fail(RBV_EARG, "no friction of joint %d has the shape parameter %s", u->joint + 1,
                    u->shape ? u->shape : "(none)");
  return RBV_OK;
}

static rbv_status set_gain(rbv_sensitivities *s, int lane) {
  const rbv_unknown *u = &s->unknown[lane];
  if (u->joint >= 0) return rbv_control_tangent_set_gain(s->tangent, lane, u->joint, u->gain, 1);
  for (int j = 0; j < s->n; j++) {
    rbv_control_joint law = *rbv_control_get_joint(s->control, j);
    const double *value = rbv_gain_of(&law, u->gain);
    if (value && *value != 0)
      RBV_TRY(rbv_control_tangent_set_gain(s->tangent, lane, j, u->gain, *value));
  }
  return RBV_OK;
}

/* entries of the columns that are unknown: drive columns act on the motors, others on the links */
static void find_uses(rbv_sensitivities *s) {
  const rbv_model *m = s->model;
  for (int r = 0; r < s->n; r++) {
    const rbv_row *row = rbv_model_row(m, s->motor_row + r);
    for (int e = 0; e < row->count; e++)
      for (int k = s->count - 1; k >= 0; k--) {
        const rbv_unknown *u = &s->unknown[k];
        if (u->kind != RBV_UNKNOWN_COLUMN || u->column != row->columns[e]) continue;
        const bool link = s->elastic && rbv_elastic_at_link(rbv_model_column(m, u->column));
        s->use[s->nuse++] = (entry_use){
            .entry = row->first + e, .at = (link ? s->n + r : r) * s->lanes + k, .link = link};
        break;
      }
  }
}

static rbv_status fill(rbv_sensitivities *s, const rbv_unknown *unknown) {
  const rbv_model *m = s->model;
  for (int i = 0; i < s->count; i++) {
    RBV_TRY(check_unknown(&unknown[i], m, s->elastic));
    s->with_bias = s->with_bias || unknown[i].kind == RBV_UNKNOWN_BIAS;
    s->with_delay = s->with_delay || unknown[i].kind == RBV_UNKNOWN_DELAY;
    s->with_command = s->with_command || unknown[i].kind == RBV_UNKNOWN_COMMAND;
  }
  memcpy(s->unknown, unknown, (size_t)s->count * sizeof *unknown);
  find_uses(s);
  RBV_TRY(rbv_dynamics_new(&s->plant, m));
  if (s->elastic) RBV_TRY(rbv_dynamics_new(&s->link, m));
  if (rbv_control_get_feedforward(s->control) != RBV_FEEDFORWARD_NONE)
    RBV_TRY(rbv_dynamics_new(&s->feedforward, m));
  RBV_TRY(rbv_control_tangent_new(&s->tangent, s->control, s->lanes));
  for (int i = 0; i < s->count; i++)
    if (unknown[i].kind == RBV_UNKNOWN_GAIN) RBV_TRY(set_gain(s, i));
  return RBV_OK;
}

/* first of the rows of motor torques; -1: the model has none */
static int first_motor_row(const rbv_model *m) {
  for (int r = 0; r < rbv_model_row_count(m); r++)
    if (rbv_model_row(m, r)->torque == RBV_TORQUE_MOTOR) return r;
  return -1;
}

rbv_status rbv_sensitivities_new(rbv_sensitivities **out, const rbv_model *m, const rbv_control *c,
                                 const rbv_sim_options *options, const rbv_unknown *unknown,
                                 int count) {
  *out = NULL;
  if (!m || !c || !unknown || count < 1)
    return rbv_fail(RBV_EARG, "sensitivities need a model, a controller and unknowns");
  const rbv_sim_options o = options ? *options : rbv_sim_defaults();
  const double rate_hz = rbv_control_rate_hz(c);
  rbv_sensitivities sizes = {.model = m,
                             .control = c,
                             .loaded = o.loaded,
                             .n = rbv_model_joint_count(m),
                             .count = count,
                             .lanes = (count + STEP_LANES - 1) / STEP_LANES * STEP_LANES,
                             .kernel = rbv_step_kernel(),
                             .substeps = rbv_sim_choose_substeps(&o, rate_hz),
                             .nlate = (int)ceil(o.longest_delay_s * rate_hz) + 2,
                             .rate_hz = rate_hz,
                             .elastic = o.elastic,
                             .rows = (o.elastic ? 2 : 1) * rbv_model_joint_count(m),
                             .motor_row = first_motor_row(m)};
  sizes.nstep = (ptrdiff_t)BLOCK * sizes.substeps;
  for (int i = 0; i < count; i++) sizes.nshape += unknown[i].kind == RBV_UNKNOWN_SHAPE;
  if (sizes.motor_row < 0)
    return rbv_fail_option(RBV_EUNSUPPORTED, "sensing",
                           "the closed loop drives the motors, but '%s' has no motor torques",
                           rbv_model_name(m));
  rbv_sensitivities *s;
  RBV_CARVE_OBJECT(s, a, layout(&sizes, m, a));
  if (!s) return RBV_EMEM;
  *s = sizes;
  RBV_GIVE(out, s, fill(s, unknown), rbv_sensitivities_free(s));
}

void rbv_sensitivities_free(rbv_sensitivities *s) {
  if (!s) return;
  rbv_dynamics_free(s->plant);
  rbv_dynamics_free(s->link);
  rbv_dynamics_free(s->feedforward);
  rbv_control_tangent_free(s->tangent);
  rbv_free(s);
}

/* does an unknown belong to joint j? */
static bool acts_on(const rbv_unknown *u, rbv_unknown_kind kind, int j) {
  return u->kind == kind && (u->joint < 0 || u->joint == j);
}

/* directions of a state that is measured: only the bias changes it */
static void start_at_measured(rbv_sensitivities *s) {
  const size_t bytes = (size_t)(s->rows * s->lanes) * sizeof *s->xq;
  memset(s->xq, 0, bytes);
  memset(s->xv, 0, bytes);
  for (int r = 0; r < s->rows; r++)
    for (int k = 0; k < s->count; k++)
      if (acts_on(&s->unknown[k], RBV_UNKNOWN_BIAS, r % s->n)) s->xq[r * s->lanes + k] = -1;
}

/* ---- matrices along the run ---- */

/* the state at a share x of the way from tick k to the next, on a cubic */
static void interpolate(double *q, double *dq, const rbv_sensitivities *s, int row, ptrdiff_t k,
                        double x) {
  const rbv_sim_trace *t = s->trace;
  const bool link = row >= s->n;
  const ptrdiff_t at = k + (link ? row - s->n : row) * t->ld;
  const double *p = (link ? t->link_q : t->q) + at, *v = (link ? t->link_dq : t->dq) + at;
  const double T = 1 / s->rate_hz;
  const double a = v[0] * T, b = v[1] * T, d = p[1] - p[0];
  const double c2 = 3 * d - 2 * a - b, c3 = a + b - 2 * d;
  *q = p[0] + x * (a + x * (c2 + x * c3));
  *dq = (a + x * (2 * c2 + 3 * x * c3)) / T;
}

/* torque of the plant in step i of tick k: that of the run, late by the delay of the lane */
static double torque_of(const rbv_sensitivities *s, int j, ptrdiff_t k, int step) {
  const rbv_sim_trace *t = s->trace;
  if (!s->lane->delay) return t->applied[k + j * t->ld];
  const double delay = s->lane->delay[j] * s->rate_hz, whole = floor(delay);
  const double share = rbv_late_share(delay - whole, step, s->substeps);
  const ptrdiff_t at = k - (ptrdiff_t)whole, now = at > 0 ? at : 0, before = at > 1 ? at - 1 : 0;
  return (1 - share) * t->tau[now + j * t->ld] + share * t->tau[before + j * t->ld];
}

/* springs in step i: torque s of joint j */
static double spring_torque(const rbv_sensitivities *s, ptrdiff_t i, int j) {
  const ptrdiff_t motor = i + j * s->nstep, link = i + (s->n + j) * s->nstep;
  return s->lane->stiffness[j] * (s->q[motor] - s->q[link]) +
         s->lane->damping[j] * (s->dq[motor] - s->dq[link]);
}

/* the matrices of one part into those of all rows, with those of the springs */
static void put_part(rbv_sensitivities *s, int first, ptrdiff_t count) {
  const int n = s->n, rows = s->rows;
  double *const to[] = {s->K, s->D, s->M};
  const double *const between[] = {s->lane->stiffness, s->lane->damping, NULL};
  for (int m = 0; m < 3; m++)
    for (int r = 0; r < n; r++)
      for (int c = 0; c < n; c++) {
        const double spring = r == c && between[m] ? between[m][r] : 0;
        const double *from = s->part[m] + (r + c * n) * s->nstep;
        double *own = to[m] + (first + r + (first + c) * rows) * s->nstep;
        double *other = to[m] + (first + r + (n - first + c) * rows) * s->nstep;
        for (ptrdiff_t i = 0; i < count; i++) {
          own[i] = from[i] + spring;
          other[i] = -spring;
        }
      }
}

/* motors and links of elastic joints; the states and the torques of the controller are set */
static void evaluate_elastic(rbv_sensitivities *s, ptrdiff_t count) {
  const int n = s->n;
  const ptrdiff_t ld = s->nstep, first = n * ld;
  for (int j = 0; j < n; j++)
    for (ptrdiff_t i = 0; i < count; i++) {
      const double torque = spring_torque(s, i, j);
      s->tau[i + j * ld] -= torque;
      s->tau[i + (n + j) * ld] = torque;
    }
  for (int link = 0; link < 2; link++) {
    rbv_dynamics *d = link ? s->link : s->plant;
    const ptrdiff_t at = link * first;
    const rbv_states states = {
        .count = count, .ld = ld, .q = s->q + at, .dq = s->dq + at, .ddq = s->ddq + at};
    rbv_dynamics_forward_batch(s->ddq + at, ld, s->regular, d, &states, s->tau + at, ld);
    rbv_dynamics_derivatives_batch(s->part[0], s->part[1], s->part[2], ld, d, &states);
    put_part(s, link * n, count);
    rbv_regressor_batch(link ? s->link_W : s->W, ld, d, &states, s->loaded);
  }
}

/* the matrices of all steps; the last vector is filled up with the last step */
static void prepare_steps(rbv_sensitivities *s, ptrdiff_t count) {
  const int rows = s->rows, width = s->kernel->width;
  const ptrdiff_t part = (ptrdiff_t)rows * rows, ld = s->nstep;
  double *const all[] = {s->K, s->D, s->M};
  for (int m = 0; m < RBV_COUNT(all); m++)
    for (ptrdiff_t e = 0; e < part; e++)
      for (ptrdiff_t i = count; i % width; i++) all[m][i + e * ld] = all[m][count - 1 + e * ld];
  for (ptrdiff_t i = 0; i < count; i += width)
    s->kernel->prepare(s->step + i * 3 * part, s->step_scratch, s->K + i, s->D + i, s->M + i, ld,
                       rows, 1 / (s->rate_hz * s->substeps));
}

/* all steps from tick `first` on */
static void evaluate_block(rbv_sensitivities *s, ptrdiff_t first) {
  const int n = s->n, sub = s->substeps;
  const ptrdiff_t left = s->reference->count - 1 - first, ld = s->nstep;
  const ptrdiff_t count = (left < BLOCK ? left : BLOCK) * sub;
  for (int j = 0; j < s->rows; j++)
    for (ptrdiff_t i = 0; i < count; i++) {
      const ptrdiff_t k = first + i / sub, at = i + j * ld;
      interpolate(&s->q[at], &s->dq[at], s, j, k, ((double)(i % sub) + 0.5) / sub);
      if (j < n) s->tau[at] = torque_of(s, j, k, (int)(i % sub));
    }
  const rbv_states states = {.count = count, .ld = ld, .q = s->q, .dq = s->dq, .ddq = s->ddq};
  if (s->elastic) {
    evaluate_elastic(s, count);
  } else {
    rbv_dynamics_forward_batch(s->ddq, ld, s->regular, s->plant, &states, s->tau, ld);
    rbv_dynamics_derivatives_batch(s->K, s->D, s->M, ld, s->plant, &states);
    rbv_regressor_batch(s->W, ld, s->plant, &states, s->loaded);
  }
  double *G = s->G;
  for (int u = 0; u < s->count; u++) {
    if (s->unknown[u].kind != RBV_UNKNOWN_SHAPE) continue;
    rbv_dynamics_by_shape_batch(G, ld, s->plant, &states, s->unknown[u].joint, s->unknown[u].shape);
    G += n * ld;
  }
  prepare_steps(s, count);
  s->block = first;
}

/* ---- one step of the plant ---- */

/* L U without pivoting: the symmetric part of the matrix is positive definite */
static void factor(double *A, int n) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      A[i + k * n] /= A[k + k * n];
      for (int j = k + 1; j < n; j++) A[i + j * n] -= A[i + k * n] * A[k + j * n];
    }
}

/* row of `to` += factor * row of `from` */
static inline void add_row(double *restrict to, const double *restrict from, double a, int count) {
  for (int k = 0; k < count; k++) to[k] += a * from[k];
}

static void solve(double *x, const double *LU, int n, int count) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) add_row(x + i * count, x + j * count, -LU[i + j * n], count);
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) add_row(x + i * count, x + j * count, -LU[i + j * n], count);
    const double inverse = 1 / LU[i + i * n];
    for (int k = 0; k < count; k++) x[i * count + k] *= inverse;
  }
}

/* links of elastic joints at rest: k (theta - q) = g(q), so that (k + dg/dq) dq = k dtheta +
 * (theta - q) dk; the start does not depend on other unknowns if the links are known */
static void start_springs(rbv_sensitivities *s) {
  const int n = s->n, lanes = s->lanes, nc = rbv_model_column_count(s->model);
  const double *k = s->lane->stiffness;
  double *theta = s->split + 2 * nc, *q = theta + n, *torque = q + n, *still = torque + n;
  double *links = s->xq + n * lanes;
  for (int j = 0; j < n; j++) theta[j] = s->trace->q[j * s->trace->ld];
  rbv_elastic_rest(q, torque, s->link, theta, k, NULL, still, n);
  rbv_dynamics_derivatives(s->matrix, NULL, NULL, s->link, q, still, still);
  for (int j = 0; j < n; j++) {
    s->matrix[j * (n + 1)] += k[j];
    for (int u = 0; u < s->count; u++) {
      links[j * lanes + u] = k[j] * s->xq[j * lanes + u];
      if (acts_on(&s->unknown[u], RBV_UNKNOWN_STIFFNESS, j))
        links[j * lanes + u] += theta[j] - q[j];
    }
  }
  factor(s->matrix, n);
  solve(links, s->matrix, n, lanes);
}

rbv_status rbv_sensitivities_start(rbv_sensitivities *s, const rbv_sim_lane *lane,
                                   const rbv_sim_reference *r, const rbv_sim_trace *t) {
  if (!lane || !r || !r->q || !t || !t->q || !t->dq || !t->applied)
    return rbv_fail(RBV_EARG, "sensitivities need a reference and the trace of the run");
  if (lane->delay && !t->tau)
    return rbv_fail(RBV_EARG, "sensitivities with a delay need the torques of the run");
  const double *chi = lane->chi ? lane->chi : rbv_model_parameters(s->model);
  if (!chi) return rbv_fail(RBV_EARG, "sensitivities need the parameters of the run");
  if (s->elastic && !(t->link_q && t->link_dq && lane->stiffness && lane->damping && !r->nguide))
    return rbv_fail(RBV_EARG, "sensitivities of elastic joints need springs and the links' motion");
  if (s->elastic) {
    double *motor = s->split, *link = motor + rbv_model_column_count(s->model);
    rbv_elastic_split(motor, link, s->model, chi, lane->stiffness);
    RBV_TRY(rbv_dynamics_set(s->plant, motor, s->loaded));
    RBV_TRY(rbv_dynamics_set(s->link, link, s->loaded));
  } else {
    RBV_TRY(rbv_dynamics_set(s->plant, chi, s->loaded));
  }
  if (s->feedforward)
    RBV_TRY(rbv_dynamics_set(s->feedforward, lane->known ? lane->known : chi, s->loaded));
  for (int j = 0; j < s->n && lane->delay; j++)
    if (!(lane->delay[j] >= 0 && lane->delay[j] * s->rate_hz <= s->nlate - 2))
      return rbv_fail(RBV_EARG, "the delay of joint %d is out of range", j + 1);
  rbv_control_tangent_reset(s->tangent);
  for (int j = 0; j < s->n; j++) {
    for (int k = 0; k < s->count; k++)
      if (acts_on(&s->unknown[k], RBV_UNKNOWN_INTEGRAL, j))
        rbv_control_tangent_set_integral(s->tangent, k, j, 1);
    rbv_control_tangent_set_integral(s->tangent, -1, j, lane->integral ? lane->integral[j] : 0);
  }
  s->lane = lane;
  s->reference = r;
  s->trace = t;
  s->tick = 0;
  s->block = -1;
  start_at_measured(s);
  if (s->elastic) start_springs(s);
  return RBV_OK;
}

/* torques of a unit of the parameters */
static void drive_parameters(rbv_sensitivities *s, ptrdiff_t i) {
  for (int k = 0; k < s->nuse; k++) {
    const entry_use *u = &s->use[k];
    s->drive[u->at] -= (u->link ? s->link_W : s->W)[i + u->entry * s->nstep];
  }
}

/* the same of the springs */
static void drive_springs(rbv_sensitivities *s, ptrdiff_t i) {
  const int n = s->n, lanes = s->lanes;
  for (int j = 0; j < n; j++)
    for (int u = 0; u < s->count; u++) {
      const bool damping = acts_on(&s->unknown[u], RBV_UNKNOWN_DAMPING, j);
      if (!damping && !acts_on(&s->unknown[u], RBV_UNKNOWN_STIFFNESS, j)) continue;
      const double *x = damping ? s->dq : s->q;
      const double apart = x[i + j * s->nstep] - x[i + (n + j) * s->nstep];
      s->drive[j * lanes + u] -= apart;
      s->drive[(n + j) * lanes + u] += apart;
    }
}

/* advance the directions by step i of the block */
static void advance(rbv_sensitivities *s, ptrdiff_t i) {
  const int n = s->n, rows = s->rows, lanes = s->lanes;
  const size_t bytes = (size_t)(n * lanes) * sizeof *s->drive;
  memcpy(s->drive, s->u, bytes);
  if (s->elastic) memset(s->drive + n * lanes, 0, bytes);
  drive_parameters(s, i);
  if (s->elastic) drive_springs(s, i);
  const double *G = s->G + i;
  for (int u = 0; u < s->count && s->nshape > 0; u++) {
    if (s->unknown[u].kind != RBV_UNKNOWN_SHAPE) continue;
    for (int r = 0; r < n; r++, G += s->nstep) s->drive[r * lanes + u] -= *G;
  }
  s->kernel->advance(s->xq, s->xv, s->drive, s->step + i * 3 * rows * rows, s->step_scratch, rows,
                     lanes, 1 / (s->rate_hz * s->substeps));
}

/* ---- one tick ---- */

/* keep the torque of the loop and its directions for later ticks */
static void keep_torque(rbv_sensitivities *s) {
  const int n = s->n, length = s->nlate;
  const ptrdiff_t size = (ptrdiff_t)n * s->lanes, k = s->tick;
  // before the first tick the torque was the first one
  for (ptrdiff_t slot = k == 0 ? 0 : k % length; slot < (k == 0 ? length : k % length + 1);
       slot++) {
    memcpy(s->late_nominal + slot * n, s->nominal, (size_t)n * sizeof *s->nominal);
    memcpy(s->late + slot * size, s->torque, (size_t)size * sizeof *s->late);
  }
}

/* directions of the torque of the plant in a step of the tick, late by the delay: s->u */
static void delay_torque(rbv_sensitivities *s, int step) {
  const int n = s->n, lanes = s->lanes, length = s->nlate;
  const ptrdiff_t size = (ptrdiff_t)n * lanes, k = s->tick;
  for (int j = 0; j < n; j++) {
    const double delay = s->lane->delay ? s->lane->delay[j] * s->rate_hz : 0, whole = floor(delay);
    const double share = rbv_late_share(delay - whole, step, s->substeps);
    const ptrdiff_t at = (k + 2 * length - (ptrdiff_t)whole) % length,
                    earlier = (at + length - 1) % length;
    const double *now = s->late + at * size + j * lanes;
    const double *before = s->late + earlier * size + j * lanes;
    double *u = s->u + j * lanes;
    if (share > 0)
      for (int i = 0; i < lanes; i++) u[i] = (1 - share) * now[i] + share * before[i];
    else
      memcpy(u, now, (size_t)lanes * sizeof *u);
    // a longer delay moves the change between both torques, which is in this step or not
    if (!s->with_delay || (int)floor((delay - whole) * s->substeps) != step) continue;
    const double change = s->late_nominal[earlier * n + j] - s->late_nominal[at * n + j];
    for (int i = 0; i < s->count; i++)
      if (acts_on(&s->unknown[i], RBV_UNKNOWN_DELAY, j)) u[i] += change * s->rate_hz * s->substeps;
  }
}

/* the controller at the present tick: s->torque, s->nominal */
static void control(rbv_sensitivities *s) {
  const int n = s->n;
  const rbv_sim_lane *lane = s->lane;
  double *qr = s->in, *dqr = qr + n, *ddqr = dqr + n, *qm = ddqr + n, *model = qm + n;
  const rbv_feedforward kind = rbv_control_get_feedforward(s->control);
  for (int j = 0; j < n; j++) {
    qr[j] = s->reference->q[s->tick + j * s->reference->ld] + (lane->shift ? lane->shift[j] : 0);
    rbv_reference_rates(&dqr[j], &ddqr[j], s->reference, j, s->tick, s->rate_hz);
    qm[j] = s->trace->q[s->tick + j * s->trace->ld] + (lane->bias ? lane->bias[j] : 0);
  }
  // gravity: at rest; s->nominal is scratch memory of zeros
  memset(s->nominal, 0, (size_t)n * sizeof *s->nominal);
  const bool whole = kind == RBV_FEEDFORWARD_MODEL;
  if (s->feedforward)
    rbv_dynamics_inverse(model, s->feedforward, qr, whole ? dqr : s->nominal,
                         whole ? ddqr : s->nominal);
  const rbv_control_input in = {
      .qr = qr, .qm = qm, .dqr = dqr, .ddqr = ddqr, .model = s->feedforward ? model : NULL};
  const bool late = s->with_command && s->reference->later;
  for (int j = 0; j < n && late; j++)
    for (int k = 0; k < s->count; k++)
      if (acts_on(&s->unknown[k], RBV_UNKNOWN_COMMAND, j))
        s->command[j * s->lanes + k] = s->reference->later[s->tick + j * s->reference->ld];
  rbv_control_tangent_step(s->nominal, s->torque, s->tangent, &in, s->measured,
                           late ? s->command : NULL);
}

/* without the lanes that are padding */
static void unpack(double *out, const double *from, const rbv_sensitivities *s) {
  for (int j = 0; j < s->n; j++)
    memcpy(out + j * s->count, from + j * s->lanes, (size_t)s->count * sizeof *out);
}

void rbv_sensitivities_next(double *dq, double *dtau, rbv_sensitivities *s) {
  const int n = s->n, lanes = s->lanes;
  memcpy(s->measured, s->xq, (size_t)(n * lanes) * sizeof *s->xq);
  for (int j = 0; j < n && s->with_bias; j++)
    for (int k = 0; k < s->count; k++)
      if (acts_on(&s->unknown[k], RBV_UNKNOWN_BIAS, j)) s->measured[j * lanes + k] += 1;
  control(s);
  unpack(dq, s->measured, s);
  if (dtau) unpack(dtau, s->torque, s);
  keep_torque(s);
  if (s->tick + 1 < s->reference->count) {
    if (s->block < 0 || s->tick >= s->block + BLOCK) evaluate_block(s, s->tick);
    for (int i = 0; i < s->substeps; i++) {
      delay_torque(s, i);
      advance(s, (s->tick - s->block) * s->substeps + i);
    }
  }
  s->tick++;
  if (s->tick <= s->reference->nguide) start_at_measured(s);
}
