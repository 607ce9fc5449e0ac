/* The guess as a column map with its reasons, and what is missing. */
#include "log/guess_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_SEEN 100  // columns that are listed

/* ---- the document ---- */

/* A name as a string of YAML. */
static void put_quoted(rbv_text *y, const char *name) {
  rbv_text_put(y, "\"");
  for (const char *p = name; *p; p++) {
    if (*p == '"' || *p == '\\') rbv_text_put(y, "\\");
    if ((unsigned char)*p < 32 || *p == 127)
      rbv_text_print(y, "\\x%02X", (unsigned char)*p);
    else
      rbv_text_add(y, p, 1);
  }
  rbv_text_put(y, "\"");
}

/* A comment: one line. */
static void put_comment(rbv_text *y, const char *text) {
  rbv_text_put(y, "# ");
  for (const char *p = text; *p; p++) rbv_text_add(y, (unsigned char)*p < 32 ? " " : p, 1);
  rbv_text_put(y, "\n");
}

static void put_column(rbv_text *y, const table *t, int column) {
  char number[16];
  snprintf(number, sizeof number, "%d", column + 1);
  if (t->names)
    put_quoted(y, t->names[column]);
  else
    rbv_text_put(y, number);
}

static rbv_status add_item(rbv_log_guess *g, rbv_channel channel, const char *columns,
                           const char *reason) {
  rbv_log_guess_item *more =
      rbv_realloc(g->items, sizeof *more * (size_t)g->count, sizeof *more * (size_t)(g->count + 1));
  if (!more) return RBV_EMEM;
  g->items = more;
  const rbv_log_guess_item item = {channel, rbv_strdup(columns), rbv_strdup(reason)};
  more[g->count++] = item;
  return item.columns && item.reason ? RBV_OK : RBV_EMEM;
}

/* the unit of a joint's column, as in a column map; "": not stated. The columns of a table without
 * names have none. */
static void unit_of(char out[24], const search *s, const family *f, int joint) {
  meaning m = f->means;
  if (s->t->names || f->by == BY_CONTENT) guess_joint_meaning(&m, s, f, joint);
  snprintf(out, 24, "%s", m.unit);
}

/* ", unit deg", or the units of all joints if they differ */
static void put_units(rbv_text *out, const search *s, const family *f) {
  char unit[24];
  bool differ = false;
  for (int j = 1; j < s->n; j++) {
    unit_of(unit, s, f, j);
    differ |= strcmp(unit, f->means.unit) != 0;
  }
  if (!differ && f->means.unit[0]) rbv_text_print(out, ", unit %s", f->means.unit);
  for (int j = 0; j < s->n && differ; j++) {
    unit_of(unit, s, f, j);
    rbv_text_print(out, "%s%s", j ? ", " : ", units ", unit[0] ? unit : "-");
  }
}

static void explain(rbv_text *out, const search *s, const family *f) {
  static const char *const how[] = {[BY_NUMBER] = "numbered like the joints of the robot",
                                    [BY_LABEL] = "other columns have the names of the joints",
                                    [BY_NAME] = "the names of the joints are in the columns",
                                    [BY_CONTENT] = "by their content",
                                    [EXACT] = "names of Roberval"};
  if (s->n == 1 && !strchr(f->shown, '*'))
    rbv_text_put(out, "the robot has one joint");
  else
    rbv_text_put(out, how[f->by]);
  if (f->by == BY_CONTENT) rbv_text_print(out, ": %s", f->why);
  if (f->by == BY_NUMBER && f->first == 0) rbv_text_put(out, ", from 0 on");
  if (f->spare > 0 && f->by != BY_NAME)
    rbv_text_print(out, ", the first %d of %d", s->n, s->n + f->spare);
  put_units(out, s, f);
  if (f->commanded) rbv_text_put(out, ", commanded torques, because no measured ones were found");
  if (f->channel == RBV_CHANNEL_JOINT_TORQUE && f->by != EXACT)
    rbv_text_put(out, ", torque sensors after the gears");
  if (f->channel == RBV_CHANNEL_TORQUE && f->by != EXACT)
    rbv_text_put(out, ", taken as torques of the drives after their gears");
}

static bool needs_gain(const family *f) {
  return f->means.of == QUANTITY_CURRENT || strcmp(f->means.unit, "A") == 0 ||
         strcmp(f->means.unit, "mA") == 0;
}

/* What there is to choose from: each column with its range in the rows that were read. */
static void put_seen(rbv_text *y, const search *s) {
  const table *t = s->t;
  for (int i = 0; i < t->ncol && i < MOST_SEEN; i++) {
    const double *v = t->values + i * t->ld;
    double low = INFINITY, high = -INFINITY;
    for (ptrdiff_t k = 0; k < t->rows; k++) {
      low = fmin(low, v[k]);
      high = fmax(high, v[k]);
    }
    rbv_text_print(y, "# column %d", i + 1);
    if (t->names) {
      rbv_text_put(y, ": ");
      put_quoted(y, t->names[i]);
    }
    if (low <= high) rbv_text_print(y, ", %.4g to %.4g", low, high);
    rbv_text_put(y, "\n");
  }
  if (t->ncol > MOST_SEEN) rbv_text_print(y, "# ... %d columns\n", t->ncol);
}

