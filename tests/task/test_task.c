/* Tasks through their public functions, in the test's own process: the same JSON as the tool's. */
#include <roberval/roberval.h>
#include <roberval/sys/task.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "job_files.h"
#include "support.h"
#include "tool.h"

#define LIST 12  // with the NULL at its end

/* one task of every kind at least; lists end with NULL */
static const struct {
  const char *kind;
  const char *input[LIST], *option[LIST];  // options: name, value, ...
} tasks[] = {
    {"check", {"arm.yaml", "log.csv"}, {"tolerance", "0.002"}},
    {"check", {"arm.yaml", "empty.csv"}, {"loaded", "loaded.csv", "payload", "true"}},
    {"simulate", {"arm.yaml", "log.csv"}, {"rate", "200", "torque-noise", "1%", "seed", "3"}},
    {"validate", {"result.json", "other.csv"}, {"max-error", "50%"}},
    {"validate", {"arm.yaml", "log.csv", "other.csv"}, {"max-error", "0.0001"}},
    {"compare", {"result.json", "second.json"}, {"max-change", "3"}},
    {"compare", {"result.json", "second.json"}, {"no-logs", "true"}},
    {"payload", {"arm.yaml", "empty.csv", "loaded.csv"}, {"decimate", "5"}},
    {"payload", {"result.json", "loaded.csv"}, {NULL}},
    {"payload", {"arm.yaml", "empty.csv", "loaded.csv"}, {"known-mass", "1.5", "decimate", "5"}},
    {"montecarlo",
     {"arm.yaml"},
     {"reference", "log.csv", "runs", "2", "methods", "wls,ols", "rate", "100", "decimate", "4"}},
    {"merge", {"part1", "part2"}, {NULL}},
    {"export", {"result.json"}, {"format", "c", "output", "arm.c", "derivatives", "true"}},
    {"export", {"result.json"}, {"format", "urdf", "output", "arm.urdf"}},  // refused: no bodies
    {"map", {"arm.yaml", "log.csv"}, {NULL}},
    {"lint", {"arm.yaml"}, {NULL}},
    {"controller", {"arm.yaml", "loop.csv"}, {"max-delay", "1"}},
    {"sweep", {"arm.yaml", "result.json"}, {"reference", "log.csv", "plants", "8", "rate", "100"}},
    {"follow", {"arm.yaml", "result.json", "other.csv"}, {"alarms", "5", "output", "rows.csv"}},
    {"fleet", {"history"}, {"alarm", "0.001"}},
    {"identify-fleet", {"fleet.yaml"}, {"method", "ols", "decimate", "5", "output", "robots"}},
    {"identify", {"arm.yaml", "log.csv"}, {"method", "ols", "seed", "3", "output", "ols.json"}},
    {"excite", {"arm.yaml"}, {"evaluate", "log.csv"}},
    {"excite", {"arm.yaml"}, {"static", "5", "output", "poses.csv"}},
    {"play",
     {"arm.yaml", "play.yaml"},
     {"link-radius", "0.02", "velocity", "1", "position", "6"}},  // is it allowed?
};

static void write_result(const char *log, const char *path) {
  rbv_identification *job;
  assert_ok(rbv_identification_new(&job, "arm.yaml"));
  assert_ok(rbv_identification_add_log(job, log));
  assert_ok(rbv_identification_run(job));
  assert_ok(rbv_identification_save(job, path));
  rbv_identification_free(job);
}

static rbv_task *task_of(const char *kind, const char *const *input, const char *const *option) {
  rbv_task *t;
  assert_ok(rbv_task_new(&t, kind));
  for (int i = 0; input && input[i]; i++) assert_ok(rbv_task_add(t, input[i]));
  for (int i = 0; option && option[i]; i += 2) assert_ok(rbv_task_set(t, option[i], option[i + 1]));
  return t;
}

static const char *const study[] = {"reference", "log.csv", "runs",     "9", "methods", "wls",
                                    "rate",      "100",     "decimate", "4", NULL};

