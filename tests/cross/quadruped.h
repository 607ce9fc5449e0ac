/* A quadruped that MuJoCo moves: thrown, on a rope, standing. Our motion of it has states without
 * noise, so that what an estimate misses is the noise of torques. */
#ifndef CROSS_QUADRUPED_H
#define CROSS_QUADRUPED_H

#include <stdio.h>
#include <stdlib.h>

#include <roberval/sys/dynamics.h>
#include <roberval/sys/motion.h>

#include "base/support.h"
#include "oracle.h"
#include "support.h"

#define LEGS 4
#define BASE RBV_BASE_COORDINATES
#define JOINTS (3 * LEGS)
#define COORDINATES (BASE + JOINTS)
#define GAMMA 100.0
#define STEP_S 1e-3
#define EVERY 5  // steps per sample
#define RATE (1 / (STEP_S * EVERY))

static const char *const leg_name[LEGS] = {"FL", "FR", "RL", "RR"};
static const double viscous = 0.08, dry = 0.15, rotor = 0.01;

typedef enum { THROWN, ROPE, STANDING } scene;

/* trunk, four legs of three joints with a foot each; feet can be held by `connect` */
static inline char *quadruped_mjcf(scene kind) {
  rbv_text x = {0};
  rbv_text_print(&x,
                 "<mujoco><compiler angle='radian'/><option timestep='%g' integrator='implicit'/>"
                 "<worldbody>%s<body name='trunk' pos='0 0 0.34'><freejoint/>"
                 "<inertial mass='6.9' pos='0.021 0.002 -0.005' "
                 "fullinertia='0.0245 0.098 0.107 0.0003 -0.002 0.0004'/>"
                 "<site name='hook' pos='0.02 0.01 0.06'/>"
                 "<site name='imu' pos='0.03 -0.02 0.05' quat='0.8 0 0 0.6'/>",
                 STEP_S, kind == ROPE ? "<site name='crane' pos='0 0 1.6'/>" : "");
  for (int i = 0; i < LEGS; i++) {
    const double front = i < 2 ? 1 : -1, left = i % 2 ? -1 : 1;
    rbv_text_print(
        &x,
        "<body name='%s_hip' pos='%g %g 0'><joint name='%s_hip' axis='1 0 0' armature='%g' "
        "damping='%g'/><inertial mass='%g' pos='%g %g 0.001' fullinertia='0.0006 0.0009 0.0007 "
        "1e-5 2e-5 -1e-5'/>"
        "<body name='%s_thigh' pos='0 %g 0'><joint name='%s_thigh' axis='0 1 0' armature='%g' "
        "damping='%g'/><inertial mass='%g' pos='-0.004 %g -0.03' fullinertia='0.006 0.0058 0.001 "
        "-1e-4 3e-4 2e-4'/>",
        leg_name[i], 0.19 * front, 0.047 * left, leg_name[i], rotor, viscous, 0.68 + 0.02 * i,
        -0.005 * front, 0.008 * left, leg_name[i], 0.095 * left, leg_name[i], rotor, viscous,
        1.1 - 0.03 * i, -0.02 * left);
    rbv_text_print(&x,
                   "<body name='%s_calf' pos='0 0 -0.213'><joint name='%s_calf' axis='0 1 0' "
                   "armature='%g' damping='%g'/><inertial mass='%g' pos='0.006 0.001 -0.12' "
                   "fullinertia='0.0025 0.00255 2e-4 1e-6 -8e-5 2e-5'/>"
                   "<body name='%s_foot' pos='0 0 -0.213'/></body></body></body>",
                   leg_name[i], leg_name[i], rotor, viscous, 0.16 + 0.01 * i, leg_name[i]);
  }
  rbv_text_put(&x, "</body></worldbody>");
  if (kind == ROPE)
    rbv_text_put(&x,
                 "<tendon><spatial name='rope' stiffness='900' damping='4' springlength='1.1'>"
                 "<site site='crane'/><site site='hook'/></spatial></tendon>");
  if (kind == STANDING) {
    rbv_text_put(&x, "<equality>");
    for (int i = 0; i < LEGS; i++)
      rbv_text_print(&x, "<connect body1='%s_foot' anchor='0 0 0'/>", leg_name[i]);
    rbv_text_put(&x, "</equality>");
  }
  rbv_text_put(&x, "</mujoco>");
  char *text = strdup(rbv_text_string(&x));
  rbv_text_free(&x);
  return text;
}

typedef struct {
  rbv_model *m;
  mjModel *mj;
  mjData *d;
  int foot[LEGS], joint[JOINTS];  // of MuJoCo: bodies of the feet; velocities of our joints
} quadruped;

