#include "app/editor/preset_pictures.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/editor/thumbnail.h"
#include "app/library/meta_words.h"
#include "app/scene.h"
#include "graph/atomic_file.h"
#include "graph/made_files.h"
#include "render/jpeg_file.h"
#include "render/png_file.h"

namespace sinew::editor {
namespace {

constexpr std::size_t most_bytes = 4u << 20;  // of a picture's file

EvaluatorOptions modest() {
  EvaluatorOptions options;
  options.cache_bytes = size_t{128} << 20;
  options.state_bytes = size_t{64} << 20;
  options.threads = 1;
  return options;
}

}  // namespace

render::Picture picture_of(const GraphDoc& doc, const Registry& registry,
                           const std::filesystem::path& folder, Evaluator& evaluator,
                           const std::atomic<bool>* cancel) {
  const GraphPtr graph = CompiledGraph::compile(doc, registry);
  const Result<Scene> scene = Scene::plan(doc, graph, {});
  if (!scene) return {};
  Context context;
  context.fps = doc.settings.fps;
  context.seed = static_cast<uint64_t>(doc.settings.seed);
  context.start_frame = doc.settings.first_frame;
  context.last_frame = doc.settings.last_frame;
  context.frame = picture_frame_of(doc);
  context.folder = folder;
  const Evaluation evaluation = evaluator.evaluate(*graph, scene->targets(), context, cancel);
  if (evaluation.cancelled) return {};
  const draw::DrawList list = scene->draw(evaluation, {}).list;
  if (list.empty()) return {};
  return thumbnail(list, PresetPictures::width, PresetPictures::height);
}

PresetPictures::PresetPictures(ui::Host& host, const Registry& registry,
                               std::filesystem::path folder, std::function<void()> wake)
    : host_(host), registry_(registry), folder_(std::move(folder)), wake_(std::move(wake)) {
  thread_ = std::thread([this] { work(); });
}

PresetPictures::~PresetPictures() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    cancel_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

std::filesystem::path PresetPictures::kept(const Key& key) const {
  return folder_ / fmt::format("{}_{}x{}.png", key.hex(), width, height);
}

bool PresetPictures::busy() const {
  const std::lock_guard lock(mutex_);
  return working_ || !done_.empty() || (quiet_ && !jobs_.empty());
}

void PresetPictures::update(bool quiet) {
  std::deque<Done> done;
  {
    const std::lock_guard lock(mutex_);
    done.swap(done_);
    if (quiet_ != quiet) changed_.notify_all();
    quiet_ = quiet;
    // What the person waits for comes first.
    if (!quiet) cancel_ = true;
  }
  for (Done& d : done)
    if (!d.picture.empty()) textures_[d.key] = ui::Texture(host_.layer(), d.picture);
}

const ui::Texture* PresetPictures::get(const PresetInfo& preset) {
  if (!preset.key || !preset.error.empty()) return nullptr;
  if (const auto found = textures_.find(preset.key); found != textures_.end())
    return &found->second;
  if (!asked_.insert(preset.key).second) return nullptr;
  const std::lock_guard lock(mutex_);
  jobs_.push_back({preset.file, preset.key, preset.own});
  changed_.notify_all();
  return nullptr;
}

const PresetPictures::Film* PresetPictures::film(const PresetInfo& preset) {
  constexpr std::size_t most_films = 12;  // that are kept, of about three megabytes each
  if (!preset.key || preset.own || !preset.moves) return nullptr;
  if (const auto found = films_.find(preset.key); found != films_.end())
    return found->second.texture ? &found->second : nullptr;
  if (films_.size() >= most_films) films_.clear();
  Film& film = films_[preset.key];
  const Result<std::string> bytes = read_file(film_of(preset.file), most_bytes);
  const auto facts = bytes ? read_preview(render::jpeg_comment(*bytes), preset.key) : std::nullopt;
  if (!facts || facts->frames < 2 || facts->columns < 1 || facts->seconds <= 0) return nullptr;
  const render::Picture picture = render::decode_jpeg(*bytes, 4096);
  const int rows = (facts->frames + facts->columns - 1) / facts->columns;
  if (picture.width != facts->columns * facts->width || picture.height != rows * facts->height)
    return nullptr;
  film.facts = *facts;
  film.texture = ui::Texture(host_.layer(), picture);
  return &film;
}

render::Picture PresetPictures::make(const Job& job) {
  // What came with the program has its pictures with it.
  if (!job.own)
    if (const Result<std::string> bytes = read_file(still_of(job.file), most_bytes);
        bytes && read_preview(render::jpeg_comment(*bytes), job.key)) {
      render::Picture still = render::decode_jpeg(*bytes, 4096);
      const render::Size size = render::fitted(still, width, height);
      if (!still.empty()) return render::scaled(still, size.width, size.height);
    }
  if (!folder_.empty())
    if (const Result<std::string> bytes = read_file(kept(job.key), most_bytes))
      if (render::DecodedPng read = render::decode_png(*bytes, 4 * width))
        return std::move(read.picture);
  const Result<GraphDoc> doc = load_document(job.file, registry_);
  if (!doc) return {};
  Evaluator evaluator(modest());
  render::Picture picture =
      picture_of(*doc, registry_, job.file.parent_path(), evaluator, &cancel_);
  if (picture.empty() || folder_.empty() || cancel_) return picture;
  const Result<MadeFolders> made = MadeFolders::make(folder_);
  // A cache that cannot be written costs time and nothing else.
  if (const render::EncodedPng png = render::encode_png(picture))
    (void)write_file_atomically(kept(job.key), png.bytes);
  return picture;
}

void PresetPictures::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return ending_ || (quiet_ && !jobs_.empty()); });
    if (ending_) return;
    const Job job = std::move(jobs_.front());
    jobs_.pop_front();
    working_ = true;
    cancel_ = false;
    lock.unlock();
    render::Picture picture = make(job);
    lock.lock();
    working_ = false;
    if (picture.empty() && cancel_ && !ending_)
      jobs_.push_front(job);  // it was in the way; later
    else
      done_.push_back({job.key, std::move(picture)});
    if (wake_) wake_();
  }
}

}  // namespace sinew::editor
