#include "tables/node_build.hpp"

#include <algorithm>
#include <bit>
#include <set>
#include <string>
#include <type_traits>

#include "support/error.hpp"
#include "tables/read_clashes.hpp"

namespace gossamer {
namespace {

std::string describe(const NodeKind& kind) {
  std::string text = std::to_string(kind.ports) + " ports, " + std::to_string(kind.channels) +
                     " read channel" + (kind.channels == 1 ? "" : "s");
  for (const NodeParameter& p : kNodeParameters) {
    text += kind.*p.value != 0 ? p.name : p.name_off;
    if (kind.*p.value != 0 && p.bits > 1) text += std::to_string(kind.*p.value);
  }
  return text;
}

/// Joins numbers and text.
template <class... Parts>
std::string text(const Parts&... parts) {
  std::string all;
  const auto add = [&all](const auto& part) {
    if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(part)>>) {
      all += std::to_string(part);
    } else {
      all += part;
    }
  };
  (add(parts), ...);
  return all;
}

/// Checks the parts of a node; every message begins with the node's name.
class Judge {
 public:
  Judge(const FabricImage& image, const NodeBuild& build) : image_(image), build_(build) {}

  void judge() {
    check_kind();
    std::set<const NodeProgram*> seen;
    for (node_ = 0; node_ < image_.topology.nodes(); ++node_) {
      for (std::size_t k = 0; k < image_.held(); ++k) {
        const NodeProgram& program = image_.program(node_, k);
        if (seen.insert(&program).second) check_program(program, k);
      }
      check_node();
    }
  }

 private:
  template <class... Parts>
  [[noreturn]] void refuse(const Parts&... parts) const {
    throw InputError(text("node ", node_, ": ", parts...));
  }
  /// Checks a value for which the nodes have so many bits; `what` names it.
  template <class... What>
  void check_bits(std::uint64_t value, unsigned bits, const What&... what) const {
    if (value >> bits == 0) return;
    refuse(what..., " is ", value, "; these nodes are built for less than ",
           std::uint64_t{1} << bits);
  }
  template <class... What>
  void check_most(std::uint64_t value, std::uint64_t most, const What&... what) const {
    if (value > most) refuse(what..., " is ", value, "; these nodes have at most ", most);
  }

  void check_kind() const {
    NodeKind kind = image_.kind;
    kind.programs = std::max(kind.programs, build_.kind.programs);
    if (kind != build_.kind) {
      throw InputError("tables for nodes of " + describe(image_.kind) + ", but these have " +
                       describe(build_.kind));
    }
    for (Port p = 0; p < image_.kind.ports; ++p) {
      const std::uint32_t wanted = p < image_.stages.size() ? image_.stages[p] : 0;
      const std::uint32_t built = p < build_.stages.size() ? build_.stages[p] : 0;
      if (wanted == built) continue;
      throw InputError(text("tables for links of ", wanted, " register stages at port ", p,
                            ", but those of these nodes have ", built));
    }
    if (build_.flit_bits != 32) {
      throw InputError(
          text("tables for flits of 32 bits, but those of these nodes have ", build_.flit_bits));
    }
    const bool apart = build_.own_behind() && image_.arrivals != 0;
    const std::uint32_t words = apart ? image_.arrivals : image_.capacity;
    if (words > build_.log_depth()) {
      throw InputError(text("logs of ", words, " words are needed, but those of these nodes have ",
                            build_.log_depth()));
    }
    if (build_.kind.adaptive && image_.topology.nodes() > build_.messages) {
      throw InputError(text(image_.topology.nodes(), " messages, but these nodes can tell ",
                            build_.messages, " apart"));
    }
  }

  void check_program(const NodeProgram& program, std::size_t k) const {
    const auto room = [&](std::uint32_t depth) {
      return image_.begin(k + 1, depth) - image_.begin(k, depth);
    };
    // An entry of zeros follows the last one.
    check_most(program.slots.size() + 1, room(build_.depths.slots),
               "the number of entries in its slot table, with the end behind them,");
    for (std::size_t i = 0; i < program.slots.size(); ++i) check_entry(i, program.slots[i]);
    if (build_.kind.in_order) return;  // there are no lists
    for (std::size_t c = 0; c < program.channels.size(); ++c) {
      const auto& list = program.channels[c];
      check_most(list.size() + 1, room(build_.depths.segments), "the number of segments in list ",
                 c, ", with the end behind them,");
      for (std::size_t i = 0; i < list.size(); ++i) check_segment(c, i, list[i]);
    }
    if (build_.depths.shared.empty()) return;
    ReadClashes clashes(build_.kind);
    clashes.add(program);
    const auto clash = clashes.within(build_.depths.shared);
    if (!clash) return;
    const unsigned n = build_.kind.channels;
    refuse("lists ", clash->first % n, " and ", clash->second % n, " read different words of logs ",
           clash->first / n, " and ", clash->second / n,
           " at the same time; in these nodes they share one memory");
  }

