// memmem
#define _GNU_SOURCE

/*
 * NumPy files: one array (.npy), or several in a ZIP archive (.npz).
 *
 * An array with one or two dimensions, or a structured array with named fields, gives columns. An
 * array named q, tau, ... is numbered as in this library: q1, q2, ...; the columns of any other
 * array are name[0], name[1], ... One of its dimensions is that of the samples, which is that of t
 * or else the largest one.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include <roberval/sys/log.h>

#include "base/support.h"
#include "log/file_bytes.h"
#include "log/table.h"
#include "log/unpack.h"

#define MOST_COLUMNS 100000
#define MOST_FIELDS 2000
#define MOST_ARRAYS 1000
#define MOST_ARRAY ((size_t)8 << 30)
#define WHOLE ((size_t)-1 / 2)

/* ---- arrays ---- */

typedef struct {
  char kind;  // f i u b
  int bytes;
  bool big;
} number_type;

typedef struct {
  char name[64];
  number_type type;
  size_t at;      // in the record
  size_t length;  // numbers of the field in a record
} field;

typedef struct {
  char name[100];
  field *fields;  // one without a name for a plain array
  int nfield;
  size_t record;  // bytes
  size_t shape[2];
  bool fortran;
  uint8_t *own;  // unpacked bytes; NULL: those of the file
  const uint8_t *data;
} array;

typedef struct {
  const char *path;
  array *arrays;
  int narray;
} contents;

static rbv_status refuse(const contents *c, const array *a, const char *what) {
  return rbv_fail(RBV_EINPUT, "%s: array %s: %s", c->path, a->name, what);
}

static rbv_status cut_off(const contents *c) {
  return rbv_fail(RBV_EINPUT, "%s: the file is truncated or damaged", c->path);
}

static bool parse_type(number_type *t, const char *text, size_t n) {
  if (n < 3 || n > 4 || !strchr("<>|=", text[0]) || !strchr("fiub", text[1])) return false;
  t->kind = text[1];
  t->big = text[0] == '>';
  t->bytes = 0;
  for (size_t i = 2; i < n; i++) {
    if (!isdigit((unsigned char)text[i])) return false;
    t->bytes = 10 * t->bytes + (text[i] - '0');
  }
  const bool power = t->bytes == 1 || t->bytes == 2 || t->bytes == 4 || t->bytes == 8;
  return power && !(t->kind == 'f' && t->bytes < 2) && !(t->kind == 'b' && t->bytes != 1);
}

/* The text between quotation marks at p; NULL: there is none. */
static const char *quoted(size_t *n, const char **p) {
  const char mark = **p;
  if (mark != '\'' && mark != '"') return NULL;
  const char *begin = *p + 1, *end = strchr(begin, mark);
  if (!end) return NULL;
  *n = (size_t)(end - begin);
  *p = end + 1;
  return begin;
}

static void skip(const char **p, const char *what) { *p += strspn(*p, what); }

/* Numbers in brackets: (100, 6). Returns their product, or 0 for a syntax error; first two in
 * shape. */
static size_t parse_shape(size_t shape[2], int *rank, const char **p) {
  size_t product = 1;
  *rank = 0;
  shape[0] = shape[1] = 1;
  if (**p != '(') return 0;
  ++*p;
  for (;;) {
    skip(p, " ,");
    if (**p == ')') break;
    if (!isdigit((unsigned char)**p)) return 0;
    size_t x = 0;
    for (; isdigit((unsigned char)**p) && x < WHOLE / 20; ++*p) x = 10 * x + (size_t)(**p - '0');
    if (*rank < 2) shape[*rank] = x;
    ++*rank;
    if (__builtin_mul_overflow(product, x, &product)) return 0;
  }
  ++*p;
  return product;
}

