// Room that steps of a simulation use again and again. States are immutable and nodes have no
// members, so the room lives beside what was prepared from the inputs; who steps takes one, and
// gives it back. Nothing of a result may depend on what is in it.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace sinew {

template <class Scratch>
class ScratchPool {
 public:
  // Gives the room back when it goes.
  class Lease {
   public:
    Lease(const ScratchPool& pool, std::unique_ptr<Scratch> room)
        : pool_(pool), room_(std::move(room)) {}
    ~Lease() {
      if (room_) pool_.give_back(std::move(room_));
    }
    Lease(Lease&&) = default;
    Scratch& operator*() const { return *room_; }
    Scratch* operator->() const { return room_.get(); }

   private:
    const ScratchPool& pool_;
    std::unique_ptr<Scratch> room_;
  };

  Lease take() const {
    const std::lock_guard lock(shelf_->mutex);
    if (shelf_->rooms.empty()) return Lease(*this, std::make_unique<Scratch>());
    std::unique_ptr<Scratch> room = std::move(shelf_->rooms.back());
    shelf_->rooms.pop_back();
    return Lease(*this, std::move(room));
  }

  // Nobody asks how large the rooms are: they come and go with what they stand beside.
  std::size_t bytes() const { return sizeof *this; }

 private:
  struct Shelf {
    std::mutex mutex;
    std::vector<std::unique_ptr<Scratch>> rooms;
  };
  void give_back(std::unique_ptr<Scratch> room) const {
    const std::lock_guard lock(shelf_->mutex);
    shelf_->rooms.push_back(std::move(room));
  }

  std::unique_ptr<Shelf> shelf_ = std::make_unique<Shelf>();
};

}  // namespace sinew
