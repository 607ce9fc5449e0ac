/* The only file that uses libyaml: it converts libyaml's events to the arrays of
 * document_internal.h. Plain JSON is converted without it. */
#include <stdio.h>
#include <string.h>
#include <yaml.h>

#include "document/document_internal.h"

typedef struct {
  rbv_document *doc;  // under construction; until link_kids, count of a map is keys plus values
  int *parent;        // of each node, -1 for the root
  int count;
  int capacity;
  int open[YAML_MAX_DEPTH];  // containers not yet closed
  int depth;
  int documents;
} builder;

static rbv_status fail_at(rbv_status status, const builder *b, yaml_mark_t mark, const char *format,
                          ...) RBV_PRINTF(4, 5);

static rbv_status fail_at(rbv_status status, const builder *b, yaml_mark_t mark, const char *format,
                          ...) {
  va_list args;
  va_start(args, format);
  (void)rbv_place_fail(status, b->doc->name, (int)mark.line + 1, (int)mark.column + 1, format,
                       args);
  va_end(args);
  return status;
}

/* ---- events to nodes ---- */

static rbv_status reserve(builder *b) {
  if (b->count < b->capacity) return RBV_OK;
  const size_t old = (size_t)b->capacity, fresh = old ? 2 * old : 64;
  // store each array as soon as it has grown, so that nothing is lost if the second one fails
  rbv_node *nodes = rbv_realloc(b->doc->nodes, old * sizeof *nodes, fresh * sizeof *nodes);
  if (!nodes) return RBV_EMEM;
  b->doc->nodes = nodes;
  int *parent = rbv_realloc(b->parent, old * sizeof *parent, fresh * sizeof *parent);
  if (!parent) return RBV_EMEM;
  b->parent = parent;
  b->capacity = (int)fresh;
  return RBV_OK;
}

static rbv_status add_node(builder *b, rbv_node_kind kind, yaml_mark_t mark) {
  RBV_TRY(reserve(b));
  const int parent = b->depth ? b->open[b->depth - 1] : -1;
  if (parent >= 0) {
    rbv_node *container = b->doc->nodes + parent;
    const bool is_key = container->kind == RBV_NODE_MAP && container->count % 2 == 0;
    if (is_key && kind != RBV_NODE_SCALAR)
      return fail_at(RBV_EINPUT, b, mark, "a key must be a string, not a list or a map");
    container->count++;
  }
  b->parent[b->count] = parent;
  b->doc->nodes[b->count++] = (rbv_node){.doc = b->doc,
                                         .line = (int)mark.line + 1,
                                         .column = (int)mark.column + 1,
                                         .kind = (uint8_t)kind};
  return RBV_OK;
}

static rbv_status open_container(builder *b, rbv_node_kind kind, yaml_mark_t mark) {
  if (b->depth == YAML_MAX_DEPTH)
    return fail_at(RBV_EUNSUPPORTED, b, mark, "nested deeper than %d", YAML_MAX_DEPTH);
  RBV_TRY(add_node(b, kind, mark));
  b->open[b->depth++] = b->count - 1;
  return RBV_OK;
}

static int character_count(const char *text, size_t size) {
  int count = 0;
  for (size_t i = 0; i < size; i++) count += ((unsigned char)text[i] & 0xC0) != 0x80;
  return count;
}

/* true if the file contains the value unchanged: on one line and without escapes */
static bool is_literal(const yaml_event_t *event, int characters) {
  const yaml_mark_t *start = &event->start_mark, *end = &event->end_mark;
  const yaml_scalar_style_t style = event->data.scalar.style;
  const int quotes = style == YAML_PLAIN_SCALAR_STYLE ? 0 : 2;
  return start->line == end->line && end->column - start->column == (size_t)(characters + quotes);
}

/* a second copy of a text that is not safe to show, cleaned */
static rbv_status add_shown(rbv_document *doc, rbv_node *node) {
  rbv_text *text = &doc->text;
  const size_t begin = text->size, size = begin - node->text;
  node->shown = node->text;
  // nearly all texts are printable ASCII
  const char *c = text->data + node->text;
  while (*c >= ' ' && *c < 127) c++;
  if (!*c) return RBV_OK;
  char *copy = rbv_strndup(text->data + node->text, size);
  if (!copy) return RBV_EMEM;
  rbv_clean(copy);
  if (strcmp(copy, text->data + node->text) != 0) {
    node->shown = (uint32_t)begin;
    rbv_text_add(text, copy, strlen(copy) + 1);
  }
  rbv_free(copy);
  return text->failed ? RBV_EMEM : RBV_OK;
}

