/* Start and end of the recording: sums over the padding, and the states of both passes there. */
#include <string.h>

#include "signal/decimate_internal.h"

/* add the next rows of a window, at most one block, to both of its sums; the lanes are interleaved
 */
static void sum_edge(edge_window *e, const rbv_decimator *d, const double *X, ptrdiff_t ldx,
                     ptrdiff_t count) {
  const rbv_modes *m = &d->modes;
  const int width = d->kernel->width;
  alignas(64) double c[SIGNAL_MAX_WEIGHT * SIGNAL_MAX_WIDTH], a[RBV_COUNT(c)];
  double complex shift[MAX_POLE], step[MAX_POLE];
  for (int j = 0; j < d->npole; j++) {
    shift[j] = power_of(d, j, e->summed);
    step[j] = power_of(d, j, count);
  }
  for (int g = 0; g < d->ngroup; g++) {
    const double *x[SIGNAL_MAX_WIDTH];
    group_columns(x, d, g, X, ldx);
    if (count == m->factor)
      d->kernel->folded(c, a, m, x, d->scratch);
    else
      d->kernel->plain(c, a, m, x, count);
    double *causal = e->causal + (ptrdiff_t)g * m->nweight * width;
    double *anti = e->anti + (ptrdiff_t)g * m->nweight * width;
    for (int j = 0; j < d->npole; j++) {
      const double sr = creal(shift[j]), si = cimag(shift[j]);
      const double tr = creal(step[j]), ti = cimag(step[j]);
      for (int l = 0; l < width; l++) {
        const int re = 2 * j * width + l, im = re + width;
        anti[re] += sr * a[re] - si * a[im];
        anti[im] += sr * a[im] + si * a[re];
        const double old = causal[re];
        causal[re] = c[re] + tr * old - ti * causal[im];
        causal[im] = c[im] + tr * causal[im] + ti * old;
      }
    }
  }
  e->summed += count;
}

/* sum those rows of a window that are among the rows now added */
static void watch_edge(edge_window *e, const rbv_decimator *d, const double *X, ptrdiff_t ldx,
                       ptrdiff_t nrow) {
  const ptrdiff_t factor = d->modes.factor, pad = d->options.padding;
  ptrdiff_t at = e->from > d->seen ? e->from : d->seen;
  const ptrdiff_t end = e->from + pad < d->seen + nrow ? e->from + pad : d->seen + nrow;
  while (at < end) {
    const ptrdiff_t left = pad - e->summed, block = left < factor ? left : factor;
    const double *rows = X + (at - d->seen);
    if (e->filled == 0 && end - at >= block) {
      sum_edge(e, d, rows, ldx, block);
      at += block;
      continue;
    }
    const ptrdiff_t take = block - e->filled < end - at ? block - e->filled : end - at;
    for (int j = 0; j < d->ncol; j++)
      memcpy(e->block + j * factor + e->filled, rows + j * ldx, (size_t)take * sizeof *rows);
    e->filled += take;
    at += take;
    if (e->filled < block) continue;
    sum_edge(e, d, e->block, factor, block);
    e->filled = 0;
  }
}

/* keep one row, if it is among the rows now added */
static void keep_row(double *kept, ptrdiff_t row, const rbv_decimator *d, const double *X,
                     ptrdiff_t ldx, ptrdiff_t nrow) {
  if (row < d->seen || row >= d->seen + nrow) return;
  for (int j = 0; j < d->ncol; j++) kept[j] = X[row - d->seen + j * ldx];
}

/* what the padding at both ends needs of the rows now added */
void rbv_decimator_watch_edges(rbv_decimator *d, const double *X, ptrdiff_t ldx, ptrdiff_t nrow) {
  const ptrdiff_t last = d->nsample - 1, pad = d->options.padding;
  keep_row(d->head.near, 0, d, X, ldx, nrow);
  keep_row(d->head.far, pad, d, X, ldx, nrow);
  keep_row(d->tail.near, last, d, X, ldx, nrow);
  keep_row(d->tail.far, last - pad, d, X, ldx, nrow);
  watch_edge(&d->head, d, X, ldx, nrow);
  watch_edge(&d->tail, d, X, ldx, nrow);
}

static double complex lane(const double *v, int j, int width, int l) {
  return rbv_complex(v[2 * j * width + l], v[(2 * j + 1) * width + l]);
}

static void set_lane(double *v, int j, int width, int l, double complex x) {
  v[2 * j * width + l] = creal(x);
  v[(2 * j + 1) * width + l] = cimag(x);
}

/* causal states before the first sample: steady state at the start of the padded signal, then the
 * padding */
