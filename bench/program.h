/* Other programs as contestants. */
#ifndef BENCH_PROGRAM_H
#define BENCH_PROGRAM_H

/* a program to run; its output is kept */
typedef struct {
  const char *argv[24];
  char out[4096];
  double seconds;    // time as measured by the program itself
  double memory_mb;  // its peak memory
} program;

/* Run a program (self); on failure the benchmark exits. */
void run_program(void *self);

/* The same for a program that prints its time as "total_s". */
void run_yardstick(void *self);

/* A number from the JSON that the program printed; NaN if it does not exist. */
double number_of(const program *p, const char *key);

/* Print base parameters and relative error of our result; exit if they differ from those of the
 * yardstick. */
void compare_answers(program *ours, program *yardstick, const char *result);

/* Exit with a reason, and with the library's message if a call failed. */
void give_up(const char *why);

#endif
