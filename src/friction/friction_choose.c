/* The choice of terms: candidates are added and removed one after another, by cross-validation. */
#include <math.h>
#include <roberval/sys/identify.h>
#include <stdio.h>
#include <string.h>

#include "friction/friction_internal.h"

#define FOLDS RBV_FRICTION_FOLDS
#define BETTER_FOLDS 5      // of the folds must have a smaller error
#define LEAST_FALL 0.02     // of the squared error, pooled over the folds
#define INDEPENDENCE 0.005  // least 1 - R^2 of a term against the other columns
#define TERMS_PER_JOINT 3
#define BLOCK_SHORTEST_S 0.5
#define BLOCKS_MOST 600  // of one motion: longer ones have longer blocks
#define ROUNDS 20        // of adding and removing, at most

/* ---- state of the search ---- */

typedef struct {
  const rbv_model *m;
  candidates all;
  folds folds;
  subset now, trial, best;
} search;

static void copy(subset *to, const subset *from, const search *s) {
  to->count = from->count;
  memcpy(to->item, from->item, sizeof to->item);
  memcpy(to->coefficient, from->coefficient, FOLDS * CHOSEN_MOST * sizeof *to->coefficient);
  memcpy(to->rss, from->rss, (size_t)(FOLDS * s->folds.nrow) * sizeof *to->rss);
}

static const candidate *term(const search *s, const subset *set, int i) {
  return &s->all.item[set->item[i]];
}

/* squared error of a fold: of one joint's torques or of all joints (-1), weighted or not */
static double fold_error(const search *s, const subset *set, int fold, int joint, bool weighted) {
  double sum = 0;
  for (int r = 0; r < s->folds.nrow; r++) {
    if (joint >= 0 && s->m->row[r].joint != joint) continue;
    const double w = weighted ? 1 / s->folds.sigma[r] : 1;
    sum += w * w * set->rss[fold * s->folds.nrow + r];
  }
  return sum;
}

static double pooled(const search *s, const subset *set, int joint, bool weighted) {
  double sum = 0;
  for (int k = 0; k < FOLDS; k++) sum += fold_error(s, set, k, joint, weighted);
  return sum;
}

/* log ratio of the squared errors over the folds: mean and standard error */
static void log_ratio(double *mean, double *sigma, int *better, const search *s, const subset *with,
                      const subset *without, int joint) {
  double x[FOLDS], sum = 0, square = 0;
  *better = 0;
  for (int k = 0; k < FOLDS; k++) {
    x[k] = log(fold_error(s, with, k, joint, true) / fold_error(s, without, k, joint, true));
    sum += x[k];
    *better += x[k] < 0;
  }
  *mean = sum / FOLDS;
  for (int k = 0; k < FOLDS; k++) square += (x[k] - *mean) * (x[k] - *mean);
  *sigma = sqrt(square / (FOLDS - 1) / FOLDS);
}

/* the coefficient has the same sign in all folds, and is not negative where that has no meaning */
static bool sign_is_stable(const search *s, const subset *set, int i) {
  int positive = 0, negative = 0;
  for (int k = 0; k < FOLDS; k++) {
    positive += set->coefficient[k * CHOSEN_MOST + i] > 0;
    negative += set->coefficient[k * CHOSEN_MOST + i] < 0;
  }
  return positive == FOLDS || (negative == FOLDS && !term(s, set, i)->nonnegative);
}

/*
 * Does `with` predict better than `without`? joint: the joint whose terms differ, -1: several. New
 * terms are at the end of `with`, from `first` on.
 */
