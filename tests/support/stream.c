#include "stream.h"

#include <math.h>
#include <roberval/sys/identify.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "motions.h"
#include "support.h"

#define CORNER 20.0  // [Hz]
#define PROBE 2000   // samples at 20 Hz for the rms of the torques

static void choose_motion(stream *s, uint64_t motion) {
  for (int j = 0; j < s->n; j++) {
    const rbv_limits *l = &rbv_model_joint(s->m, j)->limits;
    const double range = fmin(1.2, 0.45 * (l->upper - l->lower)), fastest = 0.6 * l->velocity;
    double speed = 0, size = 0;
    for (int i = 0; i < STREAM_SINES; i++) {
      const uint64_t at = (uint64_t)(3 * (j * STREAM_SINES + i));
      s->omega[j][i] = 2 * RBV_PI * (0.1 + 0.9 * rbv_random_uniform(motion, 77, at));
      s->phase[j][i] = 2 * RBV_PI * rbv_random_uniform(motion, 77, at + 1);
      s->amplitude[j][i] = 0.2 + rbv_random_uniform(motion, 77, at + 2);
      size += s->amplitude[j][i];
      speed += s->amplitude[j][i] * s->omega[j][i];
    }
    const double scale = fmin(range / size, fastest / speed);
    for (int i = 0; i < STREAM_SINES; i++) s->amplitude[j][i] *= scale;
    s->moves[j] = true;
  }
}

static void place(stream *s, double t) {
  for (int j = 0; j < s->n; j++) {
    s->q[j] = s->dq[j] = s->ddq[j] = 0;
    for (int i = 0; i < STREAM_SINES && s->moves[j]; i++) {
      const double w = s->omega[j][i], a = s->amplitude[j][i], x = w * t + s->phase[j][i];
      s->q[j] += a * sin(x);
      s->dq[j] += a * w * cos(x);
      s->ddq[j] -= a * w * w * sin(x);
    }
  }
}

void stream_set(stream *s) { assert_ok(rbv_dynamics_set(s->d, s->chi, false)); }

static void choose_noise(stream *s, double share) {
  double sum[STREAM_JOINTS] = {0};
  for (int k = 0; k < PROBE; k++) {
    place(s, k / 20.0);
    rbv_dynamics_rows(s->tau, s->d, s->q, s->dq, s->ddq);
    for (int j = 0; j < s->n; j++) sum[j] += s->tau[j] * s->tau[j] / PROBE;
  }
  for (int j = 0; j < s->n; j++) s->noise[j] = share * sqrt(sum[j]);
}

void stream_new(stream *s, rbv_model *m, const double *chi, double rate_hz, double share,
                uint64_t motion, uint64_t run) {
  *s = (stream){.m = m, .n = rbv_model_joint_count(m), .rate_hz = rate_hz, .seed = run};
  assert_true(s->n <= STREAM_JOINTS && rbv_model_row_count(m) == s->n);
  assert_true(rbv_model_column_count(m) <= STREAM_COLUMNS);
  assert_ok(rbv_dynamics_new(&s->d, m));
  memcpy(s->chi, chi, (size_t)rbv_model_column_count(m) * sizeof *chi);
  stream_set(s);
  choose_motion(s, motion);
  choose_noise(s, share);
  for (int j = 0; j < s->n; j++) s->step[j] = 2 * RBV_PI / 65536;
}

void stream_free(stream *s) { rbv_dynamics_free(s->d); }

double stream_noise_memory(const stream *s) { return exp(-2 * RBV_PI * CORNER / s->rate_hz); }

void stream_next(stream *s) {
  s->t = (double)s->k / s->rate_hz;
  place(s, s->t);
  rbv_dynamics_rows(s->tau, s->d, s->q, s->dq, s->ddq);
  const double keep = stream_noise_memory(s), fresh = sqrt(1 - keep * keep);
  for (int j = 0; j < s->n; j++) {
    const double e = rbv_random_normal(s->seed, (uint64_t)j, (uint64_t)s->k);
    s->state[j] = s->k == 0 ? e : keep * s->state[j] + fresh * e;
    s->tau[j] += s->noise[j] * s->state[j] - s->external[j];
    s->q[j] = s->step[j] * floor(s->q[j] / s->step[j] + 0.5);
  }
  s->k++;
}

void stream_carry(stream *s, double mass, const double centre[3], double radius) {
  const double x = centre[0], y = centre[1], z = centre[2], own = 0.4 * mass * radius * radius;
  const double body[RBV_INERTIAL] = {own + mass * (y * y + z * z),
                                     -mass * x * y,
                                     -mass * x * z,
                                     own + mass * (x * x + z * z),
                                     -mass * y * z,
                                     own + mass * (x * x + y * y),
                                     mass * x,
                                     mass * y,
                                     mass * z,
                                     mass};
  for (int c = 0; c < rbv_model_column_count(s->m); c++) {
    const rbv_column *column = rbv_model_column(s->m, c);
    if (column->basis == RBV_BASIS_INERTIAL && column->joint == (s->at > 0 ? s->at : s->n) - 1)
      s->chi[c] += body[column->component];
  }
  stream_set(s);
}

