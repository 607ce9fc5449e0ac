#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/support.h"
#include "log/rows.h"
#include "support.h"

#include "log/log.h"

/* A log from text; the test fails if it is refused. */
static rbv_log *read_csv(const char *text) {
  rbv_log *log;
  assert_ok(rbv_log_parse(&log, "x.csv", text, strlen(text), NULL));
  return log;
}

static void refuse(const char *text, const char *sentence) {
  rbv_log *log;
  assert_refused(rbv_log_parse(&log, "x.csv", text, strlen(text), NULL), RBV_EINPUT, sentence);
  assert_null(log);
}

/* Three samples of t, q1, tau1, written in different ways. */
static void expect_three_by_three(const char *text) {
  rbv_log *log = read_csv(text);
  assert_int_equal(rbv_log_samples(log), 3);
  assert_int_equal(rbv_log_column_count(log), 3);
  const double *t = rbv_log_channel(log, RBV_CHANNEL_TIME, -1);
  const double *q = rbv_log_channel(log, RBV_CHANNEL_POSITION, 0);
  const double *tau = rbv_log_channel(log, RBV_CHANNEL_TORQUE, 0);
  assert_non_null(t);
  assert_non_null(q);
  assert_non_null(tau);
  for (int k = 0; k < 3; k++) {
    assert_true(t[k] == 0.5 * k);
    assert_true(q[k] == 1.25 + k);
    assert_true(tau[k] == -1000.0 * k);
  }
  rbv_log_free(log);
}

static void test_every_dress_gives_the_same_table(void **state) {
  (void)state;
  const char *const texts[] = {
      "t,q1,tau1\n0,1.25,-0\n0.5,2.25,-1e3\n1,3.25,-2000\n",
      "t;q1;tau1\n0;1.25;-0\n0.5;2.25;-1e3\n1;3.25;-2000\n",
      "t\tq1\ttau1\n0\t1.25\t-0\n0.5\t2.25\t-1e3\n1\t3.25\t-2000\n",
      "t q1 tau1\n0 1.25 -0\n0.5 2.25 -1e3\n1 3.25 -2000\n",
      // blanks: several, leading, trailing, tabs among them
      "  t   q1 tau1 \n  0   1.25    -0\n 0.5  2.25  -1e3  \n1 3.25 \t -2000\n",
      // no newline at the end; CRLF; BOM
      "t,q1,tau1\n0,1.25,-0\n0.5,2.25,-1e3\n1,3.25,-2000",
      "t,q1,tau1\r\n0,1.25,-0\r\n0.5,2.25,-1e3\r\n1,3.25,-2000\r\n",
      "\xEF\xBB\xBFt,q1,tau1\n0,1.25,-0\n0.5,2.25,-1e3\n1,3.25,-2000\n",
      // decimal comma
      "t;q1;tau1\n0;1,25;-0\n0,5;2,25;-1e3\n1;3,25;-2000\n",
      "t\tq1\ttau1\n0\t1,25\t-0\n0,5\t2,25\t-1e3\n1\t3,25\t-2000\n",
      "# dots. and, commas\nt;q1;tau1\n0;1,25;-0\n# 1.5, or so\n0,5;2,25;-1e3\n1;3,25;-2000\n",
      // comments, empty lines, a closing delimiter, blanks around cells, quotes
      "# robot 7\n\nt,q1,tau1\n0,1.25,-0\n# pause, then go\n0.5,2.25,-1e3\n1,3.25,-2000\n\n\n  \n",
      "t,q1,tau1,\n0,1.25,-0,\n0.5,2.25,-1e3,\n1,3.25,-2000,\n",
      "t,q1,tau1\n0,1.25,-0,\n0.5,2.25,-1e3,\n1,3.25,-2000,\n",
      "t , q1,\ttau1\n 0 , 1.25 , -0 \n0.5, 2.25, -1e3\n1,\t3.25,-2000\n",
      "\"t\",\"q1\",\"tau1\"\n0,1.25,-0\n\"0.5\",\"2.25\",-1e3\n1,3.25,-2000\n",
      "\"t\" \"q1\" \"tau1\"\n0 1.25 -0\n0.5 2.25 -1e3\n1 3.25 -2000\n",
      // names in the comment above the numbers
      "# made by a script\n# t q1 tau1\n0 1.25 -0\n0.5 2.25 -1e3\n1 3.25 -2000\n",
      "#t,q1,tau1\n0,1.25,-0\n0.5,2.25,-1e3\n1,3.25,-2000\n",
      // another order
      "tau1,t,q1\n-0,0,1.25\n-1e3,0.5,2.25\n-2000,1,3.25\n"};
  for (int i = 0; i < RBV_COUNT(texts); i++) expect_three_by_three(texts[i]);
}

