/* Every command with a chain, a tree, a tree whose joints mimic others, and a closed loop: it
 * works, or refuses by name what it lacks. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"
#include "nodes.h"
#include "support.h"
#include "tool.h"

#define BODY "M%d: 1, MX%d: 0.05, MZ%d: -0.1, XX%d: 0.05, YY%d: 0.06, ZZ%d: 0.03, "
#define DRIVE "Ia%d: 0.02, Fv%d: 0.5, Fc%d: 0.3"

enum { CHAIN, TREE, MIMIC, LOOP, TOPOLOGIES };
static const char *const robot[TOPOLOGIES] = {"chain", "tree", "mimic", "loop"};

/* a torso with two arms of two joints, or one arm; the elbow of the left one may mimic the right */
static void write_robot(int topology) {
  char name[32], text[4096];
  snprintf(name, sizeof name, "%s.yaml", robot[topology]);
  int n = snprintf(text, sizeof text,
                   "name: %s\njoints:\n"
                   "- {name: torso, axis: [0, 1, 0]}\n"
                   "- {name: right, origin: {xyz: [0, -0.2, 0.3]}, axis: [1, 0, 0]}\n"
                   "- {name: right_elbow, origin: {xyz: [0, 0, -0.3]}, axis: [0, 1, 0]}\n",
                   robot[topology]);
  if (topology != CHAIN)
    n += snprintf(text + n, sizeof text - (size_t)n,
                  "- {name: left, parent: torso, origin: {xyz: [0, 0.2, 0.3]}, axis: [1, 0, 0]}\n"
                  "- {name: left_elbow, origin: {xyz: [0, 0, -0.3]}, axis: [0, 1, 0]%s}\n",
                  topology == MIMIC ? ", mimic: {joint: right_elbow, multiplier: -0.8}" : "");
  n += snprintf(text + n, sizeof text - (size_t)n, "parameters: {");
  for (int b = 1; b <= (topology == CHAIN ? 3 : 5); b++) {
    n += snprintf(text + n, sizeof text - (size_t)n, "%s" BODY, b > 1 ? ",\n  " : "", b, b, b, b, b,
                  b);
    n += topology == MIMIC && b == 5 ? snprintf(text + n, sizeof text - (size_t)n, "XY5: 0")
                                     : snprintf(text + n, sizeof text - (size_t)n, DRIVE, b, b, b);
  }
  snprintf(text + n, sizeof text - (size_t)n, "}\n");
  (void)temp_file(name, text);
}

/* a crank that turns round, and a rocker */
static void write_loop(void) {
  char text[4096];
  int n = snprintf(text, sizeof text,
                   "name: loop\njoints:\n"
                   "- {name: torso, axis: [0, 1, 0]}\n"
                   "- {name: right, origin: {xyz: [0, 0, 0.15]}, axis: [0, 1, 0], drive: [Fv]}\n"
                   "- {name: right_elbow, parent: base, origin: {xyz: [0.5, 0, 0]}, axis: [0, 1, "
                   "0]}\n"
                   "loops:\n- between:\n  - {frame: right, xyz: [0.45, 0, 0.25]}\n"
                   "  - {frame: right_elbow, xyz: [-0.05, 0, 0.4]}\n"
                   "driven: [torso]\nparameters: {");
  for (int b = 1; b <= 3; b++)
    n += snprintf(text + n, sizeof text - (size_t)n, "%s" BODY "XY%d: 0", b > 1 ? ",\n  " : "", b,
                  b, b, b, b, b, b);
  snprintf(text + n, sizeof text - (size_t)n, ",\n  " DRIVE ", Fv2: 0.1}\n", 1, 1, 1);
  (void)temp_file("loop.yaml", text);
}

/* derivative d (0, 1, 2) of sums of harmonics that begin at rest */
static double wave(int j, double phase, double t, int d) {
  double x = 0;
  for (int h = 1; h <= 4; h++) {
    const double w = h * (1.6 + 0.15 * j), size = 0.5 / h * sin(phase + h + 2 * j);
    x += size * (d == 0 ? 1 - cos(w * t) : d == 1 ? w * sin(w * t) : w * w * cos(w * t));
  }
  return x;
}

static void write_motion(const char *name, int joints, double phase) {
  static const char *const stem[] = {"q", "dq", "ddq"};
  const size_t room = 1 << 19;
  char *text = malloc(room);
  size_t n = (size_t)snprintf(text, room, "t");
  for (int i = 0; i < 3 * joints; i++)
    n += (size_t)snprintf(text + n, room - n, ",%s%d", stem[i / joints], i % joints + 1);
  for (int k = 0; k <= 400; k++) {
    n += (size_t)snprintf(text + n, room - n, "\n%.3f", 0.01 * k);
    for (int i = 0; i < 3 * joints; i++)
      n += (size_t)snprintf(text + n, room - n, ",%.9g",
                            wave(i % joints, phase, 0.01 * k, i / joints));
  }
  snprintf(text + n, room - n, "\n");
  (void)temp_file(name, text);
  free(text);
}

