#include "nodes/geometry/obj_reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "nodes/geometry/format_error.h"
#include "tests/kernels/shapes.h"

namespace sinew {
namespace {

Mesh read(const std::string& text, LoadReport* report = nullptr, std::size_t chunk = 1 << 20) {
  LoadReport local;
  Mesh mesh = parse_obj(text, report ? *report : local, {}, chunk);
  EXPECT_FALSE(validate(mesh)) << *validate(mesh);
  return mesh;
}

std::string problem(const std::string& text, std::size_t chunk = 1 << 20) {
  try {
    LoadReport report;
    parse_obj(text, report, {}, chunk);
  } catch (const FormatError& error) {
    return error.what();
  }
  return "";
}

using Triangles = std::vector<Triangle>;

TEST(ObjReader, all_forms_of_a_face) {
  const std::string v = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\nvn 0 0 1\n";
  for (const char* face :
       {"f 1 2 3", "f 1/1 2/2 3/3", "f 1//1 2//1 3//1", "f 1/1/1 2/2/1 3/3/1", "f -3 -2 -1",
        "f -3/-3/-1 -2/-2/-1 -1/-1/-1", "f 1/ 2/ 3/", "f\t1\t2\t3  # comment", "  f 1 2 3 ",
        "f 1 \\\n 2 3", "f 1 \\\r\n 2 \\\r\n 3\r"}) {
    for (const char* end : {"", "\n", "\r\n", "\n\n"}) {
      const Mesh mesh = read(v + face + end);
      EXPECT_EQ(mesh.topology->triangles, (Triangles{{0, 1, 2}})) << face;
    }
  }
  const Mesh mesh = read(v + "f 1/1 2/2 3/3");
  EXPECT_EQ(mesh.topology->corner_uvs, (std::vector<Vec2f>{{0, 0}, {1, 0}, {0, 1}}));
}

TEST(ObjReader, what_it_does_not_need_is_skipped) {
  const Mesh mesh = read(
      "# comment\n\nmtllib a.mtl\no thing\ng a b\ns off\nusemtl red\n"
      "v 0 0 0 1.0\nv 1 0 0 0.5 0.5 0.5\nv 0 1 0\nvn 0 0 1\nvp 1 2\nl 1 2 3\np 1\n"
      "cstype bspline\nf 1 2 3\n");
  EXPECT_EQ(mesh.vertex_count(), 3u);
  EXPECT_EQ(mesh.triangle_count(), 1u);
  EXPECT_TRUE(mesh.topology->corner_uvs.empty());
  EXPECT_TRUE(mesh.topology->polygon_of_triangle.empty());
  EXPECT_EQ(read("v 1 2 3").vertex_count(), 1u);
}

TEST(ObjReader, polygons_are_triangulated_and_remembered) {
  LoadReport report;
  const Mesh mesh = read(
      "v 0 0 0\nv 4 0 0\nv 4 1 0\nv 1 1 0\nv 1 3 0\nv 0 3 0\n"
      "f 1 2 3\nf 1 2 3 4 5 6\nf 1 2 2\nf 1 2\n",
      &report);
  EXPECT_EQ(mesh.triangle_count(), 5u);
  EXPECT_EQ(mesh.topology->polygon_of_triangle, (std::vector<uint32_t>{0, 1, 1, 1, 1}));
  EXPECT_EQ(report.polygons, 4u);
  EXPECT_EQ(report.dropped_triangles, 2u);
}

// A random file in which every feature occurs, with the mesh it should give.
std::string random_file(std::mt19937& random, int lines) {
  std::string text;
  int vertices = 0, uvs = 0;
  std::uniform_real_distribution<float> uniform(-1, 1);
  for (int i = 0; i < lines; ++i) {
    const unsigned kind = vertices < 3 ? 0 : random() % 5;
    const char* const end = random() % 3 ? "\n" : "\r\n";
    if (kind < 2) {
      text +=
          fmt::format("v {} {:.4f} {:e}{}", uniform(random), uniform(random), uniform(random), end);
      ++vertices;
    } else if (kind == 2) {
      text += fmt::format("vt {} {}{}", uniform(random), uniform(random), end);
      ++uvs;
    } else if (kind == 3) {
      text += random() % 2 ? fmt::format("# f 9 9 9{}", end) : std::string(end);
    } else {
      const unsigned corners = 3 + random() % 4;
      text += "f";
      for (unsigned c = 0; c < corners; ++c) {
        if (random() % 9 == 0) text += fmt::format(" \\{}", end);
        const int v = static_cast<int>(random() % static_cast<unsigned>(vertices));
        text += fmt::format(" {}", random() % 2 ? v + 1 : v - vertices);
        if (uvs > 0 && random() % 2) {
          const int t = static_cast<int>(random() % static_cast<unsigned>(uvs));
          text += fmt::format("/{}", random() % 2 ? t + 1 : t - uvs);
        }
      }
      text += end;
    }
  }
  return text;
}

TEST(ObjReader, chunks_and_threads_do_not_matter) {
  std::mt19937 random(5);
  for (int run = 0; run < 30; ++run) {
    const std::string text = random_file(random, 300);
    LoadReport whole_report;
    const Mesh whole = read(text, &whole_report);
    for (const std::size_t chunk : {1u, 7u, 64u, 1000u}) {
      LoadReport report;
      EXPECT_EQ(read(text, &report, chunk), whole) << run << " " << chunk;
      EXPECT_EQ(report.polygons, whole_report.polygons);
      EXPECT_EQ(report.dropped_triangles, whole_report.dropped_triangles);
    }
    test::expect_same_for_threads([&] { return read(text, nullptr, 64); });
  }
}

TEST(ObjReader, errors_name_the_line) {
  const std::string v = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  for (const std::size_t chunk : {4u, 1u << 20}) {
    EXPECT_EQ(problem(v + "f 1 2 9\n", chunk),
              "line 4: face refers to vertex 9, but there are only 3");
    EXPECT_EQ(problem(v + "\nf 1 2 3\nf 1 \\\n2 3\nf 1 2 4", chunk),
              "line 8: face refers to vertex 4, but there are only 3");
    EXPECT_NE(problem(v + "f -4 -2 -1\n", chunk).find("line 4: "), std::string::npos);
    EXPECT_NE(problem(v + "f 0 1 2\n", chunk).find("line 4: "), std::string::npos);
    EXPECT_EQ(problem(v + "f 1 two 3\n", chunk), "line 4: a face needs vertex numbers");
    EXPECT_EQ(problem(v + "f 1 2 3x\n", chunk), "line 4: a face needs vertex numbers");
    EXPECT_EQ(problem(v + "v 1 2\n", chunk), "line 4: a vertex needs three numbers");
    EXPECT_EQ(problem(v + "v 1 2 nan\nv 1 1e99 0\n", chunk), "");
    EXPECT_EQ(problem(v + "vt 0 0\nf 1/1 2/2 3/1\n", chunk),
              "line 5: face refers to texture coordinate 2, but there are only 1");
    EXPECT_NE(problem(v + "f 1 2 99999999999999999999\n", chunk).find("line 4"), std::string::npos);
    EXPECT_EQ(problem("", chunk), "there are no vertices in it");
    EXPECT_EQ(problem("# nothing\n", chunk), "there are no vertices in it");
  }
}

TEST(ObjReader, garbage_and_cut_files_never_crash) {
  std::mt19937 random(6);
  const std::string good = random_file(random, 200);
  const auto try_reading = [](const std::string& text) {
    try {
      LoadReport report;
      const Mesh mesh = parse_obj(text, report, {}, 50);
      EXPECT_FALSE(validate(mesh));
    } catch (const FormatError&) {
    }
  };
  for (std::size_t length = 0; length < good.size(); length += 3)
    try_reading(good.substr(0, length));
  for (int run = 0; run < 300; ++run) {
    std::string bad = good;
    for (int k = 0; k < 10; ++k) bad[random() % bad.size()] = static_cast<char>(random());
    try_reading(bad);
    std::string noise(random() % 500, '\0');
    for (char& c : noise) c = static_cast<char>(random());
    try_reading(noise);
  }
  std::atomic<bool> stop = true;
  LoadReport report;
  EXPECT_THROW(parse_obj(good, report, CancelView{&stop}), Stopped);
}

}  // namespace
}  // namespace sinew
