// What is to be seen, without a word about how it is drawn: nodes fill a DrawList, the renderer
// reads it. No bgfx here, and no graph.
//
// Large arrays are not copied. An item points into the value that it shows and holds on to it. Two
// names say what the renderer may keep: `topology` is the identity of the triangles (the same
// pointer means the same triangles; the renderer keeps it alive, so that it is never reused), and
// `key` is the content of what changes from frame to frame. What has the same key is not uploaded
// again.
//
// Lengths are metres, y points up, angles are degrees. Colours are sRGB from 0 to 1.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sinew::draw {

using Point = Eigen::Vector3f;
using Triangle = std::array<uint32_t, 3>;

// 128 bits that name content. The zero key means "none".
struct ContentKey {
  uint64_t lo = 0, hi = 0;
  auto operator<=>(const ContentKey&) const = default;
  explicit operator bool() const { return (lo | hi) != 0; }
  // The key of something that follows from this content and a number: a part, a variant.
  ContentKey with(uint64_t number) const {
    const uint64_t a = (lo ^ (number + 0x9E3779B97F4A7C15ull)) * 0xD6E8FEB86659FD93ull;
    const uint64_t b = (hi + number) * 0xA0761D6478BD642Full;
    return {a ^ (a >> 32) ^ hi, b ^ (b >> 29) ^ lo};
  }
};

struct Rgba {
  float r = 1, g = 1, b = 1, a = 1;
  bool operator==(const Rgba&) const = default;
};

// The colours of bodies that nothing else colours, and of the signs drawn over them.
inline constexpr Rgba clay{0.735f, 0.665f, 0.605f, 1};
inline constexpr Rgba accent{0.95f, 0.55f, 0.14f, 1};
inline constexpr Rgba axis_colours[3] = {
    {0.84f, 0.24f, 0.25f, 1}, {0.36f, 0.64f, 0.20f, 1}, {0.22f, 0.47f, 0.86f, 1}};

// ---- Colours of values
// ---------------------------------------------------------------------------

enum class ColourMap : uint8_t {
  sequential,  // from dark to light: how much
  diverging,   // blue, neutral in the middle, red: which side of the middle, and how far
  strain,      // red contracts, neutral rests, light blue expands
  phase,       // comes back to where it began: parts of a cycle
};
inline constexpr int colour_map_count = 4;

// How the numbers of an item become colours, and what the legend says about it.
struct ColourScale {
  ColourMap map = ColourMap::sequential;
  float low = 0, high = 1;  // the values at both ends of the map; low < high
  std::string title;        // what is measured: "Layers"
  std::string unit;         // "m"; empty: a plain number
  bool told = true;         // in a legend; colours that only keep things apart need none
  bool operator==(const ColourScale&) const = default;
};

// ---- Items
// ---------------------------------------------------------------------------------------

// What all items have: who wants it seen, for picking and for messages ("bell.mesh").
struct Item {
  std::string source;
};

enum class ValuesPer : uint8_t { vertex, triangle };

struct Mesh : Item {
  std::shared_ptr<const void> owner;     // of what the spans point into
  std::shared_ptr<const void> topology;  // identity of `triangles` and `polygon_of_triangle`
  ContentKey key;                        // content of `positions`
  std::span<const Point> positions;
  std::span<const Triangle> triangles;  // counter-clockwise seen from outside
  // For each triangle the polygon that it is a part of, or empty: edges inside of a polygon are not
  // drawn as wire.
  std::span<const uint32_t> polygon_of_triangle;
  std::span<const Eigen::Vector2f> corner_uvs;  // three a triangle, or empty; not drawn

  std::span<const float> values;  // to be coloured by; or empty
  ValuesPer values_per = ValuesPer::vertex;
  ContentKey values_key;
  int scale = -1;  // which of DrawList::scales; -1: `colour` only

