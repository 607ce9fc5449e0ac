/* Batches, their sine function, allocations, and threads that share a model. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/support.h"
#include "dynamics/kernel.h"
#include "robots.h"

/* ---- batches ---- */

#define SAMPLES 40
#define LONGEST 17

typedef struct {
  double q[N_MAX * SAMPLES], dq[N_MAX * SAMPLES], ddq[N_MAX * SAMPLES], tau[N_MAX * SAMPLES];
} motions;

/* one sample is far outside the range of the kernel's sine function */
static void fill_motions(motions *s, int n) {
  for (int k = 0; k < SAMPLES; k++) {
    double x[4][N_MAX];
    random_motion(x[0], x[1], x[2], n, (uint64_t)k);
    random_vector(x[3], n, 30, 14, (uint64_t)k);
    if (k == 21) x[0][0] = 3e7;
    for (int j = 0; j < n; j++) {
      s->q[k + j * SAMPLES] = x[0][j];
      s->dq[k + j * SAMPLES] = x[1][j];
      s->ddq[k + j * SAMPLES] = x[2][j];
      s->tau[k + j * SAMPLES] = x[3][j];
    }
  }
}

typedef struct {
  double *tau, *ddq, *W;  // n, n, entries, each x ld
  bool regular[SAMPLES];
} results;

static results new_results(const robot *r, ptrdiff_t ld) {
  const size_t n = (size_t)(r->n * ld), ne = (size_t)(rbv_model_entry_count(r->m) * ld);
  return (results){
      calloc(n, sizeof(double)), calloc(n, sizeof(double)), calloc(ne, sizeof(double)), {0}};
}

static void free_results(results *o) {
  free(o->tau);
  free(o->ddq);
  free(o->W);
}

static void compute(results *o, ptrdiff_t ld, robot *r, const motions *s, int first, int count) {
  const rbv_states states = {
      .count = count, .ld = SAMPLES, .q = s->q + first, .dq = s->dq + first, .ddq = s->ddq + first};
  rbv_dynamics_inverse_batch(o->tau, ld, r->d, &states);
  rbv_dynamics_forward_batch(o->ddq, ld, o->regular, r->d, &states, s->tau + first, SAMPLES);
  rbv_regressor_batch(o->W, ld, r->d, &states, true);
}

static void assert_same_bytes(const double *got, ptrdiff_t ld, const double *want, int first,
                              int rows, int count) {
  for (int i = 0; i < rows; i++)
    assert_memory_equal(got + i * ld, want + first + i * SAMPLES, (size_t)count * sizeof *got);
}

/* the mixed robot with a payload, two torques per joint and smooth friction */
static robot make_mixed(void) {
  rbv_model_options options = rbv_model_defaults();
  options.payload = true;
  options.gamma = 150;
  options.sensing = RBV_SENSING_BOTH;
  return make(mixed, &options);
}

/* the entries of selected columns are the same to the bit: every column alone, then pairs */
static void test_selected_columns(void **state) {
  (void)state;
  static motions s;
  robot r = make_mixed();
  fill_motions(&s, r.n);
  const rbv_states states = {.count = SAMPLES, .ld = SAMPLES, .q = s.q, .dq = s.dq, .ddq = s.ddq};
  results all = new_results(&r, SAMPLES), some = new_results(&r, SAMPLES);
  rbv_regressor_batch(all.W, SAMPLES, r.d, &states, true);
  const int nc = rbv_model_column_count(r.m);
  for (int k = 0; k < 2 * nc; k++) {
    const int columns[] = {k % nc, (7 * k + 3) % nc}, count = k < nc ? 1 : 2;
    rbv_dynamics *d;
    assert_ok(rbv_dynamics_new(&d, r.m));
    rbv_regressor_select(d, columns, count);
    rbv_regressor_batch(some.W, SAMPLES, d, &states, true);
    for (int i = 0; i < rbv_model_row_count(r.m); i++) {
      const rbv_row *row = rbv_model_row(r.m, i);
      for (int e = 0; e < row->count; e++)
        for (int c = 0; c < count; c++)
          if (row->columns[e] == columns[c])
            assert_memory_equal(some.W + (row->first + e) * SAMPLES,
                                all.W + (row->first + e) * SAMPLES, SAMPLES * sizeof *all.W);
    }
    for (ptrdiff_t e = 0; e < rbv_model_entry_count(r.m) * SAMPLES; e++) some.W[e] = NAN;
    rbv_dynamics_free(d);
  }
  free_results(&all);
  free_results(&some);
  unmake(&r);
}

