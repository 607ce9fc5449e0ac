#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "document/document.h"

#include "base/support.h"
#include "support.h"

static rbv_status parse(rbv_xml **out, const char *text) {
  return rbv_xml_parse(out, "arm.urdf", text, strlen(text));
}

static rbv_xml *parsed(const char *text) {
  rbv_xml *xml = NULL;
  assert_ok(parse(&xml, text));
  return xml;
}

#define assert_parse_refused(text, status, sentence)               \
  do {                                                             \
    rbv_xml *refused = (rbv_xml *)1;                               \
    assert_refused(parse(&refused, (text)), (status), (sentence)); \
    assert_null(refused);                                          \
  } while (0)

static void test_tree_by_hand(void **state) {
  (void)state;
  rbv_xml *xml = parsed(
      "<?xml version=\"1.0\"?>\n"
      "<robot name=\"two\">\n"
      "  <!-- a comment -->\n"
      "  <link name=\"base\"/>\n"
      "  <joint name=\"a\" type=\"revolute\">\n"
      "    text <axis xyz=\"0 0 1\"/>\n"
      "  </joint>\n"
      "  <link name=\"arm\"/>\n"
      "</robot>\n");
  assert_string_equal(rbv_xml_name(xml), "arm.urdf");
  const rbv_element *robot = rbv_xml_root(xml);
  assert_string_equal(rbv_element_tag(robot), "robot");
  assert_string_equal(rbv_element_attribute(robot, "name"), "two");
  assert_int_equal(rbv_element_line(robot), 2);
  const rbv_element *base = rbv_element_child(robot, "link");
  const rbv_element *arm = rbv_element_next(base, "link");
  assert_string_equal(rbv_element_attribute(base, "name"), "base");
  assert_string_equal(rbv_element_attribute(arm, "name"), "arm");
  assert_int_equal(rbv_element_line(arm), 8);
  assert_null(rbv_element_next(arm, "link"));
  const rbv_element *joint = rbv_element_next(base, NULL);
  assert_ptr_equal(joint, rbv_element_child(robot, "joint"));
  assert_ptr_equal(rbv_element_child(robot, NULL), base);
  const rbv_element *axis = rbv_element_child(joint, NULL);
  assert_string_equal(rbv_element_tag(axis), "axis");
  assert_int_equal(rbv_element_line(axis), 6);
  assert_null(rbv_element_child(axis, NULL));
  assert_null(rbv_element_child(robot, "gripper"));
  assert_null(rbv_element_attribute(axis, "rpy"));
  rbv_xml_free(xml);
}

static void test_missing_elements_and_attributes_are_null(void **state) {
  (void)state;
  assert_null(rbv_xml_root(NULL));
  assert_null(rbv_xml_name(NULL));
  assert_null(rbv_element_child(NULL, NULL));
  assert_null(rbv_element_next(NULL, NULL));
  assert_null(rbv_element_tag(NULL));
  assert_null(rbv_element_attribute(NULL, "a"));
  assert_int_equal(rbv_element_line(NULL), 0);
  rbv_xml_free(NULL);
}

static void test_attributes_resolve_references_and_stay_valid(void **state) {
  (void)state;
  rbv_xml *xml = parsed("<a b=\"x &amp; &lt;y&gt; &#65;&#228; z\" c=\"\" d='\"q\"'/>");
  const rbv_element *a = rbv_xml_root(xml);
  const char *b = rbv_element_attribute(a, "b");
  assert_string_equal(b, "x & <y> Aä z");
  assert_string_equal(rbv_element_attribute(a, "c"), "");
  assert_string_equal(rbv_element_attribute(a, "d"), "\"q\"");
  // a second call returns the same pointer
  assert_ptr_equal(rbv_element_attribute(a, "b"), b);
  rbv_xml_free(xml);
}

static void test_prefixes_stay_part_of_the_name(void **state) {
  (void)state;
  rbv_xml *xml = parsed(
      "<robot xmlns=\"http://d\" xmlns:x=\"http://x\">"
      "<x:joint x:name=\"foreign\" name=\"own\"/><joint name=\"j\"/>"
      "<y:joint y:name=\"undeclared\"/></robot>");
  const rbv_element *robot = rbv_xml_root(xml);
  assert_string_equal(rbv_element_tag(robot), "robot");
  assert_string_equal(rbv_element_attribute(rbv_element_child(robot, "joint"), "name"), "j");
  const rbv_element *foreign = rbv_element_child(robot, "x:joint");
  assert_string_equal(rbv_element_attribute(foreign, "x:name"), "foreign");
  assert_string_equal(rbv_element_attribute(foreign, "name"), "own");
  const rbv_element *undeclared = rbv_element_child(robot, "y:joint");
  assert_string_equal(rbv_element_attribute(undeclared, "y:name"), "undeclared");
  assert_null(rbv_element_attribute(undeclared, "name"));
  rbv_xml_free(xml);
}

