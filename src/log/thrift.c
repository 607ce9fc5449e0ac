#include "log/thrift.h"

#define DEEPEST 16  // structures inside structures

static uint64_t fail(thrift *t) {
  t->bad = true;
  t->at = t->end;
  return 0;
}

static uint8_t byte(thrift *t) { return t->at < t->end ? *t->at++ : (uint8_t)fail(t); }

static uint64_t groups(thrift *t) {
  uint64_t x = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const uint8_t b = byte(t);
    x |= (uint64_t)(b & 127) << shift;
    if (b < 128) return x;
  }
  return fail(t);
}

/* Small numbers of both signs: 0, -1, 1, -2, ... */
static int64_t zigzag(thrift *t) {
  const uint64_t x = groups(t);
  return (int64_t)(x >> 1) ^ -(int64_t)(x & 1);
}

bool thrift_next(thrift *t, thrift_field *f) {
  const uint8_t head = byte(t);
  f->type = head & 15;
  if (t->bad || f->type == THRIFT_STOP) return false;
  const int64_t id = head >> 4 ? f->id + (head >> 4) : zigzag(t);
  if (id < 0 || id > INT16_MAX) fail(t);
  f->id = (int)id;
  return !t->bad;
}

int64_t thrift_number(thrift *t, const thrift_field *f) {
  if (f->type > THRIFT_BYTE && f->type <= THRIFT_I64) return zigzag(t);
  if (f->type == THRIFT_BYTE) return (int8_t)byte(t);
  thrift_skip(t, f);
  return 0;
}

bool thrift_flag(const thrift_field *f) { return f->type == THRIFT_TRUE; }

static void advance(thrift *t, uint64_t n) {
  if (n > (size_t)(t->end - t->at))
    fail(t);
  else
    t->at += n;
}

const char *thrift_text(thrift *t, const thrift_field *f, size_t *n) {
  *n = 0;
  if (f->type != THRIFT_TEXT) {
    thrift_skip(t, f);
    return "";
  }
  const uint64_t size = groups(t);
  const char *text = (const char *)t->at;
  advance(t, size);
  *n = t->bad ? 0 : size;
  return text;
}

size_t thrift_list(thrift *t, const thrift_field *f, int *type) {
  *type = THRIFT_STOP;
  if (f->type != THRIFT_LIST && f->type != THRIFT_SET) {
    thrift_skip(t, f);
    return 0;
  }
  const uint8_t head = byte(t);
  const uint64_t n = head >> 4 == 15 ? groups(t) : head >> 4;
  *type = head & 15;
  return n <= (size_t)(t->end - t->at) ? n : fail(t);
}

static void skip(thrift *t, int type, bool item, int depth) {
  size_t n;
  thrift_field f = {.type = type};
  if (depth > DEEPEST) fail(t);
  switch (type) {
    case THRIFT_TRUE:
    case THRIFT_FALSE:
      if (item) byte(t);
      break;
    case THRIFT_BYTE: byte(t); break;
    case 4:
    case 5:
    case THRIFT_I64: groups(t); break;
    case THRIFT_DOUBLE: advance(t, 8); break;
    case THRIFT_TEXT: thrift_text(t, &f, &n); break;
    case THRIFT_LIST:
    case THRIFT_SET: {
      int of;
      n = thrift_list(t, &f, &of);
      for (size_t i = 0; i < n && !t->bad; i++) skip(t, of, true, depth + 1);
      break;
    }
    case THRIFT_STRUCT:
      for (f.id = 0; thrift_next(t, &f);) skip(t, f.type, false, depth + 1);
      break;
    default: fail(t);  // maps are not used by Parquet
  }
}

void thrift_skip(thrift *t, const thrift_field *f) { skip(t, f->type, false, 0); }
