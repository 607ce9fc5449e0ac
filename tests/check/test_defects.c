/*
 * Twelve defects with twenty seeds each, on logs of three robots that differ from their priors. At
 * least 95 % must be found, without a wrong finding; at most 5 % of clean logs may have a warning.
 * Thresholds were chosen on seeds from 1001 on; the first argument is another first seed.
 */
#include "simulate.h"

#define SEEDS 20
#define CODES 64

static uint64_t first_seed = 1;
static bool verbose;

/* true if the defect was found, and none of the other eleven */
static bool found(const rbv_check_result *r, defect what, int *codes) {
  bool hit = what == CLEAN, wrong = false;
  for (int i = 0; i < r->nfinding; i++) {
    const rbv_finding_code code = r->finding[i].code;
    // rows at gaps are left out, so that a gap is only told
    const bool told = what == GAP && code == RBV_FINDING_GAP;
    if (r->finding[i].severity < RBV_SEVERITY_WARNING && !told) continue;
    codes[code]++;
    if (what == CLEAN) wrong = true;
    if (what != CLEAN && code == defect_code[what]) hit = true;
    for (int k = CLEAN + 1; k < DEFECTS; k++)
      if (k != (int)what && code == defect_code[k]) wrong = true;
  }
  return hit && !wrong;
}

static bool examine(rbv_model *const robots[ROBOTS], int robot, bool moves, defect what,
                    uint64_t seed, int *codes) {
  defect_info info;
  rbv_log *log = make_log(&info, robots, robot, moves, what, seed);
  rbv_check_result *result = NULL;
  const rbv_log *logs[] = {log};
  assert_ok(rbv_check(&result, robots[robot], logs, 1, NULL));
  const bool good = found(result, what, codes);
  if (!good && verbose) {
    print_message("seed %d robot %d %s %s joint %d other %d mode %d factor %.3g\n", (int)seed,
                  robot, moves ? "moves" : "sines", defect_name[what], info.joint + 1,
                  info.other + 1, info.mode, info.factor);
    for (int i = 0; i < result->nfinding; i++)
      print_message("   %s\n", result->finding[i].sentence);
  }
  rbv_check_free(result);
  rbv_log_free(log);
  return good;
}

static void print_row(const char *name, int good, int all, const int *codes) {
  print_message("%-12s %3d of %3d;", name, good, all);
  for (int c = 0; c < CODES; c++)
    if (codes[c]) print_message(" %s %d", rbv_finding_name((rbv_finding_code)c), codes[c]);
  print_message("\n");
}

static void test_defects_are_found(void **state) {
  rbv_model *const *robots = *state;
  int good[DEFECTS] = {0}, codes[DEFECTS][CODES] = {{0}}, all = 0, total = 0;
  for (int what = CLEAN + 1; what < DEFECTS; what++)
    for (uint64_t s = 0; s < SEEDS; s++) {
      const int robot = (int)(s % ROBOTS);
      const bool hit =
          examine(robots, robot, s / ROBOTS % 2, (defect)what, first_seed + s, codes[what]);
      good[what] += hit;
      all += hit;
      total++;
    }
  bool enough = all >= 0.95 * total;
  for (int what = CLEAN + 1; what < DEFECTS; what++) enough &= good[what] >= 0.8 * SEEDS;
  if (!enough || verbose)
    for (int what = CLEAN + 1; what < DEFECTS; what++)
      print_row(defect_name[what], good[what], SEEDS, codes[what]);
  if (!enough) fail_msg("%d of %d found, 95 %% required", all, total);
}

static void test_clean_logs(void **state) {
  rbv_model *const *robots = *state;
  int good = 0, codes[CODES] = {0}, total = 0;
  for (uint64_t s = 0; s < SEEDS; s++)
    for (int robot = 0; robot < ROBOTS; robot++) {
      good += examine(robots, robot, (s + (uint64_t)robot) % 2, CLEAN, first_seed + s, codes);
      total++;
    }
  const bool enough = total - good <= 0.05 * total;
  if (!enough || verbose) print_row("clean", good, total, codes);
  if (!enough) fail_msg("%d of %d clean logs have a warning, 5 %% allowed", total - good, total);
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
  verbose = argc > 2;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_defects_are_found),
      cmocka_unit_test(test_clean_logs),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
