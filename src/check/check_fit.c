/* What the fit of an identification says: noise, other motions, friction that drives the robot. */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <stdio.h>
#include <string.h>

#include "check/check_internal.h"

RBV_THRESHOLDS(CHECK_FIT);
RBV_THRESHOLDS(CHECK_OUTLOOK);

/* ---- the recorded range ---- */

enum { CHUNK = 1024 };

/* positions and speeds of the recordings, and the torque that was fitted */
typedef struct {
  examination x;
  const rbv_model *m;
  rbv_estimate *e;
  rbv_dynamics *d;
  int n;
  double *low, *high, *top;  // n: positions, largest speed
  double *rms;               // n: torque
  double *W;                 // POINTS x entries
  double *q, *dq, *ddq;      // POINTS x n
  double *w;                 // columns of the model: one row of the regressor
  double *cov;               // base x base: covariance, formulas of the file being known
} outlook;

static void layout(outlook *o, rbv_arena *a) {
  const size_t n = (size_t)o->n;
  o->low = RBV_TAKE(a, n, double);
  o->high = RBV_TAKE(a, n, double);
  o->top = RBV_TAKE(a, n, double);
  o->rms = RBV_TAKE(a, n, double);
  o->W = RBV_TAKE(a, (size_t)POINTS * (size_t)rbv_model_entry_count(o->m), double);
  o->q = RBV_TAKE(a, POINTS * n, double);
  o->dq = RBV_TAKE(a, POINTS * n, double);
  o->ddq = RBV_TAKE(a, POINTS * n, double);
  o->w = RBV_TAKE(a, rbv_model_column_count(o->m), double);
  o->cov = RBV_TAKE(a, (size_t)o->e->base->count * (size_t)o->e->base->count, double);
}

static void make_known(double *C, int n, int k) {
  for (int i = 0; i < n; i++) C[i + (ptrdiff_t)k * n] = C[k + (ptrdiff_t)i * n] = 0;
}

/* Of consistent bodies: with what the prior and consistency know. Parameters that were set to zero
 * have no variance. A formula of the robot file holds where the robot was: its factor is taken as
 * known elsewhere, so that what it is confused with counts and what it extrapolates does not. */
static void take_covariance(outlook *o) {
  const int n = o->e->base->count;
  double *C = o->cov;
  const rbv_standard *s = o->e->standard;
  memcpy(C, s ? s->covariance : o->e->covariance, (size_t)n * (size_t)n * sizeof *C);
  for (int k = 0; k < n; k++)
    if (o->e->status[k] == RBV_STATUS_NOT_ESSENTIAL) make_known(C, n, k);
  for (int k = 0; k < n; k++) {
    const double own = C[k + (ptrdiff_t)k * n];
    if (rbv_model_column(o->m, o->e->base->kept[k])->basis != RBV_BASIS_EXPRESSION) continue;
    if (!(own > 0 && isfinite(own))) continue;
    for (int j = 0; j < n; j++)
      for (int i = 0; i < n; i++)
        if (i != k && j != k)
          C[i + (ptrdiff_t)j * n] -= C[i + (ptrdiff_t)k * n] * C[k + (ptrdiff_t)j * n] / own;
    make_known(C, n, k);
  }
}

static rbv_status read_range(outlook *o, rbv_motion *motion) {
  const size_t size = CHUNK * (size_t)o->n;
  double *memory = rbv_alloc(2 * size * sizeof *memory);
  if (!memory) return RBV_EMEM;
  const rbv_samples s = {.ld = CHUNK, .q = memory, .dq = memory + size};
  const ptrdiff_t count = rbv_motion_get_info(motion)->count;
  rbv_status status = RBV_OK;
  for (ptrdiff_t k = 0; k < count && status == RBV_OK; k += CHUNK) {
    const ptrdiff_t more = count - k < CHUNK ? count - k : CHUNK;
    status = rbv_motion_read(motion, &s, k, more);
    for (int j = 0; j < o->n && status == RBV_OK; j++)
      for (ptrdiff_t i = 0; i < more; i++) {
        o->low[j] = fmin(o->low[j], s.q[i + j * CHUNK]);
        o->high[j] = fmax(o->high[j], s.q[i + j * CHUNK]);
        o->top[j] = fmax(o->top[j], fabs(s.dq[i + j * CHUNK]));
      }
  }
  rbv_free(memory);
  return status;
}

