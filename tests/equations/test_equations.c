/* R factors of a system compared with the rows that it does not keep. */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <roberval/sys/equations.h>
#include <roberval/sys/linalg.h>
#include <stdlib.h>
#include <string.h>
#include "signal/signal.h"

#include "arm.h"
#include "base/support.h"
#include "control/control.h"
#include "equations/kept_rows.h"
#include "motions.h"
#include "support.h"

#define JOINT_MAX 8
#define COLUMN_MAX 200

/* ---- reference: all rows in memory ---- */

/* rows of one model row, [W | Y] over all columns of the model */
typedef struct {
  ptrdiff_t count;
  int ncolumn;  // with Y
  double *A;    // count x ncolumn
  ptrdiff_t masked;
} rows;

static rows new_rows(ptrdiff_t count, int ncolumn) {
  return (rows){count, ncolumn, calloc((size_t)(count * ncolumn), sizeof(double)), 0};
}

static rows dense_rows(const rbv_model *m, const waves *w, int row) {
  const int n = w->njoint, nc = rbv_model_column_count(m);
  rows out = new_rows(w->count, nc + 1);
  double *one = malloc((size_t)(w->nrow * nc) * sizeof *one), x[3][JOINT_MAX];
  rbv_dynamics *d;
  assert_ok(rbv_dynamics_new(&d, m));
  for (ptrdiff_t k = 0; k < w->count; k++) {
    for (int j = 0; j < n; j++) {
      x[0][j] = w->q[k + j * w->count];
      x[1][j] = w->dq[k + j * w->count];
      x[2][j] = w->ddq[k + j * w->count];
    }
    rbv_regressor_eval(one, d, x[0], x[1], x[2], w->loaded);
    for (int c = 0; c < nc; c++) out.A[k + c * w->count] = one[row + c * w->nrow];
    out.A[k + nc * w->count] = w->torque[k + row * w->count];
  }
  rbv_dynamics_free(d);
  free(one);
  return out;
}

static rows decimated(rows in, int factor) {
  const rbv_decimate_options o = rbv_decimate_defaults(factor);
  rows out = new_rows(rbv_decimate_count(in.count, &o), in.ncolumn);
  rbv_decimator *d;
  assert_ok(rbv_decimator_new(&d, in.count, in.ncolumn, &o));
  assert_ok(rbv_decimate(out.A, out.count, d, in.A, in.count));
  rbv_decimator_free(d);
  free(in.A);
  return out;
}

/* keep the rows for which a predicate of the sample is true */
typedef bool keeps(const waves *w, int row, ptrdiff_t sample, double mask);

static rows masked(rows in, const waves *w, int row, const rbv_row_filter *f, keeps *keep) {
  const rbv_decimate_options o = rbv_decimate_defaults(f->decimate);
  rows out = new_rows(in.count, in.ncolumn);
  ptrdiff_t kept = 0;
  for (ptrdiff_t k = 0; k < in.count; k++) {
    const ptrdiff_t sample = f->decimate > 1 ? rbv_decimate_index(k, &o) : k;
    if (f->decimate == 1 && (k < f->trim || k >= in.count - f->trim)) continue;
    const double slow = fmax(f->mask, f->fade ? f->fade[0] : 0);
    if (slow > 0 && !keep(w, row, sample, slow)) {
      out.masked++;
      continue;
    }
    for (int c = 0; c < in.ncolumn; c++) out.A[kept + c * in.count] = in.A[k + c * in.count];
    kept++;
  }
  // the columns stay in place: only the count shrinks
  for (int c = 0; c < in.ncolumn; c++)
    memmove(out.A + c * kept, out.A + c * in.count, (size_t)kept * sizeof *out.A);
  out.count = kept;
  free(in.A);
  return out;
}

/* TX40, the same speed for all joints: weight 0 below it, 1 above 1.5 times it */
static double tx40_weight(const waves *w, int row, ptrdiff_t k, double fade) {
  const double speed[2] = {w->dq[k + row * w->count],
                           w->dq[k + 4 * w->count] + w->dq[k + 5 * w->count]};
  double weight = 1;
  for (int i = 0; i < (row < 4 ? 1 : 2); i++) {
    const double s = (fabs(speed[i]) / fade - 1) / 0.5;
    weight *= s <= 0 ? 0 : s >= 1 ? 1 : 3 * s * s - 2 * s * s * s;
  }
  return weight;
}

