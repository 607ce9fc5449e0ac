/*
 * model: the description of a robot. It has joints and geometry, the columns of the identification
 * model (one unknown parameter each), the coupling of motors and joints, and where torque is
 * measured.
 *
 * A model does not change after loading; many threads may read it. All parameters are joint-side
 * and in SI units. The frame of a link is the modified Denavit-Hartenberg frame of its joint, or
 * the joint frame of the URDF. Inertia and first moment of a link refer to the origin of its frame;
 * XY is the matrix element, -integral of x y dm. tau is the torque that the drive applies: friction
 * terms are added.
 */
#ifndef ROBERVAL_SYS_MODEL_H
#define ROBERVAL_SYS_MODEL_H

#include <stdbool.h>

#include <roberval/robot.h>
#include <roberval/sys/base.h>
#include <roberval/sys/document.h>
#include <roberval/sys/law.h>

RBV_BEGIN_C

typedef enum { RBV_JOINT_REVOLUTE, RBV_JOINT_PRISMATIC } rbv_joint_type;

/* Which torque is measured (Jubien 2014: models A, B, C, D). */
typedef enum {
  RBV_SENSING_MOTOR,
  RBV_SENSING_JOINT,
  RBV_SENSING_BOTH,
  RBV_SENSING_DIFFERENCE
} rbv_sensing;

/* A torque channel: motor torque, torque of a sensor between gear and link, or motor - sensor.
 */
typedef enum { RBV_TORQUE_MOTOR, RBV_TORQUE_JOINT, RBV_TORQUE_DIFFERENCE } rbv_torque;

/* What a column multiplies. */
typedef enum {
  RBV_BASIS_INERTIAL,  /* a link's or the payload's inertial parameter: rigid-body dynamics */
  RBV_BASIS_LAW,       /* a drive law: a row of the table in roberval/sys/law.h */
  RBV_BASIS_EXPRESSION /* a formula of the robot file in q, dq, ddq of any joint */
} rbv_basis;

/* The side of the torque sensor on which a column acts. The motor torque includes both sides. */
typedef enum { RBV_SIDE_LINK, RBV_SIDE_MOTOR } rbv_side;

#define RBV_INERTIAL 10 /* XX XY XZ YY YZ ZZ MX MY MZ M */

typedef struct {
  const char *name; /* "ZZ1", "Fv3", "fcm6", "ML" */
  const char *unit;
  rbv_basis basis;
  rbv_side side;
  int joint; /* its body (the number of bodies: the payload), or the coordinate of its drive, from
                0; the first row of an expression */
  int component;             /* inertial columns: 0 (XX) to 9 (M); -1 otherwise */
  const struct rbv_law *law; /* of RBV_BASIS_LAW; NULL otherwise */
} rbv_column;

/* True for a drive column with this law: rbv_column_has_law(column, "Fv") holds for Fv1, Fvm1, Fvl1
 * and fvm6. */
RBV_API bool rbv_column_has_law(const rbv_column *column, const char *law);

/* Unknown limits are infinite. */
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

/* A number of the file that was replaced by the exact value that it approximates. */
typedef struct {
  const char *where;
  double given, used;
} rbv_snap;

typedef struct {
  const char *tip;  /* URDF, MJCF: last links, separated by commas: the model has the joints on the
                       way to them; NULL: all joints, those of a gripper not included */
  const char *root; /* URDF, MJCF: joints that are not behind this link are held at zero;
                       NULL: none */
  bool free_base;   /* URDF, MJCF: the base moves. The first six coordinates are its pose in the
                       world: x, y, z, yaw, pitch, roll, with R = Rz Ry Rx; their rows are the
                       force and the moments of an outside body about these axes */
  const char *contacts; /* points that the surroundings may push, separated by commas: a link of
                           the robot file, or LINK:X:Y:Z for a point in its frame [m]; recordings
                           can say when (rbv_samples.contact); NULL: none */
  bool describe;        /* what the model cannot represent is left out with a note, not refused. For
                           descriptions; dynamics of such a model are incomplete */
  const char *packages; /* folders in which package:// of a URDF is looked for, separated by ':';
                           NULL: only the folders above the URDF */
  bool snap; /* replace angles that are k pi/12 with fewer digits (1.571, 1.5708), and axes within
                4e-6 of a coordinate axis, by the exact values */
  bool payload;    /* add ten columns for a body fixed to the last link, in its frame */
  int sensing;     /* an rbv_sensing, or -1: as in the robot file */
  double gamma;    /* smoothing of the sign in friction laws, 0: no smoothing; negative: as in the
                      robot file. A joint that gives its own value keeps it */
  double stribeck; /* v_s of the Stribeck law [rad/s or m/s]: every joint with Fc also gets Fs; 0:
                      as in the robot file. A joint that gives its own value keeps it */
  const char *friction;   /* drive columns in addition to those of the robot file, as users type
                             them: see rbv_friction_parse; NULL: none */
  const rbv_model *loops; /* a robot with the same bodies, whose closed loops a document without
                             loops of its own gets; NULL: none. For URDF files, which have none */
} rbv_model_options;

