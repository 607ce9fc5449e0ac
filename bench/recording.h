/* Recordings of a seven-axis arm at 1 kHz with any length, as CSV files. */
#ifndef BENCH_RECORDING_H
#define BENCH_RECORDING_H

#include <stddef.h>

#define RECORDING_ROBOT BENCH_SOURCE "/bench/robots/seven.yaml"
#define RECORDING_HZ 1000

/* a file, and the number of samples of the common motion that it gets */
typedef struct {
  char path[64];
  ptrdiff_t samples;
} recording;

/* Create the files in /tmp, with names that contain the process id; the longest comes first. Exits
 * on failure. */
void write_recordings(recording *all, int count);
void remove_recordings(const recording *all, int count);

#endif
