// The web page of a library: its models, its pictures of graphs, and the command that makes it.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <set>

#include "app/cli/library_check.h"
#include "app/cli/program.h"
#include "app/gallery/graph_svg.h"
#include "app/gallery/model_blob.h"
#include "app/gallery/page.h"
#include "app/library/previews.h"
#include "graph/plain_text.h"
#include "render/jpeg_file.h"
#include "tests/app/run_program.h"
#include "tests/preset_files.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using testing::Ran;
using testing::run_program;
using testing::TemporaryFolder;

// A sheet of n x n squares that a wave runs through.
exchange::Scene wave(int n, double phase) {
  Mesh mesh;
  auto topology = std::make_shared<Topology>();
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) {
      const auto x = static_cast<float>(i) / static_cast<float>(n);
      const auto y = static_cast<float>(0.2 * std::sin(7.0 * static_cast<double>(x) + phase));
      mesh.positions.emplace_back(x, y, static_cast<float>(j) / static_cast<float>(n));
    }
  const auto at = [&](int i, int j) { return static_cast<uint32_t>(j * (n + 1) + i); };
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      topology->triangles.push_back({at(i, j), at(i, j + 1), at(i + 1, j)});
      topology->triangles.push_back({at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)});
    }
  mesh.topology = topology;
  exchange::Scene scene;
  exchange::Body body;
  body.name = "sheet";
  body.mesh = mesh;
  body.colour = {1, 0.5f, 0};
  scene.bodies.push_back(body);
  return scene;
}

struct Read {
  Json head;
  std::string data;
};

Read read_blob(const std::string& blob) {
  uint32_t length = 0;
  std::memcpy(&length, blob.data(), 4);
  Read read;
  read.head = Json::parse(blob.substr(4, length));
  read.data = blob.substr((4 + length + 3) / 4 * 4);
  return read;
}

TEST(Gallery, AModelComesBackNearlyAsItWas) {
  std::vector<exchange::Scene> frames;
  for (int f = 0; f < 5; ++f) frames.push_back(wave(12, 0.7 * f));
  const Read read = read_blob(gallery::model_blob(frames, 2.5));
  EXPECT_EQ(read.head["frames"], 5);
  EXPECT_EQ(read.head["seconds"], 2.5);
  ASSERT_EQ(read.head["pieces"].size(), 1u);
  const Json& piece = read.head["pieces"][0];
  EXPECT_EQ(piece["vertices"], 13 * 13);
  EXPECT_EQ(piece["triangles"], 2 * 12 * 12);
  EXPECT_EQ(piece["colour"], (Json{255, 130, 0}));
  const std::size_t vertices = 13 * 13, indices = (3 * 2 * 12 * 12 * 2 + 3) / 4 * 4;
  EXPECT_EQ(read.data.size(), indices + (5 * vertices * 6 + 3) / 4 * 4);
  std::vector<int16_t> now(3 * vertices, 0);
  for (std::size_t f = 0; f < 5; ++f)
    for (std::size_t i = 0; i < 3 * vertices; ++i) {
      uint16_t step = 0;
      std::memcpy(&step, read.data.data() + indices + 2 * (f * 3 * vertices + i), 2);
      now[i] = static_cast<int16_t>(static_cast<uint16_t>(now[i]) + step);
      const double low = read.head["box"][0][i % 3], high = read.head["box"][1][i % 3];
      const double place = (low + high) / 2 + now[i] / 32767.0 * 0.5;  // the largest side is 1
      EXPECT_NEAR(place, frames[f].bodies[0].mesh.positions[i / 3][static_cast<int>(i % 3)],
                  1.3e-4);
    }
}

TEST(Gallery, LargeModelsAreThinnedAndStayWhole) {
  const exchange::Scene large = wave(200, 0);
  const gallery::Thinned thin = gallery::thinned(large.bodies[0].mesh, 1000);
  EXPECT_LE(thin.vertices.size(), 1000u);
  EXPECT_GT(thin.vertices.size(), 500u);
  double area = 0;
  for (const auto& t : thin.triangles) {
    std::vector<Vec3f> p;
    for (const uint32_t v : t) {
      ASSERT_LT(v, thin.vertices.size());
      p.push_back(large.bodies[0].mesh.positions[thin.vertices[v].front()]);
    }
    area += 0.5 * static_cast<double>(std::abs((p[1] - p[0]).cross(p[2] - p[0]).y()));
  }
  EXPECT_NEAR(area, 1, 0.1) << "no holes";
  EXPECT_EQ(gallery::thinned(wave(3, 0).bodies[0].mesh, 1000).vertices.size(), 16u);
}

