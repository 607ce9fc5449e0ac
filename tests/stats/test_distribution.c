#include <float.h>
#include <math.h>
#include <roberval/sys/stats.h>

#include "stats/stats_internal.h"
#include "support.h"

static double normal(double p, rbv_tail tail) {
  double x;
  assert_ok(rbv_stats_normal_quantile(&x, p, tail));
  return x;
}

static double student(double p, rbv_tail tail, double dof) {
  double x;
  assert_ok(rbv_stats_student_quantile(&x, p, tail, dof));
  return x;
}

static double chi2(double p, rbv_tail tail, double dof) {
  double x;
  assert_ok(rbv_stats_chi2_quantile(&x, p, tail, dof));
  return x;
}

static double fisher(double p, rbv_tail tail, double dof1, double dof2) {
  double x;
  assert_ok(rbv_stats_fisher_quantile(&x, p, tail, dof1, dof2));
  return x;
}

/* textbook tables, to all printed digits */
static void test_printed_tables(void **state) {
  (void)state;
  const double half = 0.5;
  assert_near(normal(0.975, RBV_TAIL_LOWER), 1.959964, half * 1e-6, 0);
  assert_near(normal(0.99, RBV_TAIL_LOWER), 2.326348, half * 1e-6, 0);
  assert_near(student(0.975, RBV_TAIL_LOWER, 1), 12.706, half * 1e-3, 0);
  assert_near(student(0.975, RBV_TAIL_LOWER, 10), 2.228, half * 1e-3, 0);
  assert_near(student(0.975, RBV_TAIL_LOWER, 30), 2.042, half * 1e-3, 0);
  assert_near(student(0.995, RBV_TAIL_LOWER, 5), 4.032, half * 1e-3, 0);
  assert_near(student(0.95, RBV_TAIL_LOWER, 120), 1.658, half * 1e-3, 0);
  assert_near(chi2(0.95, RBV_TAIL_LOWER, 1), 3.841, half * 1e-3, 0);
  assert_near(chi2(0.95, RBV_TAIL_LOWER, 10), 18.307, half * 1e-3, 0);
  assert_near(chi2(0.05, RBV_TAIL_LOWER, 10), 3.940, half * 1e-3, 0);
  assert_near(chi2(0.99, RBV_TAIL_LOWER, 100), 135.807, half * 1e-3, 0);
  assert_near(fisher(0.95, RBV_TAIL_LOWER, 1, 10), 4.96, half * 1e-2, 0);
  assert_near(fisher(0.95, RBV_TAIL_LOWER, 5, 10), 3.33, half * 1e-2, 0);
  assert_near(fisher(0.99, RBV_TAIL_LOWER, 4, 20), 4.43, half * 1e-2, 0);
  assert_near(fisher(0.95, RBV_TAIL_LOWER, 1, INFINITY), 3.84, half * 1e-2, 0);
  // Jubien 2014 section 3.4 takes 3.85 from the table for r >> 1: the value for about a thousand
  // rows
  assert_near(fisher(0.95, RBV_TAIL_LOWER, 1, 1000), 3.85, half * 1e-2, 0);
}