static void test_numbers_in_attributes(void **state) {
  (void)state;
  rbv_xml *xml = parsed(
      "<robot>\n<o xyz=\" 1.5 -2\t3e-1\n\" two='1 2' bad='1 2,5 3' word='1 0x2 3' m='nan' pi='pi'\n"
      " long='1 2 3 4' none='' glued='1 2 3x'/>\n</robot>");
  const rbv_element *o = rbv_element_child(rbv_xml_root(xml), "o");
  double v[3] = {7, 8, 9};
  assert_ok(rbv_element_reals(v, 3, xml, o, "missing"));
  assert_true(v[0] == 7 && v[1] == 8 && v[2] == 9);
  assert_ok(rbv_element_reals(v, 3, xml, o, "xyz"));
  assert_true(v[0] == 1.5 && v[1] == -2 && v[2] == 0.3);
  assert_refused(rbv_element_reals(v, 3, xml, o, "two"), RBV_EINPUT,
                 "arm.urdf:2: two of <o>: expected 3 numbers, found 2");
  assert_refused(rbv_element_reals(v, 3, xml, o, "long"), RBV_EINPUT,
                 "expected 3 numbers, found 4");
  assert_refused(rbv_element_reals(v, 1, xml, o, "none"), RBV_EINPUT, "expected 1 number, found 0");
  assert_refused(rbv_element_reals(v, 3, xml, o, "bad"), RBV_EINPUT,
                 "arm.urdf:2: bad of <o>: expected a finite number, found '2,5'");
  assert_refused(rbv_element_reals(v, 3, xml, o, "word"), RBV_EINPUT, "found '0x2'");
  assert_refused(rbv_element_reals(v, 3, xml, o, "glued"), RBV_EINPUT, "found '3x'");
  assert_refused(rbv_element_reals(v, 1, xml, o, "m"), RBV_EINPUT, "found 'nan'");
  assert_refused(rbv_element_reals(v, 1, xml, o, "pi"), RBV_EINPUT, "found 'pi'");
  assert_refused(rbv_element_fail(RBV_EINPUT, xml, o, "no %s", "mass"), RBV_EINPUT,
                 "arm.urdf:2: no mass");
  rbv_xml_free(xml);
}

static void test_malformed_text_is_refused_with_its_line(void **state) {
  (void)state;
  assert_parse_refused("<a>\n<b>\n</a>", RBV_EINPUT, "arm.urdf:3: Opening and ending tag mismatch");
  assert_parse_refused("<a b='1' b='2'/>", RBV_EINPUT, "arm.urdf:1: Attribute b redefined");
  assert_parse_refused("<a>\n&boom;</a>", RBV_EINPUT, "arm.urdf:2: Entity 'boom' not defined");
  assert_parse_refused("<a>", RBV_EINPUT, "arm.urdf:1: ");
  assert_parse_refused("<a/>\n<b/>", RBV_EINPUT, "arm.urdf:2: Extra content");
  assert_parse_refused("", RBV_EINPUT, "arm.urdf:1: ");
  assert_parse_refused("mass: 1", RBV_EINPUT, "arm.urdf:1: Start tag expected");
  assert_parse_refused("<a b='\xff'/>", RBV_EINPUT, "arm.urdf:1: ");
  assert_parse_refused("<?xml version='1.0' encoding='klingon'?><a/>", RBV_EINPUT, "arm.urdf:1: ");
}

/* libxml2 prints errors by default; nothing may appear on stderr for any malformed text */
static void test_nothing_is_printed(void **state) {
  (void)state;
  FILE *catch = tmpfile();
  assert_non_null(catch);
  fflush(stderr);
  const int saved = dup(STDERR_FILENO);
  dup2(fileno(catch), STDERR_FILENO);
  const char *const texts[] = {"<a>",
                               "<a b='\xff'/>",
                               "<a xmlns:x='rel'><y:b/></a>",
                               "<!DOCTYPE a><a/>",
                               "<?xml version='1.0' encoding='UTF-16'?><a/>",
                               "<?xml version='1.0' encoding='EUC-JP'?><a>\xff\xfe\xfd</a>"};
  for (int i = 0; i < RBV_COUNT(texts); i++) {
    rbv_xml *xml;
    if (parse(&xml, texts[i]) == RBV_OK) rbv_xml_free(xml);
  }
  fflush(stderr);
  dup2(saved, STDERR_FILENO);
  close(saved);
  assert_int_equal(lseek(fileno(catch), 0, SEEK_END), 0);
  fclose(catch);
}

