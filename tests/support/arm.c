#include "arm.h"

#include <math.h>
#include <roberval/sys/log.h>
#include <roberval/sys/sim.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "motions.h"
#include "support.h"

const char light_arm[] =
    "name: arm\n"
    "friction: {gamma: 150}\n"
    "joints:\n"
    "  - {mdh: {alpha: pi/2, d: 0, theta: 0, r: 0}, parameters: {ZZ: 0.5, MX: 0.8, Fv: 1, Fc: 2}}\n"
    "  - {mdh: {alpha: 0, d: 0.4, theta: 0, r: 0}, parameters: {ZZ: 0.1, MX: 0.2, Fv: 0.4, Fc: "
    "1}}\n";

const char sound_arm[] =
    "name: arm\n"
    "joints:\n"
    "  - {name: shoulder, mdh: {alpha: pi/2, d: 0, theta: 0, r: 0}}\n"
    "  - {name: elbow, mdh: {alpha: 0, d: 0.5, theta: 0, r: 0}}\n"
    "parameters: {XX1: 0.1, YY1: 0.3, ZZ1: 0.3, MX1: 0.5, M1: 2, XX2: 0.05, YY2: 0.1, ZZ2: 0.1,\n"
    "             MX2: 0.2, M2: 1, Ia1: 0.1, Ia2: 0.05, Fv1: 1, Fc1: 0.7, Fv2: 0.4, Fc2: 0.5}\n";

static const char text[] =
    "name: arm\n"
    "gravity: [0, -9.81, 0]\n"
    "friction: {gamma: 150}\n"
    "joints:\n"
    "  - {mdh: {alpha: 0}, drive: [Ia, Fv, Fc, off]}\n"
    "  - {mdh: {alpha: 0, d: 0.5}, drive: [Ia, Fv, Fc, off]}\n";

static void set(arm *a, const char *name, double value) {
  const int c = rbv_model_find(a->m, name);
  if (c >= 0) a->chi[c] = value;
}

/* rods of 3 and 2 kg; the payload is a ball of 1 kg */
static void set_truth(arm *a) {
  set(a, "M1", 3);
  set(a, "MX1", 0.75);
  set(a, "YY1", 0.25);
  set(a, "ZZ1", 0.26);
  set(a, "XX1", 0.01);
  set(a, "M2", 2);
  set(a, "MX2", 0.4);
  set(a, "YY2", 0.11);
  set(a, "ZZ2", 0.115);
  set(a, "XX2", 0.005);
  set(a, "Ia1", 0.2);
  set(a, "Ia2", 0.1);
  set(a, "Fv1", 2);
  set(a, "Fv2", 1);
  set(a, "Fc1", 1.5);
  set(a, "Fc2", 0.8);
  set(a, "ML", 1);
  set(a, "MXL", 0.3);
  set(a, "XXL", 0.004);
  set(a, "YYL", 0.094);
  set(a, "ZZL", 0.094);
}

static rbv_control *make_control(void) {
  const double J[ARM_JOINTS] = {1.5, 0.25}, hz[ARM_JOINTS] = {6, 8};
  rbv_control_joint joint[ARM_JOINTS];
  for (int j = 0; j < ARM_JOINTS; j++)
    joint[j] = rbv_control_tune(J[j], 2 * RBV_PI * hz[j], 0.2, 5);
  rbv_control *c;
  assert_ok(rbv_control_new(&c, "arm", ARM_RATE, RBV_FEEDFORWARD_NONE, joint, ARM_JOINTS));
  return c;
}

static rbv_motion *recorded(const arm *a, const rbv_sim *s, const rbv_sim_trace *trace,
                            const rbv_sim_outcome *outcome, bool loaded) {
  const rbv_sim_columns columns = {.reference = true};
  rbv_differentiate_options o = rbv_differentiate_defaults();
  o.cutoff_hz = 40;
  o.loaded = loaded;
  rbv_log *log;
  rbv_motion *motion;
  assert_ok(rbv_sim_log(&log, s, 0, trace, outcome, &columns));
  assert_ok(rbv_motion_from_log(&motion, a->m, log, &o));
  rbv_log_free(log);
  return motion;
}

/* simulate one run and return its recording as a motion */
static rbv_motion *record(const arm *a, const arm_options *o, int i) {
  rbv_sim_options so = rbv_sim_defaults();
  so.loaded = i == 1;
  so.defects.loop_noise = o->noise;
  so.defects.torque_offset = o->torque_offset;
  rbv_sim *s;
  rbv_sim_trace trace;
  rbv_sim_outcome outcome;
  assert_ok(rbv_sim_new(&s, a->m, a->control, &so, 1));
  const rbv_sim_lane lane = {.chi = a->chi, .seed = 1 + (uint64_t)i};
  assert_ok(rbv_sim_set(s, 0, &lane));
  assert_ok(rbv_sim_trace_new(&trace, ARM_JOINTS, o->count));
  assert_ok(rbv_sim_run(&outcome, s, &a->reference[i], &trace));
  assert_int_equal(outcome.verdict, RBV_SIM_DONE);
  rbv_motion *motion;
  if (o->noise > 0 || o->torque_offset)
    motion = recorded(a, s, &trace, &outcome, so.loaded);
  else
    assert_ok(rbv_sim_motion(&motion, s, 0, &trace, &outcome));
  rbv_sim_trace_free(&trace);
  rbv_sim_free(s);
  return motion;
}

void arm_new(arm *a, const arm_options *o) {
  *a = (arm){.nmotion = o->payload ? 2 : 1};
  rbv_model_options mo = rbv_model_defaults();
  mo.payload = o->payload;
  assert_ok(rbv_model_parse(&a->m, "arm", text, strlen(text), &mo));
  set_truth(a);
  a->control = make_control();
  waves w;
  waves_new(&w, a->m, NULL, 3, o->count, ARM_RATE, false);
  a->q = malloc((size_t)o->count * ARM_JOINTS * sizeof *a->q);
  memcpy(a->q, w.q, (size_t)o->count * ARM_JOINTS * sizeof *a->q);
  waves_free(&w);
  for (int i = 0; i < a->nmotion; i++) {
    a->reference[i] = (rbv_sim_reference){.count = o->count, .ld = o->count, .q = a->q};
    a->motion[i] = record(a, o, i);
  }
  a->loop = rbv_closed_loop_defaults();
  a->loop.control = a->control;
  a->loop.reference = a->reference;
  a->how = rbv_identify_defaults();
  a->how.filter.decimate = 10;
  a->how.loop = &a->loop;
}

void arm_free(arm *a) {
  for (int i = 0; i < a->nmotion; i++) rbv_motion_free(a->motion[i]);
  free(a->q);
  rbv_control_free(a->control);
  rbv_model_free(a->m);
}

double arm_truth(const arm *a, const rbv_estimate *e, int k) {
  double value = 0;
  for (int c = 0; c < e->base->ncolumn; c++)
    value += e->base->relation[k + (ptrdiff_t)c * e->base->count] * a->chi[c];
  return value;
}
