#include "check/coupling_equations.h"
#include "linalg/linalg.h"

#include <math.h>
#include <roberval/sys/dynamics.h>
#include <roberval/sys/stats.h>
#include <string.h>

RBV_THRESHOLDS(CHECK_COUPLING_EQUATIONS);

void rbv_coupling_equations_free(equations *e) {
  for (int f = 0; f < FOLDS; f++) rbv_qr_free(e->part[f]);
  rbv_free(e->first);
  rbv_free(e->instant);
  rbv_free(e->fold);
  rbv_free(e->W);
  rbv_free(e->tau);
  rbv_free(e->acts);
  rbv_free(e->act);
  rbv_free(e->by_row);
  rbv_free(e->reduced);
  rbv_free(e->reduced_joint);
  rbv_free(e->weight);
  rbv_free(e->speed);
  rbv_free(e->acceleration);
}

/* instants of one recording, and the signals there */
typedef struct {
  int count;
  ptrdiff_t *sample;
  double *q, *dq, *ddq;  // count x n
  double *W;             // count x entries of the regressor
} instants;

static void free_instants(instants *i) {
  rbv_free(i->sample);
  rbv_free(i->q);
  rbv_free(i->W);
  *i = (instants){0};
}

static bool all_kept(const signals *s, ptrdiff_t from, ptrdiff_t to) {
  for (ptrdiff_t k = from; k <= to; k++)
    if (!s->keep[k]) return false;
  return true;
}

/* spread over the recording; samples that were filled are left out with those near them */
static rbv_status place_instants(instants *out, const rbv_model *m, const signals *s, int most) {
  const int n = rbv_model_joint_count(m);
  *out = (instants){0};
  out->sample = rbv_alloc((size_t)most * sizeof *out->sample);
  if (!out->sample) return RBV_EMEM;
  ptrdiff_t last = -1;
  for (int i = 0; i < most; i++) {
    const ptrdiff_t k = s->reach + (s->count - 2 * s->reach) * i / most;
    if (k <= last || k + s->reach >= s->count || !all_kept(s, k - s->reach, k + s->reach)) continue;
    out->sample[out->count++] = last = k;
  }
  const size_t count = (size_t)out->count;
  rbv_dynamics *d = NULL;
  out->q = rbv_alloc(3 * count * (size_t)n * sizeof *out->q);
  out->W = rbv_alloc(count * (size_t)rbv_model_entry_count(m) * sizeof *out->W);
  rbv_status status = out->q && out->W ? rbv_dynamics_new(&d, m) : RBV_EMEM;
  if (status == RBV_OK) {
    out->dq = out->q + count * (size_t)n;
    out->ddq = out->dq + count * (size_t)n;
    for (int j = 0; j < n; j++)
      for (int i = 0; i < out->count; i++) {
        const ptrdiff_t from = out->sample[i] + j * s->count, to = i + j * out->count;
        out->q[to] = s->q[from];
        out->dq[to] = s->dq[from];
        out->ddq[to] = s->ddq[from];
      }
    const rbv_states states = {
        .count = out->count, .ld = out->count, .q = out->q, .dq = out->dq, .ddq = out->ddq};
    rbv_regressor_batch(out->W, out->count, d, &states, s->loaded);
  }
  rbv_dynamics_free(d);
  return status;
}

/* 95 % speed of a joint over all recordings, times REST */
static rbv_status standstill(double *still, const signals *s, int ns, int n) {
  memset(still, 0, (size_t)n * sizeof *still);
  for (int i = 0; i < ns; i++) {
    double *work = rbv_alloc((size_t)s[i].count * sizeof *work);
    if (!work) return RBV_EMEM;
    for (int j = 0; j < n; j++) {
      const double p = 0.95;
      double speed = 0;
      for (ptrdiff_t k = 0; k < s[i].count; k++) work[k] = fabs(s[i].dq[k + j * s[i].count]);
      const rbv_status status = rbv_stats_quantiles(&speed, work, work, s[i].count, &p, 1);
      if (status != RBV_OK) {
        rbv_free(work);
        return status;
      }
      still[j] = fmax(still[j], REST * speed);
    }
    rbv_free(work);
  }
  return RBV_OK;
}

