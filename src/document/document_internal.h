/*
 * What the files of this room share; not installed.
 *
 * A document is three arrays and one text. Nodes stand in the order of the file; a container's
 * children are a run in kids, for a map key, value, key, value. Nothing points into a node array
 * that may still move, and freeing is four calls however large the tree.
 */
#ifndef DOCUMENT_DOCUMENT_INTERNAL_H
#define DOCUMENT_DOCUMENT_INTERNAL_H

#include <stdarg.h>
#include <stdint.h>

#include <roberval/sys/document.h>

#include "base/support.h"
#include "storage/storage_internal.h"

#define YAML_MAX_DEPTH 64
#define XML_MAX_DEPTH 256

struct rbv_node {
  const rbv_document *doc;
  uint32_t text;  // scalar: offset of its text
  int line;       // from 1
  int column;     // from 1
  int first;      // container: its first entry in kids
  int count;      // entries; pairs for a map
  uint8_t kind;   // rbv_node_kind
  bool plain;     // scalar without quotes
  bool literal;   // scalar that stands in one line of the file as it is, but for quotes
};

struct rbv_document {
  char *name;
  rbv_node *nodes;  // nodes[0] is the root
  int *kids;        // indices of nodes
  rbv_text text;    // all scalars, each closed with 0
};

/* "name:line:column: sentence"; a line or column of 0 is left out. */
rbv_status rbv_place_fail(rbv_status status, const char *name, int line, int column,
                          const char *format, va_list args);

/* A value for a message: at most 40 bytes, whole characters, on one line. */
#define QUOTE_SIZE 48
void rbv_quote(char out[QUOTE_SIZE], const char *text, size_t size);

/* A decimal number at *text, which moves behind it; false and unmoved when there is none. */
bool rbv_real_scan(double *out, const char **text);

/* A decimal number or a multiple or fraction of pi at the whole of text. */
bool rbv_angle_parse(double *out, const char *text);

/* Span of start tag number index (from 0) of a well-formed XML text, and of an attribute's value in
 * a start tag; false when there is none. */
bool rbv_span_find(rbv_span *out, const char *text, size_t size, long index);
bool rbv_span_find_attribute(rbv_span *out, const char *text, const rbv_span *element,
                             const char *name);

/* The version of libxml2 that is loaded. */
void rbv_xml_version(char version[64]);

#endif
