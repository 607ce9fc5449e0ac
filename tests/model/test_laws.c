/* The table of drive laws: every row is complete and agrees with itself, and the pages list it. */
#include <ctype.h>
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <roberval/sys/storage.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "dynamics/lanes.h"
#include "model/model_internal.h"
#include "support.h"

#define EPS 2.220446049250313e-16

static const double speeds[] = {-2.3, -0.4, -0.03, 0.02, 0.15, 1.7};
static const double gammas[] = {0, 20, 150};

/* usual values of the shape parameters, gamma as given */
static void usual_shape(double shape[LAW_SHAPES], const rbv_law *law, double gamma) {
  for (int k = 0; k < rbv_law_shape_count(law); k++)
    shape[k] = strcmp(law->shape[k].name, "gamma") == 0 ? gamma : law->shape[k].example;
}

static rbv_law_input input(double motion, double gamma, const double *shape) {
  static const double state = 0.3;
  rbv_law_input at = {.motion = motion, .shape = shape, .torque = -0.7, .state = &state};
  at.sign = rbv_law_sign(&at.sign_slope, motion, (rbv_smoothing){.gamma = gamma});
  return at;
}

/* ---- the row ---- */

static void test_rows_are_complete(void **state) {
  (void)state;
  assert_true(rbv_law_count() >= 9);
  assert_null(rbv_law_at(rbv_law_count()));
  assert_null(rbv_law_find("Fx"));
  assert_true(rbv_shape_kind_count() <= LAW_SHAPE_KINDS);
  for (int i = 0; i < rbv_law_count(); i++) {
    const rbv_law *law = rbv_law_at(i);
    assert_non_null(law->name);
    print_message("%s\n", law->name);
    assert_ptr_equal(rbv_law_find(law->name), law);
    assert_true(law->text && law->texts->value);
    assert_true(law->unit[false] && law->unit[true]);
    assert_true(law->value && law->slope && law->implicit && law->values && law->slopes);
    assert_string_equal(rbv_law_column(law, 0), law->name);
    assert_true(law->number > 0 && law->number != 10);  // 10: formulas of the robot file
    for (int k = 0; k < i; k++) assert_int_not_equal(law->number, rbv_law_at(k)->number);
    // only the speed law can be nonlinear: accelerations make the mass matrix
    assert_true(law->motion != RBV_LAW_ACCELERATION || law->linear);
    assert_true(law->motion != RBV_LAW_CONSTANT || !law->linear);
    assert_true(!law->follows || rbv_law_find(law->follows));
    assert_true(law->state_count == 0 || (law->state_count == 1 && law->texts->step));
    assert_true(law->consumers > 0 && law->consumers <= LAW_EVERYWHERE);
  }
}

/* a name belongs to one law, so that a robot file means one thing */
static void test_columns_have_one_law(void **state) {
  (void)state;
  for (int a = 0; a < rbv_law_count(); a++)
    for (int i = 0; rbv_law_column(rbv_law_at(a), i); i++) {
      const char *prefix = rbv_law_column(rbv_law_at(a), i);
      assert_false(isdigit((unsigned char)prefix[strlen(prefix) - 1]));
      for (int b = 0; b < rbv_law_count(); b++)
        for (int k = 0; rbv_law_column(rbv_law_at(b), k); k++)
          if (a != b || i != k) assert_string_not_equal(prefix, rbv_law_column(rbv_law_at(b), k));
    }
}

static void test_shape_parameters(void **state) {
  (void)state;
  for (int i = 0; i < rbv_law_count(); i++) {
    const rbv_law *law = rbv_law_at(i);
    // a law with a step is smoothed with gamma, its first shape parameter; others have no gamma
    for (int k = 0; k < rbv_law_shape_count(law); k++) {
      const rbv_law_shape *s = &law->shape[k];
      assert_true(s->text && s->unit[0] && s->unit[1] && s->example > 0);
      assert_true(!s->positive || !(s->fallback <= 0));
      assert_int_equal(strcmp(s->name, "gamma") == 0, law->steps && k == 0);
      const rbv_law_shape *kind = rbv_shape_kind(rbv_shape_kind_find(s->name));
      assert_string_equal(kind->text, s->text);
      assert_true(kind->fallback == s->fallback || (isnan(kind->fallback) && isnan(s->fallback)));
    }
    assert_true(!law->steps || rbv_law_shape_count(law) >= 1);
  }
}

