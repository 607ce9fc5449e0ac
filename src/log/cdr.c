#include "log/cdr.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/support.h"

#define DEEPEST 16         // nested types
#define MOST_TYPES 200     // of a definition
#define MOST_MEMBERS 2000  // of all types of a definition
#define LONGEST_LIST 1000  // numbers; longer lists have no fields
#define LONGEST_BYTES 64   // the same for lists of bytes
#define MOST_FIELDS 20000  // of a message
#define ENCAPSULATION 4    // bytes before the message: its byte order
#define NAME 256

/* ---- types ---- */

typedef enum { ONE, FIXED, LIST } amount;

typedef struct {
  char *name;
  cdr_kind kind;
  amount amount;
  uint32_t length;  // FIXED
  int type;         // CDR_STRUCT: number of the type
} member;

typedef struct {
  char *name;  // "std_msgs/Header"
  int first, count;
} structure;

struct cdr_type {
  char *name;
  structure *types;  // the first is the message
  int ntype;
  member *members;
  int nmember;
};

static const struct {
  const char *name;
  cdr_kind kind;
} primitives[] = {
    {"bool", CDR_BOOL},       {"byte", CDR_UINT8},    {"char", CDR_UINT8},
    {"int8", CDR_INT8},       {"uint8", CDR_UINT8},   {"int16", CDR_INT16},
    {"uint16", CDR_UINT16},   {"int32", CDR_INT32},   {"uint32", CDR_UINT32},
    {"int64", CDR_INT64},     {"uint64", CDR_UINT64}, {"float32", CDR_FLOAT32},
    {"float64", CDR_FLOAT64}, {"string", CDR_STRING},
};

static size_t width_of(cdr_kind kind) {
  switch (kind) {
    case CDR_BOOL:
    case CDR_INT8:
    case CDR_UINT8: return 1;
    case CDR_INT16:
    case CDR_UINT16: return 2;
    case CDR_INT32:
    case CDR_UINT32:
    case CDR_FLOAT32:
    case CDR_TIME:
    case CDR_STRING:
    case CDR_STRUCT: return 4;
    case CDR_INT64:
    case CDR_UINT64:
    case CDR_FLOAT64: return 8;
  }
  return 1;
}

/* Types that older bags use without a definition. */
#define HEADER                                                                         \
  "================================================================================\n" \
  "MSG: std_msgs/Header\nbuiltin_interfaces/Time stamp\nstring frame_id\n"
#define POINT                                                                              \
  "================================================================================\n"     \
  "MSG: trajectory_msgs/JointTrajectoryPoint\nfloat64[] positions\nfloat64[] velocities\n" \
  "float64[] accelerations\nfloat64[] effort\nbuiltin_interfaces/Duration time_from_start\n"

static const struct {
  const char *name, *definition;
} built_in[] = {
    {"sensor_msgs/JointState",
     "std_msgs/Header header\nstring[] name\nfloat64[] position\nfloat64[] velocity\n"
     "float64[] effort\n" HEADER},
    {"control_msgs/JointTrajectoryControllerState",
     "std_msgs/Header header\nstring[] joint_names\n"
     "trajectory_msgs/JointTrajectoryPoint reference\n"
     "trajectory_msgs/JointTrajectoryPoint feedback\ntrajectory_msgs/JointTrajectoryPoint error\n"
     "trajectory_msgs/JointTrajectoryPoint output\n" POINT HEADER},
    // the same type before 2023
    {"control_msgs/JointTrajectoryControllerState",
     "std_msgs/Header header\nstring[] joint_names\n"
     "trajectory_msgs/JointTrajectoryPoint desired\n"
     "trajectory_msgs/JointTrajectoryPoint actual\n"
     "trajectory_msgs/JointTrajectoryPoint error\n" POINT HEADER},
    {"std_msgs/Float64MultiArray",
     "std_msgs/MultiArrayLayout layout\nfloat64[] data\n"
     "================================================================================\n"
     "MSG: std_msgs/MultiArrayLayout\nstd_msgs/MultiArrayDimension[] dim\nuint32 data_offset\n"
     "================================================================================\n"
     "MSG: std_msgs/MultiArrayDimension\nstring label\nuint32 size\nuint32 stride\n"},
    {"geometry_msgs/WrenchStamped",
     "std_msgs/Header header\ngeometry_msgs/Wrench wrench\n" HEADER
     "================================================================================\n"
     "MSG: geometry_msgs/Wrench\ngeometry_msgs/Vector3 force\ngeometry_msgs/Vector3 torque\n"
     "================================================================================\n"
     "MSG: geometry_msgs/Vector3\nfloat64 x\nfloat64 y\nfloat64 z\n"},
};

