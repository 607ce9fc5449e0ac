#!/bin/sh
# lapack.sh SOURCE FUNCTIONS TOOLS OCTAVE FOREIGN STATIC: with a foreign LAPACK loaded first, as MATLAB has one with other integers, the
# function computes with its own. The tool, which is linked with the system's, ends in the foreign one: so the test can fail.
set -eu
source=$1 functions=$2 tools=$3 octave=$4 foreign=$5 static=$6
[ "$static" = 1 ] || { echo "libopenblas.a is missing: the function uses the library of the system"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -r "$source/examples" "$scratch/work"
cd "$scratch/work"
PATH=$tools:$PATH
sh record.sh 0 log.csv
code=0
LD_PRELOAD=$foreign roberval identify tx40 log.csv -q -o tool.json 2>tool.err || code=$?
[ "$code" -eq 99 ] && grep -q 'foreign LAPACK' tool.err || { echo "the foreign LAPACK was not called ($code)"; cat tool.err; exit 1; }
cat >isolated.m <<'M'
r = roberval_identify ('tx40', 'log.csv', 'consistent', true);
assert (numel (r.values), 60);
assert (r.error < 0.01);
printf ('%s %.17g\n', r.names{1}, r.values(1));
M
LD_PRELOAD=$foreign "$octave" --no-init-file --no-history --no-gui --path "$functions" isolated.m >isolated
"$octave" --no-init-file --no-history --no-gui --path "$functions" isolated.m >plain
cmp isolated plain
nm -D --defined-only "$functions"/roberval_mex.mex | awk '$3 != "mexFunction" { print $3 " is visible"; bad = 1 } END { exit bad }'
cat isolated
