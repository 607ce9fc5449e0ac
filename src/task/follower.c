/* A robot at work, row by row: rate of the stream, events, counts. */
#include "task/follower.h"
#include "job/spring_fit.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log/log.h"

#define DRIFT_SIGMAS 3  // a drift beyond this is an event

#define TASK rbv_follower_options

static const rbv_option rows[] = {
    TASK_ROW("clean", FILES, clean, "LOG",
             "recording without contact and payload for the limits (default: those of the result)"),
    TASK_ROW("map", TEXT, map, "COLUMNS.yaml", "column map of the stream"),
    TASK_ROW("log-rate", REAL, rate_hz, "HZ", "rate of the stream (default: from its start)",
             RBV_ABOVE(0, 1e9)),
    {0}};

const rbv_option *rbv_follower_rows(void) { return rows; }

static const char *const names[] = {
#define X(name, text) [name] = (text),
    RBV_EVENT_LIST(X)
#undef X
};

const char *rbv_event_name(rbv_event_kind kind) {
  return (int)kind >= 0 && kind < RBV_EVENTS ? names[kind] : NULL;
}

/* ---- life ---- */

void rbv_follower_free(rbv_follower *f) {
  if (!f) return;
  rbv_follow_free(f->follow);
  rbv_free(f->early_values);
  rbv_result_model_free(&f->fitted);
  rbv_pool_free(&f->texts);
  rbv_free(f);
}

rbv_status rbv_follower_load(rbv_follower **out, const char *robot, const char *result,
                             const rbv_follower_options *options, const rbv_notes *notes) {
  *out = NULL;
  RBV_NEW(rbv_follower, f, 1);
  if (options) f->options = *options;
  if (!options) f->options.follow = rbv_follow_defaults();
  if (notes) f->notes = *notes;
  f->groups[0] = (rbv_option_group){rows, &f->options};
  f->groups[1] = (rbv_option_group){rbv_follow_rows(), &f->options.follow};
  f->was_contact = -1;
  rbv_status status = rbv_result_model_load(&f->fitted, result, robot, notes);
  if (status == RBV_OK) {
    rbv_tell_rigid_joints(f->fitted.model, f->fitted.chi, "The observer of a stream", &f->notes);
    f->n = rbv_model_joint_count(f->fitted.model);
    f->nrow = rbv_model_row_count(f->fitted.model);
    const size_t room = (size_t)FIRST_ROWS * (size_t)(f->n + f->nrow);
    f->early_values = rbv_alloc(room * sizeof *f->early_values);
    if (!f->early_values) status = RBV_EMEM;
  }
  RBV_GIVE(out, f, status, rbv_follower_free(f));
}

rbv_status rbv_follower_new(rbv_follower **out, const char *robot, const char *result) {
  if (!out) return rbv_fail(RBV_EARG, "there is no place for the follower");
  *out = NULL;
  if (!result) return rbv_fail(RBV_EARG, "following needs a result");
  return rbv_follower_load(out, robot, result, NULL, NULL);
}

rbv_status rbv_follower_set(rbv_follower *f, const char *name, const char *value) {
  if (!f || !name || !value) return rbv_fail(RBV_EARG, "a follower, a name and a value are needed");
  if (f->follow || f->nearly > 0) return rbv_fail(RBV_EARG, "options are set before the first row");
  const char *copy = rbv_pool_keep(&f->texts, value);
  return copy ? rbv_option_set(f->groups, name, copy) : RBV_EMEM;
}

void rbv_follower_on_event(rbv_follower *f, rbv_follow_listener *listener, void *self) {
  if (!f) return;
  f->listener = listener;
  f->self = self;
}

int rbv_follower_joint_count(const rbv_follower *f) { return f ? f->n : 0; }
int rbv_follower_torque_count(const rbv_follower *f) { return f ? f->nrow : 0; }

/* ---- events ---- */

static void send(const rbv_follower *f, rbv_follow_event e, const char *format, ...)
    RBV_PRINTF(3, 4);

static void send(const rbv_follower *f, rbv_follow_event e, const char *format, ...) {
  char text[256];
  va_list args;
  if (!f->listener) return;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  e.row = f->line;
  e.text = text;
  f->listener(f->self, &e);
}

