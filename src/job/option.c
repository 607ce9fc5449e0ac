#include <roberval/sys/option.h>

#include <errno.h>
#include <math.h>
#include <roberval/sys/storage.h>
#include <stdio.h>
#include <string.h>

#include "document/document.h"
#include "job/job_internal.h"

#define MOST_SEED 9007199254740992  // 2^53: up to here a JSON number holds every integer

int rbv_option_count(const rbv_option *rows) {
  int count = 0;
  while (rows[count].name) count++;
  return count;
}

bool rbv_option_takes_value(rbv_option_kind kind) {
  return kind != RBV_OPTION_FLAG && kind != RBV_OPTION_OFF;
}

const char *rbv_option_kind_name(rbv_option_kind kind) {
  switch (kind) {
    case RBV_OPTION_FLAG:
    case RBV_OPTION_OFF: return "flag";
    case RBV_OPTION_REAL: return "number";
    case RBV_OPTION_COUNT: return "count";
    case RBV_OPTION_SEED: return "seed";
    case RBV_OPTION_TEXT: return "text";
    case RBV_OPTION_FILE: return "file";
    case RBV_OPTION_FILES: return "files";
    case RBV_OPTION_OUTPUT: return "output";
  }
  return "";
}

/* ---- numbers ---- */

static bool is_limited(rbv_range range) { return range.least != 0 || range.most != 0; }

#define COUNT_MOST 1000000000

/* counts are whole numbers from 1, unless their row says otherwise */
static rbv_range range_of_counts(rbv_range range) {
  return is_limited(range) ? range : (rbv_range){1, COUNT_MOST, false, false};
}

static bool in_range(rbv_range range, double x) {
  if (!isfinite(x)) return false;
  if (!is_limited(range)) return true;
  return (range.open ? x > range.least : x >= range.least) && x <= range.most;
}

/* " from 0 to 1", " above 0, at most 1e+06"; nothing for numbers without limits */
static void describe_range(char text[RBV_NEEDS_MAX], const char *what, rbv_range range) {
  if (!is_limited(range))
    snprintf(text, RBV_NEEDS_MAX, "%s", what);
  else
    snprintf(text, RBV_NEEDS_MAX, range.open ? "%s above %g, at most %g%s" : "%s from %g to %g%s",
             what, range.least, range.most, range.share ? ", or in percent" : "");
}

void rbv_option_needs(char text[RBV_NEEDS_MAX], rbv_option_kind kind, rbv_range range) {
  const char *what = "";
  switch (kind) {
    case RBV_OPTION_FLAG:
    case RBV_OPTION_OFF: what = "true or false"; break;
    case RBV_OPTION_REAL: describe_range(text, "a number", range); return;
    case RBV_OPTION_COUNT:
      if (is_limited(range))
        describe_range(text, "a whole number", range);
      else
        snprintf(text, RBV_NEEDS_MAX, "a whole number, at least 1");
      return;
    case RBV_OPTION_SEED: what = "a whole number up to 2^53"; break;
    case RBV_OPTION_TEXT: what = "a text"; break;
    case RBV_OPTION_FILE: what = "a file"; break;
    case RBV_OPTION_FILES: what = "a file, at most 64 times"; break;
    case RBV_OPTION_OUTPUT: what = "a path"; break;
  }
  snprintf(text, RBV_NEEDS_MAX, "%s", what);
}

/* A number; a share may be written in percent. */
static bool parse_real(double *out, const char *text, rbv_range range) {
  char number[32];
  const size_t length = strlen(text);
  if (!range.share || length < 2 || length > sizeof number || text[length - 1] != '%')
    return rbv_real_parse(out, text);
  memcpy(number, text, length - 1);
  number[length - 1] = 0;
  if (!rbv_real_parse(out, number)) return false;
  *out /= 100;
  return true;
}

bool rbv_option_store(rbv_option_kind kind, rbv_range range, void *target, const char *text) {
  char *end;
  errno = 0;
  switch (kind) {
    case RBV_OPTION_FLAG: *(bool *)target = true; return true;
    case RBV_OPTION_OFF: *(bool *)target = false; return true;
    case RBV_OPTION_TEXT:
    case RBV_OPTION_FILE:
    case RBV_OPTION_OUTPUT:
      if (!*text) return false;
      *(const char **)target = text;
      return true;
    case RBV_OPTION_FILES: {
      rbv_files *files = target;
      if (!*text || files->count == RBV_FILES_MAX) return false;
      files->item[files->count++] = text;
      return true;
    }
    case RBV_OPTION_REAL: {
      double value;
      if (!parse_real(&value, text, range) || !in_range(range, value)) return false;
      *(double *)target = value;
      return true;
    }
    case RBV_OPTION_COUNT: {
      const long value = strtol(text, &end, 10);
      if (end == text || *end || errno || !in_range(range_of_counts(range), (double)value))
        return false;
      *(int *)target = (int)value;
      return true;
    }
    case RBV_OPTION_SEED: {
      const unsigned long long value = strtoull(text, &end, 10);
      if (end == text || *end || errno || strchr(text, '-') || value > MOST_SEED) return false;
      *(uint64_t *)target = value;
      return true;
    }
  }
  return false;
}

