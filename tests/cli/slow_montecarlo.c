/* slide compared with iv and didim, a hundred runs each: wrong gains, then a wrong model. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "document/document.h"
#include "nodes.h"
#include "support.h"
#include "tool.h"

#define RUNS "100"

/* Which runs converge depends on rounding, thus on the processor: 0 or 1 of 100 did not, 1 of 400
 * in all. With 0.5 % of all runs more than 3 of 100 happen in 0.2 % of all studies. */
#define CONVERGED 97

static const char *const modes[] = {"offline", "inloop"};

/* a number of a method in the results */
static double number(const rbv_document *doc, const char *method, const char *key) {
  const rbv_node *methods = rbv_node_find(rbv_document_root(doc), "methods");
  double x = NAN;
  for (int i = 0; i < rbv_node_count(methods); i++) {
    const rbv_node *m = rbv_node_at(methods, i);
    if (strcmp(rbv_node_text(rbv_node_find(m, "method")), method) == 0)
      assert_ok(rbv_node_real(&x, rbv_node_find(m, key)));
  }
  return x;
}

static void show(const rbv_document *doc, const char *mode, const char *method) {
  print_message(
      "%s, %s: %.0f converged; |bias| median %.3f %%, worst %.3f %%; spread %.3f %%; "
      "second motion %.3f %%\n",
      mode, method, number(doc, method, "converged"), 100 * number(doc, method, "bias_median"),
      100 * number(doc, method, "bias_worst"), 100 * number(doc, method, "spread_median"),
      100 * number(doc, method, "second_error"));
}

/* controller gains with an error of +-5 %; the model is correct otherwise */
static void test_wrong_gains(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    rbv_document *doc = tool_json("montecarlo tx40 --mode %s --runs " RUNS
                                  " --gain-error 5 --methods iv,slide --threads 2 "
                                  "--json -q",
                                  modes[i]);
    show(doc, modes[i], "iv");
    show(doc, modes[i], "slide");
    assert_true(number(doc, "slide", "converged") >= CONVERGED);
    assert_true(number(doc, "slide", "bias_median") < 0.005);
    assert_true(number(doc, "slide", "spread_median") <= number(doc, "iv", "spread_median"));
    rbv_document_free(doc);
  }
}

/* also a delay of one sample, and friction near standstill a third higher than in any model */
static void test_wrong_model(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    rbv_document *doc =
        tool_json("montecarlo tx40 --mode %s --runs " RUNS
                  " --gain-error 5 --loop-delay 1 --plant-stribeck 0.3 --stribeck 0.15 "
                  "--methods iv,didim,slide+Fs --threads 2 --json -q",
                  modes[i]);
    show(doc, modes[i], "iv");
    show(doc, modes[i], "didim");
    show(doc, modes[i], "slide+Fs");
    assert_true(number(doc, "slide+Fs", "converged") >= CONVERGED);
    const char *const biases[] = {"bias_median", "bias_worst"};
    for (int k = 0; k < 2; k++) {
      const double better = fmin(number(doc, "iv", biases[k]), number(doc, "didim", biases[k]));
      assert_true(number(doc, "slide+Fs", biases[k]) <= better * 2 / 3);
    }
    const double second = number(doc, "slide+Fs", "second_error");
    assert_true(second <= number(doc, "iv", "second_error"));
    assert_true(second <= number(doc, "didim", "second_error"));
    rbv_document_free(doc);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_wrong_gains),
      cmocka_unit_test(test_wrong_model),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
