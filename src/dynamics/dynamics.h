/* For other modules: what programs do not need. */
#ifndef DYNAMICS_DYNAMICS_H
#define DYNAMICS_DYNAMICS_H

#include <roberval/sys/dynamics.h>

/* Largest speed among the origins of the joint frames and a point of the last link [m/s], of a
 * chain without mimic joints. Between two origins no point of the line between them is faster. */
double rbv_dynamics_top_speed(rbv_dynamics *d, const double *q, const double *dq,
                              const double point[3]);

/*
 * Remove from torques, or from columns of regressors, what forces at the contact points of the
 * model can make. Without contact points nothing changes.
 *
 *   X  in, out  njoint x columns: row r of column c of sample k at [k + (r + c njoint) ld]
 *   s  in       positions and contacts
 */
void rbv_contacts_eliminate(double *X, ptrdiff_t ld, int columns, rbv_dynamics *d,
                            const rbv_states *s);

/*
 * Add to predicted torques the forces at the contact points that explain the measured ones best, so
 * that their difference is what no force can make. Without contact points nothing changes.
 *
 *   predicted, measured  in  njoint rows, as X above with one column
 */
void rbv_contacts_add(double *predicted, const double *measured, ptrdiff_t ld, rbv_dynamics *d,
                      const rbv_states *s);

#endif
