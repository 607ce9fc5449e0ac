/* The identification job through its public functions, in the test's own process. */
#include <math.h>
#include <roberval/sys/identification.h>
#include <roberval/sys/storage.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arm.h"
#include "base/support.h"
#include "job_files.h"
#include "motions.h"
#include "support.h"

static int prepare(void **state) {
  (void)state;
  job_files_write();
  return 0;
}

static rbv_identification *job_of(const char *log, const char *const *option) {
  rbv_identification *job;
  assert_ok(rbv_identification_new(&job, "arm.yaml"));
  assert_ok(rbv_identification_add_log(job, log));
  for (int i = 0; option && option[i]; i += 2)
    assert_ok(rbv_identification_set(job, option[i], option[i + 1]));
  return job;
}

/* ---- the numbers ---- */

/* the steps one by one: robot, friction law, log, motion, estimate */
static rbv_estimate *by_hand(rbv_model **m, const rbv_model *like, const char *path,
                             const rbv_row_filter *filter) {
  rbv_log *log;
  rbv_motion *motion;
  rbv_estimate *e;
  rbv_identify_options how = rbv_identify_defaults();
  how.method = "wls";
  how.filter = *filter;
  rbv_model_options law = rbv_model_defaults();
  law.gamma = rbv_model_gamma(like);
  assert_ok(rbv_model_load(m, "arm.yaml", &law));
  assert_ok(rbv_log_load(&log, path, NULL));
  assert_ok(rbv_motion_from_log(&motion, *m, log, NULL));
  for (int j = 0; j < rbv_model_joint_count(*m); j++) {
    const rbv_smoothing s = rbv_model_smoothing(like, j);
    assert_true(s.gamma > 0 || s.speed > 0);
  }
  assert_ok(rbv_model_smooth_like(m, like));
  assert_ok(rbv_identify(&e, *m, &motion, 1, &how));
  rbv_motion_free(motion);
  rbv_log_free(log);
  return e;
}

static void test_equals_the_steps(void **state) {
  (void)state;
  const char *const option[] = {"decimate", "5", "mask", "0.02", "friction", "plain", NULL};
  rbv_identification *job = job_of("log.csv", option);
  assert_null(rbv_identification_result(job));
  assert_ok(rbv_identification_run(job));
  const rbv_result *r = rbv_identification_result(job);
  assert_string_equal(rbv_result_method(r), "wls");
  assert_true(rbv_result_converged(r));
  rbv_model *m;
  rbv_estimate *e = by_hand(&m, rbv_identification_model(job), "log.csv",
                            &(rbv_row_filter){.decimate = 5, .mask = 0.02});
  const int n = e->base->count;
  assert_int_equal(rbv_result_parameter_count(r), n);
  for (int k = 0; k < n; k++) {
    // to the last bit
    assert_true(rbv_result_parameter_value(r, k) == e->value[k]);
    assert_true(rbv_result_parameter_sigma(r, k) == sqrt(e->covariance[k + (ptrdiff_t)k * n]));
    assert_string_equal(rbv_result_parameter_name(r, k), e->base->name[k]);
  }
  assert_true(rbv_result_fit_error(r) == e->fit.relative_error);
  assert_true(isnan(rbv_result_validation_error(r)));
  rbv_estimate_free(e);
  rbv_model_free(m);
  rbv_identification_free(job);
}

static char *text_of(const rbv_identification *job) {
  char *text;
  size_t size;
  assert_ok(rbv_result_write(&text, &size, rbv_identification_result(job)));
  return text;
}

