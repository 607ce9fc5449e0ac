/* MuJoCo as an independent program: torque, mass matrix and acceleration of an MJCF file. */
#ifndef CROSS_ORACLE_H
#define CROSS_ORACLE_H

#include <math.h>
#include <mujoco/mujoco.h>
#include <string.h>

#include "support.h"

typedef struct {
  mjModel *m;
  mjData *d;
} oracle;

/* rigid bodies and damping only: no contact, no constraint */
static inline oracle oracle_load(const char *path) {
  char error[512] = "";
  oracle o = {.m = mj_loadXML(path, NULL, error, sizeof error)};
  if (!o.m) fail_msg("MuJoCo cannot read %s: %s", path, error);
  o.m->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_CONTACT | mjDSBL_ACTUATION;
  o.d = mj_makeData(o.m);
  return o;
}

static inline void oracle_free(oracle *o) {
  mj_deleteData(o->d);
  mj_deleteModel(o->m);
}

static inline void oracle_inverse(double *tau, const oracle *o, const double *q, const double *dq,
                                  const double *ddq) {
  const size_t bytes = (size_t)o->m->nv * sizeof *q;
  memcpy(o->d->qpos, q, bytes);
  memcpy(o->d->qvel, dq, bytes);
  memcpy(o->d->qacc, ddq, bytes);
  mj_inverse(o->m, o->d);
  memcpy(tau, o->d->qfrc_inverse, bytes);
}

/* M is symmetric: rows or columns */
static inline void oracle_forward(double *ddq, double *M, const oracle *o, const double *q,
                                  const double *dq, const double *tau) {
  const size_t bytes = (size_t)o->m->nv * sizeof *q;
  memcpy(o->d->qpos, q, bytes);
  memcpy(o->d->qvel, dq, bytes);
  memcpy(o->d->qfrc_applied, tau, bytes);
  mj_forward(o->m, o->d);
  memcpy(ddq, o->d->qacc, bytes);
  mj_fullM(o->m, M, o->d->qM);
}

/* every number to a fraction of the largest one */
static inline void assert_agrees(const double *got, const double *want, int count, double bound) {
  double size = 0;
  for (int i = 0; i < count; i++) size = fmax(size, fabs(want[i]));
  for (int i = 0; i < count; i++) assert_near(got[i], want[i], bound * size, 0);
}

#endif
