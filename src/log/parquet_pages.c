#include "log/parquet_pages.h"

#include <string.h>

#include "base/support.h"
#include "log/file_bytes.h"
#include "log/parquet_runs.h"
#include "log/snappy.h"
#include "log/thrift.h"
#include "log/unpack.h"

#define MOST_HEADER ((size_t)1 << 16)  // bytes; longer ones have statistics of long texts
#define UNPACK_STEP ((size_t)1 << 16)  // bytes that are free before each step of unpack
#define BLOCK 512                      // values that are decoded together
#define MOST_WIDTH 100000

enum { PAGE_DATA = 0, PAGE_DICTIONARY = 2, PAGE_DATA_2 = 3 };
enum { PLAIN = 0, PLAIN_DICTIONARY = 2, RUNS = 3, DELTA = 5, DICTIONARY = 8, SPLIT = 9 };
enum { UNCOMPRESSED = 0, SNAPPY = 1, GZIP = 2, ZSTD = 6 };

typedef struct {
  int64_t type, unpacked, packed, values, rows, encoding;
  int64_t definitions, repetitions;  // bytes of the levels before the values, not compressed
  bool is_packed;
  size_t at;  // of its bytes in the file
} page_header;

struct parquet_column {
  const parquet_file *f;
  const parquet_leaf *leaf;
  int place;  // of the leaf in the file
  ptrdiff_t row;

  // the group of rows, and what is left of it
  int group;
  size_t at, end;
  ptrdiff_t values;

  parquet_scratch *scratch;
  unpacked page;
  double *dictionary;
  size_t ndictionary;

  // the page, and what is left of it
  ptrdiff_t left;
  int encoding;
  parquet_runs repetitions, definitions, numbers;
  parquet_deltas deltas;
  const uint8_t *plain;  // NULL: the numbers stay in the file
  size_t plain_size, plain_at;
  size_t direct;  // their place there

  // values that are decoded
  int count, next;
  uint32_t repetition[BLOCK], definition[BLOCK];
  double value[BLOCK];
};

static rbv_status refuse(const parquet_column *c, const char *what) {
  return rbv_fail(RBV_EINPUT, "%s: column %s: the Parquet file is damaged: %s", c->f->path,
                  c->leaf->name, what);
}

/* ---- pages ---- */

/* The parts of a header that one kind of page has. */
static void read_kind(page_header *h, thrift *t, const thrift_field *f) {
  thrift_field of = {0};
  if (f->type != THRIFT_STRUCT) {
    thrift_skip(t, f);
    return;
  }
  const bool second = f->id == 8;
  while (thrift_next(t, &of)) {
    if (of.id == 1)
      h->values = thrift_number(t, &of);
    else if (of.id == (second ? 4 : 2))
      h->encoding = thrift_number(t, &of);
    else if (second && of.id == 3)
      h->rows = thrift_number(t, &of);
    else if (second && of.id == 5)
      h->definitions = thrift_number(t, &of);
    else if (second && of.id == 6)
      h->repetitions = thrift_number(t, &of);
    else if (second && of.id == 7)
      h->is_packed = thrift_flag(&of);
    else
      thrift_skip(t, &of);
  }
}

static size_t parse_header(page_header *h, const uint8_t *data, size_t size) {
  thrift t = {data, data + size, false};
  thrift_field f = {0};
  *h = (page_header){.type = -1, .unpacked = -1, .packed = -1, .rows = -1, .is_packed = true};
  while (thrift_next(&t, &f)) switch (f.id) {
      case 1: h->type = thrift_number(&t, &f); break;
      case 2: h->unpacked = thrift_number(&t, &f); break;
      case 3: h->packed = thrift_number(&t, &f); break;
      case 5:
      case 7:
      case 8: read_kind(h, &t, &f); break;
      default: thrift_skip(&t, &f);
    }
  return t.bad ? 0 : (size_t)(t.at - data);
}

static rbv_status make_room(parquet_scratch *s, size_t n) {
  if (n <= s->room) return RBV_OK;
  rbv_free(s->data);
  s->room = 0;
  s->data = rbv_alloc(n);
  if (!s->data) return RBV_EMEM;
  s->room = n;
  return RBV_OK;
}

