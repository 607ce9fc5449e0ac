/* Access to values of a document by their path. */
#ifndef TEST_NODES_H
#define TEST_NODES_H

#include <roberval/sys/document.h>

/* Value at "a.b.3.c": keys of maps, indices of lists. The test fails if there is none. */
const rbv_node *node_at(const rbv_node *root, const char *path);
double real_at(const rbv_node *root, const char *path);

/* Check that the text at a path equals want. */
void text_at(const rbv_node *root, const char *path, const char *want);

#endif
