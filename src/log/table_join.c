#include "log/table_join.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/support.h"

#define ROUNDING 1e-3  // of a mean step

static void interpolate(double *out, const double *at, ptrdiff_t n, const double *t,
                        const double *x, ptrdiff_t count) {
  ptrdiff_t k = 0;
  // stamps at both ends may differ by rounding
  const double slack = count > 1 ? ROUNDING * (t[count - 1] - t[0]) / (double)(count - 1) : 0;
  for (ptrdiff_t i = 0; i < n; i++) {
    while (k + 2 < count && t[k + 1] <= at[i]) k++;
    if (count < 2 || !(at[i] >= t[0] - slack && at[i] <= t[count - 1] + slack)) {
      out[i] = NAN;
      continue;
    }
    const double step = t[k + 1] - t[k];
    out[i] = step > 0 ? x[k] + (x[k + 1] - x[k]) * ((at[i] - t[k]) / step) : x[k];
  }
}

/* A name that the table does not have yet. */
static char *fresh_name(const table *t, const char *name) {
  for (int number = 1; number < 1000; number++) {
    char suffix[16] = "";
    if (number > 1) snprintf(suffix, sizeof suffix, ".%d", number);
    rbv_text text = {0};
    rbv_text_print(&text, "%s%s", name, suffix);
    bool taken = false;
    for (int j = 0; j < t->ncol && text.data; j++) taken |= strcmp(t->names[j], text.data) == 0;
    if (!taken) return text.failed ? NULL : text.data;
    rbv_text_free(&text);
  }
  return rbv_strdup(name);
}

rbv_status table_join(table *t, const double *at, const table *other, const double *clock,
                      int but) {
  const size_t column = sizeof *t->values * (size_t)t->ld;
  const size_t more = (size_t)t->ncol + (size_t)other->ncol;
  // the times may be a column of the table, which moves
  RBV_NEW(double, times, t->rows + 1);
  memcpy(times, at, sizeof *times * (size_t)t->rows);
  double *values = rbv_realloc(t->values, column * (size_t)t->ncol, column * more);
  if (values) t->values = values;
  char **names =
      values ? rbv_realloc(t->names, sizeof *names * (size_t)t->ncol, sizeof *names * more) : NULL;
  if (names) t->names = names;
  rbv_status status = names ? RBV_OK : RBV_EMEM;
  for (int j = 0; j < other->ncol && status == RBV_OK; j++) {
    if (j == but) continue;
    if (!(t->names[t->ncol] = fresh_name(t, other->names[j]))) {
      status = RBV_EMEM;
      break;
    }
    interpolate(t->values + t->ncol * t->ld, times, t->rows, clock, other->values + j * other->ld,
                other->rows);
    t->ncol++;
  }
  rbv_free(times);
  return status;
}

void table_keep_overlap(table *t, int first_column) {
  ptrdiff_t first = 0, last = t->rows - 1;
  for (int j = first_column; j < t->ncol; j++) {
    const double *x = t->values + j * t->ld;
    while (first <= last && isnan(x[first])) first++;
    while (last >= first && isnan(x[last])) last--;
  }
  t->rows = last - first + 1;
  for (int j = 0; j < t->ncol && first > 0; j++)
    memmove(t->values + j * t->ld, t->values + j * t->ld + first,
            sizeof *t->values * (size_t)t->rows);
}
