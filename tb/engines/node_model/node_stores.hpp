#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "engines/node_model/slot_player.hpp"

namespace gossamer::model {

/// The message store of a node: append-only logs (docs/hardware/table-format.md, "Message store").
class MessageLogs {
 public:
  explicit MessageLogs(const NodeSetup& setup)
      : kind_(setup.kind), capacity_(setup.capacity), logs_(kind_.own_log() + 1) {
    logs_.back().assign(setup.own_words.begin(), setup.own_words.end());
    std::ranges::copy(setup.kept, logs_.begin());
  }

  /// Has this word arrived, or did the node start with it?
  bool written(unsigned log, std::uint32_t address) const {
    const auto* words = find(log);
    return words != nullptr && address < words->size();
  }

  /// 0 if nothing is written there.
  std::uint32_t read(unsigned log, std::uint32_t address) const {
    return written(log, address) ? (*find(log))[address] : 0;
  }

  /// False if the log of arrivals at `port` is full.
  bool append(Port port, std::uint32_t word) {
    if (full(port)) return false;
    logs_[kind_.single_port ? 0 : port].push_back(word);
    return true;
  }
  /// Writes a word of the own words' log.
  void write_own(std::uint32_t address, std::uint32_t word) {
    if (address < logs_.back().size()) logs_.back()[address] = word;
  }
  bool full(Port port) const { return arrivals(port).size() >= capacity_; }
  const std::vector<std::uint32_t>& log(unsigned log) const { return logs_[log]; }

 private:
  const std::vector<std::uint32_t>& arrivals(Port port) const {
    return logs_[kind_.single_port ? 0 : port];
  }

  const std::vector<std::uint32_t>* find(unsigned log) const {
    if (logs_.size() == 1) return logs_.data();
    log &= (1u << std::bit_width(kind_.ports)) - 1;  // a node uses the low bits of the log number
    return log < logs_.size() ? &logs_[log] : nullptr;
  }

  const NodeKind kind_;
  const std::uint32_t capacity_;
  std::vector<std::vector<std::uint32_t>> logs_;  ///< the own words' log is the last one
};

/// The message store of an adaptive node, and what the node knows of every message: on which links
/// it was sent, on which it arrived, and in which slot (docs/hardware/table-format.md, "Adaptive
/// nodes").
class ExchangeLogs {
 public:
  /// A position in the node's list: a word of a message, by its address.
  struct Position {
    std::uint32_t address = 0;
    bool same = false;  ///< the neighbours are at the same message, not at the same distance
  };

  explicit ExchangeLogs(const NodeSetup& setup)
      : kind_(setup.kind),
        capacity_(setup.capacity),
        messages_(setup.messages),
        shift_(setup.shift),
        partner_(setup.partner),
        awaited_(setup.initiator),
        has_message_(!setup.own_words.empty()),
        logs_(kind_.own_log() + 1, std::vector<std::uint32_t>(capacity_)),
        arrived_words_(logs_.size(), std::vector<bool>(capacity_)),
        crossings_(std::size_t{messages_} * kind_.ports),
        stages_(setup.stages),
        passed_(3 + (stages_.empty() ? 0 : std::ranges::max(stages_))) {
    std::ranges::copy(setup.own_words, logs_[kind_.own_log()].begin());
  }

  void start() {
    std::ranges::fill(crossings_, Crossing{});
    heard_.reset();
  }
  /// Writes the registers with the messages' places, after the run.
  void set_places(std::uint32_t shift, const std::vector<std::uint32_t>& partner) {
    shift_ = shift;
    partner_ = partner;
  }

  /// Call once per cycle, before arrive(): the node is now at `position`. Returns which of the
  /// outputs that offer that word in this slot send it; they then count as having sent it.
  std::uint64_t offer(const Position& position, std::uint64_t outputs, std::uint32_t slot) {
    passed_.push_front(position);
    passed_.pop_back();
    const std::uint32_t message = message_at(position.address);
    if (outputs == 0 || !awake(slot) || (!own(message) && !arrived_before(message, slot))) return 0;
    std::uint64_t senders = 0;
    for (Port p = 0; p < kind_.ports; ++p) {
      if (!(outputs >> p & 1) || message == message_at(partner(p))) continue;
      Crossing& here = crossing(message, p);
      if (before(here.sent, slot) || before(here.arrived, slot)) continue;
      here.sent = slot % kSlotNumbers;
      senders |= std::uint64_t{1} << p;
    }
    return senders;
  }

