/* Help texts and version. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nodes.h"
#include "support.h"
#include "tool.h"

#define COMMON "--json --seed --threads --quiet --verbose --help"
#define FILTER "--decimate --mask"
#define RECORDING                                                                          \
  "--drop-bad-rows --map --differentiate --cutoff --period --harmonics --spline-variance " \
  "--stiffness --memory "                                                                  \
  "--gains --delay --from --to --log-rate"
#define ROBOT                                                                                     \
  "--tip --root --free-base --contacts --sensing --payload --gamma --stribeck --gravity --mount " \
  "--no-snap"

static const struct {
  const char *command, *options;
} commands[] = {
    {"model", "--base --columns --lint --motion --frames " ROBOT " " COMMON},
    {"regressor", "--base --output " ROBOT " " COMMON},
    {"dynamics", "--parameters --forward --mass --energy --output " ROBOT " " COMMON},
    {"identify",
     "--method --filter --decimate-by --filter-scan --scan-against --weights --prior "
     "--prior-weight --essential "
     "--only --consistent "
     "--known-total-mass --bounds --holdout "
     "--validate "
     "--bootstrap --friction --loaded --known-mass --report --plots --back-emf --controller "
     "--reference --reference-cutoff --start --skip "
     "--unknown --joint-stiffness --joint-damping --known-links --starts --search --population "
     "--generations --device --segment --limit-s "
     "--observe --actuator-delay --stop --stop-residual "
     "--stop-step --inertia --scaling "
     "--fleet --shard --journal --resume "
     "--output --again --unchecked " FILTER " " RECORDING " " ROBOT " " COMMON},
    {"simulate",
     "--controller --bandwidth --integral --roll-off --save-controller --rate --parameters --map "
     "--integrator --substeps --encoder --loop-encoder --loop-noise --loop-delay --disturbance "
     "--disturbance-hz --torque-noise --torque-noise-hz --torque-offset --ripple "
     "--ripple-periods --torque-delay --actuator-delay --encoder-bias --jitter --drop --drift "
     "--drift-time --derivatives "
     "--output " ROBOT " " COMMON},
    {"controller",
     "--method --order --max-delay --no-feedforward --rate --map --gains --output --plots " ROBOT
     " " COMMON},
    {"validate",
     "--max-error --memory --drop-bad-rows --robot --map --loaded --horizon --controller "
     "--output --trace "
     "--plots --from --to --log-rate " ROBOT " " COMMON},
    {"payload",
     "--method --known-mass --frame --at --static --wrist --wrench --tilted --output "
     "--report " FILTER " " RECORDING " " ROBOT " " COMMON},
    {"follow",
     "--heartbeat --json-lines --topic --domain --network --reliable --publish --output --report "
     "--every --alarm --until --wait --state --save-every --clean --map "
     "--log-rate "
     "--alarms "
     "--observer --estimates --no-payload --mass-and-centre --loaded --payload-memory "
     "--drift-memory --at "
     "--dead-zone --reach --radius --least-mass " COMMON},
    {"record",
     "--output --until --wait --enough --look --topic --domain --network --reliable " ROBOT
     " " COMMON},
    {"play",
     "--yes-move --result --topic --command --domain --network --reliable --slow --approach "
     "--silence --error --wait --ahead --velocity --acceleration --jerk --effort --position "
     "--tool-speed --center --constraints --link-radius --floor --no-floor --unchecked " ROBOT
     " " COMMON},
    {"compare", "--map --max-change --no-logs --table --output --report --plots " COMMON},
    {"fleet", "--alarm --report --plots --json --quiet --verbose --help"},
    {"export",
     "--format --output --parameters --robot --force --float --derivatives --motion " ROBOT
     " " COMMON},
    {"sweep",
     "--reference --controller --plants --spread --worst --device --bandwidth --integral "
     "--roll-off "
     "--rate --map --integrator --substeps --loop-encoder --loop-noise --loop-delay "
     "--actuator-delay --disturbance --disturbance-hz --journal --resume --output --plots " COMMON},
    {"show", "--json --quiet --verbose --help"},
    {"report", "--output --plots --robot --map " COMMON},
    {"reproduce", "--output --plots --data " COMMON},
    {"studio", "--folder --port --most-mib --json --quiet --verbose --help"},
    {"demo", "--output --quick " COMMON},
    {"version", "--build " COMMON},
};

#define COMMANDS ((int)(sizeof commands / sizeof *commands))

static void test_each_command_lists_its_options(void **state) {
  (void)state;
  for (int i = 0; i < COMMANDS; i++) {
    char *brief = tool_text("%s --help", commands[i].command), *save = NULL;
    char *same = tool_text("help %s", commands[i].command);
    char *help = tool_text("%s --help all", commands[i].command);
    assert_string_equal(brief, same);
    // with many options, about ten of them are shown, and how to see the others
    if (strcmp(brief, help) != 0) {
      int shown = 0;
      for (const char *at = brief; (at = strstr(at, "\n  ")); at++)
        shown += at[3] == '-' || at[3] == ' ';
      if (shown < 6 || shown > 15)
        fail_msg("%s --help shows %d options", commands[i].command, shown);
      assert_non_null(strstr(brief, "--help all"));
      assert_non_null(strstr(brief, "\nexamples:\n"));
    }
    free(brief);
    assert_non_null(strstr(help, commands[i].command));
    char options[1024];
    strcpy(options, commands[i].options);
    int lines = 0, wanted = 0;
    for (char *o = strtok_r(options, " ", &save); o; o = strtok_r(NULL, " ", &save)) {
      if (!strstr(help, o)) fail_msg("%s --help does not list %s", commands[i].command, o);
      wanted++;
    }
    // and no option that is not in this list
    for (const char *at = help; (at = strstr(at, "\n  ")); at++)
      lines += at[3] == '-' || at[3] == ' ';
    if (lines != wanted)
      fail_msg("%s --help lists %d options, not %d", commands[i].command, lines, wanted);
    free(help);
    free(same);
  }
}

/* `--help TOPIC` shows the rows of one heading; together they are all options */
static void test_topics(void **state) {
  (void)state;
  char *all = tool_text("identify --help all"), *filters = tool_text("identify --help filters");
  assert_non_null(strstr(filters, "--decimate"));
  assert_non_null(strstr(filters, "--cutoff"));
  assert_null(strstr(filters, "--consistent"));
  free(filters);
  int shown = 0, total = 0;
  for (const char *at = all; (at = strstr(at, "\n  ")); at++) total += at[3] == '-' || at[3] == ' ';
  for (const char *line = all; (line = strchr(line, '\n')); line++) {
    char topic[32];
    int end = 0;
    if (sscanf(line + 1, "%31[a-z]:%n", topic, &end) != 1 || end == 0 || line[1 + end] != '\n')
      continue;
    if (strcmp(topic, "examples") == 0) continue;
    char *part = tool_text("identify --help %s", topic);
    for (const char *at = part; (at = strstr(at, "\n  ")); at++) shown++;
    free(part);
  }
  assert_int_equal(shown, total - 1);  // without --help itself
  free(all);
  tool_refuses(2, "help has no topic 'nothing'", "identify --help nothing");
}

