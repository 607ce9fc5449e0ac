/* During an identification with its report each file is loaded once and each document parsed
 * once. */
#include <roberval/sys/identification.h>
#include <roberval/sys/report.h>
#include <roberval/sys/storage.h>
#include <stdio.h>
#include <string.h>

#include "base/support.h"
#include "job_files.h"
#include "support.h"

#define MOST 256

static struct {
  int count;
  char what[MOST][16], name[MOST][64];
  int seen[MOST];
} list;

static void observe(const char *what, const char *name) {
  int i = 0;
  while (i < list.count && (strcmp(list.what[i], what) != 0 || strcmp(list.name[i], name) != 0))
    i++;
  assert_true(i < MOST);
  if (i == list.count) {
    snprintf(list.what[i], sizeof list.what[i], "%s", what);
    snprintf(list.name[i], sizeof list.name[i], "%s", name);
    list.seen[i] = 0;
    list.count++;
  }
  list.seen[i]++;
}

static int seen(const char *what, const char *name) {
  for (int i = 0; i < list.count; i++)
    if (strcmp(list.what[i], what) == 0 && strcmp(list.name[i], name) == 0) return list.seen[i];
  return 0;
}

static int prepare(void **state) {
  (void)state;
  job_files_write();
  return 0;
}

typedef struct {
  const char *log[3];      // ends with NULL
  const char *option[24];  // names and values, end with NULL
  const char *parsed[12];  // documents that must have been parsed
  const char *loaded[5];   // recordings that must have been loaded
} example;

static void set(rbv_identification *job, const example *e) {
  for (int i = 0; e->log[i]; i++) assert_ok(rbv_identification_add_log(job, e->log[i]));
  for (int i = 0; e->option[i]; i += 2)
    assert_ok(rbv_identification_set(job, e->option[i], e->option[i + 1]));
}

static void check_counts(const example *e) {
  assert_int_equal(seen("model", "arm.yaml"), 1);
  for (int i = 0; e->parsed[i]; i++)
    if (seen("parse", e->parsed[i]) != 1)
      fail_msg("%s: parsed %d times", e->parsed[i], seen("parse", e->parsed[i]));
  for (int i = 0; e->loaded[i]; i++)
    if (seen("load", e->loaded[i]) != 1)
      fail_msg("%s: loaded %d times", e->loaded[i], seen("load", e->loaded[i]));
  // and nothing else twice
  for (int i = 0; i < list.count; i++)
    if (list.seen[i] != 1) fail_msg("%s %s: %d times", list.what[i], list.name[i], list.seen[i]);
}

/* the verdict and the report of the result in memory, as the tool makes them */
static void report(const rbv_identification *job) {
  const rbv_report_input input = rbv_report_input_of(job);
  rbv_report *page;
  assert_ok(rbv_report_verdict(&page, &input));
  rbv_report_free(page);
  assert_ok(rbv_report_new(&page, &input));
  rbv_report_free(page);
}

static void run(const example *e) {
  rbv_identification *job;
  list.count = 0;
  rbv_set_observer(observe);
  assert_ok(rbv_identification_new(&job, "arm.yaml"));
  set(job, e);
  assert_ok(rbv_identification_run(job));
  check_counts(e);
  assert_ok(rbv_identification_save(job, "result.json"));
  report(job);
  check_counts(e);
  rbv_identification_free(job);
  // the record itself is read once more, everything else once
  list.count = 0;
  assert_ok(rbv_identification_again(&job, "result.json"));
  assert_int_equal(seen("result", "result.json"), 1);
  assert_ok(rbv_identification_run(job));
  check_counts(e);
  rbv_identification_free(job);
  rbv_set_observer(NULL);
}

/* the robot is loaded once although a simulated loop needs another friction law */
static void test_simulated_loop(void **state) {
  (void)state;
  run(&(example){.log = {"log.csv"},
                 .option = {"method", "iv", "controller", "pid.yaml", "start", "start.yaml", "map",
                            "map.yaml", "gains", "gains.yaml", "weights", "weights.yaml",
                            "validate", "other.csv", "consistent", "true", "bounds", "bounds.yaml"},
                 .parsed = {"arm.yaml", "pid.yaml", "start.yaml", "map.yaml", "gains.yaml",
                            "weights.yaml", "bounds.yaml"},
                 .loaded = {"log.csv", "other.csv"}});
}

