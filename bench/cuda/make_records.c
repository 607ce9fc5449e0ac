/*
 * make_records: the records of a few robots for bench/cuda/bench, which runs where the library
 * itself cannot be built. It prints the words of each record that are not zero.
 */
#include <inttypes.h>
#include <math.h>
#include <roberval/sys/trajectory.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "excite/flat_constraints.h"
#include "excite/flat_gram.h"
#include "sim/flat_loop.h"

static void print(const char *robot, const char *what, const void *data, size_t size) {
  for (size_t i = 0; i < size / 8; i++) {
    uint64_t word;
    memcpy(&word, (const char *)data + 8 * i, 8);
    if (word) printf("%s %s %zu %016" PRIx64 "\n", robot, what, i, word);
  }
}

static void need(rbv_status status) {
  if (status == RBV_OK) return;
  fprintf(stderr, "make_records: %s\n", rbv_message());
  exit(1);
}

/* the constraints of a design with assumed shapes, a mounting plane and, if there is a prior,
 * torques; effort: that of the first joint if the model has no limits [N m] */
static void write_repair(const char *name, const rbv_model *m, double floor, double effort) {
  rbv_constraint_set *set;
  need(rbv_constraint_set_load(&set, m, NULL));
  need(rbv_constraint_set_assume(set, m, 0));
  need(rbv_constraint_set_mount(set, m, NULL, floor));
  rbv_limits limits[DEVICE_JOINTS];
  const int n = rbv_model_joint_count(m);
  for (int j = 0; j < n; j++) {
    limits[j] = rbv_model_joint(m, j)->limits;
    // joints without limits: those of a small arm
    if (!isfinite(limits[j].upper - limits[j].lower)) limits[j].lower = -2, limits[j].upper = 2;
    if (!isfinite(limits[j].velocity)) limits[j].velocity = 3;
    if (!isfinite(limits[j].acceleration)) limits[j].acceleration = 20;
    if (!isfinite(limits[j].effort)) limits[j].effort = effort / (j + 1);
  }
  set->value.limits = limits;
  set->value.prior = rbv_model_parameters(m);
  keeper k;
  need(rbv_keeper_new(&k, m, &set->value));
  need(rbv_keeper_center(&k));
  rbv_trajectory_shape shape = rbv_trajectory_defaults();
  shape.njoint = n;
  rbv_trajectory *t;
  need(rbv_trajectory_new(&t, &shape, NULL));
  flat_constraints f;
  need(rbv_flat_constraints(&f, &k, t, 0.01, shape.count));
  print(name, "repair", &f.repair, sizeof f.repair);
  if (f.values) print(name, "values", f.values, DEVICE_VALUES * sizeof *f.values);
  rbv_flat_constraints_free(&f);
  rbv_trajectory_free(t);
  rbv_keeper_free(&k);
  rbv_constraint_set_free(set);
}

/* a robot under a PID controller at 5 kHz, and its score */
static void write_robot(const char *name, const char *text) {
  rbv_model *m;
  need(text ? rbv_model_parse(&m, name, text, strlen(text), NULL) : rbv_model_load(&m, name, NULL));
  const int n = rbv_model_joint_count(m);
  double *zero = calloc((size_t)n, sizeof *zero), J[DEVICE_JOINTS];
  const rbv_sim_reference still = {.count = 1, .ld = 1, .q = zero};
  need(rbv_sim_inertia(J, m, rbv_model_parameters(m), false, &still, 1));
  static const double hertz[DEVICE_JOINTS] = {12, 12, 16, 24, 24, 40, 40, 40};
  rbv_control_joint joint[DEVICE_JOINTS];
  for (int j = 0; j < n; j++) joint[j] = rbv_control_tune(J[j], 2 * RBV_PI * hertz[j], 0.2, 10);
  rbv_control *c;
  need(rbv_control_new(&c, "pid", 5000, RBV_FEEDFORWARD_NONE, joint, n));
  flat_loop f;
  double values[DEVICE_PARAMETERS];
  const rbv_sim_lane lane = {0};
  need(rbv_flat_loop(&f, m, c, NULL));
  need(rbv_flat_plant(values, 1, &f, &lane));
  print(name, "loop", &f.loop, sizeof f.loop);
  print(name, "plant", values, sizeof values);
  rbv_excite *e;
  flat_gram g;
  need(rbv_excite_new(&e, m, NULL));
  need(rbv_flat_gram(&g, e));
  print(name, "gram", &g.gram, sizeof g.gram);
  // robots without a file of their own have no column: far above the plane
  write_repair(name, m, text ? -0.6 : rbv_model_floor(m), 150);
  rbv_excite_free(e);
  rbv_control_free(c);
  rbv_model_free(m);
  free(zero);
}