static void test_a_sample_does_not_feel_its_place(void **state) {
  (void)state;
  static motions s;
  robot r = make_mixed();
  random_parameters(&r, 3, true);
  fill_motions(&s, r.n);
  const int ne = rbv_model_entry_count(r.m);
  for (int width = 1; width <= 8; width *= 2) {
    rbv_dynamics_limit_width(r.d, width);
    results whole = new_results(&r, SAMPLES), part = new_results(&r, LONGEST + 1);
    compute(&whole, SAMPLES, &r, &s, 0, SAMPLES);
    for (int count = 1; count <= LONGEST; count++)
      for (int first = 0; first + count <= SAMPLES; first += 3) {
        compute(&part, LONGEST + 1, &r, &s, first, count);
        assert_same_bytes(part.tau, LONGEST + 1, whole.tau, first, r.n, count);
        assert_same_bytes(part.ddq, LONGEST + 1, whole.ddq, first, r.n, count);
        assert_same_bytes(part.W, LONGEST + 1, whole.W, first, ne, count);
        assert_memory_equal(part.regular, whole.regular + first, (size_t)count);
      }
    free_results(&whole);
    free_results(&part);
  }
  unmake(&r);
}

/* memory behind the last sample does not change */
static void test_batches_write_their_samples_only(void **state) {
  (void)state;
  static motions s;
  robot r = make(sensed, NULL);
  random_parameters(&r, 3, true);
  fill_motions(&s, r.n);
  const int ne = rbv_model_entry_count(r.m), ld = LONGEST + 1;
  for (int width = 1; width <= 8; width *= 2)
    for (int count = 0; count <= LONGEST; count++) {
      results o = new_results(&r, ld);
      rbv_dynamics_limit_width(r.d, width);
      compute(&o, ld, &r, &s, 3, count);
      for (int k = count; k < ld; k++) {
        for (int j = 0; j < r.n; j++) assert_true(o.tau[k + j * ld] == 0 && o.ddq[k + j * ld] == 0);
        for (int e = 0; e < ne; e++) assert_true(o.W[k + e * ld] == 0);
        assert_false(o.regular[k]);
      }
      free_results(&o);
    }
  unmake(&r);
}

/* the widths round differently (some fuse multiply and add) but agree with the single calls */
static void check_widths(const char *yaml) {
  static motions s;
  robot r = make(yaml, NULL);
  random_parameters(&r, 3, true);
  fill_motions(&s, r.n);
  const int ne = rbv_model_entry_count(r.m), rows = rbv_model_row_count(r.m);
  results o = new_results(&r, SAMPLES);
  for (int width = 1; width <= 8; width *= 2) {
    rbv_dynamics_limit_width(r.d, width);
    compute(&o, SAMPLES, &r, &s, 0, SAMPLES);
    for (int k = 0; k < SAMPLES; k++) {
      double q[N_MAX], dq[N_MAX], ddq[N_MAX], tau[N_MAX], got[N_MAX], W[N_MAX * COLUMN_MAX];
      for (int j = 0; j < r.n; j++) {
        q[j] = s.q[k + j * SAMPLES];
        dq[j] = s.dq[k + j * SAMPLES];
        ddq[j] = s.ddq[k + j * SAMPLES];
        tau[j] = s.tau[k + j * SAMPLES];
      }
      rbv_dynamics_inverse(got, r.d, q, dq, ddq);
      // torques up to 1e3 from some 100 roundings
      for (int j = 0; j < r.n; j++) assert_near(o.tau[k + j * SAMPLES], got[j], 1e5 * EPS, 0);
      bool regular = false;
      rbv_dynamics_forward(got, &regular, r.d, q, dq, tau);
      // over the smallest pivot, 0.05
      for (int j = 0; j < r.n; j++) assert_near(o.ddq[k + j * SAMPLES], got[j], 20e5 * EPS, 0);
      rbv_regressor_eval(W, r.d, q, dq, ddq, true);
      for (int i = 0; i < rows; i++) {
        const rbv_row *row = rbv_model_row(r.m, i);
        for (int e = 0; e < row->count; e++)
          assert_near(o.W[k + (row->first + e) * SAMPLES], W[i + row->columns[e] * rows], 1e4 * EPS,
                      0);
      }
      assert_true(ne > 0);
    }
  }
  free_results(&o);
  unmake(&r);
}

