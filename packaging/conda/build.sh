#!/bin/sh
# conda sets SRC_DIR, PREFIX, SP_DIR (the folder of Python packages) and CPU_COUNT
set -eu
cmake -S "$SRC_DIR" -B build-conda -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$PREFIX" -DCMAKE_PREFIX_PATH="$PREFIX" \
  -DCMAKE_INSTALL_LIBDIR=lib -DROBERVAL_MPI=OFF
cmake --build build-conda -j "${CPU_COUNT:-2}"
cmake --install build-conda
mkdir -p "$SP_DIR"
cp -R "$SRC_DIR/python/roberval" "$SP_DIR/"
