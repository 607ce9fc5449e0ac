/*
 * Messages of ROS 2: types from their definitions, and numbers from messages in CDR.
 *
 * A layout is the list of the numbers of one message, with their places. Messages of the same shape
 * (lengths of strings and lists, names of joints) have the same layout, so that it is computed once
 * and compared with each further message.
 */
#ifndef LOG_CDR_H
#define LOG_CDR_H

#include <stdbool.h>
#include <stdint.h>

#include <roberval/sys/base.h>

typedef struct cdr_type cdr_type;

/*
 * Read a definition as bags carry it ("ros2msg": the fields, then the definitions of nested types
 * behind lines of ===).
 *
 *   name  in  "sensor_msgs/msg/JointState", for messages
 *
 * Refused with RBV_EINPUT: a definition with an error, an unknown nested type, wide strings.
 */
rbv_status cdr_type_parse(cdr_type **out, const char *name, const char *text, size_t size);

/* The same for a type that this module knows; *out is NULL if it does not. Types that changed have
 * several variants, from 0 on. */
rbv_status cdr_type_built_in(cdr_type **out, const char *name, int variant);
void cdr_type_free(cdr_type *type);

typedef enum {
  CDR_BOOL,
  CDR_INT8,
  CDR_UINT8,
  CDR_INT16,
  CDR_UINT16,
  CDR_INT32,
  CDR_UINT32,
  CDR_INT64,
  CDR_UINT64,
  CDR_FLOAT32,
  CDR_FLOAT64,
  CDR_TIME,    // seconds and nanoseconds
  CDR_STRING,  // in types only
  CDR_STRUCT   // in types only
} cdr_kind;

/* One number: "position[elbow_joint]", "header.stamp", "wrench.force.x". */
typedef struct {
  char *name;
  cdr_kind kind;
  size_t at;  // byte in the message
} cdr_field;

typedef struct cdr_layout cdr_layout;

/*
 * Compute the layout of a message. Long lists (images, point clouds) have no fields.
 *
 * Refused with RBV_EINPUT: a message that is shorter than its type says, another encoding than CDR.
 */
rbv_status cdr_layout_new(cdr_layout **out, const cdr_type *type, const uint8_t *data, size_t size);
void cdr_layout_free(cdr_layout *layout);
int cdr_layout_count(const cdr_layout *layout);
const cdr_field *cdr_layout_field(const cdr_layout *layout, int i);

/* Does a message have this layout? */
bool cdr_layout_fits(const cdr_layout *layout, const uint8_t *data, size_t size);

/* A number of a message that the layout fits; a time in seconds. */
double cdr_value(const cdr_layout *layout, const cdr_field *field, const uint8_t *data);

/*
 * Several numbers of a message that the layout fits.
 *
 *   out    out  n values with the stride ld; NaN for a field -1
 *   field  in   n numbers of fields
 */
void cdr_read(double *out, ptrdiff_t ld, const cdr_layout *layout, const int *field, int n,
              const uint8_t *data);

/* A time in nanoseconds. */
int64_t cdr_time(const cdr_layout *layout, const cdr_field *field, const uint8_t *data);

#endif
