/* Motions from recordings: which channels are used, and how they are referred to the joint. */
#include <math.h>
#include <roberval/sys/log.h>
#include <roberval/sys/prepare.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "linalg/linalg.h"

#include "base/support.h"
#include "motions.h"
#include "support.h"

#define COUNT 2000
#define RATE 500.0
#define COLUMN_MAX 64
#define CHI_MAX 200

/* ---- a log, column by column ---- */

typedef struct {
  int ncolumn;
  char name[COLUMN_MAX][16];
  double *A;  // COUNT x COLUMN_MAX
} table;

static void add(table *t, const char *stem, const double *block, int njoint) {
  for (int j = 0; j < njoint; j++) {
    snprintf(t->name[t->ncolumn], sizeof t->name[0], "%s%d", stem, j + 1);
    memcpy(t->A + t->ncolumn++ * COUNT, block + j * COUNT, COUNT * sizeof *block);
  }
}

static table new_table(void) {
  table t = {.A = calloc(COUNT * COLUMN_MAX, sizeof(double))};
  strcpy(t.name[0], "t");
  for (int k = 0; k < COUNT; k++) t.A[k] = k / RATE;
  t.ncolumn = 1;
  return t;
}

static rbv_log *log_of(const table *t, ptrdiff_t samples) {
  const char *names[COLUMN_MAX];
  for (int c = 0; c < t->ncolumn; c++) names[c] = t->name[c];
  rbv_log *log;
  assert_ok(rbv_log_new(&log, "made", names, t->ncolumn, t->A, samples, COUNT));
  return log;
}

static const rbv_differentiate_options defaults = {.cutoff_hz = 50};

static rbv_motion *motion_of(const rbv_model *m, const table *t) {
  rbv_log *log = log_of(t, COUNT);
  rbv_motion *motion;
  assert_ok(rbv_motion_from_log(&motion, m, log, &defaults));
  rbv_log_free(log);
  return motion;
}

static void refuse(const rbv_model *m, const table *t, ptrdiff_t samples, rbv_status status,
                   const char *text) {
  rbv_log *log = log_of(t, samples);
  rbv_motion *motion = (rbv_motion *)log;
  assert_refused(rbv_motion_from_log(&motion, m, log, &defaults), status, text);
  assert_null(motion);
  rbv_log_free(log);
}

/* all samples of a motion; arrays of COUNT per joint or row, freed with waves_free */
static waves read_all(rbv_motion *motion) {
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  assert_int_equal(info->count, COUNT);
  waves w = {.count = COUNT, .njoint = info->njoint, .nrow = info->ntorque};
  w.q = malloc((size_t)(COUNT * w.njoint) * sizeof *w.q);
  w.dq = malloc((size_t)(COUNT * w.njoint) * sizeof *w.dq);
  w.ddq = malloc((size_t)(COUNT * w.njoint) * sizeof *w.ddq);
  w.torque = malloc((size_t)(COUNT * w.nrow) * sizeof *w.torque);
  const rbv_samples out = {.ld = COUNT, .q = w.q, .dq = w.dq, .ddq = w.ddq, .torque = w.torque};
  assert_ok(rbv_motion_read(motion, &out, 0, COUNT));
  return w;
}

typedef struct {
  rbv_model *m;
  waves w;
  table t;
} scene;

static scene new_scene(const char *robot, int sensing) {
  scene s = {.m = load_robot(robot, sensing, false)};
  double chi[CHI_MAX];
  random_columns(chi, s.m, 1);
  waves_new(&s.w, s.m, chi, 2, COUNT, RATE, false);
  s.t = new_table();
  return s;
}

static void free_scene(scene *s) {
  rbv_model_free(s->m);
  waves_free(&s->w);
  free(s->t.A);
}

/* ---- positions ---- */

/* Sines up to 1.5 Hz through a 50 Hz filter: the amplitude loses (1.5/50)^8; a central difference
 * loses (2 pi 1.5 / 500)^2 / 6 = 6e-5 of the velocity, twice that of the acceleration. */
