/* Loading of one recording: bad rows and quick questions. */
#ifndef JOB_RECORDING_CHECK_H
#define JOB_RECORDING_CHECK_H

#include <roberval/sys/check.h>
#include <roberval/sys/recordings.h>

#include "log/log_input.h"

/*
 * Load a recording with its joints in the robot's order, without jumps by a full turn. With the
 * option drop_bad_rows its bad rows are dropped; without, a file that some rows make unreadable is
 * refused with that option.
 *
 *   dropped  out  number of rows
 */
RBV_MUST_CHECK rbv_status rbv_recording_load(rbv_log **out, ptrdiff_t *dropped,
                                             const rbv_model *model, const rbv_log_input *in,
                                             const rbv_log_map *map, const rbv_recording_options *r,
                                             const rbv_notes *notes);

/* Leave out single corrupt samples, which change no estimate, without being asked. The questions
 * are asked before, so that they name them. */
RBV_MUST_CHECK rbv_status rbv_recording_drop_single(rbv_log **log, ptrdiff_t *dropped,
                                                    const rbv_model *model,
                                                    const rbv_recording_options *r,
                                                    const rbv_notes *notes);

/*
 * Positions and torques of a base that moves, from columns of its pose or of a sensor on it
 * (docs/robots-that-are-no-arm.md). A log that has them does not change. Refused: a log without.
 */
RBV_MUST_CHECK rbv_status rbv_recording_complete_base(rbv_log **log, const rbv_model *model,
                                                      const rbv_notes *notes);

/* Remove jumps by a full turn from the positions of revolute joints, and tell which. */
void rbv_recording_unwrap(rbv_log *log, const rbv_model *model, const rbv_notes *notes);

/*
 * The map of a recording: the given one, or one that is guessed from names and content of its
 * columns. The guess is told. Refused: a recording whose columns can be read in two ways, or in
 * which nothing was recognised.
 *
 *   out  out  NULL: the columns have the usual names
 *   own  out  the guess, which the caller frees; NULL: none was needed
 */
RBV_MUST_CHECK rbv_status rbv_recording_map(const rbv_log_map **out, rbv_log_map **own,
                                            const rbv_model *model, const rbv_log_input *in,
                                            const rbv_log_map *given,
                                            const rbv_recording_options *r, const rbv_notes *notes);

/* The rows from and to of the options (seconds after the first stamp, or rows); checks their text.
 */
RBV_MUST_CHECK rbv_status rbv_recording_crop(rbv_log **log, const rbv_recording_options *r,
                                             const rbv_notes *notes);
RBV_MUST_CHECK rbv_status rbv_recording_crop_check(const rbv_recording_options *r);

/* Ask the quick questions about a recording. */
RBV_MUST_CHECK rbv_status rbv_recording_question(rbv_check_result **out, const rbv_model *model,
                                                 const rbv_log *log, const rbv_recording_options *r,
                                                 bool loaded, bool other_masses);

/* A failure after an error was found: the error is its cause. RBV_OK is passed on. */
rbv_status rbv_recording_blame(rbv_status status, const rbv_check_result *check);

/* Keep only findings that do not depend on the torques: these are those of the control law. */
void rbv_recording_trust_torque(rbv_check_result *check);

#endif