/* contacts: the feet may carry forces */
static inline quadruped quadruped_load(scene kind, const char *contacts) {
  quadruped r = {0};
  char error[512] = "", *text = quadruped_mjcf(kind);
  const char *path = temp_file("quadruped.xml", text);
  rbv_model_options o = rbv_model_defaults();
  o.free_base = true;
  o.snap = false;
  o.gamma = GAMMA;
  o.contacts = contacts;
  // closed loops of our model are not what is tested here
  char *open = quadruped_mjcf(THROWN);
  assert_ok(rbv_model_parse(&r.m, "quadruped", open, strlen(open), &o));
  r.mj = mj_loadXML(path, NULL, error, sizeof error);
  if (!r.mj) fail_msg("MuJoCo: %s", error);
  r.d = mj_makeData(r.mj);
  free(text);
  free(open);
  assert_int_equal(rbv_model_joint_count(r.m), COORDINATES);
  for (int j = 0; j < JOINTS; j++) {
    const int id = mj_name2id(r.mj, mjOBJ_JOINT, rbv_model_joint(r.m, BASE + j)->name);
    assert_true(id >= 0);
    r.joint[j] = r.mj->jnt_dofadr[id];
  }
  for (int i = 0; i < LEGS; i++) {
    char name[16];
    snprintf(name, sizeof name, "%s_foot", leg_name[i]);
    r.foot[i] = mj_name2id(r.mj, mjOBJ_BODY, name);
  }
  return r;
}

static inline void quadruped_free(quadruped *r) {
  mj_deleteData(r->d);
  mj_deleteModel(r->mj);
  rbv_model_free(r->m);
}

typedef struct {
  ptrdiff_t count;
  double *q, *dq, *ddq, *tau;  // count x COORDINATES
  uint32_t *contact;
  double *pose;    // count x 7: place and quaternion in the world
  double *wrench;  // count x 6: on the base, in its axes: force, moment
  double *imu;     // count x 6: specific force and angular rate at the site
} flight;

static inline flight flight_new(ptrdiff_t count) {
  double *block = calloc((size_t)(4 * COORDINATES * count), sizeof *block);
  const ptrdiff_t size = COORDINATES * count;
  double *sensors = calloc((size_t)(19 * count), sizeof *sensors);
  return (flight){count,
                  block,
                  block + size,
                  block + 2 * size,
                  block + 3 * size,
                  calloc((size_t)count, sizeof(uint32_t)),
                  sensors,
                  sensors + 7 * count,
                  sensors + 13 * count};
}

static inline void flight_free(flight *f) {
  free(f->q);
  free(f->contact);
  free(f->pose);
}

/* reference of a joint: sums of sines around a bent leg */
static inline double bent(uint64_t seed, int j, double t, double size) {
  static const double middle[3] = {0, 0.8, -1.5};
  double x = middle[j % 3];
  for (int i = 0; i < 4; i++) {
    const double hz = 0.3 + 2.2 * rbv_random_uniform(seed, (uint64_t)j, (uint64_t)(2 * i));
    const double phase = 2 * RBV_PI * rbv_random_uniform(seed, (uint64_t)j, (uint64_t)(2 * i + 1));
    x += size / 4 * (sin(2 * RBV_PI * hz * t + phase) - sin(phase));
  }
  return x;
}

/* torques of the drives towards the reference; what dry friction takes is applied as well */
static inline void drive(double *motor, quadruped *r, uint64_t seed, double t, double size) {
  for (int j = 0; j < JOINTS; j++) {
    const int v = r->joint[j], p = v + 1;  // the free joint has one position more
    const double dq = r->d->qvel[v];
    motor[j] = 45 * (bent(seed, j, t, size) - r->d->qpos[p]) - 1.2 * dq;
    r->d->qfrc_applied[v] = motor[j] - dry * 2 / RBV_PI * atan(GAMMA * dq);
  }
}

/* what a sensor at the site would measure */
static inline void take_imu(const flight *f, ptrdiff_t k, const rbv_base_motion *b) {
  static const double p[3] = {0.03, -0.02, 0.05}, quat[4] = {0.8, 0, 0, 0.6};
  double R[9], a[3], turn[3], away[3], out[6];
  mju_quat2Mat(R, quat);
  mju_cross(turn, b->angular_change, p);
  mju_cross(a, b->angular, p);
  mju_cross(away, b->angular, a);
  for (int i = 0; i < 3; i++) a[i] = b->force[i] + turn[i] + away[i];
  mju_mulMatTVec(out, R, a, 3, 3);
  mju_mulMatTVec(out + 3, R, b->angular, 3, 3);
  for (int i = 0; i < 6; i++) f->imu[k + i * f->count] = out[i];
}

