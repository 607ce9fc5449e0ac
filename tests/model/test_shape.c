/* Capsules from the geometry of a URDF: they enclose the bodies at their places. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "excite/distance.h"
#include "model/collision_shape.h"
#include "model/mesh_box.h"
#include "support.h"

#define COLLISION(origin, geometry) \
  "<collision><origin " origin "/><geometry>" geometry "</geometry></collision>"

/* a turning column, an arm fixed to it by a joint, a tool fixed to the arm */
static const char arm[] =
    "<robot name=\"shapes\">\n"
    "<link name=\"world\"/><link name=\"base\">"
    COLLISION("xyz=\"0 0 0.1\"", "<box size=\"0.2 0.4 0.2\"/>") "</link>\n"
    "<joint name=\"stand\" type=\"fixed\"><origin xyz=\"1 0 0\"/>"
    "<parent link=\"world\"/><child link=\"base\"/></joint>\n"
    "<joint name=\"turn\" type=\"revolute\"><origin xyz=\"0 0 0.5\"/>"
    "<parent link=\"base\"/><child link=\"column\"/><axis xyz=\"0 0 1\"/></joint>\n"
    "<link name=\"column\">"
    COLLISION("xyz=\"0 0.2 0\" rpy=\"1.57079632679489661923 0 0\"",
              "<cylinder radius=\"0.1\" length=\"0.8\"/>")
    COLLISION("xyz=\"0 0 0.3\"", "<sphere radius=\"0.25\"/>") "</link>\n"
    "<joint name=\"swing\" type=\"revolute\"><parent link=\"column\"/><child link=\"reach\"/>"
    "<axis xyz=\"0 1 0\"/></joint>\n"
    "<link name=\"reach\"/>\n"
    "<joint name=\"mount\" type=\"fixed\"><origin xyz=\"0 0 2\"/>"
    "<parent link=\"reach\"/><child link=\"tool\"/></joint>\n"
    "<link name=\"tool\">" COLLISION("xyz=\"0 0 0\"", "<mesh filename=\"tool.stl\" scale=\"1 -2 1\"/>")
    "</link>\n"
    "</robot>\n";

static rbv_model *load_beside(const char *stl) {
  if (stl) temp_file("tool.stl", stl);
  rbv_model *m;
  assert_ok(rbv_model_load(&m, temp_file("shapes.urdf", arm), NULL));
  return m;
}

static const char mesh[] =
    "solid tool\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 3e-1 0 0\n"
    "vertex 0 0.1 -.2\nendloop\nendfacet\nendsolid\n";

static void test_capsules_of_a_urdf(void **state) {
  (void)state;
  rbv_model *m = load_beside(mesh);
  assert_int_equal(rbv_model_capsule_count(m), 4);
  assert_null(rbv_model_shapeless(m));

  // the ground's box lies along y, one metre from the root
  const rbv_capsule *c = rbv_model_capsule(m, 0);
  assert_int_equal(c->link, 0);
  assert_near(c->from[0], 1, 1e-15, 0);
  assert_near(c->from[2], 0.1, 1e-15, 0);
  assert_near(c->from[1] + c->to[1], 0, 1e-15, 0);
  assert_true(c->to[1] > 0 && c->to[1] < 0.2);

  // a cylinder along z that was turned to lie along y, around y = 0.2
  c = rbv_model_capsule(m, 1);
  assert_int_equal(c->link, 1);
  assert_near((c->from[1] + c->to[1]) / 2, 0.2, 1e-15, 0);
  assert_near(c->from[2], 0, 1e-15, 0);
  assert_near(hypot(0.1, 0.4 - fabs(c->to[1] - 0.2)), c->radius, 1e-12, 0);

  c = rbv_model_capsule(m, 2);
  assert_near(c->radius, 0.25, 0, 0);
  assert_true(c->from[2] == 0.3 && c->to[2] == 0.3);

  // the mesh's box 0..0.3, -0.2..0, -0.2..0 on a link that is fixed to the second one
  c = rbv_model_capsule(m, 3);
  assert_int_equal(c->link, 2);
  assert_near((c->from[0] + c->to[0]) / 2, 0.15, 1e-9, 0);
  assert_near(c->from[1], -0.1, 1e-9, 0);
  assert_near(c->from[2], 2 - 0.1, 1e-9, 0);
  rbv_model_free(m);
}

