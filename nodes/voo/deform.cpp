// What operators do to a body. [Hurmusiadis, sections 5.7, 5.8, 7.2 and 8.3.4]
#include "nodes/kernels/self_crossing.h"
#include "nodes/kernels/voo_deform.h"

#include "nodes/skeleton_words.h"
#include "nodes/voo_acting.h"

namespace sinew {
namespace {

using kernels::VooTranslation;

enum class Check : uint8_t { none, folds, crossings };

In<Mesh> body;
InList<VooSet> voos;
In<VooCombining> combine;
In<VooTranslation> translation;
In<Field> mask;
In<Check> check;
Out<Mesh> out;
Out<Field> damping;
Out<int> active, folded, crossing;

void declare(Declaration& d) {
  d.id("voo.deform", 2).label("Apply Operators").category("VOODOO").uses_frame();
  d.doc(
      "Lets operators act on a body: a mesh, a solid, a lattice, points, a motion path, a "
      "skeleton, "
      "a pose, or the pins of other operators. Since version 2 a body does not spin when "
      "a pin swings past the opposite of its rest.");
  d.upgrade([](UpgradeStep&) {});
  d.in(body, "body")
      .generic("B")
      .accepts<TetMesh>()
      .accepts<Lattice>()
      .accepts<PathPoints>()
      .accepts<MotionPath>()
      .accepts<VooSet>()
      .accepts<Skeleton>()
      .accepts<PosedSkeleton>()
      .doc("What is deformed; as it is here, it is at rest.");
  d.in(voos, "voos").label("Operators").doc("The operators; many sets may be linked.");
  d.in(combine, "combine", VooCombining::sum)
      .choices({"sum", "blend", "arthra"})
      .doc(
          "Where fields overlap: each adds what it does, a smooth mean of what each would do, or "
          "operators at one arthron multiply their damping.");
  d.in(translation, "translation", VooTranslation::damped)
      .choices({"active", "damped", "everywhere"})
      .doc(
          "Who follows the head's own way: all that is in the field, each as much as it is "
          "strained "
          "(nothing tears), or the whole body.");
  d.in(mask, "mask", Field::constant(1)).range(0, 1).doc("How much each vertex takes part.");
  d.in(check, "check", Check::folds)
      .choices({"none", "folds", "crossings"})
      .doc(
          "Warns where the body is folded inside out; or also, which takes longer, where its "
          "surface "
          "passes through itself. None is quickest.");
  d.out(out, "body").generic("B").doc("The deformed body.");
  d.out(damping, "damping")
      .on(out)
      .doc(
          "How much each vertex is taken along by the operator that takes it most; below 0 it goes "
          "the other way.");
  d.out(active, "active").doc("How many vertices are in a field.");
  d.out(folded, "folded").doc("How many vertices are folded through; 0 if that is not checked.");
  d.out(crossing, "crossing")
      .doc("How many pairs of triangles cross that did not at rest; 0 if that is not checked.");
}

// Whether its pins are at another place from frame to frame.
bool moves(const VooSet& set) {
  const auto led = [](const VooMember& m) {
    const bool driven = std::any_of(m.drives.begin(), m.drives.end(), [](const VooDrive& d) {
      return d.chart.points.size() > 1 || d.by.points.size() > 1;
    });
    const bool pulled = m.stuff && !m.stuff->pulls.empty();
    return driven || pulled || !m.travels.empty() || !m.guides.empty();
  };
  const auto driven = [](const VooTie& tie) { return tie.move || tie.path; };
  return std::any_of(set.members.begin(), set.members.end(), led) ||
         std::any_of(set.ties.begin(), set.ties.end(), driven);
}

// Pins that are deformed rest where they are put at the moment.
void warn_of_pins(Exec& e, const VooSet& pins, const VooSet& by) {
  const bool any = std::any_of(pins.members.begin(), pins.members.end(), remembers);
  if (any && moves(by)) warn_of_moment(e, "the place that operators bring these operators to");
}

// What has been moved, as what it was.
void set_body(Exec& e, std::vector<Vec3f> moved) {
  if (e.get_if<PathPoints>(body)) return e.set_as(out, PathPoints{std::move(moved)});
  if (const MotionPath* path = e.get_if<MotionPath>(body)) {
    MotionPath bent = *path;
    bent.points.list = std::move(moved);
    return e.set_as(out, std::move(bent));
  }
  if (const Skeleton* bones = e.get_if<Skeleton>(body)) {
    Skeleton bent = *bones;
    for (std::size_t j = 0; j < moved.size(); ++j) bent.joints[j].place = moved[j].cast<double>();
    return e.set_as(out, std::move(bent));
  }
  if (const PosedSkeleton* pose = e.get_if<PosedSkeleton>(body)) {
    std::vector<kernels::JointPose> joints(moved.size());
    for (std::size_t j = 0; j < moved.size(); ++j) joints[j].place = moved[j].cast<double>();
    return e.set_as(out, as_found(*pose, joints));
  }
  const VooSet* set = e.get_if<VooSet>(body);
  if (!set) return set_moved(e, out, body, std::move(moved));
  VooSet pins = *set;
  for (std::size_t i = 0; i < pins.size(); ++i) {
    pins.members[i].voo.rest.head = moved[2 * i].cast<double>();
    pins.members[i].voo.rest.tip = moved[2 * i + 1].cast<double>();
  }
  e.set_as(out, std::move(pins));
}

// Who is in a field, and how much the operator that takes it most takes it: below 0 the other way.
struct Taken {
  std::vector<float> most;
  int active = 0;
  std::size_t bytes() const { return sizeof *this + bytes_of(most).size(); }
};

std::vector<float> most_taken(const VooActing& acting, std::size_t vertices) {
  std::vector<float> most(vertices, 0.0f);
  for (const auto& influence : acting.influences) {
    for (std::size_t k = 0; k < influence->tiles.size(); ++k) {
      const std::size_t first = kernels::voo_tile * influence->tiles[k];
      const std::size_t end = std::min(first + kernels::voo_tile, vertices);
      for (std::size_t v = first; v < end; ++v) {
        const float damp = influence->damp[kernels::voo_tile * k + v - first];
        if (std::abs(damp) > std::abs(most[v])) most[v] = damp;
      }
    }
  }
  return most;
}

int count_active(const VooActing& acting, std::size_t vertices) {
  std::vector<uint16_t> any((vertices + kernels::voo_tile - 1) / kernels::voo_tile, 0);
  for (const auto& influence : acting.influences) {
    for (std::size_t k = 0; k < influence->tiles.size(); ++k) {
      any[influence->tiles[k]] |= influence->mask[k];
    }
  }
  int count = 0;
  for (const uint16_t bits : any) count += __builtin_popcount(bits);
  return count;
}

// The same at all times, unless fields change.
std::shared_ptr<const Taken> taken(Exec& e, const VooActing& acting, std::size_t vertices) {
  const auto make = [&] {
    return Taken{most_taken(acting, vertices), count_active(acting, vertices)};
  };
  if (acting.name.empty()) return std::make_shared<const Taken>(make());
  return e.prepared<Taken>("voo taken " + acting.name, make, body);
}

std::size_t count_folds(Exec& e, const VooActing& acting, std::span<const Vec3f> rest) {
  const kernels::VooFolds folds = kernels::find_folds(acting.actions, rest);
  if (folds.vertices == 0) return 0;
  std::size_t first = 0;
  while (!folds.at(first)) ++first;
  e.warning(
      "the body is folded through itself at {} vertices, such as the one that rests at ({:.3g}, "
      "{:.3g}, {:.3g}); move the pins less, or widen their fields",
      folds.vertices, rest[first].x(), rest[first].y(), rest[first].z());
  return folds.vertices;
}

struct RestCrossings {
  std::size_t pairs = 0;
  std::size_t bytes() const { return sizeof *this; }
};

// A body that crosses itself at rest is not blamed for that.
std::size_t count_crossings(Exec& e, std::span<const Vec3f> rest, std::span<const Vec3f> moved) {
  const Mesh* mesh = e.get_if<Mesh>(body);
  const std::span<const Triangle> triangles =
      mesh ? mesh->triangles() : e.get_if<TetMesh>(body)->topology->boundary;
  const auto count = [&](std::span<const Vec3f> at) {
    return stoppable(
        e, [&](CancelView stop) { return kernels::find_crossings(at, triangles, stop).pairs; });
  };
  const auto before = e.prepared<RestCrossings>(
      "crossings at rest", [&] { return RestCrossings{count(rest)}; }, body);
  const std::size_t now = count(moved);
  if (now <= before->pairs) return 0;
  e.warning("the surface passes through itself: {} pairs of triangles cross", now - before->pairs);
  return now - before->pairs;
}

void exec(Exec& e) {
  const VooBody of = body_vertices(e, body);
  const std::span<const Vec3f> rest = of.vertices;
  if (!fits_vertices(e, "mask", e.get(mask), rest.size())) return;
  const VooSet set = joined_sets(e, voos);
  const bool is_body = e.get_if<Mesh>(body) || e.get_if<TetMesh>(body);
  const bool checks = e.get(check) != Check::none && is_body && set.size() <= 256;
  const std::optional<VooActing> acting =
      acting_on(e, body, rest, set,
                {.combining = e.get(combine), .translation = e.get(translation), .slopes = checks});
  if (!acting) return;
  double size = 0;
  for (const VooMember& m : set.members) size = std::max(size, m.voo.rest.vector().norm());
  if (acting->gap > 0.01 * size) {
    e.warning(
        "ends of operators are up to {:.3g} m from their arthra: their constraints do not "
        "allow more",
        acting->gap);
  }
  if (const VooSet* pins = e.get_if<VooSet>(body)) warn_of_pins(e, *pins, set);
  std::vector<Vec3f> moved(rest.size());
  kernels::deform_vertices(acting->actions, rest, moved);
  apply_mask(e.get(mask), rest, moved);
  e.set(folded, checks ? static_cast<int>(count_folds(e, *acting, rest)) : 0);
  const bool crosses = e.get(check) == Check::crossings && is_body;
  e.set(crossing, crosses ? static_cast<int>(count_crossings(e, rest, moved)) : 0);
  const std::shared_ptr<const Taken> by = taken(e, *acting, rest.size());
  e.set(active, by->active);
  e.set(damping, Field(Domain::vertex, by->most));
  set_body(e, std::move(moved));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(voo_deform, declare, exec)
