#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>

#include "algorithms/registry.hpp"
#include "catch.hpp"
#include "driver/report.hpp"
#include "random_schedules.hpp"
#include "runner/fabric_runner.hpp"
#include "support/error.hpp"

using namespace gossamer;
using namespace gossamer::test;

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
  const Plan plan{script.schedule(), std::nullopt, nullptr};
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
    Facts report = examine(asked, plan, /*ignore_faults=*/true);
    verdict.accepted = report.check.ok();
    verdict.faults = report.check.faults;
    measure(report, runner, options);
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

Model random_model(std::mt19937& random) {
  return {random() % 2 == 0 ? PortModel::Single : PortModel::All,
          random() % 2 == 0 ? Duplex::Full : Duplex::Half, static_cast<Switching>(random() % 3),
          random() % 2 == 0};
}

/// By one of the algorithms, for a request like that of `like`; or `like` itself.
Script planned(std::mt19937& random, Script like) {
  const Algorithm& algorithm = pick(random, algorithms());
  const Request request{.topology = like.topology,
                        .collective = like.collective,
                        .ports = like.model.ports,
                        .duplex = like.model.duplex,
                        .root = like.root,
                        .members = like.members,
                        .sizes = like.sizes};
  if (algorithm.refuses(request)) return like;
  const Schedule schedule = algorithm.plan(request);
  const bool untold = schedule.joins() || schedule.tolerance > 0;  // which no script says
  if (untold || schedule.transfers().empty()) return like;
  Script script = script_of(schedule);
  script.op = like.op;
  return script;
}

