// What a node has found, as small playing pictures: a click chooses one.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/editor/candidate_films.h"
#include "app/editor/candidates.h"
#include "app/editor/editor.h"
#include "app/editor/titles.h"
#include "app/ui/landmarks.h"
#include "app/ui/units.h"
#include "app/ui/widgets.h"

namespace sinew::editor {
namespace {

constexpr double still_for = 0.4;  // seconds without a change before pictures are made anew
constexpr std::size_t most_told = 12;

class Gallery : public Panel {
 public:
  explicit Gallery(Editor& editor)
      : editor_(editor), films_(editor.host, editor.session.registry(), editor.wake) {}

  void update() override { films_.update(editor_.now()); }
  void settle() override {
    films_.settle();
    films_.update(editor_.now());
  }

  void draw() override {
    find_subject();
    if (!found_)
      return ui::empty_note("Choose a node that searches: what it finds is to be seen here.");
    if (found_->all.empty())
      return ui::empty_note(
          fmt::format("'{}' has found nothing yet.", title_of(editor_.session, found_->node)));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui::px(8), ui::px(4)));
    ImGui::BeginChild("gallery", ImVec2(0, 0), ImGuiChildFlags_AlwaysUseWindowPadding);
    ImGui::PopStyleVar();
    draw_head();
    draw_cards();
    ImGui::EndChild();
  }

 private:
  // The active node if it searches; else the one before, as long as it is there; else the first
  // that has found something.
  void find_subject() {
    Session& session = editor_.session;
    const NodeDoc* active = session.active();
    const bool same = seen_ == std::pair(session.revision(), session.selection_revision()) &&
                      document_ == session.document_count();
    if (same) return;
    seen_ = {session.revision(), session.selection_revision()};
    const std::string before = found_ && document_ == session.document_count() ? found_->node : "";
    document_ = session.document_count();
    found_.reset();
    if (active) found_ = candidates_of(session, *active);
    if (!found_)
      if (const NodeDoc* node = session.body().find(before)) found_ = candidates_of(session, *node);
    for (const NodeDoc& node : session.body().nodes) {
      if (found_) break;
      found_ = candidates_of(session, node);
      if (found_ && found_->all.empty()) found_.reset();
    }
    changed_at_ = editor_.now();
    is_stale_ = true;
  }

  // What the pictures show besides the choice. While something changes all the time, they stay.
  const Key& version() {
    const bool another = of_ != found_->node || !version_;
    if (is_stale_ && (another || editor_.now() - changed_at_ >= still_for)) {
      version_ = rest_of(editor_.session, *found_);
      of_ = found_->node;
      is_stale_ = false;
    }
    if (is_stale_) editor_.want_frame_at(editor_.now() + still_for);
    return version_;
  }

  void draw_head() {
    const Candidates& all = found_->all;
    const float room = ImGui::GetContentRegionAvail().x;
    ui::clipped_text(title_of(editor_.session, found_->node), room, ui::theme().text);
    ui::mark("gallery", "title");
    const std::string facts = facts_of(all);
    ui::clipped_text(facts, room, ui::theme().dim);
    ui::mark("gallery", "facts");
    ui::hover_text(facts, found_->sets_parameters
                              ? "What a click chooses is set in the document."
                              : "What a click chooses counts; the others stay here.");
    ImGui::Dummy(ImVec2(0, ui::px(2)));
  }

