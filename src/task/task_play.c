/* The task play: send a designed motion to a robot, watch it, and stop it. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "job/job.h"
#include "task/live.h"
#include "trajectory/trajectory.h"

#define CYCLE_S 0.01     // between two messages to the robot, and between their points
#define BRAKE_POINTS 16  // of the way to rest that ends every message
#define LEAST_BRAKE_S 0.05
#define MOST_BRAKE_S 1.0
#define SETTLE_S 0.5       // after a motion, until the next one
#define TRIAL_S 0.5        // of joint states before the robot moves
#define REST 1e-6          // speed at both ends of a motion [rad/s or m/s]
#define NEAR 0.02          // distance from the start that needs no permission [rad or m]
#define APPROACH 0.2       // share of the limits, for the way to the start
#define CHECK_STEP_S 0.01  // as designs are checked

#define TASK rbv_play_task

typedef struct rbv_playing {
  rbv_play_task *task;
  rbv_topic *topic;
  int n;
  const char **joint;
  const rbv_trajectory *motion;  // that is played now
  double begin, brake_s, sent_s;
  double *q, *plan;        // n: measured, and where the motion is
  double *limit;           // n: acceleration
  double *points;          // positions, then velocities of a message
  double heard_s, gap_s;   // the last joint state; the longest time between two
  double ahead_s;          // of the robot's clock, before this computer's; -infinity: not known
  rbv_follower *follower;  // NULL: torques are not watched
  char contact[256];
} player;

static const rbv_option rows[] = {
    TASK_ROW("yes-move", FLAG, yes_move, NULL,
             "move the robot; without it everything is checked and nothing is sent", .basic = true),
    TASK_ROW("command", TEXT, command, "NAME",
             "topic of the controller (default /joint_trajectory_controller/joint_trajectory)",
             .basic = true),
    TASK_ROW("approach", FLAG, approach, NULL,
             "move to the start first, on a straight line in joint space at a fifth of the limits",
             .basic = true),
    TASK_ROW("slow", REAL, slow, "X",
             "share of the speed of the copy that is played first; 1: none (default 0.2)",
             RBV_SHARE_ABOVE(0, 1), .basic = true),
    TASK_ROW("error", REAL, error, "X",
             "stop if a joint is farther from the motion [rad or m] (default 0.1)",
             RBV_ABOVE(0, 10), .topic = "stops", .basic = true),
    TASK_ROW("result", FILE, result, "RESULT",
             "stop if the torques are not those of this result: a contact"),
    TASK_ROW("silence", REAL, silence, "SECONDS",
             "stop if no joint state comes for so long (default 0.03)", RBV_FROM(0.005, 1)),
    TASK_ROW("ahead", REAL, ahead, "SECONDS",
             "motion in a message, which then comes to rest, so that the robot stops if messages "
             "do (default 0.05)",
             RBV_FROM(0.02, 0.4)),
    TASK_ROW("wait", REAL, wait, "SECONDS",
             "wait so long for joint states and for the controller (default 10)",
             RBV_ABOVE(0, 1e6)),
    {0}};

static void defaults(void *data) {
  rbv_play_task *t = data;
  t->robot = rbv_robot_defaults();
  t->design = rbv_design_defaults();
  t->topic.topic = "/joint_states";
  t->command = "/joint_trajectory_controller/joint_trajectory";
  t->slow = 0.2;
  t->error = 0.1;
  t->silence = 0.03;
  t->ahead = 0.05;
  t->wait = 10;
}

static void groups(rbv_option_group *out, void *data) {
  rbv_play_task *t = data;
  out[0] = (rbv_option_group){rows, t};
  out[1] = (rbv_option_group){rbv_topic_rows(), &t->topic};
  out[2] = (rbv_option_group){rbv_constraint_rows(), &t->design};
  out[3] = (rbv_option_group){rbv_robot_rows(), &t->robot};
}

static void forget(void *data) {
  rbv_play_task *t = data;
  player *p = t->run;
  if (p) {
    rbv_topic_close(p->topic);
    rbv_follower_free(p->follower);
    RBV_FREE_ALL((void *)(uintptr_t)p->joint, p->q, p->plan, p->limit, p->points, p);
  }
  rbv_trajectory_free(t->motion);
  rbv_design_free(t->limits);
  rbv_free(t->largest);
  rbv_model_free(t->model);
}

/* ---- may this motion be played? ---- */

