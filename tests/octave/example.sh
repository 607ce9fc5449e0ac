#!/bin/sh
# example.sh SOURCE FUNCTIONS TOOLS OCTAVE EXAMPLE: an example of examples/octave runs, and checks what it computes (assert); or a page, whose
# blocks run in order.
set -eu
source=$1 functions=$2 tools=$3 octave=$4 example=$5
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
PATH=$tools:$PATH OPENBLAS_NUM_THREADS=1
export PATH OPENBLAS_NUM_THREADS
cp -r "$source/examples" "$scratch/work"
cd "$scratch/work"
script=$example
case $example in *.md)
  script=page.m
  awk '/^```/ { inside = ($0 == "```matlab"); next } inside' "$example" >page.m
  [ "$(wc -l <page.m)" -gt 10 ] || { echo "$example has no blocks"; exit 1; }
  sh record.sh 0 log.csv ;;
esac
"$octave" --no-init-file --no-history --no-gui --path "$functions" --path octave "$script" >output || { cat output; exit 1; }
cat output
# the last block of the page shows the identifier of an error
[ "$script" != page.m ] || grep -qx 'roberval:EREAD' output
