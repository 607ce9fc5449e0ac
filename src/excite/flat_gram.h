/* Scoring as the flat records of a device (src/device/device_types.h). */
#ifndef EXCITE_FLAT_GRAM_H
#define EXCITE_FLAT_GRAM_H

#include "device/device_types.h"
#include "excite/excite_internal.h"

typedef struct {
  device_gram gram;           // without samples and individuals
  int place[DEVICE_COLUMNS];  // column of the device of each base parameter
} flat_gram;

/*
 * Records of the rows and base columns. RBV_EUNSUPPORTED, with a sentence: a device cannot score
 * this robot (more than 8 joints or 64 base parameters, a payload, several torques per joint, laws
 * with a state or with the load of the gear, formulas of the robot file).
 */
RBV_MUST_CHECK rbv_status rbv_flat_gram(flat_gram *out, const rbv_excite *excite);

/*
 * Basis of trajectories of a shape at `samples` times (see device_gram_arrays), allocated; and the
 * number of terms. RBV_EUNSUPPORTED: motions are not linear in the coefficients, or joints have
 * different numbers of them.
 */
RBV_MUST_CHECK rbv_status rbv_flat_basis(double **basis, int *terms, const rbv_trajectory *t,
                                         ptrdiff_t samples);

/*
 * The same at given times, with all derivatives below `orders`: derivative d of term p at time k at
 * [(d * terms + p) * samples + k].
 */
RBV_MUST_CHECK rbv_status rbv_flat_basis_at(double **basis, int *terms, const rbv_trajectory *t,
                                            int orders, const double *time, ptrdiff_t samples);

#endif
