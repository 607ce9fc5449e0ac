/* Whole numbers as Parquet stores them: runs of equal ones with groups of packed bits, and packed
 * differences. */
#ifndef LOG_PARQUET_RUNS_H
#define LOG_PARQUET_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Runs of levels and of indices of a dictionary. */
typedef struct {
  const uint8_t *at, *end;
  int bits;          // of a number, 0 to 32
  uint64_t left;     // numbers of the run
  bool packed;       // the run has its own bits for each number
  unsigned bit;      // of *at, where the next number of a packed run begins
  uint32_t repeats;  // the number of another run
} parquet_runs;

static inline parquet_runs parquet_runs_of(const uint8_t *data, size_t size, int bits) {
  return (parquet_runs){.at = data, .end = data + size, .bits = bits};
}

/* Runs with their size in four bytes before them; *p is then behind them. */
bool parquet_levels_start(parquet_runs *r, const uint8_t **p, const uint8_t *end, int bits);

/* The next n numbers; false: there are fewer. */
bool parquet_runs_read(uint32_t *out, int n, parquet_runs *r);

/* Differences between neighbours, in blocks with a smallest difference. */
typedef struct {
  const uint8_t *at, *end;
  uint64_t left;  // numbers
  uint64_t block, minis;
  bool first;
  int64_t value;
  uint64_t smallest;        // difference of the block
  const uint8_t *widths;    // bits of each part of the block
  uint64_t part, in_block;  // part, and numbers left of the block
  const uint8_t *bits;      // of the part
  uint64_t bit;
} parquet_deltas;

bool parquet_deltas_start(parquet_deltas *d, const uint8_t *data, size_t size);
bool parquet_deltas_next(int64_t *out, parquet_deltas *d);

#endif
