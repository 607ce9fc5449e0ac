/* Transfer functions: of controllers, inverses, products, filters. */
#include <complex.h>
#include <math.h>
#include <stdalign.h>
#include <string.h>

#include "control/control_internal.h"
#include "signal/filter_kernel.h"

/* ---- transfer function of a controller ---- */

/* polynomials in z^-1, lowest power first */
typedef struct {
  int n;
  double c[RBV_TRANSFER_ORDER + 1];
} polynomial;

static polynomial times(polynomial a, polynomial b) {
  polynomial out = {.n = a.n + b.n - 1};
  for (int i = 0; i < a.n; i++)
    for (int k = 0; k < b.n; k++) out.c[i + k] += a.c[i] * b.c[k];
  return out;
}

static polynomial plus(polynomial a, polynomial b) {
  polynomial out = a.n > b.n ? a : b;
  const polynomial *less = a.n > b.n ? &b : &a;
  for (int i = 0; i < less->n; i++) out.c[i] += less->c[i];
  return out;
}

static polynomial scaled(polynomial a, double s) {
  for (int i = 0; i < a.n; i++) a.c[i] *= s;
  return a;
}

/* num/den of the law of a joint, with D = d (1 - z^-1)/(1 - p z^-1) and I = T/(1 - z^-1) */
static void linear_part(polynomial *num, polynomial *den, const rbv_control *c,
                        const rbv_control_joint *j) {
  const double T = 1 / c->rate_hz, p = rbv_control_pole(c, j), d = (1 - p) * c->rate_hz;
  const polynomial one = {1, {1}}, difference = {2, {1, -1}}, filter = {2, {1, -p}};
  const bool integrates = j->k_i != 0;
  if (j->kind == RBV_CONTROL_CASCADE) {
    // (k_p + k_i T/(1 - z^-1)) (k_x + D)
    const polynomial outer = plus(scaled(filter, j->k_x), scaled(difference, d));
    const polynomial inner = integrates ? plus(scaled(difference, j->k_p), scaled(one, j->k_i * T))
                                        : scaled(one, j->k_p);
    *num = times(inner, outer);
    *den = integrates ? times(difference, filter) : filter;
    return;
  }
  const bool derives = j->k_d != 0;
  const polynomial bottom = derives ? filter : one;
  *num = scaled(bottom, j->k_p);
  if (derives) *num = plus(*num, scaled(difference, j->k_d * d));
  *den = bottom;
  if (!integrates) return;
  *num = plus(times(*num, difference), scaled(bottom, j->k_i * T));
  *den = times(bottom, difference);
}

rbv_status rbv_control_transfer(rbv_transfer *out, const rbv_control *c, int joint) {
  if (!c || joint < 0 || joint >= c->njoint)
    return rbv_fail(RBV_EARG, "the controller has no joint %d", joint + 1);
  const rbv_control_joint *j = &c->joint[joint];
  if (j->kind == RBV_CONTROL_TRANSFER) {
    *out = j->transfer;
  } else {
    polynomial num, den;
    linear_part(&num, &den, c, j);
    *out = (rbv_transfer){.nnum = num.n, .nden = den.n};
    memcpy(out->num, num.c, sizeof out->num);
    memcpy(out->den, den.c, sizeof out->den);
  }
  out->advance = -j->delay;
  return RBV_OK;
}

/* ---- zeros and poles ---- */

/* zeros in z of c[0] z^n + c[1] z^(n-1) + ..., c[0] != 0, by Aberth's simultaneous iteration */
static void find_roots(double complex *root, const double *c, int n) {
  double size = 0;
  for (int i = 1; i <= n; i++) size = fmax(size, pow(fabs(c[i] / c[0]), 1.0 / i));
  // start on a circle, rotated so that the points are not symmetric to the real axis
  for (int i = 0; i < n; i++) root[i] = size * cexp(I * (2 * RBV_PI * i / n + 0.7));
  for (int turn = 0; turn < 200; turn++) {
    double moved = 0;
    for (int i = 0; i < n; i++) {
      double complex f = c[0], slope = 0, sum = 0;
      for (int k = 1; k <= n; k++) {
        slope = slope * root[i] + f;
        f = f * root[i] + c[k];
      }
      if (f == 0) continue;
      for (int k = 0; k < n; k++)
        if (k != i && root[k] != root[i]) sum += 1 / (root[i] - root[k]);
      const double complex newton = slope / f, below = newton - sum;
      if (below == 0) continue;
      root[i] -= 1 / below;
      moved = fmax(moved, cabs(1 / below));
    }
    if (!(moved > 1e-15 * size)) break;
  }
}

