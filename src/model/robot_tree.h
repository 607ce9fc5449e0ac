/*
 * A robot as a tree of links and joints, as URDF and MJCF describe it. A reader of a format fills
 * the tree. This module checks it, finds the arm in it, and puts the joints of the arm, its bodies,
 * frames and shapes into a draft. Every body that is rigidly attached to a moving link becomes part
 * of that link.
 */
#ifndef MODEL_ROBOT_TREE_H
#define MODEL_ROBOT_TREE_H

#include "document/document.h"
#include "model/collision_shape.h"
#include "model/model_draft.h"

#define TREE_MAX 2000  // links or joints

typedef enum { TREE_FIXED, TREE_REVOLUTE, TREE_PRISMATIC, TREE_OTHER } tree_motion;

/* Where something is in the files; for messages and for editing. */
typedef struct {
  const rbv_xml *xml;
  const rbv_element *element;  // NULL: it has no element of its own
} tree_place;

typedef struct {
  char *name;
  tree_place at;
  tree_place inertial_at;  // of its inertial
  int joint;               // the joint that moves it, -1 for a root
  bool is_frame;           // has no body: it is never proposed as the end of an arm
  rbv_pose content;        // frame of the element in the link's frame; inertials are written in it
  bool has_inertial;
  double inertial[RBV_INERTIAL];  // in the link's frame
  const char *unknown;            // why a part of its mass cannot be read, NULL: all of it can
  bool locked;     // the file computes its inertial from shapes and ignores one that is given
  bool shapeless;  // has a shape that cannot be read
} tree_link;

typedef struct {
  char *name;
  tree_place at;
  tree_motion motion;
  const char *type;   // as in the file, for messages
  int parent, child;  // links
  rbv_pose pose;      // in the parent's frame, at q + offset = 0
  double axis[3];     // unit
  double offset;      // added to q
  bool bound;         // depends on other joints, or others depend on it: a joint of a gripper
  int leader;         // joint that it mimics, -1: none
  double multiplier, mimic_offset;  // q = multiplier q_leader + mimic_offset
  const char *refuse;               // why it cannot be a joint of the arm, NULL: it can
  rbv_limits limits;
  tree_place limits_at;  // for messages; without an element: the joint
  bool has_drive;        // the file gives one of the next three
  double armature, damping, friction;
  bool has_actuator;
  double actuator_effort;  // sum of the forces that its actuators can give [N m or N]
  double stiffness, rest;  // of a spring, and the position at which it is relaxed
  bool of_base;            // one of the six joints of a free base, which have no drive
  bool massless;           // its link has no mass and no parameters
  bool outside;            // not behind the root that the options name: held at zero
  bool on_chain;           // belongs to the model
  int order;               // number among the moving joints of the model, in depth-first order
} tree_joint;

typedef struct {
  int link;
  rbv_rod rod;
  rbv_pose pose;  // in the link's frame
} tree_shape;

/* Two links that meet, or two joints that are coupled. */
typedef struct {
  tree_place at;
  draft_loop loop;  // its frames are in the frames of the links' elements
  int end[2];       // links, or joints; -1: none
} tree_loop;

typedef struct {
  rbv_draft *draft;
  const char *what;   // name of the format, for messages: "URDF"
  const rbv_xml *xml; /* the main document; belongs to the draft or the model */
  rbv_xml **included; /* other documents; belong to the tree */
  int nincluded;
  tree_link *link;
  tree_joint *joint;
  tree_shape *shape;
  tree_loop *loop;
  int nlink, njoint, nshape, nloop;
  int floating;  // link that floats freely in the file without a joint; 0: none
} robot_tree;

void rbv_tree_free(robot_tree *t);

/* Add a link, a joint, a shape. The name is copied; NULL for the pointers: out of memory. The
 * pointers are valid until the next call. */
tree_link *rbv_tree_add_link(robot_tree *t, const char *name);
tree_joint *rbv_tree_add_joint(robot_tree *t, const char *name);
RBV_MUST_CHECK rbv_status rbv_tree_add_shape(robot_tree *t, int link, const rbv_rod *rod,
                                             const rbv_pose *pose);

int rbv_tree_find_link(const robot_tree *t, const char *name); /* -1: there is none */
int rbv_tree_find_joint(const robot_tree *t, const char *name);

/* Add a loop; its name is borrowed from the document. False: out of memory. */
bool rbv_tree_add_loop(robot_tree *t, const tree_loop *loop);

/* Pose of a link's element in the pose in which the file draws the robot. */
rbv_pose rbv_tree_drawn(const robot_tree *t, int link);

/* Fail with the file, the line and a sentence. */
rbv_status rbv_tree_fail(rbv_status status, const tree_place *at, const char *format, ...)
    RBV_PRINTF(3, 4);

/*
 * Check that the tree is one tree, and mark and number the joints of the model (on_chain): those
 * before the tip that the options name, or before the end of the only moving chain. Where moving
 * joints branch, the model ends before a gripper. Other branches belong to it if the options allow
 * a tree, and are refused otherwise. With a root but no tip, all joints behind the root belong to a
 * tree.
 */
RBV_MUST_CHECK rbv_status rbv_tree_choose(robot_tree *t);

/* Let the base move: free_base.c. */
RBV_MUST_CHECK rbv_status rbv_tree_release(robot_tree *t);
bool rbv_tree_floats(const tree_joint *j);

/* Put the arm into the draft. */
RBV_MUST_CHECK rbv_status rbv_tree_finish(robot_tree *t);

/* How a link is attached to the joint of the arm that carries it. */
typedef enum {
  TREE_OWN,       // it is the link that the joint moves
  TREE_RIGID,     // by fixed joints
  TREE_SEPARATE,  // behind a joint that moves and does not belong to the arm
} tree_attachment;

/* The joint of the arm (index in the tree) that carries a link, -1: the ground. pose: of the link
 * in the frame of the link that this joint moves. pose and how may be NULL. */
int rbv_tree_carrier(rbv_pose *pose, tree_attachment *how, const robot_tree *t, int link);

/* Number of a joint of the model, from 0, in depth-first order. */
int rbv_tree_order(const robot_tree *t, int joint);

#endif
