/* The history of `follow`: rows of a CSV file, and rows that are kept for a page. */
#ifndef TASK_FOLLOW_HISTORY_H
#define TASK_FOLLOW_HISTORY_H

#include <roberval/sys/follow.h>
#include <roberval/sys/report.h>
#include <stdio.h>

typedef struct {
  const char *path;
  FILE *file;  // NULL: no CSV file
  bool given;  // the file is the caller's stream
  int n;       // joints
  // rows for the page
  bool page;
  double *row;
  int stride, step, skipped;  // every step-th row is kept
  ptrdiff_t count;
} follow_history;

/*
 * Open the file (NULL: none), and keep rows for a page if asked for.
 *
 *   stream  in  open stream in place of the file; NULL: none
 *   from    in  bytes of an interrupted history that are kept; -1: a new one
 */
rbv_status follow_history_open(follow_history *h, const char *path, FILE *stream, bool page,
                               const rbv_model *model, const rbv_follow_report *r, long long from);

bool follow_history_wanted(const follow_history *h);
rbv_status follow_history_add(follow_history *h, const rbv_follow_report *r);
long long follow_history_size(follow_history *h, long long before);  // bytes that were written
rbv_status follow_history_close(follow_history *h);
void follow_history_free(follow_history *h);

/* Make the page; rows and drifts are filled in. */
rbv_status follow_history_page(rbv_report **out, const follow_history *h, rbv_follow_page *page,
                               const rbv_follow_report *r, const char *path);

#endif
