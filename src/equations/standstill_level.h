/*
 * Equations with a prefilter whose weight goes to zero where a joint stands still: their noise in
 * such a pause is not zero, but unknown.
 *
 * A weight w replaces an equation x by w x. If the noise is slow, w x contains the whole level of
 * the noise at both ends of a pause, although the prefilter, which whitens the noise without
 * weights, removes slow parts. Therefore a pause is filled with a straight line,
 *
 *     w x + (1 - w) (c0 + c1 t),
 *
 * whose coefficients are unknown: one pair for each pause and each column. They are eliminated from
 * the filtered rows by rotations (recursive least squares), as those of additional columns would
 * be. The rotations are the same for all columns, so that the equations still hold, and they are
 * orthogonal, so that white noise stays white. If the noise is a random walk, this is the exact
 * treatment of missing equations.
 *
 * The unknowns of the last two pauses are kept, because a filter still remembers the one before.
 */
#ifndef EQUATIONS_STANDSTILL_LEVEL_H
#define EQUATIONS_STANDSTILL_LEVEL_H

#include <stdbool.h>
#include <stddef.h>

#define LEVEL_LINE 2     // coefficients of a line
#define LEVEL_COLUMNS 4  // those of two pauses

/* pauses of one torque row */
typedef struct {
  bool paused;                             // at the last sample
  int parity;                              // of the last pause
  ptrdiff_t length;                        // of the last pause so far, in samples
  double R[LEVEL_COLUMNS][LEVEL_COLUMNS];  // triangle: the pause before, then the last one
} standstill_level;

/* rotations of a chunk; count: its samples */
typedef struct {
  bool *starts;   // a pause starts at this sample
  int *turn;      // first rotation of this sample; LEVEL_COLUMNS: none
  double *C, *S;  // count x LEVEL_COLUMNS: cosines and sines, those of a sample together
} level_chunk;

/*
 * Write the columns of the unknowns, before the filter.
 *
 *   B       out  count x LEVEL_COLUMNS, leading dimension ld
 *   weight  in   count: w
 */
void rbv_level_columns(double *B, ptrdiff_t ld, level_chunk *chunk, standstill_level *level,
                       const double *weight, ptrdiff_t count);

/*
 * Eliminate the unknowns from filtered rows.
 *
 *   X     in/out  count x width, leading dimension ld: the rows
 *   z     in/out  width x LEVEL_COLUMNS: the rows of the triangle, beside R; zero at the start
 *   B     in      count x LEVEL_COLUMNS, leading dimension ld: the filtered columns
 *   used  in      count: rows that are used; the others are not changed
 */
void rbv_level_eliminate(double *X, ptrdiff_t ld, int width, double *z, const double *B,
                         level_chunk *chunk, standstill_level *level, const bool *used,
                         ptrdiff_t count);

#endif