/* A line to be filled in, for each quantity that is needed and was not found. */
static void put_open(rbv_text *y, const search *s) {
  if (!s->chosen[RBV_CHANNEL_POSITION] && !s->chosen[RBV_CHANNEL_MOTOR_POSITION])
    rbv_text_put(y, "    # q: {column: , unit: rad}\n");
  if (!s->chosen[RBV_CHANNEL_TORQUE] && !s->chosen[RBV_CHANNEL_JOINT_TORQUE] &&
      !s->chosen[RBV_CHANNEL_MOTOR_TORQUE])
    rbv_text_put(y, "    # tau: {column: , unit: Nm}\n");
}

static void put_joints(rbv_text *y, const search *s) {
  rbv_text_put(y, "joints:\n");
  for (int j = 0; j < s->n; j++) {
    rbv_text_put(y, "  - name: ");
    put_quoted(y, s->joints[j]);
    rbv_text_put(y, "\n");
    for (int c = 1; c < RBV_CHANNEL_OTHER; c++) {
      const family *f = s->chosen[c];
      if (!f) continue;
      const bool gain = needs_gain(f);
      char unit[24];
      unit_of(unit, s, f, j);
      rbv_text_print(y, "    %s%s: ", gain ? "# " : "", rbv_channel_name((rbv_channel)c));
      if (unit[0] || gain) rbv_text_put(y, "{column: ");
      put_column(y, s->t, f->column[j]);
      if (gain)
        rbv_text_print(y, ", unit: %s, gain: }  # add the gain [N m per A]", unit[0] ? unit : "A");
      else if (unit[0])
        rbv_text_print(y, ", unit: %s}", unit);
      rbv_text_put(y, "\n");
    }
    if (s->out->nmissing > 0) put_open(y, s);
  }
}

static void put_clock(rbv_text *y, const table *t, const clock_guess *c, double rate_hz) {
  if (c->column < 0) {
    char number[32];
    rbv_format_double(number, rate_hz);
    rbv_text_print(y, rate_hz > 0 ? "rate_hz: %s\n" : "# time: {column: , unit: s}\n", number);
    return;
  }
  rbv_text_put(y, c->second >= 0 ? "time: {sec: " : "time: {column: ");
  put_column(y, t, c->column);
  if (c->second >= 0) {
    rbv_text_put(y, ", nsec: ");
    put_column(y, t, c->second);
  } else if (c->unit && strcmp(c->unit, "s") != 0) {
    rbv_text_print(y, ", unit: %s", c->unit);
  }
  rbv_text_put(y, "}\n");
}

/* Units that are not known: the first one of a family. */
static rbv_status doubt_units(search *s, const family *f) {
  rbv_log_guess *g = s->out;
  for (int j = 0; j < s->n && s->t->names; j++) {
    meaning m;
    guess_joint_meaning(&m, s, f, j);
    if (m.strange[0])
      return guess_say(&g->ambiguous, &g->nambiguous, "the unit '%s' of '%s' is not known",
                       m.strange, f->shown);
  }
  return RBV_OK;
}

rbv_status guess_list_missing(search *s, const clock_guess *c, double rate_hz) {
  rbv_log_guess *g = s->out;
  if (c->column < 0 && !(rate_hz > 0))
    RBV_TRY(guess_say(&g->missing, &g->nmissing,
                      "no column of time that increases: add one, or give the sample rate"));
  if (!s->chosen[RBV_CHANNEL_POSITION] && !s->chosen[RBV_CHANNEL_MOTOR_POSITION])
    RBV_TRY(guess_say(&g->missing, &g->nmissing, "no positions of the %d joints", s->n));
  const family *tau = s->chosen[RBV_CHANNEL_TORQUE];
  if (tau && needs_gain(tau)) {
    RBV_TRY(guess_say(&g->missing, &g->nmissing,
                      "'%s' are currents: the gain of each drive [N m per A] is not known",
                      tau->shown));
    g->gain = g->missing[g->nmissing - 1];
  } else if (!tau && !s->chosen[RBV_CHANNEL_MOTOR_TORQUE] && !s->chosen[RBV_CHANNEL_JOINT_TORQUE]) {
    RBV_TRY(guess_say(&g->missing, &g->nmissing, "no torques of the %d joints", s->n));
  }
  for (int i = RBV_CHANNEL_POSITION; i < RBV_CHANNEL_OTHER; i++)
    if (s->chosen[i]) RBV_TRY(doubt_units(s, s->chosen[i]));
  return RBV_OK;
}