static bool passes(const search *s, const subset *with, const subset *without, int joint,
                   int first) {
  double mean, sigma;
  int better;
  log_ratio(&mean, &sigma, &better, s, with, without, joint);
  if (!(mean + sigma < 0) || better < BETTER_FOLDS) return false;
  if (!(pooled(s, with, joint, true) <= (1 - LEAST_FALL) * pooled(s, without, joint, true)))
    return false;
  for (int weighted = 0; weighted < 2; weighted++)
    if (!(pooled(s, with, -1, weighted) <= pooled(s, without, -1, weighted))) return false;
  for (int i = 0; i < with->count; i++)
    if (!sign_is_stable(s, with, i)) return false;
  for (int i = first; i < with->count; i++)
    if (!(rbv_folds_independence(with, &s->folds, i) >= INDEPENDENCE)) return false;
  return true;
}

static void remove_item(subset *set, int i) {
  for (; i + 1 < set->count; i++) set->item[i] = set->item[i + 1];
  set->count--;
}

/* ---- steps ---- */

/* all candidates of a kind whose sign and independence allow it */
static bool add_family(search *s, subset *set, int kind) {
  const int first = set->count;
  for (int i = 0; i < s->all.count && set->count < CHOSEN_MOST; i++)
    if (s->all.item[i].kind == kind && !s->all.item[i].after) set->item[set->count++] = i;
  for (;;) {
    if (set->count == first || !rbv_folds_evaluate(set, &s->folds)) return false;
    int worst = -1;
    for (int i = first; i < set->count && worst < 0; i++)
      if (!sign_is_stable(s, set, i) ||
          !(rbv_folds_independence(set, &s->folds, i) >= INDEPENDENCE))
        worst = i;
    if (worst < 0) return true;
    remove_item(set, worst);
  }
}

/* the family that predicts best, on all joints that allow it */
static void choose_family(search *s) {
  bool any = false;
  for (int kind = 0; kind < s->all.nkind; kind++) {
    copy(&s->trial, &s->now, s);
    if (!add_family(s, &s->trial, kind) || !passes(s, &s->trial, &s->now, -1, s->now.count))
      continue;
    if (any && pooled(s, &s->trial, -1, true) >= pooled(s, &s->best, -1, true)) continue;
    copy(&s->best, &s->trial, s);
    any = true;
  }
  if (any) copy(&s->now, &s->best, s);
}

/* another term of the subset needs this one */
static bool is_needed(const search *s, const subset *set, int i) {
  for (int k = 0; k < set->count; k++)
    if (term(s, set, k)->joint == term(s, set, i)->joint &&
        term(s, set, k)->after == term(s, set, i)->law)
      return true;
  return false;
}

/* remove terms that no longer pass, first the one whose removal costs least; false: none */
static bool remove_terms(search *s) {
  bool changed = false;
  for (;;) {
    int worst = -1;
    double least = 0;
    for (int i = 0; i < s->now.count; i++) {
      if (is_needed(s, &s->now, i)) continue;
      copy(&s->trial, &s->now, s);
      remove_item(&s->trial, i);
      if (!rbv_folds_evaluate(&s->trial, &s->folds)) continue;
      const int joint = term(s, &s->now, i)->joint;
      if (passes(s, &s->now, &s->trial, joint, s->now.count)) continue;
      const double cost = pooled(s, &s->trial, joint, true) / pooled(s, &s->now, joint, true);
      if (worst >= 0 && cost >= least) continue;
      worst = i;
      least = cost;
    }
    if (worst < 0) return changed;
    remove_item(&s->now, worst);
    (void)rbv_folds_evaluate(&s->now, &s->folds);
    changed = true;
  }
}

/* may this candidate be added? */
static bool is_open(const search *s, const candidate *c) {
  int here = 0;
  bool ready = !c->after;
  for (int i = 0; i < s->now.count; i++) {
    const candidate *other = term(s, &s->now, i);
    if (other->joint != c->joint) continue;
    here++;
    if (other->law == c->law) return false;
    ready = ready || other->law == c->after;
  }
  return ready && here < TERMS_PER_JOINT;
}

