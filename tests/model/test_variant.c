/* Variants of a model equal models that are read again, and share nothing that changes. */
#include <math.h>
#include <roberval/sys/baseparam.h>
#include <roberval/sys/model.h>
#include <string.h>

#include "model/model_internal.h"
#include "support.h"

static const char *const robots[] = {"a460", "lwr4+", "ns16", "tx40"};

/* all that computations read */
static void assert_same(const rbv_model *a, const rbv_model *b) {
  assert_int_equal(a->ncolumn, b->ncolumn);
  assert_int_equal(a->nterm, b->nterm);
  assert_int_equal(a->nentry, b->nentry);
  assert_int_equal(a->sensing, b->sensing);
  for (int c = 0; c < a->ncolumn; c++) {
    assert_string_equal(a->column[c].name, b->column[c].name);
    assert_string_equal(a->column[c].unit, b->column[c].unit);
    assert_true(a->column[c].law == b->column[c].law);
    assert_true(a->parameters[c] == b->parameters[c]);
  }
  for (int i = 0; i < a->nentry; i++) assert_int_equal(a->pattern[i], b->pattern[i]);
  for (int t = 0; t < a->nterm; t++) {
    const drive_term *x = &a->term[t], *y = &b->term[t];
    assert_true(x->gain == y->gain && x->law == y->law && x->column == y->column);
    assert_true(x->smoothing.gamma == y->smoothing.gamma);
    assert_true(x->smoothing.speed == y->smoothing.speed);
    for (int k = 0; k < LAW_SHAPES; k++)
      assert_true(x->shape[k] == y->shape[k] || (isnan(x->shape[k]) && isnan(y->shape[k])));
  }
  assert_string_equal(rbv_model_sha256(a), rbv_model_sha256(b));
}

static rbv_model *with_friction(const rbv_model *m, const char *list) {
  rbv_model_terms terms = rbv_model_get_terms(m);
  rbv_friction_entry *entry;
  rbv_model *out;
  assert_ok(rbv_friction_parse(&entry, &terms.nfriction, list, rbv_model_joint_count(m)));
  terms.friction = entry;
  assert_ok(rbv_model_variant(&out, m, &terms));
  rbv_free(entry);
  return out;
}

/* a variant is what the reader makes with these options; the first model can be freed before */
static void test_equals_a_model_that_is_read(void **state) {
  (void)state;
  const char *const list = "Fl,Fp1=0.01";
  for (size_t i = 0; i < sizeof robots / sizeof robots[0]; i++) {
    rbv_model *plain, *read;
    rbv_model_options o = rbv_model_defaults();
    assert_ok(rbv_model_load(&plain, robots[i], &o));
    o.friction = list;
    o.payload = true;
    o.sensing = RBV_SENSING_JOINT;
    o.gamma = 150;
    assert_ok(rbv_model_load(&read, robots[i], &o));
    rbv_model *with = with_friction(plain, list);
    rbv_model_free(plain);
    rbv_model_terms terms = rbv_model_get_terms(with);
    terms.payload = true;
    terms.sensing = RBV_SENSING_JOINT;
    terms.gamma = 150;
    rbv_model *made;
    assert_ok(rbv_model_variant(&made, with, &terms));
    rbv_model_free(with);
    assert_same(made, read);
    rbv_model_free(made);
    rbv_model_free(read);
  }
}

/* smoothing of a variant leaves the model as it was, and keeps what the options give */
static void test_smoothing(void **state) {
  (void)state;
  rbv_model *m;
  assert_ok(rbv_model_load(&m, "tx40", NULL));
  double speed[6], other[6];
  for (int j = 0; j < 6; j++) {
    speed[j] = 0.01 * (j + 1);
    other[j] = 1;
  }
  rbv_model *smooth = rbv_model_retain(m);
  assert_ok(rbv_model_smooth(&smooth, speed));
  assert_ok(rbv_model_smooth(&smooth, other));
  for (int j = 0; j < 6; j++) {
    assert_true(rbv_model_smoothing(m, j).speed == 0 && rbv_model_smoothing(m, j).gamma == 0);
    assert_true(rbv_model_smoothing(smooth, j).speed == speed[j]);
  }
  rbv_model_free(smooth);
  rbv_model_free(m);
}

