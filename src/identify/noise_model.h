/*
 * The noise of every torque row, and the row filter that undoes it (Brunot 2018 section 4):
 *
 *   epsilon_j = C_j(z) / A_j(z) e_j,   e_j white with variance lambda_j,
 *
 * C_j the controller of the row's joint, A_j autoregressive. Rows, columns and instruments go
 * through lambda_j^-1/2 A_j C_j^-1, which makes e_j / sqrt(lambda_j) of the noise.
 *
 * Where transmissions couple joints the rows are still those of the joints, and each has the
 * controller of its own joint. Encoders on the motors' side mix the noise of several positions into
 * one row, which its A_j takes up; that rows are then correlated with each other is left aside, as
 * the diagonal noise model of Brunot 2018 has it.
 */
#ifndef IDENTIFY_NOISE_MODEL_H
#define IDENTIFY_NOISE_MODEL_H

#include <roberval/sys/signal.h>

#include "identify/identify_internal.h"

struct identify_noise {
  rbv_row_shape *shape;  // nrow: in use
  rbv_ar *ar;            // nrow: in use
  ptrdiff_t settle;      // samples until the inverse controllers have forgotten their start
  int limited;           // decimation that limits the band to that of the motion; 1: none
  int fits;              // so far, in this band
  ptrdiff_t count;       // samples of all motions
  double *series;        // count x nrow: residual as the position noise that explains it
  ptrdiff_t *filled;     // nrow: rows of it
  double *power;         // nrow: squares of the torque through the same filter
};

/* Inverts the controllers; one whose zeros are not stable is refused. */
RBV_MUST_CHECK rbv_status rbv_noise_new(identify_noise **out, const identify_run *r);
void rbv_noise_free(identify_noise *noise);

/* Fit the noise to the residual of chi; r->filter becomes the one that whitens it. */
RBV_MUST_CHECK rbv_status rbv_noise_fit(identify_noise *noise, identify_run *r, const double *chi);

/* Relative error of chi through the plain row filter. */
RBV_MUST_CHECK rbv_status rbv_noise_residual(double *relative, const identify_run *r,
                                             const double *chi);

/*
 * From now on rows hold only what is below about 200 Hz, at the rate that this needs: the inverse
 * controller still works at the full rate, the noise is modelled at that of the rows.
 */
void rbv_noise_limit(identify_noise *noise, const identify_run *r);
bool rbv_noise_can_limit(const identify_noise *noise, const identify_run *r);

/* The band that is left; 0: all of it. */
double rbv_noise_band_hz(const identify_noise *noise, const identify_run *r);

/* Has this column nothing left after the row filter, because it is constant? */
bool rbv_noise_hides(const identify_noise *noise, const rbv_model *model, int column);

#endif
