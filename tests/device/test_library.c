/* Device libraries: opening, choices, errors, cancelling; sweeps and studies on the stand-in. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "device/device.h"
#include "device/device_internal.h"
#include "device/plain_device.h"
#include "document/document.h"
#include "nodes.h"
#include "support.h"
#include "tool.h"

enum { RATE = 500, TICKS = 1000, SHORT = 150, JOINTS = 6, PLANTS = 20 };

#define STUDY                                                                                \
  "montecarlo tx40 --reference motion.csv --bandwidth 8 --torque-noise 1%% -m wls,didim -q " \
  "--runs 6"
#define SWEEP "sweep tx40 result.json --reference short.csv --bandwidth 8 --plants 20"

static void write_motion(const char *name, int ticks) {
  FILE *f = fopen(temp_file(name, NULL), "w");
  assert_non_null(f);
  fprintf(f, "t,q1,q2,q3,q4,q5,q6\n");
  for (int k = 0; k < ticks; k++) {
    const double t = (double)k / RATE;
    fprintf(f, "%.6f", t);
    for (int j = 0; j < JOINTS; j++)
      fprintf(f, ",%.9f", 0.5 * (1 - cos((3 + j) * t)) + 0.2 * (1 - cos((9 + 2 * j) * t)));
    fprintf(f, "\n");
  }
  fclose(f);
}

/* references, a recording of the simulated robot, and its result */
static int prepare(void **state) {
  (void)state;
  write_motion("motion.csv", TICKS);
  write_motion("short.csv", SHORT);
  free(tool_text("simulate tx40 motion.csv -q --bandwidth 8 --torque-noise 1%% -o log.csv"));
  outcome o = tool("identify tx40 log.csv -q --unchecked -o result.json");
  assert_true(o.code == 0 || o.code == 1);
  outcome_free(&o);
  return 0;
}

/* let the loader find the library of this kind; NULL: none */
static void use_library(const char *kind) {
  if (!kind) {
    unsetenv("LD_LIBRARY_PATH");
    return;
  }
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", FAKE_LIBRARIES, kind);
  setenv("LD_LIBRARY_PATH", path, 1);
}

static void test_errors_are_one_sentence(void **state) {
  (void)state;
  static const struct {
    const char *library, *sentence;
  } row[] = {{NULL, "the device library cannot be opened"},
             {"old", "of the interface, this program needs version "},
             {"none", "there is no device that can be used: no driver is installed"},
             {"empty", "is not a device library"}};
  for (int i = 0; i < RBV_COUNT(row); i++) {
    use_library(row[i].library);
    tool_refuses(3, row[i].sentence, SWEEP " --device cuda");
  }
  use_library(NULL);
  tool_refuses(2, "--device", SWEEP " --device gpu");
}

static void test_auto_without_a_device_is_the_cpu(void **state) {
  (void)state;
  char *cpu = tool_text(SWEEP " --json -q");
  static const char *const kinds[] = {NULL, "none"};
  for (int i = 0; i < RBV_COUNT(kinds); i++) {
    use_library(kinds[i]);
    outcome o = tool(SWEEP " --json --device auto");
    assert_int_equal(o.code, 0);
    assert_string_equal(o.out, cpu);
    assert_non_null(strstr(o.err, "the CPU is used: "));
    outcome_free(&o);
  }
  use_library(NULL);
  free(cpu);
}

static void test_threads_change_nothing(void **state) {
  (void)state;
  char *one = tool_text(SWEEP " --json -q --plants 100 --threads 1");
  char *two = tool_text(SWEEP " --json -q --plants 100 --threads 2");
  assert_string_equal(one, two);
  free(one);
  free(two);
}

