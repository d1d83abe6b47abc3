// A material to start from, by its name. [Hurmusiadis, section 3.5]
#include "nodes/kernels/named_materials.h"
#include "nodes/node.h"

namespace sinew {
namespace {

In<kernels::NamedMaterial> material;
In<float> strain_scale, time_scale, mass;
Out<Material> out;
Out<Chart> stress;
Out<std::string> source;

std::vector<std::string> material_names() {
  std::vector<std::string> names;
  for (int i = 0; i < kernels::named_material_count; ++i) {
    names.emplace_back(kernels::name_of(static_cast<kernels::NamedMaterial>(i)));
  }
  return names;
}

void declare(Declaration& d) {
  d.id("material.named", 1).label("Named Material").category("Material");
  d.doc(
      "A ready-made material: ligament, tendon, sea anemone, skin, bone, steel, rubber, putty, "
      "jelly, fluids.");
  d.in(material, "material", kernels::NamedMaterial::jelly)
      .choices(material_names())
      .doc(
          "deer_ligament to rubber follow measurements as far as there are any; 'source' says how "
          "far.");
  d.in(strain_scale, "strain_scale", 1.0f)
      .range(1e-3, 1e3)
      .doc("Multiplies all strains: bone breaks at 0.015, which nobody would see.");
  d.in(time_scale, "time_scale", 1.0f)
      .range(1e-6, 1e3)
      .doc("Multiplies all durations: a sea anemone creeps for half a day.");
  d.in(mass, "mass", 50.0f).range(1e-3, 1e6).doc("The heavier, the slower it swings.");
  d.out(out, "material").doc("The material.");
  d.out(stress, "stress").doc("Its stress over strain, with limits and loop.");
  d.out(source, "source").doc("Where its curves come from.");
}

void exec(Exec& e) {
  Material m = kernels::make_named_material(
      e.get(material), {.strain_scale = static_cast<double>(e.get(strain_scale)),
                        .time_scale = static_cast<double>(e.get(time_scale))});
  m.mass = e.get(mass);
  e.set(stress, m.stress);
  e.set(source, m.source);
  e.set(out, std::move(m));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(material_named, declare, exec)