static rbv_follow_event event(const rbv_follower *f, rbv_event_kind kind, double value,
                              double sigma) {
  return (rbv_follow_event){
      .kind = kind, .t = f->r->t, .joint = -1, .value = value, .sigma = sigma, .limit = NAN};
}

static void see_contact(rbv_follower *f) {
  const rbv_follow_report *r = f->r;
  if (r->began) {
    rbv_follow_event e = event(f, RBV_EVENT_CONTACT, r->residual[r->contact], NAN);
    e.joint = r->contact;
    e.limit = r->limit[r->contact];
    f->count[RBV_EVENT_CONTACT]++;
    const rbv_model *m = f->fitted.model;
    const char *limb = r->limb < 0 ? NULL : rbv_model_body_link(m, r->limb);
    if (r->limb >= 0 && !limb) limb = rbv_model_body_joint(m, r->limb);
    send(f, e, "contact at %s%s%s: %.4g, limit %.4g", rbv_model_joint(m, e.joint)->name,
         limb ? ", limb of " : "", limb ? limb : "", e.value, e.limit);
  }
  if (f->was_contact >= 0 && r->contact < 0)
    send(f, event(f, RBV_EVENT_RELEASE, NAN, NAN), "contact ended");
  f->was_contact = r->contact;
}

static void see_payload(rbv_follower *f) {
  const rbv_follow_report *r = f->r;
  const rbv_payload *p = &r->payload;
  if (r->changed) {
    f->count[RBV_EVENT_PAYLOAD]++;
    send(f, event(f, RBV_EVENT_PAYLOAD, NAN, NAN), "payload changed");
  }
  if (r->load != f->was_load && r->load == RBV_LOAD_KNOWN)
    send(f, event(f, RBV_EVENT_LOADED, p->mass, p->mass_sigma),
         "payload %.3f kg (sigma %.3f), centre %.4f %.4f %.4f m (sigma %.4f %.4f %.4f)", p->mass,
         p->mass_sigma, p->centre[0], p->centre[1], p->centre[2], p->centre_sigma[0],
         p->centre_sigma[1], p->centre_sigma[2]);
  if (r->load != f->was_load && r->load == RBV_LOAD_NONE)
    send(f, event(f, RBV_EVENT_UNLOADED, NAN, NAN), "no payload");
  f->was_load = r->load;
}

static bool has_drifted(const rbv_follow_report *r, int i) {
  return fabs(r->drift[i]) > DRIFT_SIGMAS * r->drift_sigma[i];
}

/* one count when drift begins, one event for each column */
static void see_drift(rbv_follower *f) {
  const rbv_follow_report *r = f->r;
  bool drifted = false;
  for (int i = 0; i < r->ndrift; i++) drifted = drifted || has_drifted(r, i);
  const bool begins = drifted && !f->drifted;
  f->drifted = drifted;
  if (!begins) return;
  f->count[RBV_EVENT_DRIFT]++;
  for (int i = 0; i < r->ndrift; i++)
    if (has_drifted(r, i))
      send(f, event(f, RBV_EVENT_DRIFT, r->drift[i], r->drift_sigma[i]),
           "drift %s %+.4g (sigma %.2g)",
           rbv_model_column(f->fitted.model, r->drift_column[i])->name, r->drift[i],
           r->drift_sigma[i]);
}

static void see_bad(rbv_follower *f, int kind, double t, const char *sentence) {
  f->bad[kind]++;
  f->count[RBV_EVENT_BAD_ROW]++;
  const rbv_follow_event e = {
      .kind = RBV_EVENT_BAD_ROW, .t = t, .joint = -1, .value = NAN, .sigma = NAN, .limit = NAN};
  send(f, e, "%s", sentence);
}

/* ---- rows ---- */

