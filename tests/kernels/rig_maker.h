// Files with skeletons, made by tests: a strip of quads along y, from 0 to 3, that hangs on joints
// at 0, 1 and 2.
#pragma once

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>
#include <vector>

#include "nodes/geometry/types.h"

namespace sinew::test {

using Json = nlohmann::json;

inline std::string base64(const std::string& bytes) {
  const char* const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t bits = 0;
    const std::size_t have = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t k = 0; k < 3; ++k) {
      bits = bits << 8 | (k < have ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k)
      text += k <= have ? letters[bits >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

// A glTF whose JSON can be spoilt before it is written.
struct Gltf {
  Json json = {{"asset", {{"version", "2.0"}}}};
  std::string bytes;

  // Adds an accessor over numbers of type Number and returns its index.
  template <class Number>
  int add(const char* type, int parts, const std::vector<Number>& numbers) {
    const int kind = std::is_same_v<Number, float> ? 5126 : sizeof(Number) == 1 ? 5121 : 5123;
    while (bytes.size() % 4) bytes += '\0';
    json["bufferViews"].push_back({{"buffer", 0},
                                   {"byteOffset", bytes.size()},
                                   {"byteLength", sizeof(Number) * numbers.size()}});
    bytes.append(reinterpret_cast<const char*>(numbers.data()), sizeof(Number) * numbers.size());
    Json accessor = {{"bufferView", json["bufferViews"].size() - 1},
                     {"componentType", kind},
                     {"count", numbers.size() / static_cast<std::size_t>(parts)},
                     {"type", type}};
    json["accessors"].push_back(accessor);
    return static_cast<int>(json["accessors"].size()) - 1;
  }

  // A channel of animation `clip`, which is made if it is not there.
  void animate(std::size_t clip, int node, const char* path, const std::vector<float>& times,
               const std::vector<float>& values, const char* way = "LINEAR") {
    Json& animation = json["animations"][clip];
    const bool turns = std::string(path) == "rotation", blends = std::string(path) == "weights";
    const int input = add("SCALAR", 1, times);
    const int output = blends  ? add("SCALAR", 1, values)
                       : turns ? add("VEC4", 4, values)
                               : add("VEC3", 3, values);
    animation["samplers"].push_back({{"input", input}, {"output", output}, {"interpolation", way}});
    animation["channels"].push_back({{"sampler", animation["samplers"].size() - 1},
                                     {"target", {{"node", node}, {"path", path}}}});
  }

  std::string text() const {
    Json whole = json;
    if (!whole.contains("buffers")) {
      whole["buffers"] = {{{"byteLength", bytes.size()},
                           {"uri", "data:application/octet-stream;base64," + base64(bytes)}}};
    }
    return whole.dump();
  }

  std::string glb() const {
    Json whole = json;
    whole["buffers"] = {{{"byteLength", bytes.size()}}};
    std::string first = whole.dump(), second = bytes;
    while (first.size() % 4) first += ' ';
    while (second.size() % 4) second += '\0';
    const auto word = [](std::size_t n) {
      const auto value = static_cast<uint32_t>(n);
      return std::string(reinterpret_cast<const char*>(&value), sizeof value);
    };
    return "glTF" + word(2) + word(28 + first.size() + second.size()) + word(first.size()) +
           "JSON" + first + word(second.size()) + std::string("BIN\0", 4) + second;
  }
};

// Nodes of the strip.
enum StripNode { strip_node, armature_node, root_node, middle_node, tip_node };

// A turn about an axis as a glTF writes it.
inline std::vector<float> turn(const Vec3d& axis, double degrees) {
  const double half = degrees * std::numbers::pi / 360;
  const Vec3d v = std::sin(half) * axis.normalized();
  return {static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z()),
          static_cast<float>(std::cos(half))};
}

inline std::vector<float> joined(const std::vector<std::vector<float>>& lists) {
  std::vector<float> all;
  for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

inline void set_matrix(std::vector<float>& list, const Eigen::Affine3d& frame) {
  for (int i = 0; i < 16; ++i) list.push_back(static_cast<float>(frame.matrix()(i % 4, i / 4)));
}

// The strip, standing and bound in a frame `bound`. The mesh is not below the armature, and that is
// where the world is.
inline Gltf strip(const Eigen::Affine3d& bound = Eigen::Affine3d::Identity()) {
  Gltf file;
  std::vector<float> places, weights, inverse;
  std::vector<uint8_t> joints;
  std::vector<uint16_t> corners;
  for (int row = 0; row <= 12; ++row) {
    for (const double x : {-0.1, 0.1}) {
      const Vec3d p = bound * Vec3d(x, row / 4.0, 0);
      for (int k = 0; k < 3; ++k) places.push_back(static_cast<float>(p[k]));
      joints.insert(joints.end(), {static_cast<uint8_t>(std::min(2, row / 4)), 0, 0, 0});
      weights.insert(weights.end(), {1, 0, 0, 0});
    }
    if (row == 12) continue;
    const auto at = static_cast<uint16_t>(2 * row);
    for (const int k : {0, 1, 3, 0, 3, 2}) corners.push_back(static_cast<uint16_t>(at + k));
  }
  for (int j = 0; j < 3; ++j) {
    set_matrix(inverse, (bound * Eigen::Translation3d(0, j, 0)).inverse());
  }
  Json attributes;
  attributes["POSITION"] = file.add("VEC3", 3, places);
  attributes["JOINTS_0"] = file.add("VEC4", 4, joints);
  attributes["WEIGHTS_0"] = file.add("VEC4", 4, weights);
  const int indices = file.add("SCALAR", 1, corners);
  file.json["meshes"] = {{{"primitives", {{{"attributes", attributes}, {"indices", indices}}}}}};
  file.json["skins"] = {{{"joints", {root_node, middle_node, tip_node}},
                         {"inverseBindMatrices", file.add("MAT4", 16, inverse)}}};
  file.json["nodes"] = {{{"name", "strip"}, {"mesh", 0}, {"skin", 0}},
                        {{"name", "armature"}, {"children", {root_node}}},
                        {{"name", "root"}, {"children", {middle_node}}},
                        {{"name", "middle"}, {"children", {tip_node}}, {"translation", {0, 1, 0}}},
                        {{"name", "tip"}, {"translation", {0, 1, 0}}}};
  file.json["scenes"] = {{{"nodes", {strip_node, armature_node}}}};
  file.json["scene"] = 0;
  return file;
}

// The same, with a clip in which the middle joint turns by a right angle about z in `seconds`.
inline Gltf bending_strip(float seconds = 1) {
  Gltf file = strip();
  file.animate(0, middle_node, "rotation", {0, seconds},
               joined({turn({0, 0, 1}, 0), turn({0, 0, 1}, 90)}));
  file.json["animations"][0]["name"] = "bend";
  return file;
}

}  // namespace sinew::test
