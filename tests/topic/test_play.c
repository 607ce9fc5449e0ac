/* Motions of a simulated robot behind topics: played, recorded, stopped. */
#include <math.h>

#include "nodes.h"
#include "robot_process.h"

static int prepare(void **state) {
  (void)state;
  design_motion();
  return 0;
}

#define PLAY "play tx40 traj.yaml " LIMITS LIVE PATIENT "--yes-move --slow 1 "

/* the whole motion, and its recording; stamps of both are those of the robot's clock */
static void test_play_and_record(void **state) {
  (void)state;
  const pid_t robot = start_robot("none");
  char command[512];
  snprintf(command, sizeof command,
           "exec '%s' record tx40 --topic /joint_states " LIVE
           "-o recording.mcap --wait 1 --until 30 --json > record.json 2> record.txt",
           ROBERVAL_TOOL, robot_domain());
  const pid_t recorder = start_process(command);
  sleep(1);
  outcome o = tool("play tx40 traj.yaml " LIMITS LIVE PATIENT "--yes-move --slow 0.5 --json",
                   robot_domain());
  if (o.code != 0) fail_msg("%s", o.err);
  rbv_document *doc;
  assert_ok(rbv_document_load(&doc, temp_file("play.json", o.out)));
  // with the way back
  assert_near(real_at(rbv_document_root(doc), "motions"), 3, 0, 0);
  rbv_document_free(doc);
  outcome_free(&o);
  // the robot ends, the topic falls silent, the recording is written
  end_process(robot, SIGTERM);
  assert_int_equal(end_process(recorder, 0), 0);
  assert_ok(rbv_document_load(&doc, temp_file("record.json", NULL)));
  const rbv_node *root = rbv_document_root(doc);
  // a slow copy of 12 s and a motion of 6 s, with half a second of rest behind each
  assert_true(real_at(root, "rows") >= 500 * 19);
  assert_near(real_at(root, "lost"), 0, 0, 0);
  assert_true(real_at(root, "enough_after_s") < 22);
  assert_near(real_at(root, "identified"), real_at(root, "base_parameters"), 0, 0);
  rbv_document_free(doc);
  char *text = tool_text("check tx40 recording.mcap");
  assert_non_null(strstr(text, "60 of the 60 base parameters"));
  free(text);
}

/* it stops for its reason, and the robot comes to rest */
static void stops(const char *fault, const char *word, const char *more) {
  const pid_t robot = start_robot(fault);
  outcome o = tool(PLAY "--json %s", robot_domain(), more);
  end_process(robot, SIGTERM);
  if (o.code != 1) fail_msg("%s", o.err);
  rbv_document *doc;
  assert_ok(rbv_document_load(&doc, temp_file("play.json", o.out)));
  text_at(rbv_document_root(doc), "stopped", word);
  rbv_document_free(doc);
  outcome_free(&o);
  assert_true(event_time("stop") > event_time("fault"));
  assert_true(event_time("rest") > event_time("stop"));
}

static void test_stops(void **state) {
  (void)state;
  stops("silent", "silence", "--silence 0.2");
  stops("stuck", "following-error", "");
}

static void test_interrupt(void **state) {
  (void)state;
  const pid_t robot = start_robot("none");
  char command[512];
  snprintf(command, sizeof command, "exec '%s' " PLAY "> play.txt 2>&1", ROBERVAL_TOOL,
           robot_domain());
  const pid_t player = start_process(command);
  for (int i = 0; i < 100 && isnan(event_time("first")); i++) usleep(100000);
  usleep(500000);
  assert_int_equal(end_process(player, SIGINT), 130);
  end_process(robot, SIGTERM);
  assert_true(event_time("rest") > event_time("stop"));
  assert_int_equal(run_in_temp("grep -q 'it was asked for' play.txt"), 0);
}

/* a player that is killed leaves a motion that ends by itself */
static void test_killed(void **state) {
  (void)state;
  const pid_t robot = start_robot("none");
  char command[512];
  snprintf(command, sizeof command, "exec '%s' " PLAY "> play.txt 2>&1", ROBERVAL_TOOL,
           robot_domain());
  const pid_t player = start_process(command);
  for (int i = 0; i < 100 && isnan(event_time("first")); i++) usleep(100000);
  usleep(1000000);
  end_process(player, SIGKILL);
  // 0.4 s ahead and the way to rest of 1/3 s
  usleep(1500000);
  end_process(robot, SIGTERM);
  assert_true(isnan(event_time("stop")));
  assert_true(event_time("rest") > event_time("first"));
}

static void test_refused(void **state) {
  (void)state;
  char *text = tool_text("play tx40 traj.yaml " LIMITS);
  assert_non_null(strstr(text, "nothing was sent"));
  free(text);
  tool_refuses(2, "the motion is not played, give shapes", "play tx40 traj.yaml --yes-move");
  tool_refuses(2, "unchecked motions are not played",
               "play tx40 traj.yaml " LIMITS "--unchecked --yes-move");
  tool_refuses(2, "is no name of a topic", "play tx40 traj.yaml " LIMITS "--command 'a b'");
  tool_refuses(3, "is not played: ", "play tx40 traj.yaml " LIMITS "--velocity 0.2");
  tool_refuses(2, "the topic of the joint states is missing", "record tx40 -o a.csv");
  tool_refuses(2, "FILE.mcap or FILE.csv is needed", "record tx40 --topic /a -o a.bag");
}

/* limits that nobody gives, and motions that do not begin at rest */
static void test_what_is_missing(void **state) {
  (void)state;
  free(tool_text("excite tx40 --period 3 --harmonics 3 --starts 1 --budget 5 " LIMITS
                 "--coefficients moving.yaml -o moving.csv -q"));
  tool_refuses(3, "begins and ends at rest", "play tx40 moving.yaml " LIMITS);
  assert_int_equal(run_in_temp("sed 's/, velocity: [0-9.]*//' '" ROBERVAL_SOURCE
                               "/robots/tx40.yaml' > bare.yaml"),
                   0);
  tool_refuses(2, "has no limit of its speed", "play bare.yaml traj.yaml --link-radius 0.04");
}

/* no robot, no controller: a sentence after a while */
static void test_nobody_there(void **state) {
  (void)state;
  if (!SIMULATED_ROBOT[0]) skip();
  outcome o = tool(PLAY "--wait 0.5", robot_domain());
  assert_int_equal(o.code, 3);
  assert_non_null(strstr(o.err, "has no joint states in domain"));
  outcome_free(&o);
  const pid_t robot = start_robot("none");
  o = tool(PLAY "--wait 2 --command /other", robot_domain());
  end_process(robot, SIGTERM);
  assert_int_equal(o.code, 3);
  assert_non_null(strstr(o.err, "is the controller active?"));
  outcome_free(&o);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_play_and_record), cmocka_unit_test(test_stops),
      cmocka_unit_test(test_interrupt),       cmocka_unit_test(test_killed),
      cmocka_unit_test(test_refused),         cmocka_unit_test(test_what_is_missing),
      cmocka_unit_test(test_nobody_there),
  };
  return cmocka_run_group_tests(tests, prepare, NULL);
}
