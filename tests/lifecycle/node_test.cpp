// Compares switch_node with NodeLife, which is written from docs/hardware/table-format.md, cycle by
// cycle and pin by pin. A confused or hostile master does anything at its pins, at any time.
#include <algorithm>
#include <array>
#include <chrono>
#include <random>

#include "catch.hpp"
#include "node_variants.hpp"
#include "programs.hpp"
#include "session.hpp"

namespace gossamer::test {
namespace {

// ---- Operations.

enum Operation : unsigned {
  kReset,
  kStart,
  kRestart,
  kRestartOtherBank,
  kNoRestart,
  kOwnWords,
  kTooManyOwnWords,
  kDead,
  kDeadAfter,
  kDeadAfterTooLarge,
  kShift,
  kInitiator,
  kPartner,
  kAdaptiveTooLarge,
  kWriteElsewhere,
  kSlotBank0,
  kSlotBank1,
  kSlotNowhere,
  kListBank0,
  kListBank1,
  kListNowhere,
  kOwnWord,
  kStoreNowhere,
  kReadState,
  kReadBuild,
  kReadSettings,
  kReadLength,
  kReadStore,
  kReadArrived,
  kReadElsewhere,
  kStrayFlit,
  kOperations
};
const std::vector<std::string> kOperationNames = listed(
    "reset; start pulse; restart; restart, bank 1; control without bit 0; own words; "
    "own words, too many; dead; dead after; dead after, too large; shift; initiator; "
    "partner; adaptive, too large; write where nothing is; slot word, bank 0; "
    "slot word, bank 1; slot word nowhere; list word, bank 0; list word, bank 1; "
    "list word nowhere; own word; store word nowhere; read status, errors; read build; "
    "read settings; read log length; read store; read arrived; read where nothing is; "
    "stray flit");

/// Something done to a node in a cycle.
struct Op {
  std::uint32_t cycle = 0;
  Node node = 0;
  Operation what = kReset;
  Transfer transfer = {};  ///< stray flit: last, port, word; reset: its cycles
};

std::string text(const Op& op) {
  const std::string what = fmt::format("{{{}, {}, {}", op.cycle, op.node, unsigned{op.what});
  const Transfer& t = op.transfer;
  return fmt::format("{}, {{{}, {:#010x}, {:#x}}}}},  // {}\n", what, t.write, t.address, t.data,
                     kOperationNames[op.what]);
}

// ---- Sequences of operations.

/// Random operations, among them sequences that load, start and restart all nodes.
class Generator {
 public:
  Generator(const NodeBuild& build, std::uint32_t seed) : build_(build), random_(seed) {}

  std::vector<Op> session(std::uint32_t cycles) {
    while (cycle_ < cycles) act();
    noise(cycle_);
    std::ranges::stable_sort(ops_, {}, &Op::cycle);
    return std::move(ops_);
  }

 private:
  void add(std::uint32_t cycle, Node x, Operation what, Transfer transfer = {}) {
    ops_.push_back({cycle, x, what, transfer});
  }
  void reset(std::uint32_t cycles) {
    for (Node x = 0; x < kNodes; ++x) add(cycle_, x, kReset, {false, 0, cycles});
    held_.emplace_back(cycle_, cycle_ + cycles);
    cycle_ += cycles;
  }
  void transfer(Node x, Operation what, const Transfer& t) {
    busy_[x] = std::max(busy_[x], cycle_);
    add(busy_[x]++, x, what, t);
  }
  void write(Node x, Operation what, std::uint32_t address, std::uint32_t data) {
    transfer(x, what, {true, address, data});
  }

  std::uint32_t own_word(std::uint32_t i) const {
    return region(rtl::CFG_STORE, build_.kind.own_log() << rtl::CFG_LOG_LSB | i);
  }
  std::uint32_t word() { return random_.word() | 1; }  // not 0, which stands for any word

