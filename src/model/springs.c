/*
 * Elastic joints: a spring between the motor and the link. Its columns are drive laws of the
 * deflection. A model has rigid joints, or the motors as coordinates of their own.
 */
#include <stdio.h>
#include <string.h>

#include "document/document.h"
#include "model/model_draft.h"

bool rbv_draft_is_elastic(const draft_joint *joint) {
  for (int k = 0; k < joint->ndrive; k++)
    if (strcmp(joint->drive[k].as->prefix, "Kj") == 0) return true;
  return false;
}

static const struct {
  const char *key, *column;
} parts[] = {{"stiffness", "Kj"}, {"cubic", "Kc"}, {"damping", "Dj"}};

static bool lists(const draft_joint *joint, const char *prefix) {
  for (int k = 0; k < joint->ndrive; k++)
    if (strcmp(joint->drive[k].as->prefix, prefix) == 0) return true;
  return false;
}

rbv_status rbv_draft_read_elastic(rbv_draft *draft, int joint, const rbv_node *node) {
  draft_joint *j = &draft->joint[joint];
  const char *keys[RBV_COUNT(parts) + 1] = {NULL};
  for (int i = 0; i < RBV_COUNT(parts); i++) keys[i] = parts[i].key;
  if (rbv_node_get_kind(node) != RBV_NODE_MAP || !rbv_node_find(node, "stiffness"))
    return rbv_node_fail(RBV_EINPUT, node,
                         "elastic must be a map with stiffness, and damping and cubic if they are "
                         "known: elastic: {stiffness: 3000, damping: 3}");
  RBV_TRY(rbv_node_only_keys(node, keys));
  for (int i = 0; i < RBV_COUNT(parts); i++) {
    const rbv_node *entry = rbv_node_find(node, parts[i].key);
    if (!entry) continue;
    double value;
    char name[32];
    RBV_TRY(rbv_node_real(&value, entry));
    if (value < 0 || (i == 0 && !(value > 0)))
      return rbv_node_fail(
          RBV_EINPUT, entry, "%s must %s", parts[i].key,
          i == 0 ? "be above zero; a rigid joint has no `elastic`" : "not be negative");
    if (!lists(j, parts[i].column) && !rbv_draft_add_drive(j, parts[i].column))
      return rbv_node_fail(RBV_EINPUT, entry, "joint '%s' has too many drive columns", j->name);
    snprintf(name, sizeof name, "%s%d", parts[i].column, joint + 1);
    RBV_TRY(rbv_draft_add_value(draft, name, value, false, entry));
  }
  return RBV_OK;
}

/* ---- motors as coordinates ---- */

static rbv_status check_motor(const rbv_draft *d, int j) {
  const draft_joint *joint = &d->joint[j];
  if (joint->passive || joint->leader >= 0 || d->closure)
    return rbv_fail(RBV_EUNSUPPORTED,
                    "%s: joint '%s' is elastic: robots with closed loops, and joints that mimic "
                    "others, must be rigid",
                    d->file, joint->name);
  for (int k = 0; k < d->njoint && d->transmission; k++)
    if (k != j &&
        (d->transmission[j + k * d->njoint] != 0 || d->transmission[k + j * d->njoint] != 0))
      return rbv_fail(RBV_EUNSUPPORTED,
                      "%s: joint '%s' is elastic, and its motor also turns with joint '%s': an "
                      "elastic joint needs a motor of its own",
                      d->file, joint->name, d->joint[k].name);
  return RBV_OK;
}

/* the drive columns go to the motor, the springs stay */
static void move_drives(draft_joint *motor, draft_joint *joint) {
  int kept = 0;
  motor->ndrive = 0;
  for (int k = 0; k < joint->ndrive; k++) {
    const draft_drive drive = joint->drive[k];
    if (drive.law->spring)
      joint->drive[kept++] = drive;
    else
      motor->drive[motor->ndrive++] = drive;
  }
  joint->ndrive = kept;
}

/* ratios of the motors; a joint of its own has none */
static rbv_status move_ratios(rbv_draft *d, int count) {
  if (!d->transmission) return RBV_OK;
  RBV_NEW(double, wide, (size_t)count *(size_t)count);
  for (int i = 0; i < count; i++) {
    const int from = i < d->njoint ? i : d->joint[i].leads;
    const bool bare = i < d->njoint && rbv_draft_is_elastic(&d->joint[i]);
    wide[i + i * count] = bare ? 1 : d->transmission[from + from * d->njoint];
    for (int k = 0; k < d->njoint && i < d->njoint; k++)
      if (k != i) wide[i + k * count] = d->transmission[i + k * d->njoint];
  }
  d->transmission = wide;
  d->transmission_offset = NULL;  // recordings of the model have positions at the joints
  return RBV_OK;
}

rbv_status rbv_draft_add_motors(rbv_draft *d) {
  int count = d->njoint;
  for (int j = 0; j < d->njoint; j++) {
    if (!rbv_draft_is_elastic(&d->joint[j])) continue;
    RBV_TRY(check_motor(d, j));
    count++;
  }
  draft_joint *wide = rbv_alloc((size_t)count * sizeof *wide);
  if (!wide) return RBV_EMEM;
  memcpy(wide, d->joint, (size_t)d->njoint * sizeof *wide);
  rbv_free(d->joint);
  d->joint = wide;
  int at = d->njoint;
  for (int j = 0; j < d->njoint; j++) {
    if (!rbv_draft_is_elastic(&wide[j])) continue;
    draft_joint *motor = &wide[at++];
    *motor = wide[j];
    motor->parent = -1;
    motor->massless = motor->motor = true;
    motor->leads = j;
    memset(motor->inertial, 0, sizeof motor->inertial);
    move_drives(motor, &wide[j]);
  }
  RBV_TRY(move_ratios(d, count));
  d->njoint = count;
  return RBV_OK;
}

/* ---- access ---- */

int rbv_model_motor_count(const rbv_model *m) { return m ? m->nmotor : 0; }

int rbv_model_motor(const rbv_model *m, int joint) {
  for (int i = 0; m && i < m->nmotor; i++)
    if (m->motor[i] == joint) return m->njoint - m->nmotor + i;
  return joint;
}

bool rbv_column_is_spring(const rbv_column *column) { return column->law && column->law->spring; }

bool rbv_model_is_elastic(const rbv_model *m, int joint) {
  for (int c = 0; m && c < m->ncolumn; c++)
    if (rbv_column_has_law(&m->column[c], "Kj") && m->column[c].joint == joint) return true;
  return false;
}

bool rbv_model_has_springs(const rbv_model *m) {
  for (int c = 0; m && c < m->ncolumn; c++)
    if (rbv_column_has_law(&m->column[c], "Kj")) return true;
  return false;
}

int rbv_model_springs(double *stiffness, double *cubic, double *damping, const rbv_model *m,
                      const double *chi) {
  double *const to[RBV_COUNT(parts)] = {stiffness, cubic, damping};
  int count = 0;
  for (int i = 0; i < RBV_COUNT(parts); i++)
    for (int j = 0; j < m->njoint && to[i]; j++) to[i][j] = 0;
  for (int c = 0; c < m->ncolumn && chi; c++)
    for (int i = 0; i < RBV_COUNT(parts); i++) {
      if (!rbv_column_has_law(&m->column[c], parts[i].column)) continue;
      if (to[i]) to[i][m->column[c].joint] = chi[c];
      count += i == 0 && chi[c] > 0;
    }
  return count;
}
