// Values are immutable and shared: a node never changes its input, and passing a value on costs a
// pointer. What the graph must know about a type of value (its name, how large it is, whether it is
// sound, how it is written) stands in one TypeInfo; the graph knows nothing else about it.
#pragma once

#include <array>
#include <cassert>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "graph/json.h"
#include "graph/key.h"
#include "graph/result.h"

namespace sinew {

class Value;
class Packer;
class Unpacker;

// Where on the time axis a chart is asked.
struct TimePoint {
  double frame = 0;
  double seconds = 0;
};

// A ready-made literal, for menus.
struct ReadyMade {
  std::string name, group, doc;
  Json literal;
};

// A value as rows of numbers, to be read by a person. It points into the value.
struct ValueTable {
  std::string rows_are;  // "vertex", "point"
  std::vector<std::string> columns;
  size_t rows = 0;
  std::function<std::string(size_t row, size_t column)> cell;
};

// How a literal of a type is made by a person who does not write it.
enum class MadeBy : uint8_t {
  writing,   // a box, a slider, a chart
  painting,  // with a brush on the body
  touching,  // by touching the body
};

// The places that a literal is made of: those of strokes, of touches.
struct Places {
  struct One {
    std::array<float, 3> at{0, 0, 0};
    int line = 0;         // places of one line are joined in their order
    bool inside = false;  // not on the surface of the body
    int on = -1;          // joined to this one of the list, wherever that stands
    bool held = true;     // somebody has put it there; else it follows from the others
    std::string name = {};
    std::array<float, 3> origin{0, 0, 0};  // of an anchor: where it is before somebody moves it
  };
  std::vector<One> list;
  bool in_box = false;  // parts of the body's bounding box, -1 to 1 along each side; else metres
  bool free = false;    // anywhere in space: they belong to no body
  // Of anchors: how far one goes for 1 in each of the three numbers of its way; metres.
  std::array<std::array<float, 3>, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
};

// What the graph knows of one type of value. Plain functions over the type-erased data; those that
// a type does not offer stay empty.
struct TypeInfo {
  std::string name;            // as written in documents: "mesh", "float"
  std::string doc;             // one sentence for the reference
  uint32_t colour = 0x9AA0A6;  // of its sockets, 0xRRGGBB
  // Values for the elements of a body, which mean nothing without it: outputs of such a type say
  // what they live on (Declaration's `on`).
  bool per_element = false;

