/* A known arm along a stream: samples, filters, residual, contact. */
#include "follow/follow_internal.h"

#include <math.h>
#include <string.h>
#include "stats/stats.h"

#define START 12.0        // time constants after which a filter has forgotten its start
#define SAMPLES_HZ 4      // poles of the filter of the samples, in those of the residual
#define HIGHEST 0.15      // poles of the filter of the samples, of the rate
#define RELEASE 0.5       // of its limit: a residual below ends a contact
#define GAP_STEPS 2.5     // in steps of the stream
#define GAP_S 0.02        // shorter gaps are bridged
#define SMOOTH_STEP 0.01  // weight of a new step in the mean step
#define STUCK_S 0.2       // a torque that does not change while its joint moves is an old one
#define CLOCK_RESET 10    // samples in a row with earlier stamps: the clock was set back
#define JUMP 3.0          // in the joint's largest speed
#define LEAST_HZ 30  // of a stream: false alarms at 20 Hz are 4 times the chosen ones, at 30 Hz 1.5
#define CROSSINGS 0.4  // upward crossings of zero by noise behind the filter, of its frequency

static const struct {
  const char *name, *text;
} kinds[] = {
#define X(name, key, text) [name] = {key, text},
    RBV_STREAM_LIST(X)
#undef X
};

const char *rbv_stream_name(rbv_stream_kind kind) {
  return (int)kind >= 0 && kind < RBV_STREAM_KINDS ? kinds[kind].name : NULL;
}

const char *rbv_stream_text(rbv_stream_kind kind) {
  return (int)kind >= 0 && kind < RBV_STREAM_KINDS ? kinds[kind].text : NULL;
}

const char *rbv_load_name(rbv_load load) {
  switch (load) {
    case RBV_LOAD_NONE: return "none";
    case RBV_LOAD_UNKNOWN: return "unknown";
    case RBV_LOAD_KNOWN: return "known";
  }
  return NULL;
}

rbv_follow_options rbv_follow_defaults(void) {
  return (rbv_follow_options){.observer_hz = 40,
                              .estimate_hz = 10,
                              .alarms_per_hour = 1,
                              .payload_s = 10,
                              .drift_s = 30,
                              .dead_zone = 1,
                              .reach = 0.5,
                              .radius = 0.15,
                              .least_mass = 0.1,
                              .payload = true,
                              .inertia = true};
}

/* ---- creation ---- */

/* numbers of an equation: what is left, payload, friction, what is not known of friction, parts */
static int row_size(const rbv_follow *f) { return 1 + RBV_INERTIAL + DRIFT_MAX + 1 + f->npart; }

/* the next numbers of the state */
static double *take(rbv_follow *f, int *used, int count) {
  double *at = f->state ? f->state + *used : NULL;
  *used += count;
  return at;
}

/* the state; with f->state NULL it is only measured */
static void layout_state(rbv_follow *f) {
  int used = 0;
  const int n = f->n;
  f->at = take(f, &used, AT_COUNT);
  f->sigma = take(f, &used, n);
  f->level = take(f, &used, n);
  f->slow_sigma = take(f, &used, n);
  f->colour = take(f, &used, n);
  f->residual = take(f, &used, n);
  f->limit = take(f, &used, n);
  f->torque_changed = take(f, &used, n);
  f->position_then = take(f, &used, n);
  const double samples_hz = fmin(SAMPLES_HZ * f->o.observer_hz, HIGHEST * f->o.rate_hz);
  const double fast_hz = fmin(f->o.observer_hz, samples_hz / 2);
  const int equations = n * row_size(f), size = rbv_chain_size(equations);
  f->samples = rbv_chain_at(take(f, &used, rbv_chain_size(2 * n)), 2 * n, samples_hz);
  f->fast = rbv_chain_at(take(f, &used, size), equations, fast_hz);
  f->slow = rbv_chain_at(take(f, &used, size), equations, fmin(f->o.estimate_hz, fast_hz));
  f->payload = take(f, &used, RBV_INERTIAL);
  f->before = take(f, &used, RBV_INERTIAL);
  f->history = take(f, &used, HISTORY * rbv_pick_slot_size(f));
  f->load = rbv_rls_at(take(f, &used, rbv_rls_size(RBV_INERTIAL, 1 + f->npart)), RBV_INERTIAL,
                       1 + f->npart);
  for (int g = 0; g < f->ngroup; g++) {
    const int count = f->group[g].count;
    for (int i = 0; i < 2; i++)
      f->drift[2 * g + i] = rbv_rls_at(take(f, &used, rbv_rls_size(count, 1)), count, 1);
  }
  f->age = take(f, &used, 4 * f->ngroup);
  f->used = take(f, &used, f->ndrift);
  f->drift_sigma = take(f, &used, f->ndrift);
  f->nstate = used;
}

