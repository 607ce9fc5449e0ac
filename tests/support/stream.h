/*
 * A simulated arm at work, sample by sample: smooth motion, true torques, the noise of its sensors.
 * The arm that is known was identified from a recording of the same kind.
 */
#ifndef TEST_STREAM_H
#define TEST_STREAM_H

#include <stdint.h>

#include <roberval/sys/dynamics.h>
#include <roberval/sys/follow.h>

#define STREAM_JOINTS 8
#define STREAM_SINES 4
#define STREAM_COLUMNS 200

typedef struct {
  rbv_model *m;  // borrowed
  rbv_dynamics *d;
  int n;
  uint64_t seed;
  ptrdiff_t k;  // next sample
  double rate_hz;
  double chi[STREAM_COLUMNS];  // truth; call stream_set after a change
  double amplitude[STREAM_JOINTS][STREAM_SINES], omega[STREAM_JOINTS][STREAM_SINES],
      phase[STREAM_JOINTS][STREAM_SINES];
  double noise[STREAM_JOINTS];     // rms of the disturbance, first order with a corner at 20 Hz
  double state[STREAM_JOINTS];     // of the disturbance
  double step[STREAM_JOINTS];      // of the encoder [rad or m]
  double external[STREAM_JOINTS];  // torque on the arm from outside
  bool moves[STREAM_JOINTS];       // others stand still at zero
  int at;                          // body that carries, from 1; 0: the last one
  double t, q[STREAM_JOINTS], dq[STREAM_JOINTS], ddq[STREAM_JOINTS], tau[STREAM_JOINTS];
} stream;

/* Sines between 0.1 and 1 Hz within the limits, disturbance: a share of the rms of each
 * torque; encoders of 2^16 counts. The motion does not depend on `run`, the noise does. */
void stream_new(stream *s, rbv_model *m, const double *chi, double rate_hz, double share,
                uint64_t motion, uint64_t run);
void stream_free(stream *s);
void stream_set(stream *s);   // after a change of chi
void stream_next(stream *s);  // fills t, q (as the encoder reads), tau

/* Correlation of the disturbance of two samples in sequence. */
double stream_noise_memory(const stream *s);

/* Add a body to the link that carries: mass, centre, inertia of a ball of this radius. */
void stream_carry(stream *s, double mass, const double centre[3], double radius);

/* An arm that was identified from a stream, and what is needed to follow it. */
typedef struct {
  rbv_model *m;
  double chi[STREAM_COLUMNS], rms[STREAM_JOINTS], truth[STREAM_COLUMNS];
  rbv_known_arm arm;
  rbv_follow_options options;
  double share;        // of the disturbance
  double recorded_hz;  // of the recording that known_follow learns from; 0: that of the stream
} known_stream;

/* robot: "tx40" or "lwr4+". Identified from `seconds` of motion number 1; mask 0.02 rad/s. */
void known_new(known_stream *k, const char *robot, int sensing, double rate_hz, double share,
               double seconds, uint64_t run);
void known_free(known_stream *k);

/* Start to follow; calibrated on `seconds` of motion number 2; 0: not calibrated. */
rbv_follow *known_follow(const known_stream *k, double seconds, uint64_t run);

#endif
