/* Experiments of the papers. Each adds comparisons to a reproduction. */
#ifndef PAPERS_PAPERS_INTERNAL_H
#define PAPERS_PAPERS_INTERNAL_H

#include <roberval/sys/identify.h>
#include <roberval/sys/trajectory.h>
#include "papers/papers.h"

#include "base/support.h"
#include "report/plots.h"

#define PAPER_ROWS 16

typedef rbv_status reproduce_run(rbv_reproduction *r, const rbv_reproduce_options *o);

reproduce_run rbv_reproduce_didim;     // Gautier 2011
reproduce_run rbv_reproduce_coupling;  // Villagrossi 2014
reproduce_run rbv_reproduce_a460;      // Radkhah 2007
reproduce_run rbv_reproduce_piv;       // Brunot 2018
reproduce_run rbv_reproduce_lwr;       // Jubien 2014
reproduce_run rbv_reproduce_tx40;      // real recording, for Gautier 2011 and Brunot 2018
reproduce_run rbv_reproduce_emps;      // real recording: the benchmark of the same authors

/* Set the verdict of a row and append it; the format gives its name. */
rbv_status rbv_reproduction_add(rbv_reproduction *r, const rbv_reproduced *row, const char *format,
                                ...) RBV_PRINTF(3, 4);

/* Append a count, which must be equal. */
rbv_status rbv_reproduction_count(rbv_reproduction *r, const char *where, double paper, double ours,
                                  const char *what);

/* Append a number of the paper that cannot be compared. */
rbv_status rbv_reproduction_cannot(rbv_reproduction *r, const char *where, double paper,
                                   double ours, const char *unit, const char *why,
                                   const char *what);

/* Append a number of ours that the paper does not print. */
rbv_status rbv_reproduction_remark(rbv_reproduction *r, const char *where, double ours,
                                   const char *unit, const char *why, const char *what);

/* ---- estimates ---- */

#define REPRODUCE_SIGMAS 4.0  // exceeded by one of 16,000 correct estimates

/* The same as text for the basis of a row. */
extern const char rbv_reproduce_sigma_basis[];

/*
 * Base parameter of a column (by name) and its sigma, which counts coloured residuals. False if it
 * was not estimated.
 */
bool rbv_reproduced_value(double *value, double *sigma, const rbv_estimate *e, const rbv_model *m,
                          const char *name);

/*
 * Before an estimate is appended: if its tolerance reaches the printed value itself, zero would
 * agree too. Such a row is no evidence; it becomes one that cannot be compared.
 */
void rbv_reproduced_check(rbv_reproduced *row);

/*
 * Append how our relative standard deviations of the rows from `first` on compare with the printed
 * ones: the median of ours over theirs, and Spearman's rank correlation. Both are reported only,
 * because the noise of the recordings is not public.
 */
rbv_status rbv_reproduction_percents(rbv_reproduction *r, int first, const char *where,
                                     const char *what);

/* ---- figures ---- */

/* Append a drawing as a figure and free it, also on failure. Texts as in rbv_reproduced_figure. */
rbv_status rbv_reproduction_figure(rbv_reproduction *r, drawing *d, const char *where,
                                   const char *printed);

/* Measured and predicted torque of every row of the model, after a row filter. */
typedef struct {
  int nrow;
  ptrdiff_t count[PAPER_ROWS];
  double *measured[PAPER_ROWS], *predicted[PAPER_ROWS];
  double step_s;  // between two values
  bool force;     // of prismatic joints
  ptrdiff_t most;
  double *memory;
} paper_rows;

/* filter NULL: every sample. Masked rows are left out. */
rbv_status rbv_paper_rows_new(paper_rows *out, const rbv_model *m, rbv_motion *motion,
                              const double *chi, const rbv_row_filter *filter);
void rbv_paper_rows_free(paper_rows *rows);

/* |measured - predicted| / |measured| of one row in the part [from, to), 0 to 1. */
double rbv_paper_rows_error(const paper_rows *rows, int row, double from, double to);

/* Figure: measured torque, prediction and error of a row in the part [from, to). */
typedef struct {
  const char *where, *printed;  // as in rbv_reproduced_figure
  const char *name, *title;     // without and with the row; "cross-validation, IV"
  double from, to;
} paper_plot;
rbv_status rbv_paper_torques(rbv_reproduction *r, const paper_rows *rows, int row,
                             const paper_plot *plot);

/* Figures: autocorrelation, and histogram, of a series. */
#define RBV_PAPER_LAGS 50
rbv_status rbv_paper_autocorrelation(rbv_reproduction *r, const double *e, ptrdiff_t n, int row,
                                     const paper_plot *plot);
rbv_status rbv_paper_histogram(rbv_reproduction *r, const double *e, ptrdiff_t n, int row,
                               const paper_plot *plot);

/* Figure: q (order 0), dq (1) or ddq (2) of the first njoint joints of a motion. */
rbv_status rbv_paper_motion(rbv_reproduction *r, rbv_motion *motion, int order, int njoint,
                            const paper_plot *plot);

/* Figure: relative residual of every iteration. */
rbv_status rbv_paper_convergence(rbv_reproduction *r, const rbv_estimate *e,
                                 const paper_plot *plot);

/*
 * Figures: gain and phase of two controllers, the second one identified.
 *
 *   what  in  "Axis 4"
 *   unit  in  of the gain: "N m/rad"
 *   plot  in  only its `where` and `printed` are used
 */
rbv_status rbv_paper_controllers(rbv_reproduction *r, const plot_transfer laws[2], double rate_hz,
                                 const char *what, const char *unit, const paper_plot *plot);

/* ---- recordings ---- */

/*
 * A motion between random points in `share` of the ranges of the joints; shape as given, with kind,
 * njoint and the points set here.
 */
rbv_status rbv_paper_random_points(rbv_motion **out, const rbv_model *m, rbv_trajectory_shape shape,
                                   double share, double rate_hz, uint64_t seed);

/* Path of a public recording below options->data; false: there is no such file. */
bool rbv_paper_recording(char *path, size_t size, const rbv_reproduce_options *o, const char *file);

typedef struct {
  double motor, joint;  // sigma of the torque noise over sigma of the torque, by channel
  const double *sigma;  // of each row instead [N m]; NULL: the shares
  double hertz;         // corner frequency of the noise, AR(1); 0: white
  uint64_t seed;
} reproduce_noise;

/* Standard deviation of a series. */
double rbv_paper_deviation(const double *x, ptrdiff_t count);

/* A motion with its torques for the given parameters, and noise. */
rbv_status rbv_reproduce_record(rbv_motion **out, const rbv_model *m, const double *chi,
                                rbv_motion *states, bool loaded, const reproduce_noise *noise);

#endif
