#include "app/library/library_index.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

#include "app/library/names.h"
#include "app/library/previews.h"
#include "app/library/put_on.h"
#include "graph/pack_folder.h"
#include "graph/plain_text.h"
#include "graph/preset_pack.h"

namespace sinew::library {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_presets = 5000;

std::string as_title(std::string text) {
  std::replace(text.begin(), text.end(), '_', ' ');
  std::replace(text.begin(), text.end(), '-', ' ');
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

// What it says itself, else its first tag, else the folder that it lies in.
std::string category_of(const Meta& meta, const fs::path& file, const fs::path& root) {
  if (const auto said = meta.extra.find("category"); said != meta.extra.end() && said->is_string())
    return said->get<std::string>();
  if (!meta.tags.empty()) return as_title(meta.tags.front());
  const fs::path below = file.parent_path().lexically_relative(root);
  const bool inside = !below.empty() && below != "." && *below.begin() != "..";
  return inside ? as_title(below.begin()->string()) : "Others";
}

void count_types(const GraphBody& body, const Registry& registry,
                 std::map<std::string, int>& counts, bool& timed) {
  for (const NodeDoc& node : body.nodes) {
    const NodeType* type = registry.find(node.type);
    if (!type) continue;
    timed = timed || type->uses.frame || type->role == NodeRole::simulate;
    if (type->role == NodeRole::compute || type->role == NodeRole::simulate) ++counts[type->label];
  }
}

// Without the version that a group's name may end with.
std::string plain_name(const std::string& group_name, const GroupDoc& group) {
  if (!group.meta.name.empty()) return group.meta.name;
  return group_name.substr(0, group_name.find('@'));
}

void read_folder(const fs::path& root, bool own, const Registry& registry,
                 const std::atomic<bool>& stop, std::vector<PresetInfo>& all) {
  std::error_code ec;
  fs::recursive_directory_iterator it(root, fs::directory_options::skip_permission_denied, ec);
  const fs::recursive_directory_iterator end;
  const auto add = [&](const fs::path& file) {
    PresetInfo info = describe_preset(file, root, registry);
    info.own = own;
    all.push_back(std::move(info));
  };
  for (; !ec && !stop && it != end && all.size() < most_presets; it.increment(ec)) {
    // What begins with a dot is hidden: a pack that is being installed.
    const bool hidden = it->path().filename().string().starts_with('.');
    if (it.depth() > 4 || hidden) it.disable_recursion_pending();
    std::error_code unknown;
    if (it->is_directory(unknown)) {
      // An installed pack is one preset, whatever else lies in its folder.
      const std::optional<PackFolder> pack = hidden ? std::nullopt : pack_folder_at(it->path());
      if (!pack) continue;
      it.disable_recursion_pending();
      add(pack->document());
    } else if (has_ending(it->path().filename().string(), {"json"})) {
      add(it->path());
    }
  }
}

// Lists, cards and pages show these words: nothing in them steers what shows them.
Meta shown_words(Meta meta) {
  for (std::string* line : {&meta.name, &meta.version, &meta.title, &meta.author, &meta.licence})
    *line = plain_line(*line);
  for (std::string& tag : meta.tags) tag = plain_line(tag);
  meta.description = plain_lines(meta.description);
  meta.extra = plain_tree(meta.extra);
  return meta;
}

// What is known of a preset without reading it.
PresetInfo from_outside(const fs::path& file, const fs::path& root) {
  PresetInfo info;
  info.file = file;
  info.category = "Others";
  const std::string stem = file.stem().string();
  info.title = plain_line(as_title(stem));
  const fs::path below = file.parent_path().lexically_relative(root);
  const std::string space =
      below.empty() || below == "." ? root.filename().string() : below.begin()->string();
  info.name = plain_line(space + "/" + stem);
  if (const auto pack = pack_folder_around(file); pack && *pack) {
    info.installed = true;
    info.name = plain_line((*pack)->name);
    info.title = as_title(info.name.substr(info.name.find('/') + 1));
  }
  return info;
}

}  // namespace

PresetInfo describe_preset(const fs::path& file, const fs::path& root, const Registry& registry) {
  PresetInfo info = from_outside(file, root);
  const Result<LoadedDocument> loaded = load_with_text(file, registry);
  if (!loaded) {
    info.error = loaded.error();
    return info;
  }
  info.key = key_of_text(loaded->text);
  const GraphDoc* const doc = &loaded->doc;
  info.meta = shown_words(doc->meta);
  if (!info.meta.title.empty()) info.title = info.meta.title;
  if (!info.meta.name.empty()) info.name = info.meta.name;
  info.category = plain_line(category_of(info.meta, file, root));
  info.nodes = static_cast<int>(doc->graph.nodes.size());
  std::map<std::string, int> counts;
  bool timed = false;
  count_types(doc->graph, registry, counts, timed);
  for (const auto& [name, group] : doc->groups) {
    count_types(group.graph, registry, counts, timed);
    info.embeds.push_back(plain_name(name, group));
  }
  info.has_body = has_body(*doc, registry);
  info.has_material = has_material(*doc, registry);
  info.moves = timed && doc->settings.last_frame > doc->settings.first_frame;
  for (const auto& [label, count] : counts) info.uses.push_back(label);
  std::stable_sort(info.uses.begin(), info.uses.end(),
                   [&](const auto& a, const auto& b) { return counts[a] > counts[b]; });
  return info;
}

// The thread ends with it, after the file that it is at: what it reads with, the registry, goes
// when the program ends, and a program that ends at once would take it away under its hands.
struct LibraryIndex::Pending {
  ~Pending() {
    stop = true;
    if (reader.joinable()) reader.join();
  }

