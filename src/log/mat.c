#include <dlfcn.h>
#include <limits.h>
#include <matio.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "log/log.h"

#include "base/support.h"
#include "log/bag.h"
#include "log/numbered_rows.h"
#include "log/unpack.h"

#define CONVERT                                                                        \
  "MATLAB objects (timeseries, table, timetable) are not read; in MATLAB, save plain " \
  "matrices: t = x.Time; q = x.Data; save('log.mat', 't', 'q')"

#define MOST_COLUMNS 100000
#define BLOCK 16384  // rows in the buffer of a piecewise reader

/* ---- the library ---- */

/*
 * matio is opened when the first MAT file is read. It needs HDF5, which in Debian needs curl, LDAP,
 * Kerberos and forty other libraries: nothing else of Roberval has a use for them.
 */
static struct {
  void *open;  // handle of the library; NULL: not opened yet
  mat_t *(*Mat_Open)(const char *path, int mode);
  int (*Mat_Close)(mat_t *mat);
  matvar_t *(*Mat_VarReadNext)(mat_t *mat);
  matvar_t *(*Mat_VarReadNextInfo)(mat_t *mat);
  void (*Mat_VarFree)(matvar_t *v);
  unsigned (*Mat_VarGetNumberOfFields)(const matvar_t *v);
  char *const *(*Mat_VarGetStructFieldnames)(const matvar_t *v);
  matvar_t *(*Mat_VarGetStructFieldByIndex)(const matvar_t *v, size_t field, size_t index);
  int (*Mat_VarReadData)(mat_t *mat, matvar_t *v, void *data, int *start, int *stride, int *edge);
} matio;

