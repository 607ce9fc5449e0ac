/* What a design checks and what it does not: one row each, for messages, JSON and the page. */
#include <math.h>

#include "job/design_internal.h"
#include "trajectory/trajectory.h"

/* "links 0 to 3, 5" that have an assumed capsule; returns how many */
static int put_links(rbv_text *out, const rbv_design *d) {
  const rbv_constraints *c = &d->constraints->value;
  const int n = rbv_model_body_count(d->model);
  int start = -1, runs = 0, count = 0;
  for (int link = 0; link <= n + 1; link++) {
    bool named = false;
    for (int i = 0; i < c->ncapsule && link <= n; i++)
      named = named || (c->capsule[i].link == link && c->capsule[i].assumed);
    count += named;
    if (named && start < 0) start = link;
    if (named || start < 0) continue;
    rbv_text_print(out, "%s%d", runs++ > 0 ? ", " : start == link - 1 ? "link " : "links ", start);
    if (start < link - 1) rbv_text_print(out, "%s%d", start < link - 2 ? " to " : ", ", link - 1);
    start = -1;
  }
  return count;
}

#define PAIRS 8  // that are named

/* "Links 5 and 7 overlap in every pose and are not compared." */
static rbv_status put_overlaps(rbv_text *out, const rbv_design *d) {
  int pair[PAIRS][2], count;
  RBV_TRY(rbv_constraints_overlaps(pair, PAIRS, &count, d->model, &d->constraints->value));
  for (int i = 0; i < count && i < PAIRS; i++)
    rbv_text_print(out, "%s%d and %d", i ? ", " : " Links ", pair[i][0], pair[i][1]);
  if (count > PAIRS) rbv_text_put(out, " and others");
  if (count > 0) rbv_text_put(out, " overlap in every pose and are not compared.");
  return RBV_OK;
}

static void check_self(rbv_design_check *check, rbv_text *out, const rbv_design *d) {
  const rbv_constraint_set *set = d->constraints;
  const char *unreadable = rbv_model_shapeless(d->model);
  check->name = "self-collision";
  check->required = true;
  check->done = set->value.ncapsule > 0;
  check->assumed = set->radius > 0 && !(d->options.link_radius > 0);
  if (!check->done) {
    rbv_text_put(out, rbv_model_loop_count(d->model) > 0
                          ? "Self-collision is not checked: shapes of robots with closed loops are "
                            "not supported. Closure and condition are checked along the motion."
                          : "Self-collision is not checked: the list of shapes is empty.");
    return;
  }
  rbv_text_put(out, "Self-collision is checked with ");
  if (!(set->radius > 0)) {
    rbv_text_put(out, "the given shapes.");
    return;
  }
  rbv_text_print(out, "%s capsules of %sradius %.3g m between the joints for ",
                 check->assumed ? "assumed" : "simple", check->assumed ? "" : "the given ",
                 set->radius);
  const int count = put_links(out, d);
  if (unreadable && !set->capsules_given)
    rbv_text_print(out, " (meshes that cannot be read: %s)", unreadable);
  else
    rbv_text_print(out, ", which %s no shape in the file", count == 1 ? "has" : "have");
  rbv_text_put(out, check->assumed ? ": look at the motion first." : ".");
}

/* a plane of the file that has the direction of the mounting plane */
static bool has_floor(const rbv_constraints *c) {
  for (int i = 0; i < c->nplane; i++) {
    const double *v = c->plane[i].normal;
    if (fabs(v[2]) > 0.7 * sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])) return true;
  }
  return false;
}

static void check_floor(rbv_design_check *check, rbv_text *out, const rbv_design *d) {
  const rbv_constraint_set *set = d->constraints;
  check->name = "mounting plane";
  check->required = true;
  check->done = set->mounted || has_floor(&set->value);
  if (!check->done) {
    rbv_text_put(out, "No floor is checked: links may pass the mounting plane.");
    return;
  }
  if (!set->mounted) {
    rbv_text_put(out, "The planes of the constraints file are checked; the mounting plane is not.");
    return;
  }
  const rbv_plane *p = &set->value.plane[set->value.nplane - 1];
  const double height = p->normal[2] * p->offset;
  rbv_text_print(out,
                 "The mounting plane is checked: no moving link may be %s z = %g m of the base "
                 "frame (%s).",
                 p->normal[2] < 0 ? "below" : "above", height + 0.0, rbv_mount_name(set->mount));
}

