#include "app/cli/sweep_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "app/cli/picture_maker.h"
#include "app/cli/program.h"
#include "app/cli/progress_bar.h"
#include "app/cli/say.h"
#include "app/library/meta_words.h"
#include "graph/atomic_file.h"
#include "render/contact_sheet.h"
#include "render/png_file.h"

namespace sinew::cli {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> split(const std::string& text, char by) {
  std::vector<std::string> parts(1);
  int depth = 0;  // commas inside of [1, 2, 3] do not part
  for (const char c : text) {
    depth += (c == '[' || c == '{') - (c == ']' || c == '}');
    if (c == by && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

std::optional<double> read_number(const std::string& text) {
  double x = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), x);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() || !std::isfinite(x))
    return std::nullopt;
  return x;
}

// As few digits as tell the values of a range apart.
std::string number_text(double x) { return fmt::format("{:.7g}", x); }

// One cell of the sheet.
struct Cell {
  std::vector<std::string> values;  // of the variations, in their order
  std::vector<std::string> numbers;
  std::string error;
  double seconds = 0;
};

// A field of a table, in quotes where it needs them.
std::string csv(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

// The last words of "bell/shape.radius": enough for a caption.
std::string short_name(const std::string& name) { return name.substr(name.rfind('/') + 1); }

class Sweep {
 public:
  Sweep(const SweepOptions& options, std::vector<Variation> variations)
      : options_(options), variations_(std::move(variations)) {
    std::size_t count = 1;
    for (const Variation& v : variations_) count *= v.values.size();
    for (std::size_t i = 0; i < count; ++i) {
      Cell cell;
      std::size_t rest = i;
      // The first one varies along rows.
      for (const Variation& v : variations_) {
        cell.values.push_back(v.values[rest % v.values.size()]);
        rest /= v.values.size();
      }
      cells_.push_back(std::move(cell));
    }
  }

  // Opens the document once: what is wrong with the call is told before anything is rendered.
  Result<void> begin() {
    render_.file = options_.file;
    render_.size = options_.size.empty() ? "320x240" : options_.size;
    render_.view = options_.view;
    render_.show = options_.show;
    render_.renderer = options_.renderer;
    render_.threads = options_.threads;
    OpenedGraph opened;
    render_.set = settings_of(cells_[0]);
    if (const Result<void> ok = open_graph(options_.file, render_.set, opened); !ok) {
      doubtful_file = opened.doubtful_file;
      return ok;
    }
    frame_ = library::picture_frame_of(opened.doc);
    if (options_.frame) frame_ = std::max(*options_.frame, opened.doc.settings.first_frame);
    render_.frames = std::to_string(frame_);
    if (const Result<RenderWords> words = read_render_words(render_, opened.doc, true); !words)
      return Error{words.error()};
    if (const auto found = find_targets(*opened.graph, options_.measure); !found)
      return Error{"--measure: " + found.error()};
    return {};
  }

  Result<void> run(const std::atomic<bool>* cancel) {
    // Twice: first to see how large everything becomes, so that all cells have one camera and one
    // scale of colours; then, from the cache, for the pictures.
    ProgressBar bar("sweeping", static_cast<int64_t>(2 * cells_.size()));
    for (Cell& cell : cells_) {
      if (const Result<void> ok = look_at(cell, nullptr, cancel); !ok) return ok;
      bar.advance();
    }
    const auto [columns, rows] = shape();
    layout_.columns = columns;
    layout_.rows = rows;
    layout_.cell_width = width_;
    layout_.cell_height = height_;
    if (!render::is_possible(layout_))
      return Error{
          "the sheet would be larger than a picture may be; give a smaller --size or fewer "
          "values"};
    render::Picture sheet = render::empty_sheet(layout_);
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      render::Picture picture;
      if (cells_[i].error.empty()) {
        if (const Result<void> ok = look_at(cells_[i], &picture, cancel); !ok) return ok;
        render::place_on_sheet(sheet, layout_, static_cast<int>(i), picture);
        if (const Result<void> ok = write_png(file_of(i), picture); !ok) return ok;
      }
      bar.advance();
    }
    if (const Result<void> ok = write_png("sheet.png", sheet); !ok) return ok;
    return write("sweep.csv", table());
  }

  bool interrupted() const { return interrupted_; }
  bool any_failed() const {
    return std::any_of(cells_.begin(), cells_.end(),
                       [](const Cell& c) { return !c.error.empty(); });
  }
  const std::vector<Cell>& cells() const { return cells_; }
  const std::vector<Variation>& variations() const { return variations_; }
  const std::vector<std::string>& wrote() const { return wrote_; }
  std::string name_of(const Cell& cell) const {
    std::string text;
    for (std::size_t k = 0; k < variations_.size(); ++k)
      text +=
          fmt::format("{}{} = {}", k ? ", " : "", short_name(variations_[k].name), cell.values[k]);
    return text;
  }
  std::vector<NodeMessage> messages;
  std::string doubtful_file;

 private:
  std::vector<std::string> settings_of(const Cell& cell) const {
    std::vector<std::string> all = options_.set;
    for (std::size_t k = 0; k < variations_.size(); ++k)
      all.push_back(variations_[k].name + "=" + cell.values[k]);
    return all;
  }

  // Two parameters make a grid of their values; else as square as can be.
  std::pair<int, int> shape() const {
    const auto count = static_cast<int>(cells_.size());
    if (variations_.size() > 1) {
      const auto columns = static_cast<int>(variations_[0].values.size());
      return {columns, count / columns};
    }
    const auto columns = std::min(count, static_cast<int>(std::ceil(std::sqrt(1.3 * count))));
    return {columns, (count + columns - 1) / columns};
  }

  // Prepares a cell, or with `picture` draws it. The error ends everything; what is wrong with this
  // cell alone stands in it.
  Result<void> look_at(Cell& cell, render::Picture* picture, const std::atomic<bool>* cancel) {
    const auto begin = std::chrono::steady_clock::now();
    OpenedGraph opened;
    render_.set = settings_of(cell);
    if (const Result<void> ok = open_graph(options_.file, render_.set, opened); !ok) return ok;
    const Result<RenderWords> words = read_render_words(render_, opened.doc, true);
    if (!words) return Error{words.error()};
    std::vector<NodeMessage> said;
    Result<std::unique_ptr<PictureMaker>> maker =
        PictureMaker::plan(render_, opened, *words, said, cancel);
    if (!maker) return Error{maker.error()};
    if (kept_)
      (*maker)->take_over(*kept_);
    else if (const Result<void> ok = (*maker)->open_device(); !ok)
      return ok;
    Result<void> fine;
    if (picture) {
      (*maker)->set_caption(name_of(cell));
      (*maker)->use(box_, scales_);
      Result<render::Picture> made = (*maker)->picture(frame_, 0, 1);
      if (made)
        *picture = std::move(*made);
      else
        fine = Error{made.error()};
    } else {
      fine = (*maker)->prepare();
      if (fine) {
        box_.extend((*maker)->box());
        scales_.see((*maker)->scales());
        read_numbers(**maker, opened, cell);
      }
      width_ = words->width;
      height_ = words->height;
    }
    if ((*maker)->interrupted()) {
      interrupted_ = true;
      return Error{"interrupted"};
    }
    if (!fine) {
      cell.error = fine.error();
      for (const NodeMessage& m : said)
        if (m.message.severity == Severity::error)
          cell.error = fmt::format("node '{}' ({}): {}", m.path, m.type, m.message.text);
      if (!(*maker)->graph_failed()) return Error{cell.error};
    }
    cell.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    // The device and what has been evaluated go on to the next; the rest of the maker, which points
    // into this document, must not.
    kept_ = (*maker)->hand_over();
    return {};
  }

  void read_numbers(PictureMaker& maker, const OpenedGraph& opened, Cell& cell) {
    const auto targets = find_targets(*opened.graph, options_.measure);
    if (!targets || targets->empty()) return;
    for (const TargetResult& t : maker.evaluate(*targets, frame_).targets) {
      const Json facts = t.value && t.value.type()->describe
                             ? t.value.type()->describe(t.value.data())
                             : Json::object();
      const auto value = facts.find("value");
      cell.numbers.push_back(value != facts.end() ? value->dump() : "");
    }
  }

  std::string file_of(std::size_t i) const { return fmt::format("{:04}.png", i + 1); }

  std::string table() const {
    std::vector<std::string> head = {"picture"};
    for (const Variation& v : variations_) head.push_back(csv(v.name));
    for (const std::string& m : options_.measure) head.push_back(csv(m));
    head.insert(head.end(), {"seconds", "error"});
    std::string text = fmt::format("{}\n", fmt::join(head, ","));
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const Cell& cell = cells_[i];
      std::vector<std::string> row = {cell.error.empty() ? file_of(i) : ""};
      for (const std::string& v : cell.values) row.push_back(csv(v));
      for (std::size_t m = 0; m < options_.measure.size(); ++m)
        row.push_back(m < cell.numbers.size() ? csv(cell.numbers[m]) : "");
      row.insert(row.end(), {fmt::format("{:.3f}", cell.seconds), csv(cell.error)});
      text += fmt::format("{}\n", fmt::join(row, ","));
    }
    return text;
  }

