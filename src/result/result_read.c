/* Read a result from its file. The result owns the document, because its strings point into it. */
#include <math.h>
#include <roberval/sys/document.h>
#include <roberval/sys/result.h>
#include <string.h>

#include "base/support.h"

typedef struct {
  rbv_result result;
  rbv_document *doc;
} loaded;

/* arrays that a result need not have */
typedef struct {
  bool bootstrap, white;
} optional;

static void layout(rbv_result *r, optional has, rbv_arena *a) {
  r->input = RBV_TAKE(a, r->ninput, rbv_input);
  r->validation_input = RBV_TAKE(a, r->nvalidation_input, rbv_input);
  r->setting = RBV_TAKE(a, r->nsetting, rbv_setting);
  r->chosen = RBV_TAKE(a, r->nchosen, rbv_setting);
  r->finding = RBV_TAKE(a, r->nfinding, rbv_result_finding);
  r->advice = RBV_TAKE(a, r->nadvice, rbv_result_finding);
  r->friction = RBV_TAKE(a, r->nfriction, rbv_result_friction);
  r->file = RBV_TAKE(a, r->nfile, rbv_result_file);
  r->joint = RBV_TAKE(a, r->njoint, const char *);
  r->smooth = RBV_TAKE(a, r->njoint, double);
  r->estimate.item = RBV_TAKE(a, r->estimate.count, rbv_parameter);
  r->unit = RBV_TAKE(a, r->estimate.count, const char *);
  r->meaning = RBV_TAKE(a, r->estimate.count, const char *);
  if (has.white) r->sigma_white = RBV_TAKE(a, r->estimate.count, double);
  const int parts = r->jackknife.nblock + r->jackknife.nrecording;
  r->jackknife.deviation = RBV_TAKE(a, (size_t)parts * (size_t)r->estimate.count, double);
  if (has.bootstrap) r->bootstrap_sigma = RBV_TAKE(a, r->estimate.count, double);
  r->iteration = RBV_TAKE(a, r->iterations, rbv_iteration);
  r->standard.name = RBV_TAKE(a, r->standard.count, const char *);
  r->standard.unit = RBV_TAKE(a, r->standard.count, const char *);
  r->standard.value = RBV_TAKE(a, r->standard.count, double);
  r->standard.sigma = RBV_TAKE(a, r->standard.count, double);
  r->standard.known = RBV_TAKE(a, r->standard.count, double);
  r->standard.active = RBV_TAKE(a, r->standard.count, bool);
  r->standard.body = RBV_TAKE(a, r->standard.nbody, rbv_result_body);
  r->loop.output = RBV_TAKE(a, r->loop.noutput, rbv_output_fit);
  r->loop.unknown = RBV_TAKE(a, r->loop.nunknown, rbv_loop_value);
  r->loop.influence = RBV_TAKE(a, r->loop.ninfluence, rbv_gain_influence);
  double *shift = RBV_TAKE(a, (size_t)r->loop.ninfluence * (size_t)r->estimate.count, double);
  for (int i = 0; i < r->loop.ninfluence && a->base; i++)
    r->loop.influence[i].shift = shift + (ptrdiff_t)i * r->estimate.count;
  r->fit.row = RBV_TAKE(a, r->fit.nrow, rbv_row_fit);
  r->validation.row = RBV_TAKE(a, r->validation.nrow, rbv_row_fit);
}

/* ---- entries ---- */

static rbv_status need(const rbv_node **out, const rbv_node *map, const char *key) {
  *out = rbv_node_find(map, key);
  return *out ? RBV_OK
              : rbv_node_fail(RBV_EINPUT, map, "the key '%s' is missing in this result", key);
}

static rbv_status get_string(const char **out, const rbv_node *map, const char *key) {
  const rbv_node *node;
  RBV_TRY(need(&node, map, key));
  return rbv_node_string(out, node);
}

/* null becomes NaN; another key of the file has the reason */
static rbv_status get_real(double *out, const rbv_node *map, const char *key) {
  const rbv_node *node;
  RBV_TRY(need(&node, map, key));
  *out = NAN;
  return rbv_node_is_null(node) ? RBV_OK : rbv_node_real(out, node);
}

static rbv_status get_bool(bool *out, const rbv_node *map, const char *key) {
  const rbv_node *node;
  RBV_TRY(need(&node, map, key));
  return rbv_node_bool(out, node);
}

