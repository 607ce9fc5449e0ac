#include "log/parquet_runs.h"

static bool read_groups(uint64_t *out, const uint8_t **p, const uint8_t *end) {
  *out = 0;
  for (int shift = 0; shift < 64 && *p < end; shift += 7) {
    const uint8_t b = *(*p)++;
    *out |= (uint64_t)(b & 127) << shift;
    if (b < 128) return true;
  }
  return false;
}

/* ---- runs ---- */

bool parquet_levels_start(parquet_runs *r, const uint8_t **p, const uint8_t *end, int bits) {
  if (end - *p < 4) return false;
  const uint8_t *s = *p;
  const size_t n = s[0] | (size_t)s[1] << 8 | (size_t)s[2] << 16 | (size_t)s[3] << 24;
  if (n > (size_t)(end - s) - 4) return false;
  *r = parquet_runs_of(s + 4, n, bits);
  *p = s + 4 + n;
  return true;
}

static bool next_run(parquet_runs *r) {
  uint64_t head;
  if (r->packed && r->bit > 0) r->at++;
  r->bit = 0;
  if (!read_groups(&head, &r->at, r->end)) return false;
  r->packed = head & 1;
  const size_t left = (size_t)(r->end - r->at);
  if (r->packed) {
    // groups of eight numbers; the last one may be cut off
    const uint64_t bytes = (head >> 1) * (uint64_t)r->bits;
    r->left = (head >> 1) * 8;
    if (head >> 1 > INT32_MAX) return false;
    if (bytes > left) r->left = r->bits ? left * 8 / (uint64_t)r->bits : 0;
    return r->left > 0;
  }
  const size_t bytes = (size_t)(r->bits + 7) / 8;
  if (left < bytes) return false;
  r->left = head >> 1;
  r->repeats = 0;
  for (size_t i = bytes; i-- > 0;) r->repeats = r->repeats << 8 | r->at[i];
  r->at += bytes;
  return true;
}

static uint32_t packed_number(parquet_runs *r) {
  uint64_t x = 0;
  const unsigned bits = (unsigned)r->bits, bytes = (r->bit + bits + 7) / 8;
  for (unsigned i = bytes; i-- > 0;) x = x << 8 | r->at[i];
  x = x >> r->bit & ((UINT64_C(1) << bits) - 1);
  r->at += (r->bit + bits) / 8;
  r->bit = (r->bit + bits) % 8;
  return (uint32_t)x;
}

bool parquet_runs_read(uint32_t *out, int n, parquet_runs *r) {
  for (int k = 0; k < n;) {
    // empty runs end with the bytes
    while (r->left == 0)
      if (!next_run(r)) return false;
    const int take = r->left < (uint64_t)(n - k) ? (int)r->left : n - k;
    for (int i = 0; i < take; i++) out[k + i] = r->packed ? packed_number(r) : r->repeats;
    r->left -= (uint64_t)take;
    k += take;
  }
  return true;
}

/* ---- differences ---- */

static int64_t zigzag(uint64_t x) { return (int64_t)(x >> 1) ^ -(int64_t)(x & 1); }

bool parquet_deltas_start(parquet_deltas *d, const uint8_t *data, size_t size) {
  uint64_t value;
  *d = (parquet_deltas){.at = data, .end = data + size, .first = true};
  const bool read = read_groups(&d->block, &d->at, d->end) &&
                    read_groups(&d->minis, &d->at, d->end) &&
                    read_groups(&d->left, &d->at, d->end) && read_groups(&value, &d->at, d->end);
  if (!read) return false;
  d->value = zigzag(value);
  return d->minis > 0 && d->minis <= 256 && d->block <= 65536 && d->block > 0 &&
         d->block % d->minis == 0;
}

/* The smallest difference of a block, and the bits of its parts. */
static bool next_block(parquet_deltas *d) {
  uint64_t smallest;
  if (!read_groups(&smallest, &d->at, d->end) || d->minis > (size_t)(d->end - d->at)) return false;
  d->smallest = (uint64_t)zigzag(smallest);
  d->widths = d->at;
  d->at += d->minis;
  d->part = 0;
  d->in_block = d->block;
  return true;
}

/* The next difference less the smallest one. */
static bool next_difference(uint64_t *out, parquet_deltas *d) {
  const uint64_t length = d->block / d->minis;
  if (d->in_block % length == 0) {
    // a part begins
    d->bits = d->at;
    d->bit = 0;
    const uint64_t bytes = (length * d->widths[d->part] + 7) / 8;
    if (d->widths[d->part] > 64) return false;
    d->at += bytes < (size_t)(d->end - d->at) ? bytes : (size_t)(d->end - d->at);
  }
  const unsigned width = d->widths[d->part];
  if (d->bit + width > 8 * (uint64_t)(d->end - d->bits)) return false;
  *out = 0;
  for (unsigned i = 0; i < width; i++, d->bit++)
    *out |= (uint64_t)(d->bits[d->bit / 8] >> d->bit % 8 & 1) << i;
  if (--d->in_block % length == 0) d->part++;
  return true;
}

bool parquet_deltas_next(int64_t *out, parquet_deltas *d) {
  if (d->left == 0) return false;
  d->left--;
  if (d->first) {
    d->first = false;
    *out = d->value;
    return true;
  }
  uint64_t more;
  if (d->in_block == 0 && !next_block(d)) return false;
  if (!next_difference(&more, d)) return false;
  d->value = (int64_t)((uint64_t)d->value + d->smallest + more);
  *out = d->value;
  return true;
}