/* Read the header of the next page; c->at is then behind the page. */
static rbv_status next_header(page_header *h, parquet_column *c) {
  const size_t left = c->end - c->at;
  size_t used = 0;
  for (size_t n = 256; used == 0; n = MOST_HEADER) {
    if (n > left) n = left;
    RBV_TRY(make_room(c->scratch, n));
    RBV_TRY(file_read(c->scratch->data, n, c->f->file, c->at, c->f->path));
    used = parse_header(h, c->scratch->data, n);
    if (used == 0 && (n == left || n == MOST_HEADER)) return refuse(c, "the header of a page");
  }
  h->at = c->at + used;
  if (h->packed < 0 || (uint64_t)h->packed > left - used || h->unpacked < 0 || h->values < 0 ||
      h->values > parquet_most_numbers(c->f))
    return refuse(c, "the header of a page");
  c->at = h->at + (size_t)h->packed;
  return RBV_OK;
}

/* Room of the page for n bytes, and for the last step of the other unpackers; what it had is lost.
 */
static rbv_status reserve(parquet_column *c, size_t n) {
  c->page.size = 0;
  if (n <= c->page.room) return RBV_OK;
  unpacked_free(&c->page);
  if (!(c->page.data = rbv_alloc(n))) return RBV_EMEM;
  c->page.room = n;
  return RBV_OK;
}

static rbv_status unpack_snappy(parquet_column *c, const uint8_t *data, size_t size) {
  size_t n;
  if (!snappy_size(&n, data, size) || n > c->page.room - c->page.size ||
      !snappy_unpack(c->page.data + c->page.size, n, data, size))
    return refuse(c, "its compression");
  c->page.size += n;
  return RBV_OK;
}

static rbv_status refuse_codec(const parquet_column *c, int codec) {
  static const char *const names[] = {"", "", "", "LZO", "Brotli", "LZ4", "", "LZ4"};
  const bool known = codec > 0 && codec < RBV_COUNT(names);
  return rbv_fail(RBV_EUNSUPPORTED,
                  "%s: column %s: its compression%s%s is not read: write the file with Snappy, "
                  "zstd or gzip",
                  c->f->path, c->leaf->name, known ? " " : "", known ? names[codec] : "");
}

static size_t little(const uint8_t *p) {
  return p[0] | (size_t)p[1] << 8 | (size_t)p[2] << 16 | (size_t)p[3] << 24;
}

/* Bytes of the levels of a page that is not compressed. */
static rbv_status levels_size(size_t *out, const parquet_column *c, const page_header *h) {
  const size_t size = (size_t)h->packed;
  const int lists = (c->leaf->repetition > 0) + (c->leaf->definition > 0);
  *out = h->type == PAGE_DATA_2 ? (size_t)(h->definitions + h->repetitions) : 0;
  for (int i = 0; i < lists && h->type == PAGE_DATA; i++) {
    uint8_t n[4];
    if (size - *out < sizeof n) return refuse(c, "the levels of a page");
    RBV_TRY(file_read(n, sizeof n, c->f->file, h->at + *out, c->f->path));
    if (little(n) > size - *out - sizeof n) return refuse(c, "the levels of a page");
    *out += sizeof n + little(n);
  }
  return RBV_OK;
}

/* Of a page that is not compressed, numbers that are stored plainly stay in the file. */
static rbv_status load_uncompressed(parquet_column *c, const page_header *h) {
  size_t size = (size_t)h->packed;
  c->direct = 0;
  if (h->type != PAGE_DICTIONARY && h->encoding == PLAIN && c->leaf->type != PARQUET_BOOLEAN) {
    RBV_TRY(levels_size(&size, c, h));
    c->direct = h->at + size;
  }
  RBV_TRY(reserve(c, size));
  c->page.size = size;
  return file_read(c->page.data, size, c->f->file, h->at, c->f->path);
}

