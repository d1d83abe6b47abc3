#include "app/cli/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/cli/say.h"
#include "graph/canonical_writer.h"
#include "graph/file_parameters.h"
#include "graph/json_reader.h"
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

constexpr size_t longest_message = 500;
constexpr size_t longest_path = 200;

}  // namespace

void print_message(const std::string& file, const NodeMessage& m) {
  std::string line = fmt::format("{}: ", severity_name(m.message.severity));
  if (!file.empty()) line += file + ": ";
  if (!m.path.empty())
    line += fmt::format("node '{}' ({}): ", shortened(m.path, longest_path), shortened(m.type));
  line += shortened(m.message.text, longest_message);
  say_to(stderr, "{}\n", line);
}

void print_error(const std::string& file, const std::string& text) {
  print_message(file, {"", "", {Severity::error, text}});
}

Json message_json(const NodeMessage& m) {
  return {{"severity", severity_name(m.message.severity)},
          {"node", m.path},
          {"type", m.type},
          {"text", shortened(m.message.text, longest_message)}};
}

std::string json_text(const Json& json) {
  CanonicalWriter writer;
  writer.value(json);
  return writer.finish();
}

Result<GraphDoc> open_document(const std::string& file, std::vector<NodeMessage>& notes) {
  if (file.empty()) return Error{"no file is named"};
  return load_document(file, registry(), &notes);
}

Context context_of(const GraphDoc& doc, const std::string& file, int frame) {
  Context context;
  context.frame = frame;
  context.fps = doc.settings.fps;
  context.seed = static_cast<uint64_t>(doc.settings.seed);
  context.start_frame = doc.settings.first_frame;
  context.last_frame = doc.settings.last_frame;
  std::error_code ec;
  context.folder = std::filesystem::absolute(file, ec).parent_path();
  return context;
}

std::string flaw_of_output(const GraphDoc& doc, const std::string& file,
                           const std::filesystem::path& out) {
  namespace fs = std::filesystem;
  std::error_code ec;
  const auto same = [&](const fs::path& other) { return fs::equivalent(other, out, ec) && !ec; };
  if (!fs::exists(out, ec)) return "";
  std::string flaw;
  if (same(file)) flaw = "that is the document itself";
  const fs::path folder = fs::absolute(file, ec).parent_path();
  GraphDoc copy = doc;
  for_files(copy, registry(), [&](const FileParameter& p) {
    if (p.input->file != FileUse::read) return;
    for_names(p, [&](const std::string& name) {
      if (flaw.empty() && same(folder / name))
        flaw = fmt::format("{} reads that file", words_for(*p.node));
    });
  });
  if (flaw.empty()) return "";
  return fmt::format("-o {}: {}, and it would be lost; give another name", out.string(), flaw);
}

std::string lower_ending(const std::filesystem::path& file) {
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
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
  if (word.size() > 200) return "";
  const size_t farthest = std::max<size_t>(1, word.size() / 3);
  const std::string* nearest = nullptr;
  size_t least = farthest + 1;
  for (const std::string& candidate : candidates) {
    // As many changes as it has letters would make any word of it.
    if (candidate.size() > word.size() + farthest) continue;
    const size_t distance = edit_distance(word, candidate);
    if (distance >= least || distance >= candidate.size()) continue;
    nearest = &candidate;
    least = distance;
  }
  return nearest ? fmt::format("; did you mean '{}'?", *nearest) : "";
}

void suggest_types(std::vector<NodeMessage>& messages) {
  std::vector<std::string> ids;
  for (const NodeType* t : registry().nodes()) ids.push_back(t->id);
  for (NodeMessage& m : messages)
    if (m.message.text.find("does not know the type") != std::string::npos)
      m.message.text += did_you_mean(m.type, ids);
}

}  // namespace sinew::cli
