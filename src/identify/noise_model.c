#include "identify/noise_model.h"

#include <math.h>
#include <stdio.h>

#include "control/control.h"
#include "equations/equations.h"
#include "identify/closed_loop.h"
#include "signal/signal.h"

// share of a transient that remains when the inverse controllers have settled
#define FORGOTTEN 0.001
#define BAND_HZ 200.0       // band that is used if a wider one does not converge
#define BAND_OF_MOTION 2.0  // in cut-offs of the positions: an octave above, their gain is 1/257
// An AR model of the highest order represents the inverse of a zero only if the powers of the zero
// decay within that order. Slower zeros of an inverse controller are divided out: they are the
// integrators of the controller, and would remove the low frequencies in which the robot moves.
#define DECAY 0.1
#define ROUNDING 1e-12  // relative to the torque: a smaller residual is not noise

/* ---- creation ---- */

static void layout(identify_noise *n, int nrow, rbv_arena *a) {
  n->prefilter = RBV_TAKE(a, nrow, rbv_row_prefilter);
  n->ar = RBV_TAKE(a, nrow, rbv_ar);
  n->filled = RBV_TAKE(a, nrow, ptrdiff_t);
  n->power = RBV_TAKE(a, nrow, double);
  n->series = RBV_TAKE(a, (size_t)n->count * (size_t)nrow, double);
}

/* a controller that cannot be inverted is an input error */
static rbv_status invert(rbv_transfer *out, const rbv_transfer *C, const char *joint) {
  const rbv_status status = rbv_transfer_inverse(out, C);
  if (status != RBV_ENUM) return status;
  char why[512];
  snprintf(why, sizeof why, "%s", rbv_message());
  return rbv_fail(RBV_EINPUT, "joint '%s': %s", joint, why);
}

/* the noise of a position passed through its controller; that of a torque (ml) did not */
static rbv_status invert_controllers(identify_noise *n, const identify_run *r) {
  if (r->method->loop == RBV_LOOP_OPEN) {
    for (int i = 0; i < r->nrow; i++) n->prefilter[i].before = rbv_transfer_unit();
    return RBV_OK;
  }
  const rbv_control *control = r->options->loop->control;
  const double slow = pow(DECAY, 1.0 / (RBV_TRANSFER_ORDER * n->limited));
  double slowest = 0;
  for (int i = 0; i < r->nrow; i++) {
    const int joint = rbv_model_row(r->model, i)->joint;
    rbv_transfer C;
    double zero, pole;
    RBV_TRY(rbv_control_transfer(&C, control, joint));
    RBV_TRY(invert(&n->prefilter[i].before, &C, rbv_model_joint(r->model, joint)->name));
    rbv_transfer_drop_zeros(&n->prefilter[i].before, slow);
    rbv_transfer_extent(&zero, &pole, &n->prefilter[i].before);
    slowest = fmax(slowest, pole);
  }
  n->settle = slowest > 0 ? (ptrdiff_t)ceil(log(FORGOTTEN) / log(slowest)) : 0;
  for (int i = 0; i < r->nmotion; i++) {
    const ptrdiff_t count = rbv_motion_get_info(r->motions[i])->count;
    if (n->settle > count / 4) n->settle = count / 4;
  }
  return RBV_OK;
}

/* pass band of a decimation by 1 */
static double pass_band(const identify_run *r) {
  return RBV_PREFILTER_BAND * rbv_motion_get_info(r->motions[0])->rate_hz / 2;
}

/*
 * Decimation factor that keeps the band of the measured columns. If the positions were low-pass
 * filtered and the torques were not, rows far above the cut-off contain no information on the
 * parameters, but a filter that whitens the residual would give them the largest weight.
 */
static int decimation_of_motion(const identify_run *r) {
  double band = 0;
  for (int i = 0; i < r->nmotion; i++) {
    const rbv_motion_origin *origin = rbv_motion_get_origin(r->motions[i]);
    if (!origin || !(origin->cutoff_hz > 0)) return 1;
    band = fmax(band, BAND_OF_MOTION * origin->cutoff_hz);
  }
  return band < pass_band(r) ? (int)(pass_band(r) / band) : 1;
}

rbv_status rbv_noise_new(identify_noise **out, const identify_run *r) {
  *out = NULL;
  identify_noise sizes = {0};
  for (int i = 0; i < r->nmotion; i++) sizes.count += rbv_motion_get_info(r->motions[i])->count;
  sizes.limited = decimation_of_motion(r);
  identify_noise *n;
  RBV_CARVE_OBJECT(n, a, layout(&sizes, r->nrow, a));
  if (!n) return RBV_EMEM;
  *n = sizes;
  RBV_GIVE(out, n, invert_controllers(n, r), rbv_noise_free(n));
}

void rbv_noise_free(identify_noise *n) { rbv_free(n); }

bool rbv_noise_can_limit(const identify_noise *n, const identify_run *r) {
  return pass_band(r) >= 2 * BAND_HZ * n->limited;
}

