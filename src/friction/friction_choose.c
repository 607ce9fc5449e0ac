/* The choice of terms: passes over the recordings, and the result. */
#include <math.h>
#include <roberval/sys/identify.h>
#include <stdio.h>
#include <string.h>

#include "friction/friction_search.h"

/* ---- equations ---- */

static rbv_status add_motions(rbv_equations *system, search *s, rbv_motion *const *motions,
                              int nmotion, const motion_deal *deal) {
  for (int i = 0; i < nmotion; i++) {
    state_track *track = NULL;
    rbv_equations_set_folds(system, deal[i].npiece);
    rbv_equations_set_deal(system, (rbv_deal){FOLDS, deal[i].fold});
    rbv_status status =
        rbv_friction_columns_begin(&s->all, &s->kept[i], &s->kept_bytes, motions[i]);
    if (status == RBV_OK)
      status = rbv_state_track_new(&track, motions[i], s->all.law, s->all.nstate);
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
  rbv_search_log_ratio(&mean, &error, &worse, s, with, without, joint);
  *gain = 1 - exp(mean / 2);
  *sigma = exp(mean / 2) * error / 2;
}

static void put_term(rbv_friction_choice *c, search *s, int i) {
  const candidate *from = rbv_search_term(s, &s->now, i);
  // in the order of the joints
  int at = 0;
  for (int k = 0; k < s->now.count; k++) {
    const int joint = rbv_search_term(s, &s->now, k)->joint;
    at += !rbv_search_term(s, &s->now, k)->is_plain &&
          (joint < from->joint || (joint == from->joint && k < i));
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
  rbv_search_copy(&s->trial, &s->now, s);
  rbv_search_remove_item(s, &s->trial, i);
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
  return sqrt(rbv_search_pooled(s, set, -1, false) / yy);
}

static rbv_status make_choice(rbv_friction_choice **out, search *s, const joint_facts *facts,
                              int blocks, const char *reason) {
  RBV_TRY(new_choice(out, s->m->njoint, reason ? 0 : rbv_search_term_count(s)));
  rbv_friction_choice *c = *out;
  c->blocks = blocks;
  c->reason = reason;
  for (int j = 0; j < c->njoint; j++) c->eligible[j] = facts[j].eligible;
  if (reason) return RBV_OK;
  for (int i = 0; i < s->now.count; i++)
    if (!rbv_search_term(s, &s->now, i)->is_plain) put_term(c, s, i);
  put_list(c);
  rbv_search_clear(s, &s->trial);
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

/* keep the Coulomb friction of the plain model where a law that replaces it predicts worse by more
 * than the standard error */
static void restore_coulomb(search *s) {
  for (int i = 0; i < s->now.count; i++) {
    const candidate *c = rbv_search_term(s, &s->now, i);
    double mean, sigma;
    int worse;
    if (!c->law->replaces) continue;
    rbv_search_copy(&s->trial, &s->now, s);
    rbv_search_remove_item(s, &s->trial, i);
    if (!rbv_folds_evaluate(&s->trial, &s->folds)) continue;
    rbv_search_log_ratio(&mean, &sigma, &worse, s, &s->now, &s->trial, c->joint);
    if (mean > sigma) rbv_search_copy(&s->now, &s->trial, s);
  }
}

/*
 * Friction at rest has the value of the last motion; a smoothed sign is zero there. A law that
 * replaces the Coulomb friction adds no parameter: at all joints together it is taken if it
 * predicts better, without a margin. Here equations at rest count, too.
 */
static rbv_status replace_coulomb(search *s, const data *d, const rbv_estimate *plain) {
  if (rbv_search_term_count(s) == 0) return RBV_OK;
  find_replaceable(s, plain, d->facts);
  rbv_row_filter every = *d->filter;
  every.mask = 0;
  data only = *d;
  only.filter = &every;
  only.only = rbv_law_find("Fch");
  RBV_TRY(start_pass(s, &only, plain, true));
  rbv_search_restore(s);
  rbv_search_copy(&s->best, &s->now, s);
  for (int kind = 0; kind < s->all.nkind; kind++) {
    rbv_search_copy(&s->trial, &s->now, s);
    if (rbv_search_add_family(s, &s->trial, kind) &&
        rbv_search_predicts_better(s, &s->trial, &s->now, -1, 0, 0, FOLDS) &&
        rbv_search_pooled(s, &s->trial, -1, true) < rbv_search_pooled(s, &s->best, -1, true))
      rbv_search_copy(&s->best, &s->trial, s);
  }
  rbv_search_copy(&s->now, &s->best, s);
  restore_coulomb(s);
  (void)rbv_search_store(s);
  return RBV_OK;
}

/* uncertainty of the shape parameters, with derivatives from values near them */
static rbv_status find_shapes(search *s, const data *d, const rbv_estimate *plain) {
  bool any = false;
  s->nchosen = 0;
  for (int i = 0; i < s->now.count; i++) {
    s->sigma[i] = NAN;
    if (rbv_search_term(s, &s->now, i)->is_plain) continue;
    chosen_term *to = &s->chosen[s->nchosen++];
    *to = rbv_search_term(s, &s->now, i)->as;
    if (isnan(to->own)) continue;
    // the shortest lengths are not determined well enough for a standard error
    if (!rbv_search_term(s, &s->now, i)->law->replaces) to->step = NEIGHBOUR;
    any = true;
  }
  if (!any) return RBV_OK;
  RBV_TRY(start_pass(s, d, plain, false));
  rbv_search_restore(s);
  return rbv_friction_shapes(s->step, s->sigma, &s->now, &s->folds, &s->all);
}

/* passes over the recordings until the terms and their shape parameters no longer change */
static rbv_status run_search(rbv_friction_choice **out, search *s, const data *d,
                             const rbv_estimate *plain) {
  subset *set[] = {&s->now, &s->trial, &s->best};
  for (int i = 0; i < RBV_COUNT(set); i++) RBV_TRY(new_subset(set[i], s->m->nrow));
  bool changed = true;
  for (int pass = 0; pass < PASSES && changed; pass++) {
    RBV_TRY(start_pass(s, d, plain, rbv_search_adds_terms(pass)));
    if (pass == 0 && s->all.count == 0)
      return make_choice(out, s, d->facts, d->blocks, "no joint moves and reverses enough");
    rbv_search_restore(s);
    // otherwise the comparison of friction terms is one of rigid-body parameters
    const double ratio = relative_error(s, &s->now) / plain->fit.relative_error;
    if (pass == 0 && !(ratio <= EXTRAPOLATES))
      return make_choice(out, s, d->facts, d->blocks,
                         "the motion determines the other parameters too poorly");
    rbv_search_pass(s, pass);
    changed = rbv_search_store(s) && !d->only;
  }
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
  kept_values *kept = rbv_alloc((size_t)nmotion * sizeof *kept);
  rbv_status status = s && facts && deal && replaceable && kept ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK) {
    s->m = m;
    s->kept = kept;
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
  rbv_kept_values_free(kept, nmotion);
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