/* after the search: the joint that uses most of its limit, without limits the largest torque */
static void put_largest(rbv_text *out, const rbv_design *d) {
  const int n = rbv_model_joint_count(d->model);
  int at = -1;
  double most = -1, share = 0;
  for (int i = 0; d->usage && d->prior && i < n * d->count; i++) {
    const double limit = d->constraints->limits[i % n].effort;
    const double own = isfinite(limit) ? d->usage[i].torque / limit : 0;
    if (!(own > share || (share == 0 && d->usage[i].torque > most))) continue;
    share = own;
    most = d->usage[i].torque;
    at = i % n;
  }
  if (at < 0) return;
  const rbv_joint *j = rbv_model_joint(d->model, at);
  rbv_text_print(out, "%s needs %.3g %s", j->name, most,
                 j->type == RBV_JOINT_PRISMATIC ? "N" : "N m");
  if (share > 0) rbv_text_print(out, ", %.0f %% of its limit", 100 * share);
  rbv_text_put(out, ". ");
}

static void check_torque(rbv_design_check *check, rbv_text *out, const rbv_design *d) {
  const int n = rbv_model_joint_count(d->model);
  int limited = 0;
  for (int j = 0; j < n; j++) limited += isfinite(d->constraints->limits[j].effort);
  check->name = "torque";
  check->done = d->prior && limited == n;
  put_largest(out, d);
  if (check->done && d->options.robust > 0)
    rbv_text_print(out,
                   "Torques are checked with the parameter values of the robot, and with those of "
                   "%d other robots that their sigmas allow.",
                   d->options.robust);
  else if (check->done)
    rbv_text_put(out, "Torques are checked with the parameter values of the robot.");
  else if (!d->prior)
    rbv_text_put(out, "Torques are not checked: the robot has no parameter values.");
  else if (limited > 0)
    rbv_text_print(out, "Torques are not checked for %d of %d joints, which have no limit.",
                   n - limited, n);
  else
    rbv_text_put(out, "Torques are not checked: the joints have no torque limits.");
}

rbv_status rbv_design_list_checks(rbv_design *d) {
  rbv_text text[RBV_DESIGN_CHECKS] = {{0}};
  rbv_status status = RBV_OK;
  rbv_design_check_tool(&d->check[0], &text[0], d);
  check_torque(&d->check[1], &text[1], d);
  rbv_design_check_limits(&d->check[2], &text[2], d, d->check[1].done);
  check_self(&d->check[3], &text[3], d);
  if (d->check[3].done) status = put_overlaps(&text[3], d);
  check_floor(&d->check[4], &text[4], d);
  for (int i = 0; i < RBV_DESIGN_CHECKS; i++) {
    if (text[i].failed && status == RBV_OK) status = RBV_EMEM;
    rbv_free(d->check[i].text);
    d->check[i].text = text[i].data;
  }
  return status;
}

/* assumed shapes are no reason to trust a motion: the three ways out */
static rbv_status refuse_assumed(const rbv_design *d, const char *format) {
  rbv_text links = {0};
  const int count = put_links(&links, d);
  RBV_FINISH(
      links.failed
          ? RBV_EMEM
          : rbv_fail_option(RBV_EOPTION, "link-radius",
                            "no %s file is written, because the shape%s of %s %s assumed: "
                            "give shapes (collision elements of the URDF, capsules of a "
                            "constraints file), or the measured radius of the links (option "
                            "link-radius), or accept the motion as it is (option "
                            "unchecked)",
                            format, count == 1 ? "" : "s", links.data, count == 1 ? "is" : "are"),
      rbv_text_free(&links));
}

rbv_status rbv_design_allows(const rbv_design *d, int format) {
  const rbv_trajectory_format *f = rbv_trajectory_format_at(format);
  if (!f || !f->robot || d->options.unchecked) return RBV_OK;
  bool assumed = false;
  for (int i = 0; i < RBV_DESIGN_CHECKS; i++) {
    const rbv_design_check *c = &d->check[i];
    if (c->required && !c->done)
      return rbv_fail_option(RBV_EOPTION, "unchecked", "no %s file is written. %s", f->name,
                             c->text);
    assumed = assumed || (c->required && c->assumed);
  }
  return assumed ? refuse_assumed(d, f->name) : RBV_OK;
}

int rbv_design_broken(const rbv_design *d) {
  for (int i = 0; d->used && i < d->count; i++)
    if (!d->used[i].feasible) return i;
  return -1;
}
