/* MJCF: limits of joints that the actuators of the file give. */
#include <math.h>
#include <string.h>

#include "model/mjcf_document.h"

#define NUMBERS 16  // of an attribute, at most

/* how the control of an actuator acts */
typedef enum { ACTS_OTHERWISE, ACTS_AS_FORCE, ACTS_AS_POSITION, ACTS_AS_VELOCITY } control_kind;

typedef struct {
  control_kind kind;
  double gain;  // force per unit of the control
} control_law;

/* all numbers of an attribute, which may be fewer than it can have; the others are not changed */
static rbv_status read_numbers(double out[NUMBERS], const mjcf_levels *levels, const char *name) {
  const tree_place *at = rbv_mjcf_find(levels, name);
  const int count = at ? rbv_element_count(at->element, name) : 0;
  return count > 0 && count <= NUMBERS ? rbv_mjcf_reals(out, count, levels, name) : RBV_OK;
}

static bool is_word(const char *text, const char *word) { return text && strcmp(text, word) == 0; }

/* a range that limits; false: the file does not limit it */
static bool read_range(double range[2], rbv_status *status, const mjcf_levels *levels,
                       const char *name, const char *switch_name, bool automatic) {
  const char *limited = rbv_mjcf_text(levels, switch_name);
  range[0] = range[1] = 0;
  if (*status == RBV_OK) *status = rbv_mjcf_reals(range, 2, levels, name);
  const bool by_range = !limited || is_word(limited, "auto");
  return (is_word(limited, "true") || (by_range && automatic)) && range[0] < range[1];
}

/* <general> is a servo if its bias takes the gain times a position or a velocity away */
static rbv_status read_general(control_law *law, const mjcf_levels *levels) {
  double gain[NUMBERS] = {1}, bias[NUMBERS] = {0};
  const char *dynamics = rbv_mjcf_text(levels, "dyntype"),
             *type = rbv_mjcf_text(levels, "gaintype"),
             *bias_type = rbv_mjcf_text(levels, "biastype");
  RBV_TRY(read_numbers(gain, levels, "gainprm"));
  RBV_TRY(read_numbers(bias, levels, "biasprm"));
  if ((dynamics && !is_word(dynamics, "none")) || (type && !is_word(type, "fixed"))) return RBV_OK;
  law->gain = gain[0];
  if (!bias_type || is_word(bias_type, "none"))
    law->kind = ACTS_AS_FORCE;
  else if (is_word(bias_type, "affine") && bias[1] != 0 && bias[1] == -gain[0])
    law->kind = ACTS_AS_POSITION;
  else if (is_word(bias_type, "affine") && bias[1] == 0 && bias[2] != 0 && bias[2] == -gain[0])
    law->kind = ACTS_AS_VELOCITY;
  return RBV_OK;
}

static rbv_status read_law(control_law *law, const mjcf_levels *levels) {
  static const struct {
    const char *tag;
    control_kind kind;
  } known[] = {{"motor", ACTS_AS_FORCE},
               {"position", ACTS_AS_POSITION},
               {"velocity", ACTS_AS_VELOCITY},
               {"intvelocity", ACTS_AS_VELOCITY}};
  const char *tag = rbv_element_tag(levels->at[0].element);
  *law = (control_law){ACTS_OTHERWISE, 1};
  if (is_word(tag, "general")) return read_general(law, levels);
  for (int i = 0; i < RBV_COUNT(known); i++)
    if (is_word(tag, known[i].tag)) law->kind = known[i].kind;
  return RBV_OK;
}

static double largest(const double range[2]) { return fmax(fabs(range[0]), fabs(range[1])); }

/* an actuator at a joint: the force that it adds, and what its control allows */
static rbv_status apply(tree_joint *j, const mjcf_levels *levels, bool automatic) {
  double gear[NUMBERS] = {1}, force[2], range[2], most = INFINITY;
  control_law law;
  rbv_status status = RBV_OK;
  RBV_TRY(read_numbers(gear, levels, "gear"));
  RBV_TRY(read_law(&law, levels));
  const double ratio = fabs(gear[0]);
  if (!(ratio > 0)) return RBV_OK;
  if (read_range(force, &status, levels, "forcerange", "forcelimited", automatic))
    most = ratio * largest(force);
  if (read_range(range, &status, levels, "ctrlrange", "ctrllimited", automatic)) {
    rbv_limits *l = &j->limits;
    const double ends[2] = {range[0] / gear[0], range[1] / gear[0]};
    const double low = fmax(l->lower, fmin(ends[0], ends[1]));
    const double high = fmin(l->upper, fmax(ends[0], ends[1]));
    if (law.kind == ACTS_AS_FORCE) most = fmin(most, ratio * fabs(law.gain) * largest(range));
    if (law.kind == ACTS_AS_VELOCITY) l->velocity = fmin(l->velocity, largest(ends));
    if (law.kind == ACTS_AS_POSITION && low < high) {
      l->lower = low;
      l->upper = high;
    }
  }
  j->has_actuator = true;
  j->actuator_effort += most > 0 ? most : INFINITY;
  return status;
}

rbv_status rbv_mjcf_actuators(robot_tree *t, const mjcf_document *doc, bool automatic) {
  for (int i = 1; i < doc->nnode; i++) {
    if (!rbv_mjcf_is(doc, doc->node[i].parent, "actuator")) continue;
    const rbv_element *e = doc->node[i].at.element;
    const char *name = rbv_element_attribute(e, "joint");
    if (!name) name = rbv_element_attribute(e, "jointinparent");
    const int joint = name ? rbv_tree_find_joint(t, name) : -1;
    if (joint < 0) continue;
    mjcf_levels levels;
    RBV_TRY(rbv_mjcf_levels(&levels, doc, i, 0));
    RBV_TRY(apply(&t->joint[joint], &levels, automatic));
  }
  // forces of several actuators add up; the joint itself may limit their sum
  for (int j = 0; j < t->njoint; j++)
    if (t->joint[j].has_actuator)
      t->joint[j].limits.effort = fmin(t->joint[j].limits.effort, t->joint[j].actuator_effort);
  return RBV_OK;
}
