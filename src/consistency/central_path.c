/*
 * Primal-dual path following with Nesterov-Todd scaling and Mehrotra's corrector.
 *
 * At the minimum every cone has a multiplier Z with X Z = weight, and the gradient of all terms
 * except -log det equals the sum of the forces of the Z. The scaling S of a cone makes X and Z
 * equal:
 *
 *     S X S' = inv(S)' Z inv(S) = diag(lambda)
 *
 * so that X Z has the eigenvalues lambda^2. Only S and lambda are stored. A step (dx, dz), scaled
 * with S and packed, satisfies dx = V du and dx + dz = R, where R is the desired change of lambda:
 *
 *     V'V du = -gradient + V'(lambda + R).
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "consistency/interior_point.h"

#define TO_BOUNDARY 0.98  // largest fraction of the distance to the boundary that a step takes
// squared distance from the minimum at which the method ends, about a squared Newton
#define NEAR 0.01
// decrement
#define SHORTEST 1e-6  // shorter steps make no progress
#define PATIENCE 10    // steps without progress before the method ends
#define ROUNDING (16 * DBL_EPSILON)
#define SWEEPS 30

typedef struct {
  double *S;       // size x size
  double *lambda;  // size
  double *L;       // Cholesky factor of the next X
  double target;   // final value of lambda^2
} scaling;

typedef struct {
  problem *p;
  scaling *at;          // per cone
  double *dx, *dz, *R;  // nrow
  double *A, *B, *C;    // room for the largest cone
} path;

static void layout(path *h, rbv_arena *a) {
  const problem *p = h->p;
  const int square = p->cones.largest * p->cones.largest;
  h->at = RBV_TAKE(a, p->cones.count, scaling);
  RBV_TAKE_ALL(a, p->nrow, double, &h->dx, &h->dz, &h->R);
  RBV_TAKE_ALL(a, square, double, &h->A, &h->B, &h->C);
  for (int i = 0; i < p->cones.count; i++) {
    const int s = p->cones.cone[i].size;
    scaling one = {.S = RBV_TAKE(a, s * s, double),
                   .lambda = RBV_TAKE(a, s, double),
                   .L = RBV_TAKE(a, s * s, double)};
    if (a->base) h->at[i] = one;
  }
}

/* ---- start ---- */

/* start at the prior, with multipliers that suit a weight of the size of the misfit */
static rbv_status begin(path *h, double barrier) {
  problem *p = h->p;
  rbv_problem_start(p->chi, p);
  rbv_problem_u(p->u, p, p->chi);
  rbv_problem_chi(p->chi, p, p->u);
  double misfit = 0;
  for (int k = 0; k < p->nbase; k++) misfit += p->u[k] * p->u[k];
  for (int i = 0; i < p->cones.count; i++) {
    const cone *c = &p->cones.cone[i];
    scaling *at = &h->at[i];
    at->target = c->weight + barrier;
    const double first = fmax(misfit / p->cones.order, at->target);
    rbv_cone_matrix(at->L, c, p->chi);
    if (!rbv_cone_factor(at->L, at->S, NULL, c->size))
      return rbv_fail(RBV_EINPUT,
                      "the prior contains a body without volume: give all its bodies a volume");
    for (int e = 0; e < c->size * c->size; e++) at->S[e] *= sqrt(sqrt(first));
    for (int e = 0; e < c->size; e++) at->lambda[e] = sqrt(first);
  }
  return RBV_OK;
}

/* ---- directions ---- */

/* mean excess of lambda^2 over the targets, and the distance from them as a squared Newton
 * decrement */
static void measure(double *excess, double *distance, const path *h, double smallest) {
  *excess = *distance = 0;
  for (int i = 0; i < h->p->cones.count; i++)
    for (int e = 0; e < h->p->cones.cone[i].size; e++) {
      const double square = h->at[i].lambda[e] * h->at[i].lambda[e], t = h->at[i].target;
      *excess += (square - t) / h->p->cones.order;
      *distance += (square - t) * (square - t) / (t * smallest);
    }
}

/* matrices of a cone: C = (A B + B A) / 2 */
static void jordan(double *C, const double *A, const double *B, int s) {
  for (int j = 0; j < s; j++)
    for (int i = 0; i < s; i++) {
      C[i + j * s] = 0;
      for (int k = 0; k < s; k++)
        C[i + j * s] += (A[i + k * s] * B[k + j * s] + B[i + k * s] * A[k + j * s]) / 2;
    }
}

/*
 * R of every cone from lambda o (dx + dz) = wanted - lambda^2 - dx o dz, where o is the symmetrised
 * product. The last term is the second-order effect of a first step (dx, dz); it is used only if
 * `corrected`. wanted = target + kept.
 */