/* equations of one joint at the instants of one recording */
static void add_joint(equations *e, const rbv_model *m, const signals *s, const instants *at, int j,
                      int before, double still, double block) {
  const rbv_row *row = rbv_model_row(m, j);
  const int capacity = e->n * e->ninstant;
  for (int c = 0; c < row->count; c++) e->acts[row->columns[c] + (ptrdiff_t)j * e->nc] = true;
  for (int i = 0; i < at->count; i++) {
    if (!(fabs(at->dq[i + j * at->count]) > still)) continue;
    const int k = e->count++;
    e->instant[k] = before + i;
    e->fold[k] = (int)((double)at->sample[i] / s->rate_hz / block) % FOLDS;
    e->tau[k] = s->torque[at->sample[i] + j * s->count];
    for (int c = 0; c < row->count; c++)
      e->W[k + (ptrdiff_t)row->columns[c] * capacity] =
          at->W[i + (ptrdiff_t)(row->first + c) * at->count];
  }
}

/* velocities in a window around each instant, and accelerations */
static void add_signals(equations *e, const signals *s, const instants *at, int before) {
  for (int j = 0; j < e->n; j++)
    for (int i = 0; i < at->count; i++) {
      e->acceleration[before + i + j * e->ninstant] = at->ddq[i + j * at->count];
      for (int w = 0; w < WINDOW; w++) {
        const ptrdiff_t k = at->sample[i] + (2 * w - WINDOW + 1) * s->reach / (2 * (WINDOW - 1));
        speeds_of(e, j, w)[before + i] = s->dq[k + j * s->count];
      }
    }
}

static rbv_status allocate(equations *e) {
  const size_t n = (size_t)e->n, ni = (size_t)e->ninstant, rows = n * ni;
  e->first = rbv_alloc((n + 1) * sizeof *e->first);
  e->instant = rbv_alloc(rows * sizeof *e->instant);
  e->fold = rbv_alloc(rows * sizeof *e->fold);
  e->W = rbv_alloc(rows * (size_t)e->nc * sizeof *e->W);
  e->tau = rbv_alloc(rows * sizeof *e->tau);
  e->acts = rbv_alloc(n * (size_t)e->nc * sizeof *e->acts);
  e->act = rbv_alloc(n * ((size_t)e->nc + 1) * sizeof *e->act);
  e->nact = e->act ? e->act + n * (size_t)e->nc : NULL;
  e->by_row = rbv_alloc(rows * (size_t)e->nc * sizeof *e->by_row);
  e->weight = rbv_alloc(n * sizeof *e->weight);
  e->speed = rbv_alloc(rows * WINDOW * sizeof *e->speed);
  e->acceleration = rbv_alloc(rows * sizeof *e->acceleration);
  const bool done = e->first && e->instant && e->fold && e->W && e->tau && e->acts && e->act &&
                    e->by_row && e->weight && e->speed && e->acceleration;
  return done ? RBV_OK : RBV_EMEM;
}

/* block length: two seconds, or less so that every fold has two blocks */
static double block_length(const signals *s, int ns) {
  double total = 0;
  for (int i = 0; i < ns; i++) total += (double)s[i].count / s[i].rate_hz;
  return fmin(BLOCK_S, total / (2 * FOLDS));
}

/* instants in the reach of the low-pass */
static double correlation(const signals *s, const instants *at, int ns) {
  double most = 1;
  for (int i = 0; i < ns; i++)
    most = fmax(most, (double)s[i].reach * at[i].count / (double)s[i].count);
  return most;
}

static rbv_status fill(equations *e, const rbv_model *m, const signals *s, int ns,
                       const instants *at) {
  double *still = rbv_alloc((size_t)e->n * sizeof *still);
  if (!still) return RBV_EMEM;
  const rbv_status status = standstill(still, s, ns, e->n);
  const double block = block_length(s, ns);
  for (int j = 0; j < e->n && status == RBV_OK; j++) {
    e->weight[j] = 1;
    e->first[j] = e->count;
    for (int i = 0, before = 0; i < ns; before += at[i++].count)
      add_joint(e, m, &s[i], &at[i], j, before, still[j], block);
  }
  e->first[e->n] = e->count;
  for (int i = 0, before = 0; i < ns && status == RBV_OK; before += at[i++].count)
    add_signals(e, &s[i], &at[i], before);
  rbv_free(still);
  return status;
}

