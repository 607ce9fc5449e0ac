#include "log/numpy_file.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/support.h"
#include "log/file_bytes.h"
#include "log/table.h"

#define MOST_COLUMNS 100000
#define MOST_FIELDS 2000
#define MOST_ARRAYS 1000
#define MOST_DESCRIPTION ((size_t)1 << 20)  // bytes
#define MOST_TAIL 66000                     // bytes that the end of an archive is looked for in
#define WHOLE ((size_t)-1 / 2)

static rbv_status refuse(const numpy_file *f, const numpy_array *a, const char *what) {
  return rbv_fail(RBV_EINPUT, "%s: array %s: %s", f->path, a->name, what);
}

static rbv_status cut_off(const numpy_file *f) {
  return rbv_fail(RBV_EINPUT, "%s: the file is truncated or damaged", f->path);
}

rbv_status numpy_file_read(void *to, size_t n, const numpy_file *f, const numpy_array *a,
                           size_t after) {
  return file_read(to, n, a->packed ? f->unpacked.file : f->file, a->at + after, f->path);
}

/* ---- arrays ---- */

static bool parse_type(numpy_number *t, const char *text, size_t n) {
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

/* Give back the room for more fields. */
static rbv_status shrink_fields(numpy_array *a) {
  const size_t size = sizeof *a->fields;
  numpy_field *fields = rbv_realloc(a->fields, size * MOST_FIELDS, size * (size_t)a->nfield);
  if (!fields) return RBV_EMEM;
  a->fields = fields;
  return RBV_OK;
}

/* [('t', '<f8'), ('q', '<f8', (6,)), ...] or '<f8' */
static rbv_status parse_fields(numpy_file *f, numpy_array *a, const char *p) {
  static const char *const kinds = "its type of numbers is not supported; use float64";
  size_t n;
  a->fields = rbv_alloc(sizeof *a->fields * MOST_FIELDS);
  if (!a->fields) return RBV_EMEM;
  if (*p != '[') {
    const char *type = quoted(&n, &p);
    if (!type || !parse_type(&a->fields[0].type, type, n)) return refuse(f, a, kinds);
    a->fields[0].length = 1;
    a->nfield = 1;
    a->record = (size_t)a->fields[0].type.bytes;
    return shrink_fields(a);
  }
  p++;
  for (;;) {
    skip(&p, ", ");
    if (*p == ']') break;
    if (*p++ != '(' || a->nfield == MOST_FIELDS) return refuse(f, a, "its fields cannot be read");
    numpy_field *at = &a->fields[a->nfield];
    const char *name = quoted(&n, &p);
    if (!name || n >= sizeof at->name) return refuse(f, a, "its fields cannot be read");
    snprintf(at->name, sizeof at->name, "%.*s", (int)n, name);
    skip(&p, ", ");
    const char *type = quoted(&n, &p);
    if (!type || !parse_type(&at->type, type, n)) return refuse(f, a, kinds);
    skip(&p, ", ");
    at->length = 1;
    size_t shape[2];
    int rank;
    if (*p == '(') at->length = parse_shape(shape, &rank, &p);
    if (*p++ != ')' || at->length == 0 || at->length > MOST_COLUMNS)
      return refuse(f, a, "its fields cannot be read");
    at->at = a->record;
    a->record += at->length * (size_t)at->type.bytes;
    a->nfield++;
  }
  if (a->nfield == 0) return refuse(f, a, "it has no fields");
  return shrink_fields(a);
}

/* The text behind a key of the header. */
static const char *value_of(const char *text, const char *key) {
  const char *p = strstr(text, key);
  if (!p) return NULL;
  p += strlen(key);
  skip(&p, ": ");
  return p;
}

/* The description of an array, of which size bytes are there: a text. *length are the bytes up to
 * the first number. */
static rbv_status read_text(char **out, size_t *length, const numpy_file *f, const numpy_array *a,
                            size_t size) {
  uint8_t head[12];
  *out = NULL;
  if (size >= sizeof head) RBV_TRY(numpy_file_read(head, sizeof head, f, a, 0));
  if (size < sizeof head || memcmp(head, "\x93NUMPY", 6) != 0)
    return refuse(f, a, "it is not an array of NumPy");
  const bool is_long = head[6] >= 2;
  const size_t begin = is_long ? 12 : 10;
  const size_t n =
      head[8] + 256u * head[9] + (is_long ? 65536u * head[10] + 16777216u * (size_t)head[11] : 0);
  if (n > size - begin) return cut_off(f);
  if (n > MOST_DESCRIPTION) return refuse(f, a, "its description is too long");
  *length = begin + n;
  *out = rbv_alloc(n + 1);
  const rbv_status status = *out ? numpy_file_read(*out, n, f, a, begin) : RBV_EMEM;
  if (status != RBV_OK) rbv_free(*out);
  return status;
}

/* The type, order and shape of an array. *count is the number of its records; texts and objects
 * beside the numbers of an archive, such as names of joints, are skipped. */
static rbv_status parse_text(size_t *count, bool *skipped, numpy_file *f, numpy_array *a,
                             const char *text) {
  const char *type = value_of(text, "'descr'"), *order = value_of(text, "'fortran_order'"),
             *shape = value_of(text, "'shape'");
  *skipped = false;
  if (!type || !order || !shape) return refuse(f, a, "its description cannot be read");
  if (!*a->name && strncmp(type, "'|O'", 4) == 0)
    return refuse(f, a, "it has Python objects; save arrays of numbers");
  *skipped = *a->name && type[0] == '\'' && type[1] && strchr("USO", type[2]);
  if (*skipped) return RBV_OK;
  RBV_TRY(parse_fields(f, a, type));
  int rank;
  a->fortran = strncmp(order, "True", 4) == 0;
  *count = parse_shape(a->shape, &rank, &shape);
  if (*count == 0) a->shape[0] = a->shape[1] = 0;  // empty, or not understood
  return rank > 2 ? refuse(f, a, "it has more than two dimensions") : RBV_OK;
}

/* Add an array, of which size bytes begin at a place. */
static rbv_status add_array(numpy_file *f, const char *name, bool packed, size_t at, size_t size,
                            numpy_use use) {
  numpy_array *a = &f->arrays[f->narray++];
  *a = (numpy_array){.packed = packed, .at = at};
  snprintf(a->name, sizeof a->name, "%.90s", name);
  char *text;
  size_t length = 0, count = 0, bytes;
  bool skipped;
  RBV_TRY(read_text(&text, &length, f, a, size));
  const rbv_status status = parse_text(&count, &skipped, f, a, text);
  rbv_free(text);
  if (status != RBV_OK) return status;
  if (skipped) {
    f->narray--;
    return RBV_OK;
  }
  // the file must have all numbers that the shape states
  const bool known = !packed || use != NUMPY_DESCRIPTIONS;
  if (__builtin_mul_overflow(count, a->record, &bytes) || (known && bytes > size - length))
    return cut_off(f);
  a->at += length;
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

/* Add an array of an archive. name and extra follow the first 46 bytes of the entry. */
static rbv_status add_entry(numpy_file *f, const uint8_t *entry, size_t nname, size_t nextra,
                            numpy_use use) {
  uint64_t unpacked_size = little(entry + 24, 4), packed = little(entry + 20, 4);
  uint64_t at = little(entry + 42, 4);
  read_zip64(&unpacked_size, &packed, &at, entry + 46 + nname, nextra);
  const int method = (int)little(entry + 10, 2);
  char name[100];
  snprintf(name, sizeof name, "%.*s", (int)(nname < 90 ? nname : 90), (const char *)entry + 46);
  if (!name_ends_with(name, ".npy")) return RBV_OK;
  name[strlen(name) - 4] = 0;
  uint8_t head[30];
  if (at > f->size || f->size - at < sizeof head) return cut_off(f);
  RBV_TRY(file_read(head, sizeof head, f->file, at, f->path));
  const size_t skipped = sizeof head + (size_t)little(head + 26, 2) + (size_t)little(head + 28, 2);
  if (skipped > f->size - at || packed > f->size - at - skipped) return cut_off(f);
  at += skipped;
  if (method == 0) return add_array(f, name, false, at, packed, use);
  if (method != 8)
    return rbv_fail(RBV_EINPUT, "%s: array %s: its compression is not supported", f->path, name);
  const size_t begin = f->unpacked.size;
  RBV_TRY(spool_unpack(&f->unpacked, PACKED_DEFLATE, f->path,
                       &(packed_bytes){.file = f->file, .at = at, .size = packed},
                       use == NUMPY_DESCRIPTIONS ? MOST_DESCRIPTION : SIZE_MAX));
  return add_array(f, name, true, begin, f->unpacked.size - begin, use);
}

/* The place of the directory, which the end of an archive states. */
static rbv_status find_directory(size_t *out, const numpy_file *f) {
  const size_t n = f->size < MOST_TAIL ? f->size : MOST_TAIL, from = f->size - n;
  if (n < 22) return cut_off(f);
  uint8_t *tail = rbv_alloc(n);
  if (!tail) return RBV_EMEM;
  rbv_status status = file_read(tail, n, f->file, from, f->path);
  size_t end = n - 22;
  while (end > 0 && memcmp(tail + end, "PK\x05\x06", 4) != 0) end--;
  if (status == RBV_OK && memcmp(tail + end, "PK\x05\x06", 4) != 0) status = cut_off(f);
  *out = (size_t)little(tail + end + 16, 4);
  // beyond 4 GB it stands in another record, whose place is stated before this one
  uint8_t large[56] = {0};
  size_t at = f->size;
  if (*out == 0xFFFFFFFF && end >= 20 && memcmp(tail + end - 20, "PK\x06\x07", 4) == 0)
    at = (size_t)little(tail + end - 12, 8);
  if (status == RBV_OK && at < f->size && f->size - at >= sizeof large)
    status = file_read(large, sizeof large, f->file, at, f->path);
  if (memcmp(large, "PK\x06\x06", 4) == 0) *out = (size_t)little(large + 48, 8);
  rbv_free(tail);
  return status;
}

static rbv_status read_archive(numpy_file *f, numpy_use use) {
  size_t at = 0;
  RBV_TRY(find_directory(&at, f));
  for (int i = 0; i < MOST_ARRAYS; i++) {
    uint8_t head[46];
    if (at > f->size || f->size - at < sizeof head) break;
    RBV_TRY(file_read(head, sizeof head, f->file, at, f->path));
    if (memcmp(head, "PK\x01\x02", 4) != 0) break;
    const size_t nname = (size_t)little(head + 28, 2), nextra = (size_t)little(head + 30, 2);
    const size_t length = sizeof head + nname + nextra + (size_t)little(head + 32, 2);
    if (length > f->size - at) return cut_off(f);
    uint8_t *entry = rbv_alloc(length);
    rbv_status status = entry ? file_read(entry, length, f->file, at, f->path) : RBV_EMEM;
    if (status == RBV_OK) status = add_entry(f, entry, nname, nextra, use);
    rbv_free(entry);
    if (status != RBV_OK) return status;
    at += length;
  }
  if (f->narray > 0) return RBV_OK;
  return rbv_fail(RBV_EINPUT,
                  "%s: the ZIP archive has no arrays of NumPy; a spreadsheet must be exported as "
                  "CSV",
                  f->path);
}

/* ---- files ---- */

void numpy_file_close(numpy_file *f) {
  for (int i = 0; i < f->narray; i++) rbv_free(f->arrays[i].fields);
  rbv_free(f->arrays);
  spool_close(&f->unpacked);
  if (f->file >= 0) close(f->file);
  rbv_free(f->path);
}

rbv_status numpy_file_open(numpy_file *f, const char *path, numpy_use use) {
  *f = (numpy_file){.file = -1, .unpacked = spool_new(use != NUMPY_WHOLE)};
  f->path = rbv_strdup(path);
  f->arrays = rbv_alloc(sizeof *f->arrays * (MOST_ARRAYS + 1));
  if (!f->path || !f->arrays) return RBV_EMEM;
  RBV_TRY(file_open(&f->file, &f->size, path));
  char head[2] = {0};
  if (f->size >= sizeof head) RBV_TRY(file_read(head, sizeof head, f->file, 0, path));
  if (memcmp(head, "PK", 2) == 0) return read_archive(f, use);
  return add_array(f, "", false, 0, f->size, use);
}
