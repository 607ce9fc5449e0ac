/* Inertias along a reference, memory of traces, motions and logs of a run. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/sim_internal.h"

rbv_status rbv_sim_trace_new(rbv_sim_trace *out, int njoint, ptrdiff_t count) {
  *out = (rbv_sim_trace){0};
  if (njoint < 1 || count < 1) return rbv_fail(RBV_EARG, "a trace needs joints and samples");
  rbv_sim_trace t = {.ld = count};
  double **const block[] = {&t.q,    &t.dq,         &t.ddq,          &t.tau,    &t.applied, &t.qr,
                            &t.seen, &t.recorded_q, &t.recorded_tau, &t.link_q, &t.link_dq};
  // first measure, then carve; the block begins with q
  char *memory = NULL;
  for (int pass = 0; pass < 2; pass++) {
    rbv_arena a = {.base = memory};
    for (int i = 0; i < RBV_COUNT(block); i++) *block[i] = RBV_TAKE(&a, count * njoint, double);
    t.recorded_t = RBV_TAKE(&a, count, double);
    t.kept = RBV_TAKE(&a, count, bool);
    if (pass == 0 && !(memory = rbv_alloc(a.used))) return RBV_EMEM;
  }
  *out = t;
  return RBV_OK;
}

void rbv_sim_trace_free(rbv_sim_trace *t) {
  if (!t) return;
  rbv_free(t->q);
  *t = (rbv_sim_trace){0};
}

rbv_status rbv_sim_inertia(double *J, const rbv_model *m, const double *chi, bool loaded,
                           const rbv_sim_reference *r, ptrdiff_t stride) {
  if (!J || !m || !chi || !r || stride < 1)
    return rbv_fail(RBV_EARG, "inertias need parameters, a reference and a stride");
  const int n = rbv_model_joint_count(m);
  rbv_dynamics *d = NULL;
  double *work = NULL;
  rbv_status status = rbv_dynamics_new(&d, m);
  if (status == RBV_OK) status = rbv_dynamics_set(d, chi, loaded);
  if (status == RBV_OK) status = rbv_dynamics_check_forward(d);
  if (status == RBV_OK && !(work = rbv_alloc((size_t)(n + n * n) * sizeof *work)))
    status = RBV_EMEM;
  for (int j = 0; j < n; j++) J[j] = 0;
  for (ptrdiff_t k = 0; k < r->count && status == RBV_OK; k += stride) {
    double *q = work, *M = work + n;
    for (int j = 0; j < n; j++) q[j] = r->q[k + j * r->ld];
    rbv_dynamics_mass(M, d, q);
    for (int j = 0; j < n; j++) J[j] = fmax(J[j], M[j + j * n]);
  }
  rbv_free(work);
  rbv_dynamics_free(d);
  return status;
}

void rbv_sim_deviation(double *out, const rbv_sim_trace *t, int njoint, ptrdiff_t count) {
  for (int j = 0; j < njoint; j++) {
    const double *x = t->tau + j * t->ld;
    double mean = 0, sum = 0;
    for (ptrdiff_t k = 0; k < count; k++) mean += x[k] / (double)count;
    for (ptrdiff_t k = 0; k < count; k++) sum += (x[k] - mean) * (x[k] - mean);
    out[j] = count > 0 ? sqrt(sum / (double)count) : 0;
  }
}

void rbv_sim_tracking(double *out, const rbv_sim_trace *t, int njoint, ptrdiff_t count) {
  for (int j = 0; j < njoint; j++) {
    double sum = 0;
    for (ptrdiff_t k = 0; k < count; k++) {
      const double e = t->q[k + j * t->ld] - t->qr[k + j * t->ld];
      sum += e * e;
    }
    out[j] = count > 0 ? sqrt(sum / (double)count) : NAN;
  }
}

/* ---- torques of the model's rows ---- */

/* row torques, count x row_count with leading dimension ld; motor torques are those of the trace */
static rbv_status find_rows(double *rows, ptrdiff_t ld, const rbv_sim *s, int lane,
                            const rbv_sim_trace *t, ptrdiff_t count) {
  const rbv_model *m = s->model;
  const int n = rbv_model_joint_count(m), nrow = rbv_model_row_count(m);
  rbv_dynamics *d;
  RBV_TRY(rbv_dynamics_new(&d, m));
  const rbv_status status =
      rbv_dynamics_set(d, s->chi + (ptrdiff_t)lane * rbv_model_column_count(m), s->options.loaded);
  if (status == RBV_OK) {
    const rbv_states states = {.count = count, .ld = t->ld, .q = t->q, .dq = t->dq, .ddq = t->ddq};
    rbv_dynamics_rows_batch(rows, ld, d, &states);
  }
  rbv_dynamics_free(d);
  for (int r = 0; r < nrow; r++)
    if (rbv_model_row(m, r)->torque == RBV_TORQUE_MOTOR)
      memcpy(rows + r * ld, t->tau + r % n * t->ld, (size_t)count * sizeof *rows);
  return status;
}

