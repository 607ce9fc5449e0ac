# From the headers of the stable tier, a C program that calls every function with 0 for every
# argument: NULL where pointers go. Each call is printed before it is made, so that a crash shows
# its name.
BEGIN {
  print "#include <roberval/roberval.h>\n#include <stdio.h>\n"
  print "int main(void) {\n  int calls = 0;"
}
/^ *\/\*/ && !/\*\// { comment = 1 }
comment { if (/\*\//) comment = 0; next }
/^RBV_API/ { text = ""; inside = 1 }
inside { text = text " " $0 }
inside && /;/ {
  inside = 0
  gsub(/\/\*[^*]*\*\//, "", text)
  gsub(/RBV_API|RBV_MUST_CHECK|RBV_PRINTF\([^)]*\)/, "", text)
  if (match(text, /rbv_[a-z0-9_]+\(/)) {
    name = substr(text, RSTART, RLENGTH - 1)
    returned = substr(text, 1, RSTART - 1)
    arguments = substr(text, RSTART + RLENGTH)
    sub(/\);.*/, "", arguments)
    count = arguments ~ /^ *void *$/ ? 0 : split(arguments, list, ",")
    call = name "("
    for (i = 1; i <= count; i++) call = call (i > 1 ? ", 0" : "0")
    call = call ")"
    result = returned ~ /^ *void *$/ ? "" : "(void)!"
    if (returned ~ /double *$/) result = "(void)(0 < "
    printf "  puts(\"%s\"), fflush(stdout), calls++;\n", name
    if (returned ~ /double *$/) printf "  (void)(0 < %s);\n", call
    else printf "  %s%s;\n", result, call
  }
}
END {
  print "  printf(\"%d functions\\n\", calls);\n  return calls > 60 ? 0 : 1;\n}"
}
