#include "axi_master.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>

#include "export/export.hpp"
#include "programs.hpp"
#include "session.hpp"

namespace gossamer::test {
namespace {

using enum AxiOperation;

class Master {
 public:
  Master(const AxiBuild& build, std::uint32_t seed)
      : axi_(build), build_(build.node), random_(seed), follows_(seed) {}

  std::vector<AxiOp> session(std::uint32_t operations) {
    while (ops_.size() < operations) act();
    return std::move(ops_);
  }

  std::vector<AxiOp> clearing() {
    std::vector<AxiWrite> words;
    for (Node x = 0; x < kAxiNodes; ++x) {
      for (std::uint32_t e = 0; e < build_.slot_depth; ++e) {
        for (std::uint32_t w = 0; w < build_.slot_words(); ++w) {
          words.push_back({address(x, rtl::CFG_SLOTS, e << rtl::CFG_SLOT_LSB | w), 0});
        }
      }
      for (std::uint32_t c = 0; c < build_.kind.channels; ++c) {
        for (std::uint32_t s = 0; s < build_.list_depth << rtl::CFG_SEG_LSB; ++s) {
          words.push_back({address(x, rtl::CFG_LISTS, c << rtl::CFG_CHANNEL_LSB | s), 0});
        }
      }
      reg(OwnWords, x, rtl::CFG_OWN_WORDS, 0);
    }
    for (int bank = 0; bank < 2; ++bank) {
      write(Begin, control(rtl::AXI_BEGIN), 1);
      for (const AxiWrite& w : words) write(SlotWord, w.address, 0);
      commit(static_cast<std::uint32_t>(words.size()), axi_checksum(words));
    }
    for (AxiOp& op : ops_) op.gap = 0;
    return std::move(ops_);
  }

 private:
  // ---- One operation.

  std::uint64_t address(Node x, unsigned region, std::uint32_t at) const {
    return axi_address(x, region, at, axi_.index_w);
  }
  std::uint64_t control(unsigned reg) const { return axi_control(reg, axi_.index_w); }

  std::uint32_t gap() {
    const std::uint32_t what = random_.below(100);
    return what < 75 ? random_.below(3) : what < 96 ? random_.below(30) : random_.below(150);
  }
  void write(AxiOperation what, std::uint64_t address, std::uint32_t data, unsigned strobes = 0xf) {
    AxiOp op{.what = what, .gap = gap()};
    op.address = static_cast<std::uint32_t>(address);
    op.data = data;
    op.strobes = strobes;
    ops_.push_back(op);
  }
  void read(AxiOperation what, std::uint64_t address) { write(what, address, 0); }
  void reg(AxiOperation what, Node x, std::uint32_t reg, std::uint32_t data) {
    write(what, address(x, rtl::CFG_REGISTERS, reg), data);
  }
  /// Times the last operation within some phase, or near its beginning.
  void aim() {
    static constexpr std::array kPhases{Phase::Rest, Phase::Restart, Phase::Run,
                                        Phase::Send, Phase::Abort,   Phase::Shut};
    ops_.back().at = kPhases[random_.below(axi_.tree > 0 ? 6 : 5)];
    const bool brief = ops_.back().at == Phase::Restart || ops_.back().at >= Phase::Shut;
    ops_.back().gap = brief ? random_.below(4) : random_.below(random_.chance(70) ? 8 : 100);
  }
  std::uint32_t word() { return random_.word() | 1; }  // not 0, which stands for any word
  std::uint32_t own_log() const { return build_.kind.own_log() << rtl::CFG_LOG_LSB; }

  // ---- Sequences of operations.

  void act() {
    switch (random_.below(18)) {
      case 0:
      case 1: load(); break;
      case 2:
      case 3:
      case 4: run(); break;
      case 5:
      case 6:
      case 7: packets(); break;
      case 8:
        switch (random_.below(3)) {
          case 0: own_words(); break;
          case 1: too_long(); break;
          default: other_length();
        }
        break;
      case 9: stall(); break;
      case 10:
      case 11: hold(); break;
      case 12:
      case 13:
      case 14: abort(); break;
      default: anything_often(12, 20);
    }
    if (random_.chance(3)) reset();
  }

