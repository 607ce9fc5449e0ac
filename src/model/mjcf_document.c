#include "model/mjcf_document.h"

#include <stdlib.h>
#include <string.h>

#define NODES_MAX 200000
#define DEPTH_MAX 512    // nested elements, over all included files
#define INCLUDES_MAX 64  // included files

/* ---- includes ---- */

/* inside the folder of the main file: not absolute, and no step upwards */
static bool is_confined(const char *path) {
  if (path[0] == '/' || strchr(path, '\\')) return false;
  for (const char *at = path; *at;) {
    const size_t length = strcspn(at, "/");
    if (length == 2 && at[0] == '.' && at[1] == '.') return false;
    at += length + (at[length] == '/');
  }
  return *path != 0;
}

/* Does a link lead to a file that is not below the folder of the main file? */
static bool leads_out(const char *main, const char *name) {
  char *folder = realpath(main, NULL), *file = realpath(name, NULL);
  char *slash = folder ? strrchr(folder, '/') : NULL;
  if (slash) slash[1] = 0;
  const bool out = folder && file && strncmp(file, folder, strlen(folder)) != 0;
  free(folder);
  free(file);
  return out;
}

static rbv_status load_included(const rbv_xml **out, robot_tree *t, const tree_place *at) {
  const char *file = rbv_element_attribute(at->element, "file");
  if (!file) return rbv_tree_fail(RBV_EINPUT, at, "<include> needs the attribute 'file'");
  if (!is_confined(file))
    return rbv_tree_fail(RBV_EUNSUPPORTED, at,
                         "<include> names '%s'; an included file must be in the folder of the main "
                         "file or below it",
                         file);
  const char *main = rbv_xml_name(t->xml), *slash = strrchr(main, '/');
  rbv_text path = {0};
  if (slash) rbv_text_add(&path, main, (size_t)(slash - main) + 1);
  rbv_text_put(&path, file);
  const char *name = rbv_text_string(&path);
  rbv_status status = name ? RBV_OK : RBV_EMEM;
  bool repeated = name && strcmp(name, main) == 0;
  for (int i = 0; i < t->nincluded && name; i++)
    repeated = repeated || strcmp(rbv_xml_name(t->included[i]), name) == 0;
  if (repeated)
    status = rbv_tree_fail(RBV_EINPUT, at, "<include> names '%s', which is already included", file);
  else if (t->nincluded == INCLUDES_MAX)
    status = rbv_tree_fail(RBV_EINPUT, at, "more than %d files are included", INCLUDES_MAX);
  else if (name && leads_out(main, name))
    status = rbv_tree_fail(RBV_EUNSUPPORTED, at,
                           "<include> names '%s', a link that leads out of the folder of the main "
                           "file",
                           file);
  rbv_xml *xml = NULL;
  if (status == RBV_OK) status = rbv_xml_load(&xml, name);
  rbv_text_free(&path);
  if (status != RBV_OK) return status;
  t->included[t->nincluded++] = xml;
  const char *root = rbv_element_tag(rbv_xml_root(xml));
  if (strcmp(root, "mujoco") != 0 && strcmp(root, "mujocoinclude") != 0)
    return rbv_element_fail(RBV_EINPUT, xml, rbv_xml_root(xml),
                            "the root is <%s>; an included file begins with <mujocoinclude> or "
                            "<mujoco>",
                            root);
  *out = xml;
  return RBV_OK;
}

/* ---- nodes ---- */

static rbv_status add_node(mjcf_document *m, const tree_place *at, int parent) {
  if (m->nnode == NODES_MAX)
    return rbv_tree_fail(RBV_EUNSUPPORTED, at, "more than %d elements", NODES_MAX);
  if ((m->nnode & (m->nnode - 1)) == 0) {
    const size_t old = (size_t)m->nnode * sizeof *m->node;
    mjcf_node *more = rbv_realloc(m->node, old, m->nnode ? 2 * old : sizeof *m->node);
    if (!more) return RBV_EMEM;
    m->node = more;
  }
  m->node[m->nnode++] = (mjcf_node){*at, parent};
  return RBV_OK;
}

typedef struct {
  const rbv_element *next;
  const rbv_xml *xml;
  int parent;
} frame;

