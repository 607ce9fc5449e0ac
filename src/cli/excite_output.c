#include "excite_output.h"

#include <math.h>
#include <stdio.h>

/* ---- words ---- */

static void print_score(const char *title, const rbv_score *s) {
  printf("%-10s condition %.4g, scaled %.4g; coupling %.4g; log10(det/N^%d) %.4g; -log det %.6g\n",
         title, s->condition, s->condition_scaled, s->coupling, s->columns, s->determinant,
         s->dopt);
}

static void print_cell(double used, double limit) {
  if (isfinite(limit))
    printf(" %9.3f /%8.3f", used, limit);
  else
    printf(" %9.3f /       -", used);
}

static void print_usage(const cli_excited *x, int i) {
  const int n = rbv_model_joint_count(x->model);
  const int width = cli_name_width(x->model);
  printf("\n%-*s %-24s %19s %19s %19s %19s\n", width, "used / limit", "position", "velocity",
         "acceleration", "jerk", "torque");
  for (int k = 0; k < n; k++) {
    const rbv_usage *u = &x->usage[i * n + k];
    const rbv_limits *l = &x->limits[k];
    char range[64];
    snprintf(range, sizeof range, "%.3f..%.3f", u->lower, u->upper);
    printf("%-*s %-24s", width, rbv_model_joint(x->model, k)->name, range);
    print_cell(u->velocity, l->velocity);
    print_cell(u->acceleration, l->acceleration);
    print_cell(u->jerk, l->jerk);
    if (!isnan(u->torque)) print_cell(u->torque, l->effort);
    printf("\n");
  }
  printf("tool speed %.3f m/s", x->used[i].tool_speed);
  if (isfinite(x->used[i].distance)) printf("; bodies %.3f m apart", x->used[i].distance);
  if (isfinite(x->used[i].outside))
    printf("; %.3f m from the workspace's ends", x->used[i].outside);
  printf("\n");
}

static double size_of_prior(const cli_excited *x, int b) {
  double value = 0;
  const rbv_base *base = rbv_excite_base(x->excite);
  for (int c = 0; x->prior && c < base->ncolumn; c++)
    value += base->relation[b + c * base->count] * x->prior[c];
  return fabs(value);
}

void cli_print_excited(const cli_excited *x) {
  const rbv_base *base = rbv_excite_base(x->excite);
  if (x->trajectory) {
    printf("%s: %d base parameters, %s by %s: %.6g after %.6g, %ld candidates in %.1f s\n",
           rbv_model_name(x->model), base->count, x->criterion, x->search, x->info.best,
           x->info.first, x->info.evaluations, x->info.seconds);
    for (int i = 0; i < x->count; i++) print_usage(x, i);
    printf("\n");
  }
  if (x->has_before) print_score("before", &x->before);
  print_score(x->trajectory ? "design" : "motion", &x->score);
  printf("\n%-10s %12s %12s\n", "parameter", "sigma", "sigma/|prior|");
  for (int b = 0; b < base->count; b++) {
    const double size = size_of_prior(x, b);
    printf("%-10s %12.4g", base->name[b], x->sigma[b]);
    if (size > 0)
      printf(" %10.3g %%\n", 100 * x->sigma[b] / size);
    else
      printf(" %12s\n", "-");
  }
  if (!x->noise_known)
    printf("(sigma for torques with a noise of 1 N m; --noise RESULT for yours)\n");
}

static void put_score(rbv_json *json, const char *key, const rbv_score *s) {
  rbv_json_key(json, key);
  rbv_json_map(json);
  rbv_json_put_int(json, "samples", s->samples);
  rbv_json_put_real(json, "condition_number", s->condition);
  rbv_json_put_real(json, "condition_number_scaled", s->condition_scaled);
  rbv_json_put_real(json, "coupling_index", s->coupling);
  rbv_json_put_real(json, "log10_determinant_per_sample", s->determinant);
  rbv_json_put_real(json, "minus_log_det", s->dopt);
  rbv_json_put_real(json, "mixed_fitness", s->mixed);
  rbv_json_put_real(json, "worst_relative_sigma", s->worst);
  rbv_json_put_real(json, "mean_relative_sigma", s->mean);
  rbv_json_end(json);
}

