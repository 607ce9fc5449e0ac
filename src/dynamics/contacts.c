/*
 * Forces at contact points, without a sensor for them. A force f at a point acts on the coordinates
 * as J' f. With an orthonormal basis Q of the columns of all J', x - Q Q' x is what no force at
 * these points can make: torques and regressors are replaced by it (Khorshidi 2024).
 */
#include <math.h>
#include <string.h>

#include "dynamics/dynamics.h"
#include "dynamics/dynamics_internal.h"

#define DEPENDENT 1e-8  // share of a column that is left: it depends on the columns before

void rbv_contacts_layout(rbv_dynamics *d, const rbv_model *m, rbv_arena *a) {
  const int n = m->ncontact > 0 ? m->njoint : 0;
  d->contact_q = RBV_TAKE(a, n, double);
  d->contact_J = RBV_TAKE(a, 6 * n, double);
  d->contact_own = RBV_TAKE(a, n, double);
  d->contact_basis = RBV_TAKE(a, 3 * m->ncontact * n * LANES_MAX, double);
}

static double dot(const double *x, const double *y, ptrdiff_t step, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * y[i * step];
  return sum;
}

/* make x, a column of J', orthogonal to the basis vectors of a lane, and append it to them */
static void add_vector(rbv_dynamics *d, int lane, int *rank, double *x) {
  const int n = d->model->njoint;
  const double before = sqrt(dot(x, x, 1, n));
  // twice is enough for orthogonality to rounding
  for (int pass = 0; pass < 2; pass++)
    for (int v = 0; v < *rank; v++) {
      const double *Q = d->contact_basis + v * n * LANES_MAX + lane;
      const double share = dot(x, Q, LANES_MAX, n);
      for (int i = 0; i < n; i++) x[i] -= share * Q[i * LANES_MAX];
    }
  const double left = sqrt(dot(x, x, 1, n));
  if (!(left > DEPENDENT * before)) return;
  double *Q = d->contact_basis + *rank * n * LANES_MAX + lane;
  for (int i = 0; i < n; i++) Q[i * LANES_MAX] = x[i] / left;
  ++*rank;
}

/* the basis of one sample, in a lane; returns the number of its vectors */
static int fill_lane(rbv_dynamics *d, int lane, const rbv_states *s, ptrdiff_t k) {
  const rbv_model *m = d->model;
  const int n = m->njoint;
  int rank = 0;
  for (int j = 0; j < n; j++) d->contact_q[j] = s->q[k + j * s->ld];
  for (int c = 0; c < m->ncontact; c++) {
    if (s->contact && !(s->contact[k] >> c & 1)) continue;
    rbv_dynamics_jacobian(d->contact_J, d, d->contact_q, m->contact[c].body, m->contact[c].point);
    for (int axis = 0; axis < 3; axis++) {
      for (int j = 0; j < n; j++) d->contact_own[j] = d->contact_J[axis + 6 * j];
      add_vector(d, lane, &rank, d->contact_own);
    }
  }
  return rank;
}

/* one column of `count` lanes */
static void eliminate_column(double *x, ptrdiff_t ld, const rbv_dynamics *d, int rank, int count) {
  const int n = d->model->njoint;
  for (int v = 0; v < rank; v++) {
    const double *Q = d->contact_basis + v * n * LANES_MAX;
    double share[LANES_MAX] = {0};
    for (int r = 0; r < n; r++)
      for (int k = 0; k < count; k++) share[k] += Q[r * LANES_MAX + k] * x[k + r * ld];
    for (int r = 0; r < n; r++)
      for (int k = 0; k < count; k++) x[k + r * ld] -= share[k] * Q[r * LANES_MAX + k];
  }
}

void rbv_contacts_eliminate(double *X, ptrdiff_t ld, int columns, rbv_dynamics *d,
                            const rbv_states *s) {
  const int n = d->model->njoint;
  if (d->model->ncontact == 0) return;
  for (ptrdiff_t first = 0; first < s->count; first += LANES_MAX) {
    const int count = s->count - first < LANES_MAX ? (int)(s->count - first) : LANES_MAX;
    int most = 0;
    // lanes with fewer vectors have zeros
    memset(d->contact_basis, 0,
           (size_t)(3 * d->model->ncontact * n * LANES_MAX) * sizeof *d->contact_basis);
    for (int k = 0; k < count; k++) {
      const int rank = fill_lane(d, k, s, first + k);
      if (rank > most) most = rank;
    }
    for (int c = 0; c < columns; c++) eliminate_column(X + first + c * n * ld, ld, d, most, count);
  }
}

void rbv_contacts_add(double *predicted, const double *measured, ptrdiff_t ld, rbv_dynamics *d,
                      const rbv_states *s) {
  const int n = d->model->njoint;
  if (d->model->ncontact == 0) return;
  for (int r = 0; r < n; r++)
    for (ptrdiff_t k = r * ld; k < r * ld + s->count; k++)
      predicted[k] = measured[k] - predicted[k];
  rbv_contacts_eliminate(predicted, ld, 1, d, s);
  for (int r = 0; r < n; r++)
    for (ptrdiff_t k = r * ld; k < r * ld + s->count; k++)
      predicted[k] = measured[k] - predicted[k];
}