static void test_names_have_a_meaning(void **state) {
  (void)state;
  static const struct {
    const char *name;
    rbv_channel channel;
    int joint;
  } known[] = {{"t", RBV_CHANNEL_TIME, -1},
               {"q1", RBV_CHANNEL_POSITION, 0},
               {"q", RBV_CHANNEL_POSITION, 0},
               {"dq12", RBV_CHANNEL_VELOCITY, 11},
               {"ddq3", RBV_CHANNEL_ACCELERATION, 2},
               {"tau7", RBV_CHANNEL_TORQUE, 6},
               {"qm2", RBV_CHANNEL_MOTOR_POSITION, 1},
               {"taum2", RBV_CHANNEL_MOTOR_TORQUE, 1},
               {"tauj2", RBV_CHANNEL_JOINT_TORQUE, 1},
               {"qr2", RBV_CHANNEL_REFERENCE_POSITION, 1},
               {"dqr2", RBV_CHANNEL_REFERENCE_VELOCITY, 1},
               {"ddqr2", RBV_CHANNEL_REFERENCE_ACCELERATION, 1},
               {"q0", RBV_CHANNEL_OTHER, -1},
               {"q01", RBV_CHANNEL_OTHER, -1},
               {"t1", RBV_CHANNEL_OTHER, -1},
               {"Q1", RBV_CHANNEL_OTHER, -1},
               {"q1a", RBV_CHANNEL_OTHER, -1},
               {"q99999999999", RBV_CHANNEL_OTHER, -1},
               {"1", RBV_CHANNEL_OTHER, -1},
               {"", RBV_CHANNEL_OTHER, -1},
               {"temperature", RBV_CHANNEL_OTHER, -1}};
  for (int i = 0; i < RBV_COUNT(known); i++) {
    int joint = 99;
    assert_int_equal(rbv_channel_parse(&joint, known[i].name), known[i].channel);
    assert_int_equal(joint, known[i].joint);
  }
  assert_string_equal(rbv_channel_name(RBV_CHANNEL_TORQUE), "tau");
  assert_string_equal(rbv_channel_name((rbv_channel)77), "");
}

static void test_log_tells_what_it_has(void **state) {
  (void)state;
  rbv_log *log = read_csv("t,q1,q2,q4,tau1,tau2,tau4,heat\n0,1,2,3,4,5,6,7\n1,1,2,3,4,5,6,7\n");
  assert_string_equal(rbv_log_name(log), "x.csv");
  assert_string_equal(rbv_log_format(log), "CSV");
  assert_int_equal(rbv_log_joint_count(log), 4);
  assert_int_equal(rbv_log_channel_count(log, RBV_CHANNEL_POSITION), 2);
  assert_null(rbv_log_channel(log, RBV_CHANNEL_POSITION, 2));
  assert_true(rbv_log_channel(log, RBV_CHANNEL_POSITION, 3)[1] == 3);
  assert_int_equal(rbv_log_find(log, "heat"), 7);
  assert_int_equal(rbv_log_find(log, "cold"), -1);
  assert_int_equal(rbv_log_column_at(log, 7)->channel, RBV_CHANNEL_OTHER);
  assert_null(rbv_log_column_at(log, 8));
  assert_null(rbv_log_column_at(log, -1));
  assert_null(rbv_log_joint_name(log, 0));
  assert_int_equal(rbv_log_get_sensing(log), RBV_LOG_SENSING_UNKNOWN);
  rbv_log_free(log);
  rbv_log_free(NULL);
}

static void test_what_is_no_number_but_no_text_either(void **state) {
  (void)state;
  rbv_log *log = read_csv("t,q1,q2\n0,nan,\n1,-inf,NaN\n2,,1e999\n3,-NaN(ind),N/A\n4,Infinity,\n");
  const double *a = rbv_log_channel(log, RBV_CHANNEL_POSITION, 0);
  const double *b = rbv_log_channel(log, RBV_CHANNEL_POSITION, 1);
  assert_true(isnan(a[0]) && a[1] == -INFINITY && isnan(a[2]) && isnan(a[3]) && a[4] == INFINITY);
  assert_true(isnan(b[0]) && isnan(b[1]) && b[2] == INFINITY && isnan(b[3]) && isnan(b[4]));
  rbv_log_free(log);
}

