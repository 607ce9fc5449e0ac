/*
 * Unpacking of gzip, zstd and lz4. The memory grows with what is really unpacked; sizes that a file
 * states are not used.
 */
#ifndef LOG_UNPACK_H
#define LOG_UNPACK_H

#include <stdbool.h>
#include <stdint.h>

#include <roberval/sys/base.h>

typedef enum { PACKED_GZIP, PACKED_DEFLATE, PACKED_ZSTD, PACKED_LZ4 } packing;

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
