#include "log/parquet_file.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/support.h"
#include "log/file_bytes.h"
#include "log/thrift.h"

#define MAGIC "PAR1"
#define MOST_FOOTER ((size_t)1 << 28)
#define MOST_LEAVES 100000
#define DEEPEST 8         // groups inside groups
#define LONGEST_NAME 200  // bytes

static rbv_status refuse(const parquet_file *f, const char *what) {
  return rbv_fail(RBV_EINPUT, "%s: the Parquet file is damaged: %s", f->path, what);
}

/* ---- schema ---- */

/* One entry of the schema, a group or a column. */
typedef struct {
  int type, repetition, children;
  const char *name;
  size_t size;
  double tick;
  bool is_unsigned, is_number, is_list;
} entry;

enum { REQUIRED, OPTIONAL, REPEATED };

/* A field of a structure that is one choice of several: its number, or 0. */
static int choice(thrift *t, const thrift_field *f, thrift_field *inside) {
  *inside = (thrift_field){0};
  if (f->type != THRIFT_STRUCT) {
    thrift_skip(t, f);
    return 0;
  }
  return thrift_next(t, inside) ? inside->id : 0;
}

/* The rest of a structure. */
static void finish(thrift *t, thrift_field *f) {
  while (thrift_next(t, f)) thrift_skip(t, f);
}

/* The unit of a time stamp in seconds: 1 milliseconds, 2 microseconds, 3 nanoseconds. */
static double tick_of(int unit) {
  static const double ticks[] = {0, 1e-3, 1e-6, 1e-9};
  return unit > 0 && unit < RBV_COUNT(ticks) ? ticks[unit] : 0;
}

static void read_logical_type(entry *e, thrift *t, const thrift_field *f) {
  thrift_field of, part = {0}, unit;
  const int kind = choice(t, f, &of);
  if (kind == 0) return;
  if ((kind == 7 || kind == 8) && of.type == THRIFT_STRUCT) {
    while (thrift_next(t, &part)) {
      if (part.id != 2) {
        thrift_skip(t, &part);
        continue;
      }
      const int which = choice(t, &part, &unit);
      if (which == 0) continue;
      e->tick = tick_of(which);
      thrift_skip(t, &unit);
      finish(t, &unit);
    }
  } else {
    if (kind == 5) e->is_number = false;  // decimal
    e->is_list |= kind == 3;
    thrift_skip(t, &of);
  }
  finish(t, &of);
}

static void read_converted_type(entry *e, int converted) {
  e->is_list |= converted == 3;
  e->is_unsigned = converted >= 11 && converted <= 14;
  if (converted == 5) e->is_number = false;  // decimal
  if (converted == 7 || converted == 9) e->tick = 1e-3;
  if (converted == 8 || converted == 10) e->tick = 1e-6;
}

static entry read_entry(thrift *t) {
  entry e = {.type = -1, .name = "", .is_number = true};
  thrift_field f = {0};
  while (thrift_next(t, &f)) switch (f.id) {
      case 1: e.type = (int)thrift_number(t, &f); break;
      case 3: e.repetition = (int)thrift_number(t, &f); break;
      case 4: e.name = thrift_text(t, &f, &e.size); break;
      case 5: e.children = (int)thrift_number(t, &f); break;
      case 6: read_converted_type(&e, (int)thrift_number(t, &f)); break;
      case 10: read_logical_type(&e, t, &f); break;
      default: thrift_skip(t, &f);
    }
  return e;
}

/* A group that is open while the schema is read. */
typedef struct {
  int left;  // entries
  size_t name;
  int repetition, definition, element;
  int unnamed;  // so many names further inside are those of the format
} level;

typedef struct {
  parquet_file *f;
  level open[DEEPEST + 1];
  int depth;
  char name[LONGEST_NAME + 1];
  int room;
} schema;

/* The level of an entry inside the open group. The two groups inside a list have names of the
 * format, which are left out. */
static level enter(schema *s, const entry *e) {
  level l = s->open[s->depth];
  l.left = e->children;
  l.definition += e->repetition != REQUIRED;
  l.repetition += e->repetition == REPEATED;
  if (e->repetition == REPEATED) l.element = l.definition;
  if (l.unnamed > 0) {
    l.unnamed--;
  } else {
    const size_t room = LONGEST_NAME - l.name, n = e->size < room ? e->size : room;
    const int written = snprintf(s->name + l.name, room + 1, "%s%.*s", l.name && room ? "." : "",
                                 (int)(n > 0 && l.name ? n - 1 : n), e->name);
    l.name += written > 0 ? (size_t)written < room ? (size_t)written : room : 0;
  }
  if (e->is_list) l.unnamed = 2;
  s->name[l.name] = 0;
  return l;
}

