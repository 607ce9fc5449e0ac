#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "document/document_internal.h"

/* ---- the tree ---- */

const char *rbv_document_name(const rbv_document *doc) { return doc ? doc->name : NULL; }

const rbv_node *rbv_document_root(const rbv_document *doc) { return doc ? doc->nodes : NULL; }

void rbv_document_free(rbv_document *doc) {
  if (!doc) return;
  RBV_FREE_ALL(doc->name, doc->nodes, doc->kids);
  rbv_text_free(&doc->text);
  rbv_free(doc);
}

rbv_node_kind rbv_node_get_kind(const rbv_node *node) {
  return node ? (rbv_node_kind)node->kind : RBV_NODE_SCALAR;
}

int rbv_node_line(const rbv_node *node) { return node ? node->line : 0; }

int rbv_node_column(const rbv_node *node) { return node ? node->column : 0; }

int rbv_node_count(const rbv_node *node) { return node ? node->count : 0; }

static bool has_entry(const rbv_node *node, int i) { return node && i >= 0 && i < node->count; }

static bool is_map(const rbv_node *node) { return node && node->kind == RBV_NODE_MAP; }

const rbv_node *rbv_node_at(const rbv_node *node, int i) {
  if (!has_entry(node, i)) return NULL;
  const int *kids = node->doc->kids + node->first;
  return node->doc->nodes + (is_map(node) ? kids[2 * i + 1] : kids[i]);
}

static const rbv_node *key_node(const rbv_node *node, int i) {
  if (!is_map(node) || !has_entry(node, i)) return NULL;
  return node->doc->nodes + node->doc->kids[node->first + 2 * i];
}

const char *rbv_node_text(const rbv_node *node) {
  if (!node || node->kind != RBV_NODE_SCALAR) return NULL;
  return node->doc->text.data + node->text;
}

const char *rbv_node_key(const rbv_node *node, int i) { return rbv_node_text(key_node(node, i)); }

const rbv_node *rbv_node_find(const rbv_node *node, const char *key) {
  if (!is_map(node) || !key) return NULL;
  for (int i = 0; i < node->count; i++)
    if (strcmp(rbv_node_key(node, i), key) == 0) return rbv_node_at(node, i);
  return NULL;
}

bool rbv_node_is_null(const rbv_node *node) {
  const char *text = rbv_node_text(node);
  if (!text || !node->plain) return false;
  return !*text || strcmp(text, "~") == 0 || strcmp(text, "null") == 0;
}

bool rbv_node_is_quoted(const rbv_node *node) { return rbv_node_text(node) && !node->plain; }

/* ---- failures with line and column ---- */

rbv_status rbv_place_fail(rbv_status status, const char *name, int line, int column,
                          const char *format, va_list args) {
  char sentence[1024];
  vsnprintf(sentence, sizeof sentence, format, args);
  if (column > 0) return rbv_fail(status, "%s:%d:%d: %s", name, line, column, sentence);
  if (line > 0) return rbv_fail(status, "%s:%d: %s", name, line, sentence);
  return rbv_fail(status, "%s: %s", name, sentence);
}

rbv_status rbv_node_fail(rbv_status status, const rbv_node *node, const char *format, ...) {
  const char *name = node ? node->doc->name : "value";
  va_list args;
  va_start(args, format);
  (void)rbv_place_fail(status, name, rbv_node_line(node), rbv_node_column(node), format, args);
  va_end(args);
  return status;
}

rbv_status rbv_node_fail_at(rbv_status status, const rbv_node *node, ptrdiff_t offset,
                            const char *format, ...) {
  const char *name = node ? node->doc->name : "value", *text = rbv_node_text(node);
  int column = rbv_node_column(node);
  if (text && node->literal) {
    column += !node->plain;
    for (ptrdiff_t i = 0; i < offset && text[i]; i++)
      column += ((unsigned char)text[i] & 0xC0) != 0x80;
  }
  va_list args;
  va_start(args, format);
  (void)rbv_place_fail(status, name, rbv_node_line(node), column, format, args);
  va_end(args);
  return status;
}

void rbv_quote(char out[QUOTE_SIZE], const char *text, size_t size) {
  const size_t most = 40;
  const bool cut = size > most;
  size_t n = cut ? most : size;
  // do not split a character: step back to its first byte
  while (cut && n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80) n--;
  for (size_t i = 0; i < n; i++) out[i] = text[i];
  for (size_t i = 0; i < n; i++)
    if ((unsigned char)out[i] < 0x20) out[i] = ' ';
  strcpy(out + n, cut ? "..." : "");
}

