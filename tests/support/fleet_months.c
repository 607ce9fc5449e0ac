#include "fleet_months.h"

#include <math.h>
#include <roberval/sys/result.h>
#include <roberval/sys/storage.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "document/document.h"
#include "motions.h"
#include "nodes.h"
#include "support.h"
#include "tool.h"

#define SAMPLES 1600
#define RATE_HZ 200.0
#define NOISE 0.02    // of each torque
#define SCATTER 0.01  // of the parameters of the robots
#define REACH 0.08    // of the payload [m]
#define ROBOTS_MOST 64
#define MONTHS_MOST 24

/* ---- recordings ---- */

/* parameters of a robot in a month, both from 1 */
static void parameters_of(double *chi, const rbv_model *m, const fleet_months *o, int robot,
                          int month) {
  const double winter = o->season * cos(2 * acos(-1) * month / 12);
  for (int c = 0; c < rbv_model_column_count(m); c++) {
    const rbv_column *column = rbv_model_column(m, c);
    chi[c] = rbv_model_parameters(m)[c] *
             (1 + SCATTER * rbv_random_normal(o->seed, (uint64_t)robot, (uint64_t)c));
    if (rbv_column_has_law(column, "Fc") || rbv_column_has_law(column, "Fv")) chi[c] *= 1 + winter;
  }
  if (robot == o->worn && month >= o->wears_from)
    chi[rbv_model_find(m, "Fc3")] *= 1 + o->growth * (month - o->wears_from + 1);
  if (robot == o->loaded && month >= o->loaded_from) {
    chi[rbv_model_find(m, "M6")] += o->mass;
    chi[rbv_model_find(m, "MZ6")] += o->mass * REACH;
    chi[rbv_model_find(m, "XX6")] += o->mass * REACH * REACH;
    chi[rbv_model_find(m, "YY6")] += o->mass * REACH * REACH;
  }
}

static void record(const rbv_model *m, const double *chi, uint64_t seed, const char *name) {
  waves w;
  waves_new(&w, m, chi, seed, SAMPLES, RATE_HZ, false);
  waves_add_white(&w, seed, NOISE);
  waves_save(&w, temp_file(name, NULL), "q tau");
  waves_free(&w);
}

static void identify_month(const fleet_months *o, int month) {
  char manifest[16384], folder[32];
  int used = snprintf(manifest, sizeof manifest, "robot: tx40\nrobots:\n");
  for (int r = 1; r <= o->robots; r++)
    used += snprintf(manifest + used, sizeof manifest - (size_t)used,
                     "  - {name: arm%02d, logs: [arm%02d.csv]}\n", r, r);
  temp_file("fleet.yaml", manifest);
  snprintf(folder, sizeof folder, "history/2026-%02d", month);
  assert_int_equal(mkdir(temp_file(folder, NULL), 0700), 0);
  // exit code 1: the robot with the payload differs from its siblings, or there is advice
  outcome done = tool("identify --fleet fleet.yaml --gamma 20 --unchecked -q -o %s", folder);
  assert_true(done.code == 0 || done.code == 1);
  outcome_free(&done);
}

void fleet_months_make(const fleet_months *o) {
  rbv_model_options options = rbv_model_defaults();
  options.gamma = 20;
  rbv_model *m;
  assert_ok(rbv_model_load(&m, "tx40", &options));
  double *chi = malloc((size_t)rbv_model_column_count(m) * sizeof *chi);
  assert_true(o->robots <= ROBOTS_MOST && o->months <= MONTHS_MOST);
  assert_int_equal(mkdir(temp_file("history", NULL), 0700), 0);
  for (int month = 1; month <= o->months; month++) {
    for (int r = 1; r <= o->robots; r++) {
      char name[32];
      snprintf(name, sizeof name, "arm%02d.csv", r);
      parameters_of(chi, m, o, r, month);
      record(m, chi, o->seed + (uint64_t)(100 * month + r), name);
    }
    identify_month(o, month);
  }
  free(chi);
  rbv_model_free(m);
}

/* ---- an own count ---- */

static double value_of(int robot, int month, const char *name) {
  char path[64];
  snprintf(path, sizeof path, "history/2026-%02d/arm%02d.json", month, robot);
  rbv_result *r = tool_result(path);
  const double value = parameter_of(r, name)->value;
  rbv_result_free(r);
  return value;
}

/*
 * The month in which Fc3 of the worn robot is surely significant: the mean of the healthy robots is
 * subtracted, sigma is the scatter of the healthy robots about their own means, and a single month
 * is 15 % beyond the limit from the mean of the months before the wear. The tool compares means
 * of several months, so it must not be later.
 */
