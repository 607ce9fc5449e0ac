/*
 * The parts of a guess: families of columns (guess_families.c), the channels that they are
 * (guess_channels.c), the time (guess_clock.c), and the map as a document (guess_document.c).
 */
#ifndef LOG_GUESS_PARTS_H
#define LOG_GUESS_PARTS_H

#include "base/support.h"
#include "log/log_internal.h"
#include "log/map_guess.h"

#define GUESS_PATTERN 200
#define GUESS_MOST_COLUMNS 5000  // wider files are not searched for families
#define GUESS_MOST_JOINTS 1000

typedef enum { BY_NUMBER, BY_LABEL, BY_NAME, BY_CONTENT, EXACT } evidence;

typedef struct {
  char pattern[GUESS_PATTERN];  // lower case, * in place of the joint
  char shown[GUESS_PATTERN];    // as written
  int *column;                  // of each joint; -1: none
  int found;
  evidence by;
  int first;            // number of the first joint
  int spare;            // further columns
  meaning means;        // of the first joint
  bool own_units;       // the columns end with units that differ, which the patterns do not contain
  rbv_channel channel;  // RBV_CHANNEL_OTHER: none
  bool commanded;       // a torque that was asked for, not measured
  // by content
  char why[160];
  const char *slide_unit;  // of prismatic joints; means has that of the others
} family;

typedef struct {
  const char *name;  // of the file
  const table *t;
  const char *const *joints;
  int n;
  char **core;      // of the joint names, without what they have in common; NULL: none
  bool numbered;    // the names differ in a number only: joint_1, joint_2, ...
  int *label;       // joint of each column of text; -1: none
  bool drop_units;  // units in brackets at the end of a name are no part of its pattern
  family *families;
  int nfamily, room;
  const family *chosen[RBV_CHANNEL_OTHER];
  const rbv_log_physics *physics;        // NULL: names only
  family by_content[RBV_CHANNEL_OTHER];  // columns owned
  bool found_content;                    // something is known by content
  rbv_log_guess *out;
} search;

typedef struct {
  int column, second;  // second: the column of nanoseconds; -1: none
  const char *unit;
  char reason[320];
  int rank;
} clock_guess;

/* Add a sentence to a list of the guess. */
rbv_status guess_say(char ***list, int *count, const char *format, ...) RBV_PRINTF(3, 4);

/* ---- families ---- */

/* The next occurrence of a word in a name, from a place on; NULL: none. */
const char *guess_find_word(const char *name, const char *from, const char *word);
/* Is this a column of text? */
bool guess_is_text(const table *t, int column);
/* What differs in the names of the joints. */
rbv_status guess_find_cores(search *s);
/* Families by the names of the joints, by numbers, by columns of text with names, and of a single
 * joint. */
rbv_status guess_search_names(search *s);
rbv_status guess_search_numbers(search *s);
rbv_status guess_apply_labels(search *s);
rbv_status guess_search_single(search *s);
/* The same by names and numbers, of the columns that no family of all joints has yet, whatever
 * their units are: pos_1[deg], pos_2[mm]. */
rbv_status guess_search_any_units(search *s);
/* What the name of a family says about one of its joints: its unit may differ from the others. */
void guess_joint_meaning(meaning *out, const search *s, const family *f, int joint);
/* Rows without a header, as `ros2 topic echo --csv` writes joint states. */
rbv_status guess_echo(search *s, clock_guess *c);

/* ---- channels ---- */

/* The channel that the words of a name mean. */
rbv_channel guess_channel_of(const meaning *m);
/* Set the channel of every family. */
void guess_classify(search *s);
/* Choose a family for each channel; what two families could be is ambiguous. */
rbv_status guess_choose(search *s);
/* Numbers that do not fit the joints: columns count from 0 and joints from 1, or there are more. */
rbv_status guess_doubt_numbers(search *s);
/* A further word in the name of the positions or torques may say that they are no measurement. */
rbv_status guess_doubt_sources(search *s);
/* A commanded torque is used if none was measured: may another column be the measured one? */
rbv_status guess_doubt_command(search *s);

/* ---- time ---- */

/* The column of time; best->column is -1 if there is none. */
void guess_find_clock(clock_guess *best, search *s);
/* Another column of the same rank, with steps of its own: which clock is meant? */
rbv_status guess_doubt_clock(search *s, const clock_guess *best);

/* ---- content ---- */

/* Find what the names leave open: time, positions, torques, unit of the positions. */
rbv_status guess_content(search *s, clock_guess *c, double rate_hz);
/* Are most positions too large for radians? */
bool guess_is_too_large(const search *s);

/* ---- the document ---- */

/* What an identification needs and the file does not have. */
rbv_status guess_list_missing(search *s, const clock_guess *c, double rate_hz);
/* Families that lack some of the joints. */
rbv_status guess_list_gaps(search *s);
/* Do the columns have the names of this library, so that no map is needed? */
bool guess_is_standard(const search *s, const clock_guess *c, double rate_hz);
/* Write the map with its reasons. */
rbv_status guess_describe(search *s, const clock_guess *c, double rate_hz);

#endif
