/* Hostile files and circumstances: shards, names, formulas, orphans, processes without threads. */
#include <fcntl.h>
#include <roberval/sys/storage.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include "job/job.h"

#include "montecarlo/montecarlo_internal.h"
#include "pendulum_files.h"

/* ---- shards ---- */

/* a journal with valid checksums, which anybody can make; data of size bytes for each of count jobs
 */
static void make_shard(const char *name, const char *kind, const char *description, int count,
                       const void *data, size_t size) {
  const rbv_jobs jobs = {.name = kind, .description = description, .count = count};
  rbv_journal *journal;
  const char *path = temp_file(name, NULL);
  unlink(path);
  assert_ok(rbv_journal_open(&journal, path, &jobs, false));
  const rbv_jobs_store store = rbv_journal_store(journal);
  for (int i = 0; i < count; i++) assert_ok(store.keep(store.self, i, data, size));
  rbv_journal_free(journal);
}

static bool exists(const char *name) {
  struct stat info;
  return lstat(temp_file(name, NULL), &info) == 0;
}

static bool has_controls(const char *text) {
  for (; *text; text++)
    if (((unsigned char)*text < ' ' && *text != '\n') || *text == 127) return true;
  return false;
}

/* names of a shard become names of files: the rules are those of a manifest */
static void test_shard_cannot_name_a_path(void **state) {
  (void)state;
  static const char *const names[] = {"../../escaped", "..", "a/b", "/tmp/escaped", ".hidden", ""};
  assert_int_equal(mkdir(temp_file("out", NULL), 0777), 0);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char description[200];
    snprintf(description, sizeof description, "{\"robots\": [{\"name\": \"%s\"}]}", names[i]);
    make_shard("traversal", RBV_FLEET_KIND, description, 1, "R{}", 3);
    tool_refuses(3, "cannot be the name of a file", "merge traversal -o out/a");
    assert_false(exists("out/a") || exists("escaped.json") || exists("out/escaped.json"));
  }
}

