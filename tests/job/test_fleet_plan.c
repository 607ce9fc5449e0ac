/* Fleets: the manifest and its mistakes, options, jobs, and plans from a description. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "job/job.h"

#include "document/document.h"
#include "job_files.h"
#include "nodes.h"
#include "result/result.h"
#include "support.h"

static int prepare(void **state) {
  (void)state;
  job_files_write();
  return 0;
}

static const char *manifest(const char *text) { return temp_file("manifest.yaml", text); }

static void test_manifest_errors(void **state) {
  (void)state;
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"robots: [\n", "manifest.yaml:"},
      {"robot: arm.yaml\n", "manifest.yaml:1:1: robots are a list of at least one"},
      {"robots: []\n", "robots are a list of at least one"},
      {"robots: {a: b}\n", "robots are a list of at least one"},
      {"robots: [{robot: arm.yaml, logs: [log.csv]}]\n",
       "manifest.yaml:1:10: a robot of the fleet"},
      {"robots: [{name: [a], robot: arm.yaml, logs: [log.csv]}]\n", "manifest.yaml:1:17"},
      {"robots: [{name: '', robot: arm.yaml, logs: [log.csv]}]\n", "cannot be the name of a file"},
      {"robots: [{name: .a, robot: arm.yaml, logs: [log.csv]}]\n", "'.a' cannot be the name"},
      {"robots: [{name: a/b, robot: arm.yaml, logs: [log.csv]}]\n", "'a/b' cannot be the name"},
      {"robot: arm.yaml\nrobots: [{name: a, logs: [x]}, {name: a, logs: [x]}]\n",
       "manifest.yaml:2:39: there are two robots 'a'"},
      {"robots: [{name: a, logs: [log.csv]}]\n", "the robot is missing"},
      {"robots: [{name: a, robot: '', logs: [log.csv]}]\n", "a file needs a name"},
      {"robots: [{name: a, robot: arm.yaml}]\n", "logs are a list of at least one file"},
      {"robots: [{name: a, robot: arm.yaml, logs: log.csv}]\n", "logs are a list"},
      {"robots: [{name: a, robot: arm.yaml, logs: []}]\n", "logs are a list"},
      {"robots: [{name: a, robot: arm.yaml, logs: [[x]]}]\n", "manifest.yaml:1:44"},
      {"robots: [{nam: a, robot: arm.yaml, logs: [log.csv]}]\n", "manifest.yaml:1:11"},
      {"robts: []\n", "manifest.yaml:1:1"},
      {"options: wls\nrobots: [{name: a, robot: arm.yaml, logs: [log.csv]}]\n",
       "manifest.yaml:1:10: options are a map"},
      {"options: {methd: wls}\nrobots: [{name: a, robot: arm.yaml, logs: [log.csv]}]\n",
       "robot 'a' of the fleet: there is no option 'methd'; did you mean 'method'?"},
      {"robots: [{name: a, robot: arm.yaml, logs: [log.csv], options: {method: magic}}]\n",
       "robot 'a' of the fleet: method cannot be 'magic'"},
      {"robots: [{name: a, robot: arm.yaml, logs: [log.csv], options: {essential: 1}}]\n",
       "essential needs true or false"},
      {"options: {essential: true}\n"
       "robots: [{name: a, robot: arm.yaml, logs: [log.csv], options: {consistent: true}}]\n",
       "consistent and essential cannot be combined"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    rbv_fleet_plan *p;
    assert_refused(rbv_fleet_plan_load(&p, manifest(cases[i].text), NULL, 0), RBV_EINPUT,
                   cases[i].message);
    assert_null(p);
  }
  rbv_fleet_plan *p;
  assert_refused(rbv_fleet_plan_load(&p, "absent.yaml", NULL, 0), RBV_EREAD, "absent.yaml");
  assert_null(p);
  const rbv_option_value unknown = {"methd", "wls"};
  assert_refused(
      rbv_fleet_plan_load(&p, manifest("robots: [{name: a, robot: arm.yaml, logs: [log.csv]}]\n"),
                          &unknown, 1),
      RBV_EINPUT, "there is no option 'methd'; did you mean 'method'?");
}

static void test_null(void **state) {
  (void)state;
  rbv_fleet_plan *p;
  size_t size = 1;
  assert_refused(rbv_fleet_plan_load(NULL, "x", NULL, 0), RBV_EARG, "");
  assert_refused(rbv_fleet_plan_load(&p, NULL, NULL, 0), RBV_EARG, "");
  assert_refused(rbv_fleet_plan_recall(NULL, "{}"), RBV_EARG, "");
  assert_refused(rbv_fleet_plan_recall(&p, NULL), RBV_EARG, "");
  rbv_fleet_plan_free(NULL);
  assert_null(rbv_fleet_plan_jobs(NULL));
  assert_int_equal(rbv_fleet_plan_count(NULL), 0);
  assert_null(rbv_fleet_plan_name(NULL, 0));
  assert_null(rbv_fleet_plan_result(NULL, 0));
  assert_null(rbv_fleet_plan_text(&size, NULL, 0));
  assert_true(size == 0);
}

static const char three[] =
    "robot: arm.yaml\n"
    "options: {method: ols, decimate: 4, mask: 0, essential: false, validate: [other.csv, "
    "other.csv]}\n"
    "robots:\n"
    "  - {name: one, logs: [log.csv]}\n"
    "  - {name: two, logs: [other.csv, log.csv], options: {method: irls}, map: map.yaml}\n"
    "  - {name: three, logs: [absent.csv]}\n";

static rbv_fleet_plan *load(const rbv_option_value *given, int ngiven) {
  rbv_fleet_plan *p;
  assert_ok(rbv_fleet_plan_load(&p, manifest(three), given, ngiven));
  return p;
}

/* the manifest's directory is that of its files, whatever the current one is */
static void test_description(void **state) {
  (void)state;
  rbv_fleet_plan *p = load(NULL, 0);
  assert_int_equal(rbv_fleet_plan_count(p), 3);
  static const char *const names[] = {"one", "two", "three"};
  for (int i = 0; i < 3; i++) assert_string_equal(rbv_fleet_plan_name(p, i), names[i]);
  assert_null(rbv_fleet_plan_name(p, 3));
  assert_null(rbv_fleet_plan_name(p, -1));
  const rbv_jobs *jobs = rbv_fleet_plan_jobs(p);
  assert_string_equal(jobs->name, RBV_FLEET_KIND);
  assert_int_equal(jobs->count, 3);
  rbv_document *doc;
  assert_ok(rbv_document_parse(&doc, "description", jobs->description, strlen(jobs->description)));
  const rbv_node *root = rbv_document_root(doc);
  char path[512];
  snprintf(path, sizeof path, "%s/arm.yaml", temp_directory());
  text_at(root, "robots.0.robot.path", path);
  snprintf(path, sizeof path, "%s/map.yaml", temp_directory());
  text_at(root, "robots.1.options.map", path);
  text_at(root, "robots.0.options.method", "ols");
  text_at(root, "robots.1.options.method", "irls");
  assert_int_equal(rbv_node_count(node_at(root, "robots.1.inputs")), 2);
  text_at(root, "robots.1.option_files.0.option", "validate");
  text_at(root, "robots.1.option_files.2.option", "map");
  text_at(root, "robots.2.inputs.0.sha256", "null");
  rbv_document_free(doc);
  rbv_fleet_plan_free(p);
}

