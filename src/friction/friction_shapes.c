/*
 * Shape parameters of the chosen terms: a last step from the tried value to the best one, and its
 * uncertainty. The column of a term with shape s + d is about that with s plus d times its
 * derivative, so that coefficient and coefficient times d follow from a linear problem. It is
 * solved without each fold in turn: the mean is the step, the scatter the standard error
 * (jackknife).
 */
#include <math.h>
#include <string.h>

#include "friction/friction_internal.h"

#define FOLDS RBV_FRICTION_FOLDS

/* Column of the linear problem: weights of two candidates. */
typedef struct {
  int item[2];
  double weight[2];
} combination;

static double product(const double *G, ptrdiff_t n, const combination *a, const combination *b) {
  double sum = 0;
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 2; k++) {
      const int x = a->item[i], y = b->item[k];
      // the lower triangle is stored
      if (a->weight[i] != 0 && b->weight[k] != 0)
        sum += a->weight[i] * b->weight[k] * (x > y ? G[x + y * n] : G[y + x * n]);
    }
  return sum;
}

/* the derivative of a term: two candidates near it, the farthest ones; false: there are none */
static bool derivative(combination *out, const candidates *all, int term) {
  int low = -1, high = -1;
  for (int i = 0; i < all->count; i++) {
    if (all->item[i].of != all->item[term].of) continue;
    if (low < 0 || all->item[i].as.own < all->item[low].as.own) low = i;
    if (high < 0 || all->item[i].as.own > all->item[high].as.own) high = i;
  }
  if (all->item[term].of < 0 || low < 0 || low == high) return false;
  const double step = all->item[high].as.own - all->item[low].as.own;
  *out = (combination){{high, low}, {1 / step, -1 / step}};
  return true;
}

/* solve by Cholesky with unit diagonal; G is count x count, x the right side; false: dependent */
static bool solve(double *x, double *G, int count) {
  double scale[2 * CHOSEN_MOST];
  for (int i = 0; i < count; i++) {
    scale[i] = sqrt(G[i + i * count]);
    if (!(scale[i] > 0)) return false;
  }
  for (int i = 0; i < count; i++) {
    for (int j = 0; j <= i; j++) {
      double sum = G[i + j * count] / (scale[i] * scale[j]);
      for (int k = 0; k < j; k++) sum -= G[i + k * count] * G[j + k * count];
      if (i == j && !(sum > 1e-9)) return false;
      G[i + j * count] = i == j ? sqrt(sum) : sum / G[j + j * count];
    }
    x[i] /= scale[i];
    for (int k = 0; k < i; k++) x[i] -= G[i + k * count] * x[k];
    x[i] /= G[i + i * count];
  }
  for (int i = count - 1; i >= 0; i--) {
    for (int k = i + 1; k < count; k++) x[i] -= G[k + i * count] * x[k];
    x[i] /= G[i + i * count];
  }
  for (int i = 0; i < count; i++) x[i] /= scale[i];
  return true;
}

rbv_status rbv_friction_shapes(double *step, double *sigma, const subset *set, const folds *f,
                               const candidates *all) {
  const int m = set->count;
  const ptrdiff_t n = f->count + 1;
  combination *column = rbv_alloc((size_t)(2 * m + 1) * sizeof *column);
  int *of = rbv_alloc((size_t)(m + 1) * sizeof *of);
  double *G = rbv_alloc((size_t)(4 * m * m + 1) * sizeof *G);
  double *x = rbv_alloc((size_t)(2 * m + 1) * sizeof *x);
  double *each = rbv_alloc((size_t)(FOLDS * m + 1) * sizeof *each);
  rbv_status status = column && of && G && x && each ? RBV_OK : RBV_EMEM;
  int count = m;
  for (int i = 0; i < m && status == RBV_OK; i++) {
    step[i] = 0;
    sigma[i] = NAN;
    column[i] = (combination){{set->item[i], 0}, {1, 0}};
    if (derivative(&column[count], all, set->item[i])) of[count++ - m] = i;
  }
  const combination torque = {{f->count, 0}, {1, 0}};
  bool solved = count > m;
  for (int k = 0; k < FOLDS && solved && status == RBV_OK; k++) {
    const double *fit = f->fit + k * n * n;
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < count; j++) G[i + j * count] = product(fit, n, &column[i], &column[j]);
      x[i] = product(fit, n, &column[i], &torque);
    }
    solved = solve(x, G, count);
    for (int i = m; i < count && solved; i++) each[k + (i - m) * FOLDS] = x[i] / x[of[i - m]];
  }
  for (int i = 0; i < count - m && solved && status == RBV_OK; i++) {
    double mean = 0, square = 0;
    for (int k = 0; k < FOLDS; k++) mean += each[k + i * FOLDS] / FOLDS;
    for (int k = 0; k < FOLDS; k++) square += pow(each[k + i * FOLDS] - mean, 2);
    step[of[i]] = mean;
    sigma[of[i]] = sqrt((FOLDS - 1.0) / FOLDS * square);
  }
  rbv_free(column);
  rbv_free(of);
  rbv_free(G);
  rbv_free(x);
  rbv_free(each);
  return status;
}
