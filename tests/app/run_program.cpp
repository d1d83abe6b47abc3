#include "tests/app/run_program.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace sinew::testing {
namespace fs = std::filesystem;

namespace {
std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}
}  // namespace

RunningProgram::RunningProgram(const std::vector<std::string>& arguments, const fs::path& folder,
                               const Environment& environment, const std::string& out_to)
    : out_(out_to.empty() ? (output_ / "out").string() : out_to), is_our_out_(out_to.empty()) {
  const std::string err = output_ / "err";
  child_ = fork();
  if (child_ != 0) return;
  dup2(open(out_.c_str(), O_CREAT | O_WRONLY, 0600), STDOUT_FILENO);
  dup2(open(err.c_str(), O_CREAT | O_WRONLY, 0600), STDERR_FILENO);
  if (chdir(folder.c_str()) != 0) _exit(126);
  for (const auto& [name, value] : environment)
    value.empty() ? unsetenv(name.c_str()) : setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> argv{const_cast<char*>("sinew")};
  for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  execv(SINEW_PROGRAM, argv.data());
  _exit(127);
}

RunningProgram::~RunningProgram() {
  send(SIGKILL);
  wait();
}

bool RunningProgram::running() {
  if (child_ > 0 && waitpid(child_, &status_, WNOHANG) == child_) child_ = -1;
  return child_ > 0;
}

void RunningProgram::send(int signal) {
  if (running()) kill(child_, signal);
}

Ran RunningProgram::wait() {
  if (child_ > 0) waitpid(child_, &status_, 0);
  child_ = -1;
  return {WIFEXITED(status_) ? WEXITSTATUS(status_) : -WTERMSIG(status_),
          is_our_out_ ? content_of(out_) : "", content_of(output_ / "err")};
}

Ran run_program(const std::vector<std::string>& arguments, const fs::path& folder,
                const std::string& out_to) {
  return RunningProgram(arguments, folder, {}, out_to).wait();
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (fs::temp_directory_path() / "sinew_test_XXXXXX").string();
  if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder can be made");
  path = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ec;
  fs::remove_all(path, ec);
}

void TemporaryFolder::write(const std::string& name, const std::string& content) const {
  std::ofstream(path / name, std::ios::binary) << content;
}

std::string TemporaryFolder::read(const std::string& name) const { return content_of(path / name); }

}  // namespace sinew::testing
