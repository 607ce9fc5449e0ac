/* File access that storage shares with the modules above it; not installed. */
#ifndef STORAGE_STORAGE_INTERNAL_H
#define STORAGE_STORAGE_INTERNAL_H

#include "storage/storage.h"

#include "base/support.h"

#define FILE_MAX_BYTES ((size_t)64 << 20)  // of a file that is read as a whole

/* Open a regular file for reading. A directory or a pipe is refused. */
rbv_status rbv_file_open(int *descriptor, size_t *size, const char *path);

/* Write all data at the descriptor's position; flush to the disk. They return 0 or an errno. */
int rbv_file_append(int descriptor, const char *data, size_t size);
int rbv_file_flush(int descriptor);

/* Flush the name of a new file. If its directory cannot be opened, the system does it later. */
void rbv_file_flush_directory(const char *path);

/* "path: cannot be written: reason", with RBV_EWRITE. */
rbv_status rbv_file_refuse(const char *path, int reason);

#endif
