#include "tests/app/run_program.h"

#include <fcntl.h>
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

Ran run_program(const std::vector<std::string>& arguments, const fs::path& folder,
                const std::string& out_to) {
  const TemporaryFolder output;
  const std::string out = out_to.empty() ? (output / "out").string() : out_to;
  const std::string err = output / "err";
  const pid_t child = fork();
  if (child == 0) {
    dup2(open(out.c_str(), O_CREAT | O_WRONLY, 0600), STDOUT_FILENO);
    dup2(open(err.c_str(), O_CREAT | O_WRONLY, 0600), STDERR_FILENO);
    if (chdir(folder.c_str()) != 0) _exit(126);
    std::vector<char*> argv{const_cast<char*>("sinew")};
    for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
    argv.push_back(nullptr);
    execv(SINEW_PROGRAM, argv.data());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status),
          out_to.empty() ? content_of(out) : "", content_of(err)};
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
