/*
 * Recordings against the masses of the robot file. Every possible mistake is a hypothesis: a common
 * scale, another direction of gravity, compensated gravity, a factor or a sign of one joint, joints
 * that are exchanged, positions in other units, a payload. All are compared by one number, the
 * share of the squared torque that they leave, and only the best is named. Joints with small
 * torques do not count there: signs and orders of them are judged by their own torques.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check/prior_fit.h"

RBV_THRESHOLDS(CHECK_CONFLICT);

/* a hypothesis that changes signs or states, or exchanges torques */
typedef struct {
  mistake mistake;
  double left;
} candidate;

/* what a recording says beside the robot file */
typedef struct {
  prior_fit file, scale, gravity, joint, load;
  double base;                      // the better of file and scale
  double scale_sigma, joint_sigma;  // of the common factor, of that of the joint
  double angle, sigma;              // of the direction of gravity, in degrees
  double size;                      // of gravity, relative to the file's
  candidate state;                  // the best of its kind
  candidate own;                    // the best for the joints that it is about, by their torques
} contest;

/* ---- hypotheses with corrected states ---- */

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
  if (m->kind != FROM_DEGREES) return false;
  double widest = 0;
  for (int j = 0; j < b->n; j++) {
    const double *q = b->v->knot_q + b->now.q_from[j] * b->count;
    double low = INFINITY, high = -INFINITY;
    for (ptrdiff_t k = 0; k < b->count; k++) {
      low = fmin(low, q[k]);
      high = fmax(high, q[k]);
    }
    if (m->i < 0 || m->i == j) widest = fmax(widest, (high - low) * fabs(b->now.q_scale[j]));
  }
  return widest * DEGREE < LEAST_RANGE;
}

/* share of a joint's own squared torque, with a gain, that the file leaves with a free factor */
static double left_alone(workspace *b, fit_kind how, int row, double gain) {
  prior_fit fit = {.kind = how, .joint = -1, .alone = true, .row = row, .gain = gain};
  rbv_prior_solve(&fit, b, -1);
  return fit.left;
}

/*
 * Ratio of what the joints of a mistake leave of their torques after and before the correction, the
 * larger one of two joints. Before it the factor of the file is free and may be negative, because
 * files are often wrong in the wrist: what counts is friction, and the form of the torque.
 */
static double own_ratio(workspace *b, const mistake *m, double gain) {
  double most = 0;
  for (int r = 0; r < b->nrow; r++) {
    const int j = rbv_model_row(b->m, r)->joint;
    if (j != m->i && j != m->j) continue;
    // a joint at rest says nothing
    if (b->moving[r] < LEAST_KNOTS) return INFINITY;
    const double after = left_alone(b, FIT_SCALE, r, gain);
    most = fmax(most, after < OWN_LEFT ? after / b->own[r] : INFINITY);
  }
  return most;
}

/* Position and torque with the wrong sign have friction of the right sign. */
static bool concerns_sign_or_order(const mistake *m) {
  return m->kind == FLIP_POSITION || m->kind == SWAP_BOTH || m->kind == SWAP_POSITIONS ||
         m->kind == SWAP_TORQUES;
}

/* the sign of one torque; its products need no other states */
static void try_signs(contest *c, workspace *b, double gain) {
  for (int r = 0; r < b->nrow; r++) {
    const int j = rbv_model_row(b->m, r)->joint;
    b->own[r] = left_alone(b, FIT_FREE, r, gain);
    const mistake m = {FLIP_TORQUE, j, -1, -1};
    const double ratio = own_ratio(b, &m, -gain);
    if (ratio < c->own.left) c->own = (candidate){m, ratio};
  }
}

static void try_state(contest *c, workspace *b, mistake m) {
  candidate *best = &c->state;
  const double base = c->base;
  if (is_tiny(b, &m)) return;
  rbv_prior_copy(&b->trial, &b->now, b->n);
  if (rbv_prior_correct(&b->trial, b, &m) && count_beyond(b, &b->trial) > count_beyond(b, &b->now))
    return;
  rbv_prior_fill(b, &b->trial);
  prior_fit fit = {.kind = FIT_SCALE, .joint = -1};
  rbv_prior_solve(&fit, b, -1);
  // the file must contribute: a correction that only removes motion must explain nearly all
  const bool unit = m.kind == FROM_DEGREES || m.kind == SCALE_BOTH;
  if (unit && !(fit.left < base / UNIT_GAIN)) return;
  if (fit.left < best->left && fit.x[0] > 0) *best = (candidate){m, fit.left};
  if (!concerns_sign_or_order(&m) || !(fit.left < base * OWN_WORSE)) return;
  const double ratio = own_ratio(b, &m, fit.x[0] > 0 ? fit.x[0] : 1);
  if (ratio < c->own.left) c->own = (candidate){m, ratio};
}

