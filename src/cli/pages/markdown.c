/* The part of Markdown that the documentation uses, as man(7) text. */
#include <string.h>

#include "pages.h"

/* one character of valid UTF-8, escaped for roff; returns its length */
static size_t put_character(FILE *out, const char *text) {
  const unsigned char first = (unsigned char)*text;
  const size_t length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  unsigned code = length == 1 ? first : first & (0xFFU >> (length + 1));
  for (size_t i = 1; i < length; i++) code = code << 6 | ((unsigned char)text[i] & 0x3F);
  if (length > 1)
    fprintf(out, "\\[u%04X]", code);
  else if (first == '\\')
    fputs("\\e", out);
  else if (first == '-')
    fputs("\\-", out);
  else
    fputc(first, out);
  return length;
}

/* `code` is bold, [text](link) and **text** are the text; everything else is escaped */
static void put_inline(FILE *out, const char *text, size_t length) {
  bool code = false;
  for (size_t i = 0; i < length; i++) {
    const char c = text[i];
    const size_t left = length - i;
    if (c == '`') {
      code = !code;
      fputs(code ? "\\fB" : "\\fR", out);
    } else if (!code && left > 1 && c == '*' && text[i + 1] == '*') {
      i++;
    } else if (!code && c == '[') {
      continue;
    } else if (!code && c == ']' && left > 1 && text[i + 1] == '(') {
      while (i < length && text[i] != ')') i++;
    } else {
      i += put_character(out, text + i) - 1;
    }
  }
  if (code) fputs("\\fR", out);
}

static void put_line(FILE *out, const char *text) {
  if (*text == '.' || *text == '\'') fputs("\\&", out);
  put_inline(out, text, strlen(text));
  fputc('\n', out);
}

/* a row of a table: its first cell is the term, the others are its explanation */
static void put_table_row(FILE *out, char *line) {
  char *save, *cell = strtok_r(line, "|", &save);
  for (int i = 0; cell; cell = strtok_r(NULL, "|", &save), i++) {
    while (*cell == ' ') cell++;
    size_t length = strlen(cell);
    while (length > 0 && cell[length - 1] == ' ') length--;
    if (i == 0) fputs(".TP\n", out);
    if (length == 0) continue;
    if (i > 1) fputs(".br\n", out);
    if (*cell == '.' || *cell == '\'') fputs("\\&", out);
    put_inline(out, cell, length);
    fputc('\n', out);
  }
}

static bool is_rule(const char *line) { return strspn(line, "|-: ") == strlen(line); }

static void put_heading(FILE *out, const char *line) {
  const size_t level = strspn(line, "#");
  fputs(level <= 2 ? ".SH " : ".SS ", out);
  put_inline(out, line + level + 1, strlen(line + level + 1));
  fputc('\n', out);
}

void man_of_markdown(FILE *out, FILE *page, bool one_paragraph) {
  char line[8192];
  bool code = false, open = false, headed = true;  // headed: right after a heading
  for (int number = 0; fgets(line, sizeof line, page); number++) {
    line[strcspn(line, "\n")] = 0;
    const bool fence = strncmp(line, "```", 3) == 0, table = line[0] == '|';
    if (number == 0 && strncmp(line, "# ", 2) == 0) continue;  // the name of the page
    if (one_paragraph && open && (!*line || fence || table)) return;
    if (fence) {
      if (!code && !headed) fputs(".PP\n", out);
      fputs(code ? ".fi\n.RE\n" : ".RS\n.nf\n", out);
      code = !code;
    } else if (code) {
      if (*line == '.' || *line == '\'') fputs("\\&", out);
      for (const char *at = line; *at;) at += put_character(out, at);
      fputc('\n', out);
    } else if (!*line) {
      open = false;
    } else if (table) {
      if (!is_rule(line)) put_table_row(out, line);
    } else if (*line == '#') {
      put_heading(out, line);
      headed = true;
      continue;
    } else {
      if (!open && !headed) fputs(".PP\n", out);
      put_line(out, line);
      open = true;
    }
    if (*line) headed = false;
  }
}