static rows brute_force(const rbv_model *m, const waves *w, int row, const rbv_row_filter *f,
                        keeps *keep) {
  rows r = dense_rows(m, w, row);
  for (ptrdiff_t k = 0; k < r.count && f->fade; k++)
    for (int c = 0; c < r.ncolumn; c++) r.A[k + c * r.count] *= tx40_weight(w, row, k, f->fade[0]);
  if (f->decimate > 1) r = decimated(r, f->decimate);
  return masked(r, w, row, f, keep);
}

static double product(const rows *r, int a, int b) {
  double sum = 0;
  for (ptrdiff_t k = 0; k < r->count; k++) sum += r->A[k + a * r->count] * r->A[k + b * r->count];
  return sum;
}

/* ---- comparison ---- */

/* R'R of a group, by columns of the model (Y last), must equal W'W */
static void compare_group(const rbv_group *g, const rows *want) {
  const int n = g->ncolumn + 1, all = want->ncolumn;
  double norm[COLUMN_MAX + 1];
  assert_int_equal(g->rows, want->count);
  assert_int_equal(g->masked, want->masked);
  // 0.01: a column that is only rounding, 1e-15 per row, has rounding as products with others
  for (int c = 0; c < all; c++) norm[c] = sqrt(product(want, c, c)) + 0.01;
  for (int a = 0; a < n; a++)
    for (int b = 0; b <= a; b++) {
      double sum = 0;
      for (int r = 0; r <= b; r++) sum += g->R[r + a * n] * g->R[r + b * n];
      const int ca = a < n - 1 ? g->column[a] : all - 1, cb = b < n - 1 ? g->column[b] : all - 1;
      // sums of thousands of products, rounded differently; the filters agree to 1e-13
      assert_near(sum, product(want, ca, cb), 1e-11 * norm[ca] * norm[cb], 0);
    }
  // columns that the group does not have are zero
  bool used[COLUMN_MAX] = {false};
  for (int c = 0; c < g->ncolumn; c++) used[g->column[c]] = true;
  for (int c = 0; c < all - 1; c++)
    if (!used[c]) assert_near(norm[c], 0.01, 1e-12, 0);
}

static void compare(const rbv_model *m, const waves *w, const rbv_row_filter *f, keeps *keep) {
  int columns[COLUMN_MAX];
  const int nc = rbv_model_column_count(m);
  for (int c = 0; c < nc; c++) columns[c] = c;
  rbv_equations *s;
  assert_ok(rbv_equations_new(&s, m, columns, nc, f));
  rbv_motion *motion = waves_motion(w);
  assert_ok(rbv_equations_add(s, motion));
  assert_int_equal(rbv_equations_group_count(s), rbv_model_row_count(m));
  for (int g = 0; g < rbv_equations_group_count(s); g++) {
    const rbv_group *group = rbv_equations_group(s, g);
    assert_int_equal(group->row, g);
    assert_int_equal(group->motion, 0);
    rows want = brute_force(m, w, g, f, keep);
    compare_group(group, &want);
    free(want.A);
  }
  rbv_motion_free(motion);
  rbv_equations_free(s);
}

static bool keeps_all(const waves *w, int row, ptrdiff_t sample, double mask) {
  (void)w;
  (void)row;
  (void)sample;
  (void)mask;
  return true;
}

/* TX40: the sign of the joint, and in the wrist that of motor 6, which turns with joints 5 and 6 */
static bool tx40_keeps(const waves *w, int row, ptrdiff_t sample, double mask) {
  const double own = w->dq[sample + row * w->count];
  const double wrist = w->dq[sample + 4 * w->count] + w->dq[sample + 5 * w->count];
  return fabs(own) >= mask && (row < 4 || fabs(wrist) >= mask);
}

static void test_factors_equal_those_of_the_rows(void **state) {
  (void)state;
  static const struct {
    const char *robot;
    int sensing;
    bool payload;
  } cases[] = {{"tx40", -1, false},
               {"ns16", -1, false},
               {"lwr4+", RBV_SENSING_BOTH, true},
               {"lwr4+", RBV_SENSING_DIFFERENCE, true}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    rbv_model *m = load_robot(cases[i].robot, cases[i].sensing, cases[i].payload);
    double chi[COLUMN_MAX];
    random_columns(chi, m, 1);
    for (int loaded = 0; loaded <= cases[i].payload; loaded++) {
      waves w;
      // not a whole number of chunks
      waves_new(&w, m, chi, 2, 1300, 200, loaded);
      waves_add_noise(&w, 3, 1);
      compare(m, &w, &(rbv_row_filter){.decimate = 1}, keeps_all);
      compare(m, &w, &(rbv_row_filter){.decimate = 1, .trim = 600}, keeps_all);
      compare(m, &w, &(rbv_row_filter){.decimate = 7}, keeps_all);
      waves_free(&w);
    }
    rbv_model_free(m);
  }
}

