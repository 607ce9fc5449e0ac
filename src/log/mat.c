// RTLD_DEFAULT
#define _GNU_SOURCE

#include <dlfcn.h>
#include <matio.h>
#include <stdio.h>
#include <string.h>

#include <roberval/log.h>

#include "base/support.h"
#include "log/table.h"

#define CONVERT                                                                        \
  "MATLAB objects (timeseries, table, timetable) are not read; in MATLAB, save plain " \
  "matrices: t = x.Time; q = x.Data; save('log.mat', 't', 'q')"

/* ---- silence ---- */

/*
 * HDF5, which matio calls for version 7.3, prints its troubles to stderr unless told otherwise, and
 * matio does not tell. It is not ours to link, so it is asked for by name; without it, it prints.
 */
typedef int report_set(int64_t stack, void *function, void *payload);
typedef int report_get(int64_t stack, void **function, void **payload);

typedef struct {
  void *function, *payload;  // what the host had
  report_set *set;
} silence;

static void be_silent(silence *s) {
  *s = (silence){0};
  report_get *get = NULL;
  void *symbol = dlsym(RTLD_DEFAULT, "H5Eget_auto2");
  memcpy(&get, &symbol, sizeof get);
  symbol = dlsym(RTLD_DEFAULT, "H5Eset_auto2");
  if (!get || !symbol || get(0, &s->function, &s->payload) < 0) return;
  memcpy(&s->set, &symbol, sizeof s->set);
  (void)s->set(0, NULL, NULL);
}

static void speak_again(const silence *s) {
  if (s->set) (void)s->set(0, s->function, s->payload);
}

/* ---- variables ---- */

typedef struct {
  char name[64 + 16];
  const matvar_t *var;
  rbv_channel channel;  // of the name as it stands
  int joint;
} item;

typedef struct {
  const char *path;
  matvar_t **vars;  // as read, owned
  int nvar, var_room;
  item *items;  // matrices among them and in structs
  int nitem, item_room;
  char object[64];  // the first thing that is no matrix but might be the data
} contents;

static bool is_numeric(const matvar_t *v) {
  return v->class_type >= MAT_C_DOUBLE && v->class_type <= MAT_C_UINT64;
}

/* a class that matio does not know comes as an empty one that has a size */
static bool is_object(const matvar_t *v) {
  if (v->class_type == MAT_C_OPAQUE || v->class_type == MAT_C_OBJECT) return true;
  if (v->class_type != MAT_C_EMPTY || !v->dims) return false;
  for (int i = 0; i < v->rank; i++)
    if (v->dims[i] == 0) return false;
  return v->rank > 0;
}

/* the list with room for one more, doubled when full; NULL and the old one kept without memory */
static void *grow(void *list, int count, int *room, size_t size) {
  if (count < *room) return list;
  const int more = *room ? 2 * *room : 16;
  void *larger = rbv_realloc(list, size * (size_t)count, size * (size_t)more);
  if (larger) *room = more;
  return larger;
}

/* vectors and matrices are kept, what is no data is passed over */
static rbv_status add_item(contents *c, const char *prefix, const char *name, const matvar_t *v) {
  if (!v || !name) return RBV_OK;
  item it = {.var = v};
  snprintf(it.name, sizeof it.name, "%.31s%s%.31s", prefix, *prefix ? "." : "", name);
  it.channel = rbv_channel_parse(&it.joint, it.name);
  const bool known = it.channel != RBV_CHANNEL_OTHER;
  if (is_object(v)) {
    if (known)
      return rbv_fail(RBV_EINPUT, "%s: variable %s is an object. " CONVERT, c->path, it.name);
    if (!*c->object) snprintf(c->object, sizeof c->object, "%.60s", it.name);
    return RBV_OK;
  }
  if (!is_numeric(v) || v->rank != 2 || v->isComplex) {
    if (known)
      return rbv_fail(RBV_EINPUT, "%s: variable %s is no matrix of real numbers", c->path, it.name);
    return RBV_OK;
  }
  if (v->dims[0] == 0 || v->dims[1] == 0) {
    if (known) return rbv_fail(RBV_EINPUT, "%s: variable %s is empty", c->path, it.name);
    return RBV_OK;
  }
  if (!v->data)
    return rbv_fail(RBV_EINPUT, "%s: variable %s cannot be read; the file is damaged", c->path,
                    it.name);
  item *items = grow(c->items, c->nitem, &c->item_room, sizeof *items);
  if (!items) return RBV_EMEM;
  c->items = items;
  c->items[c->nitem++] = it;
  return RBV_OK;
}

