/* The recordings and estimates of Brunot 2018. */
#include "papers/piv_experiment.h"

#include "papers/printed_parameters.h"

#define TRIM 500

enum {
  LS = BRUNOT_LS,
  IV = BRUNOT_IV,
  PIV = BRUNOT_PIV,
  PIV_FOUND = BRUNOT_PIV_FOUND,
};

/* Table 1: values and relative standard deviations [%] by LS, IV, PIV, PIV with an identified
 * controller */
static const struct {
  const char *name, *value[BRUNOT_COLUMNS];
  double percent[BRUNOT_COLUMNS];
} printed[BRUNOT_ROWS] = {
    {"ZZ1", {"1.12", "1.24", "1.25", "1.25"}, {2.43, 2.64, 1.20, 1.17}},
    {"Fv1", {"8.06", "7.61", "7.61", "7.61"}, {1.23, 1.45, 1.12, 1.09}},
    {"Fc1", {"6.94", "8.34", "8.33", "8.32"}, {3.95, 3.74, 2.89, 2.82}},
    {"XX2", {"-0.43", "-0.46", "-0.46", "-0.46"}, {5.45, 6.30, 4.34, 4.25}},
    {"XZ2", {"-0.15", "-0.16", "-0.16", "-0.16"}, {7.87, 10.6, 8.71, 8.52}},
    {"ZZ2", {"0.97", "1.13", "1.13", "1.14"}, {1.94, 2.05, 1.70, 1.64}},
    {"MX2", {"2.44", "2.25", "2.16", "2.16"}, {3.72, 5.84, 1.66, 1.62}},
    {"Fv2", {"5.59", "5.11", "5.19", "5.20"}, {1.93, 2.38, 2.48, 2.41}},
    {"Fc2", {"7.94", "9.23", "8.99", "8.97"}, {3.09, 3.00, 3.22, 3.13}},
    {"XX3", {"0.16", "0.14", "0.12", "0.12"}, {13.8, 18.2, 16.2, 15.8}},
    {"ZZ3", {"-0.01", "0.11", "0.14", "0.14"}, {265, 18.2, 10.9, 10.3}},
    {"MY3", {"-0.61", "-0.61", "-0.56", "-0.56"}, {4.20, 4.77, 4.50, 4.39}},
    {"Ia3", {"0.16", "0.09", "0.09", "0.09"}, {8.68, 18.5, 11.2, 11.0}},
    {"Fv3", {"2.06", "1.77", "1.71", "1.72"}, {3.59, 4.62, 4.12, 3.98}},
    {"Fc3", {"5.88", "7.23", "7.60", "7.59"}, {4.21, 3.83, 3.07, 2.98}},
    {"MX4", {"0.00", "-0.03", "-0.07", "-0.07"}, {272, 50.2, 16.5, 15.2}},
    {"Ia4", {"0.02", "0.03", "0.03", "0.03"}, {39.6, 28.8, 18.0, 16.8}},
    {"Fv4", {"1.20", "0.97", "0.85", "0.85"}, {6.21, 8.37, 4.26, 4.18}},
    {"Fc4", {"2.13", "3.13", "3.55", "3.53"}, {12.6, 9.49, 3.68, 3.61}},
    {"MY5", {"-0.05", "-0.04", "-0.03", "-0.02"}, {19.6, 30.4, 24.0, 25.1}},
    {"Ia5", {"0.05", "0.05", "0.05", "0.05"}, {16.7, 24.5, 16.0, 14.7}},
    {"Fv5", {"1.97", "1.55", "1.60", "1.60"}, {4.80, 6.68, 4.13, 3.73}},
    {"Fc5", {"2.43", "3.82", "3.71", "3.75"}, {10.1, 7.16, 4.66, 4.14}},
    {"Ia6", {"0.01", "0.01", "0.01", "0.01"}, {40.7, 64.5, 20.5, 21.1}},
    {"Fv6", {"0.68", "0.59", "0.59", "0.60"}, {6.79, 8.84, 3.96, 3.53}},
    {"Fc6", {"0.14", "0.19", "0.26", "0.26"}, {146, 68.1, 59.3, 59.1}},
    {"fvm6", {"0.62", "0.53", "0.56", "0.56"}, {5.91, 7.57, 3.99, 3.51}},
    {"fcm6", {"1.91", "2.35", "2.61", "2.46"}, {11.0, 9.98, 4.97, 4.76}},
};

tx40_printed rbv_printed_brunot(int row, int column) {
  return (tx40_printed){printed[row].name, printed[row].value[column],
                        printed[row].percent[column]};
}

const char *const rbv_piv_name[BRUNOT_COLUMNS] = {"LS", "IV", "PIV", "PIV, controller found"};

/* ---- estimates of one recording ---- */