/* The bytes of a page in c->page; those of levels of the second kind are not compressed. */
static rbv_status load_page(parquet_column *c, const page_header *h) {
  const size_t size = (size_t)h->packed;
  const int64_t levels = h->type == PAGE_DATA_2 ? h->definitions + h->repetitions : 0;
  if (h->definitions < 0 || h->repetitions < 0 || h->definitions > h->packed || levels > h->packed)
    return refuse(c, "the levels of a page");
  // a value takes eight bytes and its levels: more is a damaged page
  const size_t most = 12 * (size_t)h->values + ((size_t)1 << 20);
  const int codec = h->is_packed ? parquet_chunk_at(c->f, c->place, c->group)->codec : UNCOMPRESSED;
  if (codec == UNCOMPRESSED) return load_uncompressed(c, h);
  c->direct = 0;
  if ((size_t)h->unpacked > most) return refuse(c, "the size of a page");
  RBV_TRY(reserve(c, (size_t)h->unpacked + UNPACK_STEP));
  RBV_TRY(make_room(c->scratch, size));
  RBV_TRY(file_read(c->scratch->data, size, c->f->file, h->at, c->f->path));
  if ((size_t)levels > c->page.room) return refuse(c, "the levels of a page");
  memcpy(c->page.data, c->scratch->data, (size_t)levels);
  c->page.size = (size_t)levels;
  const uint8_t *rest = c->scratch->data + levels;
  const size_t left = size - (size_t)levels;
  if (left == 0) return RBV_OK;
  switch (codec) {
    case SNAPPY: return unpack_snappy(c, rest, left);
    case GZIP: return unpack(&c->page, PACKED_GZIP, c->f->path, rest, left, most);
    case ZSTD: return unpack(&c->page, PACKED_ZSTD, c->f->path, rest, left, most);
    default: return refuse_codec(c, codec);
  }
}

/* ---- numbers ---- */

static size_t bytes_of(parquet_type type) {
  return type == PARQUET_INT64 || type == PARQUET_DOUBLE ? 8 : 4;
}

static double from_integer(int64_t x, const parquet_leaf *leaf) {
  if (leaf->tick > 0) return (double)(int64_t)((uint64_t)x - (uint64_t)leaf->origin) * leaf->tick;
  if (!leaf->is_unsigned) return (double)x;
  return leaf->type == PARQUET_INT32 ? (double)(uint32_t)x : (double)(uint64_t)x;
}

static double number_at(const uint8_t *p, const parquet_leaf *leaf) {
  uint64_t x = 0;
  const size_t n = bytes_of(leaf->type);
  for (size_t i = n; i-- > 0;) x = x << 8 | p[i];
  if (leaf->type == PARQUET_DOUBLE) {
    double y;
    memcpy(&y, &x, sizeof y);
    return y;
  }
  if (leaf->type == PARQUET_FLOAT) {
    const uint32_t bits = (uint32_t)x;
    float y;
    memcpy(&y, &bits, sizeof y);
    return (double)y;
  }
  return from_integer(n == 4 ? (int32_t)x : (int64_t)x, leaf);
}

/* The next numbers that are stored plainly: at most a block of them. */
static bool read_plain(double *out, int n, parquet_column *c) {
  const parquet_leaf *leaf = c->leaf;
  uint8_t block[BLOCK * sizeof(double)];
  if (leaf->type == PARQUET_BOOLEAN) {
    for (int k = 0; k < n; k++, c->plain_at++) {
      if (c->plain_at / 8 >= c->plain_size) return false;
      out[k] = c->plain[c->plain_at / 8] >> c->plain_at % 8 & 1;
    }
    return true;
  }
  const size_t bytes = bytes_of(leaf->type), from = c->plain_at * bytes, size = (size_t)n * bytes;
  if (from + size > c->plain_size) return false;
  const uint8_t *p = c->plain ? c->plain + from : block;
  if (!c->plain && file_read(block, size, c->f->file, c->direct + from, c->f->path) != RBV_OK)
    return false;
  if (leaf->type == PARQUET_DOUBLE)
    memcpy(out, p, size);
  else
    for (int k = 0; k < n; k++) out[k] = number_at(p + (size_t)k * bytes, leaf);
  c->plain_at += (size_t)n;
  return true;
}

/* The first bytes of all numbers, then the second ones, and so on. */
static bool read_split(double *out, int n, parquet_column *c) {
  const size_t bytes = bytes_of(c->leaf->type), count = c->plain_size / bytes;
  if (c->leaf->type == PARQUET_BOOLEAN || c->plain_at + (size_t)n > count) return false;
  for (int k = 0; k < n; k++, c->plain_at++) {
    uint8_t all[8];
    for (size_t i = 0; i < bytes; i++) all[i] = c->plain[i * count + c->plain_at];
    out[k] = number_at(all, c->leaf);
  }
  return true;
}

