#include "motions.h"

#include <math.h>
#include <roberval/dynamics.h>
#include <roberval/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

#define SINES 5

static double *column(const waves *w, double *block, int j) { return block + j * w->count; }

static void add_sine(waves *w, int j, double amplitude, double omega, double phase) {
  double *q = column(w, w->q, j), *dq = column(w, w->dq, j), *ddq = column(w, w->ddq, j);
  for (ptrdiff_t k = 0; k < w->count; k++) {
    const double angle = omega * (double)k / w->rate_hz + phase;
    q[k] += amplitude * sin(angle);
    dq[k] += amplitude * omega * cos(angle);
    ddq[k] -= amplitude * omega * omega * sin(angle);
  }
}

static double *zeros(ptrdiff_t rows, int columns) {
  double *x = calloc((size_t)rows * (size_t)columns, sizeof *x);
  if (!x) fail_msg("out of memory");
  return x;
}

static void set_torque(waves *w, const rbv_model *m, const double *chi) {
  const rbv_states states = {w->count, w->count, w->q, w->dq, w->ddq};
  rbv_dynamics *d;
  assert_ok(rbv_dynamics_new(&d, m));
  assert_ok(rbv_dynamics_set(d, chi, w->loaded));
  rbv_dynamics_rows_batch(w->torque, w->count, d, &states);
  rbv_dynamics_free(d);
}

/* a period of zero: frequencies at random */
static void make(waves *w, const rbv_model *m, const double *chi, uint64_t seed, ptrdiff_t count,
                 double rate_hz, double period_s, bool loaded) {
  const int n = rbv_model_joint_count(m);
  *w = (waves){.count = count,
               .njoint = n,
               .nrow = rbv_model_row_count(m),
               .rate_hz = rate_hz,
               .loaded = loaded};
  w->q = zeros(count, n);
  w->dq = zeros(count, n);
  w->ddq = zeros(count, n);
  w->torque = zeros(count, w->nrow);
  for (int j = 0; j < n; j++)
    for (int s = 0; s < SINES; s++) {
      const uint64_t index = (uint64_t)(3 * (j * SINES + s));
      const double amplitude = 0.2 + 0.4 * rbv_random_uniform(seed, 0, index);
      const double hertz =
          period_s > 0 ? (s + 1) / period_s : 0.1 + 1.4 * rbv_random_uniform(seed, 0, index + 1);
      const double turn = 2 * M_PI;
      add_sine(w, j, amplitude, turn * hertz, turn * rbv_random_uniform(seed, 0, index + 2));
    }
  if (chi) set_torque(w, m, chi);
}

void waves_new(waves *w, const rbv_model *m, const double *chi, uint64_t seed, ptrdiff_t count,
               double rate_hz, bool loaded) {
  make(w, m, chi, seed, count, rate_hz, 0, loaded);
}

void waves_periodic(waves *w, const rbv_model *m, const double *chi, uint64_t seed, ptrdiff_t count,
                    double rate_hz, double period_s) {
  make(w, m, chi, seed, count, rate_hz, period_s, false);
}

void waves_free(waves *w) {
  free(w->q);
  free(w->dq);
  free(w->ddq);
  free(w->torque);
  *w = (waves){0};
}

void waves_add_noise(waves *w, uint64_t seed, double sigma) {
  for (ptrdiff_t k = 0; k < w->count * w->nrow; k++)
    w->torque[k] += sigma * rbv_random_normal(seed, 1, (uint64_t)k);
}

rbv_motion *waves_motion(const waves *w) {
  const rbv_motion_info info = {"waves", w->njoint, w->nrow, w->count, w->rate_hz, w->loaded};
  const rbv_samples samples = {w->count, w->q, w->dq, w->ddq, w->torque, NULL};
  rbv_motion *m;
  assert_ok(rbv_motion_from_arrays(&m, &info, &samples));
  return m;
}

/* block of a channel */
static const double *channel(const waves *w, const char *stem) {
  if (strcmp(stem, "q") == 0) return w->q;
  if (strcmp(stem, "dq") == 0) return w->dq;
  if (strcmp(stem, "ddq") == 0) return w->ddq;
  if (strcmp(stem, "tau") == 0) return w->torque;
  return w->torque + (w->nrow - w->njoint) * w->count;
}

#define SAVED_MAX 64

void waves_save(const waves *w, const char *path, const char *stems) {
  char copy[64], text[SAVED_MAX][16] = {"t"}, *save = NULL;
  const char *names[SAVED_MAX] = {text[0]};
  int n = 1;
  double *A = zeros(w->count, SAVED_MAX);
  for (ptrdiff_t k = 0; k < w->count; k++) A[k] = (double)k / w->rate_hz;
  strcpy(copy, stems);
  for (char *stem = strtok_r(copy, " ", &save); stem; stem = strtok_r(NULL, " ", &save))
    for (int j = 0; j < w->njoint; j++) {
      snprintf(text[n], sizeof text[n], "%s%d", stem, j + 1);
      names[n] = text[n];
      memcpy(A + n * w->count, channel(w, stem) + j * w->count, (size_t)w->count * sizeof *A);
      n++;
    }
  rbv_csv_writer *csv;
  assert_ok(rbv_csv_create(&csv, path, names, n));
  assert_ok(rbv_csv_rows(csv, A, w->count, w->count));
  assert_ok(rbv_csv_finish(csv));
  rbv_csv_free(csv);
  free(A);
}

void random_columns(double *chi, const rbv_model *m, uint64_t seed) {
  for (int c = 0; c < rbv_model_column_count(m); c++)
    chi[c] = 2 * rbv_random_uniform(seed, 2, (uint64_t)c) - 1;
}

rbv_model *load_robot(const char *robot, int sensing, bool payload) {
  rbv_model_options o = rbv_model_defaults();
  o.sensing = sensing;
  o.payload = payload;
  rbv_model *m;
  assert_ok(rbv_model_load(&m, robot, &o));
  return m;
}
