/* rosbag2 files in SQLite. */
#include <errno.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/support.h"
#include "log/bag.h"

#define LONGEST_VALUE (1 << 28)  // bytes of a message
#define PROBE_BYTES ((size_t)1 << 20)
#define MOST_ID ((int64_t)1 << 56)
#define MOST_SCALE ((size_t)1 << 6)
#define BATCH 32                       // messages that are read at once
#define BATCH_BYTES ((size_t)1 << 18)  // of these messages; the last one may go beyond it

typedef struct {
  bag base;
  int64_t *id;                // of each topic in the file
  size_t scale;               // place = scale * id of the message
  _Atomic(sqlite3 *) *spare;  // a connection that no cursor uses; NULL: none
} sqlite_bag;

typedef struct {
  int64_t id, time, topic;
  size_t at, size;  // bytes
} kept_message;

typedef struct {
  bag_cursor base;
  sqlite3 *db;
  sqlite3_stmt *query;
  int only;                   // the topic, if it is the only one; -1: there are several
  kept_message batch[BATCH];  // messages that were read
  int count, next;            // next: to give
  uint8_t *bytes;             // of these messages
  size_t used, room;
  bool failed;  // no memory
  int code;     // of the last step of the query: SQLITE_ROW if more may follow
} sqlite_cursor;

bool sqlite_starts(const char *head, size_t size) {
  return size >= 16 && memcmp(head, "SQLite format 3", 16) == 0;
}

static rbv_status refuse(const char *path, sqlite3 *db) {
  const int code = sqlite3_errcode(db);
  if (code == SQLITE_NOMEM) {
    // SQLite also says so if a damaged file states a size that it does not even try to allocate
    void *probe = rbv_alloc(PROBE_BYTES);
    if (!probe) return RBV_EMEM;
    rbv_free(probe);
    return rbv_fail(RBV_EINPUT, "%s: the file is damaged: it states an impossible size", path);
  }
  if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB)
    return rbv_fail(RBV_EINPUT, "%s: the file is damaged or truncated: %s", path,
                    sqlite3_errmsg(db));
  return rbv_fail(RBV_EINPUT, "%s: %s", path, sqlite3_errmsg(db));
}

/* Open the database; only for reading, and with a schema that is not trusted. */
static rbv_status open_database(sqlite3 **out, const char *path, bool immutable) {
  rbv_text uri = {0};
  rbv_text_put(&uri, "file:");
  for (const char *p = path; *p; p++) {
    if (*p == '?' || *p == '#' || *p == '%')
      rbv_text_print(&uri, "%%%02X", (unsigned char)*p);
    else
      rbv_text_add(&uri, p, 1);
  }
  rbv_text_print(&uri, "?mode=ro%s", immutable ? "&immutable=1" : "");
  if (uri.failed) return RBV_EMEM;
  const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
  sqlite3 *db = NULL;
  const int code = sqlite3_open_v2(uri.data, &db, flags, NULL);
  rbv_text_free(&uri);
  if (code != SQLITE_OK || !db) {
    RBV_FINISH(db ? refuse(path, db) : RBV_EMEM, sqlite3_close(db));
  }
  (void)sqlite3_limit(db, SQLITE_LIMIT_LENGTH, LONGEST_VALUE);
  (void)sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  (void)sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  (void)sqlite3_exec(db, "PRAGMA cell_size_check=ON; PRAGMA mmap_size=134217728", NULL, NULL, NULL);
  *out = db;
  return RBV_OK;
}

/* SQLite reads missing pages as zeros. The header has the size of a page and their number, which is
 * valid if two counters agree. */
static rbv_status check_size(const char *path, size_t size) {
  unsigned char head[100];
  FILE *file = fopen(path, "rb");
  const size_t n = file ? fread(head, 1, sizeof head, file) : 0;
  if (file) fclose(file);
  size_t page = n == sizeof head ? (size_t)head[16] << 8 | head[17] : 0;
  if (page == 1) page = 65536;
  const size_t pages = n == sizeof head ? (size_t)head[28] << 24 | (size_t)head[29] << 16 |
                                              (size_t)head[30] << 8 | head[31]
                                        : 1;
  const bool valid = n < sizeof head || memcmp(head + 24, head + 92, 4) == 0;
  if (n == sizeof head && (!valid || pages * page <= size)) return RBV_OK;
  return rbv_fail(RBV_EINPUT, "%s: the file is truncated: it has %zu of %zu bytes", path, size,
                  pages * page);
}

