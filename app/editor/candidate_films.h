// Small playing pictures of what candidates look like: the document with one of them chosen,
// evaluated over its first seconds and drawn by the processor alone. They are made beside
// everything else, one after the other, by one thread of low priority; what nobody looks at for a
// while is forgotten.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "app/ui/host.h"
#include "graph/document.h"
#include "graph/key.h"
#include "graph/registry.h"
#include "render/picture.h"

namespace sinew::editor {

// All pictures of one film, side by side in rows.
struct FilmStrip {
  render::Picture picture;
  int count = 0, columns = 1;
  double fps = 1;
};

struct FilmOrder {
  GraphDoc doc;
  std::filesystem::path folder;  // of files that it names
};

inline constexpr int film_width = 128, film_height = 96;
// A film shows the first seconds of the document's range with so many pictures at most.
inline constexpr int most_film_pictures = 40;
inline constexpr double film_seconds = 4;

// Empty if there is nothing to see, or if it was cancelled. `done` counts pictures.
FilmStrip film_of(const FilmOrder& order, const Registry& registry, const std::atomic<bool>* cancel,
                  std::atomic<int>* done = nullptr);

class CandidateFilms {
 public:
  static constexpr std::size_t most_kept = 24;

  CandidateFilms(ui::Host& host, const Registry& registry, std::function<void()> wake);
  ~CandidateFilms();

  struct Film {
    ui::Texture texture;  // none: there is nothing to see
    int count = 0, columns = 1;
    double fps = 1;
    Key version;  // of what it shows

    // The part of the texture that is seen at a time of any clock, in seconds.
    std::pair<ImVec2, ImVec2> at(double seconds) const;
  };

  // Once in each frame: takes what is finished, forgets what nobody asked for.
  void update(double now);
  // The newest film of something, nullptr before the first. Another version is ordered, and until
  // it is there the one before is shown.
  const Film* get(const Key& what, const Key& version, double now,
                  const std::function<std::optional<FilmOrder>()>& order);
  // Pictures that are done of what is being made; nothing: it waits, or it is done.
  std::optional<double> progress(const Key& what) const;
  bool busy() const;
  // Waits until all that was ordered is done, and takes it.
  void settle();
  std::size_t kept() const { return films_.size(); }

 private:
  struct Job {
    Key what, version;
    FilmOrder order;
  };
  struct Done {
    Key what, version;
    FilmStrip strip;
  };
  struct Entry {
    Film film;
    Key ordered;  // the newest version that was asked for
    double asked = 0;
  };
  void work();

  ui::Host& host_;
  const Registry& registry_;
  std::function<void()> wake_;
  std::map<Key, Entry> films_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  std::deque<Done> done_;
  Key making_;
  bool working_ = false, ending_ = false;
  std::atomic<bool> cancel_{false};
  std::atomic<int> pictures_{0};
  std::thread thread_;  // last: it uses all the others
};

}  // namespace sinew::editor
