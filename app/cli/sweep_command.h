// `sinew sweep`: a document with some parameters varied, as pictures side by side and a table.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/result.h"

namespace sinew::cli {

struct SweepOptions {
  std::string file;
  std::vector<std::string> vary;  // NODE.PARAM=A:B:N or NODE.PARAM=V,V,...
  std::string out;                // a folder
  std::optional<int> frame;
  std::string size;  // of each picture
  std::string view;
  std::vector<std::string> show;
  std::vector<std::string> measure;  // NODE.SOCKET: numbers for the table
  std::vector<std::string> set;
  std::string renderer;
  int threads = 0;
  bool json = false;
};

// A parameter and the values that it takes, as --set would have them.
struct Variation {
  std::string name;  // "bell.radius"
  std::vector<std::string> values;

  bool operator==(const Variation&) const = default;
};

// The error quotes the text and says what would be right.
Result<Variation> read_variation(const std::string& text);

inline constexpr std::size_t most_variations = 4096;

int run_sweep(const SweepOptions& options);

}  // namespace sinew::cli
