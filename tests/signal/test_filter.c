#include <math.h>

#include <roberval/sys/signal.h>

#include "base/support.h"
#include "reference.h"
#include "signal/filter_kernel.h"

// if the processor does not support all widths, one of them runs twice
static const int widths[] = {2, 4, 8};

/* ---- design ---- */

static void test_sections_equal_the_reference(void **state) {
  (void)state;
  double *butter = reference("butter4_50Hz_sos", NULL);
  double *cheby = reference("decimate10_sos", NULL);
  rbv_sos sos;
  assert_ok(rbv_sos_butterworth(&sos, 4, 50, 1000));
  assert_int_equal(sos.nsection, 2);
  // coefficients up to 2, computed from poles with a few roundings each; the gain is a product of
  // all of them
  for (int i = 0; i < 12; i++) assert_near(sos.section[i / 6][i % 6], butter[i], 4e-15, 1e-12);
  assert_ok(rbv_sos_chebyshev1(&sos, 8, 0.05, 0.8 / 20, 1));
  assert_int_equal(sos.nsection, 4);
  // the gain of the reference is a quotient of sums with cancellation: 3.6e-9 to ten digits
  for (int i = 0; i < 24; i++)
    assert_near(sos.section[i / 6][i % 6], cheby[i], i < 3 ? 0 : 4e-15, i < 3 ? 1e-9 : 0);
  free(butter);
  free(cheby);
}

/* by hand: order 1 at a quarter of the rate is (1 + z^-1) / 2 */
static void test_first_order_by_hand(void **state) {
  (void)state;
  rbv_sos sos;
  assert_ok(rbv_sos_butterworth(&sos, 1, 250, 1000));
  const double want[6] = {0.5, 0.5, 0, 1, 0, 0};
  for (int i = 0; i < 6; i++) assert_near(sos.section[0][i], want[i], 2e-16, 0);
}

static void test_butterworth_meets_its_mask(void **state) {
  (void)state;
  for (int order = 1; order <= 16; order++) {
    rbv_sos sos;
    assert_ok(rbv_sos_butterworth(&sos, order, 50, 1000));
    double before = 1 + 1e-12;
    for (int f = 0; f < 500; f++) {
      const double gain = rbv_sos_gain(&sos, f, 1000);
      // 1 / sqrt(1 + (tan / tan_c)^2n), the design equation itself
      const double ratio = tan(RBV_PI * f / 1000) / tan(RBV_PI * 50 / 1000);
      assert_near(gain, 1 / sqrt(1 + pow(ratio, 2 * order)), 1e-13, 1e-9);
      assert_true(gain <= before);
      before = gain + 1e-12;
    }
    assert_near(rbv_sos_gain(&sos, 50, 1000), sqrt(0.5), 1e-12, 0);
  }
}

static void test_chebyshev_meets_its_mask(void **state) {
  (void)state;
  const double ripple = 0.05, floor_gain = pow(10, -ripple / 20);
  for (int order = 1; order <= 16; order++)
    for (int nd = 2; nd <= 200; nd *= 10) {
      rbv_sos sos;
      const double edge = 0.8 / (2 * nd);
      assert_ok(rbv_sos_chebyshev1(&sos, order, ripple, edge, 1));
      // at nd = 200 the poles are within 1e-3 of the unit circle: the ripple is accurate to eps /
      // 1e-3^2
      for (int k = 0; k <= 400; k++) {
        const double gain = rbv_sos_gain(&sos, edge * k / 400, 1);
        assert_true(gain <= 1 + 1e-8 && gain >= floor_gain - 1e-8);
      }
      assert_near(rbv_sos_gain(&sos, edge, 1), floor_gain, 1e-8, 0);
      assert_near(rbv_sos_gain(&sos, 0, 1), order % 2 ? 1 : floor_gain, 1e-8, 0);
      // order 8: one pass attenuates what aliases into the pass band by a factor above 200
      if (order == 8 && nd > 2) assert_true(rbv_sos_gain(&sos, 2 * edge, 1) < 1e-3);
    }
}

/* ---- zero phase ---- */

