#include <fmt/format.h>

#include <string>

#include "cli/text.hpp"
#include "support/job.hpp"

namespace gossamer::cli {
namespace {

/// One line: name, number, and the number's meaning.
void line(const Paint& paint, std::string_view what, const std::string& value,
          const std::string& meaning) {
  fmt::print("  {:<17} {:>15}   {}\n", what, value, paint.faint(meaning));
}

std::string rounds_meaning(const Facts& r) {
  std::string text;
  if (const auto& formula = r.plan->formula) {
    text = fmt::format("formula {} = {}; ", formula->text, formula->rounds);
  }
  return text + fmt::format("no {} needs fewer than {} ({})", r.bound.of, r.bound.value,
                            r.bound.source);
}

/// What the schedule tolerates, what is faulty, and what is then missing.
void print_faults(const Facts& r, const Paint& paint) {
  if (const auto tolerance = r.plan->tolerance) {
    line(paint, "tolerance", grouped(*tolerance),
         "faulty nodes and links that it tolerates, whichever they are");
  }
  const FaultSet& faults = r.schedule().faults;
  if (faults.empty()) return;
  const FaultLinks parts = links_of(faults);
  line(paint, "faults", grouped(faults.nodes.size() + parts.links.size() + parts.arcs.size()),
       to_string(faults));
  line(paint, "missing", grouped(r.check.missing.size()),
       fmt::format("of {} messages that healthy nodes should have from healthy nodes",
                   grouped(r.check.expected)));
}

/// Does the run end when a sum is written, and not when a flit arrives?
bool ends_merging(const Facts& r) { return r.timed && r.timed->time.ends_merging(); }

/// Messages name nodes by number, as schedule files do.
std::string names_text(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 16;
  std::string text;
  for (std::size_t x = 0; x < names.size() && x < kMost; ++x) {
    text += fmt::format("{}{} {}", x == 0 ? "" : ", ", x, names[x]);
  }
  return names.size() > kMost ? text + ", ..." : text;
}

void print_schedule(const Facts& r, const Paint& paint) {
  const CheckReport& c = r.check;
  if (const Topology& topology = r.schedule().topology(); topology.named()) {
    const auto& names = topology.factors()[0].names;
    line(paint, "names", grouped(names.size()), names_text(names));
  }
  print_faults(r, paint);
  line(paint, "rounds", grouped(c.rounds), rounds_meaning(r));
  if (const auto slots = r.slots()) {
    line(paint, "slots", grouped(*slots), "from the first used on a link to the last");
  }
  line(paint, "delta_sum", grouped(c.delta_sum), "hops: the longest path of each round, summed");
  line(paint, "tau_sum", grouped(c.tau_sum),
       "messages: the most on one path of each round, summed");
  line(paint, "transmissions", grouped(c.transmissions),
       r.adaptive() || !r.schedule().faults.empty()
           ? "messages that really crossed a link, over all links"
           : "messages times hops, over all transfers");
  if (r.adaptive()) {
    line(paint, "offered", grouped(r.offered()),
         "messages: places in the slots of one node, over all rounds");
  }
  if (!r.timed) return;
  line(paint, "cycles predicted", grouped(*r.cycles_predicted()),
       r.adaptive()
           ? "from the start pulse (cycle 0) to the end of the last slot, whatever was sent"
       : ends_merging(r) ? "from the start pulse (cycle 0) to the last sum that a node writes"
                         : "from the start pulse (cycle 0) to the last flit on its last link");
  if (const auto ratio = r.ratio_to_bound()) {
    line(paint, "cycles bound", grouped(r.cycles_bound->value),
         fmt::format("no {} takes fewer ({}); predicted: {:.2f} times that",
                     r.cycles_bound->of, r.cycles_bound->source, *ratio));
  }
}

void print_nodes(const Facts& r, const Paint& paint) {
  if (r.run->nodes_simulated == r.nodes()) return;
  line(paint, "nodes simulated", grouped(r.run->nodes_simulated),
       fmt::format("one of each class; what follows is said of all {}", grouped(r.nodes())));
}

/// All of the run counts, from loading the fabric to the verdict.
void print_speed(const Facts& r, const Paint& paint) {
  const RunResult& run = *r.run;
  line(paint, "run in", fmt::format("{:.3f} s", run.wall_seconds),
       fmt::format("{:.1f} million node-cycles/s; {:.1f} in the {} engine itself",
                   run.node_cycles_per_second / 1e6, run.engine_node_cycles_per_second / 1e6,
                   r.request.engine));
}

void print_run(const Facts& r, const Paint& paint) {
  const RunResult& run = *r.run;
  print_nodes(r, paint);
  line(paint, "cycles measured", grouped(run.cycles_measured),
       r.adaptive() || ends_merging(r) ? "the same, as the nodes ended their tables"
                                     : "the same, as the monitors of the links saw it");
  const bool sums = reduces(r.schedule().collective());
  line(paint, "delivered", grouped(run.delivered),
       fmt::format("of {} {}", grouped(run.expected),
                   sums ? "nodes that must have a sum"
                        : "(node, message) pairs, a node's own not counted"));
  line(paint, "words checked", grouped(run.words_checked),
       sums ? "of these sums, each compared with all parts together"
            : "in all message stores, each compared with what its origin sent");
  if (run.link_cycles_checked != 0) {
    line(paint, "link cycles", grouped(run.link_cycles_checked),
         "links times cycles, each compared with what the schedule puts there");
  }
  line(paint, "errors", grouped(run.errors), "nodes whose hardware raised an error");
  print_speed(r, paint);
}

/// How far an interrupted run came.
void print_broken_run(const Facts& r, const Paint& paint) {
  const RunResult& run = *r.run;
  print_nodes(r, paint);
  line(paint, "cycles simulated", grouped(run.cycles_simulated),
       fmt::format("of {} predicted", grouped(run.cycles_predicted)));
  line(paint, "rounds done", grouped(run.rounds_done),
       fmt::format("of {}: their slots had ended", grouped(r.check.rounds)));
  line(paint, "flits moved", grouped(run.flits_moved), "over links, every hop counted");
  if (run.words_checked != 0) {
    line(paint, "words checked", grouped(run.words_checked),
         "that had arrived, each compared with what its origin sent");
  }
  line(paint, "errors", grouped(run.errors), "nodes whose hardware had raised an error");
  print_speed(r, paint);
}

/// What another choice of algorithm would take, if there was a choice.
void print_runner_up(const Facts& r) {
  const auto& next = r.plan->runner_up;
  if (!next) return;
  fmt::print("runner-up: {}{}{}, {} {} cycles\n", next->algorithm, through(next->ports),
             next->pieces > 1 ? fmt::format(" in {} pieces", next->pieces) : "",
             next->exact ? "takes" : "takes at least", grouped(next->cycles));
}

std::string verdict_text(const Facts& r, const Paint& paint) {
  if (r.interrupted()) return paint.bad("INTERRUPTED") + " while " + r.interrupted_in;
  return r.passed() ? paint.good("PASS") : paint.bad("FAIL");
}

}  // namespace

int exit_status(const Facts& r) {
  if (r.interrupted()) return 128 + interrupt_signal();
  return r.passed() ? 0 : 1;
}

void print_report(const Facts& r, const Paint& paint) {
  if (!r.plan) {  // interrupted before anything was known
    fmt::print("{}\n", verdict_text(r, paint));
    return;
  }
  fmt::print("{}\n", paint.strong(title_of(r)));
  const std::uint32_t pieces = r.schedule().pieces();
  fmt::print("{}\n\n", paint.faint(fmt::format(
                            "{} nodes, {}, messages of {}{}", grouped(r.nodes()),
                            model_text(r.schedule().model()), flits_text(r),
                            pieces > 1 ? fmt::format(" in {} pieces", pieces) : "")));
  print_schedule(r, paint);
  if (r.run && r.run->interrupted) {
    print_broken_run(r, paint);
  } else if (r.run) {
    print_run(r, paint);
  }
  if (r.check_ignored && !r.check.ok()) {
    fmt::print("\nThe checker refuses this schedule (it ran because of --no-check):\n");
    for (const BrokenRule& fault : r.check.faults) fmt::print("  {}\n", to_string(fault));
  }
  fmt::print("\n{}\n", verdict_text(r, paint));
  for (const std::string& problem : r.problems) fmt::print("  {}\n", problem);
  print_runner_up(r);
}

}  // namespace gossamer::cli
