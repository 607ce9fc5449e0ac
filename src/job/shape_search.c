/*
 * Shape parameters of friction that the options leave open: "Fcw=auto". Each is found by a search
 * in one dimension around the linear estimate: a grid of values, golden section, and a parabola
 * through the minimum, whose curvature gives the standard error. The squared error of a joint's own
 * torque is minimised. Joints are searched side by side: the terms of a joint act on its own torque
 * alone.
 */
#include <ctype.h>
#include <math.h>
#include <roberval/sys/dynamics.h>
#include <roberval/sys/friction.h>
#include <stdlib.h>
#include <string.h>

#include "equations/equations.h"
#include "equations/state_track.h"
#include "job/identification_internal.h"

#define GRID 9             // values of the first search
#define SECTIONS 9         // steps of the golden section
#define GOLDEN 0.618034    // share of the bracket that is kept
#define STEP 0.1           // of the logarithm, for the curvature
#define BEST_SAMPLES 8000  // of a motion, for the spectrum over the position
#define SLOW 0.3  // share of the top speed at which a ripple must be inside the band of the rows

/* A shape parameter of one joint. */
typedef struct {
  int joint, kind;
  const rbv_law_shape *shape;
  bool ripple;       // a spectrum over the position shows where to search
  double low, high;  // logarithms of the bounds
  double step;       // of the logarithm, for the curvature
  double best, sigma;
  bool at_bound;
  double rss[3];           // below, at and above the best value
  double left, right;      // bracket of the golden section
  double inner[2], of[2];  // its inner points and their squared errors
  int next;                // the inner point that is to be evaluated
} open_shape;

/* A term of the list that the options give. */
typedef struct {
  const rbv_law *law;
  int joint;
  int shape;  // index of its open shape
} open_term;

typedef struct {
  rbv_identification *job;
  int njoint, nshape, nterm;
  open_shape *shape;
  open_term *term;
  rbv_text rest;  // entries of the list with given values
  double *rss;    // njoint
} shape_search;

/* ---- the list ---- */

bool rbv_identification_searches_shapes(const rbv_identification_options *o) {
  return o->friction && strstr(o->friction, "=auto") != NULL;
}

static rbv_status add_term(shape_search *s, const rbv_law *law, int joint) {
  const int own = rbv_law_own_shape(law);
  const rbv_law_shape *shape = own >= 0 ? &law->shape[own] : NULL;
  if (!shape || shape->scale == RBV_SHAPE_FIXED)
    return rbv_fail_option(RBV_EOPTION, "friction",
                           "friction '%s=auto': %s has nothing to search for", law->name,
                           law->name);
  const int kind = rbv_shape_kind_find(shape->name);
  int i = 0;
  while (i < s->nshape && (s->shape[i].joint != joint || s->shape[i].kind != kind)) i++;
  if (i == s->nshape)
    s->shape[s->nshape++] = (open_shape){.joint = joint,
                                         .kind = kind,
                                         .shape = shape,
                                         .ripple = law->motion == RBV_LAW_POSITION,
                                         .step = STEP};
  s->term[s->nterm++] = (open_term){law, joint, i};
  return RBV_OK;
}

/* one entry, which ends with "=auto"; the model has accepted the list */
static rbv_status read_entry(shape_search *s, const char *entry) {
  char name[16] = "";
  size_t n = 0;
  while (isalpha((unsigned char)entry[n]) && n + 1 < sizeof name) {
    name[n] = entry[n];
    n++;
  }
  const rbv_law *law = rbv_law_find(name);
  const int number = atoi(entry + n);
  if (!law)
    return rbv_fail_option(RBV_EOPTION, "friction", "friction '%.60s' has no shape parameter",
                           entry);
  for (int j = 0; j < s->njoint; j++)
    if (number == 0 || number == j + 1) RBV_TRY(add_term(s, law, j));
  return RBV_OK;
}

