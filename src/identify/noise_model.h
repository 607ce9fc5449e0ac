/*
 * Noise model of every torque row, and the row filter that whitens it (Brunot 2018 section 4):
 *
 *   epsilon_j = C_j(z) / A_j(z) e_j,   e_j white with variance lambda_j,
 *
 * where C_j is the controller of the joint of the row (1 for methods without a simulated loop,
 * whose noise is that of the torque) and A_j is autoregressive. Rows, columns and instruments are
 * filtered with lambda_j^-1/2 A_j C_j^-1, which turns the noise into e_j / sqrt(lambda_j).
 *
 * If transmissions couple joints, the rows are still those of the joints, each with the controller
 * of its own joint. Encoders on the motor side mix the noise of several positions into one row; A_j
 * models it. The resulting correlation between rows is neglected, as in the diagonal noise model of
 * Brunot 2018.
 */
#ifndef IDENTIFY_NOISE_MODEL_H
#define IDENTIFY_NOISE_MODEL_H

#include <roberval/sys/signal.h>

#include "identify/identify_internal.h"

// fits that choose the order; an order that keeps changing would move the estimate
#define NOISE_ORDER_FITS 3

struct identify_noise {
  rbv_row_prefilter *prefilter;  // nrow: present prefilters
  rbv_ar *ar;                    // nrow: present AR models
  ptrdiff_t settle;   // samples until the inverse controllers have forgotten their initial state
  int limited;        // decimation factor that limits the band; 1: not limited
  int fits;           // number of fits in this band so far
  ptrdiff_t count;    // samples of all motions
  double *series;     // count x nrow: residual filtered with the inverse controllers
  ptrdiff_t *filled;  // nrow: number of samples in it
  double *power;      // nrow: sum of squares of the torque after the same filter
};

/*
 * Invert the controllers. Their integrators, and any slow pole that an AR model cannot represent,
 * are left out of the inverse: the row filter then keeps low frequencies and constants. Refused
 * if the zeros of a controller are not inside the unit circle.
 */
RBV_MUST_CHECK rbv_status rbv_noise_new(identify_noise **out, const identify_run *r);
void rbv_noise_free(identify_noise *noise);

/* Fit the noise model to the residual of chi; r->filter becomes the filter that whitens it. */
RBV_MUST_CHECK rbv_status rbv_noise_fit(identify_noise *noise, identify_run *r, const double *chi);

/* Relative error of chi through the plain row filter. */
RBV_MUST_CHECK rbv_status rbv_noise_residual(double *relative, const identify_run *r,
                                             const double *chi);

/*
 * Test whether what the estimate leaves of the torque is noise. If it is, plain and whitened rows
 * give the same parameters, and piv predicts the plain rows as well as an estimate from plain rows,
 * except for the errors of both estimates. If terms are missing in the model, the residual depends
 * on the motion; whitening then removes part of the torque that the parameters are estimated from,
 * and piv predicts the plain rows worse.
 *
 * Statistic: the increase of the sum of squares of all plain rows, each relative to its residual
 * with the estimate from plain rows, divided by the number of parameters. The number of rows is
 * reduced by the inflation of the variance that their colour causes. It then has an F distribution.
 *
 *   chi         in  estimate of piv
 *   unfiltered  in  estimate from plain rows: the first iteration
 */
typedef struct {
  bool holds;                 // p is at least 0.001
  double p;                   // NaN: the residual is zero or too short, and there is no test
  double error, plain_error;  // relative error of the plain rows: piv, estimate from plain rows
} noise_check;

RBV_MUST_CHECK rbv_status rbv_noise_check(noise_check *out, const identify_run *r,
                                          const double *chi, const double *unfiltered,
                                          int unknowns);

/*
 * Limit the rows to frequencies below about 200 Hz from now on, at the sample rate that this needs.
 * The inverse controllers still work at the full rate, the AR models at the rate of the rows.
 */
void rbv_noise_limit(identify_noise *noise, const identify_run *r);
bool rbv_noise_can_limit(const identify_noise *noise, const identify_run *r);

/* Band of the rows; 0: not limited. */
double rbv_noise_band_hz(const identify_noise *noise, const identify_run *r);

#endif