static void layout(rbv_follow *f, rbv_arena *a) {
  const rbv_model *m = f->arm.model;
  f->chi = RBV_TAKE(a, m->ncolumn, double);
  f->W = RBV_TAKE(a, (size_t)m->nrow * (size_t)m->ncolumn, double);
  f->group = RBV_TAKE(a, f->n, drift_group);
  f->group_of = RBV_TAKE(a, f->n, int);
  f->group_number = RBV_TAKE(a, f->n, int);
  f->drift_column = RBV_TAKE(a, f->n * DRIFT_MAX, int);
  f->deviation = RBV_TAKE(a, (size_t)m->ncolumn * (size_t)f->npart, double);
  f->loose = RBV_TAKE(a, f->n, double);
  f->drift = RBV_TAKE(a, 2 * f->n, rbv_rls);
  f->input = RBV_TAKE(a, f->n * row_size(f), double);
  RBV_TAKE_ALL(a, f->n, double, &f->q, &f->dq, &f->ddq);
  f->sample = RBV_TAKE(a, 2 * f->n, double);
  f->between = RBV_TAKE(a, 2 * f->n, double);
  f->row = RBV_TAKE(a, RLS_MAX, double);
  f->rhs = RBV_TAKE(a, 1 + f->npart, double);
  f->bounded = rbv_rls_at(RBV_TAKE(a, rbv_rls_size(RBV_INERTIAL, 1 + f->npart), double),
                          RBV_INERTIAL, 1 + f->npart);
  f->trial = rbv_rls_at(RBV_TAKE(a, rbv_rls_size(RBV_INERTIAL, 1), double), RBV_INERTIAL, 1);
  f->kernel = RBV_TAKE(a, rbv_pick_kernel_size(f), double);
  f->slow_rows = RBV_TAKE(a, f->n, slow_row);
  f->variance = RBV_TAKE(a, f->n, double);
}

/* a friction column that was identified */
static bool drifts(const rbv_follow *f, int column) {
  return rbv_is_friction(&f->arm.model->column[column]) && f->chi[column] != 0;
}

/* joints with a common column get the same group, the smallest number of them */
static void find_groups(rbv_follow *f) {
  const rbv_model *m = f->arm.model;
  for (int j = 0; j < f->n; j++) f->group_of[j] = j;
  for (int pass = 0; pass < f->n; pass++)
    for (int t = 0; t < m->nterm; t++)
      for (int u = 0; u < t; u++) {
        if (m->term[t].column != m->term[u].column || !drifts(f, m->term[t].column)) continue;
        int *a = &f->group_of[m->term[t].joint], *b = &f->group_of[m->term[u].joint];
        *a = *b = *a < *b ? *a : *b;
      }
}

static void find_friction(rbv_follow *f) {
  const rbv_model *m = f->arm.model;
  find_groups(f);
  for (int j = 0; j < f->n; j++) {
    if (f->group_of[j] < j) continue;
    drift_group *g = &f->group[f->ngroup];
    g->first = f->ndrift;
    for (int c = 0; c < m->ncolumn; c++) {
      bool mine = false;
      for (int t = 0; t < m->nterm; t++)
        mine = mine || (m->term[t].column == c && f->group_of[m->term[t].joint] == j);
      if (!mine || !drifts(f, c) || g->count == DRIFT_MAX ||
          !side_acts(m->column[c].side, m->row[f->first].torque))
        continue;
      g->column[g->count++] = c;
      f->drift_column[f->ndrift++] = c;
    }
    f->group_number[j] = f->ngroup++;
  }
  for (int j = 0; j < f->n; j++) f->group_of[j] = f->group_number[f->group_of[j]];
}

