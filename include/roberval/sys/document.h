/*
 * document: YAML, JSON and XML. YAML and JSON are read into a tree whose nodes know their line and
 * column. XML documents keep the text from which they were read. JSON is also written.
 *
 * Nodes and elements belong to their document and are valid until it is freed. Several threads may
 * read one document. It must not be shared while it changes.
 */
#ifndef ROBERVAL_SYS_DOCUMENT_H
#define ROBERVAL_SYS_DOCUMENT_H

#include <stdbool.h>

#include <roberval/sys/base.h>
#include <roberval/sys/storage.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- YAML and JSON (JSON is a subset of YAML and is read as YAML) ---- */

typedef struct rbv_document rbv_document;
typedef struct rbv_node rbv_node;

typedef enum { RBV_NODE_SCALAR, RBV_NODE_LIST, RBV_NODE_MAP } rbv_node_kind;

/*
 * Read a document from a file, or from a text in memory. Refused, with line and column: malformed
 * text, duplicate keys, aliases, anchors and tags, nesting deeper than 64, more than one document,
 * more than 64 MB.
 *
 *   name   in  name of the document in messages; rbv_document_load uses the path
 *   text   in  size bytes; copied
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_document_load(rbv_document **out, const char *path);
RBV_API RBV_MUST_CHECK rbv_status rbv_document_parse(rbv_document **out, const char *name,
                                                     const char *text, size_t size);
RBV_API void rbv_document_free(rbv_document *doc);
RBV_API const char *rbv_document_name(const rbv_document *doc);
RBV_API const rbv_node *rbv_document_root(const rbv_document *doc);

RBV_API rbv_node_kind rbv_node_get_kind(const rbv_node *node);
RBV_API int rbv_node_line(const rbv_node *node);   /* from 1 */
RBV_API int rbv_node_column(const rbv_node *node); /* from 1 */
RBV_API int rbv_node_count(const rbv_node *node);  /* entries of a list or map, 0 for a scalar */

/* Entry i of a list, or the value of entry i of a map; key of entry i of a map. NULL if there is
 * none. */
RBV_API const rbv_node *rbv_node_at(const rbv_node *node, int i);
RBV_API const char *rbv_node_key(const rbv_node *node, int i);

/* Value of a key. NULL if node is not a map or does not have the key. */
RBV_API const rbv_node *rbv_node_find(const rbv_node *node, const char *key);

/* Text of a scalar, with quotes and escapes resolved. NULL for lists and maps. */
RBV_API const char *rbv_node_text(const rbv_node *node);

/* true for an unquoted null or ~, and for an empty value */
RBV_API bool rbv_node_is_null(const rbv_node *node);

/* true for a scalar in quotes: a string even if it looks like a number */
RBV_API bool rbv_node_is_quoted(const rbv_node *node);

/*
 * Typed reading. A failure gives document, line, column and the expected type. Numbers are finite
 * decimal numbers, independent of the locale. "pi", "-pi", "pi/2", "3*pi/4" and similar expressions
 * are numbers too, and "90deg" is an angle in degrees. Booleans are true and false. A string is
 * safe to show (rbv_clean); rbv_node_text and rbv_node_key give the text exactly.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_node_real(double *out, const rbv_node *node);
RBV_API RBV_MUST_CHECK rbv_status rbv_node_int(int *out, const rbv_node *node);
RBV_API RBV_MUST_CHECK rbv_status rbv_node_bool(bool *out, const rbv_node *node);
RBV_API RBV_MUST_CHECK rbv_status rbv_node_string(const char **out, const rbv_node *node);

/* A list of exactly n numbers. */
RBV_API RBV_MUST_CHECK rbv_status rbv_node_reals(double *out, int n, const rbv_node *node);

/*
 * Fail unless every key of the map is in the list known, which ends with NULL. The message gives
 * the place, the unknown key and the most similar known key.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_node_only_keys(const rbv_node *node,
                                                     const char *const *known);

/* Set the message to "name:line:column: " and the sentence; returns status. */
RBV_API rbv_status rbv_node_fail(rbv_status status, const rbv_node *node, const char *format, ...)
    RBV_PRINTF(3, 4);

/*
 * The same for the byte at offset in the text of a scalar. The column is exact if the scalar is
 * written on one line and without escapes. Otherwise it is the column of the scalar.
 */
RBV_API rbv_status rbv_node_fail_at(rbv_status status, const rbv_node *node, ptrdiff_t offset,
                                    const char *format, ...) RBV_PRINTF(4, 5);

/* true if the whole text is one finite decimal number; independent of the locale. */
RBV_API bool rbv_real_parse(double *out, const char *text);

/* ---- XML ---- */

typedef struct rbv_xml rbv_xml;
typedef struct rbv_element rbv_element;

