/*
 * Formats of robot files: one row of the table in model_formats.c each. To add a format that
 * describes a tree in XML, write a function that fills a robot_tree and add its row.
 */
#ifndef MODEL_MODEL_FORMATS_H
#define MODEL_MODEL_FORMATS_H

#include "model/robot_tree.h"

struct robot_format {
  const char *name;                         // in robot files in YAML, and for users
  const char *title;                        // in messages
  const char *root;                         // tag of the root element; NULL: not XML
  const char *name_attribute;               // of the root element: name of the robot
  rbv_status (*collect)(robot_tree *tree);  // XML: fill the tree from its document
};

typedef struct robot_format robot_format;

/* Row i of the table; NULL past the last. */
const robot_format *rbv_robot_format_row(int i);

/* Read a robot file in memory into a draft. doc: a YAML document that the draft uses; the caller
 * frees it after the draft. */
RBV_MUST_CHECK rbv_status rbv_robot_read(rbv_draft *draft, rbv_document **doc, const char *text,
                                         size_t size);

/* Read an XML document into a draft, which owns it from here on, also after a failure. */
RBV_MUST_CHECK rbv_status rbv_robot_read_xml(rbv_draft *draft, rbv_xml *xml);

/* After everything is read: closed loops, springs. */
RBV_MUST_CHECK rbv_status rbv_draft_complete(rbv_draft *draft);

/*
 * The tree of a model's own document, with the arm marked as when the model was loaded. draft: an
 * empty draft for its remarks, with the options of the model; it must outlive the tree.
 */
RBV_MUST_CHECK rbv_status rbv_robot_tree(robot_tree *out, rbv_draft *draft, const rbv_model *model);

/* The functions of the rows. */
RBV_MUST_CHECK rbv_status rbv_urdf_collect(robot_tree *tree);
RBV_MUST_CHECK rbv_status rbv_mjcf_collect(robot_tree *tree);

#endif
