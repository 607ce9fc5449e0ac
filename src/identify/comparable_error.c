/* One error that is defined alike for all methods and runs. */
#include <math.h>

#include "identify/identify_internal.h"

#define PASS_BAND 0.8  // of the Nyquist frequency of decimated rows
#define FEWEST_ROWS 16

typedef struct {
  int first_held;  // fold
  double rss[2], yy[2];
} sums;

static void add_up(void *self, int row, int fold, const double *measured, const double *predicted,
                   ptrdiff_t count) {
  sums *s = self;
  const int held = fold >= s->first_held;
  (void)row;
  for (ptrdiff_t k = 0; k < count; k++) {
    const double e = measured[k] - predicted[k];
    s->rss[held] += e * e;
    s->yy[held] += measured[k] * measured[k];
  }
}

/* every sample counts, except those that are not valid */
static rbv_row_filter filter_for(const rbv_motion *motion, int threads) {
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  const double wanted = PASS_BAND * info->rate_hz / (2 * RBV_COMPARABLE_HZ);
  const double most = (double)(info->count / FEWEST_ROWS);
  const double decimate = fmax(1, floor(fmin(wanted, most)));
  return (rbv_row_filter){.decimate = (int)decimate, .folds = IDENTIFY_BLOCKS, .threads = threads};
}

rbv_status rbv_comparable_error(double *used, double *held, const rbv_model *m,
                                rbv_motion *const *motions, int nmotion, const double *chi,
                                double holdout, int threads) {
  sums s = {.first_held = rbv_first_held(holdout)};
  for (int i = 0; i < nmotion; i++) {
    const rbv_row_filter filter = filter_for(motions[i], threads);
    RBV_TRY(rbv_equations_replay(m, &filter, motions[i], chi, add_up, &s));
  }
  *used = sqrt(s.rss[0] / s.yy[0]);
  if (held) *held = sqrt(s.rss[1] / s.yy[1]);
  return RBV_OK;
}
