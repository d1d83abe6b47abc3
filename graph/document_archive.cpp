#include "graph/document_archive.h"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool parse_endpoint(std::string_view text, Endpoint& endpoint) {
  const size_t dot = text.find('.');
  if (dot == std::string_view::npos) return false;
  const std::string_view node = text.substr(0, dot);
  const std::string_view socket = text.substr(dot + 1);
  if (!valid_id(node) || !valid_id(socket)) return false;
  endpoint.node = node;
  endpoint.socket = socket;
  return true;
}

}  // namespace

std::string link_text(const LinkDoc& link) {
  std::string text;
  text.reserve(link.from.node.size() + link.from.socket.size() + link.to.node.size() +
               link.to.socket.size() + 6);
  text += link.from.node;
  text += '.';
  text += link.from.socket;
  text += " -> ";
  text += link.to.node;
  text += '.';
  text += link.to.socket;
  return text;
}

Result<LinkDoc> parse_link(std::string_view text) {
  LinkDoc link;
  const size_t arrow = text.find("->");
  if (arrow == std::string_view::npos ||
      !parse_endpoint(trimmed(text.substr(0, arrow)), link.from) ||
      !parse_endpoint(trimmed(text.substr(arrow + 2)), link.to)) {
    return Error{"a link must look like \"box.mesh -> twist.mesh\": node.socket -> node.socket"};
  }
  return link;
}

void CanonicalOutputArchive::save_rest(const Json& fields) {
  if (!fields.is_object()) return;
  const auto& known = known_.back();
  for (const auto& [name, value] : fields.get_ref<const Json::object_t&>()) {
    const bool is_known =
        std::any_of(known.begin(), known.end(), [&, &n = name](const char* k) { return n == k; });
    if (is_known) continue;
    writer_.key(name);
    writer_.value(value);
  }
}

std::string TreeInputArchive::subject() const {
  if (path_.empty()) return "a document";
  const auto* name = std::get_if<std::string>(&path_.back());
  return name ? fmt::format("\"{}\"", shortened(*name)) : "this";
}

void TreeInputArchive::fail_whole() const {
  const bool is_setting = path_.size() == 2 && path_.front() == JsonPath::value_type("settings");
  if (!is_setting || !current_->is_number()) fail_type("a whole number");
  fail(fmt::format("{} must be a whole number, but is {}", subject(), current_->get<double>()));
}

void TreeInputArchive::fail_type(std::string_view wanted) const {
  const char* kind = current_->is_number() ? "number" : current_->type_name();
  fail(fmt::format("{} must be {}, but is {} {}", subject(), wanted,
                   std::string_view("aeiou").find(kind[0]) == std::string_view::npos ? "a" : "an",
                   kind));
}

void TreeInputArchive::fail_count(std::string_view what, size_t limit) const {
  fail(fmt::format("the document is too large: more than {} {}", limit, what));
}

}  // namespace sinew
