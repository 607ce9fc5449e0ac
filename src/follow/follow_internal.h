/* Shared by the files of this module; not installed. */
#ifndef FOLLOW_FOLLOW_INTERNAL_H
#define FOLLOW_FOLLOW_INTERNAL_H

#include <roberval/sys/dynamics.h>
#include <roberval/sys/follow.h>

#include "model/model_internal.h"

#define RLS_MAX 16    // unknowns of one recursive estimate
#define DRIFT_MAX 12  // friction columns of joints that share some
#define POLES 3       // of each filter
#define TICK_S 1e-3   // least time between two residuals
#define ROW_S 0.02    // least time between two equations of the estimates
#define BLOCK_S 0.5   // of the maxima in a calibration
#define LAGS 100      // of the autocorrelation in a calibration: 2 s
#define HISTORY 32    // equations that are kept to find the time of a change: 0.64 s

/* ---- a chain of equal poles ---- */

/* Signals and their filter: stage i of signal k at [i * count + k]; the last inputs behind. */
typedef struct {
  int count;
  double pole;    // [rad/s]
  double *stage;  // POLES x count
  double *last;   // count
} pole_chain;

int rbv_chain_size(int count);
pole_chain rbv_chain_at(double *memory, int count, double hz);

/* The state that a constant input has. */
void rbv_chain_start(const pole_chain *c, const double *input);

/* Go on by dt; the input is linear in between. */
void rbv_chain_push(const pole_chain *c, const double *input, double dt);

/* Filtered signal k, and its derivatives. */
double rbv_chain_value(const pole_chain *c, int k);
double rbv_chain_first(const pole_chain *c, int k);
double rbv_chain_second(const pole_chain *c, int k);

/* ---- the object ---- */

/* An equation of a joint behind a filter. */
typedef struct {
  double y;                // torque that the arm, as identified, does not explain
  double x[RBV_INERTIAL];  // columns of the payload
  double f[DRIFT_MAX];     // columns of the friction of its group
  double loose;            // friction that is not known, because its direction stands still
  const double *part;      // npart: torque of the deviations of the arm
} slow_row;

/* Friction columns of joints that are coupled by some of them; of one joint otherwise. */
typedef struct {
  int first, count;  // in the list of all drifts
  int column[DRIFT_MAX];
} drift_group;

/* numbers at the start of the state */
typedef enum {
  AT_STARTED,  // samples were accepted
  AT_TIME,
  AT_PERIOD,     // smoothed step
  AT_SINCE,      // time since the filters started
  AT_TICK,       // time since the last residual
  AT_ROW,        // time since the last equation
  AT_BACKWARDS,  // samples in a row that were before the last one
  AT_FRESH,      // time of the last change of a value
  AT_LOAD,
  AT_CHANGED,  // time of the last change of the payload
  AT_SETTLE,   // time until the equations have forgotten it
  AT_HOLD,     // time in which no change of the payload is looked for
  AT_BEYOND,   // time of equations in a row that do not agree
  AT_AGREED,   // 1: some have agreed with this payload
  AT_CLEAR,    // time for which an unknown payload has looked known
  AT_WEIGHT,   // equations of the payload, in independent ones
  AT_KEPT,     // equations in the history
  AT_NEXT,     // place of the next one
  AT_CONTACT,
  AT_CHANGE_LEVEL,
  AT_CALIBRATED,
  AT_COUNT
} state_number;

struct rbv_follow {
  rbv_known_arm arm;
  rbv_follow_options o;
  int n, first, npart;  // first: row of the model of joint 0
  rbv_dynamics *dynamics;
  double *chi;                   // ncolumn
  double *W;                     // nrow x ncolumn
  drift_group *group;            // ngroup, at most n
  int *group_of, *group_number;  // n
  int ngroup;
  int *drift_column;
  int ndrift;
  double *deviation;  // ncolumn x npart, part p of column c at [c * npart + p]
  double *loose;      // n: of the residual's equations
  double wider;       // factor of the spread of the parts at the level of an alarm

