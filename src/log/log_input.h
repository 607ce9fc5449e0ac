/*
 * A recording as a workflow takes it: a file, or samples in memory. A text file of moderate size is
 * opened and read once; its form, its remarks, its hash and its samples all come from these bytes.
 */
#ifndef LOG_LOG_INPUT_H
#define LOG_LOG_INPUT_H

#include "log/log.h"

typedef struct {
  const char *path;    // of the file, or the name of the samples; borrowed
  const rbv_log *log;  // samples in memory, borrowed; NULL: those of the file
  char *text;          // bytes of the file; NULL: not held
  size_t size;
  char sha256[65];  // of these bytes
} rbv_log_input;

/* Hold the bytes of a regular text file with at most this size. Other files are left to their
 * readers, which also say why a file cannot be read. */
RBV_MUST_CHECK rbv_status rbv_log_input_hold(rbv_log_input *in, size_t most);

/* Free the bytes, not the hash. */
void rbv_log_input_drop(rbv_log_input *in);

/* Load a file and leave out rows that repeat values, see rbv_log_held. */
RBV_MUST_CHECK rbv_status rbv_log_load_values(rbv_log **out, const char *path,
                                              const rbv_log_map *map);

/* rbv_log_remark, rbv_log_guess_columns, rbv_log_load, rbv_log_bytes and rbv_log_hash of an input.
 * Samples in memory have no remarks; a log of them without a map borrows the values, unless rows
 * that repeat values are left out (rbv_log_held). A guess with physics looks at the content of at
 * most 4 million numbers if the names do not say enough. */
RBV_MUST_CHECK rbv_status rbv_log_input_remark(char **out, const rbv_log_input *in,
                                               const char *key);
RBV_MUST_CHECK rbv_status rbv_log_input_guess(rbv_log_guess **out, const rbv_log_input *in,
                                              const char *const *joints, int njoint, double rate_hz,
                                              const rbv_log_physics *physics);
RBV_MUST_CHECK rbv_status rbv_log_input_load(rbv_log **out, const rbv_log_input *in,
                                             const rbv_log_map *map, bool tolerant);
RBV_MUST_CHECK rbv_status rbv_log_input_bytes(size_t *out, const rbv_log_input *in);
RBV_MUST_CHECK rbv_status rbv_log_input_hash(char out[65], const rbv_log_input *in);

#endif
