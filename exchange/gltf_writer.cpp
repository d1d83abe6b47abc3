// glTF 2.0: a mesh for each body; how it moves and turns as a whole is the motion of its node, how
// it deforms is morph targets. With a skeleton, joints carry what they can, and targets the rest.
#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>
#include <sstream>

#include "exchange/formats.h"
#include "exchange/gltf_buffer.h"
#include "exchange/gltf_vertices.h"
#include "exchange/morph.h"
#include "exchange/rig_motion.h"
#include "graph/atomic_file.h"
#include "nodes/kernels/rigid_fit.h"
#include "render/colour_maps.h"

namespace sinew::exchange {
namespace {

constexpr int scalar = TINYGLTF_TYPE_SCALAR, vec2 = TINYGLTF_TYPE_VEC2, vec3 = TINYGLTF_TYPE_VEC3,
              vec4 = TINYGLTF_TYPE_VEC4;
constexpr int floats = TINYGLTF_COMPONENT_TYPE_FLOAT;
constexpr int vertices = TINYGLTF_TARGET_ARRAY_BUFFER;
// A skeleton carries a body if it takes away so much of how it deforms: of the sum of the squares
// of how far its vertices are from where the body as a whole, moved and turned, has them.
constexpr double least_carried = 0.5;
// All frames of a body are in memory at once.
constexpr std::size_t most_bytes = std::size_t{8} << 30;

struct BodyFrames {
  Body first;
  std::vector<std::vector<Vec3f>> places;  // by frame
};

// How a body moves as a whole.
struct RigidTrack {
  std::vector<Vec3f> shifts;
  std::vector<Eigen::Vector4f> turns;  // x, y, z, w
};

double mean_square(const std::vector<std::vector<Vec3f>>& offsets) {
  double sum = 0;
  for (const std::vector<Vec3f>& frame : offsets)
    for (const Vec3f& d : frame) sum += static_cast<double>(d.squaredNorm());
  return sum;
}

// Takes the motion as a whole away: places become offsets from the first frame.
RigidTrack take_rigid(std::vector<std::vector<Vec3f>>& places) {
  RigidTrack track;
  std::vector<Vec3d> first, now;
  for (const Vec3f& p : places[0]) first.push_back(p.cast<double>());
  Eigen::Quaterniond last = Eigen::Quaterniond::Identity();
  for (std::vector<Vec3f>& frame : places) {
    now.clear();
    for (const Vec3f& p : frame) now.push_back(p.cast<double>());
    const kernels::RigidFit fit = kernels::fit_rigid(first, now, {});
    Eigen::Quaterniond turn(fit.turn);
    if (turn.dot(last) < 0) turn.coeffs() *= -1;
    last = turn;
    // As the file has it, rounded to floats: what is lost so goes into the offsets.
    const Eigen::Vector4f coeffs = turn.coeffs().cast<float>();
    const Eigen::Quaterniond kept(Eigen::Vector4d(coeffs.cast<double>()).normalized());
    const Vec3f shift = (fit.to - kept * fit.from).cast<float>();
    track.turns.push_back(coeffs.normalized());
    track.shifts.push_back(shift);
    for (std::size_t v = 0; v < frame.size(); ++v)
      frame[v] = (kept.conjugate() * (now[v] - shift.cast<double>()) - first[v]).cast<float>();
  }
  return track;
}

class Document {
 public:
  Document(const WriterOptions& options, const std::vector<float>& times)
      : options_(options), buffer_(model_), times_(times) {
    model_.asset.version = "2.0";
    model_.asset.generator = "Sinew";
    model_.scenes.emplace_back();
    model_.scenes[0].name = options.title.empty() ? "Sinew" : options.title;
    model_.defaultScene = 0;
  }

