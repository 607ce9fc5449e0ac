/*
 * Compensation of dry friction in the C code: of what the joint has at its speed, in the direction
 * of the wanted motion. Never more than the friction itself, so that both together take energy out
 * of the robot whatever the wanted motion is.
 */
#include <math.h>
#include <string.h>

#include "export/export_control.h"
#include "export/graph.h"

#define TURN 2e-4        // share of the top speed at which the direction is known to 71 %
#define TURN_SPEED 1e-3  // for joints without a top speed [rad/s or m/s]

/* a term that acts on a joint along that joint's own motion alone */
static bool is_own(const rbv_model *m, const drive_term *t) {
  return t->count == 1 && m->direction_joint[t->first] == t->joint;
}

dry_friction rbv_dry_friction(const rbv_model *m, const double *chi, int joint) {
  const double top = m->joint[joint].limits.velocity;
  dry_friction f = {.turn = isfinite(top) && top > 0 ? TURN * top : TURN_SPEED};
  for (int t = 0; t < m->nterm; t++) {
    const drive_term *term = &m->term[t];
    const rbv_column *c = &m->column[term->column];
    if (term->joint != joint || !is_own(m, term) || !c->law) continue;
    if (c->law->element == LAW_FRICTION) f.coulomb += chi[term->column];
    if (c->law->element == LAW_DAMPING) f.viscous += chi[term->column];
    if (rbv_column_has_law(c, "Fs")) f.excess += chi[term->column];
    if (rbv_column_has_law(c, "Fl")) f.load += chi[term->column];
  }
  f.coulomb = fmax(f.coulomb, 0);
  f.excess = fmax(f.excess, -f.coulomb);
  const double speed = rbv_model_shape(m, joint, "stribeck");
  f.fall = f.excess != 0 && speed > 0 ? 1 / speed : 0;
  if (f.fall == 0) f.excess = 0;
  return f;
}

/* ---- the code ---- */

static const char declared[] =
    "/*\n"
    " * Compensation of dry friction, also of breaking away: $U_STICTION of the friction that the\n"
    " * joint has at its speed dq, in the direction of the wanted speed. Add it to a torque "
    "without\n"
    " * dry friction. Smooth in both; at most $U_STICTION of the friction, so that friction and\n"
    " * compensation together only take energy out, and a joint at rest is not set in motion.\n"
    " * 0, or $U_REFUSED with zeros.\n"
    " */\n"
    "#define $U_STICTION 0.95\n"
    "int $n_stiction(double tau[$j], const double wanted[$j], const double dq[$j]);\n\n";

static const char code[] =
    "  const int good = $n_usable(wanted, $U_ANGLE, $j) && $n_usable(dq, $U_ANGLE, $j);\n"
    "  for (int i = 0; i < $j; i++) {\n"
    "    const double s = good ? dq[i] * fall[i] : 0.0, w = good ? wanted[i] : 0.0;\n"
    "    const double most = $U_STICTION * (coulomb[i] + excess[i] * exp(-s * s));\n"
    "    tau[i] = most * w / sqrt(w * w + turn[i] * turn[i]);\n"
    "  }\n"
    "  return good ? 0 : $U_REFUSED;\n"
    "}\n\n";

void rbv_stiction_declare(rbv_text *header, const control_code *c) {
  rbv_control_put(header, c, declared);
}

static void put_list(rbv_text *t, const control_code *c, const char *name, size_t offset) {
  rbv_text_print(t, "  static const double %s[%d] = {", name, c->njoint);
  for (int j = 0; j < c->njoint; j++) {
    double x;
    memcpy(&x, (const char *)&c->dry[j] + offset, sizeof x);
    if (j) rbv_text_put(t, ", ");
    rbv_put_number(t, x);
  }
  rbv_text_put(t, "};\n");
}

void rbv_stiction_write(rbv_text *source, const control_code *c) {
  rbv_control_put(source, c,
                  "int $n_stiction(double tau[$j], const double wanted[$j], const double dq[$j]) "
                  "{\n");
  put_list(source, c, "coulomb", offsetof(dry_friction, coulomb));
  put_list(source, c, "excess", offsetof(dry_friction, excess));
  put_list(source, c, "fall", offsetof(dry_friction, fall));
  put_list(source, c, "turn", offsetof(dry_friction, turn));
  rbv_control_put(source, c, code);
}