RBV_API rbv_model_options rbv_model_defaults(void);

/*
 * Load a robot.
 *
 *   robot    in  path of a URDF, MJCF or YAML file, or the name of a built-in robot
 *   options  in  NULL for the defaults
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_model_load(rbv_model **out, const char *robot,
                                                 const rbv_model_options *options);

/* The same from text, which is XML if it begins with '<'. name is used in messages. */
RBV_API RBV_MUST_CHECK rbv_status rbv_model_parse(rbv_model **out, const char *name,
                                                  const char *text, size_t size,
                                                  const rbv_model_options *options);

/* ---- free base ---- */

#define RBV_BASE_COORDINATES 6

/* Motion of a base as its sensors see it, in base axes. */
typedef struct {
  double angular[3];        /* angular velocity [rad/s] */
  double angular_change[3]; /* its derivative [rad/s^2] */
  double force[3]; /* specific force at the base origin: acceleration less gravity [m/s^2] */
} rbv_base_motion;

/*
 * States of the six coordinates of the base with the same inertial forces, whatever the orientation
 * is: q, dq, ddq, six each. The rows are then force and moment about the base origin in base axes:
 * x, y, z, and moments about z, y, x.
 */
RBV_API void rbv_base_states(double *q, double *dq, double *ddq, const rbv_model *model,
                             const rbv_base_motion *base);

/* ---- contacts ---- */

#define RBV_CONTACT_MAX 32

/* Points of the option `contacts`: their number, and as they were written; NULL past the last. */
RBV_API int rbv_model_contact_count(const rbv_model *model);
RBV_API const char *rbv_model_contact_name(const rbv_model *model, int i);

/* ---- variants ---- */

/* A drive column in addition to those of the robot file. */
typedef struct {
  const char *column; /* its name without the number, from the table of laws: "Fl" */
  int joint;          /* from 0; -1: all */
  double shape;       /* value of the law's own shape parameter; NaN: not given */
  bool open;          /* this value is to be found in recordings; the model has a usual one */
} rbv_friction_entry;

/*
 * Read a list as users type it and as results store it: entries separated by commas, "Fl" for all
 * joints, "Fl3" for joint 3, "Fp3=0.01" with a value of the law's shape parameter, "Fp3=auto" if
 * that is open.
 *
 *   out     out  rbv_free it; NULL if there are none
 *   njoint  in   of the robot
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_friction_parse(rbv_friction_entry **out, int *count,
                                                     const char *list, int njoint);

/* Value of a shape parameter at a joint, from 0. No effect if no law of the joint has it
 * (rbv_model_law_of_shape). */
typedef struct {
  int joint;
  const char *name;
  double value;
} rbv_shape_value;

/* What may differ between variants of a model: all but its geometry. */
typedef struct {
  int sensing;            /* as in rbv_model_options */
  bool payload;           /* add the payload's columns; false: as in the robot file */
  int carrier;            /* body with the payload, from 1; 0: the last one */
  double gamma, stribeck; /* as in rbv_model_options */
  int nfriction;
  const rbv_friction_entry *friction; /* in addition to the robot file's columns */
  int nshape;
  const rbv_shape_value *shape; /* replace those of the robot file and of the entries */
  const double *smooth;  /* njoint: speeds that smooth the signs of joints which nothing above and
                            nothing in the file smooths [rad/s or m/s]; NULL: none */
  double rest_gamma;     /* of all signs that nothing else smooths; 0: they keep their step */
  const double *gravity; /* 3, base frame [m/s^2]; NULL: as in the robot file */
  bool motors;           /* the motors of elastic joints are coordinates of their own, behind the
                            others: their rows have the drives, springs act between them and the
                            joints, whose own rows then have no torque. False: joints are rigid */
} rbv_model_terms;

/* The terms of a model; its arrays belong to the model. */
RBV_API rbv_model_terms rbv_model_get_terms(const rbv_model *model);