  /// The word that some output sends.
  std::uint32_t read(std::uint32_t slot) const {
    const std::uint32_t address = passed_[0].address, message = message_at(address);
    const Port from = own(message) ? kind_.own_log() : *arrived_before(message, slot);
    const auto& log = logs_[kind_.single_port ? 0 : from];
    return address < log.size() ? log[address] : 0;
  }

  /// A word arrives at `port`, in the receive window of this slot. It belongs to the node's
  /// position of two cycles ago, before the link's stages; returns its address, or nothing if that
  /// is beyond the log's end.
  std::optional<std::uint32_t> arrive(Port port, std::uint32_t slot) {
    const Position& position = passed_[2 + (port < stages_.size() ? stages_[port] : 0)];
    const std::uint32_t address = position.address ^ (position.same ? 0 : partner(port));
    if (address >= capacity_) return {};
    const std::uint32_t message = message_at(address);
    crossing(message, port).arrived = slot % kSlotNumbers;
    if (!heard_ && awaited_ && message == message_at(*awaited_)) heard_ = slot % kSlotNumbers;
    return address;
  }

  /// Writes the word that arrived.
  void store(unsigned log, std::uint32_t address, std::uint32_t word) {
    if (address >= logs_[log].size()) return;  // only an address of several words is
    logs_[log][address] = word;
    arrived_words_[log][address] = true;
  }

  /// Writes a word of the own words' log from outside.
  void write_own(std::uint32_t address, std::uint32_t word) { logs_.back()[address] = word; }

  /// The ports on which a message has arrived.
  std::uint64_t ports_of(std::uint32_t message) const {
    std::uint64_t ports = 0;
    for (Port p = 0; p < kind_.ports; ++p) {
      if (crossing(message, p).arrived) ports |= std::uint64_t{1} << p;
    }
    return ports;
  }

  /// A log as stored in memory, written or not, and which of its words have arrived.
  const std::vector<std::uint32_t>& log(unsigned log) const { return logs_[log]; }
  const std::vector<bool>& arrived(unsigned log) const { return arrived_words_[log]; }

 private:
  static constexpr std::uint32_t kSlotNumbers = 1u << rtl::ADAPTIVE_SLOT_W;
  /// The slot in which something last happened.
  using When = std::optional<std::uint32_t>;
  static bool before(const When& when, std::uint32_t slot) {
    return when && *when != slot % kSlotNumbers;
  }
  /// What a node knows of a message at a port.
  struct Crossing {
    When sent, arrived;
  };

  Crossing& crossing(std::uint32_t message, Port port) {
    return crossings_[std::size_t{message % messages_} * kind_.ports + port];
  }

  const Crossing& crossing(std::uint32_t message, Port port) const {
    return crossings_[std::size_t{message % messages_} * kind_.ports + port];
  }
  std::uint32_t message_at(std::uint32_t address) const { return address >> shift_; }
  std::uint32_t partner(Port port) const { return port < partner_.size() ? partner_[port] : 0; }

  /// The highest port on which the message arrived before this slot.
  std::optional<Port> arrived_before(std::uint32_t message, std::uint32_t slot) const {
    for (Port p = kind_.ports; p-- > 0;) {
      if (before(crossing(message, p).arrived, slot)) return p;
    }
    return {};
  }
  bool own(std::uint32_t message) const { return message == 0 && has_message_; }

  /// The initiator itself does not wait.
  bool awake(std::uint32_t slot) const {
    return !awaited_ || *awaited_ == 0 || before(heard_, slot);
  }

  const NodeKind kind_;
  const std::uint32_t capacity_, messages_;
  std::uint32_t shift_;
  std::vector<std::uint32_t> partner_;
  const std::optional<std::uint32_t> awaited_;  ///< send nothing before this message came
  const bool has_message_;                      ///< the node has a message of its own
  std::vector<std::vector<std::uint32_t>> logs_;
  std::vector<std::vector<bool>> arrived_words_;
  std::vector<Crossing> crossings_;          ///< messages x ports
  const std::vector<std::uint32_t> stages_;  ///< of the link at each port
  std::deque<Position> passed_;  ///< the node's position now, one and two cycles ago, and so on
  When heard_;                   ///< slot in which the awaited message arrived
};

}  // namespace gossamer::model
