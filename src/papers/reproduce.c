#include "papers/papers_internal.h"

#include <math.h>
#include <roberval/sys/dynamics.h>
#include <roberval/sys/stats.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- the table ---- */

static const struct {
  const char *name, *paper, *text;
  reproduce_run *run;
} experiments[] = {
    {"didim", "Gautier, Vandanjon and Janot (ICRA 2011)",
     "TX40 with the values of Table 2: identified from the torques of its closed loop",
     rbv_reproduce_didim},
    {"coupling", "Villagrossi et al. (ICINCO 2014)",
     "NS16 with the values pi_C: motions with little coupling, regrouped parameters, identified "
     "values",
     rbv_reproduce_coupling},
    {"a460", "Radkhah, Kulic and Croft (2007)",
     "CRS A460: categories, the motion of Table I, values of Table II identified from its torques",
     rbv_reproduce_a460},
    {"piv", "Brunot et al. (2018)",
     "TX40 with the values of Table 1: LS, IV and PIV in its closed loop, controller known and "
     "unknown",
     rbv_reproduce_piv},
    {"lwr", "Jubien, Gautier and Janot (2014)",
     "LWR4+ with the values of Table II: identified from motor torques, sensors, both, difference",
     rbv_reproduce_lwr},
    {"tx40", "public recording of a real TX40",
     "the real TX40 beside Table 2 of Gautier 2011 and Table 1 of Brunot 2018", rbv_reproduce_tx40},
    {"emps", "Janot, Gautier and Brunot (2019)",
     "the public benchmark EMPS by every method, with and without its controller",
     rbv_reproduce_emps},
};

const char *rbv_reproduce_name(int i) {
  return i >= 0 && i < RBV_COUNT(experiments) ? experiments[i].name : NULL;
}

const char *rbv_reproduce_text(int i) {
  return i >= 0 && i < RBV_COUNT(experiments) ? experiments[i].text : NULL;
}

rbv_reproduce_options rbv_reproduce_defaults(void) {
  return (rbv_reproduce_options){.seed = 1, .threads = 1};
}

void rbv_reproduction_free(rbv_reproduction *r) {
  if (!r) return;
  for (int i = 0; i < r->nfigure; i++) {
    rbv_free(r->figure[i].file);
    rbv_free(r->figure[i].element);
  }
  RBV_FREE_ALL(r->figure, r->row, r);
}

rbv_status rbv_reproduce(rbv_reproduction **out, const char *name,
                         const rbv_reproduce_options *options) {
  *out = NULL;
  const rbv_reproduce_options o = options ? *options : rbv_reproduce_defaults();
  int i = 0;
  while (i < RBV_COUNT(experiments) && strcmp(experiments[i].name, name) != 0) i++;
  if (i == RBV_COUNT(experiments))
    return rbv_fail(RBV_EARG, "the experiment '%s' is not known", name);
  RBV_NEW(rbv_reproduction, r, 1);
  *r = (rbv_reproduction){
      .name = experiments[i].name, .paper = experiments[i].paper, .text = experiments[i].text};
  RBV_GIVE(out, r, experiments[i].run(r, &o), rbv_reproduction_free(r));
}

/* ---- verdicts ---- */

const char *rbv_match_name(rbv_match verdict) {
  static const char *const names[RBV_MATCH_COUNT] = {"agrees",  "recovered", "explained",
                                                     "differs", "cannot",    "remark"};
  return verdict >= RBV_MATCH_AGREES && verdict < RBV_MATCH_COUNT ? names[verdict] : "";
}

rbv_match rbv_reproduced_verdict(const rbv_reproduced *row) {
  if (isnan(row->paper) || isnan(row->ours) || isnan(row->tolerance)) {
    if (!row->why) return RBV_MATCH_DIFFERS;
    return isnan(row->paper) && !isnan(row->ours) ? RBV_MATCH_REMARK : RBV_MATCH_CANNOT;
  }
  if (fabs(row->ours - row->paper) <= row->tolerance)
    return row->simulated ? RBV_MATCH_RECOVERED : RBV_MATCH_AGREES;
  const bool expected = row->ours >= row->low && row->ours <= row->high;
  return row->why && row->shown && expected ? RBV_MATCH_EXPLAINED : RBV_MATCH_DIFFERS;
}

/* space for one more row, in blocks of 32 */
static rbv_status grow(rbv_reproduction *r) {
  const size_t size = sizeof *r->row, block = 32;
  if (r->count % (int)block != 0) return RBV_OK;
  void *more = rbv_realloc(r->row, (size_t)r->count * size, ((size_t)r->count + block) * size);
  if (!more) return RBV_EMEM;
  r->row = more;
  return RBV_OK;
}