static void test_second_run(void **state) {
  (void)state;
  const char *const option[] = {"method",   "iv",        "controller", "pid.yaml", "skip", "0.2",
                                "validate", "other.csv", "consistent", "true",     NULL};
  rbv_identification *job = job_of("log.csv", option);
  assert_ok(rbv_identification_run(job));
  char *first = text_of(job);
  assert_ok(rbv_identification_run(job));
  char *second = text_of(job);
  assert_string_equal(first, second);
  rbv_text_release(second);
  // after a failed run there is no result, after a good one there is again
  assert_ok(rbv_identification_set(job, "start", "absent.yaml"));
  assert_refused(rbv_identification_run(job), RBV_EREAD, "absent.yaml");
  assert_null(rbv_identification_result(job));
  assert_ok(rbv_identification_set(job, "start", "robot"));
  assert_ok(rbv_identification_run(job));
  second = text_of(job);
  assert_string_not_equal(first, second);
  rbv_text_release(second);
  rbv_text_release(first);
  rbv_identification_free(job);
}

/* the tool's result is the job's: its files and options can be read */
static void test_provenance(void **state) {
  (void)state;
  const char *const option[] = {"prior", "prior.yaml", "prior-weight", "2", "seed", "5", NULL};
  rbv_identification *job = job_of("log.csv", option);
  assert_ok(rbv_identification_add_validation_log(job, "other.csv"));
  assert_ok(rbv_identification_run(job));
  assert_ok(rbv_identification_save(job, "saved.json"));
  rbv_identification_free(job);
  rbv_result *r;
  assert_ok(rbv_result_load(&r, "saved.json"));
  static const char *const path[] = {"arm.yaml", "log.csv", "other.csv", "prior.yaml"};
  for (int i = 0; i < 4; i++) {
    char hash[65];
    assert_ok(rbv_hash_file(hash, path[i]));
    assert_string_equal(rbv_result_file_path(r, i), path[i]);
    assert_string_equal(rbv_result_file_sha256(r, i), hash);
  }
  assert_null(rbv_result_file_path(r, 4));
  static const char *const want[][2] = {
      {"method", "wls"},      {"prior", "prior.yaml"}, {"prior-weight", "2"}, {"seed", "5"},
      {"essential", "false"}, {"no-snap", "false"},    {"cutoff", "auto"}};
  for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
    int i = 0;
    while (rbv_result_option_name(r, i) && strcmp(rbv_result_option_name(r, i), want[k][0]) != 0)
      i++;
    assert_non_null(rbv_result_option_name(r, i));
    assert_string_equal(rbv_result_option_value(r, i), want[k][1]);
  }
  rbv_result_free(r);
}

/* many recordings to validate on do not crowd out the files of options */
static void test_many_recordings(void **state) {
  (void)state;
  const char *const option[] = {"prior", "prior.yaml", "map", "map.yaml", NULL};
  rbv_identification *job = job_of("log.csv", option);
  for (int i = 0; i < 20; i++) assert_ok(rbv_identification_add_validation_log(job, "other.csv"));
  assert_ok(rbv_identification_run(job));
  const rbv_result *r = rbv_identification_result(job);
  assert_int_equal(r->nfile, 2);
  assert_string_equal(r->file[0].path, "prior.yaml");
  assert_string_equal(r->file[1].path, "map.yaml");
  rbv_identification_free(job);
  // a built-in robot is not the file of that name
  temp_file("tx40", "not a robot");
  rbv_model *m = load_robot("tx40", -1, false);
  waves w;
  waves_new(&w, m, rbv_model_parameters(m), 1, 1000, 200, false);
  waves_save(&w, temp_file("tx.csv", NULL), "q tau");
  waves_free(&w);
  rbv_model_free(m);
  assert_ok(rbv_identification_new(&job, "tx40"));
  assert_ok(rbv_identification_add_log(job, "tx.csv"));
  assert_ok(rbv_identification_run(job));
  assert_string_equal(rbv_result_file_sha256(rbv_identification_result(job), 0), "");
  rbv_identification_free(job);
}

/* ---- words ---- */

typedef struct {
  int count;
  bool filter;
} heard;

