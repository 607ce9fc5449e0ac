/*
 * Signs, joint order, gear ratios and units, checked against a prior. Every possible mistake is a
 * hypothesis: correct it, predict the rigid torque of the prior, add simple friction, and compute
 * how much more of the torque is explained. The best correction is kept while it improves the
 * score. If the torque is not explained in the end, the log belongs to another robot.
 */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <stdio.h>
#include <string.h>

#include "check/prior_fit.h"
#include "signal/signal.h"

/* ---- hypotheses ---- */

/* number of joints that exceed their position limits with a correction */
static int count_beyond(const workspace *b, const correction *r) {
  int beyond = 0;
  for (int j = 0; j < b->n; j++) {
    const rbv_limits *l = &rbv_model_joint(b->m, j)->limits;
    const double middle = (l->upper + l->lower) / 2, half = (l->upper - l->lower) / 2;
    const double *q = b->v->knot_q + r->q_from[j] * b->count;
    bool out = false;
    for (ptrdiff_t k = 0; k < b->count && isfinite(half); k++)
      out |= fabs(r->q_scale[j] * q[k] - middle) > BEYOND * half;
    beyond += out;
  }
  return beyond;
}

/* true for a small range: as degrees it would be almost constant, which fits any torque */
static bool is_tiny(const workspace *b, const mistake *m) {
  if (m->kind != FROM_DEGREES || m->i < 0) return false;
  const double *q = b->v->knot_q + b->now.q_from[m->i] * b->count;
  double low = INFINITY, high = -INFINITY;
  for (ptrdiff_t k = 0; k < b->count; k++) {
    low = fmin(low, q[k]);
    high = fmax(high, q[k]);
  }
  return (high - low) * fabs(b->now.q_scale[m->i]) * DEGREE < LEAST_RANGE;
}

/* largest unexplained share of the joints of a mistake */
static double worst_share(const workspace *b, const mistake *m, const double *error) {
  double worst = 0;
  for (int r = 0; r < b->nrow; r++) {
    const int j = rbv_model_row(b->m, r)->joint;
    if (m->i < 0 || j == m->i || j == m->j) worst = fmax(worst, error[r]);
  }
  return worst;
}

static void try_one(candidate *best, workspace *b, const mistake *m) {
  if (is_tiny(b, m)) return;
  rbv_prior_copy(&b->trial, &b->now, b->n, b->nrow);
  double credit = 0;
  if (rbv_prior_correct(&b->trial, b, m)) {
    const int before = count_beyond(b, &b->now), after = count_beyond(b, &b->trial);
    if (after > before) return;
    credit = WITHIN_LIMITS * (before - after);
    rbv_prior_predict(b, &b->trial);
  }
  rbv_prior_shares(b->error, b, &b->trial);
  const double s = rbv_prior_score(b->error, b->nrow) - credit;
  // the prior must contribute: a correction that only removes motion does not count
  if (!(s < best->score) || rbv_prior_score(b->without, b->nrow) <
                                rbv_prior_score(b->error, b->nrow) + LEAST_GAIN_OF_SCORE)
    return;
  const bool scaled = m->kind == SCALE_TORQUE || m->kind == SCALE_BOTH;
  if (worst_share(b, m, b->error) > (scaled ? GAIN_FIT : UNEXPLAINED)) return;
  *best = (candidate){*m, s, 1};
  memcpy(b->best_error, b->error, (size_t)b->nrow * sizeof(double));
  for (int r = 0; r < b->nrow; r++)
    if (rbv_model_row(b->m, r)->joint == m->i) best->gain = b->gain[r];
}

