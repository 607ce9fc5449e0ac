#include "model/mjcf_geom.h"

#include <math.h>
#include <string.h>

#define DENSITY 1000  // default of MJCF [kg/m^3]

/* volume, and principal moments for mass 1, of each shape from its sizes */

static double sphere(double I[3], const double s[3]) {
  I[0] = I[1] = I[2] = 0.4 * s[0] * s[0];
  return 4.0 / 3 * RBV_PI * s[0] * s[0] * s[0];
}

static double capsule(double I[3], const double s[3]) {
  const double r = s[0], h = 2 * s[1];
  const double ball = 4.0 / 3 * RBV_PI * r * r * r, rod = RBV_PI * r * r * h;
  const double share = ball + rod > 0 ? ball / (ball + rod) : 0;
  I[0] = I[1] =
      (1 - share) * (3 * r * r + h * h) / 12 + share * (0.4 * r * r + h * h / 4 + 3 * h * r / 8);
  I[2] = (1 - share) * r * r / 2 + share * 0.4 * r * r;
  return ball + rod;
}

static double cylinder(double I[3], const double s[3]) {
  const double r = s[0], h = 2 * s[1];
  I[0] = I[1] = (3 * r * r + h * h) / 12;
  I[2] = r * r / 2;
  return RBV_PI * r * r * h;
}

static double ellipsoid(double I[3], const double s[3]) {
  for (int i = 0; i < 3; i++) {
    const double a = s[(i + 1) % 3], b = s[(i + 2) % 3];
    I[i] = (a * a + b * b) / 5;
  }
  return 4.0 / 3 * RBV_PI * s[0] * s[1] * s[2];
}

static double box(double I[3], const double s[3]) {
  for (int i = 0; i < 3; i++) {
    const double a = s[(i + 1) % 3], b = s[(i + 2) % 3];
    I[i] = (a * a + b * b) / 3;
  }
  return 8 * s[0] * s[1] * s[2];
}

static rbv_rod sphere_rod(const double s[3]) { return (rbv_rod){.radius = s[0]}; }

static rbv_rod capsule_rod(const double s[3]) {
  return (rbv_rod){.axis = 2, .half = s[1] + s[0], .radius = s[0]};
}

static rbv_rod cylinder_rod(const double s[3]) {
  return (rbv_rod){.axis = 2, .half = s[1], .radius = s[0]};
}

static rbv_rod box_rod(const double s[3]) {
  const double low[3] = {-s[0], -s[1], -s[2]};
  return rbv_rod_of_box(low, s);
}

/* one row is one type of <geom> */
static const struct {
  const char *type;
  geom_kind kind;
  int sizes;   // numbers of `size`
  int length;  // the one that `fromto` gives, -1: none
  double (*volume)(double I[3], const double s[3]);
  rbv_rod (*rod)(const double s[3]);
} types[] = {
    {"sphere", GEOM_PRIMITIVE, 1, -1, sphere, sphere_rod},
    {"capsule", GEOM_PRIMITIVE, 2, 1, capsule, capsule_rod},
    {"cylinder", GEOM_PRIMITIVE, 2, 1, cylinder, cylinder_rod},
    {"ellipsoid", GEOM_PRIMITIVE, 3, 2, ellipsoid, box_rod},
    {"box", GEOM_PRIMITIVE, 3, 2, box, box_rod},
    {"mesh", GEOM_MESH, 0, -1, NULL, NULL},
    {"sdf", GEOM_MESH, 0, -1, NULL, NULL},
    {"plane", GEOM_NO_BODY, 0, -1, NULL, NULL},
    {"hfield", GEOM_NO_BODY, 0, -1, NULL, NULL},
};

void rbv_rotation_of_z(double R[9], const double direction[3]) {
  const double side = hypot(direction[0], direction[1]);
  const double axis[3] = {side > 0 ? -direction[1] : 1, side > 0 ? direction[0] : 0, 0};
  rbv_rotation_axis(R, axis, atan2(side, direction[2]));
}

