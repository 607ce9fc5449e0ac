/*
 * A robot with a trajectory controller behind topics, in a process of its own: it publishes
 * /joint_states at 500 Hz and follows /joint_trajectory_controller/joint_trajectory as the
 * controller of ros2_control does: a message replaces the one before, cubics join its points.
 *
 *   simulated_robot DOMAIN ROBOT EVENTS [FAULT [START]]
 *
 * FAULT, from 1 s after the first message on: silent: no joint states; stuck: the second joint
 * stays behind; push: 20 N m on it for 0.3 s. START: positions, such as 0,-0.5,1. Lines "WHAT TIME"
 * go to EVENTS: ready, first, fault, stop (the first message that only brakes), far (a
 * joint is 0.1 rad from its motion), rest.
 */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <dds/dds.h>
#include <roberval/sys/dynamics.h>
#include <roberval/sys/model.h>

#include "base/support.h"
#include "ros.h"

#define MOST 16          // joints
#define POINTS 128       // of a message
#define TICK_S 0.001     // of the controller; every second one is published
#define CLOCK_S 1.0      // first stamp
#define STEPS 4          // of the plant in a tick
#define STIFFNESS 900.0  // of the loop, over inertia [1/s^2]
#define DAMPING 60.0     // [1/s]

typedef struct {
  rbv_model *model;
  rbv_dynamics *d;
  int n;
  double q[MOST], dq[MOST], tau[MOST], external[MOST];
  // the motion: from its beginning, with the state at that time
  int points;
  double start;  // when the clock of the stamps began
  double begin, t[POINTS], p[POINTS][MOST], v[POINTS][MOST];
  double wanted[MOST], speed[MOST];
  FILE *events;
  const char *fault;
  double first_s;  // of the first message; 0: none
  int usual;       // points of it
  bool faulty, stopped, rested, far;
} robot;

static volatile sig_atomic_t ended;

static void on_end(int number) { ended = number; }

static double now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void tell(robot *r, const char *what) {
  fprintf(r->events, "%s %.6f\n", what, now_s());
  fflush(r->events);
}

/* ---- the controller ---- */

/* the cubic between two points */
static void between(double *q, double *v, double s, double span, double p0, double v0, double p1,
                    double v1) {
  const double a = s / span, b = a * a, c = b * a;
  *q = (2 * c - 3 * b + 1) * p0 + (c - 2 * b + a) * span * v0 + (3 * b - 2 * c) * p1 +
       (c - b) * span * v1;
  *v = (6 * b - 6 * a) / span * (p0 - p1) + (3 * b - 4 * a + 1) * v0 + (3 * b - 2 * a) * v1;
}

static void want(robot *r, double now) {
  const double s = now - r->begin;
  int k = 0;
  while (k + 1 < r->points && r->t[k + 1] < s) k++;
  const bool over = k + 1 >= r->points;
  bool still = true;
  for (int j = 0; j < r->n; j++) {
    if (over) {
      r->wanted[j] = r->p[k][j];
      r->speed[j] = 0;
    } else {
      between(&r->wanted[j], &r->speed[j], s - r->t[k], r->t[k + 1] - r->t[k], r->p[k][j],
              r->v[k][j], r->p[k + 1][j], r->v[k + 1][j]);
    }
    still = still && fabs(r->speed[j]) < 1e-6;
    if (fabs(r->wanted[j] - r->q[j]) > 0.1 && !r->far) tell(r, "far"), r->far = true;
  }
  if (r->first_s > 0 && now > r->first_s + 0.5 && still && !r->rested) tell(r, "rest");
  r->rested = still;
}

