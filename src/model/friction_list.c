/* Drive columns that the options add to those of the robot file: "Fl, Fd3=0.4, Fp3=0.01". */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "model/model_draft.h"

#define ITEM 64  // longest entry of the list

/* an entry of the list, divided */
typedef struct {
  char text[ITEM];  // as it is written
  char name[ITEM];  // of the drive column
  int joint;        // from 0; -1: all
  bool has_value;
  bool searched;  // the value will be found from the recordings: a usual one for now
  double value;   // of the law's own shape parameter
} friction_item;

static rbv_status refuse_name(const friction_item *item) {
  rbv_text known = {0};
  for (int i = 0; rbv_drive_column_name(i); i++)
    rbv_text_print(&known, " %s", rbv_drive_column_name(i));
  const rbv_status status =
      rbv_fail_option(RBV_EOPTION, "friction", "there is no friction '%s' (choose from%s)",
                      item->text, known.data ? known.data : "");
  rbv_text_free(&known);
  return status;
}

static bool is_drive(const char *name) {
  for (int i = 0; rbv_drive_column_name(i); i++)
    if (strcmp(rbv_drive_column_name(i), name) == 0) return true;
  return false;
}

/* name, number, value */
static rbv_status divide(friction_item *item, int njoint) {
  size_t n = 0;
  const char *s = item->text;
  for (; isalpha((unsigned char)*s); s++) item->name[n++] = *s;
  item->name[n] = '\0';
  item->joint = -1;
  if (!is_drive(item->name)) return refuse_name(item);
  char *end = item->text + n;
  if (isdigit((unsigned char)*s)) {
    const long number = strtol(s, &end, 10);
    if (number < 1 || number > njoint)
      return rbv_fail_option(RBV_EOPTION, "friction", "friction '%s': the robot has %d joints",
                             item->text, njoint);
    item->joint = (int)number - 1;
  }
  item->has_value = *end == '=';
  item->searched = strcmp(end, "=auto") == 0;
  if (item->searched) return RBV_OK;
  if (item->has_value) item->value = strtod(end + 1, &end);
  if (*end) return refuse_name(item);
  return RBV_OK;
}

static rbv_status add_to(draft_joint *joint, const friction_item *item) {
  const draft_drive *found = NULL;
  for (int pass = 0; pass < 2 && !found; pass++) {
    for (int k = 0; k < joint->ndrive && !found; k++)
      if (strcmp(joint->drive[k].as->prefix, item->name) == 0) found = &joint->drive[k];
    if (!found && !rbv_draft_add_drive(joint, item->name))
      return rbv_fail(RBV_EUNSUPPORTED, "a joint can have %d drive columns", DRIVE_MAX);
  }
  if (!item->has_value) return RBV_OK;
  const int own = rbv_law_own_shape(found->law);
  if (own < 0)
    return rbv_fail_option(RBV_EOPTION, "friction", "friction '%s': %s has no shape parameter",
                           item->text, item->name);
  const rbv_law_shape *shape = &found->law->shape[own];
  const double value = item->searched ? shape->example : item->value;
  if (!(value > 0 && value < 1e9))
    return rbv_fail_option(RBV_EOPTION, "friction", "friction '%s': %s (%s) must be positive",
                           item->text, shape->name, shape->text);
  joint->shape[rbv_shape_kind_find(shape->name)] = value;
  return RBV_OK;
}

static bool separates(char c) { return c == ',' || isspace((unsigned char)c); }

rbv_status rbv_draft_add_friction(rbv_draft *d, const char *list) {
  for (const char *s = list; *s;) {
    while (separates(*s)) s++;
    size_t n = 0;
    while (s[n] && !separates(s[n])) n++;
    if (n == 0) break;
    if (n >= ITEM)
      return rbv_fail_option(RBV_EOPTION, "friction", "friction '%.*s...' is too long", ITEM / 2,
                             s);
    friction_item item = {.joint = -1};
    memcpy(item.text, s, n);
    RBV_TRY(divide(&item, d->njoint));
    for (int j = 0; j < d->njoint; j++)
      if (item.joint < 0 || item.joint == j) RBV_TRY(add_to(&d->joint[j], &item));
    s += n;
  }
  return RBV_OK;
}
