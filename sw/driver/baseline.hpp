#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "driver/suite_checks.hpp"

namespace gossamer {

/// The values of a case that are compared.
struct Standing {
  bool passed = false;
  std::optional<std::uint64_t> cycles;
};

/// An earlier run of a suite.
struct Baseline {
  std::string file;
  std::map<std::string, Standing> cases;
};

/// Reads the output of `suite --json`. Throws InputError for a file that is none.
Baseline read_baseline(const std::string& file);

/// The change of a case since an earlier run of the suite.
struct CaseChange {
  enum class Kind { Broken, Slower, Faster, Fixed, New, Gone };
  std::string name;  ///< of the case
  Kind kind = Kind::New;
  std::optional<std::uint64_t> before, now;  ///< cycles measured, or predicted without a run
};
std::string_view to_string(CaseChange::Kind);

/// A suite's results compared with those of an earlier run.
struct Comparison {
  std::string file;                 ///< of the earlier run
  std::vector<CaseChange> changes;  ///< in the order of the kinds, then of the cases
  std::size_t same = 0;

  std::size_t count(CaseChange::Kind kind) const;
  /// Is any case slower or broken?
  bool worse() const;
};

/// A case is broken if it passed then and does not now, slower if it takes more cycles. Cases that
/// are `gone` are reported only if these are the results of the `whole` suite.
Comparison compare_with_baseline(const Baseline& baseline, const std::vector<SuiteResult>& results,
                                 bool whole);

/// A check that fails if any case is slower or broken.
SuiteCheck baseline_check(const Comparison& comparison);

/// "2 slower, 1 new, 369 the same"
std::string to_string(const Comparison& comparison);
/// "slower: ring-8-L4: 30 cycles, before 26", one line.
std::string to_string(const CaseChange& change);

nlohmann::ordered_json to_json(const Comparison& comparison);

}  // namespace gossamer
