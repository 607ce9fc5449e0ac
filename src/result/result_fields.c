/* The table of the fields of a result file. */
#include "result/result_fields.h"

#include <math.h>
#include <string.h>

#include "base/support.h"

#define AT(type, member) .at = offsetof(type, member)
#define COLUMN(type, member) .at = offsetof(type, member), .column = true
/* a list: pointer and count in the owner, and the fields of an element */
#define LIST(type, pointer, number, table)                                            \
  .kind = FIELD_LIST, .at = offsetof(type, pointer), .count = offsetof(type, number), \
  .size = sizeof *((type *)0)->pointer, .fields = table
#define ONLY(name, type, condition)          \
  static bool name(const field_place *p) {   \
    const type *x = (const void *)p->record; \
    return condition;                        \
  }

static void put_reason(rbv_json *j, const char *key, const char *reason) {
  if (reason) rbv_json_put_string(j, key, reason);
}

/* ---- provenance ---- */

ONLY(is_prepared, rbv_input, x->differentiation != NULL)

static const rbv_field input_fields[] = {
    {"file", FIELD_TEXT, AT(rbv_input, path)},
    {"sha256", FIELD_TEXT, AT(rbv_input, sha256)},
    {"samples", FIELD_COUNT, AT(rbv_input, samples)},
    {"rate_hz", FIELD_REAL, AT(rbv_input, rate_hz)},
    {"loaded", FIELD_FLAG, AT(rbv_input, loaded)},
    {"differentiation", FIELD_TEXT, AT(rbv_input, differentiation), IF_SET},
    {"cutoff_hz", FIELD_REAL, AT(rbv_input, cutoff_hz), .with = "differentiation"},
    {"noise_from_hz", FIELD_REAL, AT(rbv_input, noise_hz), IF_POSITIVE, .only = is_prepared},
    {"rows_per_value", FIELD_REAL, AT(rbv_input, held), IF_POSITIVE, .only = is_prepared},
    {"regular_rows", FIELD_FLAG, AT(rbv_input, by_rows), IF_POSITIVE, .only = is_prepared},
    {"resampled", FIELD_FLAG, AT(rbv_input, resampled), .with = "differentiation"},
    {"gaps", FIELD_COUNT, AT(rbv_input, gaps), .with = "differentiation"},
    {"invalid_samples", FIELD_COUNT, AT(rbv_input, invalid), .with = "differentiation"},
    {"dropped_rows", FIELD_COUNT, AT(rbv_input, dropped), IF_POSITIVE, .only = is_prepared},
    FIELD_END};

static const char *sensing_word(const field_place *p, int value) {
  (void)p;
  return rbv_sensing_name((rbv_sensing)value);
}

static const rbv_field robot_fields[] = {
    {"name", FIELD_TEXT, AT(rbv_result, robot)},
    {"file", FIELD_TEXT, AT(rbv_result, robot_file.path)},
    {"sha256", FIELD_TEXT, AT(rbv_result, robot_file.sha256)},
    {"sensing", FIELD_WORD, AT(rbv_result, sensing), .word = sensing_word,
     .words = RBV_SENSING_DIFFERENCE + 1},
    {"payload", FIELD_FLAG, AT(rbv_result, payload)},
    {"gamma", FIELD_REAL, AT(rbv_result, gamma)},
    {"stribeck", FIELD_REAL, AT(rbv_result, stribeck), IF_POSITIVE},
    {"smooth", FIELD_REALS, AT(rbv_result, smooth), IF_SET, .count = offsetof(rbv_result, njoint)},
    {"joints", FIELD_TEXTS, AT(rbv_result, joint), .count = offsetof(rbv_result, njoint)},
    FIELD_END};

static const rbv_field file_fields[] = {{"option", FIELD_TEXT, AT(rbv_result_file, option)},
                                        {"file", FIELD_TEXT, AT(rbv_result_file, path)},
                                        {"sha256", FIELD_TEXT, AT(rbv_result_file, sha256)},
                                        FIELD_END};

static const rbv_field friction_fields[] = {
    {"name", FIELD_TEXT, AT(rbv_result_friction, name)},
    {"shape", FIELD_REAL, AT(rbv_result_friction, shape), IF_KNOWN},
    {"shape_sigma", FIELD_REAL, AT(rbv_result_friction, shape_sigma), IF_FINITE},
    {"at_bound", FIELD_FLAG, AT(rbv_result_friction, at_bound), IF_POSITIVE},
    {"gain", FIELD_REAL, AT(rbv_result_friction, gain), IF_FINITE},
    {"gain_sigma", FIELD_REAL, AT(rbv_result_friction, gain_sigma), IF_FINITE},
    FIELD_END};

ONLY(has_candidates, rbv_cross_validation, x->ncandidate > 0)

