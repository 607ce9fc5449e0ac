/* What `excite` reads and writes beside its report: constraints and motions in, trajectories for
 * robots out. */
#ifndef CLI_EXCITE_CONSTRAINTS_H
#define CLI_EXCITE_CONSTRAINTS_H

#include <roberval/sys/excite.h>

#include "provenance.h"

/* Constraints as typed and read; memory that they point into. */
typedef struct {
  const char *file, *position, *velocity, *acceleration, *jerk, *effort, *center;
  double tool_speed;
  rbv_constraints value;
  rbv_limits *limits;
  double *pose;
  rbv_capsule *capsule;
  bool capsules_given;  // also when there are none; otherwise they are the robot's
  rbv_plane *plane;
  rbv_box *box;
} cli_constraints;

#define CLI_CONSTRAINTS(c)                                                                       \
  {"constraints", 0, OPT_TEXT, &(c).file, "FILE.yaml", "limits, capsules, planes, boxes, tool"}, \
      {"position", 0, OPT_TEXT, &(c).position, "LIST", "at most so far from zero, per joint"},   \
      {"velocity", 0, OPT_TEXT, &(c).velocity, "LIST", "at most, per joint (default: robot's)"}, \
      {"acceleration", 0, OPT_TEXT, &(c).acceleration, "LIST", "at most, per joint"},            \
      {"jerk", 0, OPT_TEXT, &(c).jerk, "LIST", "at most, per joint"},                            \
      {"effort", 0, OPT_TEXT, &(c).effort, "LIST", "torque at most, per joint; needs a prior"},  \
      {"center", 0, OPT_TEXT, &(c).center, "LIST", "pose that the motion stays around"}, {       \
    "tool-speed", 0, OPT_REAL, &(c).tool_speed, "M_PER_S", "of the tool, at most"                \
  }

/* Settle them for a robot. -1 to go on, or an exit code. */
int cli_read_constraints(cli_constraints *c, const char *command, const rbv_model *model);
void cli_free_constraints(cli_constraints *c);

/* A motion with velocities and accelerations as they stand, or differenced from a recording. -1 to
 * go on, or an exit code. */
int cli_load_motion(rbv_motion **out, const rbv_model *model, const char *path,
                    const cli_common *common);

/* Each returns -1 to go on, or an exit code. */
int cli_write_motion(const char *path, const rbv_trajectory *t, double rate_hz);
int cli_write_coefficients(const char *path, const rbv_trajectory *t, const rbv_model *model,
                           const cli_provenance *provenance);
int cli_write_ros(const char *path, const rbv_trajectory *t, const rbv_model *model,
                  double rate_hz);
int cli_write_urscript(const char *path, const rbv_trajectory *t, double rate_hz);

#endif
