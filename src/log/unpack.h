/*
 * Unpacking of gzip, zstd and lz4, piece by piece or at once. The memory grows with what is really
 * unpacked; sizes that a file states are not used.
 */
#ifndef LOG_UNPACK_H
#define LOG_UNPACK_H

#include <stdint.h>

#include <roberval/sys/base.h>

typedef enum { PACKED_GZIP, PACKED_DEFLATE, PACKED_ZSTD, PACKED_LZ4 } packing;

/* Packed bytes: in memory, or of a file from a place on. */
typedef struct {
  const uint8_t *data;  // NULL: of the file
  int file;
  size_t at;    // in the file
  size_t size;  // SIZE_MAX: up to the end of the file
} packed_bytes;

/* ---- piece by piece ---- */

typedef struct unpacker unpacker;

/* The name, of the file for messages, must exist as long as the unpacker. */
rbv_status unpacker_open(unpacker **out, packing how, const char *name, const packed_bytes *from);
void unpacker_close(unpacker *u);

/* The next unpacked bytes; fewer than there is room for only at the end. */
rbv_status unpacker_read(size_t *got, unpacker *u, uint8_t *to, size_t room);

/* Packed bytes that were used so far. */
size_t unpacker_used(const unpacker *u);

/* Refuse unpacked bytes beyond a limit. */
rbv_status unpack_refuse_more(const char *name, size_t most);

/* ---- at once ---- */

typedef struct {
  uint8_t *data;
  size_t size, room;
} unpacked;

/*
 * Append the unpacked bytes. *out keeps its memory for the next call; set size to 0 before.
 *
 *   name  in  of the file, for messages
 *   most  in  refused if there are more bytes
 */
rbv_status unpack(unpacked *out, packing how, const char *name, const uint8_t *data, size_t size,
                  size_t most);
void unpacked_free(unpacked *u);

/* CRC-32 as in gzip and MCAP. */
uint32_t crc32_of(const uint8_t *data, size_t size);

/* Name and version of library i that this file uses; NULL after the last. */
const char *unpack_library(int i, char version[64]);

#endif
