#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/support.h"

static _Thread_local char message[1024];
static _Thread_local char option[32];  // that avoids the failure; "" for none

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

const char *rbv_message_option(void) { return *option ? option : NULL; }

const char *rbv_version(void) { return RBV_VERSION_TEXT; }

int rbv_version_number(void) { return RBV_VERSION_NUMBER; }

static void record(const char *name, const char *format, va_list args) {
  // format into a second buffer, because an argument may be the old message
  char fresh[sizeof message];
  vsnprintf(fresh, sizeof fresh, format, args);
  rbv_clean(fresh);
  memcpy(message, fresh, sizeof message);
  snprintf(option, sizeof option, "%s", name ? name : "");
}

rbv_status rbv_fail(rbv_status status, const char *format, ...) {
  va_list args;
  va_start(args, format);
  record("", format, args);
  va_end(args);
  return status;
}

rbv_status rbv_fail_option(rbv_status status, const char *name, const char *format, ...) {
  va_list args;
  va_start(args, format);
  record(name, format, args);
  va_end(args);
  return status;
}
