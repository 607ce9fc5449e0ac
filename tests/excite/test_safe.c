/* What is assumed where no file gives shapes or a floor, and that the checks miss nothing. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "designs.h"
#include "excite/excite_internal.h"
#include "excite/gap_kernel.h"

static const char arm[] =
    "joints:\n"
    "  - {mdh: {r: 0.5}, limits: {lower: -3, upper: 3}}\n"
    "  - {mdh: {alpha: pi/2, d: 0.1}, limits: {lower: -3, upper: 3}}\n"
    "  - {mdh: {d: 0.4}, limits: {lower: -3, upper: 3}}\n";

static rbv_model *parse(const char *text) {
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "arm", text, strlen(text), NULL));
  return m;
}

static void assert_capsule(const rbv_capsule *c, int link, double x, double y, double z) {
  assert_int_equal(c->link, link);
  assert_true(c->assumed);
  const double want[3] = {x, y, z};
  for (int i = 0; i < 3; i++) assert_near(c->to[i], want[i], 1e-15, 0);
}

/* one capsule per link, from its joint to the next; the robot is 1 m long */
static void test_capsules_by_hand(void **state) {
  (void)state;
  rbv_model *m = parse(arm);
  rbv_constraint_set *s;
  assert_ok(rbv_constraint_set_load(&s, m, NULL));
  assert_ok(rbv_constraint_set_assume(s, m, 0));
  assert_int_equal(s->value.ncapsule, 4);
  assert_capsule(&s->value.capsule[0], 0, 0, 0, 0.5);
  assert_capsule(&s->value.capsule[1], 1, 0.1, 0, 0);
  assert_capsule(&s->value.capsule[2], 2, 0.4, 0, 0);
  assert_capsule(&s->value.capsule[3], 3, 0, 0, 0);
  for (int i = 0; i < 4; i++) assert_near(s->value.capsule[i].radius, 0.05, 1e-15, 0);
  rbv_constraint_set_free(s);

  // the radius can be given, the tool lengthens the last link
  static const char tool[] = "tool: [0, 0, 0.2]\n";
  assert_ok(rbv_constraint_set_parse(&s, m, "tool", tool, sizeof tool - 1));
  assert_ok(rbv_constraint_set_assume(s, m, 0.03));
  assert_capsule(&s->value.capsule[3], 3, 0, 0, 0.2);
  assert_near(s->radius, 0.03, 0, 0);
  assert_refused(rbv_constraint_set_assume(s, m, -1), RBV_EARG, "radius");
  rbv_constraint_set_free(s);

  // links with a shape keep it; an empty list means that there are none
  static const char some[] =
      "collision: [{link: 2, from: [0, 0, 0], to: [1, 0, 0], radius: 0.2}]\n";
  assert_ok(rbv_constraint_set_parse(&s, m, "some", some, sizeof some - 1));
  assert_ok(rbv_constraint_set_assume(s, m, 0));
  assert_int_equal(s->value.ncapsule, 4);
  assert_false(s->value.capsule[0].assumed);
  assert_near(s->value.capsule[0].radius, 0.2, 0, 0);
  for (int i = 1; i < 4; i++) assert_int_not_equal(s->value.capsule[i].link, 2);
  rbv_constraint_set_free(s);
  assert_ok(rbv_constraint_set_parse(&s, m, "none", "collision: []", 13));
  assert_ok(rbv_constraint_set_assume(s, m, 0));
  assert_int_equal(s->value.ncapsule, 0);
  rbv_constraint_set_free(s);
  rbv_model_free(m);
}

/* a slide has a rod of its stroke; a last link with a mass is a rod about its centre; a file can
 * say where the floor is */
