/*
 * Zero-phase low-pass and decimation in modal form.
 *
 *   F(z) = d + sum_j r_j / (1 - p_j z^-1)                        poles p_j, all simple
 *   v_j[n] = x[n] + p_j v_j[n-1]      y = d x + sum_j r_j v_j     forward pass
 *   a_j[n] = x[n] + p_j a_j[n+1]                                 the same, backwards in time
 *
 * The backward pass over y gives B_i[n] = sum_m p_i^m y[n+m], which by the two recursions is
 *
 *   B_i[n] = d (x[n] + p_i a_i[n+1]) + sum_j r_j (v_j[n] + p_i a_i[n+1]) / (1 - p_i p_j)     (1)
 *   z[n]   = d y[n] + sum_i r_i B_i[n]
 *          = d F(inf) x[n] + sum_j gamma_j (v_j[n] + p_j a_j[n+1]),   gamma_j = r_j F(1/p_j)
 *
 * Between two outputs, v and a need the sums of x p^k over the block in both directions. The
 * forward pass starts in the steady state for the first value of the padded signal, v = x / (1 -
 * p). The backward pass starts in the steady state for the last value of y, B_i = y / (1 - p_i);
 * equation (1) converts it to a value of a_i. Because the padding is a point reflection, sums over
 * the padding are computed from the samples next to the ends.
 *
 * Samples more than `ahead` outputs later change an output by less than rounding. So a streamed
 * decimator does not wait for the last sample: it holds a window of outputs. When the window is
 * full, it runs the backward pass over the window from a zero state, delivers all outputs except
 * the last `ahead`, and keeps these for the next window. The causal states are exact.
 */
#include <math.h>
#include <string.h>

#include "signal/decimate_internal.h"

#define WINDOW 512     // outputs that a streamed decimator delivers at a time
#define DECAYED 1e-13  // a state that has decayed to this share counts as zero

/* ---- options ---- */

rbv_decimate_options rbv_decimate_defaults(int factor) {
  return (rbv_decimate_options){.factor = factor,
                                .order = 8,
                                .ripple_db = 0.05,
                                .cutoff_ratio = 0.8,
                                .padding = -1,
                                .first = -1,
                                .drop = 3};
}

static ptrdiff_t first_of(const rbv_decimate_options *o) {
  return o->first < 0 ? o->factor / 2 : o->first;
}

ptrdiff_t rbv_decimate_index(ptrdiff_t k, const rbv_decimate_options *options) {
  return first_of(options) + (k + options->drop) * options->factor;
}

ptrdiff_t rbv_decimate_count(ptrdiff_t nsample, const rbv_decimate_options *options) {
  if (!options || options->factor < 1 || options->drop < 0) return 0;
  const ptrdiff_t span = nsample - first_of(options);
  if (span < 1) return 0;
  const ptrdiff_t left = (span - 1) / options->factor + 1 - 2 * options->drop;
  return left > 0 ? left : 0;
}

static rbv_status check(const rbv_decimate_options *o, ptrdiff_t nsample, int ncol) {
  if (!o) return rbv_fail(RBV_EARG, "options is NULL");
  if (o->factor < 1)
    return rbv_fail(RBV_EARG, "decimation factor %d must be at least 1", o->factor);
  if (ncol < 1) return rbv_fail(RBV_EARG, "%d columns to decimate: at least 1 is needed", ncol);
  if (!(o->cutoff_ratio > 0 && o->cutoff_ratio < 1))
    return rbv_fail(RBV_EARG, "cut-off ratio %g must lie between 0 and 1", o->cutoff_ratio);
  if (o->drop < 0 || o->drop > PTRDIFF_MAX / 4 / o->factor)
    return rbv_fail(RBV_EARG, "cannot drop %td outputs at each end", o->drop);
  if (o->first >= o->factor)
    return rbv_fail(RBV_EARG, "first output at sample %td: must be below the factor %d", o->first,
                    o->factor);
  const ptrdiff_t need = first_of(o) + 2 * o->drop * o->factor + 1;
  if (nsample < need || nsample < 2)
    return rbv_fail(RBV_EDIM,
                    "%td samples are too few to decimate by %d and drop %td outputs at each end: "
                    "at least %td are needed",
                    nsample, o->factor, o->drop, need < 2 ? 2 : need);
  if (o->padding >= nsample)
    return rbv_fail(RBV_EDIM,
                    "%td samples are too few for a padding of %td: at least %td are needed",
                    nsample, o->padding, o->padding + 1);
  return RBV_OK;
}