static double number_of(const rbv_option *o, const void *options) {
  const void *value = (const char *)options + o->offset;
  if (o->kind == RBV_OPTION_REAL) return *(const double *)value;
  return o->kind == RBV_OPTION_COUNT ? *(const int *)value : NAN;
}

static rbv_status check_row(const rbv_option *o, double x, double usual) {
  const rbv_range range = o->kind == RBV_OPTION_COUNT ? range_of_counts(o->range) : o->range;
  if (x == usual || isnan(x) || in_range(range, x)) return RBV_OK;
  char needs[RBV_NEEDS_MAX];
  rbv_option_needs(needs, o->kind, o->range);
  return rbv_fail_option(RBV_EOPTION, o->name, "%s needs %s, not %g", o->name, needs, x);
}

rbv_status rbv_option_check(const rbv_option_group *groups, const rbv_option_group *usual) {
  for (const rbv_option_group *g = groups; g->rows; g++, usual++)
    for (const rbv_option *o = g->rows; o->name; o++)
      RBV_TRY(check_row(o, number_of(o, g->options), number_of(o, usual->options)));
  return RBV_OK;
}

const rbv_option *rbv_option_find(void **target, const rbv_option_group *groups, const char *name) {
  for (const rbv_option_group *g = groups; g->rows; g++)
    for (const rbv_option *o = g->rows; o->name; o++)
      if (strcmp(o->name, name) == 0) {
        *target = (char *)g->options + o->offset;
        return o;
      }
  return NULL;
}

const rbv_option *rbv_option_at(const rbv_option_group *groups, int i) {
  for (const rbv_option_group *g = groups; g->rows && i >= 0; g++) {
    const int count = rbv_option_count(g->rows);
    if (i < count) return &g->rows[i];
    i -= count;
  }
  return NULL;
}

void rbv_option_format(char text[32], const rbv_option_group *groups, const char *name,
                       double value) {
  void *target;
  const rbv_option *o = rbv_option_find(&target, groups, name);
  if (o && !rbv_option_takes_value(o->kind))
    snprintf(text, 32, "%s", value != 0 ? "true" : "false");
  else
    rbv_format_double(text, value);
}

/* ---- texts ---- */

const char *rbv_pool_keep(text_pool *pool, const char *text) {
  char **longer = rbv_realloc(pool->text, (size_t)pool->count * sizeof *longer,
                              (size_t)(pool->count + 1) * sizeof *longer);
  if (!longer) return NULL;
  pool->text = longer;
  char *copy = rbv_strdup(text);
  if (copy) pool->text[pool->count++] = copy;
  return copy;
}

void rbv_pool_free(text_pool *pool) {
  for (int i = 0; i < pool->count; i++) rbv_free(pool->text[i]);
  rbv_free(pool->text);
  *pool = (text_pool){0};
}

static rbv_status check_choice(const rbv_option *o, const char *text) {
  if (!o->choice) return RBV_OK;
  rbv_text known = {0};
  for (int i = 0; o->choice(i); i++) {
    if (strcmp(o->choice(i), text) == 0) {
      rbv_text_free(&known);
      return RBV_OK;
    }
    rbv_text_print(&known, "%s%s", i > 0 ? ", " : "", o->choice(i));
  }
  RBV_FINISH(rbv_fail(RBV_EOPTION, "%s cannot be '%s' (choose from %s)", o->name, text,
                      known.data ? known.data : ""),
             rbv_text_free(&known));
}

enum { MOST_NAMES = 256 };  // of one task, to find the nearest one

static rbv_status refuse_name(const rbv_option_group *groups, const char *name) {
  const char *known[MOST_NAMES + 1] = {0};
  int count = 0;
  for (const rbv_option_group *g = groups; g->rows; g++)
    for (const rbv_option *o = g->rows; o->name && count < MOST_NAMES; o++)
      known[count++] = o->name;
  const char *near = rbv_nearest_word(name, known);
  if (!near) return rbv_fail(RBV_EOPTION, "there is no option '%s'", name);
  return rbv_fail(RBV_EOPTION, "there is no option '%s'; did you mean '%s'?", name, near);
}

