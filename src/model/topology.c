/* Bodies, coordinates and the linear map between them; what consumers ask about them. */

#include <string.h>

#include "model/model_draft.h"

static bool is_coordinate(const draft_joint *joint) { return joint->leader < 0 && !joint->passive; }

int rbv_draft_coordinate(const rbv_draft *d, int joint) {
  if (!is_coordinate(&d->joint[joint])) return -1;
  int coordinate = 0;
  for (int j = 0; j < joint; j++) coordinate += is_coordinate(&d->joint[j]);
  return coordinate;
}

/* ---- followers ---- */

/* the leader of a follower that is no follower itself, and the relation to it; false: a circle */
static bool resolve(draft_joint *out, const rbv_draft *d, int joint) {
  *out = d->joint[joint];
  for (int step = 0; d->joint[out->leader].leader >= 0; step++) {
    const draft_joint *next = &d->joint[out->leader];
    if (step > d->njoint) return false;
    out->mimic_offset += out->multiplier * next->mimic_offset;
    out->multiplier *= next->multiplier;
    out->leader = next->leader;
  }
  return true;
}

/* every follower names a coordinate */
static rbv_status resolve_followers(rbv_draft *d) {
  for (int j = 0; j < d->njoint; j++) {
    draft_joint joint;
    if (d->joint[j].leader < 0) continue;
    if (!resolve(&joint, d, j))
      return rbv_fail(RBV_EINPUT, "%s: joint '%s' mimics a joint that mimics it in a circle",
                      d->file, d->joint[j].name);
    d->joint[j].mimic_offset = joint.mimic_offset;
    d->joint[j].multiplier = joint.multiplier;
    d->joint[j].leader = joint.leader;
    // a drive belongs to the leader
    d->joint[j].ndrive = 0;
  }
  return RBV_OK;
}

/* ---- the model ---- */

static bool allocate(rbv_model *m) {
  const size_t nbody = (size_t)m->nbody, n = (size_t)m->njoint;
  // bodies without columns need the map's way through the regressor
  const bool mapped = m->njoint < m->nbody || m->nmassless > 0 || m->nmotor > 0;
  m->body = rbv_alloc(nbody * sizeof *m->body);
  m->joint = mapped ? rbv_alloc(n * sizeof *m->joint) : m->body;
  m->parent = rbv_alloc(nbody * sizeof *m->parent);
  m->support = rbv_alloc(nbody * sizeof *m->support);
  m->tip_body = rbv_alloc(nbody * sizeof *m->tip_body);
  m->coordinate = rbv_alloc(nbody * sizeof *m->coordinate);
  m->leader = rbv_alloc(n * sizeof *m->leader);
  if (m->nmotor > 0) m->motor = rbv_alloc((size_t)m->nmotor * sizeof *m->motor);
  if (mapped) {
    m->map = rbv_alloc(nbody * n * sizeof *m->map);
    m->map_offset = rbv_alloc(nbody * sizeof *m->map_offset);
  }
  return m->body && m->joint && m->parent && m->support && m->tip_body && m->coordinate &&
         m->leader && (m->motor || m->nmotor == 0) && (!mapped || (m->map && m->map_offset));
}

/* motors of elastic joints carry nothing, and are no tips */
static void find_tips(rbv_model *m) {
  for (int i = 0; i < m->nbody - m->nmotor; i++) {
    bool carries = false;
    for (int k = i + 1; k < m->nbody; k++) carries = carries || m->parent[k] == i;
    if (!carries) m->tip_body[m->ntip++] = i;
  }
}

static int find_group(const int *group, int joint) {
  while (group[joint] != joint) joint = group[joint];
  return joint;
}

/* joints that an equation has in common belong to one group */
static void group_joints(int *group, const model_closure *c) {
  for (int j = 0; j < c->nbody; j++) group[j] = j;
  for (int e = 0; e < c->nequation; e++) {
    const closure_equation *eq = &c->equation[e];
    int first = -1;
    for (int side = 0; side < 2; side++)
      for (int j = eq->body[side]; j >= 0; j = c->parent[j]) {
        int other = eq->body[1 - side];
        while (other > j) other = c->parent[other];
        const bool polynomial = eq->kind == CLOSURE_POLYNOMIAL;
        if (other == j && !polynomial) break;
        if (first < 0) first = find_group(group, j);
        group[find_group(group, j)] = first;
        if (polynomial) break;
      }
  }
}