static rbv_status prepare(sqlite3_stmt **out, const char *path, sqlite3 *db, const char *text) {
  if (sqlite3_prepare_v2(db, text, -1, out, NULL) == SQLITE_OK) return RBV_OK;
  return refuse(path, db);
}

static const char *text_at(sqlite3_stmt *query, int column) {
  const unsigned char *text = sqlite3_column_text(query, column);
  return text ? (const char *)text : "";
}

/* Tables of a bag. A view or a virtual table could run any query. */
typedef struct {
  bool messages, topics, definitions;
} tables;

/* Find the tables. All queries of a connection are one transaction: the file is locked once. */
static rbv_status find_tables(tables *out, const char *path, sqlite3 *db) {
  sqlite3_stmt *query;
  *out = (tables){false};
  if (sqlite3_exec(db, "BEGIN", NULL, NULL, NULL) != SQLITE_OK) return refuse(path, db);
  RBV_TRY(prepare(&query, path, db,
                  "SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('messages', "
                  "'topics', 'message_definitions') AND sql NOT LIKE 'CREATE VIRTUAL%'"));
  int code;
  while ((code = sqlite3_step(query)) == SQLITE_ROW) {
    const char *name = text_at(query, 0);
    out->messages |= strcmp(name, "messages") == 0;
    out->topics |= strcmp(name, "topics") == 0;
    out->definitions |= strcmp(name, "message_definitions") == 0;
  }
  RBV_FINISH(code == SQLITE_DONE ? RBV_OK : refuse(path, db), sqlite3_finalize(query));
}

/* A file in a folder that cannot be written, with a journal, can only be opened as immutable. */
static rbv_status open_readable(sqlite3 **out, tables *found, const char *path) {
  for (int immutable = 0; immutable < 2; immutable++) {
    RBV_TRY(open_database(out, path, immutable));
    const rbv_status status = find_tables(found, path, *out);
    const int code = sqlite3_errcode(*out);
    if (status == RBV_OK) return RBV_OK;
    sqlite3_close(*out);
    *out = NULL;
    if (immutable || (code != SQLITE_CANTOPEN && code != SQLITE_READONLY)) return status;
  }
  return RBV_OK;
}

static rbv_status read_topics(sqlite_bag *b, sqlite3 *db, const tables *found) {
  const char *path = b->base.path;
  if (!found->messages || !found->topics)
    return rbv_fail(RBV_EINPUT,
                    "%s: the SQLite file is not a rosbag2: it has no tables topics and messages",
                    path);
  sqlite3_stmt *query;
  RBV_TRY(
      prepare(&query, path, db,
              found->definitions
                  ? "SELECT t.id, t.name, t.type, t.serialization_format, "
                    "d.encoded_message_definition FROM topics t LEFT JOIN message_definitions d "
                    "ON d.topic_type = t.type AND d.encoding = 'ros2msg' ORDER BY t.id"
                  : "SELECT id, name, type, serialization_format, NULL FROM topics ORDER BY id"));
  rbv_status status = RBV_OK;
  int code;
  while (status == RBV_OK && (code = sqlite3_step(query)) == SQLITE_ROW) {
    const char *definition = (const char *)sqlite3_column_text(query, 4);
    const int before = b->base.ntopic;
    int topic;
    status = bag_add_topic(&topic, &b->base, text_at(query, 1), text_at(query, 2),
                           text_at(query, 3), definition, definition ? strlen(definition) : 0);
    if (status != RBV_OK || b->base.ntopic == before) continue;
    int64_t *id =
        rbv_realloc(b->id, sizeof *id * (size_t)before, sizeof *id * (size_t)(before + 1));
    if (!id) {
      status = RBV_EMEM;
      break;
    }
    b->id = id;
    b->id[topic] = sqlite3_column_int64(query, 0);
  }
  if (status == RBV_OK && code != SQLITE_DONE) status = refuse(path, db);
  sqlite3_finalize(query);
  return status;
}

