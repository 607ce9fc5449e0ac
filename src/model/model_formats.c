#include "model/model_formats.h"

#include <string.h>

/* one row is one format; the one that is not XML is the last */
static const robot_format formats[] = {
    {.name = "urdf",
     .title = "URDF",
     .root = "robot",
     .name_attribute = "name",
     .collect = rbv_urdf_collect},
    {.name = "mjcf",
     .title = "MJCF",
     .root = "mujoco",
     .name_attribute = "model",
     .collect = rbv_mjcf_collect},
    {.name = "yaml", .title = "YAML"},
};

const robot_format *rbv_robot_format_row(int i) {
  return i >= 0 && i < RBV_COUNT(formats) ? &formats[i] : NULL;
}

/* the row with this root element */
static rbv_status find_format(const robot_format **out, const rbv_xml *xml) {
  const rbv_element *root = rbv_xml_root(xml);
  const char *tag = rbv_element_tag(root);
  rbv_text known = {0};
  for (int i = 0; i < RBV_COUNT(formats); i++) {
    if (!formats[i].root) continue;
    *out = &formats[i];
    if (strcmp(tag, formats[i].root) == 0) {
      rbv_text_free(&known);
      return RBV_OK;
    }
    rbv_text_print(&known, "%s<%s> (%s)", known.size ? " or " : "", formats[i].root,
                   formats[i].title);
  }
  const char *list = rbv_text_string(&known);
  const rbv_status status =
      list ? rbv_element_fail(RBV_EINPUT, xml, root,
                              "the root is <%s>; a robot file begins with %s", tag, list)
           : RBV_EMEM;
  rbv_text_free(&known);
  return status;
}

static rbv_status read_tree(robot_tree *t, const robot_format *format) {
  RBV_TRY(format->collect(t));
  RBV_TRY(rbv_tree_choose(t));
  return rbv_tree_finish(t);
}

rbv_status rbv_draft_complete(rbv_draft *draft) {
  const rbv_model *like = draft->options->loops;
  if (like && like->core->draft.closure && draft->nloop == 0)
    RBV_TRY(rbv_draft_copy_loops(draft, &like->core->draft));
  RBV_TRY(rbv_loops_resolve(draft));
  return rbv_draft_add_springs(draft);
}

rbv_status rbv_robot_read_xml(rbv_draft *draft, rbv_xml *xml) {
  draft->document = xml;
  const robot_format *format = NULL;
  RBV_TRY(find_format(&format, xml));
  draft->format = format;
  const char *name = rbv_element_attribute(rbv_xml_root(xml), format->name_attribute);
  draft->name = rbv_strdup(name ? name : draft->file);
  if (!draft->name) return RBV_EMEM;
  rbv_clean(draft->name);
  robot_tree t = {.draft = draft, .what = format->title, .xml = xml};
  RBV_FINISH(read_tree(&t, format), rbv_tree_free(&t));
}

static bool looks_like_xml(const char *text, size_t size) {
  size_t i = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
  while (i < size && strchr(" \t\r\n", text[i]) && text[i]) i++;
  return i < size && text[i] == '<';
}

#define LOOK 4096  // bytes that show whether a file is a table

/* a table has separators between the words of its first line, a binary file has zeros */
static bool looks_like_recording(const char *text, size_t size) {
  const size_t seen = size < LOOK ? size : LOOK;
  if (memchr(text, 0, seen)) return true;
  size_t i = 0, words = 0;
  while (i < seen && text[i] == '#') {
    while (i < seen && text[i] != '\n') i++;
    i += i < seen;
  }
  if (i < seen && (text[i] == '{' || text[i] == '[')) return false;
  for (; i < seen && text[i] != '\n'; i++) {
    if (text[i] == ':') return false;
    words += text[i] == ',' || text[i] == ';' || text[i] == '\t';
  }
  return words >= 2;
}

rbv_status rbv_robot_read(rbv_draft *draft, rbv_document **doc, const char *text, size_t size) {
  *doc = NULL;
  if (!looks_like_xml(text, size)) {
    if (looks_like_recording(text, size))
      return rbv_fail(RBV_EINPUT,
                      "%s: this is a recording or another table, not a robot file (URDF, MJCF or "
                      "YAML); the robot comes first, its recordings follow",
                      draft->file);
    RBV_TRY(rbv_document_parse(doc, draft->file, text, size));
    return rbv_draft_read_yaml(draft, *doc);
  }
  rbv_xml *xml;
  RBV_TRY(rbv_xml_parse(&xml, draft->file, text, size));
  RBV_TRY(rbv_robot_read_xml(draft, xml));
  return rbv_draft_complete(draft);
}

rbv_status rbv_robot_tree(robot_tree *out, rbv_draft *draft, const rbv_model *model) {
  *out = (robot_tree){.draft = draft, .what = model->format->title, .xml = model->document};
  rbv_status status = model->format->collect(out);
  if (status == RBV_OK) status = rbv_tree_choose(out);
  if (status != RBV_OK) rbv_tree_free(out);
  return status;
}
