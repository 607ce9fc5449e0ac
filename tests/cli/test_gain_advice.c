/*
 * The advice to record with a second set of gains: given for every set of recordings that needs it,
 * and for none that has torques or two laws. Simulated robots of 1, 3 and 6 joints; the sets of
 * real recordings are in test_gain_advice_data.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "motions.h"
#include "strip_columns.h"
#include "support.h"
#include "tool.h"

#define ROBOTS 3

/* Robot file, and recordings under two laws with (a.csv) and without (b.csv) torques. */
static const struct {
  const char *name, *file;
  int joints;
  double k_p, k_d;
} robots[ROBOTS] = {{"pend", "pend.yaml", 1, 60, 6},
                    {"leg", "leg_true.yaml", 3, 25, 0.9},
                    {"tx40", "tx40", 6, 0, 0}};

static void write_law(FILE *f, int i, double factor) {
  fprintf(f, "joints: [");
  for (int j = 0; j < robots[i].joints; j++)
    fprintf(f, "%s{k_p: %g, k_d: %g, filter_s: 0.004}", j ? ", " : "", factor * robots[i].k_p,
            factor * robots[i].k_d);
  fprintf(f, "]\n");
}

/* NAME_1.yaml and NAME_2.yaml: one law each; NAME_laws.yaml: of both recordings */
static void write_laws(int i) {
  char file[64];
  for (int law = 1; law <= 2; law++) {
    snprintf(file, sizeof file, "%s_%d.yaml", robots[i].name, law);
    FILE *f = fopen(temp_file(file, NULL), "w");
    fprintf(f, "rate_hz: 500\n");
    write_law(f, i, law);
    fclose(f);
  }
  snprintf(file, sizeof file, "%s_laws.yaml", robots[i].name);
  FILE *f = fopen(temp_file(file, NULL), "w");
  fprintf(f, "rate_hz: 500\nrecordings:\n");
  for (int law = 1; law <= 2; law++) {
    fprintf(f, "  - file: %s_%d.csv\n    ", robots[i].name, law);
    write_law(f, i, law);
  }
  fclose(f);
}

/* a recording of every robot under law 1 and 2: NAME_N_all.csv, and without torques NAME_N.csv */
static int record(void **state) {
  (void)state;
  char path[1024], *text;
  snprintf(path, sizeof path, "%s/examples/leg_true.yaml", ROBERVAL_SOURCE);
  text = read_text(path, NULL);
  (void)temp_file("leg_true.yaml", text);
  free(text);
  (void)temp_file("pend.yaml",
                  "joints:\n"
                  "  - {name: hinge, mdh: {alpha: pi/2, d: 0, theta: 0, r: 0}, "
                  "drive: [Ia, Fv, Fc]}\n"
                  "parameters: {XX1: 0.0004, YY1: 0.2402, ZZ1: 0.2402, MX1: 0.6, M1: 2, Ia1: 0.02, "
                  "Fv1: 0.1, Fc1: 0.3}\n");
  for (int i = 0; i < ROBOTS; i++) {
    const bool tuned = robots[i].k_p > 0;
    rbv_model *m = load_robot(
        strcmp(robots[i].file, "tx40") == 0 ? "tx40" : temp_file(robots[i].file, NULL), -1, false);
    waves w;
    waves_new(&w, m, NULL, 5, 2000, 500, false);
    waves_save(&w, temp_file("traj.csv", NULL), "q");
    waves_free(&w);
    rbv_model_free(m);
    if (tuned) write_laws(i);
    for (int law = 1; law <= 2; law++) {
      char control[128], from[64], to[64];
      snprintf(control, sizeof control,
               tuned ? "--controller %s_%d.yaml" : "--bandwidth 10 --save-controller %s_%d.yaml",
               robots[i].name, law);
      free(tool_text("simulate %s traj.csv -q %s --encoder 65536 -o %s_%d_all.csv", robots[i].file,
                     control, robots[i].name, law));
      snprintf(from, sizeof from, "%s_%d_all.csv", robots[i].name, law);
      snprintf(to, sizeof to, "%s_%d.csv", robots[i].name, law);
      strip_columns(to, from, "tau");
    }
  }
  return 0;
}

/* is the advice given? */
static bool advised(const char *command, const char *words) {
  outcome o = tool("%s", command);
  const bool found = strstr(o.out, words) || strstr(o.err, words);
  outcome_free(&o);
  return found;
}

static void test_check(void **state) {
  (void)state;
  // of one robot: logs and options, and whether a second set of gains is missing
  static const struct {
    const char *arguments;
    bool missing, two_laws;
  } sets[] = {{"%s_1.csv", true, false},
              {"%s_1.csv --controller %s_1.yaml", true, false},
              {"%s_1.csv %s_2.csv --controller %s_1.yaml", true, false},
              {"%s_1.csv %s_2.csv --controller %s_laws.yaml", false, true},
              {"%s_1_all.csv", false, false},
              {"%s_1_all.csv --controller %s_1.yaml", false, false},
              {"%s_1_all.csv %s_2_all.csv", false, false}};
  int needed = 0, found = 0, others = 0, wrong = 0;
  for (int i = 0; i < ROBOTS; i++)
    for (int k = 0; k < (int)(sizeof sets / sizeof *sets); k++) {
      char arguments[256], command[512];
      const char *name = robots[i].name;
      if (sets[k].two_laws && !(robots[i].k_p > 0)) continue;
      snprintf(arguments, sizeof arguments, sets[k].arguments, name, name, name);
      snprintf(command, sizeof command, "check %s %s", robots[i].file, arguments);
      const bool given = advised(command, "two sets of gains");
      needed += sets[k].missing;
      others += !sets[k].missing;
      found += given && sets[k].missing;
      wrong += given && !sets[k].missing;
    }
  print_message("check: advice in %d of %d sets that need it, in %d of %d others\n", found, needed,
                wrong, others);
  assert_int_equal(found, needed);
  assert_int_equal(wrong, 0);
}

/* the note of identify: the same question, and with torques another way is shorter */
static void test_identify(void **state) {
  (void)state;
  static const struct {
    const char *arguments;
    bool missing, torques;
  } sets[] = {{"%s_1.csv --controller %s_1.yaml", true, false},
              {"%s_1.csv %s_2.csv --controller %s_laws.yaml", false, false},
              {"%s_1_all.csv --controller %s_1.yaml", false, true},
              {"%s_1_all.csv --controller %s_1.yaml --observe both", false, false}};
  int needed = 0, found = 0, others = 0, wrong = 0;
  // the robots with a law of their own
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < (int)(sizeof sets / sizeof *sets); k++) {
      char arguments[256], command[512];
      const char *name = robots[i].name;
      snprintf(arguments, sizeof arguments, sets[k].arguments, name, name, name);
      snprintf(command, sizeof command, "identify %s %s -m cloe --start robot --known-links",
               robots[i].file, arguments);
      const bool given = advised(command, "record the motion with other gains");
      needed += sets[k].missing;
      others += !sets[k].missing;
      found += given && sets[k].missing;
      wrong += given && !sets[k].missing;
      assert_int_equal(advised(command, "torques were recorded"), sets[k].torques);
    }
  print_message("identify: advice in %d of %d sets that need it, in %d of %d others\n", found,
                needed, wrong, others);
  assert_int_equal(found, needed);
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_check), cmocka_unit_test(test_identify)};
  return cmocka_run_group_tests(tests, record, NULL);
}
