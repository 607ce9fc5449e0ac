/*
 * model: what is known of a robot before it moves. Joints and geometry, the columns (one unknown
 * each) of its identification model, how motors couple to joints and where torque is measured.
 *
 * A model never changes after loading; many threads may read it. All parameters are joint-side and
 * SI. Frames: the modified Denavit-Hartenberg frame of the joint, or the URDF's joint frame as it
 * is. Inertia and first moment of a link are taken at the origin of its frame; XY is the matrix
 * element, -integral of x y dm. tau is what the drive applies: friction terms are added.
 */
#ifndef ROBERVAL_SYS_MODEL_H
#define ROBERVAL_SYS_MODEL_H

#include <stdbool.h>

#include <roberval/robot.h>
#include <roberval/sys/base.h>
#include <roberval/sys/document.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { RBV_JOINT_REVOLUTE, RBV_JOINT_PRISMATIC } rbv_joint_type;

/* Which torque is measured (Jubien 2014: models A, B, C, D). */
typedef enum {
  RBV_SENSING_MOTOR,
  RBV_SENSING_JOINT,
  RBV_SENSING_BOTH,
  RBV_SENSING_DIFFERENCE
} rbv_sensing;

/* A torque channel: the motor's torque, that of a sensor between gear and link, or motor - sensor.
 */
typedef enum { RBV_TORQUE_MOTOR, RBV_TORQUE_JOINT, RBV_TORQUE_DIFFERENCE } rbv_torque;

/* What a column multiplies. */
typedef enum {
  RBV_BASIS_INERTIAL,  /* a link's or the payload's inertial parameter: rigid-body dynamics */
  RBV_BASIS_LAW,       /* a drive law: a row of the table in roberval/sys/law.h */
  RBV_BASIS_EXPRESSION /* a formula of the robot file in q, dq, ddq of any joint */
} rbv_basis;

/* The side of the torque sensor on which a column acts. Motor torque sees both. */
typedef enum { RBV_SIDE_LINK, RBV_SIDE_MOTOR } rbv_side;

#define RBV_INERTIAL 10 /* XX XY XZ YY YZ ZZ MX MY MZ M */

typedef struct {
  const char *name; /* "ZZ1", "Fv3", "fcm6", "ML" */
  const char *unit;
  rbv_basis basis;
  rbv_side side;
  int joint;     /* the link or drive that it belongs to, from 0; njoint for the payload; the first
                    row of an expression */
  int component; /* inertial columns: 0 (XX) to 9 (M); -1 otherwise */
  const struct rbv_law *law; /* of RBV_BASIS_LAW; NULL otherwise */
} rbv_column;

/* True for a drive column with this law: rbv_column_has_law(column, "Fv") holds for Fv1, Fvm1, Fvl1
 * and fvm6. */
RBV_API bool rbv_column_has_law(const rbv_column *column, const char *law);

/* Limits that are not known are infinite. */
typedef struct {
  double lower, upper;           /* [rad or m] */
  double velocity, acceleration; /* [rad/s, rad/s^2 or m] */
  double jerk;                   /* [rad/s^3 or m] */
  double effort;                 /* [N m or N] */
} rbv_limits;

typedef struct {
  const char *name;
  rbv_joint_type type;
  rbv_limits limits;
} rbv_joint;

/* A number in the file that was taken for the exact one that it approximates. */
typedef struct {
  const char *where;
  double given, used;
} rbv_snap;

typedef struct {
  const char *tip; /* URDF: last link of the chain; NULL: where the moving joints end */
  bool snap;       /* angles within 1e-4 of k pi/12, axes within 1e-4 of a coordinate axis */
  bool payload;    /* add ten columns for a body fixed to the last link, in its frame */
  int sensing;     /* an rbv_sensing, or -1: as the robot file says */
  double gamma;    /* smoothing of the sign in friction laws, 0: no smoothing; negative: as in the
                      robot file. A joint that gives its own value keeps it */
  double smooth_gamma; /* used where gamma would be 0, so that no law has a step; 0: not used */
  double stribeck; /* v_s of the Stribeck law [rad/s or m/s]: every joint with Fc also gets Fs; 0:
                      as in the robot file. A joint that gives its own value keeps it */
} rbv_model_options;

RBV_API rbv_model_options rbv_model_defaults(void);

