/* Sentences that a job sends to its listener. */
#include <stdarg.h>

#include "job/job_internal.h"

void rbv_tell(const rbv_notes *notes, const char *option, const char *format, ...) {
  if (!notes || !notes->note) return;
  rbv_text text = {0};
  va_list args;
  va_start(args, format);
  rbv_text_vprint(&text, format, args);
  va_end(args);
  if (text.data) rbv_clean(text.data);
  if (!text.failed) notes->note(notes->self, text.data, option);
  rbv_text_free(&text);
}