/*
 * The same robot with other terms, made in memory. Both models share what the robot file says; each
 * is freed by rbv_model_free, in any order. The arrays of the terms are copied.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_model_variant(rbv_model **out, const rbv_model *model,
                                                    const rbv_model_terms *terms);

/* A further owner of a model, which does not change any more: each owner calls rbv_model_free. */
RBV_API rbv_model *rbv_model_retain(const rbv_model *model);

/* Replace a model by its variant in which signs of joints that nothing smooths are smoothed by
 * these speeds, njoint. Below: by the speeds of another model with the same joints. */
RBV_API RBV_MUST_CHECK rbv_status rbv_model_smooth(rbv_model **model, const double *speed);
RBV_API RBV_MUST_CHECK rbv_status rbv_model_smooth_like(rbv_model **model, const rbv_model *other);

/* ---- elastic joints: those with a column Kj (docs/theory/elastic-joints.md) ---- */

/*
 * The springs of the joints in a parameter vector; joints without a spring have zeros. Returns the
 * number of joints with a stiffness above zero.
 *
 *   stiffness, cubic, damping  out  njoint [N m/rad, N m/rad^3, N m s/rad; N/m, ...]; may be NULL
 *   chi                        in   all columns; NULL: no springs
 */
RBV_API int rbv_model_springs(double *stiffness, double *cubic, double *damping,
                              const rbv_model *model, const double *chi);

/* True for the columns of springs: Kj, Kc, Dj. */
RBV_API bool rbv_column_is_spring(const rbv_column *column);

/* True if a joint, or this one, has a column Kj. */
RBV_API bool rbv_model_has_springs(const rbv_model *model);
RBV_API bool rbv_model_is_elastic(const rbv_model *model, int joint);

/* Coordinate of the motor of a joint (rbv_model_terms.motors); the joint itself if it has none. */
RBV_API int rbv_model_motor(const rbv_model *model, int joint);

/* Number of coordinates that are motors of elastic joints; they are the last ones. */
RBV_API int rbv_model_motor_count(const rbv_model *model);

RBV_API const rbv_joint *rbv_model_joint(const rbv_model *model, int j);
RBV_API const rbv_column *rbv_model_column(const rbv_model *model, int c);

/* Joint with this name, or with this number (from 1, as text); -1 if there is none. */
RBV_API int rbv_model_find_joint(const rbv_model *model, const char *name);

RBV_API rbv_sensing rbv_model_sensing(const rbv_model *model);
RBV_API const char *rbv_sensing_name(rbv_sensing sensing);
RBV_API bool rbv_sensing_parse(rbv_sensing *out, const char *name);
RBV_API const char *rbv_torque_name(rbv_torque torque); /* "motor", "joint", "difference" */
RBV_API bool rbv_torque_parse(rbv_torque *out, const char *name);

/*
 * Value of a shape parameter ("gamma", "smooth", "stribeck", see roberval/sys/law.h) at joint j,
 * from 0. With joint -1: the common value, which all joints have that give none of their own. NaN:
 * it is not given, or there is no such parameter.
 */
RBV_API double rbv_model_shape(const rbv_model *model, int joint, const char *name);

/* How the sign of the speed is smoothed at joint j. Both members 0: it has a step. */
RBV_API rbv_smoothing rbv_model_smoothing(const rbv_model *model, int joint);

/* The first law of joint j whose value has a derivative by this shape parameter
 * (rbv_law_free_shape); NULL: there is none. */
RBV_API const rbv_law *rbv_model_law_of_shape(const rbv_model *model, int joint, const char *name);

/* Common values of the two usual shape parameters, as in rbv_model_shape with joint -1. */
RBV_API double rbv_model_gamma(const rbv_model *model);
RBV_API double rbv_model_stribeck(const rbv_model *model);       /* v_s; 0: it is not given */
RBV_API const double *rbv_model_gravity(const rbv_model *model); /* 3, base frame [m/s^2] */

/* Rotor angle = K q: njoint x njoint, column-major. Identity if the file does not give it. */
RBV_API const double *rbv_model_transmission(const rbv_model *model);

/*
 * Joint positions at which the rotor angles are zero: q = inv(K) qm + offset, njoint [rad or m].
 * Zero if the file does not give it. Only recordings of rotor angles need it.
 */
RBV_API const double *rbv_model_transmission_offset(const rbv_model *model);

/* A segment with a radius, fixed to a link: 0 is the base, j the link that joint j moves. */
typedef struct {
  int link;
  double from[3], to[3]; /* in the link's frame [m] */
  double radius;
  bool around;  /* drawn around a <collision> of the URDF, so it may be larger than the link */
  bool assumed; /* not from a file: the link has no shape there (rbv_constraint_set_assume) */
} rbv_capsule;

