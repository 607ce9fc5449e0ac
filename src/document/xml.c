/* The only file that uses libxml2. An rbv_element is an xmlNode. */
#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/tree.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/document_internal.h"

struct rbv_xml {
  char *name;
  char *text;  // as read
  size_t size;
  xmlDocPtr doc;
};

/* State of the SAX callbacks while libxml2 parses. */
typedef struct {
  int depth;
  int line;             // line of the refused item
  const char *refused;  // reason of the refusal, NULL: nothing was refused
  int error_line;
  int error_level;  // level of the recorded error: the first one of the highest level; 0: none
  int error_code;
  char error[512];
} reading;

static pthread_once_t parser_once = PTHREAD_ONCE_INIT;

/* ---- callbacks ---- */

/* libxml2 stores the line where a start tag ends, and no line above 65535. So search backwards for
 * the '<' of the tag; a tag cannot contain another one. */
static int start_line(const xmlParserInput *input) {
  int line = input->line;
  for (const xmlChar *c = input->cur; c > input->base && *c != '<'; c--)
    if (*c == '\n') line--;
  return line;
}

static void refuse(void *context, const char *what) {
  xmlParserCtxtPtr parser = context;
  reading *r = parser->_private;
  if (!r->refused) {
    r->refused = what;
    r->line = start_line(parser->input);
  }
  xmlStopParser(parser);
}

/* Called at <!DOCTYPE, before an entity can be declared. */
static void on_doctype(void *context, const xmlChar *name, const xmlChar *public_id,
                       const xmlChar *system_id) {
  (void)name, (void)public_id, (void)system_id;
  refuse(context, "a DOCTYPE is not supported");
}

/* Tags keep their prefix ("xacro:macro"), so that <x:joint> of another namespace is not read as a
 * joint. */
static void on_start(void *context, const xmlChar *local, const xmlChar *prefix, const xmlChar *uri,
                     int nb_namespaces, const xmlChar **namespaces, int nb_attributes,
                     int nb_defaulted, const xmlChar **attributes) {
  xmlParserCtxtPtr parser = context;
  reading *r = parser->_private;
  if (++r->depth > XML_MAX_DEPTH) {
    refuse(context, "nested deeper than 256");
    return;
  }
  const xmlChar *tag = prefix ? xmlDictQLookup(parser->dict, prefix, local) : local;
  xmlSAX2StartElementNs(context, tag ? tag : local, NULL, prefix ? NULL : uri, nb_namespaces,
                        namespaces, nb_attributes, nb_defaulted, attributes);
  if (parser->node) parser->node->_private = (void *)(intptr_t)start_line(parser->input);
}

static void on_end(void *context, const xmlChar *local, const xmlChar *prefix, const xmlChar *uri) {
  xmlParserCtxtPtr parser = context;
  ((reading *)parser->_private)->depth--;
  xmlSAX2EndElementNs(context, local, prefix, uri);
}

/* Keep the first error of the highest level. An error that is not fatal, such as a prefix without
 * namespace, does not stop the parser. */
static void on_error(void *context, xmlErrorPtr error) {
  reading *r = context;
  if (error->level < XML_ERR_ERROR || (int)error->level <= r->error_level) return;
  r->error_level = (int)error->level;
  r->error_code = error->code;
  r->error_line = error->line;
  size_t n = 0;
  const char *message = error->message ? error->message : "malformed text";
  for (; message[n] && message[n] != '\n' && n + 1 < sizeof r->error; n++) r->error[n] = message[n];
  r->error[n] = 0;
}

/* ---- reading ---- */

static rbv_status fail_at(rbv_status status, const char *name, int line, const char *format, ...)
    RBV_PRINTF(4, 5);

static rbv_status fail_at(rbv_status status, const char *name, int line, const char *format, ...) {
  va_list args;
  va_start(args, format);
  (void)rbv_place_fail(status, name, line, 0, format, args);
  va_end(args);
  return status;
}

