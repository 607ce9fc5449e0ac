#include "motions.h"

#include <math.h>
#include <roberval/sys/dynamics.h>
#include <roberval/sys/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "model/builtin.h"
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

void waves_set_torque(waves *w, const rbv_model *m, const double *chi) {
  const rbv_states states = {
      .count = w->count, .ld = w->count, .q = w->q, .dq = w->dq, .ddq = w->ddq};
  rbv_dynamics *d;
  assert_ok(rbv_dynamics_new(&d, m));
  assert_ok(rbv_dynamics_set(d, chi, w->loaded));
  rbv_dynamics_rows_batch(w->torque, w->count, d, &states);
  rbv_dynamics_free(d);
}

static void start(waves *w, const rbv_model *m, ptrdiff_t count, double rate_hz, bool loaded) {
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
}

static void add_sines(waves *w, uint64_t seed, double slowest_hz, double fastest_hz) {
  const double turn = 2 * RBV_PI;
  for (int j = 0; j < w->njoint; j++)
    for (int s = 0; s < SINES; s++) {
      const uint64_t index = (uint64_t)(3 * (j * SINES + s));
      const double amplitude = 0.2 + 0.4 * rbv_random_uniform(seed, 0, index);
      const double hertz =
          slowest_hz + (fastest_hz - slowest_hz) * rbv_random_uniform(seed, 0, index + 1);
      add_sine(w, j, amplitude, turn * hertz, turn * rbv_random_uniform(seed, 0, index + 2));
    }
}

void waves_new(waves *w, const rbv_model *m, const double *chi, uint64_t seed, ptrdiff_t count,
               double rate_hz, bool loaded) {
  start(w, m, count, rate_hz, loaded);
  add_sines(w, seed, 0.1, 1.5);
  if (chi) waves_set_torque(w, m, chi);
}

static double largest(const double *x, ptrdiff_t count) {
  double most = 0;
  for (ptrdiff_t k = 0; k < count; k++) most = fmax(most, fabs(x[k]));
  return most;
}

void waves_new_within_limits(waves *w, const rbv_model *m, const double *chi, uint64_t seed,
                             ptrdiff_t count, double rate_hz, bool loaded, double fastest_hz) {
  start(w, m, count, rate_hz, loaded);
  add_sines(w, seed, 0.05, fastest_hz);
  for (int j = 0; j < w->njoint; j++) {
    const rbv_limits *limits = &rbv_model_joint(m, j)->limits;
    const double reach = (limits->upper - limits->lower) / 2;
    double *q = column(w, w->q, j), *dq = column(w, w->dq, j), *ddq = column(w, w->ddq, j);
    const double scale =
        0.9 * fmin(reach / largest(q, count), limits->velocity / largest(dq, count));
    for (ptrdiff_t k = 0; k < count; k++) {
      q[k] = scale * q[k] + (limits->upper + limits->lower) / 2;
      dq[k] *= scale;
      ddq[k] *= scale;
    }
  }
  if (chi) waves_set_torque(w, m, chi);
}

