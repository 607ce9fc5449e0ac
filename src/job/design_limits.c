/* Limits of a design: those of the robot file, of the constraints file and of options, and careful
 * ones where nobody gives a limit. */
#include <math.h>

#include "job/design_internal.h"
#include "job/job_thresholds.h"

RBV_THRESHOLDS(DESIGN_LIMITS);

/* numbers of one option in place of one limit of all joints */
static rbv_status replace_limit(rbv_limits *limits, int n, const char *option, const char *text,
                                size_t offset, bool symmetric) {
  double *x;
  RBV_TRY(rbv_numbers_fill(&x, rbv_constraint_rows(), option, text, n));
  for (int j = 0; x && j < n; j++) {
    *(double *)((char *)&limits[j] + offset) = x[j];
    if (symmetric) limits[j].lower = -x[j];
  }
  rbv_numbers_free(x);
  return RBV_OK;
}

/* a motion that exists is compared with the limits that are known */
static rbv_status be_careful(rbv_design *d) {
  const int n = rbv_model_joint_count(d->model);
  rbv_constraint_set *set = d->constraints;
  d->assumed = rbv_alloc((size_t)n * sizeof *d->assumed);
  if (!d->assumed) return RBV_EMEM;
  if (d->options.evaluate) return RBV_OK;
  for (int j = 0; j < n; j++) {
    const bool slides = rbv_model_joint(d->model, j)->type == RBV_JOINT_PRISMATIC;
    rbv_limits *l = &set->limits[j];
    if (!isfinite(l->velocity)) {
      d->assumed[j].velocity = true;
      l->velocity = slides ? SLIDE_SPEED : TURN_SPEED;
    }
    if (!isfinite(l->acceleration)) {
      d->assumed[j].acceleration = true;
      l->acceleration = slides ? SLIDE_ACCELERATION : TURN_ACCELERATION;
    }
  }
  d->assumed_tool_speed = !(set->value.tool_speed > 0);
  if (d->assumed_tool_speed) set->value.tool_speed = TOOL_SPEED;
  return RBV_OK;
}

rbv_status rbv_design_read_limits(rbv_design *d) {
  const rbv_design_options *o = &d->options;
  const int n = rbv_model_joint_count(d->model);
  RBV_TRY(rbv_constraint_set_load(&d->constraints, d->model, o->constraints));
  rbv_constraint_set *set = d->constraints;
  const struct {
    const char *option, *text;
    size_t offset;
  } limit[] = {{"position", o->position, offsetof(rbv_limits, upper)},
               {"velocity", o->velocity, offsetof(rbv_limits, velocity)},
               {"acceleration", o->acceleration, offsetof(rbv_limits, acceleration)},
               {"jerk", o->jerk, offsetof(rbv_limits, jerk)},
               {"effort", o->effort, offsetof(rbv_limits, effort)}};
  for (int i = 0; i < RBV_COUNT(limit); i++)
    RBV_TRY(replace_limit(set->limits, n, limit[i].option, limit[i].text, limit[i].offset, i == 0));
  double *center;
  RBV_TRY(rbv_numbers_read(&center, rbv_constraint_rows(), "center", o->center, n));
  if (center) {
    memcpy(set->center, center, (size_t)n * sizeof *center);
    set->value.center = set->center;
  }
  rbv_numbers_free(center);
  if (o->tool_speed > 0) set->value.tool_speed = o->tool_speed;
  return be_careful(d);
}

/* ---- what is said about them ---- */

/* the speed of the tool: its limit, and after the search what the motion reaches */
void rbv_design_check_tool(rbv_design_check *check, rbv_text *out, const rbv_design *d) {
  const double most = d->constraints->value.tool_speed;
  double reached = -INFINITY;
  for (int i = 0; d->used && i < d->count; i++) reached = fmax(reached, d->used[i].tool_speed);
  check->name = "tool speed";
  check->done = most > 0;
  check->assumed = d->assumed_tool_speed;
  if (reached >= 0)
    rbv_text_print(out, "The fastest of tool and joints reaches %.3g m/s. ", reached);
  if (!check->done)
    rbv_text_put(out, "Its speed is not checked, because no limit is given.");
  else if (check->assumed)
    rbv_text_print(
        out,
        "The speed of tool and joints is limited to %g m/s, which is assumed: a faster motion "
        "must be asked for by its number (tool speed).",
        most);
  else
    rbv_text_print(out, "The speed of tool and joints is limited to %g m/s.", most);
}

/* ", velocity 1 rad/s (3 of 6 joints)" for the assumed limits of one kind */
static void put_assumed(rbv_text *out, int *kinds, const rbv_design *d, bool slides,
                        bool acceleration) {
  const int n = rbv_model_joint_count(d->model);
  int count = 0;
  for (int j = 0; j < n; j++) {
    const bool own = rbv_model_joint(d->model, j)->type == RBV_JOINT_PRISMATIC;
    count += own == slides && (acceleration ? d->assumed[j].acceleration : d->assumed[j].velocity);
  }
  if (count == 0) return;
  const double value = acceleration ? slides ? SLIDE_ACCELERATION : TURN_ACCELERATION
                       : slides     ? SLIDE_SPEED
                                    : TURN_SPEED;
  rbv_text_print(out, "%s %s %g %s/s%s (%d of %d joints)",
                 (*kinds)++ ? "," : " No limit is known, so these are assumed:",
                 acceleration ? "acceleration" : "velocity", value, slides ? "m" : "rad",
                 acceleration ? "^2" : "", count, n);
}

void rbv_design_check_limits(rbv_design_check *check, rbv_text *out, const rbv_design *d,
                             bool torques) {
  const int n = rbv_model_joint_count(d->model);
  int missing[3] = {0}, kinds = 0;
  static const char *const what[] = {"position", "velocity", "acceleration"};
  for (int j = 0; j < n; j++) {
    const rbv_limits *l = &d->constraints->limits[j];
    const bool slides = rbv_model_joint(d->model, j)->type == RBV_JOINT_PRISMATIC;
    missing[0] += slides && !isfinite(l->upper - l->lower);
    missing[1] += !isfinite(l->velocity);
    // limits of torque bound the acceleration, too
    missing[2] += !isfinite(l->acceleration) && !torques;
  }
  check->name = "limits";
  check->done = missing[0] + missing[1] + missing[2] == 0;
  if (check->done) rbv_text_put(out, "Positions, velocities and accelerations are checked.");
  for (int i = 0; i < 3 && !check->done; i++)
    if (missing[i] > 0)
      rbv_text_print(out, "%s%s (%d of %d joints)",
                     kinds++ ? ", " : "These limits are not known: ", what[i], missing[i], n);
  if (!check->done) rbv_text_put(out, ".");
  kinds = 0;
  for (int i = 0; i < 4; i++) put_assumed(out, &kinds, d, i / 2 > 0, i % 2 > 0);
  if (kinds > 0) rbv_text_put(out, ".");
  check->assumed = kinds > 0;
}
