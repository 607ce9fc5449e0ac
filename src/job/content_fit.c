/*
 * How well the model of a robot explains columns of a recording as torques: a coarse fit in one
 * half of the time, judged in the other half. Used to recognise columns without names.
 */
#include "job/content_fit.h"

#include <math.h>
#include <roberval/sys/dynamics.h>
#include <string.h>

#include "base/support.h"
#include "linalg/linalg.h"

#define BLOCKS 6    // of time; every second one is fitted
#define RIDGE 1e-5  // of a column's square: parameters that the motion does not excite

typedef struct {
  const rbv_model *model;
  rbv_dynamics *dynamics;
  int n, columns;
  const double *prior;  // NULL: the robot file has no masses
} fitter;

/* The regressor and the torques of all samples: n rows of columns + 1 for each, divided by the
 * deviations of the torques. */
typedef struct {
  double *rows;       // (columns + 1) x (n x count), one row after the other
  double *deviation;  // n
  double *mean;       // n
  double *gram;       // 2 x (columns + 1)^2
  double *chi;        // columns
  double *work;       // columns^2
} fit;

/* ---- one half fitted, the other judged ---- */

static int half_of(const rbv_log_reading *r, ptrdiff_t k) {
  return (int)(BLOCKS * k / r->count) % 2;
}

static void fill_rows(fit *f, const fitter *self, const rbv_log_reading *r, double *W, double *at) {
  const int n = self->n, p = self->columns;
  for (int j = 0; j < n; j++) {
    const double *tau = r->torque[0] + j * r->count;
    double sum = 0, squares = 0;
    for (ptrdiff_t k = 0; k < r->count; k++) sum += tau[k];
    f->mean[j] = sum / (double)r->count;
    for (ptrdiff_t k = 0; k < r->count; k++) squares += pow(tau[k] - f->mean[j], 2);
    f->deviation[j] = sqrt(squares / (double)r->count);
  }
  for (ptrdiff_t k = 0; k < r->count; k++) {
    for (int j = 0; j < n; j++) {
      at[j] = r->q[k + j * r->count];
      at[j + n] = r->dq[k + j * r->count];
      at[j + 2 * n] = r->ddq[k + j * r->count];
    }
    rbv_regressor_eval(W, self->dynamics, at, at + n, at + 2 * n, false);
    for (int j = 0; j < n; j++) {
      double *row = f->rows + (k * n + j) * (p + 1);
      const double s = f->deviation[j] > 0 ? 1 / f->deviation[j] : 0;
      for (int c = 0; c < p; c++) row[c] = s * W[j + c * n];
      row[p] = s * r->torque[0][k + j * r->count];
    }
  }
}

static void add_gram(fit *f, const fitter *self, const rbv_log_reading *r) {
  const int p = self->columns + 1;
  memset(f->gram, 0, sizeof *f->gram * 2 * (size_t)p * (size_t)p);
  for (ptrdiff_t i = 0; i < r->count * self->n; i++) {
    const double *row = f->rows + i * p;
    double *G = f->gram + (ptrdiff_t)half_of(r, i / self->n) * p * p;
    for (int a = 0; a < p; a++)
      for (int b = 0; b <= a && row[a] != 0; b++) G[a + b * p] += row[a] * row[b];
  }
}

/* Parameters of one half. */
static rbv_status solve(fit *f, const fitter *self, int half) {
  const int p = self->columns, ld = p + 1;
  const double *G = f->gram + (ptrdiff_t)half * ld * ld;
  for (int b = 0; b < p; b++) {
    for (int a = b; a < p; a++) f->work[a + b * p] = G[a + b * ld];
    const double own = f->gram[b + b * ld] + f->gram[b + b * ld + ld * ld];
    f->work[b + b * p] += own > 0 ? RIDGE * own : 1;
    f->chi[b] = G[p + b * ld];
  }
  bool definite;
  RBV_TRY(rbv_cholesky(&definite, f->work, p, p));
  if (!definite) return rbv_fail(RBV_ENUM, "the coarse fit is singular");
  return rbv_solve_cholesky(f->chi, 1, p, f->work, p, p);
}

/* Add the squared errors of the other half to those of the joints. */
static void add_errors(double *error, const fit *f, const fitter *self, const rbv_log_reading *r,
                       int half) {
  const int p = self->columns;
  for (ptrdiff_t i = 0; i < r->count * self->n; i++) {
    if (half_of(r, i / self->n) == half) continue;
    const double *row = f->rows + i * (p + 1);
    const double e = row[p] - rbv_dot(row, f->chi, p);
    error[i % self->n] += e * e / (double)r->count;
  }
}

