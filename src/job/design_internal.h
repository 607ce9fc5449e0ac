/* What the files of a design share; not installed. */
#ifndef JOB_DESIGN_INTERNAL_H
#define JOB_DESIGN_INTERNAL_H

#include <roberval/sys/control.h>
#include <roberval/sys/design.h>
#include <roberval/sys/sim.h>
#include <string.h>

#include "job/job.h"
#include "job/job_internal.h"

/* Options that are names, as values. */
typedef struct {
  rbv_trajectory_class kind;
  rbv_criterion criterion;
  rbv_search search;
  rbv_columns columns;
  bool positions;    // for an identification from positions
  bool terms_given;  // number of terms of a joint
} design_choice;

/* Control laws and noise of a design for positions. */
typedef struct {
  rbv_control *control[RBV_FILES_MAX];
  int count;
  rbv_unknown *unknown;  // of the loop
  int nunknown;
  double *noise;  // njoint: sigma of a recorded position
} design_loops;

struct rbv_design_inside {
  design_choice choice;
  design_loops loops;
  rbv_notes notes;
  double *low_hz, *high_hz;  // bounds of frequencies, or NULL
  bool recorded;             // the motion that is scored was recorded
};

/* Shape of trajectories with so many terms of a joint, and options of their search. */
rbv_trajectory_shape rbv_design_shape(const rbv_design *design, int terms);
rbv_search_options rbv_design_search(const rbv_design *design);

/* ---- design_positions.c ---- */

/* Load the control laws and the list of unknowns; the rate becomes that of the laws. Fills
 * design->noise, unless it is given, with the torques that the noise of the encoders corresponds to
 * for slow motions: k_p times it. */
rbv_status rbv_design_load_loops(rbv_design *design);
void rbv_design_free_loops(design_loops *loops);

/* Search motions, keep the one from which positions show most. */
rbv_status rbv_design_solve_positions(rbv_design *design, const rbv_design_run *run);

/* Sigma to expect from motion 0: design->sigma, design->unknown. */
rbv_status rbv_design_expect(rbv_design *design);

/* Check the options, set those that depend on others. */
rbv_status rbv_design_settle(rbv_design_options *options, design_choice *choice);

/* ---- design_limits.c ---- */

/* Load design->constraints; limits of velocity, acceleration and tool speed that nobody gives
 * become careful ones, unless an existing motion is scored. */
rbv_status rbv_design_read_limits(rbv_design *design);

/* Rows of design->check. torques: they are checked for all joints. */
void rbv_design_check_tool(rbv_design_check *check, rbv_text *out, const rbv_design *design);
void rbv_design_check_limits(rbv_design_check *check, rbv_text *out, const rbv_design *design,
                             bool torques);

/* Fill design->check: what is checked with these constraints, and what is not. */
rbv_status rbv_design_list_checks(rbv_design *design);

/* A motion with the velocities and accelerations of the file; if it has no accelerations, a
 * recording that is differentiated. *recorded says which, it may be NULL. */
rbv_status rbv_motion_load(rbv_motion **out, bool *recorded, const rbv_model *model,
                           const char *path, const rbv_notes *notes);

#endif
