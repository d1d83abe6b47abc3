#include "app/editor/panels/canvas/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/editor/panels/canvas/arrange.h"
#include "app/editor/panels/canvas/fit.h"
#include "app/editor/titles.h"
#include "app/ui/theme.h"
#include "graph/label.h"
#include "nodes/show.h"

namespace sinew::editor::canvas {
namespace {

float width_of(std::string_view text) {
  return ImGui::GetFont()
      ->CalcTextSizeA(text_height, FLT_MAX, 0, text.data(), text.data() + text.size())
      .x;
}

const Json* member(const Json& object, const char* name) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

bool flag(const Json& layout, const char* name) {
  const Json* found = member(layout, name);
  return found && found->is_boolean() && found->get<bool>();
}

std::optional<ImVec2> pair_of(const Json& object, const char* name) {
  const Json* found = member(object, name);
  if (!found || !found->is_array() || found->size() != 2 || !(*found)[0].is_number() ||
      !(*found)[1].is_number())
    return std::nullopt;
  return ImVec2((*found)[0].get<float>(), (*found)[1].get<float>());
}

// "#rrggbb"; 0 if it is none.
ImU32 colour_of(const Json& object) {
  const Json* found = member(object, "colour");
  if (!found || !found->is_string()) return 0;
  const std::string text = found->get<std::string>();
  if (text.size() != 7 || text[0] != '#') return 0;
  char* end = nullptr;
  const unsigned long rgb = std::strtoul(text.c_str() + 1, &end, 16);
  return *end ? 0 : ui::type_colour(static_cast<uint32_t>(rgb));
}

// A parameter in few letters; empty where it is no simple value.
std::string short_value(const InputInfo& info, const NodeDoc& doc) {
  const auto found = doc.params.find(info.name);
  Json value = found != doc.params.end() ? found->second : Json();
  if (value.is_null() && info.standard) {
    if (info.standard.is<Choice>()) {
      const auto index = static_cast<std::size_t>(info.standard.as<Choice>().index);
      return index < info.choices.size() ? label_from_name(info.choices[index]) : "";
    }
    value = info.standard.to_json();
  }
  const auto number = [](const Json& j) {
    return j.is_number_integer() ? fmt::format("{}", j.get<int64_t>())
                                 : fmt::format("{:.4g}", j.get<double>());
  };
  std::string text;
  if (value.is_number())
    text = number(value);
  else if (value.is_boolean())
    return value.get<bool>() ? "on" : "off";
  else if (value.is_string())
    return info.choices.empty() ? value.get<std::string>()
                                : label_from_name(value.get<std::string>());
  else if (value.is_object())
    return value.contains("animate") ? "animated" : "";
  else if (value.is_array() && value.size() <= 3 &&
           std::all_of(value.begin(), value.end(), [](const Json& j) { return j.is_number(); }))
    for (const Json& j : value) text += (text.empty() ? "" : ", ") + number(j);
  return info.unit.empty() || text.empty() ? text : text + " " + info.unit;
}

bool takes_literal(const InputInfo& info) {
  return info.type && !info.takes_anything() &&
         (info.type->from_json || info.type->components > 0 || info.type == &type_of<Choice>());
}

}  // namespace

std::string fitted(std::string_view text, float width) {
  if (width_of(text) <= width) return std::string(text);
  const char* rest = nullptr;
  ImGui::GetFont()->CalcTextSizeA(text_height, std::max(width - width_of("..."), 0.0f), 0,
                                  text.data(), text.data() + text.size(), &rest);
  return std::string(text.data(), rest) + "...";
}

void Rect::add(const Rect& r) {
  from = ImVec2(std::min(from.x, r.from.x), std::min(from.y, r.from.y));
  to = ImVec2(std::max(to.x, r.to.x), std::max(to.y, r.to.y));
}

int Node::find_input(std::string_view name) const {
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].input->name == name) return static_cast<int>(i);
  return -1;
}

int Node::find_output(std::string_view name) const {
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i].output->name == name) return static_cast<int>(i);
  return -1;
}

