# Every library that Sinew uses, in one place. First the ones that Debian packages; then the
# graphical ones, from the system if it has them, else from sources.
#
# Result: SINEW_GRAPHICS, and if it is ON the targets
#   sinew_imgui     Dear ImGui with its SDL2 platform backend (bgfx draws it)
#   sinew_implot    ImPlot
#   sinew_imnodes   imnodes
#   sinew_bgfx      bgfx with OpenGL, Vulkan and no-op renderers; bx, bimg and image decoding
# and, where bgfx comes from Debian's sources,
#   shaderc         its shader compiler, built only when asked for (./dev shaders)

find_package(Threads REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)      # Eigen3::Eigen
find_package(TBB REQUIRED)                       # TBB::tbb
find_package(cereal REQUIRED)                    # cereal::cereal
find_package(nlohmann_json REQUIRED)             # nlohmann_json::nlohmann_json
find_package(fmt REQUIRED)                       # fmt::fmt
find_package(CLI11 REQUIRED)                     # CLI11::CLI11
find_package(assimp REQUIRED)                    # assimp::assimp
find_package(TinyGLTF REQUIRED)                  # TinyGLTF::TinyGLTF
find_package(nanoflann REQUIRED)                 # nanoflann::nanoflann
find_package(zstd REQUIRED)                      # zstd::libzstd_shared
find_package(PNG REQUIRED)                       # PNG::PNG
find_package(ZLIB REQUIRED)                      # ZLIB::ZLIB
find_package(GTest REQUIRED)                     # GTest::gtest, GTest::gtest_main, GTest::gmock
find_package(benchmark REQUIRED)                 # benchmark::benchmark
find_package(rapidcheck REQUIRED)                # rapidcheck, rapidcheck_gtest

# LBFGSpp is headers only, and Debian ships them without a CMake package.
find_path(LBFGSPP_INCLUDE_DIR LBFGS.h REQUIRED)
add_library(LBFGSpp::LBFGSpp INTERFACE IMPORTED)
target_include_directories(LBFGSpp::LBFGSpp SYSTEM INTERFACE ${LBFGSPP_INCLUDE_DIR})
target_link_libraries(LBFGSpp::LBFGSpp INTERFACE Eigen3::Eigen)

include(GraphicsSources)
include(imgui)
include(bgfx)
include(shaderc)

set(SINEW_GRAPHICS OFF)
if(SINEW_WITH_GRAPHICS)
  set(sinew_missing "")
  find_package(SDL2 QUIET)                       # SDL2::SDL2
  if(NOT TARGET SDL2::SDL2)
    list(APPEND sinew_missing SDL2)
  endif()
  # stb is headers only; of it we use the one that draws letters.
  find_path(STB_INCLUDE_DIR stb/stb_truetype.h)
  if(NOT STB_INCLUDE_DIR)
    list(APPEND sinew_missing stb)
  endif()
  # The font of all pictures and of the editor. It becomes part of the program.
  find_file(SINEW_FONT_FILE NAMES Roboto-Medium.ttf DejaVuSans.ttf
    PATHS /usr/share/fonts /usr/local/share/fonts
    PATH_SUFFIXES truetype/roboto/unhinted/RobotoTTF truetype/roboto roboto truetype/dejavu dejavu)
  if(NOT SINEW_FONT_FILE)
    list(APPEND sinew_missing "a font (Roboto)")
  endif()
  sinew_add_imgui(sinew_missing)
  sinew_add_bgfx(sinew_missing)
  if(sinew_missing)
    list(JOIN sinew_missing ", " sinew_missing)
    message(NOTICE "-- Sinew is built without its window and renderer. Missing: ${sinew_missing}.\n"
      "   To try again: ./dev setup. On systems other than Debian: -DSINEW_FETCH_UPSTREAM=ON (docs/building.md)")
  else()
    set(SINEW_GRAPHICS ON)
    if(TARGET sinew_bx AND NOT SINEW_FETCH_UPSTREAM)
      sinew_add_shaderc(${sinew_bgfx_root})
    endif()
  endif()
endif()
if(NOT TARGET shaderc)
  add_custom_target(shaderc
    COMMAND ${CMAKE_COMMAND} -E echo
      "The shader compiler is made from Debian's sources of bgfx, and those are not here. Do: ./dev setup"
    COMMAND ${CMAKE_COMMAND} -E false
    VERBATIM)
endif()
