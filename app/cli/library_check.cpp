#include "app/cli/library_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>

#include "app/cli/open_graph.h"
#include "app/cli/program.h"
#include "app/cli/progress_bar.h"
#include "app/cli/say.h"
#include "app/library/meta_words.h"
#include "app/library/previews.h"
#include "app/scene.h"
#include "graph/atomic_file.h"
#include "graph/preset_pack.h"
#include "render/bounds.h"
#include "render/jpeg_file.h"

namespace sinew::cli {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using library::PresetInfo;

// What repeats comes back this near, in parts of its size.
constexpr double repeats_within = 1e-3;

void check_words(const PresetInfo& preset, std::vector<std::string>& flaws) {
  const Meta& m = preset.meta;
  if (const std::string flaw = flaw_of_preset_name(m.name); !flaw.empty()) flaws.push_back(flaw);
  if (!is_semantic_version(m.version)) flaws.push_back("it has no version such as 1.0.0");
  for (const auto& [what, text] :
       std::vector<std::pair<const char*, std::string>>{{"title", m.title},
                                                        {"description", m.description},
                                                        {"author", m.author},
                                                        {"licence", m.licence}})
    if (text.empty()) flaws.push_back(fmt::format("it has no {}", what));
  if (m.tags.empty()) flaws.push_back("it has no tags");
}

void check_previews(const PresetInfo& preset, std::vector<std::string>& flaws) {
  constexpr std::size_t most = std::size_t{16} << 20;
  const Result<std::string> still = read_file(library::still_of(preset.file), most);
  if (!still)
    flaws.push_back("it has no preview; sinew presets preview makes one");
  else if (!library::read_preview(render::jpeg_comment(*still), preset.key))
    flaws.push_back("its preview is of an older text; sinew presets preview makes a new one");
  else if (preset.moves) {
    const Result<std::string> film = read_file(library::film_of(preset.file), most);
    if (film && !library::read_preview(render::jpeg_comment(*film), preset.key))
      flaws.push_back("its film is of an older text");
  }
}

// All vertices that are seen.
std::vector<Eigen::Vector3f> places_of(const draw::DrawList& list) {
  std::vector<Eigen::Vector3f> all;
  for (const draw::Mesh& mesh : list.meshes)
    for (const auto& p : mesh.positions) all.emplace_back(p[0], p[1], p[2]);
  return all;
}

double difference(const std::vector<Eigen::Vector3f>& a, const std::vector<Eigen::Vector3f>& b) {
  if (a.size() != b.size()) return 1;
  Eigen::AlignedBox3f box;
  float most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    box.extend(a[i]);
    most = std::max(most, (a[i] - b[i]).norm());
  }
  const float size = box.isEmpty() ? 0 : box.diagonal().norm();
  return size > 0 ? static_cast<double>(most / size) : 0;
}

class Run {
 public:
  Run(const PresetInfo& preset, const CheckRules& rules, PresetReport& report)
      : preset_(preset), rules_(rules), report_(report) {}

  void go() {
    if (const Result<void> ok = open_graph(preset_.file.string(), {}, opened_); !ok)
      return report_.flaws.push_back(ok.error());
    for (const NodeMessage& m : opened_.messages) say(m, -1);
    for (const NodeMessage& m : opened_.graph->messages()) say(m, -1);
    Result<Scene> scene = Scene::plan(opened_.doc, opened_.graph, {});
    if (!scene) return report_.flaws.push_back(scene.error());
    const Settings& s = opened_.doc.settings;
    const int last = std::max(s.first_frame + rules_.frames - 1, last_of_rounds());
    std::vector<double> times;
    for (int frame = s.first_frame; frame <= last; ++frame) {
      const auto begin = Clock::now();
      const Evaluation e = evaluator_.evaluate(
          *opened_.graph, scene->targets(), context_of(opened_.doc, preset_.file.string(), frame));
      times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
      for (const NodeMessage& m : e.messages(*opened_.graph)) say(m, frame);
      if (e.failed()) break;
      keep_if_round(frame, *scene, e);
    }
    report_.frames = static_cast<int>(times.size());
    report_.first_ms = times.front();
    if (times.size() > 1) {
      const auto middle = times.begin() + static_cast<long>(times.size()) / 2;
      std::nth_element(times.begin() + 1, std::max(middle, times.begin() + 1), times.end());
      report_.frame_ms = *std::max(middle, times.begin() + 1);
    }
    check_rounds();
    report_.stated_ms = library::named_number(preset_.meta, "frame_ms");
    if (rules_.timing && report_.stated_ms > 0 && report_.frame_ms > report_.stated_ms)
      report_.flaws.push_back(fmt::format("a frame takes {:.3g} ms, and it states {:g}",
                                          report_.frame_ms, report_.stated_ms));
  }