static void test_any_doctype_is_refused(void **state) {
  (void)state;
  assert_parse_refused("<?xml version='1.0'?>\n<!DOCTYPE robot>\n<robot/>", RBV_EUNSUPPORTED,
                       "arm.urdf:2: a DOCTYPE is not supported");
  assert_parse_refused("<!DOCTYPE r SYSTEM 'file:///etc/passwd'><r/>", RBV_EUNSUPPORTED, "DOCTYPE");
  assert_parse_refused("<!DOCTYPE r PUBLIC 'x' 'http://localhost/x.dtd'><r/>", RBV_EUNSUPPORTED,
                       "DOCTYPE");
  assert_parse_refused("<!DOCTYPE r [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><r>&e;</r>",
                       RBV_EUNSUPPORTED, "DOCTYPE");
}

static void test_entity_expansion_attack_is_refused_at_once(void **state) {
  (void)state;
  rbv_text t = {0};
  rbv_text_put(&t, "<!DOCTYPE lolz [\n<!ENTITY l0 \"lol\">\n");
  for (int i = 1; i < 10; i++) {
    rbv_text_print(&t, "<!ENTITY l%d \"", i);
    for (int k = 0; k < 10; k++) rbv_text_print(&t, "&l%d;", i - 1);
    rbv_text_put(&t, "\">\n");
  }
  rbv_text_put(&t, "]>\n<lolz a=\"&l9;\">&l9;</lolz>\n");
  const clock_t start = clock();
  assert_parse_refused(t.data, RBV_EUNSUPPORTED, "arm.urdf:1: a DOCTYPE is not supported");
  assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 1);
  rbv_text_free(&t);
}

static void nest(rbv_text *t, int depth) {
  for (int i = 0; i < depth; i++) rbv_text_put(t, "<a>\n");
  for (int i = 0; i < depth; i++) rbv_text_put(t, "</a>");
}

static void test_nesting_ends_at_256(void **state) {
  (void)state;
  rbv_text t = {0};
  nest(&t, 256);
  rbv_xml *xml = parsed(t.data);
  const rbv_element *e = rbv_xml_root(xml);
  for (int i = 1; i < 256; i++) e = rbv_element_child(e, "a");
  assert_int_equal(rbv_element_line(e), 256);
  rbv_xml_free(xml);
  rbv_text_free(&t);
  for (int n = 257; n < 1000000; n *= 10) {
    nest(&t, n);
    assert_parse_refused(t.data, RBV_EUNSUPPORTED, "arm.urdf:257: nested deeper than 256");
    rbv_text_free(&t);
  }
}

static void test_many_siblings_and_line_numbers_above_65535(void **state) {
  (void)state;
  // 65535 is the largest line number that libxml2 can store
  rbv_text t = {0};
  rbv_text_put(&t, "<a>\n");
  for (int i = 0; i < 100000; i++) rbv_text_put(&t, "<b/>\n");
  rbv_text_put(&t, "<c/>\n</a>");
  rbv_xml *xml = parsed(t.data);
  assert_int_equal(rbv_element_line(rbv_element_child(rbv_xml_root(xml), "c")), 100002);
  rbv_xml_free(xml);
  rbv_text_free(&t);
}

static void test_load_reports_the_path(void **state) {
  (void)state;
  rbv_xml *xml;
  const char *path = temp_file("arm.xml", "<a/>");
  assert_ok(rbv_xml_load(&xml, path));
  assert_string_equal(rbv_xml_name(xml), path);
  rbv_xml_free(xml);
  assert_refused(rbv_xml_load(&xml, "/nowhere/arm.xml"), RBV_EREAD,
                 "/nowhere/arm.xml: No such file");
  assert_null(xml);
  path = temp_file("huge.xml", "");
  assert_int_equal(truncate(path, ((off_t)64 << 20) + 1), 0);
  assert_refused(rbv_xml_load(&xml, path), RBV_EUNSUPPORTED, "huge.xml: larger than 64 MB");
  assert_refused(rbv_xml_parse(&xml, "text", "", ((size_t)64 << 20) + 1), RBV_EUNSUPPORTED,
                 "text: larger than 64 MB");
  assert_refused(rbv_xml_parse(&xml, NULL, "", 0), RBV_EARG, "name or text is NULL");
  assert_refused(rbv_xml_parse(NULL, "n", "", 0), RBV_EARG, "out is NULL");
  assert_refused(rbv_xml_load(NULL, "n"), RBV_EARG, "out is NULL");
}

static void *parse_many(void *result) {
  rbv_status *status = result;
  for (int i = 0; i < 200 && *status == RBV_OK; i++) {
    rbv_xml *xml = NULL;
    *status = parse(&xml, "<a b='1'><c/></a>");
    rbv_xml_free(xml);
    if (parse(&xml, "<a>") != RBV_EINPUT) *status = RBV_EARG;
  }
  return NULL;
}

