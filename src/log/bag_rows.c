/*
 * Bags as tables. A column is a number of a topic: "/joint_states.position[elbow_joint]", or
 * "receive_time". Rows are the messages of one topic. Other topics are interpolated at its stamps;
 * this needs the bag as a whole.
 *
 * Times are seconds after the first row, computed in nanoseconds.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/support.h"
#include "log/bag.h"
#include "log/bag_files.h"
#include "log/cdr.h"
#include "log/rows.h"
#include "log/table_join.h"
#include "log/unpack.h"

#define SHAPES 4       // layouts of a topic that are remembered
#define PEEK_ROWS 200  // of each topic
#define PEEK_MESSAGES 20000
#define PEEK_COLUMNS 5000
#define LARGEST_MESSAGE ((size_t)64 << 20)
#define BLOCK_ROWS 4096  // that are read at once
#define VARIANTS 2       // of a built-in type
#define RECEIVE "receive_time"
#define STAMP "header.stamp"
#define ZSTD_MAGIC "\x28\xB5\x2F\xFD"

/* ---- messages of one topic ---- */

/* One layout of messages, with the place of each column in it. */
typedef struct {
  cdr_layout *layout;
  int *field;  // of each column; -1: the message does not have it
  int found;
} shape;

/* How the messages of a topic become columns. */
typedef struct {
  const bag *b;
  int topic;
  cdr_type *type[VARIANTS];
  const char **field;  // of each column, without the topic; NULL: the time of receipt
  int ncol;
  shape shapes[SHAPES];
  int newest;
  unpacked unpacked;
} decoder;

static void free_shape(shape *s) {
  cdr_layout_free(s->layout);
  rbv_free(s->field);
  *s = (shape){0};
}

static void free_decoder(decoder *d) {
  for (int i = 0; i < SHAPES; i++) free_shape(&d->shapes[i]);
  for (int i = 0; i < VARIANTS; i++) cdr_type_free(d->type[i]);
  unpacked_free(&d->unpacked);
  rbv_free(d->field);
  *d = (decoder){0};
}

/* A failure of a message, with its file and topic. */
static rbv_status in_topic(rbv_status status, const bag *b, int topic) {
  if (status == RBV_OK || status == RBV_EMEM) return status;
  char *sentence = rbv_strdup(rbv_message());
  if (!sentence) return RBV_EMEM;
  status = rbv_fail(status, "%s: topic %.100s: %s", b->path, b->topics[topic].name, sentence);
  rbv_free(sentence);
  return status;
}

/* The type of a topic. *known is false if its messages cannot be read. */
static rbv_status find_type(bool *known, cdr_type *type[VARIANTS], const bag_topic *t) {
  *known = false;
  if (strcmp(t->encoding, "cdr") != 0) return RBV_OK;
  rbv_status status = RBV_OK;
  if (t->definition) {
    status = cdr_type_parse(&type[0], t->type, t->definition, strlen(t->definition));
    // a definition that is not understood: perhaps it is a type that we know
    if (status == RBV_EMEM) return status;
  }
  for (int i = 0; i < VARIANTS && !(t->definition && type[0] && i == 0); i++) {
    if (type[0] && t->definition) break;
    status = cdr_type_built_in(&type[i], t->type, i);
    if (status != RBV_OK) return status;
  }
  *known = type[0] != NULL;
  return RBV_OK;
}

static rbv_status make_layout(cdr_layout **out, cdr_type *const type[VARIANTS],
                              const bag_message *m) {
  rbv_status status = RBV_OK;
  for (int i = 0; i < VARIANTS && type[i]; i++) {
    status = cdr_layout_new(out, type[i], m->data, m->size);
    if (status != RBV_EINPUT) return status;
  }
  return status;
}

/* Messages may be compressed one by one. */
static rbv_status plain_message(bag_message *m, unpacked *u, const char *path) {
  if (m->size < 4 || memcmp(m->data, ZSTD_MAGIC, 4) != 0) return RBV_OK;
  u->size = 0;
  RBV_TRY(unpack(u, PACKED_ZSTD, path, m->data, m->size, LARGEST_MESSAGE));
  m->data = u->data;
  m->size = u->size;
  return RBV_OK;
}