/* [('t', '<f8'), ('q', '<f8', (6,)), ...] or '<f8' */
static rbv_status parse_fields(contents *c, array *a, const char *p) {
  static const char *const kinds = "its type of numbers is not supported; use float64";
  size_t n;
  a->fields = rbv_alloc(sizeof *a->fields * MOST_FIELDS);
  if (!a->fields) return RBV_EMEM;
  if (*p != '[') {
    const char *type = quoted(&n, &p);
    if (!type || !parse_type(&a->fields[0].type, type, n)) return refuse(c, a, kinds);
    a->fields[0].length = 1;
    a->nfield = 1;
    a->record = (size_t)a->fields[0].type.bytes;
    return RBV_OK;
  }
  p++;
  for (;;) {
    skip(&p, ", ");
    if (*p == ']') break;
    if (*p++ != '(' || a->nfield == MOST_FIELDS) return refuse(c, a, "its fields cannot be read");
    field *f = &a->fields[a->nfield];
    const char *name = quoted(&n, &p);
    if (!name || n >= sizeof f->name) return refuse(c, a, "its fields cannot be read");
    snprintf(f->name, sizeof f->name, "%.*s", (int)n, name);
    skip(&p, ", ");
    const char *type = quoted(&n, &p);
    if (!type || !parse_type(&f->type, type, n)) return refuse(c, a, kinds);
    skip(&p, ", ");
    f->length = 1;
    size_t shape[2];
    int rank;
    if (*p == '(') f->length = parse_shape(shape, &rank, &p);
    if (*p++ != ')' || f->length == 0 || f->length > MOST_COLUMNS)
      return refuse(c, a, "its fields cannot be read");
    f->at = a->record;
    a->record += f->length * (size_t)f->type.bytes;
    a->nfield++;
  }
  return a->nfield > 0 ? RBV_OK : refuse(c, a, "it has no fields");
}

/* The text behind a key of the header. */
static const char *value_of(const char *text, const char *key) {
  const char *p = strstr(text, key);
  if (!p) return NULL;
  p += strlen(key);
  skip(&p, ": ");
  return p;
}

/* Read the header of an array. The numbers stay where they are. */
static rbv_status read_array(contents *c, const char *name, uint8_t *own, const uint8_t *data,
                             size_t size) {
  array *a = &c->arrays[c->narray++];
  *a = (array){.own = own};
  snprintf(a->name, sizeof a->name, "%.90s", name);
  if (size < 12 || memcmp(data, "\x93NUMPY", 6) != 0)
    return refuse(c, a, "it is not an array of NumPy");
  const bool long_header = data[6] >= 2;
  const size_t begin = long_header ? 12 : 10;
  const size_t length = data[8] + 256u * data[9] +
                        (long_header ? 65536u * data[10] + 16777216u * (size_t)data[11] : 0);
  if (length > size - begin) return cut_off(c);
  char *text = rbv_strndup((const char *)data + begin, length);
  if (!text) return RBV_EMEM;
  const char *type = value_of(text, "'descr'"), *order = value_of(text, "'fortran_order'"),
             *shape = value_of(text, "'shape'");
  int rank = 0;
  size_t count = 0;
  rbv_status status =
      type && order && shape ? RBV_OK : refuse(c, a, "its description cannot be read");
  if (status == RBV_OK && !*name && strncmp(type, "'|O'", 4) == 0)
    status = refuse(c, a, "it has Python objects; save arrays of numbers");
  // texts and objects beside the numbers, such as names of joints, are skipped
  if (status == RBV_OK && *name && type[0] == '\'' && type[1] && strchr("USO", type[2])) {
    rbv_free(text);
    rbv_free(own);
    c->narray--;
    return RBV_OK;
  }
  if (status == RBV_OK) status = parse_fields(c, a, type);
  if (status == RBV_OK) {
    a->fortran = strncmp(order, "True", 4) == 0;
    count = parse_shape(a->shape, &rank, &shape);
    if (count == 0) a->shape[0] = a->shape[1] = 0;  // empty, or not understood
    if (rank > 2) status = refuse(c, a, "it has more than two dimensions");
  }
  rbv_free(text);
  if (status != RBV_OK) return status;
  // the file must have all numbers that the shape states
  size_t bytes;
  if (__builtin_mul_overflow(count, a->record, &bytes) || bytes > size - begin - length)
    return cut_off(c);
  a->data = data + begin + length;
  return RBV_OK;
}

