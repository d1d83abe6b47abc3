#include "nodes/geometry/reader_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <type_traits>

#include "nodes/geometry/format_error.h"

namespace sinew {

namespace {

constexpr uint32_t first_word = 0x31524e53, last_word = 0x444e4553;
enum class Answer : uint32_t { mesh, rig, flaw, memory_limit };

constexpr uint64_t longest_text = 65536;

[[noreturn]] void nonsense() { throw FormatError("what its reader answers makes no sense"); }

// The two have the same members, so that `walk` below says the order of an answer once for both.
class Giver {
 public:
  explicit Giver(const ByteSink& sink) : sink_(sink) {}

  template <class T>
  void plain(T& value) {
    sink_(&value, sizeof value);
  }
  void count(std::size_t size, std::size_t) {
    const uint64_t number = size;
    sink_(&number, sizeof number);
  }
  template <class T>
  void values(std::vector<T>& list) {
    count(list.size(), sizeof(T));
    sink_(list.data(), list.size() * sizeof(T));
  }
  template <class T>
  void resize(std::vector<T>& list, std::size_t least_bytes) {
    count(list.size(), least_bytes);
  }
  void text(std::string& value) {
    value.resize(std::min<std::size_t>(value.size(), longest_text));
    count(value.size(), 1);
    sink_(value.data(), value.size());
  }

 private:
  const ByteSink& sink_;
};

class Taker {
 public:
  Taker(const ByteSource& source, std::size_t most_bytes) : source_(source), left_(most_bytes) {}

  template <class T>
  void plain(T& value) {
    take(&value, sizeof value);
  }
  void plain(bool& value) {
    uint8_t byte = 0;
    take(&byte, 1);
    value = byte != 0;
  }
  void plain(RigPart& value) { choice(value, RigPart::scale); }
  void plain(RigWay& value) { choice(value, RigWay::cubic); }
  std::size_t count(std::size_t, std::size_t least_bytes) {
    uint64_t number = 0;
    plain(number);
    if (number > left_ / least_bytes) nonsense();
    return static_cast<std::size_t>(number);
  }
  // Memory is filled as the bytes come, however many were announced.
  template <class T>
  void values(std::vector<T>& list) {
    const std::size_t size = count(0, sizeof(T)), step = (std::size_t{4} << 20) / sizeof(T);
    list.clear();
    list.reserve(size);
    while (list.size() < size) {
      const std::size_t at = list.size(), more = std::min(step, size - at);
      list.resize(at + more);
      take(list.data() + at, more * sizeof(T));
    }
  }
  template <class T>
  void resize(std::vector<T>& list, std::size_t least_bytes) {
    const std::size_t size = count(0, least_bytes);
    list.resize(size);
    // What is announced as small as it can be takes more than it says once it is here.
    left_ -= std::min(left_, size * (sizeof(T) - std::min(sizeof(T), least_bytes)));
  }
  void text(std::string& value) {
    const std::size_t size = count(0, 1);
    if (size > longest_text) nonsense();
    value.resize(size);
    take(value.data(), size);
  }

 private:
  void take(void* to, std::size_t size) {
    if (size > left_) nonsense();
    left_ -= size;
    if (size > 0) source_(to, size);
  }
  template <class Choice>
  void choice(Choice& value, Choice last) {
    uint8_t byte = 0;
    take(&byte, 1);
    if (byte > static_cast<uint8_t>(last)) nonsense();
    value = static_cast<Choice>(byte);
  }

