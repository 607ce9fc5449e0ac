/* Accumulation of Welch's density, for callers that read the samples in pieces. */
#ifndef SIGNAL_SPECTRUM_H
#define SIGNAL_SPECTRUM_H

#include "signal/signal.h"

struct rbv_spectrum {
  ptrdiff_t segment;
  double *window;         // segment
  double *re, *im;        // segment: the last transform
  double *cosine, *sine;  // segment - 1: the factors of all stages, one stage after the other
};

/* Number of segments in nsample samples; neighbours overlap by half. */
static inline ptrdiff_t rbv_spectrum_segments(ptrdiff_t segment, ptrdiff_t nsample) {
  return (nsample - segment) / (segment / 2) + 1;
}

/* Add to psd the powers of one segment or (b not NULL) two, after subtraction of mean; convert the
 * sum over nsegment segments to a density. */
void rbv_spectrum_add(double *psd, rbv_spectrum *s, const double *a, const double *b, double mean);
void rbv_spectrum_scale(double *psd, ptrdiff_t segment, ptrdiff_t nsegment, double rate_hz);

#endif
