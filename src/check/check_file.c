/* Defects of the file: time stamps, missing values, saturation, constant channels. */
#include <math.h>
#include <string.h>

#include "check/check_internal.h"

RBV_THRESHOLDS(CHECK_FILE);

/* a finding that begins at a sample */
static rbv_finding at(rbv_finding_code code, rbv_severity severity, const view *v, int joint,
                      ptrdiff_t sample, double value) {
  rbv_finding f = finding_of(code, severity, v, joint, value);
  f.sample = sample;
  return f;
}

/* ---- time ---- */

static void find_gaps(examination *x, const view *v, const double *t, ptrdiff_t n) {
  const double median = v->stamps.median;
  double longest = 0, lost = 0;
  ptrdiff_t gaps = 0, where = -1;
  for (ptrdiff_t k = 1; k < n; k++) {
    double step = t[k] - t[k - 1];
    if (!(step > GAP_STEPS * median)) continue;
    // rows that were removed as bad are a finding of their own
    const ptrdiff_t rows = rbv_log_origin(v->log, k) - rbv_log_origin(v->log, k - 1);
    step -= (double)(rows - 1) * median;
    if (!(step > GAP_STEPS * median)) continue;
    gaps++;
    lost += step - median;
    if (step > longest) {
      longest = step;
      where = k;
    }
  }
  if (gaps == 0) return;
  const bool bad = lost > GAP_SHARE * v->stamps.duration;
  rbv_add_finding(
      x, at(RBV_FINDING_GAP, bad ? RBV_SEVERITY_ERROR : RBV_SEVERITY_NOTE, v, -1, where, longest),
      "%s: samples are missing in %td place%s. The longest gap is %.4g s (%.4g steps), before "
      "sample %td at t = %.6g s; %.2g %% of the time is missing. Split the recording there, or "
      "record again",
      rbv_log_name(v->log), gaps, gaps == 1 ? "" : "s", longest, longest / median, where + 1,
      t[where], 100 * lost / v->stamps.duration);
}

static void find_jitter(examination *x, const view *v, const double *t, ptrdiff_t n) {
  const double median = v->stamps.median;
  double sum = 0, shortest = INFINITY, longest = 0;
  ptrdiff_t used = 0;
  for (ptrdiff_t k = 1; k < n; k++) {
    const double step = t[k] - t[k - 1];
    if (!(step > 0) || step > GAP_STEPS * median) continue;
    sum += (step / median - 1) * (step / median - 1);
    shortest = fmin(shortest, step);
    longest = fmax(longest, step);
    used++;
  }
  const double jitter = used ? sqrt(sum / (double)used) : 0;
  if (v->stamps.regular || !(jitter > JITTER_NOTE)) return;
  const bool warn = jitter > JITTER_LIMIT;
  rbv_add_finding(
      x, at(RBV_FINDING_JITTER, warn ? RBV_SEVERITY_WARNING : RBV_SEVERITY_NOTE, v, -1, -1, jitter),
      "%s: the time stamps have a jitter of %.1f %% rms of a step (steps from %.4g to %.4g ms). "
      "The identification resamples the recording, which costs some precision. Record with a "
      "real-time clock if possible",
      rbv_log_name(v->log), 100 * jitter, 1e3 * shortest, 1e3 * longest);
}

/* True if the recording has less than 20 samples per second, no joint moves faster than 2 % of its
 * limit, and all would be within their limits if time were in milliseconds. */
static bool is_slow_clock(const examination *x, const view *v) {
  if (!v->usable || v->stamps.median < 0.05) return false;
  for (int j = 0; j < v->njoint; j++) {
    const double limit = rbv_model_joint(x->model, j)->limits.velocity;
    if (!isfinite(limit) || v->speed[j] > 0.02 * limit || 1e3 * v->speed[j] > 1.5 * limit)
      return false;
  }
  return true;
}

rbv_status rbv_detect_stamps(examination *x, view *v) {
  const double *t = rbv_log_channel(v->log, RBV_CHANNEL_TIME, -1);
  const ptrdiff_t n = rbv_log_samples(v->log);
  const char *name = rbv_log_name(v->log);
  if (!t || !v->stamps.known || !(v->stamps.median > 0)) {
    rbv_add_finding(x,
                    finding_with(at(RBV_FINDING_TIME, RBV_SEVERITY_ERROR, v, -1, -1, NAN),
                                 t ? NULL : "log-rate"),
                    "%s: %s. Velocities cannot be computed without the sample rate", name,
                    t ? "the time stamps do not advance" : "there is no time column (t)");
    return RBV_OK;
  }
  const char *unit = rbv_log_time_unit(v->stamps.median);
  if (!unit && is_slow_clock(x, v)) unit = "ms";
  if (unit) {
    // every other statement about the motion would be wrong
    v->usable = false;
    rbv_add_finding(
        x,
        finding_with(at(RBV_FINDING_TIME, RBV_SEVERITY_ERROR, v, -1, -1, v->stamps.median), "map"),
        *unit ? "%s: the typical time step is %.3g s: time looks like %s. Write `time: {column: t, "
                "unit: %s}` in a column map"
              : "%s: the typical time step is %.3g s, so time is not in seconds. Write its unit in "
                "a column map",
        name, v->stamps.median, unit, unit);
    return RBV_OK;
  }
  ptrdiff_t still = 0, back = 0, where = -1;
  for (ptrdiff_t k = 1; k < n; k++) {
    if (t[k] > t[k - 1] || isnan(t[k]) || isnan(t[k - 1])) continue;
    if (where < 0) where = k;
    if (t[k] < t[k - 1])
      back++;
    else
      still++;
  }
  if (where >= 0)
    rbv_add_finding(
        x, at(RBV_FINDING_TIME, RBV_SEVERITY_ERROR, v, -1, where, (double)(still + back)),
        "%s: time decreases at %td samples and does not change at %td, first at sample %td "
        "(t = %.6g s). Sort the rows, or remove repeated ones",
        name, back, still, where + 1, t[where]);
  const double held = rbv_log_held(v->log), rate_hz = (double)(n - 1) / v->stamps.duration;
  if (held > 0)
    rbv_add_finding(x, finding_of(RBV_FINDING_HELD, RBV_SEVERITY_NOTE, v, -1, held),
                    "%s: every value is logged %.3g times: %.3g Hz, not %.3g. One row per value is "
                    "used",
                    name, held, rate_hz, held * rate_hz);
  find_gaps(x, v, t, n);
  if (held == 0) find_jitter(x, v, t, n);
  return RBV_OK;
}

