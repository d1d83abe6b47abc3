# How a room of the house becomes a target: one function for libraries, one for tests.
# Warnings are errors for our own code only; dependencies come in as system includes.

add_library(sinew_options INTERFACE)
target_compile_features(sinew_options INTERFACE cxx_std_20)
target_include_directories(sinew_options INTERFACE ${PROJECT_SOURCE_DIR})
# -ffp-contract=off: the clones of a kernel for different CPUs must give the same bits.
target_compile_options(sinew_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Werror -ffp-contract=off)

# sinew_library(NAME SOURCES a.cpp ... [PUBLIC libs...] [PRIVATE libs...])
function(sinew_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  target_link_libraries(${name} PUBLIC sinew_options ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
endfunction()

# sinew_test(NAME SOURCES a_test.cpp ... LIBS libs... [LABELS ...])
# One program per room of tests; CTest sees each TEST on its own.
function(sinew_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBS;LABELS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE sinew_options ${arg_LIBS} GTest::gtest GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE SINEW_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES LABELS "${arg_LABELS}" TIMEOUT 600)
endfunction()