static rbv_status get_count(ptrdiff_t *out, const rbv_node *map, const char *key) {
  double value;
  RBV_TRY(get_real(&value, map, key));
  if (!(value >= 0 && value < 1e15 && value == floor(value)))
    return rbv_node_fail(RBV_EINPUT, rbv_node_find(map, key), "'%s' must be a non-negative integer",
                         key);
  *out = (ptrdiff_t)value;
  return RBV_OK;
}

/* how the recording was prepared, if the file has this */
static rbv_status read_preparation(rbv_input *input, const rbv_node *node) {
  if (!rbv_node_find(node, "differentiation")) return RBV_OK;
  RBV_TRY(get_string(&input->differentiation, node, "differentiation"));
  RBV_TRY(get_real(&input->cutoff_hz, node, "cutoff_hz"));
  RBV_TRY(get_bool(&input->resampled, node, "resampled"));
  RBV_TRY(get_count(&input->gaps, node, "gaps"));
  RBV_TRY(get_count(&input->invalid, node, "invalid_samples"));
  return rbv_node_find(node, "dropped_rows") ? get_count(&input->dropped, node, "dropped_rows")
                                             : RBV_OK;
}

static rbv_status read_friction(rbv_result_friction *f, const rbv_node *node) {
  f->shape = f->shape_sigma = f->gain = f->gain_sigma = NAN;
  RBV_TRY(get_string(&f->name, node, "name"));
  if (rbv_node_find(node, "shape")) RBV_TRY(get_real(&f->shape, node, "shape"));
  if (rbv_node_find(node, "shape_sigma")) RBV_TRY(get_real(&f->shape_sigma, node, "shape_sigma"));
  f->at_bound = rbv_node_find(node, "at_bound") != NULL;
  if (rbv_node_find(node, "gain")) RBV_TRY(get_real(&f->gain, node, "gain"));
  return rbv_node_find(node, "gain_sigma") ? get_real(&f->gain_sigma, node, "gain_sigma") : RBV_OK;
}

static rbv_status read_finding(rbv_result_finding *f, const rbv_node *node) {
  RBV_TRY(get_string(&f->code, node, "code"));
  RBV_TRY(get_string(&f->sentence, node, "sentence"));
  return rbv_node_find(node, "option") ? get_string(&f->option, node, "option") : RBV_OK;
}

static rbv_status read_input(rbv_input *input, const rbv_node *node) {
  RBV_TRY(get_string(&input->path, node, "file"));
  RBV_TRY(get_string(&input->sha256, node, "sha256"));
  RBV_TRY(get_count(&input->samples, node, "samples"));
  RBV_TRY(get_real(&input->rate_hz, node, "rate_hz"));
  RBV_TRY(get_bool(&input->loaded, node, "loaded"));
  return read_preparation(input, node);
}

static rbv_status read_parameter(rbv_result *r, int k, const rbv_node *node) {
  rbv_parameter *p = &r->estimate.item[k];
  const char *status;
  RBV_TRY(get_string(&p->name, node, "name"));
  RBV_TRY(get_real(&p->value, node, "value"));
  RBV_TRY(get_real(&p->sigma, node, "sigma"));
  RBV_TRY(get_string(&r->unit[k], node, "unit"));
  RBV_TRY(get_string(&r->meaning[k], node, "meaning"));
  RBV_TRY(get_string(&status, node, "status"));
  if (r->sigma_white) RBV_TRY(get_real(&r->sigma_white[k], node, "sigma_white"));
  if (r->bootstrap_sigma) RBV_TRY(get_real(&r->bootstrap_sigma[k], node, "bootstrap_sigma"));
  for (int s = RBV_STATUS_IDENTIFIED; s <= RBV_STATUS_MEAN_RESIDUAL; s++)
    if (strcmp(rbv_parameter_status_name((rbv_parameter_status)s), status) == 0) {
      p->status = (rbv_parameter_status)s;
      return RBV_OK;
    }
  return rbv_node_fail(RBV_EINPUT, node, "unknown status '%s'", status);
}

static rbv_status get_three(double out[3], const rbv_node *map, const char *key) {
  const rbv_node *node;
  RBV_TRY(need(&node, map, key));
  if (rbv_node_count(node) != 3) return rbv_node_fail(RBV_EINPUT, node, "three numbers are needed");
  for (int i = 0; i < 3; i++) {
    out[i] = NAN;
    if (!rbv_node_is_null(rbv_node_at(node, i)))
      RBV_TRY(rbv_node_real(&out[i], rbv_node_at(node, i)));
  }
  return RBV_OK;
}

