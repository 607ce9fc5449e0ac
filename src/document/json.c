#include <math.h>

#include "document/document_internal.h"

typedef struct {
  bool map;
  bool flat;    // on one line, including everything inside
  bool filled;  // has an entry, so the next one needs a comma
} level;

/* The first misuse is kept as a message; nothing is written after it. */
struct rbv_json {
  rbv_text text;
  level levels[YAML_MAX_DEPTH];  // the same limit as for reading
  int depth;
  bool keyed;  // a key was written and its value is expected
  bool rooted;
  bool finished;
  const char *misuse;
};

rbv_status rbv_json_new(rbv_json **out) {
  if (!out) return rbv_fail(RBV_EARG, "rbv_json_new: out is NULL");
  *out = rbv_alloc(sizeof **out);
  return *out ? RBV_OK : RBV_EMEM;
}

void rbv_json_free(rbv_json *json) {
  if (!json) return;
  rbv_text_free(&json->text);
  rbv_free(json);
}

static level *innermost(rbv_json *json) {
  return json->depth ? &json->levels[json->depth - 1] : NULL;
}

static bool misused(rbv_json *json, const char *how) {
  if (!json->misuse) json->misuse = how;
  return false;
}

/* ---- positions at which a value is allowed ---- */

static void new_line(rbv_json *json) {
  rbv_text_put(&json->text, "\n");
  for (int i = 0; i < json->depth; i++) rbv_text_put(&json->text, "  ");
}

/* write the separator between this entry and the previous one */
static void begin_entry(rbv_json *json, level *in) {
  if (in->filled) rbv_text_put(&json->text, in->flat ? ", " : ",");
  if (!in->flat) new_line(json);
  in->filled = true;
}

/* Write the separator before a value. false if no value is allowed here. */
static bool begin_value(rbv_json *json) {
  if (!json || json->misuse) return false;
  if (json->finished) return misused(json, "a value after the end");
  level *in = innermost(json);
  if (!in) {
    if (json->rooted) return misused(json, "a second root");
    json->rooted = true;
  } else if (in->map) {
    if (!json->keyed) return misused(json, "a value without a key in a map");
    json->keyed = false;
  } else {
    begin_entry(json, in);
  }
  return true;
}

static void begin_container(rbv_json *json, bool map, bool flat) {
  if (!begin_value(json)) return;
  if (json->depth == YAML_MAX_DEPTH) {
    (void)misused(json, "nesting deeper than 64");
    return;
  }
  const level *in = innermost(json);
  json->levels[json->depth++] = (level){.map = map, .flat = flat || (in && in->flat)};
  rbv_text_put(&json->text, map ? "{" : "[");
}

void rbv_json_map(rbv_json *json) { begin_container(json, true, false); }

void rbv_json_list(rbv_json *json) { begin_container(json, false, false); }

void rbv_json_flat_list(rbv_json *json) { begin_container(json, false, true); }

void rbv_json_end(rbv_json *json) {
  if (!json || json->misuse) return;
  const level *in = innermost(json);
  if (!in || json->keyed) {
    (void)misused(json, in ? "a key without a value" : "an end without a start");
    return;
  }
  json->depth--;
  if (in->filled && !in->flat) new_line(json);
  rbv_text_put(&json->text, in->map ? "}" : "]");
}

/* ---- text ---- */

/* Decode the UTF-8 character at s. Returns its length in bytes, or 0 if it is not valid UTF-8
 * (overlong, truncated, surrogate, beyond U+10FFFF). The terminating 0 ends every sequence. */
static int decode(uint32_t *code, const unsigned char *s) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (s[0] < 0x80) {
    *code = s[0];
    return 1;
  }
  const int n = s[0] >= 0xF0 ? 4 : s[0] >= 0xE0 ? 3 : 2;
  if (s[0] < 0xC0 || s[0] >= 0xF8) return 0;
  uint32_t c = s[0] & (0xFFu >> (n + 1));
  for (int i = 1; i < n; i++) {
    if ((s[i] & 0xC0) != 0x80) return 0;
    c = c << 6 | (s[i] & 0x3F);
  }
  if (c < least[n] || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) return 0;
  *code = c;
  return n;
}

/* JSON requires escapes only below U+0020. The file is read as YAML, which would refuse or fold the
 * other characters. */
static bool needs_escape(uint32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029 || c == 0xFEFF ||
         c == 0xFFFE || c == 0xFFFF;
}