  // the state
  int nstate;
  double *state, *at;           // at: AT_COUNT numbers
  double *sigma, *level;        // n: of the residual; calibrated
  double *slow_sigma, *colour;  // n: of the equations
  double *residual, *limit;     // n
  double *torque_changed;       // n: time at which the torque was another one
  double *position_then;        // n
  pole_chain samples;           // 2 n: positions, torques
  pole_chain fast, slow;        // equations of the residual, of the estimates
  double *payload;              // RBV_INERTIAL, in use
  double *before;               // RBV_INERTIAL, in use before the last change
  double *history;              // HISTORY x slot_size, see payload_pick.c
  rbv_rls load;                 // payload: 1 + npart right-hand sides
  rbv_rls *drift;               // 2 ngroup: two memories of each group
  double *age;                  // 4 ngroup: equations and their summed age, of both memories
  double *used, *drift_sigma;   // ndrift

  // scratch
  double *input;         // equations before the filters
  double *q, *dq, *ddq;  // n each
  double *sample;        // 2 n: positions, torques
  double *between;       // 2 n: on the way to it
  double *row, *rhs;     // RLS_MAX, 1 + npart
  slow_row *slow_rows;   // n
  double *variance;      // n: of the equations, from the arm
  rbv_rls bounded;       // a copy of load with bounds of the inertia
  rbv_rls trial;         // of a time of a change
  double *kernel;        // responses of the filters, see payload_pick.c
  double distance;       // of the equations from what is believed, in sigma
  bool new_row;
  int left_out;  // part of the identification whose sample this is, -1: none

  rbv_follow_report shown;
};

/* The equations of this instant, from the filters: slow_rows and variance. */
void rbv_follow_equations(rbv_follow *f);

/* Payload and drift from the equations of this instant. dt: time since the last ones. */
void rbv_follow_payload(rbv_follow *f, double dt);
void rbv_follow_drift(rbv_follow *f, double dt);

/* The payload for the report, from a state that was loaded. */
void rbv_payload_show(rbv_follow *f);

/* Equations of this instant for a payload, weighted, into r; returns their number, in independent
 * ones. */
double rbv_payload_add(rbv_follow *f, const rbv_rls *r);

/* Variance of the equation of a joint at this instant, without friction at standstill. */
double rbv_payload_noise(const rbv_follow *f, int joint);

/* Values that no motion has shown yet. */
void rbv_payload_prior(const rbv_rls *r);

/* True if the misfit of so many independent equations is that of their noise. */
bool rbv_payload_fits(double rss, double weight);

/* ---- the time of a change (payload_pick.c) ---- */

int rbv_pick_slot_size(const rbv_follow *f);
int rbv_pick_kernel_size(const rbv_follow *f);
void rbv_pick_prepare(rbv_follow *f);  // responses of the filters
void rbv_pick_keep(rbv_follow *f);     // the equations of this instant

/* True if the kept equations show that the payload has changed within their time. */
bool rbv_pick_seen(rbv_follow *f);

/* Start the estimate of the payload with the equations since the change, whose time is found by
 * maximum likelihood. False: it is not found, and nothing was started. */
bool rbv_pick_start(rbv_follow *f);

/* Begin the estimate of a payload anew. */
void rbv_payload_restart(rbv_follow *f);
void rbv_payload_forget(rbv_follow *f);  // nothing is carried

/* Variance of a torque from the parts of the arm's identification. */
double rbv_part_variance(const rbv_follow *f, const double *part);

/* Torque of the drift in use, from the friction columns of a joint. */
double rbv_drift_torque(const rbv_follow *f, int joint, const double *column);

/* Start friction from the identified values. */
void rbv_drift_start(rbv_follow *f);

/* Levels for normal noise: of the residual of a joint, and of the distance that tells a change of
 * the payload. */
double rbv_follow_level(const rbv_follow *f);
double rbv_follow_change_level(const rbv_follow *f);

/* Forget the past of the stream, not the calibration. */
void rbv_follow_reset(rbv_follow *f);

#endif