static rbv_status find_shape(const shape **out, decoder *d, const bag_message *m) {
  for (int i = 0; i < SHAPES; i++) {
    const int k = (d->newest + i) % SHAPES;
    const shape *s = &d->shapes[k];
    if (!s->layout || !cdr_layout_fits(s->layout, m->data, m->size)) continue;
    d->newest = k;
    *out = s;
    return RBV_OK;
  }
  d->newest = (d->newest + SHAPES - 1) % SHAPES;
  shape *s = &d->shapes[d->newest];
  free_shape(s);
  RBV_TRY(make_layout(&s->layout, d->type, m));
  s->field = rbv_alloc(sizeof *s->field * (size_t)(d->ncol + 1));
  if (!s->field) {
    free_shape(s);
    return RBV_EMEM;
  }
  for (int j = 0; j < d->ncol; j++) {
    s->field[j] = -1;
    for (int i = 0; d->field[j] && i < cdr_layout_count(s->layout) && s->field[j] < 0; i++)
      if (strcmp(cdr_layout_field(s->layout, i)->name, d->field[j]) == 0) s->field[j] = i;
    s->found += s->field[j] >= 0 && strcmp(d->field[j], STAMP) != 0;
  }
  *out = s;
  return RBV_OK;
}

/* First times of a table: the origin of its stamps. */
typedef struct {
  bool known;
  int64_t receive, stamp;
} origin;

/* Read the columns of a message, with stride ld. *row is false if it has none of them. */
static rbv_status decode(bool *row, double *out, ptrdiff_t ld, decoder *d, bag_message *m,
                         origin *o) {
  RBV_TRY(plain_message(m, &d->unpacked, d->b->path));
  const shape *s = NULL;
  *row = false;
  RBV_TRY(in_topic(find_shape(&s, d, m), d->b, d->topic));
  if (s->found == 0) return RBV_OK;
  *row = true;
  if (!o->known) {
    *o = (origin){.known = true, .receive = m->time};
    for (int i = 0; i < cdr_layout_count(s->layout); i++) {
      const cdr_field *f = cdr_layout_field(s->layout, i);
      if (f->kind == CDR_TIME && strcmp(f->name, STAMP) == 0)
        o->stamp = cdr_time(s->layout, f, m->data);
    }
  }
  for (int j = 0; j < d->ncol; j++) {
    double x = NAN;
    if (!d->field[j]) {
      x = (double)(int64_t)((uint64_t)m->time - (uint64_t)o->receive) / 1e9;
    } else if (s->field[j] >= 0) {
      const cdr_field *f = cdr_layout_field(s->layout, s->field[j]);
      x = f->kind == CDR_TIME && strcmp(f->name, STAMP) == 0
              ? (double)(cdr_time(s->layout, f, m->data) - o->stamp) / 1e9
              : cdr_value(s->layout, f, m->data);
    }
    out[j * ld] = x;
  }
  return RBV_OK;
}

/* ---- columns and topics ---- */

/* The topic of a column: the longest name that the column begins with; -1: none. */
static int topic_of(const bag *b, const char *column) {
  int best = -1;
  size_t longest = 0;
  for (int i = 0; i < b->ntopic; i++) {
    const size_t n = strlen(b->topics[i].name);
    if (n > 0 && n >= longest && strncmp(column, b->topics[i].name, n) == 0 && column[n] == '.') {
      best = i;
      longest = n;
    }
  }
  return best;
}