/* numbers of blocks and recordings; a result of an earlier version has none */
static rbv_status count_parts(rbv_jackknife *b, const rbv_node *node, int parameters) {
  if (!node) return RBV_OK;
  ptrdiff_t blocks, recordings;
  RBV_TRY(get_count(&blocks, node, "blocks"));
  RBV_TRY(get_count(&recordings, node, "recordings"));
  const rbv_node *list;
  RBV_TRY(need(&list, node, "deviations"));
  if (rbv_node_count(list) != parameters)
    return rbv_node_fail(RBV_EINPUT, list, "%d lists of deviations, but %d parameters",
                         rbv_node_count(list), parameters);
  for (int k = 0; k < parameters; k++) {
    const rbv_node *row = rbv_node_at(list, k);
    const ptrdiff_t count = rbv_node_count(row);
    if (rbv_node_get_kind(row) != RBV_NODE_LIST || (count != 0 && count != blocks + recordings))
      return rbv_node_fail(RBV_EINPUT, row, "a list of %td deviations, or an empty one, is needed",
                           blocks + recordings);
  }
  RBV_TRY(get_real(&b->student, node, "student_factor"));
  b->nblock = (int)blocks;
  b->nrecording = (int)recordings;
  return RBV_OK;
}

static rbv_status read_jackknife(rbv_result *r, const rbv_node *node) {
  const rbv_node *list = rbv_node_find(node, "deviations");
  for (int k = 0; k < r->estimate.count && node; k++) {
    const rbv_node *row = rbv_node_at(list, k);
    for (int i = 0; i < rbv_node_count(row); i++)
      RBV_TRY(rbv_node_real(&r->jackknife.deviation[k + (ptrdiff_t)i * r->estimate.count],
                            rbv_node_at(row, i)));
  }
  return RBV_OK;
}

static rbv_status read_body(rbv_result_body *b, const rbv_node *node) {
  RBV_TRY(get_real(&b->mass, node, "mass"));
  RBV_TRY(get_real(&b->mass_sigma, node, "mass_sigma"));
  RBV_TRY(get_real(&b->mass_known, node, "mass_known"));
  RBV_TRY(get_real(&b->prior_mass, node, "prior_mass"));
  RBV_TRY(get_three(b->centre, node, "centre"));
  RBV_TRY(get_three(b->centre_sigma, node, "centre_sigma"));
  RBV_TRY(get_three(b->centre_known, node, "centre_known"));
  return get_three(b->prior_centre, node, "prior_centre");
}

static rbv_status read_standard(rbv_result_standard *s, const rbv_node *node) {
  if (s->count == 0) return RBV_OK;
  ptrdiff_t iterations;
  RBV_TRY(get_bool(&s->converged, node, "converged"));
  RBV_TRY(get_count(&iterations, node, "iterations"));
  s->iterations = (int)iterations;
  RBV_TRY(get_real(&s->gap, node, "gap"));
  RBV_TRY(get_real(&s->chi2, node, "chi2"));
  RBV_TRY(get_real(&s->largest_move_sigma, node, "largest_move_sigma"));
  RBV_TRY(get_real(&s->weight, node, "prior_weight"));
  RBV_TRY(get_real(&s->mass_weight, node, "mass_weight"));
  RBV_TRY(get_real(&s->variance, node, "variance_factor"));
  for (int i = 0; i < s->nbody; i++) {
    const rbv_node *body = rbv_node_at(rbv_node_find(node, "bodies"), i);
    RBV_TRY(get_string(&s->body[i].name, body, "name"));
    RBV_TRY(get_string(&s->body[i].state, body, "state"));
    RBV_TRY(get_real(&s->body[i].margin, body, "margin"));
    RBV_TRY(get_bool(&s->body[i].active, body, "active"));
    RBV_TRY(get_string(&s->body[i].prior, body, "prior"));
    RBV_TRY(read_body(&s->body[i], body));
  }
  for (int k = 0; k < s->count; k++) {
    const rbv_node *parameter = rbv_node_at(rbv_node_find(node, "parameters"), k);
    RBV_TRY(get_string(&s->name[k], parameter, "name"));
    RBV_TRY(get_real(&s->value[k], parameter, "value"));
    RBV_TRY(get_string(&s->unit[k], parameter, "unit"));
    RBV_TRY(get_real(&s->sigma[k], parameter, "sigma"));
    if (isnan(s->sigma[k])) s->sigma[k] = INFINITY;
    RBV_TRY(get_real(&s->known[k], parameter, "known"));
    RBV_TRY(get_bool(&s->active[k], parameter, "active"));
  }
  return RBV_OK;
}

