#!/bin/sh
# ros.sh TOOL SOURCE: the package ros/ without ROS 2: its controller, compiled against stub headers that were written for
# this test, with the code that generate.sh makes of a robot; package.xml, plug-in description and launch files can be read.
set -eu
tool=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$source/ros" "$work/ros"
cd "$work/ros"
sh generate.sh tx40 "$tool" 2>/dev/null
cc -std=c99 -O2 -c src/arm.c -o arm.o
# shellcheck disable=SC2086
c++ -std=c++17 -O1 -Wall -Wextra -Werror -Isrc -I"$source/tests/export/stubs" src/compensation_controller.cpp \
  "$source/tests/export/use_controller.cpp" arm.o -lm -o use_controller
./use_controller 2>refusals.txt
[ "$(grep -c -E 'need 6 values|must be positive|does not have effort' refusals.txt)" -eq 6 ] || { cat refusals.txt; exit 1; }
# names agree: plug-in, package, configuration
grep -q 'roberval_compensation::CompensationController' compensation_controller.xml
grep -q 'type: roberval_compensation/CompensationController' config/compensation.yaml
grep -q '<name>roberval_compensation</name>' package.xml
python3 - <<'P'
import ast, glob, xml.etree.ElementTree
for name in ("package.xml", "compensation_controller.xml"):
    xml.etree.ElementTree.parse(name)
for name in sorted(glob.glob("launch/*.py")):
    tree = ast.parse(open(name).read())
    assert any(getattr(node, "name", "") == "generate_launch_description" for node in tree.body), name
P
# what the launch files call is what the tool has
for command in record follow; do
  grep -o '"--[a-z-]*"' "launch/$command.launch.py" | tr -d '"' | while read -r option; do
    "$tool" "$command" --help all | grep -q -e "$option" || { echo "$command has no $option"; exit 1; }
  done
done