static rbv_status read_document(rbv_xml *xml, const char *text, size_t size) {
  reading r = {0};
  pthread_once(&parser_once, xmlInitParser);
  xmlParserCtxtPtr parser = xmlNewParserCtxt();
  if (!parser) return rbv_fail(RBV_EMEM, "%s: out of memory", xml->name);
  parser->_private = &r;
  parser->sax->internalSubset = on_doctype;
  parser->sax->startElementNs = on_start;
  parser->sax->endElementNs = on_end;

  // set the handler of the thread, not of the parser: encoding errors are reported without a parser
  const xmlStructuredErrorFunc old_handler = xmlStructuredError;
  void *old_context = xmlStructuredErrorContext;
  xmlSetStructuredErrorFunc(&r, on_error);
  xml->doc = xmlCtxtReadMemory(parser, text, (int)size, NULL, NULL, XML_PARSE_NONET);
  xmlSetStructuredErrorFunc(old_context, old_handler);
  xmlFreeParserCtxt(parser);

  if (r.refused) return fail_at(RBV_EUNSUPPORTED, xml->name, r.line, "%s", r.refused);
  if (xml->doc && xmlDocGetRootElement(xml->doc)) return RBV_OK;
  if (r.error_code == XML_ERR_NO_MEMORY) return rbv_fail(RBV_EMEM, "%s: out of memory", xml->name);
  return fail_at(RBV_EINPUT, xml->name, r.error_line > 0 ? r.error_line : 1, "%s",
                 r.error_level ? r.error : "the document is empty");
}

rbv_status rbv_xml_parse(rbv_xml **out, const char *name, const char *text, size_t size) {
  if (!out) return rbv_fail(RBV_EARG, "rbv_xml_parse: out is NULL");
  *out = NULL;
  if (!name || !text) return rbv_fail(RBV_EARG, "rbv_xml_parse: name or text is NULL");
  rbv_observe("parse", name);
  if (size > FILE_MAX_BYTES) return rbv_fail(RBV_EUNSUPPORTED, "%s: larger than 64 MB", name);

  RBV_NEW(rbv_xml, xml, 1);
  xml->name = rbv_strdup(name);
  xml->text = rbv_alloc(size + 1);
  if (xml->text) memcpy(xml->text, text, size);
  xml->size = size;
  const rbv_status status = xml->name && xml->text ? read_document(xml, text, size) : RBV_EMEM;
  if (status != RBV_OK)
    rbv_xml_free(xml);
  else
    *out = xml;
  return status;
}

rbv_status rbv_xml_load(rbv_xml **out, const char *path) {
  if (!out) return rbv_fail(RBV_EARG, "rbv_xml_load: out is NULL");
  *out = NULL;
  char *text;
  size_t size;
  RBV_TRY(rbv_file_read(&text, &size, path));
  RBV_FINISH(rbv_xml_parse(out, path, text, size), rbv_file_free(text));
}

void rbv_xml_free(rbv_xml *xml) {
  if (!xml) return;
  if (xml->doc) xmlFreeDoc(xml->doc);
  RBV_FREE_ALL(xml->text, xml->name, xml);
}

const char *rbv_xml_name(const rbv_xml *xml) { return xml ? xml->name : NULL; }

const char *rbv_xml_text(const rbv_xml *xml, size_t *size) {
  if (size) *size = xml->size;
  return xml->text;
}

/* ---- elements ---- */

static const xmlNode *node_of(const rbv_element *element) { return (const xmlNode *)element; }

static const rbv_element *first_from(const xmlNode *node, const char *tag) {
  for (; node; node = node->next) {
    if (node->type != XML_ELEMENT_NODE) continue;
    if (!tag || strcmp((const char *)node->name, tag) == 0) return (const rbv_element *)node;
  }
  return NULL;
}

const rbv_element *rbv_xml_root(const rbv_xml *xml) {
  return xml ? (const rbv_element *)xmlDocGetRootElement(xml->doc) : NULL;
}

const rbv_element *rbv_element_child(const rbv_element *parent, const char *tag) {
  return parent ? first_from(node_of(parent)->children, tag) : NULL;
}

const rbv_element *rbv_element_next(const rbv_element *element, const char *tag) {
  return element ? first_from(node_of(element)->next, tag) : NULL;
}

const rbv_element *rbv_element_following(const rbv_element *element) {
  const rbv_element *next = rbv_element_child(element, NULL);
  const xmlNode *node = element ? node_of(element) : NULL;
  for (; !next && node && node->type == XML_ELEMENT_NODE; node = node->parent)
    next = first_from(node->next, NULL);
  return next;
}

