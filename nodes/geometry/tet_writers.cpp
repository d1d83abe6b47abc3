#include "nodes/geometry/tet_writers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <iterator>

namespace sinew {

static_assert(std::endian::native == std::endian::little, "the writers copy memory as it is");

namespace {

// Binary numbers, the least byte first or the greatest.
class Bytes {
 public:
  explicit Bytes(std::string& out, bool big_endian = false) : out_(out), swap_(big_endian) {}

  template <class T>
  void put(T value) {
    std::array<char, sizeof(T)> raw = std::bit_cast<std::array<char, sizeof(T)>>(value);
    if (swap_) std::reverse(raw.begin(), raw.end());
    out_.append(raw.data(), raw.size());
  }

 private:
  std::string& out_;
  bool swap_;
};

template <class... Args>
void print(std::string& out, fmt::format_string<Args...> format, Args&&... args) {
  fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
}

void print_point(std::string& out, const Vec3f& p) {
  // The shortest decimals that read back as the same floats.
  print(out, "{} {} {}\n", p.x(), p.y(), p.z());
}

void msh_2_text(const TetMesh& solid, std::string& out) {
  print(out, "$Nodes\n{}\n", solid.vertex_count());
  for (std::size_t i = 0; i < solid.vertex_count(); ++i) {
    print(out, "{} ", i + 1);
    print_point(out, solid.positions[i]);
  }
  print(out, "$EndNodes\n$Elements\n{}\n", solid.tet_count());
  for (std::size_t t = 0; t < solid.tet_count(); ++t) {
    const Tetrahedron& c = solid.tets()[t];
    print(out, "{} 4 2 0 1 {} {} {} {}\n", t + 1, c[0] + 1, c[1] + 1, c[2] + 1, c[3] + 1);
  }
}

void msh_2_binary(const TetMesh& solid, std::string& out) {
  Bytes bytes(out);
  print(out, "$Nodes\n{}\n", solid.vertex_count());
  for (std::size_t i = 0; i < solid.vertex_count(); ++i) {
    bytes.put(static_cast<int32_t>(i + 1));
    for (const float x : solid.positions[i]) bytes.put(static_cast<double>(x));
  }
  print(out, "\n$EndNodes\n$Elements\n{}\n", solid.tet_count());
  if (solid.tet_count() > 0) {
    for (const int32_t head : {4, static_cast<int32_t>(solid.tet_count()), 2}) bytes.put(head);
  }
  for (std::size_t t = 0; t < solid.tet_count(); ++t) {
    for (const int32_t head : {static_cast<int32_t>(t + 1), 0, 1}) bytes.put(head);
    for (const uint32_t v : solid.tets()[t]) bytes.put(static_cast<int32_t>(v + 1));
  }
  out += '\n';
}

void msh_4_text(const TetMesh& solid, std::string& out) {
  const std::size_t n = solid.vertex_count(), tets = solid.tet_count();
  print(out, "$Nodes\n1 {} 1 {}\n3 1 0 {}\n", n, n, n);
  for (std::size_t i = 0; i < n; ++i) print(out, "{}\n", i + 1);
  for (const Vec3f& p : solid.positions) print_point(out, p);
  print(out, "$EndNodes\n$Elements\n1 {} 1 {}\n3 1 4 {}\n", tets, tets, tets);
  for (std::size_t t = 0; t < tets; ++t) {
    const Tetrahedron& c = solid.tets()[t];
    print(out, "{} {} {} {} {}\n", t + 1, c[0] + 1, c[1] + 1, c[2] + 1, c[3] + 1);
  }
}

void msh_4_binary(const TetMesh& solid, std::string& out) {
  Bytes bytes(out);
  const uint64_t n = solid.vertex_count(), tets = solid.tet_count();
  out += "$Nodes\n";
  for (const uint64_t head : {uint64_t{1}, n, uint64_t{1}, n}) bytes.put(head);
  for (const int32_t head : {3, 1, 0}) bytes.put(head);
  bytes.put(n);
  for (uint64_t i = 0; i < n; ++i) bytes.put(i + 1);
  for (const Vec3f& p : solid.positions) {
    for (const float x : p) bytes.put(static_cast<double>(x));
  }
  out += "\n$EndNodes\n$Elements\n";
  for (const uint64_t head : {uint64_t{1}, tets, uint64_t{1}, tets}) bytes.put(head);
  for (const int32_t head : {3, 1, 4}) bytes.put(head);
  bytes.put(tets);
  for (uint64_t t = 0; t < tets; ++t) {
    bytes.put(t + 1);
    for (const uint32_t v : solid.tets()[t]) bytes.put(uint64_t{v} + 1);
  }
  out += '\n';
}

}  // namespace

std::string encode_msh(const TetMesh& solid, MshVersion version, FileEncoding encoding) {
  const bool old = version == MshVersion::v2_2, binary = encoding == FileEncoding::binary;
  std::string out;
  print(out, "$MeshFormat\n{} {} 8\n", old ? "2.2" : "4.1", binary ? 1 : 0);
  if (binary) {
    Bytes(out).put(int32_t{1});
    out += '\n';
  }
  out += "$EndMeshFormat\n";
  if (old) {
    binary ? msh_2_binary(solid, out) : msh_2_text(solid, out);
  } else {
    binary ? msh_4_binary(solid, out) : msh_4_text(solid, out);
  }
  out += "$EndElements\n";
  return out;
}

std::string encode_vtk(const TetMesh& solid, FileEncoding encoding) {
  const bool binary = encoding == FileEncoding::binary;
  const std::size_t tets = solid.tet_count();
  std::string out = "# vtk DataFile Version 3.0\nSinew\n";
  out += binary ? "BINARY\n" : "ASCII\n";
  Bytes bytes(out, true);
  print(out, "DATASET UNSTRUCTURED_GRID\nPOINTS {} float\n", solid.vertex_count());
  for (const Vec3f& p : solid.positions) {
    if (!binary) {
      print_point(out, p);
      continue;
    }
    for (const float x : p) bytes.put(x);
  }
  if (binary) out += '\n';
  print(out, "CELLS {} {}\n", tets, 5 * tets);
  for (const Tetrahedron& t : solid.tets()) {
    if (!binary) {
      print(out, "4 {} {} {} {}\n", t[0], t[1], t[2], t[3]);
      continue;
    }
    bytes.put(int32_t{4});
    for (const uint32_t v : t) bytes.put(static_cast<int32_t>(v));
  }
  if (binary) out += '\n';
  print(out, "CELL_TYPES {}\n", tets);
  for (std::size_t t = 0; t < tets; ++t) {
    if (binary) {
      bytes.put(int32_t{10});
    } else {
      out += "10\n";
    }
  }
  if (binary) out += '\n';
  return out;
}

std::string encode_tetgen_node(const TetMesh& solid) {
  std::string out = fmt::format("{} 3 0 0\n", solid.vertex_count());
  for (std::size_t i = 0; i < solid.vertex_count(); ++i) {
    print(out, "{} ", i);
    print_point(out, solid.positions[i]);
  }
  return out;
}

std::string encode_tetgen_ele(const TetMesh& solid) {
  std::string out = fmt::format("{} 4 0\n", solid.tet_count());
  for (std::size_t t = 0; t < solid.tet_count(); ++t) {
    const Tetrahedron& c = solid.tets()[t];
    print(out, "{} {} {} {} {}\n", t, c[0], c[1], c[2], c[3]);
  }
  return out;
}

}  // namespace sinew
