/*
 * One hour of a seven-axis arm at 1 kHz: time must grow linearly with the recording, memory must
 * not grow. A tenth of the recording gives the time per sample for comparison. The yardstick gets
 * as many samples as it can hold in memory.
 *
 * Runs take tens of seconds, so there are few of them. Two threads need two cores, so bench/run
 * does not pin this program to one core.
 */
#include <unistd.h>

#include "program.h"
#include "recording.h"
#include "stopwatch.h"

#define SAMPLES (3600 * RECORDING_HZ)
#define TENTH (SAMPLES / 10)
#define HELD 100000  // samples that NumPy can hold: 1.5 GB
#define DECIMATE "20"
#define CUTOFF "50"
#define MOST_ROUNDS 3

enum { HOUR, SIX_MINUTES, BEGINNING, RECORDINGS };

static program identify(const recording *r, const char *threads, const char *result) {
  return (program){
      .argv = {BENCH_ROBERVAL, "identify", RECORDING_ROBOT, r->path, "--method",  "wls",
               "--decimate",   DECIMATE,   "--cutoff",      CUTOFF,  "--mask",    "0",
               "--friction",   "plain",    "--gamma",       "0",     "--threads", threads,
               "-o",           result}};
}

static void race(const stopwatch *w, const recording *all, const char *result) {
  static program ours[5], yardstick;
  ours[0] = identify(&all[BEGINNING], "1", result);
  ours[1] = identify(&all[SIX_MINUTES], "1", result);
  ours[2] = identify(&all[SIX_MINUTES], "2", result);
  ours[3] = identify(&all[HOUR], "1", result);
  ours[4] = identify(&all[HOUR], "2", result);
  yardstick = (program){.argv = {"/usr/bin/python3", BENCH_SOURCE "/bench/yardstick/pipeline.py",
                                 BENCH_SOURCE "/bench/yardstick/seven.json", all[BEGINNING].path,
                                 "--decimate", DECIMATE, "--cutoff", CUTOFF}};
  compare_answers(&ours[0], &yardstick, result);
  static contestant c[] = {{.name = "six minutes, one thread", .calls = TENTH},
                           {.name = "six minutes, two threads", .calls = TENTH},
                           {.name = "an hour, one thread", .calls = SAMPLES},
                           {.name = "an hour, two threads", .calls = SAMPLES},
                           {.name = "NumPy and SciPy, 100 s of it", .calls = HELD}};
  for (int i = 0; i < 4; i++) {
    c[i].run = run_program;
    c[i].self = &ours[i + 1];
  }
  c[4].run = run_yardstick;
  c[4].self = &yardstick;
  c[4].seconds = &yardstick.seconds;
  stopwatch_run(w, c, 5);
  print_times(w, "identify --method wls, file to result, per sample", c, 5);
  printf("  memory: %.0f MB for six minutes, %.0f MB for an hour, %.0f MB with two threads\n",
         ours[1].memory_mb, ours[3].memory_mb, ours[4].memory_mb);
  print_ratio_head();
  print_ratio(w, "an hour : six minutes, per sample, one thread", &c[2], &c[0], 1.1);
  print_ratio(w, "an hour, one thread : NumPy and SciPy", &c[2], &c[4], 1.0 / 12);
  print_ratio(w, "an hour, two threads : NumPy and SciPy", &c[3], &c[4], 1.0 / 20);
  print_ratio(w, "an hour, two threads : one thread", &c[3], &c[2], 0);
}

int main(int argc, char **argv) {
  stopwatch w = stopwatch_new(argc, argv);
  w.wall = true;
  if (w.rounds > MOST_ROUNDS) w.rounds = MOST_ROUNDS;
  recording all[RECORDINGS] = {[HOUR] = {.samples = SAMPLES},
                               [SIX_MINUTES] = {.samples = TENTH},
                               [BEGINNING] = {.samples = HELD}};
  char result[64];
  snprintf(result, sizeof result, "/tmp/roberval_bench_%d.json", (int)getpid());
  write_recordings(all, RECORDINGS);
  race(&w, all, result);
  remove_recordings(all, RECORDINGS);
  unlink(result);
  stopwatch_close(&w);
  return 0;
}