/* the same quantiles; the stand-in adds in another order */
static void test_device_and_cpu_agree(void **state) {
  (void)state;
  rbv_document *cpu = tool_json(SWEEP " --json -q");
  use_library("plain");
  rbv_document *device = tool_json(SWEEP " --json -q --device cuda");
  use_library(NULL);
  const rbv_node *a = rbv_document_root(cpu), *b = rbv_document_root(device);
  text_at(a, "device", "cpu");
  text_at(b, "device", "plain C, one plant after the other");
  assert_int_equal((int)real_at(a, "done"), PLANTS);
  assert_int_equal((int)real_at(b, "done"), PLANTS);
  const rbv_node *x = rbv_node_find(a, "joints"), *y = rbv_node_find(b, "joints");
  static const char *const quantity[] = {"tracking_rms", "tracking_most", "torque_rms",
                                         "torque_most"};
  for (int j = 0; j < JOINTS; j++)
    for (int u = 0; u < RBV_COUNT(quantity); u++) {
      const rbv_node *p = rbv_node_find(rbv_node_at(x, j), quantity[u]);
      const rbv_node *q = rbv_node_find(rbv_node_at(y, j), quantity[u]);
      const rbv_node *mine = rbv_node_find(p, "quantiles"), *other = rbv_node_find(q, "quantiles");
      assert_int_equal(rbv_node_count(mine), 5);
      for (int l = 0; l < 5; l++) {
        double m, o;
        assert_ok(rbv_node_real(&m, rbv_node_at(mine, l)));
        assert_ok(rbv_node_real(&o, rbv_node_at(other, l)));
        assert_true(m > 0);
        assert_near(m, o, 0, 1e-7);
      }
    }
  rbv_document_free(cpu);
  rbv_document_free(device);
}

static void test_journals_do_not_mix_devices(void **state) {
  (void)state;
  free(tool_text(SWEEP " -q --journal sweep.jobs"));
  // the same device continues
  free(tool_text(SWEEP " -q --journal sweep.jobs --resume"));
  use_library("plain");
  tool_refuses(3, "sweep.jobs", SWEEP " -q --journal sweep.jobs --resume --device cuda");
  free(tool_text(STUDY " --journal study.jobs --device cuda"));
  free(tool_text(STUDY " --journal study.jobs --resume --device cuda"));
  use_library(NULL);
  tool_refuses(3, "study.jobs", STUDY " --journal study.jobs --resume");
}

/* runs of several workers are joined into calls; the estimates differ by rounding only. Six runs
 * are a job of four and one of two */
static void test_study_on_a_device(void **state) {
  (void)state;
  rbv_document *cpu = tool_json(STUDY " --json");
  use_library("plain");
  rbv_document *device = tool_json(STUDY " --json --device cuda");
  char *one = tool_text(STUDY " --json --device cuda --threads 1");
  char *three = tool_text(STUDY " --json --device cuda --threads 3");
  use_library(NULL);
  const rbv_node *a = rbv_document_root(cpu), *b = rbv_document_root(device);
  assert_null(rbv_node_find(rbv_node_find(a, "study"), "device"));
  text_at(b, "study.device", "plain C, one plant after the other");
  for (int m = 0; m < 2; m++) {
    const rbv_node *x = rbv_node_find(rbv_node_at(rbv_node_find(a, "methods"), m), "parameters");
    const rbv_node *y = rbv_node_find(rbv_node_at(rbv_node_find(b, "methods"), m), "parameters");
    assert_true(rbv_node_count(x) > 40);
    assert_int_equal(rbv_node_count(x), rbv_node_count(y));
    for (int i = 0; i < rbv_node_count(x); i++) {
      double sigma, mine, other;
      assert_ok(rbv_node_real(&sigma, rbv_node_find(rbv_node_at(x, i), "sigma")));
      assert_ok(rbv_node_real(&mine, rbv_node_find(rbv_node_at(x, i), "mean")));
      assert_ok(rbv_node_real(&other, rbv_node_find(rbv_node_at(y, i), "mean")));
      assert_near(mine, other, 1e-6 * sigma, 0);
    }
  }
  assert_string_equal(one, three);
  free(one);
  free(three);
  rbv_document_free(cpu);
  rbv_document_free(device);
}

/* the scheme rk4 is not on devices */
static void test_auto_uses_the_cpu_for_what_a_device_cannot_do(void **state) {
  (void)state;
  char *cpu = tool_text(SWEEP " --json -q --integrator rk4");
  use_library("plain");
  char *chosen = tool_text(SWEEP " --json -q --integrator rk4 --device auto");
  tool_refuses(3, "a device cannot use the integrator 'rk4'",
               SWEEP " -q --integrator rk4 --device cuda");
  use_library(NULL);
  assert_string_equal(cpu, chosen);
  free(cpu);
  free(chosen);
}

/* A generation is repaired in one call and scored in another. The grid of a device makes motions
 * smaller by parts in 10000; 30 parameters, each with the square of the motion: 0.01 of -log det */
#define DESIGN                                                                                \
  "excite a460 --search ga --columns inertial --population 6 --generations 2 --no-polish -q " \
  "--json --budget 0"