/* power of "m" in a unit such as "N s^2/m^2", where N is kg m/s^2 */
static double metres(const char *unit) {
  double sum = 0, sign = 1;
  for (const char *s = unit; *s;) {
    if (*s == '/') sign = -1;
    if (!isalpha((unsigned char)*s)) {
      s++;
      continue;
    }
    char name[16] = "";
    for (size_t n = 0; isalpha((unsigned char)*s); s++)
      if (n < sizeof name - 1) name[n++] = *s;
    char *end;
    const double power = *s == '^' ? strtod(s + 1, &end) : 1;
    if (*s == '^') s = end;
    if (strcmp(name, "N") == 0 || strcmp(name, "m") == 0) sum += sign * power;
  }
  return sum;
}

/* Force = parameter * value. A force has the length power 1, so the value has 1 - metres(unit); an
 * inertia column, kg m^2 times rad/s^2, counts as 0 and a force as 1 more. */
static void test_length_power_is_that_of_the_unit(void **state) {
  (void)state;
  assert_near(metres("N s^0.5/m^0.5"), 0.5, 0, 0);
  for (int i = 0; i < rbv_law_count(); i++) {
    const rbv_law *law = rbv_law_at(i);
    assert_near(law->length_power, 2 - metres(law->unit[true]), 0, 1e-15);
  }
}

/* ---- functions ---- */

static double by_formula(const rbv_law *law, const rbv_law_input *at) {
  expression e;
  assert_ok(rbv_law_compile(&e, law, at->shape));
  double *scratch = calloc((size_t)e.nregister * EXPRESSION_CHUNK, sizeof *scratch), out;
  const double dq[4] = {at->motion, at->sign, at->torque, at->state[0]};
  const double q[4] = {0, at->motion};
  rbv_expression_eval(&out, &e, scratch, q, dq, dq, 1, 1);
  free(scratch);
  rbv_expression_free(&e);
  return out;
}

static void test_formula_is_the_value(void **state) {
  (void)state;
  for (int i = 0; i < rbv_law_count(); i++)
    for (int g = 0; g < RBV_COUNT(gammas); g++)
      for (int k = 0; k < RBV_COUNT(speeds); k++) {
        const rbv_law *law = rbv_law_at(i);
        double shape[LAW_SHAPES];
        usual_shape(shape, law, gammas[g]);
        const rbv_law_input at = input(speeds[k], gammas[g], shape);
        // exp(-(v/v_s)^2) at v/v_s = 23 multiplies the rounding of its argument by 2 * 529
        assert_near(law->value(1, &at), by_formula(law, &at), 0, 2e3 * EPS);
      }
}

static void test_slope_is_the_derivative(void **state) {
  (void)state;
  for (int i = 0; i < rbv_law_count(); i++)
    for (int g = 0; g < RBV_COUNT(gammas); g++)
      for (int k = 0; k < RBV_COUNT(speeds); k++) {
        const rbv_law *law = rbv_law_at(i);
        double shape[LAW_SHAPES];
        usual_shape(shape, law, gammas[g]);
        const double v = speeds[k], h = 1e-6;
        const rbv_law_input at = input(v, gammas[g], shape);
        const rbv_law_input low = input(v - h, gammas[g], shape);
        const rbv_law_input high = input(v + h, gammas[g], shape);
        const double want = (law->value(1, &high) - law->value(1, &low)) / (2 * h);
        // h^2/6 times a third derivative of at most gamma^3 (2e-6 at 150), and rounding eps |v|^3/h
        assert_near(law->slope(&at), want, 1e-5, 1e-6);
        // what implicit integration adds must keep the mass matrix positive
        assert_true(law->implicit(&at) >= 0 && isfinite(law->implicit(&at)));
        const rbv_law_input still = input(0, 150, shape);
        assert_true(law->implicit(&still) >= 0 && isfinite(law->implicit(&still)));
      }
}

