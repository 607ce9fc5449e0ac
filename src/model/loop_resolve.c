/*
 * From the loops of a robot file to a closure: its equations, which joints depend on which, and the
 * reference pose.
 */
#include <math.h>
#include <string.h>

#include "base/support.h"
#include "model/model_draft.h"

#define EQUATIONS_PER_LOOP 3

/* ---- equations ---- */

static int direction(closure_equation *e, closure_kind kind, const draft_loop *loop, int first,
                     int second) {
  *e = (closure_equation){.kind = kind, .body = {loop->body[0], loop->body[1]}};
  const int column[2] = {first, second};
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 3; i++) e->at[side][i] = loop->pose[side].R[3 * i + column[side]];
  return 1;
}

static int equations_of(closure_equation *e, const draft_loop *loop) {
  e[0] = (closure_equation){.kind = CLOSURE_POINT, .body = {loop->body[0], loop->body[1]}};
  for (int side = 0; side < 2; side++)
    memcpy(e[0].at[side], loop->pose[side].p, sizeof e[0].at[side]);
  switch (loop->type) {
    case LOOP_SPHERICAL: return 1;
    case LOOP_REVOLUTE: return 1 + direction(&e[1], CLOSURE_AXIS, loop, 2, 2);
    case LOOP_UNIVERSAL: return 1 + direction(&e[1], CLOSURE_NORMAL, loop, 2, 2);
    case LOOP_FIXED:
      return 1 + direction(&e[1], CLOSURE_AXIS, loop, 2, 2) +
             direction(&e[2], CLOSURE_AXIS, loop, 0, 0);
    case LOOP_COUPLED:
      e[0].kind = CLOSURE_POLYNOMIAL;
      memcpy(e[0].c, loop->c, sizeof e[0].c);
      return 1;
  }
  return 0;
}

/* joints that mimic others become couplings, which may then follow a passive joint */
static rbv_status couple_followers(rbv_draft *d) {
  for (int j = 0; j < d->njoint; j++) {
    draft_joint *joint = &d->joint[j];
    if (joint->leader < 0) continue;
    const draft_loop loop = {.type = LOOP_COUPLED,
                             .body = {j, joint->leader},
                             .c = {joint->mimic_offset, joint->multiplier}};
    joint->leader = -1;
    RBV_TRY(rbv_draft_add_loop(d, joint->name, &loop));
  }
  return RBV_OK;
}

static rbv_status new_closure(model_closure **out, const rbv_draft *d) {
  const size_t n = (size_t)d->njoint;
  RBV_NEW(model_closure, c, 1);
  *out = c;
  c->nbody = d->njoint;
  c->geometry = rbv_alloc(n * sizeof *c->geometry);
  c->parent = rbv_alloc(n * sizeof *c->parent);
  c->equation = rbv_alloc((size_t)d->nloop * EQUATIONS_PER_LOOP * sizeof *c->equation);
  c->driven = rbv_alloc(n * sizeof *c->driven);
  c->dependent = rbv_alloc(n * sizeof *c->dependent);
  c->reference = rbv_alloc(n * sizeof *c->reference);
  if (!c->geometry || !c->parent || !c->equation || !c->driven || !c->dependent || !c->reference)
    return RBV_EMEM;
  for (int i = 0; i < d->njoint; i++) {
    const double *p = d->joint[i].geometry.origin;
    c->geometry[i] = d->joint[i].geometry;
    c->parent[i] = d->joint[i].parent;
    c->reference[i] = d->joint[i].reference;
    c->length += sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
  }
  for (int i = 0; i < d->nloop; i++)
    c->nequation += equations_of(c->equation + c->nequation, &d->loop[i]);
  for (int i = 0; i < c->nequation; i++)
    c->nrow += c->equation[i].kind == CLOSURE_POINT || c->equation[i].kind == CLOSURE_AXIS ? 3 : 1;
  if (!(c->length > 0)) c->length = 1;
  return RBV_OK;
}

rbv_status rbv_draft_copy_loops(rbv_draft *d, const rbv_draft *from) {
  if (d->njoint != from->njoint)
    return rbv_fail(RBV_EINPUT, "%s: it has %d moving joints, and its closed loops belong to %d",
                    d->file, d->njoint, from->njoint);
  for (int i = 0; i < from->nloop; i++)
    RBV_TRY(rbv_draft_add_loop(d, from->loop[i].name, &from->loop[i]));
  for (int j = 0; j < d->njoint; j++) {
    d->joint[j].leader = -1;  // joints that mimic others are among the loops
    d->joint[j].driven = !from->joint[j].passive;
    d->joint[j].reference = from->closure->reference[j];
  }
  return RBV_OK;
}