Curve Curve::between(ImVec2 from, ImVec2 to) {
  const float length = std::hypot(to.x - from.x, to.y - from.y);
  const float reach = std::min(std::max(0.5f * std::abs(to.x - from.x), 0.25f * length),
                               std::max(120.0f, 0.4f * length));
  return {from, ImVec2(from.x + reach, from.y), ImVec2(to.x - reach, to.y), to};
}

ImVec2 Curve::at(float t) const {
  const float s = 1 - t;
  const float wa = s * s * s, wb = 3 * s * s * t, wc = 3 * s * t * t, wd = t * t * t;
  return {wa * a.x + wb * b.x + wc * c.x + wd * d.x, wa * a.y + wb * b.y + wc * c.y + wd * d.y};
}

Rect Curve::bounds() const {
  return {ImVec2(std::min({a.x, b.x, c.x, d.x}), std::min({a.y, b.y, c.y, d.y})),
          ImVec2(std::max({a.x, b.x, c.x, d.x}), std::max({a.y, b.y, c.y, d.y}))};
}

bool Model::update(const Session& session, const ModelOptions& options) {
  if (seen_document_ != session.document_count()) {
    arranged_.clear();
    seen_document_ = session.document_count();
  }
  const bool same = seen_revision_ == session.revision() && seen_place_ == session.place() &&
                    options_ == options && graph_ == session.graph();
  if (same && seen_selection_ == session.selection_revision()) return false;
  if (!same) {
    graph_ = session.graph();
    graph_name_ = session.graph_name();
    options_ = options;
    seen_revision_ = session.revision();
    seen_place_ = session.place();
    shifted_.clear();
    nodes_.clear();
    by_id_.clear();
    const GraphBody& body = session.body();
    nodes_.reserve(body.nodes.size());
    for (const NodeDoc& doc : body.nodes) make_node(session, doc, options);
    make_links(session);
    for (Node& node : nodes_) make_rows(node);
    place_homeless();
    make_frames(session);
    ++revision_;
  }
  seen_selection_ = session.selection_revision();
  order_.clear();
  for (const bool chosen : {false, true})
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (session.is_selected(nodes_[i].id) == chosen) order_.push_back(static_cast<int>(i));
  return true;
}

void Model::make_node(const Session& session, const NodeDoc& doc, const ModelOptions& options) {
  Node node;
  node.id = doc.id;
  node.path = session.path_of(doc.id);
  node.type = session.type_of(doc);
  node.type_name = doc.type;
  node.source = graph_->find_node(node.path);
  node.sink = graph_->find_sink(node.path);
  node.is_group = !doc.group.empty();
  node.full_title = title_of(session, doc);
  node.category = node.type ? std::string_view(node.type->category) : "Unknown";
  node.muted = doc.muted;
  node.number =
      numbers_.try_emplace(graph_name_ + "\n" + doc.id, static_cast<int>(numbers_.size()) + 1)
          .first->second;
  const NodeRole role = node.type ? node.type->role : NodeRole::compute;
  if (role == NodeRole::annotation)
    node.shape = Shape::note;
  else if (role == NodeRole::forward && node.type && !node.type->viewer)
    node.shape = Shape::dot;

  static const Json nothing = Json::object();
  const auto& layouts = session.body().layout.nodes;
  const auto layout = layouts.find(doc.id);
  const Json& own = layout == layouts.end() ? nothing : layout->second;
  if (const auto at = pair_of(own, "at")) {
    node.at = *at;
    node.placed = true;
  } else if (const auto known = arranged_.find(graph_name_ + "\n" + doc.id);
             known != arranged_.end()) {
    node.at = known->second;
  }
  node.collapsed = flag(own, "collapsed");
  node.expanded = flag(own, "expanded");
  node.colour = colour_of(own);

  node.is_border = role == NodeRole::group_input || role == NodeRole::group_output;
  const bool all_shown = node.expanded || node.is_border;
  const bool opened = options.opened == doc.id;
  for (const InputInfo& info : session.inputs_of(doc)) {
    Pin pin;
    pin.input = &info;
    pin.type = info.takes_anything() ? nullptr : info.type;
    pin.shown = all_shown || !takes_literal(info) || info.required();
    if (!pin.shown && opened && fit(session.registry(), options.opened_for, info) > 0)
      pin.shown = pin.extra = true;
    node.has_more = node.has_more || (takes_literal(info) && !info.required() && !node.is_border);
    if (pin.shown && takes_literal(info)) pin.value = short_value(info, doc);
    node.inputs.push_back(std::move(pin));
  }
  const auto& outputs = session.outputs_of(doc);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    Pin pin;
    pin.output = &outputs[i];
    pin.type = session.output_type(doc, i);
    pin.shown = true;
    pin.has_eye = pin.type && can_show(*pin.type);
    node.outputs.push_back(std::move(pin));
  }
  if (node.shape == Shape::note) {
    const auto text = doc.params.find("text");
    if (text != doc.params.end() && text->second.is_string())
      node.text = text->second.get<std::string>();
    node.inputs.clear();
    const ImVec2 size = pair_of(own, "size").value_or(ImVec2(note_width, 0));
    node.size = ImVec2(std::max(size.x, 60.0f), std::max(size.y, 30.0f));
    const float wrap = node.size.x - 16;
    const ImVec2 words = ImGui::GetFont()->CalcTextSizeA(
        text_height, FLT_MAX, wrap, node.text.data(), node.text.data() + node.text.size());
    node.size.y = std::max(node.size.y, words.y + 16);
  }
  choose_picture(node, session, doc);
  by_id_.emplace(node.id, static_cast<int>(nodes_.size()));
  nodes_.push_back(std::move(node));
}

