#!/bin/sh
# compare.sh BUILD SOURCE: a bag that an independent program (npm's @mcap/core) has written gives the same
# estimate as a CSV file with the same numbers, byte for byte: for each compression, with and without chunks
# and summary, as a whole, in pieces, and as a folder of several files. A bag that is cut off is read up to
# its last complete record. The same program reads a trace that Roberval has written.
set -eu
tool=$1/roberval source=$2
command -v npm >/dev/null && command -v zstd >/dev/null && command -v lz4 >/dev/null ||
  { echo "skipped: npm, zstd or lz4 is missing (scripts/setup test web)"; exit 77; }
packages=$1/tests/bags
mkdir -p "$packages"
cp "$source/tests/bags/package.json" "$source/tests/bags/package-lock.json" "$packages"
if ! [ -d "$packages/node_modules/@mcap/core" ]; then
  (cd "$packages" && npm ci --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error >npm.log 2>&1) ||
    { echo "skipped: npm could not fetch @mcap/core"; exit 77; }
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# a motion of the example with two joints, at 500 Hz with stamps in whole milliseconds
awk 'BEGIN {
  print "t,q1,q2"
  for (k = 0; k < 3000; k++) { t = k / 500
    printf "%.17g,%.17g,%.17g\n", t, 0.5*(1-cos(2.2*t)) + 0.2*(1-cos(6*t)), 0.4*(1-cos(3.1*t)) - 0.2*(1-cos(5*t)) }
}' >traj.csv
"$tool" simulate "$source/examples/two_link.urdf" traj.csv --rate 500 --torque-noise 2% -q -o sim.csv
awk -F, '/^#/ { next } !n { for (i = 1; i <= NF; i++) at[$i] = i; n = 1; print "t,q1,q2,dq1,dq2,tau1,tau2"; next }
  { printf "%.0f,%s,%s,0,0,%s,%s\n", (k++) * 2000000, $(at["q1"]), $(at["q2"]), $(at["tau1"]), $(at["tau2"]) }' sim.csv >ns.csv
awk -F, 'NR == 1 { print "t,shoulder_position,elbow_position,shoulder_velocity,elbow_velocity,shoulder_effort,elbow_effort"; next }
  { printf "%.17g,%s,%s,%s,%s,%s,%s\n", $1 / 1e9, $2, $3, $4, $5, $6, $7 }' ns.csv >log.csv
(cd "$packages" && JOINTS=shoulder,elbow node "$source/tests/bags/write.mjs" "$work/ns.csv" "$work") >list

identify() { "$tool" identify "$source/examples/two_link.urdf" "$1" --memory "$2" --json -q | sed "s|$1|LOG|g" | grep -v sha256; }
files=0
for memory in 200 0.01; do
  identify log.csv $memory >from_csv
  grep -q '"ZZ1' from_csv || { echo "no estimate from log.csv"; exit 1; }
  while read -r bag; do
    identify "$bag" $memory >from_bag
    cmp from_csv from_bag || { echo "$bag gives another result than CSV with --memory $memory"; exit 1; }
    files=$((files + 1))
  done <list
done
[ $files -eq 16 ] || { echo "$files runs, not 16"; exit 1; }

# cut off: the records before the cut
size=$(wc -c <zstd-chunks-summary.mcap)
head -c $((size / 2)) zstd-chunks-summary.mcap >cut.mcap
"$tool" check "$source/examples/two_link.urdf" cut.mcap --json -q >cut.json || [ $? -eq 1 ]
rows=$(sed -n 's/.*"samples": \([0-9]*\).*/\1/p' cut.json | head -n 1)
[ "$rows" -gt 1000 ] && [ "$rows" -lt 3000 ] || { echo "$rows rows of half a bag"; exit 1; }

# a bag of three files, in a folder
mkdir split
head -n 1 ns.csv >head.csv
for part in 0 1 2; do
  { cat head.csv; tail -n +2 ns.csv | awk -v p=$part 'int((NR - 1) / 1000) == p'; } >part.csv
  mkdir part
  (cd "$packages" && JOINTS=shoulder,elbow node "$source/tests/bags/write.mjs" "$work/part.csv" "$work/part") >/dev/null
  mv part/zstd-chunks-bare.mcap "split/split_$part.mcap"
  rm -r part
done
for memory in 200 0.01; do
  identify log.csv $memory >from_csv
  identify split/ $memory >from_bag
  cmp from_csv from_bag || { echo "three files give another result than CSV with --memory $memory"; exit 1; }
done
# the other way round: the independent program reads a trace by its index, with the same numbers as in CSV
"$tool" identify "$source/examples/two_link.urdf" log.csv -q -o result.json >/dev/null
"$tool" validate result.json log.csv --trace trace.mcap -q >/dev/null
"$tool" validate result.json log.csv --trace trace.csv -q >/dev/null
for signal in measured predicted residual; do
  (cd "$packages" && node "$source/tests/bags/read.mjs" "$work/trace.mcap" "/$signal") >read.csv
  awk -F, -v signal=$signal '
    FNR == NR { if (FNR == 1) { for (i = 1; i <= NF; i++) at[$i] = i; next }
                a[++n] = tolower($at["shoulder/" signal]); b[n] = tolower($at["elbow/" signal]); next }
    { k++; if ($2 != "shoulder" || $3 != "elbow" || !same($4, a[k]) || !same($5, b[k])) { print "row " k ": " $0; exit 1 } }
    function same(x, y) { return tolower(x) == "nan" ? y == "nan" : y != "nan" && x + 0 == y + 0 }
    END { if (k != n || n != 3000) { print k " of " n " messages"; exit 1 } }' trace.csv read.csv ||
    { echo "/$signal of trace.mcap differs from trace.csv"; exit 1; }
done
echo "$files bags and a split one give the same estimate as CSV"