void rbv_noise_limit(identify_noise *n, const identify_run *r) {
  n->limited = (int)(pass_band(r) / BAND_HZ);
  n->fits = 0;
}

double rbv_noise_band_hz(const identify_noise *n, const identify_run *r) {
  return n->limited > 1 ? pass_band(r) / n->limited : 0;
}

/* ---- fitting ---- */

typedef struct {
  double rss, yy;
} sums;

static void collect(void *self, int row, int fold, const double *measured, const double *predicted,
                    ptrdiff_t count) {
  (void)fold;
  identify_noise *n = self;
  double *to = n->series + row * n->count + n->filled[row];
  for (ptrdiff_t k = 0; k < count; k++) {
    to[k] = measured[k] - predicted[k];
    n->power[row] += measured[k] * measured[k];
  }
  n->filled[row] += count;
}

static void add_up(void *self, int row, int fold, const double *measured, const double *predicted,
                   ptrdiff_t count) {
  (void)fold;
  sums *s = self;
  (void)row;
  for (ptrdiff_t k = 0; k < count; k++) {
    s->rss += (measured[k] - predicted[k]) * (measured[k] - predicted[k]);
    s->yy += measured[k] * measured[k];
  }
}

rbv_status rbv_noise_residual(double *relative, const identify_run *r, const double *chi) {
  sums s = {0};
  for (int i = 0; i < r->nmotion; i++)
    RBV_TRY(
        rbv_equations_replay(r->model, &r->options->filter, rbv_run_motion(r, i), chi, add_up, &s));
  *relative = sqrt(s.rss / s.yy);
  return RBV_OK;
}

/* A(z) / sqrt(lambda) */
static rbv_transfer whitener(const rbv_ar *ar) {
  rbv_transfer H = rbv_transfer_unit();
  H.nnum = ar->order + 1;
  for (int i = 0; i <= ar->order; i++) H.num[i] = ar->a[i] / sqrt(ar->variance);
  return H;
}

static int highest_order(const identify_noise *n, int nrow) {
  int order = 0;
  for (int i = 0; i < nrow; i++)
    if (n->ar[i].order > order) order = n->ar[i].order;
  return order;
}

/* highest: order of all rows if the orders are fixed. The rows of the estimate start after that
 * many samples, and the model is fitted to these rows. */
static rbv_status fit_row(identify_noise *n, int row, int highest) {
  rbv_ar_work *work;
  RBV_TRY(rbv_ar_work_new(&work, n->filled[row]));
  const bool free = n->fits < NOISE_ORDER_FITS;
  const int least_order = free ? 0 : n->ar[row].order;
  const int most_order = free ? RBV_TRANSFER_ORDER : n->ar[row].order;
  const int lead = free ? 0 : highest - most_order;
  const double *series = n->series + row * n->count + lead;
  const ptrdiff_t count = n->filled[row] - lead;
  const rbv_status status = rbv_ar_burg(&n->ar[row], work, series, count, least_order, most_order);
  rbv_ar_work_free(work);
  if (status != RBV_OK) return status;
  RBV_TRY(rbv_ar_forward(&n->ar[row], series, count, least_order, most_order));
  // rounding errors need no filter
  const double least = ROUNDING * ROUNDING * n->power[row] / (double)n->filled[row];
  if (!(n->ar[row].variance > least))
    n->ar[row] = (rbv_ar){.a = {1}, .variance = least > 0 ? least : 1};
  n->prefilter[row].after = whitener(&n->ar[row]);
  return RBV_OK;
}

/* samples at each end that plain rows leave out, because derivatives are unreliable there */
static ptrdiff_t edge(const rbv_row_filter *plain) {
  const rbv_decimate_options decimate = rbv_decimate_defaults(plain->decimate);
  const ptrdiff_t first = plain->decimate > 1 ? rbv_decimate_index(0, &decimate) : 0;
  return first > plain->trim ? first : plain->trim;
}

rbv_status rbv_noise_fit(identify_noise *n, identify_run *r, const double *chi) {
  for (int i = 0; i < r->nrow; i++) {
    n->prefilter[i].after = rbv_transfer_unit();
    n->filled[i] = 0;
    n->power[i] = 0;
  }
  r->filter.decimate = n->limited;
  r->filter.trim = edge(&r->options->filter);
  r->filter.prefilter = n->prefilter;
  r->filter.settle = n->settle;
  r->filter.levels = false;
  for (int i = 0; i < r->nmotion; i++)
    RBV_TRY(rbv_equations_replay(r->model, &r->filter, rbv_run_motion(r, i), chi, collect, n));
  const int highest = highest_order(n, r->nrow);
  for (int i = 0; i < r->nrow; i++) RBV_TRY(fit_row(n, i, highest));
  r->filter.settle += highest_order(n, r->nrow) * n->limited;
  r->filter.levels = true;
  n->fits++;
  return RBV_OK;
}
