/* What the writers of traces share. */
#ifndef LOG_TRACE_WRITE_H
#define LOG_TRACE_WRITE_H

#include <string.h>
#include "log/log.h"

#include "base/support.h"

/* A whole number of some bytes, the lowest first. */
static inline void put_little(rbv_text *out, uint64_t x, int bytes) {
  for (int i = 0; i < bytes; i++, x >>= 8) rbv_text_add(out, &(char){(char)(x & 0xFF)}, 1);
}

static inline void put_double(rbv_text *out, double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  put_little(out, bits, 8);
}

/* A bag of joint states: one topic for each torque. It has chunks, their index and statistics,
 * without which many programs do not open it. */
rbv_status trace_write_mcap(const char *path, const rbv_trace *trace);

#endif
