/*
 * storage: files that are written completely or not at all, SHA-256 hashes of their contents, and
 * journals that keep the results of finished jobs.
 */
#ifndef ROBERVAL_SYS_STORAGE_H
#define ROBERVAL_SYS_STORAGE_H

#include <stdbool.h>

#include <roberval/sys/base.h>

RBV_BEGIN_C

/* ---- files and hashes ---- */

/*
 * Write a file completely or not at all: write to a temporary file next to it, flush to the disk,
 * rename. The permissions of an existing file are kept. A symbolic link is followed.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_file_write(const char *path, const void *data, size_t size);

/* Create a directory, which may exist already. RBV_EINPUT: there is a file, or the name is too
 * long. */
RBV_API RBV_MUST_CHECK rbv_status rbv_directory_make(const char *path);

/*
 * From here on this process refuses to replace a file that it has read since, whatever path leads
 * to it. For programs that run one command: call it before the command. off: forget the files.
 */
RBV_API void rbv_inputs_protect(bool on);

/* An output and the option that names it. */
typedef struct {
  const char *option, *path;
} rbv_output;

/*
 * Refuse (RBV_EOPTION) an output that is one of the inputs, by device and inode, and two outputs in
 * one file. "-" is standard input and standard output.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_outputs_check(const rbv_output *output, int noutput,
                                                    const char *const *input, int ninput);

/* Read a whole file (64 MB at most) with a closing 0; free it with rbv_file_free. */
RBV_API RBV_MUST_CHECK rbv_status rbv_file_read(char **data, size_t *size, const char *path);
RBV_API void rbv_file_free(char *data);

/* SHA-256 as 64 hexadecimal digits and a closing 0. rbv_hash_bytes gives an empty text if memory
 * runs out. A file may have any size. */
RBV_API RBV_MUST_CHECK rbv_status rbv_hash_file(char out[65], const char *path);

/* Name of library i that this module uses (OpenSSL), and its version; NULL after the last. */
RBV_API const char *rbv_storage_library(int i, char version[64]);

/* ---- journals: results of jobs, stored on disk ---- */

/*
 * A file to which the result of each job is appended as soon as it is finished, with its length and
 * a checksum. If the process is stopped, all finished results are in the file; an incomplete record
 * at the end is detected and dropped. The header has name, count and description of the jobs; their
 * hash is part of every checksum. Layout: docs/files.md.
 */
typedef struct rbv_journal rbv_journal;

/*
 * Create a journal, or continue one. It is locked for other processes until it is freed.
 *
 *   path    in  created if it does not exist
 *   jobs    in  name, description (not NULL) and count; copied
 *   resume  in  continue the file if it exists
 *
 * Refused: an existing file without resume, a journal of other jobs, a journal that another process
 * is writing, a file that is not a journal.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_journal_open(rbv_journal **out, const char *path,
                                                   const rbv_jobs *jobs, bool resume);

/* Flush appended records to the disk. */
RBV_API RBV_MUST_CHECK rbv_status rbv_journal_flush(rbv_journal *journal);
RBV_API void rbv_journal_free(rbv_journal *journal);

RBV_API ptrdiff_t rbv_journal_done(const rbv_journal *journal); /* jobs with a result */

/* The journal as a store for rbv_jobs_run; borrowed. */
RBV_API rbv_jobs_store rbv_journal_store(rbv_journal *journal);

RBV_END_C
#endif
