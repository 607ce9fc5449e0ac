/*
 * rosbag2 files in MCAP (https://mcap.dev/spec), with or without chunks and summary, also if they
 * are cut off.
 *
 * Opening walks over the records of the file and lists its segments: chunks, and runs of messages
 * outside of chunks. Places count the bytes of the segments after unpacking, so that a message in a
 * compressed chunk has a place too.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/support.h"
#include "log/bag.h"
#include "log/unpack.h"

#define MAGIC "\x89MCAP0\r\n"
#define MAGIC_BYTES 8
#define RECORD_HEAD 9    // opcode and length
#define MESSAGE_HEAD 22  // channel, sequence, two times
#define CHUNK_HEAD 40    // up to and with the length of the records, without names
#define LARGEST_CHUNK ((size_t)256 << 20)  // after unpacking
#define LARGEST_RECORD ((size_t)64 << 20)  // other records that are read
#define RUN_BYTES ((size_t)1 << 20)        // of messages without chunks
#define WINDOW_BYTES ((size_t)1 << 16)     // that the walk reads at once

enum { SCHEMA = 3, CHANNEL = 4, MESSAGE = 5, CHUNK = 6 };

typedef enum { PLAIN, ZSTD, LZ4, RUN } storage;

typedef struct {
  uint64_t at, bytes;  // in the file: records of the chunk, or messages
  size_t place;        // of the first byte after unpacking
  size_t size;         // after unpacking, as stated
  uint32_t crc;        // 0: not stated
  storage kind;
} segment;

typedef struct {
  char *name, *encoding, *definition;
  size_t size;
} schema;

typedef struct {
  bag base;
  int file;
  uint64_t file_size;
  segment *segments;
  ptrdiff_t nsegment, segment_room;
  int *topic_of;  // of each channel, by its number; -1: none
  int nchannel;
  schema *schemas;  // by their numbers
  int nschema;
} mcap_bag;

typedef struct {
  bag_cursor base;
  bool *wanted;
  ptrdiff_t segment;  // that is loaded; -1: none
  ptrdiff_t next_segment;
  uint8_t *raw;  // bytes of the file
  size_t raw_room;
  unpacked unpacked;
  const uint8_t *data;  // of the segment
  size_t size, at;
} mcap_cursor;

bool mcap_starts(const char *head, size_t size) {
  return size >= MAGIC_BYTES && memcmp(head, MAGIC, MAGIC_BYTES) == 0;
}

static uint64_t little(const uint8_t *p, int bytes) {
  uint64_t x = 0;
  for (int i = bytes - 1; i >= 0; i--) x = x << 8 | p[i];
  return x;
}

static rbv_status damaged(const mcap_bag *b, uint64_t at, const char *what) {
  return rbv_fail(RBV_EINPUT, "%s: the file is damaged: %s at byte %llu", b->base.path, what,
                  (unsigned long long)at);
}

static rbv_status read_at(const mcap_bag *b, uint8_t *to, uint64_t at, size_t size) {
  while (size > 0) {
    const ssize_t n = pread(b->file, to, size, (off_t)at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return rbv_fail(RBV_EREAD, "%s: %s", b->base.path, strerror(errno));
    if (n == 0)
      return rbv_fail(RBV_EREAD, "%s: the file became shorter while it was read", b->base.path);
    to += n;
    at += (uint64_t)n;
    size -= (size_t)n;
  }
  return RBV_OK;
}

/* ---- schemas and channels ---- */

/* A text with its length before it; false: it does not fit. */
static bool take_text(const char **text, size_t *n, const uint8_t **p, const uint8_t *end) {
  if (end - *p < 4) return false;
  const uint32_t length = (uint32_t)little(*p, 4);
  if (length > (size_t)(end - *p) - 4) return false;
  *text = (const char *)*p + 4;
  *n = length;
  *p += 4 + length;
  return true;
}

