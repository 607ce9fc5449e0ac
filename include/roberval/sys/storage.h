/*
 * storage: files that are written completely or not at all, SHA-256 hashes of their contents, and
 * journals that keep the results of finished jobs.
 */
#ifndef ROBERVAL_SYS_STORAGE_H
#define ROBERVAL_SYS_STORAGE_H

#include <stdbool.h>

#include <roberval/sys/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- files and hashes ---- */

/*
 * Write beside the target, flush to the disk, rename: the file is the old or the new one, never
 * half of it. Permissions of an existing file are kept; a symbolic link is followed.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_file_write(const char *path, const void *data, size_t size);

/* A whole file in memory (64 MB at most), closed with 0; free with rbv_file_free. */
RBV_API RBV_MUST_CHECK rbv_status rbv_file_read(char **data, size_t *size, const char *path);
RBV_API void rbv_file_free(char *data);

/* SHA-256 as 64 hexadecimal digits and a closing 0. rbv_hash_bytes gives an empty text if memory
 * runs out. A file may have any size. */
RBV_API void rbv_hash_bytes(char out[65], const void *data, size_t size);
RBV_API RBV_MUST_CHECK rbv_status rbv_hash_file(char out[65], const char *path);

/* Name of library i that this module uses (OpenSSL), and its version; NULL after the last. */
RBV_API const char *rbv_storage_library(int i, char version[64]);

/* ---- journals: results of jobs that outlive the process ---- */

/*
 * A file to which each finished job is appended at once, with its length and a checksum: whatever
 * stops the process, what was finished is there, and half a record at the end is seen and dropped.
 * Its head holds kind, count and description of the jobs; their hash is part of every checksum.
 * Layout: docs/files.md.
 */
typedef struct rbv_journal rbv_journal;

/*
 * Begin a journal, or go on with one. It is locked for others until it is freed.
 *
 *   path    in  made when it is not there
 *   jobs    in  name, description (not NULL) and count; copied
 *   resume  in  the file may be there already, and is gone on with
 *
 * Refused: a file that is there when it is not to be resumed, a journal of other jobs, one that
 * another process writes, a file that is no journal.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_journal_open(rbv_journal **out, const char *path,
                                                   const rbv_jobs *jobs, bool resume);

/* Read one; nothing is written, and no lock is asked for. */
RBV_API RBV_MUST_CHECK rbv_status rbv_journal_load(rbv_journal **out, const char *path);

/* Add the results of another to those of a loaded one; refused: other jobs, or a job that both have
 * with different results. */
RBV_API RBV_MUST_CHECK rbv_status rbv_journal_join(rbv_journal *journal, const rbv_journal *other);

/*
 * Let the store of a journal that was opened have what another process writes to its own, at path:
 * each look reads the whole records that are there by then and not yet known, and a file that is
 * not there yet is no failure. A look refuses a file that is not a journal of these jobs, and a job
 * with different results. Such a store takes a result that it has already, if it is the same.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_journal_follow(rbv_journal *journal, const char *path);

/* Flushes to the disk what was appended. */
RBV_API RBV_MUST_CHECK rbv_status rbv_journal_flush(rbv_journal *journal);
RBV_API void rbv_journal_free(rbv_journal *journal);

RBV_API const char *rbv_journal_name(const rbv_journal *journal); /* of the kind of jobs */
RBV_API const char *rbv_journal_description(const rbv_journal *journal);
RBV_API ptrdiff_t rbv_journal_count(const rbv_journal *journal); /* jobs that there are */
RBV_API ptrdiff_t rbv_journal_done(const rbv_journal *journal);  /* jobs that it has */

/* As a store for rbv_jobs_run; borrows the journal, which then follows nobody else. */
RBV_API rbv_jobs_store rbv_journal_store(rbv_journal *journal);

#ifdef __cplusplus
}
#endif
#endif
