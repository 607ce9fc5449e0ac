/*
 * Drift of friction along a recording: a gear that warms up. Each joint gets a column with its
 * friction times the time, whose coefficient is the change of friction from start to end. Columns
 * of load, of the root and of the square of the speed stand beside it, so that a motion that
 * becomes faster or heavier is not taken for a drift. All parameters are estimated anew without
 * each of 20 blocks of time: the scatter gives the standard error, also for coloured residuals, and
 * the block that was left out tells whether the drift predicts better.
 */
#include <math.h>
#include <roberval/sys/equations.h>
#include <roberval/sys/identify.h>
#include <roberval/sys/prepare.h>
#include <stdio.h>
#include <string.h>
#include "linalg/linalg.h"
#include "stats/stats.h"

#include "check/check_internal.h"
#include "equations/extra_columns.h"
#include "model/model_internal.h"

RBV_THRESHOLDS(CHECK_DRIFT);

enum { PER_JOINT = 1 + NUISANCES };  // columns

/* The columns of a joint. */
typedef struct {
  int joint, row;
  double viscous, coulomb;  // of the plain model
} drifting;

typedef struct {
  const rbv_model *m;
  ptrdiff_t samples;
  int count;       // joints
  drifting *item;  // count
  int *row;        // count x PER_JOINT
} drift_columns;

/* ---- columns ---- */

static double own_friction(const rbv_model *m, const double *chi, const char *law, int joint) {
  for (int c = 0; c < m->ncolumn; c++)
    if (m->column[c].joint == joint && rbv_column_has_law(&m->column[c], law) &&
        !rbv_is_coupling(&m->column[c]))
      return chi[c];
  return 0;
}

static rbv_status choose_joints(drift_columns *d, const rbv_model *m, const double *chi,
                                uint64_t still) {
  d->m = m;
  d->item = rbv_alloc((size_t)m->njoint * sizeof *d->item);
  d->row = rbv_alloc((size_t)(m->njoint * PER_JOINT) * sizeof *d->row);
  if (!d->item || !d->row) return RBV_EMEM;
  for (int j = 0; j < m->njoint; j++) {
    const drifting x = {j, j, own_friction(m, chi, "Fv", j), own_friction(m, chi, "Fc", j)};
    if ((j < 64 && still >> j & 1) || x.viscous < 0 || x.coulomb < 0 ||
        !(x.viscous + x.coulomb > 0) || m->row[j].joint != j)
      continue;
    for (int k = 0; k < PER_JOINT; k++) d->row[d->count * PER_JOINT + k] = j;
    d->item[d->count++] = x;
  }
  return RBV_OK;
}

static rbv_status open_columns(void **worker, void *self, rbv_motion *motion) {
  (void)motion;
  *worker = self;
  return RBV_OK;
}

static void close_columns(void *worker) { (void)worker; }

static rbv_status eval_columns(double *X, ptrdiff_t ld, void *self, const rbv_states *s,
                               ptrdiff_t first) {
  const drift_columns *d = self;
  for (int i = 0; i < d->count; i++) {
    const drifting *x = &d->item[i];
    const rbv_smoothing how = rbv_model_smoothing(d->m, x->joint);
    const double *v = s->dq + x->joint * s->ld, *load = s->load + x->joint * s->ld;
    double *to = X + (ptrdiff_t)i * PER_JOINT * ld;
    for (ptrdiff_t k = 0; k < s->count; k++) {
      double slope;
      const double sign = rbv_law_sign(&slope, v[k], how);
      const double time = (double)(first + k) / (double)d->samples - 0.5;
      to[k] = (x->viscous * v[k] + x->coulomb * sign) * time;
      to[k + ld] = fabs(load[k]) * sign;
      to[k + 2 * ld] = sqrt(fabs(v[k])) * sign;
      to[k + 3 * ld] = v[k] * fabs(v[k]);
    }
  }
  return RBV_OK;
}

/* ---- least squares without a block ---- */

typedef struct {
  const rbv_equations *system;
  int n;             // columns of the model and of the joints
  bool *used;        // n
  double *gram;      // BLOCKS x (n + 1)^2, weighted: of [W Y]
  double *whole;     // (n + 1)^2
  double *work;      // n^2
  double *x;         // n: a solution
  double *scale;     // n
  int *active;       // n: columns of a solution
  double *solution;  // n: of these
  double *plain;     // n: a solution without drift
  double *drift;     // BLOCKS x count: changes without a block
  double *loss;      // 2 x BLOCKS x nrow: squared error of the block, without and with drift
} fit;

static void layout(fit *f, int count, int nrow, rbv_arena *a) {
  const size_t n = (size_t)f->n, square = (n + 1) * (n + 1);
  f->used = RBV_TAKE(a, n, bool);
  f->gram = RBV_TAKE(a, BLOCKS * square, double);
  f->whole = RBV_TAKE(a, square, double);
  f->work = RBV_TAKE(a, n * n, double);
  f->x = RBV_TAKE(a, n, double);
  f->scale = RBV_TAKE(a, n, double);
  f->active = RBV_TAKE(a, n, int);
  f->solution = RBV_TAKE(a, n, double);
  f->plain = RBV_TAKE(a, n, double);
  f->drift = RBV_TAKE(a, BLOCKS * count, double);
  f->loss = RBV_TAKE(a, 2 * BLOCKS * nrow, double);
}

