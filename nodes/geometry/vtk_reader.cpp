#include "nodes/geometry/vtk_reader.h"

#include <algorithm>
#include <span>
#include <string>

#include "nodes/geometry/file_cursor.h"
#include "nodes/geometry/format_error.h"

namespace sinew {

namespace {

constexpr int64_t tetrahedron_cell = 10;

// Vertices, lines, triangles, polygons and their curved relatives.
bool is_below_space(int64_t type) {
  static constexpr int64_t types[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  21,
                                      22, 23, 28, 30, 34, 35, 36, 68, 69, 70};
  return std::find(std::begin(types), std::end(types), type) != std::end(types);
}

std::string lower(std::string_view word) {
  std::string text(word);
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return text;
}

enum class Scalar { int8, uint8, int16, uint16, int32, uint32, int64, uint64, float32, float64 };

class VtkReader {
 public:
  VtkReader(std::string_view bytes, TetLoadReport& report, CancelView cancel)
      : in_(bytes, cancel), report_(report) {}

  TetSoup read() {
    read_header();
    while (!have_types_) {
      if (in_.peek_word().empty()) break;
      read_section(lower(in_.word("a section")));
    }
    if (!have_points_) throw FormatError("it has no POINTS");
    if (!have_cells_) throw FormatError("it has no CELLS");
    if (!have_types_) throw FormatError("it has no CELL_TYPES");
    return std::move(soup_);
  }

 private:
  void read_header() {
    const std::string first = lower(in_.line());
    if (!first.starts_with("# vtk datafile version ")) {
      throw FormatError("it does not start with '# vtk DataFile Version'");
    }
    in_.skip_line();  // the title
    const std::string encoding = lower(in_.word("ASCII or BINARY"));
    if (encoding != "ascii" && encoding != "binary") {
      in_.fail("ASCII or BINARY should stand here, but there is '{}'", shown(encoding));
    }
    if (encoding == "binary") {
      in_.set_binary(true);
      in_.set_big_endian(true);
    }
    if (lower(in_.word("DATASET")) != "dataset") in_.fail("DATASET should stand here");
    const std::string kind = lower(in_.word("the kind of data"));
    if (kind != "unstructured_grid") {
      in_.fail("it holds a {}, where UNSTRUCTURED_GRID is needed", shown(kind));
    }
  }

  void read_section(const std::string& section) {
    if (section == "points") return read_points();
    if (section == "cells") return read_cells();
    if (section == "cell_types") return read_types();
    if (section == "field") return skip_field();
    if (section == "metadata") return skip_metadata();
    in_.fail("POINTS, CELLS or CELL_TYPES should stand here, but there is '{}'", shown(section));
  }

  // ---- Numbers ----
  Scalar scalar_type() {
    const std::string name = lower(in_.word("a type of numbers"));
    static const std::pair<const char*, Scalar> known[] = {{"char", Scalar::int8},
                                                           {"signed_char", Scalar::int8},
                                                           {"unsigned_char", Scalar::uint8},
                                                           {"short", Scalar::int16},
                                                           {"unsigned_short", Scalar::uint16},
                                                           {"int", Scalar::int32},
                                                           {"vtkidtype", Scalar::int32},
                                                           {"unsigned_int", Scalar::uint32},
                                                           {"long", Scalar::int64},
                                                           {"unsigned_long", Scalar::uint64},
                                                           {"vtktypeint64", Scalar::int64},
                                                           {"vtktypeuint64", Scalar::uint64},
                                                           {"float", Scalar::float32},
                                                           {"double", Scalar::float64}};
    for (const auto& [text, type] : known) {
      if (name == text) return type;
    }
    in_.fail("'{}' is no type of numbers", shown(name));
  }
  static std::size_t bytes_in(Scalar type) {
    switch (type) {
      case Scalar::int8:
      case Scalar::uint8:
        return 1;
      case Scalar::int16:
      case Scalar::uint16:
        return 2;
      case Scalar::int32:
      case Scalar::uint32:
      case Scalar::float32:
        return 4;
      default:
        return 8;
    }
  }
  // The least that a number takes, with the blank behind it.
  std::size_t least_bytes(Scalar type) const { return in_.is_binary() ? bytes_in(type) : 1; }

