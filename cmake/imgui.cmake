# Dear ImGui, ImPlot and imnodes. All three come from the same place, because the latter two
# must be compiled against exactly the Dear ImGui that the program uses.

# sinew_add_imgui(MISSING): adds the three targets, or appends what is missing to a list.
macro(sinew_add_imgui missing)
  find_package(imgui CONFIG QUIET)
  find_package(implot CONFIG QUIET)
  find_package(imnodes CONFIG QUIET)
  if(TARGET imgui::imgui AND TARGET implot::implot AND TARGET imnodes::imnodes)
    message(STATUS "Dear ImGui, ImPlot and imnodes: from the system")
    foreach(name imgui implot imnodes)
      add_library(sinew_${name} INTERFACE)
      target_link_libraries(sinew_${name} INTERFACE ${name}::${name})
    endforeach()
    target_link_libraries(sinew_imgui INTERFACE SDL2::SDL2)
  else()
    sinew_find_imgui_sources()
    if(sinew_imgui_dir AND sinew_implot_dir AND sinew_imnodes_dir AND TARGET SDL2::SDL2)
      sinew_build_imgui()
    else()
      list(APPEND ${missing} "Dear ImGui with ImPlot and imnodes")
    endif()
  endif()
endmacro()

macro(sinew_find_imgui_sources)
  if(SINEW_FETCH_UPSTREAM)
    sinew_upstream_source(imgui https://github.com/ocornut/imgui.git v1.92.2b sinew_imgui_dir)
    sinew_upstream_source(implot https://github.com/epezent/implot.git master sinew_implot_dir)
    sinew_upstream_source(imnodes https://github.com/Nelarius/imnodes.git master sinew_imnodes_dir)
  else()
    sinew_debian_source(imgui sinew_imgui_root)
    sinew_debian_source(satdump sinew_satdump_root)
    set(sinew_imgui_dir "${sinew_imgui_root}")
    set(sinew_implot_dir "${sinew_satdump_root}")
    set(sinew_imnodes_dir "${sinew_satdump_root}")
    if(sinew_imgui_root)
      string(APPEND sinew_imgui_dir /imgui)
    endif()
    if(sinew_satdump_root)
      string(APPEND sinew_implot_dir /implot)
      string(APPEND sinew_imnodes_dir /imnodes)
    endif()
  endif()
endmacro()

macro(sinew_build_imgui)
  sinew_third_party(sinew_imgui SOURCES
    ${sinew_imgui_dir}/imgui.cpp
    ${sinew_imgui_dir}/imgui_demo.cpp
    ${sinew_imgui_dir}/imgui_draw.cpp
    ${sinew_imgui_dir}/imgui_tables.cpp
    ${sinew_imgui_dir}/imgui_widgets.cpp
    ${sinew_imgui_dir}/backends/imgui_impl_sdl2.cpp
    ${sinew_imgui_dir}/misc/cpp/imgui_stdlib.cpp)
  # The folder above serves those who include "imgui/imgui.h".
  target_include_directories(sinew_imgui SYSTEM PUBLIC
    ${sinew_imgui_dir} ${sinew_imgui_dir}/.. ${sinew_imgui_dir}/backends ${sinew_imgui_dir}/misc/cpp
    ${PROJECT_SOURCE_DIR}/cmake/imgui)
  target_compile_definitions(sinew_imgui PUBLIC IMGUI_USER_CONFIG="sinew_imconfig.h")
  target_link_libraries(sinew_imgui PUBLIC SDL2::SDL2)

  sinew_third_party(sinew_implot SOURCES
    ${sinew_implot_dir}/implot.cpp ${sinew_implot_dir}/implot_items.cpp)
  target_include_directories(sinew_implot SYSTEM PUBLIC ${sinew_implot_dir})
  target_link_libraries(sinew_implot PUBLIC sinew_imgui)

  sinew_third_party(sinew_imnodes SOURCES ${sinew_imnodes_dir}/imnodes.cpp)
  target_include_directories(sinew_imnodes SYSTEM PUBLIC ${sinew_imnodes_dir})
  target_link_libraries(sinew_imnodes PUBLIC sinew_imgui)
endmacro()
