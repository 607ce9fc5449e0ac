# The interface target `flags` has the compiler options of all targets.
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_FLAGS_RELEASE "-O2 -g")
set(CMAKE_C_FLAGS_DEBUG "-O1 -g")

# Without this, programs of the build tree have a RUNPATH with an empty element, which means the current
# directory: the loader would take libraries from a folder of recordings.
set(CMAKE_SKIP_BUILD_RPATH ON)

add_library(flags INTERFACE)
target_compile_definitions(flags INTERFACE _POSIX_C_SOURCE=200809L _DEFAULT_SOURCE)
# gcc and clang fuse a*b+c differently by default; only the vector kernels fuse, intentionally
target_compile_options(flags INTERFACE -ffp-contract=off -Wall -Wextra -Wshadow -Wstrict-prototypes
  -Wmissing-prototypes -Wpointer-arith -Wcast-qual -Wvla -Wundef -Wwrite-strings)
if(ROBERVAL_WERROR)
  target_compile_options(flags INTERFACE -Werror)
endif()
if(ROBERVAL_TESTS)
  # line numbers for stack traces, and no more: builds faster
  target_compile_options(flags INTERFACE -g1)
endif()
# Hardening of release builds; the test cross.hardening looks for it in the tool and in the library.
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT ROBERVAL_SANITIZE)
  # some compilers define _FORTIFY_SOURCE themselves
  target_compile_options(flags INTERFACE -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong
    -fstack-clash-protection)
  target_link_options(flags INTERFACE -Wl,-z,relro -Wl,-z,now)
endif()
if(ROBERVAL_SANITIZE)
  # This warning has false positives in instrumented code; the plain build has it on.
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    target_compile_options(flags INTERFACE -Wno-format-truncation)
  endif()
  target_compile_definitions(flags INTERFACE ROBERVAL_SANITIZED)
  target_compile_options(flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  target_link_options(flags INTERFACE -fsanitize=address,undefined)
endif()
if(ROBERVAL_FUZZ)
  target_compile_options(flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