/* ---- the filter in modal form ---- */

/* products over all poles, conjugates included; differences are computed from s, where they do not
 * cancel */
static void residues(rbv_decimator *d, const rbv_lowpass *f) {
  double complex s[2 * MAX_POLE];
  int n = 0;
  for (int j = 0; j < f->npole; j++) {
    s[n++] = f->s[j];
    if (cimag(f->s[j]) != 0) s[n++] = conj(f->s[j]);
  }

  // d = F(z = 0) = dc prod (1 - p_k) / (-2 p_k)
  double complex direct = f->dc;
  for (int k = 0; k < n; k++) direct *= s[k] / (1 + s[k]);  // -(1 - p) / (2 p)
  d->direct = creal(direct);

  for (int j = 0; j < f->npole; j++) {
    const double complex sj = f->s[j], p = d->p[j];
    // r_j = F(z) (1 - p_j / z) at z = p_j, and F(1/p_j)
    double complex r = f->dc, g = f->dc;
    bool first_match = true;
    for (int k = 0; k < n; k++) {
      const double complex unit = -s[k] / (1 - s[k]);  // (1 - p_k) / 2
      r *= unit * (1 + 1 / p);
      if (!(first_match && s[k] == sj))
        r /= 2 * (sj - s[k]) / ((1 - sj) * (1 - s[k])) / p;  // 1 - p_k / p_j
      else
        first_match = false;
      g *= unit * (1 + p) / (-2 * (s[k] + sj) / ((1 - s[k]) * (1 - sj)));  // 1 - p_k p_j
    }
    d->r[j] = r;
    d->at_inverse[j] = g;
  }
}

static rbv_status design(rbv_decimator *d) {
  const rbv_decimate_options *o = &d->options;
  rbv_lowpass f;
  RBV_TRY(
      rbv_lowpass_chebyshev1(&f, o->order, o->ripple_db, o->cutoff_ratio / (2.0 * o->factor), 1));
  d->npole = f.npole;
  for (int j = 0; j < f.npole; j++) {
    const double complex s = f.s[j];
    d->single[j] = cimag(s) == 0;
    d->p[j] = rbv_lowpass_pole(&f, j);
    if (cabs(d->p[j]) < 1e-2)
      return rbv_fail(
          RBV_EUNSUPPORTED,
          "order %d with cut-off ratio %g and factor %d has a pole near zero, for which "
          "the modal form does not exist: use an even order",
          o->order, o->cutoff_ratio, o->factor);
    d->log_p[j] = d->single[j] ? log(creal(d->p[j])) : 2 * catanh(s);
    if (d->single[j] && creal(d->p[j]) < 0) d->log_p[j] = rbv_complex(log(-creal(d->p[j])), RBV_PI);
    d->one_minus_p[j] = -2 * s / (1 - s);
    for (int k = 0; k < f.npole; k++) {
      const double complex t = f.s[k], c = conj(t);
      d->cross[j][k] = -2 * (s + t) / ((1 - s) * (1 - t));
      d->crossc[j][k] = -2 * (s + c) / ((1 - s) * (1 - c));
    }
  }
  residues(d, &f);
  return RBV_OK;
}

static void set_weight(double *w, int j, double complex value) {
  w[2 * j] = creal(value);
  w[2 * j + 1] = cimag(value);
}

