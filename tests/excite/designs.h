/* Robots to design for, and a check of designs that shares nothing with the one in the library. */
#ifndef TEST_DESIGNS_H
#define TEST_DESIGNS_H

#include <math.h>
#include <roberval/sys/dynamics.h>
#include <roberval/sys/excite.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/support.h"
#include "document/document.h"
#include "excite/distance.h"
#include "nodes.h"
#include "support.h"
#include "trajectory/trajectory.h"

#define DEGREE_RAD (3.14159265358979323846 / 180)
#define JOINTS_MAX 8

/* Table I of Radkhah 2007 */
static inline rbv_trajectory *table_one(void) {
  rbv_document *doc;
  assert_ok(rbv_document_load(&doc, TEST_DATA "/fourier_002.json"));
  const rbv_node *root = rbv_document_root(doc);
  rbv_trajectory_shape s = rbv_trajectory_defaults();
  s.njoint = 6;
  double x[66], row[6];
  for (int j = 0; j < 6; j++) {
    assert_ok(rbv_node_real(&x[11 * j], rbv_node_at(node_at(root, "q0"), j)));
    for (int l = 0; l < 5; l++) {
      assert_ok(rbv_node_reals(row, 6, rbv_node_at(node_at(root, "a"), l)));
      x[11 * j + 1 + l] = row[j];
      assert_ok(rbv_node_reals(row, 6, rbv_node_at(node_at(root, "b"), l)));
      x[11 * j + 6 + l] = row[j];
    }
  }
  rbv_trajectory *t;
  assert_ok(rbv_trajectory_new(&t, &s, x));
  rbv_document_free(doc);
  return t;
}

/* NS16 within the limits of Villagrossi 2014 */
static const double ns16_position[6] = {135 * DEGREE_RAD, 54 * DEGREE_RAD, 63 * DEGREE_RAD,
                                        162 * DEGREE_RAD, 90 * DEGREE_RAD, 162 * DEGREE_RAD};
static const double ns16_velocity[6] = {2.7, 2.7, 3, 6, 6, 8};
static const double ns16_acceleration[6] = {8, 8, 9, 20, 20, 30};

static inline void ns16_limits(rbv_limits *l, bool moving) {
  for (int j = 0; j < 6; j++)
    l[j] = (rbv_limits){.lower = -ns16_position[j],
                        .upper = ns16_position[j],
                        .velocity = moving ? ns16_velocity[j] : INFINITY,
                        .acceleration = moving ? ns16_acceleration[j] : INFINITY,
                        .jerk = INFINITY,
                        .effort = INFINITY};
}

typedef struct {
  rbv_model *m;
  int n;
  rbv_limits limits[JOINTS_MAX];
  rbv_capsule capsule[JOINTS_MAX + 1];
  rbv_plane floor;
  double prior[200];
  rbv_constraints c;
} any_robot;

static inline double between(uint64_t seed, uint64_t *k, double low, double high) {
  return low + (high - low) * rbv_random_uniform(seed, 9, (*k)++);
}

/*
 * 4 to 7 axes, random limits, a capsule on every link, a floor, torques of a random prior
 *   foot  in  lowest height of the second axis [m]
 */
static inline void any_robot_new(any_robot *r, uint64_t seed, double foot) {
  uint64_t k = 0;
  *r = (any_robot){.n = 4 + (int)(seed % 4)};
  char text[4096];
  int at = snprintf(text, sizeof text, "name: any%d\njoints:\n", (int)seed);
  for (int j = 0; j < r->n; j++) {
    const double alpha = j == 0 ? 0 : j % 2 ? 1.5707963267948966 : -1.5707963267948966;
    // link 2 lies across the column's top wherever the joints are: clear of the foot (0.18 m)
    const double d = j == 0 ? 0 : between(seed, &k, 0, 0.3);
    const double z = between(seed, &k, j == 0 ? foot : 0.1, 0.45);
    at += snprintf(text + at, sizeof text - (size_t)at,
                   "  - mdh: {alpha: %.17g, d: %.17g, theta: 0, r: %.17g}\n", alpha, d, z);
    const double middle = between(seed, &k, -0.5, 0.5), half = between(seed, &k, 1, 3);
    r->limits[j] = (rbv_limits){.lower = middle - half,
                                .upper = middle + half,
                                .velocity = between(seed, &k, 0.5, 4),
                                .acceleration = between(seed, &k, 2, 20),
                                .jerk = between(seed, &k, 30, 300),
                                .effort = between(seed, &k, 150, 400)};
    r->capsule[j + 1] = (rbv_capsule){.link = j + 1, .to = {0, 0, -z}, .radius = 0.05};
  }
  r->capsule[0] = (rbv_capsule){.link = 0, .to = {0, 0, 0.1}, .radius = 0.08};
  r->floor = (rbv_plane){.normal = {0, 0, -1}, .offset = 0.3};
  assert_ok(rbv_model_parse(&r->m, "any", text, (size_t)at, NULL));
  for (int c = 0; c < rbv_model_column_count(r->m); c++) {
    const rbv_column *column = rbv_model_column(r->m, c);
    // point masses on the axes and a little friction
    if (column->component == 9) r->prior[c] = between(seed, &k, 0.5, 3);
    if (rbv_column_has_law(column, "Fv")) r->prior[c] = 1;
    if (rbv_column_has_law(column, "Ia")) r->prior[c] = 0.2;
  }
  r->c = (rbv_constraints){.limits = r->limits,
                           .prior = r->prior,
                           .tool_speed = between(seed, &k, 1, 3),
                           .clearance = 0.005,
                           .ncapsule = r->n + 1,
                           .capsule = r->capsule,
                           .nplane = 1,
                           .plane = &r->floor};
}

