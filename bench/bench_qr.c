/*
 * From motion to triangle: regressor of the TX40 and streamed QR of its row groups, block by block,
 * against LAPACK's QR of the same rows, all of them in memory.
 */
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <roberval/sys/linalg.h>

#include "arm.h"
#include "stopwatch.h"

#define SAMPLES 34560  // 6.9 s at 5 kHz, a multiple of BLOCK
#define BLOCK 256
#define LDW 264
#define ALL (SAMPLES + 8)

typedef struct {
  arm arm;
  int nrow;
  double *block;    // entries of one block
  double *all;      // of all samples
  double *copy;     // one row group, which LAPACK overwrites
  double tau[256];  // of LAPACK
  rbv_qr *qr[2 * PEER_JOINTS];
} stage;

static void check(rbv_status status) {
  if (status == RBV_OK) return;
  fprintf(stderr, "bench: %s\n", rbv_message());
  exit(4);
}

static void regressor(stage *s, int first) {
  const rbv_states *b = &s->arm.batch;
  const rbv_states part = {
      .count = BLOCK, .ld = b->ld, .q = b->q + first, .dq = b->dq + first, .ddq = b->ddq + first};
  rbv_regressor_batch(s->block, LDW, s->arm.dynamics, &part, false);
}

static void triangles(stage *s, const double *W, ptrdiff_t ldw) {
  for (int r = 0; r < s->nrow; r++)
    check(rbv_qr_add(s->qr[r], W + rbv_model_row(s->arm.model, r)->first * ldw, BLOCK, ldw));
}

static void restart(stage *s) {
  for (int r = 0; r < s->nrow; r++) rbv_qr_reset(s->qr[r]);
}

static void run_regressor(void *self) {
  for (int k = 0; k < SAMPLES; k += BLOCK) regressor(self, k);
}

static void run_qr(void *self) {
  stage *s = self;
  restart(s);
  for (int k = 0; k < SAMPLES; k += BLOCK) triangles(s, s->all + k, ALL);
}

static void run_both(void *self) {
  stage *s = self;
  restart(s);
  for (int k = 0; k < SAMPLES; k += BLOCK) {
    regressor(s, k);
    triangles(s, s->block, LDW);
  }
}

static void run_lapack(void *self) {
  stage *s = self;
  for (int r = 0; r < s->nrow; r++) {
    const rbv_row *row = rbv_model_row(s->arm.model, r);
    memcpy(s->copy, s->all + row->first * ALL, (size_t)(row->count * ALL) * sizeof *s->copy);
    LAPACKE_dgeqrf(LAPACK_COL_MAJOR, SAMPLES, row->count, s->copy, ALL, s->tau);
  }
}

/* compare the last row group, which run_lapack leaves in copy */
static void compare_answers(stage *s) {
  run_lapack(s);
  run_both(s);
  const int n = rbv_model_row(s->arm.model, s->nrow - 1)->count;
  double *R = need((size_t)(n * n), sizeof *R);
  rbv_qr_get(R, s->qr[s->nrow - 1]);
  // column norms, which are unique even for dependent columns
  for (int j = 0; j < n; j++) {
    double ours = 0, theirs = 0;
    for (int i = 0; i <= j; i++) {
      ours += R[i + j * n] * R[i + j * n];
      theirs += s->copy[i + j * ALL] * s->copy[i + j * ALL];
    }
    if (!(fabs(ours - theirs) <= 1e-9 * theirs)) {
      fprintf(stderr, "bench: column %d of R has norm^2 %.17g, LAPACK's %.17g\n", j, ours, theirs);
      exit(4);
    }
  }
  free(R);
}

int main(int argc, char **argv) {
  stopwatch w = stopwatch_new(argc, argv);
  static stage s;
  arm_load(&s.arm, "tx40", SAMPLES);
  const size_t entries = (size_t)rbv_model_entry_count(s.arm.model);
  s.nrow = rbv_model_row_count(s.arm.model);
  s.block = need(entries * LDW, sizeof *s.block);
  s.all = need(entries * ALL, sizeof *s.all);
  s.copy = need((size_t)rbv_model_column_count(s.arm.model) * ALL, sizeof *s.copy);
  double flops = 0;
  for (int r = 0; r < s.nrow; r++) {
    const int n = rbv_model_row(s.arm.model, r)->count;
    check(rbv_qr_new(&s.qr[r], n));
    flops += 2.0 * n * n;  // per row, operation count of Householder QR
  }
  rbv_regressor_batch(s.all, ALL, s.arm.dynamics, &s.arm.batch, false);
  compare_answers(&s);

  static contestant c[] = {{.name = "regressor", .run = run_regressor},
                           {.name = "streamed QR of the row groups", .run = run_qr},
                           {.name = "both, block by block", .run = run_both},
                           {.name = "LAPACK dgeqrf, all rows at once", .run = run_lapack}};
  const int count = (int)(sizeof c / sizeof c[0]);
  for (int i = 0; i < count; i++) {
    c[i].self = &s;
    c[i].calls = SAMPLES;
  }
  stopwatch_run(&w, c, count);
  print_times(&w, "TX40 with drives, from motion to triangles", c, count);
  printf("  QR is %.0f flops per sample: %.1f GFlop/s\n", flops, flops / time_of(&w, &c[1]).middle);
  print_ratio_head();
  print_ratio(&w, "streamed QR : LAPACK in one piece", &c[1], &c[3], 0);
  print_ratio(&w, "regressor and streamed QR : LAPACK on a prebuilt W", &c[2], &c[3], 1 / 1.5);
  print_ratio(&w, "regressor : streamed QR", &c[0], &c[1], 0);

  for (int r = 0; r < s.nrow; r++) rbv_qr_free(s.qr[r]);
  free(s.block);
  free(s.all);
  free(s.copy);
  arm_free(&s.arm);
  stopwatch_close(&w);
  return 0;
}
