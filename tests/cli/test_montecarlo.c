/* roberval montecarlo and merge: the same result with threads, shards and journals. */
#include <math.h>
#include <roberval/sys/base.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "document/document.h"
#include "nodes.h"
#include "support.h"
#include "tool.h"

#define PENDULUM ROBERVAL_SOURCE "/examples/pendulum.yaml"
#define STUDY                                                                         \
  PENDULUM                                                                            \
  " --reference traj.csv --bandwidth 6 --encoder 3600 --disturbance 2%% --cutoff 30 " \
  "--decimate 10 --mask 0 --methods wls,iv,didim --runs 11 -q"

static int write_trajectory(void **state) {
  (void)state;
  FILE *f = fopen(temp_file("traj.csv", NULL), "w");
  fputs("t,q1\n", f);
  for (int k = 0; k < 1000; k++) {
    const double t = k / 400.0;
    fprintf(f, "%.17g,%.17g\n", t, 0.5 * (1 - cos(4.4 * t)) + 0.2 * (1 - cos(13 * t)));
  }
  return fclose(f);
}

static char *report_of(const char *extra) {
  return tool_text("montecarlo " STUDY " --json %s", extra);
}

static void test_threads(void **state) {
  (void)state;
  char *one = report_of("--threads 1"), *two = report_of("--threads 2"),
       *four = report_of("--threads 4");
  assert_string_equal(one, two);
  assert_string_equal(one, four);
  free(two);
  free(four);
  rbv_document *doc;
  assert_ok(rbv_document_parse(&doc, "stdout", one, strlen(one)));
  const rbv_node *root = rbv_document_root(doc), *methods = rbv_node_find(root, "methods");
  assert_string_equal(rbv_node_text(rbv_node_find(root, "schema")), "roberval.montecarlo/1");
  assert_string_equal(rbv_node_text(rbv_node_find(root, "done")), "11");
  assert_int_equal(rbv_node_count(methods), 3);
  assert_string_equal(rbv_node_text(rbv_node_find(rbv_node_at(methods, 1), "converged")), "11");
  const rbv_node *study = rbv_node_find(root, "study");
  assert_string_equal(rbv_node_text(rbv_node_find(study, "decimate")), "10");
  rbv_document_free(doc);
  free(one);
}

static void assert_same(const char *a, const char *b) {
  char *one = read_text(temp_file(a, NULL), NULL), *two = read_text(temp_file(b, NULL), NULL);
  assert_string_equal(one, two);
  free(one);
  free(two);
}

/* the task of a job array is a shard */
static void test_arrays(void **state) {
  (void)state;
  free(tool_text("montecarlo " STUDY " --shard 2/3 -o second"));
  setenv("SLURM_ARRAY_TASK_ID", "11", 1);
  tool_refuses(2, "SLURM_ARRAY_TASK_MIN", "montecarlo " STUDY " --shard array -o x");
  setenv("SLURM_ARRAY_TASK_MIN", "10", 1);
  setenv("SLURM_ARRAY_TASK_MAX", "12", 1);
  free(tool_text("montecarlo " STUDY " --shard array -o of_array"));
  assert_same("second", "of_array");
  // --array=10-20:5 has three tasks too
  setenv("SLURM_ARRAY_TASK_ID", "15", 1);
  setenv("SLURM_ARRAY_TASK_MAX", "20", 1);
  setenv("SLURM_ARRAY_TASK_STEP", "5", 1);
  setenv("SLURM_ARRAY_TASK_COUNT", "3", 1);
  free(tool_text("montecarlo " STUDY " --shard array -o of_steps"));
  assert_same("second", "of_steps");
  // --array=10,15,17,20: Slurm says a step of 1
  setenv("SLURM_ARRAY_TASK_STEP", "1", 1);
  setenv("SLURM_ARRAY_TASK_COUNT", "4", 1);
  tool_refuses(2, "have gaps", "montecarlo " STUDY " --shard array -o x");
  setenv("SLURM_ARRAY_TASK_STEP", "none", 1);
  tool_refuses(2, "SLURM_ARRAY_TASK_STEP must be", "montecarlo " STUDY " --shard array -o x");
  unsetenv("SLURM_ARRAY_TASK_STEP");
  unsetenv("SLURM_ARRAY_TASK_COUNT");
  // a lost task that is started again in an array of its own: --array=2
  setenv("SLURM_ARRAY_TASK_ID", "2", 1);
  setenv("SLURM_ARRAY_TASK_MIN", "2", 1);
  setenv("SLURM_ARRAY_TASK_MAX", "2", 1);
  tool_refuses(2, "use --shard array/N", "montecarlo " STUDY " --shard array -o x");
  free(tool_text("montecarlo " STUDY " --shard array/3 -o of_number"));
  assert_same("second", "of_number");
  tool_refuses(2, "SLURM_ARRAY_TASK_ID must be a number from 1 to 1, not '2'",
               "montecarlo " STUDY " --shard array/1 -o x");
  unsetenv("SLURM_ARRAY_TASK_ID");
  tool_refuses(2, "needs SLURM_ARRAY_TASK_ID", "montecarlo " STUDY " --shard array/3 -o y");
  // an indexed job of Kubernetes counts from 0
  setenv("JOB_COMPLETION_INDEX", "1", 1);
  free(tool_text("montecarlo " STUDY " --shard array/3 -o of_index"));
  assert_same("second", "of_index");
  setenv("JOB_COMPLETION_INDEX", "3", 1);
  tool_refuses(2, "JOB_COMPLETION_INDEX must be a number from 0 to 2, not '3'",
               "montecarlo " STUDY " --shard array/3 -o x");
  unsetenv("JOB_COMPLETION_INDEX");
  tool_refuses(2, "needs the variables of a job array", "montecarlo " STUDY " --shard array -o y");
}