static const rbv_field candidate_fields[] = {
    {"name", FIELD_TEXT, AT(rbv_result_candidate, name)},
    {"friction", FIELD_TEXT, AT(rbv_result_candidate, friction), IF_SET},
    {"consistent", FIELD_FLAG, AT(rbv_result_candidate, consistent)},
    {"score", FIELD_REAL, AT(rbv_result_candidate, score)},
    {"errors", FIELD_REALS, AT(rbv_result_candidate, fold),
     .count = offsetof(rbv_result, cross_validation.folds)},
    FIELD_END};

static const rbv_field cross_validation_fields[] = {
    {"folds", FIELD_INT, AT(rbv_cross_validation, folds)},
    {"chosen", FIELD_INT, AT(rbv_cross_validation, chosen)},
    {"error", FIELD_REAL, AT(rbv_cross_validation, error)},
    {"plain", FIELD_REAL, AT(rbv_cross_validation, plain)},
    {"reason", FIELD_TEXT, AT(rbv_cross_validation, reason), IF_SET},
    {"candidates", LIST(rbv_cross_validation, candidate, ncandidate, candidate_fields)},
    FIELD_END};

ONLY(has_runs, rbv_filter_scan, x->nrun > 0)

static const rbv_field scan_parameter_fields[] = {
    {"name", FIELD_TEXT, AT(rbv_scan_parameter, name)},
    {"compared", FIELD_FLAG, AT(rbv_scan_parameter, compared)},
    FIELD_END};

#define SCANNED FIELD_REALS, .count = offsetof(rbv_result, filter_scan.nparameter), .none = NAN

static const rbv_field scan_run_fields[] = {
    {"method", FIELD_TEXT, AT(rbv_scan_run, method)},
    {"cutoff_hz", FIELD_REAL, AT(rbv_scan_run, cutoff_hz)},
    {"decimate", FIELD_INT, AT(rbv_scan_run, decimate)},
    {"decimate_from_data", FIELD_FLAG, AT(rbv_scan_run, from_data)},
    {"reason", FIELD_TEXT, AT(rbv_scan_run, reason), IF_SET},
    {"used", FIELD_TEXT, AT(rbv_scan_run, used), IF_SET},
    {"converged", FIELD_FLAG, AT(rbv_scan_run, converged)},
    {"iterations", FIELD_INT, AT(rbv_scan_run, iterations)},
    {"relative_error", FIELD_REAL, AT(rbv_scan_run, error), IF_FINITE},
    {"durbin_watson_least", FIELD_REAL, AT(rbv_scan_run, durbin_watson[0]), IF_FINITE},
    {"durbin_watson_most", FIELD_REAL, AT(rbv_scan_run, durbin_watson[1]), IF_FINITE},
    {"median_change", FIELD_REAL, AT(rbv_scan_run, change), IF_FINITE},
    {"values", SCANNED, AT(rbv_scan_run, value), IF_SET},
    {"sigmas", SCANNED, AT(rbv_scan_run, sigma), IF_SET},
    FIELD_END};

static const rbv_field scan_method_fields[] = {
    {"method", FIELD_TEXT, AT(rbv_scan_method, method)},
    {"runs", FIELD_INT, AT(rbv_scan_method, runs)},
    {"stable", FIELD_INT, AT(rbv_scan_method, stable)},
    {"most_median_change", FIELD_REAL, AT(rbv_scan_method, most_change), IF_FINITE},
    {"largest_change", FIELD_REAL, AT(rbv_scan_method, largest), IF_FINITE},
    {"largest_change_at", FIELD_TEXT, AT(rbv_scan_method, worst), IF_SET},
    {"reference", SCANNED, AT(rbv_scan_method, reference), IF_SET},
    FIELD_END};

static const rbv_field filter_scan_fields[] = {
    {"against", FIELD_TEXT, AT(rbv_filter_scan, against)},
    {"compared", FIELD_INT, AT(rbv_filter_scan, compared)},
    {"parameters", LIST(rbv_filter_scan, parameter, nparameter, scan_parameter_fields)},
    {"methods", LIST(rbv_filter_scan, method, nmethod, scan_method_fields)},
    {"runs", LIST(rbv_filter_scan, run, nrun, scan_run_fields)},
    FIELD_END};

static const rbv_field finding_fields[] = {
    {"code", FIELD_TEXT, AT(rbv_result_finding, code)},
    {"sentence", FIELD_TEXT, AT(rbv_result_finding, sentence)},
    {"option", FIELD_TEXT, AT(rbv_result_finding, option), IF_SET},
    FIELD_END};

/* ---- base parameters ---- */

static const rbv_parameter *parameter_at(const field_place *p) { return (const void *)p->record; }

static void put_percent(rbv_json *j, const char *key, const field_place *p) {
  const rbv_parameter *x = parameter_at(p);
  rbv_json_put_real(j, key, 100 * x->sigma / fabs(x->value));
}

