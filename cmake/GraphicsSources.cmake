# Where the sources of the graphical libraries are: in the user's cache, filled from Debian's
# source packages by fetch_sources.sh; or, if asked for, from upstream's Git.

if(DEFINED ENV{XDG_CACHE_HOME} AND NOT "$ENV{XDG_CACHE_HOME}" STREQUAL "")
  set(sinew_cache "$ENV{XDG_CACHE_HOME}/sinew")
else()
  set(sinew_cache "$ENV{HOME}/.cache/sinew")
endif()
# Kept from the first configuration on: a build may be resumed from a different environment.
set(SINEW_CACHE_DIR "${sinew_cache}" CACHE PATH "Where fetched sources are kept, shared by all clones")

set(sinew_fetch_tried OFF)

# sinew_fetch_debian_sources(): runs fetch_sources.sh, at most once in a configuration. With a
# warm cache it only looks; that is cheap, and the list may have grown since.
function(sinew_fetch_debian_sources)
  if(sinew_fetch_tried)
    return()
  endif()
  set(sinew_fetch_tried ON PARENT_SCOPE)
  cmake_path(GET SINEW_CACHE_DIR PARENT_PATH xdg)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env XDG_CACHE_HOME=${xdg} ${PROJECT_SOURCE_DIR}/cmake/fetch_sources.sh
    RESULT_VARIABLE ignored) # what is missing shows below, and the script has said why
endfunction()

# sinew_debian_source(PACKAGE OUT_DIR): the cached folder of a Debian source package, or "".
macro(sinew_debian_source package out)
  sinew_fetch_debian_sources()
  set(${out} "")
  set(sinew_record ${SINEW_CACHE_DIR}/sources/${package}.version)
  if(EXISTS ${sinew_record})
    file(STRINGS ${sinew_record} sinew_version LIMIT_COUNT 1)
    if(IS_DIRECTORY ${SINEW_CACHE_DIR}/sources/${package}-${sinew_version})
      set(${out} ${SINEW_CACHE_DIR}/sources/${package}-${sinew_version})
      # If the cache is removed later, the next build configures again and so fetches again.
      set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sinew_record})
      message(STATUS "Sources of ${package} ${sinew_version}: ${${out}}")
    endif()
  endif()
endmacro()

# sinew_upstream_source(NAME REPOSITORY TAG OUT_DIR): a checkout of upstream's Git, in the build
# folder. -DFETCHCONTENT_SOURCE_DIR_<NAME>=... puts a checkout of one's own in its place.
function(sinew_upstream_source name repository tag out)
  include(FetchContent)
  message(STATUS "Fetching ${repository} (${tag})")
  FetchContent_Declare(${name} GIT_REPOSITORY ${repository} GIT_TAG ${tag}
    SOURCE_DIR ${CMAKE_BINARY_DIR}/upstream/${name})
  FetchContent_GetProperties(${name})
  if(NOT ${name}_POPULATED)
    FetchContent_Populate(${name})
  endif()
  set(${out} ${${name}_SOURCE_DIR} PARENT_SCOPE)
endfunction()

# sinew_third_party(NAME [EXCLUDE_FROM_ALL] SOURCES a.cpp ...): a static library of code that is not
# ours. With EXCLUDE_FROM_ALL it is built only for a target that links it.
function(sinew_third_party name)
  cmake_parse_arguments(arg "EXCLUDE_FROM_ALL" "" "SOURCES" ${ARGN})
  add_library(${name} STATIC ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ${arg_EXCLUDE_FROM_ALL})
  sinew_third_party_options(${name})
endfunction()

# sinew_third_party_options(TARGET): for code that is not ours: optimised in every preset, and
# silent. Our code sees it through system includes.
function(sinew_third_party_options name)
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_compile_options(${name} PRIVATE -O2 -w)
  # Like the libraries of the system, it is not instrumented: that would triple its build time,
  # and what our code hands to it is still seen through malloc, memcpy and the like.
  if(SINEW_SANITIZE)
    target_compile_options(${name} PRIVATE -fno-sanitize=all)
  endif()
endfunction()
