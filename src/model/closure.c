/* Kinematics of closed loops: equations, Newton's method, path of a branch, derivatives. */
#include "model/closure.h"

#include <math.h>
#include <string.h>

#include "base/support.h"
#include "model/model_thresholds.h"

RBV_THRESHOLDS(MODEL_CLOSURE);

static int rows_of(const closure_equation *e) {
  return e->kind == CLOSURE_POINT || e->kind == CLOSURE_AXIS ? 3 : 1;
}

void rbv_closure_layout(closure_work *w, const model_closure *c, rbv_arena *a) {
  RBV_TAKE_ALL(a, c->nbody, double, &w->q, &w->before, &w->step);
  RBV_TAKE_ALL(a, c->nrow, double, &w->phi, &w->rhs);
  w->pose = RBV_TAKE(a, c->nbody, rbv_pose);
  w->J = RBV_TAKE(a, c->nrow * c->nbody, double);
  w->A = RBV_TAKE(a, c->nrow * c->ndependent, double);
  w->beta = RBV_TAKE(a, c->ndependent, double);
  w->motion = RBV_TAKE(a, 9 * c->nbody, double);
}

void rbv_closure_free(model_closure *c) {
  if (!c) return;
  rbv_free(c->geometry);
  rbv_free(c->parent);
  rbv_free(c->equation);
  rbv_free(c->driven);
  rbv_free(c->dependent);
  rbv_free(c->reference);
  rbv_free(c->map);
  rbv_free(c->offset);
  rbv_free(c);
}

/* ---- vectors ---- */

