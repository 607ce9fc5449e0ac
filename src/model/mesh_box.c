#include "model/mesh_box.h"
#include "document/document.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void widen(double low[3], double high[3], const double x[3]) {
  for (int i = 0; i < 3; i++) {
    low[i] = fmin(low[i], x[i]);
    high[i] = fmax(high[i], x[i]);
  }
}

/* What is summed over a mesh: its box, and over its triangles the integrals of 1, x_i and x_i x_j
 * (xx xy xz yy yz zz) over the signed tetrahedra with the origin. */
typedef struct {
  double low[3], high[3];
  double volume, first[3], second[6];
} mesh_sum;

static void add_triangle(mesh_sum *m, const double corner[3][3]) {
  const double *a = corner[0], *b = corner[1], *c = corner[2];
  const double v = (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                    a[2] * (b[0] * c[1] - b[1] * c[0])) /
                   6;
  m->volume += v;
  for (int i = 0, k = 0; i < 3; i++) {
    const double si = a[i] + b[i] + c[i];
    m->first[i] += v * si / 4;
    for (int j = i; j < 3; j++, k++)
      m->second[k] +=
          v / 20 * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + si * (a[j] + b[j] + c[j]));
  }
}

/* the number at *at, which is moved behind it; false if there is none on this line */
static bool next_number(double *out, const char **at) {
  char number[64];
  const char *begin = *at + strspn(*at, " \t");
  const size_t length = strcspn(begin, " \t\r\n");
  if (length >= sizeof number) return false;
  memcpy(number, begin, length);
  number[length] = 0;
  *at = begin + length;
  return rbv_real_parse(out, number);
}

static bool next_point(double x[3], const char **at) {
  for (int i = 0; i < 3; i++)
    if (!next_number(&x[i], at)) return false;
  return true;
}

/* ---- STL ---- */

static uint32_t word_at(const char *p) {
  const unsigned char *b = (const unsigned char *)p;
  return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

#define STL_HEAD 84   // a comment of 80 bytes and the number of triangles
#define STL_FACET 50  // normal, three corners, two bytes of attributes

static bool binary_stl(mesh_sum *m, const char *data, size_t size) {
  if (size < STL_HEAD || size != STL_HEAD + (size_t)STL_FACET * word_at(data + 80)) return false;
  for (const char *facet = data + STL_HEAD; facet < data + size; facet += STL_FACET) {
    double x[3][3];
    for (int k = 0; k < 9; k++) {
      const uint32_t word = word_at(facet + 12 + 4 * k);
      float value;
      memcpy(&value, &word, sizeof value);
      x[k / 3][k % 3] = value;
    }
    for (int corner = 0; corner < 3; corner++) widen(m->low, m->high, x[corner]);
    add_triangle(m, x);
  }
  return true;
}

/* every "vertex x y z"; three of them are a triangle */
static bool text_stl(mesh_sum *m, const char *data) {
  if (strncmp(data, "solid", 5) != 0) return false;
  double x[3][3];
  int corner = 0;
  for (const char *at = strstr(data, "vertex"); at; at = strstr(at, "vertex")) {
    at += strlen("vertex");
    if (!next_point(x[corner], &at)) return false;
    widen(m->low, m->high, x[corner]);
    corner = (corner + 1) % 3;
    if (corner == 0) add_triangle(m, x);
  }
  return true;
}

/* ---- OBJ ---- */

/* lines that begin with one of these words, or with #, are what an OBJ file begins with */
static bool begins_obj(const char *data) {
  static const char *const word[] = {"#", "mtllib", "o", "g", "v", "vn", "vt", "s", "usemtl"};
  data += strspn(data, " \t\r\n");
  const size_t length = strcspn(data, " \t\r\n");
  for (int i = 0; i < RBV_COUNT(word); i++)
    if (data[0] == '#' || (strlen(word[i]) == length && strncmp(data, word[i], length) == 0))
      return true;
  return false;
}

/* number of the vertex at *at, as in "7", "7/1/2" or "-1" (the last one so far); -1: there is none
 */
static ptrdiff_t next_vertex(const char **at, ptrdiff_t count) {
  *at += strspn(*at, " \t");
  char *end;
  const long number = strtol(*at, &end, 10);
  if (end == *at) return -1;
  *at = end + strcspn(end, " \t\r\n");
  const ptrdiff_t index = number > 0 ? number - 1 : count + number;
  return number != 0 && index >= 0 && index < count ? index : -1;
}

/* a face "f a b c d ...": triangles around its first vertex */
static void add_face(mesh_sum *m, const double (*vertex)[3], ptrdiff_t count, const char *at) {
  double x[3][3];
  for (int corner = 0;; corner++) {
    const ptrdiff_t index = next_vertex(&at, count);
    if (index < 0) return;
    if (corner > 2) memcpy(x[1], x[2], sizeof x[1]);
    memcpy(x[corner < 2 ? corner : 2], vertex[index], sizeof x[0]);
    if (corner >= 2) add_triangle(m, x);
  }
}

static ptrdiff_t count_lines(const char *data) {
  ptrdiff_t count = 1;
  for (; *data; data++) count += *data == '\n';
  return count;
}

/* every line "v x y z", and the faces */
static rbv_status obj(mesh_sum *m, bool *found, const char *data) {
  if (!begins_obj(data)) return RBV_OK;
  double(*vertex)[3] = rbv_alloc((size_t)count_lines(data) * sizeof *vertex);
  if (!vertex) return RBV_EMEM;
  ptrdiff_t count = 0;
  *found = true;
  for (const char *at = data; *at && *found;) {
    at += strspn(at, " \t");
    const bool blank = at[0] && (at[1] == ' ' || at[1] == '\t');
    if (at[0] == 'v' && blank) {
      at++;
      *found = next_point(vertex[count], &at);
      if (*found) widen(m->low, m->high, vertex[count++]);
    } else if (at[0] == 'f' && blank) {
      add_face(m, (const double(*)[3])vertex, count, at + 1);
    }
    at += strcspn(at, "\n");
    at += *at == '\n';
  }
  rbv_free(vertex);
  return RBV_OK;
}

/* ---- COLLADA ---- */

#define NODE_MAX 10000  // instances of geometries in a scene

typedef struct {
  double M[12];  // rows of a 3 x 4 matrix
} affine;

static affine multiply(const affine *a, const affine *b) {
  affine c;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) {
      c.M[4 * i + j] = j == 3 ? a->M[4 * i + 3] : 0;
      for (int k = 0; k < 3; k++) c.M[4 * i + j] += a->M[4 * i + k] * b->M[4 * k + j];
    }
  return c;
}