  /// Up to so many operations of any kind; `aimed` percent of them are timed by a phase.
  void anything_often(std::uint32_t most, unsigned aimed) {
    for (std::uint32_t i = random_.between(1, most); i-- > 0;) {
      const std::size_t before = ops_.size();
      anything(random_.below(unsigned(Packet)));
      if (ops_.size() > before && random_.chance(aimed)) aim();
    }
  }

  /// A start waits for the end of a packet, which comes late.
  void hold() {
    packet(PacketBegun, random_.below(kAxiNodes), random_.between(1, 4));
    if (random_.chance(40)) write(Begin, control(rtl::AXI_BEGIN), 1);
    write(Start, control(rtl::AXI_RUN), 1);
    anything_often(30, 0);
  }

  void run() {
    const std::uint32_t what = random_.below(7);
    if (random_.chance(60)) feed();
    if (random_.chance(85)) write(ClearInterrupts, control(rtl::AXI_IRQ), ~0u);
    if (what < 3) write(Start, control(rtl::AXI_RUN), 1);
    if (what == 3) write(StartRepeat, control(rtl::AXI_RUN), 3);
    if (what == 4) event(Pin, random_.between(1, 3));
    if (what >= 5) write(Stop, control(rtl::AXI_RUN), random_.word() & ~5u);
    if (random_.chance(30)) aim();
  }
  /// The packets that the tables take.
  void feed() {
    for (Node x = 0; need_ != 0 && x < kAxiNodes; ++x) packet(Packet, x, need_);
  }
  void event(AxiOperation what, std::uint32_t cycles) {
    AxiOp op{.what = what};
    op.node = random_.below(kAxiNodes);
    op.words = cycles;
    ops_.push_back(op);
  }

  /// A period that somebody ends, and what comes at that time.
  void abort() {
    write(Limit, control(rtl::AXI_LIMIT), random_.chance(60) ? 0 : random_.below(80));
    if (random_.chance(40)) write(Begin, control(rtl::AXI_BEGIN), 1);
    write(Patience, control(rtl::AXI_PATIENCE), random_.chance(60) ? 0 : random_.below(80));
    for (Node x = 0; x < kAxiNodes; ++x) write(Cancel, control(rtl::AXI_CANCEL), x);
    write(ClearInterrupts, control(rtl::AXI_IRQ), ~0u);
    if (random_.chance(90)) feed();
    write(Start, control(rtl::AXI_RUN), 1);
    if (random_.chance(30)) stall();
    write(Abort, control(rtl::AXI_RUN), 1u << rtl::AXI_ABORT);
    ops_.back().at = std::array{Phase::Run, Phase::Run, Phase::Send, Phase::Shut}[random_.below(4)];
    ops_.back().gap = random_.below(20);
    const std::size_t before = ops_.size();
    switch (random_.below(12)) {
      case 0: write(StartRepeat, control(rtl::AXI_RUN), 3); break;
      case 1: write(Stop, control(rtl::AXI_RUN), 0); break;
      case 2: write(Begin, control(rtl::AXI_BEGIN), 1); break;
      case 3: write(Length, control(rtl::AXI_LENGTH), 3); break;
      default: anything(follows_++ % unsigned(ReadControl));
    }
    anything_often(12, 0);
    if (random_.chance(20)) anything(unsigned(NodeControl));
    any_packet();
    if (random_.chance(10)) reset();
    for (std::size_t i = before; i < ops_.size(); ++i) {
      ops_[i].gap = random_.below(2);
      if (ops_[i].what >= ReadControl) ops_[i].at = Phase::Abort;
    }
    write(ClearInterrupts, control(rtl::AXI_IRQ), ~0u);
    write(Limit, control(rtl::AXI_LIMIT), 0);
    write(Patience, control(rtl::AXI_PATIENCE), 0);
  }

