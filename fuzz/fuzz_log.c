/*
 * Recordings, one reader per row. The build chooses the row by FUZZ_READER. The first bytes of an
 * input are replaced, so that it reaches the reader of its row.
 *
 * Libraries that are not instrumented: SQLite, matio, the unpackers. MAT is tested in version 5
 * only: version 7.3 is HDF5.
 */
#include <roberval/sys/log.h>
#include <string.h>

#include "fuzz.h"
#include "log/log_formats.h"

typedef struct {
  const char *start;
  size_t n;
} opening;

typedef struct {
  const char *reader;
  size_t smallest;  // bytes of an input that is tried
  opening openings[2];
  fuzz_budget budget;
} row;

static const row readers[] = {
    {"csv", 0, {{"", 0}}, {1 << 20, 512}},
    {"packed", 8, {{"\x1F\x8B", 2}, {"\x28\xB5\x2F\xFD", 4}}, {8 << 20, 2 << 20}},
    {"numpy", 8, {{"PK", 2}, {"\x93NUMPY", 6}}, {64 << 20, 64 << 10}},
    {"parquet", 8, {{"PAR1", 4}}, {64 << 20, 256 << 10}},
    {"mcap", 8, {{"\x89MCAP0\r\n", 8}}, {32 << 20, 256 << 10}},
    {"sqlite", 100, {{"SQLite format 3", 16}}, {32 << 20, 64 << 10}},
    {"mat", 128, {{"MATLAB 5.0", 10}}, {16 << 20, 64 << 10}},
};

static const row *find_row(void) {
  const row *r = readers;
  while (strcmp(r->reader, FUZZ_READER) != 0) r++;
  return r;
}

/* Text is parsed in memory. */
static void parse_text(const uint8_t *data, size_t size, fuzz_budget budget) {
  rbv_log *log = NULL;
  fuzz_begin();
  const rbv_status status = rbv_log_parse(&log, "log", (const char *)data, size, NULL);
  fuzz_end(status, log, size, budget);
  for (int j = 0; log && j < 3; j++) (void)rbv_log_unwrap(log, j);
  rbv_log_free(log);
}

/* The first rows, from which a map is guessed, and on request all rows of their columns. */
static void read_file(const char *path, size_t size, fuzz_budget budget, bool whole) {
  table first, all = {0};
  fuzz_begin();
  rbv_status status = log_format_peek(&first, path, PEEK_ROWS, PEEK_CELLS);
  fuzz_end(status, status == RBV_OK ? &first : NULL, size, budget);
  if (status != RBV_OK) return;
  const wanted_columns want = {(const char *const *)first.names, first.ncol};
  if (whole) {
    fuzz_begin();
    status = log_format_table(&all, path, first.names ? &want : NULL);
    fuzz_end(status, status == RBV_OK ? &all : NULL, size, budget);
    if (status == RBV_OK) table_free(&all);
  }
  table_free(&first);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const row *r = find_row();
  if (size < r->smallest) return 0;
  // MAT 7.3 has a 2 here
  if (strcmp(r->reader, "mat") == 0 && (data[124] == 2 || data[125] == 2)) return 0;
  const opening *o = &r->openings[0];
  if (o->n == 0) {
    parse_text(data, size, r->budget);
    return 0;
  }
  if (r->openings[1].n > 0 && data[0] != (uint8_t)o->start[0]) o = &r->openings[1];
  const char *path = fuzz_file(data, size, o->start, o->n);
  // one input of 16 is read as users do, as a whole and in pieces with a map that is guessed; four
  // as a table. Of the others only the beginning is read: for short inputs that is all of it
  unsigned sum = 0;
  for (size_t i = 0; i < size; i++) sum += data[i];
  if (sum % 16 == 0)
    fuzz_log(path, size, r->budget);
  else
    read_file(path, size, r->budget, sum % 4 == 0);
  return 0;
}