static rbv_status check(const rbv_known_arm *arm, const double *rms, const rbv_follow_options *o) {
  if (!arm || !arm->model || !arm->chi || !rms || !o)
    return rbv_fail(RBV_EARG, "an arm that is followed needs a model, parameters and residuals");
  if (!(o->rate_hz > 0 && o->observer_hz > 0 && o->estimate_hz > 0 && o->alarms_per_hour > 0 &&
        o->reach > 0 && o->radius > 0 && o->least_mass > 0 && o->payload_s >= 0 &&
        o->drift_s >= 0 && o->dead_zone >= 0 && o->mask >= 0))
    return rbv_fail(RBV_EARG, "an option of following is out of its range");
  if (o->rate_hz < LEAST_HZ)
    return rbv_fail_option(RBV_EINPUT, "log-rate",
                           "the stream has %.3g rows per second: limits hold from %d on",
                           o->rate_hz, LEAST_HZ);
  return RBV_OK;
}

double rbv_follow_level(const rbv_follow *f) {
  return rbv_alarm_level_normal(CROSSINGS * f->fast.pole / (2 * RBV_PI),
                                f->o.alarms_per_hour / 3600 / f->n);
}

/*
 * The spread of few parts of the identification is itself uncertain: at the level of an alarm the
 * quantile of Student's distribution counts, where arm.student is its ratio to the normal one at 95
 * %.
 */
static double wider_parts(const rbv_follow *f) {
  const double level = rbv_follow_level(f);
  double lower, upper, t;
  if (f->npart < 2 || !(level > 0) || rbv_stats_normal_cdf(&lower, &upper, level) != RBV_OK ||
      rbv_stats_student_quantile(&t, upper, RBV_TAIL_UPPER, f->npart - 1) != RBV_OK)
    return 1;
  return fmax(1, t / (level * f->arm.student));
}

/* root of the mean square of n normal values, at as many independent instants as the residual has
 * crossings of zero */
double rbv_follow_change_level(const rbv_follow *f) {
  const double instants = 2 * CROSSINGS * f->slow.pole / (2 * RBV_PI);
  const double share = fmin(0.5, f->o.alarms_per_hour / 3600 / instants);
  double square;
  if (rbv_stats_chi2_quantile(&square, share, RBV_TAIL_UPPER, f->n) != RBV_OK) return INFINITY;
  return sqrt(square / f->n);
}

/* limits without a calibration: normal noise of the size that the identification left */
static void assume_noise(rbv_follow *f, const double *rms) {
  for (int j = 0; j < f->n; j++) {
    f->sigma[j] = f->slow_sigma[j] = rms[j];
    f->colour[j] = sqrt(fmax(1, 2 / (f->slow.pole * ROW_S)));
    f->level[j] = rbv_follow_level(f);
  }
  f->at[AT_CHANGE_LEVEL] = rbv_follow_change_level(f);
}

static rbv_status fill(rbv_follow *f, const rbv_known_arm *arm, const double *rms) {
  const rbv_model *m = arm->model;
  memcpy(f->chi, arm->chi, (size_t)m->ncolumn * sizeof *f->chi);
  for (int c = 0; c < m->ncolumn; c++)
    for (int p = 0; p < f->npart; p++)
      f->deviation[(ptrdiff_t)c * f->npart + p] = arm->deviation[c + (ptrdiff_t)p * m->ncolumn];
  find_friction(f);
  layout_state(f);
  f->state = rbv_alloc((size_t)f->nstate * sizeof *f->state);
  if (!f->state) return RBV_EMEM;
  layout_state(f);
  RBV_TRY(rbv_dynamics_new(&f->dynamics, m));
  rbv_pick_prepare(f);
  assume_noise(f, rms);
  f->wider = wider_parts(f);
  rbv_follow_reset(f);
  return RBV_OK;
}