/* 28 parameters; start inertias are wrong by -20 and +25 % in turn, without friction */
static void choose_columns(piv_experiment *x) {
  for (int i = 0; i < BRUNOT_ROWS; i++) {
    const int c = rbv_model_find(x->b.model, printed[i].name);
    const rbv_column *column = rbv_model_column(x->b.model, c);
    const bool inertia = column->basis == RBV_BASIS_INERTIAL || rbv_column_has_law(column, "Ia");
    x->columns[c] = true;
    x->start[c] = inertia ? x->b.truth[c] * (i % 2 ? 0.8 : 1.25) : 0;
  }
}

/* a robot with the values of a column */
rbv_status rbv_piv_simulate(piv_experiment *x, int which, const tx40_mode *mode) {
  tx40_printed truth[BRUNOT_ROWS];
  for (int i = 0; i < BRUNOT_ROWS; i++)
    truth[i] = (tx40_printed){printed[i].name, printed[i].value[which], 0};
  RBV_TRY(rbv_tx40_setup_new(&x->b, truth, RBV_COUNT(truth), mode));
  choose_columns(x);
  return RBV_OK;
}

rbv_status rbv_piv_estimate(rbv_estimate **out, const piv_experiment *x, const char *method,
                            rbv_motion *motion, const rbv_control *control, int decimate,
                            double holdout) {
  rbv_closed_loop loop = rbv_closed_loop_defaults();
  loop.control = control;
  loop.reference = &x->b.reference;
  loop.start = x->start;
  rbv_identify_options o = rbv_identify_defaults();
  o.method = method;
  o.columns = x->columns;
  o.filter.decimate = decimate;
  if (decimate == 1) o.filter.trim = TRIM;
  o.holdout = holdout;
  o.loop = &loop;
  return rbv_identify(out, x->b.model, &motion, 1, &o);
}

/* identify the control law of every joint; the recorder's encoder is not the controller's */
rbv_status rbv_piv_find_controller(piv_experiment *x) {
  const tx40_setup *b = &x->b;
  const rbv_control_record record = {.name = "tx40",
                                     .count = b->reference.count,
                                     .ld = b->trace.ld,
                                     .qr = b->trace.qr,
                                     .qm = b->trace.recorded_q,
                                     .tau = b->trace.recorded_tau};
  rbv_control_found found[TX40_JOINTS];
  rbv_control_id_options o = rbv_control_id_defaults();
  o.rate_hz = rbv_control_rate_hz(b->control);
  RBV_TRY(rbv_control_identify(&x->found, found, TX40_JOINTS, &record, 1, &o));
  for (int j = 0; j < TX40_JOINTS; j++) {
    x->pids += found[j].explained && found[j].law.kind == RBV_CONTROL_PID;
    x->by_sriv += found[j].explained && found[j].method == RBV_CONTROL_ID_SRIV;
  }
  return x->found ? RBV_OK : rbv_fail(RBV_ENUM, "the controller of the tx40 was not found");
}

/* the motion of the simulated robot itself, with the recorded torques */
static rbv_status exact_motion(rbv_motion **out, const tx40_setup *b) {
  const rbv_motion_info info = {.name = "exact",
                                .njoint = TX40_JOINTS,
                                .ntorque = TX40_JOINTS,
                                .count = b->reference.count,
                                .rate_hz = rbv_control_rate_hz(b->control)};
  const rbv_samples s = {.ld = b->trace.ld,
                         .q = b->trace.q,
                         .dq = b->trace.dq,
                         .ddq = b->trace.ddq,
                         .torque = b->trace.recorded_tau};
  return rbv_motion_from_arrays(out, &info, &s);
}

const char *rbv_piv_method_of(int which) {
  return which == LS ? "ols" : which == IV ? "iv" : "piv";
}

/* a band-pass for LS and IV, the smoother for PIV */
rbv_motion *rbv_piv_motion_of(const piv_experiment *x, int which) {
  return which == LS || which == IV ? x->filtered : x->smoothed;
}

rbv_status rbv_piv_estimate_one(piv_experiment *x, int which) {
  return rbv_piv_estimate(&x->e[which], x, rbv_piv_method_of(which), rbv_piv_motion_of(x, which),
                          which == PIV_FOUND ? x->found : x->b.control, PIV_DECIMATE, 0);
}

rbv_status rbv_piv_motions(piv_experiment *x) {
  RBV_TRY(rbv_tx40_setup_motion(&x->filtered, &x->b, RBV_DIFFERENTIATION_BANDPASS, PIV_CUTOFF_HZ));
  RBV_TRY(rbv_tx40_setup_motion(&x->smoothed, &x->b, RBV_DIFFERENTIATION_IRW, 0));
  return exact_motion(&x->exact, &x->b);
}

void rbv_piv_free(piv_experiment *x) {
  for (int i = 0; i < BRUNOT_COLUMNS; i++) rbv_estimate_free(x->e[i]);
  rbv_estimate_free(x->exact_ls);
  rbv_estimate_free(x->measured_ls);
  rbv_motion_free(x->filtered);
  rbv_motion_free(x->smoothed);
  rbv_motion_free(x->exact);
  rbv_control_free(x->found);
  rbv_tx40_setup_free(&x->b);
}
