#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/support.h"
#include "log/table.h"

#define HEADER_BYTES 128
#define DEEPEST 16  // nested structs and cells
#define MOST_RANK 32

/* types of elements and classes of arrays, by their numbers in the format */
enum { INT8 = 1, INT32 = 5, UINT32 = 6, MATRIX = 14, COMPRESSED = 15 };
enum {
  CELL = 1,
  STRUCT = 2,
  OBJECT = 3,
  CHAR = 4,
  SPARSE = 5,
  FIRST_NUMBER = 6,
  LAST_NUMBER = 15,
  FUNCTION = 16,
  OPAQUE = 17
};

/* Version in the header: 1 for version 5, 2 for version 7.3, 0 if the file is not a MAT file. The
 * header stores 0x0100 or 0x0200 and the letters MI, in the byte order of the writer's machine. */
static int header_version(const char *head, size_t size) {
  if (size < HEADER_BYTES) return 0;
  const char *v = head + 124;
  const bool little = v[2] == 'I' && v[3] == 'M', big = v[2] == 'M' && v[3] == 'I';
  if (!little && !big) return 0;
  const char low = v[little ? 0 : 1], high = v[little ? 1 : 0];
  return low == 0 && (high == 1 || high == 2) ? high : 0;
}

bool mat73_recognises(const char *path, const char *head, size_t size) {
  (void)path;
  return header_version(head, size) == 2;
}

bool mat5_recognises(const char *path, const char *head, size_t size) {
  return header_version(head, size) == 1 || name_ends_with(path, ".mat");
}

/* ---- bytes, plain or compressed ---- */

typedef struct {
  const char *path;
  int file;
  bool little;
  off_t element;  // begin of the top element, for messages
  off_t at, end;  // its bytes that are not read yet
  bool inflating;
  z_stream z;
  unsigned char packed[4096];
} source;

static uint64_t number(const unsigned char *p, int bytes, bool little) {
  uint64_t x = 0;
  for (int i = 0; i < bytes; i++) x = x << 8 | p[little ? bytes - 1 - i : i];
  return x;
}

static rbv_status cut_off(const char *path, long long at) {
  return rbv_fail(RBV_EINPUT, "%s: the file is truncated: the element at byte %lld is incomplete",
                  path, at);
}

static rbv_status damaged(const source *s, const char *what) {
  return rbv_fail(RBV_EINPUT, "%s: the file is damaged: %s in the element at byte %lld", s->path,
                  what, (long long)s->element);
}

static rbv_status refill(source *s) {
  const off_t left = s->end - s->at;
  const size_t want = left < (off_t)sizeof s->packed ? (size_t)left : sizeof s->packed;
  const ssize_t n = want > 0 ? pread(s->file, s->packed, want, s->at) : 0;
  if (n <= 0) return damaged(s, "compressed data end too early");
  s->at += n;
  s->z.next_in = s->packed;
  s->z.avail_in = (unsigned)n;
  return RBV_OK;
}

static rbv_status take_inflated(unsigned char *to, source *s, size_t n) {
  s->z.next_out = to;
  s->z.avail_out = (unsigned)n;
  while (s->z.avail_out > 0) {
    if (s->z.avail_in == 0) RBV_TRY(refill(s));
    const int code = inflate(&s->z, Z_NO_FLUSH);
    if (code == Z_MEM_ERROR) return rbv_fail(RBV_EMEM, "out of memory");
    if (code != Z_OK && !(code == Z_STREAM_END && s->z.avail_out == 0))
      return damaged(s, "compressed data are broken");
  }
  return RBV_OK;
}

static rbv_status take(unsigned char *to, source *s, size_t n) {
  if (s->inflating) return take_inflated(to, s, n);
  if (s->end - s->at < (off_t)n || pread(s->file, to, n, s->at) != (ssize_t)n)
    return damaged(s, "data end too early");
  s->at += (off_t)n;
  return RBV_OK;
}

