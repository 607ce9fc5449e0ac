/* The column of time. */
#include "log/guess_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- time ---- */

static bool has_word(const char *name, const char *word) {
  return guess_find_word(name, name, word) != NULL;
}

/* Median step of a column in the first rows; NaN if it does not advance. */
static double step_of(const table *t, int column) {
  const double *x = t->values + column * t->ld;
  double steps[256];
  int n = 0;
  for (ptrdiff_t k = 1; k < t->rows && n < 256; k++) {
    const double step = x[k] - x[k - 1];
    if (!isfinite(step)) continue;
    if (step < 0) return NAN;
    if (step > 0) steps[n++] = step;
  }
  return n > 0 ? rbv_select(steps, n, (n - 1) / 2) : NAN;
}

/* The column of nanoseconds that belongs to a column of seconds; -1: none. */
static int find_nanoseconds(const table *t, int seconds) {
  static const char *const words[][2] = {{"sec", "nanosec"}, {"sec", "nsec"},
                                         {"secs", "nsecs"},  {"secs", "nanosecs"},
                                         {"s", "ns"},        {"seconds", "nanoseconds"},
                                         {"sec", "nano_sec"}};
  const char *name = t->names[seconds];
  for (int i = 0; i < RBV_COUNT(words); i++) {
    const char *at = guess_find_word(name, name, words[i][0]);
    if (!at) continue;
    char other[GUESS_PATTERN];
    snprintf(other, sizeof other, "%.*s%s%s", (int)(at - name), name, words[i][1],
             at + strlen(words[i][0]));
    for (int c = 0; c < t->ncol; c++)
      if (strcasecmp(other, t->names[c]) == 0) return c;
  }
  return -1;
}

static int rank_clock(const table *t, int i) {
  const char *name = t->names[i];
  static const char *const exact[] = {"time",     "timestamp", "__time", "stamp",  "times",
                                      "duration", "zeit",      "temps",  "tiempo", "tempo",
                                      "czas",     "时间",      "時間",   "시간",   "время"};
  if (strcmp(name, "t") == 0) return 9;
  for (int k = 0; k < RBV_COUNT(exact); k++)
    if (strcasecmp(name, exact[k]) == 0) return 8;
  if (has_word(name, "receive") && has_word(name, "time")) return 2;
  if (has_word(name, "stamp") && has_word(name, "header")) return 7;
  if (has_word(name, "timestamp") || has_word(name, "time") || has_word(name, "stamp") ||
      has_word(name, "t") || has_word(name, "ts") || has_word(name, "rosbagTimestamp"))
    return 5;
  if (has_word(name, "sec") || has_word(name, "secs") || has_word(name, "seconds")) return 4;
  return 0;
}

/* Are these the nanoseconds beside a column of seconds? Alone they are no time. */
static bool is_second_part(const table *t, int column) {
  for (int i = 0; i < t->ncol; i++)
    if (i != column && rank_clock(t, i) > 0 && find_nanoseconds(t, i) == column) return true;
  return false;
}

/* Is the first column the index of a table (its name is empty) with times in it? */
static bool is_time_index(const table *t) {
  if (strcmp(t->names[0], "1") != 0 && strcasecmp(t->names[0], "Unnamed: 0") != 0) return false;
  const double step = step_of(t, 0);
  return isfinite(step) && step != 1;
}

/* Does a time belong to the message that has the positions? */
static bool is_beside(const search *s, const char *name) {
  const family *q = s->chosen[RBV_CHANNEL_POSITION];
  const char *header = strstr(name, "header");
  return q && header && strncmp(q->shown, name, (size_t)(header - name)) == 0;
}

/* Length of the topic in a column of a bag, with the dot behind it; 0: no such column. */
static size_t topic_size(const char *name) {
  return name[0] == '/' && strchr(name, '.') ? (size_t)(strchr(name, '.') - name) + 1 : 0;
}

/* How the topics of the chosen columns are joined: by the stamps of their headers if all have them,
 * else by the times of receipt. */