static rbv_status read_list(shape_search *s, const char *list) {
  char *copy = rbv_strdup(list), *rest = copy;
  rbv_status status = copy ? RBV_OK : RBV_EMEM;
  for (char *entry; status == RBV_OK && (entry = strtok_r(rest, ", \t\n", &rest));) {
    if (strstr(entry, "=auto"))
      status = read_entry(s, entry);
    else
      rbv_text_print(&s->rest, "%s%s", s->rest.size ? "," : "", entry);
  }
  rbv_free(copy);
  return status == RBV_OK && s->rest.failed ? RBV_EMEM : status;
}

/* the list with values: below (-1), at (0) or above (1) the best */
static void put_list(rbv_text *out, const shape_search *s, const double *value) {
  if (s->rest.size) rbv_text_print(out, "%s", s->rest.data);
  for (int i = 0; i < s->nterm; i++)
    rbv_text_print(out, "%s%s%d=%.9g", out->size ? "," : "", s->term[i].law->name,
                   s->term[i].joint + 1, exp(value[s->term[i].shape]));
}

/* ---- squared errors ---- */

/* the robot with these shapes */
static rbv_status load(rbv_model **out, const shape_search *s, const double *value) {
  rbv_text list = {0};
  put_list(&list, s, value);
  RBV_FINISH(list.failed ? RBV_EMEM : rbv_identification_with_friction(out, s->job, list.data),
             rbv_text_free(&list));
}

static rbv_identify_options plain_options(const rbv_identification *job) {
  rbv_identify_options how = rbv_identify_defaults();
  how.filter = job->how.filter;
  how.holdout = job->how.holdout;
  return how;
}

/* squared errors of the joints with these shapes in s->rss */
static rbv_status evaluate(shape_search *s, const double *value) {
  const rbv_identification *job = s->job;
  rbv_model *m = NULL;
  rbv_estimate *e = NULL;
  const rbv_identify_options how = plain_options(job);
  rbv_status status = load(&m, s, value);
  if (status == RBV_OK) status = rbv_identify(&e, m, job->fit.motion, job->fit.count, &how);
  memset(s->rss, 0, (size_t)s->njoint * sizeof *s->rss);
  for (int r = 0; status == RBV_OK && r < e->fit.nrow; r++)
    s->rss[e->fit.row[r].joint] +=
        (double)e->fit.row[r].rows * e->fit.row[r].rms * e->fit.row[r].rms;
  rbv_estimate_free(e);
  rbv_model_free(m);
  return status;
}

/* ---- bounds ---- */

static double duration(const rbv_recordings *all) {
  double longest = 0;
  for (int i = 0; i < all->count; i++) {
    const rbv_motion_info *info = rbv_motion_get_info(all->motion[i]);
    longest = fmax(longest, (double)info->count / info->rate_hz);
  }
  return longest;
}

/* smallest and largest position of a joint */
static rbv_status travel(double *span, const rbv_recordings *all, int joint, double *block) {
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < all->count; i++) {
    const rbv_motion_info *info = rbv_motion_get_info(all->motion[i]);
    const rbv_samples s = {.ld = BEST_SAMPLES, .q = block};
    for (ptrdiff_t k = 0; k < info->count; k += BEST_SAMPLES) {
      const ptrdiff_t n = info->count - k < BEST_SAMPLES ? info->count - k : BEST_SAMPLES;
      RBV_TRY(rbv_motion_read(all->motion[i], &s, k, n));
      for (ptrdiff_t t = 0; t < n; t++) {
        low = fmin(low, block[t + joint * BEST_SAMPLES]);
        high = fmax(high, block[t + joint * BEST_SAMPLES]);
      }
    }
  }
  *span = high - low;
  return RBV_OK;
}

/* ---- ripple: a spectrum over the position ---- */