static void try_states(contest *c, workspace *b) {
  try_state(c, b, (mistake){FROM_DEGREES, -1, -1, DEGREE});
  for (int i = 0; i < b->n; i++) {
    try_state(c, b, (mistake){FLIP_POSITION, i, -1, -1});
    try_state(c, b, (mistake){FLIP_BOTH, i, -1, -1});
    try_state(c, b, (mistake){FROM_DEGREES, i, -1, DEGREE});
    for (int j = i + 1; j < b->n; j++) {
      try_state(c, b, (mistake){SWAP_BOTH, i, j, 1});
      try_state(c, b, (mistake){SWAP_POSITIONS, i, j, 1});
      try_state(c, b, (mistake){SWAP_TORQUES, i, j, 1});
    }
    for (double f = SCALE_FIRST; f < SCALE_LAST; f *= SCALE_STEP) {
      try_state(c, b, (mistake){SCALE_BOTH, i, -1, f});
      try_state(c, b, (mistake){SCALE_BOTH, i, -1, 1 / f});
    }
  }
}

/* ---- the contest ---- */

static double factor_of(const prior_fit *f) { return f->x[0] > 0 ? f->x[1] / f->x[0] : 1; }

/* standard deviations of the factors and of the angle, from the parts of time */
static void find_sigmas(contest *c, workspace *b) {
  double s = 0, ss = 0, angles = 0, factors = 0;
  for (int p = 0; p < PARTS; p++) {
    prior_fit fit = {.kind = FIT_SCALE, .joint = -1};
    rbv_prior_solve(&fit, b, p);
    s += fit.x[0] / PARTS;
    ss += fit.x[0] * fit.x[0] / PARTS;
    fit = (prior_fit){.kind = FIT_GRAVITY, .joint = -1};
    rbv_prior_solve(&fit, b, p);
    const double turned = rbv_angle3(fit.x, c->gravity.x);
    angles += turned * turned / PARTS;
    if (!isfinite(c->joint.left)) continue;
    fit = (prior_fit){.kind = FIT_JOINT, .joint = c->joint.joint};
    rbv_prior_solve(&fit, b, p);
    const double off = factor_of(&fit) - factor_of(&c->joint);
    factors += off * off / PARTS;
  }
  c->joint_sigma = sqrt(factors * (PARTS - 1));
  c->scale_sigma = sqrt(fmax(0, ss - s * s) * (PARTS - 1));
  c->sigma = sqrt(angles * (PARTS - 1));
}

static void compare(contest *c, workspace *b) {
  *c = (contest){.file = {.kind = FIT_FILE, .joint = -1},
                 .scale = {.kind = FIT_SCALE, .joint = -1},
                 .gravity = {.kind = FIT_GRAVITY, .joint = -1},
                 .joint = {.left = INFINITY},
                 .load = {.kind = FIT_PAYLOAD, .joint = -1}};
  rbv_prior_fill(b, &b->now);
  rbv_prior_solve(&c->file, b, -1);
  rbv_prior_solve(&c->scale, b, -1);
  rbv_prior_solve(&c->gravity, b, -1);
  rbv_prior_solve(&c->load, b, -1);
  for (int j = 0; j < b->n; j++) {
    prior_fit fit = {.kind = FIT_JOINT, .joint = j};
    rbv_prior_solve(&fit, b, -1);
    const double k = factor_of(&fit);
    if (fit.left < c->joint.left && !(k > 1 / JOINT_FACTOR && k < JOINT_FACTOR)) c->joint = fit;
  }
  c->base = fmin(c->file.left, c->scale.left);
  c->size = rbv_norm3(b->gravity) > 0 ? rbv_norm3(c->gravity.x) / rbv_norm3(b->gravity) : 1;
  c->angle = rbv_norm3(b->gravity) > 0 ? rbv_angle3(c->gravity.x, b->gravity) : 0;
  find_sigmas(c, b);
  // many fits: only if something is left to explain
  c->state = c->own = (candidate){{NOTHING, -1, -1, 1}, INFINITY};
  if (!(c->base > CLEAN)) return;
  try_signs(c, b, c->scale.x[0] > 0 ? c->scale.x[0] : 1);
  try_states(c, b);
}

