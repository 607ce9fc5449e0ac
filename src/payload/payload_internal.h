/* Shared by the files of this module; not installed. */
#ifndef PAYLOAD_PAYLOAD_INTERNAL_H
#define PAYLOAD_PAYLOAD_INTERNAL_H

#include <roberval/sys/stats.h>
#include "payload/payload.h"

#include "base/support.h"
#include "payload/small_fit.h"

/* The body from a solution. at: unknown of each inertial parameter, -1: none. */
RBV_MUST_CHECK rbv_status rbv_body_take(rbv_body_estimate *out, const small_solution *s,
                                        const small_fit *fit, const int at[RBV_INERTIAL]);

/* Factor of a spread over few parts, see rbv_jackknife. */
RBV_MUST_CHECK rbv_status rbv_student_factor(double *out, int npart);

/*
 * The part of the uncertainty that comes from the arm. C: sum of w x (row of the arm's columns), n
 * x ncolumn, over all equations: an error d of the arm's parameters changes the unknowns by
 * -inverse C d.
 */
RBV_MUST_CHECK rbv_status rbv_body_add_arm(rbv_body_estimate *out, const small_solution *s,
                                           const small_fit *fit, const int at[RBV_INERTIAL],
                                           const double *C, const rbv_known_arm *arm);

#endif
