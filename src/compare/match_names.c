#include "compare/match_names.h"

#include <math.h>
#include <string.h>

#include "base/support.h"

const rbv_parameter *rbv_match_find(const rbv_result *r, const char *name) {
  for (int k = 0; r && k < r->estimate.count; k++)
    if (strcmp(r->estimate.item[k].name, name) == 0) return &r->estimate.item[k];
  return NULL;
}

bool rbv_match_usable(const rbv_parameter *p) {
  return p && isfinite(p->value) && isfinite(p->sigma) && p->sigma > 0;
}

bool rbv_match_mixed(const rbv_result *a, const rbv_result *b, const char *name) {
  const rbv_parameter *x = rbv_match_find(a, name), *y = rbv_match_find(b, name);
  if (!x || !y || a->sensing == b->sensing) return false;
  const char *u = a->meaning ? a->meaning[x - a->estimate.item] : NULL;
  const char *v = b->meaning ? b->meaning[y - b->estimate.item] : NULL;
  return u && v && strcmp(u, v) != 0;
}

int rbv_match_collect(const char **name, const char **unit, const rbv_result *const *results,
                      int nresult) {
  int count = 0;
  for (int i = 0; i < nresult; i++)
    for (int k = 0; results[i] && k < results[i]->estimate.count; k++) {
      const char *this = results[i]->estimate.item[k].name;
      bool seen = false;
      // the nearest result has most of the names
      for (int before = i - 1; before >= 0 && !seen; before--)
        seen = rbv_match_find(results[before], this) != NULL;
      if (seen) continue;
      if (name) {
        name[count] = this;
        unit[count] = results[i]->unit[k];
      }
      count++;
    }
  return count;
}

rbv_status rbv_match_robot(const rbv_result *const *results, int nresult) {
  const char *first = NULL;
  for (int i = 0; i < nresult; i++) {
    if (!results[i]) continue;
    if (!first) first = results[i]->robot;
    if (strcmp(results[i]->robot, first) != 0)
      return rbv_fail(RBV_EINPUT, "the results belong to different robots: '%s' and '%s'", first,
                      results[i]->robot);
  }
  return RBV_OK;
}
