#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "export/export.hpp"
#include "fabric/payload.hpp"
#include "support/refuse.hpp"
#include "tables/compiler.hpp"
#include "tables/expected_logs.hpp"
#include "tables/mem_image.hpp"
#include "tables/programs.hpp"

namespace gossamer {
namespace {

/// Steps through a table like the sequencer; `visit` receives the entry of every slot.
template <class Visit>
void walk(const std::vector<SlotEntry>& table, Visit visit) {
  std::uint32_t passes = 0;
  std::size_t begin = 0;  // of the loop
  for (std::size_t at = 0; at < table.size(); ++at) {
    const SlotEntry& entry = table[at];
    if (entry.begins) begin = at;
    for (std::uint32_t i = 0; i < entry.repeat; ++i) visit(entry);
    if (!entry.loop) continue;
    if (++passes < entry.loops) {
      at = begin - 1;
    } else {
      passes = 0;
    }
  }
}

bool forwards(const SlotEntry& entry, const NodeKind& kind) {
  for (Port output = 0; output < kind.ports; ++output) {
    const Port source = entry.select[output];
    if (source != select_of(kind, output) && source != select_none(kind)) return true;
  }
  return false;
}

/// Why one-cycle nodes cannot execute an entry; empty if they can.
std::string refusal(const SlotEntry& entry, const NodeKind& kind) {
  if (entry.stream > 1) {
    return fmt::format("sends {} flits; one-cycle nodes send one a slot", entry.stream);
  }
  if (entry.length > 1 && forwards(entry, kind)) {
    return fmt::format(
        "forwards within a slot of {} cycles; one-cycle nodes forward in the next "
        "slot, as pipelined schedules do over links without register stages",
        entry.length);
  }
  return "";
}

/// The table with an entry for each cycle. A longer slot sends or receives in its first cycle,
/// because it has only one flit.
std::vector<SlotEntry> one_cycle_table(const std::vector<SlotEntry>& table, const NodeKind& kind,
                                       Node node) {
  std::vector<SlotEntry> cycles;
  SlotEntry idle;
  idle.select.assign(kind.ports, select_none(kind));
  std::uint32_t slot = 0;
  walk(table, [&](const SlotEntry& entry) {
    ++slot;
    if (const std::string why = refusal(entry, kind); !why.empty()) {
      refuse("slot {}: node {} {}", slot, node, why);
    }
    if (cycles.size() + entry.length >= kMaxEntries) {
      refuse(
          "slot {}: node {} has done {} cycles by then; one-cycle nodes need an entry for each, "
          "and a slot table has at most {}",
          slot, node, cycles.size() + entry.length, kMaxEntries - 1);
    }
    SlotEntry first = entry;
    first.length = first.repeat = first.loops = 1;
    first.begins = first.loop = first.final = false;
    cycles.push_back(std::move(first));
    cycles.insert(cycles.end(), entry.length - 1, idle);
  });
  if (!cycles.empty()) cycles.back().final = true;
  return cycles;
}

/// The first node that runs each program.
std::vector<Node> first_nodes(const FabricImage& image) {
  std::vector<Node> first(image.programs.size());
  for (Node x = image.topology.nodes(); x-- > 0;) first[image.program_of[x]] = x;
  return first;
}

/// The addresses that a node with `own` own words reads, in order; own words may be moved.
class Order {
 public:
  Order(const NodeKind& kind, Node node, std::uint32_t own)
      : kind_(kind), node_(node), place_(own, kNowhere) {}

  void read(const Segment& s) {
    for (std::uint32_t run = 0; run < s.count; ++run) {
      for (std::uint32_t i = 0; i < s.run; ++i) read(s.log, s.base + run * s.stride + i);
    }
  }
  std::uint32_t reads() const { return reads_; }
  /// The new place of each own word; those that are never sent come last.
  std::vector<std::uint32_t> finish() {
    std::uint32_t next = reads_;
    for (std::uint32_t& place : place_) {
      if (place == kNowhere) place = next++;
    }
    return place_;
  }

 private:
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

  void read(unsigned log, std::uint32_t address) {
    const bool in_own_log = log == kind_.own_log();
    if (in_own_log && address < place_.size()) {
      if (place_[address] != kNowhere) {
        refuse("node {} sends word {} of its own again; in-order nodes send each once", node_,
               address);
      }
      place_[address] = reads_;
    } else if (!kind_.single_port || address != reads_) {
      refuse("node {} passes on what it received; in-order nodes {}", node_,
             kind_.single_port ? "send all that comes, in its order"
                               : "of several ports send own words alone");
    }
    ++reads_;
  }