/* "sensor_msgs/msg/JointState" is "sensor_msgs/JointState". */
static void short_name(char out[NAME], const char *name, size_t n) {
  snprintf(out, NAME, "%.*s", (int)(n < NAME ? n : NAME - 1), name);
  char *middle = strstr(out, "/msg/");
  if (middle) memmove(middle, middle + 4, strlen(middle + 4) + 1);
}

void cdr_type_free(cdr_type *type) {
  if (!type) return;
  for (int i = 0; i < type->ntype; i++) rbv_free(type->types[i].name);
  for (int i = 0; i < type->nmember; i++) rbv_free(type->members[i].name);
  RBV_FREE_ALL(type->types, type->members, type->name, type);
}

static rbv_status bad_definition(const cdr_type *type, const char *what) {
  return rbv_fail(RBV_EINPUT, "the definition of %.100s cannot be read: %s", type->name, what);
}

static bool is_time(const char *name) {
  return strcmp(name, "builtin_interfaces/Time") == 0 || strcmp(name, "time") == 0;
}
static bool is_duration(const char *name) {
  return strcmp(name, "builtin_interfaces/Duration") == 0 || strcmp(name, "duration") == 0;
}

/* The number of a type by its name, relative to the package of another; -1: unknown. */
static int find_type(const cdr_type *t, const char *name, const char *beside) {
  char full[2 * NAME];
  const char *slash = strchr(beside, '/');
  if (strchr(name, '/') || !slash)
    snprintf(full, sizeof full, "%s", name);
  else
    snprintf(full, sizeof full, "%.*s/%s", (int)(slash - beside), beside, name);
  if (strcmp(name, "Header") == 0) snprintf(full, sizeof full, "std_msgs/Header");
  return RBV_FIND(t->types, t->ntype, name, full);
}

/* One line: TYPE NAME, perhaps with a default; constants have NAME=VALUE. Types are resolved
 * later: their name is kept in the name of the member, behind a zero. */
static rbv_status read_member(cdr_type *t, const char *line, size_t n) {
  const char *const end = line + n;
  const char *p = line;
  while (p < end && !isspace((unsigned char)*p)) p++;
  char type[NAME];
  const size_t type_size = (size_t)(p - line);
  if (type_size >= NAME) return bad_definition(t, "a type has a very long name");
  while (p < end && isspace((unsigned char)*p)) p++;
  const char *name = p;
  while (p < end && (isalnum((unsigned char)*p) || *p == '_')) p++;
  const size_t name_size = (size_t)(p - name);
  while (p < end && isspace((unsigned char)*p)) p++;
  if (p < end && *p == '=') return RBV_OK;  // a constant
  if (name_size == 0 || name_size > 100) return bad_definition(t, "a field has no name");
  if (t->nmember == MOST_MEMBERS) return bad_definition(t, "it has too many fields");

  // float64[], float64[9], float64[<=9], string<=10
  member m = {.type = -1};
  const char *bracket = memchr(line, '[', type_size);
  if (bracket) {
    const char *inside = bracket + 1;
    m.amount = isdigit((unsigned char)*inside) ? FIXED : LIST;
    while (m.amount == FIXED && isdigit((unsigned char)*inside) && m.length < 100000000)
      m.length = 10 * m.length + (uint32_t)(*inside++ - '0');
    if (m.length >= 100000000 || (m.amount == FIXED && m.length == 0) ||
        !memchr(inside, ']', (size_t)(line + type_size - inside)))
      return bad_definition(t, "a list has no valid length");
  }
  size_t base = bracket ? (size_t)(bracket - line) : type_size;
  const char *bound = memchr(line, '<', base);
  if (bound) base = (size_t)(bound - line);
  short_name(type, line, base);
  m.kind = CDR_STRUCT;
  for (int i = 0; i < RBV_COUNT(primitives); i++)
    if (strcmp(primitives[i].name, type) == 0) m.kind = primitives[i].kind;
  if (is_time(type) || is_duration(type)) m.kind = CDR_TIME;
  if (strcmp(type, "wstring") == 0) return bad_definition(t, "wide strings are not supported");

  // name, and the name of the type behind it
  const size_t length = strlen(type);
  m.name = rbv_alloc(name_size + 1 + length + 1);
  if (!m.name) return RBV_EMEM;
  memcpy(m.name, name, name_size);
  memcpy(m.name + name_size + 1, type, length);
  t->members[t->nmember++] = m;
  t->types[t->ntype - 1].count++;
  return RBV_OK;
}

