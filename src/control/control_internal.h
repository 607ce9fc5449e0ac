#ifndef CONTROL_CONTROL_INTERNAL_H
#define CONTROL_CONTROL_INTERNAL_H

#include <roberval/sys/control.h>

#include "base/support.h"

struct rbv_control {
  char *name;
  double rate_hz;
  rbv_feedforward feedforward;
  int njoint;
  rbv_control_joint *joint;
};

/* pole of the filtered difference */
double rbv_control_pole(const rbv_control *c, const rbv_control_joint *j);

#endif
