#include "judges/judge_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <utility>

#include "checks/verdict.hpp"
#include "driver/case.hpp"
#include "engines/engine_library.hpp"
#include "export/export.hpp"
#include "judges/deviating_fabric.hpp"
#include "judges/planted_deviations.hpp"
#include "judges/written_texts.hpp"
#include "schedule/jsonl.hpp"
#include "tables/compiler.hpp"
#include "tables/expected_logs.hpp"

namespace gossamer::tb {
namespace {

std::string to_string(const Numbers& n) {
  return fmt::format("{} cycles, {} flits moved, {} words, {} link cycles, {} of {} delivered",
                     n.cycles, n.flits_moved, n.words, n.link_cycles, n.delivered, n.expected);
}

Numbers numbers_of(const RunResult& r) {
  return {r.cycles_measured,     r.flits_moved, r.words_checked,
          r.link_cycles_checked, r.delivered,   r.expected};
}

/// "3: node 0 port 1, 2 flits of message 0 from flit 0" for each, in order of their ends.
std::string text_of(const std::optional<LinkRecord>& record) {
  if (!record) return "";
  std::string text = fmt::format("cycles 0 to {}\n", record->last);
  for (const LinkRun& r : record->runs) {
    const auto& [origin, destination, piece] = r.message;
    const std::string what = origin == kNoNode ? "of no message"
                             : destination == kNoNode
                                 ? fmt::format("of message {}", origin)
                                 : fmt::format("of message {}>{}", origin, destination);
    text += fmt::format("{}: node {} port {}, {} flits {} from flit {}\n", r.begin, r.from, r.port,
                        r.flits, what, r.first);
  }
  return text;
}

std::string quoted(const std::vector<std::string>& problems) {
  return problems.empty() ? "nothing" : fmt::format("\"{}\"", fmt::join(problems, "\", \""));
}

class Check {
 public:
  explicit Check(const Judge& judge) : judge_(judge) {}

  void sound_run(const SmallRun& run) {
    const RunResult result = judged(run, {});
    if (result.problems != run.problems) {
      complain(run.name, "nothing planted", quoted(run.problems), quoted(result.problems));
    }
    if (const std::string seen = text_of(result.record); seen != run.recorded) {
      written({run.name + ", what was on its links", seen, run.recorded});
      --check_.texts;
    }
    if (numbers_of(result) != run.numbers) {
      complain(run.name, "nothing planted", to_string(run.numbers), to_string(numbers_of(result)));
    }
  }

  void planted(const SmallRun& run, const Planted& planted) {
    ++check_.planted;
    const RunResult result = judged(run, planted.deviation);
    if (result.problems == planted.problems) return;
    complain(run.name, planted.what, quoted(planted.problems), quoted(result.problems));
  }

  void written(const WrittenText& text) {
    ++check_.texts;
    const std::string problem = difference(text);
    if (!problem.empty()) check_.problems.push_back(problem);
  }

  /// What is said of a run that is given up in a cycle.
  std::string given_up(const SmallRun& run, const Deviation& deviation,
                       std::uint64_t cycles) const {
    const Schedule schedule = schedule_of(run);
    const unsigned flits = run.request.flits;
    const Port ports = tile_ports(schedule.topology().ports());
    Loaded loaded{schedule, {}, {schedule, flits, 1}, compile(schedule, flits, ports, true)};
    FabricImage& image = loaded.compiled.image;
    add_own_words(image, schedule, loaded.payload);
    if (run.compressed) image.expected = expected_logs(schedule, image.kind, loaded.payload);
    const auto fabric = fabric_of(deviation)(loaded.options, image);
    fabric->load(image);
    fabric->run(cycles);
    RunResult result;
    judge_interrupted(*fabric, loaded, result);
    return fmt::format("{}, cycle {}: {} cycles, {} rounds, {} words, {} errors; {}\n", run.name,
                       cycles, result.cycles_simulated, result.rounds_done, result.words_checked,
                       result.errors, quoted(result.problems));
  }

