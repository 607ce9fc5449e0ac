#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "model/builtin.h"
#include "model/model_formats.h"
#include "storage/storage.h"

rbv_model_options rbv_model_defaults(void) {
  return (rbv_model_options){.snap = true, .sensing = -1, .gamma = NAN};
}

const char *rbv_model_builtin(int i) {
  for (int k = 0; rbv_builtin_table[k].name; k++)
    if (k == i) return rbv_builtin_table[k].name;
  return NULL;
}

rbv_status rbv_model_parse(rbv_model **out, const char *name, const char *text, size_t size,
                           const rbv_model_options *options) {
  *out = NULL;
  if (!name || !text) return rbv_fail(RBV_EARG, "rbv_model_parse: name and text must be given");
  const rbv_model_options defaults = rbv_model_defaults();
  if (!options) options = &defaults;
  if (options->sensing > RBV_SENSING_DIFFERENCE || options->gamma > 1e300)
    return rbv_fail(RBV_EARG, "rbv_model_parse: no such sensing (%d) or gamma (%g)",
                    options->sensing, options->gamma);
  if (!(options->stribeck >= 0 && options->stribeck < 1e300))
    return rbv_fail(RBV_EARG, "the Stribeck law cannot have the speed %g", options->stribeck);
  RBV_NEW(model_core, core, 1);
  core->file = rbv_strdup(name);
  core->draft = rbv_draft_new(core->file, options);
  rbv_status status =
      core->file ? rbv_robot_read(&core->draft, &core->document, text, size) : RBV_EMEM;
  if (status == RBV_OK) status = rbv_draft_read_contacts(&core->draft, options->contacts);
  core->draft.options = NULL;
  rbv_model_terms terms = {.sensing = options->sensing,
                           .payload = options->payload,
                           .gamma = options->gamma,
                           .stribeck = options->stribeck};
  rbv_friction_entry *friction = NULL;
  if (status == RBV_OK && options->friction && core->draft.njoint > 0)
    status = rbv_friction_parse(&friction, &terms.nfriction, options->friction, core->draft.njoint);
  terms.friction = friction;
  if (status == RBV_OK) status = rbv_core_build(out, core, &terms);
  rbv_free(friction);
  if (status != RBV_OK) rbv_core_release(core);
  return status;
}

rbv_status rbv_model_load(rbv_model **out, const char *robot, const rbv_model_options *options) {
  *out = NULL;
  if (!robot) return rbv_fail(RBV_EARG, "rbv_model_load: no robot is named");
  rbv_observe("model", robot);
  for (int i = 0; rbv_builtin_table[i].name; i++)
    if (strcmp(rbv_builtin_table[i].name, robot) == 0)
      return rbv_model_parse(out, robot, rbv_builtin_table[i].text,
                             strlen(rbv_builtin_table[i].text), options);
  char *text = NULL;
  size_t size = 0;
  rbv_status status = rbv_file_read_input(&text, &size, robot);
  if (status == RBV_EREAD && !strpbrk(robot, "./")) {
    // a word without dot or slash is probably the name of a built-in robot
    char known[256] = "";
    for (int i = 0; rbv_builtin_table[i].name; i++)
      snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i ? ", " : "",
               rbv_builtin_table[i].name);
    return rbv_fail(RBV_EREAD, "there is no file '%s' and no built-in robot of that name (%s)",
                    robot, known);
  }
  if (status == RBV_OK)
    status = rbv_model_parse(out, strcmp(robot, "-") == 0 ? "standard input" : robot, text, size,
                             options);
  if (status == RBV_OK) rbv_hash_bytes((*out)->sha256, text, size);
  rbv_file_free(text);
  return status;
}