static bool is_readable(const entry *e, const level *l) {
  const bool known = e->type == PARQUET_BOOLEAN || e->type == PARQUET_INT32 ||
                     e->type == PARQUET_INT64 || e->type == PARQUET_FLOAT ||
                     e->type == PARQUET_DOUBLE;
  return known && e->is_number && l->repetition <= 1;
}

static rbv_status add_leaf(schema *s, const entry *e, const level *l) {
  parquet_file *f = s->f;
  if (f->nplace == MOST_LEAVES) return refuse(f, "it has too many columns");
  const int place = f->nplace++;
  if (!is_readable(e, l)) return RBV_OK;
  if (f->nleaf == s->room) {
    const int room = s->room ? 2 * s->room : 16;
    parquet_leaf *more =
        rbv_realloc(f->leaves, sizeof *more * (size_t)s->room, sizeof *more * (size_t)room);
    if (!more) return RBV_EMEM;
    f->leaves = more;
    s->room = room;
  }
  f->leaves[f->nleaf++] = (parquet_leaf){.name = rbv_strndup(s->name, l->name),
                                         .place = place,
                                         .type = (parquet_type)e->type,
                                         .is_unsigned = e->is_unsigned,
                                         .tick = e->type == PARQUET_INT64 ? e->tick : 0,
                                         .repetition = l->repetition,
                                         .definition = l->definition,
                                         .element = l->element,
                                         .width = 1};
  return f->leaves[f->nleaf - 1].name ? RBV_OK : RBV_EMEM;
}

static rbv_status read_schema(parquet_file *f, thrift *t, const thrift_field *field) {
  int type;
  const size_t n = thrift_list(t, field, &type);
  if (n == 0 || type != THRIFT_STRUCT || f->nplace > 0) return refuse(f, "its schema");
  schema s = {.f = f};
  s.open[0].left = read_entry(t).children;
  for (size_t i = 1; i < n && !t->bad; i++) {
    while (s.depth > 0 && s.open[s.depth].left == 0) s.depth--;
    if (s.open[s.depth].left-- <= 0) return refuse(f, "its schema");
    const entry e = read_entry(t);
    const level l = enter(&s, &e);
    if (e.children < 0 || (e.children > 0 && s.depth == DEEPEST))
      return refuse(f, "groups of its schema");
    if (e.children > 0)
      s.open[++s.depth] = l;
    else
      RBV_TRY(add_leaf(&s, &e, &l));
  }
  return RBV_OK;
}

/* ---- groups of rows ---- */

/* The place of the values of a column: they begin with the dictionary, if there is one. */
static rbv_status read_chunk(parquet_chunk *c, const parquet_file *f, const parquet_leaf *leaf,
                             thrift *t) {
  int64_t type = -1, codec = -1, values = -1, size = -1, data = -1, dictionary = 0;
  bool elsewhere = false, inside = false;
  thrift_field of = {0};
  while (thrift_next(t, &of)) {
    elsewhere |= of.id == 1;
    inside = of.id == 3 && of.type == THRIFT_STRUCT;
    if (!inside) {
      thrift_skip(t, &of);
      continue;
    }
    thrift_field m = {0};
    while (thrift_next(t, &m)) switch (m.id) {
        case 1: type = thrift_number(t, &m); break;
        case 4: codec = thrift_number(t, &m); break;
        case 5: values = thrift_number(t, &m); break;
        case 7: size = thrift_number(t, &m); break;
        case 9: data = thrift_number(t, &m); break;
        case 11: dictionary = thrift_number(t, &m); break;
        default: thrift_skip(t, &m);
      }
  }
  if (!leaf) return RBV_OK;
  if (elsewhere)
    return rbv_fail(RBV_EINPUT, "%s: column %s is in another file", f->path, leaf->name);
  const int64_t at = dictionary > 0 && dictionary < data ? dictionary : data;
  if (type != (int64_t)leaf->type || values < 0 || values > parquet_most_numbers(f) || size < 0 ||
      at < 4 || at > (int64_t)f->size || size > (int64_t)f->size - at)
    return refuse(f, "the place of a column");
  *c = (parquet_chunk){(int)codec, (size_t)at, (size_t)size, (ptrdiff_t)values};
  return RBV_OK;
}