static void filter(double *y, const double *x, ptrdiff_t n, const rbv_sos *sos, ptrdiff_t pad) {
  rbv_filter_work *w = NULL;
  assert_ok(rbv_filter_work_new(&w, n, pad));
  assert_ok(rbv_filter_zero_phase(y, n, w, sos, x, n, n, 1, pad));
  rbv_filter_work_free(w);
}

static void test_zero_phase_and_differences_equal_the_reference(void **state) {
  (void)state;
  ptrdiff_t n;
  double *x = reference("x", &n), *q = reference("filtfilt_q", NULL);
  double *qd = reference("central_qd", NULL), *qdd = reference("central_qdd", NULL);
  double *got = malloc(3 * (size_t)n * sizeof *got), *d1 = got + n, *d2 = d1 + n;
  rbv_sos sos;
  assert_ok(rbv_sos_butterworth(&sos, 4, 50, 1000));
  assert_int_equal(rbv_filter_padding(50, 1000), 60);
  for (int i = 0; i < RBV_COUNT(widths); i++) {
    rbv_signal_limit_width(widths[i]);
    filter(got, x, n, &sos, 60);
    assert_ok(rbv_differentiate(d1, n, got, n, n, 1, 1000));
    assert_ok(rbv_differentiate(d2, n, d1, n, n, 1, 1000));
    // signal of order 1, section gains of order 10: about 100 eps; each difference at 1 kHz
    // multiplies the error by 1e3
    assert_near(distance(got, q, n), 0, 5e-14, 0);
    assert_near(distance(d1, qd, n), 0, 5e-11, 0);
    assert_near(distance(d2, qdd, n), 0, 5e-8, 0);
  }
  rbv_signal_limit_width(0);
  free(got);
  free(x);
  free(q);
  free(qd);
  free(qdd);
}

/* the textbook recursion, one column, direct form I, scalar */
static void slow_zero_phase(double *y, const double *x, ptrdiff_t n, const rbv_sos *sos,
                            ptrdiff_t pad) {
  const ptrdiff_t len = n + 2 * pad;
  double *e = malloc((size_t)len * sizeof *e);
  for (ptrdiff_t k = 0; k < len; k++) {
    const ptrdiff_t i = k - pad;
    e[k] = i < 0 ? 2 * x[0] - x[-i] : i >= n ? 2 * x[n - 1] - x[2 * (n - 1) - i] : x[i];
  }
  for (int way = 0; way < 2; way++) {
    for (int s = 0; s < sos->nsection; s++) {
      const double *c = sos->section[s];
      const double g = (c[0] + c[1] + c[2]) / (1 + c[4] + c[5]);
      double x1 = e[0], x2 = e[0], y1 = g * e[0], y2 = y1;
      for (ptrdiff_t k = 0; k < len; k++) {
        const double out = c[0] * e[k] + c[1] * x1 + c[2] * x2 - c[4] * y1 - c[5] * y2;
        x2 = x1, x1 = e[k];
        y2 = y1, y1 = out;
        e[k] = out;
      }
    }
    for (ptrdiff_t a = 0, b = len - 1; a < b; a++, b--) {
      const double t = e[a];
      e[a] = e[b];
      e[b] = t;
    }
  }
  memcpy(y, e + pad, (size_t)n * sizeof *y);
  free(e);
}

/* random walk: excites all frequencies, and does not end at zero */
static void noise(double *x, ptrdiff_t n, uint64_t stream) {
  double level = 0;
  for (ptrdiff_t k = 0; k < n; k++) {
    level = 0.98 * level + rbv_random_normal(5, stream, (uint64_t)k);
    x[k] = 3 + level;
  }
}

