// Presets put onto something else: a motion onto another mesh, a material onto what is there.
//
// A motion comes as a group whose body is the given mesh, made to stand in for the preset's own.
// Strokes that are drawn in parts of the body's box are laid onto the new body; what was placed in
// metres stays where it was; values that belong to single vertices cannot be carried over. All of
// it is said.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "graph/commands.h"
#include "graph/registry.h"

namespace sinew::library {

// One line each, for people: "'Layers': 2 strokes".
struct Carried {
  std::vector<std::string> fitted;  // laid onto what is new
  std::vector<std::string> kept;    // as it was
  std::vector<std::string> lost;    // cannot be carried over
};

struct PutOn {
  Command command;
  std::string node;  // what was added: the instance of the motion, or the material
  Carried carried;
};

// Whether the document has a body that can be another one.
bool has_body(const GraphDoc& preset, const Registry& registry);
// Whether it has a material to give.
bool has_material(const GraphDoc& preset, const Registry& registry);

// Adds the motion as a group beside the output that is to move.
Result<PutOn> put_motion(const GraphDoc& into, const std::string& graph, const GraphDoc& motion,
                         const Registry& registry, const Endpoint& mesh, double x, double y);

// Adds the preset's material and links it to every operator and simulation of the graph, or only to
// `nodes`. Operators without a material get one.
Result<PutOn> put_material(const GraphDoc& into, const std::string& graph, const GraphDoc& material,
                           const Registry& registry, const std::set<std::string>& nodes, double x,
                           double y);

}  // namespace sinew::library
