#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "fabric/node_program.hpp"
#include "node_setup.hpp"

namespace gossamer::model {

/// The message store of a node: append-only logs (docs/hardware/table-format.md, "Message store").
class MessageLogs {
 public:
  MessageLogs(const NodeKind& kind, std::span<const std::uint32_t> own, std::uint32_t capacity);

  /// Has this word arrived, or did the node start with it?
  bool written(unsigned log, std::uint32_t address) const;
  /// 0 if nothing is written there.
  std::uint32_t read(unsigned log, std::uint32_t address) const;
  /// False if the log of arrivals at `port` is full.
  bool append(Port port, std::uint32_t word);
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
  const std::vector<std::uint32_t>* find(unsigned log) const;

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

  explicit ExchangeLogs(const NodeSetup& setup);

  void start();
  /// Writes the registers with the messages' places, after the run.
  void set_places(std::uint32_t shift, const std::vector<std::uint32_t>& partner) {
    shift_ = shift;
    partner_ = partner;
  }
  /// Call once per cycle, before arrive(): the node is now at `position`. Returns which of the
  /// outputs that offer that word in this slot send it; they then count as having sent it.
  std::uint64_t offer(const Position& position, std::uint64_t outputs, std::uint32_t slot);
  /// The word that some output sends.
  std::uint32_t read(std::uint32_t slot) const;
  /// A word arrives at `port`, in the receive window of this slot. It belongs to the node's
  /// position of two cycles ago, before the link's stages; returns its address, or nothing if that
  /// is beyond the log's end.
  std::optional<std::uint32_t> arrive(Port port, std::uint32_t slot);
  /// Writes the word that arrived.
  void store(unsigned log, std::uint32_t address, std::uint32_t word);

  /// Writes a word of the own words' log from outside.
  void write_own(std::uint32_t address, std::uint32_t word) { logs_.back()[address] = word; }
  /// The ports on which a message has arrived.
  std::uint64_t ports_of(std::uint32_t message) const;

  /// A log as stored in memory, written or not, and which of its words have arrived.
  const std::vector<std::uint32_t>& log(unsigned log) const { return logs_[log]; }
  const std::vector<bool>& arrived(unsigned log) const { return arrived_words_[log]; }

 private:
  /// The slot in which something last happened.
  using When = std::optional<std::uint32_t>;
  /// What a node knows of a message at a port.
  struct Crossing {
    When sent, arrived;
  };

  Crossing& crossing(std::uint32_t message, Port port);
  const Crossing& crossing(std::uint32_t message, Port port) const;
  std::uint32_t message_at(std::uint32_t address) const { return address >> shift_; }
  std::uint32_t partner(Port port) const { return port < partner_.size() ? partner_[port] : 0; }
  /// The highest port on which the message arrived before this slot.
  std::optional<Port> arrived_before(std::uint32_t message, std::uint32_t slot) const;
  bool own(std::uint32_t message) const { return message == 0 && has_message_; }
  bool awake(std::uint32_t slot) const;

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