static void test_shard_contradicts_itself(void **state) {
  (void)state;
  const char *fleet = "{\"robots\": [{\"name\": \"one\"}]}";
  make_shard("more", RBV_FLEET_KIND, fleet, 2, "Fno", 3);
  tool_refuses(3, "a fleet of 1 robots has 1 jobs, but the journal has 2", "merge more");
  make_shard("empty", RBV_FLEET_KIND, fleet, 1, "", 0);
  tool_refuses(3, "the result of robot 'one' is empty", "merge empty");
  static const struct {
    const char *runs, *message;
  } cases[] = {{"2147483647", "1 to 100000000 runs"},
               {"0", "1 to 100000000 runs"},
               {"-4", "1 to 100000000 runs"},
               {"9", "a study of 9 runs has 3 jobs, but the journal has 1"},
               {"99999999", "jobs, but the journal has 1"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char description[200];
    snprintf(description, sizeof description,
             "{\"runs\": %s, \"methods\": [\"wls\"], \"parameters\": [{\"name\": \"M1\", \"unit\": "
             "\"kg\", \"truth\": 1}]}",
             cases[i].runs);
    make_shard("study", RBV_MONTECARLO_KIND, description, 1, "x", 1);
    tool_refuses(3, cases[i].message, "merge study");
  }
  make_shard("study", RBV_MONTECARLO_KIND,
             "{\"runs\": 1, \"methods\": [\"wls\"], \"parameters\": [{\"name\": \"M1\", \"unit\": "
             "\"kg\", \"truth\": 1}]}",
             1, "", 0);
  tool_refuses(3, "belong to another study", "merge study");
}

/* sentences and names of a shard are shown: without their end, with terminal codes, as a formula */
static void test_shard_has_hostile_texts(void **state) {
  (void)state;
  struct {
    run_head run;
    method_head method;
    double value[3];
  } record = {.method = {.outcome = OUTCOME_FAILED}, .value = {1, 1, 1}};
  memset(record.method.reason, 'A', sizeof record.method.reason);
  memcpy(record.method.reason, "bad \x1b]0;title\a", 14);
  make_shard("study", RBV_MONTECARLO_KIND,
             "{\"runs\": 1, \"methods\": [\"wls\"], \"parameters\": [{\"name\": \"a\\u001b[31m\", "
             "\"unit\": \"=1+1, x\", \"truth\": 1}]}",
             1, &record, sizeof record);
  outcome o = tool("merge study -o study.csv");
  assert_int_equal(o.code, 0);
  assert_false(has_controls(o.out) || has_controls(o.err));
  // nothing behind the field of the sentence
  const char *sentence = strstr(o.out, "first failure of wls: ");
  assert_non_null(sentence);
  assert_int_equal(strcspn(sentence, "\n"), strlen("first failure of wls: ") + REASON - 1);
  outcome_free(&o);
  char *table = read_text(temp_file("study.csv", NULL), NULL);
  assert_non_null(strstr(table, "\nwls,a?[31m,\"'=1+1, x\",0,1,,,,,\n"));
  free(table);
  // a name would become that of a file
  make_shard("fleet", RBV_FLEET_KIND, "{\"robots\": [{\"name\": \"one\\u202e\\u001b[2J\"}]}", 1,
             "Fno", 3);
  tool_refuses(3, "'one??[2J' cannot be the name of a file", "merge fleet");
  make_shard("fleet", RBV_FLEET_KIND, "{\"robots\": [{\"name\": \"one\"}]}", 1,
             "Fno \x1b[31m reason", 16);
  o = tool("merge fleet");
  assert_int_equal(o.code, 1);
  assert_false(has_controls(o.out) || has_controls(o.err));
  assert_non_null(strstr(o.out, "one: no ?[31m reason"));
  outcome_free(&o);
  // a directory cannot be a file
  temp_file("file", "x");
  make_shard("fleet", RBV_FLEET_KIND, "{\"robots\": [{\"name\": \"one\"}]}", 1, "Fno", 3);
  tool_refuses(3, "'file' is a file; a directory is needed", "merge fleet -o file");
}

/* ---- names ---- */

#define HOSTILE "a\\e[31mred\\u202e\\u009b2J\\u2066"

static void make_hostile(const char *file, const char *unit) {
  char text[1200];
  snprintf(text, sizeof text,
           "name: \"robot " HOSTILE "\"\njoints:\n  - name: \"joint " HOSTILE
           "\"\n"
           "    mdh: {alpha: pi/2, d: 0, theta: 0, r: 0}\n"
           "    limits: {lower: -2, upper: 2, velocity: 3, acceleration: 30, effort: 20}\n"
           "columns:\n  - {name: spring, unit: \"%s\", joint: 1, expression: q1}\n"
           "parameters: {ZZ1: 0.24, MX1: 0.6, M1: 2, Ia1: 0.02, Fv1: 0.1, Fc1: 0.3, spring: 1}\n",
           unit);
  temp_file(file, text);
}

static void test_names_cannot_control_the_terminal(void **state) {
  (void)state;
  make_files();
  make_hostile("hostile.yaml", "N " HOSTILE);
  free(tool_text("identify hostile.yaml log.csv -q -o hostile.json"));
  static const char *const commands[] = {
      "model hostile.yaml --base",
      "check hostile.yaml log.csv -v",
      "identify hostile.yaml log.csv -v",
      "validate hostile.json log.csv log.csv",
      "compare hostile.json hostile.json",
      "report hostile.json -o hostile.html",
      "excite hostile.yaml --period 2 --rate 50 --harmonics 2 --starts 1 --budget 1",
      "simulate hostile.yaml traj.csv --json",
      "regressor hostile.yaml traj.csv",
      "dynamics hostile.yaml traj.csv",
      "montecarlo hostile.yaml --reference traj.csv --runs 1 --methods wls --rate 100",
      "export hostile.yaml --format c -o hostile.c",
      "export hostile.yaml --format yaml",
      "controller hostile.yaml log.csv",
      "payload hostile.yaml log.csv log.csv",
  };
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
    outcome o = tool("%s", commands[i]);
    if (o.code > 3 || has_controls(o.out) || has_controls(o.err) || strstr(o.out, "\xe2\x80\xae") ||
        strstr(o.err, "\xe2\x80\xae") || strstr(o.out, "\xc2\x9b"))
      fail_msg("%s: code %d\n%s%s", commands[i], o.code, o.out, o.err);
    outcome_free(&o);
  }
  // the C code: what direction marks hide is not hidden
  static const char *const code[] = {"hostile.c", "hostile.h"};
  for (int i = 0; i < 2; i++) {
    char *text = read_text(temp_file(code[i], NULL), NULL);
    assert_null(strstr(text, "\xe2\x80\xae"));
    assert_null(strstr(text, "\xe2\x81\xa6"));
    assert_null(strchr(text, 27));
    free(text);
  }
}

