#!/bin/sh
# export.sh BUILD [SOURCE]: the format csv of export.patch writes the parameters of a robot, and every list
# of formats that users see has it. BUILD has the tool `roberval`, built from the patched tree.
# tests: export.documents cli.export
set -eu
tool=$(cd "$1" && pwd)/roberval
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
fail() { echo "export.sh: $*" >&2; exit 1; }

cat >robot.yaml <<'END'
joints:
  - mdh: {alpha: pi/2, d: 0, theta: 0, r: 0}
    parameters: {ZZ: 0.4, MX: 1.25, M: 3, Ia: 0.1, Fv: 0.3, Fc: 1e-3}
END
"$tool" export robot.yaml --format csv -o table.csv -q || fail "export csv failed"
"$tool" export robot.yaml --format csv -q | cmp - table.csv || fail "standard output differs from the file"
[ "$(head -1 table.csv)" = name,value,unit ] || fail "wrong header: $(head -1 table.csv)"
[ "$(wc -l <table.csv)" -eq 15 ] || fail "not ten inertial and four drive columns"
for line in 'ZZ1,0.4,kg m^2' 'MX1,1.25,kg m' 'M1,3,kg' 'Ia1,0.1,kg m^2' 'Fv1,0.3,N m s/rad' 'Fc1,0.001,N m' 'off1,0,N m'; do
  grep -qxF -e "$line" table.csv || { cat table.csv; fail "table.csv lacks $line"; }
done

code=0
"$tool" export robot.yaml --format none 2>message || code=$?
[ $code -eq 2 ] && grep -q csv message || { cat message; fail "the message about an unknown format does not list csv"; }
code=0
"$tool" export robot.yaml 2>message || code=$?
[ $code -eq 2 ] && grep -q csv message || { cat message; fail "the message about a missing format does not list csv"; }
