/* What other modules of the library use of job, beside its public header. */
#ifndef JOB_JOB_H
#define JOB_JOB_H

#include <roberval/sys/design.h>
#include <roberval/sys/fleet.h>
#include <roberval/sys/follow.h>
#include <roberval/sys/identification.h>

#include "log/log_input.h"

/*
 * Read a manifest (docs/files.md). Robot files, logs and maps are looked for in its directory.
 * Options of the manifest come first, then those of each robot, then the given ones.
 *
 *   given  in  ngiven options that apply to all robots
 */
RBV_MUST_CHECK rbv_status rbv_fleet_plan_load(rbv_fleet_plan **out, const char *manifest,
                                              const rbv_option_value *given, int ngiven);

/* From the description that jobs of such a plan were stored with: results can be taken, not made.
 */
RBV_MUST_CHECK rbv_status rbv_fleet_plan_recall(rbv_fleet_plan **out, const char *description);
void rbv_fleet_plan_free(rbv_fleet_plan *plan);

/* Name of the kind of jobs. */
#define RBV_FLEET_KIND "fleet"

/* One job per robot, to be run with rbv_jobs_run; results are taken into the plan. */
const rbv_jobs *rbv_fleet_plan_jobs(rbv_fleet_plan *plan);

/* Its JSON, or the reason why there is no result; NULL when the job was not done. */
const char *rbv_fleet_plan_text(size_t *size, const rbv_fleet_plan *plan, int robot);

/* What the columns of a recording mean, by their names, and by their content where the names leave
 * something open: the one recognition behind all inputs. */
RBV_MUST_CHECK rbv_status rbv_recording_guess(rbv_log_guess **out, const rbv_model *model,
                                              const rbv_log_input *in, double rate_hz);

/* Take the map of a guess, which is told; NULL: none is needed. Refused: columns that can be read
 * in two ways, currents without gains, nothing recognised. */
RBV_MUST_CHECK rbv_status rbv_recording_accept(rbv_log_map **out, const char *path,
                                               rbv_log_guess *guess, const rbv_notes *notes);

const rbv_option *rbv_follow_rows(void); /* table over rbv_follow_options */

/* What the limits were learnt from. */
#define RBV_LIMITS_LIST(X)                                                                        \
  X(RBV_LIMITS_CLEAN, "clean", "recordings without contact that were given")                      \
  X(RBV_LIMITS_PARTS, "parts",                                                                    \
    "the recording of the identification, each part judged by the parameters found without it")   \
  X(RBV_LIMITS_RECORDINGS, "recordings",                                                          \
    "the recordings of the identification, each judged by the parameters found without it")       \
  X(RBV_LIMITS_FITTED, "fitted",                                                                  \
    "the recordings of the identification, which fit better than others: give recordings of the " \
    "work without contact")                                                                       \
  X(RBV_LIMITS_ASSUMED, "assumed",                                                                \
    "normal noise of the size that the fit left, because no recording without contact was found")

typedef enum {
#define X(name, key, text) name,
  RBV_LIMITS_LIST(X)
#undef X
      RBV_LIMITS_SOURCES
} rbv_limits_source;
const char *rbv_limits_name(rbv_limits_source source); /* "parts" */
const char *rbv_limits_text(rbv_limits_source source); /* a phrase for messages */

/*
 * Follow the arm of a result. The mask is that of its fit.
 *
 *   clean   in   recordings without contact and payload that the limits are learnt from; none:
 * those of the result, if they are found. Without any recording, the residual of the fit counts as
 * normal noise map     in   column map of these recordings; NULL: that of the result source  out
 * what the limits were learnt from; a note tells it, too
 */
RBV_MUST_CHECK rbv_status rbv_following_new(rbv_follow **out, rbv_limits_source *source,
                                            rbv_result_model *fitted,
                                            const rbv_follow_options *options,
                                            const rbv_files *clean, const char *map,
                                            const rbv_notes *notes);

/* Where a stream was interrupted. */
typedef struct {
  long long line;   /* lines of the input that were used */
  long long output; /* bytes of the history that were written */
  double rate_hz;   /* of the stream */
  double t;         /* stamp of the last sample */
  double next;      /* stamp of the next row of the history */
  uint64_t first;   /* digest of the first rows of the stream: a repetition begins with them */
} rbv_follow_place;

/*
 * Write the state, completely or not at all; read it back. The key identifies result, robot and
 * options: a state of another one is refused with RBV_EINPUT.
 */
RBV_MUST_CHECK rbv_status rbv_following_save(const char *path, const rbv_follow *follow,
                                             const rbv_follow_place *place, const char *key);
RBV_MUST_CHECK rbv_status rbv_following_place(rbv_follow_place *place, const char *path,
                                              const char *key);
RBV_MUST_CHECK rbv_status rbv_following_load(rbv_follow *follow, const char *path, const char *key);

/* The key of a result with these options: 64 hexadecimal digits. */
RBV_MUST_CHECK rbv_status rbv_following_key(char out[65], const rbv_result_model *fitted,
                                            const rbv_follow_options *options);

/* ---- designs of motions ---- */

rbv_design_options rbv_design_defaults(void);
const rbv_option *rbv_design_rows(void);     /* table over rbv_design_options */
const rbv_option *rbv_constraint_rows(void); /* the constraints, over the same structure */

/*
 * Read all files, check all options.
 *
 *   options  in  NULL: the defaults
 *   notes    in  may be NULL
 */
RBV_MUST_CHECK rbv_status rbv_design_new(rbv_design **out, const rbv_model *model,
                                         const rbv_design_options *options, const rbv_notes *notes);
void rbv_design_free(rbv_design *design);

/* Jobs that the search may have, for a journal that keeps their results. */
ptrdiff_t rbv_design_jobs(const rbv_design *design);

/*
 * Search and score. That nothing was found is a result: info.feasible is false, info.reason says
 * why, count is 0. In a team only the leader scores.
 *
 *   run  in  NULL: alone, without a store
 */
RBV_MUST_CHECK rbv_status rbv_design_solve(rbv_design *design, const rbv_design_run *run);

/*
 * May the design be written in this format? Formats that a robot controller runs need all required
 * checks, with shapes that a file or the option link_radius gives, or the option unchecked;
 * otherwise RBV_EOPTION with what is missing. Known before the search.
 */
RBV_MUST_CHECK rbv_status rbv_design_allows(const rbv_design *design, int format);

/*
 * Trajectory i in a format (rbv_trajectory_format_at) that rbv_design_allows.
 *
 *   text        out  free with rbv_text_release (result.h)
 *   speed       in   fraction of the designed speed, 1: as it is
 *   provenance  in   JSON object for files of coefficients; NULL: none
 */
RBV_MUST_CHECK rbv_status rbv_design_write(char **text, size_t *size, const rbv_design *design,
                                           int i, int format, double speed, const char *provenance);

/* The result as keys of an open JSON map (schema roberval.excite/1, from `criterion` on). */
void rbv_design_put(rbv_json *json, const rbv_design *design);

#endif
