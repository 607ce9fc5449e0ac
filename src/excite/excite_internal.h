/* Shared by the files of the module excite. */
#ifndef EXCITE_EXCITE_INTERNAL_H
#define EXCITE_EXCITE_INTERNAL_H

#include <math.h>
#include <pthread.h>
#include <roberval/sys/excite.h>
#include <stdatomic.h>

#include "base/support.h"
#include "dynamics/dynamics.h"
#include "excite/clearance.h"
#include "trajectory/trajectory.h"

/* A row of the observation system, reduced to base columns. */
typedef struct {
  int count;
  int *entry;     // of the batched regressor
  int *column;    // base parameter
  double weight;  // 1 / noise
} picked_row;

struct rbv_excite {
  const rbv_model *model;
  rbv_excite_options options;
  rbv_base *base;
  int n, nrow;
  picked_row *row;  // nrow
  double *noise;    // nrow
  double *load;     // ncolumn: parameters of the load of gears; NULL: no law depends on it
  double *size;     // n: |base value| of the prior; 0: not known, or no target
  double *target;   // n: weight in the sigma criterion, 1 or 0
  double *R0;       // n x n: weighted triangle of the motions that were added
  double *plain0;   // n x n: the same without weights
  ptrdiff_t samples0;
  int *numbers;  // memory of the rows
};

/* ---- scores ---- */

/*
 * From the weighted triangle and the plain one. sigma, coupling as rbv_excite_score; excite NULL:
 * no sigmas.
 */
rbv_status rbv_score_triangles(rbv_score *score, double *sigma, double *coupling,
                               const rbv_excite *excite, const double *R, const double *plain,
                               int n, ptrdiff_t samples, double lambda);

/* Scratch of rbv_gram_value. */
typedef struct {
  double *scale, *A, *U, *psi, *V, *M;  // n, then n x n each
  double *lambda;
} gram_work;

void rbv_gram_layout(gram_work *w, int n, rbv_arena *a);

/*
 * The criterion for a weighted Gram matrix (lower triangle), infinite where it is not definite.
 * slope (n x n, may be NULL): its derivative, symmetric, of the smooth form.
 */
rbv_status rbv_gram_value(double *value, double *slope, gram_work *w, const rbv_excite *e,
                          const double *G, ptrdiff_t samples, bool smooth);

/* Dynamics for regressors, with the parameters of the load. */
rbv_status rbv_excite_dynamics(rbv_dynamics **out, const rbv_excite *e, const rbv_model *model);

/*
 * States of the friction laws at `count` samples of distance dt; now: before the first one, and
 * after the last one when it returns. Layout with leading dimension ld.
 */
void rbv_excite_states(double *laws, double *now, const rbv_model *model, const double *dq,
                       ptrdiff_t ld, ptrdiff_t count, double dt);

/* ---- candidates: coefficients to criterion, one worker per thread ---- */

#define TILE 128

typedef struct {
  const rbv_excite *excite;
  rbv_dynamics *dynamics;  // hard or soft, whichever is in use
  rbv_dynamics *hard;      // with the friction of the model
  rbv_dynamics *soft;      // with smooth friction, for gradients
  rbv_model *soft_model;
  double *states;  // 9 x njoint x TILE: q, dq, ddq, and their adjoints
  double *laws;    // nstate x TILE: states of friction laws along the trajectory
  double *now;     // nstate: the last ones
  double *W;       // TILE_LD x nentry
  double *P;       // the same: weights of its entries
  double *A, *B;   // TILE_LD x n
  double *G;       // n x n
  double *Grow;    // n x n
  double *slope;   // n x n
  gram_work gram;
  void *memory;
} worker;

#define TILE_LD (TILE + 8)

rbv_status rbv_worker_new(worker *w, const rbv_excite *e);
void rbv_worker_free(worker *w);

/* Gram matrix of trajectories at `samples` regular times each, and of the motions added before. */
void rbv_worker_gram(worker *w, rbv_trajectory *const *t, int count, ptrdiff_t samples);

/* True if the criterion uses weighted rows. */
bool rbv_excite_weighted(const rbv_excite *e);

/* Value, and gradient unless NULL; smooth: of the smooth forms of criterion and friction. */
rbv_status rbv_worker_value(double *value, double *gradient, worker *w, rbv_trajectory *const *t,
                            int count, ptrdiff_t samples, bool smooth);

/* ---- constraints ---- */