/*
 * Load a robot.
 *
 *   robot    in  path of a URDF or YAML file, or the name of a built-in robot
 *   options  in  NULL for the defaults
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_model_load(rbv_model **out, const char *robot,
                                                 const rbv_model_options *options);

/* The same from text; XML when it begins with '<'. name stands in messages. */
RBV_API RBV_MUST_CHECK rbv_status rbv_model_parse(rbv_model **out, const char *name,
                                                  const char *text, size_t size,
                                                  const rbv_model_options *options);

RBV_API const rbv_joint *rbv_model_joint(const rbv_model *model, int j);
RBV_API const rbv_column *rbv_model_column(const rbv_model *model, int c);

/* Joint with this name, or number written as text from 1; -1 when there is none. */
RBV_API int rbv_model_find_joint(const rbv_model *model, const char *name);

RBV_API rbv_sensing rbv_model_sensing(const rbv_model *model);
RBV_API const char *rbv_sensing_name(rbv_sensing sensing);
RBV_API bool rbv_sensing_parse(rbv_sensing *out, const char *name);
RBV_API const char *rbv_torque_name(rbv_torque torque); /* "motor", "joint", "difference" */
RBV_API bool rbv_torque_parse(rbv_torque *out, const char *name);

/*
 * Value of a shape parameter ("gamma", "stribeck", see roberval/sys/law.h) at joint j, from 0. With
 * joint -1: the common value, which all joints have that give none of their own. NaN: it is not
 * given, or there is no such parameter.
 */
RBV_API double rbv_model_shape(const rbv_model *model, int joint, const char *name);

/* Common values of the two usual shape parameters, as in rbv_model_shape with joint -1. */
RBV_API double rbv_model_gamma(const rbv_model *model);
RBV_API double rbv_model_stribeck(const rbv_model *model);       /* v_s; 0: it is not given */
RBV_API const double *rbv_model_gravity(const rbv_model *model); /* 3, base frame [m/s^2] */

/* Rotor angle = K q: njoint x njoint, column-major. Identity when the file does not say. */
RBV_API const double *rbv_model_transmission(const rbv_model *model);

/*
 * Where the rotors' zeros are, as joint positions: q = inv(K) qm + offset, njoint [rad or m]. Zero
 * when the file does not say. Only recordings of rotor angles need it.
 */
RBV_API const double *rbv_model_transmission_offset(const rbv_model *model);

/* A segment with a radius, fixed to a link: 0 is the base, j the link that joint j moves. */
typedef struct {
  int link;
  double from[3], to[3]; /* in the link's frame [m] */
  double radius;
} rbv_capsule;

/*
 * Bodies for collision checks; NULL past the last. They are those that the YAML lists under
 * `collision`, otherwise one around each <collision> of the URDF: the smallest capsule along the
 * axis of a cylinder or the longest side of a box or of a mesh's bounding box.
 */
RBV_API int rbv_model_capsule_count(const rbv_model *model);
RBV_API const rbv_capsule *rbv_model_capsule(const rbv_model *model, int i);

/* Links of the URDF with a <collision> that no capsule stands for (a mesh that is not there, or no
 * STL), separated by commas; NULL when there are none. */
RBV_API const char *rbv_model_shapeless(const rbv_model *model);

/* Numbers that were snapped, and remarks that a user should read. */
RBV_API int rbv_model_snap_count(const rbv_model *model);
RBV_API const rbv_snap *rbv_model_snap(const rbv_model *model, int i);
RBV_API int rbv_model_note_count(const rbv_model *model);
RBV_API const char *rbv_model_note(const rbv_model *model, int i);

/* The URDF as it was read, NULL for a robot without one. Belongs to the model. */
RBV_API const rbv_xml *rbv_model_urdf(const rbv_model *model);

/*
 * Rows of the observation system: one per torque channel and joint, channels outermost. A row's
 * pattern is the ascending list of columns that may be non-zero in it; entries count through the
 * patterns of all rows.
 */
typedef struct {
  rbv_torque torque;
  int joint;
  int first;          /* entry of its first column */
  int count;          /* columns in its pattern */
  const int *columns; /* count */
} rbv_row;

RBV_API const rbv_row *rbv_model_row(const rbv_model *model, int r);
RBV_API int rbv_model_entry_count(const rbv_model *model);

#ifdef __cplusplus
}
#endif
#endif
