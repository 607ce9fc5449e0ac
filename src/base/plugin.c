/* Libraries that are opened at run time, beside this one. */
#define _GNU_SOURCE  // dladdr
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "base/support.h"

#define PATH_LENGTH 4096

/* folder of this library or program with a slash at its end; false: not known */
static bool own_folder(char out[PATH_LENGTH]) {
  static const char mark = 0;
  Dl_info info;
  if (!dladdr(&mark, &info) || !info.dli_fname || strlen(info.dli_fname) >= PATH_LENGTH)
    return false;
  strcpy(out, info.dli_fname);
  char *slash = strrchr(out, '/');
  if (!slash) return false;
  slash[1] = 0;
  return true;
}

void *rbv_open_plugin(const char *name) {
  static const char *const places[] = {"", "../lib/"};
  // its threads may outlive its last handle
  const int how = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE;
  char folder[PATH_LENGTH], path[PATH_LENGTH + 64];
  for (int i = 0; i < RBV_COUNT(places) && own_folder(folder); i++) {
    snprintf(path, sizeof path, "%s%s%s", folder, places[i], name);
    void *library = dlopen(path, how);
    if (library) return library;
  }
  return dlopen(name, how);
}
