/* Weighing what an LWR4+ carries: two simulated recordings of 90 s, empty and loaded. */
#ifndef TEST_WEIGH_H
#define TEST_WEIGH_H

#include <roberval/sys/identify.h>
#include <stdint.h>

#define WEIGH_MASS 4.60  // of the built-in payload [kg]

/*
 * Sines within the limits at 1 kHz, torque noise AR(1) at 5 Hz: 15 % of each joint's torque
 * deviation on the motor side, 4 % on the joint side. Weighted least squares, cut-off of the
 * decimation at 0.8 Hz as in 004. truth may be NULL.
 */
rbv_payload weigh(rbv_payload *truth, int sensing, uint64_t seed);

#endif
