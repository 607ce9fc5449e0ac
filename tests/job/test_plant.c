/* The simulated robot in its loop, without the tool. */
#include <math.h>
#include <roberval/sys/plant.h>
#include <stdio.h>
#include <string.h>

#include "base/support.h"
#include "support.h"

/* the reference of a pendulum: q = 0.2 sin(2 pi t) for a second at 200 Hz */
#define ROBOT ROBERVAL_SOURCE "/examples/pendulum.yaml"

static const char *reference(void) {
  char text[16384];
  int used = snprintf(text, sizeof text, "t,q1\n");
  for (int k = 0; k <= 200; k++)
    used += snprintf(text + used, sizeof text - (size_t)used, "%.17g,%.17g\n", k / 200.,
                     0.2 * sin(2 * acos(-1) * k / 200.));
  return temp_file("reference.csv", text);
}

static rbv_model *load(void) {
  rbv_model *m;
  assert_ok(rbv_model_load(&m, ROBOT, NULL));
  return m;
}

static void keep(void *self, const char *sentence, const char *option) {
  (void)option;
  snprintf(self, 256, "%s", sentence);
}

static void test_follows_its_reference(void **state) {
  (void)state;
  rbv_model *m = load();
  rbv_plant *p;
  assert_ok(rbv_plant_new(&p, m, reference(), NULL, NULL));
  assert_int_equal(p->reference.count, 201);
  assert_near(rbv_control_rate_hz(p->control), 200, 0, 0);
  assert_ok(rbv_plant_run(p, NULL));
  assert_int_equal(p->outcome.verdict, RBV_SIM_DONE);
  double rms;
  rbv_sim_tracking(&rms, &p->trace, 1, p->outcome.samples);
  // a loop of 10 Hz follows 1 Hz to about (1/10)^2 of its amplitude of 0.2
  assert_true(rms > 0 && rms < 0.02);
  rbv_plant_free(p);
  rbv_plant_free(NULL);
  rbv_model_free(m);
}

/* another control rate resamples and says so; percents are of the torque without defects */
static void test_rate_and_percents(void **state) {
  (void)state;
  rbv_model *m = load();
  char note[256] = "";
  const rbv_notes notes = {.note = keep, .self = note};
  rbv_plant_options o = rbv_plant_defaults();
  o.rate_hz = 1000;
  o.torque_noise = "2%";
  o.torque_offset = "0.25";
  rbv_plant *p;
  assert_ok(rbv_plant_new(&p, m, reference(), &o, &notes));
  assert_non_null(strstr(note, "resampled from 200 to 1000 Hz, 1001 samples"));
  rbv_sim_options exact = p->sim;
  exact.defects = (rbv_sim_defects){0};
  assert_ok(rbv_plant_run(p, &exact));
  double deviation;
  rbv_sim_deviation(&deviation, &p->trace, 1, p->outcome.samples);
  assert_near(p->sim.defects.torque_noise[0], 0.02 * deviation, 0, 1e-15);
  assert_near(p->sim.defects.torque_offset[0], 0.25, 0, 0);
  assert_null(p->sim.defects.ripple);
  rbv_plant_free(p);
  rbv_model_free(m);
}

static void test_refusals(void **state) {
  (void)state;
  rbv_model *m = load();
  rbv_plant *p;
  const char *file = reference();
  static const struct {
    const char *option, *value, *message;
  } bad[] = {
      {"integrator", "euler", "choose from auto, rosenbrock"},
      {"bandwidth", "1,2", "bandwidth needs 1 numbers"},
      {"bandwidth", "0", "bandwidth must be a number above 0"},
      {"drop", "1", "drop needs a number from 0 to 0.99, or in percent, not 1"},
      {"drift", "-1", "drift needs a number above -1"},
      {"drift-time", "0", "drift-time needs a number above 0"},
      {"roll-off", "0", "roll-off needs a number above 0"},
      {"encoder", "-1", "encoder needs a number from 0"},
      {"rate", "-1", "rate needs a number from 1 to"},
      {"torque-noise", "1e308", "torque-noise must be a number from 0 to 1e+12, not 1e+308"},
      {"loop-delay", "1000000", "loop-delay needs a whole number from 1 to 100000"},
  };
  for (int i = 0; i < RBV_COUNT(bad); i++) {
    rbv_plant_options o = rbv_plant_defaults();
    const rbv_option_group groups[] = {{rbv_plant_rows(), &o}, {0}};
    void *target;
    const rbv_option *row = rbv_option_find(&target, groups, bad[i].option);
    assert_non_null(row);
    // not by the table, which would refuse it
    assert_true(rbv_option_store(row->kind, (rbv_range){0}, target, bad[i].value));
    assert_refused(rbv_plant_new(&p, m, file, &o, NULL), RBV_EOPTION, bad[i].message);
    assert_null(p);
  }
  assert_refused(rbv_plant_new(&p, m, NULL, NULL, NULL), RBV_EOPTION, "no built-in reference");
  assert_refused(rbv_plant_new(&p, NULL, file, NULL, NULL), RBV_EARG, "needs a robot");
  rbv_model_free(m);
}

static rbv_status simulate(void *m) {
  rbv_plant *p;
  rbv_plant_options o = rbv_plant_defaults();
  o.rate_hz = 400;
  o.disturbance = "1%";
  char path[512];
  snprintf(path, sizeof path, "%s/reference.csv", temp_directory());
  rbv_status status = rbv_plant_new(&p, m, path, &o, NULL);
  if (status == RBV_OK) status = rbv_plant_run(p, NULL);
  rbv_plant_free(p);
  return status;
}

static void test_allocations_fail_well(void **state) {
  (void)state;
  rbv_model *m = load();
  (void)reference();
  fail_each_allocation(simulate, m);
  rbv_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_follows_its_reference),
      cmocka_unit_test(test_rate_and_percents),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_allocations_fail_well),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
