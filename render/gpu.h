// Things that bgfx holds for us, let go of when their owner goes.
#pragma once

#include <bgfx/bgfx.h>

#include <utility>

namespace sinew::render {

template <class Handle>
class Owned {
 public:
  Owned() = default;
  explicit Owned(Handle handle) : handle_(handle) {}
  ~Owned() { reset(); }
  Owned(Owned&& other) noexcept
      : handle_(std::exchange(other.handle_, Handle BGFX_INVALID_HANDLE)) {}
  Owned& operator=(Owned&& other) noexcept {
    if (this != &other) {
      reset();
      handle_ = std::exchange(other.handle_, Handle BGFX_INVALID_HANDLE);
    }
    return *this;
  }

  Handle operator*() const { return handle_; }
  explicit operator bool() const { return bgfx::isValid(handle_); }
  void reset() {
    if (bgfx::isValid(handle_)) bgfx::destroy(handle_);
    handle_ = BGFX_INVALID_HANDLE;
  }

 private:
  Handle handle_ = BGFX_INVALID_HANDLE;
};

// Memory of the frame that bgfx frees; what is written there is not copied again by us.
template <class T>
std::pair<const bgfx::Memory*, T*> frame_memory(std::size_t count) {
  const bgfx::Memory* memory = bgfx::alloc(static_cast<uint32_t>(count * sizeof(T)));
  return {memory, reinterpret_cast<T*>(memory->data)};
}

}  // namespace sinew::render
