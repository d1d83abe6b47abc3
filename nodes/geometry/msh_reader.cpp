#include "nodes/geometry/msh_reader.h"

#include <array>
#include <optional>

#include "nodes/geometry/file_cursor.h"
#include "nodes/geometry/format_error.h"

namespace sinew {

namespace {

// Of each kind of element its points and the dimension of what it fills; 0 points: unknown.
struct ElementKind {
  int points = 0, dimension = 0;
};

constexpr int tetrahedron_kind = 4;

ElementKind kind_of(int64_t type) {
  static constexpr std::array<ElementKind, 32> known = {
      {{},      {2, 1},  {3, 2},  {4, 2},  {4, 3},  {8, 3},  {6, 3},  {5, 3},
       {3, 1},  {6, 2},  {9, 2},  {10, 3}, {27, 3}, {18, 3}, {14, 3}, {1, 0},
       {8, 2},  {20, 3}, {15, 3}, {13, 3}, {9, 2},  {10, 2}, {12, 2}, {15, 2},
       {15, 2}, {21, 2}, {4, 1},  {5, 1},  {6, 1},  {20, 3}, {35, 3}, {56, 3}}};
  if (type == 92) return {64, 3};
  if (type == 93) return {125, 3};
  if (type < 0 || type >= static_cast<int64_t>(known.size())) return {};
  return known[static_cast<std::size_t>(type)];
}

// The layouts differ in what surrounds the points and elements, not in these themselves.
enum class Version { v2, v4_0, v4_1 };

class MshReader {
 public:
  MshReader(std::string_view bytes, TetLoadReport& report, CancelView cancel)
      : in_(bytes, cancel), report_(report) {}

  TetSoup read() {
    read_format();
    bool have_nodes = false, have_elements = false;
    while (!have_elements) {
      const std::string_view section = next_section();
      if (section.empty()) break;
      if (section == "$Nodes") {
        if (have_nodes) in_.fail("a second list of nodes");
        version_ == Version::v2 ? read_nodes_2() : read_nodes_4();
        if (const int64_t* twice = numbers_.finish()) in_.fail("node {} is there twice", *twice);
        have_nodes = true;
      } else if (section == "$Elements") {
        if (!have_nodes) in_.fail("the elements come before the nodes");
        version_ == Version::v2 ? read_elements_2() : read_elements_4();
        have_elements = true;
      } else {
        skip_section(section);
        continue;
      }
      finish_section(section);
    }
    if (!have_nodes) throw FormatError("it has no $Nodes");
    if (!have_elements) throw FormatError("it has no $Elements");
    return std::move(soup_);
  }

 private:
  // ---- Sections ----
  std::string_view next_section() {
    const std::string_view word = in_.peek_word();
    if (word.empty()) return {};
    if (word[0] != '$')
      in_.fail("a section such as $Nodes should start here, but there is '{}'", shown(word));
    return in_.word("a section");
  }
  void skip_section(std::string_view section) {
    const std::string end = "$End" + std::string(section.substr(1));
    if (!in_.skip_past_line(end)) in_.fail("{} has no end", shown(section));
  }
  void finish_section(std::string_view section) {
    const std::string end = "$End" + std::string(section.substr(1));
    const std::string_view found = in_.word(end.c_str());
    if (found != end) in_.fail("{} should stand here, but there is '{}'", end, shown(found));
  }

