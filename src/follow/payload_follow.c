/*
 * The payload along the stream. Equations: what the arm leaves = columns of the last link times the
 * ten parameters of the payload, weighted by the calibrated noise. The deviations of the arm's
 * parameters (jackknife) are further right-hand sides, so that each gives the payload that an arm
 * without one part of its identification would give.
 */
#include <math.h>
#include <string.h>
#include "stats/stats.h"

#include "follow/follow_internal.h"
#include "model/geometry.h"

#define PRIOR_INERTIA 10.0  // sigma of the moments of inertia before any motion [kg m^2]
#define PRIOR_MOMENT 1e3    // of first moments [kg m]
#define PRIOR_MASS 1e3      // [kg]
#define ENOUGH_MASS 0.1     // relative sigma of a mass that is called known
#define ENOUGH_CENTRE 0.05  // sigma of a centre that is called known [m]
#define CLEAR_S 0.2  // time for which a payload must look known: a few equations fit any body [s]
#define ENOUGH_ROWS 20  // independent equations whose misfit gives the noise to 16 %
#define MISFIT 1e-4     // probability of a misfit that contradicts "this is a payload"
#define SETTLE 12.0     // in time constants of the slow filter: it has forgotten a step to 0.05 %
#define RELATIVE 0.01   // error of a payload's torque that noise of the motion causes
#define AGAIN_S 1.0     // an unknown payload is not said to change before [s]
#define UNSEEN_S 1.0    // disagreement that tells a change whose beginning was not seen [s]
#define GIVE_UP_S 3.0   // what no payload explains for this time is none [s]
#define HOLD_S 10.0     // after that, the friction may adapt for this time [s]
#define LEAST_DENSITY 100.0  // of a body: a tenth of that of water [kg/m^3]
#define SOLVE 5              // solutions with the bound of the last one
#define OUTPUTS 10

void rbv_payload_forget(rbv_follow *f) {
  memset(f->payload, 0, RBV_INERTIAL * sizeof *f->payload);
  memset(f->load.R, 0, (size_t)rbv_rls_size(f->load.n, f->load.nrhs) * sizeof *f->load.R);
  f->at[AT_WEIGHT] = f->at[AT_AGREED] = f->at[AT_CLEAR] = 0;
  f->at[AT_LOAD] = RBV_LOAD_NONE;
  f->shown.payload = (rbv_payload){0};
}

static void unknown(rbv_payload *p) {
  *p = (rbv_payload){.mass_sigma = INFINITY};
  for (int i = 0; i < 3; i++) p->centre_sigma[i] = INFINITY;
  for (int i = 0; i < 6; i++) p->inertia_sigma[i] = INFINITY;
}

void rbv_payload_prior(const rbv_rls *r) {
  memset(r->R, 0, (size_t)rbv_rls_size(r->n, r->nrhs) * sizeof *r->R);
  for (int i = 0; i < RBV_INERTIAL; i++)
    r->R[i * RBV_INERTIAL + i] = 1 / (i < 6 ? PRIOR_INERTIA : i < 9 ? PRIOR_MOMENT : PRIOR_MASS);
}

void rbv_payload_restart(rbv_follow *f) {
  rbv_payload_forget(f);
  f->at[AT_LOAD] = RBV_LOAD_UNKNOWN;
  rbv_payload_prior(&f->load);
  unknown(&f->shown.payload);
}

/* ---- mass, centre, inertia about it ---- */

/* a body can have this inertia: tr(I) / 2 - I is positive semidefinite */
static bool possible(const double i[6]) {
  const double half = 0.5 * (i[0] + i[3] + i[5]);
  const double xx = half - i[0], yy = half - i[3], zz = half - i[5], xy = -i[1], xz = -i[2],
               yz = -i[4];
  const double determinant =
      xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  return xx >= 0 && yy >= 0 && zz >= 0 && xx * yy - xy * xy >= 0 && xx * zz - xz * xz >= 0 &&
         yy * zz - yz * yz >= 0 && determinant >= 0;
}