TEST(Gallery, BodiesThatComeAndGoAreLeftOut) {
  std::vector<exchange::Scene> frames = {wave(3, 0), wave(3, 1)};
  frames[1].bodies[0].name = "another";
  EXPECT_EQ(gallery::model_blob(frames, 1), "");
  EXPECT_EQ(gallery::model_blob({}, 1), "");
}

TEST(Gallery, Base64) {
  EXPECT_EQ(gallery::base64(""), "");
  EXPECT_EQ(gallery::base64("f"), "Zg==");
  EXPECT_EQ(gallery::base64("fo"), "Zm8=");
  EXPECT_EQ(gallery::base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(gallery::gzipped(std::string(100000, 'x')).substr(0, 2), "\x1f\x8b");
}

TEST(Gallery, NothingOfAPresetBecomesMarkup) {
  GraphDoc doc;
  NodeDoc node;
  node.id = "a";
  node.type = "x";
  node.label = "<script>alert(1)</script>\"'&";
  doc.graph.nodes.push_back(node);
  const std::string svg = gallery::graph_svg(doc, Registry());
  EXPECT_EQ(svg.find("<script"), std::string::npos) << svg;
  EXPECT_NE(svg.find("&lt;script"), std::string::npos);
  const std::string page = gallery::page(
      {{"title", "</script><script>alert(1)</script>"}, {"presets", Json::array()}}, {});
  EXPECT_EQ(page.find("alert(1)</script>"), std::string::npos);
  EXPECT_EQ(page.find("SINEW-DATA"), std::string::npos);
  EXPECT_EQ(page.find("SINEW-STYLE"), std::string::npos);
  EXPECT_EQ(page.find("SINEW-SCRIPT"), std::string::npos);
  EXPECT_EQ(gallery::graph_svg(GraphDoc(), Registry()), "");
}

TEST(Previews, SayOfWhatTheyAre) {
  const render::Picture picture = render::filled(32, 20, {200, 90, 30, 255});
  const Key key = library::key_of_text("a"), other = library::key_of_text("b");
  const library::FilmFacts film{24, 6, 240, 150, 2.4};
  const std::string bytes = render::encode_jpeg(picture, 80, library::preview_comment(key, film));
  EXPECT_EQ(bytes.substr(0, 2), "\xff\xd8");
  const auto read = library::read_preview(render::jpeg_comment(bytes), key);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->frames, 24);
  EXPECT_EQ(read->columns, 6);
  EXPECT_EQ(read->height, 150);
  EXPECT_DOUBLE_EQ(read->seconds, 2.4);
  EXPECT_FALSE(library::read_preview(render::jpeg_comment(bytes), other));
  EXPECT_EQ(render::jpeg_comment(render::encode_jpeg(picture, 80)), "");
  for (std::size_t cut = 0; cut < 40; ++cut) (void)render::jpeg_comment(bytes.substr(0, cut));
  EXPECT_EQ(render::encode_jpeg(render::Picture{3, 3, {}}, 80), "");
}

TEST(Previews, ShowOneRoundOrAFewSeconds) {
  GraphDoc doc;
  doc.settings.fps = 25;
  doc.settings.last_frame = 400;
  doc.meta.extra["picture_frame"] = 200;
  library::PreviewFrames f = library::preview_frames(doc);
  EXPECT_EQ(f.first, 169);
  EXPECT_EQ(f.last, 231);
  doc.meta.extra["period"] = 2;
  doc.meta.extra["settles"] = 1;
  f = library::preview_frames(doc);
  EXPECT_EQ(f.first, 25);
  EXPECT_EQ(f.last, 75);
  doc.settings.last_frame = 0;
  f = library::preview_frames(doc);
  EXPECT_EQ(f.first, f.last);
  doc.meta.extra["picture_frame"] = "soon";
  doc.meta.extra["period"] = -5;
  (void)library::preview_frames(doc);
}

