#include "schedule/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "checker/checker.hpp"
#include "demands.hpp"
#include "schedule_text.hpp"
#include "targets.hpp"

namespace gossamer::fuzz {
namespace {

/// The most transfers of a schedule that is also expanded.
constexpr std::uint64_t kFewTransfers = 2000;
/// Up to this many nodes, sets of origins are compared in both forms.
constexpr Node kFewNodes = 512;
/// With this many nodes a check takes so long that only one is done.
constexpr Node kManyNodes = 1u << 16;
constexpr std::size_t kMostFaults = 100;

bool same_transfer(const Schedule& a, const Transfer& s, const Schedule& b, const Transfer& t) {
  return s.round == t.round && s.carry == t.carry && std::ranges::equal(a.path(s), b.path(t)) &&
         std::ranges::equal(a.messages(s), b.messages(t));
}

void demand_same(const Schedule& a, const Schedule& b) {
  demand(a.topology().spec() == b.topology().spec() && a.collective() == b.collective() &&
             a.model() == b.model() && a.root == b.root && a.initiator == b.initiator &&
             a.symmetry().order() == b.symmetry().order() &&
             a.symmetry().classes() == b.symmetry().classes(),
         "a schedule written and read again should have the same first line");
  demand(a.faults == b.faults || (a.faults.empty() && b.faults.empty()),
         "a schedule written and read again should have the same faults");
  demand(std::ranges::equal(
             a.transfers(), b.transfers(),
             [&](const Transfer& s, const Transfer& t) { return same_transfer(a, s, b, t); }),
         "a schedule written and read again should have the same transfers");
}

std::optional<CheckReport> checked(const Schedule& schedule,
                                   OriginSets sets = OriginSets::Automatic) {
  return answer("", [&] { return check(schedule, kMostFaults, sets); });
}

/// The broken rules of a report without line numbers, which differ if lines were not in order.
std::string texts(const CheckReport& report) {
  std::string all;
  for (BrokenRule fault : report.faults) {
    fault.line = 0;
    all += to_string(fault) + '\n';
  }
  return all;
}

/// The sums do not depend on how a schedule is written.
void demand_same_sums(const CheckReport& a, const CheckReport& b, const std::string& how) {
  demand(a.ok() == b.ok(),
         "the checker judges otherwise " + how + ": " + texts(a) + "or " + texts(b));
  const auto numbers = [](const CheckReport& r) {
    return fmt::format("{} rounds, delta_sum {}, tau_sum {}, {} transmissions, {} of {} delivered",
                       r.rounds, r.delta_sum, r.tau_sum, r.transmissions, r.delivered, r.expected);
  };
  // A transfer that breaks a rule may break others for its translations, so arrivals differ.
  if (!a.ok()) return;
  demand(numbers(a) == numbers(b),
         "the checker counts otherwise " + how + ": " + numbers(a) + " or " + numbers(b));
  demand(a.missing == b.missing, "the checker misses otherwise " + how);
}

void demand_same_report(const CheckReport& a, const CheckReport& b, const std::string& how) {
  demand_same_sums(a, b, how);
  demand(texts(a) == texts(b),
         "the checker says otherwise " + how + ": " + texts(a) + "or " + texts(b));
  demand(a.delivered == b.delivered && a.carried == b.carried,
         "the checker counts otherwise " + how);
}

}  // namespace

std::optional<Schedule> read_schedule(std::string_view text) {
  return answer("input.jsonl:", [&] {
    std::istringstream in{std::string(text)};
    return read_jsonl(in, "input.jsonl");
  });
}

std::string text_of(const Schedule& schedule, Orbits orbits) {
  std::ostringstream out;
  write_jsonl(schedule, out, orbits);
  return out.str();
}

void schedule(std::string_view input) {
  const auto read = read_schedule(input);
  if (!read) return;
  const auto again = read_schedule(text_of(*read, Orbits::Kept));
  demand(again.has_value(), "what was written should be read again");
  demand_same(*read, *again);
  const auto report = checked(*read);
  if (!report) return;
  for (const BrokenRule& fault : report->faults) demand_line(to_string(fault), "");
  demand(report->delivered <= report->expected, "more was delivered than expected");
  if (read->topology().nodes() > kManyNodes) return;
  if (const auto second = checked(*again)) {
    demand_same_report(*report, *second, "when it is written and read again");
  }
  if (read->topology().nodes() <= kFewNodes) {
    const auto bits = checked(*read, OriginSets::Bits), trees = checked(*read, OriginSets::Trees);
    if (bits) demand_same_report(*report, *bits, "with bits for the origins held");
    if (trees) demand_same_report(*report, *trees, "with trees for the origins held");
  }
  const std::uint64_t order = read->symmetry().order();
  if (order == 1 || order * read->transfers().size() > kFewTransfers) return;
  const auto expanded = read_schedule(text_of(*read, Orbits::Expanded));
  demand(expanded.has_value(), "what was written out should be read again");
  if (const auto all = checked(*expanded))
    demand_same_sums(*report, *all, "with orbits written out");
}

}  // namespace gossamer::fuzz