/* change of the outputs with parameter k */
static void slope(double out[OUTPUTS], const double p[RBV_INERTIAL], int k) {
  double x[RBV_INERTIAL], up[OUTPUTS], down[OUTPUTS];
  const double h = 1e-6 * fmax(fabs(p[k]), 1e-3 * fabs(p[9]));
  memcpy(x, p, sizeof x);
  x[k] += h;
  rbv_inertial_split(up, x);
  x[k] -= 2 * h;
  rbv_inertial_split(down, x);
  for (int i = 0; i < OUTPUTS; i++) out[i] = (up[i] - down[i]) / (2 * h);
}

/* ---- solution ---- */

typedef struct {
  double value[RBV_INERTIAL];
  double inverse[RBV_INERTIAL * RBV_INERTIAL];  // of R, n x n
  const double *z;                              // right-hand sides
  double scale;                                 // of the noise: what the fit leaves
  bool fits;
} solution;

/*
 * Minimise |R x - z| with the centre of mass at the limit: |first moment| <= reach mass. With a
 * multiplier u of the constraint, (R'R + u D) x = R'z, D = diag(1, 1, 1, -reach^2) for the first
 * moments and the mass; u by bisection.
 */
static bool at_reach(double *x, const rbv_rls *r, double reach, double u) {
  const int n = r->n;
  double A[RLS_MAX * RLS_MAX], b[RLS_MAX];
  for (int i = 0; i < n; i++) {
    b[i] = 0;
    for (int k = 0; k < n; k++) {
      A[i * n + k] = 0;
      for (int l = 0; l <= (i < k ? i : k); l++) A[i * n + k] += r->R[l * n + i] * r->R[l * n + k];
    }
    for (int l = 0; l <= i; l++) b[i] += r->R[l * n + i] * r->z[l * r->nrhs];
  }
  for (int i = n - 4; i < n; i++) A[i * n + i] += i < n - 1 ? u : -u * reach * reach;
  // Cholesky
  for (int i = 0; i < n; i++) {
    for (int k = 0; k <= i; k++) {
      double sum = A[i * n + k];
      for (int l = 0; l < k; l++) sum -= A[i * n + l] * A[k * n + l];
      if (i == k && !(sum > 0)) return false;
      A[i * n + k] = i == k ? sqrt(sum) : sum / A[k * n + k];
    }
  }
  for (int i = 0; i < n; i++) {
    for (int l = 0; l < i; l++) b[i] -= A[i * n + l] * b[l];
    b[i] /= A[i * n + i];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int l = i + 1; l < n; l++) b[i] -= A[l * n + i] * b[l];
    b[i] /= A[i * n + i];
  }
  memcpy(x, b, (size_t)n * sizeof *x);
  return true;
}

static bool beyond(const double *x, int n, double reach) {
  const double *h = x + n - 4;
  return h[0] * h[0] + h[1] * h[1] + h[2] * h[2] > reach * reach * h[3] * h[3];
}

static void bound_centre(double *x, const rbv_rls *r, double reach) {
  if (!beyond(x, r->n, reach)) return;
  double low = 0, high = 1, try[RLS_MAX];
  while (high < 1e12 && at_reach(try, r, reach, high) && beyond(try, r->n, reach)) {
    low = high;
    high *= 4;
  }
  for (int i = 0; i < 60; i++) {
    const double middle = 0.5 * (low + high);
    if (at_reach(try, r, reach, middle) && beyond(try, r->n, reach))
      low = middle;
    else
      high = middle;
  }
  if (at_reach(try, r, reach, low)) memcpy(x, try, (size_t)r->n * sizeof *x);
}

bool rbv_payload_fits(double rss, double weight) {
  double limit;
  const double dof = weight - 4;
  return dof > 1 && rbv_stats_chi2_quantile(&limit, MISFIT, RBV_TAIL_UPPER, dof) == RBV_OK &&
         rss < limit;
}

