/* Positions of elements and attributes in an XML text that libxml2 has accepted as well formed. */
#include <string.h>

#include "document/document_internal.h"

/* position after the next occurrence of mark; size if there is none */
static size_t position_after(const char *text, size_t size, size_t at, const char *mark) {
  const size_t n = strlen(mark);
  for (; at + n <= size; at++)
    if (memcmp(text + at, mark, n) == 0) return at + n;
  return size;
}

static bool begins(const char *text, size_t size, size_t at, const char *mark) {
  const size_t n = strlen(mark);
  return at + n <= size && memcmp(text + at, mark, n) == 0;
}

/* at is the '<' of a tag: position after its '>'; a '>' inside quotes does not count */
static size_t tag_end(const char *text, size_t size, size_t at) {
  char quote = 0;
  for (; at < size; at++) {
    const char c = text[at];
    if (quote)
      quote = c == quote ? 0 : quote;
    else if (c == '"' || c == '\'')
      quote = c;
    else if (c == '>')
      return at + 1;
  }
  return size;
}

bool rbv_span_find(rbv_span *out, const char *text, size_t size, long index) {
  if (memchr(text, 0, size)) return false;  // an encoding with two or more bytes per character
  long count = -1, depth = 0, found_at = -1;
  for (size_t at = 0; at < size;) {
    if (text[at] != '<') {
      at++;
    } else if (begins(text, size, at, "<!--")) {
      at = position_after(text, size, at + 4, "-->");
    } else if (begins(text, size, at, "<![CDATA[")) {
      at = position_after(text, size, at, "]]>");
    } else if (begins(text, size, at, "<?")) {
      at = position_after(text, size, at, "?>");
    } else if (begins(text, size, at, "</")) {
      at = position_after(text, size, at, ">");
      if (--depth == found_at) {
        out->end = at;
        return true;
      }
    } else {
      const size_t begin = at;
      at = tag_end(text, size, at);
      const bool closed = text[at - 2] == '/';
      if (++count == index) {
        *out = (rbv_span){begin, at, at};
        if (closed) return true;
        found_at = depth;
      }
      if (!closed) depth++;
    }
  }
  return false;
}

static size_t skip(const char *text, size_t at, size_t end, const char *set) {
  while (at < end && strchr(set, text[at])) at++;
  return at;
}

bool rbv_span_find_attribute(rbv_span *out, const char *text, const rbv_span *element,
                             const char *name) {
  const size_t end = element->head, length = strlen(name);
  size_t at = element->begin;
  while (at < end && !strchr(" \t\r\n/>", text[at])) at++;
  for (;;) {
    at = skip(text, at, end, " \t\r\n");
    const size_t key = at;
    while (at < end && !strchr(" \t\r\n=/>", text[at])) at++;
    const size_t key_end = at;
    at = skip(text, at, end, " \t\r\n=");
    if (at >= end || key == key_end || (text[at] != '"' && text[at] != '\'')) return false;
    const char quote = text[at++];
    const size_t value = at;
    while (at < end && text[at] != quote) at++;
    if (key_end - key == length && memcmp(text + key, name, length) == 0) {
      out->begin = value;
      out->end = at;
      return true;
    }
    at++;
  }
}
