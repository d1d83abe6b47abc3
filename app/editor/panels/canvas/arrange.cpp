#include "app/editor/panels/canvas/arrange.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace sinew::editor::canvas {
namespace {

constexpr float column_gap = 60, row_gap = 26;

class Arranger {
 public:
  Arranger(const std::vector<Node>& nodes, const std::vector<Link>& links,
           const std::vector<int>& which)
      : nodes_(nodes), which_(which), in_(which.size()), out_(which.size()) {
    std::map<int, std::size_t> local;
    for (std::size_t i = 0; i < which.size(); ++i) local[which[i]] = i;
    for (const Link& link : links) {
      const auto from = local.find(link.from), to = local.find(link.to);
      if (from == local.end() || to == local.end()) continue;
      out_[from->second].push_back(to->second);
      in_[to->second].push_back(from->second);
    }
  }

  std::vector<ImVec2> run() {
    find_columns();
    order_columns();
    return places();
  }

 private:
  // A node stands one column after the last of what feeds it; a source just before what it feeds.
  void find_columns() {
    const std::size_t count = which_.size();
    column_.assign(count, 0);
    std::vector<std::size_t> waiting(count), ready, done;
    for (std::size_t i = 0; i < count; ++i) {
      waiting[i] = in_[i].size();
      if (waiting[i] == 0) ready.push_back(i);
    }
    for (std::size_t at = 0; at < ready.size(); ++at) {
      const std::size_t i = ready[at];
      for (const std::size_t j : out_[i]) {
        column_[j] = std::max(column_[j], column_[i] + 1);
        if (--waiting[j] == 0) ready.push_back(j);
      }
    }
    for (auto it = ready.rbegin(); it != ready.rend(); ++it) {
      if (!in_[*it].empty() || out_[*it].empty()) continue;
      std::size_t nearest = column_[out_[*it].front()];
      for (const std::size_t j : out_[*it]) nearest = std::min(nearest, column_[j]);
      column_[*it] = nearest - 1;
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (in_[i].empty() && out_[i].empty()) {
        loose_.push_back(i);
        continue;
      }
      if (columns_.size() <= column_[i]) columns_.resize(column_[i] + 1);
      columns_[column_[i]].push_back(i);
    }
  }

  // Each goes near the mean of its neighbours, a few times there and back.
  void order_columns() {
    rank_.assign(which_.size(), 0);
    const auto number = [&](const std::vector<std::size_t>& column) {
      for (std::size_t k = 0; k < column.size(); ++k) rank_[column[k]] = static_cast<double>(k);
    };
    for (const auto& column : columns_) number(column);
    for (int round = 0; round < 8; ++round) {
      const bool forward = round % 2 == 0;
      for (std::size_t c = 0; c < columns_.size(); ++c) {
        auto& column = columns_[forward ? c : columns_.size() - 1 - c];
        std::vector<std::pair<double, std::size_t>> wanted;
        for (const std::size_t i : column) {
          const auto& near = forward ? in_[i] : out_[i];
          double sum = 0;
          for (const std::size_t j : near) sum += rank_[j];
          wanted.emplace_back(near.empty() ? rank_[i] : sum / static_cast<double>(near.size()), i);
        }
        std::stable_sort(wanted.begin(), wanted.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        for (std::size_t k = 0; k < wanted.size(); ++k) column[k] = wanted[k].second;
        number(column);
      }
    }
  }

  const Node& node(std::size_t i) const { return nodes_[static_cast<std::size_t>(which_[i])]; }

  std::vector<ImVec2> places() const {
    std::vector<ImVec2> at(which_.size());
    std::vector<float> heights;
    float tallest = 0;
    for (const auto& column : columns_) {
      float height = -row_gap;
      for (const std::size_t i : column) height += node(i).size.y + row_gap;
      heights.push_back(height);
      tallest = std::max(tallest, height);
    }
    float x = 0;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      float y = (tallest - heights[c]) / 2, width = 0;
      for (const std::size_t i : columns_[c]) {
        at[i] = ImVec2(x, y);
        y += node(i).size.y + row_gap;
        width = std::max(width, node(i).size.x);
      }
      x += width + column_gap;
    }
    // What has no links: remarks above all, others below.
    float below = 0, above = 0, highest = 0;
    for (const std::size_t i : loose_) {
      if (node(i).shape == Shape::note) {
        highest = std::max(highest, node(i).size.y);
      } else {
        at[i] = ImVec2(below, tallest > 0 ? tallest + 2 * row_gap : 0);
        below += node(i).size.x + column_gap;
      }
    }
    for (const std::size_t i : loose_) {
      if (node(i).shape != Shape::note) continue;
      at[i] = ImVec2(above, -highest - 2 * row_gap);
      above += node(i).size.x + row_gap;
    }
    float left = 0, top = 0;
    for (std::size_t i = 0; i < at.size(); ++i) {
      left = i ? std::min(left, at[i].x) : at[i].x;
      top = i ? std::min(top, at[i].y) : at[i].y;
    }
    for (ImVec2& p : at) p = ImVec2(std::round(p.x - left), std::round(p.y - top));
    return at;
  }

  const std::vector<Node>& nodes_;
  const std::vector<int>& which_;
  std::vector<std::vector<std::size_t>> in_, out_, columns_;
  std::vector<std::size_t> column_, loose_;
  std::vector<double> rank_;
};

}  // namespace

std::vector<ImVec2> arrange(const std::vector<Node>& nodes, const std::vector<Link>& links,
                            const std::vector<int>& which) {
  return Arranger(nodes, links, which).run();
}

}  // namespace sinew::editor::canvas
