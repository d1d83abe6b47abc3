// Runs a fuzz target over every file of its corpus, in the build that users have and without
// libFuzzer: what was once found stays found. A target ends the program where something is wrong.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int main(int count, char** arguments) {
  namespace fs = std::filesystem;
  std::vector<fs::path> files;
  if (count == 2 && fs::is_directory(arguments[1])) {
    for (const auto& entry : fs::recursive_directory_iterator(arguments[1]))
      if (entry.is_regular_file()) files.push_back(entry.path());
  }
  if (files.empty()) {
    fmt::print(stderr, "error: name a folder with a corpus, as the only argument\n");
    return 2;
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    fmt::print("{}\n", file.filename().string());
    std::fflush(stdout);  // the last name is that of the file which ends the program
    std::ifstream stream(file, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(stream)), {});
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  }
  return 0;
}
