/*
 * What a robot file says. The readers of robot files fill a draft; rbv_draft_build makes constant
 * models from it, which share it.
 */
#ifndef MODEL_MODEL_DRAFT_H
#define MODEL_MODEL_DRAFT_H

#include "model/closure.h"
#include "model/geometry.h"

#define DRIVE_MAX 64  // drive columns of one joint

/* A drive column of a joint: its law, and which of the law's columns it is. */
typedef struct {
  const rbv_law *law;
  const law_column *as;
} draft_drive;

typedef struct {
  char *name;
  int parent;              // joint that carries it, -1: the base
  bool massless;           // its body has no mass and no parameters
  bool motor;              // of the elastic joint before, behind its spring: `leads`
  int leads;               // number of that joint, from 0
  bool of_base;            // one of the six coordinates of a base that moves
  bool passive;            // its position follows from the closed loops
  bool driven, has_drive;  // the file says that it is driven; it lists drive columns
  bool has_actuator;
  double reference;                 // position in the pose in which loops are closed
  int leader;                       // joint that it mimics, -1: it is a coordinate
  double multiplier, mimic_offset;  // q = multiplier q_leader + mimic_offset
  rbv_limits limits;
  joint_geometry geometry;
  int ndrive;
  draft_drive drive[DRIVE_MAX];
  double shape[LAW_SHAPE_KINDS];  // own values of shape parameters; NaN: not given
  double inertial[RBV_INERTIAL];
  double armature, damping, friction;  // a-priori Ia, Fv, Fc of a URDF or MJCF
  double stiffness, rest;              // of a spring, and the position at which it is relaxed
} draft_joint;

/* How coupled drives are parametrised. */
typedef enum {
  COUPLING_JOINT,  // Gautier 2011: the part that a motor adds to a joint's own term belongs to that
                   // joint
  COUPLING_MOTOR   // pure K' diag K: every motor parameter acts on the motor's own velocity
} coupling_law;

typedef struct {
  char *name;
  double value;
  bool add;  // to the present value; otherwise it replaces it
  int line, column;
} draft_value;

/* A column that the file defines. */
typedef struct {
  const char *name, *unit;  // belongs to the document, which outlives the draft
  const rbv_node *node;     // of its name
  rbv_side side;
  int first, count;  // of its terms
} draft_column;

typedef struct {
  int joint;  // the row
  expression expression;
} draft_term;

typedef struct {
  const rbv_model_options *options;
  const char *file;  // its name in messages
  char *name;
  double gravity[3];
  double floor;                   // height of the mounting plane on the z axis of the base
  double tip[3];                  // farthest fixed frame of the last link
  double shape[LAW_SHAPE_KINDS];  // common values of shape parameters; NaN: not given
  rbv_sensing sensing;
  bool payload;
  bool free_base;
  int njoint;  // moving joints, followers included
  draft_joint *joint;
  double *transmission;         // njoint x njoint, NULL: identity
  double *transmission_offset;  // njoint, NULL: zero
  coupling_law law;
  bool printed_coulomb;  // exactly as in Gautier 2011 eq. 29
  int nvalue;
  draft_value *value;  // a-priori parameters by name
  bool has_priors;     // inertial, damping or friction in the joints
  int ncolumn, nterm;
  draft_column *column;
  draft_term *term;
  int ncapsule;
  rbv_capsule *capsule;
  rbv_text shapeless;  // names of links
  int nframe;
  model_frame *frame;
  int ncontact;
  model_contact *contact;
  rbv_xml *document;                  // a URDF or MJCF
  const struct robot_format *format;  // of the document
  rbv_document *springs;              // columns of springs; the draft owns it
  int nloop;
  draft_loop *loop;
  model_closure *closure;  // of the loops, NULL: none
  int nsnap, nnote;
  rbv_snap *snap;
  char **note;
} rbv_draft;

rbv_draft rbv_draft_new(const char *file, const rbv_model_options *options);
void rbv_draft_free(rbv_draft *draft);

/* Add a joint with default geometry and limits, carried by the last one; NULL if memory is
 * exhausted. */
draft_joint *rbv_draft_add_joint(rbv_draft *draft, const char *name);

/* Number of a joint among the coordinates; -1: it is a follower. */
int rbv_draft_coordinate(const rbv_draft *draft, int joint);

/* Bodies, coordinates and their map. The leaders of followers may be followers; circles are
 * refused.
 */
RBV_MUST_CHECK rbv_status rbv_topology_build(rbv_model *m, rbv_draft *draft);

/* Add a closed loop; the name is copied. */
RBV_MUST_CHECK rbv_status rbv_draft_add_loop(rbv_draft *draft, const char *name,
                                             const draft_loop *loop);

/* `loops`, `driven` and `reference` of a YAML. */
RBV_MUST_CHECK rbv_status rbv_draft_read_loops(rbv_draft *draft, const rbv_node *root);

