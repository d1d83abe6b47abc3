// What a node declares about itself, as data. One declaration drives the sockets, the inspector's
// widgets, the saved names, the cache key, the generated reference and the contract tests.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graph/value.h"
#include "graph/work.h"

namespace sinew {

class Exec;
class UpgradeStep;

// A parameter that names a file or folder on disk.
enum class FileUse { none, read, write };

// What the x of a curve means: moments of the clock, in seconds or in what its own unit says.
struct CurveClock {
  std::string period;  // the input with the seconds that one cycle or range takes; empty: x is time
  std::string delay;   // the input with the seconds by which all of it is later; empty: none
};

struct InputInfo {
  std::string name;   // as saved; never changes without an upgrade
  std::string label;  // as shown; made from the name unless given
  std::string doc;
  const TypeInfo* type = nullptr;
  Value standard;         // the value when nothing is linked or set; empty: none
  bool optional = false;  // may stay empty
  bool multi = false;     // takes any number of links, in their order
  int places_on = -1;     // the input with the body that its literals are places of, at rest
  // Type variable shared with other sockets ("T"); empty: `type` is meant. Where `type` is not Any,
  // the variable is `type` or one of `also`.
  std::string generic;
  bool selector = false;  // of a `select` node: evaluated first
  bool only_read =
      false;  // of a simulation: seen by read() only, so that states do not depend on it
  bool whole_time = false;  // the node asks for any time of an animation, not only for the moment
  std::vector<const TypeInfo*> also;  // further types that a link may bring unconverted

  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  std::string unit;                  // "deg", "m", "s"
  std::vector<std::string> choices;  // the names of a Choice, in the order of the enum
  bool is_multiline = false;
  // Curves with the same word are drawn over one another; empty: each for itself.
  std::string plot;
  std::optional<CurveClock> clock;
  // What counts in place of what is set, from what is set for all inputs of the node (empty where
  // that is not known); an empty value: what is set counts.
  std::function<Value(std::span<const Value>)> in_effect;
  FileUse file = FileUse::none;
  std::vector<std::string> file_endings;
  // A node type and its output that give a good value for this: what a substance means for the
  // stiffness of a body. Empty: none is known.
  std::string best_type, best_output;

