/*
 * Mechanisms with closed loops, computed without the library: bodies by their Jacobians in the
 * world, cuts by Lagrange multipliers with the exact velocity products of the constraints.
 */
#ifndef TEST_MECHANISM_H
#define TEST_MECHANISM_H

#include <roberval/sys/model.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MECHANISM_JOINTS 20
#define MECHANISM_CUTS 6
#define MECHANISM_ROWS (3 * MECHANISM_CUTS)

typedef struct {
  char name[16];
  int parent;  // joint that carries it, -1: the base
  bool slides, driven;
  double xyz[3], rpy[3];               // of the joint in its parent
  double axis[3];                      // unit vector in its own frame
  double mass, centre[3], inertia[6];  // at the centre of mass: xx xy xz yy yz zz
  double rotor, viscous, coulomb;
  double home;  // position in the pose in which the loops are closed
} mechanism_joint;

typedef struct {
  int body[2];      // -1: the base
  double at[2][3];  // points that coincide
} mechanism_cut;

typedef struct {
  char name[16];
  int n, ncut, ndriven;
  mechanism_joint joint[MECHANISM_JOINTS];
  mechanism_cut cut[MECHANISM_CUTS];
  double gravity[3];
  double gamma;  // of the friction: coulomb (2/pi) atan(gamma speed)
} mechanism;

/* Numbers that do not come from the library: uniform in [0, 1), normal. */
typedef struct {
  uint64_t state;
} mechanism_dice;
double mechanism_uniform(mechanism_dice *d);
double mechanism_normal(mechanism_dice *d);

/* The two mechanisms of the identifications. */
mechanism mechanism_parallelogram(void);  // waist, lower arm, forearm by a crank at the shoulder
mechanism mechanism_delta(void);

/* Random ones, closed at their home pose: one planar loop of five bars with 2 drives, or of four
 * with 1; a spatial loop with 2 drives; a delta with other dimensions. */
mechanism mechanism_random_planar(uint64_t seed);
mechanism mechanism_random_spatial(uint64_t seed);
mechanism mechanism_random_delta(uint64_t seed);

/* Residual of the cuts [m]: the largest element. */
double mechanism_gap(const mechanism *m, const double *q);

/* Dependent joints for the driven ones of q, from q itself; false: it does not close. */
bool mechanism_close(double *q, const mechanism *m);
/* Speeds of the dependent joints for those of the driven ones. */
void mechanism_follow(double *dq, const mechanism *m, const double *q);

/*
 * Accelerations of all joints by the multipliers.
 *
 *   tau     in   one per joint, of driven ones
 *   lambda  out  force on the first body of each cut, 3 ncut; NULL: not wanted
 */
void mechanism_accelerate(double *ddq, double *lambda, const mechanism *m, const double *q,
                          const double *dq, const double *tau);

/* Torque of the driven joints (per joint) for a closed motion of all joints: principle of virtual
 * work with the rates of the driven joints. */
void mechanism_torque(double *tau, const mechanism *m, const double *q, const double *dq,
                      const double *ddq);
/* Accelerations of all joints for those of the driven ones in ddq, in place. */
void mechanism_complete(double *ddq, const mechanism *m, const double *q, const double *dq);

/* One step of Runge-Kutta with constant torque; the closure is restored afterwards. */
void mechanism_step(double *q, double *dq, const mechanism *m, const double *tau, double dt);

/* Robot files: NAME.urdf and NAME.yaml in the temporary directory; passive friction where the
 * mechanism has some, rotors where a driven joint has one. Returns the path of the YAML. */
const char *mechanism_write(const mechanism *m);

/* The mechanism's own parameters in the columns of a model of it. */
void mechanism_parameters(double *chi, const mechanism *m, const rbv_model *model);

/* ---- recordings ---- */

typedef struct {
  double rate_hz, seconds;
  double counts;     // of the encoders in the loop, per turn; 0: exact
  double noise;      // of the recorded torque, as a share of its own rms
  double noise_hz;   // its corner frequency; 0: white
  double stiffness;  // bandwidth of the PD laws [rad/s]
  double roll_off;   // of their derivative, in bandwidths
  double reach;      // amplitude of the motion [rad]
  uint64_t motion, seed;
} mechanism_plan;

typedef struct {
  ptrdiff_t count;
  int n;                           // driven joints
  double *q, *tau, *reference;     // count x n, joint after joint: as recorded
  double *exact[4];                // q, dq, ddq, torque without errors of sensors
  double noise[MECHANISM_JOINTS];  // sigma of each torque
  double k_p[MECHANISM_JOINTS], k_d[MECHANISM_JOINTS], filter_s;
} mechanism_record;

mechanism_record mechanism_simulate(const mechanism *m, const mechanism_plan *plan);
void mechanism_record_free(mechanism_record *r);
/* CSV with t, q, tau, qr; controller as YAML. Names in the temporary directory. */
void mechanism_record_write(const mechanism_record *r, const mechanism *m,
                            const mechanism_plan *plan, const char *log, const char *controller);

#endif
