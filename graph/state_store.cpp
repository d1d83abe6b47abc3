#include "graph/state_store.h"

#include <algorithm>

namespace sinew {

SimState StateStore::get(const Key& key) {
  const std::lock_guard lock(mutex_);
  const auto it = index_.find(key);
  if (it == index_.end()) return {};
  List& list = it->second->checkpoint ? checkpoints_ : passing_;
  list.splice(list.begin(), list, it->second);
  return it->second->state;
}

bool StateStore::contains(const Key& key) const {
  const std::lock_guard lock(mutex_);
  return index_.contains(key);
}

void StateStore::put(const Key& key, SimState state, int frames_since_start) {
  const std::lock_guard lock(mutex_);
  if (index_.contains(key)) return;
  const bool checkpoint = frames_since_start % interval_ == 0;
  List& list = checkpoint ? checkpoints_ : passing_;
  bytes_ += state.bytes;
  list.push_front({key, std::move(state), checkpoint});
  index_[key] = list.begin();
  if (passing_.size() > passing_count_) drop_oldest(passing_);
  // The newest state always stays: without it the next frame would begin from further back.
  while (bytes_ > budget_ && index_.size() > 1) {
    if (passing_.size() > 1 || checkpoints_.empty()) {
      drop_oldest(passing_);
    } else if (checkpoints_.size() > 1 || !checkpoint) {
      drop_oldest(checkpoints_);
    } else {
      drop_oldest(passing_);
    }
  }
}

void StateStore::drop_oldest(List& list) {
  bytes_ -= list.back().state.bytes;
  index_.erase(list.back().key);
  list.pop_back();
}

void StateStore::keep_passing(size_t count) {
  const std::lock_guard lock(mutex_);
  passing_count_ = std::max<size_t>(64, count);
}

void StateStore::clear() {
  const std::lock_guard lock(mutex_);
  checkpoints_.clear();
  passing_.clear();
  index_.clear();
  bytes_ = 0;
}

size_t StateStore::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

size_t StateStore::count() const {
  const std::lock_guard lock(mutex_);
  return index_.size();
}

}  // namespace sinew