static rbv_status add_type(cdr_type *t, const char *name, size_t n) {
  if (t->ntype == MOST_TYPES) return bad_definition(t, "it has too many types");
  while (n > 0 && isspace((unsigned char)name[n - 1])) n--;
  char plain[NAME];
  short_name(plain, name, n);
  structure *s = &t->types[t->ntype];
  s->name = rbv_strdup(plain);
  if (!s->name) return RBV_EMEM;
  s->first = t->nmember;
  t->ntype++;
  return RBV_OK;
}

/* No type may contain itself, or be nested too deeply. */
static bool is_finite(const cdr_type *t) {
  int depth[MOST_TYPES] = {0};
  bool changed = true;
  for (int pass = 0; pass <= DEEPEST && changed; pass++) {
    changed = false;
    for (int i = 0; i < t->ntype; i++)
      for (int k = 0; k < t->types[i].count; k++) {
        const member *m = &t->members[t->types[i].first + k];
        if (m->kind != CDR_STRUCT || depth[i] > depth[m->type]) continue;
        depth[i] = depth[m->type] + 1;
        changed = true;
      }
  }
  return !changed;
}

static rbv_status resolve(cdr_type *t) {
  for (int i = 0; i < t->ntype; i++)
    for (int k = 0; k < t->types[i].count; k++) {
      member *m = &t->members[t->types[i].first + k];
      if (m->kind != CDR_STRUCT) continue;
      const char *name = m->name + strlen(m->name) + 1;
      m->type = find_type(t, name, t->types[i].name);
      if (m->type < 0) {
        char what[NAME + 40];
        snprintf(what, sizeof what, "type '%.100s' is not defined", name);
        return bad_definition(t, what);
      }
    }
  return is_finite(t) ? RBV_OK : bad_definition(t, "its types are nested too deeply");
}

static rbv_status read_lines(cdr_type *t, const char *text, size_t size) {
  const char *const end = text + size;
  bool heading = false;
  RBV_TRY(add_type(t, t->name, strlen(t->name)));
  for (const char *p = text; p < end;) {
    const char *newline = memchr(p, '\n', (size_t)(end - p));
    const char *stop = newline ? newline : end, *line = p;
    p = newline ? newline + 1 : end;
    const char *comment = memchr(line, '#', (size_t)(stop - line));
    if (comment) stop = comment;
    while (line < stop && isspace((unsigned char)*line)) line++;
    while (stop > line && isspace((unsigned char)stop[-1])) stop--;
    if (line == stop) continue;
    if (stop - line >= 20 && memcmp(line, "====================", 20) == 0) {
      heading = true;
    } else if (heading) {
      if (stop - line < 6 || memcmp(line, "MSG: ", 5) != 0)
        return bad_definition(t, "a nested type has no name");
      RBV_TRY(add_type(t, line + 5, (size_t)(stop - line - 5)));
      heading = false;
    } else {
      RBV_TRY(read_member(t, line, (size_t)(stop - line)));
    }
  }
  return resolve(t);
}

rbv_status cdr_type_parse(cdr_type **out, const char *name, const char *text, size_t size) {
  *out = NULL;
  RBV_NEW(cdr_type, t, 1);
  t->name = rbv_strndup(name, strnlen(name, NAME - 1));
  t->types = rbv_alloc(sizeof *t->types * MOST_TYPES);
  t->members = rbv_alloc(sizeof *t->members * MOST_MEMBERS);
  const rbv_status status =
      t->name && t->types && t->members ? read_lines(t, text, size) : RBV_EMEM;
  RBV_GIVE(out, t, status, cdr_type_free(t));
}

rbv_status cdr_type_built_in(cdr_type **out, const char *name, int variant) {
  *out = NULL;
  char plain[NAME];
  short_name(plain, name, strlen(name));
  for (int i = 0; i < RBV_COUNT(built_in); i++)
    if (strcmp(built_in[i].name, plain) == 0 && variant-- == 0)
      return cdr_type_parse(out, name, built_in[i].definition, strlen(built_in[i].definition));
  return RBV_OK;
}

