// The vocabulary of the geometry and kernel rooms: vector aliases, axes, cancellation.
#pragma once

#include <Eigen/Geometry>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>

namespace sinew {

using Vec2f = Eigen::Vector2f;
using Vec3f = Eigen::Vector3f;
using Vec2d = Eigen::Vector2d;
using Vec3d = Eigen::Vector3d;

// Lengths are metres and y points up unless an option says otherwise.
enum class Axis : uint8_t { x, y, z };

// Thrown by a long kernel that was asked to stop. It is not an error: the evaluator drops the run.
struct Stopped : std::exception {
  const char* what() const noexcept override { return "stopped"; }
};

// The one way in which a long kernel is stopped: it takes a CancelView as its last argument, asks
// it every few thousand elements or once an iteration, and throws Stopped. The default never
// stops.
struct CancelView {
  const std::atomic<bool>* flag = nullptr;

  bool operator()() const { return flag && flag->load(std::memory_order_relaxed); }
  void check() const {
    if ((*this)()) throw Stopped();
  }
};

// The bytes of an array of plain values, for content keys.
template <class Array>
std::span<const std::byte> bytes_of(const Array& values) {
  return std::as_bytes(std::span(values.data(), values.size()));
}

}  // namespace sinew
