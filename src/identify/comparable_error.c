/* One error that is defined alike for all methods and runs. */
#include <math.h>
#include <string.h>

#include "identify/block_deletion.h"
#include "identify/identify.h"
#include "motion/motion.h"

#define PASS_BAND 0.8  // of the Nyquist frequency of decimated rows
#define FEWEST_ROWS 16

/* sums of squares of the samples before and after the start of the held-out part, by row */
typedef struct {
  int first_held;  // fold
  double *rss[2], *yy[2];
} sums;

static void add_up(void *self, int row, int fold, const double *measured, const double *predicted,
                   ptrdiff_t count) {
  sums *s = self;
  const int held = fold >= s->first_held;
  double rss = 0, yy = 0;
  for (ptrdiff_t k = 0; k < count; k++) {
    const double e = measured[k] - predicted[k];
    rss += e * e;
    yy += measured[k] * measured[k];
  }
  s->rss[held][row] += rss;
  s->yy[held][row] += yy;
}

/* every sample counts, except those that are not valid or slower than the mask */
static rbv_row_filter filter_for(const rbv_motion *motion, int folds, double mask, int threads) {
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  const double wanted = PASS_BAND * info->rate_hz / (2 * RBV_COMPARABLE_HZ);
  const double most = (double)(info->count / FEWEST_ROWS);
  const double decimate = fmax(1, floor(fmin(wanted, most)));
  return (rbv_row_filter){
      .decimate = (int)decimate, .mask = mask, .folds = folds, .threads = threads};
}

/* The motion that the error of `motion` is computed from. A held-out part of it must be the part
 * that was held out: averaged periods are not. */
static rbv_motion *compared(rbv_motion *motion, double holdout) {
  rbv_motion *standard = rbv_motion_standard(motion);
  const bool same =
      rbv_motion_get_info(standard)->count == rbv_motion_get_info(motion)->count || holdout == 0;
  return same ? standard : motion;
}

/* errors of the rows, and of all rows together */
static double put_errors(double *rows, const double *rss, const double *yy, int nrow) {
  double error = 0, whole = 0;
  for (int r = 0; r < nrow; r++) {
    if (rows) rows[r] = sqrt(rss[r] / yy[r]);
    error += rss[r];
    whole += yy[r];
  }
  return sqrt(error / whole);
}

/* The sums of all motions; memory: 4 nrow. */
static rbv_status add_motions(sums *s, double *memory, const rbv_model *m,
                              rbv_motion *const *motions, int nmotion, const double *chi,
                              double holdout, double mask, int threads) {
  const int nrow = rbv_model_row_count(m);
  motion_blocks *blocks = rbv_alloc((size_t)nmotion * sizeof *blocks);
  rbv_motion **motion = rbv_alloc((size_t)nmotion * sizeof *motion);
  rbv_status status = blocks && motion ? RBV_OK : RBV_EMEM;
  for (int i = 0; i < nmotion && status == RBV_OK; i++) motion[i] = compared(motions[i], holdout);
  for (int part = 0; part < 2; part++) {
    s->rss[part] = memory + 2 * part * nrow;
    s->yy[part] = s->rss[part] + nrow;
  }
  if (status == RBV_OK) rbv_blocks_plan(blocks, motion, nmotion, holdout, false);
  for (int i = 0; i < nmotion && status == RBV_OK; i++) {
    const rbv_row_filter filter = filter_for(motion[i], blocks[i].folds, mask, threads);
    s->first_held = blocks[i].used;
    status = rbv_equations_replay(m, &filter, motion[i], chi, add_up, s);
  }
  RBV_FREE_ALL(motion, blocks);
  return status;
}

rbv_status rbv_comparable_rows(double *used_rows, double *held_rows, double *used, double *held,
                               const rbv_model *m, rbv_motion *const *motions, int nmotion,
                               const double *chi, double holdout, int threads) {
  const int nrow = rbv_model_row_count(m);
  sums s = {0};
  double *memory = rbv_alloc(4 * (size_t)nrow * sizeof *memory);
  if (!memory) return RBV_EMEM;
  const rbv_status status = add_motions(&s, memory, m, motions, nmotion, chi, holdout, 0, threads);
  if (status == RBV_OK) {
    *used = put_errors(used_rows, s.rss[0], s.yy[0], nrow);
    const double rest = put_errors(held_rows, s.rss[1], s.yy[1], nrow);
    if (held) *held = rest;
  }
  rbv_free(memory);
  return status;
}

rbv_status rbv_comparable_rest(double *used, double *held, const rbv_model *m,
                               rbv_motion *const *motions, int nmotion, const double *chi,
                               double holdout, double speed, int threads) {
  const int nrow = rbv_model_row_count(m);
  sums s = {0};
  double total[2] = {0}, moving[2] = {0};
  double *memory = rbv_alloc(4 * (size_t)nrow * sizeof *memory);
  rbv_status status = memory ? RBV_OK : RBV_EMEM;
  for (int masked = 0; masked < 2 && status == RBV_OK; masked++) {
    memset(memory, 0, 4 * (size_t)nrow * sizeof *memory);
    status = add_motions(&s, memory, m, motions, nmotion, chi, holdout, masked * speed, threads);
    for (int part = 0; part < 2; part++)
      for (int r = 0; r < nrow; r++) (masked ? moving : total)[part] += s.rss[part][r];
  }
  *used = 1 - moving[0] / total[0];
  if (held) *held = 1 - moving[1] / total[1];
  rbv_free(memory);
  return status;
}

rbv_status rbv_comparable_error(double *used, double *held, const rbv_model *m,
                                rbv_motion *const *motions, int nmotion, const double *chi,
                                double holdout, int threads) {
  return rbv_comparable_rows(NULL, NULL, used, held, m, motions, nmotion, chi, holdout, threads);
}

rbv_status rbv_comparable_fit(rbv_fit *used, rbv_fit *held, const rbv_model *m,
                              rbv_motion *const *motions, int nmotion, const double *chi,
                              double holdout, int threads) {
  const int n = rbv_model_row_count(m);
  double rest;
  RBV_NEW(double, rows, 2 * (size_t)n);
  const rbv_status status = rbv_comparable_rows(rows, rows + n, &used->comparable, &rest, m,
                                                motions, nmotion, chi, holdout, threads);
  for (int i = 0; i < used->nrow && status == RBV_OK; i++) used->row[i].comparable = rows[i];
  for (int i = 0; held && i < held->nrow && status == RBV_OK; i++)
    held->row[i].comparable = rows[n + i];
  if (held) held->comparable = rest;
  rbv_free(rows);
  return status;
}
