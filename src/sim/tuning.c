/*
 * Gains for a whole arm. A PID law that is tuned for the inertia M_jj of its own joint can be
 * unstable in the arm: the other joints give way, and what the motor then moves, 1/(M^-1)_jj, is
 * much less where a robot file has no rotor inertias. The sampled, linearised loop of all joints
 * tells whether it is stable.
 */
#include <math.h>
#include <string.h>
#include "linalg/linalg.h"

#include "sim/sim_internal.h"

#define PARTS 5       // per joint: position, velocity, integral, derivative, last position
#define SQUARINGS 22  // the radius is that of the power 2^22: right to 1e-6 for norms up to 100
#define POSITIONS 16  // of the reference that are examined
#define SOFTER 6      // steps from the inertia of a joint to that with free neighbours

/* An arm of n joints at some positions, and work space; matrices have PARTS n rows. */
typedef struct {
  int n, size, count;   // joints, rows, positions
  double *q, *M;        // n, n x n
  double *inverse;      // POSITIONS blocks n x n: inverse mass matrices
  double *least;        // n: smallest 1/(M^-1)_jj
  double *torque;       // n x size: by the state
  double *A, *squared;  // of the state from one tick to the next
} loop;

static rbv_status new_loop(loop *l, int n) {
  *l = (loop){.n = n, .size = PARTS * n};
  char *memory = NULL;
  for (int pass = 0; pass < 2; pass++) {
    rbv_arena a = {.base = memory};
    l->q = RBV_TAKE(&a, n, double);
    l->M = RBV_TAKE(&a, n * n, double);
    l->inverse = RBV_TAKE(&a, POSITIONS * n * n, double);
    l->least = RBV_TAKE(&a, n, double);
    l->torque = RBV_TAKE(&a, n * l->size, double);
    l->A = RBV_TAKE(&a, l->size * l->size, double);
    l->squared = RBV_TAKE(&a, l->size * l->size, double);
    if (pass == 0 && !(memory = rbv_alloc(a.used))) return RBV_EMEM;
  }
  return RBV_OK;
}

/* inverse of the mass matrix at sample k of the reference */
static rbv_status invert_mass(double *inverse, loop *l, rbv_dynamics *d, const rbv_sim_reference *r,
                              ptrdiff_t k) {
  const int n = l->n;
  for (int j = 0; j < n; j++) l->q[j] = r->q[k + j * r->ld];
  rbv_dynamics_mass(l->M, d, l->q);
  bool definite;
  RBV_TRY(rbv_cholesky(&definite, l->M, n, n));
  if (!definite) return rbv_fail(RBV_ENUM, "the mass matrix is not positive definite");
  memset(inverse, 0, (size_t)(n * n) * sizeof *inverse);
  for (int j = 0; j < n; j++) inverse[j + j * n] = 1;
  return rbv_solve_cholesky(inverse, n, n, l->M, n, n);
}

static rbv_status take_positions(loop *l, rbv_dynamics *d, const rbv_sim_reference *r) {
  const int n = l->n;
  for (int j = 0; j < n; j++) l->least[j] = INFINITY;
  const ptrdiff_t stride = (r->count + POSITIONS - 1) / POSITIONS;
  for (ptrdiff_t k = 0; k < r->count; k += stride, l->count++) {
    double *inverse = l->inverse + l->count * n * n;
    RBV_TRY(invert_mass(inverse, l, d, r, k));
    for (int j = 0; j < n; j++) l->least[j] = fmin(l->least[j], 1 / inverse[j + j * n]);
  }
  return RBV_OK;
}

/*
 * The state is (q, v, I, D, last q). With e = -q the controller computes
 *   I <- I + T e,  D <- p D + (1 - p)/T (last q - q),  torque = k_p e + k_i I + k_d D
 * and the arm moves with constant torque over the tick: v <- v + T M^-1 torque, and so on.
 */
static void make_transition(loop *l, const double *inverse, const rbv_control_joint *joint,
                            double T) {
  const int n = l->n, size = l->size;
  double *A = l->A;
  memset(A, 0, (size_t)(size * size) * sizeof *A);
  memset(l->torque, 0, (size_t)(n * size) * sizeof *l->torque);
  const int v = n, integral = 2 * n, derivative = 3 * n, last = 4 * n;
  for (int j = 0; j < n; j++) {
    const rbv_control_joint *c = &joint[j];
    const double p = c->filter_s > 0 ? exp(-T / c->filter_s) : 0;
    A[integral + j + j * size] = -T;
    A[integral + j + (integral + j) * size] = 1;
    A[derivative + j + j * size] = -(1 - p) / T;
    A[derivative + j + (derivative + j) * size] = p;
    A[derivative + j + (last + j) * size] = (1 - p) / T;
    A[last + j + j * size] = 1;
    A[j + j * size] = 1;
    A[j + (v + j) * size] = T;
    A[v + j + (v + j) * size] = 1;
    for (int k = 0; k < size; k++)
      l->torque[j + k * n] =
          c->k_i * A[integral + j + k * size] + c->k_d * A[derivative + j + k * size];
    l->torque[j + j * n] -= c->k_p;
  }
  for (int column = 0; column < size; column++)
    for (int i = 0; i < n; i++) {
      double acceleration = 0;
      for (int j = 0; j < n; j++) acceleration += inverse[i + j * n] * l->torque[j + column * n];
      A[i + column * size] += T * T / 2 * acceleration;
      A[v + i + column * size] += T * acceleration;
    }
}