/* which joints can depend on which coordinates: a pattern, since the factors change with the pose
 */
static rbv_status fill_pattern(rbv_model *m) {
  RBV_NEW(int, group, m->nbody);
  group_joints(group, m->closure);
  for (int i = 0; i < m->nbody; i++)
    for (int c = 0; c < m->njoint; c++) {
      const bool same = find_group(group, i) == find_group(group, m->leader[c]);
      m->map[i + c * m->nbody] = m->coordinate[i] >= 0 ? m->coordinate[i] == c : same;
    }
  rbv_free(group);
  return RBV_OK;
}

static void fill_map(rbv_model *m, const rbv_draft *d) {
  if (d->closure) {
    memcpy(m->map, d->closure->map, (size_t)(m->nbody * m->njoint) * sizeof *m->map);
    memcpy(m->map_offset, d->closure->offset, (size_t)m->nbody * sizeof *m->map_offset);
    return;
  }
  for (int i = 0; i < m->nbody; i++) {
    const draft_joint *joint = &d->joint[i];
    const bool follows = joint->leader >= 0;
    m->map_offset[i] = follows ? joint->mimic_offset : 0;
    m->map[i + m->coordinate[follows ? joint->leader : i] * m->nbody] =
        follows ? joint->multiplier : 1;
  }
}

rbv_status rbv_topology_build(rbv_model *m, rbv_draft *d) {
  RBV_TRY(resolve_followers(d));
  m->nbody = d->njoint;
  m->njoint = 0;
  for (int i = 0; i < m->nbody; i++) {
    m->njoint += is_coordinate(&d->joint[i]);
    m->nmassless += d->joint[i].massless && d->joint[i].of_base;
    m->nmotor += d->joint[i].motor;
  }
  if (!allocate(m)) return RBV_EMEM;
  for (int i = 0; i < m->nbody; i++) {
    const draft_joint *joint = &d->joint[i];
    m->parent[i] = joint->parent;
    m->branched = m->branched || joint->parent != i - 1;
    if (joint->parent >= 0) m->support[i] = m->support[joint->parent];
    set_add(&m->support[i], i);
    m->coordinate[i] = rbv_draft_coordinate(d, i);
    if (m->coordinate[i] >= 0) m->leader[m->coordinate[i]] = i;
    m->body[i] = (rbv_joint){joint->name, joint->geometry.type, joint->limits};
    if (m->map && m->coordinate[i] >= 0) m->joint[m->coordinate[i]] = m->body[i];
  }
  for (int i = 0; i < m->nmotor; i++)
    m->motor[i] = m->coordinate[d->joint[m->nbody - m->nmotor + i].leads];
  find_tips(m);
  m->closure = d->closure && !d->closure->linear ? d->closure : NULL;
  if (m->closure)
    RBV_TRY(fill_pattern(m));
  else if (m->map)
    fill_map(m, d);
  m->free_base = d->free_base;
  if (m->carrier >= m->nbody)
    return rbv_fail(RBV_EARG, "there is no body %d for the payload", m->carrier + 1);
  if (m->nmotor > 0 && m->ntip == 1 && m->carrier < 0) m->carrier = m->tip_body[0];
  if (m->payload && m->branched && m->carrier < 0)
    return rbv_fail_option(RBV_EUNSUPPORTED, "tip",
                           "%s: a payload needs one tip, and the robot has %d: choose one", d->file,
                           m->ntip);
  if (m->carrier < 0) m->carrier = m->nbody - 1;
  if (d->transmission && m->map)
    return rbv_fail(
        RBV_EUNSUPPORTED,
        "%s: a transmission together with closed loops or joints that mimic others is not "
        "supported",
        d->file);
  return RBV_OK;
}

/* ---- access ---- */

int rbv_model_body_count(const rbv_model *m) { return m ? m->nbody : 0; }

const char *rbv_model_body_joint(const rbv_model *m, int body) {
  return m && body >= 0 && body < m->nbody ? m->body[body].name : NULL;
}

/* fixed links are frames of the same body: the moving one is at its origin, or comes first */
const char *rbv_model_body_link(const rbv_model *m, int body) {
  const char *name = NULL;
  for (int i = 0; m && body >= 0 && i < m->nframe; i++) {
    const double *p = m->frame[i].p;
    if (m->frame[i].link != body + 1) continue;
    if (p[0] == 0 && p[1] == 0 && p[2] == 0) return m->frame[i].name;
    if (!name) name = m->frame[i].name;
  }
  return name;
}