static void take(robot *r, const trajectory_msgs_msg_dds__JointTrajectory_ *m, double now) {
  const int count = (int)m->points._length;
  const double stamp = m->header.stamp.sec + 1e-9 * m->header.stamp.nanosec;
  if (count < 1 || count >= POINTS || (int)m->joint_names._length != r->n) return;
  want(r, now);
  memcpy(r->p[0], r->wanted, sizeof r->p[0]);
  memcpy(r->v[0], r->speed, sizeof r->v[0]);
  r->begin = stamp > 0 ? stamp - CLOCK_S + r->start : now;
  r->t[0] = now - r->begin;
  r->points = 1;
  for (int i = 0; i < count; i++) {
    const trajectory_msgs_msg_dds__JointTrajectoryPoint_ *from = &m->points._buffer[i];
    const int to = r->points;
    r->t[to] = from->time_from_start.sec + 1e-9 * from->time_from_start.nanosec;
    // what is over is left out
    if (r->t[to] <= r->t[0]) continue;
    for (int j = 0; j < r->n; j++) {
      r->p[to][j] = from->positions._buffer[j];
      r->v[to][j] = from->velocities._buffer[j];
    }
    r->points++;
  }
  if (r->first_s == 0) {
    r->first_s = now;
    r->usual = count;
    tell(r, "first");
  }
  if (count < r->usual && !r->stopped) {
    r->stopped = true;
    tell(r, "stop");
  }
}

static void control(robot *r, double now) {
  double M[MOST * MOST], zero[MOST] = {0}, feed[MOST];
  want(r, now);
  rbv_dynamics_mass(M, r->d, r->q);
  rbv_dynamics_inverse(feed, r->d, r->wanted, r->speed, zero);
  for (int j = 0; j < r->n; j++) {
    const double stuck = r->faulty && strcmp(r->fault, "stuck") == 0 && j == 1 ? 0 : 1;
    r->tau[j] = feed[j] + M[j + j * r->n] * (STIFFNESS * stuck * (r->wanted[j] - r->q[j]) +
                                             DAMPING * (stuck * r->speed[j] - r->dq[j]));
  }
}

/* ---- the plant: linearly implicit, because friction is stiff ---- */

static void solve(double *A, double *b, int n) {
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      const double f = A[i + k * n] / A[k + k * n];
      for (int c = k; c < n; c++) A[i + c * n] -= f * A[k + c * n];
      b[i] -= f * b[k];
    }
  for (int k = n - 1; k >= 0; k--) {
    for (int c = k + 1; c < n; c++) b[k] -= A[k + c * n] * b[c];
    b[k] /= A[k + k * n];
  }
}

static void step(robot *r, double h) {
  double D[MOST * MOST], M[MOST * MOST], N[MOST], zero[MOST] = {0};
  rbv_dynamics_bias(N, r->d, r->q, r->dq);
  rbv_dynamics_derivatives(NULL, D, M, r->d, r->q, r->dq, zero);
  for (int i = 0; i < r->n * r->n; i++) M[i] += h * D[i];
  for (int j = 0; j < r->n; j++) N[j] = h * (r->tau[j] + r->external[j] - N[j]);
  solve(M, N, r->n);
  for (int j = 0; j < r->n; j++) {
    r->dq[j] += N[j];
    r->q[j] += h * r->dq[j];
  }
}

/* ---- topics ---- */

static dds_entity_t enter(int domain) {
  static const char xml[] =
      "<CycloneDDS><Domain><General><Interfaces><NetworkInterface name=\"lo\"/></Interfaces>"
      "<AllowMulticast>false</AllowMulticast></General><Discovery><ParticipantIndex>auto"
      "</ParticipantIndex><Peers><Peer Address=\"127.0.0.1\"/></Peers></Discovery></Domain>"
      "</CycloneDDS>";
  if (dds_create_domain((dds_domainid_t)domain, xml) < 0) exit(4);
  return dds_create_participant((dds_domainid_t)domain, NULL, NULL);
}

static void publish(dds_entity_t writer, robot *r, long tick) {
  double q[MOST], dq[MOST], tau[MOST];
  char text[MOST][32], *name[MOST];
  for (int j = 0; j < r->n; j++) {
    snprintf(text[j], sizeof text[j], "%s", rbv_model_joint(r->model, j)->name);
    name[j] = text[j];
    q[j] = r->q[j];
    dq[j] = r->dq[j];
    // uniform noise of +-0.1 N m
    tau[j] = r->tau[j] +
             0.2 * ((double)(rbv_random_bits(1, (uint64_t)j, (uint64_t)tick) >> 11) / 9e15 - 0.5);
  }
  const uint32_t n = (uint32_t)r->n;
  // stamps of an even clock, as those of a robot's controller
  const int64_t ns = llround(1e9 * (CLOCK_S + TICK_S * (double)tick));
  sensor_msgs_msg_dds__JointState_ m = {
      .header = {{(int32_t)(ns / 1000000000), (uint32_t)(ns % 1000000000)}, text[MOST - 1]},
      .name = {n, n, name, false},
      .position = {n, n, q, false},
      .velocity = {n, n, dq, false},
      .effort = {n, n, tau, false}};
  text[MOST - 1][0] = 0;
  (void)dds_write(writer, &m);
}

