/*
 * excite: which motion tells most about a robot. Criteria on the regressor of a motion, constraints
 * that the motion must keep, and the search for the best one among those that keep them.
 *
 * Papers: Villagrossi 2014 (coupling index eq. 5, mixed fitness eq. 7, normalised determinant eq.
 * 9, genetic algorithm), Radkhah 2007 (D-optimality, starts by eq. 7-8). Reported scores come from
 * a QR of every sample; a search ranks by Gram matrices.
 */
#ifndef ROBERVAL_SYS_EXCITE_H
#define ROBERVAL_SYS_EXCITE_H

#include <stdbool.h>

#include <roberval/sys/base.h>
#include <roberval/sys/baseparam.h>
#include <roberval/sys/model.h>
#include <roberval/sys/motion.h>
#include <roberval/sys/trajectory.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- criteria ---- */

typedef enum {
  RBV_CRITERION_COND,        /* condition number, columns scaled to unit norm */
  RBV_CRITERION_DOPT,        /* -log det(W' S^-1 W) */
  RBV_CRITERION_DETERMINANT, /* Villagrossi 2014 eq. 9, sign reversed: no noise, the same for any N
                              */
  RBV_CRITERION_COUPLING,    /* I_c, Villagrossi 2014 eq. 5 */
  RBV_CRITERION_MIXED,       /* Villagrossi 2014 eq. 7, sign reversed */
  RBV_CRITERION_SIGMA        /* relative standard deviation of the parameters asked for */
} rbv_criterion;

RBV_API const char *rbv_criterion_name(rbv_criterion criterion); /* "cond", "dopt", ... */
RBV_API bool rbv_criterion_parse(rbv_criterion *out, const char *name);

/* What a regressor is worth. Infinite, or NaN for the sigmas, where the columns are dependent. */
typedef struct {
  int columns;             /* base parameters */
  ptrdiff_t samples;       /* N */
  double condition;        /* of W as it is */
  double condition_scaled; /* with columns of unit norm */
  double dopt;             /* -log det(W' S^-1 W), S from the noise of the rows */
  double determinant;      /* log10(det(W'W) / N^columns): Villagrossi 2014 eq. 9 */
  double coupling;         /* I_c */
  double mixed;            /* Villagrossi 2014 eq. 7 with the weights of the options */
  double worst, mean;      /* relative sigma of the parameters asked for; NaN without prior */
} rbv_score;

typedef struct {
  rbv_columns columns; /* which take part */
  rbv_criterion criterion;
  double
      lambda; /* Villagrossi 2014 eq. 7: weight of the determinant, the coupling has 1 - lambda */
  bool mean;  /* sigma: the mean of the parameters instead of the worst */
  const double *prior; /* values of all columns of the model, or NULL */
  const double *noise; /* standard deviation of every row's torque [N m or N]; NULL: 1 */
  int ntarget;         /* sigma: number of base parameters asked for; 0: all that have a prior */
  const int *target;   /* their indices, or */
  const char *const *target_name; /* their names */
} rbv_excite_options;

RBV_API rbv_excite_options rbv_excite_defaults(void);

typedef struct rbv_excite rbv_excite;

/* The model is borrowed; everything else is copied. options NULL: the defaults. */
RBV_API RBV_MUST_CHECK rbv_status rbv_excite_new(rbv_excite **out, const rbv_model *model,
                                                 const rbv_excite_options *options);
RBV_API void rbv_excite_free(rbv_excite *excite);
RBV_API const rbv_base *rbv_excite_base(const rbv_excite *excite);

/* Recordings that are there already: what is designed comes on top of them. */
RBV_API RBV_MUST_CHECK rbv_status rbv_excite_add(rbv_excite *excite, rbv_motion *motion);

/*
 * Score a motion (with what was added), from the R of all its samples.
 *
 *   sigma     out  one per base parameter: standard deviation of its estimate; may be NULL
 *   coupling  out  columns x columns: |Psi_ij| / sqrt(Psi_ii Psi_jj); may be NULL
 *   motion    in   several are scored together
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_excite_score(rbv_score *score, double *sigma,
                                                   double *coupling, const rbv_excite *excite,
                                                   rbv_motion *const *motion, int count);

/* The same for a regressor (rows x columns, leading dimension ld) of N samples, without a robot. */
RBV_API RBV_MUST_CHECK rbv_status rbv_score_matrix(rbv_score *score, double *coupling,
                                                   const double *W, int rows, int columns, int ld,
                                                   ptrdiff_t samples, double lambda);

/* The number that a criterion minimises. */
RBV_API double rbv_score_value(const rbv_score *score, const rbv_excite_options *options);

/* ---- constraints ---- */

/* normal . x <= offset for every part of the robot that moves; the normal has any length */
typedef struct {
  double normal[3], offset;
} rbv_plane;

/* No part that moves may enter it. */
typedef struct {
  double min[3], max[3];
} rbv_box;

typedef struct {
  const rbv_limits *limits; /* njoint; NULL: the model's */
  const double *center;     /* njoint: pose that motions are scaled around; NULL: looked for */
  const double *prior;      /* values of all columns: torques are checked; NULL: they are not */
  double tool[3];           /* point of the last link */
  double tool_speed;        /* at most [m/s]; 0: any */
  double clearance;         /* between two bodies, and from planes and boxes [m] */
  /* capsules (rbv_model_capsule has the robot's own), planes, boxes */
  int ncapsule, nplane, nbox;
  const rbv_capsule *capsule; /* without any, joint origins and the tool are what moves */
  const rbv_plane *plane;
  const rbv_box *box;
} rbv_constraints;

