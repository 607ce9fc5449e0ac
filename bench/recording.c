#include "recording.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <roberval/sys/log.h>

#include "arm.h"
#include "program.h"

#define JOINTS 7
#define COLUMNS (1 + 2 * JOINTS)
#define BLOCK 3600
#define MOST 4

typedef struct {
  rbv_dynamics *dynamics;
  double *q, *dq, *ddq, *A;
} recorder;

static void check(rbv_status status) {
  if (status != RBV_OK) give_up(rbv_message());
}

/* harmonics without a common period; joint j at sample k */
static void follow(recorder *r, int k, int j, double t) {
  const int at = k + j * BLOCK;
  r->q[at] = r->dq[at] = r->ddq[at] = 0;
  for (int h = 1; h <= 5; h++) {
    const double w = 2 * M_PI * 0.13 * h * (1 + 0.07 * j), a = 0.5 / h, p = w * t + j + h;
    r->q[at] += a * sin(p);
    r->dq[at] += a * w * cos(p);
    r->ddq[at] -= a * w * w * sin(p);
  }
}

/* rounded as a recorder does: to a microradian and a tenth of a millinewton metre */
static void record(recorder *r, ptrdiff_t first) {
  for (int k = 0; k < BLOCK; k++)
    for (int j = 0; j < JOINTS; j++) follow(r, k, j, (double)(first + k) / RECORDING_HZ);
  for (int k = 0; k < BLOCK; k++) {
    double q[JOINTS], dq[JOINTS], ddq[JOINTS], tau[JOINTS];
    for (int j = 0; j < JOINTS; j++) {
      q[j] = r->q[k + j * BLOCK];
      dq[j] = r->dq[k + j * BLOCK];
      ddq[j] = r->ddq[k + j * BLOCK];
    }
    rbv_dynamics_inverse(tau, r->dynamics, q, dq, ddq);
    r->A[k] = (double)(first + k) / RECORDING_HZ;
    for (int j = 0; j < JOINTS; j++) {
      const double noise = 0.3 * rbv_random_normal(1, (uint64_t)j, (uint64_t)(first + k));
      r->A[k + (1 + j) * BLOCK] = rint(1e6 * q[j]) / 1e6;
      r->A[k + (1 + JOINTS + j) * BLOCK] = rint(1e4 * (tau[j] + noise)) / 1e4;
    }
  }
}

static void fill(recorder *r, rbv_csv_writer *const *writer, const recording *all, int count) {
  for (ptrdiff_t first = 0; first < all[0].samples; first += BLOCK) {
    record(r, first);
    for (int i = 0; i < count; i++) {
      const ptrdiff_t left = all[i].samples - first;
      if (left > 0) check(rbv_csv_rows(writer[i], r->A, left < BLOCK ? left : BLOCK, BLOCK));
    }
  }
}

void write_recordings(recording *all, int count) {
  static const char *const names[COLUMNS] = {"t",    "q1",   "q2",   "q3",   "q4",
                                             "q5",   "q6",   "q7",   "tau1", "tau2",
                                             "tau3", "tau4", "tau5", "tau6", "tau7"};
  FILE *file[MOST];
  rbv_csv_writer *writer[MOST];
  rbv_model *m;
  recorder r;
  check(rbv_model_load(&m, RECORDING_ROBOT, NULL));
  check(rbv_dynamics_new(&r.dynamics, m));
  check(rbv_dynamics_set(r.dynamics, rbv_model_parameters(m), false));
  r.q = need((size_t)BLOCK * JOINTS, sizeof *r.q);
  r.dq = need((size_t)BLOCK * JOINTS, sizeof *r.dq);
  r.ddq = need((size_t)BLOCK * JOINTS, sizeof *r.ddq);
  r.A = need((size_t)BLOCK * COLUMNS, sizeof *r.A);
  for (int i = 0; i < count; i++) {
    snprintf(all[i].path, sizeof all[i].path, "/tmp/roberval_bench_%d_%d.csv", (int)getpid(), i);
    file[i] = fopen(all[i].path, "w");
    if (!file[i]) give_up("cannot write the recording to /tmp");
    check(rbv_csv_stream(&writer[i], file[i], names, COLUMNS));
  }
  fill(&r, writer, all, count);
  for (int i = 0; i < count; i++) {
    check(rbv_csv_finish(writer[i]));
    rbv_csv_free(writer[i]);
    if (fclose(file[i]) != 0) give_up("cannot write the recording to /tmp");
  }
  free(r.q);
  free(r.dq);
  free(r.ddq);
  free(r.A);
  rbv_dynamics_free(r.dynamics);
  rbv_model_free(m);
}

void remove_recordings(const recording *all, int count) {
  for (int i = 0; i < count; i++) unlink(all[i].path);
}
