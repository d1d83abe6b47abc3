// What a running node sees: its inputs by typed handles, its outputs, the parts of the context that
// it declared, and a place for its messages.
#pragma once

#include <fmt/core.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/animation.h"
#include "graph/cache.h"
#include "graph/frame_time.h"
#include "graph/message.h"
#include "graph/node_type.h"
#include "graph/over_time.h"
#include "graph/value.h"

namespace sinew {

// Typed names of a node's sockets. The declaration gives them their index.
template <class T>
struct In {
  int index = -1;
};
template <class T>
struct InList {
  int index = -1;
};
template <class T>
struct Out {
  int index = -1;
};

// The moment and the settings that a graph is evaluated at.
struct Context {
  int frame = 0;
  double fps = 25;
  uint64_t seed = 0;
  int start_frame = 0;           // the document's first frame, where simulations begin
  int last_frame = 100;          // and its last: links to inputs of `whole_time` bring all between
  std::filesystem::path folder;  // what relative paths are relative to
  bool run_effects = false;      // whether nodes may write files
  bool draft = false;  // a hand is dragging something: quick results are wanted, not the best

  double seconds() const { return seconds_at(frame, fps); }
  double dt() const { return 1.0 / fps; }
};

// Raised by a long kernel that saw the flag; the evaluator drops the work.
struct Cancelled {};

class Exec {
 public:
  Exec(const NodeType& type, std::vector<std::vector<Value>> inputs, const Context& context,
       const std::atomic<bool>* cancel);

  // The value of an input; a float, an enum, a Mesh. Always there for inputs that are required or
  // have a standard value.
  template <class T>
  decltype(auto) get(const In<T>& in) const {
    const Value& v = value(in.index);
    if constexpr (std::is_enum_v<T>) {
      return static_cast<T>(v.as<Choice>().index);
    } else {
      return v.as<T>();
    }
  }
  template <class T>
  bool has(const In<T>& in) const {
    return has_value(in.index);
  }
  // The input as a U if that is what arrived (optional inputs, or .accepts<U>()); else nullptr.
  template <class U, class T>
  const U* get_if(const In<T>& in) const {
    return has(in) && value(in.index).template is<U>() ? &value(in.index).template as<U>()
                                                       : nullptr;
  }
  // Of an input that was declared with .whole_time(): its value at any frame, be it set, animated
  // or linked. The input is not empty.
  template <class T>
  OverTime<T> over_time(const In<T>& in) const {
    return OverTime<T>(value(in.index), context_.fps);
  }
  // The same for each link of a list, in their order.
  template <class T>
  std::vector<OverTime<T>> over_time(const InList<T>& in) const {
    std::vector<OverTime<T>> list;
    for (const Value& v : values(in.index)) list.emplace_back(v, context_.fps);
    return list;
  }
  // The same as it was given, for those who know charts: how it changes over time; nullptr: it does
  // not, and get() gives its value.
  template <class T>
  const Animation* animation(const In<T>& in) const {
    return get_if<Animation>(in);
  }
  template <class T>
  std::vector<const T*> get(const InList<T>& in) const {
    std::vector<const T*> list;
    for (const Value& v : values(in.index)) list.push_back(&v.as<T>());
    return list;
  }

  template <class T>
  void set(const Out<T>& out, T content) {
    outputs_[out.index] = Value::of<T>(std::move(content));
  }
  // The same for an output that is generic: of the type that came to its variable.
  template <class U, class T>
  void set_as(const Out<T>& out, U content) {
    outputs_[out.index] = Value::of<U>(std::move(content));
  }
  // Hands an input on as it is: the value is shared, nothing is copied.
  template <class T>
  void forward(const Out<T>& out, const In<T>& in) {
    outputs_[out.index] = value(in.index);
  }

  // An error ends the node's work: return after it. A warning does not.
  template <class... Args>
  void error(fmt::format_string<Args...> format, Args&&... args) {
    say(Severity::error, fmt::format(format, std::forward<Args>(args)...));
  }
  template <class... Args>
  void warning(fmt::format_string<Args...> format, Args&&... args) {
    say(Severity::warning, fmt::format(format, std::forward<Args>(args)...));
  }
  // A warning that a file is damaged and was mended while it was read. Packs with such files are
  // refused: whoever makes one can mend them.
  template <class... Args>
  void warn_of_damage(fmt::format_string<Args...> format, Args&&... args) {
    say(Severity::warning, fmt::format(format, std::forward<Args>(args)...), true);
  }
  bool failed() const { return failed_; }