rbv_status rbv_reproduction_add(rbv_reproduction *r, const rbv_reproduced *row, const char *format,
                                ...) {
  RBV_TRY(grow(r));
  rbv_reproduced *to = &r->row[r->count++];
  *to = *row;
  if (!to->unit) to->unit = "";
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(to->what, sizeof to->what, format, arguments);
  va_end(arguments);
  to->verdict = rbv_reproduced_verdict(to);
  r->verdicts[to->verdict]++;
  return RBV_OK;
}

rbv_status rbv_reproduction_count(rbv_reproduction *r, const char *where, double paper, double ours,
                                  const char *what) {
  const rbv_reproduced row = {
      .where = where, .paper = paper, .ours = ours, .basis = "a count is exact"};
  return rbv_reproduction_add(r, &row, "%s", what);
}

rbv_status rbv_reproduction_cannot(rbv_reproduction *r, const char *where, double paper,
                                   double ours, const char *unit, const char *why,
                                   const char *what) {
  const rbv_reproduced row = {.where = where,
                              .unit = unit,
                              .paper = paper,
                              .ours = ours,
                              .tolerance = NAN,
                              .basis = "",
                              .why = why,
                              .low = NAN,
                              .high = NAN};
  return rbv_reproduction_add(r, &row, "%s", what);
}

rbv_status rbv_reproduction_remark(rbv_reproduction *r, const char *where, double ours,
                                   const char *unit, const char *why, const char *what) {
  return rbv_reproduction_cannot(r, where, NAN, ours, unit, why, what);
}

/* ---- estimates ---- */

const char rbv_reproduce_sigma_basis[] = "4 sigma of our estimate";

bool rbv_reproduced_value(double *value, double *sigma, const rbv_estimate *e, const rbv_model *m,
                          const char *name) {
  const int column = rbv_model_find(m, name), n = e->base->count;
  for (int k = 0; k < n; k++) {
    if (e->base->kept[k] != column || e->status[k] == RBV_STATUS_NOT_ESSENTIAL) continue;
    *value = e->value[k];
    *sigma = sqrt(e->covariance[k + k * n]);
    return isfinite(*sigma);
  }
  return false;
}

void rbv_reproduced_check(rbv_reproduced *row) {
  static const char why[] =
      "four sigma are more than the value itself, so that agreement would be no evidence";
  if (!(row->tolerance >= fabs(row->paper))) return;
  row->tolerance = NAN;
  row->why = why;
  row->shown = NULL;
}

/* ---- relative standard deviations ---- */

/* rank of value i among n; equal values share the mean of their ranks */
static double rank_of(const double *x, int n, int i) {
  double below = 0, equal = 0;
  for (int k = 0; k < n; k++) {
    below += x[k] < x[i];
    equal += x[k] == x[i];
  }
  return below + (equal + 1) / 2;
}

static double rank_correlation(const double *x, const double *y, int n) {
  double xx = 0, yy = 0, xy = 0;
  for (int i = 0; i < n; i++) {
    const double a = rank_of(x, n, i) - (n + 1) / 2.0, b = rank_of(y, n, i) - (n + 1) / 2.0;
    xx += a * a;
    yy += b * b;
    xy += a * b;
  }
  return xy / sqrt(xx * yy);
}

#define PERCENTS_MOST 128

rbv_status rbv_reproduction_percents(rbv_reproduction *r, int first, const char *where,
                                     const char *what) {
  double paper[PERCENTS_MOST], ours[PERCENTS_MOST], ratio[PERCENTS_MOST], work[PERCENTS_MOST];
  int n = 0;
  for (int i = first; i < r->count && n < PERCENTS_MOST; i++) {
    if (!(r->row[i].paper_percent > 0 && isfinite(r->row[i].ours_percent))) continue;
    paper[n] = r->row[i].paper_percent;
    ours[n] = r->row[i].ours_percent;
    ratio[n] = ours[n] / paper[n];
    n++;
  }
  if (n < 4) return RBV_OK;
  static const char why[] = "the noise of the recording is not public; it determines all sigma";
  double median;
  RBV_TRY(rbv_stats_quantiles(&median, work, ratio, n, (const double[]){0.5}, 1));
  char text[64];
  snprintf(text, sizeof text, "median of our %%sigma over printed, %s", what);
  RBV_TRY(rbv_reproduction_remark(r, where, median, "", why, text));
  snprintf(text, sizeof text, "rank correlation of %%sigma, %s", what);
  return rbv_reproduction_remark(r, where, rank_correlation(paper, ours, n), "", why, text);
}

