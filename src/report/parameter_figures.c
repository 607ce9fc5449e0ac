/* Figures of parameters: correlation, singular values, friction, consistency, iterations. */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <stdio.h>
#include <string.h>

#include "report/report_internal.h"

/* ---- correlation ---- */

#define MAP_HEIGHT 820

void rbv_figure_correlation(report *r) {
  const int n = r->information.count;
  if (n == 0) return;
  drawing d = {.width = DRAWING_WIDE,
               .height = MAP_HEIGHT,
               .name = "correlation",
               .title = "Correlation of the estimated parameters"};
  const char **name = rbv_alloc((size_t)n * sizeof *name);
  if (!name) {
    r->html.failed = true;
    return;
  }
  for (int i = 0; i < n; i++) name[i] = r->result->estimate.item[r->information.index[i]].name;
  rbv_plot_matrix(&d, r->information.correlation, name, n, "correlation");
  rbv_free(name);
  rbv_page_figure(r, &d, NULL, NULL);
}

void rbv_figure_singular(report *r) {
  const report_information *f = &r->information;
  if (f->count == 0 || !(f->singular[f->count - 1] > 0)) return;
  drawing d = {.xlabel = "number of the singular value",
               .ylabel = "singular value",
               .width = DRAWING_WIDE,
               .height = 240,
               .xmin = 0.5,
               .xmax = f->count + 0.5,
               .ylog = true,
               .name = "singular-values",
               .title = "Singular values of the system with columns scaled to unit norm"};
  d.ymin = pow(10, floor(log10(f->singular[f->count - 1])));
  d.ymax = pow(10, ceil(log10(f->singular[0]) + 1e-9));
  rbv_draw_axes(&d);
  for (int k = 0; k < f->count; k++) {
    const double x[2] = {k + 1, k + 1}, y[2] = {d.ymin, f->singular[k]};
    rbv_draw_line(&d, "c4", x, y, 2);
    rbv_draw_dots(&d, "c1", x, f->singular + k, 1);
  }
  rbv_page_figure(r, &d, NULL, NULL);
}

/* ---- friction ---- */

#define FRICTION_POINTS 161

/* the first torque row of a joint; 0: none */
static int row_of_joint(const rbv_model *m, int joint) {
  for (int i = 0; i < m->nrow; i++)
    if (m->row[i].joint == joint) return i;
  return 0;
}

/* measured friction of the scatter points of a torque row: residual and friction of the model */
typedef struct {
  int count;
  double value[SERIES_SCATTER];
} measured_friction;

static void find_measured(measured_friction *out, const report *r, int row) {
  const row_series *s = r->fit.count > 0 ? &r->fit.row[row] : NULL;
  out->count = s ? s->nscatter : 0;
  for (int k = 0; k < out->count; k++) out->value[k] = s->scatter[k] + s->friction[k];
}

/* measured friction and that of the model over the load of the gear */
static void draw_load(report *r, int joint, const measured_friction *points) {
  const int row = row_of_joint(r->m, joint);
  const row_series *s = &r->fit.row[row];
  const bool slides = rbv_model_joint(r->m, joint)->type == RBV_JOINT_PRISMATIC;
  char label[128], caption[200];
  rbv_row_label(label, sizeof label, r, row);
  drawing d = rbv_drawing(DRAWING_SMALL, 205, slides ? "load [N]" : "load [N m]",
                          slides ? "friction [N]" : "friction [N m]");
  snprintf(d.name, sizeof d.name, "friction-load-%d", joint + 1);
  snprintf(d.title, sizeof d.title, "%s: friction against load", label);
  const plot_curve both[] = {{"c1", NULL, s->load, points->value, points->count},
                             {"c2", NULL, s->load, s->friction, points->count}};
  rbv_plot_points(&d, both, RBV_COUNT(both));
  snprintf(caption, sizeof caption, "%s, over the torque that the gear transmits", label);
  rbv_page_figure(r, &d, NULL, caption);
}

static bool has_load_law(const report *r, int joint) {
  for (int c = 0; c < r->m->ncolumn; c++)
    if (r->m->column[c].joint == joint && r->m->column[c].law && r->m->column[c].law->uses_torque &&
        r->chi[c] != 0)
      return true;
  return false;
}

/* The joint has friction that Fv, Fc and an offset do not describe. */
static bool has_other_law(const report *r, int joint) {
  for (int c = 0; c < r->m->ncolumn; c++) {
    const rbv_column *column = rbv_model_column(r->m, c);
    if (column->joint == joint && rbv_is_friction(column) && r->chi[c] != 0 &&
        !rbv_column_has_law(column, "Fv") && !rbv_column_has_law(column, "Fc") &&
        !rbv_column_has_law(column, "off"))
      return true;
  }
  return false;
}

/* What Fv, Fc and an offset can do at best with the measured points. */
typedef struct {
  double x[3];           // of v, sign v and 1
  double without, with;  // rms of the rest, without and with the other laws [N m or N]
} plain_friction;

