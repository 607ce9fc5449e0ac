/* Conversion of the general form of a law to gains. */
#include "control/law_structure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "linalg/linalg.h"
#include "stats/stats.h"

int structure_extra_count(const law_structure *s) {
  static const int count[] = {0, 1, 2, 1};
  return count[s->extra];
}

int structure_extra_coefficients(const law_structure *s) {
  // feed-forward is not filtered: H = k A; the velocity loop has its own zeros
  return s->extra == EXTRA_CASCADE ? 1 + s->integrates : s->na + 1;
}

int structure_parameter_count(const law_structure *s) {
  return s->na + s->nb + 1 + structure_extra_count(s) * structure_extra_coefficients(s);
}

void structure_read(law_plain *law, const law_structure *s, law_side side, const double *p) {
  *law = (law_plain){.A = {1}};
  const int nx = structure_extra_count(s), nh = structure_extra_coefficients(s);
  if (side == SIDE_ERROR) {
    // F e = G (tau) - H x, F = B/b_0, G = A/b_0
    double F[LAW_COEFFICIENTS + 1];
    law_poles_plain(F, p, s->nb);
    law_swap_basis(law->A, p + s->nb, s->na + 1);
    const double b0 = 1 / law->A[0];
    for (int i = 0; i <= s->na; i++) law->A[i] *= b0;
    for (int i = 0; i <= s->nb; i++) law->B[i] = F[i] * b0;
    for (int m = 0; m < nx; m++) {
      law_swap_basis(law->H[m], p + s->nb + s->na + 1 + m * nh, nh);
      for (int i = 0; i < nh; i++) law->H[m][i] *= -b0;
    }
    return;
  }
  double A[LAW_COEFFICIENTS + 1];
  law_poles_plain(A, p, s->na);
  memcpy(law->A, A, (size_t)(s->na + 1) * sizeof *A);
  law_swap_basis(law->B, p + s->na, s->nb + 1);
  for (int m = 0; m < nx; m++) law_swap_basis(law->H[m], p + s->na + s->nb + 1 + m * nh, nh);
}

void structure_write(double *p, const law_structure *s, law_side side, const law_plain *law) {
  const int nx = structure_extra_count(s), nh = structure_extra_coefficients(s);
  double c[LAW_COEFFICIENTS];
  if (side == SIDE_ERROR) {
    const double b0 = law->B[0];
    law_poles_differences(p, law->B, s->nb);
    for (int i = 0; i <= s->na; i++) c[i] = law->A[i] / b0;
    law_swap_basis(p + s->nb, c, s->na + 1);
    for (int m = 0; m < nx; m++) {
      for (int i = 0; i < nh; i++) c[i] = -law->H[m][i] / b0;
      law_swap_basis(p + s->nb + s->na + 1 + m * nh, c, nh);
    }
    return;
  }
  law_poles_differences(p, law->A, s->na);
  law_swap_basis(p + s->na, law->B, s->nb + 1);
  for (int m = 0; m < nx; m++) law_swap_basis(p + s->na + s->nb + 1 + m * nh, law->H[m], nh);
}

/* ---- gains ---- */

/* true if the structure has only terms of a PID: integral, derivative, one filter pole */
static bool is_pid(const law_structure *s) {
  const int derivative = s->nb - s->integrates;
  return s->extra != EXTRA_CASCADE && s->na <= 1 && derivative >= s->na && derivative <= 1;
}

static void name_gains(law_gains *g, const law_structure *s) {
  g->count = 0;
#define ADD(...) snprintf(g->name[g->count++], sizeof g->name[0], __VA_ARGS__)
  if (g->kind == RBV_CONTROL_TRANSFER) {
    for (int i = 1; i <= s->na; i++) ADD("a%d", i);
    for (int i = 0; i <= s->nb; i++) ADD("b%d", i);
  } else {
    if (g->kind == RBV_CONTROL_CASCADE) ADD("k_x");
    ADD("k_p");
    if (s->integrates) ADD("k_i");
    if (g->kind == RBV_CONTROL_PID && s->nb > s->integrates) ADD("k_d");
    if (s->na == 1) ADD("pole");
    if (g->kind == RBV_CONTROL_CASCADE) ADD("b");
  }
  if (s->extra == EXTRA_VELOCITY || s->extra == EXTRA_ACCELERATION) ADD("k_v");
  if (s->extra == EXTRA_ACCELERATION) ADD("k_a");
#undef ADD
}