/* every point of the rim is within the capsule, and no smaller capsule encloses it */
static void test_capsules_enclose(void **state) {
  (void)state;
  for (int k = 0; k < 200; k++) {
    const double half = rbv_random_uniform(1, 0, (uint64_t)k),
                 radius = rbv_random_uniform(1, 1, (uint64_t)k);
    const rbv_rod rod = {.axis = k % 3, .half = half, .radius = radius};
    rbv_capsule c = {0};
    rbv_rod_capsule(&c, &rod, &rbv_pose_identity);
    const double h = c.to[rod.axis];
    for (int i = 0; i < 24; i++) {
      const double angle = i * 0.2617993877991494;
      double x[3] = {0};
      x[rod.axis] = i % 2 ? half : -half;
      x[(rod.axis + 1) % 3] = radius * cos(angle);
      x[(rod.axis + 2) % 3] = radius * sin(angle);
      assert_true(rbv_segment_distance(c.from, c.to, x, x) <= c.radius * (1 + 1e-12));
    }
    // no other capsule on the axis that reaches the rim is smaller
    const double R = c.radius, volume = R * R * (2 * h + 4. / 3 * R);
    for (int i = 0; i <= 100; i++) {
      const double other = half * i / 100, S = hypot(radius, half - other);
      assert_true(S * S * (2 * other + 4. / 3 * S) >= volume * (1 - 1e-9));
    }
  }
}

/* false if the data is no mesh */
static bool box_of(double low[3], double high[3], const char *data, size_t size) {
  bool found;
  assert_ok(rbv_mesh_box(low, high, &found, data, size));
  return found;
}

static void put_word(char *to, const void *from) { memcpy(to, from, 4); }

static void test_meshes(void **state) {
  (void)state;
  double low[3], high[3];
  // two binary triangles
  char data[84 + 2 * 50] = "solid by name only";
  const uint32_t count = 2;
  put_word(data + 80, &count);
  for (int i = 0; i < 18; i++) {
    const float x = (float)i / 4;
    put_word(data + 84 + 50 * (i / 9) + 12 + 4 * (i % 9), &x);
  }
  assert_true(box_of(low, high, data, sizeof data));
  assert_true(low[0] == 0 && low[2] == 0.5 && high[0] == 3.75 && high[2] == 4.25);
  // truncated, no numbers, no triangle, not STL
  assert_false(box_of(low, high, data, sizeof data - 1));
  assert_false(box_of(low, high, "solid x vertex 1 2 z", 20));
  assert_false(box_of(low, high, "solid x endsolid", 16));
  assert_false(box_of(low, high, "<COLLADA/>", 10));
  assert_true(box_of(low, high, mesh, strlen(mesh)));
  assert_true(low[2] == -0.2 && high[0] == 0.3);

  // OBJ: vertices, not normals or texture coordinates
  static const char obj[] =
      "# comment\no part\nv 1 2 3\nvn 9 9 9\nvt 8 8\n  v -1 0 4 1 1 1\nf 1 2 1\n";
  assert_true(box_of(low, high, obj, strlen(obj)));
  assert_true(low[0] == -1 && low[1] == 0 && low[2] == 3 && high[0] == 1 && high[2] == 4);
  assert_false(box_of(low, high, "v 1 2\nv 3 4 5\n", 14));
  assert_false(box_of(low, high, "# no vertex\n", 12));

  // COLLADA: positions in millimetres, under the transformations of a scene
  static const char dae[] =
      "<?xml version=\"1.0\"?><COLLADA><asset><unit meter=\"0.001\"/></asset>"
      "<library_geometries><geometry id=\"g\"><mesh><source id=\"n\"><float_array>7 7 7"
      "</float_array></source><source id=\"p\"><float_array count=\"6\">\n0 0 0\n10 20 30\n"
      "</float_array></source><vertices><input semantic=\"POSITION\" source=\"#p\"/></vertices>"
      "</mesh></geometry></library_geometries>%s</COLLADA>";
  char text[2048];
  snprintf(text, sizeof text, dae, "");
  assert_true(box_of(low, high, text, strlen(text)));
  assert_near(high[2], 0.03, 1e-15, 0);
  snprintf(text, sizeof text, dae,
           "<library_visual_scenes><visual_scene><node><translate>5 0 0</translate>"
           "<rotate>0 0 1 90</rotate><node><scale>2 1 1</scale><instance_geometry url=\"#g\"/>"
           "</node></node></visual_scene></library_visual_scenes>");
  assert_true(box_of(low, high, text, strlen(text)));
  // x' = 5 - y, y' = 2 x
  assert_near(low[0], -0.015, 1e-15, 0);
  assert_near(high[0], 0.005, 1e-15, 0);
  assert_near(high[1], 0.02, 1e-15, 0);

  // a mesh that cannot be read leaves its link without a capsule, and the model lists the link
  rbv_model *m = load_beside("<COLLADA/>");
  assert_int_equal(rbv_model_capsule_count(m), 3);
  assert_string_equal(rbv_model_shapeless(m), "tool");
  rbv_model_free(m);
}

