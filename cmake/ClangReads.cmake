# A second compiler reads every file of ours, `clang++ -fsyntax-only`, so that what only GCC takes
# does not stop the fuzz build and those who build with Clang. The target `clang_reads` is not part
# of the default build; the test of the same name builds it. A file is read again only after it, or
# something that it includes, has changed.

find_program(SINEW_CLANG NAMES clang++ clang++-14)

# Every target of ours below a folder, in ${result}.
function(sinew_targets_below folder result)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  get_property(children DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(child ${children})
    sinew_targets_below(${child} below)
    list(APPEND targets ${below})
  endforeach()
  set(${result} ${targets} PARENT_SCOPE)
endfunction()

# The C++ files of a target that are ours and lie in the source tree, as absolute paths.
function(sinew_own_sources target result)
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  set(own "")
  foreach(source ${sources})
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder} NORMALIZE)
    cmake_path(IS_PREFIX PROJECT_BINARY_DIR ${source} generated)
    cmake_path(IS_PREFIX PROJECT_SOURCE_DIR ${source} ours)
    if(ours AND NOT generated AND source MATCHES "\\.cpp$")
      list(APPEND own ${source})
    endif()
  endforeach()
  set(${result} ${own} PARENT_SCOPE)
endfunction()

# Headers of the libraries that nearly every file includes are parsed once. What a file forgets to
# include is GCC's to notice.
function(sinew_clang_common_headers)
  set(text "")
  foreach(header algorithm array atomic chrono cmath filesystem fstream functional map memory mutex
      optional set span sstream string thread unordered_map variant vector Eigen/Dense fmt/format.h
      gtest/gtest.h nlohmann/json.hpp tbb/parallel_for.h)
    string(APPEND text "#include <${header}>\n")
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/clang/common.h CONTENT "${text}")
  get_target_property(eigen Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
  add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/clang/common.pch
    DEPENDS ${CMAKE_BINARY_DIR}/clang/common.h
    COMMAND ${SINEW_CLANG} -std=c++20 -w -fpch-instantiate-templates -x c++-header
      "-isystem$<JOIN:${eigen},;-isystem>" ${CMAKE_BINARY_DIR}/clang/common.h
      -o ${CMAKE_BINARY_DIR}/clang/common.pch
    COMMAND_EXPAND_LISTS COMMENT "Clang reads the headers of libraries" VERBATIM)
endfunction()

# Options as CMake would give them to a compiler for this target, but warnings, which are GCC's.
function(sinew_clang_reads_file target source stamp)
  set(includes "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  set(options "$<FILTER:$<TARGET_PROPERTY:${target},COMPILE_OPTIONS>,INCLUDE,^-m>")
  get_source_file_property(own ${source} TARGET_DIRECTORY ${target} COMPILE_DEFINITIONS)
  if(own)
    list(TRANSFORM own PREPEND "-D")
  else()
    set(own "")
  endif()
  # Headers that were parsed for one processor are not taken for another.
  get_target_property(of_target ${target} COMPILE_OPTIONS)
  set(common "")
  if(NOT of_target MATCHES "(^|;)-m")
    set(common -include-pch ${CMAKE_BINARY_DIR}/clang/common.pch)
  endif()
  cmake_path(GET stamp PARENT_PATH folder)
  file(MAKE_DIRECTORY ${folder})
  add_custom_command(OUTPUT ${stamp}
    DEPENDS ${source} ${CMAKE_BINARY_DIR}/clang/common.pch
    DEPFILE ${stamp}.d
    COMMAND ${SINEW_CLANG} -std=c++20 -fsyntax-only -w ${common}
      "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
      "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
      ${options} ${own} -DSINEW_NO_CLONES
      -MD -MF ${stamp}.d -MT ${stamp} ${source}
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    COMMAND_EXPAND_LISTS COMMENT "Clang reads ${source}" VERBATIM)
endfunction()

# Called once all rooms are in.
function(sinew_clang_reads)
  if(SINEW_SANITIZE)
    return()
  endif()
  if(NOT SINEW_CLANG)
    # The gate does not vanish with the compiler that it needs.
    add_test(NAME clang_reads COMMAND ${CMAKE_COMMAND} -E echo
      "clang++ was not there when this folder was configured; install clang, then do: ./dev setup")
    set_tests_properties(clang_reads PROPERTIES LABELS house FAIL_REGULAR_EXPRESSION "./dev setup")
    return()
  endif()
  sinew_clang_common_headers()
  sinew_targets_below(${PROJECT_SOURCE_DIR} targets)
  set(read "")
  set(stamps "")
  foreach(target ${targets})
    get_target_property(type ${target} TYPE)
    if(NOT type MATCHES "LIBRARY|EXECUTABLE")
      continue()
    endif()
    sinew_own_sources(${target} sources)
    foreach(source ${sources})
      # The same file for another processor has other options.
      cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE name)
      if(type STREQUAL "OBJECT_LIBRARY")
        set(name ${target}/${name})
      endif()
      if(name IN_LIST read)
        continue()
      endif()
      list(APPEND read ${name})
      sinew_clang_reads_file(${target} ${source} ${CMAKE_BINARY_DIR}/clang/${name}.read)
      list(APPEND stamps ${CMAKE_BINARY_DIR}/clang/${name}.read)
    endforeach()
  endforeach()
  add_custom_target(clang_reads DEPENDS ${stamps})
  # All that it refuses is told at once. Through CTest with the whole machine to itself, so that it is not counted as one slow test beside others.
  add_test(NAME clang_reads
    COMMAND ${CMAKE_COMMAND} --build ${CMAKE_BINARY_DIR} --target clang_reads -- -k 0)
  set_tests_properties(clang_reads PROPERTIES LABELS house TIMEOUT 3000 PROCESSORS 2)
endfunction()
