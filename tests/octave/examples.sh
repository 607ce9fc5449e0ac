#!/bin/sh
# examples.sh SOURCE FUNCTIONS TOOLS OCTAVE: every examples/octave/*.m runs, and checks what it computes (assert).
set -eu
source=$1 functions=$2 tools=$3 octave=$4
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
PATH=$tools:$PATH OPENBLAS_NUM_THREADS=1
export PATH OPENBLAS_NUM_THREADS
count=0
for example in "$source"/examples/octave/*.m; do
  rm -rf "$scratch/work"
  cp -r "$source/examples" "$scratch/work"
  (cd "$scratch/work" && "$octave" --no-init-file --no-history --no-gui --path "$functions" "octave/$(basename "$example")") ||
    { echo "$example failed"; exit 1; }
  count=$((count + 1))
done
echo "$count examples"
[ "$count" -ge 6 ]