  void add(BodyFrames& body, const Rig* rig,
           const std::vector<std::vector<JointFrame>>& joint_frames,
           const std::function<bool()>& stopped) {
    Eigen::AlignedBox3f box;
    for (const Vec3f& p : body.places[0]) box.extend(p);
    const double size = static_cast<double>(box.diagonal().norm());
    std::optional<Bound> bound;
    std::string why_loose;
    std::vector<std::vector<Vec3f>> loose = body.places;
    RigidTrack track = take_rigid(loose);
    std::vector<Vec3f> rest = body.places[0];
    if (rig) {
      std::vector<std::vector<Vec3f>> held = body.places;
      bound = bind_to(rig->joints, joint_frames, held);
      const double all = mean_square(loose), left = mean_square(held);
      // A body that the skeleton does not carry is not bound to it.
      if (left < (1 - least_carried) * all) {
        loose = std::move(held);
        rest = bound->rest;
      } else {
        bound.reset();
        if (all > 0)
          why_loose = fmt::format(
              "; not bound to the skeleton '{}': its joints carry {:.0f} % of how the body "
              "deforms, "
              "and at least {:.0f} % is asked for",
              rig->name, 100 * std::max(0.0, 1 - left / all), 100 * least_carried);
      }
    }
    std::vector<std::vector<Vec3f>>().swap(body.places);
    const MorphTargets morph =
        find_targets(std::move(loose), options_.error * size,
                     static_cast<std::size_t>(options_.most_targets), stopped);
    const int mesh = add_mesh(body.first, rest, morph, bound ? &*bound : nullptr);
    const int node = add_node(body.first.name);
    model_.nodes[static_cast<std::size_t>(node)].mesh = mesh;
    model_.scenes[0].nodes.push_back(node);
    if (bound) {
      model_.nodes[static_cast<std::size_t>(node)].skin = skin();
    } else {
      add_track(node, track);
    }
    add_weights(node, morph);
    notes.push_back(fmt::format(
        "{}: {} morph target{}{}, every vertex within {:.2g} m{}{}", body.first.name,
        morph.targets.size(), morph.targets.size() == 1 ? "" : "s", bound ? " on a skeleton" : "",
        morph.error, morph.error > options_.error * size ? " (more targets would come nearer)" : "",
        why_loose));
  }

  // The joints, and what they do. To be called before bodies are bound to them.
  void add(const Rig& rig, const std::vector<std::vector<JointFrame>>& frames) {
    skin_.name = rig.name;
    const int root = add_node(rig.name);
    model_.scenes[0].nodes.push_back(root);
    const int first = static_cast<int>(model_.nodes.size());
    for (std::size_t j = 0; j < rig.joints.size(); ++j) {
      const Joint& joint = rig.joints[j];
      const int node = add_node(joint.name);
      model_.nodes[static_cast<std::size_t>(joint.parent < 0 ? root : first + joint.parent)]
          .children.push_back(node);
      skin_.joints.push_back(node);
      Eigen::Matrix4f matrix = Eigen::Matrix4f::Identity();
      matrix.topRightCorner<3, 1>() = -joint.rest.cast<float>();
      inverse_.push_back(matrix);
      add_track(node, joint_track(rig, frames, j));
    }
  }

  Result<std::string> bytes(bool binary) {
    std::ostringstream out(std::ios::binary);
    tinygltf::TinyGLTF writer;
    if (!writer.WriteGltfSceneToStream(&model_, out, !binary, binary))
      return Error{"the file could not be put together"};
    return std::move(out).str();
  }

  std::vector<std::string> notes;

 private:
  // A skin that nothing hangs on is not a skin: it is written with the first body that does.
  int skin() {
    if (model_.skins.empty()) {
      skin_.inverseBindMatrices =
          buffer_.add(std::span<const Eigen::Matrix4f>(inverse_), TINYGLTF_TYPE_MAT4, floats);
      model_.skins.push_back(skin_);
    }
    return 0;
  }

  int add_node(const std::string& name) {
    model_.nodes.emplace_back();
    model_.nodes.back().name = name;
    return static_cast<int>(model_.nodes.size()) - 1;
  }

