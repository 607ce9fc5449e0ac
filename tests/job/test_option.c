/* Options as rows of a table: set by name, refused, recorded in a result and put back. */
#include <math.h>
#include <roberval/sys/option.h>
#include <roberval/sys/storage.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "document/document.h"
#include "nodes.h"
#include "support.h"

typedef struct {
  bool flag, off;
  double real;
  int count;
  uint64_t seed;
  const char *text, *file, *word;
  rbv_files files;
  int hidden;
} values;

static const char *colour(int i) {
  static const char *const names[] = {"red", "green", NULL};
  return names[i];
}

static bool is_none(const char *text) { return strcmp(text, "none") == 0; }

static const rbv_option rows[] = {
    {.name = "flag", .kind = RBV_OPTION_FLAG, .offset = offsetof(values, flag)},
    {.name = "no-off", .kind = RBV_OPTION_OFF, .offset = offsetof(values, off)},
    {.name = "real", .kind = RBV_OPTION_REAL, .offset = offsetof(values, real)},
    {.name = "count", .kind = RBV_OPTION_COUNT, .offset = offsetof(values, count)},
    {.name = "seed", .kind = RBV_OPTION_SEED, .offset = offsetof(values, seed)},
    {0}};
static const rbv_option more_rows[] = {
    {.name = "text", .kind = RBV_OPTION_TEXT, .offset = offsetof(values, text), .choice = colour},
    {.name = "file", .kind = RBV_OPTION_FILE, .offset = offsetof(values, file)},
    {.name = "word", .kind = RBV_OPTION_FILE, .offset = offsetof(values, word), .is_word = is_none},
    {.name = "files", .kind = RBV_OPTION_FILES, .offset = offsetof(values, files)},
    {.name = "hidden",
     .kind = RBV_OPTION_COUNT,
     .offset = offsetof(values, hidden),
     .unrecorded = true},
    {0}};

#define ROWS 10

static const values nothing = {.off = true, .real = NAN, .seed = 1};

typedef struct {
  values v;
  rbv_option_group groups[3];
} table;

static void table_new(table *t) {
  t->v = nothing;
  t->groups[0] = (rbv_option_group){rows, &t->v};
  t->groups[1] = (rbv_option_group){more_rows, &t->v};
  t->groups[2] = (rbv_option_group){0};
}

static void test_set(void **state) {
  (void)state;
  table t;
  table_new(&t);
  assert_int_equal(rbv_option_count(rows) + rbv_option_count(more_rows), ROWS);
  assert_ok(rbv_option_set(t.groups, "flag", "true"));
  assert_ok(rbv_option_set(t.groups, "no-off", "true"));
  assert_true(t.v.flag && !t.v.off);
  assert_ok(rbv_option_set(t.groups, "flag", "false"));
  assert_ok(rbv_option_set(t.groups, "no-off", "false"));
  assert_true(!t.v.flag && t.v.off);
  assert_ok(rbv_option_set(t.groups, "real", "-2.5e-3"));
  assert_true(t.v.real == -2.5e-3);
  assert_ok(rbv_option_set(t.groups, "count", "1000000000"));
  assert_int_equal(t.v.count, 1000000000);
  assert_ok(rbv_option_set(t.groups, "seed", "9007199254740992"));
  assert_true(t.v.seed == 9007199254740992);
  assert_ok(rbv_option_set(t.groups, "seed", "0"));
  assert_true(t.v.seed == 0);
  assert_ok(rbv_option_set(t.groups, "text", "green"));
  assert_string_equal(t.v.text, "green");
  assert_ok(rbv_option_set(t.groups, "file", "a file"));
  assert_string_equal(t.v.file, "a file");
  for (int i = 0; i < RBV_FILES_MAX; i++) assert_ok(rbv_option_set(t.groups, "files", "x"));
  assert_int_equal(t.v.files.count, RBV_FILES_MAX);
  assert_refused(rbv_option_set(t.groups, "files", "x"), RBV_EOPTION, "files needs a file");
}

