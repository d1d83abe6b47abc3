// `sinew render`, run as a program: one picture, every option, every error.
#include <cmath>
#include <sstream>

#include "render/contact_sheet.h"
#include "tests/app/render_fixture.h"
#include "tests/golden/screen.h"

namespace sinew {
namespace {

using namespace testing;
using nlohmann::json;
using render::Picture;

struct RenderCommand : RenderTest {};

// ---- A picture --------------------------------------------------------------------------------

TEST_F(RenderCommand, DrawsTheBodyInTheMiddle) {
  const Picture picture = drawn({});
  EXPECT_EQ(picture.width, 96);
  EXPECT_EQ(picture.height, 64);
  EXPECT_TRUE(render::is_opaque(picture));
  EXPECT_TRUE(is_clay(picture.pixel(48, 32)));
  for (const auto& [x, y] : {std::pair{1, 1}, {94, 1}, {1, 62}, {94, 62}})
    EXPECT_FALSE(is_clay(picture.pixel(x, y))) << x << ", " << y;
  // It fills the picture with a margin: neither a speck nor cut off.
  const double body = part(picture, is_clay);
  EXPECT_GT(body, 0.15);
  EXPECT_LT(body, 0.6);
  for (int x = 0; x < 96; ++x) EXPECT_FALSE(is_clay(picture.pixel(x, 0)));
  for (int y = 0; y < 64; ++y) EXPECT_FALSE(is_clay(picture.pixel(95, y)));
}

TEST_F(RenderCommand, SizesAreTakenAndRefused) {
  for (const auto& [text, width, height] :
       {std::tuple{"1x1", 1, 1}, {"300x20", 300, 20}, {"17x170", 17, 170}}) {
    const Picture picture = drawn({"--size", text});
    EXPECT_EQ(picture.width, width);
    EXPECT_EQ(picture.height, height);
  }
  for (const char* bad : {"0x10", "10x0", "-4x4", "10", "10x", "x10", "10x10x10", "1e2x10",
                          "16385x1", "10*10", " 10x10", "99999999999x1"})
    expect_refused({"-o", "x.png", "--size", bad},
                   std::string("--size ") + bad +
                       ": it must be WIDTHxHEIGHT, such as 1280x720, each from 1 to 16384");
}

TEST_F(RenderCommand, FramesAreTakenAndRefused) {
  const Picture first = drawn({});
  EXPECT_EQ(drawn({"--frames", "2"}), first) << "the first frame unless given";
  EXPECT_FALSE(drawn({"--frames", "9"}) == first);
  EXPECT_EQ(drawn({"--frames", "15"}).width, 96) << "beyond the last the document goes on";
  expect_refused({"-o", "x.png", "--frames", "1"},
                 "--frames 1: before the first frame, 2, there is nothing");
  expect_refused({"-o", "x.png", "--frames", "-3:4"},
                 "--frames -3:4: before the first frame, 2, there is nothing");
  expect_refused({"-o", "x.png", "--frames", "2:5"},
                 "--frames 2:5: 4 pictures do not fit into one .png; name a folder (-o frames/), a "
                 "film (.mp4, .gif), or add --sheet 4x2");
  for (const char* bad : {"soon", "5:2", "2:9:0", "2:9:2:1", "1.5"}) {
    const Ran ran = render({"-o", "x.png", "--frames", bad});
    EXPECT_EQ(ran.code, 2);
    EXPECT_TRUE(ran.err.starts_with("error: --frames ")) << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  }
}

TEST_F(RenderCommand, TheSameBytesWithAnyNumberOfThreads) {
  ASSERT_EQ(render({"-o", "one.png", "--threads", "1"}).code, 0);
  ASSERT_EQ(render({"-o", "two.png", "--threads", "2"}).code, 0);
  EXPECT_FALSE(folder.read("one.png").empty());
  EXPECT_EQ(folder.read("one.png"), folder.read("two.png"));
  EXPECT_EQ(render({"-o", "x.png", "--threads", "0"}).code, 2);
}

TEST_F(RenderCommand, SetIsForThisRunOnly) {
  const Picture wide = drawn({"--set", "box.size=[3, 0.2, 0.2]"});
  const Picture box = drawn({});
  EXPECT_LT(part(wide, is_clay), 0.7 * part(box, is_clay));
  EXPECT_EQ(folder.read("a.json"), moving_box);
  expect_refused({"-o", "x.png", "--set", "box.sise=2"},
                 "a.json: --set box.sise: node 'box' (mesh.box) has no input 'sise'; did you mean "
                 "'size'?");
  expect_refused({"-o", "x.png", "--set", "box"}, "--set box: it must be NODE.PARAM=VALUE");
}

// ---- Views and looks --------------------------------------------------------------------------

TEST_F(RenderCommand, ViewsOfAllScenes) {
  std::vector<Picture> seen;
  for (const char* name : {"three-quarter", "front", "top", "low", "high"}) {
    seen.push_back(drawn({"--view", name}));
    EXPECT_TRUE(is_clay(seen.back().pixel(48, 32))) << name;
    for (std::size_t i = 0; i + 1 < seen.size(); ++i) EXPECT_FALSE(seen[i] == seen.back()) << name;
  }
  EXPECT_EQ(seen[0], drawn({}));
  expect_refused({"-o", "x.png", "--view", "nowhere"},
                 "--view: there is no view 'nowhere'; there are three-quarter, front, back, left, "
                 "right, top, bottom, low, high");
}

TEST_F(RenderCommand, CamerasOfTheDocument) {
  json doc = json::parse(moving_box);
  doc["layout"]["cameras"] = {{"main", {{"yaw", 0}, {"pitch", 0}, {"distance", 30}}},
                              {"near", {{"yaw", 0}, {"pitch", 0}, {"distance", 6}}}};
  folder.write("b.json", doc.dump());
  const double main = part(drawn({}, "b.json"), is_clay);
  EXPECT_GT(main, 0);
  EXPECT_LT(main, 0.02) << "from far away, as the document says";
  EXPECT_GT(part(drawn({"--view", "near"}, "b.json"), is_clay), 10 * main);
  EXPECT_GT(part(drawn({"--view", "front"}, "b.json"), is_clay), 10 * main);
  expect_refused(
      {"-o", "x.png", "--view", "nea"},
      "--view: there is no view 'nea'; there are main, near, three-quarter, front, back, "
      "left, right, top, bottom, low, high",
      2, "b.json");
  doc["layout"]["cameras"]["main"]["distance"] = -1;
  folder.write("b.json", doc.dump());
  expect_refused({"-o", "x.png"},
                 "b.json: camera 'main': 'distance' must be a number from 1e-09 to 1e+12", 2,
                 "b.json");
}

TEST_F(RenderCommand, ShowsFieldsOnTheirBodies) {
  const Picture clay = drawn({"--size", "192x128"});
  const Picture field = drawn({"--size", "192x128", "--show", "height.field"});
  EXPECT_LT(part(clay, is_colourful), 0.001);
  EXPECT_GT(part(field, is_colourful), 0.1);
  EXPECT_EQ(drawn({"--size", "192x128", "--show", "height"}), field) << "the first output";
  // Another map has other colours, and no legend leaves less of them.
  const Picture phase = drawn({"--size", "192x128", "--show", "height", "--map", "phase"});
  EXPECT_FALSE(phase == field);
  const Picture bare = drawn({"--size", "192x128", "--show", "height", "--overlay", "no-legend"});
  EXPECT_FALSE(bare == field);
  expect_refused({"-o", "x.png", "--show", "hight.field"},
                 "a.json: --show: there is no node 'hight'; did you mean 'height'?");
  expect_refused({"-o", "x.png", "--show", "height.feld"},
                 "a.json: --show: node 'height' (field.axis) has no output 'feld'; it has field; "
                 "did you mean 'field'?");
  expect_refused({"-o", "x.png", "--show", "time.seconds"},
                 "a.json: 'time.seconds' is a float, which cannot be seen; show a mesh, a solid, a "
                 "field, directions, obstacles or a chart");
  expect_refused({"-o", "x.png", "--show", "height", "--map", "rainbow"},
                 "--map rainbow: there are sequential, diverging, strain and phase");
}

TEST_F(RenderCommand, OverlaysAddUpAndGoAway) {
  const std::vector<std::string> large{"--size", "192x128"};
  const auto with = [&](const std::vector<std::string>& lists) {
    std::vector<std::string> words = large;
    for (const std::string& list : lists) words.insert(words.end(), {"--overlay", list});
    return drawn(words);
  };
  const Picture plain = with({});
  for (const char* name : {"grid", "wire", "vertices", "normals", "bounds", "axes", "no-ground"})
    EXPECT_FALSE(with({name}) == plain) << name;
  const Picture both = with({"wire,axes"});
  EXPECT_EQ(with({"wire", "axes"}), both);
  EXPECT_EQ(with({"axes,grid,no-grid,wire"}), both) << "the last word counts";
  EXPECT_EQ(with({"none", "ground,legend,labels"}), plain);
  EXPECT_EQ(with({"none"}), with({"no-ground,no-legend,no-labels"}));
  expect_refused(
      {"-o", "x.png", "--overlay", "wires"},
      "--overlay wires: there is no 'wires'; did you mean 'wire'?; there are ground, grid, "
      "wire, vertices, normals, bounds, axes, legend, labels; no- before a name takes it "
      "away, none takes all away");
}

TEST_F(RenderCommand, ShadingsDiffer) {
  std::vector<Picture> seen;
  // A ball: on the flat sides of a box two of them are the same.
  folder.write("ball.json", R"({"sinew": 1, "nodes": [{"id": "b", "type": "mesh.sphere"}]})");
  for (const char* name : {"clay", "facets", "normals", "unlit", "veil"}) {
    seen.push_back(drawn({"--shading", name}, "ball.json"));
    for (std::size_t i = 0; i + 1 < seen.size(); ++i) EXPECT_FALSE(seen[i] == seen.back()) << name;
  }
  EXPECT_EQ(seen[0], drawn({}, "ball.json"));
  expect_refused(
      {"-o", "x.png", "--shading", "cla"},
      "--shading cla: there are clay, facets, normals, unlit, veil; did you mean 'clay'?");
}

TEST_F(RenderCommand, SectionsTakeAHalfAway) {
  // Seen from the front in parallel, halves are halves. A camera of the document's own stays where
  // it is, however much is cut away.
  folder.write("main.json", [] {
    json doc = json::parse(moving_box);
    doc["layout"]["cameras"]["main"] = {
        {"yaw", 0}, {"pitch", 0}, {"distance", 4}, {"parallel", true}};
    return doc.dump();
  }());
  const auto seen = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"--overlay", "none", "--set", "move.rotate=[0, 0, 0]"};
    words.insert(words.end(), more.begin(), more.end());
    return drawn(words, "main.json");
  };
  const double whole = part(seen({}), is_clay);
  ASSERT_GT(whole, 0.1);
  const Picture left = seen({"--section", "x"}), right = seen({"--section", "-x"});
  EXPECT_NEAR(part(left, is_clay), 0.5 * whole, 0.03 * whole);
  EXPECT_NEAR(part(right, is_clay), 0.5 * whole, 0.03 * whole);
  EXPECT_TRUE(is_clay(left.pixel(44, 32)) && !is_clay(left.pixel(52, 32)));
  EXPECT_TRUE(!is_clay(right.pixel(44, 32)) && is_clay(right.pixel(52, 32)));
  EXPECT_NEAR(part(seen({"--section", "y=0.25"}), is_clay), 0.75 * whole, 0.04 * whole);
  EXPECT_NEAR(part(seen({"--section", "-y=0.25"}), is_clay), 0.25 * whole, 0.04 * whole);
  EXPECT_NEAR(part(seen({"--section", "z"}), is_clay), whole, 0.02 * whole) << "a cap closes it";
  for (const char* bad : {"w", "-", "z=", "z=a", "z0.5", "zz", "z=nan", "z=inf", "=1", "z=1,"})
    expect_refused(
        {"-o", "x.png", "--section", bad},
        std::string("--section ") + bad +
            ": it must be an axis with a place on it, such as z, -x or y=0.25; what lies "
            "beyond is cut away, with a minus what lies before");
}