/* Prepare to decode those of the columns that belong to a topic. */
static rbv_status make_decoder(decoder *d, const bag *b, int topic, const char *const *columns,
                               int ncol) {
  *d = (decoder){.b = b, .topic = topic, .ncol = ncol};
  d->field = rbv_alloc(sizeof *d->field * (size_t)(ncol + 1));
  if (!d->field) return RBV_EMEM;
  const size_t n = strlen(b->topics[topic].name) + 1;
  for (int j = 0; j < ncol; j++)
    d->field[j] = strcmp(columns[j], RECEIVE) == 0 ? NULL : columns[j] + n;
  bool known;
  RBV_TRY(find_type(&known, d->type, &b->topics[topic]));
  if (known) return RBV_OK;
  return rbv_fail(RBV_EINPUT,
                  "%s: topic %.100s: the bag has no definition of its type %.100s in ros2msg, or "
                  "its messages are not in CDR",
                  b->path, b->topics[topic].name, b->topics[topic].type);
}

static rbv_status refuse_topics(const bag *b) {
  rbv_text text = {0};
  for (int i = 0; i < b->ntopic && i < 8; i++)
    rbv_text_print(&text, "%s%.80s (%.80s)", i ? ", " : "", b->topics[i].name, b->topics[i].type);
  const rbv_status status = rbv_fail(
      RBV_EINPUT, "%s: no columns of joints were recognised; %s%s; name columns in a column map",
      b->path, b->ntopic ? "the topics are " : "there are no topics", text.data ? text.data : "");
  rbv_text_free(&text);
  return status;
}

/* ---- rows ---- */

/* What all readers of a bag share. */
typedef struct {
  bag *b;
  int topic;
  char **names;
  int ncol;
  origin o;
} bag_table_plan;

typedef struct {
  rows head;
  bag_table_plan *plan;
  bool owner;
  decoder d;
  bag_cursor *cursor;
  size_t next;  // place after the last message
  size_t stop;
  bool ended;
  ptrdiff_t row;
  double *line;  // one row
} bag_rows;

static void free_plan(bag_table_plan *p) {
  if (!p) return;
  names_free(p->names, p->ncol);
  bag_close(p->b);
  rbv_free(p);
}

static void close_rows(rows *r) {
  bag_rows *b = (bag_rows *)r;
  free_decoder(&b->d);
  bag_cursor_free(b->cursor);
  if (b->owner) free_plan(b->plan);
  rbv_free(b->line);
  rbv_free(b);
}

static const rows_kind bag_rows_kind;

static rbv_status new_rows(rows **out, bag_table_plan *p) {
  *out = NULL;
  bag_rows *r = rbv_alloc(sizeof *r);
  if (!r) return RBV_EMEM;
  r->head = (rows){.kind = &bag_rows_kind, .ncol = p->ncol, .names = p->names};
  r->plan = p;
  r->stop = SIZE_MAX;
  r->line = rbv_alloc(sizeof *r->line * (size_t)(p->ncol + 1));
  bool *wanted = rbv_alloc(sizeof *wanted * (size_t)(p->b->ntopic + 1));
  rbv_status status = r->line && wanted ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK)
    status = make_decoder(&r->d, p->b, p->topic, (const char *const *)p->names, p->ncol);
  if (status == RBV_OK) {
    wanted[p->topic] = true;
    status = bag_cursor_new(&r->cursor, p->b, wanted);
  }
  rbv_free(wanted);
  if (status == RBV_OK)
    *out = &r->head;
  else
    close_rows(&r->head);
  return status;
}

static rbv_status clone_rows(rows **out, const rows *r) {
  return new_rows(out, ((const bag_rows *)r)->plan);
}

static size_t size_rows(const rows *r) { return ((const bag_rows *)r)->plan->b->size; }

static row_place tell_rows(const rows *r) {
  const bag_rows *b = (const bag_rows *)r;
  return (row_place){b->next, 0, b->row};
}

static rbv_status go(bag_rows *b, size_t place, size_t stop, ptrdiff_t row) {
  b->next = place;
  b->stop = stop;
  b->row = row;
  b->ended = false;
  return bag_seek(b->cursor, place);
}

static rbv_status seek_rows(rows *r, const row_place *place) {
  return go((bag_rows *)r, place->byte, SIZE_MAX, place->row);
}