  void act() {
    switch (random_.below(8)) {
      case 0: cycle_ += random_.below(60); break;
      case 1: load(); break;
      case 2:
      case 3: restart(); break;
      case 4:
      case 5:
      case 6: start(); break;
      default:
        if (random_.chance(30)) reset(random_.chance(80) ? random_.between(3, 6) : 40);
    }
  }

  /// New tables, and sometimes own words, for all nodes; into any bank, even one that runs.
  void load() {
    const unsigned bank = random_.below(build_.banks());
    const std::uint32_t number = random_.below(build_.programs);
    if (random_.chance(50)) own_ = random_.between(0, 8);
    const auto programs = random_programs(random_, build_, kNodes, own_, random_.below(3));
    const bool own = random_.chance(60);
    const bool settings = build_.kind.adaptive && random_.chance(60);
    for (Node x = 0; x < kNodes; ++x) {
      for (const Transfer& t : table_transfers(programs[x], build_, bank, number)) {
        const bool slots = t.address >> rtl::CFG_REGION_LSB & 1;
        transfer(x, slots ? bank ? kSlotBank1 : kSlotBank0 : bank ? kListBank1 : kListBank0, t);
      }
      if (settings) {
        write(x, kShift, rtl::CFG_SHIFT, 1);
        for (Port p = 0; p < build_.kind.ports; ++p)
          write(x, kPartner, rtl::CFG_PARTNER + p, random_.between(0, 2) * 2);
        write(x, kInitiator, rtl::CFG_INITIATOR, random_.chance(30) ? 1u << 31 | 2 : 0);
      }
      if (!own) continue;
      write(x, kOwnWords, rtl::CFG_OWN_WORDS, own_);
      for (std::uint32_t i = 0; i < own_; ++i) write(x, kOwnWord, own_word(i), word());
    }
    cycle_ = std::ranges::max(busy_) + random_.below(3);
  }

  /// The program that begins, whether its logs go on, and whether there are still own words.
  std::uint32_t program() {
    return random_.below(build_.programs) << rtl::CONTROL_PROGRAM_LSB |
           std::uint32_t{random_.chance(40)} << rtl::CONTROL_KEEP |
           std::uint32_t{random_.chance(10)} << rtl::CONTROL_NO_WORDS;
  }

  void restart() {
    const unsigned bank = random_.below(build_.banks());
    const std::uint32_t next = program();
    for (Node x = 0; x < kNodes; ++x) {
      if (random_.chance(3)) continue;
      write(x, bank ? kRestartOtherBank : kRestart, rtl::CFG_CONTROL, next | bank << 1 | 1);
    }
    cycle_ = std::ranges::max(busy_);
    held_.emplace_back(cycle_, cycle_ + 2);
    cycle_ += random_.below(4);
    if (random_.chance(70)) start();
  }

  void start() {
    for (Node x = 0; x < kNodes; ++x) {
      if (!random_.chance(3)) add(cycle_, x, kStart);
    }
    cycle_ += random_.chance(50) ? random_.between(1, 10) : random_.between(10, 90);
  }

  /// Any operation, at any time at which the port is free.
  void noise(std::uint32_t cycles) {
    std::vector<bool> taken(cycles * kNodes), held(cycles);
    for (const auto& [begin, end] : held_) {
      for (std::uint32_t c = begin; c < end && c < cycles; ++c) held[c] = true;
    }
    for (const Op& op : ops_) {
      if (op.what != kStart && op.what != kReset && op.cycle < cycles)
        taken[op.cycle * kNodes + op.node] = true;
    }
    const std::uint32_t percent = random_.below(30);
    for (std::uint32_t c = 0; c < cycles; ++c) {
      for (Node x = 0; x < kNodes; ++x) {
        if (taken[c * kNodes + x] || !random_.chance(held[c] ? 60 : percent)) continue;
        const auto what = static_cast<Operation>(random_.below(kOperations));
        if (const auto t = random_transfer(what)) add(c, x, what, *t);
      }
    }
  }

