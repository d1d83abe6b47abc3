// From a set of operators and the vertices of a body to what acts on them at a moment. Influences
// depend on the body at rest and on the fields alone: they are made once, whatever the pins do.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "nodes/voo_words.h"

namespace sinew {

// How several operators at one place go together.
enum class VooCombining : uint8_t {
  sum,     // each adds what it does: the thesis
  blend,   // a mean of what each would do alone
  arthra,  // a sum in which those that share an arthron multiply their damping elements
};

struct VooActing {
  std::shared_ptr<const kernels::VooMotion> motion;
  std::vector<VooPose> poses;
  double gap = 0;  // of arthra, metres
  std::vector<std::shared_ptr<const kernels::VooInfluence>> influences;
  std::vector<kernels::VooAction> actions;
  std::string name;  // of all influences by their content; empty where they change over time
};

struct VooActingOptions {
  VooCombining combining = VooCombining::sum;
  kernels::VooTranslation translation = kernels::VooTranslation::active;
  bool slopes = false;  // for normals and folds
};

// `body` is the input whose vertices at rest these are. Nothing, and an error, if a pin is where
// none can be.
std::optional<VooActing> acting_on(Exec& e, const In<Mesh>& body, std::span<const Vec3f> rest,
                                   const VooSet& set, const VooActingOptions& options);

// The vertices of whatever can be deformed.
struct VooBody {
  std::vector<Vec3f> own;  // where the value does not hold them as they are needed
  std::span<const Vec3f> vertices;
};
VooBody body_vertices(const Exec& e, const In<Mesh>& body);

}  // namespace sinew
