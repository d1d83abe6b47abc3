// Another number of frames a second: places between two frames lie on the straight way between
// them. A motion lasts as long as before.
#pragma once

#include <optional>

#include "exchange/writer.h"

namespace sinew::exchange {

class Retime {
 public:
  // Frames `first` to `last`, a step apart, come at `fps`, and leave at `out_fps`.
  Retime(double fps, double out_fps, int first, int last, int step);

  // Of what leaves: numbers on the file's own timeline, which begins where ours does.
  int first_frame() const { return first_; }
  int frame_count() const { return count_; }

  // Hands on what lies between the frame before and this one.
  Result<void> feed(Scene scene, Writer& writer);

 private:
  double fps_, out_fps_;
  bool same_;
  int first_ = 0, count_ = 0, next_ = 0;
  std::optional<Scene> before_;
};

}  // namespace sinew::exchange
