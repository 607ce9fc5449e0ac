/*
 * Robots under PD control whose mechanics MuJoCo computes: armature, damping and dry friction in
 * the joints, a late torque, and encoders with counts and a bias. Only positions and the reference
 * are recorded.
 *
 * MuJoCo integrates with the semi-implicit Euler method: velocities change at the start of a step,
 * so that a torque acts half a step early. With a step of 20 us that is 0.01 ms, by which the delay
 * of the plant is shortened here. Damping and friction belong to the speed at the end of a step,
 * half a step early, which looks like more inertia: h/2 (Fv + 4/pi Fc / amplitude of the speed), or
 * 0.2 % of a wrist of the TX40 with 20 us. Its step is therefore smaller. frictionloss is a soft
 * constraint: within a band around zero speed the force grows linearly, beyond it is constant.
 * solref and solimp below make the band as narrow as the speed that friction takes away in one
 * step, so that it is Coulomb's law with sticking.
 */
#ifndef CROSS_MUJOCO_PLANT_H
#define CROSS_MUJOCO_PLANT_H

#include <math.h>
#include <roberval/sys/export.h>
#include <roberval/sys/identify.h>
#include <roberval/sys/sim.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "oracle.h"

#define PLANT_JOINTS 7
#define PLANT_STEP 2e-5  // s, of the leg
#define TX40_STEP 5e-6

/* One experiment. */
typedef struct {
  double rate_hz, seconds;
  double k_p[PLANT_JOINTS], k_d[PLANT_JOINTS];
  double amplitude;  // of the reference [rad]
  int late;          // steps of the plant after which a torque acts: see plant_delay
  double bias[PLANT_JOINTS];
  double counts;  // of the encoders, per turn
  uint64_t seed;  // phases of the reference
} experiment;

/* What was recorded, and what the identification needs. */
typedef struct {
  ptrdiff_t count;
  double *reference, *q;  // count x njoint
  rbv_control *control;
  rbv_motion *motion;
} mujoco_record;

typedef struct {
  rbv_model *m;
  const double *chi;
  int n;
  double step;  // of the plant [s]
  oracle o;
} mujoco_robot;

/* the delay of the torque in effect */
static inline double plant_delay(const mujoco_robot *r, const experiment *x) {
  return (x->late - 0.5) * r->step;
}

/* a leg of a small quadruped, in the air: abduction, thigh, calf; zero is stretched downwards */
static const char leg_yaml[] =
    "name: leg\n"
    "gravity: [0, 0, -9.81]\n"
    "joints:\n"
    "  - {name: abduction, mdh: {alpha: pi/2, d: 0, theta: 0, r: 0}, drive: [Ia, Fv, Fc]}\n"
    "  - {name: thigh, mdh: {alpha: pi/2, d: 0, theta: -pi/2, r: 0.0955}, drive: [Ia, Fv, Fc]}\n"
    "  - {name: calf, mdh: {alpha: 0, d: 0.213, theta: 0, r: 0}, drive: [Ia, Fv, Fc]}\n"
    "friction: {smooth: 0.0005}\n"
    "parameters: {M1: 0.68, MX1: 0, MY1: 0.003, MZ1: -0.002, XX1: 0.0006, YY1: 0.0005, ZZ1: "
    "0.0006,\n"
    "  Ia1: 0.012, Fv1: 0.08, Fc1: 0.22,\n"
    "  M2: 1.15, MX2: 0.038, MY2: 0.004, MZ2: -0.027, XX2: 0.0021, YY2: 0.0092, ZZ2: 0.0083,\n"
    "  XZ2: 0.0009, Ia2: 0.012, Fv2: 0.06, Fc2: 0.25,\n"
    "  M3: 0.24, MX3: 0.031, MY3: 0.001, MZ3: 0, XX3: 0.0002, YY3: 0.0060, ZZ3: 0.0060,\n"
    "  Ia3: 0.025, Fv3: 0.05, Fc3: 0.18}\n";