static int prepare(void **state) {
  (void)state;
  for (int i = 0; i < TOPOLOGIES; i++) {
    static const int moving[TOPOLOGIES] = {3, 5, 4, 1};
    const int joints = moving[i];
    char name[32];
    if (i == LOOP)
      write_loop();
    else
      write_robot(i);
    snprintf(name, sizeof name, "%s_a.csv", robot[i]);
    write_motion(name, joints, 0);
    snprintf(name, sizeof name, "%s_b.csv", robot[i]);
    write_motion(name, joints, 1);
    for (int k = 0; k < 2; k++)
      free(tool_text(
          "simulate %s.yaml %s_%c.csv --rate 200 --encoder 65536 --torque-noise 1%% --seed "
          "%d -q -o %s%d.csv --save-controller %s_law.yaml",
          robot[i], robot[i], 'a' + k, k + 1, robot[i], k + 1, robot[i]));
  }
  return 0;
}

/* %1$s: the robot. refused: what a topology is refused with, NULL: it works */
typedef struct {
  const char *arguments, *refused[TOPOLOGIES];
} use;

#define WORKS \
  { NULL, NULL, NULL, NULL }

#define OPEN "support closed loops; joint 'right' of robot 'loop' closes one"

static const use uses[] = {
    {"model %1$s.yaml --base", WORKS},
    {"dynamics %1$s.yaml %1$s_a.csv", WORKS},
    {"regressor %1$s.yaml %1$s_a.csv", WORKS},
    {"map %1$s.yaml %1$s1.csv", WORKS},
    {"check %1$s.yaml %1$s1.csv", WORKS},
    {"identify %1$s.yaml %1$s1.csv -o %1$s.json", WORKS},
    {"identify %1$s.yaml %1$s1.csv --method ols", WORKS},
    {"identify %1$s.yaml %1$s1.csv --method irls", WORKS},
    {"identify %1$s.yaml %1$s1.csv --method tls", WORKS},
    {"identify %1$s.yaml %1$s1.csv --method iv --controller %1$s_law.yaml", WORKS},
    {"identify %1$s.yaml %1$s1.csv --method piv --controller %1$s_law.yaml", WORKS},
    {"identify %1$s.yaml %1$s1.csv --method slide --controller %1$s_law.yaml", WORKS},
    {"identify %1$s.yaml %1$s1.csv --method didim --controller %1$s_law.yaml", WORKS},
    {"identify %1$s.yaml %1$s1.csv --method cloe --controller %1$s_law.yaml", WORKS},
    {"identify %1$s.yaml %1$s1.csv --friction plain --consistent -o %1$s_c.json", WORKS},
    {"show %1$s_c.json", WORKS},
    {"validate %1$s_c.json %1$s2.csv", WORKS},
    {"validate %1$s_c.json %1$s2.csv --horizon 0.1", WORKS},
    {"compare %1$s.json %1$s_c.json", WORKS},
    {"report %1$s_c.json -o %1$s.html", WORKS},
    {"export %1$s_c.json -o %1$s_out.urdf", WORKS},
    {"export %1$s_c.json -o %1$s_out.mjcf", WORKS},
    {"export %1$s_c.json -o %1$s_out.yaml", WORKS},
    {"export %1$s_c.json --format ranges", WORKS},
    {"identify chain.yaml chain1.csv --consistent -o chain_c.json", WORKS},
    {"export %1$s_c.json -o %1$s_out.c", {NULL, NULL, NULL, "C code does not " OPEN}},
    {"controller %1$s.yaml %1$s1.csv", WORKS},
    {"sweep %1$s.yaml %1$s_c.json --reference %1$s_a.csv --rate 200 --plants 2", WORKS},
    {"montecarlo %1$s.yaml --reference %1$s_a.csv --bandwidth 8 --rate 200 --methods wls --runs 1",
     WORKS},
    {"excite %1$s.yaml --period 4 --starts 1 --budget 2 -o %1$s_x.csv", WORKS},
    {"payload %1$s_c.json %1$s2.csv --at right_elbow", WORKS},
    {"payload %1$s.yaml %1$s1.csv %1$s2.csv --at right_elbow", WORKS},
    {"payload %1$s.yaml %1$s1.csv %1$s2.csv",
     {NULL, "a payload needs one tip", "a payload needs one tip", "a payload needs one tip"}},
    {"follow %1$s.yaml %1$s_c.json %1$s2.csv",
     {NULL, NULL, NULL, "Following a stream does not " OPEN}},
    {"follow %1$s.yaml %1$s_c.json %1$s2.csv --at right_elbow",
     {NULL, NULL, NULL, "Following a stream does not " OPEN}},
};

