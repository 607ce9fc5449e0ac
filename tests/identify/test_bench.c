/* Least squares on the closed-loop bench, compared with the numbers of an independent program. */
#include <math.h>
#include <roberval/sys/identify.h>
#include <roberval/sys/prepare.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "document/document.h"
#include "equations/equations.h"
#include "linalg/linalg.h"
#include "stats/stats.h"

#include "base/support.h"
#include "bench.h"
#include "support.h"

/* ---- the simulator ---- */

static rbv_document *load(const char *file) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", TEST_DATA, file);
  rbv_document *doc;
  assert_ok(rbv_document_load(&doc, path));
  return doc;
}

static const rbv_node *entry(const rbv_document *doc, const char *key) {
  const rbv_node *node = rbv_node_find(rbv_document_root(doc), key);
  if (!node) fail_msg("no '%s' in the reference", key);
  return node;
}

/* recordings shared by the tests: the loop without noise, and the offline mode */
typedef struct {
  rbv_model *m;
  bench_run exact, offline;
} fixture;

static int make_runs(void **state) {
  static fixture f;
  f.m = bench_model();
  bench_options o = bench_defaults();
  o.counts = 3600;
  bench_new(&f.exact, f.m, BENCH_SAMPLES, &o);
  o.disturbance = 0.02;
  o.seed = 1;
  bench_new(&f.offline, f.m, BENCH_SAMPLES, &o);
  *state = &f;
  return 0;
}

static int free_runs(void **state) {
  fixture *f = *state;
  bench_free(&f->exact);
  bench_free(&f->offline);
  rbv_model_free(f->m);
  return 0;
}

/* largest distance from the listed values, every 20th sample */
static double distance(const rbv_document *doc, const char *key, const double *mine,
                       ptrdiff_t count) {
  const rbv_node *rows = entry(doc, key);
  double worst = 0;
  assert_int_equal(rbv_node_count(rows), 300);
  for (int i = 0; i < 300; i++) {
    double want[BENCH_JOINTS];
    assert_ok(rbv_node_reals(want, BENCH_JOINTS, rbv_node_at(rows, i)));
    for (int j = 0; j < BENCH_JOINTS; j++) {
      const double error = fabs(mine[20 * i + j * count] - want[j]);
      if (!(error <= worst)) worst = error;
    }
  }
  return worst;
}

static void test_simulation_equals_that_of_the_other_program(void **state) {
  const fixture *f = *state;
  const bench_run *r = &f->exact;
  rbv_document *doc = load("tx40_closed_loop.json");
  double *reference = bench_reference(), J[BENCH_JOINTS];
  assert_ok(rbv_node_reals(J, BENCH_JOINTS, entry(doc, "Jmax")));
  for (int j = 0; j < BENCH_JOINTS; j++) assert_near(r->inertia[j], J[j], 0, 1e-12);
  assert_near(distance(doc, "qr", reference, BENCH_SAMPLES), 0, 1e-12, 0);
  assert_near(distance(doc, "q", r->q, r->count), 0, 1e-8, 0);
  assert_near(distance(doc, "tau", r->tau, r->count), 0, 1e-5, 0);
  // accelerations depend on the pole of the friction at 27 600 1/s
  assert_near(distance(doc, "qd", r->dq, r->count), 0, 1e-6, 0);
  assert_near(distance(doc, "qdd", r->ddq, r->count), 0, 1e-2, 0);
  free(reference);
  rbv_document_free(doc);
}

/* ---- least squares with 28 columns ---- */

typedef struct {
  double x[BENCH_TRUE], percent[BENCH_TRUE], sigma[BENCH_JOINTS], error, condition;
} answer;

static answer read_answer(const rbv_document *doc) {
  answer a;
  assert_ok(rbv_node_reals(a.x, BENCH_TRUE, entry(doc, "ls")));
  assert_ok(rbv_node_reals(a.percent, BENCH_TRUE, entry(doc, "ls_rel")));
  assert_ok(rbv_node_reals(a.sigma, BENCH_JOINTS, entry(doc, "ls_sigma_j")));
  assert_ok(rbv_node_real(&a.error, entry(doc, "ls_relerr")));
  assert_ok(rbv_node_real(&a.condition, entry(doc, "cond_W")));
  for (int i = 0; i < BENCH_TRUE; i++)
    assert_string_equal(bench_true[i], rbv_node_text(rbv_node_at(entry(doc, "names"), i)));
  return a;
}

static double relative_error(const rbv_equations *s, const double *x) {
  double rss = 0, yy = 0;
  for (int g = 0; g < rbv_equations_group_count(s); g++) {
    double a, b;
    rbv_equations_residual(&a, &b, s, g, x);
    rss += a;
    yy += b;
  }
  return sqrt(rss / yy);
}

