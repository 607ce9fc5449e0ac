/* Inputs reported to an observer, so that a test can count them. */
#include <stdatomic.h>

#include "base/support.h"

static _Atomic(rbv_observer *) current;

void rbv_set_observer(rbv_observer *observer) { atomic_store(&current, observer); }

void rbv_observe(const char *what, const char *name) {
  rbv_observer *observer = atomic_load_explicit(&current, memory_order_relaxed);
  if (observer) observer(what, name);
}