static rbv_status add_scalar(builder *b, yaml_mark_t mark, const char *value, size_t size,
                             bool plain, bool literal) {
  RBV_TRY(add_node(b, RBV_NODE_SCALAR, mark));
  rbv_node *node = b->doc->nodes + b->count - 1;
  node->plain = plain;
  node->literal = literal;
  node->text = (uint32_t)b->doc->text.size;
  rbv_text_add(&b->doc->text, value, size);
  rbv_text_add(&b->doc->text, "", 1);
  return b->doc->text.failed ? RBV_EMEM : add_shown(b->doc, node);
}

static rbv_status take_scalar(builder *b, const yaml_event_t *event) {
  const char *value = (const char *)event->data.scalar.value;
  const size_t size = event->data.scalar.length;
  if (memchr(value, 0, size))
    return fail_at(RBV_EINPUT, b, event->start_mark, "a string must not contain the character 0");
  return add_scalar(b, event->start_mark, value, size,
                    event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE,
                    is_literal(event, character_count(value, size)));
}

/* Anchors and tags change the meaning of the text, so they are refused, not ignored. */
static rbv_status refuse_anchor_or_tag(const builder *b, const yaml_event_t *event,
                                       const yaml_char_t *anchor, const yaml_char_t *tag) {
  if (anchor)
    return fail_at(RBV_EUNSUPPORTED, b, event->start_mark, "anchors (&%s) are not supported",
                   (const char *)anchor);
  if (tag)
    return fail_at(RBV_EUNSUPPORTED, b, event->start_mark, "tags (%s) are not supported",
                   (const char *)tag);
  return RBV_OK;
}

static rbv_status take_event(builder *b, const yaml_event_t *event) {
  switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
      if (b->documents++)
        return fail_at(RBV_EUNSUPPORTED, b, event->start_mark, "a second document begins here");
      return RBV_OK;
    case YAML_ALIAS_EVENT:
      return fail_at(RBV_EUNSUPPORTED, b, event->start_mark, "aliases (*%s) are not supported",
                     (const char *)event->data.alias.anchor);
    case YAML_SCALAR_EVENT:
      RBV_TRY(refuse_anchor_or_tag(b, event, event->data.scalar.anchor, event->data.scalar.tag));
      return take_scalar(b, event);
    case YAML_SEQUENCE_START_EVENT:
      RBV_TRY(refuse_anchor_or_tag(b, event, event->data.sequence_start.anchor,
                                   event->data.sequence_start.tag));
      return open_container(b, RBV_NODE_LIST, event->start_mark);
    case YAML_MAPPING_START_EVENT:
      RBV_TRY(refuse_anchor_or_tag(b, event, event->data.mapping_start.anchor,
                                   event->data.mapping_start.tag));
      return open_container(b, RBV_NODE_MAP, event->start_mark);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: b->depth--; return RBV_OK;
    default: return RBV_OK;
  }
}

/* ---- syntax errors of libyaml ---- */

/* line and column of a byte: libyaml reports invalid characters by offset only */
static yaml_mark_t mark_of_offset(const char *text, size_t size, size_t offset) {
  yaml_mark_t mark = {0};
  for (size_t i = 0; i < size && i < offset; i++) {
    if (text[i] == '\n') {
      mark.line++;
      mark.column = 0;
    } else if (((unsigned char)text[i] & 0xC0) != 0x80) {
      mark.column++;
    }
  }
  return mark;
}

static rbv_status syntax_error(const builder *b, const yaml_parser_t *parser, const char *text,
                               size_t size) {
  const char *problem = parser->problem ? parser->problem : "malformed text";
  if (parser->error == YAML_MEMORY_ERROR)
    return rbv_fail(RBV_EMEM, "%s: out of memory", b->doc->name);
  if (parser->error == YAML_READER_ERROR)
    return fail_at(RBV_EINPUT, b, mark_of_offset(text, size, parser->problem_offset), "%s",
                   problem);
  if (!parser->context) return fail_at(RBV_EINPUT, b, parser->problem_mark, "%s", problem);
  return fail_at(RBV_EINPUT, b, parser->problem_mark, "%s, %s that begins in line %d", problem,
                 parser->context, (int)parser->context_mark.line + 1);
}

