# How a room of the house becomes a target: one function each for libraries, tests and fuzzers.
# Warnings are errors for our own code only; dependencies come in as system includes.

include(GoogleTest)

add_library(sinew_options INTERFACE)
target_compile_features(sinew_options INTERFACE cxx_std_20)
target_include_directories(sinew_options INTERFACE ${PROJECT_SOURCE_DIR})
# -ffp-contract=off: the clones of a kernel for different CPUs must give the same bits.
target_compile_options(sinew_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -ffp-contract=off)
# GCC 12 sees an overlap in "text" + std::string(...) that is not there.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(sinew_options INTERFACE -Wno-restrict)
endif()

# Sanitizers make GCC warn of what is not there, and other compilers have other warnings.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT SINEW_SANITIZE)
  set(werror ON)
else()
  set(werror OFF)
endif()
option(SINEW_WERROR "Warnings in our own code are errors" ${werror})
if(SINEW_WERROR)
  target_compile_options(sinew_options INTERFACE -Werror)
endif()

# Clones of a function for several CPUs are chosen while the program is loaded, before a
# sanitizer's run-time is ready; and Clang 14 does not have them.
if(SINEW_SANITIZE OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_definitions(sinew_options INTERFACE SINEW_NO_CLONES)
endif()

# sinew_library(NAME SOURCES a.cpp ... [PUBLIC libs...] [PRIVATE libs...])
function(sinew_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  target_link_libraries(${name} PUBLIC sinew_options ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
endfunction()

# What the tests' environment needs under a sanitizer: our list of what is not our fault.
set(sinew_test_environment "")
if(SINEW_SANITIZE MATCHES "thread")
  set(sinew_test_environment
    ENVIRONMENT "TSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/cmake/tsan_suppressions.txt")
endif()

# sinew_test(NAME SOURCES a_test.cpp ... LIBS libs... [LABELS ...])
# One program per room of tests; CTest sees each TEST on its own.
function(sinew_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBS;LABELS" ${ARGN})
  if(NOT arg_LABELS)
    set(arg_LABELS ${name})
  endif()
  add_executable(${name} ${arg_SOURCES})
  add_dependencies(${name} sinew-read)
  target_link_libraries(${name} PRIVATE sinew_options ${arg_LIBS} GTest::gtest GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE SINEW_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS "${arg_LABELS}" TIMEOUT 600 ${sinew_test_environment})
endfunction()

# sinew_fuzzer(NAME SOURCES a_fuzz.cpp ... LIBS libs...)
# With SINEW_FUZZ a libFuzzer program in build-fuzz/fuzz/, part of the target `fuzzers`. In other
# builds a program that runs the target over its corpus, and a test that starts it.
add_custom_target(fuzzers)
set_property(GLOBAL PROPERTY SINEW_FUZZERS "")
function(sinew_fuzzer name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  add_dependencies(${name} sinew-read)
  target_link_libraries(${name} PRIVATE sinew_options ${arg_LIBS})
  target_compile_definitions(${name} PRIVATE SINEW_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  if(SINEW_FUZZ)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fuzz)
    add_dependencies(fuzzers ${name})
    set_property(GLOBAL APPEND PROPERTY SINEW_FUZZERS ${name})
  else()
    target_sources(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests/fuzz/corpus_main.cpp)
    add_test(NAME ${name}.corpus
      COMMAND ${name} ${PROJECT_SOURCE_DIR}/tests/fuzz/corpus/${name})
    set_tests_properties(${name}.corpus PROPERTIES LABELS fuzz TIMEOUT 120
      ${sinew_test_environment})
  endif()
endfunction()

# Writes the names of all fuzzers, one a line, for ./dev fuzz. Called once all rooms are in.
function(sinew_write_fuzzers)
  get_property(names GLOBAL PROPERTY SINEW_FUZZERS)
  list(TRANSFORM names APPEND "\n")
  list(JOIN names "" text)
  file(WRITE ${CMAKE_BINARY_DIR}/fuzzers.txt "${text}")
endfunction()
