/*
 * Messages of a topic as rows of numbers. A column is a number of a message
 * ("position[elbow_joint]"), or the time of its receipt.
 */
#ifndef LOG_BAG_DECODE_H
#define LOG_BAG_DECODE_H

#include "log/bag.h"
#include "log/cdr.h"
#include "log/unpack.h"

#define BAG_RECEIVE "receive_time"  // column of the times of receipt
#define BAG_STAMP "header.stamp"    // number of a message
#define BAG_VARIANTS 2              // of a built-in type
#define BAG_SHAPES 4                // layouts of a topic that are remembered

/* ---- one message ---- */

/* The type of the messages of a topic: its own definition, or variants of a built-in one. */
typedef struct {
  cdr_type *variant[BAG_VARIANTS];
} bag_type;

/* *known is false if messages of the topic cannot be read. */
rbv_status bag_type_find(bool *known, bag_type *out, const bag_topic *topic);
void bag_type_free(bag_type *type);

/* Unpack a message that is compressed on its own; its data then belong to u. */
rbv_status bag_unpack(bag_message *m, unpacked *u, const char *path);

/* The layout of a message that is unpacked. */
rbv_status bag_layout(cdr_layout **out, const bag_type *type, const bag_message *m);

/* Put file and topic before the sentence of a failure. */
rbv_status bag_in_topic(rbv_status status, const bag *b, int topic);

/* ---- columns ---- */

/* First times of a table: the origin of its stamps [ns]. */
typedef struct {
  bool known;
  int64_t receive, stamp;
} bag_origin;

/* One layout of messages, with the place of each column in it. */
typedef struct {
  cdr_layout *layout;
  int *field;       // of each column; -1: none, or the stamp
  int found;        // columns that it has, without stamps
  int stamp;        // column with the stamp of the header; -1: none
  int stamp_field;  // the stamp of the header; -1: none
} bag_shape;

/* How the messages of a topic become columns. */
typedef struct {
  const bag *b;
  int topic;
  bag_type type;
  const char **field;  // of each column, without the topic; NULL: the time of receipt
  int ncol;
  int receive;  // column of the times of receipt; -1: none
  bag_shape shapes[BAG_SHAPES];
  int newest;
  unpacked unpacked;
} bag_decoder;

/* Prepare to decode columns of a topic. columns (ncol different ones, "TOPIC.FIELD" or BAG_RECEIVE)
 * are borrowed. On failure, too, the decoder must be freed. */
rbv_status bag_decoder_make(bag_decoder *d, const bag *b, int topic, const char *const *columns,
                            int ncol);
void bag_decoder_free(bag_decoder *d);

/*
 * Read the columns of a message.
 *
 *   row   out     false if the message has none of them
 *   out   out     ncol values with the stride ld; NaN where the message has no such number
 *   o     in,out  set by the first message. Times are seconds after it
 */
rbv_status bag_decode(bool *row, double *out, ptrdiff_t ld, bag_decoder *d, bag_message *m,
                      bag_origin *o);

#endif
