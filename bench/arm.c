#include "arm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *need(size_t count, size_t size) {
  const size_t bytes = (count * size + 63) / 64 * 64;
  void *p = aligned_alloc(64, bytes);
  if (!p) {
    fprintf(stderr, "bench: out of memory\n");
    exit(4);
  }
  return memset(p, 0, bytes);
}

static void check(rbv_status status) {
  if (status == RBV_OK) return;
  fprintf(stderr, "bench: %s\n", rbv_message());
  exit(4);
}

static rbv_model *load(const char *robot) {
  char path[4096];
  rbv_model *m = NULL;
  snprintf(path, sizeof path, "%s/%s.yaml", BENCH_ROBOTS, robot);
  FILE *there = fopen(path, "r");
  if (there) fclose(there);
  check(rbv_model_load(&m, there ? path : robot, NULL));
  return m;
}

/* ---- the chain as plain numbers, from the kinematics of the model at q = 0 ---- */

static void read_geometry(peer_joint *joint, rbv_dynamics *d, int njoint) {
  double zero[PEER_JOINTS] = {0}, parent[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, from[3] = {0};
  for (int j = 0; j < njoint; j++) {
    double R[9], p[3], J[6 * PEER_JOINTS];  // R column-major, in the base
    const double origin[3] = {0};
    rbv_dynamics_pose(R, p, d, zero, j);
    rbv_dynamics_jacobian(J, d, zero, j, origin);
    const double *w = J + 6 * j + 3;
    for (int i = 0; i < 3; i++) {
      joint[j].p[i] = joint[j].axis[i] = 0;
      for (int k = 0; k < 3; k++) {
        joint[j].p[i] += parent[k + 3 * i] * (p[k] - from[k]);
        joint[j].axis[i] += R[k + 3 * i] * w[k];
      }
      for (int c = 0; c < 3; c++) {
        joint[j].R[3 * i + c] = 0;
        for (int k = 0; k < 3; k++) joint[j].R[3 * i + c] += parent[k + 3 * i] * R[k + 3 * c];
      }
    }
    memcpy(parent, R, sizeof parent);
    memcpy(from, p, sizeof from);
  }
}

/* ---- bodies made of a few point masses, so that they are physically consistent ---- */

#define POINTS 6

static void random_body(double chi[RBV_INERTIAL], peer_joint *joint, int link) {
  double r[POINTS][3], m[POINTS], h[3] = {0}, mass = 0;
  for (int k = 0; k < POINTS; k++) {
    m[k] = 0.2 + rbv_random_uniform(1, (uint64_t)link, (uint64_t)(4 * k + 3));
    mass += m[k];
    for (int i = 0; i < 3; i++) {
      r[k][i] = 0.4 * (rbv_random_uniform(1, (uint64_t)link, (uint64_t)(4 * k + i)) - 0.5);
      h[i] += m[k] * r[k][i];
    }
  }
  double about_origin[9] = {0};
  memset(joint->inertia, 0, sizeof joint->inertia);
  for (int i = 0; i < 3; i++) joint->centre[i] = h[i] / mass;
  for (int k = 0; k < POINTS; k++) {
    double s[3], rr = 0, ss = 0;
    for (int i = 0; i < 3; i++) {
      s[i] = r[k][i] - joint->centre[i];
      rr += r[k][i] * r[k][i];
      ss += s[i] * s[i];
    }
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        about_origin[3 * i + j] += m[k] * ((i == j) * rr - r[k][i] * r[k][j]);
        joint->inertia[3 * i + j] += m[k] * ((i == j) * ss - s[i] * s[j]);
      }
  }
  joint->mass = mass;
  const double *I = about_origin;
  const double all[RBV_INERTIAL] = {I[0], I[1], I[2], I[4], I[5], I[8], h[0], h[1], h[2], mass};
  memcpy(chi, all, sizeof all);
}

/* ---- states ---- */

static void random_states(arm *a, int samples) {
  const int n = a->chain.njoint;
  const size_t size = (size_t)(n * samples);
  // not a power of two, so that joints do not map to the same cache sets
  const int ld = samples + 8;
  peer_states *s = &a->sample;
  *s = (peer_states){.njoint = n, .count = samples};
  double **const one[3] = {&s->q, &s->dq, &s->ddq};
  const double range[3] = {3, 4, 20};
  double *all[3];
  for (int v = 0; v < 3; v++) {
    *one[v] = need(size, sizeof(double));
    all[v] = need((size_t)(n * ld), sizeof(double));
    for (int k = 0; k < samples; k++)
      for (int j = 0; j < n; j++) {
        const uint64_t at = (uint64_t)(k * n + j);
        const double x = range[v] * (2 * rbv_random_uniform(2, (uint64_t)v, at) - 1);
        (*one[v])[k * n + j] = x;
        all[v][k + j * ld] = x;
      }
  }
  a->batch = (rbv_states){.count = samples, .ld = ld, .q = all[0], .dq = all[1], .ddq = all[2]};
  s->tau = need(size, sizeof(double));
  for (int k = 0; k < samples; k++)
    rbv_dynamics_inverse(s->tau + k * n, a->dynamics, s->q + k * n, s->dq + k * n, s->ddq + k * n);
}

void arm_load(arm *out, const char *robot, int samples) {
  arm a = {.model = load(robot)};
  const int n = a.chain.njoint = rbv_model_joint_count(a.model);
  if (n > PEER_JOINTS) {
    fprintf(stderr, "bench: %s has %d joints, at most %d are timed\n", robot, n, PEER_JOINTS);
    exit(4);
  }
  memcpy(a.chain.gravity, rbv_model_gravity(a.model), sizeof a.chain.gravity);
  check(rbv_dynamics_new(&a.dynamics, a.model));
  read_geometry(a.chain.joint, a.dynamics, n);
  a.chi = need((size_t)rbv_model_column_count(a.model), sizeof *a.chi);
  for (int j = 0; j < n; j++) {
    char name[16];
    snprintf(name, sizeof name, "XX%d", j + 1);
    random_body(a.chi + rbv_model_find(a.model, name), &a.chain.joint[j], j);
  }
  check(rbv_dynamics_set(a.dynamics, a.chi, false));
  random_states(&a, samples);
  *out = a;
}

void arm_free(arm *a) {
  free(a->sample.q);
  free(a->sample.dq);
  free(a->sample.ddq);
  free(a->sample.tau);
  free((void *)(uintptr_t)a->batch.q);
  free((void *)(uintptr_t)a->batch.dq);
  free((void *)(uintptr_t)a->batch.ddq);
  free(a->chi);
  rbv_dynamics_free(a->dynamics);
  rbv_model_free(a->model);
}