/* closed forms: t with 1 and 2 degrees of freedom, F(2, n), F(n, 2), chi-square with 2 and 4 */
static void test_closed_forms(void **state) {
  (void)state;
  // a few roundings of pow, sqrt and tan; 1e-13 covers the worst of them
  const double rel = 1e-13;
  for (int k = -40; k <= 40; k++) {
    const double x = exp(0.7 * k);
    double lower, upper;
    // Cauchy: atan(1/x) is the upper tail without cancellation
    assert_ok(rbv_stats_student_cdf(&lower, &upper, x, 1));
    assert_near(upper, atan(1 / x) / RBV_PI, 0, rel);
    assert_near(lower, 0.5 + atan(x) / RBV_PI, 0, rel);
    // two degrees: 1/2 - t / (2 sqrt(2 + t^2)) = 1 / (s (s + t)), s = sqrt(2 + t^2)
    const double s = sqrt(2 + x * x);
    assert_ok(rbv_stats_student_cdf(&lower, &upper, -x, 2));
    assert_near(lower, 1 / (s * (s + x)), 0, rel);
    assert_near(upper, 0.5 + x / (2 * s), 0, rel);
    // F(2, n): (1 + 2 f / n)^(-n / 2)
    for (int n = 1; n < 200; n += 13) {
      const double exponent = -0.5 * n * log1p(2 * x / n);
      assert_ok(rbv_stats_fisher_cdf(&lower, &upper, x, 2, n));
      // the rounding of the exponent counts too
      assert_near(upper, exp(exponent), 0, rel * (1 + fabs(exponent)));
      assert_near(lower, -expm1(exponent), 0, rel * (1 + fabs(exponent)));
    }
    // chi-square: exp(-x/2) and exp(-x/2) (1 + x/2)
    if (x > 1400) continue;
    assert_ok(rbv_stats_chi2_cdf(&lower, &upper, x, 2));
    assert_near(upper, exp(-x / 2), 0, rel * (1 + x));
    assert_near(lower, -expm1(-x / 2), 0, rel);
    assert_ok(rbv_stats_chi2_cdf(&lower, &upper, x, 4));
    assert_near(upper, exp(-x / 2) * (1 + x / 2), 0, rel * (1 + x));
  }
}

static void test_closed_forms_of_quantiles(void **state) {
  (void)state;
  for (int k = 1; k < 140; k++) {
    const double p = pow(10, -k);  // upper tail
    // Newton's method ends within a few 2e-16 of log x; log p itself is rounded
    const double rel = 1e-12;
    assert_near(student(p, RBV_TAIL_UPPER, 1), 1 / tan(RBV_PI * p), 0, rel);
    assert_near(student(p, RBV_TAIL_LOWER, 1), -1 / tan(RBV_PI * p), 0, rel);
    assert_near(student(p, RBV_TAIL_UPPER, 2), (1 - 2 * p) / sqrt(2 * p * (1 - p)), 0, rel);
    assert_near(chi2(p, RBV_TAIL_UPPER, 2), -2 * log(p), 0, rel);
    assert_near(chi2(p, RBV_TAIL_LOWER, 2), -2 * log1p(-p), 0, rel);
    assert_near(fisher(p, RBV_TAIL_UPPER, 2, 7), 3.5 * expm1(-log(p) / 3.5), 0, rel);
  }
  assert_near(normal(0.5, RBV_TAIL_LOWER), 0, 0, 0);
  assert_near(student(0.5, RBV_TAIL_UPPER, 3), 0, 0, 0);
}

/*
 * Mean 0, tail erfc(z / sqrt 2) / 2; erfc of libm is independent of our incomplete gamma. Known to
 * many digits: z of 0.975 is 1.95996398454005423552, of 1e-10 is 6.36134090240405.
 */
static void test_normal_agrees_with_erfc(void **state) {
  (void)state;
  assert_near(normal(0.025, RBV_TAIL_UPPER), 1.95996398454005423552, 0, 1e-14);
  assert_near(normal(1e-10, RBV_TAIL_UPPER), 6.36134090240405, 0, 1e-13);
  for (int k = 0; k <= 185; k++) {
    const double z = 0.2 * k;
    double lower, upper;
    assert_ok(rbv_stats_chi2_cdf(NULL, &upper, z * z, 1));
    // z^2 / 2 is rounded before exp is applied
    assert_near(upper, erfc(z / sqrt(2)), 0, 1e-14 * (1 + z * z));
    assert_ok(rbv_stats_normal_cdf(&lower, &upper, z));
    assert_near(lower + upper, 1, 4 * DBL_EPSILON, 0);
    double mirror;
    assert_ok(rbv_stats_normal_cdf(&mirror, NULL, -z));
    assert_near(mirror, upper, 0, 0);
  }
}

