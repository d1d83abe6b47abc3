#include "graph/exec.h"

#include <stdexcept>

namespace sinew {

namespace {

// What prepared() keeps, as a value of the cache. It never leaves it.
struct Prepared {
  std::shared_ptr<const void> data;
  size_t bytes = 0;
};

const TypeInfo& prepared_type() {
  static const TypeInfo info = [] {
    TypeInfo t;
    t.name = "prepared";
    t.bytes = [](const void* p) { return static_cast<const Prepared*>(p)->bytes; };
    return t;
  }();
  return info;
}

}  // namespace

Exec::Exec(const NodeType& type, std::vector<std::vector<Value>> inputs, const Context& context,
           const std::atomic<bool>* cancel)
    : type_(type),
      inputs_(std::move(inputs)),
      outputs_(type.outputs.size()),
      context_(context),
      cancel_(cancel) {}

const Value& Exec::value(int input) const {
  if (!has_value(input))
    throw std::logic_error(
        fmt::format("{} reads its empty input '{}'", type_.id, type_.inputs[input].name));
  if (stepping_ && type_.inputs[input].only_read)
    throw std::logic_error(
        fmt::format("{} steps with its input '{}', which is declared as only read", type_.id,
                    type_.inputs[input].name));
  return inputs_[input][0];
}

namespace {
void check_declared(bool declared, const NodeType& type, const char* what) {
  if (!declared) throw std::logic_error(fmt::format("{} reads the {} undeclared", type.id, what));
}
}  // namespace

int Exec::frame() const {
  check_declared(type_.uses.frame, type_, "frame");
  return context_.frame;
}

double Exec::seconds() const {
  check_declared(type_.uses.frame, type_, "time");
  return context_.seconds();
}

double Exec::dt() const {
  check_declared(type_.uses.dt, type_, "duration of a frame");
  return context_.dt();
}

double Exec::fps() const {
  check_declared(type_.uses.dt, type_, "duration of a frame");
  return context_.fps;
}

uint64_t Exec::seed() const {
  check_declared(type_.uses.seed, type_, "seed");
  return context_.seed;
}

bool Exec::changes(int input) const {
  check_declared(type_.asks_changes && !stepping_, type_, "change of an input");
  return static_cast<std::size_t>(input) < changing_.size() &&
         changing_[static_cast<std::size_t>(input)];
}

bool Exec::draft() const {
  check_declared(type_.uses.draft, type_, "wish for a draft");
  return context_.draft;
}

std::filesystem::path Exec::resolve(const std::string& path) const {
  const std::filesystem::path p(path);
  return p.is_absolute() ? p : context_.folder / p;
}

Key Exec::prepared_key(std::string_view name, std::initializer_list<int> inputs) const {
  if (!store_) return {};
  KeyHasher hasher(0x70);
  hasher.text(name);
  for (const int input : inputs) hasher.key(input_keys_[input]);
  return hasher.finish();
}

std::shared_ptr<const void> Exec::find_prepared(const Key& key) const {
  const ResultPtr known = store_ ? store_->get(key) : nullptr;
  return known ? static_cast<const Prepared*>(known->outputs[0].data())->data : nullptr;
}

void Exec::keep_prepared(const Key& key, std::shared_ptr<const void> made, size_t bytes) const {
  if (!store_) return;
  auto result = std::make_shared<NodeResult>();
  result->outputs.emplace_back(prepared_type(),
                               std::make_shared<const Prepared>(Prepared{std::move(made), bytes}));
  store_->put(key, std::move(result));
}

void Exec::say(Severity severity, std::string text, bool of_damage) {
  failed_ |= severity == Severity::error;
  messages_.push_back({severity, std::move(text), of_damage});
}

}  // namespace sinew