static int find_joint(const rbv_result *r, const char *name) {
  for (int j = 0; j < r->njoint; j++)
    if (strcmp(r->joint[j], name) == 0) return j;
  return -1;
}

/* only present for whitened rows */
static rbv_status read_noise(rbv_row_fit *f, const rbv_node *row) {
  ptrdiff_t order;
  if (!rbv_node_find(row, "noise_order")) return RBV_OK;
  RBV_TRY(get_count(&order, row, "noise_order"));
  f->noise_order = (int)order;
  return get_real(&f->noise_variance, row, "noise_variance_rad2");
}

static rbv_status read_fit(rbv_fit *fit, rbv_result *r, const rbv_node *node) {
  if (!node) return RBV_OK;
  const rbv_node *rows = rbv_node_find(node, "per_joint");
  RBV_TRY(get_real(&fit->relative_error, node, "relative_error"));
  fit->comparable = NAN;
  if (rbv_node_find(node, "comparable_error"))
    RBV_TRY(get_real(&fit->comparable, node, "comparable_error"));
  fit->baseline = NAN;
  if (rbv_node_find(node, "comparable_error_robot_file"))
    RBV_TRY(get_real(&fit->baseline, node, "comparable_error_robot_file"));
  for (int i = 0; i < fit->nrow; i++) {
    const rbv_node *row = rbv_node_at(rows, i);
    rbv_row_fit *f = &fit->row[i];
    const char *joint, *torque;
    RBV_TRY(get_string(&joint, row, "joint"));
    RBV_TRY(get_string(&torque, row, "torque"));
    f->joint = find_joint(r, joint);
    if (f->joint < 0 || !rbv_torque_parse(&f->torque, torque))
      return rbv_node_fail(RBV_EINPUT, row, "there is no joint '%s' with a torque '%s'", joint,
                           torque);
    RBV_TRY(get_count(&f->rows, row, "rows"));
    RBV_TRY(get_real(&f->relative_error, row, "relative_error"));
    RBV_TRY(get_real(&f->rms, row, "rms_residual_Nm"));
    f->sigma = f->durbin_watson = f->ks_p = f->inflation = NAN;
    if (fit == &r->fit) RBV_TRY(get_real(&f->sigma, row, "sigma_Nm"));
    RBV_TRY(read_noise(f, row));
  }
  return RBV_OK;
}

static rbv_status read_kept(rbv_result *r, const rbv_node *root) {
  ptrdiff_t kept = 0;
  if (rbv_node_find(root, "kept_iteration")) RBV_TRY(get_count(&kept, root, "kept_iteration"));
  r->kept_iteration = (int)kept;
  return RBV_OK;
}

static rbv_status read_iterations(rbv_result *r, const rbv_node *list) {
  for (int i = 0; i < r->iterations; i++) {
    rbv_iteration *to = &r->iteration[i];
    const rbv_node *node = rbv_node_at(list, i);
    RBV_TRY(get_real(&to->residual, node, "relative_residual"));
    to->change = NAN;
    if (rbv_node_find(node, "largest_change_sigma"))
      RBV_TRY(get_real(&to->change, node, "largest_change_sigma"));
  }
  return RBV_OK;
}

/* lists with one entry per torque row of the fit; null becomes NaN */
static rbv_status read_list(rbv_result *r, const rbv_node *diagnostics, const char *key,
                            size_t offset) {
  const rbv_node *list;
  RBV_TRY(need(&list, diagnostics, key));
  for (int i = 0; i < r->fit.nrow && i < rbv_node_count(list); i++) {
    double *to = (double *)(void *)((char *)&r->fit.row[i] + offset);
    if (!rbv_node_is_null(rbv_node_at(list, i))) RBV_TRY(rbv_node_real(to, rbv_node_at(list, i)));
  }
  return RBV_OK;
}

