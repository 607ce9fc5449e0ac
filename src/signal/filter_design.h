/* Poles of the low-pass designs, shared by second-order sections and decimation. */
#ifndef SIGNAL_FILTER_DESIGN_H
#define SIGNAL_FILTER_DESIGN_H

#include <complex.h>

#include "signal/signal.h"

/*
 * Low-pass filter by the bilinear transform z = (1 + s) / (1 - s): all zeros at z = -1, poles given
 * by s. The poles are stored as s, because the differences 1 - z and z_j - z_k are exact in s but
 * cancel if they are computed from z near 1.
 */
typedef struct {
  int order;
  int npole;                      // one of each conjugate pair (im > 0), the real one first
  double complex s[RBV_SOS_MAX];  // from the real axis outwards: |z| increases
  double dc;                      // gain at frequency zero
} rbv_lowpass;

rbv_status rbv_lowpass_butterworth(rbv_lowpass *f, int order, double cutoff_hz, double rate_hz);
rbv_status rbv_lowpass_chebyshev1(rbv_lowpass *f, int order, double ripple_db, double cutoff_hz,
                                  double rate_hz);

/* CMPLX: clang does not find it in glibc */
static inline double complex rbv_complex(double re, double im) {
  return (const union {
           double part[2];
           double complex z;
         }){.part = {re, im}}
      .z;
}

static inline double complex rbv_lowpass_pole(const rbv_lowpass *f, int j) {
  return (1 + f->s[j]) / (1 - f->s[j]);
}

#endif
