/*
 * A chain in frames whose z axis is the axis of the joint, and its links by their base parameters,
 * for simulations. Torques and motions are the same as with the model's frames and parameters; they
 * need fewer operations.
 *
 * Every joint turns about z or slides along z of its own frame: R = C Rz(sign q + angle) for a
 * turning joint, R = C for a sliding one.
 */
#ifndef DYNAMICS_AXIS_CHAIN_H
#define DYNAMICS_AXIS_CHAIN_H

#include "model/model_internal.h"

typedef enum {
  AXIS_STRAIGHT,  // the joint turns and C is 1
  AXIS_TILTED,    // the joint turns and C is the quarter turn that puts z on the parent's y axis
  AXIS_FREE       // any C, or the joint slides
} axis_kind;

typedef struct {
  axis_kind kind;
  bool slides;      // the joint is prismatic
  bool meets;       // the joint turns, and its frame has the origin of the parent frame
  double sign;      // 1 or -1: direction of the joint about or along z
  double angle;     // a sliding joint: 0
  double C[9];      // row-major
  double p[3];      // origin in the parent's frame, of a sliding joint at q = 0
  double slide[3];  // per unit of q; zero for a turning joint
  double turn[9];   // from the model's link frame to this one, row-major
  // at the position zero of all angles, in base axes
  double z[3];      // direction of the axis
  double model[9];  // orientation of the model's frame, row-major
} axis_joint;

typedef struct {
  int njoint;
  double up[3];       // minus gravity, in the base frame, whose axes are those of the first frame
  axis_joint *joint;  // njoint; memory of the caller
} axis_chain;

/* Fill the chain of a model; out->joint has room for its joints. */
void rbv_axis_chain(axis_chain *out, const rbv_model *m);

/* Ten parameters of link j in the frame of the chain, from those in the model's frame. */
void rbv_axis_link(double out[RBV_INERTIAL], const axis_chain *chain, int j,
                   const double link[RBV_INERTIAL]);

/*
 * Base parameters of all links, in place: njoint x 10, in the frames of the chain. What does not
 * change when a link moves about or along its axis belongs to the parent: {XX = YY, MZ, M} of a
 * link that turns, all moments of inertia of a link that slides. Afterwards YY, MZ and M of links
 * that turn and XX to ZZ of links that slide are zero. Gautier 1990.
 */
void rbv_axis_regroup(double *link, const axis_chain *chain);

#endif
