#!/bin/sh
# same_result.sh SOURCE TOOL LIBRARY CC: examples/c/identify_iv.c has at most 40 lines and the
# umbrella header alone, compiles as C17 and as C++17, and writes the bytes that the tool writes.
set -eu
source=$1 tool=$2 library=$3 cc=$4
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
program=$source/examples/c/identify_iv.c
[ "$(wc -l <"$program")" -le 40 ] || { echo "the example has more than 40 lines"; exit 1; }
[ "$(grep -c '#include <roberval/' "$program")" -eq 1 ] || { echo "more than one header"; exit 1; }
libdir=$(dirname "$library")
cp "$program" "$here/identify_iv.cpp"
$cc -std=c17 -Wall -Wextra -Werror -I "$source/include" "$program" -o "$here/as_c" \
  "$library" -Wl,-rpath,"$libdir"
g++ -std=c++17 -Wall -Wextra -Werror -I "$source/include" "$here/identify_iv.cpp" \
  -o "$here/as_cpp" "$library" -Wl,-rpath,"$libdir"
cd "$here"
# a short motion in a simulated loop, and its controller
"$tool" excite tx40 --period 4 --starts 1 --budget 2 --blend 0.5 -q -o exciting.csv >/dev/null || [ $? -eq 1 ]
"$tool" simulate tx40 exciting.csv --rate 500 --bandwidth 8 --torque-noise 0.1 --save-controller pid.yaml \
  -q -o log.csv
"$tool" identify tx40 log.csv --method iv --controller pid.yaml --consistent -q -o tool.json || [ $? -eq 1 ]
./as_c tx40 log.csv pid.yaml c.json >/dev/null 2>&1
./as_cpp tx40 log.csv pid.yaml cpp.json >/dev/null 2>&1
cmp tool.json c.json
cmp tool.json cpp.json
echo "$(wc -c <tool.json) bytes, three times the same"
