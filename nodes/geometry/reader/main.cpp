// sinew-read: reads one file through assimp, for sinew, which starts it (foreign_files.h), and
// answers on its standard output (reader_answer.h).
#include <tbb/global_control.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "nodes/geometry/format_error.h"
#include "nodes/geometry/reader/assimp_meshes.h"
#include "nodes/geometry/reader/assimp_rig.h"
#include "nodes/geometry/reader/limits.h"
#include "nodes/geometry/reader_answer.h"

namespace sinew {

namespace {

bool number(std::string_view text, uint64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

// Small pieces of an answer are written together.
class Sender {
 public:
  ~Sender() { answer(kept_.data(), kept_.size()); }
  void send(const void* bytes, std::size_t size) {
    if (kept_.size() + size > most) {
      answer(kept_.data(), kept_.size());
      kept_.clear();
    }
    if (size > most) return answer(bytes, size);
    kept_.append(static_cast<const char*>(bytes), size);
  }

 private:
  static constexpr std::size_t most = 65536;
  std::string kept_;
};

void read(std::string_view what, const std::filesystem::path& path) {
  // The stacks of many threads would be a large part of what may be taken.
  const tbb::global_control alone(tbb::global_control::max_allowed_parallelism, 1);
  Sender sender;
  const ByteSink sink = [&](const void* bytes, std::size_t size) { sender.send(bytes, size); };
  try {
    if (what == "mesh") {
      give_mesh(read_assimp_meshes(path), sink);
    } else {
      give_rig(read_assimp_rig(path), sink);
    }
  } catch (const std::bad_alloc&) {  // more than addresses can say
    no_memory();
  } catch (const std::exception& problem) {
    give_flaw(problem.what(), sink);
  }
}

}  // namespace

}  // namespace sinew

int main(int count, char** words) {
  const std::string_view what = count > 1 ? words[1] : "";
  uint64_t bytes = 0, seconds = 0, parent = 0;
  if (count != 6 || (what != "mesh" && what != "rig") || !sinew::number(words[3], bytes) ||
      !sinew::number(words[4], seconds) || !sinew::number(words[5], parent)) {
    std::fputs("sinew-read is started by sinew, to read files in some formats\n", stderr);
    return 2;
  }
  sinew::set_limits(bytes, seconds, static_cast<int>(parent));
  sinew::read(what, words[2]);
  ::_exit(0);  // what assimp made need not be put in order
}
