/*
 * Every row of the table of drive laws in every consumer: the consumer computes what the row's
 * formulas say, or it refuses the law by name. There is no list of laws here: a new row is walked
 * without an edit, and a consumer without a check fails the test.
 */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <roberval/sys/export.h>
#include <roberval/sys/trajectory.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "device/plain_device.h"
#include "device/point_law.h"
#include "dynamics/lanes.h"
#include "excite/flat_gram.h"
#include "laws.h"
#include "model/model_internal.h"
#include "sim/flat_loop.h"

#define GAMMA 20
#define GRAVITY 9.81
#define INERTIA 2.0

/* One joint with inertia, rotor, viscous friction and the law. The slide moves against gravity. */
typedef struct {
  const rbv_law *law;
  bool slides;
  rbv_model *m;
  int column;  // of the law
  double *chi;
  double shape[LAW_SHAPES];
} walk;

static walk walk_new(const rbv_law *law, bool slides) {
  char shape[512], drives[64] = "", text[1024];
  every_shape(shape, sizeof shape, GAMMA, 1);
  const char *const others[] = {"Ia", "Fv", law->name};
  for (int i = 0; i < RBV_COUNT(others); i++)
    if (i == 2 || strcmp(others[i], law->name) != 0)
      snprintf(drives + strlen(drives), sizeof drives - strlen(drives), "%s%s", *drives ? ", " : "",
               others[i]);
  snprintf(text, sizeof text,
           "joints: [{%smdh: {}, drive: [%s]}]\nfriction: %s\ngravity: [0, 0, -9.81]\n"
           "parameters: {%s1: %g}\n",
           slides ? "type: prismatic, " : "", drives, shape, slides ? "M" : "ZZ", INERTIA);
  walk w = {.law = law, .slides = slides};
  assert_ok(rbv_model_parse(&w.m, "walk.yaml", text, strlen(text), NULL));
  w.chi = calloc((size_t)w.m->ncolumn, sizeof *w.chi);
  char name[16];
  snprintf(name, sizeof name, "%s1", law->name);
  w.column = rbv_model_find(w.m, name);
  assert_true(w.column >= 0);
  w.chi[rbv_model_find(w.m, "Ia1")] = 0.5;
  w.chi[rbv_model_find(w.m, "Fv1")] = 0.3;
  w.chi[w.column] = 0.2;
  w.chi[rbv_model_find(w.m, slides ? "M1" : "ZZ1")] = INERTIA;
  for (int k = 0; k < rbv_law_shape_count(law); k++)
    w.shape[k] = rbv_model_shape(w.m, 0, law->shape[k].name);
  return w;
}

static void walk_free(walk *w) {
  rbv_model_free(w->m);
  free(w->chi);
}

/* the row of the table at a motion; z: its state, NULL: the steady one */
static double formula(const walk *w, double q, double dq, double ddq, const double *z) {
  const rbv_law *law = w->law;
  double steady = 0, slope;
  const double motion[] = {q, dq, ddq};
  // a rigid joint has no deflection
  rbv_law_input at = {.motion = law->spring ? 0 : motion[law_derivative(law)],
                      .torque = INERTIA * (ddq + (w->slides ? GRAVITY : 0)),
                      .state = z ? z : &steady,
                      .shape = w->shape};
  at.sign = rbv_law_sign(&at.sign_slope, dq, (rbv_smoothing){.gamma = GAMMA});
  if (!z && law->state_count > 0) law->state_steady(&steady, &slope, &at);
  return law->value(1, &at);
}

/* true: the consumer must have the law; otherwise `status` is its refusal, with this joint and law
 */
static bool has(const walk *w, int consumer, rbv_status status) {
  char words[64];
  snprintf(words, sizeof words, "joint 1: %s law %s is not available ",
           w->law->motion == RBV_LAW_ACCELERATION ? "drive" : "friction", w->law->name);
  if (w->law->consumers & consumer) {
    assert_ok(status);
    return true;
  }
  assert_refused(status, RBV_EUNSUPPORTED, words);
  return false;
}

static const double states[][3] = {{0.3, 0.7, -1.1}, {-0.8, -0.04, 2}, {1.2, -1.9, 0.6}};

/* ---- consumers ---- */