static void tell_join(clock_guess *c, const search *s) {
  const family *q = s->chosen[RBV_CHANNEL_POSITION];
  const size_t own = q ? topic_size(q->shown) : 0;
  const char *without = NULL;
  bool several = false;
  for (int i = 1; i < RBV_CHANNEL_OTHER && own > 0; i++) {
    const char *name = s->chosen[i] ? s->chosen[i]->shown : "";
    const size_t n = topic_size(name);
    if (n == 0 || (n == own && strncmp(name, q->shown, n) == 0)) continue;
    several = true;
    bool stamped = false;
    for (int k = 0; k < s->t->ncol; k++)
      stamped |= strncmp(s->t->names[k], name, n) == 0 &&
                 strcmp(s->t->names[k] + n, "header.stamp") == 0 && isfinite(step_of(s->t, k));
    if (!stamped) without = name;
  }
  if (!several) return;
  const size_t used = strlen(c->reason);
  if (without)
    snprintf(c->reason + used, sizeof c->reason - used,
             "; the topics are joined by the times of receipt, because %.*s has no stamps",
             (int)(topic_size(without) - 1), without);
  else
    snprintf(c->reason + used, sizeof c->reason - used,
             "; the topics are joined by the stamps of their headers");
}

void guess_find_clock(clock_guess *best, search *s) {
  const table *t = s->t;
  *best = (clock_guess){.column = -1, .second = -1};
  for (int i = 0; i < t->ncol; i++) {
    if (guess_is_text(t, i)) continue;
    clock_guess c = {.column = i, .second = -1, .rank = rank_clock(t, i)};
    if (c.rank == 0 && i == 0 && is_time_index(t)) {
      c.rank = 1;
      snprintf(c.reason, sizeof c.reason, "the first column has no name, and it increases");
    }
    if (c.rank == 0 || is_second_part(t, i)) continue;
    c.second = find_nanoseconds(t, i);
    const double step = step_of(t, i);
    if (c.second >= 0) {
      snprintf(c.reason, sizeof c.reason, "seconds and nanoseconds");
    } else {
      if (!isfinite(step)) continue;  // it does not advance
      c.unit = stated_time_unit(t->names[i], t->units ? t->units[i] : NULL);
      // t is always in seconds
      const char *by_step = c.rank == 9 ? NULL : rbv_log_time_unit(step);
      if (c.unit && strcmp(c.unit, "s") == 0 && by_step && *by_step && rank_clock(t, i) < 5)
        c.unit = NULL;
      if (c.unit) {
        snprintf(c.reason, sizeof c.reason, "its name or unit says %s", c.unit);
      } else if (by_step && *by_step) {
        c.unit = by_step;
        snprintf(c.reason, sizeof c.reason, "steps of %.3g can only be %s", step, by_step);
      } else if (!*c.reason) {
        snprintf(c.reason, sizeof c.reason, "%s",
                 c.rank == 2   ? "the time when the message was received"
                 : c.rank == 7 ? "the time in the header of the message"
                               : "its name");
      }
    }
    // the clock of the source of the positions comes first
    c.rank = 2 * c.rank + is_beside(s, t->names[i]);
    if (c.rank > best->rank) *best = c;
  }
  if (best->rank / 2 == 7) tell_join(best, s);
}

void guess_clock(int *column, int *second, double *factor, const table *t) {
  static const struct {
    const char *unit;
    double factor;
  } units[] = {{"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
  search s = {.t = t};
  clock_guess c = {.column = -1, .second = -1};
  if (t->names) guess_find_clock(&c, &s);
  *column = c.column;
  *second = c.second;
  *factor = 1;
  for (int i = 0; i < RBV_COUNT(units) && c.unit; i++)
    if (strcmp(units[i].unit, c.unit) == 0) *factor = units[i].factor;
}

/* Another column of the same rank, with steps of its own: which clock is meant? */
rbv_status guess_doubt_clock(search *s, const clock_guess *best) {
  const table *t = s->t;
  if (best->column < 0 || best->second >= 0 || best->rank >= 14) return RBV_OK;
  for (int i = 0; i < t->ncol; i++) {
    const double step = step_of(t, i), used = step_of(t, best->column);
    if (i == best->column || guess_is_text(t, i) || rank_clock(t, i) != best->rank / 2 ||
        !isfinite(step))
      continue;
    if (fabs(step - used) <= 0.01 * used) continue;
    RBV_TRY(guess_say(&s->out->ambiguous, &s->out->nambiguous, "'%s' and '%s' can both be the time",
                      t->names[best->column], t->names[i]));
  }
  return RBV_OK;
}
