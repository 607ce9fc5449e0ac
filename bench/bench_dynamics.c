/*
 * Regressor, inverse and forward dynamics against KDL and MuJoCo, on one core, on the same chains,
 * bodies and states. Before anything is timed the answers are compared.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "stopwatch.h"

#define SAMPLES 4096
#define BLOCK 64  // samples per regressor call; its entries then live in the second-level cache
#define AGREE 1e-9

/* one thing to run over all states */
typedef struct {
  const arm *arm;
  rbv_dynamics *dynamics;
  kdl_peer *kdl;
  mujoco_peer *mujoco;
  double *out;  // njoint x SAMPLES
  double *W;    // entries of one block
  int block;
  double sum;
} job;

/* 64 doubles are 8 cache lines; an odd number of lines keeps the entries out of each other's way */
static ptrdiff_t leading(int block) { return block + 8; }

static void run_kdl(void *self) {
  job *j = self;
  kdl_peer_inverse(j->out, j->kdl, &j->arm->sample);
}

static void run_mujoco(void *self) {
  job *j = self;
  mujoco_peer_forward(j->out, j->mujoco, &j->arm->sample);
}

static rbv_states part(const rbv_states *s, ptrdiff_t first, ptrdiff_t count) {
  return (rbv_states){.count = count,
                      .ld = s->ld,
                      .q = s->q + first,
                      .dq = s->dq + first,
                      .ddq = s->ddq + first};
}

static void run_regressor(void *self) {
  job *j = self;
  for (int k = 0; k < SAMPLES; k += j->block) {
    const rbv_states s = part(&j->arm->batch, k, j->block);
    rbv_regressor_batch(j->W, leading(j->block), j->dynamics, &s, false);
    j->sum += j->W[0];
  }
}

static void run_inverse(void *self) {
  job *j = self;
  const peer_states *s = &j->arm->sample;
  const int n = s->njoint;
  for (int k = 0; k < SAMPLES; k++)
    rbv_dynamics_inverse(j->out + k * n, j->dynamics, s->q + k * n, s->dq + k * n, s->ddq + k * n);
}

static void run_forward(void *self) {
  job *j = self;
  const peer_states *s = &j->arm->sample;
  const int n = s->njoint;
  bool regular;
  for (int k = 0; k < SAMPLES; k++)
    rbv_dynamics_forward(j->out + k * n, &regular, j->dynamics, s->q + k * n, s->dq + k * n,
                         s->tau + k * n);
}

static void run_inverse_batch(void *self) {
  job *j = self;
  rbv_dynamics_inverse_batch(j->out, SAMPLES, j->dynamics, &j->arm->batch);
}

/* ---- agreement ---- */

static void agree(const char *what, double error, double size) {
  if (error <= AGREE * size) return;
  fprintf(stderr, "bench: %s differs by %.3g of %.3g; there is nothing to compare\n", what, error,
          size);
  exit(4);
}

static void agree_all(const char *what, const double *a, const double *b, int count) {
  double error = 0, size = 0;
  for (int i = 0; i < count; i++) {
    error = fmax(error, isfinite(a[i]) ? fabs(a[i] - b[i]) : INFINITY);
    size = fmax(size, fabs(b[i]));
  }
  agree(what, error, size);
}

/* W chi of every sample, as the peer's torque */
static void agree_regressor(job *j, const double *tau) {
  const arm *a = j->arm;
  const int n = a->chain.njoint;
  double *got = need((size_t)(n * SAMPLES), sizeof *got);
  for (int k = 0; k < SAMPLES; k += j->block) {
    const rbv_states s = part(&a->batch, k, j->block);
    rbv_regressor_batch(j->W, leading(j->block), j->dynamics, &s, false);
    for (int r = 0; r < n; r++) {
      const rbv_row *row = rbv_model_row(a->model, r);
      for (int e = 0; e < row->count; e++)
        for (int i = 0; i < j->block; i++)
          got[(k + i) * n + r] +=
              j->W[i + (row->first + e) * leading(j->block)] * a->chi[row->columns[e]];
    }
  }
  agree_all("the regressor's torque", got, tau, n * SAMPLES);
  free(got);
}

/* ---- one arm ---- */

static const struct {
  kdl_road road;
  const char *name;
} kdl_roads[KDL_ROADS] = {{KDL_CHAIN_AXIS, "KDL ChainIdSolver_RNE, RotAxis"},
                          {KDL_CHAIN_Z, "KDL ChainIdSolver_RNE, RotZ"},
                          {KDL_TREE_Z, "KDL TreeIdSolver_RNE, RotZ"},
                          {KDL_PARAM_Z, "KDL ChainDynParam, RotZ"}};

static const struct {
  int width;
  const char *name;
} widths[] = {{1, "regressor, width 1"},
              {2, "regressor, width 2 (SSE2)"},
              {4, "regressor, width 4 (AVX2)"},
              {8, "regressor, width 8 (AVX-512)"}};
#define WIDTHS ((int)(sizeof widths / sizeof widths[0]))

#define CONTESTANTS_MAX 16

typedef struct {
  const char *title;
  arm arm;
  int count;
  contestant contestant[CONTESTANTS_MAX];
  job job[CONTESTANTS_MAX];
} field;

