/* Parts of recordings that are left out in turn. */
#include <math.h>

#include "friction/pipeline_folds.h"
#include "motion/motion.h"

RBV_THRESHOLDS(FRICTION_PIPELINES);

void rbv_pipeline_folds_free(pipeline_folds *f) {
  for (int k = 0; k < f->nmotion; k++)
    for (int i = 0; f->part && i < f->count; i++) {
      rbv_motion_free(f->part[i].fit[k]);
      rbv_motion_free(f->part[i].left[k]);
    }
  rbv_free(f->part);
  rbv_free(f->memory);
  *f = (pipeline_folds){0};
}

static rbv_status add(rbv_motion **list, int *count, rbv_motion *of, double from, double to) {
  const double samples = (double)rbv_motion_get_info(of)->count;
  const ptrdiff_t first = (ptrdiff_t)(from * samples), end = (ptrdiff_t)(to * samples);
  RBV_TRY(rbv_motion_slice(&list[*count], of, first, end - first));
  (*count)++;
  return RBV_OK;
}

/* the end of the only motion, then its start */
static rbv_status divide(pipeline_folds *f, rbv_motion *motion, double used) {
  pipeline_fold *end = &f->part[0], *start = &f->part[1];
  RBV_TRY(add(end->fit, &end->nfit, motion, 0, (1 - LEFT_OUT) * used));
  RBV_TRY(add(end->left, &end->nleft, motion, (1 - LEFT_OUT) * used, used));
  RBV_TRY(add(start->fit, &start->nfit, motion, LEFT_OUT * used, used));
  return add(start->left, &start->nleft, motion, 0, LEFT_OUT * used);
}

rbv_status rbv_pipeline_folds_new(pipeline_folds *f, rbv_motion *const *motions, int nmotion,
                                  double holdout) {
  *f = (pipeline_folds){.nmotion = nmotion,
                        .count = nmotion == 1            ? 2
                                 : nmotion < GROUPS_MOST ? nmotion
                                                         : GROUPS_MOST};
  f->part = rbv_alloc((size_t)f->count * sizeof *f->part);
  f->memory = rbv_alloc(2 * (size_t)f->count * (size_t)nmotion * sizeof *f->memory);
  if (!f->part || !f->memory) {
    f->count = 0;
    return RBV_EMEM;
  }
  for (int i = 0; i < f->count; i++) {
    f->part[i].fit = f->memory + 2 * (ptrdiff_t)i * nmotion;
    f->part[i].left = f->part[i].fit + nmotion;
  }
  if (nmotion == 1) return divide(f, motions[0], 1 - holdout);
  for (int i = 0; i < f->count; i++)
    for (int k = 0; k < nmotion; k++) {
      pipeline_fold *p = &f->part[i];
      const bool left = k % f->count == i;
      RBV_TRY(
          add(left ? p->left : p->fit, left ? &p->nleft : &p->nfit, motions[k], 0, 1 - holdout));
    }
  return RBV_OK;
}

/* median of the top speeds of the joints of this type */
static double median_top(const double *top, double *sorted, const rbv_model *m,
                         rbv_joint_type type) {
  int count = 0;
  for (int j = 0; j < m->njoint; j++)
    if (m->joint[j].type == type) sorted[count++] = top[j];
  return rbv_median(sorted, count);
}

rbv_status rbv_pipeline_three_terms(rbv_text *list, const rbv_model *m, rbv_motion *const *motions,
                                    int nmotion, int threads) {
  double *top = rbv_alloc(2 * (size_t)m->njoint * sizeof *top), *const sorted = top + m->njoint;
  if (!top) return RBV_EMEM;
  const rbv_status status = rbv_typical_speeds(top, motions, nmotion, threads);
  for (int j = 0; j < m->njoint && status == RBV_OK; j++)
    if (top[j] > 0 && top[j] >= IDLE * median_top(top, sorted, m, m->joint[j].type))
      rbv_text_print(list, "%sFl%d,Fd%d=0.5,Fp%d=0.005", list->size ? "," : "", j + 1, j + 1,
                     j + 1);
  rbv_free(top);
  return status != RBV_OK ? status : list->failed ? RBV_EMEM : RBV_OK;
}

/* ---- the rule ---- */

static double mean_log(const rbv_result_candidate *c, const rbv_result_candidate *to, int folds) {
  double sum = 0;
  for (int i = 0; i < folds; i++) sum += log(c->fold[i] / (to ? to->fold[i] : 1));
  return exp(sum / folds);
}

/* A candidate that predicts a part clearly worse was right in the other parts by chance. */
static bool contradicts(const rbv_result_candidate *c, const rbv_result_candidate *plain,
                        int folds) {
  for (int i = 0; i < folds; i++)
    if (!(c->fold[i] <= (1 + WORSE_PART) * plain->fold[i])) return true;
  return false;
}

/* is what the best candidate predicts useless? */
static bool is_useless(const rbv_result_candidate *c, int folds, double *scratch) {
  bool any = false;
  for (int i = 0; i < folds; i++) {
    scratch[i] = c->fold[i];
    any = any || c->fold[i] > USELESS_PART;
  }
  return any || rbv_median(scratch, folds) > USELESS;
}

void rbv_pipeline_decide(rbv_cross_validation *cv, int welcome, double *scratch) {
  const rbv_result_candidate *plain = &cv->candidate[0];
  int best = 0, taken = 0;
  double least = INFINITY;
  for (int i = 0; i < cv->ncandidate; i++) {
    rbv_result_candidate *c = &cv->candidate[i];
    c->score = mean_log(c, plain, cv->folds);
    if (contradicts(c, plain, cv->folds)) continue;
    if (c->score < cv->candidate[best].score) best = i;
    if (!(c->score <= (i == welcome ? 1 + COST : 1 - TIE)) || !(c->score < least)) continue;
    taken = i;
    least = c->score;
  }
  cv->chosen = taken;
  cv->reason = NULL;
  if (is_useless(&cv->candidate[best], cv->folds, scratch)) {
    cv->chosen = 0;
    cv->reason = "the recordings are too poor to choose a friction model";
  }
  cv->plain = mean_log(plain, NULL, cv->folds);
  cv->error = mean_log(&cv->candidate[cv->chosen], NULL, cv->folds);
}
