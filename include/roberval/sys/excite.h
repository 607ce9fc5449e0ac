/*
 * excite: which motion identifies a robot best. Criteria on the regressor of a motion, constraints
 * of the motion, and the search for the best motion that keeps them.
 *
 * Papers: Villagrossi 2014 (coupling index eq. 5, mixed fitness eq. 7, normalised determinant eq.
 * 9, genetic algorithm), Radkhah 2007 (D-optimality, starts by eq. 7-8). Reported scores come from
 * a QR of all samples; a search ranks candidates by Gram matrices.
 */
#ifndef ROBERVAL_SYS_EXCITE_H
#define ROBERVAL_SYS_EXCITE_H

#include <stdbool.h>

#include <roberval/sys/base.h>
#include <roberval/sys/baseparam.h>
#include <roberval/sys/device.h>
#include <roberval/sys/model.h>
#include <roberval/sys/motion.h>
#include <roberval/sys/trajectory.h>

RBV_BEGIN_C

/* ---- criteria ---- */

typedef enum {
  RBV_CRITERION_COND,        /* condition number, columns scaled to unit norm */
  RBV_CRITERION_DOPT,        /* -log det(W' S^-1 W) */
  RBV_CRITERION_DETERMINANT, /* Villagrossi 2014 eq. 9, sign reversed: no noise, the same for any N
                              */
  RBV_CRITERION_COUPLING,    /* I_c, Villagrossi 2014 eq. 5 */
  RBV_CRITERION_MIXED,       /* Villagrossi 2014 eq. 7, sign reversed */
  RBV_CRITERION_SIGMA        /* relative standard deviation of the target parameters */
} rbv_criterion;

RBV_API const char *rbv_criterion_name(rbv_criterion criterion); /* "cond", "dopt", ... */
RBV_API bool rbv_criterion_parse(rbv_criterion *out, const char *name);

/* Quality of a regressor. Infinite, or NaN for the sigmas, if the columns are dependent. */
typedef struct {
  int columns;             /* base parameters */
  ptrdiff_t samples;       /* N */
  double condition;        /* of W as it is */
  double condition_scaled; /* with columns of unit norm */
  double dopt;             /* -log det(W' S^-1 W), S from the noise of the rows */
  double determinant;      /* log10(det(W'W) / N^columns): Villagrossi 2014 eq. 9 */
  double coupling;         /* I_c */
  double mixed;            /* Villagrossi 2014 eq. 7 with the weights of the options */
  double worst, mean;      /* relative sigma of the target parameters; NaN without prior */
} rbv_score;

