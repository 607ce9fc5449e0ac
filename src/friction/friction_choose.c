/* The choice of terms: candidates are added and removed one after another, by cross-validation. */
#include <math.h>
#include <roberval/sys/identify.h>
#include <stdio.h>
#include <string.h>

#include "friction/friction_internal.h"

#define FOLDS RBV_FRICTION_FOLDS
#define WHOLE_ERRORS 1.0  // standard errors by which all terms together must be better
#define ERRORS 2.015      // and single terms: 5 % one-sided of Student's distribution, 5 dof,
#define ERRORS_STRICT \
  3.365                     // 1 %: the motion determines the other parameters poorly, or a fold
                            // does not show the term
#define WORSE_FOLDS 1       // at most, may have a larger error with a family of terms
#define WORSE_FOLDS_LONE 0  // with a term of one joint alone
#define LEAST_SHARE 0.1     // of an equal share: what a fold must have of the term's column
#define LEAST_FALL 0.02     // of the squared error, pooled over the folds
#define INDEPENDENCE \
  0.0005  // least 1 - R^2 of a term against the other columns: sqrt|v| beside v and sign v has
          // 0.0044 where all speeds are equally frequent, and 0.0011 without the slowest tenth
#define TERMS_PER_JOINT 3
#define BLOCK_SHORTEST_S 0.5
#define PASSES 8  // over the recordings, at most
#define FINEST FRICTION_FINEST
#define NEIGHBOUR 1.05  // ratio of shape parameters for a derivative
#define POOR \
  1.41421356            // held-out error over that of the fit: half of the squared error is due to
                        // parameters that the motion determines poorly
#define EXTRAPOLATES 2  // three quarters of it: no choice

/* ---- state of the search ---- */

