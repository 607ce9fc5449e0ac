/* Joints that stand still: equations that are left out or weighted down. */
#include <math.h>

#include "equations/row_stream.h"

#define FADE_END 1.5  // equations have full weight above this multiple of the speed in fade
#define PIECE 64      // samples whose speeds are computed together

/* is this a term of the row whose sign may step, or whose value at rest is uncertain? */
static bool steps_in(const rbv_model *m, const drive_term *term, int row) {
  return term->law && (term->law->steps || term->law->uncertain_at_rest) &&
         term->joint == m->row[row].joint &&
         side_acts(m->column[term->column].side, m->row[row].torque);
}

/* speeds of at most PIECE samples along the direction of a term */
static void speeds_along(double *speed, const rbv_model *m, const drive_term *term,
                         const double *dq, ptrdiff_t ld, int count) {
  for (int i = 0; i < count; i++) speed[i] = 0;
  for (int k = term->first; k < term->first + term->count; k++) {
    const double w = m->direction_weight[k], *x = dq + m->direction_joint[k] * ld;
    for (int i = 0; i < count; i++) speed[i] += w * x[i];
  }
  for (int i = 0; i < count; i++) speed[i] = fabs(speed[i]);
}

static double fade_along(const rbv_model *m, const drive_term *term, const double *fade) {
  double largest = 0;
  for (int k = term->first; k < term->first + term->count; k++)
    largest = fmax(largest, fade[m->direction_joint[k]]);
  return largest;
}

void rbv_fade_weights(double *weight, const rbv_model *m, const double *fade, int row,
                      const double *dq, ptrdiff_t ld, ptrdiff_t count) {
  for (ptrdiff_t k = 0; k < count; k++) weight[k] = 1;
  for (int t = 0; t < m->nterm; t++) {
    const drive_term *term = &m->term[t];
    if (!steps_in(m, term, row)) continue;
    const double from = fade_along(m, term, fade), width = (FADE_END - 1) * from;
    for (ptrdiff_t first = 0; first < count && from > 0; first += PIECE) {
      const int n = count - first < PIECE ? (int)(count - first) : PIECE;
      double speed[PIECE];
      speeds_along(speed, m, term, dq + first, ld, n);
      for (int i = 0; i < n; i++) {
        const double x = (speed[i] - from) / width, s = x < 0 ? 0 : x < 1 ? x : 1;
        weight[first + i] *= s * s * (3 - 2 * s);
      }
    }
  }
}

void rbv_mark_slow(bool *slow, const rbv_model *m, const rbv_row_filter *filter, int row,
                   const double *dq, ptrdiff_t ld, ptrdiff_t count) {
  const int joint = m->row[row].joint;
  const bool still = joint < 64 && (filter->still >> joint & 1);
  for (ptrdiff_t k = 0; k < count; k++) slow[k] = still;
  // a prefilter needs all rows of its sequence; faded equations are zero before it
  const double *fade = filter->prefilter ? NULL : filter->fade;
  if (still || (!(filter->mask > 0) && !fade)) return;
  for (int t = 0; t < m->nterm; t++) {
    const drive_term *term = &m->term[t];
    if (!steps_in(m, term, row)) continue;
    const double limit = fmax(filter->mask, fade ? fade_along(m, term, fade) : 0);
    for (ptrdiff_t first = 0; first < count; first += PIECE) {
      const int n = count - first < PIECE ? (int)(count - first) : PIECE;
      double speed[PIECE];
      speeds_along(speed, m, term, dq + first, ld, n);
      for (int i = 0; i < n; i++) slow[first + i] |= speed[i] < limit;
    }
  }
}