static bool read_numbers(double *out, int n, parquet_column *c) {
  uint32_t index[BLOCK];
  switch (c->encoding) {
    case PLAIN: return read_plain(out, n, c);
    case SPLIT: return read_split(out, n, c);
    case DELTA:
      for (int k = 0; k < n; k++) {
        int64_t x;
        if (!parquet_deltas_next(&x, &c->deltas)) return false;
        out[k] = from_integer(c->leaf->type == PARQUET_INT32 ? (int32_t)x : x, c->leaf);
      }
      return true;
    default:
      if (!parquet_runs_read(index, n, &c->numbers)) return false;
      for (int k = 0; k < n; k++) {
        if (c->encoding == RUNS) {
          out[k] = index[k];
          continue;
        }
        if (index[k] >= c->ndictionary) return false;
        out[k] = c->dictionary[index[k]];
      }
      return true;
  }
}

static rbv_status refuse_encoding(const parquet_column *c) {
  return rbv_fail(RBV_EUNSUPPORTED,
                  "%s: column %s: encoding %d of Parquet is not read: write its numbers plain or "
                  "with a dictionary",
                  c->f->path, c->leaf->name, c->encoding);
}

static rbv_status start_numbers(parquet_column *c) {
  const parquet_type type = c->leaf->type;
  const bool integer = type == PARQUET_INT32 || type == PARQUET_INT64;
  size_t n = c->plain_size;
  c->plain_at = 0;
  switch (c->encoding) {
    case PLAIN: return RBV_OK;
    case SPLIT: return type == PARQUET_BOOLEAN ? refuse_encoding(c) : RBV_OK;
    case DELTA:
      if (!integer) return refuse_encoding(c);
      return parquet_deltas_start(&c->deltas, c->plain, n) ? RBV_OK : refuse(c, "differences");
    case RUNS: {
      if (type != PARQUET_BOOLEAN) return refuse_encoding(c);
      const uint8_t *p = c->plain;
      return parquet_levels_start(&c->numbers, &p, p + n, 1) ? RBV_OK : refuse(c, "runs");
    }
    case PLAIN_DICTIONARY:
    case DICTIONARY:
      // a page of missing values has no indices
      if (n > 0 && c->plain[0] > 32) return refuse(c, "indices");
      c->numbers = n > 0 ? parquet_runs_of(c->plain + 1, n - 1, c->plain[0]) : (parquet_runs){0};
      return RBV_OK;
    default: return refuse_encoding(c);
  }
}

/* ---- a page after the other ---- */

static rbv_status load_dictionary(parquet_column *c, const page_header *h) {
  RBV_TRY(load_page(c, h));
  const size_t n = (size_t)h->values, bytes = bytes_of(c->leaf->type);
  if (c->leaf->type == PARQUET_BOOLEAN || n > c->page.size / bytes)
    return refuse(c, "its dictionary");
  rbv_free(c->dictionary);
  c->ndictionary = 0;
  if (!(c->dictionary = rbv_alloc(sizeof(double) * n))) return RBV_EMEM;
  for (size_t k = 0; k < n; k++) c->dictionary[k] = number_at(c->page.data + k * bytes, c->leaf);
  c->ndictionary = n;
  return RBV_OK;
}

static int bits_of(int most) {
  int bits = 0;
  while (most >> bits) bits++;
  return bits;
}

static rbv_status load_data(parquet_column *c, const page_header *h) {
  RBV_TRY(load_page(c, h));
  const parquet_leaf *leaf = c->leaf;
  const uint8_t *p = c->page.data, *end = p + c->page.size;
  const int repetition = bits_of(leaf->repetition), definition = bits_of(leaf->definition);
  if (h->type == PAGE_DATA_2) {
    c->repetitions = parquet_runs_of(p, (size_t)h->repetitions, repetition);
    p += h->repetitions;
    c->definitions = parquet_runs_of(p, (size_t)h->definitions, definition);
    p += h->definitions;
  } else if ((repetition > 0 && !parquet_levels_start(&c->repetitions, &p, end, repetition)) ||
             (definition > 0 && !parquet_levels_start(&c->definitions, &p, end, definition))) {
    return refuse(c, "the levels of a page");
  }
  c->encoding = (int)h->encoding;
  c->plain = p;
  c->plain_size = (size_t)(end - p);
  if (c->direct > 0) {
    c->plain = NULL;
    c->plain_size = h->at + (size_t)h->packed - c->direct;
  }
  c->left = (ptrdiff_t)h->values;
  return start_numbers(c);
}

