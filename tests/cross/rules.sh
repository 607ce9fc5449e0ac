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
#   exports    at most 550 functions are exported below sys, and a program outside the library uses each
#   thresholds numbers that decide are rows of <module>_thresholds.h, and every row is used
#   sizes      no file of src and include has more than 700 lines, no function more than 70
#   motion     the motion of a link is propagated by the numeric source, the symbolic one and the page only
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

# lines of files that turn a vector or a frame by a joint, or compute with products of angular
# velocities: R = fixed + cosine c + sine s; a rotation in a plane; w x (w x r); matrices of three.js
propagating() {
  grep -nE 'fixed\[[^]]*\]( \+|\),) .*cosine\[|->cosine\[[^]]*\].*->sine\[|\b(t|at|p)?(\.|->)?c \* [a-z]+(\.|->)x [-+] [a-z.>-]*s \* [a-z]+(\.|->)y|\bw(\.|->)y \* ([a-z]+->)?w(\.|->)z|\bw\[[1i]\] \* w\[[2jk]\]|cross\((([a-z]+->|[a-z]\.)?w), cross\(|makeRotationAxis' "$@" /dev/null || true
}

case $rule in
  motion)
    # Another place needs a reason here and, if it propagates motion for speed, a test against body_motion.h.
    #   device/body_motion.h   the numeric source: widths 1 to 8 and the device
    #   export/graph_frames.c  the symbolic source of the generated C code
    #   arm.js                 the page
    #   model/geometry.c, dynamics/kinematics.c  the pose of one joint, of one sample: no motion
    #   model/free_base.c      rates of a base from its sensors: no joints
    #   payload/wrench.c       a body with a measured motion: no joints
    allowed='^(src/device/body_motion\.h|src/export/graph_frames\.c|web/src/arm\.js|src/model/geometry\.c|src/dynamics/kinematics\.c|src/model/free_base\.c|src/payload/wrench\.c):'
    propagating src/*/*.[ch] src/*/*.inc src/*/*.cu web/src/*.js | grep -vE "$allowed" >"$violations" || true
    # the rule must find each kind of copy, and the three sources
    copy=$(mktemp)
    trap 'rm -f "$violations" "$copy"' EXIT
    cat >"$copy" <<'END'
for (int i = 0; i < 9; i++) R[i] = g->fixed[i] + g->cosine[i] * c + g->sine[i] * s;
return vec(t.c * u.x + t.s * u.y, t.c * u.y - t.s * u.x, u.z);
const v3 e = {w.y * w.z, w.x * w.z, w.x * w.y};
H[3 * i + j] += w[i] * w[j];
b = add(cross(x->w, cross(x->w, p)), a);
for (int i = 0; i < 9; i++) R[i] += cs * g->cosine[i] + sn * g->sine[i];
END
    [ "$(propagating "$copy" | wc -l)" -eq 6 ] || echo "the rule does not find a copy of the motion of a link" >>"$violations"
    for source in src/device/body_motion.h src/export/graph_frames.c web/src/arm.js; do
      [ -n "$(propagating "$source")" ] || echo "$source: the rule does not find the motion of a link" >>"$violations"
    done
    ;;
  messages)
    # The tool adds option names itself (rbv_fail_option). CSS variables (--name: and var(--name)) are
    # no options.
    files=$(ls src/*/*.[ch] src/*/*.inc | grep -vE '^src/(cli|studio|papers)/')
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
  exports)
    # Programs are the tool, the papers, Python, benchmarks, examples, fuzz targets and the tests of the API. What only
    # the library itself uses is declared in src/MODULE/MODULE.h. The headers in `waiting` are not sorted yet.
    waiting="baseparam check dynamics excite export follow friction identification identify law model option plant
      population recordings report sim task"
    exported() { # HEADER...: the first name with a bracket after RBV_API
      cat "$@" | perl -0777 -ne 's{/\*.*?\*/}{}gs; print "$1\n" while /RBV_API[^;]*?\b(rbv_\w+)\s*\(/g' | sort -u
    }
    words=$(mktemp)
    trap 'rm -f "$violations" "$words"' EXIT
    find src/cli src/studio src/papers python bench examples fuzz tests/api tests/consumer -name '*.[ch]*' -o -name '*.py' |
      xargs grep -ohE '\brbv_[a-z0-9_]+' | sort -u >"$words"
    [ -s "$words" ] || { echo "no program uses the library" >"$violations"; }
    count=$(exported include/roberval/sys/*.h | wc -l)
    [ "$count" -gt 0 ] && [ "$count" -le 550 ] || echo "$count functions are exported below sys: at most 550" >>"$violations"
    for header in include/roberval/sys/*.h; do
      name=$(basename "$header" .h)
      case " $(echo $waiting) " in *" $name "*) continue ;; esac
      exported "$header" | comm -23 - "$words" | sed "s|.*|$header: no program uses &: declare it in a private header|" >>"$violations"
    done
    ;;
  thresholds)
    # Modules that decide by thresholds. A number may be the value of a row or of an enumerator (a length);
    # it is not a #define or a constant of a source file.
    decide="src/check/*.[ch] src/friction/*.[ch] src/log/bad_*.[ch] src/log/held.c src/signal/cutoff_suggest.c src/log/guess_content.[ch] src/log/guess_channels.c src/log/content_blocks.c"
    grep -nE '^ *# *define +[A-Za-z_0-9]+ +[-(]*\.?[0-9]|^ *static +const +(double|float|int|ptrdiff_t) +[A-Za-z_0-9]+ *= *[-(]*\.?[0-9]' \
      $decide | sed 's/$/: a threshold that is not a row of the table/' >"$violations" || true
    # every list is declared once, and each of its rows is used by the files that see the declaration
    perl -e '
      my (%rows, %home, %text);
      for my $file (@ARGV) {
        open my $in, "<", $file or die $file;
        local $/;
        my $body = $text{$file} = <$in>;
        while ($body =~ /^#define (\w+)_THRESHOLDS\(X\) ((?:.*\\\n)*.*)/mg) {
          my ($group, $list) = ($1, $2);
          push @{$rows{$group}}, $1 while $list =~ /X\(\w+, (\w+),/g;
        }
      }
      for my $file (@ARGV) {
        push @{$home{$1}}, $file while $text{$file} =~ /^RBV_THRESHOLDS\((\w+)\)/mg;
      }
      for my $group (sort keys %rows) {
        my @homes = @{$home{$group} || []};
        print "$group: ", scalar @homes, " files declare this list, not one\n" if @homes != 1;
        next if @homes != 1;
        my $home = $homes[0];
        # a list of a header is seen by the files that include it, directly or through another header
        my %sees = ($home => 1);
        for my $round (1 .. 3) {
          for my $file (@ARGV) {
            for my $seen (keys %sees) {
              next unless $seen =~ /\.h$/;
              my ($include) = $seen =~ m{src/(.*)};
              $sees{$file} = 1 if $text{$file} =~ /#include "\Q$include\E"/;
            }
          }
        }
        my $code = join "", map { $text{$_} } grep { !/_thresholds\.h$/ } keys %sees;
        for my $row (@{$rows{$group}}) {
          print "$home: no file uses the row $group.$row\n" unless $code =~ /\b$row\b/;
        }
      }' $(ls $decide src/log/log_thresholds.h src/signal/signal_thresholds.h | sort -u) >>"$violations"
    ;;
  sizes)
    perl -e '
      for my $file (@ARGV) {
        open my $in, "<", $file or die $file;
        my @lines = <$in>;
        print "$file: " . @lines . " lines, 700 are allowed\n" if @lines > 700;
        # a function: its first line begins in column 1 and its body ends with } in column 1; A_MACRO(...) is none
        my ($start, $name);
        for my $i (0 .. $#lines) {
          if (!defined $start) {
            $start = $i if $lines[$i] =~ /^(?!typedef|[A-Z_]+\(|struct|enum|union|#|static const|const|extern|\/|\*)[A-Za-z_].*\(/ ;
            next unless defined $start;
            ($name) = $lines[$i] =~ /(\w+)\s*\(/;
          }
          if ($lines[$i] =~ /;\s*(\/\/.*)?$/ && $lines[$i] !~ /^\s/ && $i == $start && $lines[$i] !~ /\{/) { undef $start; next }
          if ($lines[$i] =~ /^\}/) {
            my $length = $i - $start + 1;
            print "$file:" . ($start + 1) . ": $name has $length lines, 70 are allowed\n" if $length > 70;
            undef $start;
          } elsif ($lines[$i] =~ /^[^{}]*;\s*$/ && !grep { /\{/ } @lines[$start .. $i]) {
            undef $start;  # a declaration
          }
        }
      }
    ' $(find src include -name '*.[ch]' -o -name '*.inc' -o -name '*.cu' | sort) >"$violations"
    ;;
  *)
    echo "rules.sh: there is no rule '$rule'" >&2
    exit 2
    ;;
esac

[ ! -s "$violations" ] || { cat "$violations"; echo "rule $rule: $(wc -l <"$violations") violations"; exit 1; }
