/* Friction that grows with the load of the gear: a term for it predicts blocks of the recording
 * better that were not used to estimate it. */
#include <math.h>
#include <roberval/sys/friction.h>
#include <roberval/sys/identify.h>
#include <roberval/sys/prepare.h>
#include "equations/equations.h"

#include "check/check_internal.h"

static void report(examination *x, const view *v, const rbv_friction_choice *c) {
  char joints[256] = "";
  size_t used = 0;
  for (int i = 0; i < c->nterm && used < sizeof joints; i++) {
    const double share = c->term[i].gain;
    used += (size_t)snprintf(joints + used, sizeof joints - used, "%sjoint %d (%.0f %%)",
                             i == 0 ? "" : ", ", c->term[i].joint + 1, 100 * share);
  }
  rbv_add_finding(
      x,
      finding_with(finding_of(RBV_FINDING_LOAD_FRICTION, RBV_SEVERITY_NOTE, v, -1, c->gain),
                   "friction"),
      "%s: friction depends on the load of the gear: a term for it lowers the error of held-out "
      "blocks of time in %s. Identify with friction terms that are chosen from the recording",
      rbv_log_name(v->log), joints);
}

static rbv_status test(examination *x, const view *v, rbv_motion *motion) {
  rbv_row_filter filter = {0};
  rbv_friction_choice *c = NULL;
  RBV_TRY(rbv_row_filter_suggest(&filter, x->model, &motion, 1, 1));
  RBV_TRY(rbv_find_still_joints(&filter.still, &motion, 1));
  const rbv_status status = rbv_friction_test(&c, x->model, &motion, 1, &filter, "Fl");
  if (status == RBV_OK && c->nterm > 0) report(x, v, c);
  rbv_friction_choice_free(c);
  return status;
}

rbv_status rbv_examine_motion(examination *x, const view *v, motion_test *test_motion) {
  rbv_differentiate_options how = rbv_differentiate_defaults();
  rbv_motion *motion = NULL;
  rbv_log *log = NULL;  // a copy, whose joints are put in order
  how.loaded = v->loaded;
  rbv_status status = rbv_log_every(&log, v->log, 1);
  if (status == RBV_OK) status = rbv_motion_from_log(&motion, x->model, log, &how);
  if (status == RBV_OK) status = test_motion(x, v, motion);
  rbv_motion_free(motion);
  rbv_log_free(log);
  // a recording that cannot be identified has other findings
  return status == RBV_EMEM ? status : RBV_OK;
}

rbv_status rbv_detect_load_friction(examination *x, view *v) {
  return rbv_examine_motion(x, v, test);
}
