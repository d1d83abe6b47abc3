#include "app/cli/gallery_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/cli/open_graph.h"
#include "app/cli/presets_command.h"
#include "app/cli/preview_command.h"
#include "app/cli/program.h"
#include "app/cli/progress_bar.h"
#include "app/cli/say.h"
#include "app/gallery/graph_svg.h"
#include "app/gallery/model_blob.h"
#include "app/gallery/page.h"
#include "app/library/pack_trial.h"
#include "app/library/preset_facts.h"
#include "app/library/previews.h"
#include "app/scene.h"
#include "graph/atomic_file.h"
#include "graph/preset_pack.h"
#include "render/jpeg_file.h"

namespace sinew::cli {

namespace {

namespace fs = std::filesystem;
using library::PresetInfo;

constexpr std::size_t most_bytes = std::size_t{16} << 20;  // of a preview
constexpr int model_frames = 20;
constexpr int quality = 82;

std::string as_url(const std::string& jpeg) {
  return "data:image/jpeg;base64," + gallery::base64(jpeg);
}

// Shelves in the order in which one looks at them; others after them.
int rank_of(const std::string& category) {
  const std::vector<std::string> known = {"Characters", "Motions", "Materials", "Studies"};
  return static_cast<int>(std::find(known.begin(), known.end(), category) - known.begin());
}

class Gallery {
 public:
  explicit Gallery(const GalleryOptions& options)
      : options_(options), stop_(stop_on_interrupt()), previews_(stop_) {}

  Result<void> gather() {
    PresetsOptions library;
    library.library = options_.library;
    const library::LibraryIndex index = open_library(library);
    for (const std::string& word : options_.words) {
      const Result<fs::path> file = find_preset(index, word);
      if (!file) return Error{file.error()};
      list_.push_back(library::describe_preset(*file, file->parent_path(), registry()));
    }
    if (options_.words.empty())
      for (const PresetInfo& p : index.presets())
        if (p.error.empty() && (p.own || !options_.own_only)) list_.push_back(p);
    if (list_.empty()) return Error{"there are no presets to show"};
    std::stable_sort(list_.begin(), list_.end(), [](const PresetInfo& a, const PresetInfo& b) {
      return rank_of(a.category) < rank_of(b.category);
    });
    std::error_code ec;
    fs::create_directories(fs::path(options_.out) / "packs", ec);
    if (ec) return Error{fmt::format("the folder cannot be made: {}", ec.message())};
    return {};
  }

  Result<void> make() {
    ProgressBar bar("gathering", static_cast<int64_t>(list_.size()));
    Json presets = Json::array();
    for (const PresetInfo& p : list_) {
      if (*stop_) return Error{"interrupted"};
      Result<Json> entry = entry_of(p);
      if (entry)
        presets.push_back(std::move(*entry));
      else if (*stop_)
        return Error{"interrupted"};
      else
        leave_out(p, entry.error());
      bar.advance();
    }
    const Json library = {{"title", options_.title.empty() ? "Sinew's library" : options_.title},
                          {"made_with", "sinew"},
                          {"presets", presets}};
    const std::string html = gallery::page(library, models_);
    bytes_ = html.size();
    return write_file_atomically(fs::path(options_.out) / "index.html", html);
  }

  std::size_t bytes() const { return bytes_; }
  std::size_t count() const { return list_.size() - left_out_; }
  bool left_out() const { return left_out_ > 0; }
  bool interrupted() const { return *stop_; }

 private:
  // One that does not run does not keep the others from being shown.
  void leave_out(const PresetInfo& p, const std::string& why) {
    print_error(p.file.string(), why + "; it is left out");
    ++left_out_;
  }

  Result<Json> entry_of(const PresetInfo& p) {
    OpenedGraph opened;
    if (const Result<void> ok = open_graph(p.file.string(), {}, opened); !ok)
      return Error{ok.error()};
    const GraphDoc& doc = opened.doc;
    Json parameters = Json::array();
    for (const library::PresetParameter& one : library::parameters_of(doc, registry()))
      parameters.push_back({{"node", one.node},
                            {"label", one.label},
                            {"value", one.value},
                            {"unit", one.unit},
                            {"range", one.range},
                            {"doc", one.doc}});
    Json entry = {{"name", p.name},
                  {"version", p.meta.version},
                  {"title", p.title},
                  {"description", p.meta.description},
                  {"author", p.meta.author},
                  {"licence", p.meta.licence},
                  {"tags", p.meta.tags},
                  {"category", p.category},
                  {"nodes", p.nodes},
                  {"frames", doc.settings.last_frame - doc.settings.first_frame + 1},
                  {"fps", doc.settings.fps},
                  {"uses", p.uses},
                  {"parameters", parameters},
                  {"graph", gallery::graph_svg(doc, registry())},
                  {"film", nullptr},
                  {"model", nullptr}};
    if (const Result<void> ok = add_pictures(p, entry); !ok) return Error{ok.error()};
    add_model(p, opened, entry);
    if (const Result<void> ok = add_pack(p, entry); !ok) return Error{ok.error()};
    return entry;
  }

