/* roberval follow: a stream with a contact and a payload, interruptions, bad rows. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "follow_files.h"
#include "nodes.h"

static void test_events(void **state) {
  (void)state;
  rbv_document *doc = tool_json("follow tx40 result.json work.csv -o history.csv --json");
  const rbv_node *root = rbv_document_root(doc);
  text_at(root, "schema", "roberval.follow/1");
  assert_near(real_at(root, "samples"), END_S * RATE, 0, 0);
  assert_near(real_at(root, "rate_hz"), RATE, 1e-6, 0);
  text_at(root, "payload.state", "known");
  assert_near(real_at(root, "payload.mass_kg"), 3, 0, 0.03);
  assert_near(real_at(root, "payload.centre_m.2"), 0.08, 0.01, 0);
  // the push, and the payload before it was known
  assert_true(real_at(root, "contacts") >= 2);
  assert_true(real_at(root, "payload_changes") >= 1);
  rbv_document_free(doc);
  size_t size;
  csv table = csv_parse(read_text(temp_file("history.csv", NULL), &size));
  assert_int_equal(table.nrow, (int)(END_S * 10));
  const int t = csv_find(&table, "t"), contact = csv_find(&table, "contact");
  for (int r = 0; r < table.nrow; r++) {
    const double at = table.value[r * table.ncolumn + t];
    const double joint = table.value[r * table.ncolumn + contact];
    if (at < CONTACT_S) assert_near(joint, 0, 0, 0);
    if (at > CONTACT_S + 0.1 && at < CONTACT_S + 0.3) assert_near(joint, 2, 0, 0);
  }
  csv_free(&table);
}

static void test_alarm(void **state) {
  (void)state;
  outcome o = tool("follow tx40 result.json work.csv --alarm contact");
  assert_int_equal(o.code, 1);
  double at;
  assert_non_null(strstr(o.out, "contact at joint2"));
  assert_int_equal(sscanf(o.out, "%lf", &at), 1);
  assert_true(at > CONTACT_S && at < CONTACT_S + 0.03);
  outcome_free(&o);
  o = tool("follow tx40 result.json work.csv --alarm contact --until 4");
  assert_int_equal(o.code, 0);
  outcome_free(&o);
  tool_refuses(2, "alarm", "follow tx40 result.json work.csv --alarm fire");
  tool_refuses(3, "nowhere.csv", "follow tx40 result.json nowhere.csv");
}

static void assert_same_file(const char *a, const char *b) {
  size_t na, nb;
  char *x = read_text(temp_file(a, NULL), &na), *y = read_text(temp_file(b, NULL), &nb);
  if (na != nb || memcmp(x, y, na) != 0) fail_msg("%s and %s differ", a, b);
  free(x);
  free(y);
}

/* standard input gives the bytes of the file; so does a run that was killed and started again */
static void test_interrupted(void **state) {
  (void)state;
  free(tool_text("follow tx40 result.json work.csv -o whole.csv --every 0.01"));
  free(tool_text("follow tx40 result.json - -o piped.csv --every 0.01 < work.csv"));
  assert_same_file("whole.csv", "piped.csv");
  // a first part, then the rest
  char command[1024];
  snprintf(command, sizeof command, "cd %s && head -n 4300 work.csv > part.csv", temp_directory());
  assert_int_equal(system(command), 0);
  free(tool_text("follow tx40 result.json part.csv -o parts.csv --every 0.01 --state a.state"));
  free(tool_text("follow tx40 result.json work.csv -o parts.csv --every 0.01 --state a.state"));
  assert_same_file("whole.csv", "parts.csv");
  // killed while it waits for more rows; its state is older than its history
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    if (chdir(temp_directory()) != 0) _exit(9);
    execl(ROBERVAL_TOOL, "roberval", "follow", "tx40", "result.json", "part.csv", "-o",
          "killed.csv", "--every", "0.01", "--state", "b.state", "--save-every", "3", "--wait",
          "60", "-q", (char *)NULL);
    _exit(9);
  }
  for (int i = 0; i < 300 && access(temp_file("b.state", NULL), F_OK) != 0; i++) usleep(100000);
  usleep(300000);
  assert_int_equal(kill(child, SIGKILL), 0);
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status));
  free(
      tool_text("follow tx40 result.json work.csv -o killed.csv --every 0.01 --state b.state "
                "--save-every 3"));
  assert_same_file("whole.csv", "killed.csv");
  tool_refuses(3, "other options",
               "follow tx40 result.json work.csv --state b.state --observer 20");
}

