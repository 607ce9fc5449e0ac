#include "equations/standstill_level.h"

#include <math.h>
#include <string.h>

#define NEGLIGIBLE 1e-4  // entries of a row, relative to the diagonal, that are not rotated
#define LANES 8          // columns that are rotated together, so that none waits for itself

void rbv_level_columns(double *B, ptrdiff_t ld, level_chunk *chunk, standstill_level *level,
                       const double *weight, ptrdiff_t count) {
  for (int c = 0; c < LEVEL_COLUMNS; c++) memset(B + c * ld, 0, (size_t)count * sizeof *B);
  for (ptrdiff_t k = 0; k < count; k++) {
    const bool paused = weight[k] < 1;
    chunk->starts[k] = paused && !level->paused;
    if (chunk->starts[k]) {
      level->parity = !level->parity;
      level->length = 0;
    }
    level->paused = paused;
    if (!paused) continue;
    double *line = B + k + level->parity * LEVEL_LINE * ld;
    line[0] = 1 - weight[k];
    line[ld] = line[0] * (double)++level->length;
  }
}

/* the last pause becomes the one before; of a new one nothing is known */
static void forget(double R[LEVEL_COLUMNS][LEVEL_COLUMNS]) {
  for (int i = 0; i < LEVEL_LINE; i++)
    for (int k = 0; k < LEVEL_LINE; k++) {
      R[i][k] = R[LEVEL_LINE + i][LEVEL_LINE + k];
      R[i][LEVEL_LINE + k] = R[LEVEL_LINE + i][LEVEL_LINE + k] = 0;
    }
}

/* rotate the row b into the triangle; returns the first rotation that is not the identity */
static int rotate_in(double *C, double *S, double R[LEVEL_COLUMNS][LEVEL_COLUMNS], double *b) {
  int first = LEVEL_COLUMNS;
  for (int i = 0; i < LEVEL_COLUMNS; i++) {
    C[i] = 1;
    S[i] = 0;
    if (!(fabs(b[i]) > NEGLIGIBLE * fabs(R[i][i]))) continue;
    const double h = sqrt(R[i][i] * R[i][i] + b[i] * b[i]), c = R[i][i] / h, s = b[i] / h;
    R[i][i] = h;
    for (int k = i + 1; k < LEVEL_COLUMNS; k++) {
      const double r = R[i][k];
      R[i][k] = c * r + s * b[k];
      b[k] = c * b[k] - s * r;
    }
    C[i] = c;
    S[i] = s;
    if (i < first) first = i;
  }
  return first;
}

/* the same rotations for the rows of `lanes` columns */
static inline void rotate_columns(double *X, ptrdiff_t ld, int lanes, double *z,
                                  const level_chunk *chunk, ptrdiff_t count) {
  double v[LEVEL_COLUMNS][LANES] = {{0}};
  for (int l = 0; l < lanes; l++)
    for (int i = 0; i < LEVEL_COLUMNS; i++) v[i][l] = z[l * LEVEL_COLUMNS + i];
  for (ptrdiff_t k = 0; k < count; k++) {
    if (chunk->starts[k])
      for (int i = 0; i < LEVEL_LINE; i++)
        for (int l = 0; l < lanes; l++) {
          v[i][l] = v[LEVEL_LINE + i][l];
          v[LEVEL_LINE + i][l] = 0;
        }
    const int first = chunk->turn[k];
    if (first == LEVEL_COLUMNS) continue;
    const double *C = chunk->C + k * LEVEL_COLUMNS, *S = chunk->S + k * LEVEL_COLUMNS;
    double x[LANES];
    for (int l = 0; l < lanes; l++) x[l] = X[k + l * ld];
    for (int i = first; i < LEVEL_COLUMNS; i++)
      for (int l = 0; l < lanes; l++) {
        const double turned = C[i] * x[l] - S[i] * v[i][l];
        v[i][l] = C[i] * v[i][l] + S[i] * x[l];
        x[l] = turned;
      }
    for (int l = 0; l < lanes; l++) X[k + l * ld] = x[l];
  }
  for (int l = 0; l < lanes; l++)
    for (int i = 0; i < LEVEL_COLUMNS; i++) z[l * LEVEL_COLUMNS + i] = v[i][l];
}

void rbv_level_eliminate(double *X, ptrdiff_t ld, int width, double *z, const double *B,
                         level_chunk *chunk, standstill_level *level, const bool *used,
                         ptrdiff_t count) {
  // parity of the last pause before the chunk
  int parity = level->parity;
  for (ptrdiff_t k = 0; k < count; k++) parity ^= chunk->starts[k];
  for (ptrdiff_t k = 0; k < count; k++) {
    if (chunk->starts[k]) {
      forget(level->R);
      parity = !parity;
    }
    double row[LEVEL_COLUMNS];
    for (int i = 0; i < LEVEL_COLUMNS; i++) {
      const int pause = i / LEVEL_LINE == 1 ? parity : !parity;
      row[i] = B[k + (pause * LEVEL_LINE + i % LEVEL_LINE) * ld];
    }
    chunk->turn[k] = LEVEL_COLUMNS;
    if (used[k])
      chunk->turn[k] =
          rotate_in(chunk->C + k * LEVEL_COLUMNS, chunk->S + k * LEVEL_COLUMNS, level->R, row);
  }
  int c = 0;
  for (; c + LANES <= width; c += LANES)
    rotate_columns(X + c * ld, ld, LANES, z + c * LEVEL_COLUMNS, chunk, count);
  for (; c < width; c++) rotate_columns(X + c * ld, ld, 1, z + c * LEVEL_COLUMNS, chunk, count);
}
