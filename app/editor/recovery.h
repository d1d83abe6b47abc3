// What is not saved is kept all the same: a copy in the state folder, a few seconds old at most,
// which is removed when the document is saved or the program ends as it should. What is found there
// at the next start was left by a crash.
//
// A copy belongs to the process that holds a lock on the file beside it. The system takes the lock
// away when the process ends, however it ends, so that two programs that run at the same time never
// take each other's work for something left behind.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "graph/document.h"

namespace sinew::editor {

// Work that a program left behind.
struct LeftWork {
  std::filesystem::path file;      // the copy
  std::filesystem::path original;  // of the document; empty: it was never saved
  int64_t time = 0;                // when it was written, seconds since 1970
  int process = 0;
  std::string title;
  std::string text;  // the document
};

// Newest first. What is damaged, what is still held by a running program and what equals the file
// that it belongs to is not among them; the last is removed.
std::vector<LeftWork> find_left_work(const std::filesystem::path& folder);
void discard(const LeftWork& work);
// What the document's file holds now; empty if there is none.
std::string saved_text(const LeftWork& work);

class RecoveryWriter {
 public:
  // An empty folder: nothing is ever kept.
  explicit RecoveryWriter(std::filesystem::path folder);
  ~RecoveryWriter();  // waits for what is being written, and removes the copy
  RecoveryWriter(const RecoveryWriter&) = delete;
  RecoveryWriter& operator=(const RecoveryWriter&) = delete;

  // Writes the copy, on a thread of its own; of several that wait only the newest counts. What
  // `instead` names is removed when this one is safe.
  void keep(GraphDoc doc, std::filesystem::path original, std::string title,
            std::optional<LeftWork> instead = {});
  // There is nothing to be lost any more.
  void clear();
  // Until all that was asked for is done.
  void wait();
  const std::filesystem::path& file() const { return file_; }

 private:
  struct Job {
    GraphDoc doc;
    std::filesystem::path original;
    std::string title;
  };
  void work();
  bool write(const Job& job);
  bool lock_file();

  std::filesystem::path folder_, file_;
  int lock_ = -1;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Job> waiting_;
  std::vector<LeftWork> replaced_;
  bool remove_ = false, working_ = false, ending_ = false;
  std::thread thread_;  // last: it uses all the others
};

// A crash says on the way out where the work is. Does nothing where something else already looks
// after crashes.
void explain_crashes();

}  // namespace sinew::editor
