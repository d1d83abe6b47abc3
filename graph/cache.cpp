#include "graph/cache.h"

namespace sinew {

size_t NodeResult::bytes() const {
  size_t sum = sizeof(NodeResult) + outputs.size() * sizeof(Value);
  for (const Value& v : outputs) sum += v.bytes();
  for (const Message& m : messages) sum += sizeof(Message) + m.text.size();
  return sum;
}

ResultPtr Cache::get(const Key& key) {
  const std::lock_guard lock(mutex_);
  const auto it = index_.find(key);
  if (it == index_.end()) return nullptr;
  recent_.splice(recent_.begin(), recent_, it->second);
  return it->second->result;
}

bool Cache::contains(const Key& key) const {
  const std::lock_guard lock(mutex_);
  return index_.contains(key);
}

void Cache::put(const Key& key, ResultPtr result) {
  const size_t bytes = result->bytes();
  const std::lock_guard lock(mutex_);
  if (const auto it = index_.find(key); it != index_.end()) {
    bytes_ -= it->second->bytes;
    recent_.erase(it->second);
    index_.erase(it);
  }
  if (bytes > budget_) return;  // it would push out everything and still not fit
  recent_.push_front({key, std::move(result), bytes});
  index_[key] = recent_.begin();
  bytes_ += bytes;
  shrink();
}

void Cache::shrink() {
  while (bytes_ > budget_) {
    bytes_ -= recent_.back().bytes;
    index_.erase(recent_.back().key);
    recent_.pop_back();
  }
}

void Cache::clear() {
  const std::lock_guard lock(mutex_);
  recent_.clear();
  index_.clear();
  bytes_ = 0;
}

size_t Cache::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

size_t Cache::count() const {
  const std::lock_guard lock(mutex_);
  return recent_.size();
}

}  // namespace sinew
