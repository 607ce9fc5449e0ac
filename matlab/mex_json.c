/*
 * A JSON text as values of MATLAB and Octave, with shapes that do not depend on the data:
 *
 *   object               structure
 *   list of objects      n x 1 structure with the fields of all of them
 *   list of numbers      n x 1, a null is NaN and keeps its place
 *   list of equal lists  n x m matrix
 *   other lists          n x 1 cell
 *   null                 NaN
 */
#include <stdlib.h>
#include <string.h>

#include "roberval_mex.h"

enum { MOST_NAME = 63, MOST_DEPTH = 64 };

typedef struct {
  const char *at;
  int depth;
} json_reader;

static mxArray *read_value(json_reader *r);

static void blanks(json_reader *r) {
  while (*r->at == ' ' || *r->at == '\n' || *r->at == '\t' || *r->at == '\r') r->at++;
}

static void expect(json_reader *r, char c) {
  blanks(r);
  if (*r->at++ != c) mex_fail("EINPUT", "this is not JSON: '%c' is missing", c);
}

/* Is the next character c? Then go behind it. */
static bool next(json_reader *r, char c) {
  blanks(r);
  if (*r->at != c) return false;
  r->at++;
  return true;
}

static unsigned four_digits(json_reader *r) {
  unsigned code = 0;
  for (int i = 0; i < 4; i++) {
    const char c = *r->at;
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) mex_fail("EINPUT", "this is not JSON: \\u needs four digits");
    code = 16 * code + (unsigned)digit;
    r->at++;
  }
  return code;
}

