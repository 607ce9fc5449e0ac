/*
 * Every friction term with every command. The terms come from the table of laws, the commands from
 * the tool, so that a new one of either is tested without an edit here or fails the test. A cell is
 * right if the command finishes with a sensible number, or refuses the term by its name. FIRST in
 * the environment leaves out the laws before it.
 */
#include <ctype.h>
#include <math.h>
#include <roberval/sys/law.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "laws.h"
#include "support.h"
#include "tool.h"

/* ---- robots and recordings ---- */

/* A vertical arm of two links. The payload of the heavy one is 1 kg at 0.4 m of the second link. */
static void write_robot(const char *name, const rbv_law *law, bool heavy) {
  char term[64] = "", value[128] = "", shape[128] = "", text[1600];
  const char *law_name = law ? rbv_law_name(law) : NULL;
  // terms that the arm has anyway
  const bool plain = law && strstr("Ia Fv Fc off", law_name) != NULL;
  if (law && !plain) {
    // a part of the load, not all of it
    snprintf(term, sizeof term, ", %s", law_name);
    snprintf(value, sizeof value, ", %s1: 0.1, %s2: 0.08", law_name, law_name);
    const int own = rbv_law_own_shape(law);
    if (own >= 0)
      snprintf(shape, sizeof shape, "friction: {%s: %g}\n", law->shape[own].name,
               law->shape[own].example);
  }
  // a law that replaces a column stands in its place
  const char *coulomb = law && law->replaces ? "" : ", Fc";
  const char *coulomb_value = law && law->replaces ? "" : ", Fc1: 3, Fc2: 2";
  snprintf(text, sizeof text,
           "name: gears\n"
           "gravity: [0, 0, -9.81]\n"
           "joints:\n"
           "  - {name: a, mdh: {alpha: pi/2, d: 0, theta: 0, r: 0}, limits: {lower: -3, upper: 3, "
           "velocity: 4, effort: 100}, drive: [Ia, Fv, off%s%s]}\n"
           "  - {name: b, mdh: {alpha: 0, d: 0.4, theta: 0, r: 0}, limits: {lower: -3, upper: 3, "
           "velocity: 4, effort: 50}, drive: [Ia, Fv, off%s%s]}\n"
           "sensing: motor\n%s"
           "parameters: {ZZ1: 0.3, MX1: 1.2, M1: 4, ZZ2: %g, MX2: %g, M2: %g, Ia1: 0.4, Ia2: 0.3, "
           "Fv1: 2, Fv2: 1%s%s}\n",
           coulomb, term, coulomb, term, shape, heavy ? 0.36 : 0.2, heavy ? 1 : 0.6,
           heavy ? 4. : 3., coulomb_value, value);
  temp_file(name, text);
}

/* a motion of 12 s that begins at rest */
static void write_motion(const char *name, double shift) {
  static char text[200000];
  size_t used = (size_t)snprintf(text, sizeof text, "t,q1,q2\n");
  for (int k = 0; k < 3000; k++) {
    const double t = k / 250., w = t < 1 ? t * t * (3 - 2 * t) : 1;
    used += (size_t)snprintf(text + used, sizeof text - used, "%.4f,%.9f,%.9f\n", t,
                             w * (0.9 * sin((2.1 - shift) * t) + 0.5 * sin(4.7 * t + 1)),
                             w * (1.1 * sin((2.9 + shift) * t + 2) + 0.4 * sin(6.1 * t)));
  }
  temp_file(name, text);
}

/* ---- cells ---- */

typedef enum { NOTHING, MASS, ERRORS, FINITE } number;

