#include "app/cli/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "graph/canonical_writer.h"
#include "graph/registry.h"
#include "nodes/register_all_nodes.h"

namespace sinew::cli {

const Registry& registry() {
  static const std::unique_ptr<Registry> all = [] {
    auto made = std::make_unique<Registry>();
    register_all_nodes(*made);
    return made;
  }();
  return *all;
}

namespace {

const char* severity_name(Severity severity) {
  switch (severity) {
    case Severity::info:
      return "note";
    case Severity::warning:
      return "warning";
    case Severity::error:
      break;
  }
  return "error";
}

// A message is one line, whatever a file put into a name.
std::string one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  return text;
}

}  // namespace

void print_message(const std::string& file, const NodeMessage& m) {
  std::string line = fmt::format("{}: {}: ", severity_name(m.message.severity), file);
  if (!m.path.empty()) line += fmt::format("node '{}' ({}): ", m.path, m.type);
  fmt::print(stderr, "{}\n", one_line(line + m.message.text));
}

void print_error(const std::string& file, const std::string& text) {
  fmt::print(stderr, "{}\n",
             one_line(file.empty() ? "error: " + text : fmt::format("error: {}: {}", file, text)));
}

Json message_json(const NodeMessage& m) {
  return {{"severity", severity_name(m.message.severity)},
          {"node", m.path},
          {"type", m.type},
          {"text", m.message.text}};
}

std::string json_text(const Json& json) {
  CanonicalWriter writer;
  writer.value(json);
  return writer.finish();
}

std::optional<GraphDoc> open_document(const std::string& file, std::vector<NodeMessage>& notes) {
  Result<GraphDoc> doc = load_document(file, registry(), &notes);
  if (doc) return std::move(*doc);
  print_error(file, doc.error());
  return std::nullopt;
}

Context context_of(const GraphDoc& doc, const std::string& file, int frame) {
  Context context;
  context.frame = frame;
  context.fps = doc.settings.fps;
  context.seed = static_cast<uint64_t>(doc.settings.seed);
  context.start_frame = doc.settings.first_frame;
  std::error_code ec;
  context.folder = std::filesystem::absolute(file, ec).parent_path();
  return context;
}

namespace {

// How many letters must be changed, added or removed to get from one word to the other.
size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t change = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates) {
  if (candidates.empty() || word.size() > 200) return "";
  const auto nearest = std::min_element(candidates.begin(), candidates.end(),
                                        [&](const std::string& a, const std::string& b) {
                                          return edit_distance(word, a) < edit_distance(word, b);
                                        });
  if (edit_distance(word, *nearest) > std::max<size_t>(2, word.size() / 3)) return "";
  return fmt::format("; did you mean '{}'?", *nearest);
}

}  // namespace sinew::cli