static void test_refusals_say_where(void **state) {
  (void)state;
  refuse("", "x.csv: no rows: the file is empty");
  refuse("# only talk\n\n", "x.csv: no rows: the file is empty");
  refuse("t,q1\n", "x.csv: no rows: nothing follows the header");
  refuse("t,q1", "x.csv: no rows: nothing follows the header");
  refuse("t,q1\n0,1\n1,2,3\n", "x.csv:3: 3 columns, but the header has 2");
  refuse("t,q1,q2\n0,1,2\n1,2\n2,3,4\n", "x.csv:3: 2 columns, but the header has 3");
  refuse("t q1 q2\n0 1 2\n1 2 \n2 3 4\n", "x.csv:3: 2 columns, but the header has 3");
  refuse("t,q1\n0,1\n# talk\n\n1,2\n2,abc\n", "x.csv:6:3: 'abc' in column 2 (q1) is not a number");
  refuse("t,q1\n0,1\n1,2x\n", "x.csv:3:3: '2x' in column 2 (q1) is not a number");
  refuse("t,q1\n0,1\n1,2 3\n", "x.csv:3:3: '2 3' in column 2 (q1) is not a number");
  refuse("t,q1\n0,1\n1,0x10\n", "'0x10' in column 2 (q1) is not a number");
  refuse("t,q1\n0,1\n1,1\x01\n", "x.csv:3:3: '1?' in column 2");
  refuse("t,q1\n0,1\n1,1234567890123456789012345678901234567890z\n",
         "'12345678901234567890123456789012...'");
  refuse("t,q1,q2\n0,1,2\n1,2",
         "x.csv:3:4: the last line ends after 2 of 3 columns: the file is "
         "truncated");
  refuse("t,q1,q2\n0,1,2\n1,2,", "x.csv:3:5: the last line ends after 2 of 3 columns");
  refuse("t;q1\n0;1,5\n1;1.5\n",
         "x.csv:3:3: '1.5' in column 2 (q1) is not a number (other cells "
         "of this file have a decimal comma)");
  refuse("t,q1,q1\n0,1,2\n", "x.csv:1: columns 2 and 3 are both named 'q1'");
  refuse("t,q,q1\n0,1,2\n", "x.csv: columns 'q' and 'q1' mean the same");
  refuse("0,1,2\n1,2,3\n", "x.csv:1: no header row");
  refuse("time,pos\n0,1\n", "x.csv: none of the 2 columns ('time', ...) has a known name");
  refuse("\xFF\xFEt\0", "UTF-16");
  refuse("\x1F\x8B\x08", "x.csv: the file is compressed; unpack it first (gunzip)");
  refuse("PK\x03\x04", "spreadsheet");
}

static void test_files_that_cannot_be_read(void **state) {
  (void)state;
  rbv_log *log;
  assert_refused(rbv_log_load(&log, "/nowhere/x.csv", NULL), RBV_EREAD,
                 "/nowhere/x.csv: No such file or directory");
  char folder[1100];
  snprintf(folder, sizeof folder, "%s/empty", temp_directory());
  assert_int_equal(mkdir(folder, 0700), 0);
  assert_refused(rbv_log_load(&log, folder, NULL), RBV_EREAD,
                 "/empty: is a folder without files of a bag");
  assert_refused(rbv_log_load(&log, NULL, NULL), RBV_EARG, "no file");
  assert_refused(rbv_log_load(NULL, "x", NULL), RBV_EARG, "no place");
}

static void test_lines_of_samples(void **state) {
  (void)state;
  rbv_log *log = read_csv("# a\nt,q1\n0,1\n1,1\n\n# b\n2,1\n3,1\n#\n4,1\n");
  static const ptrdiff_t want[] = {3, 4, 7, 8, 10};
  for (int k = 0; k < 5; k++) assert_int_equal(rbv_log_line(log, k), want[k]);
  assert_int_equal(rbv_log_line(log, 5), 0);
  assert_int_equal(rbv_log_line(log, -1), 0);
  rbv_log_free(log);
}

