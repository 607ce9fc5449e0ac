/* Loading a robot by its options. */
#include <math.h>
#include <roberval/sys/recordings.h>
#include <string.h>

#include "job/job_internal.h"

static const char *sensing_choice(int i) {
  return i >= RBV_SENSING_MOTOR && i <= RBV_SENSING_DIFFERENCE ? rbv_sensing_name((rbv_sensing)i)
                                                               : NULL;
}

/* directions of gravity in the base frame of a robot on the floor, on a wall (its x axis points
 * down) and below a ceiling */
static const struct {
  const char *name;
  double gravity[3];
} mounts[] = {{"floor", {0, 0, -9.81}}, {"wall", {9.81, 0, 0}}, {"ceiling", {0, 0, 9.81}}};

static const char *mount_choice(int i) {
  return i >= 0 && i < RBV_COUNT(mounts) ? mounts[i].name : NULL;
}

#define ROW(...) RBV_ROW(rbv_robot_options, __VA_ARGS__)

static const rbv_option rows[] = {
    ROW("tip", TEXT, model.tip, "LINK,...", "URDF, MJCF: last link of the arm, or of each limb",
        .topic = "robot", .basic = true),
    ROW("root", TEXT, model.root, "LINK", "URDF, MJCF: only joints behind this link move"),
    ROW("free-base", FLAG, model.free_base, NULL,
        "URDF, MJCF: the base moves; its pose and the wrench on it are six more joints"),
    ROW("contacts", TEXT, model.contacts, "LINK[:X:Y:Z],...",
        "points that the ground may push: forces there are eliminated; columns contact_LINK: when"),
    ROW("sensing", TEXT, sensing, "SIDE",
        "which torque was recorded (default: as the robot file says)", .choice = sensing_choice,
        .basic = true),
    ROW("payload", FLAG, model.payload, NULL, "add a payload body to the last link"),
    ROW("gamma", REAL, model.gamma, "G",
        "Coulomb law (2/pi) atan(G dq); 0: sign(dq) (default: smooth, from the speeds)",
        RBV_FROM(0, 1e9)),
    ROW("stribeck", REAL, model.stribeck, "V", "Stribeck law: more friction below V rad/s",
        RBV_FROM(0, 1e6)),
    ROW("gravity", TEXT, gravity, "X,Y,Z",
        "acceleration of gravity in the base frame [m/s^2] (default: as the robot file says)",
        RBV_FROM(-1e3, 1e3)),
    ROW("mount", TEXT, mount, "WHERE", "how the robot is mounted; on a wall its x axis points down",
        .choice = mount_choice),
    ROW("no-snap", OFF, model.snap, NULL,
        "keep angles and axes that are rounded exact values as they are"),
    {0}};

const rbv_option *rbv_robot_rows(void) { return rows; }

rbv_robot_options rbv_robot_defaults(void) {
  rbv_robot_options o = {.model = rbv_model_defaults()};
  o.model.gamma = NAN;  // not given: as the robot file says
  return o;
}

rbv_status rbv_robot_turn(rbv_model **model, const rbv_robot_options *o) {
  if (!o->gravity && !o->mount) return RBV_OK;
  if (o->gravity && o->mount)
    return rbv_fail_option(RBV_EOPTION, "mount", "gravity and mount exclude each other");
  const double *g = NULL;
  double *given = NULL;
  for (int i = 0; i < RBV_COUNT(mounts) && o->mount; i++)
    if (strcmp(o->mount, mounts[i].name) == 0) g = mounts[i].gravity;
  if (o->gravity) {
    RBV_TRY(rbv_numbers_read(&given, rows, "gravity", o->gravity, 3));
    g = given;
  }
  if (!g) return rbv_fail(RBV_EOPTION, "mount can be floor, wall or ceiling, not '%s'", o->mount);
  rbv_model_terms terms = rbv_model_get_terms(*model);
  terms.gravity = g;
  rbv_model *turned = NULL;
  const rbv_status status = rbv_model_variant(&turned, *model, &terms);
  rbv_numbers_free(given);
  if (status != RBV_OK) return status;
  rbv_model_free(*model);
  *model = turned;
  return RBV_OK;
}

static char *packages;

