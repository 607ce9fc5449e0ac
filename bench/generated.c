#include "generated.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void leave(const char *why) {
  fprintf(stderr, "bench: generated code: %s\n", why);
  exit(4);
}

static void save(const char *directory, const char *name, const char *text, size_t size) {
  char path[256];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  FILE *f = fopen(path, "w");
  if (!f || fwrite(text, 1, size, f) != size || fclose(f) != 0) leave("cannot be saved");
}

void *generated_library(const rbv_export *e) {
  char directory[] = "/tmp/roberval-bench-XXXXXX", command[512], path[256];
  if (!mkdtemp(directory)) leave("no temporary directory");
  save(directory, "arm.c", e->text, e->size);
  save(directory, "arm.h", e->header, e->header_size);
  snprintf(command, sizeof command,
           "cd '%s' && cc -std=c99 -Wall -Wextra -Werror -pedantic -O2 -fPIC -shared arm.c -o "
           "arm.so -lm",
           directory);
  if (system(command) != 0) leave("does not compile");
  snprintf(path, sizeof path, "%s/arm.so", directory);
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) leave(dlerror());
  snprintf(command, sizeof command, "rm -r '%s'", directory);
  if (system(command) != 0) leave("cannot be cleaned up");
  return library;
}

generated generated_new(const arm *a) {
  rbv_export_options o = rbv_export_defaults();
  rbv_export *e;
  o.format = RBV_EXPORT_C;
  o.name = "arm";
  if (rbv_export_new(&e, a->model, a->chi, &o) != RBV_OK || e->refused) leave(rbv_message());
  generated g = {.library = generated_library(e)};
  for (int i = 0; i < e->ncost; i++)
    if (strcmp(e->cost[i].function, "inverse_dynamics") == 0) {
      g.multiplications = e->cost[i].multiplications;
      g.additions = e->cost[i].additions;
      g.calls = e->cost[i].calls;
    }
  rbv_export_free(e);
  // ISO C does not convert the object pointer of dlsym to a function pointer
  void *found = dlsym(g.library, "arm_inverse_dynamics");
  if (!found) leave(dlerror());
  memcpy(&g.inverse, &found, sizeof found);
  found = dlsym(g.library, "arm_observe");
  if (!found) leave(dlerror());
  memcpy(&g.observe, &found, sizeof found);
  void (*start)(void *observer);
  found = dlsym(g.library, "arm_observer_start");
  if (!found) leave(dlerror());
  memcpy(&start, &found, sizeof found);
  start(g.observer);
  found = dlsym(g.library, "arm_payload_tick");
  if (!found) leave(dlerror());
  memcpy(&g.payload, &found, sizeof found);
  void (*start_load)(void *payload, const double *sigma, double memory);
  found = dlsym(g.library, "arm_payload_start");
  if (!found) leave(dlerror());
  memcpy(&start_load, &found, sizeof found);
  double sigma[PEER_JOINTS];
  for (int i = 0; i < PEER_JOINTS; i++) sigma[i] = 1;
  start_load(g.load, sigma, 10);
  // the estimator takes sines, cosines and the residual from the observer
  (void)g.observe(g.observer, a->sample.q, a->sample.dq, a->sample.tau, 1e-3);
  return g;
}

void generated_free(generated *g) {
  if (g->library) dlclose(g->library);
}
