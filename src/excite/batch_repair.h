/* Repair of many candidates in one call, on a device. */
#ifndef EXCITE_BATCH_REPAIR_H
#define EXCITE_BATCH_REPAIR_H

#include "excite/excite_internal.h"

/*
 * Room for the repair of up to `count` candidates. RBV_EUNSUPPORTED, with a sentence: the device of
 * the search cannot repair them; repair them on the CPU.
 */
RBV_MUST_CHECK rbv_status rbv_batch_repair_new(batch_repair **out, const search *s, int count);
void rbv_batch_repair_free(batch_repair *b);

/*
 * Repair candidates as rbv_search_repair does, but with constraints on a grid of samples: a
 * candidate may break a constraint between two of them. Good enough to rank candidates; repair the
 * ones that are used on the CPU.
 *
 *   individual  inout  count x total coefficients
 *   kept        out    count: false if the candidate cannot be repaired
 */
RBV_MUST_CHECK rbv_status rbv_batch_repair(double *individual, bool *kept, batch_repair *b,
                                           search *s, int count);

#endif