rbv_status rbv_option_set(const rbv_option_group *groups, const char *name, const char *text) {
  void *target;
  if (!name || !text) return rbv_fail(RBV_EOPTION, "an option needs a name and a value");
  const rbv_option *o = rbv_option_find(&target, groups, name);
  if (!o) return refuse_name(groups, name);
  if (!rbv_option_takes_value(o->kind)) {
    const bool yes = strcmp(text, "true") == 0;
    if (!yes && strcmp(text, "false") != 0)
      return rbv_fail(RBV_EOPTION, "%s needs true or false, not '%s'", name, text);
    *(bool *)target = (o->kind == RBV_OPTION_FLAG) == yes;
    return RBV_OK;
  }
  if (o->kind == RBV_OPTION_TEXT && *text) RBV_TRY(check_choice(o, text));
  if (!rbv_option_store(o->kind, o->range, target, text)) {
    char needs[RBV_NEEDS_MAX];
    rbv_option_needs(needs, o->kind, o->range);
    return rbv_fail(RBV_EOPTION, "%s needs %s, not '%s'", name, needs, text);
  }
  return RBV_OK;
}

/* ---- provenance ---- */

/* one value as a setting; false: not given, or a list */
static bool record(rbv_setting *out, const rbv_option *o, const void *value) {
  *out = (rbv_setting){.key = o->name, .number = NAN};
  switch (o->kind) {
    case RBV_OPTION_FLAG:
      out->flag = true;
      out->number = *(const bool *)value;
      return true;
    case RBV_OPTION_OFF:
      out->flag = true;
      out->number = !*(const bool *)value;
      return true;
    case RBV_OPTION_REAL: out->number = *(const double *)value; return !isnan(out->number);
    case RBV_OPTION_COUNT: out->number = *(const int *)value; return out->number > 0;
    case RBV_OPTION_SEED: out->number = (double)*(const uint64_t *)value; return true;
    case RBV_OPTION_TEXT:
    case RBV_OPTION_FILE: out->text = *(const char *const *)value; return out->text != NULL;
    case RBV_OPTION_OUTPUT:
    case RBV_OPTION_FILES: return false;
  }
  return false;
}

int rbv_option_record(rbv_setting *setting, const rbv_option_group *groups) {
  int count = 0;
  for (const rbv_option_group *g = groups; g->rows; g++)
    for (const rbv_option *o = g->rows; o->name; o++) {
      rbv_setting one;
      if (o->unrecorded || !record(&one, o, (const char *)g->options + o->offset)) continue;
      if (setting) setting[count] = one;
      count++;
    }
  return count;
}

/* a default may be outside the range, and may be no number */
static bool recall_real(const rbv_option *o, double *target, const rbv_setting *s) {
  const bool usual = s->number == *target || (isnan(s->number) && isnan(*target));
  if (s->text || s->flag || (!usual && !in_range(o->range, s->number))) return false;
  *target = s->number;
  return true;
}

static bool recall(const rbv_option *o, void *target, const rbv_setting *s) {
  switch (o->kind) {
    case RBV_OPTION_FLAG: *(bool *)target = s->number != 0; return s->flag;
    case RBV_OPTION_OFF: *(bool *)target = s->number == 0; return s->flag;
    case RBV_OPTION_REAL: return recall_real(o, target, s);
    case RBV_OPTION_COUNT:
      if (!(s->number >= 1 && s->number <= COUNT_MOST)) return false;
      *(int *)target = (int)s->number;
      return !s->text && !s->flag;
    case RBV_OPTION_SEED:
      if (!(s->number >= 0 && s->number <= (double)MOST_SEED)) return false;
      *(uint64_t *)target = (uint64_t)s->number;
      return !s->text && !s->flag;
    case RBV_OPTION_TEXT:
    case RBV_OPTION_FILE: *(const char **)target = s->text; return s->text != NULL;
    case RBV_OPTION_OUTPUT:
    case RBV_OPTION_FILES: return false;
  }
  return false;
}

rbv_status rbv_option_recall(const rbv_option_group *groups, const rbv_setting *setting,
                             int nsetting) {
  for (int i = 0; i < nsetting; i++) {
    void *target;
    const rbv_option *o = rbv_option_find(&target, groups, setting[i].key);
    if (!o || !recall(o, target, &setting[i]))
      return rbv_fail(RBV_EINPUT, "the record has an option '%s' that this version cannot repeat",
                      setting[i].key);
  }
  return RBV_OK;
}