  Result<void> write_png(const std::string& name, const render::Picture& picture) {
    const render::EncodedPng png = render::encode_png(picture);
    if (!png) return Error{png.error};
    return write(name, png.bytes);
  }

  Result<void> write(const std::string& name, std::string_view content) {
    const fs::path file = fs::path(options_.out) / name;
    if (const Result<void> ok = write_file_atomically(file, content); !ok)
      return Error{fmt::format("'{}' {}", file.string(), ok.error())};
    wrote_.push_back(file.string());
    return {};
  }

  const SweepOptions& options_;
  std::vector<Variation> variations_;
  std::vector<Cell> cells_;
  RenderOptions render_;
  int frame_ = 0, width_ = 320, height_ = 240;
  render::Box box_;
  SteadyScales scales_;
  render::SheetLayout layout_;
  std::optional<PictureMaker::Kept> kept_;
  std::vector<std::string> wrote_;
  bool interrupted_ = false;
};

int finish(const SweepOptions& options, int code, const std::string& error, const std::string& file,
           const Sweep* sweep, double seconds) {
  if (!error.empty()) print_error(file, error);
  if (sweep && error.empty())
    for (const Cell& cell : sweep->cells())
      if (!cell.error.empty())
        print_error(options.file, fmt::format("{}: {}", sweep->name_of(cell), cell.error));
  if (options.json) {
    Json cells = Json::array();
    if (sweep)
      for (const Cell& cell : sweep->cells()) {
        Json one = {{"numbers", cell.numbers}, {"seconds", cell.seconds}};
        for (std::size_t k = 0; k < sweep->variations().size(); ++k)
          one["values"][sweep->variations()[k].name] = cell.values[k];
        if (!cell.error.empty()) one["error"] = cell.error;
        cells.push_back(std::move(one));
      }
    Json report = {{"file", options.file},
                   {"ok", code == done},
                   {"cells", std::move(cells)},
                   {"wrote", sweep ? Json(sweep->wrote()) : Json::array()},
                   {"seconds", seconds}};
    if (!error.empty()) report["error"] = error;
    say_lines(json_text(report));
  } else if (error.empty()) {
    say("wrote {} and sweep.csv ({} variations, {:.1f} s)\n",
        (fs::path(options.out) / "sheet.png").string(), sweep->cells().size(), seconds);
  }
  return code;
}

}  // namespace

