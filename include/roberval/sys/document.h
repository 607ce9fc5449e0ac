/*
 * document: YAML, JSON and XML. YAML and JSON are read into one tree whose nodes know their line
 * and column; XML keeps the text it was read from; JSON is written.
 *
 * Nodes and elements belong to their document and live as long as it does. A document must not be
 * shared between threads while it changes.
 */
#ifndef ROBERVAL_SYS_DOCUMENT_H
#define ROBERVAL_SYS_DOCUMENT_H

#include <stdbool.h>

#include <roberval/sys/base.h>
#include <roberval/sys/storage.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- YAML and JSON (JSON is read as the YAML that it is) ---- */

typedef struct rbv_document rbv_document;
typedef struct rbv_node rbv_node;

typedef enum { RBV_NODE_SCALAR, RBV_NODE_LIST, RBV_NODE_MAP } rbv_node_kind;

/*
 * Read a document. Refused with file, line and column: malformed text, duplicate keys, aliases and
 * anchors, nesting deeper than 64, more than one document, more than 64 MB.
 *
 *   name   in  what messages call it; a path is read, a parsed text is copied
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

/* Entry i of a list or map (its value); key of map entry i. NULL when there is none. */
RBV_API const rbv_node *rbv_node_at(const rbv_node *node, int i);
RBV_API const char *rbv_node_key(const rbv_node *node, int i);

/* Value under a key; NULL when node is no map or has no such key. */
RBV_API const rbv_node *rbv_node_find(const rbv_node *node, const char *key);

/* Text of a scalar as written (quotes and escapes resolved), NULL for lists and maps. */
RBV_API const char *rbv_node_text(const rbv_node *node);

/* true for an unquoted null, ~ or nothing */
RBV_API bool rbv_node_is_null(const rbv_node *node);

/* true for a scalar in quotes: a text even when it reads like a number */
RBV_API bool rbv_node_is_quoted(const rbv_node *node);

/*
 * Typed reading. A failure names document, line and column and what was expected. Numbers are
 * finite decimal numbers, read without regard to the locale; also "pi", "-pi", "pi/2", "3*pi/4"
 * and their like. Booleans are true and false.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_node_real(double *out, const rbv_node *node);
RBV_API RBV_MUST_CHECK rbv_status rbv_node_int(int *out, const rbv_node *node);
RBV_API RBV_MUST_CHECK rbv_status rbv_node_bool(bool *out, const rbv_node *node);
RBV_API RBV_MUST_CHECK rbv_status rbv_node_string(const char **out, const rbv_node *node);

/* A list of exactly n numbers. */
RBV_API RBV_MUST_CHECK rbv_status rbv_node_reals(double *out, int n, const rbv_node *node);

/*
 * Fail unless every key of the map is one of these (the list ends with NULL). The message names
 * the place, the key and the nearest known one.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_node_only_keys(const rbv_node *node,
                                                     const char *const *known);

/* Fail with "name:line:column: " before the sentence. */
RBV_API rbv_status rbv_node_fail(rbv_status status, const rbv_node *node, const char *format, ...)
    RBV_PRINTF(3, 4);

/*
 * The same at a byte of a scalar's text. The column is exact when the text stands in the file as it
 * is, in one line and without escapes; otherwise it is that of the scalar.
 */
RBV_API rbv_status rbv_node_fail_at(rbv_status status, const rbv_node *node, ptrdiff_t offset,
                                    const char *format, ...) RBV_PRINTF(4, 5);

/* A finite decimal number at the whole of text, free of the locale; false when it is none. */
RBV_API bool rbv_real_parse(double *out, const char *text);

/* ---- XML ---- */

typedef struct rbv_xml rbv_xml;
typedef struct rbv_element rbv_element;

