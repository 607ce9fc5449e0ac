/* Runs the tool as a process with arguments, two output streams and an exit code. */
#ifndef TEST_TOOL_H
#define TEST_TOOL_H

#include <roberval/sys/base.h>
#include <roberval/sys/document.h>
#include <roberval/sys/result.h>

typedef struct {
  int code;
  char *out, *err;  // with a terminating 0
} outcome;

/*
 * Run `roberval ARGUMENTS` by the shell in the temporary directory of the test. Redirections in the
 * arguments take precedence. The test fails if the tool is killed by a signal.
 */
outcome tool(const char *arguments, ...) RBV_PRINTF(1, 2);
void outcome_free(outcome *o);

/* Run a shell command in the temporary directory; its exit code, -1: it was killed. */
int run_in_temp(const char *command);

/* A CSV table: one header line, then numbers. */
typedef struct {
  int ncolumn, nrow;
  char **name;    // ncolumn
  double *value;  // row r, column c at [r * ncolumn + c]
  char *text;
} csv;

csv csv_parse(char *text);  // takes ownership of the text
void csv_free(csv *t);
int csv_find(const csv *t, const char *name);  // the test fails if it does not exist

/* Run the tool, which must exit with 0; returns its stdout as text, JSON or table. */
char *tool_text(const char *arguments, ...) RBV_PRINTF(1, 2);
rbv_document *tool_json(const char *arguments, ...) RBV_PRINTF(1, 2);
csv tool_table(const char *arguments, ...) RBV_PRINTF(1, 2);

/* Run the tool, which must exit with this code, print nothing on stdout, and end stderr with one
 * line that starts with "roberval"; stderr must contain the message. */
void tool_refuses(int code, const char *message, const char *arguments, ...) RBV_PRINTF(3, 4);

/* A result that the tool wrote into the temporary directory, and a parameter of a result by name.
 */
rbv_result *tool_result(const char *name);
const rbv_parameter *parameter_of(const rbv_result *r, const char *name);

#endif