static void set_wanted_change(path *h, double kept, bool corrected) {
  for (int i = 0; i < h->p->cones.count; i++) {
    const cone *c = &h->p->cones.cone[i];
    const scaling *at = &h->at[i];
    const int s = c->size;
    const double wanted = at->target + kept;
    memset(h->C, 0, (size_t)(s * s) * sizeof *h->C);
    if (corrected) {
      rbv_cone_unpack(h->A, h->dx + c->row, s);
      rbv_cone_unpack(h->B, h->dz + c->row, s);
      jordan(h->C, h->A, h->B, s);
    }
    for (int b = 0; b < s; b++)
      for (int a = 0; a < s; a++) {
        const double here = a == b ? wanted - at->lambda[a] * at->lambda[a] : 0;
        h->A[a + b * s] = 2 * (here - h->C[a + b * s]) / (at->lambda[a] + at->lambda[b]);
      }
    rbv_cone_pack(h->R + c->row, h->A, s);
  }
}

static rbv_status direction(path *h) {
  problem *p = h->p;
  memcpy(p->pulled, h->R, (size_t)p->nrow * sizeof *p->pulled);
  for (int i = 0; i < p->cones.count; i++) {
    const cone *c = &p->cones.cone[i];
    for (int j = 0, at = c->row; j < c->size; at += c->size - j, j++)
      p->pulled[at] += h->at[i].lambda[j];
  }
  for (int j = 0; j < p->n; j++) p->step[j] = -p->gradient[j];
  rbv_problem_pull(p->step, p, p->pulled);
  RBV_TRY(rbv_problem_solve(p));
  rbv_problem_push(h->dx, p, p->step);
  for (int i = 0; i < p->cones.rows; i++) h->dz[i] = h->R[i] - h->dx[i];
  return RBV_OK;
}

/* ---- step length ---- */

/* true if 1 + length D is positive definite; L: working memory */
static bool is_inside(double *L, const double *D, int s, double length) {
  for (int e = 0; e < s * s; e++) L[e] = length * D[e];
  for (int e = 0; e < s; e++) L[e + e * s] += 1;
  return rbv_cone_factor(L, NULL, NULL, s);
}