static void put_usage(rbv_json *json, const cli_excited *x) {
  const int n = rbv_model_joint_count(x->model);
  rbv_json_key(json, "trajectories");
  rbv_json_list(json);
  for (int i = 0; i < x->count; i++) {
    rbv_json_map(json);
    rbv_json_put_real(json, "duration_s", rbv_trajectory_duration(x->trajectory[i]));
    rbv_json_put_bool(json, "feasible", x->used[i].feasible);
    rbv_json_put_real(json, "tool_speed_m_per_s", x->used[i].tool_speed);
    rbv_json_put_real(json, "distance_m", x->used[i].distance);
    rbv_json_put_real(json, "workspace_distance_m", x->used[i].outside);
    rbv_json_key(json, "joints");
    rbv_json_list(json);
    for (int k = 0; k < n; k++) {
      const rbv_usage *u = &x->usage[i * n + k];
      const rbv_limits *l = &x->limits[k];
      rbv_json_map(json);
      rbv_json_put_string(json, "name", rbv_model_joint(x->model, k)->name);
      rbv_json_put_real(json, "lower", u->lower);
      rbv_json_put_real(json, "lower_limit", l->lower);
      rbv_json_put_real(json, "upper", u->upper);
      rbv_json_put_real(json, "upper_limit", l->upper);
      rbv_json_put_real(json, "velocity", u->velocity);
      rbv_json_put_real(json, "velocity_limit", l->velocity);
      rbv_json_put_real(json, "acceleration", u->acceleration);
      rbv_json_put_real(json, "acceleration_limit", l->acceleration);
      rbv_json_put_real(json, "jerk", u->jerk);
      rbv_json_put_real(json, "jerk_limit", l->jerk);
      rbv_json_put_real(json, "torque", u->torque);
      rbv_json_put_real(json, "torque_limit", l->effort);
      rbv_json_end(json);
    }
    rbv_json_end(json);
    rbv_json_end(json);
  }
  rbv_json_end(json);
}

int cli_write_excited(const cli_excited *x) {
  const rbv_base *base = rbv_excite_base(x->excite);
  rbv_json *json;
  const rbv_status status = rbv_json_new(&json);
  if (status != RBV_OK) return cli_fail(status);
  rbv_json_map(json);
  rbv_json_put_string(json, "schema", "roberval.excite/1");
  rbv_json_put_string(json, "version", rbv_version());
  cli_put_provenance(json, x->provenance);
  rbv_json_put_string(json, "criterion", x->criterion);
  if (x->trajectory) {
    rbv_json_put_string(json, "class", x->kind);
    rbv_json_put_string(json, "search", x->search);
    rbv_json_put_int(json, "candidates", x->info.evaluations);
    rbv_json_put_real(json, "seconds", x->info.seconds);
    rbv_json_put_bool(json, "interrupted", x->info.stopped);
    rbv_json_put_bool(json, "out_of_time", x->info.out_of_time);
    rbv_json_put_real(json, "first", x->info.first);
    rbv_json_put_real(json, "best", x->info.best);
    put_usage(json, x);
  }
  if (x->has_before) put_score(json, "before", &x->before);
  put_score(json, "score", &x->score);
  rbv_json_key(json, "parameters");
  rbv_json_list(json);
  for (int b = 0; b < base->count; b++) {
    const double size = size_of_prior(x, b);
    rbv_json_map(json);
    rbv_json_put_string(json, "name", base->name[b]);
    rbv_json_put_real(json, "sigma", x->sigma[b]);
    rbv_json_put_real(json, "relative_sigma_percent", size > 0 ? 100 * x->sigma[b] / size : NAN);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_json_key(json, "coupling");
  rbv_json_list(json);
  for (int r = 0; r < base->count; r++) {
    rbv_json_flat_list(json);
    for (int c = 0; c < base->count; c++) rbv_json_real(json, x->coupling[r + c * base->count]);
    rbv_json_end(json);
  }
  rbv_json_end(json);
  rbv_json_end(json);
  return cli_write_json(NULL, json);
}

/* ---- a page ---- */

#define FACTS 12

static int facts_of(rbv_setting *fact, const cli_excited *x) {
  int n = 0;
  if (x->trajectory) {
    fact[n++] = (rbv_setting){"class", x->kind, 0};
    fact[n++] = (rbv_setting){"search", x->search, 0};
    fact[n++] = (rbv_setting){"criterion", x->criterion, 0};
    fact[n++] = (rbv_setting){"its first value", NULL, x->info.first};
    fact[n++] = (rbv_setting){"its value", NULL, x->info.best};
    fact[n++] = (rbv_setting){"candidates", NULL, (double)x->info.evaluations};
  }
  fact[n++] = (rbv_setting){"samples", NULL, (double)x->score.samples};
  fact[n++] = (rbv_setting){"condition", NULL, x->score.condition};
  fact[n++] = (rbv_setting){"condition, scaled", NULL, x->score.condition_scaled};
  fact[n++] = (rbv_setting){"coupling", NULL, x->score.coupling};
  fact[n++] = (rbv_setting){"-log det", NULL, x->score.dopt};
  return n;
}

int cli_report_excited(const cli_excited *x, const cli_report *wanted, const cli_common *common) {
  if (!wanted->html && !wanted->plots) return EXIT_DONE;
  rbv_setting fact[FACTS];
  const rbv_design design = {.model = x->model,
                             .nmotion = x->count,
                             .motion = x->motion,
                             .limits = x->limits,
                             .chi = x->prior,
                             .base = rbv_excite_base(x->excite),
                             .sigma = x->sigma,
                             .score = &x->score,
                             .noise_known = x->noise_known,
                             .nfact = facts_of(fact, x),
                             .fact = fact};
  rbv_report *page;
  const rbv_status status = rbv_report_design(&page, &design);
  if (status != RBV_OK) return cli_fail(status);
  const int code = cli_write_page(page, wanted, common);
  rbv_report_free(page);
  return code;
}
