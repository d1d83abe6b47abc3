#include <fmt/format.h>

#include "app/cli/program.h"
#include "app/cli/reference.h"
#include "app/cli/say.h"
#include "graph/registry.h"

namespace sinew::cli {

int run_nodes(const NodesOptions& options) {
  const Registry& all = registry();
  if (!options.type.empty()) {
    const NodeType* type = all.find(options.type);
    if (!type) {
      std::vector<std::string> ids;
      for (const NodeType* t : all.nodes()) ids.push_back(t->id);
      print_error("", fmt::format("there is no node type '{}'{}", options.type,
                                  did_you_mean(options.type, ids)));
      return call_error;
    }
    say_lines(options.json ? json_text(node_json(*type)) : node_text(*type));
    return done;
  }
  if (options.json) {
    Json list = Json::array();
    for (const NodeType* t : all.nodes()) list.push_back(node_json(*t));
    say_lines(json_text(list));
  } else if (options.markdown) {
    say_lines(reference_markdown(all));
  } else {
    say_lines(node_list_text(all));
  }
  return done;
}

}  // namespace sinew::cli