/* Load the next page of the group with values; skip: leave out pages of at most so many rows, and
 * say how many. */
static rbv_status next_page(parquet_column *c, ptrdiff_t *skip) {
  c->left = 0;
  while (c->left == 0) {
    page_header h;
    if (c->at >= c->end) return refuse(c, "it ends too early");
    RBV_TRY(next_header(&h, c));
    if (h.type == PAGE_DICTIONARY) RBV_TRY(load_dictionary(c, &h));
    if (h.type != PAGE_DATA && h.type != PAGE_DATA_2) continue;
    if (h.values > c->values) return refuse(c, "it has too many values");
    const int64_t rows = c->leaf->repetition == 0 ? h.values : h.rows;
    if (skip && rows >= 0 && rows <= *skip && rows > 0) {
      *skip -= (ptrdiff_t)rows;
      c->values -= (ptrdiff_t)h.values;
      if (*skip == 0) return RBV_OK;
      continue;
    }
    RBV_TRY(load_data(c, &h));
  }
  return RBV_OK;
}

/* Decode the next values of the group; count 0: there are none. */
static rbv_status next_block(parquet_column *c) {
  c->count = c->next = 0;
  if (c->left == 0 && c->values == 0) return RBV_OK;
  if (c->left == 0) RBV_TRY(next_page(c, NULL));
  const parquet_leaf *leaf = c->leaf;
  const int n = c->left < BLOCK ? (int)c->left : BLOCK;
  if (leaf->repetition > 0 && !parquet_runs_read(c->repetition, n, &c->repetitions))
    return refuse(c, "the levels of a page");
  int there = n;
  if (leaf->definition > 0) {
    if (!parquet_runs_read(c->definition, n, &c->definitions))
      return refuse(c, "the levels of a page");
    there = 0;
    for (int k = 0; k < n; k++) there += c->definition[k] == (uint32_t)leaf->definition;
  }
  if (!read_numbers(c->value, there, c)) return refuse(c, "its values");
  // values that are missing get their places, from the last one on
  for (int k = n - 1, from = there; there < n && k >= 0; k--)
    c->value[k] =
        c->definition[k] == (uint32_t)leaf->definition ? c->value[--from] : __builtin_nan("");
  c->left -= n;
  c->values -= n;
  c->count = n;
  return RBV_OK;
}

/* ---- rows ---- */

static void start_group(parquet_column *c, int group) {
  c->group = group;
  c->left = c->values = 0;
  c->count = c->next = 0;
  c->ndictionary = 0;
  if (group >= c->f->ngroup) return;
  const parquet_chunk *chunk = parquet_chunk_at(c->f, c->place, group);
  c->at = chunk->at;
  c->end = chunk->at + chunk->size;
  c->values = chunk->values;
  c->row = c->f->first[group];
}

rbv_status parquet_column_new(parquet_column **out, const parquet_file *f, int leaf,
                              parquet_scratch *scratch) {
  *out = NULL;
  RBV_NEW(parquet_column, c, 1);
  c->f = f;
  c->leaf = &f->leaves[leaf];
  c->place = leaf;
  c->scratch = scratch;
  start_group(c, 0);
  *out = c;
  return RBV_OK;
}

void parquet_column_free(parquet_column *c) {
  if (!c) return;
  unpacked_free(&c->page);
  RBV_FREE_ALL(c->dictionary, c);
}

/* Is there another value of this row? */
static rbv_status has_more(bool *out, parquet_column *c) {
  *out = false;
  if (c->next == c->count) RBV_TRY(next_block(c));
  *out = c->next < c->count && c->repetition[c->next] > 0;
  return RBV_OK;
}

