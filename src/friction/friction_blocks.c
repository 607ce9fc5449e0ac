/*
 * Folds of the cross-validation. The time is cut into short pieces. Pieces in which a joint moves
 * are counted: blocks have equal numbers of them, and are dealt to the folds in turn. Standstill
 * before, after or within a recording tells nothing about friction, so it makes no block longer.
 */
#include <math.h>
#include <string.h>

#include "equations/row_stream.h"
#include "friction/friction_internal.h"

#define FOLDS RBV_FRICTION_FOLDS
#define CHUNK ROW_CHUNK
RBV_THRESHOLDS(FRICTION_BLOCKS);

static double duration(const rbv_motion *motion) {
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  return (double)info->count / info->rate_hz;
}

/* the piece of a sample, as the row filter divides the motion */
static int piece_of(ptrdiff_t k, ptrdiff_t count, int npiece) { return (int)(k * npiece / count); }

/* count the samples of each piece in which a joint moves */
static rbv_status count_moving(int *moving, rbv_motion *motion, const joint_facts *facts,
                               int npiece, double *block) {
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  const rbv_samples s = {.ld = CHUNK, .dq = block};
  for (ptrdiff_t first = 0; first < info->count; first += CHUNK) {
    const ptrdiff_t count = info->count - first < CHUNK ? info->count - first : CHUNK;
    RBV_TRY(rbv_motion_read(motion, &s, first, count));
    for (ptrdiff_t k = 0; k < count; k++) {
      bool moves = false;
      for (int j = 0; j < info->njoint; j++)
        moves = moves || fabs(s.dq[k + j * CHUNK]) > DEAD_BAND * facts[j].top;
      moving[piece_of(first + k, info->count, npiece)] += moves;
    }
  }
  return RBV_OK;
}

/* moving samples of the part that is not held out; the other pieces get -1 */
static double sum_moving(int *moving, const rbv_motion *motion, int npiece, double holdout) {
  double sum = 0;
  for (int i = 0; i < npiece; i++) {
    if (i + 1 > (1 - holdout) * npiece + 1e-9)
      moving[i] = -1;
    else
      sum += moving[i];
  }
  return sum / rbv_motion_get_info(motion)->rate_hz;
}

/* the pieces of one motion in `blocks` blocks of equal moving time, from block number `first` on */
static void deal_pieces(motion_deal *d, const int *moving, int first) {
  double total = 0, before = 0;
  for (int i = 0; i < d->npiece; i++) total += moving[i] > 0 ? moving[i] : 0;
  for (int i = 0; i < d->npiece; i++) {
    if (moving[i] < 0) {
      d->fold[i] = FOLDS;
      continue;
    }
    const double centre = before + moving[i] / 2.0;
    const int block = total > 0 ? (int)(d->blocks * centre / total) : 0;
    d->fold[i] = (unsigned char)((first + (block < d->blocks ? block : d->blocks - 1)) % FOLDS);
    before += moving[i];
  }
}

static rbv_status deal(motion_deal *out, double *block_s, const joint_facts *facts,
                       rbv_motion *const *motions, int nmotion, double holdout, int *moving,
                       double *time, double *block) {
  double whole = 0, total = 0;
  for (int i = 0; i < nmotion; i++) whole += (1 - holdout) * duration(motions[i]);
  const double piece_s = fmin(RBV_FRICTION_BLOCK_S, whole / FOLDS) / PIECES;
  for (int i = 0; i < nmotion; i++) {
    const double pieces = ceil(duration(motions[i]) / piece_s);
    motion_deal *d = &out[i];
    d->npiece = pieces < PIECES_MOST ? (int)pieces : PIECES_MOST;
    if (rbv_motion_get_info(motions[i])->count < d->npiece)
      d->npiece = (int)rbv_motion_get_info(motions[i])->count;
    d->fold = rbv_alloc((size_t)d->npiece * sizeof *d->fold);
    if (!d->fold) return RBV_EMEM;
    RBV_TRY(count_moving(moving + (ptrdiff_t)i * PIECES_MOST, motions[i], facts, d->npiece, block));
    time[i] = sum_moving(moving + (ptrdiff_t)i * PIECES_MOST, motions[i], d->npiece, holdout);
    total += time[i];
  }
  *block_s = fmin(RBV_FRICTION_BLOCK_S, total / FOLDS);
  for (int i = 0, first = 0; i < nmotion; i++) {
    const double blocks = *block_s > 0 ? floor(time[i] / *block_s + 0.5) : 0;
    out[i].blocks = blocks < 1 ? 1 : blocks > BLOCKS_MOST ? BLOCKS_MOST : (int)blocks;
    deal_pieces(&out[i], moving + (ptrdiff_t)i * PIECES_MOST, first);
    first += out[i].blocks;
  }
  return RBV_OK;
}

rbv_status rbv_friction_deal(motion_deal *out, double *block_s, const joint_facts *facts,
                             rbv_motion *const *motions, int nmotion, double holdout) {
  const size_t n = (size_t)nmotion, njoint = (size_t)rbv_motion_get_info(motions[0])->njoint;
  int *moving = rbv_alloc(n * PIECES_MOST * sizeof *moving);
  double *time = rbv_alloc(n * sizeof *time);
  double *block = rbv_alloc(njoint * CHUNK * sizeof *block);
  const rbv_status status = moving && time && block ? deal(out, block_s, facts, motions, nmotion,
                                                           holdout, moving, time, block)
                                                    : RBV_EMEM;
  rbv_free(moving);
  rbv_free(time);
  rbv_free(block);
  return status;
}

void rbv_friction_deal_free(motion_deal *d, int nmotion) {
  for (int i = 0; d && i < nmotion; i++) rbv_free(d[i].fold);
  rbv_free(d);
}
