#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/support.h"

static _Thread_local char message[1024];

const char *rbv_status_name(rbv_status status) {
  switch (status) {
#define X(name, value, text) \
  case name: return #name;
    RBV_STATUS_LIST(X)
#undef X
  }
  return "RBV_?";
}

const char *rbv_status_text(rbv_status status) {
  switch (status) {
#define X(name, value, text) \
  case name: return text;
    RBV_STATUS_LIST(X)
#undef X
  }
  return "not a status";
}

const char *rbv_message(void) { return message; }

const char *rbv_version(void) { return ROBERVAL_VERSION; }

rbv_status rbv_fail(rbv_status status, const char *format, ...) {
  // built aside, because an argument may be the old message
  char fresh[sizeof message];
  va_list args;
  va_start(args, format);
  vsnprintf(fresh, sizeof fresh, format, args);
  va_end(args);
  // what is quoted from a file must not break the sentence into lines, nor speak to a terminal
  for (char *c = fresh; *c; c++)
    if ((unsigned char)*c < ' ' || *c == 127) *c = '?';
  memcpy(message, fresh, sizeof message);
  return status;
}