/* ---- archives ---- */

static uint64_t little(const uint8_t *p, int bytes) {
  uint64_t x = 0;
  for (int i = bytes - 1; i >= 0; i--) x = x << 8 | p[i];
  return x;
}

/* Sizes beyond 4 GB stand in an extra field (number 1) of the entry. */
static void read_zip64(uint64_t *size, uint64_t *packed, uint64_t *at, const uint8_t *extra,
                       size_t n) {
  uint64_t *const values[] = {size, packed, at};
  while (n >= 4) {
    const size_t id = (size_t)little(extra, 2), length = (size_t)little(extra + 2, 2);
    if (length > n - 4) return;
    if (id == 1) {
      const uint8_t *p = extra + 4;
      for (int i = 0; i < 3; i++)
        if (*values[i] == 0xFFFFFFFF && p + 8 <= extra + 4 + length) {
          *values[i] = little(p, 8);
          p += 8;
        }
    }
    extra += 4 + length;
    n -= 4 + length;
  }
}

static rbv_status read_entry(contents *c, const uint8_t *data, size_t size, const uint8_t *entry,
                             size_t nname, size_t nextra) {
  uint64_t unpacked_size = little(entry + 24, 4), packed = little(entry + 20, 4);
  uint64_t at = little(entry + 42, 4);
  read_zip64(&unpacked_size, &packed, &at, entry + 46 + nname, nextra);
  const int method = (int)little(entry + 10, 2);
  char name[100];
  snprintf(name, sizeof name, "%.*s", (int)(nname < 90 ? nname : 90), (const char *)entry + 46);
  if (!name_ends_with(name, ".npy")) return RBV_OK;
  name[strlen(name) - 4] = 0;
  if (at > size || size - at < 30) return cut_off(c);
  const size_t skip_bytes =
      30 + (size_t)little(data + at + 26, 2) + (size_t)little(data + at + 28, 2);
  if (skip_bytes > size - at || packed > size - at - skip_bytes) return cut_off(c);
  const uint8_t *bytes = data + at + skip_bytes;
  if (method == 0) return read_array(c, name, NULL, bytes, (size_t)packed);
  if (method != 8)
    return rbv_fail(RBV_EINPUT, "%s: array %s: its compression is not supported", c->path, name);
  unpacked u = {0};
  const rbv_status status = unpack(&u, PACKED_DEFLATE, c->path, bytes, (size_t)packed, MOST_ARRAY);
  if (status != RBV_OK) {
    unpacked_free(&u);
    return status;
  }
  return read_array(c, name, u.data, u.data, u.size);
}

/* The directory of a ZIP archive is at its end. */
static rbv_status read_archive(contents *c, const uint8_t *data, size_t size) {
  if (size < 22) return cut_off(c);
  size_t end = size - 22;
  while (end > 0 && memcmp(data + end, "PK\x05\x06", 4) != 0 && size - end < 66000) end--;
  if (memcmp(data + end, "PK\x05\x06", 4) != 0) return cut_off(c);
  size_t at = (size_t)little(data + end + 16, 4);
  for (int i = 0; i < MOST_ARRAYS; i++) {
    if (at > size || size - at < 46 || memcmp(data + at, "PK\x01\x02", 4) != 0) break;
    const uint8_t *entry = data + at;
    const size_t nname = (size_t)little(entry + 28, 2), nextra = (size_t)little(entry + 30, 2);
    const size_t length = 46 + nname + nextra + (size_t)little(entry + 32, 2);
    if (length > size - at) return cut_off(c);
    RBV_TRY(read_entry(c, data, size, entry, nname, nextra));
    at += length;
  }
  if (c->narray == 0)
    return rbv_fail(RBV_EINPUT,
                    "%s: the ZIP archive has no arrays of NumPy; a spreadsheet must be exported as "
                    "CSV",
                    c->path);
  return RBV_OK;
}

