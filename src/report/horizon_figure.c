/* Error of the predicted motion against the horizon: with the parameters of the robot file, with
 * those of the result, and for constant velocity. */
#include <math.h>
#include <stdio.h>

#include "report/report_internal.h"

#define LONGEST_S 0.5     // longer predictions with recorded torques often diverge
#define STARTS 25         // a page must not take long
#define NUMBERS_MOST 2e6  // samples times joints of all recordings that are read

/* recordings of the validation, else those of the fit */
static rbv_motion *const *motions_of(int *count, const report *r) {
  *count = r->in->nvalidation > 0 ? r->in->nvalidation : r->in->nfit;
  return r->in->nvalidation > 0 ? r->in->validation : r->in->fit;
}

bool rbv_report_too_long(const report *r, rbv_motion *const *motions, int count) {
  double numbers = 0;
  for (int i = 0; i < count; i++)
    numbers += (double)rbv_motion_get_info(motions[i])->count * r->m->njoint;
  return numbers > NUMBERS_MOST;
}

static rbv_status predict(rbv_horizons **out, const report *r, const double *chi) {
  int count;
  rbv_motion *const *motions = motions_of(&count, r);
  const rbv_horizon_options how = {.longest_s = LONGEST_S, .starts = STARTS};
  return rbv_predict_motion(out, r->m, motions, count, chi, &how);
}

static void draw(report *r, const rbv_horizons *before, const rbv_horizons *after) {
  double x[RBV_HORIZONS], y[3][RBV_HORIZONS];
  const int n = after->count;
  for (int i = 0; i < n; i++) {
    x[i] = after->horizon[i].horizon_s;
    y[0][i] = 1000 * after->horizon[i].tool_naive;
    y[1][i] = before ? 1000 * before->horizon[i].tool : NAN;
    y[2][i] = 1000 * after->horizon[i].tool;
  }
  const plot_curve curve[] = {{"c4", "constant velocity", x, y[0], n},
                              {"c1", "robot file", x, y[1], n},
                              {"c2", "identified", x, y[2], n}};
  drawing d = rbv_drawing(DRAWING_WIDE, 260, "time ahead [s]", "error of the position [mm]");
  d.legend = d.ylog = true;
  snprintf(d.name, sizeof d.name, "horizon");
  snprintf(d.title, sizeof d.title, "Error of the predicted motion at the end of the arm");
  // without a prediction by the robot file, its curve and its entry are left out
  const plot_curve two[] = {curve[0], curve[2]};
  rbv_plot_curves(&d, before ? curve : two, before ? 3 : 2);
  rbv_page_figure(r, &d, NULL, NULL);
}

static void put_table(report *r, const rbv_horizons *h) {
  rbv_page_html(r, "<div class=\"scroll\" tabindex=\"0\"><table><thead><tr><th>after</th>");
  for (int j = 0; j < r->m->njoint; j++) {
    const rbv_joint *joint = rbv_model_joint(r->m, j);
    rbv_page_print(r, "<th class=\"n\">%s", joint->name);
    rbv_page_html(r, joint->type == RBV_JOINT_PRISMATIC ? " [mm]</th>" : " [mrad]</th>");
  }
  rbv_page_html(r,
                "<th class=\"n\">predictions</th><th class=\"n\">diverged</th></tr></thead>"
                "<tbody>\n");
  for (int i = 0; i < h->count; i++) {
    const rbv_horizon *one = &h->horizon[i];
    rbv_text_print(&r->html, "<tr><td>%g s</td>", one->horizon_s);
    for (int j = 0; j < r->m->njoint; j++)
      rbv_page_print(r, "<td class=\"n\">%.3g</td>", 1000 * one->joint[j]);
    rbv_text_print(&r->html, "<td class=\"n\">%d</td><td class=\"n\">%d</td></tr>\n", one->starts,
                   one->lost);
  }
  rbv_page_html(r, "</tbody></table></div>\n");
}

static rbv_status write_section(report *r) {
  rbv_horizons *before = NULL, *after = NULL;
  const double *file = rbv_model_parameters(r->m);
  RBV_TRY(predict(&after, r, r->chi));
  rbv_status status = RBV_OK;
  if (file) status = predict(&before, r, file);
  // parameters of a file may be impossible: then there is no curve of theirs
  if (status != RBV_EMEM && status != RBV_ECANCELLED) status = RBV_OK;
  if (status == RBV_OK && after->count > 0 && after->horizon[0].starts > after->horizon[0].lost) {
    rbv_page_paragraph(r, r->in->nvalidation > 0 ? "On the recordings of the validation."
                                                 : "On the recordings of the fit.");
    rbv_page_paragraph(
        r,
        "The robot is simulated from measured states with the recorded torques, without a "
        "controller. Small errors of the torque are integrated twice, so the error grows "
        "fast: this is a hard test. The table has the rms error of each joint.");
    // the last joint of a short chain may not move at all
    if (after->horizon[0].tool_naive > 0) draw(r, before, after);
    put_table(r, after);
  } else if (status == RBV_OK) {
    rbv_page_missing(r, "Every prediction diverged, or the recordings are too short for one.");
  }
  rbv_horizons_free(before);
  rbv_horizons_free(after);
  return status;
}

rbv_status rbv_page_horizon(report *r) {
  int count;
  rbv_motion *const *motions = motions_of(&count, r);
  rbv_page_open(r, "horizon", "Error of the predicted motion");
  rbv_status status = RBV_OK;
  if (count == 0 || rbv_report_from_reference(r)) {
    rbv_page_missing(r, "There is no recording with positions to predict.");
  } else if (rbv_report_too_long(r, motions, count)) {
    rbv_page_missing(r, "The recordings are too long for this section.");
  } else {
    status = write_section(r);
    if (status != RBV_OK && status != RBV_EMEM && status != RBV_ECANCELLED) {
      rbv_page_print(r, "<p class=\"missing\">The motion cannot be simulated: %s.</p>\n",
                     rbv_message());
      status = RBV_OK;
    }
  }
  rbv_page_close(r);
  return status;
}
