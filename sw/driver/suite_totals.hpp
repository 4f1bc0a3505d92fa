#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "driver/report.hpp"

namespace gossamer {

/// What the cases of a suite counted and compared, added up.
struct SuiteTotals {
  std::uint64_t cases = 0;
  std::uint64_t rounds = 0;
  std::uint64_t bounds = 0;       ///< the bounds of these rounds
  std::uint64_t hops = 0;         ///< delta_sum, the longest path of each round
  std::uint64_t messages = 0;     ///< tau_sum, the most messages on one path of each round
  std::uint64_t cycles = 0;       ///< measured
  std::uint64_t flits = 0;        ///< moved on links
  std::uint64_t words = 0;        ///< compared with what their origins sent
  std::uint64_t link_cycles = 0;  ///< compared with what the schedule puts there
  std::uint64_t delivered = 0;    ///< pairs of a node and a message

  void add(const Report& report);
  bool operator==(const SuiteTotals&) const = default;
};

/// A number of SuiteTotals, and its name in a suite file.
struct TotalField {
  std::string_view name;
  std::uint64_t SuiteTotals::*value;
};
inline constexpr std::array<TotalField, 10> kTotalFields = {
    {{"cases", &SuiteTotals::cases},
     {"rounds", &SuiteTotals::rounds},
     {"bounds", &SuiteTotals::bounds},
     {"hops", &SuiteTotals::hops},
     {"messages", &SuiteTotals::messages},
     {"cycles", &SuiteTotals::cycles},
     {"flits", &SuiteTotals::flits},
     {"words", &SuiteTotals::words},
     {"link_cycles", &SuiteTotals::link_cycles},
     {"delivered", &SuiteTotals::delivered}}};

/// A line for each number that is not as expected.
std::vector<std::string> differences(const SuiteTotals& counted, const SuiteTotals& expected);

}  // namespace gossamer