rbv_status rbv_sim_motion(rbv_motion **out, const rbv_sim *s, int lane, const rbv_sim_trace *t,
                          const rbv_sim_outcome *o) {
  *out = NULL;
  if (!t->q || !t->dq || !t->ddq || !t->tau)
    return rbv_fail(RBV_EARG, "a motion needs q, dq, ddq and tau of the run");
  if (o->samples < 1) return rbv_fail(RBV_EINPUT, "the simulation stopped at its first sample");
  const rbv_motion_info info = {.name = "simulation",
                                .njoint = rbv_model_joint_count(s->model),
                                .ntorque = rbv_model_row_count(s->model),
                                .count = o->samples,
                                .rate_hz = rbv_control_rate_hz(s->control),
                                .loaded = s->options.loaded};
  rbv_samples samples = {.ld = t->ld, .q = t->q, .dq = t->dq, .ddq = t->ddq, .torque = t->tau};
  double *rows = NULL;
  rbv_status status = RBV_OK;
  if (rbv_model_sensing(s->model) != RBV_SENSING_MOTOR) {
    samples.torque = rows = rbv_alloc((size_t)(t->ld * info.ntorque) * sizeof *rows);
    status = rows ? find_rows(rows, t->ld, s, lane, t, o->samples) : RBV_EMEM;
  }
  if (status == RBV_OK) status = rbv_motion_from_arrays(out, &info, &samples);
  rbv_free(rows);
  return status;
}

/* ---- log ---- */

/* columns of a log under construction */
typedef struct {
  double *A;
  ptrdiff_t ld;
  char (*text)[16];
  const char **name;
  int count;
} table;

/* one channel of all joints, without the dropped samples */
static void add_channel(table *to, const char *stem, const double *x, ptrdiff_t ld, int njoint,
                        const bool *kept, ptrdiff_t samples) {
  for (int j = 0; j < njoint; j++) {
    double *column = to->A + to->count * to->ld;
    ptrdiff_t at = 0;
    for (ptrdiff_t k = 0; k < samples; k++)
      if (kept[k]) column[at++] = x[k + j * ld];
    if (strcmp(stem, "t") == 0)
      snprintf(to->text[to->count], sizeof *to->text, "t");
    else
      snprintf(to->text[to->count], sizeof *to->text, "%s%d", stem, j + 1);
    to->name[to->count] = to->text[to->count];
    to->count++;
  }
}

static rbv_status fill_table(table *to, const rbv_sim *s, int lane, const rbv_sim_trace *t,
                             const rbv_sim_outcome *o, const rbv_sim_columns *c) {
  const rbv_model *m = s->model;
  const int n = rbv_model_joint_count(m), nrow = rbv_model_row_count(m);
  const ptrdiff_t samples = o->samples;
  double *rows = NULL;
  add_channel(to, "t", t->recorded_t, t->ld, 1, t->kept, samples);
  add_channel(to, "q", t->recorded_q, t->ld, n, t->kept, samples);
  add_channel(to, "tau", t->recorded_tau, t->ld, n, t->kept, samples);
  if (rbv_model_sensing(m) != RBV_SENSING_MOTOR) {
    rows = rbv_alloc((size_t)samples * (size_t)nrow * sizeof *rows);
    if (!rows) return RBV_EMEM;
    RBV_TRY_OR(find_rows(rows, samples, s, lane, t, samples), rbv_free(rows));
    // the sensor's rows are the last ones; a difference is motor minus sensor
    double *sensor = rows + (nrow - n) * samples;
    if (rbv_model_row(m, nrow - 1)->torque == RBV_TORQUE_DIFFERENCE)
      for (int j = 0; j < n; j++)
        for (ptrdiff_t k = 0; k < samples; k++)
          sensor[k + j * samples] = t->tau[k + j * t->ld] - sensor[k + j * samples];
    add_channel(to, "tauj", sensor, samples, n, t->kept, samples);
    rbv_free(rows);
  }
  if (c->reference) add_channel(to, "qr", t->qr, t->ld, n, t->kept, samples);
  if (s->link_lanes && t->link_q) add_channel(to, "ql", t->link_q, t->ld, n, t->kept, samples);
  if (c->velocity) add_channel(to, "dq", t->dq, t->ld, n, t->kept, samples);
  if (c->acceleration) add_channel(to, "ddq", t->ddq, t->ld, n, t->kept, samples);
  return RBV_OK;
}

rbv_status rbv_sim_log(rbv_log **out, const rbv_sim *s, int lane, const rbv_sim_trace *t,
                       const rbv_sim_outcome *o, const rbv_sim_columns *columns) {
  *out = NULL;
  const rbv_sim_columns c = columns ? *columns : (rbv_sim_columns){.reference = true};
  const bool sensor = rbv_model_sensing(s->model) != RBV_SENSING_MOTOR;
  if (!t->recorded_q || !t->recorded_tau || !t->recorded_t || !t->kept ||
      (sensor && (!t->q || !t->tau)) || (!t->qr && c.reference) ||
      (!t->dq && (c.velocity || sensor)) || (!t->ddq && (c.acceleration || sensor)))
    return rbv_fail(RBV_EARG, "the trace lacks what the log needs");
  ptrdiff_t kept = 0;
  for (ptrdiff_t k = 0; k < o->samples; k++) kept += t->kept[k];
  if (kept < 1) return rbv_fail(RBV_EINPUT, "the simulation left no sample to record");
  const size_t most = 1 + 7 * (size_t)rbv_model_joint_count(s->model);
  table to = {.ld = kept};
  to.A = rbv_alloc(most * (size_t)kept * sizeof *to.A);
  to.text = rbv_alloc(most * sizeof *to.text);
  to.name = rbv_alloc(most * sizeof *to.name);
  rbv_status status = to.A && to.text && to.name ? fill_table(&to, s, lane, t, o, &c) : RBV_EMEM;
  if (status == RBV_OK)
    status = rbv_log_new(out, "simulation", to.name, to.count, to.A, kept, kept);
  RBV_FREE_ALL(to.name, to.text, to.A);
  return status;
}