/* a fleet to identify, and results of one robot over two periods */
static void write_fleet(void) {
  static const char *const of[][2] = {{"history/may", "log.csv"}, {"history/june", "other.csv"}};
  static const char list[] =
      "robot: arm.yaml\nrobots:\n- {name: one, logs: [log.csv]}\n- {name: two, logs: "
      "[other.csv]}\n";
  assert_ok(rbv_file_write("fleet.yaml", list, strlen(list)));
  assert_ok(rbv_directory_make("history"));
  for (int i = 0; i < RBV_COUNT(of); i++) {
    char path[64];
    assert_ok(rbv_directory_make(of[i][0]));
    snprintf(path, sizeof path, "%s/one.json", of[i][0]);
    write_result(of[i][1], path);
  }
}

static int prepare(void **state) {
  (void)state;
  static const char *const robot[] = {"arm.yaml", NULL}, *const both[] = {"arm.yaml", "log.csv",
                                                                          NULL};
  job_files_write();
  write_result("log.csv", "result.json");
  write_result("other.csv", "second.json");
  rbv_task *loop = task_of("simulate", both, (const char *const[]){"output", "loop.csv", NULL});
  assert_ok(rbv_task_run(loop));
  rbv_task_free(loop);
  static const char *const slow[] = {"period",   "3",     "harmonics",    "2",         "starts",
                                     "1",        "blend", "0.5",          "output",    "play.csv",
                                     "velocity", "1",     "coefficients", "play.yaml", NULL};
  rbv_task *design = task_of("excite", robot, slow);
  assert_ok(rbv_task_run(design));
  rbv_task_free(design);
  write_fleet();
  for (int i = 1; i <= 2; i++) {
    char name[8], shard[8];
    snprintf(name, sizeof name, "part%d", i);
    snprintf(shard, sizeof shard, "%d/2", i);
    rbv_task *t = task_of("montecarlo", robot, study);
    assert_ok(rbv_task_set(t, "shard", shard));
    assert_ok(rbv_task_set(t, "output", name));
    assert_ok(rbv_task_run(t));
    assert_null(rbv_task_text(t));
    assert_true(rbv_task_answer(t));
    rbv_task_free(t);
  }
  return 0;
}

/* ---- the same as the tool ---- */

/* a flag has no value on the command line */
static void type(rbv_text *line, const char *kind, const char *name, const char *value) {
  for (int i = 0; rbv_task_option_name(kind, i); i++)
    if (strcmp(rbv_task_option_name(kind, i), name) == 0) {
      const bool flag = strcmp(rbv_task_option_kind(kind, i), "flag") == 0;
      rbv_text_print(line, flag ? " --%s" : " --%s=%s", name, value);
    }
}

static void test_equals_the_tool(void **state) {
  (void)state;
  for (int k = 0; k < RBV_COUNT(tasks); k++) {
    rbv_task *t = task_of(tasks[k].kind, tasks[k].input, tasks[k].option);
    assert_ok(rbv_task_run(t));
    rbv_text line = {0};
    const bool fleet = strcmp(tasks[k].kind, "identify-fleet") == 0;
    const bool lint = strcmp(tasks[k].kind, "lint") == 0;
    rbv_text_print(&line, "%s", fleet ? "identify --fleet" : lint ? "model --lint" : tasks[k].kind);
    for (int i = 0; tasks[k].input[i]; i++) rbv_text_print(&line, " %s", tasks[k].input[i]);
    for (int i = 0; tasks[k].option[i]; i += 2)
      type(&line, tasks[k].kind, tasks[k].option[i], tasks[k].option[i + 1]);
    outcome o = tool("%s --json -q", line.data);
    assert_string_equal(rbv_task_text(t), o.out);
    assert_int_equal(o.code, rbv_task_answer(t) ? 0 : 1);
    outcome_free(&o);
    rbv_text_free(&line);
    rbv_task_free(t);
  }
}

/* without the hashes: that of a recording in memory is that of its columns */
static void blank_hashes(char *text) {
  for (char *at = text; (at = strchr(at, '"')); at++)
    if (strspn(at + 1, "0123456789abcdef") == 64) memset(at + 1, '.', 64);
}

/* recordings without the remarks of a simulation, which memory does not have */
static void write_plain(void) {
  static const char *const name[] = {"log.csv", "other.csv", "empty.csv", "loaded.csv", "loop.csv"};
  assert_ok(rbv_directory_make("plain"));
  for (int i = 0; i < RBV_COUNT(name); i++) {
    char path[32];
    rbv_log *log;
    snprintf(path, sizeof path, "plain/%s", name[i]);
    assert_ok(rbv_log_open(&log, name[i], NULL));
    assert_ok(rbv_log_save(log, path));
    rbv_log_free(log);
  }
}

