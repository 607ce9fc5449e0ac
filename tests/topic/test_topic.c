/* Joint states of a publisher that is not of the DDS library of the plug-in. */
#include "nodes.h"
#include "publisher.h"

static int prepare(void **state) {
  prepare_follow(state);
  // 3 s with the contact
  assert_int_equal(run_in_temp("(head -n 1 work.csv; awk -F, '$1>=3.5&&$1<6.5{$1=sprintf(\"%.6f\","
                               "$1-3.5);print}' OFS=, work.csv) > rows.csv"),
                   0);
  return 0;
}

/* the history is that of the rows in a file, to the byte: nothing is lost, shuffled or rounded */
static void test_reliable(void **state) {
  (void)state;
  free(tool_text("follow tx40 result.json rows.csv --until 2.98 -o file.csv --every 0.002 -q"));
  const pid_t writer = publish("rows.csv", "reliable");
  outcome o =
      tool(TOPIC "--until 2.98 -o live.csv --every 0.002 --publish /roberval", test_domain());
  end_publisher(writer);
  assert_int_equal(o.code, 0);
  assert_non_null(strstr(o.out, "contact at joint2"));
  assert_null(strstr(o.err, "lost"));
  outcome_free(&o);
  assert_int_equal(run_in_temp("cmp live.csv file.csv"), 0);
}

/* messages that are missing are counted, by gaps of the stamps */
static void test_lost_rows_are_told(void **state) {
  (void)state;
  const pid_t writer = publish("rows.csv", "best-effort skip");
  outcome o = tool(TOPIC "--until 2.98", test_domain());
  end_publisher(writer);
  assert_int_equal(o.code, 0);
  // of 1490 rows every 10th
  const char *lost = strstr(o.err, " messages were lost");
  assert_non_null(lost);
  while (lost > o.err && lost[-1] >= '0' && lost[-1] <= '9') lost--;
  assert_in_range(atoi(lost), 148, 150);
  outcome_free(&o);
}

static void test_qos_that_do_not_fit(void **state) {
  (void)state;
  const pid_t writer = publish("rows.csv", "best-effort");
  outcome o = tool(TOPIC "--reliable yes", test_domain());
  end_publisher(writer);
  assert_int_equal(o.code, 3);
  assert_non_null(strstr(o.err, "published as best effort"));
  outcome_free(&o);
}

/* wrong sizes, other names, NaN, 10,000 joints, a length beyond the message, half a message */
static void test_hostile_messages(void **state) {
  (void)state;
  const pid_t writer = publish("rows.csv", "reliable all");
  outcome o = tool(TOPIC "--until 2.98 --json", test_domain());
  end_publisher(writer);
  assert_int_equal(o.code, 0);
  rbv_document *doc;
  assert_ok(rbv_document_load(&doc, temp_file("summary.json", o.out)));
  const rbv_node *root = rbv_document_root(doc);
  // 1490 rows, of which 149 are hostile; those that are no message at all never arrive
  assert_near(real_at(root, "samples"), 1491 - 149, 3, 0);
  assert_near(real_at(root, "bad_rows.not_finite"), 25, 1, 0);
  assert_true(real_at(root, "bad_rows.unreadable") >= 3 * 24);
  assert_true(real_at(root, "contacts") >= 1);
  assert_non_null(strstr(o.err, "a message has no joint 'joint1'"));
  assert_non_null(strstr(o.err, "positions"));
  rbv_document_free(doc);
  outcome_free(&o);
}

/* a tool without its plug-in says what is missing */
static void test_without_the_plugin(void **state) {
  (void)state;
  char command[2048];
  snprintf(command, sizeof command,
           "mkdir -p bin && cp '%s' bin/tool && bin/tool follow tx40 result.json --topic /a 2> "
           "why.txt",
           ROBERVAL_TOOL);
  assert_int_equal(run_in_temp(command), 3);
  assert_int_equal(run_in_temp("grep -q 'live topics need libroberval_dds.so' why.txt"), 0);
}

static void test_refused(void **state) {
  (void)state;
  tool_refuses(2, "a log is missing", "follow tx40 result.json");
  tool_refuses(2, "not from both", "follow tx40 result.json work.csv --topic /a");
  tool_refuses(2, "where a topic is read", "follow tx40 result.json work.csv --publish /a");
  tool_refuses(2, "is no name of a topic", "follow tx40 result.json --topic 'a b'");
  tool_refuses(2, "is no name of a network", "follow tx40 result.json --topic /a --network '<'");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reliable),
      cmocka_unit_test(test_lost_rows_are_told),
      cmocka_unit_test(test_qos_that_do_not_fit),
      cmocka_unit_test(test_hostile_messages),
      cmocka_unit_test(test_without_the_plugin),
      cmocka_unit_test(test_refused),
  };
  return cmocka_run_group_tests(tests, prepare, NULL);
}