static double dot(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(double out[3], const double a[3], const double b[3]) {
  const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
  out[0] = x;
  out[1] = y;
}

static void rotate(double out[3], const double R[9], const double a[3]) {
  for (int i = 0; i < 3; i++) out[i] = R[3 * i] * a[0] + R[3 * i + 1] * a[1] + R[3 * i + 2] * a[2];
}

static const rbv_pose *pose_of(const closure_work *w, int body) {
  return body < 0 ? &rbv_pose_identity : &w->pose[body];
}

/* a vector of a side of an equation in the base; with its origin if it is a point */
static void side_vector(double out[3], const closure_work *w, const closure_equation *e, int side) {
  const rbv_pose *pose = pose_of(w, e->body[side]);
  rotate(out, pose->R, e->at[side]);
  for (int i = 0; i < 3 && e->kind == CLOSURE_POINT; i++) out[i] += pose->p[i];
}

/* ---- equations and their derivative ---- */

/* p and its first two derivatives */
static void polynomial(double out[3], const double c[5], double x) {
  out[0] = out[1] = out[2] = 0;
  for (int k = 4; k >= 0; k--) {
    out[2] = out[2] * x + 2 * out[1];
    out[1] = out[1] * x + out[0];
    out[0] = out[0] * x + c[k];
  }
}

static bool carries(const model_closure *c, int upper, int body) {
  while (body > upper) body = c->parent[body];
  return body == upper;
}

/* derivative of the vector of a side by the joints that carry it and not the other side */
static void add_side(closure_work *w, const model_closure *c, const closure_equation *e, int row,
                     int side, const double x[2][3]) {
  const double sign = side == 0 ? 1 : -1;
  for (int i = e->body[side]; i >= 0; i = c->parent[i]) {
    if (carries(c, i, e->body[1 - side])) return;
    double axis[3], change[3], arm[3], *J = w->J + row + (ptrdiff_t)i * c->nrow;
    const bool slides = c->geometry[i].type == RBV_JOINT_PRISMATIC;
    rotate(axis, w->pose[i].R, c->geometry[i].axis);
    for (int k = 0; k < 3; k++)
      arm[k] = x[side][k] - (e->kind == CLOSURE_POINT ? w->pose[i].p[k] : 0);
    cross(change, axis, arm);
    for (int k = 0; k < 3 && slides; k++) change[k] = e->kind == CLOSURE_POINT ? axis[k] : 0;
    if (e->kind == CLOSURE_NORMAL)
      J[0] += dot(change, x[1 - side]);
    else
      for (int k = 0; k < 3; k++) J[k] += sign * change[k];
  }
}

static void place_equation(closure_work *w, const model_closure *c, const closure_equation *e,
                           int row) {
  double x[2][3], p[3];
  if (e->kind == CLOSURE_POLYNOMIAL) {
    const int from = e->body[1];
    polynomial(p, e->c, from < 0 ? 0 : w->q[from]);
    w->phi[row] = w->q[e->body[0]] - p[0];
    w->J[row + (ptrdiff_t)e->body[0] * c->nrow] += 1;
    if (from >= 0) w->J[row + (ptrdiff_t)from * c->nrow] -= p[1];
    return;
  }
  for (int side = 0; side < 2; side++) side_vector(x[side], w, e, side);
  if (e->kind == CLOSURE_NORMAL)
    w->phi[row] = dot(x[0], x[1]);
  else
    for (int k = 0; k < 3; k++) w->phi[row + k] = x[0][k] - x[1][k];
  for (int side = 0; side < 2; side++) add_side(w, c, e, row, side, (const double(*)[3])x);
}

void rbv_closure_place(closure_work *w, const model_closure *c) {
  for (int i = 0; i < c->nbody; i++) {
    const joint_geometry *g = &c->geometry[i];
    const double x = w->q[i] + g->offset;
    const rbv_pose step = rbv_joint_pose(g, x, sin(x), cos(x));
    w->pose[i] = rbv_pose_multiply(pose_of(w, c->parent[i]), &step);
  }
  memset(w->J, 0, (size_t)(c->nrow * c->nbody) * sizeof *w->J);
  for (int i = 0, row = 0; i < c->nequation; row += rows_of(&c->equation[i++]))
    place_equation(w, c, &c->equation[i], row);
}

double rbv_closure_residual(const closure_work *w, const model_closure *c) {
  double largest = 0;
  for (int i = 0; i < c->nrow; i++)
    if (!(fabs(w->phi[i]) <= largest)) largest = fabs(w->phi[i]);
  return largest;
}

/* ---- least squares of the dependent joints: QR of Householder ---- */

/* apply reflection k to a column */
static void reflect(double *x, const closure_work *w, const model_closure *c, int k) {
  const double *v = w->A + (ptrdiff_t)k * c->nrow;
  double sum = x[k];
  for (int i = k + 1; i < c->nrow; i++) sum += v[i] * x[i];
  sum *= w->beta[k];
  x[k] -= sum;
  for (int i = k + 1; i < c->nrow; i++) x[i] -= sum * v[i];
}

/* x <- inv(R) x, or inv(R') x */
static void solve_triangle(double *x, const closure_work *w, const model_closure *c,
                           bool transposed) {
  const int n = c->ndependent;
  for (int step = 0; step < n; step++) {
    const int i = transposed ? step : n - 1 - step;
    for (int j = transposed ? 0 : i + 1; j < (transposed ? i : n); j++)
      x[i] -=
          (transposed ? w->A[j + (ptrdiff_t)i * c->nrow] : w->A[i + (ptrdiff_t)j * c->nrow]) * x[j];
    x[i] /= w->A[i + (ptrdiff_t)i * c->nrow];
  }
}

static double normalise(double *x, int n) {
  double norm = 0;
  for (int i = 0; i < n; i++) norm += x[i] * x[i];
  norm = sqrt(norm);
  for (int i = 0; i < n && norm > 0; i++) x[i] /= norm;
  return norm;
}

/* smallest singular value of R by inverse iteration */
static double smallest_singular(closure_work *w, const model_closure *c) {
  const int n = c->ndependent;
  double *x = w->step, norm = 1;
  for (int i = 0; i < n; i++) x[i] = 1 + 0.37 * (i % 3) - 0.21 * (i % 2);
  normalise(x, n);
  for (int round = 0; round < INVERSE_ROUNDS; round++) {
    solve_triangle(x, w, c, true);
    solve_triangle(x, w, c, false);
    norm = normalise(x, n);
    if (!isfinite(norm)) return 0;
  }
  return norm > 0 ? sqrt(1 / norm) : 0;
}

double rbv_closure_factor(closure_work *w, const model_closure *c) {
  const int n = c->ndependent, rows = c->nrow;
  double all = 0;
  for (int k = 0; k < n; k++)
    memcpy(w->A + (ptrdiff_t)k * rows, w->J + (ptrdiff_t)c->dependent[k] * rows,
           (size_t)rows * sizeof *w->A);
  for (int e = 0; e < rows * n; e++) all += w->A[e] * w->A[e];
  for (int k = 0; k < n; k++) {
    double *v = w->A + (ptrdiff_t)k * rows, norm = 0;
    for (int i = k; i < rows; i++) norm += v[i] * v[i];
    norm = sqrt(norm);
    if (rows <= k || !(norm > 1e-14 * sqrt(all))) return 0;
    const double pivot = v[k] > 0 ? -norm : norm, head = v[k] - pivot;
    for (int i = k + 1; i < rows; i++) v[i] /= head;
    w->beta[k] = -head / pivot;
    v[k] = pivot;
    for (int j = k + 1; j < n; j++) reflect(w->A + (ptrdiff_t)j * rows, w, c, k);
  }
  return n > 0 ? smallest_singular(w, c) / sqrt(all) : 1;
}

void rbv_closure_loose(double *x, closure_work *w, const model_closure *c) {
  (void)smallest_singular(w, c);
  memcpy(x, w->step, (size_t)c->ndependent * sizeof *x);
}

bool rbv_closure_is_regular(double ratio) { return ratio > NEAR_SINGULAR; }

/* x (ndependent) with the smallest |A x - rhs|; rhs is lost */
static void solve(double *x, closure_work *w, const model_closure *c) {
  for (int k = 0; k < c->ndependent; k++) reflect(w->rhs, w, c, k);
  memcpy(x, w->rhs, (size_t)c->ndependent * sizeof *x);
  solve_triangle(x, w, c, false);
}

/* ---- Newton's method ---- */

bool rbv_closure_newton(closure_work *w, const model_closure *c) {
  const double enough = CLOSURE_TOLERANCE * c->length;
  double last = INFINITY;
  for (int round = 0; round < NEWTON_ROUNDS; round++) {
    rbv_closure_place(w, c);
    const double now = rbv_closure_residual(w, c);
    // at the level of rounding it does not fall any more
    if (now == 0 || (now <= enough && !(now < 0.5 * last))) return true;
    if (!(now < 1e9 * c->length) || rbv_closure_factor(w, c) == 0) return false;
    memcpy(w->rhs, w->phi, (size_t)c->nrow * sizeof *w->rhs);
    solve(w->step, w, c);
    double largest = 0;
    for (int k = 0; k < c->ndependent; k++) largest = fmax(largest, fabs(w->step[k]));
    const double scale = largest > NEWTON_STEP ? NEWTON_STEP / largest : 1;
    for (int k = 0; k < c->ndependent; k++) w->q[c->dependent[k]] -= scale * w->step[k];
    last = now;
  }
  return rbv_closure_residual(w, c) <= enough;
}

/* movement of a joint as a share of the longest step along a path */
static double share_of_step(const model_closure *c, int body, double movement) {
  const bool slides = c->geometry[body].type == RBV_JOINT_PRISMATIC;
  return fabs(movement) / (PATH_STEP * (slides ? c->length : 1));
}

/* the tangent to the target in w->step (all joints); its length in steps of the path */
static double tangent(closure_work *w, const model_closure *c, const double *target) {
  double *delta = w->motion, longest = 0;
  memset(w->rhs, 0, (size_t)c->nrow * sizeof *w->rhs);
  for (int k = 0; k < c->ndriven; k++) {
    delta[k] = target[k] - w->q[c->driven[k]];
    for (int i = 0; i < c->nrow; i++)
      w->rhs[i] -= w->J[i + (ptrdiff_t)c->driven[k] * c->nrow] * delta[k];
  }
  double *dependent = w->motion + c->ndriven;
  solve(dependent, w, c);
  for (int k = 0; k < c->ndriven; k++) w->step[c->driven[k]] = delta[k];
  for (int k = 0; k < c->ndependent; k++) w->step[c->dependent[k]] = dependent[k];
  for (int i = 0; i < c->nbody; i++) longest = fmax(longest, share_of_step(c, i, w->step[i]));
  return longest;
}

/* one step to a part of the way; false: Newton's method corrects it by more than it moved */
static bool step_along(closure_work *w, const model_closure *c, const double *target, double part,
                       double *direction) {
  memcpy(w->before, w->q, (size_t)c->nbody * sizeof *w->q);
  memcpy(direction, w->step, (size_t)c->nbody * sizeof *w->step);
  for (int i = 0; i < c->nbody; i++) w->q[i] += part * direction[i];
  for (int k = 0; k < c->ndriven && part == 1; k++) w->q[c->driven[k]] = target[k];
  bool good = rbv_closure_newton(w, c);
  for (int i = 0; i < c->nbody && good; i++)
    good = share_of_step(c, i, w->q[i] - w->before[i] - part * direction[i]) <= PATH_CORRECTION;
  if (!good) memcpy(w->q, w->before, (size_t)c->nbody * sizeof *w->q);
  return good;
}

bool rbv_closure_follow(closure_work *w, const model_closure *c, const double *target,
                        double regular, double *share) {
  double left = 1, shrink = 1, *direction = w->motion + c->nbody;
  if (share) *share = 0;
  rbv_closure_place(w, c);
  for (int step = 0; step < PATH_STEPS; step++) {
    if (!(rbv_closure_factor(w, c) > regular)) return false;
    if (share) *share = 1 - left;
    if (left == 0) return true;
    const double longest = tangent(w, c, target);
    if (!(longest < 1e9)) return false;
    const double part = longest > shrink ? shrink / longest : 1;
    if (step_along(w, c, target, part, direction)) {
      left *= 1 - part;
      shrink = fmin(1, 2 * shrink);
    } else {
      shrink /= 2;
      rbv_closure_place(w, c);
      if (shrink < PATH_SHRINK) return false;
    }
  }
  return false;
}

/* ---- derivatives ---- */

void rbv_closure_rates(double *G, closure_work *w, const model_closure *c) {
  memset(G, 0, (size_t)(c->nbody * c->ndriven) * sizeof *G);
  for (int a = 0; a < c->ndriven; a++) {
    double *column = G + (ptrdiff_t)a * c->nbody;
    for (int i = 0; i < c->nrow; i++) w->rhs[i] = -w->J[i + (ptrdiff_t)c->driven[a] * c->nrow];
    solve(w->step, w, c);
    column[c->driven[a]] = 1;
    for (int k = 0; k < c->ndependent; k++) column[c->dependent[k]] = w->step[k];
  }
}

/* angular velocity, and angular and linear acceleration of the origin of every body, base axes */
static void move_bodies(closure_work *w, const model_closure *c, const double *dq) {
  static const double still[9] = {0};
  for (int i = 0; i < c->nbody; i++) {
    const int parent = c->parent[i];
    const double *up = parent < 0 ? still : w->motion + 9 * parent;
    double *m = w->motion + 9 * i, axis[3], arm[3], x[3];
    rotate(axis, w->pose[i].R, c->geometry[i].axis);
    for (int k = 0; k < 3; k++) {
      axis[k] *= dq[i];
      arm[k] = w->pose[i].p[k] - pose_of(w, parent)->p[k];
    }
    memcpy(m, up, 9 * sizeof *m);
    cross(x, up, arm);
    cross(x, up, x);
    for (int k = 0; k < 3; k++) m[6 + k] += x[k];
    cross(x, up + 3, arm);
    for (int k = 0; k < 3; k++) m[6 + k] += x[k];
    cross(x, up, axis);
    const bool slides = c->geometry[i].type == RBV_JOINT_PRISMATIC;
    for (int k = 0; k < 3; k++) {
      if (slides)
        m[6 + k] += 2 * x[k];
      else
        m[3 + k] += x[k];
      if (!slides) m[k] += axis[k];
    }
  }
}

/* velocity and acceleration of the vector of a side */
static void move_side(double velocity[3], double acceleration[3], const closure_work *w,
                      const closure_equation *e, int side) {
  static const double still[9] = {0};
  const double *m = e->body[side] < 0 ? still : w->motion + 9 * e->body[side];
  double arm[3], x[3];
  rotate(arm, pose_of(w, e->body[side])->R, e->at[side]);
  cross(velocity, m, arm);
  cross(x, m, velocity);
  cross(acceleration, m + 3, arm);
  for (int k = 0; k < 3; k++) acceleration[k] += x[k] + (e->kind == CLOSURE_POINT ? m[6 + k] : 0);
}

void rbv_closure_bias(double *bias, closure_work *w, const model_closure *c, const double *dq) {
  move_bodies(w, c, dq);
  for (int i = 0, row = 0; i < c->nequation; row += rows_of(&c->equation[i++])) {
    const closure_equation *e = &c->equation[i];
    double x[2][3], v[2][3], a[2][3], p[3];
    if (e->kind == CLOSURE_POLYNOMIAL) {
      const int from = e->body[1];
      polynomial(p, e->c, from < 0 ? 0 : w->q[from]);
      w->rhs[row] = from < 0 ? 0 : p[2] * dq[from] * dq[from];
      continue;
    }
    for (int side = 0; side < 2; side++) {
      side_vector(x[side], w, e, side);
      move_side(v[side], a[side], w, e, side);
    }
    if (e->kind == CLOSURE_NORMAL)
      w->rhs[row] = -(dot(a[0], x[1]) + 2 * dot(v[0], v[1]) + dot(x[0], a[1]));
    else
      for (int k = 0; k < 3; k++) w->rhs[row + k] = a[1][k] - a[0][k];
  }
  memset(bias, 0, (size_t)c->nbody * sizeof *bias);
  solve(w->step, w, c);
  for (int k = 0; k < c->ndependent; k++) bias[c->dependent[k]] = w->step[k];
}

/* ---- linear closures ---- */

/* all joints at the driven positions reference + movement, by the map */
static void place_by_map(closure_work *w, const model_closure *c, const double *movement) {
  for (int i = 0; i < c->nbody; i++) {
    w->q[i] = c->reference[i];
    for (int a = 0; a < c->ndriven; a++) w->q[i] += c->map[i + a * c->nbody] * movement[a];
  }
  rbv_closure_place(w, c);
}

/* an analytic function that is zero at scattered points of a region is zero everywhere */
static bool closes_everywhere(closure_work *w, const model_closure *c) {
  double *movement = w->motion;
  uint64_t state = 1;
  for (int trial = 0; trial < LINEAR_TRIALS; trial++) {
    for (int a = 0; a < c->ndriven; a++) {
      const bool slides = c->geometry[c->driven[a]].type == RBV_JOINT_PRISMATIC;
      state = state * 6364136223846793005u + 1442695040888963407u;
      movement[a] = ((double)(state >> 33) / 1073741824.0 - 1) * (slides ? c->length : 1);
    }
    place_by_map(w, c, movement);
    if (!(rbv_closure_residual(w, c) <= LINEAR_GAP * c->length)) return false;
  }
  return true;
}

rbv_status rbv_closure_find_map(model_closure *c, closure_work *w) {
  const size_t n = (size_t)c->nbody;
  c->map = rbv_alloc(n * (size_t)c->ndriven * sizeof *c->map);
  c->offset = rbv_alloc(n * sizeof *c->offset);
  if (!c->map || !c->offset) return RBV_EMEM;
  memcpy(w->q, c->reference, n * sizeof *w->q);
  rbv_closure_place(w, c);
  if (!rbv_closure_is_regular(rbv_closure_factor(w, c))) return RBV_OK;
  rbv_closure_rates(c->map, w, c);
  // whole numbers and zeros without rounding, so that the map is sparse
  for (size_t e = 0; e < n * (size_t)c->ndriven; e++)
    if (fabs(c->map[e] - rint(c->map[e])) <= LINEAR_ROUNDING) c->map[e] = rint(c->map[e]);
  for (int i = 0; i < c->nbody; i++) {
    c->offset[i] = c->reference[i];
    for (int a = 0; a < c->ndriven; a++)
      c->offset[i] -= c->map[i + a * c->nbody] * c->reference[c->driven[a]];
  }
  for (int a = 0; a < c->ndriven; a++) c->offset[c->driven[a]] = 0;
  c->linear = closes_everywhere(w, c);
  return RBV_OK;
}

/* ---- rank ---- */

int rbv_closure_independent(bool *taken, double *work, const closure_work *w,
                            const model_closure *c, const int *joints, int count) {
  int rank = 0;
  for (int k = 0; k < count; k++) {
    double *x = work + (ptrdiff_t)rank * c->nrow;
    memcpy(x, w->J + (ptrdiff_t)joints[k] * c->nrow, (size_t)c->nrow * sizeof *x);
    const double whole = normalise(x, c->nrow);
    double rest = whole > 0 ? 1 : 0;
    // twice: the first time leaves rounding
    for (int pass = 0; pass < 2; pass++) {
      for (int r = 0; r < rank; r++) {
        const double *base = work + (ptrdiff_t)r * c->nrow;
        double sum = 0;
        for (int i = 0; i < c->nrow; i++) sum += base[i] * x[i];
        for (int i = 0; i < c->nrow; i++) x[i] -= sum * base[i];
      }
      rest *= normalise(x, c->nrow);
    }
    taken[k] = rank < c->nrow && rest > INDEPENDENT;
    rank += taken[k];
  }
  return rank;
}
