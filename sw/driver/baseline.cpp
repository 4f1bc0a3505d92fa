#include "driver/baseline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "support/error.hpp"
#include "support/file.hpp"
#include "support/json.hpp"

namespace gossamer {
namespace {

using Kind = CaseChange::Kind;

constexpr std::array kKinds = {Kind::Broken, Kind::Slower, Kind::Faster,
                               Kind::Fixed,  Kind::New,    Kind::Gone};

Standing standing_of(const Report& report) {
  Standing s{report.passed(), report.cycles_predicted};
  if (report.run && !report.run->interrupted) s.cycles = report.run->cycles_measured;
  return s;
}

/// Nothing if the case has not changed.
std::optional<Kind> change(const Standing& before, const Standing& now) {
  if (before.passed != now.passed) return now.passed ? Kind::Fixed : Kind::Broken;
  if (!before.cycles || !now.cycles || *before.cycles == *now.cycles) return std::nullopt;
  return *now.cycles > *before.cycles ? Kind::Slower : Kind::Faster;
}

}  // namespace

std::string_view to_string(Kind kind) {
  switch (kind) {
    case Kind::Broken: return "broken";
    case Kind::Slower: return "slower";
    case Kind::Faster: return "faster";
    case Kind::Fixed: return "fixed";
    case Kind::New: return "new";
    case Kind::Gone: return "gone";
  }
  return "";
}

std::size_t Comparison::count(Kind kind) const {
  return static_cast<std::size_t>(std::ranges::count(changes, kind, &CaseChange::kind));
}

bool Comparison::worse() const { return count(Kind::Broken) + count(Kind::Slower) != 0; }

Baseline read_baseline(const std::string& file) {
  const auto wrong = [&file](const std::string& what) {
    return InputError(fmt::format(
        "--baseline: {}: {}; expected what `gossamer suite ... --json` prints", file, what));
  };
  const std::string text = [&] {
    try {
      return read_file(file);
    } catch (const InputError& error) {
      throw InputError(fmt::format("--baseline: {}", error.what()));
    }
  }();
  nlohmann::json json;
  try {
    json = parse_json(text).value;
  } catch (const InputError& error) {
    throw wrong(error.what());
  }
  if (!json.is_object() || !json.contains("cases") || !json["cases"].is_array()) {
    throw wrong("it has no list of cases");
  }
  Baseline baseline{file, {}};
  for (const nlohmann::json& c : json["cases"]) {
    if (!c.is_object() || !c.contains("name") || !c["name"].is_string() || !c.contains("verdict")) {
      throw wrong(fmt::format("a case has no name or no verdict: {}", shown(c)));
    }
    Standing s;
    s.passed = c["verdict"] == "pass";
    for (const char* key : {"cycles_predicted", "cycles_measured"}) {
      if (c.contains(key) && c[key].is_number_unsigned()) s.cycles = c[key].get<std::uint64_t>();
    }
    baseline.cases[c["name"].get<std::string>()] = s;
  }
  return baseline;
}

Comparison compare_with_baseline(const Baseline& baseline, const std::vector<SuiteResult>& results,
                                 bool whole) {
  Comparison comparison;
  comparison.file = baseline.file;
  std::set<std::string> met;
  for (const SuiteResult& result : results) {
    const std::string& name = result.report.request.name;
    const Standing now = standing_of(result.report);
    met.insert(name);
    const auto earlier = baseline.cases.find(name);
    if (earlier == baseline.cases.end()) {
      comparison.changes.push_back({name, Kind::New, std::nullopt, now.cycles});
    } else if (const auto kind = change(earlier->second, now)) {
      comparison.changes.push_back({name, *kind, earlier->second.cycles, now.cycles});
    } else {
      ++comparison.same;
    }
  }
  for (const auto& [name, standing] : baseline.cases) {
    if (!whole || met.contains(name)) continue;
    comparison.changes.push_back({name, Kind::Gone, standing.cycles, std::nullopt});
  }
  std::ranges::stable_sort(comparison.changes, {}, &CaseChange::kind);
  return comparison;
}

SuiteCheck baseline_check(const Comparison& comparison) {
  SuiteCheck check{"baseline", to_string(comparison), {}};
  for (const CaseChange& change : comparison.changes) {
    if (change.kind != Kind::Broken && change.kind != Kind::Slower) continue;
    check.problems.push_back(to_string(change));
  }
  return check;
}

std::string to_string(const Comparison& comparison) {
  std::string text;
  for (const Kind kind : kKinds) {
    const std::size_t count = comparison.count(kind);
    if (count != 0) text += fmt::format("{} {}, ", count, to_string(kind));
  }
  return text + fmt::format("{} the same", comparison.same);
}

std::string to_string(const CaseChange& change) {
  std::string text = fmt::format("{}: {}", to_string(change.kind), change.name);
  if (change.now) text += fmt::format(": {} cycles", *change.now);
  if (change.before) text += fmt::format("{}before {}", change.now ? ", " : ": ", *change.before);
  return text;
}

nlohmann::ordered_json to_json(const Comparison& comparison) {
  const auto or_null = [](const std::optional<std::uint64_t>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
  };
  nlohmann::ordered_json changes = nlohmann::ordered_json::array();
  for (const CaseChange& change : comparison.changes) {
    changes.push_back({{"case", change.name},
                       {"kind", to_string(change.kind)},
                       {"cycles_before", or_null(change.before)},
                       {"cycles", or_null(change.now)}});
  }
  return {{"file", comparison.file}, {"same", comparison.same}, {"changes", changes}};
}

}  // namespace gossamer