/* a unit with a comma, and one that a spreadsheet would compute, stay one field */
static void test_tables_are_quoted(void **state) {
  (void)state;
  make_files();
  make_hostile("comma.yaml", "N m, per rad");
  free(
      tool_text("montecarlo comma.yaml --reference traj.csv --runs 1 --methods wls --rate 100 -q "
                "-o comma.csv"));
  char *text = read_text(temp_file("comma.csv", NULL), NULL);
  assert_non_null(strstr(text, "\nwls,spring,\"N m, per rad\",1,1,"));
  assert_null(strstr(text, "nan"));
  free(text);
  make_hostile("formula.yaml", "=HYPERLINK()");
  free(tool_text("identify formula.yaml log.csv -q -o formula.json"));
  outcome o = tool("report formula.json -o formula.html");
  outcome_free(&o);
  text = read_text(temp_file("formula.html", NULL), NULL);
  // parameters.csv is part of the page
  assert_null(strstr(text, ",=HYPERLINK"));
  assert_null(strstr(text, ",\"=HYPERLINK"));
  free(text);
}

/* ---- numbers ---- */

static void test_undefined_numbers_are_refused(void **state) {
  (void)state;
  make_files();
  temp_file("odd.yaml",
            "name: odd\njoints:\n  - name: hinge\n    mdh: {alpha: pi/2, d: 0, theta: 0, r: 0}\n"
            "    limits: {lower: -2, upper: 2, velocity: 3, acceleration: 30, effort: 20}\n"
            "columns:\n  - {name: odd, unit: N m, joint: 1, expression: acos(exp(q1))}\n"
            "parameters: {ZZ1: 0.24, MX1: 0.6, M1: 2, Ia1: 0.02, odd: 1}\n");
  tool_refuses(3, "'odd' has no finite value in row", "regressor odd.yaml traj.csv -o odd.csv");
  assert_false(exists("odd.csv"));
  tool_refuses(3, "'odd' has no finite value in row", "regressor odd.yaml traj.csv --json");
  tool_refuses(3, "'tau1' has no finite value in row", "dynamics odd.yaml traj.csv -o odd.csv");
  tool_refuses(3, "column 'odd' has no finite value at sample", "identify odd.yaml log.csv -q");
  tool_refuses(3, "column 'odd' has no finite value at sample", "check odd.yaml log.csv -q");
  outcome o = tool("export odd.yaml --format c -o odd.c");
  assert_int_equal(o.code, 0);
  assert_non_null(strstr(o.err, "the torque has no finite value at"));
  outcome_free(&o);
  tool_refuses(2, "each value of torque-noise must be a number from 0 to 1e+12",
               "simulate pendulum.yaml traj.csv --torque-noise 1e308 -o noise.csv");
  assert_false(exists("noise.csv"));
}

