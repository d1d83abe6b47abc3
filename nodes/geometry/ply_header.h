// The header of a PLY file: which elements follow, and how their records are laid out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::ply {

enum class Scalar : uint8_t { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

inline std::size_t scalar_size(Scalar type) {
  constexpr std::size_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 8};
  return sizes[static_cast<int>(type)];
}

struct Property {
  std::string name;
  Scalar type;
  bool is_list = false;
  Scalar count_type = Scalar::uint8;  // of a list
};

struct Element {
  std::string name;
  uint64_t count = 0;
  std::vector<Property> properties;

  bool has_list() const;
  // The size of a record in bytes if its lists are empty.
  std::size_t minimal_size() const;
  // The property of that name, or -1.
  int find(std::string_view property) const;
};

enum class Format : uint8_t { ascii, little_endian, big_endian };

struct Header {
  Format format = Format::ascii;
  std::vector<Element> elements;
  std::size_t size = 0;  // bytes up to and including the line end_header
};

// Also checks that the file is long enough for what the header announces, before anything is
// allocated. Throws FormatError.
Header read_header(std::string_view bytes);

}  // namespace sinew::ply