static rbv_status seek_stretch_rows(rows *r, size_t after, size_t last) {
  return go((bag_rows *)r, after == 0 ? 0 : after + 1, last, 0);
}

static rbv_status read_rows(ptrdiff_t *got, rows *r, double *out, ptrdiff_t most, ptrdiff_t ld) {
  bag_rows *b = (bag_rows *)r;
  *got = 0;
  while (*got < most && !b->ended) {
    bag_message m;
    bool found, row;
    RBV_TRY(bag_next(&found, &m, b->cursor));
    b->ended = !found || m.place > b->stop;
    if (b->ended) break;
    RBV_TRY(decode(&row, out + *got, ld, &b->d, &m, &b->plan->o));
    b->next = m.place + 1;
    b->row += row;
    *got += row;
  }
  return RBV_OK;
}

static const rows_kind bag_rows_kind = {.close = close_rows,
                                        .clone = clone_rows,
                                        .size = size_rows,
                                        .tell = tell_rows,
                                        .seek = seek_rows,
                                        .seek_stretch = seek_stretch_rows,
                                        .read = read_rows};

/* Columns of one topic (topic -1: the first that is wanted), and RECEIVE. The bag is moved into
 * the plan, or closed on failure. */
static rbv_status make_plan(bag_table_plan **out, bag *b, const char *const *columns, int ncol,
                            int topic) {
  *out = NULL;
  bag_table_plan *p = rbv_alloc(sizeof *p);
  if (!p) {
    bag_close(b);
    return RBV_EMEM;
  }
  p->b = b;
  p->topic = topic;
  p->names = rbv_alloc(sizeof *p->names * (size_t)(ncol + 1));
  rbv_status status = p->names ? RBV_OK : RBV_EMEM;
  for (int j = 0; j < ncol && status == RBV_OK; j++) {
    const int of = topic_of(b, columns[j]);
    if (of != topic && strcmp(columns[j], RECEIVE) != 0) continue;
    bool again = false;
    for (int k = 0; k < p->ncol; k++) again |= strcmp(p->names[k], columns[j]) == 0;
    if (again) continue;
    if (!(p->names[p->ncol] = rbv_strdup(columns[j])))
      status = RBV_EMEM;
    else
      p->ncol++;
  }
  if (status == RBV_OK)
    *out = p;
  else
    free_plan(p);
  return status;
}

/* The topics of the columns: the first that is no time is the main one. */
static void find_topics(int *main_topic, int *count, const bag *b, const wanted_columns *want) {
  *main_topic = -1;
  *count = 0;
  int first = -1;
  for (int j = 0; want && j < want->n; j++) {
    const int of = topic_of(b, want->names[j]);
    if (of < 0) continue;
    if (first < 0) first = of;
    const size_t n = strlen(b->topics[of].name) + 1;
    if (*main_topic < 0 && strcmp(want->names[j] + n, STAMP) != 0) *main_topic = of;
    bool again = false;
    for (int k = 0; k < j; k++) again |= topic_of(b, want->names[k]) == of;
    *count += !again;
  }
  if (*main_topic < 0) *main_topic = first;
}

/* The origin of the stamps is the first row, for all readers. */
static rbv_status find_origin(rows *r) {
  bag_rows *b = (bag_rows *)r;
  ptrdiff_t got;
  RBV_TRY(read_rows(&got, r, b->line, 1, 1));
  return seek_rows(r, &(row_place){0});
}

/* A reader of one topic. The bag is moved into it, or closed on failure. */
static rbv_status open_topic(rows **out, bag *b, const char *const *columns, int ncol, int topic,
                             const origin *o) {
  bag_table_plan *p;
  *out = NULL;
  RBV_TRY(make_plan(&p, b, columns, ncol, topic));
  if (o) p->o = *o;
  rbv_status status = new_rows(out, p);
  if (status != RBV_OK) {
    free_plan(p);
    return status;
  }
  ((bag_rows *)*out)->owner = true;
  status = find_origin(*out);
  if (status == RBV_OK) return RBV_OK;
  close_rows(*out);
  *out = NULL;
  return status;
}

