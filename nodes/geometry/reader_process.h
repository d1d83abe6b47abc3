// The program sinew-read as a child of this one, reading one file.
#pragma once

#include <sys/types.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "nodes/geometry/foreign_files.h"
#include "nodes/geometry/format_error.h"

namespace sinew {

// It is started without a copy of this process (posix_spawn), for other threads are running. It has
// no descriptor of ours but the pipe to which it answers, prints nowhere, is in a process group of
// its own, so that Ctrl-C reaches it through us only, and dies with us.
class ReaderProcess {
 public:
  // Throws FormatError if it cannot be started.
  ReaderProcess(const char* what, const std::filesystem::path& file, uint64_t file_bytes,
                const ReadLimits& limits, CancelView cancel);
  ReaderProcess(const ReaderProcess&) = delete;
  ReaderProcess& operator=(const ReaderProcess&) = delete;
  ~ReaderProcess();  // ends it, whatever it does, and waits until it is gone

  // The next `size` bytes of its answer. Throws FormatError if it ends before or takes too long,
  // and Stopped.
  void take(void* to, std::size_t size);

  FormatError too_much_memory(uint64_t limit) const;

 private:
  using Clock = std::chrono::steady_clock;

  // At least one byte and at most `size`.
  std::size_t receive(void* to, std::size_t size);
  FormatError too_long() const;
  FormatError ended();  // why it did

  CancelView cancel_;
  ReadLimits limits_;
  uint64_t file_bytes_;
  Clock::time_point deadline_;
  pid_t pid_ = -1;
  int answer_ = -1;
  // What has come and is not taken yet.
  std::array<char, 65536> buffer_;
  std::size_t begin_ = 0, end_ = 0;
};

}  // namespace sinew
