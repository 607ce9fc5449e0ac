/*
 * Closed-loop output error in parts. One output_run holds the data of a run; the files fill it in
 * this order:
 *
 *   output_unknowns.c    from the vector x of unknowns to controllers, delays, biases, parameters,
 *                        shape parameters
 *   output_links.c       unknown links that stay near those of the robot file
 *   output_drive.c       the reference as the drive sees it: held between two rows, and late
 *   output_simulation.c  the loop with x: positions, their residuals, the cost
 *   output_rows.c        derivatives of the residuals: triangles of the blocks and of all rows
 *   output_differences.c the same derivatives by differences of the simulation
 *   output_solve.c       unknowns that the rows determine, and a damped step
 *   output_population.c  starts from a population of candidates
 *   output_search.c      the iteration, from one start or several
 *   output_error.c       memory, and the order of these steps
 *   output_agreement.c   recordings under different laws against each other
 *   output_statistics.c  sigma and fit
 *   output_influence.c   influence of what positions cannot show: gains, rate and delay of the
 * drive
 *
 * Order of the unknowns in all triangles: those of the loop first, then the base parameters. The
 * last rows of a triangle are then the equations of the base parameters with the others eliminated.
 */
#ifndef IDENTIFY_OUTPUT_ERROR_H
#define IDENTIFY_OUTPUT_ERROR_H

#include <roberval/sys/linalg.h>

#include "identify/identify_internal.h"

#define OUTPUT_FLOOR 1e-4      // least sigma of a signal, relative to its variation
#define OUTPUT_PULL 1e-7       // of the length of a column: rows that keep every solution regular
#define OUTPUT_ROWS 240        // rows that are collected before they are added to a triangle
#define OUTPUT_COARSE_S 5e-4   // step of the integrator on the way to the optimum
#define OUTPUT_FAST_HZ 1000.0  // rate of a law that is close to continuous

/* A stretch of a motion that is simulated from the measured state at its start. */
typedef struct {
  int motion;
  ptrdiff_t first, count;  // rows of the recording
  ptrdiff_t guided;        // samples at the start in which the plant has the measured state
  double *q0, *dq0;        // joints: measured state at the start
} output_segment;

/* How an unknown moves by a step of the linear problem. */
typedef enum {
  STEP_PLAIN,
  STEP_INERTIA,   // contains a rotor inertia: its logarithm decreases
  STEP_LOGARITHM  // a positive number: its logarithm changes
} output_step;

typedef struct {
  identify_run *r;
  rbv_estimate *e;
  const rbv_closed_loop *loop;
  int joints, signals;  // signals: joints, or with torques twice as many
  int wanted;           // unknowns of the loop that are reported
  int extra, p;         // with the integrals at the start of each segment; all unknowns
  int decimate;
  double longest_delay_s;
  rbv_unknown *unknown;  // p
  int *segment_of;       // p: segment that an unknown belongs to, -1: all
  double *x, *trial;     // p
  double *good;          // p: last values whose derivatives are known; NaN: none
  output_step *step_of;  // p
  double *low, *high;    // p: range of an unknown; infinite: none
  bool near_links;       // unknown links stay near those of the robot file:
  double *near;          // p: 1 / sigma of the file's value; 0: none
  double *near_to;       // p: that value
  double *first;         // p: start values of the present search
  bool no_robot;         // a step of it led to values that no robot has
  double *known;         // p: weight of rows that hold an unknown at its value; 0: it is estimated
  double *chi;           // parameters of all columns
  double *delay, *bias;  // joints
  double *command;       // joints: delay of the reference [s]
  double longest_command_s;
  double *integral;             // joints: of the present segment
  bool elastic;                 // springs between motors and links
  int elastic_steps;            // of the simulation per tick
  double *stiffness, *damping;  // joints
  int *drive;                   // base parameters: the drive column that one contains; -1: none
  double *share;                // base parameters: share of that column in it
  rbv_control_joint *law;
  double **q, **torque;    // per motion: as recorded
  double **velocity;       // per motion: of the guided part of segments
  int *ticks;              // per motion: of the law per row; the traces have all ticks
  int *most_ticks;         // per motion: for which there is room
  double **held, **later;  // per motion: reference of every tick, and its derivative by its delay;
                           // NULL: the recorded reference
  bool **valid;
  int nsegment;
  output_segment *segment;
  rbv_control **control;  // per motion: own controllers with the present gains; NULL: as given
  rbv_sim_trace *trace;   // per motion
  double *sigma, *rss;    // signals; of the present run
  double *held_rss;       // signals
  ptrdiff_t *rows, *held_rows;
  double *tracking;     // joints: sum of squares of position minus reference
  double *scale;        // signals: the same, and of the torque
  double *square_step;  // joints: of successive differences of the residual
  double *mean;         // signals: residual of the present window
  double *last;         // joints
  double cost;
  // sensitivities
  double *dq, *dtau, *sum;  // joints x lanes; sum: signals x lanes
  double *buffer;           // ROWS x (p + 1)
  rbv_qr *qr;
  double *part;         // nblock triangles
  double *R, *damped;   // (p + 1) square
  double *common;       // (p + 1) square
  solution solution;    // of p unknowns
  selection selection;  // of p unknowns
  double *length;       // p: of the columns
  double *zero;         // p
  int *substeps;        // per motion: of the simulation by default
  int refine;           // factor on them
  double run_s;         // time of the last accurate simulation [s of the processor]
  bool coarse;          // a fast integrator with long steps, for the way to the optimum
  double *step_unit;    // p: sigma of the unknowns, for differences; 0: not determined
  bool differences;     // derivatives are differences of simulations
  double *deviation;    // (nblock + nrecording) x p
} output_run;

