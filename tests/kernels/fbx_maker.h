// FBX files made by tests, as text or binary (version 7.4).
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "nodes/geometry/types.h"

namespace sinew::test {

// A node of the file: a name, properties, and nodes below it.
struct Fbx {
  using Property = std::variant<int32_t, int64_t, double, std::string, std::vector<double>,
                                std::vector<int64_t>, std::vector<int32_t>, std::vector<float>>;

  std::string name;
  std::vector<Property> properties;
  std::vector<Fbx> children;

  Fbx& add(Fbx child) {
    children.push_back(std::move(child));
    return children.back();
  }

  void write_text(std::ostream& out) const {
    out.precision(17);
    out << name << ":";
    bool first = true;
    for (const Property& property : properties) {
      out << (first ? " " : ", ");
      first = false;
      std::visit([&](const auto& value) { write_property(out, value); }, property);
    }
    if (!children.empty() || name == "Properties70") {
      out << " {\n";
      for (const Fbx& child : children) child.write_text(out);
      out << "}";
    }
    out << "\n";
  }

  void write_binary(std::string& out) const {
    const std::size_t start = out.size();
    std::string list;
    for (const Property& property : properties) {
      std::visit([&](const auto& value) { append_property(list, value); }, property);
    }
    append(out, uint32_t{0});  // the end, known later
    append(out, static_cast<uint32_t>(properties.size()));
    append(out, static_cast<uint32_t>(list.size()));
    out += static_cast<char>(name.size());
    out += name + list;
    for (const Fbx& child : children) child.write_binary(out);
    if (!children.empty()) out.append(13, '\0');
    const auto end = static_cast<uint32_t>(out.size());
    std::memcpy(out.data() + start, &end, sizeof end);
  }

 private:
  template <class T>
  static void append(std::string& out, const T& value) {
    out.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  static void write_property(std::ostream& out, const std::string& text) {
    // In text the kind of an object comes first, "Model::root"; in binary files it comes last.
    const std::size_t gap = text.find('\0');
    if (gap == std::string::npos) {
      out << '"' << text << '"';
    } else {
      out << '"' << text.substr(gap + 2) << "::" << text.substr(0, gap) << '"';
    }
  }
  template <class T>
  static void write_property(std::ostream& out, const T& value) {
    out << value;
  }
  template <class T>
  static void write_property(std::ostream& out, const std::vector<T>& values) {
    out << "*" << values.size() << " {\na: ";
    for (std::size_t i = 0; i < values.size(); ++i) out << (i ? "," : "") << values[i];
    out << "\n}";
  }
  static void append_property(std::string& out, int32_t value) { out += 'I', append(out, value); }
  static void append_property(std::string& out, int64_t value) { out += 'L', append(out, value); }
  static void append_property(std::string& out, double value) { out += 'D', append(out, value); }
  static void append_property(std::string& out, const std::string& text) {
    out += 'S', append(out, static_cast<uint32_t>(text.size()));
    out += text;
  }
  template <class T>
  static void append_property(std::string& out, const std::vector<T>& values) {
    out += std::is_same_v<T, double>    ? 'd'
           : std::is_same_v<T, float>   ? 'f'
           : std::is_same_v<T, int64_t> ? 'l'
                                        : 'i';
    append(out, static_cast<uint32_t>(values.size()));
    append(out, uint32_t{0});  // not packed
    append(out, static_cast<uint32_t>(sizeof(T) * values.size()));
    for (const T& value : values) append(out, value);
  }
};

inline Fbx::Property whole(int32_t n) { return n; }
inline Fbx::Property number(int64_t n) { return n; }
inline Fbx::Property object_name(const std::string& name, const std::string& kind) {
  return name + std::string("\0\1", 2) + kind;
}
inline Fbx vector_property(const std::string& name, const Vec3d& v) {
  const std::string type = name.starts_with("Lcl") ? name : "Vector3D";
  return {"P", {name, type, std::string(), std::string("A"), v.x(), v.y(), v.z()}, {}};
}

constexpr int64_t fbx_second = 46186158000;

// A file in the making.
struct FbxFile {
  Fbx objects{"Objects", {}, {}}, connections{"Connections", {}, {}};