/* the present state as a sample: base as its sensors see it, rows of the base from the wrench */
static inline void take_sample(const flight *f, const quadruped *r, ptrdiff_t k,
                               const double *motor) {
  const mjData *d = r->d;
  double R[9], x[3 * COORDINATES], force[3];
  rbv_base_motion b;
  mju_quat2Mat(R, d->qpos + 3);
  const double a[3] = {d->qacc[0], d->qacc[1], d->qacc[2] + 9.81};
  mju_mulMatTVec(b.force, R, a, 3, 3);
  mju_copy3(b.angular, d->qvel + 3);
  mju_copy3(b.angular_change, d->qacc + 3);
  rbv_base_states(x, x + COORDINATES, x + 2 * COORDINATES, r->m, &b);
  mju_mulMatTVec(force, R, d->qfrc_passive, 3, 3);
  for (int i = 0; i < 3; i++) {
    f->tau[k + i * f->count] = force[i];
    f->tau[k + (5 - i) * f->count] = d->qfrc_passive[3 + i];
  }
  for (int i = 0; i < 7; i++) f->pose[k + i * f->count] = d->qpos[i];
  for (int i = 0; i < 3; i++) {
    f->wrench[k + i * f->count] = force[i];
    f->wrench[k + (3 + i) * f->count] = d->qfrc_passive[3 + i];
  }
  take_imu(f, k, &b);
  for (int j = 0; j < JOINTS; j++) {
    x[BASE + j] = d->qpos[r->joint[j] + 1];
    x[COORDINATES + BASE + j] = d->qvel[r->joint[j]];
    x[2 * COORDINATES + BASE + j] = d->qacc[r->joint[j]];
    f->tau[k + (BASE + j) * f->count] = motor[j];
  }
  for (int j = 0; j < COORDINATES; j++) {
    f->q[k + j * f->count] = x[j];
    f->dq[k + j * f->count] = x[COORDINATES + j];
    f->ddq[k + j * f->count] = x[2 * COORDINATES + j];
  }
}

/* hold a foot where it is, or let it go */
static inline void hold_foot(quadruped *r, int leg, bool held) {
  if (held && !r->mj->eq_active[leg])
    mju_copy3(r->mj->eq_data + mjNEQDATA * leg + 3, r->d->xpos + 3 * r->foot[leg]);
  r->mj->eq_active[leg] = held;
}

/*
 * Move for `count` samples. Standing: all feet are held for two seconds, then one leg after the
 * other is free for one second.
 */
static inline flight quadruped_move(quadruped *r, scene kind, uint64_t seed, ptrdiff_t count) {
  flight f = flight_new(count);
  double motor[JOINTS];
  mj_resetData(r->mj, r->d);
  for (int j = 0; j < JOINTS; j++) r->d->qpos[r->joint[j] + 1] = bent(seed, j, 0, 0);
  if (kind == THROWN) {
    r->d->qvel[2] = 4;
    for (int i = 0; i < 3; i++)
      r->d->qvel[3 + i] = 4 * rbv_random_uniform(seed, 90, (uint64_t)i) - 2;
  }
  mj_kinematics(r->mj, r->d);
  for (int leg = 0; leg < LEGS && kind == STANDING; leg++) {
    r->mj->eq_active[leg] = 0;
    hold_foot(r, leg, true);
  }
  for (ptrdiff_t step = 0; step < count * EVERY; step++) {
    const double t = (double)step * STEP_S;
    const int turn = (int)(t / 2) % (LEGS + 1) - 1;  // leg whose turn it is, -1: none
    const bool lifts = kind == STANDING && turn >= 0 && fmod(t, 2) < 1;
    for (int leg = 0; leg < LEGS && kind == STANDING; leg++)
      hold_foot(r, leg, !(lifts && leg == turn));
    drive(motor, r, seed, t, kind == STANDING ? 0.5 : 1.2);
    if (step % EVERY == 0) {
      mj_forward(r->mj, r->d);
      take_sample(&f, r, step / EVERY, motor);
      f.contact[step / EVERY] = lifts ? 0xFu & ~(1u << turn) : 0xF;
    }
    mj_step(r->mj, r->d);
  }
  return f;
}

/* normal noise on the torques from row `first` on */
static inline void add_noise(const flight *f, int first, double joint, double wrench,
                             uint64_t seed) {
  for (int r = first; r < COORDINATES; r++)
    for (ptrdiff_t k = 0; k < f->count; k++)
      f->tau[k + r * f->count] +=
          (r < BASE ? wrench : joint) * rbv_random_normal(seed, (uint64_t)r, (uint64_t)k);
}

static inline rbv_motion *flight_motion(const flight *f, bool contacts) {
  const rbv_motion_info info = {.name = "simulated",
                                .njoint = COORDINATES,
                                .ntorque = COORDINATES,
                                .count = f->count,
                                .rate_hz = RATE,
                                .contact = contacts};
  const rbv_samples samples = {.ld = f->count,
                               .q = f->q,
                               .dq = f->dq,
                               .ddq = f->ddq,
                               .torque = f->tau,
                               .contact = f->contact};
  rbv_motion *motion;
  assert_ok(rbv_motion_from_arrays(&motion, &info, &samples));
  return motion;
}

/* the parameters with which MuJoCo moves it */
static inline void quadruped_truth(double *chi, const quadruped *r) {
  for (int c = 0; c < rbv_model_column_count(r->m); c++) {
    const rbv_column *column = rbv_model_column(r->m, c);
    chi[c] = column->basis == RBV_BASIS_INERTIAL ? rbv_model_parameters(r->m)[c] : 0;
    if (column->basis == RBV_BASIS_INERTIAL || column->joint < BASE) continue;
    if (rbv_column_has_law(column, "Ia")) chi[c] = rotor;
    if (rbv_column_has_law(column, "Fv")) chi[c] = viscous;
    if (rbv_column_has_law(column, "Fc")) chi[c] = dry;
  }
}

#endif