// Charts are drawn where they are made or kept; bodies where values for their elements are made.
void Model::choose_picture(Node& node, const Session& session, const NodeDoc& doc) const {
  if (node.shape != Shape::box || !node.type || node.collapsed || !options_.pictures) return;
  const TypeInfo* curve = session.registry().curve_type();
  if (node.type->role != NodeRole::compute && node.type->role != NodeRole::simulate) return;
  const auto take = [&](PictureKind kind, std::size_t socket, bool of_input) {
    node.picture = kind;
    node.picture_socket = static_cast<int>(socket);
    node.picture_of_input = of_input;
  };
  for (std::size_t i = 0; i < node.outputs.size(); ++i)
    if (node.outputs[i].type && node.outputs[i].type == curve)
      return take(PictureKind::chart, i, false);
  for (std::size_t i = 0; i < node.inputs.size(); ++i)
    if (node.inputs[i].type == curve && curve && doc.params.contains(node.inputs[i].name()))
      return take(PictureKind::chart, i, true);
  for (std::size_t i = 0; i < node.outputs.size(); ++i)
    if (node.outputs[i].type && node.outputs[i].type->per_element && node.outputs[i].has_eye)
      return take(PictureKind::body, i, false);
}

void Model::make_links(const Session& session) {
  links_.clear();
  const auto& links = session.body().links;
  for (std::size_t i = 0; i < links.size(); ++i) {
    Link link;
    link.place = i;
    link.from = find(links[i].from.node);
    link.to = find(links[i].to.node);
    if (link.from < 0 || link.to < 0) continue;
    Node& from = nodes_[static_cast<std::size_t>(link.from)];
    Node& to = nodes_[static_cast<std::size_t>(link.to)];
    link.output = from.find_output(links[i].from.socket);
    link.input = to.find_input(links[i].to.socket);
    if (link.output < 0 || link.input < 0) continue;
    Pin& out = from.outputs[static_cast<std::size_t>(link.output)];
    Pin& in = to.inputs[static_cast<std::size_t>(link.input)];
    out.linked = in.linked = in.shown = true;
    in.extra = false;
    in.value.clear();
    link.type = out.type ? out.type : in.type;
    link.converts =
        out.type && in.type && out.type != in.type &&
        std::find(in.input->also.begin(), in.input->also.end(), out.type) == in.input->also.end() &&
        session.registry().find_conversion(*out.type, *in.type) != nullptr;
    links_.push_back(link);
  }
}

