// The whole program, from start to exit: how long, and how much memory.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/bench/figures.h"

namespace sinew::bench {

// Runs a command and prints the most memory it had, in kilobytes. A process begins with the memory
// of the one that it was forked from, and by now this one is large: so a benchmark starts itself
// anew, small, to do the measuring.
int measure_memory(char** command) {
  const pid_t child = fork();
  if (child == 0) {
    dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
    execv(command[0], command);
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  std::printf("%ld\n", usage.ru_maxrss);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

namespace {

std::string trivial_preset() {
  const auto preset = std::filesystem::temp_directory_path() / "sinew_bench_trivial.json";
  std::ofstream(preset) << R"({"sinew": 1, "nodes": [{"id": "box", "type": "mesh.box"}]})";
  return preset.string();
}

void eval_trivial(benchmark::State& state) {
  const std::string command = std::string(SINEW_PROGRAM) + " eval " + trivial_preset();
  for (auto _ : state)
    if (std::system((command + " > /dev/null").c_str()) != 0)
      state.SkipWithError("sinew eval failed");
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  std::FILE* answer = popen((self + " --measure " + command).c_str(), "r");
  long kilobytes = 0;
  if (!answer || std::fscanf(answer, "%ld", &kilobytes) != 1 || pclose(answer) != 0)
    state.SkipWithError("sinew eval could not be measured");
  state.counters["megabytes"] = static_cast<double>(kilobytes) * 1024 / 1e6;
}
BENCHMARK(eval_trivial)->Name("program/eval_trivial")->UseRealTime();

}  // namespace
}  // namespace sinew::bench