static void check_dynamics(const walk *w, int consumer) {
  rbv_dynamics *d = NULL;
  if (!has(w, consumer, rbv_dynamics_new(&d, w->m))) return;
  assert_ok(rbv_dynamics_set(d, w->chi, false));
  for (int k = 0; k < RBV_COUNT(states); k++) {
    const double *q = &states[k][0], *dq = &states[k][1], *ddq = &states[k][2];
    double *W = calloc((size_t)w->m->ncolumn, sizeof *W), tau, sum = 0, again, size = 0;
    // regressor
    rbv_regressor_eval(W, d, q, dq, ddq, false);
    const double want = formula(w, *q, *dq, *ddq, NULL);
    assert_near(W[w->column], want, 1e-14, 1e-13);
    for (int c = 0; c < w->m->ncolumn; c++) {
      sum += W[c] * w->chi[c];
      size += fabs(W[c] * w->chi[c]);
    }
    free(W);
    rbv_dynamics_inverse(&tau, d, q, dq, ddq);
    assert_near(tau, sum, 1e-14 * size, 0);
    // plant: the acceleration of this torque; laws of the load are solved by iteration
    bool regular;
    rbv_dynamics_forward(&again, &regular, d, q, dq, &tau);
    assert_true(regular);
    assert_near(again, *ddq, 1e-11, 1e-11);
    // derivatives, beside differences of the torque: steps of 1e-6 of values up to 60
    double by[3];
    rbv_dynamics_derivatives(&by[0], &by[1], &by[2], d, q, dq, ddq);
    for (int i = 0; i < 3; i++) {
      double low[3], high[3], below, above;
      memcpy(low, states[k], sizeof low);
      memcpy(high, states[k], sizeof high);
      low[i] -= 1e-6;
      high[i] += 1e-6;
      rbv_dynamics_inverse(&below, d, &low[0], &low[1], &low[2]);
      rbv_dynamics_inverse(&above, d, &high[0], &high[1], &high[2]);
      assert_near(by[i], (above - below) / 2e-6, 1e-6, 1e-6);
    }
  }
  rbv_dynamics_free(d);
}

/* lanes of every width: (I + Ia) (ddq without the law - ddq with it) = parameter * value */
static void check_lanes(const walk *w, int consumer) {
  for (int count = 1; count <= 8; count *= 2) {
    rbv_lanes *l = NULL;
    if (!has(w, consumer, rbv_lanes_new(&l, w->m, count, GAMMA))) return;
    rbv_dynamics *d;
    assert_ok(rbv_dynamics_new(&d, w->m));
    assert_ok(rbv_dynamics_set(d, w->chi, false));
    double q[8], dq[8], tau[8], ddq[8];
    bool regular[8];
    for (int k = 0; k < count; k++) {
      q[k] = states[k % 3][0];
      dq[k] = states[k % 3][1];
      tau[k] = 3 + k;
      assert_ok(rbv_lanes_set(l, k, w->chi, false));
    }
    rbv_lanes_reset(l);
    rbv_lanes_step_states(l, dq, 0.01);
    rbv_lanes_forward(ddq, regular, l, q, dq, tau);
    for (int k = 0; k < count; k++) {
      double z = 0, want;
      bool one;
      assert_true(regular[k]);
      rbv_dynamics_forward(&want, &one, d, &q[k], &dq[k], &tau[k]);
      if (w->law->state_count > 0) {
        // from the steady state of the dynamics to that of the lanes
        w->law->state_step(&z, &(rbv_law_input){.motion = dq[k], .shape = w->shape}, 0.01);
        want += 0.2 * (formula(w, q[k], dq[k], 0, NULL) - formula(w, q[k], dq[k], 0, &z)) /
                (INERTIA + 0.5);
      }
      assert_near(ddq[k], want, 1e-12, 1e-12);
    }
    rbv_dynamics_free(d);
    rbv_lanes_free(l);
  }
}

/* The export evaluates its code beside the library before it returns it. tests/export/test_code.c
 * compiles the code of a robot with all laws. */
static void check_code(const walk *w, int consumer) {
  rbv_export *e = NULL;
  rbv_export_options o = rbv_export_defaults();
  o.format = RBV_EXPORT_C;
  if (!has(w, consumer, rbv_export_new(&e, w->m, w->chi, &o))) return;
  assert_true(!e->refused && e->text && e->states > 0);
  assert_near(e->difference, 0, 1e-10, 0);
  rbv_export_free(e);
}

