// Documents and files that several tests use.
#pragma once

#include <fmt/format.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "graph/document.h"

namespace sinew::testing {

// A chain of nodes as an artist might have it: parameters, labels, charts, positions.
inline GraphDoc chain_document(int count, int variant = 0) {
  GraphDoc doc;
  doc.meta.name = fmt::format("tests/chain-{}", variant);
  for (int i = 0; i < count; ++i) {
    NodeDoc node;
    node.id = fmt::format("node{}", i);
    node.type = "deform.twist";
    node.params["angle"] = 0.25 * i + variant;
    node.params["axis"] = {0, 0, 1};
    if (i % 10 == 0) {
      node.label = "Drehung für den Hals";
      node.params["weight"] = {{"animate", {{"points", {{0, 0}, {25, 0.5 * i}, {50, 1}}}}}};
    }
    doc.graph.layout.nodes[node.id] = {{"at", {i % 40 * 180, i / 40 * 120}}};
    doc.graph.nodes.push_back(std::move(node));
    if (i > 0) {
      doc.graph.links.push_back(
          {{fmt::format("node{}", i - 1), "mesh"}, {fmt::format("node{}", i), "mesh"}});
    }
  }
  return doc;
}

// About 1.5 MB: saving it takes long enough to be interrupted.
inline GraphDoc large_document(int variant) { return chain_document(8000, variant); }

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

// A folder of its own, gone at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "sinew-test-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("cannot make a temporary folder");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace sinew::testing
