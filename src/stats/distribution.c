/*
 * Normal, Student, chi-square and Fisher distributions. All are incomplete gamma or beta functions
 * of one positive variable: t^2 is F(1, dof), the square of a normal variable is chi-square(1).
 */
#include <float.h>
#include <math.h>

#include "stats/stats_internal.h"

/* Fisher's F at x > 0, or chi-square / dof1 if dof2 is infinite */
typedef struct {
  double dof1, dof2;
} ratio;

static bool ratio_tails(rbv_tails *t, const ratio *r, double x) {
  if (isinf(r->dof2)) return rbv_stats_gamma_tails(t, r->dof1 / 2, r->dof1 * x / 2);
  // u / (1 + u) and 1 / (1 + u), u = dof1 x / dof2
  const double u = r->dof1 / r->dof2 * x;
  if (isinf(u)) return rbv_stats_beta_tails(t, r->dof1 / 2, r->dof2 / 2, 1, 0);
  return rbv_stats_beta_tails(t, r->dof1 / 2, r->dof2 / 2, u / (1 + u), 1 / (1 + u));
}

static rbv_status not_converged(const ratio *r, double x) {
  return rbv_fail(RBV_ENUM, "distribution with dof %g, %g did not converge at %g", r->dof1, r->dof2,
                  x);
}

/* Find the x with this tail by Newton's method on log(tail) as a function of log(x), which is
 * nearly linear or has curvature of one sign. A bracket is maintained, and halved if a step leaves
 * it. */
static rbv_status ratio_quantile(double *out, const ratio *r, double p, rbv_tail tail) {
  // use the smaller tail, which has more significant digits
  if (p > 0.5) {
    p = 1 - p;
    tail = tail == RBV_TAIL_LOWER ? RBV_TAIL_UPPER : RBV_TAIL_LOWER;
  }
  const double sign = tail == RBV_TAIL_LOWER ? 1 : -1;
  const double bottom = log(DBL_MIN), top = log(DBL_MAX);
  double low = bottom, high = top, v = 0, outward = 1;
  bool bracketed = false;

  for (int k = 0; k < 500; k++) {
    rbv_tails t;
    const double x = exp(v);
    if (!ratio_tails(&t, r, x)) return not_converged(r, x);
    const double mass = tail == RBV_TAIL_LOWER ? t.lower : t.upper;

    // x is too large if the lower tail is too large or the upper one too small
    const bool above = sign * (mass - p) > 0;
    const bool crossed = above ? low > bottom : high < top;
    if (above) high = v;
    if (!above) low = v;
    bracketed = bracketed || crossed;
    if (mass == p) break;

    // Newton step if tail and slope are finite; otherwise step outwards, or halve the bracket
    double step = sign * (log(p) - log(mass)) * mass / t.slope;
    if (!isfinite(step) || fabs(step) > 50) step = above ? -outward : outward;
    outward *= 2;
    double next = v + step;
    if (bracketed && !(next > low && next < high)) next = low + (high - low) / 2;
    if (!bracketed) {
      // at the limit of the range of a double and still not bracketed: the quantile lies beyond
      if (v == bottom && next <= v) {
        *out = 0;
        return RBV_OK;
      }
      if (v == top && next >= v)
        return rbv_fail(RBV_ENUM, "quantile at p = %g with dof %g, %g is too large", p, r->dof1,
                        r->dof2);
      next = fmin(top, fmax(bottom, next));
    }
    const double moved = fabs(next - v);
    v = next;
    if (moved <= 2 * DBL_EPSILON || (bracketed && high - low <= 2 * DBL_EPSILON * fabs(v))) break;
  }
  *out = exp(v);
  return RBV_OK;
}

static rbv_status check_p(double p, const double *out) {
  if (!out) return rbv_fail(RBV_EARG, "the output of the quantile is NULL");
  if (isnan(p)) return rbv_fail(RBV_ENUM, "p is not a number");
  if (!(p > 0 && p < 1)) return rbv_fail(RBV_EARG, "p = %g is not in (0, 1)", p);
  return RBV_OK;
}

static rbv_status check_dof(const char *name, double dof, bool infinite) {
  if (isnan(dof)) return rbv_fail(RBV_ENUM, "%s is not a number", name);
  if (!(dof > 0))
    return rbv_fail(RBV_EARG, "%s = %g: degrees of freedom must be positive", name, dof);
  if (isinf(dof) && !infinite) return rbv_fail(RBV_EARG, "%s is infinite", name);
  return RBV_OK;
}

