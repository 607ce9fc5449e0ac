#include "check/prior_fit.h"

#include <math.h>
#include <string.h>
#include "linalg/linalg.h"

static void layout(workspace *b, rbv_arena *a) {
  const size_t n = (size_t)b->n, rows = (size_t)b->nrow, count = (size_t)b->count;
  const size_t size = (size_t)b->size;
  b->chi = RBV_TAKE(a, rbv_model_column_count(b->m), double);
  b->has_rotor = RBV_TAKE(a, rows, bool);
  b->q = RBV_TAKE(a, count * n, double);
  b->dq = RBV_TAKE(a, count * n, double);
  b->ddq = RBV_TAKE(a, count * n, double);
  b->rest = RBV_TAKE(a, count * n, double);
  b->tau = RBV_TAKE(a, count * rows, double);
  b->rigid = RBV_TAKE(a, count * rows * RIGID, double);
  b->W = RBV_TAKE(a, count * (size_t)rbv_model_entry_count(b->m), double);
  b->row = RBV_TAKE(a, count * WIDTH, double);
  b->friction = RBV_TAKE(a, rows, int);
  b->moving = RBV_TAKE(a, rows, int);
  b->own = RBV_TAKE(a, rows, double);
  b->gram = RBV_TAKE(a, PARTS * rows * WIDTH * WIDTH, double);
  b->H = RBV_TAKE(a, size * size, double);
  b->L = RBV_TAKE(a, size * size, double);
  b->b = RBV_TAKE(a, size, double);
  b->x = RBV_TAKE(a, 2 * size, double);
  b->open = RBV_TAKE(a, size, bool);
  b->bounded = RBV_TAKE(a, size, bool);
  for (int k = 0; k < 2; k++) {
    correction *r = k ? &b->trial : &b->now;
    r->q_from = RBV_TAKE(a, n, int);
    r->tau_from = RBV_TAKE(a, n, int);
    r->q_scale = RBV_TAKE(a, n, double);
    r->tau_scale = RBV_TAKE(a, n, double);
  }
}

void rbv_prior_copy(correction *to, const correction *from, int n) {
  memcpy(to->q_from, from->q_from, (size_t)n * sizeof(int));
  memcpy(to->tau_from, from->tau_from, (size_t)n * sizeof(int));
  memcpy(to->q_scale, from->q_scale, (size_t)n * sizeof(double));
  memcpy(to->tau_scale, from->tau_scale, (size_t)n * sizeof(double));
}

static void swap_int(int *a, int *b) {
  const int c = *a;
  *a = *b;
  *b = c;
}

static void swap_real(double *a, double *b) {
  const double c = *a;
  *a = *b;
  *b = c;
}

/* add the correction of one mistake; true if positions change */
bool rbv_prior_correct(correction *r, const workspace *b, const mistake *m) {
  const int i = m->i, j = m->j;
  switch (m->kind) {
    case NOTHING: return false;
    case FLIP_TORQUE: r->tau_scale[i] *= -1; return false;
    case FLIP_BOTH:
      r->tau_scale[i] *= -1;
      r->q_scale[i] *= -1;
      return true;
    case FLIP_POSITION: r->q_scale[i] *= -1; return true;
    case SWAP_BOTH:
    case SWAP_TORQUES:
      swap_int(&r->tau_from[i], &r->tau_from[j]);
      swap_real(&r->tau_scale[i], &r->tau_scale[j]);
      if (m->kind == SWAP_TORQUES) return false;
      // fall through
    case SWAP_POSITIONS:
      swap_int(&r->q_from[i], &r->q_from[j]);
      swap_real(&r->q_scale[i], &r->q_scale[j]);
      return true;
    case FROM_DEGREES:
      for (int k = 0; k < b->n; k++)
        if (i < 0 || k == i) r->q_scale[k] *= DEGREE;
      return true;
    case SCALE_TORQUE: r->tau_scale[i] *= m->factor; return false;
    case SCALE_BOTH: r->q_scale[i] *= m->factor; return true;
  }
  return false;
}

/* Values of the file: bodies and rotors, and apart from them columns that are no friction. Friction
 * changes with time and temperature. */