typedef struct {
  rbv_columns columns; /* that are identified */
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

/* Add a motion that was recorded before: scores and designs are for it and the new motion together.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_excite_add(rbv_excite *excite, rbv_motion *motion);

/*
 * Score motions together with those that were added, from the triangle R of all samples.
 *
 *   sigma     out  one per base parameter: standard deviation of its estimate; may be NULL
 *   coupling  out  columns x columns: |Psi_ij| / sqrt(Psi_ii Psi_jj); may be NULL
 *   motion    in   count of them, may be 0
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_excite_score(rbv_score *score, double *sigma,
                                                   double *coupling, const rbv_excite *excite,
                                                   rbv_motion *const *motion, int count);

/* The same for a regressor (rows x columns, leading dimension ld) of N samples, without a robot. */
RBV_API RBV_MUST_CHECK rbv_status rbv_score_matrix(rbv_score *score, double *coupling,
                                                   const double *W, int rows, int columns, int ld,
                                                   ptrdiff_t samples, double lambda);

/* The value that the criterion of the options minimises. */
RBV_API double rbv_score_value(const rbv_score *score, const rbv_excite_options *options);

/* ---- constraints ---- */

/* normal . x <= offset for every part of the robot that moves; the normal has any length */
typedef struct {
  double normal[3], offset;
  bool base; /* the mounting plane: parts whose height above it never changes are not compared */
} rbv_plane;

/* No part that moves may enter the box. */
typedef struct {
  double min[3], max[3];
} rbv_box;

typedef struct {
  const rbv_limits *limits; /* njoint; NULL: the model's */
  const double *center;     /* njoint: pose about which motions are scaled; NULL: it is searched */
  const double *prior; /* values of all columns, to check torques; NULL: torques are not checked */
  const double
      *robots;       /* ncolumn x nrobot: other possible values, whose torques are checked, too */
  int nrobot;        /* 0: none; needs a prior */
  double tool[3];    /* point of the last link */
  double tool_speed; /* of the tool and of each joint, at most [m/s]; 0: any */
  double clearance;  /* between two bodies, and from planes and boxes [m] */
  /* capsules (rbv_model_capsule has the robot's own), planes, boxes */
  int ncapsule, nplane, nbox;
  const rbv_capsule *capsule; /* without any, joint origins and the tool are compared with planes
                                 and boxes, and nothing with each other */
  const rbv_plane *plane;
  const rbv_box *box;
} rbv_constraints;

/* What a robot is mounted on. */
typedef enum { RBV_MOUNT_FLOOR, RBV_MOUNT_WALL, RBV_MOUNT_CEILING } rbv_mount;

RBV_API const char *rbv_mount_name(rbv_mount mount); /* "floor", "wall", "ceiling"; "?" */

/*
 * Constraints of a robot, from its own file and a constraints file: YAML with the keys limits,
 * center, tool, tool_speed, clearance, collision, planes, boxes (docs/cli/excite.md).
 */
typedef struct {
  rbv_constraints value; /* what rbv_excite_search takes; points into the arrays below */
  rbv_limits *limits;    /* njoint */
  double *center;        /* njoint; used if value.center points to it */
  bool capsules_given;   /* by the file, even if there are none; otherwise the robot's own */
  double radius;         /* of assumed capsules; 0: there are none */
  bool mounted;          /* the last plane is the mounting plane */
  rbv_mount mount;       /* on what */
  void *list[3];         /* memory of capsules, planes, boxes */
} rbv_constraint_set;

/* path NULL: the robot's own limits and capsules. The model is borrowed. */
RBV_API RBV_MUST_CHECK rbv_status rbv_constraint_set_load(rbv_constraint_set **out,
                                                          const rbv_model *model, const char *path);
RBV_API RBV_MUST_CHECK rbv_status rbv_constraint_set_parse(rbv_constraint_set **out,
                                                           const rbv_model *model, const char *name,
                                                           const char *text, size_t size);
RBV_API void rbv_constraint_set_free(rbv_constraint_set *set);

/*
 * Without a tool, it becomes the farthest point of the last link: of its frames, its shapes, or
 * twice its centre of mass. Add a capsule to every link without one: between its joint origins, for
 * the last link up to its farthest fixed frame, to the tool or to twice its centre of mass. A
 * constraints file with an empty list of capsules gets none.
 *
 *   radius  in  [m]; 0: 5 % of the length of the robot
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_constraint_set_assume(rbv_constraint_set *set,
                                                            const rbv_model *model, double radius);

/*
 * Add the mounting plane z = height of the base frame. The robot is on the side of +z, or, where
 * `mount` and the direction of gravity say so, of -z.
 *
 *   mount   in  NULL: from gravity, which is along -z (floor), along +z (ceiling) or across (wall)
 *   height  in  [m]
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_constraint_set_mount(rbv_constraint_set *set,
                                                           const rbv_model *model,
                                                           const rbv_mount *mount, double height);

/* What a motion uses of its limits. */
typedef struct {
  double lower, upper;                 /* positions */
  double velocity, acceleration, jerk; /* largest, without sign */
  double torque;                       /* of the motor; NaN without prior */
} rbv_usage;

typedef struct {
  bool feasible;
  char reason[160]; /* the first constraint that is broken; "" */
  double tool_speed;
  double distance; /* smallest between two bodies that must not touch; infinite without capsules */
  double outside;  /* smallest distance from planes and boxes; infinite without them */
} rbv_usage_info;

/*
 * Links whose shapes overlap in every pose and are therefore not compared with each other. Only
 * capsules around the geometry of a URDF and assumed ones are left out.
 *
 *   pair   out  most x 2 links
 *   count  out  how many there are, also if there is no room for all
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_constraints_overlaps(int (*pair)[2], int most, int *count,
                                                           const rbv_model *model,
                                                           const rbv_constraints *constraints);

/*
 * Check a trajectory: positions, velocities, accelerations and jerks by their exact extrema, the
 * rest on a grid of at most step_s, which takes into account how far the robot can move between two
 * points of it.
 *
 *   usage  out  njoint, may be NULL
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_constraints_check(rbv_usage_info *info, rbv_usage *usage,
                                                        const rbv_model *model,
                                                        const rbv_constraints *constraints,
                                                        const rbv_trajectory *trajectory,
                                                        double step_s);

/*
 * The same for a sampled motion, at its samples and on straight lines between them; jerks are not
 * checked. Limits may be exceeded by 0.5 %, which rounding and filters explain.
 *
 *   usage  out  njoint
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_constraints_check_motion(rbv_usage_info *info,
                                                               rbv_usage *usage,
                                                               const rbv_model *model,
                                                               const rbv_constraints *constraints,
                                                               rbv_motion *motion);

/*
 * A pose that keeps all constraints at rest: the given one (RBV_EINPUT with the constraint if it
 * breaks one), the middle of the ranges, or one that is searched near it.
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
  double budget_s;   /* wall time; 0: no limit */
  int trajectories;  /* designed together */
  ptrdiff_t samples; /* of each trajectory, to rank a candidate; 0: from its number of waves */

  int population, generations; /* genetic: Villagrossi 2014 Table 1 */
  double mutation, crossover;  /* probability for a gene, for a pair */
  bool polish;                 /* afterwards, a gradient search from the best (smooth classes) */

  int starts, iterations; /* slsqp */

  /* Keeps the results of candidates, so that another process can continue; for rbv_search_jobs many
   * jobs. Only the leader of a team has it. NULL: none. */
  const rbv_jobs_store *store;
  ptrdiff_t share, shares; /* of processes that read each other's stores: rbv_jobs_options */

  /* Repairs and scores the individuals of the genetic search, a generation at a time. Repair is on
   * a grid of samples; the best of every generation and the result are repaired, checked and scored
   * on the CPU. NULL: the CPU. Factors and values differ a little, so that the search finds another
   * result. RBV_EUNSUPPORTED: it cannot score this robot or class. */
  rbv_device *device;

  const double *low_hz, *high_hz; /* sines: njoint, bounds of the frequencies; NULL: from limits */

  /* called from one thread from time to time; false ends the search and keeps the best so far */
  bool (*progress)(void *payload, double seconds, double best, long evaluations);
  void *payload;
} rbv_search_options;