/*
 * Read an XML document and keep its text. Refused: malformed text, any DOCTYPE (so there are no
 * entities), nesting deeper than 256, more than 64 MB. No network access.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_xml_load(rbv_xml **out, const char *path);
RBV_API RBV_MUST_CHECK rbv_status rbv_xml_parse(rbv_xml **out, const char *name, const char *text,
                                                size_t size);
RBV_API void rbv_xml_free(rbv_xml *xml);
RBV_API const char *rbv_xml_name(const rbv_xml *xml);
RBV_API const rbv_element *rbv_xml_root(const rbv_xml *xml);

/* First child element with this tag; next sibling with this tag. tag NULL: any tag. NULL if there
 * is none. */
RBV_API const rbv_element *rbv_element_child(const rbv_element *parent, const char *tag);
RBV_API const rbv_element *rbv_element_next(const rbv_element *element, const char *tag);

/* Next element in the order of the text, children first; NULL after the last one. */
RBV_API const rbv_element *rbv_element_following(const rbv_element *element);
RBV_API const char *rbv_element_tag(const rbv_element *element);
RBV_API int rbv_element_line(const rbv_element *element);

/* Value of an attribute, NULL if it does not exist. Valid until the document is freed. */
RBV_API const char *rbv_element_attribute(const rbv_element *element, const char *name);

/* First piece of text inside an element, NULL if there is none. Valid until the document is freed.
 */
RBV_API const char *rbv_element_text(const rbv_element *element);

/* Number of words of an attribute, 0 if it is missing. */
RBV_API int rbv_element_count(const rbv_element *element, const char *name);

/* Read an attribute of n numbers separated by white space. If the attribute is missing, out is not
 * changed. */
RBV_API RBV_MUST_CHECK rbv_status rbv_element_reals(double *out, int n, const rbv_xml *xml,
                                                    const rbv_element *element, const char *name);

/* Set the message to "name:line: " and the sentence; returns status. */
RBV_API rbv_status rbv_element_fail(rbv_status status, const rbv_xml *xml,
                                    const rbv_element *element, const char *format, ...)
    RBV_PRINTF(4, 5);

/* The text that was read, byte for byte. Belongs to xml; size may be NULL. */
RBV_API const char *rbv_xml_text(const rbv_xml *xml, size_t *size);

/* Bytes [begin, end) of the text. For an element, head is the end of its start tag. */
typedef struct {
  size_t begin, head, end;
} rbv_span;

/*
 * Position of an element in the text, from its '<' to after its last '>'. Refused: an encoding
 * whose tags are not plain ASCII (UTF-16).
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_element_span(rbv_span *out, const rbv_xml *xml,
                                                   const rbv_element *element);

/* Position of an attribute's value, without the quotes, in the start tag of an element span. false
 * if the attribute does not exist. out->head is not changed. */
RBV_API bool rbv_span_attribute(rbv_span *out, const rbv_xml *xml, const rbv_span *element,
                                const char *name);

/* ---- writing ---- */

typedef struct rbv_json rbv_json;

/*
 * JSON writer. It indents and escapes, and cannot produce a malformed document: an invalid call (a
 * value without key in a map, a second root, an unclosed list) or a lack of memory is remembered,
 * and rbv_json_finish fails. Numbers are written with the digits that read back exactly (17 at
 * most). NaN and infinity are written as null.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_json_new(rbv_json **out);
RBV_API void rbv_json_free(rbv_json *json);
RBV_API void rbv_json_map(rbv_json *json);
RBV_API void rbv_json_list(rbv_json *json);
RBV_API void rbv_json_flat_list(rbv_json *json); /* on one line */
RBV_API void rbv_json_end(rbv_json *json);       /* close the innermost map or list */
RBV_API void rbv_json_key(rbv_json *json, const char *key);
RBV_API void rbv_json_string(rbv_json *json, const char *value); /* NULL writes null */
RBV_API void rbv_json_real(rbv_json *json, double value);
RBV_API void rbv_json_int(rbv_json *json, long long value);
RBV_API void rbv_json_bool(rbv_json *json, bool value);
RBV_API void rbv_json_null(rbv_json *json);

/* Write a key and its value. */
RBV_API void rbv_json_put_string(rbv_json *json, const char *key, const char *value);
RBV_API void rbv_json_put_real(rbv_json *json, const char *key, double value);
RBV_API void rbv_json_put_int(rbv_json *json, const char *key, long long value);
RBV_API void rbv_json_put_bool(rbv_json *json, const char *key, bool value);

/* The complete text, which ends with a newline. Valid until the writer is freed. size may be
 * NULL. */
RBV_API RBV_MUST_CHECK rbv_status rbv_json_finish(const char **text, size_t *size, rbv_json *json);

/* Name of the i-th library that this module uses (libxml2, libyaml), and its version. NULL after
 * the last one. */
RBV_API const char *rbv_document_library(int i, char version[64]);

#ifdef __cplusplus
}
#endif
#endif
