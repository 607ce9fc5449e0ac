#!/bin/sh
# controller.sh TOOL SOURCE: the examples for controllers compile and run. ROS 2 is not needed: the
# plug-in is compiled against stub headers that were written for this test.
set -eu
tool=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$tool" export tx40 --format c -o arm.c -q
cc -std=c99 -O2 -c arm.c
strict="-std=c++17 -O1 -Wall -Wextra -Werror -I$source/examples/controller -I."
# shellcheck disable=SC2086
c++ $strict "$source/examples/controller/computed_torque.cpp" arm.o -lm -o computed_torque
./computed_torque
eigen=""
for folder in /usr/include/eigen3 /usr/local/include/eigen3; do [ ! -d "$folder" ] || eigen=$folder; done
[ -n "$eigen" ] || { echo "Eigen is not installed: the plug-in is not compiled"; exit 0; }
# shellcheck disable=SC2086
c++ $strict -isystem "$eigen" -I"$source/tests/export/stubs" "$source/examples/controller/inverse_dynamics_plugin.cpp" \
  "$source/tests/export/use_plugin.cpp" arm.o -lm -o use_plugin
./use_plugin
