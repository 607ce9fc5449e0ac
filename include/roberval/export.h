/*
 * Export: an identified robot as URDF, MJCF, YAML or C code. Stable.
 */
#ifndef ROBERVAL_EXPORT_H
#define ROBERVAL_EXPORT_H

#include <roberval/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Name of format i, from 0: "urdf"; NULL past the last. */
RBV_API const char *rbv_export_format_at(int i);

/*
 * Write the robot of a result file with its identified parameters. The text is read back and its
 * torques are compared before anything is written.
 *
 *   result  in  path of a result (JSON)
 *   format  in  name of a format
 *   path    in  of the output; for "c" NAME.c, and NAME.h is written beside it
 *
 * RBV_EDATA: the parameters cannot be written in this format; the message says why.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_export_save(const char *result, const char *format,
                                                  const char *path);

#ifdef __cplusplus
}
#endif
#endif
