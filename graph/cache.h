// Results by key, bounded by bytes: the least recently used go first. Safe to use from any thread.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "graph/key.h"
#include "graph/message.h"
#include "graph/value.h"

namespace sinew {

// All that one run of a node gave. Messages are kept with it, so that a cache hit still warns.
struct NodeResult {
  std::vector<Value> outputs;
  std::vector<Message> messages;
  bool failed = false;
  bool transient = false;  // failed for want of memory: not kept, since it may go well next time
  double seconds = 0;      // how long the run took

  size_t bytes() const;
};
using ResultPtr = std::shared_ptr<const NodeResult>;

class Cache {
 public:
  explicit Cache(size_t budget_bytes) : budget_(budget_bytes) {}

  ResultPtr get(const Key& key);  // nullptr: not here
  bool contains(const Key& key) const;
  void put(const Key& key, ResultPtr result);
  void clear();

  size_t bytes() const;
  size_t count() const;

 private:
  struct Entry {
    Key key;
    ResultPtr result;
    size_t bytes;
  };
  void shrink();  // with the lock held

  mutable std::mutex mutex_;
  std::list<Entry> recent_;  // the front was used last
  std::unordered_map<Key, std::list<Entry>::iterator> index_;
  size_t budget_;
  size_t bytes_ = 0;
};

}  // namespace sinew
