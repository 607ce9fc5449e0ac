#include "bench.h"

#include <math.h>
#include <roberval/dynamics.h>
#include <roberval/log.h>
#include <roberval/system.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

#define N BENCH_JOINTS
#define SUBSTEPS 4
#define GAMMA 150

const char *const bench_true[BENCH_TRUE] = {"ZZ1", "Fv1", "Fc1", "XX2", "XZ2", "ZZ2",  "MX2",
                                            "Fv2", "Fc2", "XX3", "ZZ3", "MY3", "Ia3",  "Fv3",
                                            "Fc3", "MX4", "Ia4", "Fv4", "Fc4", "MY5",  "Ia5",
                                            "Fv5", "Fc5", "Ia6", "Fv6", "Fc6", "fvm6", "fcm6"};

bench_options bench_defaults(void) {
  return (bench_options){.bandwidth = 2, .integral = 0.2, .roll_off = 10};
}

rbv_model *bench_model(void) {
  rbv_model_options o = rbv_model_defaults();
  o.gamma = GAMMA;
  rbv_model *m;
  assert_ok(rbv_model_load(&m, "tx40", &o));
  return m;
}

double *bench_reference(void) {
  double *q = malloc(BENCH_SAMPLES * N * sizeof *q);
  FILE *f = fopen(TEST_DATA "/tx40_reference.txt", "r");
  if (!q || !f) fail_msg("no reference trajectory");
  int joint, first, last, samples = 0;
  double c[4];
  char line[256];
  while (fgets(line, sizeof line, f)) {
    if (line[0] == '#') continue;
    assert_int_equal(
        sscanf(line, "%d %d %d %lf %lf %lf %lf", &joint, &first, &last, &c[0], &c[1], &c[2], &c[3]),
        7);
    assert_true(joint >= 1 && joint <= N && first >= 0 && last < BENCH_SAMPLES);
    for (int k = first; k <= last; k++, samples++) {
      const double s = last > first ? (double)(k - first) / (last - first) : 0;
      q[k + (joint - 1) * BENCH_SAMPLES] = c[0] + s * (c[1] + s * (c[2] + s * c[3]));
    }
  }
  fclose(f);
  assert_int_equal(samples, BENCH_SAMPLES * N);
  return q;
}

/* ---- the controller ---- */

/* PID on q_r - q: backward Euler in the integral, a filter on the derivative */
typedef struct {
  double kp, ki, kd, pole;  // kd (1 - pole) / Ts in front of a difference
  double integral, derivative, last;
} pid;

static void tune(pid c[N], const double inertia[N], const bench_options *o) {
  static const double base_hz[N] = {6, 6, 8, 12, 12, 20};
  for (int j = 0; j < N; j++) {
    const double w = 2 * M_PI * base_hz[j] * o->bandwidth, Tf = 1 / (o->roll_off * w);
    c[j] = (pid){.kp = inertia[j] * w * w, .pole = exp(-1 / (BENCH_RATE * Tf))};
    c[j].ki = o->integral * w * c[j].kp / BENCH_RATE;
    c[j].kd = 2 * inertia[j] * w * (1 - c[j].pole) * BENCH_RATE;
  }
}

static double act(pid *c, double error) {
  c->integral += c->ki * error;
  c->derivative = c->pole * c->derivative + c->kd * (error - c->last);
  c->last = error;
  return c->kp * error + c->integral + c->derivative;
}

/* ---- the plant ---- */

typedef struct {
  double q[N], dq[N];
} plant_state;

static void rate(plant_state *d, rbv_dynamics *dyn, const plant_state *x, const double *tau) {
  bool regular;
  memcpy(d->q, x->dq, sizeof d->q);
  rbv_dynamics_forward(d->dq, &regular, dyn, x->q, x->dq, tau);
  assert_true(regular);
}

static plant_state along(const plant_state *x, const plant_state *d, double h) {
  plant_state y;
  for (int j = 0; j < N; j++) {
    y.q[j] = x->q[j] + h * d->q[j];
    y.dq[j] = x->dq[j] + h * d->dq[j];
  }
  return y;
}

/* one tick of held torque; a: acceleration at its beginning */
static void advance(plant_state *x, double *a, rbv_dynamics *dyn, const double *tau) {
  const double h = 1 / (BENCH_RATE * SUBSTEPS);
  for (int i = 0; i < SUBSTEPS; i++) {
    plant_state k1, k2, k3, k4, y;
    rate(&k1, dyn, x, tau);
    if (i == 0) memcpy(a, k1.dq, sizeof k1.dq);
    y = along(x, &k1, h / 2);
    rate(&k2, dyn, &y, tau);
    y = along(x, &k2, h / 2);
    rate(&k3, dyn, &y, tau);
    y = along(x, &k3, h);
    rate(&k4, dyn, &y, tau);
    for (int j = 0; j < N; j++) {
      x->q[j] += h / 6 * (k1.q[j] + 2 * k2.q[j] + 2 * k3.q[j] + k4.q[j]);
      x->dq[j] += h / 6 * (k1.dq[j] + 2 * k2.dq[j] + 2 * k3.dq[j] + k4.dq[j]);
    }
  }
}

/* ---- a run ---- */

/* every 50th sample, as the other program has it: all of them would give 1e-4 more */
static void largest_inertia(double J[N], rbv_dynamics *d, const double *reference) {
  double q[N], M[N * N];
  memset(J, 0, N * sizeof *J);
  for (int k = 0; k < BENCH_SAMPLES; k += 50) {
    for (int j = 0; j < N; j++) q[j] = reference[k + j * BENCH_SAMPLES];
    rbv_dynamics_mass(M, d, q);
    for (int j = 0; j < N; j++) J[j] = fmax(J[j], M[j + j * N]);
  }
}