/* numbers of an element's text; the count that was read */
static int numbers_of(double *out, int most, const rbv_element *e) {
  const char *at = rbv_element_text(e);
  int n = 0;
  while (at && n < most) {
    at += strspn(at, " \t\r\n");
    if (!next_number(&out[n], &at)) break;
    n++;
  }
  return n;
}

/* one transformation of a node; false: the element is none */
static bool transformation(affine *out, const rbv_element *e) {
  double x[16];
  *out = (affine){{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};
  const char *tag = rbv_element_tag(e);
  if (strcmp(tag, "matrix") == 0 && numbers_of(x, 16, e) == 16) {
    memcpy(out->M, x, sizeof out->M);
  } else if (strcmp(tag, "translate") == 0 && numbers_of(x, 3, e) == 3) {
    for (int i = 0; i < 3; i++) out->M[4 * i + 3] = x[i];
  } else if (strcmp(tag, "scale") == 0 && numbers_of(x, 3, e) == 3) {
    for (int i = 0; i < 3; i++) out->M[5 * i] = x[i];
  } else if (strcmp(tag, "rotate") == 0 && numbers_of(x, 4, e) == 4) {
    double R[9];
    rbv_rotation_axis(R, x, x[3] * RBV_PI / 180);
    for (int i = 0; i < 9; i++) out->M[4 * (i / 3) + i % 3] = R[i];
  } else {
    return false;
  }
  return true;
}

/* the element with this id, NULL: there is none. reference: "#id" */
static const rbv_element *by_id(const rbv_xml *xml, const char *tag, const char *reference) {
  if (!reference || reference[0] != '#') return NULL;
  for (const rbv_element *e = rbv_xml_root(xml); e; e = rbv_element_following(e)) {
    const char *id = strcmp(rbv_element_tag(e), tag) == 0 ? rbv_element_attribute(e, "id") : NULL;
    if (id && strcmp(id, reference + 1) == 0) return e;
  }
  return NULL;
}

/* positions of a <geometry> under a transformation */
static void widen_geometry(double low[3], double high[3], const rbv_xml *xml,
                           const rbv_element *geometry, const affine *to) {
  const rbv_element *mesh = rbv_element_child(geometry, "mesh");
  const rbv_element *input = rbv_element_child(rbv_element_child(mesh, "vertices"), "input");
  while (input && (!rbv_element_attribute(input, "semantic") ||
                   strcmp(rbv_element_attribute(input, "semantic"), "POSITION") != 0))
    input = rbv_element_next(input, "input");
  const rbv_element *source = by_id(xml, "source", rbv_element_attribute(input, "source"));
  const char *at = rbv_element_text(rbv_element_child(source, "float_array"));
  while (at) {
    double x[3], y[3];
    for (int i = 0; i < 3; i++) {
      at += strspn(at, " \t\r\n");
      if (!*at || !next_number(&x[i], &at)) return;
    }
    for (int i = 0; i < 3; i++)
      y[i] = to->M[4 * i] * x[0] + to->M[4 * i + 1] * x[1] + to->M[4 * i + 2] * x[2] +
             to->M[4 * i + 3];
    widen(low, high, y);
  }
}

#define SCENE_DEPTH 64

/* all <instance_geometry> of the nodes of a scene */
static int widen_scene(double low[3], double high[3], const rbv_xml *xml, const rbv_element *scene,
                       double unit) {
  struct {
    const rbv_element *next;
    affine to;
  } stack[SCENE_DEPTH];
  int top = 0, instances = 0;
  stack[0].next = rbv_element_child(scene, "node");
  stack[0].to = (affine){{unit, 0, 0, 0, 0, unit, 0, 0, 0, 0, unit, 0}};
  while (top >= 0) {
    const rbv_element *node = stack[top].next;
    if (!node) {
      top--;
      continue;
    }
    stack[top].next = rbv_element_next(node, "node");
    affine to = stack[top].to, step;
    for (const rbv_element *e = rbv_element_child(node, NULL); e; e = rbv_element_next(e, NULL))
      if (transformation(&step, e)) to = multiply(&to, &step);
    for (const rbv_element *e = rbv_element_child(node, "instance_geometry");
         e && instances < NODE_MAX; e = rbv_element_next(e, "instance_geometry"), instances++)
      widen_geometry(low, high, xml, by_id(xml, "geometry", rbv_element_attribute(e, "url")), &to);
    if (top + 1 < SCENE_DEPTH) {
      stack[++top].next = rbv_element_child(node, "node");
      stack[top].to = to;
    }
  }
  return instances;
}

static rbv_status collada(double low[3], double high[3], bool *found, const char *data,
                          size_t size) {
  rbv_xml *xml;
  const rbv_status status = rbv_xml_parse(&xml, "mesh", data, size);
  if (status != RBV_OK) return status == RBV_EMEM ? status : RBV_OK;
  const rbv_element *root = rbv_xml_root(xml);
  *found = strcmp(rbv_element_tag(root), "COLLADA") == 0;
  if (*found) {
    double unit = 1;
    const rbv_element *e = rbv_element_child(rbv_element_child(root, "asset"), "unit");
    if (rbv_element_reals(&unit, 1, xml, e, "meter") != RBV_OK) unit = 1;
    int instances = 0;
    const rbv_element *scene =
        rbv_element_child(rbv_element_child(root, "library_visual_scenes"), "visual_scene");
    for (; scene; scene = rbv_element_next(scene, "visual_scene"))
      instances += widen_scene(low, high, xml, scene, unit);
    // without a scene: all geometries as they are
    const affine plain = {{unit, 0, 0, 0, 0, unit, 0, 0, 0, 0, unit, 0}};
    e = rbv_element_child(rbv_element_child(root, "library_geometries"), "geometry");
    for (int i = 0; e && instances == 0 && i < NODE_MAX; e = rbv_element_next(e, "geometry"), i++)
      widen_geometry(low, high, xml, e, &plain);
  }
  rbv_xml_free(xml);
  return RBV_OK;
}

/* ---- files ---- */

static rbv_status sum_mesh(mesh_sum *m, bool *found, const char *data, size_t size) {
  *m = (mesh_sum){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0, {0}, {0}};
  *found = false;
  if (data[strspn(data, " \t\r\n\xef\xbb\xbf")] == '<')
    RBV_TRY(collada(m->low, m->high, found, data, size));
  else if (binary_stl(m, data, size) || text_stl(m, data))
    *found = true;
  else
    RBV_TRY(obj(m, found, data));
  for (int i = 0; i < 3; i++) *found = *found && isfinite(m->high[i] - m->low[i]);
  return RBV_OK;
}

rbv_status rbv_mesh_box(double low[3], double high[3], bool *found, const char *data, size_t size) {
  mesh_sum m;
  RBV_TRY(sum_mesh(&m, found, data, size));
  memcpy(low, m.low, sizeof m.low);
  memcpy(high, m.high, sizeof m.high);
  return RBV_OK;
}

/* false if the file does not exist or is no mesh */
static rbv_status read_mesh(mesh_sum *m, bool *found, const char *path) {
  char *data;
  size_t size;
  rbv_status status = rbv_file_read(&data, &size, path);
  *found = false;
  if (status == RBV_OK) {
    status = sum_mesh(m, found, data, size);
    rbv_file_free(data);
  }
  return status == RBV_EMEM ? status : RBV_OK;
}

/* inertial parameters of a scaled mesh; one that is turned inside out counts as solid */
static void solid_of(double solid[RBV_INERTIAL], const mesh_sum *m, const double scale[3]) {
  const double side =
      fmax(fmax(m->high[0] - m->low[0], m->high[1] - m->low[1]), m->high[2] - m->low[2]);
  memset(solid, 0, RBV_INERTIAL * sizeof *solid);
  // the rounding of an open surface is no volume
  if (!(fabs(m->volume) > 1e-9 * side * side * side)) return;
  const double sign = m->volume < 0 ? -1 : 1;
  const double size = sign * fabs(scale[0] * scale[1] * scale[2]);
  double s[6];
  for (int i = 0, k = 0; i < 3; i++) {
    solid[6 + i] = size * scale[i] * m->first[i];
    for (int j = i; j < 3; j++, k++) s[k] = size * scale[i] * scale[j] * m->second[k];
  }
  const double tensor[6] = {s[3] + s[5], -s[1], -s[2], s[0] + s[5], -s[4], s[0] + s[3]};
  memcpy(solid, tensor, sizeof tensor);
  solid[9] = size * m->volume;
}

#define PACKAGE "package://"
#define LEVELS 6  // folders above the robot file in which a package is looked for

/* in a folder above the robot file */
static rbv_status look_above(mesh_sum *m, bool *found, const char *robot, const char *name,
                             int levels) {
  const char *slash = strrchr(robot, '/');
  rbv_text path = {0};
  rbv_status status = RBV_OK;
  for (int level = 0; level <= levels && !*found && status == RBV_OK; level++) {
    path.size = 0;
    if (slash && name[0] != '/') rbv_text_add(&path, robot, (size_t)(slash - robot) + 1);
    for (int i = 0; i < level; i++) rbv_text_put(&path, "../");
    rbv_text_put(&path, name);
    status = path.failed ? RBV_EMEM : read_mesh(m, found, rbv_text_string(&path));
  }
  rbv_text_free(&path);
  return status;
}

/* in a folder that contains packages, or that is the package itself */
static rbv_status look_in_packages(mesh_sum *m, bool *found, const char *packages,
                                   const char *name) {
  const size_t package = strcspn(name, "/");
  rbv_text path = {0};
  rbv_status status = RBV_OK;
  for (const char *at = packages; *at && !*found && status == RBV_OK;) {
    size_t length = strcspn(at, ":");
    const char *next = at + length + (at[length] == ':');
    while (length > 1 && at[length - 1] == '/') length--;
    const bool itself = length > package && at[length - package - 1] == '/' &&
                        strncmp(at + length - package, name, package) == 0;
    for (int i = 0; i <= itself && length > 0 && !*found && status == RBV_OK; i++) {
      path.size = 0;
      rbv_text_add(&path, at, length);
      rbv_text_put(&path, i == 0 ? "/" : "");
      rbv_text_put(&path, i == 0 ? name : name + package);
      status = path.failed ? RBV_EMEM : read_mesh(m, found, rbv_text_string(&path));
    }
    at = next;
  }
  rbv_text_free(&path);
  return status;
}

rbv_status rbv_mesh_find(double low[3], double high[3], double *solid, bool *found,
                         const char *robot, const char *name, const char *packages,
                         const double scale[3]) {
  const bool package = strncmp(name, PACKAGE, strlen(PACKAGE)) == 0;
  mesh_sum m;
  if (package) name += strlen(PACKAGE);
  if (strncmp(name, "file://", 7) == 0) name += 7;
  *found = false;
  RBV_TRY(look_above(&m, found, robot, name, package ? LEVELS : 0));
  if (!*found && package && packages) RBV_TRY(look_in_packages(&m, found, packages, name));
  for (int i = 0; i < 3 && *found; i++) {
    const double a = scale[i] * m.low[i], b = scale[i] * m.high[i];
    low[i] = fmin(a, b);
    high[i] = fmax(a, b);
  }
  if (*found && solid) solid_of(solid, &m, scale);
  return RBV_OK;
}
