/*
 * Recordings of robots in closed loops, for studies of the detectors. A setting has eight runs that
 * differ in parameters, gains and noise. Recordings of one run with several delays differ in the
 * delay only.
 */
#ifndef TEST_CHECK_CLOSED_LOOP_H
#define TEST_CHECK_CLOSED_LOOP_H

#include "simulate.h"

#include <roberval/sys/sim.h>

#define RUNS 8
#define SETTINGS 24  // that differ
#define GAMMA 150.0  // smoothing of the simulated friction
#define BLEND 1.0    // the reference starts and ends at rest [s]

typedef struct {
  int robot;
  bool moves;     // point-to-point moves; otherwise a sum of sines
  bool stiff;     // loops of 12 to 40 Hz, otherwise half of that
  bool in_loop;   // the encoder is in the loop, otherwise in the recording only
  double counts;  // of the encoder, per turn
  double rate_hz;
  bool known_law;  // the model has the friction law of the simulation; otherwise sign()
  double creep;    // friction that no model has: presliding and a load-dependent part
} setting;

/* every combination of robot, motion, loop and encoder occurs */
static inline setting setting_at(int i) {
  static const double counts[] = {3600, 20000, 131072}, rates[] = {1250, 2500, 5000};
  return (setting){.robot = i % ROBOTS,
                   .moves = i / 3 % 2,
                   .stiff = i / 6 % 2,
                   .in_loop = i / 12 % 2,
                   .counts = counts[(i + i / 3) % 3],
                   .rate_hz = rates[(i / 2 + i / 6) % 3],
                   .known_law = i % 2 == 0,
                   .creep = i % 4 == 3 ? 0.05 : 0};
}

static inline void plan_reference(double *q, const rbv_model *m, const setting *s, ptrdiff_t count,
                                  dice *d) {
  const double T = (double)count / s->rate_hz;
  path p = {.stop = INFINITY};
  if (s->moves)
    plan_moves(&p, m, d, T);
  else
    plan_sines(&p, m, d, 0.15, uniform(d, 0.8, 2));
  for (ptrdiff_t k = 0; k < count; k++) {
    // the clock of the motion starts and stops smoothly
    const double t = (double)k / s->rate_hz, left = T - t;
    const double clock = t < BLEND      ? t * t / (2 * BLEND)
                         : left < BLEND ? T - BLEND - left * left / (2 * BLEND)
                                        : t - BLEND / 2;
    double x[JOINTS], v[JOINTS], a[JOINTS];
    eval_path(x, v, a, &p, clock);
    for (int j = 0; j < JOINTS; j++) q[k + j * count] = x[j];
  }
}

/* presliding (Dahl) in place of a part of the Coulomb friction, and friction of the load */
static inline void add_creep(record *r, const double *dq, double share, double rate, dice *d) {
  for (int j = 0; j < JOINTS; j++) {
    double *tau = r->tau + j * r->count, sum = 0, z = 0;
    for (ptrdiff_t k = 0; k < r->count; k++) sum += tau[k] * tau[k];
    const double size = sqrt(sum / (double)r->count), travel = uniform(d, 0.003, 0.03),
                 load = uniform(d, 0, share);
    for (ptrdiff_t k = 0; k < r->count; k++) {
      const double v = dq[k + j * r->count], sign = (v > 0) - (v < 0);
      z = sign + (z - sign) * exp(-fabs(v) / rate / travel);
      tau[k] += share * size * (z - sign) + load * fabs(tau[k]) * sign;
    }
  }
}

/* soft loops of an industrial arm */
static const double bandwidth_hz[JOINTS] = {6, 6, 8, 12, 12, 20};

