/* What the files of the module job share; not installed. */
#ifndef JOB_JOB_INTERNAL_H
#define JOB_JOB_INTERNAL_H

#include <roberval/sys/option.h>

#include "base/support.h"

/* Send a sentence to the listener, if there is one; option may be NULL. */
void rbv_tell(const rbv_notes *notes, const char *option, const char *format, ...) RBV_PRINTF(3, 4);

#endif
