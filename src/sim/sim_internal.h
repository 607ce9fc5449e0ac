#ifndef SIM_SIM_INTERNAL_H
#define SIM_SIM_INTERNAL_H

#include <roberval/sys/dynamics.h>
#include <roberval/sys/sim.h>

#include "base/support.h"
#include "device/device_types.h"
#include "dynamics/lanes.h"

#define STAGES 4

/* Lanes that run at once. Joint j of lane k at [j * width + k]. */
typedef struct {
  double *q, *dq;              // state
  double *tau, *applied;       // held
  double *ddq;                 // at the tick
  double *stage_q, *stage_dq;  // where a stage evaluates
  double *rate;                // acceleration of a stage
  double *kq, *kv;             // STAGES increments
  double *gather;              // sum over earlier stages
  bool *regular;               // width
} plant;

/* Springs between motors and links. Joint j of lane k at [j * width + k]. */
typedef struct {
  double *stiffness, *cubic, *damping;  // stiffness 0: the joint is rigid
  double *torque;                       // of the motors, beside the springs
} springs;

/* move the plant by one step of length h; first: its acceleration is wanted in p->ddq */
typedef void advance_fn(plant *p, rbv_lanes *lanes, int njoint, double h, bool first);

typedef struct {
  const char *name;
  double longest;  // longest step by default [s]
  advance_fn *advance;
} integrator_row;

extern const integrator_row rbv_integrators[];

/* A step of motors and links with springs between them. motor->applied has the torques of the
 * motors; link->applied receives those of the springs. Motors of rigid joints follow their links,
 * which have the drives. */
void rbv_advance_elastic(plant *motor, rbv_lanes *motor_lanes, plant *link, rbv_lanes *link_lanes,
                         const springs *between, int njoint, double h, bool first);

/* True for columns at the links of elastic joints: bodies, and formulas of the robot file there. */
static inline bool rbv_elastic_at_link(const rbv_column *column) {
  const bool formula = column->basis == RBV_BASIS_EXPRESSION && column->side == RBV_SIDE_LINK;
  return column->basis == RBV_BASIS_INERTIAL || formula;
}

/*
 * The parameters of the motors (drive columns) and of the links (the others); the rest is zero. The
 * drive of a rigid joint (stiffness 0) is at its link, and its motor has an inertia of 1 that
 * nothing moves. stiffness: njoint.
 */
void rbv_elastic_split(double *motor, double *link, const rbv_model *model, const double *chi,
                       const double *stiffness);

/* Positions of links at rest with these positions of the motors; d has the parameters of the links.
 * q, torque: out, njoint; the torque is that of the springs. cubic: NULL: none. still: njoint
 * zeros. */
void rbv_elastic_rest(double *q, double *torque, rbv_dynamics *d, const double *theta,
                      const double *stiffness, const double *cubic, const double *still,
                      int njoint);

/* Deflection of a spring with this torque; 0 of a rigid joint. */
double rbv_spring_deflection(double torque, double stiffness, double cubic);

struct rbv_sim {
  const rbv_model *model;
  const rbv_control *control;
  rbv_sim_options options;
  int nlane, width, substeps;
  rbv_lanes *lanes;
  rbv_control_state *state;
  rbv_dynamics *dynamics[LANES_WIDTH];  // of the feed-forward; NULL: there is none

  // as set by rbv_sim_set; one per lane
  double *chi, *known;    // ncolumn
  double *scale, *shift;  // njoint
  double *gain;           // RBV_GAIN_COUNT x njoint
  double *delay, *bias;   // njoint; delay in samples
  double *integral;       // njoint
  uint64_t *seed;

  // elastic joints; NULL: rigid
  rbv_lanes *link_lanes;
  rbv_dynamics *link_dynamics;
  plant link;
  springs springs;
  double *stiffness, *cubic, *damping;  // one per lane: njoint
  double *motor_chi, *link_chi, *rest;  // ncolumn; rest: 4 njoint

  // of the lanes that run
  plant plant;
  double *qr, *dqr, *ddqr, *model_torque;  // njoint lanes
  double *seen;                            // encoder position
  double *read;                            // position that the controller reads: seen, or delayed
  double *sensed;                          // torque that is recorded
  double *colour, *torque_colour;          // AR(1) states
  double *ring_q, *ring_tau;               // delays
  double *late_now, *late_before;  // torques of a tick with delay, and the share of the earlier one
  double *late_share, *disturbance;
  double *ring_lane;  // torques of the last nlate ticks, njoint lanes each
  int nlate;
  double *start;        // njoint lanes: position at the first tick
  double *step;         // njoint: of the loop's encoder
  double *record_step;  // njoint: of the recorder's
  double *own;          // 5 njoint: copies of the arrays of the defects
};

/* Velocity and acceleration of a reference at tick k: as given, or central differences. */
void rbv_reference_rates(double *dq, double *ddq, const rbv_sim_reference *r, int joint,
                         ptrdiff_t k, double rate_hz);

/* The scheme of a linearly implicit integrator; false: it is none. */
bool rbv_integrator_scheme(device_scheme *out, rbv_integrator integrator);

/* Steps per tick of the plant that the options ask for. */
int rbv_sim_choose_substeps(const rbv_sim_options *options, double rate_hz);

/*
 * What a recorder makes of a run that was simulated elsewhere, in the trace: q, tau and, in
 * recorded_q, the positions that the encoder reads are set up to sample `good`; qr and all that is
 * recorded is added, and what follows is not a number.
 */
void rbv_sim_record(const rbv_sim *sim, const rbv_sim_lane *own, const rbv_sim_reference *reference,
                    const rbv_sim_trace *trace, ptrdiff_t good);

/* Share of the earlier torque in step `step` of a tick, if it acts for the share `share` of it. */
static inline double rbv_late_share(double share, int step, int steps) {
  const double x = share * steps - step;
  return x < 0 ? 0 : x > 1 ? 1 : x;
}

#endif
