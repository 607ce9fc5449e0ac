/*
 * Recordings of a known motion, written column by column into a sheet, and the motions made from
 * them.
 */
#ifndef PREPARE_SHEET_H
#define PREPARE_SHEET_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <roberval/sys/prepare.h>

#include "base/support.h"
#include "support.h"

#define JOINTS 2
#define MOST 20000
#define RATE 500.0
#define PERIOD 2.0

/* two joints; motor 2 is also moved by joint 1; torques of both sides */
static const char robot_text[] =
    "name: pair\n"
    "joints: [{name: a, mdh: {}}, {name: b, mdh: {d: 0.5}}]\n"
    "transmission: {ratios: [10, -20], couplings: [{motor: 2, joint: 1, ratio: 4}],\n"
    "               offset: [0.25, -0.5]}\n";

static inline rbv_model *robot(rbv_sensing sensing) {
  rbv_model_options o = rbv_model_defaults();
  o.sensing = (int)sensing;
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "pair.yaml", robot_text, sizeof robot_text - 1, &o));
  return m;
}

/* ---- a known trajectory: three harmonics of 0.5 Hz ---- */

static const double amplitude[JOINTS][3] = {{0.5, -0.2, 0.1}, {-0.3, 0.25, -0.15}};

/* derivative 0, 1 or 2 */
static inline double wave(int joint, int derivative, double t) {
  double sum = derivative == 0 ? 0.3 : 0;
  for (int h = 0; h < 3; h++) {
    const double w = 2 * RBV_PI * (h + 1) / PERIOD;
    sum += amplitude[joint][h] * pow(w, derivative) * sin(w * t + h + derivative * RBV_PI / 2);
  }
  return sum;
}

static inline double torque(int joint, double t) {
  return 3 + 5 * cos(2 * RBV_PI * t / PERIOD + joint);
}

/* the largest frequency in the motion */
static const double w_max = 3 * 2 * RBV_PI / PERIOD;

/* ---- recordings ---- */

typedef struct {
  ptrdiff_t count;
  int ncol;
  char name[16][24];
  double value[16][MOST];
} sheet;

static sheet *page;  // one at a time is sufficient

static inline double *column(const char *name) {
  snprintf(page->name[page->ncol], sizeof page->name[0], "%s", name);
  return page->value[page->ncol++];
}

static inline void blank(ptrdiff_t count) {
  page->count = count;
  page->ncol = 0;
  double *t = column("t");
  for (ptrdiff_t k = 0; k < count; k++) t[k] = (double)k / RATE;
}

static inline void put(const char *stem, double (*f)(int joint, double t), double sigma) {
  const uint64_t stream = (uint64_t)page->ncol;
  for (int j = 0; j < JOINTS; j++) {
    char name[24];
    snprintf(name, sizeof name, "%s%d", stem, j + 1);
    double *x = column(name);
    for (ptrdiff_t k = 0; k < page->count; k++)
      x[k] =
          f(j, page->value[0][k]) + sigma * rbv_random_normal(7, stream + (uint64_t)j, (uint64_t)k);
  }
}

static inline double position(int j, double t) { return wave(j, 0, t); }
static inline double velocity(int j, double t) { return wave(j, 1, t); }
static inline double acceleration(int j, double t) { return wave(j, 2, t); }

static inline rbv_log *finished(void) {
  const char *names[16];
  for (int c = 0; c < page->ncol; c++) names[c] = page->name[c];
  rbv_log *log;
  assert_ok(rbv_log_new(&log, "page.csv", names, page->ncol, page->value[0], page->count, MOST));
  return log;
}

/* drop rows, as if the recorder had missed them */
static inline void cut(ptrdiff_t from, ptrdiff_t to) {
  for (int c = 0; c < page->ncol; c++)
    memmove(page->value[c] + from, page->value[c] + to,
            (size_t)(page->count - to) * sizeof(double));
  page->count -= to - from;
}

/* ---- motions ---- */

typedef struct {
  rbv_motion *motion;
  const rbv_motion_info *info;
  const rbv_motion_origin *origin;
  double *q, *dq, *ddq, *torque;
  bool *valid;
} read_back;

static inline read_back read_all(rbv_motion *motion) {
  read_back b = {.motion = motion};
  b.info = rbv_motion_get_info(motion);
  b.origin = rbv_motion_get_origin(motion);
  const size_t n = (size_t)b.info->count;
  b.q = malloc(n * JOINTS * sizeof(double));
  b.dq = malloc(n * JOINTS * sizeof(double));
  b.ddq = malloc(n * JOINTS * sizeof(double));
  b.torque = malloc(n * (size_t)b.info->ntorque * sizeof(double));
  b.valid = malloc(n);
  const rbv_samples s = {.ld = b.info->count,
                         .q = b.q,
                         .dq = b.dq,
                         .ddq = b.ddq,
                         .torque = b.torque,
                         .valid = b.valid};
  assert_ok(rbv_motion_read(motion, &s, 0, b.info->count));
  return b;
}

static inline void drop(read_back *b) {
  free(b->q);
  free(b->dq);
  free(b->ddq);
  free(b->torque);
  free(b->valid);
  rbv_motion_free(b->motion);
}

/* the sheet as a motion of a robot */
static inline read_back convert(rbv_sensing sensing, const rbv_differentiate_options *o) {
  rbv_model *m = robot(sensing);
  rbv_log *log = finished();
  rbv_motion *motion;
  assert_ok(rbv_motion_from_log(&motion, m, log, o));
  rbv_log_free(log);
  rbv_model_free(m);
  return read_all(motion);
}

/* valid samples away from the ends agree with the trajectory within a relative bound
 * per derivative */
static inline void compare(const read_back *b, double edge, const double bound[3]) {
  const ptrdiff_t n = b->info->count;
  const double *got[3] = {b->q, b->dq, b->ddq};
  for (int d = 0; d < 3; d++)
    for (int j = 0; j < JOINTS; j++)
      for (ptrdiff_t k = 0; k < n; k++) {
        const double t = (double)k / b->info->rate_hz;
        if (!b->valid[k] || t < edge || (double)(n - 1 - k) / b->info->rate_hz < edge) continue;
        // all derivatives in units of an amplitude of 1 at the largest frequency
        assert_near(got[d][k + j * n], wave(j, d, t), bound[d] * pow(w_max, d), 0);
      }
}

#define H (1 / RATE)

/*
 * Errors of a low-pass at 50 Hz and central differences. The gain of the filter is 1 - (1.5/50)^8 =
 * 1 - 7e-13. A central difference has a relative error of (w h)^2 / 6, two of them twice that; the
 * sums of A_l (w_l / w_max)^3 and ^4 are below 0.25 for both joints.
 */
#define BEND (w_max * w_max * H * H)
#define DIFFERENCED ((const double[]){1e-10, 0.25 * BEND / 6, 0.25 * BEND / 3})

/* move the time stamps by a part of a step */
static inline void jitter(double part) {
  for (ptrdiff_t k = 1; k < page->count; k++)
    page->value[0][k] += part * H * (2 * rbv_random_uniform(3, 0, (uint64_t)k) - 1);
}

/* qm = K (q - offset), tau = K' taum, gains on the motors */
static inline double rotor(int j, double t) {
  const double q1 = wave(0, 0, t) - 0.25, q2 = wave(1, 0, t) + 0.5;
  return j == 0 ? 10 * q1 : 4 * q1 - 20 * q2;
}

#endif
