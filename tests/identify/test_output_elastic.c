/*
 * Output error of an arm with elastic joints and encoders on its motors: stiffness and damping
 * beside rotors, friction and delay, from positions alone; and what a rigid model makes of it.
 */
#include <math.h>
#include <roberval/sys/identify.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "motions.h"
#include "output_robots.h"
#include "support.h"

#define RATE 500.0
#define COUNT 2000  // 4 s
#define DELAY 0.0021
#define N 2

static const char arm[] = ELASTIC_ARM("0.01");

static const double stiffness[N] = {900, 250}, damping[N] = {1.2, 0.4};

static const known_value truth[] = ELASTIC_TRUTH(DELAY);

typedef struct {
  rbv_model *m;
  rbv_control *c;
  double *reference;
  rbv_sim_reference at;
  rbv_motion *motion;
} fixture;

/* slow sines, and a chirp through the resonances; quiet: slow sines of a tenth of their frequency
 */
static void fill_reference(double *q, bool quiet) {
  for (int i = 0; i < N; i++)
    for (int k = 0; k < COUNT; k++) {
      const double t = k / RATE, grown = 1 - exp(-2 * t), slow = quiet ? 0.1 : 1;
      q[k + i * COUNT] =
          0.4 + grown * (0.3 * sin(slow * (3 + 2 * i) * t + i) +
                         (quiet ? 0 : 0.02 * sin(2 * M_PI * (2 + 2.7 * t) * t + 2 * i)));
    }
}

/* with finer steps than the identification */
static rbv_motion *record(const fixture *f) {
  static const double delay[N] = {DELAY, DELAY};
  rbv_sim_options o = rbv_sim_defaults();
  o.elastic = true;
  o.longest_delay_s = 0.02;
  o.defects.record_counts = 65536;
  assert_ok(rbv_sim_elastic_substeps(&o.substeps, f->m, rbv_model_parameters(f->m), false,
                                     stiffness, f->reference, RATE));
  o.substeps *= 4;
  const rbv_sim_lane lane = {.delay = delay, .stiffness = stiffness, .damping = damping};
  return simulated_motion(f->m, f->c, &o, &lane, &f->at);
}

static int set_up(void **state) {
  static fixture f;
  static const double k_p[N] = {300, 80}, k_d[N] = {25, 5};
  f.m = load_robot(temp_file("arm.yaml", arm), -1, false);
  rbv_control_joint j[N];
  for (int i = 0; i < N; i++) {
    j[i] = rbv_control_joint_defaults();
    j[i].k_p = k_p[i];
    j[i].k_d = k_d[i];
    j[i].filter_s = 2e-3;
  }
  assert_ok(rbv_control_new(&f.c, "pd", RATE, RBV_FEEDFORWARD_NONE, j, N));
  f.reference = malloc(N * COUNT * sizeof *f.reference);
  fill_reference(f.reference, false);
  f.at = (rbv_sim_reference){.count = COUNT, .ld = COUNT, .q = f.reference};
  f.motion = record(&f);
  *state = &f;
  return 0;
}

static int tear_down(void **state) {
  fixture *f = *state;
  rbv_motion_free(f->motion);
  rbv_control_free(f->c);
  rbv_model_free(f->m);
  free(f->reference);
  return 0;
}

static rbv_status fit(rbv_estimate **e, const fixture *f, const double *k, const double *d,
                      const rbv_unknown *u, int count, bool known) {
  static double start[64];
  for (int c = 0; c < rbv_model_column_count(f->m); c++) {
    const bool link = rbv_model_column(f->m, c)->basis == RBV_BASIS_INERTIAL;
    start[c] = (link ? 1 : 1.3) * rbv_model_parameters(f->m)[c];
  }
  rbv_closed_loop loop = rbv_closed_loop_defaults();
  loop.control = f->c;
  loop.reference = &f->at;
  loop.start = start;
  loop.known = rbv_model_parameters(f->m);
  loop.known_links = known;
  loop.skip = 100;
  loop.unknown = u;
  loop.nunknown = count;
  loop.longest_delay_s = 0.02;
  loop.stiffness = k;
  loop.damping = d;
  rbv_identify_options o = rbv_identify_defaults();
  o.method = "cloe";
  o.loop = &loop;
  return rbv_identify(e, f->m, &f->motion, 1, &o);
}

static const rbv_unknown unknown[] = {{.kind = RBV_UNKNOWN_STIFFNESS, .joint = 0},
                                      {.kind = RBV_UNKNOWN_STIFFNESS, .joint = 1},
                                      {.kind = RBV_UNKNOWN_DAMPING, .joint = 0},
                                      {.kind = RBV_UNKNOWN_DAMPING, .joint = 1},
                                      {.kind = RBV_UNKNOWN_DELAY, .joint = -1}};

