/*
 * The table of functions of the plug-in for DDS, libroberval_dds.so, which alone knows the library
 * of DDS. Nothing here needs more than C; a plug-in of another version is refused.
 */
#ifndef TOPIC_TOPIC_TABLE_H
#define TOPIC_TOPIC_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TOPIC_VERSION 2
#define TOPIC_POINTS 64  // most points of a trajectory
#define TOPIC_TEXT 512   // bytes of a sentence

/* A message of joint states; valid until the next one is taken. */
typedef struct {
  int64_t stamp_ns, source_ns;  // of its header; of its writer
  int names, positions, velocities, efforts;
  const char *const *name;
  const double *position, *velocity, *effort;
} topic_state;

typedef struct {
  int writers;            // that are matched
  bool incompatible;      // a writer offers less than was asked for
  long long lost;         // messages that the middleware knows to be lost
  char text[TOPIC_TEXT];  // the last complaint of the middleware; empty: none
} topic_status;

/* A motion: point i has its time at [i], and its positions and velocities at [i * joints]. */
typedef struct {
  int64_t stamp_ns;    // time 0, on the clock of the stamps; 0: when it is received
  int joints, points;  // at most TOPIC_POINTS
  const char *const *joint;
  const double *t, *position, *velocity;
} topic_motion;

typedef struct topic_door topic_door;

/* 0 or a pointer that is not NULL is success; otherwise `why` has a sentence. */
typedef struct {
  int version;
  /* network: name of an interface, on which there is no multicast if it is "lo"; NULL: as the
   * library of DDS is configured */
  topic_door *(*open)(int domain, const char *network, char why[TOPIC_TEXT]);
  void (*close)(topic_door *door);
  /* Listen to joint states. reliable: 1, 0, or -1: as the writer offers it. 1: there is no writer
   * yet, and nothing was done. */
  int (*listen)(topic_door *door, const char *topic, int reliable, char why[TOPIC_TEXT]);
  bool (*wait)(topic_door *door, double seconds);  // true: there is a message
  /* 1: a message, 0: none, -1: one that cannot be read */
  int (*take)(topic_door *door, topic_state *out);
  void (*status)(topic_door *door, topic_status *out);
  /* Numbers as std_msgs/Float64MultiArray, and a line of text as diagnostic_msgs/DiagnosticArray;
   * level: 0 good, 1 warning, 2 error. */
  int (*send_numbers)(topic_door *door, const char *topic, const double *x, int count,
                      char why[TOPIC_TEXT]);
  int (*send_text)(topic_door *door, const char *topic, int level, const char *name,
                   const char *text, char why[TOPIC_TEXT]);
  /* A motion as trajectory_msgs/JointTrajectory, and how many readers such a topic has now; -1:
   * why. */
  int (*send_motion)(topic_door *door, const char *topic, const topic_motion *motion,
                     char why[TOPIC_TEXT]);
  int (*motion_readers)(topic_door *door, const char *topic, char why[TOPIC_TEXT]);
} topic_table;

/* The table in the plug-in. */
#define TOPIC_SYMBOL "roberval_topic_table"

#endif