/* ---- the identified arm ---- */

static rbv_motion *record(stream *s, ptrdiff_t count) {
  const int n = s->n;
  const size_t size = (size_t)count * (size_t)n;
  double *block = calloc(4 * size, sizeof *block);
  assert_non_null(block);
  const rbv_samples samples = {.ld = count,
                               .q = block,
                               .dq = block + size,
                               .ddq = block + 2 * size,
                               .torque = block + 3 * size};
  for (ptrdiff_t k = 0; k < count; k++) {
    stream_next(s);
    for (int j = 0; j < n; j++) {
      samples.q[k + j * count] = s->q[j];
      samples.dq[k + j * count] = s->dq[j];
      samples.ddq[k + j * count] = s->ddq[j];
      samples.torque[k + j * count] = s->tau[j];
    }
  }
  rbv_motion *motion;
  const rbv_motion_info info = {
      .name = "stream", .njoint = n, .ntorque = n, .count = count, .rate_hz = s->rate_hz};
  assert_ok(rbv_motion_from_arrays(&motion, &info, &samples));
  free(block);
  return motion;
}

/* the identification's parts, by column of the model */
static void take_parts(known_stream *k, const rbv_estimate *e) {
  const int columns = rbv_model_column_count(k->m), base = e->base->count;
  k->arm = (rbv_known_arm){
      .model = k->m, .chi = k->chi, .npart = e->jackknife.nblock, .student = e->jackknife.student};
  k->arm.deviation = calloc((size_t)(columns * k->arm.npart), sizeof *k->arm.deviation);
  assert_non_null(k->arm.deviation);
  for (int i = 0; i < base; i++) {
    const int c = rbv_model_find(k->m, e->base->name[i]);
    for (int p = 0; p < k->arm.npart; p++)
      k->arm.deviation[c + p * columns] = e->jackknife.deviation[i + p * base];
  }
}

void known_new(known_stream *k, const char *robot, int sensing, double rate_hz, double share,
               double seconds, uint64_t run) {
  *k = (known_stream){.share = share, .m = load_robot(robot, sensing, false)};
  double speed[64];
  for (int j = 0; j < rbv_model_joint_count(k->m); j++) speed[j] = 0.005;
  assert_ok(rbv_model_smooth(&k->m, speed));
  memcpy(k->truth, rbv_model_parameters(k->m),
         (size_t)rbv_model_column_count(k->m) * sizeof *k->truth);
  stream s;
  stream_new(&s, k->m, k->truth, rate_hz, share, 1, run);
  rbv_motion *motion = record(&s, (ptrdiff_t)(seconds * rate_hz));
  rbv_identify_options o = rbv_identify_defaults();
  o.filter.decimate = (int)fmax(1, rate_hz / 50);
  o.filter.mask = 0.02;
  rbv_estimate *e;
  assert_ok(rbv_identify(&e, k->m, &motion, 1, &o));
  memcpy(k->chi, e->chi, (size_t)rbv_model_column_count(k->m) * sizeof *k->chi);
  for (int j = 0; j < s.n; j++) k->rms[j] = e->fit.row[j].rms;
  take_parts(k, e);
  k->options = rbv_follow_defaults();
  k->options.rate_hz = rate_hz;
  k->options.mask = o.filter.mask;
  rbv_estimate_free(e);
  rbv_motion_free(motion);
  stream_free(&s);
}

void known_free(known_stream *k) {
  free(k->arm.deviation);
  rbv_model_free(k->m);
}

rbv_follow *known_follow(const known_stream *k, double seconds, uint64_t run) {
  rbv_follow *f;
  assert_ok(rbv_follow_new(&f, &k->arm, k->rms, &k->options));
  if (seconds <= 0) return f;
  stream s;
  const double rate_hz = k->recorded_hz > 0 ? k->recorded_hz : k->options.rate_hz;
  stream_new(&s, k->m, k->truth, rate_hz, k->share, 2, run);
  const ptrdiff_t count = (ptrdiff_t)(seconds * rate_hz);
  const size_t size = (size_t)count * (size_t)s.n;
  double *block = calloc(2 * size + (size_t)count, sizeof *block);
  assert_non_null(block);
  double *t = block + 2 * size;
  for (ptrdiff_t i = 0; i < count; i++) {
    stream_next(&s);
    t[i] = s.t;
    for (int j = 0; j < s.n; j++) {
      block[i + j * count] = s.q[j];
      block[(ptrdiff_t)size + i + j * count] = s.tau[j];
    }
  }
  const rbv_follow_samples samples = {.count = count, .t = t, .q = block, .torque = block + size};
  assert_ok(rbv_follow_calibrate(f, &samples, 1));
  free(block);
  stream_free(&s);
  return f;
}