/* the examples of help are commands of the pages, which other tests run */
static void test_examples_are_in_the_docs(void **state) {
  (void)state;
  for (int i = 0; i < COMMANDS; i++) {
    // the studio runs until it is ended
    if (strcmp(commands[i].command, "version") == 0 || strcmp(commands[i].command, "studio") == 0)
      continue;
    char *help = tool_text("%s --help", commands[i].command);
    const char *at = strstr(help, "\nexamples:\n");
    if (!at) fail_msg("%s --help has no example", commands[i].command);
    char line[256];
    int end = 0, count = 0;
    at += strlen("\nexamples:\n");
    for (; *at == ' ' && sscanf(at, "  %255[^\n]%n", line, &end) == 1; at += end + 1, count++) {
      char search[512];
      snprintf(search, sizeof search, "grep -rqF -- '$ %s' " ROBERVAL_SOURCE "/docs", line);
      if (system(search) != 0) fail_msg("no page has the example: %s", line);
    }
    // a second demo would only run longer
    assert_int_equal(count, strcmp(commands[i].command, "demo") == 0 ? 1 : 2);
    free(help);
  }
}

static void test_list_of_commands(void **state) {
  (void)state;
  char *help = tool_text("help"), *same = tool_text("--help"), *brief = tool_text("-h");
  assert_string_equal(help, same);
  assert_string_equal(help, brief);
  for (int i = 0; i < COMMANDS; i++) assert_non_null(strstr(help, commands[i].command));
  assert_non_null(strstr(help, "a460 lwr4+ ns16 tx40"));
  free(help);
  free(same);
  free(brief);
}

static void test_version(void **state) {
  (void)state;
  char want[64];
  snprintf(want, sizeof want, "roberval %s\n", rbv_version());
  char *a = tool_text("version"), *b = tool_text("--version");
  assert_string_equal(a, want);
  assert_string_equal(b, want);
  free(a);
  free(b);
  rbv_document *doc = tool_json("version --json");
  text_at(rbv_document_root(doc), "schema", "roberval.version/1");
  text_at(rbv_document_root(doc), "version", rbv_version());
  rbv_document_free(doc);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_each_command_lists_its_options),
      cmocka_unit_test(test_topics),
      cmocka_unit_test(test_examples_are_in_the_docs),
      cmocka_unit_test(test_list_of_commands),
      cmocka_unit_test(test_version),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
