#include "nodes/skin_words.h"

#include <cmath>

#include "nodes/content_name.h"

namespace sinew {

namespace {

struct NearestSets {
  std::vector<uint32_t> bones;
  std::size_t bytes() const { return sizeof *this + 4 * bones.size(); }
};

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

std::optional<std::vector<uint32_t>> read_sets(Exec& e, const In<Mesh>& body, const In<Field>& sets,
                                               const Skeleton& skeleton) {
  if (!e.has(sets)) {
    const auto surface = skin_surface(e, body);
    return e
        .prepared<NearestSets>(
            content_name("nearest bones", skeleton),
            [&] {
              return NearestSets{stoppable(e, [&](CancelView stop) {
                return kernels::skin_sets(surface->mesh, skeleton, stop);
              })};
            },
            body)
        ->bones;
  }
  const Field& field = e.get(sets);
  const std::size_t vertices = vertices_of(e, body).size();
  if (!fits_vertices(e, "sets", field, vertices)) return std::nullopt;
  std::vector<uint32_t> bones(vertices, kernels::no_bone);
  for (std::size_t v = 0; v < vertices; ++v) {
    const double number = std::round(static_cast<double>(field.at(v)));
    if (number == 0) continue;
    if (!(number >= 1 && number <= static_cast<double>(skeleton.bone_count()))) {
      e.error(
          "'sets' gives vertex {} to bone {:g}, but there are bones 1 to {}; make the sets with "
          "this skeleton",
          v, number, skeleton.bone_count());
      return std::nullopt;
    }
    bones[v] = static_cast<uint32_t>(number) - 1;
  }
  return bones;
}

Field as_field(std::span<const uint32_t> sets) {
  std::vector<float> numbers(sets.size(), 0);
  for (std::size_t v = 0; v < sets.size(); ++v) {
    if (sets[v] != kernels::no_bone) numbers[v] = static_cast<float>(sets[v] + 1);
  }
  return Field(Domain::vertex, std::move(numbers), {.kind = FieldKind::group});
}

}  // namespace sinew