static rbv_status take_all_events(builder *b, const char *text, size_t size) {
  yaml_parser_t parser;
  if (!yaml_parser_initialize(&parser))
    return rbv_fail(RBV_EMEM, "%s: out of memory", b->doc->name);
  yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
  rbv_status status = RBV_OK;
  bool more = true;
  while (status == RBV_OK && more) {
    yaml_event_t event;
    if (!yaml_parser_parse(&parser, &event)) {
      status = syntax_error(b, &parser, text, size);
      break;
    }
    status = take_event(b, &event);
    more = event.type != YAML_STREAM_END_EVENT;
    yaml_event_delete(&event);
  }
  yaml_parser_delete(&parser);
  if (status == RBV_OK && b->count == 0)
    return fail_at(RBV_EINPUT, b, (yaml_mark_t){0}, "the document is empty");
  return status;
}

/* ---- plain JSON ---- */

/*
 * JSON as this library writes it becomes the same nodes without libyaml, in a third of the time:
 * maps and lists, numbers and words, strings of printable ASCII without escapes. Everything else,
 * and every error, is left to libyaml.
 */
typedef struct {
  const char *at, *end;
  const char *begin;  // of the line
  int line;           // from 0
} json_text;

#define KEY_SIZE_MAX 1000  // libyaml limits keys to 1024 bytes

/* the next character that is no blank; 0: none */
static char next(json_text *t) {
  for (; t->at < t->end && (*t->at == ' ' || *t->at == '\n'); t->at++)
    if (*t->at == '\n') {
      t->line++;
      t->begin = t->at + 1;
    }
  return t->at < t->end ? *t->at : 0;
}

static bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* End of the scalar at t: of its text, or of its quotes. NULL: it is left to libyaml. */
static const char *scalar_end(const json_text *t) {
  const char *c = t->at;
  if (c == t->end) return NULL;
  if (*c == '"') {
    for (c++; c < t->end && *c >= ' ' && *c < 127 && *c != '"' && *c != '\\';) c++;
    return c < t->end && *c == '"' ? c + 1 : NULL;
  }
  if (!is_word(*c) && !(*c == '-' && c + 1 < t->end && is_word(c[1]))) return NULL;
  while (c < t->end && (is_word(*c) || *c == '+' || *c == '-' || *c == '.')) c++;
  return c;
}

/* A scalar, or a key with its colon. *plain is false if it is left to libyaml. */
static rbv_status take_json_scalar(bool *plain, builder *b, json_text *t, bool key) {
  const yaml_mark_t mark = {0, (size_t)t->line, (size_t)(t->at - t->begin)};
  const char *text = t->at, *end = scalar_end(t);
  *plain =
      end && (!key || (*text == '"' && end - text < KEY_SIZE_MAX && end < t->end && *end == ':'));
  if (!*plain) return RBV_OK;
  t->at = end + key;
  const ptrdiff_t quote = *text == '"';
  return add_scalar(b, mark, text + quote, (size_t)(end - text - 2 * quote), !quote, true);
}

/* Behind a value: close what ends here, up to a comma. False: something else follows. */
static bool close_json(builder *b, json_text *t) {
  while (b->depth) {
    const bool map = b->doc->nodes[b->open[b->depth - 1]].kind == RBV_NODE_MAP;
    const char c = next(t);
    if (c != ',' && c != (map ? '}' : ']')) return false;
    t->at++;
    if (c == ',') return true;
    b->depth--;
  }
  return next(t) == 0 && t->at == t->end;
}

/* *plain: the whole text was converted; otherwise the builder is as new */
static rbv_status take_json(bool *plain, builder *b, const char *text, size_t size) {
  json_text t = {text, text + size, text, 0};
  char c = next(&t);
  *plain = c == '{' || c == '[';
  do {
    const rbv_node *container = b->depth ? b->doc->nodes + b->open[b->depth - 1] : NULL;
    c = next(&t);
    if (container && container->count == 0 && (c == '}' || c == ']')) {
      *plain = close_json(b, &t);
    } else if (c == '{' || c == '[') {
      const yaml_mark_t mark = {0, (size_t)t.line, (size_t)(t.at++ - t.begin)};
      const bool key = container && container->kind == RBV_NODE_MAP && container->count % 2 == 0;
      *plain = !key && b->depth < YAML_MAX_DEPTH;
      if (*plain) RBV_TRY(open_container(b, c == '{' ? RBV_NODE_MAP : RBV_NODE_LIST, mark));
    } else if (*plain) {
      const bool key = container->kind == RBV_NODE_MAP && container->count % 2 == 0;
      RBV_TRY(take_json_scalar(plain, b, &t, key));
      if (*plain && !key) *plain = close_json(b, &t);
    }
  } while (*plain && b->depth);
  if (*plain) return RBV_OK;
  b->count = b->depth = 0;
  b->doc->text.size = 0;
  return RBV_OK;
}

/* ---- nodes to a tree ---- */

