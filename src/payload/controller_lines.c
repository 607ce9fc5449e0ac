/* Lines with which the controllers of robots are told their payload: one row each. */
#include <math.h>
#include <stdio.h>

#include "payload/payload_internal.h"

static bool has_inertia(const rbv_payload *p) {
  for (int i = 0; i < 6; i++)
    if (!isfinite(p->inertia_sigma[i])) return false;
  return p->inertia_possible;
}

static bool has_centre(const rbv_payload *p) {
  for (int i = 0; i < 3; i++)
    if (!isfinite(p->centre_sigma[i])) return false;
  return isfinite(p->mass_sigma);
}

/* URScript: inertia about the centre, in the order xx yy zz xy xz yz */
static void universal_robots(char *out, size_t size, const rbv_payload *p) {
  const double *c = p->centre, *i = p->inertia;
  if (has_inertia(p))
    snprintf(out, size,
             "set_target_payload(%.4f, [%.4f, %.4f, %.4f], [%.6f, %.6f, %.6f, %.6f, %.6f, %.6f])",
             p->mass, c[0], c[1], c[2], i[0], i[3], i[5], i[1], i[2], i[4]);
  else
    snprintf(out, size, "set_payload(%.4f, [%.4f, %.4f, %.4f])", p->mass, c[0], c[1], c[2]);
}

/* libfranka: inertia about the centre, column-major */
static void franka(char *out, size_t size, const rbv_payload *p) {
  const double *c = p->centre, zero[6] = {0}, *i = has_inertia(p) ? p->inertia : zero;
  snprintf(out, size,
           "robot.setLoad(%.4f, {{%.4f, %.4f, %.4f}}, {{%.6f, %.6f, %.6f, %.6f, %.6f, %.6f, %.6f, "
           "%.6f, %.6f}});",
           p->mass, c[0], c[1], c[2], i[0], i[1], i[2], i[1], i[3], i[4], i[2], i[4], i[5]);
}

static const struct {
  rbv_controller_line shown;
  void (*write)(char *out, size_t size, const rbv_payload *p);
} rows[] = {
    {{"universal_robots", "Universal Robots (URScript)"}, universal_robots},
    {{"franka", "Franka (libfranka)"}, franka},
};

const rbv_controller_line *rbv_controller_line_at(int i) {
  return i >= 0 && i < RBV_COUNT(rows) ? &rows[i].shown : NULL;
}

bool rbv_controller_line_write(char *out, size_t size, int i, const rbv_payload *p) {
  if (!rbv_controller_line_at(i) || !p || !has_centre(p)) return false;
  rows[i].write(out, size, p);
  return true;
}