/* limits of every joint that a file or the user gives, and shapes that nobody assumes */
static rbv_status check_knowledge(const rbv_play_task *t) {
  const rbv_design *d = t->limits;
  if (t->design.unchecked)
    return rbv_fail_option(RBV_EOPTION, "unchecked", "unchecked motions are not played");
  for (int i = 0; i < RBV_DESIGN_CHECKS; i++) {
    const rbv_design_check *c = &d->check[i];
    if (c->required && (!c->done || c->assumed))
      return rbv_fail_option(RBV_EOPTION, "link-radius",
                             "the motion is not played, give shapes or the radius of the links: %s",
                             c->text);
  }
  for (int j = 0; j < rbv_model_joint_count(t->model); j++) {
    const rbv_limits *l = &d->constraints->value.limits[j];
    const char *name = rbv_model_joint(t->model, j)->name;
    if (d->assumed[j].velocity || !isfinite(l->velocity))
      return rbv_fail_option(RBV_EOPTION, "velocity", "%s has no limit of its speed: give one",
                             name);
    if (!isfinite(l->lower) || !isfinite(l->upper))
      return rbv_fail_option(RBV_EOPTION, "position", "%s has no limits of its position: give them",
                             name);
  }
  return RBV_OK;
}

static rbv_status check_motion(const rbv_play_task *t, const rbv_trajectory *motion,
                               const char *name) {
  rbv_usage_info info;
  RBV_TRY(rbv_constraints_check(&info, NULL, t->model, &t->limits->constraints->value, motion,
                                CHECK_STEP_S));
  return info.feasible ? RBV_OK : rbv_fail(RBV_EINPUT, "%s is not played: %s", name, info.reason);
}

static rbv_status check_rest(const rbv_play_task *t) {
  const double end[] = {0, rbv_trajectory_duration(t->motion)};
  const int n = rbv_model_joint_count(t->model);
  RBV_NEW(double, dq, n);
  for (int i = 0; i < 2; i++) {
    rbv_trajectory_eval(NULL, dq, NULL, NULL, t->motion, end[i]);
    for (int j = 0; j < n; j++) {
      if (fabs(dq[j]) <= REST) continue;
      const double v = dq[j];
      rbv_free(dq);
      return rbv_fail(RBV_EINPUT,
                      "%s: the motion %s with %.3g rad/s or m/s of %s: design it with a "
                      "blend, so that it begins and ends at rest",
                      t->common.input[1], i ? "ends" : "begins", v,
                      rbv_model_joint(t->model, j)->name);
    }
  }
  rbv_free(dq);
  return RBV_OK;
}

static rbv_status load(rbv_play_task *t) {
  const char *path = t->common.input[1];
  RBV_TRY(rbv_topic_check_name("command", t->command));
  RBV_TRY(rbv_task_open_robot(&t->model, &t->common, &t->robot));
  RBV_TRY(rbv_trajectory_load(&t->motion, path));
  const int has = rbv_trajectory_get_shape(t->motion)->njoint;
  if (has != rbv_model_joint_count(t->model))
    return rbv_fail(RBV_EINPUT, "%s moves %d joints, the robot has %d", path, has,
                    rbv_model_joint_count(t->model));
  t->design.seed = t->common.seed;
  t->design.threads = t->common.threads;
  RBV_TRY(rbv_design_new(&t->limits, t->model, &t->design, &t->common.notes));
  RBV_TRY(check_knowledge(t));
  RBV_TRY(check_motion(t, t->motion, path));
  return check_rest(t);
}

/* ---- messages to the robot ---- */

/* Times are those of the robot's clock, so that delays of messages do not disturb the motion. */
static bool stamped(const player *p) { return isfinite(p->ahead_s); }

/*
 * The motion of the next moments, then the way to rest along the path: whatever happens to this
 * program, the robot stops. ahead 0: it stops now.
 */
static rbv_status send(player *p, double at, double ahead) {
  const int moving = (int)floor(ahead / CYCLE_S + 0.5);
  double t[TOPIC_POINTS];
  const topic_motion m = {.stamp_ns = stamped(p) ? llround(1e9 * (p->begin + at + p->ahead_s)) : 0,
                          .joints = p->n,
                          .points = moving + BRAKE_POINTS,
                          .joint = p->joint,
                          .t = t,
                          .position = p->points,
                          .velocity = p->points + (ptrdiff_t)TOPIC_POINTS * p->n};
  for (int i = 0; i < m.points; i++) {
    const int k = i - moving + 1;
    const double tau = k > 0 ? p->brake_s * k / BRAKE_POINTS : 0;
    const double speed = 1 - tau / p->brake_s, start = CYCLE_S * (k > 0 ? moving : i + 1);
    double *q = p->points + (ptrdiff_t)i * p->n, *dq = q + (ptrdiff_t)TOPIC_POINTS * p->n;
    t[i] = start + tau;
    rbv_trajectory_eval(q, dq, NULL, NULL, p->motion,
                        at + start + tau - 0.5 * tau * tau / p->brake_s);
    for (int j = 0; j < p->n; j++) dq[j] *= speed;
  }
  p->task->messages++;
  p->sent_s = live_now_s();
  return rbv_topic_send_motion(p->topic, p->task->command, &m);
}