static rbv_status read_colours(rbv_result *r, const rbv_node *diagnostics) {
  const rbv_node *list, *half = rbv_node_find(diagnostics, "residual_white_at_half_rate");
  RBV_TRY(need(&list, diagnostics, "residual_coloured"));
  for (int i = 0; i < r->fit.nrow && i < rbv_node_count(list); i++)
    RBV_TRY(rbv_node_bool(&r->fit.row[i].coloured, rbv_node_at(list, i)));
  for (int i = 0; i < r->fit.nrow && i < rbv_node_count(half); i++)
    RBV_TRY(rbv_node_bool(&r->fit.row[i].white_at_half, rbv_node_at(half, i)));
  return RBV_OK;
}

static rbv_status read_instruments(rbv_instruments *i, const rbv_node *node) {
  if (!node) return RBV_OK;
  ptrdiff_t dof;
  RBV_TRY(get_real(&i->condition_number, node, "condition_number"));
  RBV_TRY(get_real(&i->strength, node, "strength"));
  RBV_TRY(get_real(&i->hausman, node, "hausman_statistic"));
  RBV_TRY(get_count(&dof, node, "hausman_dof"));
  RBV_TRY(get_real(&i->hausman_p, node, "hausman_p"));
  RBV_TRY(get_real(&i->shift, node, "largest_difference_sigma"));
  RBV_TRY(get_string(&i->worst, node, "largest_difference_at"));
  i->hausman_dof = (int)dof;
  return get_bool(&i->biased, node, "least_squares_biased");
}

#define SHIFTS "shift_if_gains_are_10_percent_larger"

static rbv_status read_output(rbv_output_fit *f, const rbv_result *r, const rbv_node *node) {
  const char *joint;
  RBV_TRY(get_string(&joint, node, "joint"));
  f->joint = find_joint(r, joint);
  if (f->joint < 0) return rbv_node_fail(RBV_EINPUT, node, "there is no joint '%s'", joint);
  RBV_TRY(get_count(&f->rows, node, "rows"));
  RBV_TRY(get_real(&f->rms, node, "rms_error"));
  RBV_TRY(get_real(&f->tracking, node, "rms_tracking"));
  f->held_out = NAN;
  if (rbv_node_find(node, "rms_error_held_out"))
    RBV_TRY(get_real(&f->held_out, node, "rms_error_held_out"));
  return get_real(&f->durbin_watson, node, "durbin_watson");
}

static rbv_status read_loop(rbv_result *r, const rbv_node *node) {
  if (!node) return RBV_OK;
  rbv_result_loop *l = &r->loop;
  ptrdiff_t simulations;
  RBV_TRY(get_count(&simulations, node, "simulations"));
  l->simulations = (int)simulations;
  ptrdiff_t starts = 1, reached = 1, candidates = 0, generations = 0;
  if (rbv_node_find(node, "candidates")) {
    RBV_TRY(get_count(&candidates, node, "candidates"));
    RBV_TRY(get_count(&generations, node, "generations"));
  }
  l->candidates = (int)candidates;
  l->generations = (int)generations;
  if (rbv_node_find(node, "starts")) {
    RBV_TRY(get_count(&starts, node, "starts"));
    RBV_TRY(get_count(&reached, node, "starts_at_the_optimum"));
    RBV_TRY(get_bool(&l->stopped, node, "stopped"));
  }
  l->starts = (int)starts;
  l->reached = (int)reached;
  const rbv_node *agreement = rbv_node_find(node, "agreement_of_laws");
  if (agreement) {
    ptrdiff_t laws;
    RBV_TRY(get_count(&laws, agreement, "laws"));
    l->agreement.laws = (int)laws;
    RBV_TRY(get_real(&l->agreement.p, agreement, "p"));
    RBV_TRY(get_real(&l->agreement.difference, agreement, "largest_difference_sigma"));
    RBV_TRY(get_string(&l->agreement.name, agreement, "largest_difference_at"));
  }
  for (int i = 0; i < l->noutput; i++)
    RBV_TRY(read_output(&l->output[i], r, rbv_node_at(rbv_node_find(node, "positions"), i)));
  for (int i = 0; i < l->nunknown; i++) {
    const rbv_node *item = rbv_node_at(rbv_node_find(node, "unknowns"), i);
    rbv_loop_value *u = &l->unknown[i];
    RBV_TRY(get_string(&u->name, item, "name"));
    RBV_TRY(get_string(&u->unit, item, "unit"));
    RBV_TRY(get_real(&u->value, item, "value"));
    RBV_TRY(get_real(&u->sigma, item, "sigma"));
    if (isnan(u->sigma)) u->sigma = INFINITY;
    u->start = NAN;
    if (rbv_node_find(item, "start")) RBV_TRY(get_real(&u->start, item, "start"));
    if (!rbv_node_find(item, "correlated_with")) continue;
    RBV_TRY(get_string(&u->partner, item, "correlated_with"));
    RBV_TRY(get_real(&u->correlation, item, "correlation"));
  }
  for (int i = 0; i < l->ninfluence; i++) {
    const rbv_node *item = rbv_node_at(rbv_node_find(node, SHIFTS), i), *list;
    RBV_TRY(get_string(&l->influence[i].gains, item, "gains"));
    RBV_TRY(need(&list, item, "shift"));
    RBV_TRY(rbv_node_reals(l->influence[i].shift, r->estimate.count, list));
  }
  return RBV_OK;
}

