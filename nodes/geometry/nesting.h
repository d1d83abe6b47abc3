// How deeply a text is nested, seen before a parser that calls itself for every level does.
#pragma once

#include <cstddef>
#include <string_view>

namespace sinew {

// Brackets and braces outside of strings.
std::size_t json_depth(std::string_view text);

// Elements that are open at once; comments, declarations and quoted attributes do not count.
std::size_t xml_depth(std::string_view text);

// The longest chain of nodes in a glTF, each a child of the one before. Throws FormatError if it is
// not JSON, if a name stands twice in an object, so that another reader may see another tree, and
// if a node is a child twice or of itself: glTF demands trees, and a reader that follows every way
// to a node may never end.
std::size_t gltf_node_depth(std::string_view text);

// The JSON of a glTF: all of it, or of a .glb its first chunk.
std::string_view gltf_json(std::string_view content);

// Throws FormatError if the content of a file with that ending is nested more deeply than any
// sensible one: 64 levels of JSON (gltf, and the JSON part of glb), 1000 nodes in a chain, 1000
// levels of XML, where each bone of a chain is inside of the one before.
void check_nesting(std::string_view content, std::string_view ending);

}  // namespace sinew