// ---- Sheets -----------------------------------------------------------------------------------

TEST_F(RenderCommand, SheetsHoldManyFrames) {
  const Ran ran = render({"-o", "s.png", "--sheet", "3x2"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_TRUE(ran.out.starts_with("wrote s.png (6 frames, 96 x 64, ")) << ran.out;
  render::SheetLayout layout;
  layout.columns = 3;
  layout.rows = 2;
  layout.cell_width = 96;
  layout.cell_height = 64;
  const Picture sheet = picture("s.png");
  EXPECT_EQ((render::Size{sheet.width, sheet.height}), layout.size());
  for (int row = 0; row < 2; ++row)
    for (int column = 0; column < 3; ++column)
      EXPECT_TRUE(is_clay(sheet.pixel(layout.gap + 48 + column * (96 + layout.gap),
                                      layout.gap + 32 + row * (64 + layout.gap))))
          << column << ", " << row;
  // Fewer frames than cells leave some empty.
  ASSERT_EQ(render({"-o", "s.png", "--sheet", "3x2", "--frames", "2:3"}).code, 0);
  EXPECT_EQ(picture("s.png").pixel(layout.size().width - 50, layout.size().height - 40)[2], 255);
  for (const char* bad : {"0x2", "2", "101x1", "ax2", "-1x2"})
    expect_refused({"-o", "x.png", "--sheet", bad},
                   std::string("--sheet ") + bad +
                       ": it must be COLUMNSxROWS, such as 4x2, each from 1 to 100");
  expect_refused({"-o", "frames/", "--sheet", "2x2"},
                 "--sheet makes one picture: give -o a name that ends with .png");
  expect_refused({"-o", "x.png", "--sheet", "100x100", "--size", "1000x1000"},
                 "--sheet: the whole sheet would be larger than a picture may be");
}

// ---- Where to ---------------------------------------------------------------------------------

TEST_F(RenderCommand, PlacesThatCannotBeWrittenAreNamed) {
  expect_refused({}, "-o is missing: say where to, such as -o x.png, frames/ or x.mp4");
  expect_refused({"-o", ""}, "-o is missing: say where to, such as -o x.png, frames/ or x.mp4");
  expect_refused({"-o", "x.jpg"},
                 "-o x.jpg: the ending may be .png, .gif or .mp4, or a slash for a folder");
  expect_refused({"-o", "none/x.png"}, "-o none/x.png: there is no folder 'none'");
  expect_refused({"-o", "a.json/x.png"}, "-o a.json/x.png: there is no folder 'a.json'");
  // Where nobody can write, not even root.
  const Ran unwritable = render({"-o", "/proc/x.png"});
  EXPECT_EQ(unwritable.code, 2);
  EXPECT_TRUE(unwritable.err.starts_with("error: cannot write '/proc/x.png': ")) << unwritable.err;
  for (const char* out : {"/proc/x/", "/proc/x.gif"}) {
    const Ran ran = render({"-o", out});
    EXPECT_EQ(ran.code, 2);
    EXPECT_TRUE(ran.err.starts_with("error: the folder '/proc/x")) << ran.err;
  }
  folder.write("taken", "a file");
  EXPECT_EQ(render({"-o", "taken"}).err,
            "error: the folder 'taken' is a file, but must be a folder\n");
  EXPECT_EQ(folder.read("taken"), "a file");
  // Endings are read in any case, and an old picture is replaced.
  folder.write("OLD.PNG", "old");
  EXPECT_EQ(render({"-o", "OLD.PNG"}).code, 0);
  EXPECT_EQ(picture("OLD.PNG").width, 96);
}

// ---- Documents --------------------------------------------------------------------------------

TEST_F(RenderCommand, DocumentsWithErrors) {
  expect_refused({"-o", "x.png"}, "none.json: cannot be read: No such file or directory", 2,
                 "none.json");
  folder.write("fails.json", R"({"sinew": 1, "nodes": [
    {"id": "l", "type": "mesh.load", "params": {"file": "gone.obj"}},
    {"id": "s", "type": "mesh.smooth"}], "links": ["l.mesh -> s.mesh"]})");
  const Ran ran = render({"-o", "x.png"}, "fails.json");
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(ran.err.starts_with("error: fails.json: node 'l' (mesh.load): ")) << ran.err;
  EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "x.png"));

  const std::string nothing =
      "there is nothing to see: no output is a body, a field or directions on one";
  folder.write("empty.json", R"({"sinew": 1, "nodes": []})");
  expect_refused({"-o", "x.png"}, "empty.json: " + nothing, 1, "empty.json");
  folder.write("number.json", R"({"sinew": 1, "nodes": [{"id": "f", "type": "value.float"}]})");
  expect_refused({"-o", "x.png"}, "number.json: " + nothing, 1, "number.json");
  // Where a node is the reason, it is named first.
  folder.write("typo.json", R"({"sinew": 1, "nodes": [{"id": "b", "type": "mesh.bux"}]})");
  const Ran typo = render({"-o", "x.png"}, "typo.json");
  EXPECT_EQ(typo.code, 1);
  EXPECT_TRUE(typo.err.starts_with("error: typo.json: node 'b' (mesh.bux): ")) << typo.err;
  EXPECT_NE(typo.err.find("did you mean 'mesh.box'?\nerror: typo.json: " + nothing + "\n"),
            std::string::npos)
      << typo.err;
}

