#include "nodes.h"

#include <stdlib.h>
#include <string.h>

#include "document/document.h"
#include "support.h"

const rbv_node *node_at(const rbv_node *root, const char *path) {
  const rbv_node *node = root;
  char copy[128], *save = NULL;
  strcpy(copy, path);
  for (char *step = strtok_r(copy, ".", &save); step && node; step = strtok_r(NULL, ".", &save))
    node = rbv_node_get_kind(node) == RBV_NODE_LIST ? rbv_node_at(node, atoi(step))
                                                    : rbv_node_find(node, step);
  if (!node) fail_msg("no value at path %s", path);
  return node;
}

double real_at(const rbv_node *root, const char *path) {
  double x;
  assert_ok(rbv_node_real(&x, node_at(root, path)));
  return x;
}

void text_at(const rbv_node *root, const char *path, const char *want) {
  assert_string_equal(rbv_node_text(node_at(root, path)), want);
}