  void commit(std::uint32_t length, std::uint32_t checksum) {
    write(Length, control(rtl::AXI_LENGTH), length);
    write(Checksum, control(rtl::AXI_CHECKSUM), checksum);
    write(Commit, control(rtl::AXI_COMMIT), 1);
  }

  /// A transaction: good, or one word short, corrupt, in another order, without its beginning or
  /// end.
  void load() {
    const auto programs = random_programs(random_, build_, kAxiNodes, own_, random_.chance(40));
    std::vector<AxiWrite> words;
    const bool to_all = random_.chance(25);  // the first node's for all of them
    const std::uint32_t number = random_.below(build_.programs);
    for (Node x = 0; x < (to_all ? 1 : kAxiNodes); ++x) {
      for (const Transfer& t : table_transfers(programs[x], build_, 0, number)) {
        const std::uint32_t region = all_of(t.address >> rtl::CFG_REGION_LSB, to_all);
        words.push_back(
            {address(x, region, t.address & ((1u << rtl::CFG_REGION_LSB) - 1)), t.data});
      }
    }
    need_ = random_.chance(60) ? own_ : 0;
    for (Node x = 0; need_ != 0 && x < (to_all ? 1 : kAxiNodes); ++x)
      words.push_back({address(x, all_of(rtl::AXI_PACKET, to_all), number), need_});
    auto length = static_cast<std::uint32_t>(words.size());
    std::uint32_t checksum = axi_checksum(words);
    const std::uint32_t fault = random_.below(14);
    if (fault == 0) ++length;
    if (fault == 1) checksum ^= 1u << random_.below(32);
    if (fault == 2) words[random_.below(length)].data ^= 1u << random_.below(8);
    if (fault == 3) words.pop_back();
    if (fault == 4) std::swap(words[0], words[1]);
    if (fault != 5) write(Begin, control(rtl::AXI_BEGIN), 1);
    for (const AxiWrite& w : words) {
      const unsigned region = w.address >> (2 + axi_.index_w + rtl::AXI_PART_W) & 0xf;
      write((region & 7) == rtl::CFG_SLOTS   ? SlotWord
            : (region & 7) == rtl::CFG_LISTS ? ListWord
                                             : PacketLength,
            w.address, w.data);
      if (random_.chance(90)) ops_.back().gap = 0;
      if (fault == 6 && random_.chance(1)) return;  // the transaction never ends
      if (random_.chance(1)) run();
      if (random_.chance(3))
        anything(random_.between(unsigned(ReadControl), unsigned(ReadUnaligned)));
    }
    if (random_.chance(40)) {  // the swap has to wait
      write(ClearInterrupts, control(rtl::AXI_IRQ), ~0u);
      write(Start, control(rtl::AXI_RUN), 1);
      commit(length, checksum);
      ops_.back().at = Phase::Run;
      ops_.back().gap = 0;
      if (random_.chance(25)) {
        random_.chance(50) ? reset() : stall();
        ops_.back().at = Phase::Run;
      }
      for (int i = 0; i < 3; ++i) any_packet();
      anything_often(20, 0);
      return;
    }
    commit(length, checksum);
    if (random_.chance(30)) aim();
    if (random_.chance(15)) write(Commit, control(rtl::AXI_COMMIT), 1);
    if (random_.chance(15)) write(Begin, control(rtl::AXI_BEGIN), 1);
  }

  void packets() {
    if (random_.chance(50)) own_ = random_.between(1, 8);
    if (random_.chance(50)) return feed();
    for (Node x = 0; x < kAxiNodes; ++x) {
      if (random_.chance(30)) continue;
      random_.chance(90) ? packet(Packet, x, own_) : any_packet();
      if (random_.chance(20)) aim();
    }
  }
  void any_packet() {
    const Node x = random_.below(kAxiNodes);
    switch (random_.below(3)) {
      case 0: return packet(PacketTooLong, x, build_.own_depth() + random_.between(1, 6));
      case 1: return packet(PacketBegun, x, random_.between(1, 4));
      default:
        return packet(Packet, x, random_.chance(50) ? build_.own_depth() : random_.between(1, 4));
    }
  }
  void packet(AxiOperation what, Node x, std::uint32_t words) {
    AxiOp op{.what = what, .gap = gap()};
    op.node = x;
    op.words = words;
    ops_.push_back(op);
  }

