/* One pass of a choice: candidates are added and removed one after another, by cross-validation. */
#include "friction/friction_search.h"

#include <math.h>
#include <string.h>

void rbv_search_copy(subset *to, const subset *from, const search *s) {
  to->count = from->count;
  memcpy(to->item, from->item, sizeof to->item);
  memcpy(to->coefficient, from->coefficient, FOLDS * CHOSEN_MOST * sizeof *to->coefficient);
  memcpy(to->rss, from->rss, (size_t)(FOLDS * s->folds.nrow) * sizeof *to->rss);
}

const candidate *rbv_search_term(const search *s, const subset *set, int i) {
  return &s->all.item[set->item[i]];
}

/* terms that the plain model does not have */
int rbv_search_term_count(const search *s) {
  int count = 0;
  for (int i = 0; i < s->now.count; i++) count += !rbv_search_term(s, &s->now, i)->is_plain;
  return count;
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

double rbv_search_pooled(const search *s, const subset *set, int joint, bool weighted) {
  double sum = 0;
  for (int k = 0; k < FOLDS; k++) sum += fold_error(s, set, k, joint, weighted);
  return sum;
}

/* Does the joint (-1: the robot) move in this fold? It has a tenth of an equal share of the rows.
 */
static bool moves(const search *s, int fold, int joint) {
  double here = 0, all = 0;
  for (int k = 0; k < FOLDS; k++)
    for (int r = 0; r < s->folds.nrow; r++) {
      if (joint >= 0 && s->m->row[r].joint != joint) continue;
      const double rows = s->folds.rows[k * s->folds.nrow + r];
      all += rows;
      if (k == fold) here += rows;
    }
  return here > LEAST_ROWS * all / FOLDS;
}

/* log ratio of the squared errors over the folds: mean, standard error, folds that are not better;
 * NaN if the joint does not move in one of them */
void rbv_search_log_ratio(double *mean, double *sigma, int *worse, const search *s,
                          const subset *with, const subset *without, int joint) {
  double x[FOLDS], sum = 0, square = 0;
  *worse = 0;
  for (int k = 0; k < FOLDS; k++) {
    // a choice from fewer folds than these is not reliable
    x[k] = moves(s, k, joint)
               ? log(fold_error(s, with, k, joint, true) / fold_error(s, without, k, joint, true))
               : NAN;
    sum += x[k];
    *worse += !(x[k] < 0);
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
  return positive == FOLDS || (negative == FOLDS && !rbv_search_term(s, set, i)->nonnegative);
}

/* Is the term's column, without what the plain model explains of it, in every fold? Friction at
 * reversals is not tested by a fold without one. */
static bool is_everywhere(const search *s, int item) {
  const ptrdiff_t n = s->folds.count + 1;
  double sum = 0, least = INFINITY;
  for (int k = 0; k < FOLDS; k++) {
    double here = 0;
    for (int r = 0; r < s->folds.nrow; r++)
      if (s->m->row[r].joint == s->all.item[item].joint)
        here += s->folds.error[(k * s->folds.nrow + r) * n * n + item * (n + 1)] /
                (s->folds.sigma[r] * s->folds.sigma[r]);
    sum += here;
    least = fmin(least, here);
  }
  return least * FOLDS >= LEAST_SHARE * sum;
}

static int place(const subset *set, int item) {
  int at = 0;
  while (at < set->count && set->item[at] != item) at++;
  return at;
}

static bool is_independent(const search *s, const subset *set, int item) {
  return rbv_folds_independence(set, &s->folds, place(set, item)) >= INDEPENDENCE;
}

/* A law that all joints together showed needs less evidence at each of them. */
static bool is_of_family(const search *s, int row) { return s->family >> row & 1; }

/* Does `with` predict better than `without`? joint: the joint whose terms differ, -1: several. */
bool rbv_search_predicts_better(const search *s, const subset *with, const subset *without,
                                int joint, double errors, double least_fall, int worse_most) {
  double mean, sigma;
  int worse;
  rbv_search_log_ratio(&mean, &sigma, &worse, s, with, without, joint);
  if (!(mean + errors * sigma < 0) || worse > worse_most) return false;
  if (!(rbv_search_pooled(s, with, joint, true) <=
        (1 - least_fall) * rbv_search_pooled(s, without, joint, true)))
    return false;
  for (int weighted = 0; weighted < 2; weighted++)
    if (!(rbv_search_pooled(s, with, -1, weighted) <= rbv_search_pooled(s, without, -1, weighted)))
      return false;
  return true;
}

/* The same for the term `item`, and the coefficients make sense. */
static bool passes(const search *s, const subset *with, const subset *without, int item,
                   bool is_new) {
  const candidate *c = &s->all.item[item];
  const double errors = is_everywhere(s, item) ? ERRORS : ERRORS_STRICT;
  const int worse = is_of_family(s, c->as.row) ? WORSE_FOLDS : WORSE_FOLDS_LONE;
  if (!rbv_search_predicts_better(s, with, without, c->joint, errors, LEAST_FALL, worse))
    return false;
  for (int i = 0; i < with->count; i++)
    if (!rbv_search_term(s, with, i)->is_plain && !sign_is_stable(s, with, i)) return false;
  return !is_new || is_independent(s, with, item);
}

/* the Coulomb friction of the plain model takes the place of a law that replaces it */
void rbv_search_remove_item(const search *s, subset *set, int i) {
  const candidate *c = rbv_search_term(s, set, i);
  for (int k = 0; k < s->all.count && c->law->replaces; k++)
    if (s->all.item[k].is_plain && s->all.item[k].joint == c->joint) {
      set->item[i] = k;
      return;
    }
  for (; i + 1 < set->count; i++) set->item[i] = set->item[i + 1];
  set->count--;
}

/* at the end, or in the place of what it replaces */
static void add_item(const search *s, subset *set, int item) {
  const candidate *c = &s->all.item[item];
  int at = 0;
  while (at < set->count && !(c->law->replaces && rbv_search_term(s, set, at)->is_plain &&
                              rbv_search_term(s, set, at)->joint == c->joint))
    at++;
  if (at == set->count) set->count++;
  set->item[at] = item;
}

/* ---- steps ---- */

/* may this candidate be added? */
static bool is_open(const search *s, const candidate *c) {
  int here = 0;
  bool ready = !c->after;
  for (int i = 0; i < s->now.count; i++) {
    const candidate *other = rbv_search_term(s, &s->now, i);
    if (other->joint != c->joint || other->is_plain) continue;
    here += !other->law->replaces;
    if (other->law == c->law) return false;
    ready = ready || other->law == c->after;
  }
  return ready && (c->law->replaces || here < TERMS_PER_JOINT);
}

/* all candidates of a kind that are in every fold and independent of the other columns */
bool rbv_search_add_family(search *s, subset *set, int kind) {
  bool any = false;
  for (int i = 0; i < s->all.count && set->count < CHOSEN_MOST; i++) {
    if (s->all.item[i].kind != kind || !is_open(s, &s->all.item[i]) || !is_everywhere(s, i))
      continue;
    add_item(s, set, i);
    if (is_independent(s, set, i))
      any = true;
    else
      rbv_search_remove_item(s, set, place(set, i));
  }
  return any && rbv_folds_evaluate(set, &s->folds);
}

static int row_of_kind(const search *s, int kind) {
  int i = 0;
  while (s->all.item[i].kind != kind) i++;
  return s->all.item[i].as.row;
}

/* the family that predicts best, on all joints that allow it */
static void choose_family(search *s) {
  int best = -1;
  for (int kind = 0; kind < s->all.nkind; kind++) {
    rbv_search_copy(&s->trial, &s->now, s);
    if (!rbv_search_add_family(s, &s->trial, kind) ||
        !rbv_search_predicts_better(s, &s->trial, &s->now, -1, ERRORS, LEAST_FALL, WORSE_FOLDS))
      continue;
    if (best >= 0 &&
        rbv_search_pooled(s, &s->trial, -1, true) >= rbv_search_pooled(s, &s->best, -1, true))
      continue;
    rbv_search_copy(&s->best, &s->trial, s);
    best = kind;
  }
  if (best < 0) return;
  rbv_search_copy(&s->now, &s->best, s);
  s->family |= 1u << row_of_kind(s, best);
}

/* another term of the subset needs this one */
static bool is_needed(const search *s, const subset *set, int i) {
  for (int k = 0; k < set->count; k++)
    if (rbv_search_term(s, set, k)->joint == rbv_search_term(s, set, i)->joint &&
        rbv_search_term(s, set, k)->after == rbv_search_term(s, set, i)->law)
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
      if (rbv_search_term(s, &s->now, i)->is_plain || is_needed(s, &s->now, i)) continue;
      rbv_search_copy(&s->trial, &s->now, s);
      rbv_search_remove_item(s, &s->trial, i);
      if (!rbv_folds_evaluate(&s->trial, &s->folds)) continue;
      const int joint = rbv_search_term(s, &s->now, i)->joint;
      if (passes(s, &s->now, &s->trial, s->now.item[i], false)) continue;
      const double cost =
          rbv_search_pooled(s, &s->trial, joint, true) / rbv_search_pooled(s, &s->now, joint, true);
      if (worst >= 0 && cost >= least) continue;
      worst = i;
      least = cost;
    }
    if (worst < 0) return changed;
    rbv_search_remove_item(s, &s->now, worst);
    (void)rbv_folds_evaluate(&s->now, &s->folds);
    changed = true;
  }
}

