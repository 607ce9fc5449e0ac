/* A crew: one works at a time, those who wait meet, failures find their way to the caller. */
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "montecarlo/lane_crew.h"
#include "support.h"

#define PIECES 5
#define MOST 64

typedef struct {
  rbv_crew *crew;
  int visits[PIECES];         // meetings that a piece goes to
  int seen[PIECES];           // that it came back from
  rbv_status fails[PIECES];   // how it ends
  int meeting, size[MOST];    // meetings that there were, and how many came
  int refused;                // meeting that fails; -1: none
  rbv_status told[PIECES];    // status of the last meeting that a piece went to
  char sentence[PIECES][64];  // and what it said
  bool at_work;               // somebody is
  bool clash;                 // two were; asserts belong to the test's own thread
} job;

static rbv_status work(void *self, int piece) {
  job *j = self;
  for (int i = 0; i < j->visits[piece]; i++) {
    j->clash = j->clash || j->at_work;
    j->at_work = true;
    // others may get in the way, if they can
    for (int k = 0; k < 20; k++) sched_yield();
    j->at_work = false;
    j->told[piece] = rbv_crew_meet(j->crew, piece);
    if (j->told[piece] != RBV_OK)
      snprintf(j->sentence[piece], sizeof j->sentence[piece], "%.63s", rbv_message());
    j->seen[piece]++;
  }
  return j->fails[piece] == RBV_OK ? RBV_OK : rbv_fail(j->fails[piece], "piece %d", piece);
}

static rbv_status together(void *self, const bool *waits) {
  job *j = self;
  j->clash = j->clash || j->at_work;
  for (int k = 0; k < PIECES && j->meeting < MOST; k++) j->size[j->meeting] += waits[k];
  const int now = j->meeting++;
  return now == j->refused ? rbv_fail(RBV_ENUM, "meeting %d", now) : RBV_OK;
}

static rbv_status run(job *j, int count) {
  const rbv_crew_task task = {work, together, j};
  memset(j->seen, 0, sizeof j->seen);
  memset(j->size, 0, sizeof j->size);
  j->meeting = 0;
  const rbv_status status = rbv_crew_run(j->crew, count, &task);
  assert_false(j->clash);
  assert_in_range(j->meeting, 0, MOST);
  return status;
}

/* as many meetings as the piece that needs the most, and fewer and fewer who come */
static void test_all_who_wait_meet(void **state) {
  (void)state;
  job j = {.visits = {3, 1, 0, 4, 3}, .refused = -1};
  assert_ok(rbv_crew_new(&j.crew, PIECES, PIECES));
  // the same hands again and again
  for (int again = 0; again < 50; again++) {
    assert_ok(run(&j, PIECES));
    assert_int_equal(j.meeting, 4);
    const int size[] = {4, 3, 3, 1};
    assert_memory_equal(j.size, size, sizeof size);
    assert_memory_equal(j.seen, j.visits, sizeof j.seen);
  }
  // only the first
  assert_ok(run(&j, 2));
  assert_int_equal(j.meeting, 3);
  assert_int_equal(j.size[0] + j.size[1] + j.size[2], 4);
  assert_int_equal(j.seen[3], 0);
  rbv_crew_free(j.crew);
}

/* what cannot be begun is not waited for */
static void test_fewer_hands_than_pieces(void **state) {
  (void)state;
  for (int hands = 1; hands < PIECES; hands++) {
    job j = {.visits = {2, 2, 2, 2, 2}, .refused = -1};
    assert_ok(rbv_crew_new(&j.crew, PIECES, hands));
    assert_ok(run(&j, PIECES));
    assert_memory_equal(j.seen, j.visits, sizeof j.seen);
    int sum = 0;
    for (int k = 0; k < j.meeting; k++) {
      assert_in_range(j.size[k], 1, hands);
      sum += j.size[k];
    }
    assert_int_equal(sum, 2 * PIECES);
    assert_int_equal(j.size[0], hands);
    rbv_crew_free(j.crew);
  }
}

/* all others go on; the sentence of the first crosses over to the caller's thread */
static void test_pieces_that_fail(void **state) {
  (void)state;
  job j = {.visits = {3, 1, 2, 0, 3}, .refused = -1};
  j.fails[2] = RBV_EMEM;
  j.fails[3] = RBV_EINPUT;
  assert_ok(rbv_crew_new(&j.crew, PIECES, PIECES));
  assert_int_equal(run(&j, PIECES), RBV_EMEM);
  assert_string_equal(rbv_message(), "piece 2");
  assert_memory_equal(j.seen, j.visits, sizeof j.seen);
  // and forgotten the next time
  j.fails[2] = j.fails[3] = RBV_OK;
  assert_ok(run(&j, PIECES));
  rbv_crew_free(j.crew);
}

/* everybody who came hears of it, in a thread of its own, and nobody who did not */
static void test_a_meeting_that_fails(void **state) {
  (void)state;
  job j = {.visits = {2, 1, 2, 3, 2}, .refused = 1};
  assert_ok(rbv_crew_new(&j.crew, PIECES, PIECES));
  assert_ok(run(&j, PIECES));
  for (int k = 0; k < PIECES; k++) {
    const bool there = j.visits[k] == 2;
    assert_int_equal(j.told[k], there ? RBV_ENUM : RBV_OK);
    if (there) assert_string_equal(j.sentence[k], "meeting 1");
  }
  rbv_crew_free(j.crew);
}

static rbv_status make(void *state) {
  (void)state;
  rbv_crew *c;
  const rbv_status status = rbv_crew_new(&c, PIECES, PIECES);
  assert_int_equal(c != NULL, status == RBV_OK);
  rbv_crew_free(c);
  return status;
}

static void test_allocations_fail(void **state) { fail_each_allocation(make, *state); }

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_all_who_wait_meet), cmocka_unit_test(test_fewer_hands_than_pieces),
      cmocka_unit_test(test_pieces_that_fail),  cmocka_unit_test(test_a_meeting_that_fails),
      cmocka_unit_test(test_allocations_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
