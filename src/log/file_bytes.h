/* Bytes of a regular file, by their place. */
#ifndef LOG_FILE_BYTES_H
#define LOG_FILE_BYTES_H

#include <roberval/sys/base.h>

/* Open a file; close it. *size is its size now. */
rbv_status file_open(int *out, size_t *size, const char *path);

/* Read n bytes from a place on. Refuses a file that ends before: it is damaged, or it was shortened
 * since its size was asked for. The name is used in messages. */
rbv_status file_read(void *to, size_t n, int file, size_t at, const char *name);

#endif