/* mistakes that do not change positions come first: they share one prediction */
static void try_all(candidate *best, workspace *b) {
  rbv_prior_predict(b, &b->now);
  for (int i = 0; i < b->n; i++) {
    try_one(best, b, &(mistake){FLIP_TORQUE, i, -1, -1});
    try_one(best, b, &(mistake){SCALE_TORQUE, i, -1, 1});
    for (int j = i + 1; j < b->n; j++) try_one(best, b, &(mistake){SWAP_TORQUES, i, j, 1});
  }
  try_one(best, b, &(mistake){FROM_DEGREES, -1, -1, DEGREE});
  for (int i = 0; i < b->n; i++) {
    try_one(best, b, &(mistake){FLIP_POSITION, i, -1, -1});
    try_one(best, b, &(mistake){FLIP_BOTH, i, -1, -1});
    try_one(best, b, &(mistake){FROM_DEGREES, i, -1, DEGREE});
    for (int j = i + 1; j < b->n; j++) {
      try_one(best, b, &(mistake){SWAP_BOTH, i, j, 1});
      try_one(best, b, &(mistake){SWAP_POSITIONS, i, j, 1});
    }
    for (double f = SCALE_FIRST; f < SCALE_LAST; f *= SCALE_STEP) {
      try_one(best, b, &(mistake){SCALE_BOTH, i, -1, f});
      try_one(best, b, &(mistake){SCALE_BOTH, i, -1, 1 / f});
    }
  }
}

static bool suspicious(const workspace *b) {
  for (int r = 0; r < b->nrow; r++)
    if (b->error[r] > SUSPICIOUS) return true;
  return false;
}

/*
 * True if the log belongs to another robot: a third of the rows is not explained, or a third is
 * explained poorly and the prior does not contribute: without it the score rises by less than 1/3
 * per row. For clean logs it rises by 3/4, unless friction dominates; then the joints are explained
 * in the mean.
 */
static bool is_foreign(const workspace *b) {
  int poor = 0, half = 0;
  double mean = 0;
  for (int r = 0; r < b->nrow; r++) {
    poor += b->error[r] > UNEXPLAINED;
    half += b->error[r] > HALF_EXPLAINED;
    mean += b->error[r] / b->nrow;
  }
  if (mean < MOSTLY_EXPLAINED) return false;
  const double part = rbv_prior_score(b->without, b->nrow) - rbv_prior_score(b->error, b->nrow);
  return (poor > 0 && 3 * poor >= b->nrow) ||
         (half > 0 && 3 * half >= b->nrow && part < b->nrow / 3.0);
}

/* ---- findings ---- */

/* what a factor means, from the unexplained shares without and with it */
static rbv_severity severity_of_factor(double before, double after) {
  if (before < CLEARLY_BETTER * after) return RBV_SEVERITY_NOTE;
  return before > BADLY_EXPLAINED ? RBV_SEVERITY_ERROR : RBV_SEVERITY_WARNING;
}

/* a factor between the joint's torque or positions and those of the prior */
static void add_factor(examination *x, const view *v, const candidate *d, rbv_finding f,
                       const char *joint, const char *gain, rbv_severity severity) {
  const char *name = rbv_log_name(v->log);
  f.code = RBV_FINDING_GEAR;
  f.severity = severity;
  if (d->mistake.kind == SCALE_BOTH) {
    rbv_add_finding(
        x, f,
        "%s: the positions of %s should be about %.2g times as large (its torque is then "
        "%.3g times that of the prior): %s. Check its gear ratio in the column map; or the "
        "inertial values of the robot file are wrong",
        name, joint, d->mistake.factor, d->gain, gain);
    return;
  }
  const bool note = severity == RBV_SEVERITY_NOTE;
  f.value = d->gain;
  if (note) f.option = NULL;
  rbv_add_finding(x, f, "%s: the torque of %s is %.3g times that of the prior: %s. %s", name, joint,
                  d->gain, gain,
                  note ? "The joint is well explained, so the inertial values of the robot file "
                         "are probably wrong there, not the gear ratio"
                       : "Check gear ratio, torque constant and unit in the column map; or the "
                         "inertial values of the robot file are wrong");
}