static void make_tables(rbv_decimator *d) {
  rbv_modes *m = &d->modes;
  const ptrdiff_t n = m->factor;
  const int nw = m->nweight;
  double at_start = d->direct;  // F(inf): contribution of a sample to the output at its own time
  for (int j = 0; j < d->npole; j++) {
    const double times = d->single[j] ? 1 : 2;  // a pole and its conjugate
    const double complex gamma = times * d->r[j] * d->at_inverse[j];
    at_start += times * creal(d->r[j]);
    set_weight(m->step, j, power_of(d, j, n));
    // conjugates: the kernel computes the real part of a product of two complex numbers
    set_weight(m->out, j, conj(gamma));
    set_weight(m->back, j, conj(gamma * d->p[j]));
    for (ptrdiff_t k = 0; k < n; k++) set_weight(d->power + k * nw, j, power_of(d, j, k));
  }
  m->middle = d->direct * at_start;
  for (ptrdiff_t k = 0; k < m->half; k++)
    for (int i = 0; i < nw; i++) {
      const double a = d->power[k * nw + i], b = d->power[(n - 1 - k) * nw + i];
      d->even[k * nw + i] = (a + b) / 2;
      d->odd[k * nw + i] = (a - b) / 2;
    }
  m->power = d->power;
  m->even = d->even;
  m->odd = d->odd;
}

/* ---- create and free ---- */

static void layout(rbv_decimator *d, rbv_arena *a) {
  const rbv_modes *m = &d->modes;
  const ptrdiff_t width = d->kernel->width, group = m->nweight * width;
  d->power = RBV_TAKE(a, m->factor * m->nweight, double);
  d->even = RBV_TAKE(a, m->half * m->nweight, double);
  d->odd = RBV_TAKE(a, m->half * m->nweight, double);
  d->pending = RBV_TAKE(a, m->factor * d->ncol, double);
  edge_window *const edges[] = {&d->head, &d->tail};
  for (int i = 0; i < RBV_COUNT(edges); i++) {
    edges[i]->block = RBV_TAKE(a, m->factor * d->ncol, double);
    edges[i]->causal = RBV_TAKE(a, d->ngroup * group, double);
    edges[i]->anti = RBV_TAKE(a, d->ngroup * group, double);
    edges[i]->near = RBV_TAKE(a, d->ncol, double);
    edges[i]->far = RBV_TAKE(a, d->ncol, double);
  }
  d->state = RBV_TAKE(a, d->ngroup * group, double);
  d->before = RBV_TAKE(a, d->ngroup * group, double);
  d->anti = RBV_TAKE(a, d->ngroup * d->capacity * group, double);
  d->out = RBV_TAKE(a, d->ngroup * d->capacity * width, double);
  d->closed = RBV_TAKE(a, d->visit ? d->capacity * width : 0, double);
  d->ready = RBV_TAKE(a, d->visit ? d->capacity * d->ncol : 0, double);
  d->scratch = RBV_TAKE(a, 2 * m->half * width, double);
}

/* number of outputs after which the slowest pole has decayed */
static ptrdiff_t outputs_to_decay(const rbv_decimator *d) {
  double slowest = -INFINITY;
  for (int j = 0; j < d->npole; j++) slowest = fmax(slowest, creal(d->log_p[j]));
  return (ptrdiff_t)ceil(log(DECAYED) / (slowest * d->options.factor));
}

ptrdiff_t rbv_decimate_halo(const rbv_decimate_options *options) {
  rbv_decimator d = {.options = *options};
  return design(&d) == RBV_OK ? outputs_to_decay(&d) : 0;
}