static const struct {
  const char *command, *words;
  number checked;
} cells[] = {
    {"model", "true.yaml", NOTHING},
    {"regressor", "true.yaml states.csv -o regressor.csv", NOTHING},
    {"dynamics", "true.yaml states.csv -o torques.csv", NOTHING},
    {"excite",
     "true.yaml --period 2 --rate 50 --harmonics 2 --starts 1 --budget 1 --blend 0.5 "
     "--coefficients play.yaml -o wave.csv",
     NOTHING},
    {"play", "true.yaml play.yaml --link-radius 0.02", NOTHING},
    {"map", "true.yaml log.csv", NOTHING},
    {"check", "true.yaml log.csv", NOTHING},
    {"simulate", "true.yaml motion.csv -p result.json -k law.yaml -o again.csv", NOTHING},
    {"identify", "true.yaml log.csv --controller law.yaml --json", ERRORS},
    {"identify", "true.yaml log.csv --consistent --json", ERRORS},
    {"identify", "true.yaml log.csv -m cloe --controller law.yaml --known-links -o cloe.json",
     FINITE},
    {"controller", "true.yaml log.csv", NOTHING},
    {"validate", "result.json other.csv --json", ERRORS},
    {"payload", "result.json loaded.csv", MASS},
    {"payload", "true.yaml log.csv loaded.csv", MASS},
    {"follow", "true.yaml result.json log.csv", NOTHING},
    {"compare", "result.json second.json", NOTHING},
    {"fleet", "fleet", NOTHING},
    {"export", "true.yaml -p result.json --format urdf", NOTHING},
    {"export", "true.yaml -p result.json --format mjcf", NOTHING},
    {"export", "true.yaml -p result.json --format yaml", NOTHING},
    {"export", "true.yaml -p result.json --format c -o code.c", NOTHING},
    {"export", "true.yaml -p result.json --format ranges", NOTHING},
    {"export", "true.yaml -p result.json --format bands --motion motion.csv", NOTHING},
    {"export", "true.yaml -p result.json --format isaaclab", NOTHING},
    {"export", "true.yaml -p result.json --format isaaclab-yaml", NOTHING},
    {"montecarlo",
     "true.yaml --reference motion.csv --rate 250 --runs 1 --methods wls -c 20 -d 10 --validate "
     "none",
     NOTHING},
    {"sweep", "true.yaml result.json --reference motion.csv --rate 250 --plants 1", NOTHING},
    {"show", "result.json", NOTHING},
    {"report", "result.json -o report.html", NOTHING},
    // without a robot, a recording or a result of one's own
    {"merge", NULL, NOTHING},
    {"reproduce", NULL, NOTHING},
    {"record", NULL, NOTHING},
    {"studio", NULL, NOTHING},
    {"demo", NULL, NOTHING},
    {"help", NULL, NOTHING},
    {"version", NULL, NOTHING},
};

/* the number behind a key of JSON, NaN: there is none */
static double number_of(const char *json, const char *key) {
  const char *at = strstr(json, key);
  return at ? strtod(at + strlen(key), NULL) : NAN;
}

/* a state that is dropped without a word has a value of zero and no sigma */
static bool lost_term(const char *law) {
  rbv_result *r = tool_result("cloe.json");
  bool lost = false;
  for (int k = 0; k < r->estimate.count; k++) {
    const rbv_parameter *p = &r->estimate.item[k];
    lost = lost || (strncmp(p->name, law, strlen(law)) == 0 && !isfinite(p->sigma));
  }
  rbv_result_free(r);
  return lost;
}

/* NULL, or what is wrong with the numbers */
static const char *wrong_number(number checked, const char *law, const char *out) {
  switch (checked) {
    case NOTHING: return NULL;
    case ERRORS:
      // noise of 1 % of the torque, and what friction near standstill adds
      return number_of(out, "\"relative_error\": ") < 0.05 ? NULL : "error above 5 %";
    case MASS:
      // sigma is 0.02 kg
      return fabs(number_of(out, "mass") - 1) < 0.1 ? NULL : "the payload is not 1 kg";
    case FINITE: return lost_term(law) ? "the term has no value" : NULL;
  }
  return NULL;
}