/// A schedule by its number, legal or with planted mistakes.
struct Sample {
  Sample(std::uint32_t seed, bool wrong, Port ports)
      : random(seed), script(legal_script(random, ports)) {
    // What comes twice, or not at all, need not change a smallest number.
    const bool plain = script.op <= Operator::OP_SUM8;
    if (wrong && plain) planted = mutate(script, random);
    const Model& model = script.model;
    const bool adaptive =
        std::ranges::any_of(script.lines, [](const Line& l) { return l.carry == Carry::New; });
    flits = script.pieces - 1 + 1 + random() % (random() % 4 == 0 ? 30 : 3);
    if (model.switching == Switching::Pipelined) {
      // A hop takes as many cycles as it has rounds, or a multiple.
      const std::uint32_t cycles = 1 + random() % 3;
      flits = script.pieces * (1 + random() % cycles);
      stages = std::to_string(cycles * model.hop_rounds - 1);
      return;
    }
    if (adaptive || random() % 2 == 0) return;
    constexpr std::array kStages = {0, 0, 1, 3, 5, 14};
    stages.clear();
    for (std::size_t f = 0; f < script.topology.factors().size(); ++f) {
      stages += fmt::format("{}{}", f == 0 ? "" : ",", kStages[random() % kStages.size()]);
    }
  }
  static Script legal_script(std::mt19937& random, Port ports) {
    if (random() % 8 == 0) return adaptive_script(random);
    Kinds kinds = Kinds::all();
    kinds.complete = true;
    kinds.ports = ports;
    const Script script = random_script(random, random_model(random), kinds);
    return random() % 3 == 0 ? planned(random, script) : script;
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

/// Is there a line that changes nothing: an adaptive one for the second time, or of no flits?
bool idle_line(const Script& script) {
  const Schedule s = script.without_lines();
  return std::ranges::any_of(script.lines, [&](const Line& line) {
    const auto same = [&](const Line& l) { return l.round == line.round && l.path == line.path; };
    if (line.carry == Carry::New) return std::ranges::count_if(script.lines, same) > 1;
    if (s.sizes.equal() || line.carry != Carry::Listed) return false;
    return std::ranges::all_of(line.messages,
                               [&](const Message& m) { return s.chunk_flits(1).of(m) == 0; });
  });
}

/// Schedules that the checker refuses and the hardware can still run: the hardware does not count
/// the messages of a transfer, nor how often it carries one (rule 5); a path may end where it
/// starts, and a packet that makes several hops in a round arrives in time if the slot is long
/// enough (rule 1); so does a word that a node forwards in the round in which it arrives, if its
/// place in the stream is late enough (rule 7). What does not exist may have no flits, and a sum
/// that has a part twice need not be used. The first broken rule, which causes others, decides.
bool may_run(const Script& script, const Verdict& v) {
  const auto rule_5 = [](const BrokenRule& f) {
    return says(f, "without combining") || says(f, "; a pipelined transfer carries one") ||
           (says(f, "lists ") && says(f, " twice"));
  };
  const auto beyond_the_model = [&](const BrokenRule& f) {
    return rule_5(f) || says(f, "; a packet crosses one in a round") ||
           says(f, ", where it starts") || passes_on_at_once(f) ||
           says(f, " is in both what node ") ||
           (!script.sizes.equal() && says(f, " does not exist: "));
  };
  const auto follows = [](const BrokenRule& f) {
    return says(f, "does not hold it when the round starts") || says(f, " after the last round");
  };
  if (idle_line(script)) return true;
  return beyond_the_model(v.faults.front()) &&
         std::ranges::all_of(
             v.faults, [&](const BrokenRule& f) { return beyond_the_model(f) || follows(f); });
}

/// Does a half-duplex link turn before as many idle rounds as a hop has?
bool turns_at_once(const Schedule& s) {
  std::map<std::pair<Node, Port>, std::vector<std::pair<std::uint32_t, Node>>> uses;  // by link
  for (const Transfer& t : s.transfers()) {
    for (const TransferHop hop : s.hops(t)) {
      const Endpoint out{hop.from, port_out(s.topology(), hop)};
      const Endpoint in = s.topology().peer(out.node, out.port);
      const Endpoint& low = std::min(out.node, in.node) == out.node ? out : in;
      uses[{low.node, low.port}].emplace_back(t.round + hop.depth * s.model().hop_rounds, out.node);
    }
  }
  return std::ranges::any_of(uses, [&](const auto& link) {
    for (const auto& [round, from] : link.second) {
      for (const auto& [other, tail] : link.second) {
        if (tail != from && round <= other && other <= round + s.model().hop_rounds) return true;
      }
    }
    return false;
  });
}

bool lacks_an_output(const Verdict& v) {
  return v.problems.find("no output left that adds up") != std::string::npos ||
         v.problems.find("adds up what comes at the same time") != std::string::npos;
}

/// Does some node in a round send by as many ports, and get something by as many, as it has
/// outputs; or a message twice?
bool may_lack_an_output(const Schedule& s) {
  std::map<std::pair<std::uint32_t, Node>, std::size_t> used;
  std::map<std::pair<std::uint32_t, Node>, std::set<Message>> came;
  bool twice = false;
  for (const Transfer& t : s.transfers()) {
    for (const TransferHop hop : s.hops(t)) {
      ++used[{t.round, hop.from}];
      if (!hop.stored) continue;
      ++used[{t.round, hop.to}];
      for (const Message& m : s.messages(t)) twice |= !came[{t.round, hop.to}].insert(m).second;
    }
  }
  const std::size_t outputs = std::max<std::size_t>(s.topology().ports(), 3);
  return twice || std::ranges::any_of(used, [&](const auto& u) { return u.second >= outputs; });
}

/// Schedules that keep the rules but exceed the hardware must be refused before they run: pipelined
/// ones whose rounds are no part of a hop, or too short for a message or a turn, adaptive ones
/// whose nodes could not tell where arrivals belong, and sums that no output could add.
bool refused_by_the_hardware(const Sample& sample, const Verdict& v) {
  const Schedule s = sample.script.schedule();
  if (s.model().switching == Switching::Pipelined) {
    const std::uint32_t hop = 1 + LinkStages::parse(sample.stages).most_on(s.topology());
    const std::uint32_t rounds = s.model().hop_rounds;
    return hop % rounds != 0 || s.chunk_flits(sample.flits).longest().of(0) > hop / rounds ||
           (s.model().duplex == Duplex::Half && turns_at_once(s));
  }
  if (lacks_an_output(v)) return may_lack_an_output(s);
  return v.problems.find("do not agree by translation") != std::string::npos;
}

/// The number of schedules with each outcome.
struct Tally {
  std::size_t exact = 0, accepted_refused = 0, noticed = 0, not_compiled = 0, harmless = 0;

  /// False if the outcome is not allowed.
  bool count(const Sample& sample, const Verdict& v) {
    std::size_t* of = nullptr;
    if (v.accepted) {
      const bool refused = refused_by_the_hardware(sample, v);
      if (v.outcome == Outcome::Exact && !refused) of = &exact;
      if (v.outcome == Outcome::Refused && refused) of = &accepted_refused;
    } else {
      if (v.outcome == Outcome::Different) of = &noticed;
      if (v.outcome == Outcome::Refused) of = &not_compiled;
      if (lacks_an_output(v) && !may_lack_an_output(sample.script.schedule())) of = nullptr;
      if (v.outcome == Outcome::Exact && may_run(sample.script, v)) of = &harmless;
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
  const bool staged = sample.stages.find_first_not_of("0,") != std::string::npos;
  const bool single = script.model.ports == PortModel::Single;
  const bool half = script.model.duplex == Duplex::Half;
  if (reduces(script.collective)) return staged && (half || ports < 3);
  if (staged) return ports == 1 || ports == 3;
  return !single && half && ports > 2;
}

void check_sample(std::uint32_t seed, bool wrong, Port ports, Tally& tally) {
  const Sample sample(seed, wrong, ports);
  if (ports <= kFewPorts && without_engine(sample)) return;
  INFO(sample.script.text());
  INFO("seed " << seed << ", " << sample.flits << " flits, stages " << sample.stages
               << ", planted: " << sample.planted);
  const Verdict v = judge(sample.script, sample.flits, sample.stages, seed);
  const bool as_it_should_be = tally.count(sample, v);
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
  check_many(1, 700, kFewPorts);
}

TEST_CASE("the same of many schedules (RUNS, SEED), also on nodes of six ports", "[.long]") {
  check_many(setting("SEED", 1000), setting("RUNS", 20000), /*ports=*/6);
}
