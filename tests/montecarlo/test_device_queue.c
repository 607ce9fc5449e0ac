/*
 * Simulations of several workers on one device, with the stand-in in plain C: every worker gets
 * what a call of its own gives, requests that wait become one call, a failure reaches all whom it
 * concerns, and a cancelled job does not block the others.
 */
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arm.h"
#include "device/device.h"
#include "device/device_internal.h"
#include "device/plain_device.h"
#include "montecarlo/device_queue.h"
#include "support.h"

#define N 2
#define KINDS 2   // populations, with references of different length
#define TICKS 40  // of the longer one
#define PLANTS 3  // of a request
#define JOBS 24
#define ROUNDS 3  // requests of a job
#define WORKERS 8
#define COMPUTING 2
#define RATE 1000.0

/* ---- a device that counts ---- */

static atomic_int calls, plants_of_all, plants_of_largest, plants_refused, at_work;
static atomic_int refused;  // number of the call that fails; -1: none
static atomic_bool overlap;

static void pause_ms(int ms) { nanosleep(&(struct timespec){.tv_nsec = ms * 1000000L}, NULL); }

static int counted_loop(const device_loop *l, const device_loop_arrays *a, device_continue *go,
                        void *self, char *text, size_t size) {
  const int number = atomic_fetch_add(&calls, 1);
  if (atomic_fetch_add(&at_work, 1) > 0) overlap = true;
  pause_ms(10);  // other workers arrive
  plants_of_all += (int)l->plants;
  if (l->plants > plants_of_largest) plants_of_largest = (int)l->plants;
  int result = 2;
  if (number == refused) {
    plants_refused = (int)l->plants;
    snprintf(text, size, "call %d is refused", number);
  } else {
    result = rbv_plain_device.loop(l, a, go, self, text, size);
  }
  atomic_fetch_sub(&at_work, 1);
  return result;
}

/* ---- workers ---- */

typedef struct {
  double q[TICKS * N], tau[TICKS * N];
} motion;

typedef struct {
  rbv_model *m;
  rbv_control *c;
  rbv_device *device;
  device_table table;
  rbv_population *population[KINDS];
  double reference[TICKS * N];
  rbv_device_queue *queue;
  // requests that were served, failed with the message of the device, or got wrong results
  atomic_int served, failed, wrong;
  atomic_int computing, most_computing;
  int cancel;     // the flag
  int cancel_at;  // job that sets it and makes no request, -1: none
} fixture;

static rbv_sim_reference reference_of(const fixture *f, int kind) {
  const ptrdiff_t count = kind == 0 ? TICKS : TICKS / 2;
  return (rbv_sim_reference){.count = count, .ld = count, .q = f->reference};
}

/* every plant of every request has parameters of its own */
typedef struct {
  int kind;
  double chi[PLANTS][64];
  motion motion[PLANTS];
  rbv_sim_lane lane[PLANTS];
  rbv_sim_trace trace[PLANTS];
  rbv_sim_outcome outcome[PLANTS];
} request;

static void fill_request(request *r, const fixture *f, int number) {
  memset(r, 0, sizeof *r);
  r->kind = number % KINDS;
  for (int p = 0; p < PLANTS; p++) {
    memcpy(r->chi[p], rbv_model_parameters(f->m),
           (size_t)rbv_model_column_count(f->m) * sizeof *r->chi[p]);
    const int plant = number * PLANTS + p;
    r->chi[p][rbv_model_find(f->m, "Fv1")] *= 1 + 0.01 * plant;
    // some cannot be simulated to the end
    if (plant % 7 == 3) r->chi[p][rbv_model_find(f->m, "ZZ1")] = -5;
    r->lane[p].chi = r->chi[p];
    r->trace[p] = (rbv_sim_trace){
        .ld = reference_of(f, r->kind).count, .q = r->motion[p].q, .tau = r->motion[p].tau};
  }
}

/* the same without the queue, computed beforehand */
static motion expected[JOBS * ROUNDS][PLANTS];
static rbv_sim_outcome expected_outcome[JOBS * ROUNDS][PLANTS];

static void ask(fixture *f, request *r, int number) {
  fill_request(r, f, number);
  const rbv_sim_reference own = reference_of(f, r->kind);
  const rbv_status status = rbv_device_queue_run(r->outcome, f->queue, f->population[r->kind], &own,
                                                 r->lane, r->trace, PLANTS);
  if (status != RBV_OK) {
    f->failed += strstr(rbv_message(), "is refused") != NULL;
    return;
  }
  bool same = true;
  for (int p = 0; p < PLANTS; p++)
    same = same && r->outcome[p].verdict == expected_outcome[number][p].verdict &&
           r->outcome[p].samples == expected_outcome[number][p].samples &&
           memcmp(&r->motion[p], &expected[number][p], sizeof r->motion[p]) == 0;
  f->served++;
  f->wrong += !same;
}

/* what a worker computes between its requests */
static void compute(fixture *f) {
  const int now = ++f->computing;
  if (now > f->most_computing) f->most_computing = now;
  pause_ms(1);
  f->computing--;
}

static rbv_status run_job(rbv_bytes *out, void *worker, void *self, ptrdiff_t index) {
  (void)out;
  (void)worker;
  fixture *f = self;
  request *r = malloc(sizeof *r);
  if (!r) return RBV_EMEM;
  rbv_device_queue_enter(f->queue);
  compute(f);
  if (index == f->cancel_at) rbv_cancel(&f->cancel);
  for (int i = 0; i < ROUNDS && index != f->cancel_at; i++) {
    ask(f, r, (int)index * ROUNDS + i);
    compute(f);
  }
  rbv_device_queue_leave(f->queue);
  free(r);
  return RBV_OK;
}

