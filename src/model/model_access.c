/* A model through functions, for those who do not want to know its structures. */
#include <math.h>

#include "model/model_internal.h"

rbv_status rbv_model_open(rbv_model **out, const char *robot) {
  if (!out || !robot) return rbv_fail(RBV_EARG, "a robot and a place for its model are needed");
  return rbv_model_load(out, robot, NULL);
}

static const rbv_joint *joint_at(const rbv_model *m, int j) {
  return m && j >= 0 && j < m->njoint ? &m->joint[j] : NULL;
}

static const rbv_column *column_at(const rbv_model *m, int c) {
  return m && c >= 0 && c < m->ncolumn ? &m->column[c] : NULL;
}

const char *rbv_model_joint_name(const rbv_model *m, int joint) {
  const rbv_joint *j = joint_at(m, joint);
  return j ? j->name : NULL;
}

bool rbv_model_joint_is_prismatic(const rbv_model *m, int joint) {
  const rbv_joint *j = joint_at(m, joint);
  return j && j->type == RBV_JOINT_PRISMATIC;
}

double rbv_model_joint_lower(const rbv_model *m, int joint) {
  const rbv_joint *j = joint_at(m, joint);
  return j ? j->limits.lower : NAN;
}

double rbv_model_joint_upper(const rbv_model *m, int joint) {
  const rbv_joint *j = joint_at(m, joint);
  return j ? j->limits.upper : NAN;
}

double rbv_model_joint_velocity(const rbv_model *m, int joint) {
  const rbv_joint *j = joint_at(m, joint);
  return j ? j->limits.velocity : NAN;
}

double rbv_model_joint_effort(const rbv_model *m, int joint) {
  const rbv_joint *j = joint_at(m, joint);
  return j ? j->limits.effort : NAN;
}

const char *rbv_model_column_name(const rbv_model *m, int column) {
  const rbv_column *c = column_at(m, column);
  return c ? c->name : NULL;
}

const char *rbv_model_column_unit(const rbv_model *m, int column) {
  const rbv_column *c = column_at(m, column);
  return c ? c->unit : NULL;
}