static rbv_status read_schema(mcap_bag *b, const uint8_t *p, size_t size, uint64_t at) {
  const uint8_t *const end = p + size;
  if (size < 2) return damaged(b, at, "an incomplete schema");
  const int id = (int)little(p, 2);
  p += 2;
  const char *name, *encoding, *data;
  size_t nname, nencoding, ndata;
  if (!take_text(&name, &nname, &p, end) || !take_text(&encoding, &nencoding, &p, end) ||
      !take_text(&data, &ndata, &p, end))
    return damaged(b, at, "an incomplete schema");
  if (id >= b->nschema) {
    schema *more =
        rbv_realloc(b->schemas, sizeof *more * (size_t)b->nschema, sizeof *more * (size_t)(id + 1));
    if (!more) return RBV_EMEM;
    b->schemas = more;
    b->nschema = id + 1;
  }
  schema *s = &b->schemas[id];
  if (s->name) return RBV_OK;  // it is repeated in the summary
  s->encoding = rbv_strndup(encoding, nencoding);
  s->definition = rbv_strndup(data, ndata);
  s->size = ndata;
  s->name = rbv_strndup(name, nname);
  return s->encoding && s->definition && s->name ? RBV_OK : RBV_EMEM;
}

static rbv_status read_channel(mcap_bag *b, const uint8_t *p, size_t size, uint64_t at) {
  const uint8_t *const end = p + size;
  if (size < 4) return damaged(b, at, "an incomplete channel");
  const int id = (int)little(p, 2), of = (int)little(p + 2, 2);
  p += 4;
  const char *topic, *encoding;
  size_t ntopic, nencoding;
  if (!take_text(&topic, &ntopic, &p, end) || !take_text(&encoding, &nencoding, &p, end))
    return damaged(b, at, "an incomplete channel");
  if (id >= b->nchannel) {
    int *more = rbv_realloc(b->topic_of, sizeof *more * (size_t)b->nchannel,
                            sizeof *more * (size_t)(id + 1));
    if (!more) return RBV_EMEM;
    b->topic_of = more;
    while (b->nchannel <= id) b->topic_of[b->nchannel++] = -1;
  }
  if (b->topic_of[id] >= 0) return RBV_OK;
  const schema *s = of < b->nschema && b->schemas[of].name ? &b->schemas[of] : NULL;
  const bool known = s && strcmp(s->encoding, "ros2msg") == 0;
  char *name = rbv_strndup(topic, ntopic), *code = rbv_strndup(encoding, nencoding);
  const rbv_status status =
      name && code ? bag_add_topic(&b->topic_of[id], &b->base, name, s ? s->name : "", code,
                                   known ? s->definition : NULL, known ? s->size : 0)
                   : RBV_EMEM;
  rbv_free(name);
  rbv_free(code);
  return status;
}

/* ---- segments ---- */

static rbv_status add_segment(mcap_bag *b, segment s) {
  if (b->nsegment == b->segment_room) {
    const ptrdiff_t room = b->segment_room ? 2 * b->segment_room : 16;
    segment *more =
        rbv_realloc(b->segments, sizeof *more * (size_t)b->nsegment, sizeof *more * (size_t)room);
    if (!more) return RBV_EMEM;
    b->segments = more;
    b->segment_room = room;
  }
  s.place = b->base.size;
  b->base.size += s.size;
  b->segments[b->nsegment++] = s;
  return RBV_OK;
}

