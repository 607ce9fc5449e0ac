#!/bin/sh
# rules.sh RULE SOURCE: rules about the source tree that a compiler does not check. Prints every
# violation with its place.
#
#   messages   no text of the library names a command-line option
#   citations  papers are cited by author and year, never by a number
#   names      every file name in src is unique
#   words      a folder of src is called a module
#   tables     no switch over the rows of a table has a default branch
#   headers    every public header compiles alone, as C17 and as C++17
set -eu
rule=$1
cd "$2"
violations=$(mktemp)
trap 'rm -f "$violations"' EXIT

# every C string in the given files that matches a pattern, without comments
strings_matching() {
  pattern=$1
  shift
  PATTERN=$pattern perl -0777 -ne '
    while (m{/\*.*?\*/|//[^\n]*|\x27(?:[^\x27\\]|\\.)+\x27|"((?:[^"\\\n]|\\.)*)"}gs) {
      my ($text, $start) = ($1, $-[0]);
      next unless defined $text && $text =~ /$ENV{PATTERN}/;
      my $line = 1 + (substr($_, 0, $start) =~ tr/\n//);
      print "$ARGV:$line: \"$text\"\n";
    }' "$@"
}

case $rule in
  messages)
    # The tool adds option names itself (rbv_fail_option). CSS variables (--name: and var(--name)) are
    # no options.
    files=$(ls src/*/*.[ch] src/*/*.inc | grep -vE '^src/(cli|papers)/')
    strings_matching '(?<![\w(-])--[a-z][a-z-]*(?![\w-]*:)' $files >"$violations"
    ;;
  citations)
    # "003 section 4.2", "000 eq. 26", "paper 004", "(002)"
    grep -nE '(^|[^0-9.])00[0-4]( |, )(eq|sec|app|tab|fig|[A-Z])|\b[Pp]apers? +00[0-9]|\(00[0-4]\)|\[00[0-4]\]' \
      src/*/*.[ch] src/*/*.inc include/roberval/*.h include/roberval/*/*.h 2>/dev/null >"$violations" || true
    ;;
  names)
    # a header and a source of the same stem belong to one module
    for file in src/*/*.* src/*/*/*.*; do
      [ -f "$file" ] || continue
      name=$(basename "$file")
      echo "${name%.*} $(dirname "$file") $name"
    done | sort | awk '
      seen[$3]++ { print "two files are called " $3 ": in " where[$3] " and in " $2 }
      $1 in home && home[$1] != $2 { print "files called " $1 " are in " home[$1] " and in " $2 }
      { where[$3] = home[$1] = $2 }' >"$violations"
    ;;
  words)
    # "room" also means space for data, and is the name of capacities; only the module is meant here
    grep -rniE '\b(this|the|a|which|that|one|two|each|other|own|every|of|no) +rooms?( only| share|\.|,|;|$| calls| stands| is | has )|\brooms\b|\broom.s (own|door|header)' \
      src include tests cmake docs scripts fuzz bench examples CONTRIBUTING.md README.md Makefile CMakeLists.txt |
      grep -vE '^tests/cross/rules\.sh:|^(tests/data|tests/corpus)/|Binary file' >"$violations" || true
    ;;
  tables)
    # a switch whose labels are laws, export formats or trajectory classes
    awk '
      function open_switch() { depth_of[++top] = depth; table_of[top] = 0; default_at[top] = 0 }
      FNR == 1 { depth = top = 0 }
      {
        line = $0
        sub(/\/\/.*/, "", line)
        gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
        if (line ~ /(^|[^a-z_])switch *\(/) open_switch()
        if (top && line ~ /case +RBV_(BASIS|LAW|EXPORT|TRAJECTORY|METHOD|FORMAT)_/) table_of[top] = FNR
        if (top && line ~ /(^|[^a-z_])default *:/) default_at[top] = FNR
        opens = gsub(/{/, "{", line); closes = gsub(/}/, "}", line)
        depth += opens - closes
        while (top && depth <= depth_of[top] && closes) {
          if (table_of[top] && default_at[top])
            print FILENAME ":" default_at[top] ": default branch in a switch over the rows of a table"
          top--
        }
      }' src/*/*.c src/*/*.h src/*/*.inc >"$violations"
    ;;
  headers)
    headers=$(find include/roberval -name '*.h' | sort)
    for header in $headers; do
      "${CC:-cc}" -std=c17 -pedantic -Wall -Wextra -Werror -Iinclude -fsyntax-only -x c "$header" >>"$violations" 2>&1 ||
        echo "$header does not compile alone as C17" >>"$violations"
      "${CXX:-c++}" -std=c++17 -pedantic -Wall -Wextra -Werror -Iinclude -fsyntax-only -x c++ "$header" >>"$violations" 2>&1 ||
        echo "$header does not compile alone as C++17" >>"$violations"
    done
    ;;
  *)
    echo "rules.sh: there is no rule '$rule'" >&2
    exit 2
    ;;
esac

[ ! -s "$violations" ] || { cat "$violations"; echo "rule $rule: $(wc -l <"$violations") violations"; exit 1; }
