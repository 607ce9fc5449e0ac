/* Elastic joints in an MJCF: what was written beside what was read. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "export/export_internal.h"

/* Coordinates of the states: joints, then the motors of elastic ones (rbv_model_terms.motors). */
typedef struct {
  const rbv_model *wide;     // with motors
  const simulator_model *p;  // that was written
  simulator_torque rigid;    // its links, and the drives of rigid joints
  simulator_model plain;     // p without the drives of elastic joints
  const rbv_model *back;     // that was read
  simulator_torque got;
  double *memory, *x[4];  // of the coordinates of the document: q, dq, ddq, tau
  int *motor, *spring;    // njoint: coordinates of the document; spring -1: rigid
} comparison;

static double sign(double v) { return (v > 0) - (v < 0); }

/* motors and links apart, as the equations of a two-mass drive say */
static void eval_want(double *tau, void *self, const double *q, const double *dq,
                      const double *ddq) {
  comparison *c = self;
  const simulator_model *p = c->p;
  rbv_simulator_torque_eval(tau, &c->rigid, q, dq, ddq);
  for (int j = 0; j < p->njoint; j++) {
    const int motor = rbv_model_motor(c->wide, j);
    if (motor == j) continue;
    const double pull =
        p->spring[j] * (q[motor] - q[j]) + p->spring_damping[j] * (dq[motor] - dq[j]);
    tau[j] -= pull;
    tau[motor] = p->armature[j] * ddq[motor] + p->damping[j] * dq[motor] +
                 p->friction[j] * sign(dq[motor]) + pull;
  }
}

/* the document has the motor and the deflection: the virtual work of the motor is that of both */
static void eval_got(double *tau, void *self, const double *q, const double *dq,
                     const double *ddq) {
  comparison *c = self;
  const double *const from[3] = {q, dq, ddq};
  for (int j = 0; j < c->p->njoint; j++) {
    const int motor = rbv_model_motor(c->wide, j);
    for (int i = 0; i < 3; i++) {
      c->x[i][c->motor[j]] = from[i][motor];
      if (motor != j) c->x[i][c->spring[j]] = from[i][j] - from[i][motor];
    }
  }
  rbv_simulator_torque_eval(c->x[3], &c->got, c->x[0], c->x[1], c->x[2]);
  for (int j = 0; j < c->p->njoint; j++) {
    const int motor = rbv_model_motor(c->wide, j);
    tau[j] = c->x[3][motor == j ? c->motor[j] : c->spring[j]];
    if (motor != j) tau[motor] = c->x[3][c->motor[j]] - tau[j];
  }
}

static int find(const rbv_model *m, const char *name, const char *suffix) {
  char wanted[256];
  snprintf(wanted, sizeof wanted, "%s%s", name, suffix);
  for (int j = 0; j < m->njoint; j++)
    if (strcmp(m->joint[j].name, wanted) == 0) return j;
  return -1;
}

static rbv_status fill(comparison *c, const export_job *e, const simulator_model *values) {
  const int n = c->p->njoint, wide = c->back->njoint;
  for (int i = 0; i < 4; i++) c->x[i] = c->memory + i * wide;
  double *drive = c->memory + 4 * wide;
  for (int j = 0; j < n; j++) {
    const char *name = e->model->joint[j].name;
    const bool elastic = rbv_model_motor(c->wide, j) != j;
    c->motor[j] = find(c->back, name, "");
    c->spring[j] = elastic ? find(c->back, name, SPRING_SUFFIX) : -1;
    if (c->motor[j] < 0 || (elastic && c->spring[j] < 0))
      return rbv_fail(RBV_ENUM, "the MJCF: read back, joint '%s' is missing", name);
  }
  c->plain = *c->p;
  double **const part[] = {&c->plain.armature, &c->plain.damping, &c->plain.friction,
                           &c->plain.stiffness, &c->plain.constant};
  for (int i = 0; i < RBV_COUNT(part); i++) {
    const double *from = *part[i];
    *part[i] = drive + i * n;
    for (int j = 0; j < n; j++) (*part[i])[j] = c->spring[j] < 0 ? from[j] : 0;
  }
  RBV_TRY(rbv_simulator_torque_new(&c->rigid, e->model, &c->plain));
  return rbv_simulator_torque_new(&c->got, c->back, values);
}

rbv_status rbv_export_compare_elastic(export_job *e, const simulator_model *p,
                                      const rbv_model *back, const simulator_model *values) {
  const int n = p->njoint;
  rbv_model_terms terms = rbv_model_get_terms(e->model);
  terms.motors = true;
  rbv_model *wide;
  RBV_TRY(rbv_model_variant(&wide, e->model, &terms));
  comparison c = {.wide = wide, .p = p, .back = back};
  c.memory = rbv_alloc((size_t)(4 * back->njoint + 5 * n) * sizeof *c.memory);
  c.motor = rbv_alloc(2 * (size_t)n * sizeof *c.motor);
  c.spring = c.motor ? c.motor + n : NULL;
  rbv_status status = c.memory && c.motor ? fill(&c, e, values) : RBV_EMEM;
  if (status == RBV_OK) {
    // states of the wider model; notes and the difference belong to the export
    const rbv_model *own = e->model;
    e->model = wide;
    status = rbv_export_compare(e, wide->njoint, eval_want, &c, eval_got, &c, "the MJCF");
    e->model = own;
  }
  rbv_simulator_torque_free(&c.rigid);
  rbv_simulator_torque_free(&c.got);
  rbv_free(c.memory);
  rbv_free(c.motor);
  rbv_model_free(wide);
  return status;
}