/* ---- findings ---- */

static void add_scale(examination *x, view *v, const contest *c) {
  const double s = c->scale.x[0];
  if (!(s > 0) || !(fabs(s - 1) > SCALE_SIGMAS * c->scale_sigma)) return;
  const bool sure = s < SCALE_NO_LOW || s > SCALE_NO_HIGH;
  if (!sure && s > SCALE_LOW && s < SCALE_HIGH) return;
  rbv_finding f =
      finding_with(finding_of(RBV_FINDING_TORQUE_UNIT,
                              sure ? RBV_SEVERITY_ERROR : RBV_SEVERITY_WARNING, v, -1, s),
                   sure ? "map" : NULL);
  f.sigma = c->scale_sigma;
  v->unreliable = v->unreliable || sure;
  rbv_add_finding(x, f,
                  sure ? "%s: all torques are %.3g +- %.2g times what the masses of the robot file "
                         "need: a wrong unit, a current or a gear ratio. Correct it in a column "
                         "map, or accept it if the masses of the file are wrong"
                       : "%s: all torques are %.3g +- %.2g times those of the robot file, and such "
                         "files are usually right to 20 %%. Compare one pose at rest with a known "
                         "load",
                  rbv_log_name(v->log), s, c->scale_sigma);
}

static void add_gravity(examination *x, view *v, const workspace *b, const contest *c) {
  double g[3];
  const double size = rbv_norm3(c->gravity.x);
  for (int k = 0; k < 3; k++) g[k] = c->gravity.x[k] / size;
  rbv_finding f = finding_of(RBV_FINDING_GRAVITY, RBV_SEVERITY_ERROR, v, -1, c->angle);
  f.sigma = c->sigma;
  rbv_gravity_option(&f, g, rbv_norm3(b->gravity));
  v->unreliable = true;
  rbv_add_finding(x, f,
                  "%s: gravity points along (%.2f, %.2f, %.2f) of the base in this recording, %.0f "
                  "+- %.1f degrees from the robot file. Say how the robot is mounted",
                  rbv_log_name(v->log), g[0], g[1], g[2], c->angle, c->sigma);
}

static void add_compensated(examination *x, view *v, const contest *c) {
  v->unreliable = true;
  rbv_add_finding(x, finding_of(RBV_FINDING_COMPENSATED, RBV_SEVERITY_ERROR, v, -1, c->size),
                  "%s: these torques contain no gravity (%.2g times the robot file's) but inertia "
                  "(%.2g times): "
                  "the driver has already subtracted it. Record raw motor torques or currents",
                  rbv_log_name(v->log), c->size, c->gravity.x[INERTIA]);
}

static void add_load(examination *x, const view *v, const contest *c) {
  const double mass = c->load.x[3];
  rbv_add_finding(
      x, finding_of(RBV_FINDING_PAYLOAD, RBV_SEVERITY_WARNING, v, -1, mass),
      mass > 0 ? "%s: the robot carried about %.2g kg more than the robot file says, or its "
                 "last link is wrong there. The fit includes it; declare recordings with a "
                 "load"
               : "%s: the last link carried about %.2g kg less than the robot file says: the "
                 "tool of the file was not mounted, or the link is wrong there. The fit is "
                 "that of the robot as it was recorded",
      rbv_log_name(v->log), fabs(mass));
}

enum { GAIN_TEXT = 96 };

/* gain: what the correction explains, as a phrase */
static void add_named(examination *x, view *v, const mistake *m, const char *gain) {
  const char *name = rbv_log_name(v->log);
  char mine[JOINT_LABEL] = "", theirs[JOINT_LABEL] = "";
  if (m->i >= 0) rbv_joint_label(mine, x, m->i);
  if (m->j >= 0) rbv_joint_label(theirs, x, m->j);
  rbv_finding f =
      finding_with(finding_of(RBV_FINDING_SIGN, RBV_SEVERITY_ERROR, v, m->i, m->factor), "map");
  f.other = m->j;
  v->unreliable = true;
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
    case SCALE_BOTH:
      f.code = RBV_FINDING_GEAR;
      rbv_add_finding(
          x, f,
          "%s: the %s of %s %s %.3g times those of the robot file: %s. Check gear ratio, "
          "torque constant and unit in the column map",
          name, m->kind == SCALE_BOTH ? "positions" : "torques", mine,
          m->kind == SCALE_BOTH ? "should be" : "are", m->factor, gain);
      return;
  }
}