RBV_API rbv_search_options rbv_search_defaults(void);

/* Largest number of jobs of a search, for the journal that is its store. Their results depend on
 * all inputs of the search except threads, budget, shares and progress. */
RBV_API ptrdiff_t rbv_search_jobs(const rbv_search_options *options);

typedef struct {
  bool feasible;    /* false: no candidate keeps the constraints and excites all parameters */
  char reason[160]; /* why not */
  bool stopped;     /* by progress */
  bool out_of_time;
  long evaluations;
  double seconds;
  double first,
      best; /* value of the criterion of the first feasible candidate, and of the result */
} rbv_search_info;

/*
 * Search trajectories of a shape (maxima of the planner that are NULL are those of the
 * constraints). Each keeps every constraint by rbv_constraints_check. In a team, and among shares,
 * all processes search, share the evaluation of candidates, and find the same result.
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
 * `samples` regular times of each, as a gradient search uses them. Criteria that are not smooth are
 * approximated: cond by the 16-norms of the singular values, the worst sigma by the 8-norm.
 *
 *   gradient  out  coefficients of all trajectories; NULL: not wanted
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_excite_gradient(double *value, double *gradient,
                                                      const rbv_excite *excite,
                                                      rbv_trajectory *const *trajectory, int count,
                                                      ptrdiff_t samples);

RBV_END_C
#endif