static void parameter_reason(rbv_json *j, const char *key, const field_place *p) {
  const rbv_parameter *x = parameter_at(p);
  const double *bootstrap = p->result->bootstrap_sigma;
  const char *reason = NULL;
  if (x->status == RBV_STATUS_NOT_ESSENTIAL)
    reason = "set to zero: not significant in the F-test";
  else if (!isfinite(x->sigma))
    reason = "the data do not determine this parameter";
  else if (x->value == 0)
    reason = "the estimate is zero, so that no percentage is defined";
  else if (bootstrap && !isfinite(bootstrap[p->index]))
    reason = "too few bootstrap samples had a solution";
  put_reason(j, key, reason);
}

static const char *status_word(const field_place *p, int value) {
  (void)p;
  return rbv_parameter_status_name((rbv_parameter_status)value);
}

static const rbv_field parameter_fields[] = {
    {"name", FIELD_TEXT, AT(rbv_parameter, name)},
    {"value", FIELD_REAL, AT(rbv_parameter, value)},
    {"sigma", FIELD_REAL, AT(rbv_parameter, sigma)},
    {"sigma_white", FIELD_REAL, COLUMN(rbv_result, sigma_white), .with = "sigma_white"},
    {"relative_sigma_percent", FIELD_DERIVED, .put = put_percent},
    {"unit", FIELD_TEXT, COLUMN(rbv_result, unit)},
    {"status", FIELD_WORD, AT(rbv_parameter, status), .word = status_word,
     .words = RBV_STATUS_MEAN_RESIDUAL + 1},
    {"meaning", FIELD_TEXT, COLUMN(rbv_result, meaning)},
    {"bootstrap_sigma", FIELD_REAL, COLUMN(rbv_result, bootstrap_sigma), .with = "bootstrap_sigma"},
    {"reason", FIELD_DERIVED, .put = parameter_reason},
    FIELD_END};

ONLY(has_blocks, rbv_jackknife, x->nblock > 0)

static void put_validity(rbv_json *j, const char *key, const field_place *p) {
  rbv_json_put_string(j, key,
                      p->result->ninput == 1
                          ? "motions of the recorded kind; one motion was recorded"
                          : "motions of the recorded kinds");
}

static const rbv_field jackknife_fields[] = {
    {"blocks", FIELD_INT, AT(rbv_jackknife, nblock)},
    {"recordings", FIELD_INT, AT(rbv_jackknife, nrecording)},
    {"student_factor", FIELD_REAL, AT(rbv_jackknife, student)},
    {"sigma_holds_for", FIELD_DERIVED, .put = put_validity},
    {"deviations", .kind = FIELD_PARTS},
    FIELD_END};

ONLY(has_choice, rbv_result, x->choice && x->choice[0])

static const rbv_field estimate_fields[] = {
    {"method", FIELD_TEXT, AT(rbv_result, method)},
    {"choice", FIELD_TEXT, AT(rbv_result, choice), .only = has_choice},
    {"parameters", LIST(rbv_result, estimate.item, estimate.count, parameter_fields)},
    {"jackknife", FIELD_MAP, AT(rbv_result, jackknife), .fields = jackknife_fields,
     .only = has_blocks},
    FIELD_END};

/* ---- standard parameters ---- */

static const rbv_field body_fields[] = {
    {"name", FIELD_TEXT, AT(rbv_result_body, name)},
    {"state", FIELD_TEXT, AT(rbv_result_body, state)},
    {"margin", FIELD_REAL, AT(rbv_result_body, margin)},
    {"active", FIELD_FLAG, AT(rbv_result_body, active)},
    {"prior", FIELD_TEXT, AT(rbv_result_body, prior)},
    {"mass", FIELD_REAL, AT(rbv_result_body, mass)},
    {"mass_sigma", FIELD_REAL, AT(rbv_result_body, mass_sigma)},
    {"mass_known", FIELD_REAL, AT(rbv_result_body, mass_known)},
    {"prior_mass", FIELD_REAL, AT(rbv_result_body, prior_mass)},
    {"centre", FIELD_THREE, AT(rbv_result_body, centre)},
    {"centre_sigma", FIELD_THREE, AT(rbv_result_body, centre_sigma)},
    {"centre_known", FIELD_THREE, AT(rbv_result_body, centre_known)},
    {"prior_centre", FIELD_THREE, AT(rbv_result_body, prior_centre)},
    FIELD_END};

static void standard_reason(rbv_json *j, const char *key, const field_place *p) {
  if (!isfinite(p->result->standard.sigma[p->index]))
    put_reason(j, key, "the data contain nothing about this parameter");
}