typedef struct {
  const rbv_model *m;
  bool *replaceable;  // njoint: other laws may now replace the Coulomb friction of the plain model
  int nchosen;
  chosen_term chosen[CHOSEN_MOST];  // after the last pass
  candidates all;
  folds folds;
  subset now, trial, best;
  double errors;    // standard errors by which a term must be better
  unsigned family;  // bit of a row of the table of candidates: it was chosen for the whole robot
  double step[CHOSEN_MOST], sigma[CHOSEN_MOST];  // of the shape parameters at the end
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

/* terms that the plain model does not have */
static int term_count(const search *s) {
  int count = 0;
  for (int i = 0; i < s->now.count; i++) count += !term(s, &s->now, i)->is_plain;
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

static double pooled(const search *s, const subset *set, int joint, bool weighted) {
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
  return here > 0.1 * all / FOLDS;
}

/* log ratio of the squared errors over the folds: mean, standard error, folds that are not better;
 * NaN if the joint does not move in one of them */
static void log_ratio(double *mean, double *sigma, int *worse, const search *s, const subset *with,
                      const subset *without, int joint) {
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
  return positive == FOLDS || (negative == FOLDS && !term(s, set, i)->nonnegative);
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
static bool predicts_better(const search *s, const subset *with, const subset *without, int joint,
                            double errors, double least_fall, int worse_most) {
  double mean, sigma;
  int worse;
  log_ratio(&mean, &sigma, &worse, s, with, without, joint);
  if (!(mean + errors * sigma < 0) || worse > worse_most) return false;
  if (!(pooled(s, with, joint, true) <= (1 - least_fall) * pooled(s, without, joint, true)))
    return false;
  for (int weighted = 0; weighted < 2; weighted++)
    if (!(pooled(s, with, -1, weighted) <= pooled(s, without, -1, weighted))) return false;
  return true;
}

/* The same for the term `item`, and the coefficients make sense. */
static bool passes(const search *s, const subset *with, const subset *without, int item,
                   bool is_new) {
  const candidate *c = &s->all.item[item];
  const double errors = is_everywhere(s, item) ? s->errors : ERRORS_STRICT;
  const int worse = is_of_family(s, c->as.row) ? WORSE_FOLDS : WORSE_FOLDS_LONE;
  if (!predicts_better(s, with, without, c->joint, errors, LEAST_FALL, worse)) return false;
  for (int i = 0; i < with->count; i++)
    if (!term(s, with, i)->is_plain && !sign_is_stable(s, with, i)) return false;
  return !is_new || is_independent(s, with, item);
}

/* the Coulomb friction of the plain model takes the place of a law that replaces it */
static void remove_item(const search *s, subset *set, int i) {
  const candidate *c = term(s, set, i);
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
  while (at < set->count &&
         !(c->law->replaces && term(s, set, at)->is_plain && term(s, set, at)->joint == c->joint))
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
    const candidate *other = term(s, &s->now, i);
    if (other->joint != c->joint || other->is_plain) continue;
    here += !other->law->replaces;
    if (other->law == c->law) return false;
    ready = ready || other->law == c->after;
  }
  return ready && (c->law->replaces || here < TERMS_PER_JOINT);
}

/* all candidates of a kind that are in every fold and independent of the other columns */
static bool add_family(search *s, subset *set, int kind) {
  bool any = false;
  for (int i = 0; i < s->all.count && set->count < CHOSEN_MOST; i++) {
    if (s->all.item[i].kind != kind || !is_open(s, &s->all.item[i]) || !is_everywhere(s, i))
      continue;
    add_item(s, set, i);
    if (is_independent(s, set, i))
      any = true;
    else
      remove_item(s, set, place(set, i));
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
    copy(&s->trial, &s->now, s);
    if (!add_family(s, &s->trial, kind) ||
        !predicts_better(s, &s->trial, &s->now, -1, s->errors, LEAST_FALL, WORSE_FOLDS))
      continue;
    if (best >= 0 && pooled(s, &s->trial, -1, true) >= pooled(s, &s->best, -1, true)) continue;
    copy(&s->best, &s->trial, s);
    best = kind;
  }
  if (best < 0) return;
  copy(&s->now, &s->best, s);
  s->family |= 1u << row_of_kind(s, best);
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
      if (term(s, &s->now, i)->is_plain || is_needed(s, &s->now, i)) continue;
      copy(&s->trial, &s->now, s);
      remove_item(s, &s->trial, i);
      if (!rbv_folds_evaluate(&s->trial, &s->folds)) continue;
      const int joint = term(s, &s->now, i)->joint;
      if (passes(s, &s->now, &s->trial, s->now.item[i], false)) continue;
      const double cost = pooled(s, &s->trial, joint, true) / pooled(s, &s->now, joint, true);
      if (worst >= 0 && cost >= least) continue;
      worst = i;
      least = cost;
    }
    if (worst < 0) return changed;
    remove_item(s, &s->now, worst);
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
    copy(&s->trial, &s->now, s);
    add_item(s, &s->trial, i);
    if (!rbv_folds_evaluate(&s->trial, &s->folds)) continue;
    if (any && pooled(s, &s->trial, joint, true) >= pooled(s, &s->best, joint, true)) continue;
    if (!passes(s, &s->trial, &s->now, i, true)) continue;
    copy(&s->best, &s->trial, s);
    any = true;
  }
  if (any) copy(&s->now, &s->best, s);
  return any;
}

/* the plain model */
static void clear(search *s, subset *set) {
  set->count = 0;
  for (int i = 0; i < s->all.count; i++)
    if (s->all.item[i].is_plain) set->item[set->count++] = i;
  (void)rbv_folds_evaluate(set, &s->folds);
}

/* the value of each shape parameter that predicts best, one parameter after another */
static void refine(search *s) {
  for (int i = 0; i < s->now.count; i++) {
    const int of = term(s, &s->now, i)->of, joint = term(s, &s->now, i)->joint;
    for (int k = 0; k < s->all.count && of >= 0; k++) {
      if (s->all.item[k].of != of || s->all.item[k].is_term) continue;
      copy(&s->trial, &s->now, s);
      s->trial.item[i] = k;
      if (rbv_folds_evaluate(&s->trial, &s->folds) &&
          pooled(s, &s->trial, joint, true) < pooled(s, &s->now, joint, true))
        copy(&s->now, &s->trial, s);
    }
  }
}

/* the terms of the last pass */
static void restore(search *s) {
  clear(s, &s->now);
  for (int i = 0; i < s->all.count; i++)
    if (s->all.item[i].is_term) add_item(s, &s->now, i);
  (void)rbv_folds_evaluate(&s->now, &s->folds);
}