static void add_mistake(examination *x, view *v, const mistake *m, double before, double after) {
  char gain[GAIN_TEXT];
  snprintf(gain, sizeof gain,
           "corrected, %.3g %% of the torque stay unexplained instead of %.3g %%",
           100 * sqrt(after), 100 * sqrt(before));
  add_named(x, v, m, gain);
}

static void add_own_mistake(examination *x, view *v, const mistake *m, double ratio) {
  char gain[GAIN_TEXT];
  snprintf(gain, sizeof gain, "corrected, the error of its own torque falls by %.0f %%",
           100 * (1 - sqrt(ratio)));
  add_named(x, v, m, gain);
}

static void add_balance(examination *x, const view *v, const mistake *m) {
  char words[JOINT_LABEL];
  rbv_joint_label(words, x, m->i);
  rbv_add_finding(x, finding_of(RBV_FINDING_GEAR, RBV_SEVERITY_NOTE, v, m->i, m->factor),
                  "%s: the torque of %s contains %.3g times the gravity of the robot file, but its "
                  "inertia: the file lacks a spring or a counterbalance there, which a formula can "
                  "describe",
                  rbv_log_name(v->log), words, m->factor);
}

/* ---- the decision ---- */

static bool is_compensated(const contest *c) {
  const double inertia = c->gravity.x[INERTIA];
  return c->size < FREE_GRAVITY && inertia > FREE_GRAVITY && inertia > FREE_INERTIA * c->size &&
         fmin(c->joint.left, c->state.left) > FREE_JOINT * c->gravity.left;
}

static bool is_turned(const contest *c) {
  return c->angle > LEAST_ANGLE && c->gravity.left < c->base / GRAVITY_GAIN;
}

/* the mistake of the best hypothesis about one joint or two; NOTHING: another one is better */
static mistake best_mistake(const contest *c) {
  const mistake none = {NOTHING, -1, -1, 1};
  const bool turned = c->angle > LEAST_ANGLE && c->angle > ANGLE_SIGMAS * c->sigma;
  const double gravity = turned ? c->gravity.left : INFINITY;
  if (c->base > LEAST_LEFT && c->state.left < fmin(gravity, c->joint.left) &&
      c->state.left < c->base / STATE_GAIN)
    return c->state.mistake;
  if (!(c->joint.left < gravity) || !(c->joint.left < c->base / JOINT_GAIN)) return none;
  // where gravity explains most but is uncertain, the runner-up is not named
  if (c->angle > LEAST_ANGLE && c->gravity.left < c->joint.left) return none;
  const double k = c->joint.x[1] / fmax(c->joint.x[0], 1e-9);
  if (!(fabs(k - 1) > SCALE_SIGMAS * c->joint_sigma)) return none;
  return (mistake){k < 0 && k > -JOINT_FACTOR && k < -1 / JOINT_FACTOR ? FLIP_TORQUE : SCALE_TORQUE,
                   c->joint.joint, -1, k};
}

/* a spring or a counterweight that the file lacks: gravity of the joint is not the file's, inertia
 * is
 */
static bool is_balanced(workspace *b, const mistake *m, double left) {
  prior_fit fit = {.kind = FIT_BALANCE, .joint = m->i};
  if (m->kind != SCALE_TORQUE) return false;
  rbv_prior_fill(b, &b->now);
  rbv_prior_solve(&fit, b, -1);
  const double inertia = fit.x[2] / fmax(fit.x[0], 1e-9);
  return fit.left < left / BALANCE_GAIN && inertia > 1 / JOINT_FACTOR && inertia < JOINT_FACTOR;
}

static bool joint_saturates(const examination *x, int log, int joint) {
  for (int i = 0; i < x->nfinding; i++) {
    const rbv_finding *f = &x->finding[i];
    if (f->code == RBV_FINDING_SATURATED && f->log == log && f->joint == joint) return true;
  }
  return false;
}