/* all elements in the order of the text, with an explicit stack */
static rbv_status add_nodes(mjcf_document *m, robot_tree *t, frame *stack) {
  const tree_place root = {t->xml, rbv_xml_root(t->xml)};
  RBV_TRY(add_node(m, &root, -1));
  int top = 0;
  stack[0] = (frame){rbv_element_child(root.element, NULL), t->xml, 0};
  while (top >= 0) {
    frame *f = &stack[top];
    if (!f->next) {
      top--;
      continue;
    }
    const tree_place at = {f->xml, f->next};
    const int parent = f->parent;
    f->next = rbv_element_next(f->next, NULL);
    if (top + 1 == DEPTH_MAX)
      return rbv_tree_fail(RBV_EUNSUPPORTED, &at, "nested deeper than %d", DEPTH_MAX);
    if (strcmp(rbv_element_tag(at.element), "include") == 0) {
      const rbv_xml *xml = NULL;
      const rbv_status status = load_included(&xml, t, &at);
      // bodies are missing where a body or the world includes a file; drives and poses elsewhere
      if (status == RBV_EREAD && (parent == 0 || t->draft->options->describe)) {
        RBV_TRY(rbv_draft_add_note(t->draft,
                                   "line %d: the included file '%s' is missing, and what it "
                                   "describes is left out",
                                   rbv_element_line(at.element),
                                   rbv_element_attribute(at.element, "file")));
        continue;
      }
      RBV_TRY(status);
      stack[++top] = (frame){rbv_element_child(rbv_xml_root(xml), NULL), xml, parent};
    } else {
      RBV_TRY(add_node(m, &at, parent));
      stack[++top] = (frame){rbv_element_child(at.element, NULL), at.xml, m->nnode - 1};
    }
  }
  return RBV_OK;
}

bool rbv_mjcf_is(const mjcf_document *m, int i, const char *tag) {
  return strcmp(rbv_element_tag(m->node[i].at.element), tag) == 0;
}

/* ---- classes ---- */

static int find_class(const mjcf_document *m, const char *name) {
  for (int c = 0; c < m->nclass; c++)
    if (strcmp(m->class[c].name, name) == 0) return c;
  return -1;
}

static int new_class(mjcf_document *m, const char *name, int parent) {
  mjcf_class *c = &m->class[m->nclass];
  *c = (mjcf_class){.name = name, .parent = parent};
  for (int k = 0; k < MJCF_TAGS; k++) c->last[k] = -1;
  return m->nclass++;
}

/* class of a <default>; parent -1: at the top, where a second section continues the first one */
static rbv_status add_class(int *out, mjcf_document *m, const tree_place *at, int parent) {
  const char *name = rbv_element_attribute(at->element, "class");
  if (parent < 0) {
    *out = 0;
    if (name && m->nclass == 1) m->class[0].name = name;
    return RBV_OK;
  }
  if (!name) return rbv_tree_fail(RBV_EINPUT, at, "a nested <default> needs the attribute 'class'");
  if (find_class(m, name) >= 0)
    return rbv_tree_fail(RBV_EINPUT, at, "two default classes are called '%s'", name);
  if (m->nclass == MJCF_CLASSES)
    return rbv_tree_fail(RBV_EUNSUPPORTED, at, "more than %d default classes", MJCF_CLASSES);
  *out = new_class(m, name, parent);
  return RBV_OK;
}

/* -1: its defaults are not used here */
static int tag_number(const char *tag) {
  static const char *const used[] = {"joint", "geom", "site", "mesh", "general"};
  static const char *const actuators[] = {"motor",  "position", "velocity", "intvelocity",
                                          "damper", "cylinder", "muscle",   "adhesion"};
  for (int k = 0; k < MJCF_TAGS; k++)
    if (strcmp(used[k], tag) == 0) return k;
  for (int k = 0; k < RBV_COUNT(actuators); k++)
    if (strcmp(actuators[k], tag) == 0) return MJCF_TAGS - 1;
  return -1;
}

