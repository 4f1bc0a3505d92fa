#include "schedule/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "checker/checker.hpp"
#include "targets.hpp"

namespace gossamer::fuzz {
namespace {

/// The most transfers of a schedule that is also expanded.
constexpr std::uint64_t kFewTransfers = 2000;
/// Up to this many nodes, sets of origins are compared in both forms.
constexpr Node kFewNodes = 512;
/// With more nodes a check takes so long under the sanitizers that only one is done, or none.
constexpr Node kManyNodes = 1024, kTooManyNodes = 4096;
constexpr std::size_t kMostFaults = 100;

bool same_transfer(const Schedule& a, const Transfer& s, const Schedule& b, const Transfer& t) {
  const TransferHops one = a.hops(s), other = b.hops(t);
  return s.round == t.round && s.carry == t.carry && std::ranges::equal(one, other) &&
         std::ranges::equal(a.messages(s), b.messages(t));
}

void demand_same(const Schedule& a, const Schedule& b) {
  demand(a.topology().spec() == b.topology().spec() && a.collective() == b.collective() &&
             a.model() == b.model() && a.root == b.root && a.initiator == b.initiator &&
             a.members == b.members && a.sizes == b.sizes && a.pieces() == b.pieces() &&
             a.op == b.op && a.symmetry().order() == b.symmetry().order() &&
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

/// The same transfers with the numbers of the lines on which write_jsonl puts them. Broken rules
/// name lines, the one that they are about and others.
Schedule with_lines_as_written(const Schedule& schedule) {
  Schedule copy(schedule.topology(), schedule.collective(), schedule.model(), schedule.symmetry());
  copy.root = schedule.root;
  copy.members = schedule.members;
  copy.sizes = schedule.sizes;
  copy.op = schedule.op;
  copy.cut(schedule.pieces());
  copy.faults = schedule.faults;
  copy.initiator = schedule.initiator;
  std::uint32_t line = 1;
  for (const Transfer& t : schedule.transfers()) {
    ++line;
    Transfer here = t;
    here.line = line;
    copy.add_copy(schedule, here);
  }
  return copy;
}

/// The first broken rule by which two reports differ, as each of them states it.
std::string difference(const CheckReport& a, const CheckReport& b) {
  const auto text = [](const CheckReport& report, std::size_t i) {
    return i < report.faults.size() ? to_string(report.faults[i]) : std::string("no broken rule");
  };
  for (std::size_t i = 0; i < std::max(a.faults.size(), b.faults.size()); ++i) {
    if (text(a, i) != text(b, i)) return text(a, i) + " OR " + text(b, i);
  }
  return "";
}

/// The sums do not depend on how a schedule is written.
void demand_same_sums(const CheckReport& a, const CheckReport& b, const std::string& how) {
  demand(a.ok() == b.ok(), "the checker judges otherwise " + how + ": " + difference(a, b));
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
  const std::string differs = difference(a, b);
  demand(differs.empty(), "the checker says otherwise " + how + ": " + differs);
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
  if (read->topology().nodes() > kTooManyNodes) return;
  const auto report = checked(*read);
  if (!report) return;
  for (const BrokenRule& fault : report->faults) demand_line(to_string(fault), "");
  demand(report->delivered <= report->expected, "more was delivered than expected");
  if (read->topology().nodes() > kManyNodes) return;
  const bool same_lines = std::ranges::equal(read->transfers(), again->transfers(), {},
                                             &Transfer::line, &Transfer::line);
  const auto numbered = same_lines ? report : checked(with_lines_as_written(*read));
  const auto second = checked(*again);
  if (numbered) demand_same_sums(*report, *numbered, "with other line numbers");
  if (numbered && second) {
    demand_same_report(*numbered, *second, "when it is written and read again");
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