static void test_slides_and_rods(void **state) {
  (void)state;
  rbv_model *m = parse(
      "floor: -0.3\n"
      "joints: [{mdh: {}}, {type: prismatic, mdh: {r: 0.2}, limits: {lower: 0.1, upper: 0.5}}]\n"
      "parameters: {M2: 2, MX2: 0.2}\n");
  assert_near(rbv_model_floor(m), -0.3, 0, 0);
  rbv_constraint_set *s;
  assert_ok(rbv_constraint_set_load(&s, m, NULL));
  assert_ok(rbv_constraint_set_assume(s, m, 0));
  assert_int_equal(s->value.ncapsule, 4);
  assert_near(s->value.capsule[0].from[2], -0.3, 0, 0);
  assert_capsule(&s->value.capsule[1], 1, 0, 0, 0.3);   // 0.2 and the least stroke
  assert_capsule(&s->value.capsule[2], 2, 0.2, 0, 0);   // twice 0.2 / 2
  assert_capsule(&s->value.capsule[3], 2, 0, 0, -0.4);  // from 0.5 back to 0.1
  rbv_constraint_set_free(s);
  rbv_model_free(m);

  // a fixed frame of a URDF is the end of the last link
  m = parse(
      "<robot name='r'><link name='a'/><link name='b'/><link name='flange'/>"
      "<joint name='j' type='revolute'><parent link='a'/><child link='b'/><axis xyz='0 0 1'/>"
      "<limit lower='-1' upper='1' velocity='1' effort='1'/></joint>"
      "<joint name='f' type='fixed'><parent link='b'/><child link='flange'/>"
      "<origin xyz='0 0 0.107'/></joint></robot>");
  assert_near(rbv_model_tip(m)[2], 0.107, 0, 0);
  assert_near(rbv_model_floor(m), 0, 0, 0);
  rbv_model_free(m);
}

/* the side of the plane follows from gravity and from the option */
static void test_mounts(void **state) {
  (void)state;
  static const struct {
    const char *gravity;
    int mount;  // -1: by gravity
    rbv_mount found;
    double side;  // 0: refused
  } cases[] = {{"[0, 0, -9.81]", -1, RBV_MOUNT_FLOOR, 1},
               {"[0, 0, 9.81]", -1, RBV_MOUNT_CEILING, 1},
               {"[9.81, 0, 0]", -1, RBV_MOUNT_WALL, 1},
               {"[0, 0, 0]", -1, RBV_MOUNT_FLOOR, 1},
               {"[0, 0, -9.81]", RBV_MOUNT_CEILING, RBV_MOUNT_CEILING, -1},
               {"[0, 0, 9.81]", RBV_MOUNT_FLOOR, RBV_MOUNT_FLOOR, -1},
               {"[0, 0, 9.81]", RBV_MOUNT_CEILING, RBV_MOUNT_CEILING, 1},
               {"[9.81, 0, 0]", RBV_MOUNT_WALL, RBV_MOUNT_WALL, 1},
               {"[0, 0, -9.81]", RBV_MOUNT_WALL, RBV_MOUNT_WALL, 0},
               {"[9.81, 0, 0]", RBV_MOUNT_FLOOR, RBV_MOUNT_FLOOR, 0}};
  for (int i = 0; i < RBV_COUNT(cases); i++) {
    char text[256];
    snprintf(text, sizeof text, "gravity: %s\njoints: [{mdh: {r: 0.5}}]\n", cases[i].gravity);
    rbv_model *m = parse(text);
    rbv_constraint_set *s;
    assert_ok(rbv_constraint_set_load(&s, m, NULL));
    const rbv_mount mount = (rbv_mount)cases[i].mount;
    const rbv_status status =
        rbv_constraint_set_mount(s, m, cases[i].mount < 0 ? NULL : &mount, 0.1);
    if (cases[i].side == 0) {
      assert_refused(status, RBV_EINPUT, "the gravity of the robot file is that of a robot on a");
    } else {
      assert_ok(status);
      assert_int_equal(s->mount, cases[i].found);
      assert_int_equal(s->value.nplane, 1);
      assert_true(s->value.plane[0].base && s->mounted);
      // normal . x <= offset holds on the robot's side of z = 0.1, and not on the other one
      const rbv_plane *p = &s->value.plane[0];
      assert_true(p->normal[2] * (0.1 + cases[i].side) < p->offset);
      assert_false(p->normal[2] * (0.1 - cases[i].side) < p->offset);
    }
    rbv_constraint_set_free(s);
    rbv_model_free(m);
  }
  assert_string_equal(rbv_mount_name(RBV_MOUNT_FLOOR), "floor");
  assert_string_equal(rbv_mount_name(RBV_MOUNT_WALL), "wall");
  assert_string_equal(rbv_mount_name(RBV_MOUNT_CEILING), "ceiling");
}

static rbv_constraint_set *usual(const rbv_model *m) {
  rbv_constraint_set *s;
  assert_ok(rbv_constraint_set_load(&s, m, NULL));
  assert_ok(rbv_constraint_set_assume(s, m, 0));
  assert_ok(rbv_constraint_set_mount(s, m, NULL, rbv_model_floor(m)));
  return s;
}