static const rbv_field standard_parameter_fields[] = {
    {"name", FIELD_TEXT, COLUMN(rbv_result_standard, name)},
    {"value", FIELD_REAL, COLUMN(rbv_result_standard, value)},
    {"unit", FIELD_TEXT, COLUMN(rbv_result_standard, unit)},
    {"sigma", FIELD_SIGMA, COLUMN(rbv_result_standard, sigma)},
    {"known", FIELD_REAL, COLUMN(rbv_result_standard, known)},
    {"active", FIELD_FLAG, COLUMN(rbv_result_standard, active)},
    {"reason", FIELD_DERIVED, .put = standard_reason},
    FIELD_END};

ONLY(has_standard, rbv_result_standard, x->count > 0)
ONLY(has_failed, rbv_result_standard, x->failed)

static const rbv_field standard_fields[] = {
    {"converged", FIELD_FLAG, AT(rbv_result_standard, converged)},
    {"iterations", FIELD_INT, AT(rbv_result_standard, iterations)},
    {"gap", FIELD_REAL, AT(rbv_result_standard, gap),
     .reason = "the method did not come close to the optimum"},
    {"chi2", FIELD_REAL, AT(rbv_result_standard, chi2)},
    {"largest_move_sigma", FIELD_REAL, AT(rbv_result_standard, largest_move_sigma)},
    {"prior_weight", FIELD_REAL, AT(rbv_result_standard, weight)},
    {"mass_weight", FIELD_REAL, AT(rbv_result_standard, mass_weight)},
    {"variance_factor", FIELD_REAL, AT(rbv_result_standard, variance)},
    {"relative_error_free", FIELD_REAL, AT(rbv_result_standard, free_error), IF_FINITE},
    {"failed", FIELD_FLAG, AT(rbv_result_standard, failed), .only = has_failed},
    {"bodies", LIST(rbv_result_standard, body, nbody, body_fields)},
    {"parameters", FIELD_LIST, .count = offsetof(rbv_result_standard, count),
     .fields = standard_parameter_fields},
    FIELD_END};

/* ---- fit ---- */

static int find_joint(const rbv_result *r, const char *name) {
  return RBV_FIND_TEXT(r->joint, r->njoint, name);
}

static const char *joint_word(const field_place *p, int value) { return p->result->joint[value]; }

/* the field torque, which comes next, refuses a joint that does not exist */
static rbv_status joint_find(const field_place *p, int *value, const char *word,
                             const rbv_node *map) {
  (void)map;
  *value = find_joint(p->result, word);
  return RBV_OK;
}

static rbv_status joint_parse(const field_place *p, int *value, const char *word,
                              const rbv_node *map) {
  *value = find_joint(p->result, word);
  return *value >= 0 ? RBV_OK : rbv_node_fail(RBV_EINPUT, map, "there is no joint '%s'", word);
}

static const char *torque_word(const field_place *p, int value) {
  (void)p;
  return rbv_torque_name((rbv_torque)value);
}

static rbv_status torque_parse(const field_place *p, int *value, const char *word,
                               const rbv_node *map) {
  const rbv_row_fit *f = (const void *)p->record;
  rbv_torque torque;
  if (f->joint >= 0 && rbv_torque_parse(&torque, word)) {
    *value = (int)torque;
    return RBV_OK;
  }
  return rbv_node_fail(RBV_EINPUT, map, "there is no joint '%s' with a torque '%s'",
                       rbv_node_text(rbv_node_find(map, "joint")), word);
}

ONLY(has_noise, rbv_row_fit, x->noise_variance > 0)

static void row_reason(rbv_json *j, const char *key, const field_place *p) {
  const rbv_row_fit *f = (const void *)p->record;
  const bool used = p->owner == (const char *)&p->result->fit;
  if (!isfinite(f->relative_error))
    put_reason(j, key, "there is no measured torque to compare with");
  else if (used && !(isfinite(f->durbin_watson) && isfinite(f->ks_p)))
    put_reason(j, key, "the residual is zero, constant or too short for the test");
}

static const rbv_field row_fields[] = {
    {"joint", FIELD_WORD, AT(rbv_row_fit, joint), .word = joint_word, .parse = joint_find},
    {"torque", FIELD_WORD, AT(rbv_row_fit, torque), .word = torque_word, .parse = torque_parse},
    {"rows", FIELD_COUNT, AT(rbv_row_fit, rows)},
    {"relative_error", FIELD_REAL, AT(rbv_row_fit, relative_error)},
    {"comparable_error", FIELD_REAL, AT(rbv_row_fit, comparable), IF_FINITE, .none = NAN},
    {"rms_residual_Nm", FIELD_REAL, AT(rbv_row_fit, rms)},
    {"sigma_Nm", FIELD_REAL, AT(rbv_row_fit, sigma), IF_USED, .none = NAN},
    {"noise_order", FIELD_INT, AT(rbv_row_fit, noise_order), .only = has_noise},
    {"noise_variance_rad2", FIELD_REAL, AT(rbv_row_fit, noise_variance), .with = "noise_order"},
    {"reason", FIELD_DERIVED, .put = row_reason},
    {NULL, FIELD_REAL, AT(rbv_row_fit, durbin_watson), .none = NAN},
    {NULL, FIELD_REAL, AT(rbv_row_fit, ks_p), .none = NAN},
    {NULL, FIELD_REAL, AT(rbv_row_fit, inflation), .none = NAN},
    FIELD_END};