static void test_excite_on_a_device(void **state) {
  (void)state;
  rbv_document *cpu = tool_json(DESIGN);
  use_library("plain");
  rbv_document *device = tool_json(DESIGN " --device cuda");
  tool_refuses(2, "--device cuda needs the search ga", "excite a460 --device cuda");
  free(tool_text(DESIGN " --journal ga.jobs --device auto"));
  rbv_document *resumed = tool_json(DESIGN " --journal ga.jobs --resume --device auto");
  assert_near(real_at(rbv_document_root(device), "best"),
              real_at(rbv_document_root(resumed), "best"), 0, 0);
  rbv_document_free(resumed);
  use_library(NULL);
  tool_refuses(3, "ga.jobs", DESIGN " --journal ga.jobs --resume");
  const rbv_node *a = rbv_document_root(cpu), *b = rbv_document_root(device);
  assert_null(rbv_node_find(a, "device"));
  text_at(b, "device", "plain C, one plant after the other");
  assert_near(real_at(a, "best"), real_at(b, "best"), 0.05, 0);
  assert_near(real_at(a, "candidates"), real_at(b, "candidates"), 0, 0);
  rbv_document_free(cpu);
  rbv_document_free(device);
}

/* ---- in this process ---- */

static int opened, closed;
static int count_open(char *text, size_t size) {
  opened++;
  snprintf(text, size, "counted");
  return 0;
}
static void count_close(void) { closed++; }

/* calls of `go` before the end, as a device makes them between two slices */
static int slices;
static int slow_loop(const device_loop *loop, const device_loop_arrays *arrays, device_continue *go,
                     void *self, char *text, size_t size) {
  (void)loop, (void)arrays, (void)text, (void)size;
  for (slices = 0; slices < 1000; slices++) {
    if (!go(self)) return 1;
    if (slices == 9) rbv_cancel(self);
  }
  return 0;
}

static int broken_loop(const device_loop *loop, const device_loop_arrays *arrays,
                       device_continue *go, void *self, char *text, size_t size) {
  (void)loop, (void)arrays, (void)go, (void)self;
  snprintf(text, size, "out of memory on the device");
  return 2;
}

static void test_a_device_stops_between_slices(void **state) {
  (void)state;
  const device_table table = {
      .version = DEVICE_VERSION, .open = count_open, .loop = slow_loop, .close = count_close};
  rbv_device *d;
  bool stopped;
  int cancel = 0;
  assert_ok(rbv_device_of_table(&d, &table));
  assert_string_equal(rbv_device_name(d), "counted");
  assert_ok(rbv_device_loop(&stopped, d, NULL, NULL, &cancel));
  // cancelled in slice 9: the next question ends it
  assert_true(stopped);
  assert_int_equal(slices, 10);
  rbv_device_close(d);
  assert_int_equal(opened, 1);
  assert_int_equal(closed, 1);
}

static void test_failures_of_a_device(void **state) {
  (void)state;
  const device_table table = {
      .version = DEVICE_VERSION, .open = count_open, .loop = broken_loop, .close = count_close};
  rbv_device *d;
  bool stopped;
  assert_ok(rbv_device_of_table(&d, &table));
  assert_int_equal(rbv_device_loop(&stopped, d, NULL, NULL, NULL), RBV_ENUM);
  assert_non_null(strstr(rbv_message(), "out of memory on the device"));
  rbv_device_close(d);
  char text[RBV_DEVICE_TEXT];
  assert_ok(rbv_device_open(&d, text, "cpu"));
  assert_null(d);
  assert_string_equal(rbv_device_name(d), "cpu");
  assert_int_equal(rbv_device_open(&d, text, "tpu"), RBV_EARG);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_errors_are_one_sentence),
      cmocka_unit_test(test_auto_without_a_device_is_the_cpu),
      cmocka_unit_test(test_threads_change_nothing),
      cmocka_unit_test(test_device_and_cpu_agree),
      cmocka_unit_test(test_study_on_a_device),
      cmocka_unit_test(test_journals_do_not_mix_devices),
      cmocka_unit_test(test_auto_uses_the_cpu_for_what_a_device_cannot_do),
      cmocka_unit_test(test_excite_on_a_device),
      cmocka_unit_test(test_a_device_stops_between_slices),
      cmocka_unit_test(test_failures_of_a_device),
  };
  return cmocka_run_group_tests(tests, prepare, NULL);
}