/*
 * A shoulder at the height of the plane: the column may be there, the rest must be above. Without
 * any such pose the sentence names the plane and the option.
 */
static void test_shoulder_in_the_plane(void **state) {
  (void)state;
  static const char text[] =
      "joints:\n  - {mdh: {}, limits: {lower: -1, upper: 1}}\n"
      "  - {mdh: {alpha: pi/2}, limits: {lower: %g, upper: %g}}\n"
      "  - {mdh: {d: 0.5}, limits: {lower: -0.1, upper: 0.1}}\n";
  char room[512];
  snprintf(room, sizeof room, text, -3., 3.);
  rbv_model *m = parse(room);
  rbv_constraint_set *s = usual(m);
  double center[3];
  assert_ok(rbv_constraints_center(center, m, &s->value));
  assert_true(0.5 * sin(center[1]) > 0.025);  // joint 3 is above the plane by its radius
  rbv_constraint_set_free(s);
  rbv_model_free(m);

  snprintf(room, sizeof room, text, -2., -1.);  // it always hangs
  m = parse(room);
  s = usual(m);
  assert_refused(rbv_constraints_center(center, m, &s->value), RBV_EINPUT,
                 "the mounting plane and link");
  assert_string_equal(rbv_message_option(), "no-floor");
  rbv_constraint_set_free(s);
  rbv_model_free(m);
}

/* geometry of a URDF that is too large overlaps in every pose: named, and not in the way */
static void test_overlaps(void **state) {
  (void)state;
  static const char *const radius[] = {"0.05", "2"};
  for (int i = 0; i < 2; i++) {
    char text[2048];
    snprintf(
        text, sizeof text,
        "<robot name='r'><link name='a'><collision><geometry><sphere radius='%s'/></geometry>"
        "</collision></link><link name='b'/><link name='c'><collision><geometry><sphere "
        "radius='0.05'/></geometry></collision></link>"
        "<joint name='j' type='revolute'><parent link='a'/><child link='b'/><origin xyz='0 0 "
        "0.5'/><axis xyz='0 0 1'/><limit lower='-1' upper='1' velocity='1' effort='1'/></joint>"
        "<joint name='k' type='revolute'><parent link='b'/><child link='c'/><origin xyz='0.4 0 "
        "0'/><axis xyz='0 1 0'/><limit lower='-1' upper='1' velocity='1' effort='1'/></joint>"
        "</robot>",
        radius[i]);
    rbv_model *m = parse(text);
    rbv_constraint_set *s = usual(m);
    int pair[4][2], count;
    double center[2];
    assert_ok(rbv_constraints_overlaps(pair, 4, &count, m, &s->value));
    assert_int_equal(count, i);
    if (i) assert_true(pair[0][0] == 0 && pair[0][1] == 2);
    assert_ok(rbv_constraints_center(center, m, &s->value));
    rbv_constraint_set_free(s);
    rbv_model_free(m);
  }
}

/* ---- nothing is missed ---- */

/* smallest gap of a pose by distance.c on capsules that are placed by the dynamics */
static double gap_at(rbv_dynamics *d, const rbv_constraints *c, const double *q) {
  double ends[2 * JOINTS_MAX + 4][2][3], least = INFINITY;
  for (int i = 0; i < c->ncapsule; i++) {
    double R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, p[3] = {0};
    const rbv_capsule *x = &c->capsule[i];
    if (x->link > 0) rbv_dynamics_pose(R, p, d, q, x->link - 1);
    for (int e = 0; e < 2; e++) {
      const double *from = e ? x->to : x->from;
      for (int r = 0; r < 3; r++)
        ends[i][e][r] = p[r] + R[r] * from[0] + R[r + 3] * from[1] + R[r + 6] * from[2];
      for (int f = 0; f < c->nplane && x->link > 0; f++) {
        const rbv_plane *plane = &c->plane[f];
        double height = plane->offset - x->radius - c->clearance;
        for (int r = 0; r < 3; r++) height -= plane->normal[r] * ends[i][e][r];
        least = fmin(least, height);
      }
    }
  }
  for (int a = 0; a < c->ncapsule; a++)
    for (int b = a + 1; b < c->ncapsule; b++)
      if (abs(c->capsule[a].link - c->capsule[b].link) > 1)
        least = fmin(least, rbv_segment_distance(ends[a][0], ends[a][1], ends[b][0], ends[b][1]) -
                                c->capsule[a].radius - c->capsule[b].radius - c->clearance);
  return least;
}