/* the root of largest modulus; 0 if there is none. Leading and trailing zero coefficients are
 * skipped. */
static double complex largest_root(const double *c, int count) {
  while (count > 0 && c[0] == 0) c++, count--;
  while (count > 0 && c[count - 1] == 0) count--;
  double complex root[RBV_TRANSFER_ORDER + 1], largest = 0;
  if (count < 2) return 0;
  find_roots(root, c, count - 1);
  for (int i = 0; i < count - 1; i++)
    if (!(cabs(root[i]) <= cabs(largest))) largest = root[i];
  return largest;
}

void rbv_transfer_extent(double *zero, double *pole, const rbv_transfer *H) {
  *zero = cabs(largest_root(H->num, H->nnum));
  *pole = cabs(largest_root(H->den, H->nden));
}

/* ---- algebra ---- */

rbv_status rbv_transfer_inverse(rbv_transfer *out, const rbv_transfer *in) {
  const rbv_transfer H = *in;  // out and in may be the same object
  int lead = 0, count = H.nnum;
  while (lead < H.nnum && H.num[lead] == 0) lead++;
  if (lead == H.nnum)
    return rbv_fail(RBV_ENUM,
                    "the transfer function is zero and has no inverse: give the joint a "
                    "gain, or leave it out");
  const double complex worst = largest_root(H.num, H.nnum);
  // a double zero is only accurate to the square root of the machine precision
  if (!(cabs(worst) < 1 - 1e-7))
    return rbv_fail(RBV_ENUM,
                    "the controller has a zero at %.6g%+.6gi, modulus %.6g, which is not inside "
                    "the unit circle: its inverse is unstable; use a method without "
                    "prefilter (iv), or a controller without this zero",
                    creal(worst), cimag(worst), cabs(worst));
  while (count > 1 && H.num[count - 1] == 0) count--;
  *out = (rbv_transfer){.nnum = H.nden, .nden = count - lead, .advance = lead - H.advance};
  const double first = H.num[lead];
  for (int i = 0; i < H.nden; i++) out->num[i] = H.den[i] / first;
  for (int i = 0; i < out->nden; i++) out->den[i] = H.num[i + lead] / first;
  return RBV_OK;
}

/* divide num by 1 + b z^-1 + c z^-2; the remainder is rounding and is dropped */
static void divide_factor(rbv_transfer *H, double b, double c) {
  const int order = c != 0 ? 2 : 1;
  for (int i = 1; i < H->nnum; i++)
    H->num[i] -= b * H->num[i - 1] + (i > 1 ? c * H->num[i - 2] : 0);
  for (int i = H->nnum - order; i < H->nnum; i++) H->num[i] = 0;
  H->nnum -= order;
}

int rbv_transfer_drop_zeros(rbv_transfer *H, double modulus) {
  double complex root[RBV_TRANSFER_ORDER + 1];
  int lead = 0, dropped = 0;
  while (lead < H->nnum && H->num[lead] == 0) lead++;
  while (H->nnum > lead + 1 && H->num[H->nnum - 1] == 0) H->nnum--;
  const int n = H->nnum - 1 - lead;
  if (n < 1) return 0;
  find_roots(root, H->num + lead, n);
  for (int i = 0; i < n; i++) {
    const double size = cabs(root[i]);
    if (!(size >= modulus) || cimag(root[i]) < -1e-12 * size) continue;
    // roots with an imaginary part come in conjugate pairs: the one below the axis is skipped
    const bool pair = cimag(root[i]) > 1e-12 * size;
    divide_factor(H, pair ? -2 * creal(root[i]) : -creal(root[i]), pair ? size * size : 0);
    dropped += pair ? 2 : 1;
  }
  return dropped;
}

/* ---- filtering ---- */