static void take_values(workspace *b, double *known, const double *prior) {
  for (int c = 0; c < rbv_model_column_count(b->m); c++) {
    const rbv_column *column = rbv_model_column(b->m, c);
    const bool rotor = rbv_column_has_law(column, "Ia");
    if (column->basis == RBV_BASIS_INERTIAL || rotor) b->chi[c] = prior[c];
    if (column->basis == RBV_BASIS_EXPRESSION) known[c] = prior[c];
    b->any_known = b->any_known || known[c] != 0;
    for (int r = 0; r < b->nrow && rotor && b->chi[c] != 0; r++)
      if (rbv_model_row(b->m, r)->joint == column->joint) b->has_rotor[r] = true;
  }
}

/* dynamics under gravity along each axis, under none, and of the known columns */
static rbv_status open_dynamics(workspace *b, const double *prior) {
  double *known = rbv_alloc((size_t)rbv_model_column_count(b->m) * sizeof *known);
  if (!known) return RBV_EMEM;
  take_values(b, known, prior);
  rbv_status status = RBV_OK;
  for (int k = 0; k < RBV_COUNT(b->axis) && status == RBV_OK; k++) {
    double g[3] = {0};
    if (k < 3) g[k] = 1;
    rbv_model_terms terms = rbv_model_get_terms(b->m);
    terms.gravity = g;
    status = rbv_model_variant(&b->variant[k], b->m, &terms);
    if (status == RBV_OK) status = rbv_dynamics_new(&b->axis[k], b->variant[k]);
    if (status == RBV_OK) status = rbv_dynamics_set(b->axis[k], b->chi, b->v->loaded);
  }
  if (status == RBV_OK) status = rbv_dynamics_new(&b->known, b->variant[3]);
  if (status == RBV_OK) status = rbv_dynamics_set(b->known, known, b->v->loaded);
  if (status == RBV_OK) status = rbv_dynamics_new(&b->d, b->m);
  rbv_free(known);
  return status;
}

rbv_status rbv_prior_prepare(workspace *b, char **memory, const examination *x, const view *v) {
  *b = (workspace){.m = x->model,
                   .v = v,
                   .n = v->njoint,
                   .nrow = v->nrow,
                   .size = 5 + v->nrow * FEATURES,
                   .count = v->nknot};
  memcpy(b->gravity, rbv_model_gravity(b->m), sizeof b->gravity);
  rbv_arena carve = {0};
  RBV_CARVE(&carve, layout(b, &carve));
  *memory = carve.base;
  if (!carve.base) return RBV_EMEM;
  for (int j = 0; j < b->n; j++) {
    b->now.q_from[j] = b->now.tau_from[j] = j;
    b->now.q_scale[j] = b->now.tau_scale[j] = 1;
  }
  for (int r = 0; r < b->nrow; r++)
    for (ptrdiff_t k = 0; k < b->count; k++)
      b->tau[k + r * b->count] = v->smooth[v->knot[k] + r * v->count];
  return open_dynamics(b, x->prior);
}

void rbv_prior_close(workspace *b, char *memory) {
  for (int k = 0; memory && k < RBV_COUNT(b->axis); k++) {
    rbv_dynamics_free(b->axis[k]);
    rbv_model_free(b->variant[k]);
  }
  if (memory) rbv_dynamics_free(b->known);
  if (memory) rbv_dynamics_free(b->d);
  rbv_free(memory);
}

/* ---- torques of the file ---- */

static double *rigid_at(const workspace *b, int part) {
  return b->rigid + part * b->nrow * b->count;
}

/* first moments and mass of the last link, which a payload adds to */
static void add_body(workspace *b, const rbv_states *states) {
  int body = 0;
  for (int c = 0; c < rbv_model_column_count(b->m); c++) {
    const rbv_column *column = rbv_model_column(b->m, c);
    if (column->basis == RBV_BASIS_INERTIAL && column->joint > body) body = column->joint;
  }
  body -= rbv_model_has_payload(b->m);
  rbv_regressor_batch(b->W, b->count, b->d, states, b->v->loaded);
  for (int r = 0; r < b->nrow; r++) {
    const rbv_row *row = rbv_model_row(b->m, r);
    for (int i = 0; i < row->count; i++) {
      const rbv_column *c = rbv_model_column(b->m, row->columns[i]);
      if (c->basis != RBV_BASIS_INERTIAL || c->joint != body || c->component < 6) continue;
      memcpy(rigid_at(b, BODY + c->component - 6) + r * b->count,
             b->W + (ptrdiff_t)(row->first + i) * b->count, (size_t)b->count * sizeof *b->W);
    }
  }
}