void Model::make_rows(Node& node) const {
  if (node.shape == Shape::note) return;
  if (node.shape == Shape::dot) {
    node.size = ImVec2(dot_size, dot_size);
    for (Pin& pin : node.inputs) pin.offset = ImVec2(0, dot_size / 2);
    for (Pin& pin : node.outputs) pin.offset = ImVec2(dot_size, dot_size / 2);
    return;
  }
  const float room = node_width - 20 - (node.has_more ? 14 : 0);
  node.title = fitted(node.full_title, room);
  std::size_t left = 0, right = 0;
  const auto row_middle = [](std::size_t row) {
    return header_height + 3 + (static_cast<float>(row) + 0.5f) * row_height;
  };
  for (Pin& pin : node.outputs) {
    if (node.collapsed) pin.shown = false;
    pin.offset = ImVec2(node_width, pin.shown ? row_middle(right++) : header_height / 2);
  }
  // What comes for a moment must not push away what a hand is aiming at.
  for (const bool extra : {false, true})
    for (Pin& pin : node.inputs) {
      if (pin.extra != extra) continue;
      if (node.collapsed && !extra) pin.shown = false;
      pin.offset = ImVec2(0, pin.shown ? row_middle(left++) : header_height / 2);
    }
  // Inputs and outputs share the rows; where both are long, each has its half.
  std::vector<const Pin*> opposite(std::max(left, right), nullptr);
  for (const Pin& pin : node.outputs)
    if (pin.shown)
      opposite[static_cast<std::size_t>((pin.offset.y - header_height - 3) / row_height)] = &pin;
  for (Pin& pin : node.inputs) {
    if (!pin.shown) continue;
    const auto row = static_cast<std::size_t>((pin.offset.y - header_height - 3) / row_height);
    if (opposite[row]) {
      const float other = std::min(width_of(opposite[row]->output->label), 70.0f);
      const float eye = opposite[row]->has_eye ? 16 : 0;
      pin.label = fitted(pin.input->label, node_width - 28 - other - eye);
      pin.value.clear();
      continue;
    }
    pin.value = fitted(pin.value, 78);
    pin.value_width = width_of(pin.value);
    const float value = pin.value.empty() ? 0 : pin.value_width + 8;
    pin.label = fitted(pin.input->label, node_width - 22 - value);
  }
  for (Pin& pin : node.outputs) {
    const auto row = static_cast<std::size_t>((pin.offset.y - header_height - 3) / row_height);
    float other = 0;
    for (const Pin& in : node.inputs)
      if (in.shown && pin.shown &&
          static_cast<std::size_t>((in.offset.y - header_height - 3) / row_height) == row)
        other = width_of(in.label) + 8;
    pin.label = fitted(pin.output->label, node_width - 20 - other - (pin.has_eye ? 16 : 0));
    pin.label_width = width_of(pin.label);
  }
  const std::size_t rows = std::max(left, right) + (node.is_border && !node.collapsed ? 1 : 0);
  node.rows_end = header_height + (rows ? 3 + row_height * static_cast<float>(rows) : 0);
  node.size = ImVec2(node_width, node.rows_end + (rows ? foot_height - 3 : 0));
  if (node.picture != PictureKind::none) node.size.y = node.rows_end + picture_height + foot_height;
}

void Model::place_homeless() {
  std::vector<int> homeless;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    if (!node.placed && !arranged_.contains(graph_name_ + "\n" + node.id))
      homeless.push_back(static_cast<int>(i));
  }
  if (homeless.empty()) return;
  std::vector<ImVec2> places = arrange(nodes_, links_, homeless);
  // Below what has a place.
  float bottom = 0, left = 0;
  bool any = false;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (std::binary_search(homeless.begin(), homeless.end(), static_cast<int>(i))) continue;
    const Rect r = nodes_[i].rect();
    bottom = any ? std::max(bottom, r.to.y) : r.to.y;
    left = any ? std::min(left, r.from.x) : r.from.x;
    any = true;
  }
  for (std::size_t i = 0; i < homeless.size(); ++i) {
    Node& node = nodes_[static_cast<std::size_t>(homeless[i])];
    node.at = ImVec2(places[i].x + left, places[i].y + (any ? bottom + 40 : 0));
    arranged_[graph_name_ + "\n" + node.id] = node.at;
  }
}

