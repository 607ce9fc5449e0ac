/* Arguments of MATLAB and Octave for the library: texts, matrices, options, recordings. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "roberval_mex.h"

enum { MOST_LIST = 10000, NUMBER_ROOM = 32 };

mex_held mex_holds;

void mex_release(void) {
  mex_held *h = &mex_holds;
  rbv_report_free(h->report);
  rbv_identification_free(h->job);
  rbv_task_free(h->task);
  rbv_base_free(h->base);
  rbv_model_free(h->model);
  for (int i = 0; i < h->nlog; i++) rbv_log_free(h->logs[i]);
  for (int i = 0; i < h->nnote; i++) free(h->notes[i]);
  free(h->notes);
  *h = (mex_held){0};
}

void mex_fail(const char *name, const char *format, ...) {
  static char id[64], sentence[4096];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  snprintf(id, sizeof id, "roberval:%s", name);
  mex_release();
  mexErrMsgIdAndTxt(id, "%s", sentence);
  abort();  // the call above does not return
}

void mex_check(rbv_status status) {
  if (!status) return;
  const char *option = rbv_message_option();
  const char *name = rbv_status_name(status);
  if (strncmp(name, "RBV_", 4) == 0) name += 4;
  if (option) mex_fail(name, "%s (see the option '%s')", rbv_message(), option);
  mex_fail(name, "%s", rbv_message());
}

const char *mex_text(const mxArray *value, const char *what) {
  if (!mxIsChar(value) || mxGetM(value) > 1) mex_fail("EARG", "%s is needed as a text", what);
  char *text = mxArrayToString(value);
  if (!text) mex_fail("EARG", "%s is needed as a text", what);
  if (strlen(text) < mxGetNumberOfElements(value))
    mex_fail("EARG", "%s may not contain a zero character", what);
  return text;
}

static bool is_real(const mxArray *value) {
  return mxIsDouble(value) && !mxIsComplex(value) && !mxIsSparse(value) &&
         mxGetNumberOfDimensions(value) == 2;
}

const double *mex_matrix(const mxArray *value, const char *what, ptrdiff_t rows,
                         ptrdiff_t columns) {
  if (!is_real(value)) mex_fail("EARG", "%s is needed as a real matrix of doubles", what);
  const ptrdiff_t m = (ptrdiff_t)mxGetM(value), n = (ptrdiff_t)mxGetN(value);
  if (rows >= 0 && m != rows) mex_fail("EDIM", "%s has %td rows, not %td", what, m, rows);
  if (columns >= 0 && n != columns)
    mex_fail("EDIM", "%s has %td columns, not %td", what, n, columns);
  return mxGetPr(value);
}

/* ---- options ---- */

static const char *list_text(const mxArray *value, const char *name) {
  const size_t n = mxGetNumberOfElements(value);
  if (n > MOST_LIST)
    mex_fail("EOPTION", "the option '%s' has more than %d values", name, MOST_LIST);
  char *text = mxMalloc(n * NUMBER_ROOM + 1), *to = text;
  *to = '\0';
  for (size_t i = 0; i < n; i++)
    to += snprintf(to, NUMBER_ROOM, "%s%.17g", i ? "," : "", mxGetPr(value)[i]);
  return text;
}

static const char *joined_texts(const mxArray *cell, const char *name) {
  const size_t n = mxGetNumberOfElements(cell);
  size_t room = 1;
  for (size_t i = 0; i < n; i++) {
    const mxArray *item = mxGetCell(cell, (mwIndex)i);
    if (!item) mex_fail("EOPTION", "a value of the option '%s' is empty", name);
    room += strlen(mex_option_text(item, name)) + 1;
  }
  char *text = mxMalloc(room), *to = text;
  *to = '\0';
  for (size_t i = 0; i < n; i++) {
    const char *item = mex_option_text(mxGetCell(cell, (mwIndex)i), name);
    to += snprintf(to, room - (size_t)(to - text), "%s%s", i ? "," : "", item);
  }
  return text;
}

const char *mex_option_text(const mxArray *value, const char *name) {
  if (mxIsChar(value)) return mex_text(value, "a value");
  if (mxIsLogical(value) && mxGetNumberOfElements(value) == 1)
    return mxGetLogicals(value)[0] ? "true" : "false";
  if (is_real(value) && mxGetNumberOfElements(value) > 0) return list_text(value, name);
  if (mxIsCell(value) && mxGetNumberOfElements(value) > 0) return joined_texts(value, name);
  mex_fail("EOPTION", "the option '%s' takes a text, numbers, true or false", name);
}