static double largest_entry(const double *A, int count) {
  double most = 0;
  for (int i = 0; i < count; i++) most = fmax(most, fabs(A[i]));
  return most;
}

/* logarithm of the largest |eigenvalue| of A, from the norm of a high power of A */
static double log_radius(loop *l) {
  const int size = l->size, count = size * size;
  double log_norm = 0, share = 1;  // ln |A^(2^k)| / 2^k, and 1/2^k
  for (int k = 0; k < SQUARINGS; k++) {
    const double norm = largest_entry(l->A, count);
    if (!(norm > 0) || !isfinite(norm)) return norm > 0 ? INFINITY : -INFINITY;
    log_norm += share * log(norm);
    for (int i = 0; i < count; i++) l->A[i] /= norm;
    rbv_multiply(l->squared, size, l->A, size, l->A, size, size, size, size);
    double *const swap = l->A;
    l->A = l->squared;
    l->squared = swap;
    share /= 2;
  }
  return log_norm;
}

/* rate at which the slowest disturbance decays [1/s], the smallest of all positions; negative: the
 * loop is unstable */
static double decay(loop *l, const rbv_control_joint *joint, double rate_hz) {
  double worst = -INFINITY;
  for (int i = 0; i < l->count; i++) {
    make_transition(l, l->inverse + i * l->n * l->n, joint, 1 / rate_hz);
    worst = fmax(worst, log_radius(l));
  }
  return -worst * rate_hz;
}

/* what is changed of laws that were asked for */
typedef struct {
  double softer;    // 0: inertias as given, 1: those with free neighbours
  double slower;    // factor of the bandwidths
  double integral;  // factor of the integral gains
} change;

static void make_laws(rbv_control_joint *joint, const loop *l, const rbv_sim_tuning *t,
                      const change *c) {
  for (int j = 0; j < l->n; j++) {
    const double J = t->inertia[j] * pow(l->least[j] / t->inertia[j], c->softer);
    joint[j] =
        rbv_control_tune(J, c->slower * t->bandwidth[j], c->integral * t->integral, t->roll_off);
  }
}

/* the laws whose slowest disturbance decays fastest */
static void search(rbv_control_joint *joint, bool *softened, loop *l, const rbv_sim_tuning *t) {
  static const double integrals[] = {1, 0.5, 0.25, 0.1}, bandwidths[] = {1, 0.5};
  change best = {0, 1, 1};
  double fastest = 0;
  for (int i = 1; i <= SOFTER; i++)
    for (int b = 0; b < RBV_COUNT(bandwidths); b++)
      for (int k = 0; k < RBV_COUNT(integrals); k++) {
        const change c = {(double)i / SOFTER, bandwidths[b], integrals[k]};
        make_laws(joint, l, t, &c);
        const double rate = decay(l, joint, t->rate_hz);
        if (!(rate > fastest)) continue;
        fastest = rate;
        best = c;
      }
  *softened = fastest > 0;
  make_laws(joint, l, t, &best);
}

rbv_status rbv_sim_tune(rbv_control_joint *joint, bool *softened, const rbv_model *m,
                        const double *chi, bool loaded, const rbv_sim_reference *r,
                        const rbv_sim_tuning *t) {
  if (!joint || !softened || !m || !chi || !r || r->count < 1 || !t || !t->inertia ||
      !t->bandwidth || !(t->rate_hz > 0))
    return rbv_fail(RBV_EARG, "tuning needs parameters, a reference, inertias and bandwidths");
  *softened = false;
  loop l = {0};
  rbv_dynamics *d = NULL;
  rbv_status status = rbv_dynamics_new(&d, m);
  if (status == RBV_OK) status = rbv_dynamics_set(d, chi, loaded);
  if (status == RBV_OK) status = rbv_dynamics_check_forward(d);
  if (status == RBV_OK) status = new_loop(&l, rbv_model_joint_count(m));
  if (status == RBV_OK) status = take_positions(&l, d, r);
  if (status == RBV_OK) {
    make_laws(joint, &l, t, &(change){0, 1, 1});
    if (!(decay(&l, joint, t->rate_hz) > 0)) search(joint, softened, &l, t);
  }
  rbv_free(l.q);
  rbv_dynamics_free(d);
  return status;
}