rbv_status rbv_follow_new(rbv_follow **out, const rbv_known_arm *arm, const double *rms,
                          const rbv_follow_options *options) {
  *out = NULL;
  RBV_TRY(check(arm, rms, options));
  const rbv_model *m = arm->model;
  RBV_TRY(rbv_model_need_held(m, "Following a stream"));
  RBV_TRY(rbv_model_need_untouched(m, "Following a stream"));
  RBV_TRY(rbv_model_need_open(m, "Following a stream"));
  rbv_follow shape = {.arm = *arm, .o = *options, .n = m->njoint, .left_out = -1};
  shape.npart = arm->npart > 1 && arm->deviation ? arm->npart : 0;
  if (!(shape.arm.student > 0)) shape.arm.student = 1;
  while (shape.first < m->nrow && m->row[shape.first].torque == RBV_TORQUE_DIFFERENCE)
    shape.first += m->njoint;
  if (shape.first >= m->nrow)
    return rbv_fail(RBV_EUNSUPPORTED,
                    "the difference of two torques shows friction alone: follow the torque of the "
                    "motors or of the joints");
  rbv_follow *f;
  RBV_CARVE_OBJECT(f, a, layout(&shape, a));
  if (!f) return RBV_EMEM;
  *f = shape;
  RBV_GIVE(out, f, fill(f, arm, rms), rbv_follow_free(f));
}

void rbv_follow_free(rbv_follow *f) {
  if (!f) return;
  rbv_dynamics_free(f->dynamics);
  rbv_free(f->state);
  rbv_free(f);
}

/* ---- the state ---- */

/* time since the start after which a filter and those before it can be used */
static double start_time(const rbv_follow *f, bool slow) {
  return START / f->samples.pole + START / f->fast.pole + (slow ? START / f->slow.pole : 0);
}

double rbv_follow_start_time(const rbv_follow *f) { return start_time(f, false); }

static void refresh(rbv_follow *f) {
  rbv_follow_report *r = &f->shown;
  r->t = f->at[AT_TIME];
  r->settled = f->at[AT_SINCE] > start_time(f, true);
  r->residual = f->residual;
  r->limit = f->limit;
  r->contact = (int)f->at[AT_CONTACT];
  r->load = (rbv_load)f->at[AT_LOAD];
  r->changed_at = f->at[AT_CHANGED];
  r->ndrift = f->ndrift;
  r->drift_column = f->drift_column;
  r->drift = f->used;
  r->drift_sigma = f->drift_sigma;
}

void rbv_follow_reset(rbv_follow *f) {
  static const state_number from_zero[] = {AT_STARTED, AT_TIME,      AT_SINCE,  AT_TICK,
                                           AT_ROW,     AT_BACKWARDS, AT_SETTLE, AT_HOLD,
                                           AT_KEPT,    AT_NEXT,      AT_BEYOND};
  for (int i = 0; i < RBV_COUNT(from_zero); i++) f->at[from_zero[i]] = 0;
  f->at[AT_PERIOD] = 1 / f->o.rate_hz;
  f->at[AT_CONTACT] = -1;
  f->shown.limb = -1;
  f->at[AT_CHANGED] = NAN;
  for (int j = 0; j < f->n; j++) f->residual[j] = 0;
  for (int j = 0; j < f->n; j++) f->limit[j] = f->level[j] * f->sigma[j];
  rbv_payload_forget(f);
  if (f->o.carries) rbv_payload_restart(f);
  rbv_drift_start(f);
  refresh(f);
}

const double *rbv_follow_state(const rbv_follow *f, int *count) {
  *count = f->nstate;
  return f->state;
}

rbv_status rbv_follow_load(rbv_follow *f, const double *state, int count) {
  if (count != f->nstate)
    return rbv_fail(RBV_EDIM, "the state has %d numbers, this arm with its options %d", count,
                    f->nstate);
  memcpy(f->state, state, (size_t)count * sizeof *state);
  rbv_payload_show(f);
  refresh(f);
  return RBV_OK;
}

const rbv_follow_report *rbv_follow_get(const rbv_follow *f) { return &f->shown; }

/* ---- a sample ---- */

static bool all_finite(const double *x, int n) {
  for (int i = 0; i < n; i++)
    if (!isfinite(x[i])) return false;
  return true;
}

static bool jumps(const rbv_follow *f, const double *q, double dt) {
  for (int j = 0; j < f->n; j++) {
    const double speed = f->arm.model->joint[j].limits.velocity;
    if (isfinite(speed) &&
        fabs(q[j] - f->samples.last[j]) > JUMP * speed * fmax(dt, f->at[AT_PERIOD]))
      return true;
  }
  return false;
}

/*
 * A driver that has lost its robot often repeats the last values. Noise changes those of a robot
 * that works: in recordings all values are the same for 16 ms at most, and a torque for 54 ms.
 * AT_FRESH is t if a value is another one.
 */
