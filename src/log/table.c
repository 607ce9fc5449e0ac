#include "log/table.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/support.h"
#include "log/cells.h"
#include "log/log.h"

bool name_ends_with(const char *path, const char *ending) {
  const size_t n = strlen(path), m = strlen(ending);
  return n >= m && strcasecmp(path + n - m, ending) == 0;
}

ptrdiff_t table_stride(ptrdiff_t count) {
  const ptrdiff_t line = 8, page = 512;
  const ptrdiff_t ld = (count + line - 1) / line * line;
  return ld % page == 0 ? ld + line : ld;
}

rbv_status table_turn(table *t) {
  if (t->names || t->text || t->rows < 1 || t->rows >= TABLE_TURNED_ROWS ||
      t->ncol < TABLE_TURNED_COLUMNS)
    return RBV_OK;
  const ptrdiff_t rows = t->ncol, ld = table_stride(rows);
  double *values = rbv_alloc(sizeof *values * (size_t)ld * (size_t)t->rows);
  if (!values) return RBV_EMEM;
  for (ptrdiff_t k = 0; k < rows; k++)
    for (ptrdiff_t j = 0; j < t->rows; j++) values[k + j * ld] = t->values[j + k * t->ld];
  rbv_free(t->values);
  rbv_free(t->marks);
  t->marks = NULL;
  t->nmark = 0;
  t->values = values;
  t->ncol = (int)t->rows;
  t->rows = rows;
  t->ld = ld;
  return RBV_OK;
}

void table_part_name(char *text, size_t size, const char *name, size_t i, size_t n) {
  int joint;
  const rbv_channel channel = rbv_channel_parse(&joint, name);
  const bool stem = channel != RBV_CHANNEL_OTHER && channel != RBV_CHANNEL_TIME &&
                    strcmp(name, rbv_channel_name(channel)) == 0;
  if (stem)
    snprintf(text, size, "%s%zu", name, i + 1);
  else if (n > 1)
    snprintf(text, size, "%s[%zu]", name, i);
  else
    snprintf(text, size, "%s", name);
}

void names_free(char **names, int n) {
  for (int j = 0; names && j < n; j++) rbv_free(names[j]);
  rbv_free(names);
}

rbv_status names_copy(char ***out, char *const *names, int n) {
  *out = rbv_alloc(sizeof **out * (size_t)n);
  for (int j = 0; *out && j < n; j++)
    if (!((*out)[j] = rbv_strdup(names[j]))) {
      names_free(*out, j);
      *out = NULL;
    }
  return *out ? RBV_OK : RBV_EMEM;
}

void text_free(text_column *text, int n) {
  for (int j = 0; text && j < n; j++) rbv_free(text[j].cell);
  rbv_free(text);
}

rbv_status text_copy(text_column **out, const text_column *text, int n) {
  *out = rbv_alloc(sizeof **out * (size_t)n);
  for (int j = 0; *out && j < n; j++) {
    (*out)[j] = text[j];
    if (!text[j].cell || ((*out)[j].cell = rbv_strdup(text[j].cell))) continue;
    text_free(*out, j);
    *out = NULL;
  }
  return *out ? RBV_OK : RBV_EMEM;
}

rbv_status refuse_text(const table *t, const char *file, int column) {
  const text_column *c = &t->text[column];
  char text[40], where[80];
  snprintf(where, sizeof where, t->names ? "column %d (%.40s)" : "column %d", column + 1,
           t->names ? t->names[column] : "");
  return rbv_fail(RBV_EINPUT, "%s:%td:%td: '%s' in %s is not a number", file, c->line, c->place,
                  cell_show(text, c->cell, c->cell + strlen(c->cell)), where);
}

/* a name with its place, for sorting */
typedef struct {
  const char *name;
  int at;
} place_of_name;

static int by_name(const void *a, const void *b) {
  const place_of_name *x = a, *y = b;
  const int order = strcmp(x->name, y->name);
  return order ? order : x->at - y->at;
}

rbv_status names_find_twice(int *first, int *second, char *const *names, int n) {
  *first = *second = -1;
  RBV_NEW(place_of_name, sorted, n);
  for (int j = 0; j < n; j++) sorted[j] = (place_of_name){names[j], j};
  qsort(sorted, (size_t)n, sizeof *sorted, by_name);
  for (int j = 1; j < n; j++)
    if (strcmp(sorted[j - 1].name, sorted[j].name) == 0 &&
        (*second < 0 || sorted[j].at < *second)) {
      *first = sorted[j - 1].at;
      *second = sorted[j].at;
    }
  rbv_free(sorted);
  return RBV_OK;
}

void table_free(table *t) {
  names_free(t->names, t->ncol);
  names_free(t->units, t->ncol);
  text_free(t->text, t->ncol);
  rbv_free(t->values);
  rbv_free(t->marks);
  *t = (table){0};
}

int table_find(const table *t, const char *name) { return RBV_FIND_TEXT(t->names, t->ncol, name); }
