/*
 * The rigid-body kernels of trees, one table per vector width; see kernel.h. They run the formulas
 * of the serial kernels along the branches. The state behind a body that carries several joints is
 * stored, and loaded again at the beginning of the next branch. Quantities are those of bodies: the
 * callers apply the map to the coordinates.
 */
#ifndef DYNAMICS_TREE_KERNEL_H
#define DYNAMICS_TREE_KERNEL_H

#include "dynamics/kernel.h"

typedef struct {
  kernel_chain chain;             // of all bodies
  const int *parent;              // below base: the base of the robot
  int base;                       // number of the first body: see regressor
  const int *first;               // of a body in path
  const int *path;                // bodies from the base to each body, itself included
  const int *depth;               // bodies above each body
  const int *slot;                // stored state of a body in lane quantities; -1: it is not stored
  const joint_geometry *ordered;  // the joints with the axes of the frames in cyclic order
  const int *last;                // axis of a frame that is the third one then
} kernel_tree;

#define TREE_SLOT 24  // lane quantities of a stored state, with 6 per body above and itself
#define TREE_BODY 10  // lane quantities of a composite body

typedef struct {
  int width;

  /* The tree may be a part from body `base` on, whose first body is at the base of the robot.
   * entry[first[j] + d]: first of the ten entries of body j in the row of the body at depth d.
   * saved: the stored states. */
  void (*regressor)(double *W, ptrdiff_t ldw, const int *entry, const kernel_tree *tree,
                    double *scratch, double *saved, const double *q, const double *dq,
                    const double *ddq, ptrdiff_t ld);

  /* ddq NULL: zero */
  void (*inverse)(double *tau, ptrdiff_t ldtau, const kernel_tree *tree, double *scratch,
                  double *saved, const double *link, const double *q, const double *dq,
                  const double *ddq, ptrdiff_t ld);

  /* M: bodies x bodies, all entries; bias NULL: not wanted; composite: bodies x TREE_BODY */
  void (*system)(double *M, double *bias, const kernel_tree *tree, double *scratch, double *saved,
                 double *composite, const double *link, const double *q, const double *dq,
                 ptrdiff_t ld);

  /* as of kernel.h: bodies x bodies, all entries, lanes at [(i + j bodies) width] */
  void (*derivatives)(double *const by[3], const kernel_tree *tree, double *scratch, double *saved,
                      const double *link, const double *q, const double *dq, const double *ddq,
                      ptrdiff_t ld);
} tree_kernel;

/* The kernels of a width that rbv_kernel_choose has returned. */
const tree_kernel *rbv_tree_kernel(int width);

extern const tree_kernel rbv_tree_kernel_w1, rbv_tree_kernel_w2;
extern const tree_kernel *const rbv_tree_kernel_w4, *const rbv_tree_kernel_w8;

#endif