/* residual of a motion without ripple, count x nrow, in place of the torque */
static rbv_status find_residual(double *torque, const rbv_samples *x, rbv_motion *motion,
                                const rbv_model *m, const double *chi) {
  const rbv_motion_info *info = rbv_motion_get_info(motion);
  const ptrdiff_t n = info->count;
  rbv_dynamics *d = NULL;
  double *state = rbv_alloc(((size_t)m->nstate * (size_t)n + 1) * sizeof *state);
  double *predicted = rbv_alloc((size_t)n * (size_t)m->nrow * sizeof *predicted);
  rbv_status status = state && predicted ? rbv_dynamics_new(&d, m) : RBV_EMEM;
  if (status == RBV_OK) status = rbv_dynamics_set(d, chi, info->loaded);
  if (status == RBV_OK) status = rbv_states_along(state, n, m, motion);
  const rbv_states states = {.count = n,
                             .ld = n,
                             .q = x->q,
                             .dq = x->dq,
                             .ddq = x->ddq,
                             .state = m->nstate > 0 ? state : NULL};
  if (status == RBV_OK) rbv_dynamics_rows_batch(predicted, n, d, &states);
  for (ptrdiff_t k = 0; k < n * m->nrow && status == RBV_OK; k++)
    torque[k] = x->valid[k % n] ? torque[k] - predicted[k] : 0;
  rbv_dynamics_free(d);
  rbv_free(state);
  rbv_free(predicted);
  return status;
}

/* power |sum r exp(i n q)|^2 at the numbers first, first + step, ... */
static void add_power(double *power, int count, double first, double step, const double *q,
                      const double *r, ptrdiff_t samples) {
  const ptrdiff_t stride = samples / BEST_SAMPLES + 1;
  for (int i = 0; i < count; i++) {
    double re = 0, im = 0;
    for (ptrdiff_t k = 0; k < samples; k += stride) {
      const double at = (first + i * step) * q[k];
      re += r[k] * cos(at);
      im += r[k] * sin(at);
    }
    power[i] += re * re + im * im;
  }
}

/* residual of all motions at one joint, and the number with the largest power */
static rbv_status search_spectrum(open_shape *o, const shape_search *s, const rbv_model *m,
                                  const double *chi, double span, double top) {
  const rbv_identification *job = s->job;
  const rbv_motion_info *first = rbv_motion_get_info(job->fit.motion[0]);
  const rbv_row_filter *filter = &job->how.filter;
  const int every = filter->decimate > 1 ? filter->decimate : 1;
  const double band = filter->band > 0 ? filter->band : RBV_ROW_BAND;
  const double highest = RBV_PI * band * first->rate_hz / every / (SLOW * top);
  const double low = o->shape->low, high = fmin(o->shape->high, highest);
  const double step = RBV_PI / 2 / span;
  if (!(span > 0) || !(high > low + step))
    return rbv_fail_option(RBV_EINPUT, "friction",
                           "the motion of joint %d is too short or too fast to show a ripple: give "
                           "its number of periods",
                           o->joint + 1);
  const int count = (int)((high - low) / step) + 1;
  double *power = rbv_alloc((size_t)count * sizeof *power);
  rbv_status status = power ? RBV_OK : RBV_EMEM;
  for (int i = 0; i < job->fit.count && status == RBV_OK; i++) {
    const rbv_motion_info *info = rbv_motion_get_info(job->fit.motion[i]);
    const size_t n = (size_t)info->count, joints = n * (size_t)s->njoint;
    double *all = rbv_alloc((3 * joints + n * (size_t)m->nrow) * sizeof *all);
    bool *valid = rbv_alloc(n * sizeof *valid);
    status = all && valid ? RBV_OK : RBV_EMEM;
    const rbv_samples x = {.ld = info->count,
                           .q = all,
                           .dq = all + joints,
                           .ddq = all + 2 * joints,
                           .torque = all + 3 * joints,
                           .valid = valid};
    if (status == RBV_OK) status = rbv_motion_read(job->fit.motion[i], &x, 0, info->count);
    if (status == RBV_OK) status = find_residual(x.torque, &x, job->fit.motion[i], m, chi);
    if (status == RBV_OK)
      add_power(power, count, low, step, x.q + o->joint * info->count,
                x.torque + o->joint * info->count, info->count);
    rbv_free(all);
    rbv_free(valid);
  }
  int best = 0;
  for (int i = 1; i < count && status == RBV_OK; i++)
    if (power[i] > power[best]) best = i;
  const double number = low + best * step;
  o->low = log(fmax(number - 2 * step, low / 2));
  o->high = log(number + 2 * step);
  o->step = 0.5 * step / number;
  rbv_free(power);
  return status;
}