/* scale the equations of a joint */
static void scale_joint(equations *e, int j, double factor) {
  const ptrdiff_t capacity = (ptrdiff_t)e->n * e->ninstant;
  e->weight[j] *= factor;
  for (int k = e->first[j]; k < e->first[j + 1]; k++) e->tau[k] *= factor;
  for (int i = 0; i < e->nact[j]; i++) {
    double *column = e->W + e->act[i + (ptrdiff_t)j * e->nc] * capacity;
    for (int k = e->first[j]; k < e->first[j + 1]; k++) column[k] *= factor;
  }
  for (int k = 0; k < e->nreduced; k++)
    for (int c = 0; c < e->nused && e->reduced_joint[k] == j; c++)
      e->reduced[k + (ptrdiff_t)c * e->nreduced] *= factor;
}

/* ---- least squares without one fold ---- */

void rbv_coupling_space_free(space *s) {
  rbv_free(s->T);
  *s = (space){0};
}

/* numbers of the columns that act in each joint */
static void list_columns(equations *e) {
  for (int j = 0; j < e->n; j++) {
    e->nact[j] = 0;
    for (int c = 0; c < e->nused; c++)
      if (e->acts[c + (ptrdiff_t)j * e->nc]) e->act[e->nact[j]++ + (ptrdiff_t)j * e->nc] = c;
  }
}

/* the equations of a joint in a fold, in the columns that act there: A, by columns */
static int gather(double *A, const equations *e, int joint, int fold) {
  const ptrdiff_t capacity = (ptrdiff_t)e->n * e->ninstant;
  const int all = e->first[joint + 1] - e->first[joint], *act = e->act + (ptrdiff_t)joint * e->nc;
  int used = 0;
  for (int i = 0; i < e->nact[joint]; i++) {
    const double *column = e->W + act[i] * capacity;
    used = 0;
    for (int k = e->first[joint]; k < e->first[joint + 1]; k++)
      if (e->fold[k] == fold) A[(ptrdiff_t)i * all + used++] = column[k];
  }
  return used;
}

/* the R factor of a joint in a fold as rows of `reduced` */
static rbv_status reduce_part(equations *e, rbv_qr *qr, double *A, double *R, int joint, int fold,
                              int room) {
  const int n = e->nact[joint], all = e->first[joint + 1] - e->first[joint];
  const int used = gather(A, e, joint, fold);
  if (used == 0) return RBV_OK;
  rbv_qr_reset(qr);
  RBV_TRY(rbv_qr_add(qr, A, used, all));
  rbv_qr_get(R, qr);
  for (int i = 0; i < n; i++) {
    const int row = e->nreduced++;
    e->reduced_joint[row] = joint;
    e->reduced_fold[row] = fold;
    for (int c = i; c < n; c++)
      e->reduced[row + (ptrdiff_t)e->act[c + (ptrdiff_t)joint * e->nc] * room] = R[i + c * n];
  }
  return RBV_OK;
}

static rbv_status reduce_joint(equations *e, double *A, double *R, int joint, int room) {
  rbv_qr *qr;
  if (e->nact[joint] == 0) return RBV_OK;
  RBV_TRY(rbv_qr_new(&qr, e->nact[joint]));
  rbv_status status = RBV_OK;
  for (int f = 0; f < FOLDS && status == RBV_OK; f++)
    status = reduce_part(e, qr, A, R, joint, f, room);
  rbv_qr_free(qr);
  return status;
}

/*
 * Weights scale the equations of a joint, so that factors with other weights follow from those of
 * each joint, which has a part of the columns only.
 */
static rbv_status reduce(equations *e) {
  int room = 0;
  list_columns(e);
  for (int j = 0; j < e->n; j++) room += FOLDS * e->nact[j];
  rbv_free(e->reduced);
  rbv_free(e->reduced_joint);
  e->nreduced = 0;
  e->reduced = rbv_alloc((size_t)room * (size_t)e->nc * sizeof *e->reduced);
  e->reduced_joint = rbv_alloc(2 * (size_t)room * sizeof *e->reduced_joint);
  e->reduced_fold = e->reduced_joint ? e->reduced_joint + room : NULL;
  double *A = rbv_alloc((size_t)e->ninstant * (size_t)e->nc * sizeof *A);
  double *R = rbv_alloc((size_t)e->nc * (size_t)e->nc * sizeof *R);
  rbv_status status = e->reduced && e->reduced_joint && A && R ? RBV_OK : RBV_EMEM;
  for (int j = 0; j < e->n && status == RBV_OK; j++) status = reduce_joint(e, A, R, j, room);
  // columns of the rows that are in use
  for (int c = 1; c < e->nc && status == RBV_OK; c++)
    memmove(e->reduced + (ptrdiff_t)c * e->nreduced, e->reduced + (ptrdiff_t)c * room,
            (size_t)e->nreduced * sizeof *e->reduced);
  rbv_free(A);
  rbv_free(R);
  return status;
}