static void listen(void *self, const char *sentence, const char *option) {
  heard *h = self;
  h->count++;
  assert_true(strlen(sentence) > 0 && !strchr(sentence, '\n') && !strstr(sentence, "--"));
  const bool detail = option && strcmp(option, RBV_NOTE_DETAIL) == 0;
  if (option && !detail) assert_true(rbv_identification_has_option(option));
  h->filter = h->filter || strstr(sentence, "row filter: decimation by ");
}

static void test_notes(void **state) {
  (void)state;
  const char *const option[] = {"method", "didim", "controller", "auto", NULL};
  rbv_identification *job = job_of("log.csv", option);
  heard h = {0};
  rbv_identification_on_note(job, listen, &h);
  assert_ok(rbv_identification_run(job));
  // the recording, the filter, the controller of two joints, the bandwidth of the loops, the
  // transient
  assert_int_equal(h.count, 6);
  assert_true(h.filter);
  rbv_identification_on_note(job, NULL, NULL);
  assert_ok(rbv_identification_run(job));
  assert_int_equal(h.count, 6);
  rbv_identification_free(job);
}

static void count_rounds(void *self, int iteration, const rbv_iteration *now) {
  assert_true(now->residual > 0);
  *(int *)self = iteration;
}

static void test_progress(void **state) {
  (void)state;
  const char *const option[] = {"method", "didim", "controller", "pid.yaml", NULL};
  rbv_identification *job = job_of("log.csv", option);
  int rounds = 0;
  rbv_identification_on_progress(job, count_rounds, &rounds);
  assert_ok(rbv_identification_run(job));
  assert_int_equal(rounds, rbv_result_iterations(rbv_identification_result(job)));
  rbv_identification_free(job);
}

static void test_option_table(void **state) {
  (void)state;
  int count = 0;
  for (; rbv_identification_option_name(count); count++) {
    const char *name = rbv_identification_option_name(count);
    assert_true(rbv_identification_has_option(name));
    assert_true(strlen(rbv_identification_option_text(count)) > 0);
    for (int i = 0; i < count; i++)
      assert_string_not_equal(rbv_identification_option_name(i), name);
    // each choice is accepted
    for (int i = 0; rbv_identification_option_choice(name, i); i++) {
      rbv_identification *job;
      assert_ok(rbv_identification_new(&job, "arm.yaml"));
      assert_ok(rbv_identification_set(job, name, rbv_identification_option_choice(name, i)));
      rbv_identification_free(job);
    }
  }
  assert_true(count > 30);
  assert_null(rbv_identification_option_text(count));
  assert_null(rbv_identification_option_name(-1));
  assert_null(rbv_identification_option_choice("nothing", 0));
  assert_null(rbv_identification_option_choice("method", -1));
  assert_null(rbv_identification_option_choice("method", 1000));
  assert_null(rbv_identification_option_choice("decimate", 0));
  for (int i = 0; rbv_identify_method(i); i++)
    assert_string_equal(rbv_identification_option_choice("method", i), rbv_identify_method(i));
}

/* ---- refusals ---- */