static bool frozen(rbv_follow *f, double t, const double *q, const double *torque, double longest) {
  bool stuck = false;
  for (int j = 0; j < f->n; j++) {
    if (q[j] != f->samples.last[j]) f->at[AT_FRESH] = t;
    if (torque[j] != f->samples.last[f->n + j]) {
      f->at[AT_FRESH] = f->torque_changed[j] = t;
      f->position_then[j] = q[j];
    }
    const double since = t - f->torque_changed[j];
    stuck = stuck || (since > STUCK_S && fabs(q[j] - f->position_then[j]) > f->o.mask * since);
  }
  return stuck || t - f->at[AT_FRESH] > longest;
}

static rbv_stream_kind judge(rbv_follow *f, double t, const double *q, const double *torque) {
  if (!isfinite(t) || !all_finite(q, f->n) || !all_finite(torque + f->first, f->n))
    return RBV_STREAM_NOT_FINITE;
  if (f->at[AT_STARTED] == 0) return RBV_STREAM_GOOD;
  const double dt = t - f->at[AT_TIME];
  if (dt == 0) return RBV_STREAM_REPEATED;
  if (dt < 0) return ++f->at[AT_BACKWARDS] < CLOCK_RESET ? RBV_STREAM_BACKWARDS : RBV_STREAM_GAP;
  f->at[AT_BACKWARDS] = 0;
  const double longest = fmax(GAP_STEPS * f->at[AT_PERIOD], GAP_S);
  if (dt <= longest && jumps(f, q, dt)) return RBV_STREAM_JUMP;
  if (frozen(f, t, q, torque + f->first, longest)) return RBV_STREAM_FROZEN;
  return dt > longest ? RBV_STREAM_GAP : RBV_STREAM_GOOD;
}

/* Start the filters at this sample. Estimates stay; that of a payload that is not known yet begins
 * anew, because anything may have happened meanwhile. */
static void start_filters(rbv_follow *f, const double *input) {
  rbv_chain_start(&f->samples, input);
  f->at[AT_FRESH] = f->at[AT_TIME];
  for (int j = 0; j < f->n; j++) {
    f->torque_changed[j] = f->at[AT_TIME];
    f->position_then[j] = input[j];
  }
  if (f->at[AT_LOAD] == RBV_LOAD_UNKNOWN) rbv_payload_restart(f);
  f->at[AT_SINCE] = f->at[AT_TICK] = f->at[AT_ROW] = f->at[AT_KEPT] = 0;
  f->at[AT_BEYOND] = 0;
  f->at[AT_CONTACT] = -1;
}

/* ---- equations ---- */

/* torque of friction that is not known because its direction stands still, of every joint */
static void add_standstill(rbv_follow *f) {
  const rbv_model *m = f->arm.model;
  for (int t = 0; t < m->nterm; t++) {
    const drive_term *term = &m->term[t];
    if (!term->law || !term->law->steps || f->chi[term->column] == 0) continue;
    if (!side_acts(m->column[term->column].side, m->row[f->first].torque)) continue;
    double speed = 0, change = 0;
    for (int i = term->first; i < term->first + term->count; i++) {
      speed += m->direction_weight[i] * f->dq[m->direction_joint[i]];
      change += m->direction_weight[i] * f->ddq[m->direction_joint[i]];
    }
    // the filter of the samples is late: the direction may just have reversed
    if (fabs(speed) < f->o.mask + fabs(change) * POLES / f->samples.pole)
      f->input[term->joint * row_size(f) + 1 + RBV_INERTIAL + DRIFT_MAX] +=
          fabs(f->chi[term->column] * term->gain);
  }
}

