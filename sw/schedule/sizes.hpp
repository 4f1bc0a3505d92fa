#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "topology/topology.hpp"

namespace gossamer {

/// The most flits of a message. The compiler checks what a slot entry can hold.
inline constexpr std::uint32_t kMaxFlits = 1u << 20;

/// How many flits the messages of each origin have, or of each pair, if they are not all equally
/// long. A message of no flits is none: nobody has it, and nobody waits for it.
class Sizes {
 public:
  Sizes() = default;  ///< equally long; how long, a run says
  /// One number for each origin, or one for each origin and destination, by origins.
  Sizes(Node nodes, std::vector<std::uint32_t> flits)
      : nodes_(nodes),
        flits_(std::make_shared<const std::vector<std::uint32_t>>(std::move(flits))) {}

  bool equal() const { return flits_ == nullptr; }
  /// The rest is for sizes that are given.
  bool by_pair() const { return flits_->size() > nodes_; }
  std::uint32_t of(Node origin, Node destination) const {
    return (*flits_)[by_pair() ? std::size_t{origin} * nodes_ + destination : origin];
  }
  std::span<const std::uint32_t> all() const { return *flits_; }
  /// 1 at least.
  std::uint32_t most() const;
  bool operator==(const Sizes& other) const {
    return equal() || other.equal() ? equal() == other.equal() : *flits_ == *other.flits_;
  }

 private:
  Node nodes_ = 0;
  std::shared_ptr<const std::vector<std::uint32_t>> flits_;
};

/// The sizes in a file of lines "origin,flits" or "origin,destination,flits", which may begin with
/// a line of these words; what no line names has no flits. Of "" none are given. Throws InputError
/// that begins with "sizes".
Sizes read_sizes(const std::string& file, Node nodes);

}  // namespace gossamer
