/* Sums of powers that become Welch's density, for those who have the samples in pieces. */
#ifndef SIGNAL_SPECTRUM_H
#define SIGNAL_SPECTRUM_H

#include <roberval/sys/signal.h>

struct rbv_spectrum {
  ptrdiff_t segment;
  double *window;         // segment
  double *re, *im;        // segment: the transform that was made last
  double *cosine, *sine;  // segment - 1: the factors of each stage side by side
};

/* Segments that so many samples have, each half over the one before. */
static inline ptrdiff_t rbv_spectrum_segments(ptrdiff_t segment, ptrdiff_t nsample) {
  return (nsample - segment) / (segment / 2) + 1;
}

/* Add the powers of one segment or (b not NULL) two, less a mean; sums become a density. */
void rbv_spectrum_add(double *psd, rbv_spectrum *s, const double *a, const double *b, double mean);
void rbv_spectrum_scale(double *psd, ptrdiff_t segment, ptrdiff_t nsegment, double rate_hz);

#endif