  std::optional<Transfer> random_transfer(Operation what) {
    using namespace rtl;
    const auto write = [](std::uint32_t address, std::uint32_t data) {
      return Transfer{true, address, data};
    };
    const auto read = [](std::uint32_t address) { return Transfer{false, address, ~0u}; };
    const std::uint32_t over = 1u << std::bit_width(build_.capacity);
    const auto too_large = [&](std::uint32_t first) {
      return random_.chance(50) ? first : first | 1u << random_.between(8, 30);
    };
    const unsigned bank = random_.below(2);
    const bool rare = random_.chance(4);  // an operation that disturbs everything after it
    switch (what) {
      case kStart: return rare ? std::optional(Transfer{}) : std::nullopt;
      case kRestart: return rare ? std::optional(write(CFG_CONTROL, program() | 1)) : std::nullopt;
      case kRestartOtherBank:
        return rare ? std::optional(write(CFG_CONTROL, program() | 3)) : std::nullopt;
      case kNoRestart: return write(CFG_CONTROL, random_.word() & ~1u);
      case kOwnWords: return write(CFG_OWN_WORDS, random_.below(build_.own_depth() + 1));
      case kTooManyOwnWords: return write(CFG_OWN_WORDS, too_large(build_.own_depth() + 1));
      case kDead:
        return write(CFG_DEAD,
                     random_.chance(70) ? random_.word() << build_.kind.ports : random_.word());
      case kDeadAfter:
        return write(CFG_DEAD_AFTER, random_.below(1u << std::min(3u, build_.repeat_w)));
      case kDeadAfterTooLarge: return write(CFG_DEAD_AFTER, too_large(1u << build_.repeat_w));
      case kShift: return write(CFG_SHIFT, random_.below(4));
      case kInitiator: return write(CFG_INITIATOR, random_.below(2) << 31 | random_.below(over));
      case kPartner:
        return write(CFG_PARTNER + random_.below(build_.kind.ports), random_.below(over));
      case kAdaptiveTooLarge:
        switch (random_.below(3)) {
          case 0: return write(CFG_SHIFT, too_large(32));
          case 1: return write(CFG_INITIATOR, bank << 31 | (too_large(over) & ~(1u << 31)));
          default: return write(CFG_PARTNER + random_.below(build_.kind.ports), too_large(over));
        }
      case kWriteElsewhere: {
        const std::uint32_t nothing[] = {CFG_STATUS,
                                         CFG_ERRORS,
                                         CFG_FIRST_CODE,
                                         CFG_FIRST_SLOT,
                                         CFG_FIRST_PORT,
                                         CFG_FLIT_W,
                                         CFG_PORTS,
                                         CFG_CHANNELS,
                                         CFG_MODEL,
                                         CFG_SLOT_DEPTH,
                                         CFG_LIST_DEPTH,
                                         CFG_CAPACITY,
                                         CFG_LEN_W,
                                         CFG_REPEAT_W,
                                         CFG_DEAD + 1,
                                         CFG_DEAD_AFTER + 1,
                                         CFG_MESSAGES,
                                         CFG_LOG_LENGTH,
                                         CFG_PARTNER + build_.kind.ports,
                                         CFG_PARTNER - 1,
                                         CFG_OWN_WORDS | 1u << random_.between(5, 27),
                                         CFG_CONTROL | 1u << random_.between(8, 27),
                                         CFG_DEAD | 1u << random_.between(8, 27),
                                         region(CFG_REGISTERS, CFG_CONTROL, 1),
                                         region(CFG_REGISTERS, CFG_OWN_WORDS, 1),
                                         region(CFG_ARRIVED, 1),
                                         region(5 + random_.below(3), random_.below(64), bank)};
        return write(nothing[random_.below(std::size(nothing))], random_.word() | 1);
      }
      case kSlotBank0:
      case kSlotBank1: {
        const std::uint32_t at =
            random_.below(build_.slot_depth) << CFG_SLOT_LSB | random_.below(build_.slot_words());
        return write(region(CFG_SLOTS, at, what == kSlotBank1),
                     random_.chance(50) ? 0 : random_.word() & 0x03000007);
      }
      case kSlotNowhere: {
        const std::uint32_t nothing[] = {build_.slot_depth << CFG_SLOT_LSB, build_.slot_words(), 31,
                                         1u << 27, 1u << random_.between(8, 27)};
        return write(region(CFG_SLOTS, nothing[random_.below(std::size(nothing))], bank),
                     random_.word());
      }
      case kListBank0:
      case kListBank1: {
        const std::uint32_t at = random_.below(build_.kind.channels) << CFG_CHANNEL_LSB |
                                 random_.below(build_.list_depth) << CFG_SEG_LSB | random_.below(4);
        return write(region(CFG_LISTS, at, what == kListBank1), random_.below(6));
      }
      case kListNowhere: {
        const std::uint32_t nothing[] = {
            build_.list_depth << CFG_SEG_LSB, build_.kind.channels << CFG_CHANNEL_LSB,
            1u << random_.between(5, 21), 1u << random_.between(23, 27)};
        return write(region(CFG_LISTS, nothing[random_.below(std::size(nothing))], bank),
                     random_.word());
      }
      case kOwnWord: return write(own_word(random_.below(build_.own_depth())), word());
      case kStoreNowhere: {
        const std::uint32_t own = own_word(0);
        const std::uint32_t nothing[] = {
            own + build_.capacity,
            own | 1u << random_.between(5, 21),
            own + (1u << CFG_LOG_LSB),
            own ^ 1u << 27,
            own | 1u << CFG_BANK_LSB,
            build_.kind.single_port ? own + build_.capacity : region(CFG_STORE, random_.below(4))};
        return write(nothing[random_.below(std::size(nothing))], word());
      }
      case kReadState:
        return read(random_.chance(50) ? +CFG_STATUS : CFG_ERRORS + random_.below(4));
      case kReadBuild:
        return read(random_.chance(10) ? +CFG_MESSAGES
                                       : CFG_FLIT_W + random_.below(CFG_REPEAT_W + 1 - CFG_FLIT_W));
      case kReadSettings: {
        const std::uint32_t registers[] = {CFG_OWN_WORDS,  CFG_DEAD,        CFG_DEAD + 1,
                                           CFG_DEAD_AFTER, CFG_SHIFT,       CFG_INITIATOR,
                                           CFG_PARTNER,    CFG_PARTNER + 1, CFG_CONTROL};
        return read(registers[random_.below(std::size(registers))]);
      }
      case kReadLength: return read(CFG_LOG_LENGTH + random_.below(build_.kind.ports + 1));
      case kReadStore:
        return read(region(CFG_STORE, random_.below(build_.stored_logs()) << CFG_LOG_LSB |
                                          random_.below(build_.capacity)));
      case kReadArrived:
        return read(region(CFG_ARRIVED, random_.below(9) | random_.below(2) << CFG_ARRIVED_LSB));
      case kReadElsewhere: {
        const std::uint32_t nothing[] = {
            region(CFG_SLOTS, random_.below(64), bank),
            region(CFG_LISTS, random_.below(64), bank),
            region(5 + random_.below(3), random_.below(64), bank),
            region(CFG_REGISTERS, CFG_MODEL, 1),
            region(CFG_ARRIVED, 1, 1),
            region(CFG_STORE, 1, 1),
            region(CFG_STORE, build_.capacity),
            region(CFG_REGISTERS, 1u << random_.between(8, 27)),
            region(CFG_REGISTERS, CFG_MESSAGES + 1 + random_.below(41))};
        return read(nothing[random_.below(std::size(nothing))]);
      }
      case kStrayFlit:
        return random_.chance(12)
                   ? std::optional(Transfer{random_.chance(50), random_.below(build_.kind.ports),
                                            word() & build_.flit_mask()})
                   : std::nullopt;
      default: return {};
    }
  }

