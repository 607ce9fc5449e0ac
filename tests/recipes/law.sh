#!/bin/sh
# law.sh BUILD [SOURCE]: take the law Frt of law.patch through regressor, simulate, identify (every method), excite
# on the CPU and on the stand-in of a device, export c and report. BUILD has the tool `roberval`, built from the
# patched tree. Fails when the law comes out wrong.
# tests: model.laws device.law_consumers dynamics.derivatives dynamics.lanes excite.flat_gram sim.flat_loop export.code
set -eu
build=$(cd "$1" && pwd)
tool=$build/roberval
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
fail() { echo "law.sh: $*" >&2; exit 1; }

cat >robot.yaml <<'END'
name: two
joints:
  - name: turn
    mdh: {alpha: 0, d: 0, theta: 0, r: 0}
    limits: {lower: -2, upper: 2, velocity: 4, acceleration: 20}
    drive: [Ia, Fv, Fc, off, Frt]
    parameters: {ZZ: 0.5, Ia: 0.2, Fv: 2, Fc: 1, off: 0.3, Frt: 5}
  - name: tilt
    mdh: {alpha: pi/2, d: 0.2, theta: 0, r: 0}
    limits: {lower: -2, upper: 2, velocity: 4, acceleration: 20}
    drive: [Ia, Fv, Fc, off, Frt]
    parameters: {ZZ: 0.4, M: 2, MX: 0.5, Ia: 0.2, Fv: 1, Fc: 2, off: 0.1, Frt: 3}
END
awk 'BEGIN {
  printf "t,q1,q2\n"
  for (k = 0; k <= 10000; k++) {
    t = k * 0.001
    printf "%.3f,%.12f,%.12f\n", t, 0.9*sin(1.1*t) - 0.4*sin(2.9*t) + 0.1*sin(4.7*t),
           0.8*sin(1.3*t) - 0.5*sin(2.3*t) + 0.1*sin(5.1*t)
  }
}' >motion.csv

"$tool" simulate robot.yaml motion.csv --gamma 150 --torque-noise 0.1 --save-controller pid.yaml -o log.csv -q

# the tool lists its methods when it is asked for one that does not exist
methods=$("$tool" identify robot.yaml log.csv --method none 2>&1 |
  sed -n -e 's/.*(there are \([a-z0-9 ]*\)).*/\1/p' -e 's/.*(choose from \([a-z0-9, ]*\)).*/\1/p' | tr -d ,)
[ "$(echo "$methods" | wc -w)" -ge 9 ] || fail "no list of methods: '$methods'"

for method in $methods; do
  # methods without a simulation refuse a controller
  "$tool" identify robot.yaml log.csv --gamma 150 --method "$method" -o "$method.json" -q 2>error ||
    "$tool" identify robot.yaml log.csv --gamma 150 --method "$method" --controller pid.yaml -o "$method.json" -q ||
    fail "identify --method $method failed"
  for pair in Frt1:5 Frt2:3 Fc1:1 Fc2:2; do
    awk -v name="${pair%:*}" -v truth="${pair#*:}" '
      /"name":/ { here = index($0, "\"" name "\"") }
      here && /"value":/ { value = $2 + 0 }
      here && /"sigma":/ { sigma = $2 + 0; found = 1; here = 0; exit }
      END {
        # the torque noise of 0.1 N m leaves sigmas below 0.2. Four sigmas are 1 in 16000. A wrong law is off
        # by more than half
        if (!found || !(sigma > 0 && sigma < 0.2)) { print name ": no usable estimate"; exit 1 }
        e = value - truth
        if (!(e <= 4 * sigma && -e <= 4 * sigma)) { print name " = " value " +- " sigma ", truth " truth; exit 1 }
      }' "$method.json" || fail "wrong estimate with --method $method"
  done
done

"$tool" identify robot.yaml log.csv --gamma 150 --consistent -o consistent.json -q || fail "identify --consistent failed"

# the column of the regressor is the root of the speed
printf 'q1,q2,dq1,dq2,ddq1,ddq2\n0.1,0.2,-0.25,0.49,0,0\n' >state.csv
"$tool" regressor robot.yaml state.csv -q >regressor.csv || fail "regressor failed"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i }
  NR > 1 { for (i = 1; i <= NF; i++) if (name[i] ~ /Frt/ && $i != 0) got = got " " $i }
  END { if (got != " -0.5 0.7" && got != " -0.5 0.69999999999999996") { print "columns of Frt:" got; exit 1 } }' regressor.csv ||
  fail "wrong regressor"

# designs on the CPU and on the stand-in of a device: the same individuals, repaired on a grid there. One generation,
# because small differences of the repair grow along a search
for device in cpu cuda; do
  LD_LIBRARY_PATH=$build/tests/device/plain "$tool" excite robot.yaml --gamma 150 --search ga --population 20 --generations 1 \
    --no-polish --seed 1 --period 4 --harmonics 3 --budget 0 --device $device --json -o $device.csv -q >$device.json ||
    fail "excite --device $device failed"
done
best() { sed -n 's/^  "best": \(.*\),$/\1/p' "$1"; }
awk -v a="$(best cpu.json)" -v b="$(best cuda.json)" 'BEGIN { d = a - b; exit !(a < 0 && d < 0.05 && d > -0.05) }' ||
  fail "the designs differ: $(best cpu.json) on the CPU, $(best cuda.json) on the device"
# a law that a device lacks is refused by name
sed 's/Frt\]/Fl]/; s/Frt: [0-9]/Fl: 0.05/' robot.yaml >geared.yaml
code=0
LD_LIBRARY_PATH=$build/tests/device/plain "$tool" excite geared.yaml --gamma 150 --search ga --period 4 --harmonics 3 \
  --device cuda -o none.csv -q 2>message || code=$?
[ $code -eq 3 ] && [ ! -e none.csv ] && grep -q 'joint 1: friction law Fl is not available in designs of motions on a device' message ||
  { cat message; fail "Fl is not refused on a device"; }

# the tool compares the code with the library before it writes it; here the law must be in the text
"$tool" export robot.yaml --format c -o two.c -q || fail "export c failed"
grep -q 'sqrt(fabs(dq\[0\]))' two.c || fail "two.c does not have the law"
"${CC:-cc}" -std=c99 -Wall -Werror -c two.c -o two.o || fail "two.c does not compile"
"$tool" export robot.yaml --format yaml -o again.yaml -q || fail "export yaml failed"
grep -q 'Frt' again.yaml || fail "again.yaml does not have the law"

"$tool" report wls.json -o page.html --plots figures -q || fail "report failed"
grep -q 'Frt1' page.html && ls figures | grep -q friction || fail "the report does not show the law"
echo "Frt is identified by: $methods"