/* a shape parameter of the value itself can be estimated: every law has the derivative by it */
static void test_by_shape_is_the_derivative(void **state) {
  (void)state;
  int tested = 0;
  for (int i = 0; i < rbv_law_count(); i++) {
    const rbv_law *law = rbv_law_at(i);
    const int own = rbv_law_own_shape(law);
    const rbv_law_shape *shape = rbv_law_free_shape(law);
    assert_int_equal(shape != NULL, own >= 0 && law->state_count == 0);
    if (!shape) continue;
    assert_true(shape == &law->shape[own] && shape->positive && shape->scale != RBV_SHAPE_FIXED);
    for (int k = 0; k < RBV_COUNT(speeds); k++) {
      double low[LAW_SHAPES], at[LAW_SHAPES], high[LAW_SHAPES];
      usual_shape(low, law, 20);
      usual_shape(at, law, 20);
      usual_shape(high, law, 20);
      const double h = 1e-6 * at[own];
      low[own] -= h;
      high[own] += h;
      const rbv_law_input x = input(speeds[k], 20, at), a = input(speeds[k], 20, low),
                          b = input(speeds[k], 20, high);
      const double want = (law->value(1, &b) - law->value(1, &a)) / (2 * h);
      // rounding: eps/h of values up to 5, h of the ripple 8e-6, of v_s 1e-7
      assert_near(rbv_law_by_shape(law, &x), want, 1e-8, 1e-7);
    }
    tested++;
  }
  assert_true(tested >= 5);
}

/* the loops, the coefficient, and the properties by which consumers take short cuts */
static void test_properties_hold(void **state) {
  (void)state;
  for (int i = 0; i < rbv_law_count(); i++) {
    const rbv_law *law = rbv_law_at(i);
    double shape[LAW_SHAPES], sign[RBV_COUNT(speeds)], sign_slope[RBV_COUNT(speeds)];
    double value[RBV_COUNT(speeds)], slope[RBV_COUNT(speeds)], c[RBV_COUNT(speeds)];
    const int n = RBV_COUNT(speeds);
    usual_shape(shape, law, 20);
    for (int k = 0; k < n; k++) {
      sign[k] = rbv_law_sign(&sign_slope[k], speeds[k], (rbv_smoothing){.gamma = 20});
      c[k] = k - 2.5;
    }
    double torque[RBV_COUNT(speeds)], states[RBV_COUNT(speeds)];
    for (int k = 0; k < n; k++) {
      torque[k] = -0.7;
      states[k] = 0.3;
    }
    const law_samples at = {.motion = speeds,
                            .sign = sign,
                            .sign_slope = sign_slope,
                            .torque = torque,
                            .state = states,
                            .shape = shape};
    law->values(value, 3, c, &at, n);
    law->slopes(slope, &at, n);
    for (int k = 0; k < n; k++) {
      const rbv_law_input x = input(speeds[k], 20, shape);
      assert_true(value[k] == law->value(3 * c[k], &x) && slope[k] == law->implicit(&x));
      const double one = law->value(1, &x);
      assert_near(value[k], 3 * c[k] * one, 0, 4 * EPS);
      if (law->linear) assert_true(one == speeds[k]);
      if (law->is_sign) assert_true(one == sign[k] && slope[k] == sign_slope[k]);
      if (law->motion == RBV_LAW_CONSTANT) assert_true(one == 1);
      if (!law->part.of) continue;
      const rbv_law *whole = rbv_law_find(law->part.of);
      assert_non_null(whole);
      assert_int_equal(rbv_law_shape_count(whole), rbv_law_shape_count(law));
      assert_near(one, law->part.factor * whole->value(1, &x) + law->part.constant, EPS, 0);
    }
    // away from standstill: 50 times a usual speed v_s
    const rbv_law_input fast = input(5, 0, shape), back = input(-5, 0, shape);
    if (law->near_standstill) assert_true(fabs(law->value(1, &fast)) < 1e-12);
    // a passive friction opposes the motion
    if (law->nonnegative && law->motion == RBV_LAW_SPEED && law->state_count == 0)
      assert_true(law->value(1, &fast) >= 0 && law->value(1, &back) <= 0);
    const rbv_law_input left = input(-1e-9, 0, shape), right = input(1e-9, 0, shape);
    const double step = law->value(1, &right) - law->value(1, &left);
    if (law->motion == RBV_LAW_SPEED) assert_int_equal(step > 0.5, law->steps);
  }
}

