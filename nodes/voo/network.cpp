// Skeletons, cells and plexuses of operators. [Hurmusiadis, sections 8.3.5 and 8.3.6]
#include <charconv>

#include "nodes/kernels/voo_array.h"
#include "nodes/kernels/voo_articulate.h"
#include "nodes/voo_words.h"

namespace sinew {
namespace {

enum class Kind : uint8_t { skeleton, cell, plexus };

In<VooSet> pattern;
In<Kind> kind;
In<PathPoints> points;
In<std::string> edges;
In<int> count_along, count_across;
Out<VooSet> out;

PathPoints standard_points() { return {{{0, 0, 0}, {0, 1, 0}, {0.5f, 2, 0}, {-0.5f, 2, 0}}}; }

void declare(Declaration& d) {
  d.id("voo.network", 1).label("Operator Network").category("VOODOO").uses_changes();
  d.doc(
      "Operators between points, joined where they meet: a skeleton, a triangular cell, or a sheet "
      "of cells, the plexus.");
  d.in(pattern, "voos")
      .label("Pattern")
      .doc("The pattern; the first operator counts. Its field grows with it.");
  d.in(kind, "kind", Kind::skeleton)
      .choices({"skeleton", "cell", "plexus"})
      .doc(
          "A skeleton along 'edges', a cell of the first three points, or a sheet that begins at "
          "the first point, with the second and third as the ends of its sides.");
  d.in(points, "points", standard_points()).doc("The places that operators lead between.");
  d.in(edges, "edges", std::string())
      .doc(
          "Of a skeleton: pairs of points, such as 1-2, 2-3, 2-4. Empty: from each point to the "
          "next.");
  d.in(count_along, "count_along", 2).range(1, 200).doc("Of a plexus: cells along its first side.");
  d.in(count_across, "count_across", 2)
      .range(1, 200)
      .doc("Of a plexus: cells along its second side.");
  d.handle(HandleKind::points, "points").items(points);
  d.out(out, "voos")
      .label("Operators")
      .doc("The operators, named after the pattern and numbered, with their arthra.");
}

// "1-2, 2-3"; an error says what is wrong with it.
std::vector<kernels::VooEdge> read_edges(Exec& e, std::size_t count) {
  std::vector<kernels::VooEdge> list;
  const std::string& text = e.get(edges);
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto skip = [&](const char* letters) {
    while (at < end && std::string_view(letters).find(*at) != std::string_view::npos) ++at;
  };
  for (skip(" ,\n"); at < end; skip(" ,\n")) {
    uint32_t ends[2] = {0, 0};
    for (int k = 0; k < 2; ++k) {
      const auto [next, wrong] = std::from_chars(at, end, ends[k]);
      if (wrong != std::errc() || ends[k] < 1 || ends[k] > count) {
        e.error("'edges' is a list of pairs such as 1-2, 2-3, of points from 1 to {}", count);
        return {};
      }
      at = next;
      if (k == 0) skip(" -");
    }
    list.push_back({ends[0] - 1, ends[1] - 1});
  }
  if (!list.empty()) return list;
  for (uint32_t i = 1; i < count; ++i) list.push_back({i - 1, i});
  return list;
}

kernels::VooNetwork made_from(Exec& e, const Voo& voo) {
  std::vector<Vec3d> places;
  for (const Vec3f& p : e.get(points).list) places.push_back(p.cast<double>());
  const std::size_t needed = e.get(kind) == Kind::skeleton ? 2 : 3;
  if (places.size() < needed) {
    e.error("'points' has {} points, but at least {} are needed", places.size(), needed);
    return {};
  }
  switch (e.get(kind)) {
    case Kind::cell:
      return kernels::make_cell(voo, places[0], places[1], places[2]);
    case Kind::plexus: {
      const int n = e.get(count_along), m = e.get(count_across);
      return kernels::make_plexus(voo, places[0], (places[1] - places[0]) / n,
                                  (places[2] - places[0]) / m, {n, m});
    }
    default:
      return kernels::make_network(voo, places, read_edges(e, places.size()));
  }
}

void exec(Exec& e) {
  if (e.get(pattern).size() == 0) return e.error("'voos' has no operator to take as a pattern");
  const VooMember& one = e.get(pattern).members.front();
  warn_of_constraints(e, e.get(pattern));
  warn_of_moments(e, e.get(pattern), {0});
  kernels::VooNetwork network = made_from(e, one.voo);
  if (e.failed()) return;
  VooSet set;
  set.time = e.get(pattern).time;
  for (Voo& voo : network.members) {
    set.members.push_back(kernels::placed_member(one, std::move(voo)));
  }
  for (VooArthron& arthron : network.arthra) set.ties.push_back({std::move(arthron), {}, {}});
  if (const auto wrong = validate(set)) return e.error("{}", *wrong);
  e.set(out, std::move(set));
}

}  // namespace
}  // namespace sinew

SINEW_NODE(voo_network, declare, exec)
