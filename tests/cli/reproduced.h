/* Rows of `roberval reproduce --json`. */
#ifndef TEST_REPRODUCED_H
#define TEST_REPRODUCED_H

#include <math.h>
#include <string.h>

#include "document/document.h"
#include "nodes.h"
#include "support.h"

/* rows whose verdict is neither "agrees" nor "recovered", in their order */
typedef struct {
  const char *what, *verdict;
} expected;

static inline rbv_document *parse_json(const char *text) {
  rbv_document *doc;
  assert_ok(rbv_document_parse(&doc, "stdout", text, strlen(text)));
  return doc;
}

static inline const rbv_node *rows_of(const rbv_document *doc, const char *name) {
  const rbv_node *root = rbv_document_root(doc);
  text_at(root, "schema", "roberval.reproduction/1");
  text_at(root, "version", rbv_version());
  text_at(root, "experiments.0.name", name);
  return node_at(root, "experiments.0.rows");
}

static inline bool verdict_is(const rbv_node *row, const char *verdict) {
  return strcmp(rbv_node_text(node_at(row, "verdict")), verdict) == 0;
}

/* the paper's number was found: by an independent number, or by the simulation of its value */
static inline bool same(const rbv_node *row) {
  return verdict_is(row, "agrees") || verdict_is(row, "recovered");
}

/* the verdict of a row agrees with its numbers */
static inline void check_row(const rbv_node *row) {
  if (!verdict_is(row, "cannot") && !verdict_is(row, "remark")) {
    const double distance = fabs(real_at(row, "paper") - real_at(row, "ours"));
    assert_true((distance <= real_at(row, "tolerance")) == same(row));
    assert_true(strlen(rbv_node_text(node_at(row, "tolerance_basis"))) > 0);
  }
  bool simulated;
  assert_ok(rbv_node_bool(&simulated, node_at(row, "simulated")));
  if (same(row)) assert_true(verdict_is(row, "recovered") == simulated);
  if (!same(row) && !verdict_is(row, "differs"))
    assert_false(rbv_node_is_null(node_at(row, "why")));
  if (verdict_is(row, "explained")) assert_false(rbv_node_is_null(node_at(row, "shown_by")));
}

static inline void check(const rbv_document *doc, const char *name, int count,
                         const expected *others, int nother) {
  const rbv_node *rows = rows_of(doc, name);
  int at = 0;
  assert_int_equal(rbv_node_count(rows), count);
  for (int i = 0; i < count; i++) {
    const rbv_node *row = rbv_node_at(rows, i);
    check_row(row);
    const char *what = rbv_node_text(node_at(row, "what"));
    const char *verdict = rbv_node_text(node_at(row, "verdict"));
    if (same(row)) continue;
    if (at == nother || strcmp(others[at].what, what) != 0)
      fail_msg("%s: '%s' is %s", name, what, verdict);
    assert_string_equal(verdict, others[at++].verdict);
  }
  assert_int_equal(at, nother);
}

#define CHECK(doc, name, count, others) \
  check(doc, name, count, others, (int)(sizeof(others) / sizeof *(others)))

#endif