/* ---- the robot ---- */

static void stop_for(player *p, const char *kind, const char *format, ...) RBV_PRINTF(3, 4);

/* the first reason counts */
static void stop_for(player *p, const char *kind, const char *format, ...) {
  va_list args;
  if (p->task->stopped) return;
  va_start(args, format);
  vsnprintf(p->task->reason, sizeof p->task->reason, format, args);
  va_end(args);
  p->task->stopped = kind;
}

static void hear_event(void *self, const rbv_follow_event *e) {
  player *p = self;
  if (e->kind == RBV_EVENT_CONTACT) snprintf(p->contact, sizeof p->contact, "%s", e->text);
}

static rbv_status take(player *p, const rbv_topic_row *row) {
  const double now = live_now_s();
  for (int j = 0; j < p->n; j++)
    if (!isfinite(row->position[j])) return RBV_OK;
  if (p->heard_s > 0) p->gap_s = fmax(p->gap_s, now - p->heard_s);
  p->heard_s = now;
  p->task->rows++;
  memcpy(p->q, row->position, (size_t)p->n * sizeof *p->q);
  if (p->follower)
    RBV_TRY(rbv_follower_push(p->follower, 1e-9 * (double)row->ns, row->position, row->effort));
  const double stamp = 1e-9 * (double)row->stamp_ns;
  // the shortest delay of a message is taken for none
  if (!p->motion && row->stamp_ns != 0) p->ahead_s = fmax(p->ahead_s, stamp - now);
  if (!p->motion) return RBV_OK;
  const double at = stamped(p) ? stamp - p->ahead_s : now;
  rbv_trajectory_eval(p->plan, NULL, NULL, NULL, p->motion, at - p->begin);
  for (int j = 0; j < p->n; j++) {
    const double error = fabs(p->q[j] - p->plan[j]);
    p->task->largest[j] = fmax(p->task->largest[j], error);
    if (!(error <= p->task->error))
      stop_for(p, "following-error", "%s is %.3g rad or m from the motion, the limit is %.3g",
               p->joint[j], error, p->task->error);
  }
  if (p->contact[0])
    stop_for(p, "residual", "the torques are not those of the result: %s", p->contact);
  return RBV_OK;
}

/* joint states until a time of the clock; all that have come are read, also behind it */
static rbv_status listen_until(player *p, double until) {
  const rbv_play_task *t = p->task;
  rbv_topic_row row = {.kind = RBV_TOPIC_ROW};
  for (double left = until - live_now_s(); left > 0 || row.kind != RBV_TOPIC_NONE;
       left = until - live_now_s()) {
    RBV_TRY(rbv_topic_next(&row, p->topic, fmax(0, fmin(left, CYCLE_S))));
    const char *note = rbv_topic_note(p->topic);
    if (note) rbv_tell(&t->common.notes, NULL, "%s", note);
    if (row.kind == RBV_TOPIC_ROW) RBV_TRY(take(p, &row));
    if (t->stop && rbv_cancelled(t->stop)) stop_for(p, "asked", "it was asked for");
    if (p->motion && row.kind == RBV_TOPIC_NONE && live_now_s() - p->heard_s > t->silence)
      stop_for(p, "silence", "no joint state came for %.0f ms", 1e3 * (live_now_s() - p->heard_s));
    if (t->stopped) break;
  }
  return RBV_OK;
}

/* ---- one motion ---- */

static double brake_time(const player *p, const rbv_trajectory *motion) {
  double s = LEAST_BRAKE_S;
  for (int j = 0; j < p->n; j++) {
    const rbv_extreme e = rbv_trajectory_extreme(motion, j, 1);
    s = fmax(s, fmax(e.max, -e.min) / p->limit[j]);
  }
  return fmin(s, MOST_BRAKE_S);
}

