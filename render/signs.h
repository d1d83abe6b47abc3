// The words of a picture: legends with their units, labels beside things, the axes' corner and the
// caption. Nothing is cut off at the border, and labels make room for one another.
#pragma once

#include <string>

#include "render/camera.h"
#include "render/draw_list.h"
#include "render/look.h"
#include "render/sheet.h"

namespace sinew::render {

// How much larger than on a screen of 720 rows signs are, so that a large picture is readable when
// it is made smaller.
float sign_scale(int width, int height);
// The same, unless the look says how large they are.
float sign_scale(const Look& look, int width, int height);

void write_signs(std::span<const draw::ColourScale> scales, std::span<const draw::Label> labels,
                 const Camera& camera, const Look& look, int width, int height,
                 const Letters& letters, Sheet& sheet);

// Round numbers for the ticks of an axis, about `wanted` of them within the range.
std::vector<float> round_ticks(float low, float high, int wanted);
// A tick's number with as many digits as the distance to the next one needs; "-0" is "0".
std::string tick_text(float value, float step);

}  // namespace sinew::render