  /// Two packets are dropped, and starts are written at about that time.
  void too_long() {
    const Node x = random_.below(kAxiNodes);
    for (const Node y : {x, (x + random_.between(1, 2)) % kAxiNodes}) {
      packet(PacketTooLong, y, build_.own_depth() + random_.between(1, 4));
      ops_.back().gap = random_.below(30);
    }
    for (int i = 0; i < 2; ++i) {
      write(Start, control(rtl::AXI_RUN), 1);
      ops_.back().gap = random_.below(40);
      read(ReadStatus, control(rtl::AXI_STATUS));
    }
  }

  /// Within a packet, or after it, other numbers of words become right. Some packets go on where a
  /// count of their words begins anew.
  void other_length() {
    const Node x = random_.below(kAxiNodes);
    const std::uint32_t words = random_.between(2, 4 * build_.own_depth());
    packet(words > build_.own_depth() ? PacketTooLong : Packet, x, words);
    for (unsigned i = random_.between(1, 3); i-- > 0;) {
      const AxiWrite need{address(0, rtl::AXI_ALL_PACKETS, random_.below(build_.programs)),
                          random_.below(build_.own_depth() + 1)};
      write(Begin, control(rtl::AXI_BEGIN), 1);
      write(PacketLength, need.address, need.data);
      commit(1, axi_checksum({&need, 1}));
      for (unsigned k = 1; k <= 4; ++k) ops_[ops_.size() - k].gap = random_.below(8);
      need_ = need.data;
    }
  }

  void own_words() {
    for (Node x = 0; x < kAxiNodes; ++x) {
      reg(OwnWords, x, rtl::CFG_OWN_WORDS, own_);
      for (std::uint32_t i = 0; i < own_; ++i) {
        write(OwnWord, address(x, rtl::CFG_STORE, own_log() | i), word());
        if (random_.chance(80)) ops_.back().gap = 0;
      }
    }
  }

  void stall() {
    event(Stall, random_.between(20, 120));
    aim();
  }
  void reset() {
    event(Reset, random_.between(3, 6));
    aim();
  }

  // ---- Operations of any kind.

  template <std::size_t N>
  std::uint64_t one_of(const std::uint64_t (&addresses)[N]) {
    return addresses[random_.below(N)];
  }

