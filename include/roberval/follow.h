/*
 * Following: a robot at work, row by row. Contact, payload and drift of friction along a stream of
 * positions and torques. Stable.
 *
 *     static void show(void *self, const rbv_follow_event *e) {
 *       printf("%.3f %s\n", e->t, e->text);
 *     }
 *     rbv_follower *f;
 *     rbv_status s = rbv_follower_new(&f, "arm.urdf", "result.json");
 *     rbv_follower_on_event(f, show, NULL);
 *     while (!s && read_row(&t, q, torque)) s = rbv_follower_push(f, t, q, torque);
 *     if (!s) s = rbv_follower_end(f);
 *     rbv_follower_free(f);
 *
 * The task "follow" does the same with a file or the standard input. Velocities are not needed:
 * positions and torques pass the same filter. A follower belongs to one thread at a time.
 */
#ifndef ROBERVAL_FOLLOW_H
#define ROBERVAL_FOLLOW_H

#include <roberval/status.h>

RBV_BEGIN_C

typedef struct rbv_follower rbv_follower;

/* What can happen. */
#define RBV_EVENT_LIST(X)               \
  X(RBV_EVENT_CONTACT, "contact")       \
  X(RBV_EVENT_PAYLOAD, "payload")       \
  X(RBV_EVENT_DRIFT, "drift")           \
  X(RBV_EVENT_BAD_ROW, "bad-stream")    \
  X(RBV_EVENT_RELEASE, "contact-ended") \
  X(RBV_EVENT_LOADED, "payload-known")  \
  X(RBV_EVENT_UNLOADED, "no-payload")   \
  X(RBV_EVENT_CLOCK, "clock-set-back")  \
  X(RBV_EVENT_ALIVE, "heartbeat")       \
  X(RBV_EVENT_SUMMARY, "summary")

typedef enum {
#define X(name, text) name,
  RBV_EVENT_LIST(X)
#undef X
      RBV_EVENTS
} rbv_event_kind;
RBV_API const char *rbv_event_name(rbv_event_kind kind); /* "contact"; NULL: no such kind */

typedef struct {
  rbv_event_kind kind;
  double t;      /* stamp of the row [s] */
  long long row; /* number of the row, or its line in a file */
  int joint;     /* of a contact, from 0; -1: none */
  double value;  /* residual of a contact [N m or N], mass of a payload [kg], drift of a column */
  double sigma;  /* of a mass or a drift; NaN: none */
  double limit;  /* of a contact; NaN: none */
  const char *text; /* a phrase; valid during the call */
} rbv_follow_event;

/*
 * Follow the robot of a result.
 *
 *   robot   in  path or built-in name; NULL: the one that the result names
 *   result  in  path of a result file
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_follower_new(rbv_follower **out, const char *robot,
                                                   const char *result);
RBV_API void rbv_follower_free(rbv_follower *follower);

/* Set an option of `roberval follow` that is about the computation ("alarms", "clean", "log-rate",
 * ...), as it is typed; before the first row. RBV_EOPTION: refused. */
RBV_API RBV_MUST_CHECK rbv_status rbv_follower_set(rbv_follower *follower, const char *name,
                                                   const char *value);

/* Positions and torques of a row: joints, and torque rows (twice as many if torques of both sides
 * are measured). 0: there is no follower. */
RBV_API int rbv_follower_joint_count(const rbv_follower *follower);
RBV_API int rbv_follower_torque_count(const rbv_follower *follower);

typedef void rbv_follow_listener(void *self, const rbv_follow_event *event);
RBV_API void rbv_follower_on_event(rbv_follower *follower, rbv_follow_listener *listener,
                                   void *self);

/*
 * One row. Without the option log-rate the first 50 rows only tell the rate: they are used
 * together. A bad row is an event and not used. Copies; after the start nothing is allocated.
 *
 *   t       in  time stamp [s]
 *   q       in  joint positions [rad or m]
 *   torque  in  torques [N m or N]
 *
 * RBV_EINPUT: recordings for the limits cannot be read.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_follower_push(rbv_follower *follower, double t,
                                                    const double *q, const double *torque);

/* The end of a stream, which may have had fewer rows than its start needs. RBV_EINPUT: it had no
 * rows with rising time stamps. */
RBV_API RBV_MUST_CHECK rbv_status rbv_follower_end(rbv_follower *follower);

/* After a row: torque that the model does not explain and its limit [N m or N]; the joint in
 * contact, -1: none; mass of the payload and its standard deviation [kg]. NaN: not known. */
RBV_API double rbv_follower_residual(const rbv_follower *follower, int joint);
RBV_API double rbv_follower_limit(const rbv_follower *follower, int joint);
RBV_API int rbv_follower_contact(const rbv_follower *follower);
RBV_API double rbv_follower_mass(const rbv_follower *follower);
RBV_API double rbv_follower_mass_sigma(const rbv_follower *follower);

RBV_END_C
#endif