rbv_status bag_rows_open(rows **out, const char *path, const wanted_columns *want) {
  bag *b;
  int topic, count;
  *out = NULL;
  RBV_TRY(bag_open(&b, path));
  find_topics(&topic, &count, b, want);
  if (topic >= 0 && count == 1) return open_topic(out, b, want->names, want->n, topic, NULL);
  const rbv_status status =
      topic < 0 ? refuse_topics(b)
                : rbv_fail(RBV_EUNSUPPORTED,
                           "%s: columns of %d topics cannot be read in pieces: they are joined in "
                           "memory",
                           path, count);
  bag_close(b);
  return status;
}

/* ---- tables ---- */

/* Rows that have been read, column by column. */
typedef struct block {
  struct block *next;
  ptrdiff_t count;
  double values[];  // BLOCK_ROWS x columns
} block;

static void free_blocks(block *b) {
  while (b) {
    block *next = b->next;
    rbv_free(b);
    b = next;
  }
}

/* Read all rows of a reader. */
static rbv_status read_all(table *t, rows *r) {
  *t = (table){.ncol = r->ncol};
  block *first = NULL, **last = &first;
  rbv_status status = RBV_OK;
  for (ptrdiff_t got = 1; got > 0 && status == RBV_OK; t->rows += got) {
    block *b = rbv_alloc(sizeof *b + sizeof(double) * BLOCK_ROWS * (size_t)(r->ncol + 1));
    status = b ? RBV_OK : RBV_EMEM;
    got = 0;
    if (!b) break;
    *last = b;
    last = &b->next;
    status = rows_read(&got, r, b->values, BLOCK_ROWS, BLOCK_ROWS);
    b->count = got;
  }
  if (status == RBV_OK) {
    t->ld = table_stride(t->rows);
    t->values = rbv_alloc(sizeof *t->values * (size_t)t->ld * (size_t)(t->ncol + 1));
    if (!t->values) status = RBV_EMEM;
  }
  ptrdiff_t row = 0;
  for (const block *b = first; b && status == RBV_OK; row += b->count, b = b->next)
    for (int j = 0; j < t->ncol; j++)
      memcpy(t->values + row + j * t->ld, b->values + (ptrdiff_t)j * BLOCK_ROWS,
             sizeof *t->values * (size_t)b->count);
  free_blocks(first);
  if (status == RBV_OK) status = names_copy(&t->names, r->names, r->ncol);
  if (status != RBV_OK) table_free(t);
  return status;
}

static int column_named(const table *t, const char *name) {
  for (int j = 0; j < t->ncol; j++)
    if (strcmp(t->names[j], name) == 0) return j;
  return -1;
}

/* The columns of one topic and its clock, as a table. */
static rbv_status read_topic(table *t, int *clock, const char *path, const wanted_columns *want,
                             int topic, const char *clock_name, origin *o) {
  const char **columns = rbv_alloc(sizeof *columns * (size_t)(want->n + 1));
  if (!columns) return RBV_EMEM;
  for (int j = 0; j < want->n; j++) columns[j] = want->names[j];
  columns[want->n] = clock_name;
  rows *r = NULL;
  bag *b = NULL;
  rbv_status status = bag_open(&b, path);
  if (status == RBV_OK)
    status = open_topic(&r, b, columns, want->n + 1, topic, o->known ? o : NULL);
  if (status == RBV_OK) {
    *o = ((bag_rows *)r)->plan->o;
    status = read_all(t, r);
    close_rows(r);
  }
  rbv_free(columns);
  if (status == RBV_OK) *clock = column_named(t, clock_name);
  return status;
}

/* Join the topics on the clock of the main one: header stamps if all have them and the map uses
 * them, else the times of receipt. */