static void test_columns_equal_the_textbook_for_every_width_and_order(void **state) {
  (void)state;
  enum { N = 203, LD = 210, COLS = 11 };
  double *X = malloc(sizeof(double[LD * COLS])), *Y = malloc(sizeof(double[LD * COLS]));
  double want[N];
  for (int j = 0; j < COLS; j++) noise(X + j * LD, N, (uint64_t)j);
  rbv_filter_work *w = NULL;
  for (int i = 0; i < RBV_COUNT(widths); i++) {
    rbv_signal_limit_width(widths[i]);
    assert_ok(rbv_filter_work_new(&w, N, 40));
    for (int order = 1; order <= 16; order++) {
      rbv_sos sos;
      assert_ok(rbv_sos_butterworth(&sos, order, 0.1, 1));
      const long before = rbv_alloc_count();
      assert_ok(rbv_filter_zero_phase(Y, LD, w, &sos, X, LD, N, COLS, 40));
      assert_true(rbv_alloc_count() == before);
      for (int j = 0; j < COLS; j++) {
        slow_zero_phase(want, X + j * LD, N, &sos, 40);
        // values up to 20; the two forms round differently, poles 0.05 from the unit circle
        assert_near(distance(Y + j * LD, want, N), 0, 1e-11, 0);
      }
    }
    rbv_filter_work_free(w);
  }
  rbv_signal_limit_width(0);
  free(X);
  free(Y);
}

static void test_filter_in_place_keeps_constants(void **state) {
  (void)state;
  double x[50];
  for (int k = 0; k < 50; k++) x[k] = 7;
  rbv_sos sos;
  assert_ok(rbv_sos_butterworth(&sos, 3, 10, 100));
  filter(x, x, 50, &sos, 30);
  // in steady state from the first sample on
  for (int k = 0; k < 50; k++) assert_near(x[k], 7, 1e-13, 0);
}

/* ---- decimation ---- */

static void test_decimation_equals_the_reference(void **state) {
  (void)state;
  ptrdiff_t n, m;
  double *x = reference("x", &n), *want = reference("decimate10_y", &m), got[60];
  for (int i = 0; i < RBV_COUNT(widths); i++) {
    rbv_signal_limit_width(widths[i]);
    rbv_decimate_options o = rbv_decimate_defaults(10);
    rbv_decimator *d = NULL;
    // after dropping, 54 of the 60 outputs remain
    assert_ok(rbv_decimator_new(&d, n, 1, &o));
    assert_int_equal(rbv_decimate_count(n, &o), m - 6);
    assert_int_equal(rbv_decimate_index(0, &o), 35);
    assert_ok(rbv_decimate(got, 60, d, x, n));
    // the sections of the reference have errors of 1e-16 / (distance of the poles to the circle)^2
    assert_near(distance(got, want + 3, m - 6), 0, 2e-12, 0);
    rbv_decimator_free(d);
    o.drop = 0;
    assert_ok(rbv_decimator_new(&d, n, 1, &o));
    assert_int_equal(rbv_decimate_count(n, &o), m);
    assert_ok(rbv_decimate(got, 60, d, x, n));
    assert_near(distance(got, want, m), 0, 2e-12, 0);
    rbv_decimator_free(d);
  }
  rbv_signal_limit_width(0);
  free(x);
  free(want);
}

/* the recursion at full rate, of which every n_d-th sample is kept, equals the modal form */
static void test_modal_form_equals_the_recursion(void **state) {
  (void)state;
  static const struct {
    int factor, order;
    ptrdiff_t n, padding, first;
  } c[] = {{1, 8, 90, -1, -1},     {2, 8, 301, -1, 1},   {3, 8, 40, 0, 0},
           {5, 7, 333, -1, 4},     {10, 8, 1000, 17, 9}, {10, 3, 411, 100, 0},
           {16, 16, 700, -1, 3},   {25, 2, 160, -1, -1}, {100, 8, 5003, -1, 0},
           {125, 8, 9000, -1, -1}, {64, 8, 600, 64, 0}};
  enum { COLS = 5 };
  for (int i = 0; i < RBV_COUNT(c); i++) {
    const ptrdiff_t n = c[i].n;
    rbv_decimate_options o = rbv_decimate_defaults(c[i].factor);
    o.order = c[i].order;
    o.padding = c[i].padding;
    o.first = c[i].first;
    o.drop = 0;
    double *X = malloc((size_t)(COLS * n) * sizeof *X), *full = malloc((size_t)n * sizeof *full);
    for (int j = 0; j < COLS; j++) noise(X + j * n, n, (uint64_t)(100 * i + j));
    const ptrdiff_t m = rbv_decimate_count(n, &o);
    double *Y = malloc((size_t)(COLS * m) * sizeof *Y);
    const ptrdiff_t usual = 24 * (ptrdiff_t)o.factor < n - 2 ? 24 * (ptrdiff_t)o.factor : n - 2;
    rbv_sos sos;
    assert_ok(rbv_sos_chebyshev1(&sos, o.order, o.ripple_db, 0.8 / (2 * o.factor), 1));
    for (int k = 0; k < RBV_COUNT(widths); k++) {
      rbv_signal_limit_width(widths[k]);
      rbv_decimator *d = NULL;
      assert_ok(rbv_decimator_new(&d, n, COLS, &o));
      const long before = rbv_alloc_count();
      assert_ok(rbv_decimate(Y, m, d, X, n));
      assert_true(rbv_alloc_count() == before);
      rbv_decimator_free(d);
      for (int j = 0; j < COLS; j++) {
        filter(full, X + j * n, n, &sos, c[i].padding < 0 ? usual : c[i].padding);
        // the sections lose (n_d / order)^2 eps in their coefficients: 1e-12 at 10, 1e-9 at 125
        for (ptrdiff_t b = 0; b < m; b++)
          assert_near(Y[b + j * m], full[rbv_decimate_index(b, &o)],
                      1e-12 + 2e-14 * o.order * o.factor * o.factor, 0);
      }
    }
    free(X);
    free(Y);
    free(full);
  }
  rbv_signal_limit_width(0);
}