/* all columns but those of ripples */
static rbv_status estimate_without_ripple(rbv_estimate **out, const shape_search *s,
                                          const rbv_model *m) {
  RBV_NEW(bool, columns, m->ncolumn);
  for (int c = 0; c < m->ncolumn; c++) columns[c] = !law_is_of(m->column[c].law, RBV_LAW_POSITION);
  rbv_identify_options how = plain_options(s->job);
  how.columns = columns;
  how.rough = true;
  RBV_FINISH(rbv_identify(out, m, s->job->fit.motion, s->job->fit.count, &how), rbv_free(columns));
}

static rbv_status find_bounds(shape_search *s) {
  const rbv_recordings *all = &s->job->fit;
  double *top = rbv_alloc((size_t)s->njoint * sizeof *top);
  double *block = rbv_alloc((size_t)s->njoint * BEST_SAMPLES * sizeof *block);
  rbv_estimate *e = NULL;
  rbv_status status = top && block ? RBV_OK : RBV_EMEM;
  if (status == RBV_OK)
    status = rbv_typical_speeds(top, all->motion, all->count, s->job->options.threads);
  for (int i = 0; i < s->nshape && status == RBV_OK; i++) {
    open_shape *o = &s->shape[i];
    double span = 0;
    status = travel(&span, all, o->joint, block);
    const double scale[] = {[RBV_SHAPE_NUMBER] = 1,
                            [RBV_SHAPE_SPEED] = top[o->joint],
                            [RBV_SHAPE_TRAVEL] = span,
                            [RBV_SHAPE_DURATION] = duration(all)};
    const double unit = scale[o->shape->scale];
    if (status == RBV_OK && !(unit > 0))
      status =
          rbv_fail_option(RBV_EINPUT, "friction", "joint %d does not move: its %s cannot be found",
                          o->joint + 1, o->shape->name);
    o->low = log(o->shape->low * unit);
    o->high = log(o->shape->high * unit);
    o->best = log(o->shape->example);
    if (!o->ripple || status != RBV_OK) continue;
    if (!e) status = estimate_without_ripple(&e, s, s->job->model);
    if (status == RBV_OK)
      status = search_spectrum(o, s, s->job->model, e->chi, span, top[o->joint]);
  }
  rbv_estimate_free(e);
  rbv_free(top);
  rbv_free(block);
  return status;
}

/* ---- search ---- */

/* shapes of one kind, the others at their best value; `at` gives the value of each */
static rbv_status try_kind(shape_search *s, int kind, double (*at)(const open_shape *, int),
                           int k) {
  double value[LAW_SHAPE_KINDS * 64];
  if (s->nshape > RBV_COUNT(value)) return rbv_fail(RBV_EUNSUPPORTED, "too many shape parameters");
  for (int i = 0; i < s->nshape; i++)
    value[i] = s->shape[i].kind == kind ? at(&s->shape[i], k) : s->shape[i].best;
  return evaluate(s, value);
}

static double on_grid(const open_shape *o, int k) {
  return o->low + (o->high - o->low) * k / (GRID - 1);
}
static double of_section(const open_shape *o, int k) { return o->inner[k < 2 ? k : o->next]; }
static double beside(const open_shape *o, int k) { return o->best + k * o->step; }

#define FOR_KIND(o, s, kind)                                    \
  for (open_shape *o = s->shape; o < s->shape + s->nshape; o++) \
    if (o->kind == kind)