static rbv_status brake(player *p) {
  rbv_play_task *t = p->task;
  RBV_TRY(send(p, live_now_s() - p->begin, 0));
  rbv_tell(&t->common.notes, NULL, "stopped: %s", t->reason);
  // the message arrives, and the robot comes to rest, before the topic is left
  const double rest = live_now_s() + p->brake_s + SETTLE_S;
  while (live_now_s() < rest) {
    rbv_topic_row row;
    RBV_TRY(rbv_topic_next(&row, p->topic, CYCLE_S));
  }
  return RBV_OK;
}

static rbv_status play(player *p, const rbv_trajectory *motion, const char *name) {
  rbv_play_task *t = p->task;
  const double duration = rbv_trajectory_duration(motion);
  rbv_tell(&t->common.notes, NULL, "%s: %.1f s", name, duration);
  p->brake_s = brake_time(p, motion);
  p->begin = p->sent_s = live_now_s();
  p->motion = motion;
  for (double now = p->begin; now < p->begin + duration + SETTLE_S && !t->stopped;
       now = live_now_s()) {
    if (now - p->sent_s > t->ahead)
      stop_for(p, "busy", "this computer was busy for %.0f ms, and the robot has begun to stop",
               1e3 * (now - p->sent_s));
    if (t->stopped) break;
    RBV_TRY(send(p, now - p->begin, t->ahead));
    RBV_TRY(listen_until(p, p->sent_s + CYCLE_S));
  }
  if (t->stopped) RBV_TRY(brake(p));
  if (!t->stopped) t->passes++;
  p->motion = NULL;
  return RBV_OK;
}

/* a straight line in joint space from where the robot is; *out NULL: it is there */
static rbv_status way_to_start(rbv_trajectory **out, double *far, int *joint, const player *p) {
  const rbv_play_task *t = p->task;
  const rbv_limits *l = t->limits->constraints->value.limits;
  *out = NULL;
  *far = 0;
  RBV_NEW(double, x, 5 * p->n);
  double *velocity = x + 3 * (ptrdiff_t)p->n, *acceleration = velocity + p->n;
  rbv_trajectory_eval(p->plan, NULL, NULL, NULL, t->motion, 0);
  for (int j = 0; j < p->n; j++) {
    const double distance = fabs(p->q[j] - p->plan[j]);
    if (distance > *far) *joint = j, *far = distance;
    x[3 * j] = p->q[j];
    x[3 * j + 1] = p->plan[j];
    x[3 * j + 2] = 1;
    velocity[j] = APPROACH * l[j].velocity;
    acceleration[j] = APPROACH * p->limit[j];
  }
  rbv_trajectory_shape shape = rbv_trajectory_defaults();
  shape.kind = RBV_TRAJECTORY_VIA;
  shape.njoint = p->n;
  shape.count = 2;
  shape.closed = false;
  shape.velocity = velocity;
  shape.acceleration = acceleration;
  RBV_FINISH(*far > 0 ? rbv_trajectory_new(out, &shape, x) : RBV_OK, rbv_free(x));
}

/* the way back behind the slow copy needs no permission: the motion itself has led there */
static rbv_status go_to_start(player *p, bool back) {
  const rbv_play_task *t = p->task;
  rbv_trajectory *way;
  double far;
  int joint = 0;
  RBV_TRY(way_to_start(&way, &far, &joint, p));
  rbv_status status = RBV_OK;
  if (far > NEAR && !t->approach && !back)
    status = rbv_fail_option(RBV_EINPUT, "approach",
                             "%s is %.3g rad or m away from the start of the motion: move the "
                             "robot there, or let it approach",
                             p->joint[joint], far);
  if (status == RBV_OK && way && far > NEAR)
    status = check_motion(t, way, "the straight way to the start");
  if (status == RBV_OK && way) status = play(p, way, "to the start");
  rbv_trajectory_free(way);
  return status;
}

/* ---- the run ---- */

static rbv_status start(player *p) {
  rbv_play_task *t = p->task;
  const size_t n = (size_t)(p->n = rbv_model_joint_count(t->model));
  p->joint = live_joint_names(t->model);
  p->q = rbv_alloc(n * sizeof *p->q);
  p->plan = rbv_alloc(n * sizeof *p->plan);
  p->limit = rbv_alloc(n * sizeof *p->limit);
  p->points = rbv_alloc(2 * TOPIC_POINTS * n * sizeof *p->points);
  t->largest = rbv_alloc(n * sizeof *t->largest);
  if (!p->joint || !p->q || !p->plan || !p->limit || !p->points || !t->largest) return RBV_EMEM;
  for (int j = 0; j < p->n; j++) p->limit[j] = t->limits->constraints->value.limits[j].acceleration;
  if (t->result) {
    RBV_TRY(rbv_follower_new(&p->follower, t->common.input[0], t->result));
    rbv_follower_on_event(p->follower, hear_event, p);
  }
  return rbv_topic_open(&p->topic, &t->topic, p->joint, p->n);
}

