/* Read a result from its file, by the table of its fields. The result owns the document, because
 * its strings point into it. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/support.h"
#include "result/result_fields.h"

/* an array of the result; the next one of the chain */
typedef struct block block;
struct block {
  block *next;
};

typedef struct {
  rbv_result result;
  rbv_document *doc;
  block *blocks;
} loaded;

/* an array of zeros for the pointer at an address */
static rbv_status take(void *pointer, const field_place *p, ptrdiff_t count, size_t size) {
  loaded *l = p->result->memory;
  rbv_arena measure = {0};
  (void)RBV_TAKE(&measure, 1, block);
  const size_t start = measure.used;
  (void)rbv_arena_take(&measure, (size_t)count, size);
  block *b = rbv_alloc(measure.used);
  if (!b) return RBV_EMEM;
  b->next = l->blocks;
  l->blocks = b;
  void *array = (char *)b + start;
  memcpy(pointer, &array, sizeof array);
  return RBV_OK;
}

/* ---- numbers ---- */

static rbv_status missing(const rbv_node *map, const char *key) {
  return rbv_node_fail(RBV_EINPUT, map, "the key '%s' is missing in this result", key);
}

/* null becomes NaN; another key of the file has the reason */
static rbv_status get_real(double *out, const rbv_node *node) {
  *out = NAN;
  return rbv_node_is_null(node) ? RBV_OK : rbv_node_real(out, node);
}

static rbv_status get_count(ptrdiff_t *out, const rbv_node *node, const char *key, double limit) {
  double value;
  RBV_TRY(get_real(&value, node));
  if (!(value >= 0 && value <= limit && value == floor(value)))
    return rbv_node_fail(RBV_EINPUT, node, "'%s' must be a non-negative integer", key);
  *out = (ptrdiff_t)value;
  return RBV_OK;
}

static rbv_status get_three(double out[3], const rbv_node *node) {
  if (rbv_node_count(node) != 3) return rbv_node_fail(RBV_EINPUT, node, "three numbers are needed");
  for (int i = 0; i < 3; i++) RBV_TRY(get_real(&out[i], rbv_node_at(node, i)));
  return RBV_OK;
}

/* ---- fields ---- */

static rbv_status read_fields(const rbv_field *table, const field_place *p, const rbv_node *map);

/* a quoted text, true or false, or a number; null is an undefined number */
static rbv_status read_setting(rbv_setting *s, const char *key, const rbv_node *node) {
  s->key = key;
  s->number = NAN;
  if (rbv_node_is_null(node)) return RBV_OK;
  if (rbv_node_is_quoted(node)) return rbv_node_string(&s->text, node);
  const char *text = rbv_node_text(node);
  s->flag = text && (strcmp(text, "true") == 0 || strcmp(text, "false") == 0);
  if (!s->flag) return rbv_node_real(&s->number, node);
  s->number = strcmp(text, "true") == 0;
  return RBV_OK;
}

static rbv_status read_settings(const rbv_field *f, const field_place *p, const rbv_node *map) {
  if (rbv_node_get_kind(map) != RBV_NODE_MAP)
    return rbv_node_fail(RBV_EINPUT, map, "'%s' must be a map", f->key);
  const int n = *rbv_field_count(f, p) = rbv_node_count(map);
  RBV_TRY(take(p->record + f->at, p, n, sizeof(rbv_setting)));
  rbv_setting *setting = rbv_field_pointer(p->record + f->at);
  for (int i = 0; i < n; i++)
    RBV_TRY(read_setting(&setting[i], rbv_node_key(map, i), rbv_node_at(map, i)));
  return RBV_OK;
}