TEST_F(RenderCommand, WarningsDoNotStopIt) {
  folder.write("warn.json", R"({"sinew": 1, "nodes": [
    {"id": "b", "type": "mesh.box", "params": {"sice": 1}}]})");
  const Ran warned = render({"-o", "x.png"}, "warn.json");
  EXPECT_EQ(warned.code, 0);
  EXPECT_TRUE(warned.err.starts_with("warning: warn.json: node 'b' (mesh.box): ")) << warned.err;
  folder.write("nobody.json", R"({"sinew": 1, "nodes": [{"id": "m", "type": "mesh.merge"}]})");
  const Ran empty = render({"-o", "x.png"}, "nobody.json");
  EXPECT_EQ(empty.code, 0);
  EXPECT_EQ(empty.err, "warning: nobody.json: the picture is empty: what is shown has no points\n");
  EXPECT_EQ(part(picture("x.png"), is_clay), 0);
}

std::string cube_obj(double size, double far) {
  std::ostringstream obj;
  obj.precision(12);
  for (int i = 0; i < 8; ++i)
    obj << "v " << far + size * (i & 1) << ' ' << far + size * (i >> 1 & 1) << ' '
        << -far + size * (i >> 2) << '\n';
  obj << "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
  return obj.str();
}

TEST_F(RenderCommand, BodiesOfAnySizeAnywhere) {
  folder.write("load.json", R"({"sinew": 1, "nodes": [
    {"id": "l", "type": "mesh.load", "params": {"file": "x.obj"}}]})");
  folder.write("x.obj", cube_obj(1, 0));
  const double usual = part(drawn({}, "load.json"), is_clay);
  ASSERT_GT(usual, 0.15);
  for (const auto& [size, far] : {std::pair{1e-6, 0.0}, {1e6, 0.0}, {1e5, 1e6}, {100.0, 1e6}}) {
    folder.write("x.obj", cube_obj(size, far));
    const Picture picture = drawn({}, "load.json");
    EXPECT_TRUE(is_clay(picture.pixel(48, 32))) << size << " at " << far;
    EXPECT_NEAR(part(picture, is_clay), usual, 0.15 * usual) << size << " at " << far;
  }
  // What is no number is put at 0 0 0 where it is read, and its node says so.
  folder.write("x.obj", "v 0 0 1\nv 1 0 nan\nv 0 1 0\nf 1 2 3\n");
  const Ran ran = render({"-o", "x.png"}, "load.json");
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.err,
            "warning: load.json: node 'l' (mesh.load): 1 of 3 vertices are not finite in 'x.obj' "
            "and were put at 0 0 0\n");
}

