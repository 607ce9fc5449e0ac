/* Parameters of several results, matched by name. */
#ifndef COMPARE_MATCH_NAMES_H
#define COMPARE_MATCH_NAMES_H

#include <roberval/sys/compare.h>
#include <roberval/sys/result.h>

/* NULL: the result has no such parameter. */
const rbv_parameter *rbv_match_find(const rbv_result *result, const char *name);

/* Does it have a value, and a finite sigma? NULL has not. */
bool rbv_match_usable(const rbv_parameter *parameter);

/*
 * Names and units over all results, each once, in the order of the first result that has it; how
 * many there are. With NULL they are only counted. Results may be NULL.
 */
int rbv_match_collect(const char **name, const char **unit, const rbv_result *const *results,
                      int nresult);

/* Are all of one robot? Refused with the names of two that are not. */
RBV_MUST_CHECK rbv_status rbv_match_robot(const rbv_result *const *results, int nresult);

#endif
