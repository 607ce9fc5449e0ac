/* What other modules of the library use of device, beside its public header. */
#ifndef DEVICE_DEVICE_H
#define DEVICE_DEVICE_H

#include <roberval/sys/device.h>

/* What can be chosen: "cpu", "cuda", "auto"; NULL past the last one. */
const char *rbv_device_choice(int i);

/*
 * Open a device. The library is looked for beside this library (or the program that contains it),
 * then in the lib folder next to that folder, then where the system looks for libraries.
 *
 *   out     out  NULL: the CPU
 *   text    out  one sentence for "auto" when there is no device: why. Otherwise empty
 *   choice  in   "cpu" opens nothing. "cuda" fails with RBV_EUNSUPPORTED and one sentence if the
 *                library is missing, if it belongs to another version, or if it finds no device.
 *                "auto" uses the CPU instead
 *
 * One device serves several threads, one after the other.
 */

RBV_MUST_CHECK rbv_status rbv_device_open(rbv_device **out, char text[RBV_DEVICE_TEXT],
                                          const char *choice);
void rbv_device_close(rbv_device *device);

#endif