static rbv_status factor_parts(equations *e) {
  double *A = rbv_alloc((size_t)e->nc * (size_t)e->nreduced * sizeof *A);
  if (!A) return RBV_EMEM;
  rbv_status status = RBV_OK;
  for (int f = 0; f < FOLDS && status == RBV_OK; f++) {
    ptrdiff_t used = 0;
    for (int k = 0; k < e->nreduced; k++) {
      if (e->reduced_fold[k] != f) continue;
      for (ptrdiff_t c = 0; c < e->nc; c++)
        A[used + c * e->nreduced] = e->reduced[k + c * e->nreduced];
      used++;
    }
    if (e->part[f])
      rbv_qr_reset(e->part[f]);
    else
      status = rbv_qr_new(&e->part[f], e->nc);
    if (status == RBV_OK && used > 0) status = rbv_qr_add(e->part[f], A, used, e->nreduced);
  }
  rbv_free(A);
  return status;
}

/* columns that act in a joint, by rows */
static void fill_rows(equations *e) {
  const ptrdiff_t capacity = (ptrdiff_t)e->n * e->ninstant;
  for (int j = 0; j < e->n; j++) {
    const int n = e->nact[j], from = e->first[j], count = e->first[j + 1] - from;
    double *rows = e->by_row + (ptrdiff_t)e->nc * from;
    for (int i = 0; i < n; i++) {
      const double *column = e->W + e->act[i + (ptrdiff_t)j * e->nc] * capacity + from;
      for (ptrdiff_t k = 0; k < count; k++) rows[i + k * n] = column[k];
    }
  }
}

double rbv_coupling_dot(const equations *e, const space *s, const double *a, const double *b,
                        int joint) {
  const int from = e->first[joint], to = e->first[joint + 1];
  if (s->without < 0) return rbv_dot(a + from, b + from, to - from);
  double sum = 0;
  for (int k = from; k < to; k++)
    if (e->fold[k] != s->without) sum += a[k] * b[k];
  return sum;
}

void rbv_coupling_multiply(space *s, const equations *e, const double *x, int joint) {
  const ptrdiff_t capacity = (ptrdiff_t)e->n * e->ninstant;
  for (int c = 0; c < e->nused; c++)
    if (e->acts[c + (ptrdiff_t)joint * e->nc])
      s->product[c] += rbv_coupling_dot(e, s, e->W + c * capacity, x, joint);
}

void rbv_coupling_multiply_many(double *product, const equations *e, const double *X, int count,
                                int joint, double *scratch) {
  const int n = e->nact[joint], rows = e->first[joint + 1] - e->first[joint];
  if (n == 0 || rows == 0) return;
  rbv_multiply(scratch, n, rows_of(e, joint), n, X, rows, n, rows, count);
  for (ptrdiff_t x = 0; x < count; x++)
    for (int i = 0; i < n; i++)
      product[e->act[i + (ptrdiff_t)joint * e->nc] + x * e->nc] += scratch[i + x * n];
}

void rbv_coupling_project(double *out, const space *s, int nc) {
  for (int i = 0; i < s->rank; i++) {
    out[i] = 0;
    for (int c = 0; c < nc; c++) out[i] += s->T[i + (ptrdiff_t)c * nc] * s->product[c];
  }
}

rbv_status rbv_coupling_space(space *s, const equations *e, int without) {
  const size_t nc = (size_t)e->nc;
  *s = (space){.without = without};
  double *work = rbv_alloc((2 * nc * nc + 2 * nc) * sizeof *work);
  double *memory = rbv_alloc((nc * nc + 3 * nc) * sizeof *memory);
  rbv_qr *all = NULL;
  rbv_status status = work && memory ? rbv_qr_new(&all, e->nc) : RBV_EMEM;
  for (int f = 0; f < FOLDS && status == RBV_OK; f++)
    if (f != without) status = rbv_qr_merge(all, e->part[f]);
  double *R = work, *Vt = R + nc * nc, *norm = Vt + nc * nc, *sv = norm + nc;
  if (status == RBV_OK) {
    rbv_qr_get(R, all);
    for (size_t c = 0; c < nc; c++) {
      for (size_t i = 0; i <= c; i++) norm[c] += R[i + c * nc] * R[i + c * nc];
      norm[c] = norm[c] > 0 ? sqrt(norm[c]) : 1;
      for (size_t i = 0; i <= c; i++) R[i + c * nc] /= norm[c];
    }
    status = rbv_svd(sv, NULL, Vt, R, e->nc, e->nc, e->nc);
  }
  rbv_qr_free(all);
  if (status == RBV_OK) {
    s->T = memory;
    s->product = memory + nc * nc;
    s->ut = s->product + nc;
    s->x = s->ut + nc;
    while (s->rank < e->nc && sv[s->rank] > EXCITED * sv[0]) s->rank++;
    for (size_t i = 0; i < (size_t)s->rank; i++)
      for (size_t c = 0; c < nc; c++) s->T[i + c * nc] = Vt[i + c * nc] / (sv[i] * norm[c]);
    for (int j = 0; j < e->n; j++) rbv_coupling_multiply(s, e, e->tau, j);
    rbv_coupling_project(s->ut, s, e->nc);
  } else {
    rbv_free(memory);
  }
  rbv_free(work);
  return status;
}