/* robots and recordings in memory give what their files give */
static void test_objects(void **state) {
  (void)state;
  static const struct {
    const char *kind, *input[4], *option[5];
  } with[] = {
      {"check", {"arm.yaml", "plain/log.csv", "plain/other.csv"}, {"tolerance", "0.002"}},
      {"identify", {"arm.yaml", "plain/log.csv", "plain/other.csv"}, {"method", "ols"}},
      {"validate", {"arm.yaml", "plain/log.csv", "plain/other.csv"}, {"max-error", "0.0001"}},
      {"validate", {"result.json", "plain/other.csv"}, {NULL}},
      {"payload", {"arm.yaml", "plain/empty.csv", "plain/loaded.csv"}, {"decimate", "5"}},
      {"payload", {"result.json", "plain/loaded.csv"}, {NULL}},
      {"controller", {"arm.yaml", "plain/loop.csv"}, {"max-delay", "1"}}};
  write_plain();
  for (int k = 0; k < RBV_COUNT(with); k++) {
    rbv_task *files = task_of(with[k].kind, with[k].input, with[k].option), *objects;
    assert_ok(rbv_task_run(files));
    rbv_model *robot = NULL;
    rbv_log *log[3] = {NULL};
    objects = task_of(with[k].kind, NULL, with[k].option);
    for (int i = 0; with[k].input[i]; i++) {
      if (i > 0) {
        assert_ok(rbv_log_open(&log[i], with[k].input[i], NULL));
        assert_ok(rbv_task_add_recording(objects, log[i]));
      } else if (strcmp(with[k].input[i], "arm.yaml") == 0) {
        assert_ok(rbv_model_open(&robot, "arm.yaml"));
        assert_ok(rbv_task_add_robot(objects, robot));
        rbv_model_free(robot);  // the task shares it
      } else {
        assert_ok(rbv_task_add(objects, with[k].input[i]));
      }
    }
    assert_ok(rbv_task_run(objects));
    assert_int_equal(rbv_task_answer(objects), rbv_task_answer(files));
    char *ours = rbv_strdup(rbv_task_text(objects)), *theirs = rbv_strdup(rbv_task_text(files));
    blank_hashes(ours);
    blank_hashes(theirs);
    assert_string_equal(ours, theirs);
    rbv_free(ours);
    rbv_free(theirs);
    rbv_task_free(objects);
    rbv_task_free(files);
    for (int i = 0; i < RBV_COUNT(log); i++) rbv_log_free(log[i]);
  }
}

/* kinds that take paths say so; a robot comes first */
static void test_refused_objects(void **state) {
  (void)state;
  rbv_model *robot;
  rbv_log *log;
  rbv_task *t;
  assert_ok(rbv_model_open(&robot, "arm.yaml"));
  assert_ok(rbv_log_open(&log, "log.csv", NULL));
  assert_ok(rbv_task_new(&t, "sweep"));
  assert_int_equal(rbv_task_add_robot(t, robot), RBV_EOPTION);
  assert_string_equal(rbv_message(), "sweep takes the path of a robot");
  rbv_task_free(t);
  assert_ok(rbv_task_new(&t, "map"));
  assert_int_equal(rbv_task_add_recording(t, log), RBV_EOPTION);
  assert_string_equal(rbv_message(), "map takes the path of a recording");
  rbv_task_free(t);
  assert_ok(rbv_task_new(&t, "check"));
  assert_int_equal(rbv_task_add_recording(t, log), RBV_EOPTION);
  assert_non_null(strstr(rbv_message(), "check needs ROBOT LOG [LOG ...], in this order"));
  assert_ok(rbv_task_add_robot(t, robot));
  assert_int_equal(rbv_task_add_robot(t, robot), RBV_EOPTION);
  assert_int_equal(rbv_task_add_robot(t, NULL), RBV_EARG);
  assert_int_equal(rbv_task_add_recording(NULL, log), RBV_EARG);
  rbv_task_free(t);
  rbv_log_free(log);
  rbv_model_free(robot);
}

