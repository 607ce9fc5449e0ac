/* A filter scan opened up: its memory and its summary; not installed. */
#ifndef JOB_FILTER_SCAN_H
#define JOB_FILTER_SCAN_H

#include "job/identification_internal.h"

/* Check the methods of the option against the others, without any file. RBV_EOPTION. */
RBV_MUST_CHECK rbv_status rbv_filter_scan_check(const rbv_identification_options *options);

/*
 * Repeat the estimate of a job that has run by the methods of the option, with 0.3, 0.5, 1, 2 and 3
 * times its cut-off, with its decimation and without. Each run is that of a job with this method,
 * cut-off and decimation, and with the friction terms and columns of the first. The result of the
 * job then has the scan. That a method has no estimate with a filter is a part of the answer.
 */
RBV_MUST_CHECK rbv_status rbv_filter_scan_run(rbv_identification *job);

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
