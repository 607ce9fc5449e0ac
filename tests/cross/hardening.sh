#!/bin/sh
# hardening.sh RELEASE FILE...: look at the ELF files of the build. None may need more than 20 shared libraries (MPI and sanitizers bring their own). None may search libraries in the
# current directory or in the build tree. In a release build they are also position independent, have
# full RELRO, no executable stack, stack protectors, and checked functions of the C library.
set -eu
release=$1
shift
bad=0
say() { echo "$1: $2"; bad=1; }
for file in "$@"; do
  dynamic=$(readelf -dW "$file")
  echo "$dynamic" | grep -qE '\((RPATH|RUNPATH)\)' && say "$file" "has a RUNPATH: $(echo "$dynamic" | grep -E 'PATH\)')"
  case $release$file in *-mpi | 0*) most=30 ;; *) most=20 ;; esac
  [ "$(ldd "$file" | grep -c .)" -le $most ] || say "$file" "needs $(ldd "$file" | grep -c .) shared libraries"
  readelf -lW "$file" | grep -E 'GNU_STACK' | grep -q 'RWE' && say "$file" "has an executable stack"
  [ "$release" = 1 ] || continue
  readelf -hW "$file" | grep -qE 'Type: +DYN' || say "$file" "is not position independent"
  readelf -lW "$file" | grep -q 'GNU_RELRO' || say "$file" "has no RELRO"
  echo "$dynamic" | grep -qE 'BIND_NOW|Flags:.*NOW' || say "$file" "binds lazily, so RELRO is partial"
  symbols=$(readelf --dyn-syms -W "$file")
  echo "$symbols" | grep -q '__stack_chk_fail' || say "$file" "has no stack protector"
  # a frame larger than a page is touched page by page
  if [ "$(uname -m)" = x86_64 ]; then
    objdump -d --no-show-raw-insn "$file" | grep -qE 'orq +\$0x0,\(%rsp\)|orq +\$0x0,0x[0-9a-f]+\(%rsp\)' ||
      say "$file" "has no protection against stack clashes"
  fi
  [ "$(echo "$symbols" | grep -c '_chk@')" -ge 5 ] || say "$file" "has no checked functions (_FORTIFY_SOURCE)"
done
[ "$bad" -eq 0 ]