ONLY(has_rows, rbv_fit, x->nrow > 0)

static const rbv_field fit_fields[] = {
    {"relative_error", FIELD_REAL, AT(rbv_fit, relative_error)},
    {"comparable_error", FIELD_REAL, AT(rbv_fit, comparable), .with = "comparable_error",
     .none = NAN},
    {"comparable_error_share_at_rest", FIELD_REAL, AT(rbv_fit, rest), IF_POSITIVE},
    {"comparable_error_robot_file", FIELD_REAL, AT(rbv_fit, baseline), IF_FINITE},
    {"comparable_error_left_out", FIELD_REAL, AT(rbv_fit, left_out), IF_POSITIVE, .none = NAN},
    {"per_joint", LIST(rbv_fit, row, nrow, row_fields)},
    FIELD_END};

static const rbv_field friction_speeds_fields[] = {
    {"joint", FIELD_WORD, AT(rbv_result_friction_speeds, joint), .word = joint_word,
     .parse = joint_parse},
    {"unit", FIELD_TEXT, AT(rbv_result_friction_speeds, unit)},
    {"speed", FIELD_THREE, AT(rbv_result_friction_speeds, speed)},
    {"friction", FIELD_THREE, AT(rbv_result_friction_speeds, torque)},
    {"sigma", FIELD_THREE, AT(rbv_result_friction_speeds, sigma)},
    {"load_fraction", FIELD_THREE, AT(rbv_result_friction_speeds, load)},
    FIELD_END};

static const rbv_field spring_fields[] = {
    {"joint", FIELD_WORD, AT(rbv_result_spring, joint), .word = joint_word, .parse = joint_parse},
    {"unit", FIELD_TEXT, AT(rbv_result_spring, unit)},
    {"stiffness", FIELD_REAL, AT(rbv_result_spring, stiffness)},
    {"sigma", FIELD_SIGMA, AT(rbv_result_spring, sigma),
     .reason = "the deflection does not follow the torque"},
    {"cubic", FIELD_REAL, AT(rbv_result_spring, cubic)},
    {"damping", FIELD_REAL, AT(rbv_result_spring, damping)},
    {"damping_sigma", FIELD_REAL, AT(rbv_result_spring, damping_sigma)},
    {"inertia", FIELD_REAL, AT(rbv_result_spring, inertia)},
    {"inertia_sigma", FIELD_REAL, AT(rbv_result_spring, inertia_sigma)},
    {"viscous", FIELD_REAL, AT(rbv_result_spring, viscous)},
    {"coulomb", FIELD_REAL, AT(rbv_result_spring, coulomb)},
    {"offset", FIELD_REAL, AT(rbv_result_spring, offset)},
    {"rms_deflection", FIELD_REAL, AT(rbv_result_spring, deflection)},
    {"rms_rest", FIELD_REAL, AT(rbv_result_spring, rest)},
    {"delay_without_spring_s", FIELD_REAL, AT(rbv_result_spring, delay_s)},
    FIELD_END};

static const rbv_field diagnostics_fields[] = {
    {"condition_number", FIELD_REAL, AT(rbv_diagnostics, condition_number)},
    {"condition_number_scaled", FIELD_REAL, AT(rbv_diagnostics, condition_number_scaled)},
    {"durbin_watson", FIELD_ROWS, AT(rbv_row_fit, durbin_watson), .row = FIELD_REAL},
    {"ks_p", FIELD_ROWS, AT(rbv_row_fit, ks_p), .row = FIELD_REAL},
    {"residual_coloured", FIELD_ROWS, AT(rbv_row_fit, coloured), .row = FIELD_FLAG},
    {"residual_white_at_half_rate", FIELD_ROWS, AT(rbv_row_fit, white_at_half), .row = FIELD_FLAG,
     .with = "residual_white_at_half_rate"},
    {"sigma_inflation", FIELD_REAL, AT(rbv_diagnostics, sigma_inflation),
     .reason = "the residual is zero, constant or too short for the test"},
    {"dof", FIELD_COUNT, AT(rbv_diagnostics, dof)},
    {"weighted_residual_sigma", FIELD_REAL, AT(rbv_diagnostics, sigma)},
    {"predicted_error", FIELD_SIGMA, AT(rbv_diagnostics, predicted_error), IF_KNOWN,
     .reason = "the motion does not determine all parameters"},
    {"predicted_error_joint", FIELD_INT, AT(rbv_diagnostics, predicted_joint), IF_POSITIVE},
    FIELD_END};

