#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>

#include "catch.hpp"
#include "driver/report.hpp"
#include "legal.hpp"
#include "mutation.hpp"
#include "runner/fabric_runner.hpp"
#include "support/error.hpp"

using namespace gossamer;
using namespace gossamer::properties;

namespace {

/// The outcome for a schedule.
enum class Outcome { Exact, Different, Refused };

struct Verdict {
  bool accepted = false;  ///< by the checker
  Outcome outcome = Outcome::Exact;
  std::vector<BrokenRule> faults;  ///< of the checker
  std::string problems;            ///< of the run, or why it was refused
};

/// Checks a schedule, and runs it whatever the checker says: as `gossamer run --no-check` does.
Verdict judge(const Script& script, unsigned flits, const std::string& stages, std::uint32_t seed) {
  const Plan plan{schedule_of(script), std::nullopt, nullptr};
  Verdict verdict;
  tb::FabricRunner runner;
  RunOptions options;
  options.flits = flits;
  options.seed = seed;
  options.stages = LinkStages::parse(stages);
  try {
    Case asked;
    asked.flits = flits;
    asked.seed = seed;
    asked.stages = options.stages;
    Report report = examine(asked, plan, /*ignore_faults=*/true);
    verdict.accepted = report.check.ok();
    verdict.faults = report.check.faults;
    measure(report, plan, runner, options);
    for (const std::string& p : report.problems) verdict.problems += p + "\n";
    verdict.outcome = report.passed() ? Outcome::Exact : Outcome::Different;
  } catch (const InputError& error) {
    verdict.outcome = Outcome::Refused;
    verdict.problems = error.what();
  } catch (const std::overflow_error& error) {
    verdict.outcome = Outcome::Refused;
    verdict.problems = error.what();
  }
  return verdict;
}

/// A schedule by its number, legal or with planted mistakes.
struct Sample {
  Sample(std::uint32_t seed, bool wrong, Port ports)
      : random(seed), script(legal_script(random, ports)) {
    if (wrong) planted = mutate(script, random);
    if (script.model.switching == Switching::Pipelined) return;
    flits = 1 + random() % (random() % 4 == 0 ? 30 : 3);
    const bool adaptive =
        std::ranges::any_of(script.lines, [](const Line& l) { return l.carry == Carry::New; });
    if (adaptive || random() % 2 == 0) return;
    constexpr std::array kStages = {0, 0, 1, 3, 5, 14};
    stages.clear();
    for (std::size_t f = 0; f < script.topology.factors().size(); ++f) {
      stages += fmt::format("{}{}", f == 0 ? "" : ",", kStages[random() % kStages.size()]);
    }
  }
  std::mt19937 random;
  Script script;
  std::string planted;
  unsigned flits = 1;
  std::string stages = "0";  ///< of the links, by dimension
};

/// Does the broken rule say that a node forwards in a round what arrives in that round?
bool passes_on_at_once(const BrokenRule& fault) {
  return fault.text.find("does not hold it when the round starts; a transfer of round " +
                         std::to_string(fault.round) + " takes it there") != std::string::npos;
}

bool says(const BrokenRule& fault, std::string_view text) {
  return fault.text.find(text) != std::string::npos;
}

/// Schedules that the checker refuses and the hardware can still run: the hardware does not count
/// the messages of a transfer, nor how often it carries one (rule 5); a path may end where it
/// starts, and a packet that makes several hops in a round arrives in time if the slot is long
/// enough (rule 1); so does a word that a node forwards in the round in which it arrives, if its
/// place in the stream is late enough (rule 7). The first broken rule, which causes others,
/// decides.
bool may_run(const Verdict& v) {
  const auto rule_5 = [](const BrokenRule& f) {
    return says(f, "without combining") || (says(f, "lists ") && says(f, " twice"));
  };
  const auto beyond_the_model = [&](const BrokenRule& f) {
    return rule_5(f) || says(f, "; a packet crosses one in a round") ||
           says(f, ", where it starts") || passes_on_at_once(f);
  };
  const auto follows = [](const BrokenRule& f) {
    return says(f, "does not hold it when the round starts") || says(f, " after the last round");
  };
  return beyond_the_model(v.faults.front()) &&
         std::ranges::all_of(
             v.faults, [&](const BrokenRule& f) { return beyond_the_model(f) || follows(f); });
}

/// Schedules that keep the rules but exceed the hardware are refused before they run: pipelined
/// ones, and adaptive ones whose nodes could not tell where arrivals belong.
bool refused_by_the_hardware(const Script& script, const Verdict& v) {
  return v.outcome == Outcome::Refused &&
         (script.model.switching == Switching::Pipelined ||
          v.problems.find("do not agree by translation") != std::string::npos);
}

/// The number of schedules with each outcome.
struct Tally {
  std::size_t exact = 0, accepted_refused = 0, noticed = 0, not_compiled = 0, harmless = 0;