static void fail_as_asked(robot *r, double now) {
  if (!r->fault || r->first_s == 0 || now < r->first_s + 1) return;
  if (!r->faulty) tell(r, "fault");
  r->faulty = true;
  r->external[1] = strcmp(r->fault, "push") == 0 && now < r->first_s + 1.3 ? 20 : 0;
}

static void run(robot *r, dds_entity_t reader, dds_entity_t writer) {
  const double start = r->start = now_s();
  void *loan[1] = {NULL};
  dds_sample_info_t info;
  tell(r, "ready");
  for (long tick = 0; !ended; tick++) {
    const double due = start + TICK_S * (double)tick, now = now_s();
    if (due > now) {
      const struct timespec pause = {.tv_nsec = (long)(1e9 * (due - now))};
      nanosleep(&pause, NULL);
    }
    while (dds_take(reader, loan, &info, 1, 1) > 0) {
      if (info.valid_data) take(r, loan[0], due);
      (void)dds_return_loan(reader, loan, 1);
    }
    fail_as_asked(r, due);
    control(r, due);
    for (int i = 0; i < STEPS; i++) step(r, TICK_S / STEPS);
    const bool silent = r->faulty && strcmp(r->fault, "silent") == 0;
    if (tick % 2 == 0 && !silent) publish(writer, r, tick);
  }
}

int main(int argc, char **argv) {
  static robot r;
  if (argc < 4) return 2;
  signal(SIGTERM, on_end);
  alarm(120);  // a test that failed left it behind
  if (rbv_model_load(&r.model, argv[2], NULL) != RBV_OK) return 3;
  r.n = rbv_model_joint_count(r.model);
  double speed[MOST];
  for (int j = 0; j < MOST; j++) speed[j] = 0.005;
  if (r.n > MOST || rbv_model_smooth(&r.model, speed) != RBV_OK) return 3;
  if (rbv_dynamics_new(&r.d, r.model) != RBV_OK) return 3;
  if (rbv_dynamics_set(r.d, rbv_model_parameters(r.model), false) != RBV_OK) return 3;
  if (!(r.events = fopen(argv[3], "w"))) return 3;
  r.fault = argc > 4 && strcmp(argv[4], "none") != 0 ? argv[4] : NULL;
  char *at = argc > 5 ? argv[5] : NULL;
  for (int j = 0; j < r.n && at; j++) {
    r.q[j] = strtod(at, &at);
    if (*at == ',') at++;
  }
  memcpy(r.p[0], r.q, sizeof r.q);
  r.points = 1;
  const dds_entity_t participant = enter(atoi(argv[1]));
  dds_qos_t *qos = dds_create_qos();
  dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_MSECS(10));
  dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, 100);
  const dds_entity_t states = dds_create_topic(participant, &sensor_msgs_msg_dds__JointState__desc,
                                               "rt/joint_states", NULL, NULL);
  const dds_entity_t commands =
      dds_create_topic(participant, &trajectory_msgs_msg_dds__JointTrajectory__desc,
                       "rt/joint_trajectory_controller/joint_trajectory", NULL, NULL);
  const dds_entity_t writer = dds_create_writer(participant, states, qos, NULL);
  const dds_entity_t reader = dds_create_reader(participant, commands, qos, NULL);
  if (writer < 0 || reader < 0) return 4;
  run(&r, reader, writer);
  (void)dds_delete(DDS_CYCLONEDDS_HANDLE);
  fclose(r.events);
  rbv_dynamics_free(r.d);
  rbv_model_free(r.model);
  return 0;
}
