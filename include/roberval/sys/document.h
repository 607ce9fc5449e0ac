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

RBV_BEGIN_C

/* ---- YAML and JSON (JSON is a subset of YAML and is read as YAML) ---- */

typedef struct rbv_document rbv_document;
typedef struct rbv_node rbv_node;

/*
 * Read a document from a file, or from a text in memory. Refused, with line and column: malformed
 * text, duplicate keys, aliases, anchors and tags, nesting deeper than 64, more than one document,
 * more than 64 MB.
 *
 *   name   in  name of the document in messages; rbv_document_load uses the path
 *   text   in  size bytes; copied
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_document_load(rbv_document **out, const char *path);
RBV_API void rbv_document_free(rbv_document *doc);
RBV_API const rbv_node *rbv_document_root(const rbv_document *doc);

RBV_API int rbv_node_count(const rbv_node *node); /* entries of a list or map, 0 for a scalar */

/* Value of a key. NULL if node is not a map or does not have the key. */
RBV_API const rbv_node *rbv_node_find(const rbv_node *node, const char *key);

/*
 * Typed reading. A failure gives document, line, column and the expected type. Numbers are finite
 * decimal numbers, independent of the locale. "pi", "-pi", "pi/2", "3*pi/4" and similar expressions
 * are numbers too, and "90deg" is an angle in degrees. Booleans are true and false. A string is
 * safe to show (rbv_clean); rbv_node_text and rbv_node_key give the text exactly.
 */
RBV_API RBV_MUST_CHECK rbv_status rbv_node_real(double *out, const rbv_node *node);

/* true if the whole text is one finite decimal number; independent of the locale. */
RBV_API bool rbv_real_parse(double *out, const char *text);

/* ---- XML ---- */

typedef struct rbv_xml rbv_xml;

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

/* Write a key and its value. */
RBV_API void rbv_json_put_string(rbv_json *json, const char *key, const char *value);
RBV_API void rbv_json_put_real(rbv_json *json, const char *key, double value);
RBV_API void rbv_json_put_int(rbv_json *json, const char *key, long long value);
RBV_API void rbv_json_put_bool(rbv_json *json, const char *key, bool value);
RBV_API void rbv_json_put_reals(rbv_json *json, const char *key, const double *value, int count);

/* Write a key, and open a map or list. */
RBV_API void rbv_json_put_map(rbv_json *json, const char *key);
RBV_API void rbv_json_put_list(rbv_json *json, const char *key);
RBV_API void rbv_json_put_flat_list(rbv_json *json, const char *key);

/* Begin an open map with the keys schema and version (of the library). */
RBV_API void rbv_json_put_schema(rbv_json *json, const char *schema);

/* The complete text, which ends with a newline. Valid until the writer is freed. size may be
 * NULL. */
RBV_API RBV_MUST_CHECK rbv_status rbv_json_finish(const char **text, size_t *size, rbv_json *json);

/* Name of the i-th library that this module uses (libxml2, libyaml), and its version. NULL after
 * the last one. */
RBV_API const char *rbv_document_library(int i, char version[64]);

RBV_END_C
#endif