#define NEAR 1e-3        // gap that counts as touching [m]
#define CHUNK 16         // poses that are checked at once, where they are few
#define SEEN_MAX 8       // poses that a repair keeps
#define HOLD 0.99        // of the limits of torque and tool speed, for candidates
#define SHARE_LEAST 0.2  // of a motion about its own mean; otherwise it moves to the centre

static inline double rbv_clamp(double x, double low, double high) {
  return x < low ? low : x > high ? high : x;
}

static inline double rbv_largest(const rbv_extreme *e) { return fmax(e->max, -e->min); }

/* What a pose breaks. */
enum { BROKEN_OTHER, BROKEN_ASSUMED, BROKEN_BASE };

/* Closed loops (closure_path.c): what a pose at rest breaks, and what a motion breaks, in info.
 * hold: fraction of what is allowed. Nothing for a robot without loops, or with linear ones. */
typedef struct keeper keeper;
bool rbv_closure_broken(char *text, size_t size, keeper *k, const double *q);
void rbv_closure_keeps(rbv_usage_info *info, keeper *k, const rbv_trajectory *t, double step_s,
                       double hold);

/* The time between two poses. */
typedef struct {
  double start, end;
  int depth;  // of halvings
} interval;

struct keeper {
  const rbv_model *model;
  rbv_constraints given;
  clearance space;
  rbv_dynamics *dynamics;
  rbv_dynamics **robot;  // nrobot: of the other possible robots
  rbv_limits *limits;    // njoint
  double *center;        // njoint
  double *mean;          // njoint: of a motion
  double *q, *dq, *ddq, *tau, *J;
  double *bound;   // 2 njoint: largest velocities and accelerations of a trajectory, upper bounds
  double *gap;     // gaps of a block of poses
  double *least;   // the smallest gaps of each pose
  double *change;  // how fast the gaps can change between them
  double *row;     // positions, velocities and accelerations of a block of poses
  double *row_chunk;   // positions of a few
  double *torque;      // of a block
  double *speed;       // njoint x block: bounds of the speeds between two poses
  double *chunk;       // gaps of the intervals that are halved
  double *stack;       // of those that wait
  interval *interval;  // the same
  double
      *reach;  // njoint: upper bound of the distance between its axis and a part that it moves [m]
  double *tool;         // nbody x 3: see rbv_tool_point
  bool pose_broke;      // a pose broke a constraint
  double *broken_pose;  // njoint: this pose
  double *seen;         // poses of the motion that is being repaired that broke one
  int nseen;            // all of them; the last ones are kept
  double deadline;      // of rbv_clock; checks end there
  bool late;            // one of them did
  int broken;           // what the last pose broke
  void *memory;
};

rbv_status rbv_keeper_new(keeper *k, const rbv_model *m, const rbv_constraints *c);
void rbv_keeper_free(keeper *k);

/* Find the pose about which motions are scaled. */
rbv_status rbv_keeper_center(keeper *k);

/* Full check on a grid of at most step_s. */
void rbv_keeper_check(rbv_usage_info *info, rbv_usage *usage, keeper *k, const rbv_trajectory *t,
                      double step_s);

/* True if a candidate keeps the constraints that couple joints, with a little distance; no more is
 * checked than is needed to decide. If a pose breaks one, it is in broken_pose. */
bool rbv_keeper_keeps(keeper *k, const rbv_trajectory *t, double step_s);

/*
 * Make coefficients keep the constraints by scaling the motion about the centre: joint by joint for
 * the limits of the joint, and if `everything` is set, as a whole for the other constraints (on a
 * grid of step_s). x is changed in place and set in t. Returns false if even the centre itself
 * breaks a constraint.
 */
bool rbv_keeper_repair(rbv_trajectory *t, double *x, keeper *k, bool everything, double step_s);

/* Speed of the fastest of the tools and the joints at the positions and velocities in k->q and
 * k->dq [m/s]. */
double rbv_keeper_tool_speed(keeper *k);

/* True if there are constraints that couple joints; if torques are limited. */
bool rbv_keeper_couples(const keeper *k);
bool rbv_keeper_limits_torque(const keeper *k);

/*
 * Parts of the time in which the motion differs: all of it, or the first period and both blends.
 * Returns their number; span: start and end of each [s].
 */
int rbv_different_parts(double span[2][2], const rbv_trajectory *t);