void rbv_coupling_solve(space *s, int nc, double *u) {
  rbv_coupling_project(u, s, nc);
  for (int c = 0; c < nc; c++) {
    s->x[c] = 0;
    for (int i = 0; i < s->rank; i++) s->x[c] += s->T[i + (ptrdiff_t)c * nc] * u[i];
  }
}

/* ---- weights ---- */

/* sum of squares of the residuals of a joint with the parameters x */
static double residual_squares(const equations *e, int joint, const double *x, double *rest) {
  const ptrdiff_t capacity = (ptrdiff_t)e->n * e->ninstant;
  const int from = e->first[joint], count = e->first[joint + 1] - from;
  memcpy(rest, e->tau + from, (size_t)count * sizeof *rest);
  for (int i = 0; i < e->nact[joint]; i++) {
    const int c = e->act[i + (ptrdiff_t)joint * e->nc];
    const double *column = e->W + c * capacity + from;
    for (int k = 0; k < count; k++) rest[k] -= column[k] * x[c];
  }
  return rbv_dot(rest, rest, count);
}

/* weights: first the torques of all joints alike, then the residuals */
rbv_status rbv_coupling_weigh(equations *e) {
  RBV_TRY(reduce(e));
  for (int j = 0; j < e->n; j++) {
    double sum = 0;
    const int rows = e->first[j + 1] - e->first[j];
    for (int i = e->first[j]; i < e->first[j + 1]; i++) sum += e->tau[i] * e->tau[i];
    if (sum > 0) scale_joint(e, j, sqrt(rows / sum));
  }
  for (int pass = 0; pass < 2; pass++) {
    space s;
    RBV_TRY(factor_parts(e));
    RBV_TRY(rbv_coupling_space(&s, e, -1));
    double *work = rbv_alloc((size_t)(e->nc + e->ninstant) * sizeof *work);
    if (work) rbv_coupling_solve(&s, e->nc, work);
    for (int j = 0; j < e->n && work; j++) {
      const double sum = residual_squares(e, j, s.x, work + e->nc);
      if (sum > 0) scale_joint(e, j, sqrt((e->first[j + 1] - e->first[j]) / sum));
    }
    rbv_coupling_space_free(&s);
    rbv_free(work);
    if (!work) return RBV_EMEM;
  }
  fill_rows(e);
  return factor_parts(e);
}

/* ---- all recordings ---- */

rbv_status rbv_coupling_equations(equations *e, const rbv_model *m, const signals *s, int ns) {
  const int n = rbv_model_joint_count(m), columns = rbv_model_column_count(m);
  *e = (equations){.n = n, .nc = columns + TERMS * (n - 1), .nused = columns};
  instants *at = rbv_alloc((size_t)ns * sizeof *at);
  rbv_status status = at ? RBV_OK : RBV_EMEM;
  for (int i = 0; i < ns && status == RBV_OK; i++) {
    status = place_instants(&at[i], m, &s[i], INSTANTS / ns);
    e->ninstant += at[i].count;
  }
  if (e->ninstant < INSTANTS / 4) e->ninstant = 0;
  if (status == RBV_OK && e->ninstant > 0) {
    status = allocate(e);
    e->correlated = correlation(s, at, ns);
    if (status == RBV_OK) status = fill(e, m, s, ns, at);
    if (status == RBV_OK) status = rbv_coupling_weigh(e);
  }
  for (int i = 0; i < ns && at; i++) free_instants(&at[i]);
  rbv_free(at);
  return status;
}
