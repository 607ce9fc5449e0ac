#include "signal/filter_design.h"

#include <math.h>

#include "base/support.h"

static rbv_status check_band(int order, double cutoff_hz, double rate_hz) {
  if (order < 1 || order > 2 * RBV_SOS_MAX)
    return rbv_fail(RBV_EARG, "filter order %d: orders 1 to %d are supported", order,
                    2 * RBV_SOS_MAX);
  if (!(rate_hz > 0) || !isfinite(rate_hz))
    return rbv_fail(RBV_EARG, "sampling rate %g Hz must be positive", rate_hz);
  if (!(cutoff_hz > 0 && cutoff_hz < rate_hz / 2))
    return rbv_fail(RBV_EARG, "cut-off %g Hz must lie between 0 and the Nyquist frequency %g Hz",
                    cutoff_hz, rate_hz / 2);
  return RBV_OK;
}

/*
 * Place the poles on an ellipse with half axes a (real) and b (imaginary), at equal steps of the
 * angle phi from the negative real axis: a circle for Butterworth, an ellipse for Chebyshev.
 * Prewarping puts the cut-off at tan(pi f_c / f_s).
 */
static void place_poles(rbv_lowpass *f, int order, double a, double b, double cutoff_hz,
                        double rate_hz) {
  const double warped = tan(RBV_PI * cutoff_hz / rate_hz);
  const int odd = order % 2;
  f->order = order;
  f->npole = (order + 1) / 2;
  for (int m = 0; m < f->npole; m++) {
    const double phi = RBV_PI * (2 * m + 1 - odd) / (2.0 * order);
    f->s[m] = rbv_complex(-a * cos(phi) * warped, odd && m == 0 ? 0 : b * sin(phi) * warped);
  }
}

rbv_status rbv_lowpass_butterworth(rbv_lowpass *f, int order, double cutoff_hz, double rate_hz) {
  RBV_TRY(check_band(order, cutoff_hz, rate_hz));
  f->dc = 1;
  place_poles(f, order, 1, 1, cutoff_hz, rate_hz);
  return RBV_OK;
}

rbv_status rbv_lowpass_chebyshev1(rbv_lowpass *f, int order, double ripple_db, double cutoff_hz,
                                  double rate_hz) {
  RBV_TRY(check_band(order, cutoff_hz, rate_hz));
  if (!(ripple_db > 0 && ripple_db <= 20))
    return rbv_fail(RBV_EARG, "ripple %g dB must be above 0 and at most 20", ripple_db);
  // |H|^2 = 1 / (1 + eps^2 T_n^2): an even order has its lowest pass-band gain at frequency zero
  const double eps = sqrt(expm1(ripple_db / 10 * log(10.0)));
  const double mu = asinh(1 / eps) / order;
  f->dc = order % 2 ? 1 : 1 / sqrt(1 + eps * eps);
  place_poles(f, order, sinh(mu), cosh(mu), cutoff_hz, rate_hz);
  return RBV_OK;
}

/* one section per pole pair with numerator (1 + z^-1)^2; the total gain goes into the first
 * section */
static void make_sections(rbv_sos *sos, const rbv_lowpass *f) {
  *sos = (rbv_sos){.nsection = f->npole};
  double gain = f->dc;
  for (int j = 0; j < f->npole; j++) {
    const double complex p = rbv_lowpass_pole(f, j);
    const double complex one_minus_p = -2 * f->s[j] / (1 - f->s[j]);  // 1 - p without cancellation
    double *c = sos->section[j];
    const bool single = cimag(f->s[j]) == 0;
    c[0] = 1;
    c[1] = single ? 1 : 2;
    c[2] = single ? 0 : 1;
    c[3] = 1;
    c[4] = single ? -creal(p) : -2 * creal(p);
    c[5] = single ? 0 : creal(p) * creal(p) + cimag(p) * cimag(p);
    gain *=
        single
            ? creal(one_minus_p) / 2
            : (creal(one_minus_p) * creal(one_minus_p) + cimag(one_minus_p) * cimag(one_minus_p)) /
                  4;
  }
  for (int i = 0; i < 3; i++) sos->section[0][i] *= gain;
}

rbv_status rbv_sos_butterworth(rbv_sos *sos, int order, double cutoff_hz, double rate_hz) {
  if (!sos) return rbv_fail(RBV_EARG, "sos is NULL");
  rbv_lowpass f;
  RBV_TRY(rbv_lowpass_butterworth(&f, order, cutoff_hz, rate_hz));
  make_sections(sos, &f);
  return RBV_OK;
}

rbv_status rbv_sos_chebyshev1(rbv_sos *sos, int order, double ripple_db, double cutoff_hz,
                              double rate_hz) {
  if (!sos) return rbv_fail(RBV_EARG, "sos is NULL");
  rbv_lowpass f;
  RBV_TRY(rbv_lowpass_chebyshev1(&f, order, ripple_db, cutoff_hz, rate_hz));
  make_sections(sos, &f);
  return RBV_OK;
}

double rbv_sos_gain(const rbv_sos *sos, double frequency_hz, double rate_hz) {
  const double angle = 2 * RBV_PI * frequency_hz / rate_hz;
  const double complex w = rbv_complex(cos(angle), -sin(angle));
  double gain = 1;
  for (int i = 0; i < sos->nsection; i++) {
    const double *c = sos->section[i];
    gain *= cabs(c[0] + w * (c[1] + w * c[2])) / cabs(c[3] + w * (c[4] + w * c[5]));
  }
  return gain;
}

#define PADDING_MOST 1000000000000000

ptrdiff_t rbv_filter_padding(double cutoff_hz, double rate_hz) {
  if (!(cutoff_hz > 0) || !(rate_hz > 0)) return 0;
  // a quotient that is an integer except for rounding must not lose its last sample
  const double samples = floor(3 * rate_hz / cutoff_hz + 1e-9);
  // longer than every signal
  return samples < PADDING_MOST ? (ptrdiff_t)samples : PADDING_MOST;
}