/* ---- judgement ---- */

static const char *verdict_word(const field_place *p, int value) {
  (void)p;
  return rbv_verdict_name((rbv_verdict)value);
}

static const rbv_field reason_fields[] = {
    {"code", FIELD_TEXT, AT(rbv_reason, rule)},
    {"level", FIELD_WORD, AT(rbv_reason, level), .word = verdict_word, .words = RBV_VERDICT_NO + 1},
    {"sentence", FIELD_TEXT, AT(rbv_reason, text)},
    {"passed", FIELD_FLAG, AT(rbv_reason, passed), IF_POSITIVE},
    {"value", FIELD_REAL, AT(rbv_reason, value), IF_FINITE},
    {"sigma", FIELD_REAL, AT(rbv_reason, sigma), IF_FINITE},
    {"joint", FIELD_INT, AT(rbv_reason, joint), IF_POSITIVE},
    {"cure", FIELD_TEXT, AT(rbv_reason, cure), IF_SET},
    FIELD_END};

ONLY(has_verdict, rbv_judgement, x->nreason > 0)

static const rbv_field verdict_fields[] = {
    {"level", FIELD_WORD, AT(rbv_judgement, level), .word = verdict_word,
     .words = RBV_VERDICT_NO + 1},
    {"reasons", LIST(rbv_judgement, reason, nreason, reason_fields)},
    FIELD_END};

ONLY(has_instruments, rbv_instruments, x->strength > 0)

#define LEAST_SHARE 0.5         // of a column that instruments explain
#define LEAST_FIRST_STAGE 10.0  // F (Staiger and Stock 1997)

bool rbv_instruments_are_weak(const rbv_instruments *i) {
  // F is not known in results of old versions
  return i->strength > 0 && i->strength < LEAST_SHARE && !(i->first_stage >= LEAST_FIRST_STAGE);
}

static void put_weak(rbv_json *j, const char *key, const field_place *p) {
  rbv_json_put_bool(j, key, rbv_instruments_are_weak(&p->result->instruments));
}

static const rbv_field instruments_fields[] = {
    {"condition_number", FIELD_REAL, AT(rbv_instruments, condition_number)},
    {"strength", FIELD_REAL, AT(rbv_instruments, strength)},
    {"first_stage_f", FIELD_REAL, AT(rbv_instruments, first_stage), IF_FINITE},
    {"weak", FIELD_DERIVED, .put = put_weak},
    {"hausman_statistic", FIELD_REAL, AT(rbv_instruments, hausman)},
    {"hausman_dof", FIELD_INT, AT(rbv_instruments, hausman_dof)},
    {"hausman_p", FIELD_REAL, AT(rbv_instruments, hausman_p),
     .reason = "the two estimates cannot be compared"},
    {"largest_difference_sigma", FIELD_REAL, AT(rbv_instruments, shift)},
    {"largest_difference_at", FIELD_TEXT, AT(rbv_instruments, worst)},
    {"least_squares_biased", FIELD_FLAG, AT(rbv_instruments, biased)},
    FIELD_END};

/* ---- closed loop ---- */

ONLY(has_agreement, rbv_law_agreement, x->laws > 1)

static const rbv_field agreement_fields[] = {
    {"laws", FIELD_INT, AT(rbv_law_agreement, laws)},
    {"p", FIELD_REAL, AT(rbv_law_agreement, p)},
    {"largest_difference_sigma", FIELD_REAL, AT(rbv_law_agreement, difference)},
    {"largest_difference_at", FIELD_TEXT, AT(rbv_law_agreement, name)},
    FIELD_END};

static const rbv_field output_fields[] = {
    {"joint", FIELD_WORD, AT(rbv_output_fit, joint), .word = joint_word, .parse = joint_parse},
    {"rows", FIELD_COUNT, AT(rbv_output_fit, rows)},
    {"rms_error", FIELD_REAL, AT(rbv_output_fit, rms)},
    {"rms_error_robot_file", FIELD_REAL, AT(rbv_output_fit, before), IF_FINITE},
    {"rotor_inertia_share", FIELD_REAL, AT(rbv_output_fit, inertia_share), IF_FINITE},
    {"rms_tracking", FIELD_REAL, AT(rbv_output_fit, tracking)},
    {"rms_error_held_out", FIELD_REAL, AT(rbv_output_fit, held_out), IF_FINITE},
    {"durbin_watson", FIELD_REAL, AT(rbv_output_fit, durbin_watson), .reason = "the error is zero"},
    FIELD_END};