static rbv_status store(double *lower, double *upper, double l, double u) {
  if (lower) *lower = l;
  if (upper) *upper = u;
  return RBV_OK;
}

/* quantile of a symmetric variable z from that of z^2: half of the tail of z^2, with the sign of
 * z */
static rbv_status symmetric_quantile(double *z, double p, rbv_tail tail, double dof) {
  if (p == 0.5) {
    *z = 0;
    return RBV_OK;
  }
  // P(z^2 > x) = 2 min(p, 1 - p); near the median P(z^2 < x) = |1 - 2 p| is more accurate
  const double side = p < 0.5 ? 2 * p : 2 * (1 - p);
  const ratio r = {1, dof};
  double square;
  if (side < 0.5)
    RBV_TRY(ratio_quantile(&square, &r, side, RBV_TAIL_UPPER));
  else
    RBV_TRY(ratio_quantile(&square, &r, fabs(1 - 2 * p), RBV_TAIL_LOWER));
  const bool positive = (p > 0.5) == (tail == RBV_TAIL_LOWER);
  *z = positive ? sqrt(square) : -sqrt(square);
  return RBV_OK;
}

rbv_status rbv_stats_normal_cdf(double *lower, double *upper, double x) {
  if (isnan(x)) return rbv_fail(RBV_ENUM, "x is not a number");
  const double root_half = 0.7071067811865476;
  return store(lower, upper, 0.5 * erfc(-x * root_half), 0.5 * erfc(x * root_half));
}

rbv_status rbv_stats_normal_quantile(double *x, double p, rbv_tail tail) {
  RBV_TRY(check_p(p, x));
  return symmetric_quantile(x, p, tail, INFINITY);
}

rbv_status rbv_stats_student_cdf(double *lower, double *upper, double t, double dof) {
  if (isnan(t)) return rbv_fail(RBV_ENUM, "t is not a number");
  RBV_TRY(check_dof("dof", dof, true));
  if (isinf(dof)) return rbv_stats_normal_cdf(lower, upper, t);
  rbv_tails square;
  const ratio r = {1, dof};
  if (!ratio_tails(&square, &r, t * t)) return not_converged(&r, t * t);
  const double far = square.upper / 2, near = 0.5 + square.lower / 2;
  return store(lower, upper, t < 0 ? far : near, t < 0 ? near : far);
}

rbv_status rbv_stats_student_quantile(double *t, double p, rbv_tail tail, double dof) {
  RBV_TRY(check_p(p, t));
  RBV_TRY(check_dof("dof", dof, true));
  return symmetric_quantile(t, p, tail, dof);
}

rbv_status rbv_stats_chi2_cdf(double *lower, double *upper, double x, double dof) {
  if (isnan(x)) return rbv_fail(RBV_ENUM, "x is not a number");
  RBV_TRY(check_dof("dof", dof, false));
  rbv_tails t;
  if (!rbv_stats_gamma_tails(&t, dof / 2, x / 2))
    return rbv_fail(RBV_ENUM, "chi-square with dof %g did not converge at %g", dof, x);
  return store(lower, upper, t.lower, t.upper);
}

rbv_status rbv_stats_chi2_quantile(double *x, double p, rbv_tail tail, double dof) {
  RBV_TRY(check_p(p, x));
  RBV_TRY(check_dof("dof", dof, false));
  double scaled;
  RBV_TRY(ratio_quantile(&scaled, &(ratio){dof, INFINITY}, p, tail));
  *x = dof * scaled;
  return RBV_OK;
}

rbv_status rbv_stats_fisher_cdf(double *lower, double *upper, double f, double dof1, double dof2) {
  if (isnan(f)) return rbv_fail(RBV_ENUM, "f is not a number");
  RBV_TRY(check_dof("dof1", dof1, false));
  RBV_TRY(check_dof("dof2", dof2, true));
  const ratio r = {dof1, dof2};
  rbv_tails t;
  if (!ratio_tails(&t, &r, f < 0 ? 0 : f)) return not_converged(&r, f);
  return store(lower, upper, t.lower, t.upper);
}

rbv_status rbv_stats_fisher_quantile(double *f, double p, rbv_tail tail, double dof1, double dof2) {
  RBV_TRY(check_p(p, f));
  RBV_TRY(check_dof("dof1", dof1, false));
  RBV_TRY(check_dof("dof2", dof2, true));
  return ratio_quantile(f, &(ratio){dof1, dof2}, p, tail);
}
