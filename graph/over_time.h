// What an input of `whole_time` is at any frame, whatever it is made of: one value for all times, a
// parameter that follows charts or steps, or the frames of what is linked to it.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>

#include "graph/animation.h"
#include "graph/value.h"

namespace sinew {

// Untyped. Safe to ask from several threads.
class ValueOverTime {
 public:
  // `value`: as the node was given it, an Animation or the value itself.
  ValueOverTime(Value value, double fps);

  // Whether it is not the same at all times.
  bool varies() const { return animation_ != nullptr; }
  // It changes at frames from the first to the last of these only: before and after it stays as it
  // is there. Both are 0 for what does not vary; charts may change at any time.
  double first() const;
  double last() const;

 protected:
  // Stays where it is as long as this lives.
  const Value& value_at(double frame) const;

 private:
  // What charts have said, by the frame.
  struct Sampled {
    std::mutex mutex;
    std::map<double, Value> values;
  };
  Value value_;
  const Animation* animation_ = nullptr;
  double fps_;
  std::shared_ptr<Sampled> sampled_;
};

template <class T>
class OverTime : public ValueOverTime {
 public:
  using ValueOverTime::ValueOverTime;

  // What it is at a frame: for what is linked, at the last whole frame until then. Frames before
  // the document's first or after its last are as these.
  decltype(auto) at(double frame) const {
    if constexpr (std::is_enum_v<T>) {
      return static_cast<T>(value_at(frame).template as<Choice>().index);
    } else {
      return value_at(frame).template as<T>();
    }
  }
  // The same as a U, of an input that also .accepts<U>(); nullptr: it is none.
  template <class U>
  const U* at_if(double frame) const {
    const Value& v = value_at(frame);
    return v.is<U>() ? &v.as<U>() : nullptr;
  }
};

}  // namespace sinew