/* add the candidate of a joint that predicts its torque best; false: none passes */
static bool add_term(search *s, int joint) {
  bool any = false;
  for (int i = 0; i < s->all.count && s->now.count < CHOSEN_MOST; i++) {
    if (s->all.item[i].joint != joint || !is_open(s, &s->all.item[i])) continue;
    copy(&s->trial, &s->now, s);
    s->trial.item[s->trial.count++] = i;
    if (!rbv_folds_evaluate(&s->trial, &s->folds)) continue;
    if (any && pooled(s, &s->trial, joint, true) >= pooled(s, &s->best, joint, true)) continue;
    if (!passes(s, &s->trial, &s->now, joint, s->now.count)) continue;
    copy(&s->best, &s->trial, s);
    any = true;
  }
  if (any) copy(&s->now, &s->best, s);
  return any;
}

static void clear(search *s, subset *set) {
  set->count = 0;
  (void)rbv_folds_evaluate(set, &s->folds);
}

/* one family, then joint by joint; the whole must be better than nothing by its standard error */
static void run_search(search *s) {
  clear(s, &s->now);
  choose_family(s);
  (void)remove_terms(s);
  for (int round = 0; round < ROUNDS; round++) {
    bool changed = false;
    for (int j = 0; j < s->m->njoint; j++)
      while (add_term(s, j)) changed = true;
    if (!changed) break;
    if (!remove_terms(s)) break;
  }
  clear(s, &s->trial);
  double mean, sigma;
  int better;
  log_ratio(&mean, &sigma, &better, s, &s->now, &s->trial, -1);
  if (s->now.count > 0 && !(mean + sigma < 0)) clear(s, &s->now);
}

/* ---- equations ---- */

static double duration(const rbv_motion *motion) {
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  return (double)info->count / info->rate_hz;
}

/* length of a block: shorter where the recordings are, so that every fold has one */
static double block_length(rbv_motion *const *motions, int nmotion, double holdout) {
  double total = 0;
  for (int i = 0; i < nmotion; i++) total += (1 - holdout) * duration(motions[i]);
  return fmin(RBV_FRICTION_BLOCK_S, total / FOLDS);
}

/* The blocks at the start of a motion that are not held out, and all of them. The held-out part
 * begins at the end of a block. */
static void count_blocks(int *used, int *all, const rbv_motion *motion, double block_s,
                         double holdout) {
  const double part = 1 - holdout, count = floor(part * duration(motion) / block_s + 0.5);
  *used = count < 1 ? 1 : count > BLOCKS_MOST ? BLOCKS_MOST : (int)count;
  *all = (int)ceil(*used / part - 1e-9);
}

static rbv_status add_motions(rbv_equations *system, search *s, rbv_motion *const *motions,
                              int nmotion, double block_s, double holdout) {
  int first = 0;
  for (int i = 0; i < nmotion; i++) {
    state_track *track = NULL;
    int used, all;
    count_blocks(&used, &all, motions[i], block_s, holdout);
    const rbv_deal deal = {FOLDS, first % FOLDS, used};
    first += used;
    rbv_equations_set_folds(system, all);
    rbv_equations_set_deal(system, deal);
    rbv_status status = rbv_state_track_new(&track, motions[i], s->all.law, s->all.nstate);
    s->all.track = track;
    if (status == RBV_OK) status = rbv_equations_add(system, motions[i]);
    s->all.track = NULL;
    rbv_state_track_free(track);
    RBV_TRY(status);
  }
  return RBV_OK;
}

static rbv_status new_subset(subset *set, int nrow) {
  set->coefficient = rbv_alloc(FOLDS * CHOSEN_MOST * sizeof *set->coefficient);
  set->rss = rbv_alloc((size_t)(FOLDS * nrow) * sizeof *set->rss);
  return set->coefficient && set->rss ? RBV_OK : RBV_EMEM;
}

static void free_search(search *s) {
  subset *set[] = {&s->now, &s->trial, &s->best};
  for (int i = 0; i < RBV_COUNT(set); i++) {
    rbv_free(set[i]->coefficient);
    rbv_free(set[i]->rss);
  }
  rbv_folds_free(&s->folds);
  rbv_friction_candidates_free(&s->all);
}

