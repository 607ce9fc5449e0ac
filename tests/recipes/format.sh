#!/bin/sh
# format.sh BUILD SOURCE: a file of doubles gives the same estimate as the CSV file with the same numbers,
# held as a whole and read in pieces; a damaged one is refused.
# tests: log.formats log.guess
set -eu
tool=$1/roberval robot=$2/examples/pendulum.yaml

awk 'BEGIN {
  print "t,q1"
  for (k = 0; k < 4000; k++) { t = k / 400; printf "%.17g,%.17g\n", t, 0.5*(1-cos(4.4*t)) + 0.2*(1-cos(13*t)) }
}' >traj.csv
"$tool" simulate "$robot" traj.csv --gamma 150 --torque-noise 2% -q -o log.csv

# the same numbers as doubles
perl -e '
  my $names = <STDIN>; chomp $names; $names =~ tr/,/ /;
  print "doubles $names\n";
  for (grep { !/^#/ } <STDIN>) { print pack("d<*", split(/,/)) }' <log.csv >log.doubles

identify() { "$tool" identify "$robot" "$1" --gamma 150 --cutoff 30 --memory "$2" --json -q; }
for memory in 200 0.01; do
  identify log.csv $memory | grep -v -e sha256 -e 'log\.csv' >from_csv
  identify log.doubles $memory | grep -v -e sha256 -e 'log\.doubles' >from_doubles
  grep -q '"ZZ1R"' from_csv || { echo "no estimate from log.csv"; exit 1; }
  cmp from_csv from_doubles || { echo "CSV and doubles give different results with --memory $memory"; exit 1; }
done

head -c 1000 log.doubles >cut.doubles
code=0
identify cut.doubles 200 >/dev/null 2>message || code=$?
[ $code -eq 3 ] && grep -q 'cut.doubles: the file is truncated' message || { cat message; echo "a truncated file is not refused"; exit 1; }