/* records of the runs of a setting; returns how many loops were stable */
static inline int run_setting(record *out, rbv_model *m, const setting *s, double duration,
                              uint64_t seed) {
  dice d = {seed, 77, 0};
  const ptrdiff_t count = (ptrdiff_t)(duration * s->rate_hz);
  double *q = malloc((size_t)count * JOINTS * sizeof *q), J[JOINTS], rms[JOINTS];
  plan_reference(q, m, s, count, &d);
  const rbv_sim_reference reference = {.count = count, .ld = count, .q = q};
  assert_ok(rbv_sim_inertia(J, m, rbv_model_parameters(m), false, &reference, 50));
  // torques of the rigid robot at the reference are the scale of friction and noise
  double *dq = malloc((size_t)count * JOINTS * sizeof *dq);
  double *ddq = malloc((size_t)count * JOINTS * sizeof *ddq);
  for (int j = 0; j < JOINTS; j++)
    for (ptrdiff_t k = 0; k < count; k++) {
      const ptrdiff_t a = k > 0 ? k - 1 : 0, b = k + 1 < count ? k + 1 : count - 1;
      dq[k + j * count] = (q[b + j * count] - q[a + j * count]) * s->rate_hz / (double)(b - a);
      ddq[k + j * count] = 0;
    }
  rbv_dynamics *dynamics;
  assert_ok(rbv_dynamics_new(&dynamics, m));
  const rbv_states states = {.count = count, .ld = count, .q = q, .dq = dq, .ddq = ddq};
  rigid_rms(rms, m, dynamics, &states);
  rbv_dynamics_free(dynamics);
  const double *prior = rbv_model_parameters(m);
  const int nc = rbv_model_column_count(m);
  double noise[JOINTS], disturbance[JOINTS];
  rbv_control_joint joint[JOINTS];
  for (int j = 0; j < JOINTS; j++) {
    joint[j] = rbv_control_tune(J[j], 2 * M_PI * (s->stiff ? 2 : 1) * bandwidth_hz[j],
                                s->stiff ? 0.2 : 0.1, s->stiff ? 10 : 3);
    noise[j] = uniform(&d, 0.005, 0.02) * rms[j];
    disturbance[j] = uniform(&d, 0.005, 0.02) * rms[j];
  }
  rbv_control *control = NULL;
  assert_ok(rbv_control_new(&control, "loop", s->rate_hz, RBV_FEEDFORWARD_GRAVITY, joint, JOINTS));
  rbv_sim_options o = rbv_sim_defaults();
  o.gamma = GAMMA;
  o.defects.torque_noise = noise;
  o.defects.disturbance = disturbance;
  o.defects.disturbance_hz = uniform(&d, 0.5, 5);
  *(s->in_loop ? &o.defects.loop_counts : &o.defects.record_counts) = s->counts;
  rbv_sim *sim = NULL;
  assert_ok(rbv_sim_new(&sim, m, control, &o, RUNS));
  rbv_sim_trace trace[RUNS];
  rbv_sim_outcome outcome[RUNS];
  double *chi = malloc((size_t)nc * sizeof *chi), scale[JOINTS];
  for (int i = 0; i < RUNS; i++) {
    dice own = {seed, 100 + (uint64_t)i, 0};
    true_parameters(chi, m, &own, rms);
    for (int c = 0; c < nc; c++)
      if (rbv_model_column(m, c)->basis == RBV_BASIS_INERTIAL)
        chi[c] = prior[c] * uniform(&own, 0.95, 1.05);
    for (int j = 0; j < JOINTS; j++) scale[j] = uniform(&own, 0.7, 1.3);
    const rbv_sim_lane lane = {.chi = chi, .scale = scale, .seed = seed * 64 + (uint64_t)i};
    assert_ok(rbv_sim_set(sim, i, &lane));
    assert_ok(rbv_sim_trace_new(&trace[i], JOINTS, count));
  }
  assert_ok(rbv_sim_run(outcome, sim, &reference, trace));
  int good = 0;
  for (int i = 0; i < RUNS; i++) {
    if (outcome[i].verdict == RBV_SIM_DONE) {
      const size_t block = (size_t)count * JOINTS * sizeof(double);
      record *r = &out[good++];
      *r = (record){count, malloc((size_t)count * sizeof(double)), malloc(block), malloc(block)};
      memcpy(r->t, trace[i].recorded_t, (size_t)count * sizeof(double));
      memcpy(r->q, trace[i].recorded_q, block);
      memcpy(r->tau, trace[i].recorded_tau, block);
      if (s->creep > 0) add_creep(r, trace[i].dq, s->creep, s->rate_hz, &d);
    }
    rbv_sim_trace_free(&trace[i]);
  }
  rbv_sim_free(sim);
  rbv_control_free(control);
  free(chi);
  free(q);
  free(dq);
  free(ddq);
  return good;
}

/* a copy with the torque recorded late */
static inline record late_copy(const record *r, ptrdiff_t lag) {
  const size_t block = (size_t)r->count * JOINTS * sizeof(double);
  record c = {r->count, malloc((size_t)r->count * sizeof(double)), malloc(block), malloc(block)};
  memcpy(c.t, r->t, (size_t)r->count * sizeof(double));
  memcpy(c.q, r->q, block);
  memcpy(c.tau, r->tau, block);
  if (lag) delay_torque(&c, lag);
  return c;
}

#endif