/* the equations of the plain model and all candidates, divided into folds */
static rbv_status prepare(search *s, const rbv_estimate *plain, rbv_motion *const *motions,
                          int nmotion, const rbv_row_filter *filter, double block_s,
                          double holdout) {
  const int n = plain->base->count, nrow = s->m->nrow;
  rbv_equations *system = NULL;
  bool *used = rbv_alloc((size_t)n * sizeof *used);
  double *sigma = rbv_alloc((size_t)nrow * sizeof *sigma);
  rbv_status status = used && sigma ? RBV_OK : RBV_EMEM;
  for (int k = 0; k < n && status == RBV_OK; k++)
    used[k] = isfinite(plain->covariance[k + (ptrdiff_t)k * n]);
  for (int r = 0; r < nrow && status == RBV_OK; r++)
    sigma[r] = plain->fit.row[r].sigma > 0 ? plain->fit.row[r].sigma : 1;
  if (status == RBV_OK)
    status = rbv_equations_new_extended(&system, s->m, plain->base->kept, n, filter,
                                        &s->all.columns);
  if (status == RBV_OK) status = rbv_equations_set_load(system, plain->chi);
  if (status == RBV_OK) status = add_motions(system, s, motions, nmotion, block_s, holdout);
  if (status == RBV_OK)
    status = rbv_folds_new(&s->folds, system, n, used, sigma, s->all.count, nrow);
  subset *set[] = {&s->now, &s->trial, &s->best};
  for (int i = 0; i < RBV_COUNT(set) && status == RBV_OK; i++) status = new_subset(set[i], nrow);
  rbv_equations_free(system);
  rbv_free(used);
  rbv_free(sigma);
  return status;
}

/* ---- result ---- */

static void layout(rbv_friction_choice *c, rbv_arena *a) {
  c->eligible = RBV_TAKE(a, c->njoint, bool);
  c->term = RBV_TAKE(a, c->nterm, rbv_friction_term);
  c->list = RBV_TAKE(a, c->nterm * 48 + 1, char);
}

void rbv_friction_choice_free(rbv_friction_choice *c) {
  if (c) rbv_free(c->memory);
}

static rbv_status new_choice(rbv_friction_choice **out, int njoint, int nterm) {
  rbv_friction_choice sizes = {.njoint = njoint, .nterm = nterm};
  rbv_arena measure = {0};
  (void)RBV_TAKE(&measure, 1, rbv_friction_choice);
  layout(&sizes, &measure);
  char *memory = rbv_alloc(measure.used);
  if (!memory) return RBV_EMEM;
  rbv_arena carve = {.base = memory};
  rbv_friction_choice *c = RBV_TAKE(&carve, 1, rbv_friction_choice);
  *c = (rbv_friction_choice){.njoint = njoint, .nterm = nterm, .memory = memory};
  layout(c, &carve);
  *out = c;
  return RBV_OK;
}

/* fall of the error, which is the root of its square, and its standard error */
static void put_gain(double *gain, double *sigma, const search *s, const subset *with,
                     const subset *without, int joint) {
  double mean, error;
  int better;
  log_ratio(&mean, &error, &better, s, with, without, joint);
  *gain = 1 - exp(mean / 2);
  *sigma = exp(mean / 2) * error / 2;
}

static void put_term(rbv_friction_choice *c, search *s, int i) {
  const candidate *from = term(s, &s->now, i);
  // in the order of the joints
  int at = 0;
  for (int k = 0; k < s->now.count; k++) {
    const int joint = term(s, &s->now, k)->joint;
    at += joint < from->joint || (joint == from->joint && k < i);
  }
  rbv_friction_term *to = &c->term[at];
  *to = (rbv_friction_term){
      .law = from->law, .joint = from->joint, .shape = from->own, .at_bound = from->lowest};
  copy(&s->trial, &s->now, s);
  remove_item(&s->trial, i);
  (void)rbv_folds_evaluate(&s->trial, &s->folds);
  put_gain(&to->gain, &to->gain_sigma, s, &s->now, &s->trial, from->joint);
}