/*
 * Constraints of a robot, from its own file and a constraints file: YAML with the keys limits,
 * center, tool, tool_speed, clearance, collision, planes, boxes (docs/cli/excite.md).
 */
typedef struct {
  rbv_constraints value; /* what rbv_excite_search takes; points into the arrays below */
  rbv_limits *limits;    /* njoint */
  double *center;        /* njoint; used if value.center points to it */
  bool capsules_given;   /* by the file, even if there are none; otherwise the robot's own */
  void *list[3];         /* memory of capsules, planes, boxes */
} rbv_constraint_set;

/* path NULL: the robot's own limits and capsules. The model is borrowed. */
RBV_API RBV_MUST_CHECK rbv_status rbv_constraint_set_load(rbv_constraint_set **out,
                                                          const rbv_model *model, const char *path);
RBV_API RBV_MUST_CHECK rbv_status rbv_constraint_set_parse(rbv_constraint_set **out,
                                                           const rbv_model *model, const char *name,
                                                           const char *text, size_t size);
RBV_API void rbv_constraint_set_free(rbv_constraint_set *set);

/* What a motion uses of its limits. */
typedef struct {
  double lower, upper;                 /* positions */
  double velocity, acceleration, jerk; /* largest, without sign */
  double torque;                       /* of the motor; NaN without prior */
} rbv_usage;

typedef struct {
  bool feasible;
  char reason[160]; /* the first constraint that is broken, by name; "" */
  double tool_speed;
  double distance; /* smallest between two bodies that must not touch; infinite without capsules */
  double outside;  /* smallest distance from planes and boxes; infinite without them */
} rbv_usage_info;

/*
 * Check a trajectory: positions to jerks by their exact extrema, the rest on a grid of at most
 * step_s, with as much distance kept as the robot could move between two points of it.
 *
 *   usage  out  njoint, may be NULL
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_constraints_check(rbv_usage_info *info, rbv_usage *usage,
                                                        const rbv_model *model,
                                                        const rbv_constraints *constraints,
                                                        const rbv_trajectory *trajectory,
                                                        double step_s);

/*
 * A pose that keeps all constraints at rest: the one given (refused with the constraint that it
 * breaks, RBV_EINPUT), the middle of the ranges, or one that is looked for near it.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_constraints_center(double *center, const rbv_model *model,
                                                         const rbv_constraints *constraints);

/* ---- search ---- */

typedef enum { RBV_SEARCH_GA, RBV_SEARCH_SLSQP } rbv_search;

RBV_API const char *rbv_search_name(rbv_search search);
RBV_API bool rbv_search_parse(rbv_search *out, const char *name);

typedef struct {
  rbv_search search;
  uint64_t seed;
  int threads;
  double budget_s;   /* wall time; 0: until it is done */
  int trajectories;  /* designed together */
  ptrdiff_t samples; /* of each that rank a candidate; 0: as many as its waves need */

  int population,
      generations; /* genetic: Villagrossi 2014 Table 1; one leaves only for a better one */
  double mutation, crossover; /* probability of a gene, of a pair */
  bool polish;                /* afterwards, gradients from the best (not for via points) */

  int starts, iterations; /* slsqp */

  /* Where what was found out of candidates outlives the process; of rbv_search_jobs many jobs. Only
   * the leader of a team has it. NULL: nowhere. */
  const rbv_jobs_store *store;
  ptrdiff_t share, shares; /* of processes that look into each other's stores: rbv_jobs_options */

  const double *low_hz, *high_hz; /* sines: njoint, bounds of the frequencies; NULL: from limits */

  /* called from one thread now and then; false ends the search and keeps the best so far */
  bool (*progress)(void *payload, double seconds, double best, long evaluations);
  void *payload;
} rbv_search_options;

RBV_API rbv_search_options rbv_search_defaults(void);

/* Jobs that a search may come to, for the journal that is its store. What they give depends on
 * everything that the search is given but threads, budget, shares and progress. */
RBV_API ptrdiff_t rbv_search_jobs(const rbv_search_options *options);

typedef struct {
  bool feasible;    /* false: nothing that keeps the constraints and excites all parameters */
  char reason[160]; /* why not */
  bool stopped;     /* by progress */
  bool out_of_time;
  long evaluations;
  double seconds;
  double first, best; /* what the criterion was for the first feasible candidate, and is */
} rbv_search_info;

/*
 * Search trajectories of a shape (its planner's maxima are those of the constraints when NULL).
 * Each keeps every constraint as rbv_constraints_check sees it. In a team, and as one of shares,
 * all processes search, share the judging of candidates, and find the same.
 *
 *   out          out  options->trajectories of them; NULL when info->feasible is false
 *   constraints  in   NULL: the model's limits
 *   shape        in   NULL: the default series
 *   options      in   NULL: the defaults
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_excite_search(rbv_trajectory **out, rbv_search_info *info,
                                                    const rbv_excite *excite,
                                                    const rbv_constraints *constraints,
                                                    const rbv_trajectory_shape *shape,
                                                    const rbv_search_options *options);

/*
 * Value of the criterion and its gradient with respect to the coefficients of trajectories, at
 * `samples` regular times of each: what a gradient search sees. Smooth where the criterion is not:
 * cond by the 16-norms of the singular values, the worst sigma by the 8-norm.
 *
 *   gradient  out  coefficients of all trajectories; NULL: not wanted
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_excite_gradient(double *value, double *gradient,
                                                      const rbv_excite *excite,
                                                      rbv_trajectory *const *trajectory, int count,
                                                      ptrdiff_t samples);

/* NLopt: name of library i that this room stands on, and the version in use; NULL past the last. */
RBV_API const char *rbv_excite_library(int i, char version[64]);

#ifdef __cplusplus
}
#endif
#endif