static void test_shapes(void **state) {
  (void)state;
  rbv_model *m;
  assert_ok(rbv_model_load(&m, "tx40", NULL));
  rbv_model *with = with_friction(m, "Fp2=0.01");
  const rbv_law *law = rbv_law_find("Fp");
  const rbv_law_shape *shape = rbv_law_free_shape(law);
  if (!shape) shape = &law->shape[0];
  const rbv_shape_value value = {1, shape->name, 0.02};
  rbv_model_terms terms = rbv_model_get_terms(with);
  terms.shape = &value;
  terms.nshape = 1;
  rbv_model *moved;
  assert_ok(rbv_model_variant(&moved, with, &terms));
  assert_true(rbv_model_shape(with, 1, shape->name) == 0.01);
  assert_true(rbv_model_shape(moved, 1, shape->name) ==
              (rbv_model_law_of_shape(with, 1, shape->name) ? 0.02 : 0.01));
  const rbv_shape_value wrong = {7, shape->name, 0.02};
  terms.shape = &wrong;
  rbv_model *none;
  assert_refused(rbv_model_variant(&none, with, &terms), RBV_EARG, "joint 8");
  assert_null(none);
  rbv_model_free(moved);
  rbv_model_free(with);
  rbv_model_free(m);
}

static void test_lists(void **state) {
  (void)state;
  rbv_friction_entry *e;
  int n;
  assert_ok(rbv_friction_parse(&e, &n, "Fl, Fp2=0.25,Fp1=auto", 2));
  assert_int_equal(n, 3);
  assert_string_equal(e[0].column, "Fl");
  assert_true(e[0].joint == -1 && isnan(e[0].shape) && !e[0].open);
  assert_true(e[1].joint == 1 && e[1].shape == 0.25);
  assert_true(e[2].joint == 0 && e[2].open);
  rbv_free(e);
  assert_ok(rbv_friction_parse(&e, &n, "", 2));
  assert_true(!e && n == 0);
  assert_refused(rbv_friction_parse(&e, &n, "Fl3", 2), RBV_EOPTION, "the robot has 2 joints");
  assert_refused(rbv_friction_parse(&e, &n, "Fl1x", 2), RBV_EOPTION, "there is no friction");
  assert_refused(rbv_friction_parse(&e, &n, "Fp=-1", 2), RBV_EOPTION, "must be positive");
  assert_refused(rbv_friction_parse(&e, &n, "Fl=1", 2), RBV_EOPTION, "no shape parameter");
}

/* base parameters belong to the columns: a smoothed variant has the same, computed once */
static int computed;
static void count_bases(const char *what, const char *name) {
  (void)name;
  computed += strcmp(what, "base") == 0;
}

static void test_base_parameters_are_shared(void **state) {
  (void)state;
  rbv_model *m;
  assert_ok(rbv_model_load(&m, "tx40", NULL));
  rbv_model *with = with_friction(m, "Fl");
  rbv_model *same = rbv_model_retain(with);
  const double speed[6] = {0.01, 0.01, 0.01, 0.01, 0.01, 0.01};
  assert_ok(rbv_model_smooth(&same, speed));
  rbv_base *a, *b, *c;
  computed = 0;
  rbv_set_observer(count_bases);
  assert_ok(rbv_base_new(&a, with, NULL));
  assert_ok(rbv_base_new(&b, same, NULL));
  assert_int_equal(computed, 1);
  assert_ok(rbv_base_new(&c, m, NULL));
  assert_int_equal(computed, 2);
  rbv_set_observer(NULL);
  assert_int_equal(a->count, b->count);
  assert_int_equal(a->count, c->count + 6);
  for (int k = 0; k < a->count; k++) assert_string_equal(a->name[k], b->name[k]);
  // a copy can be restricted alone
  bool *none = rbv_alloc((size_t)rbv_model_column_count(with));
  rbv_base_restrict(a, none);
  assert_int_equal(a->count, 0);
  assert_true(b->count > 0);
  rbv_free(none);
  rbv_base_free(a);
  rbv_base_free(b);
  rbv_base_free(c);
  rbv_model_free(same);
  rbv_model_free(with);
  rbv_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_equals_a_model_that_is_read),
      cmocka_unit_test(test_smoothing),
      cmocka_unit_test(test_shapes),
      cmocka_unit_test(test_lists),
      cmocka_unit_test(test_base_parameters_are_shared),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