  void check_entry(std::size_t at, const SlotEntry& e) const {
    const auto check = [&](std::uint32_t value, unsigned bits, const char* what) {
      check_bits(value, bits, "the ", what, " in entry ", at, " of its slot table");
    };
    check(e.length, build_.length_bits, "slot's length");
    check(e.stream, build_.length_bits, "stream's length");
    check(e.repeat, build_.count_bits, "repeat count");
    check(e.loops, build_.count_bits, "loop count");
    if (build_.kind.one_cycle && (e.length != 1 || e.repeat != 1 || e.loop)) {
      refuse("entry ", at, " of its slot table lasts ", e.length, " cycles, ", e.repeat, " times",
             e.loop ? ", in a loop" : "",
             "; these nodes have slots of one cycle, neither repeated nor looped");
    }
  }

  void check_segment(std::size_t channel, std::size_t at, const Segment& s) const {
    if (s.run == 0 || s.count == 0) {
      refuse("segment ", at, " of list ", channel, " has no words");
    }
    check_most(s.log, build_.kind.own_log(), "the log of segment ", at, " of list ", channel);
    // A stride may lead back: modulo 2^SEG_RUN_W.
    constexpr std::int64_t kModulus = std::int64_t{1} << rtl::SEG_RUN_W;
    const std::int64_t stride =
        s.stride < kModulus / 2 ? std::int64_t{s.stride} : std::int64_t{s.stride} - kModulus;
    const std::int64_t first = s.base, last = first + (std::int64_t{s.count} - 1) * stride;
    const std::int64_t low = std::min(first, last), end = std::max(first, last) + s.run;
    const std::uint32_t words =
        s.log == build_.kind.own_log() ? build_.own_depth() : build_.log_depth();
    if (low < 0 || end > words) {
      refuse("segment ", at, " of list ", channel, " takes words ", low, " to ", end - 1,
             " of a log; these nodes have ", words);
    }
    if (build_.kind.flat && (s.run != 1 || s.stride >> rtl::flat_t::stride.width != 0)) {
      refuse("segment ", at, " of list ", channel, " has runs, or a stride of ", s.stride,
             "; these nodes read single words, less than ", 1u << rtl::flat_t::stride.width,
             " apart");
    }
  }

  void check_node() const {
    if (!image_.own_begin.empty()) {  // otherwise they come from elsewhere
      check_most(image_.own_size(node_), build_.own_depth(), "the number of its own words");
    }
    if (!image_.dead.empty()) {
      check_bits(image_.dead_after, build_.count_bits,
                 "the number of slots after which outputs are dead");
    }
    if (!build_.kind.adaptive) return;
    const auto address_bits = static_cast<unsigned>(std::bit_width(build_.depths.words));
    check_bits(image_.message_shift, 5, "the shift");
    for (const std::uint32_t address : image_.partner) {
      check_bits(address, address_bits, "the address of a neighbour's message");
    }
    if (!image_.initiator.empty()) {
      check_bits(image_.initiator[node_], address_bits, "the address of the initiator's message");
    }
  }

  const FabricImage& image_;
  const NodeBuild& build_;
  Node node_ = 0;
};

}  // namespace

bool NodeBuild::own_behind() const {
  const unsigned own = kind.own_log() * kind.channels;
  return std::any_of(depths.shared.begin() + std::min<std::size_t>(own, depths.shared.size()),
                     depths.shared.end(),
                     [&](std::uint16_t home) { return home != 0 && home <= own; });
}

NodeBuild read_build(const std::function<std::uint32_t(unsigned)>& read) {
  const std::uint32_t model = read(rtl::CFG_MODEL);
  NodeBuild build;
  build.kind = {.ports = read(rtl::CFG_PORTS), .channels = read(rtl::CFG_CHANNELS)};
  for (const NodeParameter& p : kNodeParameters) {
    build.kind.*p.value = static_cast<std::uint8_t>(model >> p.lsb & ((1u << p.bits) - 1));
  }
  build.depths = {read(rtl::CFG_SLOT_DEPTH), read(rtl::CFG_LIST_DEPTH), read(rtl::CFG_CAPACITY),
                  read(rtl::CFG_OWN_CAPACITY)};
  for (unsigned i = 0; i < (build.kind.own_log() + 1) * build.kind.channels; ++i) {
    build.depths.shared.push_back(
        static_cast<std::uint16_t>(read(rtl::CFG_SHARED + i / 2) >> i % 2 * 16));
  }
  if (std::ranges::all_of(build.depths.shared, [](auto home) { return home == 0; })) {
    build.depths.shared.clear();
  }
  if (build.own_behind()) build.depths.words += build.depths.own;
  if (build.depths.own == build.depths.words) build.depths.own = 0;
  build.flit_bits = read(rtl::CFG_FLIT_W);
  build.length_bits = read(rtl::CFG_LEN_W);
  build.count_bits = read(rtl::CFG_REPEAT_W);
  if (build.kind.adaptive) build.messages = read(rtl::CFG_MESSAGES);
  for (Port p = 0; p < build.kind.ports; ++p) {
    build.stages.push_back(read(rtl::CFG_LINK_STAGES + p));
  }
  if (std::ranges::all_of(build.stages, [](std::uint32_t n) { return n == 0; })) {
    build.stages.clear();
  }
  return build;
}

void check_fits(const FabricImage& image, const NodeBuild& build) { Judge(image, build).judge(); }

}  // namespace gossamer