/* Number of elements of a triangle of all unknowns and the residual. */
static inline size_t rbv_output_square(const output_run *o) {
  return (size_t)(o->p + 1) * (size_t)(o->p + 1);
}

/* ---- output_unknowns.c ---- */

/* Number of unknowns with the integrals at the start of each segment behind the first `at`; they
 * are written if o->unknown is not NULL. A robot that holds its position has such integrals, and
 * they are not recorded. With them a constant torque is not visible, as the loop removes it. */
int rbv_output_add_integrals(output_run *o, int at);

/* Fill unknown, motion_of and x with the start values, and name the unknowns in the estimate.
 * chi: in, start values of all columns. Refused: elastic joints whose drives are regrouped. */
RBV_MUST_CHECK rbv_status rbv_output_start(output_run *o, const double *chi);

/* Number of segments of a motion. */
int rbv_output_segments(const output_run *o, int motion);

/* Steps of the simulation of elastic joints, with the start values. */
RBV_MUST_CHECK rbv_status rbv_output_resolve_springs(output_run *o);

/* Weights of the rows that hold base parameters of known links, from o->length: o->known. */
void rbv_output_hold_links(output_run *o);

/* Parameters of all columns, delays and biases of x; integrals at the start of a segment. */
void rbv_output_values(double *chi, double *delay, double *bias, const output_run *o,
                       const double *x);
void rbv_output_integrals(double *integral, const output_run *o, const double *x, int segment);

/* Set chi, delays, bias, the controllers and the shape parameters of the model to x. */
RBV_MUST_CHECK rbv_status rbv_output_set(output_run *o, const double *x);

/* Least value of base parameter k that passive drives can have; known_links: with the links of the
 * robot file. */
double rbv_output_least_value(const output_run *o, int k, bool known_links);

/* Move the unknowns into their ranges. */
void rbv_output_limit(const output_run *o, double *x);

/* The controller of a motion as given, and with the gains that rbv_output_set has set. */
const rbv_control *rbv_output_given_control(const output_run *o, int motion);
const rbv_control *rbv_output_control(const output_run *o, int motion);

/* Product of the unknown factors on a gain of a joint. */
double rbv_output_factor(const output_run *o, const double *x, int joint, rbv_gain gain);

/* ---- output_links.c ---- */

/* Can unknown links be held near the robot file, and are they not yet? */
bool rbv_output_can_stay_near(const output_run *o);

/* From now on they are: o->near, o->near_to, and lower bounds. */
void rbv_output_stay_near(output_run *o);

/* Squared distance of x from the robot file, in sigma: a part of the cost. */
double rbv_output_distance(const output_run *o, const double *x);

/* Is the value of an unknown that of the robot file rather than of the motions? */
bool rbv_output_is_of_file(const output_run *o, int k);

/* ---- output_drive.c ---- */

/* Rows of a motion. */
ptrdiff_t rbv_output_count(const output_run *o, int motion);

/* Refused: what the simulation of a drive does not support. */
RBV_MUST_CHECK rbv_status rbv_output_check_drive(const output_run *o);

/* The references as the drives see them with the delays o->command: o->held, o->later. */
void rbv_output_hold_references(output_run *o);

/* ---- output_simulation.c ---- */

/* Simulate all segments with what rbv_output_set has set; x: of the integrals. */
RBV_MUST_CHECK rbv_status rbv_output_run(rbv_sim_outcome *outcome, output_run *o, const double *x,
                                         char *sentence, size_t size);

/* Simulate all motions with x: traces, sums of squares and cost. *done is false, and the cost is
 * infinite, if the loop diverges; `sentence` then says how. */