/* transposed direct form II: one state per power */
static void filter_column(double *y, const rbv_transfer *H, const double *x, ptrdiff_t count) {
  double state[RBV_TRANSFER_ORDER + 1] = {0};
  const int order = (H->nnum > H->nden ? H->nnum : H->nden) - 1;
  // an advance is applied while writing: y(k - advance) = filtered x(k)
  const ptrdiff_t late = H->advance < 0 ? -H->advance : 0, early = H->advance > 0 ? H->advance : 0;
  // a delay is applied afterwards, because y may be x
  for (ptrdiff_t k = 0; k < count; k++) {
    const double in = x[k], out = H->num[0] * in + state[0];
    for (int i = 1; i <= order; i++)
      state[i - 1] = (i < H->nnum ? H->num[i] * in : 0) - (i < H->nden ? H->den[i] * out : 0) +
                     (i < order ? state[i] : 0);
    if (k >= early) y[k - early] = out;
  }
  if (late > 0) {
    const ptrdiff_t shift = late < count ? late : count;
    memmove(y + shift, y, (size_t)(count - shift) * sizeof *y);
    memset(y, 0, (size_t)shift * sizeof *y);
  }
  for (ptrdiff_t k = count > early ? count - early : 0; k < count; k++)
    y[k] = count > early ? y[count - early - 1] : 0;
}

rbv_status rbv_transfer_filter(double *y, ptrdiff_t ldy, const rbv_transfer *H, const double *x,
                               ptrdiff_t ldx, ptrdiff_t count, int columns) {
  if (!y || !H || !x || count < 0 || columns < 0)
    return rbv_fail(RBV_EARG, "samples or transfer function are missing");
  if (H->nnum < 1 || H->nden < 1 || H->den[0] != 1)
    return rbv_fail(RBV_EARG, "a transfer function needs coefficients and den[0] = 1");
  if (columns > 1 && (ldy < count || ldx < count))
    return rbv_fail(RBV_EDIM, "the leading dimension is less than %td samples", count);
  for (int j = 0; j < columns; j++) filter_column(y + j * ldy, H, x + j * ldx, count);
  return RBV_OK;
}

/* ---- filtering of streams ---- */

#define PIECE 512  // samples that are filtered at once

rbv_transfer rbv_transfer_unit(void) {
  return (rbv_transfer){.nnum = 1, .nden = 1, .num = {1}, .den = {1}};
}

double rbv_transfer_constant(const rbv_transfer *H) {
  double num = 0, den = 0;
  for (int i = 0; i < H->nnum; i++) num += H->num[i];
  for (int i = 0; i < H->nden; i++) den += H->den[i];
  return num / den;
}

int rbv_transfer_memory(const rbv_transfer *H) { return H->nnum - 1 + H->nden - 1; }

void rbv_transfer_start(double *past, const rbv_transfer *H, const double *x, ptrdiff_t ldx,
                        int columns) {
  const int inputs = H->nnum - 1, outputs = H->nden - 1;
  const double constant = rbv_transfer_constant(H);
  for (int c = 0; c < columns; c++, past += inputs + outputs) {
    for (int i = 0; i < inputs; i++) past[i] = x[c * ldx];
    for (int i = 0; i < outputs; i++) past[inputs + i] = constant * x[c * ldx];
  }
}

/* y = sum of b_i x[k - i], i = 0 ... order; four taps per pass to save loads of y */
static void add_taps(double *restrict y, const double *b, int order, const double *restrict x,
                     ptrdiff_t count) {
  int i = 1;
  for (ptrdiff_t k = 0; k < count; k++) y[k] = b[0] * x[k];
  for (; i + 3 <= order; i += 4)
    for (ptrdiff_t k = 0; k < count; k++)
      y[k] = y[k] + b[i] * x[k - i] + b[i + 1] * x[k - i - 1] + b[i + 2] * x[k - i - 2] +
             b[i + 3] * x[k - i - 3];
  for (; i <= order; i++)
    for (ptrdiff_t k = 0; k < count; k++) y[k] += b[i] * x[k - i];
}