/*
 * Bodies for collision checks; NULL past the last. They come from `collision` of the YAML.
 * Otherwise there is one around each <collision> of a URDF and each geom of an MJCF: the smallest
 * capsule along the axis of a cylinder, or along the longest side of a box or of a mesh's bounding
 * box.
 */
RBV_API int rbv_model_capsule_count(const rbv_model *model);
RBV_API const rbv_capsule *rbv_model_capsule(const rbv_model *model, int i);

/* Links with a shape for which there is no capsule (the mesh is missing or in another format),
 * separated by commas; NULL if there are none. */
RBV_API const char *rbv_model_shapeless(const rbv_model *model);

/*
 * Height of the mounting plane on the z axis of the base frame [m]: `floor` of the YAML, 0 if it is
 * not given. Files of identification often have the base frame at the height of the shoulder.
 */
RBV_API double rbv_model_floor(const rbv_model *model);

/* Origin of the fixed frame of the URDF that is farthest from the origin of the last link, such as
 * a flange: 3, in the frame of the last link [m]. Zero if there is none. */
RBV_API const double *rbv_model_tip(const rbv_model *model);

/* SHA-256 of the robot file as it was read, 64 hexadecimal digits; empty for a built-in robot and
 * for a text in memory. */
RBV_API const char *rbv_model_sha256(const rbv_model *model);

/* Closed loops of the robot, couplings of joints included; name of loop i, NULL past the last. */
RBV_API int rbv_model_loop_count(const rbv_model *model);
RBV_API const char *rbv_model_loop_name(const rbv_model *model, int i);

/* Position of the joint of a body in the pose in which the robot file closes the loops; 0 without
 * loops. */
RBV_API double rbv_model_reference(const rbv_model *model, int body);

/* Numbers that were replaced (see rbv_snap), and remarks for the user. */
RBV_API int rbv_model_snap_count(const rbv_model *model);
RBV_API const rbv_snap *rbv_model_snap(const rbv_model *model, int i);
RBV_API int rbv_model_note_count(const rbv_model *model);
RBV_API const char *rbv_model_note(const rbv_model *model, int i);

/* A link of a robot file. */
typedef struct {
  char *name;
  double mass; /* [kg] */
  double
      density; /* of the uniform ellipsoid with its mass and inertia [kg/m^3]; NaN: there is none */
  bool moves;
} rbv_lint_link;

/* Something doubtful. */
typedef struct {
  const char *rule; /* "mass", "placeholder", "inertia", "triangle", "density", "mesh", "copy",
                       "mirror", "limits" */
  char *where;      /* link, joint, or "robot" */
  char *text;       /* a sentence about it */
} rbv_lint_finding;

typedef struct {
  double mass, moving_mass; /* of all links, of those behind a joint [kg] */
  int nlink;
  rbv_lint_link *link; /* with a body */
  int nfinding;
  rbv_lint_finding *finding;
} rbv_lint;

/* Look at a robot file alone. options: with which the model was loaded; NULL: the defaults. */
RBV_API RBV_MUST_CHECK rbv_status rbv_lint_new(rbv_lint **out, const rbv_model *model,
                                               const rbv_model_options *options);
RBV_API void rbv_lint_free(rbv_lint *lint);

/* The URDF or MJCF that was read, NULL for a robot without one; it belongs to the model. Its
 * format, "yaml" for a robot without one. */
RBV_API const rbv_xml *rbv_model_document(const rbv_model *model);
RBV_API const char *rbv_model_format(const rbv_model *model);

/*
 * A frame of the robot file: a link of a URDF, a body or site of an MJCF, a fixed joint of a YAML.
 *
 *   R, p  out  the frame in the frame of the link that carries it: x_link = R x + p, R row-major
 *
 * Returns the link: 0 is the base, j the link that joint j moves; -1 if there is no such frame.
 */
RBV_API int rbv_model_frame(double R[9], double p[3], const rbv_model *model, const char *name);

/* Name and link of frame i; NULL and -1 past the last. */
RBV_API const char *rbv_model_frame_name(const rbv_model *model, int i);
RBV_API int rbv_model_frame_link(const rbv_model *model, int i);

/*
 * Rows of the observation system: one per torque channel and joint, in the order of the channels.
 * The pattern of a row is the ascending list of columns that can be non-zero in it. Entries number
 * the elements of all patterns one after another.
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

RBV_END_C
#endif
