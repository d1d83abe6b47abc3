// How alike two pictures are, for tests that hold a rendered picture against a stored one. Drivers
// round differently, so equality is too much to ask, and one number is too little to tell a moved
// edge from a changed tone.
//
// [Wang04] Wang, Bovik, Sheikh and Simoncelli, "Image quality assessment: from error visibility to
// structural similarity", IEEE Transactions on Image Processing 13(4), 2004.
#pragma once

#include <array>

#include "render/picture.h"

namespace sinew::render {

struct ChannelStatistics {
  double mean = 0, deviation = 0;  // from 0 to 255
};
// Of red, green, blue and alpha.
std::array<ChannelStatistics, 4> statistics(const Picture& picture);

// The worst possible unless found better; pictures of different sizes stay so.
struct Comparison {
  bool same_size = false;
  // Mean absolute difference of each channel, from 0 to 255.
  std::array<double, 4> mean_difference{255, 255, 255, 255};
  // Share of the pixels that differ by more than the threshold in some channel, from 0 to 1.
  double differing = 1;
  // How far luminance must be moved to make one histogram of the other (the earth mover's
  // distance), from 0, the same tones, to 1, black against white. Blind to where the tones are.
  double histogram_distance = 1;
  // Structural similarity of the luminance [Wang04], from -1 to 1, the same: its mean, and the mean
  // of the worst block of 32 x 32 pixels, which finds what is wrong in one place only.
  double similarity = -1, worst_block = -1;
  int worst_x = 0, worst_y = 0;  // the left top corner of that block

  double largest_mean_difference() const;
};

Comparison compare(const Picture& a, const Picture& b, int threshold = 8);

}  // namespace sinew::render
