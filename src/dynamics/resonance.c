#include "dynamics/resonance.h"

#include <math.h>
#include <string.h>

#include "base/support.h"
#include "linalg/linalg.h"

void rbv_resonances_free(rbv_resonances *r) {
  rbv_free(r->held);
  *r = (rbv_resonances){0};
}

/*
 * Links M and rotors B on springs K: det(M2 w^2 - G K G') = 0 with M2 = diag(M, B), G = [I; -I].
 * The frequencies that are not zero are those of S (inv(M) + inv(B)) S with S = sqrt(K); with held
 * rotors those of S inv(M) S, where also rigid joints are held.
 */
typedef struct {
  int n, count;
  int *at;                    // count: the elastic joints
  double *stiffness, *rotor;  // n
  double *M, *inverse;        // n x n
  double *A, *chi;
} resonance_work;

static rbv_status invert(double *out, double *M, int n) {
  bool definite;
  RBV_TRY(rbv_cholesky(&definite, M, n, n));
  if (!definite)
    return rbv_fail(RBV_EINPUT,
                    "resonances need links with a positive mass matrix: their masses and inertias "
                    "are not known");
  memset(out, 0, (size_t)(n * n) * sizeof *out);
  for (int j = 0; j < n; j++) out[j + j * n] = 1;
  return rbv_solve_cholesky(out, n, n, M, n, n);
}

static rbv_status frequencies(double *hz, resonance_work *w) {
  RBV_TRY(rbv_eigen_symmetric(hz, NULL, w->A, w->count, w->count));
  for (int i = 0; i < w->count; i++) hz[i] = sqrt(fmax(hz[i], 0)) / (2 * RBV_PI);
  return RBV_OK;
}

/* links alone, and the rotors of rigid joints with them */
static rbv_status mass(resonance_work *w, const rbv_model *m, const double *chi, bool loaded,
                       const double *q) {
  rbv_dynamics *d;
  for (int c = 0; c < rbv_model_column_count(m); c++) {
    const rbv_column *column = rbv_model_column(m, c);
    w->chi[c] = column->basis == RBV_BASIS_INERTIAL ? chi[c] : 0;
    if (rbv_column_has_law(column, "Ia")) w->rotor[column->joint] = chi[c];
  }
  RBV_TRY(rbv_dynamics_new(&d, m));
  const rbv_status status = rbv_dynamics_set(d, w->chi, loaded);
  if (status == RBV_OK) rbv_dynamics_mass(w->M, d, q);
  rbv_dynamics_free(d);
  for (int j = 0; j < w->n; j++)
    if (w->stiffness[j] == 0) w->M[j + j * w->n] += w->rotor[j];
  return status;
}

static rbv_status find(rbv_resonances *out, resonance_work *w) {
  const int n = w->n, e = w->count;
  // held: the part of the elastic joints
  double *part = w->A;
  for (int i = 0; i < e; i++)
    for (int k = 0; k < e; k++) part[i + k * e] = w->M[w->at[i] + w->at[k] * n];
  RBV_TRY(invert(w->inverse, part, e));
  for (int i = 0; i < e; i++)
    for (int k = 0; k < e; k++)
      w->A[i + k * e] =
          w->inverse[i + k * e] * sqrt(w->stiffness[w->at[i]] * w->stiffness[w->at[k]]);
  RBV_TRY(frequencies(out->held, w));
  // free
  bool known = true;
  for (int i = 0; i < e; i++) known = known && w->rotor[w->at[i]] > 0;
  for (int i = 0; i < e && !known; i++) out->free[i] = INFINITY;
  if (!known) return RBV_OK;
  RBV_TRY(invert(w->inverse, w->M, n));
  for (int i = 0; i < e; i++)
    for (int k = 0; k < e; k++) {
      const double rotor = i == k ? 1 / w->rotor[w->at[i]] : 0;
      w->A[i + k * e] = (w->inverse[w->at[i] + w->at[k] * n] + rotor) *
                        sqrt(w->stiffness[w->at[i]] * w->stiffness[w->at[k]]);
    }
  return frequencies(out->free, w);
}

rbv_status rbv_resonances_find(rbv_resonances *out, const rbv_model *m, const double *chi,
                               bool loaded, const double *q) {
  *out = (rbv_resonances){0};
  const int n = rbv_model_joint_count(m), nc = rbv_model_column_count(m);
  const size_t square = (size_t)n * (size_t)n;
  RBV_NEW(double, memory, 2 * (size_t)n + 3 * square + (size_t)nc);
  resonance_work w = {.n = n,
                      .stiffness = memory,
                      .rotor = memory + n,
                      .M = memory + 2 * n,
                      .inverse = memory + 2 * (size_t)n + square,
                      .A = memory + 2 * (size_t)n + 2 * square,
                      .chi = memory + 2 * (size_t)n + 3 * square};
  w.at = rbv_alloc((size_t)n * sizeof *w.at);
  out->held = rbv_alloc(2 * (size_t)n * sizeof *out->held);
  out->free = out->held ? out->held + n : NULL;
  rbv_status status = w.at && out->held ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK) w.count = rbv_model_springs(w.stiffness, NULL, NULL, m, chi);
  for (int j = 0, i = 0; j < n && status == RBV_OK; j++)
    if (w.stiffness[j] > 0) w.at[i++] = j;
  out->count = w.count;
  if (status == RBV_OK) status = mass(&w, m, chi, loaded, q);
  if (status == RBV_OK && w.count > 0) status = find(out, &w);
  rbv_free(w.at);
  rbv_free(memory);
  if (status != RBV_OK) rbv_resonances_free(out);
  return status;
}