  Rgba colour = clay;  // an alpha below 1 makes the body a veil through which others are seen
  bool flat = false;   // normals of the triangles: the cap of a cut
  bool casts = true;   // a shadow
};

// Segments between points 2k and 2k + 1, of constant width on the screen.
struct Lines : Item {
  std::vector<Point> points;
  Rgba colour = accent;
  float width = 1.5f;   // pixels
  bool on_top = false;  // seen through bodies
  bool guide = false;   // drawn about something: a camera that frames the scene does not mind it
};

// Discs of constant size on the screen.
struct Points : Item {
  std::vector<Point> points;
  std::vector<float> values;  // one each, or none
  int scale = -1;
  Rgba colour = accent;
  float size = 6;  // pixels across
  bool on_top = false;
};

enum class GlyphShape : uint8_t {
  arrow,  // from the place along the vector
  needle  // centred at the place: a direction without a sense
};

// A solid sign at each place, along a vector, whose length it has (in metres).
struct Glyphs : Item {
  std::vector<Point> places;
  std::vector<Point> vectors;
  Rgba colour = accent;
  GlyphShape shape = GlyphShape::arrow;
};

// Of influence, or of a round obstacle: the unit ball carried by `axes` (its columns are the half
// axes) to `centre`.
struct Ellipsoid : Item {
  Point centre{0, 0, 0};
  Eigen::Matrix3f axes = Eigen::Matrix3f::Identity();
  Rgba colour{0.30f, 0.55f, 0.85f, 0.25f};
};

// A rectangle with a border: `u` and `v` reach from the centre to the middles of two sides.
struct Plane : Item {
  Point centre{0, 0, 0}, u{1, 0, 0}, v{0, 0, 1};
  Rgba colour{0.45f, 0.55f, 0.65f, 0.25f};
};

// Control points of a box of counts[0] x counts[1] x counts[2], x fastest, joined to neighbours.
struct Lattice : Item {
  std::array<uint32_t, 3> counts{0, 0, 0};
  std::vector<Point> points;
  Rgba colour{0.20f, 0.22f, 0.26f, 1};
};

// Words beside a place.
struct Label : Item {
  Point at{0, 0, 0};
  std::string text;
  Rgba colour{0.13f, 0.14f, 0.16f, 1};
  bool centred = false;  // on the place, with nothing behind the words: numbers of an axis
  bool on_page = false;  // a line of the picture, in its upper left; it has no place
};

// The joints of a skeleton that is seen, for whoever takes it elsewhere; its lines are what is
// drawn.
struct Bones : Item {
  struct Joint {
    std::string name;
    int parent = -1;  // of a smaller number; -1: none
    Eigen::Vector3d rest{0, 0, 0}, place{0, 0, 0};
  };
  std::vector<Joint> joints;
};

struct DrawList {
  std::vector<ColourScale> scales;
  std::vector<Mesh> meshes;
  std::vector<Lines> lines;
  std::vector<Points> points;
  std::vector<Glyphs> glyphs;
  std::vector<Ellipsoid> ellipsoids;
  std::vector<Plane> planes;
  std::vector<Lattice> lattices;
  std::vector<Label> labels;
  std::vector<Bones> bones;

  bool empty() const {
    return meshes.empty() && lines.empty() && points.empty() && glyphs.empty() &&
           ellipsoids.empty() && planes.empty() && lattices.empty() && labels.empty();
  }
  // Adds a scale, or finds the same one.
  int add(const ColourScale& scale) {
    for (std::size_t i = 0; i < scales.size(); ++i)
      if (scales[i] == scale) return static_cast<int>(i);
    scales.push_back(scale);
    return static_cast<int>(scales.size()) - 1;
  }
};

// What a person wants to see of values that leave a choice.
struct SectionPlane {
  Point point{0, 0, 0};
  Point normal{0, 0, 1};  // of length 1; what it points to is cut away
};

}  // namespace sinew::draw
