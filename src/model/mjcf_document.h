/*
 * The elements of an MJCF document with its includes and default classes resolved. Nodes are in the
 * order of the text; the children of an <include>'s root take the place of the <include>.
 */
#ifndef MODEL_MJCF_DOCUMENT_H
#define MODEL_MJCF_DOCUMENT_H

#include "model/robot_tree.h"

#define MJCF_CLASSES 1000  // default classes
#define MJCF_LEVELS 64     // elements that can give the attributes of one element

typedef struct {
  tree_place at;
  int parent;  // node, -1: the root; smaller than the node's own number
} mjcf_node;

/* What a default class says about a tag. */
typedef struct {
  tree_place at;  // <joint .../> in <default>
  int earlier;    // of the same class and tag, -1: none
} mjcf_default;

#define MJCF_TAGS 5  // tags with defaults that are used here; all actuators share theirs

typedef struct {
  const char *name;
  int parent;           // -1: none
  int last[MJCF_TAGS];  // default of each tag, -1: none
} mjcf_class;

typedef struct {
  int nnode;
  mjcf_node *node;
  int nclass;
  mjcf_class *class;  // "main" is class 0
  int ndefault;
  mjcf_default *fallback;
} mjcf_document;

/*
 * Read the tree's document. Included files are relative to the folder of the document and must be
 * in it or below it; each file can be included once. They belong to the tree.
 */
RBV_MUST_CHECK rbv_status rbv_mjcf_open(mjcf_document *out, robot_tree *t);
void rbv_mjcf_close(mjcf_document *m);

/* true if node i has this tag */
bool rbv_mjcf_is(const mjcf_document *m, int i, const char *tag);

/* Class with this name; NULL: none is named, the answer is otherwise. Unknown names are refused. */
RBV_MUST_CHECK rbv_status rbv_mjcf_class(int *out, const mjcf_document *m, int i,
                                         const char *attribute, int otherwise);

/* The elements that give the attributes of an element, itself first, then its class and the classes
 * that this is derived from. */
typedef struct {
  int count;
  tree_place at[MJCF_LEVELS];
} mjcf_levels;

RBV_MUST_CHECK rbv_status rbv_mjcf_levels(mjcf_levels *out, const mjcf_document *m, int i,
                                          int class);

/* The first level that has an attribute, NULL: none. */
const tree_place *rbv_mjcf_find(const mjcf_levels *levels, const char *attribute);

/* Its text, NULL: none. Its n numbers; without it out is not changed. */
const char *rbv_mjcf_text(const mjcf_levels *levels, const char *attribute);
RBV_MUST_CHECK rbv_status rbv_mjcf_reals(double *out, int n, const mjcf_levels *levels,
                                         const char *attribute);

/* Followers, closed loops and tendons: mark the joints of a tree, which has all joints of the
 * document. */
RBV_MUST_CHECK rbv_status rbv_mjcf_constraints(robot_tree *t, const mjcf_document *doc);

/* Limits that the actuators give: torque from forcerange and gear, or from the ctrlrange of a
 * motor; positions and velocities from the ctrlrange of a servo. automatic: a range limits without
 * being switched on. */
RBV_MUST_CHECK rbv_status rbv_mjcf_actuators(robot_tree *t, const mjcf_document *doc,
                                             bool automatic);

#endif