  const NodeKind& kind_;
  const Node node_;
  std::vector<std::uint32_t> place_;  ///< of every own word: when it is read
  std::uint32_t reads_ = 0;
};

}  // namespace

void fit_one_cycle_nodes(FabricImage& image) {
  if (image.kind.half_duplex) {
    throw InputError(
        "one-cycle nodes have full-duplex links, and this schedule is for half duplex");
  }
  if (image.kind.adaptive) {
    throw InputError("one-cycle nodes are not adaptive, and this schedule is decided as it runs");
  }
  const std::vector<Node> nodes = first_nodes(image);
  for (std::size_t i = 0; i < image.programs.size(); ++i) {
    auto& slots = image.programs[i].slots;
    slots = one_cycle_table(slots, image.kind, nodes[i]);
  }
  image.kind.one_cycle = true;
}

void fit_in_order_nodes(FabricImage& image) {
  if (image.kind.channels != 1) {
    refuse("in-order nodes have one read channel, and this schedule needs {}", image.kind.channels);
  }
  std::vector<NodeProgram> programs = image.programs;
  std::vector<std::uint32_t> words(image.own_words.size());
  for (Node x = 0; x < image.topology.nodes(); ++x) {
    Order order(image.kind, x, image.own_size(x));
    for (const Segment& s : image.programs[image.program_of[x]].channels[0]) order.read(s);
    auto& list = programs[image.program_of[x]].channels[0];
    list.clear();
    if (order.reads() > 0) list.push_back({.log = image.kind.own_log(), .run = order.reads()});
    const auto places = order.finish();
    for (std::uint32_t i = 0; i < places.size(); ++i) {
      words[image.own_begin[x] + places[i]] = image.own_words[image.own_begin[x] + i];
    }
  }
  image.programs = std::move(programs);
  image.own_words = std::move(words);
  image.kind.in_order = true;
}

namespace {

/// What a host writes to CFG_CONTROL for each program, and where its words are.
std::string notes_of(std::span<const Program> programs, const Programs& all) {
  std::string text;
  const NodeKind& kind = all.image.kind;
  for (std::size_t k = 0; k < all.starts.size(); ++k) {
    text += fmt::format(
        "program {} control 0x{:08x} cycles {}\n", k,
        static_cast<unsigned>(k) << rtl::CONTROL_PROGRAM_LSB |
            unsigned{programs[all.starts[k][0]].after.has_value()} << rtl::CONTROL_KEEP | 1u,
        all.cycles(k));
    for (Node x = 0; x < all.image.topology.nodes(); ++x) {
      const std::size_t its = all.runs[k][x];
      const Programs::Place& place = all.places[its][x];
      if (place.own_words == 0 || programs[its].takes) continue;
      text += fmt::format("own {} {} {} {}\n", x, kind.own_log(), place.own, place.own_words);
    }
    for (const HeldWords& r : results_of(programs, all, k)) text += to_string(r) + "\n";
  }
  return text;
}

}  // namespace

NodeCost export_mem(std::span<const Program> programs, const MemOptions& options,
                    const std::string& folder) {
  Programs all = programs_of(programs, programs[0].schedule->topology().ports());
  FabricImage& image = all.image;
  if (image.kind.adaptive) {
    throw InputError("mem: images are for nodes that are not adaptive; the driver loads those");
  }
  if (programs.size() > 1 && (options.one_cycle || options.in_order)) {
    throw InputError(
        "mem: nodes of one-cycle slots or in order are for one schedule, not for a job");
  }
  if (options.one_cycle) fit_one_cycle_nodes(image);
  if (options.in_order) fit_in_order_nodes(image);
  std::optional<TorusPart> part;
  if (!options.part.empty()) part = torus_part(torus_shape(image.topology), options.part);
  NodeBuild build = build_for(image);
  if (options.tight) {
    std::uint32_t own = 0;
    for (Node x = 0; x < image.topology.nodes(); ++x) own = std::max(own, image.own_size(x));
    tighten(image, build, own);
  }
  write_mem_images(image, build, folder, part, {{"programs.txt", notes_of(programs, all)}});
  return cost_of(build, false);
}

}  // namespace gossamer
