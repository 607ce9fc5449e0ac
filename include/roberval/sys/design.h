/*
 * design: find a motion that excites the parameters of a robot, or score a motion that exists
 * (module job). From a robot and options come trajectories that keep all constraints, their score,
 * the standard deviations to expect from an identification, and what the motion uses of its limits.
 * The task excite (<roberval/sys/task.h>) makes it.
 */
#ifndef ROBERVAL_SYS_DESIGN_H
#define ROBERVAL_SYS_DESIGN_H

#include <stdbool.h>

#include <roberval/sys/document.h>
#include <roberval/sys/excite.h>
#include <roberval/sys/model.h>
#include <roberval/sys/motion.h>
#include <roberval/sys/option.h>
#include <roberval/sys/trajectory.h>

RBV_BEGIN_C

/* Texts are borrowed while the design lives. */
typedef struct {
  /* what is searched */
  const char *kind;      /* trajectory class */
  const char *criterion; /* name of rbv_criterion_name */
  const char *search; /* name of rbv_search_name; NULL: slsqp, or ga for classes without gradient */
  const char *columns;  /* "all", "rigid" or "inertial" */
  const char *evaluate; /* score this motion or recording instead of a search; NULL: search */
  double rate_hz;       /* of the motion that is scored and written */

  /* for an identification from positions: method cloe */
  const char *target;    /* "torques" or "positions"; NULL: torques */
  rbv_files controllers; /* positions: one control law per recording that will be made */
  const char *unknown;   /* positions: unknowns of the loop as in the option of identify; or NULL */
  bool known_links;      /* positions: drives alone are estimated */
  double encoder;        /* positions: counts per turn, or per m */

  /* what is known */
  const char *prior;    /* file of parameter values; NULL: the robot's own */
  int robust;           /* torque limits hold for so many drawn robots, too; 0: the prior alone */
  double uncertainty;   /* robust: relative sigma of parameters of which the prior has none */
  const char *noise;    /* result: its noise is expected again; NULL: 1 N m */
  rbv_files recordings; /* the design adds to these */
  rbv_files parameters; /* criterion sigma: names of base parameters; none: all */
  bool mean;            /* criterion sigma: the mean instead of the largest */
  double lambda;        /* criterion mixed: weight of the determinant */

  /* the trajectory */
  double period_s, blend_s, fly_by;
  int harmonics; /* or other terms of a joint; 0: the default of the class */
  int trajectories, periods;
  bool phases, unsynchronised, trapezoid;
  const char *frequencies; /* sines: lowest, then highest of each joint [rad/s] */

  /* the search */
  double budget_s, mutation, crossover;
  int population, generations, starts;
  bool polish;

  /* constraints: a file, then limits of each joint that replace those of the file */
  const char *constraints, *position, *velocity, *acceleration, *jerk, *effort, *center;
  double tool_speed; /* 0: as in the file, or a careful one */

  /* what is assumed about shapes and the place of the robot */
  double link_radius;  /* of links without a shape [m]; 0: from the length of the robot */
  bool floor;          /* the mounting plane is a constraint */
  double floor_height; /* on the z axis of the base frame [m]; NaN: as in the robot file */
  bool unchecked;      /* write files for robots although a check is missing or assumes shapes */

  /* without rows in the table */
  uint64_t seed;
  int threads;
} rbv_design_options;

/* Something that could break the robot, and whether it is checked. */
typedef struct {
  const char *name; /* "tool speed", "torque", "limits", "self-collision", "mounting plane" */
  bool done;
  bool assumed;  /* with limits, or if required with shapes, that neither a file nor an option gives
                  */
  bool required; /* for files that a robot controller runs as they are */
  char *text;    /* one sentence */
} rbv_design_check;

#define RBV_DESIGN_CHECKS 5

/* Limits of a joint that nobody gives, so that careful ones are assumed. */
typedef struct {
  bool velocity, acceleration;
} rbv_assumed_limits;

/* A motion that was scored for positions. */
typedef struct {
  char name[64];   /* "chirp of 10 harmonics" */
  bool possible;   /* it keeps the constraints and the loop follows it */
  int open;        /* unknowns that it does not determine */
  double mean_log; /* mean logarithm of the sigma of the others; smaller is better */
} rbv_design_candidate;

/* What positions can be expected to show of the loop. */
typedef struct {
  char name[32];    /* "delay" */
  const char *unit; /* "s" */
  double sigma;     /* infinite: not determined */
} rbv_design_unknown;

typedef struct {
  const rbv_model *model;     /* borrowed */
  rbv_design_options options; /* in force: with the defaults that depend on the class */
  rbv_excite *excite;
  const rbv_base *base; /* what is to be identified */
  rbv_constraint_set *constraints;
  rbv_assumed_limits *assumed; /* njoint */
  bool assumed_tool_speed;
  double *prior;  /* of all columns, NULL: not known */
  double *robots; /* columns x options.robust: other values that the prior allows */
  double *noise;  /* of all rows, NULL: 1 N m is assumed */
  rbv_design_check check[RBV_DESIGN_CHECKS];

  /* after rbv_design_solve */
  rbv_search_info info;
  const char *device;          /* that scored candidates; NULL: no search */
  int count;                   /* motions */
  rbv_trajectory **trajectory; /* count; NULL: a motion was scored */
  rbv_motion **motion;         /* count */
  rbv_usage *usage;            /* njoint of each; without jerk if a motion was scored */
  rbv_usage_info *used;        /* of each */
  rbv_score score, before;     /* with the design; of the recordings alone */
  bool has_before;             /* there are recordings */
  double *sigma;    /* base->count: expected standard deviation; infinite: not determined */
  double *coupling; /* base->count x base->count */

  /* for positions: sigma above is for white noise of the encoder in every recording */
  int ncandidate, chosen; /* chosen: index, -1: none */
  rbv_design_candidate *candidate;
  int nunknown;
  rbv_design_unknown *unknown;

  struct rbv_design_inside *inside;
} rbv_design;

/* Name of the kind of jobs. */
#define RBV_DESIGN_KIND "excite"

/* How a search runs; as in rbv_search_options. */
typedef struct {
  const rbv_jobs_store *store;
  ptrdiff_t share, shares;
  bool (*progress)(void *payload, double seconds, double best, long evaluations);
  void *payload;
  rbv_device *device; /* for the search ga; NULL: the CPU */
} rbv_design_run;

/* First motion that breaks a constraint, -1: none. After rbv_design_solve. */
RBV_API int rbv_design_broken(const rbv_design *design);

/* |value| of base parameter b in the prior; 0 without one. */
RBV_API double rbv_design_prior(const rbv_design *design, int b);

RBV_END_C
#endif