  const NodeBuild& build_;
  Random random_;
  std::vector<Op> ops_;
  std::uint32_t cycle_ = 0, own_ = 1;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> held_;  ///< cycles of resets and restarts
  std::array<std::uint32_t, kNodes> busy_{};  ///< the next free cycle of a node's port
};

// ---- RTL and model side by side.

std::string text(const Flit& f) {
  return f.valid ? fmt::format("{:08x}{}", f.data, f.last ? " last" : "") : "nothing";
}

class Bench {
 public:
  /// Starts after a reset, with tables of zeros and no own words, so that everything is known.
  Bench(const NodeVariant& variant, std::uint32_t seed) {
    for (Node x = 0; x < kNodes; ++x) {
      rtl_.push_back(variant.make(seed + x));
      models_.push_back(std::make_unique<NodeLife>(variant.build));
    }
    const std::vector<Flit> silence(variant.build.kind.ports);
    const auto both = [&](const NodeInputs& in) {
      for (Node x = 0; x < kNodes; ++x) {
        rtl_[x]->edge(in);
        models_[x]->cycle(in);
      }
    };
    for (int i = 0; i < 3; ++i)
      both({.reset = true, .start = false, .transfer = {}, .links = silence});
    const auto write = [&](std::uint32_t address) {
      both({.reset = false,
            .start = false,
            .transfer = Transfer{true, address, 0},
            .links = silence});
    };
    write(rtl::CFG_OWN_WORDS);
    const NodeBuild& build = variant.build;
    for (unsigned bank = 0; bank < build.banks(); ++bank) {
      for (std::uint32_t e = 0; e < build.slot_depth; ++e) {
        for (std::uint32_t w = 0; w < build.slot_words(); ++w) {
          write(region(rtl::CFG_SLOTS, e << rtl::CFG_SLOT_LSB | w, bank));
        }
      }
      for (std::uint32_t c = 0; c < build.kind.channels; ++c) {
        for (std::uint32_t s = 0; s < build.list_depth << rtl::CFG_SEG_LSB; ++s) {
          write(region(rtl::CFG_LISTS, c << rtl::CFG_CHANNEL_LSB | s, bank));
        }
      }
    }
  }

