// rtl/node/switch_core.sv with tables and stores as large as the tile engine's, which are outside
// of it.
#include "Vswitch_core_far.h"
#include "Vswitch_core_lists.h"
#include "Vswitch_core_staged.h"
#include "Vswitch_core_ten.h"
#include "block.hpp"
#include "catch.hpp"
#include "errors.hpp"
#include "fabric/node_program.hpp"

using namespace gossamer;
using namespace gossamer::test;

namespace {

/// A core, and the memories with its tables.
template <class Model>
class Core {
 public:
  explicit Core(const NodeKind& kind) : kind_(kind), lists_(kind.channels), block_(1) {
    block_->start_i = block_->link_valid_i = block_->dead_i = 0;
  }
  Block<Model>& block() { return block_; }

  void load(const NodeProgram& program) {
    slots_.clear();
    for (const SlotEntry& e : program.slots) slots_.push_back(encode(e, kind_));
    for (unsigned c = 0; c < kind_.channels; ++c) {
      lists_[c].clear();
      for (const Segment& s : program.channels[c]) lists_[c].push_back(encode(s));
    }
    block_.reset_with([this] { edge(); });
  }
  void edge() {
    block_.settle();
    const bool slot = block_->slot_en_o;
    const std::size_t entry = block_->slot_addr_o;
    const unsigned list = block_->list_en_o;
    std::vector<std::size_t> segments;
    for (unsigned c = 0; c < kind_.channels; ++c)
      segments.push_back(tb::get_field(block_->list_addr_o, c * list_bits(), list_bits()));
    block_.edge();
    if (slot) put(slots_, entry, tb::words(block_->slot_data_i), (slot_bits(kind_) + 31) / 32);
    for (unsigned c = 0; c < kind_.channels; ++c) {
      constexpr unsigned kWords = rtl::SEG_W / 32;
      if (list >> c & 1)
        put(lists_[c], segments[c], tb::words(block_->list_data_i) + c * kWords, kWords);
    }
  }

 private:
  using Memory = std::vector<std::vector<std::uint32_t>>;

  static constexpr unsigned list_bits() {
    constexpr bool kLarge =
        std::is_same_v<Model, Vswitch_core_far> || std::is_same_v<Model, Vswitch_core_lists>;
    return kLarge ? 16 : 8;  // blocks.mk
  }
  static void put(const Memory& memory, std::size_t at, std::uint32_t* to, unsigned words) {
    for (unsigned w = 0; w < words; ++w) to[w] = at < memory.size() ? memory[at][w] : 0;
  }

  NodeKind kind_;
  Memory slots_;
  std::vector<Memory> lists_;
  Block<Model> block_;
};

/// Reads a word in each of many slots on all channels, from anywhere; the addresses must come.
template <class Model>
void read_anywhere(const NodeKind& kind, unsigned address_bits) {
  constexpr unsigned kSlots = (1 << 15) + 10;
  const std::uint32_t words = (1u << address_bits) - 1;
  const auto at = [&](unsigned k, unsigned c) { return ((k * 4 + c) * 0x9e3779b9u >> 8) % words; };
  NodeProgram program{std::vector<SlotEntry>(kSlots),
                      std::vector<std::vector<Segment>>(kind.channels)};
  for (SlotEntry& e : program.slots) {
    e.stream = 1;
    for (Port p = 0; p < kind.ports; ++p) e.select.push_back(select_local(p));
  }
  program.slots.back().final = true;
  for (unsigned c = 0; c < kind.channels; ++c) {
    for (unsigned k = 0; k < kSlots; ++k)
      program.channels[c].push_back({kind.own_log(), at(k, c), 1, at(k, c + 1)});
  }
  Random random(1);
  Core<Model> core(kind);
  auto& block = core.block();
  block->own_words_i = block->capacity_i = words;
  // Only adaptive nodes, and those whose links have stages, look at these.
  for (Port p = 0; p < kind.ports; ++p)
    tb::set_bits(block->partner_i, p * address_bits, words, address_bits);
  block->initiator_i = words;
  block->shift_i = 31;
  block->link_stages_i = random.word() & 0x3f3f;
  core.load(program);
  block->start_i = 1;
  core.edge();
  block->start_i = 0;
  std::size_t wrong = 0;
  for (unsigned k = 0; k < kSlots + 10; ++k) {
    block.settle();
    const bool reads = k < kSlots;
    wrong += block->read_en_o != (reads ? (1u << kind.channels) - 1 : 0);
    for (unsigned c = 0; c < kind.channels && reads; ++c) {
      wrong += tb::get_field(block->read_addr_o, c * address_bits, address_bits) != at(k, c);
      if (kind.reduce)
        wrong += tb::get_field(block->own_addr_o, c * address_bits, address_bits) != at(k, c + 1);
    }
    core.edge();
  }
  CHECK(wrong == 0);
  CHECK(block->done_o);
  CHECK(block->errors_o == 0);
}

}  // namespace

TEST_CASE("switch core: words anywhere in the largest store, in large tables") {
  NodeKind kind{2, false, false, 2};
  kind.reduce = true;
  read_anywhere<Vswitch_core_far>(kind, 24);
}

TEST_CASE("switch core: large lists of four channels") {
  read_anywhere<Vswitch_core_lists>({4, false, false, 4}, 11);
}