/* index of a gain, -1 if the law has no gain of this name */
static int find(const law_gains *g, const char *name) {
  for (int i = 0; i < g->count; i++)
    if (strcmp(g->name[i], name) == 0) return i;
  return -1;
}

static double value_of(const law_gains *g, const char *name) {
  const int i = find(g, name);
  return i >= 0 ? g->value[i] : 0;
}

static void set(law_gains *g, const char *name, double value) {
  const int i = find(g, name);
  if (i >= 0) g->value[i] = value;
}

/*
 * Coefficients of the law from its gains, in powers of d. With A = (1 - p) + p d and D = (1 - p)/T,
 *   pid      B = (k_p d + k_i T) A + k_d D d^2      without integrator: k_p A + k_d D d
 *   cascade  B = (k_p d + k_i T)(k_x A + D d)       H = (b - 1)(1 - p)(k_p d + k_i T)
 * where the additional input of the cascade is d q_r/T, and feed-forward has H = k A.
 */
static void compose(law_plain *law, const law_gains *g, const law_structure *s, double T) {
  *law = (law_plain){.A = {1}};
  if (g->kind == RBV_CONTROL_TRANSFER) {
    memcpy(law->A + 1, g->value, (size_t)s->na * sizeof *law->A);
    memcpy(law->B, g->value + s->na, (size_t)(s->nb + 1) * sizeof *law->B);
  } else {
    const double p = value_of(g, "pole"), D = (1 - p) / T, kp = value_of(g, "k_p");
    const double ki = value_of(g, "k_i") * T;
    double beta[3] = {0}, eta[2] = {0};
    law->A[1] = -p;
    if (g->kind == RBV_CONTROL_CASCADE) {
      const double kx = value_of(g, "k_x"), own = (value_of(g, "b") - 1) * (1 - p);
      const double outer[2] = {kx * (1 - p), kx * p + D};
      const double inner[2] = {s->integrates ? ki : kp, s->integrates ? kp : 0};
      for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) beta[i + j] += inner[i] * outer[j];
      for (int i = 0; i < 2; i++) eta[i] = own * inner[i];
      law_swap_basis(law->H[0], eta, structure_extra_coefficients(s));
    } else {
      const double kd = value_of(g, "k_d") * D;
      const int I = s->integrates;
      if (I) beta[0] = ki * (1 - p), beta[1] = ki * p;
      beta[I] += kp * (1 - p);
      beta[I + 1] += kp * p + kd;
    }
    law_swap_basis(law->B, beta, s->nb + 1);
  }
  for (int m = 0; m < 2 && s->extra != EXTRA_CASCADE; m++)
    for (int i = 0; i <= s->na && m < structure_extra_count(s); i++)
      law->H[m][i] = value_of(g, m ? "k_a" : "k_v") * law->A[i];
}

/* the inverse of compose; exact if the law has exactly this structure */
static void gains_from_law(law_gains *g, const law_plain *law, const law_structure *s, double T) {
  double beta[LAW_COEFFICIENTS], eta[LAW_COEFFICIENTS];
  law_swap_basis(beta, law->B, s->nb + 1);
  const int I = s->integrates;
  const double p = s->na == 1 ? -law->A[1] : 0, D = (1 - p) / T;
  if (g->kind == RBV_CONTROL_TRANSFER) {
    memcpy(g->value, law->A + 1, (size_t)s->na * sizeof *law->A);
    memcpy(g->value + s->na, law->B, (size_t)(s->nb + 1) * sizeof *law->B);
  } else if (g->kind == RBV_CONTROL_CASCADE) {
    law_swap_basis(eta, law->H[0], 1 + I);
    const double rho = I ? eta[0] / eta[1] : 0;  // k_i T / k_p
    const double m = I ? beta[0] / (beta[2] * rho) : beta[0] / beta[1];
    const double kx = m * D / (1 - p - m * p), kp = beta[1 + I] / (kx * p + D);
    set(g, "k_x", kx);
    set(g, "k_p", kp);
    set(g, "k_i", rho * kp / T);
    set(g, "b", 1 + eta[I] / ((1 - p) * kp));
  } else {
    const double ki = I ? beta[0] / (1 - p) : 0, kp = (beta[I] - (I ? ki * p : 0)) / (1 - p);
    set(g, "k_i", ki / T);
    set(g, "k_p", kp);
    if (s->nb > I) set(g, "k_d", (beta[I + 1] - kp * p) / D);
  }
  set(g, "pole", p);
  set(g, "k_v", law->H[0][0]);
  set(g, "k_a", law->H[1][0]);
}

