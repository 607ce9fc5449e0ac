/* Bags of joint states in MCAP, written record by record as its specification says: no chunks, no
 * summary. */
#ifndef BAG_WRITER_H
#define BAG_WRITER_H

#include <stdint.h>

#include "base/support.h"

/* The start of a file, with the schema. */
void bag_start(rbv_text *out);

/* A topic with a number. */
void bag_channel(rbv_text *out, int number, const char *topic);

/* A joint state with these lists; NULL: an empty one. stamp < 0: without stamps. */
void bag_state(rbv_text *m, double stamp, const char *const *names, int n, const double *position,
               const double *effort);

/* A message of a topic, received at a time [ns]. The message becomes empty. */
void bag_message(rbv_text *out, int number, uint64_t receipt, rbv_text *message);

void bag_end(rbv_text *out);

#endif