  static RigidTrack joint_track(const Rig& rig, const std::vector<std::vector<JointFrame>>& frames,
                                std::size_t j) {
    RigidTrack track;
    Eigen::Quaterniond last = Eigen::Quaterniond::Identity();
    for (const std::vector<JointFrame>& at : frames) {
      const int parent = rig.joints[j].parent;
      JointFrame above;
      if (parent >= 0) above = at[static_cast<std::size_t>(parent)];
      Eigen::Quaterniond turn = above.turn.conjugate() * at[j].turn;
      if (turn.dot(last) < 0) turn.coeffs() *= -1;
      last = turn;
      track.turns.push_back(turn.normalized().coeffs().cast<float>());
      track.shifts.push_back((above.turn.conjugate() * (at[j].place - above.place)).cast<float>());
    }
    return track;
  }

  int add_material(const Body& body) {
    tinygltf::Material material;
    material.name = body.name;
    material.doubleSided = true;
    material.pbrMetallicRoughness.metallicFactor = 0;
    material.pbrMetallicRoughness.roughnessFactor = 0.75;
    if (!body.values) {
      const auto c = [&](int k) { return static_cast<double>(render::linear_of(body.colour[k])); };
      material.pbrMetallicRoughness.baseColorFactor = {c(0), c(1), c(2), 1};
    }
    model_.materials.push_back(std::move(material));
    return static_cast<int>(model_.materials.size()) - 1;
  }

  int add_mesh(const Body& body, const std::vector<Vec3f>& rest, const MorphTargets& morph,
               const Bound* bound) {
    GltfVertices split(body.mesh);
    tinygltf::Primitive primitive;
    primitive.mode = TINYGLTF_MODE_TRIANGLES;
    primitive.material = add_material(body);
    const std::vector<Vec3f> places = split.spread(rest), normals = split.normals(rest);
    primitive.attributes["POSITION"] = buffer_.add_bounded(std::span(places), vec3, vertices);
    primitive.attributes["NORMAL"] = buffer_.add(std::span(normals), vec3, floats, vertices);
    if (!split.uvs().empty())
      primitive.attributes["TEXCOORD_0"] = buffer_.add(split.uvs(), vec2, floats, vertices);
    primitive.indices = buffer_.add(split.triangles(), scalar, TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT,
                                    TINYGLTF_TARGET_ELEMENT_ARRAY_BUFFER);
    if (body.values) add_values(body, split, primitive);
    if (bound) {
      const auto joints = split.spread(bound->binding.joints);
      const auto parts = split.spread(bound->binding.parts);
      primitive.attributes["JOINTS_0"] =
          buffer_.add(std::span(joints), vec4, TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT, vertices);
      primitive.attributes["WEIGHTS_0"] = buffer_.add(std::span(parts), vec4, floats, vertices);
    }
    const std::vector<std::vector<Vec3f>> bent = bent_normals(split, rest, normals, morph);
    tinygltf::Mesh mesh;
    mesh.name = body.name;
    tinygltf::Value::Array names;
    for (std::size_t k = 0; k < morph.targets.size(); ++k) {
      const std::vector<Vec3f> moves = split.spread(morph.targets[k]);
      primitive.targets.push_back(
          {{"POSITION", buffer_.add_bounded(std::span(moves), vec3, vertices)},
           {"NORMAL", buffer_.add(std::span(bent[k]), vec3, floats, vertices)}});
      names.emplace_back(fmt::format("shape {}", k + 1));
      mesh.weights.push_back(morph.weights[0][k]);
    }
    if (!names.empty()) mesh.extras = tinygltf::Value({{"targetNames", tinygltf::Value(names)}});
    mesh.primitives.push_back(std::move(primitive));
    model_.meshes.push_back(std::move(mesh));
    return static_cast<int>(model_.meshes.size()) - 1;
  }

