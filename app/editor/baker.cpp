#include "app/editor/baker.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

namespace sinew::editor {
namespace {

// Below everything that a person waits for.
constexpr int niceness = 15;
std::string frames(int count) { return fmt::format("{} frame{}", count, count == 1 ? "" : "s"); }

// What it computes goes to the disk: little needs to stay in memory.
constexpr std::size_t memory = std::size_t{256} << 20;

}  // namespace

Baker::Baker(Session& session, Player& player, std::filesystem::path home, bool beside,
             std::function<void()> wake)
    : session_(session),
      player_(player),
      home_(std::move(home)),
      beside_(beside),
      wake_(std::move(wake)),
      thread_([this] { work(); }) {}

Baker::~Baker() {
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
    tasks_.clear();
    cancel_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

// Beside the document; one that has no file has a place by its name, so that a preset that is
// opened again finds its motion.
std::filesystem::path Baker::folder() const {
  if (beside_ && !session_.file().empty()) return session_.file().string() + ".bake";
  const Meta& meta = session_.doc().meta;
  return home_ / KeyHasher(0xBA)
                     .text(session_.file().string())
                     .text(meta.name)
                     .text(session_.title())
                     .finish()
                     .hex();
}

void Baker::update() {
  std::vector<Computed> computed;
  std::optional<std::pair<uint64_t, std::shared_ptr<BakeStore>>> opened;
  {
    const std::lock_guard lock(mutex_);
    computed.swap(computed_);
    opened.swap(opened_);
  }
  if (opened && opened->first == seen_document_) {
    player_.use_bake(std::move(opened->second));
    if (std::exchange(waiting_, false)) (void)start();
  }
  if (const auto& store = player_.bake())
    for (std::string& warning : store->take_warnings()) tell(false, std::move(warning));
  const bool another = seen_document_ != session_.document_count();
  if (!another)
    for (const Computed& c : computed) player_.note_computed(c.frame, c.results);
  if (!another && seen_folder_ == folder()) return;
  // A title that is typed changes nothing while there are results under the old one.
  if (!another && (!beside_ || session_.file().empty()) && player_.bake() &&
      player_.bake()->count() > 0)
    return;
  if (another) {
    cancel();
    player_.use_bake(nullptr);
  }
  seen_document_ = session_.document_count();
  seen_folder_ = folder();
  post([this, where = seen_folder_, document = seen_document_] { open(where, document); });
}

void Baker::open(const std::filesystem::path& folder, uint64_t document) {
  auto store = std::make_shared<BakeStore>(folder);
  const std::lock_guard lock(mutex_);
  opened_ = {document, std::move(store)};
}

bool Baker::start() {
  const std::shared_ptr<BakeStore>& store = player_.bake();
  if (baking_ || !player_.scene() || player_.scene()->targets().empty()) return false;
  waiting_ = !store;
  if (waiting_) return true;
  Job job;
  job.graph = session_.graph();
  job.targets = player_.scene()->targets();
  job.first = session_.doc().settings.first_frame;
  job.last = std::max(job.first, session_.doc().settings.last_frame);
  job.context = player_.context_at(job.first);
  cancel_ = false;
  baking_ = true;
  done_ = 0;
  total_ = job.last - job.first + 1;
  post([this, job, store] { bake(job, store); });
  return true;
}

void Baker::cancel() {
  cancel_ = true;
  waiting_ = false;
}

void Baker::remove() {
  cancel();
  const std::shared_ptr<BakeStore> store = player_.bake();
  if (!store) return;
  post([this, store] {
    const std::size_t count = store->count();
    if (const Result<void> ok = store->clear(); !ok)
      tell(false, fmt::format("the bake cannot be deleted: {}", ok.error()));
    else
      tell(true, count > 0 ? "The bake is deleted" : "There was no bake");
  });
}

std::vector<Baker::News> Baker::take_news() {
  const std::lock_guard lock(mutex_);
  return std::exchange(news_, {});
}

void Baker::tell(bool good, std::string text) {
  const std::lock_guard lock(mutex_);
  news_.push_back({good, std::move(text)});
}

void Baker::post(std::function<void()> task) {
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  changed_.notify_all();
}

void Baker::settle() {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return tasks_.empty() && !working_; });
  }
  update();
}

void Baker::work() {
  (void)::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), niceness);
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return quit_ || !tasks_.empty(); });
    if (quit_) return;
    const std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    working_ = true;
    lock.unlock();
    task();
    lock.lock();
    working_ = false;
    changed_.notify_all();
    if (!wake_) continue;
    lock.unlock();
    wake_();
    lock.lock();
  }
}

void Baker::bake(const Job& job, const std::shared_ptr<BakeStore>& store) {
  // One thread: the others belong to who is working.
  Evaluator evaluator(EvaluatorOptions{memory, memory, 8, 1});
  evaluator.set_bake(store);
  int kept = 0, partly = 0;
  std::string problem;
  try {
    const std::vector<std::vector<Key>> keys =
        evaluator.result_keys(*job.graph, job.targets, job.context, job.first, job.last, &cancel_);
    for (std::size_t i = 0; i < keys.size() && !cancel_ && problem.empty(); ++i) {
      const int frame = job.first + static_cast<int>(i);
      const Result<bool> whole = bake_frame(evaluator, job, *store, frame, keys[i]);
      if (!whole) problem = whole.error();
      if (whole) ++(*whole ? kept : partly);
      ++done_;
      if (wake_) wake_();
    }
  } catch (const std::exception& e) {
    problem = e.what();
  }
  if (!problem.empty())
    tell(false, fmt::format("Baking stopped at frame {}: {}", job.first + done_ - 1, problem));
  else if (cancel_)
    tell(false,
         fmt::format("Baking was cancelled; {} {} kept", frames(kept), kept == 1 ? "is" : "are"));
  else if (partly > 0)
    tell(false, fmt::format("{} of {} {} baked; the others have errors, or values that "
                            "cannot be kept on disk",
                            kept, frames(kept + partly), kept == 1 ? "is" : "are"));
  else
    tell(true, fmt::format("{} {} baked, {:.1f} MB", frames(kept), kept == 1 ? "is" : "are",
                           static_cast<double>(store->bytes()) / 1e6));
  baking_ = false;
}

Result<bool> Baker::bake_frame(Evaluator& evaluator, const Job& job, BakeStore& store, int frame,
                               const std::vector<Key>& results) {
  const auto missing = [&](const Key& key) { return key && !store.has(key); };
  // What the person has seen already need not be computed.
  for (const Key& key : results)
    if (missing(key))
      if (const ResultPtr seen = player_.evaluator().cache().get(key))
        if (BakeStore::can_keep(*seen))
          if (const Result<void> saved = store.save(key, *seen); !saved)
            return Error{saved.error()};
  if (std::any_of(results.begin(), results.end(), missing)) {
    Context at = job.context;
    at.frame = frame;
    const Evaluation evaluation = evaluator.evaluate(*job.graph, job.targets, at, &cancel_);
    if (evaluation.cancelled) return false;
    for (const TargetResult& target : evaluation.targets) {
      const ResultPtr result =
          missing(target.result_key) ? evaluator.cache().get(target.result_key) : nullptr;
      if (!result || !BakeStore::can_keep(*result)) continue;
      if (const Result<void> saved = store.save(target.result_key, *result); !saved)
        return Error{saved.error()};
    }
  }
  const bool whole = std::none_of(results.begin(), results.end(), missing);
  if (whole) {
    const std::lock_guard lock(mutex_);
    computed_.push_back({frame, results});
  }
  return whole;
}

}  // namespace sinew::editor