void Model::make_frames(const Session& session) {
  frames_.clear();
  const Json* all = member(session.body().layout.extra, "frames");
  if (!all || !all->is_array()) return;
  for (const Json& one : *all) {
    Frame frame;
    const ImVec2 at = pair_of(one, "at").value_or(ImVec2(0, 0));
    const ImVec2 size = pair_of(one, "size").value_or(ImVec2(200, 120));
    frame.rect = {at, ImVec2(at.x + size.x, at.y + size.y)};
    if (const Json* title = member(one, "title"); title && title->is_string())
      frame.title = title->get<std::string>();
    frame.colour = colour_of(one);
    frames_.push_back(std::move(frame));
  }
}

int Model::find(std::string_view id) const {
  const auto found = by_id_.find(std::string(id));
  return found == by_id_.end() ? -1 : found->second;
}

void Model::shift(const std::vector<int>& nodes, ImVec2 by) {
  for (std::size_t i = 0; i < shifted_.size(); ++i)
    nodes_[static_cast<std::size_t>(shifted_[i])].at = unshifted_[i];
  shifted_ = nodes;
  unshifted_.clear();
  for (const int i : nodes) {
    ImVec2& at = nodes_[static_cast<std::size_t>(i)].at;
    unshifted_.push_back(at);
    at = ImVec2(at.x + by.x, at.y + by.y);
  }
}

ImVec2 Model::input_place(int node, int input) const {
  const Node& n = nodes_[static_cast<std::size_t>(node)];
  const ImVec2 offset = n.inputs[static_cast<std::size_t>(input)].offset;
  return {n.at.x + offset.x, n.at.y + offset.y};
}

ImVec2 Model::output_place(int node, int output) const {
  const Node& n = nodes_[static_cast<std::size_t>(node)];
  const ImVec2 offset = n.outputs[static_cast<std::size_t>(output)].offset;
  return {n.at.x + offset.x, n.at.y + offset.y};
}

Curve Model::curve(const Link& link) const {
  return Curve::between(output_place(link.from, link.output), input_place(link.to, link.input));
}

Rect Model::bounds() const {
  std::vector<int> all;
  for (std::size_t i = 0; i < nodes_.size(); ++i) all.push_back(static_cast<int>(i));
  Rect rect = bounds(all);
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    if (nodes_.empty() && i == 0) rect = frames_[i].rect;
    rect.add(frames_[i].rect);
  }
  return rect;
}

Rect Model::bounds(const std::vector<int>& nodes) const {
  Rect rect;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Rect r = nodes_[static_cast<std::size_t>(nodes[i])].rect();
    if (i == 0) rect = r;
    rect.add(r);
  }
  return rect;
}

std::vector<int> Model::inside(const Rect& rect, bool wholly) const {
  std::vector<int> found;
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (wholly ? rect.contains(nodes_[i].rect()) : rect.meets(nodes_[i].rect()))
      found.push_back(static_cast<int>(i));
  return found;
}

std::vector<bool> Model::reached(int node, bool forward) const {
  std::vector<std::vector<int>> next(nodes_.size());
  for (const Link& link : links_)
    next[static_cast<std::size_t>(forward ? link.from : link.to)].push_back(forward ? link.to
                                                                                    : link.from);
  std::vector<bool> seen(nodes_.size(), false);
  std::vector<int> open = {node};
  seen[static_cast<std::size_t>(node)] = true;
  while (!open.empty()) {
    const int i = open.back();
    open.pop_back();
    for (const int j : next[static_cast<std::size_t>(i)]) {
      if (seen[static_cast<std::size_t>(j)]) continue;
      seen[static_cast<std::size_t>(j)] = true;
      open.push_back(j);
    }
  }
  return seen;
}

std::vector<bool> Model::downstream(int node) const { return reached(node, true); }
std::vector<bool> Model::upstream(int node) const { return reached(node, false); }

}  // namespace sinew::editor::canvas
