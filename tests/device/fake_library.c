/* A device library of one kind: see CMakeLists.txt. */
#include <stdio.h>

#include "device/plain_device.c"  // NOLINT: the stand-in, compiled into this library

#define EXPORTED __attribute__((visibility("default")))

#ifdef FAKE_PLAIN
EXPORTED extern const device_table rbv_device_table;
const device_table rbv_device_table = PLAIN_TABLE;
#endif

#ifdef FAKE_OLD
EXPORTED extern const device_table rbv_device_table;
const device_table rbv_device_table = {.version = DEVICE_VERSION - 1};
#endif

#ifdef FAKE_NONE
static int no_device(char *text, size_t size) {
  snprintf(text, size, "no driver is installed");
  return 1;
}
EXPORTED extern const device_table rbv_device_table;
const device_table rbv_device_table = {.version = DEVICE_VERSION, .open = no_device};
#endif
