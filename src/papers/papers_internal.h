/* Experiments of the papers. Each adds comparisons to a reproduction. */
#ifndef PAPERS_PAPERS_INTERNAL_H
#define PAPERS_PAPERS_INTERNAL_H

#include <roberval/sys/identify.h>
#include "papers/papers.h"

#include "base/support.h"

typedef rbv_status reproduce_run(rbv_reproduction *r, const rbv_reproduce_options *o);

reproduce_run rbv_reproduce_didim;     // Gautier 2011
reproduce_run rbv_reproduce_coupling;  // Villagrossi 2014
reproduce_run rbv_reproduce_a460;      // Radkhah 2007
reproduce_run rbv_reproduce_piv;       // Brunot 2018
reproduce_run rbv_reproduce_lwr;       // Jubien 2014

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

/* ---- estimates ---- */

#define REPRODUCE_SIGMAS 4.0  // exceeded by one of 16,000 correct estimates

/* The same as text for the basis of a row. */
extern const char rbv_reproduce_sigma_basis[];

/*
 * Base parameter of a column (by name) and its sigma: that of the covariance times the inflation by
 * coloured residuals. False if it was not estimated.
 */
bool rbv_reproduced_value(double *value, double *sigma, const rbv_estimate *e, const rbv_model *m,
                          const char *name);

/* ---- recordings ---- */

typedef struct {
  double motor, joint;  // sigma of the torque noise over sigma of the torque, by channel
  double hertz;         // corner frequency of the noise, AR(1); 0: white
  uint64_t seed;
} reproduce_noise;

/* A motion with its torques for the given parameters, and noise. */
rbv_status rbv_reproduce_record(rbv_motion **out, const rbv_model *m, const double *chi,
                                rbv_motion *states, bool loaded, const reproduce_noise *noise);

#endif
