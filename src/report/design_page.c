/* The page of a designed motion: what it asks of the robot, and what it will tell. */
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <stdio.h>
#include <string.h>

#include "report/report_internal.h"

#define POINTS 800       // of a line
#define WEAK_SHARE 0.30  // sigma over the value: such a parameter will hardly be known
#define CLOSE 0.005      // of a limit: rounding and the grid, not a motion that breaks it

enum { POSITION, VELOCITY, ACCELERATION, TORQUE, QUANTITIES };

static const struct {
  const char *key, *title, *word, *turns, *slides;  // units of joints that turn and that slide
} quantities[QUANTITIES] = {
    {"position", "Positions", "position", "rad", "m"},
    {"velocity", "Velocities", "velocity", "rad/s", "m/s"},
    {"acceleration", "Accelerations", "acceleration", "rad/s²", "m/s²"},
    {"torque", "Torques", "torque", "N m", "N"},
};

/* the motion in few enough points: quantity by quantity, joint by joint */
typedef struct {
  ptrdiff_t count;
  double *t;
  double *value;       // QUANTITIES x njoint x most; torque NaN when no values are known
  double *low, *high;  // QUANTITIES x njoint: what is reached
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

/* limits as a range; infinite where there are none */
static void limits_of(double *low, double *high, const design *d, int quantity, int joint) {
  const rbv_limits *l = &d->in->limits[joint];
  const double size[QUANTITIES] = {NAN, l->velocity, l->acceleration, l->effort};
  *low = quantity == POSITION ? l->lower : -size[quantity];
  *high = quantity == POSITION ? l->upper : size[quantity];
}

/* ---- the motion ---- */

/* one stretch of a motion: the smallest and the largest of every line, in the order they come */
static rbv_status take_stretch(plan *p, rbv_motion *motion, rbv_dynamics *dynamics, double *work,
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
                              double offset, ptrdiff_t stretches) {
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  for (ptrdiff_t s = 0; s < stretches; s++) {
    const ptrdiff_t first = s * info->count / stretches, end = (s + 1) * info->count / stretches;
    RBV_TRY(take_stretch(p, motion, dynamics, work, first, end - first));
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

/* ---- what is known of the parameters ---- */

static double value_of(const design *d, int b) {
  const rbv_base *base = d->in->base;
  double value = 0;
  for (int c = 0; d->in->chi && c < base->ncolumn; c++)
    value += base->relation[b + (ptrdiff_t)c * base->count] * d->in->chi[c];
  return value;
}

/* sigma over the value; NaN when there is none */
static double share_of(const design *d, int b) {
  const double size = fabs(value_of(d, b));
  return size > 0 ? d->in->sigma[b] / size : NAN;
}

/* ---- verdict ---- */

/* how much of the room between its limits a line takes; 0 where there are none */
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

static rbv_status judge_limits(design *d) {
  rbv_text text = {0};
  int broken = 0, at = 0, which = 0;
  double most = 0;
  for (int quantity = 0; quantity < QUANTITIES; quantity++)
    for (int j = 0; j < d->in->model->njoint; j++) {
      const double used = used_of(d, quantity, j);
      if (used > most) most = used, at = j, which = quantity;
      if (used > 1 + CLOSE)
        rbv_text_print(&text, "%s%s of %s (%.0f %% of its limit)", broken++ ? ", " : "",
                       quantities[quantity].word, rbv_model_joint(d->in->model, j)->name,
                       100 * used);
    }
  if (broken > 0) {
    rbv_text_put(&text, ": beyond the limits. Do not run this motion.");
    return rbv_report_add(d->page, RBV_VERDICT_NO, "limits", &text);
  }
  if (most > 0)
    rbv_text_print(&text, "All limits are kept; closest comes the %s of %s, with %.0f %% of it.",
                   quantities[which].word, rbv_model_joint(d->in->model, at)->name, 100 * most);
  else
    rbv_text_put(&text,
                 "The robot file has no limits: nothing says whether it can run this motion.");
  return rbv_report_add(d->page, most > 0 ? RBV_VERDICT_USABLE : RBV_VERDICT_CARE, "limits", &text);
}

static rbv_status judge_torque(design *d) {
  rbv_text text = {0};
  if (d->in->chi) return RBV_OK;
  rbv_text_put(&text,
               "What torques the motion needs is not known: the robot has no parameter values. "
               "Give them with --prior, or begin at a fraction of the speed (--slow).");
  return rbv_report_add(d->page, RBV_VERDICT_CARE, "torque", &text);
}

static rbv_status judge_parameters(design *d) {
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
    rbv_text_print(&whole, "%d of %d base parameters would not be seen at all.", hidden,
                   base->count);
  } else if (!d->in->noise_known) {
    rbv_text_print(&whole,
                   "All %d base parameters will be seen. Their sigmas here are for a torque noise "
                   "of 1 N m; --noise RESULT has yours.",
                   base->count);
  } else if (weak > 0) {
    level = RBV_VERDICT_CARE;
    rbv_text_print(&whole,
                   "%d of %d parameters whose size is known will have a sigma above %.0f %% of it: "
                   "%s. Move longer, or design for them with --criterion sigma.",
                   weak, known, 100 * WEAK_SHARE, text.data ? text.data : "");
  } else {
    rbv_text_print(&whole, "All %d base parameters will be seen.", base->count);
  }
  if (text.failed) whole.failed = true;
  rbv_text_free(&text);
  return rbv_report_add(d->page, level, "parameters", &whole);
}

static rbv_status judge(design *d) {
  RBV_TRY(judge_limits(d));
  RBV_TRY(judge_torque(d));
  RBV_TRY(judge_parameters(d));
  return rbv_report_judge_condition(d->page, d->in->score->condition_scaled,
                                    d->in->score->condition);
}

/* ---- figures ---- */

static void draw_quantity(design *d, int quantity, int joint) {
  const int n = d->in->model->njoint;
  const rbv_joint *j = rbv_model_joint(d->in->model, joint);
  const double *y = line_of(&d->plan, quantity, joint, n);
  char label[64], attributes[128];
  double low, high;
  snprintf(label, sizeof label, "%s [%s]", quantities[quantity].word, unit_of(d, quantity, joint));
  drawing g = {.xlabel = "time [s]",
               .ylabel = label,
               .width = DRAWING_SMALL,
               .height = 205,
               .xmin = d->plan.t[0],
               .xmax = d->plan.t[d->plan.count - 1],
               .ymin = d->plan.low[quantity * n + joint],
               .ymax = d->plan.high[quantity * n + joint]};
  if (!(g.xmax > g.xmin)) g.xmax = g.xmin + 1;
  snprintf(g.name, sizeof g.name, "%s-%d", quantities[quantity].key, joint + 1);
  snprintf(g.title, sizeof g.title, "%.80s: %s and its limits", j->name, quantities[quantity].word);
  limits_of(&low, &high, d, quantity, joint);
  if (isfinite(low)) g.ymin = fmin(g.ymin, low);
  if (isfinite(high)) g.ymax = fmax(g.ymax, high);
  rbv_draw_range(&g.ymin, &g.ymax, 0.06);
  rbv_draw_axes(&g);
  if (g.ymin < 0 && g.ymax > 0) rbv_draw_level(&g, "zero", 0);
  if (isfinite(low)) rbv_draw_level(&g, "line c2 dashed", low);
  if (isfinite(high)) rbv_draw_level(&g, "line c2 dashed", high);
  rbv_draw_line(&g, "c1", d->plan.t, y, d->plan.count);
  snprintf(attributes, sizeof attributes,
           " data-lines=\"plan\" data-group=\"plan\" data-row=\"%d\"", quantity * n + joint);
  rbv_page_figure(d->page, &g, attributes, j->name);
}

static void write_quantity(design *d, int quantity) {
  report *r = d->page;
  rbv_page_open(r, quantities[quantity].key, quantities[quantity].title);
  if (quantity == POSITION)
    rbv_page_say(r,
                 "Dashed, the limits<span class=\"live\">. Drag to zoom, double-click to see all; "
                 "time and cursor are the same in all figures</span>.");
  if (quantity == TORQUE && !d->in->chi) {
    rbv_page_lack(r,
                  "The robot has no parameter values, so torques are not known: "
                  "<code>excite --prior FILE</code> gives them.");
  } else {
    rbv_page_put(r, "<div class=\"tiles\">\n");
    for (int j = 0; j < d->in->model->njoint; j++) draw_quantity(d, quantity, j);
    rbv_page_put(r, "</div>\n");
  }
  rbv_page_close(r);
}

/* sigma of every parameter in percent of its value, where that is known */
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
    drawing g = {.xlabel = "parameter [name]",
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
                 .title = "Standard deviation to expect, over the size of each parameter"};
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

static void write_parameters(design *d) {
  report *r = d->page;
  const rbv_base *base = d->in->base;
  rbv_page_open(r, "parameters", "What it will tell");
  rbv_page_say(r, d->in->noise_known
                      ? "Standard deviations to expect of the base parameters, with the torque "
                        "noise of the identification that was given."
                      : "Standard deviations to expect of the base parameters, for torques with a "
                        "noise of 1 N m. They grow in proportion to it.");
  draw_sigma(d);
  rbv_page_put(r,
               "<div class=\"scroll tall\"><table class=\"parameters\"><thead><tr><th>name</th>"
               "<th class=\"n\">σ</th><th>unit</th><th class=\"n\">value assumed</th>"
               "<th class=\"n\">σ [%]</th></tr></thead><tbody>\n");
  for (int b = 0; b < base->count; b++) {
    const double share = 100 * share_of(d, b);
    rbv_page_put(r, "<tr><th scope=\"row\">");
    rbv_page_safe(r, base->name[b]);
    rbv_text_print(&r->html, "</th><td class=\"n\">%.3g</td><td class=\"unit\">", d->in->sigma[b]);
    rbv_page_unit(r, rbv_model_column(d->in->model, base->kept[b])->unit);
    rbv_page_put(r, "</td><td class=\"n\">");
    if (d->in->chi) rbv_text_print(&r->html, "%.4g", value_of(d, b));
    rbv_page_put(r, "</td><td class=\"n share\">");
    if (isfinite(share))
      rbv_text_print(&r->html, "<i style=\"width:%.0f%%\"></i><b>%.3g</b>", fmin(share, 100),
                     share);
    else
      rbv_page_put(r, "–");
    rbv_page_put(r, "</td></tr>\n");
  }
  rbv_page_put(r, "</tbody></table></div>\n");
  rbv_page_close(r);
}

/* ---- the page ---- */

static void write_facts(design *d) {
  report *r = d->page;
  rbv_page_open(r, "provenance", "How it was found");
  rbv_page_put(r, "<dl class=\"settings\">\n");
  rbv_page_settings(r, d->in->fact, d->in->nfact);
  rbv_text_print(&r->html, "<div><dt>report by</dt><dd>roberval %s</dd></div>\n</dl>\n",
                 rbv_version());
  rbv_page_close(r);
}

static void write_arm(design *d) {
  rbv_page_open(d->page, "arm", "The arm in motion");
  if (rbv_figure_arm(d->page) != RBV_OK) d->page->html.failed = true;
  rbv_page_close(d->page);
}

static void write_downloads(design *d) {
  rbv_page_open(d->page, "downloads", "Take it with you");
  rbv_page_put(d->page,
               "<p class=\"buttons\">\n<button type=\"button\" class=\"button\" "
               "data-save-all>All figures (SVG)</button>\n</p>\n");
  rbv_page_close(d->page);
}

/* a limit that is not there is null to the script */
static void put_limit(rbv_text *out, const char *key, double limit) {
  if (isfinite(limit))
    rbv_text_print(out, ",\"%s\":%.9g", key, limit);
  else
    rbv_text_print(out, ",\"%s\":null", key);
}

static void put_plan(void *self) {
  const design *d = self;
  const int n = d->in->model->njoint;
  rbv_text *out = &d->page->html;
  rbv_text_put(out, "\"plan\":{\"t\":");
  rbv_put_floats(out, d->plan.t, d->plan.count);
  rbv_text_put(out, ",\"rows\":[");
  for (int quantity = 0; quantity < QUANTITIES; quantity++)
    for (int j = 0; j < n; j++) {
      double low, high;
      limits_of(&low, &high, d, quantity, j);
      rbv_text_put(out, quantity + j ? ",\n{\"label\":" : "\n{\"label\":");
      rbv_put_json_text(out, rbv_model_joint(d->in->model, j)->name);
      rbv_text_print(out,
                     ",\"quantity\":\"%s\",\"unit\":\"%s\",\"value\":", quantities[quantity].word,
                     unit_of(d, quantity, j));
      rbv_put_floats(out, line_of(&d->plan, quantity, j, n), d->plan.count);
      put_limit(out, "lower", low);
      put_limit(out, "upper", high);
      rbv_text_put(out, "}");
    }
  rbv_text_put(out, "]},");
}

static void write_page(design *d) {
  static const page_link contents[] = {{"verdict", "Verdict"},
                                       {"provenance", "How it was found"},
                                       {"arm", "Arm"},
                                       {"position", "Positions"},
                                       {"velocity", "Velocities"},
                                       {"acceleration", "Accelerations"},
                                       {"torque", "Torques"},
                                       {"parameters", "Parameters"},
                                       {"downloads", "Downloads"}};
  report *r = d->page;
  double seconds = 0;
  for (int m = 0; m < d->in->nmotion; m++) {
    const rbv_motion_info *info = rbv_motion_get_info(d->in->motion[m]);
    seconds += (double)(info->count - 1) / info->rate_hz;
  }
  rbv_page_head(r, rbv_model_name(d->in->model), "Exciting motion");
  rbv_text_print(&r->html, "%d joints, %d base parameters, %.4g s of motion", d->in->model->njoint,
                 d->in->base->count, seconds);
  if (d->in->nmotion > 1) rbv_text_print(&r->html, " in %d pieces", d->in->nmotion);
  rbv_page_contents(r, contents, RBV_COUNT(contents));
  rbv_page_verdict(r);
  write_facts(d);
  write_arm(d);
  for (int quantity = 0; quantity < QUANTITIES; quantity++) write_quantity(d, quantity);
  write_parameters(d);
  write_downloads(d);
  rbv_page_end(r, put_plan, d);
}

rbv_status rbv_design_page_write(report *page, const rbv_design_page *in) {
  design d = {.page = page, .in = in};
  char *memory = NULL;
  rbv_status status = read_plan(&d, &memory);
  if (status == RBV_OK) status = judge(&d);
  if (status == RBV_OK) write_page(&d);
  rbv_free(memory);
  return status == RBV_OK && page->html.failed ? RBV_EMEM : status;
}
