/*
 * Checks that all fuzz targets share. A target is a file with one LLVMFuzzerTestOneInput. It is
 * linked with libFuzzer (presets fuzz and fuzz-plain), or with replay.c, which runs saved inputs as
 * a test, and mutations of them.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include <roberval/sys/base.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*
 * Memory that a reader may hold at once in the library, for an input of a given size. Memory of
 * libxml2, libyaml and matio is limited by libFuzzer's limit on a single block.
 */
typedef struct {
  size_t fixed, per_byte;
} fuzz_budget;

/* Call before the reader. */
void fuzz_begin(void);

/*
 * Call after the reader, before its object is freed. Checks that the budget was kept, and that a
 * refusal has a status for bad input, leaves *out NULL, holds no memory and has a message of one
 * line.
 */
void fuzz_end(rbv_status status, const void *out, size_t size, fuzz_budget budget);

/* Inputs that were accepted so far, by any call of fuzz_end. */
long long fuzz_accepted(void);

/*
 * The path of a file in memory with these bytes, for readers that need a file. Its first bytes are
 * replaced, so that the reader of that format is reached. Valid until the next call.
 */
const char *fuzz_file(const uint8_t *data, size_t size, const char *start, size_t start_size);

/* Read a file as a whole and in pieces, with a map that is guessed. */
void fuzz_log(const char *path, size_t size, fuzz_budget budget);

/* Print the failed condition and abort. */
#define FUZZ_CHECK(condition) ((condition) ? (void)0 : fuzz_failed(#condition, __FILE__, __LINE__))
_Noreturn void fuzz_failed(const char *what, const char *file, int line);

#endif
