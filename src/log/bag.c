/* Bags of either kind, and folders of them. */
#include "log/bag.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/support.h"
#include "log/bag_files.h"
#include "storage/storage.h"

/* ---- topics ---- */

rbv_status bag_add_topic(int *out, bag *b, const char *name, const char *type, const char *encoding,
                         const char *definition, size_t definition_size) {
  for (int i = 0; i < b->ntopic; i++)
    if (strcmp(b->topics[i].name, name) == 0) {
      *out = i;
      return RBV_OK;
    }
  if (b->ntopic == BAG_MOST_TOPICS)
    return rbv_fail(RBV_EINPUT, "%s: more than %d topics", b->path, BAG_MOST_TOPICS);
  bag_topic *more = rbv_realloc(b->topics, sizeof *more * (size_t)b->ntopic,
                                sizeof *more * (size_t)(b->ntopic + 1));
  if (!more) return RBV_EMEM;
  b->topics = more;
  bag_topic *t = &b->topics[b->ntopic];
  *t = (bag_topic){.name = rbv_strdup(name), .count = -1};
  t->type = rbv_strdup(type);
  t->encoding = rbv_strdup(encoding);
  if (definition) t->definition = rbv_strndup(definition, definition_size);
  *out = b->ntopic++;
  return t->name && t->type && t->encoding && (t->definition || !definition) ? RBV_OK : RBV_EMEM;
}

void bag_free_topics(bag *b) {
  for (int i = 0; i < b->ntopic; i++) {
    RBV_FREE_ALL(b->topics[i].name, b->topics[i].type, b->topics[i].encoding,
                 b->topics[i].definition);
  }
  rbv_free(b->topics);
}

/* ---- folders: the files one after the other ---- */

typedef struct {
  bag base;
  bag **parts;
  int npart;
  size_t *place;  // of the first message of each part
  int **topic;    // of each part: number of its topics in the folder
} folder_bag;

typedef struct {
  bag_cursor base;
  bool *wanted;
  int part;
  bag_cursor *cursor;  // of the part; NULL: it is not open
} folder_cursor;

static void close_folder(bag *base) {
  folder_bag *b = (folder_bag *)base;
  for (int i = 0; i < b->npart; i++) {
    bag_close(b->parts[i]);
    rbv_free(b->topic ? b->topic[i] : NULL);
  }
  bag_free_topics(base);
  RBV_FREE_ALL(b->parts, b->place, b->topic, base->path, b);
}

static void free_folder_cursor(bag_cursor *cursor) {
  folder_cursor *c = (folder_cursor *)cursor;
  bag_cursor_free(c->cursor);
  rbv_free(c->wanted);
  rbv_free(c);
}

static rbv_status open_part(folder_cursor *c, int part) {
  const folder_bag *b = (const folder_bag *)c->base.bag;
  const bag *p = b->parts[part];
  bag_cursor_free(c->cursor);
  c->cursor = NULL;
  c->part = part;
  RBV_NEW(bool, wanted, p->ntopic + 1);
  for (int i = 0; i < p->ntopic; i++) wanted[i] = c->wanted[b->topic[part][i]];
  RBV_FINISH(bag_cursor_new(&c->cursor, p, wanted), rbv_free(wanted));
}

static rbv_status new_folder_cursor(bag_cursor **out, const bag *base, const bool *wanted) {
  *out = NULL;
  RBV_NEW(folder_cursor, c, 1);
  c->base.bag = base;
  c->wanted = rbv_alloc(sizeof *wanted * (size_t)(base->ntopic + 1));
  rbv_status status = c->wanted ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK) memcpy(c->wanted, wanted, sizeof *wanted * (size_t)base->ntopic);
  if (status == RBV_OK) status = open_part(c, 0);
  if (status == RBV_OK)
    *out = &c->base;
  else
    free_folder_cursor(&c->base);
  return status;
}

