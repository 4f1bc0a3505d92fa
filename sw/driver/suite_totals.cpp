#include "driver/suite_totals.hpp"

#include <fmt/format.h>

namespace gossamer {

void SuiteTotals::add(const Report& report) {
  ++cases;
  rounds += report.check.rounds;
  bounds += report.bound.value;
  hops += report.check.delta_sum;
  messages += report.check.tau_sum;
  if (!report.run) return;
  cycles += report.run->cycles_measured;
  flits += report.run->flits_moved;
  words += report.run->words_checked;
  link_cycles += report.run->link_cycles_checked;
  delivered += report.run->delivered;
}

std::vector<std::string> differences(const SuiteTotals& counted, const SuiteTotals& expected) {
  std::vector<std::string> lines;
  for (const TotalField& field : kTotalFields) {
    const std::uint64_t is = counted.*field.value, should = expected.*field.value;
    if (is == should) continue;
    lines.push_back(
        fmt::format("{} {} were counted, and the suite expects {}", is, field.name, should));
  }
  return lines;
}

}  // namespace gossamer