static bool fit_plain(plain_friction *out, const row_series *s, const measured_friction *points) {
  double G[3][4] = {{0}}, rest = 0, law = 0;
  for (int k = 0; k < points->count; k++) {
    const double v = s->velocity[k], row[4] = {v, (v > 0) - (v < 0), 1, points->value[k]};
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 4; j++) G[i][j] += row[i] * row[j];
  }
  for (int c = 0; c < 3; c++) {
    if (!(G[c][c] > 0)) return false;
    for (int i = 0; i < 3; i++) {
      const double f = i == c ? 0 : G[i][c] / G[c][c];
      for (int j = c; j < 4; j++) G[i][j] -= f * G[c][j];
    }
  }
  for (int i = 0; i < 3; i++) out->x[i] = G[i][3] / G[i][i];
  for (int k = 0; k < points->count; k++) {
    const double v = s->velocity[k], sign = (v > 0) - (v < 0);
    rest += pow(points->value[k] - out->x[0] * v - out->x[1] * sign - out->x[2], 2);
    law += s->scatter[k] * s->scatter[k];
  }
  out->without = sqrt(rest / points->count);
  out->with = sqrt(law / points->count);
  return true;
}

static void draw_friction(report *r, int joint, const double *v, const double *tau) {
  const rbv_joint *j = rbv_model_joint(r->m, joint);
  const bool slides = j->type == RBV_JOINT_PRISMATIC;
  char label[128], caption[320];
  rbv_row_label(label, sizeof label, r, row_of_joint(r->m, joint));
  drawing d = rbv_drawing(DRAWING_SMALL, 205, slides ? "velocity [m/s]" : "velocity [rad/s]",
                          slides ? "friction [N]" : "friction [N m]");
  d.xmin = v[0];
  d.xmax = v[FRICTION_POINTS - 1];
  d.ymin = INFINITY;
  d.ymax = -INFINITY;
  snprintf(d.name, sizeof d.name, "friction-%d", joint + 1);
  snprintf(d.title, sizeof d.title, "%s: friction and offset against velocity", label);
  measured_friction points;
  find_measured(&points, r, row_of_joint(r->m, joint));
  rbv_draw_include(&d.ymin, &d.ymax, tau, FRICTION_POINTS);
  rbv_draw_include(&d.ymin, &d.ymax, points.value, points.count);
  rbv_draw_range(&d.ymin, &d.ymax, 0.08);
  rbv_draw_axes(&d);
  if (d.ymin < 0 && d.ymax > 0) rbv_draw_horizontal(&d, "zero", 0);
  rbv_draw_vertical(&d, "zero", 0);
  if (points.count > 0)
    rbv_draw_dots(&d, "c1", r->fit.row[row_of_joint(r->m, joint)].velocity, points.value,
                  points.count);
  rbv_draw_line(&d, "c2", v, tau, FRICTION_POINTS);
  snprintf(caption, sizeof caption, "%s, other joints at standstill", label);
  plain_friction plain;
  if (points.count > 3 && has_other_law(r, joint) &&
      fit_plain(&plain, &r->fit.row[row_of_joint(r->m, joint)], &points)) {
    double before[FRICTION_POINTS];
    for (int k = 0; k < FRICTION_POINTS; k++)
      before[k] = plain.x[0] * v[k] + plain.x[1] * ((v[k] > 0) - (v[k] < 0)) + plain.x[2];
    rbv_draw_line(&d, "c4 dashed", v, before, FRICTION_POINTS);
    snprintf(caption, sizeof caption,
             "%s, other joints at standstill; dashed: Fv and Fc alone, which leave %.3g instead of "
             "%.3g %s rms",
             label, plain.without, plain.with, slides ? "N" : "N m");
  }
  rbv_page_figure(r, &d, NULL, caption);
  if (points.count > 0 && has_load_law(r, joint)) draw_load(r, joint, &points);
}

rbv_status rbv_figures_friction(report *r) {
  const int n = r->m->njoint;
  double *chi = rbv_alloc((size_t)rbv_model_column_count(r->m) * sizeof *chi);
  double *state = rbv_alloc(5 * (size_t)(n + r->nrow) * sizeof *state);
  rbv_dynamics *dynamics = NULL;
  rbv_status status = chi && state ? rbv_dynamics_new(&dynamics, r->m) : RBV_EMEM;
  for (int c = 0; c < rbv_model_column_count(r->m) && status == RBV_OK; c++)
    chi[c] = rbv_is_friction(rbv_model_column(r->m, c)) ? r->chi[c] : 0;
  if (status == RBV_OK) status = rbv_dynamics_set(dynamics, chi, false);
  for (int j = 0; j < n && status == RBV_OK; j++) {
    double *q = state, *dq = q + n, *ddq = dq + n, *tau = ddq + n;
    double v[FRICTION_POINTS], friction[FRICTION_POINTS];
    const double seen =
        r->fit.count > 0 ? fmax(-r->fit.range[j].of[1].low, r->fit.range[j].of[1].high) : 0;
    const double limit = rbv_model_joint(r->m, j)->limits.velocity;
    const double fastest = seen > 0 ? seen : isfinite(limit) && limit > 0 ? limit : 1;
    for (int k = 0; k < FRICTION_POINTS; k++) {
      // denser near zero, where laws have a step (Coulomb) or a bend (Stribeck)
      const double share = (double)(k - FRICTION_POINTS / 2) / (FRICTION_POINTS / 2);
      v[k] = fastest * share * share * share;
      memset(dq, 0, (size_t)n * sizeof *dq);
      dq[j] = v[k];
      rbv_dynamics_rows(tau, dynamics, q, dq, ddq);
      friction[k] = tau[row_of_joint(r->m, j)];
    }
    draw_friction(r, j, v, friction);
  }
  rbv_dynamics_free(dynamics);
  rbv_free(state);
  rbv_free(chi);
  return status;
}

