/* Recordings of a seven-axis arm at 1 kHz, as long as one likes: what a tool writes to CSV. */
#ifndef BENCH_RECORDING_H
#define BENCH_RECORDING_H

#include <stddef.h>

#define RECORDING_ROBOT BENCH_SOURCE "/bench/robots/seven.yaml"
#define RECORDING_HZ 1000

/* a file, and how many samples of the same motion it gets */
typedef struct {
  char path[64];
  ptrdiff_t samples;
} recording;

/* Name them after this process, in /tmp, and write them, the longest first. Ends the bench when it
 * cannot. */
void write_recordings(recording *all, int count);
void remove_recordings(const recording *all, int count);

#endif