static const rbv_field unknown_fields[] = {
    {"name", FIELD_TEXT, AT(rbv_loop_value, name)},
    {"unit", FIELD_TEXT, AT(rbv_loop_value, unit)},
    {"value", FIELD_REAL, AT(rbv_loop_value, value)},
    {"sigma", FIELD_SIGMA, AT(rbv_loop_value, sigma), .reason = "the data do not determine it"},
    {"start", FIELD_REAL, AT(rbv_loop_value, start), IF_FINITE},
    {"correlation", FIELD_REAL, AT(rbv_loop_value, correlation), .with = "correlated_with"},
    {"correlated_with", FIELD_TEXT, AT(rbv_loop_value, partner), IF_SET},
    FIELD_END};

static const rbv_field influence_fields[] = {{"gains", FIELD_TEXT, AT(rbv_gain_influence, gains)},
                                             {"shift", FIELD_REALS, AT(rbv_gain_influence, shift),
                                              .count = offsetof(rbv_result, estimate.count)},
                                             FIELD_END};

ONLY(has_loop, rbv_result_loop, x->noutput > 0)

static const rbv_field loop_fields[] = {
    {"simulations", FIELD_INT, AT(rbv_result_loop, simulations)},
    {"candidates", FIELD_INT, AT(rbv_result_loop, candidates), IF_POSITIVE},
    {"generations", FIELD_INT, AT(rbv_result_loop, generations), .with = "candidates"},
    {"starts", FIELD_INT, AT(rbv_result_loop, starts), .with = "starts", .none = 1},
    {"starts_at_the_optimum", FIELD_INT, AT(rbv_result_loop, reached), .with = "starts", .none = 1},
    {"stopped", FIELD_FLAG, AT(rbv_result_loop, stopped), .with = "starts"},
    {"links_near_robot_file", FIELD_FLAG, AT(rbv_result_loop, near_links), IF_POSITIVE},
    {"agreement_of_laws", FIELD_MAP, AT(rbv_result_loop, agreement), .fields = agreement_fields,
     .only = has_agreement},
    {"positions", LIST(rbv_result_loop, output, noutput, output_fields)},
    {"unknowns", LIST(rbv_result_loop, unknown, nunknown, unknown_fields)},
    {"shift_if_not_as_given", LIST(rbv_result_loop, influence, ninfluence, influence_fields)},
    FIELD_END};

/* ---- the result ---- */

static const rbv_field iteration_fields[] = {
    {"relative_residual", FIELD_REAL, AT(rbv_iteration, residual)},
    {"largest_change_sigma", FIELD_REAL, AT(rbv_iteration, change), IF_FINITE},
    FIELD_END};

/* the error that outputs name; a reader takes it from fit and validation */
static void put_gain(rbv_json *j, const char *key, const field_place *p) {
  const rbv_headline gain = rbv_result_headline(p->result);
  rbv_json_put_map(j, key);
  rbv_json_put_string(j, "data", gain.data);
  rbv_json_put_real(j, "identified", gain.error);
  if (isfinite(gain.file)) rbv_json_put_real(j, "robot_file", gain.file);
  rbv_json_end(j);
}

ONLY(has_iterations, rbv_result, x->iterations > 0)
ONLY(has_clipping, rbv_clipping, x->share > 0)

static const rbv_field clipping_fields[] = {
    {"share", FIELD_REAL, AT(rbv_clipping, share)},
    {"outliers_near_reversals", FIELD_REAL, AT(rbv_clipping, near_reversals)},
    {"outliers_elsewhere", FIELD_REAL, AT(rbv_clipping, elsewhere)},
    FIELD_END};

