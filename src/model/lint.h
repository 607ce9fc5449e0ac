/* The bodies of a robot file, as the rules about it see them. */
#ifndef MODEL_LINT_H
#define MODEL_LINT_H

#include "model/robot_tree.h"

typedef struct {
  const char *name;
  const double *body;          // its ten parameters; NULL: not given
  const char *unknown;         // why a part of its mass is not known; NULL: it is
  double split[RBV_INERTIAL];  // rbv_inertial_split; without mass all zero
  double moment[3];            // principal, ascending
  double slack;                // of them: rounding of the shift to the centre of mass
  double length;               // to the origin of the first joint that it carries; NaN: none
  int parent;                  // -1: none
  bool moves;
} lint_part;

/* Add a finding. where: a link or joint, or the robot. */
rbv_status rbv_lint_add(rbv_lint *lint, const char *rule, const char *where, const char *format,
                        ...) RBV_PRINTF(4, 5);

/* Rules about bodies; about pairs of them; about joints. */
RBV_MUST_CHECK rbv_status rbv_lint_bodies(rbv_lint *lint, const lint_part *part, int count);
RBV_MUST_CHECK rbv_status rbv_lint_pairs(rbv_lint *lint, const lint_part *part, int count);
RBV_MUST_CHECK rbv_status rbv_lint_joints(rbv_lint *lint, const rbv_model *m,
                                          const robot_tree *tree);

#endif