/* cdf(quantile(p)) = p from p = 1e-200 to p = 1 - 1e-15 and over six decades of degrees of
 * freedom */
static void test_round_trips(void **state) {
  (void)state;
  const double dof[] = {1, 2, 3.5, 5, 10, 34, 100, 1e3, 1e4, 1e6};
  const double p[] = {1e-150, 1e-50,  1e-20, 1e-10, 1e-5, 1e-3,   0.01,      0.05,
                      0.2,    0.4999, 0.5,   0.6,   0.8,  0.9999, 1 - 1e-10, 1 - 1e-15};
  for (int i = 0; i < RBV_COUNT(p); i++)
    for (int t = 0; t < 2; t++) {
      const rbv_tail tail = t ? RBV_TAIL_UPPER : RBV_TAIL_LOWER;
      double tails[2];
      assert_ok(rbv_stats_normal_cdf(&tails[0], &tails[1], normal(p[i], tail)));
      // a relative change of x^2 changes p of a tail by log(1/p) times as much
      const double rel = 1e-13 * (2 - 2 * log(p[i]));
      assert_near(tails[t], p[i], 0, rel);
      for (int a = 0; a < RBV_COUNT(dof); a++) {
        assert_ok(rbv_stats_student_cdf(&tails[0], &tails[1], student(p[i], tail, dof[a]), dof[a]));
        assert_near(tails[t], p[i], 0, rel * (1 + 1e-5 * dof[a]));
        assert_ok(rbv_stats_chi2_cdf(&tails[0], &tails[1], chi2(p[i], tail, dof[a]), dof[a]));
        // with many degrees of freedom p is more sensitive to x by this factor
        assert_near(tails[t], p[i], 0, rel * (1 + 0.1 * sqrt(dof[a])));
        for (int b = 0; b < RBV_COUNT(dof); b++) {
          double x;
          if (rbv_stats_fisher_quantile(&x, p[i], tail, dof[a], dof[b]) != RBV_OK) {
            // only with one degree of freedom is the quantile for such a small p above 1e308
            assert_true(dof[b] == 1 && p[i] < 1e-100 && tail == RBV_TAIL_UPPER);
            continue;
          }
          // p^(2/dof1) below 1e-308 becomes 0
          if (x == 0) {
            assert_true(dof[a] == 1 && p[i] < 1e-100 && tail == RBV_TAIL_LOWER);
            continue;
          }
          assert_ok(rbv_stats_fisher_cdf(&tails[0], &tails[1], x, dof[a], dof[b]));
          assert_near(tails[t], p[i], 0, rel * (1 + 0.1 * sqrt(dof[a] + dof[b])));
        }
      }
    }
}

/* P(F(a, b) > f) = P(F(b, a) < 1 / f); t^2 is F(1, dof); many degrees of freedom approach
 * infinitely many; I_x(a, b) = 1 - I_(1-x)(b, a) */