/* keep the terms for the next pass; true if one is new or gone, or its value is still refined */
static bool store(search *s) {
  const int count = s->nchosen;
  bool changed = false;
  chosen_term before[CHOSEN_MOST];
  memcpy(before, s->chosen, sizeof before);
  s->nchosen = 0;
  for (int i = 0; i < s->now.count; i++) {
    const candidate *c = term(s, &s->now, i);
    if (c->is_plain) continue;
    chosen_term *to = &s->chosen[s->nchosen++];
    *to = c->as;
    changed = changed || c->of < 0;
    if (c->of < 0 || !(c->as.step > 1)) continue;
    // the values near it were tried: the best one is known to their distance
    to->step = before[c->of].step > FINEST ? pow(before[c->of].step, 1.0 / FRICTION_NEAR) : 1;
    changed = changed || to->step > 1;
  }
  return changed || s->nchosen != count;
}

/* the last passes only refine */
static bool adds_terms(int pass) { return pass + 2 < PASSES; }

/*
 * One pass: refine the shape parameters of the terms and remove terms that no longer pass. If none
 * was removed, add one family to all joints that may get a term, and then at most one term per
 * joint. A value that is only roughly right must not be compensated by a further term, so each
 * term is refined before the joint gets the next one.
 */
static void search_pass(search *s, int pass) {
  restore(s);
  refine(s);
  if (remove_terms(s) || !adds_terms(pass)) return;
  choose_family(s);
  (void)remove_terms(s);
  for (int j = 0; j < s->m->njoint; j++) {
    bool rough = false;
    for (int i = 0; i < s->now.count; i++) {
      const candidate *c = term(s, &s->now, i);
      rough = rough || (c->joint == j && c->as.step > (c->of < 0 ? 1 : FRICTION_ROUGH));
    }
    if (!rough) (void)add_term(s, j);
  }
}

/* the whole must be better than nothing by its standard error */
static void check_whole(search *s) {
  clear(s, &s->trial);
  double mean, sigma;
  int worse;
  log_ratio(&mean, &sigma, &worse, s, &s->now, &s->trial, -1);
  if (term_count(s) > 0 && !(mean + WHOLE_ERRORS * sigma < 0)) clear(s, &s->now);
}

/* ---- equations ---- */