void rbv_decimator_init_start(rbv_decimator *d) {
  const ptrdiff_t pad = d->options.padding;
  const int width = d->kernel->width;
  for (int g = 0; g < d->ngroup && !d->started; g++) {
    const ptrdiff_t at = (ptrdiff_t)g * d->modes.nweight * width;
    const double *S = d->head.anti + at;  // sum of p^(k-1) x[k] over samples 1 .. padding
    double *before = d->before + at;
    for (int l = 0; l < width; l++) {
      const int c = column_of(d, g, l);
      const double x0 = d->head.near[c], x_first = 2 * x0 - d->head.far[c];
      for (int j = 0; j < d->npole; j++) {
        const double complex fade = power_of(d, j, pad), rest = (1 - fade) / d->one_minus_p[j];
        set_lane(before, j, width, l,
                 fade * x_first / d->one_minus_p[j] + 2 * x0 * rest - lane(S, j, width, l));
      }
    }
  }
  d->started = true;
}

/* these states, decayed until the first output that is held */
void rbv_decimator_decay_start(double *fading, const rbv_decimator *d, int group) {
  const int width = d->kernel->width, nw = d->modes.nweight;
  const double *before = d->before + (ptrdiff_t)group * nw * width;
  const ptrdiff_t since = d->options.first + 1 + d->base * d->modes.factor;
  memset(fading, 0, (size_t)(nw * width) * sizeof *fading);
  for (int j = 0; j < d->npole; j++)
    for (int l = 0; l < width; l++)
      set_lane(fading, j, width, l, power_of(d, j, since) * lane(before, j, width, l));
}

/* one column at its end, with the sums over the window before the last sample */
typedef struct {
  double xn, x_tail;                // last sample; sample that reflects to the end of the padding
  double complex T[MAX_POLE];       // anticausal sum over that window
  double complex C[MAX_POLE];       // causal sum over that window
  double complex v[MAX_POLE];       // causal state at the last sample, started from zero
  double complex before[MAX_POLE];  // causal state before the first sample
} end_data;

/* anticausal states after the last sample */
static void end_states(double complex *after, const rbv_decimator *d, const end_data *e) {
  const ptrdiff_t pad = d->options.padding;
  double complex last[MAX_POLE];
  const double x_last = 2 * e->xn - e->x_tail;

  // forward pass: through all samples and the padding at the end
  double y_last = d->direct * x_last;
  for (int j = 0; j < d->npole; j++) {
    const double complex fade = power_of(d, j, pad), rest = (1 - fade) / d->one_minus_p[j];
    last[j] =
        fade * (e->v[j] + power_of(d, j, d->nsample) * e->before[j]) + 2 * e->xn * rest - e->T[j];
    y_last += (d->single[j] ? 1 : 2) * creal(d->r[j] * last[j]);
  }

  // backward pass: steady state for y_last, equation (1) solved for a; then back through the
  // padding
  for (int i = 0; i < d->npole; i++) {
    double complex known = d->direct * x_last;
    for (int j = 0; j < d->npole; j++) {
      known += d->r[j] * last[j] / d->cross[i][j];
      if (!d->single[j]) known += conj(d->r[j] * last[j]) / d->crossc[i][j];
    }
    const double complex a = (y_last / d->one_minus_p[i] - known) / (d->p[i] * d->at_inverse[i]);
    const double complex fade = power_of(d, i, pad);
    after[i] = 2 * e->xn * (1 - fade) / d->one_minus_p[i] - e->C[i] + fade * a;
  }
}

/* anticausal states after the last output, for the columns of one group */
void rbv_decimator_end_states(double *ahead, const rbv_decimator *d, int group) {
  const int width = d->kernel->width, nw = d->modes.nweight;
  const double *C = d->tail.causal + (ptrdiff_t)group * nw * width;
  const double *T = d->tail.anti + (ptrdiff_t)group * nw * width;
  alignas(64) double rest[2][SIGNAL_MAX_WEIGHT * SIGNAL_MAX_WIDTH];
  const double *p[SIGNAL_MAX_WIDTH] = {0};
  group_columns(p, d, group, d->pending, d->modes.factor);

  // the samples after the last output are fewer than one block, and still pending
  d->kernel->plain(rest[0], rest[1], &d->modes, p, d->npend);
  const double *state = d->state + (ptrdiff_t)group * nw * width;
  const double *before = d->before + (ptrdiff_t)group * nw * width;
  memset(ahead, 0, (size_t)(nw * width) * sizeof *ahead);
  for (int l = 0; l < width; l++) {
    const int c = column_of(d, group, l);
    end_data e = {.xn = d->tail.near[c], .x_tail = d->tail.far[c]};
    for (int j = 0; j < d->npole; j++) {
      e.C[j] = lane(C, j, width, l);
      e.T[j] = lane(T, j, width, l);
      e.v[j] = lane(rest[0], j, width, l) + power_of(d, j, d->npend) * lane(state, j, width, l);
      e.before[j] = lane(before, j, width, l);
    }
    double complex after[MAX_POLE];
    end_states(after, d, &e);
    for (int j = 0; j < d->npole; j++)
      set_lane(ahead, j, width, l,
               lane(rest[1], j, width, l) + power_of(d, j, d->npend) * after[j]);
  }
}
