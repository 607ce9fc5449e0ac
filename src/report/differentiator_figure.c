/* Bode plot of the differentiator, compared with exact differentiation (Brunot 2018 fig. 3). */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "signal/signal.h"

#include "report/report_internal.h"

#define POINTS 240
#define IMPULSE 8192  // samples of the smoother's impulse response; its length grows as nvr^(-1/4)

enum { IDEAL, SMOOTHER, DIFFERENCE, WHOLE, CURVES };

typedef struct {
  double f[POINTS], gain[CURVES][POINTS], phase[POINTS];  // [Hz], [dB], [degrees]
  bool parts;                                             // smoother and difference are separate
} bode;

static double decibel(double gain) { return gain > 0 ? fmax(20 * log10(gain), -400) : -400; }

/* two passes of a Butterworth filter of order 4, then central differences */
static rbv_status by_bandpass(bode *b, double cutoff_hz, double rate_hz) {
  rbv_sos sos;
  RBV_TRY(rbv_sos_butterworth(&sos, 4, cutoff_hz, rate_hz));
  for (int k = 0; k < POINTS; k++) {
    const double w = 2 * RBV_PI * b->f[k], once = rbv_sos_gain(&sos, b->f[k], rate_hz);
    const double difference = fabs(sin(w / rate_hz)) * rate_hz;
    b->gain[SMOOTHER][k] = decibel(once * once);
    b->gain[DIFFERENCE][k] = decibel(difference);
    b->gain[WHOLE][k] = decibel(once * once * difference);
    b->phase[k] = 90;
  }
  b->parts = true;
  return RBV_OK;
}

/* a smoothing spline and its derivative */
static void by_spline(bode *b, double corner_hz) {
  for (int k = 0; k < POINTS; k++) {
    const double gain = 1 / (1 + pow(b->f[k] / corner_hz, 4));
    b->gain[SMOOTHER][k] = decibel(gain);
    b->gain[WHOLE][k] = decibel(gain * 2 * RBV_PI * b->f[k]);
    b->phase[k] = 90;
  }
}

/* for a given variance ratio the smoother is linear: its impulse response describes it */
static rbv_status by_irw(bode *b, double nvr, double rate_hz) {
  rbv_irw_work *w = NULL;
  double *x = rbv_alloc(3 * IMPULSE * sizeof *x), *slope = x ? x + IMPULSE : NULL;
  double *centred = x ? slope + IMPULSE : NULL;
  rbv_status status = x ? rbv_irw_work_new(&w, IMPULSE) : RBV_EMEM;
  if (status == RBV_OK) {
    x[IMPULSE / 2] = 1;
    status = rbv_irw_smooth(x, slope, NULL, w, x, IMPULSE, rate_hz, nvr);
  }
  if (status == RBV_OK) {
    // the slope is valid between two samples; the mean of two slopes is valid at a sample
    for (int k = 1; k < IMPULSE; k++) centred[k] = (slope[k - 1] + slope[k]) / 2;
    for (int i = 0; i < POINTS; i++) {
      const double step = 2 * RBV_PI * b->f[i] / rate_hz;
      double level = 0, re = 0, im = 0;
      for (int k = 0; k < IMPULSE; k++) {
        const double angle = step * (k - IMPULSE / 2);
        level += x[k] * cos(angle);
        re += centred[k] * cos(angle);
        im -= centred[k] * sin(angle);
      }
      b->gain[SMOOTHER][i] = decibel(fabs(level));
      b->gain[WHOLE][i] = decibel(hypot(re, im));
      b->phase[i] = atan2(im, re) * 180 / RBV_PI;
    }
  }
  rbv_irw_work_free(w);
  rbv_free(x);
  return status;
}

