/* Files of a small identification: a robot, recordings and everything that options can name. */
#ifndef TEST_JOB_FILES_H
#define TEST_JOB_FILES_H

#include <stdbool.h>

/* A file, the option that takes it (NULL: it is the robot or a recording), the recording to
 * identify from, and further options as names and values that end with NULL. */
typedef struct {
  const char *name, *option, *log;
  const char *with[8];
} job_file;

extern const job_file job_files[];  // ends with name = NULL

#define JOB_LOOP "--controller pid.yaml --skip 0.2"

/*
 * Write them into the temporary directory of the test and make that the current one:
 *
 *   arm.yaml                  a two-joint arm with parameter values and collision shapes
 *   log.csv, other.csv        4 s and 2 s of it in its loop at 500 Hz: t, q, tau, qr
 *   pid.yaml                  the controller of that loop
 *   empty.csv, loaded.csv     10 s at 200 Hz without and with a payload of 1.5 kg: t, q, tau
 *   sensed.csv                10 s at 200 Hz with torque sensors in the joints: t, q, tau, tauj
 *   open.csv                  driven with open terminals: t, qm, emf
 *   map.yaml, prior.yaml, start.yaml, bounds.yaml, weights.yaml, gains.yaml, stiffness.yaml
 */
void job_files_write(void);

/* Change one byte of a file, in a way that leaves its meaning alone, and back. */
void job_file_change(const char *name);
void job_file_restore(const char *name);

#endif
