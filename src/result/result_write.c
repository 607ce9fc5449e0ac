#include <math.h>
#include <roberval/sys/document.h>
#include <roberval/sys/result.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"

/* how the recording was prepared */
static void write_preparation(rbv_json *j, const rbv_input *input) {
  if (!input->differentiation) return;
  rbv_json_put_string(j, "differentiation", input->differentiation);
  rbv_json_put_real(j, "cutoff_hz", input->cutoff_hz);
  rbv_json_put_bool(j, "resampled", input->resampled);
  rbv_json_put_int(j, "gaps", input->gaps);
  rbv_json_put_int(j, "invalid_samples", input->invalid);
  if (input->dropped > 0) rbv_json_put_int(j, "dropped_rows", input->dropped);
}

static void write_inputs(rbv_json *j, const char *key, const rbv_input *input, int n) {
  rbv_json_key(j, key);
  rbv_json_list(j);
  for (int i = 0; i < n; i++) {
    rbv_json_map(j);
    rbv_json_put_string(j, "file", input[i].path);
    rbv_json_put_string(j, "sha256", input[i].sha256);
    rbv_json_put_int(j, "samples", input[i].samples);
    rbv_json_put_real(j, "rate_hz", input[i].rate_hz);
    rbv_json_put_bool(j, "loaded", input[i].loaded);
    write_preparation(j, &input[i]);
    rbv_json_end(j);
  }
  rbv_json_end(j);
}

static void write_settings(rbv_json *j, const char *key, const rbv_setting *setting, int n) {
  rbv_json_key(j, key);
  rbv_json_map(j);
  for (int i = 0; i < n; i++) {
    const rbv_setting *s = &setting[i];
    if (s->text)
      rbv_json_put_string(j, s->key, s->text);
    else if (s->flag)
      rbv_json_put_bool(j, s->key, s->number != 0);
    else
      rbv_json_put_real(j, s->key, s->number);
  }
  rbv_json_end(j);
}

/* what the identification found wrong with its recordings, or advises */
static void write_findings(rbv_json *j, const char *key, const rbv_result_finding *f, int count) {
  if (count == 0) return;
  rbv_json_key(j, key);
  rbv_json_list(j);
  for (int i = 0; i < count; i++) {
    rbv_json_map(j);
    rbv_json_put_string(j, "code", f[i].code);
    rbv_json_put_string(j, "sentence", f[i].sentence);
    if (f[i].option) rbv_json_put_string(j, "option", f[i].option);
    rbv_json_end(j);
  }
  rbv_json_end(j);
}

static void write_friction(rbv_json *j, const rbv_result *r) {
  if (r->nfriction == 0) return;
  rbv_json_key(j, "friction");
  rbv_json_list(j);
  for (int i = 0; i < r->nfriction; i++) {
    const rbv_result_friction *f = &r->friction[i];
    rbv_json_map(j);
    rbv_json_put_string(j, "name", f->name);
    if (!isnan(f->shape)) rbv_json_put_real(j, "shape", f->shape);
    if (isfinite(f->shape_sigma)) rbv_json_put_real(j, "shape_sigma", f->shape_sigma);
    if (f->at_bound) rbv_json_put_bool(j, "at_bound", true);
    if (isfinite(f->gain)) rbv_json_put_real(j, "gain", f->gain);
    if (isfinite(f->gain_sigma)) rbv_json_put_real(j, "gain_sigma", f->gain_sigma);
    rbv_json_end(j);
  }
  rbv_json_end(j);
}

static void write_provenance(rbv_json *j, const rbv_result *r) {
  rbv_json_key(j, "robot");
  rbv_json_map(j);
  rbv_json_put_string(j, "name", r->robot);
  rbv_json_put_string(j, "file", r->robot_file.path);
  rbv_json_put_string(j, "sha256", r->robot_file.sha256);
  rbv_json_put_string(j, "sensing", rbv_sensing_name(r->sensing));
  rbv_json_put_bool(j, "payload", r->payload);
  rbv_json_put_real(j, "gamma", r->gamma);
  if (r->stribeck > 0) rbv_json_put_real(j, "stribeck", r->stribeck);
  if (r->smooth) {
    rbv_json_key(j, "smooth");
    rbv_json_flat_list(j);
    for (int i = 0; i < r->njoint; i++) rbv_json_real(j, r->smooth[i]);
    rbv_json_end(j);
  }
  rbv_json_key(j, "joints");
  rbv_json_flat_list(j);
  for (int i = 0; i < r->njoint; i++) rbv_json_string(j, r->joint[i]);
  rbv_json_end(j);
  rbv_json_end(j);

  write_inputs(j, "logs", r->input, r->ninput);
  if (r->nvalidation_input > 0)
    write_inputs(j, "validation_logs", r->validation_input, r->nvalidation_input);

  write_settings(j, "options", r->setting, r->nsetting);
  rbv_json_key(j, "option_files");
  rbv_json_list(j);
  for (int i = 0; i < r->nfile; i++) {
    rbv_json_map(j);
    rbv_json_put_string(j, "option", r->file[i].option);
    rbv_json_put_string(j, "file", r->file[i].path);
    rbv_json_put_string(j, "sha256", r->file[i].sha256);
    rbv_json_end(j);
  }
  rbv_json_end(j);
  write_settings(j, "chosen", r->chosen, r->nchosen);
  write_friction(j, r);
  write_findings(j, "findings", r->finding, r->nfinding);
  write_findings(j, "advice", r->advice, r->nadvice);
}

