/* An open device. */
#ifndef DEVICE_DEVICE_INTERNAL_H
#define DEVICE_DEVICE_INTERNAL_H

#include <pthread.h>
#include <roberval/sys/device.h>

#include "device/device.h"
#include "device/device_types.h"

struct rbv_device {
  void *library;  // NULL: the table was given
  const device_table *table;
  pthread_mutex_t turn;  // of the threads that use it
  char name[RBV_DEVICE_TEXT];
};

/* A device with a table that is in memory, for tests. */
RBV_MUST_CHECK rbv_status rbv_device_of_table(rbv_device **out, const device_table *table);

/*
 * Simulate; compute Gram matrices; repair motions. The device stops between two slices when cancel
 * is set (see rbv_cancel; NULL: never).
 *
 *   stopped  out  true: the arrays are not complete
 */
RBV_MUST_CHECK rbv_status rbv_device_loop(bool *stopped, rbv_device *device,
                                          const device_loop *loop, const device_loop_arrays *arrays,
                                          const int *cancel);
RBV_MUST_CHECK rbv_status rbv_device_gram(bool *stopped, rbv_device *device,
                                          const device_gram *gram, const device_gram_arrays *arrays,
                                          const int *cancel);
RBV_MUST_CHECK rbv_status rbv_device_repair(bool *stopped, rbv_device *device,
                                            const device_repair *repair,
                                            const device_repair_arrays *arrays, const int *cancel);

#endif
