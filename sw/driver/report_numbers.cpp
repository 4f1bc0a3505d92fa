#include <fmt/format.h>

#include <string>

#include "driver/report.hpp"

namespace gossamer {
namespace {

/// "all ports, full duplex, circuit switching, combining"
std::string model_text(const Model& model) {
  return fmt::format(
      "{}, {} duplex, {} switching{}, {}",
      model.ports == PortModel::Single ? "single port" : "all ports", to_string(model.duplex),
      to_string(model.switching),
      model.hop_rounds == 1 ? "" : fmt::format(" ({} rounds a hop)", model.hop_rounds),
      model.combining ? "combining" : "one message a transfer");
}

std::string rounds_meaning(const Facts& r) {
  std::string text;
  if (const auto& formula = r.plan->formula) {
    text = fmt::format("formula {} = {}; ", formula->text, formula->rounds);
  }
  return text + fmt::format("no {} needs fewer than {} ({})", r.bound.of, r.bound.value,
                            r.bound.source);
}

/// Messages name nodes by number, as schedule files do.
std::string names_text(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 16;
  std::string text;
  for (std::size_t x = 0; x < names.size() && x < kMost; ++x) {
    text += fmt::format("{}{} {}", x == 0 ? "" : ", ", x, names[x]);
  }
  return names.size() > kMost ? text + ", ..." : text;
}

}  // namespace

std::vector<Number> numbers_of(const Facts& r) {
  std::vector<Number> all;
  const auto add = [&all](std::string name, std::uint64_t value, std::string meaning) {
    all.push_back({std::move(name), grouped(value), std::move(meaning)});
  };
  const CheckReport& c = r.check;
  const Topology& topology = r.schedule().topology();
  const FaultSet& faults = r.schedule().faults;
  const bool sums = reduces(r.schedule().collective());
  // Does the run end when a sum is written, and not when a flit arrives?
  const bool ends_merging = r.timed && r.timed->time.ends_merging();
  if (topology.named()) {
    const auto& names = topology.factors()[0].names;
    add("names", names.size(), names_text(names));
  }
  if (const auto tolerance = r.plan->tolerance) {
    add("tolerance", *tolerance, "faulty nodes and links that it tolerates, whichever they are");
  }
  if (!faults.empty()) {
    const FaultLinks parts = links_of(faults);
    add("faults", faults.nodes.size() + parts.links.size() + parts.arcs.size(), to_string(faults));
    add("missing", c.missing.size(),
        fmt::format("of {} messages that healthy nodes should have from healthy nodes",
                    grouped(c.expected)));
  }
  add("rounds", c.rounds, rounds_meaning(r));
  if (const auto slots = r.slots()) {
    add("slots", *slots, "from the first used on a link to the last");
  }
  add("delta_sum", c.delta_sum, "hops: the longest path of each round, summed");
  add("tau_sum", c.tau_sum, "messages: the most on one path of each round, summed");
  add("transmissions", c.transmissions,
      r.adaptive() || !faults.empty() ? "messages that really crossed a link, over all links"
                                      : "messages times hops, over all transfers");
  if (r.adaptive()) {
    add("offered", r.offered(), "messages: places in the slots of one node, over all rounds");
  }
  if (r.timed) {
    add("cycles predicted", *r.cycles_predicted(),
        r.adaptive()
            ? "from the start pulse (cycle 0) to the end of the last slot, whatever was sent"
        : ends_merging ? "from the start pulse (cycle 0) to the last sum that a node writes"
                       : "from the start pulse (cycle 0) to the last flit on its last link");
  }
  if (const auto ratio = r.ratio_to_bound()) {
    add("cycles bound", r.cycles_bound->value,
        fmt::format("no {} takes fewer ({}); predicted: {:.2f} times that", r.cycles_bound->of,
                    r.cycles_bound->source, *ratio));
  }
  if (!r.run) return all;
  const RunResult& run = *r.run;
  if (run.nodes_simulated != r.nodes()) {
    add("nodes simulated", run.nodes_simulated,
        fmt::format("one of each class; what follows is said of all {}", grouped(r.nodes())));
  }
  if (run.interrupted) {
    add("cycles simulated", run.cycles_simulated,
        fmt::format("of {} predicted", grouped(run.cycles_predicted)));
    add("rounds done", run.rounds_done,
        fmt::format("of {}: their slots had ended", grouped(c.rounds)));
    add("flits moved", run.flits_moved, "over links, every hop counted");
    if (run.words_checked != 0) {
      add("words checked", run.words_checked,
          "that had arrived, each compared with what its origin sent");
    }
    add("errors", run.errors, "nodes whose hardware had raised an error");
  } else {
    add("cycles measured", run.cycles_measured,
        r.adaptive() || ends_merging ? "the same, as the nodes ended their tables"
                                     : "the same, as the monitors of the links saw it");
    add("delivered", run.delivered,
        fmt::format("of {} {}", grouped(run.expected),
                    sums ? "nodes that must have a sum"
                         : "(node, message) pairs, a node's own not counted"));
    add("words checked", run.words_checked,
        sums ? "of these sums, each compared with all parts together"
             : "in all message stores, each compared with what its origin sent");
    if (run.link_cycles_checked != 0) {
      add("link cycles", run.link_cycles_checked,
          "links times cycles, each compared with what the schedule puts there");
    }
    add("errors", run.errors, "nodes whose hardware raised an error");
  }
  // All of the run counts, from loading the fabric to the verdict.
  all.push_back({"run in", fmt::format("{:.3f} s", run.wall_seconds),
                 fmt::format("{:.1f} million node-cycles/s; {:.1f} in the {} engine itself",
                             run.node_cycles_per_second / 1e6,
                             run.engine_node_cycles_per_second / 1e6, r.request.engine)});
  return all;
}

std::string model_of(const Facts& r) {
  const std::uint32_t pieces = r.schedule().pieces();
  return fmt::format("{} nodes, {}, messages of {}{}", grouped(r.nodes()),
                     model_text(r.schedule().model()), flits_text(r),
                     pieces > 1 ? fmt::format(" in {} pieces", pieces) : "");
}

}  // namespace gossamer