/* weighted least squares over the true columns only */
static answer solve_true(const rbv_model *m, rbv_motion *motion, int decimate) {
  const int n = BENCH_TRUE, ld = n + 1;
  int column[BENCH_TRUE];
  for (int i = 0; i < n; i++) column[i] = rbv_model_find(m, bench_true[i]);
  const rbv_row_filter filter = {.decimate = decimate};
  rbv_equations *s;
  assert_ok(rbv_equations_new(&s, m, column, n, &filter));
  assert_ok(rbv_equations_add(s, motion));
  answer a;
  for (int j = 0; j < BENCH_JOINTS; j++)
    assert_ok(rbv_equations_row_sigma(&a.sigma[j], s, j, NULL));
  double R[(BENCH_TRUE + 1) * (BENCH_TRUE + 1)], C[BENCH_TRUE * BENCH_TRUE], se[BENCH_TRUE], scaled;
  assert_ok(rbv_equations_stack(R, NULL, s, NULL, NULL, false));
  assert_ok(rbv_condition(&a.condition, &scaled, R, n, n, ld));
  assert_ok(rbv_equations_stack(R, NULL, s, a.sigma, NULL, false));
  memcpy(a.x, R + n * ld, sizeof a.x);
  assert_ok(rbv_solve_upper(a.x, 1, n, R, n, ld));
  // the other program assumes that the whitened rows have sigma 1
  assert_ok(rbv_stats_covariance(C, R, n, ld, 1));
  assert_ok(rbv_stats_stderr(se, C, n));
  for (int i = 0; i < n; i++) a.percent[i] = 100 * se[i] / fabs(a.x[i]);
  a.error = relative_error(s, a.x);
  rbv_equations_free(s);
  return a;
}

static void test_quantised_least_squares(void **state) {
  const fixture *f = *state;
  rbv_document *doc = load("tx40_ls_iv_quantised.json");
  const answer want = read_answer(doc);
  rbv_motion *motion = bench_motion(&f->exact, f->m, 50);
  const answer got = solve_true(f->m, motion, 100);
  // positions agree to 1e-11 rad and give the same encoder counts; the filters agree to 1e-10
  for (int i = 0; i < BENCH_TRUE; i++) {
    assert_near(got.x[i], want.x[i], 0, 1e-8);
    assert_near(got.percent[i], want.percent[i], 0, 1e-8);
  }
  for (int j = 0; j < BENCH_JOINTS; j++) assert_near(got.sigma[j], want.sigma[j], 0, 1e-8);
  assert_near(got.error, want.error, 0, 1e-8);
  rbv_motion_free(motion);
  rbv_document_free(doc);
}

/* exact motion of the plant: the columns equal those of the other program, and the
 * truth is found */
static void test_columns_of_the_exact_motion(void **state) {
  const fixture *f = *state;
  const bench_run *r = &f->exact;
  rbv_document *doc = load("tx40_ls_iv_quantised.json");
  const answer want = read_answer(doc);
  const rbv_motion_info info = {.name = "exact",
                                .njoint = BENCH_JOINTS,
                                .ntorque = BENCH_JOINTS,
                                .count = r->count,
                                .rate_hz = BENCH_RATE};
  const rbv_samples samples = {
      .ld = r->count, .q = r->q, .dq = r->dq, .ddq = r->ddq, .torque = r->tau};
  rbv_motion *motion;
  assert_ok(rbv_motion_from_arrays(&motion, &info, &samples));
  const answer got = solve_true(f->m, motion, 100);
  assert_near(got.condition, want.condition, 0, 1e-8);
  for (int i = 0; i < BENCH_TRUE; i++)
    assert_near(got.x[i], rbv_model_parameters(f->m)[rbv_model_find(f->m, bench_true[i])], 0, 1e-9);
  rbv_motion_free(motion);
  rbv_document_free(doc);
}

/* ---- essential parameters ---- */

/* Jubien 2014 section 3.4 on data whose 28 parameters are known: none is lost, few are spurious */
static void test_essential_parameters(void **state) {
  const fixture *f = *state;
  static const int decimate[] = {100, 125};
  rbv_motion *motion = bench_motion(&f->offline, f->m, 50);
  for (int i = 0; i < RBV_COUNT(decimate); i++) {
    rbv_identify_options o = rbv_identify_defaults();
    o.filter.decimate = decimate[i];
    o.essential = true;
    rbv_estimate *e;
    assert_ok(rbv_identify(&e, f->m, &motion, 1, &o));
    assert_int_equal(bench_lost(e, f->m), 0);
    assert_in_range(e->active, BENCH_TRUE, BENCH_TRUE + 5);
    assert_int_equal(e->active + e->dropped, 60);
    rbv_estimate_free(e);
  }
  rbv_motion_free(motion);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_simulation_equals_that_of_the_other_program),
      cmocka_unit_test(test_quantised_least_squares),
      cmocka_unit_test(test_columns_of_the_exact_motion),
      cmocka_unit_test(test_essential_parameters),
  };
  return cmocka_run_group_tests(tests, make_runs, free_runs);
}