/* does what the equations leave agree with their noise? */
static void judge_fit(solution *s, const rbv_follow *f) {
  const double dof = f->at[AT_WEIGHT] - 4;
  // the equations themselves tell their noise, once there are enough of them
  const double variance = dof > 1 ? f->load.rss[0] / dof : 1;
  s->scale = sqrt(dof > ENOUGH_ROWS ? variance : fmax(1, variance));
  s->fits = rbv_payload_fits(f->load.rss[0], f->at[AT_WEIGHT]);
}

/* Inertia about its centre that a body of this mass can have, one sigma: that of a ball of the
 * least density, at most with the radius of gyration that was given. */
static double own_inertia(const rbv_follow *f, double mass) {
  const double ball = cbrt(3 * mass / (4 * RBV_PI * LEAST_DENSITY));
  return mass * fmin(0.4 * ball * ball, f->o.radius * f->o.radius);
}

/*
 * The size of a body bounds its inertia: it is that of its mass at the centre, g = (|h|^2 1 - h h')
 * / m with the first moments h, up to the inertia about the centre. g is linear around the present
 * values, and since g(k h, k m) = k g(h, m) it is its own slope times h and m. Sigma: the inertia
 * about the centre, and what g is curved within the uncertainty of h. Six equations more, in a copy
 * of the estimate.
 *
 *   x, sigma  in  the ten values before
 */
static void bound_inertia(rbv_rls *r, const rbv_follow *f, const double *x, const double *sigma) {
  static const int row[6] = {0, 0, 0, 1, 1, 2}, column[6] = {0, 1, 2, 1, 2, 2};
  *r = f->bounded;
  memcpy(r->R, f->load.R, (size_t)rbv_rls_size(r->n, r->nrhs) * sizeof *r->R);
  const double *h = x + 6, m = fmax(x[9], f->o.least_mass);
  const double far = fmax(sigma[6], fmax(sigma[7], sigma[8]));
  const double size = own_inertia(f, m) + far * far / m;
  for (int i = 0; i < 6; i++) {
    const int a = row[i], b = column[i];
    const double square = a == b ? h[0] * h[0] + h[1] * h[1] + h[2] * h[2] : 0;
    memset(f->row, 0, RLS_MAX * sizeof *f->row);
    memset(f->rhs, 0, (size_t)r->nrhs * sizeof *f->rhs);
    f->row[i] = 1 / size;
    for (int k = 0; k < 3; k++)
      f->row[6 + k] = -((a == b) * 2 * h[k] - (a == k) * h[b] - (b == k) * h[a]) / (m * size);
    f->row[9] = (square - h[a] * h[b]) / (m * m * size);
    rbv_rls_add(r, f->row, f->rhs);
  }
}

static bool solve(solution *s, const rbv_follow *f) {
  double x[RLS_MAX], sigma[RLS_MAX];
  rbv_rls r = f->load;
  memset(s, 0, sizeof *s);
  judge_fit(s, f);
  // the bound of the inertia needs the centre, which is better known with it
  for (int i = 0; i < SOLVE; i++) {
    if (i > 0) bound_inertia(&r, f, x, sigma);
    rbv_rls_solve(x, sigma, &r, 0);
    bound_centre(x, &r, f->o.reach);
  }
  s->z = r.z;
  memcpy(s->value, x, sizeof s->value);
  return rbv_rls_inverse(s->inverse, &r);
}

/* variance of an output: noise, and what deviations of the arm do */
static double variance_of(const rbv_follow *f, const solution *s, const double *g) {
  const int n = f->load.n, np = f->npart;
  double along[RLS_MAX], noise = 0;  // g' inv(R)
  for (int k = 0; k < n; k++) {
    along[k] = 0;
    for (int i = 0; i <= k; i++) along[k] += g[i] * s->inverse[i * n + k];
    noise += along[k] * along[k];
  }
  double mean = 0, spread = 0;
  for (int p = 0; p < np; p++) {
    double d = 0;
    for (int k = 0; k < n; k++) d += along[k] * s->z[k * f->load.nrhs + 1 + p];
    mean += d / np;
    spread += d * d;
  }
  if (np > 1)
    spread = f->arm.student * f->arm.student * (np - 1) / np * fmax(0, spread - np * mean * mean);
  return s->scale * s->scale * noise + spread;
}