  void connect(int64_t child, int64_t parent, const std::string& property = {}) {
    Fbx made{"C", {std::string(property.empty() ? "OO" : "OP"), child, parent}, {}};
    if (!property.empty()) made.properties.push_back(property);
    connections.add(made);
  }
  void add_model(int64_t id, const std::string& name, const std::string& kind,
                 const std::vector<std::pair<std::string, Vec3d>>& vectors, int64_t parent) {
    Fbx& model = objects.add({"Model", {id, object_name(name, "Model"), kind}, {}});
    model.add({"Version", {whole(232)}, {}});
    Fbx& list = model.add({"Properties70", {}, {}});
    // Pivots and turns before the rotation count only if a node says so.
    list.add({"P",
              {std::string("RotationActive"), std::string("bool"), std::string(), std::string(),
               whole(1)},
              {}});
    for (const auto& [property, v] : vectors) list.add(vector_property(property, v));
    connect(id, parent);
  }
  void add_bind(int64_t id, int64_t skin, int64_t joint, const std::vector<int32_t>& vertices,
                const Eigen::Affine3d& mesh, const Eigen::Affine3d& link) {
    const auto list = [](const Eigen::Affine3d& frame) {
      return std::vector<double>(frame.matrix().data(), frame.matrix().data() + 16);
    };
    Fbx& cluster =
        objects.add({"Deformer", {id, object_name("", "SubDeformer"), std::string("Cluster")}, {}});
    cluster.add({"Version", {whole(100)}, {}});
    cluster.add({"Indexes", {vertices}, {}});
    cluster.add({"Weights", {std::vector<double>(vertices.size(), 1.0)}, {}});
    cluster.add({"Transform", {list(link.inverse() * mesh)}, {}});
    cluster.add({"TransformLink", {list(link)}, {}});
    connect(id, skin);
    connect(joint, id);
  }
  // Curves over one property of a model: x, y, z at each time.
  void add_curves(int64_t id, int64_t layer, int64_t model, const std::string& property,
                  const std::vector<double>& times, const std::vector<Vec3d>& values) {
    objects.add({"AnimationCurveNode",
                 {id, object_name(property.substr(4, 1), "AnimCurveNode"), std::string()},
                 {{"Properties70", {}, {vector_property("d", values[0])}}}});
    connect(id, layer);
    connect(id, model, property);
    for (int k = 0; k < 3; ++k) {
      std::vector<int64_t> at;
      std::vector<float> numbers;
      for (std::size_t i = 0; i < times.size(); ++i) {
        at.push_back(std::llround(times[i] * static_cast<double>(fbx_second)));
        numbers.push_back(static_cast<float>(values[i][k]));
      }
      Fbx& curve = objects.add(
          {"AnimationCurve", {id + 1 + k, object_name("", "AnimCurve"), std::string()}, {}});
      curve.add({"KeyTime", {at}, {}});
      curve.add({"KeyValueFloat", {numbers}, {}});
      curve.add({"KeyAttrFlags", {std::vector<int32_t>{24836}}, {}});
      curve.add({"KeyAttrDataFloat", {std::vector<float>(4, 0.0f)}, {}});
      curve.add({"KeyAttrRefCount", {std::vector<int32_t>{static_cast<int32_t>(at.size())}}, {}});
      connect(id + 1 + k, id, std::string("d|") + "XYZ"[k]);
    }
  }
  void add_stack(int64_t id, const std::string& name, double seconds) {
    Fbx& stack =
        objects.add({"AnimationStack", {id, object_name(name, "AnimStack"), std::string()}, {}});
    Fbx& list = stack.add({"Properties70", {}, {}});
    for (const char* limit : {"LocalStop", "ReferenceStop"}) {
      list.add({"P",
                {std::string(limit), std::string("KTime"), std::string("Time"), std::string(),
                 number(std::llround(seconds * static_cast<double>(fbx_second)))},
                {}});
    }
    objects.add({"AnimationLayer",
                 {id + 1, object_name("", "AnimLayer"), std::string()},
                 {{"Properties70", {}, {vector_property("Color", {1, 1, 1})}}}});
    connect(id + 1, id);
  }

