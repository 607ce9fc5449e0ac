/*
 * device: an accelerator that computes populations, in a library of its own that is opened at run
 * time (libroberval_cuda.so). Nothing is linked with it. The CPU is no device object: where a
 * function takes a device, NULL means the CPU.
 */
#ifndef ROBERVAL_SYS_DEVICE_H
#define ROBERVAL_SYS_DEVICE_H

#include <roberval/sys/base.h>

RBV_BEGIN_C

#define RBV_DEVICE_DEFAULT "cpu"

typedef struct rbv_device rbv_device;

#define RBV_DEVICE_TEXT 512

/* Words for results and journals: "cpu", or the name of the library and of the device. */
RBV_API const char *rbv_device_name(const rbv_device *device);

RBV_END_C
#endif