/* one list per parameter; an empty one if it is not estimated */
static rbv_status read_parts(const field_place *p, const rbv_node *list) {
  rbv_jackknife *b = (rbv_jackknife *)(void *)p->record;
  const int n = p->result->estimate.count;
  const ptrdiff_t parts = (ptrdiff_t)b->nblock + b->nrecording;
  if (rbv_node_count(list) != n)
    return rbv_node_fail(RBV_EINPUT, list, "%d lists of deviations, but %d parameters",
                         rbv_node_count(list), n);
  RBV_TRY(take(&b->deviation, p, parts * n, sizeof(double)));
  for (int k = 0; k < n; k++) {
    const rbv_node *row = rbv_node_at(list, k);
    const ptrdiff_t count = rbv_node_count(row);
    if (rbv_node_get_kind(row) != RBV_NODE_LIST || (count != 0 && count != parts))
      return rbv_node_fail(RBV_EINPUT, row, "a list of %td deviations, or an empty one, is needed",
                           parts);
    for (ptrdiff_t i = 0; i < count; i++)
      RBV_TRY(rbv_node_real(&b->deviation[k + i * n], rbv_node_at(row, (int)i)));
  }
  return RBV_OK;
}

/* a list with one entry per row of the fit, or fewer; null becomes NaN */
static rbv_status read_rows(const rbv_field *f, const field_place *p, const rbv_node *list) {
  const rbv_fit *fit = &p->result->fit;
  for (int i = 0; i < fit->nrow && i < rbv_node_count(list); i++) {
    void *member = (char *)&fit->row[i] + f->at;
    const rbv_node *node = rbv_node_at(list, i);
    if (f->row == FIELD_FLAG)
      RBV_TRY(rbv_node_bool(member, node));
    else if (!rbv_node_is_null(node))
      RBV_TRY(rbv_node_real(member, node));
  }
  return RBV_OK;
}

static rbv_status read_list(const rbv_field *f, const field_place *p, const rbv_node *list) {
  if (rbv_node_get_kind(list) != RBV_NODE_LIST && !rbv_node_is_null(list))
    return rbv_node_fail(RBV_EINPUT, list, "'%s' must be a list", f->key);
  const int n = *rbv_field_count(f, p) = rbv_node_count(list);
  if (f->size > 0) RBV_TRY(take(p->record + f->at, p, n, f->size));
  // columns that all elements must have, or that the first one has
  for (const rbv_field *c = f->fields; !FIELD_IS_END(c); c++)
    if (c->column && (!c->with || rbv_node_find(rbv_node_at(list, 0), c->with)))
      RBV_TRY(take(p->record + c->at, p, n, sizeof(double)));
  for (int i = 0; i < n; i++) {
    const field_place element = rbv_field_element(f, p, i);
    RBV_TRY(read_fields(f->fields, &element, rbv_node_at(list, i)));
  }
  return RBV_OK;
}

/* a list on one line; the result already has its length */
static rbv_status read_flat(const rbv_field *f, const field_place *p, const rbv_node *list) {
  const int n = *(const int *)(const void *)((const char *)p->result + f->count);
  RBV_TRY(take(p->record + f->at, p, n, sizeof(double)));
  void *array = rbv_field_pointer(p->record + f->at);
  if (f->kind == FIELD_REALS && !isnan(f->none)) return rbv_node_reals(array, n, list);
  if (f->kind == FIELD_REALS) {
    if (rbv_node_get_kind(list) != RBV_NODE_LIST || rbv_node_count(list) != n)
      return rbv_node_fail(RBV_EINPUT, list, "'%s' must be a list of %d numbers", f->key, n);
    for (int i = 0; i < n; i++) RBV_TRY(get_real((double *)array + i, rbv_node_at(list, i)));
    return RBV_OK;
  }
  for (int i = 0; i < n; i++)
    RBV_TRY(rbv_node_string((const char **)array + i, rbv_node_at(list, i)));
  return RBV_OK;
}

static void set_none(const rbv_field *f, void *member) {
  const bool unknown = f->when == IF_KNOWN || f->when == IF_FINITE || f->when == IF_USED;
  if (f->kind == FIELD_REAL || f->kind == FIELD_SIGMA) *(double *)member = unknown ? NAN : f->none;
  if (f->kind == FIELD_INT) *(int *)member = (int)f->none;
  if (f->kind == FIELD_FLAG) *(bool *)member = f->none != 0;
}