static rbv_status read_robot(rbv_result *r, const rbv_node *node) {
  const char *sensing;
  RBV_TRY(get_string(&r->robot, node, "name"));
  RBV_TRY(get_string(&r->robot_file.path, node, "file"));
  RBV_TRY(get_string(&r->robot_file.sha256, node, "sha256"));
  RBV_TRY(get_string(&sensing, node, "sensing"));
  if (!rbv_sensing_parse(&r->sensing, sensing))
    return rbv_node_fail(RBV_EINPUT, node, "unknown sensing '%s'", sensing);
  RBV_TRY(get_bool(&r->payload, node, "payload"));
  RBV_TRY(get_real(&r->gamma, node, "gamma"));
  if (rbv_node_find(node, "stribeck")) RBV_TRY(get_real(&r->stribeck, node, "stribeck"));
  const rbv_node *joints = rbv_node_find(node, "joints");
  for (int j = 0; j < r->njoint; j++)
    RBV_TRY(rbv_node_string(&r->joint[j], rbv_node_at(joints, j)));
  const rbv_node *smooth = rbv_node_find(node, "smooth");
  if (!smooth) r->smooth = NULL;
  for (int j = 0; j < r->njoint && smooth; j++)
    RBV_TRY(rbv_node_real(&r->smooth[j], rbv_node_at(smooth, j)));
  return RBV_OK;
}

/* a quoted text, true or false, or a number; null is an undefined number */
static rbv_status read_setting(rbv_setting *s, const char *key, const rbv_node *node) {
  s->key = key;
  s->number = NAN;
  if (rbv_node_is_null(node)) return RBV_OK;
  if (rbv_node_is_quoted(node)) return rbv_node_string(&s->text, node);
  const char *text = rbv_node_text(node);
  s->flag = text && (strcmp(text, "true") == 0 || strcmp(text, "false") == 0);
  if (!s->flag) return rbv_node_real(&s->number, node);
  s->number = strcmp(text, "true") == 0;
  return RBV_OK;
}

static rbv_status read_settings(rbv_setting *setting, int n, const rbv_node *root,
                                const char *key) {
  const rbv_node *map = rbv_node_find(root, key);
  if (map && rbv_node_get_kind(map) != RBV_NODE_MAP)
    return rbv_node_fail(RBV_EINPUT, map, "'%s' must be a map", key);
  for (int i = 0; i < n; i++)
    RBV_TRY(read_setting(&setting[i], rbv_node_key(map, i), rbv_node_at(map, i)));
  return RBV_OK;
}

static rbv_status read_files(rbv_result *r, const rbv_node *list) {
  for (int i = 0; i < r->nfile; i++) {
    const rbv_node *node = rbv_node_at(list, i);
    RBV_TRY(get_string(&r->file[i].option, node, "option"));
    RBV_TRY(get_string(&r->file[i].path, node, "file"));
    RBV_TRY(get_string(&r->file[i].sha256, node, "sha256"));
  }
  return RBV_OK;
}

