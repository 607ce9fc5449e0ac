/*
 * Shared by the files of this module; not installed.
 *
 * A document consists of the arrays nodes and kids, and one text with all scalars. Nodes are in the
 * order of the file. The children of a container are consecutive entries of kids; for a map: key,
 * value, key, value. Links are indices, so the arrays may move while they grow, and the number of
 * calls to free does not depend on the size of the tree.
 */
#ifndef DOCUMENT_DOCUMENT_INTERNAL_H
#define DOCUMENT_DOCUMENT_INTERNAL_H

#include <stdarg.h>
#include <stdint.h>

#include "document/document.h"

#include "base/support.h"
#include "storage/storage_internal.h"

#define YAML_MAX_DEPTH 64
#define XML_MAX_DEPTH 256

struct rbv_node {
  const rbv_document *doc;
  uint32_t text;   // scalar: offset of its text in the document
  uint32_t shown;  // scalar: offset of its text as it can be shown (rbv_clean), often the same
  int line;        // from 1
  int column;      // from 1
  int first;       // container: index of its first entry in kids
  int count;       // entries; pairs for a map
  uint8_t kind;    // rbv_node_kind
  bool plain;      // scalar without quotes
  bool literal;    // scalar written on one line without escapes (quotes allowed)
};

struct rbv_document {
  char *name;
  rbv_node *nodes;  // nodes[0] is the root
  int *kids;        // indices of nodes
  rbv_text text;    // all scalars, each with a terminating 0
};

/* Set the message to "name:line:column: sentence"; a line or column of 0 is left out. */
rbv_status rbv_place_fail(rbv_status status, const char *name, int line, int column,
                          const char *format, va_list args);

/* Shorten a value for a message: at most 40 bytes, complete characters only, on one line. */
#define QUOTE_SIZE 48
void rbv_quote(char out[QUOTE_SIZE], const char *text, size_t size);

/* Read the decimal number at *text and move *text to its end. false if there is none; *text is then
 * not moved. */
bool rbv_real_scan(double *out, const char **text);

/* true if the whole text is a decimal number, a multiple or fraction of pi, or a number of
 * degrees. */
bool rbv_angle_parse(double *out, const char *text);

/* Span of start tag number index (from 0) in a well-formed XML text; span of an attribute's value
 * in a start tag. false if there is none. */
bool rbv_span_find(rbv_span *out, const char *text, size_t size, long index);
bool rbv_span_find_attribute(rbv_span *out, const char *text, const rbv_span *element,
                             const char *name);

/* Version of the loaded libxml2. */
void rbv_xml_version(char version[64]);

#endif