/* rows of the model at the filtered samples */
static void evaluate(rbv_follow *f) {
  const rbv_model *m = f->arm.model;
  const int n = f->n, size = row_size(f);
  const int last = m->link_column[(f->arm.at > 0 ? f->arm.at : m->nbody) - 1];
  for (int j = 0; j < n; j++) {
    f->q[j] = rbv_chain_value(&f->samples, j);
    f->dq[j] = rbv_chain_first(&f->samples, j);
    f->ddq[j] = rbv_chain_second(&f->samples, j);
  }
  rbv_regressor_eval(f->W, f->dynamics, f->q, f->dq, f->ddq, false);
  memset(f->input, 0, (size_t)f->fast.count * sizeof *f->input);
  for (int j = 0; j < n; j++) {
    const rbv_row *row = &m->row[f->first + j];
    const double *W = f->W + f->first + j;
    double *to = f->input + j * size, *part = to + size - f->npart;
    to[0] = rbv_chain_value(&f->samples, n + j);
    for (int k = 0; k < row->count; k++) {
      const int c = row->columns[k];
      const double w = W[(ptrdiff_t)c * m->nrow];
      if (w == 0) continue;
      const double *d = f->deviation + (ptrdiff_t)c * f->npart;
      to[0] -= w * f->chi[c];
      for (int p = 0; p < f->npart; p++) part[p] += w * d[p];
    }
    for (int i = 0; i < RBV_INERTIAL; i++) to[1 + i] = W[(ptrdiff_t)(last + i) * m->nrow];
    const drift_group *g = &f->group[f->group_of[j]];
    for (int k = 0; k < g->count; k++)
      to[1 + RBV_INERTIAL + k] = W[(ptrdiff_t)g->column[k] * m->nrow];
  }
  add_standstill(f);
}

/* equation of a joint behind a filter */
static slow_row equation(const rbv_follow *f, const pole_chain *c, int j) {
  const int size = row_size(f);
  const double *from = c->stage + (POLES - 1) * c->count + j * size;
  const double *part = from + size - f->npart;
  slow_row to = {.y = from[0] - (f->left_out >= 0 ? part[f->left_out] : 0),
                 .loose = from[1 + RBV_INERTIAL + DRIFT_MAX],
                 .part = part};
  memcpy(to.x, from + 1, sizeof to.x);
  memcpy(to.f, from + 1 + RBV_INERTIAL, sizeof to.f);
  return to;
}

/* variance of a torque from the parts of the arm's identification */
double rbv_part_variance(const rbv_follow *f, const double *part) {
  const int n = f->npart;
  double mean = 0, sum = 0;
  for (int p = 0; p < n; p++) mean += part[p] / n;
  for (int p = 0; p < n; p++) sum += (part[p] - mean) * (part[p] - mean);
  return n > 1 ? f->arm.student * f->arm.student * (n - 1) / n * sum : 0;
}

/* ---- residual and contact ---- */

/* tips that a joint moves; tip: one of them */
static int tips_behind(int *tip, const rbv_model *m, int joint) {
  int count = 0;
  for (int i = 0; i < m->ntip; i++) {
    bool moves = false;
    for (int b = 0; b < m->nbody; b++)
      moves = moves ||
              (set_has(&m->support[m->tip_body[i]], b) && rbv_model_map(NULL, m, b, joint) != 0);
    if (!moves) continue;
    *tip = m->tip_body[i];
    count++;
  }
  return count;
}

/*
 * The limb with the contact. A push on a limb moves its own joints and those that all limbs share:
 * of the joints beyond their limits, the one that moves the fewest tips tells most, of several such
 * ones the worst.
 */
static int find_limb(const rbv_follow *f) {
  const rbv_model *m = f->arm.model;
  int limb = -1, fewest = m->ntip;
  double most = 0;
  for (int j = 0; j < f->n && m->ntip > 1; j++) {
    const double ratio = fabs(f->residual[j]) / f->limit[j];
    int tip = -1;
    if (!(ratio > 1)) continue;
    const int behind = tips_behind(&tip, m, j);
    if (behind > fewest || (behind == fewest && !(ratio > most))) continue;
    limb = behind == 1 ? tip : -1;
    fewest = behind;
    most = ratio;
  }
  return limb;
}

