/* Documents in tests: values by their path. */
#ifndef TEST_NODES_H
#define TEST_NODES_H

#include <roberval/sys/document.h>

/* Value at "a.b.3.c": keys of maps, places in lists. The test fails when there is none. */
const rbv_node *node_at(const rbv_node *root, const char *path);
double real_at(const rbv_node *root, const char *path);

/* The text at a path must be this. */
void text_at(const rbv_node *root, const char *path, const char *want);

#endif
