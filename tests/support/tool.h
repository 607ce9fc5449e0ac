/* The tool as its users meet it: a process with arguments, two streams and an exit code. */
#ifndef TEST_TOOL_H
#define TEST_TOOL_H

#include <roberval/sys/base.h>
#include <roberval/sys/document.h>

typedef struct {
  int code;
  char *out, *err;  // closed with 0
} outcome;

/*
 * Run `roberval ARGUMENTS` by the shell in the temporary directory of the test. Redirections among
 * the arguments take precedence. Ends the test when the tool is killed by a signal.
 */
outcome tool(const char *arguments, ...) RBV_PRINTF(1, 2);
void outcome_free(outcome *o);

/* A CSV table: a header, then numbers. */
typedef struct {
  int ncolumn, nrow;
  char **name;    // ncolumn
  double *value;  // row r, column c at [r * ncolumn + c]
  char *text;
} csv;

csv csv_parse(char *text);  // takes the text
void csv_free(csv *t);
int csv_find(const csv *t, const char *name);  // the test fails when there is none

/* The tool must exit with 0; what it printed on stdout, as text, JSON or table. */
char *tool_text(const char *arguments, ...) RBV_PRINTF(1, 2);
rbv_document *tool_json(const char *arguments, ...) RBV_PRINTF(1, 2);
csv tool_table(const char *arguments, ...) RBV_PRINTF(1, 2);

/* The tool must exit with this code, print nothing on stdout and one line with this on stderr. */
void tool_refuses(int code, const char *message, const char *arguments, ...) RBV_PRINTF(3, 4);

#endif
