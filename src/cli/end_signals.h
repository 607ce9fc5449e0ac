/* Commands that run until they are told to end: SIGTERM, SIGINT and SIGHUP set a flag. */
#ifndef CLI_END_SIGNALS_H
#define CLI_END_SIGNALS_H

/* From now on; with SIGPIPE the write fails instead. */
void cli_catch_ends(void);

/* For rbv_cancel and for the task. */
int *cli_end_flag(void);

/* 128 and the number of the signal, if there was one; otherwise the code stays. */
void cli_end_code(int *code);

#endif
