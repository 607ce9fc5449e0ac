/*
 * Regressor, inverse and forward dynamics against KDL and MuJoCo, on one core, for the same chains,
 * bodies and states. The results are compared before the timing.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "flops.h"
#include "generated.h"
#include "stopwatch.h"

#define SAMPLES 4096
#define BLOCK 64  // samples per regressor call; the entries then fit into the L2 cache
#define LDW 72    // an odd number of cache lines, so that entries do not map to the same cache sets
#define AGREE 1e-9

/* data of one contestant */
typedef struct {
  const arm *arm;
  rbv_dynamics *dynamics;
  kdl_peer *kdl;
  mujoco_peer *mujoco;
  generated code;
  double *out;  // njoint x SAMPLES
  double *W;    // entries of one block
  int block;    // samples per call of the regressor
  ptrdiff_t ldw;
  double sum;
} job;

static void run_kdl(void *self) {
  job *j = self;
  kdl_peer_inverse(j->out, j->kdl, &j->arm->sample);
}

static void run_mujoco(void *self) {
  job *j = self;
  mujoco_peer_forward(j->out, j->mujoco, &j->arm->sample);
}

static rbv_states part(const rbv_states *s, ptrdiff_t first, ptrdiff_t count) {
  return (rbv_states){
      .count = count, .ld = s->ld, .q = s->q + first, .dq = s->dq + first, .ddq = s->ddq + first};
}

