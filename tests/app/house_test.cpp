// The house has rooms, and dependencies go one way only. This reads every source file of ours and
// checks what it includes against the table in docs/architecture.md.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct Room {
  std::string folder;              // "nodes/kernels/"; the longest match is a file's room
  std::vector<std::string> rooms;  // folders that it may include from, besides its own
  std::vector<std::string> files;  // single headers of other rooms
  std::vector<std::string> libraries;
};

// The standard library and POSIX are open to all; everything else is listed.
const std::vector<Room>& house() {
  static const std::vector<Room> rooms = {
      {"base/", {}, {}, {}},
      {"graph/", {"base/"}, {}, {"tbb/", "cereal/", "nlohmann/", "fmt/", "zstd.h"}},
      {"nodes/geometry/", {"base/"}, {}, {"Eigen/", "tbb/", "fmt/", "nlohmann/"}},
      {"nodes/geometry/reader/",
       {"base/", "nodes/geometry/"},
       {},
       {"Eigen/", "assimp/", "tbb/", "fmt/", "nlohmann/"}},
      {"nodes/kernels/", {"nodes/geometry/"}, {}, {"Eigen/", "tbb/", "fmt/", "nanoflann", "LBFGS"}},
      {"nodes/", {"graph/", "nodes/"}, {"render/draw_list.h"}, {"Eigen/", "fmt/"}},
      {"render/", {}, {}, {"bgfx/", "bx/", "bimg/", "fmt/", "Eigen/", "tbb/", "png.h", "stb/"}},
      {"exchange/",
       {"graph/", "nodes/geometry/", "nodes/kernels/"},
       {"render/draw_list.h", "render/colour_maps.h", "render/mesh_corners.h"},
       {"Eigen/", "fmt/", "tiny_gltf.h"}},
      {"app/library/", {"base/", "graph/", "app/library/"}, {}, {"fmt/"}},
      {"app/gallery/",
       {"graph/", "app/library/", "app/gallery/"},
       {"exchange/animation.h"},
       {"fmt/", "zlib.h"}},
      {"app/mpi/", {}, {}, {"mpi.h"}},
      {"app/window/", {}, {"graph/result.h", "render/device.h"}, {"fmt/", "SDL2/"}},
      {"app/ui/",
       {"app/window/"},
       {"graph/result.h", "render/interface_layer.h", "render/letters.h"},
       {"fmt/", "imgui", "imnodes", "implot"}},
      {"app/cli/",
       {"base/", "graph/", "render/", "exchange/", "app/library/", "app/gallery/"},
       {"app/scene.h", "app/cameras.h", "app/mpi/module.h", "app/window/window.h", "nodes/lost.h",
        "nodes/register_all_nodes.h", "nodes/show.h"},
       {"fmt/"}},
      {"app/editor/",
       {"graph/", "render/", "app/library/", "app/ui/", "app/window/"},
       {"app/scene.h", "app/cameras.h", "app/cli/open_graph.h", "app/cli/program.h",
        "app/cli/render_words.h", "nodes/show.h"},
       {"fmt/", "imgui", "imnodes", "implot"}},
      {"app/",
       {"graph/", "render/", "app/"},
       {"nodes/register_all_nodes.h", "nodes/show.h"},
       {"CLI/", "fmt/"}},
  };
  return rooms;
}

const Room* room_of(const std::string& path) {
  const Room* best = nullptr;
  for (const Room& room : house())
    if (path.starts_with(room.folder) && (!best || room.folder.size() > best->folder.size()))
      best = &room;
  return best;
}

bool starts_with_any(const std::string& text, const std::vector<std::string>& starts) {
  for (const std::string& s : starts)
    if (text.starts_with(s)) return true;
  return false;
}

// Headers without a folder and without an ending are the standard library's; sys/ and the like are
// the system's.
bool is_standard(const std::string& header) {
  static const std::set<std::string> posix = {"fcntl.h",     "unistd.h", "dirent.h", "signal.h",
                                              "immintrin.h", "spawn.h",  "dlfcn.h",  "poll.h"};
  return header.find_first_of("/.") == std::string::npos || header.starts_with("sys/") ||
         posix.contains(header);
}

