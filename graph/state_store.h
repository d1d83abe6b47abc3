// States of simulations by their chained key, bounded by bytes. Every state is kept for a while,
// since the next frame is most likely to be asked for; states at checkpoints, every few frames,
// stay longer, so that an edit or a jump resumes close by. Safe to use from any thread.
#pragma once

#include <list>
#include <mutex>
#include <unordered_map>

#include "graph/key.h"
#include "graph/node_type.h"

namespace sinew {

class StateStore {
 public:
  explicit StateStore(size_t budget_bytes, int checkpoint_interval = 8)
      : budget_(budget_bytes), interval_(checkpoint_interval) {}

  SimState get(const Key& key);  // empty: not here
  bool contains(const Key& key) const;
  // `frames_since_start` decides whether it is a checkpoint.
  void put(const Key& key, SimState state, int frames_since_start);
  void clear();

  // How many states between checkpoints are kept: several for each simulation of a graph, so that
  // many can play side by side. Never fewer than a few dozen.
  void keep_passing(size_t count);

  int checkpoint_interval() const { return interval_; }
  size_t bytes() const;
  size_t count() const;

 private:
  struct Entry {
    Key key;
    SimState state;
    bool checkpoint;
  };
  using List = std::list<Entry>;
  void drop_oldest(List& list);

  mutable std::mutex mutex_;
  List checkpoints_, passing_;  // the front was used last
  std::unordered_map<Key, List::iterator> index_;
  size_t budget_;
  int interval_;
  size_t passing_count_ = 64;
  size_t bytes_ = 0;
};

}  // namespace sinew
