/*
 * baseparam: the parameters that torque measurements can identify (Gautier 2011; Radkhah 2007
 * section II.B; Jubien 2014 appendix 1).
 *
 * The columns of the regressor are linearly dependent; the base parameters are the smallest set of
 * combinations that determines every torque. Base parameters of the structure hold for all motions,
 * those of a motion only for that motion: state which ones you show.
 */
#ifndef ROBERVAL_SYS_BASEPARAM_H
#define ROBERVAL_SYS_BASEPARAM_H

#include <stdbool.h>

#include <roberval/sys/base.h>
#include <roberval/sys/model.h>

RBV_BEGIN_C

typedef enum {
  RBV_CATEGORY_UNIDENTIFIABLE, /* has no effect on any measured torque */
  RBV_CATEGORY_ALONE,          /* in the base set by itself */
  RBV_CATEGORY_BASE,           /* in the base set, with others regrouped into it */
  RBV_CATEGORY_COMBINED        /* acts only in combination, regrouped into others */
} rbv_category;

/* Which columns take part. */
typedef enum {
  RBV_COLUMNS_ALL,
  RBV_COLUMNS_RIGID,   /* links and rotors */
  RBV_COLUMNS_INERTIAL /* links (and payload) alone */
} rbv_columns;

/* The word of a set, "all", "rigid" or "inertial"; NULL past the last. Is the column in a set? */
RBV_API const char *rbv_columns_name(int columns);
RBV_API bool rbv_columns_have(rbv_columns columns, const rbv_model *model, int column);

typedef struct {
  rbv_columns columns;
  bool distal;      /* link frames at the far end of the link (classical Denavit-Hartenberg) */
  double tolerance; /* a pivot below this fraction of the largest counts as zero */
} rbv_base_options;

RBV_API rbv_base_options rbv_base_defaults(void);

/* The result. Kept columns are in ascending order; read-only for the user. */
struct rbv_base {
  int count;                 /* base parameters */
  int ncolumn;               /* columns of the model */
  int *kept;                 /* count: column of each base parameter */
  char **name;               /* count: name of the column, with R if others are regrouped into it */
  double *relation;          /* count x ncolumn, column-major: chi_base = relation * chi */
  rbv_category *category;    /* ncolumn; columns that take no part are UNIDENTIFIABLE */
  double gap;                /* last accepted over first rejected pivot */
  double accepted, rejected; /* those pivots, columns scaled to unit norm */
};

/*
 * Base parameters of the structure, from random states. If no clear gap shows the rank, the call
 * fails (RBV_ENUM). A state in which a column of the robot file is not finite is drawn again within
 * the joint limits; if there are no limits, or no such state is found, the call fails too
 * (RBV_ENUM) and the message names the column.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_base_new(rbv_base **out, const rbv_model *model,
                                               const rbv_base_options *options);

/*
 * Base parameters for one motion: R is the triangle of its regressor W over all columns of the
 * model (ncolumn x ncolumn, column-major; any matrix with the same W'W can be used).
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_base_of_motion(rbv_base **out, const rbv_model *model,
                                                     const double *R,
                                                     const rbv_base_options *options);

/* Remove base parameters whose column is false here (one value per column of the model). */
RBV_API void rbv_base_restrict(rbv_base *base, const bool *columns);

/* Base values of a parameter vector: count elements. */
RBV_API void rbv_base_values(double *values, const rbv_base *base, const double *chi);

/* A full parameter vector with the base values at their columns, zero elsewhere. */
RBV_API void rbv_base_expand(double *chi, const rbv_base *base, const double *values);

/* Base parameters that act on each torque row of the model: unknowns of its equations. */
RBV_API void rbv_base_row_counts(int *unknowns, const rbv_base *base, const rbv_model *model);

RBV_END_C
#endif