  /// False if the outcome is not allowed.
  bool count(const Script& script, const Verdict& v) {
    std::size_t* of = nullptr;
    if (v.accepted) {
      if (v.outcome == Outcome::Exact) of = &exact;
      if (refused_by_the_hardware(script, v)) of = &accepted_refused;
    } else {
      if (v.outcome == Outcome::Different) of = &noticed;
      if (v.outcome == Outcome::Refused) of = &not_compiled;
      if (v.outcome == Outcome::Exact && may_run(v)) of = &harmless;
    }
    if (of != nullptr) ++*of;
    return of != nullptr;
  }
  std::string text() const {
    return fmt::format(
        "accepted: {} ran as predicted, {} refused as what the hardware cannot do; refused: {} "
        "noticed by the hardware, {} not to be compiled, {} that it can do",
        exact, accepted_refused, noticed, not_compiled, harmless);
  }
};

/// The short test needs no engines that no other test uses.
constexpr Port kFewPorts = 4;
bool without_engine(const Sample& sample) {
  const Script& script = sample.script;
  const Port ports = script.topology.ports();
  if (sample.stages.find_first_not_of("0,") != std::string::npos) return ports == 1 || ports == 3;
  return script.model.ports == PortModel::All && script.model.duplex == Duplex::Half && ports > 2;
}

void check_sample(std::uint32_t seed, bool wrong, Port ports, Tally& tally) {
  const Sample sample(seed, wrong, ports);
  if (ports <= kFewPorts && without_engine(sample)) return;
  INFO(text_of(sample.script));
  INFO("seed " << seed << ", " << sample.flits << " flits, stages " << sample.stages
               << ", planted: " << sample.planted);
  const Verdict v = judge(sample.script, sample.flits, sample.stages, seed);
  const bool as_it_should_be = tally.count(sample.script, v);
  if (as_it_should_be) return;
  std::string faults = v.accepted ? "accepted" : "";
  for (const BrokenRule& fault : v.faults) faults += to_string(fault) + "\n";
  INFO("the checker says: " << faults << "\nthe run says: "
                            << (v.problems.empty() ? "as predicted" : v.problems));
  CHECK(as_it_should_be);
}

std::uint32_t setting(const char* name, std::uint32_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr || *text == '\0' ? otherwise
                                          : static_cast<std::uint32_t>(std::stoul(text));
}

void check_many(std::uint32_t first, std::uint32_t count, Port ports) {
  Tally tally;
  for (std::uint32_t seed = first; seed < first + count; ++seed) {
    check_sample(seed, /*wrong=*/seed % 4 != 0, ports, tally);
  }
  std::cout << fmt::format("{} schedules from seed {}; {}\n", count, first, tally.text());
}

}  // namespace

TEST_CASE("what the checker accepts runs as predicted, what it refuses the hardware notices") {
  check_many(1, 350, kFewPorts);
}

TEST_CASE("the same of many schedules (RUNS, SEED), also on nodes of six ports", "[.long]") {
  check_many(setting("SEED", 1000), setting("RUNS", 20000), /*ports=*/6);
}
