/*
 * An export into the robot's own XML document: only inertials and drives of the arm change, the
 * rest stays byte for byte. Bodies that are rigidly attached to a moving link are part of that
 * link's parameters. Where they keep their own inertial, it is subtracted from the link.
 */
#ifndef EXPORT_OWN_DOCUMENT_H
#define EXPORT_OWN_DOCUMENT_H

#include "document/document.h"
#include "export/export_internal.h"
#include "model/model_formats.h"

#define OWN_DRIVE 4  // numbers of a drive

typedef struct own_document own_document;

/* How a format writes inertials and drives. Parameters are in the frame of the link's element. */
typedef struct {
  bool keeps_rigid;  // bodies behind fixed joints keep their inertials
  const char
      *drive[OWN_DRIVE];      // attributes for armature, damping, friction, stiffness; NULL: none
  const char *const *edited;  // tags of elements that the functions add or remove, ends with NULL
  // the element of a new inertial
  rbv_status (*put)(rbv_text *out, const double body[RBV_INERTIAL]);
  // new values of an inertial, and mass and inertia multiplied by a factor
  rbv_status (*change)(own_document *d, int link, const double body[RBV_INERTIAL]);
  rbv_status (*scale)(own_document *d, int link, double factor);
  rbv_status (*change_drive)(own_document *d, const tree_joint *joint, const double has[OWN_DRIVE],
                             const double want[OWN_DRIVE]);
} own_document_rules;

typedef struct {
  size_t begin, end;  // replaced; equal: inserted there
  int order;          // of edits at the same place
  rbv_text text;
} edit;

struct own_document {
  export_job *e;
  const rbv_xml *xml;
  robot_tree tree;
  const simulator_model *want;
  const own_document_rules *rules;
  double *has;    // nbody x 10: values of the document, merged
  double *kept;   // nbody x 10: the part of bodies that keep their inertial
  double *share;  // nbody: factor on their mass and inertia, 1 if the rest is a possible body
  int count;
  edit *edit;
};

/* Write the parameters into the text of the export, or refuse. */
RBV_MUST_CHECK rbv_status rbv_own_document_edit(export_job *e, const simulator_model *want,
                                                const own_document_rules *rules);

/* ---- for the functions of a format ---- */

/* Add an edit whose text the caller fills; NULL if memory is exhausted. */
rbv_text *rbv_edit_add(own_document *d, size_t begin, size_t end);

/* Set an attribute of the element with this span: replace its value, or add it behind the others.
 * Remove an attribute. */
RBV_MUST_CHECK rbv_status rbv_edit_attribute(own_document *d, const rbv_span *s, const char *name,
                                             const double *x, int n);
RBV_MUST_CHECK rbv_status rbv_edit_remove_attribute(own_document *d, const rbv_span *s,
                                                    const char *name);

/* A place for children of an element, which may be an empty-element tag: the text goes between its
 * tags. */
typedef struct {
  rbv_text *text;
  const char *close;  // tag to close after the children, NULL: none
} edit_inside;

RBV_MUST_CHECK rbv_status rbv_edit_inside(edit_inside *out, own_document *d, const rbv_element *e,
                                          const rbv_span *s);

/* A new inertial as the first child of a link, with a remark about a joint; joint -1: no remark. */
RBV_MUST_CHECK rbv_status rbv_edit_insert_inertial(own_document *d, int link,
                                                   const double body[RBV_INERTIAL], int joint);

/* The line break and indentation before a place of the document. */
void rbv_edit_indent(rbv_text *out, const char *text, size_t at, bool deeper);

/* A comment with what the data know; false: there is none. */
bool rbv_edit_remark(rbv_text *t, const export_job *e, int joint);

#endif
