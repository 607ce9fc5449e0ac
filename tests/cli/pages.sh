#!/bin/sh
# pages.sh PAGES TOOL: manual pages render without a warning and list every option of --help;
# bash and zsh complete commands and options.
set -eu
pages=$1 tool=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
wrong() { echo "$*"; exit 1; }

commands=$("$tool" help | sed -n 's/^  \([a-z]*\) .*/\1/p')
[ "$(echo "$commands" | wc -l)" -gt 10 ] || wrong "help lists too few commands"

echo "== manual pages"
for page in "$pages"/*.[15]; do
  groff -man -Tutf8 -ww -z "$page" 2>"$scratch/said" || wrong "$page: groff fails"
  # pages have a version instead of a date
  mandoc -T lint -W warning "$page" 2>&1 | grep -v 'missing date' >>"$scratch/said" || true
  [ ! -s "$scratch/said" ] || { cat "$scratch/said"; wrong "$page does not render cleanly"; }
done
count=0
for command in $commands; do
  page=$pages/roberval-$command.1
  [ -f "$page" ] || wrong "the page of $command is missing"
  grep -q "roberval.-$command" "$pages/roberval.1" || wrong "roberval.1 does not list $command"
  mandoc -T utf8 "$page" | sed 's/.\x08//g' >"$scratch/text"
  "$tool" "$command" --help all | sed -n 's/^  .*\(--[a-z-]*\).*/\1/p' >"$scratch/options"
  while read -r option; do
    grep -q -e "$option" "$scratch/text" || wrong "$page does not list $option"
    count=$((count + 1))
  done <"$scratch/options"
done
echo "$count options"
[ "$count" -gt 100 ] || wrong "too few options"

echo "== bash"
bash -n "$pages/roberval.bash"
# the completions of bash for the last word of a line
offers() {
  bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _roberval; printf "%s\n" "${COMPREPLY[@]}"' \
    bash "$pages/roberval.bash" "$@"
}
has() { grep -qxF -e "$1" "$scratch/offered" || { cat "$scratch/offered"; wrong "bash does not offer $1"; }; }
offers roberval id >"$scratch/offered"; has identify
[ "$(wc -l <"$scratch/offered")" -eq 1 ] || wrong "bash offers more than identify"
offers roberval identify --meth >"$scratch/offered"; has --method
offers roberval model tx >"$scratch/offered"; has tx40
offers roberval help val >"$scratch/offered"; has validate
(cd "$scratch" && : >recording.csv && offers roberval check tx40 rec >offered); has recording.csv
for command in $commands; do
  offers roberval "$command" - >"$scratch/offered"
  for option in $("$tool" "$command" --help all | sed -n 's/^  .*\(--[a-z-]*\).*/\1/p'); do has "$option"; done
done

echo "== zsh"
zsh -n "$pages/_roberval"
# the specifications that _arguments gets; words is set as in zsh
given() {
  zsh -f -c '_arguments() { print -rl -- "$@" }; _describe() { print -rl -- "${(@P)2}" }
    words=("${@[2,-1]}"); CURRENT=$#words; compdef() { }; complete_it() { source "$1" }; complete_it "$1"' zsh "$pages/_roberval" "$@"
}
given roberval '' | grep -q '^identify:' || wrong "zsh does not offer identify"
for command in $commands; do
  given roberval "$command" '' >"$scratch/offered"
  for option in $("$tool" "$command" --help all | sed -n 's/^  .*\(--[a-z-]*\).*/\1/p'); do
    grep -q -e "$option" "$scratch/offered" || wrong "zsh does not offer $command $option"
  done
done
