/*
 * How often a guessed column map is silently wrong. Headers are put together at random: words of
 * the quantities, separators, numbers or names of joints, units, order, and columns that must not
 * be taken for a measurement (targets, errors, external torques, temperatures). The right column of
 * each quantity is known. A map may be right, or the guess may say what is in doubt or missing.
 * A map without doubts that reads another column is wrong; none may be. Arguments: number of
 * headers, first seed.
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log/log.h"

#include "base/support.h"
#include "support.h"

#define JOINTS 6
#define GROUPS 12
#define ROWS 12

static int headers_wanted = 1500;
static uint64_t first_seed = 1;

static const char *const named[][JOINTS] = {
    {"shoulder_pan_joint", "shoulder_lift_joint", "elbow_joint", "wrist_1_joint", "wrist_2_joint",
     "wrist_3_joint"},
    {"base", "shoulder", "elbow", "wrist_roll", "wrist_pitch", "flange"},
    {"joint_a1", "joint_a2", "joint_a3", "joint_a4", "joint_a5", "joint_a6"},
};

/* words that people use; the list was written without that of the library */
static const char *const clock_word[] = {"t", "time", "Time", "timestamp", "stamp", "secs"};
static const char *const position_word[] = {
    "q",      "pos",  "position", "angle",  "theta",   "jpos",     "joint_pos",
    "q_meas", "qact", "pos_act",  "th_enc", "encoder", "Position", "JointAngle"};
static const char *const velocity_word[] = {"dq",  "qd",        "vel",   "velocity", "speed",
                                            "dot", "joint_vel", "omega", "q_dot",    "qdot"};
static const char *const torque_word[] = {"tau",      "trq",    "torque",   "effort", "moment",
                                          "tau_meas", "Torque", "JointTrq", "tq",     "tau_act"};
static const char *const decoy_word[] = {"q_des",      "q_ref",
                                         "pos_cmd",    "target_pos",
                                         "pos_error",  "tracking_error",
                                         "tau_ext",    "tau_cmd",
                                         "tau_des",    "gravity_torque",
                                         "tau_ff",     "friction_torque",
                                         "temp",       "current",
                                         "i_motor",    "ddq",
                                         "acc",        "pwm",
                                         "pos_limit",  "torque_lim",
                                         "vel_des",    "dq_cmd",
                                         "stiffness",  "pos_offset",
                                         "motor_temp", "brake",
                                         "tau_model",  "tau_residual",
                                         "q_desired",  "err"};

#define PICK(list) (list)[choose(d, (int)(sizeof(list) / sizeof *(list)))]

typedef struct {
  uint64_t seed, index;
} dice;

static int choose(dice *d, int n) {
  return (int)(rbv_random_uniform(d->seed, 3, d->index++) * n) % n;
}

typedef struct {
  const char *word;
  rbv_channel channel;
} group;

typedef struct {
  int joints;  // list of names
  int first;   // number of the first joint
  int form;    // how word and joint are put together
  bool upper;
  const char *unit;  // of positions
  int ngroup;
  group groups[GROUPS];
} style;

static void shuffle(group *g, int n, dice *d) {
  for (int i = n - 1; i > 0; i--) {
    const int k = choose(d, i + 1);
    const group swap = g[i];
    g[i] = g[k];
    g[k] = swap;
  }
}

static style make_style(dice *d) {
  static const char *const units[] = {"", "", "", " [rad]", "_deg", " [deg]", "_rad"};
  style s = {.joints = choose(d, 3), .first = choose(d, 2), .form = choose(d, 8)};
  s.upper = choose(d, 10) == 0;
  s.unit = PICK(units);
  s.groups[s.ngroup++] = (group){PICK(position_word), RBV_CHANNEL_POSITION};
  s.groups[s.ngroup++] = (group){PICK(torque_word), RBV_CHANNEL_TORQUE};
  if (choose(d, 2)) s.groups[s.ngroup++] = (group){PICK(velocity_word), RBV_CHANNEL_VELOCITY};
  for (int more = choose(d, 5); more > 0; more--)
    s.groups[s.ngroup++] = (group){PICK(decoy_word), RBV_CHANNEL_OTHER};
  shuffle(s.groups, s.ngroup, d);
  return s;
}

static void name_of(char out[120], const style *s, const group *g, int joint) {
  const char *name = named[s->joints][joint], *w = g->word;
  const char *unit = g->channel == RBV_CHANNEL_POSITION ? s->unit : "";
  const int number = s->first + joint;
  switch (s->form) {
    case 0: snprintf(out, 120, "%s%d%s", w, number, unit); break;
    case 1: snprintf(out, 120, "%s_%d%s", w, number, unit); break;
    case 2: snprintf(out, 120, "%s[%d]%s", w, number, unit); break;
    case 3: snprintf(out, 120, "%s_%s%s", name, w, unit); break;
    case 4: snprintf(out, 120, "%s_%s%s", w, name, unit); break;
    case 5: snprintf(out, 120, "%s.%s%s", name, w, unit); break;
    case 6: snprintf(out, 120, "J%d_%s%s", number, w, unit); break;
    default: snprintf(out, 120, "/robot/%s/%s%s", w, name, unit); break;
  }
  for (char *p = out; *p && s->upper; p++) *p = (char)toupper((unsigned char)*p);
}

static double value(int column, int row) { return column + 0.125 * row; }

