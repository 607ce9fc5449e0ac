#!/bin/sh
# law.sh BUILD [SOURCE]: take the law Frt of law.patch through simulate, identify (every method), export c
# and report. BUILD has the tool `roberval`, built from the patched tree. Fails when the law comes out wrong.
set -eu
tool=$(cd "$1" && pwd)/roberval
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
fail() { echo "law.sh: $*" >&2; exit 1; }

cat >robot.yaml <<'END'
name: two
joints:
  - name: turn
    mdh: {alpha: 0, d: 0, theta: 0, r: 0}
    drive: [Ia, Fv, Fc, off, Frt]
    parameters: {ZZ: 0.5, Ia: 0.2, Fv: 2, Fc: 1, off: 0.3, Frt: 5}
  - name: tilt
    mdh: {alpha: pi/2, d: 0.2, theta: 0, r: 0}
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

# the tool compares the code with the library before it writes it; here the law must be in the text
"$tool" export robot.yaml --format c -o two.c -q || fail "export c failed"
grep -q 'sqrt(fabs(dq\[0\]))' two.c || fail "two.c does not have the law"
"${CC:-cc}" -std=c99 -Wall -Werror -c two.c -o two.o || fail "two.c does not compile"
"$tool" export robot.yaml --format yaml -o again.yaml -q || fail "export yaml failed"
grep -q 'Frt' again.yaml || fail "again.yaml does not have the law"

"$tool" report wls.json -o page.html --plots figures -q || fail "report failed"
grep -q 'Frt1' page.html && ls figures | grep -q friction || fail "the report does not show the law"
echo "Frt is identified by: $methods"