/* states and torques of the prior at the knots */
static void predict(workspace *b, const correction *r) {
  const view *v = b->v;
  const ptrdiff_t block = b->nrow * b->count;
  for (int j = 0; j < b->n; j++) {
    const ptrdiff_t from = r->q_from[j] * b->count, to = j * b->count;
    for (ptrdiff_t k = 0; k < b->count; k++) {
      b->q[to + k] = r->q_scale[j] * v->knot_q[from + k];
      b->dq[to + k] = r->q_scale[j] * v->knot_dq[from + k];
      b->ddq[to + k] = r->q_scale[j] * v->knot_ddq[from + k];
    }
  }
  rbv_states states = {.count = b->count, .ld = b->count, .q = b->q, .dq = b->rest, .ddq = b->rest};
  for (int k = 0; k < 3; k++)
    rbv_dynamics_rows_batch(rigid_at(b, GRAVITY + k), b->count, b->axis[k], &states);
  states.dq = b->dq;
  states.ddq = b->ddq;
  rbv_dynamics_rows_batch(rigid_at(b, INERTIA), b->count, b->axis[3], &states);
  memset(rigid_at(b, KNOWN), 0, (size_t)(block * (RIGID - KNOWN)) * sizeof(double));
  if (b->any_known) rbv_dynamics_rows_batch(rigid_at(b, KNOWN), b->count, b->known, &states);
  add_body(b, &states);
}

static double sign_of(double x) { return (x > 0) - (x < 0); }

/* velocity, its sign, and acceleration along a direction, times a gain */
static int add_direction(double *F, int used, const workspace *b, const double *direction,
                         double gain, bool inertia) {
  for (ptrdiff_t k = 0; k < b->count; k++) {
    double v = 0, a = 0;
    for (int i = 0; i < b->n; i++) {
      v += direction[i * b->n] * b->dq[k + i * b->count];
      a += direction[i * b->n] * b->ddq[k + i * b->count];
    }
    F[k + used * b->count] = gain * v;
    F[k + (used + 1) * b->count] = gain * sign_of(v);
    if (inertia) F[k + (used + 2) * b->count] = gain * a;
  }
  return used + 2 + inertia;
}

/* Columns of friction of a row, whose coefficients must not be negative: viscous and Coulomb
 * friction, rotor inertia if the prior has none, for the joint and for each motor that acts on it.
 * Returns their number. */
static int add_friction(double *F, const workspace *b, int row) {
  const rbv_row *r = rbv_model_row(b->m, row);
  const double *K = rbv_model_transmission(b->m);
  const int n = b->n, j = r->joint;
  const bool inertia = !b->has_rotor[row] && r->torque != RBV_TORQUE_JOINT;
  int used = 0;
  for (ptrdiff_t k = 0; k < b->count; k++) {
    F[k] = b->dq[k + j * b->count];
    F[k + b->count] = sign_of(b->dq[k + j * b->count]);
    if (inertia) F[k + 2 * b->count] = b->ddq[k + j * b->count];
  }
  used += 2 + inertia;
  for (int motor = 0; motor < n && used + 3 <= FEATURES; motor++) {
    bool coupled = false;
    for (int i = 0; i < n; i++) coupled |= i != j && K[motor + i * n] != 0;
    if (K[motor + j * n] == 0 || !coupled || r->torque == RBV_TORQUE_JOINT) continue;
    used = add_direction(F, used, b, K + motor, sign_of(K[motor + j * n]), inertia);
  }
  return used;
}

/* products of the columns of a row, where its joint moves: at standstill friction is undefined */
static void add_products(workspace *b, const correction *r, int row) {
  const int j = rbv_model_row(b->m, row)->joint;
  const double *tau = b->tau + (row - j + r->tau_from[j]) * b->count, *dq = b->dq + j * b->count;
  const double still = b->v->still[r->q_from[j]] * fabs(r->q_scale[j]);
  for (int c = 0; c < RIGID; c++)
    memcpy(b->row + c * b->count, rigid_at(b, c) + row * b->count,
           (size_t)b->count * sizeof *b->row);
  const int used = RIGID + (b->friction[row] = add_friction(b->row + RIGID * b->count, b, row));
  double *last = b->row + used * b->count;
  b->moving[row] = 0;
  for (ptrdiff_t k = 0; k < b->count; k++) last[k] = r->tau_scale[j] * tau[k];
  for (ptrdiff_t k = 0; k < b->count; k++) {
    if (!(fabs(dq[k]) > still)) continue;
    b->moving[row]++;
    double *G = b->gram + ((k * PARTS / b->count) * b->nrow + row) * WIDTH * WIDTH;
    for (int c = 0; c <= used; c++) {
      const double x = b->row[k + c * b->count];
      for (int i = 0; i <= c && x != 0; i++) G[i + c * WIDTH] += b->row[k + i * b->count] * x;
    }
  }
}

