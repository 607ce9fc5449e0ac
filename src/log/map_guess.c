/*
 * Guesses column maps. Columns whose names differ in the joint only are a family. A family is
 * found by the names of the joints, by columns of text that contain these names, or by numbers.
 * The words of its pattern say which channel it is. Whatever two families could be is ambiguous.
 */
#include "log/map_guess.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/support.h"
#include "log/log_formats.h"
#include "log/log_internal.h"

#define MOST_COLUMNS 5000  // wider files are not searched for families
#define MOST_JOINTS 1000
#define PATTERN 200

typedef enum { BY_NUMBER, BY_LABEL, BY_NAME, EXACT } evidence;

typedef struct {
  char pattern[PATTERN];  // lower case, * in place of the joint
  char shown[PATTERN];    // as written
  int *column;            // of each joint; -1: none
  int found;
  evidence by;
  int first;  // number of the first joint
  int spare;  // further columns
  meaning means;
  rbv_channel channel;  // RBV_CHANNEL_OTHER: none
  bool commanded;       // a torque that was asked for, not measured
} family;

typedef struct {
  const char *name;  // of the file
  const table *t;
  const char *const *joints;
  int n;
  char **core;    // of the joint names, without what they have in common; NULL: none
  bool numbered;  // the names differ in a number only: joint_1, joint_2, ...
  int *label;     // joint of each column of text; -1: none
  family *families;
  int nfamily, room;
  const family *chosen[RBV_CHANNEL_OTHER];
  rbv_log_guess *out;
} search;

/* ---- sentences ---- */

static rbv_status add_sentence(char ***list, int *count, const char *format, ...) RBV_PRINTF(3, 4);

static rbv_status add_sentence(char ***list, int *count, const char *format, ...) {
  rbv_text text = {0};
  va_list args;
  va_start(args, format);
  rbv_text_vprint(&text, format, args);
  va_end(args);
  char **more =
      rbv_realloc(*list, sizeof *more * (size_t)*count, sizeof *more * (size_t)(*count + 1));
  if (more) *list = more;
  if (!more || text.failed) {
    rbv_text_free(&text);
    return RBV_EMEM;
  }
  // the memory of a text is freed by rbv_free
  (*list)[(*count)++] = text.data;
  return RBV_OK;
}

/* ---- names ---- */

