#include "packed_writer.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "support.h"

static void put_number(rbv_text *out, uint64_t x, int bytes) {
  for (int i = 0; i < bytes; i++) {
    const char byte = (char)(x >> 8 * i);
    rbv_text_add(out, &byte, 1);
  }
}

/* bits: as inflate wants them. */
static void pack_zlib(rbv_text *out, int bits, const char *name, const char *data, size_t size) {
  z_stream z = {0};
  gz_header header = {.name = (Bytef *)(uintptr_t)name};
  assert_int_equal(deflateInit2(&z, 1, Z_DEFLATED, bits, 8, Z_DEFAULT_STRATEGY), Z_OK);
  if (name) assert_int_equal(deflateSetHeader(&z, &header), Z_OK);
  const size_t room = deflateBound(&z, size) + 32;
  char *packed = malloc(room);
  assert_non_null(packed);
  z.next_in = (Bytef *)(uintptr_t)data;
  z.avail_in = (uInt)size;
  z.next_out = (Bytef *)packed;
  z.avail_out = (uInt)room;
  assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
  rbv_text_add(out, packed, z.total_out);
  free(packed);
  deflateEnd(&z);
}

void pack_gzip(rbv_text *out, const char *name, const char *data, size_t size) {
  pack_zlib(out, 15 + 16, name, data, size);
}

void pack_deflate(rbv_text *out, const char *data, size_t size) {
  pack_zlib(out, -15, NULL, data, size);
}

void pack_zstd(rbv_text *out, const char *data, size_t size) {
  const size_t room = ZSTD_compressBound(size);
  char *packed = malloc(room);
  assert_non_null(packed);
  const size_t n = ZSTD_compress(packed, room, data, size, 1);
  assert_false(ZSTD_isError(n));
  rbv_text_add(out, packed, n);
  free(packed);
}

void pack_npy(rbv_text *out, const char *type, bool fortran, const char *shape, const void *numbers,
              size_t size) {
  char text[500];
  const int n = snprintf(text, sizeof text, "{'descr': %s, 'fortran_order': %s, 'shape': %s, }\n",
                         type, fortran ? "True" : "False", shape);
  rbv_text_add(out, "\x93NUMPY\x01\x00", 8);
  put_number(out, (uint64_t)n, 2);
  rbv_text_add(out, text, (size_t)n);
  rbv_text_add(out, numbers, size);
}

/* What the headers of a file and its entry in the directory have in common, from the version on. */
static void put_common(rbv_text *out, bool compressed, size_t packed, const rbv_text *file,
                       size_t name) {
  put_number(out, 20, 2);
  put_number(out, 0, 2);
  put_number(out, compressed ? 8 : 0, 2);
  put_number(out, 0, 4);
  put_number(out, crc32_z(0, (const Bytef *)file->data, file->size), 4);
  put_number(out, packed, 4);
  put_number(out, file->size, 4);
  put_number(out, name, 2);
  put_number(out, 0, 2);
}

void npz_add(npz_writer *w, const char *name, const rbv_text *npy, bool compressed) {
  rbv_text packed = {0};
  if (compressed)
    pack_deflate(&packed, npy->data, npy->size);
  else
    rbv_text_add(&packed, npy->data, npy->size);
  rbv_text_add(&w->directory, "PK\x01\x02\x14\x00", 6);
  put_common(&w->directory, compressed, packed.size, npy, strlen(name));
  put_number(&w->directory, 0, 2);  // comment
  put_number(&w->directory, 0, 8);  // disk, attributes
  put_number(&w->directory, w->out.size, 4);
  rbv_text_put(&w->directory, name);
  rbv_text_add(&w->out, "PK\x03\x04", 4);
  put_common(&w->out, compressed, packed.size, npy, strlen(name));
  rbv_text_put(&w->out, name);
  rbv_text_add(&w->out, packed.data, packed.size);
  rbv_text_free(&packed);
  w->count++;
}

void npz_end(npz_writer *w, bool large) {
  const size_t at = w->out.size, end = at + w->directory.size;
  rbv_text_add(&w->out, w->directory.data, w->directory.size);
  rbv_text_free(&w->directory);
  if (large) {
    rbv_text_add(&w->out, "PK\x06\x06", 4);
    put_number(&w->out, 44, 8);
    put_number(&w->out, 45, 2);
    put_number(&w->out, 45, 2);
    put_number(&w->out, 0, 8);
    put_number(&w->out, (uint64_t)w->count, 8);
    put_number(&w->out, (uint64_t)w->count, 8);
    put_number(&w->out, end - at, 8);
    put_number(&w->out, at, 8);
    rbv_text_add(&w->out, "PK\x06\x07", 4);
    put_number(&w->out, 0, 4);
    put_number(&w->out, end, 8);
    put_number(&w->out, 1, 4);
  }
  rbv_text_add(&w->out, "PK\x05\x06", 4);
  put_number(&w->out, 0, 4);
  put_number(&w->out, (uint64_t)w->count, 2);
  put_number(&w->out, (uint64_t)w->count, 2);
  put_number(&w->out, large ? 0xFFFFFFFF : end - at, 4);
  put_number(&w->out, large ? 0xFFFFFFFF : at, 4);
  put_number(&w->out, 0, 2);
}

void write_bytes(const char *path, rbv_text *bytes) {
  assert_false(bytes->failed);
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes->data, 1, bytes->size, file), bytes->size);
  assert_int_equal(fclose(file), 0);
  rbv_text_free(bytes);
}