/* ---- layouts ---- */

/* Bytes that all messages of this layout have in common. */
typedef struct {
  size_t at, size;
} common;

struct cdr_layout {
  bool big;
  size_t size;  // bytes that are read
  cdr_field *fields;
  int nfield, field_room;
  common *same;
  int nsame, same_room;
  common
      *spans;  // the same with the small gaps between them, which mostly are padding: fewer calls
  int nspan;
  uint8_t *model;  // the message that the layout was computed from
};

/* Names for the elements of lists. */
typedef struct {
  uint32_t count;
  size_t at;  // first string
} labels;

typedef struct {
  const cdr_type *t;
  const uint8_t *data;
  size_t size, at;
  cdr_layout *out;
  char path[NAME];
  bool silent;  // inside a long list
} walk;

static uint64_t number_at(const uint8_t *p, size_t width, bool big) {
  uint64_t x = 0;
  if (big)
    for (size_t i = 0; i < width; i++) x = x << 8 | p[i];
  else
    memcpy(&x, p, width);  // this library runs on little-endian machines only, see below
  return x;
}

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "number_at needs a little-endian machine"
#endif

static rbv_status too_short(const walk *w) {
  return rbv_fail(RBV_EINPUT, "a message of type %.100s has %zu bytes and is too short", w->t->name,
                  w->size);
}

static void *grow(void *list, int count, int *room, size_t size) {
  if (count < *room) return list;
  const int more = *room ? 2 * *room : 32;
  void *larger = rbv_realloc(list, size * (size_t)count, size * (size_t)more);
  if (larger) *room = more;
  return larger;
}

static rbv_status keep_same(walk *w, size_t at, size_t size) {
  cdr_layout *l = w->out;
  if (l->nsame > 0 && l->same[l->nsame - 1].at + l->same[l->nsame - 1].size == at) {
    l->same[l->nsame - 1].size += size;
    return RBV_OK;
  }
  common *more = grow(l->same, l->nsame, &l->same_room, sizeof *more);
  if (!more) return RBV_EMEM;
  l->same = more;
  l->same[l->nsame++] = (common){at, size};
  return RBV_OK;
}

/* Move to a multiple of the width, counted from the end of the encapsulation, and over the bytes.
 */
static rbv_status take(size_t *at, walk *w, size_t width, size_t bytes) {
  const size_t place = w->at - ENCAPSULATION;
  const size_t start = ENCAPSULATION + (place + width - 1) / width * width;
  if (start > w->size || bytes > w->size - start) return too_short(w);
  *at = start;
  w->at = start + bytes;
  return RBV_OK;
}

static rbv_status take_length(uint32_t *n, walk *w) {
  size_t at;
  RBV_TRY(take(&at, w, 4, 4));
  *n = (uint32_t)number_at(w->data + at, 4, w->out->big);
  return keep_same(w, at, 4);
}

static rbv_status take_string(size_t *begin, size_t *size, walk *w) {
  uint32_t n;
  RBV_TRY(take_length(&n, w));
  RBV_TRY(take(begin, w, 1, n));
  *size = n > 0 ? n - 1 : 0;  // with a closing zero
  return RBV_OK;
}

static rbv_status add_field(walk *w, cdr_kind kind, size_t at) {
  cdr_layout *l = w->out;
  if (w->silent || l->nfield >= MOST_FIELDS) return RBV_OK;
  cdr_field *more = grow(l->fields, l->nfield, &l->field_room, sizeof *more);
  if (!more) return RBV_EMEM;
  l->fields = more;
  char *name = rbv_strdup(w->path);
  if (!name) return RBV_EMEM;
  l->fields[l->nfield++] = (cdr_field){name, kind, at};
  return RBV_OK;
}

/* The path with an index or a label behind it. Returns the length before. */
static size_t add_index(walk *w, uint32_t i, const labels *names, size_t *label) {
  const size_t length = strlen(w->path);
  if (!names) {
    snprintf(w->path + length, sizeof w->path - length, "[%u]", i);
    return length;
  }
  // strings were checked when the labels were found
  const uint32_t n = (uint32_t)number_at(w->data + *label, 4, w->out->big);
  char text[100];
  size_t k = 0;
  for (; k + 1 < n && k < sizeof text - 1; k++) {
    const char c = (char)w->data[*label + 4 + k];
    text[k] = c && (unsigned char)c >= 32 && c != '[' && c != ']' ? c : '?';
  }
  text[k] = 0;
  snprintf(w->path + length, sizeof w->path - length, "[%s]", text);
  const size_t next = *label + 4 + n - ENCAPSULATION;
  *label = ENCAPSULATION + (next + 3) / 4 * 4;
  return length;
}