/* five digits are more than enough for an uncertainty */
static double rounded(double x) {
  char text[32];
  if (!isfinite(x) || x == 0) return x;
  snprintf(text, sizeof text, "%.4e", x);
  return strtod(text, NULL);
}

/* one list per parameter: its change if a part of the data is left out */
static void write_jackknife(rbv_json *j, const rbv_result *r) {
  const rbv_jackknife *b = &r->jackknife;
  if (b->nblock == 0) return;
  rbv_json_key(j, "jackknife");
  rbv_json_map(j);
  rbv_json_put_int(j, "blocks", b->nblock);
  rbv_json_put_int(j, "recordings", b->nrecording);
  rbv_json_put_real(j, "student_factor", b->student);
  rbv_json_put_string(j, "sigma_holds_for",
                      r->ninput == 1 ? "motions of the recorded kind; one motion was recorded"
                                     : "motions of the recorded kinds");
  rbv_json_key(j, "deviations");
  rbv_json_list(j);
  for (int k = 0; k < r->estimate.count; k++) {
    rbv_json_flat_list(j);
    for (int i = 0; i < b->nblock + b->nrecording && isfinite(r->estimate.item[k].sigma); i++)
      rbv_json_real(j, rounded(b->deviation[k + (ptrdiff_t)i * r->estimate.count]));
    rbv_json_end(j);
  }
  rbv_json_end(j);
  rbv_json_end(j);
}

static void write_estimate(rbv_json *j, const rbv_result *r) {
  rbv_json_key(j, "estimate");
  rbv_json_map(j);
  rbv_json_put_string(j, "method", r->method);
  if (r->choice && r->choice[0]) rbv_json_put_string(j, "choice", r->choice);
  rbv_json_key(j, "parameters");
  rbv_json_list(j);
  for (int i = 0; i < r->estimate.count; i++) {
    const rbv_parameter *p = &r->estimate.item[i];
    rbv_json_map(j);
    rbv_json_put_string(j, "name", p->name);
    rbv_json_put_real(j, "value", p->value);
    rbv_json_put_real(j, "sigma", p->sigma);
    if (r->sigma_white) rbv_json_put_real(j, "sigma_white", r->sigma_white[i]);
    rbv_json_put_real(j, "relative_sigma_percent", 100 * p->sigma / fabs(p->value));
    rbv_json_put_string(j, "unit", r->unit[i]);
    rbv_json_put_string(j, "status", rbv_parameter_status_name(p->status));
    rbv_json_put_string(j, "meaning", r->meaning[i]);
    if (r->bootstrap_sigma) rbv_json_put_real(j, "bootstrap_sigma", r->bootstrap_sigma[i]);
    if (p->status == RBV_STATUS_NOT_ESSENTIAL)
      rbv_json_put_string(j, "reason", "set to zero: not significant in the F-test");
    else if (!isfinite(p->sigma))
      rbv_json_put_string(j, "reason", "the data do not determine this parameter");
    else if (p->value == 0)
      rbv_json_put_string(j, "reason", "the estimate is zero, so that no percentage is defined");
    else if (r->bootstrap_sigma && !isfinite(r->bootstrap_sigma[i]))
      rbv_json_put_string(j, "reason", "too few bootstrap samples had a solution");
    rbv_json_end(j);
  }
  rbv_json_end(j);
  write_jackknife(j, r);
  rbv_json_end(j);
}