/* returns the path; the columns of the channels in where */
static const char *write_file(int where[RBV_CHANNEL_OTHER + 1][JOINTS], char *header, size_t size,
                              const style *s, const char *clock) {
  static char text[100000];
  size_t n = (size_t)snprintf(text, sizeof text, "%s", clock);
  for (int g = 0; g < s->ngroup; g++)
    for (int j = 0; j < JOINTS; j++) {
      char name[120];
      name_of(name, s, &s->groups[g], j);
      n += (size_t)snprintf(text + n, sizeof text - n, ",%s", name);
      where[s->groups[g].channel][j] = 1 + g * JOINTS + j;
    }
  memcpy(header, text, n < size ? n + 1 : size);
  header[size - 1] = 0;
  n += (size_t)snprintf(text + n, sizeof text - n, "\n");
  for (int r = 0; r < ROWS; r++) {
    n += (size_t)snprintf(text + n, sizeof text - n, "%.17g", 0.002 * r);
    for (int c = 1; c <= s->ngroup * JOINTS; c++)
      n += (size_t)snprintf(text + n, sizeof text - n, ",%.17g", value(c, r));
    n += (size_t)snprintf(text + n, sizeof text - n, "\n");
  }
  return temp_file("random.csv", text);
}

/* the same column name twice */
static bool repeats(const style *s) {
  for (int i = 0; i < s->ngroup; i++)
    for (int k = 0; k < i; k++)
      if (strcmp(s->groups[i].word, s->groups[k].word) == 0) return true;
  return false;
}

typedef enum { RIGHT, ASKED, WRONG } outcome;

/* the column that a channel was read from; -1: none of the file's */
static int column_of(const double *x, double factor, int columns) {
  for (int c = 1; c <= columns; c++)
    if (fabs(x[7] - factor * value(c, 7)) <= 1e-12 * fabs(x[7])) return c;
  return -1;
}

static bool is_torque(rbv_channel c) {
  return c == RBV_CHANNEL_TORQUE || c == RBV_CHANNEL_JOINT_TORQUE || c == RBV_CHANNEL_MOTOR_TORQUE;
}

/* a measured quantity that was read from another column than its own */
static bool reads_wrong(char *why, size_t size, const rbv_log *log,
                        int where[RBV_CHANNEL_OTHER + 1][JOINTS], const style *s) {
  static const rbv_channel measured[] = {RBV_CHANNEL_POSITION,     RBV_CHANNEL_VELOCITY,
                                         RBV_CHANNEL_TORQUE,       RBV_CHANNEL_JOINT_TORQUE,
                                         RBV_CHANNEL_MOTOR_TORQUE, RBV_CHANNEL_MOTOR_POSITION};
  for (int i = 0; i < RBV_COUNT(measured); i++)
    for (int j = 0; j < JOINTS; j++) {
      const double *x = rbv_log_channel(log, measured[i], j);
      if (!x) continue;
      const rbv_channel mean = is_torque(measured[i])                      ? RBV_CHANNEL_TORQUE
                               : measured[i] == RBV_CHANNEL_MOTOR_POSITION ? RBV_CHANNEL_POSITION
                                                                           : measured[i];
      const double factor =
          mean == RBV_CHANNEL_POSITION && strstr(s->unit, "deg") ? RBV_PI / 180 : 1;
      const int got = column_of(x, factor, s->ngroup * JOINTS);
      if (got == where[mean][j]) continue;
      snprintf(why, size, "%s%d is column %d, not %d", rbv_channel_name(measured[i]), j + 1, got,
               where[mean][j]);
      return true;
    }
  return false;
}

static outcome try_style(const style *s, const char *clock) {
  int where[RBV_CHANNEL_OTHER + 1][JOINTS];
  char header[8000], why[200] = "";
  for (int c = 0; c <= RBV_CHANNEL_OTHER; c++)
    for (int j = 0; j < JOINTS; j++) where[c][j] = -1;
  const char *path = write_file(where, header, sizeof header, s, clock);
  rbv_log_guess *g = NULL;
  if (rbv_log_guess_columns(&g, path, named[s->joints], JOINTS, 0) != RBV_OK) return ASKED;
  outcome out = ASKED;
  if ((g->map || g->standard) && g->nambiguous == 0 && g->nmissing == 0) {
    rbv_log *log = NULL;
    if (rbv_log_load(&log, path, g->map) == RBV_OK) {
      out = reads_wrong(why, sizeof why, log, where, s) ? WRONG : RIGHT;
      if (out == WRONG) print_message("%s\n   %s\n", header, why);
      rbv_log_free(log);
    }
  }
  rbv_log_guess_free(g);
  return out;
}

static void test_random_headers(void **state) {
  (void)state;
  int count[3] = {0};
  for (int i = 0; i < headers_wanted; i++) {
    dice own = {first_seed + (uint64_t)i, 0}, *d = &own;
    const style s = make_style(d);
    if (repeats(&s)) continue;
    count[try_style(&s, PICK(clock_word))]++;
  }
  print_message("%d right, %d asked, %d silently wrong\n", count[RIGHT], count[ASKED],
                count[WRONG]);
  assert_int_equal(count[WRONG], 0);
  // most headers are understood; a guess that always asks is useless
  assert_true(count[RIGHT] > count[ASKED]);
}

int main(int argc, char **argv) {
  if (argc > 1) headers_wanted = atoi(argv[1]);
  if (argc > 2) first_seed = strtoull(argv[2], NULL, 10);
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_headers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