static rbv_status create(rbv_decimator **out, ptrdiff_t nsample, int ncol,
                         const rbv_decimate_options *options, rbv_decimator_visit *visit,
                         void *self) {
  if (!out) return rbv_fail(RBV_EARG, "out is NULL");
  *out = NULL;
  RBV_TRY(check(options, nsample, ncol));

  rbv_decimator d = {
      .options = *options, .nsample = nsample, .ncol = ncol, .visit = visit, .self = self};
  if (d.options.first < 0) d.options.first = first_of(options);
  if (d.options.padding < 0)
    d.options.padding = 24 * (ptrdiff_t)options->factor < nsample - 2
                            ? 24 * (ptrdiff_t)options->factor
                            : nsample - 2;
  RBV_TRY(design(&d));
  d.kernel = rbv_signal_kernel_best(SIGNAL_MAX_WIDTH);
  d.ngroup = (ncol - 1) / d.kernel->width + 1;
  d.nout = (nsample - d.options.first - 1) / options->factor + 1;
  d.ahead = outputs_to_decay(&d);
  d.capacity = d.nout;
  // the first window must contain the samples that the padding at the start reflects
  const ptrdiff_t least = WINDOW + d.ahead + d.options.padding / options->factor + 2;
  if (visit && d.capacity > least) d.capacity = least;
  d.modes.factor = options->factor;
  d.modes.half = (options->factor + 1) / 2;
  d.modes.nweight = (2 * d.npole + 7) / 8 * 8;

  rbv_decimator *fresh;
  RBV_CARVE_OBJECT(fresh, a, layout(&d, a));
  if (!fresh) return RBV_EMEM;
  *fresh = d;
  fresh->head.from = 1;
  fresh->tail.from = nsample - 1 - d.options.padding;
  make_tables(fresh);
  *out = fresh;
  return RBV_OK;
}

rbv_status rbv_decimator_new(rbv_decimator **out, ptrdiff_t nsample, int ncol,
                             const rbv_decimate_options *options) {
  return create(out, nsample, ncol, options, NULL, NULL);
}

rbv_status rbv_decimator_stream(rbv_decimator **out, ptrdiff_t nsample, int ncol,
                                const rbv_decimate_options *options, rbv_decimator_visit *visit,
                                void *self) {
  if (out) *out = NULL;
  if (!visit) return rbv_fail(RBV_EARG, "visit is NULL");
  return create(out, nsample, ncol, options, visit, self);
}

void rbv_decimator_free(rbv_decimator *d) { rbv_free(d); }

static void reset(rbv_decimator *d) {
  const size_t sums = (size_t)d->ngroup * (size_t)d->modes.nweight * (size_t)d->kernel->width;
  edge_window *const edges[] = {&d->head, &d->tail};
  for (int i = 0; i < RBV_COUNT(edges); i++) {
    edges[i]->summed = edges[i]->filled = 0;
    memset(edges[i]->causal, 0, sums * sizeof *edges[i]->causal);
    memset(edges[i]->anti, 0, sums * sizeof *edges[i]->anti);
  }
  d->seen = d->npend = d->nblock = d->base = 0;
  d->started = false;
}

/* ---- output ---- */

/* copy outputs from..to-1 of a group to Y; held has width numbers per output, the first one belongs
 * to output base */
static void scatter(double *Y, ptrdiff_t ldy, const rbv_decimator *d, int group, const double *held,
                    ptrdiff_t from, ptrdiff_t to) {
  const ptrdiff_t width = d->kernel->width;
  for (ptrdiff_t l = 0; l < width && group * width + l < d->ncol; l++)
    for (ptrdiff_t k = from; k < to; k++)
      Y[k - from + (group * width + l) * ldy] = held[(k - d->base) * width + l];
}

/* reduce the range from..to-1 to outputs that are not dropped at the ends */
static void exclude_dropped(ptrdiff_t *from, ptrdiff_t *to, const rbv_decimator *d) {
  const ptrdiff_t drop = d->options.drop;
  if (*from < drop) *from = drop;
  if (*to > d->nout - drop) *to = d->nout - drop;
}

