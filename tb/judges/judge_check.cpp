#include "judges/judge_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <utility>

#include "driver/case.hpp"
#include "engines/engine_library.hpp"
#include "judges/deviating_fabric.hpp"
#include "judges/planted_deviations.hpp"
#include "judges/written_numbers.hpp"
#include "judges/written_reports.hpp"
#include "judges/written_sums.hpp"
#include "judges/written_texts.hpp"
#include "schedule/jsonl.hpp"

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
    const auto& [origin, destination] = r.message;
    const std::string what =
        origin == kNoNode        ? "of no message"
        : destination == kNoNode ? fmt::format("of message {}", origin)
                                 : fmt::format("of message {}>{}", origin, destination);
    text += fmt::format("{}: node {} port {}, {} flits {} from flit {}\n", r.begin, r.from, r.port,
                        r.flits, what, r.first);
  }
  return text;
}

std::string quoted(const std::vector<std::string>& problems) {
  return problems.empty() ? "nothing" : fmt::format("\"{}\"", fmt::join(problems, "\", \""));
}

/// The run is skipped: nobody needed its engine.
struct NotLoaded {};

class Check {
 public:
  Check(const Judge& judge, bool all) : judge_(judge), all_(all) {}

  /// Throws NotLoaded.
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

  JudgeCheck take() { return std::move(check_); }

 private:
  static Schedule schedule_of(const SmallRun& run) {
    if (run.lines.empty()) return make_plan(run.asked).schedule;
    std::istringstream in(run.lines);
    return read_jsonl(in, run.name);
  }

  RunResult judged(const SmallRun& run, const Deviation& deviation) const {
    const MakeFabric make = [&](const RunOptions& options, const FabricImage& image) {
      if (!all_ && !tile_engine_is_loaded(image.kind, false, image.most_stages() != 0))
        throw NotLoaded();
      return std::make_unique<DeviatingFabric>(make_fabric(options, image), deviation);
    };
    RunOptions options;
    options.flits = run.asked.flits;
    options.compressed = run.compressed;
    if (run.symmetric) options.symmetric = true;
    options.record = !run.recorded.empty();
    options.threads = run.threads;
    try {
      return judge_(schedule_of(run), options, make);
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
  bool all_;
  JudgeCheck check_;
};

}  // namespace

JudgeCheck check_judges(const Judge& judge, bool all) {
  Check check(judge, all);
  for (const SmallRun& run : small_runs()) {
    try {
      check.sound_run(run);
    } catch (const NotLoaded&) {
      continue;
    }
    for (const Planted& planted : run.planted) check.planted(run, planted);
  }
  static const std::vector<std::vector<WrittenText>> kTexts = {
      written_texts(), written_numbers(), written_reports(), written_sums()};  // once a process
  for (const auto& texts : kTexts) {
    for (const WrittenText& text : texts) check.written(text);
  }
  return check.take();
}

}  // namespace gossamer::tb