/* the controller is found in recordings that are loaded already */
static void test_controller_from_the_recordings(void **state) {
  (void)state;
  run(&(example){.log = {"log.csv", "other.csv"},
                 .option = {"method", "auto", "controller", "auto", "map", "map.yaml", "back-emf",
                            "open.csv", "decimate", "10", "mask", "0"},
                 .parsed = {"arm.yaml", "map.yaml"},
                 .loaded = {"log.csv", "other.csv", "open.csv"}});
}

/* motions are made twice, because the gains come from the first ones; the files are read once */
static void test_known_mass(void **state) {
  (void)state;
  temp_file("plain.yaml",
            "{time: t, sensing: motor, joints: [{q: q1, tau: tau1}, {q: q2, tau: tau2}]}");
  run(&(example){.log = {"empty.csv"},
                 .option = {"payload", "true", "loaded", "loaded.csv", "known-mass", "1.5", "prior",
                            "prior.yaml", "prior-weight", "1", "map", "plain.yaml", "validate",
                            "sensed.csv", "decimate", "4", "mask", "0.02"},
                 .parsed = {"arm.yaml", "prior.yaml", "plain.yaml"},
                 .loaded = {"empty.csv", "loaded.csv", "sensed.csv"}});
}

/* numbers that are typed as a list are parsed once, too */
static void test_lists(void **state) {
  (void)state;
  run(&(example){.log = {"sensed.csv", "empty.csv"},
                 .option = {"gains", "1.5,0.5", "weights", "0.1,0.05", "validate", "loaded.csv",
                            "decimate", "4", "mask", "0"},
                 .parsed = {"arm.yaml", "gains", "weights"},
                 .loaded = {"sensed.csv", "empty.csv", "loaded.csv"}});
}

/* what is read in pieces is opened once */
static void test_pieces(void **state) {
  (void)state;
  run(&(example){
      .log = {"empty.csv"},
      .option = {"memory", "0.01", "validate", "loaded.csv", "decimate", "4", "mask", "0"},
      .parsed = {"arm.yaml"},
      .loaded = {"empty.csv", "loaded.csv"}});
}

/* the text of the recording is opened once and its hash is that of these bytes; the base parameters
 * are computed once for the plain columns and once for the chosen ones */
static void check_choice(const char *friction, int bases) {
  rbv_identification *job;
  list.count = 0;
  rbv_set_observer(observe);
  assert_ok(rbv_identification_new(&job, "arm.yaml"));
  assert_ok(rbv_identification_add_log(job, "sensed.csv"));
  assert_ok(rbv_identification_set(job, "friction", friction));
  assert_ok(rbv_identification_set(job, "consistent", "true"));
  assert_ok(rbv_identification_run(job));
  report(job);
  rbv_set_observer(NULL);
  assert_int_equal(seen("model", "arm.yaml"), 1);
  assert_int_equal(seen("parse", "arm.yaml"), 1);
  assert_int_equal(seen("open", "sensed.csv"), 1);
  assert_int_equal(seen("load", "sensed.csv"), 1);
  int found = 0;
  for (int i = 0; i < list.count; i++) {
    if (strcmp(list.what[i], "base") == 0) found++;
    if (list.seen[i] != 1) fail_msg("%s %s: %d times", list.what[i], list.name[i], list.seen[i]);
  }
  assert_int_equal(found, bases);
  char hash[65];
  assert_ok(rbv_hash_file(hash, "sensed.csv"));
  assert_string_equal(rbv_identification_result(job)->input[0].sha256, hash);
  rbv_identification_free(job);
}

static void test_chosen_friction(void **state) {
  (void)state;
  check_choice("auto", 2);
}

static void test_open_shapes(void **state) {
  (void)state;
  check_choice("Fd=auto", 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_simulated_loop), cmocka_unit_test(test_controller_from_the_recordings),
      cmocka_unit_test(test_known_mass),     cmocka_unit_test(test_lists),
      cmocka_unit_test(test_pieces),         cmocka_unit_test(test_chosen_friction),
      cmocka_unit_test(test_open_shapes),
  };
  return cmocka_run_group_tests(tests, prepare, NULL);
}
