/* Robots, parameters and motions for the tests of the module. */
#ifndef DYNAMICS_ROBOTS_H
#define DYNAMICS_ROBOTS_H

#include <float.h>
#include <math.h>
#include <string.h>

#include <roberval/sys/dynamics.h>

#include "support.h"

#define EPS DBL_EPSILON
#define N_MAX 8
#define COLUMN_MAX 160

/* both joint types, frames of both kinds, oblique axes, a body on a flange */
static const char mixed[] =
    "name: mixed\n"
    "gravity: [1.5, -2, -9]\n"
    "joints:\n"
    "  - mdh: {alpha: 0.3, d: 0.1, theta: 0.7, r: 0.2}\n"
    "  - {type: prismatic, mdh: {alpha: pi/2, d: 0.2, theta: 0.4, r: 0.3}}\n"
    "  - {origin: {xyz: [0.1, -0.2, 0.3], rpy: [0.3, -0.6, 1.1]}, axis: [0.3, -0.5, 0.8]}\n"
    "  - {type: fixed, origin: {xyz: [0, 0.1, 0.2], rpy: [0.2, 0, 0.5]}}\n"
    "  - {type: prismatic, origin: {xyz: [0.2, 0, 0], rpy: [0, 0.9, 0]}, axis: [1, 1, 0.2]}\n"
    "  - {mdh: {alpha: -1.2, d: 0, theta: 0, r: 0.15}}\n"
    "transmission: {couplings: [{motor: 5, joint: 3, ratio: 0.5}]}\n";

/* joints about z along and against every axis of the parent, with its origin or another, and one
 * that slides */
static const char hinges[] =
    "name: hinges\n"
    "gravity: [1.5, -2, -9]\n"
    "joints:\n"
    "  - {origin: {xyz: [0.1, 0, 0], rpy: [0, pi/2, 0]}, axis: [0, 0, 1]}\n"
    "  - {origin: {xyz: [0.1, -0.2, 0.3], rpy: [0, -pi/2, 0.0]}, axis: [0, 0, 1]}\n"
    "  - {origin: {rpy: [pi/2, 0, pi/2]}, axis: [0, 0, 1]}\n"
    "  - {origin: {xyz: [0, 0.3, 0], rpy: [pi/2, 0, 0]}, axis: [0, 0, 1]}\n"
    "  - {mdh: {alpha: -pi/2, theta: 0.4}}\n"
    "  - {type: prismatic, origin: {xyz: [0.2, 0, 0], rpy: [0, 0.9, 0]}, axis: [1, 1, 0.2]}\n"
    "  - {mdh: {alpha: pi, d: 0.2, r: 0.1}}\n"
    "  - {mdh: {alpha: 0}}\n";

/* Jubien 2014's robot: two torque channels and a payload */
static const char sensed[] =
    "name: sensed\n"
    "joints:\n"
    "  - {mdh: {alpha: 0}, drive: [Ia, Fvm, Fcm, offm, Fvl, Fcl, offl]}\n"
    "  - {mdh: {alpha: pi/2, d: 0.2}, drive: [Ia, Fvm, Fcm, Fvl, offl]}\n"
    "  - {mdh: {alpha: -pi/2, d: 0.3, r: 0.1}, drive: [Ia, Fvm, Fcm, offm, Fcl]}\n"
    "sensing: both\n"
    "payload: true\n";

typedef struct {
  rbv_model *m;
  rbv_dynamics *d;
  int n, nc;
  double chi[COLUMN_MAX];
} robot;

/* ---- random robots and motions ---- */

static inline double uniform(uint64_t seed, uint64_t *next, double low, double high) {
  return low + (high - low) * rbv_random_uniform(seed, 1, (*next)++);
}

/* ten parameters of five point masses: physically consistent by construction */
static inline void random_body(double body[RBV_INERTIAL], uint64_t seed, uint64_t *next) {
  memset(body, 0, RBV_INERTIAL * sizeof *body);
  for (int i = 0; i < 5; i++) {
    const double m = uniform(seed, next, 0.1, 1.5), x = uniform(seed, next, -0.3, 0.3),
                 y = uniform(seed, next, -0.3, 0.3), z = uniform(seed, next, -0.3, 0.3);
    const double part[RBV_INERTIAL] = {m * (y * y + z * z),
                                       -m * x * y,
                                       -m * x * z,
                                       m * (x * x + z * z),
                                       -m * y * z,
                                       m * (x * x + y * y),
                                       m * x,
                                       m * y,
                                       m * z,
                                       m};
    for (int c = 0; c < RBV_INERTIAL; c++) body[c] += part[c];
  }
}

/* consistent links, positive rotors and friction */
static inline void random_parameters(robot *r, uint64_t seed, bool friction) {
  uint64_t next = 0;
  for (int c = 0; c < r->nc; c++) {
    const rbv_column *column = rbv_model_column(r->m, c);
    if (column->basis == RBV_BASIS_INERTIAL) {
      if (column->component == 0) random_body(r->chi + c, seed, &next);
    } else if (rbv_column_has_law(column, "Ia")) {
      r->chi[c] = uniform(seed, &next, 0.05, 0.4);
    } else {
      r->chi[c] = friction ? uniform(seed, &next, 0.5, 5) : 0;
    }
  }
  assert_ok(rbv_dynamics_set(r->d, r->chi, false));
}

static inline robot make(const char *yaml, const rbv_model_options *options) {
  robot r = {0};
  assert_ok(rbv_model_parse(&r.m, "test.yaml", yaml, strlen(yaml), options));
  assert_ok(rbv_dynamics_new(&r.d, r.m));
  r.n = rbv_model_joint_count(r.m);
  r.nc = rbv_model_column_count(r.m);
  assert_true(r.n <= N_MAX && r.nc <= COLUMN_MAX);
  return r;
}

static inline void unmake(robot *r) {
  rbv_dynamics_free(r->d);
  rbv_model_free(r->m);
}

static inline void random_vector(double *x, int n, double size, uint64_t seed, uint64_t sample) {
  uint64_t next = sample * 64;
  for (int j = 0; j < n; j++) x[j] = uniform(seed, &next, -size, size);
}

static inline void random_motion(double *q, double *dq, double *ddq, int n, uint64_t sample) {
  random_vector(q, n, 3, 11, sample);
  random_vector(dq, n, 2, 12, sample);
  random_vector(ddq, n, 5, 13, sample);
}

static inline double dot(const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}

static inline double norm(const double *x, int n) {
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

#endif
