/* Valid files of a small arm in the temporary directory, made by the tool. */
#ifndef TEST_PENDULUM_FILES_H
#define TEST_PENDULUM_FILES_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "support.h"
#include "tool.h"

/* pendulum.yaml, pendulum.urdf, traj.csv (300 samples), play.yaml (begins and ends at rest),
 * log.csv, map.yaml, controller.yaml, result.json, set.yaml */
static inline void make_files(void) {
  temp_file("pendulum.yaml",
            "name: pendulum\njoints:\n  - name: hinge\n"
            "    mdh: {alpha: pi/2, d: 0, theta: 0, r: 0}\n"
            "    limits: {lower: -2, upper: 2, velocity: 3, acceleration: 30, effort: 20}\n"
            "parameters: {XX1: 0.0004, YY1: 0.2402, ZZ1: 0.2402, MX1: 0.6, M1: 2, Ia1: 0.02, "
            "Fv1: 0.1, Fc1: 0.3}\n");
  temp_file(
      "pendulum.urdf",
      "<robot name=\"pendulum\">\n<link name=\"base\"/>\n<link name=\"rod\">\n<inertial>"
      "<origin xyz=\"0.3 0 0\"/><mass value=\"2\"/><inertia ixx=\"0.0004\" ixy=\"0\" ixz=\"0\" "
      "iyy=\"0.06\" iyz=\"0\" izz=\"0.06\"/></inertial>\n</link>\n<joint name=\"hinge\" "
      "type=\"revolute\"><parent link=\"base\"/><child link=\"rod\"/><origin rpy=\"1.5708 0 "
      "0\"/><axis xyz=\"0 0 1\"/><limit lower=\"-2\" upper=\"2\" velocity=\"3\" "
      "effort=\"20\"/></joint>\n</robot>\n");
  temp_file("map.yaml",
            "time: {column: t, unit: s}\njoints:\n  - q: {column: q1, unit: rad}\n"
            "    tau: {column: tau1, sign: 1}\n");
  temp_file("controller.yaml",
            "rate_hz: 100\nfeedforward: none\njoints:\n"
            "  - {kind: pid, k_p: 60, k_i: 20, k_d: 8, filter_s: 1.3e-2, limit: 50}\n");
  temp_file("set.yaml", "ZZ1: 0.25\nMX1: {value: 0.6, sigma: 0.01}\n");
  free(
      tool_text("excite pendulum.yaml --period 3 --rate 100 --harmonics 3 --starts 1 --budget 0 "
                "--blend 0 -q -o traj.csv"));
  free(
      tool_text("excite pendulum.yaml --period 3 --rate 100 --harmonics 3 --starts 1 --budget 0 "
                "--blend 0.5 -q --coefficients play.yaml -o blended.csv"));
  free(tool_text("simulate pendulum.yaml traj.csv --controller controller.yaml -q -o log.csv"));
  free(tool_text("identify pendulum.yaml log.csv -q -o result.json"));
}

#endif
