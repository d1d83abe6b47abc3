// What lies under a place of the picture: the first triangle along a ray, or the nearest of the
// points that can be dragged. No graphics card is asked, so tests and tools get the same answers.
//
// Exact: what is found is the first triangle in double precision, without gaps at edges and
// vertices (pick_ray.h); among triangles at the same distance, the one of the lowest mesh and of
// the lowest index. Both sides of a triangle are hit; one without area never is. A mesh that is not
// drawn, because a position is no number or a triangle refers to no vertex, is not hit either.
//
// A tree of boxes is built when a topology is first picked from; when a body has moved, its boxes
// are only refitted. Answers do not depend on what was picked before.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "render/camera.h"
#include "render/draw_list.h"

namespace sinew::render {

struct Pick {
  std::size_t mesh = 0;  // of DrawList::meshes
  std::string source;    // of that mesh
  uint32_t triangle = 0;
  Eigen::Vector3f weights{1, 0, 0};  // barycentric, of the triangle's corners
  Eigen::Vector3f point{0, 0, 0};
  Eigen::Vector3f normal{0, 0, 1};  // of the triangle, of length 1
  // m from the ray's origin. A parallel camera shows what lies behind its eye, too: there it is
  // negative.
  float distance = 0;
  bool from_behind = false;  // the ray comes from where the normal does not point to
};

struct PickOptions {
  // A veil (alpha below 1) is hit only where nothing opaque is; else it counts as any other body.
  bool through_veils = true;
};

enum class PointsOf : uint8_t { points, lattice };

struct PointPick {
  PointsOf of = PointsOf::points;
  std::size_t item = 0;  // of DrawList::points or ::lattices
  std::size_t index = 0;
  std::string source;
  Eigen::Vector3f point{0, 0, 0};
  float pixels = 0;  // from the place that was asked for
  float depth = 0;   // m from the eye, along the camera's axis
};

// How much was done since the picker was made, to see that nothing is done twice.
struct PickCounts {
  uint64_t orders = 0;  // trees built
  uint64_t fits = 0;    // boxes computed for a pose
};

// Used by one thread at a time; it works on as many as there are.
class Picker {
 public:
  Picker();
  ~Picker();

  // Through a place of the picture, as parts of its width and height from the upper left.
  std::optional<Pick> pick(const draw::DrawList& list, const Camera& camera, float x, float y,
                           float aspect, const PickOptions& options = {});
  std::optional<Pick> pick(const draw::DrawList& list, const Ray& ray,
                           const PickOptions& options = {});

  // Of the points and the lattices' points, whether bodies hide them or not: the nearest on the
  // screen within the radius. Those within half a pixel of the nearest cannot be told apart there;
  // of them the one nearest to the eye, then the first. x and y as above; sizes are in pixels.
  static std::optional<PointPick> pick_point(const draw::DrawList& list, const Camera& camera,
                                             float x, float y, int width, int height, float radius);

  const PickCounts& counts() const { return counts_; }
  // Trees that are kept.
  std::size_t size() const;

 private:
  struct Entry;

  std::optional<Pick> first_hit(const draw::DrawList& list, const Ray& ray, double from,
                                const PickOptions& options);
  Entry* exact(const draw::Mesh& mesh);
  Entry& fitted(const draw::Mesh& mesh);
  void fit(Entry& entry, const draw::Mesh& mesh);
  void forget_unused();

  std::vector<std::unique_ptr<Entry>> entries_;
  PickCounts counts_;
  uint64_t call_ = 0;
};

}  // namespace sinew::render
