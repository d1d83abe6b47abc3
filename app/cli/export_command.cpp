#include "app/cli/export_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <vector>

#include "app/cli/frame_range.h"
#include "app/cli/interrupt.h"
#include "app/cli/open_graph.h"
#include "app/cli/program.h"
#include "app/cli/progress_bar.h"
#include "app/cli/say.h"
#include "app/cli/upstream.h"
#include "app/scene.h"
#include "exchange/losses.h"
#include "exchange/retime.h"
#include "exchange/writer.h"
#include "graph/evaluator.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

struct Unit {
  const char* name;
  double metres;
};
constexpr Unit units[] = {{"m", 1}, {"cm", 0.01}, {"mm", 0.001}, {"in", 0.0254}, {"ft", 0.3048}};

Result<exchange::Space> read_space(const ExportOptions& options) {
  exchange::Space space;
  if (options.up != "y" && options.up != "z")
    return Error{fmt::format("--up {}: it may be y or z", options.up)};
  space.up = options.up == "z" ? UpAxis::z : UpAxis::y;
  for (const Unit& unit : units) {
    if (options.unit != unit.name) continue;
    space.metres_per_unit = unit.metres;
    return space;
  }
  return Error{fmt::format("--unit {}: it may be m, cm, mm, in or ft", options.unit)};
}

Result<FrameRange> read_frames(const ExportOptions& options, const Settings& settings) {
  if (options.frames.empty()) return FrameRange{settings.first_frame, settings.last_frame, 1};
  const Result<FrameRange> range = parse_frame_range(options.frames);
  if (!range) return Error{"--frames " + range.error()};
  if (range->first < settings.first_frame)
    return Error{fmt::format("--frames {}: the document begins at frame {}", options.frames,
                             settings.first_frame)};
  return range;
}

bool is_pose(const CompiledGraph& graph, Target at) {
  const TypeInfo* type = graph.node(at.node).output_types[static_cast<std::size_t>(at.output)];
  return type && type->name == "pose";
}

// The pose that leads what is seen: the nearest one upstream.
std::optional<Target> pose_behind(const CompiledGraph& graph, const std::vector<Target>& seen) {
  std::optional<Target> found;
  go_upstream(graph, seen, [&](const Target& at) {
    if (at.output >= 0 && is_pose(graph, at)) found = at;
    return found.has_value();
  });
  return found;
}

Result<std::optional<Target>> find_skeleton(const CompiledGraph& graph, const std::string& wish,
                                            const std::vector<Target>& seen) {
  if (wish == "none") return std::optional<Target>();
  if (wish.empty()) return pose_behind(graph, seen);
  const Result<Target> found = find_target(graph, wish);
  if (!found) return Error{"--skeleton: " + found.error()};
  if (!is_pose(graph, *found))
    return Error{fmt::format("--skeleton {}: it is not a pose of a skeleton", wish)};
  return std::optional<Target>(*found);
}

class Export {
 public:
  Export(const ExportOptions& options, OpenedGraph& opened, Scene scene,
         std::optional<Target> skeleton, FrameRange range)
      : options_(options),
        opened_(opened),
        scene_(std::move(scene)),
        skeleton_(skeleton),
        range_(range),
        targets_(scene_.targets()),
        losses_(options.out) {
    EvaluatorOptions evaluator;
    evaluator.threads = options.threads;
    evaluator_ = std::make_unique<Evaluator>(evaluator);
    const bool is_seen =
        skeleton_ && std::find(targets_.begin(), targets_.end(), *skeleton_) != targets_.end();
    if (is_seen) skeleton_.reset();  // it is among what is drawn
    if (skeleton_) targets_.push_back(*skeleton_);
    messages = opened.messages;
  }