static rbv_status add_motions(rbv_equations *system, search *s, rbv_motion *const *motions,
                              int nmotion, const motion_deal *deal) {
  for (int i = 0; i < nmotion; i++) {
    state_track *track = NULL;
    rbv_equations_set_folds(system, deal[i].npiece);
    rbv_equations_set_deal(system, (rbv_deal){FOLDS, deal[i].fold});
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

static void free_subsets(search *s) {
  subset *set[] = {&s->now, &s->trial, &s->best};
  for (int i = 0; i < RBV_COUNT(set); i++) {
    rbv_free(set[i]->coefficient);
    rbv_free(set[i]->rss);
  }
}

static void free_pass(search *s) {
  rbv_folds_free(&s->folds);
  rbv_friction_candidates_free(&s->all);
}

/* Is the column one term of its joint's torque row, in proportion to the sign of its speed? */
static bool is_simple(const rbv_model *m, int column) {
  int count = 0;
  bool simple = true;
  for (int t = 0; t < m->nterm; t++) {
    const drive_term *term = &m->term[t];
    if (term->column != column) continue;
    count++;
    simple = simple && term->joint == m->column[column].joint && term->count == 1 &&
             m->direction_joint[term->first] == term->joint &&
             m->direction_weight[term->first] == 1 && term->gain == 1;
  }
  return simple && count == 1 && m->nrow == m->njoint;
}

/* the Coulomb friction of joints that may get a law that replaces it */
static void find_replaceable(search *s, const rbv_estimate *plain, const joint_facts *facts) {
  const int n = plain->base->count;
  for (int k = 0; k < n; k++) {
    const int c = plain->base->kept[k], j = s->m->column[c].joint;
    if (rbv_column_has_law(&s->m->column[c], "Fc") && !rbv_is_coupling(&s->m->column[c]) &&
        facts[j].eligible && is_simple(s->m, c) &&
        isfinite(plain->covariance[k + (ptrdiff_t)k * n]))
      s->replaceable[j] = true;
  }
}

/* Is the column among the candidates? Then it is not eliminated with the plain model. */
static bool is_candidate(const search *s, int column) {
  const rbv_column *c = &s->m->column[column];
  return rbv_column_has_law(c, "Fc") && !rbv_is_coupling(c) && s->replaceable[c->joint];
}

/* the equations of the plain model and all candidates, divided into folds */
static rbv_status prepare(search *s, const rbv_estimate *plain, rbv_motion *const *motions,
                          int nmotion, const rbv_row_filter *filter, const motion_deal *deal) {
  const int n = plain->base->count, nrow = s->m->nrow;
  rbv_equations *system = NULL;
  bool *used = rbv_alloc(2 * (size_t)n * sizeof *used), *const friction = used + n;
  double *sigma = rbv_alloc((size_t)nrow * sizeof *sigma);
  rbv_status status = used && sigma ? RBV_OK : RBV_EMEM;
  for (int k = 0; k < n && status == RBV_OK; k++) {
    used[k] =
        isfinite(plain->covariance[k + (ptrdiff_t)k * n]) && !is_candidate(s, plain->base->kept[k]);
    friction[k] = used[k] && rbv_is_friction(&s->m->column[plain->base->kept[k]]);
  }
  for (int r = 0; r < nrow && status == RBV_OK; r++)
    sigma[r] = plain->fit.row[r].sigma > 0 ? plain->fit.row[r].sigma : 1;
  if (status == RBV_OK)
    status =
        rbv_equations_new_extended(&system, s->m, plain->base->kept, n, filter, &s->all.columns);
  if (status == RBV_OK) status = rbv_equations_set_load(system, plain->chi);
  if (status == RBV_OK) status = add_motions(system, s, motions, nmotion, deal);
  if (status == RBV_OK)
    status = rbv_folds_new(&s->folds, system, n, used, friction, sigma, s->all.count, nrow);
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
  int worse;
  log_ratio(&mean, &error, &worse, s, with, without, joint);
  *gain = 1 - exp(mean / 2);
  *sigma = exp(mean / 2) * error / 2;
}

static void put_term(rbv_friction_choice *c, search *s, int i) {
  const candidate *from = term(s, &s->now, i);
  // in the order of the joints
  int at = 0;
  for (int k = 0; k < s->now.count; k++) {
    const int joint = term(s, &s->now, k)->joint;
    at +=
        !term(s, &s->now, k)->is_plain && (joint < from->joint || (joint == from->joint && k < i));
  }
  rbv_friction_term *to = &c->term[at];
  const double ratio = 1 + s->step[i] / from->as.own;
  const bool inside = ratio > 1 / FINEST && ratio < FINEST && !from->lowest &&
                      ratio * from->as.own >= from->low && ratio * from->as.own <= from->high;
  *to = (rbv_friction_term){.law = from->law,
                            .joint = from->joint,
                            .shape = from->as.own * (inside ? ratio : 1),
                            .shape_sigma = from->lowest ? NAN : s->sigma[i],
                            .at_bound = from->lowest};
  copy(&s->trial, &s->now, s);
  remove_item(s, &s->trial, i);
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
    if (!isnan(t->shape)) used += (size_t)snprintf(c->list + used, size - used, "=%.9g", t->shape);
  }
}

static double relative_error(const search *s, const subset *set) {
  double yy = 0;
  for (int r = 0; r < s->folds.nrow; r++) yy += s->folds.torque[r];
  return sqrt(pooled(s, set, -1, false) / yy);
}

static rbv_status make_choice(rbv_friction_choice **out, search *s, const joint_facts *facts,
                              int blocks, const char *reason) {
  RBV_TRY(new_choice(out, s->m->njoint, reason ? 0 : term_count(s)));
  rbv_friction_choice *c = *out;
  c->blocks = blocks;
  c->reason = reason;
  for (int j = 0; j < c->njoint; j++) c->eligible[j] = facts[j].eligible;
  if (reason) return RBV_OK;
  for (int i = 0; i < s->now.count; i++)
    if (!term(s, &s->now, i)->is_plain) put_term(c, s, i);
  put_list(c);
  clear(s, &s->trial);
  c->plain = relative_error(s, &s->trial);
  c->chosen = relative_error(s, &s->now);
  put_gain(&c->gain, &c->gain_sigma, s, &s->now, &s->trial, -1);
  return RBV_OK;
}

/* the recordings that are searched */
typedef struct {
  rbv_motion *const *motions;
  int nmotion;
  const rbv_row_filter *filter;
  double block_s, holdout;
  int blocks;
  joint_facts *facts;
  motion_deal *deal;
  const rbv_law *only;  // one comparison with this law instead of a search; NULL: a search
} data;

static rbv_status start_pass(search *s, const data *d, const rbv_estimate *plain, bool adds) {
  free_pass(s);
  RBV_TRY(rbv_friction_candidates(&s->all, s->m, d->facts, s->chosen, s->nchosen, adds,
                                  s->replaceable, d->only));
  return prepare(s, plain, d->motions, d->nmotion, d->filter, d->deal);
}

/* keep the Coulomb friction of the plain model where a law that replaces it predicts worse */
static void restore_coulomb(search *s) {
  for (int i = 0; i < s->now.count; i++) {
    const candidate *c = term(s, &s->now, i);
    double mean, sigma;
    int worse;
    if (!c->law->replaces) continue;
    copy(&s->trial, &s->now, s);
    remove_item(s, &s->trial, i);
    if (!rbv_folds_evaluate(&s->trial, &s->folds)) continue;
    log_ratio(&mean, &sigma, &worse, s, &s->now, &s->trial, c->joint);
    if (mean > WHOLE_ERRORS * sigma) copy(&s->now, &s->trial, s);
  }
}

/*
 * Friction at rest has the value of the last motion; a smoothed sign is zero there. A law that
 * replaces the Coulomb friction adds no parameter: at all joints together it is taken if it
 * predicts better, without a margin. Here equations at rest count, too.
 */
static rbv_status replace_coulomb(search *s, const data *d, const rbv_estimate *plain) {
  if (term_count(s) == 0) return RBV_OK;
  find_replaceable(s, plain, d->facts);
  rbv_row_filter every = *d->filter;
  every.mask = 0;
  data only = *d;
  only.filter = &every;
  only.only = rbv_law_find("Fch");
  RBV_TRY(start_pass(s, &only, plain, true));
  restore(s);
  copy(&s->best, &s->now, s);
  for (int kind = 0; kind < s->all.nkind; kind++) {
    copy(&s->trial, &s->now, s);
    if (add_family(s, &s->trial, kind) && predicts_better(s, &s->trial, &s->now, -1, 0, 0, FOLDS) &&
        pooled(s, &s->trial, -1, true) < pooled(s, &s->best, -1, true))
      copy(&s->best, &s->trial, s);
  }
  copy(&s->now, &s->best, s);
  restore_coulomb(s);
  (void)store(s);
  return RBV_OK;
}

/* uncertainty of the shape parameters, with derivatives from values near them */
static rbv_status find_shapes(search *s, const data *d, const rbv_estimate *plain) {
  bool any = false;
  s->nchosen = 0;
  for (int i = 0; i < s->now.count; i++) {
    s->sigma[i] = NAN;
    if (term(s, &s->now, i)->is_plain) continue;
    chosen_term *to = &s->chosen[s->nchosen++];
    *to = term(s, &s->now, i)->as;
    if (isnan(to->own)) continue;
    // the shortest lengths are not determined well enough for a standard error
    if (!term(s, &s->now, i)->law->replaces) to->step = NEIGHBOUR;
    any = true;
  }
  if (!any) return RBV_OK;
  RBV_TRY(start_pass(s, d, plain, false));
  restore(s);
  return rbv_friction_shapes(s->step, s->sigma, &s->now, &s->folds, &s->all);
}

/* passes over the recordings until the terms and their shape parameters no longer change */
static rbv_status run_search(rbv_friction_choice **out, search *s, const data *d,
                             const rbv_estimate *plain) {
  subset *set[] = {&s->now, &s->trial, &s->best};
  for (int i = 0; i < RBV_COUNT(set); i++) RBV_TRY(new_subset(set[i], s->m->nrow));
  bool changed = true;
  for (int pass = 0; pass < PASSES && changed; pass++) {
    RBV_TRY(start_pass(s, d, plain, adds_terms(pass)));
    if (pass == 0 && s->all.count == 0)
      return make_choice(out, s, d->facts, d->blocks, "no joint moves and reverses enough");
    restore(s);
    // otherwise the comparison of friction terms is one of rigid-body parameters
    const double ratio = relative_error(s, &s->now) / plain->fit.relative_error;
    if (pass == 0) s->errors = ratio <= POOR ? ERRORS : ERRORS_STRICT;
    if (pass == 0 && !(ratio <= EXTRAPOLATES))
      return make_choice(out, s, d->facts, d->blocks,
                         "the motion determines the other parameters too poorly");
    search_pass(s, pass);
    changed = store(s) && !d->only;
  }
  check_whole(s);
  (void)store(s);
  if (!d->only) RBV_TRY(replace_coulomb(s, d, plain));
  RBV_TRY(find_shapes(s, d, plain));
  return make_choice(out, s, d->facts, d->blocks, NULL);
}

static rbv_status choose(rbv_friction_choice **out, search *s, data *d) {
  RBV_TRY(
      rbv_friction_facts(d->facts, s->m, d->motions, d->nmotion, d->holdout, d->filter->threads));
  RBV_TRY(rbv_friction_deal(d->deal, &d->block_s, d->facts, d->motions, d->nmotion, d->holdout));
  for (int i = 0; i < d->nmotion; i++) d->blocks += d->deal[i].blocks;
  if (!(d->block_s >= BLOCK_SHORTEST_S))
    return make_choice(out, s, d->facts, d->blocks, "the recordings are too short");
  rbv_identify_options how = rbv_identify_defaults();
  how.filter = *d->filter;
  how.holdout = d->holdout;
  rbv_estimate *plain;
  RBV_TRY(rbv_identify(&plain, s->m, d->motions, d->nmotion, &how));
  const rbv_status status = run_search(out, s, d, plain);
  rbv_estimate_free(plain);
  return status;
}

static rbv_status start(rbv_friction_choice **out, const rbv_model *m, rbv_motion *const *motions,
                        int nmotion, const rbv_row_filter *filter, double holdout,
                        const rbv_law *only) {
  search *s = rbv_alloc(sizeof *s);
  joint_facts *facts = rbv_alloc((size_t)m->njoint * sizeof *facts);
  motion_deal *deal = rbv_alloc((size_t)nmotion * sizeof *deal);
  bool *replaceable = rbv_alloc((size_t)m->njoint * sizeof *replaceable);
  rbv_status status = s && facts && deal && replaceable ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK) {
    s->m = m;
    s->replaceable = replaceable;
    data d = {.motions = motions,
              .nmotion = nmotion,
              .filter = filter,
              .holdout = holdout,
              .facts = facts,
              .deal = deal,
              .only = only};
    status = choose(out, s, &d);
    free_pass(s);
    free_subsets(s);
  }
  rbv_free(s);
  rbv_free(replaceable);
  rbv_free(facts);
  rbv_friction_deal_free(deal, nmotion);
  return status;
}

rbv_status rbv_friction_choose(rbv_friction_choice **out, const rbv_model *m,
                               rbv_motion *const *motions, int nmotion,
                               const rbv_row_filter *filter, double holdout) {
  *out = NULL;
  if (!m || !motions || nmotion < 1 || !filter)
    return rbv_fail(RBV_EARG, "a choice of friction needs a model, motions and a filter");
  return start(out, m, motions, nmotion, filter, holdout, NULL);
}

rbv_status rbv_friction_test(rbv_friction_choice **out, const rbv_model *m,
                             rbv_motion *const *motions, int nmotion, const rbv_row_filter *filter,
                             const char *law) {
  *out = NULL;
  if (!m || !motions || nmotion < 1 || !filter)
    return rbv_fail(RBV_EARG, "a test of friction needs a model, motions and a filter");
  const rbv_law *only = rbv_law_find(law);
  if (!only || rbv_law_own_shape(only) >= 0)
    return rbv_fail(RBV_EARG, "a test of friction needs a law without shape parameter");
  return start(out, m, motions, nmotion, filter, 0, only);
}