/* The geometry, friction and rotors of the TX40, without its coupled wrist; bodies of this test. A
 * joint of MuJoCo sticks where the smoothed law creeps with a share of the smoothing speed. With
 * 0.001 rad/s errors were up to 4 sigma, because sigma is 0.02 % and the creep moves positions by a
 * tenth of an encoder step. */
static const char tx40_yaml[] =
    "name: tx40 without coupling\n"
    "gravity: [0, 0, -9.81]\n"
    "joints:\n"
    "  - {name: j1, mdh: {alpha: 0, d: 0, theta: 0, r: 0}, drive: [Ia, Fv, Fc]}\n"
    "  - {name: j2, mdh: {alpha: -pi/2, d: 0, theta: 0, r: 0}, drive: [Ia, Fv, Fc]}\n"
    "  - {name: j3, mdh: {alpha: 0, d: 0.225, theta: 0, r: 0.035}, drive: [Ia, Fv, Fc]}\n"
    "  - {name: j4, mdh: {alpha: pi/2, d: 0, theta: 0, r: 0.225}, drive: [Ia, Fv, Fc]}\n"
    "  - {name: j5, mdh: {alpha: -pi/2, d: 0, theta: 0, r: 0}, drive: [Ia, Fv, Fc]}\n"
    "  - {name: j6, mdh: {alpha: pi/2, d: 0, theta: 0, r: 0}, drive: [Ia, Fv, Fc]}\n"
    "friction: {smooth: 0.0003}\n"
    "parameters: {M1: 8, XX1: 0.1, YY1: 0.1, ZZ1: 0.08, MZ1: -0.4, Ia1: 0.35, Fv1: 7.61, Fc1: "
    "8.33,\n"
    "  M2: 5, XX2: 0.03, YY2: 0.20, ZZ2: 0.19, MX2: 0.55, MZ2: 0.3, XZ2: -0.03, Ia2: 0.45, Fv2: "
    "5.19, "
    "Fc2: 8.99,\n"
    "  M3: 4, XX3: 0.08, YY3: 0.02, ZZ3: 0.07, MY3: -0.42, MX3: 0.02, Ia3: 0.09, Fv3: 1.71, Fc3: "
    "7.6,\n"
    "  M4: 1.6, XX4: 0.012, YY4: 0.011, ZZ4: 0.005, MX4: -0.02, MZ4: -0.08, Ia4: 0.03, Fv4: 0.85, "
    "Fc4: 3.55,\n"
    "  M5: 0.8, XX5: 0.002, YY5: 0.0015, ZZ5: 0.002, MY5: -0.03, Ia5: 0.05, Fv5: 1.6, Fc5: 3.71,\n"
    "  M6: 0.2, XX6: 0.0002, YY6: 0.0002, ZZ6: 0.0002, MZ6: 0.004, Ia6: 0.03, Fv6: 0.59, Fc6: "
    "0.86}\n";

static inline void mujoco_load(mujoco_robot *r, const char *yaml, double step) {
  r->step = step;
  assert_ok(rbv_model_load(&r->m, temp_file("robot.yaml", yaml), NULL));
  r->chi = rbv_model_parameters(r->m);
  r->n = rbv_model_joint_count(r->m);
  rbv_export_options how = rbv_export_defaults();
  how.format = RBV_EXPORT_MJCF;
  rbv_export *file;
  assert_ok(rbv_export_new(&file, r->m, r->chi, &how));
  if (file->refused) fail_msg("%s", file->reason);
  r->o = oracle_load(temp_file("robot.xml", file->text));
  rbv_export_free(file);
  mjModel *m = r->o.m;
  m->opt.disableflags &= ~mjDSBL_CONSTRAINT;
  m->opt.timestep = step;
  m->opt.tolerance = 1e-12;
  for (int j = 0; j < r->n; j++) {
    mjtNum *solref = m->dof_solref + mjNREF * j, *solimp = m->dof_solimp + mjNIMP * j;
    solref[0] = 2 * step;
    solref[1] = 1;
    solimp[0] = solimp[1] = 0.9999;
    m->jnt_limited[j] = 0;
  }
}

