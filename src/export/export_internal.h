/* An export in progress, and functions that the formats share. */
#ifndef EXPORT_EXPORT_INTERNAL_H
#define EXPORT_EXPORT_INTERNAL_H

#include <roberval/sys/dynamics.h>
#include <roberval/sys/export.h>

#include "base/support.h"
#include "model/geometry.h"

#define EXPORT_STATES 100      // at which torques are compared
#define EXPORT_TOLERANCE 1e-9  // of the largest torque
#define EXPORT_FUNCTIONS 12    // that C code has at most

typedef struct {
  rbv_export shown;  // first member: the user's pointer is that of the whole
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

/* The parameters cannot be written. This is a result, not an error. */
RBV_MUST_CHECK rbv_status rbv_export_refuse(export_job *e, const char *format, ...)
    RBV_PRINTF(2, 3);

/* Random state k within the limits: njoint each. */
void rbv_export_state(double *q, double *dq, double *ddq, const export_job *e, int k);

/* ---- a robot as simulators describe it ---- */

/* A motor that moves several joints: along sum of weight * q. */
typedef struct {
  int motor;
  double damping, friction;
} simulator_tendon;

// stiffness of the spring of a constant torque, as a share of it: its torque changes by less
// than the rounding of other numbers per radian
#define SIMULATOR_SOFT 1e-12
#define SIMULATOR_REMARK 800  // longest comment of a joint

typedef struct {
  int nbody, njoint;
  double *body;                           // nbody x 10, a payload in the last one
  double *armature, *damping, *friction;  // njoint
  double *stiffness;                      // njoint: springs of an MJCF, which keep their rest
  double *constant;  // njoint: constant torques, springs of an MJCF far from their rest
  double *spring, *spring_damping;  // njoint: between motor and link of an elastic joint; 0: rigid
  double *passive_damping, *passive_friction;  // nbody: of joints that follow from closed loops
  int ntendon;                                 // at most njoint
  simulator_tendon *tendon;
  double *weight;  // ntendon x njoint: row t at [t * njoint]
  char *remark;    // njoint x SIMULATOR_REMARK: what was replaced by the nearest pair
} simulator_model;

/* The part of the drives that the format can express; the rest becomes notes. mjcf: MJCF, otherwise
 * URDF; tendons: motors that move several joints can be written. */
RBV_MUST_CHECK rbv_status rbv_simulator_new(simulator_model **out, export_job *e, bool mjcf,
                                            bool tendons);
RBV_MUST_CHECK rbv_status rbv_simulator_blank(simulator_model **out,
                                              const rbv_model *model); /* all zero */
void rbv_simulator_free(simulator_model *p);

/*
 * Check that each body is physically consistent. If not, the export is refused, or with force a
 * note is added. A body without a centre of mass is always refused.
 */
RBV_MUST_CHECK rbv_status rbv_simulator_check(export_job *e, const simulator_model *p);

/* Mass, centre of mass and inertia about it in the link's axes (xx xy xz yy yz zz). */
void rbv_body_centre(double *mass, double centre[3], double inertia[6], const double body[10]);

/* Torque of the simulator_model: rigid bodies of the model with these link parameters, and its
 * drives. */
typedef struct {
  rbv_dynamics *rigid;
  const simulator_model *simulator_model;
} simulator_torque;

RBV_MUST_CHECK rbv_status rbv_simulator_torque_new(simulator_torque *out, const rbv_model *m,
                                                   const simulator_model *p);
void rbv_simulator_torque_free(simulator_torque *t);
void rbv_simulator_torque_eval(double *tau, simulator_torque *t, const double *q, const double *dq,
                               const double *ddq);

/*
 * Compare torques at random states and record the difference. eval(tau, payload, q, dq, ddq)
 * computes count torques. States at which the first function is not finite are skipped.
 */
typedef void (*torque_eval)(double *tau, void *payload, const double *q, const double *dq,
                            const double *ddq);
RBV_MUST_CHECK rbv_status rbv_export_compare(export_job *e, int count, torque_eval want, void *a,
                                             torque_eval got, void *b, const char *what);

/*
 * Compare an MJCF of a robot with elastic joints, in which each of them is two joints (motor and
 * spring), with what was to be written. back, values: the robot that was read, and its values.
 */
RBV_MUST_CHECK rbv_status rbv_export_compare_elastic(export_job *e, const simulator_model *p,
                                                     const rbv_model *back,
                                                     const simulator_model *values);

/* Name of the joint of a spring. */
#define SPRING_SUFFIX "_spring"

/* rbv_dynamics_inverse, rbv_dynamics_rows and rbv_simulator_torque_eval in that form. */
void rbv_eval_inverse(double *tau, void *d, const double *q, const double *dq, const double *ddq);
void rbv_eval_rows(double *tau, void *d, const double *q, const double *dq, const double *ddq);
void rbv_eval_simulator(double *tau, void *t, const double *q, const double *dq, const double *ddq);

/* ---- geometry and text ---- */

/* Pose of joint frame j in its parent's at q = 0, its offset included. */
rbv_pose rbv_joint_zero(const joint_geometry *g);

/* Fixed-axis angles of a rotation, exact also at a pitch of a quarter turn. */
void rbv_angles_of(double rpy[3], const double R[9]);

/* Unit quaternion (w x y z) of a rotation. */
void rbv_quaternion_of(double q[4], const double R[9]);

/*
 * Principal moments of an inertia (xx xy xz yy yz zz) and the rotation, row-major, whose columns
 * are their axes, of all such rotations the one with the smallest angle. Simulators integrate along
 * these axes, and MuJoCo's own computation of them stops at 1e-6 rad; a file that gives the axes
 * avoids this error. An inertia without products keeps its axes exactly.
 */
RBV_MUST_CHECK rbv_status rbv_principal(double moment[3], double R[9], const double inertia[6]);

/* n numbers separated by blanks, with the digits that read back exactly. */
void rbv_put_numbers(rbv_text *text, const double *x, int n);

/*  name="numbers", with a blank before it */
void rbv_put_attribute(rbv_text *text, const char *name, const double *x, int n);

/* Text in quotation marks, and [x0, x1, ...] of every step-th number, as YAML. */
void rbv_put_quoted(rbv_text *text, const char *s);
void rbv_put_list(rbv_text *text, const double *x, int n, int step);

/* ---- closed loops (export_loops.c) ---- */

/* Pose of a joint frame in its parent's in the pose in which the loops are closed, and the position
 * of the joint there. */
rbv_pose rbv_export_drawn(double *reference, const rbv_model *m, int body);

/* The equality constraints of an MJCF; refused if a loop has no such form. */
RBV_MUST_CHECK rbv_status rbv_export_equality(export_job *e);

/* `loops`, `driven` and `reference` of a YAML; nothing without loops. */
void rbv_export_loops(export_job *e);

/* ---- what the data know ---- */

extern const char *const rbv_export_remark; /* explains the remarks */

/* A line about a body, and about one parameter. False: there is nothing to say. The
 * text has no '--' and no '*', so that it can be in any comment. */
bool rbv_export_body_remark(char *out, size_t size, const export_job *e, int body);
bool rbv_export_column_remark(char *out, size_t size, const export_job *e, int column);

/* A note for the user that single masses are not measurements. */
RBV_MUST_CHECK rbv_status rbv_export_note_known(export_job *e);

/* ---- the formats ---- */

RBV_MUST_CHECK rbv_status rbv_export_urdf(export_job *e);
RBV_MUST_CHECK rbv_status rbv_export_mjcf(export_job *e);
RBV_MUST_CHECK rbv_status rbv_export_yaml(export_job *e);
RBV_MUST_CHECK rbv_status rbv_export_code(export_job *e);
RBV_MUST_CHECK rbv_status rbv_export_bands(export_job *e);
RBV_MUST_CHECK rbv_status rbv_export_ranges(export_job *e);
RBV_MUST_CHECK rbv_status rbv_export_isaaclab(export_job *e);
RBV_MUST_CHECK rbv_status rbv_export_isaaclab_yaml(export_job *e);
RBV_MUST_CHECK rbv_status rbv_export_friction(export_job *e);

/* Options for reading an export: those of its own document, or of a new one, whose first link is
 * `root`: all of its joints. */
rbv_model_options rbv_export_reading(const export_job *e, bool own, const char *root);

/* Gains of the PD law of a joint, with factors that the result has found; false: there is none. */
bool rbv_export_gains(double *k_p, double *k_d, const export_job *e, int joint);

/* Delay of the torque at a joint, from the result or the options [s]; NaN: not known. */
double rbv_export_delay(const export_job *e, int joint);

/* Friction of a joint along its own motion: (coulomb + excess exp(-(fall v)^2)) sign v + viscous v,
 * and load times the torque of the gear. */
typedef struct {
  double coulomb, excess, fall, viscous, load;
  double turn;  // speed around which a sign is smoothed
} dry_friction;

dry_friction rbv_dry_friction(const rbv_model *m, const double *chi, int joint);

#endif