static void test_masks_select_the_right_rows(void **state) {
  (void)state;
  rbv_model *m = load_robot("tx40", -1, false);
  double chi[COLUMN_MAX];
  random_columns(chi, m, 1);
  waves w;
  waves_new(&w, m, chi, 2, 3000, 200, false);
  compare(m, &w, &(rbv_row_filter){.decimate = 1, .mask = 1}, tx40_keeps);
  compare(m, &w, &(rbv_row_filter){.decimate = 1, .mask = 0.3, .trim = 11}, tx40_keeps);
  compare(m, &w, &(rbv_row_filter){.decimate = 4, .mask = 1}, tx40_keeps);
  const double fade[] = {0.7, 0.7, 0.7, 0.7, 0.7, 0.7};
  compare(m, &w, &(rbv_row_filter){.decimate = 1, .fade = fade}, tx40_keeps);
  compare(m, &w, &(rbv_row_filter){.decimate = 4, .fade = fade, .mask = 0.9}, tx40_keeps);
  waves_free(&w);
  rbv_model_free(m);
}

/* joints 5 and 6 turn against each other: motor 6 stands still, both rows of the
 * wrist are masked */
static void test_motor_of_the_wrist_at_rest(void **state) {
  (void)state;
  rbv_model *m = load_robot("tx40", -1, false);
  waves w;
  waves_new(&w, m, NULL, 2, 600, 200, false);
  for (ptrdiff_t k = 0; k < w.count; k++)
    for (int j = 0; j < 6; j++) w.dq[k + j * w.count] = j == 5 ? -2 : 2;
  rbv_motion *motion = waves_motion(&w);
  const int column = rbv_model_find(m, "Fc1");
  rbv_equations *s;
  assert_ok(rbv_equations_new(&s, m, &column, 1, &(rbv_row_filter){.decimate = 1, .mask = 0.1}));
  assert_ok(rbv_equations_add(s, motion));
  for (int r = 0; r < 6; r++) {
    assert_int_equal(rbv_equations_group(s, r)->rows, r < 4 ? 600 : 0);
    assert_int_equal(rbv_equations_group(s, r)->masked, r < 4 ? 0 : 600);
  }
  rbv_equations_free(s);
  rbv_motion_free(motion);
  waves_free(&w);
  rbv_model_free(m);
}

/* a joint sensor without friction behind it has no sign to mask */
static void test_sensor_without_friction_is_not_masked(void **state) {
  (void)state;
  const char *text =
      "name: one\nsensing: both\n"
      "joints: [{mdh: {alpha: pi/2}, drive: [Ia, Fvm, Fcm, offl]}]\n";
  rbv_model *m;
  assert_ok(rbv_model_parse(&m, "robot", text, strlen(text), NULL));
  waves w;
  waves_new(&w, m, NULL, 2, 100, 200, false);
  memset(w.dq, 0, 100 * sizeof *w.dq);
  rbv_motion *motion = waves_motion(&w);
  const int column = rbv_model_find(m, "Ia1");
  rbv_equations *s;
  assert_ok(rbv_equations_new(&s, m, &column, 1, &(rbv_row_filter){.decimate = 1, .mask = 0.1}));
  assert_ok(rbv_equations_add(s, motion));
  assert_int_equal(rbv_equations_group(s, 0)->rows, 0);
  assert_int_equal(rbv_equations_group(s, 1)->rows, 100);
  // rotor inertia does not act on the sensor
  assert_int_equal(rbv_equations_group(s, 1)->ncolumn, 0);
  rbv_equations_free(s);
  rbv_motion_free(motion);
  waves_free(&w);
  rbv_model_free(m);
}

/* ---- stacking ---- */

/* two motions, columns in another order, weights: the normal equations equal those of
 * the reference */
