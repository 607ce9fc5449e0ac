/* The page of a designed motion: its demands on the robot, and the expected precision. */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <stdio.h>
#include <string.h>

#include "report/report_internal.h"

#define POINTS 800       // of a line
#define WEAK_SHARE 0.30  // sigma over value: parameters above it are imprecise
#define CLOSE 0.005      // relative excess of a limit that rounding and the grid explain

enum { POSITION, VELOCITY, ACCELERATION, TORQUE, QUANTITIES };

static const struct {
  const char *key, *title, *word, *turns, *slides;  // units of revolute and of prismatic joints
} quantities[QUANTITIES] = {
    {"position", "Positions", "position", "rad", "m"},
    {"velocity", "Velocities", "velocity", "rad/s", "m/s"},
    {"acceleration", "Accelerations", "acceleration", "rad/s²", "m/s²"},
    {"torque", "Torques", "torque", "N m", "N"},
};

/* the motion, reduced to at most `most` points per quantity and joint */
typedef struct {
  ptrdiff_t count;
  double *t;
  double *value;       // QUANTITIES x njoint x most; torque NaN without parameter values
  double *low, *high;  // QUANTITIES x njoint: extremes of the whole motion
  ptrdiff_t most;
} plan;

typedef struct {
  report *page;
  const rbv_design_page *in;
  plan plan;
} design;

static double *line_of(const plan *p, int quantity, int joint, int n) {
  return p->value + ((ptrdiff_t)quantity * n + joint) * p->most;
}

static const char *unit_of(const design *d, int quantity, int joint) {
  const bool slides = rbv_model_joint(d->in->model, joint)->type == RBV_JOINT_PRISMATIC;
  return slides ? quantities[quantity].slides : quantities[quantity].turns;
}

/* limits as a range; infinite: none */
static void limits_of(double *low, double *high, const design *d, int quantity, int joint) {
  const rbv_limits *l = &d->in->limits[joint];
  const double size[QUANTITIES] = {NAN, l->velocity, l->acceleration, l->effort};
  *low = quantity == POSITION ? l->lower : -size[quantity];
  *high = quantity == POSITION ? l->upper : size[quantity];
}

/* ---- the motion ---- */

/* one interval of a motion: smallest and largest value of every line, in order of time */
static rbv_status take_interval(plan *p, rbv_motion *motion, rbv_dynamics *dynamics, double *work,
                                ptrdiff_t first, ptrdiff_t count) {
  const int n = rbv_motion_get_info(motion)->njoint, lines = QUANTITIES * n;
  double *low = work + lines, *high = low + lines, *at_low = high + lines,
         *at_high = at_low + lines;
  for (ptrdiff_t k = first; k < first + count; k++) {
    const rbv_samples one = {.ld = 1, .q = work, .dq = work + n, .ddq = work + 2 * n};
    RBV_TRY(rbv_motion_read(motion, &one, k, 1));
    for (int j = 0; j < n; j++) work[TORQUE * n + j] = NAN;
    if (dynamics) rbv_dynamics_inverse(work + TORQUE * n, dynamics, one.q, one.dq, one.ddq);
    for (int i = 0; i < lines; i++) {
      if (k == first || work[i] < low[i]) low[i] = work[i], at_low[i] = (double)k;
      if (k == first || work[i] > high[i]) high[i] = work[i], at_high[i] = (double)k;
    }
  }
  for (int i = 0; i < lines; i++) {
    const bool falling = at_high[i] < at_low[i];
    p->low[i] = fmin(p->low[i], low[i]);
    p->high[i] = fmax(p->high[i], high[i]);
    double *line = p->value + i * p->most + p->count;
    line[0] = falling ? high[i] : low[i];
    if (count > 1) line[1] = falling ? low[i] : high[i];
  }
  return RBV_OK;
}

static rbv_status take_motion(plan *p, rbv_motion *motion, rbv_dynamics *dynamics, double *work,
                              double offset, ptrdiff_t intervals) {
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  for (ptrdiff_t s = 0; s < intervals; s++) {
    const ptrdiff_t first = s * info->count / intervals, end = (s + 1) * info->count / intervals;
    RBV_TRY(take_interval(p, motion, dynamics, work, first, end - first));
    const int points = end - first > 1 ? 2 : 1;
    for (int h = 0; h < points; h++)
      p->t[p->count + h] = offset + ((double)first + h * (double)(end - first) / 2) / info->rate_hz;
    p->count += points;
  }
  return RBV_OK;
}

