/*
 * The fields of the result file: one table, in the order of the file. The reader, the writer and
 * the access by path follow it.
 */
#ifndef RESULT_RESULT_FIELDS_H
#define RESULT_RESULT_FIELDS_H

#include "document/document.h"
#include "result/result.h"

/* Where the members of a record are. */
typedef struct {
  const rbv_result *result;
  char *record;  // the structure, or the element of a list
  char *owner;   // the structure that has the list
  int index;     // of the element
} field_place;

typedef enum {
  FIELD_TEXT,      // const char *
  FIELD_REAL,      // double; a number that is not finite is null, and becomes NaN
  FIELD_SIGMA,     // the same; null becomes infinite
  FIELD_INT,       // int, not negative
  FIELD_COUNT,     // ptrdiff_t, not negative
  FIELD_FLAG,      // bool
  FIELD_WORD,      // int or enum, written as a word
  FIELD_THREE,     // double[3]
  FIELD_MAP,       // structure: a map with fields of its own
  FIELD_LIST,      // pointer and count: a list of maps
  FIELD_REALS,     // double *, a list on one line; its length is an int of the result; null is
                   // refused, or NaN where `none` is NaN
  FIELD_TEXTS,     // const char **, the same
  FIELD_ROWS,      // one number or flag of each row of the fit: a list on one line
  FIELD_SETTINGS,  // pointer and count of rbv_setting: a map
  FIELD_PARTS,     // deviations of the jackknife: a list per parameter
  FIELD_DERIVED,   // written by a function, and ignored by the reader
} field_kind;

/* When a field is written. Fields that are not always written need not be in a file: the reader
 * then sets NULL, NaN (if known, if finite) or the value `none`. */
typedef enum {
  ALWAYS,
  IF_SET,       // pointer that is not NULL
  IF_KNOWN,     // number that is not NaN
  IF_FINITE,    // number
  IF_POSITIVE,  // number, count or flag
  IF_USED,      // rows of the fit, not of the validation; only there it is read
} field_when;

typedef struct rbv_field rbv_field;
struct rbv_field {
  const char *key;  // NULL: not in the file; the reader sets the member to `none`
  field_kind kind;
  size_t at;         // offset of the member in the record
  field_when when;   // and if `only` (may be NULL) and the field `with` allow it
  const char *with;  // written, and required, if the field with this key is there
  bool column;       // the member is a pointer of the owner: array with one value per element
  const rbv_field *fields;  // of maps and lists; the last one has no kind and no key
  size_t count, size;       // list: offset of its count in the owner, size of an element
  double none;
  const char *reason;  // text of the key "reason" behind a number that is not finite
  field_kind row;      // of FIELD_ROWS; `at` is then an offset in rbv_row_fit
  bool (*only)(const field_place *p);
  const char *(*word)(const field_place *p, int value);
  int words;  // values of `word`; 0: the function `parse` reads it
  rbv_status (*parse)(const field_place *p, int *value, const char *word, const rbv_node *map);
  void (*put)(rbv_json *json, const char *key, const field_place *p);
};

extern const rbv_field rbv_result_fields[];

#define FIELD_END \
  { .kind = FIELD_DERIVED }
#define FIELD_IS_END(f) ((f)->kind == FIELD_DERIVED && !(f)->key)

/* The result itself. */
field_place rbv_field_root(const rbv_result *result);

/* The pointer that is stored at an address. */
void *rbv_field_pointer(const char *address);

/* Address of the member of a field; NULL: a column that the result does not have. */
void *rbv_field_member(const rbv_field *f, const field_place *p);

/* The record of a map, and element i of a list. */
field_place rbv_field_map(const rbv_field *f, const field_place *p);
field_place rbv_field_element(const rbv_field *f, const field_place *p, int i);
int *rbv_field_count(const rbv_field *f, const field_place *p);

/* True if the result has this field of a table of fields. */
bool rbv_field_exists(const rbv_field *f, const rbv_field *table, const field_place *p);

/* Number of a scalar field; NaN: others. */
double rbv_field_number(field_kind kind, const void *member);

#endif