static void test_positions_are_differentiated(void **state) {
  (void)state;
  scene s = new_scene("tx40", -1);
  add(&s.t, "q", s.w.q, 6);
  add(&s.t, "tau", s.w.torque, 6);
  rbv_motion *motion = motion_of(s.m, &s.t);
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  assert_string_equal(info->name, "made");
  assert_int_equal(info->njoint, 6);
  assert_int_equal(info->ntorque, 6);
  assert_near(info->rate_hz, RATE, 0, 1e-12);
  assert_false(info->loaded);
  waves got = read_all(motion);
  for (int j = 0; j < 6; j++)
    for (int k = 0; k < COUNT; k++) {
      const int at = k + j * COUNT;
      assert_true(got.torque[at] == s.w.torque[at]);
      // at the ends the filter extrapolates
      if (k < 100 || k >= COUNT - 100) continue;
      assert_near(got.q[at], s.w.q[at], 1e-6, 0);
      assert_near(got.dq[at], s.w.dq[at], 6e-5 * 15, 0);
      assert_near(got.ddq[at], s.w.ddq[at], 12e-5 * 150, 0);
    }
  waves_free(&got);
  rbv_motion_free(motion);
  free_scene(&s);
}

/* ---- gears ---- */

/* qm = K (q - offset) and tau = K' taum, so that power is the same on both sides */
static void to_motor(double *qm, double *taum, const scene *s) {
  const double *K = rbv_model_transmission(s->m), *o = rbv_model_transmission_offset(s->m);
  double Kt[36];
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) Kt[i + 6 * j] = K[j + 6 * i];
  for (int k = 0; k < COUNT; k++) {
    double b[6];
    for (int i = 0; i < 6; i++) {
      b[i] = s->w.torque[k + i * COUNT];
      qm[k + i * COUNT] = 0;
      for (int j = 0; j < 6; j++)
        qm[k + i * COUNT] += K[i + 6 * j] * (s->w.q[k + j * COUNT] - o[j]);
    }
    assert_ok(rbv_solve_general(b, 1, 6, Kt, 6, 6));
    for (int i = 0; i < 6; i++) taum[k + i * COUNT] = b[i];
  }
}

static void test_rotor_side_gives_the_same_motion(void **state) {
  (void)state;
  scene s = new_scene("tx40", -1);
  double *qm = malloc(6 * COUNT * sizeof *qm), *taum = malloc(6 * COUNT * sizeof *taum);
  to_motor(qm, taum, &s);
  table t = new_table();
  add(&t, "qm", qm, 6);
  add(&t, "taum", taum, 6);
  add(&s.t, "q", s.w.q, 6);
  add(&s.t, "tau", s.w.torque, 6);
  rbv_motion *joint = motion_of(s.m, &s.t), *motor = motion_of(s.m, &t);
  waves a = read_all(joint), b = read_all(motor);
  for (int at = 0; at < 6 * COUNT; at++) {
    // two differences at 500 Hz amplify rounding of a few radians to 1e-15 * 500^2
    assert_near(b.q[at], a.q[at], 1e-13, 0);
    assert_near(b.dq[at], a.dq[at], 1e-11, 0);
    assert_near(b.ddq[at], a.ddq[at], 1e-9, 0);
    assert_near(b.torque[at], a.torque[at], 1e-12, 1e-12);
  }
  // the wrist by hand: motor 6 also loads joint 5, gear 4 turns the other way
  assert_near(b.torque[7 + 3 * COUNT], -48 * taum[7 + 3 * COUNT], 1e-12, 1e-12);
  assert_near(b.torque[7 + 4 * COUNT], 45 * taum[7 + 4 * COUNT] + 32 * taum[7 + 5 * COUNT], 1e-12,
              1e-12);
  // if both sides are recorded, the joint side is used
  add(&t, "q", s.w.q, 6);
  add(&t, "tau", s.w.torque, 6);
  rbv_motion *both = motion_of(s.m, &t);
  waves c = read_all(both);
  for (int at = 0; at < 6 * COUNT; at++) assert_true(c.torque[at] == a.torque[at]);
  waves_free(&a);
  waves_free(&b);
  waves_free(&c);
  rbv_motion_free(joint);
  rbv_motion_free(motor);
  rbv_motion_free(both);
  free(qm);
  free(taum);
  free(t.A);
  free_scene(&s);
}

/* ---- two torque channels ---- */