  // Bytes held, for the cache's budget.
  std::function<size_t(const void*)> bytes;
  // First unsound place ("vertex 17 is not a number"), or nothing.
  std::function<std::optional<std::string>(const void*)> flaw;
  // The facts that `sinew eval --json` reports: counts, bounding box, ...
  std::function<Json(const void*)> describe;
  // The numbers themselves, for whoever wants to see them: a mesh has vertices and triangles.
  std::function<std::vector<ValueTable>(const void*)> tables;
  MadeBy made_by = MadeBy::writing;
  // Literals: types without these can only arrive by a link.
  std::function<Result<Value>(const Json&)> from_json;
  std::function<Json(const void*)> to_json;
  // Types that are made of `components` numbers can be animated: a chart for each component.
  int components = 0;
  std::function<Value(std::span<const double>)> from_numbers;
  // The numbers of a value, for range checks; empty where the type is not made of numbers.
  std::function<std::vector<double>(const void*)> to_numbers;
  // Types that are curves over time can animate others (the "chart").
  std::function<double(const void*, TimePoint)> sample;
  // Curves y(x), for whoever draws them: y[i] at x[i], on the way there or on the way back (which
  // are the same for a curve that has only one), and the range of x over which it is drawn.
  std::function<void(const void*, std::span<const double> x, std::span<double> y, bool back)>
      curve_at;
  std::function<std::pair<double, double>(const void*)> curve_range;
  // Literals to start from.
  std::vector<ReadyMade> ready_made;
  // A curve that holds each value from its frame on: how live events become part of a document.
  std::function<Json(std::span<const std::pair<double, double>>)> steps_to_json;
  // Frames at which something happens, for the timeline.
  std::function<std::vector<double>(const void*)> frames;
  // The literal with the n-th of those elsewhere. Empty: they cannot be moved.
  std::function<Json(Json, size_t, double frame)> with_frame;
  // As bytes, for results that are kept on disk; graph/pack.h. Reading gives an empty value where
  // the bytes do not fit; what they mean is checked by `flaw`.
  std::function<void(const void*, Packer&)> pack;
  std::function<Value(Unpacker&)> unpack;
  // Literals that are made of places on a body at rest: these, in their order; and the literal with
  // one of them elsewhere, or (nothing) gone. What is else written in it stays.
  std::function<Places(const Json&)> places;
  std::function<Json(Json, size_t, std::optional<std::array<double, 3>>)> with_place;
  // The literal with one place more, drawn out of one that is there.
  std::function<Json(Json, size_t, const std::array<double, 3>&)> with_new_place;
  // The literal with one place more, where the body at rest was touched.
  std::function<Json(Json, const std::array<double, 3>&)> with_touched;
  // Values with named places that literals of another type can move: joints of a skeleton. Those
  // without a name cannot be moved now.
  // Where they are at a frame, for values that hold for all frames.
  std::function<Places(const void*, double frame)> anchors;
  // Such a literal, with an anchor moved by so much at a frame, or (nothing) not moved then.
  std::function<Json(Json, const std::string& anchor, std::optional<std::array<double, 3>> by,
                     double frame)>
      with_move;
  // Files: endings that `save` understands, without the dot.
  std::vector<std::string> file_endings;
  std::function<Result<void>(const void*, const std::filesystem::path&)> save;
};

// The one TypeInfo of a C++ type. Specialised with SINEW_VALUE_TYPE for each type of value.
template <class T>
const TypeInfo& type_of();

#define SINEW_VALUE_TYPE(T) \
  template <>               \
  const TypeInfo& type_of<T>()

class Value {
 public:
  Value() = default;
  Value(const TypeInfo& type, std::shared_ptr<const void> data)
      : type_(&type), data_(std::move(data)) {}

  template <class T>
  static Value of(T content) {
    return Value(type_of<T>(), std::make_shared<const T>(std::move(content)));
  }

  explicit operator bool() const { return data_ != nullptr; }
  const TypeInfo* type() const { return type_; }
  const void* data() const { return data_.get(); }
  bool shares(const Value& other) const { return data_ == other.data_; }
  // The content itself, for whoever points into it and must keep it alive.
  const std::shared_ptr<const void>& shared() const { return data_; }

  template <class T>
  bool is() const {
    return type_ == &type_of<T>();
  }
  template <class T>
  const T& as() const {
    assert(is<T>());
    return *static_cast<const T*>(data_.get());
  }

  size_t bytes() const { return data_ && type_->bytes ? type_->bytes(data_.get()) : 0; }
  Json to_json() const { return data_ && type_->to_json ? type_->to_json(data_.get()) : Json(); }

 private:
  const TypeInfo* type_ = nullptr;
  std::shared_ptr<const void> data_;
};

// The shortest decimal that reads back as the same float: 0.1, not 0.10000000149.
double shortest_decimal(float x);

// The key of a literal: its type and its content. -0 counts as 0.
Key literal_key(const Value& value);

// ---- The types that the graph itself knows ------------------------------------------------------

// Three numbers. Nodes convert it to Eigen's vector; the graph has no Eigen.
struct Vec3 {
  float x = 0, y = 0, z = 0;
  bool operator==(const Vec3&) const = default;
};

// One of a declared list of names. Nodes see their own enum instead.
struct Choice {
  int index = 0;
  bool operator==(const Choice&) const = default;
};

// Stands in a handle for "any type": reroute, switch, view.
struct Any {};

SINEW_VALUE_TYPE(float);
SINEW_VALUE_TYPE(int);
SINEW_VALUE_TYPE(bool);
SINEW_VALUE_TYPE(std::string);
SINEW_VALUE_TYPE(Vec3);
SINEW_VALUE_TYPE(Choice);
SINEW_VALUE_TYPE(Any);

// What a handle In<T> is stored as: an enum is stored as a Choice.
template <class T>
using Stored = std::conditional_t<std::is_enum_v<T>, Choice, T>;

}  // namespace sinew