static void test_stack_with_weights(void **state) {
  (void)state;
  rbv_model *m = load_robot("tx40", -1, false);
  const char *names[] = {"Fc3", "ZZ1", "fvm6", "MX2", "XX4"};
  int columns[5];
  for (int c = 0; c < 5; c++) columns[c] = rbv_model_find(m, names[c]);
  const double sigma[6] = {0.5, 2, 3, 1, 0.25, 10};
  const rbv_row_filter f = {.decimate = 1};
  double chi[COLUMN_MAX], R[36], plain[36], want[36] = {0}, want_plain[36] = {0};
  random_columns(chi, m, 1);
  rbv_equations *s;
  assert_ok(rbv_equations_new(&s, m, columns, 5, &f));
  for (int i = 0; i < 2; i++) {
    waves w;
    waves_new(&w, m, chi, (uint64_t)(2 + i), 700, 200, false);
    rbv_motion *motion = waves_motion(&w);
    assert_ok(rbv_equations_add(s, motion));
    for (int r = 0; r < 6; r++) {
      rows d = brute_force(m, &w, r, &f, keeps_all);
      for (int a = 0; a < 6; a++)
        for (int b = 0; b < 6; b++) {
          const double x =
              product(&d, a < 5 ? columns[a] : d.ncolumn - 1, b < 5 ? columns[b] : d.ncolumn - 1);
          want[a + 6 * b] += x / (sigma[r] * sigma[r]);
          want_plain[a + 6 * b] += x;
        }
      free(d.A);
    }
    rbv_motion_free(motion);
    waves_free(&w);
  }
  ptrdiff_t count;
  assert_ok(rbv_equations_stack(R, &count, s, sigma, NULL, false));
  assert_int_equal(count, 2 * 6 * 700);
  assert_ok(rbv_equations_stack(plain, &count, s, NULL, NULL, false));
  for (int a = 0; a < 6; a++)
    for (int b = 0; b < 6; b++) {
      double sum = 0, sum_plain = 0;
      for (int r = 0; r < 6; r++) {
        sum += R[r + 6 * a] * R[r + 6 * b];
        sum_plain += plain[r + 6 * a] * plain[r + 6 * b];
      }
      assert_near(sum, want[a + 6 * b], 1e-12 * sqrt(want[7 * a] * want[7 * b]), 0);
      const double scale = sqrt(want_plain[7 * a] * want_plain[7 * b]);
      assert_near(sum_plain, want_plain[a + 6 * b], 1e-12 * scale, 0);
    }
  rbv_equations_free(s);
  rbv_model_free(m);
}

/* a row of noise and two columns: sigma is that of the noise */
static void test_row_sigma(void **state) {
  (void)state;
  rbv_model *m = load_robot("tx40", -1, false);
  const int columns[] = {rbv_model_find(m, "Fv2"), rbv_model_find(m, "off2")};
  double chi[COLUMN_MAX] = {0}, sigma;
  chi[columns[0]] = 5;
  chi[columns[1]] = -1;
  rbv_equations *s;
  assert_ok(rbv_equations_new(&s, m, columns, 2, &(rbv_row_filter){.decimate = 1}));
  for (int i = 0; i < 2; i++) {
    waves w;
    waves_new(&w, m, chi, (uint64_t)i, 5000, 200, false);
    waves_add_noise(&w, (uint64_t)(7 + i), 0.3);
    rbv_motion *motion = waves_motion(&w);
    assert_ok(rbv_equations_add(s, motion));
    rbv_motion_free(motion);
    waves_free(&w);
  }
  assert_int_equal(rbv_equations_group_count(s), 12);
  assert_int_equal(rbv_equations_group(s, 7)->motion, 1);
  // relative spread of a deviation from 1e4 numbers is 1 / sqrt(2e4) = 0.007; both motions are used
  for (int r = 0; r < 6; r++) {
    assert_ok(rbv_equations_row_sigma(&sigma, s, r, NULL));
    assert_near(sigma, 0.3, 0, 4 * 0.007);
  }
  rbv_equations_free(s);
  rbv_model_free(m);
}

/* ---- replay ---- */

typedef struct {
  const rows *want;  // per row
  const double *chi;
  ptrdiff_t seen[2 * JOINT_MAX];
} watcher;

static void watch(void *self, int row, int fold, const double *measured, const double *predicted,
                  ptrdiff_t count) {
  (void)fold;
  watcher *w = self;
  const rows *want = &w->want[row];
  for (ptrdiff_t k = 0; k < count; k++) {
    const ptrdiff_t at = w->seen[row]++;
    assert_true(at < want->count);
    double sum = 0, size = 1;
    for (int c = 0; c < want->ncolumn - 1; c++) {
      const double x = want->A[at + c * want->count] * w->chi[c];
      sum += x;
      size += fabs(x);
    }
    const double y = want->A[at + (want->ncolumn - 1) * want->count];
    // the filters agree to 1e-13 of the signals that pass through them
    assert_near(predicted[k], sum, 1e-11 * size, 0);
    assert_near(measured[k], y, 1e-11 * (1 + fabs(y)), 0);
  }
}

static void replay(const rbv_model *m, const waves *w, const double *chi, const rbv_row_filter *f,
                   keeps *keep) {
  rows want[2 * JOINT_MAX];
  for (int r = 0; r < w->nrow; r++) want[r] = brute_force(m, w, r, f, keep);
  watcher eye = {.want = want, .chi = chi};
  rbv_motion *motion = waves_motion(w);
  assert_ok(rbv_equations_replay(m, f, motion, chi, watch, &eye));
  for (int r = 0; r < w->nrow; r++) {
    assert_int_equal(eye.seen[r], want[r].count);
    free(want[r].A);
  }
  rbv_motion_free(motion);
}

