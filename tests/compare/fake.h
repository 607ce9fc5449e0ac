/* A result that contains only parameters P1, P2, ... in kg. */
#ifndef COMPARE_FAKE_H
#define COMPARE_FAKE_H

#include <roberval/sys/compare.h>
#include <stdio.h>

#define FAKE_MOST 40

typedef struct {
  rbv_result result;
  rbv_parameter item[FAKE_MOST];
  const char *unit[FAKE_MOST];
  char name[FAKE_MOST][16];
} fake;

/* count parameters; the caller sets value and sigma */
static inline void fake_new(fake *f, int count) {
  *f = (fake){0};
  for (int k = 0; k < count; k++) {
    snprintf(f->name[k], sizeof f->name[k], "P%d", k + 1);
    f->unit[k] = "kg";
    f->item[k] = (rbv_parameter){.name = f->name[k], .status = RBV_STATUS_IDENTIFIED};
  }
  f->result.robot = "arm";
  f->result.unit = f->unit;
  f->result.estimate = (rbv_parameters){count, f->item};
}

#endif
