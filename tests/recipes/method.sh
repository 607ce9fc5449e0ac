#!/bin/sh
# method.sh BUILD SOURCE: the new method identifies a recording with outliers, and every list of
# methods that users see has it.
# tests: identify.linear identify.identify
set -eu
tool=$1/roberval pages=$1/generated/pages robot=$2/examples/pendulum.yaml

# a recording in which every 20th torque was lost and is zero
awk 'BEGIN {
  print "t,q1"
  for (k = 0; k < 4000; k++) { t = k / 400; printf "%.17g,%.17g\n", t, 0.5*(1-cos(4.4*t)) + 0.2*(1-cos(13*t)) }
}' >traj.csv
"$tool" simulate "$robot" traj.csv --gamma 150 --torque-noise 2% -q -o clean.csv
awk -F, -v OFS=, 'NR > 1 && NR % 20 == 0 { $3 = 0 } { print }' clean.csv >log.csv

# without decimation, which would spread each outlier over its neighbours
value() {
  "$tool" identify "$robot" "$2" --gamma 150 --cutoff 30 --decimate 1 --method "$1" --json -q |
    awk '/"name": "MX1"/ { found = 1 } found && /"value"/ { gsub(/[^0-9.e-]/, "", $2); print $2; exit }'
}
truth=$(value ols clean.csv) ols=$(value ols log.csv) huber=$(value huber log.csv)
echo "MX1: $truth without outliers; with outliers $ols by ols, $huber by huber"
awk -v t="$truth" -v a="$ols" -v b="$huber" 'function d(x) { return x < t ? t - x : x - t }
  BEGIN { exit !(t > 0 && d(b) < d(a) / 3) }' || { echo "huber is not closer than ols"; exit 1; }

code=0
"$tool" identify "$robot" log.csv --method nothing >/dev/null 2>message || code=$?
[ $code -eq 2 ] && grep -q huber message || { cat message; echo "the message about an unknown method does not list it"; exit 1; }
"$tool" identify --help all | grep -q huber || { echo "help does not list the method"; exit 1; }
grep -q huber "$pages/roberval-identify.1" || { echo "the manual page does not list the method"; exit 1; }
bash -c '. "$1/roberval.bash"; COMP_WORDS=(roberval identify --method hu); COMP_CWORD=3; _roberval; echo "${COMPREPLY[@]}"' \
  bash "$pages" | grep -qx huber || { echo "bash does not complete the method"; exit 1; }
"$tool" montecarlo "$robot" --reference traj.csv --bandwidth 6 --cutoff 30 --decimate 10 --methods ols,huber --runs 2 -q --json |
  grep -q '"method": "huber"' || { echo "montecarlo does not know the method"; exit 1; }