const rbv_field rbv_result_fields[] = {
    {"robot", FIELD_MAP, .fields = robot_fields},
    {"logs", LIST(rbv_result, input, ninput, input_fields)},
    {"validation_logs", LIST(rbv_result, validation_input, nvalidation_input, input_fields),
     .when = IF_POSITIVE},
    {"options", FIELD_SETTINGS, AT(rbv_result, setting), .count = offsetof(rbv_result, nsetting)},
    {"option_files", LIST(rbv_result, file, nfile, file_fields)},
    {"chosen", FIELD_SETTINGS, AT(rbv_result, chosen), .count = offsetof(rbv_result, nchosen),
     .with = "chosen"},
    {"friction", LIST(rbv_result, friction, nfriction, friction_fields), .when = IF_POSITIVE},
    {"friction_speeds", LIST(rbv_result, friction_speeds, nfriction_speeds, friction_speeds_fields),
     .when = IF_POSITIVE},
    {"springs", LIST(rbv_result, spring, nspring, spring_fields), .when = IF_POSITIVE},
    {"cross_validation", FIELD_MAP, AT(rbv_result, cross_validation),
     .fields = cross_validation_fields, .only = has_candidates},
    {"filter_scan", FIELD_MAP, AT(rbv_result, filter_scan), .fields = filter_scan_fields,
     .only = has_runs},
    {"verdict", FIELD_MAP, AT(rbv_result, verdict), .fields = verdict_fields, .only = has_verdict},
    {"findings", LIST(rbv_result, finding, nfinding, finding_fields), .when = IF_POSITIVE},
    {"advice", LIST(rbv_result, advice, nadvice, finding_fields), .when = IF_POSITIVE},
    {"estimate", FIELD_MAP, .fields = estimate_fields},
    {"standard", FIELD_MAP, AT(rbv_result, standard), .fields = standard_fields,
     .only = has_standard},
    {"error", FIELD_DERIVED, .put = put_gain},
    {"fit", FIELD_MAP, AT(rbv_result, fit), .fields = fit_fields, .only = has_rows},
    {"validation", FIELD_MAP, AT(rbv_result, validation), .fields = fit_fields, .only = has_rows},
    {"diagnostics", FIELD_MAP, AT(rbv_result, diagnostics), .fields = diagnostics_fields},
    {"instruments", FIELD_MAP, AT(rbv_result, instruments), .fields = instruments_fields,
     .only = has_instruments},
    {"loop", FIELD_MAP, AT(rbv_result, loop), .fields = loop_fields, .only = has_loop},
    {"iterations", LIST(rbv_result, iteration, iterations, iteration_fields), .when = IF_POSITIVE},
    {"converged", FIELD_FLAG, AT(rbv_result, converged), .none = 1, .only = has_iterations},
    {"kept_iteration", FIELD_INT, AT(rbv_result, kept_iteration), IF_POSITIVE},
    {"band_limit_hz", FIELD_REAL, AT(rbv_result, band_hz), IF_POSITIVE},
    {"masked_fraction", FIELD_REAL, AT(rbv_result, masked_fraction)},
    {"clipping", FIELD_MAP, AT(rbv_result, clipping), .fields = clipping_fields,
     .only = has_clipping},
    FIELD_END};

/* ---- access to the members ---- */

static size_t size_of(field_kind kind) {
  return kind == FIELD_TEXT ? sizeof(char *) : kind == FIELD_FLAG ? sizeof(bool) : sizeof(double);
}

/* the reader, which made the result, writes to it; others only read */
field_place rbv_field_root(const rbv_result *result) {
  char *record = (char *)(uintptr_t)result;
  return (field_place){result, record, record, 0};
}

void *rbv_field_pointer(const char *address) {
  void *pointer;
  memcpy(&pointer, address, sizeof pointer);
  return pointer;
}

void *rbv_field_member(const rbv_field *f, const field_place *p) {
  if (!f->column) return p->record + f->at;
  char *array = rbv_field_pointer(p->owner + f->at);
  return array ? array + (size_t)p->index * size_of(f->kind) : NULL;
}

field_place rbv_field_map(const rbv_field *f, const field_place *p) {
  return (field_place){p->result, p->record + f->at, p->record + f->at, 0};
}

int *rbv_field_count(const rbv_field *f, const field_place *p) {
  return (int *)(void *)(p->record + f->count);
}

field_place rbv_field_element(const rbv_field *f, const field_place *p, int i) {
  char *array = f->size > 0 ? rbv_field_pointer(p->record + f->at) : NULL;
  return (field_place){p->result, array ? array + (size_t)i * f->size : p->record, p->record, i};
}

double rbv_field_number(field_kind kind, const void *member) {
  if (!member) return NAN;
  if (kind == FIELD_REAL || kind == FIELD_SIGMA) return *(const double *)member;
  if (kind == FIELD_INT) return *(const int *)member;
  if (kind == FIELD_COUNT) return (double)*(const ptrdiff_t *)member;
  return kind == FIELD_FLAG ? *(const bool *)member : NAN;
}

/* the condition of the field itself */
static bool is_there(const rbv_field *f, const field_place *p) {
  const field_place own = f->kind == FIELD_MAP ? rbv_field_map(f, p) : *p;
  if (!f->key || (f->only && !f->only(&own))) return false;
  if (f->kind == FIELD_LIST) return f->when == ALWAYS || *rbv_field_count(f, p) > 0;
  const void *member = rbv_field_member(f, p);
  if (f->column && !member) return false;
  switch (f->when) {
    case ALWAYS: return true;
    case IF_SET: return rbv_field_pointer(member) != NULL;
    case IF_KNOWN: return !isnan(rbv_field_number(f->kind, member));
    case IF_FINITE: return isfinite(rbv_field_number(f->kind, member));
    case IF_POSITIVE: return rbv_field_number(f->kind, member) > 0;
    case IF_USED: return p->owner == (const char *)&p->result->fit;
  }
  return false;
}

bool rbv_field_exists(const rbv_field *f, const rbv_field *table, const field_place *p) {
  if (!is_there(f, p)) return false;
  if (!f->with || strcmp(f->with, f->key) == 0) return true;
  while (!table->key || strcmp(table->key, f->with) != 0) table++;
  return is_there(table, p);
}
