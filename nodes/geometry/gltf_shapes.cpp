#include "nodes/geometry/gltf_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "nodes/geometry/format_error.h"
#include "nodes/geometry/gltf_file.h"

namespace sinew {

namespace {

using Eigen::Affine3d;

// Many nodes may show one mesh of many parts.
constexpr std::size_t most_parts = std::size_t{1} << 18;

std::vector<Vec3f> vectors(const std::vector<double>& numbers, const char* what) {
  std::vector<Vec3f> list(numbers.size() / 3);
  for (std::size_t i = 0; i < list.size(); ++i) {
    list[i] = Eigen::Map<const Vec3d>(&numbers[3 * i]).cast<float>();
    if (!list[i].allFinite()) throw FormatError(fmt::format("{} {} is not finite", what, i));
  }
  return list;
}

class Reader {
 public:
  Reader(GltfFile& file, const GltfNodes& nodes, CancelView cancel)
      : file_(file), nodes_(nodes), cancel_(cancel) {}

  GltfShapes read() {
    place_all();
    for (std::size_t a = 0; a < file_.count("animations"); ++a) {
      cancel_.check();
      shapes_.weights.push_back(weights_of(file_.element("animations", a)));
    }
    return std::move(shapes_);
  }

 private:
  // The nodes of the scene, each before those below it and these before its next neighbour: as they
  // stand in the file, and as assimp walks.
  void place_all() {
    std::vector<std::size_t> open;
    const auto add = [&](const Json* list) {
      if (!list) return;
      for (auto node = list->rbegin(); node != list->rend(); ++node) open.push_back(index(*node));
    };
    if (file_.count("scenes") == 0) return;
    const Json& scene = file_.element("scenes", index_in(file_.json(), "scene", 0));
    add(list_in(scene, "nodes"));
    std::size_t seen = 0;
    while (!open.empty()) {
      const std::size_t node = open.back();
      open.pop_back();
      // Nodes form trees, but a scene may name one twice.
      if (++seen > nodes_.in_file.size()) throw FormatError("a scene shows one of its nodes twice");
      const Json& json = file_.element("nodes", node);
      if (json.contains("mesh")) place(nodes_.in_rig[node], json);
      add(list_in(json, "children"));
    }
  }

  std::size_t index(const Json& json) const {
    const std::size_t count = nodes_.in_rig.size();
    if (!json.is_number_unsigned() || json.get<std::size_t>() >= count) {
      throw FormatError(fmt::format("it refers to node {}, but has {}", json.dump(), count));
    }
    return json.get<std::size_t>();
  }

  void place(uint32_t node, const Json& json) {
    const std::size_t mesh = index_in(json, "mesh");
    const Json& made = file_.element("meshes", mesh);
    const Json* const primitives = list_in(made, "primitives");
    if (!primitives) return;
    std::size_t targets = 0;
    for (std::size_t p = 0; p < primitives->size(); ++p) {
      cancel_.check();
      if (++parts_seen_ > most_parts) {
        throw FormatError(fmt::format("its nodes show more than {} parts of meshes", most_parts));
      }
      const std::size_t part = part_of(mesh, p, (*primitives)[p]);
      const std::size_t has = shapes_.parts[part].targets.size();
      if (p > 0 && has != targets) {
        throw FormatError(
            fmt::format("parts of mesh {} have {} and {} morph targets, but must have as many",
                        mesh, targets, has));
      }
      targets = has;
      keep(targets);
      const std::size_t skin = json.contains("skin") ? skin_of(index_in(json, "skin")) : no_skin;
      if (skin != no_skin) check_joints(shapes_.parts[part], shapes_.skins[skin]);
      shapes_.vertices += shapes_.parts[part].places.size();
      if (shapes_.vertices > most_clip_vertices) {
        throw FormatError(fmt::format("it has more than {} vertices", most_clip_vertices));
      }
      shapes_.placed.push_back({node, part, skin, rest_weights(json, made, targets)});
    }
    targets_[node] = targets;
  }

  static std::vector<double> rest_weights(const Json& node, const Json& mesh, std::size_t targets) {
    std::vector<double> weights(targets, 0);
    if (targets > 0 && !numbers_in(node, "weights", targets, weights.data())) {
      numbers_in(mesh, "weights", targets, weights.data());
    }
    return weights;
  }

  // What is kept of many accessors over one buffer may be far more than the file.
  void keep(std::size_t numbers) {
    kept_ += numbers;
    if (numbers > most_clip_vertices || kept_ > most_clip_vertices) {
      throw FormatError("its meshes have too many vertices, morph targets or joints");
    }
  }

