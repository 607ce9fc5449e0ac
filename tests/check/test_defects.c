/*
 * Twelve defects, twenty seeds each, on logs of three robots that differ from their priors: at
 * least 95 % must be named, and nothing else blamed; at most 5 % of clean logs may raise an alarm.
 * Thresholds were chosen on seeds from 1001 on; another first seed can be given as an argument.
 */
#include "simulate.h"

#define SEEDS 20
#define CODES 64

static uint64_t first_seed = 1;
static bool talkative;

/* did it name the defect, and none of the other eleven? */
static bool named(const rbv_check_report *r, defect what, int *blamed) {
  bool hit = what == CLEAN, wrong = false;
  for (int i = 0; i < r->nfinding; i++) {
    if (r->finding[i].severity < RBV_SEVERITY_WARNING) continue;
    const rbv_finding_code code = r->finding[i].code;
    blamed[code]++;
    if (what == CLEAN) wrong = true;
    if (what != CLEAN && code == defect_code[what]) hit = true;
    for (int k = CLEAN + 1; k < DEFECTS; k++)
      if (k != (int)what && code == defect_code[k]) wrong = true;
  }
  return hit && !wrong;
}

static bool examine(rbv_model *const robots[ROBOTS], int robot, bool moves, defect what,
                    uint64_t seed, int *blamed) {
  deed did;
  rbv_log *log = make_log(&did, robots, robot, moves, what, seed);
  rbv_check_report *report = NULL;
  const rbv_log *logs[] = {log};
  assert_ok(rbv_check(&report, robots[robot], logs, 1, NULL));
  const bool good = named(report, what, blamed);
  if (!good && talkative) {
    print_message("seed %d robot %d %s %s joint %d other %d mode %d factor %.3g\n", (int)seed,
                  robot, moves ? "moves" : "sines", defect_name[what], did.joint + 1, did.other + 1,
                  did.mode, did.factor);
    for (int i = 0; i < report->nfinding; i++)
      print_message("   %s\n", report->finding[i].sentence);
  }
  rbv_check_free(report);
  rbv_log_free(log);
  return good;
}

static void print_row(const char *name, int good, int all, const int *blamed) {
  print_message("%-12s %3d of %3d;", name, good, all);
  for (int c = 0; c < CODES; c++)
    if (blamed[c]) print_message(" %s %d", rbv_finding_name((rbv_finding_code)c), blamed[c]);
  print_message("\n");
}

static void test_defects_are_named(void **state) {
  rbv_model *const *robots = *state;
  int good[DEFECTS] = {0}, blamed[DEFECTS][CODES] = {{0}}, all = 0, total = 0;
  for (int what = CLEAN + 1; what < DEFECTS; what++)
    for (uint64_t s = 0; s < SEEDS; s++) {
      const int robot = (int)(s % ROBOTS);
      const bool hit =
          examine(robots, robot, s / ROBOTS % 2, (defect)what, first_seed + s, blamed[what]);
      good[what] += hit;
      all += hit;
      total++;
    }
  bool enough = all >= 0.95 * total;
  for (int what = CLEAN + 1; what < DEFECTS; what++) enough &= good[what] >= 0.8 * SEEDS;
  if (!enough || talkative)
    for (int what = CLEAN + 1; what < DEFECTS; what++)
      print_row(defect_name[what], good[what], SEEDS, blamed[what]);
  if (!enough) fail_msg("%d of %d named, 95 %% wanted", all, total);
}

static void test_clean_logs_raise_no_alarm(void **state) {
  rbv_model *const *robots = *state;
  int good = 0, blamed[CODES] = {0}, total = 0;
  for (uint64_t s = 0; s < SEEDS; s++)
    for (int robot = 0; robot < ROBOTS; robot++) {
      good += examine(robots, robot, (s + (uint64_t)robot) % 2, CLEAN, first_seed + s, blamed);
      total++;
    }
  const bool enough = total - good <= 0.05 * total;
  if (!enough || talkative) print_row("clean", good, total, blamed);
  if (!enough) fail_msg("%d of %d clean logs raise an alarm, 5 %% allowed", total - good, total);
}

static int set_up(void **state) {
  static rbv_model *robots[ROBOTS];
  for (int i = 0; i < ROBOTS; i++) robots[i] = load_robot(i);
  *state = robots;
  return 0;
}

static int tear_down(void **state) {
  rbv_model *const *robots = *state;
  for (int i = 0; i < ROBOTS; i++) rbv_model_free(robots[i]);
  return 0;
}

int main(int argc, char **argv) {
  if (argc > 1) first_seed = strtoull(argv[1], NULL, 10);
  talkative = argc > 2;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_defects_are_named),
      cmocka_unit_test(test_clean_logs_raise_no_alarm),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
