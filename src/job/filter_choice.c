/* Row filters that are left to the data, and a-priori values from files. */
#include <math.h>
#include <roberval/sys/baseparam.h>
#include <roberval/sys/recordings.h>
#include <string.h>

#include "equations/equations.h"
#include "job/job_internal.h"

/* ---- row filters ---- */

#define ROW(...) RBV_ROW(rbv_filter_options, __VA_ARGS__)

static const rbv_option filter_rows[] = {
    ROW("decimate", COUNT, decimate, "N",
        "low-pass all columns and keep every N-th row (default: from the data; 1: none)",
        .topic = "filters", .letter = 'd', RBV_FROM(1, 100000)),
    ROW("mask", REAL, mask, "RAD_PER_S",
        "leave out rows where a joint is slower than this (default: from the data; 0: none)",
        RBV_FROM(0, 1e6)),
    {0}};

const rbv_option *rbv_filter_rows(void) { return filter_rows; }

rbv_filter_options rbv_filter_defaults(void) { return (rbv_filter_options){.mask = NAN}; }

static void tell_still(uint64_t still, const rbv_model *model, const rbv_notes *notes) {
  for (int j = 0; j < rbv_model_joint_count(model) && j < 64; j++)
    if (still >> j & 1)
      rbv_tell(notes, NULL,
               "joint %d (%s) never moves: its torque is not used, and its friction and inertia "
               "cannot be identified",
               j + 1, rbv_model_joint(model, j)->name);
}

rbv_status rbv_filter_limit(rbv_row_filter *filter, const rbv_model *m,
                            const rbv_recordings *recordings, double share) {
  rbv_base *base;
  RBV_TRY(rbv_base_new(&base, m, NULL));
  int *unknowns = rbv_alloc((size_t)rbv_model_row_count(m) * sizeof *unknowns);
  if (unknowns) rbv_base_row_counts(unknowns, base, m);
  const rbv_status status = unknowns ? rbv_row_filter_limit(filter, m, recordings->motion,
                                                            recordings->count, unknowns, share)
                                     : RBV_EMEM;
  rbv_free(unknowns);
  rbv_base_free(base);
  return status;
}

rbv_status rbv_filter_choose(rbv_row_filter *out, const rbv_filter_options *f,
                             const rbv_model *model, const rbv_recordings *recordings, double share,
                             int threads, const rbv_notes *notes) {
  rbv_filter_options own = *f, usual = rbv_filter_defaults();
  const rbv_option_group group[] = {{filter_rows, &own}, {0}};
  const rbv_option_group usual_group[] = {{filter_rows, &usual}, {0}};
  RBV_TRY(rbv_option_check(group, usual_group));
  const bool open = f->decimate <= 0 || isnan(f->mask);
  *out = (rbv_row_filter){.decimate = 1};
  // one pass over all motions, unless both values are given
  if (open)
    RBV_TRY(rbv_row_filter_suggest(out, model, recordings->motion, recordings->count, threads));
  out->threads = threads;
  RBV_TRY(rbv_find_still_joints(&out->still, recordings->motion, recordings->count));
  // a base has no friction: its rows are equations at rest, too
  if (rbv_model_base_moves(model)) out->still &= ~(uint64_t)0 << RBV_BASE_COORDINATES;
  tell_still(out->still, model, notes);
  if (f->decimate > 0) {
    out->decimate = f->decimate;
    out->band = 0;
  }
  if (!isnan(f->mask)) out->mask = f->mask;
  if (f->decimate <= 0) RBV_TRY(rbv_filter_limit(out, model, recordings, share));
  if (open)
    rbv_tell(notes, RBV_NOTE_DETAIL, "row filter: decimation by %d%s, mask %.3g rad/s%s",
             out->decimate, f->decimate > 0 ? "" : " (from the data)", out->mask,
             isnan(f->mask) ? " (from the data)" : "");
  return RBV_OK;
}

/* ---- priors ---- */

void rbv_prior_free(rbv_prior_values *prior) {
  rbv_free(prior->value);
  rbv_free(prior->sigma);
  *prior = (rbv_prior_values){0};
}

rbv_status rbv_prior_load(rbv_prior_values *out, const char *file, const rbv_model *model) {
  *out = (rbv_prior_values){0};
  const size_t n = (size_t)rbv_model_column_count(model);
  const double *own = rbv_model_parameters(model);
  const bool robot = strcmp(file, "robot") == 0;
  if (robot && !own)
    return rbv_fail(RBV_EOPTION, "prior robot: the robot file gives no parameter values");
  rbv_parameters *set = NULL;
  if (!robot) RBV_TRY(rbv_parameters_load(&set, file));
  out->value = rbv_alloc(n * sizeof *out->value);
  if (!robot) out->sigma = rbv_alloc(n * sizeof *out->sigma);
  rbv_status status = out->value && (robot || out->sigma) ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK && robot) memcpy(out->value, own, n * sizeof *own);
  if (status == RBV_OK && !robot) status = rbv_parameters_apply(out->value, out->sigma, set, model);
  rbv_parameters_free(set);
  if (status != RBV_OK) rbv_prior_free(out);
  return status;
}