static void test_null(void **state) {
  (void)state;
  rbv_identification *job = NULL;
  assert_refused(rbv_identification_new(NULL, "arm.yaml"), RBV_EARG, "");
  assert_refused(rbv_identification_new(&job, NULL), RBV_EARG, "needs a robot");
  assert_null(job);
  assert_refused(rbv_identification_add_log(NULL, "log.csv"), RBV_EARG, "");
  assert_refused(rbv_identification_add_loaded_log(NULL, "log.csv"), RBV_EARG, "");
  assert_refused(rbv_identification_add_validation_log(NULL, "log.csv"), RBV_EARG, "");
  assert_refused(rbv_identification_set(NULL, "method", "wls"), RBV_EARG, "");
  assert_refused(rbv_identification_set_number(NULL, "decimate", 2), RBV_EARG, "");
  assert_refused(rbv_identification_run(NULL), RBV_EARG, "");
  assert_refused(rbv_identification_save(NULL, "x.json"), RBV_EARG, "");
  assert_refused(rbv_identification_again(NULL, "x.json"), RBV_EARG, "");
  assert_refused(rbv_identification_again(&job, NULL), RBV_EARG, "");
  assert_refused(rbv_identification_check(NULL), RBV_EARG, "");
  assert_refused(rbv_identification_sensitivity(NULL, NULL), RBV_EARG, "");
  rbv_identification_on_note(NULL, listen, NULL);
  rbv_identification_on_progress(NULL, count_rounds, NULL);
  rbv_identification_free(NULL);
  assert_null(rbv_identification_result(NULL));
  assert_null(rbv_identification_model(NULL));
  assert_null(rbv_identification_estimate(NULL));
  assert_null(rbv_identification_prediction(NULL));
  assert_null(rbv_identification_recordings(NULL));
  assert_null(rbv_identification_validation(NULL));
  assert_null(rbv_identification_filter(NULL));
  assert_null(rbv_identification_prior(NULL));
  assert_null(rbv_identification_get_options(NULL));
  assert_false(rbv_identification_has_option(NULL));
  assert_null(rbv_identification_option_choice(NULL, 0));

  assert_ok(rbv_identification_new(&job, "arm.yaml"));
  assert_refused(rbv_identification_run(job), RBV_EARG, "at least one recording");
  assert_refused(rbv_identification_save(job, "x.json"), RBV_EARG, "has not run");
  assert_refused(rbv_identification_save(job, NULL), RBV_EARG, "");
  assert_refused(rbv_identification_add_log(job, NULL), RBV_EARG, "");
  assert_refused(rbv_identification_add_log(job, ""), RBV_EARG, "");
  assert_refused(rbv_identification_add_loaded_log(job, NULL), RBV_EARG, "");
  assert_refused(rbv_identification_add_validation_log(job, NULL), RBV_EARG, "");
  assert_refused(rbv_identification_set(job, NULL, "wls"), RBV_EARG, "");
  assert_refused(rbv_identification_set(job, "method", NULL), RBV_EARG, "");
  assert_refused(rbv_identification_set_number(job, NULL, 1), RBV_EARG, "");
  rbv_identification_free(job);
}