/* package://NAME/... is a folder called NAME above the URDF */
static void test_packages(void **state) {
  (void)state;
  char command[1024], path[512];
  snprintf(command, sizeof command, "mkdir -p '%s/arm_description/urdf' '%s/arm_description/mesh'",
           temp_directory(), temp_directory());
  assert_int_equal(system(command), 0);
  temp_file("arm_description/mesh/link.stl", mesh);
  static const char text[] =
      "<robot name=\"p\"><link name=\"a\"/><link name=\"b\"><collision><geometry>"
      "<mesh filename=\"package://arm_description/mesh/link.stl\"/></geometry></collision></link>"
      "<joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child "
      "link=\"b\"/></joint></robot>";
  snprintf(path, sizeof path, "%s", temp_file("arm_description/urdf/p.urdf", text));
  rbv_model *m;
  assert_ok(rbv_model_load(&m, path, NULL));
  assert_int_equal(rbv_model_capsule_count(m), 1);
  rbv_model_free(m);
}

/* capsules of the YAML replace all those of the URDF, also an empty list */
static void test_yaml_has_the_last_word(void **state) {
  (void)state;
  temp_file("shapes.urdf", arm);
  rbv_model *m;
  assert_ok(rbv_model_load(
      &m,
      temp_file("one.yaml",
                "urdf: shapes.urdf\n"
                "collision: [{link: 2, from: [0, 0, 0], to: [0, 0, 1], radius: 0.1}]\n"),
      NULL));
  assert_int_equal(rbv_model_capsule_count(m), 1);
  assert_null(rbv_model_shapeless(m));
  rbv_model_free(m);
  assert_ok(rbv_model_load(&m, temp_file("none.yaml", "urdf: shapes.urdf\ncollision: []\n"), NULL));
  assert_int_equal(rbv_model_capsule_count(m), 0);
  rbv_model_free(m);
}

static void test_sizes_that_are_none(void **state) {
  (void)state;
  static const char text[] =
      "<robot name=\"p\"><link name=\"a\"/><link name=\"b\"><collision><geometry>\n"
      "<cylinder radius=\"0.1\"/></geometry></collision></link>"
      "<joint name=\"j\" type=\"continuous\"><parent link=\"a\"/><child "
      "link=\"b\"/></joint></robot>";
  rbv_model *m;
  assert_refused(rbv_model_parse(&m, "bad.urdf", text, strlen(text), NULL), RBV_EINPUT,
                 "bad.urdf:2: <cylinder> has a size that is missing or negative");
}

static rbv_status load_and_free(void *path) {
  rbv_model *m;
  const rbv_status status = rbv_model_load(&m, path, NULL);
  rbv_model_free(m);
  return status;
}

static void test_each_allocation_may_fail(void **state) {
  (void)state;
  char path[512];
  for (int i = 0; i < 2; i++) {
    temp_file("tool.stl", i ? "no mesh" : mesh);
    snprintf(path, sizeof path, "%s", temp_file("shapes.urdf", arm));
    fail_each_allocation(load_and_free, path);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_capsules_of_a_urdf),
      cmocka_unit_test(test_capsules_enclose),
      cmocka_unit_test(test_meshes),
      cmocka_unit_test(test_packages),
      cmocka_unit_test(test_yaml_has_the_last_word),
      cmocka_unit_test(test_sizes_that_are_none),
      cmocka_unit_test(test_each_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