/* The closed loops, driven joints and reference pose of another draft with the same joints. */
RBV_MUST_CHECK rbv_status rbv_draft_copy_loops(rbv_draft *draft, const rbv_draft *from);

/* Close the loops of a draft that is read: which joints are passive, and the reference pose. */
RBV_MUST_CHECK rbv_status rbv_loops_resolve(rbv_draft *draft);

/* The standard drive: Ia Fv Fc off. */
void rbv_draft_default_drive(draft_joint *joint);

/* Add a drive column by its name without the number; false when no law has such a column. */
bool rbv_draft_add_drive(draft_joint *joint, const char *prefix);

/* Add drive columns, and set shape parameters. */
RBV_MUST_CHECK rbv_status rbv_draft_add_friction(rbv_draft *draft, const rbv_friction_entry *entry,
                                                 int count);

/* Names of all drive columns, for messages; NULL past the last. */
const char *rbv_drive_column_name(int i);

RBV_MUST_CHECK rbv_status rbv_draft_add_value(rbv_draft *draft, const char *name, double value,
                                              bool add, const rbv_node *node);
/* Add a column; add a term to the last column. The draft owns the expression afterwards, also after
 * a failure. */
RBV_MUST_CHECK rbv_status rbv_draft_add_column(rbv_draft *draft, const draft_column *column);
RBV_MUST_CHECK rbv_status rbv_draft_add_term(rbv_draft *draft, int joint, expression *e);

/* Add a capsule; add a link whose geometry could not be read. */
RBV_MUST_CHECK rbv_status rbv_draft_add_capsule(rbv_draft *draft, const rbv_capsule *capsule);
RBV_MUST_CHECK rbv_status rbv_draft_add_shapeless(rbv_draft *draft, const char *link);

/* Remove all capsules and such links: the file lists its own capsules. */
void rbv_draft_drop_capsules(rbv_draft *draft);

/* Add a frame that is fixed to a link: 0 is the base, j the link that joint j moves. */
RBV_MUST_CHECK rbv_status rbv_draft_add_frame(rbv_draft *draft, const char *name, int link,
                                              const rbv_pose *pose);

/* Points of the option `contacts`, when all frames are known; list NULL: none. */
RBV_MUST_CHECK rbv_status rbv_draft_read_contacts(rbv_draft *draft, const char *list);

RBV_MUST_CHECK rbv_status rbv_draft_add_note(rbv_draft *draft, const char *format, ...)
    RBV_PRINTF(2, 3);

/* Sine and cosine of an angle of the file, snapped if the options ask for it. Changes are recorded.
 */
RBV_MUST_CHECK rbv_status rbv_draft_angle(double *sine, double *cosine, double *angle,
                                          rbv_draft *draft, const char *joint, const char *what);

/* Unit vector along an axis of the file, snapped to a coordinate axis. Zero length is refused. */
RBV_MUST_CHECK rbv_status rbv_draft_axis(double axis[3], rbv_draft *draft, const char *joint,
                                         int line);

/* Build a model, which borrows from the draft. */
RBV_MUST_CHECK rbv_status rbv_draft_build(rbv_model **out, const rbv_draft *draft,
                                          const rbv_model_terms *terms);

/* A draft that several models share, and the document that it borrows from. */
typedef struct model_core {
  atomic_int users;
  rbv_draft draft;
  rbv_document *document;  // NULL: none
  char *file;              // name of the draft
} model_core;

/* Build a model of a core and become one of its users. */
RBV_MUST_CHECK rbv_status rbv_core_build(rbv_model **out, model_core *core,
                                         const rbv_model_terms *terms);
void rbv_cache_release(model_cache *cache);
/* One user less; the last one frees it. NULL is accepted. */
void rbv_core_release(model_core *core);

RBV_MUST_CHECK rbv_status rbv_draft_read_yaml(rbv_draft *draft, const rbv_document *doc);
RBV_MUST_CHECK rbv_status rbv_draft_read_transmission(rbv_draft *draft, const rbv_node *node);
RBV_MUST_CHECK rbv_status rbv_draft_read_columns(rbv_draft *draft, const rbv_node *list);

/* `elastic` of a joint in a YAML: the columns of its spring and their values. */
RBV_MUST_CHECK rbv_status rbv_draft_read_elastic(rbv_draft *draft, int joint, const rbv_node *node);

/* True for a joint with a column Kj. */
bool rbv_draft_is_elastic(const draft_joint *joint);

/*
 * The motors of elastic joints as joints of their own, behind the others: they have the drive
 * columns, the joints keep the springs. *joint: in, the joints; out, with room for the motors, also
 * after a failure. The draft is a copy whose `joint` is *joint.
 */
RBV_MUST_CHECK rbv_status rbv_draft_add_motors(rbv_draft *draft);

/* Add a column Ks with the torque stiffness * (q - rest) for every joint that has a spring. */
RBV_MUST_CHECK rbv_status rbv_draft_add_springs(rbv_draft *draft);

#endif