  // What each target does to the normals: with W the weights of all frames, the least squares
  // (W^T W) n = W^T (normals of the frames - those of the base).
  static std::vector<std::vector<Vec3f>> bent_normals(GltfVertices& split,
                                                      const std::vector<Vec3f>& rest,
                                                      const std::vector<Vec3f>& normals,
                                                      const MorphTargets& morph) {
    const auto count = static_cast<Eigen::Index>(morph.targets.size());
    const auto width = static_cast<Eigen::Index>(3 * normals.size());
    if (count == 0) return {};
    Eigen::MatrixXf squares = Eigen::MatrixXf::Zero(count, count);
    Eigen::MatrixXf sums = Eigen::MatrixXf::Zero(width, count);
    for (const std::vector<float>& weights : morph.weights) {
      const Eigen::Map<const Eigen::VectorXf> w(weights.data(), count);
      std::vector<Vec3f> places = rest;
      for (std::size_t k = 0; k < morph.targets.size(); ++k) {
        if (weights[k] == 0) continue;
        for (std::size_t v = 0; v < places.size(); ++v)
          places[v] += weights[k] * morph.targets[k][v];
      }
      std::vector<Vec3f> now = split.normals(places);
      for (std::size_t v = 0; v < now.size(); ++v) now[v] -= normals[v];
      const Eigen::Map<const Eigen::VectorXf> change(now[0].data(), width);
      squares.noalias() += w * w.transpose();
      for (Eigen::Index k = 0; k < count; ++k)
        if (w[k] != 0) sums.col(k) += w[k] * change;
    }
    squares.diagonal().array() += 1e-5f;
    const Eigen::MatrixXf solved =
        sums * squares.llt().solve(Eigen::MatrixXf::Identity(count, count));
    std::vector<std::vector<Vec3f>> bent(morph.targets.size(), std::vector<Vec3f>(normals.size()));
    for (Eigen::Index k = 0; k < count; ++k)
      for (std::size_t v = 0; v < normals.size(); ++v)
        bent[static_cast<std::size_t>(k)][v] =
            solved.col(k).segment<3>(static_cast<Eigen::Index>(3 * v));
    return bent;
  }

  void add_values(const Body& body, const GltfVertices& split, tinygltf::Primitive& primitive) {
    const Values values = values_at_vertices(body);
    const std::vector<float> numbers = split.spread(values.numbers);
    std::vector<Eigen::Vector4f> colours;
    for (const Eigen::Vector3f& c : split.spread(values.colours))
      colours.emplace_back(render::linear_of(c[0]), render::linear_of(c[1]),
                           render::linear_of(c[2]), 1.0f);
    primitive.attributes["COLOR_0"] =
        buffer_.add(std::span<const Eigen::Vector4f>(colours), vec4, floats, vertices);
    std::string name = "_" + values.name;
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    primitive.attributes[name] =
        buffer_.add(std::span<const float>(numbers), scalar, floats, vertices);
  }

  // What does not move has no animation, and no times.
  void add_channel(int node, const char* path, int output) {
    if (model_.animations.empty()) {
      model_.animations.emplace_back();
      model_.animations[0].name = "motion";
      times_accessor_ = buffer_.add_bounded(std::span(times_), scalar);
    }
    tinygltf::Animation& animation = model_.animations[0];
    tinygltf::AnimationSampler sampler;
    sampler.input = times_accessor_;
    sampler.output = output;
    sampler.interpolation = "LINEAR";
    animation.samplers.push_back(std::move(sampler));
    tinygltf::AnimationChannel channel;
    channel.sampler = static_cast<int>(animation.samplers.size()) - 1;
    channel.target_node = node;
    channel.target_path = path;
    animation.channels.push_back(std::move(channel));
  }

  void add_track(int node, const RigidTrack& track) {
    tinygltf::Node& n = model_.nodes[static_cast<std::size_t>(node)];
    const Vec3f& shift = track.shifts[0];
    const Eigen::Vector4f& turn = track.turns[0];
    for (int k = 0; k < 3; ++k) n.translation.push_back(static_cast<double>(shift[k]));
    for (int k = 0; k < 4; ++k) n.rotation.push_back(static_cast<double>(turn[k]));
    const auto differs = [](const auto& list) {
      return std::any_of(list.begin(), list.end(), [&](const auto& x) { return x != list[0]; });
    };
    if (differs(track.shifts))
      add_channel(node, "translation", buffer_.add(std::span(track.shifts), vec3, floats));
    if (differs(track.turns))
      add_channel(node, "rotation", buffer_.add(std::span(track.turns), vec4, floats));
  }

  void add_weights(int node, const MorphTargets& morph) {
    if (times_.size() < 2 || morph.targets.empty()) return;
    std::vector<float> all;
    for (const std::vector<float>& w : morph.weights) all.insert(all.end(), w.begin(), w.end());
    add_channel(node, "weights", buffer_.add(std::span<const float>(all), scalar, floats));
  }