/* the result does not depend on the sizes of the pieces */
static void test_pieces_give_the_same(void **state) {
  (void)state;
  enum { N = 2011, COLS = 9 };
  double *X = malloc(sizeof(double[N * COLS])), *piece = malloc(sizeof(double[N * COLS]));
  for (int j = 0; j < COLS; j++) noise(X + j * N, N, (uint64_t)(50 + j));
  const rbv_decimate_options o = rbv_decimate_defaults(20);
  const ptrdiff_t m = rbv_decimate_count(N, &o);
  double *want = malloc((size_t)(m * COLS) * sizeof *want);
  double *got = malloc((size_t)(m * COLS) * sizeof *got);
  rbv_decimator *d = NULL;
  assert_ok(rbv_decimator_new(&d, N, COLS, &o));
  assert_ok(rbv_decimate(want, m, d, X, N));
  for (uint64_t run = 0; run < 20; run++) {
    // pieces of a few rows to hundreds of rows
    const double most = run % 2 ? 15 : 600;
    const long before = rbv_alloc_count();
    ptrdiff_t at = 0;
    for (uint64_t k = 0; at < N; k++) {
      ptrdiff_t rows = (ptrdiff_t)(most * rbv_random_uniform(9, run, k));
      if (rows > N - at) rows = N - at;
      for (int j = 0; j < COLS; j++)
        memcpy(piece + j * rows, X + j * N + at, (size_t)rows * sizeof *X);
      assert_ok(rbv_decimator_add(d, piece, rows, rows));
      at += rows;
    }
    assert_ok(rbv_decimator_finish(got, m, d));
    assert_true(rbv_alloc_count() == before);
    // the same sums in the same order
    assert_true(distance(got, want, m * COLS) == 0);
  }
  assert_refused(rbv_decimator_finish(got, m, d), RBV_EDIM, "0 rows were added");
  assert_ok(rbv_decimator_add(d, X, N, 11));
  assert_refused(rbv_decimator_add(d, X, N, N), RBV_EDIM, "created for 2011");
  rbv_decimator_free(d);
  free(X);
  free(piece);
  free(want);
  free(got);
}

/* destination of streamed outputs, and a record of the calls */
typedef struct {
  double *Y;
  ptrdiff_t ldy, next;
  int calls;
} taken;

static rbv_status take(void *self, double *Y, ptrdiff_t ldy, ptrdiff_t first, ptrdiff_t count) {
  taken *t = self;
  assert_int_equal(first, t->next);
  for (int j = 0; j < 9; j++)
    for (ptrdiff_t k = 0; k < count; k++) {
      t->Y[first + k + j * t->ldy] = Y[k + j * ldy];
      Y[k + j * ldy] = NAN;  // the visitor may overwrite Y
    }
  t->next += count;
  t->calls++;
  return RBV_OK;
}