/* Families that have some of the joints: the name of the first joint without a column. */
rbv_status guess_list_gaps(search *s) {
  for (int i = 0; i < s->nfamily; i++) {
    const family *f = &s->families[i];
    if (f->by != BY_NAME || f->found == s->n || 2 * f->found < s->n || f->found < 2) continue;
    meaning m;
    meaning_of(&m, f->shown, NULL);
    const rbv_channel channel = guess_channel_of(&m);
    if (channel == RBV_CHANNEL_OTHER || s->chosen[channel]) continue;
    for (int j = 0; j < s->n; j++)
      if (f->column[j] < 0) {
        rbv_log_guess *g = s->out;
        RBV_TRY(guess_say(&g->missing, &g->nmissing, "'%s' has no column of joint '%s'", f->shown,
                          s->joints[j]));
        if (!g->gap) g->gap = g->missing[g->nmissing - 1];
        break;
      }
  }
  return RBV_OK;
}

/* Does a map say more than the names of this module? */
bool guess_is_standard(const search *s, const clock_guess *c, double rate_hz) {
  bool any = false, exact = true;
  for (int i = 1; i < RBV_CHANNEL_OTHER; i++) {
    const family *f = s->chosen[i];
    if (!f) continue;
    any = true;
    exact &= f->by == EXACT;
    for (int j = 0; j < s->n; j++) {
      meaning m;
      guess_joint_meaning(&m, s, f, j);
      exact &= !m.unit[0] && !m.strange[0];
    }
  }
  if (!any) {
    // columns of fewer joints than the robot has: the reader explains it better
    for (int i = 0; i < s->t->ncol; i++) {
      int joint;
      const rbv_channel channel = rbv_channel_parse(&joint, s->t->names[i]);
      if (channel != RBV_CHANNEL_OTHER && channel != RBV_CHANNEL_TIME) return true;
    }
    return false;
  }
  if (!exact) return false;
  if (c->column < 0) return !(rate_hz > 0);
  return strcmp(s->t->names[c->column], "t") == 0 && (!c->unit || strcmp(c->unit, "s") == 0);
}

rbv_status guess_describe(search *s, const clock_guess *c, double rate_hz) {
  rbv_log_guess *g = s->out;
  rbv_text y = {0}, reason = {0};
  rbv_status status = RBV_OK;
  bool any = false, usable = false;
  rbv_text_print(&y, "# Column map for %d joints, guessed from %s ", s->n,
                 s->found_content ? "names and content of" : "the names in");
  for (const char *p = s->name; *p; p++) rbv_text_add(&y, (unsigned char)*p < 32 ? " " : p, 1);
  rbv_text_put(&y, "\n");
  if (c->column >= 0) {
    char number[16], text[GUESS_PATTERN + sizeof c->reason + 16];
    snprintf(number, sizeof number, "%d", c->column + 1);
    const char *column = s->t->names ? s->t->names[c->column] : number;
    status = add_item(g, RBV_CHANNEL_TIME, column, c->reason);
    snprintf(text, sizeof text, "time: '%s': %s", column, c->reason);
    put_comment(&y, text);
  }
  for (int i = 1; i < RBV_CHANNEL_OTHER && status == RBV_OK; i++) {
    const family *f = s->chosen[i];
    if (!f) continue;
    any = true;
    usable |= !needs_gain(f);
    reason.size = 0;
    explain(&reason, s, f);
    if (reason.failed) status = RBV_EMEM;
    if (status == RBV_OK) status = add_item(g, (rbv_channel)i, f->shown, reason.data);
    char text[2 * GUESS_PATTERN];
    snprintf(text, sizeof text, "%s: '%s': %s", rbv_channel_name((rbv_channel)i), f->shown,
             reason.data ? reason.data : "");
    put_comment(&y, text);
  }
  for (int i = 0; i < g->nambiguous; i++) {
    rbv_text_put(&y, "# decide: ");
    rbv_text_put(&y, g->ambiguous[i]);
    rbv_text_put(&y, "\n");
  }
  for (int i = 0; i < g->nmissing; i++) {
    rbv_text_put(&y, "# missing: ");
    rbv_text_put(&y, g->missing[i]);
    rbv_text_put(&y, "\n");
  }
  if (g->nmissing > 0) put_seen(&y, s);
  put_clock(&y, s->t, c, rate_hz);
  put_joints(&y, s);
  rbv_text_free(&reason);
  if (y.failed) status = RBV_EMEM;
  if (status == RBV_OK && any && usable && !g->standard)
    status = rbv_log_map_parse(&g->map, "guessed map", y.data, y.size);
  g->recognised = any || g->standard;
  if (status == RBV_OK && (any || g->nmissing > 0))
    g->yaml = y.data;
  else
    rbv_text_free(&y);
  return status;
}
