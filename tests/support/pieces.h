/* Recordings that are read in pieces. */
#ifndef TEST_PIECES_H
#define TEST_PIECES_H

#include "log/log.h"

#include "base/support.h"

/* Open a recording, read one piece of it and free everything. */
static inline rbv_status read_piece(const char *path, ptrdiff_t first, ptrdiff_t count) {
  rbv_log_file *file;
  rbv_log_reader *reader = NULL;
  rbv_log *piece = NULL;
  RBV_TRY(rbv_log_file_open(&file, path, NULL, 10, 1));
  rbv_status status = rbv_log_reader_new(&reader, file);
  if (status == RBV_OK) status = rbv_log_reader_read(&piece, reader, first, count);
  rbv_log_free(piece);
  rbv_log_reader_free(reader);
  rbv_log_file_free(file);
  return status;
}

#endif