void rbv_model_free(rbv_model *m) {
  if (!m || atomic_fetch_sub(&m->owners, 1) > 0) return;
  if (m->joint != m->body) rbv_free(m->joint);
  rbv_free(m->body);
  rbv_free(m->parent);
  rbv_free(m->support);
  rbv_free(m->tip_body);
  rbv_free(m->coordinate);
  rbv_free(m->leader);
  rbv_free(m->motor);
  rbv_free(m->map);
  rbv_free(m->map_offset);
  rbv_free(m->geometry);
  rbv_free(m->transmission);
  rbv_free(m->transmission_offset);
  rbv_free(m->shape);
  rbv_free(m->link_column);
  rbv_free(m->column);
  rbv_free(m->names);
  rbv_free(m->term);
  rbv_free(m->direction_joint);
  rbv_free(m->direction_weight);
  rbv_free(m->expression);
  rbv_free(m->row);
  rbv_free(m->pattern);
  rbv_free(m->parameters);
  rbv_free((void *)(uintptr_t)m->terms.friction);
  rbv_free((void *)(uintptr_t)m->terms.shape);
  rbv_free((void *)(uintptr_t)m->terms.smooth);
  rbv_free((void *)(uintptr_t)m->terms.gravity);
  rbv_cache_release(m->cache);
  rbv_core_release(m->core);
  rbv_free(m);
}

const char *rbv_model_name(const rbv_model *m) { return m ? m->name : NULL; }
const char *rbv_model_sha256(const rbv_model *m) { return m ? m->sha256 : NULL; }
int rbv_model_joint_count(const rbv_model *m) { return m ? m->njoint : 0; }
const rbv_joint *rbv_model_joint(const rbv_model *m, int j) { return &m->joint[j]; }
int rbv_model_column_count(const rbv_model *m) { return m ? m->ncolumn : 0; }
const rbv_column *rbv_model_column(const rbv_model *m, int c) { return &m->column[c]; }
rbv_sensing rbv_model_sensing(const rbv_model *m) { return m->sensing; }
const double *rbv_model_gravity(const rbv_model *m) { return m->gravity; }
double rbv_model_floor(const rbv_model *m) { return m->floor; }
const double *rbv_model_tip(const rbv_model *m) { return m->tip; }
bool rbv_model_has_payload(const rbv_model *m) { return m && m->payload; }
const double *rbv_model_transmission(const rbv_model *m) { return m->transmission; }
int rbv_model_capsule_count(const rbv_model *m) { return m->ncapsule; }

const rbv_capsule *rbv_model_capsule(const rbv_model *m, int i) {
  return i >= 0 && i < m->ncapsule ? &m->capsule[i] : NULL;
}

const char *rbv_model_shapeless(const rbv_model *m) { return m->shapeless.data; }

const double *rbv_model_transmission_offset(const rbv_model *m) { return m->transmission_offset; }
int rbv_model_snap_count(const rbv_model *m) { return m->nsnap; }
const rbv_snap *rbv_model_snap(const rbv_model *m, int i) { return &m->snap[i]; }
int rbv_model_note_count(const rbv_model *m) { return m->nnote; }
const char *rbv_model_note(const rbv_model *m, int i) { return m->note[i]; }
const rbv_xml *rbv_model_document(const rbv_model *m) { return m->document; }
const char *rbv_model_format(const rbv_model *m) { return m->format ? m->format->name : "yaml"; }

int rbv_model_frame(double R[9], double p[3], const rbv_model *m, const char *name) {
  for (int i = 0; i < m->nframe; i++) {
    const model_frame *f = &m->frame[i];
    if (strcmp(f->name, name) != 0) continue;
    memcpy(R, f->R, sizeof f->R);
    memcpy(p, f->p, sizeof f->p);
    return f->link;
  }
  return -1;
}

const char *rbv_model_frame_name(const rbv_model *m, int i) {
  return i >= 0 && i < m->nframe ? m->frame[i].name : NULL;
}

int rbv_model_frame_link(const rbv_model *m, int i) {
  return i >= 0 && i < m->nframe ? m->frame[i].link : -1;
}
int rbv_model_row_count(const rbv_model *m) { return m ? m->nrow : 0; }
const rbv_row *rbv_model_row(const rbv_model *m, int r) { return &m->row[r]; }
int rbv_model_entry_count(const rbv_model *m) { return m->nentry; }

const double *rbv_model_parameters(const rbv_model *m) {
  return m && m->has_parameters ? m->parameters : NULL;
}

double rbv_model_shape(const rbv_model *m, int joint, const char *name) {
  const int kind = rbv_shape_kind_find(name);
  if (kind < 0 || joint < -1 || joint >= m->njoint) return NAN;
  const double own = joint < 0 ? NAN : m->shape[joint * LAW_SHAPE_KINDS + kind];
  const double common = m->shape[m->njoint * LAW_SHAPE_KINDS + kind];
  return !isnan(own) ? own : !isnan(common) ? common : rbv_shape_kind(kind)->fallback;
}

