/* Points at which the surroundings may push: "FL_foot, calf:0:0:-0.21". */
#include <math.h>
#include <string.h>

#include "document/document.h"
#include "model/model_draft.h"

static const model_frame *find_frame(const rbv_draft *d, const char *name) {
  for (int i = 0; i < d->nframe; i++)
    if (strcmp(d->frame[i].name, name) == 0) return &d->frame[i];
  return NULL;
}

static rbv_status refuse(const char *item, const char *why) {
  return rbv_fail_option(RBV_EOPTION, "contacts", "contact '%.60s': %s", item, why);
}

/* cut the three coordinates behind a name; *given: there are some */
static rbv_status cut_point(double p[3], bool *given, char *item) {
  char *at = strchr(item, ':');
  *given = at != NULL;
  for (int i = 0; i < 3 && *given; i++) {
    char *next = at ? strchr(at + 1, ':') : NULL;
    if (next) *next = '\0';
    if (!at || (i == 2 && next) || !rbv_real_parse(&p[i], at + 1) || !isfinite(p[i])) {
      *strchr(item, '\0') = ':';
      return refuse(item, "write a link, or LINK:X:Y:Z with three numbers");
    }
    *at = '\0';
    at = next;
  }
  return RBV_OK;
}

static rbv_status add_contact(rbv_draft *d, char *item) {
  double p[3] = {0}, *to;
  bool given;
  RBV_TRY(cut_point(p, &given, item));
  const model_frame *f = find_frame(d, item);
  if (!f)
    return refuse(item, "the robot has no such link or site; LINK:X:Y:Z is a point of a link");
  if (f->link == 0) return refuse(item, "this link is fixed to the base, which does not move");
  if (d->ncontact == RBV_CONTACT_MAX) return refuse(item, "there are more than 32 contacts");
  for (int i = 0; i < d->ncontact; i++)
    if (strcmp(d->contact[i].name, item) == 0) return refuse(item, "it is listed twice");
  model_contact *all = rbv_realloc(d->contact, (size_t)d->ncontact * sizeof *all,
                                   (size_t)(d->ncontact + 1) * sizeof *all);
  if (!all) return RBV_EMEM;
  d->contact = all;
  model_contact *c = &all[d->ncontact];
  *c = (model_contact){.name = rbv_strdup(item), .body = f->link - 1};
  if (!c->name) return RBV_EMEM;
  d->ncontact++;
  to = c->point;
  for (int i = 0; i < 3; i++)
    to[i] = f->p[i] + f->R[3 * i] * p[0] + f->R[3 * i + 1] * p[1] + f->R[3 * i + 2] * p[2];
  return RBV_OK;
}

rbv_status rbv_draft_read_contacts(rbv_draft *d, const char *list) {
  if (!list) return RBV_OK;
  char *text = rbv_strdup(list), *item = text;
  rbv_status status = text ? RBV_OK : RBV_EMEM;
  while (item && status == RBV_OK) {
    char *next = strchr(item, ',');
    if (next) *next++ = '\0';
    item += strspn(item, " ");
    for (char *end = strchr(item, '\0'); end > item && end[-1] == ' '; end--) end[-1] = '\0';
    status = add_contact(d, item);
    item = next;
  }
  rbv_free(text);
  return status;
}

int rbv_model_contact_count(const rbv_model *m) { return m ? m->ncontact : 0; }

const char *rbv_model_contact_name(const rbv_model *m, int i) {
  return m && i >= 0 && i < m->ncontact ? m->contact[i].name : NULL;
}

rbv_status rbv_model_need_untouched(const rbv_model *m, const char *consumer) {
  if (!m || m->ncontact == 0) return RBV_OK;
  return rbv_fail_option(RBV_EUNSUPPORTED, "contacts",
                         "%s does not support contact points: forces there are not known",
                         consumer);
}