/* Sort the nodes by parent, in file order: each container gets its consecutive entries in kids. */
static rbv_status link_kids(builder *b) {
  rbv_node *nodes = b->doc->nodes;
  RBV_NEW(int, kids, b->count);
  b->doc->kids = kids;
  // first starts at the end of the container's entries and moves back as they are filled from the
  // end
  int behind = 0;
  for (int i = 0; i < b->count; i++) nodes[i].first = behind += nodes[i].count;
  for (int i = b->count - 1; i > 0; i--) kids[--nodes[b->parent[i]].first] = i;
  for (int i = 0; i < b->count; i++)
    if (nodes[i].kind == RBV_NODE_MAP) nodes[i].count /= 2;
  return RBV_OK;
}

typedef struct {
  const char *text;
  int node;
} sort_key;

static int compare_keys(const void *a, const void *b) {
  const sort_key *x = a, *y = b;
  const int order = strcmp(x->text, y->text);
  return order ? order : (x->node > y->node) - (x->node < y->node);
}

/* Sort the keys; equal keys are then neighbours. Of several duplicates, the first in the file is
 * reported. */
static rbv_status check_map(const builder *b, const rbv_node *map, sort_key *keys) {
  const rbv_node *nodes = b->doc->nodes;
  for (int i = 0; i < map->count; i++) {
    const int node = b->doc->kids[map->first + 2 * i];
    keys[i] = (sort_key){b->doc->text.data + nodes[node].text, node};
  }
  qsort(keys, (size_t)map->count, sizeof *keys, compare_keys);
  const sort_key *duplicate = NULL;
  for (int i = 1; i < map->count; i++)
    if (strcmp(keys[i - 1].text, keys[i].text) == 0 &&
        (!duplicate || keys[i].node < duplicate->node))
      duplicate = keys + i;
  if (!duplicate) return RBV_OK;
  char quote[QUOTE_SIZE];
  rbv_quote(quote, duplicate->text, strlen(duplicate->text));
  return rbv_node_fail(RBV_EINPUT, nodes + duplicate->node, "key '%s' already appears in line %d",
                       quote, nodes[duplicate[-1].node].line);
}

static rbv_status check_keys(const builder *b) {
  int largest = 0;
  for (int i = 0; i < b->count; i++)
    if (b->doc->nodes[i].kind == RBV_NODE_MAP && b->doc->nodes[i].count > largest)
      largest = b->doc->nodes[i].count;
  if (largest < 2) return RBV_OK;
  RBV_NEW(sort_key, keys, largest);
  rbv_status status = RBV_OK;
  for (int i = 0; i < b->count && status == RBV_OK; i++)
    if (b->doc->nodes[i].kind == RBV_NODE_MAP) status = check_map(b, b->doc->nodes + i, keys);
  rbv_free(keys);
  return status;
}

static rbv_status build(builder *b, const char *text, size_t size) {
  bool plain;
  RBV_TRY(take_json(&plain, b, text, size));
  if (!plain) RBV_TRY(take_all_events(b, text, size));
  RBV_TRY(link_kids(b));
  return check_keys(b);
}

rbv_status rbv_document_parse(rbv_document **out, const char *name, const char *text, size_t size) {
  if (!out) return rbv_fail(RBV_EARG, "rbv_document_parse: out is NULL");
  *out = NULL;
  if (!name || !text) return rbv_fail(RBV_EARG, "rbv_document_parse: name or text is NULL");
  rbv_observe("parse", name);
  if (size > FILE_MAX_BYTES) return rbv_fail(RBV_EUNSUPPORTED, "%s: larger than 64 MB", name);

  builder b = {.doc = rbv_alloc(sizeof *b.doc)};
  if (!b.doc) return RBV_EMEM;
  b.doc->name = rbv_strdup(name);
  const rbv_status status = b.doc->name ? build(&b, text, size) : RBV_EMEM;
  rbv_free(b.parent);
  if (status != RBV_OK)
    rbv_document_free(b.doc);
  else
    *out = b.doc;
  return status;
}

rbv_status rbv_document_load(rbv_document **out, const char *path) {
  if (!out) return rbv_fail(RBV_EARG, "rbv_document_load: out is NULL");
  *out = NULL;
  char *text;
  size_t size;
  RBV_TRY(rbv_file_read(&text, &size, path));
  RBV_FINISH(rbv_document_parse(out, path, text, size), rbv_file_free(text));
}

const char *rbv_document_library(int i, char version[64]) {
  if (i == 0) {
    rbv_xml_version(version);
    return "libxml2";
  }
  if (i != 1) return NULL;
  snprintf(version, 64, "%s", yaml_get_version_string());
  return "libyaml";
}
