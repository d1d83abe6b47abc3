// Fields as colours: which map, from where to where, and the values on what is seen of a body.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "nodes/kernels/activation.h"
#include "nodes/show/parts.h"

namespace sinew::showing {

namespace {

// A scale reaches no further: the difference of its ends must be a number as well.
constexpr double farthest = 1e37;
// Both sides of 0 count as such if the smaller is more than this part of the larger.
constexpr double both_sides = 0.05;
// Values that differ by less than this part of their size are the same number, and rounding.
constexpr double same_number = 1e-5;
// Or by less than this: dividing by the difference would leave the floats.
constexpr double least_difference = 1e-30;

// In lanes, so that it is as fast as memory. What is not a number is less than nothing, and so left
// out.
std::pair<double, double> range_of(std::span<const float> values) {
  constexpr std::size_t lanes = 16;
  std::array<float, lanes> low, high;
  low.fill(std::numeric_limits<float>::infinity());
  high.fill(-std::numeric_limits<float>::infinity());
  const auto take = [&](std::size_t lane, float x) {
    low[lane] = x < low[lane] ? x : low[lane];
    high[lane] = x > high[lane] ? x : high[lane];
  };
  std::size_t i = 0;
  for (; i + lanes <= values.size(); i += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) take(lane, values[i + lane]);
  for (; i < values.size(); ++i) take(0, values[i]);
  const double least = *std::min_element(low.begin(), low.end());
  const double greatest = *std::max_element(high.begin(), high.end());
  if (least > greatest) return {0, 0};
  return {std::clamp(least, -farthest, farthest), std::clamp(greatest, -farthest, farthest)};
}

void spread(draw::ColourScale& scale, double low, double high) {
  const auto [from, to] = open_range(low, high);
  scale.low = static_cast<float>(from);
  scale.high = static_cast<float>(to);
}

draw::ColourScale fitting_scale(const Field& field) {
  draw::ColourScale scale;
  const auto [low, high] = range_of(field.values());
  const double reach = std::max(std::abs(low), std::abs(high));
  switch (field.meaning().kind) {
    case FieldKind::layer:  // blue outside, red inside
      scale.map = draw::ColourMap::diverging;
      return scale;
    case FieldKind::phase:
      scale.map = draw::ColourMap::phase;
      return scale;
    case FieldKind::amplitude:
      scale.map = draw::ColourMap::diverging;
      scale.low = -1;
      return scale;
    case FieldKind::strain:
      scale.map = draw::ColourMap::strain;
      spread(scale, -reach, reach);
      return scale;
    case FieldKind::group:
      scale.map = draw::ColourMap::phase;
      scale.told = false;
      return scale;
    case FieldKind::plain:
      break;
  }
  if (low < 0 && high > 0 && std::min(-low, high) > both_sides * reach) {
    scale.map = draw::ColourMap::diverging;
    spread(scale, -reach, reach);
  } else {
    spread(scale, low, high);
  }
  return scale;
}

Error misfit(const Field& field, std::size_t count, std::string_view elements) {
  return Error{fmt::format("the field has {} values per {}, but its body has {} {}", field.size(),
                           domain_name(field.domain()), count, elements)};
}

// Values that had to be made; the key follows from that of the field and of the body.
SeenValues made(std::vector<float> values, draw::ValuesPer per, draw::ContentKey key,
                const Body& body) {
  SeenValues seen;
  auto owner = std::make_shared<const std::vector<float>>(std::move(values));
  seen.values = *owner;
  seen.owner = std::move(owner);
  seen.per = per;
  seen.key = joined(key, body.key);
  return seen;
}

SeenValues pointed_at(const Value& field, draw::ValuesPer per, draw::ContentKey key) {
  return {field.shared(), field.as<Field>().values(), per, key};
}

Result<SeenValues> by_vertex(const Value& field, draw::ContentKey key, const Body& body) {
  const std::size_t count = body.vertices().size();
  if (field.as<Field>().size() != count) return misfit(field.as<Field>(), count, "vertices");
  if (!body.has_skin()) return pointed_at(field, draw::ValuesPer::vertex, key);
  return made(carry_to_skin(*body.solid, field.as<Field>().values()), draw::ValuesPer::vertex, key,
              body);
}

// Of the triangles that are seen, or of the polygons that they are parts of.
Result<SeenValues> by_face(const Value& field, draw::ContentKey key, const Body& body) {
  const std::span<const float> values = field.as<Field>().values();
  const draw::Mesh surface = surface_of_body(body);
  const std::span<const uint32_t> polygons = surface.polygon_of_triangle;
  if (values.size() == surface.triangles.size())
    return pointed_at(field, draw::ValuesPer::triangle, key);
  if (polygons.empty() || values.size() != polygons.back() + std::size_t{1})
    return misfit(field.as<Field>(), surface.triangles.size(), "triangles");
  std::vector<float> spread;
  spread.reserve(polygons.size());
  for (const uint32_t polygon : polygons) spread.push_back(values[polygon]);
  return made(std::move(spread), draw::ValuesPer::triangle, key, body);
}

// Neighbouring numbers are far apart on the circle of colours: a golden section each.
float colour_of_group(float number) {
  const double turns = 0.6180339887498949 * std::round(static_cast<double>(number));
  return static_cast<float>(turns - std::floor(turns));
}

// Groups have edges, no slopes: each triangle has the colour of one of its vertices, that which two
// of them have if two have the same.
Result<SeenValues> by_group(const Value& field, draw::ContentKey key, const Body& body) {
  const Field& content = field.as<Field>();
  const std::size_t count = body.vertices().size();
  if (content.size() != count) return misfit(content, count, "vertices");
  const draw::Mesh surface = surface_of_body(body);
  const auto group_of = [&](uint32_t v) {
    if (!body.has_skin()) return content.at(v);
    const Embedding& hung = body.solid->topology->embedding;
    const auto& weights = hung.weights[v];
    const auto most = std::max_element(weights.begin(), weights.end()) - weights.begin();
    return content.at(body.solid->topology->tets[hung.tet[v]][static_cast<std::size_t>(most)]);
  };
  std::vector<float> colours;
  colours.reserve(surface.triangles.size());
  for (const draw::Triangle& t : surface.triangles) {
    const float a = group_of(t[0]), b = group_of(t[1]), c = group_of(t[2]);
    colours.push_back(colour_of_group(b == c ? b : a));
  }
  return made(std::move(colours), draw::ValuesPer::triangle, key, body);
}

Result<SeenValues> by_tet(const Value& field, draw::ContentKey key, const Body& body) {
  const Field& content = field.as<Field>();
  if (!body.solid) {
    return Error{
        "the field has values per tet, but its body is a mesh; make it on a solid, or transfer it"};
  }
  if (content.size() != body.solid->tet_count())
    return misfit(content, body.solid->tet_count(), "tetrahedra");
  const std::vector<uint32_t> which =
      body.has_skin() ? body.solid->topology->embedding.tet : boundary_tets(*body.solid->topology);
  std::vector<float> values;
  values.reserve(which.size());
  for (const uint32_t tet : which) values.push_back(content.at(tet));
  return made(std::move(values),
              body.has_skin() ? draw::ValuesPer::vertex : draw::ValuesPer::triangle, key, body);
}

}  // namespace

std::pair<double, double> open_range(double low, double high) {
  const double size = std::max(std::abs(low), std::abs(high));
  if (high - low > std::max(same_number * size, least_difference)) return {low, high};
  const double middle = 0.5 * low + 0.5 * high, half = std::max(0.5, 1e-3 * size);
  return {middle - half, middle + half};
}

Result<draw::ColourScale> scale_for(const Field& field, const std::string& title,
                                    const ShowOptions& options) {
  draw::ColourScale scale = fitting_scale(field);
  scale.title = title;
  scale.unit = field.meaning().unit;
  if (options.map) scale.map = *options.map;
  if (options.range) {
    std::tie(scale.low, scale.high) = *options.range;
    const float difference = scale.high - scale.low;
    if (!(difference > least_difference) || !std::isfinite(difference)) {
      return Error{
          fmt::format("the colours go from {:g} to {:g}; the first must be less than the "
                      "second",
                      scale.low, scale.high)};
    }
  }
  return scale;
}

Result<SeenValues> seen_values(const Value& field, draw::ContentKey key, const Body& body) {
  switch (field.as<Field>().domain()) {
    case Domain::constant:
      return made(
          std::vector<float>(surface_of_body(body).positions.size(), field.as<Field>().at(0)),
          draw::ValuesPer::vertex, key, body);
    case Domain::vertex:
      return field.as<Field>().meaning().kind == FieldKind::group ? by_group(field, key, body)
                                                                  : by_vertex(field, key, body);
    case Domain::face:
      return by_face(field, key, body);
    case Domain::tet:
      return by_tet(field, key, body);
    case Domain::bone:
      break;
  }
  return Error{"the field has values per bone, which cannot be seen on a body"};
}

Result<void> show_field(const Shown& what, const Body& body, const ShowOptions& options,
                        draw::DrawList& list) {
  const Field& field = what.value.as<Field>();
  const Result<std::optional<kernels::CutPlane>> section = section_through(body, options);
  if (!section) return Error{section.error()};
  const Result<draw::ColourScale> scale =
      scale_for(field, what.title.empty() ? what.source : what.title, options);
  if (!scale) return Error{scale.error()};
  const Result<SeenValues> seen = seen_values(what.value, content_key(what.key), body);
  if (!seen) return Error{seen.error()};
  if (is_cloud(body)) {
    add_cloud(what.source, body, *section, list, &field, list.add(*scale));
    return {};
  }
  std::vector<draw::Mesh> items;
  if (*section) {
    items = cut_items(body, field, *seen, **section);
  } else {
    items.push_back(surface_of_body(body));
    items[0].owner =
        std::make_shared<std::pair<std::shared_ptr<const void>, std::shared_ptr<const void>>>(
            items[0].owner, seen->owner);
    items[0].values = seen->values;
    items[0].values_per = seen->per;
    items[0].values_key = seen->key;
  }
  for (draw::Mesh& item : items)
    if (!item.triangles.empty() && !item.values.empty()) item.scale = list.add(*scale);
  add_items(what.source, std::move(items), list);
  return {};
}

Result<void> show_activation(const Shown& what, const Body& body, const ShowOptions& options,
                             draw::DrawList& list) {
  const Activation& activation = what.value.as<Activation>();
  kernels::ActivationScratch scratch;
  std::vector<float> strain(activation.count);
  kernels::activation_signal(activation, 0, {}, scratch, strain);
  Shown signal = what;
  signal.value = Value::of(Field(Domain::vertex, std::move(strain), {.kind = FieldKind::strain}));
  return show_field(signal, body, options, list);
}

}  // namespace sinew::showing