static rbv_status add_chunk(mcap_bag *b, uint64_t at, uint64_t length) {
  uint8_t head[CHUNK_HEAD + 32];
  const size_t have = length < sizeof head ? (size_t)length : sizeof head;
  RBV_TRY(read_at(b, head, at, have));
  const uint8_t *p = head + 28, *const end = head + have;
  const char *name;
  size_t n;
  if (have < CHUNK_HEAD || !take_text(&name, &n, &p, end) || end - p < 8)
    return damaged(b, at, "an incomplete chunk");
  const uint64_t size = little(head + 16, 8), bytes = little(p, 8);
  segment s = {.at = at + (uint64_t)(p + 8 - head), .bytes = bytes, .size = (size_t)size};
  s.crc = (uint32_t)little(head + 24, 4);
  if (bytes > length - (s.at - at)) return damaged(b, at, "a chunk that is longer than its record");
  if (n == 0)
    s.kind = PLAIN;
  else if (n == 4 && memcmp(name, "zstd", 4) == 0)
    s.kind = ZSTD;
  else if (n == 3 && memcmp(name, "lz4", 3) == 0)
    s.kind = LZ4;
  else
    return rbv_fail(RBV_EINPUT, "%s: the compression '%.*s' is not supported (zstd and lz4 are)",
                    b->base.path, (int)(n < 20 ? n : 20), name);
  if (size > LARGEST_CHUNK)
    return rbv_fail(RBV_EINPUT, "%s: a chunk has %llu MB; at most %zu MB are read", b->base.path,
                    (unsigned long long)(size >> 20), LARGEST_CHUNK >> 20);
  if (s.kind == PLAIN && size != bytes) return damaged(b, at, "a chunk with a wrong size");
  return size > 0 ? add_segment(b, s) : RBV_OK;
}

/* A part of the file, for a walk over its records. */
typedef struct {
  uint8_t *data;
  uint64_t at;
  size_t size;
} window;

static rbv_status look_at(window *w, const mcap_bag *b, uint64_t at, size_t size) {
  if (at >= w->at && at + size <= w->at + w->size) return RBV_OK;
  w->at = at;
  const uint64_t left = b->file_size - at;
  w->size = left < WINDOW_BYTES ? (size_t)left : WINDOW_BYTES;
  return read_at(b, w->data, at, w->size);
}

/* Read a schema or a channel that stands outside of chunks. */
static rbv_status read_record(mcap_bag *b, int code, uint64_t at, uint64_t length) {
  if (length > LARGEST_RECORD) return damaged(b, at, "a very large record");
  uint8_t *data = rbv_alloc((size_t)length);
  if (!data) return RBV_EMEM;
  rbv_status status = read_at(b, data, at, (size_t)length);
  if (status == RBV_OK)
    status = code == SCHEMA ? read_schema(b, data, (size_t)length, at)
                            : read_channel(b, data, (size_t)length, at);
  rbv_free(data);
  return status;
}

/* Walk over all records. A record that is not complete ends a file that was cut off. */
static rbv_status walk_file(mcap_bag *b, window *w) {
  segment run = {.kind = RUN};
  uint64_t at = MAGIC_BYTES;
  while (at < b->file_size && b->file_size - at >= RECORD_HEAD) {
    RBV_TRY(look_at(w, b, at, RECORD_HEAD));
    const uint8_t *p = w->data + (at - w->at);
    const int code = p[0];
    const uint64_t length = little(p + 1, 8), content = at + RECORD_HEAD;
    if (length > b->file_size - content || code == 0) break;
    if (code == CHUNK) RBV_TRY(add_chunk(b, content, length));
    if (code == SCHEMA || code == CHANNEL) RBV_TRY(read_record(b, code, content, length));
    if (code == MESSAGE) {
      if (run.bytes == 0) run.at = at;
      run.bytes = content + length - run.at;
      run.size = (size_t)run.bytes;
    }
    at = content + length;
    if (run.bytes > 0 && (code != MESSAGE || run.bytes >= RUN_BYTES)) {
      RBV_TRY(add_segment(b, run));
      run = (segment){.kind = RUN};
    }
  }
  return run.bytes > 0 ? add_segment(b, run) : RBV_OK;
}

/* ---- unpacking ---- */