/*
 * Read an XML document and keep it. Refused: malformed text, any DOCTYPE (and with it entities),
 * nesting deeper than 256, more than 64 MB. Nothing is fetched from a network.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_xml_load(rbv_xml **out, const char *path);
RBV_API RBV_MUST_CHECK rbv_status rbv_xml_parse(rbv_xml **out, const char *name, const char *text,
                                                size_t size);
RBV_API void rbv_xml_free(rbv_xml *xml);
RBV_API const char *rbv_xml_name(const rbv_xml *xml);
RBV_API const rbv_element *rbv_xml_root(const rbv_xml *xml);

/* First child element with this tag (NULL: any); next sibling with this tag. NULL when none. */
RBV_API const rbv_element *rbv_element_child(const rbv_element *parent, const char *tag);
RBV_API const rbv_element *rbv_element_next(const rbv_element *element, const char *tag);
RBV_API const char *rbv_element_tag(const rbv_element *element);
RBV_API int rbv_element_line(const rbv_element *element);

/* Attribute as text, NULL when it is not there. Lives until the document is freed. */
RBV_API const char *rbv_element_attribute(const rbv_element *element, const char *name);

/* n numbers separated by white space in an attribute; missing attribute: *out is left alone. */
RBV_API RBV_MUST_CHECK rbv_status rbv_element_reals(double *out, int n, const rbv_xml *xml,
                                                    const rbv_element *element, const char *name);

/* Fail with "name:line: " before the sentence. */
RBV_API rbv_status rbv_element_fail(rbv_status status, const rbv_xml *xml,
                                    const rbv_element *element, const char *format, ...)
    RBV_PRINTF(4, 5);

/* The text that was read, byte for byte. */
RBV_API const char *rbv_xml_text(const rbv_xml *xml, size_t *size);

/* Bytes [begin, end) of the text; head: where the start tag of an element ends. */
typedef struct {
  size_t begin, head, end;
} rbv_span;

/*
 * Where an element stands in the text, from its '<' to behind its last '>'. Refused: a text in an
 * encoding whose tags are not plain ASCII (UTF-16).
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_element_span(rbv_span *out, const rbv_xml *xml,
                                                   const rbv_element *element);

/* Where the value of an attribute stands, without its quotes, in the start tag of a span; false
 * when it is not there. head is left alone. */
RBV_API bool rbv_span_attribute(rbv_span *out, const rbv_xml *xml, const rbv_span *element,
                                const char *name);

/* ---- writing ---- */

typedef struct rbv_json rbv_json;

/*
 * A JSON writer that indents, escapes, and cannot produce a malformed document: a call in the
 * wrong place (a value without key in a map, a second root, an unclosed list) is remembered and
 * fails at the end, as does running out of memory. Numbers get the digits that read back exactly
 * (17 at most); NaN and infinity become null.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_json_new(rbv_json **out);
RBV_API void rbv_json_free(rbv_json *json);
RBV_API void rbv_json_map(rbv_json *json);
RBV_API void rbv_json_list(rbv_json *json);
RBV_API void rbv_json_flat_list(rbv_json *json); /* on one line */
RBV_API void rbv_json_end(rbv_json *json);       /* closes the innermost map or list */
RBV_API void rbv_json_key(rbv_json *json, const char *key);
RBV_API void rbv_json_string(rbv_json *json, const char *value); /* NULL writes null */
RBV_API void rbv_json_real(rbv_json *json, double value);
RBV_API void rbv_json_int(rbv_json *json, long long value);
RBV_API void rbv_json_bool(rbv_json *json, bool value);
RBV_API void rbv_json_null(rbv_json *json);

/* A key and its value. */
RBV_API void rbv_json_put_string(rbv_json *json, const char *key, const char *value);
RBV_API void rbv_json_put_real(rbv_json *json, const char *key, double value);
RBV_API void rbv_json_put_int(rbv_json *json, const char *key, long long value);
RBV_API void rbv_json_put_bool(rbv_json *json, const char *key, bool value);

/* The finished text with a closing newline; valid until the writer is freed. */
RBV_API RBV_MUST_CHECK rbv_status rbv_json_finish(const char **text, size_t *size, rbv_json *json);

/* libxml2 and libyaml: name of library i that this room stands on, and the version in use; NULL
 * past the last. */
RBV_API const char *rbv_document_library(int i, char version[64]);

#ifdef __cplusplus
}
#endif
#endif