static rbv_status read_word(const rbv_field *f, const field_place *p, const rbv_node *map) {
  int *value = rbv_field_member(f, p);
  const char *word;
  RBV_TRY(rbv_node_string(&word, rbv_node_find(map, f->key)));
  if (f->parse) return f->parse(p, value, word, map);
  for (*value = 0; *value < f->words; ++*value)
    if (strcmp(f->word(p, *value), word) == 0) return RBV_OK;
  return rbv_node_fail(RBV_EINPUT, map, "unknown %s '%s'", f->key, word);
}

/* a field that is a number, a flag or a text */
static rbv_status read_scalar(const rbv_field *f, const field_place *p, const rbv_node *map) {
  void *member = rbv_field_member(f, p);
  const rbv_node *node = rbv_node_find(map, f->key);
  ptrdiff_t count;
  switch (f->kind) {
    case FIELD_TEXT: return rbv_node_string(member, node);
    case FIELD_FLAG: return rbv_node_bool(member, node);
    case FIELD_COUNT: return get_count(member, node, f->key, 1e15);
    case FIELD_THREE: return get_three(member, node);
    case FIELD_INT:
      RBV_TRY(get_count(&count, node, f->key, INT_MAX));
      *(int *)member = (int)count;
      return RBV_OK;
    case FIELD_WORD: return read_word(f, p, map);
    default: break;
  }
  RBV_TRY(get_real(member, node));
  if (f->kind == FIELD_SIGMA && isnan(*(double *)member)) *(double *)member = INFINITY;
  return RBV_OK;
}

static rbv_status read_field(const rbv_field *f, const field_place *p, const rbv_node *map) {
  const rbv_node *node = rbv_node_find(map, f->key);
  field_place inner;
  switch (f->kind) {
    case FIELD_DERIVED: return RBV_OK;
    case FIELD_MAP: inner = rbv_field_map(f, p); return read_fields(f->fields, &inner, node);
    case FIELD_LIST: return read_list(f, p, node);
    case FIELD_REALS:
    case FIELD_TEXTS: return read_flat(f, p, node);
    case FIELD_ROWS: return read_rows(f, p, node);
    case FIELD_SETTINGS: return read_settings(f, p, node);
    case FIELD_PARTS: return read_parts(p, node);
    default: return read_scalar(f, p, map);
  }
}

/* a field that need not be in the file */
static bool is_optional(const rbv_field *f) {
  if (f->column || f->with || f->when == IF_USED) return false;
  return f->when != ALWAYS || f->only || f->kind == FIELD_LIST || f->kind == FIELD_TEXTS;
}

static rbv_status read_fields(const rbv_field *table, const field_place *p, const rbv_node *map) {
  for (const rbv_field *f = table; !FIELD_IS_END(f); f++) {
    void *member = rbv_field_member(f, p);
    const bool part = f->when != IF_USED || p->owner == (const char *)&p->result->fit;
    if (f->kind == FIELD_DERIVED || (f->column && !member)) continue;
    if (!f->key || !part || (f->with && !f->column && !rbv_node_find(map, f->with)))
      set_none(f, member);
    else if (rbv_node_find(map, f->key))
      RBV_TRY(read_field(f, p, map));
    else if (is_optional(f))
      set_none(f, member);
    else
      return missing(map, f->key);
  }
  return RBV_OK;
}

/* ---- the document ---- */

static rbv_status check_schema(const rbv_document *doc) {
  const rbv_node *root = rbv_document_root(doc), *schema = rbv_node_find(root, "schema");
  const char *text = schema ? rbv_node_text(schema) : NULL;
  if (text && strcmp(text, "roberval.result/1") == 0) return RBV_OK;
  return rbv_node_fail(RBV_EINPUT, root, "this is not a result of roberval identify (schema '%s')",
                       text ? text : "none");
}

void rbv_result_free(rbv_result *result) {
  if (!result) return;
  loaded *l = result->memory;
  rbv_document_free(l->doc);
  for (block *b = l->blocks, *next; b; b = next) {
    next = b->next;
    rbv_free(b);
  }
  rbv_free(l);
}