static void put_list(rbv_friction_choice *c) {
  size_t used = 0;
  const size_t size = (size_t)c->nterm * 48 + 1;
  for (int i = 0; i < c->nterm; i++) {
    const rbv_friction_term *t = &c->term[i];
    used += (size_t)snprintf(c->list + used, size - used, "%s%s%d", i > 0 ? "," : "", t->law->name,
                             t->joint + 1);
    if (!isnan(t->shape)) used += (size_t)snprintf(c->list + used, size - used, "=%.6g", t->shape);
  }
}

static double relative_error(const search *s, const subset *set) {
  double yy = 0;
  for (int r = 0; r < s->folds.nrow; r++) yy += s->folds.torque[r];
  return sqrt(pooled(s, set, -1, false) / yy);
}

static rbv_status make_choice(rbv_friction_choice **out, search *s, const joint_facts *facts,
                              int blocks, const char *reason) {
  RBV_TRY(new_choice(out, s->m->njoint, reason ? 0 : s->now.count));
  rbv_friction_choice *c = *out;
  c->blocks = blocks;
  c->reason = reason;
  for (int j = 0; j < c->njoint; j++) c->eligible[j] = facts[j].eligible;
  if (reason) return RBV_OK;
  for (int i = 0; i < s->now.count; i++) put_term(c, s, i);
  put_list(c);
  clear(s, &s->trial);
  c->plain = relative_error(s, &s->trial);
  c->chosen = relative_error(s, &s->now);
  put_gain(&c->gain, &c->gain_sigma, s, &s->now, &s->trial, -1);
  return RBV_OK;
}

static rbv_status choose(rbv_friction_choice **out, search *s, joint_facts *facts,
                         rbv_motion *const *motions, int nmotion, const rbv_row_filter *filter,
                         double holdout) {
  const double block_s = block_length(motions, nmotion, holdout);
  int blocks = 0;
  for (int i = 0; i < nmotion; i++) {
    int used, all;
    count_blocks(&used, &all, motions[i], block_s, holdout);
    blocks += used;
  }
  RBV_TRY(rbv_friction_facts(facts, s->m, motions, nmotion, holdout, filter->threads));
  RBV_TRY(rbv_friction_candidates(&s->all, s->m, facts));
  if (!(block_s >= BLOCK_SHORTEST_S))
    return make_choice(out, s, facts, blocks, "the recordings are too short");
  if (s->all.count == 0)
    return make_choice(out, s, facts, blocks, "no joint moves and reverses enough");
  rbv_identify_options how = rbv_identify_defaults();
  how.filter = *filter;
  how.holdout = holdout;
  rbv_estimate *plain;
  RBV_TRY(rbv_identify(&plain, s->m, motions, nmotion, &how));
  rbv_status status = prepare(s, plain, motions, nmotion, filter, block_s, holdout);
  rbv_estimate_free(plain);
  RBV_TRY(status);
  run_search(s);
  return make_choice(out, s, facts, blocks, NULL);
}

rbv_status rbv_friction_choose(rbv_friction_choice **out, const rbv_model *m,
                               rbv_motion *const *motions, int nmotion,
                               const rbv_row_filter *filter, double holdout) {
  *out = NULL;
  if (!m || !motions || nmotion < 1 || !filter)
    return rbv_fail(RBV_EARG, "a choice of friction needs a model, motions and a filter");
  search *s = rbv_alloc(sizeof *s);
  joint_facts *facts = rbv_alloc((size_t)m->njoint * sizeof *facts);
  rbv_status status = s && facts ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK) {
    s->m = m;
    status = choose(out, s, facts, motions, nmotion, filter, holdout);
    free_search(s);
  }
  rbv_free(s);
  rbv_free(facts);
  return status;
}