static rbv_status search_grid(shape_search *s, int kind) {
  double least[LAW_SHAPE_KINDS * 64];
  for (int k = 0; k < GRID; k++) {
    RBV_TRY(try_kind(s, kind, on_grid, k));
    FOR_KIND(o, s, kind) {
      double *best = &least[o - s->shape];
      if (k > 0 && !(s->rss[o->joint] < *best)) continue;
      *best = s->rss[o->joint];
      o->next = k;
    }
  }
  FOR_KIND(o, s, kind) {
    const int k = o->next;
    o->best = on_grid(o, k);
    o->left = on_grid(o, k > 0 ? k - 1 : 0);
    o->right = on_grid(o, k + 1 < GRID ? k + 1 : k);
    o->inner[0] = o->right - GOLDEN * (o->right - o->left);
    o->inner[1] = o->left + GOLDEN * (o->right - o->left);
  }
  return RBV_OK;
}

static rbv_status search_sections(shape_search *s, int kind) {
  for (int k = 0; k < SECTIONS + 2; k++) {
    RBV_TRY(try_kind(s, kind, of_section, k));
    FOR_KIND(o, s, kind) {
      o->of[k < 2 ? k : o->next] = s->rss[o->joint];
      if (k == 0) continue;
      const int better = o->of[1] < o->of[0];
      o->best = o->inner[better];
      // the bracket keeps the better inner point, which becomes the other one
      if (better)
        o->left = o->inner[0];
      else
        o->right = o->inner[1];
      o->inner[!better] = o->inner[better];
      o->of[!better] = o->of[better];
      o->inner[better] = better ? o->left + GOLDEN * (o->right - o->left)
                                : o->right - GOLDEN * (o->right - o->left);
      o->next = better;
    }
  }
  return RBV_OK;
}

/* the parabola through the best value and two beside it */
static rbv_status search_vertex(shape_search *s, int kind) {
  for (int k = -1; k <= 1; k++) {
    RBV_TRY(try_kind(s, kind, beside, k));
    FOR_KIND(o, s, kind) o->rss[k + 1] = s->rss[o->joint];
  }
  FOR_KIND(o, s, kind) {
    const double bend = o->rss[0] + o->rss[2] - 2 * o->rss[1];
    const double move = bend > 0 ? 0.5 * (o->rss[0] - o->rss[2]) / bend : 0;
    const double end = 0.1 * (o->high - o->low);
    o->at_bound =
        !(bend > 0) || (!o->ripple && (o->best < o->low + end / 8 || o->best > o->high - end / 8));
    o->best += o->step * fmin(fmax(move, -1), 1);
    // sigma of white residuals; the rest is multiplied later
    o->sigma = bend > 0 ? o->step * sqrt(2 * o->rss[1] / bend) : NAN;
  }
  return RBV_OK;
}

/* the residual is coloured: what the row's inflation says */
static rbv_status finish_sigmas(shape_search *s) {
  rbv_model *m = NULL;
  rbv_estimate *e = NULL;
  double value[LAW_SHAPE_KINDS * 64];
  for (int i = 0; i < s->nshape; i++) value[i] = s->shape[i].best;
  const rbv_identify_options how = plain_options(s->job);
  rbv_status status = load(&m, s, value);
  if (status == RBV_OK) status = rbv_identify(&e, m, s->job->fit.motion, s->job->fit.count, &how);
  for (int i = 0; i < s->nshape && status == RBV_OK; i++) {
    open_shape *o = &s->shape[i];
    double rows = 0, inflation = 1;
    for (int r = 0; r < e->fit.nrow; r++) {
      const rbv_row_fit *row = &e->fit.row[r];
      if (row->joint != o->joint) continue;
      rows += (double)row->rows;
      if (row->inflation > inflation) inflation = row->inflation;
    }
    o->sigma *= inflation / sqrt(fmax(rows, 1)) * exp(o->best);
  }
  rbv_estimate_free(e);
  rbv_model_free(m);
  return status;
}