static void test_simulator_formats(void **state) {
  (void)state;
  for (int i = 0; i < rbv_law_count(); i++) {
    const rbv_law *law = rbv_law_at(i);
    const bool some = law->mjcf || law->urdf;
    assert_int_equal(law->element != LAW_ELEMENT_NONE, some);
    // a format that cannot express the law needs a reason
    assert_true((law->mjcf && law->urdf) || law->reason);
  }
}

/* ---- laws with torque and state ---- */

/* Dahl: in 100 steps of constant speed over one length the state goes from -1 to 1 - 2/e, exactly;
 * it rests at standstill, and after a long way it is the sign */
static void test_presliding_state(void **state) {
  (void)state;
  const rbv_law *law = rbv_law_find("Fp");
  const double length = 0.01;
  double z = -1, steady, slope;
  for (int k = 0; k < 100; k++)
    law->state_step(&z, &(rbv_law_input){.motion = 0.1, .shape = &length}, 1e-3);
  assert_near(z, 1 - 2 * exp(-1), 100 * EPS, 0);
  const double before = z;
  law->state_step(&z, &(rbv_law_input){.motion = 0, .shape = &length}, 1);
  assert_true(z == before);
  law->state_step(&z, &(rbv_law_input){.motion = -1, .shape = &length}, 1);
  assert_near(z, -1, EPS, 0);
  law->state_steady(&steady, &slope, &(rbv_law_input){.motion = -1, .sign = -1, .shape = &length});
  assert_near(z, steady, EPS, 0);
}

/* Warming up: 0 at the start, 1 - 1/e after the time constant, in steps or at once; temperature:
 * the rise above the reference, and with a thermal constant of 30 K 30 (1 - 1/e) of a rise of 30 K
 */
static void test_states_of_conditions(void **state) {
  (void)state;
  static const char *const names[] = {"Fcw", "Fvw", "Fct", "Fvt"};
  for (int i = 0; i < RBV_COUNT(names); i++) {
    const rbv_law *law = rbv_law_find(names[i]);
    const int own = rbv_law_own_shape(law);
    double shape[LAW_SHAPES] = {0}, z = 0, steady, slope;
    shape[own] = 30;
    const rbv_law_input at = {.motion = 1, .sign = 1, .shape = shape};
    law->state_steady(&steady, &slope, &at);
    for (int k = 0; k < 300; k++) law->state_step(&z, &at, 0.1);
    if (law->state_recorded) {
      assert_true(rbv_law_uses_temperature(law) && z == 0 && steady == 0);
      shape[own + 1] = 20;
      assert_near(law->state_recorded(50, shape), 30 * (1 - exp(-1)), 0, 4 * EPS);
      shape[own] = 0;
      assert_near(law->state_recorded(50, shape), 30, 0, 0);
    } else {
      assert_near(z, 1 - exp(-1), 300 * EPS, 0);
      assert_near(rbv_law_state_start(law, 30, shape), z, 300 * EPS, 0);
      assert_true(steady == 1 && !rbv_law_uses_temperature(law));
    }
  }
}

/* Ripple is conservative: over whole turns there and back it does no work. 1000 samples of a turn
 * are a sum of equally spaced cosines, which is zero */
static void test_ripple_does_no_work(void **state) {
  (void)state;
  static const char *const names[] = {"Frs", "Frc"};
  for (int i = 0; i < RBV_COUNT(names); i++) {
    const rbv_law *law = rbv_law_find(names[i]);
    const double periods = 7;
    double work = 0;
    for (int k = 0; k < 1000; k++)
      work += law->value(1, &(rbv_law_input){.motion = 2 * M_PI * k / 1000, .shape = &periods});
    assert_near(work, 0, 1e-10, 0);
    assert_true(law->implicit(&(rbv_law_input){.motion = 1, .shape = &periods}) == 0);
  }
}

/*
 * Passivity: friction never returns more work than a state has stored. Work of z over a cycle of
 * v = cos(t) is not negative; the laws without state oppose the motion at every load.
 */
