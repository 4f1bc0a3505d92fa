#include <algorithm>
#include <numeric>

#include "driver/report.hpp"
#include "expand_program.hpp"
#include "export/export.hpp"
#include "fabric/payload.hpp"
#include "tables/compiler.hpp"
#include "tables/expected_logs.hpp"
#include "tables/mem_image.hpp"
#include "targets.hpp"

namespace gossamer::fuzz {
namespace {

/// A table has a slot for each round, even for one without transfers.
constexpr std::uint64_t kMostSlots = 20'000;
constexpr std::uint64_t kMostWords = 100'000;
/// Of 64 nodes: bounds of more take seconds under the sanitizers.
constexpr std::uint64_t kMostPairs = 4096;

/// A schedule that does not fit into tables is refused in one of these two ways.
template <typename Make>
auto answer_of_tables(Make make) -> std::optional<decltype(make())> {
  try {
    return answer("", make);
  } catch (const std::overflow_error& error) {
    demand_line(error.what(), "");
    return std::nullopt;
  }
}

void demand_encoded(const FabricImage& image) {
  for (const NodeProgram& program : image.programs) {
    for (const SlotEntry& e : program.slots) {
      demand(decode_slot(encode(e, image.kind), image.kind) == e,
             "a slot encoded and decoded should be the same");
    }
    for (const auto& list : program.channels) {
      for (const Segment& s : list) {
        demand(decode_segment(encode(s)) == s, "a segment encoded and decoded should be the same");
      }
    }
  }
}

/// Loops and repeats of a table expand to exactly the slots of the schedule; in a reduction they
/// may be parts of these.
void demand_all_slots(const CompiledSchedule& compiled) {
  for (const NodeProgram& program : compiled.image.programs) {
    const auto slots = test::expand(program.slots);
    if (compiled.image.kind.join) {
      std::uint64_t cycles = 0;
      for (const SlotEntry& e : slots) cycles += e.length;
      demand(cycles == std::accumulate(compiled.time.length.begin(), compiled.time.length.end(),
                                       std::uint64_t{0}),
             "a node's table should take the schedule's cycles");
      continue;
    }
    demand(slots.size() == compiled.time.length.size() &&
               std::ranges::equal(slots, compiled.time.length, {}, &SlotEntry::length),
           "a node's table should have the schedule's slots");
  }
}

void compile_and_look(const Schedule& schedule, unsigned flits, Port ports) {
  auto compiled = answer_of_tables([&] { return compile(schedule, flits, ports); });
  if (!compiled) return;
  const bool encodes = answer_of_tables([&] {
                         demand_encoded(compiled->image);
                         return true;
                       }).has_value();
  if (!encodes) return;
  if (!compiled->image.kind.adaptive) demand_all_slots(*compiled);
  if (const auto depths = answer_of_tables([&] { return depths_for(compiled->image); })) {
    const NodeBuild build{.kind = compiled->image.kind, .depths = *depths};
    answer_of_tables([&] { return axi_table_writes(compiled->image, build, {}).size(); });
  }
  answer_of_tables([&] {
    const Payload payload(schedule, flits, 1);
    return expected_logs(schedule, compiled->image.kind, payload) != nullptr;
  });
  if (compiled->image.kind.adaptive) return;
  const auto placed = answer_of_tables([&] {
    const Payload payload(schedule, flits, 1);
    add_own_words(compiled->image, schedule, payload);
    return true;
  });
  if (!placed) return;
  for (void (*fit)(FabricImage&) : {fit_one_cycle_nodes, fit_in_order_nodes}) {
    FabricImage image = compiled->image;
    answer_of_tables([&] {
      fit(image);
      demand_encoded(image);
      return true;
    });
  }
}

}  // namespace

void tables(std::string_view input) {
  const auto schedule = read_schedule(input);
  if (!schedule) return;
  const std::uint64_t nodes = schedule->topology().nodes();
  if (schedule->rounds() * nodes > kMostSlots || nodes * nodes > kMostPairs) return;
  const Plan plan{*schedule, std::nullopt, nullptr};
  Case asked;
  asked.flits = schedule->model().switching == Switching::Pipelined ? 1 : 2;
  const auto report =
      answer_of_tables([&] { return examine(asked, plan, /*ignore_faults=*/true); });
  if (!report || !report->timed) return;
  if (report->check.transmissions > kMostWords) return;
  const Port ports = schedule->topology().ports();
  compile_and_look(*schedule, asked.flits, ports + ports % 2);
  if (!report->check.ok()) return;
  answer("", [&] { return goal_text(*schedule, 2).size(); });
  answer("", [&] { return msccl_xml(*schedule).size(); });
}

}  // namespace gossamer::fuzz
