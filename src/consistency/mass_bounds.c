/* Ellipsoids that contain the mass of a link: around its capsules, or from a file. */
#include <math.h>
#include <string.h>
#include "consistency/consistency.h"
#include "document/document.h"

#include "base/support.h"
#include "model/model_internal.h"

static int body_count(const rbv_model *m) { return m->nbody + rbv_model_has_payload(m); }

/* ---- around capsules ---- */

static double length_of(const rbv_capsule *c) {
  double sum = 0;
  for (int i = 0; i < 3; i++) sum += (c->to[i] - c->from[i]) * (c->to[i] - c->from[i]);
  return sqrt(sum);
}

static const rbv_capsule *longest_of(const rbv_model *m, int link) {
  const rbv_capsule *best = NULL;
  for (int i = 0; i < m->ncapsule; i++)
    if (m->capsule[i].link == link && (!best || length_of(&m->capsule[i]) > length_of(best)))
      best = &m->capsule[i];
  return best;
}

/* three orthogonal unit vectors, the columns of A, the first along the capsule */
static void directions(double A[9], const rbv_capsule *c) {
  const double length = length_of(c);
  double *u = A, *v = A + 3, *w = A + 6;
  for (int i = 0; i < 3; i++) u[i] = length > 0 ? (c->to[i] - c->from[i]) / length : i == 0;
  // orthogonalise the coordinate axis that deviates most from it
  int least = 0;
  for (int i = 1; i < 3; i++)
    if (fabs(u[i]) < fabs(u[least])) least = i;
  const double norm = sqrt(1 - u[least] * u[least]);
  for (int i = 0; i < 3; i++) v[i] = ((i == least) - u[least] * u[i]) / norm;
  w[0] = u[1] * v[2] - u[2] * v[1];
  w[1] = u[2] * v[0] - u[0] * v[2];
  w[2] = u[0] * v[1] - u[1] * v[0];
}

/* range of all capsules of a link along one direction */
static void extent(double *low, double *high, const rbv_model *m, int link, const double a[3]) {
  *low = INFINITY;
  *high = -INFINITY;
  for (int i = 0; i < m->ncapsule; i++) {
    const rbv_capsule *c = &m->capsule[i];
    if (c->link != link) continue;
    const double from = a[0] * c->from[0] + a[1] * c->from[1] + a[2] * c->from[2];
    const double to = a[0] * c->to[0] + a[1] * c->to[1] + a[2] * c->to[2];
    *low = fmin(*low, fmin(from, to) - c->radius);
    *high = fmax(*high, fmax(from, to) + c->radius);
  }
}

void rbv_consistency_bounds(rbv_ellipsoid *out, const rbv_model *m) {
  memset(out, 0, (size_t)body_count(m) * sizeof *out);
  for (int j = 0; j < m->nbody; j++) {
    const rbv_capsule *longest = longest_of(m, j + 1);
    if (!longest) continue;
    double A[9];
    directions(A, longest);
    for (int k = 0; k < 3; k++) {
      double low, high;
      extent(&low, &high, m, j + 1, A + 3 * k);
      // through the corners of the box: the smallest ellipsoid of these proportions that contains
      // it
      for (int i = 0; i < 3; i++) {
        out[j].centre[i] += (low + high) / 2 * A[i + 3 * k];
        out[j].axes[i + 3 * k] = sqrt(3) * (high - low) / 2 * A[i + 3 * k];
      }
    }
  }
}

/* ---- from a file ---- */

static rbv_status read_bound(rbv_ellipsoid *out, const rbv_node *node, int nbody) {
  static const char *const keys[] = {"link", "centre", "half_axes", NULL};
  double centre[3], half[3];
  int link;
  RBV_TRY(rbv_node_only_keys(node, keys));
  for (int k = 0; keys[k]; k++)
    if (!rbv_node_find(node, keys[k]))
      return rbv_node_fail(RBV_EINPUT, node, "an ellipsoid needs '%s'", keys[k]);
  RBV_TRY(rbv_node_int(&link, rbv_node_find(node, "link")));
  RBV_TRY(rbv_node_reals(centre, 3, rbv_node_find(node, "centre")));
  RBV_TRY(rbv_node_reals(half, 3, rbv_node_find(node, "half_axes")));
  if (link < 1 || link > nbody)
    return rbv_node_fail(RBV_EINPUT, node, "an ellipsoid on link %d: the links are 1 to %d", link,
                         nbody);
  if (!(half[0] > 0 && half[1] > 0 && half[2] > 0))
    return rbv_node_fail(RBV_EINPUT, node, "half_axes must be positive");
  rbv_ellipsoid *e = &out[link - 1];
  if (e->axes[0] != 0) return rbv_node_fail(RBV_EINPUT, node, "link %d has two ellipsoids", link);
  memcpy(e->centre, centre, sizeof centre);
  for (int i = 0; i < 3; i++) e->axes[4 * i] = half[i];
  return RBV_OK;
}

rbv_status rbv_consistency_load_bounds(rbv_ellipsoid *out, const rbv_model *m, const char *path) {
  static const char *const keys[] = {"bounds", NULL};
  rbv_document *doc;
  memset(out, 0, (size_t)body_count(m) * sizeof *out);
  RBV_TRY(rbv_document_load(&doc, path));
  const rbv_node *root = rbv_document_root(doc), *list = rbv_node_find(root, "bounds");
  rbv_status status = rbv_node_only_keys(root, keys);
  if (status == RBV_OK && (!list || rbv_node_get_kind(list) != RBV_NODE_LIST))
    status = rbv_node_fail(RBV_EINPUT, root, "a list of ellipsoids is missing: 'bounds'");
  for (int i = 0; status == RBV_OK && i < rbv_node_count(list); i++)
    status = read_bound(out, rbv_node_at(list, i), m->nbody);
  rbv_document_free(doc);
  return status;
}