  void read_format() {
    const std::string_view first = in_.peek_word();
    if (first == "$NOD" || first == "$PostFormat") {
      in_.fail("this is version 1 of the format; save it as version 2 or 4");
    }
    if (first != "$MeshFormat") in_.fail("it does not start with $MeshFormat");
    in_.word("$MeshFormat");
    const std::string_view version = in_.word("the version");
    if (version == "4.1") {
      version_ = Version::v4_1;
    } else if (version == "4" || version == "4.0") {
      version_ = Version::v4_0;
    } else if (version == "2" || version.starts_with("2.")) {
      version_ = Version::v2;
    } else {
      in_.fail("version '{}' is not read; save it as version 2 or 4", shown(version));
    }
    const int64_t kind = in_.integer("the file type");
    if (kind != 0 && kind != 1) in_.fail("the file type should be 0 or 1, but is {}", kind);
    const int64_t size = in_.integer("the data size");
    if (size != 8 && !(size == 4 && version_ == Version::v4_1)) {
      in_.fail("the data size should be 8, but is {}", size);
    }
    long_size_ = size;
    if (kind == 1) {
      in_.skip_line();
      in_.set_binary(true);
      in_.set_big_endian(false);
      const int32_t one = in_.value<int32_t>("the mark of the order of bytes");
      if (one == 0x01000000) {
        in_.set_big_endian(true);
      } else if (one != 1) {
        in_.fail("the mark of the order of bytes should be 1, but is {}", one);
      }
    }
    finish_section("$MeshFormat");
  }

  // ---- One number, in both kinds of files ----
  int64_t whole(const char* what) {
    return in_.is_binary() ? in_.value<int32_t>(what) : in_.integer(what);
  }
  // 4.1 has counts and names of the size of a pointer, 4.0 only counts.
  int64_t size(const char* what) {
    if (!in_.is_binary()) return in_.integer(what);
    if (long_size_ == 4) return in_.value<uint32_t>(what);
    const uint64_t wide = in_.value<uint64_t>(what);
    if (wide > INT64_MAX / 4) in_.fail("{} is out of range: {}", what, wide);
    return static_cast<int64_t>(wide);
  }
  int64_t name(const char* what) { return version_ == Version::v4_1 ? size(what) : whole(what); }
  float coordinate() {
    return in_.is_binary() ? in_.finite(in_.value<double>("a node"), "a coordinate")
                           : in_.real("a coordinate");
  }
  std::size_t count(const char* what, std::size_t least_text, std::size_t least_binary) {
    const int64_t said = in_.is_binary() ? size(what) : in_.integer(what);
    return in_.checked_count(said, what, in_.is_binary() ? least_binary : least_text);
  }
  // The counts of version 2 are text in binary files, too, on a line of their own.
  std::size_t count_line(const char* what, std::size_t least_text, std::size_t least_binary) {
    const std::size_t n = in_.count(what, in_.is_binary() ? least_binary : least_text);
    if (in_.is_binary()) in_.skip_line();
    return n;
  }
  // Binary data starts right behind the end of the section's line.
  void start_body() {
    if (in_.is_binary()) in_.skip_line();
  }

  // ---- Nodes ----
  void add_name(int64_t n) {
    if (n < 0) in_.fail("the number of a node is negative: {}", n);
    numbers_.add(n);
  }
  Vec3f point() {
    Vec3f p;
    for (int k = 0; k < 3; ++k) p[k] = coordinate();
    return p;
  }
  void reserve_nodes(std::size_t n) {
    if (n > INT32_MAX) in_.fail("it has too many nodes");
    numbers_.reserve(n);
    soup_.positions.reserve(n);
  }

  void read_nodes_2() {
    const std::size_t n = count_line("nodes", 8, 28);
    reserve_nodes(n);
    for (std::size_t i = 0; i < n; ++i) {
      in_.tick(i);
      add_name(whole("a node's number"));
      soup_.positions.push_back(point());
    }
  }

  void read_nodes_4() {
    start_body();
    const bool new_order = version_ == Version::v4_1;
    const std::size_t blocks = count("blocks of nodes", 8, 16);
    const std::size_t all = count("nodes", 8, 28);
    if (new_order) size("the least node"), size("the greatest node");
    reserve_nodes(all);
    for (std::size_t b = 0; b < blocks; ++b) {
      const int64_t first = whole("an entity"), second = whole("an entity");
      const int64_t dimension = new_order ? first : second;
      if (dimension < 0 || dimension > 3) in_.fail("the dimension of a block is {}", dimension);
      const int64_t extra = whole("whether there are parameters") != 0 ? dimension : 0;
      const std::size_t n = count("nodes", 6, 24);
      if (soup_.positions.size() + n > all) in_.fail("the blocks have more than {} nodes", all);
      if (new_order) {
        for (std::size_t i = 0; i < n; ++i) add_name(size("a node's number"));
      }
      for (std::size_t i = 0; i < n; ++i) {
        in_.tick(i);
        if (!new_order) add_name(whole("a node's number"));
        soup_.positions.push_back(point());
        for (int64_t k = 0; k < extra; ++k) coordinate();
      }
    }
    if (soup_.positions.size() != all) {
      in_.fail("it says {} nodes, but there are {}", all, soup_.positions.size());
    }
  }

