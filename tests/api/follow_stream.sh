#!/bin/sh
# follow_stream.sh SOURCE TOOL LIBRARY CC: examples/c/follow_stream.c has at most 60 lines and the umbrella header
# alone, compiles as C17 and as C++17, and prints the events that `roberval follow` prints for the same rows.
set -eu
source=$1 tool=$2 library=$3 cc=$4
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
program=$source/examples/c/follow_stream.c
[ "$(wc -l <"$program")" -le 60 ] || { echo "the example has more than 60 lines"; exit 1; }
[ "$(grep -c '#include <roberval/' "$program")" -eq 1 ] || { echo "more than one header"; exit 1; }
libdir=$(dirname "$library")
cp "$program" "$here/follow_stream.cpp"
$cc -std=c17 -Wall -Wextra -Werror -I "$source/include" "$program" -o "$here/as_c" "$library" -Wl,-rpath,"$libdir"
g++ -std=c++17 -Wall -Wextra -Werror -I "$source/include" "$here/follow_stream.cpp" -o "$here/as_cpp" "$library" \
  -Wl,-rpath,"$libdir"
cd "$here"
# a short motion, and the same with a push of 40 N m at joint 2 for a third of a second
"$tool" excite tx40 --period 4 --starts 1 --budget 2 --blend 0.5 -q -o exciting.csv >/dev/null || [ $? -eq 1 ]
"$tool" simulate tx40 exciting.csv --rate 500 --bandwidth 8 --torque-noise 0.1 -q -o log.csv
"$tool" identify tx40 log.csv -q -o result.json || [ $? -eq 1 ]
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; print "t,q1,q2,q3,q4,q5,q6,tau1,tau2,tau3,tau4,tau5,tau6"; next }
  { t = $at["t"]; tau2 = $at["tau2"] + (t > 2 && t < 2.35 ? 40 : 0)
    print t, $at["q1"], $at["q2"], $at["q3"], $at["q4"], $at["q5"], $at["q6"],
          $at["tau1"], tau2, $at["tau3"], $at["tau4"], $at["tau5"], $at["tau6"] }' log.csv >pushed.csv
"$tool" follow tx40 result.json pushed.csv -q | sed '$d' >tool.txt
for program in as_c as_cpp; do
  ./$program tx40 result.json <pushed.csv >all.txt
  sed '$d' all.txt >events.txt
  cmp tool.txt events.txt
  tail -n 1 all.txt | grep -q '^payload '
done
grep -q 'contact at joint2' events.txt || { cat events.txt; exit 1; }
awk '/contact at joint2/ { exit !($1 > 2 && $1 < 2.05) }' events.txt || { cat events.txt; exit 1; }
./as_c tx40 nowhere.json <pushed.csv 2>said && exit 1
grep -q 'nowhere.json' said
echo "$(wc -l <events.txt) events, three times the same"
