#include "model/urdf_capsules.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* ---- rods and capsules ---- */

rbv_rod rbv_rod_of_box(const double low[3], const double high[3]) {
  double side[3];
  rbv_rod rod = {0};
  for (int i = 0; i < 3; i++) {
    side[i] = (high[i] - low[i]) / 2;
    rod.center[i] = (high[i] + low[i]) / 2;
    if (side[i] > side[rod.axis]) rod.axis = i;
  }
  rod.half = side[rod.axis];
  rod.radius = hypot(side[(rod.axis + 1) % 3], side[(rod.axis + 2) % 3]);
  return rod;
}

/*
 * Distance d from the end of the rod to the end of the capsule's segment. The sphere must reach the
 * rim, R^2 = r^2 + d^2. The volume 2 pi R^2 (l - d) + 4/3 pi R^3 is stationary where R^2 = 2 d (l -
 * d + R). A flat rod has no such d; a sphere encloses it.
 */
static double set_back(double l, double r) {
  if (hypot(r, l) >= 2 * l) return l;
  double low = 0, high = l;
  for (int i = 0; i < 60; i++) {
    const double d = (low + high) / 2, R = hypot(r, d);
    if (2 * d * (l - d + R) < R * R)
      low = d;
    else
      high = d;
  }
  return (low + high) / 2;
}

void rbv_rod_capsule(rbv_capsule *out, const rbv_rod *rod, const rbv_pose *pose) {
  const double d = set_back(rod->half, rod->radius);
  double *const end[2] = {out->from, out->to};
  for (int e = 0; e < 2; e++) {
    double x[3];
    memcpy(x, rod->center, sizeof x);
    x[rod->axis] += (e ? 1 : -1) * (rod->half - d);
    for (int i = 0; i < 3; i++)
      end[e][i] = pose->p[i] + pose->R[3 * i] * x[0] + pose->R[3 * i + 1] * x[1] +
                  pose->R[3 * i + 2] * x[2];
  }
  out->radius = hypot(rod->radius, d);
}

/* ---- STL ---- */

static void widen(double low[3], double high[3], const double x[3]) {
  for (int i = 0; i < 3; i++) {
    low[i] = fmin(low[i], x[i]);
    high[i] = fmax(high[i], x[i]);
  }
}

