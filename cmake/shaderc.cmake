# shaderc, bgfx's shader compiler: a tool for those who change a shader. What it makes is part of
# the repository, so only `./dev shaders` builds it.

# sinew_add_shaderc(ROOT): adds the target `shaderc` from ROOT/bgfx, built only when asked for. We
# use its GLSL, GLSL ES and SPIR-V. It links sinew_bx, which bgfx has added.
function(sinew_add_shaderc root)
  set(bgfx ${root}/bgfx)
  set(parts ${bgfx}/3rdparty)
  # A cache that was filled for an older commit and could not be fetched again lacks these.
  foreach(needed tools/shaderc 3rdparty/fcpp 3rdparty/glsl-optimizer 3rdparty/glslang
      3rdparty/spirv-cross 3rdparty/spirv-headers 3rdparty/spirv-tools 3rdparty/webgpu)
    if(NOT IS_DIRECTORY ${bgfx}/${needed})
      return()
    endif()
  endforeach()
  set(CMAKE_EXPORT_COMPILE_COMMANDS OFF) # an editor is not to index 350 files that are not built

  # The preprocessor, with the limits that bgfx gives it.
  file(GLOB sources ${parts}/fcpp/cpp[1-6].c)
  sinew_shaderc_part(fcpp SOURCES ${sources})
  target_include_directories(shaderc_fcpp SYSTEM PUBLIC ${parts}/fcpp)
  target_compile_definitions(shaderc_fcpp PRIVATE
    NINCLUDE=64 NWORK=65536 NBUFF=65536 OLD_PREPROCESSOR=0)

  # GLSL and GLSL ES, simplified.
  file(GLOB sources ${parts}/glsl-optimizer/src/glsl/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
  sinew_shaderc_part(glsl_optimizer SOURCES
    ${sources}
    ${parts}/glsl-optimizer/src/glsl/strtod.c
    ${parts}/glsl-optimizer/src/glsl/glcpp/glcpp-lex.c
    ${parts}/glsl-optimizer/src/glsl/glcpp/glcpp-parse.c
    ${parts}/glsl-optimizer/src/glsl/glcpp/pp.c
    ${parts}/glsl-optimizer/src/mesa/main/imports.c
    ${parts}/glsl-optimizer/src/mesa/program/prog_hash_table.c
    ${parts}/glsl-optimizer/src/mesa/program/symbol_table.c
    ${parts}/glsl-optimizer/src/util/hash_table.c
    ${parts}/glsl-optimizer/src/util/ralloc.c)
  target_include_directories(shaderc_glsl_optimizer SYSTEM
    PUBLIC ${parts}/glsl-optimizer/src/glsl ${parts}/glsl-optimizer/include
    PRIVATE ${parts}/glsl-optimizer/src ${parts}/glsl-optimizer/src/mesa)

  # SPIR-V: optimised and checked by spirv-tools, ...
  file(GLOB sources
    ${parts}/spirv-tools/source/*.cpp
    ${parts}/spirv-tools/source/opt/*.cpp
    ${parts}/spirv-tools/source/util/*.cpp
    ${parts}/spirv-tools/source/val/*.cpp)
  sinew_shaderc_part(spirv_tools SOURCES ${sources})
  target_include_directories(shaderc_spirv_tools SYSTEM
    PUBLIC ${parts}/spirv-tools/include
    PRIVATE ${parts}/spirv-tools ${parts}/spirv-tools/source
      ${parts}/spirv-tools/include/generated ${parts}/spirv-headers/include)

  # ... written by glslang, which reads bgfx's dialect as HLSL, ...
  file(GLOB_RECURSE sources
    ${parts}/glslang/glslang/GenericCodeGen/*.cpp
    ${parts}/glslang/glslang/HLSL/*.cpp
    ${parts}/glslang/glslang/MachineIndependent/*.cpp
    ${parts}/glslang/glslang/OSDependent/Unix/*.cpp
    ${parts}/glslang/OGLCompilersDLL/*.cpp)
  file(GLOB spirv ${parts}/glslang/SPIRV/*.cpp)
  sinew_shaderc_part(glslang SOURCES ${sources} ${spirv})
  target_include_directories(shaderc_glslang SYSTEM
    PUBLIC ${parts}/glslang ${parts}/glslang/glslang/Public ${parts}/glslang/glslang/Include
    PRIVATE ${parts} ${parts}/spirv-tools/source)
  target_compile_definitions(shaderc_glslang PRIVATE ENABLE_OPT=1 ENABLE_HLSL=1)
  target_link_libraries(shaderc_glslang PUBLIC shaderc_spirv_tools)

  # ... and asked by spirv-cross for the uniforms that are left.
  file(GLOB sources ${parts}/spirv-cross/spirv_*.cpp)
  list(FILTER sources EXCLUDE REGEX "/spirv_(cross_c|cpp|hlsl)\\.cpp$")
  sinew_shaderc_part(spirv_cross SOURCES ${sources})
  target_include_directories(shaderc_spirv_cross SYSTEM
    PUBLIC ${parts}/spirv-cross PRIVATE ${parts}/spirv-cross/include)
  target_compile_definitions(shaderc_spirv_cross PRIVATE SPIRV_CROSS_EXCEPTIONS_TO_ASSERTIONS)

  # Metal comes with it, HLSL compiles to nothing here. Of WebGPU, it wants only the names of types.
  file(GLOB sources
    ${bgfx}/tools/shaderc/*.cpp ${bgfx}/src/shader*.cpp ${bgfx}/src/vertexlayout.cpp)
  add_executable(shaderc EXCLUDE_FROM_ALL ${sources})
  sinew_third_party_options(shaderc)
  target_compile_options(shaderc PRIVATE -O1)
  target_include_directories(shaderc SYSTEM PRIVATE
    ${bgfx}/include ${root}/bimg/include ${parts}/webgpu/include)
  target_link_libraries(shaderc PRIVATE sinew_bx shaderc_fcpp shaderc_glsl_optimizer
    shaderc_glslang shaderc_spirv_cross)

  # What shaders include by name, where compile_shaders.sh finds it.
  set(includes ${CMAKE_BINARY_DIR}/shader_includes)
  add_custom_command(TARGET shaderc POST_BUILD
    COMMAND ${CMAKE_COMMAND} -E make_directory ${includes}
    COMMAND ${CMAKE_COMMAND} -E copy_if_different
      ${bgfx}/src/bgfx_shader.sh ${bgfx}/src/bgfx_compute.sh ${includes})
endfunction()

# sinew_shaderc_part(NAME SOURCES a.cpp ...): the library shaderc_NAME.
function(sinew_shaderc_part name)
  sinew_third_party(shaderc_${name} EXCLUDE_FROM_ALL ${ARGN})
  # It runs for a second at a time and is built for minutes. bgfx, too, compiles these parts
  # without strict aliasing, because some of them break its rules.
  target_compile_options(shaderc_${name} PRIVATE -O1 -fno-strict-aliasing)
endfunction()