/* ---- bodies ---- */

void rbv_figure_consistency(report *r) {
  const rbv_result_standard *s = &r->result->standard;
  if (s->nbody == 0) return;
  drawing d = {.xlabel = "link [name of its joint]",
               .ylabel = "margin",
               .width = DRAWING_WIDE,
               .height = 260,
               .bare = true,
               .bottom = 92,
               .xmax = s->nbody,
               .ymax = 1.05,
               .name = "consistency",
               .title = "Margin of every link: 1 sphere, 0 plate, below 0 impossible"};
  const char **name = rbv_alloc((size_t)s->nbody * sizeof *name);
  if (!name) {
    r->html.failed = true;
    return;
  }
  size_t longest = 0;
  double smallest = INFINITY;
  for (int b = 0; b < s->nbody; b++) {
    name[b] = s->body[b].name;
    longest = strlen(name[b]) > longest ? strlen(name[b]) : longest;
    if (isfinite(s->body[b].margin)) smallest = fmin(smallest, s->body[b].margin);
  }
  // bodies at the limit of consistency are almost flat: a logarithmic axis shows them
  d.ylog = smallest > 0 && smallest < 0.05;
  d.ymin = d.ylog ? pow(10, floor(log10(smallest)) - 0.5) : fmin(0, 1.1 * smallest);
  if (d.ylog) d.ymax = 2;
  if ((double)longest * 6.3 < (DRAWING_WIDE - 72.0) / s->nbody - 8) {
    d.bottom = 0;
    d.height = 210;
  }
  rbv_draw_axes(&d);
  rbv_draw_names(&d, name, s->nbody);
  for (int b = 0; b < s->nbody; b++)
    if (isfinite(s->body[b].margin))
      rbv_draw_bar(&d, s->body[b].margin > 0 ? "f1" : "f2", b + 0.3, b + 0.7, d.ylog ? d.ymin : 0,
                   s->body[b].margin);
  rbv_page_figure(r, &d, NULL,
                  "The smallest second moment of the body about its centre of mass, "
                  "over the mean of the three");
  rbv_free(name);
}

/* ---- iterations ---- */

#define ITERATIONS_MOST 200

/* the quantities of an iteration that are drawn */
static const struct {
  const char *title, *label;
} rounds[] = {{"Relative residual", "relative residual"},
              {"Largest change of a parameter", "largest change [sigma]"}};

static double round_value(const rbv_iteration *i, int what) {
  const double x = what == 0 ? i->residual : i->change;
  return isfinite(x) ? x : NAN;
}

static void draw_iterations(report *r, int what) {
  double x[ITERATIONS_MOST], y[ITERATIONS_MOST], low = INFINITY, high = -INFINITY;
  int n = r->result->iterations;
  if (n > ITERATIONS_MOST) n = ITERATIONS_MOST;
  for (int k = 0; k < n; k++) {
    x[k] = k + 1;
    y[k] = round_value(&r->result->iteration[k], what);
    low = fmin(low, y[k]);
    high = fmax(high, y[k]);
  }
  if (!(low <= high) || !isfinite(high)) return;
  drawing d = rbv_drawing(DRAWING_SMALL, 205, "iteration", rounds[what].label);
  d.xmin = 0.5;
  d.xmax = n + 0.5;
  d.ylog = low > 0 && high / low > 30;
  snprintf(d.name, sizeof d.name, "iterations-%d", what + 1);
  snprintf(d.title, sizeof d.title, "%s over the iterations", rounds[what].title);
  d.ymin = d.ylog ? pow(10, floor(log10(low))) : low;
  d.ymax = d.ylog ? pow(10, ceil(log10(high) + 1e-9)) : high;
  if (!d.ylog) rbv_draw_range(&d.ymin, &d.ymax, 0.08);
  rbv_draw_axes(&d);
  rbv_draw_line(&d, "c1", x, y, n);
  rbv_draw_dots(&d, "c2", x, y, n);
  rbv_page_figure(r, &d, NULL, NULL);
}

void rbv_figure_iterations(report *r) {
  // a method that does not iterate has one entry
  if (r->result->iterations < 2) return;
  for (int what = 0; what < RBV_COUNT(rounds); what++) draw_iterations(r, what);
}