static void layout(design *d, rbv_arena *a) {
  const ptrdiff_t lines = QUANTITIES * (ptrdiff_t)d->in->model->njoint;
  d->plan.t = RBV_TAKE(a, d->plan.most, double);
  d->plan.value = RBV_TAKE(a, lines * d->plan.most, double);
  d->plan.low = RBV_TAKE(a, lines, double);
  d->plan.high = RBV_TAKE(a, lines, double);
}

static rbv_status take_all(design *d, rbv_dynamics *dynamics, double *work) {
  plan *p = &d->plan;
  double offset = 0;
  const int lines = QUANTITIES * d->in->model->njoint;
  for (int i = 0; i < lines; i++) {
    p->low[i] = INFINITY;
    p->high[i] = -INFINITY;
  }
  for (int m = 0; m < d->in->nmotion; m++) {
    const rbv_motion_info *info = rbv_motion_get_info(d->in->motion[m]);
    const ptrdiff_t share = POINTS / 2 / d->in->nmotion + 1;
    if (m > 0) {
      // a point without values breaks the lines between two motions
      p->t[p->count] = offset;
      for (int i = 0; i < lines; i++) p->value[i * p->most + p->count] = NAN;
      p->count++;
    }
    RBV_TRY(take_motion(p, d->in->motion[m], dynamics, work, offset,
                        info->count < share ? info->count : share));
    offset += (double)info->count / info->rate_hz;
  }
  return RBV_OK;
}

static rbv_status read_plan(design *d, char **memory) {
  const int n = d->in->model->njoint;
  d->plan.most = POINTS + 3 * (ptrdiff_t)d->in->nmotion;
  rbv_arena measure = {0};
  layout(d, &measure);
  *memory = rbv_alloc(measure.used);
  double *work = rbv_alloc(5 * QUANTITIES * (size_t)n * sizeof *work);
  rbv_dynamics *dynamics = NULL;
  rbv_status status = *memory && work ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK) {
    rbv_arena carve = {.base = *memory};
    layout(d, &carve);
  }
  if (status == RBV_OK && d->in->chi) {
    status = rbv_dynamics_new(&dynamics, d->in->model);
    if (status == RBV_OK)
      status = rbv_dynamics_set(dynamics, d->in->chi, rbv_model_has_payload(d->in->model));
  }
  if (status == RBV_OK) status = take_all(d, dynamics, work);
  rbv_dynamics_free(dynamics);
  rbv_free(work);
  return status;
}

/* ---- parameters ---- */

static double value_of(const design *d, int b) {
  const rbv_base *base = d->in->base;
  double value = 0;
  for (int c = 0; d->in->chi && c < base->ncolumn; c++)
    value += base->relation[b + (ptrdiff_t)c * base->count] * d->in->chi[c];
  return value;
}

/* sigma over the value; NaN: the value is not known */
static double share_of(const design *d, int b) {
  const double size = fabs(value_of(d, b));
  return size > 0 ? d->in->sigma[b] / size : NAN;
}

/* ---- verdict ---- */

/* largest value relative to the limit, both measured from the middle; 0: no limits */
static double used_of(const design *d, int quantity, int joint) {
  const int i = quantity * d->in->model->njoint + joint;
  double low, high;
  limits_of(&low, &high, d, quantity, joint);
  const double middle = isfinite(low) && isfinite(high) ? (low + high) / 2 : 0;
  double used = 0;
  if (isfinite(low)) used = fmax(used, (middle - d->plan.low[i]) / (middle - low));
  if (isfinite(high)) used = fmax(used, (d->plan.high[i] - middle) / (high - middle));
  return isfinite(used) ? used : 0;
}

static rbv_status rule_limits(design *d) {
  rbv_text text = {0};
  int exceeded = 0, at = 0, which = 0;
  double most = 0;
  for (int quantity = 0; quantity < QUANTITIES; quantity++)
    for (int j = 0; j < d->in->model->njoint; j++) {
      const double used = used_of(d, quantity, j);
      if (used > most) most = used, at = j, which = quantity;
      if (used > 1 + CLOSE)
        rbv_text_print(&text, "%s%s of %s (%.0f %% of its limit)",
                       exceeded++ ? ", " : "Limits are exceeded: ", quantities[quantity].word,
                       rbv_model_joint(d->in->model, j)->name, 100 * used);
    }
  if (exceeded > 0) {
    rbv_text_put(&text, ". Do not run this motion.");
    return rbv_report_add_reason(d->page, RBV_VERDICT_NO, "limits", &text);
  }
  if (most > 0)
    rbv_text_print(&text,
                   "All limits are kept. The %s of %s comes closest, with %.0f %% of its limit.",
                   quantities[which].word, rbv_model_joint(d->in->model, at)->name, 100 * most);
  else
    rbv_text_put(&text,
                 "The robot has no limits, so it is not known whether it can run this motion.");
  return rbv_report_add_reason(d->page, most > 0 ? RBV_VERDICT_USABLE : RBV_VERDICT_CARE, "limits",
                               &text);
}