/* AR(1) noise at 20 Hz, of unit variance: kept in state, one step */
static double colour(double *state, uint64_t seed, int joint, ptrdiff_t k) {
  const double a = exp(-2 * M_PI * 20 / BENCH_RATE);
  const double white = rbv_random_normal(seed, (uint64_t)(10 + joint), (uint64_t)k);
  *state = k == 0 ? white : a * *state + sqrt(1 - a * a) * white;
  return *state;
}

/* the loop; disturbance: deviation for each joint [N m] */
static void run(bench_run *r, rbv_dynamics *d, const double *reference, const double *shift,
                const double *disturbance, const bench_options *o) {
  pid c[N];
  plant_state x = {0};
  double noise[N] = {0}, tau[N], applied[N], a[N];
  tune(c, r->inertia, o);
  for (int j = 0; j < N; j++) x.q[j] = reference[j * BENCH_SAMPLES] + shift[j];
  for (ptrdiff_t k = 0; k < r->count; k++) {
    for (int j = 0; j < N; j++) {
      const ptrdiff_t at = k + j * r->count;
      tau[j] = act(&c[j], reference[k + j * BENCH_SAMPLES] + shift[j] - x.q[j]);
      applied[j] = tau[j];
      if (disturbance[j] > 0) applied[j] += disturbance[j] * colour(&noise[j], o->seed, j, k);
      r->q[at] = x.q[j];
      r->dq[at] = x.dq[j];
      r->tau[at] = tau[j];
    }
    advance(&x, a, d, applied);
    for (int j = 0; j < N; j++) {
      r->ddq[k + j * r->count] = a[j];
      if (!(fabs(x.q[j]) < 10)) fail_msg("joint %d runs away at sample %td", j + 1, k);
    }
  }
}

static double deviation(const double *x, ptrdiff_t count) {
  double mean = 0, sum = 0;
  for (ptrdiff_t k = 0; k < count; k++) mean += x[k] / (double)count;
  for (ptrdiff_t k = 0; k < count; k++) sum += (x[k] - mean) * (x[k] - mean);
  return sqrt(sum / (double)count);
}

static void record(bench_run *r, double counts) {
  const double step = counts > 0 ? 2 * M_PI / counts : 0;
  for (ptrdiff_t k = 0; k < r->count * N; k++)
    r->recorded[k] = step > 0 ? step * nearbyint(r->q[k] / step) : r->q[k];
}

void bench_new(bench_run *out, const rbv_model *m, ptrdiff_t count, const bench_options *o) {
  *out = (bench_run){.count = count};
  double **block[] = {&out->q, &out->dq, &out->ddq, &out->tau, &out->recorded};
  for (int i = 0; i < 5; i++) {
    *block[i] = malloc((size_t)count * N * sizeof(double));
    assert_non_null(*block[i]);
  }
  double *reference = bench_reference(), shift[N] = {0}, disturbance[N] = {0};
  rbv_dynamics *d;
  assert_ok(rbv_dynamics_new(&d, m));
  assert_ok(rbv_dynamics_set(d, rbv_model_parameters(m), false));
  largest_inertia(out->inertia, d, reference);
  if (o->disturbance > 0) {
    // its size is that of the torque without it
    run(out, d, reference, shift, disturbance, o);
    for (int j = 0; j < N; j++) {
      disturbance[j] = o->disturbance * deviation(out->tau + j * count, count);
      if (o->counts > 0)
        shift[j] = (rbv_random_uniform(o->seed, 1, (uint64_t)j) - 0.5) * 2 * M_PI / o->counts;
    }
  }
  run(out, d, reference, shift, disturbance, o);
  record(out, o->counts);
  rbv_dynamics_free(d);
  free(reference);
}

void bench_free(bench_run *r) {
  free(r->q);
  free(r->dq);
  free(r->ddq);
  free(r->tau);
  free(r->recorded);
  *r = (bench_run){0};
}

rbv_motion *bench_motion(const bench_run *r, const rbv_model *m, double cutoff_hz) {
  static const char *const names[] = {"t",    "q1",   "q2",   "q3",   "q4",   "q5",  "q6",
                                      "tau1", "tau2", "tau3", "tau4", "tau5", "tau6"};
  const size_t block = (size_t)r->count * N;
  double *A = malloc((block * 2 + (size_t)r->count) * sizeof *A);
  for (ptrdiff_t k = 0; k < r->count; k++) A[k] = (double)k / BENCH_RATE;
  memcpy(A + r->count, r->recorded, block * sizeof *A);
  memcpy(A + r->count + block, r->tau, block * sizeof *A);
  rbv_log *log;
  assert_ok(rbv_log_new(&log, "bench", names, 1 + 2 * N, A, r->count, r->count));
  free(A);
  const rbv_differentiate_options o = {.cutoff_hz = cutoff_hz};
  rbv_motion *motion;
  assert_ok(rbv_motion_from_log(&motion, m, log, &o));
  rbv_log_free(log);
  return motion;
}

int bench_lost(const rbv_estimate *e, const rbv_model *m) {
  int lost = BENCH_TRUE;
  for (int i = 0; i < BENCH_TRUE; i++) {
    bool there = false;
    for (int k = 0; k < e->base->count; k++)
      there = there || (e->base->kept[k] == rbv_model_find(m, bench_true[i]) &&
                        e->status[k] != RBV_STATUS_NOT_IDENTIFIABLE);
    if (!there) print_error("lost: %s\n", bench_true[i]);
    lost -= there;
  }
  return lost;
}