/* torque of each joint as it was fitted, filtered and masked */
static void read_torques(outlook *o) {
  const rbv_fit *fit = &o->e->fit;
  for (int r = 0; r < fit->nrow; r++) {
    const double rms = fit->row[r].rms / fit->row[r].relative_error;
    if (isfinite(rms)) o->rms[fit->row[r].joint] = fmax(o->rms[fit->row[r].joint], rms);
  }
}

/* ---- torques of other motions ---- */

/* A random motion of harmonics: at least RANGE wide where the robot turns, within the limits of the
 * file, as fast as the recording. */
static void draw(outlook *o, int motion, int joint) {
  const rbv_joint *at = rbv_model_joint(o->m, joint);
  const double centre = (o->low[joint] + o->high[joint]) / 2, own = o->high[joint] - centre;
  const double half = at->type == RBV_JOINT_PRISMATIC ? own : fmax(own, RANGE);
  const double low = fmax(centre - half, fmin(at->limits.lower, o->low[joint]));
  const double high = fmin(centre + half, fmax(at->limits.upper, o->high[joint]));
  double a[HARMONICS], phase[HARMONICS], reach = 0, speed = 0;
  const uint64_t stream = (uint64_t)(motion * o->n + joint);
  for (int h = 0; h < HARMONICS; h++) {
    a[h] = rbv_random_normal(1, stream, (uint64_t)h) / (h + 1);
    phase[h] = 2 * RBV_PI * rbv_random_uniform(2, stream, (uint64_t)h);
  }
  for (int k = 0; k < 2 * POINTS; k++) {
    double x = 0, v = 0;
    for (int h = 0; h < HARMONICS; h++) {
      const double angle = (h + 1) * RBV_PI * k / POINTS + phase[h];
      x += a[h] * sin(angle);
      v += (h + 1) * a[h] * cos(angle);
    }
    reach = fmax(reach, fabs(x));
    speed = fmax(speed, fabs(v));
  }
  const double scale = (high - low) / 2 / reach;
  const double rate = scale > 0 ? o->top[joint] / (speed * scale) : 0;
  for (int k = 0; k < POINTS; k++) {
    const double t = 2 * RBV_PI * rbv_random_uniform(3, stream, (uint64_t)k);
    double x = 0, v = 0, acceleration = 0;
    for (int h = 0; h < HARMONICS; h++) {
      const double w = h + 1, angle = w * t + phase[h];
      x += a[h] * sin(angle);
      v += w * a[h] * cos(angle);
      acceleration -= w * w * a[h] * sin(angle);
    }
    o->q[k + joint * POINTS] = (low + high) / 2 + scale * x;
    o->dq[k + joint * POINTS] = scale * rate * v;
    o->ddq[k + joint * POINTS] = scale * rate * rate * acceleration;
  }
}

static void evaluate(outlook *o) {
  const rbv_states states = {.count = POINTS, .ld = POINTS, .q = o->q, .dq = o->dq, .ddq = o->ddq};
  rbv_regressor_batch(o->W, POINTS, o->d, &states, false);
}

/* one row of the regressor over the base columns */
static void base_row(outlook *o, const rbv_row *row, int k) {
  memset(o->w, 0, (size_t)rbv_model_column_count(o->m) * sizeof *o->w);
  for (int i = 0; i < row->count; i++)
    o->w[row->columns[i]] = o->W[k + (ptrdiff_t)(row->first + i) * POINTS];
}

/* variance of the torque that a row of the regressor predicts */
static double variance_of(const outlook *o) {
  const rbv_base *b = o->e->base;
  double sum = 0;
  for (int c = 0; c < b->count; c++) {
    const double wc = o->w[b->kept[c]];
    for (int i = 0; i < b->count && wc != 0; i++)
      sum += wc * o->w[b->kept[i]] * o->cov[i + (ptrdiff_t)c * b->count];
  }
  return sum;
}

