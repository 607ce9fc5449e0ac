/* Recordings of currents instead of torques: an LWR4+ whose drive gains are known. */
#ifndef TEST_DRIVES_H
#define TEST_DRIVES_H

#include <roberval/sys/identify.h>
#include <stdint.h>

#define DRIVES 7

extern const double drives_gain[DRIVES];  // [N m/A]

/*
 * Gains and their sigma from 90 s empty and 90 s with 4.6 kg, at 200 Hz; noise: share of each
 * current's deviation, AR(1) with this corner (0: white).
 */
void drives_identify(double gain[DRIVES], double sigma[DRIVES], uint64_t seed, double noise,
                     double noise_hz, int decimate);

#endif