static void test_rate(void **state) {
  (void)state;
  rbv_log *log = read_csv("t,q1\n1,0\n1.25,0\n1.5,0\n1.75,0\n2,0\n");
  rbv_log_rate r = rbv_log_get_rate(log);
  assert_true(r.known && r.increasing && r.regular);
  assert_true(r.start == 1 && r.duration == 1 && r.period == 0.25 && r.median == 0.25);
  assert_true(r.shortest == 0.25 && r.longest == 0.25 && r.jitter == 0);
  rbv_log_free(log);

  // steps 1, 2, 1, 4: median 1 (the lower of 1 and 2), mean 2, jitter sqrt((0 + 1 + 0 + 9) / 4)
  log = read_csv("t,q1\n0,0\n1,0\n3,0\n4,0\n8,0\n");
  r = rbv_log_get_rate(log);
  assert_true(r.known && r.increasing && !r.regular);
  assert_true(r.median == 1 && r.period == 2 && r.shortest == 1 && r.longest == 4);
  assert_near(r.jitter, sqrt(2.5), 1e-15, 0);
  rbv_log_free(log);

  log = read_csv("t,q1\n0,0\n1,0\n0.5,0\n2,0\n");
  r = rbv_log_get_rate(log);
  assert_true(r.known && !r.increasing && !r.regular && r.shortest == -0.5);
  rbv_log_free(log);

  const char *const unknown[] = {"q1,q2\n0,0\n1,0\n", "t,q1\n0,0\n", "t,q1\nnan,0\nnan,0\n"};
  for (int i = 0; i < RBV_COUNT(unknown); i++) {
    log = read_csv(unknown[i]);
    assert_false(rbv_log_get_rate(log).known);
    rbv_log_free(log);
  }
}

/* Rows are the same when read at once or in pieces of any size, from a file or from memory. */
static void test_pieces_make_the_whole(void **state) {
  (void)state;
  rbv_text text = {0};
  rbv_text_put(&text, "# long\nt,q1,q2\n");
  const int n = 100000;  // 3 MB: several buffers
  for (int k = 0; k < n; k++) {
    rbv_text_print(&text, "%d,%.17g,%.9g\n", k, rbv_random_normal(1, 1, (uint64_t)k),
                   rbv_random_normal(1, 2, (uint64_t)k));
    if (k % 777 == 0) rbv_text_put(&text, "# talk\n");
  }
  const char *path = temp_file("long.csv", rbv_text_string(&text));
  rbv_log *whole;
  assert_ok(rbv_log_parse(&whole, "long", text.data, text.size, NULL));
  assert_int_equal(rbv_log_samples(whole), n);

  rows *r;
  assert_ok(csv_open(&r, path, NULL));
  assert_int_equal(r->ncol, 3);
  assert_string_equal(r->names[2], "q2");
  const row_place start = rows_tell(r);
  const ptrdiff_t pieces[] = {1, 1000, 4096, n, n + 5};
  for (int i = 0; i < RBV_COUNT(pieces); i++) {
    const ptrdiff_t most = pieces[i], ld = most + 3;
    double *part = malloc(sizeof(double) * 3 * (size_t)ld);
    ptrdiff_t from = 0, got;
    assert_ok(rows_seek(r, &start));
    do {
      assert_ok(rows_read(&got, r, part, most, ld));
      for (int j = 0; j < 3; j++)
        assert_memory_equal(part + j * ld, rbv_log_column_at(whole, j)->values + from,
                            sizeof(double) * (size_t)got);
      from += got;
    } while (got > 0);
    assert_int_equal(from, n);
    free(part);
  }
  rows_close(r);
  rows_close(NULL);
  for (int k = 0; k < n; k += 111) {
    const double want = rbv_random_normal(1, 1, (uint64_t)k);
    assert_true(rbv_log_channel(whole, RBV_CHANNEL_POSITION, 0)[k] == want);
    assert_int_equal(rbv_log_line(whole, k), 3 + k + (k + 776) / 777);
  }
  rbv_log_free(whole);
  rbv_text_free(&text);
}

/* A line that is longer than the buffer makes the buffer grow. */
static void test_long_lines(void **state) {
  (void)state;
  rbv_text text = {0};
  rbv_text_put(&text, "t,q1\n0,");
  for (int k = 0; k < 3000000; k++) rbv_text_add(&text, "1", 1);
  rbv_text_put(&text, "e-3000000\n1,2\n");
  rbv_log *log;
  assert_ok(rbv_log_parse(&log, "x.csv", text.data, text.size, NULL));
  assert_near(rbv_log_channel(log, RBV_CHANNEL_POSITION, 0)[0], 1.0 / 9, 1e-16, 0);
  assert_true(rbv_log_channel(log, RBV_CHANNEL_POSITION, 0)[1] == 2);
  rbv_log_free(log);
  rbv_text_free(&text);
}

/* A pipe is opened once, read once and kept. Repeated, because a second open would block only
 * sometimes. */