/* a streamed decimator equals the whole one; lengths from one window to many, with incomplete
 * blocks */
static void test_streamed_outputs_equal_the_whole(void **state) {
  (void)state;
  enum { COLS = 9 };
  static const struct {
    ptrdiff_t n;
    int factor;
    bool several;
  } c[] = {
      {900, 10, false}, {6899, 10, false}, {20003, 10, true}, {20010, 5, true}, {40007, 3, true}};
  for (int i = 0; i < RBV_COUNT(c); i++) {
    const ptrdiff_t n = c[i].n;
    const rbv_decimate_options o = rbv_decimate_defaults(c[i].factor);
    const ptrdiff_t m = rbv_decimate_count(n, &o);
    double *X = malloc((size_t)(n * COLS) * sizeof *X);
    double *want = malloc((size_t)(m * COLS) * sizeof *want);
    double *got = calloc((size_t)(m * COLS), sizeof *got);
    for (ptrdiff_t k = 0; k < n * COLS; k++)
      X[k] = sin(0.003 * (double)(k % n)) + rbv_random_normal(5, 0, (uint64_t)k);
    rbv_decimator *d = NULL;
    assert_ok(rbv_decimator_new(&d, n, COLS, &o));
    assert_ok(rbv_decimate(want, m, d, X, n));
    rbv_decimator_free(d);
    taken t = {.Y = got, .ldy = m};
    assert_ok(rbv_decimator_stream(&d, n, COLS, &o, take, &t));
    // twice: the decimator must be ready for the next recording
    for (int repetition = 0; repetition < 2; repetition++) {
      t.next = t.calls = 0;
      for (ptrdiff_t at = 0; at < n; at += 501)
        assert_ok(rbv_decimator_add(d, X + at, n, n - at < 501 ? n - at : 501));
      assert_ok(rbv_decimator_finish(NULL, 0, d));
      assert_int_equal(t.next, m);
      assert_true((t.calls > 1) == c[i].several);
      // states decayed to 1e-13, about eight poles, values up to 5
      for (ptrdiff_t k = 0; k < m * COLS; k++) assert_near(got[k], want[k], 2e-12, 0);
    }
    assert_refused(rbv_decimate(got, m, d, X, n), RBV_EARG, "in pieces");
    rbv_decimator_free(d);
    free(X);
    free(want);
    free(got);
  }
  const rbv_decimate_options o = rbv_decimate_defaults(10);
  rbv_decimator *d = NULL;
  assert_refused(rbv_decimator_stream(&d, 900, 1, &o, NULL, NULL), RBV_EARG, "visit is NULL");
  // the slowest pole decays by e^-30 over this many outputs (121 outputs for 1e-10)
  assert_in_range(rbv_decimate_halo(&o), 121, 200);
}

/* squared mask: a sine has the gain of two passes and its phase is unchanged */
static void test_decimated_sines_meet_the_mask(void **state) {
  (void)state;
  enum { N = 40000, ND = 50 };
  const rbv_decimate_options o = rbv_decimate_defaults(ND);
  const ptrdiff_t m = rbv_decimate_count(N, &o);
  rbv_sos sos;
  assert_ok(rbv_sos_chebyshev1(&sos, 8, 0.05, 0.8 / (2 * ND), 1));
  double *x = malloc(sizeof(double[N])), *y = malloc((size_t)m * sizeof *y);
  rbv_decimator *d = NULL;
  assert_ok(rbv_decimator_new(&d, N, 1, &o));
  for (int i = 1; i <= 12; i++) {
    const double f = i * 0.1 / (2 * ND), gain = rbv_sos_gain(&sos, f, 1);
    for (int k = 0; k < N; k++) x[k] = sin(2 * RBV_PI * f * k);
    assert_ok(rbv_decimate(y, m, d, x, N));
    // 200 outputs away from the ends their effect has decayed
    for (ptrdiff_t k = 200; k < m - 200; k++)
      assert_near(y[k], gain * gain * sin(2 * RBV_PI * f * (double)rbv_decimate_index(k, &o)), 1e-9,
                  0);
  }
  rbv_decimator_free(d);
  free(x);
  free(y);
}

