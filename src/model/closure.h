/*
 * Closed loops: a tree of joints whose bodies meet again, phi(q) = 0. Some joints are driven, q_a;
 * the others of the loops depend on them. q = q(q_a) on the branch of the reference configuration,
 * G = dq/dq_a, and the joints' acceleration is G ddq_a + bias(q, dq).
 */
#ifndef MODEL_CLOSURE_H
#define MODEL_CLOSURE_H

#include "model/geometry.h"

typedef enum {
  CLOSURE_POINT,      // two points coincide: three rows
  CLOSURE_AXIS,       // two unit vectors are equal: three rows, two of them independent
  CLOSURE_NORMAL,     // two unit vectors are at right angles: one row
  CLOSURE_POLYNOMIAL  // a joint is a polynomial of another one: one row
} closure_kind;

typedef struct {
  closure_kind kind;
  int body[2];      // -1: the base; of a polynomial: its joints q_0 = p(q_1), second -1: q_0 = p(0)
  double at[2][3];  // points or vectors in the frames of the bodies
  double c[5];      // coefficients of p
} closure_equation;

/* How two frames meet. */
typedef enum { LOOP_SPHERICAL, LOOP_REVOLUTE, LOOP_UNIVERSAL, LOOP_FIXED, LOOP_COUPLED } loop_type;

const char *rbv_loop_type_name(loop_type type); /* as in a YAML */

typedef struct {
  char *name;
  loop_type type;
  int body[2];       // as of an equation
  rbv_pose pose[2];  // the frames that meet, in the frames of the bodies; their z axes are the axes
  double c[5];
} draft_loop;

/* Constant after loading. */
typedef struct model_closure {
  int nbody;
  joint_geometry *geometry;  // nbody
  int *parent;               // nbody
  int nequation, nrow;
  closure_equation *equation;
  int ndriven, ndependent;
  int *driven, *dependent;  // bodies in ascending order
  double *reference;        // nbody
  double length;            // size of the mechanism [m], for tolerances
  bool linear;              // q = map q_a + offset closes the loops, as in parallelograms
  double *map, *offset;     // nbody x ndriven, nbody; of a linear closure
} model_closure;

/* Scratch memory of one thread; the joints' positions are in and out. */
typedef struct {
  double *q, *before;  // nbody
  rbv_pose *pose;      // nbody, in the base
  double *J;           // nrow x nbody: derivative of phi
  double *phi;         // nrow
  double *A, *beta;    // of the factors of the dependent columns: nrow x ndependent, ndependent
  double *rhs;         // nrow
  double *step;        // nbody
  double *motion;      // 9 nbody
} closure_work;

void rbv_closure_layout(closure_work *w, const model_closure *c, rbv_arena *a);
void rbv_closure_free(model_closure *c);

/* Poses, phi and J of w->q. */
void rbv_closure_place(closure_work *w, const model_closure *c);
/* Largest element of phi. */
double rbv_closure_residual(const closure_work *w, const model_closure *c);
/* Factors of the dependent columns of J; the ratio of their smallest to their largest singular
 * value, 0: singular. */
double rbv_closure_factor(closure_work *w, const model_closure *c);
/* The dependent joints follow surely from the driven ones at this ratio. */
bool rbv_closure_is_regular(double ratio);
/* Dependent joints for the driven ones of w->q; leaves the pose placed. False: it does not close.
 */
bool rbv_closure_newton(closure_work *w, const model_closure *c);
/* From the closed pose w->q along a straight line of the driven joints to this target (ndriven),
 * as long as the ratio of singular values is above `regular`. The last pose is placed and factored.
 *   share  out  the part of the line that was reached, 1: all of it; NULL: not wanted */
bool rbv_closure_follow(closure_work *w, const model_closure *c, const double *target,
                        double regular, double *share);
/* The movement of the dependent joints, of length one, that the factored closure resists least. */
void rbv_closure_loose(double *x, closure_work *w, const model_closure *c);
/* G, nbody x ndriven, of a pose that is placed and factored. */
void rbv_closure_rates(double *G, closure_work *w, const model_closure *c);
/* Accelerations of all joints at zero acceleration of the driven ones; dq: of all joints; as above.
 */
void rbv_closure_bias(double *bias, closure_work *w, const model_closure *c, const double *dq);

/* Find out whether the closure is linear in the driven joints, and its map. The reference pose is
 * closed; w: any contents. */
RBV_MUST_CHECK rbv_status rbv_closure_find_map(model_closure *c, closure_work *w);

/* Number of independent columns of J (placed) among the joints of a list, in its order; taken: out,
 * which; work: nrow x count. */
int rbv_closure_independent(bool *taken, double *work, const closure_work *w,
                            const model_closure *c, const int *joints, int count);

#endif
