#include "nodes/geometry/gltf_rig.h"

#include <fmt/format.h>

#include <algorithm>

#include "nodes/geometry/format_error.h"
#include "nodes/geometry/gltf_file.h"

namespace sinew {

namespace {

using Eigen::Affine3d;

// Many curves or skins may share one long accessor: what they say together must fit, too.
constexpr std::size_t most_keys = std::size_t{1} << 23, most_vertices = std::size_t{1} << 26;

class Reader {
 public:
  explicit Reader(GltfFile& file) : file_(file) {}

  Rig read(GltfNodes& nodes, CancelView cancel) {
    order_nodes();
    for (const std::size_t n : order_) rig_.nodes.push_back(node(n));
    const std::vector<Affine3d> frames = rest_frames(rig_);
    const std::vector<uint8_t> shown = nodes_in_scene();
    for (std::size_t n = 0; n < order_.size(); ++n) {
      const Json& json = file_.element("nodes", order_[n]);
      if (!shown[n] || !json.contains("skin") || !json.contains("mesh")) continue;
      cancel.check();
      add_skin(json, frames[n]);
    }
    for (std::size_t a = 0; a < file_.count("animations"); ++a) {
      cancel.check();
      add_motion(file_.element("animations", a));
    }
    nodes = {std::move(order_), std::move(number_), shown};
    return std::move(rig_);
  }

 private:
  // Parents first. That nodes form trees has been seen when the file was opened.
  void order_nodes() {
    const std::size_t count = file_.count("nodes");
    parent_.assign(count, none);
    for (std::size_t n = 0; n < count; ++n) {
      for (const std::size_t child : children(n)) parent_[child] = n;
    }
    number_.assign(count, no_node);
    for (std::size_t n = 0; n < count; ++n) {
      if (parent_[n] == none) order_.push_back(n);
    }
    for (std::size_t at = 0; at < order_.size(); ++at) {
      number_[order_[at]] = static_cast<uint32_t>(at);
      for (const std::size_t child : children(order_[at])) order_.push_back(child);
    }
  }

  std::vector<std::size_t> children(std::size_t n) const {
    std::vector<std::size_t> list;
    const Json* const json = list_in(file_.element("nodes", n), "children");
    if (!json) return list;
    for (const Json& child : *json) list.push_back(node_index(child));
    return list;
  }

  std::size_t node_index(const Json& json) const {
    const std::size_t count = file_.count("nodes");
    if (!json.is_number_unsigned() || json.get<std::size_t>() >= count) {
      throw FormatError(fmt::format("it refers to node {}, but has {}", json.dump(), count));
    }
    return json.get<std::size_t>();
  }

  RigNode node(std::size_t n) const {
    const Json& json = file_.element("nodes", n);
    RigNode made;
    made.name = text_in(json, "name");
    made.has_mesh = json.contains("mesh");
    if (parent_[n] != none) made.parent = number_[parent_[n]];
    double numbers[16];
    if (numbers_in(json, "matrix", 16, numbers)) {
      made.rest = gltf_affine(numbers);
      made.parts = RigParts::of(made.rest);
      return made;
    }
    if (numbers_in(json, "translation", 3, numbers)) {
      made.parts.translation = Vec3d(numbers[0], numbers[1], numbers[2]);
    }
    if (numbers_in(json, "rotation", 4, numbers)) {
      const Eigen::Quaterniond q(numbers[3], numbers[0], numbers[1], numbers[2]);
      if (q.norm() > 1e-12) made.parts.rotation = q.normalized();
    }
    if (numbers_in(json, "scale", 3, numbers)) {
      made.parts.scale = Vec3d(numbers[0], numbers[1], numbers[2]);
    }
    made.rest = made.parts.frame();
    return made;
  }

  // Whether meshes of the nodes are loaded: those below the roots of the scene.
  std::vector<uint8_t> nodes_in_scene() const {
    std::vector<uint8_t> shown(order_.size(), file_.count("scenes") == 0);
    if (file_.count("scenes") == 0) return shown;
    const Json& scene = file_.element("scenes", index_in(file_.json(), "scene", 0));
    if (const Json* const roots = list_in(scene, "nodes")) {
      for (const Json& root : *roots) shown[number_[node_index(root)]] = 1;
    }
    for (std::size_t n = 0; n < order_.size(); ++n) {
      const uint32_t parent = rig_.nodes[n].parent;
      if (parent != no_node && shown[parent]) shown[n] = 1;
    }
    return shown;
  }

  void add_skin(const Json& mesh_node, const Affine3d& mesh_frame) {
    const std::size_t index = index_in(mesh_node, "skin");
    const Json& skin = file_.element("skins", index);
    const Json* const list = list_in(skin, "joints");
    if (!list || list->empty()) throw FormatError("a skin has no joints");
    std::vector<uint32_t> joints;
    for (const Json& joint : *list) joints.push_back(number_[node_index(joint)]);
    const std::size_t matrices = index_in(skin, "inverseBindMatrices");
    std::vector<double> inverse;
    if (matrices != none) {
      if (file_.accessor_count(matrices) < joints.size()) {
        throw FormatError(fmt::format("a skin has {} joints, but {} matrices", joints.size(),
                                      file_.accessor_count(matrices)));
      }
      inverse = file_.numbers(matrices, "MAT4");
    }
    for (std::size_t j = 0; j < joints.size(); ++j) {
      // Without matrices the mesh stands in each joint's frame as it does in its own.
      const Affine3d bind = inverse.empty() ? Affine3d::Identity() : gltf_affine(&inverse[16 * j]);
      rig_.binds.push_back({joints[j], static_cast<uint32_t>(index), bind_frame(mesh_frame, bind)});
    }
    const Json& mesh = file_.element("meshes", index_in(mesh_node, "mesh"));
    if (const Json* const primitives = list_in(mesh, "primitives")) {
      for (const Json& primitive : *primitives) add_holds(primitive, joints, mesh_frame);
    }
  }

