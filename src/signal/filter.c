
#include "base/support.h"
#include "signal/filter_kernel.h"

struct rbv_filter_work {
  const rbv_signal_kernel *kernel;
  ptrdiff_t capacity;  // samples including padding
  double *lanes;       // capacity x width
};

static void layout(rbv_filter_work *w, rbv_arena *a) {
  w->lanes = RBV_TAKE(a, w->capacity * w->kernel->width, double);
}

rbv_status rbv_filter_work_new(rbv_filter_work **out, ptrdiff_t nsample, ptrdiff_t padding) {
  if (!out) return rbv_fail(RBV_EARG, "out is NULL");
  *out = NULL;
  if (nsample >= 1 && padding > nsample)
    return rbv_fail(RBV_EINPUT,
                    "%td samples are too few for a low-pass that needs %td before and "
                    "behind them: the cut-off is too low",
                    nsample, padding);
  if (nsample < 1 || padding < 0 || nsample > PTRDIFF_MAX / 1024)
    return rbv_fail(RBV_EARG, "cannot filter %td samples with a padding of %td", nsample, padding);
  rbv_filter_work w = {.kernel = rbv_signal_kernel_best(SIGNAL_MAX_WIDTH),
                       .capacity = nsample + 2 * padding};
  rbv_filter_work *fresh;
  RBV_CARVE_OBJECT(fresh, a, layout(&w, a));
  if (!fresh) return RBV_EMEM;
  *fresh = w;
  *out = fresh;
  return RBV_OK;
}

void rbv_filter_work_free(rbv_filter_work *w) { rbv_free(w); }

static rbv_status check_block(const void *Y, ptrdiff_t ldy, const void *X, ptrdiff_t ldx,
                              ptrdiff_t nsample, int ncol) {
  if (!Y || !X) return rbv_fail(RBV_EARG, "the input or output block is NULL");
  if (nsample < 1 || ncol < 0)
    return rbv_fail(RBV_EARG, "%td samples in %d columns: the block is empty", nsample, ncol);
  if (ldx < nsample || ldy < 1)
    return rbv_fail(RBV_EDIM, "leading dimensions %td, %td are too small for %td samples", ldx, ldy,
                    nsample);
  return RBV_OK;
}

/* extend the signal by its point reflection about its two end samples */
static void pad(double *lanes, ptrdiff_t nsample, ptrdiff_t padding, int width) {
  double *first = lanes + padding * width, *last = first + (nsample - 1) * width;
  for (ptrdiff_t k = 1; k <= padding; k++)
    for (int l = 0; l < width; l++) {
      first[l - k * width] = 2 * first[l] - first[l + k * width];
      last[l + k * width] = 2 * last[l] - last[l - k * width];
    }
}

rbv_status rbv_filter_zero_phase(double *Y, ptrdiff_t ldy, rbv_filter_work *w, const rbv_sos *sos,
                                 const double *X, ptrdiff_t ldx, ptrdiff_t nsample, int ncol,
                                 ptrdiff_t padding) {
  if (!w || !sos) return rbv_fail(RBV_EARG, "w or sos is NULL");
  RBV_TRY(check_block(Y, ldy, X, ldx, nsample, ncol));
  if (ldy < nsample)
    return rbv_fail(RBV_EDIM, "leading dimension %td is too small for %td samples", ldy, nsample);
  if (sos->nsection < 1 || sos->nsection > RBV_SOS_MAX)
    return rbv_fail(RBV_EARG, "the filter has %d sections: 1 to %d are supported", sos->nsection,
                    RBV_SOS_MAX);
  if (padding < 0) return rbv_fail(RBV_EARG, "a padding of %td samples is negative", padding);
  if (padding >= nsample)
    return rbv_fail(RBV_EDIM,
                    "%td samples are too few for a padding of %td: at least %td are needed",
                    nsample, padding, padding + 1);
  if (nsample + 2 * padding > w->capacity)
    return rbv_fail(RBV_EDIM, "the work object holds %td samples with padding, this call needs %td",
                    w->capacity, nsample + 2 * padding);

  const rbv_signal_kernel *kernel = w->kernel;
  const int width = kernel->width;
  const ptrdiff_t padded = nsample + 2 * padding;
  double *inner = w->lanes + padding * width;
  for (int j = 0; j < ncol; j += width) {
    // lanes beyond the last column repeat the last column
    const double *x[SIGNAL_MAX_WIDTH];
    double *y[SIGNAL_MAX_WIDTH];
    for (int l = 0; l < width; l++) {
      const ptrdiff_t col = j + l < ncol ? j + l : ncol - 1;
      x[l] = X + col * ldx;
      y[l] = Y + col * ldy;
    }
    kernel->gather(inner, x, nsample);
    pad(w->lanes, nsample, padding, width);
    kernel->pass(w->lanes, padded, sos, false);
    kernel->pass(w->lanes, padded, sos, true);
    kernel->scatter(y, inner, nsample);
  }
  return RBV_OK;
}

rbv_status rbv_differentiate(double *D, ptrdiff_t ldd, const double *X, ptrdiff_t ldx,
                             ptrdiff_t nsample, int ncol, double rate_hz) {
  RBV_TRY(check_block(D, ldd, X, ldx, nsample, ncol));
  if (ldd < nsample)
    return rbv_fail(RBV_EDIM, "leading dimension %td is too small for %td samples", ldd, nsample);
  if (D == X)
    return rbv_fail(RBV_EARG, "D must not be X: the derivative cannot overwrite the signal");
  if (nsample < 2) return rbv_fail(RBV_EDIM, "one sample has no derivative: 2 are needed");
  if (!(rate_hz > 0)) return rbv_fail(RBV_EARG, "sampling rate %g Hz must be positive", rate_hz);
  // divide by 2 T and T, as the reference implementation does
  const double period = 1 / rate_hz;
  for (int j = 0; j < ncol; j++) {
    const double *x = X + j * ldx;
    double *d = D + j * ldd;
    d[0] = (x[1] - x[0]) / period;
    for (ptrdiff_t k = 1; k + 1 < nsample; k++) d[k] = (x[k + 1] - x[k - 1]) / (2 * period);
    d[nsample - 1] = (x[nsample - 1] - x[nsample - 2]) / period;
  }
  return RBV_OK;
}
