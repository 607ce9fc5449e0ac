/*
 * Friction terms that are chosen from a part of a recording, on the other part: halves, thirds and
 * across files of five robots. The error on data that were not used is never more than 2 % above
 * that of Fv and Fc; the gains are printed.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../check/kr300_map.h"
#include "document/document.h"
#include "nodes.h"
#include "support.h"
#include "tool.h"

static const char emps_robot[] =
    "joints:\n"
    "  - {name: carriage, type: prismatic, origin: {xyz: [0, 0, 0], rpy: [0, pi/2, 0]},\n"
    "     axis: [0, 0, 1], drive: [Fv, Fc, off]}\n";
static const char emps_map[] =
    "time: t\n"
    "joints: [{q: qm, tau: {column: vir, unit: V, gain: 35.15065188248547}}]\n";

enum { TX40, EMPS, PANDA, LWR, KR300, ROBOTS };
static char robot[ROBOTS][1200];  // arguments of the tool
static char file[ROBOTS][3][1024];

/* lines from and to a share of the rows of a file, with its header */
static void cut(char out[64], const char *path, double from, double to) {
  static int number;
  size_t size;
  char *text = read_text(path, &size), *line = strchr(text, '\n') + 1;
  ptrdiff_t rows = 0, k = 0;
  for (const char *s = line; *s; s++) rows += *s == '\n';
  snprintf(out, 64, "part%d.csv", number++);
  FILE *to_file = fopen(temp_file(out, ""), "w");
  assert_non_null(to_file);
  fwrite(text, 1, (size_t)(line - text), to_file);
  for (char *next; *line; line = next, k++) {
    char *end = strchr(line, '\n');
    next = end ? end + 1 : line + strlen(line);
    if (k >= (ptrdiff_t)(from * (double)rows) && k < (ptrdiff_t)(to * (double)rows))
      fwrite(line, 1, (size_t)(next - line), to_file);
  }
  fclose(to_file);
  free(text);
}

typedef struct {
  int count;
  double ratio[64];
} tally;

static double error_of(int which, const char *train, const char *test, const char *friction) {
  outcome o = tool("identify %s %s %s --friction %s --unchecked -q --json", robot[which], train,
                   test, friction);
  // 1: parameters that the motion does not determine
  assert_true(o.code == 0 || o.code == 1);
  rbv_document *doc;
  assert_ok(rbv_document_parse(&doc, "result", o.out, strlen(o.out)));
  const double error = real_at(rbv_document_root(doc), "validation.relative_error");
  rbv_document_free(doc);
  outcome_free(&o);
  return error;
}

static void split(tally *t, int which, const char *name, const char *train, const char *test) {
  const double plain = error_of(which, train, test, "plain");
  const double chosen = error_of(which, train, test, "auto");
  print_message("%-6s %-14s %7.2f > %7.2f %%  %+5.1f %%\n",
                (const char *const[]){"TX40", "EMPS", "Panda", "LWR4+", "KR300"}[which], name,
                100 * plain, 100 * chosen, 100 * (chosen / plain - 1));
  assert_true(chosen <= 1.02 * plain);
  t->ratio[t->count++] = chosen / plain;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* halves and thirds of one file */
static void split_file(tally *t, int which, const char *path, bool thirds) {
  static const double bound[] = {0, 1 / 3.0, 0.5, 2 / 3.0, 1};
  static const struct {
    const char *name;
    int train[2][2], test[2];
    bool third;
  } way[] = {{"1st half", {{0, 2}}, {2, 4}, false},
             {"2nd half", {{2, 4}}, {0, 2}, false},
             {"thirds 1 2", {{0, 3}}, {3, 4}, true},
             {"thirds 2 3", {{1, 4}}, {0, 1}, true},
             {"thirds 1 3", {{0, 1}, {3, 4}}, {1, 3}, true}};
  for (int i = 0; i < 5; i++) {
    char a[64], b[64] = "", c[64], train[160], test[160];
    if (way[i].third && !thirds) continue;
    cut(a, path, bound[way[i].train[0][0]], bound[way[i].train[0][1]]);
    if (way[i].train[1][1] > 0) cut(b, path, bound[way[i].train[1][0]], bound[way[i].train[1][1]]);
    cut(c, path, bound[way[i].test[0]], bound[way[i].test[1]]);
    snprintf(train, sizeof train, "%s %s", a, b);
    snprintf(test, sizeof test, "--validate %s", c);
    split(t, which, way[i].name, train, test);
  }
}

/* two of three files and the third, one and the other two */
static void split_files(tally *t, int which) {
  for (int i = 0; i < 3; i++) {
    const char *one = file[which][i], *a = file[which][(i + 1) % 3], *b = file[which][(i + 2) % 3];
    char name[32], train[2200], test[2200];
    snprintf(name, sizeof name, "all but %d", i + 1);
    snprintf(train, sizeof train, "'%s' '%s'", a, b);
    snprintf(test, sizeof test, "--validate '%s'", one);
    split(t, which, name, train, test);
    snprintf(name, sizeof name, "file %d", i + 1);
    snprintf(train, sizeof train, "'%s'", one);
    snprintf(test, sizeof test, "--validate '%s' --validate '%s'", a, b);
    split(t, which, name, train, test);
  }
}

static void test_no_split_is_worse(void **state) {
  (void)state;
  tally t = {0};
  for (int which = TX40; which <= PANDA; which++) split_file(&t, which, file[which][0], true);
  split_files(&t, LWR);
  split_files(&t, KR300);
  for (int i = 0; i < 3; i++) split_file(&t, LWR, file[LWR][i], false);
  for (int i = 0; i < 3; i++) split_file(&t, KR300, file[KR300][i], false);
  qsort(t.ratio, (size_t)t.count, sizeof *t.ratio, ascending);
  print_message("%d splits: best %+.1f, median %+.1f, worst %+.1f %%\n", t.count,
                100 * (t.ratio[0] - 1), 100 * (t.ratio[t.count / 2] - 1),
                100 * (t.ratio[t.count - 1] - 1));
  assert_true(t.count >= 25);
}

static int find_files(void **state) {
  (void)state;
  strcpy(robot[TX40], "tx40");
  strcpy(file[TX40][0], recording("staubli_tx40/tx40_joint.csv"));
  temp_file("emps.yaml", emps_robot);
  temp_file("emps_map.yaml", emps_map);
  strcpy(robot[EMPS], "emps.yaml --map emps_map.yaml");
  strcpy(file[EMPS][0], recording("emps/emps.csv"));
  snprintf(robot[PANDA], sizeof robot[PANDA], "'%s' --sensing joint",
           recording("models/panda_nohand.urdf"));
  strcpy(file[PANDA][0], recording("panda/panda.csv"));
  snprintf(robot[LWR], sizeof robot[LWR], "'%s' --sensing joint",
           recording("kuka_lwr4/kuka_lwr4.urdf"));
  temp_file("kr300_map.yaml", kr300_map);
  snprintf(robot[KR300], sizeof robot[KR300], "'%s' --map kr300_map.yaml",
           recording("kuka_kr300/kr300_weigand2021.urdf"));
  for (int i = 0; i < 3; i++) {
    char name[64];
    snprintf(name, sizeof name, "kuka_lwr4/lwr4_measurements_%d.csv", i + 1);
    strcpy(file[LWR][i], recording(name));
    snprintf(name, sizeof name, "kuka_kr300/kr300_traj_%c.csv", 'A' + i);
    strcpy(file[KR300][i], recording(name));
  }
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_no_split_is_worse),
  };
  return cmocka_run_group_tests(tests, find_files, NULL);
}
