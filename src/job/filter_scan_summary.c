/* What a filter scan says: changes from a reference, and the parameters that stay. */
#include <math.h>
#include <roberval/sys/baseparam.h>
#include <roberval/sys/stats.h>
#include <string.h>

#include "job/filter_scan.h"

#define INSIDE_SIGMA 1.96

/* ---- reference values ---- */

/* values of base parameters from those of all columns */
static rbv_status take_base(rbv_filter_scan *scan, const rbv_model *model, const double *chi) {
  rbv_base *base;
  RBV_TRY(rbv_base_new(&base, model, NULL));
  double *value = rbv_alloc((size_t)base->count * sizeof *value);
  if (value) rbv_base_values(value, base, chi);
  for (int p = 0; p < scan->nparameter && value; p++) {
    double x = NAN;
    for (int k = 0; k < base->count; k++)
      if (strcmp(base->name[k], scan->parameter[p].name) == 0) x = value[k];
    for (int m = 0; m < scan->nmethod; m++) scan->method[m].reference[p] = x;
  }
  rbv_free(value);
  rbv_base_free(base);
  return value ? RBV_OK : RBV_EMEM;
}

static rbv_status take_given(rbv_filter_scan *scan, const rbv_model *model, const char *against) {
  const double *own = rbv_model_parameters(model);
  const bool robot = strcmp(against, "robot") == 0;
  if (robot && !own)
    return rbv_fail(RBV_EOPTION, "scan-against robot: the robot file gives no parameter values");
  if (robot) return take_base(scan, model, own);
  rbv_parameters *set;
  RBV_TRY(rbv_parameters_load(&set, against));
  double *chi = rbv_alloc((size_t)rbv_model_column_count(model) * sizeof *chi);
  rbv_status status = chi ? rbv_parameters_apply(chi, NULL, set, model) : RBV_EMEM;
  if (status == RBV_OK) status = take_base(scan, model, chi);
  rbv_parameters_free(set);
  rbv_free(chi);
  return status;
}

/* middle of sorted or unsorted values; NaN: there are none */
static rbv_status median(double *out, double *x, int n) {
  const double half = 0.5;
  *out = NAN;
  return n > 0 ? rbv_stats_quantiles(out, x, x, n, &half, 1) : RBV_OK;
}

static bool is_run_of(const rbv_scan_run *run, const rbv_scan_method *method) {
  return run->value && strcmp(run->method, method->method) == 0;
}

/* median of each parameter over the runs of a method */
static rbv_status take_middle(rbv_filter_scan *scan, rbv_scan_method *m, double *scratch) {
  for (int p = 0; p < scan->nparameter; p++) {
    int n = 0;
    for (int i = 0; i < scan->nrun; i++)
      if (is_run_of(&scan->run[i], m) && isfinite(scan->run[i].value[p]))
        scratch[n++] = scan->run[i].value[p];
    RBV_TRY(median(&m->reference[p], scratch, n));
  }
  return RBV_OK;
}

/* ---- changes ---- */

/* a reference of zero has no relative change */
static void choose_compared(rbv_filter_scan *scan) {
  scan->compared = 0;
  for (int p = 0; p < scan->nparameter; p++) {
    bool *compared = &scan->parameter[p].compared;
    for (int m = 0; m < scan->nmethod; m++) {
      const double x = scan->method[m].reference[p];
      // a method without any estimate says nothing about parameters
      if (x == 0 || (isnan(x) && strcmp(scan->against, "middle") != 0)) *compared = false;
    }
    scan->compared += *compared;
  }
}

static rbv_status find_changes(rbv_filter_scan *scan, rbv_scan_method *m, double *scratch) {
  m->most_change = m->largest = NAN;
  for (int i = 0; i < scan->nrun; i++) {
    rbv_scan_run *run = &scan->run[i];
    if (!is_run_of(run, m)) continue;
    int n = 0;
    for (int p = 0; p < scan->nparameter; p++) {
      const double change = fabs(run->value[p] / m->reference[p] - 1);
      if (!scan->parameter[p].compared || !isfinite(change)) continue;
      scratch[n++] = change;
      if (change <= m->largest) continue;
      m->largest = change;
      m->worst = scan->parameter[p].name;
    }
    RBV_TRY(median(&run->change, scratch, n));
    m->most_change = fmax(m->most_change, run->change);
    m->runs++;
  }
  return RBV_OK;
}

/* a parameter stays if all runs have it within their own sigma of the middle */
static void count_stable(const rbv_filter_scan *scan, rbv_scan_method *m, const double *middle) {
  for (int p = 0; p < scan->nparameter; p++) {
    bool stays = scan->parameter[p].compared && m->runs > 0;
    for (int i = 0; i < scan->nrun && stays; i++) {
      const rbv_scan_run *run = &scan->run[i];
      if (is_run_of(run, m))
        stays = fabs(run->value[p] - middle[p]) <= INSIDE_SIGMA * run->sigma[p];
    }
    m->stable += stays;
  }
}

rbv_status rbv_filter_scan_summarise(rbv_filter_scan *scan, const rbv_model *model,
                                     const char *against) {
  const int n = scan->nparameter, most = n > scan->nrun ? n : scan->nrun;
  RBV_NEW(double, scratch, most + n);
  double *middle = scratch + most;
  scan->against = against ? against : "middle";
  rbv_status status = against ? take_given(scan, model, against) : RBV_OK;
  for (int m = 0; m < scan->nmethod && status == RBV_OK && !against; m++)
    status = take_middle(scan, &scan->method[m], scratch);
  if (status == RBV_OK) choose_compared(scan);
  for (int m = 0; m < scan->nmethod && status == RBV_OK; m++) {
    status = find_changes(scan, &scan->method[m], scratch);
    rbv_scan_method own = scan->method[m];
    own.reference = middle;
    if (status == RBV_OK) status = take_middle(scan, &own, scratch);
    if (status == RBV_OK) count_stable(scan, &scan->method[m], middle);
  }
  rbv_free(scratch);
  return status;
}