/* a byte of any input, or an option, makes other jobs */
static void test_description_follows_inputs(void **state) {
  (void)state;
  rbv_fleet_plan *p = load(NULL, 0);
  static const char *const files[] = {"arm.yaml", "log.csv", "map.yaml", "other.csv"};
  for (int i = 0; i < 4; i++) {
    job_file_change(files[i]);
    rbv_fleet_plan *q = load(NULL, 0);
    assert_string_not_equal(rbv_fleet_plan_jobs(p)->description,
                            rbv_fleet_plan_jobs(q)->description);
    rbv_fleet_plan_free(q);
    job_file_restore(files[i]);
  }
  rbv_fleet_plan *q = load(NULL, 0);
  assert_string_equal(rbv_fleet_plan_jobs(p)->description, rbv_fleet_plan_jobs(q)->description);
  rbv_fleet_plan_free(q);
  // the number of threads changes nothing
  const rbv_option_value threads = {"threads", "2"}, mask = {"mask", "0.1"};
  q = load(&threads, 1);
  assert_string_equal(rbv_fleet_plan_jobs(p)->description, rbv_fleet_plan_jobs(q)->description);
  rbv_fleet_plan_free(q);
  q = load(&mask, 1);
  assert_string_not_equal(rbv_fleet_plan_jobs(p)->description, rbv_fleet_plan_jobs(q)->description);
  rbv_fleet_plan_free(q);
  rbv_fleet_plan_free(p);
}