static void test_pipe(void **state) {
  (void)state;
  char path[300];
  strcpy(path, temp_file("pipe", NULL));
  if (mkfifo(path, 0600) != 0) fail_msg("no fifo");
  for (int i = 0; i < 100; i++) {
    const pid_t child = fork();
    if (child == 0) {
      FILE *f = fopen(path, "w");
      _exit(f && fputs("t;q1\n0;0,5\n1;1,5\n", f) >= 0 && fclose(f) == 0 ? 0 : 1);
    }
    alarm(20);
    // the writer waits for us, or we for the writer
    if (i % 2) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    rbv_log *log;
    assert_ok(rbv_log_load(&log, path, NULL));
    alarm(0);
    assert_true(rbv_log_channel(log, RBV_CHANNEL_POSITION, 0)[1] == 1.5);
    rbv_log_free(log);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
  }
}

/* Damaged text is read, or refused with a message that begins with the name. */
static void test_damaged_text(void **state) {
  (void)state;
  const char *const seeds[] = {"# a\nt,q1,\"tau1\"\n0,1.25,-0\n0.5,nan,-1e3\n1,3.25,-2000\n",
                               "t;q1;tau1\r\n0;1,25;-0\r\n0,5;2,25;-1e3\r\n",
                               "\t t q1\ttau1\n0 1.25 -0 \n0.5\t2.25  -1e3\n", "1,2,3\n4,5,6"};
  const char alphabet[] = "0123456789.,;\t \"#\r\n-+eEnatq\0\xFF";
  for (uint64_t i = 0; i < 40000; i++) {
    char text[128];
    strcpy(text, seeds[i % 4]);
    size_t n = strlen(text);
    for (uint64_t k = 0; k < 1 + i % 5; k++) {
      const uint64_t r = rbv_random_bits(3, i, k);
      text[r % n] = alphabet[(r >> 32) % (sizeof alphabet - 1)];
    }
    if (i % 7 == 0) n = rbv_random_bits(3, i, 99) % n;
    rbv_log *log;
    const rbv_status status = rbv_log_parse(&log, "x.csv", text, n, NULL);
    if (status == RBV_OK) {
      assert_true(rbv_log_samples(log) > 0);
    } else {
      assert_int_equal(status, RBV_EINPUT);
      assert_memory_equal(rbv_message(), "x.csv:", 6);
    }
    rbv_log_free(log);
  }
}

static void test_log_from_memory(void **state) {
  (void)state;
  const char *const names[] = {"t", "q1"};
  const double A[] = {0, 1, 2, 99, 10, 11, 12, 99};
  rbv_log *log;
  assert_ok(rbv_log_new(&log, "made", names, 2, A, 3, 4));
  assert_int_equal(rbv_log_samples(log), 3);
  assert_true(rbv_log_channel(log, RBV_CHANNEL_POSITION, 0)[2] == 12);
  assert_int_equal(rbv_log_line(log, 1), 0);
  assert_string_equal(rbv_log_format(log), "memory");
  rbv_log_free(log);
  assert_refused(rbv_log_new(&log, "made", names, 2, A, 3, 2), RBV_EDIM, "leading dimension 2");
  assert_refused(rbv_log_new(&log, "made", names, 2, NULL, 3, 4), RBV_EARG, "no values");
}

static rbv_status load_once(void *state) {
  rbv_log *log;
  const rbv_status status = rbv_log_load(&log, state, NULL);
  if (status != RBV_OK) assert_null(log);
  rbv_log_free(log);
  return status;
}

static rbv_status new_once(void *state) {
  (void)state;
  const char *const names[] = {"t", "q1"};
  const double A[] = {0, 1, 2, 10, 11, 12};
  rbv_log *log;
  const rbv_status status = rbv_log_new(&log, "made", names, 2, A, 3, 3);
  rbv_log_free(log);
  return status;
}

static void test_each_allocation_may_fail(void **state) {
  (void)state;
  char path[300];
  strcpy(path,
         temp_file("alloc.csv", "# a\n# t q1\n0 1\n1 2\n\n2 3\n\n3 3\n\n4 4\n\n5 5\n\n6 6\n"));
  fail_each_allocation(load_once, path);
  fail_each_allocation(new_once, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_dress_gives_the_same_table),
      cmocka_unit_test(test_names_have_a_meaning),
      cmocka_unit_test(test_log_tells_what_it_has),
      cmocka_unit_test(test_what_is_no_number_but_no_text_either),
      cmocka_unit_test(test_refusals_say_where),
      cmocka_unit_test(test_files_that_cannot_be_read),
      cmocka_unit_test(test_lines_of_samples),
      cmocka_unit_test(test_rate),
      cmocka_unit_test(test_pieces_make_the_whole),
      cmocka_unit_test(test_long_lines),
      cmocka_unit_test(test_pipe),
      cmocka_unit_test(test_damaged_text),
      cmocka_unit_test(test_log_from_memory),
      cmocka_unit_test(test_each_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
