/* The history of `follow`: rows of a CSV file, and rows that are kept for a page. */
#ifndef CLI_FOLLOW_HISTORY_H
#define CLI_FOLLOW_HISTORY_H

#include <roberval/sys/follow.h>
#include <roberval/sys/report.h>
#include <stdio.h>

#include "cli.h"

typedef struct {
  const char *path;
  FILE *file;  // NULL: no CSV file
  int n;       // joints
  // rows for the page
  bool page;
  double *row;
  int stride, step, skipped;  // every step-th row is kept
  ptrdiff_t count;
} follow_history;

/*
 * Open the file ('-': stdout; NULL: none), and keep rows for a page if asked for.
 *
 *   from  in  bytes of an interrupted history that are kept; -1: a new one
 *
 * Returns EXIT_DONE or another exit code, after a message.
 */
int follow_history_open(follow_history *h, const char *path, bool page, const rbv_model *model,
                        const rbv_follow_report *r, long long from);

bool follow_history_wanted(const follow_history *h);
void follow_history_add(follow_history *h, const rbv_follow_report *r);
long long follow_history_size(follow_history *h, long long before);  // bytes that were written
int follow_history_close(follow_history *h);                         // exit code
void follow_history_free(follow_history *h);

/* Write the page; rows and drifts are filled in. Returns EXIT_DONE or another exit code. */
int follow_history_page(const follow_history *h, rbv_follow_page *page, const rbv_follow_report *r,
                        const char *path, const cli_common *common);

#endif