/* one link, or two that a joint connects */
static inline bool are_neighbours(const rbv_model *m, int a, int b) {
  const int low = a < b ? a : b, high = a + b - low;
  return low == high || rbv_model_parent(m, high - 1) + 1 == low;
}

/* nothing is broken at a step of 0.1 ms, ten times finer than the library looked */
static inline void assert_keeps(const rbv_model *m, const rbv_constraints *c,
                                const rbv_trajectory *t, double step_s) {
  const int n = rbv_model_joint_count(m);
  rbv_dynamics *d;
  assert_ok(rbv_dynamics_new(&d, m));
  if (c->prior) assert_ok(rbv_dynamics_set(d, c->prior, false));
  const ptrdiff_t count = (ptrdiff_t)(rbv_trajectory_duration(t) / step_s) + 1;
  for (ptrdiff_t k = 0; k <= count; k++) {
    double q[JOINTS_MAX], dq[JOINTS_MAX], ddq[JOINTS_MAX], jerk[JOINTS_MAX], tau[JOINTS_MAX];
    rbv_trajectory_eval(q, dq, ddq, jerk, t, (double)k * step_s);
    if (c->prior) rbv_dynamics_inverse(tau, d, q, dq, ddq);
    for (int j = 0; j < n; j++) {
      const rbv_limits *l = &c->limits[j];
      assert_true(q[j] >= l->lower - 1e-9 && q[j] <= l->upper + 1e-9);
      assert_true(fabs(dq[j]) <= l->velocity * (1 + 1e-9));
      assert_true(fabs(ddq[j]) <= l->acceleration * (1 + 1e-9));
      assert_true(fabs(jerk[j]) <= l->jerk * (1 + 1e-9));
      if (c->prior) assert_true(fabs(tau[j]) <= l->effort);
    }
    for (int tip = 0; tip < rbv_model_tip_count(m) && c->tool_speed > 0; tip++) {
      double J[6 * JOINTS_MAX], v[3] = {0};
      rbv_dynamics_jacobian(J, d, q, rbv_model_tip_body(m, tip), c->tool);
      for (int j = 0; j < n; j++)
        for (int i = 0; i < 3; i++) v[i] += J[6 * j + i] * dq[j];
      assert_true(sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) <= c->tool_speed);
    }
    double ends[2 * JOINTS_MAX][2][3];
    for (int i = 0; i < c->ncapsule; i++) {
      double R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, p[3] = {0};
      const rbv_capsule *x = &c->capsule[i];
      if (x->link > 0) rbv_dynamics_pose(R, p, d, q, x->link - 1);
      for (int e = 0; e < 2; e++) {
        const double *from = e ? x->to : x->from;
        for (int r = 0; r < 3; r++)
          ends[i][e][r] = p[r] + R[r] * from[0] + R[r + 3] * from[1] + R[r + 6] * from[2];
        for (int f = 0; f < c->nplane && x->link > 0; f++) {
          const double *normal = c->plane[f].normal;
          double height = 0;
          for (int r = 0; r < 3; r++) height += normal[r] * ends[i][e][r];
          assert_true(height + x->radius + c->clearance <= c->plane[f].offset);
        }
      }
    }
    for (int a = 0; a < c->ncapsule; a++)
      for (int b = a + 1; b < c->ncapsule; b++) {
        if (are_neighbours(m, c->capsule[a].link, c->capsule[b].link)) continue;
        const double gap = rbv_segment_distance(ends[a][0], ends[a][1], ends[b][0], ends[b][1]) -
                           c->capsule[a].radius - c->capsule[b].radius;
        assert_true(gap >= c->clearance);
      }
  }
  rbv_dynamics_free(d);
}

/* design for a random robot within a budget (0: none) and check it; which must be possible */
static inline void design_any(uint64_t seed, double budget_s, double step_s, bool quick) {
  any_robot r;
  any_robot_new(&r, seed, 0.27);
  rbv_excite_options o = rbv_excite_defaults();
  o.columns = RBV_COLUMNS_RIGID;
  rbv_excite *e;
  assert_ok(rbv_excite_new(&e, r.m, &o));
  rbv_trajectory_shape s = rbv_trajectory_defaults();
  s.njoint = r.n;
  s.kind = (rbv_trajectory_class)(seed / 4 % (uint64_t)rbv_trajectory_class_count());
  rbv_trajectory_class_terms(s.kind, &s.count, NULL);
  if (s.count < 8) s.count = rbv_trajectory_class_smooth(s.kind) ? 5 : 8;
  s.blend_s = 0.5;
  s.smooth = true;
  rbv_search_options find = rbv_search_defaults();
  find.search =
      !rbv_trajectory_class_smooth(s.kind) || seed % 3 == 0 ? RBV_SEARCH_GA : RBV_SEARCH_SLSQP;
  find.budget_s = budget_s;
  find.population = 30;
  if (quick) {
    find.population = 10;
    find.generations = 2;
    find.starts = 1;
    find.iterations = 5;
  }
  find.seed = seed;
  rbv_trajectory *t = NULL;
  rbv_search_info info;
  assert_ok(rbv_excite_search(&t, &info, e, &r.c, &s, &find));
  if (!t) fail_msg("robot %d: %s", (int)seed, info.reason);
  if (budget_s > 0 && !(info.seconds <= budget_s))
    fail_msg("robot %d took %g s", (int)seed, info.seconds);
  assert_keeps(r.m, &r.c, t, step_s);
  rbv_trajectory_free(t);
  rbv_excite_free(e);
  rbv_model_free(r.m);
}

#endif