  // Those that lie beside the preset where they are current, else new ones.
  Result<void> add_pictures(const PresetInfo& p, Json& entry) {
    Result<std::string> still = read_file(library::still_of(p.file), most_bytes);
    Result<std::string> film = read_file(library::film_of(p.file), most_bytes);
    if (still && library::read_preview(render::jpeg_comment(*still), p.key)) {
      entry["still"] = as_url(*still);
      if (film)
        if (const auto facts = library::read_preview(render::jpeg_comment(*film), p.key))
          add_film(*film, *facts, entry);
      return {};
    }
    const Result<PreviewMaker::Made> made = previews_.make(p.file);
    if (!made) return Error{made.error()};
    entry["still"] = as_url(render::encode_jpeg(made->still, quality));
    if (made->film) add_film(render::encode_jpeg(*made->film, quality), made->facts, entry);
    return {};
  }

  static void add_film(const std::string& jpeg, const library::FilmFacts& facts, Json& entry) {
    if (facts.frames < 2 || facts.columns < 1) return;
    entry["film"] = {{"image", as_url(jpeg)}, {"frames", facts.frames}, {"columns", facts.columns},
                     {"width", facts.width},  {"height", facts.height}, {"seconds", facts.seconds}};
  }

  void add_model(const PresetInfo& p, const OpenedGraph& opened, Json& entry) {
    const Result<Scene> scene = Scene::plan(opened.doc, opened.graph, {});
    if (!scene) return;
    const library::PreviewFrames span = library::preview_frames(opened.doc);
    const int length = span.last - span.first;
    const int count = scene->moves() ? std::clamp(length, 1, model_frames) : 1;
    Evaluator evaluator;
    std::vector<exchange::Scene> frames;
    for (int i = 0; i < count; ++i) {
      const int frame = count == 1 ? span.still : span.first + i * length / count;
      const Evaluation e = evaluator.evaluate(
          *opened.graph, scene->targets(), context_of(opened.doc, p.file.string(), frame), stop_);
      if (e.failed() || e.cancelled) return;
      frames.push_back(exchange::scene_of(scene->draw(e, ShowOptions()).list, {}));
    }
    const std::string blob = gallery::model_blob(frames, count > 1 ? span.seconds : 0);
    if (blob.empty()) return;
    const std::string id = fmt::format("model-{}", models_.size());
    models_.emplace_back(id, gallery::base64(gallery::gzipped(blob)));
    entry["model"] = id;
  }

  Result<void> add_pack(const PresetInfo& p, Json& entry) {
    const Result<std::string> bytes = pack_preset(p.file, registry(), library::limits_for_packs());
    if (!bytes) return Error{bytes.error()};
    std::string name = p.name + "-" + p.meta.version + ".sinew";
    std::replace(name.begin(), name.end(), '/', '.');
    if (const Result<void> ok =
            write_file_atomically(fs::path(options_.out) / "packs" / name, *bytes);
        !ok)
      return ok;
    entry["download"] = {{"href", "packs/" + name}, {"bytes", bytes->size()}};
    return {};
  }

  const GalleryOptions& options_;
  const std::atomic<bool>* stop_;
  PreviewMaker previews_;
  std::vector<PresetInfo> list_;
  std::vector<std::pair<std::string, std::string>> models_;
  std::size_t bytes_ = 0, left_out_ = 0;
};

}  // namespace

int run_gallery(const GalleryOptions& options) {
  if (options.out.empty()) return print_error("", "say where it goes: -o DIR"), call_error;
  Gallery gallery(options);
  if (const Result<void> ok = gallery.gather(); !ok)
    return print_error(options.out, ok.error()), call_error;
  if (const Result<void> ok = gallery.make(); !ok) {
    if (gallery.interrupted()) return interrupted;
    return print_error(options.out, ok.error()), call_error;
  }
  const std::string file = (fs::path(options.out) / "index.html").string();
  if (options.json)
    say_lines(
        json_text({{"file", file}, {"presets", gallery.count()}, {"bytes", gallery.bytes()}}));
  else
    say("{}: {} presets, {:.1f} MB\n", file, gallery.count(),
        static_cast<double>(gallery.bytes()) / 1e6);
  return gallery.left_out() ? graph_error : done;
}

}  // namespace sinew::cli