/* longest step up to limit that stays inside, with an accuracy of 1 % */
static double longest_along(double *L, const double *D, int s, double limit) {
  double norm = 0;
  for (int e = 0; e < s * s; e++) norm += D[e] * D[e];
  double low = 1 / sqrt(norm), high = limit;
  if (low >= limit || is_inside(L, D, s, limit)) return limit;
  while (high - low > 0.01 * low) {
    const double middle = (low + high) / 2;
    if (is_inside(L, D, s, middle))
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* the same for lambda + length d of all cones */
static double longest(path *h, const double *d, double limit) {
  for (int i = 0; i < h->p->cones.count; i++) {
    const cone *c = &h->p->cones.cone[i];
    const int s = c->size;
    const double *lambda = h->at[i].lambda;
    rbv_cone_unpack(h->A, d + c->row, s);
    for (int b = 0; b < s; b++)
      for (int a = 0; a < s; a++) h->A[a + b * s] /= sqrt(lambda[a] * lambda[b]);
    limit = longest_along(h->B, h->A, s, limit);
  }
  return limit;
}

/* length of the step (dx, dz): slightly less than to the boundary, at most 1 */
static double step_length(path *h) {
  const double limit = 1 / TO_BOUNDARY;
  const double length = longest(h, h->dz, longest(h, h->dx, limit));
  return length < limit ? TO_BOUNDARY * length : 1;
}

/* ---- update ---- */

/* move p->u and update L; halve the length until all X are positive definite; returns the length */
static double move(path *h, double length) {
  problem *p = h->p;
  for (; length > SHORTEST; length /= 2) {
    bool inside = true;
    for (int j = 0; j < p->n; j++) p->trial[j] = p->u[j] + length * p->step[j];
    rbv_problem_chi(p->trial_chi, p, p->trial);
    for (int i = 0; i < p->cones.count && inside; i++) {
      const cone *c = &p->cones.cone[i];
      rbv_cone_matrix(h->at[i].L, c, p->trial_chi);
      inside = rbv_cone_factor(h->at[i].L, NULL, NULL, c->size);
    }
    if (!inside) continue;
    memcpy(p->u, p->trial, (size_t)p->n * sizeof *p->u);
    return length;
  }
  return 0;
}

/* C = A B, or A' B if `transposed` */
static void multiply(double *C, const double *A, bool transposed, const double *B, int s) {
  for (int j = 0; j < s; j++)
    for (int i = 0; i < s; i++) {
      C[i + j * s] = 0;
      for (int k = 0; k < s; k++)
        C[i + j * s] += (transposed ? A[k + i * s] : A[i + k * s]) * B[k + j * s];
    }
}

/* rotate pairs of columns until all are orthogonal (one-sided Jacobi) */
static void orthogonalise(double *M, int s) {
  bool turned = true;
  for (int sweep = 0; sweep < SWEEPS && turned; sweep++) {
    turned = false;
    for (int i = 0; i < s; i++)
      for (int j = i + 1; j < s; j++) {
        double *x = M + i * s, *y = M + j * s, xx = 0, yy = 0, xy = 0;
        for (int k = 0; k < s; k++) {
          xx += x[k] * x[k];
          yy += y[k] * y[k];
          xy += x[k] * y[k];
        }
        if (!(fabs(xy) > 4 * DBL_EPSILON * sqrt(xx * yy))) continue;
        turned = true;
        const double cot = (yy - xx) / (2 * xy);
        const double tangent = copysign(1, cot) / (fabs(cot) + sqrt(1 + cot * cot));
        const double cosine = 1 / sqrt(1 + tangent * tangent), sine = tangent * cosine;
        for (int k = 0; k < s; k++) {
          const double a = x[k], b = y[k];
          x[k] = cosine * a - sine * b;
          y[k] = sine * a + cosine * b;
        }
      }
  }
}

/*
 * Compute the next S and lambda. With X = L L' and Z = Y'Y, where Y = M' S and lambda + length dz =
 * M M', the singular values of Y L = P diag(lambda) Q' are the new lambda, and S = lambda^(-1/2) P'
 * Y. Returns false if one of them is not positive in double precision.
 */
static bool rescale(path *h, double length) {
  for (int i = 0; i < h->p->cones.count; i++) {
    const cone *c = &h->p->cones.cone[i];
    scaling *at = &h->at[i];
    const int s = c->size;
    rbv_cone_unpack(h->A, h->dz + c->row, s);
    for (int e = 0; e < s * s; e++) h->A[e] *= length;
    for (int e = 0; e < s; e++) h->A[e + e * s] += at->lambda[e];
    if (!rbv_cone_factor(h->A, NULL, NULL, s)) return false;
    multiply(h->B, h->A, true, at->S, s);
    multiply(h->A, h->B, false, at->L, s);
    orthogonalise(h->A, s);
    multiply(at->S, h->A, true, h->B, s);
    for (int e = 0; e < s; e++) {
      double square = 0;
      for (int k = 0; k < s; k++) square += h->A[k + e * s] * h->A[k + e * s];
      if (!(square > DBL_MIN && isfinite(square))) return false;
      at->lambda[e] = sqrt(square);
      for (int k = 0; k < s; k++) at->S[e + k * s] /= at->lambda[e] * sqrt(at->lambda[e]);
    }
  }
  return true;
}

/* ---- iteration ---- */

/*
 * Compute p->step as the second of two directions. The first one, directly to the target, shows how
 * much of the way is possible and which second-order term it leaves out. *length: length of the
 * step.
 */
static rbv_status find_step(bool *found, double *length, path *h, double excess) {
  problem *p = h->p;
  rbv_problem_smooth(p, p->u);
  for (int i = 0; i < p->cones.count; i++) rbv_problem_scale(p, &p->cones.cone[i], h->at[i].S);
  RBV_TRY(rbv_problem_factor(found, p));
  if (!*found) return RBV_OK;
  set_wanted_change(h, 0, false);
  RBV_TRY(direction(h));
  const double rest = 1 - step_length(h);
  set_wanted_change(h, rest * rest * rest * fmax(excess, 0), true);
  RBV_TRY(direction(h));
  *length = step_length(h);
  return RBV_OK;
}

/* iterate while the objective or the distance decreases; at the end p->u is the point with the
 * smallest objective */
static rbv_status follow(iteration *m, path *h, double barrier, double smallest) {
  problem *p = h->p;
  double length = 0, excess, distance, least = INFINITY, nearest = INFINITY;
  RBV_TRY(begin(h, barrier));
  for (int idle = 0; idle < PATIENCE; m->left--, m->taken++) {
    measure(&excess, &distance, h, smallest);
    const double value = rbv_problem_value(p, barrier, p->u), noise = ROUNDING * fabs(value);
    idle = value < least - noise || distance < nearest / 2 ? 0 : idle + 1;
    if (!(value > least + noise)) memcpy(p->best, p->u, (size_t)p->n * sizeof *p->u);
    least = fmin(value, least);
    if (idle == 0) nearest = fmin(distance, nearest);
    if (m->left <= 0 || (length == 1 && distance < NEAR)) break;
    bool found;
    RBV_TRY(find_step(&found, &length, h, excess));
    if (!found) break;
    length = move(h, length);
    if (length == 0 || !rescale(h, length)) break;
  }
  memcpy(p->u, p->best, (size_t)p->n * sizeof *p->u);
  return RBV_OK;
}

rbv_status rbv_follow_path(iteration *m, problem *p, double barrier, double smallest) {
  path h = {.p = p};
  rbv_arena space = {0};
  layout(&h, &space);
  rbv_arena carve = {.base = rbv_alloc(space.used)};
  if (!carve.base) return RBV_EMEM;
  layout(&h, &carve);
  RBV_FINISH(follow(m, &h, barrier, smallest), rbv_free(carve.base));
}