  WriterOptions options_;
  tinygltf::Model model_;
  GltfBuffer buffer_;
  const std::vector<float>& times_;
  int times_accessor_ = -1;
  tinygltf::Skin skin_;
  std::vector<Eigen::Matrix4f> inverse_;  // where its joints are at rest
};

class GltfWriter : public Writer {
 public:
  GltfWriter(const WriterOptions& options, bool binary) : options_(options), binary_(binary) {}

  Result<void> add(const Scene& scene) override {
    if (bodies_.empty()) {
      for (const Body& body : scene.bodies) bodies_.push_back({body, {}});
      rigs_ = scene.rigs;
      joints_.resize(rigs_.size());
    }
    std::size_t bytes = 0;
    if (scene.bodies.size() != bodies_.size())
      return Error{fmt::format("there are {} bodies, and there were {}", scene.bodies.size(),
                               bodies_.size())};
    for (std::size_t b = 0; b < bodies_.size(); ++b) {
      const std::string change = change_of_shape({&bodies_[b].first, 1}, {&scene.bodies[b], 1});
      if (!change.empty()) return Error{change};
      bodies_[b].places.push_back(scene.bodies[b].mesh.positions);
      bytes += 12 * scene.bodies[b].mesh.vertex_count() *
               static_cast<std::size_t>(options_.frame_count) * 4;
    }
    if (bytes > most_bytes)
      return Error{
          fmt::format("{} frames of so many vertices need more than {} GB of memory; take "
                      "fewer frames, or .usda or .pc2, which need next to none",
                      options_.frame_count, most_bytes >> 30)};
    for (std::size_t r = 0; r < rigs_.size(); ++r) {
      const bool same =
          r < scene.rigs.size() && scene.rigs[r].joints.size() == rigs_[r].joints.size();
      if (!same) return Error{fmt::format("the skeleton '{}' is another one", rigs_[r].name)};
      joints_[r].push_back(frames_of(rigs_[r].joints, scene.rigs[r].places));
    }
    times_.push_back(static_cast<float>(scene.seconds - first_seconds(scene)));
    return {};
  }

  Result<Report> finish(const std::function<bool()>& stopped) override {
    Document document(options_, times_);
    for (std::size_t r = 0; r < rigs_.size(); ++r) document.add(rigs_[r], joints_[r]);
    const bool has_rig = rigs_.size() == 1 && !rigs_[0].joints.empty();
    static const std::vector<std::vector<JointFrame>> none;
    for (BodyFrames& body : bodies_) {
      document.add(body, has_rig ? &rigs_[0] : nullptr, has_rig ? joints_[0] : none, stopped);
      if (stopped()) return Error{"stopped"};
    }
    if (rigs_.size() > 1)
      document.notes.push_back(
          fmt::format("the {} skeletons leave as joints alone: bodies are bound to one only where "
                      "there is one; name it with --skeleton",
                      rigs_.size()));
    const Result<std::string> bytes = document.bytes(binary_);
    if (!bytes) return Error{bytes.error()};
    if (const Result<void> ok = write_file_atomically(options_.file, *bytes); !ok)
      return Error{fmt::format("'{}' {}", options_.file.string(), ok.error())};
    return Report{{options_.file}, document.notes};
  }

 private:
  // A clip begins at 0, whatever the first frame is.
  double first_seconds(const Scene& scene) {
    if (times_.empty()) begin_ = scene.seconds;
    return begin_;
  }

  WriterOptions options_;
  bool binary_;
  std::vector<BodyFrames> bodies_;
  std::vector<Rig> rigs_;
  std::vector<std::vector<std::vector<JointFrame>>> joints_;  // by rig, frame and joint
  std::vector<float> times_;
  double begin_ = 0;
};

}  // namespace

Result<std::unique_ptr<Writer>> open_gltf(const WriterOptions& options, bool binary) {
  return std::unique_ptr<Writer>(std::make_unique<GltfWriter>(options, binary));
}

}  // namespace sinew::exchange
