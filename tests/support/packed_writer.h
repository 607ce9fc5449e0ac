/* Compressed text and archives of NumPy, written as their specifications say. */
#ifndef PACKED_WRITER_H
#define PACKED_WRITER_H

#include "base/support.h"

/* Append the data, compressed. name is stored in the header of gzip. */
void pack_gzip(rbv_text *out, const char *name, const char *data, size_t size);
void pack_deflate(rbv_text *out, const char *data, size_t size);
void pack_zstd(rbv_text *out, const char *data, size_t size);

/* Append an array: its description, as NumPy writes it, and its numbers. */
void pack_npy(rbv_text *out, const char *type, bool fortran, const char *shape, const void *numbers,
              size_t size);

/* An archive. Start with zeros, add files, end it. */
typedef struct {
  rbv_text out, directory;
  int count;
} npz_writer;

/* Add a file, whose name ends with .npy. */
void npz_add(npz_writer *w, const char *name, const rbv_text *npy, bool compressed);

/* Write the directory. large: as beyond 4 GB. */
void npz_end(npz_writer *w, bool large);

/* Write the bytes to a file, and free them. */
void write_bytes(const char *path, rbv_text *bytes);

#endif
