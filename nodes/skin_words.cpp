#include "nodes/skin_words.h"

#include <fmt/format.h>

#include <cmath>

#include "nodes/content_name.h"

namespace sinew {

namespace {

SkinSets painted_sets(const Field& field, std::size_t vertices, const Skeleton& skeleton) {
  SkinSets sets;
  sets.bones.assign(vertices, kernels::no_bone);
  for (std::size_t v = 0; v < vertices; ++v) {
    const double number = std::round(static_cast<double>(field.at(v)));
    if (number == 0) continue;
    if (!(number >= 1 && number <= static_cast<double>(skeleton.bone_count()))) {
      sets.wrong = fmt::format(
          "'sets' gives vertex {} to bone {:g}, but there are bones 1 to {}; make the sets with "
          "this skeleton",
          v, number, skeleton.bone_count());
      return sets;
    }
    sets.bones[v] = static_cast<uint32_t>(number) - 1;
    sets.any = true;
  }
  sets.numbers = as_field(sets.bones);
  return sets;
}

}  // namespace

std::shared_ptr<const SkinSurface> skin_surface(Exec& e, const In<Mesh>& body) {
  return e.prepared<SkinSurface>(
      "skin surface",
      [&] {
        const TetMesh* solid = e.get_if<TetMesh>(body);
        return SkinSurface{solid ? kernels::all_faces(*solid) : e.get(body)};
      },
      body);
}

namespace {

std::shared_ptr<const SkinSets> nearest_sets(Exec& e, const In<Mesh>& body,
                                             const Skeleton& skeleton) {
  const auto surface = skin_surface(e, body);
  const auto make = [&] {
    SkinSets nearest;
    nearest.bones = stoppable(
        e, [&](CancelView stop) { return kernels::skin_sets(surface->mesh, skeleton, stop); });
    nearest.numbers = as_field(nearest.bones);
    return nearest;
  };
  return e.prepared<SkinSets>(content_name("nearest bones", skeleton), make, body);
}

}  // namespace

std::shared_ptr<const SkinSets> read_sets(Exec& e, const In<Mesh>& body, const In<Field>& sets,
                                          const Skeleton& skeleton) {
  const Field& field = e.get(sets);
  if (field.is_constant() && field.at(0) == 0) return nearest_sets(e, body, skeleton);
  const std::size_t vertices = vertices_of(e, body).size();
  if (!fits_vertices(e, "sets", field, vertices)) return nullptr;
  const auto painted = e.prepared<SkinSets>(
      fmt::format("painted bones {} {}", vertices, skeleton.bone_count()),
      [&] { return painted_sets(field, vertices, skeleton); }, sets);
  if (painted->wrong.empty() && painted->any) return painted;
  if (painted->wrong.empty()) return nearest_sets(e, body, skeleton);
  e.error("{}", painted->wrong);
  return nullptr;
}

Field as_field(std::span<const uint32_t> sets) {
  std::vector<float> numbers(sets.size(), 0);
  for (std::size_t v = 0; v < sets.size(); ++v) {
    if (sets[v] != kernels::no_bone) numbers[v] = static_cast<float>(sets[v] + 1);
  }
  return Field(Domain::vertex, std::move(numbers), {.kind = FieldKind::group});
}

}  // namespace sinew