static rbv_status walk_struct(walk *w, int type, const labels *outer);

/* Numbers of one kind, one after the other. */
static rbv_status walk_numbers(walk *w, const member *m, uint32_t n, const labels *names) {
  const size_t width = width_of(m->kind), bytes = m->kind == CDR_TIME ? 8 : width;
  size_t at;
  if (n == 0) return RBV_OK;
  if (n > w->size / bytes) return too_short(w);
  RBV_TRY(take(&at, w, width, bytes * n));
  if (m->amount == ONE) return add_field(w, m->kind, at);
  if (n > (bytes == 1 ? LONGEST_BYTES : LONGEST_LIST)) return RBV_OK;
  size_t label = names ? names->at : 0;
  for (uint32_t i = 0; i < n && !w->silent; i++) {
    const size_t length = add_index(w, i, names, &label);
    const rbv_status status = add_field(w, m->kind, at + bytes * i);
    w->path[length] = 0;
    if (status != RBV_OK) return status;
  }
  return RBV_OK;
}

/* Strings. Those that name the elements of other lists are kept as labels. */
static rbv_status walk_strings(walk *w, const member *m, uint32_t n, labels *out) {
  static const char *const naming[] = {"name", "names", "joint_names", "joint_name",
                                       "interface_names"};
  bool names = false;
  for (int i = 0; i < RBV_COUNT(naming) && m->amount != ONE; i++)
    names |= strcmp(naming[i], m->name) == 0;
  for (uint32_t i = 0; i < n; i++) {
    size_t begin, size;
    RBV_TRY(take_string(&begin, &size, w));
    if (!names) continue;
    if (i == 0) *out = (labels){n, begin - 4};
    RBV_TRY(keep_same(w, begin, size));
  }
  return RBV_OK;
}

static rbv_status walk_structs(walk *w, const member *m, uint32_t n, const labels *outer,
                               const labels *names) {
  const bool before = w->silent;
  size_t label = names ? names->at : 0;
  if (m->amount != ONE && n > LONGEST_LIST) w->silent = true;
  for (uint32_t i = 0; i < n; i++) {
    // an element has at least one byte, so that the size of the message bounds the loop
    if (w->at >= w->size) return too_short(w);
    const size_t length = strlen(w->path);
    if (m->amount != ONE) (void)add_index(w, i, names, &label);
    const rbv_status status = walk_struct(w, m->type, outer);
    w->path[length] = 0;
    if (status != RBV_OK) return status;
  }
  w->silent = before;
  return RBV_OK;
}

static rbv_status walk_struct(walk *w, int type, const labels *outer) {
  const structure *s = &w->t->types[type];
  const size_t length = strlen(w->path);
  labels own = *outer;
  size_t at;
  // a message without fields has one byte
  if (s->count == 0) return take(&at, w, 1, 1);
  for (int k = 0; k < s->count; k++) {
    const member *m = &w->t->members[s->first + k];
    snprintf(w->path + length, sizeof w->path - length, "%s%s", length ? "." : "", m->name);
    uint32_t n = m->amount == FIXED ? m->length : 1;
    if (m->amount == LIST) RBV_TRY(take_length(&n, w));
    const labels *names = m->amount != ONE && own.count > 0 && own.count == n ? &own : NULL;
    if (m->kind == CDR_STRUCT)
      RBV_TRY(walk_structs(w, m, n, &own, names));
    else if (m->kind == CDR_STRING)
      RBV_TRY(walk_strings(w, m, n, &own));
    else
      RBV_TRY(walk_numbers(w, m, n, names));
    w->path[length] = 0;
  }
  return RBV_OK;
}

void cdr_layout_free(cdr_layout *l) {
  if (!l) return;
  for (int i = 0; i < l->nfield; i++) rbv_free(l->fields[i].name);
  RBV_FREE_ALL(l->fields, l->same, l->spans, l->model, l);
}

