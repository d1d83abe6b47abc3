// Materials to start from, each drawn with few points so that it can be changed by hand.
//
// Stress over strain, creep and relaxation follow measurements where the thesis [Hurmusiadis,
// section 3.5] or its sources give figures: [Dimery85], [Ker86], [Bennett86], [Alexander62],
// [Gosline71], [Koehl77], [Yamada70], and [Treloar44] for rubber. What their text does not give, as
// limits, masses and how long a restoration takes, is drawn by eye; `source` of each says what is
// which. Only the shape of a stress curve counts (6.3.3), so that `stiffness` is chosen for a swing
// that can be seen: real steel would hum.
#pragma once

#include <string_view>

#include "nodes/geometry/material.h"

namespace sinew::kernels {

enum class NamedMaterial : uint8_t {
  deer_ligament,
  kangaroo_tendon,
  anemone_mesogloea,
  human_skin,
  human_bone,
  mild_steel,
  rubber,
  putty,
  jelly,
  thin_fluid,
  thick_fluid,
};
inline constexpr int named_material_count = static_cast<int>(NamedMaterial::thick_fluid) + 1;

// As it is saved: "kangaroo_tendon".
std::string_view name_of(NamedMaterial material);
// What it does, in one sentence.
std::string_view about(NamedMaterial material);

struct NamedMaterialOptions {
  double strain_scale = 1;  // of all strains: bone breaks at 0.015, which nobody would see; > 0
  double time_scale = 1;    // of all durations and swings; > 0
};

// Sound for every scale from 1e-6 to 1e6. std::invalid_argument for a scale that is not positive.
Material make_named_material(NamedMaterial material, const NamedMaterialOptions& options = {});

}  // namespace sinew::kernels