  // Something costly that follows from some inputs alone (a tree, a factorisation): made once by
  // make(), then kept beside the results by the content of those inputs, so that every node that
  // asks for the same `name` and inputs shares it, and moving a slider makes nothing anew. T says
  // its size by bytes(). A name stands for one T and one way of making it.
  template <class T, class Make, class... Handles>
  std::shared_ptr<const T> prepared(std::string_view name, const Make& make,
                                    const Handles&... from) {
    const Key key = prepared_key(name, {from.index...});
    if (const std::shared_ptr<const void> known = find_prepared(key)) {
      return std::static_pointer_cast<const T>(known);
    }
    std::shared_ptr<const T> made = std::make_shared<const T>(make());
    keep_prepared(key, made, made->bytes());
    return made;
  }

  // The parts of the context that were declared; asking for another throws std::logic_error.
  int frame() const;
  double seconds() const;
  double dt() const;
  double fps() const;  // declared with dt, too; for times of frames, see frame_time.h
  uint64_t seed() const;
  // Whether something quick is wanted now: the same is asked for again, in full, when the hand that
  // changes the document lets go.
  bool draft() const;
  // Whether an input, by its index, can be another from frame to frame while the node sees the
  // moment only: it is animated, or linked to what is, and not declared with .whole_time(). Not for
  // init and step.
  bool changes(int input) const;
  // Relative paths are relative to the document's folder.
  std::filesystem::path resolve(const std::string& path) const;
  const std::filesystem::path& folder() const { return context_.folder; }
  bool run_effects() const { return context_.run_effects; }

  // For whoever waits: how far the node is, 0 to 1, or below 0 where that is not known, and a few
  // words. From any thread; costs nothing where nobody listens, and changes no result.
  void progress(double part, std::string words) const {
    if (on_progress_) on_progress_(part, std::move(words));
  }

  const std::atomic<bool>* cancel_flag() const { return cancel_; }
  bool cancelled() const { return cancel_ && cancel_->load(std::memory_order_relaxed); }
  void stop_if_cancelled() const {
    if (cancelled()) throw Cancelled();
  }

  // For the evaluator.
  void set_store(Cache* store, std::vector<Key> input_keys) {
    store_ = store;
    input_keys_ = std::move(input_keys);
  }
  void set_on_progress(std::function<void(double part, std::string words)> listener) {
    on_progress_ = std::move(listener);
  }
  void set_stepping(bool stepping) { stepping_ = stepping; }
  void set_changing(std::vector<bool> inputs) { changing_ = std::move(inputs); }
  const NodeType& type() const { return type_; }
  bool has_value(int input) const { return !inputs_[input].empty() && inputs_[input][0]; }
  const Value& value(int input) const;
  const std::vector<Value>& values(int input) const { return inputs_[input]; }
  std::vector<Value>& outputs() { return outputs_; }
  std::vector<Message>& messages() { return messages_; }
  void say(Severity severity, std::string text, bool of_damage = false);

 private:
  Key prepared_key(std::string_view name, std::initializer_list<int> inputs) const;
  std::shared_ptr<const void> find_prepared(const Key& key) const;
  void keep_prepared(const Key& key, std::shared_ptr<const void> made, size_t bytes) const;

  const NodeType& type_;
  std::vector<std::vector<Value>> inputs_;
  Cache* store_ = nullptr;       // where prepared() keeps things; may be nowhere
  std::vector<Key> input_keys_;  // by input; only with a store
  std::vector<Value> outputs_;
  std::vector<Message> messages_;
  const Context& context_;
  const std::atomic<bool>* cancel_;
  bool failed_ = false;
  bool stepping_ = false;  // in init or step, which may not see inputs that are only read
  std::function<void(double, std::string)> on_progress_;  // empty: nobody listens
  std::vector<bool> changing_;                            // by input; none of those beyond
};

}  // namespace sinew
