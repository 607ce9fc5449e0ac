/* Jobs in a team of processes: child processes connected by sockets instead of MPI. */
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/support.h"
#include "support.h"

#define SIZE_MAX_TEAM 5
#define COUNT 61

/* ---- a transport: length, then bytes ---- */

typedef struct {
  int rank, size;
  int fd[SIZE_MAX_TEAM];  // of the leader: one per member; of a member: [0]
} wires;

static rbv_status send_bytes(void *self, int to, const void *data, size_t size) {
  const wires *w = self;
  const int fd = w->fd[to];
  if (write(fd, &size, sizeof size) != sizeof size) return rbv_fail(RBV_EWRITE, "broken");
  for (size_t done = 0; done < size;) {
    const ssize_t n = write(fd, (const char *)data + done, size - done);
    if (n <= 0) return rbv_fail(RBV_EWRITE, "broken");
    done += (size_t)n;
  }
  return RBV_OK;
}

static rbv_status receive_bytes(void *self, int *from, rbv_bytes *out) {
  wires *w = self;
  const int first = w->rank == 0 ? 1 : 0, last = w->rank == 0 ? w->size - 1 : 0;
  size_t size = 0;
  for (ssize_t got = 0; got == 0;) {
    struct pollfd p[SIZE_MAX_TEAM];
    for (int i = first; i <= last; i++) p[i] = (struct pollfd){.fd = w->fd[i], .events = POLLIN};
    if (poll(p + first, (nfds_t)(last - first + 1), 20000) < 1)
      return rbv_fail(RBV_EREAD, "nobody says anything");
    *from = first;
    while (!p[*from].revents) ++*from;
    got = read(w->fd[*from], &size, sizeof size);
    // ignore a member that has left
    if (got == 0) w->fd[*from] = -1;
  }
  while (size > 0) {
    char buffer[512];
    const ssize_t n = read(w->fd[*from], buffer, size < sizeof buffer ? size : sizeof buffer);
    if (n <= 0) return rbv_fail(RBV_EREAD, "cut off");
    rbv_bytes_add(out, buffer, (size_t)n);
    size -= (size_t)n;
  }
  return RBV_OK;
}

/* ---- jobs ---- */

typedef struct {
  int fail_at[2];  // jobs that fail, -1: none
  int count;       // jobs
  bool shared;
  int deserter;  // member that leaves before the jobs; 0: none
  int stranger;  // member with different jobs; 0: none
  bool early;    // the leader leaves before the jobs
  int rounds;
  const rbv_jobs_store *store;  // of the leader
} plan;

typedef struct {
  const plan *plan;
  int round;
  char text[20000];  // processed results, in order
} life;

static rbv_status run_job(rbv_bytes *out, void *worker, void *self, ptrdiff_t index) {
  (void)worker;
  const life *l = self;
  if (index == l->plan->fail_at[0] || index == l->plan->fail_at[1])
    return rbv_fail(RBV_EINPUT, "job %td does not like it", index);
  usleep((unsigned)(rbv_random_uniform(1, 2, (uint64_t)index) * 2000));
  char text[64];
  const int n = snprintf(text, sizeof text, "%d.%td:%llx\n", l->round, index,
                         (unsigned long long)rbv_random_bits(3, 4, (uint64_t)index));
  rbv_bytes_add(out, text, (size_t)n);
  return RBV_OK;
}

static rbv_status take(void *self, ptrdiff_t index, const void *data, size_t size) {
  (void)index;
  strncat(((life *)self)->text, data, size);
  return RBV_OK;
}

static rbv_status live(life *l, int rank) {
  const plan *p = l->plan;
  rbv_jobs jobs = {.name = "test",
                   .count = p->count,
                   .self = l,
                   .run = run_job,
                   .take = take,
                   .shared = p->shared};
  if (rank > 0 && rank == p->stranger) jobs.description = "other";
  const rbv_jobs_options o = {.threads = 2, .store = rank == 0 ? p->store : NULL};
  for (l->round = 0; l->round < p->rounds; l->round++) RBV_TRY(rbv_jobs_run(NULL, &jobs, &o));
  return RBV_OK;
}