/* the command of the example for Kubernetes, with fewer runs */
static void test_manifest(void **state) {
  (void)state;
  rbv_document *doc;
  assert_ok(rbv_document_load(&doc, ROBERVAL_SOURCE "/examples/kubernetes-job.yaml"));
  const rbv_node *job = rbv_node_find(rbv_document_root(doc), "spec");
  assert_string_equal(rbv_node_text(rbv_node_find(job, "completionMode")), "Indexed");
  const rbv_node *pod = rbv_node_find(rbv_node_find(job, "template"), "spec");
  const rbv_node *box = rbv_node_at(rbv_node_find(pod, "containers"), 0);
  FILE *script = fopen(temp_file("task.sh", NULL), "w");
  fprintf(script, "%s\n", rbv_node_text(rbv_node_at(rbv_node_find(box, "args"), 0)));
  fclose(script);
  rbv_document_free(doc);
  const char *fewer =
      "sed -i -e 's|/study/||' -e 's/--runs 1000 --methods wls,iv/--mode offline --runs 80 "
      "--methods wls -q/' -e 's|^roberval|" ROBERVAL_TOOL
      "|' task.sh && "
      "JOB_COMPLETION_INDEX=3 sh task.sh && cp part.3 first && "
      "JOB_COMPLETION_INDEX=3 sh task.sh && cmp part.3 first";
  assert_int_equal(run_in_temp(fewer), 0);
}

/* three shards in any order give the complete study; a missing shard is an error */
static void test_shards(void **state) {
  (void)state;
  char *whole = report_of("");
  for (int i = 1; i <= 3; i++) free(tool_text("montecarlo " STUDY " --shard %d/3 -o part%d", i, i));
  char *merged = tool_text("merge part2 part3 part1 --json");
  assert_string_equal(whole, merged);
  free(merged);
  free(tool_text("merge part1 part2 part3 -o merged.json -q"));
  char *file = read_text(temp_file("merged.json", NULL), NULL);
  assert_string_equal(whole, file);
  free(file);
  free(whole);
  tool_refuses(3, "1 of 3 jobs are missing in these files (the first: 3)", "merge part1 part2");
  tool_refuses(3, "not a journal", "merge part1 traj.csv");
  free(tool_text("montecarlo " STUDY " --seed 2 --shard 1/3 -o other"));
  tool_refuses(3, "different jobs", "merge part1 other part2 part3");
  tool_refuses(3, "--resume", "montecarlo " STUDY " --shard 1/3 -o part1");
  tool_refuses(3, "other jobs", "montecarlo " STUDY " --seed 3 --shard 1/3 -o part1 --resume");
}

/* ---- killed ---- */

static off_t size_of(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 ? info.st_size : 0;
}