static void test_identities_between_distributions(void **state) {
  (void)state;
  for (uint64_t k = 0; k < 2000; k++) {
    const double a = exp(8 * rbv_random_uniform(1, 1, k)), b = exp(8 * rbv_random_uniform(1, 2, k));
    const double f = exp(2 * rbv_random_normal(1, 3, k));
    double upper, lower, one, two;
    assert_ok(rbv_stats_fisher_cdf(NULL, &upper, f, a, b));
    assert_ok(rbv_stats_fisher_cdf(&lower, NULL, 1 / f, b, a));
    // 1 / f is rounded: this changes p by up to sqrt(dof) * sqrt(-log p) times as much
    assert_near(upper, lower, 1e-300, 1e-15 * (10 + a + b));
    assert_ok(rbv_stats_student_cdf(NULL, &one, sqrt(f), b));
    assert_ok(rbv_stats_fisher_cdf(NULL, &two, f, 1, b));
    assert_near(2 * one, two, 1e-300, 1e-15 * (10 + b));
    const double x = rbv_random_uniform(1, 4, k);
    rbv_tails here, there;
    assert_true(rbv_stats_beta_tails(&here, a, b, x, 1 - x));
    assert_true(rbv_stats_beta_tails(&there, b, a, 1 - x, x));
    assert_near(here.lower, there.upper, 1e-300, 1e-15 * (10 + a + b));
  }
  for (int k = 1; k < 60; k++) {
    double one, two;
    const double x = 0.1 * k;
    // the difference to the limit is (x^4 + x^2) / 4 dof, relative to the tail
    assert_ok(rbv_stats_student_cdf(NULL, &one, x, 1e12));
    assert_ok(rbv_stats_student_cdf(NULL, &two, x, INFINITY));
    assert_near(one, two, 0, 1e-12 * (1 + x * x * x * x) + 1e-13);
    assert_ok(rbv_stats_fisher_cdf(NULL, &one, x, 5, 1e12));
    assert_ok(rbv_stats_fisher_cdf(NULL, &two, x, 5, INFINITY));
    assert_near(one, two, 0, 1e-11 * (1 + x * x) + 1e-13);
  }
}

/* the recurrence Q(a + 1, x) = Q(a, x) + x^a e^-x / Gamma(a + 1), and the same for beta:
 * I_x(a, b) = I_x(a + 1, b) + x^a y^b / (a B(a, b)) */
static void test_recurrences_of_the_incomplete_functions(void **state) {
  (void)state;
  for (uint64_t k = 0; k < 2000; k++) {
    const double a = exp(5 * rbv_random_uniform(2, 1, k)) - 0.5,
                 b = exp(5 * rbv_random_uniform(2, 4, k)) - 0.5;
    const double x = a * exp(0.5 * rbv_random_normal(2, 2, k)), y = rbv_random_uniform(2, 3, k);
    rbv_tails here, next;
    assert_true(rbv_stats_gamma_tails(&here, a, x) && rbv_stats_gamma_tails(&next, a + 1, x));
    // log-gamma of 150 is 600, so the term has an error of 600 eps
    assert_near(next.upper, here.upper + exp(a * log(x) - x - lgamma(a + 1)), 1e-300, 1e-12);
    assert_true(rbv_stats_beta_tails(&here, a, b, y, 1 - y));
    assert_true(rbv_stats_beta_tails(&next, a + 1, b, y, 1 - y));
    const double term = exp(lgamma(a + b) - lgamma(a + 1) - lgamma(b) + a * log(y) + b * log1p(-y));
    assert_near(here.lower, next.lower + term, 1e-300, 3e-12);
  }
}

/* values at the ends of the range are defined */
static void test_ends_of_the_range(void **state) {
  (void)state;
  double lower, upper;
  assert_ok(rbv_stats_student_cdf(&lower, &upper, -INFINITY, 3));
  assert_true(lower == 0 && upper == 1);
  assert_ok(rbv_stats_fisher_cdf(&lower, &upper, INFINITY, 3, 4));
  assert_true(lower == 1 && upper == 0);
  assert_ok(rbv_stats_fisher_cdf(&lower, &upper, -1, 3, 4));
  assert_true(lower == 0 && upper == 1);
  assert_ok(rbv_stats_chi2_cdf(&lower, &upper, 0, 3));
  assert_true(lower == 0 && upper == 1);
  assert_ok(rbv_stats_chi2_cdf(&lower, &upper, INFINITY, 3));
  assert_true(lower == 1 && upper == 0);
  assert_ok(rbv_stats_normal_cdf(&lower, &upper, INFINITY));
  assert_true(lower == 1 && upper == 0);
}