static void free_contents(contents *c) {
  for (int i = 0; i < c->narray; i++) {
    rbv_free(c->arrays[i].fields);
    rbv_free(c->arrays[i].own);
  }
  rbv_free(c->arrays);
}

/* ---- columns ---- */

static size_t longest(const array *a) {
  return a->shape[0] > a->shape[1] ? a->shape[0] : a->shape[1];
}

/* The number of samples: that of t, else of the longest array. */
static size_t count_samples(const contents *c) {
  size_t n = 0;
  for (int i = 0; i < c->narray; i++) {
    if (strcmp(c->arrays[i].name, "t") == 0 || strcmp(c->arrays[i].name, "time") == 0)
      return longest(&c->arrays[i]);
    if (longest(&c->arrays[i]) > n) n = longest(&c->arrays[i]);
  }
  return n;
}

static double number_at(const uint8_t *p, const number_type *t) {
  uint64_t x = 0;
  for (int i = 0; i < t->bytes; i++) x = x << 8 | p[t->big ? i : t->bytes - 1 - i];
  if (t->kind == 'u' || t->kind == 'b') return (double)x;
  if (t->kind == 'i') {
    const int shift = 64 - 8 * t->bytes;
    return (double)((int64_t)(x << shift) >> shift);
  }
  if (t->bytes == 8) {
    double y;
    memcpy(&y, &x, sizeof y);
    return y;
  }
  if (t->bytes == 4) {
    const uint32_t bits = (uint32_t)x;
    float y;
    memcpy(&y, &bits, sizeof y);
    return (double)y;
  }
  // half precision
  const int exponent = (int)(x >> 10 & 31), fraction = (int)(x & 1023);
  double y = exponent == 0 ? fraction / 16777216.0 : 0;
  if (exponent > 0 && exponent < 31) {
    y = 1 + fraction / 1024.0;
    for (int i = exponent; i < 15; i++) y /= 2;
    for (int i = 15; i < exponent; i++) y *= 2;
  }
  if (exponent == 31) y = fraction ? __builtin_nan("") : __builtin_inf();
  return x >> 15 ? -y : y;
}

/* Columns that an array gives, with their names and values if the table has room for them. */
static rbv_status add_columns(table *t, size_t *count, const contents *c, const array *a,
                              size_t n) {
  // a single array has no name
  const bool across = a->shape[0] != n && a->shape[1] == n;
  const size_t width = across ? a->shape[0] : a->shape[1];
  if (longest(a) == 0 || (a->shape[0] != n && a->shape[1] != n)) return RBV_OK;
  for (int f = 0; f < a->nfield; f++) {
    const field *of = &a->fields[f];
    const char *name = *of->name ? of->name : a->name;
    int joint;
    const rbv_channel channel = rbv_channel_parse(&joint, name);
    const bool stem = channel != RBV_CHANNEL_OTHER && channel != RBV_CHANNEL_TIME &&
                      strcmp(name, rbv_channel_name(channel)) == 0;
    const size_t parts = width * of->length;
    if (parts > MOST_COLUMNS - *count)
      return rbv_fail(RBV_EINPUT, "%s: more than %d columns", c->path, MOST_COLUMNS);
    for (size_t i = 0; i < parts; i++, ++*count) {
      if (!t) continue;
      char text[160];
      if (stem)
        snprintf(text, sizeof text, "%s%zu", name, i + 1);
      else if (parts > 1)
        snprintf(text, sizeof text, "%s[%zu]", name, i);
      else
        snprintf(text, sizeof text, "%s", name);
      if (!(t->names[t->ncol] = rbv_strdup(text))) return RBV_EMEM;
      double *to = t->values + t->ncol * t->ld;
      t->ncol++;
      const size_t column = i / of->length, part = i % of->length;
      for (size_t k = 0; k < n; k++) {
        const size_t row = across ? column : k, col = across ? k : column;
        const size_t index = a->fortran ? row + col * a->shape[0] : row * a->shape[1] + col;
        to[k] = number_at(a->data + index * a->record + of->at + part * (size_t)of->type.bytes,
                          &of->type);
      }
    }
  }
  return RBV_OK;
}