/* ---- values ---- */

/* a column with defects of one kind, and the number of its samples */
typedef struct {
  int column;
  ptrdiff_t first, count;
  int runs;
  double value;
} column_defect;

/* the next column with defects, from item *i on; false: none left */
static bool next_column(column_defect *out, int *i, const rbv_defect_list *list) {
  if (*i == list->count) return false;
  const rbv_defect *d = &list->items[*i];
  *out = (column_defect){.column = d->column, .first = d->sample, .value = d->value};
  for (; *i < list->count && list->items[*i].column == out->column; ++*i) {
    out->count += list->items[*i].count;
    out->runs++;
  }
  return true;
}

typedef void add_column_finding(examination *x, view *v, const rbv_log_column *column,
                                const column_defect *t);

static rbv_status for_columns(examination *x, view *v, rbv_defect_kind kind,
                              add_column_finding *act) {
  rbv_defect_list list;
  RBV_TRY(rbv_log_scan(&list, v->log, kind));
  column_defect t;
  for (int i = 0; next_column(&t, &i, &list);) {
    const rbv_log_column *column = rbv_log_column_at(v->log, t.column);
    // columns without a meaning, conditions, and joints that the robot does not have are not used
    if (column->channel < RBV_CHANNEL_TEMPERATURE && column->joint < v->njoint)
      act(x, v, column, &t);
  }
  rbv_defect_list_free(&list);
  return RBV_OK;
}

static void add_missing(examination *x, view *v, const rbv_log_column *column,
                        const column_defect *t) {
  rbv_add_finding(
      x, at(RBV_FINDING_MISSING, RBV_SEVERITY_ERROR, v, column->joint, t->first, (double)t->count),
      "%s: %s is missing or infinite in %td samples, first at sample %td. Remove these rows, or "
      "record again",
      rbv_log_name(v->log), column->name, t->count, t->first + 1);
}

rbv_status rbv_detect_missing(examination *x, view *v) {
  RBV_TRY(for_columns(x, v, RBV_DEFECT_MISSING, add_missing));
  return for_columns(x, v, RBV_DEFECT_INFINITE, add_missing);
}

static void add_saturation(examination *x, view *v, const rbv_log_column *column,
                           const column_defect *t) {
  const double share = (double)t->count / (double)rbv_log_samples(v->log);
  rbv_add_finding(
      x,
      at(RBV_FINDING_SATURATED, share > SATURATED_SHARE ? RBV_SEVERITY_ERROR : RBV_SEVERITY_WARNING,
         v, column->joint, t->first, t->value),
      "%s: %s stays at its extreme %.5g for %td samples (%.2g %%), first at sample %td: the "
      "drive or the recorder clips it. Move more slowly, or remove these rows",
      rbv_log_name(v->log), column->name, t->value, t->count, 100 * share, t->first + 1);
}

rbv_status rbv_detect_saturation(examination *x, view *v) {
  return for_columns(x, v, RBV_DEFECT_SATURATED, add_saturation);
}

static void add_constant(examination *x, view *v, const rbv_log_column *column,
                         const column_defect *t) {
  const bool reference = column->channel >= RBV_CHANNEL_REFERENCE_POSITION;
  const bool position = column->channel == RBV_CHANNEL_POSITION;
  rbv_add_finding(x,
                  at(RBV_FINDING_CONSTANT,
                     reference  ? RBV_SEVERITY_NOTE
                     : position ? RBV_SEVERITY_ERROR
                                : RBV_SEVERITY_WARNING,
                     v, column->joint, 0, t->value),
                  "%s: %s is always %.5g: the channel was not recorded, or the joint does not move",
                  rbv_log_name(v->log), column->name, t->value);
}

static void add_zero_torque(examination *x, view *v, const rbv_log_column *column,
                            const column_defect *t) {
  rbv_add_finding(x, at(RBV_FINDING_CONSTANT, RBV_SEVERITY_ERROR, v, column->joint, 0, t->value),
                  "%s: %s is always zero: the torque was not recorded", rbv_log_name(v->log),
                  column->name);
}

rbv_status rbv_detect_constant(examination *x, view *v) {
  RBV_TRY(for_columns(x, v, RBV_DEFECT_CONSTANT, add_constant));
  return for_columns(x, v, RBV_DEFECT_ZERO_TORQUE, add_zero_torque);
}