/* Join the common bytes over gaps of at most four bytes: the end of a string and its padding. */
static rbv_status make_spans(cdr_layout *l) {
  l->spans = rbv_alloc(sizeof *l->spans * (size_t)(l->nsame + 1));
  if (!l->spans) return RBV_EMEM;
  for (int i = 0; i < l->nsame; i++) {
    common *last = l->nspan > 0 ? &l->spans[l->nspan - 1] : NULL;
    if (last && l->same[i].at - (last->at + last->size) <= 4)
      last->size = l->same[i].at + l->same[i].size - last->at;
    else
      l->spans[l->nspan++] = l->same[i];
  }
  return RBV_OK;
}

rbv_status cdr_layout_new(cdr_layout **out, const cdr_type *type, const uint8_t *data,
                          size_t size) {
  *out = NULL;
  if (size < ENCAPSULATION || data[0] != 0 || data[1] > 1)
    return rbv_fail(RBV_EINPUT, "a message of type %.100s is not in CDR", type->name);
  RBV_NEW(cdr_layout, l, 1);
  l->big = data[1] == 0;
  walk w = {.t = type, .data = data, .size = size, .at = ENCAPSULATION, .out = l};
  rbv_status status = keep_same(&w, 0, 2);
  if (status == RBV_OK) status = walk_struct(&w, 0, &(labels){0});
  if (status == RBV_OK) status = make_spans(l);
  if (status == RBV_OK) {
    l->size = w.at;
    l->model = rbv_alloc(w.at);
    if (l->model)
      memcpy(l->model, data, w.at);
    else
      status = RBV_EMEM;
  }
  RBV_GIVE(out, l, status, cdr_layout_free(l));
}

int cdr_layout_count(const cdr_layout *l) { return l->nfield; }

const cdr_field *cdr_layout_field(const cdr_layout *l, int i) { return &l->fields[i]; }

static bool equals(const cdr_layout *l, const uint8_t *data, const common *parts, int n) {
  for (int i = 0; i < n; i++)
    if (memcmp(l->model + parts[i].at, data + parts[i].at, parts[i].size) != 0) return false;
  return true;
}

bool cdr_layout_fits(const cdr_layout *l, const uint8_t *data, size_t size) {
  return size >= l->size &&
         (equals(l, data, l->spans, l->nspan) || equals(l, data, l->same, l->nsame));
}

/* ---- values ---- */

int64_t cdr_time(const cdr_layout *l, const cdr_field *f, const uint8_t *data) {
  const int32_t sec = (int32_t)(uint32_t)number_at(data + f->at, 4, l->big);
  const uint32_t nsec = (uint32_t)number_at(data + f->at + 4, 4, l->big);
  return (int64_t)sec * 1000000000 + nsec;
}

double cdr_value(const cdr_layout *l, const cdr_field *f, const uint8_t *data) {
  const uint64_t x = number_at(data + f->at, f->kind == CDR_TIME ? 4 : width_of(f->kind), l->big);
  switch (f->kind) {
    case CDR_BOOL:
    case CDR_UINT8:
    case CDR_UINT16:
    case CDR_UINT32:
    case CDR_UINT64: return (double)x;
    case CDR_INT8: return (double)(int8_t)(uint8_t)x;
    case CDR_INT16: return (double)(int16_t)(uint16_t)x;
    case CDR_INT32: return (double)(int32_t)(uint32_t)x;
    case CDR_INT64: return (double)(int64_t)x;
    case CDR_FLOAT32: {
      const uint32_t bits = (uint32_t)x;
      float y;
      memcpy(&y, &bits, sizeof y);
      return (double)y;
    }
    case CDR_FLOAT64: {
      double y;
      memcpy(&y, &x, sizeof y);
      return y;
    }
    case CDR_TIME: return (double)cdr_time(l, f, data) / 1e9;
    case CDR_STRING:
    case CDR_STRUCT: break;
  }
  return 0;
}

void cdr_read(double *out, ptrdiff_t ld, const cdr_layout *l, const int *field, int n,
              const uint8_t *data) {
  for (int j = 0; j < n; j++, out += ld) {
    if (field[j] < 0) {
      *out = NAN;
      continue;
    }
    const cdr_field *f = &l->fields[field[j]];
    // nearly all numbers of joints
    if (f->kind == CDR_FLOAT64 && !l->big)
      memcpy(out, data + f->at, sizeof *out);
    else
      *out = cdr_value(l, f, data);
  }
}