static contestant *enter(field *f, const char *name, void (*run)(void *), int width) {
  job *j = &f->job[f->count];
  contestant *c = &f->contestant[f->count++];
  const size_t entries = (size_t)rbv_model_entry_count(f->arm.model);
  j->arm = &f->arm;
  j->out = need((size_t)(f->arm.chain.njoint * SAMPLES), sizeof *j->out);
  j->block = BLOCK;
  if (run == run_regressor) j->W = need(entries * (size_t)leading(BLOCK), sizeof *j->W);
  if (width > 0) {
    if (rbv_dynamics_new(&j->dynamics, f->arm.model) != RBV_OK ||
        rbv_dynamics_set(j->dynamics, f->arm.chi, false) != RBV_OK)
      exit(4);
    rbv_dynamics_limit_width(j->dynamics, width);
  }
  *c = (contestant){.name = name, .run = run, .self = j, .calls = SAMPLES};
  return c;
}

static contestant *find(field *f, const char *name) {
  for (int i = 0; i < f->count; i++)
    if (strcmp(f->contestant[i].name, name) == 0) return &f->contestant[i];
  return NULL;
}

static void enter_all(field *f, const char *title, const char *robot, const char *with_drives) {
  (void)with_drives;
  f->title = title;
  arm_load(&f->arm, robot, SAMPLES);
  for (int i = 0; i < KDL_ROADS; i++) {
    job *j = enter(f, kdl_roads[i].name, run_kdl, 0)->self;
    j->kdl = kdl_peer_new(&f->arm.chain, kdl_roads[i].road);
  }
  for (int i = 0; i < WIDTHS; i++) {
    job *j = enter(f, widths[i].name, run_regressor, widths[i].width)->self;
    if (rbv_dynamics_width(j->dynamics) != widths[i].width) f->count--;  // not this machine
  }
  enter(f, "inverse dynamics, one call", run_inverse, 1);
  enter(f, "inverse dynamics, batch", run_inverse_batch, 8);
  job *mujoco = enter(f, "MuJoCo mj_forward", run_mujoco, 0)->self;
  mujoco->mujoco = mujoco_peer_new(&f->arm.chain);
  enter(f, "forward dynamics, one call", run_forward, 1);
}

static void compare_answers(field *f) {
  const int size = f->arm.chain.njoint * SAMPLES;
  run_kdl(&f->job[0]);
  const double *tau = f->job[0].out;
  for (int i = 0; i < f->count; i++) {
    contestant *c = &f->contestant[i];
    job *j = c->self;
    if (c->run == run_regressor) {
      agree_regressor(j, tau);
    } else {
      c->run(j);
      if (c->run == run_kdl || c->run == run_inverse) agree_all(c->name, j->out, tau, size);
      if (c->run == run_mujoco || c->run == run_forward)
        agree_all(c->name, j->out, f->arm.sample.ddq, size);
    }
  }
}

static contestant *faster_kdl(const stopwatch *w, field *f) {
  contestant *best = &f->contestant[0];
  for (int i = 1; i < KDL_ROADS; i++)
    if (time_of(w, &f->contestant[i]).middle < time_of(w, best).middle) best = &f->contestant[i];
  return best;
}

static void print_ratios(const stopwatch *w, field *f, double target) {
  contestant *kdl = faster_kdl(w, f), *mujoco = find(f, "MuJoCo mj_forward");
  printf("%s, against %s\n", f->title, kdl->name);
  for (int i = 0; i < WIDTHS; i++) {
    contestant *c = find(f, widths[i].name);
    char what[128];
    snprintf(what, sizeof what, "%s : one inverse dynamics", widths[i].name);
    if (c) print_ratio(w, what, c, kdl, widths[i].width == 4 ? target : 0);
  }
  print_ratio(w, "inverse dynamics, one call : the same", find(f, "inverse dynamics, one call"),
              kdl, 1.0 / 2);
  print_ratio(w, "inverse dynamics, batch : one call", find(f, "inverse dynamics, batch"), kdl, 0);
  print_ratio(w, "forward dynamics, one call : MuJoCo mj_forward",
              find(f, "forward dynamics, one call"), mujoco, 1.0 / 2);
}

static void leave(field *f) {
  for (int i = 0; i < CONTESTANTS_MAX; i++) {
    job *j = &f->job[i];
    if (j->kdl) kdl_peer_free(j->kdl);
    if (j->mujoco) mujoco_peer_free(j->mujoco);
    rbv_dynamics_free(j->dynamics);
    free(j->out);
    free(j->W);
  }
  arm_free(&f->arm);
}

int main(int argc, char **argv) {
  stopwatch w = stopwatch_new(argc, argv);
  static field mdh, askew;
  enter_all(&mdh, "TX40 chain, modified DH, 6 x 60", "tx40_rigid", "tx40");
  enter_all(&askew, "chain of arbitrary URDF frames, 6 x 60", "askew", NULL);
  compare_answers(&mdh);
  compare_answers(&askew);
  stopwatch_run(&w, mdh.contestant, mdh.count);
  stopwatch_run(&w, askew.contestant, askew.count);
  print_times(&w, mdh.title, mdh.contestant, mdh.count);
  print_times(&w, askew.title, askew.contestant, askew.count);
  printf("\n  %-58s %-7s  %-16s  target\n", "ratios, ours : peer", "median", "quartiles");
  print_ratios(&w, &mdh, 1.0 / 10);
  print_ratios(&w, &askew, 1.0 / 8);
  leave(&mdh);
  leave(&askew);
  stopwatch_close(&w);
  return 0;
}
