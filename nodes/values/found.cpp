#include "nodes/geometry/found.h"

#include <fmt/core.h>

#include "nodes/values/common.h"
#include "nodes/values/forms.h"

namespace sinew {

using namespace values;

namespace {

bool read_numbers(const Json& json, std::vector<double>& numbers) {
  if (!json.is_array()) return false;
  for (const Json& one : json) {
    if (!one.is_number()) return false;
    numbers.push_back(one.get<double>());
  }
  return true;
}

bool read_count(const Json& json, uint64_t& count) {
  if (!json.is_number_unsigned()) return false;
  count = json.get<uint64_t>();
  return true;
}

// Empty if all is well.
std::string read_candidate(const Json& json, FoundCandidate& one) {
  if (!json.is_object()) return R"(it is not {"cost": 0.3, "trial": 57, "values": [0.1, ...]})";
  for (const auto& [name, part] : json.items()) {
    if (name == "cost") {
      if (!part.is_number()) return "its cost is not a number";
      one.cost = part.get<double>();
    } else if (name == "trial") {
      if (!read_count(part, one.trial)) return "its trial is not a whole number";
    } else if (name == "values") {
      if (!read_numbers(part, one.values)) return "its values are not a list of numbers";
    } else {
      return fmt::format("it has no '{}' (it has cost, trial and values)", name);
    }
  }
  return {};
}

std::string read_part(const std::string& name, const Json& part, Found& found) {
  if (name == "names") {
    if (!part.is_array()) return "'names' is not a list of names";
    for (const Json& one : part) {
      if (!one.is_string()) return "'names' is not a list of names";
      found.names.push_back(one.get<std::string>());
    }
  } else if (name == "candidates") {
    if (!part.is_array()) return "'candidates' is not a list";
    for (const Json& one : part) {
      FoundCandidate candidate;
      const std::string wrong = read_candidate(one, candidate);
      if (!wrong.empty())
        return fmt::format("candidate {}: {}", found.candidates.size() + 1, wrong);
      found.candidates.push_back(std::move(candidate));
    }
  } else if (name == "trials") {
    if (!read_count(part, found.trials)) return "'trials' is not a whole number";
  } else if (name == "start") {
    if (!part.is_number()) return "'start' is not a number";
    found.start_cost = part.get<double>();
  } else if (name == "log") {
    if (!read_numbers(part, found.log)) return "'log' is not a list of numbers";
  } else if (name == "settings") {
    if (!part.is_string()) return "'settings' is not a text";
    found.settings = part.get<std::string>();
  } else {
    return fmt::format("it has no '{}' (it has names, candidates, trials, start, log and settings)",
                       name);
  }
  return {};
}

ValueTable found_table(const Found& found) {
  std::vector<std::string> columns = {"cost", "trial"};
  columns.insert(columns.end(), found.names.begin(), found.names.end());
  return {"candidate", std::move(columns), found.candidates.size(),
          [&found](size_t row, size_t column) {
            const FoundCandidate& one = found.candidates[row];
            if (column == 1) return std::to_string(one.trial);
            return fmt::format("{:.5g}", column == 0 ? one.cost : one.values[column - 2]);
          }};
}

Candidates candidates_of(const Found& found) {
  Candidates all{found.names, {}, found.trials, found.start_cost, !found.log.empty()};
  for (const FoundCandidate& one : found.candidates) {
    all.list.push_back({one.cost, one.trial, one.values});
  }
  return all;
}

}  // namespace

LiteralForms values::found_forms() {
  return {{}, {}, [](const void* p) { return candidates_of(content<Found>(p)); }};
}

Result<Found> found_from_json(const Json& json) {
  if (!json.is_object()) {
    return Error{R"(what a search has found is {"names": [...], "candidates": [...]})"};
  }
  Found found;
  for (const auto& [name, part] : json.items()) {
    if (std::string wrong = read_part(name, part, found); !wrong.empty()) return Error{wrong};
  }
  if (const auto wrong = validate(found)) return Error{*wrong};
  return found;
}

Json found_to_json(const Found& found) {
  Json json = Json::object();
  if (found == Found()) return json;
  json = {{"names", found.names},
          {"candidates", Json::array()},
          {"trials", found.trials},
          {"start", found.start_cost}};
  for (const FoundCandidate& one : found.candidates) {
    json["candidates"].push_back(
        {{"cost", one.cost}, {"trial", one.trial}, {"values", one.values}});
  }
  if (!found.log.empty()) json["log"] = found.log;
  if (!found.settings.empty()) json["settings"] = found.settings;
  return json;
}

template <>
const TypeInfo& type_of<Found>() {
  static const TypeInfo info = [] {
    TypeInfo t = plain_type<Found>(
        "found", "What a search has found: sets of numbers with their costs.", 0xA8C97F);
    t.describe = [](const void* p) {
      const Found& found = content<Found>(p);
      Json facts = {{"candidates", found.candidates.size()}, {"trials", found.trials}};
      if (!found.empty()) facts["cost"] = found.candidates[0].cost;
      return facts;
    };
    t.from_json = [](const Json& json) -> Result<Value> {
      Result<Found> found = found_from_json(json);
      if (!found) return Error{found.error()};
      return Value::of(std::move(*found));
    };
    t.to_json = [](const void* p) { return found_to_json(content<Found>(p)); };
    t.tables = [](const void* p) { return std::vector{found_table(content<Found>(p))}; };
    t.file_endings = {"json"};
    t.save = [](const void* p, const std::filesystem::path& path) {
      return write_bytes(path, found_to_json(content<Found>(p)).dump() + "\n");
    };
    return t;
  }();
  return info;
}

}  // namespace sinew
