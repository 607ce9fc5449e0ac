/* MuJoCo: the chain as MJCF without geometry, one mj_forward per state. */
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <roberval/sys/linalg.h>

#include "peer.h"

struct mujoco_peer {
  mjModel *model;
  mjData *data;
};

static void print_numbers(FILE *to, const char *name, const double *x, int count) {
  fprintf(to, " %s='", name);
  for (int i = 0; i < count; i++) fprintf(to, "%s%.17g", i ? " " : "", x[i]);
  fprintf(to, "'");
}

static void print_joint(FILE *to, const peer_joint *j) {
  const double *R = j->R, xy[6] = {R[0], R[3], R[6], R[1], R[4], R[7]};
  fprintf(to, "<body");
  print_numbers(to, "pos", j->p, 3);
  print_numbers(to, "xyaxes", xy, 6);
  fprintf(to, "><joint type='hinge'");
  print_numbers(to, "axis", j->axis, 3);
  // compute the principal axes here: with fullinertia MuJoCo's accelerations have an error of 1e-7
  double principal[3], V[9];
  if (rbv_eigen_symmetric(principal, V, j->inertia, 3, 3) != RBV_OK) exit(4);
  fprintf(to, "/><inertial");
  print_numbers(to, "mass", &j->mass, 1);
  print_numbers(to, "pos", j->centre, 3);
  print_numbers(to, "diaginertia", principal, 3);
  print_numbers(to, "xyaxes", V, 6);
  fprintf(to, "/>\n");
}

static mjModel *compile(const peer_chain *chain) {
  static char text[16384], error[1000];
  FILE *to = fmemopen(text, sizeof text, "w");
  if (!to) return NULL;
  fprintf(to, "<mujoco><compiler angle='radian' autolimits='false'/>\n");
  fprintf(to, "<option gravity='%.17g %.17g %.17g'/><worldbody>\n", chain->gravity[0],
          chain->gravity[1], chain->gravity[2]);
  for (int j = 0; j < chain->njoint; j++) print_joint(to, &chain->joint[j]);
  for (int j = 0; j < chain->njoint; j++) fprintf(to, "</body>\n");
  fprintf(to, "</worldbody></mujoco>\n");
  fclose(to);

  static mjVFS files;
  mj_defaultVFS(&files);
  mj_makeEmptyFileVFS(&files, "chain.xml", (int)strlen(text));
  memcpy(files.filedata[0], text, strlen(text));
  mjModel *model = mj_loadXML("chain.xml", &files, error, sizeof error);
  if (!model) fprintf(stderr, "bench: MuJoCo refuses the chain: %s\n", error);
  mj_deleteVFS(&files);
  return model;
}

mujoco_peer *mujoco_peer_new(const peer_chain *chain) {
  mujoco_peer *p = calloc(1, sizeof *p);
  if (p) p->model = compile(chain);
  if (!p || !p->model) exit(4);
  // disable everything except smooth dynamics
  p->model->opt.disableflags = mjDSBL_CONSTRAINT | mjDSBL_EQUALITY | mjDSBL_FRICTIONLOSS |
                               mjDSBL_LIMIT | mjDSBL_CONTACT | mjDSBL_PASSIVE | mjDSBL_WARMSTART |
                               mjDSBL_ACTUATION | mjDSBL_SENSOR;
  p->data = mj_makeData(p->model);
  if (!p->data) exit(4);
  return p;
}

void mujoco_peer_forward(double *ddq, mujoco_peer *p, const peer_states *s) {
  const size_t n = (size_t)s->njoint, bytes = n * sizeof(double);
  for (int k = 0; k < s->count; k++) {
    const size_t at = (size_t)k * n;
    memcpy(p->data->qpos, s->q + at, bytes);
    memcpy(p->data->qvel, s->dq + at, bytes);
    memcpy(p->data->qfrc_applied, s->tau + at, bytes);
    mj_forward(p->model, p->data);
    memcpy(ddq + at, p->data->qacc, bytes);
  }
}

static const peer_drives *active;  // MuJoCo's callback is global and has no user argument

static void add_friction(const mjModel *m, mjData *d) {
  for (int i = 0; i < m->nv; i++) {
    const double v = d->qvel[i];
    d->qfrc_passive[i] -= active->viscous[i] * v +
                          active->coulomb[i] * 0.63661977236758134308 * atan(active->gamma * v);
  }
}

void mujoco_peer_simulate(double *q, mujoco_peer *p, const peer_drives *drives, double step,
                          int substeps, int ticks, const double *start, peer_controller *control,
                          void *self) {
  mjModel *m = p->model;
  const int n = m->nv;
  mj_resetData(m, p->data);
  m->opt.integrator = mjINT_RK4;
  m->opt.timestep = step;
  m->opt.disableflags &= ~mjDSBL_PASSIVE;
  memcpy(m->dof_armature, drives->inertia, (size_t)n * sizeof(double));
  memcpy(p->data->qpos, start, (size_t)n * sizeof(double));
  active = drives;
  mjcb_passive = add_friction;
  for (int k = 0; k < ticks; k++) {
    memcpy(q + k * n, p->data->qpos, (size_t)n * sizeof(double));
    control(p->data->qfrc_applied, p->data->qpos, k, self);
    for (int s = 0; s < substeps; s++) mj_step(m, p->data);
  }
  mjcb_passive = NULL;
  m->opt.disableflags |= mjDSBL_PASSIVE;
}

void mujoco_peer_free(mujoco_peer *p) {
  if (!p) return;
  mj_deleteData(p->data);
  mj_deleteModel(p->model);
  free(p);
}
