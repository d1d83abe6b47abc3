// Runs the program as a person would: a command line, what it prints, and its exit code.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace sinew::testing {

struct Ran {
  int code = -1;  // negative: ended by that signal
  std::string out;
  std::string err;
};

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

// Variables that differ from those of the test; an empty value takes one away.
using Environment = std::map<std::string, std::string>;

// A call that goes on while the test does something to it. It is killed with its object.
class RunningProgram {
 public:
  explicit RunningProgram(const std::vector<std::string>& arguments,
                          const std::filesystem::path& folder = ".",
                          const Environment& environment = {}, const std::string& out_to = "");
  ~RunningProgram();
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;

  bool running();
  pid_t pid() const { return child_; }
  void send(int signal);
  // Waits for its end.
  Ran wait();

 private:
  TemporaryFolder output_;
  std::string out_;  // a file of ours, or the one that was named
  bool is_our_out_ = true;
  pid_t child_ = -1;
  int status_ = 0;
};

// What it prints goes to `out_to` if that is given, such as a device.
Ran run_program(const std::vector<std::string>& arguments,
                const std::filesystem::path& folder = ".", const std::string& out_to = "");

}  // namespace sinew::testing
