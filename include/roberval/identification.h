/*
 * Identification: robot + recordings + options -> result. Stable.
 *
 *     rbv_identification *job;
 *     rbv_status s = rbv_identification_new(&job, "arm.urdf");
 *     if (!s) s = rbv_identification_add_log(job, "log.csv");
 *     if (!s) s = rbv_identification_set(job, "method", "wls");
 *     if (!s) s = rbv_identification_run(job);
 *     if (!s) s = rbv_identification_save(job, "result.json");
 *     if (s) fprintf(stderr, "%s\n", rbv_message());
 *     rbv_identification_free(job);
 *
 * A job belongs to one thread at a time. Texts are copied.
 */
#ifndef ROBERVAL_IDENTIFICATION_H
#define ROBERVAL_IDENTIFICATION_H

#include <stdbool.h>

#include <roberval/recording.h>
#include <roberval/result.h>
#include <roberval/robot.h>
#include <roberval/status.h>

RBV_BEGIN_C

typedef struct rbv_identification rbv_identification;

/*
 * A job for a robot, with all options at their defaults.
 *
 *   robot  in  path of a URDF or YAML file, or the name of a built-in robot
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_identification_new(rbv_identification **out,
                                                         const char *robot);
/* The same for a robot in memory, which the job shares. Options of the robot that say how its file
 * is read (tip, no-snap) are recorded and not applied. */
RBV_API RBV_MUST_CHECK rbv_status rbv_identification_of(rbv_identification **out,
                                                        const rbv_model *model);
RBV_API void rbv_identification_free(rbv_identification *job);

/* A recording to identify from; with_payload: recorded with the payload mounted. */
RBV_API RBV_MUST_CHECK rbv_status rbv_identification_add_log(rbv_identification *job,
                                                             const char *path);
RBV_API RBV_MUST_CHECK rbv_status rbv_identification_add_loaded_log(rbv_identification *job,
                                                                    const char *path);

/* A recording to validate on. */
RBV_API RBV_MUST_CHECK rbv_status rbv_identification_add_validation_log(rbv_identification *job,
                                                                        const char *path);

/*
 * A recording in memory. It must live as long as the job. Columns have their usual names: a column
 * map belongs to files.
 */
typedef enum {
  RBV_RECORDING_FIT,       /* to identify from */
  RBV_RECORDING_LOADED,    /* to identify from, with the payload mounted */
  RBV_RECORDING_VALIDATION /* to validate on */
} rbv_recording_role;
RBV_API RBV_MUST_CHECK rbv_status rbv_identification_add_recording(rbv_identification *job,
                                                                   const rbv_log *log,
                                                                   rbv_recording_role role);

/*
 * Set an option by its name, as it is typed for the tool ("true" or "false" for flags), or as a
 * number. Refused with RBV_EOPTION: an unknown name, a value of another kind.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_identification_set(rbv_identification *job, const char *name,
                                                         const char *value);
RBV_API RBV_MUST_CHECK rbv_status rbv_identification_set_number(rbv_identification *job,
                                                                const char *name, double value);

/* Options that there are: name of option i and what it does; NULL past the last. */
RBV_API const char *rbv_identification_option_name(int i);
RBV_API const char *rbv_identification_option_text(int i);

/* Value i that an option accepts, NULL past the last or when any is accepted. */
RBV_API const char *rbv_identification_option_choice(const char *name, int i);

/*
 * Called with one sentence for each thing that the job found worth telling, while it runs. The
 * option, which may be NULL, would change what the sentence says.
 */
typedef void rbv_identification_listener(void *self, const char *sentence, const char *option);
RBV_API void rbv_identification_on_note(rbv_identification *job,
                                        rbv_identification_listener *listener, void *self);

/*
 * Load everything, estimate, validate. RBV_OK also when the answer is "not converged" or "not
 * identifiable": the result says so.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_identification_run(rbv_identification *job);

/* The result; NULL before a run. Belongs to the job. */
RBV_API const rbv_result *rbv_identification_result(const rbv_identification *job);

/* Write the result as JSON; the file is written completely or not at all. */
RBV_API RBV_MUST_CHECK rbv_status rbv_identification_save(const rbv_identification *job,
                                                          const char *path);

/*
 * A job that repeats the run behind a result: the same robot, recordings and options. Refused with
 * RBV_EINPUT, naming the file: an input that is missing or has changed.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_identification_again(rbv_identification **out,
                                                           const char *result_path);

RBV_END_C
#endif