  // The error is empty where the messages say it all.
  Result<exchange::Report> run(const exchange::Space& space, double out_fps) {
    const std::atomic<bool>* cancel = stop_on_interrupt();
    exchange::Retime retime(opened_.doc.settings.fps, out_fps, range_.first, range_.last,
                            range_.step);
    exchange::WriterOptions how;
    how.file = options_.out;
    how.first_frame = retime.first_frame();
    how.frame_count = retime.frame_count();
    how.fps = out_fps;
    how.space = space;
    if (options_.error > 0) how.error = options_.error;
    how.most_targets = options_.targets;
    how.title = opened_.doc.meta.title;
    Result<std::unique_ptr<exchange::Writer>> writer = exchange::open_writer(how);
    if (!writer) return Error{fmt::format("-o {}: {}", options_.out, writer.error())};
    if (Result<void> ok = look_ahead(cancel); !ok) return Error{ok.error()};
    ProgressBar bar("exporting", range_.count());
    bar.watch([this] {
      const auto node = evaluator_->node_progress();
      return node ? fmt::format("{}: {}", node->path, node->words) : std::string();
    });
    for (int i = 0; i < range_.count(); ++i) {
      Result<draw::DrawList> list = list_of(range_.frame(i), cancel);
      if (!list) return Error{list.error()};
      scales_.apply(*list);
      exchange::Scene scene = exchange::scene_of(*list, space);
      scene.frame = range_.frame(i);
      if (scene.bodies.empty())
        return Error{"nothing that is seen is a body; --show a mesh or a solid"};
      losses_.see(scene);
      if (const Result<void> ok = retime.feed(std::move(scene), **writer); !ok)
        return Error{fmt::format("frame {}: {}", range_.frame(i), ok.error())};
      bar.advance();
    }
    Result<exchange::Report> report = (*writer)->finish([&] { return cancel->load(); });
    if (cancel->load()) interrupted_ = true;
    if (report)
      if (const std::string text = losses_.text(); !text.empty())
        messages.push_back({"", "", {Severity::warning, text}});
    return report;
  }

  bool interrupted() const { return interrupted_; }
  bool graph_failed() const { return graph_failed_; }
  std::vector<NodeMessage> messages;

 private:
  // Colours mean the same in all frames: where there are any, all frames are seen once before.
  Result<void> look_ahead(const std::atomic<bool>* cancel) {
    const Result<draw::DrawList> first = list_of(range_.first, cancel);
    if (!first) return Error{first.error()};
    scales_.see(*first);
    if (first->scales.empty()) return {};
    ProgressBar bar("looking at the colours", range_.count());
    for (int i = 1; i < range_.count(); ++i) {
      const Result<draw::DrawList> list = list_of(range_.frame(i), cancel);
      if (!list) return Error{list.error()};
      scales_.see(*list);
      bar.advance();
    }
    return {};
  }

  Result<draw::DrawList> list_of(int frame, const std::atomic<bool>* cancel) {
    const Context context = context_of(opened_.doc, options_.file, frame);
    const Evaluation e = evaluator_->evaluate(*opened_.graph, targets_, context, cancel);
    if (e.cancelled) {
      interrupted_ = true;
      return Error{"interrupted; nothing was written"};
    }
    const std::set<std::string> notes = notes_of_readers(*opened_.graph, scene_.targets(), e);
    for (const std::string& note : notes) losses_.see_note(note);
    for (NodeMessage& m : e.messages(*opened_.graph))
      if (!notes.contains(m.message.text) && said_.insert(m.path + m.message.text).second)
        messages.push_back(std::move(m));
    if (e.failed()) {
      graph_failed_ = true;
      return Error{""};
    }
    std::optional<Scene::Drawn> made =
        unless_interrupted(cancel, [&] { return scene_.draw(e, {}); });
    if (!made) {
      interrupted_ = true;
      return Error{"interrupted; nothing was written"};
    }
    Scene::Drawn drawn = std::move(*made);
    // Bodies have the name of the node that makes them, not of the viewer that shows them.
    for (draw::Mesh& mesh : drawn.list.meshes)
      if (const Result<Target> at = opened_.graph->find_output(mesh.source))
        mesh.source = target_name(*opened_.graph, origin_of(*opened_.graph, *at));
    if (options_.skeleton == "none") drawn.list.bones.clear();
    if (skeleton_) {
      for (const TargetResult& t : e.targets) {
        if (!(t.target == *skeleton_) || !t.value) continue;
        draw::DrawList bones;
        const Shown shown{target_name(*opened_.graph, t.target), "", t.value, t.key, {}, {}};
        if (show(shown, {}, bones)) drawn.list.bones = std::move(bones.bones);
      }
    }
    return std::move(drawn.list);
  }

  const ExportOptions& options_;
  const OpenedGraph& opened_;
  Scene scene_;
  std::optional<Target> skeleton_;
  FrameRange range_;
  std::vector<Target> targets_;
  std::unique_ptr<Evaluator> evaluator_;
  SteadyScales scales_;
  exchange::Losses losses_;
  std::set<std::string> said_;
  bool interrupted_ = false, graph_failed_ = false;
};