static void show(rbv_follow *f, const solution *s) {
  rbv_payload *p = &f->shown.payload;
  double out[OUTPUTS], J[OUTPUTS][RBV_INERTIAL], sigma[OUTPUTS];
  unknown(p);
  if (!(s->value[9] > 0)) {  // no body has such a mass
    const double mass[RBV_INERTIAL] = {[9] = 1};
    p->mass_sigma = sqrt(variance_of(f, s, mass));
    return;
  }
  rbv_inertial_split(out, s->value);
  for (int k = 0; k < RBV_INERTIAL; k++) {
    double column[OUTPUTS];
    slope(column, s->value, k);
    for (int i = 0; i < OUTPUTS; i++) J[i][k] = column[i];
  }
  for (int i = 0; i < OUTPUTS; i++) sigma[i] = sqrt(variance_of(f, s, J[i]));
  p->mass = out[0];
  p->mass_sigma = sigma[0];
  memcpy(p->centre, out + 1, sizeof p->centre);
  memcpy(p->centre_sigma, sigma + 1, sizeof p->centre_sigma);
  if (!f->o.inertia) return;
  p->inertia_possible = possible(out + 4);
  memcpy(p->inertia, out + 4, sizeof p->inertia);
  memcpy(p->inertia_sigma, sigma + 4, sizeof p->inertia_sigma);
}

void rbv_payload_show(rbv_follow *f) {
  solution s;
  f->shown.payload = (rbv_payload){0};
  if (f->at[AT_LOAD] == RBV_LOAD_NONE) return;
  unknown(&f->shown.payload);
  if (f->at[AT_WEIGHT] > 0 && solve(&s, f)) show(f, &s);
}

/* ---- along the stream ---- */

/* variance of an equation: noise, the arm, errors in proportion to the payload's torque */
double rbv_payload_noise(const rbv_follow *f, int j) {
  const slow_row *s = &f->slow_rows[j];
  const double own = RELATIVE * s->y;
  return f->slow_sigma[j] * f->slow_sigma[j] + f->variance[j] + own * own;
}

/* equations of this instant, weighted */
double rbv_payload_add(rbv_follow *f, const rbv_rls *r) {
  const int n = RBV_INERTIAL;
  double weight = 0;
  for (int j = 0; j < f->n; j++) {
    const slow_row *s = &f->slow_rows[j];
    const double sigma = sqrt(rbv_payload_noise(f, j) + s->loose * s->loose);
    const double w = 1 / (sigma * f->colour[j]);
    for (int i = 0; i < n; i++) f->row[i] = w * s->x[i];
    f->rhs[0] = w * (s->y - rbv_drift_torque(f, j, s->f));
    for (int p = 0; p < r->nrhs - 1; p++) f->rhs[1 + p] = w * s->part[p];
    rbv_rls_add(r, f->row, f->rhs);
    weight += 1 / (f->colour[j] * f->colour[j]);
  }
  return weight;
}

/* distance of the equations of this instant from what is believed, in sigma */
static double distance(const rbv_follow *f, const solution *s) {
  const int n = RBV_INERTIAL;
  double sum = 0;
  for (int j = 0; j < f->n; j++) {
    const slow_row *row = &f->slow_rows[j];
    double e = row->y - rbv_drift_torque(f, j, row->f);
    double variance = rbv_payload_noise(f, j) + (f->wider * f->wider - 1) * f->variance[j];
    for (int i = 0; i < RBV_INERTIAL; i++) e -= row->x[i] * f->payload[i];
    for (int k = 0; s && k < n; k++) {
      double along = 0;
      for (int i = 0; i <= k; i++) along += row->x[i] * s->inverse[i * n + k];
      variance += along * along;
    }
    const double over = fmax(0, fabs(e) - row->loose);
    sum += over * over / variance;
  }
  return sqrt(sum / f->n);
}