Result<Variation> read_variation(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::size_t dot = text.rfind('.', equals);
  const Error form{fmt::format(
      "--vary {}: it must be NODE.PARAM=A:B:N, N values from A to B, or NODE.PARAM=V,V,...", text)};
  if (equals == std::string::npos || dot == std::string::npos || dot == 0 || dot + 1 == equals ||
      equals + 1 == text.size())
    return form;
  Variation variation;
  variation.name = text.substr(0, equals);
  const std::string values = text.substr(equals + 1);
  const std::vector<std::string> range = split(values, ':');
  if (range.size() == 3) {
    const std::optional<double> from = read_number(range[0]), to = read_number(range[1]),
                                count = read_number(range[2]);
    if (!from || !to || !count) return form;
    if (*count < 2 || *count > static_cast<double>(most_variations) || *count != std::floor(*count))
      return Error{fmt::format("--vary {}: the number of values must be whole, from 2 to {}", text,
                               most_variations)};
    for (int k = 0; k < static_cast<int>(*count); ++k)
      variation.values.push_back(number_text(*from + (*to - *from) * k / (*count - 1)));
    return variation;
  }
  if (range.size() != 1) return form;
  variation.values = split(values, ',');
  for (const std::string& v : variation.values)
    if (v.empty()) return form;
  return variation;
}

int run_sweep(const SweepOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  const auto refuse = [&](const std::string& text, const std::string& file = {}) {
    return finish(options, call_error, text, file, nullptr, seconds());
  };
  if (options.out.empty()) return refuse("-o is missing: say which folder, such as -o sweep/");
  if (options.vary.empty())
    return refuse("--vary is missing: say what changes, such as --vary bell.radius=0.1:0.3:5");
  std::vector<Variation> variations;
  std::size_t count = 1;
  for (const std::string& text : options.vary) {
    Result<Variation> variation = read_variation(text);
    if (!variation) return refuse(variation.error());
    count *= variation->values.size();
    if (count > most_variations)
      return refuse(fmt::format("these are more than {} variations", most_variations));
    variations.push_back(std::move(*variation));
  }
  Sweep sweep(options, std::move(variations));
  if (const Result<void> ok = sweep.begin(); !ok) return refuse(ok.error(), sweep.doubtful_file);
  std::error_code ec;
  fs::create_directories(options.out, ec);
  if (!fs::is_directory(options.out, ec))
    return refuse(fmt::format("-o {}: the folder cannot be made", options.out));
  const Result<void> ok = sweep.run(stop_on_interrupt());
  if (!ok)
    return finish(options, sweep.interrupted() ? interrupted : call_error, ok.error(), options.file,
                  &sweep, seconds());
  return finish(options, sweep.any_failed() ? graph_error : done, "", "", &sweep, seconds());
}

}  // namespace sinew::cli