static rbv_status fill_table(table *t, const contents *c) {
  const size_t n = count_samples(c);
  size_t count = 0, none = 0;
  for (int i = 0; i < c->narray; i++) RBV_TRY(add_columns(NULL, &count, c, &c->arrays[i], n));
  if (n == 0 || count == 0)
    return rbv_fail(RBV_EINPUT, "%s: no rows: the arrays are empty", c->path);
  t->rows = (ptrdiff_t)n;
  t->ld = table_stride(t->rows);
  t->names = rbv_alloc(sizeof *t->names * count);
  t->values = rbv_alloc(sizeof *t->values * (size_t)t->ld * count);
  if (!t->names || !t->values) return RBV_EMEM;
  for (int i = 0; i < c->narray; i++) RBV_TRY(add_columns(t, &none, c, &c->arrays[i], n));
  return RBV_OK;
}

static rbv_status read_file(contents *c, uint8_t **data, const char *path) {
  size_t size, whole;
  *c = (contents){.path = path};
  RBV_TRY(file_bytes(data, &size, &whole, path, WHOLE));
  c->arrays = rbv_alloc(sizeof *c->arrays * (MOST_ARRAYS + 1));
  if (!c->arrays) return RBV_EMEM;
  if (size >= 2 && memcmp(*data, "PK", 2) == 0) return read_archive(c, *data, size);
  return read_array(c, "", NULL, *data, size);
}

rbv_status numpy_table(table *t, const char *path, const wanted_columns *want) {
  (void)want;
  *t = (table){0};
  contents c;
  uint8_t *data = NULL;
  rbv_status status = read_file(&c, &data, path);
  if (status == RBV_OK) status = fill_table(t, &c);
  // the columns of one plain array have no names
  if (status == RBV_OK && c.narray == 1 && !*c.arrays[0].name && !*c.arrays[0].fields[0].name) {
    names_free(t->names, t->ncol);
    t->names = NULL;
  }
  free_contents(&c);
  rbv_free(data);
  if (status != RBV_OK) table_free(t);
  return status;
}

rbv_status numpy_bytes(size_t *out, const char *path) {
  *out = 0;
  contents c;
  uint8_t *data = NULL;
  rbv_status status = read_file(&c, &data, path);
  size_t count = 0;
  const size_t n = status == RBV_OK ? count_samples(&c) : 0;
  for (int i = 0; i < c.narray && status == RBV_OK; i++)
    status = add_columns(NULL, &count, &c, &c.arrays[i], n);
  *out = sizeof(double) * n * count;
  free_contents(&c);
  rbv_free(data);
  return status;
}

bool npy_recognises(const char *path, const char *head, size_t size) {
  (void)path;
  return size >= 6 && memcmp(head, "\x93NUMPY", 6) == 0;
}

bool npz_recognises(const char *path, const char *head, size_t size) {
  // the first file of the archive is an array, or the name says so
  return size >= 30 && memcmp(head, "PK\x03\x04", 4) == 0 &&
         (name_ends_with(path, ".npz") ||
          (size > 40 && memmem(head + 30, size - 30 < 100 ? size - 30 : 100, ".npy", 4)));
}