/* Error that the covariance causes on random motions, relative to the recorded torque; part: square
 * of each joint's, with what is unknown beside the covariance; worst: parameter with the largest
 * share. */
static double predict(outlook *o, double *part, int *worst) {
  const rbv_base *b = o->e->base;
  double whole = 0, all = 0, most = 0;
  for (int j = 0; j < o->n; j++) whole += part[j];
  for (int motion = 0; motion < MOTIONS; motion++) {
    for (int j = 0; j < o->n; j++) draw(o, motion, j);
    evaluate(o);
    for (int r = 0; r < rbv_model_row_count(o->m); r++)
      for (int k = 0; k < POINTS; k++) {
        base_row(o, rbv_model_row(o->m, r), k);
        const double variance = variance_of(o) / (POINTS * MOTIONS);
        part[rbv_model_row(o->m, r)->joint] += variance;
        whole += variance;
        for (int c = 0; c < b->count; c++) {
          const double w = o->w[b->kept[c]];
          const double own = w * w * o->cov[c + (ptrdiff_t)c * b->count];
          if (!(own > most)) continue;
          most = own;
          *worst = c;
        }
      }
  }
  for (int j = 0; j < o->n; j++) all += o->rms[j] * o->rms[j];
  return sqrt(whole / all);
}

/* A parameter of bodies that the motion does not determine; -1: none. What a joint that moved in
 * one direction leaves open, friction and offset, is bounded: it adds to the error of the joint. */
static int missing_parameter(outlook *o, double *part) {
  const rbv_estimate *e = o->e;
  const int n = e->base->count;
  for (int k = 0; k < n; k++) {
    if (e->status[k] != RBV_STATUS_NOT_IDENTIFIABLE) continue;
    const rbv_column *column = rbv_model_column(o->m, e->base->kept[k]);
    if (column->basis != RBV_BASIS_LAW || rbv_column_has_law(column, "Ia")) return k;
    const double unknown = UNKNOWN_DRIVE * o->rms[column->joint];
    part[column->joint] = fmax(part[column->joint], unknown * unknown);
    for (int i = 0; i < n; i++) o->cov[i + (ptrdiff_t)k * n] = o->cov[k + (ptrdiff_t)i * n] = 0;
  }
  return -1;
}

static void add_weak(outlook *o, int joint, int parameter) {
  rbv_diagnostics *d = &o->e->diagnostics;
  const double p = d->predicted_error;
  d->predicted_joint = joint + 1;
  if (!(p > PREDICTED_CARE)) return;
  const rbv_finding f = finding_in(
      RBV_FINDING_WEAK, p > PREDICTED_NO ? RBV_SEVERITY_ERROR : RBV_SEVERITY_WARNING, -1, joint, p);
  char words[JOINT_LABEL];
  rbv_joint_label(words, &o->x, joint);
  const char *name = o->e->base->name[parameter];
  if (isfinite(p))
    rbv_add_finding(&o->x, f,
                    "the motion is weak: torques of another motion may be predicted %.0f %% wrong, "
                    "most at %s, through %s. Record a motion of `roberval excite`",
                    100 * p, words, name);
  else
    rbv_add_finding(&o->x, f,
                    "the motion is weak: it does not determine %s, so other motions cannot be "
                    "predicted. Record a motion of `roberval excite`",
                    name);
}

static rbv_status judge_motions(outlook *o) {
  rbv_diagnostics *d = &o->e->diagnostics;
  double *part = rbv_alloc((size_t)o->n * sizeof *part);
  if (!part) return RBV_EMEM;
  const int missing = missing_parameter(o, part);
  // a foot that never leaves the ground hides a mass in it, which no motion on the ground needs
  if (missing >= 0 && rbv_model_contact_count(o->m) > 0) {
    d->predicted_error = NAN;
    rbv_free(part);
    return RBV_OK;
  }
  if (missing >= 0) {
    d->predicted_error = INFINITY;
    add_weak(o, rbv_model_column(o->m, o->e->base->kept[missing])->joint, missing);
    rbv_free(part);
    return RBV_OK;
  }
  int joint = 0, worst = 0;
  d->predicted_error = predict(o, part, &worst);
  for (int j = 1; j < o->n; j++)
    if (part[j] > part[joint]) joint = j;
  add_weak(o, joint, worst);
  rbv_free(part);
  return RBV_OK;
}