static rbv_status load_segment(mcap_cursor *c, ptrdiff_t i) {
  const mcap_bag *b = (const mcap_bag *)c->base.bag;
  const segment *s = &b->segments[i];
  c->segment = -1;
  c->at = c->size = 0;
  if (s->bytes > c->raw_room) {
    rbv_free(c->raw);
    c->raw_room = 0;
    c->raw = rbv_alloc((size_t)s->bytes);  // not more than the file has
    if (!c->raw) return RBV_EMEM;
    c->raw_room = (size_t)s->bytes;
  }
  RBV_TRY(read_at(b, c->raw, s->at, (size_t)s->bytes));
  c->data = c->raw;
  c->size = (size_t)s->bytes;
  if (s->kind == ZSTD || s->kind == LZ4) {
    c->unpacked.size = 0;
    RBV_TRY(unpack(&c->unpacked, s->kind == ZSTD ? PACKED_ZSTD : PACKED_LZ4, b->base.path, c->raw,
                   (size_t)s->bytes, s->size));
    c->data = c->unpacked.data;
    c->size = c->unpacked.size;
    if (c->size != s->size) return damaged(b, s->at, "a chunk with a wrong size");
  }
  if (s->crc != 0 && crc32_of(c->data, c->size) != s->crc)
    return damaged(b, s->at, "a chunk with a wrong checksum");
  c->segment = i;
  return RBV_OK;
}

/* ---- cursors ---- */

static void free_cursor(bag_cursor *cursor) {
  mcap_cursor *c = (mcap_cursor *)cursor;
  unpacked_free(&c->unpacked);
  RBV_FREE_ALL(c->raw, c->wanted, c);
}

static rbv_status new_cursor(bag_cursor **out, const bag *b, const bool *wanted) {
  *out = NULL;
  RBV_NEW(mcap_cursor, c, 1);
  c->base.bag = b;
  c->segment = -1;
  c->wanted = rbv_alloc(sizeof *wanted * (size_t)(b->ntopic + 1));
  if (!c->wanted) {
    free_cursor(&c->base);
    return RBV_EMEM;
  }
  if (b->ntopic > 0) memcpy(c->wanted, wanted, sizeof *wanted * (size_t)b->ntopic);
  *out = &c->base;
  return RBV_OK;
}

/* The next record of the loaded segment; *code is 0 at its end. */
static rbv_status next_record(int *code, const uint8_t **content, size_t *length, mcap_cursor *c) {
  const mcap_bag *b = (const mcap_bag *)c->base.bag;
  *code = 0;
  if (c->at == c->size) return RBV_OK;
  if (c->size - c->at < RECORD_HEAD)
    return damaged(b, b->segments[c->segment].at, "an incomplete record in a chunk");
  const uint64_t n = little(c->data + c->at + 1, 8);
  if (n > c->size - c->at - RECORD_HEAD)
    return damaged(b, b->segments[c->segment].at, "an incomplete record in a chunk");
  *code = c->data[c->at];
  *content = c->data + c->at + RECORD_HEAD;
  *length = (size_t)n;
  c->at += RECORD_HEAD + (size_t)n;
  if (*code == 0) *code = 255;
  return RBV_OK;
}

static rbv_status seek_cursor(bag_cursor *cursor, size_t place) {
  mcap_cursor *c = (mcap_cursor *)cursor;
  const mcap_bag *b = (const mcap_bag *)c->base.bag;
  // the last segment that begins at or before the place
  ptrdiff_t low = 0, high = b->nsegment;
  while (high - low > 1) {
    const ptrdiff_t middle = low + (high - low) / 2;
    if (b->segments[middle].place <= place)
      low = middle;
    else
      high = middle;
  }
  if (b->nsegment == 0 || place >= b->base.size) {
    c->segment = -1;
    c->at = c->size = 0;
    c->next_segment = b->nsegment;
    return RBV_OK;
  }
  if (c->segment != low) RBV_TRY(load_segment(c, low));
  c->next_segment = low + 1;
  c->at = 0;
  while (c->at < c->size && b->segments[low].place + c->at < place) {
    int code;
    const uint8_t *content;
    size_t length;
    RBV_TRY(next_record(&code, &content, &length, c));
  }
  return RBV_OK;
}