static void put_character(rbv_text *text, uint32_t c, const unsigned char *s, int n) {
  if (c == '"')
    rbv_text_put(text, "\\\"");
  else if (c == '\\')
    rbv_text_put(text, "\\\\");
  else if (c == '\n')
    rbv_text_put(text, "\\n");
  else if (c == '\t')
    rbv_text_put(text, "\\t");
  else if (needs_escape(c))
    rbv_text_print(text, "\\u%04x", (unsigned)c);
  else
    rbv_text_add(text, (const char *)s, (size_t)n);
}

static void put_quoted(rbv_text *text, const char *value) {
  rbv_text_put(text, "\"");
  for (const unsigned char *s = (const unsigned char *)value; *s;) {
    uint32_t code;
    const int n = decode(&code, s);
    // file names may contain any bytes: write U+FFFD for bytes that are not UTF-8
    if (n)
      put_character(text, code, s, n);
    else
      rbv_text_put(text, "\xEF\xBF\xBD");
    s += n ? n : 1;
  }
  rbv_text_put(text, "\"");
}

void rbv_json_key(rbv_json *json, const char *key) {
  if (!json || json->misuse) return;
  level *in = innermost(json);
  const char *wrong = !key              ? "a key that is NULL"
                      : !in || !in->map ? "a key outside a map"
                      : json->keyed     ? "two keys in a row"
                                        : NULL;
  if (wrong) {
    (void)misused(json, wrong);
    return;
  }
  begin_entry(json, in);
  put_quoted(&json->text, key);
  rbv_text_put(&json->text, ": ");
  json->keyed = true;
}

/* ---- values ---- */

static void put_value(rbv_json *json, const char *text) {
  if (begin_value(json)) rbv_text_put(&json->text, text);
}

void rbv_json_string(rbv_json *json, const char *value) {
  if (!value)
    rbv_json_null(json);
  else if (begin_value(json))
    put_quoted(&json->text, value);
}

void rbv_json_real(rbv_json *json, double value) {
  char digits[32] = "null";
  if (isfinite(value)) rbv_format_double(digits, value);
  put_value(json, digits);
}

void rbv_json_int(rbv_json *json, long long value) {
  if (begin_value(json)) rbv_text_print(&json->text, "%lld", value);
}

void rbv_json_bool(rbv_json *json, bool value) { put_value(json, value ? "true" : "false"); }

void rbv_json_null(rbv_json *json) { put_value(json, "null"); }

void rbv_json_put_string(rbv_json *json, const char *key, const char *value) {
  rbv_json_key(json, key);
  rbv_json_string(json, value);
}

void rbv_json_put_real(rbv_json *json, const char *key, double value) {
  rbv_json_key(json, key);
  rbv_json_real(json, value);
}

void rbv_json_put_int(rbv_json *json, const char *key, long long value) {
  rbv_json_key(json, key);
  rbv_json_int(json, value);
}

void rbv_json_put_bool(rbv_json *json, const char *key, bool value) {
  rbv_json_key(json, key);
  rbv_json_bool(json, value);
}

void rbv_json_put_map(rbv_json *json, const char *key) {
  rbv_json_key(json, key);
  rbv_json_map(json);
}

void rbv_json_put_list(rbv_json *json, const char *key) {
  rbv_json_key(json, key);
  rbv_json_list(json);
}

void rbv_json_put_flat_list(rbv_json *json, const char *key) {
  rbv_json_key(json, key);
  rbv_json_flat_list(json);
}

void rbv_json_put_reals(rbv_json *json, const char *key, const double *value, int count) {
  rbv_json_put_flat_list(json, key);
  for (int i = 0; i < count; i++) rbv_json_real(json, value[i]);
  rbv_json_end(json);
}

void rbv_json_put_schema(rbv_json *json, const char *schema) {
  rbv_json_put_string(json, "schema", schema);
  rbv_json_put_string(json, "version", rbv_version());
}

rbv_status rbv_json_finish(const char **text, size_t *size, rbv_json *json) {
  if (!json || !text) return rbv_fail(RBV_EARG, "rbv_json_finish: text or json is NULL");
  *text = NULL;
  if (!json->misuse && json->depth)
    (void)misused(json, innermost(json)->map ? "an unclosed map" : "an unclosed list");
  if (!json->misuse && !json->rooted) (void)misused(json, "nothing was written");
  if (json->misuse) return rbv_fail(RBV_EARG, "JSON writer misused: %s", json->misuse);
  if (!json->finished) rbv_text_put(&json->text, "\n");
  json->finished = true;
  if (json->text.failed) return rbv_fail(RBV_EMEM, "out of memory: the JSON text is incomplete");
  *text = json->text.data;
  if (size) *size = json->text.size;
  return RBV_OK;
}