static void test_threads_parse_in_parallel(void **state) {
  (void)state;
  pthread_t threads[4];
  rbv_status status[4] = {RBV_OK};
  for (int i = 0; i < 4; i++)
    assert_int_equal(pthread_create(threads + i, NULL, parse_many, status + i), 0);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < 4; i++) assert_int_equal(status[i], RBV_OK);
}

static rbv_status load_and_free(void *path) {
  rbv_xml *xml;
  RBV_TRY(rbv_xml_load(&xml, path));
  rbv_xml_free(xml);
  return RBV_OK;
}

static void test_each_allocation_fails_once(void **state) {
  (void)state;
  char path[256];
  snprintf(path, sizeof path, "%s", temp_file("small.xml", "<a b='1'><c/></a>"));
  fail_each_allocation(load_and_free, path);
}

/* ---- positions in the text ---- */

static void assert_span(const rbv_xml *xml, const rbv_element *e, const char *whole,
                        const char *head) {
  rbv_span s;
  const char *text = rbv_xml_text(xml, NULL);
  assert_ok(rbv_element_span(&s, xml, e));
  assert_int_equal(s.end - s.begin, strlen(whole));
  assert_memory_equal(text + s.begin, whole, strlen(whole));
  assert_int_equal(s.head - s.begin, strlen(head));
  assert_memory_equal(text + s.begin, head, strlen(head));
}

static void test_positions_of_elements(void **state) {
  (void)state;
  rbv_xml *xml;
  static const char text[] =
      "<?xml version='1.0'?><!-- <a> -->\n<r x = 'a>b' y=\"2\">\n"
      "  <a/><![CDATA[<a>]]><a n='1' ><b k=\"&lt;\"/></a>\n</r>\n";
  assert_ok(rbv_xml_parse(&xml, "p.xml", text, strlen(text)));
  size_t size;
  assert_string_equal(rbv_xml_text(xml, &size), text);
  assert_int_equal(size, strlen(text));
  const rbv_element *r = rbv_xml_root(xml), *a = rbv_element_child(r, "a");
  const rbv_element *second = rbv_element_next(a, "a"), *b = rbv_element_child(second, "b");
  assert_span(xml, a, "<a/>", "<a/>");
  assert_span(xml, second, "<a n='1' ><b k=\"&lt;\"/></a>", "<a n='1' >");
  assert_span(xml, b, "<b k=\"&lt;\"/>", "<b k=\"&lt;\"/>");

  rbv_span s, value;
  assert_ok(rbv_element_span(&s, xml, r));
  assert_true(rbv_span_attribute(&value, xml, &s, "x"));
  assert_int_equal(value.end - value.begin, 3);
  assert_memory_equal(text + value.begin, "a>b", 3);
  assert_true(rbv_span_attribute(&value, xml, &s, "y"));
  assert_int_equal(text[value.begin], '2');
  // neither an attribute of a child nor a part of a name matches
  assert_false(rbv_span_attribute(&value, xml, &s, "n"));
  assert_false(rbv_span_attribute(&value, xml, &s, ""));
  rbv_xml_free(xml);
}

/* two bytes per character: such a text can be read but not edited */
static void test_positions_in_utf16_are_refused(void **state) {
  (void)state;
  static const char narrow[] = "<?xml version=\"1.0\" encoding=\"UTF-16\"?><r/>";
  char wide[2 * sizeof narrow] = "\xff\xfe";
  size_t n = 2;
  for (const char *c = narrow; *c; c++) {
    wide[n++] = *c;
    wide[n++] = 0;
  }
  rbv_xml *xml;
  rbv_span s;
  assert_ok(rbv_xml_parse(&xml, "wide.xml", wide, n));
  assert_refused(rbv_element_span(&s, xml, rbv_xml_root(xml)), RBV_EUNSUPPORTED,
                 "convert it to UTF-8");
  rbv_xml_free(xml);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tree_by_hand),
      cmocka_unit_test(test_missing_elements_and_attributes_are_null),
      cmocka_unit_test(test_attributes_resolve_references_and_stay_valid),
      cmocka_unit_test(test_prefixes_stay_part_of_the_name),
      cmocka_unit_test(test_numbers_in_attributes),
      cmocka_unit_test(test_malformed_text_is_refused_with_its_line),
      cmocka_unit_test(test_nothing_is_printed),
      cmocka_unit_test(test_any_doctype_is_refused),
      cmocka_unit_test(test_entity_expansion_attack_is_refused_at_once),
      cmocka_unit_test(test_nesting_ends_at_256),
      cmocka_unit_test(test_many_siblings_and_line_numbers_above_65535),
      cmocka_unit_test(test_load_reports_the_path),
      cmocka_unit_test(test_threads_parse_in_parallel),
      cmocka_unit_test(test_each_allocation_fails_once),
      cmocka_unit_test(test_positions_of_elements),
      cmocka_unit_test(test_positions_in_utf16_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
