// Solids through files: round trips, the older layouts by hand, and files that are not what they
// say.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <bit>
#include <random>

#include "nodes/geometry/format_error.h"
#include "nodes/geometry/tet_io.h"
#include "nodes/kernels/tet_primitives.h"
#include "tests/kernels/shapes.h"

namespace sinew {
namespace {

using test::Folder;

// Binary numbers in either order.
struct Binary {
  std::string bytes;
  bool big = false;

  template <class T>
  Binary& put(T value) {
    auto raw = std::bit_cast<std::array<char, sizeof(T)>>(value);
    if (big) std::reverse(raw.begin(), raw.end());
    bytes.append(raw.data(), raw.size());
    return *this;
  }
  template <class T>
  Binary& put_all(std::initializer_list<T> values) {
    for (const T v : values) put(v);
    return *this;
  }
  Binary& text(const std::string& s) { return bytes += s, *this; }
};

// A single tetrahedron, as every hand-written file below has it.
const TetMesh& one() {
  static const TetMesh solid({{0, 1, 2, 3}}, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0.5f}});
  return solid;
}

TetMesh parsed(const std::string& bytes, const std::string& ending,
               TetLoadReport* report = nullptr) {
  TetLoadReport found;
  const TetMesh solid = parse_tets(bytes, ending, found);
  if (report) *report = found;
  return solid;
}

std::string complaint(const std::string& bytes, const std::string& ending) {
  try {
    TetLoadReport report;
    parse_tets(bytes, ending, report);
  } catch (const FormatError& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    return error.what();
  }
  return "";
}