static void test_replay_equals_w_chi(void **state) {
  (void)state;
  double chi[COLUMN_MAX];
  waves w;
  rbv_model *m = load_robot("tx40", -1, false);
  random_columns(chi, m, 4);
  waves_new(&w, m, NULL, 5, 1300, 200, false);
  waves_add_noise(&w, 6, 1);
  replay(m, &w, chi, &(rbv_row_filter){.decimate = 1, .trim = 5, .mask = 1}, tx40_keeps);
  replay(m, &w, chi, &(rbv_row_filter){.decimate = 5, .mask = 1}, tx40_keeps);
  waves_free(&w);
  rbv_model_free(m);
  m = load_robot("lwr4+", RBV_SENSING_BOTH, true);
  random_columns(chi, m, 4);
  for (int loaded = 0; loaded < 2; loaded++) {
    waves_new(&w, m, NULL, 5, 900, 200, loaded);
    waves_add_noise(&w, 6, 1);
    replay(m, &w, chi, &(rbv_row_filter){.decimate = 1}, keeps_all);
    replay(m, &w, chi, &(rbv_row_filter){.decimate = 5}, keeps_all);
    waves_free(&w);
  }
  rbv_model_free(m);
}

/* ---- rows with a prefilter ---- */

typedef struct {
  ptrdiff_t count;
  double measured[2000], predicted[2000];
} first_row;

static void take_first(void *self, int row, int fold, const double *measured,
                       const double *predicted, ptrdiff_t count) {
  (void)fold;
  first_row *f = self;
  if (row != 0) return;
  memcpy(f->measured + f->count, measured, (size_t)count * sizeof *measured);
  memcpy(f->predicted + f->count, predicted, (size_t)count * sizeof *predicted);
  f->count += count;
}

/* both prefilters act equally on all columns, before and after the decimation; settling rows are
 * left out */
static void test_prefilters_act_on_rows(void **state) {
  (void)state;
  double chi[COLUMN_MAX];
  waves w;
  rbv_model *m = load_robot("tx40", -1, false);
  random_columns(chi, m, 4);
  waves_new(&w, m, NULL, 5, 1300, 200, false);
  waves_add_noise(&w, 6, 1);
  rbv_motion *motion = waves_motion(&w);
  rbv_row_prefilter prefilter[6];
  for (int r = 0; r < 6; r++)
    prefilter[r] = (rbv_row_prefilter){
        .before = {.nnum = 2, .nden = 2, .num = {1, -1}, .den = {1, -0.5}},
        .after = {.nnum = 3, .nden = 1, .num = {2, -1, 0.25}, .den = {1}},
    };
  for (int decimate = 1; decimate <= 4; decimate += 3) {
    static first_row plain, shaped;
    plain.count = shaped.count = 0;
    const rbv_row_filter raw = {.decimate = 1};
    rbv_row_filter f = {.decimate = decimate, .prefilter = prefilter, .settle = 20, .trim = 7};
    assert_ok(rbv_equations_replay(m, &raw, motion, chi, take_first, &plain));
    assert_ok(rbv_equations_replay(m, &f, motion, chi, take_first, &shaped));
    double *column[2] = {plain.measured, plain.predicted};
    const double *got[2] = {shaped.measured, shaped.predicted};
    rbv_decimate_options o = rbv_decimate_defaults(decimate);
    o.cutoff_ratio = RBV_PREFILTER_BAND;
    for (int c = 0; c < 2; c++) {
      double past[4], out[2000];
      rbv_transfer_start(past, &prefilter[0].before, column[c], 2000, 1);
      rbv_transfer_continue(column[c], 2000, &prefilter[0].before, past, column[c], 2000, 1300, 1);
      ptrdiff_t count = 1300, first = 20;
      memcpy(out, column[c], sizeof out);
      if (decimate > 1) {
        rbv_decimator *d;
        count = rbv_decimate_count(1300, &o);
        assert_ok(rbv_decimator_new(&d, 1300, 1, &o));
        assert_ok(rbv_decimate(out, count, d, column[c], 1300));
        rbv_decimator_free(d);
        // an invalid sample acts over 1.5 n_d
        for (first = 0; rbv_decimate_index(first, &o) <= 19 + 6;) first++;
      }
      rbv_transfer_start(past, &prefilter[0].after, out, 2000, 1);
      rbv_transfer_continue(out, 2000, &prefilter[0].after, past, out, 2000, count, 1);
      ptrdiff_t last = count;
      while ((decimate > 1 ? rbv_decimate_index(last - 1, &o) : last - 1) >= 1300 - 7) last--;
      assert_int_equal(shaped.count, last - first);
      for (ptrdiff_t k = 0; k < shaped.count; k++)
        assert_near(got[c][k], out[first + k], 1e-9, 1e-10);
    }
  }
  rbv_motion_free(motion);
  waves_free(&w);
  rbv_model_free(m);
}

