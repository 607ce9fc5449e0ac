/* What other modules of the library use of compare, beside its public header. */
#ifndef COMPARE_COMPARE_H
#define COMPARE_COMPARE_H

#include <roberval/sys/compare.h>

/*
 * Compare at least two results; their parameters are matched by name. With three or more, a run is
 * the outlier when its distance is above 3 and more than twice that of every other run, or when the
 * error of its fit is more than three times that of every other run: bad data have a large
 * residual, and therefore large sigmas that hide the differences.
 */
RBV_MUST_CHECK rbv_status rbv_compare_results(rbv_comparison **out,
                                              const rbv_result *const *results, int nresult);
void rbv_comparison_free(rbv_comparison *comparison);

/* ---- fleets ---- */

/*
 * Compare every robot with its siblings. Parameters are matched by name; those that fewer than four
 * siblings have are left out. The fleet borrows names from the results.
 *
 *   results  in  nresult; NULL: a robot that could not be identified
 *   alarm    in  probability of one or more false alarms in the whole fleet, in (0, 1)
 */
RBV_MUST_CHECK rbv_status rbv_compare_fleet(rbv_fleet **out, const rbv_result *const *results,
                                            int nresult, double alarm);
void rbv_fleet_free(rbv_fleet *fleet);

/* ---- history of a fleet ---- */

/*
 * Compare every robot with its own past. Parameters are matched by name.
 *
 *   results  in  nrobot x nperiod: robot r in period t at [r + nrobot t]; NULL: no result
 *   alarm    in  probability of one or more false alarms in the whole history, in (0, 1)
 */
RBV_MUST_CHECK rbv_status rbv_compare_history(rbv_history **out, const rbv_result *const *results,
                                              int nrobot, int nperiod, double alarm);
void rbv_history_free(rbv_history *history);

#endif
