/*
 * Forward dynamics with friction that depends on the torque through the gears.
 *
 * With the load L = M ddq + bias of the links, the rotors R and friction f_i L_i of gear i, where
 * f_i depends on the sign of L_i alone, the drive torque without other friction is
 *
 *   drive = L + f L + R ddq,   so   ((1 + f) M + R) ddq = drive - (1 + f) bias.
 *
 * The signs are corrected until the solution has them. For f > -1 the load has the sign of drive -
 * R ddq.
 */
#include <math.h>
#include <string.h>

#include "dynamics/dynamics_internal.h"

#define SOLUTIONS 20  // at most; usually the first or second one has its signs

typedef struct {
  double *M, *A;         // njoint x njoint
  double *bias, *drive;  // njoint
  double *load, *share;  // njoint: load; 1 + f
  double *ddq;           // njoint
  int *swap;
} memory;

static void layout(memory *w, int n, rbv_arena *a) {
  w->M = RBV_TAKE(a, n * n, double);
  w->A = RBV_TAKE(a, n * n, double);
  RBV_TAKE_ALL(a, n, double, &w->bias, &w->drive, &w->load, &w->share, &w->ddq);
  w->swap = RBV_TAKE(a, n, int);
}

size_t rbv_loaded_room(int njoint) {
  rbv_arena measure = {0};
  memory w;
  layout(&w, njoint, &measure);
  return measure.used;
}

/* ---- dense solver ---- */

bool rbv_lu_factor(double *A, int *swap, int n) {
  for (int k = 0; k < n; k++) {
    int pivot = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(A[i + k * n]) > fabs(A[pivot + k * n])) pivot = i;
    swap[k] = pivot;
    if (!(fabs(A[pivot + k * n]) > 0)) return false;
    for (int j = 0; j < n && pivot != k; j++) {
      const double x = A[k + j * n];
      A[k + j * n] = A[pivot + j * n];
      A[pivot + j * n] = x;
    }
    for (int i = k + 1; i < n; i++) {
      A[i + k * n] /= A[k + k * n];
      for (int j = k + 1; j < n; j++) A[i + j * n] -= A[i + k * n] * A[k + j * n];
    }
  }
  return true;
}

void rbv_lu_solve(double *x, const double *A, const int *swap, int n) {
  for (int k = 0; k < n; k++) {
    const double value = x[swap[k]];
    x[swap[k]] = x[k];
    x[k] = value;
  }
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) x[i] -= A[i + k * n] * x[k];
  for (int k = n - 1; k >= 0; k--) {
    x[k] /= A[k + k * n];
    for (int i = 0; i < k; i++) x[i] -= A[i + k * n] * x[k];
  }
}

/* ---- forward dynamics ---- */

static void find_shares(const memory *w, const rbv_dynamics *d, const drive_motion *at) {
  const rbv_model *m = d->model;
  for (int j = 0; j < m->njoint; j++) w->share[j] = 1;
  for (int t = 0; t < m->nterm; t++) {
    const drive_term *term = &m->term[t];
    const double chi = d->chi[term->column];
    if (chi == 0 || !term->law || !term->law->uses_torque) continue;
    if (!side_acts(m->column[term->column].side, RBV_TORQUE_MOTOR)) continue;
    const double v = term_motion(m, term, at->dq, at->ld);
    const double sign = w->load[term->joint] < 0 ? -1 : 1;
    w->share[term->joint] += chi * rbv_term_slope(term, v, sign).load;
  }
}

/* ddq of the signs in w->load; false: none, or friction that drives */
static bool solve(const memory *w, const rbv_dynamics *d) {
  const int n = d->model->njoint;
  for (int i = 0; i < n; i++) {
    if (!(w->share[i] > 0)) return false;
    w->ddq[i] = w->drive[i] - w->share[i] * w->bias[i];
    for (int j = 0; j < n; j++)
      w->A[i + j * n] = w->share[i] * w->M[i + j * n] + d->rotor[i + j * n];
  }
  if (!rbv_lu_factor(w->A, w->swap, n)) return false;
  rbv_lu_solve(w->ddq, w->A, w->swap, n);
  return true;
}

/* loads of a solution; true: they have the signs of the last ones */
static bool update_loads(const memory *w, int n) {
  bool same = true;
  for (int i = 0; i < n; i++) {
    double load = w->bias[i];
    for (int j = 0; j < n; j++) load += w->M[i + j * n] * w->ddq[j];
    same = same && (load < 0) == (w->load[i] < 0);
    w->load[i] = load;
  }
  return same;
}

void rbv_forward_loaded(double *ddq, ptrdiff_t ldddq, bool *regular, rbv_dynamics *d,
                        const drive_motion *at, const double *tau, ptrdiff_t ldtau) {
  const int n = d->model->njoint;
  memory w;
  rbv_arena carve = {.base = d->loaded};
  layout(&w, n, &carve);
  for (int j = 0; j < n; j++) w.drive[j] = tau[j * ldtau];
  drive_motion idle = *at;
  idle.ddq = idle.load = NULL;
  rbv_drives_add(w.drive, 1, d, &rbv_kernel_w1, RBV_TORQUE_MOTOR, -1, &idle, 1);
  rbv_rigid_system(w.M, w.bias, d, &rbv_kernel_w1, d->link, at->q, at->dq, at->ld);
  for (int e = 0; e < n * n; e++) w.A[e] = w.M[e] + d->rotor[e];
  rbv_kernel_w1.factor(w.A, regular, n);
  memcpy(w.load, w.drive, (size_t)n * sizeof *w.load);
  for (int round = 0; round < SOLUTIONS && *regular; round++) {
    find_shares(&w, d, at);
    *regular = solve(&w, d);
    if (*regular && update_loads(&w, n)) break;
  }
  for (int j = 0; j < n && *regular; j++) ddq[j * ldddq] = w.ddq[j];
}