static void test_commands(void **state) {
  (void)state;
  for (int i = 0; i < RBV_COUNT(uses); i++)
    // other tests show what works with a chain
    for (int k = uses[i].refused[TREE] ? CHAIN : TREE; k < TOPOLOGIES; k++) {
      char arguments[512];
      snprintf(arguments, sizeof arguments, uses[i].arguments, robot[k]);
      outcome o = tool("%s -q", arguments);
      const char *refused = uses[i].refused[k];
      // 1: the tool did its work, and the answer is no
      const bool as_wanted =
          refused ? o.code == 3 && strstr(o.err, refused) : o.code == 0 || o.code == 1;
      if (!as_wanted) fail_msg("%s: exit code %d\n%s", arguments, o.code, o.err);
      outcome_free(&o);
    }
}

/* 0.8 kg at the elbow of the first of two arms, from two recordings and against a result */
static void test_payload_on_a_limb(void **state) {
  (void)state;
  assert_int_equal(
      run_in_temp("sed 's/M3: 1, MX3: 0.05, MZ3: -0.1/M3: 1.8, MX3: 0.05, MZ3: -0.26/;"
                  "s/XX3: 0.05, YY3: 0.06/XX3: 0.082, YY3: 0.092/' tree.yaml > carries.yaml && "
                  "! cmp -s tree.yaml carries.yaml"),
      0);
  free(
      tool_text("simulate carries.yaml tree_a.csv --rate 200 --encoder 65536 --torque-noise 1%% "
                "--seed 7 -q -o carries.csv"));
  static const char *const from[] = {"tree.yaml tree1.csv", "tree_c.json"};
  for (int i = 0; i < 2; i++) {
    rbv_document *doc = tool_json("payload %s carries.csv --at right_elbow --json -q", from[i]);
    const rbv_node *root = rbv_document_root(doc);
    const double sigma = real_at(root, "mass_kg.sigma"), mass = real_at(root, "mass_kg.value");
    assert_near(mass, 0.8, 4 * sigma, 0);
    assert_true(sigma < 0.1);
    rbv_document_free(doc);
  }
}

/* a base that moves: 10 + 7 parameters per turning joint, of the links alone */
static void test_free_base(void **state) {
  (void)state;
  free(tool_text("export tree.yaml -o held.urdf -q"));
  assert_int_equal(
      run_in_temp("sed 's,<link name=\"base\"/>,<link name=\"base\"><inertial><mass value=\"3\"/>"
                  "<inertia ixx=\"0.1\" iyy=\"0.1\" izz=\"0.1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/>"
                  "</inertial></link>,' held.urdf > tree.urdf"),
      0);
  char *text = tool_text("model tree.urdf --free-base --base");
  assert_non_null(strstr(text, "on a base that moves"));
  assert_non_null(strstr(text, "45 of links alone"));
  free(text);
  write_motion("flight.csv", 11, 0);
  free(tool_text("simulate tree.urdf --free-base flight.csv --rate 200 -q -o flown.csv"));
  free(tool_text("identify tree.urdf --free-base flown.csv -q -o flown.json"));
  free(tool_text("identify --again flown.json -q -o again.json"));
  assert_int_equal(run_in_temp("cmp flown.json again.json"), 0);
  // consistent bodies, the base among them, go back into the robot's document
  free(tool_text(
      "identify tree.urdf --free-base flown.csv --friction plain --consistent -q -o flown_c.json"));
  free(tool_text("export flown_c.json -q -o flown.urdf"));
  assert_int_not_equal(run_in_temp("cmp -s tree.urdf flown.urdf"), 0);
  free(tool_text("export flown_c.json -q -o flown.c"));
  tool_refuses(3, "A new document does not support a base that moves",
               "export flown_c.json -o x.yaml");
  tool_refuses(3, "Following a stream does not support a base that moves",
               "follow tree.urdf flown_c.json flown.csv");
  tool_refuses(3, "The design of motions does not support a base that moves",
               "excite tree.urdf --free-base");
  tool_refuses(3, "base of a YAML file", "model tree.yaml --free-base");
}

/* torque of a motion that was not used: 1 % of noise, and what the parameters miss */
static void test_prediction(void **state) {
  (void)state;
  for (int k = TREE; k < TOPOLOGIES; k++) {
    rbv_document *doc = tool_json("validate %s_c.json %s2.csv --json -q", robot[k], robot[k]);
    assert_true(real_at(rbv_document_root(doc), "validation.comparable_error") < 0.03);
    rbv_document_free(doc);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_commands), cmocka_unit_test(test_prediction),
      cmocka_unit_test(test_payload_on_a_limb), cmocka_unit_test(test_free_base)};
  return cmocka_run_group_tests(tests, prepare, NULL);
}
