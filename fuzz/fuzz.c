#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/support.h"

static size_t before;

_Noreturn void fuzz_failed(const char *what, const char *file, int line) {
  fprintf(stderr, "%s:%d: failed check: %s (last message: %s; at most %zu bytes held)\n", file,
          line, what, rbv_message(), rbv_alloc_peak() - before);
  abort();
}

void fuzz_begin(void) { before = rbv_alloc_reset_peak(); }

void fuzz_end(rbv_status status, const void *out, size_t size, fuzz_budget budget) {
  FUZZ_CHECK(rbv_alloc_peak() - before <= budget.fixed + budget.per_byte * size);
  if (status == RBV_OK) {
    FUZZ_CHECK(out);
    return;
  }
  FUZZ_CHECK(status == RBV_EINPUT || status == RBV_EUNSUPPORTED || status == RBV_EREAD ||
             status == RBV_EDIM);
  FUZZ_CHECK(!out);
  const char *sentence = rbv_message();
  FUZZ_CHECK(*sentence && !strchr(sentence, '\n'));
  // a failed call must not hold memory
  FUZZ_CHECK(rbv_alloc_reset_peak() == before);
}
