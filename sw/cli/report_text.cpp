#include <fmt/format.h>

#include "cli/text.hpp"

namespace gossamer::cli {
namespace {

/// One line: what, its number, and what the number means.
void line(const Paint& paint, std::string_view what, const std::string& value,
          const std::string& meaning) {
  fmt::print("  {:<17} {:>15}   {}\n", what, value, paint.faint(meaning));
}

std::string title(const Report& r) {
  std::string text = fmt::format("{} on {}", to_string(r.collective), r.topology);
  if (has_root(r.collective)) text += fmt::format(", root {}", r.root);
  if (!r.algorithm.empty()) {
    text += fmt::format(" by {} ({}{})", r.algorithm, r.source,
                        r.algorithm_chosen ? "; fewest rounds" : "");
  }
  if (!r.asked.file.empty()) text += fmt::format(", read from {}", r.asked.file);
  return text;
}

std::string rounds_meaning(const Report& r) {
  std::string text;
  if (r.formula) {
    text = fmt::format("formula {} = {}; ", r.formula->text, r.formula->rounds);
  }
  return text + fmt::format("no schedule needs fewer than {} ({})", r.bound.value, r.bound.source);
}

void print_schedule(const Report& r, const Paint& paint) {
  const CheckReport& c = r.check;
  line(paint, "rounds", grouped(c.rounds), rounds_meaning(r));
  line(paint, "delta_sum", grouped(c.delta_sum), "hops: the longest path of each round, summed");
  line(paint, "tau_sum", grouped(c.tau_sum),
       "messages: the most on one path of each round, summed");
  line(paint, "transmissions", grouped(c.transmissions), "messages times hops, over all transfers");
  if (!r.cycles_predicted) return;
  line(paint, "cycles predicted", grouped(*r.cycles_predicted),
       "from the start pulse (cycle 0) to the last flit on its last link");
}

void print_run(const Report& r, const Paint& paint) {
  const RunResult& run = *r.run;
  line(paint, "cycles measured", grouped(run.cycles_measured),
       "the same, as the monitors of the links saw it");
  line(paint, "delivered", grouped(run.delivered),
       fmt::format("of {} (node, message) pairs, a node's own not counted", grouped(run.expected)));
  line(paint, "words checked", grouped(run.words_checked),
       "in all message stores, each compared with what its origin sent");
  if (run.link_cycles_checked != 0) {
    line(paint, "link cycles", grouped(run.link_cycles_checked),
         "links times cycles, each compared with what the schedule puts there");
  }
  line(paint, "errors", grouped(run.errors), "nodes whose hardware raised an error");
  line(paint, "simulated in", fmt::format("{:.3f} s", run.wall_seconds),
       fmt::format("{:.1f} million node-cycles/s, {} engine", run.node_cycles_per_second / 1e6,
                   r.asked.engine));
}

}  // namespace

void print_report(const Report& r, const Paint& paint) {
  fmt::print("{}\n", paint.strong(title(r)));
  fmt::print("{}\n\n",
             paint.faint(fmt::format("{} nodes, {}, messages of {} flits", grouped(r.nodes),
                                     model_text(r.model), r.asked.flits)));
  print_schedule(r, paint);
  if (r.run) print_run(r, paint);
  if (r.check_ignored && !r.check.ok()) {
    fmt::print("\nThe checker refuses this schedule (--no-check ran it all the same):\n");
    for (const Fault& fault : r.check.faults) fmt::print("  {}\n", to_string(fault));
  }
  fmt::print("\n{}\n", r.passed() ? paint.good("PASS") : paint.bad("FAIL"));
  for (const std::string& problem : r.problems) fmt::print("  {}\n", problem);
}

}  // namespace gossamer::cli
