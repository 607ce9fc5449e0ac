/* The model's structure, for the modules that compute with it. */
#ifndef MODEL_MODEL_INTERNAL_H
#define MODEL_MODEL_INTERNAL_H

#include <roberval/sys/model.h>

#include "base/support.h"
#include "model/expression.h"
#include "model/law.h"

/* Pose of a joint frame in its parent's: x_parent = R(q) x + p(q). */
typedef struct {
  rbv_joint_type type;
  double axis[3];  // unit, in the joint frame
  double offset;   // added to q [rad or m]
  // revolute: R(q) = fixed + cosine * cos(q + offset) + sine * sin(q + offset), row-major;
  // prismatic: R = fixed, the other two are zero
  double fixed[9], cosine[9], sine[9];
  double origin[3];  // p at q + offset = 0, in the parent frame
  double slide[3];   // prismatic: p = origin + slide * (q + offset); zero for revolute
  int hinge;   // revolute about z, where z is plus or minus this axis of the parent; -1: neither
  bool meets;  // a hinge with the origin of the parent frame
  bool has_mdh;
  double mdh_alpha_sin, mdh_alpha_cos, mdh_d;
} joint_geometry;

/*
 * One place where a drive column acts: row torque += gain * law(direction . dq or ddq) * chi, or
 * the value of an expression * chi.
 */
typedef struct {
  int column;
  int joint;  // the row
  double gain;
  const rbv_law *law;        // NULL: an expression
  int state;                 // index of the law's state in the model, -1: it has none
  int first, count;          // of its direction in direction_joint, direction_weight
  int expression;            // index of the expression, -1: none
  double shape[LAW_SHAPES];  // values of the law's shape parameters
  rbv_smoothing smoothing;   // of the sign at the joint of its column
  bool own_smoothing;        // given for this joint alone
} drive_term;

/* A frame that is fixed to a link: 0 is the base, j the link that joint j moves. */
typedef struct {
  char *name;
  int link;
  double R[9], p[3];  // in the link's frame; R row-major
} model_frame;

struct rbv_model {
  char *name;
  char sha256[65];  // of the file as it was read; empty for a built-in robot
  int njoint;
  rbv_joint *joint;          // njoint
  joint_geometry *geometry;  // njoint
  double gravity[3];
  double floor;   // height of the mounting plane on the z axis of the base
  double tip[3];  // farthest fixed frame of the last link
  double *shape;  // (njoint + 1) x shape kinds: own values of each joint, the common values last;
                  // NaN: not given
  rbv_sensing sensing;
  bool payload;
  double *transmission;         // njoint x njoint
  double *transmission_offset;  // njoint: q at which all rotor angles are zero

  int ncolumn;
  rbv_column *column;
  int *link_column;  // njoint + 1: first inertial column of link j, of the payload last (or -1)
  int nterm;
  drive_term *term;
  bool uses_torque;  // a law depends on the transmitted torque
  int nstate;        // states of all laws
  int ndirection;
  int *direction_joint;
  double *direction_weight;
  int nexpression;
  expression *expression;  // of the columns that the file defines
  int nregister;           // registers of the largest expression

  int nrow, nentry;
  rbv_row *row;
  int *pattern;  // nentry

  char *names;  // of the columns

  int ncapsule;
  rbv_capsule *capsule;
  rbv_text shapeless;

  bool has_parameters;
  double *parameters;  // ncolumn

  int nsnap, nnote;
  rbv_snap *snap;
  char **note;
  int nframe;
  model_frame *frame;
  rbv_xml *document;                  // the URDF or MJCF that was read, NULL: none
  const struct robot_format *format;  // of the document
};

/* A column or a term whose law is a function of this motion. */
static inline bool law_is_of(const rbv_law *law, rbv_law_motion motion) {
  return law && law->motion == motion;
}

/* What a law is a function of: 0 position, 1 velocity, 2 acceleration. */
static inline int law_derivative(const rbv_law *law) {
  return law->motion == RBV_LAW_ACCELERATION ? 2 : law->motion == RBV_LAW_POSITION ? 0 : 1;
}

/* Set the shape parameters of all terms from the model's table of them. */
void rbv_model_shape_terms(rbv_model *model);

/*
 * A copy with shape parameters of its own (rbv_model_set_shape). It borrows all other memory of the
 * model: free it with rbv_free, before the model. NULL: out of memory.
 */
rbv_model *rbv_model_own_shapes(const rbv_model *model);

/* The same, with unsmoothed signs smoothed with gamma. */
rbv_model *rbv_model_smoothed(const rbv_model *model, double gamma);

/* true if a column of this side acts in this torque channel */
static inline bool side_acts(rbv_side side, rbv_torque torque) {
  return side == RBV_SIDE_LINK ? torque != RBV_TORQUE_DIFFERENCE : torque != RBV_TORQUE_JOINT;
}

#endif