/* ---- which joints depend on the others ---- */

/* joints of the list in the order in which they are made dependent: those without a drive, then
 * those with springs, from the tips on */
static void order_joints(int *list, const rbv_draft *d) {
  int count = 0;
  for (int rank = 0; rank < 4; rank++)
    for (int j = d->njoint - 1; j >= 0; j--) {
      const draft_joint *joint = &d->joint[j];
      const bool drives = joint->has_actuator || joint->driven;
      const int own = joint->of_base ? 3 : drives ? 2 : joint->stiffness != 0 ? 1 : 0;
      if (own == rank) list[count++] = j;
    }
}

static void split_joints(model_closure *c, const int *list, const bool *taken) {
  c->ndriven = c->ndependent = 0;
  for (int j = 0; j < c->nbody; j++)
    for (int k = 0; k < c->nbody; k++) {
      if (list[k] != j) continue;
      if (taken[k])
        c->dependent[c->ndependent++] = j;
      else
        c->driven[c->ndriven++] = j;
    }
}

/* joints of a list with (taken) or without the mark */
static rbv_status put_joints(rbv_text *out, const rbv_draft *d, const int *list, const bool *taken,
                             int count, bool which) {
  for (int k = 0; k < count; k++)
    if (taken[k] == which)
      rbv_text_print(out, "%s'%s'", out->size ? ", " : "", d->joint[list[k]].name);
  return out->failed ? RBV_EMEM : RBV_OK;
}

/* the sentence of a wrong list of driven joints */
static rbv_status refuse_driven(const rbv_draft *d, const model_closure *c, const int *list,
                                const bool *taken, int mobility) {
  rbv_text free_joints = {0};
  RBV_TRY(put_joints(&free_joints, d, list, taken, c->nbody, false));
  const char *names = rbv_text_string(&free_joints);
  const rbv_status status = rbv_fail(
      RBV_EINPUT,
      "%s: the closed loops leave a mobility of %d, and %d joints are named as driven: drive %d "
      "joints that determine all others, for example %s",
      d->file, mobility, c->ndriven, mobility, names ? names : "");
  rbv_text_free(&free_joints);
  return status;
}

/* ---- the reference pose ---- */

static rbv_status close_reference(closure_work *w, model_closure *c, const rbv_draft *d) {
  memcpy(w->q, c->reference, (size_t)c->nbody * sizeof *w->q);
  if (!rbv_closure_newton(w, c)) {
    memcpy(w->q, c->reference, (size_t)c->nbody * sizeof *w->q);
    rbv_closure_place(w, c);
    return rbv_fail(RBV_EINPUT,
                    "%s: the loops do not close near the reference pose (gap %.3g m there): give "
                    "positions of the joints at which they close under 'reference'",
                    d->file, rbv_closure_residual(w, c));
  }
  memcpy(c->reference, w->q, (size_t)c->nbody * sizeof *w->q);
  return RBV_OK;
}

typedef struct {
  int *list;
  bool *taken;
  double *work;
} choice;

/* with driven joints of the file: they must determine the others */
static rbv_status take_driven(closure_work *w, model_closure *c, const rbv_draft *d,
                              const choice *k) {
  for (int i = 0; i < c->nbody; i++)
    k->taken[i] = !d->joint[k->list[i]].driven && !d->joint[k->list[i]].of_base;
  split_joints(c, k->list, k->taken);
  // least squares need as many rows as unknowns
  const bool enough = c->ndependent <= c->nrow;
  rbv_status status = enough ? close_reference(w, c, d) : RBV_OK;
  if (!enough || status != RBV_OK) {
    memcpy(w->q, c->reference, (size_t)c->nbody * sizeof *w->q);
    rbv_closure_place(w, c);
  }
  const int rank = rbv_closure_independent(k->taken, k->work, w, c, k->list, c->nbody);
  if (rank != c->ndependent) return refuse_driven(d, c, k->list, k->taken, c->nbody - rank);
  if (status != RBV_OK) return status;
  const int determined =
      rbv_closure_independent(k->taken, k->work, w, c, c->dependent, c->ndependent);
  if (determined == rank) return RBV_OK;
  (void)rbv_closure_independent(k->taken, k->work, w, c, k->list, c->nbody);
  return refuse_driven(d, c, k->list, k->taken, c->nbody - rank);
}