/* backward pass over the window; deliver the outputs that later samples do not change */
static rbv_status deliver_window(rbv_decimator *d) {
  const ptrdiff_t width = d->kernel->width, group = d->modes.nweight * width;
  const ptrdiff_t held = d->nblock - d->base, finished = held - d->ahead, kept = held - finished;
  ptrdiff_t from = d->base, to = d->base + finished;
  alignas(64) double fading[SIGNAL_MAX_WEIGHT * SIGNAL_MAX_WIDTH], ahead[RBV_COUNT(fading)];
  rbv_decimator_init_start(d);
  exclude_dropped(&from, &to, d);
  for (int g = 0; g < d->ngroup; g++) {
    double *out = d->out + g * d->capacity * width, *anti = d->anti + g * d->capacity * group;
    memcpy(d->closed, out, (size_t)(held * width) * sizeof *out);
    rbv_decimator_decay_start(fading, d, g);
    memset(ahead, 0, sizeof ahead);
    d->kernel->backward(d->closed, anti, &d->modes, ahead, fading, held);
    scatter(d->ready, d->capacity, d, g, d->closed, from, to);
    memmove(out, out + finished * width, (size_t)(kept * width) * sizeof *out);
    memmove(anti, anti + finished * group, (size_t)(kept * group) * sizeof *anti);
  }
  d->base += finished;
  if (from >= to) return RBV_OK;
  return d->visit(d->self, d->ready, d->capacity, from - d->options.drop, to - from);
}

/* complete all outputs that are still held, at the end of the recording */
static void finish_groups(double *Y, ptrdiff_t ldy, rbv_decimator *d) {
  const ptrdiff_t width = d->kernel->width, group = d->modes.nweight * width;
  ptrdiff_t from = d->base, to = d->nout;
  alignas(64) double fading[SIGNAL_MAX_WEIGHT * SIGNAL_MAX_WIDTH], ahead[RBV_COUNT(fading)];
  rbv_decimator_init_start(d);
  exclude_dropped(&from, &to, d);
  for (int g = 0; g < d->ngroup; g++) {
    double *out = d->out + g * d->capacity * width;
    rbv_decimator_decay_start(fading, d, g);
    rbv_decimator_end_states(ahead, d, g);
    d->kernel->backward(out, d->anti + g * d->capacity * group, &d->modes, ahead, fading,
                        d->nout - d->base);
    scatter(Y, ldy, d, g, out, from, to);
  }
}

/* ---- input ---- */

/* samples up to the first output: at most one block, no earlier state */
static void first_block(rbv_decimator *d, const double *X, ptrdiff_t ldx) {
  const rbv_modes *m = &d->modes;
  const int width = d->kernel->width;
  alignas(64) double unused[SIGNAL_MAX_WEIGHT * SIGNAL_MAX_WIDTH];
  for (int g = 0; g < d->ngroup; g++) {
    const double *x[SIGNAL_MAX_WIDTH];
    group_columns(x, d, g, X, ldx);
    double *state = d->state + (ptrdiff_t)g * m->nweight * width;
    double *out = d->out + g * d->capacity * width;
    d->kernel->plain(state, unused, m, x, d->options.first + 1);
    for (int l = 0; l < width; l++) {
      out[l] = m->middle * x[l][d->options.first];
      for (int i = 0; i < m->nweight; i++) out[l] += m->out[i] * state[i * width + l];
    }
  }
  d->nblock = 1;
}

/* complete blocks, each ending at an output */
static void run_blocks(rbv_decimator *d, const double *X, ptrdiff_t ldx, ptrdiff_t n) {
  const ptrdiff_t width = d->kernel->width, group = d->modes.nweight * width;
  const ptrdiff_t held = d->nblock - d->base;
  for (int g = 0; g < d->ngroup; g++) {
    const double *x[SIGNAL_MAX_WIDTH];
    group_columns(x, d, g, X, ldx);
    d->kernel->blocks(d->state + g * group, d->anti + (g * d->capacity + held - 1) * group,
                      d->out + (g * d->capacity + held) * width, &d->modes, x, n, d->scratch);
  }
  d->nblock += n;
}

