#include "app/editor/candidate_films.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "app/editor/player.h"
#include "app/editor/thumbnail.h"
#include "app/scene.h"
#include "render/bounds.h"

namespace sinew::editor {
namespace {

constexpr int niceness = 15;            // below everything that a person waits for
constexpr double forgotten_after = 20;  // seconds that nobody asks for it
constexpr std::size_t memory = std::size_t{64} << 20;

// Frames from the first on, as many apart as it takes.
struct Range {
  int first = 0, step = 1, count = 1;
};

Range range_of(const Settings& s) {
  const int last = std::max(s.first_frame, s.last_frame);
  const auto seen = static_cast<int>(std::min<double>(film_seconds * std::max(s.fps, 1.0), 1e6));
  const int frames = std::min(last - s.first_frame + 1, std::max(seen, 1));
  const int step = (frames + most_film_pictures - 1) / most_film_pictures;
  return {s.first_frame, step, (frames + step - 1) / step};
}

std::vector<Target> shown_in(const GraphDoc& doc, const CompiledGraph& graph) {
  std::vector<Target> targets;
  const auto found = doc.graph.layout.extra.find(Player::shown_key);
  if (found == doc.graph.layout.extra.end() || !found->is_array()) return targets;
  for (const Json& name : *found) {
    if (!name.is_string()) continue;
    const Result<Target> target = graph.find_output(name.get<std::string>());
    if (!target) continue;
    const TypeInfo* type = graph.node(target->node).output_types[target->output];
    if (type && can_show(*type)) targets.push_back(*target);
  }
  return targets;
}

// Steps of 1, 2 or 5 times a power of ten, of which a few fit into the length.
float floor_step(float length) {
  const float power = std::pow(10.0f, std::floor(std::log10(length / 2)));
  const float part = length / 2 / power;
  return power * (part < 2 ? 1.0f : part < 5 ? 2.0f : 5.0f);
}

// Lines on the floor about what is seen, by which one sees how far something goes.
draw::Lines floor_of(const render::Box& seen, float y) {
  draw::Lines lines;
  lines.guide = true;
  lines.colour = {0.27f, 0.29f, 0.33f, 1};
  const float across = std::max(seen.sizes().x(), seen.sizes().z());
  if (!(across > 0) || !std::isfinite(across)) return lines;
  const float step = floor_step(across);
  const Eigen::Vector3f middle = seen.center();
  const auto low = [&](int axis) { return std::floor((middle[axis] - across) / step) * step; };
  const auto high = [&](int axis) { return std::ceil((middle[axis] + across) / step) * step; };
  const auto line = [&](float ax, float az, float bx, float bz) {
    lines.points.emplace_back(ax, y, az);
    lines.points.emplace_back(bx, y, bz);
  };
  for (float x = low(0); x <= high(0) + step / 2; x += step) line(x, low(2), x, high(2));
  for (float z = low(2); z <= high(2) + step / 2; z += step) line(low(0), z, high(0), z);
  return lines;
}

// What each picture shows: all of them the same, or, where something goes farther than it is large,
// the surroundings of where it is. How high it hops is seen all the same.
std::vector<render::Box> views_of(const std::vector<render::Box>& boxes) {
  render::Box all;
  Eigen::Vector3f largest(0, 0, 0);
  for (const render::Box& box : boxes) {
    if (box.isEmpty()) continue;
    all.extend(box);
    largest = largest.cwiseMax(box.sizes());
  }
  std::vector<render::Box> views(boxes.size(), all);
  if (all.isEmpty()) return views;
  const float size = largest.maxCoeff();
  const Eigen::Vector3f way = all.sizes();
  const bool travels = std::max(way.x(), way.z()) > 1.8f * size, rises = way.y() > 4 * size;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const Eigen::Vector3f at = boxes[i].isEmpty() ? all.center() : boxes[i].center();
    for (const int axis : {0, 1, 2}) {
      if (axis == 1 ? !rises : !travels) continue;
      views[i].min()[axis] = at[axis] - 0.65f * largest[axis];
      views[i].max()[axis] = at[axis] + 0.65f * largest[axis];
    }
  }
  return views;
}

void put(const render::Picture& picture, int index, FilmStrip& strip) {
  const int left = index % strip.columns * film_width, top = index / strip.columns * film_height;
  for (int y = 0; y < film_height; ++y)
    std::copy_n(picture.pixel(0, y), 4 * static_cast<std::ptrdiff_t>(film_width),
                strip.picture.pixel(left, top + y));
}

FilmStrip drawn(std::vector<draw::DrawList>& lists, const std::vector<render::Box>& boxes,
                double fps, const std::atomic<bool>* cancel) {
  const std::vector<render::Box> views = views_of(boxes);
  if (views.empty() || views.front().isEmpty()) return {};
  float floor = views.front().min().y();
  for (const render::Box& box : boxes)
    if (!box.isEmpty()) floor = std::min(floor, box.min().y());
  FilmStrip strip;
  strip.count = static_cast<int>(lists.size());
  strip.columns = std::min(strip.count, 8);
  strip.fps = fps;
  const int rows = (strip.count + strip.columns - 1) / strip.columns;
  strip.picture = render::filled(strip.columns * film_width, rows * film_height, {0, 0, 0, 0});
  for (std::size_t i = 0; i < lists.size(); ++i) {
    if (cancel && *cancel) return {};
    lists[i].lines.insert(lists[i].lines.begin(), floor_of(views[i], floor));
    put(thumbnail(lists[i], film_width, film_height, views[i]), static_cast<int>(i), strip);
    lists[i] = {};
  }
  return strip;
}

}  // namespace