static void compose_parameters(double *p, const law_gains *g, const law_structure *s, law_side side,
                               double T) {
  law_plain law;
  compose(&law, g, s, T);
  structure_write(p, s, side, &law);
}

/* lower triangle L with L L' = C, so that L^-1 x has unit covariance; n x n */
static rbv_status whitener(double *L, const law_fit *fit, int n) {
  double C[LAW_PARAMETERS * LAW_PARAMETERS];
  // with exact data only rounding errors remain: keep C positive definite
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) C[i + j * n] = fit->covariance[i + j * fit->n];
  for (int i = 0; i < n; i++)
    C[i + i * n] = C[i + i * n] * (1 + 1e-9) + pow(1e-10 * fit->p[i], 2) + 1e-300;
  bool definite;
  RBV_TRY(rbv_cholesky(&definite, C, n, n));
  if (!definite) return rbv_fail(RBV_ENUM, "the covariance of a control law is not definite");
  memcpy(L, C, (size_t)(n * n) * sizeof *L);
  return RBV_OK;
}

static void whiten(double *x, const double *L, int n) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) x[i] -= L[i + j * n] * x[j];
    x[i] /= L[i + i * n];
  }
}

/* Gauss-Newton on |L^-1 (p - p(gains))|^2, and sigma from its Jacobian */
static rbv_status fit_gains(law_gains *g, const law_structure *s, law_side side, const law_fit *fit,
                            double T) {
  const int n = structure_parameter_count(s), k = g->count;
  double L[LAW_PARAMETERS * LAW_PARAMETERS], J[LAW_PARAMETERS * STRUCTURE_GAINS];
  double r[LAW_PARAMETERS], base[LAW_PARAMETERS], step[STRUCTURE_GAINS];
  RBV_TRY(whitener(L, fit, n));
  g->dof = n - k;
  for (int turn = 0; turn < 20; turn++) {
    compose_parameters(base, g, s, side, T);
    for (int i = 0; i < n; i++) r[i] = fit->p[i] - base[i];
    whiten(r, L, n);
    g->misfit = 0;
    for (int i = 0; i < n; i++) g->misfit += r[i] * r[i];
    for (int j = 0; j < k; j++) {
      const double keep = g->value[j], h = 1e-6 * fabs(keep) + 1e-9;
      double *up = J + j * n, down[LAW_PARAMETERS];
      g->value[j] = keep + h;
      compose_parameters(up, g, s, side, T);
      g->value[j] = keep - h;
      compose_parameters(down, g, s, side, T);
      g->value[j] = keep;
      for (int i = 0; i < n; i++) up[i] = (up[i] - down[i]) / (2 * h);
      whiten(up, L, n);
    }
    if (g->dof == 0) break;  // the initial gains are exact
    RBV_TRY(rbv_least_squares(step, NULL, NULL, J, n, k, n, r, 0));
    double moved = 0;
    for (int j = 0; j < k; j++) {
      g->value[j] += step[j];
      moved = fmax(moved, fabs(step[j]) / (fabs(g->value[j]) + 1e-300));
    }
    if (moved < 1e-12) break;
  }
  double sv[STRUCTURE_GAINS], Vt[STRUCTURE_GAINS * STRUCTURE_GAINS];
  RBV_TRY(rbv_svd(sv, NULL, Vt, J, n, k, n));
  for (int j = 0; j < k; j++) {
    double sum = 0;
    for (int i = 0; i < k; i++) sum += pow(Vt[i + j * k] / sv[i], 2);
    g->sigma[j] = sqrt(sum);
  }
  return RBV_OK;
}