/* the two ends of the axis: centre, direction, and half of the length */
static rbv_status read_ends(mjcf_geom *out, double *half, const mjcf_levels *levels) {
  double x[6] = {0}, direction[3];
  RBV_TRY(rbv_mjcf_reals(x, 6, levels, "fromto"));
  for (int i = 0; i < 3; i++) {
    out->ends.p[i] = (x[i] + x[3 + i]) / 2;
    direction[i] = x[3 + i] - x[i];
  }
  *half = hypot(hypot(direction[0], direction[1]), direction[2]) / 2;
  rbv_rotation_of_z(out->ends.R, direction);
  out->has_ends = true;
  return RBV_OK;
}

static rbv_status read_size(mjcf_geom *out, double s[3], int row, const mjcf_levels *levels) {
  const tree_place *at = rbv_mjcf_find(levels, "size");
  const bool ends = types[row].length >= 0 && rbv_mjcf_find(levels, "fromto");
  int n = at ? rbv_element_count(at->element, "size") : 0;
  if (n > 3) n = 3;
  if (at) RBV_TRY(rbv_element_reals(s, n, at->xml, at->element, "size"));
  if (ends) {
    RBV_TRY(read_ends(out, &s[types[row].length], levels));
    // MuJoCo gives a box or ellipsoid with ends a square or circular cross section
    if (types[row].length == 2 && n < 2) s[1] = s[0];
  }
  const int need = ends && types[row].length < types[row].sizes ? 1 : types[row].sizes;
  bool valid = n >= need;
  for (int i = 0; i < types[row].sizes; i++) valid = valid && s[i] >= 0;
  if (valid) return RBV_OK;
  return rbv_tree_fail(RBV_EINPUT, &levels->at[0],
                       "size of a %s: expected %d numbers that are not "
                       "negative",
                       types[row].type, need);
}

static rbv_status read_flag(double *out, const mjcf_levels *levels, const char *name) {
  return rbv_mjcf_reals(out, 1, levels, name);
}

rbv_status rbv_mjcf_geom(mjcf_geom *out, const mjcf_levels *levels) {
  *out = (mjcf_geom){.ends = rbv_pose_identity, .mesh = rbv_mjcf_text(levels, "mesh")};
  const char *type = rbv_mjcf_text(levels, "type");
  if (!type) type = out->mesh ? "mesh" : "sphere";
  int row = 0;
  while (row < RBV_COUNT(types) && strcmp(types[row].type, type) != 0) row++;
  if (row == RBV_COUNT(types))
    return rbv_tree_fail(RBV_EINPUT, &levels->at[0], "a geom of type '%s' is not known", type);
  double contype = 1, conaffinity = 1, group = 0;
  RBV_TRY(read_flag(&contype, levels, "contype"));
  RBV_TRY(read_flag(&conaffinity, levels, "conaffinity"));
  RBV_TRY(read_flag(&group, levels, "group"));
  out->collides = contype != 0 || conaffinity != 0;
  out->group = (int)fmax(-1, fmin(group, 100));
  out->kind = types[row].kind;
  out->of_mesh = strcmp(type, "mesh") == 0;
  // a primitive with a mesh is fitted to the mesh
  if (out->mesh && out->kind == GEOM_PRIMITIVE) out->kind = GEOM_MESH;

  double mass = NAN, density = DENSITY, s[3] = {0}, I[3] = {0};
  RBV_TRY(rbv_mjcf_reals(&mass, 1, levels, "mass"));
  RBV_TRY(rbv_mjcf_reals(&density, 1, levels, "density"));
  out->mass = mass;
  out->density = density;
  // a mesh without mass is no body
  if (out->kind == GEOM_MESH && (mass == 0 || (isnan(mass) && density == 0)))
    out->kind = GEOM_NO_BODY;
  if (!types[row].volume || out->kind != GEOM_PRIMITIVE) return RBV_OK;
  RBV_TRY(read_size(out, s, row, levels));
  const double volume = types[row].volume(I, s);
  if (isnan(mass)) mass = density * volume;
  if (!(mass >= 0))
    return rbv_tree_fail(RBV_EINPUT, &levels->at[0], "a geom has the mass %g kg", mass);
  out->rod = types[row].rod(s);
  out->inertial[0] = mass * I[0];
  out->inertial[3] = mass * I[1];
  out->inertial[5] = mass * I[2];
  out->inertial[9] = mass;
  return RBV_OK;
}
