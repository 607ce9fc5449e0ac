/* Rules about a robot file alone: what no real robot has, or no file should lack. */
#include <math.h>
#include <string.h>

#include "model/lint.h"
#include "model/model_thresholds.h"

RBV_THRESHOLDS(MODEL_LINT);

/* ---- bodies ---- */

/* density of the uniform ellipsoid with this mass and inertia [kg/m^3]; NaN: there is none */
static double density_of(const lint_part *p) {
  double square = 1;
  for (int i = 0; i < 3; i++) {
    const double *I = p->moment;
    const double axis = 5 * (I[0] + I[1] + I[2] - 2 * I[i]) / (2 * p->split[0]);
    if (!(axis > 0)) return NAN;
    square *= axis;
  }
  return p->split[0] / (4 * RBV_PI / 3 * sqrt(square));
}

/* a power of ten about every axis, as in an example that was copied */
static bool is_identity(const double I[3]) {
  const double power = log10(I[2]);
  return I[0] > 0 && I[2] - I[0] <= 1e-9 * I[2] && fabs(power - nearbyint(power)) < 1e-9;
}

static rbv_status check_body(rbv_lint *lint, const lint_part *p) {
  const double *I = p->moment, mass = p->split[0], slack = p->slack;
  if (mass <= NO_MASS)
    return mass > 0 ? rbv_lint_add(lint, "placeholder", p->name,
                                   "its mass of %g kg is a placeholder", mass)
                    : RBV_OK;
  if (I[2] <= slack) {
    return p->moves ? rbv_lint_add(lint, "placeholder", p->name,
                                   "it has a mass of %g kg and no inertia", mass)
                    : RBV_OK;
  }
  if (is_identity(I))
    return rbv_lint_add(lint, "placeholder", p->name,
                        "its inertia of %g kg m^2 about every axis is a placeholder", I[2]);
  if (I[0] < -slack)
    return rbv_lint_add(lint, "inertia", p->name,
                        "its inertia is not positive definite: a principal moment is %.3g kg m^2",
                        I[0]);
  if (I[0] + I[1] < I[2] - slack)
    return rbv_lint_add(lint, "triangle", p->name,
                        "its principal moments %.3g, %.3g, %.3g kg m^2 violate the triangle "
                        "inequality: no body has them",
                        I[0], I[1], I[2]);
  const double density = density_of(p);
  if (density < LIGHT || density > DENSE)
    return rbv_lint_add(lint, "density", p->name,
                        "a solid with its mass of %.3g kg and its inertia has a density of %.2g "
                        "kg/m^3: mass and inertia do not belong together, or have another unit",
                        mass, density);
  return RBV_OK;
}

rbv_status rbv_lint_bodies(rbv_lint *lint, const lint_part *part, int count) {
  int given = 0;
  for (int i = 0; i < count; i++) {
    const lint_part *p = &part[i];
    if (p->unknown) RBV_TRY(rbv_lint_add(lint, "mesh", p->name, "it %s", p->unknown));
    if (!p->body) continue;
    given++;
    rbv_lint_link *to = &lint->link[lint->nlink++];
    *to = (rbv_lint_link){rbv_strdup(p->name), p->split[0], density_of(p), p->moves};
    if (!to->name) return RBV_EMEM;
    lint->mass += p->split[0];
    if (p->moves) lint->moving_mass += p->split[0];
    RBV_TRY(check_body(lint, p));
  }
  return given > 0 ? RBV_OK
                   : rbv_lint_add(lint, "mass", "robot", "the file gives no mass of any link");
}

/* ---- copies ---- */

static bool carries(const lint_part *part, int above, int below) {
  while (below >= 0 && below != above) below = part[below].parent;
  return below >= 0;
}

static bool same_body(const lint_part *a, const lint_part *b) {
  return a->body && b->body && a->split[0] > NO_MASS &&
         memcmp(a->body, b->body, RBV_INERTIAL * sizeof(double)) == 0;
}

/* links of one chain with the same body: many of them, or two of different length */
static rbv_status check_copies(rbv_lint *lint, const lint_part *part, int i, int count) {
  int copies = 1, other = -1;
  bool longer = false;
  for (int k = 0; k < count; k++) {
    if (k == i || !same_body(&part[i], &part[k])) continue;
    if (carries(part, k, i)) return RBV_OK;  // told with the first of them
    if (!carries(part, i, k)) continue;
    const double a = part[i].length, b = part[k].length;
    longer = longer || fabs(a - b) > SAME_LENGTH * fmax(a, b);
    if (copies++ == 1) other = k;
  }
  if (copies < SAME_BODIES && !longer) return RBV_OK;
  if (copies > 2)
    return rbv_lint_add(lint, "copy", part[i].name,
                        "%d links of one chain have its mass, centre and inertia", copies);
  return rbv_lint_add(lint, "copy", part[i].name,
                      "it has the mass, centre and inertia of '%s', whose length is another one",
                      part[other].name);
}

/* ---- mirrored limbs ---- */