  // The vertices of a part of a mesh that follow one joint.
  void add_holds(const Json& primitive, const std::vector<uint32_t>& joints,
                 const Affine3d& mesh_frame) {
    const Json* const attributes = object_in(primitive, "attributes");
    const Json* const extensions = object_in(primitive, "extensions");
    if (!attributes || !attributes->contains("POSITION")) return;
    if (extensions && extensions->contains("KHR_draco_mesh_compression")) return;
    const std::size_t positions = index_in(*attributes, "POSITION");
    const std::size_t count = file_.accessor_count(positions);
    vertices_ += count;
    if (vertices_ > most_vertices) throw FormatError("its skins have too many vertices");
    const std::vector<double> places = file_.numbers(positions, "VEC3");
    for (int set = 0;; ++set) {
      const std::string which = fmt::format("JOINTS_{}", set);
      const std::string how_much = fmt::format("WEIGHTS_{}", set);
      if (!attributes->contains(which) || !attributes->contains(how_much)) return;
      const std::vector<double> numbers =
          file_.numbers(index_in(*attributes, which.c_str()), "VEC4");
      const std::vector<double> weights =
          file_.numbers(index_in(*attributes, how_much.c_str()), "VEC4");
      if (numbers.size() != 4 * count || weights.size() != 4 * count) {
        throw FormatError("a mesh has not as many weights as vertices");
      }
      for (std::size_t i = 0; i < 4 * count; ++i) {
        const bool there = numbers[i] >= 0 && numbers[i] < static_cast<double>(joints.size());
        if (weights[i] != 0 && !there) {
          throw FormatError(fmt::format("a vertex follows joint {} of a skin that has {}",
                                        numbers[i], joints.size()));
        }
        if (!(weights[i] > 0.5)) continue;
        const Vec3d place = mesh_frame * Eigen::Map<const Vec3d>(&places[i / 4 * 3]);
        rig_.holds.push_back({joints[static_cast<std::size_t>(numbers[i])], place.cast<float>(),
                              static_cast<float>(weights[i])});
      }
    }
  }

  void add_motion(const Json& json) {
    RigMotion motion{text_in(json, "name"), {}};
    const Json* const channels = list_in(json, "channels");
    const Json* const samplers = list_in(json, "samplers");
    if (!channels || !samplers) throw FormatError("an animation has no channels or no samplers");
    for (const Json& channel : *channels) {
      const Json* const target = channel.is_object() ? object_in(channel, "target") : nullptr;
      if (!target || !target->contains("node")) continue;  // of an extension
      const std::string path = text_in(*target, "path");
      RigCurve curve;
      if (path == "translation") {
        curve.part = RigPart::translation;
      } else if (path == "rotation") {
        curve.part = RigPart::rotation;
      } else if (path == "scale") {
        curve.part = RigPart::scale;
      } else {
        continue;  // weights of shapes move no joint
      }
      const std::size_t sampler = index_in(channel, "sampler");
      if (sampler >= samplers->size() || !(*samplers)[sampler].is_object()) {
        throw FormatError(fmt::format("an animation refers to sampler {}, but has {}", sampler,
                                      samplers->size()));
      }
      curve.node = number_[node_index((*target)["node"])];
      read_curve((*samplers)[sampler], curve);
      motion.curves.push_back(std::move(curve));
    }
    rig_.motions.push_back(std::move(motion));
  }

  void read_curve(const Json& sampler, RigCurve& curve) {
    const std::string way = text_in(sampler, "interpolation");
    curve.way = way == "STEP"          ? RigWay::step
                : way == "CUBICSPLINE" ? RigWay::cubic
                                       : RigWay::linear;
    const std::size_t input = index_in(sampler, "input"), output = index_in(sampler, "output");
    const std::size_t keys = file_.accessor_count(input);
    const std::size_t values = file_.accessor_count(output);
    keys_ += std::max(keys, values / 3);
    if (keys > most_keys || values > 3 * most_keys || keys_ > most_keys) {
      throw FormatError(fmt::format("its animations have more than {} keys", most_keys));
    }
    const bool turns = curve.part == RigPart::rotation;
    const std::size_t parts = turns ? 4 : 3;
    curve.times = file_.numbers(input, "SCALAR");
    const std::vector<double> numbers = file_.numbers(output, turns ? "VEC4" : "VEC3");
    curve.values.assign(numbers.size() / parts, Eigen::Vector4d::Zero());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      curve.values[i / parts][static_cast<Eigen::Index>(i % parts)] = numbers[i];
    }
  }

  GltfFile& file_;
  Rig rig_;
  std::vector<std::size_t> order_;   // of the file's nodes
  std::vector<std::size_t> parent_;  // in the numbers of the file
  std::vector<uint32_t> number_;     // of the file's nodes in that order
  std::size_t keys_ = 0, vertices_ = 0;
};

}  // namespace

Affine3d gltf_affine(const double* columns) {
  Affine3d frame = Affine3d::Identity();
  frame.matrix().topRows<3>() = Eigen::Map<const Eigen::Matrix4d>(columns).topRows<3>();
  return frame;
}

Rig read_gltf_rig(GltfFile& file, GltfNodes& nodes, CancelView cancel) {
  return Reader(file).read(nodes, cancel);
}

Rig read_gltf_rig(const std::filesystem::path& path, CancelView cancel) {
  GltfFile file(path, cancel);
  GltfNodes nodes;
  return read_gltf_rig(file, nodes, cancel);
}

}  // namespace sinew
