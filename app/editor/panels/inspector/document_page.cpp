#include "app/editor/panels/inspector/document_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "app/ui/landmarks.h"
#include "app/ui/number_box.h"
#include "app/ui/text_box.h"
#include "app/ui/widgets.h"

namespace sinew::editor {
namespace {

constexpr double most_frames = 1e6;

// The label of a line, and room for what follows.
void label(const char* text, const char* doc) {
  const float all = ImGui::GetContentRegionAvail().x;
  const float width = std::round(std::clamp(0.36f * all, ui::px(70), ui::px(180)));
  const float x = ImGui::GetCursorPosX();
  ImGui::AlignTextToFramePadding();
  ui::clipped_text(text, width - ui::px(6), ui::theme().dim);
  ui::hover_text(text, doc);
  ImGui::SameLine();
  ImGui::SetCursorPosX(x + width);
  ImGui::SetNextItemWidth(-1);
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, ',');) {
    const auto from = word.find_first_not_of(' '), to = word.find_last_not_of(' ');
    if (from != std::string::npos) words.push_back(word.substr(from, to - from + 1));
  }
  return words;
}

}  // namespace

void DocumentPage::set(Meta meta, const char* what) {
  (void)editor_.session.apply({fmt::format("Set the {}", what),
                               {edit::SetMeta{editor_.session.graph_name(), std::move(meta)}},
                               {}});
}

void DocumentPage::set(Settings settings, const char* what, bool going_on) {
  (void)editor_.session.apply({fmt::format("Set the {}", what),
                               {edit::SetSettings{std::move(settings)}},
                               fmt::format("document {} {}", drags_, what)});
  if (going_on) return;
  ++drags_;
  editor_.session.seal();
}

void DocumentPage::draw() {
  draw_meta();
  draw_settings();
  draw_counts();
}

void DocumentPage::draw_meta() {
  const Session& session = editor_.session;
  const bool group = !session.graph_name().empty();
  const Meta& meta =
      group ? session.doc().groups.at(session.graph_name()).meta : session.doc().meta;
  ui::heading(group ? "Group" : "Document");
  const auto line = [&](const char* name, const char* what, const char* doc,
                        std::string Meta::*part, const char* hint, int lines) {
    label(name, doc);
    const auto next = ui::text_box(fmt::format("##{}", what).c_str(), meta.*part, {hint, lines});
    ui::mark("document", what);
    if (!next) return;
    Meta changed = meta;
    changed.*part = *next;
    set(std::move(changed), what);
  };
  line("Title", "title", "As libraries show it.", &Meta::title, "Untitled", 1);
  line("Description", "description", "What it is, and what is worth trying.", &Meta::description,
       "", 4);
  line("Author", "author", "Who made it.", &Meta::author, "", 1);
  line("Licence", "licence", "What others may do with it, e.g. CC0-1.0.", &Meta::licence, "", 1);
  label("Tags", "Words to find it by, with commas between them.");
  const auto tags = ui::text_box("##tags", fmt::format("{}", fmt::join(meta.tags, ", ")));
  ui::mark("document", "tags");
  if (!tags) return;
  Meta changed = meta;
  changed.tags = words_of(*tags);
  set(std::move(changed), "tags");
}

void DocumentPage::draw_settings() {
  const Settings& settings = editor_.session.doc().settings;
  ui::heading("Time and chance");
  const auto line = [&](const char* name, const char* what, const char* doc, double value,
                        ui::NumberBox box, auto write) {
    label(name, doc);
    const ui::NumberChange change = ui::number_box(what, value, box);
    ui::mark("document", what);
    if (change.changed) {
      Settings next = settings;
      write(next, value);
      set(std::move(next), what, !change.finished);
    } else if (change.finished) {
      ++drags_;
      editor_.session.seal();
    }
  };
  ui::NumberBox box;
  box.min = 1;
  box.max = 240;
  box.standard = 25;
  box.unit = "1/s";
  line("Frames per second", "fps", "How many frames make a second.", settings.fps, box,
       [](Settings& s, double x) { s.fps = x; });
  box = {};
  box.whole = true;
  box.standard = 100;
  box.max = settings.last_frame;
  line("First frame", "first frame", "Simulations begin here.", settings.first_frame, box,
       [](Settings& s, double x) { s.first_frame = static_cast<int>(std::max(x, -most_frames)); });
  box.min = settings.first_frame;
  box.max = std::numeric_limits<double>::infinity();
  line("Last frame", "last frame", "Where it begins anew.", settings.last_frame, box,
       [](Settings& s, double x) { s.last_frame = static_cast<int>(std::min(x, most_frames)); });
  box.min = 0;
  box.max = std::numeric_limits<double>::infinity();
  line("Seed", "seed", "Another number gives other random values.",
       static_cast<double>(settings.seed), box, [](Settings& s, double x) {
         s.seed = static_cast<int64_t>(std::min(x, 9007199254740992.0));
       });
}

void DocumentPage::draw_counts() {
  const Session& session = editor_.session;
  const GraphBody& body = session.body();
  ui::heading("Inside");
  const auto fact = [&](const char* name, std::size_t count) {
    label(name, "");
    ImGui::Text("%zu", count);
  };
  fact("Nodes", body.nodes.size());
  fact("Links", body.links.size());
  if (!session.doc().groups.empty()) fact("Groups", session.doc().groups.size());
}

}  // namespace sinew::editor