  void draw_cards() {
    const float gap = ui::px(6), all = ImGui::GetContentRegionAvail().x;
    const int columns =
        std::max(static_cast<int>(std::floor((all + gap) / (ui::px(116) + gap))), 1);
    const float width =
        std::floor((all - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns));
    const Key now = version();
    const std::size_t count = found_->all.list.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (i % static_cast<std::size_t>(columns) > 0) ImGui::SameLine(0, gap);
      if (draw_card(i, width, now)) return;  // the document is another one now
    }
  }

  static float line() { return ImGui::GetTextLineHeight() + ui::px(4); }

  // True if it was chosen.
  bool draw_card(std::size_t index, float width, const Key& version) {
    const float high = std::round(width * film_height / film_width);
    const ImVec2 at = ImGui::GetCursorScreenPos(), size(width, high + line());
    ImGui::PushID(static_cast<int>(index));
    const bool pressed = ImGui::InvisibleButton("card", size);
    ui::mark("candidate", fmt::format("{}", index));
    const bool hot = ImGui::IsItemHovered(), chosen = static_cast<int>(index) == found_->picked;
    if (hot) {
      editor_.hint(chosen ? "This one counts now" : "Click: use this one");
      ui::hover_text(fmt::format("Candidate {}, trial {}", index + 1, one(index).trial),
                     values_text(index));
    }
    if (ImGui::IsItemVisible()) {
      ImDrawList& list = *ImGui::GetWindowDrawList();
      const ImVec2 to(at.x + size.x, at.y + size.y);
      list.AddRectFilled(at, to, hot ? ui::theme().field_hot : ui::theme().raised, ui::px(4));
      draw_film(index, version, at, ImVec2(at.x + width, at.y + high));
      draw_words(index, ImVec2(at.x, at.y + high), width);
      if (chosen) list.AddRect(at, to, ui::theme().accent, ui::px(4), 0, ui::px(2));
    }
    ImGui::PopID();
    if (!pressed) return false;
    Result<Command> choice = choice_of(editor_.session, *found_, index);
    if (!choice) return editor_.notify(NoticeKind::warning, choice.error()), false;
    return editor_.tell(editor_.session.apply(std::move(*choice)));
  }

  void draw_film(std::size_t index, const Key& version, ImVec2 from, ImVec2 to) {
    KeyHasher what(0xF1);
    what.text(editor_.session.path_of(found_->node));
    for (const double x : one(index).values) what.number(x);
    const Key key = what.finish();
    const CandidateFilms::Film* film =
        films_.get(key, version, editor_.now(), [&]() -> std::optional<FilmOrder> {
          Result<GraphDoc> doc = document_with(editor_.session, *found_, index);
          if (!doc) return std::nullopt;
          return FilmOrder{std::move(*doc), editor_.session.folder()};
        });
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(from, to, ui::theme().back, ui::px(4), ImDrawFlags_RoundCornersTop);
    if (film && film->texture) {
      const auto [first, last] = film->at(editor_.now());
      list.AddImage(film->texture.ref(), from, to, first, last);
      if (film->count > 1) editor_.want_frame_at(editor_.now() + 1 / std::max(film->fps, 1.0));
    }
    if (const auto part = films_.progress(key)) {
      const float x = from.x + (to.x - from.x) * static_cast<float>(*part);
      list.AddRectFilled(ImVec2(from.x, to.y - ui::px(2)), ImVec2(x, to.y), ui::theme().accent);
      editor_.want_frame_at(editor_.now() + 0.1);
    } else if (!film || !film->texture) {
      const char* text = film ? "nothing to see" : "...";
      const ImVec2 wide = ImGui::CalcTextSize(text);
      list.AddText(ImVec2((from.x + to.x - wide.x) / 2, (from.y + to.y - wide.y) / 2),
                   ui::theme().faint, text);
    }
  }

  // The rank, the cost, and how that is against the start.
  void draw_words(std::size_t index, ImVec2 at, float width) const {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float pad = ui::px(5), y = at.y + ui::px(2);
    const std::string rank = fmt::format("{}", index + 1), cost = cost_text(index),
                      change = change_text(index);
    float left = at.x + pad, right = at.x + width - pad;
    list.AddText(ImVec2(left, y), ui::theme().faint, rank.c_str());
    left += ImGui::CalcTextSize(rank.c_str()).x + ui::px(7);
    const float needed = ImGui::CalcTextSize(change.c_str()).x;
    const float room = right - left - needed - ui::px(6);
    if (ImGui::CalcTextSize(cost.c_str()).x <= room)
      list.AddText(ImVec2(right - needed, y),
                   one(index).cost < found_->all.start_cost ? ui::theme().good : ui::theme().dim,
                   change.c_str());
    else
      right += needed + ui::px(6);
    list.AddText(ImVec2(left, y), ui::theme().text,
                 ui::clipped(cost, std::max(room, right - left)).c_str());
  }

  const Candidates::One& one(std::size_t index) const { return found_->all.list[index]; }
  std::string cost_text(std::size_t index) const { return fmt::format("{:.4g}", one(index).cost); }

  std::string change_text(std::size_t index) const {
    const double start = found_->all.start_cost, cost = one(index).cost;
    // A start that could do nothing at all is no measure, and neither is a reward.
    if (!(start > 0) || start > 1e3 * std::abs(cost)) return "";
    const double part = 100 * (cost - start) / start;
    if (std::abs(part) > 999) return "";
    return fmt::format("{:+.0f} %", part);
  }

  std::string values_text(std::size_t index) const {
    const Candidates& all = found_->all;
    std::string text = fmt::format("cost {}, the start {}", ui::number_text(one(index).cost),
                                   ui::number_text(all.start_cost));
    const std::size_t count = std::min(all.names.size(), most_told);
    for (std::size_t i = 0; i < count; ++i)
      text += fmt::format("\n{}: {:.4g}", all.names[i], one(index).values[i]);
    if (count < all.names.size()) text += fmt::format("\nand {} more", all.names.size() - count);
    return text;
  }

  Editor& editor_;
  CandidateFilms films_;
  std::optional<FoundAt> found_;
  std::pair<uint64_t, uint64_t> seen_;
  uint64_t document_ = 0;
  double changed_at_ = 0;
  bool is_stale_ = true;
  Key version_;
  std::string of_;
};

}  // namespace

std::unique_ptr<Panel> make_gallery(Editor& editor) { return std::make_unique<Gallery>(editor); }

}  // namespace sinew::editor