/* Open the library once; its lock is held. */
static rbv_status open_matio(const char *path) {
  static const struct {
    const char *name;
    void *place;
  } function[] = {{"Mat_Open", &matio.Mat_Open},
                  {"Mat_Close", &matio.Mat_Close},
                  {"Mat_VarReadNext", &matio.Mat_VarReadNext},
                  {"Mat_VarReadNextInfo", &matio.Mat_VarReadNextInfo},
                  {"Mat_VarFree", &matio.Mat_VarFree},
                  {"Mat_VarGetNumberOfFields", &matio.Mat_VarGetNumberOfFields},
                  {"Mat_VarGetStructFieldnames", &matio.Mat_VarGetStructFieldnames},
                  {"Mat_VarGetStructFieldByIndex", &matio.Mat_VarGetStructFieldByIndex},
                  {"Mat_VarReadData", &matio.Mat_VarReadData}};
  if (matio.open) return RBV_OK;
  void *library = dlopen(MATIO_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return rbv_fail(RBV_EUNSUPPORTED,
                    "%s: MAT files need the library " MATIO_LIBRARY
                    " (Debian: apt-get install libmatio11), or export the recording as CSV",
                    path);
  for (int i = 0; i < RBV_COUNT(function); i++) {
    void *symbol = dlsym(library, function[i].name);
    if (!symbol)
      return rbv_fail(RBV_EUNSUPPORTED, "%s: " MATIO_LIBRARY " has no function %s", path,
                      function[i].name);
    memcpy(function[i].place, &symbol, sizeof symbol);
  }
  matio.open = library;
  return RBV_OK;
}

/* ---- lock and error output of the library ---- */

/* HDF5 in Debian is not thread-safe. */
static pthread_mutex_t library = PTHREAD_MUTEX_INITIALIZER;

/*
 * HDF5, which matio uses for version 7.3, prints errors to stderr, and matio does not switch that
 * off. We do not link HDF5, so its functions are looked up by name. If they are not found, it
 * prints.
 */
typedef int report_set(int64_t stack, void *function, void *payload);
typedef int report_get(int64_t stack, void **function, void **payload);

typedef struct {
  void *function, *payload;  // settings of the host program
  report_set *set;
} silence;

static void enter_library(silence *s) {
  *s = (silence){0};
  pthread_mutex_lock(&library);
  // open_file says why it is not there
  if (open_matio("") != RBV_OK) return;
  report_get *get = NULL;
  void *symbol = dlsym(matio.open, "H5Eget_auto2");
  memcpy(&get, &symbol, sizeof get);
  symbol = dlsym(matio.open, "H5Eset_auto2");
  if (!get || !symbol || get(0, &s->function, &s->payload) < 0) return;
  memcpy(&s->set, &symbol, sizeof s->set);
  (void)s->set(0, NULL, NULL);
}

static void leave_library(const silence *s) {
  if (s->set) (void)s->set(0, s->function, s->payload);
  pthread_mutex_unlock(&library);
}

/* ---- variables ---- */

typedef struct {
  char name[96];
  matvar_t *var;
  rbv_channel channel;  // of the name
  int joint;
} item;

typedef struct {
  const char *path;
  bool whole;       // read the numbers; otherwise names and sizes only
  matvar_t **vars;  // as read, owned
  int nvar, var_room;
  item *items;  // matrices among them and in structs
  int nitem, item_room;
  char object[64];  // name of the first MATLAB object
} contents;

static bool is_numeric(const matvar_t *v) {
  return v->class_type >= MAT_C_DOUBLE && v->class_type <= MAT_C_UINT64;
}

/* matio reports a class that it does not know as an empty variable with a size. */
static bool is_object(const matvar_t *v) {
  if (v->class_type == MAT_C_OPAQUE || v->class_type == MAT_C_OBJECT) return true;
  if (v->class_type != MAT_C_EMPTY || !v->dims) return false;
  for (int i = 0; i < v->rank; i++)
    if (v->dims[i] == 0) return false;
  return v->rank > 0;
}

static rbv_status unreadable(const char *path, const char *name) {
  return rbv_fail(RBV_EINPUT, "%s: variable %s cannot be read: the file is damaged", path, name);
}

/* Add a vector or matrix to the items; other variables are ignored. */
static rbv_status add_item(contents *c, const char *prefix, const char *name, matvar_t *v) {
  if (!v || !name) return RBV_OK;
  item it = {.var = v};
  snprintf(it.name, sizeof it.name, "%.52s%s%.31s", prefix, *prefix ? "." : "", name);
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
      return rbv_fail(RBV_EINPUT, "%s: variable %s is not a matrix of real numbers", c->path,
                      it.name);
    return RBV_OK;
  }
  if (v->dims[0] == 0 || v->dims[1] == 0) {
    if (known) return rbv_fail(RBV_EINPUT, "%s: variable %s is empty", c->path, it.name);
    return RBV_OK;
  }
  if (c->whole && !v->data) return unreadable(c->path, it.name);
  item *items = rbv_grow(c->items, c->nitem, &c->item_room, sizeof *items);
  if (!items) return RBV_EMEM;
  c->items = items;
  c->items[c->nitem++] = it;
  return RBV_OK;
}

static bool is_single(const matvar_t *v) {
  return v->rank == 2 && v->dims[0] == 1 && v->dims[1] == 1;
}

/* The fields of a struct, and of the structs in it, whose names are prefixes. */
static rbv_status add_struct(contents *c, const char *prefix, matvar_t *v) {
  if (!is_single(v)) return RBV_OK;
  const unsigned n = matio.Mat_VarGetNumberOfFields(v);
  char *const *fields = matio.Mat_VarGetStructFieldnames(v);
  for (unsigned k = 0; k < n && fields; k++) {
    matvar_t *field = matio.Mat_VarGetStructFieldByIndex(v, k, 0);
    if (!field || field->class_type != MAT_C_STRUCT) {
      RBV_TRY(add_item(c, prefix, fields[k], field));
      continue;
    }
    const unsigned inner = is_single(field) ? matio.Mat_VarGetNumberOfFields(field) : 0;
    char *const *names = matio.Mat_VarGetStructFieldnames(field);
    char path[64];
    snprintf(path, sizeof path, "%.20s%s%.31s", prefix, *prefix ? "." : "", fields[k]);
    for (unsigned i = 0; i < inner && names; i++)
      RBV_TRY(add_item(c, path, names[i], matio.Mat_VarGetStructFieldByIndex(field, i, 0)));
  }
  return RBV_OK;
}

