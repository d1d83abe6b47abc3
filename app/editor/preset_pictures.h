// Pictures of presets: evaluated and drawn beside everything else, one after the other, and only
// while nothing else is computed; kept as PNG files by the content of the preset.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

#include "app/library/library_index.h"
#include "app/library/previews.h"
#include "app/ui/host.h"
#include "graph/evaluator.h"
#include "render/picture.h"

namespace sinew::editor {

using namespace library;

// What a preset looks like half a second after its beginning; empty if there is nothing to see, or
// if it was cancelled.
render::Picture picture_of(const GraphDoc& doc, const Registry& registry,
                           const std::filesystem::path& folder, Evaluator& evaluator,
                           const std::atomic<bool>* cancel);

class PresetPictures {
 public:
  static constexpr int width = 240, height = 180;

  // `folder`: where they are kept; empty: nowhere. `wake`: from the thread, when one is there.
  PresetPictures(ui::Host& host, const Registry& registry, std::filesystem::path folder,
                 std::function<void()> wake);
  ~PresetPictures();

  // Once in each frame. `quiet`: nothing else is computed, so that pictures may be.
  void update(bool quiet);
  // nullptr: not there yet, or there is nothing to see. Asking begins the work.
  const ui::Texture* get(const PresetInfo& preset);
  bool busy() const;

  // The short film that came with a preset of the program; nullptr: there is none.
  struct Film {
    ui::Texture texture;
    FilmFacts facts;
  };
  const Film* film(const PresetInfo& preset);

 private:
  struct Job {
    std::filesystem::path file;
    Key key;
    bool own = false;
  };
  struct Done {
    Key key;
    render::Picture picture;
  };
  void work();
  render::Picture make(const Job& job);
  std::filesystem::path kept(const Key& key) const;

  ui::Host& host_;
  const Registry& registry_;
  std::filesystem::path folder_;
  std::function<void()> wake_;
  std::map<Key, ui::Texture> textures_;
  std::map<Key, Film> films_;
  std::set<Key> asked_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  std::deque<Done> done_;
  bool quiet_ = false, working_ = false, ending_ = false;
  std::atomic<bool> cancel_{false};
  std::thread thread_;  // last: it uses all the others
};

}  // namespace sinew::editor
