/* Robots whose drives have every law of the table, so that a new law is tested without an edit. */
#ifndef SUPPORT_LAWS_H
#define SUPPORT_LAWS_H

#include <roberval/sys/model.h>
#include <stdio.h>
#include <string.h>

#include "model/law.h"
#include "support.h"

/* "Fch, Ia, Fv, Fc": the names of all laws, first those that would replace a column before them */
static inline void every_law(char *out, size_t size) {
  out[0] = 0;
  for (int others = 0; others < 2; others++)
    for (int i = 0; i < rbv_law_count(); i++)
      if (others == (rbv_law_at(i)->replaces == NULL))
        snprintf(out + strlen(out), size - strlen(out), "%s%s", *out ? ", " : "",
                 rbv_law_name(rbv_law_at(i)));
}

/* "{gamma: 20, stribeck: 0.1}": usual shape parameters times a factor, gamma as given */
static inline void every_shape(char *out, size_t size, double gamma, double factor) {
  snprintf(out, size, "{gamma: %g", gamma);
  for (int i = 0; i < rbv_law_count(); i++)
    for (const rbv_law_shape *s = rbv_law_at(i)->shape; s->name; s++) {
      char key[64];
      snprintf(key, sizeof key, "%s:", s->name);
      if (strstr(out, key)) continue;
      snprintf(out + strlen(out), size - strlen(out), ", %s %g", key, factor * s->example);
    }
  snprintf(out + strlen(out), size - strlen(out), "}");
}

/* True if the load of the gears acts on a column with a parameter that is not zero. */
static inline bool has_load_friction(const rbv_model *m, const double *chi) {
  for (int c = 0; c < rbv_model_column_count(m); c++) {
    const rbv_law *law = rbv_model_column(m, c)->law;
    if (law && rbv_law_uses_torque(law) && chi[c] != 0) return true;
  }
  return false;
}

/* Friction in proportion to the load of a gear takes a part of it, not more than all. */
static inline void limit_load_friction(double *chi, const rbv_model *m) {
  for (int c = 0; c < rbv_model_column_count(m); c++) {
    const rbv_law *law = rbv_model_column(m, c)->law;
    if (law && rbv_law_uses_torque(law)) chi[c] *= 0.1;
  }
}

/* A revolute and a prismatic joint with every law; the second has shape parameters of its own. */
static inline rbv_model *robot_with_every_law(double gamma) {
  char laws[512], common[256], own[256], text[2048];
  every_law(laws, sizeof laws);
  every_shape(common, sizeof common, gamma, 1);
  every_shape(own, sizeof own, 2 * gamma, 1.5);
  snprintf(text, sizeof text,
           "joints:\n"
           "  - {mdh: {alpha: 0.3, d: 0.1, theta: 0.7, r: 0.2}, drive: [%s]}\n"
           "  - {type: prismatic, mdh: {alpha: pi/2, d: 0.2, theta: 0.4, r: 0.3}, drive: [%s], "
           "friction: %s}\n"
           "friction: %s\n",
           laws, laws, own, common);
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "every_law.yaml", text, strlen(text), NULL));
  return m;
}

#endif