static uint32_t word_at(const char *p) {
  const unsigned char *b = (const unsigned char *)p;
  return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

#define STL_HEAD 84   // a comment of 80 bytes and the number of triangles
#define STL_FACET 50  // normal, three corners, two bytes of attributes

static bool binary_box(double low[3], double high[3], const char *data, size_t size) {
  if (size < STL_HEAD || size != STL_HEAD + (size_t)STL_FACET * word_at(data + 80)) return false;
  for (const char *facet = data + STL_HEAD; facet < data + size; facet += STL_FACET)
    for (int corner = 1; corner <= 3; corner++) {
      double x[3];
      for (int i = 0; i < 3; i++) {
        const uint32_t word = word_at(facet + 12 * corner + 4 * i);
        float value;
        memcpy(&value, &word, sizeof value);
        x[i] = value;
      }
      widen(low, high, x);
    }
  return true;
}

/* every "vertex x y z" of the text, which ends with 0 */
static bool text_box(double low[3], double high[3], const char *data) {
  if (strncmp(data, "solid", 5) != 0) return false;
  for (const char *at = strstr(data, "vertex"); at; at = strstr(at, "vertex")) {
    double x[3];
    at += strlen("vertex");
    for (int i = 0; i < 3; i++) {
      char number[64];
      at += strspn(at, " \t");
      const size_t length = strcspn(at, " \t\r\n");
      if (length >= sizeof number) return false;
      memcpy(number, at, length);
      number[length] = 0;
      if (!rbv_real_parse(&x[i], number)) return false;
      at += length;
    }
    widen(low, high, x);
  }
  return true;
}

bool rbv_stl_box(double low[3], double high[3], const char *data, size_t size) {
  for (int i = 0; i < 3; i++) {
    low[i] = INFINITY;
    high[i] = -INFINITY;
  }
  if (!binary_box(low, high, data, size) && !text_box(low, high, data)) return false;
  for (int i = 0; i < 3; i++)
    if (!isfinite(high[i] - low[i])) return false;
  return true;
}

/* ---- meshes ---- */

#define PACKAGE "package://"
#define LEVELS 6  // folders above the URDF in which a package is looked for

/* false if the file does not exist or is not an STL file */
static rbv_status read_stl(double low[3], double high[3], bool *found, const char *path) {
  char *data;
  size_t size;
  const rbv_status status = rbv_file_read(&data, &size, path);
  *found = status == RBV_OK && rbv_stl_box(low, high, data, size);
  if (status == RBV_OK) rbv_file_free(data);
  return status == RBV_EMEM ? status : RBV_OK;
}

/* beside the URDF, or with "package://name/..." in a folder of that name above it */
static rbv_status find_mesh(double low[3], double high[3], bool *found, const char *urdf,
                            const char *name) {
  const bool package = strncmp(name, PACKAGE, strlen(PACKAGE)) == 0;
  if (package) name += strlen(PACKAGE);
  if (strncmp(name, "file://", 7) == 0) name += 7;
  const char *slash = strrchr(urdf, '/');
  rbv_text path = {0};
  rbv_status status = RBV_OK;
  *found = false;
  for (int level = 0; level <= (package ? LEVELS : 0) && !*found && status == RBV_OK; level++) {
    path.size = 0;
    if (slash && name[0] != '/') rbv_text_add(&path, urdf, (size_t)(slash - urdf) + 1);
    for (int i = 0; i < level; i++) rbv_text_put(&path, "../");
    rbv_text_put(&path, name);
    status = path.failed ? RBV_EMEM : read_stl(low, high, found, rbv_text_string(&path));
  }
  rbv_text_free(&path);
  return status;
}

static rbv_status read_mesh(rbv_rod *out, bool *found, const rbv_xml *urdf, const rbv_element *e) {
  const char *name = rbv_element_attribute(e, "filename");
  double low[3], high[3], scale[3] = {1, 1, 1};
  RBV_TRY(rbv_element_reals(scale, 3, urdf, e, "scale"));
  if (!name) return RBV_OK;
  RBV_TRY(find_mesh(low, high, found, rbv_xml_name(urdf), name));
  if (!*found) return RBV_OK;
  for (int i = 0; i < 3; i++) {
    const double a = scale[i] * low[i], b = scale[i] * high[i];
    low[i] = fmin(a, b);
    high[i] = fmax(a, b);
  }
  *out = rbv_rod_of_box(low, high);
  return RBV_OK;
}

/* ---- <geometry> ---- */

static rbv_status need_size(const double *x, int n, const rbv_xml *urdf, const rbv_element *e) {
  for (int i = 0; i < n; i++)
    if (!(x[i] >= 0))
      return rbv_element_fail(RBV_EINPUT, urdf, e, "<%s> has a size that is missing or negative",
                              rbv_element_tag(e));
  return RBV_OK;
}

rbv_status rbv_rod_read(rbv_rod *out, bool *found, const rbv_xml *urdf,
                        const rbv_element *geometry) {
  const rbv_element *e = geometry ? rbv_element_child(geometry, NULL) : NULL;
  *found = false;
  if (!e) return RBV_OK;
  const char *tag = rbv_element_tag(e);
  double x[3] = {-1, -1, -1};
  if (strcmp(tag, "mesh") == 0) return read_mesh(out, found, urdf, e);
  if (strcmp(tag, "sphere") == 0) {
    RBV_TRY(rbv_element_reals(&x[0], 1, urdf, e, "radius"));
    RBV_TRY(need_size(x, 1, urdf, e));
    *out = (rbv_rod){.radius = x[0]};
  } else if (strcmp(tag, "cylinder") == 0) {
    RBV_TRY(rbv_element_reals(&x[0], 1, urdf, e, "radius"));
    RBV_TRY(rbv_element_reals(&x[1], 1, urdf, e, "length"));
    RBV_TRY(need_size(x, 2, urdf, e));
    *out = (rbv_rod){.axis = 2, .half = x[1] / 2, .radius = x[0]};
  } else if (strcmp(tag, "box") == 0) {
    RBV_TRY(rbv_element_reals(x, 3, urdf, e, "size"));
    RBV_TRY(need_size(x, 3, urdf, e));
    const double high[3] = {x[0] / 2, x[1] / 2, x[2] / 2};
    const double low[3] = {-high[0], -high[1], -high[2]};
    *out = rbv_rod_of_box(low, high);
  } else {
    return RBV_OK;
  }
  *found = true;
  return RBV_OK;
}