static rbv_status choose_driven(closure_work *w, model_closure *c, rbv_draft *d, const choice *k) {
  memcpy(w->q, c->reference, (size_t)c->nbody * sizeof *w->q);
  rbv_closure_place(w, c);
  (void)rbv_closure_independent(k->taken, k->work, w, c, k->list, c->nbody);
  split_joints(c, k->list, k->taken);
  RBV_TRY(close_reference(w, c, d));
  rbv_text names = {0};
  for (int i = 0; i < c->ndriven; i++)
    rbv_text_print(&names, "%s%s", i ? ", " : "", d->joint[c->driven[i]].name);
  const char *list = rbv_text_string(&names);
  const rbv_status status =
      list ? rbv_draft_add_note(d,
                                "closed loops: these joints are taken as driven: %.300s; a YAML "
                                "file beside the robot can name others under 'driven'",
                                list)
           : RBV_EMEM;
  rbv_text_free(&names);
  return status;
}

/* ---- into the draft ---- */

static rbv_status mark_passive(rbv_draft *d, const model_closure *c) {
  for (int k = 0; k < c->ndependent; k++) {
    draft_joint *joint = &d->joint[c->dependent[k]];
    joint->passive = true;
    if (!joint->has_drive) joint->ndrive = 0;
    for (int i = 0; i < joint->ndrive; i++) {
      const rbv_law *law = joint->drive[i].law;
      const bool simple = law->motion == RBV_LAW_SPEED && law->state_count == 0 &&
                          !law->uses_torque && !law->replaces;
      if (!simple)
        return rbv_fail(RBV_EUNSUPPORTED,
                        "%s: joint '%s' is not driven, so its drive can have friction such as Fv "
                        "and Fc, not %s",
                        d->file, joint->name, joint->drive[i].as->prefix);
    }
    if (joint->stiffness != 0)
      RBV_TRY(
          rbv_draft_add_note(d, "joint '%s' is not driven: its spring is left out", joint->name));
  }
  return RBV_OK;
}

/* bodies without mass have no parameters: their columns would be fictitious base parameters */
static void mark_massless(rbv_draft *d) {
  double all = 0;
  for (int j = 0; j < d->njoint; j++) all += fabs(d->joint[j].inertial[RBV_INERTIAL - 1]);
  for (int j = 0; j < d->njoint && d->document && all > 0; j++) {
    bool empty = true;
    for (int c = 0; c < RBV_INERTIAL; c++) empty = empty && d->joint[j].inertial[c] == 0;
    d->joint[j].massless = d->joint[j].massless || empty;
  }
}

static rbv_status resolve(closure_work *w, model_closure *c, rbv_draft *d, const choice *k) {
  bool named = false;
  for (int j = 0; j < d->njoint; j++) named = named || d->joint[j].driven;
  order_joints(k->list, d);
  RBV_TRY(named ? take_driven(w, c, d, k) : choose_driven(w, c, d, k));
  if (c->ndriven == 0)
    return rbv_fail(RBV_EINPUT, "%s: the closed loops leave no joint that can move", d->file);
  if (!rbv_closure_is_regular(rbv_closure_factor(w, c)))
    RBV_TRY(rbv_draft_add_note(d,
                               "closed loops: the reference pose is singular; there the driven "
                               "joints do not determine the others"));
  mark_massless(d);
  RBV_TRY(rbv_closure_find_map(c, w));
  return mark_passive(d, c);
}

static void layout(closure_work *w, choice *k, const model_closure *c, rbv_arena *a) {
  rbv_closure_layout(w, c, a);
  k->list = RBV_TAKE(a, c->nbody, int);
  k->taken = RBV_TAKE(a, c->nbody, bool);
  k->work = RBV_TAKE(a, c->nrow * (c->nrow + 1), double);
}

rbv_status rbv_loops_resolve(rbv_draft *d) {
  if (d->nloop == 0) return RBV_OK;
  RBV_TRY(couple_followers(d));
  RBV_TRY(new_closure(&d->closure, d));
  model_closure *c = d->closure;
  c->ndependent = c->nbody;  // at most
  closure_work w = {0};
  choice k = {0};
  rbv_arena memory = {0};
  RBV_CARVE(&memory, layout(&w, &k, c, &memory));
  if (!memory.base) return RBV_EMEM;
  RBV_FINISH(resolve(&w, c, d, &k), rbv_free(memory.base));
}