void rbv_prior_fill(workspace *b, const correction *r) {
  predict(b, r);
  memset(b->gram, 0, (size_t)(PARTS * b->nrow) * WIDTH * WIDTH * sizeof *b->gram);
  for (int row = 0; row < b->nrow; row++) add_products(b, r, row);
}

/* ---- fits ---- */

/* number of free factors */
static int free_count(const workspace *b, const prior_fit *f) {
  switch (f->kind) {
    case FIT_FILE: return 0;
    case FIT_SCALE:
    case FIT_FREE: return 1;
    case FIT_GRAVITY: return 4 + b->any_known;
    case FIT_JOINT: return 2;
    case FIT_BALANCE: return 3;
    case FIT_PAYLOAD: return 4;
  }
  return 0;
}

/* The file's torque of a row as fixed coefficients of its columns, and those of each unknown. */
static void describe(double fixed[RIGID], double unknown[5][RIGID], const workspace *b,
                     const prior_fit *f, int row) {
  double file[RIGID] = {0};
  for (int k = 0; k < 3; k++) file[GRAVITY + k] = b->gravity[k];
  file[INERTIA] = file[KNOWN] = 1;
  memset(fixed, 0, RIGID * sizeof *fixed);
  memset(unknown, 0, 5 * RIGID * sizeof **unknown);
  const bool own = rbv_model_row(b->m, row)->joint == f->joint;
  switch (f->kind) {
    case FIT_FILE: memcpy(fixed, file, sizeof file); return;
    case FIT_SCALE:
    case FIT_FREE: memcpy(unknown[0], file, sizeof file); return;
    case FIT_GRAVITY:
      // deviations: a direction without effect stays that of the file
      memcpy(fixed, b->gravity, sizeof b->gravity);
      for (int k = 0; k <= KNOWN; k++) unknown[k][k] = 1;
      return;
    case FIT_JOINT: memcpy(unknown[own], file, sizeof file); return;
    case FIT_BALANCE:
      memcpy(unknown[own], file, sizeof file);
      for (int k = INERTIA; k < RIGID && own; k++) {
        unknown[1][k] = 0;
        unknown[2][k] = file[k];
      }
      return;
    case FIT_PAYLOAD:
      memcpy(fixed, file, sizeof file);
      for (int k = 0; k < 4; k++) unknown[k][BODY + k] = 1;
      return;
  }
}

/* products of a row over all parts of time but one */
static void sum_parts(double *A, const workspace *b, int row, int without) {
  memset(A, 0, WIDTH * WIDTH * sizeof *A);
  for (int p = 0; p < PARTS; p++) {
    const double *G = b->gram + (p * b->nrow + row) * WIDTH * WIDTH;
    for (int i = 0; i < WIDTH * WIDTH && p != without; i++) A[i] += G[i];
  }
  for (int c = 0; c < WIDTH; c++)
    for (int i = 0; i < c; i++) A[c + i * WIDTH] = A[i + c * WIDTH];
}

/* Add a row to the normal equations; unknowns of the fit come first, then friction of each row.
 * Returns the square of the torque that is not fixed; yy: of the torque. */