/* bad rows are told and do not become a payload or a contact */
static void test_bad_stream(void **state) {
  (void)state;
  char command[2048];
  snprintf(
      command, sizeof command,
      "cd %s && awk -F, 'NR==1000{$3=\"nan\"} NR==1200{print \"hello,world\"} "
      "NR==1400{print $1; next} NR==1600{$1=\"1.0\"} NR>1800&&NR<=1900{next} "
      "NR==2000{$8=\"1e400\"} NR==2050{held=substr($0,index($0,FS))} "
      "NR>2050&&NR<=2100{print $1 held; next} {print}' OFS=, work.csv | head -n 2300 > bad.csv",
      temp_directory());
  assert_int_equal(system(command), 0);
  rbv_document *doc = tool_json("follow tx40 result.json bad.csv --json -q");
  const rbv_node *root = rbv_document_root(doc);
  assert_near(real_at(root, "bad_rows.not_finite"), 2, 0, 0);
  assert_near(real_at(root, "bad_rows.unreadable"), 2, 0, 0);
  assert_near(real_at(root, "bad_rows.backwards"), 1, 0, 0);
  // the second gap is behind 0.1 s of old values, of which the last 0.08 s are refused
  assert_near(real_at(root, "bad_rows.frozen"), 40, 1, 0);
  assert_near(real_at(root, "bad_rows.gap"), 2, 0, 0);
  text_at(root, "payload.state", "none");
  assert_near(real_at(root, "contacts"), 0, 0, 0);
  rbv_document_free(doc);
  outcome o = tool("follow tx40 result.json bad.csv --alarm bad-stream");
  assert_int_equal(o.code, 1);
  assert_non_null(strstr(o.err, "line 1000: "));
  outcome_free(&o);
}

/* the page has a figure for every joint, the payload and every drift */
static void test_page(void **state) {
  (void)state;
  free(tool_text("follow tx40 result.json work.csv --until 3 -q --report page.html"));
  size_t size;
  char *page = read_text(temp_file("page.html", NULL), &size);
  int figures = 0;
  for (const char *at = page; (at = strstr(at, "<svg class=\"fig\"")) != NULL; at++) figures++;
  rbv_document *doc = tool_json("follow tx40 result.json work.csv --until 1 --json -q");
  const rbv_node *drift = node_at(rbv_document_root(doc), "drift");
  assert_int_equal(figures, 6 + 1 + (int)rbv_node_count(drift));
  assert_non_null(strstr(page, "each part judged by the parameters found without it"));
  rbv_document_free(doc);
  free(page);
}

/* torque and its sigma along the recording; most of what was measured is inside */
static void test_bands(void **state) {
  (void)state;
  free(tool_text("export result.json --format bands --motion clean.csv -o bands.csv -q"));
  size_t size;
  csv bands = csv_parse(read_text(temp_file("bands.csv", NULL), &size));
  csv log = csv_parse(read_text(temp_file("clean.csv", NULL), &size));
  assert_int_equal(bands.ncolumn, 1 + 3 * 6);
  assert_int_equal(bands.nrow, log.nrow);
  int inside = 0;
  const int tau = csv_find(&bands, "tau2"), model = csv_find(&bands, "sigma_model_tau2"),
            all = csv_find(&bands, "sigma_tau2"), measured = csv_find(&log, "tau2");
  for (int r = 0; r < bands.nrow; r++) {
    const double *b = bands.value + r * bands.ncolumn;
    assert_true(b[model] > 0 && b[all] > b[model]);
    inside += fabs(b[tau] - log.value[r * log.ncolumn + measured]) < 4 * b[all];
  }
  // the residual of the fit is that of decimated rows: the noise of single samples is larger
  assert_true(inside > 0.9 * bands.nrow);
  csv_free(&bands);
  csv_free(&log);
  tool_refuses(1, "result", "export tx40 --format bands --motion clean.csv -o no.csv");
  tool_refuses(2, "--motion", "export result.json --format bands -o no.csv");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_events),      cmocka_unit_test(test_alarm),
      cmocka_unit_test(test_interrupted), cmocka_unit_test(test_bad_stream),
      cmocka_unit_test(test_page),        cmocka_unit_test(test_bands),
  };
  return cmocka_run_group_tests(tests, prepare_follow, NULL);
}