/* no filter, and one with all fields zero, keep every sample unfiltered */
static void test_missing_filter_keeps_every_sample(void **state) {
  (void)state;
  rbv_model *m = load_robot("tx40", -1, false);
  const int column = rbv_model_find(m, "Fv1");
  const rbv_row_filter zeroed = {0};
  double chi[COLUMN_MAX] = {0};
  waves w;
  waves_new(&w, m, chi, 1, 300, 100, false);
  for (int i = 0; i < 2; i++) {
    rbv_equations *s;
    rbv_motion *motion = waves_motion(&w);
    assert_ok(rbv_equations_new(&s, m, &column, 1, i ? &zeroed : NULL));
    assert_ok(rbv_equations_add(s, motion));
    assert_int_equal(rbv_equations_group(s, 0)->rows, 300);
    rbv_equations_set_filter(s, i ? &zeroed : NULL);
    assert_int_equal(rbv_equations_group_count(s), 0);
    assert_ok(rbv_equations_add(s, motion));
    assert_int_equal(rbv_equations_group(s, 0)->rows, 300);
    static first_row t;
    t.count = 0;
    assert_ok(rbv_equations_replay(m, i ? &zeroed : NULL, motion, chi, take_first, &t));
    assert_int_equal(t.count, 300);
    rbv_equations_free(s);
    rbv_motion_free(motion);
  }
  waves_free(&w);
  rbv_model_free(m);
}

static void test_refusals(void **state) {
  (void)state;
  rbv_model *m = load_robot("tx40", -1, false), *other = load_robot("lwr4+", -1, false);
  rbv_equations *s = (rbv_equations *)m;
  rbv_row_filter f = {.decimate = 1};
  const int columns[] = {0, 86}, negative = -1;
  assert_refused(rbv_equations_new(&s, m, columns, 0, &f), RBV_EARG, "needs a model and columns");
  assert_null(s);
  assert_refused(rbv_equations_new(&s, m, NULL, 1, &f), RBV_EARG, "needs a model and columns");
  assert_refused(rbv_equations_new(&s, m, columns, 2, &f), RBV_EARG, "column 86");
  assert_refused(rbv_equations_new(&s, m, &negative, 1, &f), RBV_EARG, "column -1");
  const int twice[] = {3, 4, 3};
  assert_refused(rbv_equations_new(&s, m, twice, 3, &f), RBV_EARG, "column 3 is listed twice");

  waves w;
  waves_new(&w, other, NULL, 1, 100, 100, false);
  rbv_motion *motion = waves_motion(&w);
  assert_ok(rbv_equations_new(&s, m, columns, 1, &f));
  assert_refused(rbv_equations_add(s, motion), RBV_EDIM, "7 joints and 14 torques");
  assert_int_equal(rbv_equations_group_count(s), 0);
  rbv_equations_free(s);
  rbv_equations_free(NULL);

  f.decimate = 30;
  assert_ok(rbv_equations_new(&s, other, columns, 1, &f));
  assert_refused(rbv_equations_add(s, motion), RBV_EINPUT, "too few for a decimation by 30");
  rbv_equations_free(s);
  f = (rbv_row_filter){.decimate = 1, .trim = 50};
  assert_ok(rbv_equations_new(&s, other, columns, 1, &f));
  assert_refused(rbv_equations_add(s, motion), RBV_EINPUT, "50 are to be dropped at each end");
  rbv_equations_free(s);
  rbv_motion_free(motion);

  // a NaN is reported with its sample, and nothing is added
  w.torque[3] = NAN;
  motion = waves_motion(&w);
  f.trim = 0;
  assert_ok(rbv_equations_new(&s, other, columns, 1, &f));
  assert_int_equal(rbv_equations_add(s, motion), RBV_ENUM);
  assert_int_equal(rbv_equations_group_count(s), 0);
  rbv_equations_free(s);
  rbv_motion_free(motion);
  waves_free(&w);
  rbv_model_free(m);
  rbv_model_free(other);
}

typedef struct {
  const rbv_model *m;
  rbv_motion *motion;
  rbv_row_filter f;
} tiny;