/* the study of two shards is the study at once */
static void test_merge(void **state) {
  (void)state;
  static const char *const robot[] = {"arm.yaml", NULL}, *const parts[] = {"part2", "part1", NULL};
  rbv_task *whole = task_of("montecarlo", robot, study), *merged = task_of("merge", parts, NULL);
  assert_ok(rbv_task_set(whole, "threads", "2"));
  assert_ok(rbv_task_run(whole));
  assert_ok(rbv_task_run(merged));
  assert_string_equal(rbv_task_text(whole), rbv_task_text(merged));
  rbv_task_free(whole);
  rbv_task_free(merged);
  static const char *const one[] = {"part1", NULL};
  rbv_task *t = task_of("merge", one, NULL);
  assert_int_equal(rbv_task_run(t), RBV_EINPUT);
  assert_non_null(strstr(rbv_message(), "1 of 3 jobs are missing in these files (the first: 2)"));
  rbv_task_free(t);
}

/* a mode is a set of defaults, wherever it is given */
static void test_mode(void **state) {
  (void)state;
  for (int first = 0; first < 2; first++) {
    rbv_task *t;
    assert_ok(rbv_task_new(&t, "montecarlo"));
    if (first) assert_ok(rbv_task_set(t, "mode", "white"));
    assert_ok(rbv_task_set(t, "decimate", "7"));
    if (!first) assert_ok(rbv_task_set(t, "mode", "white"));
    const rbv_montecarlo_task *data = rbv_task_data(t);
    assert_int_equal(data->filter.decimate, 7);
    assert_string_equal(data->unknowns, "nonzero");
    assert_int_equal(rbv_task_set(t, "mode", "purple"), RBV_EOPTION);
    rbv_task_free(t);
  }
}

/* ---- tables ---- */

static void test_kinds(void **state) {
  (void)state;
  int count = 0;
  for (const char *kind; (kind = rbv_task_name(count)); count++) {
    bool tried = strcmp(kind, "record") == 0;  // needs a robot: topic.topic
    assert_non_null(rbv_task_inputs(count));
    for (int k = 0; k < RBV_COUNT(tasks); k++) tried = tried || strcmp(tasks[k].kind, kind) == 0;
    if (!tried) fail_msg("no task of the kind %s is tried", kind);
    int options = 0;
    for (const char *name; (name = rbv_task_option_name(kind, options)); options++) {
      assert_non_null(rbv_task_option_text(kind, options));
      assert_non_null(rbv_task_option_kind(kind, options));
      for (int i = 0; i < options; i++)
        assert_string_not_equal(name, rbv_task_option_name(kind, i));
    }
    assert_null(rbv_task_option_text(kind, options));
    assert_null(rbv_task_option_kind(kind, options));
    // seed and threads, and something of its own
    assert_true(options > 2);
  }
  assert_int_equal(count, 19);
  assert_null(rbv_task_inputs(count));
  assert_null(rbv_task_name(-1));
  assert_string_equal(rbv_task_option_choice("payload", "method", 0), rbv_identify_method(0));
  assert_null(rbv_task_option_choice("payload", "frame", 0));
  assert_null(rbv_task_option_name("magic", 0));
}

/* ---- refusals ---- */

