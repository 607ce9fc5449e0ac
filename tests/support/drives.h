/* Recordings of motor currents instead of torques: an LWR4+ with known drive gains. */
#ifndef TEST_DRIVES_H
#define TEST_DRIVES_H

#include <roberval/sys/identify.h>
#include <stdint.h>

#define DRIVES 7

extern const double drives_gain[DRIVES];  // [N m/A]

/*
 * Estimate gains and their sigma from 90 s without and 90 s with a payload of 4.6 kg, at 200 Hz.
 * noise: relative to the deviation of each current; AR(1) with the corner frequency noise_hz (0:
 * white).
 */
void drives_identify(double gain[DRIVES], double sigma[DRIVES], uint64_t seed, double noise,
                     double noise_hz, int decimate);

#endif