static rbv_status expected(const rbv_node *node, const char *what) {
  if (!node) return rbv_fail(RBV_EINPUT, "expected %s, but there is no value", what);
  if (node->kind == RBV_NODE_MAP)
    return rbv_node_fail(RBV_EINPUT, node, "expected %s, found a map", what);
  if (node->kind == RBV_NODE_LIST)
    return rbv_node_fail(RBV_EINPUT, node, "expected %s, found a list", what);
  if (rbv_node_is_null(node))
    return rbv_node_fail(RBV_EINPUT, node, "expected %s, found nothing", what);
  char quote[QUOTE_SIZE];
  const char *text = rbv_node_text(node);
  rbv_quote(quote, text, strlen(text));
  return rbv_node_fail(RBV_EINPUT, node, "expected %s, found '%s'", what, quote);
}

/* ---- typed reading ---- */

rbv_status rbv_node_real(double *out, const rbv_node *node) {
  const char *text = rbv_node_text(node);
  if (!text || !rbv_angle_parse(out, text)) return expected(node, "a finite number");
  return RBV_OK;
}

/* [sign] digits within the range of int */
static bool int_parse(int *out, const char *text) {
  const bool negative = *text == '-';
  const char *s = text + (*text == '-' || *text == '+');
  if (!*s) return false;
  long long value = 0;
  for (; *s; s++) {
    if (*s < '0' || *s > '9') return false;
    value = 10 * value + (*s - '0');
    if (value > (long long)INT_MAX + 1) return false;
  }
  if (negative) value = -value;
  if (value > INT_MAX) return false;
  *out = (int)value;
  return true;
}

rbv_status rbv_node_int(int *out, const rbv_node *node) {
  const char *text = rbv_node_text(node);
  if (!text || !int_parse(out, text)) return expected(node, "a whole number");
  return RBV_OK;
}

rbv_status rbv_node_bool(bool *out, const rbv_node *node) {
  const char *text = rbv_node_text(node);
  const bool yes = text && node->plain && strcmp(text, "true") == 0;
  const bool no = text && node->plain && strcmp(text, "false") == 0;
  if (!yes && !no) return expected(node, "true or false");
  *out = yes;
  return RBV_OK;
}

rbv_status rbv_node_string(const char **out, const rbv_node *node) {
  const char *text = rbv_node_text(node);
  if (!text || rbv_node_is_null(node)) return expected(node, "a string");
  *out = node->doc->text.data + node->shown;
  return RBV_OK;
}

rbv_status rbv_node_reals(double *out, int n, const rbv_node *node) {
  if (!node || node->kind != RBV_NODE_LIST) {
    char what[48];
    snprintf(what, sizeof what, "a list of %d numbers", n);
    return expected(node, what);
  }
  if (node->count != n)
    return rbv_node_fail(RBV_EINPUT, node, "expected a list of %d numbers, found %d entries", n,
                         node->count);
  for (int i = 0; i < n; i++) RBV_TRY(rbv_node_real(out + i, rbv_node_at(node, i)));
  return RBV_OK;
}

/* ---- keys ---- */

/* list the known keys, as many as fit into out */
static void list_keys(char *out, size_t size, const char *const *known) {
  size_t used = 0;
  for (*out = 0; *known && used + strlen(*known) + 8 < size; known++)
    used += (size_t)snprintf(out + used, size - used, used > 0 ? ", %s" : "%s", *known);
  if (*known) snprintf(out + used, size - used, ", ...");
}

static bool is_known(const char *key, const char *const *known) {
  for (; *known; known++)
    if (strcmp(key, *known) == 0) return true;
  return false;
}

rbv_status rbv_node_only_keys(const rbv_node *node, const char *const *known) {
  if (!is_map(node)) return expected(node, "a map");
  for (int i = 0; i < node->count; i++) {
    const char *key = rbv_node_key(node, i);
    if (is_known(key, known)) continue;
    char quote[QUOTE_SIZE];
    rbv_quote(quote, key, strlen(key));
    const char *near = rbv_nearest_word(key, known);
    if (near)
      return rbv_node_fail(RBV_EINPUT, key_node(node, i),
                           "unknown key '%s'; the nearest known one is '%s'", quote, near);
    char list[300];
    list_keys(list, sizeof list, known);
    return rbv_node_fail(RBV_EINPUT, key_node(node, i), "unknown key '%s'; %s%s", quote,
                         *list ? "known keys: " : "no keys are allowed here", list);
  }
  return RBV_OK;
}
