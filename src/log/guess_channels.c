/* Which channel a family is: the words of its pattern say it. */
#include "log/guess_parts.h"

#include <math.h>
#include <string.h>

#include "log/log_thresholds.h"

RBV_THRESHOLDS(LOG_CHANNELS);

/* ---- channels ---- */

rbv_channel guess_channel_of(const meaning *m) {
  if (m->foreign) return RBV_CHANNEL_OTHER;
  switch (m->of) {
    case QUANTITY_POSITION:
      return m->reference ? RBV_CHANNEL_REFERENCE_POSITION
             : m->motor   ? RBV_CHANNEL_MOTOR_POSITION
                          : RBV_CHANNEL_POSITION;
    case QUANTITY_VELOCITY:
      return m->motor       ? RBV_CHANNEL_OTHER
             : m->reference ? RBV_CHANNEL_REFERENCE_VELOCITY
                            : RBV_CHANNEL_VELOCITY;
    case QUANTITY_ACCELERATION:
      return m->motor       ? RBV_CHANNEL_OTHER
             : m->reference ? RBV_CHANNEL_REFERENCE_ACCELERATION
                            : RBV_CHANNEL_ACCELERATION;
    case QUANTITY_TORQUE:
      return m->reference ? RBV_CHANNEL_TORQUE
             : m->sensor  ? RBV_CHANNEL_JOINT_TORQUE
             : m->motor   ? RBV_CHANNEL_MOTOR_TORQUE
                          : RBV_CHANNEL_TORQUE;
    case QUANTITY_CURRENT: return m->reference ? RBV_CHANNEL_OTHER : RBV_CHANNEL_TORQUE;
    case QUANTITY_NONE: return RBV_CHANNEL_OTHER;
  }
  return RBV_CHANNEL_OTHER;
}

/* Does each column have a number in the first rows? Drivers write NaN for what they do not measure.
 */
static bool has_values(const search *s, const family *f) {
  const table *t = s->t;
  for (int j = 0; j < s->n; j++) {
    bool any = t->rows == 0;
    for (ptrdiff_t k = 0; k < t->rows && !any; k++)
      any = isfinite(t->values[k + f->column[j] * t->ld]);
    if (!any) return false;
  }
  return true;
}

/*
 * A family whose name says "reference" without a quantity has references of positions if it follows
 * them: the sum of squares of the difference is at most a share of that of the positions. Commanded
 * torques and duty cycles do not follow them.
 */
static bool follows(const search *s, const family *f, const family *position) {
  const table *t = s->t;
  double apart = 0, all = 0;
  for (int j = 0; j < s->n; j++)
    for (ptrdiff_t k = 0; k < t->rows; k++) {
      const double q = t->values[k + position->column[j] * t->ld];
      const double r = t->values[k + f->column[j] * t->ld];
      if (!isfinite(q) || !isfinite(r)) continue;
      apart += (r - q) * (r - q);
      all += q * q;
    }
  return all > 0 && apart <= FOLLOWS * all;
}

static void find_plain_references(search *s) {
  const family *position = NULL;
  for (int i = 0; i < s->nfamily; i++) {
    const family *f = &s->families[i];
    if (f->channel == RBV_CHANNEL_REFERENCE_POSITION) return;
    if (f->channel == RBV_CHANNEL_POSITION && !position) position = f;
  }
  for (int i = 0; i < s->nfamily && position; i++) {
    family *f = &s->families[i];
    if (f->found < s->n || f->means.of != QUANTITY_NONE || !f->means.reference ||
        f->means.foreign || f->channel != RBV_CHANNEL_OTHER || !has_values(s, f) ||
        strcmp(f->means.unit, position->means.unit) != 0 || !follows(s, f, position))
      continue;
    f->means.of = QUANTITY_POSITION;
    f->channel = RBV_CHANNEL_REFERENCE_POSITION;
  }
}