/* run, then hand the results to a plan that was made from the description alone */
static void test_run_and_recall(void **state) {
  (void)state;
  const rbv_option_value given[] = {{"decimate", "6"}};
  rbv_fleet_plan *p = load(given, 1), *q;
  const rbv_jobs *jobs = rbv_fleet_plan_jobs(p);
  for (int i = 0; i < 3; i++) {
    assert_null(rbv_fleet_plan_result(p, i));
    assert_null(rbv_fleet_plan_text(NULL, p, i));
  }
  assert_ok(rbv_jobs_run(NULL, jobs, NULL));
  for (int i = 0; i < 2; i++) {
    const rbv_result *r = rbv_fleet_plan_result(p, i);
    assert_string_equal(rbv_result_method(r), i == 0 ? "ols" : "irls");
    // given options come last
    assert_true(rbv_result_number(r, "decimate", 0) == 6);
    assert_int_equal(r->nvalidation_input, 2);
  }
  // the third one says why there is no result
  assert_null(rbv_fleet_plan_result(p, 2));
  assert_non_null(strstr(rbv_fleet_plan_text(NULL, p, 2), "absent.csv"));

  assert_ok(rbv_fleet_plan_recall(&q, jobs->description));
  assert_int_equal(rbv_fleet_plan_count(q), 3);
  const rbv_jobs *taken = rbv_fleet_plan_jobs(q);
  assert_string_equal(taken->description, jobs->description);
  for (int i = 0; i < 3; i++) {
    size_t size;
    const char *text = rbv_fleet_plan_text(&size, p, i);
    char *data = malloc(size + 1);
    data[0] = rbv_fleet_plan_result(p, i) ? 'R' : 'F';
    memcpy(data + 1, text, size);
    assert_ok(taken->take(taken->self, i, data, size + 1));
    // a second time replaces the first
    assert_ok(taken->take(taken->self, i, data, size + 1));
    free(data);
    assert_string_equal(rbv_fleet_plan_name(q, i), rbv_fleet_plan_name(p, i));
    assert_string_equal(rbv_fleet_plan_text(NULL, q, i), text);
    assert_int_equal(rbv_fleet_plan_result(q, i) == NULL, rbv_fleet_plan_result(p, i) == NULL);
  }
  assert_refused(taken->take(taken->self, 0, "", 0), RBV_EINPUT, "robot 'one' is empty");
  assert_refused(taken->take(taken->self, 0, "R{}", 3), RBV_EINPUT, "one:1:1");
  // results can be taken, not made
  assert_refused(rbv_jobs_run(NULL, taken, NULL), RBV_EARG, "only the names of its robots");
  rbv_fleet_plan_free(q);
  rbv_fleet_plan_free(p);
}

static void test_recall_refuses(void **state) {
  (void)state;
  rbv_fleet_plan *q;
  assert_refused(rbv_fleet_plan_recall(&q, "{"), RBV_EINPUT, "fleet:");
  assert_null(q);
  assert_refused(rbv_fleet_plan_recall(&q, "{}"), RBV_EINPUT, "robots are a list");
  assert_refused(rbv_fleet_plan_recall(&q, "{robots: [{nam: a}]}"), RBV_EINPUT, "needs a name");
  assert_refused(rbv_fleet_plan_recall(&q, "{robots: [{name: a/b}]}"), RBV_EINPUT,
                 "cannot be the name of a file");
  assert_refused(rbv_fleet_plan_recall(&q, "{robots: [{name: \"a\\u001b]0;x\\u0007\"}]}"),
                 RBV_EINPUT, "cannot be the name of a file");
}

static rbv_status plan_and_recall(void *state) {
  rbv_fleet_plan *p, *q = NULL;
  rbv_status s = rbv_fleet_plan_load(&p, state, NULL, 0);
  if (s == RBV_OK) s = rbv_fleet_plan_recall(&q, rbv_fleet_plan_jobs(p)->description);
  rbv_fleet_plan_free(p);
  rbv_fleet_plan_free(q);
  return s;
}

static void test_every_allocation_may_fail(void **state) {
  (void)state;
  char path[256];
  strcpy(path, manifest(three));
  fail_each_allocation(plan_and_recall, path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_manifest_errors),
      cmocka_unit_test(test_null),
      cmocka_unit_test(test_description),
      cmocka_unit_test(test_description_follows_inputs),
      cmocka_unit_test(test_run_and_recall),
      cmocka_unit_test(test_recall_refuses),
      cmocka_unit_test(test_every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, prepare, NULL);
}
