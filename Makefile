# Short names for common tasks. Each target installs what it needs; CMake does the work.
JOBS := $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local

.PHONY: all demo octave test nightly test-slow test-web bench install uninstall api site packages wheel tarball release fuzz coverage format format-check clean

all: ; @scripts/setup core
	@cmake --preset release -DCMAKE_INSTALL_PREFIX=$(PREFIX) > build.log 2>&1 || { cat build.log; rm -f build.log; exit 1; }; rm -f build.log
	@cmake --build --preset release -j $(JOBS)

demo: all
	@build/roberval demo

test: ; @scripts/setup core test
	@scripts/test dev asan

test-slow: ; @scripts/setup core test arm
	@scripts/test --label slow dev

# everything that takes too long for make test; one dated file in build/nightly
nightly: ; @scripts/setup core test arm slurm octave recipes fuzz web browser site bench package mpi wheel
	@scripts/nightly

fuzz: ; @scripts/setup core fuzz
	@scripts/fuzz 600

coverage: ; @scripts/setup core test
	@scripts/coverage

test-web: ; @scripts/setup core web browser site
	@scripts/test-web

bench: ; @scripts/setup core test bench
	@cmake --preset bench && cmake --build --preset bench -j $(JOBS)
	@bench/run build/bench

install: all
	@cmake --install build --strip

# removes what the last `make install` wrote
uninstall: ; @scripts/uninstall build/install_manifest.txt

api: ; @scripts/api build/api && echo "build/api/README.md"

# the documentation as a static site with search, in build/site
site: ; @scripts/setup site
	@scripts/site build/site

packages: ; @scripts/setup core package mpi
	@cmake -S . -B build/packages -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr -DROBERVAL_MPI=AUTO $(PACKAGE_OPTIONS) > /dev/null
	@cmake --build build/packages -j $(JOBS)
	@cd build/packages && cpack -B ../dist

wheel: all
	@scripts/setup wheel
	@python3 python/backend.py wheel build build/dist
	@python3 python/backend.py sdist build/dist
	@python3 python/wheel.py --check build/dist/roberval-*.whl

tarball: all
	@scripts/setup wheel
	@scripts/tarball build build/dist

# the function of GNU Octave, in build/octave
octave: all
	@scripts/setup octave
	@cmake --preset release > /dev/null && cmake --build --preset release -j $(JOBS) --target roberval_octave
	@echo "build/octave: addpath ('$(CURDIR)/build/octave')"

# every package of a tagged version, with checksums and the list of what is inside, in build/dist
release: ; @scripts/release

format: ; @scripts/format
format-check: ; @scripts/format --check

clean: ; @rm -rf build