static rbv_status skip(source *s, uint64_t n) {
  if (!s->inflating) {
    if ((uint64_t)(s->end - s->at) < n) return damaged(s, "data end too early");
    s->at += (off_t)n;
    return RBV_OK;
  }
  unsigned char scratch[4096];
  for (; n > 0;) {
    const size_t piece = n < sizeof scratch ? (size_t)n : sizeof scratch;
    RBV_TRY(take_inflated(scratch, s, piece));
    n -= piece;
  }
  return RBV_OK;
}

/* ---- elements ---- */

typedef struct {
  unsigned type;
  uint32_t size;
  bool small;  // four bytes or fewer, in the tag itself
  unsigned char data[4];
} tag;

/* Read a tag. The surrounding element has *left bytes. */
static rbv_status take_tag(tag *out, source *s, uint64_t *left) {
  unsigned char raw[8];
  if (*left < sizeof raw) return damaged(s, "an element ends too early");
  RBV_TRY(take(raw, s, sizeof raw));
  *left -= sizeof raw;
  const uint32_t first = (uint32_t)number(raw, 4, s->little);
  out->small = first >> 16 != 0;
  out->type = first & 0xFFFF;
  out->size = out->small ? first >> 16 : (uint32_t)number(raw + 4, 4, s->little);
  memcpy(out->data, raw + 4, 4);
  if (out->small && out->size > 4) return damaged(s, "a small element is too large");
  return RBV_OK;
}

/* Read up to room bytes of the data of a tag; skip the rest and the padding to eight bytes. */
static rbv_status take_data(unsigned char *to, size_t room, source *s, const tag *t,
                            uint64_t *left) {
  if (t->small) {
    memcpy(to, t->data, room < 4 ? room : 4);
    return RBV_OK;
  }
  const uint64_t padded = ((uint64_t)t->size + 7) / 8 * 8;
  if (padded > *left) return damaged(s, "an element is larger than what holds it");
  *left -= padded;
  const size_t n = t->size < room ? t->size : room;
  RBV_TRY(take(to, s, n));
  return skip(s, padded - n);
}

static rbv_status pass(source *s, const tag *t, uint64_t *left) {
  unsigned char nothing[4];
  return take_data(nothing, 0, s, t, left);
}

/* Number of elements of an array: the product of its dimensions. The caller compares it with the
 * data. */
static rbv_status take_dimensions(uint64_t *count, source *s, uint64_t *left) {
  tag t;
  unsigned char raw[4 * MOST_RANK];
  RBV_TRY(take_tag(&t, s, left));
  if (t.type != INT32 || t.size < 8 || t.size % 4 || t.size > sizeof raw || t.small)
    return damaged(s, "an array has no dimensions");
  RBV_TRY(take_data(raw, sizeof raw, s, &t, left));
  *count = 1;
  for (uint32_t i = 0; i < t.size / 4; i++) {
    const uint64_t n = number(raw + 4 * i, 4, s->little);
    if (n > INT32_MAX) return damaged(s, "a dimension is negative");
    if (__builtin_mul_overflow(*count, n, count)) return damaged(s, "an array is too large");
  }
  return RBV_OK;
}

/* Check the real part, and the imaginary part if there is one. */
static rbv_status check_numbers(source *s, uint64_t count, int parts, uint64_t *left) {
  static const unsigned char width[] = {0, 1, 1, 2, 2, 4, 4, 4, 0, 8, 0, 0, 8, 8, 0, 0, 1, 2, 4};
  for (int i = 0; i < parts; i++) {
    tag t;
    RBV_TRY(take_tag(&t, s, left));
    const unsigned bytes = t.type < sizeof width ? width[t.type] : 0;
    // text in UTF-8 has at most as many characters as bytes
    const bool fits = t.type == 16 ? count <= t.size : bytes && count == t.size / bytes;
    if (!fits) return damaged(s, "the number of values of an array is wrong");
    RBV_TRY(pass(s, &t, left));
  }
  return RBV_OK;
}

