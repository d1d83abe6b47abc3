// The colour maps: paths through a perceptual colour space, OKLab [Ottosson20], walked at an even
// pace, so that equal steps of a value look equally large. Lightness carries the order, and the
// pairs of hues are ones that all kinds of colour vision tell apart: blue against red or orange,
// never red against green.
#pragma once

#include <array>
#include <span>

#include "render/draw_list.h"

namespace sinew::render {

inline constexpr int map_steps = 256;

// sRGB, from the low end to the high one.
std::span<const std::array<uint8_t, 3>, map_steps> colour_map(draw::ColourMap map);

// The colour of a value on a scale.
draw::Rgba colour_of(float value, const draw::ColourScale& scale);

// One channel of sRGB, from 0 to 1, in linear light.
float linear_of(float channel);

// OKLab and sRGB, both as three numbers; sRGB from 0 to 1.
std::array<float, 3> oklab_to_srgb(std::array<float, 3> lab);
std::array<float, 3> srgb_to_oklab(std::array<float, 3> srgb);

}  // namespace sinew::render