/* the kernels of all widths that run here against one pose at a time; counts that fill no vector */
static void test_many_poses_at_once(void **state) {
  (void)state;
  enum { LD = 24, COUNT = 19 };
  const gap_kernel *const all[] = {&rbv_gap_kernel_w2, rbv_gap_kernel()};
  for (uint64_t seed = 0; seed < 12; seed++) {
    any_robot r;
    any_robot_new(&r, seed, 0.27);
    keeper k;
    assert_ok(rbv_keeper_new(&k, r.m, &r.c));
    clearance *c = &k.space;
    const size_t items = (size_t)c->nitem;
    double q[JOINTS_MAX * LD] = {0}, one[JOINTS_MAX], least[2 * LD];
    double *gap = calloc(items * LD, sizeof *gap), *want = calloc(items, sizeof *want);
    for (int j = 0; j < r.n; j++)
      for (int i = 0; i < COUNT; i++)
        q[i + j * LD] = 6 * rbv_random_uniform(seed, (uint64_t)j, (uint64_t)i) - 3;
    for (int w = 0; w < RBV_COUNT(all); w++) {
      c->kernel = all[w];
      rbv_clearance_batch(c, gap, least, LD, q, LD, COUNT);
      for (int i = 0; i < COUNT; i++) {
        for (int j = 0; j < r.n; j++) one[j] = q[i + j * LD];
        const gaps g = rbv_clearance_eval(c, want, one);
        if (isfinite(g.between)) assert_near(least[i], g.between, 1e-12, 0);
        if (isfinite(g.outside)) assert_near(least[LD + i], g.outside, 1e-12, 0);
        for (int item = 0; item < c->nitem; item++)
          if (isfinite(want[item])) assert_near(gap[i + item * LD], want[item], 1e-12, 0);
      }
    }
    free(gap);
    free(want);
    rbv_keeper_free(&k);
    rbv_model_free(r.m);
  }
}

/*
 * Random motions of robots with given shapes: what passes has no gap below zero at 0.2 ms, what is
 * refused has one of less than 1 mm at the time that the message gives. Grids of 1 ms and of 0.3 s
 * agree, because both are refined where that is needed.
 */
static void test_random_motions(void **state) {
  (void)state;
  int refused = 0, passed = 0;
  for (uint64_t seed = 0; seed < 24; seed++) {
    any_robot r;
    any_robot_new(&r, seed, 0.27);
    r.c.prior = NULL;
    r.c.tool_speed = 0;
    for (int j = 0; j < r.n; j++) r.limits[j] = (rbv_limits){-9, 9, 99, 99, 999, INFINITY};
    rbv_trajectory_shape s = rbv_trajectory_defaults();
    s.njoint = r.n;
    s.count = 2;
    s.duration_s = 2;
    s.periods = 1 + (int)(seed % 2);
    s.blend_s = 0.25;
    uint64_t k = 0;
    double x[5 * JOINTS_MAX], center[JOINTS_MAX];
    assert_ok(rbv_constraints_center(center, r.m, &r.c));
    for (int i = 0; i < 5 * r.n; i++) x[i] = i % 5 ? between(seed, &k, -0.7, 0.7) : center[i / 5];
    rbv_trajectory *t;
    assert_ok(rbv_trajectory_new(&t, &s, x));
    rbv_usage_info fine, coarse;
    assert_ok(rbv_constraints_check(&fine, NULL, r.m, &r.c, t, 1e-3));
    assert_ok(rbv_constraints_check(&coarse, NULL, r.m, &r.c, t, 0.3));
    rbv_dynamics *d;
    double q[JOINTS_MAX], least = INFINITY;
    assert_ok(rbv_dynamics_new(&d, r.m));
    for (double time = 0; time <= rbv_trajectory_duration(t); time += 2e-4) {
      rbv_trajectory_eval(q, NULL, NULL, NULL, t, time);
      least = fmin(least, gap_at(d, &r.c, q));
    }
    for (int i = 0; i < 2; i++) {
      const rbv_usage_info *u = i ? &coarse : &fine;
      if (u->feasible) {
        assert_true(least >= 0);
        continue;
      }
      const char *at = strstr(u->reason, " at ");
      assert_non_null(at);
      rbv_trajectory_eval(q, NULL, NULL, NULL, t, atof(at + 4));
      // the message has milliseconds, in which a part moves by less than 20 mm
      assert_true(gap_at(d, &r.c, q) < 1e-3 + 0.02);
      assert_true(least < 2e-3);
    }
    passed += fine.feasible;
    refused += !fine.feasible;

    // the sampled motion gets the same answer, unless it is close to call
    rbv_motion *motion;
    rbv_usage usage[JOINTS_MAX];
    rbv_usage_info sampled;
    assert_ok(rbv_trajectory_motion(&motion, t, "motion", 500));
    assert_ok(rbv_constraints_check_motion(&sampled, usage, r.m, &r.c, motion));
    if (fabs(least - 1e-3) > 2e-3) assert_int_equal(sampled.feasible, fine.feasible);
    for (int j = 0; j < r.n; j++) {
      const rbv_extreme e = rbv_trajectory_extreme(t, j, 0);
      assert_near(usage[j].upper, e.max, 1e-3, 0);
    }
    rbv_motion_free(motion);
    rbv_dynamics_free(d);
    rbv_trajectory_free(t);
    rbv_model_free(r.m);
  }
  // both happen, so that both are tested
  assert_true(passed >= 4 && refused >= 4);
}