static rbv_status read_variables(contents *c, mat_t *mat) {
  matvar_t *v;
  while ((v = Mat_VarReadNext(mat))) {
    matvar_t **vars = grow(c->vars, c->nvar, &c->var_room, sizeof *vars);
    if (!vars) {
      Mat_VarFree(v);
      return RBV_EMEM;
    }
    c->vars = vars;
    c->vars[c->nvar++] = v;
  }

  // one struct lends its fields their plain names; several keep them apart
  int structs = 0;
  for (int i = 0; i < c->nvar; i++) structs += c->vars[i]->class_type == MAT_C_STRUCT;
  for (int i = 0; i < c->nvar; i++) {
    v = c->vars[i];
    if (v->class_type != MAT_C_STRUCT) {
      RBV_TRY(add_item(c, "", v->name, v));
      continue;
    }
    if (v->rank != 2 || v->dims[0] != 1 || v->dims[1] != 1) {
      if (structs == 1 && c->nvar == 1)
        return rbv_fail(RBV_EINPUT, "%s: %s is an array of structs; save one recording per file",
                        c->path, v->name ? v->name : "the variable");
      continue;
    }
    const unsigned n = Mat_VarGetNumberOfFields(v);
    char *const *fields = Mat_VarGetStructFieldnames(v);
    for (unsigned k = 0; k < n && fields; k++)
      RBV_TRY(add_item(c, structs > 1 && v->name ? v->name : "", fields[k],
                       Mat_VarGetStructFieldByIndex(v, k, 0)));
  }
  return RBV_OK;
}

/* ---- samples and columns ---- */

static size_t larger(const matvar_t *v) {
  return v->dims[0] > v->dims[1] ? v->dims[0] : v->dims[1];
}

/* t says how many samples there are; without it the longest known channel, then the longest */
static size_t count_samples(const contents *c) {
  size_t known = 0, any = 0;
  for (int i = 0; i < c->nitem; i++) {
    const size_t n = larger(c->items[i].var);
    if (c->items[i].channel == RBV_CHANNEL_TIME) return n;
    if (c->items[i].channel != RBV_CHANNEL_OTHER && n > known) known = n;
    if (n > any) any = n;
  }
  return known ? known : any;
}

static void copy_samples(double *to, const matvar_t *v, size_t first, size_t step, size_t n) {
  switch (v->class_type) {
#define CASE(class, type)                                                                     \
  case class:                                                                                 \
    for (size_t k = 0; k < n; k++) to[k] = (double)((const type *)v->data)[first + k * step]; \
    break
    CASE(MAT_C_DOUBLE, double);
    CASE(MAT_C_SINGLE, float);
    CASE(MAT_C_INT8, int8_t);
    CASE(MAT_C_UINT8, uint8_t);
    CASE(MAT_C_INT16, int16_t);
    CASE(MAT_C_UINT16, uint16_t);
    CASE(MAT_C_INT32, int32_t);
    CASE(MAT_C_UINT32, uint32_t);
    CASE(MAT_C_INT64, int64_t);
    CASE(MAT_C_UINT64, uint64_t);
#undef CASE
    default: break;
  }
}

/* how an item becomes columns: how many, and which way it lies; 0 columns: it does not belong */
static rbv_status shape(size_t *columns, bool *across, const contents *c, const item *it,
                        size_t n) {
  const size_t rows = it->var->dims[0], cols = it->var->dims[1];
  const bool known = it->channel != RBV_CHANNEL_OTHER;
  *columns = 0;
  if (rows != n && cols != n) {
    if (known)
      return rbv_fail(RBV_EINPUT, "%s: variable %s is %zu x %zu, but there are %zu samples",
                      c->path, it->name, rows, cols, n);
    return RBV_OK;
  }
  if (known && rows == cols && n > 1)
    return rbv_fail(RBV_EINPUT,
                    "%s: variable %s is %zu x %zu: its samples may be the rows or the columns",
                    c->path, it->name, rows, cols);
  *across = rows != n;
  *columns = *across ? rows : cols;
  const bool one = it->channel == RBV_CHANNEL_TIME ||
                   (known && strcmp(it->name, rbv_channel_name(it->channel)) != 0);
  if (one && *columns != 1)
    return rbv_fail(RBV_EINPUT, "%s: variable %s is %zu x %zu, but should be one column", c->path,
                    it->name, rows, cols);
  return RBV_OK;
}