static rbv_status add_twice(void *state) {
  tiny *t = state;
  const int columns[] = {0, 1};
  double R[9], sigma;
  ptrdiff_t count;
  rbv_equations *s;
  rbv_status status = rbv_equations_new(&s, t->m, columns, 2, &t->f);
  for (int i = 0; i < 2 && status == RBV_OK; i++) status = rbv_equations_add(s, t->motion);
  if (status == RBV_OK) status = rbv_equations_row_sigma(&sigma, s, 0, NULL);
  if (status == RBV_OK) status = rbv_equations_stack(R, &count, s, NULL, NULL, false);
  rbv_equations_free(s);
  return status;
}

static void test_every_allocation_may_fail(void **state) {
  (void)state;
  rbv_model *m = load_robot("tx40", -1, false);
  waves w;
  waves_new(&w, m, NULL, 1, 200, 100, false);
  tiny t = {m, waves_motion(&w), {.decimate = 1}};
  fail_each_allocation(add_twice, &t);
  t.f.decimate = 5;
  fail_each_allocation(add_twice, &t);
  rbv_motion_free(t.motion);
  waves_free(&w);
  rbv_model_free(m);
}

/* ---- stored rows ---- */

/* R'R of [W | Y], because R is not unique for dependent columns */
static void same_products(const rbv_group *a, const rbv_group *b) {
  const int n = a->ncolumn + 1;
  assert_int_equal(b->ncolumn + 1, n);
  assert_int_equal(a->rows, b->rows);
  assert_int_equal(a->masked, b->masked);
  for (int j = 0; j < n; j++)
    for (int i = 0; i <= j; i++) {
      double x = 0, y = 0, size = 0;
      for (int k = 0; k <= i; k++) {
        x += a->R[k + i * n] * a->R[k + j * n];
        y += b->R[k + i * n] * b->R[k + j * n];
        size += fabs(a->R[k + i * n] * a->R[k + j * n]);
      }
      // some thousand operations
      assert_near(x, y, 1e-12 * (size + 1), 0);
    }
}

/* clipped torques on stored rows and on rows that are computed again */
static void clip_twice(const rbv_model *m, const waves *w, const double *chi, rbv_row_filter f) {
  int columns[COLUMN_MAX];
  double limit[2 * JOINT_MAX];
  const int n = rbv_model_column_count(m);
  for (int c = 0; c < n; c++) columns[c] = c;
  for (int r = 0; r < w->nrow; r++) limit[r] = 0.5;
  rbv_equations *kept, *fresh;
  rbv_motion *motion = waves_motion(w);
  const ptrdiff_t count = rbv_motion_get_info(motion)->count;
  double *residual = malloc((size_t)(count * w->nrow) * sizeof *residual);
  assert_ok(rbv_equations_new(&kept, m, columns, n, &f));
  rbv_equations_keep_rows(kept, 1 << 26);
  assert_ok(rbv_equations_add(kept, motion));
  assert_true(rbv_equations_has_rows(kept));
  assert_ok(rbv_equations_residuals(residual, m, motion, chi, 1));
  assert_ok(rbv_equations_clip_again(kept, 0, motion, residual, limit));
  assert_ok(rbv_equations_new(&fresh, m, columns, n, &f));
  assert_ok(rbv_equations_clip(fresh, chi, limit));
  assert_ok(rbv_equations_add(fresh, motion));
  assert_false(rbv_equations_has_rows(fresh));
  assert_int_equal(rbv_equations_clip_again(fresh, 0, motion, residual, limit), RBV_EARG);
  assert_int_equal(rbv_equations_group_count(kept), rbv_equations_group_count(fresh));
  for (int g = 0; g < rbv_equations_group_count(fresh); g++)
    same_products(rbv_equations_group(kept, g), rbv_equations_group(fresh, g));
  rbv_equations_free(kept);
  rbv_equations_free(fresh);
  rbv_motion_free(motion);
  free(residual);
}

static void test_stored_rows_get_other_torques(void **state) {
  (void)state;
  double chi[COLUMN_MAX];
  waves w;
  rbv_model *m = load_robot("tx40", -1, false);
  random_columns(chi, m, 4);
  waves_new(&w, m, chi, 5, 3000, 200, false);
  waves_add_noise(&w, 6, 1);
  clip_twice(m, &w, chi, (rbv_row_filter){.decimate = 1});
  clip_twice(m, &w, chi, (rbv_row_filter){.decimate = 1, .folds = 3, .trim = 7, .mask = 0.5});
  clip_twice(m, &w, chi, (rbv_row_filter){.decimate = 5, .folds = 4, .mask = 0.5});
  // no room: the rows are not stored
  const int columns[] = {0, 1};
  rbv_equations *s;
  rbv_motion *motion = waves_motion(&w);
  assert_ok(rbv_equations_new(&s, m, columns, 2, NULL));
  rbv_equations_keep_rows(s, 100);
  assert_ok(rbv_equations_add(s, motion));
  assert_false(rbv_equations_has_rows(s));
  rbv_equations_free(s);
  rbv_motion_free(motion);
  waves_free(&w);
  rbv_model_free(m);
}

