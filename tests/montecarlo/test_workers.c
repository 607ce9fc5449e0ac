/* Lane workers: one task runs at a time, waiting lanes share a simulation, failures are passed on.
 */
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "montecarlo/lane_workers.h"
#include "support.h"

#define LANES 5
#define MOST 64

typedef struct {
  rbv_lane_workers *workers;
  int wanted[LANES];         // simulations that a lane needs
  int done[LANES];           // simulations that it got
  rbv_status fails[LANES];   // status at its end
  int count, size[MOST];     // simulations, and the number of lanes of each
  int refused;               // simulation that fails; -1: none
  rbv_status status[LANES];  // of the last simulation of a lane
  char message[LANES][64];   // of a simulation that failed
  bool at_work;              // a task is running
  bool clash;                // two tasks were; cmocka asserts only work in the main thread
} job;

static rbv_status work(void *self, int lane) {
  job *j = self;
  for (int i = 0; i < j->wanted[lane]; i++) {
    j->clash = j->clash || j->at_work;
    j->at_work = true;
    // give other threads a chance to interfere
    for (int k = 0; k < 20; k++) sched_yield();
    j->at_work = false;
    j->status[lane] = rbv_lane_workers_wait(j->workers, lane);
    if (j->status[lane] != RBV_OK)
      snprintf(j->message[lane], sizeof j->message[lane], "%.63s", rbv_message());
    j->done[lane]++;
  }
  return j->fails[lane] == RBV_OK ? RBV_OK : rbv_fail(j->fails[lane], "lane %d", lane);
}

static rbv_status simulate(void *self, const bool *waiting) {
  job *j = self;
  j->clash = j->clash || j->at_work;
  for (int k = 0; k < LANES && j->count < MOST; k++) j->size[j->count] += waiting[k];
  const int now = j->count++;
  return now == j->refused ? rbv_fail(RBV_ENUM, "simulation %d", now) : RBV_OK;
}

static rbv_status run(job *j, int count) {
  const rbv_lane_task task = {work, simulate, j};
  memset(j->done, 0, sizeof j->done);
  memset(j->size, 0, sizeof j->size);
  j->count = 0;
  const rbv_status status = rbv_lane_workers_run(j->workers, count, &task);
  assert_false(j->clash);
  assert_in_range(j->count, 0, MOST);
  return status;
}

/* as many simulations as the lane with most of them needs, with fewer and fewer lanes */
static void test_waiting_lanes_share_a_simulation(void **state) {
  (void)state;
  job j = {.wanted = {3, 1, 0, 4, 3}, .refused = -1};
  assert_ok(rbv_lane_workers_new(&j.workers, LANES, LANES));
  // the same threads are used again
  for (int again = 0; again < 50; again++) {
    assert_ok(run(&j, LANES));
    assert_int_equal(j.count, 4);
    const int size[] = {4, 3, 3, 1};
    assert_memory_equal(j.size, size, sizeof size);
    assert_memory_equal(j.done, j.wanted, sizeof j.done);
  }
  // only the first two lanes
  assert_ok(run(&j, 2));
  assert_int_equal(j.count, 3);
  assert_int_equal(j.size[0] + j.size[1] + j.size[2], 4);
  assert_int_equal(j.done[3], 0);
  rbv_lane_workers_free(j.workers);
}

/* lanes that have not started do not block a simulation */
static void test_fewer_threads_than_lanes(void **state) {
  (void)state;
  for (int threads = 1; threads < LANES; threads++) {
    job j = {.wanted = {2, 2, 2, 2, 2}, .refused = -1};
    assert_ok(rbv_lane_workers_new(&j.workers, LANES, threads));
    assert_ok(run(&j, LANES));
    assert_memory_equal(j.done, j.wanted, sizeof j.done);
    int sum = 0;
    for (int k = 0; k < j.count; k++) {
      assert_in_range(j.size[k], 1, threads);
      sum += j.size[k];
    }
    assert_int_equal(sum, 2 * LANES);
    assert_int_equal(j.size[0], threads);
    rbv_lane_workers_free(j.workers);
  }
}

/* all other lanes continue; the caller gets status and message of the first failure */
static void test_lanes_that_fail(void **state) {
  (void)state;
  job j = {.wanted = {3, 1, 2, 0, 3}, .refused = -1};
  j.fails[2] = RBV_EMEM;
  j.fails[3] = RBV_EINPUT;
  assert_ok(rbv_lane_workers_new(&j.workers, LANES, LANES));
  assert_int_equal(run(&j, LANES), RBV_EMEM);
  assert_string_equal(rbv_message(), "lane 2");
  assert_memory_equal(j.done, j.wanted, sizeof j.done);
  // the next run does not remember it
  j.fails[2] = j.fails[3] = RBV_OK;
  assert_ok(run(&j, LANES));
  rbv_lane_workers_free(j.workers);
}

/* every lane of the failed simulation gets its status and message, and no other lane */
static void test_simulation_that_fails(void **state) {
  (void)state;
  job j = {.wanted = {2, 1, 2, 3, 2}, .refused = 1};
  assert_ok(rbv_lane_workers_new(&j.workers, LANES, LANES));
  assert_ok(run(&j, LANES));
  for (int k = 0; k < LANES; k++) {
    const bool there = j.wanted[k] == 2;
    assert_int_equal(j.status[k], there ? RBV_ENUM : RBV_OK);
    if (there) assert_string_equal(j.message[k], "simulation 1");
  }
  rbv_lane_workers_free(j.workers);
}

static rbv_status make(void *state) {
  (void)state;
  rbv_lane_workers *c;
  const rbv_status status = rbv_lane_workers_new(&c, LANES, LANES);
  assert_int_equal(c != NULL, status == RBV_OK);
  rbv_lane_workers_free(c);
  return status;
}

static void test_failing_allocations(void **state) { fail_each_allocation(make, *state); }

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_waiting_lanes_share_a_simulation),
      cmocka_unit_test(test_fewer_threads_than_lanes),
      cmocka_unit_test(test_lanes_that_fail),
      cmocka_unit_test(test_simulation_that_fails),
      cmocka_unit_test(test_failing_allocations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