static void one_option(const char *name, const mxArray *value, mex_option *each, void *self) {
  char *option = mxMalloc(strlen(name) + 1);
  strcpy(option, name);
  for (char *c = option; *c; c++)
    if (*c == '_') *c = '-';
  each(self, option, value);
}

void mex_each_option(int n, const mxArray **arguments, mex_option *each, void *self) {
  for (int i = 0; i < n;) {
    const mxArray *a = arguments[i];
    if (mxIsStruct(a)) {
      if (mxGetNumberOfElements(a) != 1) mex_fail("EOPTION", "options are needed as one structure");
      for (int f = 0; f < mxGetNumberOfFields(a); f++) {
        const mxArray *value = mxGetFieldByNumber(a, 0, f);
        if (value) one_option(mxGetFieldNameByNumber(a, f), value, each, self);
      }
      i++;
      continue;
    }
    const char *name = mex_text(a, "the name of an option");
    if (i + 1 == n) mex_fail("EOPTION", "the option '%s' has no value", name);
    one_option(name, arguments[i + 1], each, self);
    i += 2;
  }
}

/* ---- recordings ---- */

/* columns that belong to joints; t is the time stamp */
static const char *const joint_columns[] = {"q",    "dq",   "ddq", "tau", "qm",
                                            "taum", "tauj", "qr",  "dqr", "ddqr"};

static bool is_joint_column(const char *name) {
  for (size_t i = 0; i < sizeof joint_columns / sizeof *joint_columns; i++)
    if (strcmp(joint_columns[i], name) == 0) return true;
  return false;
}

rbv_log *mex_recording(const mxArray *s) {
  if (mex_holds.nlog == MOST_RECORDINGS)
    mex_fail("EARG", "a call takes at most %d recordings in memory", MOST_RECORDINGS);
  if (mxGetNumberOfElements(s) != 1) mex_fail("EARG", "a recording is one structure");
  const mxArray *t = mxGetField(s, 0, "t");
  if (!t) mex_fail("EARG", "a recording needs the field t");
  const ptrdiff_t samples = (ptrdiff_t)mxGetNumberOfElements(t);
  int columns = 1;
  mex_matrix(t, "t", samples, 1);
  for (int f = 0; f < mxGetNumberOfFields(s); f++) {
    const char *name = mxGetFieldNameByNumber(s, f);
    const mxArray *value = mxGetFieldByNumber(s, 0, f);
    if (!is_joint_column(name) || !value || mxGetNumberOfElements(value) == 0) continue;
    mex_matrix(value, name, samples, -1);
    columns += (int)mxGetN(value);
  }
  double *A = mxMalloc(((size_t)samples * (size_t)columns + 1) * sizeof *A);
  char(*names)[NUMBER_ROOM] = mxMalloc((size_t)columns * sizeof *names);
  const char **list = mxMalloc((size_t)columns * sizeof *list);
  memcpy(A, mxGetPr(t), (size_t)samples * sizeof *A);
  snprintf(names[0], sizeof names[0], "t");
  int c = 1;
  for (int f = 0; f < mxGetNumberOfFields(s); f++) {
    const char *name = mxGetFieldNameByNumber(s, f);
    const mxArray *value = mxGetFieldByNumber(s, 0, f);
    if (!is_joint_column(name) || !value || mxGetNumberOfElements(value) == 0) continue;
    memcpy(A + (size_t)samples * (size_t)c, mxGetPr(value),
           mxGetNumberOfElements(value) * sizeof *A);
    for (size_t j = 0; j < mxGetN(value); j++, c++)
      snprintf(names[c], sizeof names[c], "%s%zu", name, j + 1);
  }
  for (int i = 0; i < columns; i++) list[i] = names[i];
  rbv_log **log = &mex_holds.logs[mex_holds.nlog];
  mex_check(rbv_log_new(log, "recording", list, columns, A, samples, samples));
  mex_holds.nlog++;
  mxFree(A);
  mxFree(names);
  mxFree((void *)list);
  return *log;
}

/* ---- values ---- */

mxArray *mex_column(ptrdiff_t n) {
  return mxCreateDoubleMatrix((mwSize)(n > 0 ? n : 0), 1, mxREAL);
}

mxArray *mex_texts(int n, const char *(*text)(int i)) {
  mxArray *out = mxCreateCellMatrix((mwSize)n, 1);
  for (int i = 0; i < n; i++) {
    const char *item = text(i);
    mxSetCell(out, (mwIndex)i, mxCreateString(item ? item : ""));
  }
  return out;
}