  // ---- Elements ----
  uint32_t corner() {
    const int64_t n = name("a corner");
    const int64_t index = numbers_.find(n);
    if (index < 0) in_.fail("an element refers to node {}, which is not there", n);
    return static_cast<uint32_t>(index);
  }
  void read_tetrahedron() { soup_.tets.push_back({corner(), corner(), corner(), corner()}); }
  void count_other(const ElementKind& kind) {
    ++(kind.dimension < 3 && kind.points > 0 ? report_.surface_cells : report_.skipped_cells);
  }
  void skip_points(const ElementKind& kind, int64_t type) {
    if (!in_.is_binary()) return in_.skip_line();
    if (kind.points == 0) in_.fail("element type {} is not known", type);
    const std::size_t each = version_ == Version::v4_1 ? static_cast<std::size_t>(long_size_) : 4;
    in_.take(each * static_cast<std::size_t>(kind.points), "an element");
  }
  void read_element(int64_t type) {
    const ElementKind kind = kind_of(type);
    if (type == tetrahedron_kind) return read_tetrahedron();
    skip_points(kind, type);
    count_other(kind);
  }

  void read_elements_2() {
    const std::size_t n = count_line("elements", 6, 8);
    if (!in_.is_binary()) {
      for (std::size_t i = 0; i < n; ++i) {
        in_.tick(i);
        whole("an element's number");
        const int64_t type = whole("an element's type");
        skip_tags(whole("the number of tags"));
        read_element(type);
      }
      return;
    }
    for (std::size_t i = 0; i < n;) {
      const int64_t type = whole("an element's type");
      const int64_t follow = whole("the number of elements");
      const int64_t tags = whole("the number of tags");
      if (follow <= 0 || static_cast<uint64_t>(follow) > n - i) {
        in_.fail("a block has {} elements, but {} are left", follow, n - i);
      }
      for (int64_t k = 0; k < follow; ++k, ++i) {
        in_.tick(i);
        whole("an element's number");
        skip_tags(tags);
        read_element(type);
      }
    }
  }
  void skip_tags(int64_t tags) {
    if (tags < 0 || static_cast<uint64_t>(tags) > in_.left()) {
      in_.fail("the number of tags is {}", tags);
    }
    if (in_.is_binary()) {
      in_.take(4 * static_cast<std::size_t>(tags), "the tags");
    } else {
      for (int64_t k = 0; k < tags; ++k) in_.integer("a tag");
    }
  }

  void read_elements_4() {
    start_body();
    const bool new_order = version_ == Version::v4_1;
    const std::size_t blocks = count("blocks of elements", 8, 16);
    const std::size_t all = count("elements", 4, 8);
    if (new_order) size("the least element"), size("the greatest element");
    std::size_t read = 0;
    for (std::size_t b = 0; b < blocks; ++b) {
      whole("an entity"), whole("an entity");
      const int64_t type = whole("an element's type");
      const std::size_t n = count("elements", 4, 8);
      if (read + n > all) in_.fail("the blocks have more than {} elements", all);
      for (std::size_t i = 0; i < n; ++i, ++read) {
        in_.tick(i);
        name("an element's number");
        read_element(type);
      }
    }
    if (read != all) in_.fail("it says {} elements, but there are {}", all, read);
  }

  FileCursor in_;
  TetLoadReport& report_;
  Version version_ = Version::v2;
  int64_t long_size_ = 8;
  PointNumbers numbers_;
  TetSoup soup_;
};

}  // namespace

TetSoup parse_msh(std::string_view bytes, TetLoadReport& report, CancelView cancel) {
  return MshReader(bytes, report, cancel).read();
}

}  // namespace sinew