/* Places are about the bytes of the file, so that stretches of it take about the same time. */
static rbv_status find_size(sqlite_bag *b, sqlite3 *db) {
  sqlite3_stmt *query;
  RBV_TRY(prepare(&query, b->base.path, db, "SELECT max(id) FROM messages"));
  const int code = sqlite3_step(query);
  const int64_t last = code == SQLITE_ROW ? sqlite3_column_int64(query, 0) : 0;
  const rbv_status status = code == SQLITE_ROW ? RBV_OK : refuse(b->base.path, db);
  sqlite3_finalize(query);
  if (status != RBV_OK) return status;
  if (last < 0 || last > MOST_ID)
    return rbv_fail(RBV_EINPUT, "%s: the file is damaged: a message has the number %lld",
                    b->base.path, (long long)last);
  b->scale = MOST_SCALE;
  b->base.size = ((size_t)last + 1) * b->scale;
  return RBV_OK;
}

/* ---- cursors ---- */

static void free_cursor(bag_cursor *cursor) {
  sqlite_cursor *c = (sqlite_cursor *)cursor;
  sqlite3_finalize(c->query);
  // the next cursor can use the connection
  sqlite3 *none = NULL;
  if (!atomic_compare_exchange_strong(((const sqlite_bag *)c->base.bag)->spare, &none, c->db))
    sqlite3_close(c->db);
  rbv_free(c->bytes);
  rbv_free(c);
}

static rbv_status seek_cursor(bag_cursor *cursor, size_t place) {
  sqlite_cursor *c = (sqlite_cursor *)cursor;
  const sqlite_bag *b = (const sqlite_bag *)c->base.bag;
  sqlite3_reset(c->query);
  c->count = c->next = 0;
  c->code = SQLITE_ROW;
  const int64_t id = (int64_t)(place / b->scale + (place % b->scale > 0));
  if (sqlite3_bind_int64(c->query, 1, id) == SQLITE_OK) return RBV_OK;
  return refuse(b->base.path, c->db);
}

/* Room for the bytes of one more message. */
static bool make_room(sqlite_cursor *c, size_t n) {
  if (c->used + n <= c->room) return true;
  const size_t want = c->used + n, room = want < BATCH_BYTES ? BATCH_BYTES : want;
  uint8_t *bytes = rbv_realloc(c->bytes, c->used, room);
  c->failed = !bytes;
  if (!bytes) return false;
  c->bytes = bytes;
  c->room = room;
  return true;
}

/*
 * The SQL function keep(id, timestamp, data, topic_id): add a message to the batch. It is true if
 * the query shall stop there. A query that stops at every message takes half as long again.
 */
static void keep(sqlite3_context *context, int n, sqlite3_value **values) {
  (void)n;
  sqlite_cursor *c = sqlite3_user_data(context);
  const void *data = sqlite3_value_blob(values[2]);
  const size_t size = data ? (size_t)sqlite3_value_bytes(values[2]) : 0;
  if (make_room(c, size)) {
    c->batch[c->count++] = (kept_message){.id = sqlite3_value_int64(values[0]),
                                          .time = sqlite3_value_int64(values[1]),
                                          .topic = sqlite3_value_int64(values[3]),
                                          .at = c->used,
                                          .size = size};
    if (size > 0) memcpy(c->bytes + c->used, data, size);
    c->used += size;
  }
  sqlite3_result_int(context, c->failed || c->count == BATCH || c->used >= BATCH_BYTES);
}

/* Read the next messages. CASE guarantees that nothing of other topics is read. */
static rbv_status fill_batch(sqlite_cursor *c) {
  c->count = c->next = 0;
  c->used = 0;
  c->failed = false;
  if (c->code == SQLITE_ROW) c->code = sqlite3_step(c->query);
  if (c->failed) return RBV_EMEM;
  if (c->count > 0 || c->code == SQLITE_DONE) return RBV_OK;
  return refuse(c->base.bag->path, c->db);
}

