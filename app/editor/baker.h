// Bakes: computes what is shown at every frame and keeps it on disk, beside the document. It has a
// thread and an evaluator of its own, of low priority, so that neither editing nor playing waits
// for it. What it needs from the disk otherwise, to open and to empty a folder, it does there, too.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/editor/player.h"

namespace sinew::editor {

class Baker {
 public:
  // `home`: where the results of documents are kept that have no file, or of all if they are not to
  // be `beside` their documents. `wake` is called from the baker's thread when there is something
  // to see.
  Baker(Session& session, Player& player, std::filesystem::path home, bool beside,
        std::function<void()> wake);
  ~Baker();  // stops what is under way

  // Once in each frame of the interface: follows the document to its folder.
  void update();

  // Every frame of the document, as it is now. False if there is nothing to bake.
  bool start();
  void cancel();
  // Takes the results of this document from the disk.
  void remove();
  bool baking() const { return baking_ || waiting_; }
  // Frames that are done, and how many there are.
  std::pair<int, int> progress() const { return {done_, total_}; }
  // What a person should be told, since the last call.
  struct News {
    bool good = true;
    std::string text;
  };
  std::vector<News> take_news();
  // Where the results of this document are kept.
  std::filesystem::path folder() const;
  // For tests and scripts: waits until there is nothing left to do.
  void settle();

 private:
  struct Job {
    GraphPtr graph;
    std::vector<Target> targets;
    Context context;
    int first = 0, last = 0;
  };
  struct Computed {
    int frame;
    std::vector<Key> results;
  };

  void work();
  void post(std::function<void()> task);
  void open(const std::filesystem::path& folder, uint64_t document);
  void bake(const Job& job, const std::shared_ptr<BakeStore>& store);
  // Whether all results of a frame are on disk now. The error ends the work.
  Result<bool> bake_frame(Evaluator& evaluator, const Job& job, BakeStore& store, int frame,
                          const std::vector<Key>& results);
  void tell(bool good, std::string text);

  Session& session_;
  Player& player_;
  const std::filesystem::path home_;
  const bool beside_;
  bool waiting_ = false;  // it was started, and the folder is not open yet
  const std::function<void()> wake_;
  uint64_t seen_document_ = 0;
  std::filesystem::path seen_folder_;

  std::atomic<bool> cancel_{false}, baking_{false};
  std::atomic<int> done_{0}, total_{0};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  bool working_ = false, quit_ = false;
  std::vector<News> news_;
  std::vector<Computed> computed_;
  std::optional<std::pair<uint64_t, std::shared_ptr<BakeStore>>> opened_;
  std::thread thread_;  // last: it uses all the others
};

}  // namespace sinew::editor