/* Exit code 0: the right results were processed; 1: the jobs failed; 2: anything else. */
static int live_as_member(const plan *p, wires *w, const char *alone) {
  const rbv_team team = {w, w->rank, w->size, send_bytes, receive_bytes};
  life l = {.plan = p};
  if (rbv_team_join(&team) != RBV_OK || rbv_team_leads()) return 2;
  const bool deserts = w->rank == p->deserter;
  const rbv_status status = deserts ? RBV_OK : live(&l, w->rank);
  if (rbv_team_leave(deserts ? "no way" : "", NULL, NULL) != RBV_OK) return 2;
  if (status != RBV_OK) return 1;
  return strcmp(l.text, p->shared && !deserts ? alone : "") == 0 ? 0 : 2;
}

static void hear(void *payload, int member, const char *reason) {
  sprintf(strchr((char *)payload, 0), "%d says %s;", member, reason);
}

typedef struct {
  rbv_status status;
  char message[256], text[20000], heard[256];
  int member[SIZE_MAX_TEAM];  // exit codes
} history;

/* Run the plan with a team of this size. This process is the leader. */
static void muster(history *out, const plan *p, int size) {
  memset(out, 0, sizeof *out);
  // the results of one process without a team
  life alone = {.plan = p};
  const bool fails = live(&alone, 0) != RBV_OK;
  if (fails) alone.text[0] = 0;
  wires w = {.size = size};
  pid_t child[SIZE_MAX_TEAM];
  for (int i = 1; i < size; i++) {
    int pair[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    child[i] = fork();
    if (child[i] == 0) {
      wires mine = {.rank = i, .size = size, .fd = {pair[1]}};
      _exit(live_as_member(p, &mine, alone.text));
    }
    close(pair[1]);
    w.fd[i] = pair[0];
  }
  const rbv_team team = {&w, 0, size, send_bytes, receive_bytes};
  assert_ok(rbv_team_join(&team));
  assert_true(rbv_team_leads());
  static life l;
  l = (life){.plan = p};
  out->status = p->early ? RBV_OK : live(&l, 0);
  if (out->status != RBV_OK) snprintf(out->message, sizeof out->message, "%.255s", rbv_message());
  memcpy(out->text, l.text, sizeof l.text);
  assert_ok(rbv_team_leave("", hear, out->heard));
  for (int i = 1; i < size; i++) {
    int status;
    waitpid(child[i], &status, 0);
    assert_true(WIFEXITED(status));
    out->member[i] = WEXITSTATUS(status);
    close(w.fd[i]);
  }
  if (out->status == RBV_OK && !p->early) assert_string_equal(out->text, alone.text);
}

static plan usual(void) { return (plan){.fail_at = {-1, -1}, .count = COUNT, .rounds = 2}; }

/* ---- tests ---- */

static history h;

static void test_any_size_gives_the_same(void **state) {
  (void)state;
  for (int shared = 0; shared < 2; shared++)
    for (int size = 1; size <= SIZE_MAX_TEAM; size++) {
      plan p = usual();
      p.shared = shared;
      muster(&h, &p, size);
      assert_int_equal(h.status, RBV_OK);
      assert_true(strlen(h.text) > 1000);
      for (int i = 1; i < size; i++) assert_int_equal(h.member[i], 0);
      assert_string_equal(h.heard, "");
    }
}

static void test_fewer_jobs_than_members(void **state) {
  (void)state;
  for (int count = 0; count < 3; count++) {
    plan p = usual();
    p.count = count;
    p.shared = true;
    muster(&h, &p, 5);
    assert_int_equal(h.status, RBV_OK);
    for (int i = 1; i < 5; i++) assert_int_equal(h.member[i], 0);
  }
}

static void test_the_lowest_failure_is_everybodys(void **state) {
  (void)state;
  for (int size = 2; size <= SIZE_MAX_TEAM; size++) {
    plan p = usual();
    p.fail_at[0] = 23;
    p.fail_at[1] = 24;
    muster(&h, &p, size);
    assert_int_equal(h.status, RBV_EINPUT);
    assert_string_equal(h.message, "job 23 does not like it");
    for (int i = 1; i < size; i++) assert_int_equal(h.member[i], 1);
  }
}

static void test_one_that_leaves_is_not_missed(void **state) {
  (void)state;
  for (int size = 2; size <= 4; size++) {
    plan p = usual();
    p.deserter = size - 1;
    p.shared = true;
    muster(&h, &p, size);
    assert_int_equal(h.status, RBV_OK);
    char said[32];
    snprintf(said, sizeof said, "%d says no way;", size - 1);
    assert_string_equal(h.heard, said);
    for (int i = 1; i < size; i++) assert_int_equal(h.member[i], 0);
  }
}

static void test_other_jobs_are_refused(void **state) {
  (void)state;
  plan p = usual();
  p.stranger = 2;
  muster(&h, &p, 4);
  assert_int_equal(h.status, RBV_EINPUT);
  assert_non_null(strstr(h.message, "member 2 of the team has different jobs"));
}

static void test_members_end_with_their_leader(void **state) {
  (void)state;
  plan p = usual();
  p.early = true;
  muster(&h, &p, 4);
  for (int i = 1; i < 4; i++) assert_int_equal(h.member[i], 1);
}

/* ---- the leader's store ---- */

typedef struct {
  char text[COUNT][64];
  bool there[COUNT];
  int kept;
} shelf;

static bool find(void *self, ptrdiff_t index, const void **data, size_t *size) {
  const shelf *s = self;
  *data = s->text[index];
  *size = strlen(s->text[index]);
  return s->there[index];
}

static rbv_status keep(void *self, ptrdiff_t index, const void *data, size_t size) {
  shelf *s = self;
  assert_false(s->there[index]);
  snprintf(s->text[index], 64, "%.*s", (int)size, (const char *)data);
  s->there[index] = true;
  s->kept++;
  return RBV_OK;
}

static void test_what_is_stored_is_shared_not_run(void **state) {
  (void)state;
  static shelf s;
  s = (shelf){0};
  for (int i = 0; i < COUNT; i += 3) {
    snprintf(s.text[i], 64, "found %d\n", i);
    s.there[i] = true;
  }
  const int there = (COUNT + 2) / 3;
  const rbv_jobs_store store = {&s, find, keep, NULL};
  plan p = usual();
  p.rounds = 1;
  p.shared = true;
  p.store = &store;
  muster(&h, &p, 3);  // one process fills the store; the team then finds all results
  assert_int_equal(s.kept, COUNT - there);
  assert_non_null(strstr(h.text, "found 57\n"));
  for (int i = 1; i < 3; i++) assert_int_equal(h.member[i], 0);
}

static void test_refusals(void **state) {
  (void)state;
  rbv_team t = {.size = 2, .rank = 2, .send = send_bytes, .receive = receive_bytes};
  assert_refused(rbv_team_join(&t), RBV_EARG, "team");
  assert_ok(rbv_team_leave("", NULL, NULL));
  assert_true(rbv_team_leads());
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_any_size_gives_the_same),
      cmocka_unit_test(test_fewer_jobs_than_members),
      cmocka_unit_test(test_the_lowest_failure_is_everybodys),
      cmocka_unit_test(test_one_that_leaves_is_not_missed),
      cmocka_unit_test(test_other_jobs_are_refused),
      cmocka_unit_test(test_members_end_with_their_leader),
      cmocka_unit_test(test_what_is_stored_is_shared_not_run),
      cmocka_unit_test(test_refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
