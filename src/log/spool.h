/*
 * Unpacked data that a reader goes back and forth in. They have a file descriptor and no name:
 * nothing remains when it is closed.
 */
#ifndef LOG_SPOOL_H
#define LOG_SPOOL_H

#include "log/unpack.h"

typedef struct {
  int file;  // for pread; -1: nothing was written
  size_t size;
  size_t memory;  // bytes that are kept in memory; more go to a file in TMPDIR or /tmp
  size_t most;    // refused if one call unpacks more
  bool on_disk;
} spool;

/* For a reader of the whole recording everything is kept in memory, for a reader in pieces little
 * of it. */
spool spool_new(bool pieces);
void spool_close(spool *s);

/*
 * Append unpacked bytes.
 *
 *   name    in  of the file, for messages
 *   enough  in  stop when this many are there; SIZE_MAX: unpack all
 */
rbv_status spool_unpack(spool *s, packing how, const char *name, const packed_bytes *from,
                        size_t enough);

#endif