static rbv_status consume(rbv_decimator *d, const double *X, ptrdiff_t ldx, ptrdiff_t nrow) {
  const ptrdiff_t factor = d->modes.factor;
  while (nrow > 0) {
    const ptrdiff_t need = d->nblock ? factor : d->options.first + 1;
    ptrdiff_t take;
    if (d->nblock - d->base == d->capacity && d->nblock < d->nout) RBV_TRY(deliver_window(d));
    if (d->nblock && !d->npend && nrow >= factor) {
      // directly from the rows of the caller
      const ptrdiff_t space = d->capacity - (d->nblock - d->base);
      const ptrdiff_t n = nrow / factor < space ? nrow / factor : space;
      run_blocks(d, X, ldx, n);
      take = n * factor;
    } else {
      take = need - d->npend < nrow ? need - d->npend : nrow;
      for (int j = 0; j < d->ncol; j++)
        memcpy(d->pending + j * factor + d->npend, X + j * ldx, (size_t)take * sizeof *X);
      d->npend += take;
      if (d->npend == need) {
        d->npend = 0;
        if (d->nblock)
          run_blocks(d, d->pending, factor, 1);
        else
          first_block(d, d->pending, factor);
      }
    }
    X += take;
    nrow -= take;
  }
  return RBV_OK;
}

/* ---- public functions ---- */

static rbv_status check_output(const double *Y, ptrdiff_t ldy, const rbv_decimator *d) {
  if (!Y || !d) return rbv_fail(RBV_EARG, "the decimator or Y is NULL");
  const ptrdiff_t count = d->nout - 2 * d->options.drop;
  if (ldy < count)
    return rbv_fail(RBV_EDIM, "leading dimension %td is too small for %td outputs", ldy, count);
  return RBV_OK;
}

rbv_status rbv_decimate(double *Y, ptrdiff_t ldy, rbv_decimator *d, const double *X,
                        ptrdiff_t ldx) {
  RBV_TRY(check_output(Y, ldy, d));
  if (!X) return rbv_fail(RBV_EARG, "X is NULL");
  if (d->visit) return rbv_fail(RBV_EARG, "a streamed decimator needs its rows in pieces");
  if (ldx < d->nsample)
    return rbv_fail(RBV_EDIM, "leading dimension %td is too small for %td samples", ldx,
                    d->nsample);
  reset(d);
  rbv_decimator_watch_edges(d, X, ldx, d->nsample);
  RBV_TRY(consume(d, X, ldx, d->nsample));
  finish_groups(Y, ldy, d);
  reset(d);
  return RBV_OK;
}

rbv_status rbv_decimator_add(rbv_decimator *d, const double *X, ptrdiff_t ldx, ptrdiff_t nrow) {
  if (!d || !X) return rbv_fail(RBV_EARG, "the decimator or X is NULL");
  if (nrow < 0 || ldx < nrow)
    return rbv_fail(RBV_EDIM, "leading dimension %td is too small for %td rows", ldx, nrow);
  if (nrow > d->nsample - d->seen)
    return rbv_fail(RBV_EDIM, "%td rows after %td: the decimator was created for %td", nrow,
                    d->seen, d->nsample);
  rbv_decimator_watch_edges(d, X, ldx, nrow);
  RBV_TRY(consume(d, X, ldx, nrow));
  d->seen += nrow;
  return RBV_OK;
}

rbv_status rbv_decimator_finish(double *Y, ptrdiff_t ldy, rbv_decimator *d) {
  if (!d || !d->visit) RBV_TRY(check_output(Y, ldy, d));
  if (d->seen != d->nsample)
    return rbv_fail(RBV_EDIM, "%td rows were added, the decimator was created for %td", d->seen,
                    d->nsample);
  if (!d->visit) {
    finish_groups(Y, ldy, d);
    reset(d);
    return RBV_OK;
  }
  ptrdiff_t from = d->base, to = d->nout;
  exclude_dropped(&from, &to, d);
  finish_groups(d->ready, d->capacity, d);
  reset(d);
  return from < to ? d->visit(d->self, d->ready, d->capacity, from - d->options.drop, to - from)
                   : RBV_OK;
}
