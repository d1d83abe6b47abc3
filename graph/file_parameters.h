// The parameters of a document that name files: all inputs that are declared so, of all nodes, in
// groups, too, and of instances of groups that hand them on to such inputs.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "graph/document.h"
#include "graph/registry.h"

namespace sinew {

struct FileParameter {
  const InputInfo* input;
  bool linked;  // its name comes by a link, and is known only when it runs
  Json* value;  // the parameter; nullptr: it is not set
  NodeDoc* node;
};

void for_files(GraphDoc& doc, const Registry& registry,
               const std::function<void(const FileParameter&)>& visit);

// Every name that a parameter may have: itself, or those of its steps; not those that are empty.
void for_names(const FileParameter& parameter, const std::function<void(std::string&)>& visit);

// "node 'load' (mesh.load)", for messages.
std::string words_for(const NodeDoc& node);

// A document that was read in one folder and goes on in another names the files that it reads as
// seen from there; an empty `to`: from anywhere, by their whole paths. What it writes keeps its
// name, for it is written beside the document, wherever that is.
void carry_files(GraphDoc& doc, const Registry& registry, const std::filesystem::path& from,
                 const std::filesystem::path& to = {});

}  // namespace sinew