  std::size_t part_of(std::size_t mesh, std::size_t number, const Json& json) {
    const auto [known, is_new] = part_number_.try_emplace({mesh, number}, shapes_.parts.size());
    if (!is_new) return known->second;
    const Json* const attributes = json.is_object() ? object_in(json, "attributes") : nullptr;
    const Json* const extensions = json.is_object() ? object_in(json, "extensions") : nullptr;
    if (extensions && extensions->contains("KHR_draco_mesh_compression")) {
      throw FormatError(
          "its meshes are compressed (KHR_draco_mesh_compression), which is not read");
    }
    GltfPart part;
    if (attributes && attributes->contains("POSITION")) {
      const std::size_t accessor = index_in(*attributes, "POSITION");
      keep(file_.accessor_count(accessor));
      part.places = vectors(file_.numbers(accessor, "VEC3"), "vertex");
      if (const Json* const targets = list_in(json, "targets")) add_targets(*targets, part);
      add_shares(*attributes, part);
    }
    shapes_.parts.push_back(std::move(part));
    return known->second;
  }

  void add_targets(const Json& targets, GltfPart& part) {
    for (const Json& target : targets) {
      cancel_.check();
      part.targets.emplace_back();
      if (!target.is_object() || !target.contains("POSITION")) continue;
      const std::size_t accessor = index_in(target, "POSITION");
      const std::size_t count = file_.accessor_count(accessor);
      if (count != part.places.size()) {
        throw FormatError(fmt::format("a morph target has {} vertices, but its mesh has {}", count,
                                      part.places.size()));
      }
      keep(count);
      part.targets.back() = vectors(file_.numbers(accessor, "VEC3"), "a morph target: vertex");
    }
  }

  // Sets of four joints and four shares.
  void add_shares(const Json& attributes, GltfPart& part) {
    const std::size_t count = part.places.size();
    std::vector<std::vector<double>> joints, shares;
    for (;; part.joints_each += 4) {
      const std::string which = fmt::format("JOINTS_{}", part.joints_each / 4);
      const std::string how_much = fmt::format("WEIGHTS_{}", part.joints_each / 4);
      if (!attributes.contains(which) || !attributes.contains(how_much)) break;
      keep(2 * count);
      joints.push_back(file_.numbers(index_in(attributes, which.c_str()), "VEC4"));
      shares.push_back(file_.numbers(index_in(attributes, how_much.c_str()), "VEC4"));
      if (joints.back().size() != 4 * count || shares.back().size() != 4 * count) {
        throw FormatError("a mesh has not as many weights as vertices");
      }
    }
    part.joints.reserve(part.joints_each * count);
    part.shares.reserve(part.joints_each * count);
    for (std::size_t v = 0; v < count; ++v) {
      double sum = 0;
      for (const std::vector<double>& set : shares) {
        for (std::size_t k = 0; k < 4; ++k) sum += set[4 * v + k];
      }
      if (!std::isfinite(sum)) {
        throw FormatError(fmt::format("the weights of vertex {} are not finite", v));
      }
      for (std::size_t s = 0; s < shares.size(); ++s) {
        for (std::size_t k = 0; k < 4; ++k) {
          const double joint = joints[s][4 * v + k], share = shares[s][4 * v + k];
          const bool counts = std::abs(sum) > 1e-6 && share != 0;
          if (counts && !(joint >= 0 && joint < 1e9)) {
            throw FormatError(fmt::format("vertex {} follows joint {}", v, joint));
          }
          part.joints.push_back(counts ? static_cast<uint32_t>(joint) : 0);
          part.shares.push_back(counts ? static_cast<float>(share / sum) : 0.0f);
        }
      }
    }
  }

  static void check_joints(const GltfPart& part, const GltfSkin& skin) {
    for (const uint32_t joint : part.joints) {
      if (joint < skin.joints.size()) continue;
      throw FormatError(fmt::format("a vertex follows joint {} of a skin that has {}", joint,
                                    skin.joints.size()));
    }
  }

  std::size_t skin_of(std::size_t index_in_file) {
    const auto [known, is_new] = skin_number_.try_emplace(index_in_file, shapes_.skins.size());
    if (!is_new) return known->second;
    const Json& json = file_.element("skins", index_in_file);
    const Json* const list = list_in(json, "joints");
    if (!list || list->empty()) throw FormatError("a skin has no joints");
    GltfSkin skin;
    for (const Json& joint : *list) skin.joints.push_back(nodes_.in_rig[index(joint)]);
    skin.inverse.assign(skin.joints.size(), Affine3d::Identity());
    keep(skin.joints.size());
    if (const std::size_t matrices = index_in(json, "inverseBindMatrices"); matrices != none) {
      const std::size_t count = file_.accessor_count(matrices);
      if (count < skin.joints.size()) {
        throw FormatError(
            fmt::format("a skin has {} joints, but {} matrices", skin.joints.size(), count));
      }
      const std::vector<double> numbers = file_.numbers(matrices, "MAT4");
      for (std::size_t j = 0; j < skin.joints.size(); ++j) {
        skin.inverse[j] = gltf_affine(&numbers[16 * j]);
        if (!skin.inverse[j].matrix().allFinite()) {
          throw FormatError(fmt::format("matrix {} of a skin is not finite", j));
        }
      }
    }
    shapes_.skins.push_back(std::move(skin));
    return known->second;
  }