static rbv_status read_variables(contents *c, mat_t *mat) {
  matvar_t *v;
  while ((v = c->whole ? matio.Mat_VarReadNext(mat) : matio.Mat_VarReadNextInfo(mat))) {
    matvar_t **vars = rbv_grow(c->vars, c->nvar, &c->var_room, sizeof *vars);
    if (!vars) {
      matio.Mat_VarFree(v);
      return RBV_EMEM;
    }
    c->vars = vars;
    c->vars[c->nvar++] = v;
  }

  // fields of a single struct keep their names; with several structs the name of the struct is a
  // prefix
  int structs = 0;
  for (int i = 0; i < c->nvar; i++) structs += c->vars[i]->class_type == MAT_C_STRUCT;
  for (int i = 0; i < c->nvar; i++) {
    v = c->vars[i];
    if (v->class_type != MAT_C_STRUCT) {
      RBV_TRY(add_item(c, "", v->name, v));
      continue;
    }
    if (!is_single(v) && structs == 1 && c->nvar == 1)
      return rbv_fail(RBV_EINPUT, "%s: %s is an array of structs; save one recording per file",
                      c->path, v->name ? v->name : "the variable");
    RBV_TRY(add_struct(c, structs > 1 && v->name ? v->name : "", v));
  }
  return RBV_OK;
}

/* ---- samples and columns ---- */

static size_t larger(const matvar_t *v) {
  return v->dims[0] > v->dims[1] ? v->dims[0] : v->dims[1];
}

/* The number of samples is that of t, else of the longest known channel, else of the longest item.
 */
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

