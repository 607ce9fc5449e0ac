/* What other modules of the library use of document, beside its public header. */
#ifndef DOCUMENT_DOCUMENT_H
#define DOCUMENT_DOCUMENT_H

#include <roberval/sys/document.h>

/* ---- YAML and JSON (JSON is a subset of YAML and is read as YAML) ---- */

typedef enum { RBV_NODE_SCALAR, RBV_NODE_LIST, RBV_NODE_MAP } rbv_node_kind;

/* See <roberval/sys/document.h>. */
RBV_MUST_CHECK rbv_status rbv_document_parse(rbv_document **out, const char *name, const char *text,
                                             size_t size);
const char *rbv_document_name(const rbv_document *doc);

/* See <roberval/sys/document.h>. */
rbv_node_kind rbv_node_get_kind(const rbv_node *node);
int rbv_node_line(const rbv_node *node);   /* from 1 */
int rbv_node_column(const rbv_node *node); /* from 1 */

/* Entry i of a list, or the value of entry i of a map; key of entry i of a map. NULL if there is
 * none. */
const rbv_node *rbv_node_at(const rbv_node *node, int i);
const char *rbv_node_key(const rbv_node *node, int i);

/* Text of a scalar, with quotes and escapes resolved. NULL for lists and maps. */
const char *rbv_node_text(const rbv_node *node);

/* true for an unquoted null or ~, and for an empty value */
bool rbv_node_is_null(const rbv_node *node);

/* true for a scalar in quotes: a string even if it looks like a number */
bool rbv_node_is_quoted(const rbv_node *node);

/* See <roberval/sys/document.h>. */
RBV_MUST_CHECK rbv_status rbv_node_int(int *out, const rbv_node *node);
RBV_MUST_CHECK rbv_status rbv_node_bool(bool *out, const rbv_node *node);
RBV_MUST_CHECK rbv_status rbv_node_string(const char **out, const rbv_node *node);

/* A list of exactly n numbers. */
RBV_MUST_CHECK rbv_status rbv_node_reals(double *out, int n, const rbv_node *node);

/*
 * Fail unless every key of the map is in the list known, which ends with NULL. The message gives
 * the place, the unknown key and the most similar known key.
 */
RBV_MUST_CHECK rbv_status rbv_node_only_keys(const rbv_node *node, const char *const *known);

/* Set the message to "name:line:column: " and the sentence; returns status. */
rbv_status rbv_node_fail(rbv_status status, const rbv_node *node, const char *format, ...)
    RBV_PRINTF(3, 4);

/*
 * The same for the byte at offset in the text of a scalar. The column is exact if the scalar is
 * written on one line and without escapes. Otherwise it is the column of the scalar.
 */
rbv_status rbv_node_fail_at(rbv_status status, const rbv_node *node, ptrdiff_t offset,
                            const char *format, ...) RBV_PRINTF(4, 5);

/* ---- XML ---- */

/* See <roberval/sys/document.h>. */
typedef struct rbv_element rbv_element;

/*
 * Read an XML document and keep its text. Refused: malformed text, any DOCTYPE (so there are no
 * entities), nesting deeper than 256, more than 64 MB. No network access.
 */
RBV_MUST_CHECK rbv_status rbv_xml_load(rbv_xml **out, const char *path);
RBV_MUST_CHECK rbv_status rbv_xml_parse(rbv_xml **out, const char *name, const char *text,
                                        size_t size);
void rbv_xml_free(rbv_xml *xml);
const char *rbv_xml_name(const rbv_xml *xml);
const rbv_element *rbv_xml_root(const rbv_xml *xml);

/* First child element with this tag; next sibling with this tag. tag NULL: any tag. NULL if there
 * is none. */
const rbv_element *rbv_element_child(const rbv_element *parent, const char *tag);
const rbv_element *rbv_element_next(const rbv_element *element, const char *tag);

/* Next element in the order of the text, children first; NULL after the last one. */
const rbv_element *rbv_element_following(const rbv_element *element);
const char *rbv_element_tag(const rbv_element *element);
int rbv_element_line(const rbv_element *element);

/* Value of an attribute, NULL if it does not exist. Valid until the document is freed. */
const char *rbv_element_attribute(const rbv_element *element, const char *name);

/* First piece of text inside an element, NULL if there is none. Valid until the document is freed.
 */
const char *rbv_element_text(const rbv_element *element);

/* Number of words of an attribute, 0 if it is missing. */
int rbv_element_count(const rbv_element *element, const char *name);

/* Read an attribute of n numbers separated by white space. If the attribute is missing, out is not
 * changed. */
RBV_MUST_CHECK rbv_status rbv_element_reals(double *out, int n, const rbv_xml *xml,
                                            const rbv_element *element, const char *name);

/* Set the message to "name:line: " and the sentence; returns status. */
rbv_status rbv_element_fail(rbv_status status, const rbv_xml *xml, const rbv_element *element,
                            const char *format, ...) RBV_PRINTF(4, 5);

/* The text that was read, byte for byte. Belongs to xml; size may be NULL. */
const char *rbv_xml_text(const rbv_xml *xml, size_t *size);

/* Bytes [begin, end) of the text. For an element, head is the end of its start tag. */
typedef struct {
  size_t begin, head, end;
} rbv_span;

/*
 * Position of an element in the text, from its '<' to after its last '>'. Refused: an encoding
 * whose tags are not plain ASCII (UTF-16).
 */
RBV_MUST_CHECK rbv_status rbv_element_span(rbv_span *out, const rbv_xml *xml,
                                           const rbv_element *element);

/* Position of an attribute's value, without the quotes, in the start tag of an element span. false
 * if the attribute does not exist. out->head is not changed. */
bool rbv_span_attribute(rbv_span *out, const rbv_xml *xml, const rbv_span *element,
                        const char *name);

/* See <roberval/sys/document.h>. */
void rbv_json_bool(rbv_json *json, bool value);
void rbv_json_null(rbv_json *json);

#endif