static rbv_status rule_torque(design *d) {
  rbv_text text = {0};
  if (d->in->chi) return RBV_OK;
  rbv_text_put(
      &text,
      "The torques of this motion are not known, because the robot has no parameter values. "
      "Give them (option prior), or start at a fraction of the speed (option slow).");
  return rbv_report_add_reason(d->page, RBV_VERDICT_CARE, "torque", &text);
}

/* collisions, mounting plane, limits: amber where something was not checked, or with guesses */
static rbv_status rule_checks(design *d) {
  rbv_text unknown = {0};
  for (int i = 0; i < d->in->ncheck; i++) {
    const rbv_design_check *c = &d->in->check[i];
    // rule_torque says it
    if (strcmp(c->name, "torque") == 0 && !d->in->chi) continue;
    const bool guess = c->assumed && c->required;
    rbv_text text = {0};
    rbv_text_put(&text, c->text);
    if (guess)
      rbv_text_put(&text, " Compare the capsules in the picture with the robot and its tool.");
    const bool sure = c->done && !guess;
    RBV_TRY(rbv_report_add_reason(d->page, sure ? RBV_VERDICT_USABLE : RBV_VERDICT_CARE, c->name,
                                  &text));
  }
  if (d->in->ncheck > 0) return RBV_OK;
  rbv_text_put(&unknown, "It is not known whether the robot collides in this motion.");
  return rbv_report_add_reason(d->page, RBV_VERDICT_CARE, "self-collision", &unknown);
}

static rbv_status rule_broken(design *d) {
  for (int i = 0; d->in->used && i < d->in->nmotion; i++) {
    rbv_text text = {0};
    if (d->in->used[i].feasible) continue;
    rbv_text_print(&text, "The motion breaks a constraint: %s. Do not run this motion.",
                   d->in->used[i].reason);
    return rbv_report_add_reason(d->page, RBV_VERDICT_NO, "constraints", &text);
  }
  return RBV_OK;
}

static rbv_status rule_parameters(design *d) {
  const rbv_base *base = d->in->base;
  rbv_text text = {0};
  int hidden = 0, weak = 0, known = 0;
  for (int b = 0; b < base->count; b++) {
    const double share = share_of(d, b);
    hidden += !isfinite(d->in->sigma[b]);
    known += isfinite(share);
    if (!(share > WEAK_SHARE)) continue;
    if (weak++ < 8) rbv_text_print(&text, "%s%s", weak > 1 ? ", " : "", base->name[b]);
  }
  if (weak > 8) rbv_text_print(&text, " and %d more", weak - 8);
  rbv_text whole = {0};
  rbv_verdict level = RBV_VERDICT_USABLE;
  if (hidden > 0) {
    level = RBV_VERDICT_NO;
    rbv_text_print(&whole, "%d of %d base parameters are not excited at all.", hidden, base->count);
  } else if (!d->in->noise_known) {
    rbv_text_print(
        &whole,
        "All %d base parameters are excited. Their sigmas hold for a torque noise of 1 N m; "
        "an identification result gives the noise of the robot (option noise).",
        base->count);
  } else if (weak > 0) {
    level = RBV_VERDICT_CARE;
    rbv_text_print(&whole,
                   "%d of %d parameters with a known value will have a sigma above %.0f %% of it: "
                   "%s. Use a longer motion, or optimise their sigma (option criterion, value "
                   "sigma).",
                   weak, known, 100 * WEAK_SHARE, text.data ? text.data : "");
  } else {
    rbv_text_print(&whole, "All %d base parameters are excited.", base->count);
  }
  if (text.failed) whole.failed = true;
  rbv_text_free(&text);
  return rbv_report_add_reason(d->page, level, "parameters", &whole);
}

static rbv_status apply_rules(design *d) {
  RBV_TRY(rule_broken(d));
  // tool speed and torque are the first of the checks
  RBV_TRY(rule_checks(d));
  RBV_TRY(rule_torque(d));
  RBV_TRY(rule_limits(d));
  RBV_TRY(rule_parameters(d));
  return rbv_report_rule_condition(
      d->page, d->in->score->condition_scaled, d->in->score->condition,
      "Search longer, or use more terms, a longer period or wider limits.");
}

