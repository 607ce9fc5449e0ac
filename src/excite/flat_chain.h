/* The parts of a robot that all flat records of motions share (src/device/device_types.h). */
#ifndef EXCITE_FLAT_CHAIN_H
#define EXCITE_FLAT_CHAIN_H

#include "device/device_types.h"
#include "model/model_internal.h"

/*
 * Frames of the joints, and minus gravity. RBV_EUNSUPPORTED, with a sentence: more than
 * DEVICE_JOINTS joints, a payload, or several torques per joint.
 *
 *   joint  out  njoint
 *   up     out  3
 */
RBV_MUST_CHECK rbv_status rbv_flat_frames(device_frame *joint, double *up, const rbv_model *m);

/* A drive term, without its column. RBV_EUNSUPPORTED, with a sentence: a law with a state or with
 * the load of the gear, or a formula of the robot file. */
RBV_MUST_CHECK rbv_status rbv_flat_drive(device_drive *drive, const rbv_model *m,
                                         const drive_term *term);

#endif