/* start the study with its journal; kill it some microseconds after the journal has grown */
static bool run_and_kill(const char *journal, const char *out, unsigned wait_us) {
  char command[4096];
  snprintf(command, sizeof command,
           "cd '%s' && exec '%s' montecarlo " STUDY
           " --threads 2 --journal journal --resume --json > '%s' 2>/dev/null",
           temp_directory(), ROBERVAL_TOOL, out);
  const off_t before = size_of(journal);
  const pid_t pid = fork();
  if (pid == 0) {
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
  }
  int status;
  while (waitpid(pid, &status, WNOHANG) == 0) {
    if (size_of(journal) > before) {
      usleep(wait_us);
      kill(pid, SIGKILL);
      waitpid(pid, &status, 0);
      break;
    }
    usleep(200);
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* kill -9 whenever the journal has grown, and resume, until all jobs are done */
static void test_killed_and_resumed(void **state) {
  (void)state;
  char *whole = report_of(""), journal[512], out[512];
  snprintf(journal, sizeof journal, "%s", temp_file("journal", NULL));
  snprintf(out, sizeof out, "%s", temp_file("out.json", NULL));
  int kills = 0;
  while (!run_and_kill(journal, out, (unsigned)(3000 * rbv_random_uniform(1, 2, (uint64_t)kills))))
    assert_true(++kills < 20);  // three jobs and the header: each run makes progress
  assert_true(kills >= 1);
  char *resumed = read_text(out, NULL);
  assert_string_equal(whole, resumed);
  free(resumed);
  // truncated in the middle of a record, as after a full disk or a crash
  assert_int_equal(truncate(journal, size_of(journal) - 1000), 0);
  resumed = tool_text("montecarlo " STUDY " --journal journal --resume --json");
  assert_string_equal(whole, resumed);
  free(resumed);
  free(whole);
}

/* ---- output ---- */

static void test_table_and_csv(void **state) {
  (void)state;
  char *text = tool_text("montecarlo " STUDY
                         " --methods wls -o found.csv --gain-error 5 --plant-stribeck "
                         "0.3 --loop-delay 1");
  const char *const words[] = {"11 runs", "median |bias| %", "coverage of 1.96 sigma", "Fc1",
                               "second motion"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (!strstr(text, words[i])) fail_msg("no '%s' in\n%s", words[i], text);
  free(text);
  char *csv_text = read_text(temp_file("found.csv", NULL), NULL);
  const char head[] = "method,parameter,unit,runs,truth,mean,bias,spread,sigma,coverage\nwls,";
  assert_memory_equal(csv_text, head, sizeof head - 1);
  free(csv_text);
}

/* without noise there is no spread to compare sigma with: the default study has some */
static void test_noise_by_default(void **state) {
  (void)state;
  static const char study[] = PENDULUM
      " --reference traj.csv --bandwidth 6 --methods wls --runs 4 --cutoff 30 --decimate 10 --mask "
      "0";
  for (int none = 0; none < 2; none++) {
    outcome o = tool("montecarlo %s --json %s", study, none ? "--torque-noise 0" : "");
    assert_int_equal(o.code, 0);
    assert_int_equal(strstr(o.err, "no noise was given") != NULL, !none);
    rbv_document *doc;
    assert_ok(rbv_document_parse(&doc, "study", o.out, strlen(o.out)));
    const double spread = real_at(rbv_document_root(doc), "methods.0.spread_median");
    assert_true(none ? spread < 1e-6 : spread > 1e-4);
    rbv_document_free(doc);
    outcome_free(&o);
  }
}

static void test_refusals(void **state) {
  (void)state;
  tool_refuses(2, "offline, inloop or white", "montecarlo tx40 --mode offlin");
  tool_refuses(2, "there is no method 'magic'", "montecarlo " STUDY " --methods wls,magic");
  tool_refuses(2, "'slide+Fs' needs columns", "montecarlo " STUDY " --methods iv,slide+Fs");
  tool_refuses(2, "no method 'iv+Fx'", "montecarlo " STUDY " --methods iv+Fx");
  tool_refuses(2, "all or nonzero", "montecarlo " STUDY " --unknowns some");
  tool_refuses(2, "built-in reference", "montecarlo " PENDULUM);
  tool_refuses(2, "I from 1 to N", "montecarlo " STUDY " --shard 4/3 -o x");
  tool_refuses(2, "-o FILE", "montecarlo " STUDY " --shard 1/3");
  tool_refuses(2, "--resume needs --journal or --shard", "montecarlo " STUDY " --resume");
  tool_refuses(2, ".csv or .json", "montecarlo " STUDY " -o report.txt");
  tool_refuses(2, ".csv or .json", "merge part1 -o report.txt");
}

/* a loop with too much delay for its bandwidth: divergences are counted, exit code 1 */
static void test_diverged(void **state) {
  (void)state;
  outcome o = tool("montecarlo " STUDY " --runs 4 --bandwidth 30 --loop-delay 40 --validate none");
  assert_int_equal(o.code, 1);
  assert_non_null(strstr(o.out, "4 of them diverged"));
  outcome_free(&o);
}

/* the built-in benchmark with one run */
static void test_bench(void **state) {
  (void)state;
  rbv_document *doc = tool_json("montecarlo tx40 --mode inloop --methods wls --runs 1 --json -q");
  const rbv_node *root = rbv_document_root(doc), *study = rbv_node_find(root, "study");
  const rbv_node *defects = rbv_node_find(study, "defects");
  assert_string_equal(rbv_node_text(rbv_node_find(defects, "loop_counts")), "3600");
  assert_string_equal(rbv_node_text(rbv_node_find(defects, "record_counts")), "0");
  assert_string_equal(rbv_node_text(rbv_node_find(study, "decimate")), "125");
  assert_string_equal(rbv_node_text(rbv_node_find(study, "samples")), "34500");
  assert_string_equal(rbv_node_text(rbv_node_find(study, "nonzero")), "true");
  double bias;
  const rbv_node *wls = rbv_node_at(rbv_node_find(root, "methods"), 0);
  assert_ok(rbv_node_real(&bias, rbv_node_find(wls, "bias_median")));
  // one run: its error, 2 % bias and 1.4 % spread
  assert_true(bias > 0.002 && bias < 0.06);
  rbv_document_free(doc);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_threads),
      cmocka_unit_test(test_shards),
      cmocka_unit_test(test_arrays),
      cmocka_unit_test(test_manifest),
      cmocka_unit_test(test_killed_and_resumed),
      cmocka_unit_test(test_table_and_csv),
      cmocka_unit_test(test_noise_by_default),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_diverged),
      cmocka_unit_test(test_bench),
  };
  return cmocka_run_group_tests(tests, write_trajectory, NULL);
}
