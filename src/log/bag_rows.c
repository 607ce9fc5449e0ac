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

#include "base/support.h"
#include "log/bag_decode.h"
#include "log/rows.h"
#include "log/table_join.h"

#define FIRST_ROWS 256  // room of a table before the first message is read
#define GROWTH 8        // at most, when a table is full

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
  bag_origin o;
} bag_table_plan;

typedef struct {
  rows head;
  bag_table_plan *plan;
  bool owner;
  bag_decoder d;
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
  bag_decoder_free(&b->d);
  bag_cursor_free(b->cursor);
  if (b->owner) free_plan(b->plan);
  rbv_free(b->line);
  rbv_free(b);
}

static const rows_kind bag_rows_kind;

static rbv_status new_rows(rows **out, bag_table_plan *p) {
  *out = NULL;
  RBV_NEW(bag_rows, r, 1);
  r->head = (rows){.kind = &bag_rows_kind, .ncol = p->ncol, .names = p->names};
  r->plan = p;
  r->stop = SIZE_MAX;
  r->line = rbv_alloc(sizeof *r->line * (size_t)(p->ncol + 1));
  bool *wanted = rbv_alloc(sizeof *wanted * (size_t)(p->b->ntopic + 1));
  rbv_status status = r->line && wanted ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK)
    status = bag_decoder_make(&r->d, p->b, p->topic, (const char *const *)p->names, p->ncol);
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
    RBV_TRY(bag_decode(&row, out + *got, ld, &b->d, &m, &b->plan->o));
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

/* Columns of one topic (topic -1: the first that is wanted), and BAG_RECEIVE. The bag is moved into
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
    if (of != topic && strcmp(columns[j], BAG_RECEIVE) != 0) continue;
    bool again = false;
    for (int k = 0; k < p->ncol; k++) again |= strcmp(p->names[k], columns[j]) == 0;
    if (again) continue;
    if (!(p->names[p->ncol] = rbv_strdup(columns[j])))
      status = RBV_EMEM;
    else
      p->ncol++;
  }
  RBV_GIVE(out, p, status, free_plan(p));
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
    if (*main_topic < 0 && strcmp(want->names[j] + n, BAG_STAMP) != 0) *main_topic = of;
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
                             const bag_origin *o) {
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
  RBV_FINISH(topic < 0
                 ? refuse_topics(b)
                 : rbv_fail(RBV_EUNSUPPORTED,
                            "%s: columns of %d topics cannot be read in pieces: they are joined in "
                            "memory",
                            path, count),
             bag_close(b));
}

/* ---- tables ---- */

/* Room for more rows, about as many as the rest of the bag has: as much of it is left as its places
 * say, but what a file states is never trusted for more than a multiple of what was read. */
static rbv_status grow_table(table *t, const bag_rows *r) {
  const double have = (double)t->rows, size = (double)r->plan->b->size;
  double want = r->next > 0 ? 1.02 * have * (size / (double)r->next) : 0;
  want = fmin(fmax(want, 1.5 * have), GROWTH * have);
  const ptrdiff_t ld = table_stride(FIRST_ROWS + (ptrdiff_t)want);
  RBV_NEW(double, values, (size_t)ld *(size_t)(t->ncol + 1));
  for (int j = 0; j < t->ncol && t->rows > 0; j++)
    memcpy(values + j * ld, t->values + j * t->ld, sizeof *values * (size_t)t->rows);
  rbv_free(t->values);
  t->values = values;
  t->ld = ld;
  return RBV_OK;
}

/* Read all rows of a reader. */
static rbv_status read_all(table *t, rows *r) {
  *t = (table){.ncol = r->ncol};
  rbv_status status = RBV_OK;
  for (ptrdiff_t got = 1; got > 0 && status == RBV_OK; t->rows += got) {
    got = 0;
    if (t->rows == t->ld) status = grow_table(t, (bag_rows *)r);
    if (status == RBV_OK) status = rows_read(&got, r, t->values + t->rows, t->ld - t->rows, t->ld);
  }
  if (status == RBV_OK) status = names_copy(&t->names, r->names, r->ncol);
  if (status != RBV_OK) table_free(t);
  return status;
}

/* The columns of one topic and its clock, as a table. */
static rbv_status read_topic(table *t, int *clock, const char *path, const wanted_columns *want,
                             int topic, const char *clock_name, bag_origin *o) {
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
  if (status == RBV_OK) *clock = table_find(t, clock_name);
  return status;
}

/* Join the topics on the clock of the main one: header stamps if all have them and the map uses
 * them, else the times of receipt. */
static rbv_status join_topics(table *t, const bag *b, const wanted_columns *want, int topic) {
  bool stamps = false;
  for (int j = 0; j < want->n; j++) {
    const int of = topic_of(b, want->names[j]);
    stamps |=
        of == topic && strcmp(want->names[j] + strlen(b->topics[of].name) + 1, BAG_STAMP) == 0;
  }
  bag_origin o = {0};
  int clock, main_columns = 0;
  char name[400];
  for (int pass = 0; pass < 2; pass++) {
    // the second pass uses the times of receipt, if a topic has no stamps
    snprintf(name, sizeof name, stamps ? "%.300s." BAG_STAMP : BAG_RECEIVE, b->topics[topic].name);
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
      snprintf(name, sizeof name, stamps ? "%.300s." BAG_STAMP : BAG_RECEIVE, b->topics[i].name);
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
