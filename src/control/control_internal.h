#ifndef CONTROL_CONTROL_INTERNAL_H
#define CONTROL_CONTROL_INTERNAL_H

#include "control/control.h"

#include "base/support.h"

struct rbv_control {
  char *name;
  double rate_hz;          // of the law
  int ticks;               // of the law per row of a recording
  double command_delay_s;  // of the reference
  rbv_feedforward feedforward;
  int njoint;
  rbv_control_joint *joint;
};

/* Names in the YAML file. The parse functions return false if the name is unknown. */
bool rbv_control_kind_parse(rbv_control_kind *out, const char *name);
bool rbv_antiwindup_parse(rbv_antiwindup *out, const char *name);
const char *rbv_feedforward_name(rbv_feedforward feedforward); /* "gravity" */
bool rbv_feedforward_parse(rbv_feedforward *out, const char *name);

/* pole of the filtered difference D(z), 0 without a filter */
double rbv_control_pole(const rbv_control *c, const rbv_control_joint *j);

#endif
