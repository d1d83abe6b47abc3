// Work that nodes do when somebody asks for it (graph/work.h): a search. It runs on threads of its
// own, with evaluators of its own and with the document as it was when it began, while the person
// goes on. What it finds becomes the literal of one of the node's inputs, and is one step of the
// history however often it finds something better: what is found is seen at once, and one undo
// takes all of it back.
//
// One at a time. A change of what the work began with does not stop it: it goes on with what it
// began with, and says so. Undoing its step, setting the same input by hand, removing the node or
// opening another document stop it, and what it still finds is dropped.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/editor/player.h"

namespace sinew::editor {

class Works {
 public:
  // `wake` is called from the work's thread when there is something to see. `threads`: 0: one less
  // than there are cores, so that the interface stays smooth.
  Works(Session& session, Player& player, std::function<void()> wake, int threads = 0);
  ~Works();  // stops what runs, and waits for it

  // Once in each frame of the interface. `free`: no hand holds anything, so that a step may come
  // into the history without cutting a drag in two.
  void update(double now, bool free);

  // Why the node of the graph that is looked at cannot begin now; empty: it can.
  std::string why_not(const NodeDoc& node) const;
  // `anew`: what was found before does not count.
  Result<void> start(const std::string& node, bool anew);
  // What was found stays.
  void stop();
  // Whether something runs, and at this node of the document's own graph.
  bool busy() const { return run_ != nullptr; }
  bool runs_at(const std::string& node) const;
  struct State {
    std::string node, label, title;  // its id, "Search", what it is called
    double part = 0;                 // that is done
    std::string words;
    bool stopping = false;
  };
  State state() const;

  // What a person should be told, since the last call.
  struct News {
    bool good = true;
    std::string text;
  };
  std::vector<News> take_news() { return std::exchange(news_, {}); }
  // For tests and scripts: waits until what runs has come to its end, and takes what it found.
  void finish();

 private:
  struct Run;

  void tell(bool good, std::string text) { news_.push_back({good, std::move(text)}); }
  void look_after(Run& run);
  void drop(const std::string& why);
  void take_found(Run& run, double now, bool free, bool ended);
  bool matters(const Run& run, const Value& found, double now) const;
  bool write(Run& run, const Value& found);
  void end(Run& run);

  Session& session_;
  Player& player_;
  const std::function<void()> wake_;
  const int threads_;
  std::unique_ptr<Run> run_;
  std::vector<std::unique_ptr<Run>> leaving_;  // dropped, and not at their ends yet
  std::vector<News> news_;
  uint64_t runs_ = 0;
};

}  // namespace sinew::editor