/* ---- figures ---- */

static void draw_quantity(design *d, int quantity, int joint) {
  const rbv_joint *j = rbv_model_joint(d->in->model, joint);
  char label[64];
  double limit[2];
  limits_of(&limit[0], &limit[1], d, quantity, joint);
  snprintf(label, sizeof label, "%s [%s]", quantities[quantity].word, unit_of(d, quantity, joint));
  drawing g = {.ylabel = label, .width = DRAWING_SMALL, .height = 205};
  snprintf(g.name, sizeof g.name, "%s-%d", quantities[quantity].key, joint + 1);
  snprintf(g.title, sizeof g.title, "%.80s: %s and its limits", j->name, quantities[quantity].word);
  const double *y = line_of(&d->plan, quantity, joint, d->in->model->njoint);
  const plot_time p = {.t = d->plan.t,
                       .count = d->plan.count,
                       .limit = limit,
                       .ncurve = 1,
                       .curve = {{"c1", "planned", y}}};
  rbv_plot_time(&g, &p);
  rbv_page_figure(d->page, &g, " data-group=\"plan\"", j->name);
}

static void write_quantity(design *d, int quantity) {
  report *r = d->page;
  rbv_page_open(r, quantities[quantity].key, quantities[quantity].title);
  if (quantity == POSITION)
    rbv_page_paragraph(
        r,
        "Dashed lines are limits<span class=\"live\">. Drag to zoom, double-click to show "
        "everything; all figures share time axis and cursor</span>.");
  if (quantity == TORQUE && !d->in->chi) {
    rbv_page_missing(
        r,
        "The robot has no parameter values, so torques are not known. Give values to see "
        "them here (option <code>prior</code>).");
  } else {
    rbv_page_html(r, "<div class=\"tiles\">\n");
    for (int j = 0; j < d->in->model->njoint; j++) draw_quantity(d, quantity, j);
    rbv_page_html(r, "</div>\n");
  }
  rbv_page_close(r);
}

/* sigma of every parameter in percent of its value, where the value is known */
static void draw_sigma(design *d) {
  const rbv_base *base = d->in->base;
  const char **name = rbv_alloc((size_t)base->count * sizeof *name);
  double *share = rbv_alloc((size_t)base->count * sizeof *share), low = INFINITY, high = 0;
  int n = 0;
  if (!name || !share) d->page->html.failed = true;
  for (int b = 0; b < base->count && name && share; b++) {
    const double x = 100 * share_of(d, b);
    if (!(isfinite(x) && x > 0)) continue;
    low = fmin(low, x);
    high = fmax(high, x);
    name[n] = base->name[b];
    share[n++] = x;
  }
  if (n > 0) {
    drawing g = {.xlabel = "parameter",
                 .ylabel = "sigma [% of the value]",
                 .width = DRAWING_WIDE,
                 .height = 270,
                 .bare = true,
                 .bottom = 76,
                 .xmax = n,
                 .ylog = true,
                 .ymin = pow(10, floor(log10(low))),
                 .ymax = pow(10, ceil(log10(high) + 1e-9)),
                 .name = "sigma",
                 .title = "Expected standard deviation relative to each parameter"};
    rbv_draw_axes(&g);
    rbv_draw_names(&g, name, n);
    for (int k = 0; k < n; k++)
      rbv_draw_bar(&g, share[k] > 100 * WEAK_SHARE ? "f2" : "f1", k + 0.2, k + 0.8, g.ymin,
                   share[k]);
    rbv_page_figure(d->page, &g, NULL, NULL);
  }
  rbv_free(name);
  rbv_free(share);
}

/* how far the estimates of two parameters depend on each other (Villagrossi 2014 eq. 5) */
static void draw_coupling(design *d) {
  const rbv_base *base = d->in->base;
  // not finite: a parameter is not excited
  if (!d->in->coupling || !isfinite(d->in->score->coupling)) return;
  const char **name = rbv_alloc((size_t)base->count * sizeof *name);
  if (!name) {
    d->page->html.failed = true;
    return;
  }
  for (int b = 0; b < base->count; b++)
    name[b] = rbv_model_column(d->in->model, base->kept[b])->name;
  drawing g = {.name = "coupling", .width = 720, .height = 640};
  snprintf(g.title, sizeof g.title, "Coupling of the parameters: index %.4g",
           d->in->score->coupling);
  rbv_plot_matrix(&g, d->in->coupling, name, base->count, "coupling");
  rbv_page_figure(d->page, &g, NULL, NULL);
  rbv_free(name);
}