static void test_laws_dissipate(void **state) {
  (void)state;
  for (int i = 0; i < rbv_law_count(); i++) {
    const rbv_law *law = rbv_law_at(i);
    if (!law->nonnegative && !law->uses_torque) continue;
    if (law->motion != RBV_LAW_SPEED) continue;
    double shape[LAW_SHAPES], z = 0, work = 0;
    usual_shape(shape, law, 20);
    for (int k = 0; k < 4000; k++) {
      const double v = cos(2 * M_PI * k / 1000), load = sin(0.017 * k);
      rbv_law_input at = input(v, 20, shape);
      at.torque = load;
      at.state = &z;
      if (law->state_count > 0) law->state_step(&z, &at, 2 * M_PI / 1000);
      const double power = law->value(1, &at) * v;
      if (law->state_count == 0 && strncmp(law->name, "Fc", 2) != 0) assert_true(power >= 0);
      work += power * 2 * M_PI / 1000;
    }
    assert_true(work > 0);
  }
}

/* ---- shape parameters of the joints ---- */

static void test_joints_have_their_own_shape(void **state) {
  (void)state;
  static const char text[] =
      "joints:\n"
      "  - {mdh: {}, friction: {gamma: 7, stribeck: 0.3}}\n"
      "  - {mdh: {}, drive: [Fv, Fc]}\n"
      "  - {mdh: {}, drive: [Fc, Fs], friction: {stribeck: 0.2}}\n"
      "friction: {gamma: 40}\n";
  rbv_model *m;
  rbv_dynamics *d;
  assert_ok(rbv_model_parse(&m, "three", text, sizeof text - 1, NULL));
  // the first joint has Fc and a Stribeck speed: it gets Fs; the second has none
  assert_true(rbv_model_find(m, "Fs1") >= 0 && rbv_model_find(m, "Fs2") < 0);
  assert_true(rbv_model_gamma(m) == 40 && rbv_model_stribeck(m) == 0);
  assert_true(rbv_model_shape(m, 0, "gamma") == 7 && rbv_model_shape(m, 1, "gamma") == 40);
  assert_true(rbv_model_shape(m, 2, "stribeck") == 0.2);
  assert_true(isnan(rbv_model_shape(m, 1, "stribeck")) && isnan(rbv_model_shape(m, 0, "none")));
  assert_ok(rbv_dynamics_new(&d, m));
  double chi[64] = {0}, tau[3], want[3];
  const double q[3] = {0}, dq[3] = {0.1, 0.1, 0.1};
  for (int j = 0; j < 3; j++) {
    char name[8];
    snprintf(name, sizeof name, "Fc%d", j + 1);
    chi[rbv_model_find(m, name)] = 2;
  }
  chi[rbv_model_find(m, "Fs1")] = chi[rbv_model_find(m, "Fs3")] = 3;
  assert_ok(rbv_dynamics_set(d, chi, false));
  rbv_dynamics_inverse(tau, d, q, dq, q);
  want[0] = 2 / M_PI * atan(0.7) * (2 + 3 * exp(-1.0 / 9));
  want[1] = 2 / M_PI * atan(4) * 2;
  want[2] = 2 / M_PI * atan(4) * (2 + 3 * exp(-0.25));
  // gravity acts on no mass: friction alone
  for (int j = 0; j < 3; j++) assert_near(tau[j], want[j], 0, 8 * EPS);

  // simulations: the joint's own gamma stays, the others have that of the simulation
  rbv_lanes *lanes;
  assert_ok(rbv_lanes_new(&lanes, m, 1, 100));
  // rotor inertias do not exist in joints 2 and 3: the links carry ZZ = 1, 1, 1 about one axis
  chi[rbv_model_find(m, "ZZ1")] = chi[rbv_model_find(m, "ZZ2")] = chi[rbv_model_find(m, "ZZ3")] = 1;
  assert_ok(rbv_lanes_set(lanes, 0, chi, false));
  double ddq[3];
  bool regular;
  rbv_lanes_forward(ddq, &regular, lanes, q, dq, (const double[3]){0});
  assert_true(regular);
  want[1] = 2 / M_PI * atan(10) * 2;
  want[2] = 2 / M_PI * atan(10) * (2 + 3 * exp(-0.25));
  // M = [3 2 1; 2 2 1; 1 1 1]; M ddq = -want
  assert_near(3 * ddq[0] + 2 * ddq[1] + ddq[2], -want[0], 0, 1e-14);
  assert_near(2 * ddq[0] + 2 * ddq[1] + ddq[2], -want[1], 0, 1e-14);
  assert_near(ddq[0] + ddq[1] + ddq[2], -want[2], 0, 1e-14);
  rbv_lanes_free(lanes);
  rbv_dynamics_free(d);
  rbv_model_free(m);
}