static void decide(rbv_follow *f, const solution *s, double dt) {
  const rbv_payload *p = &f->shown.payload;
  double centre = 0;
  for (int i = 0; i < 3; i++) centre = fmax(centre, p->centre_sigma[i]);
  const bool there = p->mass > fmax(3 * p->mass_sigma, f->o.least_mass);
  const bool clear = there && s->fits && p->mass_sigma < ENOUGH_MASS * p->mass &&
                     centre < ENOUGH_CENTRE && f->at[AT_BEYOND] == 0;
  f->at[AT_CLEAR] = clear ? f->at[AT_CLEAR] + dt : 0;
  if (there) {
    if (f->at[AT_CLEAR] > CLEAR_S) f->at[AT_LOAD] = RBV_LOAD_KNOWN;
  } else if (p->mass_sigma < f->o.least_mass) {
    rbv_payload_forget(f);
  }
  // not a payload: the arm itself has changed, or something else pushes
  if (!s->fits && f->at[AT_TIME] - f->at[AT_CHANGED] > GIVE_UP_S &&
      f->at[AT_LOAD] == RBV_LOAD_UNKNOWN) {
    rbv_payload_forget(f);
    f->at[AT_HOLD] = HOLD_S;
  }
}

/*
 * A change is told when its beginning is seen: an error of the model can be as large, but it was
 * there before. A change that is not seen to begin, slow or at the start of a stream, is told when
 * the equations disagree for some time.
 */
static bool has_changed(rbv_follow *f) { return f->at[AT_BEYOND] > UNSEEN_S || rbv_pick_seen(f); }

void rbv_follow_payload(rbv_follow *f, double dt) {
  solution s;
  const double settled = SETTLE / f->slow.pole;
  const bool waits = f->at[AT_SETTLE] > 0;
  f->at[AT_SETTLE] = fmax(0, f->at[AT_SETTLE] - dt);
  if (!f->o.payload) return;
  rbv_pick_keep(f);
  if (f->at[AT_SETTLE] > 0) return;
  if (waits && rbv_pick_start(f)) return;
  const bool carries = f->at[AT_LOAD] != RBV_LOAD_NONE;
  const bool solved = carries && f->at[AT_WEIGHT] > 0 && solve(&s, f);
  f->distance = distance(f, solved ? &s : NULL);
  f->at[AT_HOLD] = fmax(0, f->at[AT_HOLD] - dt);
  const bool judged =
      f->at[AT_HOLD] == 0 && (f->at[AT_LOAD] != RBV_LOAD_UNKNOWN ||
                              (solved && !(f->at[AT_TIME] - f->at[AT_CHANGED] < AGAIN_S)));
  const bool beyond = judged && f->distance > f->at[AT_CHANGE_LEVEL];
  f->at[AT_BEYOND] = beyond ? f->at[AT_BEYOND] + dt : 0;
  if (beyond && has_changed(f)) {
    memcpy(f->before, f->payload, RBV_INERTIAL * sizeof *f->before);
    rbv_payload_restart(f);
    f->at[AT_SETTLE] = settled;
    f->at[AT_CHANGED] = f->at[AT_TIME];
    f->at[AT_BEYOND] = 0;
    f->shown.changed = true;
    return;
  }
  // equations that do not agree with a payload that others have shown must not change it
  if (judged && !beyond) f->at[AT_AGREED] = 1;
  if (beyond && f->at[AT_AGREED] > 0) return;
  if (!carries) return;
  if (f->o.payload_s > 0) {
    const double keep = exp(-dt / f->o.payload_s);
    rbv_rls_forget(&f->load, keep);
    f->at[AT_WEIGHT] *= keep;
  }
  f->at[AT_WEIGHT] += rbv_payload_add(f, &f->load);
  if (!solve(&s, f)) return;
  memcpy(f->payload, s.value, sizeof s.value);
  show(f, &s);
  if (f->at[AT_LOAD] == RBV_LOAD_UNKNOWN) decide(f, &s, dt);
}
