// How Dear ImGui is configured in Sinew: one file, seen by the library and by all who include it.
#pragma once

// A canvas of a thousand nodes, or a dense plot, has more than 65,536 vertices.
#define ImDrawIdx unsigned int

// Sums and products of ImVec2, as the code of ImPlot and imnodes expects them.
#define IMGUI_DEFINE_MATH_OPERATORS

// Old names are gone from our own code from the start.
#define IMGUI_DISABLE_OBSOLETE_FUNCTIONS

// ImPlot is compiled once per type of number; these are the ones we plot. All ten take a minute.
#define IMPLOT_CUSTOM_NUMERIC_TYPES (int)(float)(double)
