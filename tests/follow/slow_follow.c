/*
 * Rates and coverages of an arm that is followed, on simulated TX40 and LWR4+ (joint torque
 * sensors) at 1 kHz. The arm was identified from 60 s of another motion with the same noise; limits
 * were learnt from 300 s. The numbers are printed; the bounds are those of the issue that asked for
 * them.
 *
 * slow_follow [SEED [SHARE [TEST]]]: SHARE of the full size; TEST: name, * stands for any letters
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "payload_bound.h"
#include "stream.h"
#include "support.h"

#define RATE 1000.0
#define CALIBRATION_S 300.0
#define CHOSEN 60.0  // false alarms per hour: enough to count

static uint64_t seed = 1;
static double hour_s = 3600;  // of the count of alarms
static int contacts = 210;    // a multiple of 6 and of 7 joints
static int payloads = 60;     // per robot and noise

typedef struct {
  known_stream k;
  rbv_follow *f;
  const rbv_follow_report *r;
  stream s;
} study;

static void begin(study *x, const char *robot, double share, double rate, uint64_t motion) {
  known_new(&x->k, robot, strcmp(robot, "lwr4+") == 0 ? RBV_SENSING_JOINT : -1, RATE, share, 60,
            seed);
  x->k.options.alarms_per_hour = rate;
  x->f = known_follow(&x->k, CALIBRATION_S, seed + 1000);
  x->r = rbv_follow_get(x->f);
  stream_new(&x->s, x->k.m, x->k.truth, RATE, share, motion, seed + 2000);
}

static void end(study *x) {
  stream_free(&x->s);
  rbv_follow_free(x->f);
  known_free(&x->k);
}

static void next(study *x) {
  stream_next(&x->s);
  (void)rbv_follow_push(x->f, x->s.t, x->s.q, x->s.tau);
}

static void pass(study *x, double seconds) {
  for (int k = 0; k < (int)(seconds * RATE); k++) next(x);
}

/* ---- contact ---- */

/* one hour of the motion of the calibration: the chosen rate within a factor of two */
static void count_alarms(const char *robot) {
  study x;
  begin(&x, robot, 0.02, CHOSEN, 2);
  int alarms = 0, changes = 0;
  for (long k = 0; k < (long)(hour_s * RATE); k++) {
    next(&x);
    alarms += x.r->began;
    changes += x.r->changed;
  }
  const double chosen = CHOSEN * hour_s / 3600;
  print_message("%s: %d false alarms in %g s, %g chosen; %d changes of a payload\n", robot, alarms,
                hour_s, chosen, changes);
  assert_true(alarms >= chosen / 2 && alarms <= 2 * chosen);
  end(&x);
}

/* steps of 5 % of the rated torque, one false alarm per hour */
static void find_contacts(const char *robot) {
  study x;
  begin(&x, robot, 0.02, 1, 3);
  pass(&x, 3);
  int found = 0, tried = 0, other = 0;
  for (int c = 0; c < contacts; c++) {
    const int j = c % x.s.n, joint_before = x.r->contact;
    int at = -1, joint = -1;
    x.s.external[j] = (c / x.s.n % 2 ? 0.05 : -0.05) * rbv_model_joint(x.k.m, j)->limits.effort;
    for (int k = 0; k < 200; k++) {
      next(&x);
      if (x.r->contact >= 0 && at < 0) {
        at = k + 1;
        joint = x.r->contact;
      }
    }
    x.s.external[j] = 0;
    pass(&x, 1.5 + 0.001 * (c * 7 % 500));
    if (joint_before >= 0) continue;  // not a new contact
    tried++;
    found += at > 0 && at <= 30;
    other += at > 0 && joint != j;
  }
  print_message("%s: %d of %d contacts within 30 ms, %d at another joint\n", robot, found, tried,
                other);
  assert_true(tried >= 0.9 * contacts && found >= 0.95 * tried);
  end(&x);
}

/* ---- payload ---- */

/* Inertia about its centre of a ball with a tenth of the density of water: what `follow` takes for
 * one sigma. */
static double light_ball(double mass) {
  const double radius = cbrt(3 * mass / (4 * RBV_PI * 100));
  return 0.4 * mass * radius * radius;
}

