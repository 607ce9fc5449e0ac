/* The object of lanes.h: made and set in lanes_setup.c, evaluated in lanes.c. */
#ifndef DYNAMICS_LANES_INTERNAL_H
#define DYNAMICS_LANES_INTERNAL_H

#include "dynamics/dynamics_internal.h"
#include "dynamics/lanes.h"
#include "dynamics/plant_kernel.h"

/* torque of a joint += coefficient * law(speed along a direction), for laws that are not linear */
typedef struct {
  int joint, direction;
  const rbv_law *law;
  const double *shape;  // of the law
  int state;            // index of its state, -1: none
  bool active;          // not zero in some lane
  bool
      whole;  // its slope belongs to a symmetric positive matrix, so that all of it may be implicit
} entry;

typedef struct {
  int first, count;         // of its weights in the model
  int passive;              // number from 1 of the joint of a closed loop whose speed it is; its
                            // weights are the rates of that joint, which change with the pose
  rbv_smoothing smoothing;  // of the sign of the speed along it
} direction;

typedef struct {
  int row, column;
} place;

struct rbv_lanes {
  const rbv_model *model;
  const rbv_kernel *kernel;
  const plant_kernel *plant;
  axis_chain chain;     // of a tree: the number of coordinates alone
  rbv_dynamics *rigid;  // of a tree: its bodies; NULL: a chain
  double gamma, friction;
  int ndirection, nentry, nexpression, npair;
  direction *direction;  // at most one per term
  entry *entry;          // at most one per term
  int *expression;       // terms with an expression
  place *pair;           // njoint x njoint at most: where viscous is not zero
  bool has_sign;         // an active law uses the sign of the speed
  bool has_position;     // an active law depends on the position
  bool has_load;         // an active law depends on the torque that a gear transmits

  double *plain;  // nbody x 10: the links of one lane

  // lane quantities
  double *link;          // nbody x 10, base parameters in the frames of the chain; of a tree:
                         // inertial parameters
  double *rotor;         // njoint x njoint
  double *viscous;       // njoint x njoint
  double *drag;          // njoint x njoint: implicit part of viscous, lower triangle
  double *constant;      // njoint
  double *coefficient;   // nentry
  double *own;           // nexpression: coefficient of an expression
  double *scratch;       // njoint x PLANT_SCRATCH
  double *mass;          // njoint x njoint
  double *kept;          // njoint x njoint: M of the last linearisation, lower triangle
  double *implicit;      // njoint x njoint: factors of M + c D
  double *damping;       // njoint x njoint: c D of the last first stage, lower triangle
  double *right;         // njoint
  double *speed;         // ndirection
  double *position;      // ndirection: where a law depends on it
  double *value;         // ndirection: smoothed sign
  double *slope;         // ndirection
  double *term;          // 2: values of one law or expression
  double *moved;         // njoint
  double *registers;     // of the model's expressions
  double *state;         // states of the laws
  double *load;          // njoint: torque of the links in the last evaluation
  double *ahead, *back;  // njoint: friction per load of 1 and of -1
  double *link_mass;     // njoint x njoint: M of the links
  double *bias;          // njoint: their torque at ddq = 0
  double *drive;         // njoint: torque that is left for links and rotors
  double *share;         // njoint: torque of the links over torque behind the friction of the gear
  double *scaled;        // njoint x njoint: M of the last solution
  double *accelerated;   // njoint: ddq, if the caller gives no place for it
  double *response;      // njoint x ncoupled: inv(M) of unit torques
  double *small;         // of one lane: njoint x (njoint + 1)
  int nrotor;            // places where the rotor matrix is not zero
  place *rotor_place;    // njoint x njoint at most
  int ncoupled;          // joints whose rotors turn with other joints
  int *coupled;          // njoint at most
  int width;
};

static inline bool same_smoothing(rbv_smoothing a, rbv_smoothing b) {
  return a.gamma == b.gamma && a.speed == b.speed;
}

#endif
