/*
 * Excitation: design a motion that determines the parameters of a robot. Stable.
 *
 *     rbv_excitation *job;
 *     rbv_status s = rbv_excitation_new(&job, "arm.urdf");
 *     if (!s) s = rbv_excitation_set(job, "period", "8");
 *     if (!s) s = rbv_excitation_run(job);
 *     if (!s) s = rbv_excitation_save(job, 0, "csv", "exciting.csv");
 *     rbv_excitation_free(job);
 *
 * A job belongs to one thread at a time. Texts are copied.
 */
#ifndef ROBERVAL_EXCITATION_H
#define ROBERVAL_EXCITATION_H

#include <roberval/status.h>

RBV_BEGIN_C

typedef struct rbv_excitation rbv_excitation;

/*
 * A job for a robot, with all options at their defaults.
 *
 *   robot  in  path of a URDF or YAML file, or the name of a built-in robot
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_excitation_new(rbv_excitation **out, const char *robot);
RBV_API void rbv_excitation_free(rbv_excitation *job);

/* Set an option by its name, as it is typed for the tool, or as a number. RBV_EOPTION: refused. */
RBV_API RBV_MUST_CHECK rbv_status rbv_excitation_set(rbv_excitation *job, const char *name,
                                                     const char *value);
RBV_API RBV_MUST_CHECK rbv_status rbv_excitation_set_number(rbv_excitation *job, const char *name,
                                                            double value);

/* Options that there are: name of option i and what it does; NULL past the last. */
RBV_API const char *rbv_excitation_option_name(int i);
RBV_API const char *rbv_excitation_option_text(int i);

/* Called with one sentence for each thing that the job found worth telling, while it runs. The
 * option, which may be NULL, would change what the sentence says. */
typedef void rbv_excitation_listener(void *self, const char *sentence, const char *option);
RBV_API void rbv_excitation_on_note(rbv_excitation *job, rbv_excitation_listener *listener,
                                    void *self);

/*
 * Search for the motions. RBV_OK also when none was found: the count is then 0, and
 * rbv_excitation_reason says why. NULL: there are motions, or the job has not run.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_excitation_run(rbv_excitation *job);
RBV_API const char *rbv_excitation_reason(const rbv_excitation *job);

/* Number of motions; 0 before a run. */
RBV_API int rbv_excitation_count(const rbv_excitation *job);

/* Condition number of the regressor with columns of unit norm; NaN before a run. */
RBV_API double rbv_excitation_condition(const rbv_excitation *job);

/* Base parameters and the standard deviation to expect; infinite: the motion does not excite it. */
RBV_API int rbv_excitation_parameter_count(const rbv_excitation *job);
RBV_API const char *rbv_excitation_parameter_name(const rbv_excitation *job, int i);
RBV_API double rbv_excitation_parameter_sigma(const rbv_excitation *job, int i);

/* Formats of trajectory files: name of format i ("csv") and what it is; NULL past the
 * last. */
RBV_API const char *rbv_excitation_format_name(int i);
RBV_API const char *rbv_excitation_format_text(int i);

/* Write motion i in a format; the file is written completely or not at all. */
RBV_API RBV_MUST_CHECK rbv_status rbv_excitation_save(const rbv_excitation *job, int i,
                                                      const char *format, const char *path);

RBV_END_C
#endif
