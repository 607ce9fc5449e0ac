/* What other modules of the library use of equations, beside its public header. */
#ifndef EQUATIONS_EQUATIONS_H
#define EQUATIONS_EQUATIONS_H

#include <roberval/sys/equations.h>

/* ---- rows ---- */

/* Pass band of the decimation of prefiltered rows, as a fraction of their Nyquist frequency, and
 * that without prefilter: a gap in the spectrum could not be whitened afterwards. */
#define RBV_PREFILTER_BAND 0.95
#define RBV_ROW_BAND 0.8

/* The decimation of a row filter. */
rbv_decimate_options rbv_row_filter_decimation(const rbv_row_filter *filter);

/* Joints that stand still in all motions (rbv_still_joints), as bits for rbv_row_filter. Their
 * friction may have any value below stiction, so their torques must not be used. */
RBV_MUST_CHECK rbv_status rbv_find_still_joints(uint64_t *still, rbv_motion *const *motions,
                                                int nmotion);

/*
 * Reduce the decimation, and widen its band, until every torque row has at least three equations
 * per unknown after decimation and mask. A decimation of 1 is not changed.
 *
 *   filter    in, out
 *   unknowns  in  base parameters that act in each torque row of the model
 *   share     in  share of the rows that is used, 0 to 1
 */
RBV_MUST_CHECK rbv_status rbv_row_filter_limit(rbv_row_filter *filter, const rbv_model *model,
                                               rbv_motion *const *motions, int nmotion,
                                               const int *unknowns, double share);

/*
 * Typical top speed of each joint: 99 % of the samples of a motion are slower. Of several motions
 * the fastest counts.
 *
 *   top  out  njoint [rad/s or m/s]
 */
RBV_MUST_CHECK rbv_status rbv_typical_speeds(double *top, rbv_motion *const *motions, int nmotion,
                                             int threads);

/*
 * Compute the speeds for fade: `share` times the typical top speed of each joint.
 *
 *   fade  out  njoint [rad/s or m/s]
 */
RBV_MUST_CHECK rbv_status rbv_row_filter_fade(double *fade, rbv_motion *const *motions, int nmotion,
                                              double share);

/* One row group. All pointers stay owned by the system. */
typedef struct {
  int row;           /* torque row of the model */
  int motion;        /* index in the order of rbv_equations_add */
  int fold;          /* block of that motion, in order of time */
  int ncolumn;       /* columns of the system that can be non-zero in this row */
  const int *column; /* their positions in the column list of the system */
  const double *R;   /* (ncolumn + 1) square: R factor of [W | Y] */
  const double *RZ;  /* (2 ncolumn + 1) square: of [Z | W | Y]; NULL without instruments */
  ptrdiff_t rows;    /* number of equations */
  ptrdiff_t masked;  /* number of equations left out */
} rbv_group;

/*
 * The same with instruments Z: the regressor of another motion with the same samples, for example a
 * simulated one, whose noise is independent of the measured one. Row filter and mask are the same.
 */
RBV_MUST_CHECK rbv_status rbv_equations_add_with(rbv_equations *system, rbv_motion *motion,
                                                 rbv_motion *instruments);

/* Remove all groups and use another filter from now on (NULL: as in rbv_equations_new). */
void rbv_equations_set_filter(rbv_equations *system, const rbv_row_filter *filter);

/* Divide the motions that are added from now on into this number of blocks of equal length. */
void rbv_equations_set_folds(rbv_equations *system, int folds);

/* Deal the blocks of motions that are added from now on. */
void rbv_equations_set_deal(rbv_equations *system, rbv_deal deal);

/*
 * Limit outliers, from the next rbv_equations_add on: a measured torque that differs from the
 * prediction with chi (all columns of the model, copied) by more than limit (one per row of the
 * model, copied) is moved to that limit. This is done before any filter, because a filter would
 * spread an outlier to its neighbours. NULL switches it off.
 */
RBV_MUST_CHECK rbv_status rbv_equations_clip(rbv_equations *system, const double *chi,
                                             const double *limit);

/*
 * Parameters (all columns of the model, copied) from which the torque through the gears is
 * computed, for laws that depend on it; from the next rbv_equations_add on. A model with such a law
 * needs them.
 */
RBV_MUST_CHECK rbv_status rbv_equations_set_load(rbv_equations *system, const double *chi);

int rbv_equations_group_count(const rbv_equations *system);
const rbv_group *rbv_equations_group(const rbv_equations *system, int g);

/*
 * Merge the R factors of all groups, each divided by the sigma of its row.
 *
 *   R      out  (ncolumn + ny) square, of [W | Y] over the columns of the system. Y is one column;
 *               with per_joint there is one column per joint with its torque (ny = njoint)
 *   rows   out  number of equations; may be NULL
 *   sigma  in   one per row of the model; NULL: no weights
 *   count  in   how many times each group is used, one per group; NULL: once
 */
RBV_MUST_CHECK rbv_status rbv_equations_stack(double *R, ptrdiff_t *rows,
                                              const rbv_equations *system, const double *sigma,
                                              const int *count, bool per_joint);

/*
 * Merge the R factors of [Z | W | Y] of all groups, (2 ncolumn + 1) square. Every group must have
 * instruments. The weights are also applied to Z.
 */
RBV_MUST_CHECK rbv_status rbv_equations_stack_instruments(double *R, ptrdiff_t *rows,
                                                          const rbv_equations *system,
                                                          const double *sigma, const int *count);

/* |Y - W x|^2 and |Y|^2 of a group; x over the columns of the system. */
void rbv_equations_residual(double *rss, double *yy, const rbv_equations *system, int group,
                            const double *x);

/*
 * Standard deviation of the residual of one model row in its own least-squares fit over all
 * motions, dof = rows - rank. The fit has minimum norm, because a single joint is rank deficient.
 * count as above.
 */
RBV_MUST_CHECK rbv_status rbv_equations_row_sigma(double *sigma, const rbv_equations *system,
                                                  int row, const int *count);

#endif
