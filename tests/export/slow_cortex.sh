#!/bin/sh
# cortex.sh TOOL SOURCE: generated C code on emulated microcontrollers, Cortex-M4 and Cortex-M7: its self-test passes in
# single and double precision, six axes need less than 40 kB, and instructions, stack and sizes are those of the table in
# docs/on-the-robot.md to a quarter (compilers differ). Skipped without cross compiler.
set -eu
tool=$1 source=$2 here=$2/tests/export/cortex
for program in arm-none-eabi-gcc arm-none-eabi-size qemu-system-arm; do
  command -v "$program" >/dev/null || { echo "$program is not installed: skipped"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
m4="-std=gnu99 -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard" board_m4=mps2-an386
m7="-std=gnu99 -mcpu=cortex-m7 -mthumb -mfpu=fpv5-d16 -mfloat-abi=hard" board_m7=mps2-an500
link="-nostartfiles -T $here/link.ld $here/start.c -Wl,--no-warn-rwx-segments -Wl,--gc-sections"

# compile FLAGS SOURCES...: arm.elf
compile() {
  flags=$1
  shift
  # shellcheck disable=SC2086
  arm-none-eabi-gcc $flags -O2 -ffunction-sections $link "$@" -lm -o arm.elf
}

# size of arm.c with all functions, in bytes
size_of() {
  # shellcheck disable=SC2086
  arm-none-eabi-gcc $1 -Os -c arm.c -o arm.o
  arm-none-eabi-size arm.o | awk 'NR == 2 {print $1 + $2}'
}

# count ROBOT CPU EXTRA: lines "ROBOT CPU FUNCTION INSTRUCTIONS STACK"
count() {
  eval "flags=\$$2 board=\$board_$2"
  # shellcheck disable=SC2154
  compile "$flags $3 -I." "$here/count.c" arm.c
  timeout 120 qemu-system-arm -M "$board" -nographic -icount shift=0 -semihosting-config enable=on,target=native \
    -kernel arm.elf 2>&1 | sed "s/^/$1 $2 /" >>counts.txt
  echo "$1 $2 size $(size_of "$flags") 0" >>counts.txt
}

: >counts.txt
for robot in tx40 lwr4+; do
  for precision in "" --float; do
    "$tool" export "$robot" --format c -o arm.c -q $precision
    for cpu in m4 m7; do
      eval "flags=\$$cpu board=\$board_$cpu"
      compile "$flags -DARM_SELFTEST_MAIN" arm.c
      timeout 120 qemu-system-arm -M "$board" -nographic -semihosting -kernel arm.elf ||
        { echo "$robot $precision $cpu: the self-test failed"; exit 1; }
      echo "$robot $precision $cpu: self-test passed"
    done
  done
  for cpu in m4 m7; do count "$robot" $cpu ""; done
done
go2=${ROBERVAL_DATA:-$source/../shared/data}/legs_go2/go2.xml
if [ -f "$go2" ]; then
  "$tool" export "$go2" --free-base --tip FL_calf,FR_calf,RL_calf,RR_calf --format c --float -o arm.c -q
  for cpu in m4 m7; do count go2 $cpu -DTREE; done
fi
cat counts.txt
# the counter itself: a loop of 2001 instructions
awk '$3 == "spin" && ($4 < 2001 - 1 || $4 > 2001 + 1) {print "the counter counts " $4 " of 2001 instructions"; bad = 1} END {exit bad}' counts.txt
awk '$1 == "tx40" && $3 == "size" && $4 >= 40000 {print "six axes need " $4 " bytes"; exit 1}' counts.txt
# rows "| `tx40` | m4 | torque | 671 | 108 |"
sed -n 's/^| `\([^`]*\)` | \(m[47]\) | \([a-z]*\) | \([0-9]*\) | \([0-9]*\) |.*/\1 \2 \3 \4 \5/p' "$source/docs/on-the-robot.md" >table.txt
[ -s table.txt ] || { echo "docs/on-the-robot.md has no table"; exit 1; }
awk 'NR == FNR {count[$1 $2 $3] = $4; stack[$1 $2 $3] = $5; next}
  !(($1 $2 $3) in count) {if ($1 != "go2") {print "not measured: " $0; bad = 1} next}
  {c = count[$1 $2 $3]; s = stack[$1 $2 $3]
   if (c > 1.25 * $4 || c < 0.75 * $4 || s > 1.25 * $5 + 32) {print "table: " $0 "; measured: " c " " s; bad = 1}}
  END {exit bad}' counts.txt table.txt
