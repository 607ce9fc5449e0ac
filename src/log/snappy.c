#include "log/snappy.h"

#include <string.h>

#define GREATEST_RATIO 32  // a copy of three bytes gives at most 64

/* The size at the beginning, in groups of seven bits. Returns the bytes that it takes, 0: none. */
static size_t read_size(size_t *out, const uint8_t *data, size_t size) {
  *out = 0;
  for (size_t i = 0; i < size && i < 5; i++) {
    *out |= (size_t)(data[i] & 127) << 7 * i;
    if (data[i] < 128) return i + 1;
  }
  return 0;
}

bool snappy_size(size_t *out, const uint8_t *data, size_t size) {
  return read_size(out, data, size) > 0 && *out / GREATEST_RATIO <= size;
}

static size_t little(const uint8_t *p, size_t bytes) {
  size_t x = 0;
  for (size_t i = bytes; i-- > 0;) x = x << 8 | p[i];
  return x;
}

/* What an element of the block says: bytes that follow it, or a copy of bytes before. */
typedef struct {
  size_t length, back;  // back 0: the bytes follow
} element;

/* Read an element; false: the block ends in it. */
static bool read_element(element *e, const uint8_t **p, const uint8_t *end) {
  const uint8_t tag = *(*p)++;
  const size_t left = (size_t)(end - *p);
  if ((tag & 3) == 0) {
    const size_t extra = tag >> 2 < 60 ? 0 : (size_t)(tag >> 2) - 59;
    if (left < extra) return false;
    *e = (element){.length = 1 + (extra == 0 ? (size_t)(tag >> 2) : little(*p, extra))};
    *p += extra;
    return e->length <= (size_t)(end - *p);
  }
  const size_t extra = (tag & 3) == 3 ? 4 : (size_t)(tag & 3);
  if (left < extra) return false;
  *e = (element){1 + (size_t)(tag >> 2), little(*p, extra)};
  if (extra == 1) *e = (element){4 + (size_t)(tag >> 2 & 7), (size_t)(tag >> 5) << 8 | **p};
  *p += extra;
  return e->back > 0;
}

bool snappy_unpack(uint8_t *out, size_t n, const uint8_t *data, size_t size) {
  size_t stated;
  const size_t start = read_size(&stated, data, size);
  if (start == 0 || stated != n) return false;
  const uint8_t *p = data + start, *const end = data + size;
  size_t done = 0;
  while (p < end) {
    element e;
    if (!read_element(&e, &p, end) || e.length > n - done || e.back > done) return false;
    if (e.back == 0) {
      memcpy(out + done, p, e.length);
      p += e.length;
    } else if (e.back >= e.length) {
      memcpy(out + done, out + done - e.back, e.length);
    } else {
      // the copy overlaps itself: it repeats its first bytes
      for (size_t k = 0; k < e.length; k++) out[done + k] = out[done + k - e.back];
    }
    done += e.length;
  }
  return done == n;
}
