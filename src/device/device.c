#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "base/support.h"
#include "device/device_internal.h"

/* choices, and the library of each; NULL: none */
static const struct {
  const char *name, *library;
  bool optional;  // without the library, use the CPU
} choices[] = {{"cpu", NULL, true},
               {"cuda", "libroberval_cuda.so", false},
               {"auto", "libroberval_cuda.so", true}};

const char *rbv_device_choice(int i) {
  return i >= 0 && i < RBV_COUNT(choices) ? choices[i].name : NULL;
}

/* ---- opening ---- */

rbv_status rbv_device_of_table(rbv_device **out, const device_table *table) {
  *out = NULL;
  // the version is the first member of every table
  if (table->version != DEVICE_VERSION)
    return rbv_fail(RBV_EUNSUPPORTED,
                    "the device library has version %d of the interface, this program needs "
                    "version %d: install both from the same release",
                    table->version, DEVICE_VERSION);
  char text[RBV_DEVICE_TEXT] = "";
  if (table->open(text, sizeof text) != 0)
    return rbv_fail(RBV_EUNSUPPORTED, "there is no device that can be used: %s", text);
  rbv_device *d = rbv_alloc(sizeof *d);
  if (!d) {
    table->close();
    return RBV_EMEM;
  }
  d->table = table;
  snprintf(d->name, sizeof d->name, "%s", text);
  pthread_mutex_init(&d->turn, NULL);
  *out = d;
  return RBV_OK;
}

static rbv_status open_device(rbv_device **out, const char *name) {
  void *library = rbv_open_plugin(name);
  if (!library)
    return rbv_fail(RBV_EUNSUPPORTED,
                    "the device library cannot be opened (%s): build it with -DROBERVAL_CUDA=ON, "
                    "or compute on the CPU",
                    dlerror());
  const device_table *table = dlsym(library, DEVICE_SYMBOL);
  rbv_status status =
      table ? rbv_device_of_table(out, table)
            : rbv_fail(RBV_EUNSUPPORTED, "%s is not a device library: it has no symbol %s", name,
                       DEVICE_SYMBOL);
  if (status == RBV_OK)
    (*out)->library = library;
  else
    dlclose(library);
  return status;
}

rbv_status rbv_device_open(rbv_device **out, char text[RBV_DEVICE_TEXT], const char *choice) {
  *out = NULL;
  text[0] = 0;
  for (int i = 0; i < RBV_COUNT(choices); i++) {
    if (strcmp(choices[i].name, choice) != 0) continue;
    if (!choices[i].library) return RBV_OK;
    const rbv_status status = open_device(out, choices[i].library);
    if (status != RBV_EUNSUPPORTED || !choices[i].optional) return status;
    snprintf(text, RBV_DEVICE_TEXT, "the CPU is used: %s", rbv_message());
    return RBV_OK;
  }
  return rbv_fail(RBV_EARG, "there is no device '%s'", choice);
}

void rbv_device_close(rbv_device *d) {
  if (!d) return;
  d->table->close();
  pthread_mutex_destroy(&d->turn);
  if (d->library) dlclose(d->library);
  rbv_free(d);
}

const char *rbv_device_name(const rbv_device *d) { return d ? d->name : "cpu"; }

/* ---- using it ---- */

static int go_on(void *self) { return !rbv_cancelled(self); }

static rbv_status outcome(bool *stopped, int result, const char *text) {
  *stopped = result == 1;
  if (result <= 1) return RBV_OK;
  return rbv_fail(RBV_ENUM, "the device failed: %s", text);
}

/* call one function of the table, in turn */
#define CALL(what, record)                                                                 \
  char text[RBV_DEVICE_TEXT] = "";                                                         \
  pthread_mutex_lock(&d->turn);                                                            \
  const int result =                                                                       \
      d->table->what(record, arrays, go_on, (void *)(uintptr_t)cancel, text, sizeof text); \
  pthread_mutex_unlock(&d->turn);                                                          \
  return outcome(stopped, result, text)

rbv_status rbv_device_loop(bool *stopped, rbv_device *d, const device_loop *loop,
                           const device_loop_arrays *arrays, const int *cancel) {
  CALL(loop, loop);
}

rbv_status rbv_device_gram(bool *stopped, rbv_device *d, const device_gram *gram,
                           const device_gram_arrays *arrays, const int *cancel) {
  CALL(gram, gram);
}

rbv_status rbv_device_repair(bool *stopped, rbv_device *d, const device_repair *repair,
                             const device_repair_arrays *arrays, const int *cancel) {
  CALL(repair, repair);
}
