/* Scores of many candidates in one call, on a device. */
#ifndef EXCITE_BATCH_SCORE_H
#define EXCITE_BATCH_SCORE_H

#include "excite/excite_internal.h"

/*
 * RBV_OK if the device of the search can score its candidates; otherwise RBV_EUNSUPPORTED with a
 * sentence.
 */
RBV_MUST_CHECK rbv_status rbv_batch_new(batch_score **out, const search *s);
void rbv_batch_free(batch_score *b);

/*
 * Values of the criterion, as rbv_search_try returns them.
 *
 *   value       inout  count; infinite values are kept: these individuals are not scored
 *   individual  in     count x total coefficients, repaired
 */
RBV_MUST_CHECK rbv_status rbv_batch_score(double *value, batch_score *b, search *s,
                                          const double *individual, int count);

#endif
