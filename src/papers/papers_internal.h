/* Experiments of the papers: one row of a table each, which adds comparisons to a reproduction. */
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

/* Judge a row and append it; its name is printed from the format. */
rbv_status rbv_reproduction_add(rbv_reproduction *r, const rbv_reproduced *row, const char *format,
                                ...) RBV_PRINTF(3, 4);

/* A count, which has no tolerance. */
rbv_status rbv_reproduction_count(rbv_reproduction *r, const char *where, double paper, double ours,
                                  const char *what);

/* A number of the paper that nothing here can be compared with. */
rbv_status rbv_reproduction_cannot(rbv_reproduction *r, const char *where, double paper,
                                   double ours, const char *unit, const char *why,
                                   const char *what);

/* ---- estimates ---- */

#define REPRODUCE_SIGMAS 4.0  // one of 16,000 honest estimates is farther off

/* The same as the basis of a row. */
extern const char rbv_reproduce_sigma_basis[];

/*
 * Base parameter in the slot of a column (by name) and its honest sigma: that of the covariance
 * times what the residual's colour makes of it. False when it was not estimated.
 */
bool rbv_reproduced_value(double *value, double *sigma, const rbv_estimate *e, const rbv_model *m,
                          const char *name);

/* ---- recordings ---- */

typedef struct {
  double motor, joint;  // deviation of the torque noise over that of the row's torque, by channel
  double hertz;         // corner of the noise, AR(1); 0: white
  uint64_t seed;
} reproduce_noise;

/* A motion with the torques that parameters give it, and noise. */
rbv_status rbv_reproduce_record(rbv_motion **out, const rbv_model *m, const double *chi,
                                rbv_motion *states, bool loaded, const reproduce_noise *noise);

#endif
