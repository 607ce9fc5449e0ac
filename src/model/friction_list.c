/* Drive columns in addition to those of the robot file: "Fl, Fd3=0.4, Fp3=0.01". */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model_draft.h"

#define ITEM 64  // longest entry of the list

static rbv_status refuse_name(const char *text) {
  rbv_text known = {0};
  for (int i = 0; rbv_drive_column_name(i); i++)
    rbv_text_print(&known, " %s", rbv_drive_column_name(i));
  RBV_FINISH(rbv_fail_option(RBV_EOPTION, "friction", "there is no friction '%s' (choose from%s)",
                             text, known.data ? known.data : ""),
             rbv_text_free(&known));
}

static const char *find_drive(const char *text, size_t length) {
  const char *name;
  for (int i = 0; (name = rbv_drive_column_name(i)); i++)
    if (strlen(name) == length && strncmp(name, text, length) == 0) return name;
  return NULL;
}

static const rbv_law *law_of(const char *column) {
  for (int i = 0; i < rbv_law_count(); i++)
    for (int k = 0; k < LAW_COLUMNS; k++) {
      const char *prefix = rbv_law_at(i)->column[k].prefix;
      if (prefix && strcmp(prefix, column) == 0) return rbv_law_at(i);
    }
  return NULL;
}

/* the shape parameter that a value belongs to */
static rbv_status check_shape(const rbv_friction_entry *e, const char *text) {
  const rbv_law *law = law_of(e->column);
  const int own = rbv_law_own_shape(law);
  if (own < 0)
    return rbv_fail_option(RBV_EOPTION, "friction", "friction '%s': %s has no shape parameter",
                           text, e->column);
  const rbv_law_shape *shape = &law->shape[own];
  if (!e->open && !(e->shape > 0 && e->shape < 1e9))
    return rbv_fail_option(RBV_EOPTION, "friction", "friction '%s': %s (%s) must be positive", text,
                           shape->name, shape->text);
  return RBV_OK;
}

/* name, number, value */
static rbv_status parse_entry(rbv_friction_entry *out, const char *text, int njoint) {
  size_t n = 0;
  while (isalpha((unsigned char)text[n])) n++;
  *out = (rbv_friction_entry){.column = find_drive(text, n), .joint = -1, .shape = NAN};
  if (!out->column) return refuse_name(text);
  const char *at = text + n;
  char *end;
  if (isdigit((unsigned char)*at)) {
    const long number = strtol(at, &end, 10);
    if (number < 1 || number > njoint)
      return rbv_fail_option(RBV_EOPTION, "friction", "friction '%s': the robot has %d joints",
                             text, njoint);
    out->joint = (int)number - 1;
    at = end;
  }
  if (!*at) return RBV_OK;
  if (*at != '=') return refuse_name(text);
  out->open = strcmp(at, "=auto") == 0;
  if (!out->open) {
    out->shape = strtod(at + 1, &end);
    if (*end) return refuse_name(text);
  }
  return check_shape(out, text);
}

static bool separates(char c) { return c == ',' || isspace((unsigned char)c); }

rbv_status rbv_friction_parse(rbv_friction_entry **out, int *count, const char *list, int njoint) {
  if (!out || !count || !list) return rbv_fail(RBV_EARG, "there is no list of friction terms");
  *out = NULL;
  *count = 0;
  // an entry and its comma have at least two letters
  rbv_friction_entry *all = rbv_alloc((strlen(list) / 2 + 1) * sizeof *all);
  rbv_status status = all ? RBV_OK : RBV_EMEM;
  int found = 0;
  for (const char *s = list; status == RBV_OK && *s;) {
    while (separates(*s)) s++;
    size_t n = 0;
    while (s[n] && !separates(s[n])) n++;
    if (n == 0) break;
    char text[ITEM];
    snprintf(text, sizeof text, "%.*s", (int)(n < ITEM ? n : ITEM / 2), s);
    status = n < ITEM
                 ? parse_entry(&all[found++], text, njoint)
                 : rbv_fail_option(RBV_EOPTION, "friction", "friction '%s...' is too long", text);
    s += n;
  }
  if (status == RBV_OK && found > 0) {
    *out = all;
    *count = found;
    return RBV_OK;
  }
  rbv_free(all);
  return status;
}

/* ---- into a draft ---- */

static rbv_status add_to(draft_joint *joint, const rbv_friction_entry *e) {
  const draft_drive *found = NULL;
  for (int pass = 0; pass < 2 && !found; pass++) {
    for (int k = 0; k < joint->ndrive && !found; k++)
      if (strcmp(joint->drive[k].as->prefix, e->column) == 0) found = &joint->drive[k];
    if (!found && !rbv_draft_add_drive(joint, e->column))
      return rbv_fail(RBV_EUNSUPPORTED, "a joint can have %d drive columns", DRIVE_MAX);
  }
  const int own = rbv_law_own_shape(found->law);
  if (own < 0 || (!e->open && isnan(e->shape))) return RBV_OK;
  const rbv_law_shape *shape = &found->law->shape[own];
  joint->shape[rbv_shape_kind_find(shape->name)] = e->open ? shape->example : e->shape;
  return RBV_OK;
}

rbv_status rbv_draft_add_friction(rbv_draft *d, const rbv_friction_entry *entry, int count) {
  for (int i = 0; i < count; i++) {
    const rbv_friction_entry *e = &entry[i];
    if (!e->column || !law_of(e->column) || e->joint < -1 || e->joint >= d->njoint)
      return rbv_fail(RBV_EARG, "friction entry %d names no drive column of the robot", i + 1);
    const int leader = e->joint >= 0 ? d->joint[e->joint].leader : -1;
    if (leader >= 0)
      return rbv_fail_option(RBV_EOPTION, "friction",
                             "friction '%s%d': joint '%s' follows joint '%s', which has the drive",
                             e->column, e->joint + 1, d->joint[e->joint].name,
                             d->joint[leader].name);
    if (e->joint >= 0 && d->joint[e->joint].passive)
      return rbv_fail_option(RBV_EOPTION, "friction",
                             "friction '%s%d': joint '%s' is not driven: give its friction as "
                             "'drive' of the joint in the robot file",
                             e->column, e->joint + 1, d->joint[e->joint].name);
    for (int j = 0; j < d->njoint; j++)
      if (d->joint[j].leader < 0 && !d->joint[j].passive && (e->joint < 0 || e->joint == j))
        RBV_TRY(add_to(&d->joint[j], e));
  }
  return RBV_OK;
}