static rbv_jobs_info run_jobs(fixture *f, int workers, int jobs) {
  const rbv_jobs what = {.self = f, .count = jobs, .run = run_job};
  const rbv_jobs_options how = {.threads = workers, .cancel = &f->cancel};
  rbv_jobs_info info;
  calls = plants_of_all = plants_of_largest = plants_refused = 0;
  f->served = f->failed = f->wrong = f->most_computing = 0;
  f->cancel = 0;
  assert_ok(rbv_device_queue_new(&f->queue, COMPUTING, workers));
  assert_ok(rbv_jobs_run(&info, &what, &how));
  rbv_device_queue_free(f->queue);
  assert_false(overlap);
  assert_int_equal(f->wrong, 0);
  return info;
}

/* ---- set-up ---- */

static int set_up(void **state) {
  static fixture f;
  rbv_control_joint joint[N];
  for (int j = 0; j < N; j++) {
    joint[j] = rbv_control_joint_defaults();
    joint[j].k_p = j == 0 ? 400 : 100;
    joint[j].k_d = j == 0 ? 20 : 5;
    joint[j].filter_s = 2e-3;
  }
  for (int k = 0; k < TICKS * N; k++) f.reference[k] = 0.3 * sin(0.05 * k);
  f.cancel_at = refused = -1;
  f.table = rbv_plain_device;
  f.table.loop = counted_loop;
  assert_ok(rbv_model_parse(&f.m, "arm.yaml", light_arm, strlen(light_arm), NULL));
  assert_true(rbv_model_column_count(f.m) <= 64);
  assert_ok(rbv_control_new(&f.c, "pd", RATE, RBV_FEEDFORWARD_NONE, joint, N));
  assert_ok(rbv_device_of_table(&f.device, &f.table));
  for (int i = 0; i < KINDS; i++)
    assert_ok(rbv_population_new(&f.population[i], f.m, f.c, NULL, 0, f.device));
  for (int number = 0; number < JOBS * ROUNDS; number++) {
    static request r;
    bool stopped;
    fill_request(&r, &f, number);
    const rbv_population_run_plan plan = {.reference = reference_of(&f, r.kind), .trace = r.trace};
    assert_ok(
        rbv_population_run(NULL, r.outcome, &stopped, f.population[r.kind], &plan, r.lane, PLANTS));
    memcpy(expected[number], r.motion, sizeof r.motion);
    memcpy(expected_outcome[number], r.outcome, sizeof r.outcome);
    for (int p = 0; p < PLANTS; p++)
      assert_true((r.outcome[p].verdict == RBV_SIM_DONE) == ((number * PLANTS + p) % 7 != 3));
  }
  // the plants differ, so that an exchange of results would be seen
  assert_true(memcmp(&expected[0][0], &expected[0][1], sizeof(motion)) != 0);
  *state = &f;
  return 0;
}

static int tear_down(void **state) {
  fixture *f = *state;
  for (int i = 0; i < KINDS; i++) rbv_population_free(f->population[i]);
  rbv_device_close(f->device);
  rbv_control_free(f->c);
  rbv_model_free(f->m);
  return 0;
}

/* ---- tests ---- */

static void test_all_workers_are_served(void **state) {
  fixture *f = *state;
  const rbv_jobs_info info = run_jobs(f, WORKERS, JOBS);
  assert_int_equal(info.done, JOBS);
  assert_int_equal(f->served, JOBS * ROUNDS);
  assert_int_equal(plants_of_all, JOBS * ROUNDS * PLANTS);
  // requests that wait while the device computes become one call
  assert_true(plants_of_largest > PLANTS && calls < JOBS * ROUNDS);
  assert_int_equal(f->most_computing, COMPUTING);
}

/* no other worker will make a request: the call starts at once */
static void test_few_workers(void **state) {
  fixture *f = *state;
  for (int workers = 1; workers <= 3; workers++) {
    assert_int_equal(run_jobs(f, workers, 2).done, 2);
    assert_int_equal(f->served, 2 * ROUNDS);
  }
}

/* every worker of the call gets its message, and no other */
static void test_a_call_that_fails(void **state) {
  fixture *f = *state;
  for (int number = 0; number < 4; number++) {
    refused = number;
    run_jobs(f, WORKERS, JOBS);
    assert_true(plants_refused > 0 && plants_refused % PLANTS == 0);
    assert_int_equal(f->failed, plants_refused / PLANTS);
    assert_int_equal(f->served, JOBS * ROUNDS - f->failed);
  }
  refused = -1;
}

/* requests that were made are served; a job that makes none does not block the others */
static void test_cancelled_jobs(void **state) {
  fixture *f = *state;
  f->cancel_at = 5;
  const rbv_jobs_info info = run_jobs(f, WORKERS, JOBS);
  f->cancel_at = -1;
  assert_in_range(info.done, 1, JOBS - 1);
  assert_int_equal(f->served, (info.done - 1) * ROUNDS);
  assert_int_equal(f->failed, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_all_workers_are_served),
      cmocka_unit_test(test_few_workers),
      cmocka_unit_test(test_a_call_that_fails),
      cmocka_unit_test(test_cancelled_jobs),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
