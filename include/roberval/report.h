/*
 * Report: a result as one HTML file for people. Stable.
 */
#ifndef ROBERVAL_REPORT_H
#define ROBERVAL_REPORT_H

#include <roberval/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Write the report of a result file: a verdict with reasons, provenance, figures, parameters. The
 * recordings that the result names are read again. The page needs no network.
 *
 *   result  in  path of a result (JSON)
 *   path    in  of the page, HTML
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_report_save(const char *result, const char *path);

#ifdef __cplusplus
}
#endif
#endif