double rbv_model_gamma(const rbv_model *m) { return rbv_model_shape(m, -1, "gamma"); }

/* a joint's own values decide; values that it does not give are the common ones */
static rbv_smoothing smoothing_of(bool *is_own, const rbv_model *m, int joint) {
  const int gamma = rbv_shape_kind_find("gamma"), smooth = rbv_shape_kind_find("smooth");
  const double *own = m->shape + joint * LAW_SHAPE_KINDS;
  *is_own = own[gamma] > 0 || own[smooth] > 0;
  if (own[gamma] > 0) return (rbv_smoothing){.gamma = own[gamma]};
  if (own[smooth] > 0) return (rbv_smoothing){.speed = own[smooth]};
  return (rbv_smoothing){.gamma = rbv_model_shape(m, joint, "gamma"),
                         .speed = rbv_model_shape(m, joint, "smooth")};
}

rbv_smoothing rbv_model_smoothing(const rbv_model *m, int joint) {
  bool own;
  return smoothing_of(&own, m, joint);
}

void rbv_model_shape_terms(rbv_model *m) {
  for (int i = 0; i < m->nterm; i++) {
    drive_term *t = &m->term[i];
    const int joint = m->column[t->column].joint;
    for (int k = 0; t->law && k < rbv_law_shape_count(t->law); k++)
      t->shape[k] = rbv_model_shape(m, joint, t->law->shape[k].name);
    if (t->law) t->smoothing = smoothing_of(&t->own_smoothing, m, joint);
  }
}

const rbv_law *rbv_model_law_of_shape(const rbv_model *m, int joint, const char *name) {
  for (int c = 0; c < m->ncolumn; c++) {
    const rbv_law *law = m->column[c].joint == joint ? m->column[c].law : NULL;
    const rbv_law_shape *shape = law ? rbv_law_free_shape(law) : NULL;
    if (shape && strcmp(shape->name, name) == 0) return law;
  }
  return NULL;
}

double rbv_model_stribeck(const rbv_model *m) {
  const double speed = rbv_model_shape(m, -1, "stribeck");
  return isnan(speed) ? 0 : speed;
}

static int find_exact(const rbv_model *m, const char *name, size_t length) {
  for (int c = 0; c < m->ncolumn; c++)
    if (strlen(m->column[c].name) == length && memcmp(m->column[c].name, name, length) == 0)
      return c;
  return -1;
}

int rbv_model_find(const rbv_model *m, const char *name) {
  if (!m || !name) return -1;
  const size_t length = strlen(name);
  const int c = find_exact(m, name, length);
  if (c >= 0 || length < 2 || name[length - 1] != 'R') return c;
  return find_exact(m, name, length - 1);
}

int rbv_model_find_joint(const rbv_model *m, const char *name) {
  for (int j = 0; j < m->njoint; j++)
    if (strcmp(m->joint[j].name, name) == 0) return j;
  char number[16];
  for (int j = 0; j < m->njoint; j++) {
    snprintf(number, sizeof number, "%d", m->leader[j] + 1);
    if (strcmp(number, name) == 0) return j;
  }
  return -1;
}

/* position of a name in a list, -1 when it is not there */
static int find_name(const char *const *list, int count, const char *name) {
  return RBV_FIND_TEXT(list, count, name);
}

static const char *const sensing_name[] = {"motor", "joint", "both", "difference"};
static const char *const torque_name[] = {"motor", "joint", "difference"};

const char *rbv_sensing_name(rbv_sensing sensing) { return sensing_name[sensing]; }
const char *rbv_torque_name(rbv_torque torque) { return torque_name[torque]; }

bool rbv_sensing_parse(rbv_sensing *out, const char *name) {
  const int i = find_name(sensing_name, RBV_COUNT(sensing_name), name);
  if (i >= 0) *out = (rbv_sensing)i;
  return i >= 0;
}

bool rbv_torque_parse(rbv_torque *out, const char *name) {
  const int i = find_name(torque_name, RBV_COUNT(torque_name), name);
  if (i >= 0) *out = (rbv_torque)i;
  return i >= 0;
}
