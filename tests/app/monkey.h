// A monkey at the editor: a seeded stream of things that a hand can do, sensible or not, and after
// every second of them a look at whether all is still well.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "tests/app/headless_editor.h"

namespace sinew::testing {

// Makes up what is done next, as lines of a script.
class MonkeyMind {
 public:
  // `presets` and `rubbish`: files that may be dropped and opened.
  MonkeyMind(uint64_t seed, std::vector<std::string> presets, std::vector<std::string> rubbish);

  // One or a few lines, with places as pixels, so that they can always be replayed.
  std::string next(const editor::Editor& editor, int width, int height);

 private:
  int below(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  bool chance(double p) { return std::uniform_real_distribution<>(0, 1)(random_) < p; }
  template <class T>
  const T& one_of(const std::vector<T>& list) {
    return list[static_cast<std::size_t>(below(static_cast<int>(list.size())))];
  }
  std::string place(int width, int height);
  std::string button();
  std::string drag(int width, int height);
  std::string key(const editor::Editor& editor);
  std::string words();
  std::string storm();
  std::string action(const editor::Editor& editor);
  std::string size();

  std::mt19937_64 random_;
  std::vector<std::string> presets_, rubbish_;
};

struct MonkeyOptions {
  double seconds = 10;  // of real time
  uint64_t seed = 1;
  std::filesystem::path folder;   // where everything happens; files elsewhere are left alone
  std::filesystem::path presets;  // inside of it
};

class Monkey {
 public:
  explicit Monkey(const MonkeyOptions& options);
  ~Monkey();

  // Empty: all is well. Else what is wrong.
  std::string run();
  std::string summary() const;

 private:
  void act();
  void keep_inside();
  void help();
  std::string check();
  std::string check_undo();
  std::string check_memory();
  // Megabytes in use, with nothing open.
  double quiet_memory();
  void begin_document();

  MonkeyOptions options_;
  std::unique_ptr<HeadlessEditor> desk_;
  editor::Editor* editor_ = nullptr;
  MonkeyMind mind_;
  std::unique_ptr<std::ofstream> trail_;
  long frames_ = 0, acts_ = 0, undone_ = 0, documents_ = 0;
  int asked_for_ = 0;  // seconds that a dialog has been open
  double early_memory_ = 0, late_memory_ = 0;
  uint64_t document_ = 0;
  std::string first_text_, misuse_;
  const void* wrapped_ = nullptr;
};

}  // namespace sinew::testing