int rbv_model_parent(const rbv_model *m, int body) {
  return m && body >= 0 && body < m->nbody ? m->parent[body] : -1;
}

int rbv_model_tip_count(const rbv_model *m) { return m ? m->ntip : 0; }

int rbv_model_tip_body(const rbv_model *m, int tip) {
  return m && tip >= 0 && tip < m->ntip ? m->tip_body[tip] : -1;
}

bool rbv_model_has_free_base(const rbv_model *m) { return m && m->free_base; }

bool rbv_model_base_moves(const rbv_model *m) { return m && m->nmassless > 0; }

rbv_status rbv_model_need_held(const rbv_model *m, const char *consumer) {
  if (!rbv_model_base_moves(m)) return RBV_OK;
  return rbv_fail_option(RBV_EUNSUPPORTED, "free-base", "%s does not support a base that moves",
                         consumer);
}

/* of all loops, those with a linear map included; NULL: none */
static const model_closure *loops_of(const rbv_model *m) {
  return m ? m->core->draft.closure : NULL;
}

bool rbv_model_is_passive(const rbv_model *m, int body) {
  return loops_of(m) && body >= 0 && body < m->nbody && m->coordinate[body] < 0;
}

double rbv_model_reference(const rbv_model *m, int body) {
  const model_closure *c = loops_of(m);
  return c && body >= 0 && body < m->nbody ? c->reference[body] : 0;
}

int rbv_model_loop_count(const rbv_model *m) { return loops_of(m) ? m->core->draft.nloop : 0; }

const char *rbv_model_loop_name(const rbv_model *m, int i) {
  return i >= 0 && i < rbv_model_loop_count(m) ? m->core->draft.loop[i].name : NULL;
}

int rbv_model_leader(const rbv_model *m, int body) {
  int leader = m->coordinate[body];
  for (int j = 0; leader < 0 && j < m->njoint; j++)
    if (m->map[body + j * m->nbody] != 0) leader = j;
  return leader < 0 ? 0 : leader;
}

int rbv_model_joint_body(const rbv_model *m, int joint) {
  return m && joint >= 0 && joint < m->njoint ? m->leader[joint] : -1;
}

double rbv_model_map(double *offset, const rbv_model *m, int body, int joint) {
  const bool there = m && body >= 0 && body < m->nbody && joint >= 0 && joint < m->njoint;
  if (offset) *offset = there && m->map ? m->map_offset[body] : 0;
  if (!there) return 0;
  return m->map ? m->map[body + joint * m->nbody] : body == joint;
}

rbv_status rbv_model_need_open(const rbv_model *m, const char *consumer) {
  if (!m || !m->closure) return RBV_OK;
  return rbv_fail(RBV_EUNSUPPORTED,
                  "%s does not support closed loops; joint '%s' of robot '%s' closes one: use a "
                  "robot file without its loops, or choose a tip before them",
                  consumer, m->body[m->closure->dependent[0]].name, m->name);
}

rbv_status rbv_model_need_chain(const rbv_model *m, const char *consumer) {
  if (!m || is_chain(m)) return RBV_OK;
  RBV_TRY(rbv_model_need_open(m, consumer));
  if (m->branched) {
    rbv_text tips = {0};
    for (int i = 0; i < m->ntip; i++) {
      const char *link = rbv_model_body_link(m, m->tip_body[i]);
      rbv_text_print(&tips, "%s%s", i ? ", " : "", link ? link : m->body[m->tip_body[i]].name);
    }
    const char *list = rbv_text_string(&tips);
    const rbv_status status =
        list ? rbv_fail_option(
                   RBV_EUNSUPPORTED, "tip",
                   "%s needs one chain of joints; robot '%s' has %d tips, choose one: %s", consumer,
                   m->name, m->ntip, list)
             : RBV_EMEM;
    rbv_text_free(&tips);
    return status;
  }
  RBV_TRY(rbv_model_need_held(m, consumer));
  return rbv_fail_option(RBV_EUNSUPPORTED, "tip",
                         "%s does not support joints that mimic others; robot '%s' has %d of them: "
                         "choose a tip before them",
                         consumer, m->name, m->nbody - m->njoint);
}