static rbv_status join_topics(table *t, const bag *b, const wanted_columns *want, int topic) {
  bool stamps = false;
  for (int j = 0; j < want->n; j++) {
    const int of = topic_of(b, want->names[j]);
    stamps |= of == topic && strcmp(want->names[j] + strlen(b->topics[of].name) + 1, STAMP) == 0;
  }
  origin o = {0};
  int clock, main_columns = 0;
  char name[400];
  for (int pass = 0; pass < 2; pass++) {
    // the second pass uses the times of receipt, if a topic has no stamps
    snprintf(name, sizeof name, stamps ? "%.300s." STAMP : RECEIVE, b->topics[topic].name);
    RBV_TRY(read_topic(t, &clock, b->path, want, topic, name, &o));
    main_columns = t->ncol;
    rbv_status status = RBV_OK;
    bool complete = true;
    for (int i = 0; i < b->ntopic && status == RBV_OK && complete; i++) {
      bool used = false;
      for (int j = 0; j < want->n; j++) used |= topic_of(b, want->names[j]) == i;
      if (!used || i == topic) continue;
      table other;
      int other_clock;
      snprintf(name, sizeof name, stamps ? "%.300s." STAMP : RECEIVE, b->topics[i].name);
      status = read_topic(&other, &other_clock, b->path, want, i, name, &o);
      if (status != RBV_OK) break;
      bool advances = other_clock >= 0 && other.rows > 1;
      if (advances) {
        const double *x = other.values + other_clock * other.ld;
        advances = x[other.rows - 1] > x[0];
      }
      complete = advances || !stamps;
      if (complete && other_clock >= 0)
        status = table_join(t, t->values + clock * t->ld, &other,
                            other.values + other_clock * other.ld, other_clock);
      table_free(&other);
    }
    if (status == RBV_OK && complete) break;
    table_free(t);
    if (status != RBV_OK) return status;
    stamps = false;
  }
  table_keep_overlap(t, main_columns);
  if (t->rows > 0) return RBV_OK;
  table_free(t);
  return rbv_fail(RBV_EINPUT, "%s: the topics have no time in common", b->path);
}

rbv_status bag_table(table *t, const char *path, const wanted_columns *want) {
  bag *b;
  int topic, count;
  *t = (table){0};
  RBV_TRY(bag_open(&b, path));
  find_topics(&topic, &count, b, want);
  rbv_status status;
  if (topic < 0) {
    status = refuse_topics(b);
  } else if (count > 1) {
    status = join_topics(t, b, want, topic);
  } else {
    rows *r;
    RBV_TRY(open_topic(&r, b, want->names, want->n, topic, NULL));
    status = read_all(t, r);
    if (status == RBV_OK && t->rows == 0) {
      table_free(t);
      status = rbv_fail(RBV_EINPUT, "%s: topic %.100s has no messages with these columns", path,
                        b->topics[topic].name);
    }
    close_rows(r);
    return status;
  }
  bag_close(b);
  return status;
}

/* ---- the first messages ---- */

typedef struct {
  table *t;
  ptrdiff_t *count;  // values of each column
  int room;
  bag *b;
  cdr_type *(*types)[VARIANTS];
  bool *known;
  ptrdiff_t *seen;  // messages of each topic
  cdr_layout **layout;
  unpacked unpacked;
  int64_t receive, stamp;
  int first;  // topic of the column of the times of receipt; -1: none yet
} peeker;

static rbv_status peek_column(int *out, peeker *p, const char *name) {
  table *t = p->t;
  *out = column_named(t, name);
  if (*out >= 0) return RBV_OK;
  if (t->ncol == p->room) {
    const int room = p->room ? 2 * p->room : 64;
    const size_t column = sizeof *t->values * (size_t)t->ld;
    double *values = rbv_realloc(t->values, column * (size_t)t->ncol, column * (size_t)room);
    if (!values) return RBV_EMEM;
    t->values = values;
    char **names =
        rbv_realloc(t->names, sizeof *names * (size_t)t->ncol, sizeof *names * (size_t)room);
    if (!names) return RBV_EMEM;
    t->names = names;
    ptrdiff_t *count =
        rbv_realloc(p->count, sizeof *count * (size_t)t->ncol, sizeof *count * (size_t)room);
    if (!count) return RBV_EMEM;
    p->count = count;
    p->room = room;
  }
  if (!(t->names[t->ncol] = rbv_strdup(name))) return RBV_EMEM;
  for (ptrdiff_t k = 0; k < t->ld; k++) t->values[k + t->ncol * t->ld] = NAN;
  p->count[t->ncol] = 0;
  *out = t->ncol++;
  return RBV_OK;
}