static void copy_samples(double *to, enum matio_classes class, const void *data, size_t first,
                         size_t step, size_t n) {
  switch (class) {
#define CASE(name, type)                                                                   \
  case name:                                                                               \
    for (size_t k = 0; k < n; k++) to[k] = (double)((const type *)data)[first + k * step]; \
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

/* Number of columns of an item, and whether samples are along its rows. 0 columns: not part of the
 * recording. */
static rbv_status shape(size_t *columns, bool *across, const contents *c, const item *it,
                        size_t n) {
  const size_t height = it->var->dims[0], width = it->var->dims[1];
  const bool known = it->channel != RBV_CHANNEL_OTHER;
  *columns = 0;
  if (height != n && width != n) {
    if (known)
      return rbv_fail(RBV_EINPUT, "%s: variable %s is %zu x %zu, but there are %zu samples",
                      c->path, it->name, height, width, n);
    return RBV_OK;
  }
  if (known && height == width && n > 1)
    return rbv_fail(RBV_EINPUT,
                    "%s: variable %s is %zu x %zu: rows and columns cannot be distinguished",
                    c->path, it->name, height, width);
  *across = height != n;
  *columns = *across ? height : width;
  const bool one = it->channel == RBV_CHANNEL_TIME ||
                   (known && strcmp(it->name, rbv_channel_name(it->channel)) != 0);
  if (one && *columns != 1)
    return rbv_fail(RBV_EINPUT, "%s: variable %s is %zu x %zu, but should be one column", c->path,
                    it->name, height, width);
  return RBV_OK;
}

/* A column of the table: column j, or row j, of an item. */
typedef struct {
  int item;
  size_t j, count;  // number, and number of columns of the item
  bool across;
} cut;

/* Count the columns of all items. */
static rbv_status count_columns(size_t *total, const contents *c, size_t n) {
  *total = 0;
  for (int i = 0; i < c->nitem; i++) {
    size_t columns;
    bool across;
    RBV_TRY(shape(&columns, &across, c, &c->items[i], n));
    *total += columns;
  }
  if (*total > MOST_COLUMNS)
    return rbv_fail(RBV_EINPUT, "%s: %zu columns; at most %d are read", c->path, *total,
                    MOST_COLUMNS);
  return RBV_OK;
}

/* List names and origin of the columns. After a failure *ncol names are allocated. */
static rbv_status list_columns(char **names, int *ncol, cut *cuts, const contents *c, size_t n) {
  for (int i = 0; i < c->nitem; i++) {
    const item *it = &c->items[i];
    cut k = {.item = i};
    RBV_TRY(shape(&k.count, &k.across, c, it, n));
    // a stem such as q is numbered even if it has one column; other single columns keep their name
    const bool stem = it->channel != RBV_CHANNEL_OTHER && it->channel != RBV_CHANNEL_TIME &&
                      strcmp(it->name, rbv_channel_name(it->channel)) == 0;
    for (; k.j < k.count; k.j++) {
      char name[120];
      snprintf(name, sizeof name, k.count > 1 || stem ? "%s%zu" : "%s", it->name, k.j + 1);
      if (!(names[*ncol] = rbv_strdup(name))) return RBV_EMEM;
      cuts[(*ncol)++] = k;
    }
  }
  return RBV_OK;
}

static rbv_status fill_table(table *t, const contents *c, size_t n) {
  size_t total;
  RBV_TRY(count_columns(&total, c, n));
  t->rows = (ptrdiff_t)n;
  t->ld = table_stride(t->rows);
  t->names = rbv_alloc(sizeof *t->names * total);
  t->values = rbv_alloc(sizeof(double) * total * (size_t)t->ld);
  cut *cuts = rbv_alloc(sizeof *cuts * total);
  rbv_status status = t->names && t->values && cuts ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK) status = list_columns(t->names, &t->ncol, cuts, c, n);
  for (int j = 0; j < t->ncol && status == RBV_OK; j++) {
    const matvar_t *v = c->items[cuts[j].item].var;
    copy_samples(t->values + j * t->ld, v->class_type, v->data,
                 cuts[j].across ? cuts[j].j : cuts[j].j * n, cuts[j].across ? cuts[j].count : 1, n);
  }
  rbv_free(cuts);
  return status;
}

/* Read the variables of the file; refuse a file without data. */
static rbv_status read_contents(contents *c, mat_t *mat) {
  RBV_TRY(read_variables(c, mat));
  if (c->nvar == 0)
    return rbv_fail(RBV_EINPUT, "%s: no variable can be read: the file is empty or damaged",
                    c->path);
  if (c->nitem > 0) return RBV_OK;
  return *c->object
             ? rbv_fail(RBV_EINPUT, "%s: variable %s is an object. " CONVERT, c->path, c->object)
             : rbv_fail(RBV_EINPUT, "%s: no matrix of real numbers in the file", c->path);
}

static void free_contents(contents *c) {
  for (int i = 0; i < c->nvar; i++) matio.Mat_VarFree(c->vars[i]);
  rbv_free(c->vars);
  rbv_free(c->items);
}

/* ---- files ---- */

static rbv_status open_file(mat_t **out, const char *path) {
  RBV_TRY(open_matio(path));
  *out = matio.Mat_Open(path, MAT_ACC_RDONLY);
  if (*out) return RBV_OK;
  return rbv_fail(RBV_EINPUT, "%s: cannot be opened as a MAT file: it is damaged", path);
}

rbv_status mat_table(table *t, const char *path, const wanted_columns *want) {
  (void)want;
  *t = (table){0};
  RBV_TRY(mat_check(path));
  contents c = {.path = path, .whole = true};
  mat_t *mat = NULL;
  silence s;
  enter_library(&s);
  rbv_status status = open_file(&mat, path);
  if (status == RBV_OK) status = read_contents(&c, mat);
  if (status == RBV_OK) status = fill_table(t, &c, count_samples(&c));
  free_contents(&c);
  if (mat) matio.Mat_Close(mat);
  leave_library(&s);
  if (status != RBV_OK) table_free(t);
  return status;
}

rbv_status mat_bytes(size_t *out, const char *path) {
  *out = 0;
  RBV_TRY(mat_check(path));
  contents c = {.path = path};
  mat_t *mat = NULL;
  silence s;
  enter_library(&s);
  rbv_status status = open_file(&mat, path);
  if (status == RBV_OK) status = read_contents(&c, mat);
  for (int i = 0; i < c.nitem && status == RBV_OK; i++)
    *out += sizeof(double) * c.items[i].var->dims[0] * c.items[i].var->dims[1];
  free_contents(&c);
  if (mat) matio.Mat_Close(mat);
  leave_library(&s);
  return status;
}

/* ---- pieces of version 7.3 ---- */

/* An open file, shared by its readers. */
typedef struct {
  contents c;
  mat_t *mat;
  char *path;
  char **names;
  cut *cuts;
  int ncol;
  ptrdiff_t samples;
} mat_file;

typedef struct {
  numbered_rows rows;
  mat_file *file;  // owned by the first reader
  bool owner;
  double *block;           // BLOCK x columns
  char *slab;              // part of one variable, as in the file
  ptrdiff_t first, count;  // rows of the block
} mat_rows;

static void free_file(mat_file *f) {
  if (!f) return;
  silence s;
  enter_library(&s);
  free_contents(&f->c);
  if (f->mat) matio.Mat_Close(f->mat);
  leave_library(&s);
  names_free(f->names, f->ncol);
  RBV_FREE_ALL(f->cuts, f->path, f);
}

static void close_mat(rows *r) {
  mat_rows *m = (mat_rows *)r;
  if (m->owner) free_file(m->file);
  RBV_FREE_ALL(m->block, m->slab, m);
}

static const rows_kind mat_kind;

/* The variable with the most columns needs the largest buffer. */
static size_t slab_bytes(const mat_file *f) {
  size_t most = 0;
  for (int j = 0; j < f->ncol; j++)
    if (f->cuts[j].count > most) most = f->cuts[j].count;
  return most * BLOCK * sizeof(double);
}

static rbv_status new_reader(rows **out, mat_file *f, bool owner) {
  *out = NULL;
  RBV_NEW(mat_rows, m, 1);
  m->rows.head = (rows){.kind = &mat_kind, .ncol = f->ncol, .names = f->names};
  m->rows.samples = m->rows.end = f->samples;
  m->file = f;
  m->block = rbv_alloc(sizeof *m->block * BLOCK * (size_t)f->ncol);
  m->slab = m->block ? rbv_alloc(slab_bytes(f)) : NULL;
  if (!m->slab) {
    close_mat(&m->rows.head);
    return RBV_EMEM;
  }
  m->owner = owner;
  *out = &m->rows.head;
  return RBV_OK;
}

static rbv_status clone_mat(rows **out, const rows *r) {
  return new_reader(out, ((const mat_rows *)r)->file, false);
}

/* Read the part of one variable, whose first column is j, into the block. */
static rbv_status read_slab(mat_rows *m, int j) {
  const mat_file *f = m->file;
  const cut *k = &f->cuts[j];
  const item *it = &f->c.items[k->item];
  int start[2] = {0, 0}, stride[2] = {1, 1}, edge[2];
  start[k->across] = (int)m->first;
  edge[k->across] = (int)m->count;
  edge[!k->across] = (int)k->count;
  matvar_t *v = f->c.items[k->item].var;
  if (matio.Mat_VarReadData(f->mat, v, m->slab, start, stride, edge) != 0)
    return unreadable(f->path, it->name);
  const size_t n = (size_t)m->count;
  for (size_t i = 0; i < k->count; i++)
    copy_samples(m->block + (j + (ptrdiff_t)i) * BLOCK, v->class_type, m->slab,
                 k->across ? i : i * n, k->across ? k->count : 1, n);
  return RBV_OK;
}

/* Read the block with this row. */
static rbv_status read_block(mat_rows *m, ptrdiff_t row) {
  const mat_file *f = m->file;
  m->first = row / BLOCK * BLOCK;
  m->count = f->samples - m->first < BLOCK ? f->samples - m->first : BLOCK;
  rbv_status status = RBV_OK;
  silence s;
  enter_library(&s);
  for (int j = 0; j < f->ncol && status == RBV_OK; j += (int)f->cuts[j].count)
    status = read_slab(m, j);
  leave_library(&s);
  if (status != RBV_OK) m->count = 0;
  return status;
}

static rbv_status read_mat(ptrdiff_t *got, rows *r, double *out, ptrdiff_t most, ptrdiff_t ld) {
  mat_rows *m = (mat_rows *)r;
  numbered_rows *p = &m->rows;
  *got = 0;
  while (*got < most && p->next < p->end) {
    if (p->next < m->first || p->next >= m->first + m->count) RBV_TRY(read_block(m, p->next));
    const ptrdiff_t skip = p->next - m->first;
    ptrdiff_t n = m->count - skip;
    if (n > p->end - p->next) n = p->end - p->next;
    if (n > most - *got) n = most - *got;
    for (int j = 0; j < r->ncol; j++)
      memcpy(out + *got + j * ld, m->block + skip + (ptrdiff_t)j * BLOCK,
             (size_t)n * sizeof(double));
    *got += n;
    p->next += n;
  }
  return RBV_OK;
}

static const rows_kind mat_kind = {.close = close_mat,
                                   .clone = clone_mat,
                                   .size = numbered_size,
                                   .tell = numbered_tell,
                                   .seek = numbered_seek,
                                   .seek_stretch = numbered_seek_stretch,
                                   .read = read_mat};

static rbv_status find_columns(mat_file *f) {
  size_t total;
  RBV_TRY(read_contents(&f->c, f->mat));
  const size_t n = count_samples(&f->c);
  if (n > INT_MAX)  // as matio counts
    return rbv_fail(RBV_EUNSUPPORTED, "%s: %zu samples; at most %d are read in pieces", f->path, n,
                    INT_MAX);
  RBV_TRY(count_columns(&total, &f->c, n));
  f->samples = (ptrdiff_t)n;
  f->names = rbv_alloc(sizeof *f->names * total);
  f->cuts = rbv_alloc(sizeof *f->cuts * total);
  if (!f->names || !f->cuts) return RBV_EMEM;
  return list_columns(f->names, &f->ncol, f->cuts, &f->c, n);
}

rbv_status mat_open(rows **out, const char *path, const wanted_columns *want) {
  (void)want;
  *out = NULL;
  RBV_TRY(mat_check(path));
  RBV_NEW(mat_file, f, 1);
  f->c.path = f->path = rbv_strdup(path);
  rbv_status status = f->path ? RBV_OK : RBV_EMEM;
  silence s;
  enter_library(&s);
  if (status == RBV_OK) status = open_file(&f->mat, path);
  if (status == RBV_OK) status = find_columns(f);
  leave_library(&s);
  if (status == RBV_OK) status = new_reader(out, f, true);
  if (status != RBV_OK) free_file(f);
  return status;
}

const char *rbv_log_library(int i, char version[64]) {
  if (i == 1) return mat_check_library(version);
  if (i == 2) return sqlite_library(version);
  if (i > 2) return unpack_library(i - 3, version);
  if (i != 0) return NULL;
  // the version of its header: the library is opened when a file needs it
  snprintf(version, 64, "%d.%d.%d", MATIO_MAJOR_VERSION, MATIO_MINOR_VERSION, MATIO_RELEASE_LEVEL);
  return "matio";
}