static void test_refusals(void **state) {
  (void)state;
  static const char *const both[] = {"arm.yaml", "log.csv", NULL}, *const robot[] = {"arm.yaml",
                                                                                     NULL};
  static const struct {
    const char *kind;
    const char *const *input;
    const char *option[2];
    rbv_status status;
    const char *sentence;
  } bad[] = {
      {"check", robot, {NULL}, RBV_EOPTION, "check needs ROBOT LOG [LOG ...]"},
      {"simulate", robot, {NULL}, RBV_EOPTION, "simulate needs ROBOT TRAJECTORY"},
      {"check",
       both,
       {"loaded", "loaded.csv"},
       RBV_EOPTION,
       "a loaded recording needs the payload"},
      {"validate", both, {"max-error", "-1"}, RBV_EOPTION, "max-error needs a fraction"},
      {"validate", both, {"trace", "x.bin"}, RBV_EOPTION, "trace needs a file .csv"},
      {"compare", both, {"max-change", "inf"}, RBV_EOPTION, "max-change needs a positive number"},
      {"payload", both, {NULL}, RBV_EOPTION, "a robot needs a recording without the payload"},
      {"payload", both, {"tilted", "true"}, RBV_EOPTION, "a robot needs a recording without"},
      {"montecarlo", robot, {"unknowns", "some"}, RBV_EOPTION, "unknowns can be all or nonzero"},
      {"montecarlo", robot, {"output", "x.txt"}, RBV_EOPTION, "output needs a name that ends with"},
      {"merge", both, {NULL}, RBV_EINPUT, "arm.yaml"},
      {"identify", robot, {NULL}, RBV_EOPTION, "LOG is missing"},
      {"identify", both, {"filter", "mine"}, RBV_EOPTION, "filter can only be auto"},
      {"identify", both, {"again", "result.json"}, RBV_EOPTION, "again takes the robot"},
      {"controller", both, {"method", "guess"}, RBV_EOPTION, "there is no method 'guess'"},
      {"fleet", robot, {NULL}, RBV_EINPUT, "the folder 'arm.yaml' cannot be read"},
      {"fleet", robot, {"alarm", "2"}, RBV_EOPTION, "alarm needs a probability"},
  };
  for (int i = 0; i < RBV_COUNT(bad); i++) {
    rbv_task *t = task_of(bad[i].kind, bad[i].input, NULL);
    if (bad[i].option[0]) assert_ok(rbv_task_set(t, bad[i].option[0], bad[i].option[1]));
    const rbv_status status = rbv_task_run(t);
    if (status != bad[i].status || !strstr(rbv_message(), bad[i].sentence))
      fail_msg("%s: %d, %s", bad[i].sentence, status, rbv_message());
    assert_null(rbv_task_text(t));
    assert_false(rbv_task_answer(t));
    rbv_task_free(t);
  }
  rbv_task *t;
  assert_int_equal(rbv_task_new(&t, "magic"), RBV_EARG);
  assert_null(t);
  assert_int_equal(rbv_task_new(&t, NULL), RBV_EARG);
  assert_ok(rbv_task_new(&t, "check"));
  assert_int_equal(rbv_task_set(t, "colour", "red"), RBV_EOPTION);
  assert_int_equal(rbv_task_set(t, "tolerance", "7"), RBV_EOPTION);
  assert_int_equal(rbv_task_add(t, NULL), RBV_EARG);
  rbv_task_free(t);
}

/* ---- watching ---- */

static bool stop(void *self, const char *stage, double done) {
  int *count = self;
  (void)done;
  if (strcmp(stage, "runs") == 0) ++*count;
  return *count == 0;
}

/* a study that is stopped keeps its finished jobs, and only these */
static void test_cancel(void **state) {
  (void)state;
  static const char *const robot[] = {"arm.yaml", NULL};
  rbv_task *t = task_of("montecarlo", robot, study), *whole = task_of("montecarlo", robot, study);
  int count = 0;
  // enough runs that the watcher is asked before the last one
  assert_ok(rbv_task_set(t, "runs", "80"));
  assert_ok(rbv_task_set(whole, "runs", "80"));
  assert_ok(rbv_task_set(t, "journal", "stopped"));
  rbv_watch(stop, &count);
  assert_int_equal(rbv_task_run(t), RBV_ECANCELLED);
  rbv_watch(NULL, NULL);
  assert_int_equal(count, 1);
  assert_null(rbv_task_text(t));
  assert_ok(rbv_task_set(t, "resume", "true"));
  assert_ok(rbv_task_run(t));
  assert_ok(rbv_task_run(whole));
  assert_string_equal(rbv_task_text(t), rbv_task_text(whole));
  rbv_task_free(t);
  rbv_task_free(whole);
}

/* ---- memory ---- */

static rbv_status compare(void *state) {
  rbv_task *t;
  (void)state;
  rbv_status status = rbv_task_new(&t, "compare");
  if (status == RBV_OK) status = rbv_task_add(t, "result.json");
  if (status == RBV_OK) status = rbv_task_add(t, "second.json");
  if (status == RBV_OK) status = rbv_task_set(t, "no-logs", "true");
  if (status == RBV_OK) status = rbv_task_run(t);
  rbv_task_free(t);
  return status;
}

static void test_memory(void **state) {
  (void)state;
  fail_each_allocation(compare, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_equals_the_tool),
      cmocka_unit_test(test_objects),
      cmocka_unit_test(test_refused_objects),
      cmocka_unit_test(test_merge),
      cmocka_unit_test(test_mode),
      cmocka_unit_test(test_kinds),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_cancel),
      cmocka_unit_test(test_memory),
  };
  return cmocka_run_group_tests(tests, prepare, NULL);
}