static rbv_status peek_value(peeker *p, const char *name, double x) {
  if (p->t->ncol >= PEEK_COLUMNS) return RBV_OK;
  int column;
  RBV_TRY(peek_column(&column, p, name));
  if (p->count[column] < PEEK_ROWS) p->t->values[p->count[column]++ + column * p->t->ld] = x;
  return RBV_OK;
}

static rbv_status peek_message(peeker *p, bag_message *m) {
  const bag_topic *topic = &p->b->topics[m->topic];
  if (p->seen[m->topic]++ >= PEEK_ROWS) return RBV_OK;
  RBV_TRY(plain_message(m, &p->unpacked, p->b->path));
  cdr_layout **layout = &p->layout[m->topic];
  if (!*layout || !cdr_layout_fits(*layout, m->data, m->size)) {
    cdr_layout_free(*layout);
    *layout = NULL;
    RBV_TRY(in_topic(make_layout(layout, p->types[m->topic], m), p->b, m->topic));
  }
  if (p->first < 0) {
    p->first = m->topic;
    p->receive = m->time;
  }
  if (p->first == m->topic)
    RBV_TRY(
        peek_value(p, RECEIVE, (double)(int64_t)((uint64_t)m->time - (uint64_t)p->receive) / 1e9));
  rbv_text name = {0};
  rbv_status status = RBV_OK;
  for (int i = 0; i < cdr_layout_count(*layout) && status == RBV_OK; i++) {
    const cdr_field *f = cdr_layout_field(*layout, i);
    name.size = 0;
    rbv_text_print(&name, "%s.%s", topic->name, f->name);
    if (name.failed) {
      status = RBV_EMEM;
      break;
    }
    double x;
    if (f->kind == CDR_TIME) {
      const int64_t stamp = cdr_time(*layout, f, m->data);
      if (p->stamp == 0) p->stamp = stamp;
      x = (double)(stamp - p->stamp) / 1e9;
    } else {
      x = cdr_value(*layout, f, m->data);
    }
    status = peek_value(p, name.data, x);
  }
  rbv_text_free(&name);
  return status;
}

/* Read messages of some topics until each has enough. */
static rbv_status peek_topics(peeker *p, const bool *wanted) {
  bag_cursor *cursor;
  RBV_TRY(bag_cursor_new(&cursor, p->b, wanted));
  rbv_status status = RBV_OK;
  for (int k = 0; k < PEEK_MESSAGES && status == RBV_OK; k++) {
    bag_message m;
    bool found, open = false;
    status = bag_next(&found, &m, cursor);
    if (status != RBV_OK || !found) break;
    status = peek_message(p, &m);
    for (int i = 0; i < p->b->ntopic; i++) open |= wanted[i] && p->seen[i] < PEEK_ROWS;
    if (!open) break;
  }
  bag_cursor_free(cursor);
  return status;
}

static bool is_joint_state(const bag_topic *t) { return strstr(t->type, "/JointState") != NULL; }

static rbv_status peek_bag(peeker *p) {
  const size_t n = (size_t)p->b->ntopic + 1;
  p->types = rbv_alloc(sizeof *p->types * n);
  p->known = rbv_alloc(sizeof *p->known * n);
  p->seen = rbv_alloc(sizeof *p->seen * n);
  p->layout = rbv_alloc(sizeof *p->layout * n);
  bool *wanted = rbv_alloc(sizeof *wanted * n);
  rbv_status status = p->types && p->known && p->seen && p->layout && wanted ? RBV_OK : RBV_EMEM;
  for (int i = 0; i < p->b->ntopic && status == RBV_OK; i++)
    status = find_type(&p->known[i], p->types[i], &p->b->topics[i]);
  // joint states come first
  for (int pass = 0; pass < 2 && status == RBV_OK; pass++) {
    bool any = false;
    for (int i = 0; i < p->b->ntopic; i++) {
      wanted[i] = p->known[i] && is_joint_state(&p->b->topics[i]) == (pass == 0);
      any |= wanted[i];
    }
    if (any) status = peek_topics(p, wanted);
  }
  rbv_free(wanted);
  return status;
}