/* Typical slope of the torques over those of the robot file; NaN: they do not follow it. */
static double scale_of(const fit *f, const fitter *self, const rbv_log_reading *r) {
  const int p = self->columns, n = self->n;
  double top = 0, bottom = 0, torque = 0;
  if (!self->prior) return NAN;
  for (int j = 0; j < n; j++) {
    double predicted = 0;
    for (ptrdiff_t k = 0; k < r->count; k++)
      predicted += rbv_dot(f->rows + (k * n + j) * (p + 1), self->prior, p) / (double)r->count;
    const double own = f->deviation[j] > 0 ? f->mean[j] / f->deviation[j] : 0;
    for (ptrdiff_t k = 0; k < r->count; k++) {
      const double *row = f->rows + (k * n + j) * (p + 1);
      const double x = rbv_dot(row, self->prior, p) - predicted, y = row[p] - own;
      top += x * y;
      bottom += x * x;
      torque += y * y;
    }
  }
  // the slope of either one over the other, which noise makes too small
  return top * top > 0.1 * bottom * torque ? (top > 0 ? 1 : -1) * sqrt(torque / bottom) : NAN;
}

static rbv_status judge(rbv_log_explained *out, fit *f, const fitter *self,
                        const rbv_log_reading *r, double *error) {
  add_gram(f, self, r);
  memset(error, 0, sizeof *error * (size_t)self->n);
  for (int half = 0; half < 2; half++) {
    RBV_TRY(solve(f, self, half));
    add_errors(error, f, self, r, half);
  }
  double sum = 0;
  int joints = 0;
  for (int j = 0; j < self->n; j++) {
    joints += f->deviation[j] > 0;
    if (f->deviation[j] > 0) sum += 0.5 * log(fmax(fmin(error[j], 1), 1e-8));
  }
  // the likelihood of all joints: those that the model explains well decide
  out->error = 2 * joints > self->n ? exp(sum / joints) : 1;
  out->scale = scale_of(f, self, r);
  return RBV_OK;
}

static rbv_status explain(rbv_log_explained *out, void *of, const rbv_log_reading *r) {
  const fitter *self = of;
  const size_t n = (size_t)self->n, p = (size_t)self->columns + 1, rows = (size_t)r->count * n;
  *out = (rbv_log_explained){1, NAN};
  double *all = rbv_alloc(sizeof *all * (rows * p + 3 * p * p + p + n * p + 6 * n));
  if (!all) return RBV_EMEM;
  fit f = {.rows = all, .gram = all + rows * p};
  f.work = f.gram + 2 * p * p;
  f.chi = f.work + p * p;
  double *W = f.chi + p, *at = W + n * p;
  f.deviation = at + 3 * n;
  f.mean = f.deviation + n;
  fill_rows(&f, self, r, W, at);
  bool finite = true;
  for (size_t i = 0; i < rows * p && finite; i++) finite = isfinite(all[i]);
  const rbv_status status = finite ? judge(out, &f, self, r, f.mean + n) : RBV_OK;
  rbv_free(all);
  return status == RBV_ENUM ? RBV_OK : status;
}

/* ---- life ---- */

static const double *find_prior(const rbv_model *m) {
  const double *chi = rbv_model_parameters(m);
  for (int c = 0; chi && c < rbv_model_column_count(m); c++)
    if (rbv_model_column(m, c)->basis == RBV_BASIS_INERTIAL && chi[c] != 0) return chi;
  return NULL;
}

struct rbv_content_fit {
  rbv_log_physics physics;
  fitter self;
  bool *slides;
};

void rbv_content_fit_free(rbv_content_fit *f) {
  if (!f) return;
  rbv_dynamics_free(f->self.dynamics);
  rbv_free(f->slides);
  rbv_free(f);
}

rbv_status rbv_content_fit_new(rbv_content_fit **out, const rbv_model *model) {
  *out = NULL;
  const int n = rbv_model_joint_count(model);
  if (rbv_model_row_count(model) != n) return RBV_OK;
  rbv_content_fit *f = rbv_alloc(sizeof *f);
  if (!f) return RBV_EMEM;
  f->self = (fitter){
      .model = model, .n = n, .columns = rbv_model_column_count(model), .prior = find_prior(model)};
  f->slides = rbv_alloc(sizeof *f->slides * (size_t)n);
  rbv_status status = f->slides ? rbv_dynamics_new(&f->self.dynamics, model) : RBV_EMEM;
  for (int j = 0; j < n && f->slides; j++)
    f->slides[j] = rbv_model_joint(model, j)->type == RBV_JOINT_PRISMATIC;
  f->physics = (rbv_log_physics){f->slides, explain, &f->self};
  if (status == RBV_OK)
    *out = f;
  else
    rbv_content_fit_free(f);
  return status;
}

const rbv_log_physics *rbv_content_fit_physics(const rbv_content_fit *f) {
  return f ? &f->physics : NULL;
}