void guess_classify(search *s) {
  for (int i = 0; i < s->nfamily; i++) {
    family *f = &s->families[i];
    if (f->found < s->n) continue;
    const int first = f->column[0];
    guess_joint_meaning(&f->means, s, f, 0);
    f->channel = has_values(s, f) ? guess_channel_of(&f->means) : RBV_CHANNEL_OTHER;
    f->commanded = f->means.of == QUANTITY_TORQUE && f->means.reference && !f->means.foreign;
    int joint;
    const rbv_channel exact = rbv_channel_parse(&joint, s->t->names[first]);
    if (exact != RBV_CHANNEL_OTHER && exact != RBV_CHANNEL_TIME && f->by == BY_NUMBER &&
        f->first == 1) {
      f->channel = exact;
      f->by = EXACT;
      f->commanded = false;
      if (f->means.of == QUANTITY_NONE || f->means.of == QUANTITY_CURRENT)
        f->means.of = channel_is_torque(exact) ? QUANTITY_TORQUE : QUANTITY_POSITION;
    }
  }
  find_plain_references(s);
}

/* Channels that the source of a family has. */
static int group_size(const search *s, const family *f) {
  bool has[RBV_CHANNEL_OTHER + 1] = {0};
  for (int i = 0; i < s->nfamily; i++) {
    const family *g = &s->families[i];
    if (g->found == s->n && strcmp(g->means.group, f->means.group) == 0) has[g->channel] = true;
  }
  return has[RBV_CHANNEL_POSITION] + has[RBV_CHANNEL_VELOCITY] +
         (has[RBV_CHANNEL_TORQUE] || has[RBV_CHANNEL_JOINT_TORQUE]);
}

/* Larger is better: how well a family is known to be a channel. */
static int rank(const search *s, const family *f) {
  int r = 0;
  if (f->by == EXACT) r += 10000;
  if (f->means.of != QUANTITY_CURRENT) r += 1000;
  if (!f->commanded) r += 500;
  if (f->by == BY_NAME || f->by == BY_LABEL) r += 100;
  return r + 10 * group_size(s, f) + f->means.measured;
}

rbv_status guess_choose(search *s) {
  static const char *const what[] = {
#define X(name, stem, unit) stem,
      RBV_CHANNEL_LIST(X)
#undef X
  };
  for (int i = 0; i < s->nfamily; i++) {
    const family *f = &s->families[i];
    if (f->channel == RBV_CHANNEL_OTHER) continue;
    const family **best = &s->chosen[f->channel];
    if (!*best || rank(s, f) > rank(s, *best)) *best = f;
  }
  for (int c = 0; c < RBV_CHANNEL_OTHER; c++)
    for (int i = 0; i < s->nfamily && s->chosen[c]; i++) {
      const family *f = &s->families[i];
      if ((int)f->channel != c || f == s->chosen[c] || rank(s, f) != rank(s, s->chosen[c]))
        continue;
      RBV_TRY(guess_say(&s->out->ambiguous, &s->out->nambiguous,
                        "'%s' and '%s' can both be %s of the joints", s->chosen[c]->shown, f->shown,
                        what[c]));
    }
  // motor sides are used only if the name is exact: the gear is not known
  static const struct {
    rbv_channel motor, joint;
    const char *quantity;
  } sides[] = {{RBV_CHANNEL_MOTOR_POSITION, RBV_CHANNEL_POSITION, "positions"},
               {RBV_CHANNEL_MOTOR_TORQUE, RBV_CHANNEL_TORQUE, "torques"}};
  for (int i = 0; i < RBV_COUNT(sides); i++) {
    const family *motor = s->chosen[sides[i].motor];
    if (!motor || motor->by == EXACT) continue;
    s->chosen[sides[i].motor] = NULL;
    if (s->chosen[sides[i].joint]) continue;
    RBV_TRY(guess_say(&s->out->ambiguous, &s->out->nambiguous,
                      "'%s' can be %s before the gear (%s) or after it (%s)", motor->shown,
                      sides[i].quantity, what[sides[i].motor], what[sides[i].joint]));
  }
  // a measured torque of the sensor and commanded ones of the motor: the sensor counts
  const family *tau = s->chosen[RBV_CHANNEL_TORQUE];
  if (tau && tau->commanded && s->chosen[RBV_CHANNEL_JOINT_TORQUE])
    s->chosen[RBV_CHANNEL_TORQUE] = NULL;
  // commanded torques beside measured currents: a controller that follows a model of its own
  for (int i = 0; i < s->nfamily && tau && tau->commanded && s->chosen[RBV_CHANNEL_TORQUE]; i++) {
    const family *f = &s->families[i];
    if (f->channel != RBV_CHANNEL_TORQUE || f->means.of != QUANTITY_CURRENT) continue;
    s->chosen[RBV_CHANNEL_TORQUE] = NULL;
    RBV_TRY(guess_say(&s->out->ambiguous, &s->out->nambiguous,
                      "no torques were measured: '%s' are commanded torques, '%s' are currents "
                      "and need a gain: name one of them in a map",
                      tau->shown, f->shown));
  }
  return RBV_OK;
}