static void test_widths_agree_with_single_calls(void **state) {
  (void)state;
  check_widths(mixed);
  check_widths(hinges);
}

/* the regressor has separate code for joints about an axis of the parent; it must reproduce inverse
 * dynamics, which has no such code */
static void test_hinges_are_found(void **state) {
  (void)state;
  const struct {
    int axis;
    bool meets;
  } want[] = {{0, false}, {0, false},  {0, true},  {1, false},
              {1, true},  {-1, false}, {2, false}, {2, true}};
  robot r = make(hinges, NULL);
  assert_int_equal(r.n, RBV_COUNT(want));
  for (int j = 0; j < r.n; j++) {
    assert_int_equal(r.m->geometry[j].hinge, want[j].axis);
    assert_true(r.m->geometry[j].meets == want[j].meets);
  }
  unmake(&r);
  r = make(mixed, NULL);
  for (int j = 0; j < r.n; j++) assert_int_equal(r.m->geometry[j].hinge, -1);
  unmake(&r);
}

/* ---- sine and cosine ---- */

static double ulp(double x) { return nextafter(fabs(x), INFINITY) - fabs(x); }

/*
 * Two units in the last place of the result; near a zero of sine or cosine the rounding of the
 * reduced angle adds to this: it is below pi/4 with 53 bits.
 */
static void assert_sine(const rbv_kernel *kernel, double x) {
  double angle[8], s[8], c[8];
  for (int i = 0; i < 8; i++) angle[i] = i % 2 ? -x : x;
  kernel->sincos(s, c, angle);
  const double reduction = EPS / 2;
  assert_near(s[0], sin(x), fmax(2 * ulp(sin(x)), reduction), 0);
  assert_near(c[0], cos(x), fmax(2 * ulp(cos(x)), reduction), 0);
  for (int i = 1; i < kernel->width; i++) {
    assert_true(s[i] == (i % 2 ? -s[0] : s[0]));
    assert_true(c[i] == c[0]);
  }
}

static void test_sine_and_cosine(void **state) {
  (void)state;
  const double special[] = {0,
                            -0.0,
                            1e-300,
                            1e-20,
                            0x1p-27,
                            0.1,
                            0.5,
                            1e6,
                            -1e6,
                            1e6 + 1,
                            3e7,
                            1e15,
                            6381956970095103e212,
                            DBL_MAX,
                            1.5707963267948966,
                            3.141592653589793,
                            0.7853981633974483};
  for (int width = 1; width <= 8; width *= 2) {
    const rbv_kernel *kernel = rbv_kernel_choose(width);
    for (int i = 0; i < RBV_COUNT(special); i++) assert_sine(kernel, special[i]);
    for (uint64_t i = 0; i < 200000; i++) {
      const double u = 2 * rbv_random_uniform(21, 0, i) - 1;
      assert_sine(kernel, 4 * u);
      assert_sine(kernel, 1e6 * u);
      // the doubles nearest to multiples of a quarter turn
      const double k = rint(636619 * u);
      assert_sine(kernel, k * 1.5707963267948966);
      assert_sine(kernel, nextafter(k * 1.5707963267948966, 0));
      if (i % 10 == 0) assert_sine(kernel, u * pow(10, 6 + 300 * rbv_random_uniform(21, 1, i)));
    }
    double lanes[8] = {NAN, INFINITY, -INFINITY, NAN, NAN, NAN, NAN, NAN}, s[8], c[8];
    kernel->sincos(s, c, lanes);
    for (int i = 0; i < kernel->width; i++) assert_true(isnan(s[i]) && isnan(c[i]));
  }
}

/* ---- memory and threads ---- */