std::string reading(const std::filesystem::path& path) {
  try {
    load_tets(path);
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

void save(const TetMesh& solid, std::filesystem::path path, const TetSaveOptions& options = {}) {
  const std::string ending = path.extension().string().substr(1);
  for (const EncodedFile& file : encode_tets(solid, ending, options)) {
    std::ofstream(path.replace_extension(file.ending), std::ios::binary) << file.bytes;
  }
}

#define EXPECT_SAYS(message, part) \
  EXPECT_NE((message).find(part), std::string::npos) << "said: " << (message)

// ---- Round trips --------------------------------------------------------------------------------

std::vector<TetMesh> solids() {
  std::vector<TetMesh> list = {one()};
  for (const float scale : {1e-6f, 1.0f, 1e6f}) {
    TetMesh box = kernels::make_tet_box(Vec3f(1, 2, 3) * scale, {3, 4, 2});
    // Floats with all their digits.
    const std::vector<Vec3f> noise = test::random_points(box.vertex_count(), 5, 0.05f * scale);
    for (std::size_t i = 0; i < noise.size(); ++i) box.positions[i] += noise[i];
    list.push_back(box);
  }
  return list;
}

TEST(TetFiles, RoundTripsOfEveryFormat) {
  const Folder folder;
  for (const TetMesh& solid : solids()) {
    for (const char* name : {"a.msh", "a.vtk", "a.node", "a.ele"}) {
      for (const FileEncoding encoding : {FileEncoding::text, FileEncoding::binary}) {
        for (const MshVersion version : {MshVersion::v2_2, MshVersion::v4_1}) {
          save(solid, folder / name, {encoding, version});
          TetLoadReport report;
          const TetMesh again = load_tets(folder / name, {}, &report);
          EXPECT_EQ(again, solid) << name;
          EXPECT_EQ(again.topology->boundary, solid.topology->boundary);
          EXPECT_EQ(report, TetLoadReport()) << name;
        }
      }
    }
  }
}

TEST(TetFiles, UnitsAndUpAxis) {
  const Folder folder;
  save(one(), folder / "a.msh");
  LoadOptions options;
  options.scale = 2;
  options.file_up = UpAxis::z;
  const TetMesh turned = load_tets(folder / "a.msh", options);
  EXPECT_EQ(turned.positions[3], Vec3f(0, 1, 0));
  EXPECT_EQ(turned.positions[2], Vec3f(0, 0, -2));
  EXPECT_EQ(turned.topology->tets, one().topology->tets) << "a turn inverts nothing";
  options.scale = -1;
  TetLoadReport report;
  load_tets(folder / "a.msh", options, &report);
  EXPECT_EQ(report.inverted, 1u);
  for (const float scale : {0.0f, NAN, INFINITY, 3e38f * 2}) {
    options.scale = scale;
    EXPECT_THROW(load_tets(folder / "a.msh", options), FileError);
  }
}

// ---- Gmsh ---------------------------------------------------------------------------------------

const std::string msh2_nodes = "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 .5\n$EndNodes\n";

TEST(MshFiles, Version2TextWithOtherSectionsAndElements) {
  TetLoadReport report;
  const TetMesh solid = parsed(
      "$MeshFormat\n2.1 0 8\n$EndMeshFormat\r\n$Comments\nhello $Nodes\n"
      "$EndComments\n$PhysicalNames\n1\n3 1 \"body\"\n$EndPhysicalNames\n" +
          msh2_nodes +
          "$Elements\n5\n1 15 2 0 1 1\n2 2 2 0 1 1 2 3\n"
          "3 11 2 0 1 1 2 3 4 1 2 3 4 1 2\n4 5 0 1 2 3 4 1 2 3 4\n"
          "5 4 3 7 1 9 1 2 3 4\n$EndElements\n$NodeData\nnever read",
      "msh", &report);
  EXPECT_EQ(solid, one());
  EXPECT_EQ(report.surface_cells, 2u);
  EXPECT_EQ(report.skipped_cells, 2u);
  EXPECT_FALSE(report.mended());
}

TEST(MshFiles, NodesMayHaveAnyNumbers) {
  EXPECT_EQ(parsed("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n70 0 0 0\n9 1 0 0\n"
                   "8000000 0 1 0\n1 0 0 .5\n$EndNodes\n$Elements\n1\n1 4 0 70 9 8000000 1\n"
                   "$EndElements\n",
                   "msh"),
            one());
}

TEST(MshFiles, Version40Text) {
  EXPECT_EQ(
      parsed("$MeshFormat\n4 0 8\n$EndMeshFormat\n$Entities\n1 0 0 1\n$EndEntities\n"
             "$Nodes\n2 4\n1 2 1 1\n1 0 0 0 0.3 0.4\n1 3 0 3\n2 1 0 0\n3 0 1 0\n4 0 0 .5\n"
             "$EndNodes\n$Elements\n2 2\n1 2 2 1\n1 1 2 3\n1 3 4 1\n2 1 2 3 4\n$EndElements\n",
             "msh"),
      one());
}

TEST(MshFiles, Version41TextWithParameters) {
  EXPECT_EQ(parsed("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n2 4 1 4\n2 1 1 1\n1\n"
                   "0 0 0 0.3 0.4\n3 1 0 3\n2\n3\n4\n1 0 0\n0 1 0\n0 0 .5\n$EndNodes\n"
                   "$Elements\n2 2 1 2\n2 1 2 1\n1 1 2 3\n3 1 4 1\n2 1 2 3 4\n$EndElements\n",
                   "msh"),
            one());
}

TEST(MshFiles, BinaryInBothOrdersOfBytes) {
  for (const bool big : {false, true}) {
    Binary v2{"$MeshFormat\n2.2 1 8\n", big};
    v2.put(int32_t{1}).text("\n$EndMeshFormat\n$Nodes\n4\n");
    for (int i = 0; i < 4; ++i) {
      v2.put(int32_t{i + 1});
      for (const float x : one().positions[i]) v2.put(double{x});
    }
    v2.text("\n$EndNodes\n$Elements\n2\n").put_all<int32_t>({2, 1, 1, 1, 0, 1, 2, 3});
    v2.put_all<int32_t>({4, 1, 1, 2, 0, 1, 2, 3, 4}).text("\n$EndElements\n");
    EXPECT_EQ(parsed(v2.bytes, "msh"), one());

    Binary v40{"$MeshFormat\n4 1 8\n", big};
    v40.put(int32_t{1}).text("\n$EndMeshFormat\n$Nodes\n").put_all<uint64_t>({1, 4});
    v40.put_all<int32_t>({1, 2, 1}).put(uint64_t{4});
    for (int i = 0; i < 4; ++i) {
      v40.put(int32_t{i + 1});
      for (const float x : one().positions[i]) v40.put(double{x});
      v40.put_all<double>({0.25, 0.75});
    }
    v40.text("\n$EndNodes\n$Elements\n").put_all<uint64_t>({2, 2});
    v40.put_all<int32_t>({1, 3, 11}).put(uint64_t{1});
    v40.put_all<int32_t>({1, 1, 2, 3, 4, 1, 2, 3, 4, 1, 2});
    v40.put_all<int32_t>({1, 3, 4}).put(uint64_t{1}).put_all<int32_t>({2, 1, 2, 3, 4});
    v40.text("\n$EndElements\n");
    TetLoadReport report;
    EXPECT_EQ(parsed(v40.bytes, "msh", &report), one());
    EXPECT_EQ(report.skipped_cells, 1u);

    // 4.1 from a machine with small pointers.
    Binary v41{"$MeshFormat\n4.1 1 4\n", big};
    v41.put(int32_t{1}).text("\n$EndMeshFormat\n$Entities\n").put_all<uint32_t>({0, 0, 0, 0});
    v41.text("\n$EndEntities\n$Nodes\n").put_all<uint32_t>({1, 4, 1, 4});
    v41.put_all<int32_t>({3, 1, 0}).put_all<uint32_t>({4, 1, 2, 3, 4});
    for (const Vec3f& p : one().positions) {
      for (const float x : p) v41.put(double{x});
    }
    v41.text("\n$EndNodes\n$Elements\n").put_all<uint32_t>({2, 2, 1, 2});
    v41.put_all<int32_t>({2, 1, 2}).put_all<uint32_t>({1, 1, 1, 2, 3});
    v41.put_all<int32_t>({3, 1, 4}).put_all<uint32_t>({1, 2, 1, 2, 3, 4}).text("\n$EndElements\n");
    EXPECT_EQ(parsed(v41.bytes, "msh"), one());
  }
}

TEST(MshFiles, WhatIsWrongIsSaidWithItsLine) {
  const std::string head = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
  const auto said = [&](const std::string& rest) { return complaint(head + rest, "msh"); };
  EXPECT_SAYS(complaint("hello", "msh"), "line 1: it does not start with $MeshFormat");
  EXPECT_SAYS(complaint("$NOD\n1\n", "msh"), "version 1");
  EXPECT_SAYS(complaint("$MeshFormat\n3.0 0 8\n", "msh"), "line 2: version '3.0' is not read");
  EXPECT_SAYS(complaint("$MeshFormat\n4.1 0 16\n", "msh"), "data size");
  EXPECT_SAYS(complaint("$MeshFormat\n4.1 2 8\n", "msh"), "file type");
  EXPECT_SAYS(said(""), "it has no $Nodes");
  EXPECT_SAYS(said(msh2_nodes), "it has no $Elements");
  EXPECT_SAYS(said("nonsense"), "line 4: a section such as $Nodes");
  EXPECT_SAYS(said("$Entities\n1 2 3"), "$Entities has no end");
  EXPECT_SAYS(said("$Elements\n0\n"), "the elements come before the nodes");
  EXPECT_SAYS(said("$Nodes\n-4\n"), "line 5: the number of nodes is negative: -4");
  EXPECT_SAYS(said("$Nodes\n4000000000\n"),
              "line 5: it says 4000000000 nodes, but the file is too short");
  EXPECT_SAYS(said("$Nodes\n2\n1 0 0 0\n1 0 1 0\n$EndNodes\n"), "node 1 is there twice");
  EXPECT_SAYS(said("$Nodes\n1\n1 0 nan 0\n$EndNodes\n"),
              "line 6: a coordinate is not finite: 'nan'");
  EXPECT_SAYS(said("$Nodes\n1\n1 0 1e999 0\n$EndNodes\n"), "not finite: '1e999'");
  EXPECT_SAYS(said("$Nodes\n1\n1 0 1x 0\n$EndNodes\n"), "should be a number, but is '1x'");
  EXPECT_SAYS(said("$Nodes\n1\n-1 0 1 0\n$EndNodes\n"), "negative");
  EXPECT_SAYS(said("$Nodes\n1\n1 0 1 0\n2 0 1 0\n$EndNodes\n"),
              "line 7: $EndNodes should stand here");
  EXPECT_SAYS(said(msh2_nodes + "$Elements\n1\n1 4 0 1 2 3 5\n$EndElements\n"),
              "line 13: an element refers to node 5, which is not there");
  EXPECT_SAYS(said(msh2_nodes + "$Elements\n1\n1 4 -1 1 2 3 4\n$EndElements\n"), "tags is -1");
  EXPECT_SAYS(said(msh2_nodes + "$Elements\n1\n1 4 0 1 2"), "the file ends before a corner");
  EXPECT_SAYS(said(msh2_nodes + "$Elements\n1\n1 2 0 1 2 3\n$EndElements\n"),
              "it has no tetrahedra");
  EXPECT_SAYS(said(msh2_nodes + "$Elements\n1\n1 11 0 1 2 3 4 1 2 3 4 1 2\n$EndElements\n"),
              "no tetrahedra with four points; 1 cells");
  const std::string head4 = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n";
  EXPECT_SAYS(complaint(head4 + "$Nodes\n1 1 1 1\n3 1 0 2\n1\n2\n0 0 0\n0 0 0\n$EndNodes\n", "msh"),
              "more than 1 nodes");
  EXPECT_SAYS(complaint(head4 + "$Nodes\n1 1 1 1\n9 1 0 1\n1\n0 0 0\n$EndNodes\n", "msh"),
              "dimension of a block is 9");
}

// ---- VTK ----------------------------------------------------------------------------------------

const std::string vtk_head =
    "# vtk DataFile Version 3.0\nany title\nASCII\nDATASET UNSTRUCTURED_GRID\n";
const std::string vtk_points = "POINTS 4 double\n0 0 0 1 0 0\n0 1 0 0 0 .5\n";

TEST(VtkFiles, TextWithOtherCellsAndSections) {
  TetLoadReport report;
  const TetMesh solid = parsed(
      "# vtk DataFile Version 4.2\nt\nascii\ndataset unstructured_grid\nFIELD FieldData 1\n"
      "TIME 1 1 double\n0.5\n" +
          vtk_points +
          "METADATA\nINFORMATION 1\nNAME x LOCATION y\n\nCELLS 3 14\n3 0 1 2\n4 0 1 2 3\n"
          "4 0 1 2 3\nCELL_TYPES 3\n5\n10\n9\nCELL_DATA 3\nnever read",
      "vtk", &report);
  EXPECT_EQ(solid, one());
  EXPECT_EQ(report.surface_cells, 2u);
  EXPECT_EQ(report.skipped_cells, 0u);
}

TEST(VtkFiles, Version5TextAndBinary) {
  EXPECT_EQ(
      parsed("# vtk DataFile Version 5.1\nt\nASCII\nDATASET UNSTRUCTURED_GRID\n" + vtk_points +
                 "CELLS 3 14\nOFFSETS vtktypeint64\n0 10 14\nCONNECTIVITY vtktypeint64\n"
                 "0 1 2 3 0 1 2 3 0 1 0 1 2 3\nCELL_TYPES 2\n24 10\n",
             "vtk"),
      one());
  Binary file{"# vtk DataFile Version 5.1\nt\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n",
              true};
  for (const Vec3f& p : one().positions) {
    for (const float x : p) file.put(double{x});
  }
  file.text("\nMETADATA\nINFORMATION 0\n\nCELLS 3 7\nOFFSETS vtktypeint64\n");
  file.put_all<int64_t>({0, 3, 7}).text("\nCONNECTIVITY vtktypeint64\n");
  file.put_all<int64_t>({0, 1, 2, 0, 1, 2, 3}).text("\nCELL_TYPES 2\n").put_all<int32_t>({5, 10});
  TetLoadReport report;
  EXPECT_EQ(parsed(file.bytes, "vtk", &report), one());
  EXPECT_EQ(report.surface_cells, 1u);
}

TEST(VtkFiles, BinaryPointsOfAnyType) {
  Binary file{"# vtk DataFile Version 3.0\nt\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 short\n",
              true};
  for (const int16_t x : {0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 1}) file.put(x);
  file.text("\nCELLS 1 5\n").put_all<int32_t>({4, 0, 1, 2, 3});
  file.text("\nCELL_TYPES 1\n").put(int32_t{10});
  EXPECT_EQ(parsed(file.bytes, "vtk").positions[3], Vec3f(0, 0, 1));
}

TEST(VtkFiles, WhatIsWrongIsSaidWithItsPlace) {
  const auto said = [&](const std::string& rest) { return complaint(vtk_head + rest, "vtk"); };
  const std::string cells = "CELLS 1 5\n4 0 1 2 3\n";
  EXPECT_SAYS(complaint("hello", "vtk"), "does not start with");
  EXPECT_SAYS(complaint("# vtk DataFile Version 3.0\nt\nXML\n", "vtk"), "line 3: ASCII or BINARY");
  EXPECT_SAYS(complaint("# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\n", "vtk"),
              "line 4: it holds a polydata, where UNSTRUCTURED_GRID is needed");
  EXPECT_SAYS(said(""), "it has no POINTS");
  EXPECT_SAYS(said(vtk_points), "it has no CELLS");
  EXPECT_SAYS(said(vtk_points + cells), "it has no CELL_TYPES");
  EXPECT_SAYS(said("POINTS -1 float\n"), "line 5: the number of points is negative");
  EXPECT_SAYS(said("POINTS 99999999999 float\n0 0 0\n"), "the file is too short");
  EXPECT_SAYS(said("POINTS 1 quaternion\n0 0 0\n"), "'quaternion' is no type of numbers");
  EXPECT_SAYS(said("POINTS 1 float\n0 inf 0\n"), "line 6: a coordinate is not finite");
  EXPECT_SAYS(said("POINTS 2 float\n0 0 0"), "the file");
  EXPECT_SAYS(said(vtk_points + "CELLS 1 5\n4 0 1 2 4\nCELL_TYPES 1\n10\n"),
              "cell 0 refers to point 4, but there are only 4");
  EXPECT_SAYS(said(vtk_points + "CELLS 1 5\n4 0 1 2 -1\nCELL_TYPES 1\n10\n"), "refers to point -1");
  EXPECT_SAYS(said(vtk_points + "CELLS 1 5\n-4 0 1 2 3\nCELL_TYPES 1\n10\n"),
              "cell 0 has -4 corners");
  EXPECT_SAYS(said(vtk_points + "CELLS 1 5\n9 0 1 2 3\nCELL_TYPES 1\n10\n"),
              "cell 0 has 9 corners");
  EXPECT_SAYS(said(vtk_points + "CELLS 2 5\n4 0 1 2 3\nCELL_TYPES 2\n10 10\n"), "it says 2 cells");
  EXPECT_SAYS(said(vtk_points + "CELLS 1 4\n3 0 1 2\nCELL_TYPES 1\n10\n"), "has 3 corners");
  EXPECT_SAYS(said(vtk_points + cells + "CELL_TYPES 2\n10 10\n"),
              "it has 1 cells, but 2 cell types");
  EXPECT_SAYS(said(vtk_points +
                   "CELLS 2 4\nOFFSETS vtktypeint64\n0 9\nCONNECTIVITY vtktypeint64\n0 1 2 3\n"),
              "offset 1 is 9");
  EXPECT_SAYS(said("CELL_TYPES 0\n"), "come before");
  EXPECT_SAYS(said("FIELD f 1\nx 4000000000 4000000000 double\n"), "file");
  EXPECT_SAYS(complaint("# vtk DataFile Version 3.0\nt\nBINARY\nDATASET UNSTRUCTURED_GRID\n"
                        "POINTS 1000 float\nab",
                        "vtk"),
              "byte ");
}

// ---- TetGen -------------------------------------------------------------------------------------

TEST(TetgenFiles, EitherNameFromZeroOrOneWithRemarks) {
  const Folder folder;
  folder.write("zero.node",
               "# made by hand\n4 3 1 1\n0 0 0 0 7 1\n1 1 0 0 7 1 # here\n\n2 0 1 0 7 0\n3 0 0 .5 "
               "7 0\n# end\n");
  folder.write("zero.ele", "1 4 1 # one\n0 0 1 2 3 9\n");
  folder.write("ONE.NODE", "4 3 0 0\r\n1 0 0 0\r\n2 1 0 0\r\n3 0 1 0\r\n4 0 0 .5\r\n");
  folder.write("ONE.ELE", "1 4 0\r\n1 1 2 3 4\r\n");
  for (const char* name : {"zero.node", "zero.ele", "ONE.NODE", "ONE.ELE"}) {
    EXPECT_EQ(load_tets(folder / name), one()) << name;
  }
}

TEST(TetgenFiles, WhatIsWrongNamesTheFileAndTheLine) {
  const Folder folder;
  const std::string points = "4 3 0 0\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 .5\n";
  const auto said = [&](const std::string& node, const std::string& ele) {
    folder.write("a.node", node);
    folder.write("a.ele", ele);
    return reading(folder / "a.ele");
  };
  folder.write("alone.ele", "0 4 0\n");
  EXPECT_SAYS(reading(folder / "alone.ele"), "alone.node': no such file");
  folder.write("single.node", points);
  EXPECT_SAYS(reading(folder / "single.node"), "single.ele': no such file");
  EXPECT_SAYS(said(points, "1 4 0\n1 1 2 3 5\n"),
              "a.ele': line 2: a tetrahedron refers to point 5, but the points are 1 to 4");
  EXPECT_SAYS(said(points, "1 4 0\n1 1 2 3 0\n"), "refers to point 0");
  EXPECT_SAYS(said(points, "1 3 0\n1 1 2 3\n"), "4 or 10 points, but have 3");
  EXPECT_SAYS(said(points, "1 10 0\n1 1 2 3 4 1 2 3 4 1 2\n"), "no tetrahedra with four points");
  EXPECT_SAYS(said(points, "1000000000 4 0\n1 1 2 3 4\n"), "too short");
  EXPECT_SAYS(said("4 2 0 0\n1 0 0\n2 0 0 \n3 0 0\n 4 0 0 0 0 0 0\n", "1 4\n1 1 2 3 4\n"),
              "a.node': line 1: the points should have 3");
  EXPECT_SAYS(said("1 3 0 0\n1 0 0 1e999\n", "0 4 0\n"),
              "a.node': line 2: a coordinate is not finite");
  EXPECT_SAYS(said("-1 3 0 0\n", "0 4 0\n"), "negative");
  EXPECT_SAYS(said("2 3 0 0\n1 0 0 0\n1 0 0 1\n", "0 4 0\n"), "point 1 is there twice");
  EXPECT_SAYS(said(points, "0 4 0\n"), "it has no tetrahedra");
}

// ---- What is mended -----------------------------------------------------------------------------

TEST(TetMend, InvertedFlatRepeatedAndLoose) {
  TetLoadReport report;
  const TetMesh solid =
      mend({{{9, 9, 9}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {7, 7, 7}},
            {{1, 2, 4, 3},    // inverted
             {1, 2, 3, 5},    // flat
             {1, 1, 3, 4},    // a corner twice
             {4, 3, 2, 1},    // the first again
             {2, 5, 3, 4}}},  // good
           report);
  EXPECT_EQ(report.inverted, 1u);
  EXPECT_EQ(report.flat, 2u);
  EXPECT_EQ(report.repeated, 1u);
  EXPECT_EQ(report.loose_points, 2u);
  ASSERT_EQ(solid.tet_count(), 2u);
  EXPECT_EQ(solid.vertex_count(), 5u);
  EXPECT_FALSE(validate(solid));
  for (const Tetrahedron& t : solid.tets()) {
    const Vec3f a = solid.positions[t[0]];
    EXPECT_GT(
        (solid.positions[t[1]] - a).cross(solid.positions[t[2]] - a).dot(solid.positions[t[3]] - a),
        0);
  }
}

TEST(TetMend, ASliverIsNotFlat) {
  // A thousandth of a degree, far from the origin, at any size.
  for (const float scale : {1e-6f, 1.0f, 1e6f}) {
    TetLoadReport report;
    std::vector<Vec3f> points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.3f, 0.3f, 1e-5f}};
    for (Vec3f& p : points) p *= scale;
    EXPECT_EQ(mend({points, {{0, 1, 2, 3}}}, report).tet_count(), 1u);
    EXPECT_FALSE(report.mended());
  }
}

