// What comes through assimp: it crashes, hangs or takes all memory only in a process of its own.
#include "nodes/geometry/foreign_files.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "nodes/geometry/format_error.h"
#include "nodes/geometry/gltf_file.h"
#include "nodes/geometry/mesh_io.h"
#include "nodes/geometry/skeleton_files.h"
#include "tests/kernels/shapes.h"

namespace sinew {
namespace {

using namespace std::string_literals;

// A variable of the environment for the length of a test.
class Setting {
 public:
  Setting(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
  ~Setting() { ::unsetenv(name_); }

 private:
  const char* name_;
};

std::string reading(const std::filesystem::path& path) {
  try {
    load_mesh(path);
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

std::size_t open_descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd"))
    ++count;
  return count;
}

void expect_no_children() {
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD) << "a reader was left behind";
}

const std::string huge_off =
    "OFF\n353535235358 6 0\n-0.5 -0.5 0.5\n0.5 -0.5 0.5\n-0.5 0.5 0.5\n0.5 0.5 0.5\n";

// Reads no more than this and never ends.
const std::string endless_smd = "version 1\nnodes\n0 \"a\" -1\n";

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr long most_kilobytes = 1600000;  // the sanitizers' own limit, for theirs is the memory
constexpr long most_of_ours = 400000;
#else
constexpr long most_kilobytes = 500000;
constexpr long most_of_ours = 50000;

TEST(ForeignFiles, memory_has_a_limit_that_is_named) {
  const test::Folder folder;
  const Setting memory("SINEW_READ_MEMORY", "0.25");
  const auto path = folder.write("huge.off", huge_off);
  EXPECT_EQ(reading(path),
            "cannot read '" + path.string() +
                "': reading it takes more than 250 MB of memory, the "
                "limit for a file of " +
                std::to_string(huge_off.size()) +
                " bytes; it is damaged or made to harm, or SINEW_READ_MEMORY must be set to more");
  rusage used{};
  ::getrusage(RUSAGE_CHILDREN, &used);
  EXPECT_LE(used.ru_maxrss, 250000);
  expect_no_children();
}
#endif

TEST(ForeignFiles, limits_grow_with_the_file_and_can_be_set) {
  const ReadLimits small = read_limits(150), large = read_limits(10000000);
  EXPECT_EQ(small.bytes, 1000009600u);
  EXPECT_NEAR(small.seconds, 60, 0.01);
  EXPECT_GT(large.bytes, small.bytes);
  EXPECT_NEAR(large.seconds, 70, 0.01);
  EXPECT_LT(read_limits(UINT64_MAX).bytes, uint64_t{1} << 50) << "no more than the machine has";
  const Setting memory("SINEW_READ_MEMORY", "2.5"), seconds("SINEW_READ_SECONDS", "7");
  EXPECT_EQ(read_limits(150).bytes, 2500000000u);
  EXPECT_EQ(read_limits(10000000).seconds, 7);
  for (const char* wrong : {"0", "-1", "nan", "inf", "3x", "two"}) {
    const Setting bad("SINEW_READ_SECONDS", wrong);
    EXPECT_THROW(read_limits(1), FormatError) << wrong;
  }
}

TEST(ForeignFiles, rare_formats_are_off_unless_asked_for) {
  const test::Folder folder;
  for (const char* ending : {"raw", "mdl", "ndo", "pk3", "smd", "x", "ase", "zae"}) {
    const std::string name = "a."s + ending;
    const std::string message = reading(folder.write(name, "hello"));
    EXPECT_NE(message.find("start the program with SINEW_FORMATS="s + ending), std::string::npos)
        << message;
    const std::vector<std::string> endings = loadable_endings();
    EXPECT_EQ(std::find(endings.begin(), endings.end(), ending), endings.end());
  }
  const auto triangle = folder.write("a.raw", "0 0 0 1 0 0 0 1 0\n");
  for (const char* asked : {"raw", "mdl, .RAW", "all"}) {
    const Setting formats("SINEW_FORMATS", asked);
    EXPECT_EQ(reading(triangle), "") << asked;
  }
  {
    const Setting formats("SINEW_FORMATS", "mdl");
    EXPECT_NE(reading(triangle), "");
  }
  for (const char* usual : {"fbx", "dae", "glb", "gltf", "obj", "ply", "stl", "blend", "3ds"}) {
    const std::vector<std::string> endings = loadable_endings();
    EXPECT_NE(std::find(endings.begin(), endings.end(), usual), endings.end()) << usual;
  }
}

// What is inside may be a format that is off.
TEST(ForeignFiles, a_file_is_what_its_ending_says) {
  const test::Folder folder;
  EXPECT_NE(reading(folder.write("a.3ds", "0 0 0 1 0 0 0 1 0\n")), "");
  EXPECT_NE(reading(folder.write("b.blend", huge_off)).find("it is not a valid BLEND file"),
            std::string::npos);
}

TEST(ForeignFiles, what_asks_to_stop_is_stopped) {
  const test::Folder folder;
  const Setting formats("SINEW_FORMATS", "smd");
  const auto path = folder.write("a.smd", endless_smd);
  std::atomic<bool> stop = false;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop = true;
  });
  const std::size_t before = open_descriptors();
  EXPECT_THROW(load_mesh(path, {}, nullptr, CancelView{&stop}), Stopped);
  other.join();
  EXPECT_EQ(open_descriptors(), before);
  expect_no_children();
}

TEST(ForeignFiles, time_has_a_limit_that_is_named) {
  const test::Folder folder;
  const Setting formats("SINEW_FORMATS", "smd"), seconds("SINEW_READ_SECONDS", "0.25");
  const std::string message = reading(folder.write("a.smd", endless_smd));
  EXPECT_NE(message.find("a.smd': reading it takes longer than 0.25 s, the limit for a file of "),
            std::string::npos)
      << message;
  expect_no_children();
}

TEST(ForeignFiles, many_at_once_leave_nothing_behind) {
  const test::Folder folder;
  const auto good = folder.write("a.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
  const auto bad = folder.write("b.off", "OFF\n3 1 0\n0 0 0\n");
  load_mesh(good);
  const std::size_t before = open_descriptors();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int run = 0; run < 5; ++run) {
        EXPECT_EQ(load_mesh(good).vertex_count(), 3u);
        reading(bad);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(open_descriptors(), before);
  expect_no_children();
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

// Each of these ends assimp by a crash, or never lets it end, or has it ask for gigabytes.
TEST(ForeignFiles, what_harms_assimp_harms_nobody_else) {
  const test::Folder folder;
  const Setting formats("SINEW_FORMATS", "all"), seconds("SINEW_READ_SECONDS", "1");
  const Setting memory("SINEW_READ_MEMORY", "0.5");
  const std::string collada = "<?xml version=\"1.0\"?><COLLADA version=\"1.4.1\">";
  const std::pair<const char*, std::string> files[] = {
      {"deep.bvh", "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 0\n" +
                       repeated("JOINT b\n{\nOFFSET 0 0 0\nCHANNELS 0\n", 60000)},
      {"frames.bvh",
       "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 0\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\n"
       "Frames: 4000000000\nFrame Time: 0.1\n"},
      {"cycle.dae", collada +
                        "<library_visual_scenes><visual_scene id=\"v\"><node id=\"n\">"
                        "<instance_node url=\"#n\"/></node></visual_scene></library_visual_scenes>"
                        "<scene><instance_visual_scene url=\"#v\"/></scene></COLLADA>"},
      {"count.dae", collada +
                        "<library_geometries><geometry id=\"g\"><mesh><source id=\"s\">"
                        "<float_array id=\"f\" count=\"4000000000\">0</float_array></source></mesh>"
                        "</geometry></library_geometries></COLLADA>"},
      {"deep.fbx", "; FBX 7.3.0 project file\n" + repeated("A: {\n", 100000)},
      {"cycle.x3d", "<X3D><Scene><Group DEF=\"g\"><Group USE=\"g\"/></Group></Scene></X3D>"},
      {"deep.ac", "AC3Db\n" + repeated("OBJECT world\nkids 1\n", 40000)},
      {"count.ase",
       "*3DSMAX_ASCIIEXPORT 200\n*GEOMOBJECT {\n*MESH {\n*MESH_NUMVERTEX 4000000000\n"
       "*MESH_VERTEX_LIST {\n*MESH_VERTEX 3999999999 0 0 0\n}}}\n"},
      {"endless.smd", endless_smd},
      {"huge.off", huge_off}};
  for (const auto& [name, content] : files) {
    const auto path = folder.write(name, content);
    std::string message = reading(path);
    EXPECT_TRUE(message.starts_with("cannot read '" + path.string() + "': ")) << name << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    const std::vector<std::string> endings = skeleton_endings();
    if (std::find(endings.begin(), endings.end(), path.extension().string().substr(1)) ==
        endings.end()) {
      continue;
    }
    EXPECT_THROW(load_skeleton(path), FileError) << name;
  }
  rusage used{};
  ::getrusage(RUSAGE_CHILDREN, &used);
  EXPECT_LE(used.ru_maxrss, most_kilobytes);
  expect_no_children();
}

std::string answer_of(const ForeignMesh& mesh) {
  std::string bytes;
  give_mesh(mesh, [&](const void* from, std::size_t size) {
    bytes.append(static_cast<const char*>(from), size);
  });
  return bytes;
}

std::string answer_of(const Rig& rig) {
  std::string bytes;
  give_rig(rig, [&](const void* from, std::size_t size) {
    bytes.append(static_cast<const char*>(from), size);
  });
  return bytes;
}

// Gives the bytes one after the other, as the pipe does.
ByteSource source_of(const std::string& bytes) {
  return [left = std::string_view(bytes)](void* to, std::size_t size) mutable {
    if (size > left.size()) throw FormatError("it ends");
    std::memcpy(to, left.data(), size);
    left.remove_prefix(size);
  };
}

ForeignMesh two_faces() {
  ForeignMesh mesh;
  mesh.positions = test::random_points(5, 1);
  mesh.faces.corners = {0, 1, 2, 0, 2, 3, 4};
  mesh.faces.sizes = {3, 4};
  mesh.faces.uvs.assign(7, Vec2f(0.5f, 1));
  return mesh;
}

Rig small_rig() {
  Rig rig;
  rig.nodes.resize(3);
  rig.nodes[1] = {"a\nname", 0, Eigen::Affine3d(Eigen::Translation3d(1, 2, 3)), {}, true, true};
  rig.nodes[2].parent = 1;
  rig.binds = {{1, 0, Eigen::Affine3d::Identity()}, {2, 1, std::nullopt}};
  rig.holds = {{2, Vec3f(1, 2, 3), 0.75f}};
  RigCurve curve{2, RigPart::scale, RigWay::step, {0, 1}, {{1, 2, 3, 0}, {4, 5, 6, 0}}};
  rig.motions = {{"walk", {curve}}, {"", {}}};
  return rig;
}

TEST(ReaderAnswer, comes_back_as_it_was) {
  const ForeignMesh mesh = two_faces();
  const ForeignMesh back = take_mesh(source_of(answer_of(mesh)), 1 << 20);
  EXPECT_EQ(back.positions, mesh.positions);
  EXPECT_EQ(back.faces.corners, mesh.faces.corners);
  EXPECT_EQ(back.faces.sizes, mesh.faces.sizes);
  EXPECT_EQ(back.faces.uvs, mesh.faces.uvs);
  const std::string rig = answer_of(small_rig());
  const Rig same = take_rig(source_of(rig), 1 << 20);
  EXPECT_EQ(answer_of(same), rig);
  EXPECT_EQ(same.nodes[1].name, "a\nname");
  EXPECT_EQ(same.motions[0].curves[0].values[1], Eigen::Vector4d(4, 5, 6, 0));
}

TEST(ReaderAnswer, is_not_believed) {
  const std::string mesh = answer_of(two_faces()), rig = answer_of(small_rig());
  std::mt19937 random(1);
  for (int run = 0; run < 20000; ++run) {
    const bool is_mesh = run % 2 == 0;
    std::string bytes = is_mesh ? mesh : rig;
    for (unsigned n = 1 + random() % 3; n > 0; --n) {
      bytes[random() % bytes.size()] = static_cast<char>(random() % 4 == 0 ? 255 : random());
    }
    if (random() % 4 == 0) bytes.resize(random() % bytes.size());
    try {
      if (!is_mesh) {
        Rig taken = take_rig(source_of(bytes), 1 << 20);
        check_rig(taken);
        continue;
      }
      const ForeignMesh taken = take_mesh(source_of(bytes), 1 << 20);
      std::size_t corners = 0;
      for (std::size_t i = 0; i < taken.faces.polygon_count(); ++i) {
        corners += taken.faces.sizes.empty() ? 3 : taken.faces.sizes[i];
      }
      EXPECT_EQ(corners, taken.faces.corners.size());
      for (const uint32_t c : taken.faces.corners) ASSERT_LT(c, taken.positions.size());
    } catch (const FormatError& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    } catch (const MemoryLimitReached&) {
    }
  }
}

TEST(ReaderAnswer, is_no_longer_than_it_may_be) {
  const std::string mesh = answer_of(two_faces()), rig = answer_of(small_rig());
  for (std::size_t most = 0; most < mesh.size(); ++most) {
    EXPECT_THROW(take_mesh(source_of(mesh), most), FormatError) << most;
  }
  for (std::size_t most = 0; most < rig.size(); ++most) {
    EXPECT_THROW(take_rig(source_of(rig), most), FormatError) << most;
  }
}

TEST(ReaderAnswer, a_flaw_is_one_short_line) {
  std::string bytes;
  give_flaw("it is\n\x1b[2J " + std::string(100000, 'x'), [&](const void* from, std::size_t size) {
    bytes.append(static_cast<const char*>(from), size);
  });
  try {
    take_mesh(source_of(bytes), 1 << 20);
    ADD_FAILURE() << "a flaw was taken for a mesh";
  } catch (const FormatError& error) {
    const std::string message = error.what();
    EXPECT_TRUE(message.starts_with("it is  [2J xxx")) << message;
    EXPECT_LT(message.size(), 500u);
  }
}

// As text editors on some systems write it.
TEST(ForeignFiles, texts_in_utf16_are_read) {
  const test::Folder folder;
  const std::string obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n# \xc3\xa4\n";
  std::string little = "\xff\xfe", big = "\xfe\xff";
  for (const char c : obj.substr(0, obj.size() - 3)) {
    little += {c, '\0'};
    big += {'\0', c};
  }
  little += "\xe4\0\x3d\xd8\x00\xde\x3d\xd8"s;  // an umlaut, a pair, half of a pair
  const Mesh expected = load_mesh(folder.write("a.obj", obj));
  ASSERT_EQ(expected.triangle_count(), 1u);
  EXPECT_EQ(load_mesh(folder.write("b.obj", little)), expected);
  EXPECT_EQ(load_mesh(folder.write("c.obj", big)), expected);
  EXPECT_EQ(load_mesh(folder.write("d.obj", "\xef\xbb\xbf" + obj)), expected);
  const std::string off = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
  std::string wide = "\xff\xfe";
  for (const char c : off) wide += {c, '\0'};
  EXPECT_EQ(load_mesh(folder.write("a.off", wide)), expected);
}

TEST(ForeignFiles, vertices_that_are_not_finite_are_mended_in_all_formats) {
  const test::Folder folder;
  const std::string places = "0 0 0\nnan 0 0\n0 1e99 0\n0 0 1\n", faces = "3 0 1 2\n3 0 2 3\n";
  const std::string ply =
      "ply\nformat ascii 1.0\nCreated by a program that does not say comment\nelement vertex 4\n"
      "property float x\nproperty float y\nproperty float z\nelement face 2\n"
      "property list uchar int vertex_indices\nend_header\n";
  const float bad[] = {0, 0, 0, 0, 0, 0, NAN, 0, 0, 0, INFINITY, 0};
  std::string stl(80, ' ');
  stl += "\1\0\0\0"s + std::string(reinterpret_cast<const char*>(bad), sizeof bad) + "\0\0"s;
  for (const auto& path :
       {folder.write("a.obj", "v 0 0 0\nv nan 0 0\nv 0 1e99 0\nv 0 0 1\nf 1 2 3\nf 1 3 4\n"),
        folder.write("a.ply", ply + places + faces), folder.write("a.stl", stl)}) {
    LoadReport report;
    const Mesh mesh = load_mesh(path, {}, &report);
    EXPECT_EQ(report.mended_vertices, 2u) << path;
    EXPECT_FALSE(validate(mesh)) << path;
  }
  EXPECT_NE(reading(folder.write("b.obj", "v nan 0 0\nv 0 inf 0\n")).find("none of its 2 vertices"),
            std::string::npos);
}

// A triangle, and so many empty lists that nobody asked for.
std::string loud_gltf(std::size_t lists) {
  std::string extras = "[]";
  extras.reserve(3 * lists);
  for (std::size_t i = 1; i < lists; ++i) extras += ",[]";
  return R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
"materials":[{"name":"red"}],"meshes":[{"primitives":[{"attributes":{"POSITION":0,"_PIN":0}}]}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],
"max":[1,1,0]}],"bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,
"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}],
"extras":[)" +
         extras + "]}";
}

// Whatever a file holds, what is read elsewhere takes memory there, and not here.
TEST(ForeignFiles, take_no_memory_of_this_process) {
  const test::Folder folder;
  const auto file = folder.write("a.gltf", loud_gltf(3000000));
  rusage before{}, after{};
  ::getrusage(RUSAGE_SELF, &before);
  LoadReport report;
  EXPECT_EQ(load_mesh(file, {}, &report).vertex_count(), 3u);
  EXPECT_EQ(report.unread, (std::vector<std::string>{"the attribute '_PIN'", "1 material"}));
  ::getrusage(RUSAGE_SELF, &after);
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, most_of_ours) << "kB";
  expect_no_children();
}

// The readers of skeletons and motions read a glTF here.
TEST(ForeignFiles, a_gltf_of_too_many_values_is_refused) {
  const test::Folder folder;
  const auto file = folder.write("a.gltf", loud_gltf(5000000));
  try {
    GltfFile(file, {});
    ADD_FAILURE() << "it was read";
  } catch (const FormatError& error) {
    EXPECT_NE(std::string(error.what()).find("more than 4000000 values"), std::string::npos)
        << error.what();
  }
  // Its mesh is read by the other program, and what else is in it as far as it is known there.
  EXPECT_EQ(load_mesh(file).vertex_count(), 3u);
}

}  // namespace
}  // namespace sinew
