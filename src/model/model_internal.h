/* The model's structure, for the modules that compute with it. */
#ifndef MODEL_MODEL_INTERNAL_H
#define MODEL_MODEL_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include <roberval/sys/model.h>
#include <stdint.h>

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
  int passive;               // number from 1 of the passive joint that turns the law, whose torque
                             // acts on the row as its speed depends on that coordinate; 0: none.
                             // Of linear closures 0: the direction and the gain are the rates
  int of_passive;            // the number in both cases
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

/* A point at which a force from outside may act. */
typedef struct {
  char *name;  // as written, without the coordinates
  int body;
  double point[3];  // in the frame of the body
} model_contact;

#define MOVING_MAX 100  // moving joints; the computing time grows with the cube

/* A set of bodies. */
typedef struct {
  uint64_t word[2];  // MOVING_MAX bits
} body_set;

static inline bool set_has(const body_set *set, int b) { return set->word[b / 64] >> (b % 64) & 1; }

static inline void set_add(body_set *set, int b) { set->word[b / 64] |= (uint64_t)1 << (b % 64); }

/*
 * What the module baseparam has computed for a model. Variants with the same columns and torques
 * share it.
 */
typedef struct {
  atomic_int owners;  // beside the first
  pthread_mutex_t lock;
  void *value;  // NULL: not computed yet
  void (*free)(void *value);
} model_cache;

/*
 * Bodies and coordinates. Every moving joint moves one body. The bodies are in depth-first order:
 * a body, then everything behind it. The position of joint i is q_body = K q + k0 of the
 * coordinates q, which are the joints with a drive of their own; joints that mimic others are
 * followers. Inertial columns belong to bodies; rows, drives and recordings to coordinates.
 */
struct rbv_model {
  atomic_int owners;        // beside the first
  struct model_core *core;  // what the robot file says; shared by variants
  rbv_model_terms terms;    // its arrays belong to the model
  model_cache *cache;
  const char *name;
  char sha256[65];           // of the file as it was read; empty for a built-in robot
  int njoint;                // coordinates
  rbv_joint *joint;          // njoint; the same array as body if all joints are coordinates
  int nbody;                 // moving joints, each with its body
  rbv_joint *body;           // nbody; names belong to the core
  joint_geometry *geometry;  // nbody: the joint of each body
  int *parent;               // nbody: the body that carries the joint, -1: the base
  body_set *support;         // nbody: the bodies on the way from the base, the body itself included
  bool branched;             // not every body is carried by the one before it
  int ntip;
  int *tip_body;                        // ntip: bodies that carry no other body
  int *coordinate;                      // nbody: the coordinate of a joint, -1: it is a follower
  int *leader;                          // njoint: the body whose joint is this coordinate
  double *map;                          // K, nbody x njoint, column-major; NULL: the identity
  double *map_offset;                   // k0, nbody; NULL: zero
  const struct model_closure *closure;  // of the core: closed loops, the map is then a pattern of
                                        // ones and the positions follow from closure.h; NULL: none
  int nmotor;                           // motors of elastic joints: the last bodies and coordinates
  int *motor;                           // nmotor: coordinates of their joints
  bool free_base;                       // the base can move; it is held at rest
  int nmassless;  // bodies without parameters, in front: those of a base that moves
  double gravity[3];
  double floor;   // height of the mounting plane on the z axis of the base
  double tip[3];  // farthest fixed frame of the last link
  double *shape;  // (njoint + 1) x shape kinds: own values of each joint, the common values last;
                  // NaN: not given
  rbv_sensing sensing;
  bool payload;
  int carrier;                  // body that carries the payload
  double *transmission;         // njoint x njoint
  double *transmission_offset;  // njoint: q at which all rotor angles are zero

  int ncolumn;
  rbv_column *column;
  int *link_column;  // nbody + 1: first inertial column of link j, of the payload last; -1: none
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
  int ncontact;
  model_contact *contact;
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

/*
 * Refuse laws that a consumer (one LAW_IN_... of device/law_consumers.h) cannot compute with: that
 * of one term, those of all terms. The message names joint, law, consumer and reason.
 */
RBV_MUST_CHECK rbv_status rbv_law_require(const rbv_model *m, const drive_term *t, int consumer);
RBV_MUST_CHECK rbv_status rbv_laws_require(const rbv_model *m, int consumer);
const char *rbv_law_consumer(int i);  // "in dynamics"; NULL past the last

/* The file of the robot, or the name of a built-in one. */
const char *rbv_model_file(const rbv_model *model);

/* Set the shape parameters of all terms from the model's table of them. */
void rbv_model_shape_terms(rbv_model *model);

/* RBV_OK unless the base moves; the message as above. */
RBV_MUST_CHECK rbv_status rbv_model_need_held(const rbv_model *model, const char *consumer);

/* RBV_OK without contact points; the message as above. */
RBV_MUST_CHECK rbv_status rbv_model_need_untouched(const rbv_model *model, const char *consumer);

/* RBV_OK without closed loops; the message as above. */
RBV_MUST_CHECK rbv_status rbv_model_need_open(const rbv_model *model, const char *consumer);

/* The coordinate that the joint of a body is or follows. */
int rbv_model_leader(const rbv_model *model, int body);

/* The model is one chain of bodies, each joint a coordinate. */
static inline bool is_chain(const rbv_model *m) { return !m->branched && !m->map; }

/*
 * RBV_OK for a chain. Otherwise RBV_EUNSUPPORTED, with a sentence that names the consumer ("The
 * simulation") and what to do. Consumers that need a chain call it before they compute.
 */
RBV_MUST_CHECK rbv_status rbv_model_need_chain(const rbv_model *model, const char *consumer);

/* true if a body has parameters: bases that move and links without mass have none; the payload is
 * body nbody */
static inline bool has_parameters(const rbv_model *m, int link) {
  return m->link_column[link] >= 0;
}

/* Place of a body among those with parameters. */
static inline int inertial_place(const rbv_model *m, int link) {
  int place = 0;
  for (int j = 0; j < link; j++) place += has_parameters(m, j);
  return place;
}

/* true if a column of this side acts in this torque channel */
static inline bool side_acts(rbv_side side, rbv_torque torque) {
  return side == RBV_SIDE_LINK ? torque != RBV_TORQUE_DIFFERENCE : torque != RBV_TORQUE_JOINT;
}

#endif
