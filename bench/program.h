/* Other programs as contestants. */
#ifndef BENCH_PROGRAM_H
#define BENCH_PROGRAM_H

/* a program to run; what it prints is kept */
typedef struct {
  const char *argv[24];
  char out[4096];
  double seconds;    // by its own clock
  double memory_mb;  // most that it had of it at a time
} program;

/* Run it; a failure ends the bench. self: a program. */
void run_program(void *self);

/* The same for one that prints its time as "total_s". */
void run_yardstick(void *self);

/* A number of the JSON that the program printed; NaN when it is not there. */
double number_of(const program *p, const char *key);

/* Base parameters and relative error of our result, which must be those of the yardstick. */
void compare_answers(program *ours, program *yardstick, const char *result);

/* End the bench, with our sentence when a call failed. */
void give_up(const char *why);

#endif