TEST(GalleryCommand, MakesAPageAndPacks) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "own/anna");
  folder.write("own/anna/ball.json", R"({"sinew": 1,
    "meta": {"name": "anna/ball", "version": "1.0.0", "title": "Ball <b>", "expose": ["ball.radius"]},
    "settings": {"last_frame": 10},
    "nodes": [{"id": "ball", "type": "mesh.sphere",
               "params": {"radius": {"animate": {"points": [[0, 0.5], [10, 1]], "x_unit": "frames"}}}},
              {"id": "show", "type": "view"}],
    "links": ["ball.mesh -> show.value"]})");
  const Ran ran = run_program({"gallery", "--own", "--library", "own", "-o", "site"}, folder.path);
  ASSERT_EQ(ran.code, 0) << ran.err;
  const std::string page = folder.read("site/index.html");
  const std::string open = "id=\"library\">";
  const std::size_t at = page.find(open);
  ASSERT_NE(at, std::string::npos);
  const Json library =
      Json::parse(page.substr(at + open.size(), page.find("</script>", at) - at - open.size()));
  ASSERT_EQ(library["presets"].size(), 1u);
  const Json& ball = library["presets"][0];
  EXPECT_EQ(ball["title"], "Ball <b>");
  EXPECT_EQ(ball["parameters"].size(), 1u);
  EXPECT_FALSE(ball["film"].is_null());
  EXPECT_EQ(ball["model"], "model-0");
  EXPECT_TRUE(ball["still"].get<std::string>().starts_with("data:image/jpeg;base64,"));
  EXPECT_EQ(fs::file_size(folder / ("site/" + ball["download"]["href"].get<std::string>())),
            ball["download"]["bytes"].get<std::size_t>());
  EXPECT_EQ(run_program({"gallery", "-o", ""}, folder.path).code, 2);
  EXPECT_EQ(run_program({"gallery", "nothing", "-o", "x"}, folder.path).code, 2);
  // What lies beside a preset is taken as it is, as long as it is current.
  const Ran drawn =
      run_program({"presets", "--library", "own", "preview", "anna/ball"}, folder.path);
  EXPECT_NE(drawn.out.find("1 drawn"), std::string::npos) << drawn.out << drawn.err;
  EXPECT_TRUE(fs::exists(folder / "own/anna/previews/ball_film.jpg"));
  EXPECT_NE(run_program({"presets", "--library", "own", "preview", "anna/ball"}, folder.path)
                .out.find("0 drawn"),
            std::string::npos);
}

// ./dev library runs them for 120 frames and takes the time; here their words, their previews, and
// that those repeat that say so.
TEST(PresetsCheck, TheLibraryKeepsWhatItPromises) {
  for (const fs::path& file : testing::preset_files()) {
    if (file.stem() == "exchange")
      continue;  // it has a test of its own, which takes most of a minute
    const cli::PresetReport report = cli::check_preset(
        library::describe_preset(file, file.parent_path(), cli::registry()), {31, false});
    for (const std::string& flaw : report.flaws) ADD_FAILURE() << file << ": " << flaw;
  }
}

TEST(PresetsCheck, FindsWhatIsWrong) {
  const TemporaryFolder folder;
  folder.write("a.json", R"({"sinew": 1, "meta": {"period": 0.4, "frame_ms": 1e-6},
    "settings": {"last_frame": 100},
    "nodes": [{"id": "ball", "type": "mesh.sphere",
               "params": {"radius": {"animate": {"points": [[0, 0.5], [100, 1]], "x_unit": "frames"}}}},
              {"id": "show", "type": "view"}],
    "links": ["ball.mesh -> show.value"]})");
  const Ran ran = run_program({"presets", "check", "a.json", "--json"}, folder.path);
  EXPECT_EQ(ran.code, 1) << ran.err;
  const Json report = Json::parse(ran.out, nullptr, false);
  ASSERT_EQ(report.size(), 1u) << ran.out;
  const std::string flaws = report[0]["flaws"].dump();
  for (const char* part : {"namespace/name", "version", "title", "author", "licence", "tags",
                           "no preview", "repeats after 0.4 s", "it states 1e-06"})
    EXPECT_NE(flaws.find(part), std::string::npos) << part << ": " << flaws;
  EXPECT_EQ(report[0]["frames"], 120);
}

// What presets say of themselves steers no browser: all texts are cleaned where the page is made.
TEST(Gallery, ShowsPlainTextsOnly) {
  const std::string control = "\x1b[31m\x7f\xC2\x9B\xE2\x80\xAE\xE2\x81\xA6";
  const Json library = {
      {"title", control},
      {"presets", {{{"title", "a" + control}, {"tags", {control}}, {control, 1}}}}};
  const std::string html = gallery::page(library, {});
  for (const char* one : {"\x1b", "\x7f", "\xC2\x9B", "\xE2\x80\xAE", "\xE2\x81\xA6", "\\u001b",
                          "\\u202e", "\\u009b"})
    EXPECT_EQ(html.find(one), std::string::npos) << plain_line(one);
  EXPECT_NE(html.find("\"a [31m"), std::string::npos);
}

}  // namespace
}  // namespace sinew