static const char *const sides[][2] = {{"left", "right"}, {"Left", "Right"}, {"LEFT", "RIGHT"},
                                       {"FL", "FR"},      {"RL", "RR"},      {"HL", "HR"},
                                       {"LF", "RF"},      {"LH", "RH"},      {"lf", "rf"},
                                       {"lh", "rh"},      {"L", "R"},        {"l", "r"}};

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* true if b is the name of a with one word "left" replaced by "right" */
static bool are_mirrored(const char *a, const char *b) {
  for (int s = 0; s < RBV_COUNT(sides); s++) {
    const size_t left = strlen(sides[s][0]), right = strlen(sides[s][1]);
    for (const char *at = a; (at = strstr(at, sides[s][0])); at++) {
      const size_t before = (size_t)(at - a);
      if ((before > 0 && is_letter(at[-1])) || is_letter(at[left])) continue;
      if (strncmp(a, b, before) == 0 && strncmp(b + before, sides[s][1], right) == 0 &&
          strcmp(at + left, b + before + right) == 0)
        return true;
    }
  }
  return false;
}

static double size_of(const double x[3]) { return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]); }

static bool differ(double a, double b, double share, double slack) {
  return fabs(a - b) > share * fmax(fabs(a), fabs(b)) + slack;
}

static rbv_status check_mirrored(rbv_lint *lint, const lint_part *a, const lint_part *b) {
  if (!a->body != !b->body)
    return rbv_lint_add(lint, "mirror", a->name, "of it and '%s' one has no mass", b->name);
  if (!a->body) return RBV_OK;
  if (differ(a->split[0], b->split[0], MIRROR_MASS, 0))
    return rbv_lint_add(lint, "mirror", a->name, "its mass is %.4g kg, that of '%s' %.4g kg",
                        a->split[0], b->name, b->split[0]);
  const double from = size_of(a->split + 1), to = size_of(b->split + 1);
  if (differ(from, to, MIRROR_SHAPE, MIRROR_CENTRE))
    return rbv_lint_add(lint, "mirror", a->name,
                        "its centre of mass is %.4g m from its origin, that of '%s' %.4g m", from,
                        b->name, to);
  for (int i = 0; i < 3; i++)
    if (differ(a->moment[i], b->moment[i], 0, MIRROR_SHAPE * fmax(a->moment[2], b->moment[2])))
      return rbv_lint_add(lint, "mirror", a->name,
                          "a principal moment of inertia is %.3g kg m^2, that of '%s' %.3g kg m^2",
                          a->moment[i], b->name, b->moment[i]);
  return RBV_OK;
}

rbv_status rbv_lint_pairs(rbv_lint *lint, const lint_part *part, int count) {
  for (int i = 0; i < count; i++) {
    RBV_TRY(check_copies(lint, part, i, count));
    for (int k = 0; k < count; k++)
      if (are_mirrored(part[i].name, part[k].name))
        RBV_TRY(check_mirrored(lint, &part[i], &part[k]));
  }
  return RBV_OK;
}

/* ---- joints ---- */

static bool limits_differ(double a, double b) {
  if (isfinite(a) != isfinite(b)) return true;
  return isfinite(a) && differ(a, b, MIRROR_LIMITS, 0);
}

static rbv_status check_mirrored_joints(rbv_lint *lint, const rbv_joint *a, const rbv_joint *b) {
  const rbv_limits *x = &a->limits, *y = &b->limits;
  const char *what = limits_differ(x->upper - x->lower, y->upper - y->lower) ? "range"
                     : limits_differ(x->velocity, y->velocity)               ? "velocity limit"
                     : limits_differ(x->effort, y->effort)                   ? "torque limit"
                                                                             : NULL;
  return what ? rbv_lint_add(lint, "mirror", a->name, "its %s differs from that of '%s'", what,
                             b->name)
              : RBV_OK;
}

/* a joint that the file calls continuous needs no range */
static bool turns_forever(const robot_tree *tree, const char *name) {
  const int j = tree ? rbv_tree_find_joint(tree, name) : -1;
  return j >= 0 && strcmp(tree->joint[j].type, "continuous") == 0;
}

rbv_status rbv_lint_joints(rbv_lint *lint, const rbv_model *m, const robot_tree *tree) {
  static const char *const what[] = {"position", "velocity", "torque"};
  // MJCF has no limits of velocity
  const bool mjcf = strcmp(rbv_model_format(m), "mjcf") == 0;
  int missing[3] = {0};
  for (int j = 0; j < m->njoint; j++) {
    const rbv_limits *l = &m->joint[j].limits;
    missing[0] += !isfinite(l->upper - l->lower) && !turns_forever(tree, m->joint[j].name);
    missing[1] += !isfinite(l->velocity) && !mjcf;
    missing[2] += !isfinite(l->effort);
    for (int k = 0; k < m->njoint; k++)
      if (are_mirrored(m->joint[j].name, m->joint[k].name))
        RBV_TRY(check_mirrored_joints(lint, &m->joint[j], &m->joint[k]));
  }
  for (int i = 0; i < 3; i++)
    if (missing[i] > 0)
      RBV_TRY(rbv_lint_add(lint, "limits", "robot", "%d of %d joints have no %s limit", missing[i],
                           m->njoint, what[i]));
  return RBV_OK;
}
