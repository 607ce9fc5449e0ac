/* CSV that is compressed with gzip or zstd. The text is unpacked into a spool, which CSV reads. */
#include <string.h>
#include <unistd.h>

#include "base/support.h"
#include "log/bag.h"
#include "log/file_bytes.h"
#include "log/spool.h"
#include "log/table.h"

#define PIECE ((size_t)1 << 16)
#define SAMPLE_PACKED ((size_t)1 << 18)    // bytes that the size is estimated from,
#define SAMPLE_UNPACKED ((size_t)1 << 26)  // or so much text

bool gzip_recognises(const char *path, const char *head, size_t size) {
  (void)path;
  return size >= 2 && memcmp(head, "\x1F\x8B", 2) == 0;
}

bool zstd_recognises(const char *path, const char *head, size_t size) {
  (void)path;
  return size >= 4 && memcmp(head, "\x28\xB5\x2F\xFD", 4) == 0;
}

/* ---- the beginning ---- */

typedef struct {
  int file;
  size_t size;
  unpacker *unpacker;
} packed_file;

static void close_packed(packed_file *f) {
  unpacker_close(f->unpacker);
  close(f->file);
}

static rbv_status open_packed(packed_file *f, const char *path, packing how) {
  *f = (packed_file){0};
  RBV_TRY(file_open(&f->file, &f->size, path));
  const rbv_status status =
      unpacker_open(&f->unpacker, how, path, &(packed_bytes){.file = f->file, .size = SIZE_MAX});
  if (status != RBV_OK) close_packed(f);
  return status;
}

/* Estimate the bytes of the text from its beginning. */
static rbv_status estimate(size_t *out, const char *path, packing how) {
  *out = 0;
  packed_file f;
  RBV_TRY(open_packed(&f, path, how));
  uint8_t *text = rbv_alloc(PIECE);
  rbv_status status = text ? RBV_OK : RBV_EMEM;
  size_t total = 0, used = 0;
  for (size_t got = 1; got > 0 && status == RBV_OK; total += got, used = unpacker_used(f.unpacker))
    if (used >= SAMPLE_PACKED || total >= SAMPLE_UNPACKED)
      got = 0;
    else
      status = unpacker_read(&got, f.unpacker, text, PIECE);
  if (used > 0) *out = (size_t)((double)total * ((double)f.size / (double)used));
  rbv_free(text);
  close_packed(&f);
  return status;
}

rbv_status gzip_bytes(size_t *out, const char *path) { return estimate(out, path, PACKED_GZIP); }

rbv_status zstd_bytes(size_t *out, const char *path) { return estimate(out, path, PACKED_ZSTD); }

static rbv_status refuse_bag(const char *path, packing how) {
  packed_file f;
  char head[32];
  size_t n;
  RBV_TRY(open_packed(&f, path, how));
  const rbv_status status = unpacker_read(&n, f.unpacker, (uint8_t *)head, sizeof head);
  close_packed(&f);
  if (status != RBV_OK || !(sqlite_starts(head, n) || mcap_starts(head, n))) return status;
  return rbv_fail(RBV_EINPUT, "%s: the file is a compressed bag: unpack it first (%s)", path,
                  how == PACKED_ZSTD ? "zstd -d" : "gunzip");
}

/* ---- the text ---- */

/* The text as an open file without a name. */
static rbv_status unpack_text(int *out, const char *path, packing how, bool pieces) {
  RBV_TRY(refuse_bag(path, how));
  int file;
  size_t size;
  RBV_TRY(file_open(&file, &size, path));
  spool text = spool_new(pieces);
  const rbv_status status =
      spool_unpack(&text, how, path, &(packed_bytes){.file = file, .size = SIZE_MAX}, SIZE_MAX);
  close(file);
  RBV_GIVE(out, text.file, status, spool_close(&text));
}

static rbv_status read_packed(table *t, const char *path, packing how) {
  int text;
  RBV_TRY(unpack_text(&text, path, how, false));
  return csv_table_file(t, path, text);
}

rbv_status gzip_table(table *t, const char *path, const wanted_columns *want) {
  (void)want;
  return read_packed(t, path, PACKED_GZIP);
}

rbv_status zstd_table(table *t, const char *path, const wanted_columns *want) {
  (void)want;
  return read_packed(t, path, PACKED_ZSTD);
}

static rbv_status open_rows(struct rows **out, const char *path, packing how) {
  int text;
  *out = NULL;
  RBV_TRY(unpack_text(&text, path, how, true));
  return csv_open_file(out, path, text);
}

rbv_status gzip_open(struct rows **out, const char *path, const wanted_columns *want) {
  (void)want;
  return open_rows(out, path, PACKED_GZIP);
}

rbv_status zstd_open(struct rows **out, const char *path, const wanted_columns *want) {
  (void)want;
  return open_rows(out, path, PACKED_ZSTD);
}
