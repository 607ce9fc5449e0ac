/*
 * device: an accelerator that computes populations, in a library of its own that is opened at run
 * time (libroberval_cuda.so). Nothing is linked with it. The CPU is no device object: where a
 * function takes a device, NULL means the CPU.
 */
#ifndef ROBERVAL_SYS_DEVICE_H
#define ROBERVAL_SYS_DEVICE_H

#include <roberval/sys/base.h>

RBV_BEGIN_C

/* What can be chosen: "cpu", "cuda", "auto"; NULL past the last one. */
RBV_API const char *rbv_device_choice(int i);
#define RBV_DEVICE_DEFAULT "cpu"

typedef struct rbv_device rbv_device;

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
#define RBV_DEVICE_TEXT 512
RBV_API RBV_MUST_CHECK rbv_status rbv_device_open(rbv_device **out, char text[RBV_DEVICE_TEXT],
                                                  const char *choice);
RBV_API void rbv_device_close(rbv_device *device);

/* Words for results and journals: "cpu", or the name of the library and of the device. */
RBV_API const char *rbv_device_name(const rbv_device *device);

RBV_END_C
#endif
