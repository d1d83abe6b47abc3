# How everything is compiled: optimisation, sanitizers, compiler cache, linker.
# What only our own code gets (warnings, language level) is in SinewTargets.cmake.

set(SINEW_SANITIZE "" CACHE STRING "Sanitizers, for example address,undefined or thread")
option(SINEW_FUZZ "Build the fuzz targets (needs Clang)" OFF)
option(SINEW_WITH_GRAPHICS "Build what needs bgfx and Dear ImGui, if they can be had" ON)
option(SINEW_FETCH_UPSTREAM "Fetch bgfx, Dear ImGui, ImPlot and imnodes from upstream's Git" OFF)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "-Og -g")
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_COLOR_DIAGNOSTICS ON)

# The program goes to build/sinew (CMakeLists.txt says so), all others to build/bin.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

if(SINEW_SANITIZE)
  # -O1 keeps kernels bearable, and the stack traces readable.
  add_compile_options(-O1 -g -fno-omit-frame-pointer -fsanitize=${SINEW_SANITIZE})
  add_link_options(-fsanitize=${SINEW_SANITIZE})
  if(SINEW_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
endif()

if(SINEW_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "SINEW_FUZZ needs Clang; do: ./dev fuzz, or add -DCMAKE_CXX_COMPILER=clang++")
  endif()
  add_compile_options(-fsanitize=fuzzer-no-link)
  add_link_options(-fsanitize=fuzzer-no-link)
endif()

find_program(SINEW_CCACHE ccache)
if(SINEW_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_C_COMPILER_LAUNCHER ${SINEW_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${SINEW_CCACHE})
endif()

# GCC knows -fuse-ld=mold from version 12 on, Clang always does.
find_program(SINEW_MOLD mold)
if(SINEW_MOLD AND NOT (CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12.1))
  add_link_options(-fuse-ld=mold)
endif()
