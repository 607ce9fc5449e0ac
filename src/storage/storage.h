/* What other modules of the library use of storage, beside its public header. */
#ifndef STORAGE_STORAGE_H
#define STORAGE_STORAGE_H

#include <roberval/sys/storage.h>

/* ---- journals: results of jobs, stored on disk ---- */

/* Read a journal, without a lock; it cannot be written. */
RBV_MUST_CHECK rbv_status rbv_journal_load(rbv_journal **out, const char *path);

/* Add the results of another journal to a loaded one. Refused: other jobs, or a job with different
 * results in the two. */
RBV_MUST_CHECK rbv_status rbv_journal_join(rbv_journal *journal, const rbv_journal *other);

/* See <roberval/sys/storage.h>. */
const char *rbv_journal_name(const rbv_journal *journal); /* name of the jobs */

/* ---- files and hashes ---- */

/* As rbv_file_read, also from "-" (standard input) and from a pipe, which can be read once. */
RBV_MUST_CHECK rbv_status rbv_file_read_input(char **data, size_t *size, const char *path);

/* Report an input to the observer (what NULL: do not), and protect it (rbv_inputs_protect). Every
 * reader of files calls this. */
RBV_MUST_CHECK rbv_status rbv_input_note(const char *what, const char *path);

/* Refuse a protected input as an output. rbv_file_write calls this. */
RBV_MUST_CHECK rbv_status rbv_output_check(const char *path);

/* A file that was read, and that the process may replace: the state that it goes on from. */
void rbv_input_release(const char *path);

/* True if both names are those of one file that exists. */
bool rbv_file_same(const char *a, const char *b);

/* See <roberval/sys/storage.h>. */
void rbv_hash_bytes(char out[65], const void *data, size_t size);

/* ---- journals: results of jobs, stored on disk ---- */

/* See <roberval/sys/storage.h>. */
const char *rbv_journal_description(const rbv_journal *journal);
ptrdiff_t rbv_journal_count(const rbv_journal *journal); /* number of jobs */

/*
 * Let the store of an open journal also read the journal of another process at path. Each look
 * reads the complete records that are new. A file that does not exist yet is not a failure. A look
 * refuses a file that is not a journal of these jobs, and a job with different results. Such a
 * store accepts a result that it already has if the two are equal.
 */
RBV_MUST_CHECK rbv_status rbv_journal_follow(rbv_journal *journal, const char *path);

#endif