/* add the candidate of a joint that predicts its torque best; false: none passes */
static bool add_term(search *s, int joint) {
  bool any = false;
  for (int i = 0; i < s->all.count && s->now.count < CHOSEN_MOST; i++) {
    if (s->all.item[i].joint != joint || s->all.item[i].kind < 0) continue;
    if (!is_open(s, &s->all.item[i])) continue;
    rbv_search_copy(&s->trial, &s->now, s);
    add_item(s, &s->trial, i);
    if (!rbv_folds_evaluate(&s->trial, &s->folds)) continue;
    if (any &&
        rbv_search_pooled(s, &s->trial, joint, true) >= rbv_search_pooled(s, &s->best, joint, true))
      continue;
    if (!passes(s, &s->trial, &s->now, i, true)) continue;
    rbv_search_copy(&s->best, &s->trial, s);
    any = true;
  }
  if (any) rbv_search_copy(&s->now, &s->best, s);
  return any;
}

/* the plain model */
void rbv_search_clear(search *s, subset *set) {
  set->count = 0;
  for (int i = 0; i < s->all.count; i++)
    if (s->all.item[i].is_plain) set->item[set->count++] = i;
  (void)rbv_folds_evaluate(set, &s->folds);
}

/* the value of each shape parameter that predicts best, one parameter after another */
static void refine(search *s) {
  for (int i = 0; i < s->now.count; i++) {
    const int of = rbv_search_term(s, &s->now, i)->of,
              joint = rbv_search_term(s, &s->now, i)->joint;
    for (int k = 0; k < s->all.count && of >= 0; k++) {
      if (s->all.item[k].of != of || s->all.item[k].is_term) continue;
      rbv_search_copy(&s->trial, &s->now, s);
      s->trial.item[i] = k;
      if (rbv_folds_evaluate(&s->trial, &s->folds) &&
          rbv_search_pooled(s, &s->trial, joint, true) < rbv_search_pooled(s, &s->now, joint, true))
        rbv_search_copy(&s->now, &s->trial, s);
    }
  }
}

