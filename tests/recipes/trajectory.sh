#!/bin/sh
# A new trajectory class (trajectory.patch adds "steps") works in help, search, files, evaluation and
# simulation. $1: directory with the tool of the patched tree.
# tests: trajectory.trajectory trajectory.formats
set -eu
tool=$(cd "$1" && pwd)/roberval
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
fail() { echo "trajectory recipe: $1" >&2; exit 1; }

"$tool" excite --help all | grep -e '--class' | grep -q steps || fail "help does not name the class"

# two searches, gradients and genetic, keep the limits and excite all parameters
"$tool" excite tx40 --class steps --columns rigid --period 12 --starts 1 --budget 0 --seed 2 \
  --rate 200 -o run.csv --coefficients run.yaml --json -q > design.json
grep -q '"class": "steps"' design.json || fail "the design has another class"
grep -q '"feasible": true' design.json || fail "the design breaks a constraint"
grep -q '^trajectory: steps$' run.yaml || fail "the file of coefficients has another class"
"$tool" excite tx40 --class steps --harmonics 6 --columns inertial --search ga --population 6 \
  --generations 1 --no-polish --budget 0 -q > genetic.txt || fail "the genetic search fails"

# the first and the last sample are at rest
for line in $(sed -n -e 2p -e '$p' run.csv); do
  echo "$line" | awk -F, '{ for (i = 8; i <= 19; i++) if ($i > 1e-9 || $i < -1e-9) exit 1 }' ||
    fail "the motion does not start or end at rest"
done

# the written motion has the score of the design, to nine digits
"$tool" excite tx40 --columns rigid --evaluate run.csv --json -q > again.json
coupling() { sed -n 's/.*"coupling_index": \([0-9.e+-]*\).*/\1/p' "$1" | head -1; }
awk -v a="$(coupling design.json)" -v b="$(coupling again.json)" \
  'BEGIN { d = a - b; if (d < 0) d = -d; exit !(a > 0 && d <= 1e-9 * a) }' ||
  fail "the motion that was written has another score"

# a robot can follow it, and what it records identifies the robot
"$tool" simulate tx40 run.csv --rate 1000 --bandwidth 12,12,16,24,24,40 -o log.csv -q
"$tool" identify tx40 log.csv --gamma 150 -o result.json -q || fail "the recording does not identify"
