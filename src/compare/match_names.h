/* Parameters of several results, matched by name. */
#ifndef COMPARE_MATCH_NAMES_H
#define COMPARE_MATCH_NAMES_H

#include <roberval/sys/result.h>
#include "compare/compare.h"

#define DEVIATION 1.4826    // sigma of a normal variable over its median absolute deviation
#define MEDIAN_COST 1.5708  // variance of a median over that of a mean

/* The parameter of this name; NULL: the result has none. */
const rbv_parameter *rbv_match_find(const rbv_result *result, const char *name);

/* True if it has a finite value and a positive, finite sigma; false for NULL. */
bool rbv_match_usable(const rbv_parameter *parameter);

/* True if both results have the parameter, but with another meaning: they saw the torques of
 * different sides, where it is combined with other parameters. */
bool rbv_match_mixed(const rbv_result *a, const rbv_result *b, const char *name);

/*
 * Names and units in all results, each once, in order of first occurrence. Returns their number. If
 * name is NULL, they are only counted. Results may be NULL.
 */
int rbv_match_collect(const char **name, const char **unit, const rbv_result *const *results,
                      int nresult);

/* Fails, with two names, if the results belong to different robots. */
RBV_MUST_CHECK rbv_status rbv_match_robot(const rbv_result *const *results, int nresult);

#endif
