#include <pthread.h>

#include "base/support.h"

/* More than ten times what the deepest call needs. The default would be the limit of the shell,
 * which can be too small. */
#define STACK_BYTES ((size_t)1 << 20)

int rbv_thread_start(pthread_t *id, void *(*body)(void *), void *argument) {
  pthread_attr_t how;
  int reason = pthread_attr_init(&how);
  if (reason != 0) return reason;
  reason = pthread_attr_setstacksize(&how, STACK_BYTES);
  if (reason == 0) reason = pthread_create(id, &how, body, argument);
  pthread_attr_destroy(&how);
  return reason;
}
