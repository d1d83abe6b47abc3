// Result<T>: a value, or one clear sentence about why there is none. Stands for std::expected,
// which GCC 12 does not have.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace sinew {

struct Error {
  std::string text;  // one sentence: what is wrong, and what would be right
};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::move(value)) {}      // NOLINT: implicit by design
  Result(Error error) : content_(std::move(error)) {}  // NOLINT: implicit by design

  explicit operator bool() const { return content_.index() == 0; }
  T& operator*() { return std::get<0>(content_); }
  const T& operator*() const { return std::get<0>(content_); }
  T* operator->() { return &std::get<0>(content_); }
  const T* operator->() const { return &std::get<0>(content_); }
  const std::string& error() const { return std::get<1>(content_).text; }

 private:
  std::variant<T, Error> content_;
};

// The result of something that only succeeds or fails.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error.text)) {}  // NOLINT: implicit by design

  explicit operator bool() const { return !error_; }
  const std::string& error() const { return *error_; }

 private:
  std::optional<std::string> error_;
};

}  // namespace sinew
