/* The compact protocol of Thrift, in which the metadata of Parquet is written, read field by field.
 * Nothing is allocated. After an error all reads give 0 and the end. */
#ifndef LOG_THRIFT_H
#define LOG_THRIFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
  THRIFT_STOP = 0,
  THRIFT_TRUE = 1,
  THRIFT_FALSE = 2,
  THRIFT_BYTE = 3,
  THRIFT_I64 = 6,
  THRIFT_DOUBLE = 7,
  THRIFT_TEXT = 8,
  THRIFT_LIST = 9,
  THRIFT_SET = 10,
  THRIFT_MAP = 11,
  THRIFT_STRUCT = 12
} thrift_type;

typedef struct {
  const uint8_t *at, *end;
  bool bad;  // the bytes end too early, or make no sense
} thrift;

typedef struct {
  int id;    // of the last field; set to 0 before the first one of a structure
  int type;  // thrift_type; 4 and 5 are integers too
} thrift_field;

/* The next field of a structure; false: its end. */
bool thrift_next(thrift *t, thrift_field *f);

/* The value of a field. A number that has another type is skipped and gives 0. */
int64_t thrift_number(thrift *t, const thrift_field *f);
bool thrift_flag(const thrift_field *f);

/* A text, which is not copied. */
const char *thrift_text(thrift *t, const thrift_field *f, size_t *n);

/* Begin a list: the number of its items and their type; at most one item per byte is there. Read
 * structures of it one after the other. */
size_t thrift_list(thrift *t, const thrift_field *f, int *type);

void thrift_skip(thrift *t, const thrift_field *f);

#endif
