#include "app/gallery/graph_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "app/library/meta_words.h"

namespace sinew::gallery {

namespace {

constexpr double width = 172, head = 26, row = 17, pad = 8;  // of a node, pixels
constexpr double column = 250, line = 90;  // where a document says nothing of places
constexpr std::size_t longest_word = 24;   // letters that fit into a node

struct Box {
  double x = 0, y = 0;
  std::vector<std::string> inputs, outputs;  // those that are linked
  double height() const {
    return head + row * static_cast<double>(std::max(inputs.size(), outputs.size())) + pad;
  }
};

std::size_t add_once(std::vector<std::string>& list, const std::string& name) {
  const auto found = std::find(list.begin(), list.end(), name);
  if (found != list.end()) return static_cast<std::size_t>(found - list.begin());
  list.push_back(name);
  return list.size() - 1;
}

std::string cut(const std::string& text, std::size_t longest) {
  if (text.size() <= longest) return text;
  std::size_t end = longest - 1;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;  // whole letters
  return text.substr(0, end) + "\u2026";
}

// Each category has a colour of its own, the same in every picture.
int hue_of(const std::string& category) {
  unsigned sum = 7;
  for (const char c : category) sum = sum * 31 + static_cast<unsigned char>(c);
  return static_cast<int>(sum % 360);
}

// Columns by how far a node is from what begins the graph, for nodes without a place.
std::map<std::string, int> columns_of(const GraphBody& graph) {
  std::map<std::string, int> depth;
  for (std::size_t round = 0; round < graph.nodes.size(); ++round) {
    bool changed = false;
    for (const LinkDoc& l : graph.links) {
      const int next = depth[l.from.node] + 1;
      if (depth[l.to.node] >= next || next > static_cast<int>(graph.nodes.size())) continue;
      depth[l.to.node] = next;
      changed = true;
    }
    if (!changed) break;
  }
  return depth;
}

bool is_drawn(const NodeDoc& node, const Registry& registry) {
  const NodeType* type = registry.find(node.type);
  return !type || type->role != NodeRole::annotation;
}

std::map<std::string, Box> boxes_of(const GraphDoc& doc, const Registry& registry) {
  std::map<std::string, Box> boxes;
  const std::map<std::string, int> columns = columns_of(doc.graph);
  std::map<int, int> in_column;
  for (const NodeDoc& node : doc.graph.nodes) {
    if (!is_drawn(node, registry)) continue;
    Box& box = boxes[node.id];
    if (const auto place = library::place_of(doc.graph.layout, node.id)) {
      box.x = place->first;
      box.y = place->second;
    } else {
      const auto depth = columns.find(node.id);
      const int c = depth == columns.end() ? 0 : depth->second;
      box.x = column * c;
      box.y = line * in_column[c]++;
    }
  }
  for (const LinkDoc& l : doc.graph.links) {
    if (!boxes.contains(l.from.node) || !boxes.contains(l.to.node)) continue;
    add_once(boxes[l.from.node].outputs, l.from.socket);
    add_once(boxes[l.to.node].inputs, l.to.socket);
  }
  return boxes;
}

// Places that overlap in a picture with rows of our own height are moved apart.
void spread(std::map<std::string, Box>& boxes) {
  std::vector<Box*> order;
  for (auto& [id, box] : boxes) order.push_back(&box);
  std::stable_sort(order.begin(), order.end(),
                   [](const Box* a, const Box* b) { return a->y < b->y; });
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      const bool beside = std::abs(order[i]->x - order[k]->x) >= width + 10;
      const double below = order[k]->y + order[k]->height() + 14;
      if (!beside && order[i]->y < below) order[i]->y = below;
    }
}

std::string link_svg(const Box& from, std::size_t out, const Box& to, std::size_t in) {
  const double x0 = from.x + width, y0 = from.y + head + row * (static_cast<double>(out) + 0.5);
  const double x1 = to.x, y1 = to.y + head + row * (static_cast<double>(in) + 0.5);
  const double bend = std::clamp(std::abs(x1 - x0) / 2, 30.0, 140.0);
  return fmt::format("<path d=\"M{:.0f} {:.0f}C{:.0f} {:.0f} {:.0f} {:.0f} {:.0f} {:.0f}\"/>", x0,
                     y0, x0 + bend, y0, x1 - bend, y1, x1, y1);
}

std::string node_svg(const NodeDoc& node, const Box& box, const NodeType* type) {
  const std::string title = !node.label.empty() ? node.label : type ? type->label : node.type;
  const int hue = hue_of(type ? type->category : "");
  std::string svg = fmt::format(
      "<g transform=\"translate({:.0f} {:.0f})\"{}><title>{}</title><rect class=\"b\" "
      "width=\"{:.0f}\" "
      "height=\"{:.0f}\" rx=\"6\"/><path d=\"M0 {:.0f}V6a6 6 0 0 1 6-6H{:.0f}a6 6 0 0 1 6 "
      "6V{:.0f}z\" "
      "fill=\"hsl({} 38% 42%)\"/><text class=\"t\" x=\"9\" y=\"17\">{}</text>",
      box.x, box.y, node.muted ? " opacity=\".4\"" : "",
      escaped(type ? type->label + " (" + type->id + ")" : node.type), width, box.height(), head,
      width - 6, head, hue, escaped(cut(title, longest_word)));
  const auto socket = [&](const std::string& name, std::size_t i, bool is_input) {
    const double y = head + row * (static_cast<double>(i) + 0.5);
    return fmt::format(
        "<circle cx=\"{:.0f}\" cy=\"{:.0f}\" r=\"4\"/><text x=\"{:.0f}\" y=\"{:.0f}\"{}>{}</text>",
        is_input ? 0 : width, y, is_input ? 9 : width - 9, y + 4,
        is_input ? "" : " text-anchor=\"end\"", escaped(cut(name, longest_word / 2)));
  };
  for (std::size_t i = 0; i < box.inputs.size(); ++i) svg += socket(box.inputs[i], i, true);
  for (std::size_t i = 0; i < box.outputs.size(); ++i) svg += socket(box.outputs[i], i, false);
  return svg + "</g>";
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '&')
      safe += "&amp;";
    else if (c == '"')
      safe += "&quot;";
    else if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F)
      safe += c;
  }
  return safe;
}