/* ---- refusals and memory ---- */

static void test_bad_arguments_are_refused(void **state) {
  (void)state;
  rbv_sos sos;
  assert_refused(rbv_sos_butterworth(&sos, 4, 600, 1000), RBV_EARG, "Nyquist frequency 500 Hz");
  assert_refused(rbv_sos_butterworth(&sos, 4, NAN, 1000), RBV_EARG, "Nyquist");
  assert_refused(rbv_sos_butterworth(&sos, 17, 50, 1000), RBV_EARG, "orders 1 to 16");
  assert_refused(rbv_sos_butterworth(&sos, 4, 50, -1), RBV_EARG, "rate");
  assert_refused(rbv_sos_chebyshev1(&sos, 4, 0, 50, 1000), RBV_EARG, "ripple");
  assert_ok(rbv_sos_butterworth(&sos, 4, 50, 1000));
  rbv_filter_work *w = NULL;
  double x[100] = {0};
  assert_ok(rbv_filter_work_new(&w, 80, 60));
  assert_refused(rbv_filter_zero_phase(x, 60, w, &sos, x, 60, 60, 1, 60), RBV_EDIM,
                 "at least 61 are needed");
  assert_refused(rbv_filter_zero_phase(x, 100, w, &sos, x, 100, 100, 1, 60), RBV_EDIM,
                 "work object holds 200");
  assert_refused(rbv_filter_zero_phase(x, 10, w, &sos, x, 60, 60, 1, 6), RBV_EDIM, "dimension 10");
  rbv_filter_work_free(w);
  assert_refused(rbv_differentiate(x, 1, x + 1, 1, 1, 1, 1), RBV_EDIM, "2 are needed");

  rbv_decimator *d = NULL;
  rbv_decimate_options o = rbv_decimate_defaults(100);
  assert_refused(rbv_decimator_new(&d, 600, 1, &o), RBV_EDIM, "at least 651 are needed");
  assert_null(d);
  assert_int_equal(rbv_decimate_count(650, &o), 0);
  assert_int_equal(rbv_decimate_count(651, &o), 1);
  o.factor = 0;
  assert_refused(rbv_decimator_new(&d, 600, 1, &o), RBV_EARG, "factor 0");
  o = rbv_decimate_defaults(10);
  o.cutoff_ratio = 1;
  assert_refused(rbv_decimator_new(&d, 600, 1, &o), RBV_EARG, "ratio 1");
  o.cutoff_ratio = 0.8;
  o.first = 10;
  assert_refused(rbv_decimator_new(&d, 600, 1, &o), RBV_EARG, "below the factor");
}

static rbv_status make_all(void *state) {
  (void)state;
  const rbv_decimate_options o = rbv_decimate_defaults(4);
  rbv_filter_work *w = NULL;
  rbv_decimator *d = NULL;
  rbv_status status = rbv_filter_work_new(&w, 100, 10);
  if (status == RBV_OK) status = rbv_decimator_new(&d, 100, 3, &o);
  rbv_filter_work_free(w);
  rbv_decimator_free(d);
  return status;
}

static void test_each_allocation_may_fail(void **state) {
  (void)state;
  fail_each_allocation(make_all, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sections_equal_the_reference),
      cmocka_unit_test(test_first_order_by_hand),
      cmocka_unit_test(test_butterworth_meets_its_mask),
      cmocka_unit_test(test_chebyshev_meets_its_mask),
      cmocka_unit_test(test_zero_phase_and_differences_equal_the_reference),
      cmocka_unit_test(test_columns_equal_the_textbook_for_every_width_and_order),
      cmocka_unit_test(test_filter_in_place_keeps_constants),
      cmocka_unit_test(test_decimation_equals_the_reference),
      cmocka_unit_test(test_modal_form_equals_the_recursion),
      cmocka_unit_test(test_pieces_give_the_same),
      cmocka_unit_test(test_streamed_outputs_equal_the_whole),
      cmocka_unit_test(test_decimated_sines_meet_the_mask),
      cmocka_unit_test(test_bad_arguments_are_refused),
      cmocka_unit_test(test_each_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