static rbv_status use_row(rbv_follower *f, long long line, double t, const double *q,
                          const double *torque) {
  const rbv_stream_kind kind = rbv_follow_push(f->follow, t, q, torque);
  f->line = line;
  if (kind != RBV_STREAM_GOOD) see_bad(f, (int)kind, t, rbv_stream_text(kind));
  if (kind != RBV_STREAM_GOOD && kind != RBV_STREAM_GAP) return RBV_OK;
  f->samples++;
  f->t = t;
  see_contact(f);
  see_payload(f);
  see_drift(f);
  return f->used ? f->used(f->owner) : RBV_OK;
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* median step of the first rows; 0: not known */
static double find_rate(const rbv_follower *f) {
  double step[FIRST_ROWS];
  int count = 0;
  for (int i = 1; i < f->nearly; i++) {
    const double dt = f->early[i].t - f->early[i - 1].t;
    if (dt > 0 && isfinite(dt)) step[count++] = dt;
  }
  if (count == 0) return 0;
  qsort(step, (size_t)count, sizeof *step, by_size);
  return 1 / step[count / 2];
}

/* begin with the rows that are there */
static rbv_status start(rbv_follower *f) {
  rbv_follow_options how = f->options.follow;
  f->rate_hz = how.rate_hz = f->options.rate_hz > 0 ? f->options.rate_hz : find_rate(f);
  if (!(how.rate_hz > 0))
    return rbv_fail(RBV_EINPUT, "the stream has no rows with rising time stamps");
  const char *unit = rbv_log_time_unit(1 / how.rate_hz);
  if (unit)
    return rbv_fail_option(RBV_EINPUT, "map",
                           "the typical time step of the stream is %.3g s: time %s%s. Write its "
                           "unit in a column map",
                           1 / how.rate_hz, *unit ? "looks like " : "is not in seconds", unit);
  RBV_TRY(rbv_following_new(&f->follow, &f->source, &f->fitted, &how, &f->options.clean,
                            f->options.map, f->resumed ? NULL : &f->notes));
  f->r = rbv_follow_get(f->follow);
  if (f->started) RBV_TRY(f->started(f->owner));
  f->was_contact = f->r->contact;
  f->was_load = f->r->load;
  rbv_status status = RBV_OK;
  for (int i = 0; i < f->nearly && !f->stop && status == RBV_OK; i++) {
    const double *v = f->early_values + (ptrdiff_t)i * (f->n + f->nrow);
    status = use_row(f, f->early[i].line, f->early[i].t, v, v + f->n);
  }
  return status;
}

rbv_status rbv_follower_take(void *follower, long long line, const char *wrong, double t,
                             const double *q, const double *torque) {
  rbv_follower *f = follower;
  if (f->stop) return RBV_OK;
  if (wrong) {
    f->line = line;
    see_bad(f, RBV_STREAM_KINDS, NAN, wrong);
    return RBV_OK;
  }
  if (f->follow) return use_row(f, line, t, q, torque);
  double *v = f->early_values + (ptrdiff_t)f->nearly * (f->n + f->nrow);
  memcpy(v, q, (size_t)f->n * sizeof *q);
  memcpy(v + f->n, torque, (size_t)f->nrow * sizeof *torque);
  f->early[f->nearly++] = (early_row){line, t};
  return f->nearly == FIRST_ROWS || f->options.rate_hz > 0 ? start(f) : RBV_OK;
}

rbv_status rbv_follower_push(rbv_follower *f, double t, const double *q, const double *torque) {
  if (!f || !q || !torque)
    return rbv_fail(RBV_EARG, "a follower, positions and torques are needed");
  if (!f->follow && f->nearly == FIRST_ROWS)
    return rbv_fail(RBV_EARG, "the follower has failed to start");
  return rbv_follower_take(f, f->line + 1 + (f->follow ? 0 : f->nearly), NULL, t, q, torque);
}

rbv_status rbv_follower_end(rbv_follower *f) {
  if (!f) return rbv_fail(RBV_EARG, "there is no follower");
  return f->follow ? RBV_OK : start(f);
}

/* ---- what is known ---- */

double rbv_follower_residual(const rbv_follower *f, int joint) {
  return f && f->r && joint >= 0 && joint < f->n ? f->r->residual[joint] : NAN;
}

double rbv_follower_limit(const rbv_follower *f, int joint) {
  return f && f->r && joint >= 0 && joint < f->n ? f->r->limit[joint] : NAN;
}

int rbv_follower_contact(const rbv_follower *f) { return f && f->r ? f->r->contact : -1; }
double rbv_follower_mass(const rbv_follower *f) { return f && f->r ? f->r->payload.mass : NAN; }

double rbv_follower_mass_sigma(const rbv_follower *f) {
  return f && f->r ? f->r->payload.mass_sigma : NAN;
}