/* corrections of single joints, until none helps */
static void find_mistakes(contest *c, examination *x, view *v, workspace *b) {
  for (int round = 0; round < b->n; round++) {
    compare(c, b);
    if (is_compensated(c)) return;
    mistake m = best_mistake(c);
    // a clipped torque is too small, and has a finding already
    const bool torque = m.kind == SCALE_TORQUE;
    const double left = torque || m.kind == FLIP_TORQUE ? c->joint.left : c->state.left;
    if (m.kind == NOTHING) {
      // nothing in all torques together: single joints with small torques
      if (is_turned(c) || !(c->own.left < 1 / OWN_GAIN)) return;
      m = c->own.mistake;
      add_own_mistake(x, v, &m, c->own.left);
    } else if (is_balanced(b, &m, left)) {
      add_balance(x, v, &m);
    } else if (!torque || !joint_saturates(x, v->number, m.i)) {
      add_mistake(x, v, &m, c->base, left);
    }
    const mistake cure = {m.kind, m.i, m.j, torque ? 1 / m.factor : m.factor};
    rbv_prior_correct(&b->now, b, &cure);
  }
  compare(c, b);
}

/* Do the torques belong to another robot? A single cause explains nearly all of them. */
static bool is_foreign(const contest *c, bool turned) {
  const double s = c->scale.x[0];
  const bool scaled = !(s > SCALE_NO_LOW && s < SCALE_NO_HIGH);
  const double best = fmin(c->base, fmin(c->gravity.left, c->load.left));
  if (is_compensated(c)) return c->gravity.left > UNEXPLAINED;
  return best > FOREIGN ||
         ((turned || scaled) && (turned ? c->gravity.left : c->base) > CAUSE_LEFT);
}

static void add_foreign(examination *x, view *v, const contest *c) {
  const double best = fmin(c->base, fmin(c->gravity.left, c->load.left));
  if (v->unreliable) return;
  v->unreliable = true;
  rbv_add_finding(
      x, finding_of(RBV_FINDING_FOREIGN, RBV_SEVERITY_ERROR, v, -1, best),
      "%s: friction and the masses of '%s' leave %.3g %% of the torques unexplained, and no "
      "correction of sign, order, gear ratio, unit or gravity helps. The log seems to belong to "
      "another robot, or the robot file is wrong",
      rbv_log_name(v->log), rbv_model_name(x->model), 100 * sqrt(best));
}

static void decide(examination *x, view *v, workspace *b) {
  contest c;
  find_mistakes(&c, x, v, b);
  const bool turned = is_turned(&c);
  if (is_foreign(&c, turned)) {
    add_foreign(x, v, &c);
  } else if (is_compensated(&c)) {
    add_compensated(x, v, &c);
  } else if (turned && c.angle > ANGLE_SIGMAS * c.sigma) {
    add_gravity(x, v, b, &c);
  } else if (turned) {
    rbv_add_finding(x, finding_of(RBV_FINDING_GRAVITY, RBV_SEVERITY_WARNING, v, -1, c.angle),
                    "%s: the torques do not fit the robot file; the recording is too short to say "
                    "why (gravity may be turned by %.0f +- %.0f degrees)",
                    rbv_log_name(v->log), c.angle, c.sigma);
  } else if (c.load.left < c.base / LOAD_GAIN && fabs(c.load.x[3]) > LEAST_MASS) {
    add_load(x, v, &c);
  } else {
    add_scale(x, v, &c);
  }
}

rbv_status rbv_detect_prior_conflicts(examination *x, view *v) {
  if (!x->prior) {
    rbv_add_finding(
        x, finding_of(RBV_FINDING_NO_PRIOR, RBV_SEVERITY_NOTE, v, -1, NAN),
        "%s: '%s' has no masses, so gear ratios, units and joint order were not checked. They need "
        "a URDF with inertials or a `parameters` list",
        rbv_log_name(v->log), rbv_model_name(x->model));
    return RBV_OK;
  }
  if (x->options.other_masses) return RBV_OK;
  // with a load that the file lacks, and torques whose gains it may give, masses say nothing
  if (v->nknot < LEAST_KNOTS || rbv_model_has_payload(x->model)) return RBV_OK;
  workspace b;
  char *memory = NULL;
  const rbv_status status = rbv_prior_prepare(&b, &memory, x, v);
  if (status == RBV_OK) decide(x, v, &b);
  rbv_prior_close(&b, memory);
  return status;
}
