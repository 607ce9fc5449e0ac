/* Delay between torque and position: what the estimate allows to say. */
#include <math.h>
#include <stdio.h>

#include "check/delay_fit.h"
#include "check/delay_trial.h"

RBV_THRESHOLDS(CHECK_DELAY);

/* advise: the value can be used as it is. Without that a delay is a warning where the error of data
 * that were not used is much smaller with it. */
static void add_finding(examination *x, const view *v, const delay_fit *d, bool advise,
                        const char *conclusion) {
  const bool matters = d->joints >= LEAST_JOINTS && d->gain > CARE_GAIN && d->t > CLEAR_T &&
                       fabs(d->delay_s) > WEAK_SIGMAS * d->sigma_s;
  rbv_finding f =
      finding_of(RBV_FINDING_DELAY, advise || matters ? RBV_SEVERITY_WARNING : RBV_SEVERITY_NOTE, v,
                 -1, d->delay_s);
  f.sigma = d->sigma_s;
  if (advise) {
    f.option = "delay";
    snprintf(f.option_value, sizeof f.option_value, "%.4g", d->delay_s);
  }
  rbv_add_finding(x, f,
                  "%s: the torque %s the position by %.3g +- %.2g ms%s (%.1f samples; 95 %% "
                  "interval; up to %.2g Hz). To correct it reduces the error on held-out parts of "
                  "the recording by %.0f %%. %s",
                  rbv_log_name(v->log), d->delay_s > 0 ? "lags behind" : "is ahead of",
                  1e3 * fabs(d->delay_s), 1960 * d->sigma_s, d->at_limit ? " or more" : "",
                  fabs(d->delay_s) * v->rate_hz, d->band_hz, 100 * d->gain, conclusion);
}

/* a delay that is known to a quarter of its size */
static rbv_status judge_clear(examination *x, view *v, const delay_fit *d) {
  bool harmless = false;
  if (d->joints < LEAST_JOINTS) {
    add_finding(x, v, d, false,
                "With fewer than three joints friction can look like a delay: ask the "
                "manufacturer of the recorder before you correct it");
    return RBV_OK;
  }
  RBV_TRY(rbv_try_delay(&harmless, x->model, v, d->delay_s));
  if (harmless)
    add_finding(x, v, d, true, "Identify with this delay");
  else
    add_finding(x, v, d, false,
                "But parameters that are identified from the first part of the recording then "
                "predict its end worse, so no correction is recommended: record a longer or "
                "faster motion");
  return RBV_OK;
}

rbv_status rbv_detect_delay(examination *x, view *v) {
  delay_fit d;
  RBV_TRY(rbv_fit_delay(&d, x->model, v));
  const double size = fabs(d.delay_s), samples = size * v->rate_hz;
  const bool helps = d.gain > LEAST_GAIN && d.t > LEAST_T;
  if (!d.known || !helps || !(size > LEAST_S && samples > LEAST_SAMPLES)) return RBV_OK;
  if (size > CLEAR_SIGMAS * d.sigma_s) return judge_clear(x, v, &d);
  if (!(d.gain > CLEAR_GAIN)) return RBV_OK;
  if (size > WEAK_SIGMAS * d.sigma_s)
    add_finding(x, v, &d, false,
                "The evidence is too weak for a correction: record a faster motion");
  else if (d.t > CLEAR_T && samples > CLEAR_SAMPLES)
    add_finding(
        x, v, &d, false,
        "Joints or frequency bands disagree about its value, so no correction is recommended: "
        "measure the delay of the recorder");
  return RBV_OK;
}