/* y[k] -= sum of a_i y[k - i]; the newest output is used last, because it is available last */
static void recur(double *y, const double *a, int order, ptrdiff_t count) {
  for (ptrdiff_t k = 0; k < count && order > 0; k++) {
    double sum = y[k];
    for (int i = order; i >= 1; i--) sum -= a[i] * y[k - i];
    y[k] = sum;
  }
}

/* filter at most PIECE samples of one column: direct form I */
static void filter_piece(double *y, const rbv_transfer *H, double *past, const double *x,
                         ptrdiff_t count) {
  const int inputs = H->nnum - 1, outputs = H->nden - 1;
  double in[RBV_TRANSFER_ORDER + PIECE], out[RBV_TRANSFER_ORDER + PIECE];
  memcpy(in, past, (size_t)inputs * sizeof *in);
  memcpy(in + inputs, x, (size_t)count * sizeof *in);
  memcpy(out, past + inputs, (size_t)outputs * sizeof *out);
  double *to = out + outputs;
  add_taps(to, H->num, inputs, in + inputs, count);
  recur(to, H->den, outputs, count);
  memcpy(past, in + count, (size_t)inputs * sizeof *in);
  memcpy(past + inputs, out + count, (size_t)outputs * sizeof *out);
  memcpy(y, to, (size_t)count * sizeof *y);
}

#define LANE_PIECE 64  // samples of several columns that are filtered at once

/* the same for as many columns as the kernel has lanes; past: of these columns */
static void filter_lanes(double *y, ptrdiff_t ldy, const rbv_transfer *H, double *past,
                         const double *x, ptrdiff_t ldx, ptrdiff_t count,
                         const rbv_signal_kernel *kernel) {
  const int inputs = H->nnum - 1, outputs = H->nden - 1, width = kernel->width;
  const ptrdiff_t memory = inputs + outputs;
  alignas(64) double in[(RBV_TRANSFER_ORDER + LANE_PIECE) * SIGNAL_MAX_WIDTH];
  alignas(64) double out[(RBV_TRANSFER_ORDER + LANE_PIECE) * SIGNAL_MAX_WIDTH];
  double *const first_in = in + inputs * width, *const first_out = out + outputs * width;
  const double *from[SIGNAL_MAX_WIDTH];
  double *to[SIGNAL_MAX_WIDTH];
  for (int l = 0; l < width; l++) {
    for (int i = 0; i < inputs; i++) in[i * width + l] = past[l * memory + i];
    for (int i = 0; i < outputs; i++) out[i * width + l] = past[l * memory + inputs + i];
  }
  for (ptrdiff_t k = 0; k < count; k += LANE_PIECE) {
    const ptrdiff_t n = count - k < LANE_PIECE ? count - k : LANE_PIECE;
    for (int l = 0; l < width; l++) {
      from[l] = x + l * ldx + k;
      to[l] = y + l * ldy + k;
    }
    kernel->gather(first_in, from, n);
    kernel->transfer(first_out, H->num, inputs, H->den, outputs, first_in, n);
    kernel->scatter(to, first_out, n);
    memmove(in, in + n * width, (size_t)(inputs * width) * sizeof *in);
    memmove(out, out + n * width, (size_t)(outputs * width) * sizeof *out);
  }
  for (int l = 0; l < width; l++) {
    for (int i = 0; i < inputs; i++) past[l * memory + i] = in[i * width + l];
    for (int i = 0; i < outputs; i++) past[l * memory + inputs + i] = out[i * width + l];
  }
}

void rbv_transfer_continue(double *y, ptrdiff_t ldy, const rbv_transfer *H, double *past,
                           const double *x, ptrdiff_t ldx, ptrdiff_t count, int columns) {
  const rbv_signal_kernel *kernel = rbv_signal_kernel_best(SIGNAL_MAX_WIDTH);
  const int memory = rbv_transfer_memory(H);
  int c = 0;
  for (; c + kernel->width <= columns; c += kernel->width, past += memory * kernel->width)
    filter_lanes(y + c * ldy, ldy, H, past, x + c * ldx, ldx, count, kernel);
  for (; c < columns; c++, past += memory)
    for (ptrdiff_t k = 0; k < count; k += PIECE)
      filter_piece(y + c * ldy + k, H, past, x + c * ldx + k,
                   count - k < PIECE ? count - k : PIECE);
}
