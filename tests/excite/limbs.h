/* Two arms on a waist, close enough to hit each other, and a check of designs for them. */
#ifndef TEST_LIMBS_H
#define TEST_LIMBS_H

#include "designs.h"

#define ARM "  parameters: {XX: 0.1, YY: 0.1, ZZ: 0.02, MZ: -0.3, M: 2, Ia: 0.02, Fv: 1, Fc: 1}}\n"
#define WAIST "- {name: waist, origin: {xyz: [0, 0, 0.9]}, parameters: {ZZ: 1, M: 9, Ia: 0.05}}\n"
#define ELBOW "- {name: %s2, origin: {xyz: [0, 0, -0.35]}, axis: [0, 1, 0],\n" ARM
#define HAND "- {name: %s3, origin: {xyz: [0, 0, -0.3]}, axis: [0, 0, 1],\n" ARM
#define RADIUS 0.06

typedef struct {
  rbv_model *m;
  rbv_limits limits[JOINTS_MAX];
  rbv_capsule capsule[16];
  rbv_constraints c;
} two_arms;

/* arms: 1 left, 2 right, 3 both; an arm that is left out hangs from the waist */
static inline void two_arms_new(two_arms *r, int arms) {
  char text[4096];
  int at = snprintf(text, sizeof text, "name: arms\njoints:\n" WAIST), count = 1;
  *r = (two_arms){0};
  r->capsule[0] = (rbv_capsule){.link = 1, .to = {0, 0, 0.4}, .radius = RADIUS};
  for (int side = 0; side < 2; side++) {
    const char *name = side ? "right" : "left";
    const double y = side ? -0.2 : 0.2, length[3] = {0.35, 0.3, 0.15};
    const bool moves = arms >> side & 1;
    double z = 0.4;
    if (moves) {
      at += snprintf(
          text + at, sizeof text - (size_t)at,
          "- {name: %s1, parent: waist, origin: {xyz: [0, %g, 0.4]}, axis: [1, 0, 0],\n" ARM ELBOW
              HAND,
          name, y, name, name);
    }
    for (int k = 0; k < 3; k++, z -= length[k - 1])
      r->capsule[count + k] =
          moves ? (rbv_capsule){.link = -1, .to = {0, 0, -length[k]}, .radius = RADIUS}
                : (rbv_capsule){
                      .link = 1, .from = {0, y, z}, .to = {0, y, z - length[k]}, .radius = RADIUS};
    count += 3;
  }
  for (int i = 0, link = 1; i < count; i++)
    if (r->capsule[i].link < 0) r->capsule[i].link = ++link;
  assert_ok(rbv_model_parse(&r->m, "arms", text, (size_t)at, NULL));
  for (int j = 0; j < rbv_model_joint_count(r->m); j++)
    r->limits[j] = (rbv_limits){-1.5, 1.5, 2, 8, INFINITY, 80};
  r->c = (rbv_constraints){.limits = r->limits,
                           .prior = rbv_model_parameters(r->m),
                           .tool_speed = 1.5,
                           .clearance = 0.01,
                           .ncapsule = count,
                           .capsule = r->capsule};
}

/* a series; smaller for a quick search */
static inline rbv_trajectory_shape limbs_shape(const two_arms *r) {
  rbv_trajectory_shape s = rbv_trajectory_defaults();
  s.njoint = rbv_model_joint_count(r->m);
  s.count = 3;
  return s;
}

/* trajectories of a robot, by a search that ends after a number of steps */
static inline void design_limbs(rbv_trajectory **t, const two_arms *r, int trajectories,
                                uint64_t seed) {
  rbv_excite_options o = rbv_excite_defaults();
  rbv_excite *e;
  assert_ok(rbv_excite_new(&e, r->m, &o));
  const rbv_trajectory_shape s = limbs_shape(r);
  rbv_search_options find = rbv_search_defaults();
  find.search = seed % 2 ? RBV_SEARCH_GA : RBV_SEARCH_SLSQP;
  find.budget_s = 0;
  find.population = 20;
  find.generations = 3;
  find.starts = 1;
  find.iterations = 30;
  find.trajectories = trajectories;
  find.seed = seed;
  rbv_search_info info;
  assert_ok(rbv_excite_search(t, &info, e, &r->c, &s, &find));
  if (!info.feasible) fail_msg("seed %d: %s", (int)seed, info.reason);
  rbv_excite_free(e);
}

#endif
