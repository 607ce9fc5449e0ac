/*
 * A minute of joint states at 500 Hz from Fast DDS, seven joints in a message: nothing is lost, the
 * history is that of the same rows in a file to the byte, and a contact is told within 5 ms of its
 * message in the median.
 */
#include <math.h>

#include "publisher.h"
#include "robot_process.h"

#define LONG_S 60
#define EVENTS 400

/* 60 s with a push of 0.3 s on joint 2 every 2 s */
static int prepare(void **state) {
  prepare_follow(state);
  rbv_model *m;
  assert_ok(rbv_model_load(&m, "tx40", NULL));
  const double speed[] = {0.005, 0.005, 0.005, 0.005, 0.005, 0.005};
  assert_ok(rbv_model_smooth(&m, speed));
  stream s;
  FILE *f = fopen(temp_file("rows.csv", NULL), "w");
  assert_non_null(f);
  stream_new(&s, m, rbv_model_parameters(m), RATE, 0.01, 3, 2);
  write_head(f);
  for (int k = 0; k < LONG_S * RATE; k++) {
    const double t = (double)k / RATE;
    s.external[1] = t > 2 && fmod(t, 2) < 0.3 ? 25 : 0;
    stream_next(&s);
    write_row(f, &s);
  }
  assert_int_equal(fclose(f), 0);
  stream_free(&s);
  rbv_model_free(m);
  return 0;
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* times of the messages, by their number; returns how many were sent */
static int read_sent(double *at, int room) {
  FILE *f = fopen(temp_file("sent.txt", NULL), "r");
  int k, count = 0;
  double t;
  assert_non_null(f);
  while (fscanf(f, "%d %lf", &k, &t) == 2)
    if (k >= 0 && k < room) at[k] = t, count++;
  fclose(f);
  return count;
}

static void test_a_minute(void **state) {
  (void)state;
  static double heard[EVENTS], sent[LONG_S * RATE], late[EVENTS];
  static int row[EVENTS];
  int events = 0, count = 0;
  char command[1024], line[4096];
  free(tool_text("follow tx40 result.json rows.csv --until 59.9 -o file.csv --every 0.002 -q"));
  const pid_t writer = publish("rows.csv", "reliable");
  snprintf(command, sizeof command,
           "cd '%s' && exec '%s' follow tx40 result.json --topic /joint_states --network lo "
           "--domain %d --until 59.9 -o live.csv --every 0.002 --json-lines 2> live.txt",
           temp_directory(), ROBERVAL_TOOL, test_domain());
  FILE *out = popen(command, "r");
  assert_non_null(out);
  while (fgets(line, sizeof line, out)) {
    const double now = clock_now();
    const char *at = strstr(line, "\"row\": ");
    if (!at || !strstr(line, "\"event\": \"contact\"") || events == EVENTS) continue;
    row[events] = atoi(at + strlen("\"row\": "));
    heard[events++] = now;
  }
  assert_int_equal(pclose(out), 0);
  end_publisher(writer);
  assert_int_equal(run_in_temp("cmp live.csv file.csv"), 0);
  assert_int_equal(run_in_temp("grep -q lost live.txt"), 1);
  assert_true(read_sent(sent, LONG_S * RATE) > (LONG_S - 1) * RATE);
  for (int i = 0; i < events; i++) {
    // line 1 is the header
    const int k = row[i] - 2;
    if (k >= 0 && k < LONG_S * RATE && sent[k] > 0) late[count++] = heard[i] - sent[k];
  }
  assert_true(count >= 25);
  qsort(late, (size_t)count, sizeof *late, by_size);
  print_message("%d contacts, %.2f ms after their message in the median, %.2f at most\n", count,
                1e3 * late[count / 2], 1e3 * late[count - 1]);
  assert_true(late[count / 2] <= 5e-3);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_a_minute)};
  return cmocka_run_group_tests(tests, prepare, NULL);
}