/* A word of a group that another group does not have, except those that say nothing; false: none.
 */
static bool find_own_word(char out[40], const char *group, const char *other) {
  static const char *const neutral[] = {"joint", "joints", "axis",   "axes",   "j",
                                        "robot", "arm",    "state",  "states", "load",
                                        "value", "values", "sensor", "field"};
  for (const char *p = group; *p;) {
    const size_t n = strcspn(p, " ");
    char padded[48], all[130];
    snprintf(out, 40, "%.*s", (int)n, p);
    snprintf(padded, sizeof padded, " %s ", out);
    snprintf(all, sizeof all, " %s", other);
    bool known = strstr(all, padded) != NULL;
    for (int i = 0; i < RBV_COUNT(neutral) && !known; i++) known = strcmp(neutral[i], out) == 0;
    if (n > 0 && !known) return true;
    p += n + (p[n] == ' ');
  }
  return false;
}

/* A commanded torque is used if none was measured, and not if a column that is not understood may
 * be the measured one. */
rbv_status guess_doubt_command(search *s) {
  const family *tau = s->chosen[RBV_CHANNEL_TORQUE];
  for (int i = 0; i < s->nfamily && tau && tau->commanded; i++) {
    const family *f = &s->families[i];
    if (f->found < s->n || f->means.of != QUANTITY_NONE || f->means.foreign) continue;
    return guess_say(&s->out->ambiguous, &s->out->nambiguous,
                     "'%s' was commanded, and '%s' may be the measured torque", tau->shown,
                     f->shown);
  }
  return RBV_OK;
}

/* Positions and torques of one source differ in the word of the quantity only. A further word may
 * say that a column is no measurement (tau_model, torque_lim). */
rbv_status guess_doubt_sources(search *s) {
  const family *q = s->chosen[RBV_CHANNEL_POSITION];
  static const rbv_channel torques[] = {RBV_CHANNEL_TORQUE, RBV_CHANNEL_JOINT_TORQUE};
  for (int i = 0; i < RBV_COUNT(torques) && q; i++) {
    const family *tau = s->chosen[torques[i]];
    char word[40];
    if (!tau) continue;
    const family *odd = NULL;
    if (tau->by != EXACT && !tau->means.measured &&
        find_own_word(word, tau->means.group, q->means.group))
      odd = tau;
    else if (q->by != EXACT && !q->means.measured &&
             find_own_word(word, q->means.group, tau->means.group))
      odd = q;
    if (odd)
      RBV_TRY(guess_say(&s->out->ambiguous, &s->out->nambiguous,
                        "'%s' has the word '%s', which '%s' does not have: is it a measurement?",
                        odd->shown, word, odd == tau ? q->shown : tau->shown));
  }
  return RBV_OK;
}

/* Joints that are numbered from 1, columns from 0: column 1 could be either. More numbers than the
 * robot has joints: perhaps it is another robot. */
rbv_status guess_doubt_numbers(search *s) {
  for (int c = 0; c < RBV_CHANNEL_OTHER; c++) {
    const family *f = s->chosen[c];
    if (f && f->by == BY_NUMBER && f->spare > 0 && c == RBV_CHANNEL_POSITION)
      RBV_TRY(guess_say(&s->out->ambiguous, &s->out->nambiguous,
                        "'%s' has %d columns, but the robot has %d joints: they may be the first "
                        "ones, or those of another robot",
                        f->shown, s->n + f->spare, s->n));
    if (!f || f->by != BY_NAME || !s->numbered) continue;
    for (int i = 0; i < s->nfamily; i++) {
      const family *g = &s->families[i];
      if (g->by == BY_NUMBER && g->channel == f->channel && g->first == 0 && g->spare > 0)
        RBV_TRY(guess_say(&s->out->ambiguous, &s->out->nambiguous,
                          "'%s' counts from 0, but '%s' is the name of a joint: is the first "
                          "joint number 0 or number 1?",
                          g->shown, s->joints[0]));
    }
  }
  return RBV_OK;
}
