/* What is wrong with the file itself: stamps, holes, saturation, dead channels. */
#include <math.h>
#include <string.h>

#include "check/check_internal.h"

#define GAP_STEPS 2.5         // a longer step is a gap: one lost sample and its jitter are none
#define JITTER_LIMIT 0.03     // of a step, rms: at 3 % differences of positions are off by 4 % rms
#define JITTER_NOTE 0.01      // what the log room calls irregular
#define GAP_SHARE 0.1         // of the time missing: what is left is no longer one recording
#define SATURATED_SHARE 0.05  // of the samples: least squares cannot be talked out of that many

/* a finding that begins at a sample */
static rbv_finding at(rbv_finding_code code, rbv_severity severity, const view *v, int joint,
                      ptrdiff_t sample, double value) {
  rbv_finding f = finding_of(code, severity, v, joint, value);
  f.sample = sample;
  return f;
}

/* ---- time ---- */

static void judge_gaps(examination *x, const view *v, const double *t, ptrdiff_t n) {
  const double median = v->stamps.median;
  double longest = 0, lost = 0;
  ptrdiff_t gaps = 0, where = -1;
  for (ptrdiff_t k = 1; k < n; k++) {
    const double step = t[k] - t[k - 1];
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
  rbv_found(
      x,
      at(RBV_FINDING_GAP, bad ? RBV_SEVERITY_ERROR : RBV_SEVERITY_WARNING, v, -1, where, longest),
      "%s: samples are missing in %td place%s, the longest gap is %.4g s (%.0f steps) before "
      "sample %td at t = %.6g s: cut the recording there, or find out why the recorder lost "
      "%.2g %% of the time",
      rbv_log_name(v->log), gaps, gaps == 1 ? "" : "s", longest, longest / median, where + 1,
      t[where], 100 * lost / v->stamps.duration);
}

static void judge_jitter(examination *x, const view *v, const double *t, ptrdiff_t n) {
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
  rbv_found(
      x, at(RBV_FINDING_JITTER, warn ? RBV_SEVERITY_WARNING : RBV_SEVERITY_NOTE, v, -1, -1, jitter),
      "%s: the time stamps jitter by %.1f %% rms of a step (steps from %.4g to %.4g ms): "
      "identification resamples them and loses a little; record with a real-time clock if you "
      "can",
      rbv_log_name(v->log), 100 * jitter, 1e3 * shortest, 1e3 * longest);
}

rbv_status rbv_detect_stamps(examination *x, view *v) {
  const double *t = rbv_log_channel(v->log, RBV_CHANNEL_TIME, -1);
  const ptrdiff_t n = rbv_log_samples(v->log);
  const char *name = rbv_log_name(v->log);
  if (!t || !v->stamps.known || !(v->stamps.median > 0)) {
    rbv_found(x, at(RBV_FINDING_TIME, RBV_SEVERITY_ERROR, v, -1, -1, NAN),
              "%s: %s: without the sampling rate there are no velocities", name,
              t ? "the time stamps do not advance" : "there is no time column (t)");
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
    rbv_found(x, at(RBV_FINDING_TIME, RBV_SEVERITY_ERROR, v, -1, where, (double)(still + back)),
              "%s: time runs backwards at %td samples and stands still at %td, first at sample %td "
              "(t = %.6g s): sort the rows or drop the repeated ones",
              name, back, still, where + 1, t[where]);
  judge_gaps(x, v, t, n);
  judge_jitter(x, v, t, n);
  return RBV_OK;
}

/* ---- values ---- */

/* columns of one kind of defect, each once, with the sum of its samples */
typedef struct {
  int column;
  ptrdiff_t first, count;
  int runs;
  double value;
} tally;

/* the next column with one of two kinds, from item *i on; false at the end */
static bool next_column(tally *out, int *i, const rbv_defect_list *list, rbv_defect_kind kind) {
  while (*i < list->count && list->items[*i].kind != kind) ++*i;
  if (*i == list->count) return false;
  const rbv_defect *d = &list->items[*i];
  *out = (tally){.column = d->column, .first = d->sample, .value = d->value};
  for (; *i < list->count && list->items[*i].kind == kind && list->items[*i].column == out->column;
       ++*i) {
    out->count += list->items[*i].count;
    out->runs++;
  }
  return true;
}

typedef void judge(examination *x, view *v, const rbv_log_column *column, const tally *t);

static rbv_status for_columns(examination *x, view *v, rbv_defect_kind kind, judge *act) {
  rbv_defect_list list;
  RBV_TRY(rbv_log_scan(&list, v->log, NULL));
  tally t;
  for (int i = 0; next_column(&t, &i, &list, kind);) {
    const rbv_log_column *column = rbv_log_column_at(v->log, t.column);
    // what has no meaning, or belongs to no joint of the robot, harms nobody
    if (column->channel != RBV_CHANNEL_OTHER && column->joint < v->njoint) act(x, v, column, &t);
  }
  rbv_defect_list_free(&list);
  return RBV_OK;
}

static void judge_hole(examination *x, view *v, const rbv_log_column *column, const tally *t) {
  rbv_found(
      x, at(RBV_FINDING_MISSING, RBV_SEVERITY_ERROR, v, column->joint, t->first, (double)t->count),
      "%s: %s is missing or infinite in %td samples, first at sample %td: cut these rows out, "
      "or record again; nothing is guessed in their place",
      rbv_log_name(v->log), column->name, t->count, t->first + 1);
}

rbv_status rbv_detect_holes(examination *x, view *v) {
  RBV_TRY(for_columns(x, v, RBV_DEFECT_MISSING, judge_hole));
  return for_columns(x, v, RBV_DEFECT_INFINITE, judge_hole);
}

static void judge_saturation(examination *x, view *v, const rbv_log_column *column,
                             const tally *t) {
  const double share = (double)t->count / (double)rbv_log_samples(v->log);
  rbv_found(
      x,
      at(RBV_FINDING_SATURATED, share > SATURATED_SHARE ? RBV_SEVERITY_ERROR : RBV_SEVERITY_WARNING,
         v, column->joint, t->first, t->value),
      "%s: %s stays at its extreme %.5g for %td samples (%.2g %%), first at sample %td: the "
      "drive or the recorder cuts it off there. Move more slowly, or leave these rows out",
      rbv_log_name(v->log), column->name, t->value, t->count, 100 * share, t->first + 1);
}

rbv_status rbv_detect_saturation(examination *x, view *v) {
  return for_columns(x, v, RBV_DEFECT_SATURATED, judge_saturation);
}

static void judge_constant(examination *x, view *v, const rbv_log_column *column, const tally *t) {
  const bool reference = column->channel >= RBV_CHANNEL_REFERENCE_POSITION;
  rbv_found(
      x,
      at(RBV_FINDING_CONSTANT, reference ? RBV_SEVERITY_NOTE : RBV_SEVERITY_WARNING, v,
         column->joint, 0, t->value),
      "%s: %s is %.5g throughout: nothing was recorded there, or the joint does not take part",
      rbv_log_name(v->log), column->name, t->value);
}

static void judge_zero_torque(examination *x, view *v, const rbv_log_column *column,
                              const tally *t) {
  rbv_found(x, at(RBV_FINDING_CONSTANT, RBV_SEVERITY_ERROR, v, column->joint, 0, t->value),
            "%s: %s is zero throughout: the torque was not recorded", rbv_log_name(v->log),
            column->name);
}

rbv_status rbv_detect_constant(examination *x, view *v) {
  RBV_TRY(for_columns(x, v, RBV_DEFECT_CONSTANT, judge_constant));
  return for_columns(x, v, RBV_DEFECT_ZERO_TORQUE, judge_zero_torque);
}