static double add_row(workspace *b, const prior_fit *f, int row, int place, int without,
                      double *yy) {
  double A[WIDTH * WIDTH], fixed[RIGID], unknown[5][RIGID], column[WIDTH];
  const int n = free_count(b, f), last = RIGID + b->friction[row];
  sum_parts(A, b, row, without);
  describe(fixed, unknown, b, f, row);
  // products of every column with the torque that is not fixed
  if (f->alone)
    for (int c = 0; c <= last; c++) A[c + last * WIDTH] = A[last + c * WIDTH] /= f->gain;
  if (f->alone) A[last + last * WIDTH] /= f->gain;
  double rest = A[last + last * WIDTH];
  *yy += rest;
  for (int c = 0; c <= last; c++) {
    column[c] = A[c + last * WIDTH];
    for (int i = 0; i < RIGID; i++) column[c] -= A[c + i * WIDTH] * fixed[i];
  }
  rest = column[last];
  for (int i = 0; i < RIGID; i++) rest -= fixed[i] * column[i];
  for (int u = 0; u < n; u++) {
    double product[WIDTH] = {0};
    for (int c = 0; c < last; c++)
      for (int i = 0; i < RIGID; i++) product[c] += A[c + i * WIDTH] * unknown[u][i];
    for (int w = 0; w < n; w++)
      for (int i = 0; i < RIGID; i++) b->H[u + w * b->size] += unknown[w][i] * product[i];
    for (int i = 0; i < RIGID; i++) b->b[u] += unknown[u][i] * column[i];
    for (int c = RIGID; c < last; c++)
      b->H[u + (place + c - RIGID) * b->size] = b->H[place + c - RIGID + u * b->size] = product[c];
  }
  for (int c = RIGID; c < last; c++) {
    for (int i = RIGID; i < last; i++)
      b->H[place + i - RIGID + (place + c - RIGID) * b->size] = A[i + c * WIDTH];
    b->b[place + c - RIGID] = column[c];
  }
  return rest;
}

/* least squares over the open unknowns */
static void solve_open(workspace *b, int n) {
  int list = 0;
  double *y = b->x + b->size;
  for (int i = 0; i < n; i++) {
    b->x[i] = 0;
    if (!b->open[i]) continue;
    int to = 0;
    for (int k = 0; k < n; k++)
      if (b->open[k]) b->L[to++ + list * b->size] = b->H[k + i * b->size];
    b->L[list + list * b->size] *= 1 + RIDGE;
    y[list++] = b->b[i];
  }
  bool definite = false;
  if (rbv_cholesky(&definite, b->L, list, b->size) != RBV_OK || !definite) return;
  if (rbv_solve_cholesky(y, 1, b->size, b->L, list, b->size) != RBV_OK) return;
  for (int i = 0, k = 0; i < n; i++)
    if (b->open[i]) b->x[i] = y[k++];
}

/* unknowns below zero are closed, and opened again where the residual wants them */
void rbv_bounded_solve(workspace *b, int n) {
  for (int i = 0; i < n; i++) b->open[i] = b->H[i + i * b->size] > 0;
  for (int round = 0; round < ROUNDS; round++) {
    solve_open(b, n);
    bool changed = false;
    for (int i = 0; i < n; i++)
      if (b->open[i] && b->bounded[i] && b->x[i] < 0) {
        b->open[i] = false;
        changed = true;
      }
    if (changed) continue;
    for (int i = 0; i < n && round < ROUNDS / 2; i++) {
      double slope = b->b[i];
      for (int k = 0; k < n; k++) slope -= b->H[i + k * b->size] * b->x[k];
      if (b->open[i] || !(slope > 1e-6 * fabs(b->b[i])) || !(b->H[i + i * b->size] > 0)) continue;
      b->open[i] = changed = true;
    }
    if (!changed) return;
  }
}

void rbv_prior_solve(prior_fit *f, workspace *b, int without) {
  int n = free_count(b, f);
  memset(b->H, 0, (size_t)b->size * (size_t)b->size * sizeof *b->H);
  memset(b->b, 0, (size_t)b->size * sizeof *b->b);
  const int unknowns = n;
  double yy = 0, rss = 0;
  for (int r = 0; r < b->nrow; r++) {
    if (f->alone && r != f->row) continue;
    rss += add_row(b, f, r, n, without, &yy);
    n += b->friction[r];
  }
  // friction and the common scale are not negative; a body that the file has too much is
  for (int i = 0; i < n; i++)
    b->bounded[i] = i >= unknowns || f->kind == FIT_SCALE ||
                    ((f->kind == FIT_JOINT || f->kind == FIT_BALANCE) && i == 0) ||
                    (f->kind == FIT_GRAVITY && i >= INERTIA);
  rbv_bounded_solve(b, n);
  for (int i = 0; i < n; i++) {
    rss -= 2 * b->x[i] * b->b[i];
    for (int k = 0; k < n; k++) rss += b->x[i] * b->H[i + k * b->size] * b->x[k];
  }
  memset(f->x, 0, sizeof f->x);
  memcpy(f->x, b->x, (size_t)unknowns * sizeof *b->x);
  for (int k = 0; k < 3 && f->kind == FIT_GRAVITY; k++) f->x[k] += b->gravity[k];
  f->left = yy > 0 ? fmax(rss, 0) / yy : 0;
}