static rbv_status read_result(rbv_result *r) {
  const rbv_document *doc = ((const loaded *)r->memory)->doc;
  RBV_TRY(check_schema(doc));
  const rbv_node *root = rbv_document_root(doc);
  const rbv_node *version = rbv_node_find(root, "version");
  if (!version || rbv_node_string(&r->version, version) != RBV_OK) r->version = "";
  r->njoint = rbv_node_count(rbv_node_find(rbv_node_find(root, "robot"), "joints"));
  const field_place place = rbv_field_root(r);
  return read_fields(rbv_result_fields, &place, root);
}

rbv_status rbv_result_parse(rbv_result **out, const char *name, const char *text, size_t size) {
  *out = NULL;
  rbv_document *doc;
  rbv_observe("result", name);
  RBV_TRY(rbv_document_parse(&doc, name, text, size));
  loaded *l = rbv_alloc(sizeof *l);
  if (!l) {
    rbv_document_free(doc);
    return RBV_EMEM;
  }
  l->result.memory = l;
  l->doc = doc;
  const rbv_status status = read_result(&l->result);
  if (status == RBV_OK)
    *out = &l->result;
  else
    rbv_result_free(&l->result);
  return status;
}

rbv_status rbv_result_load(rbv_result **out, const char *path) {
  if (!out || !path) return rbv_fail(RBV_EARG, "out and path must not be NULL");
  *out = NULL;
  char *text;
  size_t size;
  RBV_TRY(rbv_file_read(&text, &size, path));
  RBV_FINISH(rbv_result_parse(out, path, text, size), rbv_file_free(text));
}

/* ---- summaries ---- */

/* the text of another summary if it is the same, else a copy */
static const char *keep(rbv_arena *a, const char *text, const char *other) {
  if (other && strcmp(text, other) == 0) return other;
  const size_t size = strlen(text) + 1;
  char *copy = rbv_arena_take(a, size, 1);
  return copy ? memcpy(copy, text, size) : NULL;
}

static void layout_summary(rbv_result *s, const rbv_result *r, const rbv_result *like,
                           rbv_arena *a) {
  const int n = r->estimate.count;
  rbv_parameter *item = RBV_TAKE(a, n, rbv_parameter);
  const char **unit = RBV_TAKE(a, n, const char *),
             *robot = keep(a, r->robot, like ? like->robot : NULL);
  for (int k = 0; k < n; k++) {
    const bool has = like && k < like->estimate.count;
    const char *name = keep(a, r->estimate.item[k].name, has ? like->estimate.item[k].name : NULL);
    const char *text = keep(a, r->unit[k], has ? like->unit[k] : NULL);
    if (!s) continue;
    item[k] = r->estimate.item[k];
    item[k].name = name;
    unit[k] = text;
  }
  if (!s) return;
  s->robot = robot;
  s->estimate = (rbv_parameters){n, item};
  s->unit = unit;
}

rbv_status rbv_result_summarise(rbv_result **result, const rbv_result *like) {
  loaded *l;
  RBV_CARVE_OBJECT(l, a, layout_summary(l ? &l->result : NULL, *result, like, a));
  if (!l) return RBV_EMEM;
  l->result.memory = l;
  rbv_result_free(*result);
  *result = &l->result;
  return RBV_OK;
}

static const rbv_setting *find(const rbv_setting *setting, int n, const char *key) {
  for (int i = 0; i < n; i++)
    if (strcmp(setting[i].key, key) == 0) return &setting[i];
  return NULL;
}

const char *rbv_result_setting(const rbv_result *result, const char *key) {
  const rbv_setting *s = find(result->setting, result->nsetting, key);
  return s ? s->text : NULL;
}

double rbv_result_number(const rbv_result *result, const char *key, double otherwise) {
  const rbv_setting *s = find(result->setting, result->nsetting, key);
  return s && isfinite(s->number) ? s->number : otherwise;
}

double rbv_result_chosen(const rbv_result *result, const char *key, double otherwise) {
  const rbv_setting *s = find(result->chosen, result->nchosen, key);
  return s && isfinite(s->number) ? s->number : otherwise;
}

const char *rbv_result_chosen_text(const rbv_result *result, const char *key) {
  const rbv_setting *s = find(result->chosen, result->nchosen, key);
  return s ? s->text : NULL;
}
