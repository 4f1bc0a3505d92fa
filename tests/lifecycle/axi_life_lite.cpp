// The model's AXI4-Lite side: requests, addresses, registers, answers.
#include <fmt/format.h>

#include <algorithm>

#include "axi_life.hpp"

namespace gossamer::test {
namespace {

enum : unsigned { kOkay = 0, kSlverr = 2 };

/// An answer comes within so many cycles if nothing holds it back.
constexpr unsigned kSoon = 4;

std::uint32_t crc_step(std::uint32_t crc, std::uint32_t word) {
  crc ^= word;
  for (int b = 0; b < 32; ++b) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
  return crc;
}

}  // namespace

// ---- Requests and answers.

void AxiLife::check_answer(const char* what, Direction& d, bool valid, unsigned response,
                           std::uint32_t data, bool ready) {
  if (!valid) {
    if (d.shown) fail(fmt::format("the answer to a {} is withdrawn", what));
    const unsigned soon = kSoon + (&d == &read_ ? 2 * build_.tree : 0);
    if (!d.answers.empty() && cycle_ > d.done + soon) fail(fmt::format("no answer to a {}", what));
    return;
  }
  if (d.answers.empty()) {
    fail(fmt::format("an answer to no {}", what));
    return;
  }
  const Answer& answer = d.answers.front();
  if (!answer.came) fail(fmt::format("an answer to a {} that no node has given", what));
  if (response != answer.response || !agrees(answer.data, data)) {
    fail(fmt::format("a {} is answered with {}, {:#x}, not {}, {:#x}", what, response, data,
                     answer.response, answer.data.value_or(0)));
  }
  d.shown = !ready;
  if (!ready) return;
  if (d.answers.size() == kMostAnswers) full_until_ = cycle_;
  d.answers.pop_front();
  if (&d == &read_) answered_ = cycle_;
}

void AxiLife::check_ready(const char* what, bool must, bool ready) {
  if (must && !ready) fail(fmt::format("{} waits for nothing", what));
}

/// The request that is done in this cycle, if any.
void AxiLife::do_request(const AxiCycle& c) {
  const bool write = !write_.addresses.empty() && !write_.data.empty();
  const bool read = !read_.addresses.empty();
  const bool free = write_.answers.empty() && read_.answers.empty();
  if (!c.writes && !c.reads) {
    const bool restarts = commands_.back().restart;
    waited_ = (write || read) && free && !restarts ? waited_ + 1 : 0;
    if (waited_ > kSoon) fail("a request is not done");
    return;
  }
  waited_ = 0;
  if (!read_.answers.empty()) fail("a request is done before the last read was answered");
  if (c.writes && write_.answers.size() == kMostAnswers) fail("too many answers wait");
  if (c.writes ? !write : !read) {
    fail(fmt::format("a {} that nobody asked for", c.writes ? "write" : "read"));
    return;
  }
  // If the other kind was not served last, it must not have waited when this one could be chosen.
  Direction& d = c.writes ? write_ : read_;
  const std::uint64_t chosen = std::max(read_.came, answered_);
  const bool other_waits = c.writes ? read && read_.came < write_.came
                                    : write && std::max(write_.came, full_until_) <= chosen &&
                                          write_.answers.size() < kMostAnswers;
  if (wrote_last_ == c.writes && other_waits) fail("reads and writes do not take turns");
  wrote_last_ = c.writes;

  d.state = state();
  d.done = cycle_;
  const std::uint32_t address = d.addresses.front();
  d.addresses.pop_front();
  if (c.writes) {
    const auto [data, strobes] = d.data.front();
    d.data.pop_front();
    d.answers.push_back({this->write(address, data, strobes)});
  } else {
    d.answers.push_back(this->read(address));
  }
  d.came = cycle_;
}

/// What the fabric takes at the clock's edge.
void AxiLife::accept(const AxiCycle& c) {
  const bool address = c.awvalid && c.awready, data = c.wvalid && c.wready;
  if (address) write_.addresses.push_back(c.awaddr);
  if (data) write_.data.emplace_back(c.wdata, c.wstrb);
  if ((address && write_.addresses.size() == 1) || (data && write_.data.size() == 1)) {
    write_.came = cycle_;
  }
  if (!c.arvalid || !c.arready) return;
  read_.addresses.push_back(c.araddr);
  if (read_.addresses.size() == 1) read_.came = cycle_;
}

// ---- Addresses.

AxiLife::Place AxiLife::place(std::uint32_t address) const {
  const auto take = [&address](unsigned bits) {
    const std::uint32_t field = address & ((1u << bits) - 1);
    address >>= bits;
    return field;
  };
  Place p;
  p.aligned = take(2) == 0;
  p.index = take(build_.index_w);
  p.part = take(rtl::AXI_PART_W);
  p.region = take(rtl::AXI_REGION_W);
  p.node = address;
  p.all = p.region == rtl::AXI_ALL_SLOTS || p.region == rtl::AXI_ALL_LISTS ||
          p.region == rtl::AXI_ALL_PACKETS;
  if (p.all) p.region &= 7;
  p.flat = p.part << build_.index_w | p.index;
  return p;
}

/// Can the word in which this address lies be read now?
bool AxiLife::readable(const Place& p) const {
  const NodeBuild& node = build_.node;
  if (p.region == rtl::AXI_CONTROL) return p.node == 0 && p.flat < rtl::AXI_REGISTERS;
  if (p.node >= kAxiNodes) return false;
  if (p.region == rtl::CFG_REGISTERS) {
    return (p.flat >= rtl::CFG_STATUS && p.flat <= rtl::CFG_DEAD_AFTER) ||
           (p.flat >= rtl::CFG_LOG_LENGTH && p.flat - rtl::CFG_LOG_LENGTH < node.kind.logs()) ||
           (p.flat >= rtl::CFG_LINK_STAGES && p.flat - rtl::CFG_LINK_STAGES < node.kind.ports) ||
           p.flat == rtl::CFG_OWN_CAPACITY ||
           (p.flat >= rtl::CFG_SHARED &&
            p.flat - rtl::CFG_SHARED < (node.stored_logs() * node.kind.channels + 1) / 2);
  }
  return p.region == rtl::CFG_STORE && !locked_ && p.part < node.stored_logs() &&
         p.index < node.capacity;
}

/// Can something be written here now?
bool AxiLife::writable(const Place& p) const {
  const NodeBuild& node = build_.node;
  if (!p.aligned) return false;
  if (p.region == rtl::AXI_CONTROL) {
    return p.node == 0 &&
           (p.flat == rtl::AXI_RUN || (p.flat >= rtl::AXI_BEGIN && p.flat < rtl::AXI_COMMIT) ||
            (p.flat == rtl::AXI_COMMIT && open_ && !pending_) || p.flat == rtl::AXI_IRQ ||
            p.flat == rtl::AXI_IRQ_ENABLE || p.flat == rtl::AXI_LIMIT ||
            p.flat == rtl::AXI_CANCEL || p.flat == rtl::AXI_PATIENCE || p.flat == rtl::AXI_REFUSE ||
            p.flat == rtl::AXI_PROGRAMS || p.flat == rtl::AXI_LAST_PROGRAM);
  }
  if (p.node >= (p.all ? 1 : kAxiNodes)) return false;
  switch (p.region) {
    case rtl::CFG_REGISTERS:
      return !locked_ && (p.flat == rtl::CFG_OWN_WORDS ||
                          (p.flat >= rtl::CFG_DEAD && p.flat <= rtl::CFG_DEAD_AFTER));
    case rtl::AXI_PACKET: return open_ && !pending_ && p.flat < build_.node.programs;
    case rtl::CFG_STORE:
      return !locked_ && p.part == node.kind.own_log() && p.index < node.own_depth();
    case rtl::CFG_SLOTS:
      return open_ && !pending_ && p.flat >> rtl::CFG_SLOT_LSB < node.slot_depth &&
             p.flat % (1u << rtl::CFG_SLOT_LSB) < node.slot_words();
    case rtl::CFG_LISTS:
      return open_ && !pending_ && p.part < node.kind.channels &&
             p.index >> rtl::CFG_SEG_LSB < node.list_depth;
    default: return false;
  }
}

/// Does the register accept the value?
bool AxiLife::fits(const Place& p, std::uint32_t data) const {
  if (p.region == rtl::AXI_PACKET) return data <= build_.node.own_depth();
  if (p.region != rtl::CFG_REGISTERS) return true;
  if (p.flat == rtl::CFG_OWN_WORDS) return data <= build_.node.own_depth();
  return p.flat != rtl::CFG_DEAD_AFTER || data >> build_.node.repeat_w == 0;
}

/// The same on the node's configuration port.
std::uint32_t AxiLife::node_address(const Place& p) const {
  const std::uint32_t region = p.region << rtl::CFG_REGION_LSB;
  const std::uint32_t parted = region | p.part << rtl::CFG_LOG_LSB | p.index;
  const std::uint32_t other_bank = (bank_ ^ 1) << rtl::CFG_BANK_LSB;
  switch (p.region) {
    case rtl::CFG_SLOTS: return other_bank | region | p.flat;
    case rtl::CFG_LISTS: return other_bank | parted;
    case rtl::CFG_STORE: return parted;
    default: return region | p.flat;
  }
}

// ---- Writes.

unsigned AxiLife::write(std::uint32_t address, std::uint32_t data, unsigned strobes) {
  const Place p = place(address);
  if (!writable(p)) return kSlverr;
  if (strobes == 0) return kOkay;  // writes nothing
  if (strobes != 0xf || !fits(p, data)) return kSlverr;
  if (p.region == rtl::AXI_CONTROL) return write_control(p.flat, data);
  commands_.back().asked = p.node;
  commands_.back().all = p.all;
  commands_.back().transfer = {true, node_address(p), data};
  if (p.region == rtl::CFG_SLOTS || p.region == rtl::CFG_LISTS || p.region == rtl::AXI_PACKET) {
    ++words_;
    crc_ = crc_step(crc_step(crc_, address), data);
  }
  return kOkay;
}

unsigned AxiLife::write_control(std::uint32_t reg, std::uint32_t data) {
  switch (reg) {
    case rtl::AXI_RUN:
      if ((data & 1) != 0 && (data >> rtl::AXI_ABORT & 1) == 0) {
        if (busy()) return kSlverr;
        start_written_ = true;
      }
      repeat_ = data >> 1 & 1;
      abort_written_ = data >> rtl::AXI_ABORT & 1;
      last_written_ = abort_written_ || !repeat_;
      return kOkay;
    case rtl::AXI_BEGIN:
      open_ = true;
      bad_length_ = bad_checksum_ = false;
      words_ = 0;
      crc_ = ~0u;
      return kOkay;
    case rtl::AXI_LENGTH: length_ = data; return kOkay;
    case rtl::AXI_CHECKSUM: checksum_ = data; return kOkay;
    case rtl::AXI_IRQ: irq_cleared_ = data; return kOkay;
    case rtl::AXI_LIMIT: limit_ = data; return kOkay;
    case rtl::AXI_PATIENCE: patience_ = data; return kOkay;
    case rtl::AXI_REFUSE: refuse_ = data & 1; return kOkay;
    case rtl::AXI_PROGRAMS:
    case rtl::AXI_LAST_PROGRAM:
      if (build_.node.programs == 1) return kOkay;
      (reg == rtl::AXI_PROGRAMS ? programs_ : last_program_) =
          reg == rtl::AXI_PROGRAMS ? data : data & 7;
      place_ = 0;
      return kOkay;
    case rtl::AXI_CANCEL:
      if (data >= kAxiNodes) return kSlverr;
      commands_.back().cancels = data;
      return kOkay;
    case rtl::AXI_IRQ_ENABLE: irq_enable_ = data & ((1u << rtl::AXI_IRQS) - 1); return kOkay;
    default:  // AXI_COMMIT
      if (!open_ || pending_) return kSlverr;
      bad_length_ = words_ != length_;
      bad_checksum_ = ~crc_ != checksum_;
      if (bad_length_ || bad_checksum_) return kSlverr;
      open_ = false;
      pending_ = true;
      return kOkay;
  }
}

// ---- Reads.

AxiLife::Answer AxiLife::read(std::uint32_t address) {
  const Place p = place(address);
  if (!readable(p)) return {kSlverr, 0};
  if (p.region == rtl::AXI_CONTROL) return {kOkay, read_control(p.flat)};
  commands_.back().asked = p.node;
  commands_.back().transfer = {false, node_address(p), 0};
  return {kOkay, 0, false};  // the data follow when the node has answered
}

std::uint32_t AxiLife::read_control(std::uint32_t reg) const {
  switch (reg) {
    case rtl::AXI_STATUS: {
      const auto bit = [](unsigned at, bool value) { return std::uint32_t{value} << at; };
      return bit(rtl::AXI_RUNNING, running()) | bit(rtl::AXI_ERROR, known().error) |
             bit(rtl::AXI_PENDING, pending_) | bit(rtl::AXI_BAD_LENGTH, bad_length_) |
             bit(rtl::AXI_BAD_CHECKSUM, bad_checksum_) | bit(rtl::AXI_BANK, bank_ != 0) |
             bit(rtl::AXI_BAD_PACKET, bad_packet_.has_value()) |
             bit(rtl::AXI_LATE, late_.has_value()) |
             (late_ ? late_->bits() : bad_packet_.value_or(0) << rtl::AXI_BAD_NODE);
    }
    case rtl::AXI_PERIODS: return periods_;
    case rtl::AXI_LENGTH: return words_;
    case rtl::AXI_CHECKSUM: return ~crc_;
    case rtl::AXI_NODES: return kAxiNodes;
    case rtl::AXI_IRQ: return irq_;
    case rtl::AXI_IRQ_ENABLE: return irq_enable_;
    case rtl::AXI_CYCLES: return cycles_;
    case rtl::AXI_FLITS: return flits_;
    case rtl::AXI_DIMS: return 1;
    case rtl::AXI_INDEX_BITS: return build_.index_w;
    case rtl::AXI_TREE: return build_.tree;
    case rtl::AXI_LIMIT: return limit_;
    case rtl::AXI_FAILED: return known().fails.value_or(0);
    case rtl::AXI_PATIENCE: return patience_;
    case rtl::AXI_REFUSE: return refuse_;
    case rtl::AXI_HOLDER: return known().holder ? known().holder->bits() : 0;
    case rtl::AXI_MISSED: return missed_;
    case rtl::AXI_PROGRAMS: return programs_;
    case rtl::AXI_LAST_PROGRAM: return last_program_;
    case rtl::AXI_RADIX: return kAxiNodes | 1u << rtl::AXI_RING;
    default: return 0;
  }
}

}  // namespace gossamer::test