void waves_new_periodic(waves *w, const rbv_model *m, const double *chi, uint64_t seed,
                        ptrdiff_t count, double rate_hz, double period_s) {
  start(w, m, count, rate_hz, false);
  const double turn = 2 * RBV_PI;
  for (int j = 0; j < w->njoint; j++)
    for (int s = 0; s < SINES; s++) {
      const uint64_t index = (uint64_t)(2 * (j * SINES + s));
      const double amplitude = 0.2 + 0.4 * rbv_random_uniform(seed, 0, index);
      add_sine(w, j, amplitude, turn * (s + 1) / period_s,
               turn * rbv_random_uniform(seed, 0, index + 1));
    }
  if (chi) waves_set_torque(w, m, chi);
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

double waves_deviation(const waves *w, int row) {
  const double *x = w->torque + row * w->count;
  double mean = 0, sum = 0;
  for (ptrdiff_t k = 0; k < w->count; k++) mean += x[k] / (double)w->count;
  for (ptrdiff_t k = 0; k < w->count; k++) sum += (x[k] - mean) * (x[k] - mean);
  return sqrt(sum / (double)w->count);
}

void waves_add_white(waves *w, uint64_t seed, double share) {
  for (int r = 0; r < w->nrow; r++) {
    const double sigma = share * waves_deviation(w, r);
    for (ptrdiff_t k = 0; k < w->count; k++)
      w->torque[k + r * w->count] +=
          sigma * rbv_random_normal(seed, (uint64_t)(100 + r), (uint64_t)k);
  }
}

void waves_add_coloured(waves *w, const rbv_model *m, uint64_t seed, double hertz,
                        double motor_share, double joint_share) {
  const double a = exp(-2 * RBV_PI * hertz / w->rate_hz);
  for (int r = 0; r < w->nrow; r++) {
    const bool joint_side = rbv_model_row(m, r)->torque == RBV_TORQUE_JOINT;
    const double sigma = (joint_side ? joint_share : motor_share) * waves_deviation(w, r);
    double state = rbv_random_normal(seed, (uint64_t)(100 + r), 0);
    for (ptrdiff_t k = 0; k < w->count; k++) {
      if (k > 0)
        state =
            a * state + sqrt(1 - a * a) * rbv_random_normal(seed, (uint64_t)(100 + r), (uint64_t)k);
      w->torque[k + r * w->count] += sigma * state;
    }
  }
}

void waves_add_outliers(waves *w, uint64_t seed, double share) {
  for (int r = 0; r < w->nrow; r++) {
    const double size = waves_deviation(w, r);
    for (ptrdiff_t k = 0; k < w->count; k++) {
      const uint64_t index = (uint64_t)(3 * (k + r * w->count));
      if (!(rbv_random_uniform(seed, 5, index) < share)) continue;
      const double sign = rbv_random_uniform(seed, 5, index + 1) < 0.5 ? -1 : 1;
      const double factor = 2 + 8 * rbv_random_uniform(seed, 5, index + 2);
      w->torque[k + r * w->count] += sign * factor * size;
    }
  }
}

rbv_motion *waves_motion(const waves *w) {
  const rbv_motion_info info = {.name = "waves",
                                .njoint = w->njoint,
                                .ntorque = w->nrow,
                                .count = w->count,
                                .rate_hz = w->rate_hz,
                                .loaded = w->loaded};
  const rbv_samples samples = {
      .ld = w->count, .q = w->q, .dq = w->dq, .ddq = w->ddq, .torque = w->torque};
  rbv_motion *m;
  assert_ok(rbv_motion_from_arrays(&m, &info, &samples));
  return m;
}

/* array of the channel with this stem */
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

rbv_motion *simulated_motion(const rbv_model *m, const rbv_control *c, const rbv_sim_options *o,
                             const rbv_sim_lane *lane, const rbv_sim_reference *at) {
  const int n = rbv_model_joint_count(m);
  rbv_sim *s;
  rbv_sim_trace t;
  rbv_sim_outcome outcome;
  assert_ok(rbv_sim_new(&s, m, c, o, 1));
  assert_ok(rbv_sim_set(s, 0, lane));
  assert_ok(rbv_sim_trace_new(&t, n, at->count));
  assert_ok(rbv_sim_run(&outcome, s, at, &t));
  assert_int_equal(outcome.verdict, RBV_SIM_DONE);
  const rbv_motion_info info = {.name = "simulated",
                                .njoint = n,
                                .ntorque = n,
                                .count = at->count,
                                .rate_hz = rbv_control_rate_hz(c)};
  const rbv_samples samples = {
      .ld = at->count, .q = t.recorded_q, .dq = t.dq, .ddq = t.ddq, .torque = t.tau};
  rbv_motion *motion;
  assert_ok(rbv_motion_from_arrays(&motion, &info, &samples));
  rbv_sim_trace_free(&t);
  rbv_sim_free(s);
  return motion;
}

void save_tx40_waves(ptrdiff_t count, double rate_hz, const char *stems) {
  rbv_model *m = load_robot("tx40", -1, false);
  waves w;
  waves_new(&w, m, NULL, 5, count, rate_hz, false);
  waves_save(&w, temp_file("traj.csv", NULL), stems);
  waves_free(&w);
  rbv_model_free(m);
}

void random_columns(double *chi, const rbv_model *m, uint64_t seed) {
  for (int c = 0; c < rbv_model_column_count(m); c++)
    chi[c] = 2 * rbv_random_uniform(seed, 2, (uint64_t)c) - 1;
}

void near_columns(double *chi, const rbv_model *m, uint64_t seed) {
  const double *file = rbv_model_parameters(m);
  assert_non_null(file);
  for (int c = 0; c < rbv_model_column_count(m); c++)
    chi[c] = file[c] * (1 + 0.1 * (2 * rbv_random_uniform(seed, 2, (uint64_t)c) - 1));
}

rbv_model *load_robot(const char *robot, int sensing, bool payload) {
  rbv_model_options o = rbv_model_defaults();
  o.sensing = sensing;
  o.payload = payload;
  rbv_model *m;
  assert_ok(rbv_model_load(&m, robot, &o));
  return m;
}

double prior_value(const rbv_model *m, const char *name) {
  const int c = rbv_model_find(m, name);
  if (c < 0) fail_msg("no column %s", name);
  assert_non_null(rbv_model_parameters(m));
  return rbv_model_parameters(m)[c];
}

rbv_model *load_default_drives(const char *robot, const rbv_model_options *options) {
  static const char key[] = "    drive:";
  const rbv_builtin *b = rbv_builtin_table;
  while (b->name && strcmp(b->name, robot) != 0) b++;
  assert_non_null(b->name);
  rbv_text text = {0};
  const char *at = b->text;
  for (const char *line; (line = strstr(at, key)); at = strchr(line, '\n') + 1)
    rbv_text_add(&text, at, (size_t)(line - at));
  rbv_text_put(&text, at);
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, robot, text.data, text.size, options));
  rbv_text_free(&text);
  return m;
}