static rbv_status search(shape_search *s) {
  bool several = false;
  for (int i = 0; i < s->nshape; i++) several = several || s->shape[i].kind != s->shape[0].kind;
  for (int round = 0; round < (several ? 2 : 1); round++)
    for (int kind = 0; kind < rbv_shape_kind_count(); kind++) {
      bool open = false;
      for (int i = 0; i < s->nshape; i++) open = open || s->shape[i].kind == kind;
      if (!open) continue;
      RBV_TRY(search_grid(s, kind));
      RBV_TRY(search_sections(s, kind));
      RBV_TRY(search_vertex(s, kind));
    }
  return finish_sigmas(s);
}

/* ---- result ---- */

static void tell(const shape_search *s) {
  for (int i = 0; i < s->nshape; i++) {
    const open_shape *o = &s->shape[i];
    const bool slides = rbv_model_joint(s->job->model, o->joint)->type == RBV_JOINT_PRISMATIC;
    if (o->at_bound)
      rbv_tell(&s->job->notes, "friction",
               "joint %d: the recordings do not determine %s (%s); %.4g is used", o->joint + 1,
               o->shape->name, o->shape->text, exp(o->best));
    else
      rbv_tell(&s->job->notes, NULL, "joint %d: %s is %.4g +- %.2g %s (%s)", o->joint + 1,
               o->shape->name, exp(o->best), o->sigma, o->shape->unit[slides], o->shape->text);
  }
}

static rbv_status make_choice(rbv_friction_choice **out, const shape_search *s) {
  double value[LAW_SHAPE_KINDS * 64];
  rbv_text list = {0};
  for (int i = 0; i < s->nshape; i++) value[i] = s->shape[i].best;
  put_list(&list, s, value);
  const size_t size = list.failed ? 0 : list.size + 1;
  rbv_arena measure = {0};
  (void)RBV_TAKE(&measure, 1, rbv_friction_choice);
  (void)RBV_TAKE(&measure, s->nterm, rbv_friction_term);
  (void)RBV_TAKE(&measure, s->njoint, bool);
  (void)RBV_TAKE(&measure, size, char);
  rbv_arena a = {.base = list.failed ? NULL : rbv_alloc(measure.used)};
  if (a.base) {
    rbv_friction_choice *c = RBV_TAKE(&a, 1, rbv_friction_choice);
    *c = (rbv_friction_choice){.nterm = s->nterm, .njoint = s->njoint, .memory = c};
    c->term = RBV_TAKE(&a, s->nterm, rbv_friction_term);
    c->eligible = RBV_TAKE(&a, s->njoint, bool);
    c->list = RBV_TAKE(&a, size, char);
    memcpy(c->list, list.data, size);
    c->gain = c->gain_sigma = c->plain = c->chosen = NAN;
    for (int i = 0; i < s->nterm; i++) {
      const open_shape *o = &s->shape[s->term[i].shape];
      c->term[i] = (rbv_friction_term){.law = s->term[i].law,
                                       .joint = s->term[i].joint,
                                       .shape = exp(o->best),
                                       .shape_sigma = o->at_bound ? NAN : o->sigma,
                                       .at_bound = o->at_bound,
                                       .gain = NAN,
                                       .gain_sigma = NAN};
    }
    *out = c;
  }
  rbv_text_free(&list);
  return a.base ? RBV_OK : RBV_EMEM;
}

rbv_status rbv_identification_search_shapes(rbv_identification *job) {
  const int n = rbv_model_joint_count(job->model);
  const char *list = job->options.friction;
  const size_t most = (strlen(list) / 3 + 1) * (size_t)n;
  shape_search s = {.job = job, .njoint = n};
  s.shape = rbv_alloc(most * sizeof *s.shape);
  s.term = rbv_alloc(most * sizeof *s.term);
  s.rss = rbv_alloc((size_t)n * sizeof *s.rss);
  rbv_status status = s.shape && s.term && s.rss ? read_list(&s, list) : RBV_EMEM;
  if (status == RBV_OK) status = find_bounds(&s);
  if (status == RBV_OK) status = search(&s);
  if (status == RBV_OK) status = make_choice(&job->friction, &s);
  if (status == RBV_OK) tell(&s);
  rbv_text_free(&s.rest);
  RBV_FREE_ALL(s.shape, s.term, s.rss);
  return status;
}