/* a chain of 8 joints with consistent bodies; tilt is added to the angles between the axes */
static void write_chain(const char *name, double tilt) {
  char text[8000];
  int at = snprintf(text, sizeof text, "name: %s\nfriction: {gamma: 150}\njoints:\n", name);
  static const double alpha[8] = {0, -0.5, 0, 0.5, -0.5, 0.5, 0, 0.5};
  for (int j = 0; j < 8; j++)
    at += snprintf(text + at, sizeof text - (size_t)at,
                   "  - {mdh: {alpha: %.17g, d: %g, theta: %g, r: %g}, drive: [%s],\n"
                   "     parameters: {XX: %g, YY: %g, ZZ: %g, XY: %g, MX: %g, MY: %g, MZ: %g, M: %g"
                   "%s}}\n",
                   alpha[j] * RBV_PI + (j > 0 ? tilt : 0), j % 3 == 2 ? 0.2 : 0.05, 0.1 * j,
                   j % 2 ? 0.15 : 0, j < 2 ? "Ia, Fv, Fc" : "", 0.4 / (j + 1), 0.5 / (j + 1),
                   0.45 / (j + 1), 0.01 / (j + 1), 0.1 / (j + 1), 0.05 / (j + 1), -0.05 / (j + 1),
                   4.0 / (j + 1), j < 2 ? ", Ia: 0.2, Fv: 2, Fc: 3" : "");
  write_robot(name, text);
}

/* the TX40 with axes that are neither parallel nor perpendicular */
static const char tilted[] =
    "name: tilted\n"
    "joints:\n"
    "  - {mdh: {alpha: 0, d: 0, theta: 0, r: 0}}\n"
    "  - {mdh: {alpha: -1.5, d: 0, theta: 0, r: 0}}\n"
    "  - {mdh: {alpha: 0.1, d: 0.225, theta: 0, r: 0.035}}\n"
    "  - {mdh: {alpha: 1.5, d: 0, theta: 0, r: 0.225}}\n"
    "  - {mdh: {alpha: -1.5, d: 0, theta: 0, r: 0}}\n"
    "  - {mdh: {alpha: 1.5, d: 0, theta: 0, r: 0}}\n"
    "transmission:\n"
    "  ratios: [32, 32, 45, -48, 45, 32]\n"
    "  couplings: [{motor: 6, joint: 5, ratio: 32}]\n"
    "parameters:\n"
    "  {ZZ1: 1.25, Fv1: 7.61, Fc1: 8.33,\n"
    "   XX2: 0.6, YY2: 1.2, ZZ2: 1.13, XZ2: -0.16, MX2: 2.16, Fv2: 5.19, Fc2: 8.99,\n"
    "   XX3: 0.22, YY3: 0.2, ZZ3: 0.14, MY3: -0.56, Ia3: 0.09, Fv3: 1.71, Fc3: 7.60,\n"
    "   MX4: -0.07, Ia4: 0.03, Fv4: 0.85, Fc4: 3.55,\n"
    "   MY5: -0.03, Ia5: 0.05, Fv5: 1.60, Fc5: 3.71,\n"
    "   Ia6: 0.01, Fv6: 0.59, Fc6: 0.26, fvm6: 0.56, fcm6: 2.61}\n";

int main(void) {
  printf("version record %d %016x\n", 0, DEVICE_VERSION);
  write_robot("tx40", NULL);
  rbv_model *ns16;
  need(rbv_model_load(&ns16, "ns16", NULL));
  // a heavy arm: its weight alone needs 1,800 N m
  write_repair("ns16", ns16, rbv_model_floor(ns16), 3000);
  rbv_model_free(ns16);
  write_robot("tilted", tilted);
  write_chain("eight", 0);
  write_chain("eight_tilted", 0.2);
  return 0;
}