  const ByteSource& source_;
  std::size_t left_;
};

template <class Way>
void walk(Way& way, ForeignMesh& mesh) {
  way.values(mesh.positions);
  way.values(mesh.faces.corners);
  way.values(mesh.faces.sizes);
  way.values(mesh.faces.uvs);
  way.resize(mesh.unread, sizeof(uint64_t));
  for (std::string& what : mesh.unread) way.text(what);
}

template <class Way>
void walk(Way& way, Eigen::Affine3d& frame) {
  for (int i = 0; i < 16; ++i) way.plain(frame.matrix().data()[i]);
}

template <class Way>
void walk(Way& way, RigNode& node) {
  way.text(node.name);
  way.plain(node.parent);
  walk(way, node.rest);
  for (int i = 0; i < 3; ++i) way.plain(node.parts.translation[i]);
  for (int i = 0; i < 4; ++i) way.plain(node.parts.rotation.coeffs()[i]);
  for (int i = 0; i < 3; ++i) way.plain(node.parts.scale[i]);
  way.plain(node.made);
  way.plain(node.has_mesh);
}

template <class Way>
void walk(Way& way, RigBind& bind) {
  way.plain(bind.node);
  way.plain(bind.skin);
  bool known = bind.frame.has_value();
  way.plain(known);
  if (!known) return;
  if (!bind.frame) bind.frame.emplace();
  walk(way, *bind.frame);
}

template <class Way>
void walk(Way& way, RigMotion& motion) {
  way.text(motion.name);
  way.resize(motion.curves, 22);
  for (RigCurve& curve : motion.curves) {
    way.plain(curve.node);
    way.plain(curve.part);
    way.plain(curve.way);
    way.values(curve.times);
    way.values(curve.values);
  }
}

template <class Way>
void walk(Way& way, Rig& rig) {
  way.resize(rig.nodes, 222);
  for (RigNode& node : rig.nodes) walk(way, node);
  way.resize(rig.binds, 9);
  for (RigBind& bind : rig.binds) walk(way, bind);
  way.resize(rig.holds, 20);
  for (RigHold& hold : rig.holds) {
    way.plain(hold.node);
    for (int i = 0; i < 3; ++i) way.plain(hold.place[i]);
    way.plain(hold.weight);
  }
  way.resize(rig.motions, 16);
  for (RigMotion& motion : rig.motions) walk(way, motion);
}

template <class Content>
void give(Answer kind, Content& content, const ByteSink& sink) {
  Giver giver(sink);
  uint32_t first = first_word, last = last_word;
  giver.plain(first);
  giver.plain(kind);
  walk(giver, content);
  giver.plain(last);
}

template <class Content>
Content take(Answer wanted, const ByteSource& source, std::size_t most_bytes) {
  Taker taker(source, most_bytes);
  uint32_t word = 0;
  Answer kind{};
  taker.plain(word);
  if (word != first_word) nonsense();
  taker.plain(kind);
  if (kind == Answer::memory_limit) {
    uint64_t limit = 0;
    taker.plain(limit);
    throw MemoryLimitReached{limit};
  }
  if (kind == Answer::flaw) {
    std::string reason;
    taker.text(reason);
    throw FormatError(one_line(reason));
  }
  if (kind != wanted) nonsense();
  Content content;
  walk(taker, content);
  taker.plain(word);
  if (word != last_word) nonsense();
  return content;
}

void check(const ForeignMesh& mesh) {
  const PolygonBlock& faces = mesh.faces;
  if (mesh.positions.size() > INT32_MAX) nonsense();
  for (const uint32_t corner : faces.corners) {
    if (corner >= mesh.positions.size()) nonsense();
  }
  if (!faces.uvs.empty() && faces.uvs.size() != faces.corners.size()) nonsense();
  if (faces.sizes.empty()) {
    if (faces.corners.size() % 3 != 0) nonsense();
    return;
  }
  std::size_t corners = 0;
  for (const uint32_t size : faces.sizes) corners += size;
  if (corners != faces.corners.size()) nonsense();
}

}  // namespace

std::string one_line(std::string_view text) {
  constexpr std::size_t most = 400;
  std::string line(text.substr(0, most));
  for (char& c : line) c = static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  if (text.size() > most) line += "...";
  return line;
}

void give_mesh(ForeignMesh mesh, const ByteSink& sink) { give(Answer::mesh, mesh, sink); }

void give_rig(Rig rig, const ByteSink& sink) { give(Answer::rig, rig, sink); }

void give_flaw(std::string_view reason, const ByteSink& sink) {
  Giver giver(sink);
  uint32_t word = first_word;
  Answer kind = Answer::flaw;
  std::string text(reason);
  giver.plain(word);
  giver.plain(kind);
  giver.text(text);
}

void give_memory_limit(uint64_t limit, void (*sink)(const void*, std::size_t)) {
  const Answer kind = Answer::memory_limit;
  sink(&first_word, sizeof first_word);
  sink(&kind, sizeof kind);
  sink(&limit, sizeof limit);
}

ForeignMesh take_mesh(const ByteSource& source, std::size_t most_bytes) {
  ForeignMesh mesh = take<ForeignMesh>(Answer::mesh, source, most_bytes);
  check(mesh);
  return mesh;
}

Rig take_rig(const ByteSource& source, std::size_t most_bytes) {
  return take<Rig>(Answer::rig, source, most_bytes);
}

}  // namespace sinew
