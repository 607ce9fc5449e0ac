#!/bin/sh
# cortex.sh TOOL SOURCE: generated C code on a Cortex-M4, emulated: its self-test passes in single and
# double precision, and the single-precision code is below 40 kB. Skipped without cross compiler.
set -eu
tool=$1 here=$2/tests/export/cortex
for program in arm-none-eabi-gcc arm-none-eabi-size qemu-system-arm; do
  command -v "$program" >/dev/null || { echo "$program is not installed: skipped"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
flags="-std=gnu99 -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16 -mfloat-abi=hard"
for robot in tx40 lwr4+; do
  for precision in "" --float; do
    "$tool" export "$robot" --format c -o arm.c -q $precision
    # shellcheck disable=SC2086
    arm-none-eabi-gcc $flags -O2 -DARM_SELFTEST_MAIN -nostartfiles -T "$here/link.ld" "$here/start.c" arm.c -lm \
      -Wl,--no-warn-rwx-segments -o arm.elf
    timeout 120 qemu-system-arm -M mps2-an386 -nographic -semihosting -kernel arm.elf ||
      { echo "$robot $precision: the self-test failed"; exit 1; }
    echo "$robot $precision: self-test passed"
  done
  # shellcheck disable=SC2086
  arm-none-eabi-gcc $flags -Os -c arm.c -o arm.o
  size=$(arm-none-eabi-size arm.o | awk 'NR == 2 {print $1 + $2}')
  echo "$robot, float, -Os: $size bytes"
  [ "$robot" != tx40 ] || [ "$size" -lt 40000 ] || { echo "six axes need $size bytes"; exit 1; }
done