enum { SAMPLES = 200, TICKS = 300 };

/* the Gram matrix of the stand-in of a device beside that of the search */
static void check_gram(const walk *w, int consumer) {
  rbv_excite *e;
  flat_gram f;
  assert_ok(rbv_excite_new(&e, w->m, NULL));
  bool kept = false;
  for (int b = 0; b < e->n; b++) kept = kept || e->base->kept[b] == w->column;
  // rotor inertia and offset can be part of the column of the body: nothing is left to compute
  // springs are those of a rigid joint
  assert_true(kept || w->law->linear || w->law->motion == RBV_LAW_CONSTANT || w->law->spring);
  if (!kept || !has(w, consumer, rbv_flat_gram(&f, e))) {
    rbv_excite_free(e);
    return;
  }
  rbv_trajectory_shape shape = rbv_trajectory_defaults();
  shape.njoint = 1;
  rbv_trajectory *t;
  worker own;
  double *basis, x[64], G[DEVICE_COLUMNS * DEVICE_COLUMNS];
  char text[200];
  assert_ok(rbv_trajectory_new(&t, &shape, NULL));
  const int n = e->n, total = rbv_trajectory_coefficient_count(t);
  assert_true(total <= RBV_COUNT(x));
  for (int i = 0; i < total; i++) x[i] = 0.3 * rbv_random_normal(7, 1, (uint64_t)i);
  assert_ok(rbv_flat_basis(&basis, &f.gram.terms, t, SAMPLES));
  f.gram.samples = SAMPLES;
  f.gram.individuals = 1;
  const device_gram_arrays a = {basis, x, G};
  assert_int_equal(rbv_plain_device.gram(&f.gram, &a, NULL, NULL, text, sizeof text), 0);
  assert_ok(rbv_worker_new(&own, e));
  assert_ok(rbv_trajectory_set(t, x));
  rbv_worker_gram(&own, &t, 1, SAMPLES);
  for (int r = 0; r < n; r++)
    for (int c = 0; c <= r; c++)
      // sums of 200 products: relative to the norms of the two columns
      assert_near(G[f.place[r] + f.place[c] * n], own.G[r + c * n],
                  1e-12 * sqrt(own.G[r + r * n] * own.G[c + c * n]), 0);
  rbv_worker_free(&own);
  rbv_trajectory_free(t);
  rbv_free(basis);
  rbv_excite_free(e);
}

/* a closed loop of the stand-in of a device beside that of the simulation */
static void check_loop(const walk *w, int consumer) {
  const rbv_control_joint joint = rbv_control_tune(INERTIA + 0.5, 40, 0.2, 10);
  const rbv_sim_options o = rbv_sim_defaults();
  rbv_control *c;
  flat_loop f;
  double values[DEVICE_PARAMETERS], qr[TICKS], q[TICKS], sums[DEVICE_SUMS];
  const rbv_sim_lane lane = {.chi = w->chi, .seed = 3};
  assert_ok(rbv_control_new(&c, "tuned", 1000, RBV_FEEDFORWARD_NONE, &joint, 1));
  assert_ok(rbv_flat_loop(&f, w->m, c, &o));
  if (!has(w, consumer, rbv_flat_plant(values, 1, &f, &lane))) {
    rbv_control_free(c);
    return;
  }
  for (int k = 0; k < TICKS; k++) qr[k] = 0.1 * (1 - cos(0.03 * k));
  rbv_sim *s;
  rbv_sim_trace trace;
  rbv_sim_outcome outcome;
  assert_ok(rbv_sim_new(&s, w->m, c, &o, 1));
  assert_ok(rbv_sim_set(s, 0, &lane));
  assert_ok(rbv_sim_trace_new(&trace, 1, TICKS));
  const rbv_sim_reference r = {.count = TICKS, .ld = TICKS, .q = qr};
  assert_ok(rbv_sim_run(&outcome, s, &r, &trace));
  f.loop.ticks = TICKS;
  f.loop.plants = f.loop.every = 1;
  const uint64_t seed = 3;
  device_outcome verdict;
  const device_trace flat = {.of = {[DEVICE_TRACE_Q] = q}};
  const device_loop_arrays a = {.parameters = values,
                                .seed = &seed,
                                .qr = qr,
                                .sums = sums,
                                .outcome = &verdict,
                                .trace = &flat};
  char text[200];
  assert_int_equal(rbv_plain_device.loop(&f.loop, &a, NULL, NULL, text, sizeof text), 0);
  assert_int_equal(verdict.verdict, DEVICE_DONE);
  // the loop is stable: rounding stays there
  for (int k = 0; k < TICKS; k++) assert_near(q[k], trace.q[k], 1e-12, 0);
  rbv_sim_trace_free(&trace);
  rbv_sim_free(s);
  rbv_control_free(c);
}