  void anything(unsigned what) {
    using namespace rtl;
    const Node x = random_.below(kAxiNodes);
    const auto too_large = [&](std::uint32_t first) {
      return random_.chance(50) ? first : first | 1u << random_.between(20, 31);
    };
    const auto operation = static_cast<AxiOperation>(what);
    switch (operation) {
      case Start:
      case StartRepeat:
      case Stop: run(); break;
      case Abort:
        write(Abort, control(AXI_RUN),
              1u << AXI_ABORT | random_.word() % (random_.chance(80) ? 1 : 4));
        break;
      case Begin:
        if (random_.chance(20)) write(Begin, control(AXI_BEGIN), word());
        break;
      case Length: write(Length, control(AXI_LENGTH), random_.below(200)); break;
      case Checksum: write(Checksum, control(AXI_CHECKSUM), random_.chance(50) ? 0 : word()); break;
      case Commit: write(Commit, control(AXI_COMMIT), word()); break;
      case ClearInterrupts: write(ClearInterrupts, control(AXI_IRQ), random_.word()); break;
      case EnableInterrupts:
        write(EnableInterrupts, control(AXI_IRQ_ENABLE), random_.word());
        break;
      case Limit:
        write(Limit, control(AXI_LIMIT), random_.chance(70) ? 0 : random_.below(150));
        break;
      case Patience:
        write(Patience, control(AXI_PATIENCE), random_.chance(70) ? 0 : random_.below(150));
        break;
      case Refuse: write(Refuse, control(AXI_REFUSE), random_.chance(70) ? 0 : word()); break;
      case Programs: write(Programs, control(AXI_PROGRAMS), word()); break;
      case LastProgram:
        write(LastProgram, control(AXI_LAST_PROGRAM),
              random_.chance(70) ? random_.below(3) : word());
        break;
      case Cancel: write(Cancel, control(AXI_CANCEL), random_.chance(90) ? x : no_node()); break;
      case SlotWord: {
        const std::uint32_t entry = random_.below(build_.slot_depth) << CFG_SLOT_LSB;
        write(SlotWord,
              address(x, all_of(CFG_SLOTS, x == 0 && random_.chance(30)),
                      entry | random_.below(build_.slot_words())),
              random_.chance(50) ? 0 : random_.word() & 0x03000007);
        break;
      }
      case ListWord: {
        const std::uint32_t channel = random_.below(build_.kind.channels) << CFG_CHANNEL_LSB;
        write(ListWord,
              address(x, all_of(CFG_LISTS, x == 0 && random_.chance(30)),
                      channel | random_.below(build_.list_depth * 4)),
              random_.below(6));
        break;
      }
      case TableNowhere: write(TableNowhere, table_nowhere(x), word()); break;
      case OwnWord:
        write(OwnWord, address(x, CFG_STORE, own_log() | random_.below(build_.own_depth())),
              word());
        break;
      case OwnWords: reg(OwnWords, x, CFG_OWN_WORDS, random_.below(build_.own_depth() + 1)); break;
      case PacketLength:
        write(PacketLength,
              address(x, all_of(AXI_PACKET, x == 0 && random_.chance(30)),
                      random_.below(build_.programs)),
              random_.chance(60)   ? 0
              : random_.chance(20) ? build_.own_depth() + 1
                                   : own_);
        break;
      case TooManyOwnWords:
        reg(TooManyOwnWords, x, CFG_OWN_WORDS, too_large(build_.own_depth() + 1));
        break;
      case Dead:
        reg(Dead, x, CFG_DEAD + random_.below(2), random_.chance(80) ? 0 : random_.word());
        break;
      case DeadAfter: reg(DeadAfter, x, CFG_DEAD_AFTER, random_.below(5)); break;
      case DeadAfterTooLarge:
        reg(DeadAfterTooLarge, x, CFG_DEAD_AFTER, too_large(1u << build_.repeat_w));
        break;
      case NodeControl: reg(NodeControl, x, CFG_CONTROL, random_.below(4)); break;
      case WriteElsewhere: write(WriteElsewhere, write_nowhere(x), word()); break;
      case WriteUnaligned:
        write(WriteUnaligned, something(x) + random_.between(1, 3), word());
        break;
      case PartOfWord: write(PartOfWord, something(x), 3, random_.between(1, 14)); break;
      case NoPartOfWord:
        write(NoPartOfWord, something(x), random_.chance(50) ? 3 : word(), 0);
        break;
      case ReadControl: read(ReadControl, control(random_.below(AXI_REGISTERS))); break;
      case ReadStatus: read(ReadStatus, control(AXI_STATUS)); break;
      case ReadNode: {
        const std::uint32_t logs = build_.kind.logs();
        read(ReadNode, address(x, CFG_REGISTERS,
                               random_.chance(30) ? CFG_LOG_LENGTH + random_.below(logs)
                                                  : random_.between(CFG_STATUS, CFG_DEAD_AFTER)));
        break;
      }
      case ReadStore:
        read(ReadStore, address(x, CFG_STORE,
                                random_.below(build_.stored_logs()) << CFG_LOG_LSB |
                                    random_.below(build_.capacity)));
        break;
      case ReadElsewhere: read(ReadElsewhere, read_nowhere(x)); break;
      case ReadUnaligned: read(ReadUnaligned, something(x) + random_.between(1, 3)); break;
      default: break;
    }
  }