rbv_status rbv_robot_set_packages(const char *folders) {
  rbv_free(packages);
  packages = folders ? rbv_strdup(folders) : NULL;
  return folders && !packages ? RBV_EMEM : RBV_OK;
}

bool rbv_robot_is_built_in(const char *name) {
  for (int i = 0; rbv_model_builtin(i); i++)
    if (strcmp(rbv_model_builtin(i), name) == 0) return true;
  return false;
}

rbv_status rbv_robot_load(rbv_model **out, const char *robot, const rbv_robot_options *options,
                          const rbv_notes *notes) {
  if (!out) return rbv_fail(RBV_EARG, "there is no place for the model");
  *out = NULL;
  rbv_robot_options o = options ? *options : rbv_robot_defaults(), usual = rbv_robot_defaults();
  const rbv_option_group group[] = {{rows, &o}, {0}}, usual_group[] = {{rows, &usual}, {0}};
  RBV_TRY(rbv_option_check(group, usual_group));
  if (o.sensing) {
    rbv_sensing sensing;
    if (!rbv_sensing_parse(&sensing, o.sensing))
      return rbv_fail(RBV_EOPTION, "sensing can be motor, joint, both or difference, not '%s'",
                      o.sensing);
    o.model.sensing = (int)sensing;
  }
  if (!o.model.packages) o.model.packages = packages;
  RBV_TRY(rbv_model_load(out, robot, &o.model));
  for (int i = 0; i < rbv_model_note_count(*out); i++)
    rbv_tell(notes, NULL, "%s: %s", robot, rbv_model_note(*out, i));
  const rbv_status status = rbv_robot_turn(out, &o);
  if (status != RBV_OK) {
    rbv_model_free(*out);
    *out = NULL;
  }
  return status;
}

/* what the options say, over the terms of a model that was given */
static rbv_status take_model(rbv_model **out, const rbv_model *given, const rbv_robot_options *o) {
  rbv_model_terms terms = rbv_model_get_terms(given);
  rbv_friction_entry *friction = NULL;
  rbv_sensing sensing;
  if (o->sensing && !rbv_sensing_parse(&sensing, o->sensing))
    return rbv_fail(RBV_EOPTION, "sensing cannot be '%s'", o->sensing);
  if (o->sensing) terms.sensing = (int)sensing;
  terms.payload = terms.payload || o->model.payload;
  if (o->model.gamma >= 0) terms.gamma = o->model.gamma;
  if (o->model.stribeck > 0) terms.stribeck = o->model.stribeck;
  if (o->model.friction) {
    RBV_TRY(rbv_friction_parse(&friction, &terms.nfriction, o->model.friction,
                               rbv_model_joint_count(given)));
    terms.friction = friction;
  }
  rbv_status status = rbv_model_variant(out, given, &terms);
  rbv_free(friction);
  if (status != RBV_OK) return status;
  status = rbv_robot_turn(out, o);
  if (status != RBV_OK) {
    rbv_model_free(*out);
    *out = NULL;
  }
  return status;
}

rbv_status rbv_robot_open(rbv_model **out, const rbv_model *given, const char *path,
                          const rbv_robot_options *options, const rbv_notes *notes) {
  return given ? take_model(out, given, options) : rbv_robot_load(out, path, options, notes);
}

/* ---- by names ---- */

const char *rbv_model_option_name(int i) {
  return i >= 0 && i < rbv_option_count(rows) ? rows[i].name : NULL;
}

const char *rbv_model_option_text(int i) {
  return i >= 0 && i < rbv_option_count(rows) ? rows[i].help : NULL;
}

rbv_status rbv_model_open_with(rbv_model **out, const char *robot, const char *const *options) {
  if (!out) return rbv_fail(RBV_EARG, "there is no place for the model");
  *out = NULL;
  if (!robot) return rbv_fail(RBV_EARG, "the name or the path of a robot is needed");
  rbv_robot_options how = rbv_robot_defaults();
  const rbv_option_group group[] = {{rows, &how}, {0}};
  for (int i = 0; options && options[i]; i += 2) {
    if (!options[i + 1]) return rbv_fail(RBV_EARG, "option '%s' has no value", options[i]);
    RBV_TRY(rbv_option_set(group, options[i], options[i + 1]));
  }
  return rbv_robot_load(out, robot, &how, NULL);
}
