/*
 * Interface to other programs. Input: a chain of revolute joints with rigid bodies, and states.
 * Output: all torques or all accelerations, in one run over the states.
 */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#ifdef __cplusplus
extern "C" {
#endif

#define PEER_JOINTS 8

typedef struct {
  double R[9], p[3];  // pose of the joint frame in its parent's frame at q = 0, R row-major
  double axis[3];     // unit, in the joint frame
  double mass, centre[3];
  double inertia[9];  // about the centre of mass, axes of the joint frame
} peer_joint;

typedef struct {
  int njoint;
  double gravity[3];
  peer_joint joint[PEER_JOINTS];
} peer_chain;

/* njoint x count, joints of a sample next to each other */
typedef struct {
  int njoint, count;
  double *q, *dq, *ddq;
  double *tau;  // njoint x count, the torque for ddq
} peer_states;

/* The ways in which KDL can compute the torque of a motion. */
typedef enum {
  KDL_CHAIN_AXIS,  // ChainIdSolver_RNE, joints as kdl_parser creates them from a URDF
  KDL_CHAIN_Z,     // ChainIdSolver_RNE, frames rotated so that every joint is RotZ
  KDL_TREE_Z,      // TreeIdSolver_RNE
  KDL_PARAM_Z,     // ChainDynParam: mass matrix times ddq, Coriolis, gravity
  KDL_ROADS
} kdl_road;

typedef struct kdl_peer kdl_peer;
kdl_peer *kdl_peer_new(const peer_chain *chain, kdl_road road);
void kdl_peer_inverse(double *tau, kdl_peer *peer, const peer_states *s);
void kdl_peer_free(kdl_peer *peer);

/* mj_forward of MuJoCo with everything disabled except smooth dynamics. */
typedef struct mujoco_peer mujoco_peer;
mujoco_peer *mujoco_peer_new(const peer_chain *chain);
void mujoco_peer_forward(double *ddq, mujoco_peer *peer, const peer_states *s);
void mujoco_peer_free(mujoco_peer *peer);

/* Rotors and friction: torque = inertia ddq + viscous dq + coulomb (2/pi) atan(gamma dq). */
typedef struct {
  double inertia[PEER_JOINTS], viscous[PEER_JOINTS], coulomb[PEER_JOINTS], gamma;
} peer_drives;

/* torque of a tick as a function of the position */
typedef void peer_controller(double *tau, const double *q, int tick, void *self);

/*
 * Closed loop: the torque is constant during a tick, which is integrated by `substeps` steps of
 * MuJoCo's RK4; friction is added by its passive-force callback. q: njoint x ticks, joints of a
 * sample next to each other. Starts at rest.
 */
void mujoco_peer_simulate(double *q, mujoco_peer *peer, const peer_drives *drives, double step,
                          int substeps, int ticks, const double *start, peer_controller *control,
                          void *self);

#ifdef __cplusplus
}
#endif
#endif
