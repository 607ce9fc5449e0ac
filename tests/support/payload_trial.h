/* Identification of the payload of an LWR4+ from two simulated recordings of 90 s, without and with
 * it. */
#ifndef TEST_PAYLOAD_TRIAL_H
#define TEST_PAYLOAD_TRIAL_H

#include <roberval/sys/identify.h>
#include <roberval/sys/payload.h>
#include <stdint.h>

#define PAYLOAD_MASS 4.60  // of the built-in payload [kg]

/*
 * Motion: sines within the limits at 1 kHz. Torque noise: AR(1) with corner frequency 5 Hz; 15 % of
 * the standard deviation of each joint's torque on the motor side, 4 % on the joint side. Weighted
 * least squares; cut-off of the decimation 0.8 Hz as in Jubien 2014. Returns the estimate; truth
 * may be NULL.
 */
rbv_payload payload_trial(rbv_payload *truth, int sensing, uint64_t seed);

#endif