static void run_regressor(void *self) {
  job *j = self;
  for (int k = 0; k < SAMPLES; k += j->block) {
    const rbv_states s = part(&j->arm->batch, k, j->block);
    rbv_regressor_batch(j->W, j->ldw, j->dynamics, &s, false);
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

static void run_generated(void *self) {
  job *j = self;
  const peer_states *s = &j->arm->sample;
  const int n = s->njoint;
  for (int k = 0; k < SAMPLES; k++)
    j->code.inverse(j->out + k * n, s->q + k * n, s->dq + k * n, s->ddq + k * n);
}

/* one tick of the momentum observer after the other, torques as they are measured */
static void run_observer(void *self) {
  job *j = self;
  const peer_states *s = &j->arm->sample;
  const int n = s->njoint;
  for (int k = 0; k < SAMPLES; k++)
    j->out[k] =
        j->code.observe(j->code.observer, s->q + k * n, s->dq + k * n, s->tau + k * n, 1e-3);
}

/* the same for the estimator of a payload, whose residual is that of the observer */
static void run_payload(void *self) {
  job *j = self;
  const peer_states *s = &j->arm->sample;
  const int n = s->njoint;
  for (int k = 0; k < SAMPLES; k++)
    j->out[k] = j->code.payload(j->code.load, j->code.observer, s->q + k * n, s->dq + k * n, 1e-3);
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

/* samples of a joint next to each other, unlike the others */
static void run_inverse_batch(void *self) {
  job *j = self;
  rbv_dynamics_inverse_batch(j->out, SAMPLES, j->dynamics, &j->arm->batch);
}

/* in blocks, as an optimiser would use them; W holds the derivatives of one block */
static void run_derivatives(void *self) {
  job *j = self;
  const int n = j->arm->chain.njoint;
  const ptrdiff_t part = n * n * j->ldw;
  rbv_states block = j->arm->batch;
  block.count = j->block;
  for (ptrdiff_t k = 0; k < SAMPLES; k += j->block) {
    block.q = j->arm->batch.q + k;
    block.dq = j->arm->batch.dq + k;
    block.ddq = j->arm->batch.ddq + k;
    rbv_dynamics_derivatives_batch(j->W, j->W + part, j->W + 2 * part, j->ldw, j->dynamics, &block);
  }
}

/* ---- agreement ---- */

static void agree(const char *what, double error, double size) {
  if (error <= AGREE * size) return;
  fprintf(stderr, "bench: %s differs by %.3g of %.3g; the comparison is stopped\n", what, error,
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

static void agree_batch(const char *what, const double *a, const double *b, int n) {
  double *turned = need((size_t)(n * SAMPLES), sizeof *turned);
  for (int k = 0; k < SAMPLES; k++)
    for (int i = 0; i < n; i++) turned[k * n + i] = a[k + i * SAMPLES];
  agree_all(what, turned, b, n * SAMPLES);
  free(turned);
}

/* compare W chi of every sample with the torque of the peer */
static void agree_regressor(job *j, const double *tau) {
  const arm *a = j->arm;
  const int n = a->chain.njoint;
  double *got = need((size_t)(n * SAMPLES), sizeof *got);
  for (int k = 0; k < SAMPLES; k += j->block) {
    const rbv_states s = part(&a->batch, k, j->block);
    rbv_regressor_batch(j->W, j->ldw, j->dynamics, &s, false);
    for (int r = 0; r < n; r++) {
      const rbv_row *row = rbv_model_row(a->model, r);
      for (int e = 0; e < row->count; e++)
        for (int i = 0; i < j->block; i++)
          got[(k + i) * n + r] += j->W[i + (row->first + e) * j->ldw] * a->chi[row->columns[e]];
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

static const struct {
  int block;
  ptrdiff_t ldw;
  const char *name;
} blocks[] = {{16, 16, "regressor, 16 samples per call"},
              {256, 264, "regressor, 256 samples per call"},
              {1024, 1032, "regressor, 1024 samples per call"},
              {1024, 1024, "regressor, 1024, leading dimension a power of 2"}};
#define BLOCKS ((int)(sizeof blocks / sizeof blocks[0]))

#define DRIVES "regressor with drives and all torques"
#define ONE_INVERSE "inverse dynamics, one call"
#define BATCH_INVERSE "inverse dynamics, batch"
#define DERIVATIVES "derivatives by q, dq, ddq, batch"
#define GENERATED "generated C, inverse dynamics"
#define OBSERVER "generated C, tick of the momentum observer"
#define PAYLOAD "generated C, tick of the payload estimator"
#define ONE_FORWARD "forward dynamics, one call"
#define MUJOCO "MuJoCo mj_forward"
#define PEAK "peak: 1000 flops, fused, 256 bits"
#define WIDEST 8

#define CONTESTANTS_MAX 24

typedef struct {
  const char *title;
  int width;  // vector width that batches use on this machine by default
  arm arm, with_drives;
  int count;
  contestant contestant[CONTESTANTS_MAX];
  job job[CONTESTANTS_MAX];
} field;

static job *enter(field *f, const arm *a, const char *name, void (*run)(void *)) {
  job *j = &f->job[f->count];
  *j = (job){.arm = a};
  j->out = need((size_t)(a->chain.njoint * SAMPLES), sizeof *j->out);
  f->contestant[f->count++] = (contestant){.name = name, .run = run, .self = j, .calls = SAMPLES};
  return j;
}

static job *enter_ours(field *f, const arm *a, const char *name, void (*run)(void *), int width) {
  job *j = enter(f, a, name, run);
  if (rbv_dynamics_new(&j->dynamics, a->model) != RBV_OK ||
      rbv_dynamics_set(j->dynamics, a->chi, false) != RBV_OK) {
    fprintf(stderr, "bench: %s\n", rbv_message());
    exit(4);
  }
  rbv_dynamics_limit_width(j->dynamics, width);
  return j;
}

static void leave(job *j) {
  kdl_peer_free(j->kdl);
  mujoco_peer_free(j->mujoco);
  generated_free(&j->code);
  rbv_dynamics_free(j->dynamics);
  free(j->out);
  free(j->W);
}

/* skipped if the machine does not support this width */
static void enter_regressor(field *f, const arm *a, const char *name, int width, int block,
                            ptrdiff_t ldw) {
  job *j = enter_ours(f, a, name, run_regressor, width);
  j->block = block;
  j->ldw = ldw;
  j->W = need((size_t)rbv_model_entry_count(a->model) * (size_t)ldw, sizeof *j->W);
  if (rbv_dynamics_width(j->dynamics) == width) return;
  leave(j);
  f->count--;
}

static void enter_derivatives(field *f, const arm *a) {
  job *j = enter_ours(f, a, DERIVATIVES, run_derivatives, WIDEST);
  const int n = a->chain.njoint;
  j->block = BLOCK;
  j->ldw = LDW;
  j->W = need((size_t)(3 * n * n * LDW), sizeof *j->W);
}

static contestant *find(field *f, const char *name) {
  for (int i = 0; i < f->count; i++)
    if (strcmp(f->contestant[i].name, name) == 0) return &f->contestant[i];
  return NULL;
}

static void enter_all(field *f, const char *title, const char *robot) {
  const arm *a = &f->arm;
  f->title = title;
  arm_load(&f->arm, robot, SAMPLES);
  f->width = rbv_dynamics_width(a->dynamics);
  for (int i = 0; i < KDL_ROADS; i++)
    enter(f, a, kdl_roads[i].name, run_kdl)->kdl = kdl_peer_new(&a->chain, kdl_roads[i].road);
  for (int i = 0; i < WIDTHS; i++)
    enter_regressor(f, a, widths[i].name, widths[i].width, BLOCK, LDW);
  enter_ours(f, a, ONE_INVERSE, run_inverse, 1);
  enter_ours(f, a, BATCH_INVERSE, run_inverse_batch, WIDEST);
  enter_derivatives(f, a);
  enter(f, a, GENERATED, run_generated)->code = generated_new(a);
  enter(f, a, OBSERVER, run_observer)->code = generated_new(a);
  enter(f, a, PAYLOAD, run_payload)->code = generated_new(a);
  enter(f, a, MUJOCO, run_mujoco)->mujoco = mujoco_peer_new(&a->chain);
  enter_ours(f, a, ONE_FORWARD, run_forward, 1);
  if (peak_known()) {
    enter(f, a, PEAK, peak_run);
    find(f, PEAK)->calls = PEAK_KFLOPS;
  }
}

/* the same chain with drive columns, for every torque that the arm measures */
static void enter_drives(field *f, const char *robot) {
  arm_load(&f->with_drives, robot, SAMPLES);
  enter_regressor(f, &f->with_drives, DRIVES, f->width, BLOCK, LDW);
}

static void enter_blocks(field *f) {
  for (int i = 0; i < BLOCKS; i++)
    enter_regressor(f, &f->arm, blocks[i].name, f->width, blocks[i].block, blocks[i].ldw);
}

/* rigid torques are gravity + M ddq + a quadratic form of dq, for the last block */
static void agree_derivatives(job *j, const double *tau) {
  const int n = j->arm->chain.njoint;
  const rbv_states *s = &j->arm->batch;
  const ptrdiff_t part = n * n * j->ldw, first = SAMPLES - j->block;
  const double *by_dq = j->W + part, *by_ddq = j->W + 2 * part;
  double error = 0, size = 0, still[16] = {0}, q[16], sum[16];
  run_derivatives(j);
  for (int k = 0; k < j->block; k++) {
    const ptrdiff_t at = first + k;
    for (int i = 0; i < n; i++) q[i] = s->q[at + i * s->ld];
    rbv_dynamics_inverse(sum, j->dynamics, q, still, still);
    for (int i = 0; i < n; i++) {
      for (int c = 0; c < n; c++)
        sum[i] += by_ddq[k + (i + c * n) * j->ldw] * s->ddq[at + c * s->ld] +
                  by_dq[k + (i + c * n) * j->ldw] * s->dq[at + c * s->ld] / 2;
      error = fmax(error, fabs(sum[i] - tau[at * n + i]));
      size = fmax(size, fabs(tau[at * n + i]));
    }
  }
  agree(DERIVATIVES, error, size);
}

static void compare_answers(field *f) {
  const int n = f->arm.chain.njoint;
  run_kdl(&f->job[0]);
  const double *tau = f->job[0].out;
  for (int i = 0; i < f->count; i++) {
    const contestant *c = &f->contestant[i];
    job *j = c->self;
    // its residual is compared with a known torque in the tests
    if (c->run == peak_run || c->run == run_observer || c->run == run_payload) continue;
    if (c->run == run_derivatives) {
      agree_derivatives(j, tau);
      continue;
    }
    if (c->run == run_regressor) {
      agree_regressor(j, tau);
      continue;
    }
    c->run(j);
    if (c->run == run_inverse_batch)
      agree_batch(c->name, j->out, tau, n);
    else
      agree_all(c->name, j->out,
                c->run == run_kdl || c->run == run_inverse || c->run == run_generated
                    ? tau
                    : f->arm.sample.ddq,
                n * SAMPLES);
  }
}

static contestant *faster_kdl(const stopwatch *w, field *f) {
  contestant *best = &f->contestant[0];
  for (int i = 1; i < KDL_ROADS; i++)
    if (time_of(w, &f->contestant[i]).middle < time_of(w, best).middle) best = &f->contestant[i];
  return best;
}

/* share of the peak speed that the regressor reaches, for the widths with fused multiply-adds */
static void print_shares(const stopwatch *w, field *f) {
  const contestant *peak = find(f, PEAK);
  for (int i = 0; i < WIDTHS; i++) {
    const contestant *c = find(f, widths[i].name);
    char what[128];
    snprintf(what, sizeof what, "%s : share of peak", widths[i].name);
    if (peak && c && widths[i].width >= 4)
      print_peak_share(w, what, regressor_flops(&f->arm.chain), c, peak);
  }
}

static void print_ratios(const stopwatch *w, field *f) {
  contestant *kdl = faster_kdl(w, f);
  printf("%s; KDL is %s\n", f->title, kdl->name + strlen("KDL "));
  for (int i = 0; i < WIDTHS; i++) {
    contestant *c = find(f, widths[i].name);
    char what[128];
    snprintf(what, sizeof what, "%s : KDL inverse dynamics", widths[i].name);
    if (c) print_ratio(w, what, c, kdl, widths[i].width == f->width ? 1.0 / 15 : 0);
  }
  if (find(f, DRIVES)) print_ratio(w, DRIVES " : the same", find(f, DRIVES), kdl, 0);
  print_ratio(w, ONE_INVERSE " : the same", find(f, ONE_INVERSE), kdl, 1.0 / 2);
  print_ratio(w, BATCH_INVERSE ", per sample : the same", find(f, BATCH_INVERSE), kdl, 0);
  print_ratio(w, DERIVATIVES " : " BATCH_INVERSE, find(f, DERIVATIVES), find(f, BATCH_INVERSE), 3);
  print_ratio(w, GENERATED " : the same", find(f, GENERATED), kdl, 1.0 / 5);
  print_ratio(w, OBSERVER " : " GENERATED, find(f, OBSERVER), find(f, GENERATED), 3);
  print_ratio(w, OBSERVER " : KDL inverse dynamics", find(f, OBSERVER), kdl, 1);
  print_ratio(w, PAYLOAD " : " GENERATED, find(f, PAYLOAD), find(f, GENERATED), 2);
  print_ratio(w, ONE_FORWARD " : " MUJOCO, find(f, ONE_FORWARD), find(f, MUJOCO), 1.0 / 2);
  print_shares(w, f);
}

/* operation counts of one call of the generated code */
static void print_cost(field *f) {
  const job *j = find(f, GENERATED)->self;
  printf("%s: generated inverse dynamics has %d multiplications, %d additions, %d calls\n",
         f->title, j->code.multiplications, j->code.additions, j->code.calls);
}

static void close_field(field *f) {
  for (int i = 0; i < f->count; i++) leave(&f->job[i]);
  arm_free(&f->arm);
  arm_free(&f->with_drives);
}

int main(int argc, char **argv) {
  enum { MDH_SIX, MDH_SEVEN, ASKEW_SIX, ASKEW_SEVEN, FIELDS };
  stopwatch w = stopwatch_new(argc, argv);
  static field f[FIELDS];
  enter_all(&f[MDH_SIX], "TX40 chain (modified DH), 6 x 60", "tx40_rigid");
  enter_drives(&f[MDH_SIX], "tx40");
  enter_blocks(&f[MDH_SIX]);
  enter_all(&f[MDH_SEVEN], "LWR4+ chain (modified DH), 7 x 70", "lwr4_rigid");
  enter_drives(&f[MDH_SEVEN], "lwr4+");
  enter_all(&f[ASKEW_SIX], "chain of arbitrary URDF frames, 6 x 60", "askew");
  enter_all(&f[ASKEW_SEVEN], "chain of arbitrary frames, 7 x 70", "askew_seven");
  for (int i = 0; i < FIELDS; i++) compare_answers(&f[i]);
  for (int i = 0; i < FIELDS; i++) stopwatch_run(&w, f[i].contestant, f[i].count);
  for (int i = 0; i < FIELDS; i++) print_cost(&f[i]);
  for (int i = 0; i < FIELDS; i++) print_times(&w, f[i].title, f[i].contestant, f[i].count);
  print_ratio_head();
  for (int i = 0; i < FIELDS; i++) print_ratios(&w, &f[i]);
  for (int i = 0; i < FIELDS; i++) close_field(&f[i]);
  stopwatch_close(&w);
  return 0;
}
