#!/bin/sh
# pages.sh SOURCE LIBRARY: the links of the pages are valid, cli.examples runs every command line that
# README, tutorial and docs/cli show, and the API reference has every function that the library exports.
set -eu
source=$1 library=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$source"
bad=0
complain() { echo "$*"; bad=1; }

# [text](path#section), relative to the page; section names as usual renderers make them
pages=$(find . -path ./build -prune -o -name '*.md' -print)
count=0
for page in $pages; do
  for link in $(awk '/^```/ { code = !code; next } !code' "$page" | sed 's/`[^`]*`//g' | grep -oE '\]\([^) ]+\)' | sed 's/^](//; s/)$//'); do
    case $link in http://* | https://* | mailto:*) continue ;; esac
    path=${link%%#*} section=""
    case $link in *#*) section=${link#*#} ;; esac
    target=$(dirname "$page")/$path
    [ -n "$path" ] || target=$page
    [ -e "$target" ] || complain "$page: the link $link is broken"
    if [ -n "$section" ] && [ -f "$target" ]; then
      grep -E '^#+ ' "$target" | sed 's/^#* //' | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9\n_-' | grep -qx -e "$section" ||
        complain "$page: $target has no section $section"
    fi
    count=$((count + 1))
  done
done
echo "$count links"
[ "$count" -gt 40 ] || complain "too few links were found"

# commands in a block that is not marked console are not run
for page in README.md docs/tutorial.md docs/cli/*.md; do
  awk '/^```/ { inside = !inside; kind = $0; next } inside && kind != "```console" && /^(\$ )?roberval / { print FILENAME ":" FNR ": " $0 }' \
    "$page" >"$scratch/shown"
  [ ! -s "$scratch/shown" ] || { cat "$scratch/shown"; complain "$page shows commands that are not run"; }
done

# the reference
scripts/api "$scratch/api"
nm -D --defined-only "$library" | awk '$3 ~ /^rbv_/ { print $3 }' | sort >"$scratch/exported"
sed -n 's/^| `\(rbv_[a-z0-9_]*\)`.*/\1/p' "$scratch/api/README.md" | sort -u >"$scratch/told"
diff "$scratch/exported" "$scratch/told" || complain "the reference and the library differ"
for page in $(find "$scratch/api" -name '*.md'); do
  [ $(($(grep -c '^```' "$page") % 2)) -eq 0 ] || complain "$page has an open block"
  grep -q '^# ' "$page" || complain "$page has no title"
done
echo "$(wc -l <"$scratch/told") functions"
exit $bad