  /// Most of these addresses can be written, at the right time.
  std::uint64_t something(Node x) {
    using namespace rtl;
    return one_of({control(AXI_RUN), control(AXI_STATUS), control(AXI_BEGIN), control(AXI_LENGTH),
                   control(AXI_CHECKSUM), control(AXI_COMMIT), control(AXI_IRQ_ENABLE),
                   address(x, CFG_REGISTERS, CFG_OWN_WORDS), address(x, CFG_REGISTERS, CFG_DEAD),
                   address(x, CFG_REGISTERS, CFG_DEAD_AFTER), address(x, CFG_SLOTS, 0),
                   address(x, CFG_LISTS, 1), address(x, CFG_STORE, own_log()), address(x, 9, 0),
                   address(x, CFG_REGISTERS, CFG_CONTROL)});
  }
  /// A bit of the index, or of the part above it, that is 0 in addresses of slots and registers.
  std::uint32_t high_bit(unsigned from) {
    return 1u << random_.between(from, axi_.index_w + rtl::AXI_PART_W - 1);
  }
  std::uint32_t other_region() { return std::array{5u, 7u, 8u, 11u, 12u, 13u}[random_.below(6)]; }
  /// The region of tables, or that of all nodes' tables.
  static std::uint32_t all_of(std::uint32_t region, bool to_all) {
    return to_all ? region | 8 : region;
  }
  /// An address after the last node.
  Node no_node() { return random_.chance(50) ? kAxiNodes : 1u << random_.between(2, 7); }

  std::uint64_t table_nowhere(Node x) {
    using namespace rtl;
    const std::uint32_t slots = build_.slot_depth << CFG_SLOT_LSB;
    const std::uint32_t lists = build_.list_depth << CFG_SEG_LSB;
    return one_of({address(x, CFG_SLOTS, slots), address(x, CFG_SLOTS, build_.slot_words()),
                   address(x, CFG_SLOTS, high_bit(8)), address(x, CFG_LISTS, lists),
                   address(x, CFG_LISTS, build_.kind.channels << CFG_CHANNEL_LSB),
                   address(x, CFG_LISTS, random_.between(2, 63) << CFG_CHANNEL_LSB),
                   address(random_.between(1, kAxiNodes), AXI_ALL_SLOTS, 0),
                   address(random_.between(1, kAxiNodes), AXI_ALL_LISTS, 0),
                   address(random_.between(1, kAxiNodes), AXI_ALL_PACKETS, 0),
                   address(x, AXI_PACKET, high_bit(std::bit_width(build_.programs - 1))),
                   address(0, AXI_ALL_SLOTS, slots), address(0, AXI_ALL_LISTS, lists),
                   address(no_node(), CFG_SLOTS, 0), address(no_node(), CFG_LISTS, 0)});
  }
  std::uint64_t write_nowhere(Node x) {
    using namespace rtl;
    const std::uint32_t log_0 = build_.kind.single_port ? build_.capacity : 0;
    return one_of({address(x, CFG_REGISTERS, CFG_STATUS),
                   address(x, CFG_REGISTERS, CFG_MODEL),
                   address(x, CFG_REGISTERS, random_.between(CFG_ERRORS, CFG_REPEAT_W)),
                   address(x, CFG_REGISTERS, CFG_SHIFT),
                   address(x, CFG_REGISTERS, CFG_PARTNER),
                   address(x, CFG_REGISTERS, CFG_DEAD_AFTER + 1),
                   address(x, CFG_REGISTERS, CFG_LOG_LENGTH),
                   address(x, CFG_REGISTERS, CFG_OWN_WORDS | high_bit(8)),
                   address(x, CFG_REGISTERS, CFG_DEAD | high_bit(8)),
                   address(no_node(), CFG_REGISTERS, CFG_OWN_WORDS),
                   address(no_node(), CFG_STORE, own_log()),
                   address(x, CFG_ARRIVED, 0),
                   address(x, other_region(), random_.below(8)),
                   address(x, CFG_STORE, own_log() | build_.capacity),
                   address(x, CFG_STORE, own_log() + (1u << CFG_LOG_LSB)),
                   address(x, CFG_STORE, log_0),
                   control(AXI_STATUS),
                   control(AXI_PERIODS),
                   control(AXI_NODES),
                   control(AXI_FAILED),
                   control(AXI_HOLDER),
                   control(AXI_MISSED),
                   control(random_.between(AXI_IRQ_ENABLE + 1, AXI_TREE)),
                   control(AXI_REGISTERS),
                   control(AXI_RUN | high_bit(6)),
                   address(1, AXI_CONTROL, AXI_RUN),
                   address(2, AXI_CONTROL, AXI_BEGIN),
                   address(no_node(), AXI_CONTROL, AXI_RUN)});
  }
  std::uint64_t read_nowhere(Node x) {
    using namespace rtl;
    const std::uint32_t logs = build_.kind.logs();
    return one_of({address(x, CFG_REGISTERS, CFG_CONTROL), address(x, CFG_REGISTERS, CFG_SHIFT),
                   address(x, CFG_REGISTERS, CFG_MESSAGES), address(x, CFG_REGISTERS, CFG_PARTNER),
                   address(x, CFG_REGISTERS, CFG_LOG_LENGTH - 1),
                   address(x, CFG_REGISTERS, CFG_LOG_LENGTH + logs),
                   address(x, CFG_REGISTERS, CFG_MODEL | high_bit(8)),
                   address(no_node(), CFG_REGISTERS, CFG_STATUS), address(x, CFG_SLOTS, 0),
                   address(x, CFG_LISTS, 0), address(x, CFG_ARRIVED, 0),
                   address(x, other_region(), 0), address(x, AXI_PACKET, build_.programs - 1),
                   address(x, CFG_STORE, build_.capacity),
                   address(x, CFG_STORE, build_.stored_logs() << CFG_LOG_LSB),
                   address(no_node(), CFG_STORE, 0), address(1, AXI_CONTROL, AXI_STATUS),
                   control(AXI_REGISTERS), control(AXI_STATUS | high_bit(6))});
  }

