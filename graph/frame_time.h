// When a frame is. Every place that turns frames into seconds asks here: a product with the length
// of a frame differs from the quotient in the last bit at some frames, and what is put in time by
// one and looked up by the other comes a frame late there.
#pragma once

namespace sinew {

inline double seconds_at(double frame, double fps) { return frame / fps; }

}  // namespace sinew