  bool required() const { return !standard && !optional && !multi; }
  bool takes_anything() const { return !generic.empty() && type == &type_of<Any>(); }
  // Bounds are written as decimals and most values are floats: 0.01f is within "from 0.01".
  bool in_range(double x) const {
    return (x >= min || static_cast<float>(x) >= static_cast<float>(min)) &&
           (x <= max || static_cast<float>(x) <= static_cast<float>(max));
  }
  double clamped(double x) const { return in_range(x) ? x : (x < min ? min : max); }
  bool has_range() const {
    return min > -std::numeric_limits<double>::infinity() ||
           max < std::numeric_limits<double>::infinity();
  }
};

// An input or an output of the same node.
struct SocketRef {
  bool is_output = false;
  int index = -1;
  bool operator==(const SocketRef&) const = default;
};

struct OutputInfo {
  std::string name;
  std::string label;
  std::string doc;
  const TypeInfo* type = nullptr;
  std::string generic;               // as in InputInfo
  std::vector<std::string> choices;  // the names of a Choice, where they are known
  // What the values live on, if the type is per_element: a body, or other values that live on one.
  // Of several, the first that leads to a body counts.
  std::vector<SocketRef> on;
  bool on_nothing = false;         // lives on no body, and says so: a constant
  bool shown_when_chosen = false;  // seen beside what is shown, as long as the node is chosen
  // It says what is at any time: it is another from frame to frame only if inputs of the node are.
  bool timeless = false;
};

// Which parts of the context a node reads. They become part of its key; reading one that was not
// declared is an error.
struct ContextUse {
  bool frame = false;  // the frame number and the time
  bool dt = false;     // the duration of a frame
  bool seed = false;   // the document's seed
  bool draft = false;  // whether something quick is wanted while a hand drags
};

// What the graph does with a node. Everything but `compute` and `simulate` is resolved without
// running any code of the node.
enum class NodeRole {
  compute,       // outputs are a function of the inputs
  simulate,      // init, step, read
  select,        // forwards one of its inputs, chosen by the value of another
  forward,       // forwards its first input: reroute, view
  annotation,    // no sockets: a note
  group,         // an instance of a group of the document
  group_input,   // inside a group: what the instance is given
  group_output,  // inside a group: what the instance gives
};

// What can be dragged in the viewport to set inputs of a node. Places are in metres, in the space
// of what the node makes.
enum class HandleKind {
  point,      // at
  vector,     // at, and to or along
  frame,      // at, rotation, scale or extent; all about the pivot
  ellipsoid,  // at, radius or radii, rotation
  plane,      // at, and normal or rotation, which turns a floor that looks up
  points,     // a list-like input (TypeInfo::places)
  anchors,    // named places of an output, which a list-like input moves (TypeInfo::with_move)
  pin,        // at, to; twist; radii, centre and cap of the field about it
};

// Inputs by their index, and outputs where that is said; -1: not part of it.
//
// The frame of a pin: u from `at` to `to`; v across u and the z axis (z x u), or as near to y as
// can be where u is along z; w = u x v. `twist` turns v towards w.
struct HandleInfo {
  HandleKind kind = HandleKind::point;
  std::string name;    // of the handle: "place"
  int at = -1;         // vec3: where it is
  int to = -1;         // vec3: where its tip is
  int along = -1;      // vec3: from `at` to its tip
  int rotation = -1;   // vec3, degrees: turns about the fixed axes, first x, then y, then z
  int scale = -1;      // vec3: factors along the turned axes
  int extent = -1;     // vec3: whole lengths along the turned axes
  int radius = -1;     // float
  int radii = -1;      // vec3: half lengths along the turned axes; of a pin along v, w and u
  int normal = -1;     // vec3, of any length
  int offset = -1;     // float: moves the plane along its normal
  int pivot = -1;      // vec3: `at` is added to it
  int items = -1;      // the list-like input
  int anchors = -1;    // an output with anchors: where they are, and would be without the items
  bool keyed = false;  // of anchors: moved at the present frame only, though the node has no frame
  int when = -1;       // bool: it is there only while this is true
  int twist = -1;      // float, degrees: turns a pin about itself
  int centre = -1;     // choice: the field is about the head, the tip, each of them, or the middle
  int cap = -1;      // float: away from the other end, the radius along u is so many times as long
  int from = -1;     // vec3, an output: `at` is counted from there
  int to_from = -1;  // vec3, an output: `to` is counted from there
};

// Where the field of a pin sits: the order of the choices of HandleInfo::centre.
enum class PinCentre : unsigned char { head, tip, both, length };

// How a hand pulls at a simulated body: a switch, where it takes hold, and where it pulls to; how
// much of the body it takes hold of, and how fast the whole follows it, whatever it weighs. The
// last two are -1 where the body itself knows.
struct HandInfo {
  int grab = -1, at = -1, to = -1;
  int radius = -1, follow = -1;
};

// Something that runs along a curve of another node: of the one that made what arrives at `input`.
struct RunningInfo {
  int input = -1;
  std::string curve;   // an input or an output of that node, by its name
  int x = -1, y = -1;  // outputs, floats: where on the curve it is now
};

// Something is made to stand in for something else: what arrives at `given` comes out as if it were
// `model`, so that what was made for the model suits it. Both are of the output's type.
struct StandInInfo {
  int given = -1, model = -1, output = -1;
};

// The state of a simulation between two frames: immutable, shared, its size known.
struct SimState {
  std::shared_ptr<const void> data;
  size_t bytes = 0;
  explicit operator bool() const { return data != nullptr; }
};

struct NodeType {
  std::string id;  // "deform.twist"
  int version = 1;
  std::string label;
  std::string category;
  std::string doc;
  std::vector<std::string> formerly;  // type ids that older documents use for it
  std::vector<InputInfo> inputs;
  std::vector<OutputInfo> outputs;
  ContextUse uses;
  NodeRole role = NodeRole::compute;
  bool viewer = false;        // evaluated by default: `view`
  bool has_effect = false;    // writes something outside: runs only when asked to, never cached
  bool asks_changes = false;  // which inputs are another from frame to frame is part of its key
  std::vector<HandleInfo> handles;
  std::optional<HandInfo> hand;
  std::vector<RunningInfo> running;
  std::optional<WorkInfo> work;
  std::optional<StandInInfo> stand_in;

  std::function<void(Exec&)> exec;
  std::function<SimState(Exec&)> init;
  std::function<SimState(const SimState&, Exec&)> step;
  std::function<void(const SimState&, Exec&)> read;
  std::function<int(const Exec&)> select;  // index of the input to forward, or -1 for none

  // upgrades[k] brings a saved node from version k + 1 to k + 2.
  std::vector<std::function<void(UpgradeStep&)>> upgrades;

  int find_input(std::string_view name) const;   // -1 if there is none
  int find_output(std::string_view name) const;  // -1 if there is none
};

}  // namespace sinew