/* what is wrong in a file is bad input, what is wrong in an option is wrong usage; neither is 4 */
static void test_exit_codes(void **state) {
  (void)state;
  make_files();
  assert_int_equal(chdir(temp_directory()), 0);
  temp_file("flat.yaml", "bounds: [{link: 1, centre: [0, 0, 0], half_axes: [0.3, 0.4, 1e-9]}]");
  static const struct {
    int code;
    const char *message, *arguments;
  } cases[] = {
      {3, "without volume", "identify pendulum.yaml log.csv --consistent --bounds flat.yaml -q"},
      {2, "weights", "identify pendulum.yaml log.csv --weights=-0.2"},
      {2, "weights", "identify pendulum.yaml log.csv --weights=0"},
      {2, "gains", "identify pendulum.yaml log.csv --gains=0"},
      {2, "gains", "identify pendulum.yaml log.csv --gains=-1"},
      {2, "stiffness", "identify pendulum.yaml log.csv --stiffness=-1"},
      {2, "--stribeck", "identify pendulum.yaml log.csv --stribeck=-1"},
      {2, "--gamma", "identify pendulum.yaml log.csv --gamma=1e308"},
      {2, "--gamma", "model pendulum.yaml --gamma=-1"},
      {2, "--skip", "identify pendulum.yaml log.csv --skip=-1"},
      {2, "--period", "identify pendulum.yaml log.csv --period=-1"},
      {2, "--delay", "identify pendulum.yaml log.csv --delay=-1"},
      {2, "--delay", "identify pendulum.yaml log.csv --delay=5"},
      {2, "--threads", "identify pendulum.yaml log.csv --threads=1000000"},
      {2, "--loop-delay", "simulate pendulum.yaml traj.csv --loop-delay=1000000"},
      {2, "--torque-delay", "simulate pendulum.yaml traj.csv --torque-delay=1000000"},
      {2, "--rate", "excite pendulum.yaml --rate=1e9"},
      {2, "--rate", "excite pendulum.yaml --rate=1e-308"},
      {2, "shorter than one sample", "excite pendulum.yaml --blend=1e-308"},
      {2, "--cutoff", "montecarlo pendulum.yaml --cutoff=-1"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    tool_refuses(cases[i].code, cases[i].message, "%s", cases[i].arguments);
}

/* options of a manifest are those of an identification; those of the tool are not ignored silently
 */
static void test_options_of_a_manifest(void **state) {
  (void)state;
  make_files();
  static const char *const options[] = {"output: x.json", "report: x.html", "plots: x",
                                        "journal: x",     "fleet: x",       "help: true",
                                        "json: true",     "shard: 1/2",     "resume: true"};
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    char text[200];
    snprintf(text, sizeof text,
             "robot: pendulum.yaml\noptions: {%s}\nrobots: [{name: one, logs: [log.csv]}]\n",
             options[i]);
    temp_file("manifest.yaml", text);
    tool_refuses(3, "there is no option", "identify --fleet manifest.yaml");
  }
}

/* ---- files and processes ---- */

/* temporary files of dead processes are removed by the next run, other files are not */
static void test_orphans_are_removed(void **state) {
  (void)state;
  make_files();
  const pid_t dead = fork();
  if (dead == 0) _exit(0);
  int status;
  assert_int_equal(waitpid(dead, &status, 0), dead);
  char orphan[64], mine[64], other[64], links[64], locked[64], command[600];
  snprintf(orphan, sizeof orphan, ".roberval-%ld-3", (long)dead);
  snprintf(mine, sizeof mine, ".roberval-%ld-3", (long)getpid());
  snprintf(other, sizeof other, ".roberval-%ld-3x", (long)dead);
  snprintf(links, sizeof links, ".roberval-%ld-4", (long)dead);
  snprintf(locked, sizeof locked, ".roberval-%ld-5", (long)dead);
  temp_file(orphan, "half");
  temp_file(mine, "half");
  temp_file(other, "not ours");
  temp_file(locked, "of another machine");
  assert_int_equal(symlink("pendulum.yaml", temp_file(links, NULL)), 0);
  // a lock that a shell holds
  snprintf(command, sizeof command,
           "cd '%s' && exec 9<%s && flock -n 9 && '%s' dynamics pendulum.yaml traj.csv -o tau.csv",
           temp_directory(), locked, ROBERVAL_TOOL);
  assert_int_equal(system(command), 0);
  assert_false(exists(orphan));
  assert_true(exists(mine) && exists(other) && exists(links) && exists(locked));
  assert_true(exists("tau.csv"));
}

/* A library that makes a function of the system fail, for LD_PRELOAD; NULL: no compiler. */
static const char *make_fault(const char *name, const char *code) {
  static char path[600];
  char command[1600];
  snprintf(path, sizeof path, "%s/%s.so", temp_directory(), name);
  char source[64];
  snprintf(source, sizeof source, "%s.c", name);
  temp_file(source, code);
  snprintf(command, sizeof command, "cc -shared -fPIC -o '%s' '%s/%s' -ldl", path, temp_directory(),
           source);
  return system(command) == 0 ? path : NULL;
}

static int run_with(const char *fault, const char *arguments) {
  char command[2000];
  snprintf(command, sizeof command, "cd '%s' && LD_PRELOAD='%s' '%s' %s >.out 2>.err",
           temp_directory(), fault, ROBERVAL_TOOL, arguments);
  const int status = system(command);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* where no thread can be started, one thread does the work; OpenBLAS asks for none */
static void test_without_threads(void **state) {
  (void)state;
  if (SANITIZED) skip();
  make_files();
  const char *fault = make_fault("nothread",
                                 "#include <errno.h>\n#include <pthread.h>\n"
                                 "int pthread_create(pthread_t *t, const pthread_attr_t *a, void "
                                 "*(*f)(void *), void *x) {\n"
                                 "(void)t, (void)a, (void)f, (void)x; return EAGAIN; }\n");
  assert_non_null(fault);
  assert_int_equal(run_with(fault, "--version"), 0);
  assert_int_equal(run_with(fault, "identify pendulum.yaml log.csv --threads 4 -q -o a.json"), 0);
  free(tool_text("identify pendulum.yaml log.csv --threads 4 -q -o b.json"));
  char *a = read_text(temp_file("a.json", NULL), NULL);
  char *b = read_text(temp_file("b.json", NULL), NULL);
  assert_string_equal(a, b);
  free(a);
  free(b);
}

/* the library for MAT files is opened when one is read, and may be missing */
static void test_without_matio(void **state) {
  (void)state;
  if (SANITIZED) skip();
  make_files();
  const char *fault = make_fault("nomatio",
                                 "#include <stddef.h>\nvoid *dlopen(const char *n, int f) {\n"
                                 "(void)n, (void)f; return NULL; }\n");
  assert_non_null(fault);
  const char *mat = ROBERVAL_SOURCE "/tests/corpus/mat/04e6d826a700a8559d373d414e87f3cd6bdba989";
  char command[1024];
  snprintf(command, sizeof command, "cp '%s' '%s'", mat, temp_file("log.mat", NULL));
  assert_int_equal(system(command), 0);
  assert_int_equal(run_with(fault, "check pendulum.yaml log.mat"), 3);
  char *err = read_text(temp_file(".err", NULL), NULL);
  assert_non_null(strstr(err, "log.mat: MAT files need the library libmatio.so"));
  free(err);
  assert_true(run_with(fault, "check pendulum.yaml log.csv") <= 1);
}

/* With little address space every run ends, with a result or with a sentence. OpenBLAS would wait
 * for its buffer for ever; the dynamic linker refuses with 127. */
static void test_little_memory(void **state) {
  (void)state;
  if (SANITIZED) skip();
  make_files();
  static const char *const runs[] = {"--version",
                                     "identify pendulum.yaml log.csv --threads 4 -q -o c.json"};
  int refused = 0, done = 0;
  for (int mb = 64; mb <= 1024; mb += 48)
    for (int i = 0; i < 2; i++) {
      char command[1200];
      snprintf(command, sizeof command,
               "cd '%s' && (ulimit -v %d && exec timeout 60 '%s' %s >.out 2>.err)",
               temp_directory(), 1024 * mb, ROBERVAL_TOOL, runs[i]);
      const int status = system(command), code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
      char *err = read_text(temp_file(".err", NULL), NULL);
      if (code > 1) {
        refused++;
        if ((code != 4 && code != 127) || !strchr(err, ' ') || !strchr(err, '\n'))
          fail_msg("%d MB, %s: exit code %d: %s", mb, runs[i], code, err);
      } else {
        assert_true(code >= 0);
        done++;
      }
      free(err);
    }
  assert_true(refused > 0 && done > 20);
}

/* threads have stacks of their own size */
// kernels of OpenBLAS need more than 64 kB on the first thread, whose stack is the limit itself
static void test_small_stacks(void **state) {
  (void)state;
  if (SANITIZED) skip();
  make_files();
  char command[1200];
  snprintf(command, sizeof command,
           "cd '%s' && ulimit -s 96 && '%s' montecarlo pendulum.yaml --reference traj.csv --runs 8 "
           "--methods wls --rate 100 --threads 4 -q >.out 2>.err",
           temp_directory(), ROBERVAL_TOOL);
  assert_int_equal(system(command), 0);
}

#define OPENINGS 16  // of a recording; more than there are

/* a hash that cannot be computed is not recorded as if the robot were built in */
static void test_hash_fails(void **state) {
  (void)state;
  if (SANITIZED) skip();
  make_files();
  // opening the recording fails from the n-th time on
  const char *fault = make_fault(
      "nohash",
      "#define _GNU_SOURCE\n#include <dlfcn.h>\n#include <errno.h>\n#include <stdarg.h>\n"
      "#include <stdlib.h>\n#include <string.h>\n"
      "static int times;\n"
      "static int fails(const char *p) {\n"
      "const size_t n = strlen(p);\n"
      "if (n < 7 || strcmp(p + n - 7, \"log.csv\") || ++times < atoi(getenv(\"NTH\"))) return 0;\n"
      "errno = EMFILE; return 1; }\n"
      "int open(const char *p, int flags, ...) {\n"
      "va_list a; va_start(a, flags); int mode = va_arg(a, int); va_end(a);\n"
      "if (fails(p)) return -1;\n"
      "return ((int (*)(const char *, int, ...))dlsym(RTLD_NEXT, \"open\"))(p, flags, mode); }\n"
      "int __open_2(const char *p, int flags) {\n"
      "if (fails(p)) return -1;\n"
      "return ((int (*)(const char *, int))dlsym(RTLD_NEXT, \"__open_2\"))(p, flags); }\n");
  assert_non_null(fault);
  char hash[65], want[100], nth[8];
  assert_ok(rbv_hash_file(hash, temp_file("log.csv", NULL)));
  snprintf(want, sizeof want, "\"sha256\": \"%s\"", hash);
  int failures = 0;
  for (int n = 1; n <= OPENINGS; n++) {
    snprintf(nth, sizeof nth, "%d", n);
    setenv("NTH", nth, 1);
    unlink(temp_file("h.json", NULL));
    const int code = run_with(fault, "identify pendulum.yaml log.csv -q -o h.json");
    failures += code != 0;
    if (code != 0) {
      assert_true(code == 3 || code == 4);
      assert_false(exists("h.json"));
      continue;
    }
    char *text = read_text(temp_file("h.json", NULL), NULL);
    assert_non_null(strstr(text, want));
    free(text);
  }
  // the file is opened once: samples and hash come from the same bytes
  assert_int_equal(failures, 1);
  // the robot's hash is that of the text that was read
  assert_ok(rbv_hash_file(hash, temp_file("pendulum.yaml", NULL)));
  free(tool_text("identify pendulum.yaml log.csv -q -o h.json"));
  char *text = read_text(temp_file("h.json", NULL), NULL);
  snprintf(want, sizeof want, "\"sha256\": \"%s\"", hash);
  assert_non_null(strstr(text, want));
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_shard_cannot_name_a_path),
      cmocka_unit_test(test_shard_contradicts_itself),
      cmocka_unit_test(test_shard_has_hostile_texts),
      cmocka_unit_test(test_names_cannot_control_the_terminal),
      cmocka_unit_test(test_tables_are_quoted),
      cmocka_unit_test(test_undefined_numbers_are_refused),
      cmocka_unit_test(test_exit_codes),
      cmocka_unit_test(test_options_of_a_manifest),
      cmocka_unit_test(test_orphans_are_removed),
      cmocka_unit_test(test_without_threads),
      cmocka_unit_test(test_without_matio),
      cmocka_unit_test(test_little_memory),
      cmocka_unit_test(test_small_stacks),
      cmocka_unit_test(test_hash_fails),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