static void test_refusals(void **state) {
  (void)state;
  static const struct {
    const char *name, *value, *message;
  } cases[] = {
      {"nothing", "1", "there is no option 'nothing'"},
      {"flag", "yes", "flag needs true or false, not 'yes'"},
      {"no-off", "", "no-off needs true or false"},
      {"real", "much", "real needs a number, not 'much'"},
      {"real", "", "real needs a number"},
      {"count", "0", "count needs a whole number, at least 1, not '0'"},
      {"count", "-1", "count needs a whole number"},
      {"count", "2.5", "count needs a whole number"},
      {"count", "1000000001", "count needs a whole number"},
      {"count", "99999999999999999999", "count needs a whole number"},
      {"seed", "-1", "seed needs a whole number up to 2^53"},
      {"seed", "9007199254740993", "seed needs a whole number up to 2^53"},
      {"seed", "1x", "seed needs a whole number"},
      {"text", "blue", "text cannot be 'blue' (choose from red, green)"},
      {"text", "", "text needs a text"},
      {"file", "", "file needs a file"},
      {"files", "", "files needs a file"},
      {NULL, "1", "an option needs a name and a value"},
      {"flag", NULL, "an option needs a name and a value"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    table t;
    table_new(&t);
    assert_refused(rbv_option_set(t.groups, cases[i].name, cases[i].value), RBV_EOPTION,
                   cases[i].message);
  }
}

static void test_find(void **state) {
  (void)state;
  table t;
  table_new(&t);
  void *target = NULL;
  for (const rbv_option_group *g = t.groups; g->rows; g++)
    for (const rbv_option *o = g->rows; o->name; o++) {
      assert_ptr_equal(rbv_option_find(&target, t.groups, o->name), o);
      assert_ptr_equal(target, (char *)&t.v + o->offset);
      char needs[RBV_NEEDS_MAX];
      rbv_option_needs(needs, o->kind, o->range);
      assert_true(strlen(needs) > 0 && strlen(rbv_option_kind_name(o->kind)) > 0);
    }
  assert_null(rbv_option_find(&target, t.groups, "nothing"));
  assert_true(!rbv_option_takes_value(RBV_OPTION_FLAG) && !rbv_option_takes_value(RBV_OPTION_OFF));
  assert_true(rbv_option_takes_value(RBV_OPTION_REAL) && rbv_option_takes_value(RBV_OPTION_FILES));
}

/* ---- provenance ---- */

static rbv_setting found[ROWS];

static const rbv_setting *recorded(int n, const char *key) {
  for (int i = 0; i < n; i++)
    if (strcmp(found[i].key, key) == 0) return &found[i];
  return NULL;
}

static void test_record(void **state) {
  (void)state;
  table t;
  table_new(&t);
  // values that were not given are not recorded; a flag and a seed always have a value
  int n = rbv_option_record(found, t.groups);
  assert_int_equal(n, 3);
  assert_int_equal(rbv_option_record(NULL, t.groups), n);
  assert_true(recorded(n, "flag")->flag && recorded(n, "flag")->number == 0);
  assert_true(recorded(n, "no-off")->flag && recorded(n, "no-off")->number == 0);
  assert_true(!recorded(n, "seed")->flag && recorded(n, "seed")->number == 1);
  t.v = (values){.flag = true,
                 .real = 0.1,
                 .count = 7,
                 .seed = 3,
                 .text = "red",
                 .file = "f",
                 .files = {1, {"x"}},
                 .hidden = 5};
  n = rbv_option_record(found, t.groups);
  assert_int_equal(n, 7);
  assert_true(recorded(n, "no-off")->number == 1);
  assert_string_equal(recorded(n, "text")->text, "red");
  assert_null(recorded(n, "files"));
  assert_null(recorded(n, "hidden"));
}

/* through the JSON of a result and back */
static void test_round_trip(void **state) {
  (void)state;
  table t, back;
  table_new(&t);
  t.v = (values){.flag = true,
                 .real = 0.1 + 0.2,
                 .count = 7,
                 .seed = 9007199254740991,
                 .text = "red",
                 .file = "12",
                 .word = "true \"quoted\""};
  const rbv_result r = {.robot = "arm",
                        .robot_file = {.path = "arm.yaml", .sha256 = ""},
                        .method = "wls",
                        .setting = found,
                        .nsetting = rbv_option_record(found, t.groups)};
  char *json;
  size_t size;
  rbv_result *loaded;
  assert_ok(rbv_result_write(&json, &size, &r));
  assert_ok(rbv_result_parse(&loaded, "result", json, size));
  table_new(&back);
  assert_ok(rbv_option_recall(back.groups, loaded->setting, loaded->nsetting));
  assert_true(back.v.flag == t.v.flag && back.v.off == t.v.off && back.v.real == t.v.real);
  assert_true(back.v.count == t.v.count && back.v.seed == t.v.seed);
  assert_string_equal(back.v.text, t.v.text);
  assert_string_equal(back.v.file, t.v.file);
  assert_string_equal(back.v.word, t.v.word);
  rbv_result_free(loaded);
  rbv_text_release(json);
}

static void test_recall_refuses(void **state) {
  (void)state;
  static const rbv_setting wrong[] = {
      {.key = "nothing", .number = 1},
      {.key = "flag", .number = 1},
      {.key = "no-off", .text = "true", .number = NAN},
      {.key = "real", .text = "1", .number = NAN},
      {.key = "real", .number = 1, .flag = true},
      {.key = "count", .number = 0},
      {.key = "count", .number = NAN},
      {.key = "count", .number = 2e9},
      {.key = "count", .text = "1", .number = 1},
      {.key = "seed", .number = -1},
      {.key = "seed", .number = 1e17},
      {.key = "text", .number = 1},
      {.key = "file", .number = 1},
      {.key = "files", .text = "x", .number = NAN},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    table t;
    table_new(&t);
    char message[64];
    snprintf(message, sizeof message, "an option '%s' that this version cannot repeat",
             wrong[i].key);
    assert_refused(rbv_option_recall(t.groups, &wrong[i], 1), RBV_EINPUT, message);
  }
}

static void test_files(void **state) {
  (void)state;
  table t;
  table_new(&t);
  char one[256], two[256], hash[65];
  strcpy(one, temp_file("one", "1"));
  strcpy(two, temp_file("two", "2"));
  assert_int_equal(chdir(temp_directory()), 0);
  temp_file("none", "a file whose name is a word");
  t.v.file = one;
  t.v.word = "none";
  t.v.files = (rbv_files){3, {two, "absent", one}};
  rbv_option_file file[4];
  int n;
  assert_ok(rbv_option_files(&n, file, 4, t.groups, false));
  assert_int_equal(n, 1);
  assert_string_equal(file[0].option, "file");
  assert_string_equal(file[0].path, one);
  assert_ok(rbv_hash_file(hash, one));
  assert_string_equal(file[0].sha256, hash);
  t.v.word = two;
  assert_refused(rbv_option_files(&n, file, 4, t.groups, true), RBV_EREAD, "absent");
  t.v.files = (rbv_files){2, {two, one}};
  assert_ok(rbv_option_files(&n, file, 4, t.groups, true));
  assert_int_equal(n, 4);
  assert_string_equal(file[1].option, "word");
  assert_string_equal(file[2].option, "files");
  assert_string_equal(file[2].path, two);
  assert_string_equal(file[3].path, one);
  assert_ok(rbv_option_files(&n, file, 2, t.groups, true));
  assert_int_equal(n, 2);
}

static void test_write(void **state) {
  (void)state;
  table t;
  table_new(&t);
  t.v.real = 2.5;
  t.v.file = "f";
  const int n = rbv_option_record(found, t.groups);
  rbv_json *json;
  assert_ok(rbv_json_new(&json));
  rbv_json_map(json);
  rbv_option_write(json, found, n);
  rbv_json_end(json);
  const char *text;
  size_t size;
  assert_ok(rbv_json_finish(&text, &size, json));
  rbv_document *doc;
  assert_ok(rbv_document_parse(&doc, "options", text, size));
  const rbv_node *root = rbv_document_root(doc);
  assert_int_equal(rbv_node_count(root), 5);
  text_at(root, "flag", "false");
  text_at(root, "file", "f");
  assert_true(real_at(root, "real") == 2.5 && real_at(root, "seed") == 1);
  rbv_document_free(doc);
  rbv_json_free(json);
}

/* ---- lists of numbers ---- */

static const rbv_option list_rows[] = {{.name = "gains", .kind = RBV_OPTION_TEXT},
                                       {.name = "parts", .kind = RBV_OPTION_TEXT, RBV_ABOVE(0, 1)},
                                       {0}};

static void test_numbers(void **state) {
  (void)state;
  double *x;
  assert_ok(rbv_numbers_read(&x, list_rows, "gains", NULL, 3));
  assert_null(x);
  assert_ok(rbv_numbers_read(&x, list_rows, "gains", "1, -2.5e1,+3", 3));
  assert_true(x[0] == 1 && x[1] == -25 && x[2] == 3);
  rbv_numbers_free(x);
  assert_ok(rbv_numbers_read(&x, list_rows, "gains", temp_file("list.yaml", "- 4\n- 5\n"), 2));
  assert_true(x[0] == 4 && x[1] == 5);
  rbv_numbers_free(x);
  assert_refused(rbv_numbers_read(&x, list_rows, "gains", "1,2", 3), RBV_EOPTION,
                 "gains needs 3 numbers");
  assert_null(x);
  assert_refused(rbv_numbers_read(&x, list_rows, "gains", "1,2,", 3), RBV_EOPTION, "gains");
  assert_refused(rbv_numbers_read(&x, list_rows, "gains", "1,2,e", 3), RBV_EOPTION, "gains");
  assert_refused(rbv_numbers_read(&x, list_rows, "gains", temp_file("list.yaml", NULL), 3),
                 RBV_EOPTION, "gains needs 3 numbers");
  assert_refused(rbv_numbers_read(&x, list_rows, "gains", "absent.yaml", 3), RBV_EREAD,
                 "absent.yaml");
  assert_refused(rbv_numbers_read(&x, list_rows, "gains", temp_file("map.yaml", "{a: 1, b: x}"), 2),
                 RBV_EINPUT, "map.yaml");
  char *long_list = malloc(10001);
  memset(long_list, '1', 10000);
  long_list[10000] = 0;
  assert_refused(rbv_numbers_read(&x, list_rows, "gains", long_list, 1), RBV_EOPTION,
                 "gains is too long");
  free(long_list);
  // each number must be in the range of the row
  assert_ok(rbv_numbers_read(&x, list_rows, "parts", "0.5,1", 2));
  rbv_numbers_free(x);
  assert_refused(rbv_numbers_read(&x, list_rows, "parts", "0.5,0", 2), RBV_EOPTION,
                 "each value of parts must be a number above 0, at most 1, not 0");
  assert_refused(rbv_numbers_read(&x, list_rows, "parts", temp_file("list.yaml", "[2]"), 1),
                 RBV_EOPTION, "not 2");
  assert_refused(rbv_numbers_read(&x, list_rows, "nothing", "1", 1), RBV_EARG, "no option");
  assert_true(rbv_numbers_typed("1,2") && rbv_numbers_typed("-1e5"));
  assert_true(!rbv_numbers_typed("1,2.yaml") && !rbv_numbers_typed(NULL));
}

/* ---- ranges ---- */

typedef struct {
  double share, rate;
  int terms;
} limited;

static const rbv_option limited_rows[] = {
    {.name = "share", .kind = RBV_OPTION_REAL, .offset = offsetof(limited, share), RBV_FROM(0, 1)},
    {.name = "rate", .kind = RBV_OPTION_REAL, .offset = offsetof(limited, rate), RBV_ABOVE(0, 100)},
    {.name = "terms", .kind = RBV_OPTION_COUNT, .offset = offsetof(limited, terms), RBV_FROM(2, 9)},
    {0}};

static void test_ranges(void **state) {
  (void)state;
  static const struct {
    const char *name, *good[2], *bad[5], *message;
  } cases[] = {
      {"share", {"0", "1"}, {"-1e-9", "1.001", "nan", "inf", "1e308"}, "a number from 0 to 1"},
      {"rate", {"1e-300", "100"}, {"0", "-1", "100.1", "-inf", ""}, "above 0, at most 100"},
      {"terms", {"2", "9"}, {"1", "10", "0", "2.5", "-3"}, "a whole number from 2 to 9"},
  };
  const limited usual = {.share = 0, .rate = 0, .terms = 0};
  limited v = usual, same = usual;
  const rbv_option_group groups[] = {{limited_rows, &v}, {0}};
  const rbv_option_group defaults[] = {{limited_rows, &same}, {0}};
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 2; k++) assert_ok(rbv_option_set(groups, cases[i].name, cases[i].good[k]));
    const limited before = v;
    for (int k = 0; k < 5; k++) {
      assert_refused(rbv_option_set(groups, cases[i].name, cases[i].bad[k]), RBV_EOPTION,
                     cases[i].message);
      assert_memory_equal(&v, &before, sizeof v);
    }
  }
  assert_ok(rbv_option_check(groups, defaults));
  v.terms = 1;
  assert_refused(rbv_option_check(groups, defaults), RBV_EOPTION, "terms needs a whole number");
  assert_string_equal(rbv_message_option(), "terms");
  // a default passes, also outside the range: it means that the option is not given
  v = usual;
  assert_ok(rbv_option_check(groups, defaults));
  v.rate = -1;
  assert_refused(rbv_option_check(groups, defaults), RBV_EOPTION, "rate needs a number above 0");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_set),        cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_find),       cmocka_unit_test(test_record),
      cmocka_unit_test(test_round_trip), cmocka_unit_test(test_recall_refuses),
      cmocka_unit_test(test_files),      cmocka_unit_test(test_write),
      cmocka_unit_test(test_numbers),    cmocka_unit_test(test_ranges),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
