/*
 * Tasks: what the tool does with robots, recordings and results, as one kind of object. Stable.
 *
 *     rbv_task *task;
 *     rbv_status s = rbv_task_new(&task, "validate");
 *     if (!s) s = rbv_task_add(task, "result.json");
 *     if (!s) s = rbv_task_add(task, "other.csv");
 *     if (!s) s = rbv_task_set(task, "max-error", "5%");
 *     if (!s) s = rbv_task_run(task);
 *     if (!s) printf("%s\n%s\n", rbv_task_answer(task) ? "yes" : "no", rbv_task_text(task));
 *     rbv_task_free(task);
 *
 * Names, inputs and options are those of the commands of the tool; docs/cli describes them and the
 * JSON that they give. A task belongs to one thread at a time. Texts are copied.
 */
#ifndef ROBERVAL_TASK_H
#define ROBERVAL_TASK_H

#include <stdbool.h>

#include <roberval/recording.h>
#include <roberval/robot.h>
#include <roberval/status.h>

RBV_BEGIN_C

typedef struct rbv_task rbv_task;

/* Kinds of tasks: name of kind i ("check"), and its inputs in their order ("ROBOT LOG [LOG ...]");
 * NULL past the last. */
RBV_API const char *rbv_task_name(int i);
RBV_API const char *rbv_task_inputs(int i);

/* A task of this kind, without inputs, with all options at their defaults. RBV_EARG: no such kind.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_task_new(rbv_task **out, const char *kind);
RBV_API void rbv_task_free(rbv_task *task);

/* Add an input: a path, or the name of a built-in robot. */
RBV_API RBV_MUST_CHECK rbv_status rbv_task_add(rbv_task *task, const char *input);

/*
 * Add an input in memory, in the order of the inputs: a robot, which the task shares, so that the
 * caller may free it; a recording, which must live as long as the task. Options that say how the
 * file of a robot is read (tip, root, no-snap) are not applied. Columns of the recording have their
 * usual names, and it has no remarks of a simulation: these belong to files.
 *
 * RBV_EOPTION: the kind takes a path there. Check, identify, validate, payload and controller take
 * both. RBV_EUNSUPPORTED: the robot is not one chain of joints.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_task_add_robot(rbv_task *task, const rbv_model *robot);
RBV_API RBV_MUST_CHECK rbv_status rbv_task_add_recording(rbv_task *task, const rbv_log *recording);

/*
 * Set an option by its name, as it is typed for the tool ("true" or "false" for flags). The order
 * of options is of no importance. Refused with RBV_EOPTION: an unknown name, a value of another
 * kind.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_task_set(rbv_task *task, const char *name, const char *value);

/* Options of a kind of tasks: name of option i, what it does, the kind of its value ("flag",
 * "number", "count", "seed", "text", "file", "files"); NULL past the last. */
RBV_API const char *rbv_task_option_name(const char *kind, int i);
RBV_API const char *rbv_task_option_text(const char *kind, int i);
RBV_API const char *rbv_task_option_kind(const char *kind, int i);

/* Value i that an option accepts, NULL past the last or when any is accepted. */
RBV_API const char *rbv_task_option_choice(const char *kind, const char *name, int i);

/*
 * Called with one sentence for each thing that the task found worth telling, while it runs. The
 * option, which may be NULL, would change what the sentence says.
 */
typedef void rbv_task_listener(void *self, const char *sentence, const char *option);
RBV_API void rbv_task_on_note(rbv_task *task, rbv_task_listener *listener, void *self);

/*
 * Do it, and write the files that options name. RBV_OK also when the answer is no. RBV_EOPTION: the
 * number of inputs is wrong, or options contradict each other.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_task_run(rbv_task *task);

/*
 * After a run: is the answer yes? It is no if recordings have errors, a simulation diverged, a
 * limit is exceeded, a result differs from all others, a payload has no mass, parameters cannot be
 * written in a format. False before a run.
 */
RBV_API bool rbv_task_answer(const rbv_task *task);

/* After a run: what was found, one JSON object, the one that the tool prints. Part of the task.
 * NULL: not run, or the part of a divided study was written to its file. */
RBV_API const char *rbv_task_text(const rbv_task *task);

RBV_END_C
#endif