TEST_CASE("switch core: adaptive, what arrives over the longest links counts for its position") {
  const NodeKind kind{8, false, false, 1, true};
  constexpr unsigned kSlots = rtl::MAX_LINK_STAGES + 10, kShift = 20, kMessage = 11;
  NodeProgram program{std::vector<SlotEntry>(kSlots), {{{kind.own_log(), kMessage << kShift, 1}}}};
  for (SlotEntry& e : program.slots) e.select.assign(kind.ports, select_none(kind));
  program.slots[0].stream = 1;  // one position, then nothing
  program.slots[0].receive = 0xff;
  program.slots.back().final = true;
  Core<Vswitch_core_staged> core(kind);
  auto& block = core.block();
  block->own_words_i = 0;
  block->capacity_i = (1u << 24) - 1;
  block->shift_i = kShift;
  for (unsigned w = 0; w < 6; ++w) tb::words(block->partner_i)[w] = 0;
  block->query_i = kMessage;
  Random random(1);
  for (const bool longest : {true, false}) {
    block->initiated_i = 1;
    block->initiator_i = longest ? (1u << 24) - 1 : 0;
    std::vector<unsigned> stages;
    block->link_stages_i = 0;
    for (Port p = 0; p < kind.ports; ++p) {
      stages.push_back(longest ? rtl::MAX_LINK_STAGES : random.below(rtl::MAX_LINK_STAGES));
      block->link_stages_i |= std::uint64_t{stages[p]} << p * rtl::LINK_STAGES_W;
    }
    core.load(program);
    const unsigned last = rtl::TIME_START + kSlots + 3 + *std::ranges::max_element(stages);
    for (unsigned t = 0; t <= last + 1; ++t) {  // the start pulse is in cycle 0
      CAPTURE(longest, t);
      block->start_i = t == 0;
      block->link_valid_i = block->link_last_i = 0;
      unsigned arrived = 0;
      for (Port p = 0; p < kind.ports; ++p) {
        const unsigned comes = rtl::TIME_START + 2 + stages[p];
        if (t == comes) block->link_valid_i |= 1u << p;
        if (t > comes) arrived |= 1u << p;
      }
      block->link_last_i = block->link_valid_i;
      block.settle();
      if (t > 0) CHECK(block->arrived_o == arrived);
      CHECK(bool(block->done_o) == (t > last));
      core.edge();
    }
    CHECK(block->arrived_o == 0xff);
    CHECK(block->errors_o == 0);
  }
}

TEST_CASE("switch core: each of ten ports reports its own errors, as the first one") {
  const NodeKind kind{10, false, true, 10};
  // A slot of four cycles: its select acts in cycles 2 to 5, its receive window is open in cycles 3
  // to 6.
  struct Case {
    rtl::error_e error;
    std::uint32_t stream = 0;  // words that are sent
    bool receives = false, forwards = false;
    unsigned flit = 0;  // the cycle in which one comes, if any
    bool last = true;
  };
  const Case cases[]{{.error = ERR_COLLISION, .stream = 4, .flit = 4},
                     {.error = ERR_TURNAROUND, .stream = 4, .flit = 2},
                     {.error = ERR_UNEXPECTED, .flit = 4},
                     {.error = ERR_MISSING, .receives = true},
                     {.error = ERR_CUT, .receives = true, .flit = 6, .last = false},
                     {.error = ERR_CUT, .forwards = true, .flit = 5, .last = false},
                     {.error = ERR_LIMIT, .stream = 1, .receives = true},
                     {.error = ERR_UNWRITTEN, .stream = 1},
                     {.error = ERR_OVERFLOW, .receives = true, .flit = 3},
                     {.error = ERR_EXHAUSTED, .stream = 1},
                     {.error = ERR_PARITY, .stream = 1}};
  Core<Vswitch_core_ten> core(kind);
  auto& block = core.block();
  for (const Case& c : cases) {
    for (Port p = 0; p < kind.ports; ++p) {
      CAPTURE(code(c.error), c.forwards, p);
      const Port input = c.forwards ? (p + 1) % kind.ports : p;
      SlotEntry slot;
      slot.length = 4;
      slot.stream = c.stream;
      slot.select.assign(kind.ports, select_none(kind));
      if (c.stream != 0) slot.select[p] = select_local(p);
      if (c.forwards) slot.select[p] = input;
      if (c.receives) slot.receive = std::uint64_t{1} << p;
      slot.final = true;
      NodeProgram program{{slot}, std::vector<std::vector<Segment>>(kind.channels)};
      Segment words{kind.own_log(), 0, 4};
      words.bad_parity = c.error == ERR_PARITY;
      if (c.error != ERR_EXHAUSTED) program.channels[p].push_back(words);
      block->own_words_i = c.error == ERR_UNWRITTEN ? 0 : 4;
      block->capacity_i = c.error == ERR_OVERFLOW ? 0 : 8;
      core.load(program);
      for (unsigned t = 0; t < 16; ++t) {
        block->start_i = t == 0;
        block->link_valid_i = c.flit != 0 && t == c.flit ? 1u << input : 0;
        block->link_last_i = c.last ? block->link_valid_i : 0;
        core.edge();
      }
      CHECK(block->done_o);
      CHECK((block->errors_o & bit(c.error)) != 0);
      CHECK(block->first_error_o == code(c.error));
      CHECK(block->first_error_slot_o == 0);
      CHECK(block->first_error_port_o == (c.error == ERR_PARITY ? 0 : p));
    }
  }
}
