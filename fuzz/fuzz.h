/*
 * What every fuzz target holds a reader to. A target is a file with one LLVMFuzzerTestOneInput; it
 * is linked with libFuzzer (preset fuzz) or with replay.c, which runs kept inputs as a test.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include <roberval/sys/base.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*
 * How much memory of the library's own a reader may hold at once for an input of so many bytes.
 * What libxml2, libyaml and matio hold is bounded by libFuzzer's limit on a single block.
 */
typedef struct {
  size_t fixed, per_byte;
} fuzz_budget;

/* Before the reader runs. */
void fuzz_begin(void);

/*
 * After it: the budget was kept; a refusal is one of bad input, left nothing behind in `out`, and
 * has one sentence on one line. What the caller still holds of the read object is freed after this.
 */
void fuzz_end(rbv_status status, const void *out, size_t size, fuzz_budget budget);

/* Fails like a sanitizer does. */
#define FUZZ_CHECK(condition) ((condition) ? (void)0 : fuzz_broken(#condition, __FILE__, __LINE__))
_Noreturn void fuzz_broken(const char *what, const char *file, int line);

#endif
