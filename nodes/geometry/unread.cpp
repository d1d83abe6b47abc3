#include "nodes/geometry/unread.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "nodes/geometry/reader_answer.h"

namespace sinew {

namespace {

bool is_one_of(const std::string& name, std::initializer_list<const char*> names) {
  return std::any_of(names.begin(), names.end(), [&](const char* n) { return name == n; });
}

// The properties that tools agree on, else the property's own name.
std::string words_of(const std::string& element, const std::string& name) {
  if (is_one_of(name, {"red", "green", "blue", "alpha", "diffuse_red", "diffuse_green",
                       "diffuse_blue", "diffuse_alpha"}))
    return element + " colours";
  if (is_one_of(name, {"nx", "ny", "nz"})) return "normals";
  if (is_one_of(name, {"s", "t", "u", "v", "texture_u", "texture_v", "texcoord"}))
    return "texture coordinates";
  return fmt::format("the {} property '{}'", element, one_line(name));
}

}  // namespace

std::string counted(std::size_t count, const std::string& what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

void add_unread(std::vector<std::string>& unread, const std::string& what) {
  if (std::find(unread.begin(), unread.end(), what) == unread.end()) unread.push_back(what);
}

std::vector<std::string> unread_in(const ply::Header& header) {
  std::vector<std::string> unread;
  for (const ply::Element& element : header.elements) {
    if (element.count == 0) continue;
    if (element.name != "vertex" && element.name != "face") {
      add_unread(unread, fmt::format("the element '{}'", one_line(element.name)));
      continue;
    }
    for (const ply::Property& property : element.properties)
      if (!is_one_of(property.name, {"x", "y", "z", "vertex_indices", "vertex_index"}))
        add_unread(unread, words_of(element.name, property.name));
  }
  return unread;
}

}  // namespace sinew