std::string graph_svg(const GraphDoc& doc, const Registry& registry) {
  std::map<std::string, Box> boxes = boxes_of(doc, registry);
  if (boxes.empty()) return "";
  spread(boxes);
  double left = 1e30, top = 1e30, right = -1e30, bottom = -1e30;
  for (const auto& [id, box] : boxes) {
    left = std::min(left, box.x);
    top = std::min(top, box.y);
    right = std::max(right, box.x + width);
    bottom = std::max(bottom, box.y + box.height());
  }
  constexpr double margin = 20;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{:.0f} {:.0f} {:.0f} {:.0f}\" "
      "width=\"{:.0f}\" "
      "height=\"{:.0f}\" font-family=\"system-ui,sans-serif\" "
      "font-size=\"11\"><style>.b{{fill:#2b2e33;"
      "stroke:#14161a}}text{{fill:#b9bec6}}.t{{fill:#fff;font-weight:600;font-size:12px}}circle{{"
      "fill:"
      "#9aa4b2;stroke:#14161a}}.l path{{fill:none;stroke:#8a93a0;stroke-width:2}}</style>",
      left - margin, top - margin, right - left + 2 * margin, bottom - top + 2 * margin,
      right - left + 2 * margin, bottom - top + 2 * margin);
  svg += "<g class=\"l\">";
  for (const LinkDoc& l : doc.graph.links) {
    if (!boxes.contains(l.from.node) || !boxes.contains(l.to.node)) continue;
    Box &from = boxes[l.from.node], &to = boxes[l.to.node];
    svg +=
        link_svg(from, add_once(from.outputs, l.from.socket), to, add_once(to.inputs, l.to.socket));
  }
  svg += "</g>";
  for (const NodeDoc& node : doc.graph.nodes)
    if (const auto box = boxes.find(node.id); box != boxes.end())
      svg += node_svg(node, box->second, registry.find(node.type));
  return svg + "</svg>";
}

}  // namespace sinew::gallery