/* products of the columns of each block; lower triangle */
static void add_groups(fit *f, const double *sigma) {
  const ptrdiff_t w = f->n + 1;
  for (int g = 0; g < rbv_equations_group_count(f->system); g++) {
    const rbv_group *group = rbv_equations_group(f->system, g);
    const ptrdiff_t ld = group->ncolumn + 1;
    double *to = f->gram + group->fold * w * w;
    const double weight = 1 / (sigma[group->row] * sigma[group->row]);
    for (ptrdiff_t a = 0; a < ld; a++)
      for (ptrdiff_t b = 0; b <= a; b++) {
        double sum = 0;
        for (ptrdiff_t i = 0; i <= b; i++) sum += group->R[i + a * ld] * group->R[i + b * ld];
        const ptrdiff_t p = a < ld - 1 ? group->column[a] : f->n;
        const ptrdiff_t q = b < ld - 1 ? group->column[b] : f->n;
        to[(p > q ? p : q) + (p > q ? q : p) * w] += weight * sum;
      }
  }
  for (int b = 0; b < BLOCKS; b++)
    for (ptrdiff_t i = 0; i < w * w; i++) f->whole[i] += f->gram[b * w * w + i];
}

/* least squares without block b (-1: with all) by Cholesky with unit diagonal; false: impossible */
static bool solve(double *x, fit *f, int b) {
  const ptrdiff_t w = f->n + 1;
  const double *minus = b < 0 ? NULL : f->gram + b * w * w;
  int count = 0;
#define AT(i, j) (f->whole[(i) + (j)*w] - (minus ? minus[(i) + (j)*w] : 0))
  for (int i = 0; i < f->n; i++)
    if (f->used[i] && AT(i, i) > 0) f->active[count++] = i;
  for (int i = 0; i < count; i++) f->scale[i] = sqrt(AT(f->active[i], f->active[i]));
  for (int i = 0; i < count; i++) {
    f->solution[i] = AT(f->n, f->active[i]) / f->scale[i];
    for (int j = 0; j <= i; j++)
      f->work[i + (ptrdiff_t)j * count] =
          AT(f->active[i], f->active[j]) / (f->scale[i] * f->scale[j]) + (i == j ? RIDGE : 0);
  }
#undef AT
  bool definite = false;
  if (count == 0 || rbv_cholesky(&definite, f->work, count, count) != RBV_OK || !definite ||
      rbv_solve_cholesky(f->solution, 1, count, f->work, count, count) != RBV_OK)
    return false;
  memset(x, 0, (size_t)f->n * sizeof *x);
  for (int i = 0; i < count; i++) x[f->active[i]] = f->solution[i] / f->scale[i];
  return true;
}

/* squared error of a block, by torque row */
static void add_losses(double *loss, const fit *f, int block, const double *x) {
  for (int g = 0; g < rbv_equations_group_count(f->system); g++) {
    const rbv_group *group = rbv_equations_group(f->system, g);
    if (group->fold != block) continue;
    double rss, yy;
    rbv_equations_residual(&rss, &yy, f->system, g, x);
    loss[group->row] += rss;
  }
}

/* every block is left out once, without and with the columns of drift */
static bool leave_out(fit *f, int nmodel, int count, int nrow) {
  for (int b = 0; b < BLOCKS; b++) {
    for (int with = 0; with < 2; with++) {
      for (int i = 0; i < count; i++) f->used[nmodel + i * PER_JOINT] = with;
      if (!solve(f->x, f, b)) return false;
      add_losses(f->loss + (with * BLOCKS + b) * nrow, f, b, f->x);
    }
    for (int i = 0; i < count; i++) f->drift[b * count + i] = f->x[nmodel + i * PER_JOINT];
  }
  return solve(f->plain, f, -1);
}

/* ---- the test ---- */

typedef struct {
  double change, sigma;  // of friction from start to end, relative
  double gain, error;    // of the squared error of blocks that were left out, and its error
} drift_test;

static drift_test test_joint(const fit *f, int nmodel, int count, int nrow, int i, int row) {
  drift_test t = {.change = f->plain[nmodel + i * PER_JOINT]};
  double mean = 0, square = 0, plain = 0, gain = 0, scatter = 0;
  for (int b = 0; b < BLOCKS; b++) mean += f->drift[b * count + i] / BLOCKS;
  for (int b = 0; b < BLOCKS; b++) square += pow(f->drift[b * count + i] - mean, 2);
  t.sigma = sqrt((BLOCKS - 1.0) / BLOCKS * square);
  for (int b = 0; b < BLOCKS; b++) {
    plain += f->loss[b * nrow + row];
    gain += f->loss[b * nrow + row] - f->loss[(BLOCKS + b) * nrow + row];
  }
  for (int b = 0; b < BLOCKS; b++)
    scatter += pow(f->loss[b * nrow + row] - f->loss[(BLOCKS + b) * nrow + row] - gain / BLOCKS, 2);
  t.gain = plain > 0 ? gain / plain : 0;
  t.error = plain > 0 ? sqrt(scatter * BLOCKS / (BLOCKS - 1)) / plain : INFINITY;
  return t;
}