  /// Plays a session; returns the first difference, or nothing.
  std::optional<std::string> play(const std::vector<Op>& ops, Coverage* coverage) {
    std::size_t next = 0;
    std::array<std::uint32_t, kNodes> reset_until{};
    const std::uint32_t end = ops.empty() ? 0 : ops.back().cycle + 2;
    for (std::uint32_t cycle = 0; cycle < end; ++cycle) {
      std::array<NodeInputs, kNodes> inputs;
      std::array<std::vector<Flit>, kNodes> links;
      for (Node x = 0; x < kNodes; ++x) {
        const auto &up = rtl_[(x + 1) % kNodes]->links,
                   &down = rtl_[(x + kNodes - 1) % kNodes]->links;
        for (Port p = 0; p < up.size(); ++p)
          links[x].push_back(p % 2 == 0 ? up[p + 1] : down[p - 1]);
        inputs[x].links = links[x];
      }
      for (; next < ops.size() && ops[next].cycle == cycle; ++next) {
        const Op& op = ops[next];
        apply(op, inputs[op.node], links[op.node]);
        if (op.what == kReset) {
          std::uint32_t& until = reset_until[op.node];
          until = std::max(until, cycle + op.transfer.data);
        }
        if (coverage != nullptr) coverage->count(std::size_t(models_[op.node]->life()), op.what);
      }
      for (Node x = 0; x < kNodes; ++x) {
        inputs[x].reset = cycle < reset_until[x];
        rtl_[x]->edge(inputs[x]);
        models_[x]->cycle(inputs[x]);
      }
      for (Node x = 0; x < kNodes; ++x) {
        const std::string difference = compare(x, inputs[x]);
        if (!difference.empty()) {
          return fmt::format("after cycle {}, node {} ({}): {}", cycle, x, models_[x]->text(),
                             difference);
        }
      }
    }
    return {};
  }