 private:
  void say(const NodeMessage& m, int frame) {
    if (m.message.severity == Severity::info) return;  // what is only noted is no flaw
    if (!said_.insert(m.path + m.message.text).second) return;
    report_.flaws.push_back(fmt::format("{}node '{}' ({}): {}",
                                        frame < 0 ? "" : fmt::format("frame {}: ", frame), m.path,
                                        m.type, m.message.text));
  }

  int round() const {
    return static_cast<int>(
        std::lround(library::named_number(preset_.meta, "period") * opened_.doc.settings.fps));
  }
  int settled() const {
    return opened_.doc.settings.first_frame +
           static_cast<int>(std::ceil(library::named_number(preset_.meta, "settles") *
                                      opened_.doc.settings.fps));
  }
  // Three moments of a round, and the same of the next.
  std::vector<int> moments() const {
    const int n = round();
    return {settled(), settled() + n / 3, settled() + 2 * n / 3};
  }
  int last_of_rounds() const { return round() > 0 ? moments().back() + round() : 0; }

  void keep_if_round(int frame, const Scene& scene, const Evaluation& e) {
    if (round() <= 0) return;
    for (const int m : moments())
      if (frame == m || frame == m + round())
        kept_[frame] = places_of(scene.draw(e, ShowOptions()).list);
  }

  void check_rounds() {
    if (round() <= 0) return;
    for (const int m : moments())
      if (kept_.contains(m) && kept_.contains(m + round()))
        report_.repeats_within =
            std::max(report_.repeats_within, difference(kept_[m], kept_[m + round()]));
    if (report_.repeats_within > repeats_within)
      report_.flaws.push_back(
          fmt::format("it says that it repeats after {:g} s, and is {:.2g} of its size away then",
                      library::named_number(preset_.meta, "period"), report_.repeats_within));
  }

  const PresetInfo& preset_;
  const CheckRules& rules_;
  PresetReport& report_;
  OpenedGraph opened_;
  Evaluator evaluator_;
  std::set<std::string> said_;
  std::map<int, std::vector<Eigen::Vector3f>> kept_;
};

Json json_of(const PresetReport& r) {
  return {{"name", r.name},           {"ok", r.flaws.empty()},
          {"flaws", r.flaws},         {"frames", r.frames},
          {"first_ms", r.first_ms},   {"frame_ms", r.frame_ms},
          {"stated_ms", r.stated_ms}, {"repeats_within", r.repeats_within}};
}

}  // namespace

PresetReport check_preset(const PresetInfo& preset, const CheckRules& rules) {
  PresetReport report;
  report.name = preset.name;
  if (!preset.error.empty()) {
    report.flaws.push_back(preset.error);
    return report;
  }
  check_words(preset, report.flaws);
  check_previews(preset, report.flaws);
  Run(preset, rules, report).go();
  return report;
}

int run_library_check(const PresetsOptions& options) {
  if (const Result<void> ok = check_library(options); !ok)
    return print_error("", ok.error()), call_error;
  const library::LibraryIndex index = open_library(options);
  std::vector<PresetInfo> list;
  for (const std::string& word : options.words) {
    const Result<fs::path> file = find_preset(index, word);
    if (!file) return print_error("", file.error()), call_error;
    list.push_back(library::describe_preset(*file, file->parent_path(), registry()));
  }
  if (options.words.empty()) list = index.presets();
  const std::atomic<bool>* stop = stop_on_interrupt();
  ProgressBar bar("checking", static_cast<int64_t>(list.size()));
  const auto begin = Clock::now();
  Json reports = Json::array();
  int flawed = 0;
  for (const PresetInfo& preset : list) {
    if (*stop) return interrupted;
    const PresetReport report = check_preset(preset, {});
    bar.advance();
    reports.push_back(json_of(report));
    flawed += report.flaws.empty() ? 0 : 1;
    if (options.json) continue;
    say("{} {:32} {:3} frames, first {:.0f} ms, then {:.2f} ms{}\n",
        report.flaws.empty() ? "ok  " : "FLAW", report.name, report.frames, report.first_ms,
        report.frame_ms, report.stated_ms > 0 ? fmt::format(" of {:g}", report.stated_ms) : "");
    for (const std::string& flaw : report.flaws) say("       {}\n", flaw);
  }
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  if (options.json)
    say_lines(json_text(reports));
  else
    say("{} presets, {} with flaws, {:.0f} s\n", list.size(), flawed, seconds);
  return flawed == 0 ? done : graph_error;
}

}  // namespace sinew::cli
