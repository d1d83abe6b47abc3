#include "nodes/geometry/ply_reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>

#include "nodes/geometry/format_error.h"
#include "tests/kernels/shapes.h"

namespace sinew {
namespace {

Mesh read(const std::string& bytes, LoadReport* report = nullptr) {
  LoadReport local;
  Mesh mesh = parse_ply(bytes, report ? *report : local);
  EXPECT_FALSE(validate(mesh)) << *validate(mesh);
  return mesh;
}

std::string problem(const std::string& bytes) {
  try {
    LoadReport report;
    parse_ply(bytes, report);
  } catch (const FormatError& error) {
    return error.what();
  }
  return "";
}

enum class Format { ascii, little, big };

const char* const type_names[] = {"char", "uchar", "short", "ushort",
                                  "int",  "uint",  "float", "double"};

// Writes one value of a PLY type.
void put(std::string& out, double value, int type, Format format) {
  if (format == Format::ascii) {
    out += type < 6 ? fmt::format("{} ", static_cast<int64_t>(value)) : fmt::format("{} ", value);
    return;
  }
  const auto raw = [&](auto typed) {
    auto bytes = std::bit_cast<std::array<char, sizeof(typed)>>(typed);
    if (format == Format::big) std::reverse(bytes.begin(), bytes.end());
    out.append(bytes.data(), bytes.size());
  };
  switch (type) {
    case 0:
      return raw(static_cast<int8_t>(value));
    case 1:
      return raw(static_cast<uint8_t>(value));
    case 2:
      return raw(static_cast<int16_t>(value));
    case 3:
      return raw(static_cast<uint16_t>(value));
    case 4:
      return raw(static_cast<int32_t>(value));
    case 5:
      return raw(static_cast<uint32_t>(value));
    case 6:
      return raw(static_cast<float>(value));
    default:
      return raw(value);
  }
}

struct Variant {
  Format format;
  int coordinate_type, count_type, index_type;
  bool extras, mixed, vertex_list, other_element;
};

// Small whole coordinates, so that every type can hold them.
std::string make_file(const Variant& v, std::vector<Vec3f>& positions,
                      std::vector<std::vector<uint32_t>>& faces) {
  std::mt19937 random(7);
  const int vertices = 40;
  std::string body;
  const auto extra = [&](int type) {
    put(body, static_cast<double>(random() % 100), type, v.format);
  };
  const auto line = [&] {
    if (v.format == Format::ascii) body += '\n';
  };
  if (v.other_element) {
    for (int i = 0; i < 3; ++i) {
      put(body, 2, 1, v.format);
      extra(2);
      extra(2);
      line();
    }
  }
  for (int i = 0; i < vertices; ++i) {
    const Vec3f p(i % 10, i / 10, (i * 7) % 5);
    positions.push_back(p);
    if (v.extras) extra(2);
    put(body, p[2], v.coordinate_type, v.format);
    if (v.extras) extra(7);
    put(body, p[0], v.coordinate_type, v.format);
    put(body, p[1], v.coordinate_type, v.format);
    if (v.vertex_list) {
      put(body, i % 3, 1, v.format);
      for (int k = 0; k < i % 3; ++k) extra(4);
    }
    line();
  }
  for (int f = 0; f < 30; ++f) {
    const int corners = v.mixed ? 3 + f % 3 : 3;
    std::vector<uint32_t> face;
    for (int k = 0; k < corners; ++k) face.push_back(static_cast<uint32_t>((f + 7 * k) % vertices));
    if (v.extras) extra(1);
    put(body, corners, v.count_type, v.format);
    for (const uint32_t c : face) put(body, c, v.index_type, v.format);
    if (v.extras) extra(6);
    line();
    faces.push_back(face);
  }
  const std::string coordinate = type_names[v.coordinate_type];
  std::string header = "ply\r\nformat ";
  header += v.format == Format::ascii    ? "ascii 1.0\n"
            : v.format == Format::little ? "binary_little_endian 1.0\n"
                                         : "binary_big_endian 1.0\n";
  header += "comment a test\nobj_info x\n";
  if (v.other_element) header += "element material 3\nproperty list uchar short what\n";
  header += fmt::format("element vertex {}\n", vertices);
  if (v.extras) header += "property short quality\n";
  header += "property " + coordinate + " z\n";
  if (v.extras) header += "property double time\n";
  header += "property " + coordinate + " x\nproperty " + coordinate + " y\n";
  if (v.vertex_list) header += "property list uchar int neighbours\n";
  header += "element face 30\n";
  if (v.extras) header += "property uchar flags\n";
  header += fmt::format("property list {} {} vertex_index\n", type_names[v.count_type],
                        type_names[v.index_type]);
  if (v.extras) header += "property float area\n";
  return header + "end_header\n" + body;
}

TEST(PlyReader, every_layout_gives_the_same_mesh) {
  for (const Format format : {Format::ascii, Format::little, Format::big}) {
    for (int coordinate = 0; coordinate < 8; ++coordinate) {
      for (const int index : {0, 1, 2, 3, 4, 5}) {
        for (int bits = 0; bits < 16; ++bits) {
          const Variant variant{format,          coordinate,      (coordinate + index) % 6,
                                index,           (bits & 1) != 0, (bits & 2) != 0,
                                (bits & 4) != 0, (bits & 8) != 0};
          std::vector<Vec3f> positions;
          std::vector<std::vector<uint32_t>> faces;
          LoadReport report;
          const Mesh mesh = read(make_file(variant, positions, faces), &report);
          ASSERT_EQ(mesh.positions, positions);
          ASSERT_EQ(report.polygons, faces.size());
          if (!variant.mixed) {
            ASSERT_EQ(mesh.triangle_count(), faces.size());
            for (std::size_t f = 0; f < faces.size(); ++f) {
              ASSERT_TRUE(
                  std::equal(faces[f].begin(), faces[f].end(), mesh.triangles()[f].begin()));
            }
          } else {
            ASSERT_EQ(mesh.polygon_count(), faces.size());
          }
        }
      }
    }
  }
}

TEST(PlyReader, threads_do_not_matter_on_a_big_mixed_file) {
  std::string body;
  const int side = 200;
  for (int i = 0; i < side * side; ++i) {
    for (const int c : {i % side, i / side, 0}) put(body, c, 6, Format::little);
  }
  int faces = 0;
  for (int j = 0; j + 1 < side; ++j) {
    for (int i = 0; i + 1 < side; ++i) {
      const int p = j * side + i;
      const bool quad = (i * 7 + j) % 3 == 0;
      for (const auto& face :
           quad ? std::vector<std::vector<int>>{{p, p + 1, p + side + 1, p + side}}
                : std::vector<std::vector<int>>{{p, p + 1, p + side + 1},
                                                {p, p + side + 1, p + side}}) {
        put(body, static_cast<double>(face.size()), 1, Format::little);
        for (const int c : face) put(body, c, 4, Format::little);
        ++faces;
      }
    }
  }
  const std::string file =
      fmt::format(
          "ply\nformat binary_little_endian 1.0\nelement vertex {}\nproperty float x\nproperty "
          "float y\n"
          "property float z\nelement face {}\nproperty list uchar int vertex_indices\nend_header\n",
          side * side, faces) +
      body;
  const Mesh mesh = read(file);
  EXPECT_EQ(mesh.triangle_count(), 2u * (side - 1) * (side - 1));
  EXPECT_EQ(mesh.polygon_count(), static_cast<std::size_t>(faces));
  test::expect_same_for_threads([&] { return read(file); });
}

TEST(PlyReader, headers_are_checked_before_anything_is_allocated) {
  const std::string head = "ply\nformat binary_little_endian 1.0\n";
  const std::string xyz = "property float x\nproperty float y\nproperty float z\n";
  EXPECT_EQ(problem(head + "element vertex 4000000000\n" + xyz + "end_header\n"),
            "the header announces 4000000000 vertex records, but the file is too short");
  EXPECT_NE(
      problem("ply\nformat ascii 1.0\nelement vertex 4000000000\n" + xyz + "end_header\n1 2 3"),
      "");
  EXPECT_NE(problem(head + "element vertex 99999999999999999999999\n" + xyz + "end_header\n"), "");
  EXPECT_NE(problem(head + "element vertex -1\n" + xyz + "end_header\n"), "");
  EXPECT_EQ(problem("plx\n"), "it does not start with 'ply'");
  EXPECT_EQ(problem("ply\n"), "line 2: the header has no end");
  EXPECT_EQ(problem("ply\nend_header\n"), "the header names no format");
  EXPECT_EQ(problem("ply\nformat fancy 1.0\nend_header\n"), "line 2: unknown format 'fancy'");
  EXPECT_EQ(problem("ply\nformat ascii 1.0\nproperty float x\nend_header\n"),
            "line 3: a property before the first element");
  EXPECT_EQ(problem("ply\nformat ascii 1.0\nelement vertex 1\nproperty quad x\nend_header\n1"),
            "line 4: unknown type 'quad'");
  EXPECT_EQ(problem("ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n1 "),
            "its vertices have no x, y and z");
  EXPECT_EQ(problem("ply\nformat ascii 1.0\nelement vertex 0\n" + xyz + "end_header\n"),
            "there are no vertices in it");
  EXPECT_NE(problem("ply\nformat ascii 1.0\nproperty list float int x\nend_header\n"), "");
}

TEST(PlyReader, bad_content_names_the_record) {
  const std::string head =
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float "
      "z\n"
      "element face 1\nproperty list uchar int vertex_indices\nend_header\n";
  EXPECT_EQ(problem(head + "0 0 0\n1 0 0\n0 1 0\n3 0 1 2"), "");
  EXPECT_EQ(problem(head + "0 0 0\n1 0 0\n0 1 0\n3 0 1 3"),
            "face 0 refers to vertex 3, but there are only 3 (from 0)");
  EXPECT_EQ(problem(head + "0 0 0\n1 0 0\n0 1 0\n3 0 1 -1"),
            "face 0 refers to vertex -1, but there are only 3 (from 0)");
  EXPECT_EQ(problem(head + "0 0 0\n1 nan 0\n0 1 0\n3 0 1 2"), "");
  EXPECT_EQ(problem(head + "0 0 0\n1 x 0\n0 1 0\n3 0 1 2"),
            "vertex 1 has something other than a number");
  EXPECT_EQ(problem(head + "0 0 0\n1 0 0\n0 1 0\n3 0 1  "), "the file ends within face 0 of 1");
  EXPECT_NE(problem(head + "0 0 0\n1 0 0\n0 1 0\n999999999 0 1 2"), "");
}

TEST(PlyReader, cut_and_garbled_files_never_crash) {
  std::mt19937 random(8);
  for (const Format format : {Format::ascii, Format::little, Format::big}) {
    for (int bits = 0; bits < 16; ++bits) {
      const Variant variant{
          format, 6, 1, 4, (bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0};
      std::vector<Vec3f> positions;
      std::vector<std::vector<uint32_t>> faces;
      const std::string good = make_file(variant, positions, faces);
      const auto try_reading = [](const std::string& bytes) {
        try {
          LoadReport report;
          EXPECT_FALSE(validate(parse_ply(bytes, report)));
        } catch (const FormatError&) {
        }
      };
      for (std::size_t length = 0; length < good.size(); length += 5) {
        // A copy of its own, so that reading past its end is seen by the sanitizer.
        try_reading(good.substr(0, length));
      }
      for (int run = 0; run < 100; ++run) {
        std::string bad = good;
        for (int k = 0; k < 6; ++k) bad[random() % bad.size()] = static_cast<char>(random());
        try_reading(bad);
      }
    }
  }
}

}  // namespace
}  // namespace sinew
