# Warnings, sanitizers and the compiler cache, for every target of this project.

add_library(wattflex_compile_options INTERFACE)
target_compile_options(wattflex_compile_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor -Woverloaded-virtual
  # Designated initialisers leave the rest at its default on purpose.
  -Wno-missing-field-initializers
  # libstdc++ 12's stable_sort uses a function that the library itself deprecates; g++ is silent about it.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>
  # False alarms of g++ 12 on std::string at -O2 and above (GCC bugs 105329, 105651).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:Release>>:-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>)
if(CMAKE_UNITY_BUILD)
  # Several files at a time: a type of an unnamed namespace then looks to g++ as if it came from a header.
  target_compile_options(wattflex_compile_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endif()
if(WATTFLEX_WARNINGS_AS_ERRORS)
  target_compile_options(wattflex_compile_options INTERFACE -Werror)
endif()

# An empty optional or an index out of bounds ends the test that meets it.
add_compile_definitions($<$<NOT:$<CONFIG:Release>>:_GLIBCXX_ASSERTIONS>)

if(WATTFLEX_SANITIZERS)
  # Global on purpose: a half-instrumented program reports nonsense.
  add_compile_options(-fsanitize=${WATTFLEX_SANITIZERS} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${WATTFLEX_SANITIZERS})
endif()

# A fuzzer must see into the libraries it drives; into tests and verbs it need not, and compiling so takes half as
# long again.
add_library(wattflex_fuzzed INTERFACE)
if(WATTFLEX_BUILD_FUZZERS)
  target_compile_options(wattflex_fuzzed INTERFACE -fsanitize=fuzzer-no-link)
endif()

find_program(WATTFLEX_CCACHE ccache)
if(WATTFLEX_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Relative paths, so that every checkout shares one cache.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
    CCACHE_SLOPPINESS=pch_defines,time_macros ${WATTFLEX_CCACHE})
endif()
