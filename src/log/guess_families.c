/* Columns whose names differ in the joint only are a family. */
#include "log/guess_parts.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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
const char *guess_find_word(const char *name, const char *from, const char *word) {
  const size_t n = strlen(word);
  for (const char *p = from; *p; p++) {
    size_t k = 0;
    while (k < n && p[k] && same_letter(p[k], word[k])) k++;
    if (k == n && (p == name || is_boundary(p[-1], p[0])) && is_boundary(p[n - 1], p[n])) return p;
  }
  return NULL;
}

/* length of the part of a name that patterns are made of */
static size_t pattern_length(const search *s, const char *name) {
  return s->drop_units ? length_without_unit(name) : strlen(name);
}

/* the joint is n characters at `at` */
static void make_pattern(char out[GUESS_PATTERN], const search *s, const char *name, const char *at,
                         size_t n, bool lower) {
  const int tail = (int)(name + pattern_length(s, name) - (at + n));
  snprintf(out, GUESS_PATTERN, "%.*s*%.*s", (int)(at - name), name, tail, at + n);
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

rbv_status guess_find_cores(search *s) {
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
  char pattern[GUESS_PATTERN];
  make_pattern(pattern, s, name, at, n, true);
  for (int i = 0; i < s->nfamily; i++)
    if (s->families[i].by == by && s->families[i].own_units == s->drop_units &&
        strcmp(s->families[i].pattern, pattern) == 0) {
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
  *f = (family){.by = by, .channel = RBV_CHANNEL_OTHER, .own_units = s->drop_units};
  memcpy(f->pattern, pattern, sizeof pattern);
  make_pattern(f->shown, s, name, at, n, false);
  f->column = rbv_alloc(sizeof *f->column * (size_t)s->n);
  if (!f->column) return RBV_EMEM;
  for (int j = 0; j < s->n; j++) f->column[j] = -1;
  s->nfamily++;
  *out = f;
  return RBV_OK;
}

bool guess_is_text(const table *t, int column) { return t->text && t->text[column].cell; }

/* with units in the patterns all columns are searched, otherwise those that have a unit and are in
 * no family of all joints */
static bool is_searched(const search *s, int column) {
  if (!s->drop_units) return true;
  const char *name = s->t->names[column];
  if (length_without_unit(name) == strlen(name)) return false;
  for (int i = 0; i < s->nfamily; i++)
    for (int j = 0; j < s->n && !s->families[i].own_units && s->families[i].found == s->n; j++)
      if (s->families[i].column[j] == column) return false;
  return true;
}

/* Columns with the name of a joint, or with what distinguishes it. */
rbv_status guess_search_names(search *s) {
  for (int pass = 0; pass < 2; pass++) {
    if (pass == 1 && (!s->core || s->numbered)) break;
    const char *const *words = pass == 0 ? s->joints : (const char *const *)s->core;
    for (int i = 0; i < s->t->ncol; i++) {
      const char *name = s->t->names[i];
      if (guess_is_text(s->t, i) || !is_searched(s, i)) continue;
      const char *const end = name + pattern_length(s, name);
      for (int j = 0; j < s->n; j++)
        for (const char *p = guess_find_word(name, name, words[j]);
             p && p + strlen(words[j]) <= end; p = guess_find_word(name, p + 1, words[j])) {
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
  char pattern[GUESS_PATTERN];
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
      if (pass == 0 ? strcasecmp(text, word) == 0 : guess_find_word(text, text, word) != NULL)
        return j;
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
  if (guess_is_text(s->t, run[0].column)) {
    bool names = true;
    for (int k = 0; k < count; k++) names &= guess_is_text(s->t, run[k].column);
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
    if (!is_searched(s, i)) continue;
    const char *const end = name + pattern_length(s, name);
    for (const char *p = name; (p = strpbrk(p, "0123456789")) && p < end;) {
      const size_t digits = strspn(p, "0123456789");
      if (digits <= 3 && strlen(name) < GUESS_PATTERN - 2) {
        if (*count == room) {
          const int more_room = room ? 2 * room : 64;
          numbered_column *more =
              rbv_realloc(*out, sizeof *more * (size_t)room, sizeof *more * (size_t)more_room);
          if (!more) return RBV_EMEM;
          *out = more;
          room = more_room;
        }
        numbered_column *c = &(*out)[(*count)++];
        make_pattern(c->pattern, s, name, p, digits, true);
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
rbv_status guess_search_numbers(search *s) {
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

rbv_status guess_search_any_units(search *s) {
  s->drop_units = true;
  rbv_status status = guess_search_names(s);
  if (status == RBV_OK) status = guess_search_numbers(s);
  s->drop_units = false;
  return status;
}

void guess_joint_meaning(meaning *out, const search *s, const family *f, int joint) {
  if (f->by == BY_CONTENT) {
    *out = f->means;
    if (s->physics->slides[joint]) snprintf(out->unit, sizeof out->unit, "%s", f->slide_unit);
    return;
  }
  const int column = f->column[joint];
  const char *unit = s->t->units ? s->t->units[column] : NULL;
  char pattern[2 * GUESS_PATTERN];
  const char *own = f->own_units ? s->t->names[column] : "";
  snprintf(pattern, sizeof pattern, "%s%s", f->shown, own + length_without_unit(own));
  meaning_of(out, pattern, unit);
}

/* Columns of text have the names of the joints: field.name0 is the joint of field.position0. */
rbv_status guess_apply_labels(search *s) {
  int found = 0;
  for (int j = 0; j < s->n; j++)
    for (int k = 0; k <= GUESS_MOST_JOINTS; k++)
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
        char number[12], name[GUESS_PATTERN];
        for (int k = 0; k <= GUESS_MOST_JOINTS && sorted[j] < 0; k++) {
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
rbv_status guess_search_single(search *s) {
  if (s->n != 1 || !s->t->names) return RBV_OK;
  for (int i = 0; i < s->t->ncol; i++) {
    const char *name = s->t->names[i];
    if (strpbrk(name, "0123456789") || guess_is_text(s->t, i)) continue;
    family *f;
    RBV_TRY(find_family(&f, s, name, name + strlen(name), 0, BY_NUMBER));
    f->shown[strlen(f->shown) - 1] = 0;  // without the star
    f->column[0] = i;
    f->found = 1;
  }
  return RBV_OK;
}

/* ---- rows without a header, as `ros2 topic echo --csv` writes joint states ---- */

rbv_status guess_echo(search *s, clock_guess *c) {
  const table *t = s->t;
  if (!t->text) return RBV_OK;
  // a block of columns of text with different contents that has all joints
  int begin = -1, end = -1;
  for (int i = 0; i < t->ncol && end < 0; i++) {
    if (!guess_is_text(t, i) || joint_of_text(s, t->text[i].cell) < 0) continue;
    begin = i;
    for (end = i; end < t->ncol && guess_is_text(t, end);) end++;
  }
  if (begin < 0) return RBV_OK;
  // names of other joints may come before the first of the robot; the third column is the frame
  while (begin > 3 && guess_is_text(t, begin - 1) && *t->text[begin - 1].cell) begin--;
  const int count = end - begin, rest = t->ncol - end;
  int where[GUESS_MOST_JOINTS];
  for (int j = 0; j < s->n; j++) {
    where[j] = -1;
    for (int k = 0; k < count; k++)
      if (joint_of_text(s, t->text[begin + k].cell) == j) where[j] = k;
    if (where[j] < 0) return RBV_OK;
  }
  if (rest != count && rest != 3 * count)
    return guess_say(&s->out->ambiguous, &s->out->nambiguous,
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