/* The row of a list. */
static rbv_status read_list(parquet_column *c, double *out, ptrdiff_t ld) {
  const parquet_leaf *leaf = c->leaf;
  if (c->next == c->count) RBV_TRY(next_block(c));
  if (c->next == c->count || c->repetition[c->next] != 0) return refuse(c, "its lists");
  size_t found = 0;
  for (bool more = true; more;) {
    if (c->definition[c->next] >= (uint32_t)leaf->element) {
      if (out && found < leaf->width) out[(ptrdiff_t)found * ld] = c->value[c->next];
      found++;
    }
    c->next++;
    RBV_TRY(has_more(&more, c));
  }
  if (!out || found == leaf->width) return RBV_OK;
  if (found > 0)
    return rbv_fail(RBV_EINPUT, "%s: column %s has %zu numbers in row %td and %zu in the first one",
                    c->f->path, leaf->name, found, c->row + 1, leaf->width);
  for (size_t i = 0; i < leaf->width; i++) out[(ptrdiff_t)i * ld] = __builtin_nan("");
  return RBV_OK;
}

/* Read rows of one group, at most n; out NULL: leave them out. */
static rbv_status read_group(parquet_column *c, double *out, ptrdiff_t n, ptrdiff_t ld) {
  if (c->leaf->repetition > 0) {
    for (ptrdiff_t k = 0; k < n; k++, c->row++) RBV_TRY(read_list(c, out ? out + k : NULL, ld));
    return RBV_OK;
  }
  for (ptrdiff_t k = 0; k < n;) {
    if (c->next == c->count) RBV_TRY(next_block(c));
    const ptrdiff_t here = c->count - c->next, take = here < n - k ? here : n - k;
    if (take == 0) return refuse(c, "it ends too early");
    if (out) memcpy(out + k, c->value + c->next, (size_t)take * sizeof *out);
    c->next += (int)take;
    c->row += take;
    k += take;
  }
  return RBV_OK;
}

rbv_status parquet_column_read(parquet_column *c, double *out, ptrdiff_t n, ptrdiff_t ld) {
  const ptrdiff_t *first = c->f->first;
  for (ptrdiff_t done = 0; done < n;) {
    while (c->group < c->f->ngroup && c->row == first[c->group + 1]) start_group(c, c->group + 1);
    if (c->group >= c->f->ngroup) return refuse(c, "it ends too early");
    const ptrdiff_t left = first[c->group + 1] - c->row, take = left < n - done ? left : n - done;
    RBV_TRY(read_group(c, out + done, take, ld));
    done += take;
  }
  return RBV_OK;
}

rbv_status parquet_column_seek(parquet_column *c, ptrdiff_t row) {
  if (c->row == row) return RBV_OK;
  const ptrdiff_t *first = c->f->first;
  int group = 0;
  while (group + 1 < c->f->ngroup && first[group + 1] <= row) group++;
  if (row < c->row || group != c->group) start_group(c, group);
  // the rest of the page, pages that need not be unpacked, and the rows before in the last one
  ptrdiff_t skip = row - c->row;
  if (c->leaf->repetition == 0) {
    const ptrdiff_t here = c->count - c->next + c->left;
    if (here <= skip) {
      c->count = c->next = 0;
      c->left = 0;
      c->row += here;
      skip -= here;
    }
  }
  const ptrdiff_t before = skip;
  if (skip > 0 && c->left == 0 && c->next == c->count) RBV_TRY(next_page(c, &skip));
  c->row += before - skip;
  return read_group(c, NULL, skip, 0);
}

rbv_status parquet_column_first(size_t *width, double *value, parquet_column *c) {
  *width = 0;
  *value = __builtin_nan("");
  while (c->group < c->f->ngroup && c->row == c->f->first[c->group + 1])
    start_group(c, c->group + 1);
  if (c->group >= c->f->ngroup) return RBV_OK;
  RBV_TRY(next_block(c));
  if (c->count == 0) return refuse(c, "it ends too early");
  *value = c->value[0];
  *width = 1;
  if (c->leaf->repetition > 0) {
    if (c->repetition[0] != 0) return refuse(c, "its lists");
    *width = c->definition[0] >= (uint32_t)c->leaf->element;
    c->next = 1;
    for (bool more = true; more; c->next += more) {
      RBV_TRY(has_more(&more, c));
      *width += more;
      if (*width > MOST_WIDTH)
        return rbv_fail(RBV_EINPUT, "%s: column %s has more than %d numbers per row", c->f->path,
                        c->leaf->name, MOST_WIDTH);
    }
  }
  return RBV_OK;
}
