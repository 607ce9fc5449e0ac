/* Snappy, the compression of one block, as in Parquet. */
#ifndef LOG_SNAPPY_H
#define LOG_SNAPPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The unpacked size that a block states; false: there is none, or more than its bytes can give. */
bool snappy_size(size_t *out, const uint8_t *data, size_t size);

/* Unpack a block into n bytes, n as stated; false: it is damaged. */
bool snappy_unpack(uint8_t *out, size_t n, const uint8_t *data, size_t size);

#endif
