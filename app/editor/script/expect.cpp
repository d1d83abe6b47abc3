// What scripts expect of the document and of the screen.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/cli/program.h"
#include "app/editor/editor.h"
#include "app/editor/script/script.h"

namespace sinew::editor {
namespace {

// What was found, and the sentence for when it was not what was expected.
struct Finding {
  bool met = false;
  std::string instead;
};

class Expectation {
 public:
  Expectation(Editor& editor, const ScriptLine& line, std::size_t at)
      : editor_(editor), session_(editor.session), line_(line), at_(at) {}

  Result<Finding> check() const {
    const std::string what = word(0);
    if (what == "param") return param();
    if (what == "link") return link();
    if (what == "node") return node();
    if (what == "nodes") return count(session_.body().nodes.size(), "nodes");
    if (what == "modified" || what == "saved") return modified(what == "modified");
    if (what == "history") return count(session_.history().position(), "steps in the history");
    if (what == "frame") return frame();
    if (what == "playing") return Finding{editor_.player.playing(), "it stands still"};
    if (what == "sees") return sees();
    if (what == "message") return message();
    if (what == "title") return title();
    if (what == "selected") return selected();
    return Error{fmt::format(
        "nothing can be expected of '{}'; there are param, link, node, nodes, modified, saved, "
        "history, frame, playing, sees, message, title and selected",
        what)};
  }

 private:
  std::string word(std::size_t i) const {
    return at_ + i < line_.words.size() ? line_.words[at_ + i] : std::string();
  }

  std::string names_near(const std::string& id) const {
    std::vector<std::string> ids;
    for (const NodeDoc& n : session_.body().nodes) ids.push_back(n.id);
    return cli::did_you_mean(id, ids);
  }

  Result<Finding> node() const {
    const NodeDoc* found = session_.body().find(word(1));
    if (!found) return Finding{false, fmt::format("there is none{}", names_near(word(1)))};
    if (word(2).empty()) return Finding{true, "it is there"};
    if (word(2) != "type") return Error{"it reads: expect node ID [type TYPE]"};
    return Finding{found->type == word(3), fmt::format("it is a {}", found->type)};
  }

  // What the document says of a parameter, or its standard value.
  Result<Json> value_of(const std::string& node, const std::string& input) const {
    if (!session_.body().find(node))
      return Error{fmt::format("there is no node '{}'{}", node, names_near(node))};
    if (const Json* set = session_.param(node, input)) return *set;
    const InputInfo* info = session_.input_of(node, input);
    if (!info) return Error{fmt::format("'{}' has no parameter '{}'", node, input)};
    if (!info->standard) return Json();
    Json standard = info->standard.to_json();
    if (standard.is_number_integer() && !info->choices.empty())
      return Json(info->choices[standard.get<std::size_t>() % info->choices.size()]);
    return standard;
  }

  // NODE.PARAM, or a part of its value: NODE.PARAM/points/0.
  Result<Json> named_value() const {
    const std::string name = word(1);
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos) return Error{"it reads: expect param NODE.PARAM == VALUE"};
    const std::size_t slash = name.find('/', dot);
    Result<Json> value = value_of(name.substr(0, dot), name.substr(dot + 1, slash - dot - 1));
    if (!value || slash == std::string::npos) return value;
    try {
      return value->at(Json::json_pointer(name.substr(slash)));
    } catch (const Json::exception&) {
      return Error{fmt::format("{} has no part {}", value->dump(), name.substr(slash))};
    }
  }

  Result<Finding> param() const {
    const Result<Json> value = named_value();
    if (!value) return Error{value.error()};
    const std::string relation = word(2);
    std::string right = line_.rest(at_ + 3);
    double tolerance = -1;
    if (const std::size_t within = right.find(" within "); within != std::string::npos) {
      const std::string number = right.substr(within + 8);
      if (!is_script_number(number)) return Error{"after 'within' comes a number"};
      tolerance = script_number(number);
      right.erase(within);
    }
    Json wanted = Json::parse(right, nullptr, false);
    // A word without quotation marks is a text.
    if (wanted.is_discarded()) wanted = line_.words.size() == at_ + 4 ? Json(word(3)) : Json();
    const std::string instead = fmt::format("it is {}", value->dump());
    if (relation == "==") return Finding{*value == wanted, instead};
    if (relation == "~") return Finding{near(*value, wanted, tolerance), instead};
    if (relation == "<" || relation == ">") {
      if (!value->is_number() || !wanted.is_number())
        return Error{fmt::format("only numbers can be larger or smaller; {}", instead)};
      const double a = value->get<double>(), b = wanted.get<double>();
      return Finding{relation == "<" ? a < b : a > b, instead};
    }
    return Error{"it reads: expect param NODE.PARAM == VALUE; also ~, < and >"};
  }