// What is wrong with one include of a file in a room; empty: nothing.
std::string complaint(const Room& room, const std::string& header, bool quoted) {
  const Room* other = room_of(header);
  if (quoted) {
    if (!other) return "is in no room";
    const bool own = other == &room;
    const bool allowed =
        starts_with_any(header, room.rooms) ||
        std::find(room.files.begin(), room.files.end(), header) != room.files.end();
    return own || allowed ? "" : "belongs to a room that this one may not know";
  }
  if (is_standard(header) || starts_with_any(header, room.libraries)) return "";
  return "is a library that this room may not know";
}

std::vector<std::string> complaints_about(const std::string& path, std::istream& text) {
  std::vector<std::string> list;
  const Room* room = room_of(path);
  if (!room) return list;
  static const std::regex include(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
  std::string line;
  for (int number = 1; std::getline(text, line); ++number) {
    std::smatch match;
    if (!std::regex_search(line, match, include)) continue;
    const std::string wrong = complaint(*room, match[2], match[1] == "\"");
    if (!wrong.empty())
      list.push_back(path + ":" + std::to_string(number) + ": " + match[2].str() + " " + wrong);
  }
  return list;
}

std::vector<std::string> source_files() {
  std::vector<std::string> files;
  for (const char* top : {"base", "graph", "nodes", "render", "exchange", "app"}) {
    const fs::path folder = fs::path(SINEW_SOURCE_DIR) / top;
    if (!fs::exists(folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const std::string ending = entry.path().extension();
      if (ending == ".cpp" || ending == ".h" || ending == ".c" || ending == ".in")
        files.push_back(fs::relative(entry.path(), SINEW_SOURCE_DIR).string());
    }
  }
  return files;
}

TEST(House, DependenciesGoOneWay) {
  const std::vector<std::string> files = source_files();
  EXPECT_GT(files.size(), 50u) << "the sources were not found";
  for (const std::string& file : files) {
    std::ifstream text(fs::path(SINEW_SOURCE_DIR) / file);
    for (const std::string& wrong : complaints_about(file, text)) ADD_FAILURE() << wrong;
  }
}

// What a file says of itself must not speak to a terminal: only say.h prints, and the bar, whose
// words are its own or cleaned. The crash handler may call nothing but write().
TEST(House, TheCommandLineSpeaksInOnePlace) {
  const std::set<std::string> may = {"app/cli/say.h", "app/cli/progress_bar.cpp",
                                     "app/editor/recovery.cpp"};
  const std::regex prints(
      R"((fmt::v?print\b|std::print|\bf?printf\s*\(|\bf?puts\s*\(|\bputchar\b|\bfwrite\s*\(|)"
      R"(std::c(out|err|log)\s*<<|(^|[^\w>])::write\s*\())");
  int speakers = 0;
  for (const std::string& file : source_files()) {
    if (!file.starts_with("app/")) continue;
    std::ifstream text(fs::path(SINEW_SOURCE_DIR) / file);
    std::string line;
    for (int number = 1; std::getline(text, line); ++number) {
      if (!std::regex_search(line, prints)) continue;
      ++speakers;
      EXPECT_TRUE(may.contains(file)) << file << ":" << number << ": " << line;
    }
  }
  EXPECT_GE(speakers, 3) << "the pattern finds nothing any more";
}

// Where documents are opened is where strangers are told from others: whoever takes a file's text
// apart by himself would open theirs as one's own. Recovered work is text that this program wrote.
TEST(House, DocumentsAreOpenedInOnePlace) {
  const std::regex parses(R"(\bparse_document\s*\()");
  for (const std::string& file : source_files()) {
    if (file.starts_with("graph/") || file == "app/editor/overlays/recovery.cpp") continue;
    std::ifstream text(fs::path(SINEW_SOURCE_DIR) / file);
    std::string line;
    for (int number = 1; std::getline(text, line); ++number)
      EXPECT_FALSE(std::regex_search(line, parses)) << file << ":" << number << ": " << line;
  }
}

// What is put in time as a product with the length of a frame, and asked for as a quotient, comes a
// frame late at some frames. The kernel may not include the header, and has the same quotient.
TEST(House, FramesBecomeSecondsInOnePlace) {
  const std::set<std::string> may = {"graph/frame_time.h", "nodes/kernels/meshless_keys.cpp"};
  const std::regex becomes(
      R"([*/] *(e\.|context\.)?dt\(\)|\bdt\(\) *\*|\bframe *\* *dt\b|\bframe */ *[\w.]*fps_?\b)");
  std::set<std::string> found;
  for (const std::string& file : source_files()) {
    std::ifstream text(fs::path(SINEW_SOURCE_DIR) / file);
    std::string line;
    for (int number = 1; std::getline(text, line); ++number) {
      const bool speaks =
          line.find("dt") != std::string::npos || line.find("fps") != std::string::npos;
      if (!speaks || !std::regex_search(line, becomes)) continue;
      found.insert(file);
      EXPECT_TRUE(may.contains(file)) << file << ":" << number << ": " << line;
    }
  }
  EXPECT_EQ(found, may) << "the pattern finds less than it did";
}

// Only the loops of these two headers know how to stop, or that they need not.
TEST(House, LoopsInParallelAreThoseThatCanBeStopped) {
  const std::set<std::string> known = {"nodes/geometry/parallel.h", "render/blocks.h"};
  size_t seen = 0;
  for (const std::string& file : source_files()) {
    std::ifstream text(fs::path(SINEW_SOURCE_DIR) / file);
    const std::string all((std::istreambuf_iterator<char>(text)), {});
    if (all.find("tbb::parallel_") == std::string::npos) continue;
    EXPECT_TRUE(known.contains(file)) << file << " has a loop of its own; use parallel_blocks";
    ++seen;
  }
  EXPECT_EQ(seen, known.size());
}

TEST(House, TheCheckSeesWhatIsWrong) {
  const std::map<std::string, std::string> wrong = {
      {"graph/a.cpp", "#include <Eigen/Core>"},
      {"graph/b.h", "#include \"nodes/geometry/mesh.h\""},
      {"nodes/kernels/c.cpp", "  #  include \"graph/value.h\""},
      {"nodes/geometry/d.cpp", "#include \"nodes/kernels/noise.h\""},
      {"nodes/mesh/e.cpp", "#include <imgui.h>"},
      {"nodes/mesh/f.cpp", "#include \"app/cli/program.h\""},
      {"nodes/mesh/g.cpp", "#include \"render/device.h\""},
      {"render/h.cpp", "#include \"graph/value.h\""},
      {"app/i.cpp", "#include \"nodes/values.h\""},
      {"app/j.cpp", "#include <assimp/Importer.hpp>"},
      {"exchange/k.cpp", "#include \"app/scene.h\""},
      {"app/library/l.cpp", "#include \"app/cli/program.h\""},
      {"app/gallery/m.cpp", "#include <imgui.h>"},
      {"app/cli/n.cpp", "#include \"app/editor/editor.h\""},
      {"app/ui/o.cpp", "#include \"app/editor/session.h\""},
      {"app/window/p.cpp", "#include <imgui.h>"},
      {"app/editor/panels/q.cpp", "#include <SDL2/SDL.h>"},
      {"app/editor/r.cpp", "#include \"app/cli/render_command.h\""},
      {"nodes/geometry/s.cpp", "#include <assimp/Importer.hpp>"},
      {"nodes/geometry/t.cpp", "#include \"nodes/geometry/reader/limits.h\""},
  };
  for (const auto& [file, text] : wrong) {
    std::istringstream stream(text);
    EXPECT_EQ(complaints_about(file, stream).size(), 1u) << file << ": " << text;
  }
  const std::map<std::string, std::string> right = {
      {"graph/a.cpp", "#include <tbb/task_group.h>\n#include <vector>\n#include \"graph/key.h\""},
      {"nodes/mesh/b.cpp", "#include \"nodes/kernels/noise.h\"\n#include \"graph/exec.h\""},
      {"nodes/mesh/c.cpp", "#include \"render/draw_list.h\""},
      {"app/d.cpp", "#include \"nodes/register_all_nodes.h\"\n#include <sys/wait.h>"},
      {"app/e.cpp", "#include \"nodes/show.h\""},
      {"app/f.cpp", "#include \"app/editor/editor.h\"\n#include <CLI/CLI.hpp>"},
      {"app/editor/panels/g.cpp", "#include \"app/ui/theme.h\"\n#include <imgui_internal.h>"},
      {"exchange/h.cpp", "#include \"nodes/kernels/measure.h\"\n#include <tiny_gltf.h>"},
  };
  for (const auto& [file, text] : right) {
    std::istringstream stream(text);
    EXPECT_TRUE(complaints_about(file, stream).empty()) << file;
  }
}

}  // namespace
