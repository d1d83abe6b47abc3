#include "graph/pack.h"

namespace sinew {
namespace {

size_t padding(size_t bytes) { return (4 - bytes % 4) % 4; }

}  // namespace

void Packer::append(const void* data, size_t bytes) {
  if (bytes > 0) content_.append(static_cast<const char*>(data), bytes);
  content_.append(padding(bytes), '\0');
}

void Packer::shared(const char* kind, const std::shared_ptr<const void>& part,
                    const std::function<void(Packer&)>& write) {
  if (known_) {
    if (const auto it = known_->find(part.get()); it != known_->end())
      return number(it->second.second);
  }
  Packer inner(known_);
  write(inner);
  const Key key = KeyHasher(0x99)
                      .text(kind)
                      .bytes(std::as_bytes(std::span(inner.content_.data(), inner.content_.size())))
                      .finish();
  for (Shared& deeper : inner.new_parts_) new_parts_.push_back(std::move(deeper));
  new_parts_.push_back({key, std::move(inner.content_)});
  if (known_) known_->emplace(part.get(), std::pair(part, key));
  number(key);
}

bool Unpacker::take(void* to, size_t bytes) {
  if (!good_ || bytes + padding(bytes) > rest_.size()) return fail();
  if (bytes > 0) std::memcpy(to, rest_.data(), bytes);
  rest_.remove_prefix(bytes + padding(bytes));
  return true;
}

bool Unpacker::text(std::string& s) {
  std::vector<char> letters;
  if (!array(letters)) return false;
  s.assign(letters.begin(), letters.end());
  return true;
}

std::shared_ptr<const void> Unpacker::shared(const char* kind, const Read& read) {
  Key key;
  if (!number(key) || !find_) return fail(), nullptr;
  std::shared_ptr<const void> part = find_(kind, key, read);
  if (!part) fail();
  return part;
}

}  // namespace sinew