static void draw_gain(report *r, const bode *b, const char *what) {
  drawing d = {.xlabel = "frequency [Hz]",
               .ylabel = "gain [dB of 1/s]",
               .width = DRAWING_WIDE,
               .height = 300,
               .legend = true,
               .xlog = true,
               .xmin = b->f[0],
               .xmax = b->f[POINTS - 1],
               .ymax = b->gain[IDEAL][POINTS - 1] + 10,
               .name = "differentiator-gain"};
  snprintf(d.title, sizeof d.title, "Gain of the differentiator (%s)", what);
  d.ymin = fmin(b->gain[IDEAL][0] - 20, -60);
  // values below the axis are not drawn
  double shown[POINTS];
  rbv_draw_axes(&d);
  static const char *const class[] = {"c4 dashed", "c3", "c5", "c2"};
  static const char *const name[] = {"exact differentiation", "low-pass", "central differences",
                                     "both combined"};
  for (int c = 0; c < CURVES; c++) {
    if (c == DIFFERENCE && !b->parts) continue;
    for (int k = 0; k < POINTS; k++) shown[k] = b->gain[c][k] < d.ymin ? NAN : b->gain[c][k];
    rbv_draw_line(&d, class[c], b -> f, shown, POINTS);
    rbv_draw_legend(&d, class[c], b -> parts || c != WHOLE ? name[c] : "derivative");
  }
  rbv_page_figure(r, &d, NULL, d.title);
}

static void draw_phase(report *r, const bode *b) {
  drawing d = {.xlabel = "frequency [Hz]",
               .ylabel = "phase [degrees]",
               .width = DRAWING_WIDE,
               .height = 170,
               .xlog = true,
               .xmin = b->f[0],
               .xmax = b->f[POINTS - 1],
               .ymin = 0,
               .ymax = 180,
               .name = "differentiator-phase",
               .title = "Phase of the differentiator"};
  double shown[POINTS];
  for (int k = 0; k < POINTS; k++) shown[k] = b->gain[WHOLE][k] < -120 ? NAN : b->phase[k];
  rbv_draw_axes(&d);
  rbv_draw_line(&d, "c2", b->f, shown, POINTS);
  rbv_page_figure(r, &d, NULL, "Phase: 90 degrees at all frequencies means no delay");
}

rbv_status rbv_figure_differentiator(report *r) {
  const rbv_input *in = r->result->ninput > 0 ? &r->result->input[0] : NULL;
  if (!in || !in->differentiation || !(in->rate_hz > 0)) return RBV_OK;
  RBV_NEW(bode, b, 1);
  const double top = 0.499 * in->rate_hz, bottom = fmin(0.1, top / 1000);
  for (int k = 0; k < POINTS; k++) {
    b->f[k] = bottom * pow(top / bottom, (double)k / (POINTS - 1));
    b->gain[IDEAL][k] = decibel(2 * RBV_PI * b->f[k]);
  }
  char what[128];
  bool known = false;
  rbv_status status = RBV_OK;
  const rbv_motion_origin *origin = r->in->nfit > 0 ? rbv_motion_get_origin(r->in->fit[0]) : NULL;
  const bool fourier = strcmp(in->differentiation, "fourier") == 0;
  if (in->cutoff_hz > 0 && in->cutoff_hz < 0.499 * in->rate_hz && !fourier) {
    if (strcmp(in->differentiation, "spline") == 0)
      by_spline(b, in->cutoff_hz);
    else
      status = by_bandpass(b, in->cutoff_hz, in->rate_hz);
    snprintf(what, sizeof what, "%s, cut-off %.3g Hz at %.5g Hz", in->differentiation,
             in->cutoff_hz, in->rate_hz);
    known = true;
  } else if (strcmp(in->differentiation, "irw") == 0 && origin && origin->nvr) {
    status = by_irw(b, origin->nvr[0], in->rate_hz);
    snprintf(what, sizeof what, "irw, first joint, variance ratio %.2g at %.5g Hz", origin->nvr[0],
             in->rate_hz);
    known = true;
  }
  if (status == RBV_OK && known) {
    draw_gain(r, b, what);
    draw_phase(r, b);
  }
  rbv_free(b);
  return status;
}
