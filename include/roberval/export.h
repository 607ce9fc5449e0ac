/*
 * Export: formats in which an identified robot can be written. The task "export" of
 * <roberval/task.h> writes them. Stable.
 */
#ifndef ROBERVAL_EXPORT_H
#define ROBERVAL_EXPORT_H

#include <roberval/status.h>

RBV_BEGIN_C

/* Name of format i, from 0: "urdf"; NULL past the last. */
RBV_API const char *rbv_export_format_at(int i);

RBV_END_C
#endif