TEST_F(RenderCommand, ChartsAreSeenFromTheFront) {
  folder.write("chart.json", R"({"sinew": 1, "nodes": [{"id": "w", "type": "chart.wave"}]})");
  const Picture chart = drawn({"--size", "192x128"}, "chart.json");
  EXPECT_EQ(chart, drawn({"--size", "192x128", "--view", "front", "--overlay", "no-ground"},
                         "chart.json"));
  EXPECT_FALSE(chart == drawn({"--size", "192x128", "--view", "three-quarter"}, "chart.json"));
}

// ---- Renderers --------------------------------------------------------------------------------

TEST_F(RenderCommand, WithoutADriverItSaysWhatToInstall) {
  const Environment no_driver{{"VK_ICD_FILENAMES", "/nonexistent.json"},
                              {"VK_DRIVER_FILES", "/nonexistent.json"}};
  Environment with_bad_display = no_driver;
  with_bad_display["DISPLAY"] = ":54321";
  for (const Environment& environment : {no_driver, with_bad_display})
    for (const char* renderer : {"auto", "vulkan"}) {
      const Ran ran = render({"-o", "x.png", "--renderer", renderer}, "a.json", environment);
      EXPECT_EQ(ran.code, 2);
      EXPECT_EQ(ran.err,
                "error: no Vulkan driver is installed (Debian: apt-get install "
                "mesa-vulkan-drivers, which also draws without a graphics card)\n");
      EXPECT_FALSE(std::filesystem::exists(folder / "x.png"));
    }
  expect_refused({"-o", "x.png", "--renderer", "opengl"},
                 "OpenGL draws into a window only, and there is none; with no display use "
                 "--renderer vulkan, or start under Xvfb (Debian: apt-get install xvfb)");
  expect_refused({"-o", "x.png", "--renderer", "metal"},
                 "--renderer metal: there are auto, vulkan and opengl");
}