static rbv_status fill(rbv_result *r, const rbv_node *root) {
  const rbv_node *robot, *options, *estimate, *diagnostics;
  RBV_TRY(need(&robot, root, "robot"));
  RBV_TRY(need(&options, root, "options"));
  RBV_TRY(need(&estimate, root, "estimate"));
  r->version = rbv_node_text(rbv_node_find(root, "version"));
  if (!r->version) r->version = "";
  RBV_TRY(read_robot(r, robot));
  for (int i = 0; i < r->ninput; i++)
    RBV_TRY(read_input(&r->input[i], rbv_node_at(rbv_node_find(root, "logs"), i)));
  for (int i = 0; i < r->nvalidation_input; i++)
    RBV_TRY(read_input(&r->validation_input[i],
                       rbv_node_at(rbv_node_find(root, "validation_logs"), i)));
  RBV_TRY(read_settings(r->setting, r->nsetting, root, "options"));
  RBV_TRY(read_settings(r->chosen, r->nchosen, root, "chosen"));
  for (int i = 0; i < r->nfinding; i++)
    RBV_TRY(read_finding(&r->finding[i], rbv_node_at(rbv_node_find(root, "findings"), i)));
  for (int i = 0; i < r->nfriction; i++)
    RBV_TRY(read_friction(&r->friction[i], rbv_node_at(rbv_node_find(root, "friction"), i)));
  for (int i = 0; i < r->nadvice; i++)
    RBV_TRY(read_finding(&r->advice[i], rbv_node_at(rbv_node_find(root, "advice"), i)));
  RBV_TRY(read_files(r, rbv_node_find(root, "option_files")));
  RBV_TRY(get_string(&r->method, estimate, "method"));
  if (rbv_node_find(estimate, "choice")) RBV_TRY(get_string(&r->choice, estimate, "choice"));
  for (int k = 0; k < r->estimate.count; k++)
    RBV_TRY(read_parameter(r, k, rbv_node_at(rbv_node_find(estimate, "parameters"), k)));
  RBV_TRY(read_jackknife(r, rbv_node_find(estimate, "jackknife")));
  RBV_TRY(read_standard(&r->standard, rbv_node_find(root, "standard")));
  RBV_TRY(read_fit(&r->fit, r, rbv_node_find(root, "fit")));
  RBV_TRY(read_fit(&r->validation, r, rbv_node_find(root, "validation")));
  RBV_TRY(need(&diagnostics, root, "diagnostics"));
  RBV_TRY(get_real(&r->diagnostics.condition_number, diagnostics, "condition_number"));
  RBV_TRY(
      get_real(&r->diagnostics.condition_number_scaled, diagnostics, "condition_number_scaled"));
  RBV_TRY(get_count(&r->diagnostics.dof, diagnostics, "dof"));
  RBV_TRY(get_real(&r->diagnostics.sigma, diagnostics, "weighted_residual_sigma"));
  RBV_TRY(read_list(r, diagnostics, "durbin_watson", offsetof(rbv_row_fit, durbin_watson)));
  RBV_TRY(read_list(r, diagnostics, "ks_p", offsetof(rbv_row_fit, ks_p)));
  RBV_TRY(get_real(&r->diagnostics.sigma_inflation, diagnostics, "sigma_inflation"));
  RBV_TRY(read_colours(r, diagnostics));
  RBV_TRY(read_instruments(&r->instruments, rbv_node_find(root, "instruments")));
  RBV_TRY(read_loop(r, rbv_node_find(root, "loop")));
  RBV_TRY(read_iterations(r, rbv_node_find(root, "iterations")));
  RBV_TRY(read_kept(r, root));
  if (rbv_node_find(root, "band_limit_hz")) RBV_TRY(get_real(&r->band_hz, root, "band_limit_hz"));
  r->converged = true;
  if (rbv_node_find(root, "converged")) RBV_TRY(get_bool(&r->converged, root, "converged"));
  const rbv_node *clipping = rbv_node_find(root, "clipping");
  if (clipping) {
    RBV_TRY(get_real(&r->clipping.share, clipping, "share"));
    RBV_TRY(get_real(&r->clipping.near_reversals, clipping, "outliers_near_reversals"));
    RBV_TRY(get_real(&r->clipping.elsewhere, clipping, "outliers_elsewhere"));
  }
  return get_real(&r->masked_fraction, root, "masked_fraction");
}

/* ---- the document ---- */

static int count_in(const rbv_node *map, const char *key) {
  return rbv_node_count(rbv_node_find(map, key));
}

static rbv_status check_schema(const rbv_document *doc) {
  const rbv_node *root = rbv_document_root(doc), *schema = rbv_node_find(root, "schema");
  const char *text = schema ? rbv_node_text(schema) : NULL;
  if (text && strcmp(text, "roberval.result/1") == 0) return RBV_OK;
  return rbv_node_fail(RBV_EINPUT, root, "this is not a result of roberval identify (schema '%s')",
                       text ? text : "none");
}

void rbv_result_free(rbv_result *result) {
  if (!result) return;
  rbv_document_free(((loaded *)result->memory)->doc);
  rbv_free(result->memory);
}

