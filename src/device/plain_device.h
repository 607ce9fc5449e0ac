/* The stand-in for a device, for tests. */
#ifndef DEVICE_PLAIN_DEVICE_H
#define DEVICE_PLAIN_DEVICE_H

#include "device/device_types.h"

extern const device_table rbv_plain_device;

#endif
