#include "excite_output.h"

#include <math.h>
#include <stdio.h>

#include "cli.h"

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

static void print_usage(const rbv_design *d, int i) {
  const int n = rbv_model_joint_count(d->model);
  const int width = cli_name_width(d->model);
  printf("\n%-*s %-24s %19s %19s %19s %19s\n", width, "used / limit", "position", "velocity",
         "acceleration", "jerk", "torque");
  for (int k = 0; k < n; k++) {
    const rbv_usage *u = &d->usage[i * n + k];
    const rbv_limits *l = &d->constraints->limits[k];
    char range[64];
    snprintf(range, sizeof range, "%.3f..%.3f", u->lower, u->upper);
    printf("%-*s %-24s", width, rbv_model_joint(d->model, k)->name, range);
    print_cell(u->velocity, l->velocity);
    print_cell(u->acceleration, l->acceleration);
    if (!isnan(u->jerk))
      print_cell(u->jerk, l->jerk);
    else
      printf(" %19s", "");
    if (!isnan(u->torque)) print_cell(u->torque, l->effort);
    printf("\n");
  }
  printf("tool speed %.3f m/s", d->used[i].tool_speed);
  if (isfinite(d->used[i].distance)) printf("; bodies %.3f m apart", d->used[i].distance);
  if (isfinite(d->used[i].outside))
    printf("; %.3f m from the limits of the workspace", d->used[i].outside);
  printf("\n");
}

/* candidates, then unknowns of the loop */
static void print_positions(const rbv_design *d) {
  for (int i = 0; i < d->ncandidate; i++) {
    const rbv_design_candidate *c = &d->candidate[i];
    printf("%-28s", c->name);
    if (!c->possible)
      printf(" not possible\n");
    else
      printf(" mean log sigma %7.3f, %d not determined%s\n", c->mean_log, c->open,
             i == d->chosen ? "  <- chosen" : "");
  }
}

static void print_unknowns(const rbv_design *d) {
  for (int i = 0; i < d->nunknown; i++)
    printf("%-10s %12.4g %s\n", d->unknown[i].name, d->unknown[i].sigma, d->unknown[i].unit);
  printf(
      "(sigma of identify --method cloe for %d recording%s of this motion, one per control law, "
      "with encoders of %g counts;\n friction that the model does not have adds to it)\n",
      d->options.controllers.count, d->options.controllers.count == 1 ? "" : "s",
      d->options.encoder);
}

void cli_print_design(const rbv_design *d) {
  const bool positions = d->options.controllers.count > 0;
  const rbv_base *base = d->base;
  if (d->trajectory) {
    printf("%s: %d base parameters, %s by %s: %.6g after %.6g, %ld candidates in %.1f s\n",
           rbv_model_name(d->model), base->count, d->options.criterion, d->options.search,
           d->info.best, d->info.first, d->info.evaluations, d->info.seconds);
  }
  if (positions) print_positions(d);
  for (int i = 0; i < RBV_DESIGN_CHECKS; i++)
    printf("%-15s %s  %s\n", d->check[i].name,
           !d->check[i].done     ? "NOT CHECKED"
           : d->check[i].assumed ? "ASSUMED    "
                                 : "checked    ",
           d->check[i].text);
  for (int i = 0; i < d->count; i++) print_usage(d, i);
  printf("\n");
  if (d->has_before) print_score("before", &d->before);
  print_score(d->trajectory ? "design" : "motion", &d->score);
  printf("\n%-10s %12s %12s\n", "parameter", "sigma", "sigma/|prior|");
  for (int b = 0; b < base->count; b++) {
    const double size = rbv_design_prior(d, b);
    printf("%-10s %12.4g", base->name[b], d->sigma[b]);
    if (size > 0)
      printf(" %10.3g %%\n", 100 * d->sigma[b] / size);
    else
      printf(" %12s\n", "-");
  }
  if (positions) print_unknowns(d);
  if (!d->noise)
    printf("(sigma for a torque noise of 1 N m; use --noise RESULT for that of your robot)\n");
}