static void test_computing_allocates_nothing(void **state) {
  (void)state;
  static motions s;
  robot r = make(sensed, NULL);
  random_parameters(&r, 3, true);
  fill_motions(&s, r.n);
  results o = new_results(&r, SAMPLES);
  double tau[2 * N_MAX], M[N_MAX * N_MAX], W[2 * N_MAX * COLUMN_MAX], R[9], p[3], J[6 * N_MAX];
  const double q[N_MAX] = {0.1}, v[N_MAX] = {0.2}, a[N_MAX] = {0.3}, point[3] = {0};
  bool regular;
  const long before = rbv_alloc_count();
  compute(&o, SAMPLES, &r, &s, 0, SAMPLES - 1);
  assert_ok(rbv_dynamics_set(r.d, r.chi, true));
  rbv_dynamics_inverse(tau, r.d, q, v, a);
  rbv_dynamics_rows(tau, r.d, q, v, a);
  rbv_dynamics_mass(M, r.d, q);
  rbv_dynamics_bias(tau, r.d, q, v);
  rbv_dynamics_forward(tau, &regular, r.d, q, v, a);
  rbv_dynamics_energy(R, p, r.d, q, v);
  rbv_dynamics_pose(R, p, r.d, q, 1);
  rbv_dynamics_jacobian(J, r.d, q, 1, point);
  rbv_regressor_eval(W, r.d, q, v, a, true);
  rbv_dynamics_limit_width(r.d, 2);
  assert_int_equal(rbv_alloc_count(), before);
  free_results(&o);
  unmake(&r);
}

static rbv_status new_and_free(void *state) {
  rbv_dynamics *d = (rbv_dynamics *)state;  // not NULL, because the call must clear it
  const robot *r = state;
  const rbv_status status = rbv_dynamics_new(&d, r->m);
  if (status != RBV_OK) assert_null(d);
  rbv_dynamics_free(d);
  return status;
}

static void test_creation(void **state) {
  (void)state;
  robot r = make(mixed, NULL);
  fail_each_allocation(new_and_free, &r);
  rbv_dynamics *d = NULL;
  assert_refused(rbv_dynamics_new(&d, NULL), RBV_EARG, "no model");
  rbv_dynamics_free(NULL);

  // before parameters are set they are zero, and so are torques, at any width
  double q[N_MAX] = {0.1, 0.2, 0.3, 0.4, 0.5}, tau[N_MAX];
  const rbv_states one = {.count = 1, .ld = 1, .q = q, .dq = q, .ddq = q};
  rbv_dynamics_inverse_batch(tau, 1, r.d, &one);
  for (int j = 0; j < r.n; j++) assert_true(tau[j] == 0);
  unmake(&r);
}

typedef struct {
  const rbv_model *m;
  const robot *r;
  const motions *s;
  const results *want;
  int differences;
} worker;

static void *work(void *argument) {
  worker *w = argument;
  robot mine = *w->r;
  if (rbv_dynamics_new(&mine.d, w->m) != RBV_OK ||
      rbv_dynamics_set(mine.d, mine.chi, false) != RBV_OK) {
    w->differences = -1;
    return NULL;
  }
  results o = new_results(&mine, SAMPLES);
  const size_t n = (size_t)(mine.n * SAMPLES) * sizeof(double);
  const size_t ne = (size_t)(rbv_model_entry_count(w->m) * SAMPLES) * sizeof(double);
  for (int i = 0; i < 200; i++) {
    compute(&o, SAMPLES, &mine, w->s, 0, SAMPLES);
    w->differences += memcmp(o.tau, w->want->tau, n) != 0;
    w->differences += memcmp(o.ddq, w->want->ddq, n) != 0;
    w->differences += memcmp(o.W, w->want->W, ne) != 0;
  }
  free_results(&o);
  rbv_dynamics_free(mine.d);
  return NULL;
}

static void test_one_model_serves_two_threads(void **state) {
  (void)state;
  static motions s;
  robot r = make(mixed, NULL);
  random_parameters(&r, 3, true);
  fill_motions(&s, r.n);
  results want = new_results(&r, SAMPLES);
  compute(&want, SAMPLES, &r, &s, 0, SAMPLES);
  worker w[2];
  pthread_t thread[2];
  for (int i = 0; i < 2; i++) {
    w[i] = (worker){r.m, &r, &s, &want, 0};
    assert_int_equal(pthread_create(&thread[i], NULL, work, &w[i]), 0);
  }
  for (int i = 0; i < 2; i++) {
    pthread_join(thread[i], NULL);
    assert_int_equal(w[i].differences, 0);
  }
  free_results(&want);
  unmake(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_sample_does_not_feel_its_place),
      cmocka_unit_test(test_selected_columns),
      cmocka_unit_test(test_batches_write_their_samples_only),
      cmocka_unit_test(test_widths_agree_with_single_calls),
      cmocka_unit_test(test_hinges_are_found),
      cmocka_unit_test(test_sine_and_cosine),
      cmocka_unit_test(test_computing_allocates_nothing),
      cmocka_unit_test(test_creation),
      cmocka_unit_test(test_one_model_serves_two_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
