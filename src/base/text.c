#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/support.h"

static bool reserve(rbv_text *text, size_t more) {
  const size_t need = text->size + more + 1;
  if (need <= text->capacity) return true;
  size_t capacity = text->capacity ? text->capacity : 256;
  while (capacity < need) capacity *= 2;
  char *data = rbv_realloc(text->data, text->size, capacity);
  if (!data) {
    text->failed = true;
    return false;
  }
  text->data = data;
  text->capacity = capacity;
  return true;
}

void rbv_text_add(rbv_text *text, const char *s, size_t n) {
  if (text->failed || !reserve(text, n)) return;
  memcpy(text->data + text->size, s, n);
  text->size += n;
  text->data[text->size] = 0;
}

void rbv_text_put(rbv_text *text, const char *s) { rbv_text_add(text, s, strlen(s)); }

void rbv_text_vprint(rbv_text *text, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  const int n = vsnprintf(NULL, 0, format, args);
  if (n >= 0 && !text->failed && reserve(text, (size_t)n)) {
    vsnprintf(text->data + text->size, (size_t)n + 1, format, again);
    text->size += (size_t)n;
  }
  va_end(again);
}

void rbv_text_print(rbv_text *text, const char *format, ...) {
  va_list args;
  va_start(args, format);
  rbv_text_vprint(text, format, args);
  va_end(args);
}

void rbv_text_escape(rbv_text *text, const char *s) {
  for (; *s; s++) {
    switch (*s) {
      case '&': rbv_text_put(text, "&amp;"); break;
      case '<': rbv_text_put(text, "&lt;"); break;
      case '>': rbv_text_put(text, "&gt;"); break;
      case '"': rbv_text_put(text, "&quot;"); break;
      case '\'': rbv_text_put(text, "&#39;"); break;
      default: rbv_text_add(text, (unsigned char)*s < 32 ? " " : s, 1);
    }
  }
}

static bool is_formula(const char *s) {
  if (*s == '=' || *s == '@') return true;
  if ((*s != '+' && *s != '-') || !s[1]) return false;
  char *end;
  (void)strtod(s, &end);
  return *end != 0;
}

void rbv_text_csv(rbv_text *text, const char *s) {
  const bool formula = is_formula(s), quotes = formula || s[strcspn(s, ",;\t #\"'\r\n")];
  if (quotes) rbv_text_put(text, "\"");
  if (formula) rbv_text_put(text, "'");
  for (; *s; s++) rbv_text_add(text, *s == '"' ? "\"\"" : s, *s == '"' ? 2 : 1);
  if (quotes) rbv_text_put(text, "\"");
}

/* Bytes and number of the UTF-8 character at s; 0 bytes if there is none. */
static int read_character(uint32_t *code, const unsigned char *s) {
  const int size = s[0] < 0x80                   ? 1
                   : s[0] >= 0xC2 && s[0] < 0xE0 ? 2
                   : (s[0] & 0xF0) == 0xE0       ? 3
                   : s[0] >= 0xF0 && s[0] < 0xF5 ? 4
                                                 : 0;
  *code = size == 1 ? s[0] : size ? s[0] & (0xFFu >> (size + 1)) : 0;
  for (int i = 1; i < size; i++) {
    if ((s[i] & 0xC0) != 0x80) return 0;
    *code = *code << 6 | (s[i] & 0x3F);
  }
  return size;
}

static bool is_hidden(uint32_t code) {
  static const uint32_t hidden[][2] = {{0, 0x1F},        {0x7F, 0x9F},     {0x61C, 0x61C},
                                       {0x200E, 0x200F}, {0x2028, 0x202E}, {0x2066, 0x2069},
                                       {0xD800, 0xDFFF}};
  for (int i = 0; i < RBV_COUNT(hidden); i++)
    if (code >= hidden[i][0] && code <= hidden[i][1]) return true;
  return false;
}

void rbv_clean(char *text) {
  char *to = text;
  while (*text) {
    uint32_t code;
    const int size = read_character(&code, (const unsigned char *)text);
    if (*text == '\t' || *text == '\n' || *text == '\r')
      *to++ = ' ';
    else if (size == 0 || is_hidden(code))
      *to++ = '?';
    else
      for (int i = 0; i < size; i++) *to++ = text[i];
    text += size > 0 ? size : 1;
  }
  *to = 0;
}

void rbv_text_free(rbv_text *text) {
  rbv_free(text->data);
  *text = (rbv_text){0};
}

const char *rbv_text_string(const rbv_text *text) {
  if (text->failed) return NULL;
  return text->data ? text->data : "";
}

void rbv_format_double(char *out, double x) {
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(out, 32, "%.*g", digits, x);
    if (digits == 17 || strtod(out, NULL) == x) break;
  }
  // printed and read in the locale of the host: replace its decimal comma
  for (char *c = out; *c; c++)
    if (*c == ',') *c = '.';
}

/* ---- spelling ---- */

#define WORD_COMPARED 63  // characters of a word that are compared

static int min3(int a, int b, int c) {
  const int least = a < b ? a : b;
  return least < c ? least : c;
}

static int compared_length(const char *word) {
  const size_t n = strlen(word);
  return n < WORD_COMPARED ? (int)n : WORD_COMPARED;
}

/* Levenshtein distance: insertions, deletions and changes that turn a into b; one row of the table
 * is kept */
static int edit_distance(const char *a, const char *b) {
  const int na = compared_length(a), nb = compared_length(b);
  int row[WORD_COMPARED + 1];
  for (int j = 0; j <= nb; j++) row[j] = j;
  for (int i = 1; i <= na; i++) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= nb; j++) {
      const int above = row[j];
      row[j] = min3(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
      diagonal = above;
    }
  }
  return row[nb];
}

const char *rbv_nearest_word(const char *word, const char *const *known) {
  const char *best = NULL;
  int least = INT_MAX;
  for (; *known; known++) {
    const int distance = edit_distance(word, *known);
    if (distance >= least || 2 * distance > compared_length(*known)) continue;
    least = distance;
    best = *known;
  }
  return best;
}