TEST(TetMend, NothingLeftIsAnError) {
  EXPECT_SAYS(complaint(vtk_head + "POINTS 4 float\n0 0 0 1 0 0 0 1 0 1 1 0\nCELLS 1 5\n4 0 1 2 3\n"
                                   "CELL_TYPES 1\n10\n",
                        "vtk"),
              "all of its tetrahedra are flat");
}

// ---- Hostile ------------------------------------------------------------------------------------

TEST(TetFiles, MissingEmptyDirectoriesAndPipes) {
  const Folder folder;
  for (const char* name : {"a.msh", "a.vtk", "a.node"}) {
    const std::string shown = (folder / name).string();
    EXPECT_EQ(reading(folder / name), "cannot read '" + shown + "': no such file");
    folder.write(name, "");
    EXPECT_EQ(reading(folder / name), "cannot read '" + shown + "': the file is empty");
    std::filesystem::remove(folder / name);
    std::filesystem::create_directory(folder / name);
    EXPECT_EQ(reading(folder / name), "cannot read '" + shown + "': it is a directory");
    std::filesystem::remove(folder / name);
    ASSERT_EQ(::mkfifo(shown.c_str(), 0600), 0);
    EXPECT_EQ(reading(folder / name), "cannot read '" + shown + "': it is not a regular file");
    std::filesystem::remove(folder / name);
  }
  folder.write("a.xyz", "hello");
  EXPECT_SAYS(reading(folder / "a.xyz"), "files ending in '.xyz' are not read");
}

