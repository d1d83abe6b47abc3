#include "graph/background.h"

#include <chrono>

namespace sinew {
namespace {

double now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

}  // namespace

BackgroundEvaluator::BackgroundEvaluator(Evaluator& evaluator, std::function<void()> on_finished)
    : evaluator_(evaluator), on_finished_(std::move(on_finished)), thread_([this] { work(); }) {}

BackgroundEvaluator::~BackgroundEvaluator() {
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
    waiting_.reset();
    cancel_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

uint64_t BackgroundEvaluator::submit(Request request) {
  const std::lock_guard lock(mutex_);
  waiting_.emplace(++last_id_, std::move(request));
  if ((running_ && !running_step_) || looking_over_) cancel_ = true;
  changed_.notify_all();
  return last_id_;
}

std::optional<BackgroundEvaluator::Finished> BackgroundEvaluator::take() {
  const std::lock_guard lock(mutex_);
  std::optional<Finished> result = std::move(finished_);
  finished_.reset();
  return result;
}

std::optional<BackgroundEvaluator::Survey> BackgroundEvaluator::take_survey() {
  const std::lock_guard lock(mutex_);
  return std::exchange(survey_, std::nullopt);
}

void BackgroundEvaluator::cancel() {
  const std::lock_guard lock(mutex_);
  waiting_.reset();
  if (running_ || looking_over_) cancel_ = true;
}

void BackgroundEvaluator::wait_until_idle() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !running_ && !waiting_ && !looking_over_; });
}

bool BackgroundEvaluator::busy() const {
  const std::lock_guard lock(mutex_);
  return running_ || waiting_;
}

double BackgroundEvaluator::running_seconds() const {
  const std::lock_guard lock(mutex_);
  return running_ ? now() - started_ : 0.0;
}

void BackgroundEvaluator::set_live(LiveState live) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !running_; });
  live_ = std::move(live);
}

void BackgroundEvaluator::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return quit_ || waiting_; });
    if (quit_) return;
    auto [id, request] = std::move(*waiting_);
    waiting_.reset();
    cancel_ = false;
    running_ = true;
    running_step_ = request.live && request.advance;
    started_ = now();
    lock.unlock();

    Evaluation evaluation;
    try {
      evaluation = run(request);
    } catch (const std::exception& e) {
      evaluation.trouble = e.what();
    }
    lock.lock();
    running_ = false;
    // A cancelled evaluation is half done: nobody should see it.
    if (!evaluation.cancelled) {
      finished_ = Finished{id, request.graph, request.context, std::move(evaluation)};
      finished_->seconds = now() - started_;
      if (request.live) finished_->live = std::make_shared<const LiveState>(live_);
      finished_->advanced = request.live && request.advance;
    }
    looking_over_ = request.survey && !waiting_ && !quit_ && finished_ && finished_->id == id;
    changed_.notify_all();
    if (on_finished_) {
      lock.unlock();
      on_finished_();
      lock.lock();
    }
    if (looking_over_) look_over(lock, request);
  }
}

void BackgroundEvaluator::look_over(std::unique_lock<std::mutex>& lock, const Request& request) {
  Survey survey{request.graph, request.survey->targets, request.survey->first, {}};
  lock.unlock();
  try {
    survey.keys = evaluator_.result_keys(*request.graph, request.survey->targets, request.context,
                                         request.survey->first, request.survey->last, &cancel_);
  } catch (const std::exception&) {
    survey.keys.clear();  // nobody waits for it
  }
  lock.lock();
  looking_over_ = false;
  if (!survey.keys.empty()) survey_ = std::move(survey);
  changed_.notify_all();
  if (!on_finished_) return;
  lock.unlock();
  on_finished_();
  lock.lock();
}

// Only the evaluation's own thread touches live_ while a request runs.
Evaluation BackgroundEvaluator::run(const Request& request) {
  if (!request.live || request.from_timeline) {
    Evaluation evaluation =
        evaluator_.evaluate(*request.graph, request.targets, request.context, &cancel_);
    if (request.live && !evaluation.cancelled)
      live_ = evaluator_.live_from_timeline(*request.graph, request.context);
    return evaluation;
  }
  if (request.restart) live_ = *request.restart;
  return evaluator_.evaluate_live(*request.graph, request.targets, request.context, live_,
                                  request.advance, &cancel_);
}

}  // namespace sinew