/* how often an estimate is as good as the target asks for, beside what the noise allows */
static void find_payloads(const char *robot, double share) {
  study x;
  begin(&x, robot, share, 1, 3);
  int good = 0, covered = 0, values = 0, dropped = 0, known = 0;
  double empty[STREAM_COLUMNS], allowed = 0, spread = 0, allowed_inertia = 0, allowed_arm = 0;
  double *W =
      calloc((size_t)(rbv_model_row_count(x.k.m) * rbv_model_column_count(x.k.m)), sizeof *W);
  assert_non_null(W);
  memcpy(empty, x.s.chi, sizeof empty);
  for (int i = 0; i < payloads; i++) {
    const uint64_t at = (uint64_t)i;
    const double mass = 0.5 + 4.5 * rbv_random_uniform(seed, 50, at);
    double centre[3], far = 0;
    for (int k = 0; k < 3; k++)
      centre[k] = 0.05 * rbv_random_normal(seed, 51 + (uint64_t)k, at) + (k == 2 ? 0.08 : 0);
    pass(&x, 2 + 3 * rbv_random_uniform(seed, 60, at));
    stream_carry(&x.s, mass, centre, 0.05);
    payload_bound b = {.any = false};
    for (int k = 0; k < (int)RATE; k++) {
      next(&x);
      bound_add(&b, &x.s, &x.k.arm, W);
    }
    const double own = light_ball(mass);
    const double p_good = bound_share(&b, (bound_unknown){0}, mass, centre, seed + at);
    allowed += p_good;
    allowed_inertia += bound_share(&b, (bound_unknown){.inertia = own}, mass, centre, seed + at);
    allowed_arm +=
        bound_share(&b, (bound_unknown){.inertia = own, .arm = true}, mass, centre, seed + at);
    spread += p_good * (1 - p_good);
    const rbv_payload *p = &x.r->payload;
    known += x.r->load == RBV_LOAD_KNOWN;
    covered += fabs(p->mass - mass) < 1.96 * p->mass_sigma;
    for (int k = 0; k < 3; k++) {
      far = fmax(far, fabs(p->centre[k] - centre[k]));
      covered += fabs(p->centre[k] - centre[k]) < 1.96 * p->centre_sigma[k];
    }
    values += 4;
    good += fabs(p->mass - mass) < 0.03 * mass && far < 0.01;
    pass(&x, 1);
    memcpy(x.s.chi, empty, sizeof empty);
    stream_set(&x.s);
    bool seen = false;
    for (int k = 0; k < (int)(0.3 * RATE); k++) {
      next(&x);
      seen = seen || x.r->changed;
    }
    dropped += seen;
  }
  const double coverage = (double)covered / values;
  print_message(
      "%s, noise %g %%: %d of %d payloads within 3 %% and 1 cm after 1 s (the bound of Cramer and "
      "Rao allows %.1f, %.1f with unknown inertia, %.1f with the errors of the arm, too), %d "
      "known, "
      "1.96 sigma cover %.1f %%, %d drops within 0.3 s\n",
      robot, 100 * share, good, payloads, allowed, allowed_inertia, allowed_arm, known,
      100 * coverage, dropped);
  // values that are covered with 90 to 98 %, and two sigma of a binomial there
  assert_true(coverage >= 0.90 - 2 * sqrt(0.9 * 0.1 / values));
  assert_true(coverage <= 0.98 + 2 * sqrt(0.98 * 0.02 / values));
  assert_true(dropped >= 0.95 * payloads);
  // 95 %, or nine tenths of what the noise allows, within two sigma of that
  assert_true(good >= fmin(0.95 * payloads, 0.9 * allowed - 2 * sqrt(spread)));
  free(W);
  end(&x);
}

/* ---- drift ---- */

/* friction falls by 30 % in 20 minutes */
static void follow_drift(const char *robot) {
  study x;
  begin(&x, robot, 0.02, 1, 3);
  int inside = 0, all = 0;
  for (int second = 0; second < 1200; second++) {
    for (int c = 0; c < rbv_model_column_count(x.k.m); c++) {
      const rbv_column *column = rbv_model_column(x.k.m, c);
      if (rbv_column_has_law(column, "Fv") || rbv_column_has_law(column, "Fc"))
        x.s.chi[c] = x.k.truth[c] * (1 - 0.3 * second / 1200);
    }
    stream_set(&x.s);
    pass(&x, 1);
    if (second % 10 || second < 60) continue;
    for (int i = 0; i < x.r->ndrift; i++) {
      const int c = x.r->drift_column[i];
      inside += fabs(x.k.chi[c] + x.r->drift[i] - x.s.chi[c]) < 2 * x.r->drift_sigma[i];
      all++;
    }
  }
  print_message("%s: %.1f %% of %d values of friction and offsets within 2 sigma\n", robot,
                100.0 * inside / all, all);
  assert_true(inside >= 0.9 * all);
  end(&x);
}

static void test_alarms_tx40(void **state) {
  (void)state;
  count_alarms("tx40");
}

static void test_alarms_lwr4(void **state) {
  (void)state;
  count_alarms("lwr4+");
}

static void test_contacts_tx40(void **state) {
  (void)state;
  find_contacts("tx40");
}

static void test_contacts_lwr4(void **state) {
  (void)state;
  find_contacts("lwr4+");
}

/* with 2 % of noise light payloads are not always found to 3 % in one second */
static void test_payloads_tx40(void **state) {
  (void)state;
  find_payloads("tx40", 0.005);
  find_payloads("tx40", 0.02);
}

static void test_payloads_lwr4(void **state) {
  (void)state;
  find_payloads("lwr4+", 0.005);
  find_payloads("lwr4+", 0.02);
}

static void test_drift(void **state) {
  (void)state;
  follow_drift("tx40");
}

int main(int argc, char **argv) {
  if (argc > 1) seed = strtoull(argv[1], NULL, 10);
  const double size = argc > 2 ? atof(argv[2]) : 1;
  hour_s *= size;
  contacts = 42 * (int)fmax(1, size * contacts / 42);
  payloads = (int)fmax(1, size * payloads);
  if (argc > 3) cmocka_set_test_filter(argv[3]);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_alarms_tx40),   cmocka_unit_test(test_alarms_lwr4),
      cmocka_unit_test(test_contacts_tx40), cmocka_unit_test(test_contacts_lwr4),
      cmocka_unit_test(test_payloads_tx40), cmocka_unit_test(test_payloads_lwr4),
      cmocka_unit_test(test_drift),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