/* ---- friction that feeds energy ---- */

/* Torque of friction against the motion at one speed, and its sigma: the columns of the drive
 * beyond what they are at rest. */
static double friction_at(double *sigma, outlook *o, const rbv_row *row, int k) {
  const rbv_base *b = o->e->base;
  double sum = 0;
  base_row(o, row, k);
  for (int c = 0; c < rbv_model_column_count(o->m); c++) {
    const rbv_column *column = rbv_model_column(o->m, c);
    if (column->basis != RBV_BASIS_LAW || column->joint != row->joint) o->w[c] = 0;
  }
  for (int i = 0; i < row->count; i++) {
    double *w = &o->w[row->columns[i]];
    if (*w != 0) *w -= o->W[(ptrdiff_t)(row->first + i) * POINTS];  // the first state rests
  }
  for (int c = 0; c < b->count; c++) sum += o->w[b->kept[c]] * o->e->value[c];
  *sigma = sqrt(fmax(variance_of(o), 0));
  return o->dq[k + row->joint * POINTS] < 0 ? -sum : sum;
}

static void add_energy(outlook *o, int joint, double torque, double sigma, double speed,
                       bool beyond) {
  const bool slides = rbv_model_joint(o->m, joint)->type == RBV_JOINT_PRISMATIC;
  const bool certain = !beyond && torque < -ENERGY_SIGMAS * sigma;
  // with masses in the file, a wrong sign would have been found without the fit
  const bool sure = certain && !rbv_check_prior(o->m) && torque < -ENERGY_SHARE * o->rms[joint];
  rbv_finding f = finding_in(RBV_FINDING_ENERGY,
                             sure      ? RBV_SEVERITY_ERROR
                             : certain ? RBV_SEVERITY_WARNING
                                       : RBV_SEVERITY_NOTE,
                             -1, joint, torque);
  if (sure) f.code = RBV_FINDING_SIGN;
  f.sigma = sigma;
  char words[JOINT_LABEL];
  rbv_joint_label(words, &o->x, joint);
  rbv_add_finding(&o->x, f, "friction of %s drives it (%.3g +- %.2g %s at %.2g %s%s). %s", words,
                  torque, sigma, slides ? "N" : "N m", speed, slides ? "m/s" : "rad/s",
                  beyond ? ", faster than recorded" : "",
                  sure ? "The sign of its torque or position is probably wrong"
                       : "Do not simulate with it: require consistency, or record a longer motion");
}

static void judge_friction(outlook *o, const rbv_row *row) {
  const int j = row->joint;
  memset(o->dq, 0, POINTS * (size_t)o->n * sizeof *o->dq);
  memset(o->ddq, 0, POINTS * (size_t)o->n * sizeof *o->ddq);
  for (int i = 0; i < o->n; i++)
    for (int k = 0; k < POINTS; k++) o->q[k + i * POINTS] = (o->low[i] + o->high[i]) / 2;
  for (int k = 0; k < 2 * SPEEDS; k++) {
    const double speed = SLOWEST * pow(FASTEST / SLOWEST, (double)(k / 2) / (SPEEDS - 1));
    o->dq[k + 1 + j * POINTS] = (k % 2 ? -1 : 1) * speed * o->top[j];
  }
  evaluate(o);
  double lowest[2] = {0, 0}, sigma[2] = {0, 0}, speed[2] = {0, 0};
  for (int k = 1; k <= 2 * SPEEDS; k++) {
    double s;
    const double torque = friction_at(&s, o, row, k), v = fabs(o->dq[k + j * POINTS]);
    const int beyond = v > o->top[j] * (1 + 1e-9);
    // a value that is negative by less than its uncertainty says nothing
    if (!(torque < -(beyond ? ENERGY_SIGMAS : 1) * s) || !(torque < lowest[beyond])) continue;
    lowest[beyond] = torque;
    sigma[beyond] = s;
    speed[beyond] = v;
  }
  const int beyond = !(lowest[0] < 0);
  if (lowest[beyond] < 0) add_energy(o, j, lowest[beyond], sigma[beyond], speed[beyond], beyond);
}

