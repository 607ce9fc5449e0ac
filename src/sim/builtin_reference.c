/* Built-in reference motions, and a second motion for validation. */
#include <math.h>
#include <roberval/sys/sim.h>
#include <roberval/sys/trajectory.h>
#include <stdio.h>
#include <string.h>

#include "base/support.h"
#include "model/builtin.h"

#define TWO_PI (2 * RBV_PI)
#define REACH 0.8    // share of the range that the reference uses
#define BLEND_S 0.5  // from rest, and to rest

void rbv_sim_reference_release(double *q) { rbv_free(q); }

/* ---- from knots ---- */

/*
 * Knots: lines of comment, which end with "rate_hz RATE samples COUNT joints N", then pieces
 * "joint first last c0 c1 c2 c3": q = c0 + c1 s + c2 s^2 + c3 s^3, s from 0 to 1 over the samples.
 */
static void draw_piece(double *q, int first, int last, const double c[4]) {
  for (int k = first; k <= last; k++) {
    const double s = last > first ? (double)(k - first) / (last - first) : 0;
    q[k] = c[0] + s * (c[1] + s * (c[2] + s * c[3]));
  }
}

static bool read_number(double *out, const char **text) {
  char word[40];
  int used = 0;
  if (sscanf(*text, "%39s%n", word, &used) != 1) return false;
  *text += used;
  return rbv_real_parse(out, word);
}

rbv_status rbv_sim_reference_builtin(double **q, ptrdiff_t *count, int *njoint, double *rate_hz,
                                     const char *robot) {
  *q = NULL;
  const rbv_builtin *found = rbv_builtin_references;
  while (found->name && strcmp(found->name, robot) != 0) found++;
  if (!found->name)
    return rbv_fail(RBV_EINPUT, "there is no built-in reference for the robot '%s'", robot);
  const char *text = strstr(found->text, "rate_hz");
  int samples, n, rate, used;
  if (!text || sscanf(text, "rate_hz %d samples %d joints %d%n", &rate, &samples, &n, &used) != 3)
    return rbv_fail(RBV_EINPUT, "the built-in reference of '%s' has no head", robot);
  text += used;
  RBV_NEW(double, all, (size_t)samples *(size_t)n);
  for (double x[7]; read_number(&x[0], &text);) {
    bool good = true;
    for (int i = 1; i < 7; i++) good = good && read_number(&x[i], &text);
    if (!good || !(x[0] >= 1 && x[0] <= n && x[1] >= 0 && x[2] < samples)) {
      rbv_free(all);
      return rbv_fail(RBV_EINPUT, "a piece of the built-in reference of '%s' is damaged", robot);
    }
    draw_piece(all + ((ptrdiff_t)x[0] - 1) * samples, (int)x[1], (int)x[2], x + 3);
  }
  *q = all;
  *count = samples;
  *njoint = n;
  *rate_hz = rate;
  return RBV_OK;
}

/* ---- second motion ---- */

/* two sines about the middle of the range; every joint has frequencies of its own */
static void choose_sines(double x[5], const rbv_sim_reference *r, int joint) {
  double low = INFINITY, high = -INFINITY;
  for (ptrdiff_t k = 0; k < r->count; k++) {
    low = fmin(low, r->q[k + joint * r->ld]);
    high = fmax(high, r->q[k + joint * r->ld]);
  }
  const double reach = REACH * (high - low) / 2;
  x[0] = (low + high) / 2;
  x[1] = 0.6 * reach;
  x[2] = 0.4 * reach;
  x[3] = TWO_PI * (0.25 + 0.03 * joint);
  x[4] = TWO_PI * (0.60 + 0.05 * joint);
}

rbv_status rbv_sim_reference_second(double **q, const rbv_sim_reference *r, int njoint,
                                    double rate_hz) {
  *q = NULL;
  const double duration = (double)r->count / rate_hz - 2 * BLEND_S;
  if (!(duration > 0))
    return rbv_fail(RBV_EINPUT, "the reference is too short to make a second motion from it");
  rbv_trajectory_shape shape = rbv_trajectory_defaults();
  shape.kind = RBV_TRAJECTORY_SINES;
  shape.njoint = njoint;
  shape.count = 2;
  shape.duration_s = duration;
  shape.blend_s = BLEND_S;
  double *x = rbv_alloc(5 * (size_t)njoint * sizeof *x);
  double *all = rbv_alloc((size_t)r->count * (size_t)njoint * sizeof *all);
  rbv_trajectory *t = NULL;
  rbv_status status = x && all ? RBV_OK : RBV_EMEM;
  for (int j = 0; j < njoint && status == RBV_OK; j++) choose_sines(x + 5 * j, r, j);
  if (status == RBV_OK) status = rbv_trajectory_new(&t, &shape, x);
  if (status == RBV_OK) {
    const rbv_samples to = {.ld = r->count, .q = all};
    rbv_trajectory_sample(&to, t, 0, 1 / rate_hz, r->count);
    *q = all;
    all = NULL;
  }
  rbv_trajectory_free(t);
  rbv_free(all);
  rbv_free(x);
  return status;
}
