#include "app/editor/session.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/file_parameters.h"
#include "graph/file_places.h"

namespace sinew::editor {
namespace {

// Whether an edit can change a result.
bool matters(const Edit& edit) {
  return !std::holds_alternative<edit::SetNodeLayout>(edit) &&
         !std::holds_alternative<edit::SetGraphLayout>(edit) &&
         !std::holds_alternative<edit::SetMeta>(edit) &&
         !std::holds_alternative<edit::SetSettings>(edit);
}

}  // namespace

Session::Session(const Registry& registry) : registry_(registry) { make_new(); }

std::filesystem::path Session::folder() const {
  std::error_code ec;
  return file_.empty() ? std::filesystem::current_path(ec)
                       : std::filesystem::absolute(file_, ec).parent_path();
}

std::string Session::title() const {
  if (!doc_.meta.title.empty()) return doc_.meta.title;
  return file_.empty() ? "Untitled" : file_.stem().string();
}

void Session::reset(GraphDoc doc, std::filesystem::path file) {
  doc_ = std::move(doc);
  history_.clear();
  file_ = std::move(file);
  notes_.clear();
  callbacks_.clear();
  place_.clear();
  graph_name_.clear();
  select({});
  saved_ = doc_;
  taken_back_.clear();
  graph_ = CompiledGraph::compile(doc_, registry_);
  ++revision_;
  ++graph_revision_;
  ++document_count_;
  for (const auto& opened : opened_) opened();
}

void Session::make_new() { reset(GraphDoc{}, {}); }

Result<void> Session::open(const std::filesystem::path& path) {
  std::vector<NodeMessage> notes;
  Result<LoadedDocument> loaded = load_with_text(path, registry_, &notes);
  if (!loaded) return Error{fmt::format("{}: {}", path.filename().string(), loaded.error())};
  const bool is_pack = !loaded->pack.empty();
  if (is_pack) carry_files(loaded->doc, registry_, path.parent_path());
  reset(std::move(loaded->doc), is_pack ? std::filesystem::path() : path);
  notes_ = std::move(notes);
  return {};
}

void Session::adopt(GraphDoc doc, std::filesystem::path file, bool changed) {
  reset(std::move(doc), std::move(file));
  if (changed) saved_.reset();
  compared_ = 0;
}

// What is done and taken back again is no change, by whatever way it went.
bool Session::modified() const {
  if (compared_ == revision_) return differs_;
  compared_ = revision_;
  return differs_ = !saved_ || (taken_back_.empty() ? doc_ != *saved_ : kept() != *saved_);
}

GraphDoc Session::kept() const {
  GraphDoc doc = doc_;
  for (const Edit& edit : taken_back_) (void)apply_edit(doc, edit);
  return doc;
}

void Session::hold(std::vector<Edit> taken_back) {
  taken_back_ = std::move(taken_back);
  compared_ = 0;
}

Result<void> Session::save() {
  if (file_.empty()) return Error{"it has no file yet; choose one with Save As"};
  return save_as(file_);
}

std::string Session::name_of_file(const std::filesystem::path& file) const {
  return file_name_from(file_.empty() ? std::filesystem::path() : folder(), file);
}

Result<void> Session::save_as(const std::filesystem::path& path) {
  std::error_code ec;
  const std::filesystem::path there = std::filesystem::absolute(path, ec).parent_path();
  const std::vector<Edit> named = edits_for_place(doc_, registry_, folder(), there);
  if (!named.empty()) {
    history_.seal();
    if (const Result<void> ok = apply({"Name files as seen from the document", named, {}}); !ok)
      return ok;
  }
  GraphDoc doc = kept();
  if (const Result<void> ok = save_document(doc, path); !ok) {
    if (!named.empty()) undo();
    return Error{fmt::format("{}: {}", path.filename().string(), ok.error())};
  }
  const bool moved = file_ != path;
  file_ = path;
  saved_ = std::move(doc);
  ++revision_;
  if (moved) ++graph_revision_;  // relative paths lead elsewhere
  history_.seal();
  return {};
}

Result<void> Session::apply(Command command) {
  const std::size_t before = history_.position();
  if (const Result<void> ok = history_.apply(std::move(command)); !ok) {
    refusal_ = ok.error();
    return ok;
  }
  if (history_.last_edits().empty()) return {};
  const std::size_t after = history_.position();
  callbacks_.erase(callbacks_.upper_bound(after > before ? before : after), callbacks_.end());
  changed(history_.last_edits());
  return {};
}

Result<void> Session::amend(std::string_view merge_key, edit::SetParam edit) {
  const Result<void> ok = history_.amend(merge_key, std::move(edit));
  if (ok) changed(history_.last_edits());
  return ok;
}

void Session::undo() {
  if (!history_.can_undo()) return;
  const std::size_t from = history_.position();
  history_.undo();
  changed(history_.last_edits());
  if (const auto found = callbacks_.find(from); found != callbacks_.end() && found->second.undone)
    found->second.undone();
}

void Session::redo() {
  if (!history_.can_redo()) return;
  history_.redo();
  changed(history_.last_edits());
  const auto found = callbacks_.find(history_.position());
  if (found != callbacks_.end() && found->second.redone) found->second.redone();
}

void Session::go_to(std::size_t position) {
  while (history_.position() > position && history_.can_undo()) {
    const std::size_t before = history_.position();
    undo();
    if (history_.position() >= before) return;
  }
  while (history_.position() < position && history_.can_redo()) {
    const std::size_t before = history_.position();
    redo();
    if (history_.position() <= before) return;
  }
}

void Session::on_undo(std::function<void()> undone, std::function<void()> redone) {
  callbacks_[history_.position()] = {std::move(undone), std::move(redone)};
}

void Session::changed(const std::vector<Edit>& edits) {
  ++revision_;
  if (std::any_of(edits.begin(), edits.end(), matters)) {
    recompile(edits);
    ++graph_revision_;
  } else if (std::any_of(edits.begin(), edits.end(), [](const Edit& e) {
               return std::holds_alternative<edit::SetSettings>(e);
             })) {
    ++graph_revision_;
  }
  keep_place();
  for (const auto& listener : listeners_) listener(edits);
}

// A slider that moves changes one node; everything else of the compiled graph is shared.
void Session::recompile(const std::vector<Edit>& edits) {
  std::set<std::string> nodes;
  bool only_params = true;
  for (const Edit& edit : edits) {
    if (!matters(edit)) continue;
    const auto* param = std::get_if<edit::SetParam>(&edit);
    only_params = only_params && param && param->graph.empty();
    if (only_params) nodes.insert(param->node);
  }
  GraphPtr next = only_params ? graph_ : nullptr;
  for (const std::string& id : nodes) {
    const NodeDoc* node = next ? doc_.graph.find(id) : nullptr;
    next = node ? next->with_params(*node) : nullptr;
  }
  graph_ = next ? next : CompiledGraph::compile(doc_, registry_);
}

// After an undo the group that one was in may be gone, and so may what was chosen.
void Session::keep_place() {
  std::string name;
  for (std::size_t i = 0; i < place_.size(); ++i) {
    const GraphBody* in = doc_.body(name);
    const NodeDoc* instance = in ? in->find(place_[i]) : nullptr;
    if (!instance || instance->group.empty() || !doc_.groups.contains(instance->group)) {
      place_.resize(i);
      break;
    }
    name = instance->group;
  }
  if (name != graph_name_) {
    graph_name_ = name;
    select({});
    return;
  }
  std::set<std::string> there;
  for (const std::string& id : selection_)
    if (body().find(id)) there.insert(id);
  if (there.size() != selection_.size()) {
    const std::string active = active_;
    select(std::move(there));
    if (selection_.contains(active)) active_ = active;
  }
}

Result<void> Session::set_param(const std::string& node, const std::string& input,
                                std::optional<Json> value, const std::string& merge) {
  if (!body().find(node)) return Error{fmt::format("there is no node '{}'", node)};
  const InputInfo* info = input_of(node, input);
  return apply({fmt::format("Set {}", info ? info->label : input),
                {edit::SetParam{graph_name_, node, input, std::move(value)}},
                merge});
}

const Json* Session::param(const std::string& node, const std::string& input) const {
  const NodeDoc* doc = body().find(node);
  if (!doc) return nullptr;
  const auto found = doc->params.find(input);
  return found == doc->params.end() ? nullptr : &found->second;
}

// An instance is two nodes of the compiled graph, one that takes links and one that gives them; any
// other node is both.
const std::vector<InputInfo>& Session::inputs_of(const NodeDoc& node) const {
  static const std::vector<InputInfo> none;
  const int sink = graph_->find_sink(path_of(node.id));
  if (sink >= 0) return graph_->node(sink).type->inputs;
  const NodeType* type = type_of(node);
  return type ? type->inputs : none;
}

const std::vector<OutputInfo>& Session::outputs_of(const NodeDoc& node) const {
  static const std::vector<OutputInfo> none;
  const int source = graph_->find_node(path_of(node.id));
  if (source >= 0) return graph_->node(source).type->outputs;
  const NodeType* type = type_of(node);
  return type ? type->outputs : none;
}

const InputInfo* Session::input_of(const std::string& node, const std::string& input) const {
  const NodeDoc* doc = body().find(node);
  if (!doc) return nullptr;
  for (const InputInfo& info : inputs_of(*doc))
    if (info.name == input) return &info;
  return nullptr;
}

const TypeInfo* Session::output_type(const NodeDoc& node, std::size_t output) const {
  const int source = graph_->find_node(path_of(node.id));
  if (source >= 0 && output < graph_->node(source).output_types.size() &&
      graph_->node(source).output_types[output])
    return graph_->node(source).output_types[output];
  const std::vector<OutputInfo>& outputs = outputs_of(node);
  return output < outputs.size() && outputs[output].generic.empty() ? outputs[output].type
                                                                    : nullptr;
}

const LinkDoc* Session::link_into(const std::string& node, const std::string& input) const {
  for (const LinkDoc& link : body().links)
    if (link.to.node == node && link.to.socket == input) return &link;
  return nullptr;
}

const GraphBody& Session::body() const {
  const GraphBody* found = doc_.body(graph_name_);
  return found ? *found : doc_.graph;
}

std::string Session::path_of(const std::string& node) const {
  std::string path;
  for (const std::string& instance : place_) path += instance + "/";
  return path + node;
}

bool Session::enter(const std::string& instance) {
  const NodeDoc* node = body().find(instance);
  if (!node || node->group.empty() || !doc_.groups.contains(node->group)) return false;
  graph_name_ = node->group;
  place_.push_back(instance);
  select({});
  return true;
}

void Session::leave(std::size_t levels) {
  if (levels == 0 || place_.empty()) return;
  levels = std::min(levels, place_.size());
  const std::string came_from = place_[place_.size() - levels];
  place_.resize(place_.size() - levels);
  graph_name_.clear();
  for (const std::string& instance : place_)
    if (const NodeDoc* node = body().find(instance)) graph_name_ = node->group;
  select_only(came_from);
}

bool Session::go_to_node(const std::string& path) {
  std::vector<std::string> place;
  const GraphBody* in = &doc_.graph;
  std::string name;
  std::size_t begin = 0;
  for (std::size_t slash = path.find('/'); slash != std::string::npos;
       slash = path.find('/', begin)) {
    const std::string instance = path.substr(begin, slash - begin);
    const NodeDoc* node = in->find(instance);
    if (!node || node->group.empty() || !doc_.body(node->group)) return false;
    name = node->group;
    in = doc_.body(name);
    place.push_back(instance);
    begin = slash + 1;
  }
  const std::string id = path.substr(begin);
  if (!in->find(id)) return false;
  place_ = std::move(place);
  graph_name_ = name;
  select_only(id);
  return true;
}

const NodeDoc* Session::active() const { return active_.empty() ? nullptr : body().find(active_); }

void Session::select(std::set<std::string> nodes) {
  selection_ = std::move(nodes);
  if (!selection_.contains(active_)) active_ = selection_.empty() ? "" : *selection_.begin();
  ++selection_revision_;
}

void Session::select_only(const std::string& node) {
  selection_ = {node};
  active_ = node;
  ++selection_revision_;
}

void Session::toggle_selected(const std::string& node) {
  if (!selection_.erase(node)) {
    selection_.insert(node);
    active_ = node;
  }
  select(selection_);
}

}  // namespace sinew::editor
