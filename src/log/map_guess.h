/*
 * Words of column names, and what they say about a column. Used to guess column maps.
 */
#ifndef LOG_MAP_GUESS_H
#define LOG_MAP_GUESS_H

#include "log/log.h"

#include "log/table.h"

typedef enum {
  QUANTITY_NONE,
  QUANTITY_POSITION,
  QUANTITY_VELOCITY,
  QUANTITY_ACCELERATION,
  QUANTITY_TORQUE,
  QUANTITY_CURRENT
} quantity;

/* What the words of a name say. */
typedef struct {
  quantity of;
  bool reference;    // commanded, desired, target
  bool measured;     // actual, measured, feedback
  bool motor;        // at the rotor
  bool sensor;       // joint torque sensor (tau_J)
  bool foreign;      // error, external torque, temperature: not a channel
  char unit[24];     // as in a column map; "": not stated
  char strange[24];  // a unit in brackets that is not known; "": none
  char group[120];   // the other words: columns of one source have the same
} meaning;

/*
 * The meaning of a name.
 *
 *   unit  in  the cell of a row of units below the name; NULL: none
 */
void meaning_of(meaning *out, const char *name, const char *unit);

/* The unit of time that a name or a cell of units states: "s", "ms", "us", "ns"; NULL: none. */
const char *stated_time_unit(const char *name, const char *unit);

/* Length of a name without a known unit in brackets at its end. */
size_t length_without_unit(const char *name);

/* True if a cell is a unit of any quantity, with or without brackets, or a sign for none. */
bool is_unit(const char *cell);

/*
 * The column of time of a table by its names and values, with the factor to seconds.
 *
 *   column  out  -1: none
 *   second  out  the column of nanoseconds; -1: none
 */
void guess_clock(int *column, int *second, double *factor, const table *t);

/*
 * Guess from rows of a recording; see rbv_log_guess_columns.
 *
 *   open     out  the content of more rows may say more
 *   physics  in   NULL: names only
 */
rbv_status guess_from_table(rbv_log_guess **out, bool *open, const char *name, const table *t,
                            const char *const *joints, int n, double rate_hz,
                            const rbv_log_physics *physics);

#endif