static int surely_significant(const fleet_months *o, double limit) {
  static double x[ROBOTS_MOST + 1][MONTHS_MOST + 1];
  double rss = 0;
  for (int t = 1; t <= o->months; t++) {
    double mean = 0;
    for (int r = 1; r <= o->robots; r++) {
      x[r][t] = value_of(r, t, "Fc3");
      if (r != o->worn) mean += x[r][t] / (o->robots - 1);
    }
    for (int r = 1; r <= o->robots; r++) x[r][t] -= mean;
  }
  for (int r = 1; r <= o->robots; r++) {
    double mean = 0;
    for (int t = 1; t <= o->months; t++) mean += x[r][t] / o->months;
    for (int t = 1; t <= o->months && r != o->worn; t++) rss += pow(x[r][t] - mean, 2);
  }
  const double sigma = sqrt(rss / ((o->robots - 1) * (o->months - 1.0)));
  double before = 0;
  for (int t = 1; t < o->wears_from; t++) before += x[o->worn][t] / (o->wears_from - 1);
  const double error = sigma * sqrt(1 + 1 / (o->wears_from - 1.0));
  print_message("Fc3: sigma %.4g\n", sigma);
  for (int t = o->wears_from; t <= o->months; t++) {
    print_message("month %d: %+.1f sigma\n", t, (x[o->worn][t] - before) / error);
    if (x[o->worn][t] - before > 1.15 * limit * error) return t;
  }
  fail_msg("the wear of this test is never significant");
  return 0;
}

/* ---- the answer of the tool ---- */

static const char *text_of(const rbv_node *item, const char *key) {
  return rbv_node_text(rbv_node_find(item, key));
}

/* number of the month: 2026-07 */
static int month_of(const rbv_node *item, const char *key) { return atoi(text_of(item, key) + 5); }

static void check_page(const fleet_months *o) {
  outcome made = tool("fleet history --report fleet.html -q");
  assert_int_equal(made.code, 1);
  outcome_free(&made);
  char *html;
  size_t size;
  assert_ok(rbv_file_read(&html, &size, temp_file("fleet.html", NULL)));
  assert_true(size < 1500000);
  char wanted[64];
  snprintf(wanted, sizeof wanted, "2 of %d robots need attention", o->robots);
  assert_non_null(strstr(html, wanted));
  int marked = 0;
  for (const char *at = html; (at = strstr(at, "</strong>, marked from ")); at++) marked++;
  assert_int_equal(marked, 2);
  assert_non_null(strstr(html, "figure-map-parameters"));
  assert_non_null(strstr(html, "figure-map-periods"));
  assert_non_null(strstr(html, "figure-trend-1"));
  rbv_file_free(html);
}

void fleet_months_check(const fleet_months *o) {
  outcome found = tool("fleet history --json");
  assert_int_equal(found.code, 1);
  rbv_document *doc;
  assert_ok(rbv_document_parse(&doc, "stdout", found.out, strlen(found.out)));
  const rbv_node *list = rbv_node_find(rbv_document_root(doc), "changes");
  char worn[8], loaded[8];
  snprintf(worn, sizeof worn, "arm%02d", o->worn);
  snprintf(loaded, sizeof loaded, "arm%02d", o->loaded);
  int wear_found = 0, load_found = 0;
  double limit = 0;
  for (int i = 0; i < rbv_node_count(list); i++) {
    const rbv_node *item = rbv_node_at(list, i);
    const char *robot = text_of(item, "robot"), *parameter = text_of(item, "parameter");
    const int month = month_of(item, "marked_from");
    print_message("%s %s %s: %s sigma, limit %s\n", robot, parameter, text_of(item, "marked_from"),
                  text_of(item, "change_sigma"), text_of(item, "limit_sigma"));
    if (strcmp(robot, worn) == 0) {
      // the friction of joint 3 and nothing else, not before it wears
      assert_true(strcmp(parameter, "Fc3") == 0 || strcmp(parameter, "Fv3") == 0);
      assert_true(month >= o->wears_from);
      if (strcmp(parameter, "Fc3") != 0) continue;
      wear_found = month;
      limit = strtod(text_of(item, "limit_sigma"), NULL);
    } else if (strcmp(robot, loaded) == 0) {
      assert_true(month >= o->loaded_from);
      if (load_found == 0 || month < load_found) load_found = month;
    } else {
      fail_msg("%s is marked, but it did not change", robot);
    }
  }
  // the payload is large: it is significant at once
  assert_int_equal(load_found, o->loaded_from);
  assert_true(wear_found > 0);
  assert_true(wear_found <= surely_significant(o, limit));
  rbv_document_free(doc);
  outcome_free(&found);
  check_page(o);
}