/* Sparse matrix: indices of rows and columns, then numbers. We ignore it, but matio reads it. */
static rbv_status check_sparse(source *s, bool complex, uint64_t *left) {
  for (int i = 0; i < (complex ? 4 : 3); i++) {
    tag t;
    RBV_TRY(take_tag(&t, s, left));
    if (i < 2 && (t.type != INT32 || t.size % 4)) return damaged(s, "a sparse matrix is broken");
    RBV_TRY(pass(s, &t, left));
  }
  return RBV_OK;
}

/* Names of the fields of a struct, all of the same length. */
static rbv_status take_fields(uint64_t *count, source *s, bool object, uint64_t *left) {
  tag t;
  unsigned char raw[4];
  if (object) {
    RBV_TRY(take_tag(&t, s, left));
    RBV_TRY(pass(s, &t, left));
  }
  RBV_TRY(take_tag(&t, s, left));
  if (t.type != INT32 || t.size != 4) return damaged(s, "a struct has no fields");
  RBV_TRY(take_data(raw, sizeof raw, s, &t, left));
  const uint64_t length = number(raw, 4, s->little);
  RBV_TRY(take_tag(&t, s, left));
  if (t.type != INT8 || length < 1 || length > 4096 || t.size % length)
    return damaged(s, "the names of a struct's fields are broken");
  *count = t.size / length;
  return pass(s, &t, left);
}

/* A MATLAB object, which is not read: names, then data in an undocumented form. */
static rbv_status check_opaque(source *s, uint64_t left) {
  for (int i = 0; i < 3; i++) {
    tag t;
    RBV_TRY(take_tag(&t, s, &left));
    if (t.type != INT8) return damaged(s, "an object has no name");
    RBV_TRY(pass(s, &t, &left));
  }
  return skip(s, left);
}

/* Check an array of size bytes. depth: levels that may still follow. */
static rbv_status check_array(source *s, uint64_t size, int depth) {
  if (size == 0) return RBV_OK;  // an empty array
  if (depth == 0) return damaged(s, "arrays are nested too deeply");
  uint64_t left = size, count = 0, fields = 1;
  tag t;
  unsigned char flags[8];
  RBV_TRY(take_tag(&t, s, &left));
  if (t.type != UINT32 || t.size != sizeof flags) return damaged(s, "an array has no class");
  RBV_TRY(take_data(flags, sizeof flags, s, &t, &left));
  const unsigned word = (unsigned)number(flags, 4, s->little), class = word & 0xFF;
  const bool complex = word & 0x800;
  if (class == OPAQUE) return check_opaque(s, left);
  RBV_TRY(take_dimensions(&count, s, &left));
  RBV_TRY(take_tag(&t, s, &left));
  if (t.type != INT8) return damaged(s, "an array has no name");
  RBV_TRY(pass(s, &t, &left));

  if (class == CHAR || (class >= FIRST_NUMBER && class <= LAST_NUMBER)) {
    RBV_TRY(check_numbers(s, count, complex ? 2 : 1, &left));
  } else if (class == CELL || class == STRUCT || class == OBJECT) {
    if (class != CELL) RBV_TRY(take_fields(&fields, s, class == OBJECT, &left));
    // each part has at least a tag, so the product below does not overflow
    if (count > left / 8 || fields * count > left / 8)
      return damaged(s, "the number of parts of a struct or cell is wrong");
    for (uint64_t i = 0; i < fields * count; i++) {
      RBV_TRY(take_tag(&t, s, &left));
      if (t.type != MATRIX || t.small || t.size > left)
        return damaged(s, "a part of a struct or cell is not an array");
      RBV_TRY(check_array(s, t.size, depth - 1));
      left -= t.size;
    }
  } else if (class == SPARSE) {
    if (number(flags + 4, 4, s->little) > left) return damaged(s, "a sparse matrix is too large");
    RBV_TRY(check_sparse(s, complex, &left));
  } else if (class != FUNCTION || count > left) {
    return damaged(s, "an unknown class");
  }
  return skip(s, left);
}