int rbv_option_outputs(rbv_output *out, int most, const rbv_option_group *groups) {
  int count = 0;
  for (const rbv_option_group *g = groups; g->rows; g++)
    for (const rbv_option *o = g->rows; o->name && count < most; o++) {
      if (o->kind != RBV_OPTION_OUTPUT) continue;
      const char *const *path = (const void *)((const char *)g->options + o->offset);
      if (*path) out[count++] = (rbv_output){o->name, *path};
    }
  return count;
}

rbv_status rbv_option_files(int *count, rbv_option_file *out, int most,
                            const rbv_option_group *groups, bool lists) {
  *count = 0;
  for (const rbv_option_group *g = groups; g->rows; g++)
    for (const rbv_option *o = g->rows; o->name; o++) {
      const void *value = (const char *)g->options + o->offset;
      const rbv_files *files = value;
      const char *const *path = value;
      int n = 0;
      if (o->kind == RBV_OPTION_FILE) n = *path && !(o->is_word && o->is_word(*path));
      if (o->kind == RBV_OPTION_FILES && lists) {
        n = files->count;
        path = files->item;
      }
      for (int i = 0; i < n && *count < most; i++) {
        out[*count] = (rbv_option_file){.option = o->name, .path = path[i]};
        RBV_TRY(rbv_hash_file(out[*count].sha256, path[i]));
        ++*count;
      }
    }
  return RBV_OK;
}

void rbv_option_write(rbv_json *json, const rbv_setting *setting, int nsetting) {
  for (int i = 0; i < nsetting; i++) {
    const rbv_setting *s = &setting[i];
    if (s->text)
      rbv_json_put_string(json, s->key, s->text);
    else if (s->flag)
      rbv_json_put_bool(json, s->key, s->number != 0);
    else
      rbv_json_put_real(json, s->key, s->number);
  }
}

/* ---- lists of numbers ---- */

void rbv_numbers_free(double *numbers) { rbv_free(numbers); }

bool rbv_numbers_typed(const char *text) {
  return text && text[strspn(text, "0123456789+-.,eE ")] == 0;
}

/* the list in a document; name: what the numbers are of, for messages */
static rbv_status read_numbers(double *out, const rbv_option *o, const rbv_document *doc, int n) {
  const rbv_node *list = rbv_document_root(doc);
  const int given = list ? rbv_node_count(list) : 0;
  if (given != n) return rbv_fail(RBV_EOPTION, "%s needs %d numbers, not %d", o->name, n, given);
  RBV_TRY(rbv_node_reals(out, n, list));
  char needs[RBV_NEEDS_MAX];
  rbv_option_needs(needs, RBV_OPTION_REAL, o->range);
  for (int i = 0; i < n; i++)
    if (!in_range(o->range, out[i]))
      return rbv_fail(RBV_EOPTION, "each value of %s must be %s, not %g", o->name, needs, out[i]);
  return RBV_OK;
}

rbv_status rbv_numbers_read(double **out, const rbv_option *rows, const char *name,
                            const char *text, int n) {
  *out = NULL;
  if (!text) return RBV_OK;
  const rbv_option_group group[] = {{rows, NULL}, {0}};
  void *unused;
  const rbv_option *o = rbv_option_find(&unused, group, name);
  if (!o) return rbv_fail(RBV_EARG, "there is no option '%s'", name);
  const bool typed = rbv_numbers_typed(text);
  rbv_document *doc = NULL;
  rbv_status status;
  if (typed) {
    char line[4096];
    const int length = snprintf(line, sizeof line, "[%s]", text);
    if (length >= (int)sizeof line) return rbv_fail(RBV_EOPTION, "%s is too long", name);
    status = rbv_document_parse(&doc, name, line, (size_t)length);
  } else {
    status = rbv_document_load(&doc, text);
  }
  double *numbers = status == RBV_OK ? rbv_alloc((size_t)n * sizeof *numbers) : NULL;
  if (status == RBV_OK) status = numbers ? read_numbers(numbers, o, doc, n) : RBV_EMEM;
  if (status == RBV_OK)
    *out = numbers;
  else
    rbv_free(numbers);
  rbv_document_free(doc);
  return status != RBV_OK && status != RBV_EMEM && typed ? RBV_EOPTION : status;
}

rbv_status rbv_numbers_fill(double **out, const rbv_option *rows, const char *name,
                            const char *text, int n) {
  *out = NULL;
  double unused;
  if (!text || !rbv_real_parse(&unused, text)) return rbv_numbers_read(out, rows, name, text, n);
  double *one;
  RBV_TRY(rbv_numbers_read(&one, rows, name, text, 1));
  *out = rbv_alloc((size_t)n * sizeof **out);
  for (int i = 0; *out && i < n; i++) (*out)[i] = *one;
  rbv_numbers_free(one);
  return *out ? RBV_OK : RBV_EMEM;
}