/* options set the common value; a joint's own value stays */
static void test_options_set_the_common_shape(void **state) {
  (void)state;
  static const char text[] = "joints: [{mdh: {}, friction: {gamma: 7}}, {mdh: {}}]\n";
  rbv_model_options o = rbv_model_defaults();
  o.gamma = 150;
  o.stribeck = 0.4;
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "two", text, sizeof text - 1, &o));
  assert_true(rbv_model_gamma(m) == 150 && rbv_model_stribeck(m) == 0.4);
  assert_true(rbv_model_shape(m, 0, "gamma") == 7 && rbv_model_shape(m, 1, "gamma") == 150);
  rbv_model_terms terms = rbv_model_get_terms(m);
  terms.rest_gamma = 10;
  rbv_model *smooth;
  assert_ok(rbv_model_variant(&smooth, m, &terms));
  for (int t = 0; t < m->nterm; t++)
    assert_true(smooth->term[t].smoothing.gamma == m->term[t].smoothing.gamma);
  rbv_model_free(smooth);
  rbv_model_free(m);
}

/* ---- pages ---- */

/* one line of the table of drive columns in docs/files.md */
static void put_row(char *out, size_t size, const rbv_law *law) {
  char columns[128] = "", formula[256] = "";
  for (int i = 0; rbv_law_column(law, i); i++)
    snprintf(columns + strlen(columns), sizeof columns - strlen(columns), "%s`%s`", i ? ", " : "",
             rbv_law_column(law, i));
  snprintf(formula, sizeof formula, "`%s`", law->texts->value);
  for (int i = 0; i < LAW_PARTS && law->texts->part[i]; i++)
    snprintf(formula + strlen(formula), sizeof formula - strlen(formula), "%s `%c = %s`",
             i ? "," : " with", "uw"[i], law -> texts -> part[i]);
  snprintf(out, size, "| %s | %s | %s | %s, %s | %s |", columns, formula, law->text,
           law->unit[false], law->unit[true], law->nonnegative ? "yes" : "no");
}

static void test_page_lists_every_law(void **state) {
  (void)state;
  char *text, row[512];
  size_t size;
  assert_ok(rbv_file_read(&text, &size, ROBERVAL_SOURCE "/docs/files.md"));
  bool all = true;
  for (int i = 0; i < rbv_law_count(); i++) {
    put_row(row, sizeof row, rbv_law_at(i));
    if (strstr(text, row)) continue;
    print_error("docs/files.md lacks\n%s\n", row);
    all = false;
  }
  for (int i = 0; rbv_shape_kind(i); i++) {
    const rbv_law_shape *s = rbv_shape_kind(i);
    snprintf(row, sizeof row, "| `%s` | %s | %s, %s |", s->name, s->text, s->unit[0], s->unit[1]);
    if (strstr(text, row)) continue;
    print_error("docs/files.md lacks\n%s\n", row);
    all = false;
  }
  rbv_file_free(text);
  assert_true(all);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rows_are_complete),
      cmocka_unit_test(test_columns_have_one_law),
      cmocka_unit_test(test_shape_parameters),
      cmocka_unit_test(test_by_shape_is_the_derivative),
      cmocka_unit_test(test_length_power_is_that_of_the_unit),
      cmocka_unit_test(test_formula_is_the_value),
      cmocka_unit_test(test_slope_is_the_derivative),
      cmocka_unit_test(test_properties_hold),
      cmocka_unit_test(test_simulator_formats),
      cmocka_unit_test(test_presliding_state),
      cmocka_unit_test(test_states_of_conditions),
      cmocka_unit_test(test_ripple_does_no_work),
      cmocka_unit_test(test_laws_dissipate),
      cmocka_unit_test(test_joints_have_their_own_shape),
      cmocka_unit_test(test_options_set_the_common_shape),
      cmocka_unit_test(test_page_lists_every_law),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