/* ---- damaged journals ---- */

typedef struct {
  finding f;
  double x[6 * 11];
} stored;

static bool find_stored(void *self, ptrdiff_t index, const void **data, size_t *size) {
  (void)index;
  *data = self;
  *size = sizeof(stored);
  return true;
}

static rbv_status keep_nothing(void *self, ptrdiff_t index, const void *data, size_t size) {
  (void)self, (void)index, (void)data, (void)size;
  return RBV_OK;
}

static void test_hostile_journals(void **state) {
  (void)state;
  rbv_model *m;
  assert_ok(rbv_model_load(&m, "a460", NULL));
  rbv_excite_options o = rbv_excite_defaults();
  o.columns = RBV_COLUMNS_INERTIAL;
  rbv_excite *e;
  assert_ok(rbv_excite_new(&e, m, &o));
  static const struct {
    double value, x;
    int64_t evaluations;
    bool refused;
  } cases[] = {{-1, 0.1, 1, false},       {-1, NAN, 1, true},         {-1, INFINITY, 1, true},
               {NAN, 0.1, 1, true},       {-1, 0.1, INT64_MAX, true}, {-1, 0.1, -1, true},
               {-1e308, 1e308, 1, false}, {INFINITY, 0.1, 1, false}};
  for (int how = 0; how < 2; how++)
    for (int i = 0; i < RBV_COUNT(cases); i++) {
      stored s = {.f = {.value = cases[i].value, .evaluations = cases[i].evaluations, .kept = 1}};
      for (int k = 0; k < RBV_COUNT(s.x); k++) s.x[k] = cases[i].x;
      const rbv_jobs_store store = {.self = &s, .find = find_stored, .keep = keep_nothing};
      rbv_search_options find = rbv_search_defaults();
      find.search = how ? RBV_SEARCH_SLSQP : RBV_SEARCH_GA;
      find.store = &store;
      find.population = 4;
      find.generations = 1;
      find.starts = 1;
      find.polish = false;
      rbv_trajectory *t;
      rbv_search_info info;
      const rbv_status status = rbv_excite_search(&t, &info, e, NULL, NULL, &find);
      if (cases[i].refused)
        assert_refused(status, RBV_EINPUT, "the journal is damaged");
      else
        assert_ok(status);  // numbers that are only large are repaired, or nothing is found
      rbv_trajectory_free(t);
    }
  rbv_excite_free(e);
  rbv_model_free(m);
}

static rbv_status assume_all(void *m) {
  rbv_constraint_set *s;
  rbv_status status = rbv_constraint_set_load(&s, m, NULL);
  if (status == RBV_OK) status = rbv_constraint_set_assume(s, m, 0);
  if (status == RBV_OK) status = rbv_constraint_set_mount(s, m, NULL, 0);
  rbv_constraint_set_free(s);
  return status;
}

static void test_allocations_fail_well(void **state) {
  (void)state;
  rbv_model *m = parse(arm);
  fail_each_allocation(assume_all, m);
  rbv_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_capsules_by_hand),
      cmocka_unit_test(test_slides_and_rods),
      cmocka_unit_test(test_mounts),
      cmocka_unit_test(test_shoulder_in_the_plane),
      cmocka_unit_test(test_overlaps),
      cmocka_unit_test(test_random_motions),
      cmocka_unit_test(test_many_poses_at_once),
      cmocka_unit_test(test_hostile_journals),
      cmocka_unit_test(test_allocations_fail_well),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