  const AxiBuild& axi_;
  const NodeBuild& build_;
  Random random_;
  std::vector<AxiOp> ops_;
  std::uint32_t own_ = 2, need_ = 0;
  unsigned follows_ = 0;  ///< what is written after the next abort
};

}  // namespace

const std::vector<std::string>& axi_operations() {
  static const std::vector<std::string> names = listed(
      "start; start, repeat; stop; abort; begin; length; checksum; commit; "
      "clear interrupts; enable interrupts; limit; patience; refuse; programs; last program; "
      "cancel; slot word; "
      "list word; table word nowhere; own word; own words; packet length; "
      "own words, too many; dead; dead after; dead after, too large; control of a node; "
      "write where nothing is; write, not aligned; part of a word; no part of a word; "
      "read control; read status; read node; read store; read where nothing is; "
      "read, not aligned; packet; packet, too long; packet, never ended; "
      "receiver that stalls; start pin; reset");
  return names;
}

std::string text(const AxiOp& op) {
  const std::string at = op.at ? fmt::format(", at phase {} +{}", unsigned(*op.at), op.gap)
                               : fmt::format(", +{}", op.gap);
  const std::string& name = axi_operations()[std::size_t(op.what)];
  if (op.what >= Packet) return fmt::format("{}: node {}, {}{}\n", name, op.node, op.words, at);
  return fmt::format("{}: {:#010x}, {:#x}, strobes {:#x}{}\n", name, op.address, op.data,
                     op.strobes, at);
}

std::vector<AxiOp> random_axi_session(const AxiBuild& build, std::uint32_t seed,
                                      std::uint32_t operations) {
  return Master(build, seed).session(operations);
}

std::vector<AxiOp> axi_clearing(const AxiBuild& build) { return Master(build, 0).clearing(); }

}  // namespace gossamer::test