static bool same_letter(char a, char b) {
  if (!isalnum((unsigned char)a) && !isalnum((unsigned char)b) && a && b) return true;
  return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Does a word end between these two characters? */
static bool is_boundary(char a, char b) {
  if (isdigit((unsigned char)a) && isdigit((unsigned char)b)) return false;
  if (!isalpha((unsigned char)a) || !isalpha((unsigned char)b)) return true;
  return islower((unsigned char)a) && isupper((unsigned char)b);
}

/* The next occurrence of a word in a name, from a place on; NULL: none. */
static const char *find_word(const char *name, const char *from, const char *word) {
  const size_t n = strlen(word);
  for (const char *p = from; *p; p++) {
    size_t k = 0;
    while (k < n && p[k] && same_letter(p[k], word[k])) k++;
    if (k == n && (p == name || is_boundary(p[-1], p[0])) && is_boundary(p[n - 1], p[n])) return p;
  }
  return NULL;
}

static void make_pattern(char out[PATTERN], const char *name, const char *at, size_t n,
                         bool lower) {
  snprintf(out, PATTERN, "%.*s*%s", (int)(at - name), name, at + n);
  for (char *p = out; lower && *p; p++) *p = (char)tolower((unsigned char)*p);
}

/* What the names have in common at their beginning (or end), up to the border of a word. */
static size_t common(const char *const *names, int n, bool end) {
  const size_t most = strlen(names[0]);
  size_t same = 0;
  for (; same < most; same++) {
    bool all = true;
    for (int j = 1; j < n && all; j++) {
      const size_t length = strlen(names[j]);
      all = same < length && (end ? names[j][length - 1 - same] == names[0][most - 1 - same]
                                  : names[j][same] == names[0][same]);
    }
    if (!all) break;
  }
  while (same > 0 && !(end ? !isalnum((unsigned char)names[0][most - same])
                           : is_boundary(names[0][same - 1], names[0][same])))
    same--;
  return same;
}

static bool is_number(const char *text) {
  return *text && strspn(text, "0123456789") == strlen(text) && strlen(text) <= 4;
}

static rbv_status find_cores(search *s) {
  if (s->n < 2) return RBV_OK;
  const size_t head = common(s->joints, s->n, false), tail = common(s->joints, s->n, true);
  s->core = rbv_alloc(sizeof *s->core * (size_t)s->n);
  if (!s->core) return RBV_EMEM;
  s->numbered = true;
  for (int j = 0; j < s->n; j++) {
    const size_t length = strlen(s->joints[j]);
    const size_t keep = length > head + tail ? length - head - tail : 0;
    s->core[j] = rbv_strndup(s->joints[j] + (keep ? head : 0), keep ? keep : length);
    if (!s->core[j]) return RBV_EMEM;
    s->numbered &= is_number(s->core[j]);
  }
  return RBV_OK;
}

/* ---- families ---- */

static rbv_status find_family(family **out, search *s, const char *name, const char *at, size_t n,
                              evidence by) {
  char pattern[PATTERN];
  make_pattern(pattern, name, at, n, true);
  for (int i = 0; i < s->nfamily; i++)
    if (s->families[i].by == by && strcmp(s->families[i].pattern, pattern) == 0) {
      *out = &s->families[i];
      return RBV_OK;
    }
  if (s->nfamily == s->room) {
    const int room = s->room ? 2 * s->room : 32;
    family *more =
        rbv_realloc(s->families, sizeof *more * (size_t)s->nfamily, sizeof *more * (size_t)room);
    if (!more) return RBV_EMEM;
    s->families = more;
    s->room = room;
  }
  family *f = &s->families[s->nfamily];
  *f = (family){.by = by, .channel = RBV_CHANNEL_OTHER};
  memcpy(f->pattern, pattern, sizeof pattern);
  make_pattern(f->shown, name, at, n, false);
  f->column = rbv_alloc(sizeof *f->column * (size_t)s->n);
  if (!f->column) return RBV_EMEM;
  for (int j = 0; j < s->n; j++) f->column[j] = -1;
  s->nfamily++;
  *out = f;
  return RBV_OK;
}

static bool is_text(const table *t, int column) { return t->text && t->text[column].cell; }

/* Columns with the name of a joint, or with what distinguishes it. */
static rbv_status search_names(search *s) {
  for (int pass = 0; pass < 2; pass++) {
    if (pass == 1 && (!s->core || s->numbered)) break;
    const char *const *words = pass == 0 ? s->joints : (const char *const *)s->core;
    for (int i = 0; i < s->t->ncol; i++) {
      const char *name = s->t->names[i];
      for (int j = 0; j < s->n && !is_text(s->t, i); j++)
        for (const char *p = find_word(name, name, words[j]); p;
             p = find_word(name, p + 1, words[j])) {
          family *f;
          RBV_TRY(find_family(&f, s, name, p, strlen(words[j]), BY_NAME));
          if (f->column[j] < 0) {
            f->column[j] = i;
            f->found++;
          }
        }
    }
    // what distinguishes the joints is asked for only if their names are not found
    for (int i = 0; i < s->nfamily; i++)
      if (s->families[i].found == s->n) return RBV_OK;
  }
  return RBV_OK;
}

/* Numbers of a family, while it is collected. */
typedef struct {
  char pattern[PATTERN];
  int number, column, at, digits;
} numbered_column;

static int by_pattern(const void *a, const void *b) {
  const numbered_column *x = a, *y = b;
  const int order = strcmp(x->pattern, y->pattern);
  if (order) return order;
  return x->number != y->number ? (x->number > y->number) - (x->number < y->number)
                                : x->column - y->column;
}

/* The joint whose name, or what distinguishes it, is this text; -1: none. */
static int joint_of_text(const search *s, const char *text) {
  for (int pass = 0; pass < 2; pass++)
    for (int j = 0; j < s->n; j++) {
      const char *word = pass == 0 ? s->joints[j] : s->core ? s->core[j] : NULL;
      if (pass == 1 && (!word || s->numbered)) continue;
      if (pass == 0 ? strcasecmp(text, word) == 0 : find_word(text, text, word) != NULL) return j;
    }
  return -1;
}

/* Take a run of columns that differ in a number, from 0 or from 1 on. */
static rbv_status take_run(search *s, const numbered_column *run, int count) {
  const int first = run[0].number;
  if (first > 1 || count < s->n) return RBV_OK;
  for (int k = 0; k < count; k++)
    if (run[k].number != first + k) return RBV_OK;

  // columns of text name the joints
  if (is_text(s->t, run[0].column)) {
    bool names = true;
    for (int k = 0; k < count; k++) names &= is_text(s->t, run[k].column);
    for (int k = 0; k < count && names; k++)
      s->label[run[k].number] = joint_of_text(s, s->t->text[run[k].column].cell);
    return RBV_OK;
  }
  const char *name = s->t->names[run[0].column];
  family *f;
  RBV_TRY(find_family(&f, s, name, name + run[0].at, (size_t)run[0].digits, BY_NUMBER));
  for (int k = 0; k < s->n; k++) f->column[k] = run[k].column;
  f->found = s->n;
  f->first = first;
  f->spare = count - s->n;
  return RBV_OK;
}

static rbv_status list_numbers(numbered_column **out, int *count, const search *s) {
  int room = 0;
  *count = 0;
  for (int i = 0; i < s->t->ncol; i++) {
    const char *name = s->t->names[i];
    for (const char *p = name; (p = strpbrk(p, "0123456789"));) {
      const size_t digits = strspn(p, "0123456789");
      if (digits <= 3 && strlen(name) < PATTERN - 2) {
        if (*count == room) {
          const int more_room = room ? 2 * room : 64;
          numbered_column *more =
              rbv_realloc(*out, sizeof *more * (size_t)room, sizeof *more * (size_t)more_room);
          if (!more) return RBV_EMEM;
          *out = more;
          room = more_room;
        }
        numbered_column *c = &(*out)[(*count)++];
        make_pattern(c->pattern, name, p, digits, true);
        c->column = i;
        c->at = (int)(p - name);
        c->digits = (int)digits;
        c->number = 0;
        for (size_t k = 0; k < digits; k++) c->number = 10 * c->number + (p[k] - '0');
      }
      p += digits;
    }
  }
  return RBV_OK;
}

/* Families by number. Labels are found in the first pass, because they change the order. */
static rbv_status search_numbers(search *s) {
  numbered_column *all = NULL;
  int count;
  rbv_status status = list_numbers(&all, &count, s);
  if (status == RBV_OK && count > 0) qsort(all, (size_t)count, sizeof *all, by_pattern);
  for (int i = 0, end; i < count && status == RBV_OK; i = end) {
    for (end = i + 1; end < count && strcmp(all[end].pattern, all[i].pattern) == 0;) end++;
    status = take_run(s, all + i, end - i);
  }
  rbv_free(all);
  return status;
}

/* Columns of text have the names of the joints: field.name0 is the joint of field.position0. */
static rbv_status apply_labels(search *s) {
  int found = 0;
  for (int j = 0; j < s->n; j++)
    for (int k = 0; k <= MOST_JOINTS; k++)
      if (s->label[k] == j) {
        found++;
        break;
      }
  if (found < s->n) return RBV_OK;
  for (int i = 0; i < s->nfamily; i++) {
    family *f = &s->families[i];
    if (f->by != BY_NUMBER) continue;
    int *sorted = rbv_alloc(sizeof *sorted * (size_t)s->n);
    if (!sorted) return RBV_EMEM;
    bool all = true;
    for (int j = 0; j < s->n; j++) {
      // the number of the label is the number of the column
      sorted[j] = -1;
      for (int c = 0; c < s->t->ncol && sorted[j] < 0; c++) {
        char number[12], name[PATTERN];
        for (int k = 0; k <= MOST_JOINTS && sorted[j] < 0; k++) {
          if (s->label[k] != j) continue;
          snprintf(number, sizeof number, "%d", k);
          const char *star = strchr(f->shown, '*');
          snprintf(name, sizeof name, "%.*s%s%s", (int)(star - f->shown), f->shown, number,
                   star + 1);
          if (strcmp(name, s->t->names[c]) == 0) sorted[j] = c;
        }
      }
      all &= sorted[j] >= 0;
    }
    if (all) {
      rbv_free(f->column);
      f->column = sorted;
      f->by = BY_LABEL;
    } else {
      rbv_free(sorted);
    }
  }
  return RBV_OK;
}

/* A robot with one joint: names need not say which joint they belong to. */
static rbv_status search_single(search *s) {
  if (s->n != 1 || !s->t->names) return RBV_OK;
  for (int i = 0; i < s->t->ncol; i++) {
    const char *name = s->t->names[i];
    if (strpbrk(name, "0123456789") || is_text(s->t, i)) continue;
    family *f;
    RBV_TRY(find_family(&f, s, name, name + strlen(name), 0, BY_NUMBER));
    f->shown[strlen(f->shown) - 1] = 0;  // without the star
    f->column[0] = i;
    f->found = 1;
  }
  return RBV_OK;
}

/* ---- channels ---- */

static rbv_channel channel_of(const meaning *m) {
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

static void classify(search *s) {
  for (int i = 0; i < s->nfamily; i++) {
    family *f = &s->families[i];
    if (f->found < s->n) continue;
    const int first = f->column[0];
    const char *unit = s->t->units ? s->t->units[first] : NULL;
    meaning_of(&f->means, f->shown, unit);
    f->channel = has_values(s, f) ? channel_of(&f->means) : RBV_CHANNEL_OTHER;
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

static rbv_status choose(search *s) {
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
      RBV_TRY(add_sentence(&s->out->ambiguous, &s->out->nambiguous,
                           "'%s' and '%s' can both be %s of the joints", s->chosen[c]->shown,
                           f->shown, what[c]));
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
    RBV_TRY(add_sentence(&s->out->ambiguous, &s->out->nambiguous,
                         "'%s' can be %s before the gear (%s) or after it (%s)", motor->shown,
                         sides[i].quantity, what[sides[i].motor], what[sides[i].joint]));
  }
  // a measured torque of the sensor and commanded ones of the motor: the sensor counts
  const family *tau = s->chosen[RBV_CHANNEL_TORQUE];
  if (tau && tau->commanded && s->chosen[RBV_CHANNEL_JOINT_TORQUE])
    s->chosen[RBV_CHANNEL_TORQUE] = NULL;
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
static rbv_status doubt_command(search *s) {
  const family *tau = s->chosen[RBV_CHANNEL_TORQUE];
  for (int i = 0; i < s->nfamily && tau && tau->commanded; i++) {
    const family *f = &s->families[i];
    if (f->found < s->n || f->means.of != QUANTITY_NONE || f->means.foreign) continue;
    return add_sentence(&s->out->ambiguous, &s->out->nambiguous,
                        "'%s' was commanded, and '%s' may be the measured torque", tau->shown,
                        f->shown);
  }
  return RBV_OK;
}

/* Positions and torques of one source differ in the word of the quantity only. A further word may
 * say that a column is no measurement (tau_model, torque_lim). */
static rbv_status doubt_sources(search *s) {
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
      RBV_TRY(add_sentence(&s->out->ambiguous, &s->out->nambiguous,
                           "'%s' has the word '%s', which '%s' does not have: is it a measurement?",
                           odd->shown, word, odd == tau ? q->shown : tau->shown));
  }
  return RBV_OK;
}

/* Joints that are numbered from 1, columns from 0: column 1 could be either. */
static rbv_status doubt_numbers(search *s) {
  for (int c = 0; c < RBV_CHANNEL_OTHER; c++) {
    const family *f = s->chosen[c];
    if (!f || f->by != BY_NAME || !s->numbered) continue;
    for (int i = 0; i < s->nfamily; i++) {
      const family *g = &s->families[i];
      if (g->by == BY_NUMBER && g->channel == f->channel && g->first == 0 && g->spare > 0)
        RBV_TRY(add_sentence(&s->out->ambiguous, &s->out->nambiguous,
                             "'%s' counts from 0, but '%s' is the name of a joint: is the first "
                             "joint number 0 or number 1?",
                             g->shown, s->joints[0]));
    }
  }
  return RBV_OK;
}

/* ---- time ---- */

typedef struct {
  int column, second;  // second: the column of nanoseconds; -1: none
  const char *unit;
  char reason[160];
  int rank;
} clock_guess;

static bool has_word(const char *name, const char *word) {
  return find_word(name, name, word) != NULL;
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
                                         {"s", "ns"},        {"seconds", "nanoseconds"}};
  const char *name = t->names[seconds];
  for (int i = 0; i < RBV_COUNT(words); i++) {
    const char *at = find_word(name, name, words[i][0]);
    if (!at) continue;
    char other[PATTERN];
    snprintf(other, sizeof other, "%.*s%s%s", (int)(at - name), name, words[i][1],
             at + strlen(words[i][0]));
    for (int c = 0; c < t->ncol; c++)
      if (strcasecmp(other, t->names[c]) == 0) return c;
  }
  return -1;
}

static int rank_clock(const table *t, int i) {
  const char *name = t->names[i];
  static const char *const exact[] = {"time", "timestamp", "__time", "stamp", "times"};
  if (strcmp(name, "t") == 0) return 9;
  for (int k = 0; k < RBV_COUNT(exact); k++)
    if (strcasecmp(name, exact[k]) == 0) return 8;
  if (has_word(name, "receive") && has_word(name, "time")) return 2;
  if (has_word(name, "stamp") && has_word(name, "header")) return 7;
  if (has_word(name, "timestamp") || has_word(name, "time") || has_word(name, "stamp") ||
      has_word(name, "t") || has_word(name, "rosbagTimestamp"))
    return 5;
  if (has_word(name, "sec") || has_word(name, "secs") || has_word(name, "seconds")) return 4;
  return 0;
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

static void find_clock(clock_guess *best, search *s) {
  const table *t = s->t;
  *best = (clock_guess){.column = -1, .second = -1};
  for (int i = 0; i < t->ncol; i++) {
    if (is_text(t, i)) continue;
    clock_guess c = {.column = i, .second = -1, .rank = rank_clock(t, i)};
    if (c.rank == 0 && i == 0 && is_time_index(t)) {
      c.rank = 1;
      snprintf(c.reason, sizeof c.reason, "the first column has no name, and it increases");
    }
    if (c.rank == 0) continue;
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
}

void guess_clock(int *column, int *second, double *factor, const table *t) {
  static const struct {
    const char *unit;
    double factor;
  } units[] = {{"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
  search s = {.t = t};
  clock_guess c = {.column = -1, .second = -1};
  if (t->names) find_clock(&c, &s);
  *column = c.column;
  *second = c.second;
  *factor = 1;
  for (int i = 0; i < RBV_COUNT(units) && c.unit; i++)
    if (strcmp(units[i].unit, c.unit) == 0) *factor = units[i].factor;
}

/* Another column of the same rank, with steps of its own: which clock is meant? */
static rbv_status doubt_clock(search *s, const clock_guess *best) {
  const table *t = s->t;
  if (best->column < 0 || best->second >= 0 || best->rank >= 14) return RBV_OK;
  for (int i = 0; i < t->ncol; i++) {
    const double step = step_of(t, i), used = step_of(t, best->column);
    if (i == best->column || is_text(t, i) || rank_clock(t, i) != best->rank / 2 || !isfinite(step))
      continue;
    if (fabs(step - used) <= 0.01 * used) continue;
    RBV_TRY(add_sentence(&s->out->ambiguous, &s->out->nambiguous,
                         "'%s' and '%s' can both be the time", t->names[best->column],
                         t->names[i]));
  }
  return RBV_OK;
}

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

static void explain(rbv_text *out, const search *s, const family *f) {
  static const char *const how[] = {[BY_NUMBER] = "numbered like the joints of the robot",
                                    [BY_LABEL] = "other columns have the names of the joints",
                                    [BY_NAME] = "the names of the joints are in the columns",
                                    [EXACT] = "names of Roberval"};
  if (s->n == 1 && !strchr(f->shown, '*'))
    rbv_text_put(out, "the robot has one joint");
  else
    rbv_text_put(out, how[f->by]);
  if (f->by == BY_NUMBER && f->first == 0) rbv_text_put(out, ", from 0 on");
  if (f->spare > 0 && f->by != BY_NAME)
    rbv_text_print(out, ", the first %d of %d", s->n, s->n + f->spare);
  if (f->means.unit[0]) rbv_text_print(out, ", unit %s", f->means.unit);
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
      rbv_text_print(y, "    %s%s: ", gain ? "# " : "", rbv_channel_name((rbv_channel)c));
      if (f->means.unit[0] || gain) rbv_text_put(y, "{column: ");
      put_column(y, s->t, f->column[j]);
      if (gain)
        rbv_text_print(y, ", unit: %s, gain: }  # add the gain [N m per A]",
                       f->means.unit[0] ? f->means.unit : "A");
      else if (f->means.unit[0])
        rbv_text_print(y, ", unit: %s}", f->means.unit);
      rbv_text_put(y, "\n");
    }
  }
}

static void put_clock(rbv_text *y, const table *t, const clock_guess *c, double rate_hz) {
  if (c->column < 0) {
    char number[32];
    rbv_format_double(number, rate_hz);
    if (rate_hz > 0) rbv_text_print(y, "rate_hz: %s\n", number);
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

static rbv_status list_missing(search *s, const clock_guess *c, double rate_hz) {
  rbv_log_guess *g = s->out;
  if (c->column < 0 && !(rate_hz > 0))
    RBV_TRY(add_sentence(&g->missing, &g->nmissing,
                         "no column of time that increases: add one, or give the sample rate"));
  if (!s->chosen[RBV_CHANNEL_POSITION] && !s->chosen[RBV_CHANNEL_MOTOR_POSITION])
    RBV_TRY(add_sentence(&g->missing, &g->nmissing, "no positions of the %d joints", s->n));
  const family *tau = s->chosen[RBV_CHANNEL_TORQUE];
  if (tau && needs_gain(tau))
    RBV_TRY(add_sentence(&g->missing, &g->nmissing,
                         "'%s' are currents: the gain of each drive [N m per A] is not known",
                         tau->shown));
  else if (!tau && !s->chosen[RBV_CHANNEL_MOTOR_TORQUE] && !s->chosen[RBV_CHANNEL_JOINT_TORQUE])
    RBV_TRY(add_sentence(&g->missing, &g->nmissing, "no torques of the %d joints", s->n));
  for (int i = RBV_CHANNEL_POSITION; i < RBV_CHANNEL_OTHER; i++)
    if (s->chosen[i] && s->chosen[i]->means.strange[0])
      RBV_TRY(add_sentence(&g->ambiguous, &g->nambiguous, "the unit '%s' of '%s' is not known",
                           s->chosen[i]->means.strange, s->chosen[i]->shown));
  return RBV_OK;
}

/* Families that have some of the joints: the name of the first joint without a column. */
static rbv_status list_gaps(search *s) {
  for (int i = 0; i < s->nfamily; i++) {
    const family *f = &s->families[i];
    if (f->by != BY_NAME || f->found == s->n || 2 * f->found < s->n || f->found < 2) continue;
    meaning m;
    meaning_of(&m, f->shown, NULL);
    const rbv_channel channel = channel_of(&m);
    if (channel == RBV_CHANNEL_OTHER || s->chosen[channel]) continue;
    for (int j = 0; j < s->n; j++)
      if (f->column[j] < 0) {
        RBV_TRY(add_sentence(&s->out->missing, &s->out->nmissing,
                             "'%s' has no column of joint '%s'", f->shown, s->joints[j]));
        break;
      }
  }
  return RBV_OK;
}

/* Does a map say more than the names of this module? */
static bool is_standard(const search *s, const clock_guess *c, double rate_hz) {
  bool any = false, exact = true;
  for (int i = 1; i < RBV_CHANNEL_OTHER; i++) {
    const family *f = s->chosen[i];
    if (!f) continue;
    any = true;
    exact &= f->by == EXACT && !f->means.unit[0] && !f->means.strange[0];
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

static rbv_status describe(search *s, const clock_guess *c, double rate_hz) {
  rbv_log_guess *g = s->out;
  rbv_text y = {0}, reason = {0};
  rbv_status status = RBV_OK;
  bool any = false, usable = false;
  rbv_text_print(&y, "# Column map for %d joints, guessed from the names in ", s->n);
  for (const char *p = s->name; *p; p++) rbv_text_add(&y, (unsigned char)*p < 32 ? " " : p, 1);
  rbv_text_put(&y, "\n");
  if (c->column >= 0) {
    char number[16], text[PATTERN + 200];
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
    char text[2 * PATTERN];
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
  put_clock(&y, s->t, c, rate_hz);
  put_joints(&y, s);
  rbv_text_free(&reason);
  if (y.failed) status = RBV_EMEM;
  if (status == RBV_OK && any && usable && !g->standard)
    status = rbv_log_map_parse(&g->map, "guessed map", y.data, y.size);
  if (status == RBV_OK && any)
    g->yaml = y.data;
  else
    rbv_text_free(&y);
  return status;
}

/* ---- rows without a header, as `ros2 topic echo --csv` writes joint states ---- */

static rbv_status guess_echo(search *s, clock_guess *c) {
  const table *t = s->t;
  if (!t->text) return RBV_OK;
  // a block of columns of text with different contents that has all joints
  int begin = -1, end = -1;
  for (int i = 0; i < t->ncol && end < 0; i++) {
    if (!is_text(t, i) || joint_of_text(s, t->text[i].cell) < 0) continue;
    begin = i;
    for (end = i; end < t->ncol && is_text(t, end);) end++;
  }
  if (begin < 0) return RBV_OK;
  // names of other joints may come before the first of the robot; the third column is the frame
  while (begin > 3 && is_text(t, begin - 1) && *t->text[begin - 1].cell) begin--;
  const int count = end - begin, rest = t->ncol - end;
  int where[MOST_JOINTS];
  for (int j = 0; j < s->n; j++) {
    where[j] = -1;
    for (int k = 0; k < count; k++)
      if (joint_of_text(s, t->text[begin + k].cell) == j) where[j] = k;
    if (where[j] < 0) return RBV_OK;
  }
  if (rest != count && rest != 3 * count)
    return add_sentence(&s->out->ambiguous, &s->out->nambiguous,
                        "after the %d names there are %d columns, not positions, velocities and "
                        "efforts of each joint",
                        count, rest);
  static const char *const shown[] = {"position", "velocity", "effort"};
  static const quantity of[] = {QUANTITY_POSITION, QUANTITY_VELOCITY, QUANTITY_TORQUE};
  static const rbv_channel channel[] = {RBV_CHANNEL_POSITION, RBV_CHANNEL_VELOCITY,
                                        RBV_CHANNEL_TORQUE};
  for (int b = 0; b < rest / count; b++) {
    family *f;
    const char *name = shown[b];
    RBV_TRY(find_family(&f, s, name, name + strlen(name), 0, BY_LABEL));
    snprintf(f->shown, sizeof f->shown, "columns %d to %d", end + b * count + 1,
             end + (b + 1) * count);
    for (int j = 0; j < s->n; j++) f->column[j] = end + b * count + where[j];
    f->found = s->n;
    f->means.of = of[b];
    f->channel = channel[b];
  }
  for (int i = 0; i < s->nfamily; i++) s->chosen[s->families[i].channel] = &s->families[i];
  *c = (clock_guess){.column = 0, .second = 1, .reason = "seconds and nanoseconds of the header"};
  return RBV_OK;
}

/* ---- the search ---- */

static rbv_status run(search *s, double rate_hz) {
  clock_guess c = {.column = -1, .second = -1};
  RBV_TRY(find_cores(s));
  if (s->t->names) {
    RBV_TRY(search_names(s));
    RBV_TRY(search_numbers(s));
    RBV_TRY(apply_labels(s));
    RBV_TRY(search_single(s));
    classify(s);
    RBV_TRY(choose(s));
    RBV_TRY(doubt_numbers(s));
    RBV_TRY(doubt_sources(s));
    RBV_TRY(doubt_command(s));
    find_clock(&c, s);
    RBV_TRY(doubt_clock(s, &c));
    s->out->standard = is_standard(s, &c, rate_hz);
  } else {
    RBV_TRY(guess_echo(s, &c));
  }
  if (!s->out->standard) {
    RBV_TRY(list_missing(s, &c, rate_hz));
    RBV_TRY(list_gaps(s));
  }
  return describe(s, &c, rate_hz);
}

/* Joint names that the recording itself has: the labels in brackets of positions. */
static rbv_status own_joints(char ***out, int *n, const table *t) {
  *n = 0;
  *out = rbv_alloc(sizeof **out * (size_t)t->ncol);
  if (!*out) return RBV_EMEM;
  const char *topic = NULL;
  size_t topic_size = 0;
  for (int i = 0; i < t->ncol && t->names && *n < MOST_JOINTS; i++) {
    const char *open = strrchr(t->names[i], '['), *close = open ? strchr(open, ']') : NULL;
    if (!close || close[1] || close == open + 1) continue;
    const size_t size = (size_t)(open - t->names[i]);
    // of the first column with a label that is a position
    if (!topic) {
      char head[PATTERN];
      meaning m;
      snprintf(head, sizeof head, "%.*s", (int)size, t->names[i]);
      meaning_of(&m, head, NULL);
      if (m.of != QUANTITY_POSITION || m.reference || m.foreign) continue;
      topic = t->names[i];
      topic_size = size;
    }
    if (size != topic_size || strncmp(topic, t->names[i], size) != 0) continue;
    if (!((*out)[*n] = rbv_strndup(open + 1, (size_t)(close - open - 1)))) return RBV_EMEM;
    ++*n;
  }
  return RBV_OK;
}

rbv_status guess_from_table(rbv_log_guess **out, const char *name, const table *t,
                            const char *const *joints, int n, double rate_hz) {
  *out = NULL;
  search s = {.name = name, .t = t, .joints = joints, .n = n};
  char **own = NULL;
  int nown = 0;
  rbv_status status = RBV_OK;
  s.out = rbv_alloc(sizeof *s.out);
  s.label = rbv_alloc(sizeof *s.label * (MOST_JOINTS + 1));
  if (!s.out || !s.label) status = RBV_EMEM;
  for (int k = 0; s.label && k <= MOST_JOINTS; k++) s.label[k] = -1;
  if (status == RBV_OK && !joints) {
    status = own_joints(&own, &nown, t);
    s.joints = (const char *const *)own;
    s.n = nown;
  }
  const bool possible = s.n > 0 && s.n <= MOST_JOINTS && t->ncol <= MOST_COLUMNS;
  if (status == RBV_OK && s.out) s.out->standard = !possible;
  if (status == RBV_OK && possible) status = run(&s, rate_hz);
  for (int i = 0; i < s.nfamily; i++) rbv_free(s.families[i].column);
  rbv_free(s.families);
  for (int j = 0; j < s.n && s.core; j++) rbv_free(s.core[j]);
  rbv_free(s.core);
  rbv_free(s.label);
  names_free(own, nown);
  if (status == RBV_OK)
    *out = s.out;
  else
    rbv_log_guess_free(s.out);
  return status;
}

rbv_status rbv_log_guess_columns(rbv_log_guess **out, const char *path, const char *const *joints,
                                 int njoint, double rate_hz) {
  if (!out) return rbv_fail(RBV_EARG, "no place for the guess");
  *out = NULL;
  if (!path || (joints && njoint < 1)) return rbv_fail(RBV_EARG, "no file, or no joints");
  table t;
  RBV_TRY(log_format_peek(&t, path));
  const rbv_status status = guess_from_table(out, path, &t, joints, njoint, rate_hz);
  table_free(&t);
  return status;
}

void rbv_log_guess_free(rbv_log_guess *g) {
  if (!g) return;
  for (int i = 0; i < g->count; i++) {
    log_drop(g->items[i].columns);
    log_drop(g->items[i].reason);
  }
  names_free(g->missing, g->nmissing);
  names_free(g->ambiguous, g->nambiguous);
  rbv_log_map_free(g->map);
  rbv_free(g->items);
  rbv_free(g->yaml);
  rbv_free(g);
}
