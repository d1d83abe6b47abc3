# bgfx, and the two libraries it stands on: bx (the base) and bimg (images).

# sinew_add_bgfx(MISSING): adds the target sinew_bgfx, or appends what is missing to a list.
macro(sinew_add_bgfx missing)
  find_package(bgfx CONFIG QUIET)
  if(TARGET bgfx::bgfx)
    message(STATUS "bgfx: from the system")
    add_library(sinew_bgfx INTERFACE)
    target_link_libraries(sinew_bgfx INTERFACE bgfx::bgfx bgfx::bx bgfx::bimg bgfx::bimg_decode)
  else()
    if(SINEW_FETCH_UPSTREAM)
      # This repository holds the three as submodules, in versions that fit each other.
      sinew_upstream_source(bgfx.cmake https://github.com/bkaradzic/bgfx.cmake.git v1.118.8415-411 sinew_bgfx_root)
    else()
      sinew_debian_source(mame sinew_bgfx_root)
    endif()
    find_path(X11_XLIB_DIR X11/Xlib.h) # of X11, bgfx wants only the header
    if(sinew_bgfx_root AND X11_XLIB_DIR)
      sinew_build_bgfx(${sinew_bgfx_root})
    else()
      list(APPEND ${missing} bgfx)
    endif()
  endif()
endmacro()

# sinew_build_bgfx(ROOT): compiles ROOT/bx, ROOT/bimg and ROOT/bgfx. They link no OpenGL, EGL,
# Vulkan or X11: bgfx loads what a renderer needs when it starts, so `sinew eval` loads none of it.
function(sinew_build_bgfx root)
  sinew_third_party(sinew_bx SOURCES ${root}/bx/src/amalgamated.cpp)
  target_include_directories(sinew_bx SYSTEM
    PUBLIC ${root}/bx/include PRIVATE ${root}/bx/3rdparty)
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    target_include_directories(sinew_bx SYSTEM PUBLIC ${root}/bx/include/compat/linux)
  endif()
  # The headers differ with it, so library and users must agree.
  target_compile_definitions(sinew_bx PUBLIC BX_CONFIG_DEBUG=0
    __STDC_LIMIT_MACROS __STDC_FORMAT_MACROS __STDC_CONSTANT_MACROS)
  target_link_libraries(sinew_bx PUBLIC Threads::Threads ${CMAKE_DL_LIBS})

  file(GLOB astc ${root}/bimg/3rdparty/astc-encoder/source/*.cpp)
  sinew_third_party(sinew_bimg SOURCES
    ${root}/bimg/src/image.cpp
    ${root}/bimg/src/image_gnf.cpp
    ${root}/bimg/src/image_decode.cpp
    ${root}/bimg/3rdparty/tinyexr/deps/miniz/miniz.c
    ${astc})
  target_include_directories(sinew_bimg SYSTEM
    PUBLIC ${root}/bimg/include
    PRIVATE ${root}/bimg/3rdparty ${root}/bimg/3rdparty/astc-encoder/include
      ${root}/bimg/3rdparty/tinyexr/deps/miniz)
  target_compile_definitions(sinew_bimg PRIVATE _LARGEFILE64_SOURCE) # else miniz talks while compiling
  target_link_libraries(sinew_bimg PUBLIC sinew_bx)

  sinew_third_party(sinew_bgfx SOURCES ${root}/bgfx/src/amalgamated.cpp)
  target_include_directories(sinew_bgfx SYSTEM
    PUBLIC ${root}/bgfx/include
    PRIVATE ${root}/bgfx/3rdparty ${root}/bgfx/3rdparty/khronos
      ${root}/bgfx/3rdparty/directx-headers/include
      ${root}/bgfx/3rdparty/directx-headers/include/directx
      ${root}/bgfx/3rdparty/directx-headers/include/wsl/stubs)
  # The no-op renderer is always in. OpenGL 3.2 is what GLSL 1.50 shaders need.
  target_compile_definitions(sinew_bgfx PRIVATE
    BGFX_CONFIG_RENDERER_OPENGL=32 BGFX_CONFIG_RENDERER_VULKAN=1
    BGFX_CONFIG_RENDERER_DIRECT3D11=0 BGFX_CONFIG_RENDERER_DIRECT3D12=0)
  target_link_libraries(sinew_bgfx PUBLIC sinew_bimg)
endfunction()
