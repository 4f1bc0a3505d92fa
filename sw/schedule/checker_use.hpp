#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "schedule/checker_faults.hpp"

namespace gossamer::checking {

/// Who uses what in which round. Only the last `window` rounds are remembered: a pipelined path
/// reaches that far ahead of the round in which it starts.
class UseTable {
 public:
  static constexpr std::uint32_t kFree = ~std::uint32_t{0};

  UseTable(std::size_t keys, std::size_t window) : keys_(keys), uses_(keys * window) {}

  /// The index of the transfer that has taken `key` in `round`, or kFree.
  std::uint32_t user(std::uint32_t round, std::size_t key) const {
    const Use& use = uses_[slot(round, key)];
    return use.round == round ? use.transfer : kFree;
  }
  void take(std::uint32_t round, std::size_t key, std::uint32_t transfer) {
    uses_[slot(round, key)] = {round, transfer};
  }

 private:
  struct Use {
    std::uint32_t round = 0;  // rounds count from 1
    std::uint32_t transfer = 0;
  };
  std::size_t slot(std::uint32_t round, std::size_t key) const {
    return round % (uses_.size() / keys_) * keys_ + key;
  }

  std::size_t keys_;
  std::vector<Use> uses_;
};

/// The rules about links and ports within a round: arcs are disjoint, a half-duplex link carries
/// one direction, a single-port node sends one transfer and receives one (with half duplex, one of
/// the two). Counts by class of nodes: a translation group acts freely, so that two arcs are
/// translations of each other exactly if their tails are of one class and their ports are equal,
/// and each node of a class is the source of exactly one transfer of an orbit that starts there.
class UseRules {
 public:
  UseRules(const Schedule& schedule, FaultLog& faults);

  /// Checks the transfer with this index, whose path must exist, against all before it.
  void check(std::uint32_t index);

 private:
  void check_hop(std::uint32_t index, std::size_t hop, std::uint32_t round);
  void check_ports(std::uint32_t index);
  std::size_t arc(Node tail, Port port) const;
  std::string name(std::uint32_t index, std::uint32_t asked_by) const;

  const Schedule& schedule_;
  FaultLog& faults_;
  UseTable arcs_, senders_, receivers_;
};

}  // namespace gossamer::checking