static void test_options_refused(void **state) {
  (void)state;
  rbv_identification *job;
  assert_ok(rbv_identification_new(&job, "arm.yaml"));
  assert_ok(rbv_identification_add_log(job, "log.csv"));
  assert_refused(rbv_identification_set(job, "methd", "wls"), RBV_EOPTION, "no option 'methd'");
  assert_refused(rbv_identification_set(job, "method", "magic"), RBV_EOPTION,
                 "method cannot be 'magic' (choose from ols, wls,");
  // every row with a range refuses what is outside, by name and in the structure
  rbv_option_group groups[RBV_IDENTIFICATION_GROUPS];
  rbv_identification_options *o = rbv_identification_get_options(job);
  rbv_identification_groups(groups, o);
  int ranges = 0;
  for (const rbv_option_group *g = groups; g->rows; g++)
    for (const rbv_option *row = g->rows; row->name; row++) {
      if (row->range.most == 0 || row->kind == RBV_OPTION_FILE || row->kind == RBV_OPTION_TEXT)
        continue;
      char text[32], message[64];
      snprintf(text, sizeof text, "%.0f", 2 * row->range.most + 2);
      snprintf(message, sizeof message, "%s needs a ", row->name);
      assert_refused(rbv_identification_set(job, row->name, text), RBV_EOPTION, message);
      const rbv_identification_options before = *o;
      void *target = (char *)g->options + row->offset;
      assert_true(
          rbv_option_store(row->kind, (rbv_range){.least = -1e300, .most = 1e300}, target, text));
      assert_refused(rbv_identification_check(o), RBV_EOPTION, message);
      *o = before;
      ranges++;
    }
  assert_true(ranges >= 12);
  assert_ok(rbv_identification_check(o));
  rbv_identification_free(job);
  static const struct {
    const char *option[6], *message;
  } cases[] = {
      {{"known-mass", "1"}, "known-mass needs the option payload"},
      {{"known-mass", "1", "gains", "1,1"}, "only one of known-mass, back-emf and gains"},
      {{"consistent", "true", "essential", "true"}, "cannot be combined"},
      {{"known-total-mass", "1"}, "need consistent"},
      {{"bounds", "robot"}, "need consistent"},
      {{"method", "iv", "prior", "robot"}, "a prior needs least squares"},
      {{"payload", "true"}, "add a loaded recording"},
      {{"loaded", "loaded.csv"}, "needs the option payload"},
      {{"weights", "1,2,3"}, "weights needs 2 numbers"},
      {{"weights", "periods"}, "weights periods needs differentiate fourier"},
      {{"method", "didim"}, "give its controller"},
      {{"cutoff", "fast"}, "cutoff needs a frequency or auto"},
      {{"differentiate", "fourier"}, "needs the period of the motion"},
      {{"gains", "1"}, "gains needs 2 numbers"},
      {{"gains", "0,1"}, "each value of gains must be a number above 0"},
      {{"weights", "0.3,-0.2"}, "each value of weights must be a number above 0"},
      {{"stiffness", "-1,1"}, "each value of stiffness must be a number from 0"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    job = job_of("log.csv", cases[i].option);
    assert_refused(rbv_identification_run(job), RBV_EOPTION, cases[i].message);
    assert_null(rbv_identification_result(job));
    rbv_identification_free(job);
  }
}

static void test_numbers(void **state) {
  (void)state;
  rbv_identification *job;
  assert_ok(rbv_identification_new(&job, "arm.yaml"));
  const rbv_identification_options *o = rbv_identification_get_options(job);
  assert_ok(rbv_identification_set_number(job, "mask", 0.1 + 0.2));
  assert_ok(rbv_identification_set_number(job, "decimate", 7));
  assert_ok(rbv_identification_set_number(job, "essential", 1));
  assert_true(o->filter.mask == 0.1 + 0.2 && o->filter.decimate == 7 && o->essential);
  assert_ok(rbv_identification_set_number(job, "essential", 0));
  assert_false(o->essential);
  assert_ok(rbv_identification_set_number(job, "cutoff", 30));
  assert_string_equal(o->recording.cutoff, "30");
  assert_refused(rbv_identification_set_number(job, "decimate", 2.5), RBV_EOPTION, "decimate");
  assert_refused(rbv_identification_set_number(job, "nothing", 1), RBV_EOPTION, "nothing");
  rbv_identification_free(job);
}

/* ---- again ---- */

/* one changed byte in any file that went in: refused, with its name; changed back: repeated */
static void test_changed_files(void **state) {
  (void)state;
  for (const job_file *f = job_files; f->name; f++) {
    rbv_identification *job = job_of(f->log, f->with);
    if (f->option) assert_ok(rbv_identification_set(job, f->option, f->name));
    assert_ok(rbv_identification_run(job));
    assert_ok(rbv_identification_save(job, "record.json"));
    rbv_identification_free(job);
    job_file_change(f->name);
    char want[64];
    snprintf(want, sizeof want, "%s: the file has changed", f->name);
    assert_refused(rbv_identification_again(&job, "record.json"), RBV_EINPUT, want);
    assert_null(job);
    job_file_restore(f->name);
    assert_ok(rbv_identification_again(&job, "record.json"));
    rbv_identification_free(job);
    // missing
    char moved[80];
    snprintf(moved, sizeof moved, "%s.moved", f->name);
    assert_int_equal(rename(f->name, moved), 0);
    assert_refused(rbv_identification_again(&job, "record.json"), RBV_EREAD, f->name);
    assert_int_equal(rename(moved, f->name), 0);
  }
}

/* ---- memory ---- */

static rbv_status run_small(const char *log, const char *const *option) {
  rbv_identification *job = NULL;
  rbv_status s = rbv_identification_new(&job, "arm.yaml");
  if (s == RBV_OK) s = rbv_identification_add_log(job, log);
  for (int i = 0; option[i] && s == RBV_OK; i += 2)
    s = rbv_identification_set(job, option[i], option[i + 1]);
  if (s == RBV_OK) s = rbv_identification_run(job);
  if (s == RBV_OK) s = rbv_identification_save(job, "small.json");
  rbv_identification_free(job);
  job = NULL;
  if (s == RBV_OK) s = rbv_identification_again(&job, "small.json");
  rbv_identification_free(job);
  return s;
}

/* Allocations fail one at a time, each or, of many, a sample of them: RBV_EMEM, or a note that is
 * not told. No memory is left behind. */
static void fail_allocations(const char *log, const char *const *option) {
  long before = rbv_alloc_count();
  assert_ok(run_small(log, option));
  const long total = rbv_alloc_count() - before;
  const size_t held = rbv_alloc_reset_peak();
  int untold = 0;
  for (long n = 1; n <= total; n += 1 + total / (SANITIZED ? 70 : 200)) {
    rbv_alloc_fail_after(n);
    const rbv_status status = run_small(log, option);
    rbv_alloc_fail_after(0);
    if (status != RBV_EMEM && status != RBV_OK)
      fail_msg("allocation %ld: %s \"%s\"", n, rbv_status_name(status), rbv_message());
    if (rbv_alloc_reset_peak() != held) fail_msg("allocation %ld: memory was not freed", n);
    untold += status == RBV_OK;
  }
  // texts of notes; everything else must be noticed
  assert_true(untold <= 5);
}

static void test_every_allocation_may_fail(void **state) {
  (void)state;
  rbv_model *m = load_robot("arm.yaml", -1, false);
  waves w;
  waves_new(&w, m, rbv_model_parameters(m), 4, 200, 50, false);
  waves_save(&w, temp_file("small.csv", NULL), "q tau");
  waves_free(&w);
  rbv_model_free(m);
  temp_file("plain.yaml",
            "{time: t, sensing: motor, joints: [{q: q1, tau: tau1}, {q: q2, tau: tau2}]}");
  fail_allocations(
      "small.csv",
      (const char *[]){"decimate", "1", "mask", "0", "cutoff", "10", "map", "plain.yaml",
                       "validate", "small.csv", "prior", "prior.yaml", "prior-weight", "1", "gains",
                       "1.5,0.5", "weights", "weights.yaml", NULL});
  // the first 0.8 s of the recording in its loop
  FILE *from = fopen("log.csv", "r"), *to = fopen(temp_file("short.csv", NULL), "w");
  char line[256];
  for (int i = 0; i < 401 && fgets(line, sizeof line, from); i++) fputs(line, to);
  fclose(from);
  fclose(to);
  fail_allocations("short.csv",
                   (const char *[]){"decimate", "5", "mask", "0", "cutoff", "50", "method", "iv",
                                    "controller", "pid.yaml", "start", "start.yaml", NULL});
  fail_allocations("short.csv",
                   (const char *[]){"decimate", "5", "mask", "0", "cutoff", "50", "consistent",
                                    "true", "bounds", "bounds.yaml", "back-emf", "open.csv", NULL});
  fail_allocations("small.csv",
                   (const char *[]){"decimate", "1", "mask", "0", "cutoff", "10", "payload", "true",
                                    "loaded", "small.csv", "known-mass", "1.5", NULL});
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_equals_the_steps),
      cmocka_unit_test(test_second_run),
      cmocka_unit_test(test_provenance),
      cmocka_unit_test(test_many_recordings),
      cmocka_unit_test(test_notes),
      cmocka_unit_test(test_progress),
      cmocka_unit_test(test_option_table),
      cmocka_unit_test(test_null),
      cmocka_unit_test(test_options_refused),
      cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_changed_files),
      cmocka_unit_test(test_every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, prepare, NULL);
}