FilmStrip film_of(const FilmOrder& order, const Registry& registry, const std::atomic<bool>* cancel,
                  std::atomic<int>* done) {
  const GraphPtr graph = CompiledGraph::compile(order.doc, registry);
  const Result<Scene> scene = Scene::plan(order.doc, graph, shown_in(order.doc, *graph));
  if (!scene) return {};
  const Settings& settings = order.doc.settings;
  const Range range = range_of(settings);
  Context context;
  context.fps = settings.fps;
  context.seed = static_cast<uint64_t>(settings.seed);
  context.start_frame = settings.first_frame;
  context.last_frame = settings.last_frame;
  context.folder = order.folder;
  Evaluator evaluator(EvaluatorOptions{memory, memory, 8, 1});
  std::vector<draw::DrawList> lists;
  std::vector<render::Box> boxes;
  for (int i = 0; i < range.count; ++i) {
    context.frame = range.first + i * range.step;
    const Evaluation evaluation = evaluator.evaluate(*graph, scene->targets(), context, cancel);
    if (evaluation.cancelled) return {};
    lists.push_back(scene->draw(evaluation, {}).list);
    boxes.push_back(lists.back().empty() ? render::Box() : render::bounds_of(lists.back()));
    if (done) ++*done;
    // What stands still is seen as a whole with one picture.
    if (i == 0 && !scene->moves()) break;
  }
  return drawn(lists, boxes, settings.fps / range.step, cancel);
}

std::pair<ImVec2, ImVec2> CandidateFilms::Film::at(double seconds) const {
  const int rows = (count + columns - 1) / std::max(columns, 1);
  const auto index = static_cast<int>(std::fmod(std::max(seconds, 0.0) * fps, std::max(count, 1)));
  const ImVec2 size(1.0f / static_cast<float>(columns), 1.0f / static_cast<float>(rows));
  const ImVec2 from(static_cast<float>(index % columns) * size.x,
                    static_cast<float>(index / columns) * size.y);
  return {from, ImVec2(from.x + size.x, from.y + size.y)};
}

CandidateFilms::CandidateFilms(ui::Host& host, const Registry& registry, std::function<void()> wake)
    : host_(host), registry_(registry), wake_(std::move(wake)) {
  thread_ = std::thread([this] { work(); });
}

CandidateFilms::~CandidateFilms() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    cancel_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void CandidateFilms::work() {
  (void)::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), niceness);
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return ending_ || !jobs_.empty(); });
    if (ending_) return;
    const Job job = std::move(jobs_.front());
    jobs_.pop_front();
    making_ = job.what;
    working_ = true;
    cancel_ = false;
    pictures_ = 0;
    lock.unlock();
    FilmStrip strip = film_of(job.order, registry_, &cancel_, &pictures_);
    lock.lock();
    working_ = false;
    making_ = {};
    if (!cancel_) done_.push_back({job.what, job.version, std::move(strip)});
    changed_.notify_all();
    if (!wake_) continue;
    lock.unlock();
    wake_();
    lock.lock();
  }
}

void CandidateFilms::update(double now) {
  std::deque<Done> done;
  {
    const std::lock_guard lock(mutex_);
    done.swap(done_);
  }
  for (Done& d : done) {
    const auto found = films_.find(d.what);
    if (found == films_.end()) continue;
    Film& film = found->second.film;
    film.texture = d.strip.count > 0 ? ui::Texture(host_.layer(), d.strip.picture) : ui::Texture();
    film.count = d.strip.count;
    film.columns = d.strip.columns;
    film.fps = d.strip.fps;
    film.version = d.version;
  }
  const auto forget = [&](const Key& what) {
    const std::lock_guard lock(mutex_);
    std::erase_if(jobs_, [&](const Job& job) { return job.what == what; });
    if (making_ == what) cancel_ = true;
  };
  for (auto film = films_.begin(); film != films_.end();) {
    const bool old = now - film->second.asked > forgotten_after;
    if (old) forget(film->first);
    film = old ? films_.erase(film) : std::next(film);
  }
  while (films_.size() > most_kept) {
    const auto oldest = std::min_element(
        films_.begin(), films_.end(),
        [](const auto& a, const auto& b) { return a.second.asked < b.second.asked; });
    forget(oldest->first);
    films_.erase(oldest);
  }
}

const CandidateFilms::Film* CandidateFilms::get(
    const Key& what, const Key& version, double now,
    const std::function<std::optional<FilmOrder>()>& order) {
  Entry& entry = films_[what];
  entry.asked = now;
  if (entry.ordered != version) {
    entry.ordered = version;
    if (std::optional<FilmOrder> wanted = order()) {
      const std::lock_guard lock(mutex_);
      std::erase_if(jobs_, [&](const Job& job) { return job.what == what; });
      if (making_ == what) cancel_ = true;
      jobs_.push_back({what, version, std::move(*wanted)});
      changed_.notify_all();
    }
  }
  return entry.film.version ? &entry.film : nullptr;
}

std::optional<double> CandidateFilms::progress(const Key& what) const {
  const std::lock_guard lock(mutex_);
  if (!working_ || making_ != what) return std::nullopt;
  return pictures_ / static_cast<double>(most_film_pictures);
}

bool CandidateFilms::busy() const {
  const std::lock_guard lock(mutex_);
  return working_ || !jobs_.empty() || !done_.empty();
}

void CandidateFilms::settle() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !working_ && jobs_.empty(); });
}

}  // namespace sinew::editor
