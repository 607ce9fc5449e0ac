/* A whole file in memory, for formats that are not read in pieces. */
#ifndef LOG_FILE_BYTES_H
#define LOG_FILE_BYTES_H

#include <stdint.h>

#include <roberval/sys/base.h>

/* Read a regular file, or at most this many bytes of it; rbv_free it. *whole is its size. */
rbv_status file_bytes(uint8_t **out, size_t *size, size_t *whole, const char *path, size_t most);

#endif
