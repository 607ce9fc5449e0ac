/* Base parameters of a robot, read through functions. */
#include <math.h>
#include <roberval/sys/baseparam.h>

#include "base/support.h"

rbv_status rbv_model_base(rbv_base **out, const rbv_model *model) {
  if (!out) return rbv_fail(RBV_EARG, "there is no place for the base parameters");
  return rbv_base_new(out, model, NULL);
}

static bool has(const rbv_base *base, int i) { return base && i >= 0 && i < base->count; }

int rbv_base_count(const rbv_base *base) { return base ? base->count : 0; }

const char *rbv_base_name(const rbv_base *base, int i) {
  return has(base, i) ? base->name[i] : NULL;
}

int rbv_base_column(const rbv_base *base, int i) { return has(base, i) ? base->kept[i] : -1; }

double rbv_base_relation(const rbv_base *base, int i, int column) {
  if (!has(base, i) || column < 0 || column >= base->ncolumn) return NAN;
  return base->relation[i + (ptrdiff_t)column * base->count];
}
