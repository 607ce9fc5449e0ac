/* CSV that is compressed with gzip or zstd. */
#include <string.h>

#include "base/support.h"
#include "log/bag.h"
#include "log/file_bytes.h"
#include "log/table.h"
#include "log/unpack.h"

#define MOST_TEXT ((size_t)4 << 30)     // unpacked
#define SAMPLE_BYTES ((size_t)1 << 18)  // that the size is estimated from

bool gzip_recognises(const char *path, const char *head, size_t size) {
  (void)path;
  return size >= 2 && memcmp(head, "\x1F\x8B", 2) == 0;
}

bool zstd_recognises(const char *path, const char *head, size_t size) {
  (void)path;
  return size >= 4 && memcmp(head, "\x28\xB5\x2F\xFD", 4) == 0;
}

static rbv_status read_packed(table *t, const char *path, packing how) {
  const bool tolerant = t->tolerant;
  uint8_t *data;
  size_t size, whole;
  *t = (table){0};
  RBV_TRY(file_bytes(&data, &size, &whole, path, SIZE_MAX / 2));
  unpacked u = {0};
  rbv_status status = unpack(&u, how, path, data, size, MOST_TEXT);
  rbv_free(data);
  t->tolerant = tolerant;
  if (status == RBV_OK &&
      (sqlite_starts((const char *)u.data, u.size) || mcap_starts((const char *)u.data, u.size)))
    status = rbv_fail(RBV_EINPUT, "%s: the file is a compressed bag: unpack it first (%s)", path,
                      how == PACKED_ZSTD ? "zstd -d" : "gunzip");
  if (status == RBV_OK) status = csv_table_text(t, path, (const char *)u.data, u.size);
  unpacked_free(&u);
  return status;
}

rbv_status gzip_table(table *t, const char *path, const wanted_columns *want) {
  (void)want;
  return read_packed(t, path, PACKED_GZIP);
}

rbv_status zstd_table(table *t, const char *path, const wanted_columns *want) {
  (void)want;
  return read_packed(t, path, PACKED_ZSTD);
}

/* The bytes of the text, from its beginning. */
static rbv_status estimate(size_t *out, const char *path, packing how) {
  uint8_t *data;
  size_t size, whole;
  *out = 0;
  RBV_TRY(file_bytes(&data, &size, &whole, path, SAMPLE_BYTES));
  unpacked u = {0};
  const rbv_status status = unpack(&u, how, path, data, size, MOST_TEXT);
  rbv_free(data);
  if (size > 0) *out = (size_t)((double)u.size * ((double)whole / (double)size));
  unpacked_free(&u);
  // the sample of a long file ends anywhere
  return size < whole && status != RBV_EMEM ? RBV_OK : status;
}

rbv_status gzip_bytes(size_t *out, const char *path) { return estimate(out, path, PACKED_GZIP); }

rbv_status zstd_bytes(size_t *out, const char *path) { return estimate(out, path, PACKED_ZSTD); }
