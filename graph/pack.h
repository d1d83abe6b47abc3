// Values as bytes, for results that are kept on disk. A type writes itself part by part and reads
// the parts back in the same order. Every part begins at a multiple of four bytes, since most of
// what is written are floats and indices, which compress far better when they stand in line.
#pragma once

#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "graph/key.h"

namespace sinew {

// What can be written as the bytes it consists of.
template <class T>
concept Plain = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>;

class Packer {
 public:
  // A part that many values have in common, and the key of its content.
  struct Shared {
    Key key;
    std::string content;
  };
  // What was written before, by whoever packs many values: a part that is there is not written out
  // again. It holds on to the parts, so that none can take another's address.
  using Known = std::unordered_map<const void*, std::pair<std::shared_ptr<const void>, Key>>;

  explicit Packer(Known* known = nullptr) : known_(known) {}

  template <Plain T>
  void number(const T& x) {
    append(&x, sizeof x);
  }
  template <Plain T>
  void array(std::span<const T> values) {
    number(static_cast<uint64_t>(values.size()));
    append(values.data(), values.size_bytes());
  }
  void text(std::string_view s) { array(std::span(s.data(), s.size())); }
  // Stands here only as the key of its content. `kind` names the type of the part.
  void shared(const char* kind, const std::shared_ptr<const void>& part,
              const std::function<void(Packer&)>& write);

  const std::string& content() const { return content_; }
  // Those that were not known before, in the order in which they must be there.
  std::vector<Shared>& new_parts() { return new_parts_; }

 private:
  void append(const void* data, size_t bytes);

  std::string content_;
  std::vector<Shared> new_parts_;
  Known* known_;
};

// Reads what a Packer wrote, or anything else: what does not fit is refused, and nothing larger
// than what is there is ever asked of the memory.
class Unpacker {
 public:
  // Gives a shared part of this kind by its key, made by `read` unless it is at hand; nullptr:
  // there is none.
  using Read = std::function<std::shared_ptr<const void>(Unpacker&)>;
  using Find =
      std::function<std::shared_ptr<const void>(const char* kind, const Key&, const Read&)>;

  explicit Unpacker(std::string_view content, Find find = {})
      : rest_(content), find_(std::move(find)) {}

  template <Plain T>
  bool number(T& x) {
    return take(&x, sizeof x);
  }
  template <Plain T>
  bool array(std::vector<T>& values) {
    uint64_t count = 0;
    if (!number(count) || count > rest_.size() / sizeof(T)) return fail();
    values.resize(static_cast<size_t>(count));
    return take(values.data(), values.size() * sizeof(T));
  }
  bool text(std::string& s);
  std::shared_ptr<const void> shared(const char* kind, const Read& read);

  bool good() const { return good_; }
  // Whether all of it was read.
  bool done() const { return good_ && rest_.empty(); }

 private:
  bool take(void* to, size_t bytes);
  bool fail() { return good_ = false; }

  std::string_view rest_;
  Find find_;
  bool good_ = true;
};

}  // namespace sinew