/* joint states and a controller, before anything moves; the follower reads its recordings here */
static rbv_status wait_for_robot(player *p) {
  const rbv_play_task *t = p->task;
  const double until = live_now_s() + t->wait;
  int readers = 0;
  double since = 0;
  while (!t->stopped && (readers == 0 || since == 0 || live_now_s() < since + TRIAL_S)) {
    RBV_TRY(rbv_topic_motion_readers(&readers, p->topic, t->command));
    if (live_now_s() > until)
      return rbv_fail(RBV_EINPUT,
                      p->heard_s > 0 ? "%s has no reader in domain %d: is the "
                                       "controller active?"
                                     : "%s has no joint states in domain %d",
                      p->heard_s > 0 ? t->command : t->topic.topic, t->topic.domain);
    RBV_TRY(listen_until(p, live_now_s() + CYCLE_S));
    if (p->heard_s > 0 && since == 0) since = live_now_s();
    // what a start takes is no gap
    if (t->rows < 100) p->gap_s = 0;
  }
  if (!t->stopped && p->gap_s > t->silence)
    return rbv_fail_option(RBV_EINPUT, "silence",
                           "joint states come with gaps of %.0f ms: a silence of %.0f ms would "
                           "stop every motion",
                           1e3 * p->gap_s, 1e3 * t->silence);
  return RBV_OK;
}

static rbv_status move(player *p) {
  rbv_play_task *t = p->task;
  RBV_TRY(wait_for_robot(p));
  for (int pass = t->slow < 1 ? 0 : 1; pass < 2 && !t->stopped; pass++) {
    rbv_trajectory *copy = NULL;
    RBV_TRY(go_to_start(p, t->passes > 0));
    if (t->stopped) return RBV_OK;
    RBV_TRY(rbv_trajectory_clone(&copy, t->motion));
    rbv_status status = pass == 0 ? rbv_trajectory_set_speed(copy, t->slow) : RBV_OK;
    if (status == RBV_OK) status = play(p, copy, pass == 0 ? "slow copy" : "motion");
    rbv_trajectory_free(copy);
    RBV_TRY(status);
  }
  t->complete = !t->stopped;
  return RBV_OK;
}

static rbv_status run(void *data) {
  rbv_play_task *t = data;
  RBV_TRY(load(t));
  if (!t->yes_move) {
    t->common.answer = true;
    rbv_tell(&t->common.notes, "yes-move", "the motion keeps its limits; nothing was sent");
    return RBV_OK;
  }
  player *p = t->run = rbv_alloc(sizeof *p);
  if (!p) return RBV_EMEM;
  p->task = t;
  p->ahead_s = -INFINITY;
  RBV_TRY(start(p));
  RBV_TRY(move(p));
  rbv_topic_close(p->topic);
  p->topic = NULL;
  t->common.answer = t->complete;
  return RBV_OK;
}

static rbv_status put(rbv_json *json, const void *data) {
  const rbv_play_task *t = data;
  rbv_json_put_schema(json, "roberval.play/1");
  rbv_json_put_string(json, "robot", t->common.input[0]);
  rbv_json_put_string(json, "motion", t->common.input[1]);
  rbv_json_put_string(json, "topic", t->topic.topic);
  rbv_json_put_string(json, "command", t->command);
  rbv_json_put_bool(json, "asked_to_move", t->yes_move);
  rbv_json_put_real(json, "duration_s", rbv_trajectory_duration(t->motion));
  rbv_json_put_bool(json, "complete", t->complete);
  rbv_json_put_string(json, "stopped", t->stopped);
  rbv_json_put_string(json, "reason", t->stopped ? t->reason : NULL);
  rbv_json_put_int(json, "motions", t->passes);
  rbv_json_put_int(json, "messages", t->messages);
  rbv_json_put_int(json, "joint_states", t->rows);
  if (t->largest)
    rbv_json_put_reals(json, "largest_error", t->largest, rbv_model_joint_count(t->model));
  return RBV_OK;
}

const task_kind rbv_play_kind = TASK_KIND("play", "ROBOT MOTION", 2, 2, model, .run = run);
