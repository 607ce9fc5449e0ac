/* A filter scan opened up: its memory and its summary; not installed. */
#ifndef JOB_FILTER_SCAN_H
#define JOB_FILTER_SCAN_H

#include "job/identification_internal.h"

void rbv_filter_scan_free(filter_scan_store *store);

/*
 * What a scan says: the reference of each method, the change of each run from it, and which
 * parameters stay in all runs.
 *
 *   against  in  "robot", a file of parameters, or NULL: the middle of each method
 */
RBV_MUST_CHECK rbv_status rbv_filter_scan_summarise(rbv_filter_scan *scan, const rbv_model *model,
                                                    const char *against);

#endif