  std::vector<Fbx> parts() const {
    Fbx head{"FBXHeaderExtension", {}, {}};
    head.add({"FBXHeaderVersion", {whole(1003)}, {}});
    head.add({"FBXVersion", {whole(7400)}, {}});
    Fbx settings{"GlobalSettings", {}, {{"Version", {whole(1000)}, {}}}};
    Fbx& list = settings.add({"Properties70", {}, {}});
    list.add(
        {"P",
         {std::string("TimeMode"), std::string("enum"), std::string(), std::string(), whole(11)},
         {}});
    return {head, settings, objects, connections};
  }
  std::string text() const {
    std::ostringstream out;
    out << "; FBX 7.4.0 project file\n";
    for (const Fbx& part : parts()) part.write_text(out);
    return out.str();
  }
  std::string binary() const {
    std::string out("Kaydara FBX Binary  \0\x1a\0", 23);
    const uint32_t version = 7400;
    out.append(reinterpret_cast<const char*>(&version), sizeof version);
    for (const Fbx& part : parts()) part.write_binary(out);
    out.append(13, '\0');
    return out;
  }
};

enum FbxId : int64_t { fbx_strip = 10, fbx_root, fbx_middle, fbx_tip, fbx_geometry, fbx_skin };

// The strip of rig_maker.h, 3 long, on three joints, the middle one turned by 90 degrees about y
// before its own rotation. It stands at `place`, a frame without scale.
inline FbxFile fbx_strip_file(const Vec3d& place = {0, 0, 0}) {
  FbxFile file;
  std::vector<double> places;
  std::vector<int32_t> corners;
  std::vector<int32_t> held[3];
  for (int row = 0; row <= 12; ++row) {
    for (const double x : {-0.1, 0.1}) places.insert(places.end(), {x, row / 4.0, 0});
    for (const int k : {0, 1}) held[std::min(2, row / 4)].push_back(2 * row + k);
    if (row == 12) continue;
    const int32_t at = 2 * row;
    corners.insert(corners.end(), {at, at + 1, at + 3, ~(at + 2)});  // the last one ends the face
  }
  Fbx& geometry = file.objects.add(
      {"Geometry",
       {number(fbx_geometry), object_name("strip", "Geometry"), std::string("Mesh")},
       {}});
  geometry.add({"Vertices", {places}, {}});
  geometry.add({"PolygonVertexIndex", {corners}, {}});
  const Eigen::Affine3d mesh(Eigen::Translation3d{place});
  file.add_model(fbx_strip, "strip", "Mesh", {{"Lcl Translation", place}}, 0);
  file.connect(fbx_geometry, fbx_strip);
  file.add_model(fbx_root, "root", "LimbNode", {{"Lcl Translation", place}}, 0);
  file.add_model(fbx_middle, "middle", "LimbNode",
                 {{"Lcl Translation", {0, 1, 0}}, {"PreRotation", {0, 90, 0}}}, fbx_root);
  file.add_model(fbx_tip, "tip", "LimbNode", {{"Lcl Translation", {0, 1, 0}}}, fbx_middle);
  file.objects.add({"Deformer",
                    {number(fbx_skin), object_name("", "Deformer"), std::string("Skin")},
                    {{"Version", {whole(101)}, {}}}});
  file.connect(fbx_skin, fbx_geometry);
  const Eigen::AngleAxisd before(std::acos(0.0), Vec3d::UnitY());
  for (int j = 0; j < 3; ++j) {
    Eigen::Affine3d link = mesh * Eigen::Translation3d(0, j, 0);
    if (j > 0) link = link * before;
    file.add_bind(20 + j, fbx_skin, fbx_root + j, held[j], mesh, link);
  }
  return file;
}

}  // namespace sinew::test
