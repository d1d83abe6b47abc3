// Small pictures of what values look like, drawn by the processor alone, beside the interface:
// nodes show them while the graphics card has the viewport to do.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "app/ui/host.h"
#include "nodes/show.h"
#include "render/camera.h"
#include "render/draw_list.h"
#include "render/picture.h"

namespace sinew::editor {

// The bodies of the list and the signs on them, seen from the front right and a little from above,
// so that all of it fits. What is not covered is transparent.
render::Picture thumbnail(const draw::DrawList& list, int width, int height);
// The same, so that this box fits: one for all pictures of a film.
render::Picture thumbnail(const draw::DrawList& list, int width, int height,
                          const render::Box& box);

// Pictures by who wants them. They are made on a thread of its own, one after the other; while one
// is made, the one before is shown.
class Thumbnails {
 public:
  Thumbnails(ui::Host& host, std::function<void()> wake, int width, int height);
  ~Thumbnails();

  // Once in each frame of the interface: takes what is finished.
  void update(double now);
  // The newest picture that there is; nullptr before the first. Another content is drawn at most a
  // few times a second.
  const ui::Texture* get(const std::string& owner, const Shown& what, double now);
  // The picture that there is, of something that cannot be asked for just now.
  const ui::Texture* last(const std::string& owner, double now);
  bool busy();
  // Waits until all that was asked for is drawn.
  void settle();
  void clear();

 private:
  struct Job {
    std::string owner;
    Shown what;
  };
  struct Done {
    std::string owner;
    render::Picture picture;
  };
  struct Entry {
    Key key, body_key;
    ui::Texture texture;
    bool waiting = false;
    double asked = 0, begun = -1;
  };
  void work();

  ui::Host& host_;
  std::function<void()> wake_;
  const int width_, height_;
  std::map<std::string, Entry> entries_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Job> jobs_;
  std::vector<Done> done_;
  bool working_ = false, ending_ = false;
  std::thread thread_;  // last: it uses all the others
};

}  // namespace sinew::editor