RBV_MUST_CHECK rbv_status rbv_output_simulate(output_run *o, const double *x, bool *done,
                                              char *sentence, size_t size);

/* Sums of squares and cost of the last simulation. */
void rbv_output_sum(output_run *o);

/* Can the way to the optimum be simulated with longer steps? */
bool rbv_output_can_be_coarse(const output_run *o);

/* Options, lane and reference of the simulation of a segment, after rbv_output_set. start: joints,
 * receives the state at the start, and must live as long as the reference. */
rbv_sim_options rbv_output_sim_options(const output_run *o, int segment);
rbv_sim_lane rbv_output_lane(const output_run *o, const double *x, int segment);
rbv_sim_reference rbv_output_reference(const output_run *o, int segment, double *start);

/* The part of a trace that belongs to a segment. */
rbv_sim_trace rbv_output_trace(const output_run *o, int segment);

/* The block of a sample; -1 if it is held out. */
int rbv_output_block(const output_run *o, int motion, ptrdiff_t k);

/* True if the window of o->decimate samples of the motion from k on is used. */
bool rbv_output_window_counts(const output_run *o, int segment, ptrdiff_t k);

/* Mean residual of every signal over the window from k on: o->mean. */
void rbv_output_residual(output_run *o, int motion, ptrdiff_t k);

/* Rows of all signals. */
ptrdiff_t rbv_output_rows(const output_run *o);

/* ---- output_rows.c ---- */

/* Triangles of all blocks, of all rows together, and the lengths of the columns: o->part, o->R,
 * o->length, o->known, with the rows divided by o->sigma, which is that of the last simulation. The
 * derivatives are sensitivities, or differences if o->differences is set. */
RBV_MUST_CHECK rbv_status rbv_output_linearise(output_run *o);

/*
 * The triangle of all rows for these unknowns, which begin with o->unknown, and for given changes
 * of the positions.
 *
 *   R       out  (count + nchange + 1) square
 *   change  in   nchange arrays: the joints of all motions in order, one value per row
 */
RBV_MUST_CHECK rbv_status rbv_output_triangle(double *R, output_run *o, const rbv_unknown *unknown,
                                              int count, double *const *change, int nchange);

/* ---- output_differences.c ---- */

/*
 * Derivatives of the simulated signals at o->x by unknowns with a step_unit: two simulations each.
 *
 *   out   out  column u has the windows of all segments in order, all signals of a window together;
 *              rbv_free it
 *   rows  out  length of a column
 */
RBV_MUST_CHECK rbv_status rbv_output_differences(double **out, ptrdiff_t *rows, output_run *o);

/* ---- output_solve.c ---- */

/*
 * Select what the motions determine: o->selection. An unknown of the loop that they do not
 * determine keeps its value. A base parameter that is left out becomes zero, and those into which
 * it is regrouped change, so that the simulated motion stays the same.
 */
RBV_MUST_CHECK rbv_status rbv_output_select(output_run *o);

/* The step with a damping relative to the lengths of the columns: o->solution. */
RBV_MUST_CHECK rbv_status rbv_output_solve(output_run *o, double damping);

/* ---- output_population.c ---- */

#define OUTPUT_BEST 16  // most candidates from which the search goes on

/*
 * Judge a population of candidates around `first` over several generations, on the device of the
 * loop or on the CPU. The positions are compared at the full rate.
 *
 *   x       out  wanted x p: the best candidates that are apart from each other, best first
 *   found   out  their number; 0: with no candidate the loop reaches the end of the recording
 *   wanted  in   at most OUTPUT_BEST
 */
RBV_MUST_CHECK rbv_status rbv_output_population(double *x, int *found, output_run *o,
                                                const double *first, int wanted);

/* ---- output_search.c ---- */

/*
 * Search from o->x, and from further starts if the loop has more than one: o->x is the best of the
 * optima, with its simulation, triangles and solution. If the caller cancels after the first step,
 * the best values so far are kept, and the estimate is marked as stopped.
 */
RBV_MUST_CHECK rbv_status rbv_output_search(output_run *o);

/* ---- output_agreement.c ---- */

/* Compare recordings under different laws: o->e->loop.agreement. After the last step; o->common has
 * the rows that keep every solution regular. o->damped and o->qr are used. */
RBV_MUST_CHECK rbv_status rbv_output_agree(output_run *o);

/* ---- output_influence.c ---- */

/* Change of the estimate if the law, the drive or the links are not those that are given:
 * o->e->loop.influence. After the last step. */
RBV_MUST_CHECK rbv_status rbv_output_find_influence(output_run *o);

/* ---- output_statistics.c ---- */

/* Everything of the estimate after the last iteration. */
RBV_MUST_CHECK rbv_status rbv_output_finish(output_run *o);

#endif