int finish(const ExportOptions& options, const std::vector<NodeMessage>& messages, int code,
           const std::string& error, const std::string& file, const exchange::Report& report,
           int frames, double seconds) {
  for (const NodeMessage& m : messages)
    if (m.message.severity != Severity::info) print_message(options.file, m);
  if (!error.empty()) print_error(file, error);
  std::vector<std::string> files;
  for (const fs::path& f : report.files) files.push_back(f.string());
  if (options.json) {
    Json list = Json::array();
    for (const NodeMessage& m : messages) list.push_back(message_json(m));
    if (!error.empty()) list.push_back(message_json({"", "", {Severity::error, error}}));
    say_lines(json_text({{"file", options.file},
                         {"ok", code == done},
                         {"wrote", files},
                         {"frames", frames},
                         {"notes", report.notes},
                         {"seconds", seconds},
                         {"messages", std::move(list)}}));
  } else if (code == done) {
    const std::string first = files.empty() ? "" : files.front();
    const std::string last = files.size() > 2
                                 ? fmt::format(" to {}", fs::path(files.back()).filename().string())
                             : files.size() == 2 ? " and " + files.back()
                                                 : "";
    say("wrote {}{} ({} frame{}, {:.1f} s)\n", first, last, frames, frames == 1 ? "" : "s",
        seconds);
    for (const std::string& note : report.notes) say("  {}\n", note);
  }
  return code;
}

}  // namespace

int run_export(const ExportOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  OpenedGraph opened;
  const auto refuse = [&](const std::string& text, const std::string& file = {}) {
    return finish(options, opened.messages, call_error, text, file, {}, 0, seconds());
  };
  if (options.out.empty())
    return refuse("-o is missing: say where to, such as -o x.glb, x.usda or x.pc2");
  const fs::path folder = fs::path(options.out).parent_path();
  std::error_code ec;
  if (!folder.empty() && !fs::is_directory(folder, ec))
    return refuse(fmt::format("-o {}: there is no folder '{}'", options.out, folder.string()));
  const Result<exchange::Space> space = read_space(options);
  if (!space) return refuse(space.error());
  if (const Result<void> ok = open_graph(options.file, options.set, opened); !ok)
    return refuse(ok.error(), opened.doubtful_file);
  std::vector<fs::path> written = {options.out};
  const std::string ending = lower_ending(options.out);
  // A point cache has its mesh beside it.
  if (ending == ".pc2" || ending == ".mdd") {
    written.push_back(fs::path(options.out).replace_extension(".obj"));
  }
  for (const fs::path& file : written)
    if (const std::string flaw = flaw_of_output(opened.doc, options.file, file); !flaw.empty())
      return refuse(flaw);
  const Result<FrameRange> range = read_frames(options, opened.doc.settings);
  if (!range) return refuse(range.error());
  const Result<std::vector<Target>> shown = find_targets(*opened.graph, options.show);
  if (!shown) return refuse("--show: " + shown.error(), options.file);
  Result<Scene> scene = Scene::plan(opened.doc, opened.graph, *shown);
  for (NodeMessage& m : scene ? opened.graph->general_messages() : opened.graph->messages())
    opened.messages.push_back(std::move(m));
  suggest_types(opened.messages);
  if (!scene)
    return finish(options, opened.messages, graph_error, scene.error(), options.file, {}, 0,
                  seconds());
  const Result<std::optional<Target>> skeleton =
      find_skeleton(*opened.graph, options.skeleton, scene->targets());
  if (!skeleton) return refuse(skeleton.error(), options.file);
  const double fps = options.fps > 0 ? options.fps : opened.doc.settings.fps / range->step;

  Export work(options, opened, std::move(*scene), *skeleton, *range);
  const Result<exchange::Report> report = work.run(*space, fps);
  if (report) {
    const int frames =
        exchange::Retime(opened.doc.settings.fps, fps, range->first, range->last, range->step)
            .frame_count();
    return finish(options, work.messages, done, "", "", *report, frames, seconds());
  }
  const int code = work.interrupted()    ? interrupted
                   : work.graph_failed() ? graph_error
                                         : call_error;
  return finish(options, work.messages, code, report.error(), options.file, {}, 0, seconds());
}

}  // namespace sinew::cli
