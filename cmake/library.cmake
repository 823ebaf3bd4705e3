# What ccache asks of precompiled headers.
set(wattflex_pch_options
  $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>
  "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>")

# The standard headers that half of all files include, precompiled once for all libraries: a third of a clean build
# was reading them. Files include what they use all the same: clang-tidy reads them without (scripts/tidy.sh).
function(wattflex_library_headers)
  if(TARGET wattflex_library_headers)
    return()
  endif()
  file(WRITE ${CMAKE_BINARY_DIR}/library_headers.cpp "// Carries the precompiled headers of the libraries.\n")
  add_library(wattflex_library_headers STATIC ${CMAKE_BINARY_DIR}/library_headers.cpp)
  target_compile_features(wattflex_library_headers PUBLIC cxx_std_23)
  target_link_libraries(wattflex_library_headers PRIVATE wattflex_compile_options wattflex_fuzzed fmt::fmt)
  target_compile_options(wattflex_library_headers PRIVATE ${wattflex_pch_options})
  target_precompile_headers(wattflex_library_headers PRIVATE <algorithm> <chrono> <cmath> <expected> <functional> <map>
    <optional> <span> <string> <string_view> <utility> <vector> <fmt/format.h>)
endfunction()

# wattflex_library(<name> SOURCES ... [TESTS ...] [PUBLIC ...] [PRIVATE ...])
# One static library a folder, alias wattflex::<name>, and its tests in one program named <name>_test.
function(wattflex_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;TESTS;PUBLIC;PRIVATE" ${ARGN})
  set(target wattflex_${name})
  add_library(${target} STATIC ${ARG_SOURCES})
  add_library(wattflex::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(${target} PUBLIC cxx_std_23)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/src>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/wattflex>)
  target_link_libraries(${target} PUBLIC ${ARG_PUBLIC} PRIVATE $<BUILD_INTERFACE:wattflex_compile_options>)
  foreach(dependency IN LISTS ARG_PRIVATE)
    target_link_libraries(${target} PRIVATE ${dependency})
  endforeach()
  wattflex_library_headers()
  target_compile_options(${target} PRIVATE ${wattflex_pch_options})
  # Whoever reads the precompiled headers must see fmt as they did.
  target_compile_definitions(${target} PRIVATE $<TARGET_PROPERTY:fmt::fmt,INTERFACE_COMPILE_DEFINITIONS>)
  target_precompile_headers(${target} REUSE_FROM wattflex_library_headers)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:wattflex_fuzzed>)
  if(ARG_TESTS AND WATTFLEX_BUILD_TESTS)
    wattflex_test(${name} SOURCES ${ARG_TESTS} LIBRARIES wattflex::${name})
  endif()
endfunction()

# One precompiled GoogleTest for all test programs, and one with the JSON library for those that read JSON: parsing
# these headers costs more than most tests do.
function(wattflex_test_headers name)
  if(TARGET ${name})
    return()
  endif()
  file(WRITE ${CMAKE_BINARY_DIR}/${name}.cpp "// Carries precompiled headers of tests.\n")
  add_library(${name} STATIC ${CMAKE_BINARY_DIR}/${name}.cpp)
  target_compile_features(${name} PUBLIC cxx_std_23)
  target_link_libraries(${name} PUBLIC wattflex_compile_options GTest::gmock GTest::gtest_main)
  target_compile_definitions(${name} PUBLIC WATTFLEX_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  # Half the time of a clean build goes into tests, and nobody waits for their own loops: the libraries they call
  # keep their optimisation.
  target_compile_options(${name} PUBLIC -O0 ${wattflex_pch_options})
  # A library would be -fPIC and a program -fPIE, and clang wants them alike.
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_precompile_headers(${name} PRIVATE <gtest/gtest.h> <gmock/gmock.h> ${ARGN})
endfunction()

# wattflex_test(<name> SOURCES ... [LIBRARIES ...] [LABELS ...]): a GoogleTest program, its cases known to ctest.
# The label `long` keeps a program out of builds with sanitizers, which would take hours for it.
function(wattflex_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES;LABELS" ${ARGN})
  if("long" IN_LIST ARG_LABELS AND WATTFLEX_SANITIZERS)
    return()
  endif()
  set(target ${name}_test)
  if("nlohmann_json::nlohmann_json" IN_LIST ARG_LIBRARIES)
    set(headers wattflex_json_test_headers)
    wattflex_test_headers(${headers} <nlohmann/json.hpp>)
  else()
    set(headers wattflex_plain_test_headers)
    wattflex_test_headers(${headers})
  endif()
  add_executable(${target} ${ARG_SOURCES})
  target_link_libraries(${target} PRIVATE ${ARG_LIBRARIES} ${headers})
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_precompile_headers(${target} REUSE_FROM ${headers})
  include(GoogleTest)
  # ctest begins with what costs most, so that no long test is left alone at the end.
  set(cost 0)
  if("long" IN_LIST ARG_LABELS)
    set(cost 100)
  endif()
  gtest_discover_tests(${target} DISCOVERY_MODE PRE_TEST PROPERTIES LABELS "${ARG_LABELS}" COST ${cost})
endfunction()