/* class_of: nodes; the class of each <default>, -1 for other nodes */
static rbv_status read_defaults(mjcf_document *m, int *class_of) {
  new_class(m, "main", -1);
  for (int i = 0; i < m->nnode; i++) {
    const mjcf_node *n = &m->node[i];
    class_of[i] = -1;
    if (n->parent < 0) continue;
    if (rbv_mjcf_is(m, i, "default") && (n->parent == 0 || class_of[n->parent] >= 0))
      RBV_TRY(add_class(&class_of[i], m, &n->at, n->parent == 0 ? -1 : class_of[n->parent]));
    const int tag = tag_number(rbv_element_tag(n->at.element));
    if (class_of[i] >= 0 || class_of[n->parent] < 0 || tag < 0) continue;
    int *last = &m->class[class_of[n->parent]].last[tag];
    m->fallback[m->ndefault] = (mjcf_default){n->at, *last};
    *last = m->ndefault++;
  }
  return RBV_OK;
}

rbv_status rbv_mjcf_open(mjcf_document *out, robot_tree *t) {
  *out = (mjcf_document){0};
  frame *stack = rbv_alloc(DEPTH_MAX * sizeof *stack);
  t->included = rbv_alloc(INCLUDES_MAX * sizeof(rbv_xml *));
  rbv_status status = stack && t->included ? add_nodes(out, t, stack) : RBV_EMEM;
  rbv_free(stack);
  int *class_of = NULL;
  if (status == RBV_OK) {
    class_of = rbv_alloc((size_t)out->nnode * sizeof *class_of);
    out->fallback = rbv_alloc((size_t)out->nnode * sizeof *out->fallback);
    out->class = rbv_alloc(MJCF_CLASSES * sizeof *out->class);
    status = class_of && out->fallback && out->class ? read_defaults(out, class_of) : RBV_EMEM;
  }
  rbv_free(class_of);
  if (status != RBV_OK) rbv_mjcf_close(out);
  return status;
}

void rbv_mjcf_close(mjcf_document *m) {
  rbv_free(m->node);
  rbv_free(m->fallback);
  rbv_free(m->class);
  m->class = NULL;
  m->node = NULL;
  m->fallback = NULL;
}

rbv_status rbv_mjcf_class(int *out, const mjcf_document *m, int i, const char *attribute,
                          int otherwise) {
  const tree_place *at = &m->node[i].at;
  const char *name = rbv_element_attribute(at->element, attribute);
  *out = otherwise;
  if (!name) return RBV_OK;
  *out = find_class(m, name);
  if (*out < 0) return rbv_tree_fail(RBV_EINPUT, at, "there is no default class '%s'", name);
  return RBV_OK;
}

rbv_status rbv_mjcf_levels(mjcf_levels *out, const mjcf_document *m, int i, int class) {
  out->count = 1;
  out->at[0] = m->node[i].at;
  const int tag = tag_number(rbv_element_tag(out->at[0].element));
  RBV_TRY(rbv_mjcf_class(&class, m, i, "class", class));
  for (int c = class; c >= 0 && tag >= 0; c = m->class[c].parent)
    // of two elements of one class the later one decides
    for (int k = m->class[c].last[tag]; k >= 0; k = m->fallback[k].earlier) {
      if (out->count == MJCF_LEVELS)
        return rbv_tree_fail(RBV_EUNSUPPORTED, &out->at[0],
                             "its attributes come from more than %d default elements", MJCF_LEVELS);
      out->at[out->count++] = m->fallback[k].at;
    }
  return RBV_OK;
}

const tree_place *rbv_mjcf_find(const mjcf_levels *levels, const char *attribute) {
  for (int k = 0; k < levels->count; k++)
    if (rbv_element_attribute(levels->at[k].element, attribute)) return &levels->at[k];
  return NULL;
}

const char *rbv_mjcf_text(const mjcf_levels *levels, const char *attribute) {
  const tree_place *at = rbv_mjcf_find(levels, attribute);
  return at ? rbv_element_attribute(at->element, attribute) : NULL;
}

rbv_status rbv_mjcf_reals(double *out, int n, const mjcf_levels *levels, const char *attribute) {
  const tree_place *at = rbv_mjcf_find(levels, attribute);
  return at ? rbv_element_reals(out, n, at->xml, at->element, attribute) : RBV_OK;
}