static rbv_status read_group(parquet_file *f, thrift *t, int group, int64_t *rows) {
  thrift_field of = {0};
  int columns = 0;
  *rows = -1;
  while (thrift_next(t, &of)) {
    if (of.id == 3) {
      *rows = thrift_number(t, &of);
    } else if (of.id == 1) {
      int type, leaf = 0;
      const size_t n = thrift_list(t, &of, &type);
      if (type != THRIFT_STRUCT || n != (size_t)f->nplace) return refuse(f, "a group of rows");
      for (; columns < f->nplace; columns++) {
        const bool wanted = leaf < f->nleaf && f->leaves[leaf].place == columns;
        RBV_TRY(read_chunk(&f->chunks[leaf + (ptrdiff_t)group * f->nleaf], f,
                           wanted ? &f->leaves[leaf] : NULL, t));
        leaf += wanted;
      }
    } else {
      thrift_skip(t, &of);
    }
  }
  if (*rows < 0 || columns != f->nplace) return refuse(f, "a group of rows");
  return RBV_OK;
}

static rbv_status read_groups(parquet_file *f, thrift *t, const thrift_field *field) {
  int type;
  const size_t n = thrift_list(t, field, &type);
  if (f->first || f->nplace == 0 || (n > 0 && type != THRIFT_STRUCT))
    return refuse(f, "its groups of rows");
  // a group has at least a byte per column
  if (n > (size_t)(t->end - t->at) / (size_t)f->nplace + 1) return refuse(f, "its groups of rows");
  f->first = rbv_alloc(sizeof *f->first * (n + 1));
  f->chunks = rbv_alloc(sizeof *f->chunks * (n * (size_t)f->nleaf + 1));
  if (!f->first || !f->chunks) return RBV_EMEM;
  for (f->ngroup = 0; (size_t)f->ngroup < n; f->ngroup++) {
    int64_t rows;
    RBV_TRY(read_group(f, t, f->ngroup, &rows));
    // so that the numbers of all columns can be counted
    if (rows > parquet_most_numbers(f) - f->first[f->ngroup])
      return refuse(f, "it has more rows than its bytes can hold");
    f->first[f->ngroup + 1] = f->first[f->ngroup] + (ptrdiff_t)rows;
  }
  return RBV_OK;
}

/* ---- files ---- */

static rbv_status read_footer(parquet_file *f, const uint8_t *data, size_t size) {
  thrift t = {data, data + size, false};
  thrift_field of = {0};
  while (thrift_next(&t, &of)) switch (of.id) {
      case 2: RBV_TRY(read_schema(f, &t, &of)); break;
      case 4: RBV_TRY(read_groups(f, &t, &of)); break;
      default: thrift_skip(&t, &of);
    }
  if (t.bad || !f->first) return refuse(f, "its footer");
  if (f->nleaf == 0) return rbv_fail(RBV_EINPUT, "%s: no column has numbers", f->path);
  return RBV_OK;
}

rbv_status parquet_file_open(parquet_file *f, const char *path) {
  *f = (parquet_file){.file = -1};
  if (!(f->path = rbv_strdup(path))) return RBV_EMEM;
  RBV_TRY(file_open(&f->file, &f->size, path));
  uint8_t tail[8];
  if (f->size < 12) return rbv_fail(RBV_EINPUT, "%s: the file is truncated or damaged", path);
  RBV_TRY(file_read(tail, sizeof tail, f->file, f->size - 8, path));
  if (memcmp(tail + 4, MAGIC, 4) != 0)
    return rbv_fail(RBV_EINPUT, "%s: the file is truncated or damaged", path);
  const size_t n = tail[0] | (size_t)tail[1] << 8 | (size_t)tail[2] << 16 | (size_t)tail[3] << 24;
  if (n > f->size - 12 || n > MOST_FOOTER) return refuse(f, "the size of its footer");
  uint8_t *footer = rbv_alloc(n);
  if (!footer) return RBV_EMEM;
  rbv_status status = file_read(footer, n, f->file, f->size - 8 - n, path);
  if (status == RBV_OK) status = read_footer(f, footer, n);
  rbv_free(footer);
  return status;
}

void parquet_file_close(parquet_file *f) {
  for (int i = 0; i < f->nleaf; i++) rbv_free(f->leaves[i].name);
  RBV_FREE_ALL(f->leaves, f->first, f->chunks, f->path);
  if (f->file >= 0) close(f->file);
}

void parquet_file_keep(parquet_file *f, const bool *keep) {
  int kept = 0;
  const int n = f->nleaf;
  for (int i = 0; i < n; i++) kept += keep[i];
  for (int g = 0; g < f->ngroup; g++)
    for (int i = 0, to = 0; i < n; i++)
      if (keep[i]) f->chunks[to++ + (ptrdiff_t)g * kept] = f->chunks[i + (ptrdiff_t)g * n];
  for (int i = 0, to = 0; i < n; i++)
    if (keep[i])
      f->leaves[to++] = f->leaves[i];
    else
      rbv_free(f->leaves[i].name);
  f->nleaf = kept;
}