/* ---- recordings ---- */

bool rbv_paper_recording(char *path, size_t size, const rbv_reproduce_options *o,
                         const char *file) {
  if (!o->data) return false;
  const int n = snprintf(path, size, "%s/%s", o->data, file);
  if (n < 0 || (size_t)n >= size) return false;
  FILE *f = fopen(path, "rb");
  if (f) fclose(f);
  return f != NULL;
}

double rbv_paper_deviation(const double *x, ptrdiff_t count) {
  double mean = 0, sum = 0;
  for (ptrdiff_t k = 0; k < count; k++) mean += x[k] / (double)count;
  for (ptrdiff_t k = 0; k < count; k++) sum += (x[k] - mean) * (x[k] - mean);
  return sqrt(sum / (double)count);
}

static void add_noise(double *x, ptrdiff_t count, double sigma, double pole, uint64_t seed,
                      uint64_t stream) {
  const double fresh = sqrt(1 - pole * pole);
  double state = 0;
  for (ptrdiff_t k = 0; k < count; k++) {
    const double e = rbv_random_normal(seed, stream, (uint64_t)k);
    state = k == 0 ? e : pole * state + fresh * e;
    x[k] += sigma * state;
  }
}

rbv_status rbv_paper_random_points(rbv_motion **out, const rbv_model *m, rbv_trajectory_shape shape,
                                   double share, double rate_hz, uint64_t seed) {
  shape.kind = RBV_TRAJECTORY_VIA;
  shape.njoint = rbv_model_joint_count(m);
  const int width = shape.count + 1;
  RBV_NEW(double, x, shape.njoint *width);
  for (int j = 0; j < shape.njoint; j++) {
    const rbv_limits *l = &rbv_model_joint(m, j)->limits;
    for (int k = 0; k < shape.count; k++) {
      const double u = rbv_random_uniform(seed, (uint64_t)j, (uint64_t)k);
      x[j * width + k] = share * (l->lower + u * (l->upper - l->lower));
    }
    x[j * width + shape.count] = 1;  // speed
  }
  rbv_trajectory *t;
  rbv_status status = rbv_trajectory_new(&t, &shape, x);
  rbv_free(x);
  if (status != RBV_OK) return status;
  status = rbv_trajectory_motion(out, t, "points", rate_hz);
  rbv_trajectory_free(t);
  return status;
}

rbv_status rbv_reproduce_record(rbv_motion **out, const rbv_model *m, const double *chi,
                                rbv_motion *states, bool loaded, const reproduce_noise *noise) {
  *out = NULL;
  rbv_motion_info info = *rbv_motion_get_info(states);
  const int n = info.njoint, nrow = rbv_model_row_count(m);
  const size_t block = (size_t)info.count * (size_t)n;
  info.ntorque = nrow;
  info.loaded = loaded;
  rbv_dynamics *d = NULL;
  RBV_NEW(double, memory, 3 * block + (size_t)info.count * (size_t)nrow);
  rbv_samples s = {.ld = info.count, .q = memory, .dq = memory + block, .ddq = memory + 2 * block};
  rbv_status status = rbv_motion_read(states, &s, 0, info.count);
  if (status == RBV_OK) status = rbv_dynamics_new(&d, m);
  if (status == RBV_OK) status = rbv_dynamics_set(d, chi, loaded);
  if (status == RBV_OK) {
    const rbv_states at = {
        .count = info.count, .ld = info.count, .q = s.q, .dq = s.dq, .ddq = s.ddq};
    s.torque = memory + 3 * block;
    rbv_dynamics_rows_batch(s.torque, info.count, d, &at);
    const double pole = noise->hertz > 0 ? exp(-2 * RBV_PI * noise->hertz / info.rate_hz) : 0;
    for (int r = 0; r < nrow; r++) {
      const bool joint = rbv_model_row(m, r)->torque == RBV_TORQUE_JOINT;
      double *own = s.torque + r * info.count;
      const double sigma = noise->sigma ? noise->sigma[r]
                                        : (joint ? noise->joint : noise->motor) *
                                              rbv_paper_deviation(own, info.count);
      add_noise(own, info.count, sigma, pole, noise->seed, (uint64_t)r);
    }
    status = rbv_motion_from_arrays(out, &info, &s);
  }
  rbv_dynamics_free(d);
  rbv_free(memory);
  return status;
}
