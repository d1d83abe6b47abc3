// sinew_monkey [SECONDS] [SEED]: random interface events until something breaks or the time is
// over.
#include <fmt/format.h>
#include <grp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <filesystem>

#include "tests/app/monkey.h"

namespace {

namespace fs = std::filesystem;

// A home of its own, so that nothing of the person is read or written.
fs::path make_home() {
  std::string name = (fs::temp_directory_path() / "sinew_monkey_XXXXXX").string();
  if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder can be made");
  const fs::path home(name);
  fs::copy(fs::path(SINEW_SOURCE_DIR) / "presets", home / "presets", fs::copy_options::recursive);
  setenv("HOME", name.c_str(), 1);
  for (const char* variable : {"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"})
    setenv(variable, (home / variable).c_str(), 1);
  fs::current_path(home);
  return home;
}

// Root could write anywhere; the user nobody can write at home only.
void become_nobody(const fs::path& home) {
  if (geteuid() != 0) return;
  constexpr uid_t nobody = 65534;
  const auto give = [](const fs::path& path) {
    if (lchown(path.c_str(), nobody, nobody) != 0)
      throw std::runtime_error("the folder cannot be given away");
  };
  give(home);
  for (const auto& entry : fs::recursive_directory_iterator(home)) give(entry.path());
  if (setgroups(0, nullptr) != 0 || setgid(nobody) != 0 || setuid(nobody) != 0)
    throw std::runtime_error("root cannot be left");
}

}  // namespace

int main(int argc, char** argv) {
  sinew::testing::MonkeyOptions options;
  if (argc > 1) options.seconds = std::atof(argv[1]);
  if (argc > 2) options.seed = std::strtoull(argv[2], nullptr, 10);
  if (argc > 3 || !(options.seconds > 0)) {
    fmt::print(stderr, "usage: sinew_monkey [SECONDS] [SEED]\n");
    return 2;
  }
  try {
    options.folder = make_home();
    options.presets = options.folder / "presets";
    become_nobody(options.folder);
    fmt::print("seed {}; what is done stands in {}, a script\n", options.seed,
               (options.folder / "trail.txt").string());
    std::fflush(stdout);
    std::string wrong;
    {
      sinew::testing::Monkey monkey(options);
      wrong = monkey.run();
      fmt::print("{}\n", monkey.summary());
    }
    if (!wrong.empty()) {
      fmt::print("wrong: {}\nto repeat: {} {} {}\n", wrong, argv[0], options.seconds, options.seed);
      return 1;
    }
    fs::remove_all(options.folder);
  } catch (const std::exception& e) {
    fmt::print("wrong: {}\n", e.what());
    return 1;
  }
  return 0;
}