  JudgeCheck take() { return std::move(check_); }

 private:
  static Schedule schedule_of(const SmallRun& run) {
    if (run.lines.empty()) return make_plan(run.request).schedule;
    std::istringstream in(run.lines);
    return read_jsonl(in, run.name);
  }

  /// Makes engines' fabrics with this deviation, which must outlive them.
  static MakeFabric fabric_of(const Deviation& deviation) {
    return [&deviation](const RunOptions& options, const FabricImage& image) {
      return std::make_unique<DeviatingFabric>(make_fabric(options, image), deviation);
    };
  }

  RunResult judged(const SmallRun& run, const Deviation& deviation) const {
    RunOptions options;
    options.flits = run.request.flits;
    options.compressed = run.compressed;
    if (run.symmetric) options.symmetric = true;
    options.record = !run.recorded.empty();
    options.threads = run.threads;
    try {
      return judge_(schedule_of(run), options, fabric_of(deviation));
    } catch (const std::exception& error) {
      RunResult result;
      result.problems = {fmt::format("the judge gave up: {}", error.what())};
      return result;
    }
  }

  void complain(const std::string& run, const std::string& what, const std::string& expected,
                const std::string& said) {
    check_.problems.push_back(
        fmt::format("{}, {}: the judges say {}; expected {}", run, what, said, expected));
  }

  const Judge& judge_;
  JudgeCheck check_;
};

constexpr const char* kGivenUp =
    R"(ring:4, cycle 0: 0 cycles, 0 rounds, 12 words, 0 errors; nothing
ring:4, cycle 0: 0 cycles, 0 rounds, 12 words, 0 errors; "node 1: its own word 1 was overwritten"
ring:4, cycle 9: 9 cycles, 2 rounds, 36 words, 0 errors; nothing
ring:4, cycle 9: 9 cycles, 2 rounds, 36 words, 0 errors; "node 1: its own word 1 was overwritten", "node 2, log 0, word 4: the message of node 1 breaks off at flit 1", "node 2, log 0, word 4: 0x0b4aa521 is no word that anybody sent", "node 2, log 0, word 5: 0x6f2a354e is flit 2 of the message of node 1, not the first one", "node 3, log 0, word 7: the message of node 1 breaks off at flit 1", "and 2 more problems in message stores"
ring:4, compressed stores, two threads, cycle 0: 0 cycles, 0 rounds, 12 words, 0 errors; nothing
ring:4, compressed stores, two threads, cycle 0: 0 cycles, 0 rounds, 12 words, 0 errors; "1 words arrived that the schedule does not have there"
ring:4, compressed stores, two threads, cycle 9: 9 cycles, 2 rounds, 36 words, 0 errors; nothing
ring:4, compressed stores, two threads, cycle 9: 9 cycles, 2 rounds, 36 words, 0 errors; "3 words arrived that the schedule does not have there"
)";

}  // namespace

JudgeCheck check_judges(const Judge& judge) {
  Check check(judge);
  for (const SmallRun& run : small_runs()) {
    check.sound_run(run);
    for (const Planted& planted : run.planted) check.planted(run, planted);
  }
  std::string given_up;
  Deviation wrong;
  wrong.image = [](FabricImage& image) { image.own_words[4] ^= 1; };
  for (const SmallRun& run : small_runs()) {
    if (!run.name.starts_with("ring:4")) continue;
    for (const std::uint64_t cycles : {0, 9}) {
      given_up += check.given_up(run, {}, cycles);
      given_up += check.given_up(run, wrong, cycles);
    }
  }
  check.written({"runs that are given up", given_up, kGivenUp});
  static const std::vector<std::vector<WrittenText>> kTexts = {
      written_texts(), written_reports()};  // once a process
  for (const auto& texts : kTexts) {
    for (const WrittenText& text : texts) check.written(text);
  }
  return check.take();
}

}  // namespace gossamer::tb