  float real(Scalar type) {
    const char* const what = "a coordinate";
    if (!in_.is_binary()) return in_.real(what);
    if (type == Scalar::float32) return in_.finite(in_.value<float>(what), what);
    if (type == Scalar::float64) return in_.finite(in_.value<double>(what), what);
    return static_cast<float>(integer(type, what));
  }
  int64_t integer(Scalar type, const char* what) {
    if (!in_.is_binary()) return in_.integer(what);
    switch (type) {
      case Scalar::int8:
        return in_.value<int8_t>(what);
      case Scalar::uint8:
        return in_.value<uint8_t>(what);
      case Scalar::int16:
        return in_.value<int16_t>(what);
      case Scalar::uint16:
        return in_.value<uint16_t>(what);
      case Scalar::int32:
        return in_.value<int32_t>(what);
      case Scalar::uint32:
        return in_.value<uint32_t>(what);
      case Scalar::int64:
        return in_.value<int64_t>(what);
      case Scalar::uint64:
        return static_cast<int64_t>(std::min<uint64_t>(in_.value<uint64_t>(what), INT64_MAX));
      default:
        in_.fail("{} should be a whole number", what);
    }
  }
  // Binary data starts right behind the line that announces it.
  void start_data() {
    if (in_.is_binary()) in_.skip_line();
  }
  std::vector<int64_t> integers(std::size_t count, Scalar type, const char* what) {
    std::vector<int64_t> list;
    list.reserve(in_.checked_count(static_cast<int64_t>(count), "numbers", least_bytes(type)));
    for (std::size_t i = 0; i < count; ++i) {
      in_.tick(i);
      list.push_back(integer(type, what));
    }
    return list;
  }

  // ---- Sections ----
  void read_points() {
    if (have_points_) in_.fail("a second list of points");
    const std::size_t count = in_.count("points", 3);
    const Scalar type = scalar_type();
    start_data();
    in_.checked_count(static_cast<int64_t>(count), "points", 3 * least_bytes(type));
    if (count > INT32_MAX) in_.fail("it has too many points");
    soup_.positions.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      in_.tick(i);
      Vec3f p;
      for (int k = 0; k < 3; ++k) p[k] = real(type);
      soup_.positions.push_back(p);
    }
    have_points_ = true;
  }

  void read_cells() {
    if (have_cells_) in_.fail("a second list of cells");
    const std::size_t first = in_.count("cells", 1);
    const std::size_t second = in_.count("corners of cells", 1);
    // Looking for a word must not pass over numbers that look like blanks.
    start_data();
    const bool by_offsets =
        in_.is_binary() ? in_.starts_with("OFFSETS ") : lower(in_.peek_word()) == "offsets";
    by_offsets ? read_offsets(first, second) : read_lists(first, second);
    have_cells_ = true;
  }
  // "n a b c ...", cell after cell; `size` numbers in all.
  void read_lists(std::size_t cells, std::size_t size) {
    const std::vector<int64_t> list = integers(size, Scalar::int32, "a cell");
    starts_.reserve(cells + 1);
    starts_.push_back(0);
    for (std::size_t at = 0; at < list.size();) {
      const int64_t corners = list[at++];
      if (corners < 0 || static_cast<uint64_t>(corners) > list.size() - at) {
        in_.fail("cell {} has {} corners, more than there are numbers", starts_.size() - 1,
                 corners);
      }
      const auto from = list.begin() + static_cast<std::ptrdiff_t>(at);
      corners_.insert(corners_.end(), from, from + corners);
      at += static_cast<std::size_t>(corners);
      starts_.push_back(corners_.size());
    }
    if (starts_.size() != cells + 1) {
      in_.fail("it says {} cells, but there are {}", cells, starts_.size() - 1);
    }
  }
  void read_offsets(std::size_t offsets, std::size_t corners) {
    in_.word("OFFSETS");
    const Scalar offset_type = scalar_type();
    start_data();
    const std::vector<int64_t> list = integers(offsets, offset_type, "an offset");
    if (lower(in_.word("CONNECTIVITY")) != "connectivity") {
      in_.fail("CONNECTIVITY should stand here");
    }
    const Scalar corner_type = scalar_type();
    start_data();
    corners_ = integers(corners, corner_type, "a corner");
    for (std::size_t i = 0; i < list.size(); ++i) {
      const int64_t least = i == 0 ? 0 : list[i - 1];
      if (list[i] < least || static_cast<uint64_t>(list[i]) > corners) {
        in_.fail("offset {} is {}, which should be from {} to {}", i, list[i], least, corners);
      }
      starts_.push_back(static_cast<std::size_t>(list[i]));
    }
    // Without cells some writers leave the first offset out.
    if (starts_.empty()) starts_.push_back(0);
  }