static void add_conflict(examination *x, view *v, const candidate *d, double before, double after) {
  const mistake *m = &d->mistake;
  const char *name = rbv_log_name(v->log);
  char mine[JOINT_LABEL] = "", theirs[JOINT_LABEL] = "", gain[160];
  if (m->i >= 0) rbv_joint_label(mine, x, m->i);
  if (m->j >= 0) rbv_joint_label(theirs, x, m->j);
  snprintf(
      gain, sizeof gain,
      "with this correction the prior leaves %.3g %% of the variance of its torque unexplained "
      "instead of %.3g %%",
      100 * after, 100 * before);
  rbv_finding f =
      finding_with(finding_of(RBV_FINDING_SIGN, RBV_SEVERITY_ERROR, v, m->i, m->factor), "map");
  f.other = m->j;
  switch (m->kind) {
    case NOTHING: return;
    case FLIP_TORQUE:
    case FLIP_POSITION:
    case FLIP_BOTH:
      rbv_add_finding(
          x, f, "%s: the sign of the %s of %s is wrong: %s. Write `sign: -1` in a column map", name,
          m->kind == FLIP_TORQUE     ? "torque"
          : m->kind == FLIP_POSITION ? "position"
                                     : "position and torque",
          mine, gain);
      return;
    case SWAP_BOTH:
    case SWAP_POSITIONS:
    case SWAP_TORQUES:
      f.code = RBV_FINDING_ORDER;
      rbv_add_finding(
          x, f, "%s: the %s of %s and %s are swapped: %s. Exchange their columns in a column map",
          name,
          m->kind == SWAP_BOTH        ? "columns"
          : m->kind == SWAP_POSITIONS ? "positions"
                                      : "torques",
          mine, theirs, gain);
      return;
    case FROM_DEGREES:
      f.code = RBV_FINDING_DEGREES;
      f.value = 1 / DEGREE;
      rbv_add_finding(
          x, f, "%s: the positions%s%s look like degrees: %s. Write `unit: deg` in a column map",
          name, m->i < 0 ? "" : " of ", mine, gain);
      return;
    case SCALE_TORQUE:
    case SCALE_BOTH: add_factor(x, v, d, f, mine, gain, severity_of_factor(before, after)); return;
    case SCALE_ALL_TORQUES: return;
  }
}

/* free gains for all joints: most of them differ from 1 if the unit is wrong */
static bool find_unit(examination *x, view *v, workspace *b) {
  memcpy(b->best_error, b->error, (size_t)b->nrow * sizeof(double));
  rbv_prior_copy(&b->trial, &b->now, b->n, b->nrow);
  rbv_prior_correct(&b->trial, b, &(mistake){SCALE_ALL_TORQUES, -1, -1, 1});
  rbv_prior_shares(b->error, b, &b->trial);
  int off = 0, up = 0;
  double least = INFINITY, most = 0;
  for (int r = 0; r < b->nrow; r++) {
    const double saved = log(fmax(b->best_error[r], EXPLAINED) / fmax(b->error[r], EXPLAINED));
    if (!(saved > LEAST_GAIN_OF_SCORE / 2) || !(b->without[r] > GAIN_SURE * b->error[r]) ||
        b->error[r] > UNEXPLAINED)
      continue;
    off++;
    up += b->gain[r] > 1;
    least = fmin(least, b->gain[r]);
    most = fmax(most, b->gain[r]);
  }
  if (off < 2 || 2 * off < b->nrow || (up > 0 && up < off)) {
    memcpy(b->error, b->best_error, (size_t)b->nrow * sizeof(double));
    return false;
  }
  const rbv_finding f = finding_with(
      finding_of(RBV_FINDING_TORQUE_UNIT, RBV_SEVERITY_ERROR, v, -1, sqrt(least * most)), "map");
  v->unreliable = true;
  rbv_add_finding(
      x, f,
      "%s: the torques of %d joints are %.3g to %.3g times those of the prior. %s Write unit, "
      "gain and ratio in a column map",
      rbv_log_name(v->log), off, least, most,
      most < 1 ? "They may be currents, or torques before the gear."
               : "They may be currents in another unit, or belong to a larger robot of the same "
                 "type.");
  return true;
}