const char *rbv_element_tag(const rbv_element *element) {
  return element ? (const char *)node_of(element)->name : NULL;
}

int rbv_element_line(const rbv_element *element) {
  return element ? (int)(intptr_t)node_of(element)->_private : 0;
}

/* true if the attribute has this name, including the prefix */
static bool is_written(const xmlAttr *attribute, const char *name) {
  const char *local = (const char *)attribute->name;
  if (!attribute->ns || !attribute->ns->prefix) return strcmp(local, name) == 0;
  const char *prefix = (const char *)attribute->ns->prefix;
  const size_t n = strlen(prefix);
  return strncmp(name, prefix, n) == 0 && name[n] == ':' && strcmp(name + n + 1, local) == 0;
}

const char *rbv_element_attribute(const rbv_element *element, const char *name) {
  if (!element || !name) return NULL;
  for (const xmlAttr *a = node_of(element)->properties; a; a = a->next) {
    if (!is_written(a, name)) continue;
    // without a DOCTYPE there are no entities that could split a value: it is one text node or none
    return a->children && a->children->content ? (const char *)a->children->content : "";
  }
  return NULL;
}

const char *rbv_element_text(const rbv_element *element) {
  const xmlNode *node = element ? node_of(element)->children : NULL;
  while (node && node->type != XML_TEXT_NODE && node->type != XML_CDATA_SECTION_NODE)
    node = node->next;
  return node ? (const char *)node->content : NULL;
}

/* ---- numbers in attributes ---- */

static const char *skip_white(const char *s) { return s + strspn(s, " \t\r\n"); }

static int count_words(const char *s) {
  int n = 0;
  for (s = skip_white(s); *s; s = skip_white(s)) {
    n++;
    s += strcspn(s, " \t\r\n");
  }
  return n;
}

int rbv_element_count(const rbv_element *element, const char *name) {
  const char *text = rbv_element_attribute(element, name);
  return text ? count_words(text) : 0;
}

rbv_status rbv_element_reals(double *out, int n, const rbv_xml *xml, const rbv_element *element,
                             const char *name) {
  const char *text = rbv_element_attribute(element, name);
  if (!text) return RBV_OK;
  const int found = count_words(text);
  if (found != n)
    return rbv_element_fail(RBV_EINPUT, xml, element, "%s of <%s>: expected %d number%s, found %d",
                            name, rbv_element_tag(element), n, n == 1 ? "" : "s", found);
  const char *s = skip_white(text);
  for (int i = 0; i < n; i++) {
    const char *word = s;
    const size_t size = strcspn(word, " \t\r\n");
    if (!rbv_real_scan(out + i, &s) || s != word + size) {
      char quote[QUOTE_SIZE];
      rbv_quote(quote, word, size);
      return rbv_element_fail(RBV_EINPUT, xml, element,
                              "%s of <%s>: expected a finite number, found '%s'", name,
                              rbv_element_tag(element), quote);
    }
    s = skip_white(s);
  }
  return RBV_OK;
}

rbv_status rbv_element_fail(rbv_status status, const rbv_xml *xml, const rbv_element *element,
                            const char *format, ...) {
  va_list args;
  va_start(args, format);
  (void)rbv_place_fail(status, xml ? xml->name : "element", rbv_element_line(element), 0, format,
                       args);
  va_end(args);
  return status;
}

/* ---- positions in the text ---- */

rbv_status rbv_element_span(rbv_span *out, const rbv_xml *xml, const rbv_element *element) {
  long index = 0;
  for (const rbv_element *e = rbv_xml_root(xml); e && e != element; index++)
    e = rbv_element_following(e);
  if (rbv_span_find(out, xml->text, xml->size, index)) return RBV_OK;
  return rbv_element_fail(RBV_EUNSUPPORTED, xml, element,
                          "a text in this encoding cannot be edited: convert it to UTF-8");
}

bool rbv_span_attribute(rbv_span *out, const rbv_xml *xml, const rbv_span *element,
                        const char *name) {
  return rbv_span_find_attribute(out, xml->text, element, name);
}

void rbv_xml_version(char version[64]) {
  // "20914" is 2.9.14
  const long n = strtol(xmlParserVersion, NULL, 10);
  snprintf(version, 64, "%ld.%ld.%ld", n / 10000, n / 100 % 100, n % 100);
}