// Every file of ours, cut short at every place or with one byte changed, is read or refused with
// one line.
TEST(TetFiles, TruncatedAndSpoiled) {
  const TetMesh box = kernels::make_tet_box({1, 1, 1}, {1, 1, 2});
  std::mt19937 random(7);
  for (const char* ending : {"msh", "vtk"}) {
    for (const FileEncoding encoding : {FileEncoding::text, FileEncoding::binary}) {
      for (const MshVersion version : {MshVersion::v2_2, MshVersion::v4_1}) {
        const std::string whole = encode_tets(box, ending, {encoding, version})[0].bytes;
        const std::size_t end =
            ending == std::string("msh") ? whole.find("$EndEl") : whole.size() - 40;
        for (std::size_t length = 0; length < end; ++length) {
          EXPECT_NE(complaint(whole.substr(0, length), ending), "") << ending << length;
        }
        for (int run = 0; run < 2000; ++run) {
          std::string spoiled = whole;
          spoiled[random() % spoiled.size()] = static_cast<char>(random());
          complaint(spoiled, ending);
        }
      }
    }
  }
  for (int run = 0; run < 200; ++run) {
    std::string garbage(random() % 300, '\0');
    for (char& c : garbage) c = static_cast<char>(random());
    EXPECT_NE(complaint(garbage, "msh"), "");
    EXPECT_NE(complaint(garbage, "vtk"), "");
    EXPECT_NE(complaint("$MeshFormat\n4.1 1 8\n\1" + std::string(3, '\0') +
                            "\n$EndMeshFormat\n$Nodes\n" + garbage,
                        "msh"),
              "");
  }
}

TEST(TetFiles, CancelledReadersStop) {
  const std::atomic<bool> stop{true};
  const TetMesh box = kernels::make_tet_box({1, 1, 1}, {1, 1, 1});
  for (const char* ending : {"msh", "vtk"}) {
    TetLoadReport report;
    const std::string bytes = encode_tets(box, ending)[0].bytes;
    EXPECT_THROW(parse_tets(bytes, ending, report, CancelView{&stop}), Stopped);
  }
}

TEST(TetFiles, WhatCannotBeWritten) {
  EXPECT_THROW(encode_tets(one(), "stl"), FormatError);
  TetMesh bad = one();
  bad.positions[2].y() = NAN;
  EXPECT_THROW(encode_tets(bad, "msh"), FormatError);
}

}  // namespace
}  // namespace sinew