static void find_residual(rbv_follow *f) {
  const bool known = f->at[AT_LOAD] == RBV_LOAD_KNOWN;
  int worst = -1;
  double most = 0;
  for (int j = 0; j < f->n; j++) {
    const slow_row e = equation(f, &f->fast, j);
    double r = e.y - rbv_drift_torque(f, j, e.f);
    for (int i = 0; i < RBV_INERTIAL && known; i++) r -= e.x[i] * f->payload[i];
    f->residual[j] = r;
    f->loose[j] = e.loose;
    const double parts = f->wider * f->wider * rbv_part_variance(f, e.part);
    f->limit[j] = f->level[j] * sqrt(f->sigma[j] * f->sigma[j] + parts) + e.loose;
    const double ratio = fabs(r) / f->limit[j];
    if (ratio > most) {
      most = ratio;
      worst = j;
    }
  }
  // a contact ends when every residual is well within its limit
  const bool was = f->at[AT_CONTACT] >= 0;
  if (most > 1)
    f->at[AT_CONTACT] = worst;
  else if (most < RELEASE)
    f->at[AT_CONTACT] = -1;
  const bool begins = !was && f->at[AT_CONTACT] >= 0;
  f->shown.began = f->shown.began || begins;
  if (begins || f->shown.limb < 0) f->shown.limb = find_limb(f);
  if (f->at[AT_CONTACT] < 0) f->shown.limb = -1;
}

void rbv_follow_equations(rbv_follow *f) {
  for (int j = 0; j < f->n; j++) {
    f->slow_rows[j] = equation(f, &f->slow, j);
    f->variance[j] = rbv_part_variance(f, f->slow_rows[j].part);
  }
}

static void tick(rbv_follow *f, double dt) {
  evaluate(f);
  if (f->at[AT_SINCE] <= dt) {
    rbv_chain_start(&f->fast, f->input);
    rbv_chain_start(&f->slow, f->input);
  } else {
    rbv_chain_push(&f->fast, f->input, dt);
    rbv_chain_push(&f->slow, f->fast.stage + (POLES - 1) * f->fast.count, dt);
  }
  f->shown.updated = f->at[AT_SINCE] > start_time(f, false);
  if (f->shown.updated) find_residual(f);
  f->at[AT_ROW] += dt;
  if (f->at[AT_ROW] < ROW_S - 1e-9) return;
  const double since = f->at[AT_ROW];
  f->at[AT_ROW] = 0;
  f->new_row = f->at[AT_SINCE] > start_time(f, true);
  if (!f->new_row) return;
  rbv_follow_equations(f);
  rbv_follow_payload(f, since);
  rbv_follow_drift(f, since);
}

/*
 * From the last sample to this one, on a line, in steps of the rate of the stream. Where samples
 * are lost, the filters of the samples pass more noise of the acceleration than ticks that are
 * further apart can follow.
 */
static void go_on(rbv_follow *f, double dt) {
  const int count = 2 * f->n,
            steps = (int)fmax(1, floor(dt / fmax(TICK_S, 1 / f->o.rate_hz) + 0.5));
  const double h = dt / steps;
  for (int i = 0; i < steps; i++) {
    const int left = steps - i;
    for (int k = 0; k < count && left > 1; k++)
      f->between[k] = f->samples.last[k] + (f->sample[k] - f->samples.last[k]) / left;
    rbv_chain_push(&f->samples, left > 1 ? f->between : f->sample, h);
    f->at[AT_SINCE] += h;
    f->at[AT_TICK] += h;
    if (f->at[AT_TICK] < TICK_S - 1e-9) continue;
    const double since = f->at[AT_TICK];
    f->at[AT_TICK] = 0;
    tick(f, since);
  }
}

rbv_stream_kind rbv_follow_push(rbv_follow *f, double t, const double *q, const double *torque) {
  f->shown.updated = f->shown.began = f->shown.changed = f->new_row = false;
  const rbv_stream_kind kind = judge(f, t, q, torque);
  if (kind != RBV_STREAM_GOOD && kind != RBV_STREAM_GAP) return kind;
  // the same values again tell nothing: the next ones are joined to the last ones
  if (f->at[AT_STARTED] > 0 && f->at[AT_FRESH] < t && kind == RBV_STREAM_GOOD) return kind;
  memcpy(f->sample, q, (size_t)f->n * sizeof *q);
  memcpy(f->sample + f->n, torque + f->first, (size_t)f->n * sizeof *torque);
  const double dt = t - f->at[AT_TIME];
  f->at[AT_TIME] = t;
  if (f->at[AT_STARTED] == 0 || kind == RBV_STREAM_GAP) {
    start_filters(f, f->sample);
    f->at[AT_STARTED] = 1;
    f->at[AT_BACKWARDS] = 0;
  } else {
    go_on(f, dt);
    f->at[AT_PERIOD] += SMOOTH_STEP * (dt - f->at[AT_PERIOD]);
  }
  refresh(f);
  return kind;
}