static rbv_status next_message(bool *found, bag_message *m, bag_cursor *cursor) {
  mcap_cursor *c = (mcap_cursor *)cursor;
  const mcap_bag *b = (const mcap_bag *)c->base.bag;
  *found = false;
  for (;;) {
    const size_t at = c->at;
    int code;
    const uint8_t *p;
    size_t length;
    RBV_TRY(next_record(&code, &p, &length, c));
    if (code == 0) {
      if (c->next_segment >= b->nsegment) return RBV_OK;
      RBV_TRY(load_segment(c, c->next_segment));
      c->next_segment++;
      continue;
    }
    if (code != MESSAGE) continue;
    if (length < MESSAGE_HEAD)
      return damaged(b, b->segments[c->segment].at, "an incomplete message");
    const int channel = (int)little(p, 2),
              topic = channel < b->nchannel ? b->topic_of[channel] : -1;
    if (topic < 0 || !c->wanted[topic]) continue;
    *m = (bag_message){.topic = topic,
                       .time = (int64_t)little(p + 6, 8),
                       .data = p + MESSAGE_HEAD,
                       .size = length - MESSAGE_HEAD,
                       .place = b->segments[c->segment].place + at};
    *found = true;
    return RBV_OK;
  }
}

/* ---- bags ---- */

static void close_bag(bag *base) {
  mcap_bag *b = (mcap_bag *)base;
  if (b->file >= 0) close(b->file);
  bag_free_topics(base);
  for (int i = 0; i < b->nschema; i++) {
    RBV_FREE_ALL(b->schemas[i].name, b->schemas[i].encoding, b->schemas[i].definition);
  }
  RBV_FREE_ALL(b->schemas, b->topic_of, b->segments, base->path, b);
}

/* Without a summary, channels are known only by the chunks that have them. */
static rbv_status search_chunks(mcap_bag *b) {
  bag_cursor *cursor;
  RBV_TRY(new_cursor(&cursor, &b->base, NULL));
  mcap_cursor *c = (mcap_cursor *)cursor;
  rbv_status status = RBV_OK;
  for (ptrdiff_t i = 0; i < b->nsegment && status == RBV_OK; i++) {
    if (b->segments[i].kind == RUN) continue;
    status = load_segment(c, i);
    for (int code = 1; code != 0 && status == RBV_OK;) {
      const uint8_t *p;
      size_t length;
      status = next_record(&code, &p, &length, c);
      if (status == RBV_OK && code == SCHEMA) status = read_schema(b, p, length, b->segments[i].at);
      if (status == RBV_OK && code == CHANNEL)
        status = read_channel(b, p, length, b->segments[i].at);
    }
  }
  free_cursor(cursor);
  return status;
}

static rbv_status read_index(mcap_bag *b) {
  window w = {.data = rbv_alloc(WINDOW_BYTES)};
  if (!w.data) return RBV_EMEM;
  rbv_status status = walk_file(b, &w);
  rbv_free(w.data);
  if (status == RBV_OK && b->base.ntopic == 0) status = search_chunks(b);
  return status;
}

static const bag_kind mcap_kind = {.close = close_bag,
                                   .cursor = new_cursor,
                                   .cursor_free = free_cursor,
                                   .seek = seek_cursor,
                                   .next = next_message};

rbv_status bag_open_mcap(bag **out, const char *path) {
  *out = NULL;
  RBV_NEW(mcap_bag, b, 1);
  b->base.kind = &mcap_kind;
  b->file = open(path, O_RDONLY | O_CLOEXEC);
  b->base.path = rbv_strdup(path);
  rbv_status status = b->base.path ? RBV_OK : RBV_EMEM;
  struct stat info;
  if (status == RBV_OK && (b->file < 0 || fstat(b->file, &info) != 0))
    status = rbv_fail(RBV_EREAD, "%s: %s", path, strerror(errno));
  if (status == RBV_OK) {
    b->file_size = (uint64_t)info.st_size;
    status = read_index(b);
  }
  if (status == RBV_OK)
    *out = &b->base;
  else
    close_bag(&b->base);
  return status;
}