static rbv_status fill_table(table *t, const contents *c, size_t n) {
  // how many columns
  size_t total = 0, columns;
  bool across = false;
  for (int i = 0; i < c->nitem; i++) {
    RBV_TRY(shape(&columns, &across, c, &c->items[i], n));
    total += columns;
  }
  if (total > 100000)
    return rbv_fail(RBV_EINPUT, "%s: %zu columns; at most 100000 are read", c->path, total);
  t->rows = (ptrdiff_t)n;
  t->ld = table_stride(t->rows);
  t->names = rbv_alloc(sizeof *t->names * total);
  t->values = rbv_alloc(sizeof(double) * total * (size_t)t->ld);
  if (!t->names || !t->values) return RBV_EMEM;

  for (int i = 0; i < c->nitem; i++) {
    const item *it = &c->items[i];
    RBV_TRY(shape(&columns, &across, c, it, n));
    for (size_t j = 0; j < columns; j++) {
      // q with one column is q1 too; a column of anything else keeps the name
      const bool stem = it->channel != RBV_CHANNEL_OTHER && it->channel != RBV_CHANNEL_TIME &&
                        strcmp(it->name, rbv_channel_name(it->channel)) == 0;
      char name[120];
      snprintf(name, sizeof name, columns > 1 || stem ? "%s%zu" : "%s", it->name, j + 1);
      if (!(t->names[t->ncol] = rbv_strdup(name))) return RBV_EMEM;
      copy_samples(t->values + t->ncol * t->ld, it->var, across ? j : j * n, across ? columns : 1,
                   n);
      t->ncol++;
    }
  }
  return RBV_OK;
}

static rbv_status read_table(table *t, const char *path, mat_t *mat) {
  contents c = {.path = path};
  t->format = Mat_GetVersion(mat) == MAT_FT_MAT73 ? "MAT 7.3" : "MAT 5";
  rbv_status status = read_variables(&c, mat);
  if (status == RBV_OK && c.nvar == 0)
    status =
        rbv_fail(RBV_EINPUT, "%s: no variable can be read; the file is empty or damaged", path);
  else if (status == RBV_OK && c.nitem == 0)
    status = *c.object
                 ? rbv_fail(RBV_EINPUT, "%s: variable %s is an object. " CONVERT, path, c.object)
                 : rbv_fail(RBV_EINPUT, "%s: no matrix of real numbers in the file", path);
  if (status == RBV_OK) status = fill_table(t, &c, count_samples(&c));
  for (int i = 0; i < c.nvar; i++) Mat_VarFree(c.vars[i]);
  rbv_free(c.vars);
  rbv_free(c.items);
  return status;
}

rbv_status mat_table(table *t, const char *path) {
  *t = (table){0};
  RBV_TRY(mat_check(path));
  silence s;
  be_silent(&s);
  mat_t *mat = Mat_Open(path, MAT_ACC_RDONLY);
  const rbv_status status =
      mat ? read_table(t, path, mat)
          : rbv_fail(RBV_EINPUT, "%s: cannot be opened as a MAT file; it is damaged", path);
  if (mat) Mat_Close(mat);
  speak_again(&s);
  if (status != RBV_OK) table_free(t);
  return status;
}

const char *rbv_log_library(int i, char version[64]) {
  if (i == 1) return mat_check_library(version);
  if (i != 0) return NULL;
  int number[3];
  Mat_GetLibraryVersion(&number[0], &number[1], &number[2]);
  snprintf(version, 64, "%d.%d.%d", number[0], number[1], number[2]);
  return "matio";
}