static inline void mujoco_unload(mujoco_robot *r) {
  oracle_free(&r->o);
  rbv_model_free(r->m);
}

static inline double *multisine(const mujoco_robot *r, const experiment *x, ptrdiff_t count) {
  double *q = malloc((size_t)(count * r->n) * sizeof *q);
  for (int j = 0; j < r->n; j++)
    for (ptrdiff_t k = 0; k < count; k++) {
      const double t = (double)k / x->rate_hz, fade = 1 - exp(-2 * t * t);
      double sum = 0;
      for (int i = 0; i < 6; i++) {
        const double phase = 2 * M_PI * rbv_random_uniform(x->seed, (uint64_t)j, (uint64_t)i);
        const double hertz = 0.25 + 0.55 * i + 0.07 * j;
        sum += sin(2 * M_PI * hertz * t + phase) / (1 + 0.5 * i);
      }
      q[k + j * count] = 0.3 + fade * x->amplitude * sum;
    }
  return q;
}

static inline rbv_control *pd(const mujoco_robot *r, const experiment *x) {
  rbv_control_joint joint[PLANT_JOINTS];
  for (int j = 0; j < r->n; j++) {
    joint[j] = rbv_control_joint_defaults();
    joint[j].k_p = x->k_p[j];
    joint[j].k_d = x->k_d[j];
    joint[j].filter_s = 2 / x->rate_hz;
  }
  rbv_control *c;
  assert_ok(rbv_control_new(&c, "pd", x->rate_hz, RBV_FEEDFORWARD_NONE, joint, r->n));
  return c;
}

/* torque n ticks ago; before the first tick the first one */
static inline const double *torque_at(const double *tau, ptrdiff_t k, int n) {
  return tau + (k > 0 ? k : 0) * n;
}

/* q of every tick, as the encoders read it. The torque of a tick is held for a period; it begins to
 * act at the step of MuJoCo in which the delay is over. */
static inline void mujoco_run(double *q, mujoco_robot *r, const rbv_control *c,
                              const double *reference, const experiment *x, ptrdiff_t count) {
  mjModel *m = r->o.m;
  mjData *d = r->o.d;
  const int steps = (int)(1 / (x->rate_hz * r->step) + 0.5);
  const double step = 2 * M_PI / x->counts;
  double *tau = malloc((size_t)(count * r->n) * sizeof *tau);
  rbv_control_state *s;
  assert_ok(rbv_control_state_new(&s, c, 1));
  mj_resetData(m, d);
  for (int j = 0; j < r->n; j++) d->qpos[j] = reference[j * count] - x->bias[j];
  for (ptrdiff_t k = 0; k < count; k++) {
    double qr[PLANT_JOINTS], qm[PLANT_JOINTS];
    for (int j = 0; j < r->n; j++) {
      qr[j] = reference[k + j * count];
      qm[j] = q[k + j * count] = step * nearbyint((d->qpos[j] + x->bias[j]) / step);
    }
    const rbv_control_input in = {.qr = qr, .qm = qm};
    rbv_control_step(tau + k * r->n, s, &in);
    for (int i = 0; i < steps; i++) {
      const ptrdiff_t at = k * steps + i - x->late;
      const double *now = torque_at(tau, at >= 0 ? at / steps : 0, r->n);
      memcpy(d->qfrc_applied, now, (size_t)r->n * sizeof *now);
      mj_step(m, d);
    }
  }
  rbv_control_state_free(s);
  free(tau);
}

static inline void mujoco_record_new(mujoco_record *out, mujoco_robot *r, const experiment *x) {
  const ptrdiff_t count = out->count = (ptrdiff_t)(x->seconds * x->rate_hz);
  const size_t bytes = (size_t)(count * r->n) * sizeof(double);
  out->reference = multisine(r, x, count);
  out->control = pd(r, x);
  out->q = malloc(bytes);
  mujoco_run(out->q, r, out->control, out->reference, x, count);
  // velocities for the state at the start; torques are not recorded
  double *dq = calloc(1, bytes), *zero = calloc(1, bytes);
  const rbv_motion_info info = {
      .name = "mujoco", .njoint = r->n, .ntorque = r->n, .count = count, .rate_hz = x->rate_hz};
  const rbv_samples samples = {.ld = count, .q = out->q, .dq = dq, .ddq = zero, .torque = zero};
  assert_ok(rbv_motion_from_arrays(&out->motion, &info, &samples));
  free(zero);
  free(dq);
}

