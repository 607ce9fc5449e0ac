/*
 * option: typed options as rows of a table (module job). The same rows serve the tool (parsing,
 * help, completion), other front ends (set by name), and provenance: a result records every option
 * that took effect, so that the run can be repeated.
 */
#ifndef ROBERVAL_SYS_OPTION_H
#define ROBERVAL_SYS_OPTION_H

#include <stdbool.h>

#include <roberval/sys/base.h>
#include <roberval/sys/document.h>
#include <roberval/sys/result.h>

RBV_BEGIN_C

typedef enum {
  RBV_OPTION_FLAG,  /* bool, false unless given */
  RBV_OPTION_OFF,   /* bool, true unless given: "no-snap" sets it to false */
  RBV_OPTION_REAL,  /* double; NaN: not given */
  RBV_OPTION_COUNT, /* int, at least 1; 0: not given */
  RBV_OPTION_SEED,  /* uint64_t */
  RBV_OPTION_TEXT,  /* const char *: a word or a list of numbers; NULL: not given */
  RBV_OPTION_FILE,  /* const char *: a file that is read, or a word in its place; NULL: not given */
  RBV_OPTION_FILES, /* rbv_files: may be given several times */
  RBV_OPTION_OUTPUT /* const char *: a file or directory that is written; NULL: not given */
} rbv_option_kind;

/* The numbers that an option accepts, or that each number of its list must be. */
typedef struct {
  double least, most; /* both 0: every finite number, or every count from 1 to 1e9 */
  bool open;          /* least itself is not accepted */
  bool share;         /* may be written in percent */
} rbv_range;

/* In a row: numbers from least to most, or above least up to most. */
#define RBV_FROM(least_, most_) .range = {(least_), (most_), false, false}
#define RBV_ABOVE(least_, most_) .range = {(least_), (most_), true, false}

/* The same for shares, which may be written in percent: 0.3 or 30%. */
#define RBV_SHARE_FROM(least_, most_) .range = {(least_), (most_), false, true}
#define RBV_SHARE_ABOVE(least_, most_) .range = {(least_), (most_), true, true}

#define RBV_THREADS RBV_FROM(1, 1024) /* of every option that counts threads */

#define RBV_FILES_MAX 64
typedef struct {
  int count;
  const char *item[RBV_FILES_MAX];
} rbv_files;

typedef struct {
  const char *name; /* "prior-weight"; NULL ends a table */
  char letter;      /* short form of the tool, 0: none */
  rbv_option_kind kind;
  size_t offset;     /* of the value in the structure of options */
  const char *value; /* placeholder in help, NULL for flags */
  const char *help;
  const char *(*choice)(int i); /* the words that are accepted, NULL past the last; NULL: any */
  /* kind FILE: true for values that are words, not files; NULL: every value is a file */
  bool (*is_word)(const char *text);
  rbv_range range;
  bool unrecorded;   /* has no influence on the numbers, so a result does not record it */
  const char *topic; /* heading of help from this row on; NULL: as the row before */
  bool basic;        /* one of the few that the short help shows */
} rbv_option;

/* A table and the structure that its offsets refer to. A list of groups ends with rows = NULL. */
typedef struct {
  const rbv_option *rows;
  void *options;
} rbv_option_group;

/* Number of rows of a table. */
RBV_API int rbv_option_count(const rbv_option *rows);

/* Does an option of this kind take a value? */
RBV_API bool rbv_option_takes_value(rbv_option_kind kind);

/* A word for the kind: "flag", "number", "count", "seed", "text", "file", "files", "output". */
RBV_API const char *rbv_option_kind_name(rbv_option_kind kind);

/* What an option of this kind and range needs, for messages: "a number above 0, at most 1000". */
#define RBV_NEEDS_MAX 96
RBV_API void rbv_option_needs(char text[RBV_NEEDS_MAX], rbv_option_kind kind, rbv_range range);

/* Read text as a value of this kind and range into *target; false when it is not one, and then
 * *target is unchanged. Text is borrowed. */
RBV_API bool rbv_option_store(rbv_option_kind kind, rbv_range range, void *target,
                              const char *text);

/*
 * Set an option by its name from text ("true" or "false" for flags), as it would be typed. Text is
 * borrowed. Refused with RBV_EOPTION: an unknown name, a value of another kind, a word that is not
 * among the choices.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_option_set(const rbv_option_group *groups, const char *name,
                                                 const char *text);

/*
 * Refuse with RBV_EOPTION a number that is outside the range of its row. For jobs whose options may
 * have been set without rbv_option_set.
 *
 *   usual  in  the same tables over defaults: a value that equals its default passes
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_option_check(const rbv_option_group *groups,
                                                   const rbv_option_group *usual);

/* The row with this name and where its value is; NULL when there is none. */
RBV_API const rbv_option *rbv_option_find(void **target, const rbv_option_group *groups,
                                          const char *name);

/*
 * The values in force, except lists of files and rows that are not recorded, as settings of a
 * result. Texts are borrowed.
 *
 *   setting  out  room for all rows; NULL: only count
 */
RBV_API int rbv_option_record(rbv_setting *setting, const rbv_option_group *groups);

/* Put recorded settings back. Refused: a setting that no row has, or of another kind. */
RBV_API RBV_MUST_CHECK rbv_status rbv_option_recall(const rbv_option_group *groups,
                                                    const rbv_setting *setting, int nsetting);

/* A file that an option names; the path is borrowed. */
typedef struct {
  const char *option, *path;
  char sha256[65];
} rbv_option_file;

/*
 * Files that options of kind FILE name, recorded or not, with their hashes. Words and lists in
 * place of a file are left out. Fails if a file cannot be read.
 *
 *   out    out  *count, at most `most` of them
 *   lists  in   also those of kind FILES
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_option_files(int *count, rbv_option_file *out, int most,
                                                   const rbv_option_group *groups, bool lists);

/* Is this text a list of numbers ("1,2,3") and not the name of a file? */
RBV_API bool rbv_numbers_typed(const char *text);

/* Write the settings as entries of an open JSON map. */
RBV_API void rbv_option_write(rbv_json *json, const rbv_setting *setting, int nsetting);

/*
 * Numbers typed as a list ("1,2,3"), or from a YAML file that holds a list.
 *
 *   out   out  n numbers, rbv_numbers_free it; NULL when text is NULL
 *   rows  in   table with the row of the option, which has the range of the numbers
 *   name  in   of that row
 *
 * Refused with RBV_EOPTION: a list of another length, a number outside the range.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_numbers_read(double **out, const rbv_option *rows,
                                                   const char *name, const char *text, int n);

/* The same for n joints; a single number is that of all joints. */
RBV_API RBV_MUST_CHECK rbv_status rbv_numbers_fill(double **out, const rbv_option *rows,
                                                   const char *name, const char *text, int n);
RBV_API void rbv_numbers_free(double *numbers);

/*
 * What a job tells while it runs: one sentence without its end of line, and the option that would
 * change what it says, or NULL.
 */
typedef void rbv_note(void *self, const char *sentence, const char *option);

/* `option` of a note about details of the computation: outputs for people show it on request */
#define RBV_NOTE_DETAIL "verbose"

typedef struct {
  rbv_note *note; /* NULL: not told */
  void *self;
} rbv_notes;

RBV_END_C
#endif