/* ---- the walk ---- */

static const struct {
  int consumer;
  void (*check)(const walk *w, int consumer);
} checks[] = {{LAW_IN_DYNAMICS, check_dynamics},
              {LAW_IN_LANES, check_lanes},
              {LAW_IN_CODE, check_code},
              {LAW_IN_GRAM, check_gram},
              {LAW_IN_LOOP, check_loop}};

static void test_every_law_in_every_consumer(void **state) {
  (void)state;
  int all = 0;
  for (int i = 0; i < RBV_COUNT(checks); i++) all |= checks[i].consumer;
  assert_int_equal(all, LAW_EVERYWHERE);
  assert_int_equal(RBV_COUNT(checks), LAW_CONSUMERS);
  for (int i = 0; i < rbv_law_count(); i++)
    for (int slides = 0; slides < 2; slides++) {
      walk w = walk_new(rbv_law_at(i), slides);
      for (int c = 0; c < RBV_COUNT(checks); c++) {
        print_message("%s %s\n", w.law->name, rbv_law_consumer(c));
        checks[c].check(&w, checks[c].consumer);
      }
      walk_free(&w);
    }
}

/* A law that no row lists for any consumer is refused everywhere: no consumer forgets to ask. */
static void test_unlisted_law_is_refused(void **state) {
  (void)state;
  for (int i = 0; i < rbv_law_count(); i++)
    for (int c = 0; c < RBV_COUNT(checks); c++) {
      walk w = walk_new(rbv_law_at(i), false);
      rbv_law fewer = *w.law;
      fewer.consumers &= ~checks[c].consumer;
      for (int t = 0; t < w.m->nterm; t++)
        if (w.m->term[t].law == w.law) w.m->term[t].law = &fewer;
      w.law = &fewer;
      checks[c].check(&w, checks[c].consumer);
      walk_free(&w);
    }
}

/* what the formulas of a row use is what `uses` says: a missing input would be zero on a device */
static void test_inputs_are_those_of_the_formula(void **state) {
  (void)state;
  for (int i = 0; i < rbv_law_count(); i++) {
    const rbv_law *law = rbv_law_at(i);
    double shape[LAW_SHAPES];
    for (int k = 0; k < rbv_law_shape_count(law); k++) shape[k] = law->shape[k].example;
    const double z = 0.3, other_z = 0.4;
    const rbv_law_input at = {0.2, 0.9, 0.05, -0.7, &z, shape};
    rbv_law_input x = at;
    x.sign = 0.8;
    assert_int_equal(law->value(1, &x) != law->value(1, &at), law->steps);
    x = at;
    x.torque = -0.8;
    assert_int_equal(law->value(1, &x) != law->value(1, &at), law->uses_torque);
    x = at;
    x.state = &other_z;
    assert_int_equal(law->value(1, &x) != law->value(1, &at), law->state_count > 0);
    // the tables of devices agree with the rows
    assert_int_equal(law_uses(law->number, USES_SIGN), law->steps);
    assert_int_equal(law_uses(law->number, USES_ACCELERATION), law->motion == RBV_LAW_ACCELERATION);
    const law_point point = {at.motion, at.sign, at.sign_slope, 0, 0, shape};
    double value, slope;
    law_value_and_slope(&value, &slope, (law_number)law->number, &point);
    if (law->consumers & LAW_IN_LOOP)
      assert_true(value == law->value(1, &at) && slope == law->implicit(&at));
    else
      assert_true(isnan(value) && isnan(slope));
    value = law_value_of((law_number)law->number, &point);
    assert_true(law->consumers & LAW_IN_GRAM ? value == law->value(1, &at) : isnan(value));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_law_in_every_consumer),
      cmocka_unit_test(test_unlisted_law_is_refused),
      cmocka_unit_test(test_inputs_are_those_of_the_formula),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