static void add_foreign(examination *x, view *v, const workspace *b) {
  double with = 0, without = 0;
  for (int r = 0; r < b->nrow; r++) {
    with += b->error[r] / b->nrow;
    without += b->without[r] / b->nrow;
  }
  v->unreliable = true;
  rbv_add_finding(
      x, finding_of(RBV_FINDING_FOREIGN, RBV_SEVERITY_ERROR, v, -1, with),
      "%s: friction and the prior of '%s' leave %.3g %% of the variance of the torques unexplained "
      "(%.3g %% without the prior), and no correction of sign, order, gear ratio or unit helps. "
      "The log "
      "seems to belong to another robot, or the prior is wrong",
      rbv_log_name(v->log), rbv_model_name(x->model), 100 * with, 100 * without);
}

/* variance of the white noise of a torque after the low-pass; 0: not known */
static double noise_in_band(const view *v, int r) {
  double variance = 0;
  if (rbv_noise_variance(&variance, v->torque + r * v->count, v->count) != RBV_OK) return 0;
  return variance * fmin(1, 2 * v->cutoff_hz / v->rate_hz);
}

/* variance of the knots of a torque row */
static double variance_of_row(const workspace *b, int r) {
  const double *tau = b->tau + r * b->count;
  double sum = 0, squares = 0;
  for (ptrdiff_t k = 0; k < b->count; k++) sum += tau[k] / (double)b->count;
  for (ptrdiff_t k = 0; k < b->count; k++) squares += (tau[k] - sum) * (tau[k] - sum);
  return squares / (double)b->count;
}

/* joints that the prior does not explain: an unknown tool, a spring, friction only, or noise */
static void add_unexplained(examination *x, const view *v, const workspace *b) {
  for (int r = 0; r < b->nrow; r++) {
    const int j = rbv_model_row(b->m, r)->joint;
    if (!(b->error[r] > UNEXPLAINED)) continue;
    char words[JOINT_LABEL];
    rbv_joint_label(words, x, j);
    const double noise = noise_in_band(v, r);
    if (b->error[r] * variance_of_row(b, r) < NOISE_FACTOR * noise) {
      rbv_add_finding(
          x, finding_of(RBV_FINDING_PRIOR, RBV_SEVERITY_NOTE, v, j, b->error[r]),
          "%s: the torque of %s hardly exceeds its noise (%.2g rms up to %.3g Hz), so its sign and "
          "gear ratio were not checked. Move it faster, or with a load",
          rbv_log_name(v->log), words, sqrt(noise), v->cutoff_hz);
      continue;
    }
    rbv_add_finding(
        x, finding_of(RBV_FINDING_PRIOR, RBV_SEVERITY_NOTE, v, j, b->error[r]),
        "%s: friction and the prior leave %.3g %% of the variance of the torque of %s unexplained, "
        "so its sign and gear ratio were not checked. Look for a tool or a spring that the prior "
        "lacks",
        rbv_log_name(v->log), 100 * b->error[r], words);
  }
}

/* ---- the detector ---- */

/* wrong gains of joints that are explained too well for the score to show it */
static int find_gains(workspace *b, candidate *found, double *shares, int count) {
  rbv_prior_copy(&b->trial, &b->now, b->n, b->nrow);
  rbv_prior_correct(&b->trial, b, &(mistake){SCALE_ALL_TORQUES, -1, -1, 1});
  for (int r = 0; r < b->nrow && count < b->n; r++) {
    const double held = rbv_prior_share(b, &b->now, r), left = rbv_prior_share(b, &b->trial, r),
                 g = b->gain[r];
    const bool shown =
        b->without[r] > GAIN_SURE * left && held > GAIN_SAVES * left && left < GAIN_FIT;
    if (b->now.gain[r] == 0 || !shown || (g < GAIN_FACTOR && g > 1 / GAIN_FACTOR)) continue;
    shares[2 * count] = held;
    shares[2 * count + 1] = left;
    found[count++] = (candidate){{SCALE_TORQUE, rbv_model_row(b->m, r)->joint, -1, 1}, 0, g};
  }
  return count;
}