/*
 * The steps of a repair whose factors are known. x: coefficients of a trajectory like t, of a class
 * without a planner.
 *
 *   means  moves the means of the joints into their limits, which is the first step
 *   scale  scales joint j by own[j] about its mean or the centre, then the whole motion by share /
 *          DEVICE_UNITS about its means or the centre
 */
void rbv_repair_means(double *x, const rbv_trajectory *t, const keeper *k);
void rbv_repair_scale(double *x, const rbv_trajectory *t, const keeper *k, const double *own,
                      int share, bool about_mean);

/* ---- search ---- */

typedef struct batch_score batch_score;    // see batch_score.h
typedef struct batch_repair batch_repair;  // see batch_repair.h

typedef struct {
  const rbv_excite *excite;
  const rbv_constraints *constraints;
  const rbv_trajectory_shape *shape;
  const rbv_search_options *options;
  rbv_search_info *info;
  int n;               // coefficients of one trajectory
  int total;           // of all
  ptrdiff_t samples;   // of one trajectory, to rank candidates
  double coarse_s;     // grid of constraints that couple joints, while searching
  double *low, *high;  // total: range of the coefficients
  double start;        // of the clock
  double reserve;      // of the time budget, for the last repair [s]
  int nthread;
  worker *worker;        // nthread
  keeper *keeper;        // nthread
  rbv_trajectory **t;    // nthread x trajectories
  pthread_mutex_t lock;  // of the two below
  double *best;          // total: coefficients of the best so far
  double best_value;     // infinite: none yet
  atomic_bool kept;   // a candidate kept the constraints, even if it does not excite all parameters
  atomic_long tried;  // candidates of this process, for progress
  long evaluations;   // candidates of the jobs whose results were taken
  long *counted;      // nthread: candidates of each
  atomic_bool over, out_of_time;
  batch_score *batch;     // scores a generation on a device; NULL: each job scores its candidate
  batch_repair *repairs;  // repairs it there, on a grid; NULL: each job repairs its candidate
} search;

/* Result of a job: a candidate with its value. Empty when there was no time. */
typedef struct {
  double value;
  int64_t evaluations;  // candidates that were tried
  int32_t kept;         // one of them kept the constraints
  int32_t cut;          // the search ended before the job was finished
} finding;

double rbv_clock(void);

/* True if the search is out of time or was stopped. Calls progress if main_thread. */
bool rbv_search_over(search *s, bool main_thread);

/* Repair x with the trajectories of a thread and return the value of the criterion; infinite if
 * infeasible. f: result of the job that this belongs to; NULL: none. */
double rbv_search_try(search *s, int thread, double *x, bool smooth, finding *f);

/* Repair x as rbv_search_try does, without a value; false: infeasible. */
bool rbv_search_repair(search *s, int thread, double *x, finding *f);

/* Keep a candidate if it is the best so far. */
void rbv_search_note(search *s, const double *x, double value);

/* Count a candidate of a thread. */
void rbv_search_count(search *s, int thread);

/* ---- jobs of a search: each evaluates one candidate ---- */

/* Begin a job on a thread; write its result. */
finding rbv_finding_begin(const search *s, int thread);
void rbv_finding_end(rbv_bytes *out, finding f, const search *s, int thread, const double *x,
                     double value);

/* Read a result, count it, and return its candidate (total). *found is false if there was no time
 * for it. Numbers that no search writes are refused. */
RBV_MUST_CHECK rbv_status rbv_finding_take(finding *f, bool *found, double *x, search *s,
                                           const void *data, size_t size);

/*
 * Run jobs first ... first + count - 1 of the search, with its store. In run and take, use
 * index - first.
 */
rbv_status rbv_search_run(search *s, rbv_jobs jobs, ptrdiff_t first, ptrdiff_t count);

/* *over: the search has ended. In a team the leader decides for all. */
rbv_status rbv_search_agree(bool *over, search *s);

/* Number of the first job of a round of gradients; -1: results are not kept. */
ptrdiff_t rbv_search_gradient_first(const search *s, int round);

/* Waves in a candidate's whole curve. */
double rbv_search_waves(const search *s);

/* Random coefficients: within the ranges, or as the class draws them. */
void rbv_search_draw(double *x, const search *s, uint64_t stream);

rbv_status rbv_search_genetic(search *s);

/* first: number of the first job; -1: results are not kept. */
rbv_status rbv_search_gradient(search *s, int starts, const double *from, ptrdiff_t first);

#endif