static rbv_status check_compressed(source *s) {
  s->z = (z_stream){0};
  if (inflateInit(&s->z) != Z_OK) return rbv_fail(RBV_EMEM, "out of memory");
  s->inflating = true;
  tag t;
  uint64_t left = 8;
  rbv_status status = take_tag(&t, s, &left);
  if (status == RBV_OK && (t.type != MATRIX || t.small))
    status = damaged(s, "compressed data are not an array");
  if (status == RBV_OK) status = check_array(s, t.size, DEEPEST);
  inflateEnd(&s->z);
  s->inflating = false;
  return status;
}

/* Version 5: a sequence of elements, each with its size. */
static rbv_status check_elements(source *s, off_t size) {
  unsigned char raw[8];
  for (off_t at = HEADER_BYTES; at < size;) {
    if (pread(s->file, raw, sizeof raw, at) != sizeof raw) return cut_off(s->path, at);
    const uint64_t bytes = number(raw + 4, 4, s->little);
    if (bytes > (uint64_t)(size - at) - sizeof raw) return cut_off(s->path, at);
    s->element = at;
    s->at = at + (off_t)sizeof raw;
    s->end = s->at + (off_t)bytes;
    at = s->end;
    const uint64_t type = number(raw, 4, s->little);
    if (type == MATRIX) RBV_TRY(check_array(s, bytes, DEEPEST));
    if (type == COMPRESSED) RBV_TRY(check_compressed(s));
    if (type != MATRIX && type != COMPRESSED) return damaged(s, "an element is not an array");
  }
  return RBV_OK;
}

/* Version 7.3: the superblock of HDF5, after a header of 512 bytes, has the size of the file. */
static rbv_status check_superblock(const char *path, int file, off_t size) {
  unsigned char block[64];
  if (pread(file, block, sizeof block, 512) != sizeof block ||
      memcmp(block, "\x89HDF\r\n\x1A\n", 8) != 0)
    return cut_off(path, HEADER_BYTES);
  static const int place_of_end[] = {40, 44, 28, 28};  // by version of the block
  if (block[8] >= RBV_COUNT(place_of_end)) return RBV_OK;
  const uint64_t end = number(block + place_of_end[block[8]], 8, true);
  return (uint64_t)size < end ? cut_off(path, 512) : RBV_OK;
}

rbv_status mat_check(const char *path) {
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return rbv_fail(RBV_EREAD, "%s: %s", path, strerror(errno));
  struct stat info;
  unsigned char head[HEADER_BYTES];
  rbv_status status;
  if (fstat(file, &info) != 0) {
    status = rbv_fail(RBV_EREAD, "%s: %s", path, strerror(errno));
  } else if (!S_ISREG(info.st_mode)) {
    status = rbv_fail(RBV_EREAD, "%s: is not a regular file", path);
  } else if (pread(file, head, sizeof head, 0) != sizeof head ||
             header_version((char *)head, sizeof head) == 0) {
    status = rbv_fail(RBV_EINPUT, "%s: is not a MAT file of version 5 or 7.3%s", path,
                      info.st_size < HEADER_BYTES ? ": it is too short" : "");
  } else {
    source s = {.path = path, .file = file, .little = head[126] == 'I'};
    status = header_version((char *)head, sizeof head) == 2
                 ? check_superblock(path, file, info.st_size)
                 : check_elements(&s, info.st_size);
  }
  close(file);
  return status;
}

const char *mat_check_library(char version[64]) {
  snprintf(version, 64, "%s", zlibVersion());
  return "zlib";
}