static bool joint_saturates(const examination *x, int log, int joint) {
  for (int i = 0; i < x->nfinding; i++) {
    const rbv_finding *f = &x->finding[i];
    if (f->code == RBV_FINDING_SATURATED && f->log == log && f->joint == joint) return true;
  }
  return false;
}

static void search(examination *x, view *v, workspace *b, candidate *found, double *shares) {
  int count = 0;
  rbv_prior_predict(b, &b->now);
  rbv_prior_shares(b->error, b, &b->now);
  if (find_unit(x, v, b)) return;
  double *kept = shares + 2 * b->n;  // copy of the errors, which trials overwrite
  for (; count < b->n && suspicious(b); count++) {
    memcpy(kept, b->error, (size_t)b->nrow * sizeof(double));
    candidate best = {
        {NOTHING, -1, -1, 1}, rbv_prior_score(kept, b->nrow) - LEAST_GAIN_OF_SCORE, 1};
    try_all(&best, b);
    if (best.mistake.kind == NOTHING) break;
    rbv_prior_correct(&b->now, b, &best.mistake);
    found[count] = best;
    shares[2 * count] = worst_share(b, &best.mistake, kept);
    shares[2 * count + 1] = worst_share(b, &best.mistake, b->best_error);
    memcpy(b->error, b->best_error, (size_t)b->nrow * sizeof(double));
    rbv_prior_predict(b, &b->now);
  }
  rbv_prior_predict(b, &b->now);
  rbv_prior_shares(b->error, b, &b->now);
  if (is_foreign(b)) {
    add_foreign(x, v, b);
    return;
  }
  add_unexplained(x, v, b);
  count = find_gains(b, found, shares, count);
  for (int k = 0; k < count; k++) {
    // a clipped torque is too small, and has a finding already
    const bool scaled = found[k].mistake.kind == SCALE_TORQUE;
    if (scaled && joint_saturates(x, v->number, found[k].mistake.i)) continue;
    add_conflict(x, v, &found[k], shares[2 * k], shares[2 * k + 1]);
    const bool factor = scaled || found[k].mistake.kind == SCALE_BOTH;
    if (!factor || severity_of_factor(shares[2 * k], shares[2 * k + 1]) == RBV_SEVERITY_ERROR)
      v->unreliable = true;
  }
}

rbv_status rbv_detect_prior_conflicts(examination *x, view *v) {
  if (!x->prior) {
    rbv_add_finding(
        x, finding_of(RBV_FINDING_NO_PRIOR, RBV_SEVERITY_NOTE, v, -1, NAN),
        "%s: '%s' has no masses, so signs, gear ratios and joint order were not checked. They "
        "need a URDF with inertials or a `parameters` list",
        rbv_log_name(v->log), rbv_model_name(x->model));
    return RBV_OK;
  }
  if (v->nknot < 8 * FEATURES) return RBV_OK;
  workspace b;
  char *memory = NULL;
  candidate *found = rbv_alloc((size_t)v->njoint * sizeof *found);
  double *shares = rbv_alloc((size_t)(2 * v->njoint + v->nrow) * sizeof *shares);
  rbv_status status = found && shares ? rbv_prior_prepare(&b, &memory, x, v) : RBV_EMEM;
  if (status == RBV_OK) search(x, v, &b, found, shares);
  if (memory) rbv_dynamics_free(b.d);
  rbv_free(memory);
  rbv_free(found);
  rbv_free(shares);
  return status;
}