static void put_reals(rbv_json *j, const char *key, const double *x, int n) {
  rbv_json_key(j, key);
  rbv_json_list(j);
  for (int i = 0; i < n; i++) rbv_json_real(j, x[i]);
  rbv_json_end(j);
}

static void put_body(rbv_json *j, const rbv_result_body *b) {
  rbv_json_put_real(j, "mass", b->mass);
  rbv_json_put_real(j, "mass_sigma", b->mass_sigma);
  rbv_json_put_real(j, "mass_known", b->mass_known);
  rbv_json_put_real(j, "prior_mass", b->prior_mass);
  put_reals(j, "centre", b->centre, 3);
  put_reals(j, "centre_sigma", b->centre_sigma, 3);
  put_reals(j, "centre_known", b->centre_known, 3);
  put_reals(j, "prior_centre", b->prior_centre, 3);
}

static void write_standard(rbv_json *j, const rbv_result_standard *s) {
  if (s->count == 0) return;
  rbv_json_key(j, "standard");
  rbv_json_map(j);
  rbv_json_put_bool(j, "converged", s->converged);
  rbv_json_put_int(j, "iterations", s->iterations);
  rbv_json_put_real(j, "gap", s->gap);
  if (!isfinite(s->gap))
    rbv_json_put_string(j, "reason", "the method did not come close to the optimum");
  rbv_json_put_real(j, "chi2", s->chi2);
  rbv_json_put_real(j, "largest_move_sigma", s->largest_move_sigma);
  rbv_json_put_real(j, "prior_weight", s->weight);
  rbv_json_put_real(j, "mass_weight", s->mass_weight);
  rbv_json_put_real(j, "variance_factor", s->variance);
  rbv_json_key(j, "bodies");
  rbv_json_list(j);
  for (int i = 0; i < s->nbody; i++) {
    rbv_json_map(j);
    rbv_json_put_string(j, "name", s->body[i].name);
    rbv_json_put_string(j, "state", s->body[i].state);
    rbv_json_put_real(j, "margin", s->body[i].margin);
    rbv_json_put_bool(j, "active", s->body[i].active);
    rbv_json_put_string(j, "prior", s->body[i].prior);
    put_body(j, &s->body[i]);
    rbv_json_end(j);
  }
  rbv_json_end(j);
  rbv_json_key(j, "parameters");
  rbv_json_list(j);
  for (int i = 0; i < s->count; i++) {
    rbv_json_map(j);
    rbv_json_put_string(j, "name", s->name[i]);
    rbv_json_put_real(j, "value", s->value[i]);
    rbv_json_put_string(j, "unit", s->unit[i]);
    rbv_json_put_real(j, "sigma", s->sigma[i]);
    rbv_json_put_real(j, "known", s->known[i]);
    rbv_json_put_bool(j, "active", s->active[i]);
    if (!isfinite(s->sigma[i]))
      rbv_json_put_string(j, "reason", "the data contain nothing about this parameter");
    rbv_json_end(j);
  }
  rbv_json_end(j);
  rbv_json_end(j);
}

/* weights and residual statistics exist only for rows that were used */
static void write_fit(rbv_json *j, const char *key, const rbv_fit *fit, const rbv_result *r) {
  if (fit->nrow == 0) return;
  const bool used = fit == &r->fit;
  rbv_json_key(j, key);
  rbv_json_map(j);
  rbv_json_put_real(j, "relative_error", fit->relative_error);
  rbv_json_put_real(j, "comparable_error", fit->comparable);
  if (isfinite(fit->baseline)) rbv_json_put_real(j, "comparable_error_robot_file", fit->baseline);
  rbv_json_key(j, "per_joint");
  rbv_json_list(j);
  for (int i = 0; i < fit->nrow; i++) {
    const rbv_row_fit *f = &fit->row[i];
    rbv_json_map(j);
    rbv_json_put_string(j, "joint", r->joint[f->joint]);
    rbv_json_put_string(j, "torque", rbv_torque_name(f->torque));
    rbv_json_put_int(j, "rows", f->rows);
    rbv_json_put_real(j, "relative_error", f->relative_error);
    rbv_json_put_real(j, "rms_residual_Nm", f->rms);
    if (used) rbv_json_put_real(j, "sigma_Nm", f->sigma);
    if (f->noise_variance > 0) {
      rbv_json_put_int(j, "noise_order", f->noise_order);
      rbv_json_put_real(j, "noise_variance_rad2", f->noise_variance);
    }
    if (!isfinite(f->relative_error))
      rbv_json_put_string(j, "reason", "there is no measured torque to compare with");
    else if (used && !(isfinite(f->durbin_watson) && isfinite(f->ks_p)))
      rbv_json_put_string(j, "reason", "the residual is zero, constant or too short for the test");
    rbv_json_end(j);
  }
  rbv_json_end(j);
  rbv_json_end(j);
}

