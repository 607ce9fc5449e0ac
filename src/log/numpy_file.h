/*
 * The arrays of a NumPy file: one (.npy), or several in a ZIP archive (.npz). Their numbers stay in
 * the file; those of compressed arrays are unpacked into a spool.
 */
#ifndef LOG_NUMPY_FILE_H
#define LOG_NUMPY_FILE_H

#include "log/spool.h"

typedef struct {
  char kind;  // f i u b
  int bytes;
  bool big;
} numpy_number;

typedef struct {
  char name[64];
  numpy_number type;
  size_t at;      // in the record
  size_t length;  // numbers of the field in a record
} numpy_field;

typedef struct {
  char name[100];
  numpy_field *fields;  // one without a name for a plain array
  int nfield;
  size_t record;  // bytes
  size_t shape[2];
  bool fortran;
  bool packed;  // the numbers are in the spool
  size_t at;    // of the first number
} numpy_array;

typedef struct {
  char *path;
  int file;
  size_t size;
  spool unpacked;
  numpy_array *arrays;
  int narray;
} numpy_file;

/* What is unpacked: nothing but descriptions, the numbers for a reader in pieces, or for a reader
 * of the whole file. */
typedef enum { NUMPY_DESCRIPTIONS, NUMPY_PIECES, NUMPY_WHOLE } numpy_use;

/* Open a file. All numbers that the shapes state are there, unless only descriptions are asked for.
 * Close it also after a failure. */
rbv_status numpy_file_open(numpy_file *f, const char *path, numpy_use use);
void numpy_file_close(numpy_file *f);

/* Read bytes of an array from a place behind its first number on. Threads may share the file. */
rbv_status numpy_file_read(void *to, size_t n, const numpy_file *f, const numpy_array *a,
                           size_t after);

#endif
