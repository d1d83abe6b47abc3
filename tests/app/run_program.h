// Runs the program as a person would: a command line, what it prints, and its exit code.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sinew::testing {

struct Ran {
  int code = -1;  // negative: ended by that signal
  std::string out;
  std::string err;
};

// What it prints goes to `out_to` if that is given, such as a device.
Ran run_program(const std::vector<std::string>& arguments,
                const std::filesystem::path& folder = ".", const std::string& out_to = "");

// A folder of its own for one test, removed afterwards.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  std::filesystem::path operator/(const std::string& name) const { return path / name; }
  void write(const std::string& name, const std::string& content) const;
  std::string read(const std::string& name) const;

  std::filesystem::path path;
};

}  // namespace sinew::testing