static void write_diagnostics(rbv_json *j, const rbv_result *r) {
  rbv_json_key(j, "diagnostics");
  rbv_json_map(j);
  rbv_json_put_real(j, "condition_number", r->diagnostics.condition_number);
  rbv_json_put_real(j, "condition_number_scaled", r->diagnostics.condition_number_scaled);
  rbv_json_key(j, "durbin_watson");
  rbv_json_flat_list(j);
  for (int i = 0; i < r->fit.nrow; i++) rbv_json_real(j, r->fit.row[i].durbin_watson);
  rbv_json_end(j);
  rbv_json_key(j, "ks_p");
  rbv_json_flat_list(j);
  for (int i = 0; i < r->fit.nrow; i++) rbv_json_real(j, r->fit.row[i].ks_p);
  rbv_json_end(j);
  rbv_json_key(j, "residual_coloured");
  rbv_json_flat_list(j);
  for (int i = 0; i < r->fit.nrow; i++) rbv_json_bool(j, r->fit.row[i].coloured);
  rbv_json_end(j);
  rbv_json_key(j, "residual_white_at_half_rate");
  rbv_json_flat_list(j);
  for (int i = 0; i < r->fit.nrow; i++) rbv_json_bool(j, r->fit.row[i].white_at_half);
  rbv_json_end(j);
  rbv_json_put_real(j, "sigma_inflation", r->diagnostics.sigma_inflation);
  if (!isfinite(r->diagnostics.sigma_inflation))
    rbv_json_put_string(j, "reason", "the residual is zero, constant or too short for the test");
  rbv_json_put_int(j, "dof", r->diagnostics.dof);
  rbv_json_put_real(j, "weighted_residual_sigma", r->diagnostics.sigma);
  rbv_json_end(j);
}

static void write_instruments(rbv_json *j, const rbv_instruments *i) {
  if (!(i->strength > 0)) return;
  rbv_json_key(j, "instruments");
  rbv_json_map(j);
  rbv_json_put_real(j, "condition_number", i->condition_number);
  rbv_json_put_real(j, "strength", i->strength);
  rbv_json_put_bool(j, "weak", i->strength < RBV_WEAK_INSTRUMENTS);
  rbv_json_put_real(j, "hausman_statistic", i->hausman);
  rbv_json_put_int(j, "hausman_dof", i->hausman_dof);
  rbv_json_put_real(j, "hausman_p", i->hausman_p);
  if (!isfinite(i->hausman_p))
    rbv_json_put_string(j, "reason", "the two estimates cannot be compared");
  rbv_json_put_real(j, "largest_difference_sigma", i->shift);
  rbv_json_put_string(j, "largest_difference_at", i->worst);
  rbv_json_put_bool(j, "least_squares_biased", i->biased);
  rbv_json_end(j);
}