static char *put_utf8(char *to, unsigned code) {
  if (code < 0x80) {
    *to++ = (char)code;
  } else if (code < 0x800) {
    *to++ = (char)(0xC0 | code >> 6);
    *to++ = (char)(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    *to++ = (char)(0xE0 | code >> 12);
    *to++ = (char)(0x80 | (code >> 6 & 0x3F));
    *to++ = (char)(0x80 | (code & 0x3F));
  } else {
    *to++ = (char)(0xF0 | code >> 18);
    *to++ = (char)(0x80 | (code >> 12 & 0x3F));
    *to++ = (char)(0x80 | (code >> 6 & 0x3F));
    *to++ = (char)(0x80 | (code & 0x3F));
  }
  return to;
}

static char *put_escape(json_reader *r, char *to) {
  static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  const char c = *r->at++;
  if (c == 'u') {
    unsigned code = four_digits(r);
    if (code >= 0xD800 && code < 0xDC00 && r->at[0] == '\\' && r->at[1] == 'u') {
      r->at += 2;
      code = 0x10000 + ((code - 0xD800) << 10) + (four_digits(r) - 0xDC00);
    }
    return put_utf8(to, code);
  }
  const char *found = c ? strchr(letters, c) : NULL;
  if (!found) mex_fail("EINPUT", "this is not JSON: unknown escape");
  *to++ = meanings[found - letters];
  return to;
}

/* A text between quotes, without escapes. Freed by the interpreter. */
static char *read_text(json_reader *r) {
  expect(r, '"');
  const char *end = r->at;
  while (*end && *end != '"') end += *end == '\\' && end[1] ? 2 : 1;
  char *text = mxMalloc((size_t)(end - r->at) + 1), *to = text;
  while (*r->at && *r->at != '"') {
    if (*r->at != '\\') {
      *to++ = *r->at++;
      continue;
    }
    r->at++;
    to = put_escape(r, to);
  }
  *to = '\0';
  expect(r, '"');
  return text;
}

/* A key as the name of a field: letters, digits and '_', not longer than MATLAB allows. */
static void field_name(char name[MOST_NAME + 1], const char *key) {
  int n = 0;
  if (!((key[0] >= 'a' && key[0] <= 'z') || (key[0] >= 'A' && key[0] <= 'Z'))) name[n++] = 'x';
  for (; *key && n < MOST_NAME; key++) {
    const bool good = (*key >= 'a' && *key <= 'z') || (*key >= 'A' && *key <= 'Z') ||
                      (*key >= '0' && *key <= '9');
    name[n++] = good ? *key : '_';
  }
  name[n] = '\0';
}

static mxArray *read_object(json_reader *r) {
  mxArray *s = mxCreateStructMatrix(1, 1, 0, NULL);
  expect(r, '{');
  while (!next(r, '}')) {
    char name[MOST_NAME + 1], *key = read_text(r);
    field_name(name, key);
    mxFree(key);
    expect(r, ':');
    mxArray *value = read_value(r);
    int number = mxGetFieldNumber(s, name);
    if (number < 0) number = mxAddField(s, name);
    mxSetFieldByNumber(s, 0, number, value);
    blanks(r);
    if (*r->at != '}') expect(r, ',');
  }
  return s;
}

/* ---- lists ---- */

static bool all(mxArray *const *items, int n, bool (*is)(const mxArray *)) {
  for (int i = 0; i < n; i++)
    if (!is(items[i])) return false;
  return true;
}

static bool is_number(const mxArray *a) { return mxIsDouble(a) && mxGetNumberOfElements(a) == 1; }
static bool is_flag(const mxArray *a) { return mxIsLogical(a) && mxGetNumberOfElements(a) == 1; }
static bool is_structure(const mxArray *a) {
  return mxIsStruct(a) && mxGetNumberOfElements(a) == 1;
}
static bool is_vector(const mxArray *a) { return mxIsDouble(a) && mxGetN(a) == 1 && mxGetM(a) > 0; }

static mxArray *structure_of(mxArray **items, int n) {
  mxArray *out = mxCreateStructMatrix((mwSize)n, 1, 0, NULL);
  for (int i = 0; i < n; i++)
    for (int f = 0; f < mxGetNumberOfFields(items[i]); f++) {
      const char *name = mxGetFieldNameByNumber(items[i], f);
      int number = mxGetFieldNumber(out, name);
      if (number < 0) number = mxAddField(out, name);
      mxSetFieldByNumber(out, (mwIndex)i, number, mxGetFieldByNumber(items[i], 0, f));
      mxSetFieldByNumber(items[i], 0, f, NULL);
    }
  // a field that an object does not have
  for (int i = 0; i < n; i++)
    for (int f = 0; f < mxGetNumberOfFields(out); f++)
      if (!mxGetFieldByNumber(out, (mwIndex)i, f))
        mxSetFieldByNumber(out, (mwIndex)i, f, mxCreateDoubleMatrix(0, 0, mxREAL));
  return out;
}

/* The list as one value; its elements become part of it, or are freed. */
static mxArray *list_of(mxArray **items, int n) {
  mxArray *out = NULL;
  if (n == 0) return mxCreateDoubleMatrix(0, 1, mxREAL);
  if (all(items, n, is_structure)) {
    out = structure_of(items, n);
  } else if (all(items, n, is_number)) {
    out = mex_column(n);
    for (int i = 0; i < n; i++) mxGetPr(out)[i] = mxGetScalar(items[i]);
  } else if (all(items, n, is_flag)) {
    out = mxCreateLogicalMatrix((mwSize)n, 1);
    for (int i = 0; i < n; i++) mxGetLogicals(out)[i] = mxGetLogicals(items[i])[0];
  } else if (all(items, n, is_vector)) {
    const size_t m = mxGetM(items[0]);
    bool equal = true;
    for (int i = 1; i < n; i++) equal = equal && mxGetM(items[i]) == m;
    if (equal) {
      out = mxCreateDoubleMatrix((mwSize)n, (mwSize)m, mxREAL);
      for (int i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++)
          mxGetPr(out)[(size_t)i + j * (size_t)n] = mxGetPr(items[i])[j];
    }
  }
  if (out) {
    for (int i = 0; i < n; i++) mxDestroyArray(items[i]);
    return out;
  }
  out = mxCreateCellMatrix((mwSize)n, 1);
  for (int i = 0; i < n; i++) mxSetCell(out, (mwIndex)i, items[i]);
  return out;
}

static mxArray *read_list(json_reader *r) {
  mxArray **items = NULL;
  int n = 0, room = 0;
  expect(r, '[');
  while (!next(r, ']')) {
    if (n == room) {
      room = room ? 2 * room : 16;
      items = mxRealloc(items, (size_t)room * sizeof *items);
    }
    items[n++] = read_value(r);
    blanks(r);
    if (*r->at != ']') expect(r, ',');
  }
  mxArray *out = list_of(items, n);
  if (items) mxFree(items);
  return out;
}

static bool word(json_reader *r, const char *what) {
  const size_t n = strlen(what);
  if (strncmp(r->at, what, n) != 0) return false;
  r->at += n;
  return true;
}

static mxArray *read_value(json_reader *r) {
  blanks(r);
  if (r->depth == MOST_DEPTH) mex_fail("EINPUT", "this JSON has more than %d levels", MOST_DEPTH);
  r->depth++;
  mxArray *out = NULL;
  if (*r->at == '{') {
    out = read_object(r);
  } else if (*r->at == '[') {
    out = read_list(r);
  } else if (*r->at == '"') {
    char *text = read_text(r);
    out = mxCreateString(text);
    mxFree(text);
  } else if (word(r, "null")) {
    out = mxCreateDoubleScalar(mxGetNaN());
  } else if (word(r, "true")) {
    out = mxCreateLogicalScalar(true);
  } else if (word(r, "false")) {
    out = mxCreateLogicalScalar(false);
  } else {
    char *end = NULL;
    const double x = strtod(r->at, &end);
    if (end == r->at) mex_fail("EINPUT", "this is not JSON");
    r->at = end;
    out = mxCreateDoubleScalar(x);
  }
  r->depth--;
  return out;
}

mxArray *mex_json(const char *text) {
  json_reader r = {text, 0};
  mxArray *out = read_value(&r);
  blanks(&r);
  if (*r.at) mex_fail("EINPUT", "this is not one JSON value");
  return out;
}