static rbv_status seek_folder(bag_cursor *cursor, size_t place) {
  folder_cursor *c = (folder_cursor *)cursor;
  const folder_bag *b = (const folder_bag *)c->base.bag;
  int part = 0;
  while (part < b->npart - 1 && b->place[part + 1] <= place) part++;
  if (part != c->part || !c->cursor) RBV_TRY(open_part(c, part));
  return bag_seek(c->cursor, place - b->place[part]);
}

static rbv_status next_of_folder(bool *found, bag_message *m, bag_cursor *cursor) {
  folder_cursor *c = (folder_cursor *)cursor;
  const folder_bag *b = (const folder_bag *)c->base.bag;
  for (;;) {
    RBV_TRY(bag_next(found, m, c->cursor));
    if (*found) {
      m->topic = b->topic[c->part][m->topic];
      m->place += b->place[c->part];
      return RBV_OK;
    }
    if (c->part + 1 >= b->npart) return RBV_OK;
    RBV_TRY(open_part(c, c->part + 1));
  }
}

static const bag_kind folder_kind = {.close = close_folder,
                                     .cursor = new_folder_cursor,
                                     .cursor_free = free_folder_cursor,
                                     .seek = seek_folder,
                                     .next = next_of_folder};

static rbv_status open_file(bag **out, const char *path) {
  char head[16];
  *out = NULL;
  RBV_TRY(rbv_input_note(NULL, path));
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return rbv_fail(RBV_EREAD, "%s: %s", path, strerror(errno));
  const ssize_t n = read(file, head, sizeof head);
  close(file);
  const size_t size = n > 0 ? (size_t)n : 0;
  if (mcap_starts(head, size)) return bag_open_mcap(out, path);
  if (sqlite_starts(head, size)) return bag_open_sqlite(out, path);
  return rbv_fail(RBV_EINPUT, "%s: the file is neither SQLite nor MCAP: it is empty or damaged",
                  path);
}

static rbv_status fill_folder(folder_bag *b, char *const *files, int n) {
  b->parts = rbv_alloc(sizeof *b->parts * (size_t)n);
  b->place = rbv_alloc(sizeof *b->place * (size_t)n);
  b->topic = rbv_alloc(sizeof *b->topic * (size_t)n);
  if (!b->parts || !b->place || !b->topic) return RBV_EMEM;
  for (int i = 0; i < n; i++) {
    bag *part;
    RBV_TRY(open_file(&part, files[i]));
    b->parts[b->npart++] = part;
    b->place[i] = b->base.size;
    b->base.size += part->size;
    b->topic[i] = rbv_alloc(sizeof *b->topic[i] * (size_t)(part->ntopic + 1));
    if (!b->topic[i]) return RBV_EMEM;
    for (int k = 0; k < part->ntopic; k++) {
      const bag_topic *t = &part->topics[k];
      RBV_TRY(bag_add_topic(&b->topic[i][k], &b->base, t->name, t->type, t->encoding, t->definition,
                            t->definition ? strlen(t->definition) : 0));
    }
  }
  return RBV_OK;
}

static rbv_status open_folder(bag **out, const char *path) {
  char **files;
  int n;
  RBV_TRY(bag_files(&files, &n, path));
  folder_bag *b = rbv_alloc(sizeof *b);
  rbv_status status = b ? RBV_OK : RBV_EMEM;
  if (b) {
    b->base.kind = &folder_kind;
    b->base.path = rbv_strdup(path);
    status = b->base.path ? fill_folder(b, files, n) : RBV_EMEM;
  }
  for (int i = 0; i < n; i++) rbv_free(files[i]);
  rbv_free(files);
  if (status == RBV_OK)
    *out = &b->base;
  else if (b)
    close_folder(&b->base);
  return status;
}

rbv_status bag_open(bag **out, const char *path) {
  *out = NULL;
  struct stat info;
  if (stat(path, &info) != 0) return rbv_fail(RBV_EREAD, "%s: %s", path, strerror(errno));
  return S_ISDIR(info.st_mode) ? open_folder(out, path) : open_file(out, path);
}
