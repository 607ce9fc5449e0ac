/*
 * Months of a fleet of simulated robots with production scatter. Friction of all robots follows the
 * season. One robot wears, one carries another payload from some month on.
 */
#ifndef TEST_FLEET_MONTHS_H
#define TEST_FLEET_MONTHS_H

#include <stdint.h>

typedef struct {
  int robots, months;  // arm01, arm02, ...; folders 2026-01, 2026-02, ...
  uint64_t seed;
  int worn, wears_from;  // robot whose Fc3 grows from this month on; 0: none
  double growth;         // of Fc3 per month, as a share
  int loaded, loaded_from;
  double mass;    // [kg], 80 mm from the wrist
  double season;  // amplitude of all friction over the year, as a share
} fleet_months;

/* Record and identify them; results are in history/MONTH/ROBOT.json of the temporary directory. */
void fleet_months_make(const fleet_months *o);

/*
 * Check the output of `roberval fleet history --json` and its page: the two robots are marked, from
 * the month in which their change is significant, and no other robot.
 */
void fleet_months_check(const fleet_months *o);

#endif