 private:
  static void apply(const Op& op, NodeInputs& in, std::vector<Flit>& links) {
    switch (op.what) {
      case kReset: break;
      case kStart: in.start = true; break;
      case kStrayFlit:
        links[op.transfer.address] = {true, op.transfer.write, op.transfer.data};
        break;
      default: in.transfer = op.transfer;
    }
  }

  std::string compare(Node x, const NodeInputs& in) const {
    const NodeRtl& rtl = *rtl_[x];
    const NodeLife& model = *models_[x];
    if (rtl.done != model.done()) return fmt::format("done is {}, not {}", rtl.done, model.done());
    if (rtl.error != model.error()) {
      return fmt::format("error is {}, not {}", rtl.error, model.error());
    }
    for (Port p = 0; p < rtl.links.size(); ++p) {
      const auto expected = model.link(p);
      if (!expected) continue;
      Flit seen = rtl.links[p];
      if (expected->data == 0) seen.data = 0;  // any
      if (seen == *expected) continue;
      return fmt::format("on link {}: {}, not {}", p, text(seen), text(*expected));
    }
    const auto& answer = model.answer();
    if (answer && !agrees(*answer, rtl.rdata)) {
      return fmt::format("reads {:#x} at {:#x}, not {:#x}", rtl.rdata, in.transfer->address,
                         **answer);
    }
    return "";
  }

  std::vector<std::unique_ptr<NodeRtl>> rtl_;
  std::vector<std::unique_ptr<NodeLife>> models_;
};

Coverage empty_coverage() {
  std::vector<std::string> states;
  for (const Life life : kLives) states.push_back(name(life));
  return {states, kOperationNames};
}

/// Plays a session; if it fails, finds a shorter one that also fails.
void check_session(const NodeVariant& variant, std::uint32_t seed, std::uint32_t cycles,
                   Coverage& coverage) {
  const auto ops = Generator(variant.build, seed).session(cycles);
  coverage.cycles += ops.back().cycle + 2;
  if (!Bench(variant, seed).play(ops, &coverage)) return;
  const auto fails = [&](const std::vector<Op>& some) {
    return Bench(variant, seed).play(some, nullptr).has_value();
  };
  const auto few = shrunk(ops, fails);
  std::string list;
  for (const Op& op : few) list += text(op);
  FAIL(variant.name << " node, seed " << seed << ": "
                    << Bench(variant, seed).play(few, nullptr).value()
                    << "\nOperations {cycle, node, operation, {write, address, data}}:\n"
                    << list);
}

/// Plays sessions of every variant, about so many operations each. Returns how often each operation
/// was done in each state.
Coverage run_sessions(std::uint64_t operations, std::uint32_t seed) {
  Coverage all = empty_coverage();
  for (const NodeVariant& variant : node_variants()) {
    Coverage coverage = empty_coverage();
    while (coverage.sum() < operations) check_session(variant, seed++, 1500, coverage);
    all.add(coverage);
  }
  return all;
}

}  // namespace

TEST_CASE("life cycle: a node does what the documents say, whatever is done to it at any time") {
  const Coverage coverage = run_sessions(25'000, 1);
  CHECK(coverage.holes() == "");  // everything can be done at any time
  run_sessions(1'000, std::random_device()());
}

TEST_CASE("life cycle: many operations on nodes", "[.long]") {
  const LongRun run = long_run();
  const auto begin = std::chrono::steady_clock::now();
  const Coverage coverage = run_sessions(run.operations / node_variants().size(), run.seed);
  run.report("switch_node, operation by state of the node", coverage, begin);
}

}  // namespace gossamer::test
