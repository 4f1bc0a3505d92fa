#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fabric/node_program.hpp"

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

}  // namespace gossamer::model