  std::mutex mutex;
  std::condition_variable finished;
  bool done = false;
  std::vector<PresetInfo> presets, others;
  std::atomic<bool> stop{false};
  std::thread reader;
};

LibraryIndex::LibraryIndex(const Registry& registry, fs::path shipped, fs::path own)
    : registry_(registry), shipped_(std::move(shipped)), own_(std::move(own)) {
  refresh();
}

void LibraryIndex::refresh(std::vector<fs::path> others) {
  pending_ = std::make_shared<Pending>();
  Pending* const pending = pending_.get();
  pending->reader = std::thread([pending, &registry = registry_, shipped = shipped_, own = own_,
                                 others] {
    std::vector<PresetInfo> presets, beyond;
    const std::atomic<bool>& stop = pending->stop;
    if (!shipped.empty()) read_folder(shipped, false, registry, stop, presets);
    if (!own.empty()) {
      remove_left_packs(own);
      read_folder(own, true, registry, stop, presets);
    }
    for (const fs::path& file : others) {
      if (stop) return;
      beyond.push_back(describe_preset(file, file.parent_path(), registry));
    }
    std::stable_sort(presets.begin(), presets.end(), [](const PresetInfo& a, const PresetInfo& b) {
      if (a.category != b.category) return natural_less(a.category, b.category);
      return natural_less(a.title, b.title);
    });
    const std::lock_guard lock(pending->mutex);
    pending->presets = std::move(presets);
    pending->others = std::move(beyond);
    pending->done = true;
    pending->finished.notify_all();
  });
}

bool LibraryIndex::update(double most_seconds_to_wait) {
  if (!pending_) return false;
  std::unique_lock lock(pending_->mutex);
  if (!pending_->finished.wait_for(lock, std::chrono::duration<double>(most_seconds_to_wait),
                                   [&] { return pending_->done; }))
    return false;
  presets_ = std::move(pending_->presets);
  others_ = std::move(pending_->others);
  lock.unlock();
  pending_.reset();
  return true;
}

const PresetInfo* LibraryIndex::find(std::string_view name) const {
  for (const PresetInfo& p : presets_)
    if (p.name == name) return &p;
  for (const PresetInfo& p : presets_)
    if (!p.installed && p.file.stem().string() == name) return &p;
  return nullptr;
}

std::vector<std::string> LibraryIndex::used_by(const PresetInfo& preset) const {
  std::vector<std::string> titles;
  for (const std::vector<PresetInfo>* all : {&presets_, &others_})
    for (const PresetInfo& p : *all)
      if (p.file != preset.file &&
          std::find(p.embeds.begin(), p.embeds.end(), preset.name) != p.embeds.end() &&
          std::find(titles.begin(), titles.end(), p.title) == titles.end())
        titles.push_back(p.title);
  return titles;
}

int preset_score(const PresetInfo& preset, std::string_view letters) {
  int best = 3 * fuzzy_score(letters, preset.title);
  best = std::max(best, 2 * fuzzy_score(letters, preset.name));
  for (const std::string& tag : preset.meta.tags)
    best = std::max(best, 2 * fuzzy_score(letters, tag));
  if (best >= 0) return best;
  // In prose any letters occur in some order: there, words count.
  const auto lower = [](std::string_view text) {
    std::string small;
    for (const char c : text)
      small += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return small;
  };
  return lower(preset.meta.description).find(lower(letters)) == std::string::npos ? -1 : 0;
}

}  // namespace sinew::library