static inline void mujoco_record_free(mujoco_record *r) {
  rbv_motion_free(r->motion);
  rbv_control_free(r->control);
  free(r->reference);
  free(r->q);
}

/* drives, delay and bias from these recordings, start values 50 % too large, links known */
static inline rbv_estimate *mujoco_fit(const mujoco_robot *r, const mujoco_record *record,
                                       int count, double skip_s) {
  const int nc = rbv_model_column_count(r->m);
  rbv_unknown unknown[1 + PLANT_JOINTS] = {{.kind = RBV_UNKNOWN_DELAY, .joint = -1}};
  for (int j = 0; j < r->n; j++)
    unknown[1 + j] = (rbv_unknown){.kind = RBV_UNKNOWN_BIAS, .joint = j};
  const rbv_control *control[4];
  rbv_sim_reference reference[4];
  rbv_motion *motion[4];
  for (int i = 0; i < count; i++) {
    control[i] = record[i].control;
    motion[i] = record[i].motion;
    reference[i] = (rbv_sim_reference){
        .count = record[i].count, .ld = record[i].count, .q = record[i].reference};
  }
  double *start = malloc((size_t)nc * sizeof *start);
  for (int c = 0; c < nc; c++) start[c] = 1.5 * r->chi[c];
  rbv_closed_loop loop = rbv_closed_loop_defaults();
  loop.control = control[0];
  loop.controls = control;
  loop.reference = reference;
  loop.start = start;
  loop.known = r->chi;
  loop.known_links = true;
  loop.unknown = unknown;
  loop.nunknown = 1 + r->n;
  loop.longest_delay_s = 0.02;
  loop.skip = (ptrdiff_t)(skip_s * rbv_control_rate_hz(control[0]));
  rbv_identify_options how = rbv_identify_defaults();
  how.method = "cloe";
  how.loop = &loop;
  rbv_estimate *e;
  assert_ok(rbv_identify(&e, r->m, motion, count, &how));
  free(start);
  return e;
}

/* One number of the estimate beside the true one. */
typedef struct {
  const char *name;
  double value, sigma, truth;
  double bound;  // of the targets: 2 %, delay 0.1 ms, bias 0.2 mrad
} checked_value;

#define CHECKED_MOST 64

/* armature, damping, friction, delay and bias of an estimate; returns how many */
static inline int mujoco_values(checked_value *out, const mujoco_robot *r, const experiment *x,
                                const rbv_estimate *e) {
  static const char *const drive[] = {"Ia", "Fv", "Fc"};
  int count = 0;
  for (int k = 0; k < e->base->count; k++) {
    const rbv_column *c = rbv_model_column(r->m, e->base->kept[k]);
    for (int i = 0; i < 3; i++)
      if (rbv_column_has_law(c, drive[i])) {
        const double sigma = sqrt(e->covariance[k + (ptrdiff_t)k * e->base->count]);
        const double truth = r->chi[e->base->kept[k]];
        out[count++] =
            (checked_value){e->base->name[k], e->value[k], sigma, truth, 0.02 * fabs(truth)};
      }
  }
  for (int i = 0; i < e->loop.nunknown; i++) {
    const rbv_loop_value *u = &e->loop.unknown[i];
    const bool bias = strncmp(u->name, "bias", 4) == 0, delay = strstr(u->name, "delay") != NULL;
    const double truth = delay  ? plant_delay(r, x)
                         : bias ? x->bias[atoi(u->name + 4) - 1]
                                : r->chi[rbv_model_find(r->m, u->name)];
    const double bound = delay ? 1e-4 : bias ? 2e-4 : 0.02 * fabs(truth);
    out[count++] = (checked_value){u->name, u->value, u->sigma, truth, bound};
  }
  return count;
}

#endif
