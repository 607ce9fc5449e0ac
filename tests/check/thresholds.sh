#!/bin/sh
# thresholds.sh VARY TOOL SOURCE: the table of thresholds, and the program that varies them.
#
#   - every row has a kind, a value, a unit, an origin and an effect, and a name of its own,
#   - docs/dev/thresholds.md has the same rows with the same values,
#   - without a change the program does what the tool does; a changed threshold changes a finding.
set -eu
vary=$1 tool=$2 source=$3
here=$(mktemp -d)
trap 'rm -r "$here"' EXIT
bad=0
complain() { echo "$1"; bad=1; }

"$vary" >"$here/table"
[ "$(wc -l <"$here/table")" -gt 100 ] || complain "the table has only $(wc -l <"$here/table") rows"
awk -F '\t' '
  NF != 6 { print $1 ": " NF " fields instead of 6"; next }
  $2 !~ /^(real|count|size|step)$/ { print $1 ": kind " $2 }
  $3 !~ /^[-+0-9.e]+$/ { print $1 ": value " $3 }
  length($4) < 1 { print $1 ": no unit" }
  length($5) < 6 { print $1 ": no origin" }
  length($6) < 10 { print $1 ": no effect" }
  seen[$1]++ { print $1 ": two rows" }' "$here/table" >"$here/defects"
[ ! -s "$here/defects" ] || { cat "$here/defects"; bad=1; }

# | `GROUP.NAME` | value | ...
awk -F '\t' '{ printf "%s %.9g\n", $1, $3 }' "$here/table" | sort >"$here/rows"
sed -n 's/^| `\([A-Z_]*\.[A-Z_]*\)` | \([^ ]*\) .*/\1 \2/p' "$source/docs/dev/thresholds.md" | sort >"$here/page"
diff "$here/rows" "$here/page" || complain "the table (<) and docs/dev/thresholds.md (>) differ: run scripts/thresholds"

cd "$here"
awk 'BEGIN { print "t,q1,q2,tau1,tau2"
  for (k = 0; k < 2000; k++) { t = k / 200
    printf "%.3f,%.9f,%.9f,%.6f,%.6f\n", t, 0.5 * sin(0.9 * t), 0.02 * sin(2.3 * t), 3 * cos(0.9 * t), cos(2.3 * t) } }' >log.csv
limits="limits: {lower: -3, upper: 3, velocity: 2}"
printf "joints: [{mdh: {alpha: pi/2}, $limits}, {mdh: {d: 0.5}, $limits}]\n" >two_link.yaml
"$tool" check two_link.yaml log.csv --json >tool.json 2>tool.err || [ $? -eq 1 ]
"$vary" as-is check two_link.yaml log.csv --json >same.json 2>same.err || [ $? -eq 1 ]
cmp tool.json same.json || complain "the program without a change is not the tool"
"$vary" CHECK_MOTION.SLOW_SHARE=0.3 check two_link.yaml log.csv --json >other.json 2>other.err || [ $? -eq 1 ]
[ "$(grep -c '^ \{6\}"code": "slow"' tool.json)" -eq 1 ] || complain "the slow joint is not found"
[ "$(grep -c '^ \{6\}"code": "slow"' other.json)" -eq 2 ] || complain "a changed threshold has no effect"
! "$vary" CHECK_MOTION.NOTHING=1 check two_link.yaml log.csv >other.json 2>other.err || complain "an unknown row is accepted"
exit $bad