/* Friction of a joint whose torque the model does not explain says nothing. */
static bool is_explained(const outlook *o, int joint) {
  for (int r = 0; r < o->e->fit.nrow; r++) {
    const rbv_row_fit *row = &o->e->fit.row[r];
    if (row->joint != joint) continue;
    return !((isnan(row->comparable) ? row->relative_error : row->comparable) > ENERGY_ERROR);
  }
  return true;
}

/* ---- the fit ---- */

static void judge_noise(examination *x, const rbv_fit *fit, bool prior) {
  // without a row filter most of the torque may be noise above the motion
  const double share = fit->comparable > 0 ? fit->comparable : fit->relative_error;
  // torques that the robot file explains are none: the motion does not determine the model
  if (!(share > UNEXPLAINED) || (fit->baseline > 0 && fit->baseline < UNEXPLAINED)) return;
  rbv_add_finding(x, finding_in(RBV_FINDING_UNEXPLAINED, RBV_SEVERITY_ERROR, -1, -1, share),
                  "the model leaves %.0f %% of the torque unexplained: the torques are noise, or "
                  "they do not belong to these positions%s",
                  100 * share,
                  prior ? ", or the prior is wrong. Check the torque columns and the prior"
                        : ". Check the torque columns");
}

static rbv_status judge_outlook(outlook *o, rbv_motion *const *motions, int nmotion) {
  for (int j = 0; j < o->n; j++) {
    o->low[j] = INFINITY;
    o->high[j] = -INFINITY;
  }
  for (int i = 0; i < nmotion; i++) RBV_TRY(read_range(o, motions[i]));
  read_torques(o);
  take_covariance(o);
  RBV_TRY(rbv_dynamics_new(&o->d, o->m));
  RBV_TRY(judge_motions(o));
  for (int r = 0; r < rbv_model_row_count(o->m); r++)
    if (rbv_model_row(o->m, r)->torque != RBV_TORQUE_JOINT &&
        is_explained(o, rbv_model_row(o->m, r)->joint))
      judge_friction(o, rbv_model_row(o->m, r));
  return RBV_OK;
}

rbv_status rbv_check_fit(rbv_check_result *result, const rbv_model *model, rbv_estimate *estimate,
                         rbv_motion *const *motions, int nmotion, bool prior) {
  if (!result || !model || !estimate || !motions)
    return rbv_fail(RBV_EARG, "a check, a robot, a fit and its recordings are needed");
  outlook o = {.x = {.model = model,
                     .options = rbv_check_defaults(),
                     .finding = result->finding,
                     .nfinding = result->nfinding,
                     .capacity = result->nfinding},
               .m = model,
               .e = estimate,
               .n = rbv_model_joint_count(model)};
  rbv_arena carve = {0};
  RBV_CARVE(&carve, layout(&o, &carve));
  if (!carve.base) return RBV_EMEM;
  judge_noise(&o.x, &estimate->fit, prior);
  rbv_status status = judge_outlook(&o, motions, nmotion);
  if (status == RBV_OK) status = rbv_detect_contacts(&o.x, estimate->chi, motions, nmotion);
  rbv_dynamics_free(o.d);
  rbv_free(carve.base);
  result->finding = o.x.finding;
  result->nfinding = o.x.nfinding;
  for (int i = 0; i < o.x.nfinding; i++)
    result->has_errors = result->has_errors || o.x.finding[i].severity == RBV_SEVERITY_ERROR;
  return status == RBV_OK ? o.x.status : status;
}