  std::vector<GltfWeights> weights_of(const Json& animation) {
    std::vector<GltfWeights> curves;
    const Json* const channels = list_in(animation, "channels");
    const Json* const samplers = list_in(animation, "samplers");
    if (!channels || !samplers) return curves;  // the reader of nodes has said so
    for (const Json& channel : *channels) {
      const Json* const target = channel.is_object() ? object_in(channel, "target") : nullptr;
      if (!target || !target->contains("node") || text_in(*target, "path") != "weights") continue;
      const uint32_t node = nodes_.in_rig[index((*target)["node"])];
      const auto placed = targets_.find(node);
      if (placed == targets_.end() || placed->second == 0) continue;  // moves nothing that is shown
      const std::size_t sampler = index_in(channel, "sampler");
      if (sampler >= samplers->size() || !(*samplers)[sampler].is_object()) {
        throw FormatError(fmt::format("an animation refers to sampler {}, but has {}", sampler,
                                      samplers->size()));
      }
      curves.push_back(weight_curve((*samplers)[sampler], node, placed->second));
    }
    return curves;
  }

  GltfWeights weight_curve(const Json& sampler, uint32_t node, std::size_t targets) {
    const std::string way = text_in(sampler, "interpolation");
    GltfWeights curve;
    curve.node = node;
    curve.targets = targets;
    curve.way = way == "STEP"          ? RigWay::step
                : way == "CUBICSPLINE" ? RigWay::cubic
                                       : RigWay::linear;
    const std::size_t input = index_in(sampler, "input"), output = index_in(sampler, "output");
    const std::size_t keys = file_.accessor_count(input), values = file_.accessor_count(output);
    keep(keys);
    keep(values);
    const std::size_t each = (curve.way == RigWay::cubic ? 3 : 1) * targets;
    if (keys == 0 || values / each != keys || values % each != 0) {
      throw FormatError(fmt::format("an animation of {} morph targets has {} times and {} weights",
                                    targets, keys, values));
    }
    curve.times = file_.numbers(input, "SCALAR");
    curve.values = file_.numbers(output, "SCALAR");
    const auto finite = [](double x) { return std::isfinite(x); };
    if (!std::all_of(curve.times.begin(), curve.times.end(), finite) ||
        !std::all_of(curve.values.begin(), curve.values.end(), finite)) {
      throw FormatError("an animation of morph targets has a key that is not finite");
    }
    if (!std::is_sorted(curve.times.begin(), curve.times.end())) {
      throw FormatError("an animation of morph targets has a key earlier than the one before it");
    }
    return curve;
  }

  GltfFile& file_;
  const GltfNodes& nodes_;
  CancelView cancel_;
  GltfShapes shapes_;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> part_number_;  // by mesh and number
  std::map<std::size_t, std::size_t> skin_number_;
  std::map<uint32_t, std::size_t> targets_;  // how many, of nodes of the rig
  std::size_t kept_ = 0, parts_seen_ = 0;
};

}  // namespace

void GltfWeights::at(double seconds, std::vector<double>& out) const {
  const bool is_cubic = way == RigWay::cubic;
  // Part 0 of a cubic key is the slope before it, part 1 its value, part 2 the slope after it.
  const auto key = [&](std::size_t k, std::size_t part) {
    return values.data() + targets * (is_cubic ? 3 * k + part : k);
  };
  out.resize(targets);
  const auto after = std::upper_bound(times.begin(), times.end(), seconds) - times.begin();
  const std::size_t a = after == 0 ? 0 : static_cast<std::size_t>(after) - 1;
  const bool stays =
      after == 0 || a + 1 == times.size() || way == RigWay::step || times[a + 1] == times[a];
  if (stays) {
    std::copy_n(key(a, 1), targets, out.begin());
    return;
  }
  const double span = times[a + 1] - times[a], u = (seconds - times[a]) / span;
  const double u2 = u * u, u3 = u2 * u;
  for (std::size_t k = 0; k < targets; ++k) {
    const double from = key(a, 1)[k], to = key(a + 1, 1)[k];
    // glTF 2.0, appendix C.
    out[k] = is_cubic ? (2 * u3 - 3 * u2 + 1) * from + span * (u3 - 2 * u2 + u) * key(a, 2)[k] +
                            (3 * u2 - 2 * u3) * to + span * (u3 - u2) * key(a + 1, 0)[k]
                      : from + u * (to - from);
  }
}

GltfShapes read_gltf_shapes(GltfFile& file, const GltfNodes& nodes, CancelView cancel) {
  return Reader(file, nodes, cancel).read();
}

}  // namespace sinew
