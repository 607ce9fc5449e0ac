#!/bin/sh
# run.sh SOURCE FUNCTIONS TOOLS OCTAVE SCRIPT.m: run a test in a scratch copy of examples/ with a recording of the tx40, log.csv.
set -eu
source=$1 functions=$2 tools=$3 octave=$4 script=$5
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -r "$source/examples" "$scratch/work"
cp "$source/tests/octave/"*.m "$scratch/work"
cd "$scratch/work"
PATH=$tools:$PATH SOURCE_DATE_EPOCH=86400 OPENBLAS_NUM_THREADS=1
export PATH SOURCE_DATE_EPOCH OPENBLAS_NUM_THREADS
sh record.sh 0 log.csv
"$octave" --no-init-file --no-history --no-gui --path "$functions" "$(basename "$script")" | tee output
[ "$(tail -n 1 output)" = "tested to the end" ]