static rbv_status peek_with(peeker *p, table *t, const char *path) {
  *t = (table){.ld = table_stride(PEEK_ROWS)};
  *p = (peeker){.t = t, .first = -1};
  RBV_TRY(bag_open(&p->b, path));
  rbv_status status = peek_bag(p);
  for (int j = 0; j < t->ncol; j++)
    if (p->count[j] > t->rows) t->rows = p->count[j];
  return status;
}

static void free_peeker(peeker *p) {
  for (int i = 0; p->b && i < p->b->ntopic; i++) {
    for (int k = 0; p->types && k < VARIANTS; k++) cdr_type_free(p->types[i][k]);
    if (p->layout) cdr_layout_free(p->layout[i]);
  }
  bag_close(p->b);
  rbv_free(p->types);
  rbv_free(p->known);
  rbv_free(p->seen);
  rbv_free(p->layout);
  rbv_free(p->count);
  unpacked_free(&p->unpacked);
}

rbv_status bag_peek(table *t, const char *path) {
  peeker p;
  const rbv_status status = peek_with(&p, t, path);
  free_peeker(&p);
  if (status != RBV_OK) table_free(t);
  return status;
}

/* ---- size and recognition ---- */

/* Numbers of the first topic of joint states, or of the first topic: messages are counted to the
 * end of a short bag, and extrapolated in a long one. */
rbv_status bag_bytes(size_t *out, const char *path) {
  *out = 0;
  bag *b;
  RBV_TRY(bag_open(&b, path));
  int topic = -1;
  for (int i = b->ntopic - 1; i >= 0; i--)
    if (topic < 0 || is_joint_state(&b->topics[i]) || !is_joint_state(&b->topics[topic])) topic = i;
  bool *wanted = rbv_alloc(sizeof *wanted * (size_t)(b->ntopic + 1)), known = false;
  cdr_type *type[VARIANTS] = {NULL};
  bag_cursor *cursor = NULL;
  cdr_layout *layout = NULL;
  unpacked u = {0};
  rbv_status status = wanted ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK && topic >= 0) status = find_type(&known, type, &b->topics[topic]);
  if (status == RBV_OK && known) {
    wanted[topic] = true;
    status = bag_cursor_new(&cursor, b, wanted);
  }
  double count = 0, last = 0;
  bool found = cursor != NULL;
  for (; found && status == RBV_OK && count < PEEK_ROWS; count += found) {
    bag_message m;
    status = bag_next(&found, &m, cursor);
    if (status != RBV_OK || !found) break;
    last = (double)m.place;
    status = plain_message(&m, &u, path);
    if (!layout && status == RBV_OK) status = make_layout(&layout, type, &m);
  }
  if (found && last > 0) count *= (double)b->size / last;
  if (layout) *out = (size_t)(count * 8 * cdr_layout_count(layout));
  unpacked_free(&u);
  cdr_layout_free(layout);
  bag_cursor_free(cursor);
  for (int i = 0; i < VARIANTS; i++) cdr_type_free(type[i]);
  rbv_free(wanted);
  bag_close(b);
  return status;
}

bool bag_sqlite_recognises(const char *path, const char *head, size_t size) {
  return sqlite_starts(head, size) || (size == 0 && folder_has(path, ".db3"));
}

bool bag_mcap_recognises(const char *path, const char *head, size_t size) {
  return mcap_starts(head, size) ||
         (size == 0 && (folder_has(path, ".mcap") || folder_has(path, ".zstd")));
}