/* the value and sigma of a parameter or an unknown */
static void find(double *value, double *sigma, const rbv_estimate *e, const char *name) {
  for (int i = 0; i < e->loop.nunknown; i++)
    if (strcmp(e->loop.unknown[i].name, name) == 0) {
      *value = e->loop.unknown[i].value;
      *sigma = e->loop.unknown[i].sigma;
      return;
    }
  for (int k = 0; k < e->base->count; k++)
    if (strcmp(e->base->name[k], name) == 0) {
      *value = e->value[k];
      *sigma = sqrt(e->covariance[k + (ptrdiff_t)k * e->base->count]);
      return;
    }
  fail_msg("no %s", name);
}

/* from springs that are 50 % too stiff or too soft, drives 30 % and damping 100 % too large: all
 * within 2 %, the damping within 5 %, and within 4 sigma of encoders of 16 bits */
static void test_springs(void **state) {
  fixture *f = *state;
  for (int soft = 0; soft < 2; soft++) {
    const double factor = soft ? 0.5 : 1.5;
    const double k[N] = {factor * 900, factor * 250}, d[N] = {2.4, 0.8};
    rbv_estimate *e;
    assert_ok(fit(&e, f, k, d, unknown, RBV_COUNT(unknown), true));
    print_message("%d iterations, %d simulations\n", e->iterations, e->loop.simulations);
    bool good = e->converged;
    for (int i = 0; i < RBV_COUNT(truth); i++) {
      double value, sigma;
      find(&value, &sigma, e, truth[i].name);
      print_message("%-10s %.5f +- %.5f, true %.5f\n", truth[i].name, value, sigma, truth[i].value);
      const bool damps = strncmp(truth[i].name, "damping", 7) == 0;
      const double off = fabs(value - truth[i].value);
      good = good && off <= (damps ? 0.05 : 0.02) * truth[i].value && off <= 4 * sigma;
    }
    assert_true(good);
    rbv_estimate_free(e);
  }
}

/* a rigid model of the same recording: the positions fit far worse, and the rotors are wrong */
static void test_rigid_model(void **state) {
  fixture *f = *state;
  static const rbv_unknown late = {.kind = RBV_UNKNOWN_DELAY, .joint = -1};
  rbv_estimate *elastic, *rigid;
  assert_ok(fit(&elastic, f, stiffness, damping, &late, 1, true));
  assert_ok(fit(&rigid, f, NULL, NULL, &late, 1, true));
  double value, sigma;
  find(&value, &sigma, rigid, "Ia1");
  for (int j = 0; j < N; j++) {
    print_message("joint %d: error %.2e rad, rigid %.2e rad\n", j + 1, elastic->loop.output[j].rms,
                  rigid->loop.output[j].rms);
    assert_true(rigid->loop.output[j].rms > 10 * elastic->loop.output[j].rms);
  }
  print_message("Ia1 %.4f, true 0.2\n", value);
  assert_true(fabs(value - 0.2) > 0.02);
  rbv_estimate_free(elastic);
  rbv_estimate_free(rigid);
}

/* a quiet motion shows springs by gravity and friction alone: sigma is at least a hundred times
 * that of the other motion (1 % of k, 20 % of d), and it holds */
static void test_quiet_motion(void **state) {
  fixture f = *(fixture *)*state;
  double quiet[N * COUNT];
  fill_reference(quiet, true);
  f.at.q = f.reference = quiet;
  f.motion = record(&f);
  const double k[N] = {1350, 375}, d[N] = {2.4, 0.8};
  rbv_estimate *e;
  assert_ok(fit(&e, &f, k, d, unknown, RBV_COUNT(unknown), true));
  for (int i = 0; i < 4; i++)
    print_message("%s %.4g +- %.3g\n", e->loop.unknown[i].name, e->loop.unknown[i].value,
                  e->loop.unknown[i].sigma);
  for (int i = 0; i < 4; i++) {
    const rbv_loop_value *v = &e->loop.unknown[i];
    assert_true(v->sigma > (i < 2 ? 0.01 : 0.2) * truth[i].value);
    assert_near(v->value, truth[i].value, 4 * v->sigma, 0);
  }
  rbv_estimate_free(e);
  rbv_motion_free(f.motion);
}

static void test_refusals(void **state) {
  fixture *f = *state;
  rbv_estimate *e;
  const double none[N] = {0, 0};
  assert_refused(fit(&e, f, NULL, NULL, unknown, 1, true), RBV_EINPUT,
                 "an unknown stiffness of the joints needs start values");
  assert_refused(fit(&e, f, stiffness, damping, unknown, 1, false), RBV_EINPUT,
                 "the links must be known");
  assert_refused(fit(&e, f, none, damping, unknown, 1, true), RBV_EINPUT,
                 "all joints are elastic, or none");
  assert_refused(fit(&e, f, stiffness, none, unknown, 5, true), RBV_EINPUT,
                 "an unknown damping of joint 1 needs a start value above zero");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_springs),
      cmocka_unit_test(test_rigid_model),
      cmocka_unit_test(test_quiet_motion),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
