// What a mesh file has that is not read into a mesh, as words for a person: "3 materials", "vertex
// colours". So that whoever exports can be told what is lost on the way.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "nodes/geometry/ply_header.h"

namespace sinew {

// "1 group", "3 groups".
std::string counted(std::size_t count, const std::string& what);
// Adds it unless it is there.
void add_unread(std::vector<std::string>& unread, const std::string& what);

std::vector<std::string> unread_in(const ply::Header& header);

}  // namespace sinew