/* a line about a cell that is wrong; true if it is right */
static bool is_right(const char *law, const char *command, const char *words, number checked) {
  outcome o = tool("%s %s", command, words);
  const char *wrong = NULL;
  if (o.code == 0 || o.code == 1)
    wrong = wrong_number(checked, law, o.out);
  else if ((o.code != 2 && o.code != 3) || !strstr(o.err, law))
    wrong = "neither a result nor a refusal of the term";
  if (wrong)
    print_message("%s: %s %s: %s, exit code %d\n%s\n", law, command, words, wrong, o.code, o.err);
  outcome_free(&o);
  return !wrong;
}

/* by its name, or by the column that a recording needs */
static bool is_refused(const outcome *o, const rbv_law *law) {
  const char *what = rbv_law_uses_temperature(law) ? "needs a column temp" : rbv_law_name(law);
  return (o->code == 2 || o->code == 3) && strstr(o->err, what);
}

static int wrong_cells(const rbv_law *law) {
  const char *name = rbv_law_name(law);
  write_robot("true.yaml", law, false);
  write_robot("heavy.yaml", law, true);
  static const char *const before[][2] = {
      {"simulate",
       "true.yaml motion.csv --rate 250 --bandwidth 5 --torque-noise 1% "
       "--save-controller law.yaml -o log.csv"},
      {"simulate",
       "true.yaml second.csv --rate 250 -k law.yaml --torque-noise 1% --seed 2 "
       "-o other.csv"},
      {"simulate",
       "heavy.yaml motion.csv --rate 250 -k law.yaml --torque-noise 1% --seed 3 "
       "-o loaded.csv"},
      {"identify", "true.yaml log.csv -o result.json"},
      {"identify", "true.yaml other.csv -o second.json"},
  };
  for (int i = 0; i < RBV_COUNT(before); i++) {
    outcome o = tool("%s %s", before[i][0], before[i][1]);
    const bool made = o.code <= 1, refused = is_refused(&o, law);
    if (!made && !refused)
      print_message("%s: %s %s: exit code %d\n%s\n", name, before[i][0], before[i][1], o.code,
                    o.err);
    outcome_free(&o);
    if (!made) return !refused;
  }
  assert_int_equal(run_in_temp("mkdir -p fleet/1 fleet/2 && cp result.json fleet/1/a.json && "
                               "cp second.json fleet/2/a.json"),
                   0);
  int wrong = 0;
  for (int i = 0; i < RBV_COUNT(cells); i++)
    if (cells[i].words)
      wrong += !is_right(name, cells[i].command, cells[i].words, cells[i].checked);
  return wrong;
}

static void test_every_term_with_every_command(void **state) {
  (void)state;
  write_motion("motion.csv", 0);
  write_motion("second.csv", 0.3);
  temp_file("states.csv",
            "t,q1,q2,dq1,dq2,ddq1,ddq2\n0,0.1,0.2,0.3,0.1,0.5,0.6\n0.1,0.2,0.2,0.3,0.2,0.5,0.6\n");
  int wrong = 0;
  const int first = getenv("FIRST") ? atoi(getenv("FIRST")) : 0;
  for (int i = first; i < rbv_law_count(); i++) {
    // springs are no friction: cli.elastic_joints
    if (!rbv_law_at(i)->spring) wrong += wrong_cells(rbv_law_at(i));
  }
  assert_int_equal(wrong, 0);
}

/* a new command needs a cell */
static void test_every_command_has_cells(void **state) {
  (void)state;
  char *help = tool_text("help");
  for (const char *line = strstr(help, "\n  "); line; line = strstr(line + 1, "\n  ")) {
    char name[32];
    if (sscanf(line, " %31[a-z]", name) != 1) continue;
    bool known = false;
    for (int i = 0; i < RBV_COUNT(cells); i++) known = known || strcmp(cells[i].command, name) == 0;
    if (!known) fail_msg("command %s has no cell", name);
  }
  free(help);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_term_with_every_command),
      cmocka_unit_test(test_every_command_has_cells),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