rbv_status rbv_result_parse(rbv_result **out, const char *name, const char *text, size_t size) {
  *out = NULL;
  rbv_document *doc;
  rbv_observe("result", name);
  RBV_TRY(rbv_document_parse(&doc, name, text, size));
  rbv_status status = check_schema(doc);
  const rbv_node *root = rbv_document_root(doc), *robot = rbv_node_find(root, "robot");
  rbv_result sizes = {.ninput = count_in(root, "logs"),
                      .nvalidation_input = count_in(root, "validation_logs"),
                      .nsetting = count_in(root, "options"),
                      .nchosen = count_in(root, "chosen"),
                      .nfinding = count_in(root, "findings"),
                      .nadvice = count_in(root, "advice"),
                      .nfriction = count_in(root, "friction"),
                      .nfile = count_in(root, "option_files"),
                      .njoint = count_in(robot, "joints"),
                      .loop.noutput = count_in(rbv_node_find(root, "loop"), "positions"),
                      .loop.nunknown = count_in(rbv_node_find(root, "loop"), "unknowns"),
                      .loop.ninfluence = count_in(rbv_node_find(root, "loop"), SHIFTS),
                      .iterations = count_in(root, "iterations"),
                      .estimate.count = count_in(rbv_node_find(root, "estimate"), "parameters"),
                      .standard.count = count_in(rbv_node_find(root, "standard"), "parameters"),
                      .standard.nbody = count_in(rbv_node_find(root, "standard"), "bodies"),
                      .fit.nrow = count_in(rbv_node_find(root, "fit"), "per_joint"),
                      .validation.nrow = count_in(rbv_node_find(root, "validation"), "per_joint")};
  const rbv_node *parameters = rbv_node_find(rbv_node_find(root, "estimate"), "parameters");
  const optional has = {rbv_node_find(rbv_node_at(parameters, 0), "bootstrap_sigma"),
                        rbv_node_find(rbv_node_at(parameters, 0), "sigma_white")};
  if (status == RBV_OK)
    status =
        count_parts(&sizes.jackknife, rbv_node_find(rbv_node_find(root, "estimate"), "jackknife"),
                    sizes.estimate.count);
  rbv_arena measure = {0};
  (void)RBV_TAKE(&measure, 1, loaded);
  rbv_result unused = sizes;
  layout(&unused, has, &measure);
  char *memory = status == RBV_OK ? rbv_alloc(measure.used) : NULL;
  if (!memory) {
    rbv_document_free(doc);
    return status == RBV_OK ? RBV_EMEM : status;
  }
  rbv_arena carve = {.base = memory};
  loaded *l = RBV_TAKE(&carve, 1, loaded);
  l->result = sizes;
  l->result.memory = l;
  l->doc = doc;
  layout(&l->result, has, &carve);
  status = fill(&l->result, root);
  if (status == RBV_OK)
    *out = &l->result;
  else
    rbv_result_free(&l->result);
  return status;
}

rbv_status rbv_result_load(rbv_result **out, const char *path) {
  if (!out || !path) return rbv_fail(RBV_EARG, "out and path must not be NULL");
  *out = NULL;
  char *text;
  size_t size;
  RBV_TRY(rbv_file_read(&text, &size, path));
  const rbv_status status = rbv_result_parse(out, path, text, size);
  rbv_file_free(text);
  return status;
}

static const rbv_setting *find(const rbv_setting *setting, int n, const char *key) {
  for (int i = 0; i < n; i++)
    if (strcmp(setting[i].key, key) == 0) return &setting[i];
  return NULL;
}

const char *rbv_result_setting(const rbv_result *result, const char *key) {
  const rbv_setting *s = find(result->setting, result->nsetting, key);
  return s ? s->text : NULL;
}

double rbv_result_number(const rbv_result *result, const char *key, double otherwise) {
  const rbv_setting *s = find(result->setting, result->nsetting, key);
  return s && isfinite(s->number) ? s->number : otherwise;
}

double rbv_result_chosen(const rbv_result *result, const char *key, double otherwise) {
  const rbv_setting *s = find(result->chosen, result->nchosen, key);
  return s && isfinite(s->number) ? s->number : otherwise;
}

const char *rbv_result_chosen_text(const rbv_result *result, const char *key) {
  const rbv_setting *s = find(result->chosen, result->nchosen, key);
  return s ? s->text : NULL;
}