static void write_loop(rbv_json *j, const rbv_result *r) {
  const rbv_result_loop *l = &r->loop;
  if (l->noutput == 0) return;
  rbv_json_key(j, "loop");
  rbv_json_map(j);
  rbv_json_put_int(j, "simulations", l->simulations);
  if (l->candidates > 0) {
    rbv_json_put_int(j, "candidates", l->candidates);
    rbv_json_put_int(j, "generations", l->generations);
  }
  rbv_json_put_int(j, "starts", l->starts);
  rbv_json_put_int(j, "starts_at_the_optimum", l->reached);
  rbv_json_put_bool(j, "stopped", l->stopped);
  if (l->agreement.laws > 1) {
    rbv_json_key(j, "agreement_of_laws");
    rbv_json_map(j);
    rbv_json_put_int(j, "laws", l->agreement.laws);
    rbv_json_put_real(j, "p", l->agreement.p);
    rbv_json_put_real(j, "largest_difference_sigma", l->agreement.difference);
    rbv_json_put_string(j, "largest_difference_at", l->agreement.name);
    rbv_json_end(j);
  }
  rbv_json_key(j, "positions");
  rbv_json_list(j);
  for (int i = 0; i < l->noutput; i++) {
    const rbv_output_fit *f = &l->output[i];
    rbv_json_map(j);
    rbv_json_put_string(j, "joint", r->joint[f->joint]);
    rbv_json_put_int(j, "rows", f->rows);
    rbv_json_put_real(j, "rms_error", f->rms);
    rbv_json_put_real(j, "rms_tracking", f->tracking);
    if (isfinite(f->held_out)) rbv_json_put_real(j, "rms_error_held_out", f->held_out);
    rbv_json_put_real(j, "durbin_watson", f->durbin_watson);
    if (!isfinite(f->durbin_watson)) rbv_json_put_string(j, "reason", "the error is zero");
    rbv_json_end(j);
  }
  rbv_json_end(j);
  rbv_json_key(j, "unknowns");
  rbv_json_list(j);
  for (int i = 0; i < l->nunknown; i++) {
    const rbv_loop_value *u = &l->unknown[i];
    rbv_json_map(j);
    rbv_json_put_string(j, "name", u->name);
    rbv_json_put_string(j, "unit", u->unit);
    rbv_json_put_real(j, "value", u->value);
    rbv_json_put_real(j, "sigma", u->sigma);
    if (!isfinite(u->sigma)) rbv_json_put_string(j, "reason", "the data do not determine it");
    if (isfinite(u->start)) rbv_json_put_real(j, "start", u->start);
    if (u->partner) {
      rbv_json_put_real(j, "correlation", u->correlation);
      rbv_json_put_string(j, "correlated_with", u->partner);
    }
    rbv_json_end(j);
  }
  rbv_json_end(j);
  rbv_json_key(j, "shift_if_gains_are_10_percent_larger");
  rbv_json_list(j);
  for (int i = 0; i < l->ninfluence; i++) {
    rbv_json_map(j);
    rbv_json_put_string(j, "gains", l->influence[i].gains);
    rbv_json_key(j, "shift");
    rbv_json_flat_list(j);
    for (int k = 0; k < r->estimate.count; k++) rbv_json_real(j, l->influence[i].shift[k]);
    rbv_json_end(j);
    rbv_json_end(j);
  }
  rbv_json_end(j);
  rbv_json_end(j);
}

/* for the convergence plot of the report; the first iteration has no change */
static void write_iterations(rbv_json *j, const rbv_result *r) {
  if (r->iterations == 0) return;
  rbv_json_key(j, "iterations");
  rbv_json_list(j);
  for (int i = 0; i < r->iterations; i++) {
    rbv_json_map(j);
    rbv_json_put_real(j, "relative_residual", r->iteration[i].residual);
    if (isfinite(r->iteration[i].change))
      rbv_json_put_real(j, "largest_change_sigma", r->iteration[i].change);
    rbv_json_end(j);
  }
  rbv_json_end(j);
}

rbv_status rbv_result_write(char **text, size_t *size, const rbv_result *r) {
  if (!text || !size || !r) return rbv_fail(RBV_EARG, "result, text and size must not be NULL");
  *text = NULL;
  rbv_json *j;
  RBV_TRY(rbv_json_new(&j));
  rbv_json_map(j);
  rbv_json_put_string(j, "schema", "roberval.result/1");
  rbv_json_put_string(j, "version", r->version ? r->version : rbv_version());
  write_provenance(j, r);
  write_estimate(j, r);
  write_standard(j, &r->standard);
  write_fit(j, "fit", &r->fit, r);
  write_fit(j, "validation", &r->validation, r);
  write_diagnostics(j, r);
  write_instruments(j, &r->instruments);
  write_loop(j, r);
  write_iterations(j, r);
  if (r->iterations > 0) rbv_json_put_bool(j, "converged", r->converged);
  if (r->kept_iteration > 0) rbv_json_put_int(j, "kept_iteration", r->kept_iteration);
  if (r->band_hz > 0) rbv_json_put_real(j, "band_limit_hz", r->band_hz);
  rbv_json_put_real(j, "masked_fraction", r->masked_fraction);
  if (r->clipping.share > 0) {
    rbv_json_key(j, "clipping");
    rbv_json_map(j);
    rbv_json_put_real(j, "share", r->clipping.share);
    rbv_json_put_real(j, "outliers_near_reversals", r->clipping.near_reversals);
    rbv_json_put_real(j, "outliers_elsewhere", r->clipping.elsewhere);
    rbv_json_end(j);
  }
  rbv_json_end(j);
  const char *finished;
  rbv_status status = rbv_json_finish(&finished, size, j);
  if (status == RBV_OK) {
    *text = rbv_strndup(finished, *size);
    if (!*text) status = RBV_EMEM;
  }
  rbv_json_free(j);
  return status;
}

void rbv_text_release(char *text) { rbv_free(text); }
