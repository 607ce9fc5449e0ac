#!/bin/sh
# examples.sh SOURCE TOOLS: run every line "$ ..." of the ```console blocks in README.md,
# docs/tutorial.md, docs/paper-experiments.md and docs/cli/*.md, page by page, in a scratch directory that starts as a copy of examples/. Each must
# exit with 0. Lines of a block that do not begin with "$ " show output and are not compared.
set -eu
source=$1
PATH=$2:$PATH
# pages have the same date also if a day ends during the test
SOURCE_DATE_EPOCH=86400
export PATH SOURCE_DATE_EPOCH
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
count=0
for page in "$source"/README.md "$source"/docs/tutorial.md "$source"/docs/paper-experiments.md "$source"/docs/cli/*.md; do
  rm -rf "$scratch/work"
  cp -r "$source/examples" "$scratch/work"
  awk '/^```/ { inside = ($0 == "```console"); next } inside && /^\$ / { print substr($0, 3) }' \
    "$page" >"$scratch/lines"
  [ -s "$scratch/lines" ] || { echo "$page has no example"; exit 1; }
  while IFS= read -r line; do
    if ! (cd "$scratch/work" && sh -c "$line" </dev/null) >"$scratch/output" 2>&1; then
      echo "$page: failed: $line"
      cat "$scratch/output"
      exit 1
    fi
    count=$((count + 1))
  done <"$scratch/lines"
done
echo "$count examples run"
