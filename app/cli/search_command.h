// `sinew search`: runs the work of a node (graph/work.h), such as a search for parameters.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace sinew::cli {

struct SearchOptions {
  std::string file;
  std::string node;                // empty: the only one that has something to search for
  std::vector<std::string> set;    // NODE.PARAM=VALUE
  std::vector<std::string> vary;   // NODE.PARAM=LOW:HIGH or NODE.PARAM
  std::string minimise, maximise;  // NODE.SOCKET: a node that searches for it is added
  std::optional<int> frame, trials, seed, restarts;
  std::string method;
  std::string out_file;
  int threads = 0;
  bool apply = false, json = false, resume = false;
};
int run_search(const SearchOptions& options);

}  // namespace sinew::cli
