#include "log/cells.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/support.h"
#include "log/numbers.h"

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static bool ends_line(char c) { return c == '\n' || c == '\r'; }

const char *cell_next(const char **begin, const char **end, const char *p, char delimiter) {
  p = line_skip_blanks(p, delimiter);
  if (*p == '"') {
    const char *close = p + 1;
    while (*close != '"' && *close != '\n') close++;
    if (*close == '"') {
      *begin = p + 1;
      *end = close;
      p = close + 1;
      while (*p != delimiter && !ends_line(*p) && !(delimiter == ' ' && *p == '\t')) p++;
      return p;
    }
  }
  *begin = p;
  while (*p != delimiter && !(delimiter == ' ' && *p == '\t') && *p != '\n' &&
         !(*p == '\r' && p[1] == '\n'))
    p++;
  *end = p;
  while (*end > *begin && is_blank((*end)[-1])) --*end;
  return p;
}

int line_count(const char *p, char delimiter) {
  int n = 0;
  const char *begin, *end;
  for (;;) {
    p = line_skip_blanks(p, delimiter);
    if (line_over(p)) return n;
    p = cell_next(&begin, &end, p, delimiter);
    n++;
    if (line_over(p)) return n;
    p++;
  }
}

bool line_is_closed(const char *p, char delimiter) {
  bool closed = false;
  for (; !line_over(p); p++)
    if (*p == delimiter || !is_blank(*p)) closed = *p == delimiter;
  return closed && delimiter != ' ';
}

static bool same_word(const char *begin, const char *end, const char *word) {
  const size_t n = strlen(word);
  return (size_t)(end - begin) == n && strncasecmp(begin, word, n) == 0;
}

bool cell_value(double *out, const char *begin, const char *end, char point) {
  if (begin == end) return *out = NAN, true;
  const char *after = rbv_number_parse(out, begin, point);
  if (after) return after == end;
  const bool minus = *begin == '-';
  if (*begin == '-' || *begin == '+') begin++;
  if (same_word(begin, end, "inf") || same_word(begin, end, "infinity"))
    return *out = minus ? -INFINITY : INFINITY, true;
  static const char *const missing[] = {"nan", "nan(ind)", "nan(snan)", "na",
                                        "n/a", "null",     "none"};
  for (int i = 0; i < RBV_COUNT(missing); i++)
    if (same_word(begin, end, missing[i])) return *out = NAN, true;
  return false;
}

const char *cell_show(char out[40], const char *begin, const char *end) {
  int n = 0;
  for (; begin < end && n < 32; begin++) out[n++] = isprint((unsigned char)*begin) ? *begin : '?';
  if (begin < end) n += snprintf(out + n, 4, "...");
  out[n] = 0;
  return out;
}

/* blanks beside a comma or semicolon, or at either end of the line, only pad */
static bool are_padding(const char *line, const char *begin, const char *end) {
  return begin == line || begin[-1] == ',' || begin[-1] == ';' || *end == ',' || *end == ';' ||
         line_over(end);
}

/* does a tab outside quotes divide cells? Each run of blanks is looked at once: a line may consist
 * of millions of them */
static bool has_dividing_tab(const char *line) {
  bool quoted = false;
  for (const char *p = line, *end; !line_over(p); p = end) {
    bool tab = false;
    for (end = p; is_blank(*end); end++) tab |= *end == '\t';
    if (tab && !quoted && !are_padding(line, p, end)) return true;
    if (end > p) continue;
    if (*p == '"') quoted = !quoted;
    end = p + 1;
  }
  return false;
}

/* what divides the cells: the first of tab, semicolon and comma that the line has outside quotes */
char line_delimiter(const char *line) {
  if (has_dividing_tab(line)) return '\t';
  static const char candidates[] = {';', ','};
  for (int i = 0; i < RBV_COUNT(candidates); i++) {
    bool quoted = false;
    for (const char *p = line; !line_over(p); p++) {
      if (*p == '"') quoted = !quoted;
      if (*p == candidates[i] && !quoted) return *p;
    }
  }
  return ' ';
}

bool line_is_numbers(const char *p, char delimiter, int n) {
  const char *begin, *end;
  for (int j = 0; j < n; j++) {
    double x;
    p = cell_next(&begin, &end, p, delimiter) + 1;
    // a file may use the decimal comma; which point it is does not matter yet
    if (!cell_value(&x, begin, end, '.') && !(delimiter != ',' && cell_value(&x, begin, end, ',')))
      return false;
  }
  return true;
}

const char *line_read(double *out, ptrdiff_t ld, const char *p, int ncol, char delimiter,
                      char point, const text_column *text) {
  for (int j = 0; j < ncol; j++, out += ld) {
    // the common case: a number with a delimiter or the end of the line right behind it
    const char *after = rbv_number_parse(out, p, point);
    const bool words = text && text[j].cell;
    if (after && !words && (j < ncol - 1 ? *after == delimiter : ends_line(*after))) {
      p = after + (j < ncol - 1);
      continue;
    }

    // anything else a cell may be: blanks around, quotes, words, nothing
    const char *begin, *end;
    p = line_skip_blanks(p, delimiter);
    if (line_over(p) && (j < ncol - 1 || delimiter == ' ')) return NULL;
    p = cell_next(&begin, &end, p, delimiter);
    if (words)
      *out = NAN;
    else if (!cell_value(out, begin, end, point))
      return NULL;
    if (j < ncol - 1) {
      if (line_over(p)) return NULL;
      p++;
    }
  }

  // one delimiter may close the line
  if (*p == delimiter) p++;
  p = line_skip_blanks(p, ' ');
  if (*p == '\r') p++;
  return *p == '\n' ? p + 1 : NULL;
}
