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