static rbv_status make_query(sqlite_cursor *c, const bool *wanted) {
  const sqlite_bag *b = (const sqlite_bag *)c->base.bag;
  rbv_text text = {0};
  rbv_text_put(&text, "SELECT 1 FROM messages WHERE id >= ?1 AND CASE WHEN topic_id IN (");
  int n = 0;
  for (int i = 0; i < b->base.ntopic; i++)
    if (wanted[i]) {
      c->only = i;
      rbv_text_print(&text, "%s%lld", n++ ? "," : "", (long long)b->id[i]);
    }
  if (n != 1) c->only = -1;
  rbv_text_print(&text, ") THEN keep(id, timestamp, data, %s) END ORDER BY id",
                 n == 1 ? "0" : "topic_id");
  rbv_status status = text.failed ? RBV_EMEM : RBV_OK;
  const int flags = SQLITE_UTF8 | SQLITE_DIRECTONLY;
  if (status == RBV_OK &&
      sqlite3_create_function(c->db, "keep", 4, flags, c, keep, NULL, NULL) != SQLITE_OK)
    status = refuse(b->base.path, c->db);
  if (status == RBV_OK) status = prepare(&c->query, b->base.path, c->db, text.data);
  rbv_text_free(&text);
  return status;
}

static rbv_status new_cursor(bag_cursor **out, const bag *base, const bool *wanted) {
  const sqlite_bag *b = (const sqlite_bag *)base;
  *out = NULL;
  RBV_NEW(sqlite_cursor, c, 1);
  c->base.bag = base;
  tables found;
  rbv_status status = RBV_OK;
  c->db = atomic_exchange(b->spare, NULL);
  if (!c->db) status = open_readable(&c->db, &found, base->path);
  if (status == RBV_OK) status = make_query(c, wanted);
  if (status == RBV_OK) status = seek_cursor(&c->base, 0);
  if (status == RBV_OK)
    *out = &c->base;
  else
    free_cursor(&c->base);
  return status;
}

static rbv_status next_message(bool *found, bag_message *m, bag_cursor *cursor) {
  sqlite_cursor *c = (sqlite_cursor *)cursor;
  const sqlite_bag *b = (const sqlite_bag *)c->base.bag;
  *found = false;
  if (c->next == c->count) RBV_TRY(fill_batch(c));
  if (c->next == c->count) return RBV_OK;
  const kept_message *k = &c->batch[c->next++];
  // messages may have been added since the bag was opened
  if (k->id < 0 || (size_t)k->id >= b->base.size / b->scale) return RBV_OK;
  m->topic = c->only;
  if (c->only < 0) {
    m->topic = 0;
    while (m->topic < b->base.ntopic - 1 && b->id[m->topic] != k->topic) m->topic++;
  }
  m->time = k->time;
  m->data = c->bytes + k->at;
  m->size = k->size;
  m->place = (size_t)k->id * b->scale;
  *found = true;
  return RBV_OK;
}

/* ---- bags ---- */

static void close_bag(bag *base) {
  sqlite_bag *b = (sqlite_bag *)base;
  bag_free_topics(base);
  if (b->spare) sqlite3_close(atomic_load(b->spare));
  RBV_FREE_ALL(b->spare, b->id, base->path, b);
}

static const bag_kind sqlite_kind = {.close = close_bag,
                                     .cursor = new_cursor,
                                     .cursor_free = free_cursor,
                                     .seek = seek_cursor,
                                     .next = next_message};

rbv_status bag_open_sqlite(bag **out, const char *path) {
  *out = NULL;
  struct stat info;
  if (stat(path, &info) != 0) return rbv_fail(RBV_EREAD, "%s: %s", path, strerror(errno));
  RBV_NEW(sqlite_bag, b, 1);
  b->base.kind = &sqlite_kind;
  b->base.path = rbv_strdup(path);
  b->spare = rbv_alloc(sizeof *b->spare);
  sqlite3 *db = NULL;
  tables found;
  rbv_status status = b->base.path && b->spare ? check_size(path, (size_t)info.st_size) : RBV_EMEM;
  if (status == RBV_OK) status = open_readable(&db, &found, path);
  if (status == RBV_OK) status = read_topics(b, db, &found);
  if (status == RBV_OK) status = find_size(b, db);
  if (b->spare)
    atomic_store(b->spare, db);
  else
    sqlite3_close(db);
  if (status == RBV_OK)
    *out = &b->base;
  else
    close_bag(&b->base);
  return status;
}

const char *sqlite_library(char version[64]) {
  snprintf(version, 64, "%s", sqlite3_libversion());
  return "SQLite";
}
