#include "payload_output.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report_options.h"

static const char *const inertia_name[6] = {"xx", "xy", "xz", "yy", "yz", "zz"};
static const char *const wrench_name[6] = {"force x",  "force y",  "force z",
                                           "torque x", "torque y", "torque z"};

/* ---- text ---- */

static void print_value(const char *name, double value, double sigma, const char *unit) {
  if (isfinite(sigma))
    printf("%-10s %12.5g +- %-9.3g %s\n", name, value, sigma, unit);
  else
    printf("%-10s not identifiable from these %s\n", name, unit);
}

static void print_line(const char *name, double value, double sigma, const char *unit,
                       const char *data) {
  print_value(name, value, sigma, isfinite(sigma) ? unit : data);
}

static void print_wrist(const rbv_wrist_estimate *w) {
  for (int i = 0; i < 6; i++) {
    char name[24];
    snprintf(name, sizeof name, "bias %s", wrench_name[i]);
    printf("%-14s %8.4g +- %-9.3g %s\n", name, w->bias[i], w->bias_sigma[i], i < 3 ? "N" : "N m");
  }
  if (w->tilt > 0 && isfinite(w->tilt_sigma))
    printf("base tilted    %8.3g +- %-9.2g deg; gravity (%.4f, %.4f, %.4f) m/s^2 in its frame\n",
           w->tilt * 57.29577951308232, w->tilt_sigma * 57.29577951308232, w->gravity[0],
           w->gravity[1], w->gravity[2]);
}

static void print_text(const cli_payload *all) {
  static const char *const axis[3] = {"centre x", "centre y", "centre z"};
  const rbv_payload *p = &all->payload;
  const char *data = all->poses ? "poses" : "motions";
  print_line("mass", p->mass, p->mass_sigma, "kg", data);
  for (int i = 0; i < 3; i++) print_line(axis[i], p->centre[i], p->centre_sigma[i], "m", data);
  if (all->poses) {
    // poses say nothing about inertia
  } else if (isfinite(p->mass_sigma) && !p->inertia_possible) {
    printf("%-10s unknown: no body has the estimated values. Move the last joints faster.\n",
           "inertia");
  } else {
    for (int i = 0; i < 6; i++) {
      char name[16];
      snprintf(name, sizeof name, "inertia %s", inertia_name[i]);
      print_line(name, p->inertia[i], p->inertia_sigma[i], "kg m^2 about the centre", data);
    }
  }
  if (all->wrist) print_wrist(all->wrist);
}

static void print_commands(const cli_payload *all, const cli_common *common) {
  char line[512];
  bool any = false;
  for (int i = 0; rbv_controller_line_at(i); i++)
    if (rbv_controller_line_write(line, sizeof line, i, &all->payload)) {
      cli_message(common, "%s: %s\n", rbv_controller_line_at(i)->title, line);
      any = true;
    }
  if (any && !all->frame)
    cli_message(common, "controllers expect the frame of the flange: see --frame\n");
}

/* ---- JSON ---- */

/* possible: false if no body can have this value */
static void put_value(rbv_json *json, const char *key, double value, double sigma, bool possible,
                      const char *data) {
  const bool known = isfinite(sigma) && possible;
  char reason[64];
  snprintf(reason, sizeof reason, "not identifiable from these %s", data);
  rbv_json_key(json, key);
  rbv_json_map(json);
  rbv_json_put_real(json, "value", known ? value : NAN);
  rbv_json_put_real(json, "sigma", sigma);
  if (!isfinite(sigma))
    rbv_json_put_string(json, "reason", reason);
  else if (!possible) {
    rbv_json_put_real(json, "impossible_estimate", value);
    rbv_json_put_string(json, "reason", "no body has the estimated inertia");
  }
  rbv_json_end(json);
}

