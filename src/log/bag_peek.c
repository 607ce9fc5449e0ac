/* The beginning of a bag: columns of all topics and their first values, size and recognition. */
#include <math.h>
#include <string.h>

#include "base/support.h"
#include "log/bag_decode.h"
#include "log/bag_files.h"
#include "log/table.h"

#define PEEK_ROWS 200  // of each topic
#define PEEK_MESSAGES 20000
#define PEEK_COLUMNS 5000

/* ---- the first messages ---- */

typedef struct {
  table *t;
  ptrdiff_t *count;  // values of each column
  int room;
  bag *b;
  bag_type *types;
  bool *known;
  ptrdiff_t *seen;  // messages of each topic
  cdr_layout **layout;
  int **columns;  // of each number of the layout
  unpacked unpacked;
  int64_t receive, stamp;
  int next;   // column after the last one
  int first;  // topic of the column of the times of receipt; -1: none yet
} peeker;

static rbv_status peek_column(int *out, peeker *p, const char *name) {
  table *t = p->t;
  // mostly the column behind the last one
  *out = p->next < t->ncol && strcmp(t->names[p->next], name) == 0 ? p->next : table_find(t, name);
  p->next = (*out < 0 ? t->ncol : *out) + 1;
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

/* The column of a name; -1: there are too many. */
static rbv_status find_column(int *out, peeker *p, const char *name) {
  *out = -1;
  return p->t->ncol >= PEEK_COLUMNS ? RBV_OK : peek_column(out, p, name);
}

static void peek_value(peeker *p, int column, double x) {
  if (column < 0 || p->count[column] >= PEEK_ROWS) return;
  p->t->values[p->count[column]++ + column * p->t->ld] = x;
}

/* The layout of a message of a topic, and a column for each number of it. */
static rbv_status peek_layout(peeker *p, const bag_message *m) {
  cdr_layout **layout = &p->layout[m->topic];
  if (*layout && cdr_layout_fits(*layout, m->data, m->size)) return RBV_OK;
  cdr_layout_free(*layout);
  rbv_free(p->columns[m->topic]);
  *layout = NULL;
  p->columns[m->topic] = NULL;
  RBV_TRY(bag_in_topic(bag_layout(layout, &p->types[m->topic], m), p->b, m->topic));
  const int n = cdr_layout_count(*layout);
  int *columns = p->columns[m->topic] = rbv_alloc(sizeof *columns * (size_t)(n + 1));
  rbv_text name = {0};
  rbv_status status = columns ? RBV_OK : RBV_EMEM;
  for (int i = 0; i < n && status == RBV_OK; i++) {
    name.size = 0;
    rbv_text_print(&name, "%s.%s", p->b->topics[m->topic].name, cdr_layout_field(*layout, i)->name);
    status = name.failed ? RBV_EMEM : find_column(&columns[i], p, name.data);
  }
  rbv_text_free(&name);
  return status;
}

static rbv_status peek_message(peeker *p, bag_message *m) {
  if (p->seen[m->topic]++ >= PEEK_ROWS) return RBV_OK;
  RBV_TRY(bag_unpack(m, &p->unpacked, p->b->path));
  if (p->first < 0) {
    p->first = m->topic;
    p->receive = m->time;
  }
  if (p->first == m->topic) {
    int column;
    RBV_TRY(find_column(&column, p, BAG_RECEIVE));
    peek_value(p, column, (double)(int64_t)((uint64_t)m->time - (uint64_t)p->receive) / 1e9);
  }
  RBV_TRY(peek_layout(p, m));
  const cdr_layout *layout = p->layout[m->topic];
  for (int i = 0; i < cdr_layout_count(layout); i++) {
    const cdr_field *f = cdr_layout_field(layout, i);
    double x;
    if (f->kind == CDR_TIME) {
      const int64_t stamp = cdr_time(layout, f, m->data);
      if (p->stamp == 0) p->stamp = stamp;
      x = (double)(stamp - p->stamp) / 1e9;
    } else {
      x = cdr_value(layout, f, m->data);
    }
    peek_value(p, p->columns[m->topic][i], x);
  }
  return RBV_OK;
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
  p->columns = rbv_alloc(sizeof *p->columns * n);
  bool *wanted = rbv_alloc(sizeof *wanted * n);
  rbv_status status =
      p->types && p->known && p->seen && p->layout && p->columns && wanted ? RBV_OK : RBV_EMEM;
  for (int i = 0; i < p->b->ntopic && status == RBV_OK; i++)
    status = bag_type_find(&p->known[i], &p->types[i], &p->b->topics[i]);
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
    if (p->types) bag_type_free(&p->types[i]);
    if (p->layout) cdr_layout_free(p->layout[i]);
    if (p->columns) rbv_free(p->columns[i]);
  }
  bag_close(p->b);
  RBV_FREE_ALL(p->types, p->known, p->seen, p->layout, p->columns, p->count);
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
  bag_type type = {{NULL}};
  bag_cursor *cursor = NULL;
  cdr_layout *layout = NULL;
  unpacked u = {0};
  rbv_status status = wanted ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK && topic >= 0) status = bag_type_find(&known, &type, &b->topics[topic]);
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
    status = bag_unpack(&m, &u, path);
    if (!layout && status == RBV_OK) status = bag_layout(&layout, &type, &m);
  }
  if (found && last > 0) count *= (double)b->size / last;
  if (layout) *out = (size_t)(count * 8 * cdr_layout_count(layout));
  unpacked_free(&u);
  cdr_layout_free(layout);
  bag_cursor_free(cursor);
  bag_type_free(&type);
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
