/* A recording as the identification sees it, with the torques that a result predicts. */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <roberval/sys/identification.h>
#include <roberval/validation.h>

#include "dynamics/dynamics.h"
#include "equations/state_track.h"
#include "job/job_internal.h"

struct rbv_replay {
  ptrdiff_t count;
  double rate_hz;
  int njoint, nrow;
  double *q, *dq, *ddq;          // count x njoint
  double *measured, *predicted;  // count x nrow
  bool *valid;                   // count
  uint32_t *contact;             // count
};

/* without a base it measures */
static void layout(rbv_replay *s, rbv_arena *a) {
  const size_t n = (size_t)s->count, joints = n * (size_t)s->njoint, rows = n * (size_t)s->nrow;
  RBV_TAKE_ALL(a, joints, double, &s->q, &s->dq, &s->ddq);
  s->measured = RBV_TAKE(a, rows, double);
  s->predicted = RBV_TAKE(a, rows, double);
  s->valid = RBV_TAKE(a, n, bool);
  s->contact = RBV_TAKE(a, n, uint32_t);
}

static rbv_status make(rbv_replay **out, const rbv_motion_info *info, int nrow) {
  rbv_replay size = {
      .count = info->count, .rate_hz = info->rate_hz, .njoint = info->njoint, .nrow = nrow};
  rbv_arena a = {0};
  rbv_arena_take(&a, 1, sizeof size);
  layout(&size, &a);
  a = (rbv_arena){.base = rbv_alloc(a.used)};
  if (!a.base) return RBV_EMEM;
  *out = rbv_arena_take(&a, 1, sizeof size);
  **out = size;
  layout(*out, &a);
  return RBV_OK;
}

static rbv_status predict(rbv_replay *s, const rbv_result_model *fitted, rbv_motion *motion) {
  const rbv_model *m = fitted->model;
  rbv_dynamics *d = NULL;
  double *state = rbv_alloc(((size_t)m->nstate * (size_t)s->count + 1) * sizeof *state);
  rbv_status status = state ? rbv_dynamics_new(&d, m) : RBV_EMEM;
  const rbv_states states = {.count = s->count,
                             .ld = s->count,
                             .q = s->q,
                             .dq = s->dq,
                             .ddq = s->ddq,
                             .contact = s->contact,
                             .state = m->nstate > 0 ? state : NULL};
  if (status == RBV_OK)
    status = rbv_dynamics_set(d, fitted->chi, rbv_motion_get_info(motion)->loaded);
  if (status == RBV_OK) status = rbv_states_along(state, s->count, m, motion);
  if (status == RBV_OK) {
    rbv_dynamics_rows_batch(s->predicted, s->count, d, &states);
    rbv_contacts_add(s->predicted, s->measured, s->count, d, &states);
  }
  rbv_dynamics_free(d);
  rbv_free(state);
  return status;
}

static rbv_status fill(rbv_replay *s, rbv_motion *motion, const rbv_result_model *fitted) {
  const rbv_samples to = {.ld = s->count,
                          .q = s->q,
                          .dq = s->dq,
                          .ddq = s->ddq,
                          .torque = s->measured,
                          .valid = s->valid,
                          .contact = s->contact};
  RBV_TRY(rbv_motion_read(motion, &to, 0, s->count));
  return predict(s, fitted, motion);
}

rbv_status rbv_replay_new(rbv_replay **out, const char *result, const char *log, bool loaded) {
  if (!out) return rbv_fail(RBV_EARG, "there is no place for the replay");
  *out = NULL;
  if (!result || !log)
    return rbv_fail(RBV_EARG, "the paths of a result and a recording are needed");
  rbv_result_model fitted;
  rbv_recordings all = {0};
  rbv_replay *s = NULL;
  RBV_TRY(rbv_result_model_load(&fitted, result, NULL, NULL));
  const rbv_recording_use use = {
      .gain = fitted.gain, .loaded = loaded, .controller = rbv_recording_law(&fitted.options)};
  rbv_status status =
      rbv_recordings_add(&all, fitted.model, &fitted.options.recording, &use, &log, 1, NULL);
  if (status == RBV_OK)
    status = make(&s, rbv_motion_get_info(all.motion[0]), rbv_model_row_count(fitted.model));
  if (status == RBV_OK) status = fill(s, all.motion[0], &fitted);
  rbv_recordings_free(&all);
  rbv_result_model_free(&fitted);
  RBV_GIVE(out, s, status, rbv_replay_free(s));
}

void rbv_replay_free(rbv_replay *replay) { rbv_free(replay); }

ptrdiff_t rbv_replay_samples(const rbv_replay *replay) { return replay ? replay->count : 0; }
double rbv_replay_rate(const rbv_replay *replay) { return replay ? replay->rate_hz : NAN; }
int rbv_replay_joint_count(const rbv_replay *replay) { return replay ? replay->njoint : 0; }
int rbv_replay_row_count(const rbv_replay *replay) { return replay ? replay->nrow : 0; }
const bool *rbv_replay_valid(const rbv_replay *replay) { return replay ? replay->valid : NULL; }

/* column i of a block of n columns */
static const double *column(const rbv_replay *s, const double *block, int n, int i) {
  return i >= 0 && i < n ? block + i * s->count : NULL;
}

const double *rbv_replay_q(const rbv_replay *replay, int joint) {
  return replay ? column(replay, replay->q, replay->njoint, joint) : NULL;
}

const double *rbv_replay_dq(const rbv_replay *replay, int joint) {
  return replay ? column(replay, replay->dq, replay->njoint, joint) : NULL;
}

const double *rbv_replay_ddq(const rbv_replay *replay, int joint) {
  return replay ? column(replay, replay->ddq, replay->njoint, joint) : NULL;
}

const double *rbv_replay_measured(const rbv_replay *replay, int row) {
  return replay ? column(replay, replay->measured, replay->nrow, row) : NULL;
}

const double *rbv_replay_predicted(const rbv_replay *replay, int row) {
  return replay ? column(replay, replay->predicted, replay->nrow, row) : NULL;
}