static void test_channels_follow_the_sensing(void **state) {
  (void)state;
  scene both = new_scene("lwr4+", RBV_SENSING_BOTH);
  const double *motor = both.w.torque, *sensor = both.w.torque + 7 * COUNT;
  add(&both.t, "q", both.w.q, 7);
  add(&both.t, "tau", motor, 7);
  add(&both.t, "tauj", sensor, 7);
  for (int sensing = RBV_SENSING_MOTOR; sensing <= RBV_SENSING_DIFFERENCE; sensing++) {
    rbv_model *m = load_robot("lwr4+", sensing, false);
    rbv_motion *motion = motion_of(m, &both.t);
    waves got = read_all(motion);
    assert_int_equal(got.nrow, sensing == RBV_SENSING_BOTH ? 14 : 7);
    for (int at = 0; at < 7 * COUNT; at++) {
      if (sensing == RBV_SENSING_MOTOR) assert_true(got.torque[at] == motor[at]);
      if (sensing == RBV_SENSING_JOINT) assert_true(got.torque[at] == sensor[at]);
      if (sensing == RBV_SENSING_DIFFERENCE) assert_true(got.torque[at] == motor[at] - sensor[at]);
      if (sensing != RBV_SENSING_BOTH) continue;
      assert_true(got.torque[at] == motor[at]);
      assert_true(got.torque[at + 7 * COUNT] == sensor[at]);
    }
    waves_free(&got);
    rbv_motion_free(motion);
    rbv_model_free(m);
  }
  free_scene(&both);
}

/* a robot with joint sensors and a log with a single torque: it is the sensed one */
static void test_single_torque_is_the_sensed_one(void **state) {
  (void)state;
  scene s = new_scene("lwr4+", RBV_SENSING_JOINT);
  add(&s.t, "q", s.w.q, 7);
  add(&s.t, "tau", s.w.torque, 7);
  rbv_motion *motion = motion_of(s.m, &s.t);
  waves got = read_all(motion);
  for (int at = 0; at < 7 * COUNT; at++) assert_true(got.torque[at] == s.w.torque[at]);
  waves_free(&got);
  rbv_motion_free(motion);
  free_scene(&s);
}

static void test_load_is_remembered(void **state) {
  (void)state;
  scene s = new_scene("tx40", -1);
  add(&s.t, "q", s.w.q, 6);
  add(&s.t, "tau", s.w.torque, 6);
  rbv_log *log = log_of(&s.t, COUNT);
  const rbv_differentiate_options o = {.cutoff_hz = 30, .loaded = true};
  rbv_motion *motion;
  assert_ok(rbv_motion_from_log(&motion, s.m, log, &o));
  assert_true(rbv_motion_get_info(motion)->loaded);
  rbv_motion_free(motion);
  rbv_log_free(log);
  free_scene(&s);
}

/* ---- refusals ---- */

static void test_missing_channels(void **state) {
  (void)state;
  scene s = new_scene("tx40", -1);
  add(&s.t, "tau", s.w.torque, 6);
  refuse(s.m, &s.t, COUNT, RBV_EINPUT, "no positions for all 6 joints of 'tx40'");
  add(&s.t, "q", s.w.q, 5);
  refuse(s.m, &s.t, COUNT, RBV_EINPUT, "columns q1 to q6");
  free_scene(&s);

  s = new_scene("tx40", -1);
  add(&s.t, "q", s.w.q, 6);
  add(&s.t, "tau", s.w.torque, 5);
  refuse(s.m, &s.t, COUNT, RBV_EINPUT, "no motor torques for all 6 joints");
  add(&s.t, "tauj", s.w.torque, 6);
  refuse(s.m, &s.t, COUNT, RBV_EINPUT, "no motor torques for all 6 joints");
  free_scene(&s);

  static const rbv_sensing sensor[] = {RBV_SENSING_BOTH, RBV_SENSING_DIFFERENCE};
  for (int i = 0; i < 2; i++) {
    s = new_scene("lwr4+", sensor[i]);
    add(&s.t, "q", s.w.q, 7);
    add(&s.t, "tau", s.w.torque, 7);
    refuse(s.m, &s.t, COUNT, RBV_EINPUT, "no joint torque sensors for all 7 joints");
    free_scene(&s);
  }
}