static void write_parameters(design *d) {
  report *r = d->page;
  const rbv_base *base = d->in->base;
  rbv_page_open(r, "parameters", "Expected precision of the parameters");
  rbv_page_paragraph(
      r, d->in->noise_known
             ? "Expected standard deviations of the base parameters, with the torque noise "
               "of the given identification."
             : "Expected standard deviations of the base parameters for a torque noise of "
               "1 N m. They are proportional to the noise.");
  draw_sigma(d);
  draw_coupling(d);
  rbv_page_html(r,
                "<div class=\"scroll tall\"><table class=\"parameters\"><thead><tr><th>name</th>"
                "<th class=\"n\">σ</th><th>unit</th><th class=\"n\">assumed value</th>"
                "<th class=\"n\">σ [%]</th></tr></thead><tbody>\n");
  for (int b = 0; b < base->count; b++) {
    const double share = 100 * share_of(d, b);
    rbv_page_print(r, "<tr><th scope=\"row\">%s</th><td class=\"n\">%.3g</td><td class=\"unit\">",
                   base->name[b], d->in->sigma[b]);
    rbv_page_unit(r, rbv_model_column(d->in->model, base->kept[b])->unit);
    rbv_page_html(r, "</td><td class=\"n\">");
    if (d->in->chi) rbv_text_print(&r->html, "%.4g", value_of(d, b));
    rbv_page_html(r, "</td><td class=\"n share\">");
    if (isfinite(share))
      rbv_text_print(&r->html, "<i style=\"width:%.0f%%\"></i><b>%.3g</b>", fmin(share, 100),
                     share);
    else
      rbv_page_html(r, "–");
    rbv_page_html(r, "</td></tr>\n");
  }
  rbv_page_html(r, "</tbody></table></div>\n");
  rbv_page_close(r);
}

/* ---- the page ---- */

static void write_facts(design *d) {
  report *r = d->page;
  rbv_page_open(r, "provenance", "How the motion was designed");
  rbv_page_html(r, "<dl class=\"settings\">\n");
  rbv_page_settings(r, d->in->fact, d->in->nfact);
  rbv_text_print(&r->html, "<div><dt>report by</dt><dd>roberval %s</dd></div>\n</dl>\n",
                 rbv_version());
  rbv_page_close(r);
}

static void write_arm(design *d) {
  rbv_page_open(d->page, "arm", "The arm in motion");
  rbv_page_paragraph(d->page,
                     d->in->constraints && d->in->constraints->ncapsule > 0
                         ? "The plane is the mounting plane of the robot. The capsules are those "
                           "with which collisions were checked."
                         : "The plane is the mounting plane of the robot.");
  if (rbv_figure_arm(d->page) != RBV_OK) d->page->html.failed = true;
  rbv_page_close(d->page);
}

static void write_page(design *d) {
  static const page_link contents[] = {
      {"verdict", "Verdict"},    {"provenance", "Design"},     {"arm", "Arm"},
      {"position", "Positions"}, {"velocity", "Velocities"},   {"acceleration", "Accelerations"},
      {"torque", "Torques"},     {"parameters", "Parameters"}, {"downloads", "Downloads"}};
  report *r = d->page;
  double seconds = 0;
  for (int m = 0; m < d->in->nmotion; m++) {
    const rbv_motion_info *info = rbv_motion_get_info(d->in->motion[m]);
    seconds += (double)(info->count - 1) / info->rate_hz;
  }
  rbv_page_head(r, rbv_model_name(d->in->model), "Exciting trajectory");
  rbv_text_print(&r->html, "%d joints, %d base parameters, %.4g s of motion", d->in->model->njoint,
                 d->in->base->count, seconds);
  if (d->in->nmotion > 1) rbv_text_print(&r->html, " in %d pieces", d->in->nmotion);
  rbv_page_contents(r, contents, RBV_COUNT(contents));
  rbv_page_verdict(r);
  write_facts(d);
  write_arm(d);
  for (int quantity = 0; quantity < QUANTITIES; quantity++) write_quantity(d, quantity);
  write_parameters(d);
  rbv_page_figure_downloads(r);
  rbv_page_end(r, true);
}

rbv_status rbv_design_page_write(report *page, const void *given) {
  const rbv_design_page *in = given;
  design d = {.page = page, .in = in};
  page->constraints = in->constraints;
  char *memory = NULL;
  rbv_status status = read_plan(&d, &memory);
  if (status == RBV_OK) status = apply_rules(&d);
  if (status == RBV_OK) write_page(&d);
  rbv_free(memory);
  return status == RBV_OK && page->html.failed ? RBV_EMEM : status;
}