  // Numbers within a hundredth of one another, unless said; lists and objects, part by part.
  static bool near(const Json& a, const Json& b, double tolerance) {
    if (a.is_number() && b.is_number()) {
      const double x = a.get<double>(), y = b.get<double>();
      const double allowed =
          tolerance >= 0 ? tolerance : 0.01 * std::max(std::abs(x), std::abs(y)) + 1e-6;
      return std::abs(x - y) <= allowed;
    }
    if (a.is_array() && b.is_array())
      return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                        [&](const Json& x, const Json& y) { return near(x, y, tolerance); });
    if (a.is_object() && b.is_object())
      return a.size() == b.size() && std::all_of(a.items().begin(), a.items().end(), [&](auto& i) {
               return b.contains(i.key()) && near(i.value(), b[i.key()], tolerance);
             });
    return a == b;
  }

  Result<Finding> link() const {
    const auto end = [](const std::string& text) {
      const std::size_t dot = text.find('.');
      return dot == std::string::npos ? Endpoint{text, ""}
                                      : Endpoint{text.substr(0, dot), text.substr(dot + 1)};
    };
    if (word(2) != "->" || word(3).empty()) return Error{"it reads: expect link A.x -> B.y"};
    const LinkDoc wanted{end(word(1)), end(word(3))};
    const auto& links = session_.body().links;
    std::string others;
    for (const LinkDoc& l : links)
      if (l.from.node == wanted.from.node || l.to.node == wanted.to.node)
        others += fmt::format("{}{}.{} -> {}.{}", others.empty() ? "" : ", ", l.from.node,
                              l.from.socket, l.to.node, l.to.socket);
    return Finding{std::find(links.begin(), links.end(), wanted) != links.end(),
                   others.empty() ? "neither has a link" : "there are " + others};
  }

  Result<Finding> count(std::size_t there, const char* of) const {
    if (!is_script_number(word(1))) return Error{fmt::format("how many {}?", of)};
    return Finding{static_cast<double>(there) == script_number(word(1)),
                   fmt::format("there are {}", there)};
  }

  Result<Finding> modified(bool wanted) const {
    return Finding{session_.modified() == wanted,
                   session_.modified() ? "it has unsaved changes" : "nothing has changed"};
  }

  Result<Finding> frame() const {
    if (!is_script_number(word(1))) return Error{"it reads: expect frame N"};
    return Finding{static_cast<float>(editor_.player.frame()) == script_number(word(1)),
                   fmt::format("it is {}", editor_.player.frame())};
  }

  Result<Finding> sees() const {
    std::vector<std::string> names;
    for (const auto& [name, mark] : ui::landmarks().all()) names.push_back(name);
    const bool there = ui::landmarks().find(word(1)) != nullptr;
    return Finding{there, there ? "it is on the screen"
                                : "it is not on the screen" + cli::did_you_mean(word(1), names)};
  }

  Result<Finding> message() const {
    if (word(1).empty()) return Error{"it reads: expect message \"TEXT\""};
    const auto& all = editor_.notices();
    const auto has = [&](const std::string& text) { return text.find(word(1)) != text.npos; };
    bool met = std::any_of(all.begin(), all.end(), [&](const auto& n) { return has(n.text); });
    for (const NodeMessage& m : editor_.player.messages()) met = met || has(m.message.text);
    return Finding{met, all.empty() ? "none has come" : "the last one is: " + all.back().text};
  }

  Result<Finding> title() const {
    return Finding{session_.title() == word(1), fmt::format("it is '{}'", session_.title())};
  }

  Result<Finding> selected() const {
    const std::set<std::string> wanted(line_.words.begin() + static_cast<std::ptrdiff_t>(at_ + 1),
                                       line_.words.end());
    std::string are;
    for (const std::string& id : session_.selection()) are += " " + id;
    return Finding{session_.selection() == wanted, are.empty() ? "nothing is" : "selected:" + are};
  }

  Editor& editor_;
  Session& session_;
  const ScriptLine& line_;
  std::size_t at_;
};

}  // namespace

Result<void> check_expectation(Editor& editor, const ScriptLine& line, bool& malformed) {
  const bool negated = line.words[1] == "not" || line.words[1] == "no";
  const std::size_t at = negated ? 2 : 1;
  malformed = true;
  if (at >= line.words.size()) return Error{"it reads: " + usage_of("expect")};
  const Result<Finding> found = Expectation(editor, line, at).check();
  if (!found) return Error{found.error()};
  malformed = false;
  if (found->met != negated) return {};
  return Error{fmt::format("not so: {}; {}", line.rest(1), found->instead)};
}

}  // namespace sinew::editor