static void put_wrist(rbv_json *json, const rbv_wrist_estimate *w) {
  static const char *const key[6] = {"force_x_N",   "force_y_N",   "force_z_N",
                                     "torque_x_Nm", "torque_y_Nm", "torque_z_Nm"};
  rbv_json_key(json, "bias");
  rbv_json_map(json);
  for (int i = 0; i < 6; i++) put_value(json, key[i], w->bias[i], w->bias_sigma[i], true, "poses");
  rbv_json_end(json);
  rbv_json_key(json, "gravity");
  rbv_json_flat_list(json);
  for (int i = 0; i < 3; i++) rbv_json_real(json, w->gravity[i]);
  rbv_json_end(json);
  put_value(json, "tilt_rad", w->tilt, w->tilt_sigma, true, "poses");
  rbv_json_put_bool(json, "sensor_reads_force_on_arm", w->reversed);
}

static void put_commands(rbv_json *json, const rbv_payload *p) {
  char line[512];
  rbv_json_key(json, "commands");
  rbv_json_map(json);
  for (int i = 0; rbv_controller_line_at(i); i++)
    if (rbv_controller_line_write(line, sizeof line, i, p))
      rbv_json_put_string(json, rbv_controller_line_at(i)->key, line);
  rbv_json_end(json);
}

static int write_json(const cli_payload *all, const char *path) {
  static const char *const axis[3] = {"centre_x_m", "centre_y_m", "centre_z_m"};
  const rbv_payload *p = &all->payload;
  const char *data = all->poses ? "poses" : "motions";
  rbv_json *json;
  const rbv_status status = rbv_json_new(&json);
  if (status != RBV_OK) return cli_fail(status);
  rbv_json_map(json);
  rbv_json_put_string(json, "schema", "roberval.payload/1");
  rbv_json_put_string(json, "version", rbv_version());
  rbv_json_put_string(json, "robot", rbv_model_name(all->model));
  rbv_json_put_string(json, "frame", all->frame ? all->frame : "that of the last link");
  rbv_json_put_string(json, "source", all->source);
  put_value(json, "mass_kg", p->mass, p->mass_sigma, true, data);
  for (int i = 0; i < 3; i++)
    put_value(json, axis[i], p->centre[i], p->centre_sigma[i], true, data);
  for (int i = 0; i < 6; i++) {
    char key[32];
    snprintf(key, sizeof key, "inertia_%s_kg_m2", inertia_name[i]);
    put_value(json, key, p->inertia[i], p->inertia_sigma[i], p->inertia_possible, data);
  }
  if (all->poses) rbv_json_put_int(json, "poses", all->poses);
  if (all->wrist) put_wrist(json, all->wrist);
  if (all->estimate) {
    bool coloured = false;
    for (int i = 0; i < all->estimate->fit.nrow; i++)
      coloured = coloured || all->estimate->fit.row[i].coloured;
    rbv_json_put_bool(json, "residual_coloured", coloured);
    rbv_json_put_real(json, "sigma_inflation", all->estimate->diagnostics.sigma_inflation);
  }
  rbv_json_put_real(json, "relative_error", all->relative_error);
  put_commands(json, p);
  rbv_json_end(json);
  return cli_write_json(path, json);
}

/* the HTML page */
static int write_page(const cli_payload *p, const char *path, const cli_common *common) {
  const rbv_payload_page in = {.model = p->model,
                               .frame = p->frame ? p->frame : "that of the last link",
                               .source = p->source,
                               .payload = p->payload,
                               .relative_error = p->relative_error,
                               .poses = p->poses,
                               .wrist = p->wrist};
  rbv_report *page;
  const rbv_status status = rbv_report_payload(&page, &in);
  if (status != RBV_OK) return cli_fail(status);
  const cli_report wanted = {.html = path};
  const int code = cli_write_page(page, &wanted, common);
  rbv_report_free(page);
  return code;
}

int cli_put_payload(const cli_payload *p, const char *path, const char *report,
                    const cli_common *common) {
  int code = EXIT_DONE;
  if (path) code = write_json(p, path);
  if (code == EXIT_DONE && report) code = write_page(p, report, common);
  if (code == EXIT_DONE && common->json) code = write_json(p, NULL);
  if (!common->json) print_text(p);
  print_commands(p, common);
  return code;
}
