/* Files for the EMPS recording that do not depend on the robot file: column map and controller. */
#ifndef CLI_EMPS_FILES_H
#define CLI_EMPS_FILES_H

#include "support.h"

static inline void write_emps_files(void) {
  temp_file("map.yaml",
            "time: t\n"
            "joints: [{q: qm, qr: qg, tau: {column: vir, unit: V, gain: 35.15065188248547}}]\n");
  // 243.45 V s/m in N s/m
  temp_file("loop.yaml",
            "rate_hz: 1000\n"
            "joints: [{kind: cascade, k_x: 160.18, k_p: 8557.42620079109, "
            "reference_velocity: 0}]\n");
}

#endif