/* the first filter, then the second with other instruments: as without stored columns, to the bit
 */
static void instruments_twice(const rbv_model *m, rbv_motion *const *motion, rbv_row_filter first,
                              rbv_row_filter second) {
  int columns[COLUMN_MAX];
  const int n = rbv_model_column_count(m);
  for (int c = 0; c < n; c++) columns[c] = c;
  rbv_equations *kept, *fresh;
  assert_ok(rbv_equations_new(&kept, m, columns, n, &first));
  rbv_equations_keep_columns(kept, 1 << 26);
  assert_ok(rbv_equations_add_with(kept, motion[0], motion[1]));
  rbv_equations_set_filter(kept, &second);
  assert_ok(rbv_equations_add_with(kept, motion[0], motion[2]));
  assert_ok(rbv_equations_new(&fresh, m, columns, n, &second));
  assert_ok(rbv_equations_add_with(fresh, motion[0], motion[2]));
  assert_int_equal(rbv_equations_group_count(kept), rbv_equations_group_count(fresh));
  for (int i = 0; i < rbv_equations_group_count(fresh); i++) {
    const rbv_group *a = rbv_equations_group(kept, i), *b = rbv_equations_group(fresh, i);
    const size_t k = (size_t)a->ncolumn;
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->masked, b->masked);
    assert_memory_equal(a->R, b->R, (k + 1) * (k + 1) * sizeof *a->R);
    assert_memory_equal(a->RZ, b->RZ, (2 * k + 1) * (2 * k + 1) * sizeof *a->RZ);
  }
  rbv_equations_free(kept);
  rbv_equations_free(fresh);
}

static void test_stored_columns_get_other_instruments(void **state) {
  (void)state;
  double chi[COLUMN_MAX], fade[JOINT_MAX];
  for (int j = 0; j < JOINT_MAX; j++) fade[j] = 0.2;
  // 40 samples per output; of the long motion, several blocks
  const ptrdiff_t counts[] = {3000, 250000};
  for (int i = 0; i < 2; i++) {
    waves w[3];
    rbv_motion *motion[3];
    rbv_model *m;
    if (i == 0)
      m = load_robot("tx40", -1, false);
    else
      assert_ok(rbv_model_parse(&m, "arm", light_arm, strlen(light_arm), NULL));
    random_columns(chi, m, 4);
    for (int k = 0; k < 3; k++) {
      waves_new(&w[k], m, chi, (uint64_t)(5 + k), counts[i], 200, false);
      motion[k] = waves_motion(&w[k]);
    }
    const rbv_row_filter plain = {.decimate = 40, .mask = 0.1, .threads = 2};
    rbv_row_filter other = plain;
    instruments_twice(m, motion, plain, plain);
    other.mask = 0.3;
    other.folds = 4;
    other.threads = 1;
    instruments_twice(m, motion, plain, other);
    // the columns themselves change
    other.decimate = 20;
    instruments_twice(m, motion, plain, other);
    other = plain;
    other.band = 0.5;
    instruments_twice(m, motion, plain, other);
    other = plain;
    other.fade = fade;
    instruments_twice(m, motion, plain, other);
    instruments_twice(m, motion, other, plain);
    for (int k = 0; k < 3; k++) {
      rbv_motion_free(motion[k]);
      waves_free(&w[k]);
    }
    rbv_model_free(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_stored_rows_get_other_torques),
      cmocka_unit_test(test_stored_columns_get_other_instruments),
      cmocka_unit_test(test_factors_equal_those_of_the_rows),
      cmocka_unit_test(test_masks_select_the_right_rows),
      cmocka_unit_test(test_motor_of_the_wrist_at_rest),
      cmocka_unit_test(test_sensor_without_friction_is_not_masked),
      cmocka_unit_test(test_stack_with_weights),
      cmocka_unit_test(test_row_sigma),
      cmocka_unit_test(test_replay_equals_w_chi),
      cmocka_unit_test(test_prefilters_act_on_rows),
      cmocka_unit_test(test_missing_filter_keeps_every_sample),
      cmocka_unit_test(test_refusals),
      cmocka_unit_test(test_every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