/* a log that declares the side of its torque is not overruled */
static void test_side_of_the_gear_must_agree(void **state) {
  (void)state;
  static const char text[] =
      "t,q1,e\n0,0,1\n1,1,2\n2,0,1\n3,1,2\n4,0,1\n5,1,1\n6,1,1\n7,1,1\n"
      "8,1,1\n9,0,1\n10,0,1\n";
  static const struct {
    const char *map, *robot, *message;
  } cases[] = {
      {"time: t\nsensing: joint\njoints: [{q: q1, tau: e}]\n", "motor", "measured at the joint"},
      {"time: t\nsensing: motor\njoints: [{q: q1, tau: e}]\n", "joint", "measured at the motor"},
  };
  for (int i = 0; i < 2; i++) {
    char robot[128];
    snprintf(robot, sizeof robot, "name: one\nsensing: %s\njoints: [{mdh: {alpha: 0}}]\n",
             cases[i].robot);
    rbv_model *m;
    rbv_log_map *map;
    rbv_log *log;
    rbv_motion *motion;
    assert_ok(rbv_model_parse(&m, "robot", robot, strlen(robot), NULL));
    assert_ok(rbv_log_map_parse(&map, "map", cases[i].map, strlen(cases[i].map)));
    assert_ok(rbv_log_parse(&log, "log", text, strlen(text), map));
    assert_refused(rbv_motion_from_log(&motion, m, log, &defaults), RBV_EINPUT, cases[i].message);
    rbv_log_free(log);
    rbv_log_map_free(map);
    rbv_model_free(m);
  }
}

static void test_time_must_run_and_be_long_enough(void **state) {
  (void)state;
  scene s = new_scene("tx40", -1);
  add(&s.t, "q", s.w.q, 6);
  add(&s.t, "tau", s.w.torque, 6);
  // padding is 3 / (50 Hz * 2 ms) = 30 samples
  refuse(s.m, &s.t, 30, RBV_EINPUT, "30 samples are too few for a cut-off of 50 Hz");
  refuse(s.m, &s.t, 5, RBV_EINPUT, "made");
  s.t.A[1000] += 1.5 / RATE;
  refuse(s.m, &s.t, COUNT, RBV_EINPUT, "time runs backwards");
  s.t.A[1000] = 1000 / RATE;
  s.t.A[COUNT + 3] = NAN;
  refuse(s.m, &s.t, COUNT, RBV_EINPUT, "q1");
  free_scene(&s);
}

static void test_cutoff_must_suit_the_rate(void **state) {
  (void)state;
  scene s = new_scene("tx40", -1);
  add(&s.t, "q", s.w.q, 6);
  add(&s.t, "tau", s.w.torque, 6);
  rbv_log *log = log_of(&s.t, COUNT);
  rbv_motion *motion;
  const double wrong[] = {-1, 250, 1e9, NAN};
  for (int i = 0; i < 4; i++) {
    const rbv_differentiate_options o = {.cutoff_hz = wrong[i]};
    assert_refused(rbv_motion_from_log(&motion, s.m, log, &o), RBV_EINPUT, "half the sample rate");
  }
  rbv_log_free(log);
  free_scene(&s);
}

/* ---- memory ---- */

typedef struct {
  const rbv_model *m;
  rbv_log *log;
} job;

static rbv_status make_one(void *state) {
  const job *j = state;
  rbv_motion *motion;
  const rbv_status status = rbv_motion_from_log(&motion, j->m, j->log, &defaults);
  rbv_motion_free(motion);
  return status;
}

static void test_every_allocation_may_fail(void **state) {
  (void)state;
  scene s = new_scene("tx40", -1);
  add(&s.t, "qm", s.w.q, 6);
  add(&s.t, "taum", s.w.torque, 6);
  rbv_log *log = log_of(&s.t, 100);
  job j = {s.m, log};
  fail_each_allocation(make_one, &j);
  rbv_log_free(log);
  free_scene(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_positions_are_differentiated),
      cmocka_unit_test(test_rotor_side_gives_the_same_motion),
      cmocka_unit_test(test_channels_follow_the_sensing),
      cmocka_unit_test(test_single_torque_is_the_sensed_one),
      cmocka_unit_test(test_load_is_remembered),
      cmocka_unit_test(test_missing_channels),
      cmocka_unit_test(test_side_of_the_gear_must_agree),
      cmocka_unit_test(test_time_must_run_and_be_long_enough),
      cmocka_unit_test(test_cutoff_must_suit_the_rate),
      cmocka_unit_test(test_every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