/* Lilliefors' table (Dallal and Wilkinson 1986, corrected): D of p = 0.05 and 0.01 */
static void test_lilliefors_table(void **state) {
  (void)state;
  const struct {
    int n;
    double five, one;
  } row[] = {{10, 0.262, 0.304}, {20, 0.192, 0.223}, {30, 0.159, 0.185}, {100, 0.0890, 0.1038}};
  for (int k = 0; k < RBV_COUNT(row); k++) {
    double p;
    // D printed with three digits gives p to about 5 %; the formula adds a few percent
    assert_ok(rbv_stats_lilliefors(&p, row[k].five, row[k].n));
    assert_near(p, 0.05, 0, 0.12);
    assert_ok(rbv_stats_lilliefors(&p, row[k].one, row[k].n));
    assert_near(p, 0.01, 0, 0.12);
  }
  // decreases with D from 1 to 0, also at the step between the two formulas
  for (int n = 5; n <= 5000; n *= 10) {
    double last = 1, p;
    for (double d = 0; d <= 1; d += 1e-4) {
      assert_ok(rbv_stats_lilliefors(&p, d, n));
      assert_true(p <= last + 0.01 && p >= 0);
      last = p;
    }
    assert_true(p < 1e-3);
  }
}

static void test_refusals(void **state) {
  (void)state;
  double x;
  assert_refused(rbv_stats_normal_quantile(&x, 0, RBV_TAIL_LOWER), RBV_EARG, "not in (0, 1)");
  assert_refused(rbv_stats_normal_quantile(&x, 1, RBV_TAIL_LOWER), RBV_EARG, "not in (0, 1)");
  assert_refused(rbv_stats_normal_quantile(&x, NAN, RBV_TAIL_LOWER), RBV_ENUM, "p is not a number");
  assert_refused(rbv_stats_normal_quantile(NULL, 0.5, RBV_TAIL_LOWER), RBV_EARG, "NULL");
  assert_refused(rbv_stats_normal_cdf(&x, NULL, NAN), RBV_ENUM, "x is not a number");
  assert_refused(rbv_stats_student_cdf(&x, NULL, NAN, 3), RBV_ENUM, "t is not a number");
  assert_refused(rbv_stats_student_cdf(&x, NULL, 1, 0), RBV_EARG, "dof = 0");
  assert_refused(rbv_stats_student_cdf(&x, NULL, 1, NAN), RBV_ENUM, "dof is not a number");
  assert_refused(rbv_stats_student_quantile(&x, 1e-200, RBV_TAIL_UPPER, 1), RBV_ENUM, "too large");
  assert_refused(rbv_stats_chi2_cdf(&x, NULL, NAN, 3), RBV_ENUM, "x is not a number");
  assert_refused(rbv_stats_chi2_quantile(&x, 0.5, RBV_TAIL_LOWER, INFINITY), RBV_EARG, "infinite");
  assert_refused(rbv_stats_fisher_cdf(&x, NULL, NAN, 1, 1), RBV_ENUM, "f is not a number");
  assert_refused(rbv_stats_fisher_quantile(&x, 0.5, RBV_TAIL_LOWER, 2, -1), RBV_EARG, "dof2 = -1");
  assert_refused(rbv_stats_lilliefors(&x, 0.1, 3), RBV_EDIM, "n = 3");
  assert_refused(rbv_stats_lilliefors(&x, 1.1, 5), RBV_EARG, "d = 1.1");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_printed_tables),
      cmocka_unit_test(test_closed_forms),
      cmocka_unit_test(test_closed_forms_of_quantiles),
      cmocka_unit_test(test_normal_agrees_with_erfc),
      cmocka_unit_test(test_round_trips),
      cmocka_unit_test(test_identities_between_distributions),
      cmocka_unit_test(test_recurrences_of_the_incomplete_functions),
      cmocka_unit_test(test_ends_of_the_range),
      cmocka_unit_test(test_lilliefors_table),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