/* joints whose friction drifts, in one sentence */
static rbv_status report(examination *x, const view *v, const fit *f, const drift_columns *d,
                         int nmodel) {
  double limit, largest = 0;
  char joints[512] = "";
  size_t used = 0;
  int count = 0, only = -1;
  RBV_TRY(rbv_stats_student_quantile(&limit, LEVEL / (2 * d->count), RBV_TAIL_UPPER, BLOCKS - 1));
  for (int i = 0; i < d->count && used < sizeof joints; i++) {
    const drift_test t = test_joint(f, nmodel, d->count, d->m->nrow, i, d->item[i].row);
    if (!(fabs(t.change) > limit * t.sigma && fabs(t.change) > LEAST_CHANGE &&
          t.gain > LEAST_GAIN && t.gain > GAIN_ERRORS * t.error))
      continue;
    used += (size_t)snprintf(joints + used, sizeof joints - used, "%sjoint %d (%+.0f +- %.0f %%)",
                             count++ == 0 ? "" : ", ", d->item[i].joint + 1, 100 * t.change,
                             100 * t.sigma);
    only = count == 1 ? d->item[i].joint : -1;
    if (fabs(t.change) > fabs(largest)) largest = t.change;
  }
  if (count > 0)
    rbv_add_finding(
        x,
        finding_with(finding_of(RBV_FINDING_FRICTION_DRIFT, RBV_SEVERITY_NOTE, v, only, largest),
                     "friction"),
        "%s: friction changes along the recording: %s. Warm the robot up before you record, or "
        "describe the warm-up with the terms Fcw and Fvw",
        rbv_log_name(v->log), joints);
  return RBV_OK;
}

static rbv_status examine_system(examination *x, const view *v, const rbv_equations *system,
                                 const rbv_estimate *plain, const drift_columns *d) {
  const int nmodel = plain->base->count, nrow = d->m->nrow;
  fit f = {.system = system, .n = nmodel + d->count * PER_JOINT};
  double *sigma = rbv_alloc((size_t)nrow * sizeof *sigma);
  rbv_arena measure = {0};
  layout(&f, d->count, nrow, &measure);
  char *memory = rbv_alloc(measure.used);
  rbv_status status = sigma && memory ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK) {
    rbv_arena carve = {.base = memory};
    layout(&f, d->count, nrow, &carve);
    for (int r = 0; r < nrow; r++)
      sigma[r] = plain->fit.row[r].sigma > 0 ? plain->fit.row[r].sigma : 1;
    for (int c = 0; c < f.n; c++)
      f.used[c] = c >= nmodel || isfinite(plain->covariance[c + (ptrdiff_t)c * nmodel]);
    add_groups(&f, sigma);
    if (leave_out(&f, nmodel, d->count, nrow)) status = report(x, v, &f, d, nmodel);
  }
  rbv_free(memory);
  rbv_free(sigma);
  return status;
}

static rbv_status test(examination *x, const view *v, rbv_motion *motion) {
  const rbv_model *m = x->model;
  rbv_row_filter filter = {0};
  rbv_identify_options how = rbv_identify_defaults();
  rbv_estimate *plain = NULL;
  rbv_equations *system = NULL;
  drift_columns d = {.samples = rbv_motion_get_info(motion)->count};
  rbv_status status = rbv_row_filter_suggest(&filter, m, &motion, 1, 1);
  if (status == RBV_OK) status = rbv_find_still_joints(&filter.still, &motion, 1);
  how.filter = filter;
  if (status == RBV_OK) status = rbv_identify(&plain, m, &motion, 1, &how);
  if (status == RBV_OK) status = choose_joints(&d, m, plain->chi, filter.still);
  const extra_columns columns = {.count = d.count * PER_JOINT,
                                 .row = d.row,
                                 .self = &d,
                                 .open = open_columns,
                                 .close = close_columns,
                                 .eval = eval_columns};
  filter.folds = BLOCKS;
  if (status == RBV_OK && d.count > 0) {
    status = rbv_equations_new_extended(&system, m, plain->base->kept, plain->base->count, &filter,
                                        &columns);
    if (status == RBV_OK) status = rbv_equations_set_load(system, plain->chi);
    if (status == RBV_OK) status = rbv_equations_add(system, motion);
    if (status == RBV_OK) status = examine_system(x, v, system, plain, &d);
  }
  rbv_equations_free(system);
  rbv_estimate_free(plain);
  rbv_free(d.item);
  rbv_free(d.row);
  return status;
}

rbv_status rbv_detect_friction_drift(examination *x, view *v) {
  if ((double)v->count / v->rate_hz < BLOCKS * BLOCK_S) return RBV_OK;
  return rbv_examine_motion(x, v, test);
}