  void read_types() {
    if (!have_points_ || !have_cells_) in_.fail("CELL_TYPES come before POINTS and CELLS");
    const std::size_t count = in_.count("cell types", 1);
    const std::size_t cells = starts_.size() - 1;
    if (count != cells) in_.fail("it has {} cells, but {} cell types", cells, count);
    start_data();
    for (std::size_t i = 0; i < count; ++i) {
      in_.tick(i);
      const int64_t type = integer(Scalar::int32, "a cell type");
      if (type != tetrahedron_cell) {
        ++(is_below_space(type) ? report_.surface_cells : report_.skipped_cells);
        continue;
      }
      add_tetrahedron(i);
    }
    have_types_ = true;
  }
  void add_tetrahedron(std::size_t cell) {
    const std::span<const int64_t> corners =
        std::span(corners_).subspan(starts_[cell], starts_[cell + 1] - starts_[cell]);
    if (corners.size() != 4) {
      in_.fail("cell {} is a tetrahedron, but has {} corners", cell, corners.size());
    }
    Tetrahedron tet;
    for (std::size_t k = 0; k < 4; ++k) {
      if (corners[k] < 0 || static_cast<uint64_t>(corners[k]) >= soup_.positions.size()) {
        in_.fail("cell {} refers to point {}, but there are only {} (from 0)", cell, corners[k],
                 soup_.positions.size());
      }
      tet[k] = static_cast<uint32_t>(corners[k]);
    }
    soup_.tets.push_back(tet);
  }

  // ---- What is passed over ----
  // A paragraph that ends with an empty line.
  void skip_metadata() {
    in_.skip_line();
    while (!in_.at_end() && !in_.line().empty()) {
    }
  }
  void skip_field() {
    in_.word("the name of the field");
    const std::size_t arrays = in_.count("arrays", 4);
    for (std::size_t a = 0; a < arrays; ++a) {
      if (lower(in_.peek_word()) == "metadata") {
        in_.word("METADATA");
        skip_metadata();
      }
      in_.word("the name of an array");
      const std::size_t wide = in_.count("components", 1), tall = in_.count("tuples", 1);
      if (lower(in_.peek_word()) == "string") in_.fail("a field of texts is not read");
      const Scalar type = scalar_type();
      start_data();
      if (wide != 0 && tall > in_.left() / wide) in_.fail("the field is longer than the file");
      const std::size_t count = wide * tall;
      in_.checked_count(static_cast<int64_t>(count), "numbers", least_bytes(type));
      if (in_.is_binary()) {
        in_.take(count * bytes_in(type), "a field");
      } else {
        for (std::size_t i = 0; i < count; ++i) in_.tick(i), in_.word("a number");
      }
    }
  }

  FileCursor in_;
  TetLoadReport& report_;
  TetSoup soup_;
  std::vector<int64_t> corners_;
  std::vector<std::size_t> starts_;  // of each cell in corners_, and the end of the last
  bool have_points_ = false, have_cells_ = false, have_types_ = false;
};

}  // namespace

TetSoup parse_vtk(std::string_view bytes, TetLoadReport& report, CancelView cancel) {
  return VtkReader(bytes, report, cancel).read();
}

}  // namespace sinew