TEST_F(RenderCommand, OpenGlDrawsWhereThereIsADisplay) {
  const Screen screen;
  const Picture vulkan = drawn({"--renderer", "vulkan"});
  const auto on_screen = [&](Environment environment, const std::string& renderer) {
    environment["DISPLAY"] = screen.display();
    const Ran ran = render({"-o", "gl.png", "--renderer", renderer}, "a.json", environment);
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(ran.err, "");
    EXPECT_NE(ran.out.find("96 x 64, opengl, "), std::string::npos) << ran.out;
    const Picture opengl = picture("gl.png");
    EXPECT_NEAR(part(opengl, is_clay), part(vulkan, is_clay), 0.01);
  };
  on_screen({}, "opengl");
  // Where there is no Vulkan, it is found without being asked for.
  on_screen({{"VK_ICD_FILENAMES", "/nonexistent.json"}, {"VK_DRIVER_FILES", "/nonexistent.json"}},
            "auto");
}

// ---- Reports ----------------------------------------------------------------------------------

TEST_F(RenderCommand, ReportsForMachines) {
  const auto report = [&](const std::vector<std::string>& words, int code) {
    std::vector<std::string> all = words;
    all.push_back("--json");
    const Ran ran = render(all);
    EXPECT_EQ(ran.code, code) << ran.err;
    json parsed = json::parse(ran.out);
    for (const char* field : {"file", "ok", "wrote", "frames", "rendered", "kept", "size",
                              "renderer", "seconds", "messages"})
      EXPECT_TRUE(parsed.contains(field)) << field;
    EXPECT_EQ(parsed["file"], "a.json");
    EXPECT_EQ(parsed["ok"], code == 0);
    return parsed;
  };
  const json good = report({"-o", "x.png"}, 0);
  EXPECT_EQ(good["wrote"], json({"x.png"}));
  EXPECT_EQ(good["rendered"], 1);
  EXPECT_EQ(good["size"], json({96, 64}));
  EXPECT_EQ(good["renderer"], "vulkan");
  EXPECT_EQ(good["messages"], json::array());
  const json bad = report({"-o", "x.png", "--view", "nowhere"}, 2);
  EXPECT_EQ(bad["wrote"], json::array());
  EXPECT_EQ(bad["frames"], 0);
  ASSERT_EQ(bad["messages"].size(), 1u);
  EXPECT_EQ(bad["messages"][0]["severity"], "error");
  const json failing = report({"-o", "x.png", "--set", "box.size=nan"}, 1);
  EXPECT_EQ(failing["messages"][0]["node"], "box");
  EXPECT_EQ(failing["rendered"], 0);
}

}  // namespace
}  // namespace sinew
