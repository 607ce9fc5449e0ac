/* An export while it is made, and what its formats share. */
#ifndef EXPORT_EXPORT_INTERNAL_H
#define EXPORT_EXPORT_INTERNAL_H

#include <roberval/sys/dynamics.h>
#include <roberval/sys/export.h>

#include "base/support.h"
#include "model/geometry.h"

#define EXPORT_STATES 100      // at which torques are compared
#define EXPORT_TOLERANCE 1e-9  // of the largest torque
#define EXPORT_FUNCTIONS 5     // that C code has at most

typedef struct {
  rbv_export shown;  // first: what the user holds is the whole
  const rbv_model *model;
  const double *chi;
  const rbv_export_options *options;
  rbv_text text, header;
  char *name, *reason;
  int nnote;
  char **note;
  rbv_export_cost cost[EXPORT_FUNCTIONS];
} export_job;

/* A remark for the user. */
RBV_MUST_CHECK rbv_status rbv_export_note(export_job *e, const char *format, ...) RBV_PRINTF(2, 3);

/* The parameters cannot be written: a result, not an error. */
RBV_MUST_CHECK rbv_status rbv_export_refuse(export_job *e, const char *format, ...)
    RBV_PRINTF(2, 3);

/* Random state k within the limits: njoint each. */
void rbv_export_state(double *q, double *dq, double *ddq, const export_job *e, int k);

/* ---- a robot as simulators know it ---- */

/* A motor that moves several joints: along sum of weight * q. */
typedef struct {
  int motor;
  double damping, friction;
} plant_tendon;

typedef struct {
  int njoint;
  double *body;                           // njoint x 10, a payload in the last one
  double *armature, *damping, *friction;  // njoint
  int ntendon;                            // at most njoint
  plant_tendon *tendon;
  double *weight;  // ntendon x njoint: row t at [t * njoint]
} plant;

/* What the format can say of the drives; the rest becomes notes. */
RBV_MUST_CHECK rbv_status rbv_simulator_model_new(plant **out, export_job *e, bool mjcf);
RBV_MUST_CHECK rbv_status rbv_plant_blank(plant **out, int njoint); /* all zero */
void rbv_simulator_model_free(plant *p);

/*
 * Can each body exist? When not, the export is refused (or, with force, a note says so); a body
 * that mass, centre and inertia cannot describe is refused in any case.
 */
RBV_MUST_CHECK rbv_status rbv_plant_judge(export_job *e, const plant *p);

/* Mass, centre of mass and inertia about it in the link's axes (xx xy xz yy yz zz). */
void rbv_body_centre(double *mass, double centre[3], double inertia[6], const double body[10]);

/* Torque of the plant: rigid bodies of the model with these link parameters, and its drives. */
typedef struct {
  rbv_dynamics *rigid;
  const plant *plant;
} plant_torque;

RBV_MUST_CHECK rbv_status rbv_plant_torque_new(plant_torque *out, const rbv_model *m,
                                               const plant *p);
void rbv_plant_torque_free(plant_torque *t);
void rbv_plant_torque_eval(double *tau, plant_torque *t, const double *q, const double *dq,
                           const double *ddq);

/*
 * Compare torques at random states and record the difference. eval(tau, payload, q, dq, ddq) gives
 * count torques; states where the first gives none that are finite are left out.
 */
typedef void (*torque_eval)(double *tau, void *payload, const double *q, const double *dq,
                            const double *ddq);
RBV_MUST_CHECK rbv_status rbv_export_compare(export_job *e, int count, torque_eval want, void *a,
                                             torque_eval got, void *b, const char *what);

/* rbv_dynamics_inverse, rbv_dynamics_rows and rbv_plant_torque_eval in that form. */
void rbv_eval_inverse(double *tau, void *d, const double *q, const double *dq, const double *ddq);
void rbv_eval_rows(double *tau, void *d, const double *q, const double *dq, const double *ddq);
void rbv_eval_plant(double *tau, void *t, const double *q, const double *dq, const double *ddq);

/* ---- geometry and text ---- */

/* Pose of joint frame j in its parent's at q = 0, its offset included. */
rbv_pose rbv_joint_zero(const joint_geometry *g);

/* Fixed-axis angles of a rotation, exact also where the pitch is a quarter turn. */
void rbv_angles_of(double rpy[3], const double R[9]);

/* Unit quaternion (w x y z) of a rotation. */
void rbv_quaternion_of(double q[4], const double R[9]);

/*
 * Principal moments of an inertia (xx xy xz yy yz zz) and the rotation, row-major, whose columns
 * are their axes, of all such rotations the one that turns least. Simulators integrate along these
 * axes, and MuJoCo's own way to them stops at 1e-6 rad: a file that has them leaves it nothing to
 * do. Inertia without products keeps its axes exactly.
 */
RBV_MUST_CHECK rbv_status rbv_principal(double moment[3], double R[9], const double inertia[6]);

/* n numbers with the digits that read back exactly, blanks between them. */
void rbv_put_numbers(rbv_text *text, const double *x, int n);

/*  name="numbers", with a blank before it */
void rbv_put_attribute(rbv_text *text, const char *name, const double *x, int n);

/* ---- the formats ---- */

RBV_MUST_CHECK rbv_status rbv_export_urdf(export_job *e);
RBV_MUST_CHECK rbv_status rbv_export_mjcf(export_job *e);
RBV_MUST_CHECK rbv_status rbv_export_yaml(export_job *e);
RBV_MUST_CHECK rbv_status rbv_export_code(export_job *e);

#endif