/* the terms of the last pass */
void rbv_search_restore(search *s) {
  rbv_search_clear(s, &s->now);
  for (int i = 0; i < s->all.count; i++)
    if (s->all.item[i].is_term) add_item(s, &s->now, i);
  (void)rbv_folds_evaluate(&s->now, &s->folds);
}

/* keep the terms for the next pass; true if one is new or gone, or its value is still refined */
bool rbv_search_store(search *s) {
  const int count = s->nchosen;
  bool changed = false;
  chosen_term before[CHOSEN_MOST];
  memcpy(before, s->chosen, sizeof before);
  s->nchosen = 0;
  for (int i = 0; i < s->now.count; i++) {
    const candidate *c = rbv_search_term(s, &s->now, i);
    if (c->is_plain) continue;
    chosen_term *to = &s->chosen[s->nchosen++];
    *to = c->as;
    changed = changed || c->of < 0;
    if (c->of < 0 || !(c->as.step > 1)) continue;
    // the values near it were tried: the best one is known to their distance
    to->step = before[c->of].step > FINEST ? pow(before[c->of].step, 1.0 / NEAR) : 1;
    changed = changed || to->step > 1;
  }
  return changed || s->nchosen != count;
}

/* the last passes only refine */
bool rbv_search_adds_terms(int pass) { return pass + REFINING_PASSES < PASSES; }

/*
 * One pass: refine the shape parameters of the terms and remove terms that no longer pass. If none
 * was removed, add one family to all joints that may get a term, and then at most one term per
 * joint. A value that is only roughly right must not be compensated by a further term, so each
 * term is refined before the joint gets the next one.
 */
void rbv_search_pass(search *s, int pass) {
  rbv_search_restore(s);
  refine(s);
  if (remove_terms(s) || !rbv_search_adds_terms(pass)) return;
  choose_family(s);
  (void)remove_terms(s);
  for (int j = 0; j < s->m->njoint; j++) {
    bool rough = false;
    for (int i = 0; i < s->now.count; i++) {
      const candidate *c = rbv_search_term(s, &s->now, i);
      rough = rough || (c->joint == j && c->as.step > (c->of < 0 ? 1 : ROUGH));
    }
    if (!rough) (void)add_term(s, j);
  }
}