static bool all_finite(const law_gains *g) {
  for (int i = 0; i < g->count; i++)
    if (!isfinite(g->value[i])) return false;
  return true;
}

/* true if the gains reproduce the general form within its uncertainty or to rounding */
static rbv_status agree(bool *out, const law_gains *g, const law_structure *s, law_side side,
                        const law_fit *fit, double T) {
  double p[LAW_PARAMETERS], limit, off = 0, size = 0;
  *out = true;
  if (g->dof == 0) return RBV_OK;
  RBV_TRY(rbv_stats_chi2_quantile(&limit, 1e-4, RBV_TAIL_UPPER, g->dof));
  compose_parameters(p, g, s, side, T);
  for (int i = 0; i < structure_parameter_count(s); i++) {
    off = fmax(off, fabs(p[i] - fit->p[i]));
    size = fmax(size, fabs(fit->p[i]));
  }
  *out = g->misfit <= limit || off <= 1e-7 * size;
  return RBV_OK;
}

rbv_status structure_gains(law_gains *out, bool *possible, const law_structure *s, law_side side,
                           const law_fit *fit, double T) {
  law_plain law;
  structure_read(&law, s, side, fit->p);
  *possible = false;
  for (int i = 0; i <= s->nb; i++)
    if (!isfinite(law.B[i])) return RBV_OK;
  // a filter pole must be between 0 and 1
  const bool filters = s->na == 0 || (-law.A[1] > 0 && -law.A[1] < 1);
  *out = (law_gains){.kind = s->extra == EXTRA_CASCADE ? RBV_CONTROL_CASCADE
                             : is_pid(s) && filters    ? RBV_CONTROL_PID
                                                       : RBV_CONTROL_TRANSFER};
  if (out->kind == RBV_CONTROL_CASCADE && !filters) return RBV_OK;
  rbv_transfer H = {.nnum = 1, .nden = s->na + 1, .num = {1}};
  memcpy(H.den, law.A, (size_t)(s->na + 1) * sizeof *law.A);
  double zero, pole;
  rbv_transfer_extent(&zero, &pole, &H);
  if (!(pole < 1 + 1e-9)) return RBV_OK;
  name_gains(out, s);
  gains_from_law(out, &law, s, T);
  if (!all_finite(out)) return RBV_OK;
  RBV_TRY(fit_gains(out, s, side, fit, T));
  // the fit can move the pole out of this range
  const double fitted = out->kind == RBV_CONTROL_TRANSFER ? 0 : value_of(out, "pole");
  if (!all_finite(out) || !(fitted >= 0 && fitted < 1)) return RBV_OK;
  RBV_TRY(agree(possible, out, s, side, fit, T));
  return RBV_OK;
}

rbv_control_joint structure_joint(const law_gains *g, const law_structure *s, double T) {
  rbv_control_joint j = rbv_control_joint_defaults();
  j.kind = g->kind;
  j.delay = s->delay;
  j.velocity_gain = value_of(g, "k_v");
  j.acceleration_gain = value_of(g, "k_a");
  if (g->kind == RBV_CONTROL_TRANSFER) {
    law_plain law;
    compose(&law, g, s, T);
    j.transfer = (rbv_transfer){.nnum = s->nb + 1, .nden = s->na + 1 + s->integrates};
    memcpy(j.transfer.num, law.B, (size_t)(s->nb + 1) * sizeof *law.B);
    for (int i = 0; i <= s->na; i++) {
      j.transfer.den[i] += law.A[i];
      if (s->integrates) j.transfer.den[i + 1] -= law.A[i];
    }
    return j;
  }
  const double p = value_of(g, "pole");
  j.k_p = value_of(g, "k_p");
  j.k_i = value_of(g, "k_i");
  j.k_d = value_of(g, "k_d");
  j.k_x = value_of(g, "k_x");
  if (g->kind == RBV_CONTROL_CASCADE) j.reference_velocity = value_of(g, "b");
  j.filter_s = p > 0 ? -T / log(p) : 0;
  return j;
}
