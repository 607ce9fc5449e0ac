/* What the files of a design share; not installed. */
#ifndef JOB_DESIGN_INTERNAL_H
#define JOB_DESIGN_INTERNAL_H

#include <roberval/sys/design.h>
#include <string.h>

#include "job/job_internal.h"

/* Options that are names, as values. */
typedef struct {
  rbv_trajectory_class kind;
  rbv_criterion criterion;
  rbv_search search;
  rbv_columns columns;
} design_choice;

/* Check the options, set those that depend on others. */
rbv_status rbv_design_settle(rbv_design_options *options, design_choice *choice);

/* Fill design->check: what is checked with these constraints, and what is not. */
rbv_status rbv_design_list_checks(rbv_design *design);

/* A motion with the velocities and accelerations of the file; if it has no accelerations, a
 * recording that is differentiated. *recorded says which, it may be NULL. */
rbv_status rbv_motion_load(rbv_motion **out, bool *recorded, const rbv_model *model,
                           const char *path, const rbv_notes *notes);

#endif
