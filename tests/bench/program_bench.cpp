// The whole program, from start to exit: how long, and how much memory.
#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace {

void eval_trivial(benchmark::State& state) {
  const auto preset = std::filesystem::temp_directory_path() / "sinew_bench_trivial.json";
  std::ofstream(preset) << R"({"sinew": 1, "nodes": [{"id": "box", "type": "mesh.box"}]})";
  long kilobytes = 0;
  for (auto _ : state) {
    const pid_t child = fork();
    if (child == 0) {
      const int null = open("/dev/null", O_WRONLY);
      dup2(null, STDOUT_FILENO);
      execl(SINEW_PROGRAM, "sinew", "eval", preset.c_str(), nullptr);
      _exit(127);
    }
    int status = 0;
    rusage usage{};
    wait4(child, &status, 0, &usage);
    kilobytes = std::max(kilobytes, usage.ru_maxrss);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) state.SkipWithError("sinew eval failed");
  }
  state.counters["megabytes"] = static_cast<double>(kilobytes) * 1024 / 1e6;
}
BENCHMARK(eval_trivial)->Name("program/eval_trivial")->UseRealTime();

}  // namespace
